// Warp matrix operations: mma.sync, ldmatrix, stmatrix, with the fragment layouts of the PTX ISA.
//
// Products of narrow floats are exact in double, and up to 32 of them are added to C in double
// before the one rounding to the result type. Data whose sums are exactly representable therefore
// match a real GPU bit for bit; elsewhere the GPU's own (undocumented) intermediate truncation
// differs within its documented accuracy.
#include "oracles/engines/emulator/Matrix.h"
#include "oracles/engines/emulator/Intrinsics.h"
#include "oracles/engines/emulator/Numeric.h"

#include "llvm/Support/FormatVariadic.h"

#include <immintrin.h>

namespace tilesmith::emulator {

using namespace matrix;

namespace {

// Register pieces of TF32 and F32 are 32 bits, of F64 64.
int widthOf(int element) {
  switch (element) {
  case F64:
    return 64;
  case TF32:
  case F32:
  case S32:
    return 32;
  case F16:
  case BF16:
    return 16;
  case S4:
  case U4:
    return 4;
  case B1:
    return 1;
  default:
    return 8;
  }
}
bool isInteger(int element) {
  return element >= S8 && element <= U4;
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
    fatal(Report::Fault, llvm::formatv("matrix operation with lanes {0:x} only", call.lanes),
          call.siteId);
}

// The registers of all lanes as raw matrices: A by rows, B by columns. Row groups of eight lanes
// share a row (A) or column (B); the four lanes of a group hold consecutive pieces along k, one
// register each, in element order, so every register is copied as it is. Registers alternate row
// halves first, then k halves.
struct RawOperands {
  alignas(32) uint8_t a[16][32], b[8][32];
};

template <typename Register> void gather(const WarpCall &call, const Shape &s, RawOperands &raw) {
  constexpr int kBytes = sizeof(Register);
  const int aRegs = s.aRegisters(), bRegs = s.bRegisters(), rowHalves = s.m / 8;
  for (int lane = 0; lane < 32; ++lane) {
    const Frame &frame = *call.frames[lane];
    const int group = lane >> 2, inGroup = lane & 3;
    for (int r = 0; r < aRegs; ++r) {
      const auto value = frame.get<Register>(r);
      const int row = group + (rowHalves == 2 ? 8 * (r & 1) : 0),
                piece = 4 * (rowHalves == 2 ? r >> 1 : r) + inGroup;
      std::memcpy(&raw.a[row][piece * kBytes], &value, kBytes);
    }
    for (int r = 0; r < bRegs; ++r) {
      const auto value = frame.get<Register>(aRegs + r);
      std::memcpy(&raw.b[group][(4 * r + inGroup) * kBytes], &value, kBytes);
    }
  }
}

template <const Format &F> const double *decoded() {
  static const std::vector<double> *table = [] {
    auto *values = new std::vector<double>(size_t{1} << F.width());
    for (size_t i = 0; i < values->size(); ++i)
      (*values)[i] = decode(static_cast<uint32_t>(i), F);
    return values;
  }();
  return table->data();
}

#if defined(__x86_64__)
#define TILESMITH_FAST __attribute__((target("avx2,fma,f16c")))
#else
#define TILESMITH_FAST
#endif

} // namespace

TILESMITH_FAST void matrix::convertRow(const uint8_t *raw, int type, int count, double *out) {
  switch (type) {
  case F16:
    for (int i = 0; i < count; i += 4) {
      const __m128i halves = _mm_loadl_epi64(reinterpret_cast<const __m128i *>(raw + 2 * i));
      _mm256_storeu_pd(out + i, _mm256_cvtps_pd(_mm_cvtph_ps(halves)));
    }
    return;
  case BF16:
    for (int i = 0; i < count; ++i) {
      uint16_t bits;
      std::memcpy(&bits, raw + 2 * i, 2);
      out[i] = bitsTo<float>(static_cast<uint32_t>(bits) << 16);
    }
    return;
  case TF32:
    for (int i = 0; i < count; ++i) {
      uint32_t bits;
      std::memcpy(&bits, raw + 4 * i, 4);
      out[i] = bitsTo<float>(bits & 0xffffe000u);
    }
    return;
  case E4M3:
  case E5M2: {
    const double *table = type == E4M3 ? decoded<kE4M3>() : decoded<kE5M2>();
    for (int i = 0; i < count; ++i)
      out[i] = table[raw[i]];
    return;
  }
  case E2M1:
  case E3M2:
  case E2M3: {
    const double *table = type == E2M1   ? decoded<kE2M1>()
                          : type == E3M2 ? decoded<kE3M2>()
                                         : decoded<kE2M3>();
    for (int i = 0; i < count; ++i)
      out[i] = table[type == E2M1 ? raw[i] >> 2 & 15 : raw[i] & 63];
    return;
  }
  }
}

namespace {

int32_t integerElement(const uint8_t *raw, int type, int i) {
  switch (type) {
  case S8:
    return static_cast<int8_t>(raw[i]);
  case U8:
    return raw[i];
  case S4:
    return static_cast<int8_t>(static_cast<uint8_t>(raw[i / 2] >> (4 * (i & 1)) << 4)) >> 4;
  default:
    return (raw[i / 2] >> (4 * (i & 1))) & 15;
  }
}

// The lanes' C or D values: value i of a lane is at row group + 8 * (i / 2), column 2 * inGroup + i
// % 2.
template <typename F> void forEachResult(const Shape &s, F &&f) {
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < s.m / 4; ++i)
      f(lane, i, (lane >> 2) + 8 * (i >> 1), 2 * (lane & 3) + (i & 1));
}

// acc[row][column] += sum over k; products of narrow floats are exact, so fusing changes nothing.
TILESMITH_FAST void multiplyAdd(double (*acc)[8], const double (*a)[32], const double (*b)[8],
                                int m, int k) {
  for (int row = 0; row < m; row += 4) { // independent sums hide the latency
    __m256d sum[4][2];
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 2; ++j)
        sum[i][j] = _mm256_load_pd(acc[row + i] + 4 * j);
    for (int p = 0; p < k; ++p) {
      const __m256d low = _mm256_load_pd(b[p]), high = _mm256_load_pd(b[p] + 4);
      for (int i = 0; i < 4; ++i) {
        const __m256d factor = _mm256_set1_pd(a[row + i][p]);
        sum[i][0] = _mm256_fmadd_pd(factor, low, sum[i][0]);
        sum[i][1] = _mm256_fmadd_pd(factor, high, sum[i][1]);
      }
    }
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 2; ++j)
        _mm256_store_pd(acc[row + i] + 4 * j, sum[i][j]);
  }
}

void loadAccumulator(const WarpCall &call, const Shape &s, double (*acc)[8]) {
  const int slot = s.aRegisters() + s.bRegisters();
  if (s.c == F32)
    forEachResult(s, [&](int lane, int i, int row, int column) {
      acc[row][column] = call.frames[lane]->get<float>(slot + i);
    });
  else
    forEachResult(s, [&](int lane, int i, int row, int column) {
      acc[row][column] =
          decode(call.frames[lane]->get<uint32_t>(slot + i / 2) >> (16 * (i & 1)) & 0xffff, kF16);
    });
}

void storeResult(const WarpCall &call, const Shape &s, const double (*acc)[8]) {
  if (s.d == F32)
    forEachResult(s, [&](int lane, int i, int row, int column) {
      const double value = acc[row][column];
      call.frames[lane]->put(i, std::isnan(value) ? bitsTo<float>(0x7fffffffu)
                                                  : static_cast<float>(value));
    });
  else
    forEachResult(s, [&](int lane, int i, int row, int column) {
      const auto half = static_cast<uint16_t>(encode(acc[row][column], kF16));
      std::memcpy(reinterpret_cast<char *>(call.frames[lane]) + 8 * (i / 2) + 2 * (i & 1), &half,
                  2);
    });
}

void mmaFloat(const WarpCall &call) {
  requireWholeWarp(call);
  const Shape s(call.site.op->variant);
  RawOperands raw;
  alignas(32) double a[16][32], b[32][8], acc[16][8];
  gather<uint32_t>(call, s, raw);
  for (int row = 0; row < s.m; ++row)
    convertRow(raw.a[row], s.a, s.k, a[row]);
  for (int column = 0; column < 8; ++column) {
    double values[32];
    convertRow(raw.b[column], s.b, s.k, values);
    for (int p = 0; p < s.k; ++p)
      b[p][column] = values[p];
  }
  loadAccumulator(call, s, acc);
  multiplyAdd(acc, a, b, s.m, s.k);
  storeResult(call, s, acc);
}

// Each step along k is one fused multiply-add.
void mmaDouble(const WarpCall &call) {
  requireWholeWarp(call);
  const Shape s(call.site.op->variant);
  const int aRegs = s.aRegisters(), bRegs = s.bRegisters();
  double a[16][16], b[16][8], acc[16][8];
  for (int lane = 0; lane < 32; ++lane) {
    const Frame &frame = *call.frames[lane];
    for (int r = 0; r < aRegs; ++r)
      a[(lane >> 2) + (s.m == 16 ? 8 * (r & 1) : 0)][(lane & 3) + 4 * (s.m == 16 ? r >> 1 : r)] =
          frame.get<double>(r);
    for (int r = 0; r < bRegs; ++r)
      b[(lane & 3) + 4 * r][lane >> 2] = frame.get<double>(aRegs + r);
  }
  forEachResult(s, [&](int lane, int i, int row, int column) {
    acc[row][column] = call.frames[lane]->get<double>(aRegs + bRegs + i);
  });
  for (int row = 0; row < s.m; ++row)
    for (int p = 0; p < s.k; ++p)
      for (int column = 0; column < 8; ++column)
        acc[row][column] = std::fma(a[row][p], b[p][column], acc[row][column]);
  forEachResult(s, [&](int lane, int i, int row, int column) {
    call.frames[lane]->put(i, acc[row][column]);
  });
}

void mmaInteger(const WarpCall &call) {
  requireWholeWarp(call);
  const Shape s(call.site.op->variant);
  RawOperands raw;
  gather<uint32_t>(call, s, raw);
  int32_t a[16][64], b[64][8];
  for (int row = 0; row < s.m; ++row)
    for (int p = 0; p < s.k; ++p)
      a[row][p] = integerElement(raw.a[row], s.a, p);
  for (int column = 0; column < 8; ++column)
    for (int p = 0; p < s.k; ++p)
      b[p][column] = integerElement(raw.b[column], s.b, p);
  const int slot = s.aRegisters() + s.bRegisters();
  int32_t sum[16][8] = {}; // at most 64 products of 16 bits
  for (int row = 0; row < s.m; ++row)
    for (int p = 0; p < s.k; ++p)
      for (int column = 0; column < 8; ++column)
        sum[row][column] += a[row][p] * b[p][column];
  int32_t result[32][4];
  forEachResult(s, [&](int lane, int i, int row, int column) {
    int64_t value = int64_t{call.frames[lane]->get<int32_t>(slot + i)} + sum[row][column];
    if (s.saturate)
      value = std::clamp<int64_t>(value, INT32_MIN, INT32_MAX);
    result[lane][i] = static_cast<int32_t>(value);
  });
  forEachResult(
      s, [&](int lane, int i, int, int) { call.frames[lane]->put<int32_t>(i, result[lane][i]); });
}

// One-bit elements: D = C + number of bits set in A and B, or in A xor B. variant: ..., is xor
void mmaBits(const WarpCall &call) {
  requireWholeWarp(call);
  const Shape s(call.site.op->variant);
  RawOperands raw;
  gather<uint32_t>(call, s, raw);
  const int slot = s.aRegisters() + s.bRegisters();
  int32_t result[32][4];
  forEachResult(s, [&](int lane, int i, int row, int column) {
    int32_t sum = call.frames[lane]->get<int32_t>(slot + i);
    for (int byte = 0; byte < s.k / 8; ++byte) {
      const uint8_t a = raw.a[row][byte], b = raw.b[column][byte];
      sum += __builtin_popcount(s.saturate ? a ^ b : a & b);
    }
    result[lane][i] = sum;
  });
  forEachResult(
      s, [&](int lane, int i, int, int) { call.frames[lane]->put<int32_t>(i, result[lane][i]); });
}

// ---- ldmatrix, stmatrix: 8x8 matrices of b16; lane 8 i + r gives the address of row r of matrix i
// ----

// variant: matrices, transposed
void loadMatrices(const WarpCall &call) {
  requireWholeWarp(call);
  const int count = call.site.op->variant[0];
  const bool transposed = call.site.op->variant[1];
  uint16_t element[4][8][8];
  for (int i = 0; i < 8 * count; ++i) {
    const auto address = call.frames[i]->get<uint64_t>(0);
    if (address % 16 != 0 || !isSharedAddress(address, 16))
      fatal(Report::Fault,
            llvm::formatv("row address {0:x} of lane {1} is not 16 aligned bytes of shared memory",
                          address, i),
            call.siteId);
    laneAccess(i, address, 16, 16, Site::Load, call.siteId);
    std::memcpy(element[i / 8][i % 8], reinterpret_cast<const void *>(address), 16);
  }
  for (int lane = 0; lane < 32; ++lane)
    for (int matrix = 0; matrix < count; ++matrix) {
      uint32_t value = 0;
      for (int j = 0; j < 2; ++j) {
        const int row = lane / 4, column = 2 * (lane % 4) + j;
        value |= static_cast<uint32_t>(transposed ? element[matrix][column][row]
                                                  : element[matrix][row][column])
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
        const auto value =
            static_cast<uint16_t>(call.frames[lane]->get<uint32_t>(1 + matrix) >> (16 * j));
        const int row = lane / 4, column = 2 * (lane % 4) + j;
        (transposed ? element[matrix][column][row] : element[matrix][row][column]) = value;
      }
  for (int i = 0; i < 8 * count; ++i) {
    const auto address = call.frames[i]->get<uint64_t>(0);
    if (address % 16 != 0 || !isSharedAddress(address, 16))
      fatal(Report::Fault,
            llvm::formatv("row address {0:x} of lane {1} is not 16 aligned bytes of shared memory",
                          address, i),
            call.siteId);
    laneAccess(i, address, 16, 16, Site::Store, call.siteId);
    std::memcpy(reinterpret_cast<void *>(address), element[i / 8][i % 8], 16);
  }
}

// ---- registration ----

struct MmaName {
  const char *suffix;
  Element a, b, c, d;
};

void addMma(IntrinsicTable &t, int m, int n, int k, const std::string &suffix, Element a, Element b,
            Element c, Element d, bool saturate = false) {
  const std::string name = llvm::formatv("llvm.nvvm.mma.m{0}n{1}k{2}.row.col.{3}", m, n, k, suffix);
  t.warp(name,
         isInteger(a) ? mmaInteger
         : a == F64   ? mmaDouble
                      : mmaFloat,
         Intrinsic::WholeWarp)
      .variant = {m, n, k, a, b, c, d, saturate};
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
      }
  const std::pair<const char *, Element> bytes[] = {
      {"e4m3", E4M3}, {"e5m2", E5M2}, {"e3m2", E3M2}, {"e2m3", E2M3}, {"e2m1", E2M1}};
  for (auto [aName, a] : bytes)
    for (auto [bName, b] : bytes)
      for (const char *c : {"f16", "f32"}) {
        const Element acc = std::string(c) == "f16" ? F16 : F32;
        addMma(t, 16, 8, 32, std::string("kind.f8f6f4.") + c + "." + aName + "." + bName + "." + c,
               a, b, acc, acc);
      }
}

void registerIntegerMma(IntrinsicTable &t) {
  const std::pair<const char *, Element> bytes[] = {{"s8", S8}, {"u8", U8}},
                                         nibbles[] = {{"s4", S4}, {"u4", U4}};
  auto add = [&](int m, int k, const auto &types) {
    for (auto [aName, a] : types)
      for (auto [bName, b] : types)
        for (bool saturate : {false, true})
          addMma(t, m, 8, k,
                 std::string(saturate ? "satfinite." : "") + aName +
                     (a == b ? "" : std::string(".") + bName),
                 a, b, S32, S32, saturate);
  };
  add(8, 16, bytes), add(16, 16, bytes), add(16, 32, bytes);
  add(8, 32, nibbles), add(16, 32, nibbles), add(16, 64, nibbles);
}

} // namespace

void registerMatrix(IntrinsicTable &t) {
  for (const char *op : {"and", "xor"})
    for (auto [m, k] : {std::pair{8, 128}, std::pair{16, 128}, std::pair{16, 256}}) {
      const std::string name =
          llvm::formatv("llvm.nvvm.mma.{0}.popc.m{1}n8k{2}.row.col.b1", op, m, k);
      t.warp(name, mmaBits, Intrinsic::WholeWarp).variant = {
          m, 8, k, B1, B1, S32, S32, std::string(op) == "xor"};
    }
  registerFloatMma(t);
  registerIntegerMma(t);
  for (int count : {1, 2, 4})
    for (int transposed : {0, 1}) {
      const std::string tail =
          llvm::formatv("sync.aligned.m8n8.x{0}{1}.b16", count, transposed ? ".trans" : "");
      t.warp("llvm.nvvm.ldmatrix." + tail, loadMatrices, Intrinsic::WholeWarp).variant = {
          count, transposed};
      t.warp("llvm.nvvm.stmatrix." + tail, storeMatrices, Intrinsic::WholeWarp).variant = {
          count, transposed};
    }
}

} // namespace tilesmith::emulator
