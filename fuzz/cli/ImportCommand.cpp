//===- ImportCommand.cpp - tilesmith import FILE -o DIR ---------------------------------------===//
//
// A kernel and its arguments become a case: FILE is bytecode, text, or a module of `tileiras
// --emit=emulated`, arrays come from .npy or raw files. The reference runs the kernel; what it
// leaves is stored as the expectation, floats with the bounds of legal results (mode enclosure).
//
// Steps: read the module, find the entry, give its parameters the arguments in order (`view:`
// stands for a pointer, the extents and the strides of an array), run, save.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/bytecode/BytecodeWriter.h"
#include "compiler/support/EmulatedModule.h"
#include "compiler/support/InputFile.h"
#include "compiler/support/OutputFolder.h"
#include "compiler/support/TextLimits.h"
#include "fuzz/cli/Commands.h"
#include "oracles/engines/runtime/Session.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;
using testcase::DataType;
namespace cl = llvm::cl;

cl::SubCommand &tilesmith::fuzz::importCommand() {
  static cl::SubCommand command("import", "make a case of a kernel and its arguments");
  return command;
}

namespace {

cl::opt<std::string> input(cl::Positional, cl::desc("FILE"), cl::sub(importCommand()));
cl::opt<std::string> output("o", cl::desc("folder of the case"), cl::value_desc("DIR"),
                            cl::sub(importCommand()));
cl::opt<std::string> entryName("entry", cl::desc("kernel to run (default: the only one)"),
                               cl::value_desc("NAME"), cl::sub(importCommand()));
cl::opt<std::string> gridSize("grid", cl::desc("tile blocks (default 1)"),
                              cl::value_desc("X[,Y,Z]"), cl::init("1"), cl::sub(importCommand()));
cl::opt<std::string> version("version", cl::desc("bytecode version of a text (default 13.3)"),
                             cl::value_desc("13.N"), cl::init("13.3"), cl::sub(importCommand()));
cl::list<std::string>
    arguments("arg",
              cl::desc("next parameter: a number, a pointer to FILE.npy, TYPE:FILE.npy, "
                       "raw:TYPE:EXTENTxEXTENT:FILE or zeros:TYPE:EXTENTxEXTENT; with view: in "
                       "front also its extents and strides, as frontends pass arrays"),
              cl::value_desc("VALUE"), cl::sub(importCommand()));

llvm::Error expected(const llvm::Twine &what, llvm::StringRef found) {
  return llvm::createStringError("expected " + what + ", found '" + found + "'");
}

llvm::Expected<std::string> readFile(llvm::StringRef path) {
  auto file = readInputFile(path);
  if (!file)
    return file.takeError();
  return (*file)->getBuffer().str();
}

/// Row-major strides, or column-major ones.
std::vector<int64_t> denseStrides(llvm::ArrayRef<int64_t> shape, bool columns = false) {
  std::vector<int64_t> strides(shape.size(), 1);
  int64_t next = 1;
  for (size_t i = 0; i < shape.size(); ++i) {
    size_t at = columns ? i : shape.size() - 1 - i;
    strides[at] = next;
    next *= std::max<int64_t>(shape[at], 1);
  }
  return strides;
}

/// `64x32`; empty for a single element.
llvm::Expected<std::vector<int64_t>> parseShape(llvm::StringRef text) {
  std::vector<int64_t> shape;
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, 'x', -1, false);
  int64_t count = 1;
  for (llvm::StringRef part : parts) {
    if (part.getAsInteger(10, shape.emplace_back()) || shape.back() < 0 ||
        (shape.back() && count > (int64_t(1) << 32) / shape.back()))
      return expected("extents as 64x32, of at most 2^32 elements", text);
    count *= std::max<int64_t>(shape.back(), 1);
  }
  return shape;
}

/// The array of a .npy file: its header is a Python dictionary with three keys.
llvm::Expected<testcase::Buffer> parseNpy(llvm::StringRef path, std::optional<DataType> type) {
  auto data = readFile(path);
  if (!data)
    return data.takeError();
  llvm::StringRef bytes = *data;
  auto bad = [&](const llvm::Twine &what) { return expected(what + " in a .npy file", path); };
  if (!bytes.starts_with("\x93NUMPY") || bytes.size() < 12)
    return bad("the magic of numpy");
  bool isLong = bytes[6] > 1;
  size_t length = uint8_t(bytes[8]) | uint8_t(bytes[9]) << 8;
  if (isLong)
    length |= size_t(uint8_t(bytes[10])) << 16 | size_t(uint8_t(bytes[11])) << 24;
  size_t start = isLong ? 12 : 10;
  if (length > bytes.size() - start)
    return bad("a whole header");
  llvm::StringRef header = bytes.substr(start, length);
  auto valueOf = [&](llvm::StringRef key) {
    size_t at = header.find(("'" + key + "'").str());
    return at == llvm::StringRef::npos ? "" : header.substr(at + key.size() + 2).ltrim(": ");
  };
  llvm::StringRef word = valueOf("descr").drop_front(valueOf("descr").empty() ? 0 : 1);
  word = word.take_until([](char c) { return c == '\'' || c == '"'; });
  if (word.starts_with(">"))
    return bad("little-endian elements");
  word = word.ltrim("<|=");
  static constexpr std::pair<const char *, DataType> kTypes[] = {
      {"f2", DataType::F16}, {"f4", DataType::F32}, {"f8", DataType::F64}, {"b1", DataType::Bool},
      {"i1", DataType::I8},  {"i2", DataType::I16}, {"i4", DataType::I32}, {"i8", DataType::I64},
      {"u1", DataType::U8},  {"u2", DataType::U16}, {"u4", DataType::U32}, {"u8", DataType::U64}};
  for (auto [name, known] : kTypes)
    if (!type && word == name)
      type = known;
  unsigned size = 0;
  // Types that numpy has no name for come as bits: integers, or void.
  if (!type || !llvm::StringRef("biufV").contains(word.take_front()))
    return expected("an element type that Tile IR has, or TYPE: in front of '" + path + "'", word);
  if (word.drop_front().getAsInteger(10, size) || size != testcase::sizeInBytes(*type))
    return bad("elements of " + llvm::Twine(testcase::sizeInBytes(*type)) + " bytes");
  testcase::Buffer buffer;
  buffer.dtype = *type;
  llvm::StringRef shape = valueOf("shape");
  if (!shape.consume_front("("))
    return bad("a shape");
  llvm::SmallVector<llvm::StringRef> parts;
  shape.take_until([](char c) { return c == ')'; }).split(parts, ',', -1, false);
  std::string text;
  for (llvm::StringRef part : parts)
    if (!part.trim().empty())
      text += (text.empty() ? "" : "x") + part.trim().str();
  auto extents = parseShape(text);
  if (!extents)
    return extents.takeError();
  buffer.shape = std::move(*extents);
  buffer.strides = denseStrides(buffer.shape, valueOf("fortran_order").starts_with("True"));
  llvm::StringRef contents = bytes.substr(start + length);
  if (contents.size() != buffer.byteSize())
    return bad(llvm::Twine(buffer.byteSize()) + " bytes of elements");
  buffer.data.assign(contents.bytes_begin(), contents.bytes_end());
  return buffer;
}

/// An array of the command line.
llvm::Expected<testcase::Buffer> parseArray(llvm::StringRef text) {
  auto typeOf = [&](llvm::StringRef word) -> llvm::Expected<DataType> {
    if (auto type = testcase::parseDataType(word))
      return *type;
    return expected("an element type such as f32", word);
  };
  if (text.ends_with(".npy") && !text.starts_with("raw:")) {
    std::optional<DataType> type = testcase::parseDataType(text.split(':').first);
    return parseNpy(type ? text.split(':').second : text, type);
  }
  bool isRaw = text.consume_front("raw:");
  if (!isRaw && !text.consume_front("zeros:"))
    return expected("FILE.npy, raw: or zeros:", text);
  auto [word, rest] = text.split(':');
  auto [extents, path] = rest.split(':');
  auto type = typeOf(word);
  if (!type)
    return type.takeError();
  auto shape = parseShape(extents);
  if (!shape)
    return shape.takeError();
  testcase::Buffer buffer;
  buffer.dtype = *type;
  buffer.shape = std::move(*shape);
  buffer.strides = denseStrides(buffer.shape);
  buffer.data.resize(buffer.byteSize());
  if (!isRaw)
    return buffer;
  auto data = readFile(path);
  if (!data)
    return data.takeError();
  if (data->size() != buffer.data.size())
    return expected(llvm::Twine(buffer.data.size()) + " bytes in '" + path + "'",
                    std::to_string(data->size()));
  llvm::copy(llvm::arrayRefFromStringRef(*data), buffer.data.begin());
  return buffer;
}

/// A number for a parameter of that type.
llvm::Expected<uint64_t> parseScalar(llvm::StringRef text, DataType type) {
  auto [word, rest] = text.split(':');
  if (testcase::parseDataType(word)) // the type may stand in front; it is the parameter's
    text = rest;
  if (testcase::isFloat(type)) {
    double value;
    if (text.getAsDouble(value))
      return expected("a number", text);
    return testcase::fromDouble(type, value);
  }
  int64_t value;
  uint64_t large = 0;
  if (text.getAsInteger(0, value)) {
    if (text.getAsInteger(0, large))
      return expected("an integer", text);
    value = static_cast<int64_t>(large);
  }
  unsigned bits = 8 * testcase::sizeInBytes(type);
  if (bits < 64 && (value < -(int64_t(1) << (bits - 1)) || value >= int64_t(1) << bits))
    return expected("an integer of " + llvm::Twine(bits) + " bits", text);
  return bits < 64 ? uint64_t(value) & ((uint64_t(1) << bits) - 1) : uint64_t(value);
}

/// Gives the parameters of the entry their arguments.
llvm::Error addArguments(testcase::TestCase &testCase, const runtime::Entry &entry) {
  testcase::Launch &launch = testCase.launches.front();
  auto next = [&](llvm::StringRef text) -> llvm::Expected<const runtime::Parameter *> {
    if (launch.params.size() == entry.parameters.size())
      return expected(llvm::Twine(entry.parameters.size()) + " parameters of '" + entry.name + "'",
                      text);
    return &entry.parameters[launch.params.size()];
  };
  auto addScalar = [&](llvm::StringRef text) -> llvm::Error {
    auto parameter = next(text);
    if (!parameter)
      return parameter.takeError();
    if ((*parameter)->isPointer)
      return expected(
          "an array (FILE.npy, raw:TYPE:EXTENTS:FILE, zeros:TYPE:EXTENTS) for parameter " +
              llvm::Twine(launch.params.size()),
          text);
    auto bits = parseScalar(text, (*parameter)->dtype);
    if (!bits)
      return bits.takeError();
    launch.params.push_back(testcase::Parameter::scalar((*parameter)->dtype, *bits));
    return llvm::Error::success();
  };
  for (llvm::StringRef text : arguments) {
    llvm::StringRef rest = text;
    bool isView = rest.consume_front("view:");
    bool isArray =
        isView || rest.ends_with(".npy") || rest.starts_with("raw:") || rest.starts_with("zeros:");
    if (!isArray) {
      if (llvm::Error error = addScalar(text))
        return error;
      continue;
    }
    auto parameter = next(text);
    if (!parameter)
      return parameter.takeError();
    if (!(*parameter)->isPointer)
      return expected("a number for parameter " + llvm::Twine(launch.params.size()), text);
    auto buffer = parseArray(rest);
    if (!buffer)
      return buffer.takeError();
    // Pointers to bytes, and to what is smaller, may get anything.
    const unsigned size = testcase::sizeInBytes((*parameter)->dtype);
    if (size > 1 && size != testcase::sizeInBytes(buffer->dtype))
      return expected("elements of " + llvm::Twine(size) + " bytes (" +
                          testcase::spelling((*parameter)->dtype) + ") for parameter " +
                          llvm::Twine(launch.params.size()),
                      testcase::spelling(buffer->dtype));
    launch.params.push_back(testcase::Parameter::pointer(
        static_cast<unsigned>(testCase.buffers.size()), (*parameter)->dtype));
    if (isView)
      for (const std::vector<int64_t> &words : {buffer->shape, buffer->strides})
        for (int64_t word : words)
          if (llvm::Error error = addScalar(std::to_string(word)))
            return error;
    testCase.buffers.push_back(std::move(*buffer));
  }
  if (launch.params.size() != entry.parameters.size())
    return expected(llvm::Twine(entry.parameters.size()) + " parameters of '" + entry.name +
                        "' (an array with view: stands for several)",
                    std::to_string(launch.params.size()));
  return llvm::Error::success();
}

/// The bytecode of a file in any of its forms.
llvm::Expected<std::string> readModule(llvm::StringRef path) {
  auto data = readFile(path);
  if (!data)
    return data;
  if (EmulatedModule::hasMagic(*data)) {
    std::string why;
    auto module = EmulatedModule::parse(*data, why);
    if (!module)
      return llvm::createStringError("'" + path + "': " + why);
    return module->bytecode;
  }
  if (bytecode::isTileIRBytecode(*data))
    return data;
  if (llvm::Error error = checkTextLimits(*data))
    return std::move(error);
  unsigned minor;
  llvm::StringRef number = version;
  if (!number.consume_front("13.") || number.getAsInteger(10, minor) || minor < 1 || minor > 5)
    return expected("a bytecode version 13.N", version);
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.getOrLoadDialect<cuda_tile::CudaTileDialect>();
  std::string diagnostics;
  context.getDiagEngine().registerHandler([&](mlir::Diagnostic &diagnostic) {
    diagnostics += (diagnostics.empty() ? "" : "; ") + diagnostic.str();
    return mlir::success();
  });
  auto parsed = mlir::parseSourceString<mlir::ModuleOp>(*data, &context);
  auto module = parsed && !parsed->getBody()->empty()
                    ? llvm::dyn_cast<cuda_tile::ModuleOp>(parsed->getBody()->front())
                    : cuda_tile::ModuleOp();
  if (!module)
    return llvm::createStringError("'" + path + "' is neither bytecode nor the text of a module: " +
                                   (diagnostics.empty() ? "it has no module" : diagnostics));
  bytecode::Version target;
  target.minor = static_cast<uint8_t>(minor);
  std::string bytes;
  llvm::raw_string_ostream sink(bytes);
  if (llvm::Error error = bytecode::writeBytecode(module, sink, target))
    return std::move(error);
  return bytes;
}

/// Runs the reference and stores what it leaves as the expectation.
llvm::Error addExpectation(testcase::TestCase &testCase, const oracles::EngineOptions &options) {
  for (testcase::Buffer &buffer : testCase.buffers)
    if (testcase::isFloat(buffer.dtype))
      buffer.compare.mode = testcase::Comparison::Mode::Enclosure;
  auto engines = oracles::createEngines("reference");
  if (!engines)
    return engines.takeError();
  oracles::EngineResult result =
      engines->front()->run({testCase, testCase.launches.front().modules.front().version, options});
  if (!result.printed.empty())
    testCase.standardOutput = result.printed;
  if (result.status == oracles::EngineResult::Status::Trapped) {
    testCase.traps = true;
    testCase.message = result.message;
    return llvm::Error::success();
  }
  if (!result.completed())
    return llvm::createStringError("the reference gives no result to expect: " +
                                   oracles::toString(result.status) + ": " + result.message);
  for (auto [buffer, left] : llvm::zip(testCase.buffers, result.buffers)) {
    if (left.bytes == buffer.data && !left.enclosure && left.ignored.empty()) {
      buffer.compare.mode = testcase::Comparison::Mode::Exact;
      continue;
    }
    buffer.expect = left.bytes;
    buffer.open = left.ignored;
  }
  return llvm::Error::success();
}

llvm::Expected<testcase::TestCase> importCase(const oracles::EngineOptions &options) {
  auto bytes = readModule(input);
  if (!bytes)
    return bytes.takeError();
  runtime::Session session;
  auto module = session.load(*bytes);
  if (!module)
    return module.takeError();
  llvm::ArrayRef<runtime::Entry> entries = runtime::Session::entries(**module);
  if (entries.empty())
    return llvm::createStringError("expected a kernel in '" + input + "', found none");
  std::string names = llvm::join(
      llvm::map_range(entries, [](const runtime::Entry &entry) { return entry.name; }), ", ");
  std::string wanted = entryName.empty() && entries.size() == 1 ? entries.front().name : entryName;
  const runtime::Entry *entry =
      llvm::find_if(entries, [&](const runtime::Entry &known) { return known.name == wanted; });
  if (entry == entries.end())
    return expected("--entry to be one of " + names, wanted);

  testcase::TestCase testCase;
  llvm::SmallString<128> folder(output);
  llvm::sys::path::remove_dots(folder, true);
  testCase.name = llvm::sys::path::filename(folder).str();
  testcase::Launch &launch = testCase.launches.emplace_back();
  launch.kernel = entry->name;
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(gridSize).split(parts, ',');
  for (auto [i, part] : llvm::enumerate(parts))
    if (i > 2 || part.getAsInteger(10, launch.grid[i]) || launch.grid[i] < 1 ||
        launch.grid[i] >= int64_t(1) << 24)
      return expected("X[,Y,Z] from 1 to 16777215 for --grid", gridSize);
  auto number = bytecode::readVersion(*bytes);
  if (!number)
    return number.takeError();
  std::string spelled = llvm::formatv("{0}.{1}", number->major, number->minor);
  launch.modules.push_back(
      {spelled, "kernel.v" + spelled + ".tileirbc", testcase::Bytes(bytes->begin(), bytes->end())});
  testCase.notes = "imported from " + llvm::sys::path::filename(input).str() +
                   "; the expectation is what the reference computes";
  if (llvm::Error error = addArguments(testCase, *entry))
    return std::move(error);
  if (llvm::Error error = addExpectation(testCase, options))
    return std::move(error);
  return testCase;
}

} // namespace

int tilesmith::fuzz::runImport() {
  if (input.empty() || output.empty())
    return usageError("expected a module and -o DIR");
  std::optional<oracles::EngineOptions> options = readEngineOptions();
  if (!options)
    return kUsageError;
  if (llvm::Error error = OutputFolder::check(output, {input}))
    return usageError(std::move(error));
  auto testCase = importCase(*options);
  if (!testCase)
    return usageError(testCase.takeError());
  if (llvm::Error error = testcase::saveTestCase(*testCase, output))
    return usageError(std::move(error));
  llvm::outs() << llvm::formatv(
      "{0}: {1} parameters, {2} buffers; saved to {3}\n", testCase->launches.front().kernel,
      testCase->launches.front().params.size(), testCase->buffers.size(), output);
  return 0;
}
