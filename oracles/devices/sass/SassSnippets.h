//===- SassSnippets.h - PTX of one operation, and what it has to give -------------------------===//
//
// PTX snippets become machine code by ptxas at -O0 and at -O3, for two targets: different instructions, one
// answer, which a function beside the snippet gives. Each family has its file: snippets, and rows of the
// table with a wrong function, which these snippets have to show: a row is found there by its name.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DEVICES_SASS_SASSSNIPPETS_H
#define ORACLES_DEVICES_SASS_SASSSNIPPETS_H

#include "oracles/devices/emulator/Numeric.h"
#include "oracles/devices/sass/Instruction.h"
#include "oracles/devices/sass/Sass.h"
#include "oracles/devices/sass/SassTestSupport.h"

#include <bit>

namespace tilesmith::sass {

/// `%a`, `%b`, `%c` hold the inputs, `%d` takes the result: 64-bit registers; `%x`, `%y`, `%z`,
/// `%w` are 32 bits, the low halves of the inputs and the result of 32-bit snippets.
struct Snippet {
  const char *name, *body;
  uint64_t (*expected)(uint64_t a, uint64_t b, uint64_t c);
};

/// SassIntegerTest, SassFloatTest, SassConversionTest and SassControlTest.
llvm::ArrayRef<Snippet> integerSnippets();
llvm::ArrayRef<Snippet> floatSnippets();
llvm::ArrayRef<Snippet> conversionSnippets();
llvm::ArrayRef<Snippet> controlSnippets();
/// Of all families, in this order, in which the stored cubins have them.
std::vector<Snippet> allSnippets();

/// Whether the result has 64 bits.
bool isWide(const Snippet &snippet);
/// A kernel for each snippet, of its name.
std::string ptxOfSnippets(llvm::StringRef gpu);
/// Random bits, small numbers and the special values of all formats.
std::vector<uint64_t> inputs(unsigned count, uint64_t seed);
/// What is wrong with the results of a snippet; empty when they are right.
std::string checkSnippet(Program &program, const Snippet &snippet, uint64_t seed);
/// What is wrong with the results of these snippets; nothing when they are right.
std::vector<std::string> checkSnippets(llvm::ArrayRef<uint8_t> cubin,
                                       llvm::ArrayRef<Snippet> snippets);

/// A row of the table by its name, with a function that is not its own.
struct WrongRow {
  const char *name;
  Execute wrong;
};
/// Whether one of the snippets, in a stored cubin, gives something else with it.
bool isShown(const WrongRow &row, llvm::ArrayRef<Snippet> snippets);

inline float asFloat(uint64_t v) {
  return std::bit_cast<float>(static_cast<uint32_t>(v));
}
inline uint64_t fromFloat(float v) {
  return v != v ? 0x7fffffffu : std::bit_cast<uint32_t>(v);
}
inline double asDouble(uint64_t v) {
  return std::bit_cast<double>(v);
}
inline uint64_t fromDouble(double v) {
  return v != v ? 0xfff8000000000000u : std::bit_cast<uint64_t>(v);
}
inline bool isNaN(uint64_t v) {
  return asDouble(v) != asDouble(v);
}
inline uint64_t half(double v) {
  return emulator::encode(v, emulator::kF16);
}
inline double fromHalf(uint64_t v) {
  return emulator::decode(v & 0xffff, emulator::kF16);
}

} // namespace tilesmith::sass

#endif // ORACLES_DEVICES_SASS_SASSSNIPPETS_H
