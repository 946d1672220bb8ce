//===- GenerateCommand.cpp - tilesmith generate --seed S --count N -o DIR ---------------------===//
//
// Writes generated kernels as case folders DIR/s<seed>-<index>. Same seed, same bytes. With --text
// the module stands beside the bytecode as MLIR, with --explain a line per statement is printed,
// and --list-features prints the rules with what they need and promise.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/BytecodeReader.h"
#include "fuzz/campaign/OpFaults.h"
#include "fuzz/campaign/RewriteTable.h"
#include "fuzz/campaign/Survey.h"
#include "fuzz/cli/Commands.h"
#include "generators/invalid/InvalidGenerator.h"
#include "generators/program/Coverage.h"
#include "generators/program/Digest.h"
#include "generators/program/Rules.h"
#include "generators/program/TileAAGenerator.h"
#include "reference/testcase/Save.h"

#include "mlir/IR/MLIRContext.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
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

static cl::list<std::string> features("features",
                                      cl::desc("use only these rules or families of rules"),
                                      cl::CommaSeparated, cl::sub(generateCommand()));
static cl::opt<bool> listFeatures("list-features", cl::desc("print the families and their rules"),
                                  cl::sub(generateCommand()));
static cl::opt<bool> explain("explain", cl::desc("print which rules made each kernel"),
                             cl::sub(generateCommand()));
static cl::opt<bool> withText("text", cl::desc("also write the module as text, kernel.mlir"),
                              cl::sub(generateCommand()));

static cl::opt<std::string>
    invalid("invalid",
            cl::desc("write modules that break one rule (LABEL, or a different one each)"),
            cl::value_desc("LABEL"), cl::ValueOptional, cl::sub(generateCommand()));
static cl::opt<std::string> broken("from", cl::desc("with --invalid: break this bytecode file"),
                                   cl::value_desc("FILE"), cl::sub(generateCommand()));
static cl::opt<bool> listLabels("list-labels", cl::desc("print the rules that --invalid breaks"),
                                cl::sub(generateCommand()));

static cl::opt<bool> tileaa("tileaa",
                            cl::desc("write programs of nv_tileaa, as text, instead of kernels"),
                            cl::sub(generateCommand()));

static cl::opt<bool> coverage("coverage",
                              cl::desc("print how often ops, element types, attribute values, "
                                       "views, control flow and depths occur; writes no cases"),
                              cl::sub(generateCommand()));
static cl::opt<uint64_t> coverageFloor("floor",
                                       cl::desc("with --coverage: fail when something occurs less "
                                                "often"),
                                       cl::init(0), cl::sub(generateCommand()));
static cl::opt<bool> distribution("distribution",
                                  cl::desc("print sizes, shares of exact results and how often one "
                                           "wrong op shows; writes no cases"),
                                  cl::sub(generateCommand()));
static cl::opt<bool> faults("faults",
                            cl::desc("print how often kernels show faults of their operations, "
                                     "computed by the reference; writes no cases"),
                            cl::sub(generateCommand()));
static cl::opt<bool> rewrites("rewrites",
                              cl::desc("print in how many kernels each rewrite of the compiler "
                                       "fires; 1: one below its floor; writes no cases"),
                              cl::sub(generateCommand()));
static cl::opt<bool> digest("digest",
                            cl::desc("print a hash of all bytes of the cases; writes no cases"),
                            cl::sub(generateCommand()));

static void printFeatures() {
  for (const generators::RuleFamily &family : generators::ruleFamilies()) {
    llvm::outs() << family.name << ": needs " << family.needs << "; promises " << family.promises
                 << '\n';
    for (const generators::Rule &rule : family.rules) {
      llvm::outs() << "  " << llvm::left_justify(rule.name, 24) << " weight "
                   << llvm::right_justify(std::to_string(rule.weight), 2) << ", since 13."
                   << rule.since;
      if (*rule.promise)
        llvm::outs() << ", " << rule.promise;
      llvm::outs() << '\n';
    }
  }
}

/// Writes the module of a case as text into its folder.
static llvm::Error writeText(const testcase::TestCase &testCase, const OutputFolder &folder) {
  const testcase::ModuleFile &file = testCase.launches[0].modules[0];
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  auto module = bytecode::readBytecode(llvm::toStringRef(file.bytes), &context);
  if (!module)
    return module.takeError();
  std::string text;
  llvm::raw_string_ostream out(text);
  (**module).print(out);
  out << '\n';
  return folder.write("kernel.mlir", text);
}

static llvm::Error writeCase(const testcase::TestCase &testCase) {
  auto folder = OutputFolder::create(output + "/" + testCase.name);
  if (!folder)
    return folder.takeError();
  if (llvm::Error error = testcase::addTestCase(testCase, *folder))
    return error;
  if (withText)
    if (llvm::Error error = writeText(testCase, *folder))
      return error;
  return folder->keep();
}

/// Runs the reference and stores its results as the expectation of the outputs. Where several
/// results are legal, the one stored is an example, and bounds still decide.
static llvm::Error storeExpectation(testcase::TestCase &testCase) {
  static auto engines = llvm::cantFail(oracles::createEngines("reference"));
  oracles::EngineResult result = engines[0]->run({testCase, testCase.versions().front(), {}});
  if (!result.completed())
    return llvm::createStringError(llvm::Twine("the reference did not complete: ") +
                                   result.message);
  for (auto [buffer, after] : llvm::zip(testCase.buffers, result.buffers)) {
    if (testcase::hasExpectation(buffer))
      continue;
    buffer.expect = after.bytes;
    buffer.open = after.ignored;
    const auto &bounds = after.enclosure;
    const bool isOpen =
        bounds && (bounds->low != bounds->high ||
                   llvm::any_of(bounds->vacuous, [](uint8_t flag) { return flag != 0; }));
    if (buffer.compare.mode == testcase::Comparison::Mode::Enclosure && !isOpen)
      buffer.compare.mode = testcase::Comparison::Mode::Exact;
  }
  return llvm::Error::success();
}

namespace {

/// What is counted instead of writing cases.
struct Surveys {
  generators::Coverage contents;
  Survey figures;
  FaultTable shown;
  std::optional<RewriteTable> fired;
  generators::Digest hash;

  static bool isAny() { return coverage || distribution || faults || rewrites || digest; }
  llvm::Error add(const testcase::TestCase &testCase);
  int print();
};

llvm::Error Surveys::add(const testcase::TestCase &testCase) {
  hash.add(testCase);
  if (faults)
    if (llvm::Error error = shown.add(testCase))
      return error;
  if (rewrites) {
    if (!fired)
      fired.emplace();
    if (llvm::Error error = fired->add(testCase))
      return error;
  }
  if (distribution) {
    auto kernel = measureKernel(testCase);
    if (!kernel)
      return kernel.takeError();
    figures.add(*kernel);
  }
  return coverage ? contents.add(testCase) : llvm::Error::success();
}

int Surveys::print() {
  std::vector<std::string> problems;
  if (faults)
    shown.print(llvm::outs());
  if (fired) {
    fired->print(llvm::outs());
    problems = fired->problems();
  }
  if (distribution)
    figures.print(llvm::outs());
  if (coverage) {
    contents.print(llvm::outs());
    llvm::append_range(problems, contents.problems(coverageFloor));
  }
  if (digest)
    llvm::outs() << hash.str() << '\n';
  for (const std::string &problem : problems)
    llvm::errs() << "error: " << problem << '\n';
  return problems.empty() ? 0 : 1;
}

} // namespace

/// Writes `count` cases that must be refused.
static int runInvalid(uint64_t seed) {
  if (!invalid.empty() && !generators::isInvalidLabel(invalid))
    return usageError("unknown rule '" + invalid + "', expected one of --list-labels");
  testcase::Bytes base;
  if (!broken.empty()) {
    auto buffer = llvm::MemoryBuffer::getFile(broken);
    if (!buffer)
      return usageError("'" + broken + "': " + buffer.getError().message());
    llvm::StringRef data = (*buffer)->getBuffer();
    if (!bytecode::isTileIRBytecode(data))
      return usageError("'" + broken + "': expected Tile IR bytecode");
    base.assign(data.bytes_begin(), data.bytes_end());
  }
  generators::InvalidGenerator generator;
  for (uint64_t i = 0; i < count; ++i) {
    generators::ChoiceStream stream = generators::streamOfCase(seed, i);
    std::string name = generators::nameOfCase(seed, i);
    auto testCase = generator.generate(stream, name, invalid, base);
    if (!testCase) {
      llvm::errs() << "error: " << name << ": " << llvm::toString(testCase.takeError()) << '\n';
      return 1;
    }
    testCase->generator = llvm::json::Object{{"name", "invalid"},
                                             {"seed", static_cast<int64_t>(seed)},
                                             {"index", static_cast<int64_t>(i)}};
    if (llvm::Error error = testcase::saveTestCase(*testCase, output + "/" + name))
      return usageError(std::move(error));
  }
  llvm::outs() << "wrote " << count << " cases to " << output << '\n';
  return 0;
}

/// Writes `count` programs of nv_tileaa.
static int runTileAA(uint64_t seed) {
  for (uint64_t i = 0; i < count; ++i) {
    generators::ChoiceStream stream = generators::streamOfCase(seed, i);
    auto [testCase, trail] = generators::generateTileAA(stream, generators::nameOfCase(seed, i));
    testCase.generator = llvm::json::Object{{"name", "tileaa"},
                                            {"seed", static_cast<int64_t>(seed)},
                                            {"index", static_cast<int64_t>(i)}};
    if (llvm::Error error = testcase::saveTestCase(testCase, output + "/" + testCase.name))
      return usageError(std::move(error));
    if (explain) {
      llvm::outs() << testCase.name << '\n';
      for (const std::string &step : trail)
        llvm::outs() << "  " << step << '\n';
    }
  }
  llvm::outs() << "wrote " << count << " cases to " << output << '\n';
  return 0;
}

int tilesmith::fuzz::runGenerate() {
  std::optional<RunOptions> options = readRunOptions();
  if (!options)
    return kUsageError;
  uint64_t seed = options->campaign.judge.differential.engine.seed;
  if (listFeatures) {
    printFeatures();
    return 0;
  }
  if (listLabels) {
    for (llvm::StringRef label : generators::invalidLabels())
      llvm::outs() << label << '\n';
    return 0;
  }
  if (llvm::Error error = checkFeatures(features))
    return usageError(std::move(error));
  const bool survey = Surveys::isAny();
  if (tileaa && (survey || withText || withExpectation || invalid.getNumOccurrences() ||
                 !features.empty() || options->version))
    return usageError("--tileaa goes with --seed, --count, -o and --explain alone: a program of "
                      "nv_tileaa has no rules, no versions and is text");
  if (output.empty() && !survey)
    return usageError("expected a folder after -o");
  if (options->version && (*options->version < 1 || *options->version > generators::kNewestVersion))
    return usageError("the generator writes bytecode 13.1 to 13.5");
  if (!survey)
    if (std::error_code code = llvm::sys::fs::create_directories(output))
      return usageError("'" + output + "': " + code.message());
  if (tileaa)
    return runTileAA(seed);
  if (invalid.getNumOccurrences())
    return output.empty() ? usageError("expected a folder after -o") : runInvalid(seed);
  Surveys surveys;
  generators::ProgramGenerator generator;
  generators::GeneratorOptions generatorOptions;
  generatorOptions.version = options->version;
  generatorOptions.only.assign(features.begin(), features.end());
  for (uint64_t i = 0; i < count; ++i) {
    generators::ChoiceStream stream = generators::streamOfCase(seed, i);
    std::string name = generators::nameOfCase(seed, i);
    auto testCase = generator.generate(stream, name, generatorOptions);
    if (!testCase) {
      llvm::errs() << "error: " << name << ": " << llvm::toString(testCase.takeError()) << '\n';
      return 1;
    }
    if (survey) {
      if (llvm::Error error = surveys.add(*testCase)) {
        llvm::errs() << "error: " << name << ": " << llvm::toString(std::move(error)) << '\n';
        return 1;
      }
      continue;
    }
    testCase->generator = llvm::json::Object{{"name", "program"},
                                             {"seed", static_cast<int64_t>(seed)},
                                             {"index", static_cast<int64_t>(i)}};
    if (withExpectation)
      if (llvm::Error error = storeExpectation(*testCase)) {
        llvm::errs() << "error: " << name << ": " << llvm::toString(std::move(error)) << '\n';
        return 1;
      }
    if (llvm::Error error = writeCase(*testCase))
      return usageError(std::move(error));
    if (explain) {
      llvm::outs() << name << '\n';
      for (const std::string &line : generator.trail())
        llvm::outs() << "  " << line << '\n';
    }
  }
  if (survey)
    return surveys.print();
  llvm::outs() << "wrote " << count << " cases to " << output << '\n';
  return 0;
}
