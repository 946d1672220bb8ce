//===- Mutation.h - one op of a kernel made wrong ---------------------------------------------===//
//
// Measures dead code: where a wrong result of an op changes nothing that the kernel leaves behind,
// the op was not worth generating.
//
// One op is drawn among those that compute or write: a number becomes its complement or pi minus
// itself, a pointer the next one, a store or print is left out. Ops that only describe (views,
// tokens, assumptions, assertions, fences) are not drawn.
//
// Invariant: the mutated module verifies.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_CAMPAIGN_MUTATION_H
#define FUZZ_CAMPAIGN_MUTATION_H

#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "generators/entropy/ChoiceStream.h"

#include <optional>
#include <string>

namespace tilesmith::fuzz {

/// Makes one op wrong; its name, or nothing when the kernel has none to draw.
std::optional<std::string> mutateOneOp(cuda_tile::ModuleOp module,
                                       generators::ChoiceStream &stream);

} // namespace tilesmith::fuzz

#endif // FUZZ_CAMPAIGN_MUTATION_H
