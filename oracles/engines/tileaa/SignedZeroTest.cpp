//===- SignedZeroTest.cpp - maxf and minf of zeros and NaN, from cuda_tile to machine code ----===//
//
// +0 is larger than -0 for every maximum and minimum; a NaN is handed on or loses against a number.
// All pairs of {+0, -0, NaN, 1} go through every engine at -O0 and -O3 and must give the bits that
// this file computes.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/BytecodeWriter.h"
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "oracles/differential/Differential.h"
#include "reference/value/Float.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

struct Format {
  const char *name;
  testcase::DataType data;
  reference::ElementType element;
};

class SignedZeroTest : public ::testing::TestWithParam<Format> {};

const char *kOps[] = {"maxf %x, %y", "minf %x, %y", "maxf %x, %y propagate_nan",
                      "minf %x, %y propagate_nan"};

/// %NAMEp: a tile of pointers to 16 elements behind %NAME.
std::string pointers(const std::string &name) {
  return "%" + name + "1 = reshape %" + name + " : tile<ptr<T>> -> tile<1xptr<T>>\n%" + name +
         "2 = broadcast %" + name + "1 : tile<1xptr<T>> -> tile<16xptr<T>>\n%" + name +
         "p = offset %" + name + "2, %i : tile<16xptr<T>>, tile<16xi32> -> tile<16xptr<T>>\n";
}

std::string kernelText(const std::string &type) {
  std::string text = "cuda_tile.module @m {\nentry @k(%a: tile<ptr<T>>, %b: tile<ptr<T>>, "
                     "%o: tile<ptr<T>>) {\n%i = iota : tile<16xi32>\n" +
                     pointers("a") + pointers("b") + pointers("o") +
                     "%x, %t0 = load_ptr_tko weak %ap : tile<16xptr<T>> -> tile<16xT>, token\n"
                     "%y, %t1 = load_ptr_tko weak %bp : tile<16xptr<T>> -> tile<16xT>, token\n";
  for (unsigned k = 0; k < 4; ++k) {
    std::string n = std::to_string(k);
    text += "%r" + n + " = " + kOps[k] + " : tile<16xT>\n%c" + n +
            " = constant <i32: " + std::to_string(16 * k) + "> : tile<16xi32>\n%q" + n +
            " = offset %op, %c" + n + " : tile<16xptr<T>>, tile<16xi32> -> tile<16xptr<T>>\n%s" +
            n + " = store_ptr_tko weak %q" + n + ", %r" + n +
            " : tile<16xptr<T>>, tile<16xT> -> token\n";
  }
  text += "return\n}\n}\n";
  size_t at = 0;
  for (std::string mark : {"<T>", "xT>"})
    for (at = text.find(mark); at != std::string::npos; at = text.find(mark, at))
      text.replace(at + 1, 1, type);
  return text;
}

double expected(unsigned op, double x, double y) {
  bool isMax = op % 2 == 0, propagates = op >= 2;
  if (std::isnan(x) || std::isnan(y))
    return propagates || (std::isnan(x) && std::isnan(y)) ? std::nan("") : std::isnan(x) ? y : x;
  if (x == y) // zeros: the sign decides
    return std::signbit(x) == isMax ? y : x;
  return (x < y) == isMax ? y : x;
}

TEST_P(SignedZeroTest, EveryEngineKeepsTheOrderOfZeros) {
  const Format &format = GetParam();
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<cuda_tile::CudaTileDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(kernelText(format.name), &context);
  ASSERT_TRUE(module);
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  llvm::Error error =
      bytecode::writeBytecode(*module->getOps<cuda_tile::ModuleOp>().begin(), stream);
  ASSERT_FALSE(bool(error)) << llvm::toString(std::move(error));

  const double values[] = {0.0, -0.0, std::nan(""), 1.0};
  auto append = [&](testcase::Bytes &to, double value) {
    uint64_t bits = reference::encode(format.element, value);
    for (unsigned i = 0; i < reference::bytesOf(format.element); ++i)
      to.push_back(static_cast<uint8_t>(bits >> (8 * i)));
  };
  testcase::Buffer a, b, out;
  for (testcase::Buffer *buffer : {&a, &b, &out}) {
    buffer->dtype = format.data;
    buffer->shape = {buffer == &out ? 64 : 16};
    buffer->strides = {1};
  }
  for (double x : values)
    for (double y : values)
      append(a.data, x), append(b.data, y);
  out.expect.emplace();
  for (unsigned op = 0; op < 4; ++op)
    for (double x : values)
      for (double y : values)
        append(out.data, 7.0), append(*out.expect, expected(op, x, y));
  testcase::TestCase testCase;
  testCase.name = "signed zeros";
  testCase.buffers = {a, b, out};
  testcase::Launch &launch = testCase.launches.emplace_back();
  launch.kernel = "k";
  launch.modules.push_back({"13.3", "m.tileirbc", testcase::Bytes(bytes.begin(), bytes.end())});
  for (unsigned i = 0; i < 3; ++i)
    launch.params.push_back(testcase::Parameter::pointer(i, format.data));

  auto engines = llvm::cantFail(createEngines("reference,tileaa,tileaa-opt,emulator"));
  for (unsigned level : {0u, 3u}) {
    DifferentialOptions options;
    options.engine.compile.optLevel = level;
    ModuleReport report = judgeModule(testCase, "13.3", engines, options);
    EXPECT_TRUE(report.verdict.isAgree()) << "-O" << level << ": " << report.verdict.str();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Formats, SignedZeroTest,
    ::testing::Values(Format{"f16", testcase::DataType::F16, reference::ElementType::F16},
                      Format{"bf16", testcase::DataType::BF16, reference::ElementType::BF16},
                      Format{"f32", testcase::DataType::F32, reference::ElementType::F32},
                      Format{"f64", testcase::DataType::F64, reference::ElementType::F64}),
    [](const auto &info) { return std::string(info.param.name); });

} // namespace
