// RUN: not tile-opt --split-input-file %s 2>&1 | FileCheck --check-prefix=C17 %s

// The errors stand at debug locations, which name no line of this file.
// debug_call_site
// C17: invalid function debug info location: {{.*}}. Function location must not be a CallSiteLoc.
#file = #cuda_tile.di_file<"k.py" in "/">
#unit = #cuda_tile.di_compile_unit<file = #file>
#k = #cuda_tile.di_subprogram<file = #file, line = 1, name = "k", linkageName = "k", compileUnit = #unit, scopeLine = 1>
#loc = #cuda_tile.di_loc<loc("k.py":1:1) in #k>
cuda_tile.module @m {
  entry @k() { return } loc(callsite(#loc at #loc))
}

// -----

// debug_function_scope
// C17: invalid function debug info scope: {{.*}}. Function location must have cuda_tile.di_subprogram debug info scope.
#file = #cuda_tile.di_file<"k.py" in "/">
#unit = #cuda_tile.di_compile_unit<file = #file>
#k = #cuda_tile.di_subprogram<file = #file, line = 1, name = "k", linkageName = "k", compileUnit = #unit, scopeLine = 1>
#block = #cuda_tile.di_lexical_block<scope = #k, file = #file, line = 2, column = 1>
cuda_tile.module @m {
  entry @k() { return } loc(#cuda_tile.di_loc<loc("k.py":1:1) in #block>)
}

// -----

// debug_linkage_name
// C17: invalid function debug info scope: {{.*}}. Function name "k" does not match subprogram scope linkage name "other".
#file = #cuda_tile.di_file<"k.py" in "/">
#unit = #cuda_tile.di_compile_unit<file = #file>
#k = #cuda_tile.di_subprogram<file = #file, line = 1, name = "k", linkageName = "other", compileUnit = #unit, scopeLine = 1>
cuda_tile.module @m {
  entry @k() { return } loc(#cuda_tile.di_loc<loc("k.py":1:1) in #k>)
}

// -----

// debug_op_scope
// C17: invalid operation debug info scope: {{.*}}. Operation has debug info scope, but function debug info scope is undefined.
#file = #cuda_tile.di_file<"k.py" in "/">
#unit = #cuda_tile.di_compile_unit<file = #file>
#k = #cuda_tile.di_subprogram<file = #file, line = 1, name = "k", linkageName = "k", compileUnit = #unit, scopeLine = 1>
cuda_tile.module @m {
  entry @k() { return loc(#cuda_tile.di_loc<loc("k.py":1:1) in #k>) } loc(unknown)
}

// -----

// debug_op_function
// C17: invalid operation debug info scope: {{.*}}. Operation debug info scope does not match function debug info scope:
#file = #cuda_tile.di_file<"k.py" in "/">
#unit = #cuda_tile.di_compile_unit<file = #file>
#k = #cuda_tile.di_subprogram<file = #file, line = 1, name = "k", linkageName = "k", compileUnit = #unit, scopeLine = 1>
#other = #cuda_tile.di_subprogram<file = #file, line = 1, name = "o", linkageName = "o", compileUnit = #unit, scopeLine = 1>
cuda_tile.module @m {
  entry @k() { return loc(#cuda_tile.di_loc<loc("k.py":1:1) in #other>) } loc(#cuda_tile.di_loc<loc("k.py":1:1) in #k>)
}

// -----

// debug_global_scope
// C17: invalid operation debug info scope: {{.*}}. Global variables must not have scope.
#file = #cuda_tile.di_file<"k.py" in "/">
#unit = #cuda_tile.di_compile_unit<file = #file>
#k = #cuda_tile.di_subprogram<file = #file, line = 1, name = "k", linkageName = "k", compileUnit = #unit, scopeLine = 1>
cuda_tile.module @m {
  global @g <f32: 1.0> : tile<1xf32> loc(#cuda_tile.di_loc<loc("k.py":1:1) in #k>)
}
