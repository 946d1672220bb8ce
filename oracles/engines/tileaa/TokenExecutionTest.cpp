//===- TokenExecutionTest.cpp - tileaa-lower-tokens on the emulated GPU -----------------------===//
//
// Random programs of synchronous and asynchronous accesses to four words, in which tokens order
// whatever must be ordered and nothing else. After the pass every access is given to one thread: a
// synchronous one to a thread of warp 0, an asynchronous one to a thread of warp 1, which does
// nothing else and arrives on the access's mbarrier when it is done. So only the barriers and waits
// that the pass inserted make the order true.
//
// Every program runs under several schedules with the race detector; loaded values and memory must
// be those of the program executed in order. To show that the check can fail, every barrier and
// every wait is removed alone and the program run again. One file, though long: the generator of
// programs, their execution in order and on the GPU belong to one check.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/GPUToNVVM/GPUToNVVM.h"
#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAA/Transforms/Passes.h"
#include "compiler/pipeline/Registration.h"
#include "compiler/target/LLVMIR.h"
#include "oracles/devices/emulator/Emulator.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"

#include "gtest/gtest.h"

#include <random>

using namespace mlir;
using namespace tilesmith;

namespace {

constexpr unsigned kWords = 4, kThreads = 64, kLoads = 64;

//===------------------------------------------------------------------------------------------===//
// Programs
//===------------------------------------------------------------------------------------------===//

/// Text of one program and what executing it in order leaves behind.
class RandomProgram {
public:
  RandomProgram(unsigned seed, bool isStraight) : random(seed) {
    for (unsigned w = 0; w < kWords; ++w) {
      memory.push_back(100 + w);
      body += "%p" + std::to_string(w) + " = \"nv_tileaa.addptr\"(%p, %w" + std::to_string(w) +
              ") : (!p, i32) -> !p\n";
      prologue += "%w" + std::to_string(w) + " = arith.constant " + std::to_string(w) + " : i32\n";
      written.push_back("%t");
      read.push_back("%t");
    }
    unsigned steps = 4 + random() % 8;
    for (unsigned i = 0; i < steps; ++i) {
      unsigned kind = isStraight ? 7 : random() % 8;
      if (kind == 0)
        loop();
      else if (kind == 1)
        branch("%zero", 0, random() % 2);
      else
        access("%zero", 0);
    }
    // Every word is read once more.
    for (unsigned w = 0; w < kWords; ++w)
      load(w, /*isAsync=*/false);
  }

  std::string text() const {
    return "!p = !nv_tileaa.ptr<i32, 1>\n!t = !nv_tileaa.mem_token\ngpu.module @m {\n"
           "\"nv_tileaa.func\"() <{function_type = (!p, !p) -> (), sym_name = \"f\"}> ({\n"
           "^bb0(%p: !p, %seen: !p):\n%zero = arith.constant 0 : i32\n%one = arith.constant 1 : "
           "i32\n%three = arith.constant 3 : i32\n" +
           prologue + "%t = \"nv_tileaa.create_mem_token\"() : () -> !t\n" + body +
           "\"nv_tileaa.return\"() : () -> ()\n}) : () -> ()\n}\n";
  }

  std::vector<int32_t> memory; ///< at the end
  std::vector<int32_t> seen;   ///< per load, the last value it read
  unsigned accesses = 0;

private:
  std::string fresh() { return "%v" + std::to_string(next++); }

  std::string join(const std::string &a, const std::string &b) {
    if (a == b)
      return a;
    std::string result = fresh();
    body += result + " = \"nv_tileaa.join_mem_token\"(" + a + ", " + b + ") : (!t, !t) -> !t\n";
    return result;
  }

  std::string attributes(bool isAsync) {
    std::string text =
        "{thread = " + std::to_string(isAsync ? 32 + accesses % 32 : accesses % 32) + " : i32";
    ++accesses;
    return text + (isAsync ? ", nv_tileaa.async = 1 : i32" : "");
  }

  void load(unsigned w, bool isAsync) {
    std::string result = fresh(), token = fresh();
    body += result + ", " + token + " = \"nv_tileaa.load\"(%p" + std::to_string(w) + ", " +
            written[w] + ") <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> " +
            attributes(isAsync) + ", seen = " + std::to_string(seen.size()) +
            " : i32} : (!p, !t) -> (i32, !t)\n";
    seen.push_back(-1);
    run([this, w, index = seen.size() - 1](int32_t) { seen[index] = memory[w]; });
    read[w] = join(read[w], token);
  }

  /// `value` + a constant goes to word `w`; `value` is the loop counter.
  void store(unsigned w, bool isAsync, const std::string &value) {
    int32_t constant = random() % 1000;
    std::string c = fresh(), sum = fresh(), token = fresh();
    std::string before = join(written[w], read[w]);
    body += c + " = arith.constant " + std::to_string(constant) + " : i32\n" + sum +
            " = arith.addi " + value + ", " + c + " : i32\n" + token + " = \"nv_tileaa.store\"(%p" +
            std::to_string(w) + ", " + sum + ", " + before +
            ") <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> " + attributes(isAsync) +
            "} : (!p, i32, !t) -> !t\n";
    run([this, w, constant](int32_t counter) { memory[w] = counter + constant; });
    written[w] = read[w] = token;
  }

  void access(const std::string &counter, unsigned) {
    unsigned w = random() % kWords;
    bool isAsync = random() % 3 == 0;
    if (random() % 2)
      load(w, isAsync);
    else
      store(w, isAsync, counter);
  }

  /// An access or two under `counter` == `when`; the tokens come out of both branches.
  void branch(const std::string &counter, int32_t, bool taken) {
    std::string condition = fresh(), results = fresh();
    auto outerWritten = written, outerRead = read;
    std::string outer = std::exchange(body, "");
    auto outerActions = std::exchange(actions, {});
    isNested = true;
    access(counter, 0);
    isNested = false;
    auto inner = std::exchange(actions, outerActions);
    std::string then = std::exchange(body, outer);
    std::string types = tokenTypes();
    body += condition + " = arith.cmpi " + (taken ? "eq" : "ne") + ", " + counter +
            ", %zero : i32\n" + results + ":" + std::to_string(2 * kWords) + " = scf.if " +
            condition + " -> (" + types + ") {\n" + then + "scf.yield " + tokens() + " : " + types +
            "\n} else {\n";
    written = outerWritten, read = outerRead;
    body += "scf.yield " + tokens() + " : " + types + "\n}\n";
    take(results);
    for (auto &action : inner)
      run([=](int32_t i) {
        if ((i == 0) == taken)
          action(i);
      });
  }

  /// Three rounds of a few accesses.
  void loop() {
    std::string results = fresh(), counter = fresh();
    std::string inits, types = tokenTypes();
    auto outerWritten = written, outerRead = read;
    std::string outer = std::exchange(body, "");
    for (unsigned w = 0; w < kWords; ++w) {
      std::string a = fresh(), b = fresh();
      inits += (w ? ", " : "") + a + " = " + written[w] + ", " + b + " = " + read[w];
      written[w] = a, read[w] = b;
    }
    isNested = true;
    auto outerActions = std::exchange(actions, {});
    unsigned steps = 1 + random() % 3;
    for (unsigned i = 0; i < steps; ++i)
      access(counter, 0);
    isNested = false;
    auto inner = std::exchange(actions, outerActions);
    std::string inside = std::exchange(body, outer);
    body += results + ":" + std::to_string(2 * kWords) + " = scf.for " + counter +
            " = %zero to %three step %one iter_args(" + inits + ") -> (" + types + ") : i32 {\n" +
            inside + "scf.yield " + tokens() + " : " + types + "\n}\n";
    take(results);
    for (int32_t i = 0; i < 3; ++i)
      for (auto &action : inner)
        action(i);
  }

  /// Executes at once, or later when it is the body of a loop or branch.
  void run(std::function<void(int32_t)> action) {
    if (isNested)
      actions.push_back(std::move(action));
    else
      action(0);
  }

  std::string tokens() const {
    std::string text;
    for (unsigned w = 0; w < kWords; ++w)
      text += (w ? ", " : "") + written[w] + ", " + read[w];
    return text;
  }
  static std::string tokenTypes() {
    std::string text;
    for (unsigned i = 0; i < 2 * kWords; ++i)
      text += i ? ", !t" : "!t";
    return text;
  }
  void take(const std::string &results) {
    for (unsigned w = 0; w < kWords; ++w) {
      written[w] = results + "#" + std::to_string(2 * w);
      read[w] = results + "#" + std::to_string(2 * w + 1);
    }
  }

  std::mt19937 random;
  std::string prologue, body;
  std::vector<std::string> written, read; ///< per word: the last write; it and the reads behind it
  std::vector<std::function<void(int32_t)>> actions;
  bool isNested = false;
  unsigned next = 0;
};

//===------------------------------------------------------------------------------------------===//
// To a kernel
//===------------------------------------------------------------------------------------------===//

/// Turns the function after the pass into a kernel in which each access belongs to one thread.
void toKernel(ModuleOp module) {
  tileaa::FuncOp source;
  module->walk([&](tileaa::FuncOp func) { source = func; });
  MLIRContext *context = module.getContext();
  OpBuilder builder(source);
  Location loc = source.getLoc();
  auto pointer = LLVM::LLVMPointerType::get(context, 1);
  Type i32 = builder.getI32Type();
  auto kernel = gpu::GPUFuncOp::create(builder, loc, source.getSymName(),
                                       FunctionType::get(context, {pointer, pointer}, {}));
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), builder.getUnitAttr());
  kernel->setAttr(kThreadsAttr, builder.getI32IntegerAttr(kThreads));
  kernel->setAttr(kSharedBytesAttr, builder.getI32IntegerAttr(0));
  Block &entry = kernel.getBody().front();
  Block &body = source.getBody().front();
  entry.getOperations().splice(entry.end(), body.getOperations());
  for (auto [from, to] : llvm::zip(body.getArguments(), entry.getArguments()))
    from.replaceAllUsesWith(to);
  Value seen = entry.getArgument(1);
  builder.setInsertionPointToStart(&entry);
  Value self = arith::IndexCastOp::create(builder, loc, i32,
                                          gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x));

  SmallVector<Operation *> ops;
  kernel->walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops) {
    builder.setInsertionPoint(op);
    if (auto add = dyn_cast<tileaa::AddPtrOp>(op)) {
      Value address = LLVM::GEPOp::create(builder, loc, pointer, i32, add.getBase(),
                                          ArrayRef<LLVM::GEPArg>{add.getOffset()});
      op->getResult(0).replaceAllUsesWith(address);
      op->erase();
    } else if (isa<tileaa::LoadOp, tileaa::StoreOp>(op)) {
      Value thread =
          arith::ConstantOp::create(builder, loc, op->getAttrOfType<IntegerAttr>("thread"));
      Value mine = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, self, thread);
      auto branch = scf::IfOp::create(builder, loc, mine, /*withElseRegion=*/false);
      OpBuilder inside = branch.getThenBodyBuilder();
      if (auto load = dyn_cast<tileaa::LoadOp>(op)) {
        Value value = LLVM::LoadOp::create(inside, loc, i32, load.getBase());
        Value index =
            arith::ConstantOp::create(inside, loc, op->getAttrOfType<IntegerAttr>("seen"));
        Value place =
            LLVM::GEPOp::create(inside, loc, pointer, i32, seen, ArrayRef<LLVM::GEPArg>{index});
        LLVM::StoreOp::create(inside, loc, value, place);
      } else {
        auto store = cast<tileaa::StoreOp>(op);
        LLVM::StoreOp::create(inside, loc, store.getValue(), store.getBase());
      }
      if (auto slot = op->getAttrOfType<IntegerAttr>("nv_tileaa.mbarrier")) {
        auto shared = LLVM::LLVMPointerType::get(context, 3);
        Value base = LLVM::AddressOfOp::create(inside, loc, shared, "__tileas_mem_token");
        Value address =
            LLVM::GEPOp::create(inside, loc, shared, inside.getI64Type(), base,
                                ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(slot.getInt())});
        NVVM::MBarrierArriveOp::create(inside, loc, inside.getI64Type(), address, Value());
      }
      op->erase();
    } else if (isa<tileaa::ReturnOp>(op)) {
      gpu::ReturnOp::create(builder, loc);
      op->erase();
    }
  }
  source.erase();
}

class TokenExecution : public ::testing::Test {
protected:
  TokenExecution() {
    DialectRegistry registry;
    registerCompilerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  OwningOpRef<ModuleOp> lower(const std::string &text) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    if (!module)
      return {};
    // Nobody waits for what an unused join stands for.
    SmallVector<tileaa::JoinMemTokenOp> joins;
    module->walk([&](tileaa::JoinMemTokenOp join) { joins.push_back(join); });
    for (tileaa::JoinMemTokenOp join : llvm::reverse(joins))
      if (join->use_empty())
        join->erase();
    PassManager passes(&context);
    passes.addPass(tileaa::createLowerTokensPass());
    if (failed(passes.run(*module)))
      return {};
    return module;
  }

  /// The handle that the branch around a wait tests; null when this is no such branch.
  static Operation *testedHandle(Operation *branch) {
    auto ifOp = dyn_cast_or_null<scf::IfOp>(branch);
    auto compare = ifOp ? ifOp.getCondition().getDefiningOp<arith::CmpIOp>() : arith::CmpIOp();
    return compare ? compare.getLhs().getDefiningOp() : nullptr;
  }
  /// Orders no accesses: a wait for a handle that is known to be done, or the wait and the barrier
  /// before a slot is armed again, which keep its rounds apart.
  static bool ordersNothing(Operation *op) {
    if (isa<gpu::BarrierOp>(op))
      return isa_and_nonnull<LLVM::LoadOp>(testedHandle(op->getPrevNode()));
    return isa_and_nonnull<arith::ConstantOp, LLVM::LoadOp>(
        testedHandle(op->getParentOfType<scf::IfOp>()));
  }

  /// What may be removed: barriers and waits, but not the barrier behind the initialisation.
  static SmallVector<Operation *> orderingOps(ModuleOp module) {
    SmallVector<Operation *> found;
    bool isInitialisation = false;
    module->walk([&](Operation *op) {
      isInitialisation |= isa<NVVM::MBarrierInitOp>(op);
      if (isa<gpu::BarrierOp>(op) && isInitialisation)
        isInitialisation = false;
      else if (isa<gpu::BarrierOp, NVVM::MBarrierTryWaitParityOp>(op) && !ordersNothing(op))
        found.push_back(op);
    });
    return found;
  }

  /// Runs the module; empty when everything is as expected, otherwise what is not.
  std::string run(ModuleOp module, const RandomProgram &program, unsigned schedule) {
    OwningOpRef<ModuleOp> copy = module.clone();
    toKernel(*copy);
    PassManager passes(&context);
    passes.addPass(createConvertGPUToNVVMPass());
    if (failed(passes.run(*copy)))
      return "not convertible";
    auto llvmContext = std::make_unique<llvm::LLVMContext>();
    gpu::GPUModuleOp device = *copy->getOps<gpu::GPUModuleOp>().begin();
    auto prepared = target::prepareDeviceModule(device, *llvmContext, {});
    if (!prepared)
      return llvm::toString(prepared.takeError());
    auto code = emulator::Program::create(std::move(prepared->module), std::move(llvmContext));
    if (!code)
      return llvm::toString(code.takeError());
    std::vector<int32_t> memory, seen(kLoads, -1);
    for (unsigned w = 0; w < kWords; ++w)
      memory.push_back(100 + w);
    (*code)->addRange(memory.data(), memory.size() * 4, "memory");
    (*code)->addRange(seen.data(), seen.size() * 4, "seen");
    emulator::LaunchConfig config;
    config.block = {kThreads, 1, 1};
    emulator::chooseSchedule(config, schedule);
    config.detectRaces = true;
    config.maxMillis = 5000;
    emulator::Report report = (*code)->launch(
        "f", config, {emulator::argument(memory.data()), emulator::argument(seen.data())});
    if (!report.ok())
      return report.message;
    for (unsigned w = 0; w < kWords; ++w)
      if (memory[w] != program.memory[w])
        return "word " + std::to_string(w) + " differs";
    for (unsigned i = 0; i < program.seen.size(); ++i)
      if (seen[i] != program.seen[i])
        return "load " + std::to_string(i) + " differs";
    return "";
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
};

TEST_F(TokenExecution, OrderHolds) {
  const char *wanted = std::getenv("TILESMITH_TOKEN_PROGRAMS");
  unsigned programs = wanted ? std::atoi(wanted) : 20;
  unsigned accesses = 0, removed = 0, found = 0;
  for (unsigned seed = 0; seed < programs; ++seed) {
    bool isStraight = seed % 2 == 0;
    RandomProgram program(seed, isStraight);
    ASSERT_LE(program.seen.size(), kLoads);
    accesses += program.accesses;
    OwningOpRef<ModuleOp> module = lower(program.text());
    ASSERT_TRUE(module) << program.text();
    for (unsigned schedule = 0; schedule < 4; ++schedule)
      ASSERT_EQ(run(*module, program, schedule), "")
          << "program " << seed << ", schedule " << schedule << "\n"
          << program.text();
    // Elsewhere an order may be needed on a way that is not taken.
    if (!isStraight)
      continue;
    unsigned count = orderingOps(*module).size();
    for (unsigned i = 0; i < count; ++i) {
      OwningOpRef<ModuleOp> broken = module->clone();
      orderingOps(*broken)[i]->erase();
      ++removed;
      bool noticed = false;
      for (unsigned schedule = 0; schedule < 4 && !noticed; ++schedule)
        noticed = !run(*broken, program, schedule).empty();
      found += noticed;
    }
  }
  std::fprintf(stderr,
               "%u programs, %u accesses; %u barriers and waits of straight ones removed one by "
               "one, %u noticed\n",
               programs, accesses, removed, found);
  EXPECT_GT(removed, 0u);
  // The threads that play the asynchronous engine take part in CTA barriers, so a wait goes
  // unnoticed where a barrier follows it before the conflicting access.
  EXPECT_GE(found * 2, removed) << "the check notices too little";
}

//===------------------------------------------------------------------------------------------===//
// One rule each: small programs in which every barrier and every wait is needed
//===------------------------------------------------------------------------------------------===//

/// A store of `value` to, or a load from, word `word`, behind `token`; its own token is `name`. The
/// numbers of threads and loads are counted up.
struct Accesses {
  std::string text;
  unsigned count = 0, loads = 0;

  void store(const std::string &name, unsigned word, const std::string &value,
             const std::string &token, bool isAsync) {
    text += name + " = \"nv_tileaa.store\"(%p" + std::to_string(word) + ", " + value + ", " +
            token + ") <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> " + place(isAsync) +
            "} : (!p, i32, !t) -> !t\n";
  }
  void load(const std::string &name, unsigned word, const std::string &token, bool isAsync) {
    text += "%seen" + std::to_string(loads) + ", " + name + " = \"nv_tileaa.load\"(%p" +
            std::to_string(word) + ", " + token +
            ") <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> " + place(isAsync) +
            ", seen = " + std::to_string(loads) + " : i32} : (!p, !t) -> (i32, !t)\n";
    ++loads;
  }
  void join(const std::string &name, const std::vector<std::string> &tokens) {
    text += name + " = \"nv_tileaa.join_mem_token\"(" + llvm::join(tokens, ", ") + ") : (" +
            llvm::join(std::vector<std::string>(tokens.size(), "!t"), ", ") + ") -> !t\n";
  }

  /// The whole function; %k0 to %k9 are constants.
  std::string program() const {
    std::string start;
    for (unsigned i = 0; i < 10; ++i)
      start += "%k" + std::to_string(i) + " = arith.constant " + std::to_string(i) + " : i32\n";
    for (unsigned w = 0; w < kWords; ++w)
      start += "%p" + std::to_string(w) + " = \"nv_tileaa.addptr\"(%p, %k" + std::to_string(w) +
               ") : (!p, i32) -> !p\n";
    return "!p = !nv_tileaa.ptr<i32, 1>\n!t = !nv_tileaa.mem_token\ngpu.module @m {\n"
           "\"nv_tileaa.func\"() <{function_type = (!p, !p) -> (), sym_name = \"f\"}> ({\n"
           "^bb0(%p: !p, %seen: !p):\n" +
           start + "%t = \"nv_tileaa.create_mem_token\"() : () -> !t\n" + text +
           "\"nv_tileaa.return\"() : () -> ()\n}) : () -> ()\n}\n";
  }

private:
  std::string place(bool isAsync) {
    unsigned thread = isAsync ? 32 + count % 32 : count % 32;
    ++count;
    return "{thread = " + std::to_string(thread) + " : i32" +
           (isAsync ? ", nv_tileaa.async = 1 : i32" : "");
  }
};

/// Runs a program, then without each of its barriers and waits alone: `expected` of them, of which
/// all but `covered` must be missed.
class OneRule : public TokenExecution {
protected:
  void check(const Accesses &accesses, std::vector<int32_t> memory, std::vector<int32_t> seen,
             unsigned expected, unsigned covered = 0) {
    RandomProgram wanted(0, true);
    wanted.memory = std::move(memory);
    wanted.seen = std::move(seen);
    OwningOpRef<ModuleOp> module = lower(accesses.program());
    ASSERT_TRUE(module) << accesses.program();
    for (unsigned schedule = 0; schedule < 4; ++schedule)
      EXPECT_EQ(run(*module, wanted, schedule), "") << "schedule " << schedule;
    unsigned count = orderingOps(*module).size();
    EXPECT_EQ(count, expected);
    unsigned unnoticed = 0;
    for (unsigned i = 0; i < count; ++i) {
      OwningOpRef<ModuleOp> broken = module->clone();
      orderingOps(*broken)[i]->erase();
      bool noticed = false;
      for (unsigned schedule = 0; schedule < 4 && !noticed; ++schedule)
        noticed = !run(*broken, wanted, schedule).empty();
      unnoticed += !noticed;
    }
    EXPECT_EQ(unnoticed, covered);
  }
};

// Four asynchronous stores; what reads all words behind their join waits for each of them.
TEST_F(OneRule, AJoinWaitsForEveryProducer) {
  Accesses program;
  for (unsigned w = 0; w < kWords; ++w)
    program.store("%a" + std::to_string(w), w, "%k" + std::to_string(w + 5), "%t", true);
  program.join("%all", {"%a0", "%a1", "%a2", "%a3"});
  for (unsigned w = 0; w < kWords; ++w)
    program.load("%r" + std::to_string(w), w, "%all", false);
  check(program, {5, 6, 7, 8}, {5, 6, 7, 8}, 4);
}

// A load has a token, too: the store that takes its place waits for it, and is waited for.
TEST_F(OneRule, EveryEffectHasASuccessor) {
  Accesses program;
  program.load("%a", 0, "%t", true);
  program.store("%b", 0, "%k7", "%a", false);
  program.load("%c", 0, "%b", false);
  check(program, {7, 101, 102, 103}, {100, 7}, 2);
}

// A write and a read, and a read and a write, by threads that have only the barrier in common.
TEST_F(OneRule, SynchronousEffectsAreOrderedByABarrier) {
  Accesses program;
  program.store("%a", 2, "%k4", "%t", false);
  program.load("%b", 2, "%a", false);
  program.store("%c", 2, "%k9", "%b", false);
  program.load("%d", 2, "%c", false);
  check(program, {100, 101, 9, 103}, {4, 9}, 3);
}

// Three rounds of a loop store to one word with one slot; who reads behind it waits for the last.
// Inside, a round that does not wait for the one before is held back where the slot is armed again.
TEST_F(OneRule, ALoopFlipsTheParityOfItsSlot) {
  Accesses program;
  program.text += "%last = scf.for %i = %k0 to %k3 step %k1 iter_args(%k = %t) -> (!t) : i32 {\n";
  program.store("%a", 3, "%i", "%k", true);
  program.text += "scf.yield %a : !t\n}\n";
  program.load("%b", 3, "%last", false);
  check(program, {100, 101, 102, 2}, {2}, 2, /*covered=*/1);
}

/// `count` asynchronous loads that are alive at the same time.
std::string manyLoads(unsigned count) {
  std::string text =
      "!p = !nv_tileaa.ptr<i32, 1>\n!t = !nv_tileaa.mem_token\ngpu.module @m {\n"
      "\"nv_tileaa.func\"() <{function_type = (!p, !p) -> (), sym_name = \"f\"}> ({\n"
      "^bb0(%p: !p, %seen: !p):\n%c = arith.constant 7 : i32\n"
      "%t = \"nv_tileaa.create_mem_token\"() : () -> !t\n";
  std::string tokens, types;
  for (unsigned i = 0; i < count; ++i) {
    std::string n = std::to_string(i);
    text += "%v" + n + ", %t" + n +
            " = \"nv_tileaa.load\"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> "
            "{nv_tileaa.async = 1 : i32, thread = " +
            std::to_string(32 + i % 32) + " : i32, seen = " + n +
            " : i32} : (!p, !t) -> (i32, !t)\n";
    tokens += (i ? ", %t" : "%t") + n;
    types += i ? ", !t" : "!t";
  }
  return text + "%all = \"nv_tileaa.join_mem_token\"(" + tokens + ") : (" + types +
         ") -> !t\n%s = \"nv_tileaa.store\"(%p, %c, %all) <{operandSegmentSizes = array<i32: 1, 1, "
         "0, 0, 1>}> {thread = 0 : i32} : (!p, i32, !t) -> !t\n\"nv_tileaa.return\"() : () -> "
         "()\n}) : () -> ()\n}\n";
}

TEST_F(TokenExecution, ThirtyTwoSlotsFit) {
  OwningOpRef<ModuleOp> module = lower(manyLoads(32));
  ASSERT_TRUE(module);
  RandomProgram expected(0, true);
  expected.memory = {7, 101, 102, 103};
  expected.seen.assign(32, 100);
  for (unsigned schedule = 0; schedule < 4; ++schedule)
    EXPECT_EQ(run(*module, expected, schedule), "");
}

TEST_F(TokenExecution, ExhaustionIsAnErrorWithoutOutput) {
  std::string diagnostics;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    diagnostics += diagnostic.str();
    for (Diagnostic &note : diagnostic.getNotes())
      diagnostics += "\n" + note.str();
    return success();
  });
  std::string text = manyLoads(33), before, after;
  context.printOpOnDiagnostic(false);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(module);
  llvm::raw_string_ostream(before) << *module;
  PassManager passes(&context);
  passes.addPass(tileaa::createLowerTokensPass());
  EXPECT_TRUE(failed(passes.run(*module)));
  llvm::raw_string_ostream(after) << *module;
  EXPECT_EQ(before, after);
  EXPECT_EQ(diagnostics, "failed to init mbarrier\na tile block has 32 mbarriers for tokens, this "
                         "function needs 33 at the same time");
}

} // namespace
