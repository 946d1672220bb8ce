//===- KernelText.cpp - run a few lines of cuda_tile text -------------------------------------===//
#include "reference/interp/test/KernelText.h"

#include <gtest/gtest.h>

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "reference/interp/RunCase.h"
#include "reference/value/Float.h"

using namespace tilesmith;
using namespace tilesmith::reference;

namespace {

ElementType typeNamed(llvm::StringRef word) {
  for (ElementType type : allElementTypes())
    if (spelling(type) == word)
      return type;
  ADD_FAILURE() << "unknown element type " << word.str();
  return ElementType::I32;
}

std::string list(const std::vector<std::string> &values) {
  return "[" + llvm::join(values, ", ") + "]";
}

} // namespace

std::string tilesmith::reference::tileOf(size_t count, llvm::StringRef type) {
  return "tile<" + std::to_string(count) + "x" + type.str() + ">";
}

Outcome tilesmith::reference::runKernel(llvm::StringRef body, const KernelOptions &options) {
  mlir::MLIRContext context;
  loadReferenceDialects(context);
  context.getLoadedDialect<cuda_tile::CudaTileDialect>()->setProfile(
      cuda_tile::Profile::Tileiras13_5);
  std::string diagnostics;
  context.getDiagEngine().registerHandler([&](mlir::Diagnostic &d) {
    diagnostics += d.str() + "\n";
    return mlir::success();
  });
  std::string text =
      "cuda_tile.module @m {\n" + options.globals + "\nentry @k() {\n" + body.str() + "\n}\n}\n";
  auto parsed = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!parsed) {
    ADD_FAILURE() << diagnostics << text;
    return {};
  }
  auto modules = parsed->getOps<cuda_tile::ModuleOp>();
  LaunchRequest request;
  request.entry = "k";
  request.grid = options.grid;
  request.seed = options.seed;
  request.strictAssume = options.strictAssume;
  request.detectRaces = options.detectRaces;
  return Interpreter(options.limits).launch(*modules.begin(), request);
}

std::string tilesmith::reference::evaluate(llvm::StringRef body, const KernelOptions &options) {
  Outcome outcome = runKernel(body, options);
  if (outcome.completed())
    return outcome.printed();
  return spelling(outcome.kind).str() + " (" + outcome.detail + ")";
}

std::string tilesmith::reference::integers(llvm::StringRef name, llvm::StringRef type,
                                           std::vector<int64_t> values) {
  std::vector<std::string> words;
  for (int64_t v : values)
    words.push_back(type == "i1" ? (v ? "true" : "false") : std::to_string(v));
  return "%" + name.str() + " = constant <" + type.str() + ": " + list(words) +
         "> : " + tileOf(values.size(), type) + "\n";
}

std::string tilesmith::reference::patterns(llvm::StringRef name, llvm::StringRef type,
                                           std::vector<uint64_t> values) {
  ElementType element = typeNamed(type);
  std::string bitsType = "i" + std::to_string(widthOf(element));
  std::vector<int64_t> bits;
  for (uint64_t v : values)
    bits.push_back(static_cast<int64_t>(v << (64 - widthOf(element))) >> (64 - widthOf(element)));
  std::string bitsName = name.str() + "_bits";
  return integers(bitsName, bitsType, bits) + "%" + name.str() + " = bitcast %" + bitsName + " : " +
         tileOf(values.size(), bitsType) + " -> " + tileOf(values.size(), type) + "\n";
}

std::string tilesmith::reference::floats(llvm::StringRef name, llvm::StringRef type,
                                         std::vector<double> values) {
  std::vector<uint64_t> bits;
  for (double v : values)
    bits.push_back(encode(typeNamed(type), v));
  return patterns(name, type, bits);
}

std::string tilesmith::reference::show(llvm::StringRef name, llvm::StringRef type,
                                       llvm::StringRef conversion) {
  return "print_tko \"" + conversion.str() + "\", %" + name.str() + " : " + type.str() +
         " -> token\n";
}

std::string tilesmith::reference::integerOp(llvm::StringRef op, llvm::StringRef type,
                                            std::vector<int64_t> a, std::vector<int64_t> b) {
  std::string tile = tileOf(a.size(), type);
  bool compares = op.starts_with("cmpi");
  std::string types = compares ? tile + " -> " + tileOf(a.size(), "i1") : tile;
  return evaluate(integers("a", type, a) + (b.empty() ? "" : integers("b", type, b)) +
                  "%r = " + op.str() + " : " + types + "\n" +
                  show("r", compares ? tileOf(a.size(), "i1") : tile, "%d"));
}

std::string tilesmith::reference::floatOp(llvm::StringRef op, llvm::StringRef type,
                                          std::vector<double> a, std::vector<double> b,
                                          std::vector<double> c) {
  std::string tile = tileOf(a.size(), type);
  bool compares = op.starts_with("cmpf");
  std::string result = compares ? tileOf(a.size(), "i1") : tile;
  return evaluate(floats("a", type, a) + (b.empty() ? "" : floats("b", type, b)) +
                  (c.empty() ? "" : floats("c", type, c)) + "%r = " + op.str() + " : " +
                  (compares ? tile + " -> " + result : tile) + "\n" +
                  show("r", result, compares ? "%d" : "%g"));
}

std::string tilesmith::reference::convertIntegers(llvm::StringRef op, llvm::StringRef from,
                                                  std::vector<int64_t> a, llvm::StringRef to) {
  return evaluate(integers("a", from, a) + "%r = " + op.str() + " : " + tileOf(a.size(), from) +
                  " -> " + tileOf(a.size(), to) + "\n" +
                  show("r", tileOf(a.size(), to), isFloat(typeNamed(to)) ? "%g" : "%d"));
}

std::string tilesmith::reference::convertFloats(llvm::StringRef op, llvm::StringRef from,
                                                std::vector<double> a, llvm::StringRef to) {
  return evaluate(floats("a", from, a) + "%r = " + op.str() + " : " + tileOf(a.size(), from) +
                  " -> " + tileOf(a.size(), to) + "\n" +
                  show("r", tileOf(a.size(), to), isFloat(typeNamed(to)) ? "%g" : "%d"));
}
