//===- MatrixWmma.cpp - wmma, and mma.sync.m8n8k4 of f16 --------------------------------------===//
//
// wmma: which lane holds which element is unspecified, so the emulator deals the elements of a
// fragment in storage order and starts over when lanes are left (f16 operands stand in two or more
// lanes). Operands stored by columns start in the middle: one that was loaded with one layout and
// used with the other must not come out right. Accumulators are dealt by rows whatever layout
// memory has.
//
// m8n8k4: eight lanes (four neighbours, and the four 16 further) hold one of four independent
// products.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/emulator/Intrinsics.h"
#include "oracles/devices/emulator/Matrix.h"
#include "oracles/devices/emulator/Numeric.h"

#include <cfenv>

namespace tilesmith::emulator {

using namespace matrix;

namespace {

/// A matrix as lanes hold it. Elements narrower than a byte count as bytes.
struct Fragment {
  int rows, columns; // of elements
  int bytes;         // per element
  int perLane;
  bool byColumns;

  Fragment(int rows, int columns, int type, int registers, bool byColumns)
      : rows(rows), columns(columns), byColumns(byColumns) {
    const int bits = widthOf(type);
    bytes = std::max(1, bits / 8);
    perLane = bits == 64 ? registers : registers * 4 / bytes;
    if (bits < 8)
      (byColumns ? this->rows : this->columns) /= 8 / bits;
  }
  int runs() const { return byColumns ? columns : rows; } // rows or columns that are contiguous
  int runLength() const { return byColumns ? rows : columns; }
  /// Run and position in it of element `i` of a lane.
  std::pair<int, int> place(int lane, int i) const {
    const int size = rows * columns;
    const int linear = (lane * perLane + i + (byColumns ? size / 2 : 0)) % size;
    return {linear / runLength(), linear % runLength()};
  }
  /// Byte offset of the element in the lane's frame.
  int offset(int slot, int i) const {
    const int perSlot = bytes == 8 ? 1 : 4 / bytes;
    return 8 * (slot + i / perSlot) + i % perSlot * bytes;
  }
};

char *inFrame(Frame *frame, int offset) {
  return reinterpret_cast<char *>(frame) + offset;
}

// ---- load and store ----

// variant: rows, columns, type, registers, by columns, has a stride operand, is accumulator
struct Transfer {
  Fragment fragment;
  int type, registers;
  bool hasStride, transposed; // transposed: memory has columns, the fragment rows
  explicit Transfer(const std::array<int, 8> &v)
      : fragment(v[0], v[1], v[2], v[3], v[4] && !v[6]), type(v[2]), registers(v[3]),
        hasStride(v[5]), transposed(v[4] && v[6]) {}

  // Addresses of all elements; the operands must be the same in all lanes.
  template <typename F>
  void forEach(const WarpCall &call, int strideSlot, Site::Access access, F &&f) const {
    requireWholeWarp(call);
    const auto base = call.frames[0]->get<uint64_t>(0);
    const int inMemory = transposed ? fragment.rows : fragment.runLength();
    int64_t stride = inMemory;
    if (hasStride) {
      stride = call.frames[0]->get<int32_t>(strideSlot);
      if (widthOf(type) < 8)
        stride = stride * widthOf(type) / 8;
    }
    for (int lane = 1; lane < 32; ++lane)
      if (call.frames[lane]->get<uint64_t>(0) != base ||
          (hasStride &&
           call.frames[lane]->get<int32_t>(strideSlot) != call.frames[0]->get<int32_t>(strideSlot)))
        fatal(Report::Fault,
              llvm::formatv("lanes 0 and {0} give a wmma different addresses or strides", lane),
              call.siteId);
    const uint64_t bytes = widthOf(type) == 64 ? 8 * registers : 4 * registers;
    const uint64_t align = bytes & (~bytes + 1);
    if (base % align ||
        (stride * fragment.bytes) % static_cast<int64_t>(std::min<uint64_t>(align, 16)))
      fatal(Report::Fault,
            llvm::formatv("misaligned access: wmma rows at {0:x} with {1} bytes between them need "
                          "{2} bytes alignment (16 between them)",
                          base, stride * fragment.bytes, align),
            call.siteId);
    for (int lane = 0; lane < 32; ++lane)
      for (int i = 0; i < fragment.perLane; ++i) {
        auto [run, at] = fragment.place(lane, i);
        if (transposed)
          std::swap(run, at);
        const uint64_t address = base + (run * stride + at) * fragment.bytes;
        laneAccess(lane, address, fragment.bytes, fragment.bytes, access, call.siteId);
        f(lane, i, reinterpret_cast<char *>(address));
      }
  }
};

void wmmaLoad(const WarpCall &call) {
  const Transfer transfer(call.site.op->variant);
  alignas(8) char loaded[32][64];
  const Fragment &fragment = transfer.fragment;
  transfer.forEach(call, 1, Site::Load, [&](int lane, int i, const char *from) {
    std::memcpy(&loaded[lane][i * fragment.bytes], from, fragment.bytes);
  });
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < fragment.perLane; ++i)
      std::memcpy(inFrame(call.frames[lane], fragment.offset(0, i)),
                  &loaded[lane][i * fragment.bytes], fragment.bytes);
}

void wmmaStore(const WarpCall &call) {
  const Transfer transfer(call.site.op->variant);
  const Fragment &fragment = transfer.fragment;
  transfer.forEach(call, 1 + transfer.registers, Site::Store, [&](int lane, int i, char *to) {
    std::memcpy(to, inFrame(call.frames[lane], fragment.offset(1, i)), fragment.bytes);
  });
}

// ---- multiply ----

/// Registers of a fragment.
int registersOf(int m, int n, int k, int type, char operand) {
  const int bits = widthOf(type);
  if (operand == 'c')
    return m * n * bits / 32 / (bits == 64 ? 64 : 32);
  if (type == F16)
    return 8; // more than one lane has each element
  return (operand == 'a' ? m : n) * k * bits / 32 / (bits == 64 ? 64 : 32);
}

double fusedMultiplyAdd(double a, double b, double c, int rounding) {
  if (rounding == FE_TONEAREST)
    return std::fma(a, b, c);
  const int before = std::fegetround();
  std::fesetround(rounding);
  volatile double x = a, y = b, z = c;
  volatile double result = std::fma(x, y, z);
  std::fesetround(before);
  return result;
}

enum Bits : int { BitsNo, BitsAnd, BitsXor };

// variant: m, n, k, type | by columns of A << 8 | of B << 9 | saturate << 10 | bits << 11,
// type of C, type of D, rounding
void wmmaMultiply(const WarpCall &call) {
  startMultiplication(call);
  const auto &v = call.site.op->variant;
  const int m = v[0], n = v[1], k = v[2], type = v[3] & 255, c = v[4], d = v[5], rounding = v[6];
  const bool saturate = v[3] >> 10 & 1;
  const int bits = v[3] >> 11;
  const int aRegs = registersOf(m, n, k, type, 'a'), bRegs = registersOf(m, n, k, type, 'b');
  const Fragment a(m, k, type, aRegs, v[3] >> 8 & 1), b(k, n, type, bRegs, v[3] >> 9 & 1),
      acc(m, n, c, registersOf(m, n, k, c, 'c'), false),
      result(m, n, d, registersOf(m, n, k, d, 'c'), false);
  // Both operands as rows of consecutive bytes along k.
  alignas(8) uint8_t rawA[32][64], rawB[32][64];
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < a.perLane; ++i) {
      auto [row, at] = a.place(lane, i);
      if (a.byColumns)
        std::swap(row, at);
      std::memcpy(&rawA[row][at * a.bytes], inFrame(call.frames[lane], a.offset(0, i)), a.bytes);
    }
    for (int i = 0; i < b.perLane; ++i) {
      auto [column, at] = b.place(lane, i);
      if (!b.byColumns)
        std::swap(column, at);
      std::memcpy(&rawB[column][at * b.bytes], inFrame(call.frames[lane], b.offset(aRegs, i)),
                  b.bytes);
    }
  }
  double sum[32][32], numbersA[32][32], numbersB[32][32];
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < acc.perLane; ++i) {
      const auto [row, column] = acc.place(lane, i);
      sum[row][column] = loadElement(*call.frames[lane], aRegs + bRegs, i, c);
    }
  if (type == B1) {
    for (int row = 0; row < m; ++row)
      for (int column = 0; column < n; ++column)
        for (int byte = 0; byte < k / 8; ++byte) {
          const uint8_t x = rawA[row][byte], y = rawB[column][byte];
          sum[row][column] += __builtin_popcount(bits == BitsXor ? x ^ y : x & y);
        }
  } else {
    for (int row = 0; row < m; ++row)
      type == F64 ? void(std::memcpy(numbersA[row], rawA[row], 8 * k))
                  : convertRow(rawA[row], type, k, numbersA[row]);
    for (int column = 0; column < n; ++column)
      type == F64 ? void(std::memcpy(numbersB[column], rawB[column], 8 * k))
                  : convertRow(rawB[column], type, k, numbersB[column]);
    for (int row = 0; row < m; ++row)
      for (int column = 0; column < n; ++column)
        for (int p = 0; p < k; ++p)
          sum[row][column] = type == F64
                                 ? fusedMultiplyAdd(numbersA[row][p], numbersB[column][p],
                                                    sum[row][column], rounding)
                                 : sum[row][column] + numbersA[row][p] * numbersB[column][p];
  }
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < result.perLane; ++i) {
      const auto [row, column] = result.place(lane, i);
      double value = sum[row][column];
      if (saturate && d != S32)
        value =
            std::isnan(value)
                ? 0.0
                : std::clamp(
                      value,
                      -decode(d == F16 ? kF16.maxFinite : kF32.maxFinite, d == F16 ? kF16 : kF32),
                      decode(d == F16 ? kF16.maxFinite : kF32.maxFinite, d == F16 ? kF16 : kF32));
      storeElement(*call.frames[lane], i, d, value, saturate);
    }
}

// ---- m8n8k4 ----

// variant: A by columns, B by columns, C, D
void mmaQuadPairs(const WarpCall &call) {
  startMultiplication(call);
  const auto &v = call.site.op->variant;
  const bool aByColumns = v[0], bByColumns = v[1];
  const int c = v[2], d = v[3];
  auto place = [](int type, int lane, int i) {
    const int high = lane < 16 ? 0 : 4;
    return type == F16 ? std::pair{lane % 4 + high, i}
                       : std::pair{(lane & 1) + (i & 2) + high, (i & 4) + (lane & 2) + (i & 1)};
  };
  for (int pair = 0; pair < 4; ++pair) {
    double a[8][4], b[4][8], sum[8][8];
    auto forEachLane = [&](auto &&f) {
      for (int i = 0; i < 8; ++i)
        f(4 * pair + i % 4 + 16 * (i / 4));
    };
    forEachLane([&](int lane) {
      const int low = lane % 4, high = lane < 16 ? 0 : 4;
      for (int i = 0; i < 4; ++i) {
        const double x = loadElement(*call.frames[lane], 0, i, F16),
                     y = loadElement(*call.frames[lane], 2, i, F16);
        (aByColumns ? a[i + high][low] : a[low + high][i]) = x;
        (bByColumns ? b[i][low + high] : b[low][i + high]) = y;
      }
      for (int i = 0; i < 8; ++i) {
        const auto [row, column] = place(c, lane, i);
        sum[row][column] = loadElement(*call.frames[lane], 4, i, c);
      }
    });
    for (int row = 0; row < 8; ++row)
      for (int column = 0; column < 8; ++column)
        for (int p = 0; p < 4; ++p)
          sum[row][column] += a[row][p] * b[p][column];
    forEachLane([&](int lane) {
      for (int i = 0; i < 8; ++i) {
        const auto [row, column] = place(d, lane, i);
        storeElement(*call.frames[lane], i, d, sum[row][column], false);
      }
    });
  }
}

// ---- registration ----

struct WmmaShape {
  int m, n, k;
  std::string name() const {
    return "m" + std::to_string(m) + "n" + std::to_string(n) + "k" + std::to_string(k);
  }
};
constexpr WmmaShape kLarge[] = {{16, 16, 16}, {32, 8, 16}, {8, 32, 16}};
constexpr const char *kLayouts[] = {"row", "col"};
const std::string kPrefix = "llvm.nvvm.wmma.";

void addTransfers(IntrinsicTable &t, const WmmaShape &s, char operand, const char *typeName,
                  int type, bool rowsOnly = false, bool columnsOnly = false) {
  const int rows = operand == 'b' ? s.k : s.m, columns = operand == 'a' ? s.k : s.n;
  const int registers = registersOf(s.m, s.n, s.k, type, operand);
  for (int byColumns : {0, 1})
    for (int stride : {0, 1}) {
      if ((rowsOnly && byColumns) || (columnsOnly && !byColumns))
        continue;
      const std::string tail =
          std::string(kLayouts[byColumns]) + (stride ? ".stride." : ".") + typeName;
      const std::array<int, 8> variant = {rows,      columns, type,          registers,
                                          byColumns, stride,  operand == 'c'};
      t.warp(kPrefix + s.name() + ".load." + operand + "." + tail, wmmaLoad, Intrinsic::WholeWarp)
          .variant = variant;
      if (operand == 'c')
        t.warp(kPrefix + s.name() + ".store.d." + tail, wmmaStore, Intrinsic::WholeWarp).variant =
            variant;
    }
}

void addMultiply(IntrinsicTable &t, const WmmaShape &s, const std::string &name, int a, int b,
                 int type, int c, int d, bool saturate, int rounding = FE_TONEAREST,
                 int bits = BitsNo) {
  t.warp(kPrefix + s.name() + ".mma." + name, wmmaMultiply, Intrinsic::WholeWarp).variant = {
      s.m, s.n, s.k, type | a << 8 | b << 9 | saturate << 10 | bits << 11, c, d, rounding};
}

void registerLarge(IntrinsicTable &t, const WmmaShape &s) {
  const std::pair<const char *, int> types[] = {
      {"f16", F16}, {"bf16", BF16}, {"s8", S8}, {"u8", U8}};
  for (auto [name, type] : types)
    for (char operand : {'a', 'b'})
      addTransfers(t, s, operand, name, type);
  for (auto [name, type] : {std::pair{"f16", int{F16}}, {"f32", int{F32}}, {"s32", int{S32}}})
    addTransfers(t, s, 'c', name, type);
  for (int a : {0, 1})
    for (int b : {0, 1}) {
      const std::string layouts = std::string(kLayouts[a]) + "." + kLayouts[b] + ".";
      addMultiply(t, s, layouts + "bf16", a, b, BF16, F32, F32, false);
      for (bool saturate : {false, true}) {
        const std::string end = saturate ? ".satfinite" : "";
        for (int d : {F16, F32})
          for (int c : {F16, F32})
            addMultiply(t, s,
                        layouts + (d == F16 ? "f16" : "f32") + (c == F16 ? ".f16" : ".f32") + end,
                        a, b, F16, c, d, saturate);
        addMultiply(t, s, layouts + "s8" + end, a, b, S8, S32, S32, saturate);
        addMultiply(t, s, layouts + "u8" + end, a, b, U8, S32, S32, saturate);
      }
    }
}

void registerSmall(IntrinsicTable &t) {
  const WmmaShape tf32{16, 16, 8}, f64{8, 8, 4}, nibbles{8, 8, 32}, single{8, 8, 128};
  for (char operand : {'a', 'b'}) {
    addTransfers(t, tf32, operand, "tf32", TF32);
    addTransfers(t, f64, operand, "f64", F64);
    const bool isA = operand == 'a';
    addTransfers(t, nibbles, operand, "s4", S4, isA, !isA);
    addTransfers(t, nibbles, operand, "u4", U4, isA, !isA);
    addTransfers(t, single, operand, "b1", B1, isA, !isA);
  }
  addTransfers(t, tf32, 'c', "f32", F32), addTransfers(t, f64, 'c', "f64", F64);
  addTransfers(t, nibbles, 'c', "s32", S32), addTransfers(t, single, 'c', "s32", S32);
  const std::pair<const char *, int> roundings[] = {{"", FE_TONEAREST},
                                                    {"rn.", FE_TONEAREST},
                                                    {"rz.", FE_TOWARDZERO},
                                                    {"rm.", FE_DOWNWARD},
                                                    {"rp.", FE_UPWARD}};
  for (int a : {0, 1})
    for (int b : {0, 1}) {
      const std::string layouts = std::string(kLayouts[a]) + "." + kLayouts[b] + ".";
      addMultiply(t, tf32, layouts + "tf32", a, b, TF32, F32, F32, false);
      for (auto [name, rounding] : roundings)
        addMultiply(t, f64, layouts + name + "f64", a, b, F64, F64, F64, false, rounding);
    }
  for (bool saturate : {false, true})
    for (auto [name, type] : {std::pair{"s4", int{S4}}, {"u4", int{U4}}})
      addMultiply(t, nibbles, std::string("row.col.") + name + (saturate ? ".satfinite" : ""), 0, 1,
                  type, S32, S32, saturate);
  addMultiply(t, single, "and.popc.row.col.b1", 0, 1, B1, S32, S32, false, FE_TONEAREST, BitsAnd);
  addMultiply(t, single, "xor.popc.row.col.b1", 0, 1, B1, S32, S32, false, FE_TONEAREST, BitsXor);
}

} // namespace

void registerWmma(IntrinsicTable &t) {
  for (const WmmaShape &shape : kLarge)
    registerLarge(t, shape);
  registerSmall(t);
  for (int a : {0, 1})
    for (int b : {0, 1})
      for (auto [name, d, c] : {std::tuple{"f16.f16", int{F16}, int{F16}},
                                {"f32.f16", int{F32}, int{F16}},
                                {"f32.f32", int{F32}, int{F32}}})
        t.warp(std::string("llvm.nvvm.mma.m8n8k4.") + kLayouts[a] + "." + kLayouts[b] + "." + name,
               mmaQuadPairs, Intrinsic::WholeWarp)
            .variant = {a, b, c, d};
}

} // namespace tilesmith::emulator
