//===- emulator_front_door.cpp - any LLVM IR to the emulated GPU ------------------------------===//
//
// The text is a device module such as `tilesmith emulate` takes. The emulator must refuse it, or
// run each of its kernels on two schedules until they end, fault or reach a small limit, and must
// not touch memory that it was not given. Two verdicts: all of that returns; a crash, a hang or a
// write outside of the given buffer ends the process.
//
// A comment `; block N` in the text sets the threads of a block (default 32).
//
//===------------------------------------------------------------------------------------------===//
#include "fuzz/targets/FuzzMutators.h"
#include "fuzz/targets/LLVMModules.h"
#include "oracles/devices/emulator/Emulator.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilesmith;

static constexpr size_t kBufferBytes = 4096, kGuardBytes = 4096;
alignas(256) static uint8_t memory[kGuardBytes + kBufferBytes + kGuardBytes];

/// One launch of a kernel; pointers and integers of eight bytes point to the buffer.
static void launch(emulator::Program &program, const llvm::Function &kernel, uint32_t threads,
                   uint64_t schedule) {
  std::memset(memory, 0xA5, sizeof(memory));
  std::memset(memory + kGuardBytes, 1, kBufferBytes);
  std::vector<std::vector<uint8_t>> arguments;
  for (uint64_t bytes : fuzz::parameterBytes(kernel)) {
    arguments.push_back(emulator::argument(memory + kGuardBytes));
    arguments.back().resize(bytes, 1);
  }
  program.resetGlobals();
  program.clearRanges();
  program.addRange(memory + kGuardBytes, kBufferBytes, "buffer");
  emulator::LaunchConfig config;
  config.grid[0] = 2;
  config.block[0] = threads;
  config.dynamicSharedBytes = 1024;
  emulator::chooseSchedule(config, schedule);
  config.reportUninitialised = config.detectRaces = config.countAccesses = schedule != 0;
  config.maxSteps = 200'000;
  config.maxMillis = 1000;
  config.maxPrintedBytes = 4096;
  (void)program.launch(kernel.getName(), config, arguments);
  for (size_t i = 0; i < kGuardBytes; ++i)
    if (memory[i] != 0xA5 || memory[kGuardBytes + kBufferBytes + i] != 0xA5) {
      llvm::errs() << "disagree: " << kernel.getName() << " wrote outside of its buffer\n";
      __builtin_trap();
    }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> module = fuzz::parseModule(text, *context);
  if (!module)
    return 0;
  llvm::LLVMContext ownContext;
  std::unique_ptr<llvm::Module> own = fuzz::parseModule(text, ownContext);
  uint32_t threads = 32;
  text.split("; block ").second.consumeInteger(10, threads);
  auto program = emulator::Program::create(std::move(module), std::move(context));
  if (!program)
    return llvm::consumeError(program.takeError()), 0;
  for (const std::string &name : (*program)->kernels())
    for (uint64_t schedule : {0, 5})
      launch(**program, *own->getFunction(name), threads, schedule);
  return 0;
}

TILESMITH_FUZZ_MUTATORS(fuzz::mutateModule, fuzz::crossModules)
