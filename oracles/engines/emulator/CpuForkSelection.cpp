//===- CpuForkSelection.cpp - forms that the host's fast instruction selection knows ----------===//
//
// Kernels run once or twice, so most of the time of an emulated run is code generation. LLVM's fast
// instruction selection is several times cheaper than the one by graphs, but what it does not know
// hands a call, or all of a block above an instruction, to the slow one. Here such operations get
// an equivalent form with the same bits:
//
//   narrow floats that are moved   integers of 16 bits (load, store, phi, select)
//   fabs, copysign                 operations on the bits
//   minimumnum, maximumnum         functions of the host (they order zeros as PTX does)
//   smin, smax, umin, umax, abs    comparison and select
//   addrspacecast                  through an integer: all spaces are one on the host
//   relaxed, acquire, release      volatile accesses: the same machine instructions on x86
//
// Everything is counted and checked before, so that nothing but the time changes.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/engines/emulator/CpuForkSelection.h"

#include "oracles/engines/emulator/Intrinsics.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace tilesmith::emulator {
namespace {

bool isNarrowFloat(const Type *type) {
  return type->isHalfTy() || type->isBFloatTy();
}

/// Moves narrow floats as integers: values that are only moved meet no float at all.
class NarrowMoves {
public:
  explicit NarrowMoves(Function &function) : integer(Type::getInt16Ty(function.getContext())) {
    SmallVector<Instruction *> moves;
    SmallVector<StoreInst *> stores;
    for (Instruction &i : instructions(function)) {
      auto *load = dyn_cast<LoadInst>(&i);
      auto *store = dyn_cast<StoreInst>(&i);
      if (store && !store->isAtomic() && isNarrowFloat(store->getValueOperand()->getType()))
        stores.push_back(store);
      else if (isNarrowFloat(i.getType()) &&
               (load ? !load->isAtomic() : isa<PHINode, SelectInst>(i)))
        moves.push_back(&i);
    }
    for (Instruction *move : moves)
      moved[move] = start(*move);
    for (Instruction *move : moves)
      finish(*move, *moved[move]);
    for (StoreInst *store : stores)
      store->setOperand(0, asInteger(store->getValueOperand(), store));
    for (Instruction *move : moves) {
      if (!move->use_empty()) {
        Instruction *copy = moved[move];
        BasicBlock::iterator at = isa<PHINode>(copy) ? copy->getParent()->getFirstNonPHIIt()
                                                     : std::next(copy->getIterator());
        move->replaceAllUsesWith(
            IRBuilder<>(copy->getParent(), at).CreateBitCast(copy, move->getType()));
      }
      move->eraseFromParent();
    }
  }

private:
  /// The instruction on integers, without its values.
  Instruction *start(Instruction &move) {
    IRBuilder<> builder(&move);
    if (auto *phi = dyn_cast<PHINode>(&move))
      return builder.CreatePHI(integer, phi->getNumIncomingValues());
    if (auto *select = dyn_cast<SelectInst>(&move)) {
      Constant *unset = PoisonValue::get(integer);
      return SelectInst::Create(select->getCondition(), unset, unset, "", move.getIterator());
    }
    auto *load = cast<LoadInst>(move.clone());
    load->mutateType(integer);
    load->insertBefore(move.getIterator());
    return load;
  }
  void finish(Instruction &move, Instruction &copy) {
    if (auto *phi = dyn_cast<PHINode>(&move)) {
      for (auto [value, block] : zip(phi->incoming_values(), phi->blocks()))
        cast<PHINode>(copy).addIncoming(incoming(value, block), block);
    } else if (auto *select = dyn_cast<SelectInst>(&move)) {
      copy.setOperand(1, asInteger(select->getTrueValue(), &copy));
      copy.setOperand(2, asInteger(select->getFalseValue(), &copy));
    }
  }
  /// One value per predecessor, also where it has several edges.
  Value *incoming(Value *value, BasicBlock *block) {
    Value *&known = edges[{value, block}];
    if (!known)
      known = asInteger(value, block->getTerminator());
    return known;
  }
  Value *asInteger(Value *value, Instruction *at) {
    if (auto it = moved.find(value); it != moved.end())
      return it->second;
    return IRBuilder<>(at).CreateBitCast(value, integer);
  }

  Type *integer;
  DenseMap<Value *, Instruction *> moved;
  DenseMap<std::pair<Value *, BasicBlock *>, Value *> edges;
};

/// The call's value in a form that is cheap to select; null: stays as it is.
Value *cheaperCall(IntrinsicInst &call, Module &module) {
  IRBuilder<> builder(&call);
  Type *type = call.getType();
  unsigned width = type->isFloatTy() ? 32 : type->isDoubleTy() ? 64 : 0;
  auto bits = [&](Value *value, const APInt &mask) {
    return builder.CreateAnd(builder.CreateBitCast(value, builder.getIntNTy(width)),
                             builder.getInt(mask));
  };
  auto compared = [&](CmpInst::Predicate predicate) -> Value * {
    if (!type->isIntegerTy(32) && !type->isIntegerTy(64))
      return nullptr;
    Value *x = call.getArgOperand(0), *y = call.getArgOperand(1);
    return builder.CreateSelect(builder.CreateICmp(predicate, x, y), x, y);
  };
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::fabs:
    return width ? builder.CreateBitCast(
                       bits(call.getArgOperand(0), APInt::getSignedMaxValue(width)), type)
                 : nullptr;
  case llvm::Intrinsic::copysign:
    return width
               ? builder.CreateBitCast(
                     builder.CreateOr(bits(call.getArgOperand(0), APInt::getSignedMaxValue(width)),
                                      bits(call.getArgOperand(1), APInt::getSignMask(width))),
                     type)
               : nullptr;
  case llvm::Intrinsic::minimumnum:
  case llvm::Intrinsic::maximumnum: {
    bool isMin = call.getIntrinsicID() == llvm::Intrinsic::minimumnum;
    const char *name = extremumHostFunction(type, isMin);
    if (!name)
      return nullptr;
    return builder.CreateCall(module.getOrInsertFunction(name, call.getFunctionType()),
                              {call.getArgOperand(0), call.getArgOperand(1)});
  }
  case llvm::Intrinsic::smin:
    return compared(CmpInst::ICMP_SLT);
  case llvm::Intrinsic::smax:
    return compared(CmpInst::ICMP_SGT);
  case llvm::Intrinsic::umin:
    return compared(CmpInst::ICMP_ULT);
  case llvm::Intrinsic::umax:
    return compared(CmpInst::ICMP_UGT);
  case llvm::Intrinsic::abs: {
    if (!type->isIntegerTy(32) && !type->isIntegerTy(64))
      return nullptr;
    Value *x = call.getArgOperand(0);
    return builder.CreateSelect(builder.CreateICmpSLT(x, ConstantInt::get(type, 0)),
                                builder.CreateNeg(x), x);
  }
  default:
    return nullptr;
  }
}

/// An atomic access that is a plain one for x86.
template <typename Access> void makePlain(Access &access, Type *type) {
  if (!access.isAtomic() || access.getOrdering() == AtomicOrdering::SequentiallyConsistent ||
      !(type->isIntegerTy() || type->isPointerTy()))
    return;
  access.setAtomic(AtomicOrdering::NotAtomic);
  access.setVolatile(true);
}

} // namespace

void prepareForFastSelection(Function &function) {
  NarrowMoves moves(function);
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    Value *cheaper = nullptr;
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction)) {
      cheaper = cheaperCall(*call, *function.getParent());
    } else if (auto *cast = dyn_cast<AddrSpaceCastInst>(&instruction);
               cast && !cast->getType()->isVectorTy()) {
      IRBuilder<> builder(cast);
      cheaper = builder.CreateIntToPtr(
          builder.CreatePtrToInt(cast->getPointerOperand(), builder.getInt64Ty()), cast->getType());
    } else if (auto *load = dyn_cast<LoadInst>(&instruction)) {
      makePlain(*load, load->getType());
    } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
      makePlain(*store, store->getValueOperand()->getType());
    }
    if (!cheaper)
      continue;
    instruction.replaceAllUsesWith(cheaper);
    instruction.eraseFromParent();
  }
}

} // namespace tilesmith::emulator
