//===- HostileModules.h - modules that no writer makes ----------------------------------------===//
//
// Regions, call sites and lexical blocks in thousands of levels, and sections that announce more
// than the file holds. Put together byte by byte: our own reader takes none of them (Format.h has
// its limits).
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_CONFORM_HOSTILEMODULES_H
#define FUZZ_CONFORM_HOSTILEMODULES_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tilesmith::fuzz::conform {

/// A module whose entry holds a `loop` in a `loop`, so many levels deep.
std::string nestedRegions(unsigned depth);
/// A module whose entry lies at a call site of a call site.
std::string chainedCallSites(unsigned count);
/// A module whose entry lies in a lexical block in a lexical block.
std::string chainedLexicalBlocks(unsigned count);

/// A module whose section says that it has so many elements, and ends behind 64 bytes.
std::string announcedElements(uint8_t section, uint64_t count);

/// Names and bytes of the modules of the lists, in bytecode of 13.1.
std::vector<std::pair<std::string, std::string>> hostileModules();

} // namespace tilesmith::fuzz::conform

#endif // FUZZ_CONFORM_HOSTILEMODULES_H
