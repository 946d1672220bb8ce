//===- GenerateCommand.cpp - tilesmith generate --seed S --count N -o DIR ---------------------===//
//
// Writes generated kernels as case folders DIR/s<seed>-<index>. Same seed, same bytes.
//
//===------------------------------------------------------------------------------------------===//
#include "fuzz/cli/Commands.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;
namespace cl = llvm::cl;

cl::SubCommand &tilesmith::fuzz::generateCommand() {
  static cl::SubCommand command("generate", "write well-typed kernels as cases");
  return command;
}

static cl::opt<uint64_t> count("count", cl::desc("number of cases"), cl::init(1),
                               cl::sub(generateCommand()));
static cl::opt<std::string> output("o", cl::desc("folder of the cases"),
                                   cl::sub(generateCommand()));
static cl::opt<bool>
    withExpectation("with-expectation",
                    cl::desc("store what the reference computes as the expected contents"),
                    cl::sub(generateCommand()));

/// Runs the reference and stores its results as the expectation of the outputs.
static llvm::Error storeExpectation(testcase::TestCase &testCase) {
  static auto engines = llvm::cantFail(oracles::createEngines("reference"));
  oracles::EngineResult result = engines[0]->run({testCase, testCase.versions().front(), {}});
  if (!result.completed())
    return llvm::createStringError(llvm::Twine("the reference did not complete: ") +
                                   result.message);
  for (auto [buffer, after] : llvm::zip(testCase.buffers, result.buffers)) {
    if (oracles::hasExpectation(buffer))
      continue;
    buffer.expect = after.bytes;
    if (buffer.compare.mode == testcase::Comparison::Mode::Enclosure)
      buffer.compare.mode = testcase::Comparison::Mode::Exact;
  }
  return llvm::Error::success();
}

int tilesmith::fuzz::runGenerate() {
  std::optional<RunOptions> options = readRunOptions();
  if (!options)
    return kUsageError;
  if (output.empty())
    return usageError("expected a folder after -o");
  if (options->version && (*options->version < 1 || *options->version > 3))
    return usageError("the generator writes bytecode 13.1 to 13.3");
  if (std::error_code code = llvm::sys::fs::create_directories(output))
    return usageError("'" + output + "': " + code.message());
  generators::ProgramGenerator generator;
  generators::GeneratorOptions generatorOptions;
  generatorOptions.version = options->version;
  uint64_t seed = seedOption();
  for (uint64_t i = 0; i < count; ++i) {
    generators::ChoiceStream stream = generators::streamOfCase(seed, i);
    std::string name = generators::nameOfCase(seed, i);
    auto testCase = generator.generate(stream, name, generatorOptions);
    if (!testCase) {
      llvm::errs() << "error: " << name << ": " << llvm::toString(testCase.takeError()) << '\n';
      return 1;
    }
    testCase->generator = llvm::json::Object{{"name", "program"},
                                             {"seed", static_cast<int64_t>(seed)},
                                             {"index", static_cast<int64_t>(i)}};
    if (withExpectation)
      if (llvm::Error error = storeExpectation(*testCase)) {
        llvm::errs() << "error: " << name << ": " << llvm::toString(std::move(error)) << '\n';
        return 1;
      }
    if (llvm::Error error = testcase::saveTestCase(*testCase, output + "/" + name))
      return usageError(llvm::toString(std::move(error)));
  }
  llvm::outs() << "wrote " << count << " cases to " << output << '\n';
  return 0;
}
