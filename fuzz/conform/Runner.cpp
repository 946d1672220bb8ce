//===- Runner.cpp - what runs the output of a compiler on this machine ------------------------===//
#include "fuzz/conform/Runner.h"

#include "fuzz/conform/List.h"
#include "oracles/devices/emulator/Emulator.h"
#include "oracles/devices/sass/Sass.h"
#include "oracles/engines/HostMemory.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/Regex.h"

using namespace tilesmith;
using namespace tilesmith::fuzz::conform;
using llvm::StringRef;
namespace json = llvm::json;

/// How it ended; addresses of this process would make each run another one.
static json::Object ended(const llvm::Twine &text) {
  std::string said = text.str();
  llvm::Regex address("0x[0-9a-f]{6,}");
  for (llvm::SmallVector<StringRef> found; address.match(said, &found);)
    said = address.sub("(address)", said);
  return json::Object{{"ended", said}};
}

/// Runs all launches of the case on a program of a device; `configure` sets what its compiler chose.
template <typename Config, typename Program, typename IsLimit>
static json::Object runLaunches(const testcase::TestCase &testCase, Program &program,
                                llvm::function_ref<void(Config &, StringRef entry)> configure,
                                IsLimit isLimit) {
  oracles::HostMemory memory(testCase);
  for (const testcase::Launch &launch : testCase.launches) {
    auto image = memory.flatten(launch);
    if (!image)
      return ended(llvm::toString(image.takeError()));
    memory.declareTo(program);
    Config config;
    for (int i = 0; i < 3; ++i)
      config.grid[i] = static_cast<uint32_t>(image->grid[i]);
    configure(config, image->entry);
    auto report = program.launch(image->entry, config, oracles::argumentBytes(*image));
    if (!report.ok())
      return ended((isLimit(report.status) ? kLimitOfRunner.str() : "") + toString(report.status) +
                   ": " + report.message);
  }
  oracles::EngineResult result;
  memory.readBack(result);
  if (!result.completed())
    return ended(result.message);
  json::Array buffers;
  for (auto [buffer, after] : llvm::zip(testCase.buffers, result.buffers)) {
    StringRef bytes = llvm::toStringRef(llvm::ArrayRef(after.bytes));
    json::Object facts{{"sha256", sha256(bytes)}};
    if (bytes != llvm::toStringRef(llvm::ArrayRef(buffer.expected())))
      facts["bytes"] = llvm::encodeBase64(bytes);
    buffers.push_back(std::move(facts));
  }
  return json::Object{{"ended", "completed"}, {"buffers", std::move(buffers)}};
}

static json::Object runLLVM(const testcase::TestCase &testCase, StringRef ir) {
  auto program = emulator::Program::parse(ir);
  if (!program)
    return ended(llvm::toString(program.takeError()));
  // Function attributes of the kernel; all of them are of this compiler's own making.
  auto number = [&](StringRef name) {
    unsigned value = 0;
    StringRef at = ir.split(("\"" + name + "\"=\"").str()).second;
    at.take_while(llvm::isDigit).getAsInteger(10, value);
    return value;
  };
  using Status = emulator::Report::Status;
  return runLaunches<emulator::LaunchConfig>(
      testCase, **program,
      [&](emulator::LaunchConfig &config, StringRef) {
        config.block[0] = number("tilesmith-threads");
        config.dynamicSharedBytes = number("tilesmith-shared-bytes");
      },
      [](Status status) { return status == Status::OutOfMemory || status == Status::Unsupported; });
}

static json::Object runCubin(const testcase::TestCase &testCase, StringRef cubin) {
  auto program = sass::Program::create(llvm::arrayRefFromStringRef(cubin));
  if (!program)
    return ended(llvm::toString(program.takeError()));
  using Status = sass::Report::Status;
  return runLaunches<sass::LaunchConfig>(
      testCase, **program,
      [&](sass::LaunchConfig &config, StringRef entry) {
        config.block = (*program)->blockOf(entry);
      },
      [](Status status) { return status == Status::Timeout || status == Status::Unsupported; });
}

llvm::ArrayRef<Runner> tilesmith::fuzz::conform::runners() {
  static constexpr Runner kRunners[] = {{"emulator", " --emit=llvm", runLLVM},
                                        {"machine-code", "", runCubin}};
  return kRunners;
}

const Runner *tilesmith::fuzz::conform::findRunner(StringRef name) {
  const Runner *runner = llvm::find_if(runners(), [&](const Runner &r) { return r.name == name; });
  return runner == runners().end() ? nullptr : runner;
}
