//===- Kernel.cpp - a case whose modules can be edited ----------------------------------------===//
#include "fuzz/reduce/Kernel.h"

#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/bytecode/BytecodeWriter.h"
#include "fuzz/reduce/Values.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::fuzz;

llvm::Expected<Kernel> Kernel::create(const testcase::TestCase &testCase, llvm::StringRef version,
                                      MLIRContext &context) {
  Kernel kernel;
  kernel.testCase = testCase;
  for (testcase::Launch &launch : kernel.testCase.launches) {
    const testcase::ModuleFile *file = launch.module(version);
    if (!file)
      return llvm::createStringError("no module of bytecode version " + version);
    testcase::ModuleFile kept = *file;
    auto [it, isNew] = kernel.modules.try_emplace(kept.file);
    if (isNew) {
      llvm::StringRef data = llvm::toStringRef(kept.bytes);
      auto module = bytecode::readBytecode(data, &context);
      if (!module)
        return module.takeError();
      it->second = std::move(*module);
    }
    launch.modules = {kept};
  }
  // What describes the generated case no longer does.
  kernel.testCase.choices.reset();
  kernel.testCase.features.clear();
  return kernel;
}

Kernel Kernel::clone() const {
  Kernel copy;
  copy.testCase = testCase;
  for (const auto &[file, module] : modules)
    copy.modules[file] = OwningOpRef<cuda_tile::ModuleOp>(
        cast<cuda_tile::ModuleOp>(module.get().getOperation()->clone()));
  return copy;
}

llvm::Expected<testcase::TestCase> Kernel::toTestCase() const {
  testcase::TestCase result = testCase;
  std::map<std::string, testcase::Bytes> bytes;
  for (const auto &[file, module] : modules) {
    ScopedDiagnosticHandler quiet(module.get().getContext(),
                                  [](Diagnostic &) { return success(); });
    if (failed(verify(module.get())))
      return llvm::createStringError("the module does not verify");
    const testcase::ModuleFile *written = nullptr;
    for (const testcase::Launch &launch : result.launches)
      if (launch.modules.front().file == file)
        written = &launch.modules.front();
    if (!written)
      continue;
    bytecode::Version version;
    version.minor = static_cast<uint8_t>(written->version.back() - '0');
    std::string text;
    llvm::raw_string_ostream sink(text);
    if (llvm::Error error = bytecode::writeBytecode(module.get(), sink, version))
      return error;
    bytes[file] = testcase::Bytes(text.begin(), text.end());
  }
  for (testcase::Launch &launch : result.launches)
    launch.modules.front().bytes = bytes[launch.modules.front().file];
  return result;
}

std::vector<Operation *> Kernel::operations() const {
  std::vector<Operation *> result;
  for (const auto &[file, module] : modules)
    module.get().walk<WalkOrder::PreOrder>([&](cuda_tile::EntryOp entry) {
      entry.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (!op->hasTrait<OpTrait::IsTerminator>())
          result.push_back(op);
      });
    });
  return result;
}

unsigned Kernel::operationCount() const {
  return static_cast<unsigned>(operations().size());
}

std::string Kernel::text() const {
  std::string result;
  llvm::raw_string_ostream sink(result);
  for (const auto &[file, module] : modules) {
    if (modules.size() > 1)
      sink << "// " << file << '\n';
    module.get()->print(sink);
    sink << '\n';
  }
  return result;
}

cuda_tile::EntryOp Kernel::entryOf(const testcase::Launch &launch) const {
  auto it = modules.find(launch.modules.front().file);
  if (it == modules.end())
    return {};
  return dyn_cast_or_null<cuda_tile::EntryOp>(
      SymbolTable::lookupSymbolIn(it->second.get(), launch.kernel));
}

void Kernel::removeDead() {
  for (bool changed = true; changed;) {
    changed = false;
    // Nested operations come before their parents in the reversed walk.
    std::vector<Operation *> all = operations();
    for (Operation *op : llvm::reverse(all)) {
      if (!op->use_empty() || hasEffect(op))
        continue;
      op->erase();
      changed = true;
    }
  }
}

bool Kernel::dropOperations(llvm::ArrayRef<size_t> positions, Substitute substitute) {
  std::vector<Operation *> all = operations();
  llvm::SmallSetVector<Operation *, 16> chosen;
  for (size_t position : positions) {
    if (position >= all.size())
      return false;
    // The bodies of reductions and scans must stay associative and keep their identity.
    if (isa<cuda_tile::ReduceOp, cuda_tile::ScanOp>(all[position]->getParentOp()))
      continue;
    chosen.insert(all[position]);
  }
  if (chosen.empty())
    return false;
  llvm::SmallVector<Operation *> outermost;
  for (Operation *op : chosen) {
    bool inside = false;
    for (Operation *parent = op->getParentOp(); parent; parent = parent->getParentOp())
      inside |= chosen.contains(parent);
    if (!inside)
      outermost.push_back(op);
  }
  for (Operation *op : llvm::reverse(outermost)) {
    for (OpResult result : op->getResults()) {
      if (result.use_empty())
        continue;
      Value value = substituteFor(result, substitute);
      if (!value)
        return false;
      result.replaceAllUsesWith(value);
    }
    op->erase();
  }
  removeDead();
  return true;
}

bool Kernel::dropThroughUsers(size_t position, unsigned choice) {
  std::vector<Operation *> all = operations();
  if (position >= all.size() || all[position]->use_empty() || hasEffect(all[position]))
    return false;
  Operation *op = all[position];
  llvm::SmallSetVector<Operation *, 4> users(op->user_begin(), op->user_end());
  for (Operation *user : users) {
    // The bodies of reductions and scans must stay associative and keep their identity.
    if (hasEffect(user) || user->hasTrait<OpTrait::IsTerminator>() || user->getNumRegions() ||
        isa<cuda_tile::ReduceOp, cuda_tile::ScanOp>(user->getParentOp()))
      return false;
    llvm::SmallSetVector<Value, 8> values(user->operand_begin(), user->operand_end());
    for (Value result : op->getResults())
      values.remove(result);
    values.insert(op->operand_begin(), op->operand_end());
    for (OpResult result : user->getResults()) {
      unsigned left = choice;
      auto standIn = llvm::find_if(
          values, [&](Value value) { return value.getType() == result.getType() && left-- == 0; });
      if (!result.use_empty() && standIn == values.end())
        return false;
      if (!result.use_empty())
        result.replaceAllUsesWith(*standIn);
    }
  }
  removeDead();
  return true;
}

bool Kernel::inlineRegion(size_t position, unsigned region) {
  std::vector<Operation *> all = operations();
  if (position >= all.size())
    return false;
  Operation *op = all[position];
  if (!isa<cuda_tile::IfOp, cuda_tile::ForOp, cuda_tile::LoopOp>(op) ||
      region >= op->getNumRegions() || op->getRegion(region).empty())
    return false;
  Block &body = op->getRegion(region).front();
  if (auto loop = dyn_cast<cuda_tile::ForOp>(op)) {
    body.getArgument(0).replaceAllUsesWith(loop.getLowerBound());
    for (auto [argument, init] : llvm::zip(body.getArguments().drop_front(), loop.getInitValues()))
      argument.replaceAllUsesWith(init);
  } else if (auto loop = dyn_cast<cuda_tile::LoopOp>(op)) {
    for (auto [argument, init] : llvm::zip(body.getArguments(), loop.getInitValues()))
      argument.replaceAllUsesWith(init);
  }
  Operation *terminator = body.getTerminator();
  if (isa<cuda_tile::ReturnOp>(terminator))
    return false;
  if (op->getResultTypes() != terminator->getOperandTypes()) {
    // A jump out of the region: legal only where it is the end of what follows, too.
    if (op->getNumResults())
      return false;
  } else {
    op->replaceAllUsesWith(terminator->getOperands());
  }
  terminator->erase();
  op->getBlock()->getOperations().splice(Block::iterator(op), body.getOperations());
  op->erase();
  removeDead();
  return true;
}

/// The terminators that carry values of this loop or branch.
static llvm::SmallVector<Operation *> carriers(Operation *op) {
  llvm::SmallVector<Operation *> result;
  op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    if (inner != op && isa<cuda_tile::ForOp, cuda_tile::LoopOp>(inner) && !isa<cuda_tile::IfOp>(op))
      return WalkResult::skip();
    bool own = inner->getParentOp() == op;
    if (isa<cuda_tile::IfOp>(op) ? own && isa<cuda_tile::YieldOp>(inner)
                                 : isa<cuda_tile::ContinueOp>(inner))
      result.push_back(inner);
    return WalkResult::advance();
  });
  return result;
}

bool Kernel::dropResult(size_t position, unsigned index, Substitute substitute) {
  std::vector<Operation *> all = operations();
  if (position >= all.size())
    return false;
  Operation *op = all[position];
  if (!isa<cuda_tile::IfOp, cuda_tile::ForOp>(op) || index >= op->getNumResults())
    return false;
  OpResult dropped = op->getResult(index);
  if (!dropped.use_empty()) {
    Value value = substituteFor(dropped, substitute);
    if (!value)
      return false;
    dropped.replaceAllUsesWith(value);
  }
  for (Operation *carrier : carriers(op)) {
    if (carrier->getNumOperands() != op->getNumResults())
      return false;
    carrier->eraseOperand(index);
  }
  if (auto loop = dyn_cast<cuda_tile::ForOp>(op)) {
    BlockArgument carried = loop.getRegionIterVar(index);
    carried.replaceAllUsesWith(loop.getInitValues()[index]);
    loop.getBody()->eraseArgument(index + 1);
    op->eraseOperand(3 + index);
  }
  llvm::SmallVector<Type> types(op->getResultTypes());
  types.erase(types.begin() + index);
  OpBuilder builder(op);
  OperationState state(op->getLoc(), op->getName(), op->getOperands(), types, op->getAttrs());
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  Operation *fresh = builder.create(state);
  for (unsigned i = 0, j = 0; i < op->getNumResults(); ++i)
    if (i != index)
      op->getResult(i).replaceAllUsesWith(fresh->getResult(j++));
  op->erase();
  removeDead();
  return true;
}

bool Kernel::dropAttribute(size_t position, unsigned index) {
  std::vector<Operation *> all = operations();
  Operation *op = nullptr;
  if (position < all.size()) {
    op = all[position];
  } else {
    // Behind the operations: the entries.
    size_t entry = position - all.size();
    for (const testcase::Launch &launch : testCase.launches)
      if (entry-- == 0)
        op = entryOf(launch);
  }
  if (!op)
    return false;
  llvm::SmallVector<NamedAttribute> attributes(op->getAttrs());
  if (index >= attributes.size())
    return false;
  // Verifiers and printers take attributes with a default for granted.
  StringRef name = attributes[index].getName();
  if (!isa<UnitAttr>(attributes[index].getValue()) && name != "optimization_hints")
    return false;
  return static_cast<bool>(op->removeAttr(name));
}

bool Kernel::dropOperand(size_t position, unsigned index) {
  std::vector<Operation *> all = operations();
  if (position >= all.size())
    return false;
  Operation *op = all[position];
  auto segments = op->getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
  if (!segments || index >= op->getNumOperands())
    return false;
  // Verifiers take the other operands for granted.
  if (!isa<cuda_tile::TokenType>(op->getOperand(index).getType()) &&
      !(isa<cuda_tile::LoadPtrTkoOp>(op) && index >= 1) &&
      !(isa<cuda_tile::StorePtrTkoOp, cuda_tile::AtomicRMWTkoOp>(op) && index >= 2) &&
      !(isa<cuda_tile::AtomicCASTkoOp>(op) && index >= 3))
    return false;
  llvm::SmallVector<int32_t> sizes(segments.asArrayRef());
  unsigned start = 0;
  for (int32_t &size : sizes) {
    if (index < start + static_cast<unsigned>(size)) {
      if (size != 1)
        return false;
      size = 0;
      op->eraseOperand(index);
      op->setAttr("operandSegmentSizes", DenseI32ArrayAttr::get(op->getContext(), sizes));
      removeDead();
      return true;
    }
    start += static_cast<unsigned>(size);
  }
  return false;
}

bool Kernel::mergeEqual() {
  for (auto &[file, module] : modules) {
    ScopedDiagnosticHandler quiet(module.get().getContext(),
                                  [](Diagnostic &) { return success(); });
    PassManager manager(module.get().getContext(), cuda_tile::ModuleOp::getOperationName());
    manager.enableVerifier(false);
    manager.addPass(createCSEPass());
    if (failed(manager.run(module.get())))
      return false;
  }
  return true;
}

bool Kernel::dropUnused() {
  bool changed = false;
  removeDead();
  llvm::SmallPtrSet<Operation *, 4> launched;
  for (const testcase::Launch &launch : testCase.launches)
    if (cuda_tile::EntryOp entry = entryOf(launch))
      launched.insert(entry);
  // A launch may name no entry, or pass other parameters than it has: nothing is unused then.
  for (const testcase::Launch &launch : testCase.launches)
    if (cuda_tile::EntryOp entry = entryOf(launch);
        !entry || entry.getBody().getNumArguments() != launch.params.size())
      return changed;
  for (auto &[file, module] : modules) {
    for (auto entry : llvm::make_early_inc_range(module.get().getOps<cuda_tile::EntryOp>()))
      if (!launched.contains(entry)) {
        entry.erase();
        changed = true;
      }
    std::set<std::string> used;
    module.get().walk([&](cuda_tile::GetGlobalOp op) { used.insert(op.getName().str()); });
    for (auto global : llvm::make_early_inc_range(module.get().getOps<cuda_tile::GlobalOp>()))
      if (!used.contains(global.getSymName().str())) {
        global.erase();
        changed = true;
      }
  }
  for (Operation *op : launched) {
    auto entry = cast<cuda_tile::EntryOp>(op);
    Block &body = entry.getBody().front();
    for (unsigned i = body.getNumArguments(); i-- > 0;) {
      if (!body.getArgument(i).use_empty())
        continue;
      body.eraseArgument(i);
      entry.removeArgAttrsAttr();
      llvm::SmallVector<Type> inputs(body.getArgumentTypes());
      entry.setFunctionType(FunctionType::get(entry.getContext(), inputs, {}));
      for (testcase::Launch &launch : testCase.launches)
        if (entryOf(launch) == entry)
          launch.params.erase(launch.params.begin() + i);
      changed = true;
    }
  }
  // Buffers that no parameter names; those behind them get new numbers.
  for (size_t b = testCase.buffers.size(); b-- > 0;) {
    auto eachNumber = [&](llvm::function_ref<void(unsigned &)> visit) {
      for (testcase::Launch &launch : testCase.launches)
        for (testcase::Parameter &parameter : launch.params) {
          if (parameter.kind == testcase::Parameter::Kind::Pointer)
            visit(parameter.buffer);
          for (auto &row : parameter.rows)
            for (testcase::TableWord &word : row)
              if (word.isPointer)
                visit(word.buffer);
        }
    };
    bool named = false;
    eachNumber([&](unsigned &number) { named |= number == b; });
    if (named)
      continue;
    testCase.buffers.erase(testCase.buffers.begin() + static_cast<std::ptrdiff_t>(b));
    eachNumber([&](unsigned &number) { number -= number > b; });
    changed = true;
  }
  return changed;
}

bool Kernel::bindParameter(size_t launchIndex, size_t parameterIndex) {
  testcase::Launch &launch = testCase.launches[launchIndex];
  cuda_tile::EntryOp entry = entryOf(launch);
  if (!entry || parameterIndex >= launch.params.size())
    return false;
  for (size_t i = 0; i < testCase.launches.size(); ++i)
    if (i != launchIndex && entryOf(testCase.launches[i]) == entry)
      return false;
  const testcase::Parameter &parameter = launch.params[parameterIndex];
  BlockArgument argument = entry.getBody().front().getArgument(parameterIndex);
  auto type = dyn_cast<cuda_tile::TileType>(argument.getType());
  if (parameter.kind != testcase::Parameter::Kind::Scalar || !type)
    return false;
  OpBuilder builder = OpBuilder::atBlockBegin(&entry.getBody().front());
  Value value = bitConstant(builder, entry.getLoc(), type, parameter.bits);
  if (!value)
    return false;
  argument.replaceAllUsesWith(value);
  dropUnused();
  return true;
}
