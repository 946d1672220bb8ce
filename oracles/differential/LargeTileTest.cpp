//===- LargeTileTest.cpp - exchanges that do not fit into shared memory at once ---------------===//
//
// Tiles of 64 KiB and more are concatenated, sliced, reinterpreted, scanned, reduced and converted:
// the compiler does so in rounds. Every element of the result is compared with the reference, at
// -O0 and -O3.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/BytecodeWriter.h"
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "oracles/differential/Differential.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

/// `body` computes %res : tile<COUNTxi32> from %a, the numbers 0 to 16383 times 2654435761.
std::string kernelOf(const std::string &body, int64_t count) {
  std::string n = std::to_string(count);
  return "cuda_tile.module @m {\nentry @kernel(%out: tile<ptr<i32>>) {\n"
         "%c1 = constant <i32: 1> : tile<i32>\n%c0 = constant <i32: 0> : tile<i32>\n"
         "%i = iota : tile<16384xi32>\n%f = constant <i32: 1640531527> : tile<16384xi32>\n"
         "%a = muli %i, %f : tile<16384xi32>\n" +
         body +
         "%o1 = reshape %out : tile<ptr<i32>> -> tile<1xptr<i32>>\n%ob = broadcast %o1 : "
         "tile<1xptr<i32>> -> tile<" +
         n + "xptr<i32>>\n%oi = iota : tile<" + n + "xi32>\n%op = offset %ob, %oi : tile<" + n +
         "xptr<i32>>, tile<" + n + "xi32> -> tile<" + n +
         "xptr<i32>>\n%te = store_ptr_tko weak %op, %res : tile<" + n + "xptr<i32>>, tile<" + n +
         "xi32> -> token\nreturn\n}\n}\n";
}

void expectAgreement(const std::string &body, int64_t count) {
  mlir::DialectRegistry registry;
  registry.insert<cuda_tile::CudaTileDialect>();
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(kernelOf(body, count), &context);
  ASSERT_TRUE(module);
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  llvm::cantFail(
      bytecode::writeBytecode(*module->getOps<cuda_tile::ModuleOp>().begin(), stream, {13, 5, 0}));
  testcase::TestCase test;
  test.name = "large";
  testcase::Launch &launch = test.launches.emplace_back();
  launch.kernel = "kernel";
  launch.modules.push_back({"13.5", "m.tileirbc", testcase::Bytes(bytes.begin(), bytes.end())});
  testcase::Buffer &buffer = test.buffers.emplace_back();
  buffer.dtype = testcase::DataType::I32;
  buffer.shape = {count};
  buffer.strides = {1};
  buffer.data.resize(4 * count);
  buffer.compare.mode = testcase::Comparison::Mode::Enclosure; // no stored expectation
  launch.params.push_back(testcase::Parameter::pointer(0, testcase::DataType::I32));
  auto engines = llvm::cantFail(createEngines("reference,emulator"));
  for (unsigned level : {0, 3}) {
    DifferentialOptions options;
    options.engine.compile.optLevel = level;
    options.compareWithSelf = false;
    ModuleReport report = judgeModule(test, "13.5", engines, options);
    EXPECT_TRUE(report.verdict.isAgree()) << "-O" << level << ": " << report.verdict.str();
  }
}

TEST(LargeTileTest, Concatenation) {
  expectAgreement("%b = addi %a, %i : tile<16384xi32>\n%x = reshape %a : tile<16384xi32> -> "
                  "tile<64x256xi32>\n%y = reshape %b : tile<16384xi32> -> tile<64x256xi32>\n"
                  "%z = cat %x, %y dim = 1 : tile<64x256xi32>, tile<64x256xi32> -> "
                  "tile<64x512xi32>\n%res = reshape %z : tile<64x512xi32> -> tile<32768xi32>\n",
                  32768);
}

TEST(LargeTileTest, Slices) {
  expectAgreement("%x = reshape %a : tile<16384xi32> -> tile<64x256xi32>\n"
                  "%y = extract %x[%c1, %c1] : tile<64x256xi32> -> tile<32x128xi32>\n"
                  "%res = reshape %y : tile<32x128xi32> -> tile<4096xi32>\n",
                  4096);
  expectAgreement("%b = addi %a, %a : tile<16384xi32>\n%d = cat %a, %b dim = 0 : tile<16384xi32>, "
                  "tile<16384xi32> -> tile<32768xi32>\n"
                  "%res = insert %b, %d[%c0] : tile<16384xi32>, tile<32768xi32>\n",
                  32768);
}

TEST(LargeTileTest, OneElement) {
  expectAgreement("%k = constant <i32: 12345> : tile<i32>\n"
                  "%y = extract %a[%k] : tile<16384xi32> -> tile<1xi32>\n"
                  "%z = broadcast %y : tile<1xi32> -> tile<128xi32>\n%r = iota : tile<128xi32>\n"
                  "%res = addi %z, %r : tile<128xi32>\n",
                  128);
}

TEST(LargeTileTest, Bytes) {
  expectAgreement("%p = pack %a : tile<16384xi32> -> tile<65536xi8>\n"
                  "%q = addi %p, %p : tile<65536xi8>\n"
                  "%res = unpack %q : tile<65536xi8> -> tile<16384xi32>\n",
                  16384);
}

TEST(LargeTileTest, Scans) {
  for (const char *direction : {"dim=0 reverse=false", "dim=1 reverse=true"})
    expectAgreement(std::string("%x = reshape %a : tile<16384xi32> -> tile<128x128xi32>\n"
                                "%y = scan %x ") +
                        direction +
                        " identities=[0 : i32] : tile<128x128xi32> -> tile<128x128xi32>\n"
                        "(%l: tile<i32>, %r: tile<i32>) {\n%s = addi %l, %r : tile<i32>\n"
                        "yield %s : tile<i32>\n}\n"
                        "%res = reshape %y : tile<128x128xi32> -> tile<16384xi32>\n",
                    16384);
}

TEST(LargeTileTest, Reductions) {
  expectAgreement("%x = reshape %a : tile<16384xi32> -> tile<4x4096xi32>\n"
                  "%t = permute %x [1, 0] : tile<4x4096xi32> -> tile<4096x4xi32>\n"
                  "%y = cat %x, %x dim = 0 : tile<4x4096xi32>, tile<4x4096xi32> -> "
                  "tile<8x4096xi32>\n"
                  "%res = reduce %y dim=0 identities=[0 : i32] : tile<8x4096xi32> -> "
                  "tile<4096xi32>\n(%l: tile<i32>, %r: tile<i32>) {\n%s = addi %l, %r : "
                  "tile<i32>\nyield %s : tile<i32>\n}\n",
                  4096);
}

// The warps share the reduced dimension: their partial results for all elements need 64 KiB (two
// operands: 128 KiB), which travel in two rounds (four).
TEST(LargeTileTest, PartialResultsInRounds) {
  for (const char *shape : {"32x4x128", "32x2x256"}) {
    std::string x = shape, y = x == "32x4x128" ? "32x128" : "32x256";
    int64_t count = x == "32x4x128" ? 4096 : 8192;
    std::string flat = std::to_string(count);
    expectAgreement("%x = reshape %a : tile<16384xi32> -> tile<" + x +
                        "xi32>\n%y = reduce %x dim=1 "
                        "identities=[0 : i32] : tile<" +
                        x + "xi32> -> tile<" + y +
                        "xi32>\n(%l: tile<i32>, %r: tile<i32>) {\n%s = addi %l, %r : tile<i32>\n"
                        "yield %s : tile<i32>\n}\n%res = reshape %y : tile<" +
                        y + "xi32> -> tile<" + flat + "xi32>\n",
                    count);
    expectAgreement("%x = reshape %a : tile<16384xi32> -> tile<" + x +
                        "xi32>\n%w = reshape %i : "
                        "tile<16384xi32> -> tile<" +
                        x +
                        "xi32>\n%y, %z = reduce %x, %w dim=1 "
                        "identities=[0 : i32, -1 : i32] : tile<" +
                        x + "xi32>, tile<" + x + "xi32> -> tile<" + y + "xi32>, tile<" + y +
                        "xi32>\n(%l: tile<i32>, %r: tile<i32>, %m: tile<i32>, %n: tile<i32>) {\n"
                        "%s = addi %l, %r : tile<i32>\n%t = maxi %m, %n signed : tile<i32>\n"
                        "yield %s, %t : tile<i32>, tile<i32>\n}\n%v = addi %y, %z : tile<" +
                        y + "xi32>\n%res = reshape %v : tile<" + y + "xi32> -> tile<" + flat +
                        "xi32>\n",
                    count);
  }
}

TEST(LargeTileTest, Transposition) {
  expectAgreement("%x = reshape %a : tile<16384xi32> -> tile<64x256xi32>\n"
                  "%t = permute %x [1, 0] : tile<64x256xi32> -> tile<256x64xi32>\n"
                  "%res = reshape %t : tile<256x64xi32> -> tile<16384xi32>\n",
                  16384);
}

} // namespace
