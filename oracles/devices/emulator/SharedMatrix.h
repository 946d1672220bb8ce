//===- SharedMatrix.h - operands of products that lie in shared memory ------------------------===//
//
// What a matrix descriptor of wgmma or tcgen05 stands for: rows of an operand in one of the
// canonical layouts, read on behalf of the agent that computes. Swizzles act on absolute addresses.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DEVICES_EMULATOR_SHAREDMATRIX_H
#define ORACLES_DEVICES_EMULATOR_SHAREDMATRIX_H

#include "oracles/devices/emulator/Device.h"
#include "oracles/devices/emulator/Matrix.h"

namespace tilesmith::emulator::matrix {

using RawRow = uint8_t[64];

struct SharedMatrix {
  uint64_t start = 0, leading = 0, stride = 0;
  unsigned width = 0;  // of the swizzle in bytes, 0 for none
  unsigned grain = 16; // bytes that the swizzle keeps together: 16, or 32 of 128
  uint32_t site = kNoSite;
  uint32_t thread = 0, agent = 0; // whose knowledge counts, and who reads

  uint64_t swizzled(uint64_t address) const {
    if (grain == 32)
      return address ^ ((address >> 7 & 3) << 5);
    return width ? address ^ ((address >> 7 & (width / 16 - 1)) << 4) : address;
  }
  /// Where 16 bytes along K of row `row` lie (K-major).
  uint64_t alongK(unsigned row, unsigned piece) const {
    return swizzled(width ? start + row / 8 * stride + row % 8 * width +
                                piece * 16 / width * leading + piece * 16 % width
                          : start + row / 8 * stride + row % 8 * 16 + piece * leading);
  }
  /// Where 16 bytes along M or N lie at depth k (transposed).
  uint64_t alongRows(unsigned at, unsigned k) const {
    const unsigned lines = grain == 32 ? 4 : 8; // that the swizzle permutes among each other
    return swizzled(width ? start + at * 16 / width * leading + at * 16 % width +
                                k % lines * width + k / lines * stride
                          : start + at * stride + k % 8 * 16 + k / 8 * leading);
  }

  const uint8_t *fetch(uint64_t address) const {
    Device &device = *Device::running();
    const uint64_t offset = address - device.current->regs.sharedBase;
    if (offset >= device.sharedBytes || device.sharedBytes - offset < 16)
      fatal(Report::Fault,
            llvm::formatv("shared memory access out of bounds: matrix descriptor reaches {0:x}",
                          address),
            site);
    if (device.tracksShared)
      trackWritten(address, 16, Site::Load, site);
    if (device.races && agent)
      device.races->access(agent, thread, address, 16, false, RaceDetector::Plain, true, site);
    return reinterpret_cast<const uint8_t *>(address);
  }

  /// Rows first .. first+count-1, one after the other. `transposed`: bytes of an element where
  /// rows, not columns, are contiguous; else 0.
  void read(int first, int count, int transposed, int rowBytes, RawRow *rows) const {
    Device &device = *Device::running();
    const int pieces = rowBytes / 16;
    if (!transposed && !device.races && !device.tracksShared && device.sharedBytes >= 16) {
      const uint64_t base = device.current->regs.sharedBase;
      const uint64_t last = device.sharedBytes - 16; // only bounds to check
      for (int row = 0; row < count; ++row)
        for (int piece = 0; piece < pieces; ++piece) {
          const uint64_t address = alongK(first + row, piece);
          if (address - base > last)
            fetch(address); // says what is wrong
          std::memcpy(rows[row] + 16 * piece, reinterpret_cast<const void *>(address), 16);
        }
      return;
    }
    if (!transposed) {
      for (int row = 0; row < count; ++row)
        for (int piece = 0; piece < pieces; ++piece)
          std::memcpy(rows[row] + 16 * piece, fetch(alongK(first + row, piece)), 16);
      return;
    }
    const int together = 16 / transposed; // rows in 16 bytes
    for (int k = 0; k < rowBytes / transposed; ++k)
      for (int piece = 0; piece < count / together; ++piece) {
        const uint8_t *source = fetch(alongRows(first / together + piece, k));
        for (int i = 0; i < together; ++i)
          std::memcpy(rows[together * piece + i] + transposed * k, source + transposed * i,
                      transposed);
      }
  }
};

/// Columns of the last product as numbers: the four warps of a group, and often the next product,
/// need the same.
struct DecodedColumns {
  int type = -1, n = 0, k = 0;
  bool negated = false;
  RawRow raw[256];
  alignas(32) double values[256 * 64]; // [tiles][k][8]

  const double *get(const RawRow *rows, int newType, int newN, int newK, int rowBytes,
                    bool negate) {
    bool same = type == newType && n == newN && k == newK && negated == negate;
    for (int column = 0; same && column < n; ++column)
      same = std::memcmp(raw[column], rows[column], rowBytes) == 0;
    if (same)
      return values;
    type = newType, n = newN, k = newK, negated = negate;
    double row[64];
    for (int column = 0; column < n; ++column) {
      std::memcpy(raw[column], rows[column], rowBytes);
      convertRow(raw[column], type, k, row);
      for (int p = 0; negate && p < k; ++p)
        row[p] = -row[p];
      dealB(values + column / 8 * 8 * k, column % 8, row, k);
    }
    return values;
  }
};

} // namespace tilesmith::emulator::matrix

#endif // ORACLES_DEVICES_EMULATOR_SHAREDMATRIX_H
