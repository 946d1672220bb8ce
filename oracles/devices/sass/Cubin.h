//===- Cubin.h - what a cubin says about itself -----------------------------------------------===//
//
// Reads the ELF container of machine code: code, constant banks, launch attributes, symbols and
// relocations of every kernel. A file is hostile until proven otherwise: every offset is checked
// before it is followed, sizes are bounded, and nothing of the file is ever executed natively.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DEVICES_SASS_CUBIN_H
#define ORACLES_DEVICES_SASS_CUBIN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tilesmith::sass {

/// A 64-bit word of a constant bank that the loader fills with the address of a symbol, or half an
/// address in the immediate of an instruction.
struct Relocation {
  enum Kind { Address64, AddressLow32, AddressHigh32 };
  Kind kind;
  uint64_t offset; ///< in the bank or the code
  std::string symbol;
  int64_t addend = 0;
};

/// A variable of the module.
struct GlobalVariable {
  std::string name;
  bool constant = false; ///< lies in bank 3
  uint64_t offset = 0, size = 0;
};

struct KernelParameter {
  unsigned ordinal = 0, offset = 0, size = 0;
};

struct CubinKernel {
  std::string name;
  std::vector<uint8_t> code;
  std::vector<uint8_t> bank0, bank2;
  std::vector<Relocation> codeRelocations;
  std::map<std::string, uint64_t> functions; ///< symbols in the code, with their offsets
  std::vector<KernelParameter> parameters;   ///< by ordinal
  unsigned registers = 0;
  unsigned parameterOffset = 0, parameterBytes = 0; ///< in bank 0
  unsigned staticShared = 0, frameBytes = 0;
  std::array<uint32_t, 3> requiredThreads{}; ///< zero: not fixed
  std::array<uint32_t, 3> cluster{1, 1, 1};
  bool gridCountsClusters = false;
  bool tileIR = false; ///< launched with block (1,1,1); requiredThreads says how many there are
};

struct Cubin {
  unsigned sm = 0; ///< 80, 90, 100 ...
  std::vector<CubinKernel> kernels;
  std::vector<uint8_t> globals; ///< initial contents of all variables of the module
  std::vector<uint8_t> bank3, bank4;
  std::vector<Relocation> bank4Relocations;
  std::vector<GlobalVariable> variables;
  std::vector<uint8_t> hostObject; ///< `.nv.host`: x86-64 code that fills tensor maps

  static llvm::Expected<Cubin> read(llvm::ArrayRef<uint8_t> file);
  const CubinKernel *find(llvm::StringRef name) const;
};

/// A section of an ELF file, its range checked.
struct ElfSection {
  std::string name;
  uint32_t type = 0, link = 0, info = 0;
  uint64_t flags = 0, size = 0, entrySize = 0, alignment = 0;
  llvm::ArrayRef<uint8_t> bytes; ///< empty where the file holds none
};
struct ElfSymbol {
  std::string name;
  uint64_t value = 0, size = 0;
  unsigned section = 0;
  uint8_t info = 0, other = 0;
};
struct Elf {
  unsigned machine = 0, type = 0, isa = 0, flags = 0;
  std::vector<ElfSection> sections;
  std::vector<ElfSymbol> symbols;
  static llvm::Expected<Elf> read(llvm::ArrayRef<uint8_t> file);
  const ElfSection *find(llvm::StringRef name) const;
};

} // namespace tilesmith::sass

#endif // ORACLES_DEVICES_SASS_CUBIN_H
