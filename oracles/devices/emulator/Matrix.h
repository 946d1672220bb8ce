//===- Matrix.h - element types of matrix operations ------------------------------------------===//
#ifndef ORACLES_DEVICES_EMULATOR_MATRIX_H
#define ORACLES_DEVICES_EMULATOR_MATRIX_H

#include "oracles/devices/emulator/Runtime.h"

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
  B1,
  E2M1Pair // two to a byte
};

/// Bits that an element takes in a register.
int widthOf(int element);
bool isInteger(int element);

/// Faults unless all 32 lanes take part.
void requireWholeWarp(const WarpCall &call);
/// The same, for a multiplication, which is counted.
void startMultiplication(const WarpCall &call);

/// `count` elements of a raw row as numbers; exact for every type but B1.
void convertRow(const uint8_t *raw, int type, int count, double *out);

/// Register piece `r` of `lane` in an operand of an `mma.sync` with rows of consecutive bytes:
/// groups of eight lanes share a row, the four lanes of a group hold consecutive pieces along k. A
/// has two row halves, which alternate first.
struct Piece {
  int row, piece;
};
inline Piece pieceOfA(int lane, int r, bool twoHalves) {
  return {(lane >> 2) + (twoHalves ? 8 * (r & 1) : 0), 4 * (twoHalves ? r >> 1 : r) + (lane & 3)};
}
inline Piece pieceOfB(int lane, int r) {
  return {lane >> 2, 4 * r + (lane & 3)};
}

/// Accumulators: value `i` of a fragment of f32, s32 or f16 (two to a slot) that starts at `slot`.
double loadElement(const Frame &frame, int slot, int i, int type);
/// Rounds once; integers wrap, or saturate.
void storeElement(Frame &frame, int i, int type, double value, bool saturate);

/// Metadata of a matrix with half of its elements stored: who has it and what it says.
struct Sparsity {
  const WarpCall &call;
  int slot, type, k, selector; // slot of the metadata register; k of the whole matrix
  bool ordered;

  int contributors() const; // lanes of a group of four
  void check() const;       // the selector
  /// Puts the stored elements of a row where the metadata says.
  void expand(int row, const double *stored, double *dense) const;

private:
  int unit() const { return widthOf(type) == 4 ? 2 : 1; } // 4-bit elements move in pairs
  uint32_t bitsOf(int row, int chunk) const;
};

// ---- products: accumulators are kept as lanes hold them ----

/// `a` is [k][8 groups][4]: row `group` twice, row `group + 8` twice; `b` is [tiles][k][8 columns];
/// `acc` is [tiles][32 lanes][4]. Every element is summed along k in ascending order, fused.
void multiplyTiles(double *acc, const double *a, const double *b, int tiles, int k);
/// Rows of numbers as `multiplyTiles` wants A.
void dealA(double *a, int row, const double *values, int k);
void dealB(double *b, int column, const double *values, int k);
/// Accumulators of f32: `tiles` times four consecutive slots per lane. NaN is stored as the one NaN
/// of the GPU.
void loadFloats(const WarpCall &call, int slot, int tiles, double *acc);
void storeFloats(const WarpCall &call, int tiles, const double *acc);

} // namespace tilesmith::emulator::matrix

#endif // ORACLES_DEVICES_EMULATOR_MATRIX_H
