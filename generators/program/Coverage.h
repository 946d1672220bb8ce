//===- Coverage.h - which parts of the language a run of generated kernels holds --------------===//
//
// A table with one row per thing that a kernel can hold: every op that the dialect registers, every
// element type it allows, every value of its enumerations and flags, every kind of view in every
// rank, every form of control flow, every depth. The rows come from the registered ops and the
// tables of CoverageTable.cpp, never from what was generated, so that nothing is silently absent:
// what is not generated on purpose is a row with a reason.
//
// Invariants: a row exists before the first kernel is counted; what a kernel holds beyond the rows
// is an unexpected row, which `problems` names; the printed table is a function of the kernels.
//
//===------------------------------------------------------------------------------------------===//
#ifndef GENERATORS_PROGRAM_COVERAGE_H
#define GENERATORS_PROGRAM_COVERAGE_H

#include "reference/testcase/TestCase.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace mlir {
class MLIRContext;
class Operation;
class RegisteredOperationName;
} // namespace mlir

namespace tilesmith::generators {

class Coverage {
public:
  Coverage();
  ~Coverage();

  /// Counts what the module of a case holds. Error: it cannot be read.
  llvm::Error add(const testcase::TestCase &testCase);
  /// The same for a module that is there already.
  void add(mlir::Operation *module, llvm::StringRef version);

  /// The rows, sorted, with how often each occurred or why it does not.
  void print(llvm::raw_ostream &out) const;

  /// One line for each row that occurred less than `floor` times without a reason, less than its own
  /// rate by more than chance makes (`leastOfFeature`, from 1,000 kernels on), that occurred although there
  /// is a reason why not, and that is in no table.
  std::vector<std::string> problems(uint64_t floor) const;

  /// How often the row of that name occurred.
  uint64_t count(const std::string &row) const;

  /// Names of the rows that occurred, and of those that should: without a reason why not.
  std::vector<std::string> held() const;
  std::vector<std::string> wanted() const;
  /// Sets every count to 0.
  void forget();

private:
  struct Row {
    uint64_t count = 0;
    bool expected = false;
    std::string reason; ///< why it is not generated
    uint64_t floor = 0; ///< of 1,000 kernels, those that hold it, in the mean at least
  };
  void expect(const std::string &name, llvm::StringRef reason = "");
  void expectOp(const mlir::RegisteredOperationName &op);
  void hit(const std::string &name) { ++rows[name].count; }
  void countOp(mlir::Operation &op);
  void countControlFlow(mlir::Operation &op);
  void countViewType(mlir::Operation &op);
  void countShape(mlir::Operation &op);

  std::unique_ptr<mlir::MLIRContext> context;
  std::map<std::string, Row> rows;
  uint64_t kernels = 0;
};

/// Element types that occur in tiles of an op, as the rows spell them; null: the op is in no table.
/// `reason`: why the dialect's ops of that name are not generated, or empty.
struct OpRow {
  const char *op;
  const char *elements; ///< space-separated
  const char *reason = "";
};
const OpRow *findOpRow(llvm::StringRef op);

/// Values of an attribute of an op: enumerated ones space-separated; `flag` for one that is there
/// or not; empty for one that has no end of values. Null: the attribute is in no table.
const char *attributeValues(llvm::StringRef op, llvm::StringRef attribute);

/// Why a row of that name is not generated, or empty.
llvm::StringRef reasonAgainst(llvm::StringRef row);

/// The chance that a feature which occurs just as often as its floor says is called too rare, in any run
/// and with any seed. Floors are 0.8 of means, so that of all 200 features together less than one run in a
/// thousand calls one too rare that is drawn as often as it was.
constexpr double kChanceBelowFloor = 1e-4;

/// In how many among `kernels` a feature of that rate (of 1,000) shows at least: fewer have a chance below
/// `kChanceBelowFloor`. 0: so few kernels tell nothing, none included.
uint64_t leastOfFeature(uint64_t rate, uint64_t kernels);

/// The fewest kernels among which a feature of that rate does not go missing by chance.
uint64_t kernelsThatTell(uint64_t rate);

/// The same for tables of few kernels (faults, rewrites): three standard deviations below the mean, and
/// never none.
uint64_t leastByChance(uint64_t rate, uint64_t kernels);

/// Rows of views, control flow, depths and versions.
std::vector<std::string> structureRows();

/// What only rules written for it generate, by the feature that they note.
struct FeatureRow {
  const char *feature;
  unsigned floor; ///< of 1,000 kernels, those that hold it, in the mean at least
};
llvm::ArrayRef<FeatureRow> featureRows();

} // namespace tilesmith::generators

#endif // GENERATORS_PROGRAM_COVERAGE_H
