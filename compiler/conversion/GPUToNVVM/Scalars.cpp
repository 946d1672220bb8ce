//===- Scalars.cpp - arithmetic on scalars, without the dialect conversion --------------------===//
//
// Most ops of a kernel are arith ops on LLVM's own scalar types, each of which becomes the llvm op
// of the same meaning in the same place. The dialect conversion spends several times as much on an
// op as that takes, so these are replaced before it.
//
// Invariant: the result is the one of the conversion with the upstream patterns. That tries to fold
// an op before it converts it, so an op that folds is left to it, with what defines its operands
// (folders look at defining ops; a constant is one to them in either dialect); everything with a
// type, an attribute or a rounding of its own is left to it as well.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/GPUToNVVM/GPUToNVVM.h"
#include "compiler/support/Plants.h"

#include "mlir/Conversion/ArithCommon/AttrToLLVMConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilesmith {
namespace {

constexpr unsigned kFolderDepth = 2; // how far folders look through defining ops

bool isScalar(Type type) {
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(type) || type.isSignlessInteger();
}

bool isCandidate(Operation *op) {
  return isa<arith::ConstantOp, arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::AndIOp,
             arith::OrIOp, arith::XOrIOp, arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp,
             arith::ExtUIOp, arith::ExtSIOp, arith::TruncIOp, arith::CmpIOp, arith::SelectOp,
             arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::CmpFOp>(op) &&
         op->getDiscardableAttrDictionary().empty() &&
         llvm::all_of(op->getOperandTypes(), isScalar) &&
         llvm::all_of(op->getResultTypes(), isScalar);
}

/// The llvm op in place of `op`; null: has something of its own.
Value rewrite(Operation *op, OpBuilder &b) {
  Location loc = op->getLoc();
  Type type = op->getResult(0).getType();
  auto flags = [](auto op) {
    if (TILESMITH_PLANT("scalar-claims-no-wrap"))
      return LLVM::IntegerOverflowFlags::nsw;
    return arith::convertArithOverflowFlagsToLLVM(op.getOverflowFlags());
  };
  auto fast = [](auto op) { return arith::convertArithFastMathFlagsToLLVM(op.getFastmath()); };
  // Two operands, and nothing, overflow flags or fast-math flags beside them.
  auto plain = [&]<typename To>(auto op) -> Value {
    return To::create(b, loc, type, op.getLhs(), op.getRhs());
  };
  auto integer = [&]<typename To>(auto op) -> Value {
    return To::create(b, loc, type, op.getLhs(), op.getRhs(), flags(op));
  };
  auto floating = [&]<typename To>(auto op) -> Value {
    return To::create(b, loc, type, op.getLhs(), op.getRhs(), fast(op));
  };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](arith::ConstantOp op) {
        return LLVM::ConstantOp::create(b, loc, type, op.getValue());
      })
      .Case([&](arith::AddIOp op) { return integer.operator()<LLVM::AddOp>(op); })
      .Case([&](arith::SubIOp op) { return integer.operator()<LLVM::SubOp>(op); })
      .Case([&](arith::MulIOp op) { return integer.operator()<LLVM::MulOp>(op); })
      .Case([&](arith::ShLIOp op) { return integer.operator()<LLVM::ShlOp>(op); })
      .Case([&](arith::AndIOp op) { return plain.operator()<LLVM::AndOp>(op); })
      .Case([&](arith::OrIOp op) { return plain.operator()<LLVM::OrOp>(op); })
      .Case([&](arith::XOrIOp op) { return plain.operator()<LLVM::XOrOp>(op); })
      .Case([&](arith::ShRUIOp op) -> Value {
        return LLVM::LShrOp::create(b, loc, type, op.getLhs(), op.getRhs(),
                                    op.getIsExact() || TILESMITH_PLANT("scalar-claims-exact"));
      })
      .Case([&](arith::ShRSIOp op) -> Value {
        return LLVM::AShrOp::create(b, loc, type, op.getLhs(), op.getRhs(),
                                    op.getIsExact() || TILESMITH_PLANT("scalar-claims-exact"));
      })
      .Case([&](arith::ExtUIOp op) { return LLVM::ZExtOp::create(b, loc, type, op.getIn()); })
      .Case([&](arith::ExtSIOp op) { return LLVM::SExtOp::create(b, loc, type, op.getIn()); })
      .Case([&](arith::TruncIOp op) {
        return LLVM::TruncOp::create(b, loc, type, op.getIn(), flags(op));
      })
      .Case([&](arith::CmpIOp op) {
        return LLVM::ICmpOp::create(b, loc, type,
                                    static_cast<LLVM::ICmpPredicate>(op.getPredicate()),
                                    op.getLhs(), op.getRhs());
      })
      .Case([&](arith::SelectOp op) {
        return LLVM::SelectOp::create(b, loc, type, op.getCondition(), op.getTrueValue(),
                                      op.getFalseValue());
      })
      .Case([&](arith::AddFOp op) { return floating.operator()<LLVM::FAddOp>(op); })
      .Case([&](arith::SubFOp op) { return floating.operator()<LLVM::FSubOp>(op); })
      .Case([&](arith::MulFOp op) { return floating.operator()<LLVM::FMulOp>(op); })
      .Case([&](arith::CmpFOp op) {
        return LLVM::FCmpOp::create(b, loc, type,
                                    static_cast<LLVM::FCmpPredicate>(op.getPredicate()),
                                    op.getLhs(), op.getRhs(), fast(op));
      })
      .Default(nullptr);
}

/// Folds in place as the conversion does. Returns whether the op folds to something else.
bool folds(Operation *op) {
  if (op->getNumRegions() || op->hasTrait<OpTrait::ConstantLike>())
    return false;
  SmallVector<OpFoldResult, 2> results;
  while (succeeded(op->fold(results)))
    if (!results.empty())
      return true;
  return false;
}

} // namespace

void convertScalars(Operation *module) {
  SmallVector<Operation *> candidates;
  llvm::SmallPtrSet<Operation *, 32> kept;
  auto keep = [&](auto &self, Operation *op, unsigned depth) -> void {
    kept.insert(op);
    for (Value operand : op->getOperands())
      if (Operation *definition = operand.getDefiningOp();
          definition && depth && !definition->hasTrait<OpTrait::ConstantLike>())
        self(self, definition, depth - 1);
  };
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa_and_present<LLVM::LLVMDialect, NVVM::NVVMDialect>(op->getDialect()))
      return; // legal: nobody folds it
    if (folds(op))
      keep(keep, op, kFolderDepth);
    else if (isCandidate(op))
      candidates.push_back(op);
  });
  OpBuilder builder(module->getContext());
  for (Operation *op : candidates) {
    if (kept.contains(op))
      continue;
    builder.setInsertionPoint(op);
    Value value = rewrite(op, builder);
    if (!value)
      continue;
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }
}

} // namespace tilesmith
