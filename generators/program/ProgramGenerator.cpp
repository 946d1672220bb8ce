//===- ProgramGenerator.cpp - choice stream to test case --------------------------------------===//
#include "generators/program/ProgramGenerator.h"

#include "compiler/bytecode/BytecodeWriter.h"
#include "generators/inputs/InputData.h"
#include "generators/program/Rules.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tilesmith;
using namespace tilesmith::generators;

namespace {

constexpr unsigned kFrame = 32;         // bytes of the stream per statement, load and store
constexpr unsigned kContextUses = 2000; // kernels until the context is renewed

/// How far two right results of an approximated function may be apart: a few units in the last
/// place.
testcase::Comparison toleranceOf(mlir::Type element) {
  testcase::Comparison comparison;
  comparison.mode = testcase::Comparison::Mode::Close;
  comparison.rtol = element.isF64()   ? 0x1p-50
                    : element.isF32() ? 0x1p-20
                    : element.isF16() ? 0x1p-9
                                      : 0x1p-6;
  // A unit of the smallest subnormal: relative errors mean nothing there.
  comparison.atol = element.isF64()   ? 0x1p-1073
                    : element.isF32() ? 0x1p-148
                    : element.isF16() ? 0x1p-23
                                      : 0x1p-132;
  return comparison;
}

/// The value with the shape of the iteration space, or nothing if it has another number of
/// elements.
std::optional<TileValue> fitToTile(KernelBuilder &k, const TileValue &value) {
  if (value.shape() == k.tileShape())
    return value;
  if (value.shape().empty())
    return k.splat(value, k.tileShape());
  if (value.type().getNumElements() != k.tileType(k.tileShape(), value.element()).getNumElements())
    return std::nullopt;
  mlir::Value reshaped = cuda_tile::ReshapeOp::create(
      k.builder(), k.loc(), k.tileType(k.tileShape(), value.element()), value.ssa);
  return TileValue{reshaped, value.facts};
}

/// Stores up to `count` values, those that nothing uses first, the latest first. At least one is
/// stored.
std::vector<bool> storeResults(KernelBuilder &k, ChoiceStream &stream, uint64_t count) {
  std::vector<TileValue> candidates;
  for (bool unused : {true, false})
    for (const TileValue &value : llvm::reverse(k.values()))
      if (value.ssa.use_empty() == unused)
        candidates.push_back(value);
  std::vector<bool> approximate;
  for (const TileValue &candidate : candidates) {
    if (approximate.size() == count)
      break;
    std::optional<TileValue> value = fitToTile(k, candidate);
    if (!value)
      continue;
    ChoiceStream frame = stream.frame(kFrame);
    ArrayInfo &array = k.addArray(frame, value->element(), /*output=*/true);
    emitStore(k, frame, array, *value);
    approximate.push_back(!value->facts.exact);
  }
  return approximate;
}

testcase::TestCase describeCase(KernelBuilder &k, ChoiceStream &stream, std::string name,
                                const std::vector<bool> &approximate) {
  testcase::TestCase result;
  result.name = std::move(name);
  size_t outputs = 0;
  for (const ArrayInfo &array : k.arrays()) {
    testcase::Buffer &buffer = result.buffers.emplace_back();
    buffer.dtype = dataTypeOf(array.element);
    buffer.shape.assign(array.shape.begin(), array.shape.end());
    buffer.strides.assign(array.strides.begin(), array.strides.end());
    fillBuffer(buffer, stream.frame(8));
    if (!array.output)
      continue;
    // No expectation is stored; enclosure says so, and is exact wherever the result is determined.
    buffer.compare.mode = testcase::Comparison::Mode::Enclosure;
    if (approximate[outputs++])
      buffer.compare = toleranceOf(array.element);
  }
  testcase::Launch &launch = result.launches.emplace_back();
  launch.kernel = KernelBuilder::kEntryName;
  for (size_t i = 0; i < k.gridShape().size(); ++i)
    launch.grid[i] = k.gridShape()[i];
  launch.params = k.parameters();
  result.features.assign(k.usedFeatures().begin(), k.usedFeatures().end());
  return result;
}

} // namespace

ProgramGenerator::ProgramGenerator() = default;
ProgramGenerator::~ProgramGenerator() = default;

llvm::Expected<testcase::TestCase> ProgramGenerator::generate(ChoiceStream &stream,
                                                              std::string name,
                                                              const GeneratorOptions &options) {
  if (!context || ++uses > kContextUses) {
    context = std::make_unique<mlir::MLIRContext>(mlir::MLIRContext::Threading::DISABLED);
    uses = 0;
  }
  static constexpr unsigned kVersionWeights[] = {2, 2, 6};
  unsigned drawn = 1 + static_cast<unsigned>(stream.weighted(kVersionWeights));
  unsigned minor = options.version.value_or(drawn);

  KernelBuilder kernel(*context, stream, minor);
  for (uint64_t loads = 1 + stream.below(3); loads > 0; --loads) {
    ChoiceStream frame = stream.frame(kFrame);
    emitLoad(kernel, frame,
             kernel.addArray(frame, kernel.pickElement(frame, Kind::Any), /*output=*/false));
  }
  uint64_t statements = 1 + stream.below(options.maxStatements);
  for (; statements > 0 && !stream.exhausted(); --statements) {
    ChoiceStream frame = stream.frame(kFrame);
    addStatement(kernel, frame);
  }
  std::vector<bool> approximate = storeResults(kernel, stream, 1 + stream.below(4));
  kernel.finish();

  std::string diagnostics;
  {
    mlir::ScopedDiagnosticHandler handler(context.get(), [&](mlir::Diagnostic &diagnostic) {
      diagnostics += diagnostic.str() + "\n";
      return mlir::success();
    });
    if (mlir::failed(mlir::verify(kernel.module()))) {
      llvm::raw_string_ostream text(diagnostics);
      kernel.module()->print(text, mlir::OpPrintingFlags().assumeVerified());
      return llvm::createStringError("the generator made an invalid module: " + diagnostics);
    }
  }
  testcase::TestCase result = describeCase(kernel, stream, std::move(name), approximate);
  bytecode::Version version;
  version.minor = static_cast<uint8_t>(minor);
  std::string bytes;
  llvm::raw_string_ostream sink(bytes);
  if (llvm::Error error = bytecode::writeBytecode(kernel.module(), sink, version))
    return std::move(error);
  std::string versionText = version.str();
  result.launches[0].modules.push_back({versionText,
                                        llvm::formatv("kernel.v{0}.tileirbc", versionText),
                                        testcase::Bytes(bytes.begin(), bytes.end())});
  result.choices = testcase::Bytes(stream.recorded());
  return result;
}

ChoiceStream tilesmith::generators::streamOfCase(uint64_t seed, uint64_t index) {
  // Outputs of the PRNG as seeds: states that differ by a simple number would give streams that
  // overlap.
  uint64_t base = ChoiceStream::fromSeed(seed).bits(64);
  return ChoiceStream::fromSeed(ChoiceStream::fromSeed(base ^ index).bits(64));
}

std::string tilesmith::generators::nameOfCase(uint64_t seed, uint64_t index) {
  return llvm::formatv("s{0}-{1}", seed, index);
}
