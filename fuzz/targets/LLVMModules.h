//===- LLVMModules.h - device modules in LLVM IR as fuzz inputs -------------------------------===//
//
// Text of LLVM IR changed as IR: most mutations give another valid module. Invalid text, or a rare
// roll of the dice, is changed as bytes.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_TARGETS_LLVMMODULES_H
#define FUZZ_TARGETS_LLVMMODULES_H

#include "fuzz/targets/FuzzMutators.h"

#include "llvm/ADT/StringRef.h"

#include <memory>

namespace llvm {
class Function;
class LLVMContext;
class Module;
} // namespace llvm

namespace tilesmith::fuzz {

/// Null when the text is no module.
std::unique_ptr<llvm::Module> parseModule(llvm::StringRef text, llvm::LLVMContext &context);

/// The sizes of a kernel's parameters.
std::vector<uint64_t> parameterBytes(const llvm::Function &kernel);

size_t mutateModule(uint8_t *data, size_t size, size_t maxSize, MutatorRandom &random);

/// The functions of the second beside those of the first.
size_t crossModules(llvm::ArrayRef<uint8_t> first, llvm::ArrayRef<uint8_t> second, uint8_t *out,
                    size_t maxSize, MutatorRandom &random);

} // namespace tilesmith::fuzz

#endif // FUZZ_TARGETS_LLVMMODULES_H
