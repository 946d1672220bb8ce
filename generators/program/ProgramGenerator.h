//===- ProgramGenerator.h - choice stream to test case ----------------------------------------===//
//
// Makes one well-typed kernel, free of undefined behaviour and races by construction, with its
// inputs, as a test case without stored expectations: engines are compared with each other.
//
// Steps: iteration space, favoured types and scalar arguments; weights of the rules (swarm mode); a
// few loads; statements by the rules of Rules.h, one frame of the stream each; stores of the values
// that nothing has used yet; input data; bytecode. Some cases have a second entry of the same
// module, launched after the first, which may read what the first one wrote.
//
// Invariants: a case is a function of the choices and the options alone; the module verifies;
// `choices` of the case replays it.
//
//===------------------------------------------------------------------------------------------===//
#ifndef GENERATORS_PROGRAM_PROGRAMGENERATOR_H
#define GENERATORS_PROGRAM_PROGRAMGENERATOR_H

#include "generators/entropy/ChoiceStream.h"
#include "reference/testcase/TestCase.h"

#include "llvm/Support/Error.h"

#include <memory>
#include <optional>
#include <string>

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace tilesmith::generators {

struct GeneratorOptions {
  unsigned maxStatements = 18; ///< at most; each kernel draws its own number
  std::optional<unsigned>
      version;                   ///< N of bytecode 13.N (1 to 5); without it each kernel draws one
  std::vector<std::string> only; ///< families or rules to use; empty: all of them
  bool inputs = true;            ///< off where the module alone counts: buffers without data
};

/// Highest N of 13.N that is written.
constexpr unsigned kNewestVersion = 5;

class ProgramGenerator {
public:
  ProgramGenerator();
  ~ProgramGenerator();

  /// The statements of the last case, one rule a line, indented by nesting.
  const std::vector<std::string> &trail() const { return lastTrail; }

  /// One case. Error: the generator made an invalid module, which is a bug of the generator; the
  /// text holds the verifier's message and the module.
  llvm::Expected<testcase::TestCase> generate(ChoiceStream &stream, std::string name,
                                              const GeneratorOptions &options = {});

private:
  std::unique_ptr<mlir::MLIRContext> context;
  std::vector<std::string> lastTrail;
  unsigned uses = 0; ///< of the context, which grows with every kernel
};

/// The stream of the case with this index in the campaign of this seed.
ChoiceStream streamOfCase(uint64_t seed, uint64_t index);

/// `s<seed>-<index>`: the name of that case.
std::string nameOfCase(uint64_t seed, uint64_t index);

} // namespace tilesmith::generators

#endif // GENERATORS_PROGRAM_PROGRAMGENERATOR_H
