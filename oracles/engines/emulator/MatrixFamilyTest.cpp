//===- MatrixFamilyTest.cpp - every matrix intrinsic that LLVM knows --------------------------===//
//
// Walks the intrinsics below llvm.nvvm.mma and llvm.nvvm.wmma. From each name follows what it
// multiplies; random small matrices are dealt to registers by the tables of the PTX ISA (typed in
// here a second time) and the result must be the exact product. wmma goes through memory, so that
// every load and store takes part.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/engines/emulator/Emulator.h"
#include "oracles/engines/emulator/Numeric.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>
#include <random>
#include <set>

namespace tilesmith::emulator {
namespace {

using llvm::StringRef;

std::mt19937 generator(11);
int below(int n) {
  return static_cast<int>(generator() % static_cast<unsigned>(n));
}

// ---- elements ----

struct ElementType {
  const char *name;
  int bits, container;  // container: bits in a register
  const Format *format; // null for integers
  bool isSigned;
};
constexpr ElementType kTypes[] = {
    {"f16", 16, 16, &kF16, true}, {"bf16", 16, 16, &kBF16, true}, {"tf32", 32, 32, &kF32, true},
    {"f32", 32, 32, &kF32, true}, {"f64", 64, 64, nullptr, true}, {"e4m3", 8, 8, &kE4M3, true},
    {"e5m2", 8, 8, &kE5M2, true}, {"e3m2", 6, 8, &kE3M2, true},   {"e2m3", 6, 8, &kE2M3, true},
    {"e2m1", 4, 8, &kE2M1, true}, {"s8", 8, 8, nullptr, true},    {"u8", 8, 8, nullptr, false},
    {"s4", 4, 4, nullptr, true},  {"u4", 4, 4, nullptr, false},   {"s32", 32, 32, nullptr, true},
    {"b1", 1, 1, nullptr, false}};
const ElementType *typeNamed(StringRef name) {
  for (const ElementType &type : kTypes)
    if (name == type.name)
      return &type;
  return nullptr;
}

struct Operand {
  const ElementType *type;
  int container;
  uint64_t encode(double value) const {
    if (type->format == &kF32)
      return bitsTo<uint32_t>(static_cast<float>(value));
    if (type->format) {
      const uint64_t bits = ::tilesmith::emulator::encode(value, *type->format);
      return type->bits == 4 && container == 8 ? bits << 2 : bits; // stands in the middle
    }
    if (type->bits == 64)
      return bitsTo<uint64_t>(value);
    const uint64_t mask = (uint64_t{1} << type->bits) - 1;
    return static_cast<uint64_t>(static_cast<int64_t>(value)) & mask;
  }
  double decode(uint64_t bits) const {
    if (type->format == &kF32)
      return bitsTo<float>(static_cast<uint32_t>(bits));
    if (type->format)
      return ::tilesmith::emulator::decode(static_cast<uint32_t>(bits), *type->format);
    return type->bits == 64 ? bitsTo<double>(bits) : static_cast<int32_t>(bits);
  }
  double random() const {
    if (type->bits == 1)
      return below(2);
    if (type->format || type->bits == 64)
      return (below(9) - 4) * 0.5;
    const int range = 1 << type->bits;
    return type->isSigned ? below(range) - range / 2 : below(range);
  }
};

using Matrix = std::vector<std::vector<double>>;
Matrix randomMatrix(int rows, int columns, const Operand &operand) {
  Matrix matrix(rows, std::vector<double>(columns));
  for (auto &row : matrix)
    for (double &x : row)
      x = operand.random();
  return matrix;
}

// ---- what a name says ----

struct Operation {
  int m = 0, n = 0, k = 0;
  bool sparse = false, ordered = false, saturate = false, isXor = false, isAnd = false;
  bool aByColumns = false, bByColumns = true;
  int scales = 0;
  bool ue4m3 = false;
  Operand a{}, b{}, c{}, d{};
};

std::optional<Operation> parse(StringRef name) {
  Operation op;
  llvm::SmallVector<StringRef> words, types;
  name.split(words, '.');
  llvm::SmallVector<bool> layouts;
  bool pairs = false;
  for (StringRef word : words) {
    unsigned m, n, k;
    StringRef rest = word;
    if (rest.consume_front("m") && !rest.consumeInteger(10, m) && rest.consume_front("n") &&
        !rest.consumeInteger(10, n) && rest.consume_front("k") && !rest.consumeInteger(10, k))
      op.m = m, op.n = n, op.k = k;
    else if (word == "row" || word == "col")
      layouts.push_back(word == "col");
    else if (word == "satfinite")
      op.saturate = true;
    else if (word == "sp")
      op.sparse = true;
    else if (word == "ordered")
      op.ordered = true;
    else if (word == "xor")
      op.isXor = true;
    else if (word == "and")
      op.isAnd = true;
    else if (word == "mxf8f6f4")
      op.scales = 1;
    else if (word == "mxf4" || word == "mxf4nvf4")
      pairs = true, op.scales = 2;
    else if (word == "4x")
      op.scales = 4;
    else if (word == "ue4m3")
      op.ue4m3 = true;
    else if (typeNamed(word))
      types.push_back(word);
    else if (!llvm::is_contained({"llvm", "nvvm", "mma", "wmma", "metadata", "block", "f8f6f4",
                                  "scale", "1x", "2x", "ue8m0", "kind", "popc", "rn", "rz", "rm",
                                  "rp"},
                                 word))
      return std::nullopt;
  }
  if (layouts.size() != 2 || types.empty() || !op.m)
    return std::nullopt;
  op.aByColumns = layouts[0], op.bByColumns = layouts[1];
  const ElementType *a = nullptr, *b = nullptr, *c = nullptr, *d = nullptr;
  auto type = [&](unsigned i) { return typeNamed(types[i]); };
  if (types.size() == 4) { // d a b c
    d = type(0), a = type(1), b = type(2), c = type(3);
  } else if (types[0] == "f16" || types[0] == "f32") { // d c
    a = b = typeNamed("f16"), d = type(0), c = type(1);
  } else {
    a = type(0), b = type(types.size() - 1);
    c = d = a->bits == 64 ? a : a->format ? typeNamed("f32") : typeNamed("s32");
  }
  auto container = [&](const ElementType *t) { return pairs && t->bits == 4 ? 4 : t->container; };
  op.a = {a, container(a)}, op.b = {b, container(b)};
  op.c = {c, c->container}, op.d = {d, d->container};
  return op;
}

Matrix product(const Operation &op, const Matrix &a, const Matrix &b, const Matrix &c) {
  Matrix d = c;
  for (int row = 0; row < op.m; ++row)
    for (int column = 0; column < op.n; ++column) {
      double &sum = d[row][column];
      for (int p = 0; p < op.k; ++p) {
        const double x = a[row][p], y = b[p][column];
        sum += op.isXor ? (x != y) : x * y;
      }
      if (op.d.type == typeNamed("s32"))
        sum = op.saturate ? std::clamp<double>(sum, INT32_MIN, INT32_MAX)
                          : static_cast<double>(static_cast<int32_t>(
                                static_cast<uint32_t>(static_cast<int64_t>(sum))));
    }
  return d;
}

// ---- kernels ----

struct Signature {
  std::vector<std::string> parameters, results;
  std::vector<bool> immediate;
  std::string result;
};
std::string typeText(llvm::Type *type) {
  std::string text;
  llvm::raw_string_ostream(text) << *type;
  return text;
}
Signature signatureOf(unsigned id) {
  static llvm::LLVMContext context;
  auto *type = llvm::Intrinsic::getType(context, id);
  const auto attributes = llvm::Intrinsic::getAttributes(context, id, type);
  Signature signature;
  for (auto [i, parameter] : llvm::enumerate(type->params())) {
    signature.parameters.push_back(typeText(parameter));
    signature.immediate.push_back(attributes.hasParamAttr(i, llvm::Attribute::ImmArg));
  }
  signature.result = typeText(type->getReturnType());
  if (auto *results = llvm::dyn_cast<llvm::StructType>(type->getReturnType()))
    for (llvm::Type *element : results->elements())
      signature.results.push_back(typeText(element));
  else
    signature.results.push_back(signature.result);
  return signature;
}

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

Report run(const std::string &text, std::vector<llvm::ArrayRef<uint64_t>> buffers) {
  auto program = Program::parse(text);
  if (!program) {
    Report report;
    report.status = Report::Fault;
    report.message = llvm::toString(program.takeError());
    return report;
  }
  LaunchConfig config;
  config.block = {32, 1, 1};
  std::vector<std::vector<uint8_t>> arguments;
  for (auto buffer : buffers) {
    (*program)->addRange(buffer.data(), buffer.size() * 8, "buffer");
    arguments.push_back(argument(const_cast<uint64_t *>(buffer.data())));
  }
  return (*program)->launch("k", config, arguments);
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
      if (op.c.type == typeNamed("s32"))
        for (auto &row : c[p])
          for (double &x : row)
            x = below(3)   ? below(2000) - 1000
                : below(2) ? INT32_MAX - below(100)
                           : INT32_MIN + below(100);
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

// ---- wmma ----

struct Stored {
  std::vector<uint64_t> memory;
  int leading; // elements between rows (columns)
  bool byColumns;
};

Stored store(const Matrix &matrix, const Operand &operand, bool byColumns, bool wide) {
  const int rows = matrix.size(), columns = matrix[0].size();
  Stored stored;
  stored.byColumns = byColumns;
  const int length = byColumns ? rows : columns, runs = byColumns ? columns : rows;
  // A wide row has room for more: multiples of 16 bytes.
  stored.leading = length + (wide ? 16 * 8 / operand.container : 0);
  stored.memory.assign(
      (static_cast<size_t>(stored.leading) * runs * operand.container + 63) / 64 + 4, 0);
  auto *bytes = reinterpret_cast<uint8_t *>(stored.memory.data());
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const size_t at =
          byColumns ? size_t(column) * stored.leading + row : size_t(row) * stored.leading + column;
      const uint64_t bits = operand.encode(matrix[row][column]);
      const size_t bit = at * operand.container;
      if (operand.container < 8)
        bytes[bit / 8] |= bits << (bit % 8);
      else
        std::memcpy(bytes + bit / 8, &bits, operand.container / 8);
    }
  return stored;
}

std::set<std::string> transfersUsed;

// Text that calls a load; results go to %<operand>0 ...
std::string loadText(const std::string &shape, char operand, const Stored &from, bool wide,
                     const std::string &type, const std::vector<std::string> &registers,
                     std::string &declarations) {
  const std::string name = "llvm.nvvm.wmma." + shape + ".load." + operand + "." +
                           (from.byColumns ? "col." : "row.") + (wide ? "stride." : "") + type;
  transfersUsed.insert(name);
  const std::string result =
      registers.size() == 1 ? registers[0] : "{ " + llvm::join(registers, ", ") + " }";
  declarations += llvm::formatv("declare {0} @{1}.p1(ptr addrspace(1){2})\n", result, name,
                                wide ? ", i32" : "");
  std::string text =
      llvm::formatv("  %{0} = call {1} @{2}.p1(ptr addrspace(1) %m{0}{3})\n", operand, result, name,
                    wide ? ", i32 " + std::to_string(from.leading) : std::string());
  for (auto [i, type] : llvm::enumerate(registers))
    text +=
        registers.size() == 1
            ? llvm::formatv("  %{0}0 = freeze {1} %{0}\n", operand, result).str()
            : llvm::formatv("  %{0}{1} = extractvalue {2} %{0}, {1}\n", operand, i, result).str();
  return text;
}

void checkWmma(StringRef name, unsigned id, const Operation &op, bool wide, bool cByColumns) {
  const Signature signature = signatureOf(id);
  Matrix a = randomMatrix(op.m, op.k, op.a), b = randomMatrix(op.k, op.n, op.b),
         c = randomMatrix(op.m, op.n, op.c);
  const Matrix d = product(op, a, b, c);
  const Stored inA = store(a, op.a, op.aByColumns, wide), inB = store(b, op.b, op.bByColumns, wide),
               inC = store(c, op.c, cByColumns, wide);
  Stored out = store(Matrix(op.m, std::vector<double>(op.n, 0)), op.d, cByColumns, !wide);
  const std::string shape = llvm::formatv("m{0}n{1}k{2}", op.m, op.n, op.k);
  auto registersOf = [&](const Operand &operand, int elements) {
    const int words = operand.type == typeNamed("f16") && elements == 0
                          ? 8
                          : elements * operand.container / 32 / (operand.container == 64 ? 2 : 1);
    return words;
  };
  const bool half = op.a.type == typeNamed("f16");
  const size_t aCount = half ? 8 : registersOf(op.a, op.m * op.k) / 32,
               bCount = half ? 8 : registersOf(op.b, op.k * op.n) / 32;
  const auto &p = signature.parameters;
  std::string declarations, body;
  const std::vector<std::string> aTypes(p.begin(), p.begin() + aCount),
      bTypes(p.begin() + aCount, p.begin() + aCount + bCount),
      cTypes(p.begin() + aCount + bCount, p.end());
  body += loadText(shape, 'a', inA, wide, op.a.type->name, aTypes, declarations);
  body += loadText(shape, 'b', inB, wide, op.b.type->name, bTypes, declarations);
  body += loadText(shape, 'c', inC, wide, op.c.type->name, cTypes, declarations);
  std::vector<std::string> operands, results;
  for (char operand : {'a', 'b', 'c'}) {
    const auto &types = operand == 'a' ? aTypes : operand == 'b' ? bTypes : cTypes;
    for (auto [i, type] : llvm::enumerate(types))
      operands.push_back(type + " %" + operand + std::to_string(i));
  }
  body += llvm::formatv("  %d = call {0} @{1}({2})\n", signature.result, name,
                        llvm::join(operands, ", "));
  for (auto [i, type] : llvm::enumerate(signature.results)) {
    body += llvm::formatv("  %d{0} = extractvalue {1} %d, {0}\n", i, signature.result);
    results.push_back(type + " %d" + std::to_string(i));
  }
  const std::string storeName = "llvm.nvvm.wmma." + shape + ".store.d." +
                                (cByColumns ? "col." : "row.") + (wide ? "" : "stride.") +
                                op.d.type->name;
  transfersUsed.insert(storeName);
  declarations +=
      llvm::formatv("declare {0} @{1}({2})\ndeclare void @{3}.p1(ptr addrspace(1), {4}{5})\n",
                    signature.result, name, llvm::join(p, ", "), storeName,
                    llvm::join(signature.results, ", "), wide ? "" : ", i32");
  body += llvm::formatv("  call void @{0}.p1(ptr addrspace(1) %md, {1}{2})\n", storeName,
                        llvm::join(results, ", "),
                        wide ? std::string() : ", i32 " + std::to_string(out.leading));
  const std::string text = "target triple = \"nvptx64-nvidia-cuda\"\n" + declarations +
                           "define ptx_kernel void @k(ptr addrspace(1) %ma, ptr addrspace(1) %mb, "
                           "ptr addrspace(1) %mc, ptr addrspace(1) %md) {\n" +
                           body + "  ret void\n}\n";
  // Fragments need their own size as alignment.
  std::vector<std::vector<uint64_t>> space;
  std::vector<llvm::ArrayRef<uint64_t>> buffers;
  for (const Stored *stored : {&inA, &inB, &inC, static_cast<const Stored *>(&out)}) {
    auto &room = space.emplace_back(stored->memory.size() + 8);
    const size_t skip = (64 - reinterpret_cast<uintptr_t>(room.data()) % 64) % 64 / 8;
    std::copy(stored->memory.begin(), stored->memory.end(), room.begin() + skip);
    buffers.push_back(llvm::ArrayRef(room).slice(skip, stored->memory.size()));
  }
  const Report report = run(text, buffers);
  ASSERT_EQ(report.status, Report::Completed) << name.str() << ": " << report.message << "\n"
                                              << text;
  const auto *bytes = reinterpret_cast<const uint8_t *>(buffers[3].data());
  for (int row = 0; row < op.m; ++row)
    for (int column = 0; column < op.n; ++column) {
      const size_t at =
          cByColumns ? size_t(column) * out.leading + row : size_t(row) * out.leading + column;
      uint64_t bits = 0;
      std::memcpy(&bits, bytes + at * op.d.container / 8, op.d.container / 8);
      ASSERT_EQ(op.d.decode(bits), d[row][column]) << name.str() << " " << row << " " << column;
    }
}

TEST(MatrixFamilyTest, EveryWmmaIsExactAndUsesEveryLoadAndStore) {
  unsigned count = 0;
  for (unsigned id = 1; id < llvm::Intrinsic::num_intrinsics && !HasFatalFailure(); ++id) {
    const StringRef name = llvm::Intrinsic::getBaseName(id);
    if (!name.starts_with("llvm.nvvm.wmma.") || !name.contains(".mma."))
      continue;
    const auto op = parse(name);
    ASSERT_TRUE(op) << name.str();
    for (bool wide : {false, true})
      checkWmma(name, id, *op, wide, (count + wide) % 2);
    ++count;
  }
  EXPECT_EQ(count, 186u);
  for (unsigned id = 1; id < llvm::Intrinsic::num_intrinsics; ++id) {
    const StringRef name = llvm::Intrinsic::getBaseName(id);
    if (name.starts_with("llvm.nvvm.wmma.") && !name.contains(".mma."))
      EXPECT_TRUE(transfersUsed.count(name.str())) << name.str();
  }
}

TEST(MatrixFamilyTest, WmmaOfDoublesRoundsAsAsked) {
  for (auto [rounding, expected] :
       {std::pair{"rn", 1.0}, {"rz", 1.0}, {"rm", 1.0}, {"rp", 1.0 + 0x1p-52}}) {
    const std::string name = llvm::formatv("llvm.nvvm.wmma.m8n8k4.mma.row.col.{0}.f64", rounding);
    std::vector<uint64_t> in(1), out(32 * 2);
    const std::string text = llvm::formatv(R"(target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare {{ double, double } @{0}(double, double, double, double)
define ptx_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = call {{ double, double } @{0}(double 0x3C70000000000000, double 0x3C70000000000000, double 1.0, double 1.0)
  %d0 = extractvalue {{ double, double } %d, 0
  %p = getelementptr double, ptr addrspace(1) %b, i32 %t
  store double %d0, ptr addrspace(1) %p
  ret void
}
)",
                                           name);
    const Report report = run(text, {in, out});
    ASSERT_EQ(report.status, Report::Completed) << report.message;
    for (int lane = 0; lane < 32; ++lane) // four tiny products are added
      EXPECT_EQ(bitsTo<double>(out[lane]),
                std::string(rounding) == "rp" ? 1.0 + 4 * 0x1p-52 : expected)
          << rounding;
  }
}

} // namespace
} // namespace tilesmith::emulator
