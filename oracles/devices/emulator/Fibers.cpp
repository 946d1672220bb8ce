// Implements Fibers.h.
#include "oracles/devices/emulator/Fibers.h"

#include <algorithm>
#include <sys/mman.h>

#ifdef TILESMITH_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace tilesmith::emulator {

namespace {

constexpr size_t kPage = 4096;

} // namespace

bool Stack::guardContains(uint64_t address) const {
  const auto bottom = reinterpret_cast<uint64_t>(low);
  return address < bottom && address >= bottom - kPage;
}

StackPool &StackPool::ofThisThread() {
  static thread_local StackPool pool;
  return pool;
}

StackPool::~StackPool() {
  release();
}

void StackPool::release() {
  for (char *mapping : mappings)
    munmap(mapping, kStackBytes + kPage);
  mappings.clear();
  stacks.clear();
  used = 0;
}

Stack *StackPool::get(size_t index) {
  used = std::max(used, index + 1);
  while (stacks.size() <= index) {
    void *mapping = mmap(nullptr, kStackBytes + kPage, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED)
      return nullptr;
    if (mprotect(mapping, kPage, PROT_NONE) != 0) {
      munmap(mapping, kStackBytes + kPage);
      return nullptr;
    }
    auto *base = static_cast<char *>(mapping);
    mappings.push_back(base);
    const size_t stagger = (stacks.size() * 320) % kPage & ~size_t{63};
    stacks.push_back({base + kPage, base + kPage + kStackBytes - stagger});
  }
  return &stacks[index];
}

void StackPool::trim() {
  constexpr size_t kKeep =
      4096; // what a launch has at most; most threads touch one or two pages of their stacks
  for (size_t i = kKeep; i < used; ++i)
    madvise(mappings[i] + kPage, kStackBytes, MADV_DONTNEED);
  used = 0;
}

void startFlow(Flow &flow, const Stack &stack, void (*body)(boost::context::detail::transfer_t)) {
#ifdef TILESMITH_INLINE_SWITCH
  // As if called: the return address (none) lies on the aligned stack.
  auto *top = reinterpret_cast<void **>(reinterpret_cast<uintptr_t>(stack.top) & ~uintptr_t{15});
  *--top = nullptr;
  *--top = nullptr;
  *--top = nullptr;
  flow.registers[0] = top;
  flow.registers[1] = reinterpret_cast<void *>(body);
  flow.registers[2] = flow.registers[3] = nullptr;
#else
  flow.context = boost::context::detail::make_fcontext(stack.top, stack.size(), body);
#endif
  flow.low = stack.low;
  flow.size = stack.size();
  flow.fakeStack = nullptr;
#ifdef TILESMITH_ASAN
  __asan_unpoison_memory_region(stack.low, stack.size()); // frames of a dropped fiber
#endif
}

} // namespace tilesmith::emulator
