//===- OpFilesTest.cpp - one self-checking file per op ----------------------------------------===//
//
// Runs every file of reference/interp/test/ops on the interpreter. A file is named after its op and
// holds values worked out by hand from the semantics:
//
//   # text                            a comment
//   f16, f32: addf %a, %b | 1.5 inf | 2 -inf => 3.5 nan
//       an op on rank-1 tiles of each of the types; one list of values per operand (%a, %b, %c).
//       `f32->i8` names another result type, `f32*i32->f32` one type per operand. Values are
//       numbers (rounded to the type), inf, nan, or #1f (a bit pattern); U is an unspecified
//       result; `=> undefined KIND` says that the run ends that way
//   run [grid=2,1,1] [races] [strict]
//     body of an entry, whose lines that begin with `global` belong to the module
//   => text                           what it prints, or `undefined (KIND)` and the like
//
// `numbers` in a body stands for a global @g of eight i32 (10 to 17), its address %p, pointers %ps
// to its elements, %i = 0 to 7, and %c0, %c1, %c2; `reload` prints the eight numbers.
//
//===------------------------------------------------------------------------------------------===//
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "reference/interp/Registry.h"
#include "reference/interp/RunCase.h"
#include "reference/value/Float.h"

using namespace tilesmith;
using namespace tilesmith::reference;

namespace {

std::string opsFolder() {
  const char *root = std::getenv("TILESMITH_SOURCE_DIR");
  return std::string(root ? root : ".") + "/reference/interp/test/ops";
}

std::optional<ElementType> typeNamed(llvm::StringRef word) {
  for (ElementType type : allElementTypes())
    if (spelling(type) == word)
      return type;
  return std::nullopt;
}

llvm::SmallVector<llvm::StringRef> words(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::SplitString(text, parts);
  return parts;
}

/// One value as a pattern of the type; nothing if it is not one.
std::optional<uint64_t> patternOf(ElementType type, llvm::StringRef word) {
  if (word.consume_front("#")) {
    uint64_t bits;
    return word.getAsInteger(16, bits) ? std::nullopt : std::optional(bits & maskOf(type));
  }
  if (word == "nan")
    return isFloat(type) ? nanPattern(type) : std::nullopt;
  char *end = nullptr;
  std::string text = word.str();
  if (isFloat(type)) {
    double value = std::strtod(text.c_str(), &end);
    return *end ? std::nullopt : std::optional(encode(type, value));
  }
  uint64_t bits = word.starts_with("-") ? static_cast<uint64_t>(std::strtoll(text.c_str(), &end, 0))
                                        : std::strtoull(text.c_str(), &end, 0);
  return *end ? std::nullopt : std::optional(bits & maskOf(type));
}

/// Types behind the op: `: A`, `: A -> R`, or all operand types.
std::string typeSuffix(llvm::StringRef op, llvm::ArrayRef<std::string> operands,
                       const std::string &result) {
  if (llvm::is_contained({"exti", "trunci", "itof", "ftoi", "ftof", "bitcast", "cmpf", "cmpi"}, op))
    return operands[0] + " -> " + result;
  if (op == "select")
    return operands[0] + ", " + result;
  if (op == "fpowi")
    return operands[0] + ", " + operands[1];
  return operands[0];
}

class OpFile {
public:
  explicit OpFile(const std::string &path) : path(path) { loadReferenceDialects(context); }

  void run() {
    std::ifstream stream(path);
    std::string line;
    while (std::getline(stream, line)) {
      ++number;
      llvm::StringRef text = llvm::StringRef(line).trim();
      if (text.empty() || text.starts_with("#"))
        continue;
      ++checks;
      if (text.consume_front("run"))
        runBlock(text, stream);
      else
        runRow(text);
    }
    EXPECT_GT(checks, 0u) << path << " checks nothing";
  }

private:
  std::string where() const {
    return llvm::sys::path::filename(path).str() + ":" + std::to_string(number);
  }

  void runRow(llvm::StringRef row) {
    auto [left, expected] = row.split("=>");
    auto [types, rest] = left.split(":");
    llvm::SmallVector<llvm::StringRef> fields;
    rest.split(fields, '|');
    ASSERT_GE(fields.size(), 2u) << where();
    llvm::SmallVector<llvm::StringRef> alternatives;
    types.split(alternatives, ',');
    for (llvm::StringRef alternative : alternatives)
      evaluateRow(alternative.trim(), fields[0].trim(), llvm::ArrayRef(fields).drop_front(),
                  expected.trim());
  }

  void evaluateRow(llvm::StringRef types, llvm::StringRef op, llvm::ArrayRef<llvm::StringRef> lists,
                   llvm::StringRef expected) {
    auto [operandTypes, resultType] = types.split("->");
    llvm::SmallVector<llvm::StringRef> names;
    operandTypes.split(names, '*');
    auto to = typeNamed(resultType.empty() ? names.back() : resultType);
    ASSERT_TRUE(to) << where() << ": unknown type in '" << types.str() << "'";
    size_t given = words(lists[0]).size(), count = llvm::PowerOf2Ceil(given);
    Interpreter interpreter;
    Memory &memory = interpreter.memory();
    LaunchRequest request;
    request.entry = "k";
    std::string parameters, body;
    llvm::SmallVector<std::string> tiles;
    auto shape = [&](const std::string &element) {
      return "tile<" + std::to_string(count) + "x" + element + ">";
    };
    for (size_t k = 0; k <= lists.size(); ++k) {
      bool isResult = k == lists.size();
      auto type = isResult ? to : typeNamed(names[names.size() == 1 ? 0 : k]);
      ASSERT_TRUE(type) << where() << ": unknown type in '" << types.str() << "'";
      std::vector<uint8_t> bytes;
      if (!isResult) {
        auto values = words(lists[k]);
        ASSERT_EQ(values.size(), given) << where() << ": lists of different lengths";
        for (size_t i = 0; i < count; ++i) {
          auto bits = patternOf(*type, values[std::min(i, given - 1)]);
          ASSERT_TRUE(bits) << where() << ": not a value: " << values[i].str();
          for (unsigned b = 0; b < bytesOf(*type); ++b)
            bytes.push_back(*bits >> 8 * b);
        }
      }
      request.arguments.push_back(
          llvm::cantFail(memory.allocate(count * bytesOf(*type), 16, "values", bytes)));
      std::string n = std::to_string(k), element = spelling(*type).str(),
                  pointer = "ptr<" + element + ">", name(1, static_cast<char>('a' + k));
      parameters += (k ? ", %arg" : "%arg") + n + ": tile<" + pointer + ">";
      body += "%i" + n + " = iota : " + shape("i32") + "\n%r" + n + " = reshape %arg" + n +
              " : tile<" + pointer + "> -> tile<1x" + pointer + ">\n%q" + n + " = broadcast %r" +
              n + " : tile<1x" + pointer + "> -> " + shape(pointer) + "\n%p" + n + " = offset %q" +
              n + ", %i" + n + " : " + shape(pointer) + ", " + shape("i32") + " -> " +
              shape(pointer) + "\n";
      if (!isResult) {
        tiles.push_back(shape(element));
        body += "%" + name + ", %t" + n + " = load_ptr_tko weak %p" + n + " : " + shape(pointer) +
                " -> " + shape(element) + ", token\n";
        continue;
      }
      body += "%result = " + op.str() + " : " +
              typeSuffix(op.split(' ').first, tiles, shape(element)) + "\n%t" + n +
              " = store_ptr_tko weak %p" + n + ", %result : " + shape(pointer) + ", " +
              shape(element) + " -> token\n";
    }
    Outcome outcome = launch(interpreter, request, "", parameters, body);
    if (expected.consume_front("undefined")) {
      EXPECT_EQ(spelling(outcome.kind).str() + " " + outcome.detail,
                "undefined " + expected.trim().str())
          << where() << " " << types.str();
      return;
    }
    ASSERT_TRUE(outcome.completed()) << where() << ": " << outcome.describe();
    auto wanted = words(expected);
    ASSERT_EQ(wanted.size(), given) << where() << ": expected one result per value";
    for (size_t i = 0; i < given; ++i) {
      Element e;
      ASSERT_FALSE(memory.load(*to, request.arguments.back() + i * bytesOf(*to), e)) << where();
      std::string got = e.state == State::Unknown ? "U"
                        : e.state == State::NaN   ? "nan"
                                                  : llvm::utohexstr(e.bits);
      if (wanted[i] == "U" || (wanted[i] == "nan" && e.state == State::NaN)) {
        EXPECT_EQ(got, wanted[i]) << where() << " " << types.str() << ", result " << i;
        continue;
      }
      auto bits = patternOf(*to, wanted[i]);
      ASSERT_TRUE(bits) << where() << ": not a value: " << wanted[i].str();
      EXPECT_TRUE(e.state == State::Known && e.bits == *bits)
          << where() << " " << types.str() << ", result " << i << ": expected " << wanted[i].str()
          << " (" << llvm::utohexstr(*bits) << "), found " << got;
    }
  }

  void runBlock(llvm::StringRef options, std::ifstream &stream) {
    LaunchRequest request;
    request.entry = "k";
    for (llvm::StringRef option : words(options)) {
      if (option.consume_front("grid=")) {
        llvm::SmallVector<llvm::StringRef> extents;
        option.split(extents, ',');
        for (auto [extent, text] : llvm::zip(request.grid, extents))
          ASSERT_FALSE(text.getAsInteger(10, extent)) << where();
      } else if (option == "races") {
        request.detectRaces = true;
      } else if (option == "strict") {
        request.strictAssume = true;
      } else {
        FAIL() << where() << ": unknown option " << option.str();
      }
    }
    std::string body, globals, line;
    while (std::getline(stream, line)) {
      ++number;
      llvm::StringRef text = llvm::StringRef(line).trim();
      if (text.consume_front("=>")) {
        Interpreter interpreter;
        Outcome outcome = launch(interpreter, request, globals, "", body);
        std::string got = outcome.printed();
        if (!outcome.completed())
          got = spelling(outcome.kind).str() + " (" + outcome.detail + ")";
        EXPECT_EQ(llvm::StringRef(got).rtrim().str(), text.trim().str())
            << where() << ": " << outcome.describe();
        return;
      }
      if (text == "numbers") {
        globals +=
            "global @g alignment = 16 <i32: [10, 11, 12, 13, 14, 15, 16, 17]> : tile<8xi32>\n";
        body += R"(%p = get_global @g : tile<ptr<i32>>
          %p1 = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
          %p8 = broadcast %p1 : tile<1xptr<i32>> -> tile<8xptr<i32>>
          %i = iota : tile<8xi32>
          %ps = offset %p8, %i : tile<8xptr<i32>>, tile<8xi32> -> tile<8xptr<i32>>
          %c0 = constant <i32: 0> : tile<i32>
          %c1 = constant <i32: 1> : tile<i32>
          %c2 = constant <i32: 2> : tile<i32>
        )";
      } else if (text == "reload") {
        body +=
            "%again, %tokenAgain = load_ptr_tko weak %ps : tile<8xptr<i32>> -> tile<8xi32>, token\n"
            "print_tko \"%d\", %again : tile<8xi32> -> token\n";
      } else {
        (text.starts_with("global ") ? globals : body) += text.str() + "\n";
      }
    }
    ADD_FAILURE() << where() << ": block without '=>'";
  }

  Outcome launch(Interpreter &interpreter, const LaunchRequest &request, const std::string &globals,
                 const std::string &parameters, const std::string &body) {
    llvm::StringRef op = llvm::sys::path::stem(path);
    bool old = op == "print";
    context.getLoadedDialect<cuda_tile::CudaTileDialect>()->setProfile(
        old ? cuda_tile::Profile::Tileiras13_1 : cuda_tile::Profile::Tileiras13_5);
    std::string diagnostics;
    mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &d) {
      diagnostics += d.str() + "\n";
      return mlir::success();
    });
    auto module = mlir::parseSourceString<mlir::ModuleOp>("cuda_tile.module @m {\n" + globals +
                                                              "\nentry @k(" + parameters + ") {\n" +
                                                              body + "\n}\n}\n",
                                                          &context);
    if (!module) {
      ADD_FAILURE() << where() << ": " << diagnostics << body;
      return {};
    }
    module->walk([&](mlir::Operation *o) { seen |= o->getName().stripDialect() == op; });
    return interpreter.launch(*module->getOps<cuda_tile::ModuleOp>().begin(), request);
  }

public:
  bool seen = false; ///< the op itself was in a module

private:
  std::string path;
  mlir::MLIRContext context;
  unsigned number = 0, checks = 0;
};

std::set<std::string> opFiles() {
  std::set<std::string> names;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator it(opsFolder(), code), end; !code && it != end;
       it.increment(code))
    if (llvm::sys::path::extension(it->path()) == ".txt")
      names.insert(llvm::sys::path::stem(it->path()).str());
  return names;
}

TEST(OpFilesTest, EveryFileHolds) {
  for (const std::string &name : opFiles()) {
    OpFile file(opsFolder() + "/" + name + ".txt");
    file.run();
    EXPECT_TRUE(file.seen) << name << ".txt never uses its op";
  }
}

TEST(OpFilesTest, EveryRegisteredOpHasAFile) {
  mlir::MLIRContext context;
  loadReferenceDialects(context);
  std::set<std::string> files = opFiles();
  size_t ops = 0;
  for (mlir::RegisteredOperationName name : context.getRegisteredOperations()) {
    if (name.getDialectNamespace() != "cuda_tile")
      continue;
    ++ops;
    EXPECT_EQ(files.erase(name.stripDialect().str()), 1u)
        << "no file " << name.stripDialect().str() << ".txt";
  }
  EXPECT_TRUE(files.empty()) << *files.begin() << ".txt names no op";
  EXPECT_GE(ops, 106u);
}

} // namespace
