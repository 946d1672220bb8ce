//===- Array.cpp - large blocks of memory that are used again ---------------------------------===//
#include "reference/value/Array.h"

#include <cstdlib>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/MemAlloc.h"

using namespace tilesmith::reference;

namespace {

constexpr size_t kSmallest = 32 << 10;  ///< smaller blocks are the allocator's
constexpr size_t kMostKept = 128 << 20; ///< bytes in free blocks, per thread
/// A sanitizer wants to see every block come and go.
constexpr bool kKeeps = !LLVM_ADDRESS_SANITIZER_BUILD;

/// Set when the thread's blocks are gone: arrays that live on free theirs at once.
thread_local bool ended = false;

class FreeBlocks {
public:
  ~FreeBlocks() {
    ended = true;
    clear();
  }
  void *take(size_t bytes) {
    auto it = blocks.find(bytes);
    if (it == blocks.end() || it->second.empty())
      return nullptr;
    kept -= bytes;
    return it->second.pop_back_val();
  }
  void give(void *block, size_t bytes) {
    if (kept + bytes > kMostKept)
      clear(); // sizes that are not asked for any more
    if (bytes > kMostKept)
      return std::free(block);
    kept += bytes;
    blocks[bytes].push_back(block);
  }

private:
  void clear() {
    for (auto &[bytes, list] : blocks)
      for (void *block : list)
        std::free(block);
    blocks.clear();
    kept = 0;
  }

  llvm::DenseMap<size_t, llvm::SmallVector<void *, 4>> blocks; ///< by size
  size_t kept = 0;
};

thread_local FreeBlocks freeBlocks;

bool isKept(size_t bytes) {
  return kKeeps && bytes >= kSmallest && !ended;
}

} // namespace

void *tilesmith::reference::takeBlock(size_t bytes) {
  void *block = isKept(bytes) ? freeBlocks.take(bytes) : nullptr;
  if (!block)
    block = llvm::safe_malloc(bytes); // the process ends as its handler says
  return block;
}

void tilesmith::reference::giveBlock(void *block, size_t bytes) {
  if (isKept(bytes))
    freeBlocks.give(block, bytes);
  else
    std::free(block);
}
