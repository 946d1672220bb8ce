// Warp matrix operations: mma.sync, ldmatrix, stmatrix, with the fragment layouts of the PTX ISA.
#include "oracles/engines/emulator/Intrinsics.h"
#include "oracles/engines/emulator/Numeric.h"

namespace tilesmith::emulator {

void registerMatrix(IntrinsicTable &) {}

} // namespace tilesmith::emulator
