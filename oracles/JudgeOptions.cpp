//===- JudgeOptions.cpp - everything that decides a verdict, as words -------------------------===//
#include "oracles/JudgeOptions.h"

#include "oracles/Registry.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

using Row = OptionRow<JudgeOptions>;

llvm::Error expected(const llvm::Twine &what, llvm::StringRef found) {
  return llvm::createStringError("expected " + what + ", found '" + found + "'");
}

std::string printSwitch(bool flag) {
  return flag ? "true" : "false";
}

llvm::Error parseSwitch(llvm::StringRef value, const llvm::Twine &what, bool &flag) {
  if (value != "true" && value != "false")
    return expected("true or false for " + what, value);
  flag = value == "true";
  return llvm::Error::success();
}

/// `a:1,b:0`
std::string printShares(const JudgeOptions &options) {
  std::string text;
  for (const auto &[oracle, share] : options.shares)
    text += (text.empty() ? "" : ",") + oracle + ":" + std::to_string(share);
  return text;
}

llvm::Error parseShares(JudgeOptions &options, llvm::StringRef value) {
  llvm::SmallVector<llvm::StringRef> parts;
  value.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef part : parts) {
    auto [oracle, number] = part.split(':');
    unsigned share;
    if (!findOracle(oracle) || number.getAsInteger(10, share))
      return expected("ORACLE:N with an oracle among " + oracleNames(), part);
    options.shares[oracle.str()] = share;
  }
  return llvm::Error::success();
}

llvm::Error parseOracles(JudgeOptions &options, llvm::StringRef value) {
  llvm::SmallVector<llvm::StringRef> names;
  value.split(names, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef name : names) {
    if (!findOracle(name))
      return expected("oracles among " + oracleNames(), name);
    options.only.push_back(name.str());
  }
  return llvm::Error::success();
}

template <std::string JudgeOptions::*Field> llvm::Error take(JudgeOptions &o, llvm::StringRef v) {
  o.*Field = v.str();
  return llvm::Error::success();
}

constexpr Row kRows[] = {
    {"engines",
     "engines to run, separated by commas: reference, tileaa, tileaa-opt, tileas, emulator, sass, "
     "external, cuda, "
     "each with settings behind @, such as emulator@O0:w8:sm_80 (default reference,emulator; fuzz: "
     "reference,emulator@draw0; replay, reduce and bisect: reference,emulator@O0,emulator@draw, "
     "which draw settings by the name of the case, unless a level, target or number of warps is "
     "given)",
     [](const JudgeOptions &o) { return o.engines; },
     [](JudgeOptions &o, llvm::StringRef value) -> llvm::Error {
       if (auto engines = createEngines(value); !engines)
         return engines.takeError();
       o.engines = value.str();
       return llvm::Error::success();
     }},
    {"oracles",
     "only these oracles, each on every case that it can judge (see `tilesmith oracles`)",
     [](const JudgeOptions &o) { return llvm::join(o.only, ","); }, parseOracles},
    {"share",
     "ORACLE:N, separated by commas: one case in N is judged by it (0: none), in place of its own "
     "share",
     printShares, parseShares},
    {"compare-with-self", "engines run twice, under two schedules (default true)",
     [](const JudgeOptions &o) { return printSwitch(o.differential.compareWithSelf); },
     [](JudgeOptions &o, llvm::StringRef value) -> llvm::Error {
       return parseSwitch(value, "--compare-with-self", o.differential.compareWithSelf);
     },
     /*isSwitch=*/true},
    {"external-compiler", "also compile every module with this program, called as tileiras is",
     [](const JudgeOptions &o) { return o.external.compiler; },
     [](JudgeOptions &o, llvm::StringRef value) -> llvm::Error {
       o.external.compiler = value.str();
       return llvm::Error::success();
     }},
    {"external-verifier",
     "also verify the text of every module with this program, called as cuda-tile-opt is",
     [](const JudgeOptions &o) { return o.external.verifier; },
     [](JudgeOptions &o, llvm::StringRef value) -> llvm::Error {
       o.external.verifier = value.str();
       return llvm::Error::success();
     }},
    {"external-draw",
     "external tools: level and target by the name of the case (default true where fuzz, replay "
     "and reduce are given neither)",
     // Said wherever there is a tool: what is implied depends on the command.
     [](const JudgeOptions &o) { return o.external.any() ? printSwitch(o.external.draw) : ""; },
     [](JudgeOptions &o, llvm::StringRef value) -> llvm::Error {
       return parseSwitch(value, "--external-draw", o.external.draw);
     },
     /*isSwitch=*/true},
    {"performance-baseline", "rows of `tilesmith perf`, which the cost of compiled code is held to",
     [](const JudgeOptions &o) { return o.performanceBaseline; },
     take<&JudgeOptions::performanceBaseline>},
    {"fresh",
     "the modules come from this very generator: their bytes survive a way through text, too",
     [](const JudgeOptions &o) { return printSwitch(o.fresh); },
     [](JudgeOptions &o, llvm::StringRef value) { return parseSwitch(value, "--fresh", o.fresh); },
     /*isSwitch=*/true},
};

} // namespace

llvm::ArrayRef<Row> tilesmith::oracles::judgeOptionTable() {
  return kRows;
}

std::vector<std::string> tilesmith::oracles::judgeWords(const JudgeOptions &options) {
  std::vector<std::string> words = printOptions(judgeOptionTable(), options);
  llvm::append_range(words, printEngineOptions(options.differential.engine));
  return words;
}

llvm::Expected<JudgeOptions>
tilesmith::oracles::parseJudgeWords(llvm::ArrayRef<std::string> words) {
  JudgeOptions options;
  for (const std::string &word : words) {
    // A row of this table, or else one of the engines'.
    llvm::StringRef name = llvm::StringRef(word).ltrim('-').split('=').first;
    bool own = llvm::any_of(kRows, [&](const Row &row) { return row.name == name; });
    if (llvm::Error error =
            own ? parseOption(judgeOptionTable(), word, options)
                : parseOption(engineOptionTable(), word, options.differential.engine))
      return std::move(error);
  }
  return options;
}
