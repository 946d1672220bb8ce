//===- MatrixMemory.cpp - ldmatrix and stmatrix -----------------------------------------------===//
//
// Lane i gives the address of row i of all matrices together; a row is 16 bytes of shared memory.
// Elements of 16 bits come in 8x8 matrices, plain or transposed.
//
// Elements of 8 bits: m8n16 deals a row to four lanes, four bytes each. m16n16 and m16n8 are always
// transposed; which of the bytes of a lane's piece stands where follows CUTLASS's description of
// the instructions (the text of the PTX ISA leaves it to a figure): for stmatrix the layout of mma
// results with 8-bit elements. 4- and 6-bit elements are packed at the front of the row and become
// the low bits of bytes.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/emulator/Intrinsics.h"
#include "oracles/devices/emulator/Matrix.h"

namespace tilesmith::emulator {

using namespace matrix;

namespace {

enum Shape : int { M8N8, M8N16, M16N16, M16N8 };

/// Calls f(lane's row number, pointer to its 16 bytes) after the checks.
template <typename F> void forEachRow(const WarpCall &call, int rows, Site::Access access, F &&f) {
  for (int i = 0; i < rows; ++i) {
    const auto address = call.frames[i]->get<uint64_t>(0);
    if (address % 16 != 0 || !isSharedAddress(address, 16))
      fatal(Report::Fault,
            llvm::formatv("row address {0:x} of lane {1} is not 16 aligned bytes of shared memory",
                          address, i),
            call.siteId);
    laneAccess(i, address, 16, 16, access, call.siteId);
    f(i, reinterpret_cast<uint8_t *>(address));
  }
}

// 16 elements of `bits` bits each, packed from the first byte on.
void unpack(const uint8_t *packed, int bits, uint8_t *bytes) {
  for (int i = 0; i < 16; ++i) {
    const int at = i * bits;
    const uint32_t pair = packed[at / 8] | static_cast<uint32_t>(packed[at / 8 + 1]) << 8;
    bytes[i] = static_cast<uint8_t>(pair >> (at % 8) & ((1u << bits) - 1));
  }
}

/// Row and byte within it of byte `v` of register `r` of a lane.
struct Place {
  int row, column;
};
Place placeOf(Shape shape, int lane, int r, int v) {
  const int group = lane / 4, inGroup = lane % 4;
  switch (shape) {
  case M8N16:
    return {8 * r + group, 4 * inGroup + v};
  case M16N16: // two registers per matrix
    return {16 * (r / 2) + 4 * inGroup + 2 * (r % 2) + v % 2, group + 8 * (v / 2)};
  default: // M16N8
    return {8 * r + 2 * inGroup + v % 2, group + 8 * (v / 2)};
  }
}

// variant: shape, matrices, transposed (8x8 only), bits of an element in memory
void loadMatrices(const WarpCall &call) {
  requireWholeWarp(call);
  const auto &variant = call.site.op->variant;
  const auto shape = static_cast<Shape>(variant[0]);
  const int count = variant[1], bits = variant[3];
  const bool transposed = variant[2];
  alignas(16) uint8_t rows[32][16];
  forEachRow(call, count * (shape == M16N16 ? 16 : 8), Site::Load, [&](int i, uint8_t *row) {
    if (bits < 8)
      unpack(row, bits, rows[i]);
    else
      std::memcpy(rows[i], row, 16);
  });
  const int registers = shape == M16N16 ? 2 * count : count;
  for (int lane = 0; lane < 32; ++lane)
    for (int r = 0; r < registers; ++r) {
      uint32_t value = 0;
      if (shape == M8N8) {
        for (int j = 0; j < 2; ++j) {
          int row = lane / 4, column = 2 * (lane % 4) + j;
          if (transposed)
            std::swap(row, column);
          uint16_t element;
          std::memcpy(&element, &rows[8 * r + row][2 * column], 2);
          value |= static_cast<uint32_t>(element) << (16 * j);
        }
      } else {
        for (int v = 0; v < 4; ++v) {
          const Place at = placeOf(shape, lane, r, v);
          value |= static_cast<uint32_t>(rows[at.row][at.column]) << (8 * v);
        }
      }
      call.frames[lane]->put<uint32_t>(r, value);
    }
}

void storeMatrices(const WarpCall &call) {
  requireWholeWarp(call);
  const auto &variant = call.site.op->variant;
  const auto shape = static_cast<Shape>(variant[0]);
  const int count = variant[1];
  const bool transposed = variant[2];
  alignas(16) uint8_t rows[32][16];
  for (int lane = 0; lane < 32; ++lane)
    for (int r = 0; r < count; ++r) {
      const auto value = call.frames[lane]->get<uint32_t>(1 + r);
      if (shape == M8N8) {
        for (int j = 0; j < 2; ++j) {
          int row = lane / 4, column = 2 * (lane % 4) + j;
          if (transposed)
            std::swap(row, column);
          const auto element = static_cast<uint16_t>(value >> (16 * j));
          std::memcpy(&rows[8 * r + row][2 * column], &element, 2);
        }
      } else {
        for (int v = 0; v < 4; ++v) {
          const Place at = placeOf(shape, lane, r, v);
          rows[at.row][at.column] = static_cast<uint8_t>(value >> (8 * v));
        }
      }
    }
  forEachRow(call, 8 * count, Site::Store,
             [&](int i, uint8_t *row) { std::memcpy(row, rows[i], 16); });
}

} // namespace

void registerMatrixMemory(IntrinsicTable &t) {
  auto add = [&](const std::string &name, WarpFn fn, Shape shape, int count, int transposed,
                 int bits) {
    t.warp("llvm.nvvm." + name, fn, Intrinsic::WholeWarp).variant = {shape, count, transposed,
                                                                     bits};
  };
  for (int count : {1, 2, 4}) {
    const std::string x = ".x" + std::to_string(count);
    for (int transposed : {0, 1}) {
      const std::string tail = "sync.aligned.m8n8" + x + (transposed ? ".trans" : "") + ".b16";
      add("ldmatrix." + tail, loadMatrices, M8N8, count, transposed, 16);
      add("stmatrix." + tail, storeMatrices, M8N8, count, transposed, 16);
    }
    add("stmatrix.sync.aligned.m16n8" + x + ".trans.b8", storeMatrices, M16N8, count, 1, 8);
    for (auto [format, bits] : {std::pair{"b8x16.b4x16_p64", 4}, {"b8x16.b6x16_p32", 6}}) {
      add("ldmatrix.sync.aligned.m8n16" + x + "." + format, loadMatrices, M8N16, count, 0, bits);
      if (count < 4)
        add("ldmatrix.sync.aligned.m16n16" + x + ".trans." + format, loadMatrices, M16N16, count, 1,
            bits);
    }
    if (count < 4)
      add("ldmatrix.sync.aligned.m16n16" + x + ".trans.b8", loadMatrices, M16N16, count, 1, 8);
  }
}

} // namespace tilesmith::emulator
