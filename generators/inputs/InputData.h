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

/// Fills `buffer.data` for its type, shape and strides.
void fillBuffer(testcase::Buffer &buffer, ChoiceStream stream);

/// One element: a bit pattern of the type. Every pattern of the type can come out (bool: 0 and 1).
uint64_t chooseElement(testcase::DataType type, ChoiceStream &stream);

} // namespace tilesmith::generators

#endif // GENERATORS_INPUTS_INPUTDATA_H
