//===- Edits.cpp - the registry of edits, and edits of a case ---------------------------------===//
#include "generators/mutate/Edits.h"

#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/bytecode/BytecodeWriter.h"
#include "generators/mutate/EditTools.h"

#include "mlir/IR/Verifier.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tilesmith;
using namespace tilesmith::generators;

bool tilesmith::generators::isElementwise(mlir::Operation *op) {
  if (!llvm::isa<cuda_tile::AddIOp, cuda_tile::SubIOp, cuda_tile::MulIOp, cuda_tile::AndIOp,
                 cuda_tile::OrIOp, cuda_tile::XOrIOp, cuda_tile::MaxIOp, cuda_tile::MinIOp,
                 cuda_tile::MulhiIOp, cuda_tile::NegIOp, cuda_tile::AbsIOp, cuda_tile::DivIOp,
                 cuda_tile::RemIOp, cuda_tile::ShLIOp, cuda_tile::ShRIOp, cuda_tile::CmpIOp,
                 cuda_tile::CmpFOp, cuda_tile::SelectOp, cuda_tile::AddFOp, cuda_tile::SubFOp,
                 cuda_tile::MulFOp, cuda_tile::DivFOp, cuda_tile::FmaOp, cuda_tile::MaxFOp,
                 cuda_tile::MinFOp, cuda_tile::NegFOp, cuda_tile::AbsFOp, cuda_tile::SqrtOp,
                 cuda_tile::FloorOp, cuda_tile::CeilOp, cuda_tile::ExtIOp, cuda_tile::TruncIOp,
                 cuda_tile::IToFOp, cuda_tile::FToFOp, cuda_tile::BitcastOp>(op) ||
      !op->getParentOfType<cuda_tile::EntryOp>())
    return false;
  auto type = llvm::cast<cuda_tile::TileType>(op->getResult(0).getType());
  auto isWhole = [&](mlir::Type candidate) {
    auto tile = llvm::dyn_cast<cuda_tile::TileType>(candidate);
    // Half a tile of 4-bit elements may be half a byte.
    return tile && tile.getShape() == type.getShape() && tile.getElementType().isIntOrFloat() &&
           tile.getElementType().getIntOrFloatBitWidth() != 4;
  };
  return isWhole(type) && llvm::all_of(op->getOperandTypes(), isWhole);
}

bool tilesmith::generators::mayRunAnywhere(mlir::Operation *op) {
  if (auto flag = op->getAttrOfType<cuda_tile::IntegerOverflowAttr>("overflow"))
    if (flag.getValue() != cuda_tile::IntegerOverflow::NONE)
      return false;
  // Division by zero, shifts by too much and absolute values out of range are undefined.
  if (llvm::isa<cuda_tile::DivIOp, cuda_tile::RemIOp, cuda_tile::ShLIOp, cuda_tile::ShRIOp,
                cuda_tile::AbsIOp>(op))
    return false;
  return isElementwise(op) ||
         llvm::isa<cuda_tile::ConstantOp, cuda_tile::IotaOp, cuda_tile::ReshapeOp,
                   cuda_tile::BroadcastOp, cuda_tile::PermuteOp, cuda_tile::CatOp>(op);
}

mlir::Value tilesmith::generators::integerConstant(mlir::OpBuilder &builder, mlir::Location loc,
                                                   cuda_tile::TileType type, int64_t value) {
  return cuda_tile::ConstantOp::create(
      builder, loc, type,
      llvm::cast<mlir::DenseIntOrFPElementsAttr>(
          static_cast<mlir::Attribute>(mlir::DenseElementsAttr::get(
              type, builder.getIntegerAttr(type.getElementType(), value)))));
}

cuda_tile::TileType tilesmith::generators::scalarOf(mlir::Type element) {
  return cuda_tile::TileType::get({}, element);
}

mlir::Value tilesmith::generators::spread(mlir::OpBuilder &builder, mlir::Value scalar,
                                          llvm::ArrayRef<int64_t> shape) {
  if (shape.empty())
    return scalar;
  mlir::Type element = llvm::cast<cuda_tile::TileType>(scalar.getType()).getElementType();
  llvm::SmallVector<int64_t> ones(shape.size(), 1);
  mlir::Value one = cuda_tile::ReshapeOp::create(builder, scalar.getLoc(),
                                                 cuda_tile::TileType::get(ones, element), scalar);
  return cuda_tile::BroadcastOp::create(builder, scalar.getLoc(),
                                        cuda_tile::TileType::get(shape, element), one);
}

llvm::ArrayRef<Edit> tilesmith::generators::allEdits() {
  static const std::vector<Edit> all = [] {
    std::vector<Edit> edits;
    for (llvm::ArrayRef<Edit> family : {arithmeticEdits(), controlFlowEdits(), memoryEdits()})
      llvm::append_range(edits, family);
    llvm::sort(edits, [](const Edit &a, const Edit &b) { return a.name < b.name; });
    return edits;
  }();
  return all;
}

llvm::Expected<testcase::TestCase>
tilesmith::generators::editCase(const testcase::TestCase &testCase, ChoiceStream &stream,
                                unsigned count, mlir::MLIRContext &context, llvm::StringRef only) {
  return applyDrawn(allEdits(), testCase, stream, count, context, only);
}

llvm::Expected<testcase::TestCase>
tilesmith::generators::applyDrawn(llvm::ArrayRef<Edit> registry, const testcase::TestCase &testCase,
                                  ChoiceStream &stream, unsigned count, mlir::MLIRContext &context,
                                  llvm::StringRef only) {
  std::string diagnostics;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    diagnostics += diagnostic.str() + "\n";
    return mlir::success();
  });
  testcase::TestCase result = testCase;
  const testcase::ModuleFile &file = testCase.launches.front().modules.front();
  auto module = bytecode::readBytecode(llvm::toStringRef(file.bytes), &context);
  if (!module)
    return module.takeError();
  std::vector<Edit> candidates;
  llvm::copy_if(registry, std::back_inserter(candidates),
                [&](const Edit &edit) { return only.empty() || edit.name == only; });
  for (unsigned tries = 0; tries < 4 * count && result.edits.size() < testCase.edits.size() + count;
       ++tries) {
    const Edit &edit = candidates[stream.below(candidates.size())];
    ChoiceStream frame = stream.frame(16);
    if (edit.apply(**module, frame))
      result.edits.push_back(edit.name.str());
  }
  if (mlir::failed(mlir::verify(module->get())))
    return llvm::createStringError("the edits " + llvm::join(result.edits, ", ") +
                                   " made an invalid module: " + diagnostics);
  bytecode::Version version;
  version.minor = static_cast<uint8_t>(file.version.back() - '0');
  std::string bytes;
  llvm::raw_string_ostream sink(bytes);
  if (llvm::Error error = bytecode::writeBytecode(**module, sink, version))
    return std::move(error);
  for (testcase::Launch &launch : result.launches)
    launch.modules = {{file.version, file.file, testcase::Bytes(bytes.begin(), bytes.end())}};
  return result;
}
