//===- SamplesTest.cpp - the instruction table against itself and against ptxas ----------------===//
//
// Every row, written out, is accepted by the checker, and by ptxas where there is one: the table
// claims nothing that the real assembler refuses.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/ptx/Samples.h"
#include "oracles/devices/ptx/Checker.h"

#include "gtest/gtest.h"

#include <iostream>
#include <map>
#include <set>
#include <sstream>

using namespace tilesmith::ptx;

namespace {

TEST(InstructionTable, EveryRowIsReadableAndHasASample) {
  // Two rows may stand for one form with two needs.
  std::set<std::string> sampled;
  for (const Sample &sample : instructionSamples())
    sampled.insert(sample.row->opcode.str());
  for (const Row &row : instructionRows()) {
    EXPECT_TRUE(row.mnemonic == "call" || sampled.count(row.opcode.str())) << row.opcode.str();
    for (const Segment &segment : row.segments)
      EXPECT_FALSE(segment.words.empty()) << row.opcode.str();
  }
  EXPECT_GT(instructionRows().size(), 300u);
}

TEST(InstructionTable, TheCheckerAcceptsEverySample) {
  for (const Sample &sample : instructionSamples()) {
    const CheckResult result = checkPTX(sampleKernel(sample.target, "9.0", sample.text));
    EXPECT_TRUE(result.errors.empty()) << sample.text << '\n' << result.str();
  }
}

/// Lines of `output` with an error, by line number.
std::map<unsigned, std::string> errorLines(const std::string &output) {
  std::map<unsigned, std::string> lines;
  std::istringstream messages(output);
  for (std::string message; std::getline(messages, message);) {
    const size_t at = message.find(", line ");
    if (message.find("error") != std::string::npos && at != std::string::npos)
      lines.emplace(std::stoul(message.substr(at + 7)), message.substr(at));
  }
  return lines;
}

struct Module {
  const char *target;
  const char *version;
};

// Each sample is one line of a kernel, so every line is one comparison: which targets and versions
// have an instruction is in the table as ptxas has it.
TEST(InstructionTable, PtxasAgreesOnEverySampleForEveryTargetAndVersion) {
  const std::string ptxas = findPtxas();
  if (ptxas.empty())
    GTEST_SKIP() << "unavailable: no ptxas";
  const std::vector<Sample> samples = instructionSamples();
  const Module modules[] = {
      {"sm_75", "9.0"},   {"sm_80", "9.0"},   {"sm_89", "9.0"},   {"sm_90", "9.0"},
      {"sm_90a", "9.0"},  {"sm_100", "9.0"},  {"sm_100a", "9.0"}, {"sm_110a", "9.0"},
      {"sm_120a", "9.0"}, {"sm_121a", "9.0"}, {"sm_80", "7.0"},   {"sm_86", "7.4"},
      {"sm_90", "7.8"},   {"sm_90a", "8.0"},  {"sm_90a", "8.3"},  {"sm_100a", "8.6"},
  };
  unsigned compared = 0, accepted = 0, stricter = 0;
  for (const Module &module : modules) {
    // ptxas stops at the header where it does not know the target; then there is nothing to
    // compare.
    std::string output;
    if (!ptxasAccepts(ptxas, sampleKernel(module.target, module.version, ""), module.target,
                      output))
      continue;
    // What we accept goes into one kernel; what we reject into several, because ptxas stops after
    // a hundred errors.
    std::vector<std::string> batch;
    auto compare = [&](bool ours) {
      std::string body;
      for (const std::string &text : batch)
        body += text + "\n";
      ptxasAccepts(ptxas, sampleKernel(module.target, module.version, body), module.target, output);
      const std::map<unsigned, std::string> theirs = errorLines(output);
      for (size_t i = 0; i < batch.size(); ++i) {
        auto their = theirs.find(kSampleLine + i);
        const bool accepts = their == theirs.end();
        ++compared;
        accepted += ours;
        stricter += accepts && !ours;
        EXPECT_FALSE(ours && !accepts)
            << module.target << " PTX " << module.version << ": " << batch[i] << '\n'
            << their->second;
        if (accepts && !ours && std::getenv("TILESMITH_PTX_STRICTER"))
          std::cout << "stricter: " << module.target << " PTX " << module.version << ": "
                    << batch[i] << '\n';
      }
      batch.clear();
    };
    std::vector<std::string> rejected;
    for (const Sample &sample : samples) {
      const CheckResult ours = checkPTX(sampleKernel(module.target, module.version, sample.text));
      (ours.errors.empty() ? batch : rejected).push_back(sample.text);
    }
    compare(true);
    for (const std::string &text : rejected) {
      batch.push_back(text);
      if (batch.size() == 90)
        compare(false);
    }
    compare(false);
  }
  std::cout << compared << " comparisons with " << ptxas << ", " << accepted
            << " accepted by both, " << stricter << " rejected by us alone\n";
  EXPECT_LT(stricter * 200, compared);
}

} // namespace
