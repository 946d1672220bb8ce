//===- TestCase.h - one kernel with its inputs and expectations -------------------------------===//
//
// In-memory form of a case folder (see README.md in this folder for the format). Generators write
// it, every engine runs it, the reducer shrinks it, the corpus stores it.
//
// Invariants of a loaded case: at least one launch; every module file's bytes are present; buffer
// data and expectation have exactly byteSize() bytes; pointers name existing buffers. saveTestCase
// writes the same bytes for equal cases, into a temporary sibling folder that is then renamed.
//
//===------------------------------------------------------------------------------------------===//
#ifndef REFERENCE_TESTCASE_TESTCASE_H
#define REFERENCE_TESTCASE_TESTCASE_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include "reference/testcase/DataType.h"

namespace tilesmith::testcase {

/// The newest format version this code writes and reads. Files without the key are version 1.
constexpr int64_t formatVersion = 1;

using Bytes = std::vector<uint8_t>;

/// How a buffer is judged.
struct Comparison {
  enum class Mode {
    Exact,     ///< equal bytes, any NaN equals any NaN, the sign of zero counts
    Close,     ///< |got - want| <= atol + rtol * |want| in float64
    Enclosure, ///< inside the bounds the reference computes; a stored expectation is one admissible
               ///< value
  };
  Mode mode = Mode::Exact;
  double atol = 0, rtol = 0;
  bool operator==(const Comparison &) const = default;
};

/// An array in device memory. Strides count elements and may be 0; the storage is 1 +
/// sum((shape-1)*stride) elements.
struct Buffer {
  DataType dtype = DataType::F32;
  std::vector<int64_t> shape, strides;
  Bytes data;                  ///< initial contents, byteSize() bytes
  std::optional<Bytes> expect; ///< contents after the run; absent: unchanged
  Bytes
      open; ///< empty, or a flag per byte of `expect`: 1 where any value is legal, and what stands
            ///< in `expect` is a placeholder
  Comparison compare; ///< meaningful when expect is present or the mode is Enclosure

  uint64_t elementCount()
      const; ///< elements of storage, gaps between strided rows included; 0 if an extent is 0
  uint64_t byteSize() const { return elementCount() * sizeInBytes(dtype); }
  /// What the buffer must hold after the run.
  const Bytes &expected() const { return expect ? *expect : data; }
  bool operator==(const Buffer &) const = default;
};

/// One row of a pointer table: the address of a buffer, or a plain 64-bit word.
struct TableWord {
  bool isPointer = false;
  unsigned buffer = 0; ///< pointer: buffer number
  int64_t offset = 0;  ///< pointer: elements added to the address
  uint64_t word = 0;   ///< otherwise
  bool operator==(const TableWord &) const = default;
};

/// One flattened entry parameter.
struct Parameter {
  enum class Kind { Pointer, Scalar, Table };
  Kind kind = Kind::Scalar;
  DataType dtype = DataType::I32; ///< pointee, scalar type, or i64 for a table
  unsigned buffer = 0;            ///< Pointer: buffer number
  int64_t offset = 0;             ///< Pointer: elements of dtype added to the base address
  uint64_t bits = 0;              ///< Scalar: bit pattern, sizeInBytes(dtype) low bytes
  std::vector<std::vector<TableWord>> rows; ///< Table
  bool operator==(const Parameter &) const = default;

  static Parameter pointer(unsigned buffer, DataType dtype, int64_t offset = 0);
  static Parameter scalar(DataType dtype, uint64_t bits);
};

/// The bytecode of one version of a module.
struct ModuleFile {
  std::string version; ///< "13.1"
  std::string file;    ///< name inside the case folder
  Bytes bytes;
  bool operator==(const ModuleFile &) const = default;
};

struct Launch {
  std::string kernel;
  std::vector<ModuleFile> modules; ///< ascending by version
  std::array<int64_t, 3> grid = {1, 1, 1};
  std::vector<Parameter> params;
  bool operator==(const Launch &) const = default;

  /// The module of that version, or null.
  const ModuleFile *module(llvm::StringRef version) const;
};

/// What a verifier must say about an invalid module.
struct ExpectedRejection {
  std::string rule;       ///< name of the broken rule
  std::string op;         ///< op that is wrong, may be empty
  std::string location;   ///< free text, may be empty
  std::string diagnostic; ///< part of the message, may be empty
  bool operator==(const ExpectedRejection &) const = default;
};

struct TestCase {
  std::string name;
  std::vector<Launch> launches; ///< run in order on the same buffers
  std::vector<Buffer> buffers;
  std::optional<std::string> standardOutput; ///< exact printed text; absent: prints nothing
  bool traps = false;
  std::string message; ///< text of the failing assertion
  bool mayReject = false;
  std::string notes;

  // Extensions of this project.
  std::optional<ExpectedRejection> expectReject;
  std::optional<int64_t> minSm;      ///< e.g. 90
  std::vector<std::string> features; ///< what the kernel needs or exercises
  std::vector<std::string> edits;    ///< metamorphic edits applied, in order
  std::optional<Bytes> choices;      ///< choice stream it was generated from (file choices.bin)
  std::optional<llvm::json::Object> generator; ///< free-form provenance: name, version, seed, index
  bool exactData = false; ///< every partial result is exact, so every order gives the same bits

  /// Versions every launch has a module for, ascending.
  std::vector<std::string> versions() const;
  bool operator==(const TestCase &) const = default;
};

/// Reads DIR/case.json and every file it names. Errors name the file, the key, and expected and
/// found values.
llvm::Expected<TestCase> loadTestCase(llvm::StringRef dir);

/// Writes the case to DIR, replacing it as a whole. File names of buffers are b<N>.bin and
/// b<N>.out.bin.
llvm::Error saveTestCase(const TestCase &testCase, llvm::StringRef dir);

/// The text of case.json.
std::string printTestCase(const TestCase &testCase);

/// Compares two versions "13.N" numerically; malformed ones sort by text.
bool versionLess(llvm::StringRef a, llvm::StringRef b);

} // namespace tilesmith::testcase

#endif // REFERENCE_TESTCASE_TESTCASE_H
