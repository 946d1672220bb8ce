//===- CountedRewrites.h - a greedy pass tells which of its patterns fired --------------------===//
//
//   CountedRewrites counter("tileaa-canonicalize");
//   counter.add(patterns);
//   config.setListener(&counter);
//
// A name is that of a pattern; `NAME of OP` says on which operation one fired that has several, and
// `fold of OP` which operation folded.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_SUPPORT_COUNTEDREWRITES_H
#define COMPILER_SUPPORT_COUNTEDREWRITES_H

#include "compiler/support/Rewrites.h"

#include "mlir/IR/PatternMatch.h"

#include <optional>
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

  void notifyPatternBegin(const mlir::Pattern &, mlir::Operation *op) override {
    root = op->getName(); // the pattern may erase it
  }

  void notifyPatternEnd(const mlir::Pattern &pattern, llvm::LogicalResult status) override {
    if (llvm::succeeded(status) && areRewritesCounted()) {
      const std::string name = nameOf(pattern);
      noteRewrite(pass, name);
      // A label may stand for patterns of several operations, too.
      if (!pattern.getRootKind() || !pattern.getDebugLabels().empty())
        noteRewrite(pass, name + " of " + root->getStringRef().str());
    }
    root.reset();
  }

  void notifyOperationReplaced(mlir::Operation *op, mlir::ValueRange) override {
    noteFold(op);
    replaced = op;
  }
  // A fold in place; while an operation is replaced, its users are modified.
  void notifyOperationModified(mlir::Operation *op) override {
    if (!replaced)
      noteFold(op);
  }
  void notifyOperationErased(mlir::Operation *op) override {
    if (op == replaced)
      replaced = nullptr;
  }

private:
  /// What changes outside of patterns was folded; constants are only made one.
  void noteFold(mlir::Operation *op) {
    if (!root && areRewritesCounted() && !op->hasTrait<mlir::OpTrait::ConstantLike>())
      noteRewrite(pass, "fold of " + op->getName().getStringRef().str());
  }

  llvm::StringRef pass;
  std::optional<mlir::OperationName> root; ///< of the pattern that runs
  mlir::Operation *replaced = nullptr;     ///< not erased yet
};

} // namespace tilesmith

#endif // COMPILER_SUPPORT_COUNTEDREWRITES_H
