//===- HostLoweringSelection.cpp - forms that the host's fast instruction selection knows ----------===//
//
// Kernels run once or twice, so most of the time of an emulated run is code generation. LLVM's fast
// instruction selection is several times cheaper than the one by graphs, but what it does not know
// hands a call, or all of a block above an instruction, to the slow one. Here such operations get
// an equivalent form with the same bits:
//
//   updates of narrow floats       a loop around a compare-and-exchange of 16 bits
//   narrow floats that are moved   integers of 16 bits (load, store, phi, select)
//   arithmetic on narrow floats    in f32, which rounds the same result twice without harm, between
//                                  functions of the host on the bits
//   fabs, copysign                 operations on the bits
//   minimumnum, maximumnum         functions of the host (they order zeros as PTX does)
//   smin, smax, umin, umax, abs    comparison and select
//   addrspacecast                  through an integer: all spaces are one on the host
//   relaxed, acquire, release      volatile accesses: the same machine instructions on x86
//   members of structs             the values that were put in
//   conversions of i1, i8, i16     through i32; of u32 through i64
//   static stack slots             in the entry block, where they are part of the frame
//
// What remains of the slow ones (atomic updates, vectors) starts a block of its own, so that the
// slow selection stops there.
//
// Everything is counted and checked before, so that nothing but the time changes.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/emulator/HostLoweringSelection.h"

#include "oracles/devices/emulator/Intrinsics.h"

#include "llvm/CodeGen/AtomicExpandUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace tilesmith::emulator {
namespace {

bool isNarrowFloat(const Type *type) {
  return type->isHalfTy() || type->isBFloatTy();
}

/// Atomic updates of narrow floats as loops over their bits. The host's code generator would make
/// such a loop too, but one that carries the loaded value as a float: a move of that quiets a
/// signalling NaN, so what is compared never equals memory and the loop does not end.
void expandNarrowUpdates(Function &function) {
  SmallVector<AtomicRMWInst *> updates;
  for (Instruction &i : instructions(function))
    if (auto *update = dyn_cast<AtomicRMWInst>(&i); update && isNarrowFloat(update->getType()))
      updates.push_back(update);
  for (AtomicRMWInst *update : updates)
    expandAtomicRMWToCmpXchg(update, [](IRBuilderBase &b, Value *address, Value *loaded,
                                        Value *updated, Align alignment, AtomicOrdering ordering,
                                        SyncScope::ID scope, Value *&success, Value *&found,
                                        Instruction *) {
      Value *pair =
          b.CreateAtomicCmpXchg(address, b.CreateBitCast(loaded, b.getInt16Ty()),
                                b.CreateBitCast(updated, b.getInt16Ty()), alignment, ordering,
                                AtomicCmpXchgInst::getStrongestFailureOrdering(ordering), scope);
      success = b.CreateExtractValue(pair, 1);
      found = b.CreateBitCast(b.CreateExtractValue(pair, 0), loaded->getType());
    });
}

/// Arithmetic on narrow floats as arithmetic on f32 between conversions of bits. A sum, product or
/// quotient of 11 (8) bits rounded to 24 bits and then to 11 (8) is the one rounded once.
class NarrowArithmetic {
public:
  explicit NarrowArithmetic(Function &function) : module(*function.getParent()) {
    for (Instruction &i : make_early_inc_range(instructions(function))) {
      IRBuilder<> builder(&i);
      Value *value = rewritten(i, builder);
      if (!value)
        continue;
      i.replaceAllUsesWith(value);
      i.eraseFromParent();
    }
  }

private:
  /// The value of `i` by other means; null: not an operation on narrow floats.
  Value *rewritten(Instruction &i, IRBuilder<> &b) {
    Type *type = i.getType();
    if (auto *cast = dyn_cast<CastInst>(&i)) {
      Value *x = cast->getOperand(0);
      if (isa<FPExtInst>(cast) && isNarrowFloat(x->getType()) &&
          (type->isFloatTy() || type->isDoubleTy()))
        return type->isFloatTy() ? widen(x, b) : b.CreateFPExt(widen(x, b), type);
      if (isa<FPTruncInst>(cast) && isNarrowFloat(type) &&
          (x->getType()->isFloatTy() || x->getType()->isDoubleTy()))
        return narrow(x, type, b);
      return nullptr;
    }
    if (auto *compare = dyn_cast<FCmpInst>(&i))
      return isNarrowFloat(compare->getOperand(0)->getType())
                 ? b.CreateFCmp(compare->getPredicate(), widen(compare->getOperand(0), b),
                                widen(compare->getOperand(1), b))
                 : nullptr;
    if (!isNarrowFloat(type))
      return nullptr;
    switch (i.getOpcode()) {
    case Instruction::FAdd:
    case Instruction::FSub:
    case Instruction::FMul:
    case Instruction::FDiv:
      return narrow(b.CreateBinOp(static_cast<Instruction::BinaryOps>(i.getOpcode()),
                                  widen(i.getOperand(0), b), widen(i.getOperand(1), b)),
                    type, b);
    case Instruction::FNeg:
      return b.CreateBitCast(b.CreateXor(bits(i.getOperand(0), b), 0x8000), type);
    default:
      break;
    }
    auto *call = dyn_cast<IntrinsicInst>(&i);
    switch (call ? call->getIntrinsicID() : llvm::Intrinsic::not_intrinsic) {
    case llvm::Intrinsic::fabs:
      return b.CreateBitCast(b.CreateAnd(bits(call->getArgOperand(0), b), 0x7fff), type);
    case llvm::Intrinsic::minimumnum:
    case llvm::Intrinsic::maximumnum: // becomes a function of the host later
      return narrow(b.CreateBinaryIntrinsic(call->getIntrinsicID(),
                                            widen(call->getArgOperand(0), b),
                                            widen(call->getArgOperand(1), b)),
                    type, b);
    default:
      return nullptr;
    }
  }

  Value *bits(Value *narrow, IRBuilder<> &b) { return b.CreateBitCast(narrow, b.getInt16Ty()); }
  Value *widen(Value *x, IRBuilder<> &b) {
    Value *word = b.CreateZExt(bits(x, b), b.getInt32Ty());
    if (x->getType()->isBFloatTy())
      return b.CreateBitCast(b.CreateShl(word, 16), b.getFloatTy());
    return b.CreateCall(module.getOrInsertFunction("ts.widen.f16", b.getFloatTy(), b.getInt32Ty()),
                        word);
  }
  Value *narrow(Value *x, Type *type, IRBuilder<> &b) {
    std::string name = type->isHalfTy() ? "ts.narrow.f16" : "ts.narrow.bf16";
    if (x->getType()->isDoubleTy())
      name += ".d";
    Value *word = b.CreateCall(module.getOrInsertFunction(name, b.getInt32Ty(), x->getType()), x);
    return b.CreateBitCast(b.CreateTrunc(word, b.getInt16Ty()), type);
  }

  Module &module;
};

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
    if (auto *cast = dyn_cast<BitCastInst>(value); cast && cast->getSrcTy() == integer)
      return cast->getOperand(0);
    return IRBuilder<>(at).CreateBitCast(value, integer);
  }

  Type *integer;
  DenseMap<Value *, Instruction *> moved;
  DenseMap<std::pair<Value *, BasicBlock *>, Value *> edges;
};

/// Drops ways from integers to narrow floats and back.
void foldBitCasts(Function &function) {
  SmallVector<Instruction *> narrow;
  for (Instruction &i : make_early_inc_range(instructions(function))) {
    auto *back = dyn_cast<BitCastInst>(&i);
    auto *there = back ? dyn_cast<BitCastInst>(back->getOperand(0)) : nullptr;
    if (there && there->getSrcTy() == back->getType()) {
      back->replaceAllUsesWith(there->getOperand(0));
      back->eraseFromParent();
    } else if (back && isNarrowFloat(back->getType())) {
      narrow.push_back(back);
    }
  }
  for (Instruction *i : narrow)
    if (i->use_empty())
      i->eraseFromParent();
}

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
      !(type->isIntegerTy() || type->isPointerTy() || type->isFloatingPointTy()))
    return;
  access.setAtomic(AtomicOrdering::NotAtomic);
  access.setVolatile(true);
}

void makeAccessesPlain(Function &function) {
  for (Instruction &instruction : instructions(function))
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      makePlain(*load, load->getType());
    else if (auto *store = dyn_cast<StoreInst>(&instruction))
      makePlain(*store, store->getValueOperand()->getType());
}

/// What stands at one place of a struct or array that was put together; null: not known.
Value *memberOf(ExtractValueInst &extract) {
  Value *from = extract.getAggregateOperand();
  while (auto *insert = dyn_cast<InsertValueInst>(from)) {
    if (insert->getIndices() == extract.getIndices())
      return insert->getInsertedValueOperand();
    const size_t common = std::min(insert->getNumIndices(), extract.getNumIndices());
    if (insert->getIndices().take_front(common) == extract.getIndices().take_front(common))
      return nullptr; // a part of it, or more
    from = insert->getAggregateOperand();
  }
  return nullptr;
}

/// Takes members from where they were put in, and drops the structs that nobody needs then.
void forwardMembers(Function &function) {
  SmallVector<Instruction *> inserts;
  for (Instruction &i : make_early_inc_range(instructions(function))) {
    if (isa<InsertValueInst>(i))
      inserts.push_back(&i);
    auto *extract = dyn_cast<ExtractValueInst>(&i);
    Value *member = extract ? memberOf(*extract) : nullptr;
    if (!member)
      continue;
    extract->replaceAllUsesWith(member);
    extract->eraseFromParent();
  }
  for (Instruction *insert : reverse(inserts))
    if (insert->use_empty())
      insert->eraseFromParent();
}

/// The conversion of an integer in steps that are selected fast; null: stays as it is.
Value *steppedConversion(CastInst &cast) {
  if (!isa<SIToFPInst, UIToFPInst>(cast) || !cast.getSrcTy()->isIntegerTy() ||
      !(cast.getType()->isFloatTy() || cast.getType()->isDoubleTy()))
    return nullptr;
  const bool isSigned = isa<SIToFPInst>(cast);
  const unsigned width = cast.getSrcTy()->getIntegerBitWidth();
  if (width >= (isSigned ? 32u : 64u))
    return nullptr;
  IRBuilder<> b(&cast);
  Type *wide = b.getIntNTy(width < 32 ? 32 : 64);
  Value *x = cast.getOperand(0);
  return b.CreateSIToFP(isSigned ? b.CreateSExt(x, wide) : b.CreateZExt(x, wide), cast.getType());
}

void moveStackSlots(Function &function) {
  SmallVector<AllocaInst *> slots;
  for (BasicBlock &block : drop_begin(function))
    for (Instruction &i : block)
      if (auto *slot = dyn_cast<AllocaInst>(&i); slot && isa<ConstantInt>(slot->getArraySize()))
        slots.push_back(slot);
  for (AllocaInst *slot : slots)
    slot->moveBefore(function.getEntryBlock().begin());
}

/// Instructions that fast selection does not know and that take all before them in their block
/// along (calls do not).
bool isSlow(const Instruction &i) {
  if (isa<AtomicRMWInst, AtomicCmpXchgInst, ExtractElementInst, InsertElementInst,
          ShuffleVectorInst, InsertValueInst>(i))
    return true;
  if (auto *store = dyn_cast<StoreInst>(&i))
    return store->isAtomic() || store->getValueOperand()->getType()->isVectorTy();
  if (auto *load = dyn_cast<LoadInst>(&i))
    return load->isAtomic() || load->getType()->isVectorTy();
  if (auto *result = dyn_cast<ReturnInst>(&i))
    return result->getReturnValue() && result->getReturnValue()->getType()->isStructTy();
  return false;
}

void isolateSlowInstructions(Function &function) {
  constexpr unsigned kWorthwhile = 8; // instructions before a slow one
  SmallVector<Instruction *> starts;
  for (BasicBlock &block : function) {
    unsigned before = 0;
    for (Instruction &i : block) {
      if (isa<PHINode, AllocaInst>(i))
        continue;
      if (isSlow(i)) {
        if (before >= kWorthwhile)
          starts.push_back(&i);
        before = 0;
      } else {
        ++before;
      }
    }
  }
  for (Instruction *start : starts)
    start->getParent()->splitBasicBlock(start);
}

} // namespace

void prepareForFastSelection(Function &function) {
  expandNarrowUpdates(function);
  makeAccessesPlain(function);
  forwardMembers(function);
  NarrowArithmetic arithmetic(function);
  NarrowMoves moves(function);
  foldBitCasts(function);
  moveStackSlots(function);
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    Value *cheaper = nullptr;
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction)) {
      cheaper = cheaperCall(*call, *function.getParent());
    } else if (auto *cast = dyn_cast<AddrSpaceCastInst>(&instruction);
               cast && !cast->getType()->isVectorTy()) {
      IRBuilder<> builder(cast);
      cheaper = builder.CreateIntToPtr(
          builder.CreatePtrToInt(cast->getPointerOperand(), builder.getInt64Ty()), cast->getType());
    } else if (auto *conversion = dyn_cast<CastInst>(&instruction)) {
      cheaper = steppedConversion(*conversion);
    }
    if (!cheaper)
      continue;
    instruction.replaceAllUsesWith(cheaper);
    instruction.eraseFromParent();
  }
  isolateSlowInstructions(function);
}

} // namespace tilesmith::emulator
