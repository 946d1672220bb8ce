//===- StoredKernels.cpp - kernels near stored ones -------------------------------------------===//
#include "fuzz/campaign/StoredKernels.h"

#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/bytecode/BytecodeWriter.h"
#include "fuzz/campaign/StoredText.h"
#include "generators/mutate/Changes.h"
#include "reference/interp/RunCase.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/xxhash.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;

/// Kernels that are drawn before a case goes without one.
static constexpr unsigned kTries = 4;
/// What a drawn kernel may cost: about ten times the median generated one.
static constexpr uint64_t kMostElements = uint64_t(1) << 20, kMostSteps = uint64_t(1) << 13;

StoredKernels::StoredKernels(llvm::ArrayRef<std::string> folders) {
  for (const std::string &folder : folders) {
    std::error_code error;
    for (llvm::sys::fs::directory_iterator it(folder, error), end; !error && it != end;
         it.increment(error))
      if (llvm::StringRef(it->path()).ends_with(".mlir") ||
          llvm::sys::fs::exists(it->path() + "/case.json"))
        directories.push_back(it->path());
  }
  llvm::sort(directories);
}

/// One module of cuda_tile that all launches share, and that must run.
static bool isForChanges(const testcase::TestCase &testCase) {
  if (testCase.expectReject || testCase.mayReject || testCase.versions().empty())
    return false;
  const std::string version = testCase.versions().front();
  return llvm::all_of(testCase.launches, [&](const testcase::Launch &launch) {
    return launch.modules.front().version == version &&
           launch.module(version)->bytes == testCase.launches.front().module(version)->bytes;
  });
}

std::optional<testcase::TestCase> StoredKernels::drawStored(generators::ChoiceStream &stream,
                                                            mlir::MLIRContext &context) {
  const size_t index = stream.below(directories.size());
  if (llvm::StringRef(directories[index]).ends_with(".mlir"))
    return drawArguments(directories[index], stream, context);
  if (const testcase::TestCase *stored = load(index))
    return *stored;
  return std::nullopt;
}

const testcase::TestCase *StoredKernels::load(size_t index) {
  auto [entry, isNew] = loaded.try_emplace(index);
  if (isNew) {
    auto testCase = testcase::loadTestCase(directories[index]);
    if (!testCase)
      llvm::consumeError(testCase.takeError()); // `check` says what is wrong with it
    else if (isForChanges(*testCase))
      entry->second = std::move(*testCase);
  }
  return entry->second ? &*entry->second : nullptr;
}

/// Operations that decide how a kernel is judged.
struct Holds {
  bool addresses = false; ///< numbers made of them, which no two engines have in common
  bool products = false, scaledProducts = false, views = false;
  bool largeProducts = false; ///< of the size that groups of warps and tensor memory take
  bool printsInTurns = false; ///< texts whose order no token may say
  bool openBodies = false;    ///< reductions by what may depend on which side an element is on
};

/// Whether a reduction combines by more than one operation on both sides.
static bool mayDependOnSides(cuda_tile::ReduceOp op) {
  mlir::Block &body = op.getBody().front();
  return body.getNumArguments() > 2 || !llvm::hasSingleElement(body.without_terminator()) ||
         llvm::isa<cuda_tile::SubIOp, cuda_tile::SubFOp>(body.front());
}

static Holds whatItHolds(const testcase::TestCase &testCase, mlir::MLIRContext &context) {
  Holds holds;
  auto module = bytecode::readBytecode(
      llvm::toStringRef(testCase.launches.front().modules.front().bytes), &context);
  if (!module) {
    llvm::consumeError(module.takeError());
    return holds;
  }
  module->get()->walk([&](mlir::Operation *op) {
    holds.addresses |= llvm::isa<cuda_tile::PtrToIntOp>(op);
    if (llvm::isa<cuda_tile::MmaFOp, cuda_tile::MmaIOp>(op)) {
      holds.products = true;
      holds.largeProducts |=
          llvm::cast<cuda_tile::TileType>(op->getResult(0).getType()).getNumElements() >= 2048;
    }
    holds.scaledProducts |= llvm::isa<cuda_tile::MmaFScaledOp>(op);
    holds.views |= llvm::isa<cuda_tile::LoadViewTkoOp>(op);
    holds.printsInTurns |= llvm::isa<cuda_tile::PrintTkoOp, cuda_tile::PrintOp>(op) &&
                           !llvm::isa<cuda_tile::EntryOp>(op->getParentOp());
    if (auto reduce = llvm::dyn_cast<cuda_tile::ReduceOp>(op))
      holds.openBodies |= mayDependOnSides(reduce);
  });
  return holds;
}

/// The rule of kernels for which the same engines are drawn.
static std::string featureOfWays(const Holds &holds, uint64_t hash) {
  if (holds.largeProducts && hash % 4 > 1)
    return "products-once";
  return hash % 3 ? "k-loop" : "k-loop-directed";
}

/// The case with the two sides of each reduction exchanged.
static std::optional<testcase::TestCase> withSidesExchanged(testcase::TestCase testCase,
                                                            mlir::MLIRContext &context) {
  const testcase::ModuleFile file = testCase.launches.front().modules.front();
  auto module = bytecode::readBytecode(llvm::toStringRef(file.bytes), &context);
  if (!module) {
    llvm::consumeError(module.takeError());
    return std::nullopt;
  }
  module->get()->walk([](cuda_tile::ReduceOp op) {
    mlir::Block &body = op.getBody().front();
    for (unsigned i = 0; i + 1 < body.getNumArguments(); i += 2) {
      mlir::Value left = body.getArgument(i), right = body.getArgument(i + 1);
      llvm::SmallVector<mlir::OpOperand *> uses;
      for (mlir::OpOperand &use : left.getUses())
        uses.push_back(&use);
      right.replaceAllUsesWith(left);
      for (mlir::OpOperand *use : uses)
        use->set(right);
    }
  });
  std::string bytes;
  llvm::raw_string_ostream sink(bytes);
  bytecode::Version version;
  version.minor = static_cast<uint8_t>(file.version.back() - '0');
  if (llvm::Error error = bytecode::writeBytecode(**module, sink, version)) {
    llvm::consumeError(std::move(error));
    return std::nullopt;
  }
  for (testcase::Launch &launch : testCase.launches)
    launch.modules = {{file.version, file.file, testcase::Bytes(bytes.begin(), bytes.end())}};
  return testCase;
}

/// Whether results depend on which side of a reduction's body an element is on, which nothing prescribes.
static bool dependsOnSides(const testcase::TestCase &testCase, const reference::CaseResult &result,
                           const reference::RunOptions &options, mlir::MLIRContext &context) {
  auto exchanged = withSidesExchanged(testCase, context);
  if (!exchanged)
    return true;
  auto other = reference::runCase(*exchanged, exchanged->versions().front(), context, options);
  if (!other) {
    llvm::consumeError(other.takeError());
    return true;
  }
  for (auto [one, two] : llvm::zip_equal(result.buffers, other->buffers))
    if (!one.enclosure && one.bytes != two.bytes) // bounds know of every order
      return true;
  return !other->outcome.completed();
}

/// Why the kernel is not worth comparing; empty: it is, must print what it prints, and names the targets
/// that have code for what it holds.
static std::string refusal(testcase::TestCase &testCase, mlir::MLIRContext &context) {
  const Holds holds = whatItHolds(testCase, context);
  if (holds.addresses)
    return "address-as-number";
  if (holds.printsInTurns)
    return "prints-in-turns";
  reference::RunOptions options;
  options.limits.elements = kMostElements;
  options.limits.steps = kMostSteps;
  options.detectRaces = options.strictAssume = true;
  auto result = reference::runCase(testCase, testCase.versions().front(), context, options);
  if (!result) {
    llvm::consumeError(result.takeError());
    return "not-read";
  }
  using Kind = reference::Outcome::Kind;
  if (!result->outcome.openOrder.empty())
    return "order-open";
  for (const reference::BufferResult &buffer : result->buffers)
    if (2 * llvm::count(buffer.ignored, 1) >= static_cast<int64_t>(buffer.bytes.size()) &&
        !buffer.ignored.empty())
      return "mostly-open";
  if (result->outcome.kind == Kind::Completed) {
    if (holds.openBodies && dependsOnSides(testCase, *result, options, context))
      return "sides-of-reduction";
    if (!result->printed.empty())
      testCase.standardOutput = result->printed;
    testCase.features.clear();
    if (holds.scaledProducts)
      testCase.features = {"scaled-loop"};
    else if (holds.products || holds.views)
      testCase.features = {
          featureOfWays(holds, llvm::xxh3_64bits(testCase.launches.front().modules.front().bytes))};
    return "";
  }
  return result->outcome.detail.empty() ? "not-completed" : result->outcome.detail;
}

std::optional<testcase::TestCase> StoredKernels::draw(generators::ChoiceStream &stream,
                                                      mlir::MLIRContext &context,
                                                      Refusals &refusals) {
  for (unsigned tries = 0; tries < kTries && !directories.empty(); ++tries) {
    auto stored = drawStored(stream, context);
    if (!stored)
      continue;
    auto beside = stream.chance(20) ? drawStored(stream, context) : std::nullopt;
    auto changed =
        generators::changeCase(*stored, stream, 1 + static_cast<unsigned>(stream.below(5)), context,
                               "", beside ? &*beside : nullptr);
    if (!changed) {
      llvm::consumeError(changed.takeError());
      ++refusals["does-not-verify"];
      continue;
    }
    std::string reason = changed->edits.empty() ? "unchanged" : refusal(*changed, context);
    if (reason.empty())
      return std::move(*changed);
    ++refusals[reason];
  }
  return std::nullopt;
}
