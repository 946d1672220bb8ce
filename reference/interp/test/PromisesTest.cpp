//===- PromisesTest.cpp - broken promises of integer ops on all small operands ----------------===//
//
// A broken overflow flag or a division without a result ends the launch, so every pair of i8 and
// every i16 is a launch of its own here, judged by plain C++.
//
//===------------------------------------------------------------------------------------------===//
#include <gtest/gtest.h>

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "reference/interp/RunCase.h"

using namespace tilesmith;
using namespace tilesmith::reference;

namespace {

/// One launch per case: which promises are broken. `type` i8: a pair of bytes; i16: one word.
class Promises {
public:
  Promises(const std::string &body, const char *type) {
    loadReferenceDialects(context);
    context.getLoadedDialect<cuda_tile::CudaTileDialect>()->setProfile(
        cuda_tile::Profile::Tileiras13_5);
    std::string tile = std::string("tile<") + type + ">";
    module =
        mlir::parseSourceString<mlir::ModuleOp>("cuda_tile.module @m {\nentry @k(%a: " + tile +
                                                    ", %b: " + tile + ") {\n" + body + "\n}\n}\n",
                                                &context);
    request.entry = "k";
    request.arguments.resize(2);
  }
  /// The kind of the undefined behaviour; empty if there is none.
  std::string broken(uint64_t a, uint64_t b) {
    if (!module)
      return "does not parse";
    request.arguments = {a, b};
    Outcome outcome = interpreter.launch(*module->getOps<cuda_tile::ModuleOp>().begin(), request);
    return outcome.completed() ? "" : outcome.detail;
  }

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  Interpreter interpreter;
  LaunchRequest request;
};

TEST(ExhaustiveTest, OverflowPromisesOnAllPairsOfBytes) {
  struct Case {
    const char *op;
    int (*exact)(int, int);
  };
  for (const Case &c : {Case{"addi", [](int a, int b) { return a + b; }},
                        Case{"subi", [](int a, int b) { return a - b; }},
                        Case{"muli", [](int a, int b) { return a * b; }},
                        Case{"shli", [](int a, int b) { return a * (1 << (b & 7)); }}})
    for (auto [flag, isSigned, isUnsigned] : {std::tuple("no_signed_wrap", true, false),
                                              {"no_unsigned_wrap", false, true},
                                              {"no_wrap", true, true}}) {
      Promises promises(std::string("%r = ") + c.op + " %a, %b overflow<" + flag + "> : tile<i8>",
                        "i8");
      bool isShift = c.op[0] == 's' && c.op[1] == 'h';
      for (int a = 0; a < 256; ++a)
        for (int b = 0; b < (isShift ? 8 : 256); ++b) {
          int s = c.exact(static_cast<int8_t>(a), static_cast<int8_t>(b)), u = c.exact(a, b);
          std::string want = isSigned && (s < -128 || s > 127)  ? "signed-overflow"
                             : isUnsigned && (u < 0 || u > 255) ? "unsigned-overflow"
                                                                : "";
          ASSERT_EQ(promises.broken(a, b), want) << c.op << ' ' << flag << ' ' << a << ' ' << b;
        }
    }
}

TEST(ExhaustiveTest, DivisionsWithoutAResultOnAllPairsOfBytes) {
  for (const char *op : {"divi", "remi"})
    for (bool isSigned : {false, true}) {
      Promises promises(std::string("%r = ") + op + " %a, %b " +
                            (isSigned ? "signed" : "unsigned") + " : tile<i8>",
                        "i8");
      for (int a = 0; a < 256; ++a)
        for (int b = 0; b < 256; ++b) {
          bool noQuotient = isSigned && a == 128 && b == 255 && op[0] == 'd';
          ASSERT_EQ(promises.broken(a, b), b == 0       ? "division-by-zero"
                                           : noQuotient ? "signed-overflow"
                                                        : "")
              << op << ' ' << a << ' ' << b;
        }
    }
}

TEST(ExhaustiveTest, OverflowPromisesOnAllWords) {
  for (auto [flag, isSigned, isUnsigned] : {std::tuple("no_signed_wrap", true, false),
                                            {"no_unsigned_wrap", false, true},
                                            {"no_wrap", true, true}}) {
    Promises cut(std::string("%r = trunci %a overflow<") + flag + "> : tile<i16> -> tile<i8>",
                 "i16");
    for (int a = 0; a < 65536; ++a) {
      int s = static_cast<int16_t>(a);
      std::string want = isSigned && (s < -128 || s > 127) ? "signed-overflow"
                         : isUnsigned && a > 255           ? "unsigned-overflow"
                                                           : "";
      ASSERT_EQ(cut.broken(a, 0), want) << flag << ' ' << a;
    }
  }
  Promises negation("%r = negi %a overflow<no_signed_wrap> : tile<i16>", "i16");
  for (int a = 0; a < 65536; ++a)
    ASSERT_EQ(negation.broken(a, 0), a == 32768 ? "signed-overflow" : "") << a;
}

} // namespace
