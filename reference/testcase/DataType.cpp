//===- DataType.cpp - element types of buffers and scalar arguments ---------------------------===//
//
// One table row per type; floating-point conversion goes through APFloat except for the types of
// the host, f16 and bf16 (every element of every buffer is converted several times) and the two
// scale formats, which are powers of two (e8m0) or an unsigned 5-3 format APFloat does not know
// (e5m3).
//
//===------------------------------------------------------------------------------------------===//
#include "reference/testcase/DataType.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilesmith::testcase;
using llvm::APFloat;
using llvm::APInt;

namespace {

enum class Kind { Bool, Signed, Unsigned, Float };

struct Row {
  DataType type;
  const char *word;
  Kind kind;
  unsigned bytes;
};

constexpr Row rows[] = {
    {DataType::Bool, "bool", Kind::Bool, 1},
    {DataType::I8, "i8", Kind::Signed, 1},
    {DataType::I16, "i16", Kind::Signed, 2},
    {DataType::I32, "i32", Kind::Signed, 4},
    {DataType::I64, "i64", Kind::Signed, 8},
    {DataType::U8, "u8", Kind::Unsigned, 1},
    {DataType::U16, "u16", Kind::Unsigned, 2},
    {DataType::U32, "u32", Kind::Unsigned, 4},
    {DataType::U64, "u64", Kind::Unsigned, 8},
    {DataType::F16, "f16", Kind::Float, 2},
    {DataType::BF16, "bf16", Kind::Float, 2},
    {DataType::F32, "f32", Kind::Float, 4},
    {DataType::TF32, "tf32", Kind::Float, 4},
    {DataType::F64, "f64", Kind::Float, 8},
    {DataType::F8E4M3FN, "f8e4m3fn", Kind::Float, 1},
    {DataType::F8E5M2, "f8e5m2", Kind::Float, 1},
    {DataType::F8E8M0FNU, "f8e8m0fnu", Kind::Float, 1},
    {DataType::F8E5M3FNU, "f8e5m3fnu", Kind::Float, 1},
};

const Row &row(DataType type) {
  return rows[static_cast<unsigned>(type)];
}

const llvm::fltSemantics *semantics(DataType type) {
  switch (type) {
  case DataType::F16:
    return &APFloat::IEEEhalf();
  case DataType::BF16:
    return &APFloat::BFloat();
  case DataType::F32:
  case DataType::TF32:
    return &APFloat::IEEEsingle();
  case DataType::F64:
    return &APFloat::IEEEdouble();
  case DataType::F8E4M3FN:
    return &APFloat::Float8E4M3FN();
  case DataType::F8E5M2:
    return &APFloat::Float8E5M2();
  case DataType::F8E8M0FNU:
    return &APFloat::Float8E8M0FNU();
  default:
    return nullptr;
  }
}

/// Unsigned 5-3 with bias 15: exponent field 0 is subnormal, 0xff is NaN.
double decodeE5M3(uint64_t bits) {
  if (bits == 0xff)
    return std::numeric_limits<double>::quiet_NaN();
  int exponent = bits >> 3, fraction = bits & 7;
  return exponent == 0 ? std::ldexp(fraction, -17) : std::ldexp(8 + fraction, exponent - 18);
}

double decodeF16(uint64_t bits) {
  const uint64_t field = bits >> 10 & 0x1f, fraction = bits & 0x3ff;
  double magnitude;
  if (field == 0x1f)
    magnitude = fraction ? std::numeric_limits<double>::quiet_NaN()
                         : std::numeric_limits<double>::infinity();
  else if (field == 0)
    magnitude = static_cast<double>(fraction) * 0x1p-24;
  else
    magnitude = llvm::bit_cast<double>((field + 1008) << 52 | fraction << 42);
  return bits & 0x8000 ? -magnitude : magnitude;
}

} // namespace

llvm::ArrayRef<DataType> tilesmith::testcase::allDataTypes() {
  static const std::vector<DataType> all = [] {
    std::vector<DataType> types;
    for (const Row &r : rows)
      types.push_back(r.type);
    return types;
  }();
  return all;
}

llvm::StringRef tilesmith::testcase::spelling(DataType type) {
  return row(type).word;
}

std::optional<DataType> tilesmith::testcase::parseDataType(llvm::StringRef word) {
  for (const Row &r : rows)
    if (word == r.word)
      return r.type;
  return std::nullopt;
}

unsigned tilesmith::testcase::sizeInBytes(DataType type) {
  return row(type).bytes;
}
bool tilesmith::testcase::isFloat(DataType type) {
  return row(type).kind == Kind::Float;
}
bool tilesmith::testcase::isSignedInteger(DataType type) {
  return row(type).kind == Kind::Signed;
}

double tilesmith::testcase::toDouble(DataType type, uint64_t bits) {
  const Row &r = row(type);
  unsigned width = r.bytes * 8;
  switch (r.kind) {
  case Kind::Bool:
  case Kind::Unsigned:
    return static_cast<double>(bits);
  case Kind::Signed:
    return static_cast<double>(static_cast<int64_t>(bits << (64 - width)) >> (64 - width));
  case Kind::Float:
    break;
  }
  switch (type) {
  case DataType::F8E5M3FNU:
    return decodeE5M3(bits);
  case DataType::F16:
    return decodeF16(bits);
  case DataType::BF16:
    return llvm::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
  case DataType::TF32:
    return llvm::bit_cast<float>(static_cast<uint32_t>(bits) & ~uint32_t(0x1fff));
  case DataType::F32:
    return llvm::bit_cast<float>(static_cast<uint32_t>(bits));
  case DataType::F64:
    return llvm::bit_cast<double>(bits);
  default:
    break;
  }
  APFloat value(*semantics(type), APInt(width, bits));
  bool exact;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &exact);
  return value.convertToDouble();
}

uint64_t tilesmith::testcase::fromDouble(DataType type, double value) {
  const Row &r = row(type);
  unsigned width = r.bytes * 8;
  if (r.kind == Kind::Bool)
    return value != 0;
  if (r.kind != Kind::Float) {
    llvm::APSInt result(width, r.kind == Kind::Unsigned);
    bool exact;
    APFloat(value).convertToInteger(result, APFloat::rmTowardZero, &exact);
    return result.getZExtValue();
  }
  if (type == DataType::F8E5M3FNU) { // few codes: take the nearest, ties to the even code
    if (std::isnan(value))
      return 0xff;
    uint64_t best = 0;
    for (uint64_t code = 1; code < 0xff; ++code) {
      double now = std::fabs(decodeE5M3(code) - value),
             before = std::fabs(decodeE5M3(best) - value);
      if (now < before || (now == before && code % 2 == 0))
        best = code;
    }
    return best;
  }
  if (type == DataType::F32)
    return llvm::bit_cast<uint32_t>(static_cast<float>(value));
  if (type == DataType::F64)
    return llvm::bit_cast<uint64_t>(value);
  APFloat converted(value);
  bool exact;
  if (type == DataType::TF32) {
    converted.convert(APFloat::FloatTF32(), APFloat::rmNearestTiesToEven, &exact);
    converted.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &exact);
  } else {
    converted.convert(*semantics(type), APFloat::rmNearestTiesToEven, &exact);
  }
  return converted.bitcastToAPInt().getZExtValue();
}

bool tilesmith::testcase::isNaNPattern(DataType type, uint64_t bits) {
  return isFloat(type) && std::isnan(toDouble(type, bits));
}

uint64_t tilesmith::testcase::readElement(llvm::ArrayRef<uint8_t> bytes, DataType type,
                                          uint64_t index) {
  unsigned size = sizeInBytes(type);
  assert((index + 1) * size <= bytes.size() && "element outside the buffer");
  const uint8_t *at = bytes.data() + index * size;
  auto load = [&](auto bits) -> uint64_t {
    std::memcpy(&bits, at, sizeof bits);
    return bits;
  };
  switch (size) { // with a known size each is one instruction
  case 1:
    return *at;
  case 2:
    return load(uint16_t());
  case 4:
    return load(uint32_t());
  default:
    return load(uint64_t());
  }
}

void tilesmith::testcase::writeElement(llvm::MutableArrayRef<uint8_t> bytes, DataType type,
                                       uint64_t index, uint64_t bits) {
  unsigned size = sizeInBytes(type);
  assert((index + 1) * size <= bytes.size() && "element outside the buffer");
  std::memcpy(bytes.data() + index * size, &bits, size);
}

std::string tilesmith::testcase::describe(DataType type, uint64_t bits) {
  const Row &r = row(type);
  std::string hex = llvm::formatv("{0}", llvm::format_hex(bits, 2 + 2 * r.bytes)).str();
  if (r.kind == Kind::Float) {
    char text[40];
    std::snprintf(text, sizeof text, "%.9g", toDouble(type, bits));
    return std::string(text) + " (" + hex + ")";
  }
  unsigned width = r.bytes * 8;
  if (r.kind == Kind::Signed)
    return llvm::formatv("{0} ({1})", static_cast<int64_t>(bits << (64 - width)) >> (64 - width),
                         hex)
        .str();
  return llvm::formatv("{0} ({1})", bits, hex).str();
}
