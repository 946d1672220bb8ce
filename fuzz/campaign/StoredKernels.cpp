//===- StoredKernels.cpp - kernels near stored ones -------------------------------------------===//
#include "fuzz/campaign/StoredKernels.h"

#include "compiler/bytecode/BytecodeReader.h"
#include "generators/mutate/Changes.h"
#include "reference/interp/RunCase.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;

/// Kernels that are drawn before a case goes without one.
static constexpr unsigned kTries = 4;
/// What a drawn kernel may cost: about ten times the median generated one.
static constexpr uint64_t kMostElements = uint64_t(1) << 19, kMostSteps = uint64_t(1) << 13;

StoredKernels::StoredKernels(llvm::ArrayRef<std::string> folders) {
  for (const std::string &folder : folders) {
    std::error_code error;
    for (llvm::sys::fs::directory_iterator it(folder, error), end; !error && it != end;
         it.increment(error))
      if (llvm::sys::fs::exists(it->path() + "/case.json"))
        directories.push_back(it->path());
  }
  llvm::sort(directories);
}

/// One module of cuda_tile that all launches share, and that must run.
static bool isForChanges(const testcase::TestCase &testCase) {
  if (testCase.expectReject || testCase.mayReject || testCase.versions().empty())
    return false;
  const std::string version = testCase.versions().front();
  return llvm::all_of(testCase.launches, [&](const testcase::Launch &launch) {
    return launch.modules.front().version == version &&
           launch.module(version)->bytes == testCase.launches.front().module(version)->bytes;
  });
}

const testcase::TestCase *StoredKernels::load(size_t index) {
  auto [entry, isNew] = loaded.try_emplace(index);
  if (isNew) {
    auto testCase = testcase::loadTestCase(directories[index]);
    if (!testCase)
      llvm::consumeError(testCase.takeError()); // `check` says what is wrong with it
    else if (isForChanges(*testCase))
      entry->second = std::move(*testCase);
  }
  return entry->second ? &*entry->second : nullptr;
}

/// Whether a number may be made of an address, which no two engines have in common.
static bool showsAddresses(const testcase::TestCase &testCase, mlir::MLIRContext &context) {
  auto module = bytecode::readBytecode(
      llvm::toStringRef(testCase.launches.front().modules.front().bytes), &context);
  if (!module) {
    llvm::consumeError(module.takeError());
    return false;
  }
  return module->get()
      ->walk([](cuda_tile::PtrToIntOp) { return mlir::WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Why the kernel is not worth comparing; empty: it is, and must print what it prints.
static std::string refusal(testcase::TestCase &testCase, mlir::MLIRContext &context) {
  if (showsAddresses(testCase, context))
    return "address-as-number";
  reference::RunOptions options;
  options.limits.elements = kMostElements;
  options.limits.steps = kMostSteps;
  options.detectRaces = options.strictAssume = true;
  auto result = reference::runCase(testCase, testCase.versions().front(), context, options);
  if (!result) {
    llvm::consumeError(result.takeError());
    return "not-read";
  }
  using Kind = reference::Outcome::Kind;
  if (!result->outcome.openOrder.empty())
    return "order-open";
  for (const reference::BufferResult &buffer : result->buffers)
    if (2 * llvm::count(buffer.ignored, 1) >= static_cast<int64_t>(buffer.bytes.size()) &&
        !buffer.ignored.empty())
      return "mostly-open";
  if (result->outcome.kind == Kind::Completed) {
    if (!result->printed.empty())
      testCase.standardOutput = result->printed;
    return "";
  }
  return result->outcome.detail.empty() ? "not-completed" : result->outcome.detail;
}

std::optional<testcase::TestCase> StoredKernels::draw(generators::ChoiceStream &stream,
                                                      mlir::MLIRContext &context,
                                                      Refusals &refusals) {
  for (unsigned tries = 0; tries < kTries && !directories.empty(); ++tries) {
    const testcase::TestCase *stored = load(stream.below(directories.size()));
    if (!stored)
      continue;
    auto changed = generators::changeCase(*stored, stream,
                                          1 + static_cast<unsigned>(stream.below(3)), context);
    if (!changed) {
      llvm::consumeError(changed.takeError());
      ++refusals["does-not-verify"];
      continue;
    }
    std::string reason = changed->edits.empty() ? "unchanged" : refusal(*changed, context);
    if (reason.empty())
      return std::move(*changed);
    ++refusals[reason];
  }
  return std::nullopt;
}
