//===- RunCase.cpp - a test case on the interpreter -------------------------------------------===//
#include "reference/interp/RunCase.h"

#include "mlir/IR/OwningOpRef.h"

#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "reference/interp/Registry.h"
#include "reference/testcase/Launch.h"

#include "llvm/ADT/StringExtras.h"

using namespace tilesmith;
using namespace tilesmith::reference;

/// The element type of a buffer that may hold enclosed floats.
static std::optional<ElementType> floatTypeOf(testcase::DataType type) {
  switch (type) {
  case testcase::DataType::F16:
    return ElementType::F16;
  case testcase::DataType::BF16:
    return ElementType::BF16;
  case testcase::DataType::F32:
    return ElementType::F32;
  case testcase::DataType::TF32:
    return ElementType::TF32;
  case testcase::DataType::F64:
    return ElementType::F64;
  case testcase::DataType::F8E4M3FN:
    return ElementType::F8E4M3FN;
  case testcase::DataType::F8E5M2:
    return ElementType::F8E5M2;
  default:
    return std::nullopt;
  }
}

/// The bounds of a buffer that holds enclosed elements.
static std::shared_ptr<const testcase::Enclosure> boundsOfBuffer(const Allocation &allocation,
                                                                 const testcase::Buffer &buffer) {
  auto bounds = std::make_shared<testcase::Enclosure>();
  bounds->low = bounds->high = bounds->bandLow = bounds->bandHigh = allocation.bytes;
  // Without an entry that fits, the bytes of an enclosed element say nothing.
  for (ByteState state : allocation.states)
    bounds->vacuous.push_back(state == ByteState::Enclosed);
  auto type = floatTypeOf(buffer.dtype);
  unsigned size = testcase::sizeInBytes(buffer.dtype);
  for (uint64_t offset = 0; type && offset + size <= allocation.size(); offset += size) {
    const PackedSpread *stored = allocation.spreadAt(offset, *type);
    if (!stored)
      continue;
    Spread spread = *stored;
    Element e{0, State::Enclosed, spread};
    std::memcpy(&e.bits, allocation.bytes.data() + offset, size);
    ++bounds->enclosed;
    if (stored->isVacuous()) {
      ++bounds->vacuousFrom[Registry::get().describeOrigin(stored->origin())];
      continue;
    }
    auto put = [&](testcase::Bytes &bytes, uint64_t bits) {
      std::memcpy(bytes.data() + offset, &bits, size);
    };
    auto [low, high] = boundsOf(*type, e);
    put(bounds->low, low);
    put(bounds->high, high);
    auto [bandLow, bandHigh] = boundsOf(*type, e, spread.band);
    put(bounds->bandLow, bandLow);
    put(bounds->bandHigh, bandHigh);
    std::fill_n(bounds->vacuous.begin() + offset, size, 0);
  }
  for (size_t at = 0; at + size <= bounds->vacuous.size(); at += size)
    bounds->vacuousElements += bounds->vacuous[at];
  return bounds;
}

/// [spec: state-compare]
BufferResult tilesmith::reference::readBuffer(const Allocation &allocation,
                                              const testcase::Buffer &buffer) {
  BufferResult result;
  result.bytes = allocation.bytes;
  // A NaN of unspecified payload compares as a NaN when the buffer holds floats, and not at all
  // otherwise.
  auto isOpen = [&](ByteState s) {
    return s == ByteState::Unknown || (s == ByteState::NaN && !testcase::isFloat(buffer.dtype));
  };
  if (llvm::any_of(allocation.states, isOpen))
    for (ByteState s : allocation.states)
      result.ignored.push_back(isOpen(s));
  if (llvm::is_contained(allocation.states, ByteState::Enclosed))
    result.enclosure = boundsOfBuffer(allocation, buffer);
  return result;
}

/// Files of 13.4 and later are only known to the rules of the closed compiler.
static cuda_tile::Profile profileFor(llvm::StringRef version) {
  unsigned major = 0, minor = 0;
  auto [first, second] = version.split('.');
  first.getAsInteger(10, major);
  second.getAsInteger(10, minor);
  return std::pair(major, minor) >= std::pair(13u, 4u) ? cuda_tile::Profile::Tileiras13_5
                                                       : cuda_tile::Profile::Public;
}

void tilesmith::reference::loadReferenceDialects(mlir::MLIRContext &context) {
  context.getOrLoadDialect<cuda_tile::CudaTileDialect>();
}

llvm::Expected<CaseResult> tilesmith::reference::runCase(const testcase::TestCase &testCase,
                                                         llvm::StringRef version,
                                                         mlir::MLIRContext &context,
                                                         const RunOptions &options) {
  loadReferenceDialects(context);
  auto *dialect = context.getLoadedDialect<cuda_tile::CudaTileDialect>();
  if (dialect->getProfile() == cuda_tile::Profile::Public)
    dialect->setProfile(profileFor(version));
  // Launches that name the same file share one module, hence its globals.
  std::map<std::string, mlir::OwningOpRef<cuda_tile::ModuleOp>> byFile;
  std::vector<cuda_tile::ModuleOp> modules;
  for (const testcase::Launch &launch : testCase.launches) {
    const testcase::ModuleFile *file = launch.module(version);
    if (!file)
      return llvm::createStringError("case '" + testCase.name + "' has no module of version " +
                                     version);
    auto &module = byFile[file->file];
    if (!module) {
      llvm::StringRef data = llvm::toStringRef(file->bytes);
      auto read = bytecode::readBytecode(data, &context);
      if (!read)
        return llvm::createStringError(file->file + ": " + llvm::toString(read.takeError()));
      module = std::move(*read);
    }
    modules.push_back(*module);
  }
  return runCase(testCase, modules, options);
}

llvm::Expected<std::vector<uint64_t>>
tilesmith::reference::placeBuffers(Memory &memory, const testcase::TestCase &testCase) {
  std::vector<uint64_t> addresses;
  for (const auto &[index, buffer] : llvm::enumerate(testCase.buffers)) {
    auto address =
        memory.allocate(buffer.byteSize(), 256, "buffer " + std::to_string(index), buffer.data);
    if (!address)
      return address.takeError();
    addresses.push_back(*address);
  }
  return addresses;
}

llvm::Expected<uint64_t> tilesmith::reference::placeTable(Memory &memory,
                                                          llvm::ArrayRef<uint64_t> words) {
  llvm::ArrayRef<uint8_t> bytes(reinterpret_cast<const uint8_t *>(words.data()), words.size() * 8);
  return memory.allocate(bytes.size(), 8, "pointer table", bytes, /*readOnly=*/true);
}

llvm::Expected<CaseResult>
tilesmith::reference::runCase(const testcase::TestCase &testCase,
                              llvm::ArrayRef<cuda_tile::ModuleOp> modules,
                              const RunOptions &options) {
  Interpreter interpreter(options.limits);
  Memory &memory = interpreter.memory();
  CaseResult result;
  auto placed = placeBuffers(memory, testCase);
  if (!placed) {
    result.outcome.kind = Outcome::Kind::Inconclusive;
    result.outcome.detail = "memory-limit";
    result.outcome.message = llvm::toString(placed.takeError());
    result.buffers.resize(testCase.buffers.size());
    return result;
  }
  const std::vector<uint64_t> &addresses = *placed;
  for (auto [launch, module] : llvm::zip(testCase.launches, modules)) {
    auto image =
        testcase::flattenLaunch(testCase, launch, addresses, [&](llvm::ArrayRef<uint64_t> words) {
          return placeTable(memory, words);
        });
    if (!image)
      return image.takeError();
    LaunchRequest request;
    request.entry = image->entry;
    request.grid = image->grid;
    request.seed = options.seed;
    request.strictAssume = options.strictAssume;
    request.detectRaces = options.detectRaces;
    request.domain = options.domain;
    for (const testcase::KernelArgument &argument : image->arguments)
      request.arguments.push_back(argument.bits);
    result.outcome = interpreter.launch(module, request);
    result.steps += result.outcome.steps;
    result.elements += result.outcome.elements;
    llvm::append_range(result.prints, result.outcome.prints);
    llvm::append_range(result.notes, result.outcome.notes);
    if (!result.outcome.completed())
      break;
  }
  for (const std::string &p : result.prints)
    result.printed += p;
  for (auto [buffer, base] : llvm::zip(testCase.buffers, addresses)) {
    const Allocation *allocation = memory.find(base); // an empty buffer has none
    result.buffers.push_back(allocation ? readBuffer(*allocation, buffer) : BufferResult());
  }
  return result;
}
