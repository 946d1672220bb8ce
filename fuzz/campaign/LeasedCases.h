//===- LeasedCases.h - a worker's cases, and the leases that keep them ------------------------===//
//
// Hands out the cases of one claimed range after the other. Results wait for at most two seconds and
// go to the store in one transaction; coverage goes with the end of a range. A range that another
// worker had before is gone on with: of what that finished, one case in sixteen is judged again and
// must end as it did.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_CAMPAIGN_LEASEDCASES_H
#define FUZZ_CAMPAIGN_LEASEDCASES_H

#include "fuzz/campaign/Campaign.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace tilesmith::fuzz {

/// Moves the ends of this process' leases on, at a third of their length, from a thread with a
/// connection of its own: a case, or a reduction, may take longer than a lease. Stops when the
/// process itself has not got on for half an hour.
class Heart {
public:
  Heart(Store store, std::string worker, double seconds);
  ~Heart();
  void hold(const Lease &lease);
  void drop(const Lease &lease);

private:
  void beat();

  Store store;
  Ledger ledger;
  std::mutex mutex;
  std::condition_variable wakeUp;
  bool ends = false;
  std::map<int64_t, Lease> held; ///< by task
  std::chrono::steady_clock::time_point gotOn = std::chrono::steady_clock::now();
  std::thread thread;
};

class LeasedCases : public CaseSource {
public:
  /// `isEnough` is asked before another range is claimed.
  /// `isOnce` says of a case that its number does not make it again.
  LeasedCases(
      Ledger &ledger, Heart &heart, std::function<bool()> isEnough,
      std::function<bool(uint64_t)> isOnce = [](uint64_t) { return false; })
      : ledger(ledger), heart(heart), isEnough(std::move(isEnough)), isOnce(std::move(isOnce)) {}

  std::optional<uint64_t> next() override;
  void add(CaseResult result) override;
  llvm::Error addFinding(CaseResult result, const StoredFinding &finding,
                         const std::string &directory) override;
  llvm::Expected<std::vector<std::pair<CaseResult, oracles::Verdict::Kind>>>
  flush(bool isEnd) override;

  uint64_t claimed() const { return ranges; }
  uint64_t lost() const { return lostRanges; }   ///< leases that ran out under this worker
  double storeSeconds() const { return waited; } ///< spent with the store

private:
  struct Range {
    Lease lease;
    std::vector<uint64_t> left; ///< not handed out yet, last first
    std::set<uint64_t> inFlight;
    std::vector<CaseResult> results;
    Coverage coverage;
    bool isLost = false;
  };
  llvm::Error claim();
  /// Writes what waits, and with it `more`; `isLast`: the range is left.
  llvm::Error write(Range &range, bool isLast, llvm::function_ref<llvm::Error()> more);
  Range *rangeOf(uint64_t index);

  Ledger &ledger;
  Heart &heart;
  std::function<bool()> isEnough;
  std::function<bool(uint64_t)> isOnce;
  std::vector<std::unique_ptr<Range>> open;
  std::vector<std::pair<CaseResult, oracles::Verdict::Kind>> differing;
  llvm::Error failure = llvm::Error::success();
  std::chrono::steady_clock::time_point written = std::chrono::steady_clock::now();
  uint64_t ranges = 0, lostRanges = 0;
  double waited = 0;
};

} // namespace tilesmith::fuzz

#endif // FUZZ_CAMPAIGN_LEASEDCASES_H
