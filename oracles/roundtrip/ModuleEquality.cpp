// Implements ModuleEquality.h.
#include "oracles/roundtrip/ModuleEquality.h"

#include "compiler/dialect/CudaTile/IR/CudaTile.h"

#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

std::string str(mlir::TypeRange types) {
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::interleaveComma(types, out);
  return "(" + text + ")";
}

std::string str(mlir::Attribute attribute) {
  std::string text;
  llvm::raw_string_ostream(text) << attribute;
  return text;
}

class Comparison {
public:
  std::optional<std::string> run(mlir::Operation *before, mlir::Operation *after);

private:
  bool sameOp(mlir::Operation *before, mlir::Operation *after);
  bool sameAttributes(mlir::Operation *before, mlir::Operation *after);
  bool sameRegion(mlir::Operation *op, mlir::Region &before, mlir::Region &after);
  bool sameBlock(mlir::Operation *op, mlir::Block &before, mlir::Block &after);
  /// Notes the difference, and where it is; always false.
  bool differs(mlir::Operation *op, const std::string &what);

  llvm::DenseMap<mlir::Value, mlir::Value> values; ///< of the first module, in the second
  std::string symbol = "module";
  unsigned index = 0; ///< of the op in its function or global
  std::string difference;
};

bool Comparison::differs(mlir::Operation *op, const std::string &what) {
  difference =
      llvm::formatv("{0} op {1} ({2}): {3}", symbol, index, op->getName().stripDialect(), what);
  return false;
}

/// Attribute by attribute. The integers of hints have widths in bytecode, which text does not say.
bool Comparison::sameAttributes(mlir::Operation *before, mlir::Operation *after) {
  mlir::DictionaryAttr all = before->getAttrDictionary(), others = after->getAttrDictionary();
  for (mlir::NamedAttribute one : all) {
    mlir::Attribute other = others.get(one.getName());
    bool sameHints = other && llvm::isa<cuda_tile::OptimizationHintsAttr>(one.getValue()) &&
                     str(one.getValue()) == str(other);
    if (one.getValue() != other && !sameHints)
      return differs(before, one.getName().str() + " " + str(one.getValue()) + " became " +
                                 (other ? str(other) : "nothing"));
  }
  for (mlir::NamedAttribute one : others)
    if (!all.get(one.getName()))
      return differs(before, one.getName().str() + " was nothing, became " + str(one.getValue()));
  return true;
}

bool Comparison::sameBlock(mlir::Operation *op, mlir::Block &before, mlir::Block &after) {
  if (before.getArgumentTypes() != after.getArgumentTypes())
    return differs(op, "block arguments " + str(before.getArgumentTypes()) + " became " +
                           str(after.getArgumentTypes()));
  for (auto [one, other] : llvm::zip(before.getArguments(), after.getArguments()))
    values[one] = other;
  auto next = after.begin();
  for (mlir::Operation &inner : before) {
    if (next == after.end())
      return differs(&inner, "is gone");
    if (!sameOp(&inner, &*next++))
      return false;
  }
  return next == after.end() || differs(&*next, "was not there before");
}

bool Comparison::sameRegion(mlir::Operation *op, mlir::Region &before, mlir::Region &after) {
  auto count = [](mlir::Region &region) {
    return static_cast<size_t>(std::distance(region.begin(), region.end()));
  };
  if (count(before) != count(after))
    return differs(op, llvm::formatv("{0} blocks became {1}", count(before), count(after)));
  for (auto [one, other] : llvm::zip(before, after))
    if (!sameBlock(op, one, other))
      return false;
  return true;
}

bool Comparison::sameOp(mlir::Operation *before, mlir::Operation *after) {
  if (auto name = before->getAttrOfType<mlir::StringAttr>(mlir::SymbolTable::getSymbolAttrName())) {
    symbol = "@" + name.str();
    index = 0;
  } else {
    ++index;
  }
  if (before->getName() != after->getName())
    return differs(before, "became " + after->getName().getStringRef().str());
  if (before->getDiscardableAttrDictionary() != after->getDiscardableAttrDictionary() ||
      !before->getName().compareOpProperties(before->getPropertiesStorage(),
                                             after->getPropertiesStorage()))
    if (!sameAttributes(before, after))
      return false;
  if (before->getResultTypes() != after->getResultTypes())
    return differs(before, "results " + str(before->getResultTypes()) + " became " +
                               str(after->getResultTypes()));
  if (before->getNumOperands() != after->getNumOperands())
    return differs(before, llvm::formatv("{0} operands became {1}", before->getNumOperands(),
                                         after->getNumOperands()));
  for (unsigned i = 0; i < before->getNumOperands(); ++i)
    if (values.lookup(before->getOperand(i)) != after->getOperand(i))
      return differs(before, llvm::formatv("operand {0} is another value", i));
  for (auto [one, other] : llvm::zip(before->getResults(), after->getResults()))
    values[one] = other;
  if (before->getNumRegions() != after->getNumRegions())
    return differs(before, "another number of regions");
  for (unsigned i = 0; i < before->getNumRegions(); ++i)
    if (!sameRegion(before, before->getRegion(i), after->getRegion(i)))
      return false;
  return true;
}

std::optional<std::string> Comparison::run(mlir::Operation *before, mlir::Operation *after) {
  if (sameOp(before, after))
    return std::nullopt;
  return difference;
}

} // namespace

std::optional<std::string> tilesmith::oracles::firstDifference(mlir::Operation *before,
                                                               mlir::Operation *after) {
  return Comparison().run(before, after);
}
