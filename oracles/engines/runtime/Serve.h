//===- Serve.h - the process that runs the launches of a driver -------------------------------===//
//
// Answers requests (oracles/devices/driver/Protocol.h) on an inherited socket until its end is
// closed. A crash of the compiler or of a kernel ends this process and not the program that asked.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_ENGINES_RUNTIME_SERVE_H
#define ORACLES_ENGINES_RUNTIME_SERVE_H

namespace tilesmith::runtime {

/// Serves until the client closes the socket: 0. A message that makes no sense: 2.
int serve();

} // namespace tilesmith::runtime

#endif // ORACLES_ENGINES_RUNTIME_SERVE_H
