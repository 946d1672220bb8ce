//===- OpFormKernels.h - a kernel per form of an op and element type --------------------------===//
//
// Makes kernels of the rows of OpForms.h: two tiles of 256 elements are loaded, the op is applied,
// the result is stored. Rows of one type may share a kernel; row i reads buffer 2 i and writes
// buffer 2 i + 1, so that rows which write their input do not meet.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DIFFERENTIAL_OPFORMKERNELS_H
#define ORACLES_DIFFERENTIAL_OPFORMKERNELS_H

#include "reference/testcase/TestCase.h"
#include "reference/value/ElementType.h"

#include <optional>
#include <string>
#include <vector>

namespace tilesmith::oracles {

/// A column of the table.
struct FormType {
  const char *name;
  testcase::DataType data;
  std::optional<reference::ElementType> element;
  const char *one; ///< the literal 1
};
llvm::ArrayRef<FormType> formTypes();

/// A form with its abbreviations written out.
struct FormRow {
  std::string name, types, body, result;
  unsigned count;

  bool isFor(llvm::StringRef type) const;
  /// The type of what it stores for that column; null: there is none.
  const FormType *resultFor(const FormType &type) const;
};
std::vector<FormRow> formRows();

/// The kernel that applies `rows` to one type, as text.
std::string formKernel(const FormType &type, llvm::ArrayRef<const FormRow *> rows);

/// A case that runs it, without a module and without expectations; on small numbers, positive and
/// without 0, so that every op is defined.
testcase::TestCase formCase(const FormType &type, llvm::ArrayRef<const FormRow *> rows);

} // namespace tilesmith::oracles

#endif // ORACLES_DIFFERENTIAL_OPFORMKERNELS_H
