//===- ModuleRules.cpp - globals, bytes, facts, output and other effects ----------------------===//
//
// Needs: ranges, for the facts that `assume` and `assert` state. Promises: an assumed fact is true,
// an assertion holds, a constant global is only read, prints of a kernel with one block are in the
// order of their tokens (several blocks print in any order, so they do not).
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/IdiomRules.h"
#include "generators/program/Rules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilesmith;
using namespace tilesmith::generators;

namespace {

/// Elements of a table that indices of the kernel's data choose.
bool applyTable(KernelBuilder &k, ChoiceStream &s) {
  std::optional<TileValue> chosen = k.find(s, [](const TileValue &v) {
    return isInt(v.element()) && widthOf(v.element()) >= 8 && v.type().getNumElements() <= 512;
  });
  if (!chosen)
    return false;
  mlir::Type element = s.chance(15) ? k.pickStorage(s, false) : k.pickElement(s, Kind::Any);
  int64_t count = int64_t(1) << s.between(0, 5);
  mlir::Value base =
      makeGlobal(k, s, element, count, /*constant=*/k.version() >= 3 && s.chance(60));
  cuda_tile::TileType type = chosen->type();
  mlir::Value offsets = cuda_tile::AndIOp::create(k.builder(), k.loc(), type, chosen->ssa,
                                                  k.intConstant(type, count - 1).ssa);
  mlir::Value pointers = pointersAt(k, base, offsets);
  Facts facts;
  if (isInt(element))
    facts.range = Range::full(widthOf(element));
  k.define(loadPointers(k, s, k.tileType(type.getShape(), element), pointers, {}, {}, {}).tile,
           facts);
  return true;
}

/// Bytes of memory as one type, moved or computed with there, as bytes again, and so on: every type that
/// memory has is read from bytes, few of them at a time too.
bool applyPackChain(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0)
    return false;
  mlir::OpBuilder &b = k.builder();
  const int64_t count = int64_t(8) << s.below(7); // bytes
  cuda_tile::TileType bytes = k.tileType({count}, k.intType(8));
  mlir::Value value = freshTile(k, s, bytes, Fill::Any);
  for (uint64_t steps = s.between(1, 3); steps > 0; --steps) {
    mlir::Type element =
        s.chance(60) ? k.intType(8u << s.between(1, 3)) : k.pickElement(s, Kind::Float);
    const int64_t width = static_cast<int64_t>(widthOf(element));
    if (width == 8)
      continue;
    cuda_tile::TileType type = k.tileType({count * 8 / width}, element);
    mlir::Value wide = k.emit<cuda_tile::UnpackOp>(type, value).getResult();
    if (s.chance(40))
      keepTile(k, s, wide);
    if (element.isInteger() && s.chance(70)) // no payload of a NaN is read again
      wide = combineExactly(k, wide, freshTile(k, s, type, Fill::Any));
    if (!element.isInteger())
      continue;
    k.note("pack-chain-again");
    if (type.getNumElements() > 2 && s.chance(30)) { // in another order
      const llvm::SmallVector<int64_t> rows = {2, type.getNumElements() / 2},
                                       turned = {rows[1], rows[0]};
      wide = cuda_tile::ReshapeOp::create(b, k.loc(), k.tileType(rows, element), wide);
      wide = cuda_tile::PermuteOp::create(b, k.loc(), k.tileType(turned, element), wide,
                                          mlir::DenseI32ArrayAttr::get(&k.context(), {1, 0}));
      wide = flatten(k, wide);
    }
    value = k.emit<cuda_tile::PackOp>(bytes, wide).getResult();
  }
  keepTile(k, s, value);
  return true;
}

/// Integers as bytes, or bytes as another type.
bool applyPack(KernelBuilder &k, ChoiceStream &s) {
  std::optional<TileValue> a = k.find(s, [](const TileValue &v) {
    return isInt(v.element()) && widthOf(v.element()) > 8 && v.shape().size() >= 1 &&
           v.type().getNumElements() <= 512;
  });
  if (!a)
    return false;
  int64_t bytes = a->type().getNumElements() * widthOf(a->element()) / 8;
  k.define(
      k.emit<cuda_tile::PackOp>(k.tileType({bytes}, k.intType(8)), flatten(k, a->ssa)).getResult(),
      {Range::full(8)});
  return true;
}

bool applyUnpack(KernelBuilder &k, ChoiceStream &s) {
  std::optional<TileValue> a = k.find(s, [](const TileValue &v) {
    return v.element().isInteger(8) && v.shape().size() >= 1 && v.type().getNumElements() <= 2048;
  });
  if (!a)
    return false;
  mlir::Type element = k.pickElement(s, Kind::Any);
  int64_t bits = a->type().getNumElements() * 8, width = widthOf(element);
  if (width == 8 || bits < width || bits / width > 4096)
    return false;
  Facts facts;
  if (isInt(element))
    facts.range = Range::full(widthOf(element));
  k.define(k.emit<cuda_tile::UnpackOp>(k.tileType({bits / width}, element), flatten(k, a->ssa))
               .getResult(),
           facts);
  return true;
}

/// States what is known about a value: bounds of its range, multiples, equal elements.
bool applyAssume(KernelBuilder &k, ChoiceStream &s) {
  std::optional<TileValue> a =
      k.find(s, [](const TileValue &v) { return isInt(v.element()) && widthOf(v.element()) >= 8; });
  if (!a)
    return false;
  mlir::OpBuilder &b = k.builder();
  mlir::Value value = a->ssa;
  Facts facts = a->facts;
  auto assume = [&](mlir::Attribute fact) {
    value = cuda_tile::AssumeOp::create(b, k.loc(), value.getType(), value,
                                        llvm::cast<cuda_tile::AssumePredicateAttrInterface>(fact));
  };
  for (uint64_t count = 1 + s.below(3); count > 0; --count) {
    switch (s.below(3)) {
    case 0: { // low bits cleared before: a multiple
      uint64_t divisor = uint64_t(1) << s.between(0, 5);
      value = cuda_tile::AndIOp::create(b, k.loc(), a->type(), value,
                                        k.intConstant(a->type(), -static_cast<Int>(divisor)).ssa);
      facts.distinct = false;
      facts.range = {facts.range.low - static_cast<Int>(divisor) + 1, facts.range.high};
      facts.range = facts.range.wrapped(widthOf(a->element()));
      assume(cuda_tile::DivByAttr::get(&k.context(), divisor, std::nullopt, std::nullopt));
      k.note("assume-div_by");
      break;
    }
    case 1: {
      std::optional<int64_t> low, high;
      if (s.chance(70))
        low = static_cast<int64_t>(facts.range.low);
      if (s.chance(70))
        high = static_cast<int64_t>(facts.range.high);
      assume(cuda_tile::BoundedAttr::get(&k.context(), low, high));
      k.note("assume-bounded");
      break;
    }
    default: {
      llvm::SmallVector<int64_t> groups(a->shape().size(), 1);
      assume(cuda_tile::SameElementsAttr::get(&k.context(), b.getDenseI64ArrayAttr(groups)));
      k.note("assume-same_elements");
    }
    }
  }
  k.define(value, facts);
  return true;
}

/// Repeats a scalar and says so.
bool applySameElements(KernelBuilder &k, ChoiceStream &s) {
  std::optional<TileValue> a =
      k.find(s, [](const TileValue &v) { return v.shape().empty() && isInt(v.element()); });
  if (!a)
    return false;
  TileValue repeated = k.splat(*a, k.tileShape());
  auto fact = cuda_tile::SameElementsAttr::get(&k.context(),
                                               k.builder().getDenseI64ArrayAttr(k.tileShape()));
  k.note("assume-same_elements");
  k.define(cuda_tile::AssumeOp::create(k.builder(), k.loc(), repeated.type(), repeated.ssa, fact),
           repeated.facts);
  return true;
}

/// A condition that holds: what the range says, or a comparison of a value with itself.
bool applyAssert(KernelBuilder &k, ChoiceStream &s) {
  cuda_tile::TileType type = k.pickType(s, Kind::Int);
  TileValue a = k.use(s, type);
  mlir::OpBuilder &b = k.builder();
  cuda_tile::TileType flags = k.tileType(type.getShape(), k.intType(1));
  bool upper = s.chance(50);
  Int bound = upper ? a.facts.range.high : a.facts.range.low;
  mlir::Value holds = cuda_tile::CmpIOp::create(
      b, k.loc(), flags,
      upper ? cuda_tile::ComparisonPredicate::LESS_THAN_OR_EQUAL
            : cuda_tile::ComparisonPredicate::GREATER_THAN_OR_EQUAL,
      a.ssa, k.intConstant(type, bound).ssa, cuda_tile::Signedness::Signed);
  k.emit<cuda_tile::AssertOp>(
      {}, holds, k.attr("message", b.getStringAttr(s.chance(50) ? "out of range" : "")));
  return true;
}

/// A condition that one element of many fails, wherever a thread holds it: the kernel traps.
bool applyFailingAssert(KernelBuilder &k, ChoiceStream &s) {
  // All else that such a kernel does goes unseen. Where blocks may have left before, it may be all of them.
  if (k.depth > 0 || k.mayHaveReturned || s.chance(70))
    return false;
  mlir::OpBuilder &b = k.builder();
  const int64_t count = int64_t(1) << s.below(11);
  cuda_tile::TileType line = k.tileType({count}, k.intType(32));
  mlir::Value holds = cuda_tile::CmpIOp::create(
      b, k.loc(), k.tileType({count}, k.intType(1)), cuda_tile::ComparisonPredicate::NOT_EQUAL,
      cuda_tile::IotaOp::create(b, k.loc(), line),
      k.splat({k.addExtentArgument(static_cast<int64_t>(s.below(count))), {}}, {count}).ssa,
      cuda_tile::Signedness::Signed);
  k.emit<cuda_tile::AssertOp>({}, holds, k.attr("message", b.getStringAttr(KernelBuilder::kFails)));
  k.traps = true;
  return true;
}

/// A conversion of an integer: with the length of its type, with another one, or with none.
std::string integerConversion(KernelBuilder &k, ChoiceStream &s, unsigned width) {
  struct Form {
    const char *flags, *conversion;
  };
  static constexpr Form kForms[] = {{"", "d"},   {"", "i"},  {"5", "d"},   {"08", "x"}, {"", "u"},
                                    {"-4", "d"}, {"+", "i"}, {"016", "X"}, {"", "o"}};
  const Form &form = kForms[s.below(width < 32 ? 3 : std::size(kForms))];
  const char *length = width == 64 ? "ll" : "";
  if (s.chance(30)) {
    k.note("print-other-length");
    static constexpr const char *kLengths[] = {"", "l", "ll"};
    length = kLengths[s.below(3)];
  }
  return std::string("%") + form.flags + length + form.conversion;
}

/// Prints one or two values after everything that was printed before.
bool applyPrint(KernelBuilder &k, ChoiceStream &s) {
  if (k.depth > 0 || k.blockCount() > 1)
    return false;
  std::string format = "p";
  llvm::SmallVector<mlir::Value> operands;
  for (uint64_t count = s.below(4); count > 0; --count) {
    if (s.chance(35)) { // small integers as floats: their text is exact
      static constexpr const char *kFloat[] = {"%f", "%.1f", "%8.2f", "%g", "%e"};
      int64_t extent = int64_t(1) << s.below(4);
      format += std::string(" ") + kFloat[s.below(5)];
      operands.push_back(smallFloats(k, s, k.tileType({extent}, k.pickElement(s, Kind::Float))));
      continue;
    }
    std::optional<TileValue> a = k.find(s, [](const TileValue &v) {
      return isInt(v.element()) && v.type().getNumElements() <= 16;
    });
    if (!a)
      break;
    format += " " + integerConversion(k, s, widthOf(a->element()));
    operands.push_back(a->ssa);
  }
  format += "%%\n";
  mlir::OpBuilder &b = k.builder();
  int32_t values = static_cast<int32_t>(operands.size());
  if (k.version() < 2) { // the file has no token yet: prints are in program order
    k.note("print");
    k.emit<cuda_tile::PrintTkoOp>(cuda_tile::TokenType::get(&k.context()), operands,
                                  k.attr("str", b.getStringAttr(format)), {values, 0});
    return true;
  }
  k.note("print_tko");
  if (k.printed)
    operands.push_back(k.printed);
  k.printed = k.emit<cuda_tile::PrintTkoOp>(cuda_tile::TokenType::get(&k.context()), operands,
                                            k.attr("str", b.getStringAttr(format)),
                                            {values, k.printed ? 1 : 0})
                  .getResultToken();
  return true;
}

/// Fences and dependent launches: without effect on results.
bool applyFence(KernelBuilder &k, ChoiceStream &s) {
  cuda_tile::TokenType token = cuda_tile::TokenType::get(&k.context());
  mlir::Value before = cuda_tile::MakeTokenOp::create(k.builder(), k.loc(), token);
  switch (s.below(3)) {
  case 0:
    k.note("memory_fence_alias_tko");
    k.emit<cuda_tile::MemoryFenceAliasTkoOp>(token, before);
    break;
  case 1:
    k.note("gdc_wait_tko");
    k.emit<cuda_tile::GdcWaitTkoOp>(token,
                                    s.chance(50) ? mlir::ValueRange(before) : mlir::ValueRange());
    break;
  default:
    k.note("gdc_launch_dependents_tko");
    k.emit<cuda_tile::GdcLaunchDependentsTkoOp>(token, before);
  }
  return true;
}

} // namespace

/// A name that few languages take as it is, that the machine has a meaning for, or that becomes another one
/// where characters are replaced.
static std::string awkwardName(KernelBuilder &k, ChoiceStream &s) {
  k.note("awkward-name");
  static constexpr const char *kStems[] = {"a.b",      "a_$_b",        "with space",  "x-y",
                                           "1st",      "%tid",         "$L__BB0_",    ".reg",
                                           "tid.x",    "a@b",          "\"q\"",       "_Z3foov",
                                           "vprintf_", "global_smem_", "print_lock_", "WARP_SZ"};
  static constexpr const char *kAlone[] = {"__nv_expf", "__nv_sinf", "printf",
                                           "malloc",    "main",      "param_0",
                                           "a.b",       "a_$_b",     "__local_depot0"};
  // Two entries have one table of names.
  if (std::string name = kAlone[s.below(std::size(kAlone))];
      s.chance(40) && k.entryName() == KernelBuilder::kEntryName && !k.module().lookupSymbol(name))
    return name;
  return k.freshName(kStems[s.below(std::size(kStems))]).substr(s.chance(50) ? 0 : 1);
}

mlir::Value tilesmith::generators::makeGlobal(KernelBuilder &k, ChoiceStream &s, mlir::Type element,
                                              int64_t count, bool constant) {
  mlir::OpBuilder &b = k.builder();
  cuda_tile::TileType type = k.tileType({count}, element);
  std::string name = s.chance(12) ? awkwardName(k, s) : k.freshName("table");
  {
    // The value of a constant with interesting elements, moved to the module.
    auto source = k.constant(s, type).ssa.getDefiningOp<cuda_tile::ConstantOp>();
    mlir::Attribute value = source.getValueAttr();
    source.erase();
    mlir::OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&k.moduleBody());
    llvm::SmallVector<mlir::NamedAttribute> attributes = {k.attr("sym_name", b.getStringAttr(name)),
                                                          k.attr("value", value)};
    if (s.chance(30))
      attributes.push_back(k.attr("alignment", b.getI64IntegerAttr(int64_t(8) << s.below(4))));
    if (constant) {
      k.note("global-constant");
      attributes.push_back(k.attr("constant", b.getUnitAttr()));
    }
    if (k.version() >= 3 && s.chance(30))
      attributes.push_back(
          k.attr("symbol_visibility", cuda_tile::SymbolVisibilityAttr::get(
                                          &k.context(), cuda_tile::SymbolVisibility::Private)));
    k.emit<cuda_tile::GlobalOp>({}, {}, attributes);
  }
  k.note("global");
  return k
      .emit<cuda_tile::GetGlobalOp>(
          k.scalarType(cuda_tile::PointerType::get(element)), {},
          k.attr("name", mlir::FlatSymbolRefAttr::get(&k.context(), name)))
      .getResult();
}

llvm::ArrayRef<Rule> tilesmith::generators::moduleRules() {
  static constexpr Rule kRules[] = {
      {"global-table", 2, applyTable, 1, "index below the length"},
      {"pack", 2, applyPack, 3, "integers only: no payload of a NaN is read"},
      {"unpack", 7, applyUnpack, 3, "any bytes are a value"},
      {"pack-chain", 3, applyPackChain, 3, "any bytes are a value; bytes of integers alone"},
      {"assume", 2, applyAssume, 1,
       "states bounds that the range proves and multiples of masked values"},
      {"same-elements", 1, applySameElements, 1, "states that repeated elements are equal"},
      {"assert", 1, applyAssert, 1, "holds by the range of its operand"},
      {"assert-fails", 1, applyFailingAssert, 1, "the case says that its kernel traps"},
      {"print", 8, applyPrint, 1, "one block, ordered by token"},
      {"fence", 4, applyFence, 4, "no effect on results"},
  };
  return kRules;
}
