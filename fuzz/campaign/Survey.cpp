//===- Survey.cpp - what generated kernels are like -------------------------------------------===//
#include "fuzz/campaign/Survey.h"

#include "compiler/bytecode/BytecodeReader.h"
#include "fuzz/campaign/CaseModules.h"
#include "fuzz/campaign/Mutation.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;

namespace {

bool isTile(mlir::Type type) {
  auto tile = llvm::dyn_cast<cuda_tile::TileType>(type);
  return tile && tile.getNumElements() > 1;
}

/// The op of `block` that contains the use, or is it.
mlir::Operation *inBlock(mlir::Operation *user, mlir::Block *block) {
  while (user && user->getBlock() != block)
    user = user->getParentOp();
  return user;
}

/// Most tiles that are needed at one time in a block, with what lies deeper counted on top of what
/// lives around it.
uint64_t liveIn(mlir::Block &block) {
  llvm::DenseMap<mlir::Operation *, unsigned> ends;
  uint64_t live = 0, most = 0;
  auto start = [&](mlir::Value value) {
    if (!isTile(value.getType()))
      return;
    mlir::Operation *last = nullptr;
    for (mlir::Operation *user : value.getUsers())
      if (mlir::Operation *here = inBlock(user, &block);
          here && (!last || last->isBeforeInBlock(here)))
        last = here;
    if (!last)
      return;
    ++live;
    ++ends[last];
  };
  for (mlir::BlockArgument argument : block.getArguments())
    start(argument);
  for (mlir::Operation &op : block) {
    uint64_t inside = 0;
    if (llvm::isa<cuda_tile::ForOp, cuda_tile::LoopOp, cuda_tile::IfOp>(op))
      for (mlir::Region &region : op.getRegions())
        for (mlir::Block &inner : region)
          inside = std::max(inside, liveIn(inner));
    most = std::max(most, live + inside);
    live -= ends.lookup(&op);
    for (mlir::Value result : op.getResults())
      start(result);
    most = std::max(most, live);
  }
  return most;
}

bool isFloatTile(mlir::Value value) {
  auto tile = llvm::dyn_cast<cuda_tile::TileType>(value.getType());
  return tile && llvm::isa<mlir::FloatType>(tile.getElementType());
}

bool sameResults(const reference::CaseResult &a, const reference::CaseResult &b) {
  if (a.outcome.kind != b.outcome.kind || a.printed != b.printed)
    return false;
  for (auto [x, y] : llvm::zip(a.buffers, b.buffers))
    for (size_t i = 0; i < x.bytes.size(); ++i)
      if (x.bytes[i] != y.bytes[i] && (x.ignored.empty() || !x.ignored[i]))
        return false;
  return true;
}

} // namespace

llvm::Expected<CaseModules> tilesmith::fuzz::readModules(const testcase::TestCase &testCase,
                                                         mlir::MLIRContext &context) {
  CaseModules result;
  for (const testcase::Launch &launch : testCase.launches) {
    const testcase::ModuleFile &file = launch.modules.front();
    auto &module = result.owned[file.file];
    if (!module) {
      auto read = bytecode::readBytecode(llvm::toStringRef(llvm::ArrayRef(file.bytes)), &context);
      if (!read)
        return read.takeError();
      module = std::move(*read);
    }
    result.ofLaunches.push_back(*module);
  }
  return result;
}

llvm::Expected<reference::CaseResult>
tilesmith::fuzz::runModules(const testcase::TestCase &testCase, const CaseModules &modules,
                            reference::Domain domain) {
  reference::RunOptions options;
  options.domain = domain;
  options.limits.steps = uint64_t(1) << 20;
  options.limits.elements = uint64_t(1) << 28;
  options.limits.seconds = 10;
  return reference::runCase(testCase, modules.ofLaunches, options);
}

llvm::Expected<KernelFigures> tilesmith::fuzz::measureKernel(const testcase::TestCase &testCase) {
  KernelFigures figures;
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  reference::loadReferenceDialects(context);
  auto modules = readModules(testCase, context);
  if (!modules)
    return modules.takeError();
  cuda_tile::ModuleOp module = modules->ofLaunches.front();
  module->walk([&](mlir::Operation *op) {
    if (auto entry = llvm::dyn_cast<cuda_tile::EntryOp>(op))
      figures.liveTiles = std::max(figures.liveTiles, liveIn(entry.getBody().front()));
    ++figures.ops;
    for (mlir::Type type : op->getResultTypes())
      if (auto tile = llvm::dyn_cast<cuda_tile::TileType>(type))
        ++figures.tileSizes[std::min<size_t>(
            llvm::Log2_64(static_cast<uint64_t>(tile.getNumElements())),
            figures.tileSizes.size() - 1)];
    figures.aggregates |=
        llvm::isa<cuda_tile::MmaFOp, cuda_tile::MmaFScaledOp>(op) ||
        (llvm::isa<cuda_tile::ReduceOp, cuda_tile::ScanOp>(op) && isFloatTile(op->getOperand(0)));
  });

  static constexpr llvm::StringLiteral kRounding[] = {"reduce-real", "scan-real", "mma-real",
                                                      "attention"};
  figures.exactData = llvm::none_of(testCase.features, [&](llvm::StringRef feature) {
    return llvm::is_contained(kRounding, feature);
  });
  auto enclosed = runModules(testCase, *modules, reference::Domain::Enclosure);
  if (!enclosed)
    return enclosed.takeError();
  figures.completed = enclosed->outcome.completed();
  for (auto [buffer, left] : llvm::zip(testCase.buffers, enclosed->buffers)) {
    bool isOutput = buffer.compare.mode != testcase::Comparison::Mode::Exact;
    if (!isOutput || !testcase::isFloat(buffer.dtype) || !figures.completed)
      continue;
    uint64_t count = buffer.elementCount();
    figures.floats += count;
    size_t size = testcase::sizeInBytes(buffer.dtype);
    for (size_t i = 0; i < count; ++i)
      figures.exactFloats +=
          !left.enclosure || std::equal(left.enclosure->low.begin() + i * size,
                                        left.enclosure->low.begin() + (i + 1) * size,
                                        left.enclosure->high.begin() + i * size);
  }

  auto before = runModules(testCase, *modules, reference::Domain::Concrete);
  if (!before)
    return before.takeError();
  generators::ChoiceStream stream =
      generators::ChoiceStream::fromSeed(llvm::xxh3_64bits(testCase.name));
  std::optional<std::string> mutated = mutateOneOp(module, stream);
  if (!mutated || !before->outcome.completed())
    return figures;
  if (mlir::failed(mlir::verify(module)))
    return llvm::createStringError("a mutation of " + *mutated + " does not verify");
  auto after = runModules(testCase, *modules, reference::Domain::Concrete);
  if (!after)
    return after.takeError();
  figures.mutated = *mutated;
  figures.mutationShows = !sameResults(*before, *after);
  return figures;
}

void Survey::add(const KernelFigures &figures) {
  ++kernels;
  completed += figures.completed;
  ops.push_back(figures.ops);
  liveTiles.push_back(figures.liveTiles);
  for (auto [sum, count] : llvm::zip(tileSizes, figures.tileSizes))
    sum += count;
  floats += figures.floats;
  exactFloats += figures.exactFloats;
  if (figures.aggregates) {
    ++aggregating;
    exactAggregating += figures.exactData;
  }
  if (figures.mutated.empty())
    return;
  ++mutated;
  shown += figures.mutationShows;
  auto &[unseen, all] = byOp[figures.mutated];
  unseen += !figures.mutationShows;
  ++all;
}

double Survey::mutationsThatShow() const {
  return mutated == 0 ? 0 : 100.0 * static_cast<double>(shown) / static_cast<double>(mutated);
}

static double percent(uint64_t part, uint64_t all) {
  return all == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(all);
}

static void printQuantiles(llvm::raw_ostream &out, llvm::StringRef what,
                           std::vector<uint64_t> values) {
  if (values.empty())
    return;
  llvm::sort(values);
  auto at = [&](double share) {
    return values[std::min(values.size() - 1,
                           static_cast<size_t>(share * static_cast<double>(values.size())))];
  };
  out << what << ": least " << values.front() << ", median " << at(0.5) << ", nine in ten at most "
      << at(0.9) << ", most " << values.back() << '\n';
}

void Survey::print(llvm::raw_ostream &out) const {
  out << kernels << " kernels, " << completed << " completed on the reference\n";
  printQuantiles(out, "ops", ops);
  printQuantiles(out, "live tiles", liveTiles);
  uint64_t tiles = 0;
  for (uint64_t count : tileSizes)
    tiles += count;
  out << "elements of tiles:";
  for (auto [i, count] : llvm::enumerate(tileSizes))
    out << ' ' << (1u << i) << ": " << llvm::format("%.1f%%", percent(count, tiles))
        << (i + 1 < tileSizes.size() ? "," : "\n");
  out << "float results that are fully determined: "
      << llvm::format("%.1f%% of %llu elements\n", percent(exactFloats, floats),
                      static_cast<unsigned long long>(floats));
  out << "kernels with float reductions, scans or matrix products: " << aggregating
      << ", of data that are exact in any order in "
      << llvm::format("%.1f%%\n", percent(exactAggregating, aggregating));
  out << "kernels with one wrong op whose results change: "
      << llvm::format("%.1f%% of %llu\n", mutationsThatShow(),
                      static_cast<unsigned long long>(mutated));
  std::vector<std::pair<uint64_t, std::string>> worst;
  for (const auto &[op, counts] : byOp)
    worst.push_back({counts[0], op});
  llvm::sort(worst, std::greater<>());
  for (const auto &[unseen, op] : llvm::ArrayRef(worst).take_front(20))
    if (unseen > 0)
      out << "  unseen in " << llvm::left_justify(op, 24) << unseen << " of " << byOp.at(op)[1]
          << '\n';
}
