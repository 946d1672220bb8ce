//===- Interpreter.cpp - runs cuda_tile kernels on the host -----------------------------------===//
//
// Scheduling: tile blocks run one after another to their end. A block that performs many strong
// accesses (it may be waiting for another one) gives way; then the started blocks take turns, and
// after a round in which none of them finished another block is started. This gives every block
// progress without keeping all blocks of a large grid alive.
//
//===------------------------------------------------------------------------------------------===//
#include "reference/interp/Interpreter.h"

#include <chrono>
#include <deque>
#include <random>

#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "reference/interp/BlockContext.h"

using namespace tilesmith;
using namespace tilesmith::reference;

llvm::StringRef tilesmith::reference::spelling(Outcome::Kind kind) {
  switch (kind) {
  case Outcome::Kind::Completed:
    return "completed";
  case Outcome::Kind::Trapped:
    return "trapped";
  case Outcome::Kind::Undefined:
    return "undefined";
  case Outcome::Kind::Inconclusive:
    return "inconclusive";
  case Outcome::Kind::Unsupported:
    return "unsupported";
  case Outcome::Kind::BadLaunch:
    return "bad launch";
  }
  return "";
}

std::string Outcome::printed() const {
  std::string text;
  for (const std::string &p : prints)
    text += p;
  return text;
}

std::string Outcome::describe() const {
  std::string text = spelling(kind).str();
  if (!detail.empty())
    text += " [" + detail + "]";
  if (!message.empty())
    text += ": " + message;
  if (!op.empty())
    text += llvm::formatv(" at '{0}', block [{1}, {2}, {3}], {4}", op, block[0], block[1], block[2],
                          location)
                .str();
  return text;
}

namespace {

Outcome badLaunch(const llvm::Twine &message) {
  Outcome outcome;
  outcome.kind = Outcome::Kind::BadLaunch;
  outcome.message = message.str();
  return outcome;
}

Outcome::Kind kindOf(Stop::Reason reason) {
  switch (reason) {
  case Stop::Reason::Trapped:
    return Outcome::Kind::Trapped;
  case Stop::Reason::Undefined:
    return Outcome::Kind::Undefined;
  case Stop::Reason::Inconclusive:
    return Outcome::Kind::Inconclusive;
  case Stop::Reason::Unsupported:
    return Outcome::Kind::Unsupported;
  }
  return Outcome::Kind::Unsupported;
}

/// Initial bytes of a global.
/// [spec: global-init]
std::vector<uint8_t> globalBytes(cuda_tile::GlobalOp global) {
  auto value = global.getValue();
  ElementType type = *elementTypeOf(value.getElementType());
  unsigned size = bytesOf(type);
  std::vector<uint8_t> bytes;
  auto append = [&](uint64_t bits) {
    if (isPackedNibble(type))
      bytes.push_back(static_cast<uint8_t>(bits)); // joined below
    else
      for (unsigned i = 0; i < size; ++i)
        bytes.push_back(static_cast<uint8_t>(bits >> (8 * i)));
  };
  if (isInteger(type)) {
    for (const llvm::APInt &v : value.getValues<llvm::APInt>())
      append(v.getZExtValue());
  } else {
    for (const llvm::APFloat &v : value.getValues<llvm::APFloat>())
      append(v.bitcastToAPInt().getZExtValue() << (type == ElementType::TF32 ? 13 : 0));
  }
  if (isPackedNibble(type)) {
    std::vector<uint8_t> packed((bytes.size() + 1) / 2, 0);
    for (auto [i, nibble] : llvm::enumerate(bytes))
      packed[i / 2] |= (nibble & 15) << (i % 2 * 4);
    return packed;
  }
  return bytes;
}

/// All tile blocks in the order they are started.
/// [spec: launch-order, model-effects]
class BlockOrder {
public:
  BlockOrder(std::array<int64_t, 3> grid, uint64_t seed)
      : grid(grid), count(grid[0] * grid[1] * grid[2]) {
    if (seed != 0 && count <= (uint64_t(1) << 20)) {
      shuffled.resize(count);
      std::iota(shuffled.begin(), shuffled.end(), 0);
      if (seed == 1)
        std::reverse(shuffled.begin(), shuffled.end());
      else
        std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937_64(seed));
    }
  }
  bool done() const { return next == count; }
  std::array<int64_t, 3> take() {
    uint64_t linear = shuffled.empty() ? next : shuffled[next];
    ++next;
    return {static_cast<int64_t>(linear % grid[0]),
            static_cast<int64_t>(linear / grid[0] % grid[1]),
            static_cast<int64_t>(linear / grid[0] / grid[1])};
  }

private:
  std::array<int64_t, 3> grid;
  uint64_t count, next = 0;
  std::vector<uint64_t> shuffled;
};

} // namespace

std::optional<std::vector<uint8_t>> Interpreter::global(cuda_tile::ModuleOp module,
                                                        llvm::StringRef name) {
  for (auto global : module.getBody().front().getOps<cuda_tile::GlobalOp>()) {
    if (global.getSymName() != name)
      continue;
    auto base = globals.find({module.getOperation(), name.str()});
    if (base == globals.end())
      return globalBytes(global);
    llvm::ArrayRef<uint8_t> bytes = deviceMemory.find(base->second)->bytes;
    return bytes.vec();
  }
  return std::nullopt;
}

/// [spec: launch-entry, launch-grid, launch-module]
Outcome Interpreter::launch(cuda_tile::ModuleOp module, const LaunchRequest &request) {
  cuda_tile::EntryOp entry;
  for (mlir::Operation &op : module.getBody().front())
    if (auto candidate = mlir::dyn_cast<cuda_tile::EntryOp>(op);
        candidate && candidate.getSymName() == request.entry)
      entry = candidate;
  if (!entry)
    return badLaunch("no entry '" + request.entry + "' in the module");
  mlir::Block &body = entry.getBody().front();
  if (body.getNumArguments() != request.arguments.size())
    return badLaunch("expected " + llvm::Twine(body.getNumArguments()) + " arguments for '" +
                     request.entry + "', found " + llvm::Twine(request.arguments.size()));
  for (int64_t extent : request.grid)
    if (extent < 1 || extent >= (int64_t(1) << 24))
      return badLaunch("expected grid extents from 1 to 16777215, found " + llvm::Twine(extent));
  llvm::SmallVector<Value> arguments;
  for (auto [argument, bits] : llvm::zip(body.getArguments(), request.arguments)) {
    auto type = elementTypeOf(argument.getType());
    auto tile = mlir::dyn_cast<cuda_tile::TileType>(argument.getType());
    if (!type || !tile || tile.getRank() != 0)
      return badLaunch("entry has an argument that is not a scalar");
    uint64_t pattern = *type == ElementType::I1 ? bits != 0 : bits & maskOf(*type);
    arguments.push_back(Tile::scalar(*type, pattern));
  }

  LaunchState state{limits, request, deviceMemory};
  state.deadline = std::chrono::steady_clock::now() +
                   std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                       std::chrono::duration<double>(limits.seconds));
  if (request.detectRaces)
    state.races = std::make_unique<RaceDetector>();
  for (mlir::Operation &op : module.getBody().front()) {
    auto global = mlir::dyn_cast<cuda_tile::GlobalOp>(op);
    if (!global)
      continue;
    std::string name = global.getSymName().str();
    if (auto placed = llvm::find_if(request.placed, [&](auto &p) { return p.first == name; });
        placed != request.placed.end()) {
      state.globals[name] = placed->second;
      continue;
    }
    auto key = std::pair<const void *, std::string>(module.getOperation(), name);
    if (!globals.count(key)) {
      std::vector<uint8_t> bytes = globalBytes(global);
      auto base = deviceMemory.allocate(bytes.size(), global.getAlignment(), "@" + name, bytes,
                                        global.getConstant());
      if (!base) {
        Outcome outcome = badLaunch(llvm::toString(base.takeError()));
        outcome.kind = Outcome::Kind::Inconclusive;
        outcome.detail = "memory-limit";
        return outcome;
      }
      globals[key] = *base;
    }
    state.globals[name] = globals[key];
  }

  Outcome outcome;
  auto finish = [&](const Status *status, std::array<int64_t, 3> block) {
    if (status) {
      Stop &stop = status->get();
      outcome.kind = kindOf(stop.reason);
      outcome.detail = stop.kind;
      outcome.message = stop.message;
      outcome.op = stop.op;
      outcome.location = stop.location;
      outcome.block = block;
    }
    if (state.races && state.races->openOrder()) {
      auto describe = [](const void *op) {
        auto *operation = static_cast<mlir::Operation *>(const_cast<void *>(op));
        return ("'" + operation->getName().getStringRef() + "' at " +
                describeLocation(operation->getLoc()))
            .str();
      };
      const OpenOrder &open = *state.races->openOrder();
      outcome.openOrder = "the order of " + describe(open.first) +
                          (open.first == open.second ? " among its elements or tile blocks"
                                                     : " and " + describe(open.second)) +
                          " is open";
      state.notes.insert("one of several legal results: " + outcome.openOrder);
    }
    if (state.races && state.races->gaveUp())
      state.notes.insert("race detection gave up: too many accesses");
    outcome.prints = std::move(state.prints);
    outcome.notes.assign(state.notes.begin(), state.notes.end());
    outcome.falseAssumption = std::move(state.falseAssumption);
    outcome.extension = std::move(state.extension);
    if (mlir::Operation *store = state.watchedStore)
      outcome.watched = {store->getName().getStringRef().str(), describeLocation(store->getLoc()),
                         state.watchedBlock};
    outcome.steps = state.steps;
    outcome.elements = state.elements;
    return outcome;
  };

  BlockOrder order(request.grid, request.seed);
  std::deque<std::unique_ptr<BlockContext>> started;
  uint32_t startedCount = 0;
  while (!order.done() || !started.empty()) {
    if (!order.done()) {
      started.push_back(std::make_unique<BlockContext>(state, order.take(), startedCount++));
      started.back()->enter(body, entry, arguments);
    }
    bool finished = false;
    do { // rounds over the started blocks for as long as some of them finish
      finished = false;
      for (size_t i = 0; i < started.size();) {
        BlockContext::Progress progress;
        Status status = started[i]->run(progress);
        if (status.failed())
          return finish(&status, started[i]->blockId);
        if (progress == BlockContext::Progress::Finished) {
          started.erase(started.begin() + i);
          finished = true;
        } else {
          ++i;
        }
      }
    } while (finished && !started.empty());
  }
  return finish(nullptr, {});
}
