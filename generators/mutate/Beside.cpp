//===- Beside.cpp - two stored kernels in one entry -------------------------------------------===//
//
// The second kernel's parameters follow the first one's, and its statements stand in front of, behind or
// among those of the first: each keeps its own order. Where the grids differ, the launch has the larger
// one in each direction, and each kernel's statements stand under a condition.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/mutate/ChangeTools.h"

#include "mlir/IR/IRMapping.h"

#include "llvm/ADT/STLExtras.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using namespace tilesmith::cuda_tile;

namespace {

/// The only entry, of the only launch; null if there is more, or something else in the module.
EntryOp onlyEntry(const testcase::TestCase &testCase, ModuleOp module) {
  if (testCase.launches.size() != 1 || !llvm::hasSingleElement(module.getBody().front()))
    return {};
  auto entry = llvm::dyn_cast<EntryOp>(module.getBody().front().front());
  if (!entry)
    return {};
  const bool leaves = entry
                          ->walk([&](ReturnOp op) {
                            return op->getParentOp() == entry.getOperation()
                                       ? mlir::WalkResult::advance()
                                       : mlir::WalkResult::interrupt();
                          })
                          .wasInterrupted();
  return leaves ? EntryOp() : entry;
}

/// Puts all statements of the entry under the condition that the block is one of the grid.
void guardBlocks(EntryOp entry, const std::array<int64_t, 3> &grid) {
  mlir::Block &block = entry.getBody().front();
  mlir::OpBuilder b(entry.getContext());
  b.setInsertionPointToStart(&block);
  mlir::Location loc = entry.getLoc();
  TileType index = scalarOf(b.getI32Type()), flag = scalarOf(b.getI1Type());
  auto id = GetTileBlockIdOp::create(b, loc, index, index, index);
  mlir::Value inside;
  for (unsigned dim = 0; dim < 3; ++dim) {
    mlir::Value below =
        CmpIOp::create(b, loc, flag, ComparisonPredicate::LESS_THAN, id->getResult(dim),
                       integerConstant(b, loc, index, grid[dim]), Signedness::Signed);
    inside = inside ? AndIOp::create(b, loc, flag, inside, below).getResult() : below;
  }
  mlir::OperationState state(loc, IfOp::getOperationName());
  state.addOperands(inside);
  mlir::Block &then = state.addRegion()->emplaceBlock();
  state.addRegion();
  mlir::Operation *conditional = b.create(state);
  while (conditional->getNextNode() != block.getTerminator())
    conditional->getNextNode()->moveBefore(&then, then.end());
  mlir::OpBuilder inner(entry.getContext());
  inner.setInsertionPointToEnd(&then);
  YieldOp::create(inner, loc, mlir::ValueRange());
}

} // namespace

bool tilesmith::generators::putBeside(ChangedKernel &k, const testcase::TestCase &other,
                                      ModuleOp module) {
  EntryOp first = onlyEntry(k.testCase, k.module), second = onlyEntry(other, module);
  if (!first || !second || k.testCase.versions().front() < other.versions().front())
    return false;
  testcase::Launch &launch = k.testCase.launches.front();
  const testcase::Launch &launched = other.launches.front();
  // Results depend on the number of blocks where the kernel asks for it.
  if (launch.grid != launched.grid) {
    guardBlocks(first, launch.grid);
    guardBlocks(second, launched.grid);
    for (unsigned dim = 0; dim < 3; ++dim)
      launch.grid[dim] = std::max(launch.grid[dim], launched.grid[dim]);
  }
  const auto buffers = static_cast<unsigned>(k.testCase.buffers.size());
  llvm::append_range(k.testCase.buffers, other.buffers);
  mlir::FunctionOpInterface function = first;
  mlir::IRMapping mapping;
  for (auto [argument, given] :
       llvm::zip(second.getBody().front().getArguments(), launched.params)) {
    testcase::Parameter parameter = given;
    if (parameter.kind == testcase::Parameter::Kind::Pointer)
      parameter.buffer += buffers;
    for (auto &row : parameter.rows)
      for (testcase::TableWord &word : row)
        if (word.isPointer)
          word.buffer += buffers;
    launch.params.push_back(std::move(parameter));
    const unsigned position = function.getNumArguments();
    (void)function.insertArgument(position, argument.getType(), {}, argument.getLoc());
    mapping.map(argument, function.getArgument(position));
  }
  mlir::Block &body = first.getBody().front();
  // In front, behind, one statement here and one there, or with its first loop in front of the other's.
  const uint64_t how = k.stream.below(4);
  mlir::Operation *at = how == 1 ? body.getTerminator() : &body.front();
  if (how == 3)
    while (at != body.getTerminator() && !llvm::isa<ForOp>(at))
      at = at->getNextNode();
  for (mlir::Operation &op : second.getBody().front().without_terminator()) {
    while (how == 2 && at != body.getTerminator() && k.stream.chance(50))
      at = at->getNextNode();
    mlir::OpBuilder b(at);
    b.clone(op, mapping);
    if (how == 3 && llvm::isa<ForOp>(op))
      at = body.getTerminator();
  }
  return true;
}
