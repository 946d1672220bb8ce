//===- RunCase.cpp - a test case on the interpreter -------------------------------------------===//
#include "reference/interp/RunCase.h"

#include "mlir/IR/OwningOpRef.h"

#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "reference/testcase/Launch.h"

using namespace tilesmith;
using namespace tilesmith::reference;

void tilesmith::reference::loadReferenceDialects(mlir::MLIRContext &context) {
  context.getOrLoadDialect<cuda_tile::CudaTileDialect>();
}

llvm::Expected<CaseResult> tilesmith::reference::runCase(const testcase::TestCase &testCase,
                                                         llvm::StringRef version,
                                                         mlir::MLIRContext &context,
                                                         const RunOptions &options) {
  loadReferenceDialects(context);
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
      llvm::StringRef data(reinterpret_cast<const char *>(file->bytes.data()), file->bytes.size());
      auto read = bytecode::readBytecode(data, &context);
      if (!read)
        return llvm::createStringError(file->file + ": " + llvm::toString(read.takeError()));
      module = std::move(*read);
    }
    modules.push_back(*module);
  }
  return runCase(testCase, modules, options);
}

llvm::Expected<CaseResult>
tilesmith::reference::runCase(const testcase::TestCase &testCase,
                              llvm::ArrayRef<cuda_tile::ModuleOp> modules,
                              const RunOptions &options) {
  Interpreter interpreter(options.limits);
  Memory &memory = interpreter.memory();
  std::vector<uint64_t> addresses;
  for (const auto &[index, buffer] : llvm::enumerate(testCase.buffers)) {
    auto base =
        memory.allocate(buffer.byteSize(), 256, "buffer " + std::to_string(index), buffer.data);
    if (!base)
      return base.takeError();
    addresses.push_back(*base);
  }
  CaseResult result;
  for (auto [launch, module] : llvm::zip(testCase.launches, modules)) {
    auto image =
        testcase::flattenLaunch(testCase, launch, addresses, [&](llvm::ArrayRef<uint64_t> words) {
          return memory.allocate(
              words.size() * 8, 8, "pointer table",
              {reinterpret_cast<const uint8_t *>(words.data()), words.size() * 8}, true);
        });
    if (!image)
      return image.takeError();
    LaunchRequest request;
    request.entry = image->entry;
    request.grid = image->grid;
    request.seed = options.seed;
    request.strictAssume = options.strictAssume;
    request.detectRaces = options.detectRaces;
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
    BufferResult &out = result.buffers.emplace_back();
    const Allocation *allocation = memory.find(base);
    if (!allocation)
      continue; // an empty buffer
    out.bytes = allocation->bytes;
    // A NaN of unspecified payload compares as a NaN when the buffer holds floats, and not at all
    // otherwise.
    auto free = [&](ByteState s) {
      return s == ByteState::Unknown || (s == ByteState::NaN && !testcase::isFloat(buffer.dtype));
    };
    if (llvm::any_of(allocation->states, free))
      for (ByteState s : allocation->states)
        out.ignored.push_back(free(s));
  }
  return result;
}
