//===- Contract.cpp - the command line of a compiler, row by row ------------------------------===//
#include "fuzz/conform/Contract.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tilesmith::fuzz::conform;
using llvm::StringRef;

// clang-format off
#define SM "--gpu-name sm_100 -o {o}"
#define NOT_BYTECODE "error: input does not correspond to Tile IR bytecode"
static constexpr ContractRow kRows[] = {
    // Success: nothing is said, the output is an ELF file; spellings mean the same.
    {"success", "driver-streams", "{bc} " SM, 0, "", "", "elf"},
    {"again", "driver-deterministic", "{bc} " SM, 0, "", "", "same:success"},
    {"temporaries", "driver-temporaries", "{bc} " SM, 0, "", "", "clean-elf"},
    {"temporaries-of-failure", "driver-temporaries", "{half} " SM, 3, "", NOT_BYTECODE, "clean-none"},
    {"over-older", "driver-whole-output", "{bc} --gpu-name sm_100 -o {older}", 0, "", "", "same:success"},
    {"gpu-equals", "driver-options", "{bc} --gpu-name=sm_100 -o {o}", 0, "", "", "same:success"},
    {"gpu-one-dash", "driver-options", "{bc} -gpu-name sm_100 -o {o}", 0, "", "", "same:success"},
    {"gpu-one-dash-equals", "driver-options", "{bc} -gpu-name=sm_100 -o {o}", 0, "", "", "same:success"},
    {"arch", "driver-gpu-name", "{bc} --arch sm_100 -o {o}", 0, "", "", "same:success"},
    {"arch-equals", "driver-gpu-name", "{bc} -arch=sm_100 -o {o}", 0, "", "", "same:success"},
    {"gpu-last-wins", "driver-options", "{bc} --gpu-name sm_120 " SM, 0, "", "", "same:success"},
    {"output-file", "driver-output", "{bc} --gpu-name sm_100 --output-file {o}", 0, "", "", "same:success"},
    {"output-file-equals", "driver-output", "{bc} --gpu-name sm_100 --output-file={o}", 0, "", "", "same:success"},
    {"output-equals", "driver-output", "{bc} --gpu-name sm_100 -o={o}", 0, "", "", "same:success"},
    {"output-last-wins", "driver-output", "{bc} --gpu-name sm_100 -o {missing}/x -o {o}", 0, "", "", "same:success"},
    {"input-last", "driver-options", SM " {bc}", 0, "", "", "same:success"},
    {"response-file", "driver-options", "@{response}", 0, "", "", "same:success"},
    {"level-default", "driver-level", "{bc} " SM " -O3", 0, "", "", "same:success"},
    {"level-attached", "driver-level", "{bc} " SM " -O0", 0, "", "", "elf"},
    {"level-long", "driver-level", "{bc} " SM " --opt-level 0", 0, "", "", "same:level-attached"},
    {"level-last-wins", "driver-level", "{bc} " SM " -O3 --opt-level=0", 0, "", "", "same:level-attached"},
    {"level-1", "driver-level", "{bc} " SM " -O1", 0, "", "", "elf"},
    {"level-2", "driver-level", "{bc} " SM " -O2", 0, "", "", "elf"},
    {"lineinfo", "driver-debug", "{bc} " SM " --lineinfo", 0, "", "", "elf"},
    {"lineinfo-false", "driver-debug", "{bc} " SM " --lineinfo=false", 0, "", "", "same:success"},
    {"debug", "driver-debug", "{bc} " SM " -O0 -g", 0, "", "", "elf"},
    {"debug-long", "driver-debug", "{bc} " SM " -O0 --device-debug", 0, "", "", "elf"},
    {"host-arch", "driver-host", "{bc} " SM " --host-arch=aarch64", 0, "", "", "elf"},
    {"host-os", "driver-host", "{bc} " SM " --host-os windows", 0, "", "", "elf"},
    {"sanitize", "driver-sanitize", "{bc} " SM " --sanitize=memcheck", 0, "", "", "elf"},
    {"gpu-103", "driver-gpu-name", "{bc} --gpu-name sm_103 -o {o}", 0, "", "", "elf"},
    {"gpu-110", "driver-gpu-name", "{bc} --gpu-name sm_110 -o {o}", 0, "", "", "elf"},
    {"gpu-120", "driver-gpu-name", "{bc} --gpu-name sm_120 -o {o}", 0, "", "", "elf"},
    {"gpu-121", "driver-gpu-name", "{bc} --gpu-name sm_121 -o {o}", 0, "", "", "elf"},
    {"gpu-80", "driver-gpu-name", "{bc} --gpu-name sm_80 -o {o}", 0, "", "", "elf", 5},
    {"gpu-90", "driver-gpu-name", "{bc} --gpu-name sm_90 -o {o}", 0, "", "", "elf", 5},
    {"probe", "driver-frontend-call", "{probe} --gpu-name sm_120 -o {o}", 0, "", "", "elf"},
    {"preview", "driver-preview", "{bc} " SM " --preview=simt", 0, "", "", "elf", 5},
    {"remarks", "driver-remarks", "{bc} " SM " --remarks=all --remark-format=yaml --remarks-output-file={yaml}", 0, "", "", "elf", 5},
    // Words.
    {"version", "driver-help", "--version", 0, "Cuda compilation tools, release 13.|, V13.", ""},
    {"help", "driver-help", "--help", 0, "--gpu-name|--opt-level|--output-file", ""},
    {"help-hidden", "driver-help", "--help-hidden", 0, "--gpu-name", ""},
    {"help-list", "driver-help", "--help-list", 0, "--gpu-name", ""},
    {"list-versions", "driver-list-versions", "--list-versions", 0, "13.1\n13.2\n13.3", "", "none", 3},
    {"list-versions-wins", "driver-list-versions", "--list-versions {missing}", 0, "13.1\n13.2\n13.3", "", "none", 3},
    // The command line: exit 1.
    {"no-input", "driver-exit-codes", "", 1, "*", "error: no input file provided"},
    {"two-inputs", "driver-exit-codes", "a.bc b.bc", 1, "", "Too many positional arguments specified!"},
    {"missing-input", "driver-exit-codes", "{missing} " SM, 1, "", "error: unable to read input file '{missing}': No such file or directory"},
    {"folder-input", "driver-exit-codes", "{dir} " SM, 1, "", "error: unable to read input file '{dir}': Is a directory"},
    {"dash-input", "driver-options", "- " SM, 1, "", "error: unable to read input file '-'"},
    {"gpu-unknown", "driver-gpu-name", "x --gpu-name sm_75", 1, "", "for the --gpu-name option: Cannot find option named 'sm_75'!"},
    {"gpu-suffix", "driver-gpu-name", "x --gpu-name sm_100a", 1, "", "for the --gpu-name option: Cannot find option named 'sm_100a'!"},
    {"gpu-number", "driver-gpu-name", "x --gpu-name 100", 1, "", "for the --gpu-name option: Cannot find option named '100'!"},
    {"gpu-native", "driver-gpu-name", "x --gpu-name native", 1, "", "for the --gpu-name option: Cannot find option named 'native'!"},
    {"gpu-empty", "driver-gpu-name", "x --gpu-name=", 1, "", "for the --gpu-name option: Cannot find option named ''!"},
    {"gpu-no-value", "driver-gpu-name", "x --gpu-name", 1, "", "for the --gpu-name option: requires a value!"},
    {"level-letter", "driver-level", "x -Os", 1, "", "'s' value invalid for integer argument!"},
    {"level-word", "driver-level", "x --opt-level=x", 1, "", "for the --opt-level option: 'x' value invalid for integer argument!"},
    {"bad-boolean", "driver-debug", "x --lineinfo=maybe", 1, "", "for the --lineinfo option: 'maybe' is invalid value for boolean argument! Try 0 or 1"},
    {"bad-host-arch", "driver-host", "x --host-arch=riscv64", 1, "", "for the --host-arch option: Cannot find option named 'riscv64'!"},
    {"bad-host-os", "driver-host", "x --host-os=beos", 1, "", "for the --host-os option: Cannot find option named 'beos'!"},
    {"bad-sanitize", "driver-sanitize", "x --sanitize=race", 1, "", "for the --sanitize option: Cannot find option named 'race'!"},
    {"bad-remarks", "driver-remarks", "x --remarks=loops", 1, "", "for the --remarks option: Cannot find option named 'loops'!", "none", 3},
    {"bad-remark-format", "driver-remarks", "x --remark-format=json", 1, "", "for the --remark-format option: Cannot find option named 'json'!", "none", 3},
    {"bad-preview", "driver-preview", "x --preview=x", 1, "", "unknown preview feature 'x'", "none", 5},
    {"unknown-option", "driver-unknown-options", "x --frobnicate", 1, "", "Unknown command line argument '--frobnicate'.|Did you mean"},
    {"near-option", "driver-unknown-options", "x --gpu-nam=sm_100", 1, "", "Unknown command line argument '--gpu-nam=sm_100'.|Did you mean '--gpu-name", "none", 3},
    {"pipeline-option", "driver-unknown-options", "x --pass-pipeline=x", 1, "", "Unknown command line argument '--pass-pipeline=x'"},
    {"warps-option", "driver-unknown-options", "x --num-warps=4", 1, "", "Unknown command line argument '--num-warps=4'"},
    {"output-attached", "driver-output", "x -ox.cubin", 1, "", "for the -o option: may not occur within a group!"},
    {"full-device", "driver-output-errors", "{bc} --gpu-name sm_100 -o /dev/full", 1, "", "*", "*"},
    // Configuration: exit 2.
    {"level-4", "driver-level", "{bc} " SM " -O4", 2, "", "error: invalid optimization level: 4"},
    {"level-9", "driver-level", "{bc} " SM " --opt-level=9", 2, "", "error: invalid optimization level: 9"},
    {"level-negative", "driver-level", "{bc} " SM " -O-1", 2, "", "error: invalid optimization level: -1"},
    {"debug-level", "driver-debug", "{bc} " SM " -g", 2, "", "error: optimized debugging is currently not supported"},
    {"debug-level-1", "driver-debug", "{bc} " SM " -g -O1", 2, "", "error: optimized debugging is currently not supported"},
    {"no-gpu", "driver-gpu-name", "{bc} -o {o}", 2, "", "error: GPU architecture sm_0 is not supported", "none", 3},
    {"output-missing-folder", "driver-output-errors", "{bc} --gpu-name sm_100 -o {missing}/x", 2, "", "*"},
    {"output-is-folder", "driver-output-errors", "{bc} --gpu-name sm_100 -o {dir}", 2, "", "*"},
    // No bytecode: exit 3, and an older output stays.
    {"empty", "driver-not-bytecode", "{empty} " SM, 3, "", NOT_BYTECODE},
    {"short", "driver-not-bytecode", "{short} " SM, 3, "", NOT_BYTECODE},
    {"text", "driver-not-bytecode", "{text} " SM, 3, "", NOT_BYTECODE},
    {"elf", "driver-not-bytecode", "{elf} " SM, 3, "", NOT_BYTECODE},
    {"magic", "driver-not-bytecode", "{magic} " SM, 3, "", NOT_BYTECODE},
    {"mlir-bytecode", "driver-not-bytecode", "{mlir} " SM, 3, "", NOT_BYTECODE},
    {"future-version", "driver-last-lines", "{future} " SM, 3, "", "error: unsupported Tile IR bytecode version: 13.99", "none", 3},
    {"cut-8", "driver-truncated", "{cut8} " SM, 3, "", "error: ", "none", 3},
    {"cut-9", "driver-truncated", "{cut9} " SM, 3, "", "error: ", "none", 3},
    {"cut-10", "driver-truncated", "{cut10} " SM, 3, "", NOT_BYTECODE},
    {"cut-12", "driver-truncated", "{cut12} " SM, 3, "", NOT_BYTECODE},
    {"cut-40", "driver-truncated", "{cut40} " SM, 3, "", NOT_BYTECODE},
    {"cut-half", "driver-truncated", "{half} " SM, 3, "", NOT_BYTECODE},
    {"keeps-older", "driver-whole-output", "{text} --gpu-name sm_100 -o {older}", 3, "", NOT_BYTECODE, "older"},
    // The order of the checks.
    {"order-option-file", "driver-check-order", "{missing} --gpu-name sm_1", 1, "", "for the --gpu-name option: Cannot find option named 'sm_1'!"},
    {"order-file-level", "driver-check-order", "{missing} -O9", 1, "", "error: unable to read input file"},
    {"order-magic-level", "driver-check-order", "{text} -O9", 3, "", NOT_BYTECODE},
    {"order-version-level", "driver-check-order", "{future} -O9", 3, "", "error: unsupported Tile IR bytecode version: 13.99", "none", 3},
    {"order-level-debug", "driver-check-order", "{bc} " SM " -O9 -g", 2, "", "error: invalid optimization level: 9"},
    {"order-debug-bytecode", "driver-check-order", "{half} " SM " -O2 -g", 2, "", "error: optimized debugging"},
    // The target: exit 5.
    {"library-missing", "driver-preview", "{bc} " SM " --preview=simt -l {missing}", 5, "", "error: failed to open tile library", "none", 5},
    {"library-no-preview", "driver-preview", "{bc} " SM " -l x", 5, "", "error: libraries require the 'simt' preview feature", "none", 5},
};
// clang-format on

llvm::ArrayRef<ContractRow> tilesmith::fuzz::conform::contractRows() {
  return kRows;
}

const ContractRow *tilesmith::fuzz::conform::findContractRow(StringRef requirement,
                                                             StringRef source) {
  for (const ContractRow &row : contractRows())
    if (("cli/" + row.name).str() == requirement)
      return source.ends_with(row.str()) ? &row : nullptr;
  return nullptr;
}

std::string ContractRow::str() const {
  std::string text = llvm::formatv("{0} => exit {1}, out '{2}', err '{3}', file {4}", arguments,
                                   exit, out, err, file);
  for (char &c : text)
    if (c == '\n' || c == '\t')
      c = ' ';
  return text;
}

std::optional<std::string> tilesmith::fuzz::conform::contractInput(StringRef name,
                                                                   StringRef module) {
  std::string zeros(20, '\0');
  if (name == "bc")
    return module.str();
  if (name == "empty")
    return "";
  if (name == "short")
    return "\x7fTileI";
  if (name == "text")
    return "cuda_tile.module @m {}\n";
  if (name == "elf")
    return "\x7f"
           "ELF" +
           zeros + zeros + zeros;
  if (name == "magic")
    return "\x7fTileIRx" + zeros;
  if (name == "mlir")
    return "ML\xefR" + zeros;
  if (name == "older")
    return kOlderOutput.str();
  if (name == "half")
    return module.take_front(module.size() / 2).str();
  if (name == "future") {
    std::string later = module.str();
    later[9] = 99;
    return later;
  }
  unsigned length;
  if (name.consume_front("cut") && !name.getAsInteger(10, length))
    return module.take_front(length).str();
  return std::nullopt;
}
