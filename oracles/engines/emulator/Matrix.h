//===- Matrix.h - element types of matrix operations ------------------------------------------===//
#ifndef ORACLES_ENGINES_EMULATOR_MATRIX_H
#define ORACLES_ENGINES_EMULATOR_MATRIX_H

#include <cstdint>

namespace tilesmith::emulator::matrix {

/// The 6- and 4-bit floats stand in a byte each (4-bit ones two bits up).
enum Element : int {
  F16,
  BF16,
  TF32,
  F64,
  E4M3,
  E5M2,
  S8,
  U8,
  S4,
  U4,
  F32,
  S32,
  E2M1,
  E3M2,
  E2M3,
  B1
};

/// `count` elements of a raw row as numbers.
void convertRow(const uint8_t *raw, int type, int count, double *out);

} // namespace tilesmith::emulator::matrix

#endif // ORACLES_ENGINES_EMULATOR_MATRIX_H
