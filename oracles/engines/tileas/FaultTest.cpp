//===- FaultTest.cpp - faults planted into nv_tileas modules, one by one ----------------------===//
//
// Small kernels whose accesses meet in other threads are lowered to nv_tileas at -O0. As they stand
// they must agree with the reference. Then one fault at a time is planted into the module (a
// barrier removed or moved, a layout bit flipped, a conversion relabelled, a predicate dropped ...)
// and the stage engine must find it: as a hazard between two barriers, as threads that disagree
// about an element, or as wrong contents. The faults about barriers are planted a second time and
// lowered further: the race detector of the emulator must find them in thread code. The table of
// what found what is printed.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/BytecodeWriter.h"
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/pipeline/Pipeline.h"
#include "compiler/pipeline/Registration.h"
#include "compiler/target/LLVMIR.h"
#include "oracles/devices/emulator/Emulator.h"
#include "oracles/differential/Differential.h"
#include "oracles/engines/tileas/TileASEngine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

#include "gtest/gtest.h"

using namespace tilesmith;
using namespace tilesmith::oracles;
using namespace mlir;

namespace {

using Mutation = std::function<bool(Operation *)>; ///< false: there is nothing to change

/// Runs a mutation over the module.
struct MutationPass : public PassWrapper<MutationPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MutationPass)
  MutationPass(const Mutation &mutate, bool &applied) : mutate(mutate), applied(applied) {}
  void runOnOperation() final { applied = mutate(getOperation()); }
  const Mutation &mutate;
  bool &applied;
};

//===------------------------------------------------------------------------------------------===//
// Kernels
//===------------------------------------------------------------------------------------------===//

/// %p: 128 pointers in order, %r: the same backwards, %o: into the output; %x: data; token %t.
const std::string kStart = R"(
cuda_tile.module @m {
  entry @kernel(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>, %n: tile<i32>) {
    %i = iota : tile<128xi32>
    %last = constant <i32: 127> : tile<128xi32>
    %j = subi %last, %i : tile<128xi32>
    %c0 = constant <i32: 0> : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %in1 = reshape %in : tile<ptr<i32>> -> tile<1xptr<i32>>
    %inb = broadcast %in1 : tile<1xptr<i32>> -> tile<128xptr<i32>>
    %p = offset %inb, %i : tile<128xptr<i32>>, tile<128xi32> -> tile<128xptr<i32>>
    %r = offset %inb, %j : tile<128xptr<i32>>, tile<128xi32> -> tile<128xptr<i32>>
    %out1 = reshape %out : tile<ptr<i32>> -> tile<1xptr<i32>>
    %outb = broadcast %out1 : tile<1xptr<i32>> -> tile<128xptr<i32>>
    %o = offset %outb, %i : tile<128xptr<i32>>, tile<128xi32> -> tile<128xptr<i32>>
    %t = make_token : token
)";
const std::string kEnd = "    return\n  }\n}\n";

std::string store(const std::string &token, const std::string &pointers, const std::string &value,
                  const std::string &before) {
  return "    " + token + " = store_ptr_tko weak " + pointers + ", " + value + " token=" + before +
         " : tile<128xptr<i32>>, tile<128xi32> -> token\n";
}
std::string load(const std::string &value, const std::string &token, const std::string &pointers,
                 const std::string &before) {
  return "    " + value + ", " + token + " = load_ptr_tko weak " + pointers + " token=" + before +
         " : tile<128xptr<i32>> -> tile<128xi32>, token\n";
}
/// The output is written last.
std::string finish(const std::string &value, const std::string &token) {
  return store("%end", "%o", value, token) + kEnd;
}

const std::string kView = "tensor_view<128xi32, strides=[1]>";
const std::string kPartition = "partition_view<tile=(128), " + kView + ">";
const std::string kGather = "gather_scatter_view<tile=(8x16), tensor_view<8x16xi32, "
                            "strides=[16,1]>, sparse_dim=0>";

struct Kernel {
  const char *name;
  std::string text;
};

std::vector<Kernel> makeKernels() {
  std::string two = load("%x", "%t0", "%p", "%t");
  std::vector<Kernel> kernels = {
      {"store-load", kStart + store("%t1", "%p", "%j", "%t") + load("%y", "%t2", "%r", "%t1") +
                         finish("%y", "%t2")},
      {"load-store", kStart + two + store("%t1", "%r", "%i", "%t0") + finish("%x", "%t1")},
      {"store-store", kStart + store("%t1", "%p", "%i", "%t") + store("%t2", "%r", "%i", "%t1") +
                          finish("%i", "%t2")},
      {"view-store", kStart + "    %v = make_tensor_view %in, shape = [128], strides = [1] : " +
                         kView + "\n    %w = make_partition_view %v : " + kPartition +
                         "\n    %t1 = store_view_tko weak %j, %w[%c0] token = %t : "
                         "tile<128xi32>, " +
                         kPartition + ", tile<i32> -> token\n" + load("%y", "%t2", "%r", "%t1") +
                         finish("%y", "%t2")},
      {"view-load", kStart + "    %v = make_tensor_view %in, shape = [128], strides = [1] : " +
                        kView + "\n    %w = make_partition_view %v : " + kPartition + "\n" +
                        store("%t1", "%r", "%i", "%t") +
                        "    %y, %t2 = load_view_tko weak %w[%c0] token = %t1 : " + kPartition +
                        ", tile<i32> -> tile<128xi32>, token\n" + finish("%y", "%t2")},
      {"scatter-gather",
       kStart +
           "    %v = make_tensor_view %in, shape = [8, 16], strides = [16, 1] : "
           "tensor_view<8x16xi32, strides=[16,1]>\n    %w = make_gather_scatter_view %v : " +
           kGather +
           "\n    %rows = iota : tile<8xi32>\n    %seven = constant <i32: 7> : tile<8xi32>\n"
           "    %back = subi %seven, %rows : tile<8xi32>\n    %d = reshape %j : tile<128xi32> -> "
           "tile<8x16xi32>\n    %t1 = store_view_tko weak %d, %w[%rows, %c0] token = %t : "
           "tile<8x16xi32>, " +
           kGather +
           ", tile<8xi32>, tile<i32> -> token\n    %e, %t2 = load_view_tko weak %w[%back, %c0] "
           "token = %t1 : " +
           kGather +
           ", tile<8xi32>, tile<i32> -> tile<8x16xi32>, token\n    %y = reshape %e : "
           "tile<8x16xi32> -> tile<128xi32>\n" +
           finish("%y", "%t2")},
      {"loop", kStart +
                   "    %s:2 = for %k in (%c0 to %n, step %c1) : tile<i32> "
                   "iter_values(%a = %i, %u = %t) -> (tile<128xi32>, token) {\n" +
                   load("%b", "%u1", "%r", "%u") + store("%u2", "%p", "%b", "%u1") +
                   "      continue %b, %u2 : tile<128xi32>, token\n    }\n" +
                   finish("%s#0", "%s#1")},
      {"branch", kStart +
                     "    %q = cmpi greater_than %n, %c0, signed : tile<i32> -> tile<i1>\n"
                     "    %u = if %q -> (token) {\n" +
                     store("%u1", "%p", "%j", "%t") +
                     "      yield %u1 : token\n    } else {\n      yield %t : token\n    }\n" +
                     load("%y", "%t2", "%r", "%u") + finish("%y", "%t2")},
      {"join", kStart + store("%t1", "%p", "%j", "%t") + load("%x", "%t2", "%o", "%t") +
                   "    %t3 = join_tokens %t2, %t1 : token\n" + load("%y", "%t4", "%r", "%t3") +
                   finish("%y", "%t4")},
      {"atomic", kStart +
                     "    %old, %t1 = atomic_rmw_tko relaxed device %p, add, %i token=%t : "
                     "tile<128xptr<i32>>, tile<128xi32> -> tile<128xi32>, token\n" +
                     load("%y", "%t2", "%r", "%t1") + finish("%y", "%t2")},
      {"masked", kStart +
                     "    %half = constant <i32: 64> : tile<128xi32>\n    %low = cmpi less_than "
                     "%i, %half, signed : tile<128xi32> -> tile<128xi1>\n    %t1 = "
                     "store_ptr_tko weak %p, %j, %low token=%t : tile<128xptr<i32>>, "
                     "tile<128xi32>, tile<128xi1> -> token\n    %x, %t2 = load_ptr_tko weak "
                     "%p, %low, %last token=%t1 : tile<128xptr<i32>>, tile<128xi1>, "
                     "tile<128xi32> -> tile<128xi32>, token\n" +
                     finish("%x", "%t2")},
      {"layouts", kStart + two + R"(
    %m = reshape %x : tile<128xi32> -> tile<8x16xi32>
    %mt = permute %m [1, 0] : tile<8x16xi32> -> tile<16x8xi32>
    %sum = reduce %mt dim=1 identities=[0 : i32] : tile<16x8xi32> -> tile<16xi32>
      (%a: tile<i32>, %b: tile<i32>) {
        %s = addi %a, %b : tile<i32>
        yield %s : tile<i32>
      }
    %sum1 = reshape %sum : tile<16xi32> -> tile<16x1xi32>
    %sums = broadcast %sum1 : tile<16x1xi32> -> tile<16x8xi32>
    %d = addi %mt, %sums : tile<16x8xi32>
    %y = reshape %d : tile<16x8xi32> -> tile<128xi32>
)" + finish("%y", "%t0")},
  };
  return kernels;
}

//===------------------------------------------------------------------------------------------===//
// Faults
//===------------------------------------------------------------------------------------------===//

template <typename Op> Op nth(Operation *root, unsigned n) {
  Op found;
  unsigned seen = 0;
  root->walk([&](Op op) {
    if (seen++ == n)
      found = op;
  });
  return found;
}

Mutation removeBarrier(unsigned n) {
  return [n](Operation *root) {
    auto barrier = nth<gpu::BarrierOp>(root, n);
    if (barrier)
      barrier.erase();
    return bool(barrier);
  };
}

/// The barrier comes behind the access that it should precede.
bool moveBarrierBehind(Operation *root) {
  auto barrier = nth<gpu::BarrierOp>(root, 0);
  if (!barrier)
    return false;
  barrier->moveAfter(barrier->getNextNode());
  return true;
}

/// The barrier stands in a branch that is not taken.
bool hideBarrier(Operation *root) {
  auto barrier = nth<gpu::BarrierOp>(root, 0);
  if (!barrier)
    return false;
  OpBuilder builder(barrier);
  Value never = arith::ConstantOp::create(builder, barrier.getLoc(), builder.getBoolAttr(false));
  auto branch = scf::IfOp::create(builder, barrier.getLoc(), never, /*withElseRegion=*/false);
  barrier->moveBefore(branch.thenBlock()->getTerminator());
  return true;
}

/// All barriers of a loop move in front of it.
bool hoistBarriers(Operation *root) {
  auto loop = nth<scf::ForOp>(root, 0);
  SmallVector<gpu::BarrierOp> barriers;
  if (loop)
    loop->walk([&](gpu::BarrierOp barrier) { barriers.push_back(barrier); });
  for (gpu::BarrierOp barrier : barriers)
    barrier->moveBefore(loop);
  return !barriers.empty();
}

using ChangeLists = void (*)(SmallVector<int64_t> &registers, SmallVector<int64_t> &lanes,
                             SmallVector<int64_t> &warps);

/// The result of the n-th conversion gets another layout than its users think it has.
Mutation relabelConversion(unsigned n, ChangeLists change) {
  return [n, change](Operation *root) {
    auto convert = nth<tileas::ConvertLayoutOp>(root, n);
    if (!convert)
      return false;
    auto type = cast<RankedTensorType>(convert.getResult().getType());
    tileas::LayoutAttr layout = tileas::getLayout(type);
    SmallVector<int64_t> registers(layout.getRegisters()), lanes(layout.getLanes()),
        warps(layout.getWarps());
    change(registers, lanes, warps);
    auto other =
        tileas::LayoutAttr::get(root->getContext(), layout.getShape(), registers, lanes, warps);
    // The conversion goes elsewhere; the users keep reading as before.
    OpBuilder builder(convert);
    auto wrong = tileas::ConvertLayoutOp::create(
        builder, convert.getLoc(), tileas::withLayout(type, other), convert.getSource());
    auto relabel = tileas::ViewOp::create(builder, convert.getLoc(), type, wrong);
    convert.getResult().replaceAllUsesWith(relabel.getResult());
    convert.erase();
    return true;
  };
}

/// The n-th conversion does nothing: its result only claims the other layout.
Mutation skipConversion(unsigned n) {
  return [n](Operation *root) {
    auto convert = nth<tileas::ConvertLayoutOp>(root, n);
    if (!convert)
      return false;
    OpBuilder builder(convert);
    auto relabel = tileas::ViewOp::create(builder, convert.getLoc(), convert.getResult().getType(),
                                          convert.getSource());
    convert.getResult().replaceAllUsesWith(relabel.getResult());
    convert.erase();
    return true;
  };
}

template <typename Op> bool dropMask(Operation *root) {
  auto access = nth<Op>(root, 0);
  if (!access || !access.getMask())
    return false;
  access.getMaskMutable().clear();
  return true;
}

bool dropOther(Operation *root) {
  Operation *found = nullptr;
  root->walk([&](tileas::LoadOp load) {
    if (load.getOther())
      found = load;
  });
  if (!found)
    return false;
  auto load = cast<tileas::LoadOp>(found);
  load.getOtherMutable().assign(load.getPointers().getDefiningOp()->getOperand(1));
  return true;
}

bool keepAxes(Operation *root) {
  auto permute = nth<tileas::PermuteOp>(root, 0);
  if (!permute)
    return false;
  // The axes keep their order, only the shape changes.
  auto type = cast<RankedTensorType>(permute.getResult().getType());
  OpBuilder builder(permute);
  auto layout =
      tileas::reshapeLayout(tileas::getLayout(permute.getSource().getType()), type.getShape());
  auto wrong = tileas::ViewOp::create(builder, permute.getLoc(), tileas::withLayout(type, layout),
                                      permute.getSource());
  auto moved = tileas::ConvertLayoutOp::create(builder, permute.getLoc(), type, wrong);
  permute.getResult().replaceAllUsesWith(moved.getResult());
  permute.erase();
  return true;
}

void swapLanes(SmallVector<int64_t> &, SmallVector<int64_t> &lanes, SmallVector<int64_t> &) {
  std::swap(lanes[0], lanes[1]);
}
void swapWarps(SmallVector<int64_t> &, SmallVector<int64_t> &lanes, SmallVector<int64_t> &warps) {
  std::swap(lanes[0], warps.back());
}
void xorBit(SmallVector<int64_t> &, SmallVector<int64_t> &lanes, SmallVector<int64_t> &) {
  lanes[1] ^= lanes[0]; // one bit of a swizzle
}
void loseBit(SmallVector<int64_t> &, SmallVector<int64_t> &lanes, SmallVector<int64_t> &) {
  lanes[2] = 0; // half of the elements have no holder
}

struct Fault {
  const char *name, *kernel;
  Mutation mutate;
  const char *found; ///< part of the message
};

std::vector<Fault> makeFaults() {
  return {
      {"barrier removed, write then read", "store-load", removeBarrier(0), "hazard"},
      {"barrier removed, read then write", "load-store", removeBarrier(0), "hazard"},
      {"barrier removed, write then write", "store-store", removeBarrier(0), "hazard"},
      {"barrier removed behind a view store", "view-store", removeBarrier(0), "hazard"},
      {"barrier removed before a view load", "view-load", removeBarrier(0), "hazard"},
      {"barrier removed, scatter then gather", "scatter-gather", removeBarrier(0), "hazard"},
      {"barrier removed in a loop, next round", "loop", removeBarrier(0), "hazard"},
      {"barrier removed in a loop, same round", "loop", removeBarrier(1), "hazard"},
      {"barriers moved out of a loop", "loop", hoistBarriers, "hazard"},
      {"barrier removed behind a branch", "branch", removeBarrier(0), "hazard"},
      {"barrier removed behind a join", "join", removeBarrier(0), "hazard"},
      {"barrier removed behind an atomic", "atomic", removeBarrier(0), "hazard"},
      {"barrier moved behind the access", "store-load", moveBarrierBehind, "hazard"},
      {"barrier in a branch that is not taken", "store-load", hideBarrier, "hazard"},
      {"lane bits swapped", "layouts", relabelConversion(0, swapLanes), ""},
      {"lane and warp bit swapped", "layouts", relabelConversion(0, swapWarps), ""},
      {"swizzle bit flipped", "layouts", relabelConversion(0, xorBit), ""},
      {"half of a tile without holder", "layouts", relabelConversion(0, loseBit), ""},
      {"lane bits swapped before a broadcast", "layouts", relabelConversion(1, swapLanes), ""},
      {"third conversion skipped", "layouts", skipConversion(2), ""},
      {"conversion skipped", "layouts", skipConversion(0), ""},
      {"second conversion skipped", "layouts", skipConversion(1), ""},
      {"axes of a permutation kept", "layouts", keepAxes, ""},
      {"predicate of a store dropped", "masked", dropMask<tileas::StoreOp>, ""},
      {"predicate of a load dropped", "masked", dropMask<tileas::LoadOp>, ""},
      {"fallback of a load replaced", "masked", dropOther, ""},
  };
}

//===------------------------------------------------------------------------------------------===//
// The test
//===------------------------------------------------------------------------------------------===//

testcase::TestCase makeCase(const std::string &text) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<cuda_tile::CudaTileDialect>();
  auto module = parseSourceString<ModuleOp>(text, &context);
  testcase::TestCase result;
  if (!module)
    return result;
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  llvm::cantFail(bytecode::writeBytecode(*module->getOps<cuda_tile::ModuleOp>().begin(), stream));
  result.name = "fault";
  for (unsigned b = 0; b < 2; ++b) {
    testcase::Buffer &buffer = result.buffers.emplace_back();
    buffer.dtype = testcase::DataType::I32;
    buffer.shape = {128};
    buffer.strides = {1};
    buffer.compare.mode = testcase::Comparison::Mode::Enclosure; // no stored expectation
    for (uint32_t i = 0; i < 128; ++i)
      for (uint32_t word = 1000 * b + i * i, k = 0; k < 4; ++k)
        buffer.data.push_back(static_cast<uint8_t>(word >> (8 * k)));
  }
  testcase::Launch &launch = result.launches.emplace_back();
  launch.kernel = "kernel";
  launch.modules.push_back({"13.3", "m.tileirbc", testcase::Bytes(bytes.begin(), bytes.end())});
  for (unsigned i = 0; i < 2; ++i)
    launch.params.push_back(testcase::Parameter::pointer(i, testcase::DataType::I32));
  launch.params.push_back(testcase::Parameter::scalar(testcase::DataType::I32, 3));
  return result;
}

ModuleReport judge(const testcase::TestCase &testCase, const Mutation &mutate, bool &applied) {
  auto engines = llvm::cantFail(createEngines("reference"));
  engines.push_back(
      createTileASEngineWith("tileas", [&](OpPassManager &manager, const EngineOptions &) {
        CompileOptions compile;
        compile.optLevel = 0;
        int64_t optionalPasses = 0;
        buildPipeline(manager, compile, Stage::CudaTile, Stage::TileAS, optionalPasses);
        manager.addPass(std::make_unique<MutationPass>(mutate, applied));
      }));
  DifferentialOptions options;
  options.engine.compile.optLevel = 0;
  options.compareWithSelf = false;
  return judgeModule(testCase, "13.3", engines, options);
}

/// The mutated module as per-thread code on the emulated GPU with the race detector; empty when the
/// launch completes.
std::string race(const std::string &text, const Mutation &mutate) {
  DialectRegistry registry;
  registerCompilerDialects(registry);
  registry.insert<cuda_tile::CudaTileDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  auto module = parseSourceString<ModuleOp>(text, &context);
  CompileOptions options;
  options.optLevel = 0;
  int64_t optionalPasses = 0;
  bool applied = false;
  PassManager manager(&context);
  buildPipeline(manager, options, Stage::CudaTile, Stage::TileAS, optionalPasses);
  manager.addPass(std::make_unique<MutationPass>(mutate, applied));
  buildPipeline(manager, options, Stage::TileAS, Stage::NVVM, optionalPasses);
  if (!module || failed(manager.run(*module)))
    return "not compiled";
  gpu::GPUModuleOp device;
  module->walk([&](gpu::GPUModuleOp op) { device = op; });
  auto llvmContext = std::make_unique<llvm::LLVMContext>();
  auto prepared = target::prepareDeviceModule(device, *llvmContext, {});
  if (!prepared)
    return llvm::toString(prepared.takeError());
  emulator::LaunchConfig config;
  config.block[0] = prepared->kernels[0].threads;
  config.dynamicSharedBytes = prepared->kernels[0].sharedBytes;
  config.detectRaces = true;
  auto program = emulator::Program::create(std::move(prepared->module), std::move(llvmContext));
  if (!program)
    return llvm::toString(program.takeError());
  std::vector<int32_t> in(128), out(128);
  for (int32_t i = 0; i < 128; ++i)
    in[i] = i * i, out[i] = 1000 + i * i;
  (*program)->addRange(in.data(), 512, "in");
  (*program)->addRange(out.data(), 512, "out");
  emulator::Report report =
      (*program)->launch("kernel", config,
                         {emulator::argument(in.data()), emulator::argument(out.data()),
                          emulator::argument(int32_t{3})});
  return report.ok() ? "" : report.message;
}

// The faults about barriers again, this time in thread code.
TEST(TileASFaults, TheRaceDetectorFindsBarrierFaults) {
  std::map<std::string, std::string> texts;
  for (const Kernel &kernel : makeKernels()) {
    texts[kernel.name] = kernel.text;
    EXPECT_EQ(race(kernel.text, [](Operation *) { return true; }), "") << kernel.name;
  }
  unsigned found = 0;
  for (const Fault &fault : makeFaults()) {
    if (llvm::StringRef(fault.found) != "hazard")
      continue;
    std::string message = race(texts[fault.kernel], fault.mutate);
    // A gather shares its indices through shared memory, with a barrier of its own.
    if (llvm::StringRef(fault.kernel) == "scatter-gather")
      EXPECT_EQ(message, "") << fault.name;
    else
      EXPECT_TRUE(llvm::StringRef(message).contains("race")) << fault.name << ": " << message;
    found += llvm::StringRef(message).contains("race");
    std::fprintf(stderr, "%-42s %s\n", fault.name, message.c_str());
  }
  std::fprintf(stderr, "%u barrier faults found as races\n", found);
  EXPECT_GE(found, 10u);
}

TEST(TileASFaults, EveryPlantedFaultIsFound) {
  std::map<std::string, testcase::TestCase> cases;
  bool applied = false;
  for (const Kernel &kernel : makeKernels()) {
    testcase::TestCase &testCase = cases[kernel.name] = makeCase(kernel.text);
    ASSERT_FALSE(testCase.launches.empty()) << kernel.name << "\n" << kernel.text;
    ModuleReport report = judge(testCase, [](Operation *) { return true; }, applied);
    ASSERT_TRUE(report.verdict.isAgree()) << kernel.name << ": " << report.verdict.str();
  }
  unsigned found = 0, hazards = 0;
  for (const Fault &fault : makeFaults()) {
    applied = false;
    ModuleReport report = judge(cases[fault.kernel], fault.mutate, applied);
    ASSERT_TRUE(applied) << fault.name << ": nothing to plant";
    std::string verdict = report.verdict.str();
    bool isFound = !report.verdict.isAgree() && llvm::StringRef(verdict).contains(fault.found);
    EXPECT_TRUE(isFound) << fault.name << ": " << verdict;
    found += isFound;
    hazards += isFound && llvm::StringRef(verdict).contains("hazard");
    std::fprintf(stderr, "%-42s %-16s %s\n", fault.name, fault.kernel, verdict.c_str());
  }
  std::fprintf(stderr, "%u faults found, %u of them as hazards\n", found, hazards);
  EXPECT_GE(hazards, 10u);
  EXPECT_GE(found - hazards, 10u);
}

} // namespace
