//===- Protocol.h - what the driver and its server say to each other --------------------------===//
//
// One request, one answer, over a stream socket: a length of eight bytes, then that many bytes. Both
// ends are built from the same sources and run on one machine, so numbers stand as they are in
// memory; the server still checks every length that it reads. No LLVM: the driver reads this too.
//
//   Configure  pairs of name and value                       → error
//   Load       image, compute capability                     → error, wrong GPU | module, entries
//   Unload     module                                        → error
//   Variable   module, name                                  → status, contents or why not
//   Launch     module, entry, grid, block, arguments, memory,
//              placed variables                              → status, error, findings, printed,
//                                                              captured, report, unwritten memory
//
// Memory of a launch comes as pages and ranges. Pages are mapped from one of two files that both
// processes share, at the address that they have in the client: the first file holds what the driver
// itself allocated, the second copies of other host memory. Ranges are what the kernel may touch.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DEVICES_DRIVER_PROTOCOL_H
#define ORACLES_DEVICES_DRIVER_PROTOCOL_H

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

namespace tilesmith::driver {

enum class Request : uint32_t { Configure = 1, Load, Unload, Launch, Variable };

/// Numbers of the files that a server inherits.
constexpr int kSocket = 3, kOwnMemory = 4, kStaging = 5;

/// How a launch ended. Conflict: a page could not be mapped where it must be; another server may.
enum class Status : uint32_t { Done, Refused, Finding, Undecided, Conflict };

struct Pages {
  uint64_t address, size, offset;
  uint32_t file; ///< kOwnMemory or kStaging
};
struct Range {
  uint64_t address, size;
  std::string name;
};
/// Memory that nobody has written yet, as far as the driver knows.
struct Span {
  uint64_t address, size;
};
/// A variable of the module that lies in own memory.
struct Placement {
  std::string name;
  uint64_t address;
};
/// Refused: its engines cannot say.
enum class VariableStatus : uint32_t { Found, None, Refused };
struct Parameter {
  uint32_t isPointer, size, offset;
};
struct Entry {
  std::string name;
  std::vector<Parameter> parameters;
};
struct Finding {
  std::string kind, message;
  uint32_t undecided;
};
struct LaunchRequest {
  uint64_t module = 0;
  std::string entry;
  uint64_t grid[3] = {1, 1, 1};
  uint32_t block[3] = {1, 1, 1}, sharedBytes = 0;
  std::vector<std::string> arguments;
  std::vector<Pages> pages;
  std::vector<Range> ranges;
  std::vector<Span> unwritten;
  std::vector<Placement> variables;
};
struct LaunchAnswer {
  Status status = Status::Done;
  std::string error;
  std::vector<Finding> findings;
  std::string printed, captured;
  std::string report; ///< the findings as JSON, for clients that look into them
  std::vector<Span> unwritten;
};

/// Appends values to a message.
class Writer {
public:
  std::string bytes;
  template <typename Number> Writer &number(Number value) {
    bytes.append(reinterpret_cast<const char *>(&value), sizeof(value));
    return *this;
  }
  Writer &text(const std::string &value) {
    number(uint64_t(value.size()));
    bytes += value;
    return *this;
  }
};

/// Takes values out of one; once something does not fit, all that follows is zero and ok() false.
class Reader {
public:
  explicit Reader(const std::string &bytes) : bytes(bytes) {}
  template <typename Number> Number number() {
    Number value = {};
    if (take(sizeof(value)))
      std::memcpy(&value, bytes.data() + at - sizeof(value), sizeof(value));
    return value;
  }
  std::string text() {
    uint64_t size = number<uint64_t>();
    return take(size) ? bytes.substr(at - size, size) : std::string();
  }
  /// A count of things of at least `least` bytes each.
  uint64_t count(uint64_t least) {
    uint64_t value = number<uint64_t>();
    if (value > (bytes.size() - at) / least)
      good = false;
    return good ? value : 0;
  }
  bool ok() const { return good; }

private:
  bool take(uint64_t size) {
    if (!good || size > bytes.size() - at)
      return good = false;
    at += size;
    return true;
  }
  const std::string &bytes;
  size_t at = 0;
  bool good = true;
};

inline void write(Writer &to, const std::vector<Span> &spans) {
  to.number(uint64_t(spans.size()));
  for (const Span &span : spans)
    to.number(span.address).number(span.size);
}

inline std::vector<Span> readSpans(Reader &from) {
  std::vector<Span> spans(from.count(16));
  for (Span &span : spans)
    span.address = from.number<uint64_t>(), span.size = from.number<uint64_t>();
  return spans;
}

inline void write(Writer &to, const LaunchRequest &launch) {
  to.number(launch.module).text(launch.entry);
  for (uint64_t extent : launch.grid)
    to.number(extent);
  for (uint32_t extent : launch.block)
    to.number(extent);
  to.number(launch.sharedBytes);
  to.number(uint64_t(launch.arguments.size()));
  for (const std::string &argument : launch.arguments)
    to.text(argument);
  to.number(uint64_t(launch.pages.size()));
  for (const Pages &pages : launch.pages)
    to.number(pages.address).number(pages.size).number(pages.offset).number(pages.file);
  to.number(uint64_t(launch.ranges.size()));
  for (const Range &range : launch.ranges)
    to.number(range.address).number(range.size).text(range.name);
  write(to, launch.unwritten);
  to.number(uint64_t(launch.variables.size()));
  for (const Placement &variable : launch.variables)
    to.text(variable.name).number(variable.address);
}

inline LaunchRequest readLaunchRequest(Reader &from) {
  LaunchRequest launch;
  launch.module = from.number<uint64_t>();
  launch.entry = from.text();
  for (uint64_t &extent : launch.grid)
    extent = from.number<uint64_t>();
  for (uint32_t &extent : launch.block)
    extent = from.number<uint32_t>();
  launch.sharedBytes = from.number<uint32_t>();
  launch.arguments.resize(from.count(8));
  for (std::string &argument : launch.arguments)
    argument = from.text();
  launch.pages.resize(from.count(28));
  for (Pages &pages : launch.pages) {
    pages.address = from.number<uint64_t>(), pages.size = from.number<uint64_t>();
    pages.offset = from.number<uint64_t>(), pages.file = from.number<uint32_t>();
  }
  launch.ranges.resize(from.count(24));
  for (Range &range : launch.ranges) {
    range.address = from.number<uint64_t>(), range.size = from.number<uint64_t>();
    range.name = from.text();
  }
  launch.unwritten = readSpans(from);
  launch.variables.resize(from.count(16));
  for (Placement &variable : launch.variables)
    variable.name = from.text(), variable.address = from.number<uint64_t>();
  return launch;
}

inline void write(Writer &to, const LaunchAnswer &answer) {
  to.number(answer.status).text(answer.error).number(uint64_t(answer.findings.size()));
  for (const Finding &finding : answer.findings)
    to.text(finding.kind).text(finding.message).number(finding.undecided);
  to.text(answer.printed).text(answer.captured).text(answer.report);
  write(to, answer.unwritten);
}

inline LaunchAnswer readLaunchAnswer(Reader &from) {
  LaunchAnswer answer;
  answer.status = from.number<Status>();
  answer.error = from.text();
  answer.findings.resize(from.count(20));
  for (Finding &finding : answer.findings) {
    finding.kind = from.text(), finding.message = from.text();
    finding.undecided = from.number<uint32_t>();
  }
  answer.printed = from.text();
  answer.captured = from.text();
  answer.report = from.text();
  answer.unwritten = readSpans(from);
  return answer;
}

inline void write(Writer &to, const std::vector<Entry> &entries) {
  to.number(uint64_t(entries.size()));
  for (const Entry &entry : entries) {
    to.text(entry.name).number(uint64_t(entry.parameters.size()));
    for (const Parameter &parameter : entry.parameters)
      to.number(parameter.isPointer).number(parameter.size).number(parameter.offset);
  }
}

inline std::vector<Entry> readEntries(Reader &from) {
  std::vector<Entry> entries(from.count(16));
  for (Entry &entry : entries) {
    entry.name = from.text();
    entry.parameters.resize(from.count(12));
    for (Parameter &parameter : entry.parameters) {
      parameter.isPointer = from.number<uint32_t>(), parameter.size = from.number<uint32_t>();
      parameter.offset = from.number<uint32_t>();
    }
  }
  return entries;
}

inline bool sendBytes(int socket, const void *data, size_t size) {
  for (auto *at = static_cast<const char *>(data); size;) {
    ssize_t sent = ::send(socket, at, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      return false;
    at += sent, size -= static_cast<size_t>(sent);
  }
  return true;
}

/// False at the end of the stream, on an error, or `milliseconds` after the last byte (-1: never).
inline bool receiveBytes(int socket, void *data, size_t size, int milliseconds) {
  for (auto *at = static_cast<char *>(data); size;) {
    pollfd waiting = {socket, POLLIN, 0};
    int ready = ::poll(&waiting, 1, milliseconds);
    if (ready < 0 && errno == EINTR)
      continue;
    ssize_t got = ready > 0 ? ::recv(socket, at, size, 0) : 0;
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    at += got, size -= static_cast<size_t>(got);
  }
  return true;
}

inline bool sendMessage(int socket, const std::string &bytes) {
  uint64_t size = bytes.size();
  return sendBytes(socket, &size, sizeof(size)) && sendBytes(socket, bytes.data(), bytes.size());
}

inline bool receiveMessage(int socket, std::string &bytes, int milliseconds = -1) {
  uint64_t size;
  if (!receiveBytes(socket, &size, sizeof(size), milliseconds) || size > uint64_t(1) << 33)
    return false;
  bytes.resize(size);
  return receiveBytes(socket, bytes.data(), size, milliseconds);
}

} // namespace tilesmith::driver

#endif // ORACLES_DEVICES_DRIVER_PROTOCOL_H
