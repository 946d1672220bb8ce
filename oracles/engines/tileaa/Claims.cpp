//===- Claims.cpp - do the facts that the compiler infers hold in the run ---------------------===//
#include "oracles/engines/tileaa/Claims.h"

#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAA/Transforms/Facts.h"

#include "llvm/Support/MathExtras.h"

using namespace tilesmith;
using namespace tilesmith::oracles::tileaa_engine;
using reference::undefined;

namespace {

/// The facts of one value beside the elements it has.
class Claim {
public:
  /// `unit`: by how much a run rises from one element to the next; 0: not known.
  Claim(const tileaa::Facts &facts, const Tile &tile, uint64_t unit)
      : facts(facts), tile(tile), unit(unit), mask(reference::maskOf(tile.type())),
        line(tile.rank() ? static_cast<size_t>(tile.shape().back()) : 1) {}

  Status check() const {
    TILESMITH_TRY(checkBounds());
    TILESMITH_TRY(checkDivisor());
    if (unit)
      TILESMITH_TRY(checkRuns("contiguity", facts.contiguity, unit));
    return checkRuns("constancy", facts.constancy, 0);
  }

private:
  bool isKnown(size_t i) const { return tile.state(i) == State::Known; }

  int64_t signedValue(size_t i) const {
    return llvm::SignExtend64(tile.bits()[i], reference::widthOf(tile.type()));
  }

  Status broken(llvm::StringRef fact, const llvm::Twine &promise, size_t i) const {
    return undefined(kBrokenClaimLabel, llvm::Twine("the fact '") + fact + " " + promise +
                                            "' does not hold: element " + llvm::Twine(i) + " is " +
                                            llvm::Twine(signedValue(i)));
  }

  Status checkBounds() const {
    if (!facts.lower && !facts.upper)
      return Status::success();
    for (size_t i = 0; i < tile.size(); ++i) {
      if (!isKnown(i))
        continue;
      if (facts.lower && signedValue(i) < *facts.lower)
        return broken("lower", llvm::Twine(*facts.lower), i);
      if (facts.upper && signedValue(i) > *facts.upper)
        return broken("upper", llvm::Twine(*facts.upper), i);
    }
    return Status::success();
  }

  /// Of every element, or of the first one of each group that rises.
  Status checkDivisor() const {
    if (facts.divisor == 1)
      return Status::success();
    size_t step = groupOf(facts.contiguity);
    for (size_t start = 0; start < tile.size(); start += line)
      for (size_t i = start; i < start + line; i += step)
        if (isKnown(i) && (tile.bits()[i] & (facts.divisor - 1) & mask) != 0)
          return broken("divisor", llvm::Twine(facts.divisor), i);
    return Status::success();
  }

  /// Within groups of `length` elements of a line each is `rise` more than the one before.
  Status checkRuns(llvm::StringRef fact, int64_t length, uint64_t rise) const {
    size_t group = groupOf(length);
    if (group == 1)
      return Status::success();
    for (size_t start = 0; start < tile.size(); start += line)
      for (size_t first = start; first < start + line; first += group)
        for (size_t i = first + 1; i < std::min(first + group, start + line); ++i)
          if (isKnown(first) && isKnown(i) &&
              tile.bits()[i] != ((tile.bits()[first] + (i - first) * rise) & mask))
            return broken(fact, llvm::Twine(length), i);
    return Status::success();
  }

  size_t groupOf(int64_t length) const {
    return std::clamp<size_t>(static_cast<size_t>(length), 1, line);
  }

  const tileaa::Facts &facts;
  const Tile &tile;
  uint64_t unit, mask;
  size_t line; ///< elements of the last dimension
};

/// By how much neighbours of a run differ: 1, or the bytes of what a pointer points to; 0 for halves of bytes.
uint64_t riseOf(mlir::Type type) {
  if (mlir::getElementTypeOrSelf(type).isInteger())
    return 1;
  std::optional<ElementType> pointee = pointeeTypeOf(type);
  return pointee && !reference::isPackedNibble(*pointee) ? reference::bytesOf(*pointee) : 0;
}

} // namespace

Status tilesmith::oracles::tileaa_engine::checkFacts(const Machine &machine, mlir::Operation *op) {
  if (!op->getDiscardableAttr(tileaa::kFactsAttr))
    return Status::success();
  for (mlir::OpResult result : op->getResults()) {
    const tileaa::Facts facts = tileaa::getFacts(result);
    const Machine::Value &value = machine.get(result);
    if (facts.isTrivial())
      continue;
    if (value.isTile()) {
      TILESMITH_TRY(Claim(facts, value.tile(), riseOf(result.getType())).check());
    } else if (mlir::isa<tileaa::MemRefType>(result.getType()) &&
               (value.view().base & (facts.divisor - 1)) != 0) {
      return undefined(kBrokenClaimLabel, "the fact 'divisor " + llvm::Twine(facts.divisor) +
                                              "' does not hold: the tensor begins at " +
                                              llvm::Twine(value.view().base));
    }
  }
  return Status::success();
}
