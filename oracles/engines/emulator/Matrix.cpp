// Warp matrix operations: mma.sync, ldmatrix, stmatrix, with the fragment layouts of the PTX ISA.
//
// Products of narrow floats are exact in double, and up to 32 of them are added to C in double before the one rounding
// to the result type. Data whose sums are exactly representable therefore match a real GPU bit for bit; elsewhere the
// GPU's own (undocumented) intermediate truncation differs within its documented accuracy.
#include "oracles/engines/emulator/Intrinsics.h"
#include "oracles/engines/emulator/Numeric.h"

#include "llvm/Support/FormatVariadic.h"

namespace tilesmith::emulator {

namespace {

enum Element : int { F16, BF16, TF32, F64, E4M3, E5M2, S8, U8, S4, U4, F32, S32 };

int widthOf(int element) {
  switch (element) {
  case F64: return 64;
  case TF32: case F32: case S32: return 32;
  case F16: case BF16: return 16;
  case S4: case U4: return 4;
  default: return 8;
  }
}
bool isInteger(int element) { return element >= S8 && element <= U4; }

// All 65536 (or 256) values of a narrow format, decoded once.
template <const Format &F> const double *decoded() {
  static const std::vector<double> *table = [] {
    auto *values = new std::vector<double>(size_t{1} << F.width());
    for (size_t i = 0; i < values->size(); ++i)
      (*values)[i] = decode(static_cast<uint32_t>(i), F);
    return values;
  }();
  return table->data();
}

const double *tableOf(int element) {
  switch (element) {
  case F16: return decoded<kF16>();
  case BF16: return decoded<kBF16>();
  case E4M3: return decoded<kE4M3>();
  case E5M2: return decoded<kE5M2>();
  default: return nullptr;
  }
}

// variant of mma: M, N, K, A, B, C, D, saturate
struct Shape {
  int m, n, k, a, b, c, d;
  bool saturate;
  explicit Shape(const std::array<int, 8> &v)
      : m(v[0]), n(v[1]), k(v[2]), a(v[3]), b(v[4]), c(v[5]), d(v[6]), saturate(v[7]) {}
  static int perRegister(int element) { return element == F64 ? 1 : 32 / widthOf(element); }
  int aRegisters() const { return m * k / 32 / perRegister(a); }
  int bRegisters() const { return k * n / 32 / perRegister(b); }
};

constexpr uint32_t kAllLanes = ~0u;

void requireWholeWarp(const WarpCall &call) {
  if (call.lanes != kAllLanes)
    fatal(Report::Fault, llvm::formatv("matrix operation with lanes {0:x} only, {1}", call.lanes, describeSite(call.site)),
          kNoSite);
}

// One element of register `value`, as a number.
template <typename T> T element(uint64_t value, int type, int index, const double *table) {
  switch (type) {
  case F64: return static_cast<T>(bitsTo<double>(value));
  case TF32: return static_cast<T>(bitsTo<float>(static_cast<uint32_t>(value) & 0xffffe000u));
  case F16: case BF16: return static_cast<T>(table[(value >> (16 * index)) & 0xffff]);
  case E4M3: case E5M2: return static_cast<T>(table[(value >> (8 * index)) & 0xff]);
  case S8: return static_cast<T>(static_cast<int8_t>(value >> (8 * index)));
  case U8: return static_cast<T>(static_cast<uint8_t>(value >> (8 * index)));
  case S4: return static_cast<T>(static_cast<int8_t>((value >> (4 * index)) << 4) >> 4);
  case U4: return static_cast<T>((value >> (4 * index)) & 15);
  }
  return T{};
}

// A[m][k] and B[k][n] of all lanes' registers. Row groups of eight lanes share a row (A) or column (B); the four
// lanes of a group hold consecutive pieces along k; registers alternate row halves first, then k halves.
template <typename T> void gather(const WarpCall &call, const Shape &s, T (*a)[64], T (*b)[8]) {
  const double *aTable = tableOf(s.a), *bTable = tableOf(s.b);
  const int ea = Shape::perRegister(s.a), eb = Shape::perRegister(s.b);
  const int aRegs = s.aRegisters(), bRegs = s.bRegisters(), rowHalves = s.m / 8;
  for (int lane = 0; lane < 32; ++lane) {
    const Frame &frame = *call.frames[lane];
    const int group = lane >> 2, inGroup = lane & 3;
    for (int r = 0; r < aRegs; ++r) {
      const auto value = s.a == F64 ? frame.get<uint64_t>(r) : frame.get<uint32_t>(r);
      const int row = group + 8 * (r % rowHalves), base = (r / rowHalves) * 4 * ea + inGroup * ea;
      for (int j = 0; j < ea; ++j)
        a[row][base + j] = element<T>(value, s.a, j, aTable);
    }
    for (int r = 0; r < bRegs; ++r) {
      const auto value = s.b == F64 ? frame.get<uint64_t>(aRegs + r) : frame.get<uint32_t>(aRegs + r);
      const int base = r * 4 * eb + inGroup * eb;
      for (int j = 0; j < eb; ++j)
        b[base + j][group] = element<T>(value, s.b, j, bTable);
    }
  }
}

// The lanes' C or D values: value i of a lane is at row group + 8 * (i / 2), column 2 * inGroup + i % 2.
template <typename F> void forEachResult(const Shape &s, F &&f) {
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < s.m / 4; ++i)
      f(lane, i, (lane >> 2) + 8 * (i >> 1), 2 * (lane & 3) + (i & 1));
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma")))
#endif
void multiplyAdd(double (*acc)[8], const double (*a)[64], const double (*b)[8], int m, int k) {
  for (int row = 0; row < m; ++row)
    for (int p = 0; p < k; ++p)
      for (int column = 0; column < 8; ++column) // products are exact, so fusing changes nothing
        acc[row][column] += a[row][p] * b[p][column];
}

void mmaFloat(const WarpCall &call) {
  requireWholeWarp(call);
  const Shape s(call.site.op->variant);
  alignas(32) double a[16][64], b[64][8], acc[16][8];
  gather<double>(call, s, a, b);
  const int cSlot = s.aRegisters() + s.bRegisters();
  const double *half = tableOf(F16);
  forEachResult(s, [&](int lane, int i, int row, int column) {
    const Frame &frame = *call.frames[lane];
    double value;
    if (s.c == F64)
      value = frame.get<double>(cSlot + i);
    else if (s.c == F16)
      value = half[frame.get<uint32_t>(cSlot + i / 2) >> (16 * (i & 1)) & 0xffff];
    else
      value = frame.get<float>(cSlot + i);
    acc[row][column] = value;
  });
  if (s.a == F64) { // each step is one fused multiply-add in double
    for (int row = 0; row < s.m; ++row)
      for (int p = 0; p < s.k; ++p)
        for (int column = 0; column < 8; ++column)
          acc[row][column] = std::fma(a[row][p], b[p][column], acc[row][column]);
  } else {
    multiplyAdd(acc, a, b, s.m, s.k);
  }
  forEachResult(s, [&](int lane, int i, int row, int column) {
    Frame &frame = *call.frames[lane];
    const double value = acc[row][column];
    if (s.d == F64)
      frame.put(i, value);
    else if (s.d == F16)
      std::memcpy(reinterpret_cast<char *>(&frame) + 8 * (i / 2) + 2 * (i & 1),
                  std::array{static_cast<uint16_t>(encode(value, kF16))}.data(), 2);
    else
      frame.put(i, std::isnan(value) ? bitsTo<float>(0x7fffffffu) : static_cast<float>(value));
  });
}

void mmaInteger(const WarpCall &call) {
  requireWholeWarp(call);
  const Shape s(call.site.op->variant);
  int32_t a[16][64], b[64][8];
  gather<int32_t>(call, s, a, b);
  const int cSlot = s.aRegisters() + s.bRegisters();
  int64_t acc[16][8];
  forEachResult(s, [&](int lane, int i, int row, int column) {
    acc[row][column] = call.frames[lane]->get<int32_t>(cSlot + i);
  });
  for (int row = 0; row < s.m; ++row)
    for (int p = 0; p < s.k; ++p)
      for (int column = 0; column < 8; ++column)
        acc[row][column] += a[row][p] * b[p][column];
  forEachResult(s, [&](int lane, int i, int row, int column) {
    int64_t value = acc[row][column];
    if (s.saturate)
      value = std::clamp<int64_t>(value, INT32_MIN, INT32_MAX);
    call.frames[lane]->put<int32_t>(i, static_cast<int32_t>(value));
  });
}

// ---- ldmatrix, stmatrix: 8x8 matrices of b16; lane 8 i + r gives the address of row r of matrix i ----

// variant: matrices, transposed
void loadMatrices(const WarpCall &call) {
  requireWholeWarp(call);
  const int count = call.site.op->variant[0];
  const bool transposed = call.site.op->variant[1];
  uint16_t element[4][8][8];
  for (int i = 0; i < 8 * count; ++i) {
    const auto address = call.frames[i]->get<uint64_t>(0);
    if (address % 16 != 0 || !isSharedAddress(address, 16))
      fatal(Report::Fault, llvm::formatv("row address {0:x} of lane {1} is not 16 aligned bytes of shared memory, {2}",
                                         address, i, describeSite(call.site)), kNoSite);
    std::memcpy(element[i / 8][i % 8], reinterpret_cast<const void *>(address), 16);
  }
  for (int lane = 0; lane < 32; ++lane)
    for (int matrix = 0; matrix < count; ++matrix) {
      uint32_t value = 0;
      for (int j = 0; j < 2; ++j) {
        const int row = lane / 4, column = 2 * (lane % 4) + j;
        value |= static_cast<uint32_t>(transposed ? element[matrix][column][row] : element[matrix][row][column])
                 << (16 * j);
      }
      call.frames[lane]->put<uint32_t>(matrix, value);
    }
}

void storeMatrices(const WarpCall &call) {
  requireWholeWarp(call);
  const int count = call.site.op->variant[0];
  const bool transposed = call.site.op->variant[1];
  uint16_t element[4][8][8];
  for (int lane = 0; lane < 32; ++lane)
    for (int matrix = 0; matrix < count; ++matrix)
      for (int j = 0; j < 2; ++j) {
        const auto value = static_cast<uint16_t>(call.frames[lane]->get<uint32_t>(1 + matrix) >> (16 * j));
        const int row = lane / 4, column = 2 * (lane % 4) + j;
        (transposed ? element[matrix][column][row] : element[matrix][row][column]) = value;
      }
  for (int i = 0; i < 8 * count; ++i) {
    const auto address = call.frames[i]->get<uint64_t>(0);
    if (address % 16 != 0 || !isSharedAddress(address, 16))
      fatal(Report::Fault, llvm::formatv("row address {0:x} of lane {1} is not 16 aligned bytes of shared memory, {2}",
                                         address, i, describeSite(call.site)), kNoSite);
    std::memcpy(reinterpret_cast<void *>(address), element[i / 8][i % 8], 16);
  }
}

// ---- registration ----

struct MmaName {
  const char *suffix;
  Element a, b, c, d;
};

void addMma(IntrinsicTable &t, int m, int n, int k, const std::string &suffix, Element a, Element b, Element c,
            Element d, bool saturate = false) {
  const std::string name = llvm::formatv("llvm.nvvm.mma.m{0}n{1}k{2}.row.col.{3}", m, n, k, suffix);
  t.warp(name, isInteger(a) ? mmaInteger : mmaFloat, Intrinsic::WholeWarp).variant = {m, n, k, a, b, c, d, saturate};
}

void registerFloatMma(IntrinsicTable &t) {
  for (int k : {8, 16}) {
    addMma(t, 16, 8, k, "f16.f16", F16, F16, F16, F16);
    addMma(t, 16, 8, k, "f32.f32", F16, F16, F32, F32);
    addMma(t, 16, 8, k, "bf16", BF16, BF16, F32, F32);
  }
  for (int k : {4, 8}) {
    addMma(t, 16, 8, k, "tf32", TF32, TF32, F32, F32);
    addMma(t, 16, 8, k, "f64", F64, F64, F64, F64);
  }
  addMma(t, 16, 8, 16, "f64", F64, F64, F64, F64);
  addMma(t, 8, 8, 4, "f64", F64, F64, F64, F64);
  const std::pair<const char *, Element> narrow[] = {{"e4m3", E4M3}, {"e5m2", E5M2}};
  for (auto [aName, a] : narrow)
    for (auto [bName, b] : narrow)
      for (const char *c : {"f16", "f32"}) {
        const Element acc = std::string(c) == "f16" ? F16 : F32;
        const std::string types = std::string(c) + "." + aName + "." + bName + "." + c;
        addMma(t, 16, 8, 16, types, a, b, acc, acc);
        addMma(t, 16, 8, 32, types, a, b, acc, acc);
        addMma(t, 16, 8, 32, "kind.f8f6f4." + types, a, b, acc, acc);
      }
}

void registerIntegerMma(IntrinsicTable &t) {
  const std::pair<const char *, Element> bytes[] = {{"s8", S8}, {"u8", U8}}, nibbles[] = {{"s4", S4}, {"u4", U4}};
  auto add = [&](int m, int k, const auto &types) {
    for (auto [aName, a] : types)
      for (auto [bName, b] : types)
        for (bool saturate : {false, true})
          addMma(t, m, 8, k, std::string(saturate ? "satfinite." : "") + aName + (a == b ? "" : std::string(".") + bName),
                 a, b, S32, S32, saturate);
  };
  add(8, 16, bytes), add(16, 16, bytes), add(16, 32, bytes);
  add(8, 32, nibbles), add(16, 32, nibbles), add(16, 64, nibbles);
}

} // namespace

void registerMatrix(IntrinsicTable &t) {
  registerFloatMma(t);
  registerIntegerMma(t);
  for (int count : {1, 2, 4})
    for (int transposed : {0, 1}) {
      const std::string tail = llvm::formatv("sync.aligned.m8n8.x{0}{1}.b16", count, transposed ? ".trans" : "");
      t.warp("llvm.nvvm.ldmatrix." + tail, loadMatrices, Intrinsic::WholeWarp).variant = {count, transposed};
      t.warp("llvm.nvvm.stmatrix." + tail, storeMatrices, Intrinsic::WholeWarp).variant = {count, transposed};
    }
}

} // namespace tilesmith::emulator
