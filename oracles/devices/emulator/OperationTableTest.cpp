//===- OperationTableTest.cpp - every NVVM intrinsic is executed or a named gap ---------------===//
//
// Walks all intrinsics that LLVM registers under llvm.nvvm. Each has an entry in the intrinsic
// table or falls under a line of kGaps that says why not; a line that covers nothing, or something
// that is executed, is an error too. The counts by family are compared with operations.txt
// (TILESMITH_UPDATE=1 rewrites it).
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/emulator/Intrinsics.h"

#include "llvm/IR/Intrinsics.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <map>

namespace {

struct Gap {
  const char *pattern, *reason;
};

constexpr Gap kGaps[] = {
#include "oracles/devices/emulator/Gaps.inc"
};

struct Family {
  unsigned executed = 0;
  std::map<std::string, unsigned> gaps; // reason -> count
};

TEST(OperationTable, EveryIntrinsicIsExecutedOrANamedGap) {
  std::map<std::string, Family> families;
  std::vector<unsigned> uses(std::size(kGaps), 0);
  for (unsigned id = 1; id < llvm::Intrinsic::num_intrinsics; ++id) {
    const llvm::StringRef full = llvm::Intrinsic::getBaseName(id);
    llvm::StringRef name = full;
    if (!name.consume_front("llvm.nvvm."))
      continue;
    // Overloads may have entries of their own, such as ex2.approx.f16.
    const auto &entries = tilesmith::emulator::IntrinsicTable::get().entries();
    const bool executed = llvm::any_of(entries, [&](const auto &entry) {
      llvm::StringRef key = entry.first();
      return key.consume_front(full) &&
             (key.empty() || (llvm::Intrinsic::isOverloaded(id) && key.starts_with(".")));
    });
    Family &family = families[name.take_until([](char c) { return c == '.'; }).str()];
    family.executed += executed;
    bool covered = false;
    for (auto [i, gap] : llvm::enumerate(kGaps)) {
      auto pattern = llvm::cantFail(llvm::GlobPattern::create(gap.pattern));
      if (covered || !pattern.match(name))
        continue;
      covered = true;
      ++uses[i];
      EXPECT_FALSE(executed) << name.str() << " is executed, but listed as a gap: " << gap.reason;
      ++family.gaps[gap.reason];
    }
    EXPECT_TRUE(executed || covered) << "neither executed nor a named gap: " << name.str();
  }
  for (auto [i, gap] : llvm::enumerate(kGaps))
    EXPECT_GT(uses[i], 0u) << "covers nothing: " << gap.pattern;

  std::string table =
      "Intrinsics below llvm.nvvm, by family: executed, and gaps with their reasons.\n"
      "Written by OperationTableTest (TILESMITH_UPDATE=1).\n\n";
  unsigned executed = 0, missing = 0;
  for (const auto &[name, family] : families) {
    table += llvm::formatv("{0}: {1} executed", name, family.executed);
    executed += family.executed;
    for (const auto &[reason, count] : family.gaps) {
      table += llvm::formatv("; {0} not: {1}", count, reason);
      missing += count;
    }
    table += '\n';
  }
  table += llvm::formatv("\nin all: {0} executed, {1} not\n", executed, missing);
  const char *source = std::getenv("TILESMITH_SOURCE_DIR");
  const std::string path =
      std::string(source ? source : ".") + "/oracles/devices/emulator/operations.txt";
  if (std::getenv("TILESMITH_UPDATE")) {
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << table;
  }
  auto stored = llvm::MemoryBuffer::getFile(path);
  ASSERT_TRUE(!!stored) << path;
  EXPECT_EQ((*stored)->getBuffer().str(), table);
}

} // namespace
