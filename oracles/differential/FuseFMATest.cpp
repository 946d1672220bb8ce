//===- FuseFMATest.cpp - fused kernels where fusing changes nothing ---------------------------===//
//
// fuse-fma rounds once in place of twice, so its results are compared where every product, sum and
// root is exact: random kernels over small multiples of 1/8 and over powers of four. The reference
// runs the kernel as it is, the emulated GPU the fused one; they must agree bit for bit.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/BytecodeWriter.h"
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "compiler/dialect/CudaTile/Transforms/Passes.h"
#include "compiler/support/Plants.h"
#include "oracles/differential/Differential.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

#include <random>

using namespace tilesmith;
using namespace tilesmith::oracles;
using llvm::formatv;

namespace {

constexpr unsigned kElements = 32;

/// A kernel of sums and products of two loaded tiles and of reciprocal roots of a third one.
class Program {
public:
  explicit Program(uint64_t seed) : random(seed), element(pick(2) ? "f32" : "f64") {
    values = {{load(0), 6, 3}, {load(1), 6, 3}};
    std::string root = load(2);
    emit("%root = sqrt {0} rounding<nearest_even> : {1}", root, tile());
    emit("%num = constant <{0}: {1}.0> : {2}", element, pick(3) ? 1 : 2, tile());
    emit("%quo = divf %num, %root rounding<nearest_even> : {0}", tile());
    values.push_back({"%quo", 6, 2});
    for (unsigned i = 0; i < 16; ++i)
      step();
    store(values.back().name);
    store(values[values.size() - 2].name);
  }

  std::string text() const {
    std::string arguments;
    for (unsigned i = 0; i < buffers; ++i)
      arguments += formatv("{0}%p{1}: tile<ptr<{2}>>", i ? ", " : "", i, element);
    return "cuda_tile.module @m {\nentry @kernel(" + arguments +
           ") {\n%at = iota : tile<32xi32>\n" + body + "return\n}\n}\n";
  }

  testcase::TestCase testCase(const std::string &bytes) {
    testcase::TestCase test;
    test.name = "fused";
    testcase::Launch &launch = test.launches.emplace_back();
    launch.kernel = "kernel";
    launch.modules.push_back({"13.5", "m.tileirbc", testcase::Bytes(bytes.begin(), bytes.end())});
    auto type = element == "f32" ? testcase::DataType::F32 : testcase::DataType::F64;
    for (unsigned i = 0; i < buffers; ++i) {
      testcase::Buffer &buffer = test.buffers.emplace_back();
      buffer.dtype = type;
      buffer.shape = {kElements};
      buffer.strides = {1};
      buffer.compare.mode = testcase::Comparison::Mode::Enclosure; // no stored expectation
      for (unsigned e = 0; e < kElements; ++e)
        append(buffer.data, i == 2 ? 1.0 / 16 * (1 << 2 * pick(5)) : (int(pick(128)) - 64) / 8.0);
      launch.params.push_back(testcase::Parameter::pointer(i, type));
    }
    return test;
  }

private:
  /// |value| < 2^(bits - fraction), a multiple of 2^-fraction: exact while it has 24 bits.
  struct Value {
    std::string name;
    unsigned bits, fraction;
  };

  unsigned pick(unsigned below) { return random() % below; }
  std::string tile(llvm::StringRef type = "") const {
    return formatv("tile<{0}x{1}>", kElements, type.empty() ? element : type);
  }
  template <typename... Args> void emit(const char *format, Args &&...args) {
    body += formatv(format, std::forward<Args>(args)...).str() + "\n";
  }
  void append(std::vector<uint8_t> &data, double value) const {
    float single = value;
    const auto *bytes = element == "f32" ? reinterpret_cast<const uint8_t *>(&single)
                                         : reinterpret_cast<const uint8_t *>(&value);
    data.insert(data.end(), bytes, bytes + (element == "f32" ? 4 : 8));
  }

  std::string pointers(unsigned buffer) {
    std::string type = "ptr<" + element + ">";
    emit("%r{0} = reshape %p{0} : tile<{1}> -> tile<1x{1}>", buffer, type);
    emit("%b{0} = broadcast %r{0} : tile<1x{1}> -> {2}", buffer, type, tile(type));
    emit("%a{0} = offset %b{0}, %at : {1}, tile<32xi32> -> {1}", buffer, tile(type));
    return formatv("%a{0}", buffer);
  }
  std::string load(unsigned buffer) {
    std::string from = pointers(buffers++);
    emit("%x{0}, %t{0} = load_ptr_tko weak {1} : {2} -> {3}, token", buffer, from,
         tile("ptr<" + element + ">"), tile());
    return formatv("%x{0}", buffer);
  }
  void store(const std::string &value) {
    std::string to = pointers(buffers++);
    emit("%s{0} = store_ptr_tko weak {1}, {2} : {3}, {4} -> token", buffers, to, value,
         tile("ptr<" + element + ">"), tile());
  }

  void step() {
    const Value a = values[pick(values.size())],
                b = pick(2) ? values.back() : values[pick(values.size())];
    unsigned kind = pick(4);
    Value result{formatv("%v{0}", values.size()), a.bits + b.bits, a.fraction + b.fraction};
    if (kind >= 2) {
      result.fraction = std::max(a.fraction, b.fraction);
      result.bits =
          1 + result.fraction + std::max(int(a.bits - a.fraction), int(b.bits - b.fraction));
    }
    if (result.bits > 24)
      return;
    emit("{0} = {1} {2}, {3} rounding<{4}> : {5}", result.name,
         kind < 2    ? "mulf"
         : kind == 2 ? "addf"
                     : "subf",
         a.name, b.name, pick(4) ? "nearest_even" : "negative_inf", tile());
    values.push_back(result);
  }

  std::mt19937_64 random;
  std::string element, body;
  std::vector<Value> values;
  unsigned buffers = 0;
};

struct Fused {
  unsigned fmas = 0, roots = 0;
};

/// Runs the program of `seed` fused; what it became is added to `fused`.
Verdict judge(uint64_t seed, llvm::ArrayRef<std::unique_ptr<Engine>> engines, Fused &fused) {
  mlir::DialectRegistry registry;
  registry.insert<cuda_tile::CudaTileDialect>();
  mlir::MLIRContext context(registry);
  Program program(seed);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(program.text(), &context);
  EXPECT_TRUE(module) << program.text();
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  llvm::cantFail(
      bytecode::writeBytecode(*module->getOps<cuda_tile::ModuleOp>().begin(), stream, {13, 5, 0}));
  mlir::PassManager manager(&context);
  manager.addPass(cuda_tile::createFuseFMAPass());
  EXPECT_TRUE(mlir::succeeded(manager.run(*module)));
  module->walk([&](cuda_tile::FmaOp) { ++fused.fmas; });
  module->walk([&](cuda_tile::RsqrtOp) { ++fused.roots; });
  return judgeModule(program.testCase(bytes), "13.5", engines, {}).verdict;
}

TEST(FuseFMA, ExactKernelsKeepTheirResults) {
  auto engines = llvm::cantFail(createEngines(
      "reference,emulator@fuse-fma:O0,emulator@fuse-fma:O3,emulator@fuse-fma:O2:sm_100"));
  Fused fused;
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    Verdict verdict = judge(seed, engines, fused);
    EXPECT_TRUE(verdict.isAgree()) << "seed " << seed << ": " << verdict.str();
  }
  EXPECT_GE(fused.fmas, 30u);
  EXPECT_GE(fused.roots, 50u);
}

TEST(FuseFMA, PlantedBugsAreFound) {
  if (plantRegistry().empty())
    GTEST_SKIP() << "built without planted bugs";
  auto engines = llvm::cantFail(createEngines("reference,emulator@fuse-fma"));
  for (const char *plant : {"fuse-fma-difference-added", "fuse-rsqrt-of-any-numerator"}) {
    llvm::cantFail(activatePlant(plant));
    Fused fused;
    bool found = false;
    for (uint64_t seed = 1; seed <= 50 && !found; ++seed)
      found = !judge(seed, engines, fused).isAgree();
    EXPECT_TRUE(found) << plant;
    deactivatePlants();
  }
}

} // namespace
