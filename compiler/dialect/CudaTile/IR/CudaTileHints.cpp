//===- CudaTileHints.cpp - optimization hints -------------------------------------------------===//
//
// One table says, per hint, the type and range of its value and the ops that take it. Verifying an
// op reads the table to diagnose (off by default, see CudaTileDialect::setWarnUnsupportedHints);
// the getters read it to ignore values out of range.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/CudaTile/IR/CudaTile.h"

#include "compiler/dialect/CudaTile/IR/CudaTileTargets.h"
#include "compiler/target/Targets.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilesmith::cuda_tile {

StringRef defaultTarget() {
  return target::kDefaultGpu;
}

ArrayRef<StringRef> drawnTargets() {
  return target::drawnGpus();
}

SmallVector<StringRef> fullyHintedTargets() {
  SmallVector<StringRef> names;
  for (StringRef name : target::measuredGpus())
    if (target::lookupGpuTarget(name)->has(target::Feature::Clusters))
      names.push_back(name);
  return names;
}

namespace {

constexpr StringLiteral defaultKey = "default";

enum class HintKind { PowerOfTwo, Range, Bool };

struct Hint {
  StringLiteral key;
  HintKind kind;
  int64_t low, high;
};

const Hint hints[] = {
    {OptimizationHintsAttr::kNumCTAInCGA, HintKind::PowerOfTwo, 1, 16},
    {OptimizationHintsAttr::kNumWorkerWarpsPerCTA, HintKind::PowerOfTwo, 1, 32},
    {OptimizationHintsAttr::kAllowTMA, HintKind::Bool, 0, 1},
    {OptimizationHintsAttr::kLatency, HintKind::Range, 1, 10},
    {OptimizationHintsAttr::kOccupancy, HintKind::Range, 1, 32},
};

const Hint *findHint(StringRef key) {
  for (const Hint &hint : hints)
    if (hint.key == key)
      return &hint;
  return nullptr;
}

bool isSingleCTA(StringRef key) {
  const target::GpuTarget *gpu = target::lookupGpuTarget(key);
  return gpu && !gpu->has(target::Feature::Clusters);
}

/// The value of a hint, or a message that says what was expected instead.
std::optional<int64_t> readHint(const Hint &hint, Attribute attr, StringRef sm,
                                std::string &message) {
  std::string where = (" for " + sm + "." + hint.key).str();
  if (hint.kind == HintKind::Bool) {
    if (auto flag = dyn_cast<BoolAttr>(attr))
      return flag.getValue();
    message = "boolean value expected" + where;
    return std::nullopt;
  }
  auto integer = dyn_cast<IntegerAttr>(attr);
  if (!integer) {
    message = "integer value expected" + where;
    return std::nullopt;
  }
  // A wide value cannot be in range; getInt asserts on it.
  APInt wide = integer.getValue();
  int64_t value =
      wide.getSignificantBits() <= 64 ? wide.getSExtValue() : std::numeric_limits<int64_t>::max();
  if (hint.key == OptimizationHintsAttr::kNumCTAInCGA && isSingleCTA(sm) && value != 1) {
    message = "expected 1" + where;
    return std::nullopt;
  }
  bool inRange = value >= hint.low && value <= hint.high;
  if (hint.kind == HintKind::PowerOfTwo && (!inRange || !llvm::isPowerOf2_64(value))) {
    message = "expected power-of-two ≤ " + std::to_string(hint.high) + where;
    return std::nullopt;
  }
  if (!inRange) {
    message = "integer value in the range [" + std::to_string(hint.low) + ", " +
              std::to_string(hint.high) + "] is expected" + where;
    return std::nullopt;
  }
  return value;
}

/// The hint under the architecture, else under `default`.
std::optional<int64_t> lookup(DictionaryAttr all, StringRef sm, StringRef key) {
  for (StringRef name : {sm, StringRef(defaultKey)}) {
    auto entry = all.getAs<DictionaryAttr>(name);
    Attribute attr = entry ? entry.get(key) : Attribute();
    std::string ignored;
    if (attr)
      return readHint(*findHint(key), attr, sm, ignored);
  }
  return std::nullopt;
}

SmallVector<StringRef, 4> hintsOf(Operation *op) {
  if (isa<EntryOp>(op))
    return {OptimizationHintsAttr::kNumCTAInCGA, OptimizationHintsAttr::kNumWorkerWarpsPerCTA,
            OptimizationHintsAttr::kOccupancy};
  if (isa<LoadViewTkoOp, StoreViewTkoOp>(op))
    return {OptimizationHintsAttr::kLatency, OptimizationHintsAttr::kAllowTMA};
  if (isa<LoadPtrTkoOp, StorePtrTkoOp>(op))
    return {OptimizationHintsAttr::kLatency};
  return {};
}

} // namespace

std::optional<int> OptimizationHintsAttr::getNumCTAInCGA(StringRef sm) {
  return lookup(getValue(), sm, kNumCTAInCGA);
}
std::optional<int> OptimizationHintsAttr::getNumWorkerWarpsPerCTA(StringRef sm) {
  return lookup(getValue(), sm, kNumWorkerWarpsPerCTA);
}
std::optional<bool> OptimizationHintsAttr::getAllowTMA(StringRef sm) {
  std::optional<int64_t> value = lookup(getValue(), sm, kAllowTMA);
  return value ? std::optional<bool>(*value != 0) : std::nullopt;
}
std::optional<int> OptimizationHintsAttr::getLatency(StringRef sm) {
  return lookup(getValue(), sm, kLatency);
}
std::optional<int> OptimizationHintsAttr::getOccupancy(StringRef sm) {
  return lookup(getValue(), sm, kOccupancy);
}

LogicalResult OptimizationHintsAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                            DictionaryAttr value) {
  for (NamedAttribute entry : value)
    if (!isa<DictionaryAttr>(entry.getValue()))
      // rule: hints_dictionary
      return emitError() << "expected dictionary attribute for optimization_hints entry `"
                         << entry.getName().strref() << "` got value=" << entry.getValue();
  return success();
}

LogicalResult OptimizationHintsAttr::verifyWithOp(Operation *op) {
  auto &dialect = cast<CudaTileDialect>(getDialect());
  if (!dialect.getWarnUnsupportedHints())
    return success();
  bool clean = true;
  auto warn = [&] {
    clean = false;
    return emitWarning(op->getLoc());
  };
  SmallVector<StringRef, 4> known = hintsOf(op);
  for (NamedAttribute entry : getValue()) {
    StringRef gpu = entry.getName().strref();
    if (gpu != defaultKey && !target::lookupGpuTarget(gpu)) {
      warn() << "unknown hint key " << gpu;
      continue;
    }
    for (NamedAttribute param : cast<DictionaryAttr>(entry.getValue())) {
      StringRef key = param.getName().strref();
      const Hint *hint = findHint(key);
      std::string message;
      if (!known.empty() && !llvm::is_contained(known, key))
        warn() << key << " is not known hint for current Operation";
      else if (!hint)
        warn() << "unknown param " << key << " for " << gpu;
      else if (!readHint(*hint, param.getValue(), gpu, message))
        warn() << message;
    }
  }
  return success(clean || !dialect.getErrorOnHints());
}

Attribute OptimizationHintsAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  NamedAttrList entries;
  auto parseEntry = [&]() -> ParseResult {
    std::string key;
    Attribute value;
    if (parser.parseKeywordOrString(&key) || parser.parseEqual() || parser.parseAttribute(value))
      return failure();
    SMLoc loc = parser.getCurrentLocation();
    if (entries.get(key))
      return parser.emitError(loc) << "duplicate optimization_hints key `" << key << "`";
    if (!isa<DictionaryAttr>(value))
      return parser.emitError(loc) << "expected dictionary attribute for optimization_hints entry `"
                                   << key << "` got value=" << value;
    entries.append(key, value);
    return success();
  };
  if (failed(parser.parseOptionalGreater()) &&
      (parser.parseCommaSeparatedList(parseEntry) || parser.parseGreater()))
    return {};
  return get(parser.getContext(), parser.getBuilder().getDictionaryAttr(entries));
}

void OptimizationHintsAttr::print(AsmPrinter &printer) const {
  printer << "<";
  llvm::interleaveComma(getValue(), printer, [&](NamedAttribute entry) {
    printer.printKeywordOrString(entry.getName().strref());
    printer << " = {";
    llvm::interleaveComma(cast<DictionaryAttr>(entry.getValue()), printer,
                          [&](NamedAttribute param) {
                            printer.printKeywordOrString(param.getName().strref());
                            printer << " = ";
                            printer.printAttributeWithoutType(param.getValue());
                          });
    printer << "}";
  });
  printer << ">";
}

} // namespace tilesmith::cuda_tile
