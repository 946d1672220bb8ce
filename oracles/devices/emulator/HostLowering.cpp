// Host lowering, steps 1 to 3 (see HostLowering.h), and the order of all. Steps 4 to 6 are in
// HostLoweringChecks.cpp, step 7 is in HostLoweringKernels.cpp.
#include "oracles/devices/emulator/HostLowering.h"

#include "oracles/devices/emulator/HostLoweringSelection.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/ReplaceConstant.h"
#include "llvm/IR/Verifier.h"

using namespace llvm;

namespace tilesmith::emulator {

namespace {

constexpr unsigned kShared = 3;

bool isKernel(const Function &f, const SmallPtrSetImpl<const Function *> &annotated) {
  return !f.isDeclaration() && (f.getCallingConv() == CallingConv::PTX_Kernel ||
                                annotated.count(&f) || f.hasFnAttribute("nvvm.kernel"));
}

// Calls that LLVM keeps as intrinsics although the host's lowering would round twice.
bool isNarrowFma(const CallInst &call) {
  const Function *callee = call.getCalledFunction();
  if (!callee || callee->getIntrinsicID() != llvm::Intrinsic::fma)
    return false;
  Type *element = call.getType()->getScalarType();
  return element->isHalfTy() || element->isBFloatTy();
}

unsigned slotsOf(const DataLayout &layout, Type *type) {
  return (layout.getTypeStoreSize(type).getFixedValue() + 7) / 8;
}

} // namespace

void HostLowering::findKernels() {
  SmallPtrSet<const Function *, 4> annotated;
  if (NamedMDNode *annotations = module.getNamedMetadata("nvvm.annotations"))
    for (MDNode *node : annotations->operands()) {
      auto *function = node->getNumOperands()
                           ? mdconst::dyn_extract_or_null<Function>(node->getOperand(0))
                           : nullptr;
      for (unsigned i = 1; function && i + 1 < node->getNumOperands(); i += 2)
        if (auto *key = dyn_cast<MDString>(node->getOperand(i));
            key && key->getString() == "kernel")
          annotated.insert(function);
    }
  for (Function &f : module)
    if (isKernel(f, annotated))
      kernels.push_back(&f);
}

void HostLowering::dropUnreachable() {
  SmallPtrSet<GlobalValue *, 16> live(kernels.begin(), kernels.end());
  SmallVector<GlobalValue *> work(kernels.begin(), kernels.end());
  SmallPtrSet<const Constant *, 16> seen;
  auto visit = [&](auto &self, Value *value) -> void {
    auto *constant = dyn_cast<Constant>(value);
    if (!constant || !seen.insert(constant).second)
      return;
    if (auto *global = dyn_cast<GlobalValue>(constant)) {
      if (live.insert(global).second)
        work.push_back(global);
      return;
    }
    for (Value *operand : constant->operands())
      self(self, operand);
  };
  while (!work.empty()) {
    GlobalValue *global = work.pop_back_val();
    if (auto *f = dyn_cast<Function>(global)) {
      for (Instruction &i : instructions(*f))
        for (Value *operand : i.operands())
          visit(visit, operand);
    } else if (auto *variable = dyn_cast<GlobalVariable>(global)) {
      if (variable->hasInitializer())
        visit(visit, variable->getInitializer());
    } else if (auto *alias = dyn_cast<GlobalAlias>(global)) {
      visit(visit, alias->getAliasee());
    }
  }
  for (StringRef name :
       {"llvm.used", "llvm.compiler.used", "llvm.global_ctors", "llvm.global_dtors"})
    if (GlobalVariable *used = module.getGlobalVariable(name, true))
      used->eraseFromParent();
  SmallVector<GlobalValue *> dead;
  for (GlobalValue &global : module.global_values())
    if (!live.count(&global))
      dead.push_back(&global);
  for (GlobalValue *global : dead) {
    if (auto *f = dyn_cast<Function>(global))
      f->deleteBody();
    else if (auto *variable = dyn_cast<GlobalVariable>(global))
      variable->setInitializer(nullptr);
  }
  for (GlobalValue *global : dead) {
    global->removeDeadConstantUsers();
    if (global->use_empty())
      global->eraseFromParent();
  }
  for (Function &f : module)
    if (!f.isDeclaration() && !is_contained(kernels, &f)) {
      f.setLinkage(GlobalValue::InternalLinkage);
      f.setComdat(nullptr);
    }
}

void HostLowering::layOutShared() {
  SmallVector<GlobalVariable *> fixed, dynamic;
  for (GlobalVariable &variable : module.globals()) {
    if (variable.getAddressSpace() != kShared)
      continue;
    const bool sized =
        module.getDataLayout().getTypeAllocSize(variable.getValueType()).getFixedValue() != 0;
    (sized && !variable.hasExternalLinkage() ? fixed
     : sized && !variable.isDeclaration()    ? fixed
                                             : dynamic)
        .push_back(&variable);
  }
  uint64_t offset = 0;
  SmallVector<std::pair<GlobalVariable *, uint64_t>> places;
  for (GlobalVariable *variable : fixed) {
    const Align align = module.getDataLayout().getValueOrABITypeAlignment(variable->getAlign(),
                                                                          variable->getValueType());
    offset = alignTo(offset, align);
    places.emplace_back(variable, offset);
    offset += module.getDataLayout().getTypeAllocSize(variable->getValueType()).getFixedValue();
  }
  for (GlobalVariable *variable : dynamic)
    offset = alignTo(offset, std::max(variable->getAlign().valueOrOne(), Align(16)));
  for (GlobalVariable *variable : dynamic)
    places.emplace_back(variable, offset);
  result.staticSharedBytes = offset;

  for (auto [variable, place] : places) {
    convertUsersOfConstantsToInstructions({variable});
    SmallVector<Use *> uses;
    for (Use &use : variable->uses())
      uses.push_back(&use);
    for (Use *use : uses) {
      auto *user = dyn_cast<Instruction>(use->getUser());
      if (!user)
        continue;
      Instruction *at = user;
      if (auto *phi = dyn_cast<PHINode>(user))
        at = phi->getIncomingBlock(*use)->getTerminator();
      IRBuilder<> builder(at);
      Value *address = builder.CreateAdd(loadSharedBase(builder), builder.getInt64(place));
      use->set(builder.CreateIntToPtr(address, variable->getType(), variable->getName()));
    }
    variable->removeDeadConstantUsers();
    if (variable->use_empty())
      variable->eraseFromParent();
  }
}

FunctionCallee HostLowering::runtime(StringRef name) {
  Type *pointer = PointerType::getUnqual(module.getContext());
  if (name == "rt.tick")
    return module.getOrInsertFunction(name, Type::getVoidTy(module.getContext()));
  if (name == "rt.fence" || name == "rt.wgmma.use" || name == "rt.tcgen05.use")
    return module.getOrInsertFunction(name, Type::getVoidTy(module.getContext()),
                                      Type::getInt32Ty(module.getContext()));
  if (name == "rt.check")
    return module.getOrInsertFunction(name, Type::getVoidTy(module.getContext()),
                                      Type::getInt64Ty(module.getContext()),
                                      Type::getInt32Ty(module.getContext()));
  return module.getOrInsertFunction(name, Type::getVoidTy(module.getContext()), pointer,
                                    Type::getInt32Ty(module.getContext()));
}

uint32_t HostLowering::addSite(const Intrinsic *op, Instruction &at) {
  Site site;
  site.op = op;
  site.function = &*result.strings.insert(at.getFunction()->getName().str()).first;
  if (const DebugLoc &location = at.getDebugLoc()) {
    site.file = &*result.strings.insert(location->getFilename().str()).first;
    site.line = location.getLine();
    site.column = location.getCol();
  }
  result.sites.push_back(site);
  return result.sites.size() - 1;
}

LoadInst *HostLowering::loadOwn(IRBuilder<> &builder, Type *type, Value *pointer) {
  LoadInst *load = builder.CreateLoad(type, pointer);
  load->setMetadata(LLVMContext::MD_nosanitize, MDNode::get(module.getContext(), {}));
  return load;
}

Value *HostLowering::loadRegister(IRBuilder<> &builder, SReg reg) {
  Value *regs = loadOwn(builder, builder.getPtrTy(), current);
  Value *field =
      builder.CreateConstInBoundsGEP1_32(builder.getInt32Ty(), regs, static_cast<unsigned>(reg));
  return loadOwn(builder, builder.getInt32Ty(), field);
}

Value *HostLowering::loadSharedBase(IRBuilder<> &builder) {
  Value *regs = loadOwn(builder, builder.getPtrTy(), current);
  Value *field = builder.CreateConstInBoundsGEP1_32(builder.getInt8Ty(), regs,
                                                    offsetof(ThreadRegs, sharedBase));
  return loadOwn(builder, builder.getInt64Ty(), field);
}

Value *HostLowering::frameSlot(IRBuilder<> &builder, unsigned slot) {
  return slot == 0 ? frame : builder.CreateConstInBoundsGEP1_32(builder.getInt64Ty(), frame, slot);
}

void HostLowering::replaceByTrap(Instruction &before, StringRef runtimeName, StringRef opName) {
  IRBuilder<> builder(&before);
  const Intrinsic *op = IntrinsicTable::get().find(opName);
  auto *call =
      builder.CreateCall(runtime(runtimeName), {frame, builder.getInt32(addSite(op, before))});
  call->setDoesNotReturn();
}

// Stores the operands, calls the runtime, loads the results.
Value *HostLowering::callRuntime(IRBuilder<> &builder, Instruction &at, const Intrinsic &op,
                                 ArrayRef<Value *> operands, Type *type) {
  const DataLayout &layout = module.getDataLayout();
  unsigned slot = 0;
  for (Value *operand : operands) {
    builder.CreateAlignedStore(operand, frameSlot(builder, slot), Align(8));
    slot += slotsOf(layout, operand->getType());
  }
  frameSlots = std::max(frameSlots, slot);
  builder.CreateCall(runtime(op.symbol()), {frame, builder.getInt32(addSite(&op, at))});
  if (type->isVoidTy())
    return nullptr;
  Value *value = nullptr;
  slot = 0;
  if (auto *structType = dyn_cast<StructType>(type)) {
    value = PoisonValue::get(type);
    for (unsigned i = 0; i < structType->getNumElements(); ++i) {
      Type *element = structType->getElementType(i);
      value = builder.CreateInsertValue(
          value, builder.CreateAlignedLoad(element, frameSlot(builder, slot), Align(8)), i);
      slot += slotsOf(layout, element);
    }
  } else {
    value = builder.CreateAlignedLoad(type, frame, Align(8));
    slot = slotsOf(layout, type);
  }
  frameSlots = std::max(frameSlots, slot);
  return value;
}

void HostLowering::rewriteRuntimeCall(CallInst &call, const Intrinsic &op) {
  IRBuilder<> builder(&call);
  SmallVector<Value *> operands;
  for (Value *operand : call.args())
    if (!operand->getType()->isMetadataTy())
      operands.push_back(operand);
  if (Value *value = callRuntime(builder, call, op, operands, call.getType()))
    call.replaceAllUsesWith(value);
  call.eraseFromParent();
}

void HostLowering::note(const Intrinsic &op) {
  facts[function].suspends |= op.suspends;
  const StringRef name = op.name;
  result.usesAsync |= name.contains("cp.async") || name.contains("wgmma") ||
                      name.contains("fence.proxy") || name.contains("tcgen05");
}

/// What empty assembly returns that ties every output to an input in order; null for any other.
static Value *passedThrough(CallInst &call) {
  auto *type = dyn_cast<StructType>(call.getType());
  unsigned outputs = type ? type->getNumElements() : 1, index = 0;
  auto constraints = cast<InlineAsm>(call.getCalledOperand())->ParseConstraints();
  if (call.arg_size() != outputs || constraints.size() != 2 * outputs)
    return nullptr;
  for (const InlineAsm::ConstraintInfo &info : ArrayRef(constraints).drop_front(outputs))
    if (info.Type != InlineAsm::isInput || info.Codes.size() != 1 ||
        info.Codes[0] != std::to_string(index++))
      return nullptr;
  if (!type)
    return call.getType() == call.getArgOperand(0)->getType() ? call.getArgOperand(0) : nullptr;
  IRBuilder<> builder(&call);
  Value *result = PoisonValue::get(type);
  for (unsigned i = 0; i < outputs; ++i)
    result = builder.CreateInsertValue(result, call.getArgOperand(i), i);
  return result;
}

void HostLowering::rewriteCall(CallInst &call) {
  FunctionFacts &fact = facts[function];
  auto unsupported = [&](const std::string &what) {
    fact.unsupported.insert(what);
    const std::string *text = &*result.strings.insert(what).first;
    replaceByTrap(call, "rt.unsupported", "");
    result.sites.back().function = text;
    if (!call.getType()->isVoidTy())
      call.replaceAllUsesWith(PoisonValue::get(call.getType()));
    call.eraseFromParent();
  };

  if (call.isInlineAsm()) {
    const auto *assembly = cast<InlineAsm>(call.getCalledOperand());
    if (assembly->getAsmString().empty()) { // compiler barriers
      if (call.getType()->isVoidTy() && call.arg_empty())
        return void(call.eraseFromParent());
      if (Value *same = passedThrough(call)) {
        call.replaceAllUsesWith(same);
        return void(call.eraseFromParent());
      }
    }
    if (const Intrinsic *op = IntrinsicTable::get().findAssembly(assembly->getAsmString())) {
      note(*op);
      return rewriteRuntimeCall(call, *op);
    }
    if (rewriteMatrixAssembly(call))
      return;
    return unsupported("inline asm '" + normaliseAssembly(assembly->getAsmString()) + "'");
  }
  Function *callee = call.getCalledFunction();
  if (!callee) { // indirect: any address-taken function
    for (Function &candidate : module)
      if (!candidate.isDeclaration() && candidate.hasAddressTaken())
        fact.callees.push_back(&candidate);
    return;
  }
  if (!callee->isDeclaration()) {
    fact.callees.push_back(callee);
    return;
  }

  if (callee->getName().starts_with("rt."))
    return; // a check of the host lowering itself
  const Intrinsic *op = nullptr;
  if (isNarrowFma(call)) {
    Type *type = call.getType();
    std::string name =
        type->getScalarType()->isHalfTy() ? "llvm.nvvm.fma.rn.f16" : "llvm.nvvm.fma.rn.bf16";
    auto *vector = dyn_cast<FixedVectorType>(type);
    if (vector && vector->getNumElements() == 2)
      name += "x2";
    if (!vector || vector->getNumElements() == 2) {
      op = IntrinsicTable::get().find(name);
    } else { // split into elements; each is visited again by the caller's work list
      return unsupported("fma of " + std::to_string(vector->getNumElements()) + " narrow elements");
    }
  } else if (auto load = tensorLoads.find(&call); load != tensorLoads.end()) {
    op = load->second;
  } else {
    op = IntrinsicTable::get().find(callee->getName());
  }
  if (!op) {
    const bool isDevice = callee->getName().starts_with("llvm.nvvm.");
    if (const char *name = callee->getIntrinsicID() == llvm::Intrinsic::fma
                               ? fusedHostFunction(call.getType())
                               : nullptr) {
      call.setCalledFunction(module.getOrInsertFunction(name, call.getFunctionType()));
      return;
    }
    if (callee->isIntrinsic() && !isDevice)
      return; // the host's code generator knows it
    if (!isDevice)
      for (const auto &[name, address] : hostFunctions())
        if (callee->getName() == name)
          return;
    return unsupported((isDevice ? "device intrinsic " : "external function ") +
                       callee->getName().str());
  }
  note(*op);
  switch (op->kind) {
  case Intrinsic::Expand: {
    IRBuilder<> builder(&call);
    ExpandContext context{builder, call, [&](SReg reg) { return loadRegister(builder, reg); },
                          [&] { return loadSharedBase(builder); }};
    Value *value = op->expand(context);
    if (auto *update = dyn_cast_or_null<Instruction>(value);
        update && options.checkMemory && isa<AtomicRMWInst, AtomicCmpXchgInst>(update))
      addMemoryCheck(*update);
    if (!call.getType()->isVoidTy())
      call.replaceAllUsesWith(value);
    call.eraseFromParent();
    return;
  }
  case Intrinsic::Direct: {
    // The attributes of the intrinsic (speculatable, ranges) do not carry over to a plain host
    // function.
    FunctionCallee host = module.getOrInsertFunction(op->symbol(), call.getFunctionType());
    call.setCalledFunction(host);
    call.setAttributes({});
    return;
  }
  case Intrinsic::FrameCall:
  case Intrinsic::Warp:
    return rewriteRuntimeCall(call, *op);
  }
}

void HostLowering::rewriteFunction(Function &f) {
  function = &f;
  facts[&f];
  frameSlots = 1;
  IRBuilder<> entry(&f.getEntryBlock(), f.getEntryBlock().begin());
  frame = entry.CreateAlloca(entry.getInt64Ty(), entry.getInt32(1), "ts.frame");
  frame->setAlignment(Align(16));

  guardWgmmaResults(f);
  guardTensorLoads(f);
  SmallVector<CallInst *> calls;
  SmallVector<BinaryOperator *> binaries;
  SmallVector<Instruction *> accesses;
  SmallVector<UnreachableInst *> unreachables;
  SmallVector<CastInst *> casts;
  SmallVector<FenceInst *> fences;
  for (Instruction &i : instructions(f)) {
    if (auto *call = dyn_cast<CallInst>(&i))
      calls.push_back(call);
    else if (auto *binary = dyn_cast<BinaryOperator>(&i))
      binaries.push_back(binary);
    else if (auto *unreachable = dyn_cast<UnreachableInst>(&i))
      unreachables.push_back(unreachable);
    else if (isa<SIToFPInst, UIToFPInst, FPToSIInst, FPToUIInst>(i))
      casts.push_back(cast<CastInst>(&i));
    else if (auto *fence = dyn_cast<FenceInst>(&i))
      fences.push_back(fence);
    if (isa<LoadInst, StoreInst, AtomicRMWInst, AtomicCmpXchgInst, MemIntrinsic>(i))
      accesses.push_back(&i);
  }
  for (UnreachableInst *unreachable : unreachables)
    replaceByTrap(*unreachable, "rt.unreachable", "");
  for (Instruction *access : accesses) {
    if (access->isVolatile() || access->isAtomic())
      facts[&f].repeats = true;
    if (options.checkMemory)
      addMemoryCheck(*access);
  }
  for (FenceInst *fence : fences)
    addFence(*fence);
  for (CastInst *cast : casts)
    isa<SIToFPInst, UIToFPInst>(cast) ? convertIntegerOnce(*cast) : clampConversion(*cast);
  const bool flush =
      f.getFnAttribute("denormal-fp-math-f32").getValueAsString().starts_with("preserve-sign");
  for (BinaryOperator *binary : binaries) {
    switch (binary->getOpcode()) {
    case Instruction::SDiv:
    case Instruction::UDiv:
    case Instruction::SRem:
    case Instruction::URem:
      makeDivisionTotal(*binary);
      break;
    case Instruction::FAdd:
    case Instruction::FSub:
    case Instruction::FMul:
    case Instruction::FDiv:
      if (flush && binary->getType()->isFloatTy())
        flushSubnormals(*binary);
      break;
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
      clampShift(*binary);
      break;
    default:
      break;
    }
  }
  for (CallInst *call : calls) {
    // Contraction is off on both sides of the host lowering.
    if (call->getIntrinsicID() == llvm::Intrinsic::fmuladd) {
      IRBuilder<> builder(call);
      Value *product = builder.CreateFMul(call->getArgOperand(0), call->getArgOperand(1));
      call->replaceAllUsesWith(builder.CreateFAdd(product, call->getArgOperand(2)));
      call->eraseFromParent();
      continue;
    }
    // PTX orders the zeros (-0 < +0); minnum on x86 does not.
    const auto id = call->getIntrinsicID();
    if (id == llvm::Intrinsic::minnum || id == llvm::Intrinsic::maxnum) {
      IRBuilder<> builder(call);
      const bool isMin = id == llvm::Intrinsic::minnum;
      Value *arguments[] = {call->getArgOperand(0), call->getArgOperand(1)};
      Value *extremum;
      if (const char *name = extremumHostFunction(call->getType(), isMin))
        extremum = builder.CreateCall(module.getOrInsertFunction(name, call->getFunctionType()),
                                      arguments);
      else
        extremum = builder.CreateBinaryIntrinsic(isMin ? llvm::Intrinsic::minimumnum
                                                       : llvm::Intrinsic::maximumnum,
                                                 arguments[0], arguments[1]);
      call->replaceAllUsesWith(extremum);
      call->eraseFromParent();
      continue;
    }
    rewriteCall(*call);
  }
  frame->setOperand(0, entry.getInt32(frameSlots));
  countSteps(f);
  prepareForFastSelection(f);
}

/// What an instruction counts: itself, a division as many as the machine has for it.
static unsigned stepsOf(const Instruction &i) {
  constexpr unsigned kDivision = 16, kWideDivision = 64, kByConstant = 4;
  if (isa<PHINode>(i) || i.isDebugOrPseudoInst())
    return 0;
  if (const auto *call = dyn_cast<CallInst>(&i)) {
    const Function *callee = call->getCalledFunction();
    const bool divides = callee && callee->getName().starts_with("llvm.nvvm.div.r");
    return divides ? kDivision : 1;
  }
  if (!i.isIntDivRem() && i.getOpcode() != Instruction::FDiv)
    return 1;
  if (i.isIntDivRem() && isa<Constant>(i.getOperand(1)))
    return kByConstant;
  return i.getType()->getScalarSizeInBits() > 32 ? kWideDivision : kDivision;
}

Expected<HostLoweringResult> HostLowering::run() {
  if (std::string text; options.verify && [&] {
        raw_string_ostream os(text);
        return verifyModule(module, &os);
      }())
    return createStringError("broken device module: " + text);
  findKernels();
  dropUnreachable();

  LLVMContext &context = module.getContext();
  auto *pointer = PointerType::getUnqual(context);
  current = new GlobalVariable(module, pointer, false, GlobalValue::ExternalLinkage,
                               ConstantPointerNull::get(pointer), kCurrentSymbol);
  auto *i64 = Type::getInt64Ty(context);
  budget = new GlobalVariable(module, i64, false, GlobalValue::ExternalLinkage,
                              ConstantInt::get(i64, 0), kBudgetSymbol);
  for (Function &f : module)
    for (BasicBlock &block : f)
      for (Instruction &i : block)
        blockSteps[&block] += stepsOf(i);
  numberBlocks();
  layOutShared();
  SmallVector<Function *> bodies;
  for (Function &f : module)
    if (!f.isDeclaration())
      bodies.push_back(&f);
  for (Function *f : bodies)
    rewriteFunction(*f);
  summariseKernels();
  wrapKernels();
  placeVariables();
  stripDevice();
  if (std::string text; options.verify && [&] {
        raw_string_ostream os(text);
        return verifyModule(module, &os);
      }())
    return createStringError("host lowering broke the module: " + text);
  return std::move(result);
}

} // namespace tilesmith::emulator
