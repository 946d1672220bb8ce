//===- DebugBreakers.cpp - rules of debug information and hints -------------------------------===//
//
// One row per rule: what breaks it, and what must be said then (Breaker.h explains the columns).
//
//===------------------------------------------------------------------------------------------===//
#include "generators/invalid/Breaker.h"

using namespace tilesmith::generators;

// clang-format off
static constexpr Breaker kBreakers[] = {
    {.label = "debug_call_site", .op = "entry", .place = Place::Module,
     .prefix = R"(#file = #cuda_tile.di_file<"k.py" in "/">
#unit = #cuda_tile.di_compile_unit<file = #file>
#k = #cuda_tile.di_subprogram<file = #file, line = 1, name = "k", linkageName = "k", compileUnit = #unit, scopeLine = 1>
#loc = #cuda_tile.di_loc<loc("k.py":1:1) in #k>)",
     .code = "entry @k() { return } loc(callsite(#loc at #loc))",
     .diagnostic = "Function location must not be a CallSiteLoc."},
    {.label = "debug_function_scope", .op = "entry", .place = Place::Module, .location = "k.py:1:1",
     .prefix = R"(#file = #cuda_tile.di_file<"k.py" in "/">
#unit = #cuda_tile.di_compile_unit<file = #file>
#k = #cuda_tile.di_subprogram<file = #file, line = 1, name = "k", linkageName = "k", compileUnit = #unit, scopeLine = 1>
#block = #cuda_tile.di_lexical_block<scope = #k, file = #file, line = 2, column = 1>)",
     .code = R"(entry @k() { return } loc(#cuda_tile.di_loc<loc("k.py":1:1) in #block>))",
     .diagnostic = ". Function location must have cuda_tile.di_subprogram debug info scope."},
    {.label = "debug_linkage_name", .op = "entry", .place = Place::Module, .location = "k.py:1:1",
     .prefix = R"(#file = #cuda_tile.di_file<"k.py" in "/">
#unit = #cuda_tile.di_compile_unit<file = #file>
#k = #cuda_tile.di_subprogram<file = #file, line = 1, name = "k", linkageName = "other", compileUnit = #unit, scopeLine = 1>)",
     .code = R"(entry @k() { return } loc(#cuda_tile.di_loc<loc("k.py":1:1) in #k>))",
     .diagnostic = R"(. Function name "k" does not match subprogram scope linkage name "other".)"},
    {.label = "debug_op_scope", .op = "return", .place = Place::Module, .textOnly = true, .location = "k.py:1:1",
     .prefix = R"(#file = #cuda_tile.di_file<"k.py" in "/">
#unit = #cuda_tile.di_compile_unit<file = #file>
#k = #cuda_tile.di_subprogram<file = #file, line = 1, name = "k", linkageName = "k", compileUnit = #unit, scopeLine = 1>)",
     .code = R"(entry @k() { return loc(#cuda_tile.di_loc<loc("k.py":1:1) in #k>) } loc(unknown))",
     .diagnostic = ". Operation has debug info scope, but function debug info scope is undefined."},
    {.label = "debug_op_function", .op = "return", .place = Place::Module, .location = "k.py:1:1",
     .prefix = R"(#file = #cuda_tile.di_file<"k.py" in "/">
#unit = #cuda_tile.di_compile_unit<file = #file>
#k = #cuda_tile.di_subprogram<file = #file, line = 1, name = "k", linkageName = "k", compileUnit = #unit, scopeLine = 1>
#other = #cuda_tile.di_subprogram<file = #file, line = 1, name = "o", linkageName = "o", compileUnit = #unit, scopeLine = 1>)",
     .code = R"(entry @k() { return loc(#cuda_tile.di_loc<loc("k.py":1:1) in #other>) } loc(#cuda_tile.di_loc<loc("k.py":1:1) in #k>))",
     .diagnostic = ". Operation debug info scope does not match function debug info scope:"},
    {.label = "debug_global_scope", .op = "global", .place = Place::Module, .textOnly = true, .location = "k.py:1:1",
     .prefix = R"(#file = #cuda_tile.di_file<"k.py" in "/">
#unit = #cuda_tile.di_compile_unit<file = #file>
#k = #cuda_tile.di_subprogram<file = #file, line = 1, name = "k", linkageName = "k", compileUnit = #unit, scopeLine = 1>)",
     .code = R"(global @g <f32: 1.0> : tile<1xf32> loc(#cuda_tile.di_loc<loc("k.py":1:1) in #k>))",
     .diagnostic = ". Global variables must not have scope."},
    {.label = "hints_error", .op = "entry", .place = Place::Module, .option = "hint-errors",
     .code = "~entry @k() optimization_hints=<sm_100a = {num_cta_in_cga = 2}> {}",
     .diagnostic = "Optimization hints verification failed"},
};
// clang-format on

llvm::ArrayRef<Breaker> tilesmith::generators::debugBreakers() {
  return kBreakers;
}
