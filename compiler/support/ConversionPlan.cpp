//===- ConversionPlan.cpp - bank conflicts, swizzles and shuffles of layout conversions -------===//
//
// The swizzle search looks for the subspace I of tile elements that differ in the offset bits above
// one row of banks. Two lanes conflict when their difference lies in I, so I must meet the span of
// the lanes of one phase (with the access's own vector) trivially, for writer and reader. Vectors
// outside both spans, and sums of one vector that only the writer and one that only the reader
// reaches, are such.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/support/ConversionPlan.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cassert>
#include <limits>

using namespace llvm;
using namespace tilesmith;

namespace {

using Words = SmallVector<uint64_t, 16>;

unsigned rankOf(ArrayRef<uint64_t> words) {
  return F2Matrix(words).rank();
}

bool reaches(ArrayRef<uint64_t> words, uint64_t value) {
  return F2Matrix(words).solve(value).has_value();
}

/// Vectors of `from` that extend `space` (in order); `space` grows.
Words extendBy(Words &space, ArrayRef<uint64_t> from) {
  Words added;
  for (uint64_t vector : from) {
    if (reaches(space, vector))
      continue;
    space.push_back(vector);
    added.push_back(vector);
  }
  return added;
}

/// A basis of the intersection of two spans.
Words intersect(ArrayRef<uint64_t> a, ArrayRef<uint64_t> b) {
  Words basis, result, space;
  extendBy(basis, a);
  space = basis;
  for (uint64_t vector : b) {
    if (!reaches(space, vector)) {
      space.push_back(vector);
      continue;
    }
    // vector = (part in a) ^ (earlier part in b): the former is in both spans.
    uint64_t inputs = *F2Matrix(space).solve(vector), part = 0;
    for (size_t i = 0; i < basis.size(); ++i)
      part ^= inputs >> i & 1 ? basis[i] : 0;
    if (part && !reaches(result, part))
      result.push_back(part);
  }
  return result;
}

Words units(unsigned bits) {
  Words result;
  for (unsigned i = 0; i < bits; ++i)
    result.push_back(uint64_t(1) << i);
  return result;
}

/// Lane bits that take part in one phase of an access.
unsigned phaseLaneBits(int64_t accessBytes) {
  return accessBytes <= 4 ? 5 : accessBytes == 8 ? 4 : 3;
}

/// Element differences between the accesses of one phase: its lanes and the vector itself.
Words phaseSpan(const LinearLayout &layout, ArrayRef<uint64_t> vector, int64_t elementBytes) {
  Words ownVector;
  for (uint64_t basis : vector)
    if (is_contained(layout.getFlatBases(InDim::Register), int64_t(basis)))
      ownVector.push_back(basis);
    else
      break;
  Words span = ownVector;
  unsigned lanes = phaseLaneBits(elementBytes << ownVector.size());
  for (int64_t basis : layout.getFlatBases(InDim::Lane).take_front(lanes))
    span.push_back(basis);
  return span;
}

/// The shared layout whose lowest offset bits are `vector`.
LinearLayout sharedFor(const LinearLayout &writer, const LinearLayout &reader,
                       ArrayRef<uint64_t> vector, int64_t elementBytes) {
  unsigned bits = writer.getNumOutBits();
  unsigned rowBits = std::min<unsigned>(bits, Log2_64(kAllBankBytes / elementBytes));
  unsigned wanted = bits - rowBits;
  // Bases of both sides first: coordinates along the vector should come from the vector alone.
  Words all;
  for (const LinearLayout *side : {&writer, &reader})
    for (InDim dim : {InDim::Register, InDim::Lane, InDim::Warp})
      for (int64_t basis : side->getFlatBases(dim))
        if (!is_contained(vector, uint64_t(basis)))
          all.push_back(basis);
  all.append(units(bits));
  Words a = phaseSpan(writer, vector, elementBytes), b = phaseSpan(reader, vector, elementBytes);
  a.append(vector.begin(), vector.end());
  b.append(vector.begin(), vector.end());

  Words common = intersect(a, b), withA = common, withB = common;
  Words onlyA = extendBy(withA, a), onlyB = extendBy(withB, b);
  Words both = withA;
  extendBy(both, onlyB);
  Words candidates = extendBy(both, all);
  for (auto [e, f] : llvm::zip(onlyA, onlyB))
    candidates.push_back(e ^ f);
  // Not enough of them: some conflicts are unavoidable. The vector must stay together.
  candidates.append(all.begin(), all.end());

  Words high, space(vector.begin(), vector.end());
  for (uint64_t candidate : candidates) {
    if (high.size() == wanted)
      break;
    if (reaches(space, candidate))
      continue;
    space.push_back(candidate);
    high.push_back(candidate);
  }
  Words banks = extendBy(space, all);
  SmallVector<int64_t> offsets;
  for (ArrayRef<uint64_t> part : {vector, ArrayRef<uint64_t>(banks), ArrayRef<uint64_t>(high)})
    for (uint64_t basis : part)
      offsets.push_back(int64_t(basis));
  return LinearLayout::shared(offsets, writer.getShape());
}

/// Instructions and passes of one side.
int64_t accessCost(const LinearLayout &side, const LinearLayout &shared, int64_t elementBytes) {
  OffsetMap map = *getOffsetMap(side, shared);
  unsigned vector = getVectorRegisters(map).size();
  while (vector && (elementBytes << vector) > kMaxAccessBytes)
    --vector;
  int64_t accesses = std::max<int64_t>(1, side.getNumRegisters() >> vector);
  int64_t phases = 32 >> phaseLaneBits(elementBytes << vector);
  return accesses * (1 + phases * countBankPasses(map, elementBytes, vector));
}

} // namespace

std::optional<OffsetMap> tilesmith::getOffsetMap(const LinearLayout &distributed,
                                                 const LinearLayout &shared) {
  std::optional<F2Matrix> matrix = distributed.invertAndCompose(shared);
  if (!matrix)
    return std::nullopt;
  OffsetMap map;
  ArrayRef<uint64_t> columns = matrix->getColumns();
  auto take = [&](InDim dim, LinearLayout::FlatBases &into) {
    size_t count = distributed.getFlatBases(dim).size();
    into.append(columns.begin(), columns.begin() + count);
    columns = columns.drop_front(count);
  };
  take(InDim::Register, map.registers);
  take(InDim::Lane, map.lanes);
  take(InDim::Warp, map.warps);
  return map;
}

SmallVector<unsigned> tilesmith::getVectorRegisters(const OffsetMap &map) {
  SmallVector<unsigned> result;
  for (unsigned bit = 0;; ++bit) {
    std::optional<unsigned> own;
    bool alone = true;
    for (auto [i, column] : llvm::enumerate(map.registers)) {
      if (column == int64_t(1) << bit && !own)
        own = i;
      else
        alone &= !(column >> bit & 1);
    }
    for (ArrayRef<int64_t> list : {ArrayRef<int64_t>(map.lanes), ArrayRef<int64_t>(map.warps)})
      for (int64_t column : list)
        alone &= !(column >> bit & 1);
    if (!own || !alone)
      return result;
    result.push_back(*own);
  }
}

int64_t tilesmith::countBankPasses(const OffsetMap &map, int64_t elementBytes,
                                   unsigned vectorBits) {
  int64_t accessBytes = elementBytes << vectorBits;
  assert(accessBytes <= kMaxAccessBytes && "one access moves at most 16 bytes per lane");
  Words words, banks;
  auto addWord = [&](uint64_t word) {
    words.push_back(word);
    banks.push_back(word & (kAllBankBytes / kBankBytes - 1));
  };
  for (int64_t word = 1; word * kBankBytes < accessBytes; word *= 2)
    addWord(word);
  unsigned lanes = std::min<size_t>(phaseLaneBits(accessBytes), map.lanes.size());
  for (int64_t column : ArrayRef<int64_t>(map.lanes).take_front(lanes))
    addWord(uint64_t(column) * elementBytes / kBankBytes);
  return int64_t(1) << (rankOf(words) - rankOf(banks));
}

LinearLayout tilesmith::getHardwareSwizzle(ArrayRef<int64_t> shape, int64_t elementBytes,
                                           int64_t swizzleBytes) {
  LinearLayout plain = LinearLayout::shared({}, shape);
  unsigned bits = plain.getNumOutBits();
  unsigned columnBits = shape.empty() ? 0 : Log2_64(shape.back());
  unsigned blockBits = swizzleBytes ? Log2_64(swizzleBytes / elementBytes) : columnBits;
  assert(blockBits <= columnBits && "a row holds at least one swizzle block");
  SmallVector<int64_t> offsets;
  auto take = [&](unsigned from, unsigned to) {
    for (unsigned bit = from; bit < to; ++bit)
      offsets.push_back(int64_t(1) << bit);
  };
  take(0, blockBits);          // columns of one block
  take(columnBits, bits);      // rows
  take(blockBits, columnBits); // blocks
  SmallVector<int64_t> swizzled = offsets;
  for (unsigned bit = 4; swizzleBytes >> bit > 1; ++bit) {
    // Address bit `bit` is changed by address bit `bit` + 3.
    unsigned low = bit - Log2_64(elementBytes), high = low + 3;
    if (high < swizzled.size())
      swizzled[high] ^= offsets[low];
  }
  return LinearLayout::shared(swizzled, shape);
}

int64_t tilesmith::searchHardwareSwizzle(const LinearLayout &writer, const LinearLayout &reader,
                                         int64_t elementBytes) {
  int64_t best = 0, bestCost = std::numeric_limits<int64_t>::max();
  int64_t rowBytes = writer.getRank() ? writer.getShape().back() * elementBytes : 0;
  for (int64_t bytes : {0, 32, 64, 128}) {
    if (bytes > rowBytes)
      break;
    LinearLayout shared = getHardwareSwizzle(writer.getShape(), elementBytes, bytes);
    int64_t cost =
        accessCost(writer, shared, elementBytes) + accessCost(reader, shared, elementBytes);
    if (cost < bestCost) {
      best = bytes;
      bestCost = cost;
    }
  }
  return best;
}

/// Bits of the flat index that only one register of each side touches, alone.
static uint64_t registerOnlyBits(const LinearLayout &writer, const LinearLayout &reader) {
  uint64_t result = ~uint64_t(0);
  for (const LinearLayout *side : {&writer, &reader}) {
    uint64_t alone = 0, touched = 0;
    for (InDim dim : {InDim::Register, InDim::Lane, InDim::Warp})
      for (int64_t basis : side->getFlatBases(dim)) {
        if (dim == InDim::Register && isPowerOf2_64(uint64_t(basis)) && !(alone & basis))
          alone |= basis;
        else
          touched |= basis;
      }
    result &= alone & ~touched;
  }
  return result;
}

/// The layout without the given bits of the flat index, as a tile of one dimension.
static LinearLayout withoutBits(const LinearLayout &layout, uint64_t bits) {
  std::array<SmallVector<int64_t>, 3> bases;
  for (unsigned dim = 0; dim < 3; ++dim)
    for (int64_t basis : layout.getFlatBases(InDim(dim))) {
      if (uint64_t(basis) & bits)
        continue;
      int64_t packed = 0;
      for (unsigned bit = 0, at = 0; bit < layout.getNumOutBits(); ++bit)
        if (!(bits >> bit & 1))
          packed |= (basis >> bit & 1) << at++;
      bases[dim].push_back(packed);
    }
  int64_t shape[] = {layout.getNumElements() >> popcount(bits)};
  return LinearLayout::fromFlat(bases[0], bases[1], bases[2], shape);
}

LinearLayout tilesmith::searchSharedLayout(const LinearLayout &writer, const LinearLayout &reader,
                                           int64_t elementBytes, int64_t maxElements) {
  assert(writer.getShape() == reader.getShape() && "an exchange keeps the shape");
  if (writer.getNumElements() > maxElements) {
    // The highest register bits become the round; the rest is searched as a smaller tile.
    uint64_t candidates = registerOnlyBits(writer, reader), rounds = 0;
    for (int64_t rest = writer.getNumElements(); rest > maxElements && candidates; rest /= 2) {
      uint64_t bit = uint64_t(1) << Log2_64(candidates);
      candidates ^= bit;
      rounds |= bit;
    }
    if (rounds) {
      LinearLayout inner = searchSharedLayout(withoutBits(writer, rounds),
                                              withoutBits(reader, rounds), elementBytes);
      SmallVector<int64_t> offsets;
      for (int64_t basis : inner.getFlatBases(InDim::Offset)) {
        int64_t spread = 0;
        for (unsigned bit = 0, at = 0; bit < writer.getNumOutBits(); ++bit)
          if (!(rounds >> bit & 1))
            spread |= (basis >> at++ & 1) << bit;
        offsets.push_back(spread);
      }
      for (unsigned bit = 0; bit < writer.getNumOutBits(); ++bit)
        if (rounds >> bit & 1)
          offsets.push_back(int64_t(1) << bit);
      return LinearLayout::shared(offsets, writer.getShape());
    }
  }
  unsigned limit = Log2_64(kMaxAccessBytes / elementBytes);
  Words common;
  ArrayRef<int64_t> writes = writer.getFlatBases(InDim::Register),
                    reads = reader.getFlatBases(InDim::Register);
  // Registers that also lie in a lane or warp span hold duplicates; they cannot be a vector.
  auto add = [&](Words &vector, int64_t basis) {
    if (basis && vector.size() < limit && !reaches(vector, uint64_t(basis)))
      vector.push_back(basis);
  };
  for (int64_t basis : writes)
    if (is_contained(reads, basis))
      add(common, basis);
  Words longWrites = common, longReads = common;
  for (int64_t basis : writes)
    add(longWrites, basis);
  for (int64_t basis : reads)
    add(longReads, basis);

  LinearLayout best = getHardwareSwizzle(writer.getShape(), elementBytes, 0);
  int64_t bestCost =
      accessCost(writer, best, elementBytes) + accessCost(reader, best, elementBytes);
  for (const Words &vector : {common, longWrites, longReads, Words()}) {
    LinearLayout shared = sharedFor(writer, reader, vector, elementBytes);
    int64_t cost =
        accessCost(writer, shared, elementBytes) + accessCost(reader, shared, elementBytes);
    if (cost < bestCost) {
      best = shared;
      bestCost = cost;
    }
  }
  return best;
}

std::optional<ShufflePlan> tilesmith::planShuffles(const LinearLayout &src,
                                                   const LinearLayout &dst) {
  if (!src.isInjective() || !dst.isInjective() || src.getNumLanes() != dst.getNumLanes() ||
      src.getNumWarps() != dst.getNumWarps() || src.getNumRegisters() != dst.getNumRegisters() ||
      src.getSize(InDim::Block) != 1 || dst.getSize(InDim::Block) != 1)
    return std::nullopt;
  std::optional<F2Matrix> map = dst.invertAndCompose(src);
  if (!map)
    return std::nullopt;
  unsigned regs = src.getFlatBases(InDim::Register).size(),
           lanes = src.getFlatBases(InDim::Lane).size();
  ArrayRef<uint64_t> columns = map->getColumns();
  for (auto [i, column] : llvm::enumerate(columns))
    if (column >> (regs + lanes) != (i < regs + lanes ? 0 : uint64_t(1) << (i - regs - lanes)))
      return std::nullopt; // leaves the warp
  uint64_t regMask = (uint64_t(1) << regs) - 1, laneMask = (uint64_t(1) << lanes) - 1;
  // Result (register, lane, warp) is found at source register A r ^ B l ^ Wr w, lane C r ^ D l ^ Wl
  // w.
  Words a, b, c, d, warpReg, warpLane;
  for (auto [i, column] : llvm::enumerate(columns)) {
    (i < regs ? a : i < regs + lanes ? b : warpReg).push_back(column & regMask);
    (i < regs ? c : i < regs + lanes ? d : warpLane).push_back(column >> regs & laneMask);
  }

  // r = q ^ G l such that E = C G ^ D is invertible: then a lane serves one reader per round.
  Words keep(lanes, 0), space = d, e = d, f = b;
  uint64_t dependent = F2Matrix(d).redundantInputs();
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if (!(dependent >> lane & 1))
      continue;
    for (unsigned reg = 0; reg < regs; ++reg) {
      if (reaches(space, c[reg]))
        continue;
      space.push_back(c[reg]);
      keep[lane] = uint64_t(1) << reg;
      e[lane] ^= c[reg];
      f[lane] ^= a[reg];
      break;
    }
  }
  std::optional<F2Matrix> inverse = F2Matrix(e).rightInverse(lanes);
  if (!inverse)
    return std::nullopt;
  F2Matrix send = F2Matrix(f).compose(*inverse);
  ShufflePlan plan;
  plan.rounds = src.getNumRegisters();
  auto copy = [](ArrayRef<uint64_t> words, LinearLayout::FlatBases &into) {
    into.append(words.begin(), words.end());
  };
  copy(keep, plan.keepLane);
  copy(e, plan.fromLane);
  copy(c, plan.fromRound);
  copy(warpLane, plan.fromWarp);
  copy(send.getColumns(), plan.sendLane);
  for (auto [own, lane] : llvm::zip_equal(a, c))
    plan.sendRound.push_back(int64_t(own ^ send.apply(lane)));
  for (auto [own, lane] : llvm::zip_equal(warpReg, warpLane))
    plan.sendWarp.push_back(int64_t(own ^ send.apply(lane)));
  return plan;
}
