// Host lowering, step 7 (see HostLowering.h): what is known of the kernels, their wrappers, the end
// of the device; and the numbers of basic blocks for the profile.
#include "oracles/devices/emulator/HostLowering.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;

namespace tilesmith::emulator {

void HostLowering::summariseKernels() {
  for (Function *kernel : kernels) {
    KernelInfo info;
    info.name = kernel->getName().str();
    SmallPtrSet<Function *, 16> seen{kernel};
    SmallVector<Function *> work{kernel};
    std::set<std::string> unsupported;
    while (!work.empty()) {
      const FunctionFacts &fact = facts[work.pop_back_val()];
      info.needsFibers |= fact.suspends || fact.repeats;
      info.mayRepeat |= fact.repeats;
      unsupported.insert(fact.unsupported.begin(), fact.unsupported.end());
      for (Function *callee : fact.callees)
        if (seen.insert(callee).second)
          work.push_back(callee);
    }
    info.unsupported.assign(unsupported.begin(), unsupported.end());
    auto blockSize = [&](StringRef name) {
      std::array<uint32_t, 3> size{0, 0, 0};
      if (Attribute bound = kernel->getFnAttribute(name); bound.isStringAttribute()) {
        SmallVector<StringRef> parts;
        bound.getValueAsString().split(parts, ',');
        size = {1, 1, 1};
        for (unsigned i = 0; i < 3 && i < parts.size(); ++i)
          parts[i].trim().getAsInteger(10, size[i]);
      }
      return size;
    };
    info.maxBlock = blockSize("nvvm.maxntid");
    info.requiredBlock = blockSize("nvvm.reqntid");
    info.cluster = blockSize("nvvm.cluster_dim");
    info.blocksAreClusters = kernel->hasFnAttribute("nvvm.blocksareclusters");
    for (Argument &argument : kernel->args()) {
      Type *type = argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
      info.parameterBytes.push_back(module.getDataLayout().getTypeStoreSize(type).getFixedValue());
    }
    result.kernels.push_back(std::move(info));
  }
}

// void __ts_entry_K(ptr args): args[i] points to the bytes of parameter i. A kernel that nobody
// calls becomes this function; one that is called is called by it.
void HostLowering::wrapKernels() {
  for (Function *kernel : kernels) {
    kernel->setLinkage(GlobalValue::InternalLinkage);
    kernel->setComdat(nullptr);
    LLVMContext &context = module.getContext();
    auto *pointer = PointerType::getUnqual(context);
    auto *type = FunctionType::get(Type::getVoidTy(context), {pointer}, false);
    auto *entry = Function::Create(type, GlobalValue::ExternalLinkage,
                                   kEntryPrefix + kernel->getName(), module);
    const bool becomesEntry = kernel->use_empty() && kernel->getReturnType()->isVoidTy();
    BasicBlock *start;
    if (becomesEntry) {
      entry->splice(entry->begin(), kernel);
      entry->addFnAttrs(AttrBuilder(context, kernel->getAttributes().getFnAttrs()));
      start = &entry->getEntryBlock();
    } else {
      start = BasicBlock::Create(context, "", entry);
    }
    IRBuilder<> builder(start, start->begin());
    SmallVector<Value *> values;
    for (Argument &argument : kernel->args()) {
      if (becomesEntry && argument.use_empty())
        continue;
      Value *slot =
          builder.CreateConstInBoundsGEP1_32(pointer, entry->getArg(0), argument.getArgNo());
      Value *blob = builder.CreateLoad(pointer, slot);
      if (argument.hasByValAttr()) {
        values.push_back(builder.CreateAddrSpaceCast(blob, argument.getType()));
      } else if (becomesEntry &&
                 (argument.getType()->isHalfTy() || argument.getType()->isBFloatTy())) {
        // As bits, which is what most uses want (see HostLoweringSelection.cpp).
        Value *bits = builder.CreateAlignedLoad(builder.getInt16Ty(), blob, Align(1));
        for (User *user : make_early_inc_range(argument.users()))
          if (auto *cast = dyn_cast<BitCastInst>(user);
              cast && cast->getType() == bits->getType()) {
            cast->replaceAllUsesWith(bits);
            cast->eraseFromParent();
          }
        values.push_back(argument.use_empty() ? nullptr
                                              : builder.CreateBitCast(bits, argument.getType()));
      } else {
        values.push_back(builder.CreateAlignedLoad(argument.getType(), blob, Align(1)));
      }
      if (becomesEntry && values.back())
        argument.replaceAllUsesWith(values.back());
    }
    if (becomesEntry) {
      kernel->eraseFromParent(); // the name remains in `kernels` of the result
      continue;
    }
    CallInst *call = builder.CreateCall(kernel, values);
    for (Argument &argument : kernel->args())
      if (argument.hasByValAttr())
        call->addParamAttr(argument.getArgNo(),
                           Attribute::getWithByValType(context, argument.getParamByValType()));
    builder.CreateRetVoid();
  }
}

// Code finds a variable that the host may ask for through a word that holds its address, so that it may lie
// somewhere else.
void HostLowering::placeVariables() {
  SmallVector<GlobalVariable *> variables;
  for (GlobalVariable &variable : module.globals())
    if (variable.hasExternalLinkage() && variable.hasInitializer() && !variable.isConstant() &&
        &variable != current && &variable != budget && variable.getName() != kProfileSymbol)
      variables.push_back(&variable);
  for (GlobalVariable *variable : variables) {
    convertUsersOfConstantsToInstructions({variable});
    auto *place =
        new GlobalVariable(module, variable->getType(), false, GlobalValue::ExternalLinkage,
                           variable, variable->getName() + kPlaceSuffix);
    for (Use &use : make_early_inc_range(variable->uses())) {
      auto *user = dyn_cast<Instruction>(use.getUser());
      if (!user)
        continue;
      auto *phi = dyn_cast<PHINode>(user);
      IRBuilder<> builder(phi ? phi->getIncomingBlock(use)->getTerminator() : user);
      use.set(builder.CreateLoad(variable->getType(), place));
    }
  }
}

void HostLowering::stripDevice() {
  StripDebugInfo(module);
  SmallVector<NamedMDNode *> named;
  for (NamedMDNode &node : module.named_metadata())
    named.push_back(&node);
  for (NamedMDNode *node : named)
    module.eraseNamedMetadata(node);
  for (Function &f : module) {
    f.setCallingConv(CallingConv::C);
    for (StringRef name :
         {"target-cpu", "target-features", "tune-cpu", "denormal-fp-math", "denormal-fp-math-f32"})
      f.removeFnAttr(name);
    f.removeFnAttr(Attribute::UWTable);
    f.removeFnAttr(Attribute::StackProtectStrong);
    f.removeFnAttr(Attribute::SanitizeAddress);
    if (!f.isIntrinsic())
      f.setDoesNotThrow();
    for (Instruction &i : instructions(f))
      if (auto *call = dyn_cast<CallBase>(&i); call && !call->isInlineAsm())
        call->setCallingConv(CallingConv::C);
  }
  for (GlobalVariable &variable : module.globals()) {
    variable.setSection("");
    if (!variable.isDeclaration() && &variable != current && &variable != budget &&
        variable.getName() != kProfileSymbol) {
      variable.setComdat(nullptr);
      variable.setLinkage(GlobalValue::ExternalLinkage);
      variable.setVisibility(GlobalValue::DefaultVisibility);
      if (!variable.hasName())
        variable.setName("__ts_global");
      if (variable.getName().ends_with(kPlaceSuffix))
        continue;
      result.globals.push_back(
          {variable.getName().str(),
           module.getDataLayout().getTypeAllocSize(variable.getValueType()).getFixedValue(),
           module.getNamedGlobal((variable.getName() + kPlaceSuffix).str()) != nullptr});
    }
  }
}

// Every basic block gets a counter; what it stands for is counted before any rewriting.
void HostLowering::numberBlocks() {
  if (!options.profile)
    return;
  for (Function &f : module)
    for (BasicBlock &block : f) {
      blockNumbers[&block] = result.blockClasses.size();
      std::array<uint32_t, 8> &classes = result.blockClasses.emplace_back();
      classes.fill(0);
      for (Instruction &i : block) {
        if (isa<PHINode>(i) || i.isDebugOrPseudoInst())
          continue;
        int kind = 7;
        if (isa<LoadInst, StoreInst, MemIntrinsic>(i))
          kind = 2;
        else if (isa<AtomicRMWInst, AtomicCmpXchgInst, FenceInst>(i))
          kind = 3;
        else if (i.isTerminator())
          kind = 4;
        else if (isa<CastInst>(i))
          kind = 5;
        else if (auto *call = dyn_cast<CallInst>(&i);
                 call && call->getCalledFunction() &&
                 call->getCalledFunction()->getName().starts_with("llvm.nvvm."))
          kind = 6;
        else if (isa<CallInst>(i))
          kind = i.getType()->isFPOrFPVectorTy() ? 1 : 7;
        else if (i.getType()->isFPOrFPVectorTy() || isa<FCmpInst>(i))
          kind = 1;
        else if (isa<BinaryOperator, ICmpInst, GetElementPtrInst>(i))
          kind = 0;
        ++classes[kind];
      }
    }
  auto *type = ArrayType::get(Type::getInt64Ty(module.getContext()),
                              std::max<size_t>(1, result.blockClasses.size()));
  new GlobalVariable(module, type, false, GlobalValue::ExternalLinkage,
                     ConstantAggregateZero::get(type), kProfileSymbol);
}

} // namespace tilesmith::emulator
