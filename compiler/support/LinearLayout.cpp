//===- LinearLayout.cpp - linear algebra over F2 for tile layouts -----------------------------===//
//
// Elimination keeps, per pivot bit, a reduced vector and the set of input bits whose XOR yields it.
// A column that reduces to zero is redundant; a target that reduces to zero is reached by the
// collected input bits.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/support/LinearLayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cassert>

using namespace llvm;

namespace tilesmith {

//===------------------------------------------------------------------------------------------===//
// F2Matrix
//===------------------------------------------------------------------------------------------===//

namespace {

/// Incremental Gaussian elimination.
class Eliminator {
public:
  explicit Eliminator(ArrayRef<uint64_t> columns) {
    for (auto [i, column] : llvm::enumerate(columns))
      insert(column, uint64_t(1) << i);
  }

  /// XORs pivots into (value, inputs) until no pivot applies.
  void reduce(uint64_t &value, uint64_t &inputs) const {
    uint64_t rest = value;
    while (rest) {
      unsigned bit = 63 - llvm::countl_zero(rest);
      rest ^= uint64_t(1) << bit;
      if (!(occupied >> bit & 1))
        continue;
      value ^= pivots[bit].value;
      inputs ^= pivots[bit].inputs;
      rest = value & ((uint64_t(1) << bit) - 1);
    }
  }

  void insert(uint64_t value, uint64_t inputs) {
    uint64_t self = inputs;
    reduce(value, inputs);
    if (!value) {
      redundant |= self;
      return;
    }
    unsigned bit = 63 - llvm::countl_zero(value);
    pivots[bit] = {value, inputs};
    occupied |= uint64_t(1) << bit;
  }

  bool contains(uint64_t value) const {
    uint64_t inputs = 0;
    reduce(value, inputs);
    return value == 0;
  }

  struct Pivot {
    uint64_t value = 0, inputs = 0;
  };
  std::array<Pivot, 64> pivots;
  uint64_t occupied = 0;
  uint64_t redundant = 0;
};

SmallVector<uint64_t, 16> toWords(ArrayRef<int64_t> bases) {
  return SmallVector<uint64_t, 16>(bases.begin(), bases.end());
}

int64_t applyBases(ArrayRef<int64_t> bases, int64_t input) {
  assert(uint64_t(input) >> bases.size() == 0 && "input outside the layout");
  int64_t result = 0;
  for (auto [i, basis] : llvm::enumerate(bases))
    if (input >> i & 1)
      result ^= basis;
  return result;
}

} // namespace

F2Matrix F2Matrix::identity(unsigned size) {
  F2Matrix m;
  for (unsigned i = 0; i < size; ++i)
    m.columns.push_back(uint64_t(1) << i);
  return m;
}

uint64_t F2Matrix::apply(uint64_t x) const {
  uint64_t result = 0;
  for (auto [i, column] : llvm::enumerate(columns))
    if (x >> i & 1)
      result ^= column;
  return result;
}

unsigned F2Matrix::rank() const {
  return llvm::popcount(Eliminator(columns).occupied);
}

F2Matrix F2Matrix::compose(const F2Matrix &inner) const {
  F2Matrix result;
  for (uint64_t column : inner.columns)
    result.columns.push_back(apply(column));
  return result;
}

std::optional<uint64_t> F2Matrix::solve(uint64_t y) const {
  uint64_t inputs = 0;
  Eliminator(columns).reduce(y, inputs);
  return y ? std::nullopt : std::optional<uint64_t>(inputs);
}

std::optional<F2Matrix> F2Matrix::rightInverse(unsigned rows) const {
  Eliminator eliminator(columns);
  F2Matrix result;
  for (unsigned i = 0; i < rows; ++i) {
    uint64_t value = uint64_t(1) << i, inputs = 0;
    eliminator.reduce(value, inputs);
    if (value)
      return std::nullopt;
    result.columns.push_back(inputs);
  }
  return result;
}

uint64_t F2Matrix::redundantInputs() const {
  return Eliminator(columns).redundant;
}

//===------------------------------------------------------------------------------------------===//
// Construction
//===------------------------------------------------------------------------------------------===//

StringRef stringifyInDim(InDim dim) {
  switch (dim) {
  case InDim::Register:
    return "register";
  case InDim::Lane:
    return "lane";
  case InDim::Warp:
    return "warp";
  case InDim::Block:
    return "block";
  case InDim::Offset:
    return "offset";
  }
  llvm_unreachable("unknown input dimension");
}

StringRef stringifyConversionKind(ConversionKind kind) {
  switch (kind) {
  case ConversionKind::Identical:
    return "identical";
  case ConversionKind::RegisterPermutation:
    return "register-permutation";
  case ConversionKind::WithinWarp:
    return "within-warp";
  case ConversionKind::SharedMemory:
    return "shared-memory";
  }
  llvm_unreachable("unknown conversion kind");
}

LinearLayout::LinearLayout(const std::vector<Basis> &reg, const std::vector<Basis> &lane,
                           const std::vector<Basis> &warp, ArrayRef<int64_t> shape)
    : shape(shape.begin(), shape.end()) {
  auto fill = [&](InDim dim, const std::vector<Basis> &list) {
    for (const Basis &basis : list)
      bases(dim).push_back(flatten(basis));
  };
  fill(InDim::Register, reg);
  fill(InDim::Lane, lane);
  fill(InDim::Warp, warp);
}

LinearLayout LinearLayout::fromFlat(ArrayRef<int64_t> reg, ArrayRef<int64_t> lane,
                                    ArrayRef<int64_t> warp, ArrayRef<int64_t> shape,
                                    ArrayRef<int64_t> block) {
  LinearLayout result;
  result.shape.assign(shape.begin(), shape.end());
  result.bases(InDim::Register).assign(reg.begin(), reg.end());
  result.bases(InDim::Lane).assign(lane.begin(), lane.end());
  result.bases(InDim::Warp).assign(warp.begin(), warp.end());
  result.bases(InDim::Block).assign(block.begin(), block.end());
  assert(llvm::all_of(result.flat,
                      [&](const FlatBases &list) {
                        return llvm::all_of(
                            list, [&](int64_t b) { return b >= 0 && b < result.getNumElements(); });
                      }) &&
         "basis outside the tile");
  return result;
}

LinearLayout LinearLayout::shared(ArrayRef<int64_t> offset, ArrayRef<int64_t> shape) {
  LinearLayout result = fromFlat({}, {}, {}, shape);
  result.bases(InDim::Offset).assign(offset.begin(), offset.end());
  return result;
}

LinearLayout LinearLayout::rowMajor(ArrayRef<int64_t> shape, int64_t numWarps,
                                    unsigned vectorBits) {
  assert(llvm::isPowerOf2_64(numWarps) && "warp count must be a power of two");
  LinearLayout result = fromFlat({}, {}, {}, shape);
  unsigned total = result.getNumOutBits(), next = 0;
  auto take = [&](InDim dim, unsigned count, bool pad) {
    for (unsigned i = 0; i < count; ++i) {
      if (next < total)
        result.bases(dim).push_back(int64_t(1) << next++);
      else if (pad)
        result.bases(dim).push_back(0);
    }
  };
  take(InDim::Register, vectorBits, /*pad=*/false);
  take(InDim::Lane, 5, /*pad=*/true);
  take(InDim::Warp, llvm::Log2_64(numWarps), /*pad=*/true);
  take(InDim::Register, total - next, /*pad=*/false);
  return result;
}

//===------------------------------------------------------------------------------------------===//
// Extents, bases, the map
//===------------------------------------------------------------------------------------------===//

int64_t LinearLayout::getNumElements() const {
  int64_t n = 1;
  for (int64_t extent : shape)
    n *= extent;
  return n;
}

unsigned LinearLayout::getNumOutBits() const {
  return llvm::Log2_64(getNumElements());
}

std::vector<LinearLayout::Basis> LinearLayout::getBases(InDim dim) const {
  std::vector<Basis> result;
  for (int64_t basis : getFlatBases(dim))
    result.push_back(unflatten(basis));
  return result;
}

LinearLayout::Basis LinearLayout::unflatten(int64_t index) const {
  Basis coords(shape.size(), 0);
  for (unsigned i = shape.size(); i-- > 0;) {
    coords[i] = index & (shape[i] - 1);
    index >>= llvm::Log2_64(shape[i]);
  }
  assert(index == 0 && "index outside the tile");
  return coords;
}

int64_t LinearLayout::flatten(ArrayRef<int64_t> coords) const {
  assert(coords.size() == shape.size() && "one coordinate per dimension");
  int64_t index = 0;
  for (auto [coord, extent] : llvm::zip(coords, shape)) {
    assert(llvm::isPowerOf2_64(extent) && "extents are powers of two");
    assert(coord >= 0 && coord < extent && "coordinate outside the tile");
    index = index << llvm::Log2_64(extent) | coord;
  }
  return index;
}

int64_t LinearLayout::applyFlat(int64_t reg, int64_t lane, int64_t warp, int64_t block) const {
  return applyBases(getFlatBases(InDim::Register), reg) ^
         applyBases(getFlatBases(InDim::Lane), lane) ^ applyBases(getFlatBases(InDim::Warp), warp) ^
         applyBases(getFlatBases(InDim::Block), block);
}

LinearLayout::Basis LinearLayout::apply(int64_t reg, int64_t lane, int64_t warp,
                                        int64_t block) const {
  return unflatten(applyFlat(reg, lane, warp, block));
}

int64_t LinearLayout::applyOffset(int64_t offset) const {
  return applyBases(getFlatBases(InDim::Offset), offset);
}

unsigned LinearLayout::firstBit(InDim dim) const {
  unsigned bit = 0;
  for (unsigned i = 0; i < unsigned(dim); ++i)
    bit += flat[i].size();
  return bit;
}

F2Matrix LinearLayout::getMatrix() const {
  SmallVector<uint64_t, 16> columns;
  for (const FlatBases &list : flat)
    llvm::append_range(columns, toWords(list));
  return F2Matrix(columns);
}

bool LinearLayout::isSurjective() const {
  return getMatrix().rank() == getNumOutBits();
}

bool LinearLayout::isInjective() const {
  F2Matrix matrix = getMatrix();
  return matrix.rank() == matrix.getNumColumns();
}

int64_t LinearLayout::freeMask(InDim dim) const {
  uint64_t mask = getMatrix().redundantInputs();
  return int64_t(mask >> firstBit(dim)) & (getSize(dim) - 1);
}

std::optional<std::array<int64_t, kNumInDims>> LinearLayout::locate(int64_t flatIndex) const {
  std::optional<uint64_t> packed = getMatrix().solve(flatIndex);
  if (!packed)
    return std::nullopt;
  std::array<int64_t, kNumInDims> result;
  for (unsigned i = 0; i < kNumInDims; ++i)
    result[i] = int64_t(*packed >> firstBit(InDim(i))) & (getSize(InDim(i)) - 1);
  return result;
}

std::optional<LinearLayout::FlatBases> LinearLayout::getInverseBases(InDim dim) const {
  std::optional<F2Matrix> inverse = getMatrix().rightInverse(getNumOutBits());
  if (!inverse)
    return std::nullopt;
  FlatBases result;
  for (uint64_t column : inverse->getColumns())
    result.push_back(int64_t(column >> firstBit(dim)) & (getSize(dim) - 1));
  return result;
}

std::optional<F2Matrix> LinearLayout::invertAndCompose(const LinearLayout &target) const {
  F2Matrix targetMatrix = target.getMatrix();
  Eliminator eliminator(targetMatrix.getColumns());
  SmallVector<uint64_t, 16> columns;
  F2Matrix matrix = getMatrix();
  for (uint64_t column : matrix.getColumns()) {
    uint64_t inputs = 0;
    eliminator.reduce(column, inputs);
    if (column)
      return std::nullopt;
    columns.push_back(inputs);
  }
  return F2Matrix(columns);
}

//===------------------------------------------------------------------------------------------===//
// Derived layouts
//===------------------------------------------------------------------------------------------===//

template <typename Fn>
LinearLayout LinearLayout::mapBases(ArrayRef<int64_t> newShape, Fn map) const {
  LinearLayout result;
  result.shape.assign(newShape.begin(), newShape.end());
  for (unsigned i = 0; i < kNumInDims; ++i)
    for (int64_t basis : flat[i])
      result.flat[i].push_back(map(result, basis));
  return result;
}

LinearLayout LinearLayout::sublayout(ArrayRef<InDim> keep) const {
  LinearLayout result = *this;
  for (unsigned i = 0; i < kNumInDims; ++i)
    if (!llvm::is_contained(keep, InDim(i)))
      result.flat[i].clear();
  return result;
}

LinearLayout LinearLayout::reshape(ArrayRef<int64_t> newShape) const {
  LinearLayout result = *this;
  result.shape.assign(newShape.begin(), newShape.end());
  assert(result.getNumElements() == getNumElements() && "reshape keeps the number of elements");
  return result;
}

LinearLayout LinearLayout::permuteDims(ArrayRef<int64_t> perm) const {
  assert(perm.size() == shape.size() && "one entry per dimension");
  SmallVector<int64_t, 4> newShape;
  for (int64_t p : perm)
    newShape.push_back(shape[p]);
  return mapBases(newShape, [&](const LinearLayout &result, int64_t basis) {
    Basis coords = unflatten(basis), permuted;
    for (int64_t p : perm)
      permuted.push_back(coords[p]);
    return result.flatten(permuted);
  });
}

LinearLayout LinearLayout::removeDim(unsigned dim) const {
  assert(dim < shape.size() && "no such dimension");
  SmallVector<int64_t, 4> newShape(shape);
  newShape.erase(newShape.begin() + dim);
  return mapBases(newShape, [&](const LinearLayout &result, int64_t basis) {
    Basis coords = unflatten(basis);
    coords.erase(coords.begin() + dim);
    return result.flatten(coords);
  });
}

LinearLayout LinearLayout::insertDim(unsigned dim) const {
  assert(dim <= shape.size() && "no such dimension");
  SmallVector<int64_t, 4> newShape(shape);
  newShape.insert(newShape.begin() + dim, 1);
  return reshape(newShape);
}

LinearLayout LinearLayout::projectDims(ArrayRef<unsigned> dims) const {
  SmallVector<int64_t, 4> newShape(shape);
  for (unsigned dim : dims)
    newShape[dim] = 1;
  return mapBases(newShape, [&](const LinearLayout &result, int64_t basis) {
    Basis coords = unflatten(basis);
    for (unsigned dim : dims)
      coords[dim] = 0;
    return result.flatten(coords);
  });
}

LinearLayout LinearLayout::broadcastTo(ArrayRef<int64_t> newShape) const {
  assert(newShape.size() == shape.size() && "broadcast keeps the rank");
  LinearLayout result = mapBases(newShape, [&](const LinearLayout &result, int64_t basis) {
    return result.flatten(unflatten(basis));
  });
  for (unsigned dim = shape.size(); dim-- > 0;) {
    assert((shape[dim] == newShape[dim] || shape[dim] == 1) && "only extents of 1 grow");
    for (int64_t bit = shape[dim]; bit < newShape[dim]; bit *= 2) {
      Basis coords(shape.size(), 0);
      coords[dim] = bit;
      result.bases(InDim::Register).push_back(result.flatten(coords));
    }
  }
  return result;
}

LinearLayout LinearLayout::removeRedundantRegisters() const {
  LinearLayout result = *this;
  int64_t mask = freeMask(InDim::Register);
  FlatBases &regs = result.bases(InDim::Register);
  regs.clear();
  for (auto [i, basis] : llvm::enumerate(getFlatBases(InDim::Register)))
    if (!(mask >> i & 1))
      regs.push_back(basis);
  return result;
}

//===------------------------------------------------------------------------------------------===//
// Questions
//===------------------------------------------------------------------------------------------===//

unsigned LinearLayout::getVectorBits(std::optional<unsigned> dim) const {
  if (shape.empty())
    return 0;
  unsigned along = dim.value_or(shape.size() - 1);
  unsigned shift = 0;
  for (unsigned i = along + 1; i < shape.size(); ++i)
    shift += llvm::Log2_64(shape[i]);
  ArrayRef<int64_t> regs = getFlatBases(InDim::Register);
  unsigned k = 0, limit = llvm::Log2_64(shape[along]);
  while (k < limit && k < regs.size() && regs[k] == int64_t(1) << (shift + k))
    ++k;
  // Everything else must leave the low k coordinate bits alone.
  for (unsigned i = 0; i < kNumInDims; ++i)
    for (auto [bit, basis] : llvm::enumerate(flat[i])) {
      if (InDim(i) == InDim::Register && bit < k)
        continue;
      int64_t coord = (basis >> shift) & (shape[along] - 1);
      if (coord)
        k = std::min<unsigned>(k, llvm::countr_zero(uint64_t(coord)));
    }
  return k;
}

ConversionKind classifyConversion(const LinearLayout &src, const LinearLayout &dst) {
  assert(src.getShape() == dst.getShape() && "conversion keeps the shape");
  if (src == dst)
    return ConversionKind::Identical;
  if (getRegisterMap(src, dst))
    return ConversionKind::RegisterPermutation;
  if (src.getNumWarps() != dst.getNumWarps() || src.getNumLanes() != dst.getNumLanes() ||
      src.getFlatBases(InDim::Block) != dst.getFlatBases(InDim::Block))
    return ConversionKind::SharedMemory;
  SmallVector<uint64_t, 16> reach = toWords(src.getFlatBases(InDim::Register));
  llvm::append_range(reach, toWords(src.getFlatBases(InDim::Lane)));
  Eliminator warpLocal(reach);
  auto local = [&](int64_t basis) { return warpLocal.contains(basis); };
  if (!llvm::all_of(dst.getFlatBases(InDim::Register), local) ||
      !llvm::all_of(dst.getFlatBases(InDim::Lane), local))
    return ConversionKind::SharedMemory;
  for (auto [a, b] : llvm::zip(src.getFlatBases(InDim::Warp), dst.getFlatBases(InDim::Warp)))
    if (!local(a ^ b))
      return ConversionKind::SharedMemory;
  return ConversionKind::WithinWarp;
}

std::optional<SmallVector<int64_t>> getRegisterMap(const LinearLayout &src,
                                                   const LinearLayout &dst) {
  for (InDim dim : {InDim::Lane, InDim::Warp, InDim::Block})
    if (src.getFlatBases(dim) != dst.getFlatBases(dim))
      return std::nullopt;
  F2Matrix regs(toWords(src.getFlatBases(InDim::Register)));
  SmallVector<int64_t> columns;
  for (int64_t basis : dst.getFlatBases(InDim::Register)) {
    std::optional<uint64_t> column = regs.solve(basis);
    if (!column)
      return std::nullopt;
    columns.push_back(*column);
  }
  SmallVector<int64_t> map;
  for (int64_t r = 0; r < dst.getNumRegisters(); ++r)
    map.push_back(applyBases(columns, r));
  return map;
}

llvm::hash_code hash_value(const LinearLayout &layout) {
  llvm::hash_code hash = llvm::hash_combine_range(layout.getShape());
  for (unsigned i = 0; i < kNumInDims; ++i)
    hash = llvm::hash_combine(hash, llvm::hash_combine_range(layout.getFlatBases(InDim(i))));
  return hash;
}

//===------------------------------------------------------------------------------------------===//
// Text
//===------------------------------------------------------------------------------------------===//

void LinearLayout::print(raw_ostream &os) const {
  auto list = [&](ArrayRef<int64_t> values) {
    os << '[';
    llvm::interleave(values, os, ",");
    os << ']';
  };
  for (unsigned i = 0; i < kNumInDims; ++i) {
    bool always = InDim(i) <= InDim::Warp && flat[unsigned(InDim::Offset)].empty();
    if (flat[i].empty() && !always)
      continue;
    os << stringifyInDim(InDim(i)) << "=[";
    llvm::interleave(flat[i], os, [&](int64_t basis) { list(unflatten(basis)); }, ",");
    os << "], ";
  }
  os << "shape=";
  list(shape);
}

std::string LinearLayout::toString() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os);
  return text;
}

raw_ostream &operator<<(raw_ostream &os, const LinearLayout &layout) {
  layout.print(os);
  return os;
}

} // namespace tilesmith
