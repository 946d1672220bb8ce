//===- MatrixOperand.h - elements of matrices that a descriptor places in shared memory -------===//
//
// Descriptor: bits 0-13 address, 16-29 leading and 32-45 stride distance, all in units of 16 bytes;
// 62-63 swizzle: 0 none, 1, 2, 3: 128, 64, 32 bytes. Where the elements stand, W being the bytes of
// the swizzle (16 without one), k and mn counted in bytes along what is contiguous:
//
//   K contiguous, swizzled   mn / 8 * stride + mn % 8 * W + k
//   K contiguous, none       mn / 8 * stride + mn % 8 * 16 + k / 16 * leading + k % 16
//   MN contiguous, swizzled  mn / W * leading + mn % W + k / 8 * stride + k % 8 * W
//   MN contiguous, none      mn / 16 * stride + mn % 16 + k / 8 * leading + k % 8 * 16
//
// after which bits 4 and up of the whole address are xored with bits 7 and up.
// Source: PTX ISA, matrix descriptors of wgmma and tcgen05. Those of tcgen05 have a third bit of the
// swizzle, 61, which alone means 128 bytes in pieces of 32: W is 128, 4 lines stand in place of 8,
// and bits 5 and 6 are xored with bits 7 and 8. Whoever issues a product refuses what is not here.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DEVICES_SASS_MATRIXOPERAND_H
#define ORACLES_DEVICES_SASS_MATRIXOPERAND_H

#include "oracles/devices/sass/Machine.h"

namespace tilesmith::sass {

enum class Element { F16, BF16, TF32, E4M3, E5M2, S8, U8 };

inline unsigned bytesOf(Element element) {
  return element == Element::TF32 ? 4 : element <= Element::BF16 ? 2 : 1;
}

/// The value of an element, from the low bits of a word; of tf32 the 13 lowest do not count.
double decode(Element element, uint32_t bits);

/// What the byte of a block scale says: a power of two (e8m0), else a number of e4m3 without its sign.
double scaleFactor(uint8_t bits, bool isPower);

/// Host memory of `bytes` bytes at depth k of row (of A) or column (of B) `mn`, counted in elements
/// of that size; `transposed`: MN is contiguous. Null, and a fault of the warp, outside of memory.
const uint8_t *elementAt(Warp &w, uint64_t descriptor, bool transposed, unsigned bytes, uint32_t mn,
                         uint32_t k);

/// The value there; false after a fault.
bool loadElement(Warp &w, uint64_t descriptor, bool transposed, Element element, uint32_t mn,
                 uint32_t k, double &out);

} // namespace tilesmith::sass

#endif // ORACLES_DEVICES_SASS_MATRIXOPERAND_H
