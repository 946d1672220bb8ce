//===- LineBreakers.cpp - lines of the kernel's text, rewritten with a fault ------------------===//
//
// Faults of syntax, of constants and of types, which no module in memory can hold; and why the rest
// of the rules is broken by added statements only (InPlace.h explains the columns).
//
//===------------------------------------------------------------------------------------------===//
#include "generators/invalid/InPlace.h"

using namespace tilesmith::generators;

// The start of a line up to an op, and a type at the end of one.
#define OP(NAME) "^( *(%[A-Za-z0-9_:%, ]+ = )?)(" NAME ")"
#define VIEW OP("make_partition_view %[^ ]+ : partition_view<tile=")
#define INTS "i8|i16|i32|i64"

// clang-format off
static constexpr LineBreaker kBreakers[] = {
    {"rounding_syntax", "float", OP("addf|subf|mulf") "( %[^ ]+, %[^ ]+)  : (.*)$", "\\1\\3\\4 rounding<full> : \\5",
     "expected rounding mode to be one of: 'nearest_even', 'zero', 'negative_inf', 'positive_inf', got: 'full'"},
    {"signedness", "integer", OP("maxi|mini|divi|remi|shri") "( .*) (signed|unsigned)( .*)$", "\\1\\3\\4 sig\\6",
     "expected signedness to be one of: {'signed', 'unsigned'}"},
    {"comparison_predicate", "compare", OP("cmpi|cmpf") " [a-z_]+ (.*)$", "\\1\\3 slt \\4",
     "expected 'comparison_predicate' to be one of: {'equal', 'not_equal', 'less_than', 'less_than_or_equal', 'greater_than', 'greater_than_or_equal'}"},
    {"comparison_ordering", "cmpf", OP("cmpf [a-z_]+") " (ordered|unordered) (.*)$", "\\1\\3 o \\5",
     "expected 'comparison_ordering' to be one of: {'ordered', 'unordered'}"},
    {"dense_element_type", "integer", OP("constant <") "[a-zA-Z0-9]+(: .*)$", "\\1\\3i7\\4",
     "expect element type to be one of i1 or i8 or i16 or i32 or i64 or f16 or bf16 or f32 or f64 or tf32 or f8E4M3FN or f8E5M2 or f8E8M0FNU or f4E2M1FN values, but got"},
    {"dense_range", "integer", OP("constant <(i8|i16|i32): ") "-?[0-9]+(> : .*)$", "\\1\\g<3>99999999999\\5",
     "integer constant out of range for type"},
    {"dense_range_negative", "integer", OP("constant <(i8|i16|i32): ") "-?[0-9]+(> : .*)$", "\\1\\3-99999999999\\5",
     "integer constant out of range for type"},
    {"dense_integer", "integer", OP("constant <(" INTS "): ") "-?[0-9]+(> : .*)$", "\\1\\3true\\5", "expected integer value"},
    {"dense_ranks", "integer", OP("constant <(" INTS "): ") "-?[0-9]+(> : .*)$", "\\1\\3[[1, 2], [3]]\\5",
     "tensor literal is invalid; ranks are not consistent between elements"},
    {"dense_shape", "integer", OP("constant <(" INTS "): ") "-?[0-9]+(> : tile<[148][0-9x]*x(" INTS ")>)$", "\\1\\3[1, 2]\\5",
     "inferred shape of elements literal ([2]) does not match type ("},
    {"dense_type", "integer", OP("constant <.*> : ") "tile<.*$", "\\1\\3token", "result #0 must be tile of i1 or i8"},
    {"dense_mismatch", "integer", OP("constant <i32: .*> : tile<[0-9x]*") "i32>$", "\\1\\3i64>",
     "mismatch between the element type: 'i32' and the tile element type 'i64'"},
    {"assume_name", "assume", OP("assume ") "(div_by|bounded|same_elements)<(.*)$", "\\1\\3even<\\5",
     "unknown assume predicate attribute: even (expected 'div_by', 'same_elements', or 'bounded')"},
    {"assume_attribute", "assume", OP("assume ") "[a-z_]+<[^>]*>, (.*)$", "\\1\\3\"x\", \\4", "expected assume predicate attribute"},
    {"make_tensor_view_value", "load", OP("make_tensor_view %[^ ]+, shape = \\[") "[^],]+(.*)$", "\\1\\3x\\4",
     "expected either integer or SSA value"},
    {"make_tensor_view_type", "load", OP("make_tensor_view .*(: |-> )") "tensor_view<.*$", "\\1\\3tile<f32>",
     "expected 'tensor_view' type, but got '!cuda_tile.tile<f32>'"},
    {"make_tensor_view_count", "load", OP("make_tensor_view %[^ ]+, shape = \\[") "(.*)$", "\\1\\g<3>4, \\4",
     "expected shape declaration to contain "},
    {"make_tensor_view_match", "load", OP("make_tensor_view %[^ ]+, shape = \\[") "([0-9]+)(.*)$", "\\1\\g<3>12345\\5",
     "input shape dimension 0 does not match tensor_view type (expected \\4, got 12345)"},
    {"make_tensor_view_dynamic", "load", OP("make_tensor_view %[^ ]+, shape = \\[") "%[^],]+([^:]*%.*)$", "\\1\\g<3>8\\4",
     "input shape dimension 0 does not match tensor_view type (expected dynamic, got 8)"},
    {"make_partition_view_type", "load", OP("make_partition_view %[^ ]+ : ") "partition_view<.*$", "\\1\\3tile<f32>",
     "expected 'partition_view' type, but got '!cuda_tile.tile<f32>'"},
    {"get_tensor_shape_type", "view", OP("get_tensor_shape %[^ ]+ : ") "tensor_view<.*>( -> .*)$", "\\1\\3tile<f32>\\4",
     "expected tensor_view, got '!cuda_tile.tile<f32>'"},
    {"get_index_space_shape_type", "get_index_space_shape", OP("get_index_space_shape %[^ ]+ : ") "[a-z_]+_view<.*>( -> .*)$", "\\1\\3tile<f32>\\4",
     "expected tile view, got '!cuda_tile.tile<f32>'"},
    {"access_order_syntax", "view", OP("load_view_tko|store_view_tko") " weak (.*)$", "\\1\\3 strong \\4",
     "invalid memory_ordering_semantics attribute specification. Got \"strong\" but expect one of: weak, relaxed, acquire, release, acq_rel"},
    {"access_weak_scope", "view", OP("load_view_tko|store_view_tko") " weak (.*)$", "\\1\\3 weak device \\4",
     "operation specifies weak memory ordering semantics, but then provides \"device\" scope, expected no memory scope."},
    {"access_scope_syntax", "view", OP("load_view_tko|store_view_tko") " weak (.*)$", "\\1\\3 relaxed gpu \\4",
     "invalid memory_scope attribute specification. Got \"gpu\" but expect one of: tl_blk, device, sys"},
    {"access_index_missing", "load", OP("load_view_tko .*: (partition|strided)_view<.*>") ", tile<i[0-9]+>( -> .*)$", "\\1\\3\\5",
     "index types must be specified when indices are present"},
    {"access_index_types_count", "load", OP("load_view_tko .*: (partition|strided)_view<.*>") "(, tile<i[0-9]+>)( -> .*)$", "\\1\\3\\5\\5\\5\\5\\5\\5\\5\\5\\5\\6",
     " index types, got 9"},
    {"red_mode_syntax", "atomic_red_view_tko", OP("atomic_red_view_tko [^]]*\\], ") "[a-z]+(, %.*)$", "\\1\\3plus\\4",
     "unknown atomic RMW mode: 'plus'; expected one of: and, or, xor, add, addf, max, min, umax, umin"},
    {"hints_duplicate", "integer", OP("entry @[^{]*") "\\{$", "\\1\\3optimization_hints=<sm_90 = {}, sm_90 = {}> {",
     "duplicate optimization_hints key `sm_90`"},
    {"hints_dictionary", "integer", OP("entry @[^{]*") "\\{$", "\\1\\3optimization_hints=<sm_90 = 1> {",
     "expected dictionary attribute for optimization_hints entry `sm_90` got value=1"},
    {"tool_f4_pointers", "integer", OP("entry @.*tile<") "ptr<[a-zA-Z0-9]+>>(.*)$", "\\1\\g<3>4xptr<f4E2M1FN>>\\4",
     "tiles of ptr<f4E2M1FN> must have rank 0; use an f4 tile view for memory accesses"},
    {"ptr_pointee", "integer", OP("entry @.*ptr<") "[a-zA-Z0-9]+(>.*)$", "\\1\\3i4\\4", "failed to verify 'pointeeType'"},
    {"tile_positive", "integer", "^( *)(%.*[ (]tile<)[0-9]+x(.*)$", "\\1\\g<2>0x\\3", "all dimensions must be positive constants, got 0"},
    {"tile_power_of_two", "integer", "^( *)(%.*[ (]tile<)[0-9]+x(.*)$", "\\1\\g<2>12x\\3", "all dimensions must be powers of two, got 12"},
    {"tile_elements", "integer", "^( *)(%.*[ (]tile<)[0-9]+x(.*)$", "\\1\\g<2>33554432x\\3", "tile would exceed the maximum of 16777216 elements"},
    {"tile_f4_even", "storage", "^( *)(%.*[ (]tile<)[0-9x]*(f4E2M1FN>.*)$", "\\1\\2\\3", "F4E2M1FN tiles must have an even number of elements"},
    {"tile_element_type", "integer", "^( *)(%.*[ (]tile<[0-9x]*)(i1|f32|f16|" INTS ")(>.*)$", "\\1\\2i7\\4", "failed to verify 'elementType'"},
    {"tensor_view_rank", "load", "^( *)(%.* tensor_view<[^,]*, strides=\\[)(.*)$", "\\1\\g<2>1,\\3", "expected shape and stride to be of same rank but got shape of rank "},
    {"tensor_view_extent", "load", "^( *)(%.* tensor_view<)[0-9?]+x(.*)$", "\\1\\g<2>0x\\3", "dimensions must have strictly positive constant sizes but got [0"},
    {"tensor_view_stride", "load", "^( *)(%.*make_tensor_view .*tensor_view<[^,]*, strides=\\[)[0-9?]+(.*)$", "\\1\\g<2>0\\3", "expected strictly positive integer, got 0"},
    {"tensor_view_strides", "load", "^( *)(%.*_view_tko .*tensor_view<[^,]*, strides=\\[)[0-9?]+(.*)$", "\\1\\g<2>0\\3", "expected strictly positive integer, got 0"},
    {"tensor_view_stride_syntax", "load", "^( *)(%.* tensor_view<[^,]*, strides=\\[)[0-9?]+(.*)$", "\\1\\2a\\3", "expected either 64-bit integer or question mark"},
    {"tensor_view_no_strides", "load", "^( *)(%.* tensor_view<[^,]*), strides=\\[[^]]*\\](.*)$", "\\1\\2\\3", "expected 'strides'"},
    {"tensor_view_rank0_strides", "load", "^( *)(%.* tensor_view<)[^,]*(, strides=.*)$", "\\1\\2f32\\3", "strides must not be provided for 0-d tiles"},
    {"tensor_view_rank0_other", "load", "^( *)(%.* tensor_view<)[^,]*, strides=\\[[^]]*\\](.*)$", "\\1\\2f32, 3\\3", "unexpected token after element type in 0-d tensor_view"},
    {"view_tensor_view", "load", VIEW "(\\([0-9x]+\\)).*$", "\\1\\3\\4, tile<f32>>", "expected 'tensor_view' type, but got '!cuda_tile.tile<f32>'"},
    {"view_rank0", "load", VIEW "\\([0-9x]+\\).*$", "\\1\\3(), tensor_view<f32>>", "0-dimension tile shape is not supported"},
    {"view_rank", "load", VIEW "\\((.*)$", "\\1\\3(1x\\4", "expected tensor_view rank and tile rank to match, got tensor_view of rank "},
    {"view_dim_map_size", "load", VIEW "(\\([0-9]+x[0-9x]+\\).*\\]>)>$", "\\1\\3\\4, dim_map=[0]>", "expected dim_map to map exactly all "},
    {"view_tile_power_of_two", "load", VIEW "\\([0-9]+(.*)$", "\\1\\3(3\\4", "tile shape dimensions must have power of two length but got [3"},
    {"view_tile_positive", "load", VIEW "\\([0-9]+(.*)$", "\\1\\3(0\\4",
     "tile dimension 0 exceeds i32 limitations (got 0, expected strictly positive and less than or equal to 2147483647)"},
    {"view_dim_map_negative", "load", VIEW "(\\([0-9]+\\).*\\]>)>$", "\\1\\3\\4, dim_map=[-1]>", "target dimension must not be negative, got -1"},
    {"view_dim_map_outside", "load", VIEW "(\\([0-9]+\\).*\\]>)>$", "\\1\\3\\4, dim_map=[1]>",
     "target dimension is outside of tensor view dimensions, expected strictly less than 1, got 1"},
    {"view_dim_map_twice", "load", VIEW "(\\([0-9]+x[0-9]+\\).*\\]>)>$", "\\1\\3\\4, dim_map=[1, 1]>",
     "target dimension 1 mapped at least twice (for tile dimensions 0 and 1)"},
    {"view_padding_name", "load", VIEW "(.*)padding_value = [a-z_]+(.*)$", "\\1\\3\\4padding_value = one\\5",
     "invalid padding_value attribute specification. Got \"one\" but expect one of: zero, neg_zero, nan, pos_inf, neg_inf"},
    {"view_padding_type", "load", VIEW "(.*)padding_value = [a-z_]+(, tensor_view<[0-9?x]*)(" INTS ")(,.*)$", "\\1\\3\\4padding_value = nan\\5\\6\\7",
     "padding_value nan can only be used with floating point element types, got '\\6'"},
    {"view_tile_elements", "load", VIEW "\\([0-9]+(.*)$", "\\1\\3(33554432\\4", "tile would exceed the maximum of 16777216 elements"},
    {"strided_view_strides_count", "view", OP("make_strided_view .*traversal_strides=\\[") "(.*)$", "\\1\\g<3>1,\\4", " traversal strides, got "},
    {"strided_view_strides_positive", "view", OP("make_strided_view .*traversal_strides=\\[") "[0-9]+(.*)$", "\\1\\g<3>0\\4",
     "traversal strides must be strictly positive but got [0"},
    {"gather_scatter_sparse_dim", "view", OP("make_gather_scatter_view .*sparse_dim=") "[0-9]+(.*)$", "\\1\\g<3>7\\4",
     "gather dimension is outside of tensor view dimensions, expected strictly less than "},
};

#define NO_DEBUG "generated kernels have no debug information"
#define NO_MULTIMEM "generated kernels have no multimem access (its memory has several copies)"

static constexpr AddedOnly kAddedOnly[] = {
    {"debug_call_site", NO_DEBUG},
    {"debug_function_scope", NO_DEBUG},
    {"debug_global_scope", NO_DEBUG},
    {"debug_linkage_name", NO_DEBUG},
    {"debug_op_function", NO_DEBUG},
    {"debug_op_scope", NO_DEBUG},
    {"fnv8e5m3fnu_code", "generated kernels have no constants of this type"},
    {"fnv8e5m3fnu_range", "generated kernels have no constants of this type"},
    {"multimem_and", NO_MULTIMEM},
    {"multimem_float", NO_MULTIMEM},
    {"multimem_integer", NO_MULTIMEM},
    {"multimem_load_order", NO_MULTIMEM},
    {"multimem_min", NO_MULTIMEM},
    {"multimem_pointer", NO_MULTIMEM},
    {"multimem_reduce_kind", NO_MULTIMEM},
    {"multimem_reduce_order", NO_MULTIMEM},
    {"multimem_store_scope", NO_MULTIMEM},
    {"multimem_tile", NO_MULTIMEM},
    {"multimem_unicast", NO_MULTIMEM},
    {"multimem_view", NO_MULTIMEM},
    {"preview_ops", "the op itself is the fault"},
    {"print_version", "the op itself is the fault"},
    {"profile_atan2", "the op itself is the fault under the rules of 13.1"},
    {"profile_element", "the type itself is the fault under the rules of 13.1"},
    {"profile_field", "the attribute itself is the fault under the rules of 13.1"},
    {"profile_op", "the op itself is the fault under the rules of 13.1"},
    {"profile_print_tko", "the op itself is the fault under the rules of 13.1"},
    {"profile_type", "the type itself is the fault under the rules of 13.1"},
    {"return_parent", "the fault stands outside of every function"},
    {"return_type", "needs a function with results, which only tests have"},
};
// clang-format on

llvm::ArrayRef<LineBreaker> tilesmith::generators::lineBreakers() {
  return kBreakers;
}

llvm::ArrayRef<AddedOnly> tilesmith::generators::addedOnly() {
  return kAddedOnly;
}
