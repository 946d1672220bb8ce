//===- TileirasOptionsTest.cpp - spellings, messages and exit codes of the command line -------===//
#include "compiler/tools/TileirasOptions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tilesmith::tools;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

ParsedCommandLine parse(std::vector<std::string> arguments) {
  return parseTileirasCommandLine("/opt/bin/tileiras", arguments);
}

// [spec: driver-frontend-call]
TEST(TileirasOptions, TheFrontendCallIsUnderstood) {
  ParsedCommandLine line =
      parse({"k.bytecode", "-o", "k.cubin", "--gpu-name", "sm_90", "-O2", "--lineinfo"});
  ASSERT_FALSE(line.done) << line.err;
  EXPECT_EQ(line.options.input, "k.bytecode");
  EXPECT_EQ(line.options.output, "k.cubin");
  EXPECT_EQ(line.options.gpuName, "sm_90");
  EXPECT_EQ(line.options.optLevel, 2);
  EXPECT_TRUE(line.options.lineInfo);
}

// [spec: driver-options]
TEST(TileirasOptions, AllSpellingsWorkAndTheLastOneWins) {
  ParsedCommandLine line = parse({"--arch=sm_80", "-gpu-name=sm_100", "-o=a", "--output-file", "b",
                                  "--opt-level=1", "-O0", "-g", "--lineinfo=0", "x.bc"});
  ASSERT_FALSE(line.done) << line.err;
  EXPECT_EQ(line.options.gpuName, "sm_100");
  EXPECT_EQ(line.options.output, "b");
  EXPECT_EQ(line.options.optLevel, 0);
  EXPECT_TRUE(line.options.deviceDebug);
  EXPECT_FALSE(line.options.lineInfo);
}

TEST(TileirasOptions, DefaultsAreThoseOfTheOriginal) {
  ParsedCommandLine line = parse({"x.bc"});
  EXPECT_EQ(line.options.gpuName, "");
  EXPECT_EQ(line.options.output, "elf.o");
  EXPECT_EQ(line.options.optLevel, 3);
  EXPECT_EQ(line.options.remarksOutputFile, "tileir_remarks.yaml");
}

TEST(TileirasOptions, ErrorsSpeakLikeTheOriginalAndExitWithOne) {
  struct Row {
    std::vector<std::string> arguments;
    const char *message;
  } rows[] = {
      {{"x", "--gpu-name", "sm_75"},
       "tileiras: for the --gpu-name option: Cannot find option named 'sm_75'!\n"},
      {{"x", "--arch", "sm_90a"},
       "tileiras: for the --gpu-name option: Cannot find option named 'sm_90a'!\n"},
      {{"x", "--gpu-name"}, "tileiras: for the --gpu-name option: requires a value!\n"},
      {{"x", "-Os"},
       "tileiras: for the --opt-level option: 's' value invalid for integer argument!\n"},
      {{"x", "--opt-level=x"},
       "tileiras: for the --opt-level option: 'x' value invalid for integer argument!\n"},
      {{"x", "--lineinfo=maybe"},
       "tileiras: for the --lineinfo option: 'maybe' is invalid value for boolean argument! Try 0 "
       "or 1\n"},
      {{"x", "--host-arch=riscv64"},
       "tileiras: for the --host-arch option: Cannot find option named 'riscv64'!\n"},
      {{"x", "--preview=x"},
       "tileiras: for the --preview option: unknown preview feature 'x'; supported features: "
       "simt\n"},
      {{"x", "y"},
       "tileiras: Too many positional arguments specified!\nCan specify at most 1 positional "
       "arguments: "
       "See: /opt/bin/tileiras --help\n"},
      {{"x", "--gpu-nam=sm_90"},
       "tileiras: Unknown command line argument '--gpu-nam=sm_90'.  Try: '/opt/bin/tileiras "
       "--help'\n"
       "tileiras: Did you mean '--gpu-name'?\n"},
  };
  for (const Row &row : rows) {
    ParsedCommandLine line = parse(row.arguments);
    EXPECT_TRUE(line.done);
    EXPECT_EQ(line.exitCode, 1);
    EXPECT_EQ(line.err, row.message);
    EXPECT_EQ(line.out, "");
  }
  EXPECT_THAT(parse({"x", "-oy.cubin"}).err,
              HasSubstr("for the -o option: may not occur within a group!\n"));
  EXPECT_EQ(parse({"x", "-O", "2"}).exitCode, 1);
  EXPECT_EQ(parse({"x", "-O=2"}).exitCode, 1);
}

TEST(TileirasOptions, LevelsOutOfRangeAreLeftToTheDriver) {
  EXPECT_EQ(parse({"x", "-O4"}).options.optLevel, 4);
  EXPECT_EQ(parse({"x", "-O-1"}).options.optLevel, -1);
}

TEST(TileirasOptions, NoInputPrintsTheHelp) {
  ParsedCommandLine line = parse({});
  EXPECT_EQ(line.exitCode, 1);
  EXPECT_EQ(line.err, "error: no input file provided\n");
  EXPECT_THAT(line.out, HasSubstr("--gpu-name"));
  EXPECT_FALSE(parse({"--list-versions"}).done);
}

TEST(TileirasOptions, HelpAndVersionExitWithZero) {
  for (const char *flag : {"--help", "-h", "--help-hidden", "--print-options"}) {
    ParsedCommandLine line = parse({flag});
    EXPECT_TRUE(line.done);
    EXPECT_EQ(line.exitCode, 0);
    EXPECT_NE(line.out, "");
  }
  ParsedCommandLine version = parse({"--version"});
  EXPECT_EQ(version.exitCode, 0);
  EXPECT_EQ(std::count(version.out.begin(), version.out.end(), '\n'), 5);
  EXPECT_THAT(version.out, HasSubstr("\nCuda compilation tools, release 13.5, V13.5."));
}

} // namespace
