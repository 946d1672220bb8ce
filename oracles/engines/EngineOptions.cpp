//===- EngineOptions.cpp - what decides how an engine compiles and runs -----------------------===//
#include "oracles/engines/EngineOptions.h"

#include "compiler/target/Targets.h"
#include "oracles/devices/emulator/Emulator.h"
#include "oracles/engines/ModuleLoader.h"

#include "llvm/Support/MathExtras.h"

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

using Row = OptionRow<EngineOptions>;

llvm::Error expected(const llvm::Twine &what, llvm::StringRef found) {
  return llvm::createStringError("expected " + what + ", found '" + found + "'");
}

template <typename Number>
llvm::Error parseNumber(
    llvm::StringRef value, const llvm::Twine &what, Number &number,
    bool (*isGood)(Number) = [](Number) { return true; }) {
  Number parsed;
  if (value.getAsInteger(10, parsed) || !isGood(parsed))
    return expected(what, value);
  number = parsed;
  return llvm::Error::success();
}

llvm::Error parseSwitch(llvm::StringRef value, const llvm::Twine &what, bool &flag) {
  if (value != "true" && value != "1" && value != "false" && value != "0")
    return expected(what, value);
  flag = value == "true" || value == "1";
  return llvm::Error::success();
}

std::string printSwitch(bool flag) {
  return flag ? "true" : "false";
}

constexpr Row kRows[] = {
    {"O", "optimisation level, 0 to 3 (default 3)",
     [](const EngineOptions &o) { return std::to_string(o.compile.optLevel); },
     [](EngineOptions &o, llvm::StringRef value) -> llvm::Error {
       return parseNumber<unsigned>(value, "an optimisation level from 0 to 3", o.compile.optLevel,
                                    [](unsigned level) { return level <= 3; });
     }},
    {"gpu-name", "target (default sm_90)", [](const EngineOptions &o) { return o.compile.gpuName; },
     [](EngineOptions &o, llvm::StringRef value) -> llvm::Error {
       if (auto gpu = target::getGpuTarget(value); !gpu)
         return gpu.takeError();
       o.compile.gpuName = value.str();
       return llvm::Error::success();
     }},
    {"warps", "warps of a block whose kernel has no hint (default 4)",
     [](const EngineOptions &o) { return std::to_string(o.compile.numWarps); },
     [](EngineOptions &o, llvm::StringRef value) -> llvm::Error {
       return parseNumber<unsigned>(
           value, "1, 2, 4, 8, 16 or 32 warps", o.compile.numWarps,
           [](unsigned warps) { return warps <= 32 && llvm::isPowerOf2_32(warps); });
     }},
    {"strategies",
     "second ways of the compiler, separated by commas: warp-specialize, tma, "
     "tensor-map, tensor-store, dynamic-persistent, plain, auto (the default: the cost model "
     "picks)",
     [](const EngineOptions &o) { return o.compile.strategies.str(); },
     [](EngineOptions &o, llvm::StringRef value) -> llvm::Error {
       auto strategies = Strategies::parse(value);
       if (!strategies)
         return strategies.takeError();
       o.compile.strategies = *strategies;
       return llvm::Error::success();
     }},
    {"opt-bisect-limit", "run only the first N optional passes (default -1: all)",
     [](const EngineOptions &o) { return std::to_string(o.compile.optBisectLimit); },
     [](EngineOptions &o, llvm::StringRef value) -> llvm::Error {
       return parseNumber<int64_t>(value, "a number of passes", o.compile.optBisectLimit);
     }},
    {"cuda-path", "folder of a CUDA toolkit",
     [](const EngineOptions &o) { return o.compile.cudaPath; },
     [](EngineOptions &o, llvm::StringRef value) -> llvm::Error {
       o.compile.cudaPath = value.str();
       return llvm::Error::success();
     }},
    {"math-library",
     "device math: auto (default: libdevice where it is found), libdevice or libclc",
     [](const EngineOptions &o) { return target::spelling(o.compile.mathLibrary).str(); },
     [](EngineOptions &o, llvm::StringRef value) -> llvm::Error {
       auto kind = target::parseMathLibraryKind(value);
       if (!kind)
         return expected("the math library auto, libdevice or libclc", value);
       o.compile.mathLibrary = *kind;
       return llvm::Error::success();
     }},
    {"ptxas-level", "optimisation level of ptxas in engine sass (default: that of -O)",
     [](const EngineOptions &o) { return o.ptxasLevel ? std::to_string(*o.ptxasLevel) : ""; },
     [](EngineOptions &o, llvm::StringRef value) -> llvm::Error {
       return parseNumber<unsigned>(value, "an optimisation level of ptxas from 0 to 3",
                                    o.ptxasLevel.emplace(),
                                    [](unsigned level) { return level <= 3; });
     }},
    {"profile", "verifier rules: tileiras-13.5 (default), public or tileiras-13.1",
     [](const EngineOptions &o) { return o.profile; },
     [](EngineOptions &o, llvm::StringRef value) -> llvm::Error {
       if (!parseProfile(value))
         return expected("the profile public, tileiras-13.5 or tileiras-13.1", value);
       o.profile = value.str();
       return llvm::Error::success();
     }},
    {"seed", "seed of generated cases and random schedules",
     [](const EngineOptions &o) { return std::to_string(o.seed); },
     [](EngineOptions &o, llvm::StringRef value) -> llvm::Error {
       return parseNumber<uint64_t>(value, "a number as seed", o.seed);
     }},
    {"schedule", "thread schedule of the emulator: fifo, lifo or random",
     [](const EngineOptions &o) { return o.emulator.schedule; },
     [](EngineOptions &o, llvm::StringRef value) -> llvm::Error {
       if (!emulator::parseSchedule(value))
         return expected("the schedule fifo, lifo or random", value);
       o.emulator.schedule = value.str();
       return llvm::Error::success();
     }},
    {"detect-races", "run the emulator with its race detector: ten times slower",
     [](const EngineOptions &o) { return printSwitch(o.emulator.detectRaces); },
     [](EngineOptions &o, llvm::StringRef value) -> llvm::Error {
       return parseSwitch(value, "true or false for --detect-races", o.emulator.detectRaces);
     },
     /*isSwitch=*/true},
    {"counters", "append the emulator's counters of every launch to this file, as lines of JSON",
     [](const EngineOptions &o) { return o.emulator.counterFile; },
     [](EngineOptions &o, llvm::StringRef value) -> llvm::Error {
       o.emulator.counterFile = value.str();
       return llvm::Error::success();
     }},
    {"fuse-fma", "compile with products and sums fused, which changes results",
     [](const EngineOptions &o) { return printSwitch(o.compile.fuseFma); },
     [](EngineOptions &o, llvm::StringRef value) -> llvm::Error {
       return parseSwitch(value, "true or false for --fuse-fma", o.compile.fuseFma);
     },
     /*isSwitch=*/true},
    {"host-maps", "host code makes the tensor maps that follow from the arguments",
     [](const EngineOptions &o) { return printSwitch(o.compile.hostMaps); },
     [](EngineOptions &o, llvm::StringRef value) -> llvm::Error {
       return parseSwitch(value, "true or false for --host-maps", o.compile.hostMaps);
     },
     /*isSwitch=*/true},
    {"optimize-ir", "run the emulator on the LLVM IR behind LLVM's optimiser",
     [](const EngineOptions &o) { return printSwitch(o.optimizeIR); },
     [](EngineOptions &o, llvm::StringRef value) -> llvm::Error {
       return parseSwitch(value, "true or false for --optimize-ir", o.optimizeIR);
     },
     /*isSwitch=*/true},
    {"dump-lowered", "print the LLVM IR that the emulator runs to standard error",
     [](const EngineOptions &o) { return printSwitch(o.emulator.dumpLowered); },
     [](EngineOptions &o, llvm::StringRef value) -> llvm::Error {
       return parseSwitch(value, "true or false for --dump-lowered", o.emulator.dumpLowered);
     },
     /*isSwitch=*/true},
};

} // namespace

llvm::ArrayRef<Row> tilesmith::oracles::engineOptionTable() {
  return kRows;
}

std::vector<std::string> tilesmith::oracles::printEngineOptions(const EngineOptions &options) {
  return printOptions(engineOptionTable(), options);
}

llvm::Error tilesmith::oracles::parseEngineOptions(llvm::ArrayRef<std::string> words,
                                                   EngineOptions &options) {
  return parseOptions(engineOptionTable(), words, options);
}
