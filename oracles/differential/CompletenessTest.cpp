//===- CompletenessTest.cpp - op x element type x -O level, compiled and executed -------------===//
//
// One row per form of an op (OpForms.h), one column per element type. A cell is a small kernel: two
// tiles of 256 elements are loaded, the op is applied, the result is stored. The verifier refuses a
// form for exactly the types that its row leaves out: the cell is `-`. All others are compiled at
// every level, run on the emulated GPU and compared with the reference: the cell then says which
// levels agree. Rows of one type share a kernel; when it disagrees its rows are judged one by one.
//
// The table is complete when no cell fails and every registered op occurs in a passing kernel, or
// has a reason below. Levels: 0 and 3, or all of them with TILESMITH_ALL_LEVELS=1; the table is
// printed, and written to the file that TILESMITH_TABLE names.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/BytecodeWriter.h"
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "oracles/differential/Differential.h"
#include "oracles/differential/OpForms.h"
#include "reference/value/Float.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

#include <set>

using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

struct Type {
  const char *name;
  testcase::DataType data;
  std::optional<reference::ElementType> element;
  const char *one; ///< the literal 1
};
using testcase::DataType;
using E = reference::ElementType;
const Type kTypes[] = {
    {"i1", DataType::Bool, E::I1, "true"},
    {"i8", DataType::I8, E::I8, "1"},
    {"i16", DataType::I16, E::I16, "1"},
    {"i32", DataType::I32, E::I32, "1"},
    {"i64", DataType::I64, E::I64, "1"},
    {"f16", DataType::F16, E::F16, "1.0"},
    {"bf16", DataType::BF16, E::BF16, "1.0"},
    {"tf32", DataType::TF32, E::TF32, "1.0"},
    {"f32", DataType::F32, E::F32, "1.0"},
    {"f64", DataType::F64, E::F64, "1.0"},
    {"f8E4M3FN", DataType::F8E4M3FN, E::F8E4M3FN, "1.0"},
    {"f8E5M2", DataType::F8E5M2, E::F8E5M2, "1.0"},
    {"f8E8M0FNU", DataType::F8E8M0FNU, E::F8E8M0FNU, "1.0"},
    {"f4E2M1FN", DataType::I8, std::nullopt, "1.0"},
    {"i4", DataType::I8, std::nullopt, "1"},
};

/// A form with its abbreviations written out.
struct Row {
  std::string name, types, body, result;
  unsigned count;

  bool isFor(llvm::StringRef type) const {
    llvm::SmallVector<llvm::StringRef> list;
    llvm::StringRef(types).split(list, ' ');
    return llvm::is_contained(list, type);
  }
};

std::string replaceAll(std::string text, const std::string &from, const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

std::vector<Row> makeRows() {
  std::vector<Row> rows;
  for (const OpForm &form : kOpForms)
    rows.push_back({form.name, form.types, replaceAll(form.body, "$V", "tile<256x$T>"), form.result,
                    form.count});
  return rows;
}

/// Ops that no row can show.
const std::map<std::string, std::string> kReasons = {
    {"print", "13.1 only; print_tko is the same op of later versions"},
    {"gdc_launch_dependents_tko", "nothing is launched dependently; forwards its token"},
    {"gdc_wait_tko", "nothing is launched dependently; forwards its token"},
    {"memory_fence_alias_tko", "one location has one proxy; forwards its token"},
    {"multimem_load_reduce_view_tko", "needs multicast memory of several devices; refused"},
    {"multimem_reduce_view_tko", "needs multicast memory of several devices; refused"},
    {"multimem_store_view_tko", "needs multicast memory of several devices; refused"},
};

//===------------------------------------------------------------------------------------------===//
// Kernels
//===------------------------------------------------------------------------------------------===//

unsigned bitsOf(const Type &type) {
  llvm::StringRef name = type.name;
  return name.starts_with("f4") || name == "i4" ? 4
         : type.element                         ? reference::widthOf(*type.element)
                                                : 8;
}

const Type *findType(llvm::StringRef name) {
  for (const Type &type : kTypes)
    if (name == type.name)
      return &type;
  return nullptr;
}

std::string tileOf(unsigned count, const std::string &element) {
  return count == 1 ? "tile<" + element + ">"
                    : "tile<" + std::to_string(count) + "x" + element + ">";
}

bool isPacked(llvm::StringRef element) {
  return element == "i4" || element == "f4E2M1FN";
}

/// Defines %x, %y, %s, %p and %tj.
const char *kStart = R"(%in1 = reshape %in : tile<ptr<$T>> -> tile<1xptr<$T>>
%inb = broadcast %in1 : tile<1xptr<$T>> -> tile<256xptr<$T>>
%p = offset %inb, %k : tile<256xptr<$T>>, tile<256xi32> -> tile<256xptr<$T>>
%c256 = constant <i32: 256> : tile<256xi32>
%p2 = offset %p, %c256 : tile<256xptr<$T>>, tile<256xi32> -> tile<256xptr<$T>>
%x, %tx = load_ptr_tko weak %p token=%t : tile<256xptr<$T>> -> tile<256x$T>, token
%y, %ty = load_ptr_tko weak %p2 token=%t : tile<256xptr<$T>> -> tile<256x$T>, token
%s, %ts = load_ptr_tko weak %in token=%t : tile<ptr<$T>> -> tile<$T>, token
%tj = join_tokens %tx, %ty, %ts : token
%x16 = reshape %x : tile<256x$T> -> tile<16x16x$T>
%y16 = reshape %y : tile<256x$T> -> tile<16x16x$T>
)";
/// The same from bytes.
const char *kPackedStart = R"(%in1 = reshape %in : tile<ptr<i8>> -> tile<1xptr<i8>>
%inb = broadcast %in1 : tile<1xptr<i8>> -> tile<128xptr<i8>>
%k1 = iota : tile<128xi32>
%p1 = offset %inb, %k1 : tile<128xptr<i8>>, tile<128xi32> -> tile<128xptr<i8>>
%c128 = constant <i32: 128> : tile<128xi32>
%p2 = offset %p1, %c128 : tile<128xptr<i8>>, tile<128xi32> -> tile<128xptr<i8>>
%xb, %tx = load_ptr_tko weak %p1 token=%t : tile<128xptr<i8>> -> tile<128xi8>, token
%yb, %ty = load_ptr_tko weak %p2 token=%t : tile<128xptr<i8>> -> tile<128xi8>, token
%tj = join_tokens %tx, %ty : token
%x = unpack %xb : tile<128xi8> -> tile<256x$T>
%y = unpack %yb : tile<128xi8> -> tile<256x$T>
%x16 = reshape %x : tile<256x$T> -> tile<16x16x$T>
%y16 = reshape %y : tile<256x$T> -> tile<16x16x$T>
)";
const char *kPackedScalar = R"(%s1 = extract %x[%c0] : tile<256x$T> -> tile<1x$T>
%s = reshape %s1 : tile<1x$T> -> tile<$T>
)";

class Table {
public:
  Table() : context(mlir::MLIRContext::Threading::DISABLED) {
    context.loadDialect<cuda_tile::CudaTileDialect>();
    engines = llvm::cantFail(createEngines("reference,emulator"));
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &text) {
    mlir::ScopedDiagnosticHandler quiet(&context, [&](mlir::Diagnostic &diagnostic) {
      message = diagnostic.str();
      return mlir::success();
    });
    return mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  }

  /// The kernel that applies `rows` to one type; row i writes buffer 2 + i, in and out pairwise, so
  /// that rows which write their input do not meet.
  std::string makeText(const Type &type, llvm::ArrayRef<const Row *> rows) const {
    std::string arguments, body, t = type.name;
    for (auto [i, row] : llvm::enumerate(rows)) {
      std::string n = std::to_string(i), out = replaceAll(row->result, "$T", t);
      arguments += (i ? ", %in" : "%in") + n + ": tile<ptr<" + (isPacked(t) ? "i8" : t) +
                   ">>, %out" + n + ": tile<ptr<" + (isPacked(out) ? "i8" : out) + ">>";
      std::string text = R"(%c0 = constant <i32: 0> : tile<i32>
%c1 = constant <i32: 1> : tile<i32>
%k = iota : tile<256xi32>
%half = constant <i32: 99> : tile<256xi32>
%b = cmpi less_than %k, %half, signed : tile<256xi32> -> tile<256xi1>
%t = make_token : token
)" + std::string(isPacked(t) ? kPackedStart : kStart) +
                         replaceAll(replaceAll(row->body, "token=%t ", "token=%tj "), "token = %t ",
                                    "token = %tj ");
      if (isPacked(t)) {
        std::string cast = "%inT = ptr_to_ptr %in : tile<ptr<i8>> -> tile<ptr<$T>>\n";
        if (llvm::StringRef(row->body).contains("make_tensor_view"))
          text =
              replaceAll(text, "%v = make_tensor_view %in,", cast + "%v = make_tensor_view %inT,");
        if (llvm::StringRef(row->body).contains("%s "))
          text = replaceAll(text, row->body, kPackedScalar + row->body);
      }
      // Half bytes are neither loaded nor stored: their tiles are packed.
      std::string result = "%res";
      unsigned count = row->count;
      if (isPacked(out)) {
        text += "\n%packed = pack %res : " + tileOf(count, out) + " -> " + tileOf(count / 2, "i8");
        result = "%packed";
        count /= 2;
        out = "i8";
      }
      // i1 is {0, -1} when signed: only 0 / -1 is defined, and 0 and 1 / 1 when unsigned.
      if (t == "i1" && llvm::StringRef(row->name).contains(" ") &&
          (llvm::StringRef(row->name).starts_with("divi") ||
           llvm::StringRef(row->name).starts_with("remi"))) {
        text = replaceAll(text, "%res = ",
                          "%ones = constant <i1: true> : tile<256xi1>\n%zeros = "
                          "constant <i1: false> : tile<256xi1>\n%res = ");
        text = replaceAll(text, "i %x, %y signed", "i %zeros, %ones signed");
        text = replaceAll(text, "i %x, %y unsigned", "i %x, %ones unsigned");
      }
      std::string shaped = tileOf(count, out), pointers = tileOf(count, "ptr<" + out + ">");
      text += "\n";
      if (count == 1) {
        text += "%te = store_ptr_tko weak %out, " + result + " : tile<ptr<" + out + ">>, " +
                shaped + " -> token\n";
      } else {
        std::string c = std::to_string(count);
        text += "%out1 = reshape %out : tile<ptr<" + out + ">> -> tile<1xptr<" + out +
                ">>\n%outb = broadcast %out1 : tile<1xptr<" + out + ">> -> " + pointers +
                "\n%oi = iota : tile<" + c + "xi32>\n%op = offset %outb, %oi : " + pointers +
                ", tile<" + c + "xi32> -> " + pointers + "\n%te = store_ptr_tko weak %op, " +
                result + " : " + pointers + ", " + shaped + " -> token\n";
      }
      text = replaceAll(replaceAll(text, "$T", t), "$1", type.one);
      text = replaceAll(text, "$B", std::to_string(256 * bitsOf(type) / 8));
      // Names of this row.
      std::string renamed;
      for (char c : text)
        renamed += c == '%' ? "%\x01" : std::string(1, c);
      body += replaceAll(renamed, "\x01", "r" + n + "_");
      for (const char *name : {"in", "out"}) {
        body = replaceAll(body, "%r" + n + "_" + name + " ", std::string("%") + name + n + " ");
        body = replaceAll(body, "%r" + n + "_" + name + ",", std::string("%") + name + n + ",");
      }
      body = replaceAll(body, "\"%r" + n + "_d %r" + n + "_d\\n\"", "\"%d %d\\n\"");
    }
    std::string table = "global @table alignment = 16 <" + t + ": [" + type.one + ", " + type.one +
                        ", " + type.one + ", " + type.one + "]> : tile<4x" + t + ">\n";
    return "cuda_tile.module @m {\n" + (body.find("@table") == std::string::npos ? "" : table) +
           "entry @kernel(" + arguments + ") {\n" + body + "return\n}\n}\n";
  }

  testcase::TestCase makeCase(const Type &type, llvm::ArrayRef<const Row *> rows,
                              mlir::ModuleOp module) const {
    std::string bytes;
    llvm::raw_string_ostream stream(bytes);
    llvm::cantFail(
        bytecode::writeBytecode(*module.getOps<cuda_tile::ModuleOp>().begin(), stream, {13, 5, 0}));
    testcase::TestCase result;
    result.name = type.name;
    testcase::Launch &launch = result.launches.emplace_back();
    launch.kernel = "kernel";
    launch.modules.push_back({"13.5", "m.tileirbc", testcase::Bytes(bytes.begin(), bytes.end())});
    for (const Row *row : rows) {
      const Type *out = findType(replaceAll(row->result, "$T", type.name));
      for (const Type *t : {&type, out}) {
        testcase::Buffer &buffer = result.buffers.emplace_back();
        buffer.dtype = t->data;
        buffer.shape = {512};
        buffer.strides = {1};
        buffer.compare.mode = testcase::Comparison::Mode::Enclosure; // no stored expectation
        for (unsigned i = 0; i < 512; ++i)
          append(buffer.data, *t, i);
        launch.params.push_back(testcase::Parameter::pointer(result.buffers.size() - 1, t->data));
      }
    }
    for (const Row *row : rows)
      if (llvm::StringRef(row->body).contains("print_tko"))
        result.standardOutput = "16 2\n";
    return result;
  }

  /// Small numbers, positive and without 0, so that every op is defined on them.
  static void append(testcase::Bytes &bytes, const Type &type, unsigned i) {
    unsigned number = 1 + i * 7 % 5;
    uint64_t bits = number;
    if (!type.element)
      bits = 0x22;
    else if (*type.element == E::I1)
      bits = number & 1;
    else if (reference::isFloat(*type.element))
      bits = reference::encode(*type.element, *type.element == E::F8E8M0FNU
                                                  ? static_cast<double>(1u << number)
                                                  : 0.5 * number);
    unsigned size = type.element ? reference::bytesOf(*type.element) : 1;
    for (unsigned k = 0; k < size; ++k)
      bytes.push_back(static_cast<uint8_t>(bits >> (8 * k)));
  }

  /// Empty when all agree.
  std::string judge(const Type &type, llvm::ArrayRef<const Row *> rows, unsigned level) {
    auto module = parse(makeText(type, rows));
    if (!module)
      return "does not verify: " + message;
    DifferentialOptions options;
    options.engine.compile.optLevel = level;
    options.engine.compile.gpuName = "sm_100";
    options.compareWithSelf = false;
    ModuleReport report = judgeModule(makeCase(type, rows, *module), "13.5", engines, options);
    if (!report.verdict.isAgree())
      return report.verdict.str();
    module->walk([&](mlir::Operation *op) {
      if (op->getName().getDialectNamespace() == "cuda_tile")
        seen.insert(op->getName().stripDialect().str());
    });
    return "";
  }

  mlir::MLIRContext context;
  std::vector<std::unique_ptr<Engine>> engines;
  std::string message;
  std::set<std::string> seen; ///< ops in kernels that agree
};

TEST(Completeness, EveryOpTypeAndLevelAgrees) {
  std::vector<Row> rows = makeRows();
  std::vector<unsigned> levels = {0, 3};
  if (std::getenv("TILESMITH_ALL_LEVELS"))
    levels = {0, 1, 2, 3};
  Table table;
  std::map<std::string, std::map<std::string, std::string>> cells;
  unsigned executed = 0, refused = 0;
  for (const Type &type : kTypes) {
    std::vector<const Row *> valid;
    for (const Row &row : rows) {
      const Row *one[] = {&row};
      bool isValid = findType(replaceAll(row.result, "$T", type.name)) &&
                     table.parse(table.makeText(type, one));
      EXPECT_EQ(isValid, row.isFor(type.name))
          << row.name << " on " << type.name << ": " << (isValid ? "accepted" : table.message);
      if (isValid)
        valid.push_back(&row);
      else
        ++refused;
    }
    for (size_t first = 0; first < valid.size(); first += 12) {
      llvm::ArrayRef<const Row *> group =
          llvm::ArrayRef(valid).slice(first, std::min<size_t>(12, valid.size() - first));
      for (unsigned level : levels) {
        bool all = table.judge(type, group, level).empty();
        for (const Row *row : group) {
          std::string verdict = all ? "" : table.judge(type, row, level);
          EXPECT_EQ(verdict, "") << row->name << " on " << type.name << " at -O" << level;
          cells[row->name][type.name] += verdict.empty() ? std::to_string(level) : "!";
          ++executed;
        }
      }
    }
  }

  std::string text = llvm::formatv("{0,-22}", "op").str();
  llvm::raw_string_ostream out(text);
  for (const Type &type : kTypes)
    out << llvm::formatv(" {0,-9}", type.name);
  for (const Row &row : rows) {
    out << "\n" << llvm::formatv("{0,-22}", row.name);
    for (const Type &type : kTypes) {
      auto &cell = cells[row.name];
      out << llvm::formatv(" {0,-9}", cell.count(type.name) ? cell[type.name] : "-");
    }
    EXPECT_FALSE(cells[row.name].empty()) << row.name << " is valid for no type";
  }
  out << "\n";
  for (mlir::RegisteredOperationName name :
       table.context.getRegisteredOperationsByDialect("cuda_tile")) {
    std::string op = name.stripDialect().str();
    auto reason = kReasons.find(op);
    if (reason != kReasons.end())
      out << llvm::formatv("{0,-30} {1}\n", op, reason->second);
    EXPECT_EQ(table.seen.count(op) + (reason != kReasons.end()), 1u) << op;
  }
  out << executed << " cells agree with the reference or are named above, " << refused
      << " forms are refused by the verifier\n";
  std::fputs(text.c_str(), stderr);
  if (const char *path = std::getenv("TILESMITH_TABLE")) {
    std::error_code error;
    llvm::raw_fd_ostream file(path, error);
    file << text;
  }
}

} // namespace
