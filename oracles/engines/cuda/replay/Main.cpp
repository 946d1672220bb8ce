//===- Main.cpp - tile-gpu-replay DIR... ------------------------------------------------------===//
//
// Runs bundles on the GPU of this machine, in processes of their own (Workers.h), with a timeout.
// Builds with any C++20 compiler and links nothing but libc and the dynamic loader:
//   c++ -std=c++20 -O2 -I. -o tile-gpu-replay oracles/engines/cuda/replay/*.cpp -ldl
//
// The verdict is decided by the bundle's own rule; result.json, printed.txt and b<N>.got.bin are
// written into the bundle. Exit codes: 0 all agree, 1 a disagreement or failure, 2 usage, 3 no GPU (said once).
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/engines/cuda/replay/Workers.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace replay;

namespace {

/// The names that this program writes must not be inputs of the bundle.
void checkInputs(const Json &bundle) {
  std::vector<std::string> results{"result.json", "printed.txt"};
  for (size_t i = 0; i < bundle.at("buffers").items.size(); ++i)
    results.push_back("b" + std::to_string(i) + ".got.bin");
  for (const char *list : {"buffers", "launches"})
    for (const Json &entry : bundle.at(list).items)
      for (const char *key : {"data", "expect", "low", "high", "ptx", "cubin"})
        if (entry.has(key) &&
            std::find(results.begin(), results.end(), entry.string(key)) != results.end())
          throw Error("bundle.json: expected inputs with other names than results, found '" +
                      entry.string(key) + "'");
}

int usage(const std::string &message) {
  std::fprintf(stderr,
               "error: %s\nusage: tile-gpu-replay [--timeout=S] [--repeat=N] [--device=N] "
               "[--jobs=N] [--no-outputs] DIR...\n",
               message.c_str());
  return 2;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    auto number = [&](const char *prefix, int &value) {
      if (argument.rfind(prefix, 0) != 0)
        return false;
      char *end = nullptr;
      const long parsed = std::strtol(argument.c_str() + std::strlen(prefix), &end, 10);
      if (*end || parsed < 0 || parsed > 1'000'000)
        return false;
      value = static_cast<int>(parsed);
      return true;
    };
    if (number("--timeout=", options.timeoutSeconds) || number("--repeat=", options.repeats) ||
        number("--device=", options.device) || number("--jobs=", options.jobs))
      continue;
    if (argument == "--no-outputs")
      options.outputs = false;
    else if (argument.rfind("-", 0) == 0)
      return usage("unknown or malformed option '" + argument + "'");
    else
      options.bundles.push_back(argument);
  }
  if (options.bundles.empty())
    return usage("expected bundles");
  if (options.jobs < 1 || options.jobs > 64)
    return usage("expected 1 to 64 jobs, found " + std::to_string(options.jobs));
  std::vector<std::pair<std::string, std::string>> names; // case and version
  for (const std::string &directory : options.bundles)
    try {
      const Json bundle = Json::parse(readFile(directory + "/bundle.json"));
      names.emplace_back(bundle.string("case"), bundle.string("version"));
      checkInputs(bundle);
    } catch (const Error &error) {
      return usage(error.what());
    }
  int agreed = 0, disagreed = 0, missing = 0, unwritten = 0;
  runAll(options, [&](size_t number, const Outcome &outcome) {
    const std::string &directory = options.bundles[number];
    if (outcome.verdict == "unavailable") {
      if (!missing++)
        std::printf("unavailable: %s\n", outcome.detail.c_str());
    } else {
      (outcome.verdict == "agree" ? agreed : disagreed)++;
      std::printf("%s: %s%s%s\n", directory.c_str(), outcome.verdict.c_str(),
                  outcome.detail.empty() ? "" : ": ", outcome.detail.c_str());
    }
    const std::string json = outcome.json(names[number].first, names[number].second);
    try {
      writeFile(directory + "/result.json", json.data(), json.size());
    } catch (const Error &error) {
      std::fprintf(stderr, "error: %s\n", error.what());
      ++unwritten;
    }
  });
  std::printf("%d agree, %d disagree or fail, %d unavailable\n", agreed, disagreed, missing);
  return unwritten ? 2 : disagreed ? 1 : missing ? 3 : 0;
}
