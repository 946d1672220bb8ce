//===- Engine.h - something that runs a test case ---------------------------------------------===//
//
// An engine takes a case at one bytecode version, runs its launches in a row on fresh copies of its
// buffers, and says how that ended. It never judges: comparing is the work of oracles/differential.
// One file per engine; Registry.cpp has one line per engine.
//
// Invariants
//  - run() never changes the request and keeps no state that a later run could see (caches of
//    compiled code excepted);
//  - a case that was not run to its end says why: no engine returns Completed with partial results;
//  - Failed means that the engine itself is wrong (crash, internal error, refused code that it must
//    accept); what an engine does not support yet is Unsupported, so that a gap never looks like a
//    miscompile, nor the other way round.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_ENGINES_ENGINE_H
#define ORACLES_ENGINES_ENGINE_H

#include "oracles/engines/EngineOptions.h"
#include "reference/testcase/Compare.h"
#include "reference/testcase/TestCase.h"

#include <memory>
#include <string>
#include <vector>

namespace tilesmith::oracles {

struct EngineRequest {
  const testcase::TestCase &testCase;
  std::string version; ///< bytecode version, one of testCase.versions()
  EngineOptions options;
};

/// A buffer after the run.
struct BufferResult {
  testcase::Bytes bytes; ///< byteSize() bytes of the buffer
  testcase::Bytes
      ignored; ///< empty, or one flag per byte: 1 where the language leaves the contents open
  /// Bounds of what is legal, from engines that compute them; null where each element has one
  /// value.
  std::shared_ptr<const testcase::Enclosure> enclosure = nullptr;
};

/// EngineResult::label of accesses without the barrier that they need.
inline constexpr llvm::StringLiteral kMissingBarrierLabel = "hazard";

/// How a run ended.
struct EngineResult {
  enum class Status {
    Completed,    ///< all launches ran; `buffers` and `printed` hold the results
    Trapped,      ///< an assertion failed; `message` is its text if the engine knows it
    Rejected,     ///< the module was refused before anything ran (reader or verifier)
    Undefined,    ///< the program has undefined behaviour, so no result means anything
    Inconclusive, ///< the language does not decide the result, or a budget ran out
    Unsupported,  ///< the engine lacks something that the case needs
    Failed,       ///< the engine is wrong: compilation error, fault, deadlock
    Unavailable,  ///< the engine cannot run here
  };
  Status status = Status::Completed;
  std::string message;    ///< one line; empty when completed
  std::string label = {}; ///< the rule that was broken, in kebab-case (`data-race`); may be empty
  std::vector<BufferResult> buffers;
  std::string printed;
  /// Not empty when nothing fixes the order of two strong accesses and it shows: this is one of
  /// several legal results, and another one proves nothing. Names the ops.
  std::string openOrder = {};
  /// Not empty when the kernel assumes what is not so, by an engine that looks: what other engines
  /// make of it proves nothing.
  std::string falseAssumption = {};
  /// Not empty when the result rests on what public text leaves undefined and the reference
  /// defines: where Engine::keepsToPublicText, another result proves nothing.
  std::string extension = {};
  /// Whose math functions the kernel was compiled with: `libdevice`, `libclc`; empty when it calls
  /// none.
  std::string mathLibrary = {};
  /// How large the kernel is to this engine, the same on every machine: elements that the reference computed,
  /// instructions of compiled code. 0: not counted.
  uint64_t work = 0;

  bool completed() const { return status == Status::Completed; }
  static EngineResult stop(Status status, std::string message);
};

/// `completed`, `trapped`, ...
llvm::StringRef toString(EngineResult::Status status);

class Engine {
public:
  virtual ~Engine() = default;
  virtual llvm::StringRef name() const = 0;
  virtual EngineResult run(const EngineRequest &request) = 0;

  /// Options under which a second run must give the same result: the engine compared with itself.
  virtual EngineOptions variation(EngineOptions options) const { return options; }

  /// Whether only public text binds what it runs, not what the reference adds to it: the code of
  /// compilers that are not ours.
  virtual bool keepsToPublicText() const { return false; }
};

/// One line of the registry.
struct EngineEntry {
  llvm::StringLiteral name;
  llvm::StringLiteral description;
  std::unique_ptr<Engine> (*create)();
  /// The component beyond our LLVM IR whose work the engine runs, and all that it stands for; empty
  /// for engines that run no more than our own IR.
  llvm::StringLiteral beyond = "", beyondInterval = "";
};

/// All engines that can be asked for, in the order of reports.
llvm::ArrayRef<EngineEntry> engineRegistry();

/// The engines of a comma-separated list such as `reference,emulator@O0,emulator@draw`; what may
/// stand behind the '@' is in EngineSettings.h. An engine that cannot run here becomes one whose
/// runs are Unavailable; an unknown or repeated name is an error that lists the known ones.
llvm::Expected<std::vector<std::unique_ptr<Engine>>> createEngines(llvm::StringRef list);

} // namespace tilesmith::oracles

#endif // ORACLES_ENGINES_ENGINE_H
