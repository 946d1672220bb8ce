//===- TileAAProgram.cpp - values, memory and the frame of a program --------------------------===//
#include "generators/program/TileAAProgram.h"

#include "generators/program/TileAAGenerator.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using llvm::formatv;

/// Choices of a step, and of what stands around the steps. Contents of buffers follow from them.
static constexpr unsigned kFrame = 24;

TileAAProgram::TileAAProgram(ChoiceStream &stream, std::string name,
                             const std::set<unsigned> &without) {
  testCase.name = std::move(name);
  testCase.exactData = true;
  ChoiceStream frame = stream.frame(kFrame);
  choices = &frame;
  rows = 1u << pick(4), columns = 8u << pick(4);
  unsigned steps = 3 + pick(6);
  for (int i = 0; i < 2; ++i)
    ints.push_back(load("i32"));
  for (int i = 0; i < 2; ++i)
    floats.push_back(load("f32"));
  for (unsigned i = 0; i < steps; ++i) {
    ChoiceStream own = stream.frame(kFrame);
    choices = &own;
    step(!without.count(i));
  }
  ChoiceStream last = stream.frame(kFrame);
  choices = &last;
  for (size_t i = ints.size() - 2, end = ints.size(); i < end; ++i)
    store(std::string(ints[i]), "i32");
  store(std::string(floats.back()), "f32");
  finish();
}

std::string TileAAProgram::tile(llvm::StringRef element) const {
  return formatv("tensor<{0}x{1}x{2}>", rows, columns, element);
}

std::string TileAAProgram::constant(int64_t value) {
  std::string name = fresh();
  emit(formatv("{0} = arith.constant {1} : i32", name, value));
  return name;
}

std::string TileAAProgram::argument(llvm::StringRef element, size_t count, int low, int high) {
  testcase::Buffer buffer;
  buffer.dtype = element == "i32" ? testcase::DataType::I32 : testcase::DataType::F32;
  buffer.shape = {static_cast<int64_t>(count)};
  buffer.strides = {1};
  // No expectation is stored, and no engine has bounds: they agree bit for bit.
  buffer.compare.mode = testcase::Comparison::Mode::Enclosure;
  for (size_t i = 0; i < count; ++i) {
    int number = low + static_cast<int>(pick(high - low));
    auto bits = element == "i32" ? static_cast<uint32_t>(number)
                                 : llvm::bit_cast<uint32_t>(static_cast<float>(number) / 8);
    for (unsigned byte = 0; byte < 4; ++byte)
      buffer.data.push_back(static_cast<uint8_t>(bits >> 8 * byte));
  }
  parameters.push_back(testcase::Parameter::pointer(testCase.buffers.size(), buffer.dtype));
  testCase.buffers.push_back(std::move(buffer));
  std::string name = formatv("%p{0}", arguments.size());
  arguments.push_back({name, element == "i32" ? kPointerToI32 : kPointerToF32});
  return name;
}

std::string TileAAProgram::pointers(const std::string &base, llvm::StringRef element, size_t count,
                                    const std::string &shape) {
  llvm::StringRef pointer = element == "i32" ? kPointerToI32 : kPointerToF32;
  std::string zero = constant(0), end = constant(count), range = fresh(), splat = fresh(),
              sum = fresh(), view = fresh();
  std::string flat = formatv("tensor<{0}x{1}>", count, pointer);
  emit(formatv("{0} = \"nv_tileaa.make_range\"({1}, {2}) : (i32, i32) -> tensor<{3}xi32>", range,
               zero, end, count));
  emit(formatv("{0} = \"nv_tileaa.splat\"({1}) : ({2}) -> {3}", splat, base, pointer, flat));
  emit(formatv("{0} = \"nv_tileaa.addptr\"({1}, {2}) : ({3}, tensor<{4}xi32>) -> {3}", sum, splat,
               range, flat, count));
  emit(formatv("{0} = \"nv_tileaa.view\"({1}) : ({2}) -> tensor<{3}x{4}>", view, sum, flat, shape,
               pointer));
  return view;
}

std::string TileAAProgram::load(llvm::StringRef element, const std::string &mask,
                                const std::string &other) {
  std::string base = argument(element, rows * columns), at = fresh();
  std::string shape = formatv("{0}x{1}", rows, columns);
  std::string from = pointers(base, element, rows * columns, shape);
  bool isVolatile = flip();
  emit(formatv("{0} = \"nv_tileaa.load\"({1}{2}) <{{{3}mem_semantic = "
               "#nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 0, {4}, 0>} > "
               ": (tensor<{5}x{6}>{7}) -> {8}",
               at, from, mask.empty() ? "" : ", " + mask + ", " + other,
               isVolatile ? "is_volatile, " : "", mask.empty() ? "0, 0" : "1, 1", shape,
               element == "i32" ? kPointerToI32 : kPointerToF32,
               mask.empty() ? "" : ", " + tile("i1") + ", " + tile(element), tile(element)));
  return at;
}

void TileAAProgram::storeTile(const std::string &value, llvm::StringRef element, size_t count,
                              const std::string &shape, const std::string &mask) {
  std::string base = argument(element, count);
  std::string to = pointers(base, element, count, shape);
  emit(formatv("\"nv_tileaa.store\"({0}, {1}{2}) <{{mem_semantic = "
               "#nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, {3}, "
               "0>} > : (tensor<{4}x{5}>, tensor<{4}x{6}>{7}) -> ()",
               to, value, mask.empty() ? "" : ", " + mask, mask.empty() ? 0 : 1, shape,
               element == "i32" ? kPointerToI32 : kPointerToF32, element,
               mask.empty() ? "" : ", " + tile("i1")));
}

void TileAAProgram::store(const std::string &value, llvm::StringRef element) {
  storeTile(value, element, rows * columns, formatv("{0}x{1}", rows, columns),
            flip() ? mask() : "");
}

std::string TileAAProgram::mask() {
  std::string name = fresh(), a = oneOf(ints), b = oneOf(ints);
  emit(formatv("{0} = arith.cmpi slt, {1}, {2} : {3}", name, a, b, tile("i32")));
  return name;
}

/// All steps; each has the same chance.
const std::vector<TileAAProgram::Step> &TileAAProgram::steps() {
  static const std::vector<Step> all{
      {"integers", &TileAAProgram::integers},   {"floats", &TileAAProgram::addFloats},
      {"clampf", &TileAAProgram::clamp},        {"scan", &TileAAProgram::scan},
      {"generate", &TileAAProgram::generate},   {"histogram", &TileAAProgram::histogram},
      {"barrier", &TileAAProgram::barrier},     {"pragma", &TileAAProgram::pragma},
      {"call", &TileAAProgram::call},           {"library", &TileAAProgram::library},
      {"gather", &TileAAProgram::gather},       {"element", &TileAAProgram::element},
      {"view", &TileAAProgram::tiledLoad},      {"masked", &TileAAProgram::masked},
      {"constants", &TileAAProgram::constants}, {"mulhiui", &TileAAProgram::mulhi},
      {"agents", &TileAAProgram::agents}};
  return all;
}

void TileAAProgram::step(bool isKept) {
  const Step &drawn = steps()[pick(static_cast<unsigned>(steps().size()))];
  if (!isKept)
    return;
  trail.push_back(drawn.name);
  (this->*drawn.function)();
}

void TileAAProgram::finish() {
  std::string types, names;
  for (auto [name, type] : arguments) {
    types += (types.empty() ? "" : ", ") + type;
    names += (names.empty() ? "" : ", ") + name + ": " + type;
  }
  std::string text = "module attributes {nv_tileaa.compute_capability = 90 : i32} {\n"
                     "gpu.module @kernels {\n" +
                     functions + "\"nv_tileaa.func\"() <{function_type = (" + types +
                     ") -> (), sym_name = \"kernel\"}> ({\n^bb0(" + names + "):\n" + body +
                     "  \"nv_tileaa.return\"() : () -> ()\n}) : () -> ()\n}\n}\n";
  // formatv has no braces but its own: "} >" closes the properties of an op.
  for (size_t at = 0; (at = text.find("} >", at)) != std::string::npos;)
    text.replace(at, 3, "}>");
  testcase::Launch launch;
  launch.kernel = "kernel";
  launch.params = parameters;
  launch.modules.push_back(
      {"13.1", "kernel.tileaa.mlir", testcase::Bytes(text.begin(), text.end())});
  testCase.launches.push_back(std::move(launch));
}

TileAACase tilesmith::generators::generateTileAA(ChoiceStream &stream, std::string name,
                                                 const std::set<unsigned> &without) {
  TileAAProgram program(stream, std::move(name), without);
  program.testCase.choices = testcase::Bytes(stream.recorded());
  return {std::move(program.testCase), std::move(program.trail)};
}

std::vector<std::string> tilesmith::generators::tileaaSteps() {
  std::vector<std::string> names;
  for (const TileAAProgram::Step &step : TileAAProgram::steps())
    names.push_back(step.name);
  return names;
}
