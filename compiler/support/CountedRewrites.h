//===- CountedRewrites.h - a greedy pass tells which of its patterns fired --------------------===//
//
//   CountedRewrites counter("tileaa-canonicalize");
//   counter.add(patterns);
//   config.setListener(&counter);
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_SUPPORT_COUNTEDREWRITES_H
#define COMPILER_SUPPORT_COUNTEDREWRITES_H

#include "compiler/support/Rewrites.h"

#include "mlir/IR/PatternMatch.h"

#include <vector>

namespace tilesmith {

class CountedRewrites : public mlir::RewriterBase::Listener {
public:
  /// `pass` must live on.
  explicit CountedRewrites(llvm::StringRef pass) : pass(pass) {}

  /// Its label, its type, or, of a function, the op that it looks at.
  static std::string nameOf(const mlir::Pattern &pattern) {
    if (!pattern.getDebugLabels().empty())
      return pattern.getDebugLabels().front().str();
    if (!pattern.getDebugName().empty())
      return shortTypeName(pattern.getDebugName());
    return pattern.getRootKind() ? pattern.getRootKind()->getStringRef().str() : "unnamed";
  }

  /// The patterns of the pass.
  void add(mlir::RewritePatternSet &patterns) {
    if (!areRewritesCounted())
      return;
    std::vector<std::string> names;
    for (const auto &pattern : patterns.getNativePatterns())
      names.push_back(nameOf(*pattern));
    noteRewrites(pass, names);
  }

  void notifyPatternEnd(const mlir::Pattern &pattern, llvm::LogicalResult status) override {
    if (llvm::succeeded(status) && areRewritesCounted())
      noteRewrite(pass, nameOf(pattern));
  }

private:
  llvm::StringRef pass;
};

} // namespace tilesmith

#endif // COMPILER_SUPPORT_COUNTEDREWRITES_H
