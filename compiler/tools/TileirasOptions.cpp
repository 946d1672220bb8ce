//===- TileirasOptions.cpp - the command line of tileiras -------------------------------------===//
//
// One table row per option: name, how it takes a value, where it goes. Aliases are rows that name
// another row.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/tools/TileirasOptions.h"

#include "compiler/pipeline/Strategies.h"
#include "compiler/target/Targets.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/xxhash.h"

#include <ctime>
#include <functional>

using namespace llvm;

namespace tilesmith::tools {
namespace {

enum class Kind { Text, Choice, Bool, Integer, List };

struct Option {
  std::string name;
  Kind kind;
  /// Stores an already checked value.
  std::function<void(TileirasOptions &, StringRef)> store;
  std::string help;
  std::vector<std::string> values = {}; ///< of a Choice
  std::string aliasOf = {};
};

template <typename T>
std::function<void(TileirasOptions &, StringRef)> into(T TileirasOptions::*field) {
  return [field](TileirasOptions &options, StringRef value) {
    if constexpr (std::is_same_v<T, bool>)
      options.*field = value == "true";
    else if constexpr (std::is_same_v<T, long>)
      value.getAsInteger(0, options.*field);
    else if constexpr (std::is_same_v<T, std::vector<std::string>>)
      (options.*field).push_back(value.str());
    else
      options.*field = value.str();
  };
}

// [spec: driver-options, driver-gpu-name, driver-output, driver-level, driver-debug, driver-host]
std::vector<Option> makeOptions() {
  using O = TileirasOptions;
  std::vector<std::string> gpus;
  for (const target::GpuTarget &gpu : target::gpuTargets())
    gpus.push_back(gpu.name.str());
  std::vector<std::string> strategies;
  for (const Strategies::Known &known : Strategies::known())
    strategies.push_back(known.name.str());
  std::vector<std::string> categories = {"none", "all", "memory", "tensorcore"};
  std::vector<Option> options = {
      {"gpu-name", Kind::Choice, into(&O::gpuName), "GPU to compile for", gpus},
      {"arch", Kind::Choice, {}, "", gpus, "gpu-name"},
      {"output-file", Kind::Text, into(&O::output),
       "output file, - for standard output (default: elf.o)"},
      {"o", Kind::Text, {}, "", {}, "output-file"},
      {"opt-level", Kind::Integer, into(&O::optLevel), "optimization level, 0 to 3 (default: 3)"},
      {"O", Kind::Integer, {}, "", {}, "opt-level"},
      {"lineinfo", Kind::Bool, into(&O::lineInfo), "write line tables"},
      {"device-debug", Kind::Bool, into(&O::deviceDebug),
       "write debug information, only with level 0"},
      {"g", Kind::Bool, {}, "", {}, "device-debug"},
      {"host-arch", Kind::Choice, into(&O::hostArch), "host architecture", {"x86_64", "aarch64"}},
      {"host-os", Kind::Choice, into(&O::hostOs), "host operating system", {"linux", "windows"}},
      {"sanitize", Kind::Choice, into(&O::sanitize), "instrument the code", {"memcheck"}},
      {"list-versions", Kind::Bool, into(&O::listVersions), "print the readable bytecode versions"},
      {"remarks", Kind::Choice, into(&O::remarks), "remarks of all kinds", categories},
      {"remarks-passed", Kind::Choice, into(&O::remarksPassed), "remarks on what was done",
       categories},
      {"remarks-missed", Kind::Choice, into(&O::remarksMissed), "remarks on what was missed",
       categories},
      {"remarks-failed", Kind::Choice, into(&O::remarksFailed), "remarks on what failed",
       categories},
      {"remarks-analysis", Kind::Choice, into(&O::remarksAnalysis), "remarks of analyses",
       categories},
      {"remark-format",
       Kind::Choice,
       into(&O::remarkFormat),
       "form of remarks",
       {"command-line", "yaml"}},
      {"remarks-output-file", Kind::Text, into(&O::remarksOutputFile), "file for remarks in yaml"},
      {"preview", Kind::List, into(&O::preview), "preview features, separated by commas", {"simt"}},
      {"l", Kind::Text, into(&O::libraries), "tile library to link"},
      {"apply-controls", Kind::Text, into(&O::applyControls), "file with controls"},
      {"print-options", Kind::Bool, [](O &, StringRef) {}, "without effect"},
      {"print-all-options", Kind::Bool, [](O &, StringRef) {}, "without effect"},
      {"emit",
       Kind::Choice,
       into(&O::emit),
       "what to write (default: cubin)",
       {"cudatile", "tileaa", "tileas", "gpu", "nvvm", "llvm", "ptx", "cubin", "emulated"}},
      {"embed-cubin", Kind::Bool, into(&O::embedCubin),
       "put the cubin into what --emit=emulated writes, where ptxas is found"},
      {"fuse-fma", Kind::Bool, into(&O::fuseFma),
       "fuse products and sums into fma, and 1 / sqrt into rsqrt; results change"},
      {"profile",
       Kind::Choice,
       into(&O::profile),
       "rules that the input is judged by (default: tileiras-13.5)",
       {"public", "tileiras-13.5", "tileiras-13.1"}},
      {"emulate-types", Kind::Bool, into(&O::emulateTypes),
       "compile types that the GPU lacks by exact fallbacks instead of refusing them"},
      {"cuda-path", Kind::Text, into(&O::cudaPath),
       "CUDA toolkit with bin/ptxas and nvvm/libdevice"},
      {"math-library",
       Kind::Choice,
       into(&O::mathLibrary),
       "device math",
       {"auto", "libdevice", "libclc"}},
      {"strategy", Kind::List, into(&O::strategies),
       "forms of loops that are forced, separated by commas (default: auto)", strategies},
      {"launch",
       Kind::Choice,
       into(&O::launch),
       "how the driver launches the cubin",
       {"auto", "tileir", "simt"}},
      {"tensor-maps",
       Kind::Choice,
       into(&O::tensorMaps),
       "who makes tensor maps (default: host code where the driver launches the cubin as Tile IR)",
       {"auto", "host", "device"}},
      {"launch-metadata", Kind::Text, into(&O::launchMetadata),
       "JSON file for block size, shared memory, parameters"},
  };
  return options;
}

const std::vector<Option> &allOptions() {
  static const std::vector<Option> options = makeOptions();
  return options;
}

const Option *lookup(StringRef name) {
  const auto &options = allOptions();
  auto it = llvm::find_if(options, [&](const Option &o) { return o.name == name; });
  return it == options.end() ? nullptr : &*it;
}

std::string dashes(StringRef name) {
  return (name.size() == 1 ? "-" : "--") + name.str();
}

/// Flags that print a text and exit 0.
// [spec: driver-help]
bool isHelp(StringRef name) {
  return llvm::is_contained({"help", "h", "help-hidden", "help-list", "help-list-hidden"}, name);
}

class Parser {
public:
  Parser(StringRef program, ParsedCommandLine &result, bool needsInput)
      : program(program), name(sys::path::filename(program)), result(result),
        needsInput(needsInput) {}

  // [spec: driver-unknown-options]
  void parse(ArrayRef<std::string> arguments) {
    bool onlyPositional = false;
    for (size_t i = 0; i < arguments.size(); ++i) {
      StringRef argument = arguments[i];
      if (onlyPositional || argument == "-" || !argument.starts_with("-")) {
        positional.push_back(argument.str());
      } else if (argument == "--") {
        onlyPositional = true;
      } else {
        i += option(argument, i + 1 < arguments.size() ? std::optional<StringRef>(arguments[i + 1])
                                                       : std::nullopt);
      }
    }
    finish();
  }

private:
  /// What prints a text and ends the run with 0. The first one that is met decides: faults behind
  /// it are not told, those in front of it are, and change nothing.
  enum class Answer { None, Help, Version, BytecodeVersions };

  void error(const Twine &message) {
    if (answer == Answer::None)
      result.err += (name + ": " + message + "\n").str();
  }
  void optionError(StringRef option, const Twine &message) {
    error("for the " + Twine(dashes(option)) + " option: " + message);
  }

  /// Handles one option; returns 1 when it took the next argument as its value.
  unsigned option(StringRef argument, std::optional<StringRef> next) {
    StringRef body = argument.drop_front(argument.starts_with("--") ? 2 : 1);
    auto [flag, attached] = body.split('=');
    bool hasValue = body.contains('=');
    if (isHelp(flag) || flag == "version") {
      if (hasValue)
        optionError(flag, "does not allow a value! '" + attached + "' specified.");
      else
        decide(flag == "version" ? Answer::Version : Answer::Help);
      return 0;
    }
    // -O takes its value attached and nowhere else.
    if (body.starts_with("O") && !lookup(body)) {
      store(*lookup("O"), body.drop_front());
      return 0;
    }
    const Option *found = lookup(flag);
    // The one letter that needs no value may have others behind it: -gO0 is -g -O0.
    if (!found && body.size() > 1 && body.starts_with("g") &&
        (body[1] == 'O' || lookup(flag.drop_front()))) {
      store(*lookup("g"), "true");
      return option(("-" + body.drop_front()).str(), next);
    }
    if (!found) {
      unknown(argument, flag);
      return 0;
    }
    if (found->kind == Kind::Bool) {
      store(*found, hasValue ? attached : "true");
      return 0;
    }
    if (!hasValue && (!next || found->name == "O")) {
      optionError(found->name, "requires a value!");
      return 0;
    }
    store(*found, hasValue ? attached : *next);
    return hasValue ? 0 : 1;
  }

  /// A name that begins like one of the letters that need a value counts as a group of letters.
  void unknown(StringRef argument, StringRef flag) {
    const Option *nearest = nullptr;
    if (flag.starts_with("o") || flag.starts_with("l")) {
      nearest = lookup(flag.take_front());
      optionError(nearest->name, "may not occur within a group!");
    }
    error("Unknown command line argument '" + argument + "'.  Try: '" + program + " --help'");
    if (!nearest)
      nearest = &*llvm::min_element(allOptions(), [&](const Option &a, const Option &b) {
        return flag.edit_distance(a.name) < flag.edit_distance(b.name);
      });
    error("Did you mean '" + dashes(nearest->name) + "'?");
  }

  void decide(Answer given) {
    if (answer == Answer::None)
      answer = given;
  }

  void store(const Option &given, StringRef value) {
    const Option &option = given.aliasOf.empty() ? given : *lookup(given.aliasOf);
    switch (option.kind) {
    case Kind::Text:
      break;
    case Kind::Choice:
      if (!llvm::is_contained(option.values, value))
        return optionError(option.name, "Cannot find option named '" + value + "'!");
      break;
    case Kind::Bool:
      if (llvm::is_contained({"", "true", "TRUE", "True", "1"}, value))
        value = "true";
      else if (llvm::is_contained({"false", "FALSE", "False", "0"}, value))
        value = "false";
      else
        return optionError(option.name,
                           "'" + value + "' is invalid value for boolean argument! Try 0 or 1");
      if (option.name == "list-versions" && value == "true")
        decide(Answer::BytecodeVersions);
      break;
    case Kind::Integer: { // also 0x, 0b and octal numbers, 32 bits
      int parsed;
      if (value.getAsInteger(0, parsed))
        return optionError(option.name, "'" + value + "' value invalid for integer argument!");
      break;
    }
    case Kind::List: {
      SmallVector<StringRef> parts;
      value.split(parts, ',');
      for (StringRef part : parts) {
        if (!llvm::is_contained(option.values, part))
          return optionError(option.name,
                             "unknown " + Twine(option.name) + " feature '" + part +
                                 "'; supported features: " + join(option.values, ", "));
        option.store(result.options, part);
      }
      return;
    }
    }
    option.store(result.options, value);
  }

  void finish() {
    if (positional.size() > 1)
      error("Too many positional arguments specified!\nCan specify at most 1 positional "
            "arguments: See: " +
            program + " --help");
    if (!positional.empty() && !positional.front().empty())
      result.options.input = positional.front();
    if (result.options.remarksOutputFile.empty())
      result.options.remarksOutputFile = TileirasOptions().remarksOutputFile;
    result.options.listVersions = answer == Answer::BytecodeVersions;
    if (answer == Answer::Help || answer == Answer::Version) {
      result.done = true;
      result.out = answer == Answer::Help ? helpText() : tileirasVersionText(program);
    } else if (answer == Answer::None && !result.err.empty()) {
      result.done = true;
      result.exitCode = 1;
    } else if (answer == Answer::None && !result.options.input && needsInput) {
      result.done = true;
      result.exitCode = 1;
      result.out = helpText();
      result.err = "error: no input file provided\n";
    }
  }

  std::string helpText() const {
    std::string text = formatv(
        "OVERVIEW: compiles CUDA Tile IR bytecode to a cubin\n\nUSAGE: {0} [options] <input>\n\n"
        "OPTIONS:\n\n",
        name);
    for (const Option &option : allOptions()) {
      if (!option.aliasOf.empty()) {
        text += formatv("  {0,-28} - alias for {1}\n", dashes(option.name), dashes(option.aliasOf));
        continue;
      }
      std::string head = dashes(option.name);
      if (option.kind == Kind::Integer)
        head += "=<int>";
      else if (option.kind != Kind::Bool)
        head += "=<value>";
      text += formatv("  {0,-28} - {1}\n", head, option.help);
      if (!option.values.empty())
        text += formatv("  {0,-28}   {1}\n", "", join(option.values, ", "));
    }
    text += formatv("  {0,-28} - print this text\n  {1,-28} - print the version\n", "--help",
                    "--version");
    return text;
  }

  StringRef program;
  StringRef name;
  ParsedCommandLine &result;
  bool needsInput;
  std::vector<std::string> positional;
  Answer answer = Answer::None;
};

} // namespace

ParsedCommandLine parseTileirasCommandLine(StringRef program, ArrayRef<std::string> arguments,
                                           bool needsInput) {
  ParsedCommandLine result;
  BumpPtrAllocator allocator;
  SmallVector<const char *> expanded;
  for (const std::string &argument : arguments)
    expanded.push_back(argument.c_str());
  cl::ExpansionContext context(allocator, cl::TokenizeGNUCommandLine);
  if (Error error = context.expandResponseFiles(expanded)) {
    result.done = true;
    result.exitCode = 1;
    result.err = (sys::path::filename(program) + ": " + toString(std::move(error)) + "\n").str();
    return result;
  }
  std::vector<std::string> all(expanded.begin(), expanded.end());
  Parser(program, result, needsInput).parse(all);
  return result;
}

std::string versionText(StringRef program, StringRef title) {
  static int anchor;
  std::string path = sys::fs::getMainExecutable(program.str().c_str(), &anchor);
  std::string built = "an unknown day", build = "unknown";
  sys::fs::file_status status;
  if (!sys::fs::status(path, status)) {
    std::time_t seconds = sys::toTimeT(status.getLastModificationTime());
    std::tm utc;
    char text[64];
    if (gmtime_r(&seconds, &utc) &&
        std::strftime(text, sizeof(text), "%a_%b_%d_%I:%M:%S_%p_UTC_%Y", &utc))
      built = text;
  }
  if (ErrorOr<std::unique_ptr<MemoryBuffer>> self =
          MemoryBuffer::getFile(path, /*IsText=*/false, false))
    build = utohexstr(xxh3_64bits((*self)->getBuffer()), /*LowerCase=*/true);
  return formatv("{2}\n"
                 "Copyright (c) 2026 the tilesmith authors\n"
                 "Built on {0}\n"
                 "Cuda compilation tools, release 13.5, V13.5.0\n"
                 "Build tilesmith_{1}\n",
                 built, build, title);
}

std::string tileirasVersionText(StringRef program) {
  return versionText(program, "tileiras: tilesmith Cuda Tile IR optimizing assembler");
}

} // namespace tilesmith::tools
