//===- History.h - runs, builds, and the life of a bug ----------------------------------------===//
//
// A run is one call of a campaign that was not killed: on one build of tilesmith, on one machine,
// with a beginning and an end. What a killed run left is gone on with by the next one of its build,
// under the same number. A new build begins behind all cases of those before it. The work of all
// workers on one plan (Ledger.h) is one run, and so is what a campaign adds to it afterwards.
//
// A bug is born in the run that files it, fixed in the run in which its small case passes again, and
// regressed in the run in which that case, or a fresh one, shows it after that. `stateOf` says what
// it is now:
//
//   new        born in the latest run
//   regressed  in the latest run
//   open       older than that, and still there
//   known      a suppression names it
//   fixed      and nothing has shown it since
//
// The exit code of a campaign speaks of new and regressed bugs alone.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_STORE_HISTORY_H
#define FUZZ_STORE_HISTORY_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilesmith::fuzz {

/// What a run is told at its beginning.
struct RunInfo {
  std::string build;   ///< names the tilesmith that judges: any text
  std::string host;    ///< name of the machine
  std::string started; ///< UTC, as utcNow() writes it
  uint64_t count = 0;  ///< cases that this build is to judge; 0: no limit
};

struct StoredRun {
  int64_t id = 0, campaign = 0;
  std::string build, host, started;
  std::string ended;  ///< empty while it runs, and for ever when it was killed
  uint64_t first = 0; ///< number of the first case of its build
  uint64_t cases = 0, failed = 0;
};

enum class BugEvent { Born, Fixed, Regressed };
llvm::StringRef toString(BugEvent event);
std::optional<BugEvent> parseBugEvent(llvm::StringRef text);

struct StoredEvent {
  BugEvent event = BugEvent::Born;
  int64_t run = 0;
  std::string at, build;
};

enum class BugState { New, Regressed, Open, Known, Fixed };
llvm::StringRef toString(BugState state);

/// From the life of a bug, oldest event first. `isLatest` says of a run whether nothing newer is
/// known.
template <typename IsLatest>
BugState stateOf(const std::vector<StoredEvent> &life, bool isKnown, IsLatest isLatest) {
  const StoredEvent *last = life.empty() ? nullptr : &life.back();
  if (last && last->event == BugEvent::Fixed)
    return BugState::Fixed;
  if (isKnown)
    return BugState::Known;
  if (!last || !isLatest(last->run))
    return BugState::Open;
  return last->event == BugEvent::Regressed ? BugState::Regressed : BugState::New;
}

/// A build whose code was measured.
struct PerfBuild {
  std::string build, host, at; ///< `at`: of the first row
  std::string accepted = {};   ///< who says that what got worse may stay, and why
  bool isRelease = false;      ///< later builds are compared with it, too
};

/// `2026-11-22T20:15:00.123Z`.
std::string utcNow();
/// The name of this machine, and `VERSION-HASH` of the running program.
std::string hostName();
std::string thisBuild(llvm::StringRef version);

} // namespace tilesmith::fuzz

#endif // FUZZ_STORE_HISTORY_H
