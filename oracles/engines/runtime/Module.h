//===- Module.h - a loaded module and all that was made of it ---------------------------------===//
#ifndef ORACLES_ENGINES_RUNTIME_MODULE_H
#define ORACLES_ENGINES_RUNTIME_MODULE_H

#include "compiler/pipeline/Pipeline.h"
#include "oracles/devices/emulator/Emulator.h"
#include "oracles/devices/sass/Sass.h"
#include "oracles/engines/ModuleLoader.h"
#include "oracles/engines/runtime/Session.h"
#include "reference/interp/Interpreter.h"

#include <variant>

namespace tilesmith::runtime {

/// What of the options decides what a compiler makes.
std::string compileWords(oracles::EngineOptions options);

/// One module, compiled for the emulator under one set of options.
struct Compiled {
  std::unique_ptr<emulator::Program> program;
  std::vector<target::KernelInfo> kernels;
};

class Module {
public:
  Module(std::string bytecode, oracles::EngineOptions options);

  /// Reads and verifies the bytecode, and lists its entries.
  llvm::Error read();
  /// Takes a cubin instead: it has no bytecode, so only the machine-code device runs it.
  llvm::Error readCubin(llvm::ArrayRef<uint8_t> cubin);
  /// Takes the cubin that was made of the bytecode, for the machine-code device.
  llvm::Error readMachineCode(llvm::ArrayRef<uint8_t> cubin);
  /// Whether the module brought what these options would make of it.
  bool hasCubinFor(const oracles::EngineOptions &asked) const {
    return machineCode && compileWords(asked) == compileWords(options);
  }

  std::string bytecode;                       ///< empty: only machine code is there
  std::unique_ptr<sass::Program> machineCode; ///< null: only bytecode is there
  std::vector<uint8_t> cubin;                 ///< what that was read from
  oracles::EngineOptions options;             ///< as the module was to be compiled
  oracles::ModuleLoader loader;
  cuda_tile::ModuleOp op;
  std::vector<Entry> entries;
  std::map<std::string, Compiled> compiled; ///< by options
  /// Which of these the last launch left its variables in.
  std::variant<std::monostate, reference::Interpreter *, emulator::Program *, sass::Program *> last;

  /// Its memory holds the module's variables, so a launch with another limit begins them anew.
  reference::Interpreter &interpreter(double seconds) {
    if (!interpreting || interpreterSeconds != seconds) {
      reference::Limits limits;
      limits.seconds = interpreterSeconds = seconds;
      interpreting = std::make_unique<reference::Interpreter>(limits);
    }
    return *interpreting;
  }

private:
  std::unique_ptr<reference::Interpreter> interpreting;
  double interpreterSeconds = 0;
};

} // namespace tilesmith::runtime

#endif // ORACLES_ENGINES_RUNTIME_MODULE_H
