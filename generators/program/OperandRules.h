//===- OperandRules.h - products in loops whose operands are more than loaded tiles -----------===//
#ifndef GENERATORS_PROGRAM_OPERANDRULES_H
#define GENERATORS_PROGRAM_OPERANDRULES_H

#include "generators/program/Rules.h"

namespace tilesmith::generators {

/// Rules of the pipeline family.
bool applyComputedOperand(KernelBuilder &kernel, ChoiceStream &stream);
bool applyTileBothWays(KernelBuilder &kernel, ChoiceStream &stream);
bool applyProductChain(KernelBuilder &kernel, ChoiceStream &stream);
bool applyGatheredOperand(KernelBuilder &kernel, ChoiceStream &stream);
bool applyLoadedBounds(KernelBuilder &kernel, ChoiceStream &stream);
/// AttentionRules.cpp
bool applyAttentionLoop(KernelBuilder &kernel, ChoiceStream &stream);
/// LargeProductRules.cpp
bool applyProductsOnce(KernelBuilder &kernel, ChoiceStream &stream);
bool applySumsGoOn(KernelBuilder &kernel, ChoiceStream &stream);
bool applyFixedOperand(KernelBuilder &kernel, ChoiceStream &stream);
bool applyTwoPieces(KernelBuilder &kernel, ChoiceStream &stream);
/// BatchProductRules.cpp
bool applyBatchedProducts(KernelBuilder &kernel, ChoiceStream &stream);
/// TurnProductRules.cpp
bool applyProductsInTurn(KernelBuilder &kernel, ChoiceStream &stream);
bool applyByteProducts(KernelBuilder &kernel, ChoiceStream &stream);
bool applyTurnsThatWrite(KernelBuilder &kernel, ChoiceStream &stream);
/// TileTurnRules.cpp
bool applyTilesInTurn(KernelBuilder &kernel, ChoiceStream &stream);
/// ProductGraphRules.cpp
bool applyProductGraph(KernelBuilder &kernel, ChoiceStream &stream);
/// ScaledLoopRules.cpp
bool applyScaledLoop(KernelBuilder &kernel, ChoiceStream &stream);

} // namespace tilesmith::generators

#endif // GENERATORS_PROGRAM_OPERANDRULES_H
