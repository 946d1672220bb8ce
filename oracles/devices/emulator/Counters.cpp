//===- Counters.cpp - sectors of global memory, wavefronts of shared memory -------------------===//
//
// Lanes run one after the other, so the accesses of one warp instruction are put together
// afterwards: the n-th execution of a place by every lane. A group is counted when all lanes came
// or the launch ends.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/emulator/Device.h"

namespace tilesmith::emulator {

void AccessCounter::add(const Thread &thread, uint64_t address, const Site &site, uint32_t siteId,
                        Counters &counters) {
  const uint64_t warp = thread.id / 32; // lanes of a plain loop have the block's numbers
  std::unique_ptr<Place> &slot = places[warp * sites + siteId];
  if (!slot)
    slot = std::make_unique<Place>();
  Place &place = *slot;
  const unsigned lane = thread.lane;
  const uint32_t number = place.executed[lane]++;
  if (number < place.first)
    return; // the place began anew in a later block
  while (place.groups.size() <= number - place.first)
    place.groups.emplace_back();
  Group &group = place.groups[number - place.first];
  group.lanes |= 1u << lane;
  group.size = site.size;
  group.shared = isSharedAddress(address, site.size) ||
                 Device::running()->peerWith(address, site.size) != nullptr;
  group.address[lane] = address;
  while (!place.groups.empty() && place.groups.front().lanes == ~0u) {
    close(place.groups.front(), counters);
    place.groups.pop_front();
    ++place.first;
  }
}

void AccessCounter::close(const Group &group, Counters &counters) {
  if (!group.lanes)
    return;
  llvm::SmallVector<uint64_t, 256> units; // sectors or words
  const unsigned shift = group.shared ? 2 : 5;
  uint64_t bytes = 0;
  for (uint32_t rest = group.lanes; rest; rest &= rest - 1) {
    const uint64_t first = group.address[__builtin_ctz(rest)];
    for (uint64_t unit = first >> shift; unit <= (first + group.size - 1) >> shift; ++unit)
      units.push_back(unit);
  }
  llvm::sort(units);
  units.erase(std::unique(units.begin(), units.end()), units.end());
  if (!group.shared) {
    llvm::SmallVector<uint64_t, 32> starts;
    for (uint32_t rest = group.lanes; rest; rest &= rest - 1)
      starts.push_back(group.address[__builtin_ctz(rest)]);
    llvm::sort(starts);
    for (size_t i = 0; i < starts.size(); ++i)
      bytes += i == 0 ? group.size : std::min<uint64_t>(group.size, starts[i] - starts[i - 1]);
    ++counters.globalAccesses;
    counters.globalSectors += units.size();
    counters.idealSectors += (bytes + 31) / 32;
    return;
  }
  std::array<uint32_t, 32> banks{};
  for (uint64_t word : units)
    ++banks[word % 32];
  const uint64_t passes = *std::max_element(banks.begin(), banks.end());
  ++counters.sharedAccesses;
  counters.sharedWavefronts += passes;
  counters.bankConflicts += passes - (units.size() + 31) / 32;
}

void AccessCounter::finish(Counters &counters) {
  for (auto &[key, place] : places)
    for (const Group &group : place->groups)
      close(group, counters);
  places.clear();
}

std::vector<std::pair<std::string, uint64_t>> counterFields(const Counters &c) {
  std::vector<std::pair<std::string, uint64_t>> fields = {{"instructions", c.instructions},
                                                          {"barriers", c.barriers},
                                                          {"collectives", c.collectives},
                                                          {"mma_operations", c.mmas},
                                                          {"async_bytes", c.asyncBytes},
                                                          {"fiber_switches", c.switches},
                                                          {"checked_accesses", c.checkedAccesses},
                                                          {"threads", c.threads},
                                                          {"global_accesses", c.globalAccesses},
                                                          {"global_sectors", c.globalSectors},
                                                          {"ideal_sectors", c.idealSectors},
                                                          {"shared_accesses", c.sharedAccesses},
                                                          {"shared_wavefronts", c.sharedWavefronts},
                                                          {"bank_conflicts", c.bankConflicts}};
  for (auto [i, name] : llvm::enumerate(instructionClassNames()))
    fields.emplace_back("class." + name.str(), c.classes[i]);
  return fields;
}

} // namespace tilesmith::emulator
