//===- MathLibrary.cpp - device math behind the __nv_* calls ----------------------------------===//
//
// Steps: collect the used `__nv_*` declarations; give them libclc bodies, or take libdevice's; link
// the needed functions, one by one and each with what it needs, from the lazily loaded library with
// reflection resolved and attributes normalised; make everything but kernels internal and drop what
// nobody calls.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/target/MathLibrary.h"

#include "compiler/target/CudaToolkit.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Utils/Local.h"

#include <cstdlib>

using namespace llvm;

namespace tilesmith::target {
namespace {

/// One libdevice function by its base name (without `__nv_` and the f32 suffix `f`).
struct ClcEntry {
  StringLiteral base;
  StringLiteral clc;       ///< OpenCL name; empty: `intrinsic`
  Intrinsic::ID intrinsic; ///< overloaded on the operand type
};

/// Names that differ between the libraries, or that IEEE makes exact. Everything else maps by equal
/// name.
const ClcEntry *lookupClcEntry(StringRef base) {
  static const ClcEntry table[] = {
      {"sqrt", "", Intrinsic::sqrt},
      {"fma", "", Intrinsic::fma},
      {"fabs", "", Intrinsic::fabs},
      {"floor", "", Intrinsic::floor},
      {"ceil", "", Intrinsic::ceil},
      {"trunc", "", Intrinsic::trunc},
      {"rint", "", Intrinsic::roundeven},
      {"nearbyint", "", Intrinsic::roundeven},
      {"round", "", Intrinsic::round},
      {"copysign", "", Intrinsic::copysign},
      {"fmax", "", Intrinsic::maximumnum},
      {"fmin", "", Intrinsic::minimumnum},
      {"powi", "pown", Intrinsic::not_intrinsic},
  };
  const ClcEntry *it = llvm::find_if(table, [&](const ClcEntry &e) { return e.base == base; });
  return it == std::end(table) ? nullptr : it;
}

std::string mangleType(Type *type) {
  if (type->isFloatTy())
    return "f";
  if (type->isDoubleTy())
    return "d";
  if (type->isIntegerTy(32))
    return "i";
  return "?";
}

/// `__nv_expf` -> ("exp", f32). The fast forms (`__nv_fast_expf`) have looser bounds, so the full
/// function serves.
StringRef baseName(StringRef name, Type *result) {
  name.consume_front("__nv_");
  name.consume_front("fast_");
  if (result->isFloatTy())
    name.consume_back("f");
  return name;
}

/// Gives the declared `__nv_*` function a body in terms of libclc.
Error defineByLibclc(Function &function) {
  Module &module = *function.getParent();
  FunctionType *type = function.getFunctionType();
  Type *result = type->getReturnType();
  StringRef base = baseName(function.getName(), result);
  // Classification functions return an i32 and carry the f32 suffix or a `d` instead.
  bool classification = result->isIntegerTy(32);
  if (classification && !base.consume_back("f"))
    base.consume_back("d");

  function.setSubprogram(nullptr); // of a declaration; a definition needs its own, or none
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", &function));
  SmallVector<Value *> arguments;
  for (Argument &argument : function.args())
    arguments.push_back(&argument);
  const ClcEntry *entry = lookupClcEntry(base);
  Value *value = nullptr;
  if (entry && entry->intrinsic != Intrinsic::not_intrinsic) {
    value = builder.CreateIntrinsic(entry->intrinsic, {result}, arguments);
  } else {
    StringRef clc = entry ? StringRef(entry->clc) : base;
    // libclc's f32 fmod treats subnormals as zero. A remainder is exact and every f32 is a normal
    // f64, so the f64 function gives the f32 result.
    bool widen = base == "fmod" && result->isFloatTy();
    if (widen) {
      Type *wide = builder.getDoubleTy();
      for (Value *&argument : arguments)
        argument = builder.CreateFPExt(argument, wide);
      type = FunctionType::get(wide, {wide, wide}, /*isVarArg=*/false);
    }
    // libclc's f64 sinh and cosh look a NaN up in their table, far outside of it.
    Value *given = nullptr;
    if ((base == "sinh" || base == "cosh") && result->isDoubleTy()) {
      given = arguments[0];
      arguments[0] = builder.CreateSelect(builder.CreateFCmpUNO(given, given),
                                          Constant::getNullValue(result), given);
    }
    // libclc's f64 sin of -0 is +0; odd functions keep the sign of zero.
    Value *odd = base == "sin" || base == "tan" || base == "sinh" || base == "tanh"
                     ? function.getArg(0)
                     : nullptr;
    std::string mangled = formatv("_Z{0}{1}", clc.size(), clc);
    for (Type *operand : type->params())
      mangled += mangleType(operand);
    FunctionCallee callee = module.getOrInsertFunction(mangled, type);
    value = builder.CreateCall(callee, arguments);
    if (widen)
      value = builder.CreateFPTrunc(value, result);
    if (given)
      value = builder.CreateSelect(builder.CreateFCmpUNO(given, given), given, value);
    if (odd)
      value = builder.CreateSelect(builder.CreateFCmpOEQ(odd, Constant::getNullValue(result)), odd,
                                   value);
  }
  builder.CreateRet(value);
  function.addFnAttr(Attribute::AlwaysInline);
  return Error::success();
}

/// The library without function bodies (they are read when linked). Cached per process as bytes.
Expected<std::unique_ptr<Module>> loadLibrary(const std::string &path, LLVMContext &context) {
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<MemoryBuffer>> cache;
  std::unique_lock<std::mutex> lock(mutex);
  std::unique_ptr<MemoryBuffer> &buffer = cache[path];
  if (!buffer) {
    ErrorOr<std::unique_ptr<MemoryBuffer>> read =
        MemoryBuffer::getFile(path, /*IsText=*/false, false);
    if (!read)
      return createStringError(formatv("cannot read '{0}': {1}", path, read.getError().message()));
    buffer = std::move(*read);
  }
  MemoryBufferRef bytes = *buffer;
  lock.unlock();
  Expected<std::unique_ptr<Module>> library =
      getLazyBitcodeModule(bytes, context, /*ShouldLazyLoadMetadata=*/true);
  if (!library)
    return createStringError(
        formatv("cannot read '{0}': {1}", path, toString(library.takeError())));
  return library;
}

/// The text argument of a `__nvvm_reflect` call.
StringRef reflectedName(const CallBase &call) {
  auto *global = dyn_cast<GlobalVariable>(call.getArgOperand(0)->stripPointerCasts());
  auto *data = global && global->hasInitializer()
                   ? dyn_cast<ConstantDataSequential>(global->getInitializer())
                   : nullptr;
  return data && data->isCString() ? data->getAsCString() : StringRef();
}

/// Folds what has become constant and drops the branches that are not taken: of most library
/// functions that is half.
void foldConstants(Function &function) {
  const DataLayout &layout = function.getParent()->getDataLayout();
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (Constant *folded = ConstantFoldInstruction(&instruction, layout)) {
      instruction.replaceAllUsesWith(folded);
      if (isInstructionTriviallyDead(&instruction))
        instruction.eraseFromParent();
    }
  for (BasicBlock &block : function)
    ConstantFoldTerminator(&block);
  removeUnreachableBlocks(function);
}

void resolveReflection(Module &module, unsigned cudaArch) {
  SmallSetVector<Function *, 8> changed;
  for (StringRef name : {"__nvvm_reflect", "llvm.nvvm.reflect"}) {
    Function *reflect = module.getFunction(name);
    if (!reflect)
      continue;
    for (User *user : make_early_inc_range(reflect->users())) {
      auto *call = dyn_cast<CallBase>(user);
      if (!call)
        continue;
      uint64_t value = StringSwitch<uint64_t>(reflectedName(*call))
                           .Case("__CUDA_ARCH", cudaArch)
                           .Cases({"__CUDA_PREC_SQRT", "__CUDA_PREC_DIV"}, 1)
                           .Default(0);
      changed.insert(call->getFunction());
      call->replaceAllUsesWith(ConstantInt::get(call->getType(), value));
      call->eraseFromParent();
    }
    if (reflect->use_empty())
      reflect->eraseFromParent();
  }
  for (Function *function : changed)
    foldConstants(*function);
}

/// See the header: what the libraries leave to the target is fixed here.
void normalise(Function &function) {
  AttributeMask remove;
  for (StringRef attribute :
       {"target-cpu", "target-features", "frame-pointer", "stack-protector-buffer-size"})
    remove.addAttribute(attribute);
  function.removeFnAttrs(remove);
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    instruction.setMetadata(LLVMContext::MD_fpmath, nullptr);
    auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
    if (!intrinsic || intrinsic->getIntrinsicID() != Intrinsic::fmuladd)
      continue;
    IRBuilder<> builder(intrinsic);
    Value *fused = builder.CreateIntrinsic(
        Intrinsic::fma, {intrinsic->getType()},
        {intrinsic->getArgOperand(0), intrinsic->getArgOperand(1), intrinsic->getArgOperand(2)});
    intrinsic->replaceAllUsesWith(fused);
    intrinsic->eraseFromParent();
  }
}

/// One function of the library and what it needs, ready to be linked: reflection resolved, every
/// definition mergeable with the same one of another part. Null: the library has no such function.
/// Even a lazily read library is a table of hundreds of functions; a process that compiles many
/// kernels asks for the same few again.
Expected<std::unique_ptr<Module>> loadFunction(const std::string &path, StringRef name,
                                               unsigned cudaArch, LLVMContext &context) {
  static std::mutex mutex;
  static std::map<std::string, SmallVector<char, 0>> parts; // bitcode by path, target and name
  std::lock_guard lock(mutex);
  auto [it, isNew] = parts.try_emplace(formatv("{0}|{1}|{2}", path, cudaArch, name).str());
  SmallVector<char, 0> &bitcode = it->second;
  if (isNew) {
    LLVMContext own;
    Expected<std::unique_ptr<Module>> library = loadLibrary(path, own);
    if (!library) {
      parts.erase(it);
      return library.takeError();
    }
    Module part((*library)->getModuleIdentifier(), own);
    part.setTargetTriple((*library)->getTargetTriple());
    part.setDataLayout((*library)->getDataLayout());
    if (Function *function = (*library)->getFunction(name);
        function && !function->isDeclaration()) {
      part.getOrInsertFunction(name, function->getFunctionType());
      if (Linker::linkModules(part, std::move(*library), Linker::LinkOnlyNeeded)) {
        parts.erase(it);
        return createStringError(formatv("cannot link '{0}'", path));
      }
      // Library module flags say nothing about our kernels and would only be merged in.
      for (StringRef metadata : {"llvm.module.flags", "llvm.ident", "opencl.ocl.version",
                                 "opencl.spir.version", "nvvmir.version"})
        if (NamedMDNode *node = part.getNamedMetadata(metadata))
          node->eraseFromParent();
      resolveReflection(part, cudaArch);
      for (GlobalObject &object : part.global_objects())
        if (!object.isDeclaration())
          object.setLinkage(GlobalValue::LinkOnceODRLinkage);
      for (Function &linked : part)
        if (!linked.isDeclaration())
          normalise(linked);
      raw_svector_ostream stream(bitcode);
      WriteBitcodeToFile(part, stream);
    }
  }
  if (bitcode.empty())
    return nullptr;
  return parseBitcodeFile(MemoryBufferRef(StringRef(bitcode.data(), bitcode.size()), path),
                          context);
}

Error linkNeeded(Module &module, const std::string &path, unsigned cudaArch) {
  SmallVector<std::string> names;
  for (Function &function : module)
    if (function.isDeclaration() && !function.isIntrinsic())
      names.push_back(function.getName().str());
  sort(names);
  for (const std::string &name : names) {
    Expected<std::unique_ptr<Module>> part =
        loadFunction(path, name, cudaArch, module.getContext());
    if (!part)
      return part.takeError();
    if (!*part)
      continue;
    (*part)->setTargetTriple(module.getTargetTriple());
    (*part)->setDataLayout(module.getDataLayout());
    if (Linker::linkModules(module, std::move(*part), Linker::LinkOnlyNeeded))
      return createStringError(formatv("cannot link '{0}'", path));
  }
  for (GlobalVariable &global : module.globals())
    if (global.hasLinkOnceODRLinkage())
      global.setLinkage(GlobalValue::InternalLinkage);
  return Error::success();
}

Error checkResolved(Module &module, StringRef library) {
  for (Function &function : module)
    if (function.isDeclaration() && !function.isIntrinsic() && !function.use_empty() &&
        (function.getName().starts_with("__nv_") || function.getName().starts_with("_Z")))
      return createStringError(formatv("{0} has no '{1}'", library, function.getName()));
  return Error::success();
}

/// Everything but kernels becomes internal, then what is unreachable goes.
void internalise(Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration() && function.getCallingConv() != CallingConv::PTX_Kernel)
      function.setLinkage(GlobalValue::InternalLinkage);
  ModuleAnalysisManager analyses;
  GlobalDCEPass().run(module, analyses);
}

} // namespace

char MathLibraryNotFound::ID = 0;

std::optional<MathLibraryKind> parseMathLibraryKind(StringRef text) {
  return StringSwitch<std::optional<MathLibraryKind>>(text)
      .Case("auto", MathLibraryKind::Auto)
      .Case("libdevice", MathLibraryKind::Libdevice)
      .Case("libclc", MathLibraryKind::Libclc)
      .Default(std::nullopt);
}

StringRef spelling(MathLibraryKind kind) {
  switch (kind) {
  case MathLibraryKind::Auto:
    return "auto";
  case MathLibraryKind::Libdevice:
    return "libdevice";
  case MathLibraryKind::Libclc:
    return "libclc";
  }
  llvm_unreachable("all kinds are listed");
}

Expected<std::string> findLibclc() {
  const char *chosen = std::getenv("TILESMITH_LIBCLC");
  std::string path = chosen && *chosen ? chosen : "/usr/lib/clc/nvptx64--.bc";
  if (!sys::fs::exists(path))
    return make_error<MathLibraryNotFound>(
        formatv("libclc not found, looked for {0} (package libclc-22)", path));
  return path;
}

Expected<std::string> linkMathLibrary(Module &module, const MathLibraryOptions &options) {
  std::string library;
  SmallVector<Function *> needed;
  for (Function &function : module)
    if (function.isDeclaration() && function.getName().starts_with("__nv_"))
      needed.push_back(&function);
  if (!needed.empty()) {
    bool useClc = options.kind == MathLibraryKind::Libclc;
    Expected<std::string> path = useClc ? findLibclc() : findLibdevice(options.cudaPath);
    if (!path && options.kind == MathLibraryKind::Auto) {
      std::string reason = toString(path.takeError());
      useClc = true;
      path = findLibclc();
      if (!path)
        return make_error<MathLibraryNotFound>(
            formatv("{0}; {1}", reason, toString(path.takeError())));
    }
    if (!path)
      return path.takeError();
    if (useClc)
      for (Function *function : needed)
        if (Error error = defineByLibclc(*function))
          return std::move(error);
    if (Error error = linkNeeded(module, *path, options.cudaArch))
      return std::move(error);
    library = spelling(useClc ? MathLibraryKind::Libclc : MathLibraryKind::Libdevice).str();
    if (Error error = checkResolved(module, library))
      return std::move(error);
  }
  internalise(module);
  return library;
}

} // namespace tilesmith::target
