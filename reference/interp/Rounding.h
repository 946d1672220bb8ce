//===- Rounding.h - rounding modes of the dialect ---------------------------------------------===//
#ifndef REFERENCE_INTERP_ROUNDING_H
#define REFERENCE_INTERP_ROUNDING_H

#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "reference/value/Float.h"

namespace tilesmith::reference {

/// The IEEE mode; approx and full are evaluated as rounding to nearest, the centre of their bounds.
inline Rounding ieeeRounding(cuda_tile::RoundingMode mode) {
  switch (mode) {
  case cuda_tile::RoundingMode::ZERO:
  case cuda_tile::RoundingMode::NEAREST_INT_TO_ZERO:
    return Rounding::Zero;
  case cuda_tile::RoundingMode::NEGATIVE_INF:
    return Rounding::Down;
  case cuda_tile::RoundingMode::POSITIVE_INF:
    return Rounding::Up;
  case cuda_tile::RoundingMode::NEAREST_AWAY:
    return Rounding::NearestAway;
  default:
    return Rounding::NearestEven;
  }
}

} // namespace tilesmith::reference

#endif // REFERENCE_INTERP_ROUNDING_H
