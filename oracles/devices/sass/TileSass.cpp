//===- TileSass.cpp - `tile-sass`: machine code from the command line -------------------------===//
//
//   tile-sass disassemble FILE.cubin [--kernel K]
//   tile-sass words sm_90 < FILE      two hexadecimal words (low, high) and an offset a line
//   tile-sass run FILE.cubin --kernel K --grid X,Y,Z [--block X,Y,Z] [--shared BYTES]
//             [--schedule fifo|lifo|random] [--late-copies] [--counters] --arg KIND:VALUE ...
//
// Arguments: `i8:` `i16:` `i32:` `i64:` `f32:` `f64:` with a number, `bits:SIZE:VALUE`,
// `buf:FILE[:OUT[:OFFSET]]`: a buffer with these contents, written to OUT afterwards.
// Exit code 0: completed; 1: a report; 2: usage, or no cubin.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/sass/Instruction.h"
#include "oracles/devices/sass/Sass.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>
#include <deque>
#include <iostream>
#include <map>

using namespace tilesmith::sass;

namespace {

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

bool parseArgument(llvm::StringRef text, Arguments &arguments) {
  auto [kind, value] = text.split(':');
  if (kind == "buf") {
    llvm::SmallVector<llvm::StringRef> parts;
    value.split(parts, ':');
    auto file = llvm::MemoryBuffer::getFile(parts[0], false, false);
    if (!file)
      return false;
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
      return false;
    arguments.values.push_back(bytesOf(reinterpret_cast<uint64_t>(buffer.data) + offset));
    return true;
  }
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
      (bits != 8 && bits != 16 && bits != 32 && bits != 64))
    return false;
  auto all = bytesOf(number);
  all.resize(bits / 8);
  arguments.values.push_back(all);
  return true;
}

bool parseThree(llvm::StringRef text, std::array<uint32_t, 3> &out) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',');
  if (parts.size() > 3)
    return false;
  for (size_t d = 0; d < parts.size(); ++d)
    if (parts[d].getAsInteger(10, out[d]))
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

int run(Program &program, llvm::ArrayRef<llvm::StringRef> options) {
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
    else if (option == "--arg")
      good = parseArgument(value, arguments);
    else
      good = false;
    if (!good)
      return usage("cannot read '" + option + " " + value + "'");
  }
  if (kernel.empty())
    kernel = program.kernels().front();
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
    std::error_code error;
    llvm::raw_fd_ostream out(buffer.out, error);
    if (error)
      return usage("cannot write '" + buffer.out + "'");
    out.write(reinterpret_cast<const char *>(buffer.data), buffer.size);
  }
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  std::vector<llvm::StringRef> arguments(argv + 1, argv + argc);
  if (arguments.size() < 2)
    return usage("expected disassemble, run or words, and a file or target");
  if (arguments[0] == "words")
    return words(arguments[1]);
  auto file = llvm::MemoryBuffer::getFile(arguments[1], false, false);
  if (!file)
    return usage("cannot read '" + arguments[1] + "'");
  llvm::StringRef text = (*file)->getBuffer();
  auto program = Program::create({text.bytes_begin(), text.size()});
  if (!program)
    return usage(llvm::toString(program.takeError()));
  if (arguments[0] == "run")
    return run(**program, llvm::ArrayRef(arguments).drop_front(2));
  if (arguments[0] != "disassemble")
    return usage("expected disassemble, run or words, found '" + arguments[0] + "'");
  for (const std::string &kernel : (*program)->kernels()) {
    llvm::outs() << kernel << ":\n";
    for (const std::string &line : (*program)->disassemble(kernel))
      llvm::outs() << "  " << line << "\n";
  }
  return 0;
}
