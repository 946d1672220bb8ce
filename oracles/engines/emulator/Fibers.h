// Stackful fibers: pooled stacks with a guard page, and the context switch with its
// AddressSanitizer annotations.
//
// Stacks are dropped, never unwound: an abandoned fiber (a trapped or deadlocked thread) simply is
// not resumed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include <boost/context/detail/fcontext.hpp>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TILESMITH_ASAN 1
#include <sanitizer/common_interface_defs.h>
#endif
#endif

namespace tilesmith::emulator {

struct Stack {
  char *low = nullptr; // first usable byte; the page below is the guard
  char *top = nullptr; // initial stack pointer, staggered so that stacks do not share cache sets
  size_t size() const { return static_cast<size_t>(top - low); }
  bool contains(uint64_t address) const {
    return address >= reinterpret_cast<uint64_t>(low) && address < reinterpret_cast<uint64_t>(top);
  }
  bool guardContains(uint64_t address) const;
};

/// Stacks of one host thread, numbered from 0; grows on demand, memory is given back when it grew
/// large.
class StackPool {
public:
  static constexpr size_t kStackBytes = 256 * 1024;

  static StackPool &ofThisThread();
  ~StackPool();
  Stack &get(size_t index);
  /// Gives pages of deep stacks back to the system when the pool has become large.
  void trim();

private:
  std::deque<Stack> stacks; // threads point to them
  std::vector<char *> mappings;
};

/// A suspended or running flow of control.
struct Flow {
  boost::context::detail::fcontext_t context = nullptr;
  const char *low = nullptr; // stack bounds, for the sanitizer
  size_t size = 0;
  void *fakeStack = nullptr;
};

/// Makes `flow` start at `body` on `stack` when it is first resumed. `body` must never return.
void startFlow(Flow &flow, const Stack &stack, void (*body)(boost::context::detail::transfer_t));

/// Records where the flow that handed over stopped; `self` is null when a new flow starts.
inline void finishSwitch(boost::context::detail::transfer_t transfer, Flow *self) {
  auto *previous = static_cast<Flow *>(transfer.data);
  if (previous)
    previous->context = transfer.fctx;
#ifdef TILESMITH_ASAN
  __sanitizer_finish_switch_fiber(self ? self->fakeStack : nullptr,
                                  previous ? reinterpret_cast<const void **>(&previous->low)
                                           : nullptr,
                                  previous ? &previous->size : nullptr);
#endif
}

/// Leaves `from` (null: it will never be resumed) and continues `to`. Inline, because every return
/// after a switch is mispredicted.
inline void switchFlow(Flow *from, Flow &to) {
#ifdef TILESMITH_ASAN
  __sanitizer_start_switch_fiber(from ? &from->fakeStack : nullptr, to.low, to.size);
#endif
  finishSwitch(boost::context::detail::jump_fcontext(to.context, from), from);
}

/// Must be the first call in the body of a new flow, with the transfer it received.
inline void enterFlow(boost::context::detail::transfer_t transfer) {
  finishSwitch(transfer, nullptr);
}

} // namespace tilesmith::emulator
