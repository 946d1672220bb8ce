//===- Serve.h - the process that runs the launches of a driver -------------------------------===//
//
// Answers requests (oracles/devices/driver/Protocol.h) on an inherited socket until its end is
// closed. A crash of the compiler or of a kernel ends this process and not the program that asked.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_ENGINES_RUNTIME_SERVE_H
#define ORACLES_ENGINES_RUNTIME_SERVE_H

#include <functional>

namespace tilesmith::runtime {

/// Serves until the client closes the socket: the process exits with 0. A message that makes no
/// sense: with 2. Neither destroys what is static; `atEnd` is called before, from any thread.
[[noreturn]] void serve(const std::function<void()> &atEnd);

} // namespace tilesmith::runtime

#endif // ORACLES_ENGINES_RUNTIME_SERVE_H
