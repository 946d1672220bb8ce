//===- ReferenceEngine.cpp - the interpreter of cuda_tile as an engine ------------------------===//
#include "oracles/engines/ReferenceEngine.h"

#include "oracles/engines/ModuleLoader.h"
#include "reference/interp/RunCase.h"
#include "reference/testcase/Launch.h"

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

class ReferenceEngine : public Engine {
public:
  llvm::StringRef name() const override { return "reference"; }
  EngineResult run(const EngineRequest &request) override;

  EngineOptions variation(EngineOptions options) const override {
    options.seed = options.seed + 1; // another order of the tile blocks
    return options;
  }
};

EngineResult::Status statusOf(reference::Outcome::Kind kind) {
  using Kind = reference::Outcome::Kind;
  switch (kind) {
  case Kind::Completed:
    return EngineResult::Status::Completed;
  case Kind::Trapped:
    return EngineResult::Status::Trapped;
  case Kind::Undefined:
    return EngineResult::Status::Undefined;
  case Kind::Inconclusive:
    return EngineResult::Status::Inconclusive;
  case Kind::Unsupported:
    return EngineResult::Status::Unsupported;
  case Kind::BadLaunch:
    return EngineResult::Status::Failed;
  }
  llvm_unreachable("all kinds are listed");
}

/// Floats stand for every legal result where a buffer is judged that way; a case that stores what
/// it wants is compared with the canonical result.
reference::Domain domainOf(const testcase::TestCase &testCase) {
  bool enclosed = llvm::any_of(testCase.buffers, [](const testcase::Buffer &buffer) {
    return buffer.compare.mode == testcase::Comparison::Mode::Enclosure;
  });
  return enclosed ? reference::Domain::Enclosure : reference::Domain::Concrete;
}

EngineResult ReferenceEngine::run(const EngineRequest &request) {
  using Status = EngineResult::Status;
  ModuleLoader loader(mlir::DialectRegistry(), request.options.profile);
  reference::Interpreter interpreter;
  reference::Memory &memory = interpreter.memory();

  auto addresses = reference::placeBuffers(memory, request.testCase);
  if (!addresses)
    return EngineResult::stop(Status::Inconclusive, llvm::toString(addresses.takeError()));
  auto placeTable = [&](llvm::ArrayRef<uint64_t> words) {
    return reference::placeTable(memory, words);
  };

  if (startsAtTileAA(request.testCase, request.version))
    return EngineResult::stop(Status::Unsupported, "the case begins at nv_tileaa");
  EngineResult result;
  for (const testcase::Launch &launch : request.testCase.launches) {
    auto module = loader.load(launch, request.version);
    if (!module)
      return EngineResult::stop(Status::Rejected, llvm::toString(module.takeError()));
    auto image = testcase::flattenLaunch(request.testCase, launch, *addresses, placeTable);
    if (!image)
      return EngineResult::stop(Status::Failed, llvm::toString(image.takeError()));
    reference::LaunchRequest launchRequest;
    launchRequest.entry = image->entry;
    launchRequest.grid = image->grid;
    launchRequest.seed = request.options.seed;
    launchRequest.detectRaces = true;
    launchRequest.domain = domainOf(request.testCase);
    for (const testcase::KernelArgument &argument : image->arguments)
      launchRequest.arguments.push_back(argument.bits);
    reference::Outcome outcome = interpreter.launch(*module, launchRequest);
    result.printed += outcome.printed();
    result.work += outcome.elements;
    if (result.openOrder.empty())
      result.openOrder = outcome.openOrder;
    if (result.falseAssumption.empty())
      result.falseAssumption = outcome.falseAssumption;
    if (result.extension.empty())
      result.extension = outcome.extension;
    if (!outcome.completed()) {
      result.status = statusOf(outcome.kind);
      result.message = result.status == Status::Trapped ? outcome.message : outcome.describe();
      result.label = outcome.detail;
      return result;
    }
  }
  for (auto [buffer, address] : llvm::zip(request.testCase.buffers, *addresses)) {
    BufferResult &out = result.buffers.emplace_back();
    const reference::Allocation *allocation = memory.find(address);
    if (!allocation || allocation->base != address)
      continue; // a buffer of no elements owns no storage
    reference::BufferResult left = reference::readBuffer(*allocation, buffer);
    out.bytes = std::move(left.bytes);
    out.ignored = std::move(left.ignored);
    out.enclosure = std::move(left.enclosure);
  }
  return result;
}

} // namespace

std::unique_ptr<Engine> tilesmith::oracles::createReferenceEngine() {
  return std::make_unique<ReferenceEngine>();
}
