//===- Interrupt.cpp - Ctrl-C ends a command well ---------------------------------------------===//
#include "fuzz/campaign/Interrupt.h"

#include "llvm/Support/Signals.h"

#include <csignal>

static volatile std::sig_atomic_t noted = 0;

void tilesmith::fuzz::noteInterrupts() {
  // Called once: afterwards LLVM has given these signals their default action back.
  llvm::sys::SetInterruptFunction([] { noted = 1; });
}

bool tilesmith::fuzz::interrupted() {
  return noted != 0;
}
