//===- Registry.cpp - every engine, one line each ---------------------------------------------===//
#include "oracles/engines/ConfiguredEngine.h"
#include "oracles/engines/EmulatorEngine.h"
#include "oracles/engines/Engine.h"
#include "oracles/engines/ReferenceEngine.h"
#include "oracles/engines/cuda/CudaEngine.h"
#include "oracles/engines/sass/SassEngine.h"
#include "oracles/engines/tileaa/TileAAEngine.h"
#include "oracles/engines/tileas/TileASEngine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilesmith::oracles;

static constexpr EngineEntry kEngines[] = {
    {"reference", "interprets cuda_tile on the host, exactly", createReferenceEngine},
    {"tileaa", "interprets the module after convert-cudatile-to-tileaa", createTileAAEngine},
    {"tileaa-opt", "interprets it after the canonicalizers, CSE and facts of that stage",
     createTileAAOptEngine},
    {"tileas", "interprets it before per-thread code: layouts, registers, barriers",
     createTileASEngine},
    {"emulator", "compiles to LLVM IR and runs it on the emulated GPU", createEmulatorEngine},
    {"sass", "compiles to PTX, has ptxas assemble it, and runs the machine code on the CPU",
     createSassEngine, "PTX backend",
     "PTX backend of LLVM, ptxas, inline PTX of the emulator's twins, the device sass"},
    {"external", "runs the machine code of another compiler (external@PATH:sm_80:O3) on the CPU",
     createExternalEngine, "external compiler", "the external compiler, the device sass"},
    {"cuda", "compiles to PTX and runs it on the GPU of this machine", createCudaEngine,
     "PTX backend",
     "PTX backend of LLVM, ptxas, GPU and its driver, inline PTX of the emulator's twins"},
};

llvm::ArrayRef<EngineEntry> tilesmith::oracles::engineRegistry() {
  return kEngines;
}

llvm::Expected<std::vector<std::unique_ptr<Engine>>>
tilesmith::oracles::createEngines(llvm::StringRef list) {
  std::vector<std::unique_ptr<Engine>> engines;
  llvm::SmallVector<llvm::StringRef> names;
  list.split(names, ',');
  for (llvm::StringRef spec : names) {
    llvm::StringRef name = spec.split('@').first;
    const EngineEntry *entry =
        llvm::find_if(kEngines, [&](const EngineEntry &e) { return e.name == name; });
    if (entry == std::end(kEngines)) {
      std::string known =
          llvm::join(llvm::map_range(kEngines, [](const EngineEntry &e) { return e.name; }), ", ");
      return llvm::createStringError(
          llvm::formatv("expected engines among {0}, found '{1}'", known, name).str());
    }
    if (llvm::any_of(engines, [spec](auto &engine) { return engine->name() == spec; }))
      return llvm::createStringError(
          llvm::formatv("expected every engine once, found '{0}' twice", spec).str());
    engines.push_back(entry->create());
    auto parsed = parseEngineSpec(spec);
    if (!parsed)
      return parsed.takeError();
    if (parsed->settings != EngineSettings())
      engines.back() = configureEngine(std::move(engines.back()), spec, parsed->settings);
  }
  return engines;
}

EngineResult EngineResult::stop(Status status, std::string message) {
  EngineResult result;
  result.status = status;
  result.message = std::move(message);
  return result;
}

llvm::StringRef tilesmith::oracles::toString(EngineResult::Status status) {
  switch (status) {
  case EngineResult::Status::Completed:
    return "completed";
  case EngineResult::Status::Trapped:
    return "trapped";
  case EngineResult::Status::Rejected:
    return "rejected";
  case EngineResult::Status::Undefined:
    return "undefined";
  case EngineResult::Status::Inconclusive:
    return "inconclusive";
  case EngineResult::Status::Unsupported:
    return "unsupported";
  case EngineResult::Status::Failed:
    return "failed";
  case EngineResult::Status::Unavailable:
    return "unavailable";
  }
  llvm_unreachable("all statuses are listed");
}
