//===- GenerateCommand.cpp - tilesmith generate --seed S --count N -o DIR ---------------------===//
//
// Writes generated kernels as case folders DIR/s<seed>-<index>. Same seed, same bytes. With --text
// the module stands beside the bytecode as MLIR, with --explain a line per statement is printed,
// and --list-features prints the rules with what they need and promise.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/BytecodeReader.h"
#include "fuzz/cli/Commands.h"
#include "generators/program/Rules.h"

#include "mlir/IR/MLIRContext.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <set>

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

static cl::opt<bool> coverage("coverage",
                              cl::desc("print how often ops, element types, attribute values, "
                                       "views and depths occur; writes no cases"),
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

/// An unknown name among the wanted features, or nothing.
static std::optional<std::string> unknownFeature() {
  for (const std::string &name : features) {
    bool known = false;
    for (const generators::RuleFamily &family : generators::ruleFamilies()) {
      known |= family.name == name;
      for (const generators::Rule &rule : family.rules)
        known |= rule.name == name;
    }
    if (!known)
      return name;
  }
  return std::nullopt;
}

/// Writes the module of a case as text into its folder.
static llvm::Error writeText(const testcase::TestCase &testCase, const std::string &folder) {
  const testcase::ModuleFile &file = testCase.launches[0].modules[0];
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  auto module = bytecode::readBytecode(
      llvm::StringRef(reinterpret_cast<const char *>(file.bytes.data()), file.bytes.size()),
      &context);
  if (!module)
    return module.takeError();
  std::error_code code;
  llvm::raw_fd_ostream out(folder + "/kernel.mlir", code);
  if (code)
    return llvm::createStringError(code, folder + "/kernel.mlir");
  (**module).print(out);
  out << '\n';
  return llvm::Error::success();
}

/// Counts what a module holds: ops, their element types, the values of their enumerations and
/// flags, and how deep regions nest.
static llvm::Error countContents(const testcase::TestCase &testCase,
                                 std::map<std::string, uint64_t> &counts) {
  static mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  const testcase::ModuleFile &file = testCase.launches[0].modules[0];
  auto module = bytecode::readBytecode(
      llvm::StringRef(reinterpret_cast<const char *>(file.bytes.data()), file.bytes.size()),
      &context);
  if (!module)
    return module.takeError();
  unsigned deepest = 0;
  (**module)->walk([&](mlir::Operation *op) {
    std::string name = op->getName().stripDialect().str();
    ++counts[name];
    std::set<std::string> seen;
    for (mlir::Type type : llvm::concat<const mlir::Type>(llvm::to_vector(op->getOperandTypes()),
                                                          llvm::to_vector(op->getResultTypes())))
      if (auto tile = llvm::dyn_cast<cuda_tile::TileType>(type))
        if (tile.getElementType().isIntOrFloat())
          seen.insert(name + " : " + generators::spellElement(tile.getElementType()));
    for (mlir::NamedAttribute attribute : op->getAttrs()) {
      llvm::StringRef key = attribute.getName();
      llvm::StringRef dialect = attribute.getValue().getDialect().getNamespace();
      bool isFlag = llvm::isa<mlir::UnitAttr, mlir::BoolAttr>(attribute.getValue());
      if (dialect != "cuda_tile" && !isFlag && key != "mode" && !key.starts_with("memory_"))
        continue;
      if (key == "optimization_hints" || key == "function_type")
        continue;
      std::string value;
      llvm::raw_string_ostream(value) << attribute.getValue();
      if (key == "predicate")
        value = llvm::StringRef(value).split('<').first.str();
      seen.insert(name + " " + key.str() + "=" + value);
    }
    for (const std::string &item : seen)
      ++counts[item];
    unsigned depth = 0;
    for (mlir::Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
      depth += llvm::isa<cuda_tile::ForOp, cuda_tile::LoopOp, cuda_tile::IfOp>(parent);
    deepest = std::max(deepest, depth);
  });
  ++counts["nesting " + std::to_string(deepest)];
  ++counts["version " + file.version];
  for (const std::string &feature : testCase.features)
    if (llvm::StringRef(feature).starts_with("view-"))
      ++counts[feature];
  return llvm::Error::success();
}

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
  if (listFeatures) {
    printFeatures();
    return 0;
  }
  if (std::optional<std::string> name = unknownFeature())
    return usageError("unknown feature '" + *name + "', expected one of --list-features");
  if (output.empty() && !coverage)
    return usageError("expected a folder after -o");
  if (options->version && (*options->version < 1 || *options->version > generators::kNewestVersion))
    return usageError("the generator writes bytecode 13.1 to 13.5");
  if (!coverage)
    if (std::error_code code = llvm::sys::fs::create_directories(output))
      return usageError("'" + output + "': " + code.message());
  std::map<std::string, uint64_t> contents;
  generators::ProgramGenerator generator;
  generators::GeneratorOptions generatorOptions;
  generatorOptions.version = options->version;
  generatorOptions.only.assign(features.begin(), features.end());
  uint64_t seed = seedOption();
  for (uint64_t i = 0; i < count; ++i) {
    generators::ChoiceStream stream = generators::streamOfCase(seed, i);
    std::string name = generators::nameOfCase(seed, i);
    auto testCase = generator.generate(stream, name, generatorOptions);
    if (!testCase) {
      llvm::errs() << "error: " << name << ": " << llvm::toString(testCase.takeError()) << '\n';
      return 1;
    }
    if (coverage) {
      if (llvm::Error error = countContents(*testCase, contents)) {
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
    if (llvm::Error error = testcase::saveTestCase(*testCase, output + "/" + name))
      return usageError(llvm::toString(std::move(error)));
    if (withText)
      if (llvm::Error error = writeText(*testCase, output + "/" + name))
        return usageError(llvm::toString(std::move(error)));
    if (explain) {
      llvm::outs() << name << '\n';
      for (const std::string &line : generator.trail())
        llvm::outs() << "  " << line << '\n';
    }
  }
  for (const auto &[item, times] : contents)
    llvm::outs() << llvm::right_justify(std::to_string(times), 8) << "  " << item << '\n';
  if (coverage)
    return 0;
  llvm::outs() << "wrote " << count << " cases to " << output << '\n';
  return 0;
}
