//===- RunCase.h - a test case on the interpreter ---------------------------------------------===//
#ifndef REFERENCE_INTERP_RUNCASE_H
#define REFERENCE_INTERP_RUNCASE_H

#include "reference/interp/Interpreter.h"
#include "reference/testcase/Compare.h"
#include "reference/testcase/TestCase.h"

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace tilesmith::reference {

/// What is left in one buffer after the last launch.
struct BufferResult {
  testcase::Bytes bytes;
  testcase::Bytes
      ignored; ///< one flag per byte: 1 where any value is legal; empty if every byte counts
  /// Bounds of the elements; null where every element is a point.
  std::shared_ptr<const testcase::Enclosure> enclosure = nullptr;
};

/// What is in the allocation that was made for a buffer.
BufferResult readBuffer(const Allocation &allocation, const testcase::Buffer &buffer);

/// A fresh allocation per buffer of the case, aligned to 256 bytes: their addresses. Fails at the
/// limit of the memory.
llvm::Expected<std::vector<uint64_t>> placeBuffers(Memory &memory,
                                                   const testcase::TestCase &testCase);

/// A read-only table of words; what testcase::flattenLaunch asks for.
llvm::Expected<uint64_t> placeTable(Memory &memory, llvm::ArrayRef<uint64_t> words);

struct CaseResult {
  Outcome outcome;                   ///< of the launch that ended the case, else of the last one
  std::vector<BufferResult> buffers; ///< one per buffer of the case
  std::string printed;               ///< text of all launches
  std::vector<std::string> prints;   ///< one entry per executed print, all launches
  std::vector<std::string> notes;
  uint64_t steps = 0, elements = 0;
};

struct RunOptions {
  Limits limits;
  uint64_t seed = 0; ///< order of the tile blocks
  bool strictAssume = false;
  bool detectRaces = false;
  Domain domain = Domain::Concrete;
};

/// Context with the dialects a module needs.
void loadReferenceDialects(mlir::MLIRContext &context);

/// Reads the modules of `version` and runs all launches in order on one memory. An error means that
/// a module could not be read or verified; everything that happens while running is in the outcome.
llvm::Expected<CaseResult> runCase(const testcase::TestCase &testCase, llvm::StringRef version,
                                   mlir::MLIRContext &context, const RunOptions &options = {});

/// The same with modules that are already there, one per launch.
llvm::Expected<CaseResult> runCase(const testcase::TestCase &testCase,
                                   llvm::ArrayRef<cuda_tile::ModuleOp> modules,
                                   const RunOptions &options = {});

} // namespace tilesmith::reference

#endif // REFERENCE_INTERP_RUNCASE_H
