//===- Misc.cpp - assumptions and printing ----------------------------------------------------===//
//
// A violated assumption is remarked with its location and evaluation goes on (a real
// frontend states false ones); with strictAssume it is undefined. Print formats elements as
// reference/value/PrintFormat.h says, %s reads a string from memory.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "reference/interp/Elementwise.h"
#include "reference/interp/Registry.h"
#include "reference/value/PrintFormat.h"

using namespace tilesmith;
using namespace tilesmith::reference;
using namespace tilesmith::cuda_tile;

namespace {

/// First element that breaks the predicate, as text; nullopt when the assumption holds (unspecified
/// elements are skipped).
/// [spec: assume-div-by]
std::optional<std::string> violation(DivByAttr predicate, const Tile &t, mlir::Type type) {
  uint64_t divisor = predicate.getDivisor();
  if (divisor == 0)
    return std::nullopt;
  auto every = predicate.getEvery();
  auto along = predicate.getAlong();
  uint64_t unit = t.type() == ElementType::Pointer ? bytesOf(*pointeeTypeOf(type)) : 1;
  std::optional<std::string> found;
  auto strides = t.strides();
  forEachIndex(t.shape(), [&](size_t i, llvm::ArrayRef<int64_t> index) {
    if (found || t.state(i) != State::Known)
      return;
    int64_t position = every && along && *every > 0 ? index[*along] % *every : 0;
    uint64_t value = t.bits()[i];
    if (position != 0) { // counts up from the first element of its run
      size_t first = i - position * strides[*along];
      if (t.state(first) == State::Known &&
          value != ((t.bits()[first] + position * unit) & maskOf(t.type())))
        found = "element " + std::to_string(i) + " does not follow its neighbour";
    } else if (value % divisor != 0) {
      found = "element " + std::to_string(i) + " is " +
              std::to_string(signedValue(t.type(), value)) + ", expected a multiple of " +
              std::to_string(divisor);
    }
  });
  return found;
}

/// [spec: assume-same-elements]
std::optional<std::string> violation(SameElementsAttr predicate, const Tile &t) {
  llvm::ArrayRef<int64_t> groups = predicate.getValues().asArrayRef();
  auto strides = t.strides();
  std::optional<std::string> found;
  forEachIndex(t.shape(), [&](size_t i, llvm::ArrayRef<int64_t> index) {
    size_t first = 0;
    for (auto [d, x] : llvm::enumerate(index))
      first += (groups[d] > 0 ? x / groups[d] * groups[d] : x) * strides[d];
    if (!found && t.state(i) == State::Known && t.state(first) == State::Known &&
        t.bits()[i] != t.bits()[first])
      found = "element " + std::to_string(i) + " differs from element " + std::to_string(first) +
              " of its group";
  });
  return found;
}

/// [spec: assume-bounded]
std::optional<std::string> violation(BoundedAttr predicate, const Tile &t) {
  for (size_t i = 0; i < t.size(); ++i) {
    int64_t value = signedValue(t.type(), t.bits()[i]);
    if (t.state(i) == State::Known && ((predicate.getLb() && value < *predicate.getLb()) ||
                                       (predicate.getUb() && value > *predicate.getUb())))
      return "element " + std::to_string(i) + " is " + std::to_string(value) +
             ", outside the bounds";
  }
  return std::nullopt;
}

/// [spec: assume-value, assume-false]
Status evalAssume(BlockContext &context, AssumeOp op) {
  const Value &value = context.get(op.getValue());
  mlir::Attribute predicate = op.getPredicate();
  std::optional<std::string> broken;
  if (auto divBy = mlir::dyn_cast<DivByAttr>(predicate)) {
    broken = value.isTile() ? violation(divBy, value.tile(), op.getValue().getType())
                            : violation(divBy, Tile::scalar(ElementType::I64, value.view().base),
                                        op.getType());
  } else if (auto same = mlir::dyn_cast<SameElementsAttr>(predicate)) {
    broken = violation(same, value.tile());
  } else if (auto bounded = mlir::dyn_cast<BoundedAttr>(predicate)) {
    broken = violation(bounded, value.tile());
  }
  if (broken) {
    if (context.launch.request.strictAssume)
      return undefined("violated-assume", *broken);
    std::string note = "violated assume: " + *broken + " at " + describeLocation(op.getLoc());
    if (context.launch.falseAssumption.empty())
      context.launch.falseAssumption = note;
    context.note(note);
  }
  context.set(op.getResult(), value);
  return Status::success();
}

/// The characters up to the zero byte at a scalar pointer.
/// [spec: print-string]
Status readString(BlockContext &context, const Tile &pointer, std::string &text) {
  if (pointer.type() != ElementType::Pointer || pointer.size() != 1)
    return unsupported("conversion '%s' of something that is not one pointer");
  if (pointer.state(0) != State::Known)
    return inconclusive("unspecified-address",
                        "address of a printed string depends on an unspecified value");
  for (uint64_t address = pointer.bits()[0]; text.size() < 500; ++address) {
    Element e;
    if (auto fault = context.launch.memory.load(ElementType::I8, address, e))
      return undefined(spelling(fault->kind), fault->message);
    if (e.state != State::Known)
      return inconclusive("unspecified-print", "an unspecified value is printed");
    if (e.bits == 0)
      return Status::success();
    text += static_cast<char>(e.bits);
  }
  return unsupported("printed string longer than 500 characters");
}

/// Formats the operands and appends the text to what the launch prints.
/// [spec: print-format, print-unspecified]
Status printFormatted(BlockContext &context, llvm::StringRef format, mlir::ValueRange operands) {
  format = format.take_until([](char c) { return c == '\0'; }); // C++ frontends keep the terminator
  const llvm::StringRef whole = format;
  std::string text;
  unsigned next = 0;
  while (!format.empty()) {
    if (!format.consume_front("%") || format.starts_with("%")) {
      text += format.front();
      format = format.drop_front();
      continue;
    }
    auto conversion = parseConversion(format);
    if (!conversion || next >= operands.size())
      return unsupported("format '" + whole + "' does not match its operands");
    if (conversion->letter == 'n')
      return unsupported("conversion '%n' in a format");
    const Tile &t = context.tile(operands[next++]);
    if (!isDecided(*conversion, t.type()))
      return unsupported("a conversion of floats, or a width that is an operand, in format '" +
                         whole + "'");
    if (conversion->letter == 's') {
      std::string characters;
      TILESMITH_TRY(readString(context, t, characters));
      text += formatString(*conversion, characters);
      continue;
    }
    bool bitLevel = llvm::StringRef("xXaA").contains(conversion->letter);
    for (size_t e = 0; e < t.size(); ++e)
      if (t.state(e) == State::Unknown || t.state(e) == State::Enclosed ||
          (t.state(e) == State::NaN && bitLevel))
        return inconclusive("unspecified-print", "an unspecified value is printed");
    text += formatTile(*conversion, t);
  }
  context.launch.prints.push_back(std::move(text));
  return Status::success();
}

/// [spec: print-order]
Status evalPrintTko(BlockContext &context, PrintTkoOp op) {
  TILESMITH_TRY(printFormatted(context, op.getStr(), op.getArgs()));
  if (op.getResultToken())
    context.set(op.getResultToken(),
                Value(op.getToken() ? context.get(op.getToken()).token() : nullptr));
  return Status::success();
}

// The form of 13.1, without tokens.
/// [spec: print-13-1]
Status evalPrint(BlockContext &context, PrintOp op) {
  return printFormatted(context, op.getStr(), op.getArgs());
}

} // namespace

void tilesmith::reference::registerMiscEvaluators(Registry &r) {
  r.family("miscellaneous");
  r.add<AssumeOp, evalAssume>();
  r.add<PrintTkoOp, evalPrintTko>();
  r.add<PrintOp, evalPrint>();
}
