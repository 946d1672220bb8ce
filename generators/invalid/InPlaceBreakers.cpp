//===- InPlaceBreakers.cpp - rules that an operation of the kernel itself can break -----------===//
//
// One row per rule that also has a row of its own: the printed line of an operation that the kernel
// has, as a pattern, and the line with the fault. Results and their types stay as they were, so the
// rest of the kernel is as valid as before.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/invalid/Breaker.h"

using namespace tilesmith::generators;

#define START "^( *%[A-Za-z0-9_]+ = )"
#define ONE "( %[A-Za-z0-9_#]+)"
#define TWO "( %[A-Za-z0-9_#]+, %[A-Za-z0-9_#]+)"
#define TILE " *( : tile<[0-9x]*)"

// clang-format off
static constexpr InPlaceBreaker kBreakers[] = {
    {"flush_to_zero", START "(addf|subf|mulf)" TWO TILE "(f16|bf16|f64)>$",
     "\\1~\\2\\3 flush_to_zero\\4\\5>",
     "flush_to_zero modifier only supported for f32 data type, but got: '\\5'"},
    {"flush_to_zero_max", START "(maxf|minf)" TWO TILE "(f16|bf16|f64)>$",
     "\\1~\\2\\3 flush_to_zero\\4\\5>",
     "flush_to_zero modifier only supported for f32 data type, but got: '\\5'"},
    {"div_approx", START "(divf)" TWO TILE "(f16|bf16|f64)>$", "\\1~\\2\\3 rounding<approx>\\4\\5>",
     "approx modifier only supported for f32 data type, but got: '\\5'"},
    {"div_full", START "(divf)" TWO TILE "(f16|bf16|f64)>$", "\\1~\\2\\3 rounding<full>\\4\\5>",
     "full modifier only supported for f32 data type, but got: '\\5'"},
    {"div_rounding", START "(divf)" TWO TILE "(f16|f32|f64)>$",
     "\\1~\\2\\3 rounding<nearest_int_to_zero>\\4\\5>",
     "invalid rounding mode specified, expect one of [nearest_even, zero, negative_inf, positive_inf, approx, full]"},
    {"exp_rounding", START "(exp)" ONE TILE "(f32)>$", "\\1~\\2\\3 rounding<zero>\\4\\5>",
     "invalid rounding mode specified, expect one of [approx, full]"},
    {"tanh_rounding", START "(tanh)" ONE TILE "(f32)>$", "\\1~\\2\\3 rounding<positive_inf>\\4\\5>",
     "invalid rounding mode specified, expect one of [approx, full]"},
    {"tanh_approx", START "(tanh)" ONE TILE "(f16|bf16|f64)>$", "\\1~\\2\\3 rounding<approx>\\4\\5>",
     "approx modifier only supported for f32 data type, but got: '\\5'"},
    {"sqrt_rounding", START "(sqrt)" ONE TILE "(f32)>$", "\\1~\\2\\3 rounding<full>\\4\\5>",
     "invalid rounding mode specified, expect one of [nearest_even, zero, negative_inf, positive_inf, approx]"},
    {"divi_unsigned_floor", START "(divi)" TWO " unsigned" TILE "(i8|i16|i32|i64)>$",
     "\\1~\\2\\3 unsigned rounding<negative_inf>\\4\\5>",
     "rounding mode 'negative_inf' is not allowed with 'unsigned' flag"},
    {"negi_overflow", START "(negi)" ONE TILE "(i8|i16|i32|i64)>$",
     "\\1~\\2\\3 overflow<no_unsigned_wrap>\\4\\5>", "'no_unsigned_wrap' overflow flag is not supported"},
    {"cat_dim", START "(cat)" TWO " dim = [0-9]+( : .*)$", "\\1~\\2\\3 dim = 9\\4", "expect dim to be [0, "},
};
// clang-format on

llvm::ArrayRef<InPlaceBreaker> tilesmith::generators::inPlaceBreakers() {
  return kBreakers;
}
