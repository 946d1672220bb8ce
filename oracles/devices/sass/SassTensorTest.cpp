//===- SassTensorTest.cpp - tensor memory and the products that accumulate there --------------===//
//
// PTX kernels for sm_100a become machine code by ptxas; the same cubins are stored in corpus/sass
// and always run. What they must leave is computed here from what PTX says of tcgen05.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/Instruction.h"
#include "oracles/devices/sass/Machine.h"
#include "oracles/devices/sass/Sass.h"
#include "oracles/devices/sass/SassTestSupport.h"

#include "llvm/Support/FormatVariadic.h"

#include "gmock/gmock.h"

#include <random>

using namespace tilesmith;
using namespace tilesmith::sass;

namespace {

constexpr unsigned kSharedBytes = 32768, kOfB = 16384, kOfScales = 30720,
                   kInBytes = kSharedBytes + 128 * 32;

// ---- products ----

struct Product {
  const char *name, *kind, *a, *b, *d; ///< types as encodeAs has them; of D f16, f32 or s32
  unsigned m, n, mode = 0;             ///< mode: the swizzle
  bool transposeA = false, transposeB = false, inTensor = false;
  bool negateA = false, scaled = false, pair = false;
  unsigned vectors = 1;                                        ///< scales of a row
  bool packed() const { return llvm::StringRef(a) == "e2m1"; } ///< two elements a byte
  unsigned blocks() const { return pair ? 2 : 1; }
  unsigned rows() const { return m / blocks(); }
  unsigned depth() const { return packed() ? 64 : 32 / bytes(); }
  /// Lane and column of an element of D. Of 64 rows 16 are in each quarter of the lanes; those of
  /// a pair are in the first 64 lanes, with half of the columns.
  std::pair<unsigned, unsigned> cellOf(unsigned row, unsigned column) const {
    if (pair && m == 128)
      return {row % 64 + column / (n / 2) * 64, column % (n / 2)};
    return {m == 64 ? row / 16 * 32 + row % 16 : row % 128, column};
  }
  unsigned bytes() const {
    return llvm::StringRef(a) == "tf32" ? 4 : a[1] == '1' || a[0] == 'b' ? 2 : 1;
  }
};

const Product kProducts[] = {
    {"plain", "f16", "f16", "f16", "f32", 128, 32},
    {"halfSums", "f16", "f16", "f16", "f16", 128, 64, 1},
    {"bf16", "f16", "bf16", "bf16", "f32", 128, 128, 2, true, true},
    {"halfRows", "f16", "f16", "f16", "f32", 64, 24, 1, false, true},
    {"negated", "f16", "f16", "f16", "f32", 128, 16, 3, false, false, false, true},
    {"tensorA", "f16", "f16", "f16", "f32", 128, 64, 1, false, true, true},
    {"tf32", "tf32", "tf32", "tf32", "f32", 128, 48, 1},
    {"e4m3", "f8f6f4", "e4m3", "e5m2", "f32", 128, 32, 1, true, false},
    {"e5m2", "f8f6f4", "e5m2", "e4m3", "f16", 64, 16, 2, false, false, true},
    {"s8", "i8", "s8", "u8", "s32", 128, 32, 1},
    {"u8", "i8", "u8", "s8", "s32", 64, 16, 3},
    {"scaled", "mxf8f6f4", "e4m3", "e5m2", "f32", 128, 96, 1, false, false, false, false, true},
    {"scaledTensorA", "mxf8f6f4", "e5m2", "e5m2", "f32", 128, 64, 1, false, false, true, false,
     true},
    {"fours", "mxf4", "e2m1", "e2m1", "f32", 128, 64, 1, false, false, false, false, true, false,
     2},
    {"foursTensorA", "mxf4nvf4", "e2m1", "e2m1", "f32", 128, 128, 2, false, false, true, false,
     true, false, 4},
    {"pairOf256", "f16", "f16", "f16", "f32", 256, 64, 1, false, true, false, false, false, true},
    {"pairOf128", "f8f6f4", "e4m3", "e5m2", "f32", 128, 96, 2, false, false, false, true, false,
     true},
    {"pairTensorA", "i8", "s8", "u8", "s32", 256, 32, 0, false, false, true, false, false, true},
    {"pairScaled", "mxf8f6f4", "e4m3", "e4m3", "f32", 256, 128, 1, false, false, false, false, true,
     true},
};

/// The instruction descriptor.
uint32_t descriptorOf(const Product &p) {
  auto number = [](llvm::StringRef type) {
    return type == "f16" || type == "e4m3" || type == "u8" ? 0u : type == "tf32" ? 2u : 1u;
  };
  const llvm::StringRef d = p.d;
  uint32_t bits = number(p.a) << 7 | number(p.b) << 10 | uint32_t{p.negateA} << 13 |
                  uint32_t{p.transposeA} << 15 | uint32_t{p.transposeB} << 16 | p.n / 8 << 17 |
                  p.m / 16 << 24;
  if (p.vectors == 4)
    return bits; // scales in e4m3
  if (p.scaled)  // from byte 2 on of the scales of B, from byte 1 or 0 on of those of A
    return bits | 1u << 23 | 2u << 4 | (p.vectors == 2 ? 0u : 1u) << 29;
  return bits | (d == "f16" ? 0u : d == "f32" ? 1u : 2u) << 4;
}

/// D is at column 0, A at 256, the scales of A and B at 264 and 268. Parameter `skip`: the wait for
/// the product is left out.
std::string ptxOf(const Product &p) {
  std::string sums, steps;
  for (unsigned c = 0; c < p.n; c += 8)
    steps += llvm::formatv("add.u32 %x, %lane, {0}; tcgen05.st.sync.aligned.32x32b.x8.b32 [%x], "
                           "{{%v,%v,%v,%v,%v,%v,%v,%v};\n",
                           c);
  for (unsigned c = 0; c < p.n; c += 8) {
    sums += llvm::formatv("add.u32 %x, %lane, {0}; tcgen05.ld.sync.aligned.32x32b.x8.b32 "
                          "{{%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, [%x];\n"
                          "tcgen05.wait::ld.sync.aligned;\n",
                          c);
    for (unsigned k = 0; k < 8; ++k)
      sums += llvm::formatv("st.global.b32 [%out+{0}], %r{1};\n", 4 * (c + k), k);
  }
  const std::string a = p.inTensor ? "[%ta]" : "%da";
  const std::string scales = p.scaled ? "tcgen05.cp.cta_group::1.32x128b.warpx4 [%sa], %dsa;\n"
                                        "tcgen05.cp.cta_group::1.32x128b.warpx4 [%sb], %dsb;\n"
                                      : "";
  // Either block of a pair has its own input and output; one thread of the first issues.
  const std::string cluster = p.pair ? " .reqnctapercluster 2,1,1" : "";
  const std::string own =
      p.pair ? llvm::formatv("mov.u32 %x, %cluster_ctarank; mul.wide.u32 %o, %x, {0};\n"
                             "add.u64 %in, %in, %o; mul.wide.u32 %o, %x, {1};\n"
                             "add.u64 %out, %out, %o; setp.eq.and.u32 %first, %x, 0, %first;\n",
                             kInBytes, 128 * 4 * p.n)
                   .str()
             : "";
  const char *meet =
      p.pair ? "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n" : "";
  const char *group = p.pair ? "2" : "1";
  std::string text = llvm::formatv(
      false,
      ".visible .entry {0}(.param .u64 in, .param .u64 out, .param .u64 da, .param .u64 db,\n"
      "  .param .u32 idesc, .param .u32 skip) .maxntid 128{14} {{\n"
      ".shared .align 1024 .b8 sm[{1}]; .shared .align 8 .b64 bar; .shared .align 4 .b32 book;\n"
      ".reg .b64 %in, %out, %da, %db, %dsa, %dsb, %o; .reg .pred %p, %first, %w0, %skip, %on, "
      "%t0;\n"
      ".reg .b16 %both;\n"
      ".reg .b32 %r<8>, %id, %n, %s, %x, %bar, %book, %tm, %lane, %ta, %sa, %sb, %v, %i;\n"
      "ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; ld.param.u64 %da, [da];\n"
      "ld.param.u64 %db, [db]; ld.param.u32 %i, [idesc]; ld.param.u32 %x, [skip];\n"
      "setp.ne.u32 %skip, %x, 0; mov.u32 %id, %tid.x; mov.u32 %s, sm; mov.u32 %bar, bar;\n"
      "mov.u32 %book, book; setp.eq.u32 %t0, %id, 0; setp.eq.u32 %first, %id, 0;\n"
      "setp.lt.u32 %w0, %id, 32; mov.b16 %both, 3;\n{15}"
      "mul.wide.u32 %o, %id, {2}; add.u64 %out, %out, %o; mov.u32 %n, %id;\n"
      "LOOP{0}: mul.wide.u32 %o, %n, 16; add.u64 %o, %o, %in;\n"
      "ld.global.v4.b32 {{%r0,%r1,%r2,%r3}, [%o];\n"
      "shl.b32 %x, %n, 4; add.u32 %x, %x, %s; st.shared.v4.b32 [%x], {{%r0,%r1,%r2,%r3};\n"
      "add.u32 %n, %n, 128; setp.lt.u32 %p, %n, {3}; @%p bra LOOP{0};\n"
      "@%t0 mbarrier.init.shared.b64 [%bar], 1;\n"
      "@!%w0 bra ALLOCATED{0};\n"
      "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%book], 512;\n"
      "ALLOCATED{0}: fence.proxy.async.shared::cta; bar.sync 0; ld.shared.b32 %tm, [%book];\n"
      "add.u32 %ta, %tm, 256; add.u32 %sa, %tm, 264; add.u32 %sb, %tm, 268;\n"
      "and.b32 %x, %id, 96; shl.b32 %x, %x, 16; add.u32 %lane, %tm, %x; ld.global.b32 %v, [%out];\n"
      "{4}"
      "mul.wide.u32 %o, %id, 32; add.u64 %o, %o, %in;\n"
      "ld.global.v4.b32 {{%r0,%r1,%r2,%r3}, [%o+{1}];\n"
      "ld.global.v4.b32 {{%r4,%r5,%r6,%r7}, [%o+{5}];\n"
      "add.u32 %x, %lane, 256;\n"
      "tcgen05.st.sync.aligned.32x32b.x8.b32 [%x], {{%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7};\n"
      "tcgen05.wait::st.sync.aligned; tcgen05.fence::before_thread_sync; bar.sync 0;\n"
      "tcgen05.fence::after_thread_sync; shr.u32 %s, %s, 4; cvt.u64.u32 %o, %s;\n"
      "add.u64 %da, %da, %o; add.u64 %db, %db, %o; add.u64 %dsa, %o, {6}; add.u64 %dsb, %o, {7};\n"
      "setp.ne.u32 %on, %tm, 7;\n{16}@!%first bra WAIT{0};\n"
      "{8}tcgen05.mma.cta_group::1.kind::{9}{10} [%tm], {11}, %db, %i{12}, %on;\n"
      "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster{17};\n"
      "WAIT{0}: @%skip bra DONE{0};\n"
      "mbarrier.try_wait.parity.shared.b64 %p, [%bar], 0; @!%p bra WAIT{0};\n"
      "DONE{0}: tcgen05.fence::after_thread_sync;\n{13}"
      "tcgen05.fence::before_thread_sync; bar.sync 0;\n{16}@!%w0 bra END{0};\n"
      "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %tm, 512;\nEND{0}: ret; }\n",
      p.name, kSharedBytes, 4 * p.n, kSharedBytes / 16, steps, kSharedBytes + 16,
      kOfScales >> 4 | uint64_t{8} << 32, (kOfScales + 512) >> 4 | uint64_t{8} << 32, scales,
      p.kind, p.scaled ? llvm::formatv(".block_scale.scale_vec::{0}X", p.vectors).str() : "", a,
      p.scaled ? ", [%sa], [%sb]" : "", sums, cluster, own, meet,
      p.pair ? ".multicast::cluster.b64 [%bar], %both" : ".b64 [%bar]");
  for (size_t at = 0; (at = text.find("cta_group::1", at)) != std::string::npos; ++at)
    text.replace(at + 11, 1, group);
  return text;
}

using Matrix = std::vector<std::vector<int>>;

/// Rows of a matrix as they are stored: those of 4 bits are bytes of two elements.
Matrix packed(const Product &p, const Matrix &values, unsigned first, unsigned count) {
  Matrix rows(values.begin() + first, values.begin() + first + count);
  if (!p.packed())
    return rows;
  for (std::vector<int> &row : rows) {
    std::vector<int> bytes(row.size() / 2);
    for (auto [x, value] : llvm::enumerate(row))
      bytes[x / 2] |= static_cast<int>(emulator::encode(value, emulator::kE2M1) << (4 * (x & 1)));
    row = bytes;
  }
  return rows;
}
llvm::StringRef typeOf(const Product &p, llvm::StringRef type) {
  return p.packed() ? "u8" : type;
}

/// Powers of two (127 stands for 1), or small whole numbers where there are four in a row.
double scaleOf(const Product &p, unsigned row, bool ofB, unsigned vector) {
  const int number = static_cast<int>((row + 3 * vector) % 5) - (ofB ? 2 : 1);
  return p.vectors == 4 ? number + 3 : std::ldexp(1.0, number);
}
uint8_t scaleBits(const Product &p, unsigned row, bool ofB, unsigned vector) {
  const double scale = scaleOf(p, row, ofB, vector);
  return static_cast<uint8_t>(p.vectors == 4 ? emulator::encode(scale, emulator::kE4M3)
                                             : 127 + std::ilogb(scale));
}

/// What is wrong with the product; empty when nothing is.
std::string checkProduct(Program &program, const Product &p, bool late, bool skipsWait = false) {
  const unsigned k = p.depth();
  std::mt19937 random(p.n + p.mode);
  auto fill = [&](unsigned outer, llvm::StringRef type) {
    Matrix m(outer, std::vector<int>(k));
    for (auto &row : m)
      for (int &v : row)
        v = static_cast<int>(random() % 7) - (type == "u8" ? 0 : 3);
    return m;
  };
  const Matrix a = fill(p.m, p.a), b = fill(p.n, p.b);
  std::vector<uint8_t> in(p.blocks() * kInBytes);
  uint64_t da = 0, db = 0;
  for (unsigned block = 0; block < p.blocks(); ++block) {
    uint8_t *image = &in[block * kInBytes];
    const unsigned columns = p.n / p.blocks();
    const Matrix rows = packed(p, a, block * p.rows(), p.rows());
    da = place(image, 0, p.bytes(), p.mode, p.transposeA, typeOf(p, p.a), rows);
    db = place(image, kOfB, p.bytes(), p.mode, p.transposeB, typeOf(p, p.b),
               packed(p, b, block * columns, columns));
    if (p.inTensor) {
      std::memset(image, 0, kOfB);
      for (auto [row, values] : llvm::enumerate(rows))
        for (auto [x, value] : llvm::enumerate(values)) {
          const uint32_t bits = encodeAs(typeOf(p, p.a), value);
          const unsigned lane = p.cellOf(static_cast<unsigned>(row), 0).first;
          std::memcpy(&image[kSharedBytes + 32 * lane + x * p.bytes()], &bits, p.bytes());
        }
    }
    // 16 bytes for rows r, r + 32, r + 64, r + 96, four bytes each.
    for (bool ofB : {false, true})
      for (unsigned row = 0; row < 128; ++row)
        for (unsigned v = 0; v < p.vectors; ++v)
          image[kOfScales + 512 * ofB + row % 32 * 16 + row / 32 * 4 + v +
                (p.vectors == 4 ? 0
                 : ofB ? 2
                       : 2 - p.vectors)] = scaleBits(p, row + (ofB ? 0 : block * 128), ofB, v);
  }
  const llvm::StringRef d = p.d;
  auto encodeSum = [&](int value) {
    return d == "f16"   ? emulator::encode(value, emulator::kF16)
           : d == "s32" ? static_cast<uint32_t>(value)
                        : emulator::encode(value, emulator::kF32);
  };
  std::vector<uint32_t> out(p.blocks() * 128 * p.n);
  for (unsigned t = 0; t < p.blocks() * 128; ++t)
    out[t * p.n] = static_cast<uint32_t>(encodeSum(static_cast<int>(t % 128 % 5)));
  program.clearRanges();
  program.addRange(in.data(), in.size(), "in");
  program.addRange(out.data(), out.size() * 4, "out");
  LaunchConfig config;
  config.block = {128, 1, 1};
  config.grid = {p.blocks(), 1, 1};
  config.setSchedule(late ? "lifo" : "fifo");
  config.maxInstructions = 1'000'000;
  const Report report =
      program.launch(p.name, config,
                     {argument(in.data()), argument(out.data()), argument(da), argument(db),
                      argument(descriptorOf(p)), argument(uint32_t{skipsWait})});
  if (!report.ok())
    return report.message;
  for (unsigned row = 0; row < p.m; ++row)
    for (unsigned n = 0; n < p.n; ++n) {
      double want = 0;
      for (unsigned l = 0; l < k; ++l)
        want += a[row][l] * b[n][l] *
                (p.scaled ? scaleOf(p, row, false, l * p.vectors / k) *
                                scaleOf(p, n, true, l * p.vectors / k)
                          : 1);
      const auto [lane, column] = p.cellOf(row, n);
      want = lane % 5 + (p.negateA ? -want : want);
      const uint32_t bits = out[(row / p.rows() * 128 + lane) * p.n + column];
      const double found = d == "f16"   ? emulator::decode(bits & 0xffff, emulator::kF16)
                           : d == "s32" ? static_cast<int32_t>(bits)
                                        : emulator::decode(bits, emulator::kF32);
      if (found != want)
        return llvm::formatv("row {0}, column {1}: expected {2}, found {3}", row, n, want, found);
    }
  return "";
}

// ---- shapes of loads and stores ----

struct Form {
  const char *name, *shape, *immediate;
  bool halves = false; ///< a register goes to two columns, and comes from their lower halves
};
constexpr unsigned kRegisters = 4; ///< of each form
const Form kForms[] = {{"rows", "32x32b.x4", ""},
                       {"pairs", "16x64b.x4", ""},
                       {"quads", "16x128b.x2", ""},
                       {"fragments", "16x256b.x1", ""},
                       {"halves", "16x32bx2.x4", ", 8"},
                       {"rows_of_halves", "32x32b.x4", "", true},
                       {"pairs_of_halves", "16x64b.x4", "", true},
                       {"quads_of_halves", "16x128b.x2", "", true},
                       {"fragments_of_halves", "16x256b.x1", "", true},
                       {"halves_of_halves", "16x32bx2.x4", ", 8", true}};

/// What register r of lane l holds.
uint32_t valueOf(const Form &f, unsigned l, unsigned r) {
  return 100 * l + r + (f.halves ? (100 * l + 2 * r) << 16 : 0);
}

/// Registers go to tensor memory in one shape and come back in rows of 16 columns.
std::string ptxOf(const Form &f) {
  std::string stores;
  for (unsigned k = 0; k < 16; ++k)
    stores += llvm::formatv("st.global.b32 [%out+{0}], %r{1};\n", 4 * k, k);
  return llvm::formatv(
      false,
      ".visible .entry {0}(.param .u64 out) .maxntid 32 {{ .shared .align 4 .b32 book;\n"
      ".reg .b64 %out, %o; .reg .b32 %r<16>, %id, %tm, %book, %v<4>, %zero;\n"
      "ld.param.u64 %out, [out]; mov.u32 %id, %tid.x; mov.u32 %book, book; mov.u32 %zero, 0;\n"
      "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%book], 32; bar.warp.sync -1;\n"
      "ld.shared.b32 %tm, [%book]; mad.lo.u32 %v0, %id, {4}, 0; add.u32 %v1, %v0, {5};\n"
      "add.u32 %v2, %v1, {5}; add.u32 %v3, %v2, {5};\n"
      "tcgen05.st.sync.aligned.32x32b.x16.b32 [%tm], {{%zero,%zero,%zero,%zero,%zero,%zero,%zero,"
      "%zero,%zero,%zero,%zero,%zero,%zero,%zero,%zero,%zero};\n"
      "tcgen05.wait::st.sync.aligned;\n"
      "tcgen05.st.sync.aligned.{1}{6}.b32 [%tm]{2}, {{%v0,%v1,%v2,%v3};\n"
      "tcgen05.wait::st.sync.aligned;\n"
      "tcgen05.ld.sync.aligned.{1}{7}.b32 {{%v0,%v1,%v2,%v3}, [%tm]{2};\n"
      "tcgen05.ld.sync.aligned.32x32b.x16.b32 {{%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8,%r9,%r10,%r11,"
      "%r12,%r13,%r14,%r15}, [%tm];\n"
      "tcgen05.wait::ld.sync.aligned; mul.wide.u32 %o, %id, 80; add.u64 %out, %out, %o;\n{3}"
      "st.global.v4.b32 [%out+64], {{%v0,%v1,%v2,%v3};\n"
      "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %tm, 32; ret; }\n",
      f.name, f.shape, f.immediate, stores, valueOf(f, 1, 0), valueOf(f, 0, 1),
      f.halves ? ".unpack::16b" : "", f.halves ? ".pack::16b" : "");
}

/// The number of the 32-bit cell that holds register r of lane l, as the figures of the PTX ISA
/// draw them: row * 16 + column.
unsigned cellOf(llvm::StringRef name, unsigned l, unsigned r) {
  if (name.consume_back("_of_halves")) { // twice as far from where the lane begins
    const unsigned cell = cellOf(name, l, r), begin = name == "halves" && l >= 16 ? 8 : 0;
    return cell + cell % 16 - begin;
  }
  if (name == "rows")
    return l * 16 + r;
  if (name == "halves")
    return l % 16 * 16 + (l < 16 ? 0 : 8) + r;
  if (name == "pairs") { // lanes 0, 2 in row 0, lanes 1, 3 in row 8, lanes 4, 6 in row 1
    const unsigned row = l / 4 + (l & 1 ? 8 : 0);
    return row * 16 + (l & 2) / 2 + 2 * r;
  }
  if (name == "quads") // registers 0, 1: rows l / 4 and 8 below it, the next two 4 columns on
    return (l / 4 + (r & 1 ? 8 : 0)) * 16 + l % 4 + (r & 2 ? 4 : 0);
  return (l / 4 + (r & 2 ? 8 : 0)) * 16 + 2 * (l % 4) + (r & 1); // as the sums of mma.m16n8
}

std::string checkForm(Program &program, const Form &f) {
  std::vector<uint32_t> out(32 * 20);
  program.clearRanges();
  program.addRange(out.data(), out.size() * 4, "out");
  LaunchConfig config;
  config.block = {32, 1, 1};
  config.maxInstructions = 100'000;
  const Report report = program.launch(f.name, config, {argument(out.data())});
  if (!report.ok())
    return report.message;
  std::vector<uint32_t> want(32 * 16);
  for (unsigned l = 0; l < 32; ++l)
    for (unsigned r = 0; r < kRegisters; ++r) {
      const uint32_t value = valueOf(f, l, r);
      want[cellOf(f.name, l, r)] = f.halves ? value & 0xffff : value;
      if (f.halves)
        want[cellOf(f.name, l, r) + 1] = value >> 16;
    }
  for (unsigned l = 0; l < 32; ++l)
    for (unsigned c = 0; c < 20; ++c) {
      const uint32_t expected = c < 16 ? want[l * 16 + c] : valueOf(f, l, c - 16);
      if (out[l * 20 + c] != expected)
        return llvm::formatv("{0}: lane {1}, {2} {3}: expected {4}, found {5}", f.name, l,
                             c < 16 ? "column" : "register", c % 16, expected, out[l * 20 + c]);
    }
  return "";
}

std::string allKernels() {
  std::string text = ".version 8.7\n.target sm_100a\n.address_size 64\n";
  for (const Product &p : kProducts)
    text += ptxOf(p);
  for (const Form &f : kForms)
    text += ptxOf(f);
  return text;
}

void checkAll(llvm::ArrayRef<uint8_t> cubin) {
  auto program = Program::create(cubin);
  ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
  for (const Product &p : kProducts)
    for (bool late : {false, true})
      EXPECT_EQ(checkProduct(**program, p, late), "") << p.name;
  for (const Form &f : kForms)
    EXPECT_EQ(checkForm(**program, f), "") << f.name;
}

constexpr const char *kStored = "tensor.sm_100.O3.cubin";

TEST(SassTensorTest, ProductsAndShapesAreWhatPtxSays) {
  checkAtBothLevels(allKernels(), "sm_100a", kStored, checkAll);
}

TEST(SassTensorTest, StoredCubinsRunWithoutCuda) {
  checkAll(readBytes(corpusFile(kStored)));
}

TEST(SassTensorTest, AProductThatNobodyWaitsForIsAFault) {
  auto program = Program::create(readBytes(corpusFile(kStored)));
  ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
  for (const Product &p : kProducts)
    EXPECT_THAT(checkProduct(**program, p, true, /*skipsWait=*/true),
                testing::HasSubstr("before the product into it was waited for"))
        << p.name;
}

// What lanes other than the first would mean is not known well enough to execute it.
TEST(SassTensorTest, OtherLanesThanTheFirstAreRefused) {
  static constexpr std::tuple<const char *, Execute, const char *> kMoved[] = {
      {"UTCCP.T.S",
       [](Warp &w, const Instruction &i) {
         Instruction j = i;
         j.ops[0].value += 16 << 16;
         executeTensorCopy(w, j);
       },
       "unsupported: copy at lane 16"},
      {"UTCHMMA",
       [](Warp &w, const Instruction &i) {
         w.u[i.ops[2].index] += 16 << 16;
         executeTensorProduct(w, i);
       },
       "unsupported: product at lane 16"}};
  for (auto [name, moved, message] : kMoved) {
    PlantedRow planted(name, moved);
    auto program = Program::create(readBytes(corpusFile(kStored)));
    std::string all;
    for (const Product &p : kProducts)
      all += checkProduct(**program, p, false);
    EXPECT_THAT(all, testing::HasSubstr(message));
  }
}

// Each row with a wrong function: a product or a shape must show it.
TEST(SassTensorTest, AWrongFunctionInARowShows) {
  static constexpr std::pair<const char *, Execute> kPlanted[] = {
      {"UTCHMMA",
       [](Warp &w, const Instruction &i) {
         Instruction j = i; // A and B change places
         std::swap(j.ops[0], j.ops[1]);
         executeTensorProduct(w, j);
       }},
      {"UTCQMMA",
       [](Warp &w, const Instruction &i) {
         Instruction j = i; // sums begin at zero
         j.ops[5].negative = true;
         executeTensorProduct(w, j);
       }},
      {"UTCIMMA", executeNop},
      {"UTCOMMA",
       [](Warp &w, const Instruction &i) {
         Instruction j = i; // the scales change places
         j.ops[4].index ^= 1;
         executeTensorProduct(w, j);
       }},
      {"STAS", executeNop},
      {"UTCCP.T.S", executeNop},
      {"UTCBAR", executeNop},
      {"UTCATOMSWS.AND", executeNop},
      {"LDTM",
       [](Warp &w, const Instruction &i) {
         Instruction j = i; // half of the registers
         j.mods[1] -= j.mods[1] > 0;
         executeLoadTensor(w, j);
       }},
      {"STTM",
       [](Warp &w, const Instruction &i) {
         Instruction j = i;
         j.mods[0] ^= 1;
         executeStoreTensor(w, j);
       }},
  };
  for (auto [name, wrong] : kPlanted) {
    PlantedRow planted(name, wrong);
    auto damaged = Program::create(readBytes(corpusFile(kStored)));
    std::string all;
    for (const Product &p : kProducts)
      all += checkProduct(**damaged, p, true);
    for (const Form &f : kForms)
      all += checkForm(**damaged, f);
    EXPECT_NE(all, "") << name;
  }
}

} // namespace
