//===- RacePatternsTest.cpp - racy programs and their clean twins -----------------------------===//
//
// Every pattern is a program with a race and the least change that removes it. Both twins run in
// several orders of the tile blocks; the racy one must be reported in at least one of them, with
// the ops of both accesses and their locations, the clean one in none. The table is printed.
//
// All programs share eight i32: %data and %flag are the addresses of the first and the fifth, %ps
// of all of them, %x is the number of the tile block.
//
//===------------------------------------------------------------------------------------------===//
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/interp/test/KernelText.h"

using namespace tilesmith::reference;

namespace {

struct Pattern {
  const char *name;
  int64_t blocks;
  std::string racy, clean;
};

const char *const prelude = R"(
  %data = get_global @g : tile<ptr<i32>>
  %four = constant <i32: 4> : tile<i32>
  %flag = offset %data, %four : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
  %d1 = reshape %data : tile<ptr<i32>> -> tile<1xptr<i32>>
  %d8 = broadcast %d1 : tile<1xptr<i32>> -> tile<8xptr<i32>>
  %i = iota : tile<8xi32>
  %ps = offset %d8, %i : tile<8xptr<i32>>, tile<8xi32> -> tile<8xptr<i32>>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %c0 = constant <i32: 0> : tile<i32>
  %c1 = constant <i32: 1> : tile<i32>
  %c2 = constant <i32: 2> : tile<i32>
  %c99 = constant <i32: 99> : tile<i32>
  %own = offset %data, %x : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
  %first = cmpi equal %x, %c0, signed : tile<i32> -> tile<i1>
)";

std::string load(const std::string &name, const std::string &order, const std::string &pointer,
                 const std::string &token = "") {
  return "%" + name + ", %t_" + name + " = load_ptr_tko " + order + " %" + pointer +
         (token.empty() ? "" : " token=%" + token) + " : tile<ptr<i32>> -> tile<i32>, token\n";
}
std::string store(const std::string &name, const std::string &order, const std::string &pointer,
                  const std::string &value, const std::string &token = "") {
  return "%t_" + name + " = store_ptr_tko " + order + " %" + pointer + ", %" + value +
         (token.empty() ? "" : " token=%" + token) + " : tile<ptr<i32>>, tile<i32> -> token\n";
}
std::string add(const std::string &name, const std::string &order, const std::string &pointer,
                const std::string &token = "") {
  return "%" + name + ", %t_" + name + " = atomic_rmw_tko " + order + " %" + pointer +
         ", add, %c1" + (token.empty() ? "" : " token=%" + token) +
         " : tile<ptr<i32>>, tile<i32> -> tile<i32>, token\n";
}

/// Block 1 writes the data and raises the flag, block 0 waits for it and reads.
std::string handshake(const std::string &raise, const std::string &wait, bool afterData = true,
                      bool afterFlag = true) {
  return "if %first {\n%seen = loop : token {\n" + load("v", wait, "flag") +
         "%set = cmpi equal %v, %c99, signed : tile<i32> -> tile<i1>\nif %set {\nbreak %t_v : "
         "token\n}\ncontinue\n}\n" +
         load("r", "weak", "data", afterFlag ? "seen" : "") + "} else {\n" +
         store("w", "weak", "data", "c1") +
         store("f", raise, "flag", "c99", afterData ? "t_w" : "") + "}\n";
}

/// Each block writes its own number and counts itself; the last one reads all of them.
std::string lastReads(const std::string &order) {
  return store("w", "weak", "own", "x") + add("n", order, "flag", "t_w") +
         "%base = constant <i32: 15> : tile<i32>\n" // the flag starts at 14
         "%last = cmpi equal %n, %base, signed : tile<i32> -> tile<i1>\nif %last {\n" +
         load("r", "weak", "data", "t_n") + "}\n";
}

std::string half(const std::string &order, const std::string &token = "") {
  return "%h = ptr_to_ptr %data : tile<ptr<i32>> -> tile<ptr<i16>>\n%s16 = constant <i16: 1> : "
         "tile<i16>\n%t_h = store_ptr_tko " +
         order + " %h, %s16" + (token.empty() ? "" : " token=%" + token) +
         " : tile<ptr<i16>>, tile<i16> -> token\n";
}

std::string masked(const std::string &name, const std::string &bits) {
  return "%m_" + name + " = constant <i1: [" + bits + "]> : tile<8xi1>\n%t_" + name +
         " = store_ptr_tko weak %ps, %i, %m_" + name +
         " : tile<8xptr<i32>>, tile<8xi32>, tile<8xi1> -> token\n";
}

std::string loopStores(bool carried) {
  std::string token = carried ? "t" : "";
  return "%t0 = make_token : token\n%r = for %k in (%c0 to %c2, step %c1) : tile<i32> "
         "iter_values(%t = %t0) -> (token) {\n" +
         store("s", "weak", "data", "k", token) + "continue %t_s : token\n}\n";
}

std::string stridedStores(int stride) {
  std::string type = "strided_view<tile=(4), traversal_strides=[" + std::to_string(stride) +
                     "], tensor_view<8xi32, strides=[1]>>";
  return "%tv = make_tensor_view %data, shape = [8], strides = [1] : tensor_view<8xi32, "
         "strides=[1]>\n%w = make_strided_view %tv : " +
         type +
         "\n%v = constant <i32: 5> : tile<4xi32>\n%a = store_view_tko weak %v, %w[%x] : "
         "tile<4xi32>, " +
         type + ", tile<i32> -> token\n";
}

std::vector<Pattern> patterns() {
  const std::string relaxed = "relaxed device", acquire = "acquire device",
                    release = "release device", both = "acq_rel device";
  return {
      {"read, then write", 1, load("a", "weak", "data") + store("b", "weak", "data", "c1"),
       load("a", "weak", "data") + store("b", "weak", "data", "c1", "t_a")},
      {"write, then read", 1, store("a", "weak", "data", "c1") + load("b", "weak", "data"),
       store("a", "weak", "data", "c1") + load("b", "weak", "data", "t_a")},
      {"write, then write", 1, store("a", "weak", "data", "c1") + store("b", "weak", "data", "c2"),
       store("a", "weak", "data", "c1") + store("b", "weak", "data", "c2", "t_a")},
      {"write of a value that was read", 1,
       load("a", "weak", "data") + store("b", "weak", "data", "a"),
       load("a", "weak", "data") + store("b", "weak", "data", "a", "t_a")},
      {"one of two writes not joined", 1,
       store("a", "weak", "data", "c1") + store("b", "weak", "flag", "c1") +
           load("r", "weak", "data", "t_b"),
       store("a", "weak", "data", "c1") + store("b", "weak", "flag", "c1") +
           "%j = join_tokens %t_a, %t_b : token\n" + load("r", "weak", "data", "j")},
      {"write in a branch", 1,
       "if %first {\n" + store("a", "weak", "data", "c1") + "}\n" + load("r", "weak", "data"),
       "%n = make_token : token\n%k = if %first -> (token) {\n" + store("a", "weak", "data", "c1") +
           "yield %t_a : token\n} else {\nyield %n : token\n}\n" + load("r", "weak", "data", "k")},
      {"write in a loop", 1, loopStores(false), loopStores(true)},
      {"weak read of what is added to", 1, add("a", relaxed, "data") + load("r", "weak", "data"),
       add("a", relaxed, "data") + load("r", relaxed, "data")},
      {"lanes of two masked writes", 1,
       masked("a", "true, true, false, false, false, false, false, false") +
           masked("b", "false, true, true, false, false, false, false, false"),
       masked("a", "true, true, false, false, false, false, false, false") +
           masked("b", "false, false, true, true, false, false, false, false")},
      {"part of a strong write", 1, store("a", relaxed, "data", "c1") + half(relaxed),
       store("a", relaxed, "data", "c1") + half(relaxed, "t_a")},
      {"two blocks, one place", 2, store("a", "weak", "data", "x"), store("a", "weak", "own", "x")},
      {"two blocks, one place, weak and strong", 2,
       "if %first {\n" + store("a", "weak", "data", "x") + "} else {\n" +
           store("b", relaxed, "data", "x") + "}\n",
       store("a", relaxed, "data", "x")},
      {"one block reads what another writes", 2,
       "if %first {\n" + store("a", "weak", "data", "x") + "} else {\n" +
           load("r", "weak", "data") + "}\n",
       "if %first {\n" + store("a", "weak", "data", "x") + "} else {\n" +
           load("r", "weak", "flag") + "}\n"},
      {"scope of additions", 2, add("a", "relaxed tl_blk", "data"), add("a", relaxed, "data")},
      {"scope of one side", 2,
       "if %first {\n" + add("a", "relaxed tl_blk", "data") + "} else {\n" +
           add("b", relaxed, "data") + "}\n",
       "if %first {\n" + add("a", "relaxed sys", "data") + "} else {\n" +
           add("b", relaxed, "data") + "}\n"},
      {"overlapping tiles of blocks", 2, stridedStores(2), stridedStores(4)},
      {"handshake: relaxed raise", 2, handshake(relaxed, acquire), handshake(release, acquire)},
      {"handshake: relaxed wait", 2, handshake(release, relaxed), handshake(release, acquire)},
      {"handshake: flag not after the data", 2, handshake(release, acquire, false, true),
       handshake(release, acquire)},
      {"handshake: read not after the flag", 2, handshake(release, acquire, true, false),
       handshake(release, acquire)},
      {"handshake: scope of the raise", 2, handshake("release tl_blk", acquire),
       handshake("release sys", acquire)},
      {"last block reads: relaxed count", 2, lastReads(relaxed), lastReads(both)},
      {"last block reads: count releases only", 2, lastReads(release), lastReads(both)},
      {"last block reads: count acquires only", 2, lastReads(acquire), lastReads(both)},
  };
}

/// The report of a race in one of several orders of the blocks, or what else happened.
Outcome runSeeds(const Pattern &pattern, const std::string &body) {
  KernelOptions options;
  options.globals =
      "global @g alignment = 16 <i32: [10, 11, 12, 13, 14, 15, 16, 17]> : tile<8xi32>\n";
  options.grid = {pattern.blocks, 1, 1};
  options.detectRaces = true;
  Outcome outcome;
  for (uint64_t seed = 0; seed < 6; ++seed) {
    options.seed = seed;
    outcome = runKernel(prelude + body, options);
    if (!outcome.completed())
      break;
  }
  return outcome;
}

// [spec: model-race, model-scope, model-synchronises, model-partial-overlap, token-value]
TEST(RacePatternsTest, EveryRacyProgramIsReportedAndItsCleanTwinIsNot) {
  std::string table = "| pattern | racy | clean twin |\n|---|---|---|\n";
  for (const Pattern &pattern : patterns()) {
    Outcome racy = runSeeds(pattern, pattern.racy), clean = runSeeds(pattern, pattern.clean);
    EXPECT_EQ(racy.detail, "data-race") << pattern.name << ": " << racy.describe();
    EXPECT_TRUE(clean.completed()) << pattern.name << ": " << clean.describe();
    // Both accesses by op and place.
    EXPECT_THAT(racy.op, testing::StartsWith("cuda_tile.")) << pattern.name;
    EXPECT_FALSE(racy.location.empty()) << pattern.name;
    EXPECT_THAT(racy.message, testing::ContainsRegex("by 'cuda_tile\\.[a-z_]*' at [^ ]+"))
        << pattern.name;
    table += std::string("| ") + pattern.name + " | " + racy.detail + " | " +
             spelling(clean.kind).str() + " |\n";
  }
  llvm::outs() << table;
  llvm::outs().flush();
}

// [spec: model-forward-progress, model-effects, launch-order]
TEST(RacePatternsTest, BlocksThatWaitForEachOtherFinishInEveryOrder) {
  // Eight blocks in a ring: each waits for the one before it, block 0 for nobody.
  std::string body = R"(
    %seven = constant <i32: 7> : tile<i32>
    %mine = offset %data, %x : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %m1 = constant <i32: -1> : tile<i32>
    %before = offset %mine, %m1 : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    if %first {
      %t = store_ptr_tko release device %mine, %c99 : tile<ptr<i32>>, tile<i32> -> token
    } else {
      %seen = loop : token {
        %v, %tv = load_ptr_tko acquire device %before : tile<ptr<i32>> -> tile<i32>, token
        %set = cmpi equal %v, %c99, signed : tile<i32> -> tile<i1>
        if %set {
          break %tv : token
        }
        continue
      }
      %t = store_ptr_tko release device %mine, %c99 token=%seen : tile<ptr<i32>>, tile<i32> -> token
    }
  )";
  KernelOptions options;
  options.globals = "global @g <i32: 0> : tile<8xi32>\n";
  options.grid = {8, 1, 1};
  options.detectRaces = true;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    options.seed = seed;
    Outcome outcome = runKernel(prelude + body, options);
    EXPECT_TRUE(outcome.completed()) << "seed " << seed << ": " << outcome.describe();
  }
}

// [spec: step-limit, element-limit, tile-limit, memory-limit, time-limit]
TEST(LimitsTest, EveryLimitEndsTheRunAsInconclusive) {
  KernelOptions options;
  options.limits.steps = 100;
  EXPECT_EQ(evaluate("loop {\n}\n", options), "inconclusive (step-limit)");
  options = {};
  options.limits.elements = 1000;
  EXPECT_EQ(evaluate("%a = iota : tile<1024xi32>\n%b = addi %a, %a : tile<1024xi32>\n", options),
            "inconclusive (element-limit)");
  options = {};
  options.limits.tileBytes = 1000;
  EXPECT_EQ(evaluate("%a = iota : tile<1024xi32>\n%b = addi %a, %a : tile<1024xi32>\n", options),
            "inconclusive (tile-limit)");
  options = {};
  options.limits.memoryBytes = 64;
  EXPECT_EQ(evaluate("%p = alloca num_elem = 64, alignment = 16 : tile<ptr<i32>>\n", options),
            "inconclusive (memory-limit)");
  options.globals = "global @g <i32: 0> : tile<64xi32>\n";
  EXPECT_EQ(evaluate("%x = iota : tile<8xi32>\n", options), "inconclusive (memory-limit)");
  options = {};
  options.limits.seconds = 0.05;
  EXPECT_EQ(evaluate("%a = iota : tile<4096xi32>\nloop {\n%b = addi %a, %a : tile<4096xi32>\n}\n",
                     options),
            "inconclusive (time-limit)");
}

} // namespace
