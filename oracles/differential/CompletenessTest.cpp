//===- CompletenessTest.cpp - op x element type x -O level, compiled and executed -------------===//
//
// One row per form of an op, one column per element type. A cell is a small kernel: two tiles of
// 256 elements are loaded, the op is applied, the result is stored. Where the verifier refuses the
// form for a type the cell is `-`. All others are compiled at every level, run on the emulated GPU
// and compared with the reference: the cell then says which levels agree. Rows of one type share a
// kernel; when it disagrees its rows are judged one by one.
//
// The table is complete when no cell fails and every registered op occurs in a passing kernel, or
// has a reason below. Levels: 0 and 3, or all of them with TILESMITH_ALL_LEVELS=1; the table is
// printed, and written to the file that TILESMITH_TABLE names.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/BytecodeWriter.h"
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "oracles/differential/Differential.h"
#include "reference/value/Float.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

#include <set>

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

struct Type {
  const char *name;
  testcase::DataType data;
  std::optional<reference::ElementType> element;
  const char *one; ///< the literal 1
};
using testcase::DataType;
using E = reference::ElementType;
const Type kTypes[] = {
    {"i1", DataType::Bool, E::I1, "true"},
    {"i8", DataType::I8, E::I8, "1"},
    {"i16", DataType::I16, E::I16, "1"},
    {"i32", DataType::I32, E::I32, "1"},
    {"i64", DataType::I64, E::I64, "1"},
    {"f16", DataType::F16, E::F16, "1.0"},
    {"bf16", DataType::BF16, E::BF16, "1.0"},
    {"tf32", DataType::TF32, E::TF32, "1.0"},
    {"f32", DataType::F32, E::F32, "1.0"},
    {"f64", DataType::F64, E::F64, "1.0"},
    {"f8E4M3FN", DataType::F8E4M3FN, E::F8E4M3FN, "1.0"},
    {"f8E5M2", DataType::F8E5M2, E::F8E5M2, "1.0"},
    {"f8E8M0FNU", DataType::F8E8M0FNU, E::F8E8M0FNU, "1.0"},
    {"f4E2M1FN", DataType::I8, std::nullopt, "1.0"},
    {"i4", DataType::I8, std::nullopt, "1"},
};

/// A form of an op: statements that use %x and %y (256 elements of $T; also as %x16, %y16: 16x16),
/// %s (a scalar of $T), %p (256 pointers), %c0, %c1, %k (i32 tile), %b (i1 tile), %t (a token), and
/// define %res.
struct Row {
  std::string name, body;
  std::string result = "$T"; ///< element type of %res
  unsigned count = 256;      ///< its elements
};

std::vector<Row> makeRows() {
  std::vector<Row> rows;
  const std::string tile = "tile<256x$T>";
  auto add = [&](std::string name, std::string body, std::string result = "$T",
                 unsigned count = 256) {
    rows.push_back({std::move(name), std::move(body), std::move(result), count});
  };
  for (const char *op : {"absf", "absi", "ceil", "floor", "cos", "sin", "tan", "cosh", "sinh",
                         "tanh", "exp", "exp2", "log", "log2", "sqrt", "rsqrt", "negf", "negi"})
    add(op, std::string("%res = ") + op + " %x : " + tile);
  for (const char *op : {"addf", "subf", "mulf", "divf", "remf", "maxf", "minf", "pow", "atan2",
                         "addi", "subi", "muli", "mulhii", "shli", "andi", "ori", "xori"})
    add(op, std::string("%res = ") + op + " %x, %y : " + tile);
  for (const char *op : {"maxf", "minf"})
    add(std::string(op) + " nan", std::string("%res = ") + op + " %x, %y propagate_nan : " + tile);
  for (const char *sign : {"signed", "unsigned"})
    for (const char *op : {"divi", "remi", "maxi", "mini", "shri"})
      add(std::string(op) + " " + sign,
          std::string("%res = ") + op + " %x, %y " + sign + " : " + tile);
  add("fma", "%res = fma %x, %y, %x : " + tile);
  add("fpowi", "%res = fpowi %x, %k : " + tile + ", tile<256xi32>");
  for (const char *p : {"equal", "less_than"}) {
    add(std::string("cmpf ") + p,
        std::string("%res = cmpf ") + p + " ordered %x, %y : " + tile + " -> tile<256xi1>", "i1");
    add(std::string("cmpi ") + p,
        std::string("%res = cmpi ") + p + " %x, %y, signed : " + tile + " -> tile<256xi1>", "i1");
  }
  add("select", "%res = select %b, %x, %y : tile<256xi1>, " + tile);
  add("ftof f8E8M0FNU", "%res = ftof %x rounding<zero> : " + tile + " -> tile<256xf8E8M0FNU>",
      "f8E8M0FNU");
  for (const char *to : {"f16", "bf16", "tf32", "f32", "f64", "f8E4M3FN", "f8E5M2", "f4E2M1FN"}) {
    std::string t = to;
    add("ftof " + t, "%res = ftof %x : " + tile + " -> tile<256x" + t + ">", t);
    add("itof " + t, "%res = itof %x signed : " + tile + " -> tile<256x" + t + ">", t);
  }
  for (const char *to : {"i1", "i4", "i8", "i16", "i32", "i64"}) {
    std::string t = to;
    if (t != "i4")
      add("ftoi " + t, "%res = ftoi %x signed : " + tile + " -> tile<256x" + t + ">", t);
    if (t != "i1")
      add("exti " + t, "%res = exti %x unsigned : " + tile + " -> tile<256x" + t + ">", t);
    if (t != "i64")
      add("trunci " + t, "%res = trunci %x : " + tile + " -> tile<256x" + t + ">", t);
    if (t == "i4")
      continue; // the only type of its width beside f4E2M1FN, which has no bitcast
    add("bitcast " + t, "%res = bitcast %x : " + tile + " -> tile<256x" + t + ">", t);
  }
  add("iota", "%res = iota : " + tile);
  add("constant", "%res = constant <$T: $1> : " + tile);
  add("reshape permute", "%1 = permute %x16 [1, 0] : tile<16x16x$T> -> tile<16x16x$T>\n"
                         "%res = reshape %1 : tile<16x16x$T> -> tile<256x$T>");
  add("broadcast", "%1 = reshape %s : tile<$T> -> tile<1x$T>\n"
                   "%res = broadcast %1 : tile<1x$T> -> tile<256x$T>");
  add("cat extract", "%1 = cat %x, %y dim = 0 : tile<256x$T>, tile<256x$T> -> tile<512x$T>\n"
                     "%res = extract %1[%c1] : tile<512x$T> -> tile<256x$T>");
  add("insert", "%1 = extract %x[%c1] : tile<256x$T> -> tile<64x$T>\n"
                "%res = insert %1, %y[%c0] : tile<64x$T>, tile<256x$T>");
  add("pack unpack i8",
      "%1 = pack %x : tile<256x$T> -> tile<$Bxi8>\n%res = unpack %1 : tile<$Bxi8> -> tile<256x$T>");
  for (const char *op : {"addf", "maxf", "mulf"})
    add(std::string("reduce ") + op,
        "%res = reduce %x16 dim=1 identities=[$1 : $T] : tile<16x16x$T> -> tile<16x$T>\n"
        "(%q0: tile<$T>, %q1: tile<$T>) {\n%q2 = " +
            std::string(op) + " %q0, %q1 : tile<$T>\nyield %q2 : tile<$T>\n}",
        "$T", 16);
  for (const char *op : {"addi", "andi"}) {
    add(std::string("reduce ") + op,
        "%res = reduce %x16 dim=0 identities=[$1 : $T] : tile<16x16x$T> -> tile<16x$T>\n"
        "(%q0: tile<$T>, %q1: tile<$T>) {\n%q2 = " +
            std::string(op) + " %q0, %q1 : tile<$T>\nyield %q2 : tile<$T>\n}",
        "$T", 16);
    add(std::string("scan ") + op,
        "%1 = scan %x16 dim=1 reverse=false identities=[$1 : $T] : tile<16x16x$T> -> "
        "tile<16x16x$T>\n(%q0: tile<$T>, %q1: tile<$T>) {\n%q2 = " +
            std::string(op) +
            " %q0, %q1 : tile<$T>\nyield %q2 : tile<$T>\n}\n"
            "%res = reshape %1 : tile<16x16x$T> -> tile<256x$T>");
  }
  add("scan addf", "%1 = scan %x16 dim=0 reverse=true identities=[0.0 : $T] : tile<16x16x$T> -> "
                   "tile<16x16x$T>\n(%q0: tile<$T>, %q1: tile<$T>) {\n%q2 = addf %q0, %q1 : "
                   "tile<$T>\nyield %q2 : tile<$T>\n}\n"
                   "%res = reshape %1 : tile<16x16x$T> -> tile<256x$T>");
  for (const char *acc : {"f16", "f32", "f64"}) {
    std::string t = acc;
    add("mmaf " + t,
        "%a = constant <" + t + ": 2.0> : tile<16x16x" + t +
            ">\n%1 = mmaf %x16, %y16, %a : tile<16x16x$T>, tile<16x16x$T>, tile<16x16x" + t +
            ">\n%res = reshape %1 : tile<16x16x" + t + "> -> tile<256x" + t + ">",
        t);
  }
  for (const char *sign : {"signed", "unsigned"})
    add(std::string("mmai ") + sign,
        std::string("%a = constant <i32: 2> : tile<16x16xi32>\n%1 = mmai %x16, %y16, %a ") + sign +
            " " + sign +
            " : tile<16x16x$T>, tile<16x16x$T>, tile<16x16xi32>\n"
            "%res = reshape %1 : tile<16x16xi32> -> tile<256xi32>",
        "i32");
  add("mmaf_scaled",
      "%1 = reshape %x : tile<256x$T> -> tile<4x64x$T>\n%2 = reshape %y : tile<256x$T> -> "
      "tile<64x4x$T>\n%a = constant <f32: 2.0> : tile<4x4xf32>\n%u = constant <f8E8M0FNU: 2.0> : "
      "tile<4x2xf8E8M0FNU>\n%w = constant <f8E8M0FNU: 2.0> : tile<2x4xf8E8M0FNU>\n%3 = "
      "mmaf_scaled %1, %2, %a, %u, %w : tile<4x64x$T>, tile<64x4x$T>, tile<4x4xf32>, "
      "tile<4x2xf8E8M0FNU>, tile<2x4xf8E8M0FNU>\n%res = reshape %3 : tile<4x4xf32> -> tile<16xf32>",
      "f32", 16);
  add("load masked", "%res, %1 = load_ptr_tko weak %p, %b, %y token=%t : tile<256xptr<$T>>, "
                     "tile<256xi1>, tile<256x$T> -> tile<256x$T>, token");
  const std::string tv = "tensor_view<16x16x$T, strides=[16,1]>";
  const std::string open =
      "%v = make_tensor_view %in, shape = [16, 16], strides = [16, 1] : " + tv + "\n";
  const std::string pv = "partition_view<tile=(4x8), " + tv + ">";
  add("view load",
      open + "%w = make_partition_view %v : " + pv +
          "\n%1, %2 = load_view_tko weak %w[%c1, %c0] token = %t : " + pv +
          ", tile<i32> -> tile<4x8x$T>, token\n%res = reshape %1 : tile<4x8x$T> -> "
          "tile<32x$T>",
      "$T", 32);
  add("view store", open + "%w = make_partition_view %v : " + pv +
                        "\n%1 = extract %y[%c0] : tile<256x$T> -> tile<32x$T>\n%2 = reshape %1 : "
                        "tile<32x$T> -> tile<4x8x$T>\n%3 = store_view_tko weak %2, %w[%c1, %c0] "
                        "token = %t : tile<4x8x$T>, " +
                        pv +
                        ", tile<i32> -> token\n%res, %4 = load_ptr_tko weak %p token=%3 : "
                        "tile<256xptr<$T>> -> tile<256x$T>, token");
  const std::string sv = "strided_view<tile=(4x8), traversal_strides=[2,4], " + tv + ">";
  add("strided view",
      open + "%w = make_strided_view %v : " + sv +
          "\n%1, %2 = load_view_tko weak %w[%c1, %c0] token = %t : " + sv +
          ", tile<i32> -> tile<4x8x$T>, token\n%res = reshape %1 : tile<4x8x$T> "
          "-> tile<32x$T>",
      "$T", 32);
  const std::string gv = "gather_scatter_view<tile=(4x8), " + tv + ", sparse_dim=0>";
  add("gather scatter view",
      open + "%w = make_gather_scatter_view %v : " + gv +
          "\n%g = iota : tile<4xi32>\n%1, %2 = load_view_tko weak %w[%g, %c0] token = %t : " + gv +
          ", tile<4xi32>, tile<i32> -> tile<4x8x$T>, token\n%3 = store_view_tko weak %1, %w[%g, "
          "%c1] token = %2 : tile<4x8x$T>, " +
          gv +
          ", tile<4xi32>, tile<i32> -> token\n%res, %4 = load_ptr_tko weak %p token=%3 : "
          "tile<256xptr<$T>> -> tile<256x$T>, token");
  for (const char *mode : {"add", "and", "or", "xor", "xchg", "max", "min", "umax", "umin", "addf"})
    add(std::string("atomic_rmw ") + mode,
        std::string("%1, %2 = atomic_rmw_tko relaxed device %p, ") + mode +
            ", %y token=%t : tile<256xptr<$T>>, tile<256x$T> -> tile<256x$T>, token\n"
            "%res, %3 = load_ptr_tko weak %p token=%2 : tile<256xptr<$T>> -> tile<256x$T>, token");
  add("atomic_cas", "%1, %2 = atomic_cas_tko relaxed device %p, %x, %y token=%t : "
                    "tile<256xptr<$T>>, tile<256x$T> -> tile<256x$T>, token\n"
                    "%res, %3 = load_ptr_tko weak %p token=%2 : tile<256xptr<$T>> -> "
                    "tile<256x$T>, token");
  for (const char *mode : {"add", "addf"})
    add(std::string("atomic_red view ") + mode,
        open + "%w = make_partition_view %v : " + pv +
            "\n%1 = extract %y[%c0] : tile<256x$T> -> tile<32x$T>\n%2 = reshape %1 : tile<32x$T> "
            "-> tile<4x8x$T>\n%3 = atomic_red_view_tko relaxed device %w[%c1, %c0], " +
            mode + ", %2 token = %t : tile<4x8x$T>, " + pv +
            ", tile<i32> -> token\n%res, %4 = load_ptr_tko weak %p token=%3 : tile<256xptr<$T>> "
            "-> tile<256x$T>, token");
  add("alloca", "%m = alloca num_elem = 256, alignment = 16 : tile<ptr<$T>>\n%m1 = reshape %m : "
                "tile<ptr<$T>> -> tile<1xptr<$T>>\n%m2 = broadcast %m1 : tile<1xptr<$T>> -> "
                "tile<256xptr<$T>>\n%m3 = offset %m2, %k : tile<256xptr<$T>>, tile<256xi32> -> "
                "tile<256xptr<$T>>\n%1 = store_ptr_tko weak %m3, %y token=%t : tile<256xptr<$T>>, "
                "tile<256x$T> -> token\n%res, %2 = load_ptr_tko weak %m3 token=%1 : "
                "tile<256xptr<$T>> -> tile<256x$T>, token");
  add("pointer casts",
      "%1 = ptr_to_int %in : tile<ptr<$T>> -> tile<i64>\n%2 = int_to_ptr %1 : "
      "tile<i64> -> tile<ptr<$T>>\n%3 = ptr_to_ptr %2 : tile<ptr<$T>> -> "
      "tile<ptr<i8>>\n%4 = ptr_to_ptr %3 : tile<ptr<i8>> -> tile<ptr<$T>>\n"
      "%res, %5 = load_ptr_tko weak %4 token=%t : tile<ptr<$T>> -> tile<$T>, "
      "token",
      "$T", 1);
  add("control flow", R"(%lim = constant <i32: 3> : tile<i32>
%1 = for %iv in (%c0 to %lim, step %c1) : tile<i32> iter_values(%q0 = %x) -> (tile<256x$T>) {
%q1 = cmpi equal %iv, %c1, signed : tile<i32> -> tile<i1>
%q2 = if %q1 -> (tile<256x$T>) {
yield %y : tile<256x$T>
} else {
yield %q0 : tile<256x$T>
}
continue %q2 : tile<256x$T>
}
%res = loop iter_values(%q3 = %c0, %q4 = %1) : tile<i32>, tile<256x$T> -> tile<256x$T> {
%q5 = cmpi equal %q3, %c1, signed : tile<i32> -> tile<i1>
if %q5 {
break %q4 : tile<256x$T>
}
%q6 = addi %q3, %c1 : tile<i32>
continue %q6, %x : tile<i32>, tile<256x$T>
})");
  add("grid, tokens, facts",
      R"(%g0, %g1, %g2 = get_tile_block_id : tile<i32>
%h0, %h1, %h2 = get_num_tile_blocks : tile<i32>
%1 = assume bounded<0, ?>, %g0 : tile<i32>
%2 = cmpi less_than %1, %h0, signed : tile<i32> -> tile<i1>
assert %2, "block inside the grid" : tile<i1>
%3 = make_token : token
%4 = join_tokens %3, %t : token
)" + open +
          "%w = make_partition_view %v : " + pv + R"(
%d:2 = get_tensor_shape %v : tensor_view<16x16x$T, strides=[16,1]> -> tile<i32>
%e:2 = get_index_space_shape %w : )" +
          pv + R"( -> tile<i32>
%5 = print_tko "%d %d\n", %d#0, %e#1 token = %4 : tile<i32>, tile<i32> -> token
%res, %6 = load_ptr_tko weak %p token=%5 : tile<256xptr<$T>> -> tile<256x$T>, token)");
  add("global",
      "%1 = get_global @table : tile<ptr<$T>>\n%2 = reshape %1 : tile<ptr<$T>> -> "
      "tile<1xptr<$T>>\n%3 = broadcast %2 : tile<1xptr<$T>> -> tile<4xptr<$T>>\n%4 = "
      "iota : tile<4xi32>\n%5 = offset %3, %4 : tile<4xptr<$T>>, tile<4xi32> -> "
      "tile<4xptr<$T>>\n%res, %6 = load_ptr_tko weak %5 token=%t : tile<4xptr<$T>> -> "
      "tile<4x$T>, token",
      "$T", 4);
  return rows;
}

/// Ops that no row can show.
const std::map<std::string, std::string> kReasons = {
    {"print", "13.1 only; print_tko is the same op of later versions"},
    {"gdc_launch_dependents_tko", "nothing is launched dependently; forwards its token"},
    {"gdc_wait_tko", "nothing is launched dependently; forwards its token"},
    {"memory_fence_alias_tko", "one location has one proxy; forwards its token"},
    {"multimem_load_reduce_view_tko", "needs multicast memory of several devices; refused"},
    {"multimem_reduce_view_tko", "needs multicast memory of several devices; refused"},
    {"multimem_store_view_tko", "needs multicast memory of several devices; refused"},
};

//===------------------------------------------------------------------------------------------===//
// Kernels
//===------------------------------------------------------------------------------------------===//

std::string replaceAll(std::string text, const std::string &from, const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

unsigned bitsOf(const Type &type) {
  llvm::StringRef name = type.name;
  return name.starts_with("f4") || name == "i4" ? 4
         : type.element                         ? reference::widthOf(*type.element)
                                                : 8;
}

const Type *findType(llvm::StringRef name) {
  for (const Type &type : kTypes)
    if (name == type.name)
      return &type;
  return nullptr;
}

std::string tileOf(unsigned count, const std::string &element) {
  return count == 1 ? "tile<" + element + ">"
                    : "tile<" + std::to_string(count) + "x" + element + ">";
}

bool isPacked(llvm::StringRef element) {
  return element == "i4" || element == "f4E2M1FN";
}

/// Defines %x, %y, %s, %p and %tj.
const char *kStart = R"(%in1 = reshape %in : tile<ptr<$T>> -> tile<1xptr<$T>>
%inb = broadcast %in1 : tile<1xptr<$T>> -> tile<256xptr<$T>>
%p = offset %inb, %k : tile<256xptr<$T>>, tile<256xi32> -> tile<256xptr<$T>>
%c256 = constant <i32: 256> : tile<256xi32>
%p2 = offset %p, %c256 : tile<256xptr<$T>>, tile<256xi32> -> tile<256xptr<$T>>
%x, %tx = load_ptr_tko weak %p token=%t : tile<256xptr<$T>> -> tile<256x$T>, token
%y, %ty = load_ptr_tko weak %p2 token=%t : tile<256xptr<$T>> -> tile<256x$T>, token
%s, %ts = load_ptr_tko weak %in token=%t : tile<ptr<$T>> -> tile<$T>, token
%tj = join_tokens %tx, %ty, %ts : token
%x16 = reshape %x : tile<256x$T> -> tile<16x16x$T>
%y16 = reshape %y : tile<256x$T> -> tile<16x16x$T>
)";
/// The same from bytes.
const char *kPackedStart = R"(%in1 = reshape %in : tile<ptr<i8>> -> tile<1xptr<i8>>
%inb = broadcast %in1 : tile<1xptr<i8>> -> tile<128xptr<i8>>
%k1 = iota : tile<128xi32>
%p1 = offset %inb, %k1 : tile<128xptr<i8>>, tile<128xi32> -> tile<128xptr<i8>>
%c128 = constant <i32: 128> : tile<128xi32>
%p2 = offset %p1, %c128 : tile<128xptr<i8>>, tile<128xi32> -> tile<128xptr<i8>>
%xb, %tx = load_ptr_tko weak %p1 token=%t : tile<128xptr<i8>> -> tile<128xi8>, token
%yb, %ty = load_ptr_tko weak %p2 token=%t : tile<128xptr<i8>> -> tile<128xi8>, token
%tj = join_tokens %tx, %ty : token
%x = unpack %xb : tile<128xi8> -> tile<256x$T>
%y = unpack %yb : tile<128xi8> -> tile<256x$T>
%x16 = reshape %x : tile<256x$T> -> tile<16x16x$T>
%y16 = reshape %y : tile<256x$T> -> tile<16x16x$T>
)";
const char *kPackedScalar = R"(%s1 = extract %x[%c0] : tile<256x$T> -> tile<1x$T>
%s = reshape %s1 : tile<1x$T> -> tile<$T>
)";

class Table {
public:
  Table() : context(mlir::MLIRContext::Threading::DISABLED) {
    context.loadDialect<cuda_tile::CudaTileDialect>();
    engines = llvm::cantFail(createEngines("reference,emulator"));
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &text) {
    mlir::ScopedDiagnosticHandler quiet(&context, [&](mlir::Diagnostic &diagnostic) {
      message = diagnostic.str();
      return mlir::success();
    });
    return mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  }

  /// The kernel that applies `rows` to one type; row i writes buffer 2 + i, in and out pairwise, so
  /// that rows which write their input do not meet.
  std::string makeText(const Type &type, llvm::ArrayRef<const Row *> rows) const {
    std::string arguments, body, t = type.name;
    for (auto [i, row] : llvm::enumerate(rows)) {
      std::string n = std::to_string(i), out = replaceAll(row->result, "$T", t);
      arguments += (i ? ", %in" : "%in") + n + ": tile<ptr<" + (isPacked(t) ? "i8" : t) +
                   ">>, %out" + n + ": tile<ptr<" + (isPacked(out) ? "i8" : out) + ">>";
      std::string text = R"(%c0 = constant <i32: 0> : tile<i32>
%c1 = constant <i32: 1> : tile<i32>
%k = iota : tile<256xi32>
%half = constant <i32: 99> : tile<256xi32>
%b = cmpi less_than %k, %half, signed : tile<256xi32> -> tile<256xi1>
%t = make_token : token
)" + std::string(isPacked(t) ? kPackedStart : kStart) +
                         replaceAll(replaceAll(row->body, "token=%t ", "token=%tj "), "token = %t ",
                                    "token = %tj ");
      if (isPacked(t)) {
        std::string cast = "%inT = ptr_to_ptr %in : tile<ptr<i8>> -> tile<ptr<$T>>\n";
        if (llvm::StringRef(row->body).contains("make_tensor_view"))
          text =
              replaceAll(text, "%v = make_tensor_view %in,", cast + "%v = make_tensor_view %inT,");
        if (llvm::StringRef(row->body).contains("%s "))
          text = replaceAll(text, row->body, kPackedScalar + row->body);
      }
      // Half bytes are neither loaded nor stored: their tiles are packed.
      std::string result = "%res";
      unsigned count = row->count;
      if (isPacked(out)) {
        text += "\n%packed = pack %res : " + tileOf(count, out) + " -> " + tileOf(count / 2, "i8");
        result = "%packed";
        count /= 2;
        out = "i8";
      }
      // i1 is {0, -1} when signed: only 0 / -1 is defined, and 0 and 1 / 1 when unsigned.
      if (t == "i1" && llvm::StringRef(row->name).contains(" ") &&
          (llvm::StringRef(row->name).starts_with("divi") ||
           llvm::StringRef(row->name).starts_with("remi"))) {
        text = replaceAll(text, "%res = ",
                          "%ones = constant <i1: true> : tile<256xi1>\n%zeros = "
                          "constant <i1: false> : tile<256xi1>\n%res = ");
        text = replaceAll(text, "i %x, %y signed", "i %zeros, %ones signed");
        text = replaceAll(text, "i %x, %y unsigned", "i %x, %ones unsigned");
      }
      std::string shaped = tileOf(count, out), pointers = tileOf(count, "ptr<" + out + ">");
      text += "\n";
      if (count == 1) {
        text += "%te = store_ptr_tko weak %out, " + result + " : tile<ptr<" + out + ">>, " +
                shaped + " -> token\n";
      } else {
        std::string c = std::to_string(count);
        text += "%out1 = reshape %out : tile<ptr<" + out + ">> -> tile<1xptr<" + out +
                ">>\n%outb = broadcast %out1 : tile<1xptr<" + out + ">> -> " + pointers +
                "\n%oi = iota : tile<" + c + "xi32>\n%op = offset %outb, %oi : " + pointers +
                ", tile<" + c + "xi32> -> " + pointers + "\n%te = store_ptr_tko weak %op, " +
                result + " : " + pointers + ", " + shaped + " -> token\n";
      }
      text = replaceAll(replaceAll(text, "$T", t), "$1", type.one);
      text = replaceAll(text, "$B", std::to_string(256 * bitsOf(type) / 8));
      // Names of this row.
      std::string renamed;
      for (char c : text)
        renamed += c == '%' ? "%\x01" : std::string(1, c);
      body += replaceAll(renamed, "\x01", "r" + n + "_");
      for (const char *name : {"in", "out"}) {
        body = replaceAll(body, "%r" + n + "_" + name + " ", std::string("%") + name + n + " ");
        body = replaceAll(body, "%r" + n + "_" + name + ",", std::string("%") + name + n + ",");
      }
      body = replaceAll(body, "\"%r" + n + "_d %r" + n + "_d\\n\"", "\"%d %d\\n\"");
    }
    std::string table = "global @table alignment = 16 <" + t + ": [" + type.one + ", " + type.one +
                        ", " + type.one + ", " + type.one + "]> : tile<4x" + t + ">\n";
    return "cuda_tile.module @m {\n" + (body.find("@table") == std::string::npos ? "" : table) +
           "entry @kernel(" + arguments + ") {\n" + body + "return\n}\n}\n";
  }

  testcase::TestCase makeCase(const Type &type, llvm::ArrayRef<const Row *> rows,
                              mlir::ModuleOp module) const {
    std::string bytes;
    llvm::raw_string_ostream stream(bytes);
    llvm::cantFail(
        bytecode::writeBytecode(*module.getOps<cuda_tile::ModuleOp>().begin(), stream, {13, 5, 0}));
    testcase::TestCase result;
    result.name = type.name;
    testcase::Launch &launch = result.launches.emplace_back();
    launch.kernel = "kernel";
    launch.modules.push_back({"13.5", "m.tileirbc", testcase::Bytes(bytes.begin(), bytes.end())});
    for (const Row *row : rows) {
      const Type *out = findType(replaceAll(row->result, "$T", type.name));
      for (const Type *t : {&type, out}) {
        testcase::Buffer &buffer = result.buffers.emplace_back();
        buffer.dtype = t->data;
        buffer.shape = {512};
        buffer.strides = {1};
        buffer.compare.mode = testcase::Comparison::Mode::Enclosure; // no stored expectation
        for (unsigned i = 0; i < 512; ++i)
          append(buffer.data, *t, i);
        launch.params.push_back(testcase::Parameter::pointer(result.buffers.size() - 1, t->data));
      }
    }
    for (const Row *row : rows)
      if (llvm::StringRef(row->body).contains("print_tko"))
        result.standardOutput = "16 2\n";
    return result;
  }

  /// Small numbers, positive and without 0, so that every op is defined on them.
  static void append(testcase::Bytes &bytes, const Type &type, unsigned i) {
    unsigned number = 1 + i * 7 % 5;
    uint64_t bits = number;
    if (!type.element)
      bits = 0x22;
    else if (*type.element == E::I1)
      bits = number & 1;
    else if (reference::isFloat(*type.element))
      bits = reference::encode(*type.element, *type.element == E::F8E8M0FNU
                                                  ? static_cast<double>(1u << number)
                                                  : 0.5 * number);
    unsigned size = type.element ? reference::bytesOf(*type.element) : 1;
    for (unsigned k = 0; k < size; ++k)
      bytes.push_back(static_cast<uint8_t>(bits >> (8 * k)));
  }

  /// Empty when all agree.
  std::string judge(const Type &type, llvm::ArrayRef<const Row *> rows, unsigned level) {
    auto module = parse(makeText(type, rows));
    if (!module)
      return "does not verify: " + message;
    DifferentialOptions options;
    options.engine.compile.optLevel = level;
    options.engine.compile.gpuName = "sm_100";
    options.compareWithSelf = false;
    ModuleReport report = judgeModule(makeCase(type, rows, *module), "13.5", engines, options);
    if (!report.verdict.isAgree())
      return report.verdict.str();
    module->walk([&](mlir::Operation *op) {
      if (op->getName().getDialectNamespace() == "cuda_tile")
        seen.insert(op->getName().stripDialect().str());
    });
    return "";
  }

  mlir::MLIRContext context;
  std::vector<std::unique_ptr<Engine>> engines;
  std::string message;
  std::set<std::string> seen; ///< ops in kernels that agree
};

TEST(Completeness, EveryOpTypeAndLevelAgrees) {
  std::vector<Row> rows = makeRows();
  std::vector<unsigned> levels = {0, 3};
  if (std::getenv("TILESMITH_ALL_LEVELS"))
    levels = {0, 1, 2, 3};
  Table table;
  std::map<std::string, std::map<std::string, std::string>> cells;
  unsigned executed = 0, refused = 0;
  for (const Type &type : kTypes) {
    std::vector<const Row *> valid;
    for (const Row &row : rows) {
      const Row *one[] = {&row};
      if (findType(replaceAll(row.result, "$T", type.name)) &&
          table.parse(table.makeText(type, one)))
        valid.push_back(&row);
      else if (++refused; std::getenv("TILESMITH_SHOW_REFUSED"))
        std::fprintf(stderr, "%s on %s: %s\n", row.name.c_str(), type.name, table.message.c_str());
    }
    for (size_t first = 0; first < valid.size(); first += 12) {
      llvm::ArrayRef<const Row *> group =
          llvm::ArrayRef(valid).slice(first, std::min<size_t>(12, valid.size() - first));
      for (unsigned level : levels) {
        bool all = table.judge(type, group, level).empty();
        for (const Row *row : group) {
          std::string verdict = all ? "" : table.judge(type, row, level);
          EXPECT_EQ(verdict, "") << row->name << " on " << type.name << " at -O" << level;
          cells[row->name][type.name] += verdict.empty() ? std::to_string(level) : "!";
          ++executed;
        }
      }
    }
  }

  std::string text = llvm::formatv("{0,-22}", "op").str();
  llvm::raw_string_ostream out(text);
  for (const Type &type : kTypes)
    out << llvm::formatv(" {0,-9}", type.name);
  for (const Row &row : rows) {
    out << "\n" << llvm::formatv("{0,-22}", row.name);
    for (const Type &type : kTypes) {
      auto &cell = cells[row.name];
      out << llvm::formatv(" {0,-9}", cell.count(type.name) ? cell[type.name] : "-");
    }
    EXPECT_FALSE(cells[row.name].empty()) << row.name << " is valid for no type";
  }
  out << "\n";
  for (mlir::RegisteredOperationName name :
       table.context.getRegisteredOperationsByDialect("cuda_tile")) {
    std::string op = name.stripDialect().str();
    auto reason = kReasons.find(op);
    if (reason != kReasons.end())
      out << llvm::formatv("{0,-30} {1}\n", op, reason->second);
    EXPECT_EQ(table.seen.count(op) + (reason != kReasons.end()), 1u) << op;
  }
  out << executed << " cells agree with the reference or are named above, " << refused
      << " forms are refused by the verifier\n";
  std::fputs(text.c_str(), stderr);
  if (const char *path = std::getenv("TILESMITH_TABLE")) {
    std::error_code error;
    llvm::raw_fd_ostream file(path, error);
    file << text;
  }
}

} // namespace
