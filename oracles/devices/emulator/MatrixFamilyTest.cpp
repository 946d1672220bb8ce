//===- MatrixFamilyTest.cpp - every mma that LLVM knows ---------------------------------------===//
//
// Walks the intrinsics below llvm.nvvm.mma. Random small matrices are dealt to registers by the
// tables of the PTX ISA (typed in here a second time) and the result must be the exact product, of
// the intrinsic and of the same instruction as inline assembly.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/emulator/MatrixTestSupport.h"

namespace tilesmith::emulator {
namespace {

// ---- kernels ----

constexpr int kSlots = 32;

// Loads operand i of each lane from its slot i, stores result i to slot i of the other buffer.
std::string kernelFor(StringRef name, const Signature &s, const std::map<int, int> &immediates) {
  std::string body, operands;
  for (auto [i, type] : llvm::enumerate(s.parameters)) {
    if (i)
      operands += ", ";
    if (s.immediate[i]) {
      operands += type + " " + std::to_string(immediates.at(i));
      continue;
    }
    body += llvm::formatv("  %p{0} = getelementptr i64, ptr addrspace(1) %in, i32 {0}\n"
                          "  %r{0} = load {1}, ptr addrspace(1) %p{0}, align 2\n",
                          i, type);
    operands += llvm::formatv("{0} %r{1}", type, i);
  }
  body += llvm::formatv("  %d = call {0} @{1}({2})\n", s.result, name, operands);
  for (auto [i, type] : llvm::enumerate(s.results)) {
    if (s.results.size() == 1)
      body += "  %d0 = freeze " + s.result + " %d\n";
    else
      body += llvm::formatv("  %d{0} = extractvalue {1} %d, {0}\n", i, s.result);
    body += llvm::formatv("  %q{0} = getelementptr i64, ptr addrspace(1) %out, i32 {0}\n"
                          "  store {1} %d{0}, ptr addrspace(1) %q{0}, align 4\n",
                          i, type);
  }
  return llvm::formatv("target triple = \"nvptx64-nvidia-cuda\"\n"
                       "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\ndeclare {0} @{1}({2})\n"
                       "define ptx_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {{\n"
                       "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  %o = mul i32 %t, {4}\n"
                       "  %in = getelementptr i64, ptr addrspace(1) %a, i32 %o\n"
                       "  %out = getelementptr i64, ptr addrspace(1) %b, i32 %o\n{3}"
                       "  ret void\n}\n",
                       s.result, name, llvm::join(s.parameters, ", "), body, kSlots);
}

/// The same instruction as PTX spells it; `ends` are the numbers of the first parameters after A, B
/// and C.
std::string assemblyFor(StringRef name, const Operation &op, const Signature &s,
                        std::array<int, 3> ends, const std::map<int, int> &immediates) {
  std::string text = op.sparse ? op.ordered ? "mma.sp::ordered_metadata" : "mma.sp" : "mma";
  text += llvm::formatv(".sync.aligned.m{0}n{1}k{2}.row.col", op.m, op.n, op.k);
  for (const char *kind : {"mxf4nvf4", "mxf8f6f4", "mxf4", "f8f6f4"})
    if (name.contains((llvm::Twine(".") + kind + ".").str())) {
      text += std::string(".kind::") + kind;
      break;
    }
  if (op.scales)
    text += ".block_scale";
  for (const char *length : {"1x", "2x", "4x"})
    if (name.contains((llvm::Twine(".scale.") + length).str()))
      text += std::string(".scale_vec::") + length[0] + "X";
  if (op.saturate)
    text += ".satfinite";
  for (const Operand *operand : {&op.d, &op.a, &op.b, &op.c})
    text += std::string(".") + operand->type->name;
  if (op.scales)
    text += op.ue4m3 ? ".ue4m3" : ".ue8m0";
  if (op.isXor || op.isAnd)
    text += op.isXor ? ".xor.popc" : ".and.popc";
  std::string constraints, operands;
  for (size_t i = 0; i < s.results.size(); ++i) {
    text += (i ? ", $" : " {$") + std::to_string(i);
    constraints += (i ? std::string(",") : std::string()) + (s.results[i] == "float" ? "=f" : "=r");
  }
  text += "}";
  // Braces around A, B, C, and around each scale and its pair of selectors.
  auto opens = [&](int i) {
    const int scale = i - ends[2] - (op.sparse ? 2 : 0);
    return i == 0 || i == ends[0] || i == ends[1] || (op.scales && scale >= 0 && scale % 3 != 2);
  };
  auto closes = [&](int i) {
    const int scale = i - ends[2] - (op.sparse ? 2 : 0);
    return i + 1 == ends[0] || i + 1 == ends[1] || i + 1 == ends[2] ||
           (op.scales && scale >= 0 && scale % 3 != 1);
  };
  int number = s.results.size();
  for (auto [i, type] : llvm::enumerate(s.parameters)) {
    text += opens(i) ? ", {" : ", ";
    if (s.immediate[i]) {
      text += std::to_string(immediates.at(i));
    } else {
      text += "$" + std::to_string(number++);
      constraints += type == "float" ? ",f" : type == "i16" ? ",h" : ",r";
      operands += (operands.empty() ? "" : ", ") + type + " %r" + std::to_string(i);
    }
    if (closes(i))
      text += "}";
  }
  return llvm::formatv("asm \"{0};\", \"{1}\"({2})", text, constraints, operands);
}

// ---- mma.sync ----

/// Writes and reads elements of fragments: `slot` is the first register's.
struct Registers {
  std::vector<uint64_t> slots = std::vector<uint64_t>(32 * kSlots, 0);
  void put(int lane, int slot, int i, int container, uint64_t bits) {
    const int perSlot = container == 64 ? 1 : 32 / container;
    slots[lane * kSlots + slot + i / perSlot] |= bits << (container * (i % perSlot));
  }
  uint64_t get(int lane, int slot, int i, int container) const {
    const int perSlot = container == 64 ? 1 : 32 / container;
    const uint64_t mask = container == 64 ? ~uint64_t{0} : (uint64_t{1} << container) - 1;
    return slots[lane * kSlots + slot + i / perSlot] >> (container * (i % perSlot)) & mask;
  }
};

using Place = std::pair<int, int>;
bool isQuadPair(const Operation &op) {
  return op.m == 8 && op.k == 4 && op.a.type->bits == 16;
}

// Row and column of element i of A (of the stored half when sparse), by the tables.
Place placeOfA(const Operation &op, int lane, int i) {
  const int high = lane < 16 ? 0 : 4;
  if (isQuadPair(op))
    return op.aByColumns ? Place{i % 4 + high, lane % 4} : Place{lane % 4 + high, i};
  const int per = op.a.container == 64 ? 1 : 32 / op.a.container, r = i / per;
  const int pieces = op.m == 16 ? r / 2 : r;
  return {lane / 4 + (op.m == 16 && r % 2 ? 8 : 0), per * (lane % 4) + i % per + 4 * per * pieces};
}
Place placeOfB(const Operation &op, int lane, int i) {
  const int high = lane < 16 ? 0 : 4;
  if (isQuadPair(op))
    return op.bByColumns ? Place{i, lane % 4 + high} : Place{lane % 4, i + high};
  const int per = op.b.container == 64 ? 1 : 32 / op.b.container;
  return {per * (lane % 4) + i % per + i / per * 4 * per, lane / 4};
}
Place placeOfC(const Operation &op, const Operand &c, int lane, int i) {
  const int high = lane < 16 ? 0 : 4;
  if (isQuadPair(op))
    return c.type->bits == 16 ? Place{lane % 4 + high, i}
                              : Place{(lane & 1) + (i & 2) + high, (i & 4) + (lane & 2) + (i & 1)};
  return {lane / 4 + (i >= 2 ? 8 : 0), 2 * (lane % 4) + i % 2};
}

// The stored half of A and its metadata, dealt to lanes.
void makeSparse(const Operation &op, Matrix &dense, Matrix &stored, int selector,
                std::vector<uint32_t> &metadata) {
  stored.assign(op.m, std::vector<double>(op.k / 2));
  metadata.assign(32, 0xffffffffu); // lanes that do not contribute hold nonsense
  std::vector<bool> touched(32, false);
  const bool tf32 = op.a.container == 32, wide = op.a.container >= 16;
  const int unit = op.a.container == 4 ? 2 : 1;
  const int chunkLength = tf32 ? 2 : 4 * unit, chunks = op.k / chunkLength;
  for (int row = 0; row < op.m; ++row)
    for (int chunk = 0; chunk < chunks; ++chunk) {
      int first = below(4), second = below(4);
      while (first == second)
        second = below(4);
      if (op.ordered && first > second)
        std::swap(first, second);
      uint32_t bits = static_cast<uint32_t>(first | second << 2);
      std::vector<double> kept(chunkLength, 0.0);
      if (tf32) {
        first = below(2);
        bits = first ? 14 : 4;
        stored[row][chunk] = kept[first] = dense[row][2 * chunk + first];
      } else {
        for (int i = 0; i < unit; ++i) {
          const int from = chunk * chunkLength;
          kept[first * unit + i] = dense[row][from + first * unit + i];
          kept[second * unit + i] = dense[row][from + second * unit + i];
          stored[row][chunk * 2 * unit + i] = kept[first * unit + i];
          stored[row][chunk * 2 * unit + unit + i] = kept[second * unit + i];
        }
      }
      std::copy(kept.begin(), kept.end(), dense[row].begin() + chunk * chunkLength);
      // Bits per row and lane: 16 of both halves, or 32 of one half.
      const int run = wide ? 4 : 8;
      const int lane = 4 * (row % 8) + (wide ? selector * (chunks / run) + chunk / run
                                             : row / 8 + 2 * (selector + chunk / run));
      const int shift = 4 * (chunk % run) + (wide ? row / 8 * 16 : 0);
      if (!touched[lane])
        metadata[lane] = 0;
      touched[lane] = true;
      metadata[lane] |= bits << shift;
    }
}

int contributors(const Operation &op) {
  const int chunks = op.k / (op.a.container == 32 ? 2 : op.a.container == 4 ? 8 : 4);
  return 16 * chunks * 4 / 32 / 8;
}

void checkMma(StringRef name, unsigned id, const Operation &op, bool asAssembly = false) {
  const Signature signature = signatureOf(id);
  const int perA = op.a.container == 64 ? 1 : 32 / op.a.container;
  const int perB = op.b.container == 64 ? 1 : 32 / op.b.container;
  const int perC = op.c.container == 64 ? 1 : 32 / op.c.container;
  const bool quad = isQuadPair(op);
  const int problems = quad ? 4 : 1;
  const int aElements = op.m * op.k * problems / 32 / (op.sparse ? 2 : 1),
            bElements = op.k * op.n * problems / 32, cElements = op.m * op.n * problems / 32;
  const int bSlot = std::max(1, aElements / perA), cSlot = bSlot + std::max(1, bElements / perB);
  const int extra = cSlot + std::max(1, cElements / perC);
  const int selectors = op.sparse ? 4 / contributors(op) : 1;
  for (int selector = 0; selector < selectors; ++selector) {
    Registers in, out;
    std::vector<Matrix> a(problems), b(problems), c(problems), stored(problems);
    std::vector<uint32_t> metadata;
    for (int p = 0; p < problems; ++p) {
      a[p] = randomMatrix(op.m, op.k, op.a), b[p] = randomMatrix(op.k, op.n, op.b),
      c[p] = randomMatrix(op.m, op.n, op.c);
      stored[p] = a[p];
      if (op.sparse)
        makeSparse(op, a[p], stored[p], selector, metadata);
    }
    std::map<int, int> immediates;
    int byteA = 0, threadA = 0, byteB = 0, threadB = 0;
    if (op.scales) {
      byteA = op.scales * below(4 / op.scales), byteB = op.scales * below(4 / op.scales);
      threadA = below(2), threadB = below(4);
    }
    for (int lane = 0; lane < 32; ++lane) {
      const int p = quad ? lane % 16 / 4 : 0;
      for (int i = 0; i < aElements; ++i) {
        const auto [row, column] = placeOfA(op, lane, i);
        in.put(lane, 0, i, op.a.container, op.a.encode(stored[p][row][column]));
      }
      for (int i = 0; i < bElements; ++i) {
        const auto [row, column] = placeOfB(op, lane, i);
        in.put(lane, bSlot, i, op.b.container, op.b.encode(b[p][row][column]));
      }
      for (int i = 0; i < cElements; ++i) {
        const auto [row, column] = placeOfC(op, op.c, lane, i);
        in.put(lane, cSlot, i, op.c.container, op.c.encode(c[p][row][column]));
      }
      if (op.sparse)
        in.slots[lane * kSlots + extra] = metadata[lane];
    }
    int slot = extra;
    if (op.sparse) {
      immediates[extra + 1] = selector;
      for (int lane = 0; lane < 32; ++lane)
        in.slots[lane * kSlots + extra + 1] = selector;
      slot += 2;
    }
    if (op.scales) {
      const std::array<int, 6> selections = {0, byteA, threadA, 0, byteB, threadB};
      for (int i : {1, 2, 4, 5})
        immediates[slot + i] = selections[i];
      auto scale = [&](uint32_t byte) {
        return op.ue4m3 ? decode(byte, kE4M3) : std::ldexp(1.0, static_cast<int>(byte) - 127);
      };
      for (int lane = 0; lane < 32; ++lane) {
        for (int i : {1, 2, 4, 5})
          in.slots[lane * kSlots + slot + i] = selections[i];
        for (int operand : {0, 3})
          for (int byte = 0; byte < 4; ++byte)
            in.slots[lane * kSlots + slot + operand] |=
                static_cast<uint64_t>(op.ue4m3 ? 0x30 + below(16) : 126 + below(3)) << (8 * byte);
      }
      const int chunk = op.k / op.scales;
      for (int row = 0; row < op.m; ++row)
        for (int p = 0; p < op.k; ++p) {
          const int lane = 4 * (row % 8) + 2 * threadA + row / 8;
          a[0][row][p] *= scale(in.slots[lane * kSlots + slot] >> (8 * (byteA + p / chunk)) & 255);
        }
      for (int column = 0; column < op.n; ++column)
        for (int p = 0; p < op.k; ++p) {
          const int lane = 4 * column + threadB;
          b[0][p][column] *=
              scale(in.slots[lane * kSlots + slot + 3] >> (8 * (byteB + p / chunk)) & 255);
        }
    }
    std::string text = kernelFor(name, signature, immediates);
    if (asAssembly) {
      const size_t at = text.rfind("@" + name.str()), end = text.find('\n', at);
      text.replace(at, end - at,
                   assemblyFor(name, op, signature, {bSlot, cSlot, extra}, immediates));
    }
    const Report report = run(text, {in.slots, out.slots});
    ASSERT_EQ(report.status, Report::Completed) << name.str() << ": " << report.message << "\n"
                                                << (asAssembly ? text : "");
    ASSERT_EQ(report.counters.mmas, 1u) << name.str();
    for (int p = 0; p < problems; ++p) {
      const Matrix d = product(op, a[p], b[p], c[p]);
      for (int lane = 0; lane < 32; ++lane)
        for (int i = 0; i < cElements && (!quad || lane % 16 / 4 == p); ++i) {
          const auto [row, column] = placeOfC(op, op.d, lane, i);
          const double got = op.d.decode(out.get(lane, 0, i, op.d.container));
          ASSERT_EQ(got, d[row][column])
              << name.str() << " lane " << lane << " value " << i << " selector " << selector;
        }
    }
  }
}

TEST(MatrixFamilyTest, EveryMmaIsExact) {
  unsigned count = 0;
  for (unsigned id = 1; id < llvm::Intrinsic::num_intrinsics && !HasFatalFailure(); ++id) {
    const StringRef name = llvm::Intrinsic::getBaseName(id);
    if (!name.starts_with("llvm.nvvm.mma."))
      continue;
    const auto op = parse(name);
    ASSERT_TRUE(op) << name.str();
    checkMma(name, id, *op);
    ++count;
  }
  EXPECT_EQ(count, 390u);
}

// nvgpu.mma.sp.sync becomes inline assembly, and CUDA C++ writes all of them so.
TEST(MatrixFamilyTest, EveryMmaIsExactAsInlineAssembly) {
  unsigned count = 0;
  for (unsigned id = 1; id < llvm::Intrinsic::num_intrinsics && !HasFatalFailure(); ++id) {
    const StringRef name = llvm::Intrinsic::getBaseName(id);
    if (!name.starts_with("llvm.nvvm.mma.") || name.ends_with("f64") || name.contains("m8n8k4"))
      continue;
    const auto op = parse(name);
    ASSERT_TRUE(op) << name.str();
    checkMma(name, id, *op, true);
    ++count;
  }
  EXPECT_EQ(count, 374u);
}

} // namespace
} // namespace tilesmith::emulator
