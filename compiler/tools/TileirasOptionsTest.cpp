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

TEST(TileirasOptions, LettersStandInAGroup) {
  ParsedCommandLine line = parse({"-gO0", "-go", "b", "x.bc"});
  ASSERT_FALSE(line.done) << line.err;
  EXPECT_TRUE(line.options.deviceDebug);
  EXPECT_EQ(line.options.optLevel, 0);
  EXPECT_EQ(line.options.output, "b");
  EXPECT_THAT(parse({"-gx", "x.bc"}).err,
              testing::HasSubstr("Unknown command line argument '-gx'"));
}

TEST(TileirasOptions, DefaultsAreThoseOfTheOriginal) {
  ParsedCommandLine line = parse({"x.bc", "--remarks-output-file="});
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
  for (const std::string group : {"-oy.cubin", "-lfoo", "--lineinf"})
    EXPECT_EQ(
        parse({"x", group}).err,
        "tileiras: for the -" + group.substr(group.find_first_not_of('-'), 1) +
            " option: may not occur within a group!\ntileiras: Unknown command line argument '" +
            group + "'.  Try: '/opt/bin/tileiras --help'\ntileiras: Did you mean '-" +
            group.substr(group.find_first_not_of('-'), 1) + "'?\n");
  EXPECT_THAT(parse({"x", "-O", "2"}).err, HasSubstr("for the -O option: requires a value!\n"));
  EXPECT_THAT(parse({"x", "-O=2"}).err, HasSubstr("'=2' value invalid for integer argument!\n"));
  EXPECT_EQ(parse({"x", "--help=1"}).err,
            "tileiras: for the --help option: does not allow a value! '1' specified.\n");
}

TEST(TileirasOptions, LevelsOutOfRangeAreLeftToTheDriver) {
  EXPECT_EQ(parse({"x", "-O4"}).options.optLevel, 4);
  EXPECT_EQ(parse({"x", "-O-1"}).options.optLevel, -1);
}

TEST(TileirasOptions, LevelsAreNumbersOf32BitsInAnyBase) {
  for (const char *two : {"-O2", "-O0x2", "--opt-level=0b10", "--opt-level=0o2", "--opt-level=02"})
    EXPECT_EQ(parse({"x", two}).options.optLevel, 2) << two;
  EXPECT_EQ(parse({"x", "-O010"}).options.optLevel, 8);
  for (const char *wrong : {"08", "+2", " 2", "2147483648", "-2147483649", "99999999999"})
    EXPECT_EQ(parse({"x", std::string("--opt-level=") + wrong}).err,
              std::string("tileiras: for the --opt-level option: '") + wrong +
                  "' value invalid for integer argument!\n");
}

TEST(TileirasOptions, NoInputPrintsTheHelp) {
  ParsedCommandLine line = parse({});
  EXPECT_EQ(line.exitCode, 1);
  EXPECT_EQ(line.err, "error: no input file provided\n");
  EXPECT_THAT(line.out, HasSubstr("--gpu-name"));
  EXPECT_EQ(parse({"", "--gpu-name=sm_90"}).err, "error: no input file provided\n");
  EXPECT_FALSE(parse({"--list-versions"}).done);
}

// [spec: driver-list-versions, driver-check-order]
TEST(TileirasOptions, TheFirstThatPrintsATextDecides) {
  ParsedCommandLine line = parse({"--gpu-name=sm_7", "--list-versions", "--frob", "a", "b"});
  EXPECT_FALSE(line.done);
  EXPECT_TRUE(line.options.listVersions);
  EXPECT_EQ(line.err, "tileiras: for the --gpu-name option: Cannot find option named 'sm_7'!\n");
  EXPECT_EQ(parse({"--list-versions", "--version"}).out, "");
  EXPECT_EQ(parse({"--list-versions", "--list-versions=0"}).options.listVersions, true);
  EXPECT_EQ(parse({"--list-versions=0", "x"}).options.listVersions, false);
  EXPECT_EQ(parse({"--list-versions=maybe"}).exitCode, 1);
  line = parse({"--frob", "--version", "--list-versions", "--help"});
  EXPECT_EQ(line.exitCode, 0);
  EXPECT_THAT(line.out, HasSubstr("release 13.5"));
  EXPECT_THAT(line.err, HasSubstr("Unknown command line argument '--frob'"));
  EXPECT_EQ(parse({"--version", "--frob"}).err, "");
}

TEST(TileirasOptions, HelpAndVersionExitWithZero) {
  for (const char *flag : {"--help", "-h", "--help-hidden", "--help-list"}) {
    ParsedCommandLine line = parse({flag});
    EXPECT_TRUE(line.done);
    EXPECT_EQ(line.exitCode, 0);
    EXPECT_NE(line.out, "");
  }
  EXPECT_FALSE(parse({"x", "--print-options", "--print-all-options"}).done);
  ParsedCommandLine version = parse({"--version"});
  EXPECT_EQ(version.exitCode, 0);
  EXPECT_EQ(std::count(version.out.begin(), version.out.end(), '\n'), 5);
  EXPECT_THAT(version.out, HasSubstr("\nCuda compilation tools, release 13.5, V13.5."));
}

} // namespace
