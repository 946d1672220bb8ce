//===- EnclosureKernels.cpp - one kernel on many inputs in the enclosure domain ---------------===//
#include "reference/interp/test/EnclosureKernels.h"

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "mlir/Parser/Parser.h"

#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "reference/interp/RunCase.h"
#include "reference/testcase/Compare.h"

using namespace tilesmith;
using namespace tilesmith::reference;

/// Pointers %NAME to the `count` elements behind the parameter %aN.
static std::string pointersTo(const std::string &name, size_t parameter, ArrayType array) {
  std::string n = std::to_string(parameter), type = spelling(array.type).str(),
              count = std::to_string(array.count), pointer = "ptr<" + type + ">";
  return "%i" + n + " = iota : tile<" + count + "xi32>\n%b" + n + " = reshape %a" + n + " : tile<" +
         pointer + "> -> tile<1x" + pointer + ">\n%c" + n + " = broadcast %b" + n + " : tile<1x" +
         pointer + "> -> tile<" + count + "x" + pointer + ">\n%" + name + " = offset %c" + n +
         ", %i" + n + " : tile<" + count + "x" + pointer + ">, tile<" + count + "xi32> -> tile<" +
         count + "x" + pointer + ">\n";
}

EnclosureKernel::EnclosureKernel(const std::string &body, std::vector<ArrayType> inputs,
                                 ArrayType result)
    : inputs(std::move(inputs)), result(result) {
  loadReferenceDialects(context);
  std::string parameters, text;
  for (size_t k = 0; k <= this->inputs.size(); ++k) {
    ArrayType array = k < this->inputs.size() ? this->inputs[k] : result;
    std::string n = std::to_string(k), type = spelling(array.type).str(),
                shape = std::to_string(array.count) + "x";
    parameters += (k ? ", %a" : "%a") + n + ": tile<ptr<" + type + ">>";
    text += pointersTo("p" + n, k, array);
    if (k < this->inputs.size())
      text += "%x" + n + ", %t" + n + " = load_ptr_tko weak %p" + n + " : tile<" + shape + "ptr<" +
              type + ">> -> tile<" + shape + type + ">, token\n";
  }
  std::string n = std::to_string(this->inputs.size()), type = spelling(result.type).str(),
              shape = std::to_string(result.count) + "x";
  text += body + "\n%stored = store_ptr_tko weak %p" + n + ", %r : tile<" + shape + "ptr<" + type +
          ">>, tile<" + shape + type + "> -> token\n";
  module = mlir::parseSourceString<mlir::ModuleOp>(
      "cuda_tile.module @m {\nentry @k(" + parameters + ") {\n" + text + "}\n}\n", &context);
  EXPECT_TRUE(module) << text;
}

std::vector<Element> EnclosureKernel::run(const std::vector<std::vector<double>> &values,
                                          bool contraction) {
  Interpreter interpreter;
  Memory &memory = interpreter.memory();
  LaunchRequest request;
  request.entry = "k";
  request.domain = Domain::Enclosure;
  request.contraction = contraction;
  for (size_t k = 0; k <= inputs.size(); ++k) {
    ArrayType array = k < inputs.size() ? inputs[k] : result;
    unsigned size = bytesOf(array.type);
    std::vector<uint8_t> bytes(array.count * size);
    for (size_t i = 0; k < inputs.size() && i < array.count; ++i) {
      uint64_t bits = encode(array.type, values[k][i]);
      std::memcpy(bytes.data() + i * size, &bits, size);
    }
    request.arguments.push_back(llvm::cantFail(memory.allocate(bytes.size(), 256, "array", bytes)));
  }
  Outcome outcome = interpreter.launch(*module->getOps<cuda_tile::ModuleOp>().begin(), request);
  EXPECT_TRUE(outcome.completed()) << outcome.describe();
  std::vector<Element> elements(result.count);
  for (size_t i = 0; i < result.count; ++i)
    EXPECT_FALSE(
        memory.load(result.type, request.arguments.back() + i * bytesOf(result.type), elements[i]));
  return elements;
}

bool tilesmith::reference::holds(ElementType type, const Element &e, double value) {
  if (e.state == State::Unknown || isVacuous(e))
    return true;
  if (e.state == State::NaN)
    return std::isnan(value);
  if (e.state == State::Known)
    return encode(type, value) == e.bits;
  auto [low, high] = boundsOf(type, e);
  return decode(type, low) <= value && value <= decode(type, high);
}

static testcase::DataType dataTypeOf(ElementType type) {
  switch (type) {
  case ElementType::F16:
    return testcase::DataType::F16;
  case ElementType::BF16:
    return testcase::DataType::BF16;
  case ElementType::F64:
    return testcase::DataType::F64;
  default:
    return testcase::DataType::F32;
  }
}

double tilesmith::reference::widthInUlps(ElementType type, const Element &e) {
  if (e.state != State::Enclosed)
    return 0;
  auto [low, high] = boundsOf(type, e);
  return testcase::ulpDistance(dataTypeOf(type), low, high);
}

bool tilesmith::reference::saysNothing(ElementType type, const Element &e) {
  return e.state == State::Unknown ||
         (e.state == State::Enclosed && e.spread.error > std::fabs(decode(type, e.bits)));
}

static double roundBy(ElementType type, double value, double (*integral)(double)) {
  if (type == ElementType::F64 || value == 0 || !std::isfinite(value))
    return value;
  const FloatFormat &format = formatOf(type);
  int exponent = std::max(std::ilogb(value), format.minExponent);
  double unit = std::ldexp(1.0, exponent - format.precision + 1);
  double rounded = integral(value / unit) * unit; // exact scaling by a power of two
  double largest = maxFinite(type);
  return std::fabs(rounded) > largest
             ? std::copysign(integral == static_cast<double (*)(double)>(std::trunc) ? largest
                                                                                     : kInfinity,
                             value)
             : rounded;
}

double tilesmith::reference::roundToNearest(ElementType type, double value) {
  return roundBy(type, value, static_cast<double (*)(double)>(std::nearbyint));
}
double tilesmith::reference::roundToZero(ElementType type, double value) {
  return roundBy(type, value, static_cast<double (*)(double)>(std::trunc));
}
