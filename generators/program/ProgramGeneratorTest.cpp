//===- ProgramGeneratorTest.cpp ---------------------------------------------------------------===//
//
// What can be said about generated kernels without running them. That they run on the reference
// without undefined behaviour is tested in fuzz/campaign.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/ProgramGenerator.h"

#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/bytecode/BytecodeWriter.h"
#include "generators/program/Rules.h"

#include "mlir/IR/MLIRContext.h"

#include "gtest/gtest.h"

#include "llvm/ADT/StringExtras.h"

#include <map>
#include <set>

using namespace tilesmith;
using namespace tilesmith::generators;

namespace {

testcase::TestCase generate(ProgramGenerator &generator, ChoiceStream stream,
                            const GeneratorOptions &options = {}) {
  auto result = generator.generate(stream, "case", options);
  EXPECT_TRUE(static_cast<bool>(result)) << llvm::toString(result.takeError());
  return result ? *result : testcase::TestCase();
}

TEST(ProgramGenerator, TheSameSeedGivesTheSameBytes) {
  ProgramGenerator a, b;
  generate(b, streamOfCase(9, 0)); // what was generated before must not matter
  for (uint64_t i = 0; i < 50; ++i)
    EXPECT_EQ(generate(a, streamOfCase(1, i)), generate(b, streamOfCase(1, i)));
  EXPECT_NE(generate(a, streamOfCase(1, 0)), generate(a, streamOfCase(2, 0)));
}

TEST(ProgramGenerator, WithoutInputsEverythingElseIsTheSame) {
  ProgramGenerator generator;
  for (uint64_t i = 0; i < 30; ++i) {
    testcase::TestCase whole = generate(generator, streamOfCase(5, i));
    GeneratorOptions options;
    options.inputs = false;
    ChoiceStream stream = streamOfCase(5, i);
    auto bare = generator.generate(stream, whole.name, options);
    ASSERT_TRUE(static_cast<bool>(bare)) << llvm::toString(bare.takeError());
    for (testcase::Buffer &buffer : bare->buffers)
      EXPECT_TRUE(buffer.data.empty());
    for (testcase::Buffer &buffer : whole.buffers)
      buffer.data.clear();
    EXPECT_EQ(*bare, whole);
  }
}

TEST(ProgramGenerator, RecordedChoicesReplayTheCase) {
  ProgramGenerator generator;
  for (uint64_t i = 0; i < 20; ++i) {
    testcase::TestCase first = generate(generator, streamOfCase(3, i));
    EXPECT_EQ(first, generate(generator, ChoiceStream::fromBytes(*first.choices)));
  }
}

TEST(ProgramGenerator, AnyBytesMakeAValidKernel) {
  ProgramGenerator generator;
  generate(generator, ChoiceStream::fromBytes({}));
  for (unsigned length : {1u, 7u, 40u, 200u, 1000u})
    for (uint8_t fill : {0x00, 0x55, 0xAA, 0xFF})
      generate(generator, ChoiceStream::fromBytes(std::vector<uint8_t>(length, fill)));
}

TEST(ProgramGenerator, TwoHundredKernelsVerifyAndRoundTrip) {
  ProgramGenerator generator;
  std::set<std::string> versions;
  for (uint64_t i = 0; i < 200; ++i) {
    testcase::TestCase testCase = generate(generator, streamOfCase(4, i));
    ASSERT_GE(testCase.launches.size(), 1u);
    const testcase::ModuleFile &file = testCase.launches[0].modules.at(0);
    versions.insert(file.version);
    llvm::StringRef data = llvm::toStringRef(file.bytes);
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    auto module = bytecode::readBytecode(data, &context);
    ASSERT_TRUE(static_cast<bool>(module)) << llvm::toString(module.takeError());
    std::string again;
    llvm::raw_string_ostream sink(again);
    bytecode::Version version;
    version.minor = static_cast<uint8_t>(file.version.back() - '0');
    ASSERT_FALSE(bytecode::writeBytecode(**module, sink, version));
    EXPECT_EQ(data, again) << "case " << i;
  }
  EXPECT_EQ(versions, (std::set<std::string>{"13.1", "13.2", "13.3", "13.4", "13.5"}));
}

TEST(ProgramGenerator, AllRulesAreUsed) {
  ProgramGenerator generator;
  std::map<std::string, unsigned> features;
  for (uint64_t i = 0; i < 2000; ++i)
    for (const std::string &feature : generate(generator, streamOfCase(5, i)).features)
      ++features[feature];
  for (const Rule &rule : allRules())
    EXPECT_GE(features[rule.name.str()], 3u) << rule.name.str();
  for (const char *feature : {"ragged",
                              "column-major",
                              "in-place",
                              "padding-nan",
                              "padding-zero",
                              "padding-neg_zero",
                              "padding-pos_inf",
                              "padding-neg_inf",
                              "second-entry",
                              "join_tokens",
                              "alloca",
                              "global",
                              "atomic-cas",
                              "atomic-xchg",
                              "atomic-addf",
                              "view-partition-rank1",
                              "view-partition-rank4",
                              "view-strided-rank2",
                              "view-gather-rank3",
                              "dynamic-trip-count",
                              "continue-in-for",
                              "two-breaks",
                              "if-without-else",
                              "hints",
                              "entry-hints",
                              "inbounds",
                              "aliasing-inputs"})
    EXPECT_GE(features[feature], 3u) << feature;
}

// Every op of the dialect that a kernel can hold, or a reason why not.
TEST(ProgramGenerator, EveryOpIsGenerated) {
  const std::map<std::string, std::string> exceptions = {
      {"cuda_tile.print", "a 13.1 file holds print_tko, which is read as print"},
      {"cuda_tile.multimem_load_reduce_view_tko", "needs memory with several copies"},
      {"cuda_tile.multimem_reduce_view_tko", "needs memory with several copies"},
      {"cuda_tile.multimem_store_view_tko", "needs memory with several copies"},
      {"cuda_tile.experimental$func", "only for tests"}};
  ProgramGenerator generator;
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.getOrLoadDialect<cuda_tile::CudaTileDialect>();
  std::map<std::string, unsigned> ops;
  for (uint64_t i = 0; i < 1500; ++i) {
    testcase::TestCase testCase = generate(generator, streamOfCase(8, i));
    const testcase::ModuleFile &file = testCase.launches.at(0).modules.at(0);
    auto module = bytecode::readBytecode(llvm::toStringRef(file.bytes), &context);
    ASSERT_TRUE(static_cast<bool>(module)) << llvm::toString(module.takeError());
    (**module)->walk([&](mlir::Operation *op) { ++ops[op->getName().getStringRef().str()]; });
  }
  for (mlir::RegisteredOperationName name : context.getRegisteredOperationsByDialect("cuda_tile")) {
    std::string op = name.getStringRef().str();
    if (op.find("test") != std::string::npos || exceptions.count(op))
      continue;
    EXPECT_GE(ops[op], 3u) << op << " is generated too rarely";
  }
}

TEST(ProgramGenerator, OnlyWantedFeaturesAreUsed) {
  ProgramGenerator generator;
  GeneratorOptions options;
  options.only = {"integer", "cmpf"};
  std::set<std::string> features;
  for (uint64_t i = 0; i < 30; ++i)
    for (const std::string &feature : generate(generator, streamOfCase(7, i), options).features)
      features.insert(feature);
  EXPECT_TRUE(features.count("addi") && features.count("cmpf"));
  EXPECT_FALSE(features.count("addf") || features.count("cmpi") || features.count("for"));
}

TEST(ProgramGenerator, ARequestedVersionIsWritten) {
  ProgramGenerator generator;
  GeneratorOptions options;
  options.version = 1;
  for (uint64_t i = 0; i < 20; ++i)
    EXPECT_EQ(generate(generator, streamOfCase(6, i), options).versions(),
              std::vector<std::string>{"13.1"});
}

} // namespace
