// Asynchronous copies and mbarriers.
#include "oracles/engines/emulator/Device.h"
#include "oracles/engines/emulator/Intrinsics.h"

namespace tilesmith::emulator {

bool Device::runAsync(Thread &, size_t, bool) { return false; }

void registerAsync(IntrinsicTable &) {}

} // namespace tilesmith::emulator
