//===- OpForms.h - forms of ops, each with the element types that its verifier accepts --------===//
//
// The rows of CompletenessTest. A body uses %x and %y (256 elements of $T; also as %x16, %y16:
// 16x16), %s (a scalar of $T), %p (256 pointers), %in, %c0, %c1, %k (i32 tile), %b (i1 tile), %t (a
// token), and defines %res; $V is tile<256x$T>, $1 the literal 1, $B the bytes of 256 elements.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DIFFERENTIAL_OPFORMS_H
#define ORACLES_DIFFERENTIAL_OPFORMS_H

namespace tilesmith::oracles {

struct OpForm {
  const char *name;
  const char *types; ///< element types for which the form is valid; the verifier refuses the others
  const char *body;
  const char *result = "$T"; ///< element type of %res
  unsigned count = 256;      ///< its elements
};

inline constexpr char kFloats[] = "f16 bf16 f32 f64";
inline constexpr char kIntegers[] = "i1 i8 i16 i32 i64";
inline constexpr char kAnyFloat[] = "f16 bf16 tf32 f32 f64 f8E4M3FN f8E5M2 f8E8M0FNU f4E2M1FN";
inline constexpr char kWholeBytes[] =
    "i1 i8 i16 i32 i64 f16 bf16 tf32 f32 f64 f8E4M3FN f8E5M2 f8E8M0FNU";
inline constexpr char kAnyButI4[] =
    "i1 i8 i16 i32 i64 f16 bf16 tf32 f32 f64 f8E4M3FN f8E5M2 f8E8M0FNU f4E2M1FN";
inline constexpr char kAny[] =
    "i1 i8 i16 i32 i64 f16 bf16 tf32 f32 f64 f8E4M3FN f8E5M2 f8E8M0FNU f4E2M1FN i4";

// clang-format off
inline constexpr OpForm kOpForms[] = {
    {"absf", kFloats, "%res = absf %x : $V"},
    {"absi", kIntegers, "%res = absi %x : $V"},
    {"ceil", kFloats, "%res = ceil %x : $V"},
    {"floor", kFloats, "%res = floor %x : $V"},
    {"cos", kFloats, "%res = cos %x : $V"},
    {"sin", kFloats, "%res = sin %x : $V"},
    {"tan", kFloats, "%res = tan %x : $V"},
    {"cosh", kFloats, "%res = cosh %x : $V"},
    {"sinh", kFloats, "%res = sinh %x : $V"},
    {"tanh", kFloats, "%res = tanh %x : $V"},
    {"exp", kFloats, "%res = exp %x : $V"},
    {"exp2", kFloats, "%res = exp2 %x : $V"},
    {"log", kFloats, "%res = log %x : $V"},
    {"log2", kFloats, "%res = log2 %x : $V"},
    {"sqrt", kFloats, "%res = sqrt %x : $V"},
    {"rsqrt", kFloats, "%res = rsqrt %x : $V"},
    {"negf", kFloats, "%res = negf %x : $V"},
    {"negi", kIntegers, "%res = negi %x : $V"},
    {"addf", kFloats, "%res = addf %x, %y : $V"},
    {"subf", kFloats, "%res = subf %x, %y : $V"},
    {"mulf", kFloats, "%res = mulf %x, %y : $V"},
    {"divf", kFloats, "%res = divf %x, %y : $V"},
    {"remf", kFloats, "%res = remf %x, %y : $V"},
    {"maxf", kFloats, "%res = maxf %x, %y : $V"},
    {"minf", kFloats, "%res = minf %x, %y : $V"},
    {"pow", kFloats, "%res = pow %x, %y : $V"},
    {"atan2", kFloats, "%res = atan2 %x, %y : $V"},
    {"addi", kIntegers, "%res = addi %x, %y : $V"},
    {"subi", kIntegers, "%res = subi %x, %y : $V"},
    {"muli", kIntegers, "%res = muli %x, %y : $V"},
    {"mulhii", kIntegers, "%res = mulhii %x, %y : $V"},
    {"shli", kIntegers, "%res = shli %x, %y : $V"},
    {"andi", kIntegers, "%res = andi %x, %y : $V"},
    {"ori", kIntegers, "%res = ori %x, %y : $V"},
    {"xori", kIntegers, "%res = xori %x, %y : $V"},
    {"maxf nan", kFloats, "%res = maxf %x, %y propagate_nan : $V"},
    {"minf nan", kFloats, "%res = minf %x, %y propagate_nan : $V"},
    {"divi signed", kIntegers, "%res = divi %x, %y signed : $V"},
    {"remi signed", kIntegers, "%res = remi %x, %y signed : $V"},
    {"maxi signed", kIntegers, "%res = maxi %x, %y signed : $V"},
    {"mini signed", kIntegers, "%res = mini %x, %y signed : $V"},
    {"shri signed", kIntegers, "%res = shri %x, %y signed : $V"},
    {"divi unsigned", kIntegers, "%res = divi %x, %y unsigned : $V"},
    {"remi unsigned", kIntegers, "%res = remi %x, %y unsigned : $V"},
    {"maxi unsigned", kIntegers, "%res = maxi %x, %y unsigned : $V"},
    {"mini unsigned", kIntegers, "%res = mini %x, %y unsigned : $V"},
    {"shri unsigned", kIntegers, "%res = shri %x, %y unsigned : $V"},
    {"fma", kFloats, "%res = fma %x, %y, %x : $V"},
    {"fpowi", kFloats, "%res = fpowi %x, %k : $V, tile<256xi32>"},
    {"cmpf equal", kFloats, "%res = cmpf equal ordered %x, %y : $V -> tile<256xi1>", "i1"},
    {"cmpi equal", kIntegers, "%res = cmpi equal %x, %y, signed : $V -> tile<256xi1>", "i1"},
    {"cmpf less_than", kFloats, "%res = cmpf less_than ordered %x, %y : $V -> tile<256xi1>", "i1"},
    {"cmpi less_than", kIntegers, "%res = cmpi less_than %x, %y, signed : $V -> tile<256xi1>", "i1"},
    {"select", "i1 i8 i16 i32 i64 f16 bf16 tf32 f32 f64 f8E4M3FN f8E5M2 f8E8M0FNU i4",
     "%res = select %b, %x, %y : tile<256xi1>, $V"},
    {"ftof f8E8M0FNU", "f16 bf16 tf32 f32 f64 f8E4M3FN f8E5M2 f4E2M1FN",
     "%res = ftof %x rounding<zero> : $V -> tile<256xf8E8M0FNU>", "f8E8M0FNU"},
    {"ftof f16", "bf16 tf32 f32 f64 f8E4M3FN f8E5M2 f8E8M0FNU f4E2M1FN", "%res = ftof %x : $V -> tile<256xf16>", "f16"},
    {"itof f16", kIntegers, "%res = itof %x signed : $V -> tile<256xf16>", "f16"},
    {"ftof bf16", "f16 tf32 f32 f64 f8E4M3FN f8E5M2 f8E8M0FNU f4E2M1FN",
     "%res = ftof %x : $V -> tile<256xbf16>", "bf16"},
    {"itof bf16", kIntegers, "%res = itof %x signed : $V -> tile<256xbf16>", "bf16"},
    {"ftof tf32", "f16 bf16 f32 f64 f8E4M3FN f8E5M2 f8E8M0FNU f4E2M1FN",
     "%res = ftof %x : $V -> tile<256xtf32>", "tf32"},
    {"itof tf32", kIntegers, "%res = itof %x signed : $V -> tile<256xtf32>", "tf32"},
    {"ftof f32", "f16 bf16 tf32 f64 f8E4M3FN f8E5M2 f8E8M0FNU f4E2M1FN", "%res = ftof %x : $V -> tile<256xf32>", "f32"},
    {"itof f32", kIntegers, "%res = itof %x signed : $V -> tile<256xf32>", "f32"},
    {"ftof f64", "f16 bf16 tf32 f32 f8E4M3FN f8E5M2 f8E8M0FNU f4E2M1FN", "%res = ftof %x : $V -> tile<256xf64>", "f64"},
    {"itof f64", kIntegers, "%res = itof %x signed : $V -> tile<256xf64>", "f64"},
    {"ftof f8E4M3FN", "f16 bf16 tf32 f32 f64 f8E5M2 f8E8M0FNU f4E2M1FN",
     "%res = ftof %x : $V -> tile<256xf8E4M3FN>", "f8E4M3FN"},
    {"itof f8E4M3FN", kIntegers, "%res = itof %x signed : $V -> tile<256xf8E4M3FN>", "f8E4M3FN"},
    {"ftof f8E5M2", "f16 bf16 tf32 f32 f64 f8E4M3FN f8E8M0FNU f4E2M1FN",
     "%res = ftof %x : $V -> tile<256xf8E5M2>", "f8E5M2"},
    {"itof f8E5M2", kIntegers, "%res = itof %x signed : $V -> tile<256xf8E5M2>", "f8E5M2"},
    {"ftof f4E2M1FN", "f16 bf16 tf32 f32 f64 f8E4M3FN f8E5M2 f8E8M0FNU",
     "%res = ftof %x : $V -> tile<256xf4E2M1FN>", "f4E2M1FN"},
    {"itof f4E2M1FN", kIntegers, "%res = itof %x signed : $V -> tile<256xf4E2M1FN>", "f4E2M1FN"},
    {"ftoi i1", kAnyFloat, "%res = ftoi %x signed : $V -> tile<256xi1>", "i1"},
    {"trunci i1", "i8 i16 i32 i64 i4", "%res = trunci %x : $V -> tile<256xi1>", "i1"},
    {"bitcast i1", "i1", "%res = bitcast %x : $V -> tile<256xi1>", "i1"},
    {"exti i4", "i1", "%res = exti %x unsigned : $V -> tile<256xi4>", "i4"},
    {"trunci i4", "i8 i16 i32 i64", "%res = trunci %x : $V -> tile<256xi4>", "i4"},
    {"ftoi i8", kAnyFloat, "%res = ftoi %x signed : $V -> tile<256xi8>", "i8"},
    {"exti i8", "i1 i4", "%res = exti %x unsigned : $V -> tile<256xi8>", "i8"},
    {"trunci i8", "i16 i32 i64", "%res = trunci %x : $V -> tile<256xi8>", "i8"},
    {"bitcast i8", "i8 f8E4M3FN f8E5M2 f8E8M0FNU", "%res = bitcast %x : $V -> tile<256xi8>", "i8"},
    {"ftoi i16", kAnyFloat, "%res = ftoi %x signed : $V -> tile<256xi16>", "i16"},
    {"exti i16", "i1 i8 i4", "%res = exti %x unsigned : $V -> tile<256xi16>", "i16"},
    {"trunci i16", "i32 i64", "%res = trunci %x : $V -> tile<256xi16>", "i16"},
    {"bitcast i16", "i16 f16 bf16", "%res = bitcast %x : $V -> tile<256xi16>", "i16"},
    {"ftoi i32", kAnyFloat, "%res = ftoi %x signed : $V -> tile<256xi32>", "i32"},
    {"exti i32", "i1 i8 i16 i4", "%res = exti %x unsigned : $V -> tile<256xi32>", "i32"},
    {"trunci i32", "i64", "%res = trunci %x : $V -> tile<256xi32>", "i32"},
    {"bitcast i32", "i32 f32", "%res = bitcast %x : $V -> tile<256xi32>", "i32"},
    {"ftoi i64", kAnyFloat, "%res = ftoi %x signed : $V -> tile<256xi64>", "i64"},
    {"exti i64", "i1 i8 i16 i32 i4", "%res = exti %x unsigned : $V -> tile<256xi64>", "i64"},
    {"bitcast i64", "i64 f64", "%res = bitcast %x : $V -> tile<256xi64>", "i64"},
    {"iota", "i8 i16 i32 i64", "%res = iota : $V"},
    {"constant", kAnyButI4, "%res = constant <$T: $1> : $V"},
    {"reshape permute", kAny,
R"(%1 = permute %x16 [1, 0] : tile<16x16x$T> -> tile<16x16x$T>
%res = reshape %1 : tile<16x16x$T> -> $V)"},
    {"broadcast", "i1 i8 i16 i32 i64 f16 bf16 tf32 f32 f64 f8E4M3FN f8E5M2 f8E8M0FNU i4",
R"(%1 = reshape %s : tile<$T> -> tile<1x$T>
%res = broadcast %1 : tile<1x$T> -> $V)"},
    {"cat extract", kAny,
R"(%1 = cat %x, %y dim = 0 : $V, $V -> tile<512x$T>
%res = extract %1[%c1] : tile<512x$T> -> $V)"},
    {"insert", kAny,
R"(%1 = extract %x[%c1] : $V -> tile<64x$T>
%res = insert %1, %y[%c0] : tile<64x$T>, $V)"},
    {"pack unpack i8", "i1 i16 i32 i64 f16 bf16 tf32 f32 f64 f4E2M1FN i4",
R"(%1 = pack %x : $V -> tile<$Bxi8>
%res = unpack %1 : tile<$Bxi8> -> $V)"},
    {"reduce addf", kFloats,
R"(%res = reduce %x16 dim=1 identities=[$1 : $T] : tile<16x16x$T> -> tile<16x$T>
(%q0: tile<$T>, %q1: tile<$T>) {
%q2 = addf %q0, %q1 : tile<$T>
yield %q2 : tile<$T>
})", "$T", 16},
    {"reduce maxf", kFloats,
R"(%res = reduce %x16 dim=1 identities=[$1 : $T] : tile<16x16x$T> -> tile<16x$T>
(%q0: tile<$T>, %q1: tile<$T>) {
%q2 = maxf %q0, %q1 : tile<$T>
yield %q2 : tile<$T>
})", "$T", 16},
    {"reduce mulf", kFloats,
R"(%res = reduce %x16 dim=1 identities=[$1 : $T] : tile<16x16x$T> -> tile<16x$T>
(%q0: tile<$T>, %q1: tile<$T>) {
%q2 = mulf %q0, %q1 : tile<$T>
yield %q2 : tile<$T>
})", "$T", 16},
    {"reduce addi", "i8 i16 i32 i64",
R"(%res = reduce %x16 dim=0 identities=[$1 : $T] : tile<16x16x$T> -> tile<16x$T>
(%q0: tile<$T>, %q1: tile<$T>) {
%q2 = addi %q0, %q1 : tile<$T>
yield %q2 : tile<$T>
})", "$T", 16},
    {"scan addi", "i8 i16 i32 i64",
R"(%1 = scan %x16 dim=1 reverse=false identities=[$1 : $T] : tile<16x16x$T> -> tile<16x16x$T>
(%q0: tile<$T>, %q1: tile<$T>) {
%q2 = addi %q0, %q1 : tile<$T>
yield %q2 : tile<$T>
}
%res = reshape %1 : tile<16x16x$T> -> $V)"},
    {"reduce andi", "i8 i16 i32 i64",
R"(%res = reduce %x16 dim=0 identities=[$1 : $T] : tile<16x16x$T> -> tile<16x$T>
(%q0: tile<$T>, %q1: tile<$T>) {
%q2 = andi %q0, %q1 : tile<$T>
yield %q2 : tile<$T>
})", "$T", 16},
    {"scan andi", "i8 i16 i32 i64",
R"(%1 = scan %x16 dim=1 reverse=false identities=[$1 : $T] : tile<16x16x$T> -> tile<16x16x$T>
(%q0: tile<$T>, %q1: tile<$T>) {
%q2 = andi %q0, %q1 : tile<$T>
yield %q2 : tile<$T>
}
%res = reshape %1 : tile<16x16x$T> -> $V)"},
    {"scan addf", kFloats,
R"(%1 = scan %x16 dim=0 reverse=true identities=[0.0 : $T] : tile<16x16x$T> -> tile<16x16x$T>
(%q0: tile<$T>, %q1: tile<$T>) {
%q2 = addf %q0, %q1 : tile<$T>
yield %q2 : tile<$T>
}
%res = reshape %1 : tile<16x16x$T> -> $V)"},
    {"mmaf f16", "f16 f8E4M3FN f8E5M2",
R"(%a = constant <f16: 2.0> : tile<16x16xf16>
%1 = mmaf %x16, %y16, %a : tile<16x16x$T>, tile<16x16x$T>, tile<16x16xf16>
%res = reshape %1 : tile<16x16xf16> -> tile<256xf16>)", "f16"},
    {"mmaf f32", "f16 bf16 tf32 f32 f8E4M3FN f8E5M2",
R"(%a = constant <f32: 2.0> : tile<16x16xf32>
%1 = mmaf %x16, %y16, %a : tile<16x16x$T>, tile<16x16x$T>, tile<16x16xf32>
%res = reshape %1 : tile<16x16xf32> -> tile<256xf32>)", "f32"},
    {"mmaf f64", "f64",
R"(%a = constant <f64: 2.0> : tile<16x16xf64>
%1 = mmaf %x16, %y16, %a : tile<16x16x$T>, tile<16x16x$T>, tile<16x16xf64>
%res = reshape %1 : tile<16x16xf64> -> tile<256xf64>)", "f64"},
    {"mmai signed", "i8",
R"(%a = constant <i32: 2> : tile<16x16xi32>
%1 = mmai %x16, %y16, %a signed signed : tile<16x16x$T>, tile<16x16x$T>, tile<16x16xi32>
%res = reshape %1 : tile<16x16xi32> -> tile<256xi32>)", "i32"},
    {"mmai unsigned", "i8",
R"(%a = constant <i32: 2> : tile<16x16xi32>
%1 = mmai %x16, %y16, %a unsigned unsigned : tile<16x16x$T>, tile<16x16x$T>, tile<16x16xi32>
%res = reshape %1 : tile<16x16xi32> -> tile<256xi32>)", "i32"},
    {"mmaf_scaled", "f8E4M3FN f8E5M2 f4E2M1FN",
R"(%1 = reshape %x : $V -> tile<4x64x$T>
%2 = reshape %y : $V -> tile<64x4x$T>
%a = constant <f32: 2.0> : tile<4x4xf32>
%u = constant <f8E8M0FNU: 2.0> : tile<4x2xf8E8M0FNU>
%w = constant <f8E8M0FNU: 2.0> : tile<2x4xf8E8M0FNU>
%3 = mmaf_scaled %1, %2, %a, %u, %w : tile<4x64x$T>, tile<64x4x$T>, tile<4x4xf32>, tile<4x2xf8E8M0FNU>, tile<2x4xf8E8M0FNU>
%res = reshape %3 : tile<4x4xf32> -> tile<16xf32>)", "f32", 16},
    {"load masked", kWholeBytes,
     "%res, %1 = load_ptr_tko weak %p, %b, %y token=%t : tile<256xptr<$T>>, tile<256xi1>, $V -> $V, token"},
    {"view load", kAnyButI4,
R"(%v = make_tensor_view %in, shape = [16, 16], strides = [16, 1] : tensor_view<16x16x$T, strides=[16,1]>
%w = make_partition_view %v : partition_view<tile=(4x8), tensor_view<16x16x$T, strides=[16,1]>>
%1, %2 = load_view_tko weak %w[%c1, %c0] token = %t : partition_view<tile=(4x8), tensor_view<16x16x$T, strides=[16,1]>>, tile<i32> -> tile<4x8x$T>, token
%res = reshape %1 : tile<4x8x$T> -> tile<32x$T>)", "$T", 32},
    {"view store", kWholeBytes,
R"(%v = make_tensor_view %in, shape = [16, 16], strides = [16, 1] : tensor_view<16x16x$T, strides=[16,1]>
%w = make_partition_view %v : partition_view<tile=(4x8), tensor_view<16x16x$T, strides=[16,1]>>
%1 = extract %y[%c0] : $V -> tile<32x$T>
%2 = reshape %1 : tile<32x$T> -> tile<4x8x$T>
%3 = store_view_tko weak %2, %w[%c1, %c0] token = %t : tile<4x8x$T>, partition_view<tile=(4x8), tensor_view<16x16x$T, strides=[16,1]>>, tile<i32> -> token
%res, %4 = load_ptr_tko weak %p token=%3 : tile<256xptr<$T>> -> $V, token)"},
    {"strided view", kAnyButI4,
R"(%v = make_tensor_view %in, shape = [16, 16], strides = [16, 1] : tensor_view<16x16x$T, strides=[16,1]>
%w = make_strided_view %v : strided_view<tile=(4x8), traversal_strides=[2,4], tensor_view<16x16x$T, strides=[16,1]>>
%1, %2 = load_view_tko weak %w[%c1, %c0] token = %t : strided_view<tile=(4x8), traversal_strides=[2,4], tensor_view<16x16x$T, strides=[16,1]>>, tile<i32> -> tile<4x8x$T>, token
%res = reshape %1 : tile<4x8x$T> -> tile<32x$T>)", "$T", 32},
    {"gather scatter view", kWholeBytes,
R"(%v = make_tensor_view %in, shape = [16, 16], strides = [16, 1] : tensor_view<16x16x$T, strides=[16,1]>
%w = make_gather_scatter_view %v : gather_scatter_view<tile=(4x8), tensor_view<16x16x$T, strides=[16,1]>, sparse_dim=0>
%g = iota : tile<4xi32>
%1, %2 = load_view_tko weak %w[%g, %c0] token = %t : gather_scatter_view<tile=(4x8), tensor_view<16x16x$T, strides=[16,1]>, sparse_dim=0>, tile<4xi32>, tile<i32> -> tile<4x8x$T>, token
%3 = store_view_tko weak %1, %w[%g, %c1] token = %2 : tile<4x8x$T>, gather_scatter_view<tile=(4x8), tensor_view<16x16x$T, strides=[16,1]>, sparse_dim=0>, tile<4xi32>, tile<i32> -> token
%res, %4 = load_ptr_tko weak %p token=%3 : tile<256xptr<$T>> -> $V, token)"},
    {"atomic_rmw add", "i32 i64",
R"(%1, %2 = atomic_rmw_tko relaxed device %p, add, %y token=%t : tile<256xptr<$T>>, $V -> $V, token
%res, %3 = load_ptr_tko weak %p token=%2 : tile<256xptr<$T>> -> $V, token)"},
    {"atomic_rmw and", "i32 i64",
R"(%1, %2 = atomic_rmw_tko relaxed device %p, and, %y token=%t : tile<256xptr<$T>>, $V -> $V, token
%res, %3 = load_ptr_tko weak %p token=%2 : tile<256xptr<$T>> -> $V, token)"},
    {"atomic_rmw or", "i32 i64",
R"(%1, %2 = atomic_rmw_tko relaxed device %p, or, %y token=%t : tile<256xptr<$T>>, $V -> $V, token
%res, %3 = load_ptr_tko weak %p token=%2 : tile<256xptr<$T>> -> $V, token)"},
    {"atomic_rmw xor", "i32 i64",
R"(%1, %2 = atomic_rmw_tko relaxed device %p, xor, %y token=%t : tile<256xptr<$T>>, $V -> $V, token
%res, %3 = load_ptr_tko weak %p token=%2 : tile<256xptr<$T>> -> $V, token)"},
    {"atomic_rmw xchg", "i32 i64 f32 f64",
R"(%1, %2 = atomic_rmw_tko relaxed device %p, xchg, %y token=%t : tile<256xptr<$T>>, $V -> $V, token
%res, %3 = load_ptr_tko weak %p token=%2 : tile<256xptr<$T>> -> $V, token)"},
    {"atomic_rmw max", "i32 i64",
R"(%1, %2 = atomic_rmw_tko relaxed device %p, max, %y token=%t : tile<256xptr<$T>>, $V -> $V, token
%res, %3 = load_ptr_tko weak %p token=%2 : tile<256xptr<$T>> -> $V, token)"},
    {"atomic_rmw min", "i32 i64",
R"(%1, %2 = atomic_rmw_tko relaxed device %p, min, %y token=%t : tile<256xptr<$T>>, $V -> $V, token
%res, %3 = load_ptr_tko weak %p token=%2 : tile<256xptr<$T>> -> $V, token)"},
    {"atomic_rmw umax", "i32 i64",
R"(%1, %2 = atomic_rmw_tko relaxed device %p, umax, %y token=%t : tile<256xptr<$T>>, $V -> $V, token
%res, %3 = load_ptr_tko weak %p token=%2 : tile<256xptr<$T>> -> $V, token)"},
    {"atomic_rmw umin", "i32 i64",
R"(%1, %2 = atomic_rmw_tko relaxed device %p, umin, %y token=%t : tile<256xptr<$T>>, $V -> $V, token
%res, %3 = load_ptr_tko weak %p token=%2 : tile<256xptr<$T>> -> $V, token)"},
    {"atomic_rmw addf", kFloats,
R"(%1, %2 = atomic_rmw_tko relaxed device %p, addf, %y token=%t : tile<256xptr<$T>>, $V -> $V, token
%res, %3 = load_ptr_tko weak %p token=%2 : tile<256xptr<$T>> -> $V, token)"},
    {"atomic_cas", "i32 i64 f32 f64",
R"(%1, %2 = atomic_cas_tko relaxed device %p, %x, %y token=%t : tile<256xptr<$T>>, $V -> $V, token
%res, %3 = load_ptr_tko weak %p token=%2 : tile<256xptr<$T>> -> $V, token)"},
    {"atomic_red view add", "i32 i64",
R"(%v = make_tensor_view %in, shape = [16, 16], strides = [16, 1] : tensor_view<16x16x$T, strides=[16,1]>
%w = make_partition_view %v : partition_view<tile=(4x8), tensor_view<16x16x$T, strides=[16,1]>>
%1 = extract %y[%c0] : $V -> tile<32x$T>
%2 = reshape %1 : tile<32x$T> -> tile<4x8x$T>
%3 = atomic_red_view_tko relaxed device %w[%c1, %c0], add, %2 token = %t : tile<4x8x$T>, partition_view<tile=(4x8), tensor_view<16x16x$T, strides=[16,1]>>, tile<i32> -> token
%res, %4 = load_ptr_tko weak %p token=%3 : tile<256xptr<$T>> -> $V, token)"},
    {"atomic_red view addf", kFloats,
R"(%v = make_tensor_view %in, shape = [16, 16], strides = [16, 1] : tensor_view<16x16x$T, strides=[16,1]>
%w = make_partition_view %v : partition_view<tile=(4x8), tensor_view<16x16x$T, strides=[16,1]>>
%1 = extract %y[%c0] : $V -> tile<32x$T>
%2 = reshape %1 : tile<32x$T> -> tile<4x8x$T>
%3 = atomic_red_view_tko relaxed device %w[%c1, %c0], addf, %2 token = %t : tile<4x8x$T>, partition_view<tile=(4x8), tensor_view<16x16x$T, strides=[16,1]>>, tile<i32> -> token
%res, %4 = load_ptr_tko weak %p token=%3 : tile<256xptr<$T>> -> $V, token)"},
    {"alloca", kWholeBytes,
R"(%m = alloca num_elem = 256, alignment = 16 : tile<ptr<$T>>
%m1 = reshape %m : tile<ptr<$T>> -> tile<1xptr<$T>>
%m2 = broadcast %m1 : tile<1xptr<$T>> -> tile<256xptr<$T>>
%m3 = offset %m2, %k : tile<256xptr<$T>>, tile<256xi32> -> tile<256xptr<$T>>
%1 = store_ptr_tko weak %m3, %y token=%t : tile<256xptr<$T>>, $V -> token
%res, %2 = load_ptr_tko weak %m3 token=%1 : tile<256xptr<$T>> -> $V, token)"},
    {"pointer casts", kWholeBytes,
R"(%1 = ptr_to_int %in : tile<ptr<$T>> -> tile<i64>
%2 = int_to_ptr %1 : tile<i64> -> tile<ptr<$T>>
%3 = ptr_to_ptr %2 : tile<ptr<$T>> -> tile<ptr<i8>>
%4 = ptr_to_ptr %3 : tile<ptr<i8>> -> tile<ptr<$T>>
%res, %5 = load_ptr_tko weak %4 token=%t : tile<ptr<$T>> -> tile<$T>, token)", "$T", 1},
    {"control flow", kAny,
R"(%lim = constant <i32: 3> : tile<i32>
%1 = for %iv in (%c0 to %lim, step %c1) : tile<i32> iter_values(%q0 = %x) -> ($V) {
%q1 = cmpi equal %iv, %c1, signed : tile<i32> -> tile<i1>
%q2 = if %q1 -> ($V) {
yield %y : $V
} else {
yield %q0 : $V
}
continue %q2 : $V
}
%res = loop iter_values(%q3 = %c0, %q4 = %1) : tile<i32>, $V -> $V {
%q5 = cmpi equal %q3, %c1, signed : tile<i32> -> tile<i1>
if %q5 {
break %q4 : $V
}
%q6 = addi %q3, %c1 : tile<i32>
continue %q6, %x : tile<i32>, $V
})"},
    {"grid, tokens, facts", kWholeBytes,
R"(%g0, %g1, %g2 = get_tile_block_id : tile<i32>
%h0, %h1, %h2 = get_num_tile_blocks : tile<i32>
%1 = assume bounded<0, ?>, %g0 : tile<i32>
%2 = cmpi less_than %1, %h0, signed : tile<i32> -> tile<i1>
assert %2, "block inside the grid" : tile<i1>
%3 = make_token : token
%4 = join_tokens %3, %t : token
%v = make_tensor_view %in, shape = [16, 16], strides = [16, 1] : tensor_view<16x16x$T, strides=[16,1]>
%w = make_partition_view %v : partition_view<tile=(4x8), tensor_view<16x16x$T, strides=[16,1]>>
%d:2 = get_tensor_shape %v : tensor_view<16x16x$T, strides=[16,1]> -> tile<i32>
%e:2 = get_index_space_shape %w : partition_view<tile=(4x8), tensor_view<16x16x$T, strides=[16,1]>> -> tile<i32>
%5 = print_tko "%d %d\n", %d#0, %e#1 token = %4 : tile<i32>, tile<i32> -> token
%res, %6 = load_ptr_tko weak %p token=%5 : tile<256xptr<$T>> -> $V, token)"},
    {"global", kWholeBytes,
R"(%1 = get_global @table : tile<ptr<$T>>
%2 = reshape %1 : tile<ptr<$T>> -> tile<1xptr<$T>>
%3 = broadcast %2 : tile<1xptr<$T>> -> tile<4xptr<$T>>
%4 = iota : tile<4xi32>
%5 = offset %3, %4 : tile<4xptr<$T>>, tile<4xi32> -> tile<4xptr<$T>>
%res, %6 = load_ptr_tko weak %5 token=%t : tile<4xptr<$T>> -> tile<4x$T>, token)", "$T", 4},
};
// clang-format on

} // namespace tilesmith::oracles

#endif // ORACLES_DIFFERENTIAL_OPFORMS_H
