//===- TileirasOptions.h - the command line of tileiras ---------------------------------------===//
//
// A frontend calls `tileiras` as it calls NVIDIA's, so spellings, values, messages and exit codes
// are an interface. The parser is our own and not llvm::cl: the shared libLLVM registers hundreds
// of options there, all of which would be accepted silently.
//
// Rules: `--name value` and `--name=value`, one or two dashes; the last occurrence wins; `@file`
// reads arguments from a file; names are never abbreviated; `-O2` is attached; booleans take a
// value only after `=`; `-` is a file name for the input. All command-line errors are collected,
// printed and end the run with exit code 1, unless --help, --version or --list-versions is there:
// the first of these is answered with exit code 0, and what stands behind it is not judged.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_TOOLS_TILEIRASOPTIONS_H
#define COMPILER_TOOLS_TILEIRASOPTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace tilesmith::tools {

struct TileirasOptions {
  std::optional<std::string> input;
  std::string gpuName; ///< empty: not given
  std::string output = "elf.o";
  long optLevel = 3; ///< unchecked; valid are 0 to 3
  bool lineInfo = false;
  bool emulateTypes = false; ///< no gate for types that the GPU lacks
  bool deviceDebug = false;
  bool listVersions = false;
  std::string hostArch, hostOs, sanitize;
  std::string remarks = "none", remarksPassed, remarksMissed, remarksFailed, remarksAnalysis;
  std::string remarkFormat = "command-line";
  std::string remarksOutputFile = "tileir_remarks.yaml";
  std::vector<std::string> preview;
  std::vector<std::string> libraries;
  std::string applyControls;

  // Ours, not in the original.
  bool fuseFma = false;                  ///< round products of sums, and roots below one, once
  std::string profile = "tileiras-13.5"; ///< the rules that the input is judged by
  std::string emit = "cubin"; ///< cudatile, tileaa, tileas, gpu, nvvm, llvm, ptx, cubin, emulated
  bool embedCubin = false;    ///< in an emulated module, where ptxas is found
  std::string cudaPath;       ///< toolkit root, empty: looked for
  std::string mathLibrary = "auto";    ///< auto, libdevice, libclc
  std::vector<std::string> strategies; ///< names of Strategies.h; empty: the compiler chooses
  std::string launch =
      "auto"; ///< auto, tileir, simt: the mark that makes a driver launch the cubin as Tile IR
  std::string tensorMaps = "auto"; ///< who makes them: host (auto: in Tile IR cubins) or device
  std::string launchMetadata;      ///< JSON file to write, empty: none
};

/// What the command line asks for. `done`: print the texts and exit with `exitCode`; else go on
/// with `options`.
struct ParsedCommandLine {
  TileirasOptions options;
  bool done = false;
  int exitCode = 0;
  std::string out; ///< for standard output
  std::string err; ///< for standard error
};

/// Parses `arguments` (without the program). `program` is the path as called; messages carry its
/// last component. `needsInput`: an input file must be among them.
ParsedCommandLine parseTileirasCommandLine(llvm::StringRef program,
                                           llvm::ArrayRef<std::string> arguments,
                                           bool needsInput = true);

/// The five lines of `--version`. The last line changes with every build, because frontends key
/// caches on the text.
std::string tileirasVersionText(llvm::StringRef program);

/// The same five lines for another tool, whose first line is `title`.
std::string versionText(llvm::StringRef program, llvm::StringRef title);

} // namespace tilesmith::tools

#endif // COMPILER_TOOLS_TILEIRASOPTIONS_H
