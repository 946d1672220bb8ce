//===- SharedAccess.cpp - bank conflicts, swizzle search, ldmatrix plans ----------------------===//
#include "compiler/dialect/TileAS/IR/SharedAccess.h"

#include "llvm/ADT/SmallSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

int64_t tileas::countWavefronts(const WarpAccess &access) {
  int64_t bytes = std::max<int64_t>(access.bytes, 4), words = bytes / 4;
  unsigned lanes = 1u << access.laneBases.size(), group = std::min<unsigned>(lanes, 32 / words);
  int64_t total = 0;
  for (unsigned first = 0; first < lanes; first += group) {
    std::array<llvm::SmallSet<int64_t, 8>, 32> perBank;
    for (unsigned lane = first; lane < first + group; ++lane) {
      int64_t offset = 0;
      for (auto [bit, basis] : llvm::enumerate(access.laneBases))
        if (lane >> bit & 1)
          offset ^= basis;
      for (int64_t word = 0; word < words; ++word)
        perBank[(offset / 4 + word) % 32].insert(offset / 4 + word);
    }
    size_t passes = 1;
    for (const auto &bank : perBank)
      passes = std::max(passes, size_t(bank.size()));
    total += passes;
  }
  return total;
}

/// All of `bases` are multiples of `unit`.
static bool multiplesOf(ArrayRef<int64_t> bases, int64_t unit) {
  return llvm::all_of(bases, [&](int64_t basis) { return basis % unit == 0; });
}

std::optional<LdMatrixPlan> tileas::planLdMatrix(LayoutAttr offsets, int64_t elementBytes) {
  if (elementBytes > 4)
    return std::nullopt;
  ArrayRef<int64_t> registers = offsets.getRegisters(), lanes = offsets.getLanes();
  int64_t piece = 16 / elementBytes;                 // elements of a matrix row
  unsigned packed = llvm::Log2_64(4 / elementBytes); // register bits inside a 32-bit register
  if (registers.size() < packed || !multiplesOf(offsets.getWarps(), piece))
    return std::nullopt;
  LdMatrixPlan plan;
  bool straight = lanes[0] == piece / 4 && lanes[1] == piece / 2;
  for (unsigned bit = 0; bit < packed; ++bit)
    straight &= registers[bit] == int64_t(1) << bit;
  if (straight) {
    plan.addressBases.assign(lanes.begin() + 2, lanes.end());
  } else if (elementBytes == 2 && lanes[2] == 1 && lanes[3] == 2 && lanes[4] == 4) {
    plan.transposed = true;
    plan.addressBases = {registers[0], lanes[0], lanes[1]};
  } else {
    return std::nullopt;
  }
  ArrayRef<int64_t> steps = registers.drop_front(packed);
  if (!multiplesOf(plan.addressBases, piece) || !multiplesOf(steps, piece))
    return std::nullopt;
  unsigned bits = std::min<unsigned>(steps.size(), 2);
  plan.matrices = 1u << bits;
  for (unsigned bit = 0; bit < 2; ++bit)
    plan.addressBases.push_back(bit < bits ? steps[bit] : 0);
  plan.registersPerInstruction = int64_t(1) << (packed + bits);
  return plan;
}

int64_t tileas::sharedVector(LayoutAttr offsets, int64_t elementBytes) {
  int64_t run = 1;
  for (int64_t basis : offsets.getRegisters()) {
    if (basis != run || run * elementBytes >= 16)
      break;
    run *= 2;
  }
  ArrayRef<int64_t> others = offsets.getRegisters().drop_front(llvm::Log2_64(run));
  while (run > 1 && !(multiplesOf(others, run) && multiplesOf(offsets.getLanes(), run) &&
                      multiplesOf(offsets.getWarps(), run)))
    run /= 2; // bits below are registers in order, so the rest of the run is no multiple problem
  return run;
}

WarpAccess tileas::readAccess(LayoutAttr offsets, int64_t elementBytes, bool ldmatrix) {
  WarpAccess access;
  if (std::optional<LdMatrixPlan> plan; ldmatrix && (plan = planLdMatrix(offsets, elementBytes))) {
    for (int64_t basis : ArrayRef(plan->addressBases).take_front(3))
      access.laneBases.push_back(basis * elementBytes);
    access.bytes = 16;
    return access;
  }
  for (int64_t basis : offsets.getLanes())
    access.laneBases.push_back(basis * elementBytes);
  access.bytes = sharedVector(offsets, elementBytes) * elementBytes;
  return access;
}

SharedLayoutAttr tileas::applySwizzle(SharedLayoutAttr plain, const Swizzle &swizzle) {
  SmallVector<int64_t> bases(plain.getOffsets());
  for (unsigned bit = swizzle.first; bit < swizzle.first + swizzle.bits; ++bit)
    bases[bit + swizzle.distance] ^= plain.getOffsets()[bit];
  return SharedLayoutAttr::get(plain.getContext(), plain.getShape(), bases);
}

Swizzle
tileas::findSwizzle(SharedLayoutAttr plain, int64_t elementBytes,
                    llvm::function_ref<SmallVector<WarpAccess>(SharedLayoutAttr)> accesses) {
  auto cost = [&](const Swizzle &swizzle) {
    int64_t total = 0;
    for (const WarpAccess &access : accesses(applySwizzle(plain, swizzle)))
      total += countWavefronts(access);
    return total;
  };
  Swizzle best;
  int64_t lowest = cost(best);
  unsigned total = plain.getOffsets().size(), first = llvm::Log2_64(16 / elementBytes);
  for (unsigned bits = 1; bits <= 3; ++bits)
    for (unsigned distance = bits; first + distance + bits <= total; ++distance) {
      Swizzle swizzle{bits, first, distance};
      if (int64_t now = cost(swizzle); now < lowest) {
        lowest = now;
        best = swizzle;
      }
    }
  return best;
}
