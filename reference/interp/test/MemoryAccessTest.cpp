//===- MemoryAccessTest.cpp - pointers, views, atomics, globals -------------------------------===//
#include "reference/interp/test/KernelText.h"

#include <gtest/gtest.h>

using namespace tilesmith::reference;

namespace {

/// A global of 8 i32 (10, 11, ...), its address %p, and pointers %ps to its elements.
KernelOptions eightNumbers() {
  KernelOptions options;
  options.globals =
      "global @g alignment = 16 <i32: [10, 11, 12, 13, 14, 15, 16, 17]> : tile<8xi32>\n"
      "global constant @k8 <i32: [1, 2]> : tile<2xi32>\n";
  return options;
}
const std::string pointers = R"(
  %p = get_global @g : tile<ptr<i32>>
  %p1 = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
  %p8 = broadcast %p1 : tile<1xptr<i32>> -> tile<8xptr<i32>>
  %i = iota : tile<8xi32>
  %ps = offset %p8, %i : tile<8xptr<i32>>, tile<8xi32> -> tile<8xptr<i32>>
)";
const std::string reload =
    "%l, %lt = load_ptr_tko weak %ps : tile<8xptr<i32>> -> tile<8xi32>, token\n"
    "print_tko \"%d\", %l : tile<8xi32> -> token\n";

// [spec: mem-load-masked]
TEST(PointerTest, MaskedLoadTakesThePadding) {
  EXPECT_EQ(evaluate(pointers + integers("m", "i1", {1, 0, 1, 0, 1, 1, 1, 1}) +
                         integers("d", "i32", {0, -1, -2, -3, -4, -5, -6, -7}) + R"(
      %l, %t = load_ptr_tko weak %ps, %m, %d : tile<8xptr<i32>>, tile<8xi1>, tile<8xi32> -> tile<8xi32>, token
      print_tko "%d", %l : tile<8xi32> -> token)",
                     eightNumbers()),
            "[10, -1, 12, -3, 14, 15, 16, 17]");
  EXPECT_EQ(evaluate(pointers + integers("m", "i1", {1, 0, 1, 0, 1, 1, 1, 1}) + R"(
      %l, %t = load_ptr_tko weak %ps, %m : tile<8xptr<i32>>, tile<8xi1> -> tile<8xi32>, token
      print_tko "%d", %l : tile<8xi32> -> token)",
                     eightNumbers()),
            "inconclusive (unspecified-print)");
}

// [spec: mem-store-ptr]
TEST(PointerTest, MaskedStoreLeavesTheRest) {
  EXPECT_EQ(evaluate(pointers + integers("m", "i1", {1, 0, 0, 0, 0, 0, 0, 1}) + R"(
      %t = store_ptr_tko weak %ps, %i, %m : tile<8xptr<i32>>, tile<8xi32>, tile<8xi1> -> token
      )" + reload,
                     eightNumbers()),
            "[0, 11, 12, 13, 14, 15, 16, 7]");
}

// [spec: mem-alignment, mem-bounds, mem-null, mem-duplicate-store]
TEST(PointerTest, FaultsAreUndefined) {
  auto access = [&](std::vector<int64_t> offsets, const char *type, bool constant = false) {
    std::string t = type;
    return evaluate(
        std::string("%p = get_global ") + (constant ? "@k8" : "@g") + " : tile<ptr<i32>>\n" + R"(
      %b = ptr_to_ptr %p : tile<ptr<i32>> -> tile<ptr<i8>>
      %p1 = reshape %b : tile<ptr<i8>> -> tile<1xptr<i8>>
      %p2 = broadcast %p1 : tile<1xptr<i8>> -> tile<2xptr<i8>>
      )" + integers("o", "i32", offsets) +
            R"(
      %q = offset %p2, %o : tile<2xptr<i8>>, tile<2xi32> -> tile<2xptr<i8>>
      %r = ptr_to_ptr %q : tile<2xptr<i8>> -> tile<2xptr<)" +
            t + ">>\n" + integers("v", type, {1, 2}) +
            "%t = store_ptr_tko weak %r, %v : tile<2xptr<" + t + ">>, tile<2x" + t + "> -> token\n",
        eightNumbers());
  };
  EXPECT_EQ(access({0, 28}, "i32"), "");
  EXPECT_EQ(access({0, 32}, "i32"), "undefined (out-of-bounds)");
  EXPECT_EQ(access({-4, 0}, "i32"), "undefined (out-of-bounds)");
  EXPECT_EQ(access({2, 8}, "i32"), "undefined (misaligned)");
  EXPECT_EQ(access({4, 4}, "i32"), "undefined (overlapping-store)");
  EXPECT_EQ(access({0, 4}, "i32", true), "undefined (write-to-constant)");
  EXPECT_EQ(
      evaluate(
          "%z = constant <i64: 0> : tile<i64>\n%p = int_to_ptr %z : tile<i64> -> tile<ptr<i8>>\n"
          "%l, %t = load_ptr_tko weak %p : tile<ptr<i8>> -> tile<i8>, token\n"),
      "undefined (null-access)");
}

// [spec: mem-alloca, mem-uninitialised]
TEST(PointerTest, LocalStorageStartsUninitialised) {
  std::string local = "%p = alloca num_elem = 4, alignment = 16 : tile<ptr<i32>>\n";
  EXPECT_EQ(
      evaluate(local + "%l, %t = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token\n"),
      "undefined (uninitialised-read)");
  EXPECT_EQ(evaluate(local +
                     "%v = constant <i32: 42> : tile<i32>\n"
                     "%s = store_ptr_tko weak %p, %v : tile<ptr<i32>>, tile<i32> -> token\n"
                     "%l, %t = load_ptr_tko weak %p token=%s : tile<ptr<i32>> -> tile<i32>, token\n"
                     "print_tko \"%d\", %l : tile<i32> -> token\n"),
            "42");
}

/// A 2 x 3 tensor view over the first six numbers and tiles of 2 x 2.
std::string view(const char *padding) {
  std::string pad = *padding ? std::string(", padding_value = ") + padding : "";
  return R"(
  %p = get_global @g : tile<ptr<i32>>
  %c0 = constant <i32: 0> : tile<i32>
  %c1 = constant <i32: 1> : tile<i32>
  %c2 = constant <i32: 2> : tile<i32>
  %v = make_tensor_view %p, shape = [2, 3], strides = [3, 1] : tensor_view<2x3xi32, strides=[3,1]>
  %w = make_partition_view %v : partition_view<tile=(2x2))" +
         pad + R"(, tensor_view<2x3xi32, strides=[3,1]>>
)";
}
std::string viewType(const char *padding) {
  std::string pad = *padding ? std::string(", padding_value = ") + padding : "";
  return "partition_view<tile=(2x2)" + pad + ", tensor_view<2x3xi32, strides=[3,1]>>";
}

// [spec: view-padding, view-load-outside]
TEST(ViewTest, TilesAtTheEdgeArePadded) {
  EXPECT_EQ(evaluate(view("zero") +
                         "%l, %t = load_view_tko weak %w[%c0, %c1] : " + viewType("zero") +
                         ", tile<i32> -> tile<2x2xi32>, token\n" + show("l", "tile<2x2xi32>", "%d"),
                     eightNumbers()),
            "[[12, 0], [15, 0]]");
  EXPECT_EQ(evaluate(view("") + "%l, %t = load_view_tko weak %w[%c0, %c1] : " + viewType("") +
                         ", tile<i32> -> tile<2x2xi32>, token\n" + show("l", "tile<2x2xi32>", "%d"),
                     eightNumbers()),
            "inconclusive (unspecified-print)");
}

// [spec: view-index-range, choice-index-beyond]
TEST(ViewTest, FarIndicesOutsideTheIndexSpaceAreUndefined) {
  auto text = [&](const std::string &index) {
    return "%i = constant <i32: " + index + "> : tile<i32>\n" + view("") +
           "%l, %t = load_view_tko weak %w[%i, %c0] : " + viewType("") +
           ", tile<i32> -> tile<2x2xi32>, token\n" + show("c0", "tile<i32>", "%d");
  };
  auto load = [&](const std::string &index) { return evaluate(text(index), eightNumbers()); };
  EXPECT_EQ(load("1"), "0");
  // What public text leaves undefined is said, so that other compilers are not held to it.
  EXPECT_EQ(runKernel(text("0"), eightNumbers()).extension, "");
  EXPECT_EQ(runKernel(text("7"), eightNumbers()).extension,
            "index 7 of dimension 0 of a view lies outside of its index space, which public text "
            "leaves undefined");
  EXPECT_EQ(load("1073741823"), "0"); // its coordinates end at 2^31
  EXPECT_EQ(load("1073741824"), "undefined (view-index)");
  EXPECT_EQ(load("-1"), "undefined (view-index)");
}

// [spec: view-store-outside]
TEST(ViewTest, ElementsOutsideAreNotWritten) {
  EXPECT_EQ(evaluate(view("") +
                         "%x = constant <i32: [[1, 2], [3, 4]]> : tile<2x2xi32>\n"
                         "%t = store_view_tko weak %x, %w[%c0, %c1] : tile<2x2xi32>, " +
                         viewType("") + ", tile<i32> -> token\n" + R"(
  %p1 = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
  %p8 = broadcast %p1 : tile<1xptr<i32>> -> tile<8xptr<i32>>
  %i = iota : tile<8xi32>
  %ps = offset %p8, %i : tile<8xptr<i32>>, tile<8xi32> -> tile<8xptr<i32>>
)" + reload,
                     eightNumbers()),
            "[10, 11, 1, 13, 14, 3, 16, 17]");
}

// [spec: view-tensor-shape, view-index-space]
TEST(ViewTest, ShapeQueries) {
  EXPECT_EQ(
      evaluate(view("") + "%n:2 = get_index_space_shape %w : " + viewType("") +
                   " -> tile<i32>\n"
                   "%s:2 = get_tensor_shape %v : tensor_view<2x3xi32, strides=[3,1]> -> tile<i64>\n"
                   "print_tko \"%d %d %lld %lld\", %n#0, %n#1, %s#0, %s#1 : tile<i32>, tile<i32>, "
                   "tile<i64>, "
                   "tile<i64> -> token\n",
               eightNumbers()),
      "1 2 2 3");
}

/// A 6-element vector over the numbers, seen through a view of the given type.
std::string vectorView(const std::string &maker, const std::string &type) {
  return R"(
  %p = get_global @g : tile<ptr<i32>>
  %c0 = constant <i32: 0> : tile<i32>
  %c1 = constant <i32: 1> : tile<i32>
  %c2 = constant <i32: 2> : tile<i32>
  %v = make_tensor_view %p, shape = [6], strides = [1] : tensor_view<6xi32, strides=[1]>
  %w = )" +
         maker + " %v : " + type + "\n%n = get_index_space_shape %w : " + type + " -> tile<i32>\n";
}

// [spec: view-strided]
TEST(ViewTest, StridedViewsOverlapOrSkip) {
  std::string type = "strided_view<tile=(4), traversal_strides=[2], padding_value = zero, "
                     "tensor_view<6xi32, strides=[1]>>";
  EXPECT_EQ(
      evaluate(
          vectorView("make_strided_view", type) + "%a, %t = load_view_tko weak %w[%c1] : " + type +
              ", tile<i32> -> tile<4xi32>, token\n"
              "%b, %u = load_view_tko weak %w[%c2] : " +
              type +
              ", tile<i32> -> tile<4xi32>, token\n"
              "print_tko \"%d %d %d\", %n, %a, %b : tile<i32>, tile<4xi32>, tile<4xi32> -> token\n",
          eightNumbers()),
      "3 [12, 13, 14, 15] [14, 15, 0, 0]")
      << "ceil(6 / 2) tiles, two elements apart";
}

// [spec: view-dim-map]
TEST(ViewTest, DimMapExchangesDimensions) {
  std::string type =
      "partition_view<tile=(2x2), tensor_view<2x3xi32, strides=[3,1]>, dim_map=[1, 0]>";
  EXPECT_EQ(evaluate(R"(
  %p = get_global @g : tile<ptr<i32>>
  %c0 = constant <i32: 0> : tile<i32>
  %v = make_tensor_view %p, shape = [2, 3], strides = [3, 1] : tensor_view<2x3xi32, strides=[3,1]>
  %w = make_partition_view %v : )" +
                         type + "\n%n:2 = get_index_space_shape %w : " + type +
                         " -> tile<i32>\n"
                         "%a, %t = load_view_tko weak %w[%c0, %c0] : " +
                         type +
                         ", tile<i32> -> tile<2x2xi32>, token\n"
                         "print_tko \"%d %d %d\", %n#0, %n#1, %a : tile<i32>, tile<i32>, "
                         "tile<2x2xi32> -> token\n",
                     eightNumbers()),
            "2 1 [[10, 13], [11, 14]]");
}

// [spec: view-gather, view-gather-outside]
TEST(ViewTest, GatherViewsTakeRowsByNumberAndDenseDimensionsByElement) {
  std::string tensor = "tensor_view<3x2xi32, strides=[2,1]>";
  std::string type =
      "gather_scatter_view<tile=(4x1), padding_value = zero, " + tensor + ", sparse_dim=0>";
  EXPECT_EQ(evaluate(R"(
  %p = get_global @g : tile<ptr<i32>>
  %c1 = constant <i32: 1> : tile<i32>
  %rows = constant <i32: [2, 0, 2, 7]> : tile<4xi32>
  %v = make_tensor_view %p, shape = [3, 2], strides = [2, 1] : )" +
                         tensor + "\n%w = make_gather_scatter_view %v : " + type +
                         "\n%a, %t = load_view_tko weak %w[%rows, %c1] : " + type +
                         ", tile<4xi32>, tile<i32> -> tile<4x1xi32>, token\n" +
                         show("a", "tile<4x1xi32>", "%d"),
                     eightNumbers()),
            "[[15], [11], [15], [0]]")
      << "row 7 lies outside the tensor";
}

// [spec: view-inbounds]
TEST(ViewTest, InboundsIsAPromise) {
  std::string type =
      "partition_view<tile=(4), padding_value = zero, tensor_view<6xi32, strides=[1]>>";
  auto load = [&](const char *index) {
    return evaluate(vectorView("make_partition_view", type) + "%a, %t = load_view_tko weak %w[" +
                        index + "] inbounds = [true] : " + type +
                        ", tile<i32> -> tile<4xi32>, token\n" + show("a", "tile<4xi32>", "%d"),
                    eightNumbers());
  };
  EXPECT_EQ(load("%c0"), "[10, 11, 12, 13]");
  EXPECT_EQ(load("%c1"), "undefined (inbounds)");
}

// [spec: view-extent-fits, view-offset-range]
TEST(ViewTest, ExtentsMustFitTheirTypeAndOffsetsTheAddressSpace) {
  std::string head = "%p = get_global @g : tile<ptr<i32>>\n%c1 = constant <i32: 1> : tile<i32>\n"
                     "%s = constant <i64: 4611686018427387904> : tile<i64>\n";
  EXPECT_EQ(
      evaluate(head + "%v = make_tensor_view %p, shape = [300], strides = [1] : "
                      "tensor_view<300xi32, strides=[1]>\n"
                      "%n = get_tensor_shape %v : tensor_view<300xi32, strides=[1]> -> tile<i8>\n",
               eightNumbers()),
      "undefined (extent-overflow)");
  std::string type = "partition_view<tile=(2), tensor_view<4xi32, strides=[?]>>";
  EXPECT_EQ(evaluate(head +
                         "%v = make_tensor_view %p, shape = [4], strides = [%s] : tile<i64> -> "
                         "tensor_view<4xi32, strides=[?]>\n%w = make_partition_view %v : " +
                         type + "\n%a, %t = load_view_tko weak %w[%c1] : " + type +
                         ", tile<i32> -> tile<2xi32>, token\n",
                     eightNumbers()),
            "undefined (view-offset-overflow)");
}

// [spec: view-tensor, mem-duplicate-load, mem-duplicate-store]
TEST(ViewTest, ViewsOfZeroStrideMayBeReadButNotStoredWeakly) {
  std::string type = "partition_view<tile=(4), tensor_view<4xi32, strides=[?]>>";
  std::string head = R"(
  %p = get_global @g : tile<ptr<i32>>
  %c0 = constant <i32: 0> : tile<i32>
  %v = make_tensor_view %p, shape = [4], strides = [%c0] : tile<i32> -> tensor_view<4xi32, strides=[?]>
  %w = make_partition_view %v : )" +
                     type + "\n%a, %t = load_view_tko weak %w[%c0] : " + type +
                     ", tile<i32> -> tile<4xi32>, token\n";
  EXPECT_EQ(evaluate(head + show("a", "tile<4xi32>", "%d"), eightNumbers()), "[10, 10, 10, 10]");
  EXPECT_EQ(evaluate(head + "%s = store_view_tko weak %a, %w[%c0] token = %t : tile<4xi32>, " +
                         type + ", tile<i32> -> token\n",
                     eightNumbers()),
            "undefined (overlapping-store)");
  EXPECT_EQ(
      evaluate(head + "%s = store_view_tko relaxed device %a, %w[%c0] token = %t : tile<4xi32>, " +
                   type + ", tile<i32> -> token\n",
               eightNumbers()),
      "");
}

// [spec: atomic-red-view]
TEST(AtomicTest, ReductionThroughAView) {
  std::string type = "partition_view<tile=(4), tensor_view<6xi32, strides=[1]>>";
  EXPECT_EQ(evaluate(vectorView("make_partition_view", type) + R"(
      %x = constant <i32: 100> : tile<4xi32>
      %s = atomic_red_view_tko relaxed device %w[%c1], add, %x : tile<4xi32>, )" +
                         type + R"(, tile<i32> -> token
  %p1 = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
  %p8 = broadcast %p1 : tile<1xptr<i32>> -> tile<8xptr<i32>>
  %i = iota : tile<8xi32>
  %ps = offset %p8, %i : tile<8xptr<i32>>, tile<8xi32> -> tile<8xptr<i32>>
)" + reload,
                     eightNumbers()),
            "[10, 11, 12, 13, 114, 115, 16, 17]")
      << "elements outside the tensor are left alone";
}

// [spec: atomic-rmw, atomic-modes]
TEST(AtomicTest, ReadModifyWrite) {
  auto rmw = [&](const char *mode, std::vector<int64_t> args) {
    return evaluate(pointers + integers("a", "i32", args) +
                        "%o, %t = atomic_rmw_tko relaxed device %ps, " + mode +
                        ", %a : tile<8xptr<i32>>, tile<8xi32> -> tile<8xi32>, token\n" +
                        show("o", "tile<8xi32>", "%d ") + reload,
                    eightNumbers());
  };
  EXPECT_EQ(rmw("add", {1, 1, 1, 1, 1, 1, 1, -20}),
            "[10, 11, 12, 13, 14, 15, 16, 17] [11, 12, 13, 14, 15, 16, 17, -3]");
  EXPECT_EQ(rmw("xchg", {1, 2, 3, 4, 5, 6, 7, 8}),
            "[10, 11, 12, 13, 14, 15, 16, 17] [1, 2, 3, 4, 5, 6, 7, 8]");
  EXPECT_EQ(rmw("umax", {-1, 0, 0, 0, 0, 0, 0, 99}),
            "[10, 11, 12, 13, 14, 15, 16, 17] [-1, 11, 12, 13, 14, 15, 16, 99]");
  EXPECT_EQ(rmw("min", {-1, 0, 99, 99, 99, 99, 99, 99}),
            "[10, 11, 12, 13, 14, 15, 16, 17] [-1, 0, 12, 13, 14, 15, 16, 17]");
}

// [spec: atomic-duplicates]
TEST(AtomicTest, OneAddressTwiceIsSerial) {
  EXPECT_EQ(evaluate(pointers + integers("z", "i32", {0, 0}) + integers("a", "i32", {1, 2}) + R"(
      %p2 = broadcast %p1 : tile<1xptr<i32>> -> tile<2xptr<i32>>
      %o, %t = atomic_rmw_tko relaxed device %p2, add, %a : tile<2xptr<i32>>, tile<2xi32> -> tile<2xi32>, token
      print_tko "%d", %o : tile<2xi32> -> token)",
                     eightNumbers()),
            "[10, 11]");
}

// [spec: atomic-cas]
TEST(AtomicTest, CompareAndSwap) {
  EXPECT_EQ(evaluate(pointers + integers("c", "i32", {10, 0, 12, 0, 0, 0, 0, 0}) + R"(
      %o, %t = atomic_cas_tko acq_rel device %ps, %c, %i : tile<8xptr<i32>>, tile<8xi32> -> tile<8xi32>, token
      )" + reload,
                     eightNumbers()),
            "[0, 11, 2, 13, 14, 15, 16, 17]");
}

// [spec: model-token-order, model-program-order, model-race]
TEST(RaceTest, OnlyTokensOrderTheAccessesOfABlock) {
  KernelOptions options = eightNumbers();
  options.detectRaces = true;
  std::string loaded =
      pointers + "%l, %t = load_ptr_tko weak %ps : tile<8xptr<i32>> -> tile<8xi32>, token\n";
  EXPECT_EQ(
      evaluate(loaded +
                   "%s = store_ptr_tko weak %ps, %i : tile<8xptr<i32>>, tile<8xi32> -> token\n",
               options),
      "undefined (data-race)");
  EXPECT_EQ(evaluate(loaded + "%s = store_ptr_tko weak %ps, %i token = %t : tile<8xptr<i32>>, "
                              "tile<8xi32> -> token\n",
                     options),
            "");
}

// [spec: model-race]
TEST(RaceTest, BlocksMayNotStoreToOnePlace) {
  KernelOptions options = eightNumbers();
  options.detectRaces = true;
  options.grid = {2, 1, 1};
  EXPECT_EQ(
      evaluate(pointers +
                   "%s = store_ptr_tko weak %ps, %i : tile<8xptr<i32>>, tile<8xi32> -> token\n",
               options),
      "undefined (data-race)");
  EXPECT_EQ(evaluate(pointers + "%o, %s = atomic_rmw_tko relaxed device %ps, add, %i : "
                                "tile<8xptr<i32>>, tile<8xi32> -> "
                                "tile<8xi32>, token\n",
                     options),
            "");
}

// [spec: model-forward-progress]
TEST(AtomicTest, BlocksThatWaitForEachOtherFinish) {
  // Block 1 raises the flag that block 0, which starts first, waits for.
  KernelOptions options = eightNumbers();
  options.grid = {2, 1, 1};
  EXPECT_EQ(evaluate(R"(
      %p = get_global @g : tile<ptr<i32>>
      %x, %y, %z = get_tile_block_id : tile<i32>
      %c0 = constant <i32: 0> : tile<i32>
      %c99 = constant <i32: 99> : tile<i32>
      %first = cmpi equal %x, %c0, signed : tile<i32> -> tile<i1>
      if %first {
        loop {
          %v, %t = load_ptr_tko acquire device %p : tile<ptr<i32>> -> tile<i32>, token
          %set = cmpi equal %v, %c99, signed : tile<i32> -> tile<i1>
          if %set {
            break
          }
        }
        print_tko "seen" -> token
      } else {
        %t = store_ptr_tko release device %p, %c99 : tile<ptr<i32>>, tile<i32> -> token
        print_tko "set " -> token
      })",
                     options),
            "set seen");
}

} // namespace
