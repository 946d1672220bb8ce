// Host lowering, steps 4 to 6: total integer operations, memory checks, step counting (see
// HostLowering.h).
#include "oracles/devices/emulator/HostLowering.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace tilesmith::emulator {

// Division by zero does not trap on the GPU: the quotient is all ones and the remainder the
// dividend. The most negative value divided by -1 wraps. x86 raises a signal for both.
void HostLowering::makeDivisionTotal(BinaryOperator &division) {
  Value *dividend = division.getOperand(0), *divisor = division.getOperand(1);
  const bool isSigned =
      division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::SRem;
  if (auto *constant = dyn_cast<ConstantInt>(divisor);
      constant && !constant->isZero() && !constant->isMinusOne())
    return;
  IRBuilder<> builder(&division);
  Type *type = division.getType();
  Value *one = ConstantInt::get(type, 1), *ones = ConstantInt::getAllOnesValue(type);
  Value *isZero = builder.CreateICmpEQ(divisor, Constant::getNullValue(type));
  Value *unsafe = isZero;
  if (isSigned) {
    Value *least = ConstantInt::get(type, APInt::getSignedMinValue(type->getScalarSizeInBits()));
    unsafe = builder.CreateOr(isZero, builder.CreateAnd(builder.CreateICmpEQ(divisor, ones),
                                                        builder.CreateICmpEQ(dividend, least)));
  }
  division.setOperand(1, builder.CreateSelect(unsafe, one, divisor));
  division.dropPoisonGeneratingFlags();
  builder.SetInsertPoint(division.getNextNode());
  const bool isQuotient =
      division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::UDiv;
  Value *fixed = builder.CreateSelect(isZero, isQuotient ? ones : dividend, &division);
  division.replaceUsesWithIf(fixed, [&](Use &use) { return use.getUser() != fixed; });
}

// PTX shifts clamp the amount; x86 masks it.
void HostLowering::clampShift(BinaryOperator &shift) {
  Type *type = shift.getType();
  const unsigned width = type->getScalarSizeInBits();
  Value *amount = shift.getOperand(1);
  if (auto *constant = dyn_cast<ConstantInt>(amount); constant && constant->getValue().ult(width))
    return;
  IRBuilder<> builder(&shift);
  Value *inRange = builder.CreateICmpULT(amount, ConstantInt::get(type, width));
  shift.dropPoisonGeneratingFlags();
  if (shift.getOpcode() == Instruction::AShr) {
    shift.setOperand(1, builder.CreateSelect(inRange, amount, ConstantInt::get(type, width - 1)));
    return;
  }
  shift.setOperand(1, builder.CreateSelect(inRange, amount, Constant::getNullValue(type)));
  builder.SetInsertPoint(shift.getNextNode());
  Value *fixed = builder.CreateSelect(inRange, &shift, Constant::getNullValue(type));
  shift.replaceUsesWithIf(fixed, [&](Use &use) { return use.getUser() != fixed; });
}

// Integers become 16-bit floats in one rounding; x86 code generation would go through f32.
void HostLowering::convertIntegerOnce(CastInst &cast) {
  Type *type = cast.getType();
  Type *target = type->getScalarType();
  if (!target->isHalfTy() && !target->isBFloatTy())
    return;
  const unsigned width = cast.getSrcTy()->getScalarSizeInBits();
  const bool isSigned = cast.getOpcode() == Instruction::SIToFP;
  IRBuilder<> builder(&cast);
  auto convert = [&](Value *value) -> Value * {
    if (width <= 32) { // exact in double
      Value *wide = isSigned ? builder.CreateSIToFP(value, builder.getDoubleTy())
                             : builder.CreateUIToFP(value, builder.getDoubleTy());
      return builder.CreateFPTrunc(wide, target);
    }
    Value *wide = isSigned ? builder.CreateSExtOrTrunc(value, builder.getInt64Ty())
                           : builder.CreateZExtOrTrunc(value, builder.getInt64Ty());
    const std::string name =
        std::string("itof.") + (isSigned ? "s64." : "u64.") + (target->isHalfTy() ? "f16" : "bf16");
    return callRuntime(builder, cast, *IntrinsicTable::get().find(name), {wide}, target);
  };
  Value *result = nullptr;
  if (auto *vector = dyn_cast<FixedVectorType>(type)) {
    result = PoisonValue::get(type);
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      result = builder.CreateInsertElement(
          result, convert(builder.CreateExtractElement(cast.getOperand(0), i)), i);
  } else {
    result = convert(cast.getOperand(0));
  }
  cast.replaceAllUsesWith(result);
  cast.eraseFromParent();
}

// Floats that no integer can hold: PTX clamps them, x86 has one value for all. NaN gives 0 from f32
// to 32 bits, else the top bit alone.
void HostLowering::clampConversion(CastInst &cast) {
  IRBuilder<> builder(&cast);
  Value *source = cast.getOperand(0);
  Type *type = cast.getType();
  const unsigned width = type->getScalarSizeInBits();
  const auto id = cast.getOpcode() == Instruction::FPToSI ? llvm::Intrinsic::fptosi_sat
                                                          : llvm::Intrinsic::fptoui_sat;
  Value *result = builder.CreateIntrinsic(id, {type, source->getType()}, {source});
  if (width == 64 || source->getType()->getScalarType()->isDoubleTy())
    result = builder.CreateSelect(builder.CreateFCmpUNO(source, source),
                                  ConstantInt::get(type, APInt::getSignMask(width)), result);
  cast.replaceAllUsesWith(result);
  cast.eraseFromParent();
}

// Functions compiled with flushing: f32 arithmetic flushes subnormal operands and results.
void HostLowering::flushSubnormals(BinaryOperator &operation) {
  IRBuilder<> builder(&operation);
  Value *left = operation.getOperand(0), *right = operation.getOperand(1);
  const char *name = "llvm.nvvm.add.rn.ftz.f";
  switch (operation.getOpcode()) {
  case Instruction::FSub:
    right = builder.CreateFNeg(right);
    break;
  case Instruction::FMul:
    name = "llvm.nvvm.mul.rn.ftz.f";
    break;
  case Instruction::FDiv:
    name = "llvm.nvvm.div.rn.ftz.f";
    break;
  default:
    break;
  }
  FunctionCallee host =
      module.getOrInsertFunction(IntrinsicTable::get().find(name)->symbol(), builder.getFloatTy(),
                                 builder.getFloatTy(), builder.getFloatTy());
  operation.replaceAllUsesWith(builder.CreateCall(host, {left, right}));
  operation.eraseFromParent();
}

void HostLowering::addMemoryCheck(Instruction &access) {
  if (access.getMetadata(LLVMContext::MD_nosanitize))
    return; // the host lowering's own
  if (isa<MemIntrinsic>(access)) {
    // Only constant lengths can be described by a site; MLIR and clang emit no other form for
    // kernels we run.
    auto &intrinsic = cast<MemIntrinsic>(access);
    auto *length = dyn_cast<ConstantInt>(intrinsic.getLength());
    if (!length || length->isZero())
      return;
    auto checkPointer = [&](Value *pointer, MaybeAlign align, Site::Access kind) {
      if (isa<AllocaInst>(getUnderlyingObject(pointer)))
        return;
      IRBuilder<> builder(&access);
      const uint32_t site = addSite(nullptr, access);
      Site &record = result.sites[site];
      record.size = length->getZExtValue();
      record.space = pointer->getType()->getPointerAddressSpace();
      record.access = kind;
      record.align = align.valueOrOne().value();
      builder.CreateCall(
          runtime("rt.check"),
          {builder.CreatePtrToInt(pointer, builder.getInt64Ty()), builder.getInt32(site)});
    };
    checkPointer(intrinsic.getRawDest(), intrinsic.getDestAlign(), Site::Store);
    if (auto *transfer = dyn_cast<MemTransferInst>(&access))
      checkPointer(transfer->getRawSource(), transfer->getSourceAlign(), Site::Load);
    return;
  }
  Value *pointer = nullptr;
  Type *type = nullptr;
  Align align(1);
  Site::Access kind = Site::Atomic;
  if (auto *load = dyn_cast<LoadInst>(&access)) {
    pointer = load->getPointerOperand(), type = load->getType(), align = load->getAlign(),
    kind = Site::Load;
  } else if (auto *store = dyn_cast<StoreInst>(&access)) {
    pointer = store->getPointerOperand(), type = store->getValueOperand()->getType(),
    align = store->getAlign();
    kind = Site::Store;
  } else if (auto *rmw = dyn_cast<AtomicRMWInst>(&access)) {
    pointer = rmw->getPointerOperand(), type = rmw->getType(), align = rmw->getAlign();
  } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&access)) {
    pointer = exchange->getPointerOperand(), type = exchange->getCompareOperand()->getType();
    align = exchange->getAlign();
  }
  const unsigned space = pointer->getType()->getPointerAddressSpace();
  const Value *object = getUnderlyingObject(pointer, 12);
  if (space == 5 || space == 4 || isa<AllocaInst>(object))
    return;
  if (auto *argument = dyn_cast<Argument>(object); argument && argument->hasByValAttr())
    return; // kernel parameters live on the host stack
  if (auto *global = dyn_cast<GlobalVariable>(object);
      global && (global == current || global == budget || global->isConstant()))
    return;
  IRBuilder<> builder(&access);
  const uint32_t site = addSite(nullptr, access);
  Site &record = result.sites[site];
  record.size = module.getDataLayout().getTypeStoreSize(type).getFixedValue();
  record.align = align.value();
  record.space = space;
  record.access = kind;
  auto describeOrder = [&](AtomicOrdering ordering, SyncScope::ID scope) {
    record.order =
        1 + (isAcquireOrStronger(ordering) ? 1 : 0) + (isReleaseOrStronger(ordering) ? 2 : 0);
    record.scope = scopeOf(scope);
  };
  if (auto *load = dyn_cast<LoadInst>(&access); load && (load->isAtomic() || load->isVolatile())) {
    load->isAtomic() ? describeOrder(load->getOrdering(), load->getSyncScopeID())
                     : void(record.order = 1);
  } else if (auto *store = dyn_cast<StoreInst>(&access);
             store && (store->isAtomic() || store->isVolatile())) {
    store->isAtomic() ? describeOrder(store->getOrdering(), store->getSyncScopeID())
                      : void(record.order = 1);
  } else if (auto *rmw = dyn_cast<AtomicRMWInst>(&access)) {
    describeOrder(rmw->getOrdering(), rmw->getSyncScopeID());
  } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&access)) {
    describeOrder(exchange->getMergedOrdering(), exchange->getSyncScopeID());
  }
  builder.CreateCall(runtime("rt.check"), {builder.CreatePtrToInt(pointer, builder.getInt64Ty()),
                                           builder.getInt32(site)});
}

uint8_t HostLowering::scopeOf(SyncScope::ID id) {
  if (id == SyncScope::System)
    return 3;
  SmallVector<StringRef> names;
  module.getContext().getSyncScopeNames(names);
  const StringRef name = id < names.size() ? names[id] : "";
  return name == "block" ? 0 : name == "cluster" ? 1 : name == "device" ? 2 : 3;
}

void HostLowering::addFence(FenceInst &fence) {
  IRBuilder<> builder(&fence);
  const uint32_t site = addSite(nullptr, fence);
  result.sites[site].scope = scopeOf(fence.getSyncScopeID());
  builder.CreateCall(runtime("rt.fence"), {builder.getInt32(site)});
}

// budget -= instructions of the block; on loop back edges a used-up budget calls the runtime, which
// enforces the limits and lets other threads run. Loops that poll memory yield in every iteration.
void HostLowering::countSteps(Function &f) {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> edges;
  FindFunctionBackedges(f, edges);
  SmallVector<BasicBlock *> blocks;
  SmallPtrSet<const BasicBlock *, 8> polling;
  for (BasicBlock &block : f) {
    blocks.push_back(&block);
    for (Instruction &i : block)
      if (isa<LoadInst, AtomicRMWInst, AtomicCmpXchgInst>(i) && (i.isVolatile() || i.isAtomic()))
        polling.insert(&block);
  }
  SmallPtrSet<const BasicBlock *, 8> latches, pollingLatches;
  for (auto [from, to] : edges)
    latches.insert(from);
  if (!polling.empty() && !latches.empty()) {
    DominatorTree dominators(f);
    LoopInfo loops(dominators);
    for (const BasicBlock *block : polling)
      if (Loop *loop = loops.getLoopFor(block)) {
        SmallVector<BasicBlock *> ends;
        loop->getLoopLatches(ends);
        pollingLatches.insert(ends.begin(), ends.end());
      }
  }
  for (BasicBlock *block : blocks) {
    IRBuilder<> builder(block, block->getFirstNonPHIOrDbgOrAlloca());
    Value *left = builder.CreateLoad(builder.getInt64Ty(), budget);
    builder.CreateStore(builder.CreateSub(left, builder.getInt64(blockSteps.lookup(block))),
                        budget);
    if (auto it = blockNumbers.find(block); it != blockNumbers.end()) {
      Value *counter = builder.CreateConstInBoundsGEP1_32(
          builder.getInt64Ty(), module.getNamedGlobal(kProfileSymbol), it->second);
      builder.CreateStore(
          builder.CreateAdd(builder.CreateLoad(builder.getInt64Ty(), counter), builder.getInt64(1)),
          counter);
    }
  }
  for (BasicBlock *latch : blocks) {
    if (!latches.count(latch))
      continue;
    Instruction *terminator = latch->getTerminator();
    IRBuilder<> builder(terminator);
    if (pollingLatches.count(latch)) {
      builder.CreateCall(runtime("rt.tick"));
      continue;
    }
    Value *left = builder.CreateLoad(builder.getInt64Ty(), budget);
    Instruction *then = SplitBlockAndInsertIfThen(builder.CreateICmpSLT(left, builder.getInt64(0)),
                                                  terminator->getIterator(), false);
    IRBuilder<>(then).CreateCall(runtime("rt.tick"));
  }
}

} // namespace tilesmith::emulator
