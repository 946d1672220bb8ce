//===- OrderedAtomics.cpp - atomics that say their order and scope ----------------------------===//
//
// `atomicrmw add … acq_rel` of the device becomes `atom.acq_rel.gpu.global.add.u32`. What no PTX
// instruction does at once, LLVM makes a loop around a compare-and-exchange, which it prints with order
// and scope; it stays. Bits of a byte, or of two, that LLVM would change as a part of their word become that here.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/target/OrderedAtomics.h"

#include "compiler/support/Plants.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tilesmith::target {
namespace {

/// `add.u32`; empty where PTX has no such instruction.
std::string operationOf(const AtomicRMWInst &rmw, const GpuTarget &gpu) {
  Type *type = rmw.getType();
  const unsigned bits = type->getPrimitiveSizeInBits().getFixedValue();
  if (rmw.getOperation() == AtomicRMWInst::FAdd) {
    if (type->isHalfTy())
      return "add.noftz.f16";
    if (type->isBFloatTy())
      return gpu.has(Feature::AtomicAddBF16) ? "add.noftz.bf16" : "";
    return type->isFloatTy() || type->isDoubleTy() ? "add.f" + utostr(bits) : "";
  }
  if (bits != 32 && bits != 64)
    return "";
  auto named = [&](const char *name) { return name + utostr(bits); };
  switch (rmw.getOperation()) {
  case AtomicRMWInst::Xchg:
    return named("exch.b");
  case AtomicRMWInst::Add:
    return named("add.u");
  case AtomicRMWInst::And:
    return named("and.b");
  case AtomicRMWInst::Or:
    return named("or.b");
  case AtomicRMWInst::Xor:
    return named("xor.b");
  case AtomicRMWInst::Max:
    return named("max.s");
  case AtomicRMWInst::Min:
    return named("min.s");
  case AtomicRMWInst::UMax:
    return named(TILESMITH_PLANT("ptx-unsigned-maximum-signed") ? "max.s" : "max.u");
  case AtomicRMWInst::UMin:
    return named("min.u");
  default:
    return "";
  }
}

std::string orderOf(AtomicOrdering order) {
  switch (order) {
  case AtomicOrdering::Monotonic:
    return "relaxed";
  case AtomicOrdering::Acquire:
    return "acquire";
  case AtomicOrdering::Release:
    return "release";
  case AtomicOrdering::AcquireRelease:
    return "acq_rel";
  default: // no access of a kernel has another one
    return "";
  }
}

std::string scopeOf(const AtomicRMWInst &rmw) {
  SmallVector<StringRef> names;
  rmw.getContext().getSyncScopeNames(names);
  const StringRef name = names[rmw.getSyncScopeID()];
  return name == "block" ? "cta" : name == "cluster" ? "cluster" : name == "device" ? "gpu" : "sys";
}

void spell(AtomicRMWInst &rmw, const std::string &operation) {
  IRBuilder<> b(&rmw);
  Type *type = rmw.getType();
  const unsigned bits = type->getPrimitiveSizeInBits().getFixedValue();
  // Halves are in registers of 16 bits without a type; an exchange does not ask for the type.
  const bool asBits = bits == 16 || rmw.getOperation() == AtomicRMWInst::Xchg;
  Type *held = asBits ? b.getIntNTy(bits) : type;
  const char *letter = bits == 16           ? "h"
                       : held->isFloatTy()  ? "f"
                       : held->isDoubleTy() ? "d"
                       : bits == 32         ? "r"
                                            : "l";
  const unsigned space = rmw.getPointerAddressSpace();
  const std::string text = "atom." + orderOf(rmw.getOrdering()) + "." + scopeOf(rmw) +
                           (space == 1   ? ".global."
                            : space == 3 ? ".shared."
                                         : ".") +
                           operation + " \t$0, [$1], $2;";
  const std::string constraints = std::string("=") + letter + ",l," + letter + ",~{memory}";
  FunctionType *signature =
      FunctionType::get(held, {rmw.getPointerOperand()->getType(), held}, /*isVarArg=*/false);
  Value *operand = rmw.getValOperand();
  Value *old =
      b.CreateCall(InlineAsm::get(signature, text, constraints, /*hasSideEffects=*/true),
                   {rmw.getPointerOperand(), asBits ? b.CreateBitCast(operand, held) : operand});
  rmw.replaceAllUsesWith(asBits ? b.CreateBitCast(old, type) : old);
  rmw.eraseFromParent();
}

bool changesBits(const AtomicRMWInst &rmw) {
  return is_contained({AtomicRMWInst::And, AtomicRMWInst::Or, AtomicRMWInst::Xor},
                      rmw.getOperation());
}

/// The same update of the word that the byte or the two bytes are a part of.
AtomicRMWInst *ofWord(AtomicRMWInst &rmw) {
  IRBuilder<> b(&rmw);
  Value *pointer = rmw.getPointerOperand();
  Type *word = b.getInt32Ty(), *part = rmw.getType(),
       *index = rmw.getModule()->getDataLayout().getIndexType(pointer->getType());
  Value *start = b.CreateIntrinsic(Intrinsic::ptrmask, {pointer->getType(), index},
                                   {pointer, ConstantInt::getSigned(index, -4)});
  Value *byte = b.CreateAnd(b.CreateTrunc(b.CreatePtrToInt(pointer, index), word), 3);
  Value *shift = b.CreateShl(byte, 3);
  Value *bits = b.CreateShl(b.CreateZExt(rmw.getValOperand(), word), shift);
  if (rmw.getOperation() == AtomicRMWInst::And) { // the rest stays
    const uint64_t all = maxUIntN(part->getPrimitiveSizeInBits().getFixedValue());
    bits = b.CreateOr(bits, b.CreateNot(b.CreateShl(b.getInt32(all), shift)));
  }
  AtomicRMWInst *whole = b.CreateAtomicRMW(rmw.getOperation(), start, bits, Align(4),
                                           rmw.getOrdering(), rmw.getSyncScopeID());
  rmw.replaceAllUsesWith(b.CreateTrunc(b.CreateLShr(whole, shift), part));
  rmw.eraseFromParent();
  return whole;
}

} // namespace

void spellOrderedAtomics(Module &module, const GpuTarget &gpu) {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      auto *rmw = dyn_cast<AtomicRMWInst>(&instruction);
      if (!rmw || orderOf(rmw->getOrdering()).empty() ||
          (rmw->getOrdering() == AtomicOrdering::Monotonic && scopeOf(*rmw) != "sys"))
        continue;
      if (rmw->getType()->isIntegerTy() && rmw->getType()->getIntegerBitWidth() < 32 &&
          changesBits(*rmw))
        rmw = ofWord(*rmw);
      if (const std::string operation = operationOf(*rmw, gpu); !operation.empty())
        spell(*rmw, operation);
    }
}

} // namespace tilesmith::target
