//===- SassSweep.h - every form of an operation that PTX can write, in one kernel -------------===//
//
// A sweep is a family of operations that differ by modifiers: roundings, comparisons, types, halves. One kernel does
// them all on three inputs of each lane and stores a result for each. The second and third input are registers,
// numbers that the text has, or parameters, so that ptxas makes each form of operands. Each operation says what it
// has to give; nothing of the device is used for that.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DEVICES_SASS_SASSSWEEP_H
#define ORACLES_DEVICES_SASS_SASSSWEEP_H

#include "oracles/devices/sass/SassSnippets.h"

#include <cfenv>
#include <cmath>
#include <functional>
#include <limits>

namespace tilesmith::sass {

/// `%a`, `%b`, `%c`, `%x` and so on as in a snippet; `%s`, `%t`, `%u` are the lower and `%S`, `%T`, `%U` the upper
/// halves of `%x`, `%y`, `%z`; `%v` takes a result of 16 bits, `%o` and `%q` are free, as are predicates `%p`, `%r`, `%m`.
struct SweepOperation {
  std::string body;
  std::function<uint64_t(uint64_t a, uint64_t b, uint64_t c)> expected;
  unsigned firstSm = 80;
  unsigned anyNaN = 0; ///< bits of the float that the result is, if any NaN is as good as another
};
using Sweep = std::vector<SweepOperation>;

/// By name, as the kernels of the text are called.
struct NamedSweep {
  const char *name;
  Sweep (*make)();
};
/// Of floats, halves, conversions, integers: each of a file of its own.
Sweep floatSweep();
Sweep doubleSweep();
Sweep halfSweep();
Sweep brainSweep();
Sweep conversionSweep();
Sweep integerSweep();
llvm::ArrayRef<NamedSweep> allSweeps();

/// Roundings as PTX writes them, and as <cfenv> does.
struct Rounding {
  const char *name;
  int mode;
  emulator::Round of;
};
inline constexpr Rounding kRoundings[] = {{"rn", FE_TONEAREST, emulator::Round::Nearest},
                                          {"rz", FE_TOWARDZERO, emulator::Round::Zero},
                                          {"rm", FE_DOWNWARD, emulator::Round::Down},
                                          {"rp", FE_UPWARD, emulator::Round::Up}};
/// A value that the processor computes in a mode. The sources are read and the result is written through volatiles.
template <typename F> auto inMode(int mode, F compute) {
  std::fesetround(mode);
  volatile auto result = compute();
  std::fesetround(FE_TONEAREST);
  return +result;
}

/// Comparisons of floats: by the name, whether it holds.
inline constexpr const char *kComparisons[] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                                               "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
template <typename T> bool compares(llvm::StringRef name, T a, T b) {
  const bool unordered = a != a || b != b;
  if (name == "num" || name == "nan")
    return unordered == (name == "nan");
  if (unordered)
    return name.size() == 3;
  name = name.take_front(2);
  return name == "eq"   ? a == b
         : name == "ne" ? a != b
         : name == "lt" ? a < b
         : name == "le" ? a <= b
         : name == "gt" ? a > b
                        : a >= b;
}
inline constexpr const char *kBooleans[] = {"and", "or", "xor"};
inline bool combines(llvm::StringRef name, bool a, bool b) {
  return name == "and" ? a && b : name == "or" ? a || b : a != b;
}
/// The lesser or greater one; of a NaN the other one, unless NaN is what is wanted.
template <typename T> T leastOf(T a, T b, bool greatest, bool wantsNaN) {
  if (a != a || b != b)
    return wantsNaN || (a != a && b != b) ? std::numeric_limits<T>::quiet_NaN() : a != a ? b : a;
  if (a == b)
    return std::signbit(a) != greatest ? a : b;
  return (a < b) != greatest ? a : b;
}

/// A kernel for each sweep.
std::string ptxOfSweeps(llvm::StringRef gpu, unsigned sm);
/// What is wrong, at most a few of each sweep.
std::vector<std::string> checkSweeps(llvm::ArrayRef<uint8_t> cubin, unsigned sm);

} // namespace tilesmith::sass

#endif // ORACLES_DEVICES_SASS_SASSSWEEP_H
