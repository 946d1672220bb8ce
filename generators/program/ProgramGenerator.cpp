//===- ProgramGenerator.cpp - choice stream to test case --------------------------------------===//
#include "generators/program/ProgramGenerator.h"

#include "compiler/bytecode/BytecodeWriter.h"
#include "generators/inputs/InputData.h"
#include "generators/program/Access.h"
#include "generators/program/Rules.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilesmith;
using namespace tilesmith::generators;

namespace {

constexpr unsigned kFrame = 32;         // bytes of the stream per statement, load and store
constexpr unsigned kContextUses = 2000; // kernels until the context is renewed

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

/// Stores the values that nothing uses, up to `most`, then others until there are `least`.
void storeResults(KernelBuilder &k, ChoiceStream &stream, size_t least, size_t most) {
  std::vector<TileValue> candidates;
  size_t unused = 0;
  for (bool wanted : {true, false})
    for (const TileValue &value : llvm::reverse(k.values()))
      if (value.ssa.use_empty() == wanted && !llvm::isa<mlir::BlockArgument>(value.ssa)) {
        candidates.push_back(value);
        unused += wanted;
      }
  size_t count = std::min(most, std::max(least, unused));
  for (const TileValue &candidate : candidates) {
    if (count-- == 0)
      break;
    ChoiceStream frame = stream.frame(kFrame);
    TileValue value = storable(k, candidate);
    std::optional<TileValue> fitted;
    if (isNumber(value.element()) && frame.chance(60) && k.clusterBlocks == 1)
      fitted = fitToTile(k, value);
    if (!fitted) {
      emitFreeStore(k, frame, value);
      continue;
    }
    ArrayInfo &array = k.addArray(frame, fitted->element(), /*output=*/true);
    array.exact = fitted->facts.exact;
    emitStore(k, frame, array, *fitted);
  }
}

void addBuffers(KernelBuilder &k, ChoiceStream &stream, bool inputs, testcase::TestCase &result) {
  for (const ArrayInfo &array : k.arrays()) {
    testcase::Buffer &buffer = result.buffers.emplace_back();
    buffer.dtype = dataTypeOf(array.element);
    buffer.shape.assign(array.shape.begin(), array.shape.end());
    buffer.strides.assign(array.strides.begin(), array.strides.end());
    ChoiceStream frame = stream.frame(8);
    if (inputs)
      fillBuffer(buffer, std::move(frame), array.fill);
    if (!array.output)
      continue;
    // No expectation is stored; enclosure says so, and is exact wherever the result is determined.
    buffer.compare.mode = testcase::Comparison::Mode::Enclosure;
  }
}

/// Lets an input be read from the memory of another buffer: of another input, or of what an
/// earlier launch wrote, if that is determined (`exactOutputs`, by buffer, of earlier launches).
void maybeShareInputs(KernelBuilder &k, ChoiceStream &stream, testcase::TestCase &result,
                      size_t first, std::vector<testcase::Parameter> &params,
                      std::set<std::string> &features, llvm::ArrayRef<bool> exactOutputs) {
  for (const ArrayInfo &array : k.arrays()) {
    ChoiceStream frame = stream.frame(2);
    if (array.output || array.fill != Fill::Any || !frame.chance(15))
      continue;
    size_t own = first + array.buffer;
    size_t other = frame.below(own + 1);
    const testcase::Buffer &buffer = result.buffers[other];
    bool isInput = buffer.compare.mode == testcase::Comparison::Mode::Exact;
    bool isDetermined = other < exactOutputs.size() && exactOutputs[other];
    if (other == own || buffer.dtype != result.buffers[own].dtype ||
        buffer.elementCount() < result.buffers[own].elementCount() || (!isInput && !isDetermined))
      continue;
    for (testcase::Parameter &param : params)
      if (param.kind == testcase::Parameter::Kind::Pointer && param.buffer == own)
        param.buffer = static_cast<unsigned>(other);
    features.insert(isInput ? "aliasing-inputs" : "chained-launch");
  }
}

/// Percent of modules with one more entry, in which blocks of a cluster divide a product in a loop, or another
/// large tile; beside it stands what does not keep them from it.
constexpr unsigned kInClusters = 10;
const std::vector<std::string> &besideClusters() {
  static const std::vector<std::string> families = {"integer", "float", "compare", "conversion"};
  return families;
}

/// One entry: statements and stores.
void fillKernel(KernelBuilder &kernel, ChoiceStream &stream, const GeneratorOptions &options) {
  const bool inCluster = kernel.clusterBlocks > 1;
  {
    ChoiceStream frame = stream.frame(24);
    chooseWeights(kernel, frame, inCluster ? besideClusters() : options.only);
  }
  for (uint64_t loads = 1 + stream.below(3); loads > 0; --loads) {
    ChoiceStream frame = stream.frame(kFrame);
    emitLoad(kernel, frame,
             kernel.addArray(frame, kernel.pickElement(frame, Kind::Any), /*output=*/false));
  }
  // Mostly small: what a kernel costs grows with its statements, and so does what hides a wrong
  // one.
  uint64_t statements =
      1 + std::min(stream.below(options.maxStatements), stream.below(options.maxStatements));
  kernel.budget = static_cast<unsigned>(2 * statements + 8); // nested ones included
  if (inCluster) {
    statements = std::min<uint64_t>(statements, 4) - 1;
    ChoiceStream frame = stream.frame(kFrame);
    frame.chance(45) ? addClusterShapes(kernel, frame) : addClusterLoop(kernel, frame);
  }
  for (; statements > 0 && !stream.exhausted(); --statements) {
    ChoiceStream frame = stream.frame(kFrame);
    addStatement(kernel, frame);
  }
  {
    ChoiceStream frame = stream.frame(kFrame);
    loadOwned(kernel, frame);
  }
  storeResults(kernel, stream, 1 + stream.below(2), 8);
  // What reads what it has written makes warps of a cluster meet.
  if (!inCluster || stream.chance(20)) {
    ChoiceStream frame = stream.frame(2 * kFrame);
    addWitnesses(kernel, frame);
  }
  {
    ChoiceStream frame = stream.frame(4);
    if (auto hints = maybeEntryHints(kernel, frame))
      kernel.entryOp().setOptimizationHintsAttr(hints);
  }
  kernel.finish();
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
  static constexpr unsigned kVersionWeights[] = {2, 2, 4, 3, 2};
  unsigned drawn = 1 + static_cast<unsigned>(stream.weighted(kVersionWeights));
  unsigned minor = options.version.value_or(drawn);

  KernelBuilder kernel(*context, stream, minor);
  fillKernel(kernel, stream, options);
  lastTrail = kernel.trail;
  testcase::TestCase result;
  result.name = std::move(name);
  result.exactData = kernel.allExact();
  std::set<std::string> features = kernel.usedFeatures();
  llvm::SmallVector<bool> exactOutputs;
  auto addLaunch = [&](KernelBuilder &k) {
    if (k.traps)
      result.traps = true, result.message = KernelBuilder::kFails;
    size_t first = result.buffers.size();
    addBuffers(k, stream, options.inputs, result);
    testcase::Launch &launch = result.launches.emplace_back();
    launch.kernel = k.entryName().str();
    for (size_t i = 0; i < k.gridShape().size(); ++i)
      launch.grid[i] = k.gridShape()[i];
    launch.params = k.parameters();
    for (testcase::Parameter &param : launch.params)
      if (param.kind == testcase::Parameter::Kind::Pointer)
        param.buffer += static_cast<unsigned>(first);
    maybeShareInputs(k, stream, result, first, launch.params, features, exactOutputs);
    for (const ArrayInfo &array : k.arrays())
      exactOutputs.push_back(array.output && array.exact);
    features.insert(k.usedFeatures().begin(), k.usedFeatures().end());
  };
  addLaunch(kernel);
  auto addEntry = [&](llvm::StringRef name, int64_t clusterBlocks) {
    KernelBuilder more(*context, stream, minor, name);
    more.clusterBlocks = clusterBlocks;
    fillKernel(more, stream, options);
    addLaunch(more);
    result.exactData &= more.allExact();
    lastTrail.push_back((name + " entry:").str());
    llvm::append_range(lastTrail, more.trail);
    mlir::Block &from = more.moduleBody(), &to = kernel.moduleBody();
    to.getOperations().splice(to.end(), from.getOperations());
    features.insert((name + "-entry").str());
  };
  if (stream.chance(10))
    addEntry("second", 1);
  if (options.only.empty() && stream.chance(kInClusters))
    addEntry("cluster", drawCluster(stream));
  result.features.assign(features.begin(), features.end());

  std::string diagnostics;
  {
    mlir::ScopedDiagnosticHandler handler(context.get(), [&](mlir::Diagnostic &diagnostic) {
      diagnostics += diagnostic.str() + "\n";
      return mlir::success();
    });
    // Either the generator or the verifier is wrong: the engines refuse the case, by that rule, and
    // it can be replayed.
    if (mlir::failed(mlir::verify(kernel.module())))
      result.notes = "a generated module that the verifier refuses: " + diagnostics;
  }
  bytecode::Version version;
  version.minor = static_cast<uint8_t>(minor);
  std::string bytes;
  llvm::raw_string_ostream sink(bytes);
  if (llvm::Error error = bytecode::writeBytecode(kernel.module(), sink, version))
    return llvm::createStringError(result.notes + llvm::toString(std::move(error)));
  std::string versionText = version.str();
  for (testcase::Launch &launch : result.launches)
    launch.modules.push_back({versionText, llvm::formatv("kernel.v{0}.tileirbc", versionText),
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
