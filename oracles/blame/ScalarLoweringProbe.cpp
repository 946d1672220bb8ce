//===- ScalarLoweringProbe.cpp - scalar operations of the last conversion, one by one ---------===//
#include "oracles/blame/ScalarLoweringProbe.h"

#include "compiler/conversion/GPUToNVVM/GPUToNVVM.h"
#include "compiler/pipeline/Pipeline.h"
#include "compiler/pipeline/Registration.h"
#include "oracles/devices/emulator/Emulator.h"
#include "oracles/engines/ModuleLoader.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/Pass/PassManager.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

constexpr unsigned kThreads = 128; // one set of numbers each

bool isScalar(Type type) {
  return type.isInteger(1) || type.isInteger(8) || type.isInteger(16) || type.isInteger(32) ||
         type.isInteger(64) || type.isF16() || type.isBF16() || type.isF32() || type.isF64();
}

/// Operations with one right result; functions of math are approximated on both sides.
bool isExact(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (name.consume_front("math."))
    return llvm::is_contained<StringRef>({"absf", "absi", "ceil", "copysign", "ctlz", "ctpop",
                                          "cttz", "floor", "fma", "roundeven", "trunc"},
                                         name);
  return name.starts_with("arith.");
}

bool canAsk(Operation *op) {
  return isExact(op) && op->getNumOperands() > 0 && op->getNumResults() == 1 &&
         op->getNumRegions() == 0 && llvm::all_of(op->getOperandTypes(), isScalar) &&
         isScalar(op->getResult(0).getType());
}

/// The name of an operation without its operands: what decides how it is lowered.
std::string keyOf(Operation *op) {
  std::string key;
  llvm::raw_string_ostream sink(key);
  sink << op->getName();
  for (Type type : op->getOperandTypes())
    sink << ' ' << type;
  sink << " -> " << op->getResult(0).getType() << ' ' << op->getAttrDictionary();
  return key;
}

/// The numbers of an operand in a set: ends of the range, small ones, halves, arbitrary bits.
APInt bitsFor(Type type, unsigned set, unsigned operand) {
  unsigned width = type.getIntOrFloatBitWidth();
  unsigned choice = operand == 0 ? set % 12 : operand == 1 ? set / 12 % 11 : (set * 7 + 3) % 12;
  uint64_t noise = (set + 1) * 0x9e3779b97f4a7c15ull ^ (operand + 1) * 0xc2b2ae3d27d4eb4full;
  noise ^= noise >> 29;
  if (auto real = dyn_cast<FloatType>(type)) {
    static constexpr double kNumbers[] = {0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 1e-3, 100.25, -7.0};
    APFloat number(choice < 10 ? kNumbers[choice] : 1.0);
    bool inexact;
    number.convert(real.getFloatSemantics(), APFloat::rmNearestTiesToEven, &inexact);
    if (choice >= 10)
      return APInt(width, noise, false, /*implicitTrunc=*/true);
    return number.bitcastToAPInt();
  }
  static constexpr int64_t kNumbers[] = {0, 1, -1, 2, 3, 5, 31, -7, INT64_MAX, INT64_MIN};
  if (choice >= 10)
    return APInt(width, noise, false, /*implicitTrunc=*/true);
  APInt number(64, static_cast<uint64_t>(kNumbers[choice]), /*isSigned=*/true);
  if (choice == 8)
    return APInt::getSignedMaxValue(width);
  return choice == 9 ? APInt::getSignedMinValue(width) : number.trunc(width);
}

TypedAttr constantOf(Type type, const APInt &bits) {
  if (auto real = dyn_cast<FloatType>(type))
    return FloatAttr::get(real, APFloat(real.getFloatSemantics(), bits));
  return IntegerAttr::get(type, bits);
}

/// What the dialect says; nothing when it says nothing, or any NaN would do.
std::optional<APInt> folded(Operation *op, unsigned set) {
  SmallVector<Attribute> operands;
  for (OpOperand &operand : op->getOpOperands())
    operands.push_back(constantOf(operand.get().getType(), bitsFor(operand.get().getType(), set,
                                                                   operand.getOperandNumber())));
  if (isa<math::FmaOp>(op)) { // has no folder
    APFloat result = cast<FloatAttr>(operands[0]).getValue();
    result.fusedMultiplyAdd(cast<FloatAttr>(operands[1]).getValue(),
                            cast<FloatAttr>(operands[2]).getValue(), APFloat::rmNearestTiesToEven);
    return result.isNaN() ? std::nullopt : std::optional(result.bitcastToAPInt());
  }
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(operands, results)) || results.size() != 1)
    return std::nullopt;
  auto attribute = llvm::dyn_cast_if_present<Attribute>(results.front());
  if (!attribute) { // one of the operands
    auto value = llvm::dyn_cast_if_present<Value>(results.front());
    for (OpOperand &operand : op->getOpOperands())
      if (operand.get() == value)
        attribute = operands[operand.getOperandNumber()];
  }
  if (auto real = llvm::dyn_cast_if_present<FloatAttr>(attribute))
    return real.getValue().isNaN() ? std::nullopt : std::optional(real.getValue().bitcastToAPInt());
  if (auto integer = llvm::dyn_cast_if_present<IntegerAttr>(attribute))
    return integer.getValue();
  return std::nullopt;
}

/// A kernel that gives each thread its numbers and stores what the operation makes of them:
/// operand j of thread t is word 4t + j of the first buffer.
void addKernel(OpBuilder &b, Operation *op, const std::string &name) {
  Location loc = op->getLoc();
  auto global = LLVM::LLVMPointerType::get(b.getContext(), 1);
  auto kernel = gpu::GPUFuncOp::create(b, loc, name, b.getFunctionType({global, global}, {}));
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
  kernel->setAttr(kSharedBytesAttr, b.getI32IntegerAttr(0));
  kernel->setAttr(kThreadsAttr, b.getI32IntegerAttr(kThreads));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&kernel.getBody().front());
  Value in = kernel.getArgument(0), out = kernel.getArgument(1);
  Value thread = arith::IndexCastOp::create(
      b, loc, b.getI32Type(), gpu::ThreadIdOp::create(b, loc, gpu::Dimension::x).getResult());
  auto word = [&](Value base, int64_t factor, int64_t plus) -> Value {
    Value scaled = LLVM::MulOp::create(
        b, loc, thread, LLVM::ConstantOp::create(b, loc, b.getI32IntegerAttr(factor)));
    Value index = LLVM::AddOp::create(b, loc, scaled,
                                      LLVM::ConstantOp::create(b, loc, b.getI32IntegerAttr(plus)));
    return LLVM::GEPOp::create(b, loc, global, b.getI64Type(), base, ValueRange{index});
  };
  Operation *copy = op->clone();
  for (OpOperand &operand : copy->getOpOperands()) {
    Type type = operand.get().getType();
    Type stored = type.isInteger(1) ? b.getI8Type() : type;
    Value value = LLVM::LoadOp::create(b, loc, stored, word(in, 4, operand.getOperandNumber()));
    if (stored != type)
      value = LLVM::TruncOp::create(b, loc, type, value);
    operand.set(value);
  }
  b.insert(copy);
  Value result = copy->getResult(0);
  if (result.getType().isInteger(1))
    result = LLVM::ZExtOp::create(b, loc, b.getI8Type(), result);
  LLVM::StoreOp::create(b, loc, result, word(out, 1, 0));
  gpu::ReturnOp::create(b, loc);
}

std::string describe(Operation *op, unsigned set, const APInt &got, const APInt &want) {
  std::string text = keyOf(op) + " of";
  for (OpOperand &operand : op->getOpOperands())
    text += llvm::formatv(
        " {0:x}", bitsFor(operand.get().getType(), set, operand.getOperandNumber()).getZExtValue());
  return text +
         llvm::formatv(": got {0:x}, want {1:x}", got.getZExtValue(), want.getZExtValue()).str();
}

/// Lowers the operations of a module at stage gpu and runs them.
void probeModule(ModuleOp module, const CompileOptions &options, llvm::StringSet<> &seen,
                 ScalarLoweringProbe &probe) {
  OwningOpRef<ModuleOp> original = module.clone();
  gpu::GPUModuleOp device;
  module->walk([&](gpu::GPUModuleOp op) { device = op; });
  if (!device)
    return;
  for (Operation &op : llvm::make_early_inc_range(*device.getBody()))
    if (isa<gpu::GPUFuncOp>(op))
      op.erase();
  std::vector<Operation *> ops; // over arguments of their own: folders look at equal operands
  Block arguments;
  llvm::scope_exit drop([&] {
    for (Operation *op : ops)
      op->destroy();
  });
  OpBuilder b = OpBuilder::atBlockEnd(device.getBody());
  original->walk([&](Operation *op) {
    if (!canAsk(op) || !seen.insert(keyOf(op)).second)
      return;
    addKernel(b, op, "probe" + std::to_string(ops.size()));
    ops.push_back(op->clone());
    for (OpOperand &operand : ops.back()->getOpOperands())
      operand.set(arguments.addArgument(operand.get().getType(), op->getLoc()));
  });
  if (ops.empty())
    return;
  PassManager manager(module.getContext());
  int64_t optionalPasses = 0;
  buildPipeline(manager, options, Stage::GPU, Stage::NVVM, optionalPasses);
  if (failed(manager.run(module)))
    return;
  auto context = std::make_unique<llvm::LLVMContext>();
  auto prepared = target::prepareDeviceModule(device, *context, deviceModuleOptions(options));
  if (!prepared)
    return llvm::consumeError(prepared.takeError());
  auto program = emulator::Program::create(std::move(prepared->module), std::move(context));
  if (!program)
    return llvm::consumeError(program.takeError());
  for (auto [i, op] : llvm::enumerate(ops)) {
    std::vector<uint64_t> in(4 * kThreads), out(kThreads);
    for (unsigned set = 0; set < kThreads; ++set)
      for (unsigned operand = 0; operand < op->getNumOperands(); ++operand)
        in[4 * set + operand] =
            bitsFor(op->getOperand(operand).getType(), set, operand).getZExtValue();
    (*program)->clearRanges();
    (*program)->addRange(in.data(), in.size() * 8, "in");
    (*program)->addRange(out.data(), out.size() * 8, "out");
    emulator::LaunchConfig config;
    config.block[0] = kThreads;
    emulator::Report report =
        (*program)->launch("probe" + std::to_string(i), config,
                           {emulator::argument(in.data()), emulator::argument(out.data())});
    if (!report.ok())
      continue;
    bool asked = false;
    for (unsigned set = 0; set < kThreads; ++set) {
      std::optional<APInt> want = folded(op, set);
      if (!want)
        continue;
      asked = true;
      APInt got(want->getBitWidth(), out[set], false, /*implicitTrunc=*/true);
      if (got != *want && probe.broken.empty())
        probe.broken = describe(op, set, got, *want);
    }
    probe.asked += asked;
  }
}

} // namespace

ScalarLoweringProbe tilesmith::oracles::probeScalarLowering(const testcase::TestCase &testCase,
                                                            llvm::StringRef version,
                                                            const EngineOptions &options) {
  ScalarLoweringProbe probe;
  llvm::StringSet<> seen;
  for (const testcase::Launch &launch : testCase.launches) {
    DialectRegistry registry;
    registerCompilerDialects(registry);
    ModuleLoader loader(registry, options.profile);
    loader.context().loadAllAvailableDialects();
    auto module = loader.load(launch, version);
    if (!module) {
      llvm::consumeError(module.takeError());
      continue;
    }
    OwningOpRef<ModuleOp> wrapper = wrapModule(*module);
    if (succeeded(runPipeline(*wrapper, options.compile, Stage::GPU)))
      probeModule(*wrapper, options.compile, seen, probe);
  }
  return probe;
}

std::string ScalarLoweringProbe::str() const {
  return std::to_string(asked) + "\n" + broken;
}

std::optional<ScalarLoweringProbe>
ScalarLoweringProbe::parse(const std::optional<std::string> &text) {
  ScalarLoweringProbe probe;
  auto [asked, broken] = (text ? llvm::StringRef(*text) : "").split('\n');
  if (asked.getAsInteger(10, probe.asked))
    return std::nullopt;
  probe.broken = broken.str();
  return probe;
}
