//===- Mutation.cpp - one op of a kernel made wrong -------------------------------------------===//
#include "fuzz/campaign/Mutation.h"

#include "mlir/IR/Builders.h"

#include "llvm/ADT/STLExtras.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;

namespace {

bool isNumber(mlir::Type element) {
  return (element.isInteger() && !element.isInteger(4)) || element.isF16() || element.isBF16() ||
         element.isF32() || element.isF64() ||
         llvm::isa<mlir::Float8E4M3FNType, mlir::Float8E5M2Type, mlir::Float8E8M0FNUType>(element);
}

bool canPerturb(mlir::Value value) {
  auto tile = llvm::dyn_cast<cuda_tile::TileType>(value.getType());
  return tile && (isNumber(tile.getElementType()) ||
                  llvm::isa<cuda_tile::PointerType>(tile.getElementType()));
}

/// Does the op write, without a result that anything uses?
bool onlyWrites(mlir::Operation *op) {
  if (llvm::isa<cuda_tile::StorePtrTkoOp, cuda_tile::StoreViewTkoOp, cuda_tile::AtomicRedViewTkoOp,
                cuda_tile::PrintTkoOp, cuda_tile::PrintOp>(op))
    return true;
  return llvm::isa<cuda_tile::AtomicRMWTkoOp, cuda_tile::AtomicCASTkoOp>(op) &&
         op->getResult(0).use_empty();
}

mlir::Value splat(mlir::OpBuilder &b, cuda_tile::TileType type, mlir::Attribute element) {
  return cuda_tile::ConstantOp::create(
      b, b.getUnknownLoc(), type,
      llvm::cast<mlir::DenseIntOrFPElementsAttr>(
          static_cast<mlir::Attribute>(mlir::DenseElementsAttr::get(type, element))));
}

/// Another value of the same type, everywhere different.
mlir::Value perturbed(mlir::OpBuilder &b, mlir::Value value) {
  mlir::Location loc = b.getUnknownLoc();
  auto type = llvm::cast<cuda_tile::TileType>(value.getType());
  mlir::Type element = type.getElementType();
  if (llvm::isa<cuda_tile::PointerType>(element)) {
    auto offsets = cuda_tile::TileType::get(type.getShape(), b.getI32Type());
    return cuda_tile::OffsetOp::create(b, loc, type, value,
                                       splat(b, offsets, b.getI32IntegerAttr(1)));
  }
  if (element.isInteger())
    return cuda_tile::XOrIOp::create(b, loc, type, value,
                                     splat(b, type, b.getIntegerAttr(element, -1)));
  if (element.getIntOrFloatBitWidth() == 8) {
    auto bytes = cuda_tile::TileType::get(type.getShape(), b.getI8Type());
    mlir::Value bits = cuda_tile::BitcastOp::create(b, loc, bytes, value);
    bits = cuda_tile::XOrIOp::create(b, loc, bytes, bits, splat(b, bytes, b.getI8IntegerAttr(1)));
    return cuda_tile::BitcastOp::create(b, loc, type, bits);
  }
  auto mode =
      cuda_tile::RoundingModeAttr::get(b.getContext(), cuda_tile::RoundingMode::NEAREST_EVEN);
  mlir::Value other = splat(b, type, b.getFloatAttr(element, 3.14159));
  mlir::Value flipped =
      cuda_tile::SubFOp::create(b, loc, type, other, value, mode, mlir::UnitAttr());
  auto flags = cuda_tile::TileType::get(type.getShape(), b.getI1Type());
  mlir::Value number =
      cuda_tile::CmpFOp::create(b, loc, flags, cuda_tile::ComparisonPredicate::EQUAL,
                                cuda_tile::ComparisonOrdering::ORDERED, value, value);
  return cuda_tile::SelectOp::create(b, loc, type, number, flipped, other); // NaN becomes a number
}

} // namespace

std::optional<std::string> tilesmith::fuzz::mutateOneOp(cuda_tile::ModuleOp module,
                                                        generators::ChoiceStream &stream) {
  std::vector<mlir::Operation *> candidates;
  module->walk([&](mlir::Operation *op) {
    if (!op->getParentOfType<cuda_tile::EntryOp>() || llvm::isa<cuda_tile::AssumeOp>(op))
      return;
    if (onlyWrites(op) || llvm::any_of(op->getResults(), canPerturb))
      candidates.push_back(op);
  });
  if (candidates.empty())
    return std::nullopt;
  mlir::Operation *op = candidates[stream.below(candidates.size())];
  std::string name = op->getName().stripDialect().str();
  mlir::OpBuilder b(op->getContext());
  b.setInsertionPointAfter(op);
  if (onlyWrites(op)) {
    for (mlir::Value result : op->getResults())
      if (!result.use_empty())
        result.replaceAllUsesWith(
            cuda_tile::MakeTokenOp::create(b, b.getUnknownLoc(), result.getType()));
    op->erase();
    return name;
  }
  llvm::SmallVector<mlir::Value> results;
  for (mlir::Value result : op->getResults())
    if (canPerturb(result))
      results.push_back(result);
  // Of three block numbers only some are asked for.
  if (llvm::any_of(results, [](mlir::Value result) { return !result.use_empty(); }))
    llvm::erase_if(results, [](mlir::Value result) { return result.use_empty(); });
  mlir::Value chosen = results[stream.below(results.size())];
  llvm::SmallVector<mlir::OpOperand *> uses;
  for (mlir::OpOperand &use : chosen.getUses())
    uses.push_back(&use);
  mlir::Value other = perturbed(b, chosen);
  for (mlir::OpOperand *use : uses)
    use->set(other);
  return name;
}
