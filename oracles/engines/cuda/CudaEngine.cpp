//===- CudaEngine.cpp - runs cases on the GPU of this machine (see CudaEngine.h) --------------===//
//
// All use of the driver is in tile-gpu-replay, so that a fault never poisons this process. That
// there is no GPU is found out once.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/engines/cuda/CudaEngine.h"

#include "oracles/engines/cuda/Bundle.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

/// A folder that goes away with the object.
struct TemporaryFolder {
  llvm::SmallString<128> path;
  TemporaryFolder() { llvm::sys::fs::createUniqueDirectory("tilesmith-cuda", path); }
  ~TemporaryFolder() { llvm::sys::fs::remove_directories(path); }
};

class CudaEngine : public Engine {
public:
  llvm::StringRef name() const override { return "cuda"; }
  EngineResult run(const EngineRequest &request) override;

private:
  std::string unavailable; ///< why, once it is known
};

std::string replayProgram() {
  static int anchor;
  const std::string self = llvm::sys::fs::getMainExecutable("tilesmith", &anchor);
  llvm::SmallString<128> beside(llvm::sys::path::parent_path(self));
  llvm::sys::path::append(beside, "tile-gpu-replay");
  if (llvm::sys::fs::can_execute(beside))
    return beside.str().str();
  auto found = llvm::sys::findProgramByName("tile-gpu-replay");
  return found ? *found : std::string();
}

EngineResult CudaEngine::run(const EngineRequest &request) {
  using Status = EngineResult::Status;
  using Outcome = ReplayResult::Outcome;
  if (!unavailable.empty())
    return EngineResult::stop(Status::Unavailable, unavailable);
  const std::string program = replayProgram();
  if (program.empty()) {
    unavailable = "tile-gpu-replay is neither beside tilesmith nor in PATH";
    return EngineResult::stop(Status::Unavailable, unavailable);
  }
  TemporaryFolder folder;
  const std::string bundle = (folder.path + "/bundle").str(), log = (folder.path + "/log").str();
  BundleOptions options;
  options.engine = request.options;
  options.withExpectations = false; // the differential oracle judges
  if (llvm::Error error = writeBundle(request.testCase, request.version, options, bundle))
    return EngineResult::stop(Status::Failed, llvm::toString(std::move(error)));
  const llvm::StringRef command[] = {program, "--repeat=0", bundle};
  std::optional<llvm::StringRef> redirects[] = {"", llvm::StringRef(log), llvm::StringRef(log)};
  std::string failure;
  llvm::sys::ExecuteAndWait(program, command, std::nullopt, redirects, 120, 0, &failure);
  auto replay = readReplayResult(bundle);
  if (!replay)
    return EngineResult::stop(Status::Failed, llvm::toString(replay.takeError()) + " " + failure);
  if (replay->outcome == Outcome::Unavailable) {
    unavailable = replay->detail;
    return EngineResult::stop(Status::Unavailable, unavailable);
  }
  return readReplayedBuffers(request.testCase, *replay, bundle);
}

} // namespace

std::unique_ptr<Engine> tilesmith::oracles::createCudaEngine() {
  return std::make_unique<CudaEngine>();
}
