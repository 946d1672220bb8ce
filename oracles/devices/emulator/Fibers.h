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
/// large or could not grow.
class StackPool {
public:
  static constexpr size_t kStackBytes = 256 * 1024;

  static StackPool &ofThisThread();
  ~StackPool();
  /// Null when the memory cannot be had.
  Stack *get(size_t index);
  /// Ends a launch: gives the pages of its stacks back to the system where it used very many.
  void trim();
  /// Unmaps all stacks. No flow may be left on them.
  void release();

private:
  std::deque<Stack> stacks; // threads point to them
  std::vector<char *> mappings;
  size_t used = 0; // stacks handed out since the last trim()
};

// On x86-64 the switch is a jump, without a call: the return that follows it then meets the
// processor's return stack in balance and is predicted (threads usually stop at one place).
#if defined(__x86_64__) && !defined(TILESMITH_ASAN)
#define TILESMITH_INLINE_SWITCH 1
#endif

/// A suspended or running flow of control.
struct Flow {
#ifdef TILESMITH_INLINE_SWITCH
  void *registers[4] = {}; // rsp, rip, rbp, rbx; the switch knows this layout
#endif
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

/// Leaves `from` (null: it will never be resumed) and continues `to`.
[[gnu::always_inline]] inline void switchFlow(Flow *from, Flow &to) {
#ifdef TILESMITH_INLINE_SWITCH
  Flow dropped;
  void **save = from ? from->registers : dropped.registers, **load = to.registers;
  asm volatile("leaq 1f(%%rip), %%rax\n\t"
               "movq %%rsp, 0(%%rdi)\n\t"
               "movq %%rax, 8(%%rdi)\n\t"
               "movq %%rbp, 16(%%rdi)\n\t"
               "movq %%rbx, 24(%%rdi)\n\t"
               "movq 0(%%rsi), %%rsp\n\t"
               "movq 16(%%rsi), %%rbp\n\t"
               "movq 24(%%rsi), %%rbx\n\t"
               "jmpq *8(%%rsi)\n"
               "1:"
               : "+D"(save), "+S"(load)
               :
               : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0",
                 "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
                 "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "cc", "memory");
#else
#ifdef TILESMITH_ASAN
  __sanitizer_start_switch_fiber(from ? &from->fakeStack : nullptr, to.low, to.size);
#endif
  finishSwitch(boost::context::detail::jump_fcontext(to.context, from), from);
#endif
}

/// Must be the first call in the body of a new flow, with the transfer it received.
inline void enterFlow([[maybe_unused]] boost::context::detail::transfer_t transfer) {
#ifndef TILESMITH_INLINE_SWITCH
  finishSwitch(transfer, nullptr);
#endif
}

} // namespace tilesmith::emulator
