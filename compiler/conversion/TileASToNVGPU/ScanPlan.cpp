//===- ScanPlan.cpp - how threads share the work of a scan ----------------------------------------===//
//
// Reads from a layout who holds the places of a line, and chooses between the two ways of
// ParallelScan.cpp by how many instructions each writes out.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/TileASToNVGPU/ParallelScan.h"
#include "compiler/support/Plants.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas_to_nvgpu;
using tileas::LayoutAttr;

namespace {

/// Operations of bodies that are written out at most, runs of a line, registers of a thread.
constexpr int64_t kMaxBodies = 1024, kMaxRuns = 32, kMaxRegisters = 128;
/// Bytes of shared memory that what moves to other threads takes at most.
constexpr int64_t kMaxRakedBytes = 32 * 1024;
/// What moving there and back costs beside its accesses, in instructions: addresses and barriers.
constexpr int64_t kCostOfRaking = 40;

/// Each bit of a number tells apart places along one dimension, or none.
bool isUnit(ArrayRef<int64_t> bases) {
  return llvm::all_of(bases, [](int64_t basis) { return (basis & (basis - 1)) == 0; });
}

/// Elements from one place of a line to the next.
int64_t strideOf(ArrayRef<int64_t> shape, unsigned axis) {
  int64_t stride = 1;
  for (size_t dim = axis + 1; dim < shape.size(); ++dim)
    stride *= shape[dim];
  return stride;
}

std::optional<ScanPlan> readLayout(LayoutAttr layout, unsigned axis) {
  if (layout.getLanes().size() != 5 || !isUnit(layout.getRegisters()) ||
      !isUnit(layout.getLanes()) || !isUnit(layout.getWarps()))
    return std::nullopt;
  ScanPlan plan;
  plan.layout = layout;
  plan.axis = axis;
  const int64_t stride = strideOf(layout.getShape(), axis);
  bool seesOthers = false, seesWarps = false;
  for (int64_t basis = stride; basis < stride * layout.getShape()[axis]; basis *= 2) {
    std::optional<ScanPlan::Holder> holder;
    for (auto [dim, bases] :
         {std::pair(InDim::Register, layout.getRegisters()),
          std::pair(InDim::Lane, layout.getLanes()), std::pair(InDim::Warp, layout.getWarps())})
      for (auto [bit, held] : llvm::enumerate(bases))
        if (held == basis) {
          if (holder)
            return std::nullopt;
          holder = ScanPlan::Holder{dim, int64_t(1) << bit};
        }
    if (!holder)
      return std::nullopt;
    seesOthers |= holder->dim != InDim::Register;
    seesWarps |= holder->dim == InDim::Warp;
    plan.serial += !seesOthers;
    plan.inWarp += !seesWarps;
    plan.bits.push_back(*holder);
  }
  return plan;
}

/// Behind the groups: lanes from low to high, then registers.
bool isInOrder(const ScanPlan &plan) {
  int64_t last = 0;
  bool seesRegisters = false;
  for (const ScanPlan::Holder &bit :
       ArrayRef(plan.bits).take_front(plan.inWarp).drop_front(plan.serial)) {
    seesRegisters |= bit.dim == InDim::Register;
    if (bit.dim == InDim::Lane && (seesRegisters || bit.mask < last))
      return false;
    last = bit.mask;
  }
  return true;
}

/// Instructions between the scans of groups and their last step, bodies counted once.
int64_t costAmongThreads(const ScanPlan &plan) {
  const int64_t groups = plan.groups().size();
  const int64_t lanes =
      llvm::popcount(uint64_t(plan.maskOf(InDim::Lane, plan.serial, plan.inWarp)));
  const int64_t high =
      llvm::popcount(uint64_t(plan.maskOf(InDim::Register, plan.serial, plan.inWarp)));
  int64_t cost = groups * (3 * lanes + (lanes ? 2 : 0) + (high ? 3 : 0));
  if (plan.runs() > 1)
    cost += (groups >> high) * 3 * (plan.runs() - 1) + kCostOfRaking / 2;
  return cost;
}

} // namespace

int64_t ScanPlan::maskOf(InDim dim, unsigned first, unsigned end) const {
  int64_t mask = 0;
  for (const Holder &bit : ArrayRef(bits).slice(first, end - first))
    mask |= bit.dim == dim ? bit.mask : 0;
  return mask;
}

int64_t ScanPlan::duplicates() const {
  int64_t mask = 0;
  for (auto [bit, basis] : llvm::enumerate(layout.getRegisters()))
    mask |= basis ? 0 : int64_t(1) << bit;
  return mask;
}

SmallVector<int64_t> ScanPlan::groups() const {
  const int64_t others = maskOf(InDim::Register, 0, serial) | duplicates();
  SmallVector<int64_t> firsts;
  for (int64_t r = 0; r < layout.getNumRegisters(); ++r)
    if (!(r & others))
      firsts.push_back(r);
  return firsts;
}

LayoutAttr ScanPlan::groupLayout() const {
  const int64_t stride = strideOf(layout.getShape(), axis);
  SmallVector<int64_t> shape(layout.getShape()), registers;
  shape[axis] >>= serial;
  auto moved = [&](int64_t basis) { return basis < stride ? basis : basis >> serial; };
  const int64_t left = maskOf(InDim::Register, 0, serial) | duplicates();
  for (auto [bit, basis] : llvm::enumerate(layout.getRegisters()))
    if (!(left >> bit & 1))
      registers.push_back(moved(basis));
  return LayoutAttr::get(layout.getContext(), shape, registers,
                         llvm::map_to_vector(layout.getLanes(), moved),
                         llvm::map_to_vector(layout.getWarps(), moved));
}

LayoutAttr ScanPlan::rakedLayout() const {
  SmallVector<int64_t> shape(layout.getShape()), order;
  shape[axis] >>= serial;
  const int64_t stride = strideOf(shape, axis), end = stride * shape[axis];
  int64_t elements = 1;
  for (int64_t extent : shape)
    elements *= extent;
  for (int64_t basis = stride; basis < end; basis *= 2)
    order.push_back(basis);
  for (int64_t basis = 1; basis < elements; basis *= 2)
    if (basis < stride || (basis >= end && !TILESMITH_PLANT("scan-raked-forgets-outer")))
      order.push_back(basis);
  const size_t warps = layout.getWarps().size(), threads = 5 + warps;
  const size_t own = order.size() > threads ? order.size() - threads : 0;
  order.resize(own + threads); // threads beyond the elements hold duplicates
  ArrayRef<int64_t> bases = order;
  return LayoutAttr::get(layout.getContext(), shape, bases.take_front(own), bases.slice(own, 5),
                         bases.take_back(warps));
}

ScanPlan tileas_to_nvgpu::planRaked(const ScanPlan &plan) {
  return *readLayout(plan.rakedLayout(), plan.axis);
}

std::optional<ScanPlan> tileas_to_nvgpu::planScan(tileas::ScanOp op) {
  LayoutAttr layout = tileas::getLayout(op.getOperands()[0].getType());
  if (op.getIdentitiesAttr() || layout.getNumRegisters() > kMaxRegisters)
    return std::nullopt;
  Block &body = op.getBody().front();
  if (!llvm::all_of(body.without_terminator(), [](Operation &inner) {
        return isMemoryEffectFree(&inner) && isSpeculatable(&inner);
      }))
    return std::nullopt;
  std::optional<ScanPlan> plan = readLayout(layout, op.getAxis());
  if (!plan || plan->bits.empty())
    return std::nullopt;

  int64_t bytes = 0; // of one element of each operand
  for (Value operand : op.getOperands()) {
    Type element = cast<RankedTensorType>(operand.getType()).getElementType();
    unsigned bits = isa<FloatTF32Type>(element) ? 32 : element.getIntOrFloatBitWidth();
    bytes += llvm::divideCeil(bits, 8);
  }
  auto exchanged = [&](const ScanPlan &by, unsigned bits) {
    return (by.layout.getNumElements() >> bits) * bytes + 16 * op.getNumOperands();
  };
  const bool direct = isInOrder(*plan) && plan->runs() <= kMaxRuns &&
                      (plan->runs() == 1 || exchanged(*plan, plan->inWarp) <= kMaxSharedBytes);
  int64_t cost = costAmongThreads(*plan);
  if (plan->serial < plan->bits.size() && exchanged(*plan, plan->serial) <= kMaxRakedBytes) {
    ScanPlan raked = planRaked(*plan);
    const int64_t held = raked.layout.getNumRegisters();
    int64_t other = 2 * plan->groups().size() + 4 * held + costAmongThreads(raked) + kCostOfRaking;
    plan->raked = !direct || other < cost;
    if (plan->raked)
      cost = other;
  }
  const int64_t size = std::max<int64_t>(1, static_cast<int64_t>(body.getOperations().size()) - 1);
  if ((!direct && !plan->raked) || (cost + 2 * layout.getNumRegisters()) * size > kMaxBodies)
    return std::nullopt;
  return plan;
}
