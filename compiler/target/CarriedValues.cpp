//===- CarriedValues.cpp - values that a loop hands on begin somewhere ------------------------===//
//
// Choices (phi, select) and `freeze` hand a value on. A phi at the head of a loop is carried where what comes back to it
// may be itself: where both are in one strongly connected component of the graph of what hands on. What is undefined
// ahead of the loop and reaches such a phi, through others as well, becomes zero. Each step looks at each operand once.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/target/CarriedValues.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tilesmith::target {
namespace {

bool handsOn(const Value *value) {
  return isa<PHINode, SelectInst, FreezeInst>(value);
}

/// The number of the strongly connected component of each instruction that hands on.
using Components = DenseMap<const Value *, unsigned>;

/// Gabow's algorithm, with a stack of its own: chains may be long.
class ComponentFinder {
public:
  explicit ComponentFinder(Function &function) {
    for (Instruction &start : instructions(function))
      if (handsOn(&start) && !order.contains(&start))
        visitFrom(start);
  }
  Components components;

private:
  void enter(const User *value) {
    order.try_emplace(value, order.size());
    open.push_back(value);
    roots.push_back(value);
    path.emplace_back(value, 0);
  }

  void visitFrom(const User &start) {
    enter(&start);
    while (!path.empty()) {
      const User *at = path.back().first;
      if (path.back().second < at->getNumOperands()) {
        const Value *operand = at->getOperand(path.back().second++);
        if (!handsOn(operand))
          continue;
        if (!order.contains(operand))
          enter(cast<User>(operand));
        else if (!components.contains(operand))
          while (order.lookup(roots.back()) > order.lookup(operand))
            roots.pop_back();
        continue;
      }
      if (roots.back() == at)
        close(at);
      path.pop_back();
    }
  }

  void close(const User *root) {
    roots.pop_back();
    const User *member = nullptr;
    do {
      member = open.pop_back_val();
      components[member] = order.lookup(root);
    } while (member != root);
  }

  DenseMap<const Value *, unsigned> order; // in which they were reached
  SmallVector<const User *> open, roots;   // of no component yet; the first of each that may be one
  SmallVector<std::pair<const User *, unsigned>> path; // and the operand that is next
};

/// Makes undefined values zero that reach the uses, from outside of the component.
void beginAtZero(SmallVector<Use *> uses, unsigned component, const Components &components,
                 SmallPtrSetImpl<const Value *> &seen) {
  while (!uses.empty()) {
    Use &use = *uses.pop_back_val();
    if (isa<UndefValue>(use.get()))
      use.set(Constant::getNullValue(use->getType()));
    else if (handsOn(use.get()) && components.lookup(use.get()) != component &&
             seen.insert(use.get()).second)
      for (Use &operand : cast<User>(use.get())->operands())
        uses.push_back(&operand);
  }
}

} // namespace

void beginCarriedValues(Module &module) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    const DominatorTree dominators(function);
    const Components components = ComponentFinder(function).components;
    SmallPtrSet<const Value *, 16> seen;
    for (BasicBlock &block : function)
      for (PHINode &phi : block.phis()) {
        const unsigned component = components.lookup(&phi);
        auto comesBack = [&](const Use &use) {
          return handsOn(use.get()) && components.lookup(use.get()) == component &&
                 dominators.dominates(&block, phi.getIncomingBlock(use));
        };
        if (none_of(phi.incoming_values(), comesBack))
          continue;
        SmallVector<Use *> uses;
        for (Use &use : phi.incoming_values())
          uses.push_back(&use);
        beginAtZero(std::move(uses), component, components, seen);
      }
  }
}

} // namespace tilesmith::target
