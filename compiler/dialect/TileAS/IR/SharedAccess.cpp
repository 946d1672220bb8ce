//===- SharedAccess.cpp - bank conflicts, swizzle search, ldmatrix plans ----------------------===//
#include "compiler/dialect/TileAS/IR/SharedAccess.h"

#include "compiler/support/ConversionPlan.h"
#include "compiler/support/Plants.h"

#include "llvm/ADT/SmallSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

SmallVector<OpOperand *> tileas::usesOfSlot(Value slot) {
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : slot.getUses()) {
    if (auto permute = dyn_cast<PermuteOp>(use.getOwner()))
      llvm::append_range(uses, usesOfSlot(permute.getResult()));
    else
      uses.push_back(&use);
  }
  return uses;
}

bool tileas::isReadByProduct(Value slot) {
  return llvm::any_of(usesOfSlot(slot), [](OpOperand *use) {
    return isa<DotOp, TensorMemoryDotOp>(use->getOwner());
  });
}

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
  } else if (elementBytes == 1 && registers[0] == 1 && lanes[2] == 2 && lanes[3] == 4 &&
             lanes[4] == 8) { // pairs of bytes are the elements
    plan.transposed = true;
    plan.addressBases = {registers[1], lanes[0], lanes[1]};
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

/// Bits of a register number inside a piece of eight elements, and bytes that one exchange moves.
static constexpr unsigned kPieceBits = 3;
static constexpr int64_t kMaxMatrixBytes = 32 * 1024;

/// Every element has one holder.
static bool isBijective(const LinearLayout &layout) {
  return layout.isInjective() && layout.isSurjective();
}

std::optional<MatrixExchange> tileas::planMatrixExchange(LayoutAttr from, LayoutAttr to,
                                                         int64_t elementBytes) {
  ArrayRef<int64_t> piece = from.getRegisters().take_front(kPieceBits), lanes = to.getLanes(),
                    registers = to.getRegisters();
  LinearLayout writer = from.toLinear();
  if (elementBytes != 2 || piece.size() < kPieceBits || registers.size() < kPieceBits ||
      from.getNumElements() * elementBytes > kMaxMatrixBytes || !isBijective(writer) ||
      !isBijective(to.toLinear()))
    return std::nullopt;
  // ldmatrix reads rows of 16 bytes: lanes 0 to 7 name those of the first matrix. Four lanes hold a row, or eight a column.
  const bool isTurned = lanes.drop_front(2) == piece;
  SmallVector<int64_t> names;
  if (isTurned)
    names = {registers[0], lanes[0], lanes[1]};
  else if (registers[0] == piece[0] && lanes.take_front(2) == piece.drop_front())
    names.append(lanes.begin() + 2, lanes.end());
  else
    return std::nullopt;
  names.append({registers[1], registers[2]});
  SmallVector<int64_t> rows(piece);
  rows.append(registers.begin() + kPieceBits, registers.end());
  LinearLayout reader = LinearLayout::fromFlat(rows, names, to.getWarps(), to.getShape()),
               shared = searchSharedLayout(writer, reader, elementBytes);
  MatrixExchange plan;
  plan.shared =
      SharedLayoutAttr::get(to.getContext(), to.getShape(), shared.getFlatBases(InDim::Offset));
  plan.offsets = plan.shared.offsetsOf(to);
  std::optional<LdMatrixPlan> read = planLdMatrix(plan.offsets, elementBytes);
  if (!read || read->transposed != isTurned)
    return std::nullopt;
  plan.read = *read;
  if (TILESMITH_PLANT("matrix-exchange-turned"))
    plan.read.transposed = true;
  return plan;
}

std::optional<MatrixExchange> tileas::planMatrixStores(LayoutAttr from, LayoutAttr to,
                                                       int64_t elementBytes) {
  ArrayRef<int64_t> piece = to.getRegisters().take_front(kPieceBits), lanes = from.getLanes(),
                    registers = from.getRegisters();
  LinearLayout reader = to.toLinear();
  if (elementBytes != 2 || piece.size() < kPieceBits || registers.size() < kPieceBits ||
      from.getNumElements() * elementBytes > kMaxMatrixBytes || !isBijective(from.toLinear()) ||
      !isBijective(reader))
    return std::nullopt;
  // Eight lanes hold a row of a matrix among four of them, or among eight, two rows each.
  SmallVector<int64_t> names;
  if (registers[0] == piece[0] && lanes.take_front(2) == piece.drop_front())
    names.append(lanes.begin() + 2, lanes.end());
  else if (lanes.drop_front(2) == piece)
    names = {registers[0], lanes[0], lanes[1]};
  else
    return std::nullopt;
  names.append({registers[1], registers[2]});
  SmallVector<int64_t> rows(piece);
  rows.append(registers.begin() + kPieceBits, registers.end());
  LinearLayout writer = LinearLayout::fromFlat(rows, names, from.getWarps(), from.getShape()),
               shared = searchSharedLayout(writer, reader, elementBytes);
  MatrixExchange plan;
  plan.shared =
      SharedLayoutAttr::get(from.getContext(), from.getShape(), shared.getFlatBases(InDim::Offset));
  plan.offsets = plan.shared.offsetsOf(from);
  std::optional<LdMatrixPlan> write = planLdMatrix(plan.offsets, elementBytes);
  if (!write || write->matrices != 4)
    return std::nullopt;
  plan.read = *write;
  return plan;
}

std::optional<LdMatrixPlan> tileas::planStagingMatrices(LayoutAttr held, SharedLayoutAttr staging,
                                                        int64_t elementBytes) {
  if (elementBytes != 2 || !isBijective(held.toLinear()))
    return std::nullopt;
  return planLdMatrix(staging.offsetsOf(held), elementBytes);
}

LayoutAttr tileas::matrixReader(LayoutAttr from) {
  ArrayRef<int64_t> piece = from.getRegisters().take_front(kPieceBits), shape = from.getShape();
  // Eight elements for each of the four lanes that share the columns of a matrix.
  constexpr unsigned kRowBits = kPieceBits + 2;
  if (shape.empty() || shape.back() < int64_t(1) << kRowBits || piece.size() < kPieceBits ||
      !isBijective(from.toLinear()))
    return {};
  auto isUnit = [](int64_t basis) { return llvm::isPowerOf2_64(basis); };
  if (!llvm::all_of(piece, [&](int64_t basis) { return isUnit(basis) && basis >= shape.back(); }))
    return {};
  SmallVector<int64_t> registers{1, 2, 4}, lanes{8, 16}, warps;
  lanes.append(piece.begin(), piece.end());
  for (int64_t basis = 1 << kRowBits; basis < from.getNumElements(); basis *= 2)
    if (!llvm::is_contained(piece, basis))
      (warps.size() < from.getWarps().size() ? warps : registers).push_back(basis);
  if (warps.size() < from.getWarps().size())
    return {};
  return LayoutAttr::get(from.getContext(), shape, registers, lanes, warps);
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

Swizzle tileas::swizzleOf(int64_t width, int64_t elementBytes, int64_t grain) {
  return {unsigned(llvm::Log2_64(width / grain)), unsigned(llvm::Log2_64(grain / elementBytes)),
          unsigned(llvm::Log2_64(128 / grain))};
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
