//===- MatrixSparse.cpp - mma.sync with structured sparsity and block scales ------------------===//
//
// Half of A's elements are stored; metadata says where they stand. A metadata register belongs to a
// lane of each group of four; the sparsity selector says which lanes, when not all contribute. With
// elements of 16 or 32 bits a register describes a run of columns of both row halves (16 bits
// each), with narrower ones of one row. Wrong metadata and selectors are faults; PTX leaves them
// undefined.
//
// Block scales: a row of A (column of B) is cut into as many chunks along k as the scale vector is
// long; the scales of a row lie in consecutive bytes of one lane's register. Scaled values are
// exact in double.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/emulator/Intrinsics.h"
#include "oracles/devices/emulator/Matrix.h"
#include "oracles/devices/emulator/Numeric.h"

namespace tilesmith::emulator {

using namespace matrix;

// The four metadata bits of a chunk of a row.
uint32_t Sparsity::bitsOf(int row, int chunk) const {
  const int group = row % 8, half = row / 8;
  const bool wide = widthOf(type) >= 16;
  const int chunksPerLane = wide ? 4 : 8;
  const int part = chunk / chunksPerLane; // which run of columns
  const int lane = wide ? selector * contributors() + part : 2 * selector + half + 2 * part;
  const auto bits = call.frames[4 * group + lane]->get<uint32_t>(slot);
  return bits >> (4 * (chunk % chunksPerLane) + (wide ? 16 * half : 0)) & 15;
}

int Sparsity::contributors() const {
  const int rowBits = widthOf(type) == 32 ? 2 * k : k / unit();
  return 2 * rowBits / 32;
}

void Sparsity::check() const {
  if (selector < 0 || (selector + 1) * contributors() > 4)
    fatal(Report::Fault,
          llvm::formatv("sparsity selector {0} with {1} contributing lanes", selector,
                        contributors()),
          call.siteId);
}

void Sparsity::expand(int row, const double *stored, double *dense) const {
  std::fill_n(dense, k, 0.0);
  if (widthOf(type) == 32) {
    for (int chunk = 0; chunk < k / 2; ++chunk) {
      const uint32_t bits = bitsOf(row, chunk);
      if (bits != 0b1110 && bits != 0b0100)
        fatal(Report::Fault,
              llvm::formatv("sparsity metadata {0:x} of row {1} is neither 4 nor e", bits, row),
              call.siteId);
      dense[2 * chunk + (bits == 0b1110)] = stored[chunk];
    }
    return;
  }
  for (int chunk = 0; chunk < k / (4 * unit()); ++chunk) {
    const uint32_t bits = bitsOf(row, chunk);
    const uint32_t first = bits & 3, second = bits >> 2;
    if (first == second || (ordered && first > second))
      fatal(Report::Fault,
            llvm::formatv("sparsity metadata {0:x} of row {1} does not name two {2}elements", bits,
                          row, ordered ? "ascending " : "different "),
            call.siteId);
    for (int i = 0; i < unit(); ++i) {
      dense[(4 * chunk + first) * unit() + i] = stored[2 * chunk * unit() + i];
      dense[(4 * chunk + second) * unit() + i] = stored[(2 * chunk + 1) * unit() + i];
    }
  }
}

namespace {

enum Flags : int { Saturate = 1, Sparse = 2, Ordered = 4, ScaleUe4m3 = 8, ScaleShift = 4 };

// variant: M, N, K, A, B, C and D, flags, (scale vector length << 4 is part of the flags)
struct SparseShape {
  int m, n, k, a, b, c, flags;
  explicit SparseShape(const std::array<int, 8> &v)
      : m(v[0]), n(v[1]), k(v[2]), a(v[3]), b(v[4]), c(v[5]), flags(v[6]) {}
  bool sparse() const { return flags & Sparse; }
  int scales() const { return flags >> ScaleShift; }
  int storedK() const { return sparse() ? k / 2 : k; }
  int aRegisters() const { return m * storedK() * widthOf(a) / 1024; }
  int bRegisters() const { return k * n * widthOf(b) / 1024; }
  int cSlot() const { return aRegisters() + bRegisters(); }
  int cSlots() const { return c == F16 ? 2 : 4; }
};

double scaleOf(uint32_t byte, bool isUe4m3) {
  if (isUe4m3)
    return decode(byte & 0x7f, kE4M3);
  return byte == 0xff ? std::nan("") : std::ldexp(1.0, static_cast<int>(byte) - 127);
}

// Scales of one operand: slot of the data, then byte and thread selector.
struct ScaleOperand {
  int slot, byte, thread;
  ScaleOperand(const WarpCall &call, const SparseShape &s, int slot, int threads)
      : slot(slot), byte(call.frames[0]->get<uint16_t>(slot + 1)),
        thread(call.frames[0]->get<uint16_t>(slot + 2)) {
    if (byte % s.scales() || byte + s.scales() > 4)
      fatal(Report::Fault,
            llvm::formatv("byte selector {0} of a scale vector of {1}", byte, s.scales()),
            call.siteId);
    if (thread >= threads)
      fatal(Report::Fault, llvm::formatv("thread selector {0} is not below {1}", thread, threads),
            call.siteId);
  }
  void apply(const WarpCall &call, const SparseShape &s, int lane, double *values) const {
    const auto data = call.frames[lane]->get<uint32_t>(slot);
    const int chunk = s.k / s.scales();
    for (int p = 0; p < s.k; ++p)
      values[p] *= scaleOf(data >> (8 * (byte + p / chunk)) & 0xff, s.flags & ScaleUe4m3);
  }
};

void mmaSparse(const WarpCall &call) {
  startMultiplication(call);
  const SparseShape s(call.site.op->variant);
  uint8_t rawA[16][32], rawB[8][64];
  const int aRegs = s.aRegisters(), bRegs = s.bRegisters();
  for (int lane = 0; lane < 32; ++lane) {
    const Frame &frame = *call.frames[lane];
    for (int r = 0; r < aRegs; ++r) {
      const auto [row, piece] = pieceOfA(lane, r, true);
      const auto value = frame.get<uint32_t>(r);
      std::memcpy(&rawA[row][4 * piece], &value, 4);
    }
    for (int r = 0; r < bRegs; ++r) {
      const auto [column, piece] = pieceOfB(lane, r);
      const auto value = frame.get<uint32_t>(aRegs + r);
      std::memcpy(&rawB[column][4 * piece], &value, 4);
    }
  }
  int slot = s.cSlot() + s.cSlots();
  const Sparsity sparsity{call,
                          slot,
                          s.a,
                          s.k,
                          s.sparse() ? call.frames[0]->get<int32_t>(slot + 1) : 0,
                          (s.flags & Ordered) != 0};
  if (s.sparse()) {
    sparsity.check();
    slot += 2;
  }
  double a[16][128], b[8][128], stored[128];
  for (int row = 0; row < s.m; ++row) {
    convertRow(rawA[row], s.a, s.storedK(), s.sparse() ? stored : a[row]);
    if (s.sparse())
      sparsity.expand(row, stored, a[row]);
  }
  for (int column = 0; column < s.n; ++column)
    convertRow(rawB[column], s.b, s.k, b[column]);
  if (s.scales()) {
    const ScaleOperand scaleA(call, s, slot, 2), scaleB(call, s, slot + 3, 4);
    for (int row = 0; row < s.m; ++row)
      scaleA.apply(call, s, 4 * (row % 8) + 2 * scaleA.thread + row / 8, a[row]);
    for (int column = 0; column < s.n; ++column)
      scaleB.apply(call, s, 4 * column + scaleB.thread, b[column]);
  }
  for (int lane = 0; lane < 32; ++lane) {
    double result[4];
    for (int i = 0; i < 4; ++i) {
      const int row = lane / 4 + 8 * (i / 2), column = 2 * (lane % 4) + i % 2;
      result[i] = loadElement(*call.frames[lane], s.cSlot(), i, s.c);
      for (int p = 0; p < s.k; ++p)
        result[i] += a[row][p] * b[column][p];
    }
    // The slots of results are those of A, which has been read by now; metadata and scales too.
    for (int i = 0; i < 4; ++i)
      storeElement(*call.frames[lane], i, s.c, result[i], s.flags & Saturate);
  }
}

using Named = std::pair<const char *, Element>;
constexpr Named kBytes[] = {{"s8", S8}, {"u8", U8}}, kNibbles[] = {{"s4", S4}, {"u4", U4}},
                kFp8[] = {{"e4m3", E4M3}, {"e5m2", E5M2}},
                kNarrow[] = {
                    {"e4m3", E4M3}, {"e5m2", E5M2}, {"e3m2", E3M2}, {"e2m3", E2M3}, {"e2m1", E2M1}};

void add(IntrinsicTable &t, const std::string &name, int k, Element a, Element b, Element c,
         int flags) {
  t.warp("llvm.nvvm.mma." + name, mmaSparse, Intrinsic::WholeWarp).variant = {16, 8, k,    a,
                                                                              b,  c, flags};
}

std::string shapeName(int k) {
  return ".m16n8k" + std::to_string(k) + ".row.col.";
}

void registerSparse(IntrinsicTable &t, bool ordered) {
  const std::string p = ordered ? "sp.ordered.metadata" : "sp";
  const int flags = Sparse | (ordered ? Ordered : 0);
  for (int k : {16, 32}) {
    add(t, p + shapeName(k) + "f16.f16", k, F16, F16, F16, flags);
    add(t, p + shapeName(k) + "f32.f32", k, F16, F16, F32, flags);
    add(t, p + shapeName(k) + "bf16", k, BF16, BF16, F32, flags);
  }
  for (int k : {8, 16})
    add(t, p + shapeName(k) + "tf32", k, TF32, TF32, F32, flags);
  auto integers = [&](const auto &types, std::initializer_list<int> depths) {
    for (int k : depths)
      for (auto [aName, a] : types)
        for (auto [bName, b] : types)
          for (bool saturate : {false, true})
            add(t,
                p + shapeName(k) + (saturate ? "satfinite." : "") + aName +
                    (a == b ? "" : std::string(".") + bName),
                k, a, b, S32, flags | (saturate ? Saturate : 0));
  };
  integers(kBytes, {32, 64});
  integers(kNibbles, {64, 128});
  for (auto [aName, a] : kFp8)
    for (auto [bName, b] : kFp8)
      add(t, p + shapeName(64) + "f32." + aName + "." + bName + ".f32", 64, a, b, F32, flags);
  if (!ordered)
    return;
  for (auto [aName, a] : kNarrow)
    for (auto [bName, b] : kNarrow)
      for (auto [cName, c] : {Named{"f16", F16}, Named{"f32", F32}})
        add(t, p + shapeName(64) + "kind.f8f6f4." + cName + "." + aName + "." + bName + "." + cName,
            64, a, b, c, flags);
}

void registerScaled(IntrinsicTable &t, bool sparse) {
  const std::string p = sparse ? "sp.ordered.metadata.block.scale" : "block.scale";
  const int flags = sparse ? Sparse | Ordered : 0, factor = sparse ? 2 : 1;
  for (const char *length : {"", ".scale.1x"})
    for (auto [aName, a] : kNarrow)
      for (auto [bName, b] : kNarrow)
        add(t,
            p + shapeName(32 * factor) + "mxf8f6f4" + length + ".f32." + aName + "." + bName +
                ".f32.ue8m0",
            32 * factor, a, b, F32, flags | 1 << ScaleShift);
  const std::string tail = ".f32.e2m1.e2m1.f32.", base = p + shapeName(64 * factor);
  auto pairs = [&](const std::string &kind, int scales, const std::string &type) {
    add(t, base + kind + tail + type, 64 * factor, E2M1Pair, E2M1Pair, F32,
        flags | scales << ScaleShift | (type == "ue4m3" ? ScaleUe4m3 : 0));
  };
  pairs("mxf4", 2, "ue8m0"), pairs("mxf4.scale.2x", 2, "ue8m0");
  pairs("mxf4nvf4.scale.2x", 2, "ue8m0"), pairs("mxf4nvf4.scale.4x", 4, "ue4m3");
}

} // namespace

void registerSparseMatrix(IntrinsicTable &t) {
  for (bool ordered : {false, true})
    registerSparse(t, ordered);
  for (bool sparse : {false, true})
    registerScaled(t, sparse);
}

} // namespace tilesmith::emulator
