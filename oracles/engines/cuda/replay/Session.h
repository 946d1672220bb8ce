//===- Session.h - runs one bundle in this process --------------------------------------------===//
//
// Every buffer lies between two poisoned zones that must be intact afterwards. The verdict is
// decided by the bundle's own rule; b<N>.got.bin and printed.txt are written into the bundle. What a session took
// of the device it gives back, so that one context serves many bundles until one of them leaves it
// in doubt.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_ENGINES_CUDA_REPLAY_SESSION_H
#define ORACLES_ENGINES_CUDA_REPLAY_SESSION_H

#include "oracles/engines/cuda/replay/Driver.h"
#include "oracles/engines/cuda/replay/Json.h"

#include <string>
#include <vector>

namespace replay {

struct Options {
  int timeoutSeconds = 60, repeats = 10, device = 0, jobs = 1;
  bool outputs = true;
  std::vector<std::string> bundles;
};

std::string readFile(const std::string &path);
/// Whole or not at all, by way of a name that nobody else has.
void writeFile(const std::string &path, const void *data, size_t size);

/// How one bundle ended.
struct Outcome {
  std::string verdict = "agree"; // disagree, failed, unavailable
  std::string detail, device;
  std::vector<float> milliseconds;
  /// Whether the kernel wrote beside its buffers, whatever it left in them.
  bool wroteOutside = false;
  /// Whether the next bundle may run in the same context.
  bool contextIsGood = true;

  /// The text of result.json.
  std::string json(const std::string &name, const std::string &version) const;
};

/// Everything of one bundle that touches the driver, whose context must be current.
Outcome runBundle(Driver &driver, const std::string &directory, const Options &options);

} // namespace replay

#endif // ORACLES_ENGINES_CUDA_REPLAY_SESSION_H
