//===- CostOracle.cpp - does a level, a hint or a harmless edit make code slower ------------------===//
#include "oracles/cost/CostOracle.h"

#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/bytecode/BytecodeWriter.h"
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "compiler/pipeline/Registration.h"
#include "compiler/target/CudaToolkit.h"
#include "compiler/target/MachineRates.h"
#include "oracles/blame/EngineBisect.h"
#include "oracles/engines/ModuleLoader.h"
#include "oracles/performance/Performance.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

#include <array>
#include <iterator>

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

/// How much more of a figure the suspect may have than what it is compared with.
struct Limit {
  llvm::StringLiteral figure;
  double factor, floor;
};

/// -O1 has no pipelines, and so fewer accesses to shared memory and barriers. Counted behind LLVM's
/// optimiser, which is a part of the level.
constexpr std::array<Limit, 2> kLevelLimits = {
    {{"emulator/instructions", 1.2, 1000}, {"emulator/global_sectors", 1.2, 32}}};
/// Where the clocks do not grow, a level has paid with one figure for less of another. A product on
/// tensor cores takes a tenth of the instructions, and reads its operands in the layout that they have
/// there: eight neighbours of 16 bits at a time, half a sector, so each sector twice.
constexpr std::array<Limit, 2> kPaidLimits = {
    {{"emulator/instructions", 1.5, 1000}, {"emulator/global_sectors", 2, 32}}};
/// Of sectors where no order of an operand is known: up to 3.2 times was measured.
constexpr double kUnknownOrder = 4;
/// Of instructions where floats are divided: elements of a thread that share a divisor are tested, and
/// divided one by one where an exponent is far out (tileas-share-divisors).
constexpr double kTestedDivisions = 2;
/// The launch of a kernel takes two microseconds and more; and rates of peaks tell no smaller part.
constexpr double kLaunchClocks = 3000, kSameClocks = 1.05;
/// Without hints, and without the edit, it is the same kernel.
constexpr Limit kSameLimits[] = {
    {"emulator/instructions", 1.15, 500},     {"emulator/global_sectors", 1.15, 16},
    {"emulator/shared_wavefronts", 1.25, 32}, {"emulator/bank_conflicts", 1.25, 32},
    {"emulator/barriers", 1.25, 8},           {"ptx/instructions", 1.25, 50}};
/// The loop with another number of stages is another loop: its copies ahead stand in front of it.
constexpr Limit kDepthLimits[] = {
    {"emulator/instructions", 1.5, 500},     {"emulator/global_sectors", 1.15, 16},
    {"emulator/shared_wavefronts", 1.5, 32}, {"emulator/bank_conflicts", 1.5, 32},
    {"emulator/barriers", 1.5, 8},           {"ptx/instructions", 1.5, 50}};
/// Blocks of a cluster run beside each other, so their sum is no measure of time; but a plan lets them
/// do twice the work of the tile block at most (tileas-plan-cta). To that comes what each of up to 16
/// does before and after its share.
constexpr Limit kClusterLimits[] = {{"emulator/instructions", 3, 100000},
                                    {"emulator/global_sectors", 3, 256}};
constexpr Limit kExternalLimits[] = {{"sass/executed", 8, 5000}};

/// `emulator/barriers 16 -> 64`; empty: nothing is beyond its limit. `figure` gets the name of the
/// first.
std::string excessOf(const std::map<std::string, double> &allowed,
                     const std::map<std::string, double> &suspect, llvm::ArrayRef<Limit> limits,
                     std::string &figure) {
  auto valueOf = [](const std::map<std::string, double> &figures, llvm::StringRef name) {
    auto it = figures.find(name.str());
    return it == figures.end() ? 0 : it->second;
  };
  for (const Limit &limit : limits) {
    const double before = valueOf(allowed, limit.figure), after = valueOf(suspect, limit.figure);
    if (after > limit.factor * before && after - before > limit.floor) {
      figure = limit.figure.str();
      return llvm::formatv("{0:f0} -> {1:f0}", before, after).str();
    }
  }
  return "";
}

/// Clocks of one multiprocessor for instructions, the second cache and shared memory, one after the
/// other.
double clocksOf(const std::map<std::string, double> &figures, const target::GpuTarget &gpu) {
  constexpr double kLanes = 32, kSectorBytes = 32, kWavefrontBytes = 128;
  const target::MachineRates &rates = target::machineRates(gpu);
  auto count = [&](const char *name) {
    auto it = figures.find(name);
    return it == figures.end() ? 0 : it->second;
  };
  return count("emulator/instructions") / (kLanes * rates.issue) +
         count("emulator/global_sectors") * kSectorBytes / rates.l2Bytes +
         count("emulator/shared_wavefronts") * kWavefrontBytes / rates.sharedBytes;
}

//===--- Edits that must cost nothing -----------------------------------------------------------===//

/// Not within the bodies of reductions, which must stay as they are.
bool mayEdit(mlir::Operation *op) {
  return op->getParentOfType<cuda_tile::EntryOp>() && op->getNumRegions() == 0 &&
         op->getNumResults() == 1 && mlir::isMemoryEffectFree(op) &&
         !op->getParentOfType<cuda_tile::ReduceOp>() && !op->getParentOfType<cuda_tile::ScanOp>() &&
         !llvm::isa<cuda_tile::AssumeOp, cuda_tile::MakeTokenOp, cuda_tile::JoinTokensOp>(op);
}

std::vector<mlir::Operation *> editable(cuda_tile::ModuleOp module) {
  std::vector<mlir::Operation *> found;
  module->walk([&](mlir::Operation *op) {
    if (mayEdit(op))
      found.push_back(op);
  });
  return found;
}

/// Keeps the hints that `keeps`, of every target.
unsigned filterHints(cuda_tile::ModuleOp module,
                     bool (*keeps)(mlir::Operation *, llvm::StringRef)) {
  unsigned count = 0;
  module->walk([&](mlir::Operation *op) {
    auto hints = op->getAttrOfType<cuda_tile::OptimizationHintsAttr>("optimization_hints");
    if (!hints)
      return;
    llvm::SmallVector<mlir::NamedAttribute> targets;
    unsigned dropped = 0;
    for (mlir::NamedAttribute target : hints.getValue()) {
      llvm::SmallVector<mlir::NamedAttribute> kept;
      if (auto list = llvm::dyn_cast<mlir::DictionaryAttr>(target.getValue()))
        for (mlir::NamedAttribute hint : list) {
          if (keeps(op, hint.getName().strref()))
            kept.push_back(hint);
          else
            ++dropped;
        }
      if (!kept.empty())
        targets.emplace_back(target.getName(), mlir::DictionaryAttr::get(op->getContext(), kept));
    }
    if (dropped == 0)
      return;
    count += dropped;
    if (targets.empty())
      op->removeAttr("optimization_hints");
    else
      op->setAttr("optimization_hints",
                  cuda_tile::OptimizationHintsAttr::get(
                      op->getContext(), mlir::DictionaryAttr::get(op->getContext(), targets)));
  });
  return count;
}

bool isClusterHint(llvm::StringRef hint) {
  return hint == cuda_tile::OptimizationHintsAttr::kNumCTAInCGA;
}
/// How many threads there are is the source's to say, more and fewer have a price.
unsigned dropOtherHints(cuda_tile::ModuleOp module) {
  return filterHints(module, [](mlir::Operation *, llvm::StringRef hint) {
    return isClusterHint(hint) || hint == cuda_tile::OptimizationHintsAttr::kNumWorkerWarpsPerCTA;
  });
}
/// Those of loads in loops ask for another number of stages.
unsigned dropDepths(cuda_tile::ModuleOp module) {
  return filterHints(module, [](mlir::Operation *op, llvm::StringRef hint) {
    return hint != cuda_tile::OptimizationHintsAttr::kLatency ||
           !(op->getParentOfType<cuda_tile::ForOp>() || op->getParentOfType<cuda_tile::LoopOp>());
  });
}
unsigned dropClusters(cuda_tile::ModuleOp module) {
  return filterHints(module,
                     [](mlir::Operation *, llvm::StringRef hint) { return !isClusterHint(hint); });
}

/// Every operation is there once more, and nothing uses the copy.
unsigned addUnused(cuda_tile::ModuleOp module) {
  std::vector<mlir::Operation *> ops = editable(module);
  for (mlir::Operation *op : ops)
    op->getBlock()->getOperations().insert(std::next(op->getIterator()), op->clone());
  return static_cast<unsigned>(ops.size());
}

/// Every operation with two uses is there twice, and each copy has half of them.
unsigned addTwins(cuda_tile::ModuleOp module) {
  unsigned count = 0;
  for (mlir::Operation *op : editable(module)) {
    llvm::SmallVector<mlir::OpOperand *> uses;
    for (mlir::OpOperand &use : op->getResult(0).getUses())
      uses.push_back(&use);
    if (uses.size() < 2)
      continue;
    mlir::Operation *twin = op->clone();
    op->getBlock()->getOperations().insert(std::next(op->getIterator()), twin);
    for (size_t i = 0; i < uses.size(); i += 2)
      uses[i]->set(twin->getResult(0));
    ++count;
  }
  return count;
}

/// Integer sums, products and bit operations with their operands the other way round.
unsigned swapOperands(cuda_tile::ModuleOp module) {
  unsigned count = 0;
  for (mlir::Operation *op : editable(module))
    if (llvm::isa<cuda_tile::AddIOp, cuda_tile::MulIOp, cuda_tile::AndIOp, cuda_tile::OrIOp,
                  cuda_tile::XOrIOp>(op) &&
        op->getOperand(0) != op->getOperand(1)) {
      mlir::Value first = op->getOperand(0);
      op->setOperand(0, op->getOperand(1));
      op->setOperand(1, first);
      ++count;
    }
  return count;
}

/// The result of every integer addition, exclusive-ored with zero.
unsigned addZero(cuda_tile::ModuleOp module) {
  unsigned count = 0;
  for (mlir::Operation *op : editable(module)) {
    auto type = llvm::dyn_cast<cuda_tile::TileType>(op->getResult(0).getType());
    if (!llvm::isa<cuda_tile::AddIOp, cuda_tile::MulIOp>(op) || !type)
      continue;
    mlir::OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    auto zero = mlir::DenseElementsAttr::get(type, builder.getZeroAttr(type.getElementType()));
    mlir::Value other = cuda_tile::ConstantOp::create(
        builder, op->getLoc(), type,
        llvm::cast<mlir::DenseIntOrFPElementsAttr>(static_cast<mlir::Attribute>(zero)));
    mlir::Operation *sum =
        cuda_tile::XOrIOp::create(builder, op->getLoc(), type, op->getResult(0), other);
    op->getResult(0).replaceAllUsesExcept(sum->getResult(0), sum);
    ++count;
  }
  return count;
}

/// Operands of products that come through views of which no dimension is known to be contiguous. A
/// product reads them in an order of its own, and which order has fewer sectors only the launch knows:
/// exchanged strides exchange the figures. Edits nothing.
unsigned countUnknownOrders(cuda_tile::ModuleOp module) {
  unsigned count = 0;
  auto see = [&](mlir::Value operand) {
    mlir::Operation *op = operand.getDefiningOp();
    while (op && op->getNumOperands() == 1)
      op = op->getOperand(0).getDefiningOp();
    auto load = llvm::dyn_cast_or_null<cuda_tile::LoadViewTkoOp>(op);
    mlir::Operation *view = load ? load.getView().getDefiningOp() : nullptr;
    auto tensor = view && view->getNumOperands()
                      ? llvm::dyn_cast<cuda_tile::TensorViewType>(view->getOperand(0).getType())
                      : cuda_tile::TensorViewType();
    count += tensor && !llvm::is_contained(tensor.getStrides(), 1);
  };
  module->walk([&](mlir::Operation *op) {
    if (llvm::isa<cuda_tile::MmaFOp, cuda_tile::MmaIOp, cuda_tile::MmaFScaledOp>(op))
      llvm::for_each(op->getOperands().take_front(2), see);
  });
  return count;
}

/// Divisions of f32 to nearest. Edits nothing.
unsigned countDivisions(cuda_tile::ModuleOp module) {
  unsigned count = 0;
  module->walk([&](cuda_tile::DivFOp op) {
    count += op.getRoundingMode() == cuda_tile::RoundingMode::NEAREST_EVEN &&
             llvm::cast<cuda_tile::TileType>(op.getType()).getElementType().isF32();
  });
  return count;
}

struct Edit {
  llvm::StringLiteral name;
  unsigned (*apply)(cuda_tile::ModuleOp); ///< how many places it changed
  bool isSymmetric = false;               ///< the original must not cost more either
};
constexpr Edit kEdits[] = {{"operations that nothing uses", addUnused},
                           {"operations twice", addTwins},
                           {"swapped operands", swapOperands, true},
                           {"zero added", addZero}};

/// The case with an edit in each module; nothing where none fits, or a module cannot be read.
std::optional<testcase::TestCase> edited(const testcase::TestCase &testCase,
                                         llvm::StringRef version, const EngineOptions &options,
                                         unsigned (*edit)(cuda_tile::ModuleOp)) {
  mlir::DialectRegistry registry;
  registerCompilerDialects(registry);
  ModuleLoader loader(registry, options.profile, /*fresh=*/true);
  testcase::TestCase result = testCase;
  unsigned count = 0;
  for (testcase::Launch &launch : result.launches) {
    auto module = loader.load(launch, version);
    if (!module) {
      llvm::consumeError(module.takeError());
      return std::nullopt;
    }
    count += edit(*module);
    for (testcase::ModuleFile &file : launch.modules)
      if (file.version == version) {
        std::string bytes;
        llvm::raw_string_ostream out(bytes);
        auto as = bytecode::readVersion(llvm::toStringRef(file.bytes));
        if (!as) {
          llvm::consumeError(as.takeError());
          return std::nullopt;
        }
        if (llvm::Error error = bytecode::writeBytecode(*module, out, *as)) {
          llvm::consumeError(std::move(error));
          return std::nullopt;
        }
        file.bytes.assign(bytes.begin(), bytes.end());
        file.file = "edited-" + file.file;
      }
  }
  return count ? std::optional(std::move(result)) : std::nullopt;
}

//===--- The oracle -----------------------------------------------------------------------------===//

using Figures = std::map<std::string, double>;

llvm::Expected<Figures> figuresOf(const testcase::TestCase &testCase, llvm::StringRef version,
                                  const EngineOptions &options) {
  std::vector<std::string> missing;
  auto row = measureCode(testCase, version, options, missing, {/*emulator=*/true, /*ptxas=*/false});
  if (!row)
    return row.takeError();
  return std::move(row->figures);
}

/// The figures of the case as it is, measured once for all relations that ask.
class PlainFigures {
public:
  explicit PlainFigures(const OracleContext &context) : context(context) {}
  llvm::Expected<Figures> get() {
    if (!known && failure.empty()) {
      auto figures =
          figuresOf(context.testCase, context.version, context.options.differential.engine);
      if (figures)
        known = std::move(*figures);
      else
        failure = llvm::toString(figures.takeError());
    }
    if (!known)
      return llvm::createStringError(failure);
    return *known;
  }

private:
  const OracleContext &context;
  std::optional<Figures> known;
  std::string failure;
};

/// Instructions that the machine code of an engine executes; nothing where it does not run, and why.
std::optional<double> executedBy(const OracleContext &context, const std::string &engine,
                                 Verdict &why) {
  EngineOptions options = context.options.differential.engine;
  llvm::SmallString<128> log;
  if (llvm::sys::fs::createTemporaryFile("tilesmith-counters", "json", log))
    return std::nullopt;
  llvm::scope_exit remove([&] { llvm::sys::fs::remove(log); });
  options.emulator.counterFile = log.str().str();
  auto engines = createEngines(engine);
  if (!engines) {
    why = Verdict::unavailable(engine, llvm::toString(engines.takeError()));
    return std::nullopt;
  }
  const EngineResult ran =
      engines->front()->run({context.testCase, context.version.str(), options});
  if (!ran.completed()) {
    why = ran.status == EngineResult::Status::Unavailable
              ? Verdict::unavailable(engine, ran.message)
              : Verdict::inconclusive("cost: " + engine + ": " + ran.message);
    return std::nullopt;
  }
  auto buffer = llvm::MemoryBuffer::getFile(log);
  llvm::SmallVector<llvm::StringRef> lines;
  if (buffer)
    (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  double sum = 0;
  for (llvm::StringRef line : lines) {
    auto value = llvm::json::parse(line);
    const llvm::json::Object *object = value ? value->getAsObject() : nullptr;
    const llvm::json::Object *counters = object ? object->getObject("counters") : nullptr;
    if (!value)
      llvm::consumeError(value.takeError());
    sum += counters ? counters->getNumber("instructions").value_or(0) : 0;
  }
  return sum > 0 ? std::optional(sum) : std::nullopt;
}

class CostOracle : public Oracle {
public:
  llvm::StringRef name() const override { return "cost"; }
  llvm::StringRef question() const override {
    return "does a level, a hint or a harmless edit make code slower";
  }
  unsigned share() const override { return 256; } // two compilations and runs more
  bool growsWithKernel() const override { return true; }
  bool isSlow() const override { return true; }
  bool applies(const OracleContext &context, const ModuleReport &soFar) const override {
    return !context.testCase.expectReject && !context.testCase.mayReject &&
           soFar.verdict.isAgree() && !startsAtTileAA(context.testCase, context.version);
  }

  Verdict judge(const OracleContext &context, ModuleReport &) const override {
    // Each takes two compilations and runs: of a campaign's case one is asked.
    Verdict (*const kRelations[])(const OracleContext &, PlainFigures &) = {
        judgeLevel,   judgeHints,   judgeEdit<0>, judgeEdit<1>,
        judgeEdit<2>, judgeEdit<3>, judgeExternal};
    PlainFigures plain(context);
    auto share = context.options.shares.find(name().str());
    const bool isAskedFor = !context.options.only.empty() ||
                            !context.options.external.compiler.empty() ||
                            (share != context.options.shares.end() && share->second == 1);
    if (!isAskedFor) {
      const uint64_t drawn = llvm::xxh3_64bits("cost " + context.testCase.name);
      return kRelations[drawn % (std::size(kRelations) - 1)](context, plain);
    }
    Verdict verdict = Verdict::agree();
    for (auto *relation : kRelations)
      if (verdict.isAgree())
        verdict = relation(context, plain);
    return verdict;
  }

  Attribution blame(const Finding &finding) const override {
    std::vector<BlameStep> steps;
    std::vector<std::string> optional = optionalPasses(finding.options.differential.engine);
    const auto total = static_cast<int64_t>(optional.size());
    auto fails = [&](int64_t limit) {
      JudgeOptions options = finding.options;
      options.differential.engine.compile.optBisectLimit = limit;
      steps.push_back({llvm::formatv("{0} of {1} optional passes", limit, total),
                       finding.judge(options).verdict});
      // Another relation is another finding.
      return steps.back().verdict.isDisagree() &&
             steps.back().verdict.what == finding.report.verdict.what;
    };
    Attribution result = Attribution::undecided(
        "pass", "compiler", "without optional passes it costs as much: conversions, LLVM");
    if (total > 0 && !fails(0))
      result = Attribution::of("pass", optional[firstBad(0, total, fails) - 1]);
    result.steps = std::move(steps);
    return result;
  }

  Triple triple() const override {
    return {{"planted/cost-hinted-kernel-scalar"},
            {"planted/cost-hinted-kernel-scalar", "cost-hinted-kernel-scalar"},
            {"oracles/truncated"},
            "tileas-vectorize-memory"};
  }

private:
  static const EngineOptions &optionsOf(const OracleContext &context) {
    return context.options.differential.engine;
  }

  /// Whether `suspect` costs more than `allowed`; what cannot be compiled or run is looked at by
  /// others.
  static Verdict compare(const llvm::Twine &what, llvm::Expected<Figures> allowed,
                         llvm::Expected<Figures> suspect, llvm::ArrayRef<Limit> limits) {
    if (!allowed || !suspect)
      return Verdict::inconclusive(
          "cost: " + llvm::toString(llvm::joinErrors(allowed.takeError(), suspect.takeError())));
    std::string figure, excess = excessOf(*allowed, *suspect, limits, figure);
    return excess.empty() ? Verdict::agree()
                          : Verdict::disagree(("cost of " + what).str(), figure, excess);
  }

  static Verdict judgeLevel(const OracleContext &context, PlainFigures &) {
    EngineOptions lower = optionsOf(context);
    if (lower.compile.optLevel <= 1)
      return Verdict::agree();
    lower.compile.optLevel = 1;
    lower.optimizeIR = true;
    EngineOptions higher = optionsOf(context);
    higher.optimizeIR = true;
    auto plain = edited(context.testCase, context.version, lower, dropClusters);
    const testcase::TestCase &testCase = plain ? *plain : context.testCase;
    auto below = figuresOf(testCase, context.version, lower),
         above = figuresOf(testCase, context.version, higher);
    const target::GpuTarget *gpu = target::lookupGpuTarget(lower.compile.gpuName);
    auto clocks = [&](const Figures &figures) { return kLaunchClocks + clocksOf(figures, *gpu); };
    const bool isPaid = below && above && gpu && clocks(*above) <= kSameClocks * clocks(*below);
    std::array<Limit, 2> limits = isPaid ? kPaidLimits : kLevelLimits;
    if (edited(context.testCase, context.version, lower, countUnknownOrders))
      limits.back().factor = kUnknownOrder;
    if (edited(context.testCase, context.version, lower, countDivisions))
      limits.front().factor = kTestedDivisions;
    return compare("a level", std::move(below), std::move(above), limits);
  }

  static Verdict judgeHints(const OracleContext &context, PlainFigures &plain) {
    const EngineOptions &options = optionsOf(context);
    Verdict verdict = Verdict::agree();
    if (auto without = edited(context.testCase, context.version, options, dropOtherHints)) {
      const bool isDeeper =
          edited(context.testCase, context.version, options, dropDepths).has_value();
      verdict = compare("a hint", figuresOf(*without, context.version, options), plain.get(),
                        isDeeper ? llvm::ArrayRef(kDepthLimits) : kSameLimits);
    }
    if (auto without = edited(context.testCase, context.version, options, dropClusters);
        without && verdict.isAgree())
      verdict = compare("a cluster", figuresOf(*without, context.version, options), plain.get(),
                        kClusterLimits);
    return verdict;
  }

  template <size_t I>
  static Verdict judgeEdit(const OracleContext &context, PlainFigures &figures) {
    const EngineOptions &options = optionsOf(context);
    if (options.compile.optLevel == 0)
      return Verdict::agree(); // nothing is merged or dropped
    auto other = edited(context.testCase, context.version, options, kEdits[I].apply);
    if (!other)
      return Verdict::agree();
    auto plain = figures.get(), changed = figuresOf(*other, context.version, options);
    // Neither order of operands is the edited one.
    if (kEdits[I].isSymmetric && plain && changed)
      if (Verdict verdict = compare(kEdits[I].name, *changed, *plain, kSameLimits);
          verdict.isDisagree())
        return verdict;
    return compare(kEdits[I].name, std::move(plain), std::move(changed), kSameLimits);
  }

  static Verdict judgeExternal(const OracleContext &context, PlainFigures &) {
    const std::string &compiler = context.options.external.compiler;
    if (compiler.empty())
      return Verdict::agree();
    const CompileOptions &compile = context.options.differential.engine.compile;
    const std::string settings =
        llvm::formatv(":{0}:O{1}", compile.gpuName, compile.optLevel).str();
    Verdict why = Verdict::inconclusive("cost: no counters of machine code");
    auto theirs = executedBy(context, "external@" + compiler + settings, why);
    if (!theirs)
      return why;
    auto ours = executedBy(context, "sass@" + settings.substr(1), why);
    if (!ours)
      return why;
    std::string figure, excess = excessOf({{"sass/executed", *theirs}}, {{"sass/executed", *ours}},
                                          kExternalLimits, figure);
    return excess.empty() ? Verdict::agree()
                          : Verdict::disagree("cost against another compiler", figure, excess);
  }
};

} // namespace

const Oracle &tilesmith::oracles::costOracle() {
  static const CostOracle oracle;
  return oracle;
}
