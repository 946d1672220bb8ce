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
#include "oracles/differential/OpFormKernels.h"

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

  /// Empty when all agree.
  std::string judge(const FormType &type, llvm::ArrayRef<const FormRow *> rows, unsigned level) {
    auto module = parse(formKernel(type, rows));
    if (!module)
      return "does not verify: " + message;
    DifferentialOptions options;
    options.engine.compile.optLevel = level;
    options.engine.compile.gpuName = "sm_100";
    options.compareWithSelf = false;
    std::string bytes;
    llvm::raw_string_ostream stream(bytes);
    llvm::cantFail(bytecode::writeBytecode(*module->getOps<cuda_tile::ModuleOp>().begin(), stream,
                                           {13, 5, 0}));
    testcase::TestCase testCase = formCase(type, rows);
    testCase.launches.front().modules.push_back(
        {"13.5", "m.tileirbc", testcase::Bytes(bytes.begin(), bytes.end())});
    ModuleReport report = judgeModule(testCase, "13.5", engines, options);
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
  std::vector<FormRow> rows = formRows();
  std::vector<unsigned> levels = {0, 3};
  if (std::getenv("TILESMITH_ALL_LEVELS"))
    levels = {0, 1, 2, 3};
  Table table;
  std::map<std::string, std::map<std::string, std::string>> cells;
  unsigned executed = 0, refused = 0;
  for (const FormType &type : formTypes()) {
    std::vector<const FormRow *> valid;
    for (const FormRow &row : rows) {
      const FormRow *one[] = {&row};
      bool isValid = row.resultFor(type) && table.parse(formKernel(type, one));
      EXPECT_EQ(isValid, row.isFor(type.name))
          << row.name << " on " << type.name << ": " << (isValid ? "accepted" : table.message);
      if (isValid)
        valid.push_back(&row);
      else
        ++refused;
    }
    for (size_t first = 0; first < valid.size(); first += 12) {
      llvm::ArrayRef<const FormRow *> group =
          llvm::ArrayRef(valid).slice(first, std::min<size_t>(12, valid.size() - first));
      for (unsigned level : levels) {
        bool all = table.judge(type, group, level).empty();
        for (const FormRow *row : group) {
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
  for (const FormType &type : formTypes())
    out << llvm::formatv(" {0,-9}", type.name);
  for (const FormRow &row : rows) {
    out << "\n" << llvm::formatv("{0,-22}", row.name);
    for (const FormType &type : formTypes()) {
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
