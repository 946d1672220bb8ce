//===- HostCode.cpp - the code for the host in a Tile IR cubin --------------------------------===//
#include "compiler/target/HostCode.h"

#include "compiler/conversion/GPUToNVVM/GPUToNVVM.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"

#include <mutex>

extern "C" {
void LLVMInitializeX86TargetInfo(void);
void LLVMInitializeX86Target(void);
void LLVMInitializeX86TargetMC(void);
void LLVMInitializeX86AsmPrinter(void);
void LLVMInitializeAArch64TargetInfo(void);
void LLVMInitializeAArch64Target(void);
void LLVMInitializeAArch64TargetMC(void);
void LLVMInitializeAArch64AsmPrinter(void);
}

using namespace llvm;

namespace tilesmith::target {

/// Calls, which are of intrinsics only, name the functions of another module.
static void declareCallees(Function &function) {
  for (Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<CallBase>(&instruction);
    if (!call)
      continue;
    Function *callee = call->getCalledFunction();
    call->setCalledFunction(function.getParent()->getOrInsertFunction(
        callee->getName(), callee->getFunctionType(), callee->getAttributes()));
    if (callee->use_empty())
      callee->eraseFromParent();
  }
}

std::unique_ptr<Module> takeHostFunctions(Module &device) {
  std::unique_ptr<Module> host;
  SmallVector<Function *> taken;
  for (Function &function : make_early_inc_range(device)) {
    if (!function.getName().starts_with(nvgpu_ext::kHostFunctionPrefix) || function.isDeclaration())
      continue;
    if (!host)
      host = std::make_unique<Module>("tilesmith", device.getContext());
    stripDebugInfo(function);
    auto *moved = Function::Create(function.getFunctionType(), Function::ExternalLinkage,
                                   function.getName(), *host);
    moved->splice(moved->end(), &function);
    function.getArg(0)->replaceAllUsesWith(moved->getArg(0));
    function.eraseFromParent();
    taken.push_back(moved);
  }
  for (Function *function : taken)
    declareCallees(*function);
  return host;
}

static Expected<std::unique_ptr<TargetMachine>> createHostMachine(const HostSystem &system) {
  static std::once_flag initialised;
  std::call_once(initialised, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
  });
  const bool isX86 = system.arch == "x86_64";
  Triple triple(system.arch + (system.os == "windows" ? "-pc-windows-elf" : "-unknown-linux-gnu"));
  std::string message;
  const Target *target = TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return createStringError(formatv("no code for hosts of {0}: {1}", system.arch, message));
  // Whoever loads it may put code and data far apart.
  auto model = isX86 ? CodeModel::Large : CodeModel::Small;
  std::unique_ptr<TargetMachine> machine(target->createTargetMachine(
      triple, isX86 ? "x86-64" : "generic", "", TargetOptions(), Reloc::PIC_, model));
  if (!machine)
    return createStringError(formatv("no code for hosts of {0}", system.arch));
  return machine;
}

namespace {

/// Adds what the driver looks for to a module with the functions of kernels.
class Callbacks {
public:
  Callbacks(Module &host, const HostSystem &system)
      : host(host), context(host.getContext()), b(context), word(b.getInt64Ty()),
        pointer(b.getPtrTy()), null(ConstantPointerNull::get(pointer)),
        convention(system.arch == "x86_64" && system.os == "windows" ? CallingConv::Win64
                                                                     : CallingConv::C) {}

  void add(ArrayRef<KernelInfo> kernels) {
    auto *words = StructType::get(
        context, {word, pointer, pointer, pointer, word, pointer, word, word, pointer});
    copy = new GlobalVariable(host, words, /*isConstant=*/false, GlobalValue::InternalLinkage,
                              ConstantAggregateZero::get(words),
                              "__CUDA_TILEIR_CALLBACKS_ON_PRE_LOAD");
    copy->setAlignment(Align(16));
    SmallVector<Constant *> entries;
    for (const KernelInfo &kernel : kernels)
      entries.push_back(entryOf(kernel, entries.size()));
    auto *table = ArrayType::get(entryType(), entries.size());
    auto *list = constant("__CUDA_TILEIR_FUNC_CALLBACKS", ConstantArray::get(table, entries),
                          GlobalValue::InternalLinkage);
    callbacks = new GlobalVariable(host, words, /*isConstant=*/true, GlobalValue::ExternalLinkage,
                                   nullptr, "__CUDA_TILEIR_CALLBACKS");
    callbacks->setAlignment(Align(16));
    Function *preLoad = addPreLoad();
    callbacks->setInitializer(
        ConstantStruct::get(words, {number(2), null, null, null, number(64), list,
                                    number(entries.size()), number(2), preLoad}));
  }

private:
  Constant *number(uint64_t value) { return ConstantInt::get(word, value); }
  StructType *entryType() {
    return StructType::get(
        context, {pointer, pointer, pointer, pointer, pointer, pointer, pointer, pointer});
  }
  GlobalVariable *constant(const Twine &name, Constant *value, GlobalValue::LinkageTypes linkage) {
    auto *variable =
        new GlobalVariable(host, value->getType(), /*isConstant=*/true, linkage, value, name);
    variable->setAlignment(Align(16));
    return variable;
  }
  Function *function(const Twine &name, ArrayRef<Type *> arguments,
                     GlobalValue::LinkageTypes linkage) {
    auto *type = FunctionType::get(b.getInt32Ty(), arguments, /*isVarArg=*/false);
    auto *made = Function::Create(type, linkage, name, host);
    made->setCallingConv(convention);
    made->addFnAttr(Attribute::NoUnwind);
    // Numbers alone: whoever interprets the code knows no vector registers.
    made->addFnAttr(Attribute::NoImplicitFloat);
    made->setUWTableKind(UWTableKind::Async);
    b.SetInsertPoint(BasicBlock::Create(context, "", made));
    return made;
  }

  Constant *entryOf(const KernelInfo &kernel, unsigned index) {
    auto *name =
        constant("__CUDA_TILEIR_FUNC_NAME_" + Twine(index),
                 ConstantDataArray::getString(context, kernel.name), GlobalValue::InternalLinkage);
    Function *change = function("__CUDA_TILEIR_FUNC_ON_ARGUMENTS_CHANGE_" + Twine(index),
                                {pointer, pointer, pointer, pointer}, GlobalValue::InternalLinkage);
    if (Function *maps = host.getFunction(nvgpu_ext::kHostFunctionPrefix.str() + kernel.name)) {
      maps->setLinkage(GlobalValue::InternalLinkage);
      maps->addFnAttr(Attribute::AlwaysInline);
      maps->addFnAttr(Attribute::NoImplicitFloat);
      b.CreateCall(maps, {change->getArg(3)});
    }
    b.CreateRet(b.getInt32(0));
    return ConstantStruct::get(entryType(), {name, null, null, null, null, change, null, null});
  }

  /// From version 2 on, the sixth function of the driver is asked for what nobody looks at.
  Function *addPreLoad() {
    Function *made =
        function("__CUDA_TILEIR_ON_PRE_LOAD", {pointer, pointer, b.getInt32Ty(), pointer},
                 GlobalValue::ExternalLinkage);
    auto block = [&] { return BasicBlock::Create(context, "", made); };
    BasicBlock *refuse = block(), *known = block(), *ask = block(), *hand = block();
    Value *answer = b.CreateAlloca(b.getInt32Ty());
    Value *version = made->getArg(2);
    b.CreateCondBr(b.CreateICmpEQ(version, b.getInt32(0)), refuse, known);
    b.SetInsertPoint(refuse);
    b.CreateRet(b.getInt32(1));
    b.SetInsertPoint(known);
    b.CreateCondBr(b.CreateICmpSLT(version, b.getInt32(2)), hand, ask);
    b.SetInsertPoint(ask);
    auto *type = FunctionType::get(b.getInt32Ty(), {pointer, b.getInt32Ty(), pointer}, false);
    Value *place = b.CreateConstGEP1_64(b.getInt8Ty(), made->getArg(0), 48);
    CallInst *call =
        b.CreateCall(type, b.CreateLoad(pointer, place), {made->getArg(1), b.getInt32(16), answer});
    call->setCallingConv(convention);
    b.CreateBr(hand);
    b.SetInsertPoint(hand);
    b.CreateMemCpy(copy, Align(16), callbacks, Align(16), 72);
    b.CreateStore(number(0), b.CreateConstGEP1_64(b.getInt8Ty(), copy, 16));
    b.CreateStore(copy, made->getArg(3));
    b.CreateRet(b.getInt32(0));
    return made;
  }

  Module &host;
  LLVMContext &context;
  IRBuilder<> b;
  IntegerType *word;
  PointerType *pointer;
  Constant *null;
  CallingConv::ID convention;
  GlobalVariable *callbacks = nullptr, *copy = nullptr;
};

} // namespace

static void optimizeHost(Module &host, TargetMachine &machine) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager graphs;
  ModuleAnalysisManager modules;
  PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  builder.buildPerModuleDefaultPipeline(OptimizationLevel::O2).run(host, modules);
}

Expected<std::string> emitHostObject(Module &host, ArrayRef<KernelInfo> kernels,
                                     const HostSystem &system) {
  Expected<std::unique_ptr<TargetMachine>> machine = createHostMachine(system);
  if (!machine)
    return machine.takeError();
  host.setTargetTriple((*machine)->getTargetTriple());
  host.setDataLayout((*machine)->createDataLayout());
  Callbacks(host, system).add(kernels);
  optimizeHost(host, **machine);
  SmallString<0> object;
  raw_svector_ostream stream(object);
  legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, stream, nullptr, CodeGenFileType::ObjectFile))
    return createStringError(formatv("no objects for hosts of {0}", system.arch));
  passes.run(host);
  return std::string(object);
}

Error hideHostMaps(std::string &ptx, ArrayRef<KernelInfo> kernels) {
  bool any = false;
  for (const KernelInfo &kernel : kernels)
    for (uint32_t map = 0; map < kernel.hostMaps; ++map) {
      // With the blank before it: a name may be the end of another kernel's.
      std::string name =
          formatv(" {0}_param_{1}[128]", kernel.name, kernel.parameters.size() + map);
      size_t end = ptx.find(name), at = ptx.rfind(".param", end);
      if (end == std::string::npos || at == std::string::npos)
        return createStringError("expected the parameter" + name + " in the PTX of '" +
                                 kernel.name + "'");
      ptx.insert(at, ".hidden ");
      any = true;
    }
  if (size_t line = ptx.find("\n", ptx.find(".address_size")); any && line != std::string::npos)
    ptx.insert(line + 1, "\n.visible .global .align 8 .b8 ___NV_TILE_LAUNCH_META_DATA___[64];\n");
  return Error::success();
}

} // namespace tilesmith::target
