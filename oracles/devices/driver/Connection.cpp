//===- Connection.cpp - the process that runs the launches ------------------------------------===//
//
// Memory of a launch: own memory is shared, so the server maps what is allocated and nothing is
// copied. Host memory that was named is copied page by page into the file of copies, which the
// server maps at the same addresses, and copied back behind the launch; process_vm_readv on this
// very process turns memory that is gone into an error instead of a signal.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/driver/Connection.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <fstream>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>

using namespace tilesmith::driver;

extern char **environ;

namespace {

constexpr uint64_t kPage = 4096;
/// More copies than this are not kept for the next launch.
constexpr uint64_t kLargeCopies = uint64_t(1) << 28;
/// Own memory begins here: far from where Linux puts programs, heaps, libraries and stacks, and from
/// the shadow of the address sanitizer.
constexpr uint64_t kFirstAddress = uint64_t(0x1100) << 32;
constexpr uint64_t kLastAddress = uint64_t(0x4000) << 32;

/// What concerns the driver alone.
constexpr const char *kOwnSettings[] = {"gpu-name", "log", "on-finding", "server"};
/// What the server is told.
constexpr const char *kServerSettings[] = {"engine",
                                           "schedule",
                                           "detect-races",
                                           "uninitialised",
                                           "time-limit",
                                           "capture",
                                           "seed",
                                           "O",
                                           "warps",
                                           "strategies",
                                           "capture-findings",
                                           "plant",
                                           "math-library",
                                           "cuda-path",
                                           "strict-assumptions"};

uint64_t roundUp(uint64_t size) {
  return (size + kPage - 1) / kPage * kPage;
}

int sharedFile(const char *name) {
  int file = ::memfd_create(name, MFD_CLOEXEC);
  // Away from the numbers that a server gets, so that handing them over overwrites none.
  int moved = file < 0 ? -1 : ::fcntl(file, F_DUPFD_CLOEXEC, 100);
  if (file >= 0)
    ::close(file);
  return moved;
}

/// The `tilesmith` that belongs to this library.
std::string serverPath() {
  if (auto path = setting("server"))
    return *path;
  Dl_info info;
  if (!::dladdr(reinterpret_cast<void *>(&serverPath), &info) || !info.dli_fname)
    return "tilesmith";
  std::string path = info.dli_fname;
  if (char *real = ::realpath(path.c_str(), nullptr)) {
    path = real;
    ::free(real);
  }
  for (int i = 0; i < 3; ++i) // PREFIX/lib/tilesmith/libcuda.so.1
    path.resize(path.rfind('/') == std::string::npos ? 0 : path.rfind('/'));
  return path + "/bin/tilesmith";
}

/// Bytes that the machine can give to somebody without taking them from another.
uint64_t availableMemory() {
  std::ifstream file("/proc/meminfo");
  for (std::string word; file >> word;)
    if (word == "MemAvailable:" && file >> word)
      return std::strtoull(word.c_str(), nullptr, 10) * 1024;
  return UINT64_MAX;
}

/// Copies within this process; false where memory is gone.
bool copy(uint64_t to, uint64_t from, uint64_t size) {
  iovec local = {reinterpret_cast<void *>(to), size},
        remote = {reinterpret_cast<void *>(from), size};
  for (uint64_t done = 0; done < size;) {
    local = {reinterpret_cast<void *>(to + done), size - done};
    remote = {reinterpret_cast<void *>(from + done), size - done};
    ssize_t moved = ::process_vm_readv(::getpid(), &local, 1, &remote, 1, 0);
    if (moved < 0 && (errno == ENOSYS || errno == EPERM)) { // a sandbox without it
      std::memcpy(local.iov_base, remote.iov_base, size - done);
      return true;
    }
    if (moved <= 0)
      return false;
    done += static_cast<uint64_t>(moved);
  }
  return true;
}

/// Sorted; what overlaps or touches the same bytes is one.
std::vector<Range> merged(std::vector<Range> ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const Range &a, const Range &b) { return a.address < b.address; });
  std::vector<Range> result;
  for (Range &range : ranges) {
    if (!range.size)
      continue;
    if (!result.empty() && range.address < result.back().address + result.back().size) {
      Range &last = result.back();
      last.size = std::max(last.address + last.size, range.address + range.size) - last.address;
    } else {
      result.push_back(std::move(range));
    }
  }
  return result;
}

} // namespace

Connection::Connection()
    : ownMemory(sharedFile("tilesmith-memory")), staging(sharedFile("tilesmith-copies")),
      nextAddress(kFirstAddress) {}

Connection::~Connection() {
  stop();
  if (stagingMap)
    ::munmap(stagingMap, stagingSize);
  ::close(ownMemory);
  ::close(staging);
}

bool Connection::map(uint64_t size, uint64_t &address, uint64_t &offset) {
  size = roundUp(size);
  auto reused = freeOffsets.find(size);
  if (reused != freeOffsets.end()) {
    offset = reused->second;
    freeOffsets.erase(reused);
  } else {
    offset = nextOffset;
    if (::ftruncate(ownMemory, static_cast<off_t>(offset + size)) != 0)
      return false;
    nextOffset += size;
  }
  // A page stays free behind each allocation. An address that is taken is passed over.
  for (; nextAddress < kLastAddress; nextAddress += size + kPage) {
    void *wanted = reinterpret_cast<void *>(nextAddress);
    void *got = ::mmap(wanted, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE,
                       ownMemory, static_cast<off_t>(offset));
    if (got == MAP_FAILED && errno == EEXIST)
      continue;
    if (got != MAP_FAILED) {
      address = nextAddress;
      nextAddress += size + kPage;
      return true;
    }
    break;
  }
  freeOffsets.emplace(size, offset);
  return false;
}

void Connection::unmap(uint64_t address, uint64_t size, uint64_t offset) {
  size = roundUp(size);
  ::munmap(reinterpret_cast<void *>(address), size);
  ::fallocate(ownMemory, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
              static_cast<off_t>(size));
  freeOffsets.emplace(size, offset);
}

std::string Connection::spawn() {
  if (socket >= 0)
    return "";
  configured = false;
  if (ownMemory < 0 || staging < 0)
    return "cannot make a file of shared memory";
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return std::string("cannot make a socket: ") + std::strerror(errno);
  int given = ::fcntl(ends[1], F_DUPFD_CLOEXEC, 100);
  socket = ::fcntl(ends[0], F_DUPFD_CLOEXEC, 100);
  ::close(ends[0]);
  ::close(ends[1]);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, given, kSocket);
  posix_spawn_file_actions_adddup2(&actions, ownMemory, kOwnMemory);
  posix_spawn_file_actions_adddup2(&actions, staging, kStaging);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // An interrupt from the terminal is for the program; the server ends when its socket does.
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setpgroup(&attributes, 0);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  std::vector<char *> environment;
  for (char **entry = environ; *entry; ++entry)
    if (std::strncmp(*entry, "LD_PRELOAD=", 11) != 0)
      environment.push_back(*entry);
  environment.push_back(nullptr);
  std::string path = serverPath(), word = "serve";
  char *words[] = {path.data(), word.data(), nullptr};
  int code =
      ::posix_spawn(&process, path.c_str(), &actions, &attributes, words, environment.data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  ::close(given);
  if (code != 0) {
    ::close(socket);
    socket = -1;
    return "cannot run '" + path + "': " + std::strerror(code);
  }
  ++generation;
  return "";
}

std::string Connection::start() {
  if (std::string why = spawn(); !why.empty())
    return why;
  if (configured)
    return "";
  configured = true;
  std::string error = sendSettings({std::begin(kServerSettings), std::end(kServerSettings)});
  if (!error.empty())
    stop();
  return error;
}

std::string Connection::sendSettings(const std::vector<std::string> &names) {
  std::vector<std::pair<std::string, std::string>> values;
  for (const std::string &name : names)
    if (auto value = setting(name))
      values.emplace_back(name, *value);
  Writer message;
  message.number(Request::Configure).number(uint64_t(values.size()));
  for (auto &[name, value] : values)
    message.text(name).text(value);
  std::string answer;
  if (std::string why = ask(message.bytes, answer); !why.empty())
    return why;
  return Reader(answer).text();
}

bool Connection::isSetting(const std::string &name) {
  auto isOneOf = [&](const auto &names) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
  };
  return isOneOf(kServerSettings) || isOneOf(kOwnSettings);
}

std::string Connection::configure(const std::string &name) {
  if (name == "server")
    stop();
  // One that was only spawned gets all of them when it is started.
  if (socket < 0 || !configured ||
      std::find(std::begin(kServerSettings), std::end(kServerSettings), name) ==
          std::end(kServerSettings))
    return "";
  if (!setting(name)) { // the default again: only a new server has it
    stop();
    return "";
  }
  return sendSettings({name});
}

void Connection::stop() {
  if (socket < 0)
    return;
  ::close(socket);
  socket = -1;
  // It ends at once: it watches its end of the socket.
  ::waitpid(process, nullptr, 0);
}

std::string Connection::describeDeath() {
  ::kill(process, SIGKILL); // one that answers no more
  int status = 0;
  ::waitpid(process, &status, 0);
  ::close(socket);
  socket = -1;
  if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL)
    return std::string("the process that runs kernels was ended by signal ") +
           std::to_string(WTERMSIG(status)) + " (" + ::strsignal(WTERMSIG(status)) + ")";
  if (WIFEXITED(status))
    return "the process that runs kernels ended with exit code " +
           std::to_string(WEXITSTATUS(status));
  return "the process that runs kernels gave no answer in time";
}

std::string Connection::ask(const std::string &message, std::string &answer) {
  // Kernels have a limit of their own; this one is for a compiler that does not end.
  auto limit = setting("time-limit");
  double seconds = limit ? std::strtod(limit->c_str(), nullptr) : 60;
  int milliseconds = static_cast<int>(std::min(4 * seconds + 300, 1e6) * 1000);
  if (sendMessage(socket, message) && receiveMessage(socket, answer, milliseconds))
    return "";
  return describeDeath();
}

bool Connection::read(void *to, const void *from, uint64_t size) {
  return copy(reinterpret_cast<uint64_t>(to), reinterpret_cast<uint64_t>(from), size);
}

std::string Connection::load(Library &library, bool *wrongGPU) {
  if (std::string why = start(); !why.empty())
    return why;
  if (library.server == generation)
    return "";
  Writer message;
  message.number(Request::Load).text(library.image);
  message.number(static_cast<uint32_t>(state().major * 10 + state().minor));
  std::string answer;
  if (std::string why = ask(message.bytes, answer); !why.empty())
    return why;
  Reader from(answer);
  if (std::string why = from.text(); !why.empty()) {
    if (wrongGPU)
      *wrongGPU = from.number<uint32_t>() != 0;
    return why;
  }
  library.module = from.number<uint64_t>();
  library.server = generation;
  std::vector<Entry> entries = readEntries(from);
  if (library.kernels.empty())
    for (Entry &entry : entries) {
      library.kernels.push_back(std::make_unique<Kernel>());
      library.kernels.back()->library = &library;
      library.kernels.back()->entry = std::move(entry);
    }
  return "";
}

void Connection::unload(Library &library) {
  if (socket < 0 || library.server != generation)
    return;
  Writer message;
  message.number(Request::Unload).number(library.module);
  std::string answer;
  ask(message.bytes, answer);
}

VariableStatus Connection::variable(Library &library, const std::string &name,
                                    std::string &contents) {
  contents = load(library);
  if (!contents.empty())
    return VariableStatus::Refused;
  Writer message;
  message.number(Request::Variable).number(library.module).text(name);
  std::string answer;
  contents = ask(message.bytes, answer);
  if (!contents.empty())
    return VariableStatus::Refused;
  Reader from(answer);
  const auto status = from.number<VariableStatus>();
  contents = from.text();
  return from.ok() ? status : VariableStatus::Refused;
}

/// Lays the pages of host memory out in the file of copies, and copies.
std::string Connection::stage(LaunchRequest &request, const std::vector<Range> &ranges) {
  uint64_t offset = 0;
  size_t first = request.pages.size();
  for (const Range &range : ranges) {
    uint64_t begin = range.address / kPage * kPage, end = roundUp(range.address + range.size);
    if (request.pages.size() > first &&
        begin <= request.pages.back().address + request.pages.back().size) {
      Pages &last = request.pages.back();
      offset += end > last.address + last.size ? end - last.address - last.size : 0;
      last.size = std::max(last.address + last.size, end) - last.address;
    } else {
      request.pages.push_back({begin, end - begin, offset, kStaging});
      offset += end - begin;
    }
  }
  if (offset > stagingSize) {
    // Copies that do not fit would end this process or another one.
    if (offset > kLargeCopies && offset > availableMemory() / 2)
      return "the launch needs copies of " + std::to_string(offset) +
             " bytes of host memory, for which the machine has no room";
    if (::ftruncate(staging, static_cast<off_t>(offset)) != 0)
      return std::string("cannot copy the memory of the launch: ") + std::strerror(errno);
    if (stagingMap)
      ::munmap(stagingMap, stagingSize);
    stagingSize = offset;
    stagingMap = static_cast<char *>(
        ::mmap(nullptr, stagingSize, PROT_READ | PROT_WRITE, MAP_SHARED, staging, 0));
    if (stagingMap == MAP_FAILED) {
      stagingMap = nullptr, stagingSize = 0;
      return std::string("cannot copy the memory of the launch: ") + std::strerror(errno);
    }
  }
  size_t page = first;
  for (const Range &range : ranges) {
    while (range.address >= request.pages[page].address + request.pages[page].size)
      ++page;
    const Pages &pages = request.pages[page];
    uint64_t to =
        reinterpret_cast<uint64_t>(stagingMap) + pages.offset + range.address - pages.address;
    if (!copy(to, range.address, range.size))
      return range.name + " is no memory of the process any more";
  }
  return "";
}

std::string Connection::unstage(const LaunchRequest &request, const std::vector<Range> &ranges) {
  for (const Range &range : ranges)
    for (const Pages &pages : request.pages)
      if (pages.file == kStaging && range.address - pages.address < pages.size) {
        uint64_t from =
            reinterpret_cast<uint64_t>(stagingMap) + pages.offset + range.address - pages.address;
        auto *bytes = reinterpret_cast<const void *>(from);
        iovec local = {const_cast<void *>(bytes), range.size},
              remote = {reinterpret_cast<void *>(range.address), range.size};
        ssize_t moved = ::process_vm_writev(::getpid(), &local, 1, &remote, 1, 0);
        if (moved < 0 && (errno == ENOSYS || errno == EPERM)) {
          std::memcpy(remote.iov_base, bytes, range.size);
          continue;
        }
        for (uint64_t done = moved < 0 ? 0 : uint64_t(moved); moved >= 0 && done < range.size;) {
          local = {const_cast<char *>(static_cast<const char *>(bytes)) + done, range.size - done};
          remote = {reinterpret_cast<void *>(range.address + done), range.size - done};
          moved = ::process_vm_writev(::getpid(), &local, 1, &remote, 1, 0);
          done += moved > 0 ? uint64_t(moved) : 0;
          if (moved == 0)
            moved = -1;
        }
        if (moved < 0)
          return range.name + " cannot be written";
      }
  return "";
}

/// What nobody has written before a launch: of device memory, and of host memory named for it.
static std::vector<Span> unwrittenOf(const std::vector<Span> &named) {
  Spans all = state().unwritten;
  for (const Span &span : named)
    all.add(span.address, span.size);
  std::vector<Span> list;
  for (auto [begin, end] : all.all())
    list.push_back({begin, end - begin});
  return list;
}

LaunchAnswer Connection::launch(Library &library, LaunchRequest request,
                                const std::vector<Range> &host) {
  LaunchAnswer failed;
  auto refuse = [&](Status status, std::string why) {
    failed.status = status;
    failed.error = std::move(why);
    return failed;
  };
  std::vector<Range> copied = merged(host);
  request.unwritten = unwrittenOf(request.unwritten);
  for (int attempt = 0; attempt < 8; ++attempt) {
    if (std::string why = load(library); !why.empty())
      return refuse(Status::Refused, why);
    request.module = library.module;
    request.variables.clear();
    for (const auto &[name, address] : library.variables)
      request.variables.push_back({name, address});
    request.pages.clear();
    request.ranges = copied;
    std::vector<Range> more = copied;
    for (const auto &[base, allocation] : state().memory) {
      std::string name = allocation.kind == Allocation::Kind::Variable
                             ? "variable '" + allocation.name + "'"
                             : "allocation " + std::to_string(allocation.id);
      if (allocation.kind == Allocation::Kind::Registered) {
        more.push_back(
            {base, allocation.size, "registered memory " + std::to_string(allocation.id)});
        continue;
      }
      request.pages.push_back({base, allocation.mapped, allocation.offset, kOwnMemory});
      request.ranges.push_back({base, allocation.size, name});
    }
    if (more.size() != copied.size()) {
      more = merged(std::move(more));
      request.ranges.erase(request.ranges.begin(), request.ranges.begin() + long(copied.size()));
      request.ranges.insert(request.ranges.begin(), more.begin(), more.end());
      copied = more;
    }
    if (std::string why = stage(request, copied); !why.empty())
      return refuse(Status::Refused, why);
    Writer message;
    message.number(Request::Launch);
    write(message, request);
    std::string text;
    if (std::string why = ask(message.bytes, text); !why.empty()) {
      state().unwritten.clear(); // nobody knows how far it came
      return refuse(Status::Finding, why);
    }
    Reader from(text);
    LaunchAnswer answer = readLaunchAnswer(from);
    if (!from.ok())
      return refuse(Status::Refused, "the server's answer makes no sense");
    if (answer.status == Status::Conflict) {
      log("another server, because of " + answer.error);
      stop();
      continue;
    }
    if (answer.status != Status::Refused) {
      state().unwritten.clear();
      for (const Span &span : answer.unwritten)
        if (state().find(span.address))
          state().unwritten.add(span.address, span.size);
      if (std::string why = unstage(request, copied); !why.empty())
        return refuse(Status::Refused, why);
    }
    if (stagingSize > kLargeCopies) {
      ::munmap(stagingMap, stagingSize);
      stagingMap = nullptr, stagingSize = 0;
      if (::ftruncate(staging, 0) != 0)
        log("cannot give the memory of large copies back");
    }
    return answer;
  }
  return refuse(Status::Refused, "no server has room at the addresses of the program's memory");
}
