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
#include <cerrno>
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

constexpr char kUsage[] = "usage: tile-gpu-replay [--timeout=S] [--repeat=N] [--device=N] "
                          "[--jobs=N] [--no-outputs] DIR...\n";

int usage(const std::string &message) {
  std::fprintf(stderr, "error: %s\n%s", message.c_str(), kUsage);
  return 2;
}

/// Whether `argument` begins with `prefix`; throws when no number within the limits stands behind it.
bool readNumber(const std::string &argument, const std::string &prefix, int least, int most,
                int &value) {
  if (argument.rfind(prefix, 0) != 0)
    return false;
  const std::string text = argument.substr(prefix.size());
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  const long parsed = digits ? std::strtol(text.c_str(), nullptr, 10) : -1; // the longest is huge
  if (parsed < least || parsed > most)
    throw Error("expected " + prefix + "N with N from " + std::to_string(least) + " to " +
                std::to_string(most) + ", found '" + text + "'");
  value = static_cast<int>(parsed);
  return true;
}

/// Throws for a malformed value. Returns the first argument that is no option of this program.
std::string readArguments(int argc, char **argv, Options &options) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (readNumber(argument, "--timeout=", 1, 1'000'000, options.timeoutSeconds) ||
        readNumber(argument, "--repeat=", 0, 1'000'000, options.repeats) ||
        readNumber(argument, "--device=", 0, 1'000'000, options.device) ||
        readNumber(argument, "--jobs=", 1, 64, options.jobs))
      continue;
    if (argument == "--no-outputs")
      options.outputs = false;
    else if (argument.rfind("-", 0) == 0)
      return argument;
    else
      options.bundles.push_back(argument);
  }
  return "";
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  try {
    const std::string unknown = readArguments(argc, argv, options);
    if (unknown == "--help" || unknown == "-h") {
      std::fputs(kUsage, stdout);
      return 0;
    }
    if (!unknown.empty())
      return usage("unknown option '" + unknown + "'");
  } catch (const Error &error) {
    return usage(error.what());
  }
  if (options.bundles.empty())
    return usage("expected bundles");
  std::vector<std::pair<std::string, std::string>> names; // case and version
  for (const std::string &directory : options.bundles)
    try {
      const Json bundle = Json::parse(readFile(directory + "/bundle.json"));
      names.emplace_back(bundle.string("case"), bundle.string("version"));
      checkInputs(bundle);
    } catch (const Error &error) {
      std::fprintf(stderr, "error: %s\n", error.what());
      return 2;
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
  if (std::fflush(stdout) || std::ferror(stdout)) {
    std::fprintf(stderr, "error: cannot write standard output: %s\n", std::strerror(errno));
    return 2;
  }
  return unwritten ? 2 : disagreed ? 1 : missing ? 3 : 0;
}
