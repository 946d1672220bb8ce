//===- OpenOrderTest.cpp - racing atomics whose order shows -----------------------------------===//
//
// Strong accesses that nothing orders are no race, but where their order shows (an
// old value that is used, updates that do not commute) one execution is only one of several legal
// ones. Each case says whether the outcome is marked so. All share eight i32 at %data (%ps: their
// addresses) and the result buffer @out, where %own is the place of the tile block %x.
//
//===------------------------------------------------------------------------------------------===//
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference/interp/test/KernelText.h"

using namespace tilesmith::reference;

namespace {

const char *const prelude = R"(
  %data = get_global @g : tile<ptr<i32>>
  %out = get_global @out : tile<ptr<i32>>
  %d1 = reshape %data : tile<ptr<i32>> -> tile<1xptr<i32>>
  %d8 = broadcast %d1 : tile<1xptr<i32>> -> tile<8xptr<i32>>
  %i = iota : tile<8xi32>
  %ps = offset %d8, %i : tile<8xptr<i32>>, tile<8xi32> -> tile<8xptr<i32>>
  %x, %y, %z = get_tile_block_id : tile<i32>
  %c1 = constant <i32: 1> : tile<i32>
  %c2 = constant <i32: 2> : tile<i32>
  %own = offset %out, %x : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
)";

std::string rmw(const std::string &name, const std::string &kind, const std::string &value = "c1",
                const std::string &token = "") {
  return "%" + name + ", %t_" + name + " = atomic_rmw_tko relaxed device %data, " + kind + ", %" +
         value + (token.empty() ? "" : " token=%" + token) +
         " : tile<ptr<i32>>, tile<i32> -> tile<i32>, token\n";
}
std::string save(const std::string &value) {
  return "%saved = store_ptr_tko weak %own, %" + value + " : tile<ptr<i32>>, tile<i32> -> token\n";
}
std::string strongStore(const std::string &value) {
  return "%st = store_ptr_tko relaxed device %data, %" + value +
         " : tile<ptr<i32>>, tile<i32> -> token\n";
}

struct Case {
  const char *name;
  int64_t blocks;
  std::string body;
  bool open;
};

std::vector<Case> cases() {
  const std::string tile = " : tile<8xptr<i32>>, tile<8xi32> -> tile<8xi32>, token\n";
  return {
      {"a counter that nobody reads", 4, rmw("a", "add"), false},
      {"tickets: old values are kept", 4, rmw("a", "add") + save("a"), true},
      {"one block only", 1, rmw("a", "add") + save("a"), false},
      {"maxima do not show their order", 4, rmw("a", "max", "x"), false},
      {"sums of floats, which round", 4,
       "%f = ptr_to_ptr %data : tile<ptr<i32>> -> tile<ptr<f32>>\n%v = constant <f32: 0.1> : "
       "tile<f32>\n%a, %t = atomic_rmw_tko relaxed device %f, addf, %v : tile<ptr<f32>>, "
       "tile<f32> -> tile<f32>, token\n",
       true},
      {"exchange: the last one stays", 4, rmw("a", "xchg", "x"), true},
      {"adding and maximum do not commute", 4, rmw("a", "add") + rmw("b", "max", "x", "t_a"), true},
      {"two updates of a block, ordered", 1,
       rmw("a", "add") + rmw("b", "xchg", "c2", "t_a") + save("b"), false},
      {"two updates of a block, not ordered", 1, rmw("a", "add") + rmw("b", "xchg", "c2"), true},
      {"each block has its own counter", 4,
       "%p = offset %data, %x : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>\n"
       "%a, %t = atomic_rmw_tko relaxed device %p, add, %c1 : tile<ptr<i32>>, tile<i32> -> "
       "tile<i32>, token\n" +
           save("a"),
       false},
      {"strong stores to one place", 2, strongStore("x"), true},
      {"a strong load beside strong stores", 2,
       "%first = cmpi equal %x, %c1, signed : tile<i32> -> tile<i1>\nif %first {\n" +
           strongStore("c2") +
           "} else {\n%l, %tl = load_ptr_tko relaxed device %data : tile<ptr<i32>> -> tile<i32>, "
           "token\n" +
           save("l") + "}\n",
       true},
      {"a strong load that nobody uses", 2,
       "%first = cmpi equal %x, %c1, signed : tile<i32> -> tile<i1>\nif %first {\n" +
           strongStore("c2") +
           "} else {\n%l, %tl = load_ptr_tko relaxed device %data : tile<ptr<i32>> -> tile<i32>, "
           "token\n}\n",
       false},
      {"compare and swap by several blocks", 2,
       "%c, %tc = atomic_cas_tko relaxed device %data, %x, %c2 : tile<ptr<i32>>, tile<i32> "
       "-> tile<i32>, token\n",
       true},
      {"elements of one op on one place, unused", 1,
       "%a, %t = atomic_rmw_tko relaxed device %d8, add, %i" + tile, false},
      {"elements of one op on one place, used", 1,
       "%a, %t = atomic_rmw_tko relaxed device %d8, add, %i" + tile +
           "%s = store_ptr_tko weak %ps, %a token=%t : tile<8xptr<i32>>, tile<8xi32> -> token\n",
       true},
      {"elements of one op on different places, used", 1,
       "%a, %t = atomic_rmw_tko relaxed device %ps, add, %i" + tile +
           "%s = store_ptr_tko weak %ps, %a token=%t : tile<8xptr<i32>>, tile<8xi32> -> token\n",
       false},
  };
}

// [spec: order-open, atomic-racing-outcome]
TEST(OpenOrderTest, OutcomesThatAreOneOfSeveralSaySo) {
  for (const Case &c : cases())
    for (uint64_t seed : {0, 1, 2}) {
      KernelOptions options;
      options.globals = "global @g <i32: 0> : tile<8xi32>\nglobal @out <i32: 0> : tile<8xi32>\n";
      options.grid = {c.blocks, 1, 1};
      options.detectRaces = true;
      options.seed = seed;
      Outcome outcome = runKernel(prelude + c.body, options);
      EXPECT_TRUE(outcome.completed()) << c.name << ": " << outcome.describe();
      if (!c.open) {
        EXPECT_EQ(outcome.openOrder, "") << c.name;
        continue;
      }
      EXPECT_THAT(outcome.openOrder,
                  testing::ContainsRegex("the order of 'cuda_tile\\.[a-z_]*' at .* is open"))
          << c.name;
      EXPECT_THAT(outcome.notes, testing::Contains(testing::HasSubstr(outcome.openOrder)));
    }
}

} // namespace
