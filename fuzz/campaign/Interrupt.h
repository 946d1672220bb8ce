//===- Interrupt.h - Ctrl-C ends a command well -----------------------------------------------===//
#ifndef FUZZ_CAMPAIGN_INTERRUPT_H
#define FUZZ_CAMPAIGN_INTERRUPT_H

namespace tilesmith::fuzz {

/// Exit code of a command that was interrupted: the shell's, for SIGINT.
constexpr int kInterrupted = 130;

/// From here on the first SIGINT, SIGTERM or SIGHUP is only noted, for loops that can end early and
/// keep what they have; the next one ends the process.
void noteInterrupts();

/// Whether one was noted.
bool interrupted();

} // namespace tilesmith::fuzz

#endif // FUZZ_CAMPAIGN_INTERRUPT_H
