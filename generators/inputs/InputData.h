//===- InputData.h - initial contents of buffers ----------------------------------------------===//
//
// Mixes special values (zeros, infinities, NaN, the ends of the subnormal and normal ranges,
// extreme integers) with small and with uniformly random ones. Gaps between strided rows are filled
// as well, so that a write there shows.
//
//===------------------------------------------------------------------------------------------===//
#ifndef GENERATORS_INPUTS_INPUTDATA_H
#define GENERATORS_INPUTS_INPUTDATA_H

#include "generators/entropy/ChoiceStream.h"
#include "reference/testcase/TestCase.h"

namespace tilesmith::generators {

/// What the host writes into an array before the launch.
enum class Fill {
  Any,           ///< every bit pattern, special values included
  SmallIntegers, ///< -4 to 4 (or 0 to 4): sums of them are exact
  Reals,         ///< between 1/8 and 2, all bits of the fraction in use
  Zeros,
  // What shows a wrong last bit, zero or subnormal of one operation (generators/program/Witnesses.cpp).
  Fractions,   ///< floats between 1/4 and 4 of either sign, all bits of the fraction in use; every
               ///< fourth one as in Subnormals
  SignedZeros, ///< floats: zeros of either sign, a few numbers, infinities and NaN between them
  Subnormals,  ///< floats: subnormal, just above that, or ordinary
  Ties,        ///< half way between neighbours of a format with a shorter fraction, or one beside
  TieFactors,  ///< floats that 24 makes a tie of their own format
  Specials, ///< mostly what is treated apart: ends of the ranges, infinities, NaN of every payload,
            ///< extreme integers
  Tiny, ///< floats that are lost when they are added to what TieFactors gives, in wider formats, too
};

/// Fills `buffer.data` for its type, shape and strides.
void fillBuffer(testcase::Buffer &buffer, ChoiceStream stream, Fill fill = Fill::Any);

/// One element: a bit pattern of the type. Every pattern of the type can come out (bool: 0 and 1).
uint64_t chooseElement(testcase::DataType type, ChoiceStream &stream);

} // namespace tilesmith::generators

#endif // GENERATORS_INPUTS_INPUTDATA_H
