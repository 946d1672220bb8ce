//===- ProgramGeneratorTest.cpp ---------------------------------------------------------------===//
//
// What can be said about generated kernels without running them. That they run on the reference
// without undefined behaviour is tested in fuzz/campaign.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/ProgramGenerator.h"

#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/bytecode/BytecodeWriter.h"

#include "mlir/IR/MLIRContext.h"

#include "gtest/gtest.h"

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
    ASSERT_EQ(testCase.launches.size(), 1u);
    const testcase::ModuleFile &file = testCase.launches[0].modules.at(0);
    versions.insert(file.version);
    llvm::StringRef data(reinterpret_cast<const char *>(file.bytes.data()), file.bytes.size());
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
  EXPECT_EQ(versions, (std::set<std::string>{"13.1", "13.2", "13.3"}));
}

TEST(ProgramGenerator, AllRulesAreUsed) {
  ProgramGenerator generator;
  std::map<std::string, unsigned> features;
  for (uint64_t i = 0; i < 400; ++i)
    for (const std::string &feature : generate(generator, streamOfCase(5, i)).features)
      ++features[feature];
  for (const char *feature : {"addi",         "divi",           "remi",          "shli",
                              "fma",          "sqrt",           "exp",           "sin",
                              "log2",         "rsqrt",          "cmpf",          "select",
                              "ftoi",         "itof",           "exti",          "trunci",
                              "permute",      "broadcast",      "reduce",        "for",
                              "if",           "loop",           "scan",          "cat",
                              "extract",      "bitcast",        "mmaf",          "mmai",
                              "in-place",     "ragged",         "column-major",  "load_view_tko",
                              "load_ptr_tko", "store_view_tko", "store_ptr_tko", "padding-nan"})
    EXPECT_GT(features[feature], 5u) << feature;
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
