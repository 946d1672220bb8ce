//===- StepReducer.h - a program of nv_tileaa made small --------------------------------------===//
//
// Such a program is text, whose operations nobody here edits. It is made again from its choices,
// without one step after the other, as long as it fails alike.
//
//===------------------------------------------------------------------------------------------===//
#ifndef FUZZ_REDUCE_STEPREDUCER_H
#define FUZZ_REDUCE_STEPREDUCER_H

#include "fuzz/reduce/Reducer.h"

namespace tilesmith::fuzz {

/// `options.judge` shows the signature on the case. Error: the case has no choices, or they do not
/// make it.
llvm::Expected<ReduceResult> reduceSteps(const testcase::TestCase &testCase,
                                         const std::string &version, const Signature &wanted,
                                         const ReduceOptions &options);

} // namespace tilesmith::fuzz

#endif // FUZZ_REDUCE_STEPREDUCER_H
