//===- PTX.cpp - optimising a device module and printing PTX ----------------------------------===//
#include "compiler/target/PTX.h"

#include "compiler/conversion/GPUToNVVM/GPUToNVVM.h"
#include "compiler/support/Plants.h"
#include "compiler/target/CarriedValues.h"
#include "compiler/target/LaunchMetadata.h"
#include "compiler/target/OrderedAtomics.h"
#include "compiler/target/TargetMachine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/KnownFPClass.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Vectorize/VectorCombine.h"

using namespace llvm;

namespace tilesmith::target {

void makeSharedMemoryStatic(Module &module) {
  GlobalVariable *array = module.getGlobalVariable(kSharedMemoryName, /*AllowInternal=*/true);
  if (!array)
    return;
  uint32_t bytes = 1;
  for (const KernelInfo &kernel : readKernels(module))
    bytes = std::max(bytes, kernel.sharedBytes);
  Type *type = ArrayType::get(Type::getInt8Ty(module.getContext()), bytes);
  auto *sized = new GlobalVariable(module, type, /*isConstant=*/false, GlobalValue::InternalLinkage,
                                   UndefValue::get(type), "", array, GlobalValue::NotThreadLocal,
                                   array->getAddressSpace());
  sized->setAlignment(array->getAlign());
  sized->takeName(array);
  array->replaceAllUsesWith(sized);
  array->eraseFromParent();
}

namespace {
/// A loop that LLVM does not unroll as it was asked to is no concern of whoever compiles a kernel.
struct IgnoreMissedTransformations : DiagnosticHandler {
  bool handleDiagnostics(const DiagnosticInfo &info) override {
    return info.getKind() == DK_OptimizationFailure;
  }
};
} // namespace

/// Whether a loop with a barrier (or anything else that a warp does together) has several exits.
/// SimplifyCFG leads threads whose next branch is known past the head of such a loop: they loop among
/// themselves then, through the same barrier. A turn that LoopUnroll peels off that inner loop has a
/// barrier of its own, at which not all threads of a warp arrive.
static bool hasConvergentLoopOfManyExits(const Function &function) {
  DominatorTree dominators(const_cast<Function &>(function));
  LoopInfo loops(dominators);
  return any_of(loops.getLoopsInPreorder(), [](const Loop *loop) {
    return !loop->getExitingBlock() && any_of(loop->blocks(), [](const BasicBlock *block) {
      return any_of(*block, [](const Instruction &instruction) {
        auto *call = dyn_cast<CallBase>(&instruction);
        return call && call->isConvergent();
      });
    });
  });
}

Error optimizeForPTX(Module &module, StringRef gpuName, unsigned optLevel) {
  module.getContext().setDiagnosticHandler(std::make_unique<IgnoreMissedTransformations>());
  Expected<const GpuTarget *> gpu = getGpuTarget(gpuName);
  if (!gpu)
    return gpu.takeError();
  Expected<std::unique_ptr<TargetMachine>> machine = createTargetMachine(**gpu, optLevel);
  if (!machine)
    return machine.takeError();

  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager graphs;
  ModuleAnalysisManager modules;
  // VectorCombine takes a vector load apart whose elements are used one by one; where these uses are
  // in blocks of their own, the backend does not put it together again.
  PassInstrumentationCallbacks callbacks;
  callbacks.registerShouldRunOptionalPassCallback([](StringRef pass, Any ir) {
    if (pass == LoopUnrollPass::name())
      if (auto *function = any_cast<const Function *>(&ir))
        return !hasConvergentLoopOfManyExits(**function);
    return pass != VectorCombinePass::name();
  });
  PassBuilder builder(machine->get(), PipelineTuningOptions(), std::nullopt, &callbacks);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);

  if (optLevel == 3 && TILESMITH_PLANT("cost-optimizer-left-out"))
    optLevel = 0;
  if (optLevel == 3 && module.getInstructionCount() > 600 &&
      TILESMITH_PLANT("cost-optimizer-gives-up"))
    optLevel = 0;
  OptimizationLevel level = optLevel == 0   ? OptimizationLevel::O0
                            : optLevel == 1 ? OptimizationLevel::O1
                            : optLevel == 2 ? OptimizationLevel::O2
                                            : OptimizationLevel::O3;
  ModulePassManager passes = optLevel == 0 ? builder.buildO0DefaultPipeline(level)
                                           : builder.buildPerModuleDefaultPipeline(level);
  passes.run(module, modules);
  return Error::success();
}

void addTileIRLaunchMark(std::string &ptx) {
  constexpr StringLiteral minimum = "9.2";
  std::string marked;
  bool inKernelHead = false; // between `.entry` and the `{` of its body
  StringRef rest = ptx;
  while (!rest.empty()) {
    auto [line, tail] = rest.split('\n');
    bool lastLine = line.size() == rest.size();
    rest = tail;
    unsigned major = 0, minor = 0;
    StringRef number = line;
    if (number.consume_front(".version ") && !number.consumeInteger(10, major) &&
        number.consume_front(".") && !number.consumeInteger(10, minor) &&
        std::make_pair(major, minor) < std::make_pair(9u, 2u)) {
      marked += (".version " + minimum + "\n").str();
      continue;
    }
    inKernelHead |= line.contains(".entry ");
    if (inKernelHead && line.starts_with("{")) {
      marked += ".language 7\n";
      inKernelHead = false;
    }
    marked += line;
    if (!lastLine)
      marked += '\n';
  }
  ptx = std::move(marked);
}

/// A name as PTX spells it: a letter and more, or one of `_$%` and at least one more.
static bool isPTXIdentifier(StringRef name) {
  auto follows = [](char c) { return isAlnum(c) || c == '_' || c == '$'; };
  return !name.empty() && all_of(name.drop_front(), follows) &&
         (isAlpha(name[0]) || (StringRef("_$%").contains(name[0]) && name.size() > 1));
}

/// The backend aborts on names that it cannot print. Local names are its own matter.
static Error checkNames(const Module &module) {
  for (const Function &function : module)
    if (!function.isDeclaration() && !function.hasLocalLinkage() &&
        !isPTXIdentifier(function.getName())) {
      std::string escaped;
      raw_string_ostream(escaped).write_escaped(function.getName().take_front(80));
      return createStringError("function name '" + escaped +
                               "' is not a PTX identifier: expected letters, digits, '_' and '$'");
    }
  return Error::success();
}

/// A variable that the host could ask for by name, but whose name PTX cannot spell, becomes a local
/// one, which the backend names anew.
static void hideUnspeakableVariables(Module &module) {
  for (GlobalVariable &variable : module.globals())
    if (!variable.isDeclaration() && !isPTXIdentifier(variable.getName()))
      variable.setLinkage(GlobalValue::InternalLinkage);
}

/// An integer of 32 or 64 bits as bf16, rounded once: to f32 toward zero, the last bit set when that
/// was not exact, then to the nearest bf16.
static Value *roundOnce(IRBuilder<> &b, Value *x, bool isSigned) {
  const bool wide = x->getType()->getIntegerBitWidth() > 32;
  Type *integer = wide ? b.getInt64Ty() : b.getInt32Ty();
  x = isSigned ? b.CreateSExt(x, integer) : b.CreateZExt(x, integer);
  Value *toward =
      b.CreateIntrinsic(wide       ? isSigned ? Intrinsic::nvvm_ll2f_rz : Intrinsic::nvvm_ull2f_rz
                        : isSigned ? Intrinsic::nvvm_i2f_rz
                                   : Intrinsic::nvvm_ui2f_rz,
                        {}, {x});
  Value *back = isSigned ? b.CreateFPToSI(toward, integer) : b.CreateFPToUI(toward, integer);
  Value *lost = b.CreateZExt(b.CreateICmpNE(back, x), b.getInt32Ty());
  Value *odd = b.CreateOr(b.CreateBitCast(toward, b.getInt32Ty()), lost);
  return b.CreateFPTrunc(b.CreateBitCast(odd, b.getFloatTy()), b.getBFloatTy());
}

/// The backend makes bf16 of an integer through f32 where the GPU cannot do it in one step, and
/// rounds twice. LLVM's optimiser turns every other way of saying it into this conversion, so that
/// it is replaced here, behind the optimiser.
static void convertIntegersToBF16Once(Module &module) {
  SmallVector<CastInst *> conversions;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (isa<SIToFPInst, UIToFPInst>(instruction) &&
          instruction.getType()->getScalarType()->isBFloatTy() &&
          instruction.getOperand(0)->getType()->getScalarSizeInBits() > 24)
        conversions.push_back(cast<CastInst>(&instruction));
  for (CastInst *conversion : conversions) {
    IRBuilder<> b(conversion);
    const bool isSigned = isa<SIToFPInst>(conversion);
    Value *from = conversion->getOperand(0), *result = nullptr;
    if (auto *type = dyn_cast<FixedVectorType>(conversion->getType())) {
      result = PoisonValue::get(type);
      for (unsigned i = 0; i < type->getNumElements(); ++i)
        result = b.CreateInsertElement(result,
                                       roundOnce(b, b.CreateExtractElement(from, i), isSigned), i);
    } else {
      result = roundOnce(b, from, isSigned);
    }
    conversion->replaceAllUsesWith(result);
    conversion->eraseFromParent();
  }
}

/// LLVM 22 gives i1 converted to bf16 as a signed number the value 1, where the GPU converts in one
/// step. Its optimiser makes this conversion of wider ones, so that it is replaced behind it.
static void selectSignedBitsAsBF16(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      auto *conversion = dyn_cast<SIToFPInst>(&instruction);
      if (!conversion || !conversion->getType()->getScalarType()->isBFloatTy() ||
          !conversion->getOperand(0)->getType()->isIntOrIntVectorTy(1))
        continue;
      IRBuilder<> b(conversion);
      conversion->replaceAllUsesWith(b.CreateSelect(conversion->getOperand(0),
                                                    ConstantFP::get(conversion->getType(), -1),
                                                    ConstantFP::get(conversion->getType(), 0)));
      conversion->eraseFromParent();
    }
}

/// bf16 widens to f32 by zeros behind it. Of a vector, whose elements share words, the upper half of a word
/// takes one instruction then, a mask; selected one by one it is moved to a register of its own first. GPUs
/// that add pairs of f32 add a bf16 to f32 as well, without widening it (FHADD): sums stay as they are there.
static void widenHalvesInTheirWords(Module &module, bool addsHalves) {
  auto isSum = [](const User *user) {
    const auto *operation = dyn_cast<BinaryOperator>(user);
    return operation && (operation->getOpcode() == Instruction::FAdd ||
                         operation->getOpcode() == Instruction::FSub);
  };
  for (Function &function : module) {
    SmallDenseMap<Value *, Value *> words;
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      auto *widened = dyn_cast<FPExtInst>(&instruction);
      auto *half = widened ? dyn_cast<ExtractElementInst>(widened->getOperand(0)) : nullptr;
      auto *number = half ? dyn_cast<ConstantInt>(half->getIndexOperand()) : nullptr;
      auto *type = half ? dyn_cast<FixedVectorType>(half->getVectorOperandType()) : nullptr;
      if (!number || !type || !type->getElementType()->isBFloatTy() ||
          !widened->getType()->isFloatTy() || type->getNumElements() % 2 ||
          (addsHalves && any_of(widened->users(), isSum)))
        continue;
      IRBuilder<> b(half);
      Value *&whole = words[half->getVectorOperand()];
      if (auto *vector = dyn_cast<Instruction>(half->getVectorOperand()); vector && !whole) {
        std::optional<BasicBlock::iterator> behind = vector->getInsertionPointAfterDef();
        if (!behind)
          continue;
        whole = IRBuilder<>((*behind)->getParent(), *behind)
                    .CreateBitCast(
                        vector, FixedVectorType::get(b.getInt32Ty(), type->getNumElements() / 2));
      }
      if (!whole)
        continue;
      b.SetInsertPoint(widened);
      Value *word = b.CreateExtractElement(whole, number->getZExtValue() / 2);
      const bool isUpper =
          number->getZExtValue() % 2 && !TILESMITH_PLANT("ptx-upper-half-as-lower");
      Value *bits = isUpper ? b.CreateAnd(word, 0xffff0000u) : b.CreateShl(word, 16);
      widened->replaceAllUsesWith(b.CreateBitCast(bits, b.getFloatTy()));
      widened->eraseFromParent();
      if (half->use_empty())
        half->eraseFromParent();
    }
  }
}

/// LLVM 22 prints what a variable of f16 or bf16 begins with as a number of 64 bits, of which ptxas
/// takes the lower 16: zero. As integers they are printed right.
static void printHalvesAsIntegers(Module &module) {
  for (GlobalVariable &variable : make_early_inc_range(module.globals())) {
    if (!variable.getValueType()->is16bitFPTy() || !variable.hasInitializer())
      continue;
    Type *word = Type::getInt16Ty(module.getContext());
    Constant *begins = variable.getInitializer();
    if (auto *number = dyn_cast<ConstantFP>(begins))
      begins = ConstantInt::get(word, number->getValueAPF().bitcastToAPInt());
    else
      begins = isa<UndefValue>(begins) ? UndefValue::get(word) : Constant::getNullValue(word);
    auto *integer =
        new GlobalVariable(module, word, variable.isConstant(), variable.getLinkage(), begins, "",
                           &variable, variable.getThreadLocalMode(), variable.getAddressSpace());
    integer->copyAttributesFrom(&variable);
    integer->takeName(&variable);
    variable.replaceAllUsesWith(integer);
    variable.eraseFromParent();
  }
}

/// LLVM 22 selects an atomic load of a constant as one through the read-only cache, which has no
/// form for it, and dies. What is loaded so is no constant to the selection.
static void loadAtomicsFromVariables(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : instructions(function)) {
      auto *load = dyn_cast<LoadInst>(&instruction);
      if (!load || !load->isAtomic())
        continue;
      SmallVector<const Value *> objects;
      getUnderlyingObjects(load->getPointerOperand(), objects, nullptr, /*MaxLookup=*/0);
      for (const Value *object : objects)
        if (auto *variable = dyn_cast<GlobalVariable>(object))
          const_cast<GlobalVariable *>(variable)->setConstant(false);
    }
}

/// Products of two pairs from which the value may come, whole or half.
static void collectPackedProducts(Value *value, SetVector<Instruction *> &products) {
  SmallVector<Value *> work{value};
  SmallPtrSet<Value *, 8> seen;
  while (!work.empty()) {
    auto *from = dyn_cast<Instruction>(work.pop_back_val());
    if (!from || !seen.insert(from).second)
      continue;
    if (from->getOpcode() == Instruction::FMul && from->getType()->isVectorTy())
      products.insert(from);
    else if (isa<UnaryOperator, InsertElementInst, ExtractElementInst, ShuffleVectorInst,
                 SelectInst, PHINode, FreezeInst, BitCastInst>(from))
      work.append(from->value_op_begin(), from->value_op_end());
  }
}

/// ptxas 13.0 makes one fma.f32x2, which rounds once, of a mul.rn.f32x2 and the add.rn.f32x2 or
/// sub.rn.f32x2 of its result, although both name their rounding (13.5 does not). So the product
/// becomes a fused one with -0, which rounds the same number, and the -0 one that ptxas does not
/// know: the upper bit of %lanemask_ge, which is set for every lane.
static void hidePackedProductsFromSums(Module &module) {
  for (Function &function : module) {
    SetVector<Instruction *> products;
    for (Instruction &instruction : instructions(function)) {
      auto *type = dyn_cast<FixedVectorType>(instruction.getType());
      auto *call = dyn_cast<IntrinsicInst>(&instruction);
      bool isSum = instruction.getOpcode() == Instruction::FAdd ||
                   instruction.getOpcode() == Instruction::FSub ||
                   (call && call->getIntrinsicID() == Intrinsic::fma);
      if (type && type->getElementType()->isFloatTy() && isSum)
        for (Value *operand : instruction.operand_values())
          collectPackedProducts(operand, products);
    }
    if (products.empty())
      continue;
    IRBuilder<> b(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    Value *mask = b.CreateIntrinsic(b.getInt32Ty(), Intrinsic::nvvm_read_ptx_sreg_lanemask_ge, {});
    Value *zero = b.CreateBitCast(b.CreateAnd(mask, 0x80000000u), b.getFloatTy());
    SmallDenseMap<Type *, Value *> zeros;
    for (Instruction *product : products) {
      auto *type = cast<FixedVectorType>(product->getType());
      Value *&splat = zeros[type];
      if (!splat) {
        b.SetInsertPoint(cast<Instruction>(zero)->getNextNode());
        splat = b.CreateVectorSplat(type->getElementCount(), zero);
      }
      IRBuilder<> at(product);
      at.setFastMathFlags(product->getFastMathFlags());
      Value *fused = at.CreateIntrinsic(Intrinsic::fma, {type},
                                        {product->getOperand(0), product->getOperand(1), splat});
      product->replaceAllUsesWith(fused);
      product->eraseFromParent();
    }
  }
}

/// Whether the value is a NaN where it is negative.
static bool isNeverNegative(const Value *value, const DataLayout &layout, unsigned depth = 0) {
  if (auto *call = dyn_cast<IntrinsicInst>(value))
    if (is_contained({Intrinsic::nvvm_ex2_approx, Intrinsic::nvvm_ex2_approx_ftz,
                      Intrinsic::nvvm_fabs, Intrinsic::nvvm_fabs_ftz},
                     call->getIntrinsicID()))
      return true;
  auto *operation = dyn_cast<Instruction>(value);
  const bool keepsSigns = operation && (operation->getOpcode() == Instruction::FAdd ||
                                        isa<FPExtInst, FPTruncInst>(value));
  if (keepsSigns && depth < MaxAnalysisRecursionDepth)
    return all_of(operation->operand_values(), [&](const Value *operand) {
      return isNeverNegative(operand, layout, depth + 1);
    });
  return computeKnownFPClass(value, layout).cannotBeOrderedLessThanZero();
}

/// ptxas 13.5 takes a magnitude, a square or a power of two for greater than a negative number even
/// where it is a NaN (oracles/external/notes.md, 38). Whether it is a number decides.
static void compareMagnitudesAsNumbers(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : instructions(function)) {
      auto *compare = dyn_cast<FCmpInst>(&instruction);
      if (!compare)
        continue;
      Value *number = compare->getOperand(0), *bound = compare->getOperand(1);
      CmpInst::Predicate predicate = compare->getPredicate();
      if (isa<Constant>(number)) {
        std::swap(number, bound);
        predicate = CmpInst::getSwappedPredicate(predicate);
      }
      const APFloat *constant = nullptr;
      if ((predicate != CmpInst::FCMP_OGT && predicate != CmpInst::FCMP_OGE) ||
          !PatternMatch::match(bound, PatternMatch::m_APFloat(constant)) || constant->isNaN() ||
          constant->isZero() || !constant->isNegative() ||
          !isNeverNegative(number, module.getDataLayout()))
        continue;
      compare->setPredicate(CmpInst::FCMP_ORD);
      compare->setOperand(0, number);
      compare->setOperand(1, number);
    }
}

/// Faults between the IR, which the emulator runs, and the machine code.
static void plantInText(std::string &ptx) {
  auto replaceAll = [&](StringRef from, StringRef to) {
    for (size_t at = 0; (at = ptx.find(from, at)) != std::string::npos; at += to.size())
      ptx.replace(at, from.size(), to.str());
  };
  if (size_t at = ptx.find(".version "); TILESMITH_PLANT("ptx-version-too-low"))
    ptx.replace(at, ptx.find('\n', at) - at, ".version 6.3");
  if (TILESMITH_PLANT("ptx-barriers-dropped"))
    replaceAll("bar.sync \t0;", "");
  if (TILESMITH_PLANT("ptx-copy-waits-short"))
    for (char count : {'2', '1', '0'})
      replaceAll(std::string("cp.async.wait_group \t") + count,
                 std::string("cp.async.wait_group \t") + char(count + 1));
  if (TILESMITH_PLANT("ptx-shifts-unsigned"))
    replaceAll("\tshr.s", "\tshr.u");
  if (TILESMITH_PLANT("ptx-half-toward-zero"))
    replaceAll("\tcvt.rn.f16.f32", "\tcvt.rz.f16.f32");
  if (TILESMITH_PLANT("ptx-subnormals-flushed"))
    replaceAll("\tmul.rn.f32", "\tmul.rn.ftz.f32");
  if (TILESMITH_PLANT("ptx-less-as-less-equal"))
    replaceAll("\tsetp.lt.f", "\tsetp.le.f");
  if (TILESMITH_PLANT("ptx-products-high"))
    replaceAll("\tmul.lo.s", "\tmul.hi.s");
  if (TILESMITH_PLANT("ptx-matrix-halves-swapped")) // the second and third register of A
    for (size_t at = 0; (at = ptx.find("mma.sync.", at)) != std::string::npos; ++at) {
      const size_t open = ptx.find('{', ptx.find('}', at));
      const size_t second = ptx.find('%', ptx.find('%', open) + 1),
                   third = ptx.find('%', second + 1);
      const size_t end = ptx.find_first_of(",}", third), comma = ptx.find(',', second);
      if (third > ptx.find('}', open))
        continue;
      const std::string a = ptx.substr(second, comma - second), b = ptx.substr(third, end - third);
      ptx.replace(second, end - second, b + ", " + a);
    }
}

/// The PTX version that the module needs on any GPU.
static unsigned versionWanted(const Module &module) {
  unsigned version = 0;
  for (const Function &f : module)
    if (f.hasFnAttribute("nvvm.blocksareclusters")) // grids that count clusters
      version = std::max(version, 90u);
    else if (f.hasFnAttribute(kHostMapsFnAttr) || // hidden parameters
             (f.getName().starts_with("llvm.nvvm.tcgen05.mma.") &&
              f.getName().contains(".block_scale")) || // blocks of 32
             // LLVM knows it from 8.7 on, for sm_100f and sm_103a from 8.8.
             f.getName().starts_with("llvm.nvvm.tensormap.replace.swizzle.atomicity"))
      version = std::max(version, 88u);
  return version;
}

Expected<std::string> emitPTX(Module &module, StringRef gpuName, unsigned optLevel) {
  Expected<const GpuTarget *> gpu = getGpuTarget(gpuName);
  if (!gpu)
    return gpu.takeError();
  GpuTarget wanted = **gpu;
  wanted.ptxVersion = std::max(wanted.ptxVersion, versionWanted(module));
  Expected<std::unique_ptr<TargetMachine>> machine = createTargetMachine(wanted, optLevel);
  if (!machine)
    return machine.takeError();
  if (Error error = checkNames(module))
    return error;
  hideUnspeakableVariables(module);
  if (!wanted.has(Feature::BF16Arithmetic) && !TILESMITH_PLANT("ptx-integers-to-bf16-twice"))
    convertIntegersToBF16Once(module);
  if (!TILESMITH_PLANT("ptx-bit-to-bf16-unsigned"))
    selectSignedBitsAsBF16(module);
  widenHalvesInTheirWords(module, wanted.has(Feature::PackedF32));
  if (!TILESMITH_PLANT("ptx-atomics-unordered"))
    spellOrderedAtomics(module, wanted);
  if (!TILESMITH_PLANT("ptx-half-variables-zero"))
    printHalvesAsIntegers(module);
  loadAtomicsFromVariables(module);
  if (wanted.has(Feature::PackedF32) && !TILESMITH_PLANT("ptx-packed-products-contracted"))
    hidePackedProductsFromSums(module);
  compareMagnitudesAsNumbers(module);
  beginCarriedValues(module);
  if (TILESMITH_PLANT("ptx-contracts-multiply-add"))
    (*machine)->Options.AllowFPOpFusion = FPOpFusion::Fast;
  SmallString<0> text;
  raw_svector_ostream stream(text);
  legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, stream, nullptr, CodeGenFileType::AssemblyFile))
    return createStringError(formatv("the backend for '{0}' cannot print PTX", (*gpu)->chip));
  passes.run(module);
  std::string ptx(text);
  plantInText(ptx);
  return ptx;
}

} // namespace tilesmith::target
