//===- TileSass.cpp - `tile-sass`: machine code from the command line -------------------------===//
//
//   tile-sass disassemble FILE.cubin
//   tile-sass words sm_90 < FILE      two hexadecimal words (low, high) and an offset a line
//   tile-sass run FILE.cubin [OPTIONS]
//
// Exit code 0: completed; 1: a report; 2: usage, or no cubin.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/support/InputFile.h"
#include "compiler/support/ToolSetup.h"
#include "compiler/support/WriteFile.h"
#include "oracles/devices/sass/Instruction.h"
#include "oracles/devices/sass/Sass.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>
#include <deque>
#include <iostream>
#include <map>

using namespace tilesmith;
using namespace tilesmith::sass;

namespace {

constexpr llvm::StringLiteral kHelp =
    "usage: tile-sass disassemble FILE.cubin\n"
    "       tile-sass words sm_90 < FILE\n"
    "       tile-sass run FILE.cubin [--kernel K] [--grid X,Y,Z] [--block X,Y,Z] [--shared BYTES]\n"
    "                 [--schedule fifo|lifo|random] [--millis N] [--late-copies] [--counters]\n"
    "                 [--arg KIND:VALUE]...\n"
    "words: two hexadecimal words (low, high) and an offset a line\n"
    "--arg: i8:, i16:, i32:, i64:, f32: or f64: with a number, bits:SIZE:VALUE, or\n"
    "       buf:FILE[:OUT[:OFFSET]], a buffer with these contents, written to OUT afterwards\n";

int usage(const llvm::Twine &why) {
  llvm::errs() << "tile-sass: " << why << "\n";
  return 2;
}

struct Buffer {
  std::vector<uint8_t> storage;
  uint8_t *data = nullptr;
  size_t size = 0;
  std::string out;
};

struct Arguments {
  std::map<std::string, Buffer> buffers; ///< by file: the same file is the same buffer
  std::vector<std::vector<uint8_t>> values;
};

template <typename T> std::vector<uint8_t> bytesOf(T value) {
  const auto *begin = reinterpret_cast<const uint8_t *>(&value);
  return {begin, begin + sizeof value};
}

/// `FILE[:OUT[:OFFSET]]`.
llvm::Error parseBuffer(llvm::StringRef text, Arguments &arguments) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ':');
  auto file = readInputFile(parts[0]);
  if (!file)
    return file.takeError();
  Buffer &buffer = arguments.buffers[parts[0].str()];
  if (!buffer.data) {
    buffer.size = (*file)->getBufferSize();
    buffer.storage.resize(buffer.size + 512, 0xa5);
    buffer.data = reinterpret_cast<uint8_t *>(
        (reinterpret_cast<uint64_t>(buffer.storage.data()) + 255) / 256 * 256);
    std::memcpy(buffer.data, (*file)->getBufferStart(), buffer.size);
  }
  if (parts.size() > 1 && !parts[1].empty())
    buffer.out = parts[1].str();
  uint64_t offset = 0;
  if (parts.size() > 3 || (parts.size() > 2 && parts[2].getAsInteger(0, offset)) ||
      offset > buffer.size)
    return llvm::createStringError("expected FILE[:OUT[:OFFSET]] with an offset of at most " +
                                   llvm::Twine(buffer.size) + ", found '" + text + "'");
  arguments.values.push_back(bytesOf(reinterpret_cast<uint64_t>(buffer.data) + offset));
  return llvm::Error::success();
}

/// A number as the bytes of a parameter.
bool parseNumber(llvm::StringRef kind, llvm::StringRef value, Arguments &arguments) {
  if (kind == "bits") {
    auto [size, bits] = value.split(':');
    unsigned bytes = 0;
    uint64_t number = 0;
    if (size.getAsInteger(0, bytes) || bits.getAsInteger(0, number) || bytes > 8)
      return false;
    auto all = bytesOf(number);
    all.resize(bytes);
    arguments.values.push_back(all);
    return true;
  }
  if (kind == "f32" || kind == "f64") {
    double number = 0;
    if (value.getAsDouble(number))
      return false;
    arguments.values.push_back(kind == "f32" ? bytesOf(static_cast<float>(number))
                                             : bytesOf(number));
    return true;
  }
  unsigned bits = 0;
  int64_t number = 0;
  if (!kind.consume_front("i") || kind.getAsInteger(10, bits) || value.getAsInteger(0, number) ||
      (bits != 8 && bits != 16 && bits != 32 && bits != 64) ||
      (bits < 64 && (number < -(int64_t{1} << (bits - 1)) || number >= int64_t{1} << bits)))
    return false;
  auto all = bytesOf(number);
  all.resize(bits / 8);
  arguments.values.push_back(all);
  return true;
}

llvm::Error parseArgument(llvm::StringRef text, Arguments &arguments) {
  auto [kind, value] = text.split(':');
  if (kind == "buf")
    return parseBuffer(value, arguments);
  if (parseNumber(kind, value, arguments))
    return llvm::Error::success();
  return llvm::createStringError(
      "expected KIND:VALUE with a value that the kind holds (--help lists them), found '" + text +
      "'");
}

bool parseThree(llvm::StringRef text, std::array<uint32_t, 3> &out) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',');
  if (parts.size() > 3)
    return false;
  for (size_t d = 0; d < parts.size(); ++d)
    if (parts[d].getAsInteger(10, out[d]) || out[d] == 0)
      return false;
  return true;
}

bool parseSchedule(llvm::StringRef text, Schedule &out) {
  out = text == "lifo" ? Schedule::LIFO : text == "random" ? Schedule::Random : Schedule::FIFO;
  return text == "fifo" || out != Schedule::FIFO;
}

int words(llvm::StringRef gpu) {
  unsigned sm = 0;
  if (!gpu.consume_front("sm_") || gpu.getAsInteger(10, sm))
    return usage("expected a target such as sm_80, found '" + gpu + "'");
  Word word;
  uint32_t offset;
  while (std::cin >> std::hex >> word.low >> word.high >> offset) {
    auto instruction = decode(word, offset, sm);
    llvm::outs() << (instruction ? print(*instruction)
                                 : "? " + llvm::toString(instruction.takeError()))
                 << "\n";
  }
  return std::cin.eof() ? 0 : usage("expected two hexadecimal words and an offset a line");
}

int run(Program &program, llvm::StringRef cubin, llvm::ArrayRef<llvm::StringRef> options) {
  LaunchConfig config;
  Arguments arguments;
  std::string kernel;
  bool counters = false;
  for (size_t n = 0; n < options.size(); ++n) {
    llvm::StringRef option = options[n];
    if (option == "--late-copies") {
      config.lateCopies = true;
      continue;
    }
    if (option == "--counters") {
      counters = true;
      continue;
    }
    if (n + 1 == options.size())
      return usage("expected a value behind '" + option + "'");
    llvm::StringRef value = options[++n];
    bool good = true;
    if (option == "--kernel")
      kernel = value.str();
    else if (option == "--grid")
      good = parseThree(value, config.grid);
    else if (option == "--block")
      good = parseThree(value, config.block);
    else if (option == "--shared")
      good = !value.getAsInteger(10, config.dynamicSharedBytes);
    else if (option == "--millis")
      good = !value.getAsInteger(10, config.maxMillis);
    else if (option == "--schedule")
      good = parseSchedule(value, config.schedule);
    else if (option != "--arg")
      return usage("expected an option of run (--help lists them), found '" + option + "'");
    else if (llvm::Error error = parseArgument(value, arguments))
      return usage("--arg: " + llvm::toString(std::move(error)));
    if (!good)
      return usage("expected a value that " + option + " takes (--help lists them), found '" +
                   value + "'");
  }
  const std::vector<std::string> kernels = program.kernels();
  if (kernel.empty() && kernels.size() == 1)
    kernel = kernels.front();
  if (!llvm::is_contained(kernels, kernel))
    return usage("expected --kernel to be one of " + llvm::join(kernels, ", ") + ", found '" +
                 kernel + "'");
  std::vector<std::string> inputs{cubin.str()};
  for (const auto &[file, buffer] : arguments.buffers)
    inputs.push_back(file);
  for (const auto &[file, buffer] : arguments.buffers)
    if (llvm::Error error = checkOutputFile(buffer.out, inputs))
      return usage(llvm::toString(std::move(error)));
  for (auto &[file, buffer] : arguments.buffers)
    program.addRange(buffer.data, buffer.size, file);
  Report report = program.launch(kernel, config, arguments.values);
  llvm::outs() << report.printed;
  llvm::outs().flush();
  if (counters)
    llvm::errs() << llvm::formatv("{0} instructions, {1} lane instructions, {2} us\n",
                                  report.counters.instructions, report.counters.laneInstructions,
                                  report.counters.executeMicros);
  if (!report.ok()) {
    llvm::errs() << toString(report.status) << ": " << report.message << "\n";
    return 1;
  }
  for (auto &[file, buffer] : arguments.buffers) {
    if (buffer.out.empty())
      continue;
    const llvm::ArrayRef<uint8_t> bytes(buffer.data, buffer.size);
    if (llvm::Error error = writeFileAtomically(buffer.out, llvm::toStringRef(bytes)))
      return usage(llvm::toString(std::move(error)));
  }
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  setUpTool();
  std::vector<llvm::StringRef> arguments(argv + 1, argv + argc);
  if (llvm::is_contained(arguments, "--help") || llvm::is_contained(arguments, "-h")) {
    llvm::outs() << kHelp;
    return 0;
  }
  const llvm::StringRef action = arguments.empty() ? "" : arguments[0];
  if (!llvm::is_contained({"disassemble", "run", "words"}, action))
    return usage("expected disassemble, run or words (--help explains them), found '" + action +
                 "'");
  if (arguments.size() < 2)
    return usage("expected a file or target behind " + action);
  if (action != "run" && arguments.size() > 2)
    return usage("expected nothing more behind '" + arguments[1] + "', found '" + arguments[2] +
                 "'");
  if (action == "words")
    return words(arguments[1]);
  auto file = readInputFile(arguments[1]);
  if (!file)
    return usage(llvm::toString(file.takeError()));
  llvm::StringRef text = (*file)->getBuffer();
  auto program = Program::create({text.bytes_begin(), text.size()});
  if (!program)
    return usage(llvm::toString(program.takeError()));
  if (action == "run")
    return run(**program, arguments[1], llvm::ArrayRef(arguments).drop_front(2));
  for (const std::string &kernel : (*program)->kernels()) {
    llvm::outs() << kernel << ":\n";
    for (const std::string &line : (*program)->disassemble(kernel))
      llvm::outs() << "  " << line << "\n";
  }
  return 0;
}
