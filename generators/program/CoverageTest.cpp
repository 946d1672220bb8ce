//===- CoverageTest.cpp -----------------------------------------------------------------------===//
#include "generators/program/Coverage.h"

#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "generators/program/Digest.h"
#include "generators/program/ProgramGenerator.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include "gtest/gtest.h"

#include <map>
#include <set>

using namespace tilesmith;
using namespace tilesmith::generators;

namespace {

std::string spell(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// All element types of tiles.
std::vector<mlir::Type> elementTypes(mlir::MLIRContext &context) {
  mlir::OpBuilder b(&context);
  return {b.getI1Type(),
          b.getI8Type(),
          b.getI16Type(),
          b.getI32Type(),
          b.getI64Type(),
          b.getF16Type(),
          b.getBF16Type(),
          b.getF32Type(),
          b.getF64Type(),
          b.getTF32Type(),
          b.getType<mlir::Float8E4M3FNType>(),
          b.getType<mlir::Float8E5M2Type>(),
          b.getType<mlir::Float8E8M0FNUType>(),
          b.getType<mlir::Float4E2M1FNType>(),
          b.getIntegerType(4)};
}

mlir::Type elementOf(mlir::Type type) {
  auto tile = llvm::dyn_cast<cuda_tile::TileType>(type);
  if (!tile)
    return {};
  if (auto pointer = llvm::dyn_cast<cuda_tile::PointerType>(tile.getElementType()))
    return pointer.getPointeeType();
  return tile.getElementType();
}

/// Does the verifier take the op with `from` replaced by `to` everywhere? The op has no region.
bool accepts(mlir::Operation &op, mlir::Type from, mlir::Type to) {
  mlir::AttrTypeReplacer replacer;
  replacer.addReplacement([&](mlir::Type type) -> std::optional<mlir::Type> {
    return type == from ? std::optional<mlir::Type>(to) : std::nullopt;
  });
  // Lists of numbers in types and attributes name i32 as well; they stay what they are.
  replacer.addReplacement(
      [](mlir::DenseArrayAttr list) -> std::optional<std::pair<mlir::Attribute, mlir::WalkResult>> {
        return std::pair<mlir::Attribute, mlir::WalkResult>(list, mlir::WalkResult::skip());
      });
  mlir::OpBuilder b(op.getContext());
  mlir::Location loc = b.getUnknownLoc();
  mlir::OwningOpRef<mlir::ModuleOp> holder(mlir::ModuleOp::create(loc));
  b.setInsertionPointToStart(holder->getBody());
  bool made = true;
  mlir::ScopedDiagnosticHandler quiet(op.getContext(),
                                      [](mlir::Diagnostic &) { return mlir::success(); });
  auto convert = [&](mlir::Type type) -> mlir::Type {
    // A type that cannot be is refused here already.
    auto tile = llvm::dyn_cast<cuda_tile::TileType>(type);
    if (!tile) {
      type.walk([&](cuda_tile::TensorViewType view) {
        if (view.getElementType() == from)
          made &= mlir::succeeded(cuda_tile::TensorViewType::verifyInvariants(
              [&] { return mlir::emitError(loc); }, to, view.getShape(), view.getStrides(),
              view.getPtrAttr()));
      });
      return elementOf(type) || !made ? type : replacer.replace(type);
    }
    mlir::Type element = tile.getElementType();
    if (auto pointer = llvm::dyn_cast<cuda_tile::PointerType>(element)) {
      if (pointer.getPointeeType() == from)
        element = cuda_tile::PointerType::getChecked([&] { return mlir::emitError(loc); }, to);
    } else if (element == from) {
      element = to;
    }
    if (!element) {
      made = false;
      return type;
    }
    auto result = cuda_tile::TileType::getChecked([&] { return mlir::emitError(loc); },
                                                  op.getContext(), tile.getShape(), element);
    made &= static_cast<bool>(result);
    return result ? result : type;
  };
  mlir::OperationState state(loc, op.getName());
  for (mlir::Value operand : op.getOperands()) {
    mlir::OperationState source(loc, "builtin.unrealized_conversion_cast");
    source.addTypes(convert(operand.getType()));
    state.addOperands(b.create(source)->getResult(0));
  }
  for (mlir::Type type : op.getResultTypes())
    state.addTypes(convert(type));
  state.addAttributes(op.getAttrs());
  return made && mlir::succeeded(mlir::verify(b.create(state)));
}

// The verifier decides which element types an op takes: whatever it takes in place of one that was
// generated has a row.
TEST(Coverage, TheTablesHoldAllThatTheVerifierTakes) {
  ProgramGenerator generator;
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  std::map<std::string, unsigned> samples;
  std::set<std::string> missing;
  for (uint64_t i = 0; i < 400; ++i) {
    ChoiceStream stream = streamOfCase(41, i);
    auto testCase = generator.generate(stream, "case");
    ASSERT_TRUE(static_cast<bool>(testCase)) << llvm::toString(testCase.takeError());
    const testcase::ModuleFile &file = testCase->launches[0].modules[0];
    auto module = bytecode::readBytecode(llvm::toStringRef(file.bytes), &context);
    ASSERT_TRUE(static_cast<bool>(module)) << llvm::toString(module.takeError());
    (**module)->walk([&](mlir::Operation *op) {
      std::string name = op->getName().stripDialect().str();
      // Constants and regions hold their element type in more than their operands and results.
      if (op->getNumRegions() > 0 || op->hasTrait<mlir::OpTrait::IsTerminator>() ||
          llvm::isa<cuda_tile::ConstantOp, cuda_tile::GlobalOp, cuda_tile::GetGlobalOp>(op))
        return;
      std::set<std::string> done;
      for (mlir::Type type : llvm::concat<const mlir::Type>(
               llvm::to_vector(op->getOperandTypes()), llvm::to_vector(op->getResultTypes()))) {
        mlir::Type from = elementOf(type);
        if (!from || !done.insert(spell(from)).second || ++samples[name + spell(from)] > 4)
          continue;
        for (mlir::Type to : elementTypes(context)) {
          const OpRow *row = findOpRow(name);
          ASSERT_TRUE(row) << name;
          std::string elements = std::string(" ") + row->elements + " ";
          if (elements.find(" " + spell(to) + " ") == std::string::npos && accepts(*op, from, to))
            missing.insert("element " + name + " " + spell(to));
        }
      }
    });
  }
  for (const std::string &row : missing)
    ADD_FAILURE() << "the verifier takes '" << row << "', which is in no table";
}

// The printed table, and the bytes of all its cases, are those that were stored:
//   tilesmith generate --coverage --digest --seed 1 --count 1000 > generators/program/coverage.txt
TEST(Coverage, TheStoredTableIsWhatIsGenerated) {
  const char *source = std::getenv("TILESMITH_SOURCE_DIR");
  std::string path = std::string(source ? source : ".") + "/generators/program/coverage.txt";
  auto stored = llvm::MemoryBuffer::getFile(path);
  ASSERT_TRUE(static_cast<bool>(stored)) << path;
  ProgramGenerator generator;
  Coverage coverage;
  Digest digest;
  for (uint64_t i = 0; i < 1000; ++i) {
    ChoiceStream stream = streamOfCase(1, i);
    auto testCase = generator.generate(stream, nameOfCase(1, i));
    ASSERT_TRUE(static_cast<bool>(testCase)) << llvm::toString(testCase.takeError());
    digest.add(*testCase);
    llvm::Error error = coverage.add(*testCase);
    ASSERT_FALSE(static_cast<bool>(error)) << llvm::toString(std::move(error));
  }
  EXPECT_EQ(coverage.problems(0), std::vector<std::string>());
  std::string text;
  llvm::raw_string_ostream out(text);
  coverage.print(out);
  out << digest.str() << '\n';
  // Line by line: one row that differs is easier to read than a thousand.
  llvm::SmallVector<llvm::StringRef> want, got;
  (*stored)->getBuffer().split(want, '\n');
  llvm::StringRef(text).split(got, '\n');
  EXPECT_EQ(want.size(), got.size());
  for (auto [x, y] : llvm::zip(want, got))
    EXPECT_EQ(x, y);
}

// What a thousand kernels cannot tell: three times as many kernels are drawn as the rarest feature needs to be
// missed, so that none goes missing by chance, and one that is drawn a quarter as often as it was is seen.
TEST(Coverage, RareFeaturesOccurAsOftenAsTheirFloors) {
  uint64_t kernels = 1000;
  for (const FeatureRow &row : featureRows())
    kernels = std::max(kernels, 3 * kernelsThatTell(row.floor));
  ProgramGenerator generator;
  GeneratorOptions options;
  options.inputs = false;
  std::map<std::string, uint64_t> counts;
  for (uint64_t i = 0; i < kernels; ++i) {
    ChoiceStream stream = streamOfCase(1, i);
    auto testCase = generator.generate(stream, "case", options);
    ASSERT_TRUE(static_cast<bool>(testCase)) << llvm::toString(testCase.takeError());
    for (const std::string &feature : testCase->features)
      ++counts[feature];
  }
  for (const FeatureRow &row : featureRows()) {
    EXPECT_GT(leastOfFeature(row.floor, kernels), 0u) << row.feature;
    EXPECT_GE(counts[row.feature], leastOfFeature(row.floor, kernels))
        << row.feature << ": in " << counts[row.feature] << " of " << kernels
        << " kernels, expected " << row.floor << " of 1000 in the mean";
  }
}

// Sums of the binomial distribution, in exact fractions, by another program.
TEST(Coverage, TheBoundIsThatOfTheBinomialDistribution) {
  EXPECT_EQ(leastOfFeature(500, 10), 0u);
  EXPECT_EQ(leastOfFeature(10, 1000), 1u);
  EXPECT_EQ(leastOfFeature(620, 1000), 562u);
  EXPECT_EQ(leastOfFeature(1, 1000), 0u);
  EXPECT_EQ(leastOfFeature(1, kernelsThatTell(1) - 1), 0u);
  EXPECT_EQ(leastOfFeature(1, kernelsThatTell(1)), 1u);
  EXPECT_EQ(leastOfFeature(1000, 7), 7u);
}

TEST(Coverage, NothingIsMissingFromTheTables) {
  EXPECT_EQ(Coverage().problems(0), std::vector<std::string>());
}

} // namespace
