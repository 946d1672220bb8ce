//===- TensorCore.cpp - tensor memory and the products that accumulate there (UTC*, LDTM, STTM) -===//
//
// sm_100: D (M x N, in tensor memory) += A (M x K) * B (K x N); what the matrices are stands in a
// 32-bit instruction descriptor, K is 32 bytes of elements. M = 128: row = lane; M = 64: 16 rows in
// each quarter of the lanes. A warp reaches the 32 lanes that its number modulo four names.
//
//   instruction descriptor   bits 4-5 type of D (0 f16, 1 f32, 2 s32), 7-9 of A, 10-12 of B,
//     13, 14 negate A, B; 15, 16 MN contiguous; 17-22 N / 8; 24-28 M / 16; 3 saturate
//     with scales: 4-5 and 29-30 which byte of B's and of A's; 23 they are powers of two (e8m0)
//   scales   of row r: lane r % 32 of every quarter, column r / 32, one byte for each block along K
//   4-bit products (UTCOMMA): K = 64, two elements a byte, two blocks of 32 or (4X) four of 16
//
// A pair (`.2CTA`) is two blocks of a cluster, numbers 2n and 2n + 1. M and N count both: either has
// half of the rows of A and D and half of the columns of B, at the same addresses; the scales of all
// of B are in both. M = 128: lanes 64 and up of a block hold the second half of its columns. Copies
// are made in both blocks, each from its own shared memory.
//
// Products, copies from shared memory (UTCCP) and arrivals (UTCBAR) are performed in order: at once,
// or by the late schedule when somebody looks at the barrier where the arrival is due. A product
// that nobody waits for is never made then.
//
// Columns are allocated in units of 32, aligned to their number; by the late schedule from the end.
// Source: PTX ISA, tcgen05; encodings by experiment.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/emulator/Numeric.h"
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/MatrixOperand.h"

#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace tilesmith;
using namespace tilesmith::sass;

bool TensorMemory::isAllocated(uint32_t first, uint32_t count) const {
  for (uint32_t column = first; column < first + count; ++column)
    if (column >= kColumns || !(units >> (column / kUnit) & 1))
      return false;
  return true;
}

namespace {

constexpr uint32_t kAllUnits = (1u << TensorMemory::kColumns / TensorMemory::kUnit) - 1;
constexpr unsigned kMaxRows = 128, kMaxColumns = 256, kMaxDepth = 64;
/// Value of the modifier of UTCOMMA that says 4X.
constexpr uint8_t kFourScales = 2;
/// Value of the modifier of UTCHMMA that says B_REUSE.
constexpr uint8_t kReuse = 2;

/// The other block of a pair; null outside of clusters of whole pairs.
Block *peerOf(const Block &block) {
  const auto &blocks = block.cluster->blocks;
  const uint32_t peer = block.rank ^ 1;
  return peer < blocks.size() ? blocks[peer].get() : nullptr;
}

/// A warp of each block that takes part, in their order; empty after a fault.
llvm::SmallVector<Warp *, 2> partnersOf(Warp &w, bool pair) {
  if (!pair)
    return {&w};
  Block *peer = peerOf(*w.block);
  if (!peer) {
    w.fault(Report::Fault, "a pair of blocks is asked for by a block that has no neighbour");
    return {};
  }
  Warp *other = peer->warps.front().get();
  return w.block->rank & 1 ? llvm::SmallVector<Warp *, 2>{other, &w}
                           : llvm::SmallVector<Warp *, 2>{&w, other};
}

/// False after a fault: what starts at another lane is not executed.
bool startsAtLane(Warp &w, uint32_t address, const char *what, bool half = false) {
  const uint32_t lane = address >> 16;
  if (lane == 0 || (half && lane == 16))
    return true;
  w.fault(Report::Unsupported,
          llvm::formatv("unsupported: {0} at lane {1} of tensor memory", what, lane).str());
  return false;
}

/// The columns, or null after a fault.
TensorMemory *columnsAt(Warp &w, uint32_t address, uint32_t count, const char *what) {
  TensorMemory *memory = w.block->tensor.get();
  if (memory && memory->isAllocated(address & 0xffff, count))
    return memory;
  w.fault(Report::Fault,
          llvm::formatv("{0} {1} columns of tensor memory from {2} on, which are not "
                        "allocated",
                        what, count, address & 0xffff)
              .str());
  return nullptr;
}

// ---- the products ----

struct Shape {
  Element a = Element::F16, b = Element::F16;
  enum Sum { Half, Single, Integer } sum = Single;
  uint32_t m = 0, n = 0, k = 0;
  bool transposeA = false, transposeB = false, negateA = false, negateB = false, saturate = false;
  bool scaled = false, pair = false;
  bool packed = false;                       ///< two elements of 4 bits a byte
  bool powers = true;                        ///< scales are e8m0, else e4m3
  unsigned byteA = 0, byteB = 0, blocks = 1; ///< of the scales: the first byte, how many along K

  uint32_t rows() const { return pair ? m / 2 : m; } ///< of A and D in one block
  bool isFolded() const { return pair && m == 128; }
  uint32_t columns() const { return isFolded() ? n / 2 : n; } ///< of tensor memory that D has
  /// The lane of a row, relative to D's.
  uint32_t laneOf(uint32_t row) const { return m == 64 ? row / 16 * 32 + row % 16 : row; }
};

/// The types of H(alf), Q(uarter) and I(nteger) products by their numbers; false for others.
bool readTypes(char family, unsigned a, unsigned b, unsigned sum, Shape &s) {
  static constexpr Element kHalf[] = {Element::F16, Element::BF16, Element::TF32},
                           kQuarter[] = {Element::E4M3, Element::E5M2},
                           kInteger[] = {Element::U8, Element::S8};
  const llvm::ArrayRef<Element> types = family == 'H'   ? llvm::ArrayRef(kHalf)
                                        : family == 'Q' ? llvm::ArrayRef(kQuarter)
                                                        : llvm::ArrayRef(kInteger);
  if (a >= types.size() || b >= types.size() || (family == 'H' && a != b))
    return false;
  s.a = types[a], s.b = types[b], s.sum = static_cast<Shape::Sum>(sum);
  return family == 'I' ? sum == Shape::Integer
         : s.a == Element::TF32 || s.a == Element::BF16
             ? sum == Shape::Single
             : sum == Shape::Single || sum == Shape::Half;
}

/// Whether A is in tensor memory; 0x5ea and 0xdea have its descriptor.
bool isInTensor(const Row &row) {
  return row.opcode == 0x9ea || row.opcode == 0xfea;
}
bool isPacked(const Row &row) {
  return row.name[3] == 'O'; // UTCOMMA
}
bool isScaled(const Row &row) {
  return row.opcode == 0xdea || row.opcode == 0xfea || isPacked(row);
}

/// Null, or what is not executed.
const char *readShape(const TensorOp &op, Shape &s) {
  const Row &row = *op.row;
  const uint32_t bits = op.descriptor;
  const char family = row.name[3]; // UTCHMMA
  s.scaled = isScaled(row), s.packed = isPacked(row), s.pair = op.pair;
  if (bits & 7)
    return "sparse matrix";
  if (s.packed) {
    s.a = s.b = Element::U8; // as bytes of two elements
    if ((bits >> 7 & 7) != 1 || (bits >> 10 & 3) != 1)
      return "combination of types";
    if (bits >> 15 & 3)
      return "transposed matrix of 4 bits";
  } else if (!readTypes(family, bits >> 7 & 7, bits >> 10 & 7, s.scaled ? 1 : bits >> 4 & 3, s)) {
    return "combination of types";
  }
  s.saturate = bits >> 3 & 1, s.negateA = bits >> 13 & 1, s.negateB = bits >> 14 & 1;
  s.transposeA = bits >> 15 & 1, s.transposeB = bits >> 16 & 1;
  s.m = (bits >> 24 & 31) * 16, s.n = (bits >> 17 & 63) * 8;
  s.k = s.packed ? kMaxDepth : 32 / bytesOf(s.a);
  const bool isDeep = op.warp->machine->chip.deepProducts;
  if (isDeep && s.packed && bits >> 3 & 1) // eight scales of a row, in two cells
    return "depth of 128";
  if (isDeep && s.scaled && !s.packed && bits >> 31) // 64 bytes, two scales of a row
    s.k = kMaxDepth, s.blocks = 2;
  if (s.scaled)
    s.byteB = bits >> 4 & 3, s.byteA = bits >> 29 & 3;
  else if (isDeep && bits >> 29 == 1 && bytesOf(s.a) == 1)
    s.k = kMaxDepth; // 64 bytes
  else if (bits >> 29)
    return "shift of B";
  s.powers = bits >> 23 & 1;
  if (s.packed) {
    s.blocks = op.form == kFourScales ? 4 : 2;
    if (bits >> 31 || (s.byteA | s.byteB) & (s.blocks - 1))
      return "depth or place of scales";
  }
  if (s.scaled && !s.powers && s.blocks != 4)
    return "type of scales";
  if (s.pair ? (s.m != 256 && s.m != 128) || s.n % 16 || (s.m == 128 && s.n % 32)
             : s.m != 128 && (s.m != 64 || s.scaled))
    return "size";
  if (!s.n || s.n > kMaxColumns)
    return "size";
  if (s.isFolded() && (s.scaled || isInTensor(row)))
    return "pair of 128 rows with scales or with A in tensor memory";
  return nullptr;
}

struct Operands {
  double a[kMaxRows][kMaxDepth], b[kMaxDepth][kMaxColumns];
};

/// Element k of a byte of two.
double half(uint32_t byte, uint32_t k) {
  return emulator::decode(byte >> (4 * (k & 1)) & 15, emulator::kE2M1);
}

bool load(Warp &w, uint64_t descriptor, bool transposed, Element element, bool packed, uint32_t mn,
          uint32_t k, double &out) {
  if (!packed)
    return loadElement(w, descriptor, transposed, element, mn, k, out);
  const uint8_t *at = elementAt(w, descriptor, false, 1, mn, k / 2);
  if (at)
    out = half(*at, k);
  return at != nullptr;
}

/// The rows that the block of the warp has.
bool readA(Warp &w, const TensorOp &op, const Shape &s, Operands &out) {
  const bool inTensor = isInTensor(*op.row);
  const unsigned bytes = bytesOf(s.a);
  const TensorMemory *memory =
      inTensor ? columnsAt(w, static_cast<uint32_t>(op.a), 8, "product reads") : nullptr;
  if (inTensor && !memory)
    return false;
  for (uint32_t row = 0; row < s.rows(); ++row) {
    const uint8_t *line = nullptr;
    if (inTensor) {
      const uint32_t lane = static_cast<uint32_t>(op.a >> 16) + s.laneOf(row);
      line = reinterpret_cast<const uint8_t *>(
          &memory->cells[lane % TensorMemory::kRows][op.a & 0xffff]);
    }
    for (uint32_t k = 0; k < s.k; ++k) {
      uint32_t bits = 0;
      if (inTensor && s.packed) {
        out.a[row][k] = half(line[k / 2], k);
      } else if (inTensor) {
        std::memcpy(&bits, line + k * bytes, bytes);
        out.a[row][k] = decode(s.a, bits);
      } else if (!load(w, op.a, s.transposeA, s.a, s.packed, row, k, out.a[row][k])) {
        return false;
      }
    }
  }
  return true;
}

/// `count` columns from `first` on, which are the first ones in the block of the warp.
bool readB(Warp &w, const TensorOp &op, const Shape &s, uint32_t first, uint32_t count,
           Operands &out) {
  for (uint32_t k = 0; k < s.k; ++k)
    for (uint32_t n = 0; n < count; ++n)
      if (!load(w, op.b, s.transposeB, s.b, s.packed, n, k, out.b[k][first + n]))
        return false;
  return true;
}

/// Multiplies what was read by the scales, one for each block of a row of A or column of B; exact.
bool scale(Warp &w, const TensorOp &op, const Shape &s, Operands &out) {
  auto factor = [&](const TensorMemory &memory, uint32_t address, uint32_t row, unsigned byte,
                    uint32_t k) {
    const uint32_t cell = memory.cells[row % 32][(address & 0xffff) + row / 32];
    return scaleFactor(static_cast<uint8_t>(cell >> (8 * (byte + k * s.blocks / s.k))), s.powers);
  };
  if (!startsAtLane(w, op.scaleA, "scales") || !startsAtLane(w, op.scaleB, "scales"))
    return false;
  const TensorMemory *memory = columnsAt(w, op.scaleA, s.rows() / 32, "product reads scales in");
  if (!memory || !columnsAt(w, op.scaleB, (s.n + 31) / 32, "product reads scales in"))
    return false;
  for (uint32_t row = 0; row < s.rows(); ++row)
    for (uint32_t k = 0; k < s.k; ++k)
      out.a[row][k] *= factor(*memory, op.scaleA, row, s.byteA, k);
  for (uint32_t n = 0; n < s.n; ++n)
    for (uint32_t k = 0; k < s.k; ++k)
      out.b[k][n] *= factor(*memory, op.scaleB, n, s.byteB, k);
  return true;
}

double fromCell(Shape::Sum sum, uint32_t cell) {
  return sum == Shape::Single ? emulator::bitsTo<float>(cell)
         : sum == Shape::Half ? emulator::decode(cell & 0xffff, emulator::kF16)
                              : static_cast<int32_t>(cell);
}
uint32_t toCell(const Shape &s, double value) {
  if (s.sum == Shape::Single)
    return static_cast<uint32_t>(emulator::encode(value, emulator::kF32));
  if (s.sum == Shape::Half)
    return static_cast<uint32_t>(emulator::encode(value, emulator::kF16));
  auto whole = static_cast<int64_t>(value);
  if (s.saturate)
    whole = std::clamp<int64_t>(whole, INT32_MIN, INT32_MAX);
  return static_cast<uint32_t>(whole);
}

/// The rows of D that the block of the warp has; `partners`: of all blocks that have columns of B.
void multiplyIn(Warp &w, const TensorOp &op, const Shape &s, llvm::ArrayRef<Warp *> partners) {
  static thread_local Operands operands;
  TensorMemory *memory = columnsAt(w, op.target, s.columns(), "product into");
  if (!memory || !readA(w, op, s, operands))
    return;
  const auto share = s.n / static_cast<uint32_t>(partners.size());
  for (auto [part, partner] : llvm::enumerate(partners))
    if (!readB(*partner, op, s, static_cast<uint32_t>(part) * share, share, operands))
      return;
  if (s.scaled && !scale(w, op, s, operands))
    return;
  const double sign = s.negateA != s.negateB ? -1 : 1;
  for (uint32_t row = 0; row < s.rows(); ++row) {
    double sums[kMaxColumns] = {};
    for (uint32_t k = 0; k < s.k; ++k)
      for (uint32_t n = 0; n < s.n; ++n)
        sums[n] += operands.a[row][k] * operands.b[k][n];
    const uint32_t lane = ((op.target >> 16) + s.laneOf(row)) % TensorMemory::kRows;
    if (op.keep[lane / 32] >> lane % 32 & 1)
      continue;
    for (uint32_t n = 0; n < s.n; ++n) {
      const bool folded = n >= s.columns();
      uint32_t &cell = memory->cells[lane + (folded ? s.rows() : 0)]
                                    [(op.target & 0xffff) + (folded ? n - s.columns() : n)];
      cell = toCell(s, (op.accumulate ? fromCell(s.sum, cell) : 0) + sign * sums[n]);
    }
  }
}

void multiply(const TensorOp &op) {
  Warp &w = *op.warp;
  Shape s;
  if (const char *what = readShape(op, s))
    return w.fault(
        Report::Unsupported,
        llvm::formatv("unsupported: {0} in instruction descriptor {1:x}", what, op.descriptor)
            .str());
  const bool half = s.m == 64;
  if (!startsAtLane(w, op.target, "product", half) ||
      (isInTensor(*op.row) &&
       !startsAtLane(w, static_cast<uint32_t>(op.a), "operand of a product", half)))
    return;
  const auto partners = partnersOf(w, op.pair);
  for (Warp *partner : partners)
    multiplyIn(*partner, op, s, partners);
}

// ---- copies from shared memory ----

/// Rows of a copy, columns of 32 bits in each, and the quarters of the lanes that get 32 of the rows.
struct CopyShape {
  uint32_t rows, columns;
  uint32_t quarters[4]; ///< first row of each
};
CopyShape copyShapeOf(const TensorOp &op) {
  const llvm::StringRef name = op.row->tokens[1].names[op.form];
  if (name == "4x32dp128bit")
    return {32, 4, {0, 0, 0, 0}};
  if (name == "2x64dp128bit_lw02_lw13")
    return {64, 4, {0, 32, 0, 32}};
  if (name == "2x64dp128bit_lw01_lw23")
    return {64, 4, {0, 0, 32, 32}};
  return {128, name == "128dp128bit" ? 4u : 8u, {0, 32, 64, 96}};
}

void copyIn(Warp &w, const TensorOp &op) {
  const CopyShape shape = copyShapeOf(op);
  TensorMemory *memory = columnsAt(w, op.target, shape.columns, "copy to");
  if (!memory)
    return;
  for (uint32_t lane = 0; lane < TensorMemory::kRows; ++lane)
    for (uint32_t column = 0; column < shape.columns; ++column) {
      const uint32_t row = shape.quarters[lane / 32] + lane % 32;
      const uint8_t *at = elementAt(w, op.a, false, 4, row, column);
      if (!at)
        return;
      std::memcpy(&memory->cells[lane][(op.target & 0xffff) + column], at, 4);
    }
}

void copy(const TensorOp &op) {
  if (startsAtLane(*op.warp, op.target, "copy"))
    for (Warp *partner : partnersOf(*op.warp, op.pair))
      copyIn(*partner, op);
}

// ---- in which order ----

void perform(const TensorOp &op) {
  switch (op.kind) {
  case TensorOp::Product:
    return multiply(op);
  case TensorOp::Copy:
    return copy(op);
  case TensorOp::Arrive:
    // The mask may be empty: then nobody is told.
    for (uint32_t rank = 0; rank < 16; ++rank)
      if (op.blocks.value_or(0) >> rank & 1)
        arriveTransaction(*op.warp, (op.target & 0xffffff) | rank << 24, 1, 0);
    if (!op.blocks)
      arriveTransaction(*op.warp, op.target, 1, 0);
  }
}

void issue(Warp &w, const Instruction &i, TensorOp op) {
  op.warp = &w;
  op.row = i.row;
  op.pair = i.mods[0];
  op.form = i.mods[1];
  if (w.machine->config.lateCopies)
    w.block->tensorWork.push_back(op);
  else
    perform(op);
}

/// Whether a product or copy has yet to write `count` columns from `first` on in `rows` lanes from
/// `lane` on.
bool isPending(const Block &block, uint32_t lane, uint32_t rows, uint32_t first, uint32_t count) {
  auto writes = [&](const TensorOp &op) {
    Shape s;
    if (op.kind == TensorOp::Arrive || (op.kind == TensorOp::Product && readShape(op, s)))
      return false;
    const uint32_t column = op.target & 0xffff,
                   columns = op.kind == TensorOp::Copy ? copyShapeOf(op).columns : s.columns();
    const uint32_t half = op.target >> 16 & 16; // which lanes of a quarter 64 rows are in
    const bool apart =
        op.kind == TensorOp::Product && s.m == 64 && rows == 16 && (lane & 31) == (half ^ 16);
    return !apart && column < first + count && first < column + columns;
  };
  const Block *peer = peerOf(block);
  return llvm::any_of(block.tensorWork, writes) ||
         (peer && llvm::any_of(peer->tensorWork,
                               [&](const TensorOp &op) { return op.pair && writes(op); }));
}

// ---- registers ----

struct Cell {
  uint32_t lane, column;
};
/// Where register `r` of lane `l` is, relative to the address; by the names of the rows.
Cell cellOf(llvm::StringRef shape, uint32_t l, uint32_t r) {
  if (shape == "16dp64bit") // lanes 0 and 2: a row of 64 bits; lanes 1 and 3: 8 rows on
    return {l / 4 + l % 2 * 8, l % 4 / 2 + 2 * r};
  if (shape == "16dp128bit") // four lanes: a row of 128 bits; registers alternate 8 rows
    return {l / 4 + r % 2 * 8, l % 4 + r / 2 * 4};
  if (shape == "16dp256bit") // the fragments of mma: two columns a lane, then 8 rows on
    return {l / 4 + r % 4 / 2 * 8, l % 4 * 2 + r % 2 + r / 4 * 8};
  return {shape.empty() ? l : l % 16, r}; // a row a lane
}

/// Lanes that take part in a shape of 16 lanes.
uint32_t lanesOf(llvm::StringRef shape) {
  return shape == "16dp32bit_t0_t15"    ? 0xffffu
         : shape == "16dp32bit_t16_t31" ? 0xffff0000u
                                        : kAllLanes;
}

void moveRegisters(Warp &w, const Instruction &i, bool store) {
  const Operand &memoryOp = i.ops[store ? 0 : 1], &data = i.ops[store ? 1 : 0];
  const llvm::StringRef shape = i.row->tokens.front().names[i.mods[0]];
  const uint32_t registers = (shape == "16dp128bit"   ? 2
                              : shape == "16dp256bit" ? 4
                                                      : 1)
                             << i.mods[1];
  if (w.active != kAllLanes)
    return w.fault(Report::Fault, "tensor memory is read or written without all lanes of a warp");
  const uint32_t address = w.address32(memoryOp, 0), column = address & 0xffff,
                 quarter = w.index % 4 * 32, rows = shape.empty() ? 32 : 16;
  uint32_t first = address >> 16;
  // PTX leaves it open. The original has all warps store copies of its scales at lane 0, of which
  // each quarter needs its own.
  if (store && first < 32 && w.machine->kernel.kernel->tileIR)
    first += quarter;
  if (first < quarter || first + rows > quarter + 32)
    return w.fault(
        Report::Fault,
        llvm::formatv("lanes {0} to {1} of tensor memory by a warp that reaches {2} to {3}", first,
                      first + rows - 1, quarter, quarter + 31)
            .str());
  const bool halves = i.mods[2]; // a register holds the lower halves of two columns
  uint32_t columns = 0;
  for (uint32_t l : {0u, 31u})
    columns = std::max(columns, (cellOf(shape, l, registers - 1).column + 1) << halves);
  TensorMemory *memory = columnsAt(w, address, columns, store ? "store to" : "load from");
  if (!memory)
    return;
  if (isPending(*w.block, first, rows, column, columns))
    return w.fault(Report::Fault,
                   llvm::formatv("tensor memory from column {0} on is used before the product into "
                                 "it was waited for",
                                 column)
                       .str());
  for (unsigned l = 0; l < kLanes; ++l) {
    if (!(lanesOf(shape) >> l & 1))
      continue;
    for (uint32_t r = 0; r < registers; ++r) {
      const Cell at = cellOf(shape, l, r);
      uint32_t *cell = &memory->cells[first + at.lane][column + (at.column << halves)];
      uint32_t &value = w.lane(data.index, r, l);
      if (!halves)
        store ? *cell = value : value = *cell;
      else if (store)
        cell[0] = (cell[0] & 0xffff0000) | (value & 0xffff),
        cell[1] = (cell[1] & 0xffff0000) | value >> 16;
      else
        value = (cell[0] & 0xffff) | cell[1] << 16;
    }
  }
}

} // namespace

namespace tilesmith::sass {

void finishTensorWork(Warp &w, uint32_t barrier) {
  for (const std::unique_ptr<Block> &block : w.block->cluster->blocks) {
    std::deque<TensorOp> &work = block->tensorWork;
    auto arrivesHere = [&](const TensorOp &op) {
      return op.kind == TensorOp::Arrive &&
             (op.blocks ? (op.target & 0xffffff) == (barrier & 0xffffff) : op.target == barrier);
    };
    while (llvm::any_of(work, arrivesHere) && !w.machine->stopped) {
      const TensorOp op = work.front();
      work.pop_front();
      perform(op);
    }
  }
}

#define OPERATION(name) void name(Warp &w, const Instruction &i)

// Operands: A, B, D, a pair of which the second is the instruction descriptor, and the pair of the
// addresses of scales, or four masks of lanes that are not written.
OPERATION(executeTensorProduct) {
  ++w.machine->report.counters.tensor;
  TensorOp op;
  op.a = isInTensor(*i.row) ? w.uniform(i.ops[0]) : w.uniform64(i.ops[0].index);
  op.b = w.uniform64(i.ops[1].index);
  op.target = w.uniform(i.ops[2]);
  op.descriptor = w.u[(i.ops[3].index + 1) & 255];
  const unsigned last = i.ops[4].index;
  if (isScaled(*i.row)) {
    op.scaleA = w.u[last], op.scaleB = w.u[(last + 1) & 255];
    // Two bits on top may say which byte, as the descriptor does.
    for (auto [scale, low] : {std::pair(&op.scaleA, 29), std::pair(&op.scaleB, 4)}) {
      const uint32_t byte = *scale >> 30;
      if (byte && byte != (op.descriptor >> low & 3))
        return w.fault(Report::Unsupported, "unsupported: address of scales for another byte");
      *scale &= 0x3fffffff;
    }
  } else if (last != kURZ)
    for (unsigned n = 0; n < op.keep.size(); ++n)
      op.keep[n] = n < (i.mods[0] ? 8 : 4) ? w.u[(last + n) & 255] : 0;
  if (i.mods[0] && llvm::any_of(op.keep, [](uint32_t mask) { return mask; }))
    return w.fault(Report::Unsupported, "unsupported: masks of lanes for a pair of blocks");
  op.accumulate = (w.getMask(i.ops[5]) & 1) != 0;
  // What is kept is read again, as nobody may have changed it; it has to be the same matrix.
  if (std::unique_ptr<TensorMemory> &memory = w.block->tensor;
      memory && !isScaled(*i.row) && i.mods[1]) {
    if (i.mods[1] == kReuse && memory->kept != op.b)
      return w.fault(
          Report::Unsupported,
          "unsupported: the right operand of another product than the last that kept it");
    memory->kept = op.b;
  }
  for (uint64_t descriptor : {isInTensor(*i.row) ? 0 : op.a, op.b})
    if (descriptor >> 49 & 7 || (descriptor >> 61 & 1 && descriptor >> 61 != 1))
      return w.fault(Report::Unsupported,
                     "unsupported: matrix whose swizzle has a base offset or no such pieces");
  issue(w, i, op);
}

OPERATION(executeTensorCopy) {
  TensorOp op;
  op.kind = TensorOp::Copy;
  op.target = w.address32(i.ops[0], 0);
  op.a = w.uniform64(i.ops[1].index);
  issue(w, i, op);
}

OPERATION(executeTensorArrive) {
  TensorOp op;
  op.kind = TensorOp::Arrive;
  op.target = w.uniform(i.ops[0]);
  if (i.mods[1])
    op.blocks = w.uniform(i.ops[2]) & 0xffff;
  issue(w, i, op);
}

// As many units as the register says, the same ones in both blocks of a pair; the answer is the
// number of the first.
OPERATION(executeTensorAllocate) {
  const auto partners = partnersOf(w, i.mods[0]);
  uint32_t units = 0;
  for (Warp *partner : partners) {
    std::unique_ptr<TensorMemory> &memory = partner->block->tensor;
    if (!memory)
      memory = std::make_unique<TensorMemory>();
    units |= memory->units;
  }
  const uint32_t count = w.uniform(i.ops[2]);
  int found = -1;
  const bool isAligned = i.mods[1];
  const uint32_t all = w.machine->chip.tensorUnits;
  for (uint32_t first = 0; count && first + count <= all; first += isAligned ? count : 1)
    if (const uint32_t mask = ((1u << count) - 1) << first;
        !(units & mask) && (found < 0 || w.machine->config.lateCopies))
      found = static_cast<int>(first);
  if (found >= 0)
    for (Warp *partner : partners)
      partner->block->tensor->units |= ((1u << count) - 1) << found;
  else
    w.yielded = true, ++w.spins;
  w.putMask(i.ops[0], found >= 0 ? kAllLanes : 0);
  w.putUniform(i.ops[1].index, found >= 0 ? static_cast<uint32_t>(found) : ~0u);
}

OPERATION(executeTensorRelease) {
  if (TensorMemory *memory = w.block->tensor.get())
    memory->units &= w.uniform(i.ops[1]) | ~kAllUnits;
}

OPERATION(executeLoadTensor) {
  moveRegisters(w, i, false);
}
// The least or largest of what each lane loads, beside it. A NaN is the result where all are one, or by `.NAN`.
OPERATION(executeLoadTensorStatistic) {
  Instruction load = i;
  load.ops[0] = i.ops[1], load.ops[1] = i.ops[2];
  moveRegisters(w, load, false);
  const bool isAbsolute = i.mods[3] & 1, isMinimum = i.mods[3] & 2, propagates = i.mods[5];
  for (unsigned l = 0; l < kLanes; ++l) {
    float result = std::numeric_limits<float>::quiet_NaN();
    bool isNaN = false;
    for (uint32_t r = 0; r < 1u << i.mods[1]; ++r) {
      auto value = emulator::bitsTo<float>(w.lane(load.ops[0].index, r, l));
      value = isAbsolute ? std::fabs(value) : value;
      isNaN |= value != value;
      const bool isBelow = value < result ||
                           (value == result && std::signbit(value) && !std::signbit(result)),
                 isAbove = value > result || (value == result && !std::signbit(value));
      if (result != result || (isMinimum ? isBelow : isAbove))
        result = value;
    }
    const bool none = result != result || (propagates && isNaN);
    w.lane(i.ops[0].index, 0, l) = none ? 0x7fffffff : emulator::bitsTo<uint32_t>(result);
  }
}
OPERATION(executeLoadTensorStatisticInteger) {
  Instruction load = i;
  load.ops[0] = i.ops[1], load.ops[1] = i.ops[2];
  moveRegisters(w, load, false);
  const bool isMinimum = i.mods[3] & 2;
  const uint32_t sign =
      i.mods[4] ? 0x80000000 : 0; // numbers with a sign, turned to the order of those without
  for (unsigned l = 0; l < kLanes; ++l) {
    uint32_t result = w.lane(load.ops[0].index, 0, l) ^ sign;
    for (uint32_t r = 1; r < 1u << i.mods[1]; ++r) {
      const uint32_t value = w.lane(load.ops[0].index, r, l) ^ sign;
      result = isMinimum ? std::min(result, value) : std::max(result, value);
    }
    w.lane(i.ops[0].index, 0, l) = result ^ sign;
  }
}
OPERATION(executeStoreTensor) {
  moveRegisters(w, i, true);
}

#undef OPERATION

} // namespace tilesmith::sass
