//===- Bundle.cpp - writes bundles, reads their results (see Bundle.h) ------------------------===//
#include "oracles/engines/cuda/Bundle.h"

#include "compiler/pipeline/Pipeline.h"
#include "compiler/pipeline/Registration.h"
#include "compiler/support/OutputFolder.h"
#include "compiler/target/PTX.h"
#include "oracles/devices/sass/Cubin.h"
#include "oracles/engines/ModuleLoader.h"
#include "oracles/engines/ReferenceEngine.h"
#include "reference/testcase/Launch.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace tilesmith;
using namespace tilesmith::oracles;
namespace json = llvm::json;

namespace {

llvm::StringRef text(const testcase::Bytes &bytes) {
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

/// The arguments of a launch, as the plain words that an engine passes.
json::Array printArguments(const testcase::TestCase &testCase, const testcase::Launch &launch) {
  json::Array result;
  auto pointer = [&](unsigned buffer, int64_t bytes, json::Object object) {
    object["buffer"] = buffer;
    object["offset"] = bytes;
    return object;
  };
  for (const testcase::Parameter &p : launch.params) {
    switch (p.kind) {
    case testcase::Parameter::Kind::Pointer:
      result.push_back(pointer(p.buffer, p.offset * int64_t(sizeInBytes(p.dtype)),
                               json::Object{{"kind", "buffer"}}));
      break;
    case testcase::Parameter::Kind::Scalar:
      result.push_back(json::Object{{"kind", "scalar"},
                                    {"bits", llvm::formatv("{0:x}", p.bits).str()},
                                    {"size", int64_t(sizeInBytes(p.dtype))}});
      break;
    case testcase::Parameter::Kind::Table: {
      json::Array words;
      for (const auto &row : p.rows)
        for (const testcase::TableWord &word : row)
          if (word.isPointer)
            words.push_back(pointer(
                word.buffer,
                word.offset * int64_t(sizeInBytes(testCase.buffers[word.buffer].dtype)), {}));
          else
            words.push_back(json::Object{{"word", llvm::formatv("{0:x}", word.word).str()}});
      result.push_back(json::Object{{"kind", "table"}, {"words", std::move(words)}});
      break;
    }
    }
  }
  return result;
}

/// PTX for one launch, and the launch's block size and shared memory.
llvm::Error compileLaunch(ModuleLoader &loader, const testcase::Launch &launch,
                          llvm::StringRef version, const CompileOptions &options, std::string &ptx,
                          json::Object &entry) {
  auto module = loader.load(launch, version);
  if (!module)
    return module.takeError();
  CompileOptions compile = options;
  compile.hostMaps = false; // nobody calls code for the host of PTX
  auto device = compileToDeviceModule(*module, compile);
  if (!device)
    return device.takeError();
  auto kernel = llvm::find_if(
      device->kernels, [&](const target::KernelInfo &info) { return info.name == launch.kernel; });
  if (kernel == device->kernels.end())
    return llvm::createStringError("no kernel named '" + launch.kernel +
                                   "' in the compiled module");
  entry["block"] = json::Array{int64_t(kernel->threads), 1, 1};
  entry["shared"] = int64_t(kernel->sharedBytes);
  if (llvm::Error error =
          target::optimizeForPTX(*device->module, options.gpuName, options.optLevel))
    return error;
  auto code = target::emitPTX(*device->module, options.gpuName, options.optLevel);
  if (!code)
    return code.takeError();
  ptx = std::move(*code);
  return llvm::Error::success();
}

llvm::StringRef modeName(testcase::Comparison::Mode mode) {
  switch (mode) {
  case testcase::Comparison::Mode::Exact:
    return "exact";
  case testcase::Comparison::Mode::Close:
    return "close";
  case testcase::Comparison::Mode::Enclosure:
    return "enclosure";
  }
  llvm_unreachable("all modes are listed");
}

llvm::Error writeInto(const testcase::TestCase &testCase, llvm::StringRef version,
                      const BundleOptions &options, const OutputFolder &folder) {
  json::Array launches, buffers;
  mlir::DialectRegistry registry;
  registerCompilerDialects(registry);
  ModuleLoader loader(registry, options.engine.profile);
  for (auto [i, launch] : llvm::enumerate(testCase.launches)) {
    json::Object entry{{"entry", launch.kernel},
                       {"grid", json::Array{launch.grid[0], launch.grid[1], launch.grid[2]}},
                       {"arguments", printArguments(testCase, launch)}};
    if (!options.cubin.empty()) {
      auto cubin = llvm::MemoryBuffer::getFile(options.cubin, false, false);
      if (!cubin)
        return llvm::createStringError("cannot read '" + options.cubin +
                                       "': " + cubin.getError().message());
      auto elf = sass::Elf::read(llvm::arrayRefFromStringRef((*cubin)->getBuffer()));
      if (!elf)
        return llvm::createStringError("'" + options.cubin +
                                       "': " + llvm::toString(elf.takeError()));
      if (!elf->find(".text." + launch.kernel))
        return llvm::createStringError("expected code of '" + launch.kernel + "' in '" +
                                       options.cubin + "'");
      const std::string name = llvm::formatv("l{0}.cubin", i);
      if (llvm::Error error = folder.write(name, (*cubin)->getBuffer()))
        return error;
      entry["cubin"] = name;
      entry["tile_ir"] = true; // the driver takes the block size from the cubin
      entry["block"] = json::Array{1, 1, 1};
      entry["shared"] = 0;
    } else {
      std::string ptx;
      if (llvm::Error error =
              compileLaunch(loader, launch, version, options.engine.compile, ptx, entry))
        return error;
      const std::string name = llvm::formatv("l{0}.ptx", i);
      if (llvm::Error error = folder.write(name, ptx))
        return error;
      entry["ptx"] = name;
    }
    launches.push_back(std::move(entry));
  }

  // What the case does not store, the reference computes.
  EngineResult computed;
  const bool needsReference = llvm::any_of(
      testCase.buffers, [](const testcase::Buffer &buffer) { return !hasExpectation(buffer); });
  if (options.withExpectations && needsReference)
    computed = createReferenceEngine()->run({testCase, version.str(), options.engine});
  for (auto [i, buffer] : llvm::enumerate(testCase.buffers)) {
    const std::string data = llvm::formatv("b{0}.bin", i), want = llvm::formatv("b{0}.out.bin", i);
    if (llvm::Error error = folder.write(data, text(buffer.data)))
      return error;
    json::Object entry{{"dtype", spelling(buffer.dtype).str()},
                       {"data", data},
                       {"mode", modeName(buffer.compare.mode).str()},
                       {"atol", buffer.compare.atol},
                       {"rtol", buffer.compare.rtol}};
    const testcase::Bytes *expected = nullptr;
    if (hasExpectation(buffer) && buffer.open.empty())
      expected = &buffer.expected();
    else if (computed.completed() && i < computed.buffers.size() &&
             computed.buffers[i].ignored.empty())
      expected = &computed.buffers[i].bytes;
    if (expected && options.withExpectations && !testCase.traps) {
      if (llvm::Error error = folder.write(want, text(*expected)))
        return error;
      entry["expect"] = want;
    }
    buffers.push_back(std::move(entry));
  }
  json::Object document{{"format", 1},
                        {"case", testCase.name},
                        {"source", options.source},
                        {"version", version.str()},
                        {"gpu", options.engine.compile.gpuName},
                        {"traps", testCase.traps},
                        {"launches", std::move(launches)},
                        {"buffers", std::move(buffers)}};
  return folder.write("bundle.json",
                      llvm::formatv("{0:2}\n", json::Value(std::move(document))).str());
}

} // namespace

llvm::Error tilesmith::oracles::writeBundle(const testcase::TestCase &testCase,
                                            llvm::StringRef version, const BundleOptions &options,
                                            llvm::StringRef directory) {
  llvm::Expected<OutputFolder> folder = OutputFolder::create(directory);
  if (!folder)
    return folder.takeError();
  if (llvm::Error error = writeInto(testCase, version, options, *folder))
    return error;
  // What tile-gpu-replay leaves in the bundle.
  std::vector<std::string> later{"result.json", "printed.txt"};
  for (size_t i = 0; i < testCase.buffers.size(); ++i)
    later.push_back(llvm::formatv("b{0}.got.bin", i).str());
  return folder->keep(later);
}

llvm::Expected<ReplayResult> tilesmith::oracles::readReplayResult(llvm::StringRef directory) {
  const std::string path = (directory + "/result.json").str();
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError("cannot read '" + path + "': " + buffer.getError().message());
  auto document = json::parse((*buffer)->getBuffer());
  if (!document)
    return document.takeError();
  const json::Object *object = document->getAsObject();
  ReplayResult result;
  auto read = [&](llvm::StringRef key, std::string &value) {
    auto found = object ? object->getString(key) : std::nullopt;
    if (found)
      value = found->str();
    return found.has_value();
  };
  std::string verdict;
  if (!read("case", result.caseName) || !read("version", result.version) ||
      !read("verdict", verdict) || !read("detail", result.detail) || !read("device", result.device))
    return llvm::createStringError(path + ": expected case, version, verdict, detail and device");
  if (auto bundle = llvm::MemoryBuffer::getFile(directory + "/bundle.json")) {
    // Only bundles of another compiler's cubin are launched as Tile IR.
    result.ofAnother = (*bundle)->getBuffer().contains("\"tile_ir\"");
    if (auto parsed = json::parse((*bundle)->getBuffer()); !parsed)
      llvm::consumeError(parsed.takeError());
    else if (const json::Object *root = parsed->getAsObject())
      result.source = root->getString("source").value_or("").str();
  }
  using Outcome = ReplayResult::Outcome;
  auto outcome = llvm::StringSwitch<std::optional<Outcome>>(verdict)
                     .Case("agree", Outcome::Agree)
                     .Case("disagree", Outcome::Disagree)
                     .Case("failed", Outcome::Failed)
                     .Case("unavailable", Outcome::Unavailable)
                     .Default(std::nullopt);
  if (!outcome)
    return llvm::createStringError(
        path + ": expected verdict agree, disagree, failed or unavailable, found '" + verdict +
        "'");
  result.outcome = *outcome;
  // Bundles that an older tile-gpu-replay ran say so in `detail` alone.
  result.wroteOutside = object->getBoolean("wrote_outside")
                            .value_or(llvm::StringRef(result.detail).contains("wrote outside"));
  result.medianMs = object->getNumber("median_ms").value_or(0);
  result.fastestMs = object->getNumber("fastest_ms").value_or(0);
  result.slowestMs = object->getNumber("slowest_ms").value_or(0);
  return result;
}

EngineResult tilesmith::oracles::readReplayedBuffers(const testcase::TestCase &testCase,
                                                     const ReplayResult &replay,
                                                     llvm::StringRef directory) {
  using Status = EngineResult::Status;
  using Outcome = ReplayResult::Outcome;
  if (replay.outcome == Outcome::Unavailable)
    return EngineResult::stop(Status::Unavailable, replay.detail);
  if (testCase.traps && replay.outcome == Outcome::Agree)
    return EngineResult::stop(Status::Trapped, "");
  if (replay.outcome == Outcome::Failed || replay.wroteOutside)
    return EngineResult::stop(Status::Failed, replay.detail);
  EngineResult result;
  for (auto [i, buffer] : llvm::enumerate(testCase.buffers)) {
    const std::string path = llvm::formatv("{0}/b{1}.got.bin", directory, i).str();
    auto bytes = llvm::MemoryBuffer::getFile(path, false, false);
    if (!bytes)
      return EngineResult::stop(Status::Failed,
                                "cannot read '" + path + "': " + bytes.getError().message());
    if ((*bytes)->getBufferSize() != buffer.byteSize())
      return EngineResult::stop(Status::Failed,
                                llvm::formatv("'{0}': expected {1} bytes, found {2}", path,
                                              buffer.byteSize(), (*bytes)->getBufferSize()));
    result.buffers.push_back(
        {testcase::Bytes((*bytes)->getBufferStart(), (*bytes)->getBufferEnd()), {}});
  }
  if (auto printed = llvm::MemoryBuffer::getFile(directory + "/printed.txt", false, false))
    result.printed = (*printed)->getBuffer().str();
  return result;
}

namespace {

class RecordedEngine : public Engine {
public:
  RecordedEngine(ReplayResult replay, llvm::StringRef directory)
      : replay(std::move(replay)), directory(directory) {}
  llvm::StringRef name() const override { return "cuda"; }
  bool keepsToPublicText() const override { return replay.ofAnother; }
  EngineResult run(const EngineRequest &request) override {
    return readReplayedBuffers(request.testCase, replay, directory);
  }

private:
  ReplayResult replay;
  std::string directory;
};

} // namespace

std::unique_ptr<Engine> tilesmith::oracles::createRecordedEngine(ReplayResult replay,
                                                                 llvm::StringRef directory) {
  return std::make_unique<RecordedEngine>(std::move(replay), directory);
}

Verdict ReplayResult::toVerdict() const {
  if (outcome == Outcome::Agree)
    return Verdict::agree();
  if (outcome == Outcome::Unavailable)
    return Verdict::unavailable("cuda", detail);
  auto [where, how] = llvm::StringRef(detail).split(": ");
  return Verdict::disagree("cuda against the bundle", where.str(), how.str());
}
