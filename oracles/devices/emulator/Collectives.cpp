// Warp and block collectives: shuffles, votes, matches, reductions, elect, and the names of the
// barriers. Each compute function runs once for all lanes that take part: it reads every operand
// before it writes a result.
#include "compiler/support/Plants.h"
#include "oracles/devices/emulator/Intrinsics.h"

#include "llvm/IR/Constants.h"

namespace tilesmith::emulator {

namespace {

// What a shuffle from a lane outside the mask delivers. PTX leaves it undefined; this shows.
constexpr uint32_t kUndefinedLane = 0x7fffdead;

enum ShuffleMode { Up, Down, Bfly, Idx };

// variant: mode, slot of the value, has predicate result
void shuffle(const WarpCall &call) {
  const auto &variant = call.site.op->variant;
  const unsigned base = variant[1];
  uint32_t value[32] = {};
  call.forEachLane([&](unsigned lane) { value[lane] = call.frames[lane]->get<uint32_t>(base); });
  uint32_t result[32] = {};
  bool inRange[32] = {};
  call.forEachLane([&](unsigned lane) {
    const auto b = call.frames[lane]->get<uint32_t>(base + 1) & 31;
    const auto c = call.frames[lane]->get<uint32_t>(base + 2);
    const uint32_t clamp = c & 31, segment = (c >> 8) & 31;
    const int first = lane & segment;
    const int last = first | (clamp & ~segment);
    int source = lane;
    switch (variant[0]) {
    case Up:
      source = static_cast<int>(lane) - static_cast<int>(b);
      inRange[lane] = source >= last;
      break;
    case Down:
      source = lane + b;
      inRange[lane] = source <= last;
      break;
    case Bfly:
      source = lane ^ (b == 16 && TILESMITH_PLANT("emulator-bfly-wraps") ? 8 : b);
      inRange[lane] = source <= last;
      break;
    case Idx:
      source = first | (b & ~segment);
      inRange[lane] = source <= last;
      break;
    }
    if (!inRange[lane])
      source = lane;
    result[lane] = (call.lanes >> source) & 1 ? value[source] : kUndefinedLane;
  });
  call.forEachLane([&](unsigned lane) {
    call.frames[lane]->put<uint32_t>(0, result[lane]);
    if (variant[2])
      call.frames[lane]->putFlag(1, inRange[lane]);
  });
}

enum VoteMode { All, Any, Uni, Ballot };

// variant: mode, slot of the predicate
void vote(const WarpCall &call) {
  const auto &variant = call.site.op->variant;
  uint32_t ballot = 0;
  call.forEachLane([&](unsigned lane) {
    if (call.frames[lane]->flag(variant[1]))
      ballot |= 1u << lane;
  });
  call.forEachLane([&](unsigned lane) {
    Frame &frame = *call.frames[lane];
    switch (variant[0]) {
    case All:
      frame.putFlag(0, ballot == call.lanes);
      break;
    case Any:
      frame.putFlag(0, ballot != 0);
      break;
    case Uni:
      frame.putFlag(0, ballot == 0 || ballot == call.lanes);
      break;
    case Ballot:
      frame.put<uint32_t>(0, ballot);
      break;
    }
  });
}

template <typename T> void matchAny(const WarpCall &call) {
  T value[32] = {};
  call.forEachLane([&](unsigned lane) { value[lane] = call.frames[lane]->get<T>(1); });
  call.forEachLane([&](unsigned lane) {
    uint32_t same = 0;
    call.forEachLane(
        [&](unsigned other) { same |= value[other] == value[lane] ? 1u << other : 0; });
    call.frames[lane]->put<uint32_t>(0, same);
  });
}

template <typename T> void matchAll(const WarpCall &call) {
  const T first = call.frames[__builtin_ctz(call.lanes)]->get<T>(1);
  bool same = true;
  call.forEachLane([&](unsigned lane) { same &= call.frames[lane]->get<T>(1) == first; });
  call.forEachLane([&](unsigned lane) {
    call.frames[lane]->put<uint32_t>(0, same ? call.mask : 0);
    call.frames[lane]->putFlag(1, same);
  });
}

template <typename T, T (*Combine)(T, T)> void redux(const WarpCall &call) {
  bool started = false;
  T total{};
  call.forEachLane([&](unsigned lane) {
    const T value = call.frames[lane]->get<T>(0);
    total = started ? Combine(total, value) : value;
    started = true;
  });
  call.forEachLane([&](unsigned lane) { call.frames[lane]->put<T>(0, total); });
}

template <typename T> T addOf(T a, T b) {
  return a + b;
}
template <typename T> T minOf(T a, T b) {
  return a < b ? a : b;
}
template <typename T> T maxOf(T a, T b) {
  return a > b ? a : b;
}
template <typename T> T andOf(T a, T b) {
  return a & b;
}
template <typename T> T orOf(T a, T b) {
  return a | b;
}
template <typename T> T xorOf(T a, T b) {
  return a ^ b;
}

// variant: is max, absolute value, NaN propagates
void reduxFloat(const WarpCall &call) {
  const auto &variant = call.site.op->variant;
  float total = 0;
  bool started = false;
  call.forEachLane([&](unsigned lane) {
    float value = call.frames[lane]->get<float>(0);
    if (variant[1])
      value = std::fabs(value);
    if (!started) {
      total = value;
    } else if (std::isnan(total) || std::isnan(value)) {
      const float other = std::isnan(total) ? value : total;
      total = variant[2] ? NAN : other;
    } else {
      const bool takeNew = variant[0] ? value > total || (value == total && !std::signbit(value))
                                      : value < total || (value == total && std::signbit(value));
      total = takeNew ? value : total;
    }
    started = true;
  });
  call.forEachLane([&](unsigned lane) { call.frames[lane]->put<float>(0, total); });
}

void activeMask(const WarpCall &call) {
  call.forEachLane([&](unsigned lane) { call.frames[lane]->put<uint32_t>(0, call.lanes); });
}

void elect(const WarpCall &call) {
  const unsigned leader = __builtin_ctz(call.lanes);
  call.forEachLane([&](unsigned lane) {
    call.frames[lane]->put<uint32_t>(0, leader);
    call.frames[lane]->putFlag(1, lane == leader);
  });
}

void nothing(const WarpCall &) {}

void registerShuffles(IntrinsicTable &table) {
  const std::pair<const char *, ShuffleMode> modes[] = {
      {"up", Up}, {"down", Down}, {"bfly", Bfly}, {"idx", Idx}};
  for (auto [name, mode] : modes)
    for (const char *type : {"i32", "f32"})
      for (int predicate : {0, 1}) {
        const std::string tail = std::string(name) + "." + type + (predicate ? "p" : "");
        table.warp("llvm.nvvm.shfl.sync." + tail, shuffle, Intrinsic::MaskOperand, 0).variant = {
            mode, 1, predicate};
        table.warp("llvm.nvvm.shfl." + tail, shuffle, Intrinsic::ActiveLanes).variant = {mode, 0,
                                                                                         predicate};
      }
}

void registerVotes(IntrinsicTable &table) {
  const std::pair<const char *, VoteMode> modes[] = {
      {"all", All}, {"any", Any}, {"uni", Uni}, {"ballot", Ballot}};
  for (auto [name, mode] : modes) {
    table.warp("llvm.nvvm.vote." + std::string(name) + ".sync", vote, Intrinsic::MaskOperand, 0)
        .variant = {mode, 1};
    table.warp("llvm.nvvm.vote." + std::string(name), vote, Intrinsic::ActiveLanes).variant = {mode,
                                                                                               0};
  }
  table.warp("llvm.nvvm.match.any.sync.i32", matchAny<uint32_t>, Intrinsic::MaskOperand, 0);
  table.warp("llvm.nvvm.match.any.sync.i64", matchAny<uint64_t>, Intrinsic::MaskOperand, 0);
  table.warp("llvm.nvvm.match.all.sync.i32p", matchAll<uint32_t>, Intrinsic::MaskOperand, 0);
  table.warp("llvm.nvvm.match.all.sync.i64p", matchAll<uint64_t>, Intrinsic::MaskOperand, 0);
  table.warp("llvm.nvvm.activemask", activeMask, Intrinsic::ActiveLanes);
  table.warp("llvm.nvvm.elect.sync", elect, Intrinsic::MaskOperand, 0);
  table.warp("llvm.nvvm.bar.warp.sync", nothing, Intrinsic::MaskOperand, 0).match =
      Intrinsic::AnySite;
}

void registerRedux(IntrinsicTable &table) {
  const std::string prefix = "llvm.nvvm.redux.sync.";
  auto add = [&](const char *name, WarpFn fn) {
    table.warp(prefix + name, fn, Intrinsic::MaskOperand, 1);
  };
  add("add", redux<uint32_t, addOf<uint32_t>>);
  add("umin", redux<uint32_t, minOf<uint32_t>>);
  add("umax", redux<uint32_t, maxOf<uint32_t>>);
  add("min", redux<int32_t, minOf<int32_t>>);
  add("max", redux<int32_t, maxOf<int32_t>>);
  add("and", redux<uint32_t, andOf<uint32_t>>);
  add("or", redux<uint32_t, orOf<uint32_t>>);
  add("xor", redux<uint32_t, xorOf<uint32_t>>);
  for (int isMax : {0, 1})
    for (int absolute : {0, 1})
      for (int nan : {0, 1})
        table
            .warp(prefix + (isMax ? "fmax" : "fmin") + (absolute ? ".abs" : "") +
                      (nan ? ".NaN" : ""),
                  reduxFloat, Intrinsic::MaskOperand, 1)
            .variant = {isMax, absolute, nan};
}

// variant of barriers: action (0 sync, 1 arrive, 2 popc, 3 and, 4 or), has count, aligned
void registerBarriers(IntrinsicTable &table) {
  const std::pair<const char *, int> actions[] = {
      {"sync", 0}, {"arrive", 1}, {"red.popc", 2}, {"red.and", 3}, {"red.or", 4}};
  for (auto [name, action] : actions)
    for (int aligned : {0, 1})
      for (int count : {0, 1}) {
        if (action == 1 && !count)
          continue;
        Intrinsic &entry =
            table.frame("llvm.nvvm.barrier.cta." + std::string(name) + (aligned ? ".aligned" : "") +
                            (count ? ".count" : ".all"),
                        rtBarrier);
        entry.suspends = true;
        entry.variant = {action, count, aligned};
      }
  // variant of cluster barriers: is wait, is relaxed
  for (const char *name : {"arrive", "arrive.relaxed", "wait"})
    for (const char *aligned : {"", ".aligned"}) {
      Intrinsic &entry =
          table.frame("llvm.nvvm.barrier.cluster." + std::string(name) + aligned, rtClusterBarrier);
      entry.suspends = true;
      entry.variant = {std::string(name) == "wait", std::string(name) == "arrive.relaxed"};
    }
}

} // namespace

void registerCollectives(IntrinsicTable &table) {
  registerShuffles(table);
  registerVotes(table);
  registerRedux(table);
  registerBarriers(table);
}

} // namespace tilesmith::emulator
