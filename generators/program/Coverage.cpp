//===- Coverage.cpp - which parts of the language a run of generated kernels holds ------------===//
#include "generators/program/Coverage.h"

#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/dialect/CudaTile/IR/CudaTile.h"

#include "mlir/IR/MLIRContext.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <set>

using namespace tilesmith;
using namespace tilesmith::generators;

namespace {

llvm::SmallVector<llvm::StringRef> words(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> result;
  text.split(result, ' ', -1, /*KeepEmpty=*/false);
  return result;
}

bool isTesting(llvm::StringRef op) {
  return op.contains('$');
}

std::string spell(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// The element of a tile of numbers, or what a tile of pointers points to.
mlir::Type elementOf(mlir::Type type) {
  auto tile = llvm::dyn_cast<cuda_tile::TileType>(type);
  if (!tile)
    return {};
  if (auto pointer = llvm::dyn_cast<cuda_tile::PointerType>(tile.getElementType()))
    return pointer.getPointeeType();
  return tile.getElementType();
}

std::string attributeText(llvm::StringRef name, mlir::Attribute value) {
  // Modes, scopes and orderings are stored as plain integers.
  if (auto number = llvm::dyn_cast<mlir::IntegerAttr>(value);
      number && !number.getType().isInteger(1)) {
    auto bits = static_cast<uint32_t>(number.getInt());
    if (name == "mode")
      if (auto mode = cuda_tile::symbolizeAtomicRMWMode(bits))
        return cuda_tile::stringifyAtomicRMWMode(*mode).str();
    if (name == "memory_scope")
      if (auto scope = cuda_tile::symbolizeMemoryScope(bits))
        return cuda_tile::stringifyMemoryScope(*scope).str();
    if (name == "memory_ordering_semantics")
      if (auto order = cuda_tile::symbolizeMemoryOrderingSemantics(bits))
        return cuda_tile::stringifyMemoryOrderingSemantics(*order).str();
  }
  std::string text;
  llvm::raw_string_ostream(text) << value;
  // #cuda_tile.rounding<zero>; facts of assume (#cuda_tile.div_by<16>) count by kind.
  llvm::StringRef rest = text;
  if (!rest.consume_front("#cuda_tile."))
    return text;
  auto [kind, inner] = rest.split('<');
  bool isFact = kind == "div_by" || kind == "same_elements" || kind == "bounded";
  return isFact ? kind.str() : inner.split('>').first.str();
}

llvm::StringRef construct(mlir::Operation *op) {
  return llvm::isa<cuda_tile::ForOp>(op)    ? "for"
         : llvm::isa<cuda_tile::LoopOp>(op) ? "loop"
         : llvm::isa<cuda_tile::IfOp>(op)   ? "if"
                                            : "entry";
}

bool isExit(mlir::Operation &op) {
  return llvm::isa<cuda_tile::BreakOp, cuda_tile::ContinueOp, cuda_tile::ReturnOp>(op);
}

/// The number that all elements of a constant have.
std::optional<llvm::APInt> splatInteger(mlir::Value value) {
  auto constant = value.getDefiningOp<cuda_tile::ConstantOp>();
  if (!constant || !constant.getValue().isSplat() ||
      !constant.getValue().getElementType().isInteger())
    return std::nullopt;
  return constant.getValue().getSplatValue<llvm::APInt>();
}

bool hasToken(mlir::TypeRange types) {
  return llvm::any_of(types, [](mlir::Type type) { return llvm::isa<cuda_tile::TokenType>(type); });
}

} // namespace

Coverage::Coverage()
    : context(std::make_unique<mlir::MLIRContext>(mlir::MLIRContext::Threading::DISABLED)) {
  context->getOrLoadDialect<cuda_tile::CudaTileDialect>();
  for (mlir::RegisteredOperationName op : context->getRegisteredOperationsByDialect("cuda_tile"))
    if (!isTesting(op.getStringRef()))
      expectOp(op);
  for (const std::string &row : structureRows())
    expect(row, reasonAgainst(row));
  for (const FeatureRow &row : featureRows()) {
    expect(std::string("feature ") + row.feature);
    rows[std::string("feature ") + row.feature].floor = row.floor;
  }
}

Coverage::~Coverage() = default;

void Coverage::expect(const std::string &name, llvm::StringRef reason) {
  Row &row = rows[name];
  row.expected = true;
  row.reason = reason.empty() ? reasonAgainst(name).str() : reason.str();
}

void Coverage::expectOp(const mlir::RegisteredOperationName &op) {
  llvm::StringRef name = op.stripDialect();
  const OpRow *table = findOpRow(name);
  if (!table) {
    ++rows["op " + name.str()].count; // not expected: in no table
    return;
  }
  llvm::StringRef reason = table->reason;
  expect("op " + name.str(), reason);
  if (!reason.empty())
    return; // one line for the whole op
  for (llvm::StringRef element : words(table->elements))
    expect("element " + name.str() + " " + element.str());
  for (mlir::StringAttr attribute : op.getAttributeNames()) {
    std::string row = "attribute " + name.str() + " " + attribute.str();
    const char *values = attributeValues(name, attribute);
    if (!values) {
      ++rows[row].count;
      continue;
    }
    if (llvm::StringRef(values) == "flag")
      values = "set unset";
    for (llvm::StringRef value : words(values))
      expect(row + " " + value.str());
  }
}

void Coverage::countOp(mlir::Operation &op) {
  std::string name = op.getName().stripDialect().str();
  hit("op " + name);
  if (findOpRow(name) && *findOpRow(name)->reason)
    return;
  std::set<std::string> elements;
  for (mlir::Type type : llvm::concat<const mlir::Type>(llvm::to_vector(op.getOperandTypes()),
                                                        llvm::to_vector(op.getResultTypes())))
    if (mlir::Type element = elementOf(type))
      elements.insert(spell(element));
  if (auto global = llvm::dyn_cast<cuda_tile::GlobalOp>(op))
    elements.insert(spell(elementOf(global.getValue().getType())));
  for (const std::string &element : elements)
    hit("element " + name + " " + element);
  for (mlir::StringAttr attribute : op.getName().getAttributeNames()) {
    const char *values = attributeValues(name, attribute);
    std::string row = "attribute " + name + " " + attribute.str() + " ";
    if (!values || !*values)
      continue;
    mlir::Attribute value = op.getAttr(attribute);
    if (auto flag = llvm::dyn_cast_if_present<mlir::BoolAttr>(value);
        flag && llvm::StringRef(values) == "flag")
      value = flag.getValue() ? value : mlir::Attribute();
    if (llvm::StringRef(values) == "flag")
      hit(row + (value ? "set" : "unset"));
    else
      hit(row + (value ? attributeText(attribute, value) : "absent"));
  }
}

/// What neither an attribute nor an element type tells.
void Coverage::countShape(mlir::Operation &op) {
  if (auto permute = llvm::dyn_cast<cuda_tile::PermuteOp>(op);
      permute && permute.getPermutation().size() == 4)
    hit("form permute in four dimensions");
  auto mode = op.getAttrOfType<cuda_tile::RoundingModeAttr>("rounding_mode");
  bool isDirected = mode && (mode.getValue() == cuda_tile::RoundingMode::ZERO ||
                             mode.getValue() == cuda_tile::RoundingMode::NEGATIVE_INF ||
                             mode.getValue() == cuda_tile::RoundingMode::POSITIVE_INF);
  if (isDirected && !llvm::isa<cuda_tile::FToFOp>(op))
    if (mlir::Type element = elementOf(op.getResult(0).getType());
        element.isF16() || element.isBF16())
      hit("form directed rounding of 16 bits");
  for (mlir::Type type : op.getResultTypes())
    if (auto tile = llvm::dyn_cast<cuda_tile::TileType>(type);
        tile && tile.getNumElements() > 8192) {
      hit("form tile of more than 8192 elements");
      break;
    }
}

void Coverage::countViewType(mlir::Operation &op) {
  if (op.getNumResults() != 1)
    return;
  mlir::Type type = op.getResult(0).getType();
  auto tile = [&](const char *kind, int64_t rank, cuda_tile::PaddingValueAttr padding,
                  llvm::ArrayRef<int32_t> map) {
    std::string view = std::string("view ") + kind;
    hit(view + " rank " + std::to_string(rank));
    hit(view + " padding " +
        (padding ? cuda_tile::stringifyPaddingValue(padding.getValue()).str() : "absent"));
    if (!map.empty())
      hit(view + (llvm::is_sorted(map) ? " map identity" : " map permuted"));
  };
  if (auto view = llvm::dyn_cast<cuda_tile::PartitionViewType>(type))
    tile("partition", view.getTileShape().size(), view.getPaddingValue(), view.getDimMap());
  if (auto view = llvm::dyn_cast<cuda_tile::StridedViewType>(type))
    tile("strided", view.getTileShape().size(), view.getPaddingValue(), view.getDimMap());
  if (auto view = llvm::dyn_cast<cuda_tile::GatherScatterViewType>(type))
    tile("gather", view.getTileShape().size(), view.getPaddingValue(), {});
  if (auto view = llvm::dyn_cast<cuda_tile::TensorViewType>(type)) {
    hit(view.dynamicShapeAmount() ? "view tensor extents dynamic" : "view tensor extents constant");
    hit(view.dynamicStrideAmount() ? "view tensor strides dynamic"
                                   : "view tensor strides constant");
    if (view.getPtrAttr())
      hit("view tensor attribute " +
          cuda_tile::stringifyPtrAttrKind(view.getPtrAttr().getValue()).str());
  }
}

void Coverage::countControlFlow(mlir::Operation &op) {
  if (llvm::isa<cuda_tile::ForOp, cuda_tile::LoopOp, cuda_tile::IfOp>(op))
    hit(("form " + construct(&op) + " in " + construct(op.getParentOp())).str());
  if (isExit(op) && llvm::isa<cuda_tile::IfOp>(op.getParentOp())) {
    // What the exit leaves: a break or continue the nearest loop, a return the entry.
    llvm::StringRef exit = op.getName().stripDialect();
    mlir::Operation *left = op.getParentOp();
    unsigned ifs = 0;
    for (; llvm::isa<cuda_tile::IfOp>(left); left = left->getParentOp())
      ++ifs;
    hit(("form " + exit + " in " + construct(left)).str());
    if (ifs > 1)
      hit(("form " + exit + " below two ifs").str());
  }
  if (auto loop = llvm::dyn_cast<cuda_tile::ForOp>(op)) {
    std::optional<llvm::APInt> step = splatInteger(loop.getStep()),
                               upper = splatInteger(loop.getUpperBound());
    if (step && step->sge(16))
      hit("form for stepping by 16 or more");
    if (loop.getUnsignedCmp() && upper && upper->isNegative())
      hit("form for above the largest signed number");
    if (loop.getInitValues().empty())
      hit("form for without carried values");
    if (hasToken(loop.getInitValues().getTypes()))
      hit("form for that carries a token");
    if (loop.getUnsignedCmp())
      hit("form for counting up unsigned");
    hit("form for over " + spell(elementOf(loop.getUpperBound().getType())));
    hit(loop.getUpperBound().getDefiningOp<cuda_tile::ConstantOp>()
            ? "form for with a constant range"
            : "form for with a range from data");
  }
  if (auto loop = llvm::dyn_cast<cuda_tile::LoopOp>(op)) {
    if (op.getNumOperands() == 0)
      hit("form loop without carried values");
    if (hasToken(op.getOperandTypes()))
      hit("form loop that carries a token");
    if (op.getOperandTypes() != op.getResultTypes())
      hit("form loop whose results differ in type from what it carries");
    unsigned breaks = 0;
    op.walk([&](cuda_tile::BreakOp leave) {
      mlir::Operation *left = leave->getParentOp();
      while (llvm::isa<cuda_tile::IfOp>(left))
        left = left->getParentOp();
      breaks += left == &op;
    });
    if (breaks > 1)
      hit("form two breaks in one loop");
  }
  if (auto branch = llvm::dyn_cast<cuda_tile::IfOp>(op)) {
    bool hasElse = !branch.getElseRegion().empty();
    hit(!hasElse                  ? "form if without else"
        : op.getNumResults() == 0 ? "form if with else and no results"
                                  : "form if with results");
    if (hasToken(op.getResultTypes()))
      hit("form if that yields a token");
    if (!hasElse)
      return;
    mlir::Operation &first = branch.getThenRegion().front().back();
    mlir::Operation &second = branch.getElseRegion().front().back();
    if (op.getNumResults() > 0 && isExit(first) != isExit(second))
      hit("form if with an exit in one branch and results of the other");
    if (llvm::isa<cuda_tile::ReturnOp>(first) && llvm::isa<cuda_tile::ReturnOp>(second))
      hit("form return in both branches");
  }
}

void Coverage::add(mlir::Operation *module, llvm::StringRef version) {
  unsigned deepest = 0, entries = 0;
  bool isPrivate = false;
  module->walk([&](mlir::Operation *op) {
    countOp(*op);
    countViewType(*op);
    countShape(*op);
    countControlFlow(*op);
    entries += llvm::isa<cuda_tile::EntryOp>(op);
    if (auto global = llvm::dyn_cast<cuda_tile::GlobalOp>(op))
      isPrivate |= global.getSymbolVisibility() == cuda_tile::SymbolVisibility::Private;
    unsigned depth = 0;
    for (mlir::Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
      depth += llvm::isa<cuda_tile::ForOp, cuda_tile::LoopOp, cuda_tile::IfOp>(parent);
    deepest = std::max(deepest, depth);
  });
  hit("nesting " + std::to_string(std::min(deepest, 4u)));
  hit("version " + version.str());
  hit(entries == 1 ? "module 1 entry" : "module 2 entries");
  if (isPrivate)
    hit("module private global");
}

llvm::Error Coverage::add(const testcase::TestCase &testCase) {
  const testcase::ModuleFile &file = testCase.launches.front().modules.front();
  auto module = bytecode::readBytecode(llvm::toStringRef(file.bytes), context.get());
  if (!module)
    return module.takeError();
  add(**module, file.version);
  int64_t blocks = 1;
  for (int64_t extent : testCase.launches.front().grid)
    blocks *= extent;
  hit(blocks == 1 ? "module 1 block" : "module several blocks");
  ++kernels;
  for (const FeatureRow &row : featureRows())
    if (llvm::is_contained(testCase.features, row.feature))
      hit(std::string("feature ") + row.feature);
  return llvm::Error::success();
}

uint64_t Coverage::count(const std::string &row) const {
  auto it = rows.find(row);
  return it == rows.end() ? 0 : it->second.count;
}

std::vector<std::string> Coverage::held() const {
  std::vector<std::string> names;
  for (const auto &[name, row] : rows)
    if (row.count > 0)
      names.push_back(name);
  return names;
}

std::vector<std::string> Coverage::wanted() const {
  std::vector<std::string> names;
  for (const auto &[name, row] : rows)
    if (row.expected && row.reason.empty())
      names.push_back(name);
  return names;
}

void Coverage::forget() {
  for (auto &[name, row] : rows)
    row.count = 0;
}

void Coverage::print(llvm::raw_ostream &out) const {
  for (const auto &[name, row] : rows) {
    out << llvm::right_justify(std::to_string(row.count), 8) << "  " << name;
    if (!row.reason.empty())
      out << ": " << row.reason;
    if (row.floor)
      out << " (at least " << row.floor << " of 1000 in the mean)";
    out << '\n';
  }
}

uint64_t tilesmith::generators::leastByChance(uint64_t rate, uint64_t kernels) {
  const double expected = static_cast<double>(rate * kernels) / 1000;
  return static_cast<uint64_t>(std::max(1.0, std::floor(expected - 3 * std::sqrt(expected))));
}

uint64_t tilesmith::generators::leastOfFeature(uint64_t rate, uint64_t kernels) {
  if (rate == 0 || kernels == 0)
    return 0;
  if (rate >= 1000)
    return kernels;
  const double p = static_cast<double>(rate) / 1000, n = static_cast<double>(kernels);
  double below = 0; // the chance of fewer than `count`
  for (uint64_t count = 0;; ++count) {
    const double k = static_cast<double>(count);
    below += std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) +
                      k * std::log(p) + (n - k) * std::log1p(-p));
    if (below >= kChanceBelowFloor)
      return count;
  }
}

uint64_t tilesmith::generators::kernelsThatTell(uint64_t rate) {
  const double p = static_cast<double>(std::min<uint64_t>(rate, 999)) / 1000;
  return static_cast<uint64_t>(std::log(kChanceBelowFloor) / std::log1p(-p)) + 1;
}

std::vector<std::string> Coverage::problems(uint64_t floor) const {
  std::vector<std::string> result;
  for (const auto &[name, row] : rows) {
    if (!row.expected)
      result.push_back("'" + name + "' is in no table");
    else if (!row.reason.empty() && row.count > 0)
      result.push_back("'" + name + "' occurred although: " + row.reason);
    else if (row.floor && kernels >= 1000 && row.count < leastOfFeature(row.floor, kernels))
      result.push_back(
          llvm::formatv("'{0}' occurred in {1} of {2} kernels, expected {3} of 1000 in the mean",
                        name, row.count, kernels, row.floor));
    else if (row.reason.empty() && row.count < floor)
      result.push_back(
          llvm::formatv("'{0}' occurred {1} times, expected at least {2}", name, row.count, floor));
  }
  return result;
}
