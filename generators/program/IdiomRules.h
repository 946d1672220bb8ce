//===- IdiomRules.h - what the rules of idioms share ------------------------------------------------===//
#ifndef GENERATORS_PROGRAM_IDIOMRULES_H
#define GENERATORS_PROGRAM_IDIOMRULES_H

#include "generators/program/Access.h"
#include "generators/program/Rules.h"

namespace tilesmith::generators {

/// A tile straight from memory.
mlir::Value freshTile(KernelBuilder &k, ChoiceStream &s, cuda_tile::TileType type, Fill fill);
/// Stores a value straight to memory.
void keepTile(KernelBuilder &k, ChoiceStream &s, mlir::Value value);
/// f16, bf16, f32 or f64.
mlir::Type chooseWideFloat(KernelBuilder &k, ChoiceStream &s);

// IdiomMemoryRules.cpp: rules of the family that are about addresses.
bool applyReadBack(KernelBuilder &k, ChoiceStream &s);
bool applyPlaces(KernelBuilder &k, ChoiceStream &s);
bool applyShiftedView(KernelBuilder &k, ChoiceStream &s);

// IdiomGuardRules.cpp: runs under masks.
bool applyGuardedRun(KernelBuilder &k, ChoiceStream &s);

// IdiomTupleRules.cpp: reductions and scans of several values, and of long lines.
bool applyTuple(KernelBuilder &k, ChoiceStream &s);

// IdiomLoopRules.cpp: what loops carry, hand on and compare.
bool applyCarriedPointers(KernelBuilder &k, ChoiceStream &s);
bool applyLeftLoop(KernelBuilder &k, ChoiceStream &s);
bool applyIndexCompared(KernelBuilder &k, ChoiceStream &s);

// IdiomSpecialRules.cpp: single operations on special operands.
bool applySpecialOperand(KernelBuilder &k, ChoiceStream &s);
bool applyConstantQuotients(KernelBuilder &k, ChoiceStream &s);
bool applyIdleAtomic(KernelBuilder &k, ChoiceStream &s);

// IdiomReduceRules.cpp: reductions and scans of lines.
bool applyReduceIdiom(KernelBuilder &k, ChoiceStream &s);

// IdiomRowRules.cpp: accesses of rows in the order of their tokens.
bool applyTokenRows(KernelBuilder &k, ChoiceStream &s);

// IdiomChainRules.cpp: accesses of one line in the order of their tokens.
bool applyTokenChain(KernelBuilder &k, ChoiceStream &s);

// IdiomBoundRules.cpp: masks by rows and columns, tiles outside of their array.
bool applyRowBounds(KernelBuilder &k, ChoiceStream &s);
bool applyOutsideIndex(KernelBuilder &k, ChoiceStream &s);

// IdiomLineRules.cpp: reductions of the lines of a large tile, and moves of it.
bool applyLineStatistics(KernelBuilder &k, ChoiceStream &s);

// IdiomPromiseRules.cpp: offsets with promises.
bool applyPromisedPlaces(KernelBuilder &k, ChoiceStream &s);

// IdiomSingleRules.cpp: accesses of one element.
bool applySingleAccesses(KernelBuilder &k, ChoiceStream &s);

// IdiomViewRules.cpp: several views of one tensor, strides that share elements.
bool applyViewsOfOne(KernelBuilder &k, ChoiceStream &s);
bool applySharedLines(KernelBuilder &k, ChoiceStream &s);

// IdiomExtentRules.cpp: extents that views are asked for.
bool applyAskedExtents(KernelBuilder &k, ChoiceStream &s);

// IdiomRangeRules.cpp: both sides of where a type changes its sign, bounds of single elements, long lines.
bool applyWideRange(KernelBuilder &k, ChoiceStream &s);
bool applyPromisedSign(KernelBuilder &k, ChoiceStream &s);
bool applyBoundOfEach(KernelBuilder &k, ChoiceStream &s);
bool applyLongLines(KernelBuilder &k, ChoiceStream &s);

// IdiomDivisionRules.cpp: many elements divided by one number.
bool applySharedDivisor(KernelBuilder &k, ChoiceStream &s);
bool applyDividedBySums(KernelBuilder &k, ChoiceStream &s);

} // namespace tilesmith::generators

#endif // GENERATORS_PROGRAM_IDIOMRULES_H
