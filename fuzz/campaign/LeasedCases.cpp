//===- LeasedCases.cpp - a worker's cases, and the leases that keep them ----------------------===//
#include "fuzz/campaign/LeasedCases.h"

#include "fuzz/campaign/Interrupt.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;
using Clock = std::chrono::steady_clock;

/// One case in so many of what an earlier holder of a range finished is judged again.
static constexpr uint64_t kAgainShare = 16;
static constexpr std::chrono::minutes kStuck(30);
static constexpr std::chrono::seconds kWriteEvery(2);

Heart::Heart(Store opened, std::string worker, double seconds)
    : store(std::move(opened)), ledger(store, std::move(worker), seconds),
      thread([this] { beat(); }) {}

Heart::~Heart() {
  {
    std::lock_guard lock(mutex);
    ends = true;
  }
  wakeUp.notify_all();
  thread.join();
}

void Heart::hold(const Lease &lease) {
  std::lock_guard lock(mutex);
  held[lease.task] = lease;
  gotOn = Clock::now();
}

void Heart::drop(const Lease &lease) {
  std::lock_guard lock(mutex);
  held.erase(lease.task);
  gotOn = Clock::now();
}

void Heart::beat() {
  const auto pause = std::chrono::duration<double>(ledger.leaseSeconds() / 3);
  std::unique_lock lock(mutex);
  while (!wakeUp.wait_for(lock, pause, [this] { return ends; })) {
    if (Clock::now() - gotOn > kStuck)
      continue;
    std::map<int64_t, Lease> leases = held;
    lock.unlock();
    // The server may be away: the leases run out then, and who has them writes so.
    for (const auto &[task, lease] : leases)
      llvm::consumeError(ledger.beat(lease));
    lock.lock();
  }
}

LeasedCases::Range *LeasedCases::rangeOf(uint64_t index) {
  for (const auto &range : open)
    if (range->inFlight.count(index))
      return range.get();
  return nullptr;
}

llvm::Error LeasedCases::claim() {
  auto lease = ledger.claim(TaskKind::Fuzz);
  if (!lease)
    return lease.takeError();
  if (!*lease)
    return llvm::Error::success();
  ++ranges;
  auto range = std::make_unique<Range>();
  range->lease = **lease;
  heart.hold(range->lease);
  std::set<uint64_t> finished;
  if (range->lease.attempt > 1)
    finished = ledger.finishedOf(range->lease);
  for (uint64_t i = range->lease.first + range->lease.count; i-- > range->lease.first;)
    if (!finished.count(i) || (i % kAgainShare == range->lease.attempt % kAgainShare && !isOnce(i)))
      range->left.push_back(i);
  open.push_back(std::move(range));
  return llvm::Error::success();
}

std::optional<uint64_t> LeasedCases::next() {
  for (;;) {
    for (const auto &range : open)
      if (!range->left.empty() && !range->isLost) {
        const uint64_t index = range->left.back();
        range->left.pop_back();
        range->inFlight.insert(index);
        return index;
      }
    if (failure || interrupted() || isEnough())
      return std::nullopt;
    const size_t before = open.size();
    const Clock::time_point start = Clock::now();
    failure = llvm::joinErrors(std::move(failure), claim());
    waited += std::chrono::duration<double>(Clock::now() - start).count();
    if (failure || open.size() == before)
      return std::nullopt;
  }
}

void LeasedCases::add(CaseResult result) {
  if (Range *range = rangeOf(result.index)) {
    range->inFlight.erase(result.index);
    range->results.push_back(std::move(result));
  }
}

llvm::Error LeasedCases::write(Range &range, bool isLast, llvm::function_ref<llvm::Error()> more) {
  const Clock::time_point start = Clock::now();
  llvm::scope_exit count(
      [&] { waited += std::chrono::duration<double>(Clock::now() - start).count(); });
  Coverage fresh;
  std::vector<std::pair<CaseResult, oracles::Verdict::Kind>> others;
  auto inside = [&]() -> llvm::Error {
    if (llvm::Error error = ledger.add(range.results, fresh, others))
      return error;
    if (llvm::Error error = more())
      return error;
    if (!isLast)
      return llvm::Error::success();
    Coverage all = range.coverage;
    for (const auto &[key, cases] : fresh)
      all[key] += cases;
    return ledger.addCoverage(all);
  };
  const bool isDone = range.left.empty() && range.inFlight.empty();
  llvm::Expected<bool> holds =
      isLast ? ledger.leave(range.lease, isDone, inside) : ledger.guarded(range.lease, inside);
  if (!holds)
    return holds.takeError();
  if (isLast || !*holds)
    heart.drop(range.lease);
  if (!*holds) {
    lostRanges += !range.isLost;
    range.isLost = true;
  } else {
    for (const auto &[key, cases] : fresh)
      range.coverage[key] += cases;
    differing.insert(differing.end(), others.begin(), others.end());
  }
  range.results.clear();
  return llvm::Error::success();
}

llvm::Error LeasedCases::addFinding(CaseResult result, const StoredFinding &finding,
                                    const std::string &directory) {
  Range *range = rangeOf(result.index);
  // Judged again: the case itself is written, its range perhaps left.
  if (!range)
    return ledger.addFinding(result.index, finding, result.verdict, directory);
  range->inFlight.erase(result.index);
  range->results.push_back(result);
  return write(*range, /*isLast=*/false,
               [&] { return ledger.addFinding(result.index, finding, result.verdict, directory); });
}

llvm::Expected<std::vector<std::pair<CaseResult, oracles::Verdict::Kind>>>
LeasedCases::flush(bool isEnd) {
  auto nothing = [] { return llvm::Error::success(); };
  const bool isDue = Clock::now() - written >= kWriteEvery;
  for (const auto &range : open) {
    if (failure)
      break;
    const bool isDone = range->left.empty() && range->inFlight.empty();
    if (isEnd || isDone)
      failure = write(*range, /*isLast=*/true, nothing);
    else if (isDue && !range->results.empty())
      failure = write(*range, /*isLast=*/false, nothing);
  }
  if (isDue)
    written = Clock::now();
  if (failure)
    return std::exchange(failure, llvm::Error::success());
  llvm::erase_if(open, [&](const auto &range) {
    return isEnd || (range->inFlight.empty() && (range->left.empty() || range->isLost));
  });
  return std::exchange(differing, {});
}
