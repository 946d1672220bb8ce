//===- EnclosureTable.cpp - random legal evaluations and planted errors, counted --------------===//
#include "reference/interp/test/EnclosureTable.h"

#include <cstdlib>

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilesmith::reference;

static std::vector<Row> table;

void tilesmith::reference::keep(const Row &row) {
  table.push_back(row);
}

size_t tilesmith::reference::trialsPerRow() {
  const char *text = std::getenv("TILESMITH_ENCLOSURE_TRIALS");
  return text ? std::max(1L, std::atol(text)) : 200;
}

const char *tilesmith::reference::nameOf(Data data) {
  return data == Data::Positive ? "positive" : data == Data::Mixed ? "mixed" : "integers";
}

Values tilesmith::reference::draw(Random &random, ElementType type, size_t count, Data data,
                                  int largestInteger) {
  Values values(count);
  for (double &v : values) {
    if (data == Data::Integers)
      v = static_cast<double>(
          std::uniform_int_distribution<int>(-largestInteger, largestInteger)(random));
    else
      v = roundToNearest(type, uniform(random, 0.5, 1.5));
    if (data == Data::Mixed && chance(random))
      v = -v;
  }
  return values;
}

void tilesmith::reference::judge(Row &row, ElementType type, const Element &e) {
  ++row.elements;
  row.vacuous += saysNothing(type, e);
  if (!saysNothing(type, e))
    row.widths.push_back(widthInUlps(type, e));
}
void tilesmith::reference::expectInside(Row &row, ElementType type, const Element &e,
                                        double value) {
  ++row.evaluations;
  if (holds(type, e, value))
    return;
  if (row.outside++ == 0) {
    auto [low, high] = boundsOf(type, e);
    ADD_FAILURE() << llvm::formatv("{0} {1} x {2} {3}: legal result {4} outside [{5}, {6}]", row.op,
                                   row.type, row.length, nameOf(row.data), value, decode(type, low),
                                   decode(type, high))
                         .str();
  }
}
void tilesmith::reference::plant(Row &row, ElementType type, const Element &e, double wrong,
                                 double right) {
  if (wrong == right)
    return;
  ++row.plants;
  row.caught += !saysNothing(type, e) && !holds(type, e, wrong);
}

namespace {

/// Prints the table when all rows are there.
class TablePrinter : public testing::Environment {
public:
  void TearDown() override {
    llvm::outs() << "| op | type | length | data | evaluations inside | median width in ulp | "
                    "vacuous | planted errors caught |\n|---|---|---|---|---|---|---|---|\n";
    for (Row &row : table) {
      std::sort(row.widths.begin(), row.widths.end());
      double median = row.widths.empty() ? 0 : row.widths[row.widths.size() / 2];
      llvm::outs() << llvm::formatv("| {0} | {1} | {2} | {3} | {4} of {5} | {6:f0} | {7:f1} % | "
                                    "{8:f1} % of {9} |\n",
                                    row.op, row.type, row.length, nameOf(row.data),
                                    row.evaluations - row.outside, row.evaluations, median,
                                    100.0 * row.vacuous / std::max<size_t>(row.elements, 1),
                                    row.caughtShare(), row.plants);
    }
    llvm::outs().flush();
  }
};
testing::Environment *const printer = testing::AddGlobalTestEnvironment(new TablePrinter);

} // namespace
