//===- TensorMap.h - tensor maps and the copies they describe ---------------------------------===//
//
// A tensor map is 128 opaque bytes for PTX; this is the emulator's own layout of them. Field
// values are those that `tensormap.replace` takes, so that a map may be built on the device from
// zeros.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DEVICES_EMULATOR_TENSORMAP_H
#define ORACLES_DEVICES_EMULATOR_TENSORMAP_H

#include <array>
#include <cstdint>

namespace tilesmith::emulator {

struct TensorMap {
  enum Element : uint8_t {
    U8,
    U16,
    U32,
    S32,
    U64,
    S64,
    F16,
    F32,
    F32Ftz,
    F64,
    BF16,
    TF32,
    TF32Ftz
  };
  enum Swizzle : uint8_t { None, Bytes32, Bytes64, Bytes128 };
  enum Atomicity : uint8_t { Pieces16, Pieces32 };

  uint64_t address = 0;
  uint32_t lastDimension = 0; // rank - 1
  uint8_t element = U8, interleave = 0, swizzle = None, fillNan = 0, atomicity = 0;
  uint8_t reserved[3] = {};
  std::array<uint32_t, 5> box{}, size{}, elementStride{};
  std::array<uint64_t, 4> stride{}; // bytes, of dimensions 1 and up
  std::array<uint64_t, 2> padding{};

  unsigned rank() const { return lastDimension + 1; }
  /// Copies to shared memory round f32 to the nearest tf32.
  bool roundsToTF32() const { return element == TF32 || element == TF32Ftz; }
  unsigned elementBytes() const;
  /// Elements of the box along one dimension, as stored in shared memory.
  uint32_t extent(unsigned dimension) const {
    const uint32_t step = elementStride[dimension] ? elementStride[dimension] : 1;
    return (box[dimension] + step - 1) / step;
  }
};
static_assert(sizeof(TensorMap) == 128);

/// One tensor copy: everything it needs when it lands.
struct TensorCopy {
  TensorMap map;
  std::array<int32_t, 8> coordinates{}; // gather and scatter: column, four rows
  uint64_t shared = 0;
  bool toGlobal = false, rows = false; // rows: four rows with coordinates of their own
  int8_t reduction = -1;

  uint32_t bytes() const;
  /// Calls f(shared address, global address, inside) for every element.
  template <typename F> void forEach(F &&f) const;
  /// `source`: what a copy to global memory has read before; null: it reads now.
  void run(const char *source = nullptr) const;
};

enum Reduction : int {
  ReduceAdd,
  ReduceMin,
  ReduceMax,
  ReduceInc,
  ReduceDec,
  ReduceAnd,
  ReduceOr,
  ReduceXor
};
/// target[i] = op(target[i], source[i]); `element` is a TensorMap::Element.
void reduceElements(char *target, const char *source, uint32_t bytes, int reduction, int element);

} // namespace tilesmith::emulator

#endif // ORACLES_DEVICES_EMULATOR_TENSORMAP_H
