//===- Format.h - numbers of the Tile IR bytecode ---------------------------------------------===//
//
// Every constant of the container: magic, versions, section ids, flags, type tags, attribute tags,
// debug tags and the limits of the hardened reader. Opcodes and the fields of each op stand in
// OpTable.cpp. Reader and writer share both files, so that they cannot drift apart.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_BYTECODE_FORMAT_H
#define COMPILER_BYTECODE_FORMAT_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>
#include <tuple>

namespace tilesmith::bytecode {

/// All versions share the major number; fields and ops name the minor number that introduced them.
inline constexpr uint8_t kMajor = 13;
inline constexpr uint8_t kOldestMinor = 1;
inline constexpr uint8_t kNewestMinor = 5;

/// Versions 250.0 and 250.1 hold ops that only test suites use; they stand behind the newest minor
/// number (Version::level) and exist where those ops are registered.
inline constexpr uint8_t kTestingMajor = 250;
inline constexpr uint8_t kTestingLevel0 = kNewestMinor + 1;
inline constexpr uint8_t kTestingLevel1 = kNewestMinor + 2;

/// A bytecode version as the file header stores it. `tag` is a bit set: bit 0 marks preview
/// content.
struct Version {
  uint8_t major = 13;
  uint8_t minor = 3;
  uint16_t tag = 0;

  /// The minor number that fields and ops are compared with. Versions 250.N of test suites are
  /// newer than every real one.
  uint8_t level() const { return major == kTestingMajor ? kNewestMinor + 1 + minor : minor; }
  std::string str() const { return std::to_string(major) + "." + std::to_string(minor); }
  friend bool operator==(const Version &a, const Version &b) {
    return std::tie(a.major, a.minor, a.tag) == std::tie(b.major, b.minor, b.tag);
  }
  friend bool operator<(const Version &a, const Version &b) {
    return std::tie(a.major, a.minor) < std::tie(b.major, b.minor);
  }
  friend bool operator>=(const Version &a, const Version &b) { return !(a < b); }
};

/// "13.4" for level 4, "250.0" for the first level of test suites.
inline std::string levelName(uint8_t level) {
  return level > kNewestMinor
             ? std::to_string(kTestingMajor) + "." + std::to_string(level - kTestingLevel0)
             : std::to_string(kMajor) + "." + std::to_string(level);
}

inline constexpr uint16_t kPreviewTag = 1;

inline constexpr unsigned char kMagic[8] = {0x7F, 'T', 'i', 'l', 'e', 'I', 'R', 0x00};
inline constexpr unsigned char kMLIRMagic[4] = {'M', 'L', 0xEF, 'R'};
inline constexpr uint8_t kPadding = 0xCB;

/// Section ids; the top bit of the stored byte says that an alignment follows.
enum Section : uint8_t {
  kEnd = 0,
  kString = 1,
  kFunc = 2,
  kDebug = 3,
  kConstant = 4,
  kType = 5,
  kGlobal = 6,
  kProducer = 7,
  kNumSections = 8
};
inline constexpr uint8_t kSectionAligned = 0x80;

/// Names used in error messages.
llvm::StringRef sectionName(uint8_t section);

/// Alignment a section must declare (as a multiple); 1 for sections without a rule.
constexpr uint64_t requiredAlignment(uint8_t section) {
  switch (section) {
  case kString:
  case kType:
    return 4;
  case kFunc:
  case kConstant:
  case kDebug:
    return 8;
  default:
    return 1;
  }
}

enum FunctionFlag : uint8_t { kPrivate = 1, kKernel = 2, kHasHints = 4 };

/// Tags of the type section.
enum class TypeTag : uint64_t {
  I1 = 0,
  I8 = 1,
  I16 = 2,
  I32 = 3,
  I64 = 4,
  F16 = 5,
  BF16 = 6,
  F32 = 7,
  TF32 = 8,
  F64 = 9,
  F8E4M3FN = 10,
  F8E5M2 = 11,
  Pointer = 12,
  Tile = 13,
  TensorView = 14,
  PartitionView = 15,
  Function = 16,
  Token = 17,
  F8E8M0FNU = 18,
  F4E2M1FN = 19,
  GatherScatterView = 20,
  StridedView = 21,
  I4 = 22,
  F8E5M3FNU = 130,
};

/// Minor version that introduced a tag, or 0 for a number that is no tag.
uint8_t typeTagSince(uint64_t tag);
/// Name of a tag in messages ("Float8E8M0FNU").
llvm::StringRef typeTagName(uint64_t tag);

/// Tags of self-contained attributes.
enum class AttributeTag : uint64_t {
  Integer = 1,
  Float = 2,
  Bool = 3,
  Type = 4,
  String = 5,
  Array = 6,
  DenseElements = 7,
  DivBy = 8,
  SameElements = 9,
  Dictionary = 10,
  OptimizationHints = 11,
  Bounded = 12,
};

/// Tags of the debug section. Index 0 of its tables is reserved for "unknown location".
enum class DebugTag : uint64_t {
  Unknown = 0,
  CompileUnit = 1,
  File = 2,
  LexicalBlock = 3,
  Loc = 4,
  Subprogram = 5,
  CallSite = 6,
};
inline constexpr uint64_t kDebugReserved = 1;

/// Limits of the reader; each is far above what real files hold.
inline constexpr unsigned kMaxDepth = 256;      ///< regions, attributes, types, debug scopes
inline constexpr uint64_t kMaxAlignment = 4096; ///< of a section
inline constexpr unsigned kMaxVarIntBytes = 10;
inline constexpr uint64_t kFirstPreviewOpcode = 0x4000;

} // namespace tilesmith::bytecode

#endif // COMPILER_BYTECODE_FORMAT_H
