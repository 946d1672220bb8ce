//===- ArithmeticOpBreakers.cpp - arithmetic of the kernel, broken where it stands ------------===//
//
// One row per rule (InPlace.h explains the columns).
//
//===------------------------------------------------------------------------------------------===//
#include "generators/invalid/InPlace.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using namespace tilesmith::cuda_tile;
using llvm::StringRef;

static mlir::Attribute rounding(BrokenOp &site, RoundingMode mode) {
  return RoundingModeAttr::get(site.context(), mode);
}

static RoundingMode oneOf(BrokenOp &site, llvm::ArrayRef<RoundingMode> modes) {
  return site.stream.pick(modes);
}

/// A modifier that only f32 has.
static Said f32Only(BrokenOp &site, StringRef modifier) {
  if (site.elementOut().isF32())
    return std::nullopt;
  return (modifier +
          " modifier only supported for f32 data type, but got: " + quoted(site.elementOut()))
      .str();
}

static Said flush(BrokenOp &site) {
  Said said = f32Only(site, "flush_to_zero");
  if (said)
    site.set("flush_to_zero", site.builder.getUnitAttr());
  return said;
}

static Said round(BrokenOp &site, llvm::ArrayRef<RoundingMode> modes, StringRef said,
                  StringRef name = "rounding_mode") {
  site.set(name, rounding(site, oneOf(site, modes)));
  return said.str();
}

static Said convert(BrokenOp &site, RoundingMode mode, StringRef said) {
  return round(site, {mode}, ("invalid rounding mode specified" + said).str());
}

/// Two extents of a matrix product that do not match.
static std::string mismatch(StringRef prefix, StringRef a, unsigned aDim, int64_t aSize,
                            StringRef b, unsigned bDim, int64_t bSize) {
  return (prefix + "shape error: dim " + llvm::Twine(aDim) + " of " + a + " (" +
          llvm::Twine(aSize) + ") and dim " + llvm::Twine(bDim) + " of " + b + " (" +
          llvm::Twine(bSize) + ") must match")
      .str();
}

static unsigned rowOf(const BrokenOp &site) {
  return static_cast<unsigned>(site.in(0).getRank()) - 2;
}

static void reshapeOperand(BrokenOp &site, unsigned i, unsigned dim) {
  site.operand(i, tile(doubled(site.shapeIn(i), dim), site.elementIn(i)));
}

using enum RoundingMode;

// clang-format off
static constexpr OpBreaker kBreakers[] = {
    {"rounding_ieee", "addf|subf|mulf|fma", "float", [](BrokenOp &s) {
       return round(s, {FULL, APPROX, NEAREST_INT_TO_ZERO},
                    "invalid rounding mode specified, expect one of [nearest_even, zero, negative_inf, positive_inf]");
     }},
    {"flush_to_zero", "addf|subf|mulf|fma", "float", flush},
    {"flush_to_zero_max", "maxf|minf", "float", flush},
    {"div_approx", "divf", "divf", [](BrokenOp &s) -> Said {
       Said said = f32Only(s, "approx");
       if (said)
         s.set("rounding_mode", rounding(s, APPROX));
       return said;
     }},
    {"div_full", "divf", "divf", [](BrokenOp &s) -> Said {
       Said said = f32Only(s, "full");
       if (said)
         s.set("rounding_mode", rounding(s, FULL));
       return said;
     }},
    {"div_rounding", "divf", "divf", [](BrokenOp &s) {
       return round(s, {NEAREST_INT_TO_ZERO, NEAREST_AWAY},
                    "invalid rounding mode specified, expect one of [nearest_even, zero, negative_inf, positive_inf, approx, full]");
     }},
    {"exp_rounding", "exp", "exp", [](BrokenOp &s) {
       return round(s, {ZERO, NEAREST_EVEN, NEGATIVE_INF}, "invalid rounding mode specified, expect one of [approx, full]");
     }},
    {"tanh_rounding", "tanh", "tanh", [](BrokenOp &s) {
       return round(s, {ZERO, NEAREST_EVEN, POSITIVE_INF}, "invalid rounding mode specified, expect one of [approx, full]");
     }},
    {"tanh_approx", "tanh", "tanh", [](BrokenOp &s) -> Said {
       Said said = f32Only(s, "approx");
       if (said)
         s.set("rounding_mode", rounding(s, APPROX));
       return said;
     }},
    {"sqrt_rounding", "sqrt", "sqrt", [](BrokenOp &s) {
       return round(s, {FULL, NEAREST_INT_TO_ZERO},
                    "invalid rounding mode specified, expect one of [nearest_even, zero, negative_inf, positive_inf, approx]");
     }},
    {"fpowi_exponent", "fpowi", "fpowi", [](BrokenOp &s) -> Said {
       TileType wide = tile(s.shapeIn(1), s.builder.getI64Type());
       s.operand(1, wide);
       return "operand #1 must be tile of i1 or i8 or i16 or i32 values, but got " + quoted(wide);
     }},
    {"divi_rounding", "divi", "divi", [](BrokenOp &s) {
       return round(s, {FULL, NEAREST_EVEN, APPROX},
                    "invalid rounding mode specified, expect one of [zero, negative_inf, positive_inf]", "rounding");
     }},
    {"divi_unsigned_floor", "divi", "divi", [](BrokenOp &s) {
       s.set("signedness", SignednessAttr::get(s.context(), Signedness::Unsigned));
       return round(s, {NEGATIVE_INF}, "rounding mode 'negative_inf' is not allowed with 'unsigned' flag", "rounding");
     }},
    {"negi_overflow", "negi", "negi", [](BrokenOp &s) -> Said {
       s.set("overflow", IntegerOverflowAttr::get(s.context(), IntegerOverflow::NUW));
       return "'no_unsigned_wrap' overflow flag is not supported";
     }},
    {"exti_width", "exti", "exti", [](BrokenOp &s) -> Said {
       s.operand(0, s.stream.chance(50) ? s.out() : tile(s.shapeIn(0), s.builder.getI64Type()));
       return "extending to smaller or identical integer";
     }},
    {"trunci_width", "trunci", "trunci", [](BrokenOp &s) -> Said {
       s.operand(0, s.stream.chance(50) ? s.out() : tile(s.shapeIn(0), s.builder.getI1Type()));
       return "truncating to larger or identical integer";
     }},
    {"bitcast_width", "bitcast", "bitcast", [](BrokenOp &s) -> Said {
       unsigned width = s.out().getElementTypeBitWidth();
       mlir::Type other = typeOf(s.context(), width == 32 ? "f16" : "f32");
       s.operand(0, tile(s.shapeIn(0), other));
       return "types must be equal width, cannot convert " + quoted(s.in(0)) + " of width " +
              std::to_string(other.getIntOrFloatBitWidth()) + " to type " + quoted(s.out()) + " of width " +
              std::to_string(width);
     }},
    {"itof_e8m0", "itof", "itof", [](BrokenOp &s) -> Said {
       s.result(0, tile(s.shapeOut(), typeOf(s.context(), "f8E8M0FNU")));
       return "integer to f8E8M0FNU conversion is not supported, please first convert to another float type";
     }},
    {"itof_rounding", "itof", "itof", [](BrokenOp &s) {
       return round(s, {ZERO, NEGATIVE_INF, POSITIVE_INF},
                    "invalid rounding mode specified. Only 'nearest_even' is supported");
     }},
    {"ftoi_rounding", "ftoi", "ftoi", [](BrokenOp &s) {
       return round(s, {ZERO, NEAREST_EVEN}, "invalid rounding mode specified. Only 'nearest_int_to_zero' is supported");
     }},
    {"ftof_no_op", "ftof", "ftof", [](BrokenOp &s) -> Said {
       s.operand(0, s.out());
       return "converting tiles must not be a no-op";
     }},
    {"ftof_e8m0", "ftof", "ftof", [](BrokenOp &s) -> Said {
       if (llvm::isa<mlir::Float8E8M0FNUType>(s.elementIn(0)))
         return std::nullopt; // that would be a no-op
       s.set("rounding_mode", rounding(s, NEAREST_EVEN));
       s.result(0, tile(s.shapeOut(), typeOf(s.context(), "f8E8M0FNU")));
       return "invalid rounding mode specified for conversion to f8E8M0FNU. Only 'zero' and 'positive_inf' are supported";
     }},
    {"ftof_rounding", "ftof", "ftof", [](BrokenOp &s) -> Said {
       if (llvm::isa<mlir::Float8E8M0FNUType>(s.elementOut()))
         return std::nullopt;
       return convert(s, ZERO, ". Only 'nearest_even' is supported");
     }},
    {"tool_ftof_tf32", "ftof", "storage", [](BrokenOp &s) -> Said {
       if (!s.elementIn(0).isF32() || !s.elementOut().isTF32())
         return std::nullopt;
       return convert(s, POSITIVE_INF, " for conversion from f32 to tf32. Only 'nearest_even', 'zero', and 'nearest_away' are supported");
     }},
    {"tool_ftof_f64", "ftof", "ftof", [](BrokenOp &s) -> Said {
       if (!s.elementIn(0).isF64() || !s.elementOut().isF32())
         return std::nullopt;
       return convert(s, NEAREST_AWAY, " for conversion from f64 to f32. Only 'nearest_even', 'zero', 'negative_inf', and 'positive_inf' are supported");
     }},
    {"tool_ftof_low", "ftof", "storage", [](BrokenOp &s) -> Said {
       mlir::Type to = s.elementOut();
       if (to.getIntOrFloatBitWidth() > 8 || llvm::isa<mlir::Float8E8M0FNUType>(to))
         return std::nullopt;
       return convert(s, ZERO, " for conversion to low-precision type. Only 'nearest_even' is supported");
     }},
    {"tool_ftof_widen", "ftof", "ftof", [](BrokenOp &s) -> Said {
       if (s.elementOut().getIntOrFloatBitWidth() <= std::max(8u, s.elementIn(0).getIntOrFloatBitWidth()))
         return std::nullopt;
       return convert(s, FULL, " for widening conversion. Only IEEE float rounding modes are supported: 'nearest_even', 'zero', 'negative_inf', 'positive_inf', 'nearest_away'");
     }},
    {"tool_ftof_narrow", "ftof", "ftof", [](BrokenOp &s) -> Said {
       mlir::Type from = s.elementIn(0), to = s.elementOut();
       if (to.getIntOrFloatBitWidth() <= 8 || to.getIntOrFloatBitWidth() > from.getIntOrFloatBitWidth() ||
           to.isTF32() || (from.isF64() && to.isF32()))
         return std::nullopt;
       return convert(s, POSITIVE_INF, ". Only 'nearest_even' and 'zero' are supported for narrowing conversions to standard types");
     }},
    {"mma_rank", "mmaf|mmai", "matrix", [](BrokenOp &s) -> Said {
       for (unsigned i = 0; i < 3; ++i)
         s.operand(i, tile({4}, s.elementIn(i)));
       s.result(0, s.in(2));
       return "operands must be 2D or 3D tiles";
     }},
    {"mma_k", "mmaf|mmai", "matrix", [](BrokenOp &s) -> Said {
       unsigned row = rowOf(s);
       int64_t k = s.shapeIn(0)[row + 1];
       reshapeOperand(s, 1, row);
       return mismatch(" ", "lhs", row + 1, k, "rhs", row, 2 * k);
     }},
    {"mma_m", "mmaf|mmai", "matrix", [](BrokenOp &s) -> Said {
       unsigned row = rowOf(s);
       int64_t m = s.shapeIn(0)[row];
       reshapeOperand(s, 0, row);
       return mismatch(" ", "lhs", row, 2 * m, "acc", row, m);
     }},
    {"mma_n", "mmaf|mmai", "matrix", [](BrokenOp &s) -> Said {
       unsigned column = rowOf(s) + 1;
       int64_t n = s.shapeIn(1)[column];
       reshapeOperand(s, 1, column);
       return mismatch(" ", "rhs", column, 2 * n, "acc", column, n);
     }},
    {"mma_batch_rhs", "mmaf|mmai", "matrix", [](BrokenOp &s) -> Said {
       if (rowOf(s) == 0)
         return std::nullopt;
       int64_t batch = s.shapeIn(0)[0];
       reshapeOperand(s, 1, 0);
       return mismatch("", "lhs", 0, batch, "rhs", 0, 2 * batch);
     }},
    {"mma_batch_acc", "mmaf|mmai", "matrix", [](BrokenOp &s) -> Said {
       if (rowOf(s) == 0)
         return std::nullopt;
       int64_t batch = s.shapeIn(0)[0];
       reshapeOperand(s, 0, 0);
       reshapeOperand(s, 1, 0);
       return mismatch("", "lhs", 0, 2 * batch, "acc", 0, batch);
     }},
    {"mma_types", "mmaf", "matrix", [](BrokenOp &s) -> Said {
       mlir::Type acc = s.elementIn(2);
       mlir::Type input = typeOf(s.context(), acc.isF32() ? "f64" : "bf16");
       s.operand(0, tile(s.shapeIn(0), input));
       s.operand(1, tile(s.shapeIn(1), input));
       return "unsupported combination of element types. Input type " + quoted(input) +
              " expects accumulator/result type to be one of {" + quoted(typeOf(s.context(), acc.isF32() ? "f64" : "f32")) +
              "}, but got " + quoted(acc);
     }},
    {"mma_element", "mmaf", "matrix", [](BrokenOp &s) -> Said {
       s.operand(1, tile(s.shapeIn(1), elementBut(s, s.elementIn(0), {"f16", "bf16", "f32"})));
       return "all of {lhs, rhs} have the same element type";
     }},
    {"scaled_rows", "mmaf_scaled", "mmaf_scaled", [](BrokenOp &s) -> Said {
       unsigned row = rowOf(s);
       int64_t m = s.shapeIn(0)[row];
       reshapeOperand(s, 3, row);
       return mismatch("", "lhs", row, m, "lhs_scale", row, 2 * m);
     }},
    {"scaled_divisor", "mmaf_scaled", "mmaf_scaled", [](BrokenOp &s) -> Said {
       unsigned row = rowOf(s);
       int64_t k = s.shapeIn(0)[row + 1];
       Shape left = s.shapeIn(3), right = s.shapeIn(4);
       left[row + 1] = right[row] = 2 * k;
       s.operand(3, tile(left, s.elementIn(3)));
       s.operand(4, tile(right, s.elementIn(4)));
       return ("shape error: dim " + llvm::Twine(row + 1) + " of lhs_scale (" + llvm::Twine(2 * k) +
               ") must be a divisor of dim " + llvm::Twine(row + 1) + " of lhs (" + llvm::Twine(k) + ")").str();
     }},
    {"scaled_f8_factor", "mmaf_scaled", "mmaf_scaled", [](BrokenOp &s) -> Said {
       unsigned row = rowOf(s);
       if (s.elementIn(0).getIntOrFloatBitWidth() != 8)
         return std::nullopt;
       reshapeOperand(s, 3, row + 1);
       reshapeOperand(s, 4, row);
       return "shape error: f8 element type requires block scale factor of lhs_scale and rhs_scale to be 32, but got 16";
     }},
    {"scaled_types", "mmaf_scaled", "mmaf_scaled", [](BrokenOp &s) -> Said {
       if (s.elementIn(0).getIntOrFloatBitWidth() != 8)
         return std::nullopt;
       mlir::Type scale = typeOf(s.context(), "f8E4M3FN");
       s.operand(3, tile(s.shapeIn(3), scale));
       s.operand(4, tile(s.shapeIn(4), scale));
       return "unsupported combination of element types. Scale type 'f8E4M3FN' expects lhs and rhs element types to be 'f4E2M1FN', but got " +
              quoted(s.elementIn(0));
     }},
    {"scaled_f4_e4m3", "mmaf_scaled", "mmaf_scaled", [](BrokenOp &s) -> Said {
       unsigned row = rowOf(s);
       int64_t k = s.shapeIn(0)[row + 1];
       if (s.elementIn(0).getIntOrFloatBitWidth() != 4 || k < 32)
         return std::nullopt;
       mlir::Type scale = typeOf(s.context(), "f8E4M3FN");
       Shape left = s.shapeIn(3), right = s.shapeIn(4);
       left[row + 1] = right[row] = k / 32;
       s.operand(3, tile(left, scale));
       s.operand(4, tile(right, scale));
       return "shape error: f4E2M1FN element type with f8E4M3FN scales requires block scale factor of lhs_scale and rhs_scale to be 16, but got 32";
     }},
    {"scaled_f4_e8m0", "mmaf_scaled", "mmaf_scaled", [](BrokenOp &s) -> Said {
       unsigned row = rowOf(s);
       int64_t k = s.shapeIn(0)[row + 1];
       if (s.elementIn(0).getIntOrFloatBitWidth() != 4 || k < 8)
         return std::nullopt;
       // Blocks of 8, or of 64 where there are so many elements.
       int64_t block = k >= 64 && s.stream.chance(50) ? 64 : 8;
       mlir::Type scale = typeOf(s.context(), "f8E8M0FNU");
       Shape left = s.shapeIn(3), right = s.shapeIn(4);
       left[row + 1] = right[row] = k / block;
       s.operand(3, tile(left, scale));
       s.operand(4, tile(right, scale));
       return "shape error: f4E2M1FN element type with f8E8M0FNU scales requires block scale factor of lhs_scale and rhs_scale to be 16 or 32, but got " +
              std::to_string(block);
     }},
};
// clang-format on

llvm::ArrayRef<OpBreaker> tilesmith::generators::arithmeticOpBreakers() {
  return kBreakers;
}
