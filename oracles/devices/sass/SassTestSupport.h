//===- SassTestSupport.h - cubins for tests: assembled, stored, launched ----------------------===//
#ifndef ORACLES_DEVICES_SASS_SASSTESTSUPPORT_H
#define ORACLES_DEVICES_SASS_SASSTESTSUPPORT_H

#include "oracles/devices/emulator/Numeric.h"
#include "oracles/devices/sass/Cubin.h"
#include "oracles/devices/sass/Instruction.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

#include <cstring>
#include <optional>
#include <vector>

namespace tilesmith::sass {

inline std::optional<std::string> findPtxas() {
  if (const char *folder = getenv("CUDA_HOME"))
    if (std::string path = std::string(folder) + "/bin/ptxas"; llvm::sys::fs::can_execute(path))
      return path;
  if (auto found = llvm::sys::findProgramByName("ptxas"))
    return *found;
  if (llvm::sys::fs::can_execute("/usr/local/cuda/bin/ptxas"))
    return "/usr/local/cuda/bin/ptxas";
  return std::nullopt;
}

/// Whether there is a ptxas that compiles for the GPU.
inline bool knowsGpu(llvm::StringRef gpu) {
  auto ptxas = findPtxas();
  llvm::SmallString<128> said;
  if (!ptxas || llvm::sys::fs::createTemporaryFile("ptxas", "txt", said))
    return false;
  const llvm::StringRef out = said;
  llvm::sys::ExecuteAndWait(*ptxas, {*ptxas, "--help"}, std::nullopt, {{}, out, out});
  auto text = llvm::MemoryBuffer::getFile(said);
  const bool knows = text && (*text)->getBuffer().contains(("'" + gpu + "'").str());
  llvm::sys::fs::remove(said);
  return knows;
}

/// Why a test that needs a ptxas (of this GPU) is skipped; empty where there is one.
inline std::string whyNoPtxas(llvm::StringRef gpu = "") {
  if (gpu.empty() ? findPtxas().has_value() : knowsGpu(gpu))
    return "";
  return ("no ptxas" + (gpu.empty() ? "" : " that knows " + gpu) +
          ": neither in $CUDA_HOME/bin nor in PATH nor in /usr/local/cuda/bin")
      .str();
}

inline std::vector<uint8_t> readBytes(const llvm::Twine &path) {
  auto file = llvm::MemoryBuffer::getFile(path, false, false);
  EXPECT_TRUE(bool(file)) << path.str();
  if (!file)
    return {};
  return {(*file)->getBuffer().bytes_begin(), (*file)->getBuffer().bytes_end()};
}

inline std::vector<uint8_t> assemble(const std::string &ptxas, llvm::StringRef text,
                                     llvm::StringRef gpu, llvm::StringRef level) {
  llvm::SmallString<128> folder;
  EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("sass-test", folder));
  const std::string in = (folder + "/in.ptx").str(), out = (folder + "/out.cubin").str();
  {
    std::error_code error;
    llvm::raw_fd_ostream file(in, error);
    file << text;
  }
  const int code = llvm::sys::ExecuteAndWait(ptxas, {ptxas, "-arch", gpu, level, in, "-o", out});
  EXPECT_EQ(code, 0);
  std::vector<uint8_t> bytes = code == 0 ? readBytes(out) : std::vector<uint8_t>();
  llvm::sys::fs::remove_directories(folder);
  return bytes;
}

inline std::string corpusFile(llvm::StringRef name) {
  const char *root = getenv("TILESMITH_SOURCE_DIR");
  return ((root ? root : ".") + llvm::Twine("/corpus/sass/") + name).str();
}

/// Writes the program over the code of kernel k; what is wrong with the file, or nothing.
inline std::string putProgram(std::vector<uint8_t> &file, llvm::ArrayRef<Word> program) {
  auto elf = Elf::read(file);
  if (!elf)
    return llvm::toString(elf.takeError());
  uint8_t *code = file.data() + (elf->find(".text.k")->bytes.data() - file.data());
  for (const Word &one : program) {
    std::memcpy(code, &one.low, 8), std::memcpy(code + 8, &one.high, 8);
    code += 16;
  }
  return "";
}

inline void storeCubin(llvm::StringRef name, llvm::ArrayRef<uint8_t> bytes) {
  std::error_code error;
  llvm::raw_fd_ostream out(corpusFile(name), error);
  EXPECT_FALSE(error) << error.message();
  out << llvm::toStringRef(bytes);
}

/// Checks what ptxas makes of the text at -O0 and -O3; skips the test without ptxas. With
/// TILESMITH_UPDATE set, the cubin of -O3 is stored.
inline void checkAtBothLevels(llvm::StringRef text, llvm::StringRef gpu, llvm::StringRef stored,
                              void (*check)(llvm::ArrayRef<uint8_t> cubin)) {
  auto ptxas = findPtxas();
  if (!ptxas)
    GTEST_SKIP() << whyNoPtxas();
  for (llvm::StringRef level : {"-O0", "-O3"}) {
    SCOPED_TRACE(level.str());
    const std::vector<uint8_t> cubin = assemble(*ptxas, text, gpu, level);
    check(cubin);
    if (getenv("TILESMITH_UPDATE") && level == "-O3")
      storeCubin(stored, cubin);
  }
}

/// The bytes of an argument of a launch.
template <typename T> std::vector<uint8_t> argument(T value) {
  std::vector<uint8_t> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

/// A whole number in an element type: `f16`, `bf16`, `tf32`, `e4m3`, `e5m2`, `s8`, `u8`.
inline uint32_t encodeAs(llvm::StringRef type, int value) {
  if (type == "f16")
    return emulator::encode(value, emulator::kF16);
  if (type == "bf16")
    return emulator::encode(value, emulator::kBF16);
  if (type == "e4m3")
    return emulator::encode(value, emulator::kE4M3);
  if (type == "e5m2")
    return emulator::encode(value, emulator::kE5M2);
  return type == "tf32" ? emulator::encode(value, emulator::kF32) : static_cast<uint8_t>(value);
}

/// Writes a matrix, rows (or columns, of B) by depth, to an image of shared memory from `start` on
/// and returns the descriptor of its place. Blocks of 8 rows by 16 bytes without a swizzle, of 8
/// rows by its width with one; `mode`: 0 none, 1, 2, 3: 128, 64, 32 bytes.
inline uint64_t place(uint8_t *memory, unsigned start, unsigned bytes, unsigned mode,
                      bool transposed, llvm::StringRef type,
                      const std::vector<std::vector<int>> &values) {
  const auto outer = static_cast<unsigned>(values.size());
  const unsigned k = 32 / bytes, width = mode == 0 ? 16 : 256 >> mode;
  const unsigned rows = transposed ? k : outer;
  const unsigned blocksAcross = rows / 8, block = 8 * width;
  for (unsigned x = 0; x < outer; ++x)
    for (unsigned y = 0; y < k; ++y) {
      const unsigned row = transposed ? y : x, byte = (transposed ? x : y) * bytes;
      unsigned at =
          (byte / width * blocksAcross + row / 8) * block + row % 8 * width + byte % width;
      // Chunks of 16 bytes change places by the number of the row of 128 bytes they are in.
      const unsigned chunks = width / 16;
      at = at / 16 * 16 - at / 16 % chunks * 16 +
           (at / 16 % chunks ^ at / 128 % chunks) % chunks * 16 + at % 16;
      const uint32_t bits = encodeAs(type, values[x][y]);
      std::memcpy(memory + start + at, &bits, bytes);
    }
  const uint64_t betweenRows = block, betweenColumns = blocksAcross * block;
  const bool swapped = transposed && mode == 0;
  const uint64_t leading = swapped ? betweenRows : betweenColumns,
                 stride = swapped ? betweenColumns : betweenRows;
  return start >> 4 | leading >> 4 << 16 | stride >> 4 << 32 | uint64_t{mode} << 62;
}

} // namespace tilesmith::sass

#endif // ORACLES_DEVICES_SASS_SASSTESTSUPPORT_H
