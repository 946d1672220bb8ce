//===- Save.h - a case inside a folder that holds more than it --------------------------------===//
#ifndef REFERENCE_TESTCASE_SAVE_H
#define REFERENCE_TESTCASE_SAVE_H

#include "compiler/support/OutputFolder.h"
#include "reference/testcase/TestCase.h"

namespace tilesmith::testcase {

/// Writes the files of a case into a folder under way; who keeps it adds files of its own before.
llvm::Error addTestCase(const TestCase &testCase, const OutputFolder &folder);

} // namespace tilesmith::testcase

#endif // REFERENCE_TESTCASE_SAVE_H
