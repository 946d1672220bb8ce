//===- Tcgen05.cpp - tensor memory and the products that accumulate there ---------------------===//
//
// Tensor memory belongs to a block: 128 lanes of 512 columns, an address is lane << 16 | column.
// Columns are allocated by a warp in powers of two from 32 on; where they begin depends on the
// schedule, so that nobody relies on column 0. A warp reaches the 32 lanes that its number modulo
// four names; products reach all.
//
// Products of a thread run in order, at once or as late as a wait for their commit allows
// (AsyncCompletion); tcgen05.commit arrives at an mbarrier when they are done. Loads and stores of
// registers deliver at once; the host lowering asks (rt.tcgen05.use) before every use of a loaded
// value whether tcgen05.wait::ld came before.
//
// Races: cells are (16 lanes, column) at addresses of their own. Products belong to an agent of
// the issuing thread, loads and stores to agents of the warp. What a warp has waited for becomes
// part of what its threads release at tcgen05.fence::before_thread_sync; what a thread acquires
// counts for its tcgen05 operations from tcgen05.fence::after_thread_sync on, only its own
// products need no such fence.
//
// PTX ISA, "tcgen05": tensor memory addressing and allocation, matrix and instruction descriptors,
// data path layouts (M = 128: lane = row; M = 64: 16 rows in each quarter of the lanes), shapes of
// ld and st, block scaling, memory consistency. Copies to tensor memory are made in order with the
// products of their thread.
//
// One file, though long: allocation, registers and products share the cells, what the race detector
// is told of them, and who has waited for whom.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/emulator/Tcgen05.h"

#include "oracles/devices/emulator/Numeric.h"
#include "oracles/devices/emulator/SharedMatrix.h"
#include "oracles/devices/emulator/Tma.h"

#include <cmath>

namespace tilesmith::emulator {

using namespace matrix;

TensorMemory::TensorMemory() : relinquished(false) {
  std::fill_n(&cells[0][0], kLanes * kColumns, kPoison);
  std::fill_n(&written[0][0], kLanes * kColumns, false);
  std::fill_n(inFlight, kColumns, 0);
  std::fill_n(allocated, kColumns, false);
}

bool TensorMemory::isFree(uint32_t first, uint32_t count) const {
  return first + count <= kColumns &&
         std::none_of(allocated + first, allocated + first + count, [](bool used) { return used; });
}

namespace {

constexpr uint64_t kCellBase = uint64_t{0x7e} << 56;
constexpr uint64_t kAgentBase = uint64_t{0x7f} << 56;

uint64_t cellAddress(const Block &block, uint32_t lane, uint32_t column) {
  return kCellBase + (uint64_t{block.slot} << 16) + lane / 16 * TensorMemory::kColumns * 4 +
         column * 4;
}

/// Agents: the products of a thread, and the loads and the stores of a warp.
uint32_t productAgent(RaceDetector &races, uint32_t thread) {
  return races.pointAgent(kAgentBase + thread);
}
uint32_t warpAgent(RaceDetector &races, const Warp &warp, bool stores) {
  return races.pointAgent(kAgentBase + (uint64_t{stores ? 2u : 1u} << 32) + warp.lanes[0]->id);
}

TensorMemory &tensorMemory(uint32_t site) {
  Block &block = *Device::running()->current->block;
  if (!block.tensor || block.tensor->allocations.empty())
    fatal(Report::Fault, "tensor memory is used before it was allocated", site);
  return *block.tensor;
}

void requireColumns(const TensorMemory &memory, uint32_t first, uint32_t count, const char *what,
                    uint32_t site) {
  for (uint32_t column = first; column < first + count; ++column)
    if (column >= TensorMemory::kColumns || !memory.allocated[column])
      fatal(Report::Fault,
            llvm::formatv("{0} reaches column {1} of tensor memory, which is not allocated", what,
                          column),
            site);
}

/// Tells the race detector about columns of `lanes` lanes from `lane` on.
void raceColumns(uint32_t agent, uint32_t lane, uint32_t lanes, uint32_t column, uint32_t count,
                 bool isWrite, uint32_t site) {
  Device &device = *Device::running();
  const Block &block = *device.current->block;
  const uint32_t thread = device.current->id;
  const TensorState &state = device.current->tensor;
  llvm::SmallVector<RaceDetector::OwnAgent, 3> own{
      {warpAgent(*device.races, *device.current->warp, false), state.waitedLoads},
      {warpAgent(*device.races, *device.current->warp, true), state.waitedStores}};
  // Most threads never issue a product.
  if (std::optional<uint32_t> products = device.races->knownPointAgent(kAgentBase + thread))
    own.push_back({*products, 0});
  for (uint32_t at = lane; at < lane + lanes; at += 16)
    device.races->accessTensor(agent, thread, own, cellAddress(block, at, column), 4 * count,
                               isWrite, site);
}

/// What the warp has waited for, the thread knows.
void takeWaited(Thread &thread) {
  Device &device = *Device::running();
  if (!device.races)
    return;
  if (thread.tensor.waitedLoads)
    device.races->takeAgent(thread.id, warpAgent(*device.races, *thread.warp, false),
                            thread.tensor.waitedLoads);
  if (thread.tensor.waitedStores)
    device.races->takeAgent(thread.id, warpAgent(*device.races, *thread.warp, true),
                            thread.tensor.waitedStores);
}

// ---- allocation ----

// (shared address of the answer, columns)
void allocate(const WarpCall &call) {
  requireWholeWarp(call);
  Device &device = *Device::running();
  Block &block = *device.current->block;
  const auto answer = call.frames[0]->get<uint64_t>(0);
  const auto count = call.frames[0]->get<uint32_t>(1);
  if (count < 32 || count > TensorMemory::kColumns || (count & (count - 1)))
    fatal(Report::Fault,
          llvm::formatv(
              "expected a power of two from 32 to 512 columns of tensor memory, found {0}", count),
          call.siteId);
  if (!block.tensor)
    block.tensor = std::make_shared<TensorMemory>();
  TensorMemory &memory = *block.tensor;
  if (memory.relinquished)
    fatal(Report::Fault, "tcgen05.alloc after the permit was relinquished", call.siteId);
  llvm::SmallVector<uint32_t, 16> places;
  for (uint32_t first = 0; first + count <= TensorMemory::kColumns; first += 32)
    if (memory.isFree(first, count))
      places.push_back(first);
  if (places.empty())
    fatal(Report::Deadlock,
          llvm::formatv("tcgen05.alloc of {0} columns waits for columns that nobody frees", count),
          call.siteId);
  const size_t which = device.config.schedule == Schedule::FIFO   ? 0
                       : device.config.schedule == Schedule::LIFO ? places.size() - 1
                                                                  : device.config.seed;
  const uint32_t first = places[which % places.size()];
  std::fill_n(memory.allocated + first, count, true);
  for (auto &lane : memory.written)
    std::fill_n(lane + first, count, false);
  memory.allocations.push_back({first, count});
  checkAccess(answer, 4, 4, Site::Store, 7, call.siteId);
  raceWrite(answer, 4, call.siteId);
  std::memcpy(reinterpret_cast<void *>(answer), &first, 4);
}

// (tensor address, columns)
void deallocate(const WarpCall &call) {
  requireWholeWarp(call);
  const auto address = call.frames[0]->get<uint32_t>(0);
  const auto count = call.frames[0]->get<uint32_t>(1);
  TensorMemory &memory = tensorMemory(call.siteId);
  auto it = llvm::find_if(memory.allocations, [&](const TensorMemory::Allocation &a) {
    return a.first == address && a.count == count;
  });
  if (it == memory.allocations.end())
    fatal(Report::Fault,
          llvm::formatv("tcgen05.dealloc of {0} columns at {1:x}, which were not allocated so",
                        count, address),
          call.siteId);
  for (uint32_t column = address; column < address + count; ++column)
    if (memory.inFlight[column])
      fatal(Report::Fault,
            llvm::formatv("tcgen05.dealloc of column {0} while a product into it is in flight",
                          column),
            call.siteId);
  if (Device &device = *Device::running(); device.races) {
    Warp &warp = *device.current->warp;
    raceColumns(warpAgent(*device.races, warp, true), 0, 128, address, count, true, call.siteId);
  }
  std::fill_n(memory.allocated + address, count, false);
  memory.allocations.erase(it);
}

void relinquish(const WarpCall &call) {
  requireWholeWarp(call);
  Block &block = *Device::running()->current->block;
  if (!block.tensor)
    block.tensor = std::make_shared<TensorMemory>();
  block.tensor->relinquished = true;
}

// ---- loads and stores of registers ----

enum LdStShape { Rows32, Piece64, Piece128, Piece256, Halves32 };

struct Cell {
  uint32_t lane, column;
};

/// Where register `r` of lane `lane` lies, relative to the address.
Cell cellOf(LdStShape shape, uint32_t lane, uint32_t r, uint32_t split) {
  const uint32_t row = lane / 4;
  switch (shape) {
  case Rows32:
    return {lane, r};
  case Piece64:
    return {row + 8 * (lane / 2 % 2), lane % 2 + 2 * r};
  case Piece128:
    return {row + 8 * (r % 2), lane % 4 + 4 * (r / 2)};
  case Piece256:
    return {row + 8 * (r / 2 % 2), 2 * (lane % 4) + r % 2 + 8 * (r / 4)};
  case Halves32:
    return {lane % 16, r + (lane < 16 ? 0 : split)};
  }
  return {0, 0};
}

// variant: shape, registers, is a store; slots: address, the split of two halves, registers of a
// store, whether registers hold pairs of 16 bits
void moveRegisters(const WarpCall &call) {
  requireWholeWarp(call);
  Device &device = *Device::running();
  const auto &variant = call.site.op->variant;
  const auto shape = static_cast<LdStShape>(variant[0]);
  const uint32_t registers = variant[1];
  const bool stores = variant[2];
  const char *what = stores ? "tcgen05.st" : "tcgen05.ld";
  TensorMemory &memory = tensorMemory(call.siteId);
  const auto address = call.frames[0]->get<uint32_t>(0);
  for (unsigned lane = 1; lane < 32; ++lane)
    if (call.frames[lane]->get<uint32_t>(0) != address)
      fatal(Report::Fault, llvm::formatv("{0} with different addresses in a warp", what),
            call.siteId);
  unsigned slot = 1;
  const uint32_t split = shape == Halves32 ? call.frames[0]->get<uint32_t>(slot++) : 0;
  const unsigned data = slot;
  if (stores)
    slot += registers == 1 ? 1 : registers / 2;
  if (call.frames[0]->flag(slot))
    fatal(Report::Fault, llvm::formatv("{0} of packed pairs is not executed", what), call.siteId);

  const uint32_t first = address >> 16, column = address & 0xffff;
  const uint32_t quarter = device.current->regs[SReg::WarpId] % 4 * 32;
  const uint32_t lanes = shape == Rows32 ? 32 : 16;
  if (first < quarter || first + lanes > quarter + 32)
    fatal(Report::Fault,
          llvm::formatv("{0} of lanes {1} to {2} by a warp that reaches lanes {3} to {4}", what,
                        first, first + lanes - 1, quarter, quarter + 31),
          call.siteId);
  uint32_t columns = 0;
  for (uint32_t lane : {0u, 31u})
    columns = std::max(columns, cellOf(shape, lane, registers - 1, split).column + 1);
  requireColumns(memory, column, columns, what, call.siteId);
  for (uint32_t c = column; c < column + columns; ++c)
    if (memory.inFlight[c])
      fatal(Report::Fault,
            llvm::formatv("{0} of column {1} before the product into it was waited for", what, c),
            call.siteId);
  Warp &warp = *device.current->warp;
  TensorState &leader = warp.lanes[0]->tensor;
  if (!stores)
    for (const ColumnRange &range : leader.stores)
      if (range.first < column + columns && column < range.first + range.count)
        fatal(Report::Fault, "tcgen05.ld of columns whose tcgen05.st was not waited for",
              call.siteId);
  if (device.races)
    raceColumns(warpAgent(*device.races, warp, stores), first, lanes, column, columns, stores,
                call.siteId);
  if (stores)
    leader.stores.push_back({column, columns});

  for (unsigned lane = 0; lane < 32; ++lane) {
    char *words = reinterpret_cast<char *>(call.frames[lane]) + (stores ? 8 * data : 0);
    for (uint32_t r = 0; r < registers; ++r) {
      const Cell at = cellOf(shape, lane, r, split);
      uint32_t &cell = memory.cells[first + at.lane][column + at.column];
      bool &written = memory.written[first + at.lane][column + at.column];
      if (stores) {
        std::memcpy(&cell, words + 4 * r, 4);
        written = true;
      } else {
        if (!written && device.config.reportUninitialised)
          fatal(Report::Fault,
                llvm::formatv("uninitialised tensor memory is read at lane {0}, column {1}",
                              first + at.lane, column + at.column),
                call.siteId);
        std::memcpy(words + 4 * r, &cell, 4);
      }
    }
    if (!stores)
      warp.lanes[lane]->tensor.loads.push_back(call.site.op->ordinal);
  }
}

// variant: of stores
void waitRegisters(const WarpCall &call) {
  requireWholeWarp(call);
  Device &device = *Device::running();
  const bool stores = call.site.op->variant[0];
  Warp &warp = *device.current->warp;
  Epoch epoch = 0;
  if (device.races) {
    const uint32_t agent = warpAgent(*device.races, warp, stores);
    epoch = device.races->agentEpoch(agent);
    device.races->advanceAgent(agent);
  }
  for (Thread *thread : warp.lanes) {
    if (stores)
      thread->tensor.stores.clear(), thread->tensor.waitedStores = epoch;
    else
      thread->tensor.loads.clear(), thread->tensor.waitedLoads = epoch;
  }
}

void rtFenceBefore(Frame *, uint32_t) {
  takeWaited(*Device::running()->current);
}

void rtFenceAfter(Frame *, uint32_t) {
  if (Device &device = *Device::running(); device.races)
    device.races->fenceTensor(device.current->id);
}

// ---- products ----

SharedMatrix operandOf(uint64_t bits, uint32_t site) {
  if ((bits >> 46 & 7) != 1)
    fatal(Report::Fault, "matrix descriptor of tcgen05 without 1 in bits 46 to 48", site);
  const unsigned mode = bits >> 61;
  if (mode != 0 && mode != 1 && mode != 2 && mode != 4 && mode != 6)
    fatal(Report::Fault, llvm::formatv("swizzle mode {0} of tcgen05 is not executed", mode), site);
  if (bits >> 49 & 0xfff)
    fatal(Report::Fault, "matrix descriptor of tcgen05 with a base offset is not executed", site);
  SharedMatrix matrix;
  matrix.start = Device::running()->current->regs.sharedBase + ((bits & 0x3fff) << 4);
  matrix.leading = (bits >> 16 & 0x3fff) << 4;
  matrix.stride = (bits >> 32 & 0x3fff) << 4;
  matrix.width = mode == 1 || mode == 2 ? 128 : mode == 4 ? 64 : mode == 6 ? 32 : 0;
  matrix.grain = mode == 1 ? 32 : 16;
  matrix.site = site;
  return matrix;
}

/// What the instruction descriptor and the kind say, checked.
struct Product {
  int a, b, d;
  uint32_t m, n;
  bool transposesA, transposesB, negatesA, negatesB, saturates;
  uint32_t vectors;              // scales of a row, of neighbours along K; 0: none
  uint32_t byteA = 0, byteB = 0; // of the words of scales, the first
  bool areNumbers = false;       // scales: e4m3 without a sign, else e8m0
  bool scaled() const { return vectors != 0; }

  Product(const TensorOp &op, uint32_t site) {
    const uint32_t bits = op.instruction;
    auto wrong = [&](const char *what, uint32_t value) {
      fatal(Report::Fault,
            llvm::formatv("instruction descriptor of tcgen05.mma with {0} {1}", what, value), site);
    };
    static constexpr int kTypes[7][8] = {
        {F16, BF16, -1, -1, -1, -1, -1, -1},   {-1, -1, TF32, -1, -1, -1, -1, -1},
        {E4M3, E5M2, -1, -1, -1, -1, -1, -1},  {U8, S8, -1, -1, -1, -1, -1, -1},
        {E4M3, E5M2, -1, -1, -1, -1, -1, -1},  {-1, E2M1Pair, -1, -1, -1, -1, -1, -1},
        {-1, E2M1Pair, -1, -1, -1, -1, -1, -1}};
    static constexpr int kSums[4][4] = {
        {F16, F32, -1, -1}, {-1, F32, -1, -1}, {F16, F32, -1, -1}, {-1, -1, S32, -1}};
    a = kTypes[op.type][bits >> 7 & 7];
    b = kTypes[op.type][bits >> 10 & 7];
    vectors = op.vectors;
    d = scaled() ? F32 : kSums[op.type][bits >> 4 & 3];
    if (scaled())
      byteB = bits >> 4 & 3, byteA = bits >> 29 & 3, areNumbers = !(bits >> 23 & 1);
    m = (bits >> 24 & 31) << 4;
    n = (bits >> 17 & 63) << 3;
    saturates = bits >> 3 & 1, negatesA = bits >> 13 & 1, negatesB = bits >> 14 & 1;
    transposesA = bits >> 15 & 1, transposesB = bits >> 16 & 1;
    if (bits & 7)
      wrong("sparsity", bits & 7);
    if (bits >> 6 & 1 || (scaled() ? bits >> 31 : bits >> 23 & 1 || bits >> 29))
      wrong("reserved bits set:", bits);
    if (areNumbers && vectors != 4)
      wrong("type of scales", 0);
    for (uint32_t byte : {byteA, byteB})
      if (scaled() && byte % vectors)
        wrong("first scale in byte", byte);
    if (a < 0 || (op.type == 0 && (bits >> 7 & 7) != (bits >> 10 & 7)))
      wrong("type of A", bits >> 7 & 7);
    if (b < 0)
      wrong("type of B", bits >> 10 & 7);
    if (d < 0)
      wrong("type of D", bits >> 4 & 3);
    if (m != 128 && (m != 64 || scaled()))
      wrong("M", m);
    const bool fine =
        op.type == 3 ? n == 8 ? m == 64 : n == 24 || n % 16 == 0 : n % (m == 64 ? 8 : 16) == 0;
    if (!n || n > 256 || !fine)
      wrong("N", n);
    if (op.type != 3 && saturates)
      wrong("saturation", 1);
    if (op.type == 3 && (negatesA || negatesB))
      wrong("negation", 1);
    // Only 32-bit elements across K have, and need, a swizzle of pieces of 32 bytes.
    if (!op.aInTensor && (op.a >> 61 == 1) != (op.type == 1 && transposesA))
      wrong("swizzle of A", op.a >> 61);
    if ((op.b >> 61 == 1) != (op.type == 1 && transposesB))
      wrong("swizzle of B", op.b >> 61);
    if (transposesA && op.aInTensor)
      wrong("transposed operand in tensor memory", 1);
    if (a == E2M1Pair && (transposesA || transposesB))
      wrong("transposed operand of 4 bits", 1);
  }
  int elementBytes() const { return widthOf(a) / 8; } // of what may be transposed
  int k() const { return 256 / widthOf(a); }
  /// The lane of a row, relative to D's.
  uint32_t laneOf(uint32_t row) const { return m == 128 ? row : row / 16 * 32 + row % 16; }

  double load(uint32_t cell) const {
    switch (d) {
    case F32:
      return bitsTo<float>(cell);
    case F16:
      return decode(cell & 0xffff, kF16);
    default:
      return static_cast<int32_t>(cell);
    }
  }
  uint32_t round(double value) const {
    switch (d) {
    case F32:
      return std::isnan(value) ? 0x7fffffffu : bitsTo<uint32_t>(static_cast<float>(value));
    case F16:
      return encode(value, kF16);
    default: {
      auto wide = static_cast<int64_t>(value);
      if (saturates)
        wide = std::clamp<int64_t>(wide, INT32_MIN, INT32_MAX);
      return static_cast<uint32_t>(wide);
    }
    }
  }
  void readA(const TensorOp &op, const TensorMemory &memory, const SharedMatrix *shared,
             RawRow *rows) const {
    if (shared)
      return shared->read(0, m, transposesA ? elementBytes() : 0, 32, rows);
    for (uint32_t row = 0; row < m; ++row)
      std::memcpy(rows[row], &memory.cells[(op.a >> 16) + laneOf(row)][op.a & 0xffff], 32);
  }
};

/// The factors of a row (or column of B) from the words of scales at `address`: row r in lane r mod 32
/// of every quarter, column r / 32. One for each of its K elements.
void readFactors(const Product &product, const TensorMemory &memory, bool ofB, uint32_t address,
                 uint32_t row, uint32_t site, double *factors) {
  const uint32_t column = (address & 0xffff) + row / 32;
  const int k = product.k(), run = k / static_cast<int>(product.vectors);
  for (uint32_t vector = 0; vector < product.vectors; ++vector) {
    const uint32_t shift = 8 * ((ofB ? product.byteB : product.byteA) + vector);
    const uint32_t bits = memory.cells[row % 32][column] >> shift & 0xff;
    for (uint32_t lane = row % 32 + 32; lane < TensorMemory::kLanes; lane += 32)
      if ((memory.cells[lane][column] >> shift & 0xff) != bits)
        fatal(Report::Fault,
              llvm::formatv("scales of tcgen05.mma in lanes {0} and {1} of column {2} differ",
                            row % 32, lane, column),
              site);
    const double factor = product.areNumbers ? decode(bits & 0x7f, kE4M3)
                          : bits == 0xff     ? std::nan("")
                                             : std::ldexp(1.0, static_cast<int>(bits) - 127);
    std::fill_n(factors + vector * run, run, factor);
  }
}

/// B as multiplyTiles wants it, times its scales.
const double *scaledColumns(const TensorOp &op, const Product &product, const TensorMemory &memory,
                            const double *b, uint32_t site) {
  alignas(32) static thread_local double scaled[256 * 64];
  const int k = product.k();
  double factors[64];
  for (uint32_t column = 0; column < product.n; ++column) {
    readFactors(product, memory, /*ofB=*/true, op.scalesB, column, site, factors);
    for (int p = 0; p < k; ++p) {
      const uint32_t at = (column / 8 * k + p) * 8 + column % 8;
      scaled[at] = b[at] * factors[p];
    }
  }
  return scaled;
}

/// Sums of 16 rows as multiplyTiles wants them: value (row, column).
double &sumAt(double *sums, uint32_t row, uint32_t column) {
  return sums[column / 8 * 128 + 4 * (row % 8 * 4 + column % 8 / 2) + column % 2 + 2 * (row / 8)];
}

void multiply(const TensorOp &op, uint32_t site) {
  const Product product(op, site);
  TensorMemory &memory = *Device::running()->current->block->tensor;
  static thread_local RawRow rawA[128], rawB[256];
  static thread_local DecodedColumns decoded;
  alignas(32) static thread_local double sums[256 * 16];
  alignas(32) double a[64 * 32];
  std::optional<SharedMatrix> shared;
  if (!op.aInTensor)
    shared = operandOf(op.a, site);
  product.readA(op, memory, shared ? &*shared : nullptr, rawA);
  operandOf(op.b, site)
      .read(0, product.n, product.transposesB ? product.elementBytes() : 0, 32, rawB);
  const int k = product.k();
  const double *b = decoded.get(rawB, product.b, product.n, k, 32, product.negatesB);
  const uint32_t lane = op.target >> 16, column = op.target & 0xffff;
  if (product.scaled())
    b = scaledColumns(op, product, memory, b, site);
  double factors[64];
  for (uint32_t block = 0; block < product.m; block += 16) {
    double row[64];
    for (uint32_t i = 0; i < 16; ++i) {
      convertRow(rawA[block + i], product.a, k, row);
      for (int p = 0; product.negatesA && p < k; ++p)
        row[p] = -row[p];
      if (product.scaled())
        readFactors(product, memory, /*ofB=*/false, op.scalesA, block + i, site, factors);
      for (int p = 0; product.scaled() && p < k; ++p)
        row[p] *= factors[p];
      dealA(a, i, row, k);
      const uint32_t *cells = &memory.cells[lane + product.laneOf(block + i)][column];
      for (uint32_t c = 0; c < product.n; ++c)
        sumAt(sums, i, c) = op.accumulates && !product.scaled() ? product.load(cells[c]) : 0.0;
    }
    multiplyTiles(sums, a, b, product.n / 8, k);
    for (uint32_t i = 0; i < 16; ++i) {
      const uint32_t at = lane + product.laneOf(block + i);
      for (uint32_t c = 0; c < product.n; ++c) {
        uint32_t &cell = memory.cells[at][column + c];
        double sum = sumAt(sums, i, c);
        if (product.scaled() && op.accumulates) // the scaled sum may be far larger or smaller
          sum += product.load(cell);
        cell = product.round(sum);
      }
    }
  }
  ++Device::running()->report.counters.mmas;
}

void markWritten(TensorMemory &memory, uint32_t lane, uint32_t column, uint32_t count) {
  std::fill_n(&memory.written[lane][column], count, true);
}

/// Columns that the operation writes stay in flight until its commit has arrived.
void takeColumns(TensorMemory &memory, uint32_t first, uint32_t count) {
  for (uint32_t column = first; column < first + count; ++column)
    ++memory.inFlight[column];
  Device::running()->current->tensor.uncommitted.push_back({first, count});
}

void issueTensor(const TensorOp &op, uint32_t site) {
  Thread::AsyncOp async{Thread::AsyncOp::TensorCore};
  async.site = site;
  async.tensorOp = op;
  issueAsync(async, 2);
}

/// Words of scales for `rows` rows or columns, which a product reads.
void readScales(const TensorMemory &memory, uint32_t address, uint32_t rows, uint32_t site) {
  Device &device = *Device::running();
  const uint32_t column = address & 0xffff, count = (rows + 31) / 32;
  if (address >> 16)
    fatal(Report::Fault, llvm::formatv("scales of tcgen05.mma begin at lane {0}", address >> 16),
          site);
  requireColumns(memory, column, count, "scales of tcgen05.mma", site);
  for (uint32_t lane = 0; device.config.reportUninitialised && lane < TensorMemory::kLanes; ++lane)
    for (uint32_t row = lane % 32; row < rows; row += 32)
      if (!memory.written[lane][column + row / 32])
        fatal(Report::Fault,
              llvm::formatv("scales of tcgen05.mma are uninitialised at lane {0}, column {1}", lane,
                            column + row / 32),
              site);
  if (device.races)
    raceColumns(productAgent(*device.races, device.current->id), 0, TensorMemory::kLanes, column,
                count, false, site);
}

// 32 lines of 16 bytes to every quarter of the lanes; slots: target, descriptor of the source
void rtCopyToTensor(Frame *frame, uint32_t site) {
  Device &device = *Device::running();
  TensorOp op;
  op.kind = TensorOp::Copy;
  op.target = frame->get<uint32_t>(0);
  op.a = frame->get<uint64_t>(1);
  TensorMemory &memory = tensorMemory(site);
  const uint32_t column = op.target & 0xffff;
  if (op.target >> 16)
    fatal(Report::Fault, llvm::formatv("tcgen05.cp begins at lane {0}", op.target >> 16), site);
  requireColumns(memory, column, 4, "tcgen05.cp", site);
  for (uint32_t lane = 0; lane < TensorMemory::kLanes; ++lane)
    markWritten(memory, lane, column, 4);
  takeColumns(memory, column, 4);
  SharedMatrix source = operandOf(op.a, site);
  static thread_local RawRow unused[32];
  if (device.races) {
    source.thread = device.current->id;
    source.agent = productAgent(*device.races, device.current->id);
    raceColumns(source.agent, 0, TensorMemory::kLanes, column, 4, true, site);
  }
  source.read(0, 32, 0, 16, unused);
  issueTensor(op, site);
}

void copyToTensor(const TensorOp &op, uint32_t site) {
  TensorMemory &memory = *Device::running()->current->block->tensor;
  static thread_local RawRow lines[32];
  operandOf(op.a, site).read(0, 32, 0, 16, lines);
  for (uint32_t lane = 0; lane < TensorMemory::kLanes; ++lane)
    std::memcpy(&memory.cells[lane][op.target & 0xffff], lines[lane % 32], 16);
}

// variant: A is in tensor memory, kind and scales of a row where there are scales; slots: D, A, B, instruction descriptor,
// accumulate, kind (or both scales), group
void rtMultiply(Frame *frame, uint32_t site) {
  Device &device = *Device::running();
  TensorOp op;
  op.kind = TensorOp::Multiply;
  op.aInTensor = siteIntrinsic(site).variant[0];
  op.target = frame->get<uint32_t>(0);
  op.a = op.aInTensor ? frame->get<uint32_t>(1) : frame->get<uint64_t>(1);
  op.b = frame->get<uint64_t>(2);
  op.instruction = frame->get<uint32_t>(3);
  op.accumulates = frame->flag(4);
  const bool scaled = siteIntrinsic(site).variant[1];
  op.type = scaled ? siteIntrinsic(site).variant[1] : frame->get<uint32_t>(5) & 3;
  op.vectors = scaled ? siteIntrinsic(site).variant[2] : 0;
  if (scaled)
    op.scalesA = frame->get<uint32_t>(5), op.scalesB = frame->get<uint32_t>(6);
  if (frame->get<uint32_t>(scaled ? 7 : 6) != 1)
    fatal(Report::Fault, "tcgen05.mma of a pair of blocks is not executed", site);
  TensorMemory &memory = tensorMemory(site);
  const Product product(op, site);
  const uint32_t lane = op.target >> 16, column = op.target & 0xffff;
  if (lane != 0 && (product.m == 128 || lane != 16))
    fatal(Report::Fault, llvm::formatv("sums of tcgen05.mma begin at lane {0}", lane), site);
  requireColumns(memory, column, product.n, "tcgen05.mma", site);
  if (op.aInTensor)
    requireColumns(memory, op.a & 0xffff, 8, "operand A of tcgen05.mma", site);
  if (scaled) {
    readScales(memory, op.scalesA, product.m, site);
    readScales(memory, op.scalesB, product.n, site);
  }
  const uint32_t lanes = product.m == 128 ? 16 : 32; // from one group of 16 to the next
  for (uint32_t row = 0; row < product.m; ++row) {
    const uint32_t at = lane + product.laneOf(row);
    const bool *written = &memory.written[at][column];
    if (op.accumulates && device.config.reportUninitialised &&
        !std::all_of(written, written + product.n, [](bool w) { return w; }))
      fatal(
          Report::Fault,
          llvm::formatv("tcgen05.mma accumulates onto uninitialised tensor memory at lane {0}", at),
          site);
    markWritten(memory, at, column, product.n);
  }
  takeColumns(memory, column, product.n);
  if (device.races) {
    const uint32_t agent = productAgent(*device.races, device.current->id);
    for (uint32_t row = 0; row < product.m; row += 16)
      raceColumns(agent, lane + row / 16 * lanes, 16, column, product.n, true, site);
    if (op.aInTensor)
      for (uint32_t row = 0; row < product.m; row += 16)
        raceColumns(agent, (op.a >> 16) + row / 16 * lanes, 16, op.a & 0xffff, 8, false, site);
    static thread_local RawRow unused[256];
    for (bool isB : {false, true}) {
      if (!isB && op.aInTensor)
        continue;
      SharedMatrix operand = operandOf(isB ? op.b : op.a, site);
      operand.thread = device.current->id, operand.agent = agent;
      const bool transposes = isB ? product.transposesB : product.transposesA;
      operand.read(0, isB ? product.n : product.m, transposes ? product.elementBytes() : 0, 32,
                   unused);
    }
  }
  issueTensor(op, site);
}

// (mbarrier), or (mbarrier, mask of blocks in whose memory it lies at the same place)
void rtCommitProducts(Frame *frame, uint32_t site) {
  Device &device = *Device::running();
  Thread &thread = *device.current;
  Thread::AsyncOp op{Thread::AsyncOp::TensorCore};
  op.tensorOp.kind = TensorOp::Arrive;
  op.target = frame->get<uint64_t>(0);
  op.site = site;
  if (siteIntrinsic(site).variant[0])
    forEachCastTarget(frame->get<uint16_t>(1), site,
                      [&](int64_t shift) { op.tensorOp.barriers.push_back(op.target + shift); });
  else
    op.tensorOp.barriers = {op.target};
  for (uint64_t barrier : op.tensorOp.barriers)
    requireMbarrier(barrier, site);
  takeWaited(thread); // implies fence::before_thread_sync
  if (device.races) {
    op.tensorOp.agent = productAgent(*device.races, thread.id);
    op.epoch = device.races->agentEpoch(op.tensorOp.agent);
    // The products began behind the copies that the thread has waited for, so what comes behind them does, too.
    op.before = device.races->agentsKnownTo(thread.id);
    device.races->advanceAgent(op.tensorOp.agent);
  }
  thread.tensor.committed.push_back(std::move(thread.tensor.uncommitted));
  thread.tensor.uncommitted.clear();
  issueAsync(op, 2);
}

} // namespace

void performTensor(const TensorOp &op, uint32_t site) {
  if (op.kind == TensorOp::Copy)
    copyToTensor(op, site);
  else
    multiply(op, site);
}

void completeTensorGroup() {
  const Thread &running = *Device::running()->current;
  TensorMemory *memory = running.block->tensor.get();
  // Where operations land late, another one stands in for the thread that issued them.
  TensorState &state = running.warp->lanes[running.lane]->tensor;
  for (const ColumnRange &range : state.committed.front())
    for (uint32_t column = range.first; column < range.first + range.count; ++column)
      --memory->inFlight[column];
  state.committed.erase(state.committed.begin());
}

void checkTensorAtEnd(Block &block) {
  if (!block.tensor || block.tensor->allocations.empty())
    return;
  fatal(Report::Fault,
        llvm::formatv("the block ends with {0} columns of tensor memory allocated",
                      block.tensor->allocations.front().count),
        kNoSite);
}

void resetTensor(Device &device, Block &block) {
  if (!block.tensor)
    return;
  block.tensor.reset();
  if (device.races)
    device.races->forget(cellAddress(block, 0, 0), 1 << 16);
}

void rtTensorUse(uint32_t site) {
  Device &device = *Device::running();
  if (llvm::is_contained(device.current->tensor.loads,
                         device.program.lowered.sites[site].op->ordinal))
    fatal(Report::Fault, "result of tcgen05.ld is used before it was waited for", site);
}

void registerTcgen05(IntrinsicTable &t) {
  const std::string p = "llvm.nvvm.tcgen05.";
  for (const char *shared : {"", ".shared"}) {
    t.warp(p + "alloc" + shared + ".cg1", allocate, Intrinsic::WholeWarp);
    t.frame(p + "commit" + shared + ".cg1", rtCommitProducts).suspends = true;
    Intrinsic &multicast = t.frame(p + "commit.mc" + shared + ".cg1", rtCommitProducts);
    multicast.suspends = true;
    multicast.variant = {1};
  }
  t.warp(p + "dealloc.cg1", deallocate, Intrinsic::WholeWarp);
  t.warp(p + "relinq.alloc.permit.cg1", relinquish, Intrinsic::WholeWarp);
  t.warp(p + "wait.ld", waitRegisters, Intrinsic::WholeWarp).variant = {0};
  t.warp(p + "wait.st", waitRegisters, Intrinsic::WholeWarp).variant = {1};
  t.frame(p + "fence.before.thread.sync", rtFenceBefore).suspends = true;
  t.frame(p + "fence.after.thread.sync", rtFenceAfter).suspends = true;
  struct Scaled {
    const char *name;
    int type, vectors;
  };
  for (bool inTensor : {false, true}) {
    const std::string mma = p + "mma." + (inTensor ? "tensor" : "shared");
    Intrinsic &entry = t.frame(mma, rtMultiply);
    entry.variant = {inTensor, 0};
    entry.suspends = true;
    for (const Scaled &scaled :
         {Scaled{".mxf8f6f4.block_scale", 4, 1}, Scaled{".mxf8f6f4.block_scale.block32", 4, 1},
          Scaled{".mxf4.block_scale", 5, 2}, Scaled{".mxf4.block_scale.block32", 5, 2},
          Scaled{".mxf4nvf4.block_scale.block32", 6, 2},
          Scaled{".mxf4nvf4.block_scale.block16", 6, 4}}) {
      Intrinsic &multiplies = t.frame(mma + scaled.name, rtMultiply);
      multiplies.variant = {inTensor, scaled.type, scaled.vectors};
      multiplies.suspends = true;
    }
  }
  t.frame(p + "cp.32x128b_warpx4.cg1", rtCopyToTensor).suspends = true;
  struct Form {
    const char *name;
    LdStShape shape;
    int perRepeat, most;
  };
  for (Form form : {Form{"32x32b", Rows32, 1, 128}, Form{"16x64b", Piece64, 1, 128},
                    Form{"16x128b", Piece128, 2, 64}, Form{"16x256b", Piece256, 4, 32},
                    Form{"16x32bx2", Halves32, 1, 128}})
    for (int repeat = 1; repeat <= form.most; repeat *= 2)
      for (bool stores : {false, true})
        t.warp(p + (stores ? "st." : "ld.") + form.name + ".x" + std::to_string(repeat),
               moveRegisters, Intrinsic::WholeWarp)
            .variant = {form.shape, repeat * form.perRepeat, stores};
}

} // namespace tilesmith::emulator
