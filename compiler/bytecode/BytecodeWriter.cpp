//===- BytecodeWriter.cpp - the container and the order of writing ----------------------------===//
//
// Sections are written in this order: global, function, constant, debug, type, producer, string,
// end. Functions fill the tables, so tables come behind them, and the string section, which
// everything else refers to, comes last.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/BytecodeWriter.h"

#include "compiler/bytecode/FunctionWriter.h"
#include "compiler/dialect/CudaTile/IR/PrintSpelling.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::bytecode;
using llvm::Twine;

static void writeSection(ByteSink &file, uint8_t id, const ByteSink &payload) {
  uint64_t alignment = requiredAlignment(id);
  file.byte(alignment > 1 ? id | kSectionAligned : id);
  file.varInt(payload.size());
  if (alignment > 1) {
    file.varInt(alignment);
    file.align(alignment);
  }
  file.raw(payload.str());
}

static LogicalResult checkModule(WriterState &state, cuda_tile::ModuleOp module) {
  if (!isSupported(state.version, module.getContext()) || state.version.tag != 0)
    return state.fail("unsupported version requested " + state.version.str() +
                      ", must be in range [13." + Twine(unsigned(kOldestMinor)) + ", 13." +
                      Twine(newestMinor(module.getContext())) + "]");
  if (module->getRegion(0).empty())
    return success();
  for (Operation &op : module->getRegion(0).front())
    if (!isa<cuda_tile::EntryOp, cuda_tile::GlobalOp>(op)) {
      state.invalidOp = op.getLoc();
      return state.fail(module, "only function and global ops are allowed in the body, got '" +
                                    op.getName().getStringRef() + "'");
    }
  return success();
}

static LogicalResult writeModule(WriterState &state, ByteSink &file, cuda_tile::ModuleOp module) {
  if (failed(checkModule(state, module)))
    return failure();
  for (unsigned char byte : kMagic)
    file.byte(byte);
  file.byte(state.version.major);
  file.byte(state.version.minor);
  file.little<uint16_t>(state.version.tag);

  StringPool strings;
  TypePool types(state);
  ConstantPool constants;
  DebugPool debug(state, strings);
  FunctionWriter functions(state, strings, types, constants, debug);

  ByteSink globals, entries, constantData, debugData, typeData, stringData;
  if (module->getRegion(0).empty())
    entries.varInt(0);
  else if (failed(functions.writeGlobals(globals, module)) ||
           failed(functions.writeFunctions(entries, module)))
    return failure();
  if (globals.size())
    writeSection(file, kGlobal, globals);
  writeSection(file, kFunc, entries);
  if (!constants.empty()) {
    constants.write(constantData);
    writeSection(file, kConstant, constantData);
  }
  if (!debug.empty()) {
    debug.write(debugData);
    writeSection(file, kDebug, debugData);
  }
  types.write(typeData);
  writeSection(file, kType, typeData);
  if (StringAttr producer = module.getProducerAttr(); producer && state.version.level() >= 3) {
    ByteSink payload;
    payload.varInt(strings.index(producer.getValue()));
    writeSection(file, kProducer, payload);
  }
  strings.write(stringData);
  writeSection(file, kString, stringData);
  file.byte(kEnd);
  return success();
}

char WriteError::ID = 0;

void WriteError::log(llvm::raw_ostream &os) const {
  os << text;
}

llvm::Error tilesmith::bytecode::writeBytecode(cuda_tile::ModuleOp module, llvm::raw_ostream &os,
                                               Version version) {
  WriterState state{version, {}, {}, {}};
  ByteSink file;
  mlir::OwningOpRef<cuda_tile::ModuleOp> respelled;
  if (module.walk([](cuda_tile::PrintOp) { return mlir::WalkResult::interrupt(); })
          .wasInterrupted()) {
    respelled = module.clone();
    cuda_tile::spellPrintsForBytecode(*respelled);
    module = *respelled;
  }
  if (failed(writeModule(state, file, module)))
    return llvm::make_error<WriteError>(state.error, state.location, state.invalidOp);
  os << file.str();
  return llvm::Error::success();
}
