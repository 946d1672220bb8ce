//===- Serve.cpp - the process that runs the launches of a driver -----------------------------===//
#include "oracles/engines/runtime/Serve.h"

#include "compiler/support/Plants.h"
#include "oracles/devices/driver/Protocol.h"
#include "oracles/engines/runtime/MachineCode.h"
#include "oracles/engines/runtime/Session.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <sys/mman.h>
#include <thread>

using namespace tilesmith;
using namespace tilesmith::runtime;

namespace {

/// Up to this size, pages are brought in when they are mapped and not when they are touched.
constexpr uint64_t kPopulated = uint64_t(1) << 22;

llvm::json::Value toJSON(const std::optional<std::array<int64_t, 3>> &index) {
  return index ? llvm::json::Value(llvm::json::Array(*index)) : nullptr;
}

/// The findings of a launch, for clients that look into them.
std::string printReport(const LaunchResult &result) {
  llvm::json::Array rows;
  for (const Finding &finding : result.findings)
    rows.push_back(llvm::json::Object{{"engine", finding.engine},
                                      {"kind", finding.kind},
                                      {"message", llvm::json::fixUTF8(finding.message)},
                                      {"kernel", llvm::json::fixUTF8(finding.kernel)},
                                      {"block", toJSON(finding.block)},
                                      {"thread", toJSON(finding.thread)},
                                      {"file", llvm::json::fixUTF8(finding.file)},
                                      {"line", finding.line},
                                      {"column", finding.column},
                                      {"undecided", finding.undecided}});
  return llvm::formatv("{0}", llvm::json::Value(std::move(rows)));
}

class Server {
public:
  /// The answer to a request; nothing when it makes no sense.
  std::optional<std::string> answer(const std::string &message) {
    driver::Reader from(message);
    driver::Writer to;
    switch (from.number<driver::Request>()) {
    case driver::Request::Configure:
      to.text(configure(from));
      break;
    case driver::Request::Load:
      load(from, to);
      break;
    case driver::Request::Unload:
      to.text(unload(from.number<uint64_t>()));
      break;
    case driver::Request::Variable:
      variable(from, to);
      break;
    case driver::Request::Launch: {
      driver::LaunchRequest request = driver::readLaunchRequest(from);
      if (from.ok())
        driver::write(to, launch(request));
      break;
    }
    default:
      return std::nullopt;
    }
    if (!from.ok())
      return std::nullopt;
    return std::move(to.bytes);
  }

private:
  std::string configure(driver::Reader &from) {
    Settings changed = settings;
    for (uint64_t left = from.count(16); left; --left) {
      std::string name = from.text(), value = from.text();
      llvm::Error error =
          name == "plant" ? activatePlant(value) : Session::set(changed, name, value);
      if (error)
        return llvm::toString(std::move(error));
    }
    if (llvm::Error error = session.configure(changed))
      return llvm::toString(std::move(error));
    settings = std::move(changed);
    return "";
  }

  void load(driver::Reader &from, driver::Writer &to) {
    std::string image = from.text();
    auto module = session.load(image, from.number<uint32_t>());
    if (!module) {
      llvm::Error error = module.takeError();
      bool wrongGPU = error.isA<WrongGPU>();
      to.text(llvm::toString(std::move(error))).number(uint32_t(wrongGPU));
      return;
    }
    modules[++lastModule] = *module;
    std::vector<driver::Entry> entries;
    for (const Entry &entry : Session::entries(**module)) {
      driver::Entry &sent = entries.emplace_back();
      sent.name = entry.name;
      for (const Parameter &parameter : entry.parameters)
        sent.parameters.push_back({parameter.isPointer, parameter.size, parameter.offset});
    }
    to.text("").number(lastModule);
    driver::write(to, entries);
  }

  std::string unload(uint64_t number) {
    auto it = modules.find(number);
    if (it == modules.end())
      return "expected a module that was loaded";
    session.unload(it->second);
    modules.erase(it);
    return "";
  }

  void variable(driver::Reader &from, driver::Writer &to) {
    auto module = modules.find(from.number<uint64_t>());
    const std::string name = from.text();
    if (module == modules.end()) {
      to.number(driver::VariableStatus::Refused).text("expected a module that was loaded");
      return;
    }
    auto contents = session.variable(*module->second, name);
    if (!contents)
      to.number(driver::VariableStatus::Refused).text(llvm::toString(contents.takeError()));
    else if (!*contents)
      to.number(driver::VariableStatus::None).text("no variable '" + name + "' in the module");
    else
      to.number(driver::VariableStatus::Found)
          .text(std::string((*contents)->begin(), (*contents)->end()));
  }

  driver::LaunchAnswer launch(const driver::LaunchRequest &request) {
    driver::LaunchAnswer answer;
    auto module = modules.find(request.module);
    if (module == modules.end()) {
      answer.status = driver::Status::Refused;
      answer.error = "expected a module that was loaded";
      return answer;
    }
    std::vector<const driver::Pages *> mapped;
    llvm::scope_exit unmap([&] {
      for (const driver::Pages *pages : mapped)
        ::munmap(reinterpret_cast<void *>(pages->address), pages->size);
    });
    for (const driver::Pages &pages : request.pages) {
      void *wanted = reinterpret_cast<void *>(pages.address);
      int file = pages.file == driver::kOwnMemory ? driver::kOwnMemory : driver::kStaging;
      // Small memory is used whole; of large memory a kernel may touch little.
      int flags = MAP_SHARED | MAP_FIXED_NOREPLACE | (pages.size <= kPopulated ? MAP_POPULATE : 0);
      void *got = ::mmap(wanted, pages.size, PROT_READ | PROT_WRITE, flags, file,
                         static_cast<off_t>(pages.offset));
      if (got == MAP_FAILED) {
        answer.status = errno == EEXIST ? driver::Status::Conflict : driver::Status::Refused;
        answer.error = llvm::formatv("cannot map {0} bytes at {1:x}: {2}", pages.size,
                                     pages.address, std::strerror(errno));
        return answer;
      }
      mapped.push_back(&pages);
    }

    Launch launch;
    launch.module = module->second;
    launch.entry = request.entry;
    for (int i = 0; i < 3; ++i)
      launch.grid[i] = static_cast<int64_t>(request.grid[i]), launch.block[i] = request.block[i];
    launch.sharedBytes = request.sharedBytes;
    for (const std::string &argument : request.arguments)
      launch.arguments.emplace_back(argument.begin(), argument.end());
    for (const driver::Range &range : request.ranges)
      launch.ranges.push_back({reinterpret_cast<uint8_t *>(range.address), range.size, range.name});
    for (const driver::Span &span : request.unwritten)
      launch.unwritten.push_back({span.address, span.size});
    for (const driver::Placement &variable : request.variables)
      launch.variables.emplace_back(variable.name, reinterpret_cast<uint8_t *>(variable.address));
    auto result = session.launch(launch);
    if (!result) {
      answer.status = driver::Status::Refused;
      answer.error = llvm::toString(result.takeError());
      return answer;
    }
    for (const Span &span : result->unwritten)
      answer.unwritten.push_back({span.base, span.size});
    bool decided = false;
    for (const Finding &finding : result->findings) {
      answer.findings.push_back({finding.kind, finding.str(), finding.undecided});
      decided |= !finding.undecided;
    }
    answer.status = result->ok() ? driver::Status::Done
                    : decided    ? driver::Status::Finding
                                 : driver::Status::Undecided;
    answer.report = printReport(*result);
    answer.printed = std::move(result->printed);
    answer.captured = std::move(result->captured);
    return answer;
  }

  Session session;
  Settings settings;
  llvm::DenseMap<uint64_t, Module *> modules;
  uint64_t lastModule = 0;
};

} // namespace

void runtime::serve(const std::function<void()> &atEnd) {
  // Ends the process when the client has closed its end, even while a kernel runs. Not by a signal:
  // its handler would wait for ever for the memory's lock when it interrupts who holds it.
  std::thread watcher([&] {
    pollfd waiting = {driver::kSocket, POLLRDHUP, 0};
    while (::poll(&waiting, 1, -1) < 0 && errno == EINTR)
      ;
    atEnd();
    ::_exit(0);
  });
  Server server;
  std::string message;
  while (driver::receiveMessage(driver::kSocket, message)) {
    std::optional<std::string> answer = server.answer(message);
    if (!answer) {
      atEnd();
      ::_exit(2);
    }
    if (!driver::sendMessage(driver::kSocket, *answer))
      break;
  }
  ::shutdown(driver::kSocket, SHUT_RDWR); // what is left that the watcher could wait for
  watcher.join();
  llvm_unreachable("the watcher ends the process");
}
