//===- CoverageTable.cpp - what there is to cover ---------------------------------------------===//
//
// Typed in from the language's tables of types and attributes; CoverageTest asks the verifier
// whether an op takes an element type that stands in no row, and the other way round.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/program/Coverage.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace tilesmith::generators;

// Types of arithmetic, of storage, and all that a tile of numbers can have.
#define INTS "i1 i8 i16 i32 i64 "
#define FLOATS "f16 bf16 f32 f64 "
#define BYTES "f8E4M3FN f8E5M2 "
#define NUMBERS INTS FLOATS "tf32 " BYTES "f8E8M0FNU "
#define ALL NUMBERS "i4 f4E2M1FN "

static constexpr const char *kMulticast =
    "needs multicast memory of several devices, which neither "
    "engine has";

static constexpr OpRow kOps[] = {
    {"absf", FLOATS},
    {"absi", INTS},
    {"addf", FLOATS},
    {"addi", INTS},
    {"alloca", ALL},
    {"andi", INTS},
    {"assert", "i1"},
    {"assume", ALL},
    {"atan2", FLOATS},
    {"atomic_cas_tko", "i1 i32 i64 f32 f64"},
    {"atomic_red_view_tko", "i1 i8 i16 i32 i64 f16 bf16 f32 f64"},
    {"atomic_rmw_tko", "i1 i32 i64 f16 bf16 f32 f64"},
    {"bitcast", "i8 i16 i32 i64 " FLOATS BYTES "f8E8M0FNU "},
    {"break", ALL},
    {"broadcast", ALL},
    {"cat", ALL},
    {"ceil", FLOATS},
    {"cmpf", "i1 " FLOATS},
    {"cmpi", INTS},
    {"constant", NUMBERS "f4E2M1FN"},
    {"continue", ALL},
    {"cos", FLOATS},
    {"cosh", FLOATS},
    {"divf", FLOATS},
    {"divi", INTS},
    {"entry", ""},
    {"exp", FLOATS},
    {"exp2", FLOATS},
    {"exti", INTS "i4"},
    {"extract", ALL},
    {"floor", FLOATS},
    {"fma", FLOATS},
    {"for", ALL},
    {"fpowi", "i1 i8 i16 i32 " FLOATS},
    {"ftof", FLOATS "tf32 " BYTES "f8E8M0FNU f4E2M1FN"},
    {"ftoi", NUMBERS "f4E2M1FN"},
    {"gdc_launch_dependents_tko", ""},
    {"gdc_wait_tko", ""},
    {"get_global", NUMBERS "f4E2M1FN"},
    {"get_index_space_shape", "i1 i8 i16 i32 i64"},
    {"get_num_tile_blocks", "i32"},
    {"get_tensor_shape", "i1 i8 i16 i32 i64"},
    {"get_tile_block_id", "i32"},
    {"global", NUMBERS "f4E2M1FN"},
    {"if", ALL},
    {"insert", ALL},
    {"int_to_ptr", ALL},
    {"iota", INTS},
    {"itof", INTS FLOATS "tf32 " BYTES "f4E2M1FN"},
    {"join_tokens", ""},
    {"load_ptr_tko", NUMBERS},
    {"load_view_tko", ALL},
    {"log", FLOATS},
    {"log2", FLOATS},
    {"loop", ALL},
    {"make_gather_scatter_view", ""},
    {"make_partition_view", ""},
    {"make_strided_view", ""},
    {"make_tensor_view", ALL},
    {"make_token", ""},
    {"maxf", FLOATS},
    {"maxi", INTS},
    {"memory_fence_alias_tko", ""},
    {"minf", FLOATS},
    {"mini", INTS},
    {"mmaf", FLOATS "tf32 " BYTES},
    {"mmaf_scaled", "f32 " BYTES "f4E2M1FN f8E8M0FNU"},
    {"mmai", "i8 i32"},
    {"module", ""},
    {"mulf", FLOATS},
    {"mulhii", INTS},
    {"muli", INTS},
    {"multimem_load_reduce_view_tko", "", kMulticast},
    {"multimem_reduce_view_tko", "", kMulticast},
    {"multimem_store_view_tko", "", kMulticast},
    {"negf", FLOATS},
    {"negi", INTS},
    {"offset", ALL},
    {"ori", INTS},
    {"pack", INTS "i4 " FLOATS "tf32 f4E2M1FN"},
    {"permute", ALL},
    {"pow", FLOATS},
    {"print", "", "a file holds print_tko, which is read as such"},
    {"print_tko", ALL},
    {"ptr_to_int", ALL},
    {"ptr_to_ptr", ALL},
    {"reduce", INTS FLOATS},
    {"remf", FLOATS},
    {"remi", INTS},
    {"reshape", ALL},
    {"return", ""},
    {"rsqrt", FLOATS},
    {"scan", INTS FLOATS},
    {"select", NUMBERS "i4 f4E2M1FN"},
    {"shli", INTS},
    {"shri", INTS},
    {"sin", FLOATS},
    {"sinh", FLOATS},
    {"sqrt", FLOATS},
    {"store_ptr_tko", NUMBERS},
    {"store_view_tko", ALL},
    {"subf", FLOATS},
    {"subi", INTS},
    {"tan", FLOATS},
    {"tanh", FLOATS},
    {"trunci", INTS "i4"},
    {"unpack", INTS "i4 " FLOATS "tf32 f4E2M1FN"},
    {"xori", INTS},
    {"yield", ALL},
};

const OpRow *tilesmith::generators::findOpRow(llvm::StringRef op) {
  for (const OpRow &row : kOps)
    if (op == row.op)
      return &row;
  return nullptr;
}

namespace {

struct AttributeRow {
  const char *ops; ///< space-separated; empty: all others
  const char *attributes;
  const char *values;
};

// The first row that fits counts.
constexpr AttributeRow kAttributes[] = {
    {"divf", "rounding_mode", "nearest_even zero negative_inf positive_inf approx full"},
    {"divi", "rounding", "zero negative_inf positive_inf"},
    {"sqrt", "rounding_mode", "nearest_even zero negative_inf positive_inf approx"},
    {"exp tanh", "rounding_mode", "approx full"},
    {"ftof", "rounding_mode", "nearest_even zero negative_inf positive_inf nearest_away"},
    {"ftoi", "rounding_mode", "nearest_int_to_zero"},
    {"itof", "rounding_mode", "nearest_even"},
    {"negi", "overflow", "none no_signed_wrap"},
    {"load_ptr_tko load_view_tko", "memory_ordering_semantics", "weak relaxed acquire"},
    {"store_ptr_tko store_view_tko", "memory_ordering_semantics", "weak relaxed release"},
    {"atomic_cas_tko atomic_rmw_tko", "memory_ordering_semantics",
     "relaxed acquire release acq_rel"},
    {"atomic_red_view_tko", "memory_ordering_semantics", "relaxed"},
    {"atomic_red_view_tko", "memory_scope", "tl_blk device"},
    {"atomic_cas_tko atomic_rmw_tko", "memory_scope", "tl_blk device sys"},
    {"", "memory_scope", "tl_blk device sys absent"},
    {"atomic_rmw_tko", "mode", "and or xor add addf max min umax umin xchg"},
    {"atomic_red_view_tko", "mode", "and or xor add addf max min umax umin"},
    {"scan", "reverse", "false true"},
    {"", "rounding_mode", "nearest_even zero negative_inf positive_inf"},
    {"", "overflow", "none no_signed_wrap no_unsigned_wrap no_wrap"},
    {"", "signedness signedness_lhs signedness_rhs", "unsigned signed"},
    {"", "comparison_ordering", "unordered ordered"},
    {"", "comparison_predicate",
     "equal not_equal less_than less_than_or_equal greater_than greater_than_or_equal"},
    {"", "predicate", "div_by same_elements bounded"},
    {"", "symbol_visibility", "public private"},
    {"", "flush_to_zero propagate_nan saturating fast_acc unsignedCmp", "flag"},
    {"", "constant global optimization_hints inbounds producer", "flag"},
    // Free: places, contents, texts and names.
    {"", "dim permutation identities value alignment num_elem", ""},
    {"", "message str name sym_name function_type arg_attrs res_attrs operandSegmentSizes", ""},
};

bool holds(llvm::StringRef list, llvm::StringRef word) {
  llvm::SmallVector<llvm::StringRef> words;
  list.split(words, ' ');
  return llvm::is_contained(words, word);
}

} // namespace

const char *tilesmith::generators::attributeValues(llvm::StringRef op, llvm::StringRef attribute) {
  for (const AttributeRow &row : kAttributes)
    if ((!*row.ops || holds(row.ops, op)) && holds(row.attributes, attribute))
      return row.values;
  return nullptr;
}

llvm::StringRef tilesmith::generators::reasonAgainst(llvm::StringRef row) {
  struct Reason {
    llvm::StringLiteral row, reason;
  };
  static constexpr llvm::StringLiteral kHalfBytes =
      "a tile of its pointers is refused, and nothing else of this op needs its type";
  static constexpr llvm::StringLiteral kOneBit =
      "an index of one bit says nothing that i8 does not";
  static constexpr llvm::StringLiteral kIndexOfFour = "i4 has no arithmetic that guards an index";
  static constexpr llvm::StringLiteral kOpenText = "what a print of it shows is left open";
  static constexpr Reason kReasons[] = {
      {"form return in for", "refused by the verifier"},
      {"form break in for", "refused by the verifier"},
      {"attribute alloca global set",
       "the compiler has no memory of one block that other blocks see"},
      {"element alloca f4E2M1FN", kHalfBytes},
      {"element alloca i4", "no pointer to it exists"},
      {"element int_to_ptr f4E2M1FN", kHalfBytes},
      {"element int_to_ptr i4", "no pointer to it exists"},
      {"element ptr_to_int f4E2M1FN", kHalfBytes},
      {"element ptr_to_int i4", "no pointer to it exists"},
      {"element select f4E2M1FN", kHalfBytes},
      {"element ptr_to_ptr i4", "no pointer to it exists"},
      {"element load_view_tko i4", kIndexOfFour},
      {"element make_tensor_view i4", kIndexOfFour},
      {"element offset i4", kIndexOfFour},
      {"element store_view_tko i4", kIndexOfFour},
      {"element assume i4", "no fact about it is known"},
      {"element atomic_red_view_tko i1", kOneBit},
      {"element get_index_space_shape i1", kOneBit},
      {"element get_tensor_shape i1", kOneBit},
      {"element print_tko tf32", kOpenText},
      {"element print_tko f8E4M3FN", kOpenText},
      {"element print_tko f8E5M2", kOpenText},
      {"element print_tko f8E8M0FNU", kOpenText},
      {"element print_tko f4E2M1FN", kOpenText},
      {"element print_tko i4", kOpenText},
      {"element unpack tf32", "which low bits a tf32 keeps is left open"},
  };
  for (const Reason &reason : kReasons)
    if (row == reason.row)
      return reason.reason;
  return "";
}

llvm::ArrayRef<FeatureRow> tilesmith::generators::featureRows() {
  static constexpr FeatureRow kRows[] = {
      {"asked-extents", 29},
      {"assume-stride", 404},
      {"assumed-splat", 9},
      {"atomic-beside-neutral", 5},
      {"atomic-rounded", 7},
      {"atomic-zero", 15},
      {"attention-one-stage", 1},
      {"awkward-name", 12},
      {"bound-of-each", 25},
      {"byte-widened", 2},
      {"carried-beside-plain", 2},
      {"carried-pointer-open", 33},
      {"carried-pointers", 21},
      {"cast-chain", 39},
      {"cast-chain-promised", 8},
      {"choice", 17},
      {"cluster-assert", 6},
      {"cluster-atomics", 5},
      {"cluster-branch", 2},
      {"cluster-cat", 5},
      {"cluster-chain", 10},
      {"cluster-extract", 2},
      {"cluster-permute", 2},
      {"cluster-reduce", 5},
      {"cluster-scan", 6},
      {"cluster-shapes", 37},
      {"cluster-turns", 2},
      {"computed-divisor", 7},
      {"computed-operand-bytes", 3},
      {"computed-operand-floats", 4},
      {"constant-chain", 27},
      {"constant-mask", 18},
      {"constant-product", 28},
      {"constant-product-batches", 9},
      {"constant-quotient", 24},
      {"constant-sum", 27},
      {"constant-sum-flushed", 8},
      {"divided-by-sums", 16},
      {"divided-outlier", 12},
      {"divided-products", 2},
      {"ends-of-iteration", 19},
      {"fixed-operand", 9},
      {"fixed-operand-carried", 4},
      {"fixed-operand-stored", 5},
      {"flag-if", 19},
      {"flushed-line", 4},
      {"ftoi-at-limit", 9},
      {"gathered-operand", 13},
      {"gathered-operand-padded", 7},
      {"guarded-load", 37},
      {"guarded-store", 21},
      {"guarded-twice", 11},
      {"guarded-wide", 9},
      {"half-byte-batch", 4},
      {"half-byte-gather", 8},
      {"half-byte-global", 4},
      {"half-byte-load", 19},
      {"half-byte-narrowed", 6},
      {"half-byte-odd", 7},
      {"half-byte-offset", 22},
      {"half-byte-product", 10},
      {"half-byte-product-strided", 5},
      {"half-byte-promised", 12},
      {"half-byte-read-back", 4},
      {"half-byte-store", 11},
      {"half-byte-strided", 8},
      {"idle-atomic", 54},
      {"idle-swap", 23},
      {"index-compared", 55},
      {"index-compared-store", 18},
      {"k-loop-above-signed", 13},
      {"k-loop-base-goes-back", 8},
      {"k-loop-behind", 9},
      {"k-loop-behind-read", 1},
      {"k-loop-behind-store", 4},
      {"k-loop-by-elements", 16},
      {"k-loop-carried-pointers", 12},
      {"k-loop-cluster", 42},
      {"k-loop-converted", 15},
      {"k-loop-directed", 13},
      {"k-loop-large-start", 2},
      {"k-loop-plain", 10},
      {"k-loop-row-factors", 2},
      {"k-loop-rows-apart", 4},
      {"k-loop-shifted-base", 13},
      {"k-loop-skips", 9},
      {"k-loop-spoiled-depth", 19},
      {"k-loop-stalls", 6},
      {"k-loop-starts-anew", 5},
      {"k-loop-step-of-value", 16},
      {"k-loop-sums-swap", 2},
      {"k-loop-wide-rows", 2},
      {"large-product-bf16", 10},
      {"large-product-f16", 15},
      {"large-product-f8E4M3FN", 7},
      {"large-product-of-sums", 6},
      {"large-product-residual", 9},
      {"large-product-wide", 5},
      {"large-tile", 16},
      {"large-tile-extract", 5},
      {"large-tile-insert", 1},
      {"large-tile-reshape", 8},
      {"left-loop", 33},
      {"line-statistics", 31},
      {"line-statistics-place", 8},
      {"line-statistics-slice", 9},
      {"loaded-bounds", 8},
      {"long-lines", 5},
      {"mma-converted", 17},
      {"mma-large-sums", 8},
      {"mma-scaled-batch", 7},
      {"mma-scaled-far", 3},
      {"narrow-chain", 19},
      {"narrow-extent", 478},
      {"neighbour-ifs", 30},
      {"nested-ifs", 26},
      {"nested-ifs-outside", 9},
      {"nested-ifs-token", 7},
      {"neutral-float", 51},
      {"neutral-integer", 52},
      {"offset-chain-far", 5},
      {"open-loop-pointer", 11},
      {"operand-bias", 24},
      {"outside-index", 22},
      {"pack-chain", 19},
      {"pack-chain-again", 13},
      {"padded-rows", 620},
      {"places", 61},
      {"places-turned", 4},
      {"print-other-length", 4},
      {"product-chain", 3},
      {"products-once", 8},
      {"products-once-added", 2},
      {"products-once-between", 2},
      {"promised-bounds", 8},
      {"promised-divisor", 12},
      {"promised-groups", 6},
      {"promised-number", 4},
      {"promised-runs", 15},
      {"promised-sign", 23},
      {"read-back", 7},
      {"reciprocal-root", 20},
      {"recurrence", 15},
      {"reduce-arg-float", 11},
      {"reduce-idiom", 33},
      {"reduced-product", 5},
      {"round-trip", 17},
      {"row-bounds", 57},
      {"row-bounds-loop", 16},
      {"row-bounds-lower", 11},
      {"row-bounds-two-starts", 21},
      {"rows-that-meet", 8},
      {"scaled-loop", 20},
      {"scaled-loop-f4E2M1FN", 9},
      {"scaled-loop-f8E4M3FN", 7},
      {"scaled-loop-f8E5M2", 3},
      {"scaled-loop-words", 7},
      {"scan-few-warps", 2},
      {"select-of-constants", 40},
      {"select-of-selected", 20},
      {"shape-chain", 24},
      {"shape-idiom", 7},
      {"shared-divisor", 33},
      {"shared-lines-two-units", 18},
      {"shared-lines-windows", 16},
      {"shared-tiles", 51},
      {"shared-tiles-overlap", 10},
      {"shared-tiles-turned", 4},
      {"shifted-gather", 5},
      {"shifted-line", 5},
      {"shifted-steps", 4},
      {"shifted-view", 33},
      {"short-loop", 16},
      {"single-accesses", 37},
      {"single-masked", 36},
      {"single-swap", 12},
      {"single-update", 26},
      {"special-arithmetic", 19},
      {"special-constant", 17},
      {"special-conversion", 13},
      {"special-function", 26},
      {"special-integer", 6},
      {"special-scale", 3},
      {"special-tiny", 4},
      {"splat-chain", 19},
      {"strip-above-signed", 18},
      {"strip-aligned", 38},
      {"strip-feedback", 24},
      {"strip-unaligned", 31},
      {"strip-writes", 21},
      {"sum-directed", 2},
      {"sum-of-zeros", 6},
      {"sums-go-on", 8},
      {"sums-go-on-anew", 3},
      {"sums-go-on-behind", 4},
      {"sums-go-on-beside", 1},
      {"sums-go-on-computed", 1},
      {"sums-go-on-scaled", 1},
      {"sums-go-on-turns", 1},
      {"token-chain-alloca", 16},
      {"token-chain-branch", 44},
      {"token-chain-either", 35},
      {"token-chain-fence", 6},
      {"token-chain-idle", 33},
      {"token-chain-integer", 32},
      {"token-chain-loop", 25},
      {"token-chain-read", 56},
      {"token-chain-read-in-branch", 14},
      {"token-chain-read-in-loop", 14},
      {"token-chain-red-view", 13},
      {"token-chain-turned", 27},
      {"token-chain-unused", 24},
      {"token-rows", 15},
      {"token-rows-pointers", 11},
      {"tuple-affine", 4},
      {"tuple-extreme-and-count", 13},
      {"tuple-extreme-and-place", 12},
      {"tuple-in-turns", 8},
      {"tuple-independent", 14},
      {"tuple-last", 3},
      {"tuple-long", 5},
      {"tuple-segmented", 3},
      {"turned-divisor", 9},
      {"turned-weight", 1},
      {"twice", 16},
      {"two-pieces", 9},
      {"two-pieces-by-elements", 4},
      {"two-pieces-step-of-value", 4},
      {"view-many-tiles", 10},
      {"views-of-one", 35},
      {"views-of-one-product", 5},
      {"views-of-one-reshaped", 6},
      {"views-of-one-steps", 21},
      {"views-of-one-turned", 5},
      {"wide-range", 25},
      {"witness-addf", 210},
      {"witness-divf", 130},
      {"witness-fma", 91},
      {"witness-ftof", 66},
      {"witness-itof", 91},
      {"witness-maxf", 263},
      {"witness-minf", 252},
      {"witness-mulf", 173},
      {"witness-padding", 204},
      {"witness-product-sum", 99},
      {"witness-sqrt", 37},
      {"witness-subf", 131},
  };
  return kRows;
}

std::vector<std::string> tilesmith::generators::structureRows() {
  std::vector<std::string> rows;
  for (const char *kind : {"partition", "strided", "gather"}) {
    std::string view = std::string("view ") + kind;
    for (int rank = 1; rank <= 6; ++rank)
      rows.push_back(view + " rank " + std::to_string(rank));
    for (const char *padding : {"absent", "zero", "neg_zero", "nan", "pos_inf", "neg_inf"})
      rows.push_back(view + " padding " + padding);
    if (std::string(kind) != "gather")
      for (const char *map : {"identity", "permuted"})
        rows.push_back(view + " map " + map);
  }
  for (const char *what : {"extents constant", "extents dynamic", "strides constant",
                           "strides dynamic", "attribute none", "attribute unicast"})
    rows.push_back(std::string("view tensor ") + what);
  for (const char *inner : {"for", "loop", "if"})
    for (const char *outer : {"entry", "for", "loop", "if"})
      rows.push_back(std::string("form ") + inner + " in " + outer);
  for (const char *form : {"break in loop",
                           "break in for",
                           "break below two ifs",
                           "two breaks in one loop",
                           "continue in for",
                           "continue in loop",
                           "continue below two ifs",
                           "return in entry",
                           "return below two ifs",
                           "return in for",
                           "return in loop",
                           "return in both branches",
                           "if without else",
                           "if with else and no results",
                           "if with results",
                           "if with an exit in one branch and results of the other",
                           "for without carried values",
                           "for that carries a token",
                           "for counting up unsigned",
                           "for stepping by 16 or more",
                           "for above the largest signed number",
                           "permute in four dimensions",
                           "directed rounding of 16 bits",
                           "tile of more than 8192 elements",
                           "for over i8",
                           "for over i16",
                           "for over i32",
                           "for over i64",
                           "for with a constant range",
                           "for with a range from data",
                           "loop without carried values",
                           "loop that carries a token",
                           "loop whose results differ in type from what it carries",
                           "if that yields a token"})
    rows.push_back(std::string("form ") + form);
  for (int depth = 0; depth <= 4; ++depth)
    rows.push_back("nesting " + std::to_string(depth));
  for (const char *version : {"13.1", "13.2", "13.3", "13.4", "13.5"})
    rows.push_back(std::string("version ") + version);
  for (const char *module : {"1 entry", "2 entries", "private global", "1 block", "several blocks"})
    rows.push_back(std::string("module ") + module);
  return rows;
}
