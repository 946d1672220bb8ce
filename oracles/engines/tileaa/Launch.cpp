//===- Launch.cpp - runs the functions of an nv_tileaa module ---------------------------------===//
#include "oracles/engines/tileaa/Launch.h"

#include "compiler/dialect/TileAA/IR/TileAA.h"

#include "llvm/Support/FormatVariadic.h"

#include <deque>
#include <numeric>
#include <random>

using namespace tilesmith;
using namespace tilesmith::oracles;
using namespace tilesmith::oracles::tileaa_engine;

namespace {

/// Initial bytes of a global: little-endian, 4-bit elements two per byte.
std::vector<uint8_t> initialBytes(tileaa::GlobalOp global) {
  auto value = mlir::cast<mlir::DenseElementsAttr>(global.getValue());
  ElementType type = *elementTypeOf(value.getElementType());
  std::vector<uint64_t> words;
  if (reference::isInteger(type))
    for (const llvm::APInt &v : value.getValues<llvm::APInt>())
      words.push_back(v.getZExtValue());
  else
    for (const llvm::APFloat &v : value.getValues<llvm::APFloat>())
      words.push_back(v.bitcastToAPInt().getZExtValue() << (type == ElementType::TF32 ? 13 : 0));
  std::vector<uint8_t> bytes;
  if (reference::isPackedNibble(type)) {
    bytes.resize((words.size() + 1) / 2);
    for (auto [i, word] : llvm::enumerate(words))
      bytes[i / 2] |= static_cast<uint8_t>((word & 15) << (i % 2 * 4));
    return bytes;
  }
  for (uint64_t word : words)
    for (unsigned i = 0; i < reference::bytesOf(type); ++i)
      bytes.push_back(static_cast<uint8_t>(word >> (8 * i)));
  return bytes;
}

EngineResult::Status statusOf(reference::Stop::Reason reason) {
  using Status = EngineResult::Status;
  switch (reason) {
  case reference::Stop::Reason::Trapped:
    return Status::Trapped;
  case reference::Stop::Reason::Undefined:
    return Status::Undefined;
  case reference::Stop::Reason::Inconclusive:
    return Status::Inconclusive;
  case reference::Stop::Reason::Unsupported:
    return Status::Unsupported;
  }
  llvm_unreachable("all reasons are listed");
}

EngineResult stopResult(const reference::Stop &stop, llvm::ArrayRef<int64_t> block) {
  EngineResult result;
  result.status = statusOf(stop.reason);
  result.message = stop.message;
  result.label = stop.kind;
  if (stop.reason != reference::Stop::Reason::Trapped)
    result.message = llvm::formatv("{0}: {1} at '{2}', block [{3}, {4}, {5}]", stop.kind,
                                   stop.message, stop.op, block[0], block[1], block[2]);
  return result;
}

} // namespace

EngineResult tilesmith::oracles::tileaa_engine::launch(mlir::ModuleOp module,
                                                       const testcase::LaunchImage &image,
                                                       uint64_t seed, reference::Memory &memory,
                                                       Globals &globals, const Stage &stage) {
  using EngineStatus = EngineResult::Status;
  LaunchState state{memory, image.grid, {}, {}};
  state.ops = stage.ops;
  state.makeObserver = stage.makeObserver;
  tileaa::FuncOp entry;
  std::string failure;
  module.walk([&](mlir::Operation *op) {
    if (auto func = mlir::dyn_cast<tileaa::FuncOp>(op); func && func.getSymName() == image.entry)
      entry = func;
    auto global = mlir::dyn_cast<tileaa::GlobalOp>(op);
    if (!global)
      return;
    std::string name = global.getSymName().str();
    auto [it, isNew] =
        globals.try_emplace({static_cast<const void *>(module.getOperation()), name});
    if (isNew) {
      std::vector<uint8_t> bytes = initialBytes(global);
      auto base = memory.allocate(bytes.size(), std::max<int64_t>(global.getAlignment(), 1),
                                  "@" + name, bytes, global.getConstant());
      if (base)
        it->second = *base;
      else
        failure = llvm::toString(base.takeError());
    }
    state.globals[name] = it->second;
  });
  if (!failure.empty())
    return EngineResult::stop(EngineStatus::Inconclusive, failure);
  if (!entry || entry.isExternal())
    return EngineResult::stop(EngineStatus::Failed,
                              "no function '" + image.entry + "' in the lowered module");
  mlir::Block &body = entry.getBody().front();
  if (body.getNumArguments() != image.arguments.size())
    return EngineResult::stop(EngineStatus::Failed, "the lowered function takes other arguments");
  llvm::SmallVector<Machine::Value> arguments;
  for (auto [argument, given] : llvm::zip(body.getArguments(), image.arguments)) {
    auto type = elementTypeOf(argument.getType());
    if (!type || !shapeOf(argument.getType()).empty())
      return EngineResult::stop(EngineStatus::Failed, "an argument is not a scalar");
    arguments.push_back(Tile::scalar(
        *type, *type == ElementType::I1 ? given.bits != 0 : given.bits & reference::maskOf(*type)));
  }

  std::vector<uint64_t> order(image.grid[0] * image.grid[1] * image.grid[2]);
  std::iota(order.begin(), order.end(), 0);
  if (seed != 0)
    std::shuffle(order.begin(), order.end(), std::mt19937_64(seed));

  // A started block runs to its end unless it polls; then the started ones take turns, and another
  // one is started after a round in which none of them finished.
  std::deque<std::unique_ptr<Machine>> started;
  EngineResult result;
  for (size_t next = 0; next < order.size() || !started.empty();) {
    if (next < order.size()) {
      int64_t linear = order[next++];
      std::array<int64_t, 3> id = {linear % image.grid[0], linear / image.grid[0] % image.grid[1],
                                   linear / image.grid[0] / image.grid[1]};
      auto cluster = std::make_shared<Cluster>();
      if (auto spec = entry.getKernelSpec())
        cluster->blocks = std::max<int64_t>(spec.getClusterDimX(), 1);
      AccessObserver *first = nullptr;
      for (int64_t rank = 0; rank < cluster->blocks; ++rank) {
        Machine &machine = *started.emplace_back(std::make_unique<Machine>(state, id));
        machine.cluster = cluster;
        machine.rank = rank;
        first = rank ? first : machine.observer.get();
        if (first && cluster->blocks > 1)
          machine.observer->joinCluster(*first, rank);
        machine.push(entry, body, arguments);
      }
    }
    bool progress = true;
    while (progress && !started.empty()) {
      progress = false;
      for (size_t i = 0; i < started.size();) {
        bool finished = false;
        Status status = started[i]->run(finished);
        if (status.failed()) {
          result = stopResult(status.get(), started[i]->blockId);
          result.printed = state.printed;
          return result;
        }
        progress |= finished;
        if (finished)
          started.erase(started.begin() + i);
        else
          ++i;
      }
    }
  }
  result.printed = state.printed;
  return result;
}
