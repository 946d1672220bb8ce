//===- StoredText.cpp - kernels that are stored as text, without arguments ---------------------===//
#include "fuzz/campaign/StoredText.h"

#include "compiler/bytecode/BytecodeWriter.h"
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "generators/inputs/InputData.h"
#include "generators/mutate/Changes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <map>

using namespace tilesmith;
using namespace tilesmith::fuzz;
using namespace tilesmith::cuda_tile;
using generators::ChoiceStream;
using testcase::DataType;

namespace {

/// Elements of a tile that the reference is quick with.
constexpr int64_t kMostElements = 4096;
/// Elements of an array; what is drawn as larger is refused.
constexpr int64_t kMostOfArray = 1 << 18;

int64_t largestTile(ModuleOp module) {
  int64_t largest = 1;
  module->walk([&](mlir::Operation *op) {
    for (mlir::Type type : op->getResultTypes())
      if (auto tile = llvm::dyn_cast<TileType>(type))
        largest = std::max(largest, tile.getNumElements());
  });
  return largest;
}

bool makeSmaller(ModuleOp module, ChoiceStream &stream) {
  testcase::TestCase none;
  generators::ChangedKernel kernel = {none, module, stream};
  for (unsigned tries = 0; tries < 4 && largestTile(module) > kMostElements; ++tries)
    for (const generators::Change &change : generators::allChanges())
      if (change.name == "smaller")
        change.apply(kernel);
  return mlir::succeeded(mlir::verify(module));
}

DataType dataTypeOf(mlir::Type element) {
  std::string word;
  llvm::raw_string_ostream(word) << element;
  for (char &letter : word)
    letter = static_cast<char>(std::tolower(letter));
  return testcase::parseDataType(word == "i1" ? "bool" : word).value_or(DataType::I8);
}

/// The parameter behind promises, and what it is promised to be a multiple of.
struct Source {
  std::optional<unsigned> parameter;
  int64_t multiple = 1;
};

Source sourceOf(mlir::Value value) {
  Source source;
  while (mlir::Operation *op = value.getDefiningOp()) {
    if (auto promise = llvm::dyn_cast<AssumeOp>(op)) {
      if (auto by = llvm::dyn_cast<DivByAttr>(promise.getPredicate()))
        source.multiple = std::max(source.multiple, static_cast<int64_t>(by.getDivisor()));
    } else if (!llvm::isa<OffsetOp, ExtIOp>(op)) {
      return source;
    }
    value = op->getOperand(0);
  }
  auto argument = llvm::cast<mlir::BlockArgument>(value);
  if (llvm::isa<EntryOp>(argument.getOwner()->getParentOp()))
    source.parameter = argument.getArgNumber();
  return source;
}

/// Draws the arguments of one entry.
class Arguments {
public:
  Arguments(EntryOp entry, ChoiceStream &stream) : entry(entry), stream(stream) {}
  std::optional<testcase::TestCase> draw();

private:
  void drawTensor(MakeTensorViewOp op);
  int64_t drawExtent(int64_t tile, int64_t multiple);
  static llvm::SmallVector<int64_t> tilesOf(MakeTensorViewOp op);
  void addArray(testcase::TestCase &testCase, DataType type, int64_t count);

  EntryOp entry;
  ChoiceStream &stream;
  std::map<unsigned, int64_t> numbers,
      counts;                         ///< of parameters: a number, elements behind a pointer
  std::map<int64_t, int64_t> extents; ///< of tiles: of the tensors that have them
};

/// What the views of a tensor take of each dimension at once.
llvm::SmallVector<int64_t> Arguments::tilesOf(MakeTensorViewOp op) {
  llvm::SmallVector<int64_t> tiles(op.getResult().getType().getShape().size(), 1);
  for (mlir::Operation *user : op->getUsers()) {
    if (user->getNumResults() != 1)
      continue;
    if (auto type = llvm::dyn_cast<PartitionViewType>(user->getResult(0).getType()))
      for (auto [i, dim] : llvm::enumerate(type.getDimMap()))
        tiles[static_cast<size_t>(dim)] =
            std::max<int64_t>(tiles[static_cast<size_t>(dim)], type.getTileShape()[i]);
    else if (auto type = llvm::dyn_cast<GatherScatterViewType>(user->getResult(0).getType()))
      for (size_t i = 0; i < tiles.size(); ++i)
        tiles[i] = std::max<int64_t>(tiles[i], type.getTileShape()[i]);
  }
  return tiles;
}

/// One, two or three tiles, or a part more or less; mostly the same for tiles of one extent.
int64_t Arguments::drawExtent(int64_t tile, int64_t multiple) {
  int64_t extent = tile * (1 + static_cast<int64_t>(stream.below(3)));
  if (stream.chance(30))
    extent += stream.between(-3, 3);
  auto [known, isNew] = extents.try_emplace(tile, extent);
  if (stream.chance(85))
    extent = known->second;
  return static_cast<int64_t>(llvm::alignTo(static_cast<uint64_t>(std::max<int64_t>(extent, 1)),
                                            static_cast<uint64_t>(multiple)));
}

void Arguments::drawTensor(MakeTensorViewOp op) {
  TensorViewType type = op.getResult().getType();
  const Source base = sourceOf(op.getBase());
  const llvm::SmallVector<int64_t> tiles = tilesOf(op);
  llvm::SmallVector<int64_t> shape(type.getShape());
  size_t next = 0;
  for (auto [i, extent] : llvm::enumerate(shape))
    if (extent == TensorViewType::kDynamic) {
      const Source source = sourceOf(op.getDynamicShape()[next++]);
      extent = drawExtent(tiles[i], source.multiple);
      if (source.parameter)
        extent = numbers.try_emplace(*source.parameter, extent).first->second;
    }
  // Rows one after the other, from the last dimension on.
  next = op.getDynamicStrides().size();
  int64_t count = 1;
  for (size_t i = shape.size(); i > 0; --i) {
    int64_t stride = type.getStrides()[i - 1];
    if (stride == TensorViewType::kDynamic) {
      const Source source = sourceOf(op.getDynamicStrides()[--next]);
      stride = count + (stream.chance(15) ? 8 : 0);
      stride = static_cast<int64_t>(
          llvm::alignTo(static_cast<uint64_t>(stride), static_cast<uint64_t>(source.multiple)));
      if (source.parameter)
        stride = numbers.try_emplace(*source.parameter, stride).first->second;
    }
    count = std::max(count, stride * shape[i - 1]);
  }
  if (base.parameter)
    counts[*base.parameter] = std::max(counts[*base.parameter], count);
}

void Arguments::addArray(testcase::TestCase &testCase, DataType type, int64_t count) {
  testcase::Buffer buffer;
  buffer.dtype = type;
  buffer.shape = {count};
  buffer.strides = {1};
  buffer.compare = {testcase::Comparison::Mode::Enclosure};
  using generators::Fill;
  static constexpr Fill kFills[] = {Fill::SmallIntegers, Fill::SmallIntegers, Fill::Reals,
                                    Fill::Reals, Fill::Fractions};
  const bool isFloat = testcase::isFloat(type);
  generators::fillBuffer(buffer, stream.frame(8),
                         isFloat ? kFills[stream.below(std::size(kFills))] : Fill::SmallIntegers);
  testCase.buffers.push_back(std::move(buffer));
}

std::optional<testcase::TestCase> Arguments::draw() {
  entry->walk([&](MakeTensorViewOp op) { drawTensor(op); });
  testcase::TestCase testCase;
  testcase::Launch launch;
  launch.kernel = entry.getSymName().str();
  // Blocks in the directions that the kernel looks at; others would do the same thing again.
  bool looks[3] = {};
  entry->walk([&](GetTileBlockIdOp op) {
    for (unsigned dim = 0; dim < 3; ++dim)
      looks[dim] |= !op->getResult(dim).use_empty();
  });
  for (unsigned dim = 0; dim < 3; ++dim)
    if (looks[dim])
      launch.grid[dim] = 1 + static_cast<int64_t>(stream.weighted({5, 3, 1}));
  static constexpr int64_t kNumbers[] = {0, 1, 2, 3, 5, 8, 16, 64};
  for (auto [i, type] : llvm::enumerate(entry.getArgumentTypes())) {
    mlir::Type element = llvm::cast<TileType>(type).getElementType();
    const auto position = static_cast<unsigned>(i);
    if (auto pointer = llvm::dyn_cast<PointerType>(element)) {
      auto known = counts.find(position);
      const int64_t count = known == counts.end() ? 4096 : known->second;
      if (count > kMostOfArray)
        return std::nullopt;
      const DataType pointee = dataTypeOf(pointer.getPointeeType());
      launch.params.push_back(
          testcase::Parameter::pointer(static_cast<unsigned>(testCase.buffers.size()), pointee));
      addArray(testCase, pointee, count);
      continue;
    }
    const DataType scalar = dataTypeOf(element);
    auto known = numbers.find(position);
    const double value = testcase::isFloat(scalar) ? 0.25 * static_cast<double>(1 + stream.below(8))
                         : known != numbers.end()
                             ? static_cast<double>(known->second)
                             : static_cast<double>(kNumbers[stream.below(std::size(kNumbers))]);
    launch.params.push_back(
        testcase::Parameter::scalar(scalar, testcase::fromDouble(scalar, value)));
  }
  testCase.launches.push_back(std::move(launch));
  return testCase;
}

} // namespace

std::optional<testcase::TestCase> tilesmith::fuzz::drawArguments(llvm::StringRef path,
                                                                 ChoiceStream &stream,
                                                                 mlir::MLIRContext &context) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return std::nullopt;
  context.getOrLoadDialect<CudaTileDialect>();
  mlir::ScopedDiagnosticHandler handler(&context,
                                        [](mlir::Diagnostic &) { return mlir::success(); });
  auto parsed = mlir::parseSourceString<mlir::ModuleOp>((*file)->getBuffer(), &context);
  if (!parsed || parsed->getBody()->empty())
    return std::nullopt;
  auto module = llvm::dyn_cast<ModuleOp>(parsed->getBody()->front());
  if (!module || !makeSmaller(module, stream))
    return std::nullopt;
  auto entries = module.getBody().front().getOps<EntryOp>();
  if (!llvm::hasSingleElement(entries))
    return std::nullopt;
  std::string bytes;
  llvm::raw_string_ostream sink(bytes);
  bytecode::Version version;
  version.minor = static_cast<uint8_t>(3 + stream.below(3));
  if (llvm::Error error = bytecode::writeBytecode(module, sink, version)) {
    llvm::consumeError(std::move(error));
    return std::nullopt;
  }
  auto testCase = Arguments(*entries.begin(), stream).draw();
  if (testCase) {
    testCase->name = llvm::sys::path::stem(path).str();
    testCase->launches.front().modules = {{"13." + std::to_string(version.minor),
                                           testCase->name + ".tileirbc",
                                           testcase::Bytes(bytes.begin(), bytes.end())}};
  }
  return testCase;
}
