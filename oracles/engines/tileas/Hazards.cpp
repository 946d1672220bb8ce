//===- Hazards.cpp - accesses of different threads between two barriers -----------------------===//
#include "oracles/engines/tileas/Hazards.h"

#include "oracles/engines/tileas/Distributed.h"

using namespace tilesmith;
using namespace tilesmith::oracles::tileas_engine;
using reference::Status;

namespace {

/// The layout of the accessed tile: that of the stored value or of the loaded result. Null for
/// scalars.
tileas::LayoutAttr accessedLayout(mlir::Operation *op) {
  auto of = [](mlir::Value value) { return tileas::getLayout(value.getType()); };
  return llvm::TypeSwitch<mlir::Operation *, tileas::LayoutAttr>(op)
      .Case<tileas::StoreOp, tileas::TiledStoreOp, tileas::ScatterStoreOp, tileas::AtomicRMWOp,
            tileas::AtomicCASOp, tileas::TiledAtomicRMWOp>(
          [&](auto access) { return of(access.getValue()); })
      .Case([](tileas::AsyncTiledLoadOp load) { return load.getLayout(); })
      .Case([&](tileas::AsyncLoadOp load) { return of(load.getPointers()); })
      .Default([&](mlir::Operation *load) { return of(load->getResult(0)); });
}

std::string describe(llvm::StringRef agents, mlir::Operation *op, int32_t thread) {
  return (thread < 0 ? "several " + agents.str() + "s"
                     : agents.str() + " " + std::to_string(thread)) +
         " in '" + op->getName().getStringRef().str() + "'";
}

} // namespace

Status HazardChecker::access(mlir::Operation *op, size_t index, uint64_t address, unsigned size,
                             bool isWrite, bool isStrong) {
  // A scalar is written by the first thread and read by all.
  int32_t thread = isWrite ? 0 : kSeveral;
  if (const Places *places = placesAt(op))
    thread = !isWrite && places->isShared(index)
                 ? kSeveral
                 : static_cast<int32_t>(places->threadOf(places->ownerOf(index)));
  TILESMITH_TRY(note(bytes, "thread", thread, op, address, size, isWrite, isStrong));
  if (clusterBytes)
    return note(*clusterBytes, "block", rank, op, address, size, isWrite, isStrong);
  return Status::success();
}

const Places *HazardChecker::placesAt(mlir::Operation *op) {
  if (op != latestOp) {
    tileas::LayoutAttr layout = accessedLayout(op);
    latestPlaces = layout ? sharedPlacesOf(layout) : nullptr;
    latestOp = op;
  }
  return latestPlaces.get();
}

HazardChecker::Byte &HazardChecker::Bytes::at(uint64_t address) {
  const uint64_t number = address >> kPageBits;
  if (!latest || number != latestNumber) {
    std::unique_ptr<Page> &page = pages[number];
    if (!page)
      page = std::make_unique<Page>();
    latest = page.get();
    latestNumber = number;
  }
  Byte &byte = (*latest)[address & ((uint64_t(1) << kPageBits) - 1)];
  if (byte.epoch != epoch) {
    byte = Byte();
    byte.epoch = epoch;
  }
  return byte;
}

void HazardChecker::Bytes::forget() {
  ++epoch;
  if (pages.size() <= kMostPages)
    return;
  pages.clear();
  latest = nullptr;
}

void HazardChecker::joinCluster(AccessObserver &first, int64_t blockRank) {
  auto &other = static_cast<HazardChecker &>(first);
  if (!other.clusterBytes)
    other.clusterBytes = std::make_shared<Bytes>();
  clusterBytes = other.clusterBytes;
  rank = static_cast<int32_t>(blockRank);
}

void HazardChecker::clusterBarrier(bool completes) {
  barrier();
  if (completes && clusterBytes)
    clusterBytes->forget();
}

Status HazardChecker::note(Bytes &bytes, llvm::StringRef agents, int32_t thread,
                           mlir::Operation *op, uint64_t address, unsigned size, bool isWrite,
                           bool isStrong) {
  auto differs = [&](int32_t other) {
    return other != kNobody && (other == kSeveral || thread == kSeveral || other != thread);
  };
  for (unsigned i = 0; i < size; ++i) {
    Byte &byte = bytes.at(address + i);
    bool conflict = differs(byte.writer) && (byte.writtenWeakly || !isStrong);
    mlir::Operation *before = byte.writtenBy;
    int32_t other = byte.writer;
    if (!conflict && isWrite && differs(byte.reader) && (byte.readWeakly || !isStrong)) {
      conflict = true;
      before = byte.readBy;
      other = byte.reader;
    }
    // One op is one step of all threads; what it does to itself the language forbids or orders.
    // Blocks are not in step.
    if (conflict && (before != op || agents == "block"))
      return reference::undefined("hazard", "no barrier between " +
                                                describe(agents, before, other) + " and " +
                                                describe(agents, op, thread));
    if (isWrite) {
      byte.writer = byte.writer == kNobody || byte.writer == thread ? thread : kSeveral;
      byte.writtenWeakly |= !isStrong;
      byte.writtenBy = op;
    } else {
      byte.reader = byte.reader == kNobody || byte.reader == thread ? thread : kSeveral;
      byte.readWeakly |= !isStrong;
      byte.readBy = op;
    }
  }
  return Status::success();
}
