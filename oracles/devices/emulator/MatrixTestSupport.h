//===- MatrixTestSupport.h - what a matrix intrinsic multiplies, from its name ----------------===//
//
// The names say shapes, layouts, types and modifiers; from them follow the exact products of small
// random matrices. Shared by the tests of mma and wmma, and independent of the emulator's code but
// for the encoding of narrow floats.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DEVICES_EMULATOR_MATRIXTESTSUPPORT_H
#define ORACLES_DEVICES_EMULATOR_MATRIXTESTSUPPORT_H

#include "oracles/devices/emulator/Emulator.h"
#include "oracles/devices/emulator/Numeric.h"

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

using llvm::StringRef;

inline std::mt19937 generator(11);
inline int below(int n) {
  return static_cast<int>(generator() % static_cast<unsigned>(n));
}

// ---- elements ----

struct ElementType {
  const char *name;
  int bits, container;  // container: bits in a register
  const Format *format; // null for integers
  bool isSigned;
};
inline constexpr ElementType kTypes[] = {
    {"f16", 16, 16, &kF16, true}, {"bf16", 16, 16, &kBF16, true}, {"tf32", 32, 32, &kF32, true},
    {"f32", 32, 32, &kF32, true}, {"f64", 64, 64, nullptr, true}, {"e4m3", 8, 8, &kE4M3, true},
    {"e5m2", 8, 8, &kE5M2, true}, {"e3m2", 6, 8, &kE3M2, true},   {"e2m3", 6, 8, &kE2M3, true},
    {"e2m1", 4, 8, &kE2M1, true}, {"s8", 8, 8, nullptr, true},    {"u8", 8, 8, nullptr, false},
    {"s4", 4, 4, nullptr, true},  {"u4", 4, 4, nullptr, false},   {"s32", 32, 32, nullptr, true},
    {"b1", 1, 1, nullptr, false}};
inline const ElementType *typeNamed(StringRef name) {
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
    if (type->bits == 32) // some near the ends, where sums wrap or saturate
      return below(3)   ? below(2000) - 1000
             : below(2) ? INT32_MAX - below(100)
                        : INT32_MIN + below(100);
    const int range = 1 << type->bits;
    return type->isSigned ? below(range) - range / 2 : below(range);
  }
};

using Matrix = std::vector<std::vector<double>>;
inline Matrix randomMatrix(int rows, int columns, const Operand &operand) {
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

inline std::optional<Operation> parse(StringRef name) {
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

inline Matrix product(const Operation &op, const Matrix &a, const Matrix &b, const Matrix &c) {
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
inline std::string typeText(llvm::Type *type) {
  std::string text;
  llvm::raw_string_ostream(text) << *type;
  return text;
}
inline Signature signatureOf(unsigned id) {
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

inline Report run(const std::string &text, std::vector<llvm::ArrayRef<uint64_t>> buffers) {
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

} // namespace tilesmith::emulator

#endif // ORACLES_DEVICES_EMULATOR_MATRIXTESTSUPPORT_H
