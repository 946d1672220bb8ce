//===- ProofModules.h - modules on which one rewrite must fire --------------------------------===//
//
// Each entry @k takes two conditions, two numbers, a buffer of 64 i32, all 256 values of i8 twice
// (the second time in another order), and all 65536 patterns of f16. Whoever runs it tries both
// values of both conditions, so that control flow is proven exhaustively, and elementwise rewrites
// at 8 bits for every value (and every tenth pair).
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_CAMPAIGN_PROOFMODULES_H
#define FUZZ_CAMPAIGN_PROOFMODULES_H

namespace tilesmith::fuzz {

/// `{0}` is the body of the entry; `@store N, %V` stores the i32 value %V in element N.
struct ProofModule {
  const char *rewrite, *body;
};

inline constexpr const char *kProofEntry = R"(cuda_tile.module @m {
  entry @k(%c: tile<i1>, %d: tile<i1>, %x: tile<i32>, %y: tile<i32>, %out: tile<ptr<i32>>,
           %bytes: tile<ptr<i8>>, %others: tile<ptr<i8>>, %wide: tile<ptr<i8>>,
           %halves: tile<ptr<f16>>) {
    %true = constant <i1: true> : tile<i1>
    BODY
  }
})";

/// Both buffers of bytes as tiles %a and %b, and `%k`, where %a is below %b.
#define TILESMITH_ALL_BYTES                                                                        \
  "@load %a, %bytes, 256xi8\n@load %b, %others, 256xi8\n"                                          \
  "%k = cmpi less_than %a, %b, signed : tile<256xi8> -> tile<256xi1>\n"

/// A sum of constants, inexact in places, in one rounding; both bytes of each element count.
#define TILESMITH_SUM_OF_CONSTANTS(mode)                                                           \
  "%p = constant <f16: [1.0, 0.1, -0.1, 65504.0, 0.0, 5.96e-8, -2048.0, 1.5]> : tile<8xf16>\n"     \
  "%q = constant <f16: [4.9e-4, 0.2, 0.3, 16.0, -0.0, 5.96e-8, 1.0, -1.5]> : tile<8xf16>\n"        \
  "%s = addf %p, %q rounding<" mode "> : tile<8xf16>\n"                                            \
  "%w = bitcast %s : tile<8xf16> -> tile<8xi16>\n%eight = constant <i16: 8> : tile<8xi16>\n"       \
  "%u2 = shri %w, %eight unsigned : tile<8xi16>\n%v = trunci %w : tile<8xi16> -> tile<8xi8>\n"     \
  "%v2 = trunci %u2 : tile<8xi16> -> tile<8xi8>\n%v3 = muli %v2, %v : tile<8xi8>\n"                \
  "%v4 = xori %v3, %v : tile<8xi8>\n@keep %v4, 8xi8\n"

inline constexpr ProofModule kProofModules[] = {
    {"SelectToNot", TILESMITH_ALL_BYTES "%f = constant <i1: false> : tile<256xi1>\n"
                                        "%t = constant <i1: true> : tile<256xi1>\n"
                                        "%s = select %k, %f, %t : tile<256xi1>, tile<256xi1>\n"
                                        "%r = select %s, %a, %b : tile<256xi1>, tile<256xi8>\n"
                                        "%g = exti %s signed : tile<256xi1> -> tile<256xi8>\n"
                                        "%h = xori %r, %g : tile<256xi8>\n@keep %h, 256xi8\n"},
    {"SelectToExtension", TILESMITH_ALL_BYTES
     "%0 = constant <i8: 0> : tile<256xi8>\n%1 = constant <i8: 1> : tile<256xi8>\n"
     "%s = select %k, %1, %0 : tile<256xi1>, tile<256xi8>\n@keep %s, 256xi8\n"},
    {"SelectToExtension", TILESMITH_ALL_BYTES
     "%0 = constant <i8: 0> : tile<256xi8>\n%1 = constant <i8: 1> : tile<256xi8>\n"
     "%s = select %k, %0, %1 : tile<256xi1>, tile<256xi8>\n@keep %s, 256xi8\n"},
    // The negative number of one bit must not become the number one.
    {"SelectToExtension", "%0 = constant <i32: 0> : tile<i32>\n%1 = constant <i32: 1> : tile<i32>\n"
                          "%m = constant <i32: -1> : tile<i32>\n"
                          "%s = select %c, %1, %0 : tile<i1>, tile<i32>\n"
                          "%n = select %d, %m, %0 : tile<i1>, tile<i32>\n"
                          "@store 0, %s\n@store 1, %n\n"},
    {"SelectOfConstants", "%p = constant <i1: [true, false, false, true]> : tile<4xi1>\n"
                          "%l = constant <i8: [1, 2, -128, 127]> : tile<4xi8>\n"
                          "%r = constant <i8: [5, 6, 7, -1]> : tile<4xi8>\n"
                          "%s = select %p, %l, %r : tile<4xi1>, tile<4xi8>\n@keep %s, 4xi8\n"},
    {"AddFOp::canonicalize",
     "@load %u, %halves, 65536xf16\n"
     "%half = constant <f16: 0.5> : tile<65536xf16>\n"
     "%z = negf %u : tile<65536xf16>\n"
     "%m = mulf %u, %half rounding<nearest_even> : tile<65536xf16>\n"
     "%s = addf %z, %m rounding<nearest_even> : tile<65536xf16>\n"
     "%w = bitcast %s : tile<65536xf16> -> tile<65536xi16>\n"
     "%v = trunci %w : tile<65536xi16> -> tile<65536xi8>\n@keep %v, 65536xi8\n"},
    {"AddFOp::canonicalize", TILESMITH_SUM_OF_CONSTANTS("nearest_even")},
    {"AddFOp::canonicalize", TILESMITH_SUM_OF_CONSTANTS("zero")},
    {"AddFOp::canonicalize", TILESMITH_SUM_OF_CONSTANTS("negative_inf")},
    {"AddFOp::canonicalize", TILESMITH_SUM_OF_CONSTANTS("positive_inf")},
    {"IfOp::fold", "%n = xori %c, %true : tile<i1>\n"
                   "if %n {\n@store 0, %x\n} else {\n@store 1, %y\n}\n"},
    {"IfOp::fold", "%n = xori %c, %true : tile<i1>\n%v = if %n -> (tile<i32>) {\n"
                   "%w = addi %x, %y : tile<i32>\n@store 0, %x\nyield %w : tile<i32>\n} else {\n"
                   "%w = subi %x, %y : tile<i32>\nyield %w : tile<i32>\n}\n@store 1, %v\n"},
    {"MoveTerminatorToParent",
     "if %c {\n@store 0, %x\nreturn\n} else {\n@store 1, %y\nreturn\n}\n@store 2, %x\n"},
    {"MoveTerminatorToParent", "if %c {\nif %d {\n@store 0, %x\nreturn\n} else {\n@store 1, "
                               "%y\nreturn\n}\n}\n@store 2, %x\n"},
    {"RemoveEmptyElseBranch", "if %c {\n@store 0, %x\n} else {\n}\n@store 1, %y\n"},
    {"CombineIfs", "if %c {\n@store 0, %x\n}\nif %c {\n@store 0, %y\n@store 1, %y\n}\n"},
    {"CombineIfs", "if %c {\n@store 0, %x\n} else {\n@store 1, %x\n}\n"
                   "if %c {\n@store 0, %y\n} else {\n@store 1, %y\n}\n"},
    {"CombineIfs", "%n = xori %c, %true : tile<i1>\n"
                   "if %c {\n@store 0, %x\n@store 1, %x\n}\nif %n {\n@store 1, %y\n}\n"},
    {"CombineIfs", "%v = if %c -> (tile<i32>) {\n%w = addi %x, %y : tile<i32>\n@store 0, %x\n"
                   "yield %w : tile<i32>\n} else {\n%w = subi %x, %y : tile<i32>\n"
                   "yield %w : tile<i32>\n}\n"
                   "%u = if %c -> (tile<i32>) {\n%w = muli %v, %x : tile<i32>\n@store 1, %v\n"
                   "yield %w : tile<i32>\n} else {\n%w = muli %v, %y : tile<i32>\n@store 2, %v\n"
                   "yield %w : tile<i32>\n}\n@store 3, %u\n@store 4, %v\n"},
    // What follows an exit is dead on that side alone.
    {"CombineIfs", "if %c {\n@store 0, %x\nreturn\n}\nif %c {\n@store 1, %y\n} else {\n"
                   "@store 2, %y\n}\n@store 3, %x\n"},
    {"CombineNestedIfs", "if %c {\nif %d {\n@store 0, %x\n@store 1, %y\n}\n}\n@store 2, %x\n"},
    {"CombineNestedIfs", "if %c {\nif %d {\n@store 0, %x\nreturn\n}\n}\n@store 2, %x\n"},
    {"CombineNestedIfs",
     "%v, %u = if %c -> (tile<i32>, tile<i32>) {\n%n = if %d -> (tile<i32>) {\n"
     "%w = addi %x, %y : tile<i32>\n@store 0, %x\nyield %w : tile<i32>\n} else {\n"
     "yield %x : tile<i32>\n}\nyield %n, %y : tile<i32>, tile<i32>\n} else {\n"
     "yield %x, %x : tile<i32>, tile<i32>\n}\n@store 1, %v\n@store 2, %u\n"},
};

} // namespace tilesmith::fuzz

#endif // FUZZ_CAMPAIGN_PROOFMODULES_H
