//===- ModuleEdits.cpp - kernels broken on purpose, from bytes --------------------------------===//
#include "fuzz/targets/ModuleEdits.h"

#include "compiler/bytecode/BytecodeReader.h"
#include "fuzz/targets/FuzzContext.h"
#include "generators/program/ProgramGenerator.h"

#include "mlir/IR/Builders.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;

namespace {

/// Ops in the order of the text, without the module itself.
std::vector<mlir::Operation *> opsOf(cuda_tile::ModuleOp module) {
  std::vector<mlir::Operation *> ops;
  module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (op != module.getOperation())
      ops.push_back(op);
  });
  return ops;
}

/// Every value of the function around `op`, the op's own results included.
std::vector<mlir::Value> valuesAround(mlir::Operation *op) {
  mlir::Operation *function = op;
  while (function->getParentOp() && !llvm::isa<cuda_tile::ModuleOp>(function->getParentOp()))
    function = function->getParentOp();
  std::vector<mlir::Value> values;
  function->walk([&](mlir::Operation *inner) {
    llvm::append_range(values, inner->getResults());
    for (mlir::Region &region : inner->getRegions())
      for (mlir::Block &block : region)
        llvm::append_range(values, block.getArguments());
  });
  return values;
}

/// An attribute much like this one.
mlir::Attribute neighbour(mlir::Attribute attribute, uint8_t by) {
  mlir::Builder b(attribute.getContext());
  if (auto integer = llvm::dyn_cast<mlir::IntegerAttr>(attribute)) {
    llvm::APInt value = integer.getValue();
    switch (by % 4) {
    case 0:
      value += 1;
      break;
    case 1:
      value = -value;
      break;
    case 2:
      value = llvm::APInt::getSignedMaxValue(value.getBitWidth());
      break;
    default:
      value ^= llvm::APInt(value.getBitWidth(), by, false, true);
      break;
    }
    return mlir::IntegerAttr::get(integer.getType(), value);
  }
  if (auto numbers = llvm::dyn_cast<mlir::DenseI32ArrayAttr>(attribute)) {
    llvm::SmallVector<int32_t> values(numbers.asArrayRef());
    if (by % 2 || values.empty())
      values.push_back(static_cast<int8_t>(by));
    else
      values[by / 2 % values.size()] = static_cast<int8_t>(by);
    return b.getDenseI32ArrayAttr(values);
  }
  if (auto numbers = llvm::dyn_cast<mlir::DenseI64ArrayAttr>(attribute)) {
    llvm::SmallVector<int64_t> values(numbers.asArrayRef());
    if (by % 2 || values.empty())
      values.push_back(static_cast<int8_t>(by));
    else
      values[by / 2 % values.size()] = static_cast<int8_t>(by);
    return b.getDenseI64ArrayAttr(values);
  }
  if (auto array = llvm::dyn_cast<mlir::ArrayAttr>(attribute)) {
    llvm::SmallVector<mlir::Attribute> values(array.getValue());
    if (values.empty())
      values.push_back(b.getUnitAttr());
    else if (by % 2)
      values.pop_back();
    else
      values.push_back(values[by / 2 % values.size()]);
    return b.getArrayAttr(values);
  }
  if (auto text = llvm::dyn_cast<mlir::StringAttr>(attribute))
    return b.getStringAttr(text.getValue() + "{}%d");
  if (auto type = llvm::dyn_cast<mlir::TypeAttr>(attribute))
    return mlir::TypeAttr::get(b.getIntegerType(by % 65 + 1));
  return b.getI32IntegerAttr(by);
}

/// The same op under another name; names of the dialect only.
void rename(mlir::Operation *op, size_t number) {
  llvm::SmallVector<mlir::RegisteredOperationName> names;
  for (mlir::RegisteredOperationName name : op->getContext()->getRegisteredOperations())
    if (name.getDialectNamespace() == op->getName().getDialectNamespace())
      names.push_back(name);
  mlir::OperationState state(op->getLoc(), names[number % names.size()]);
  state.addOperands(op->getOperands());
  state.addTypes(op->getResultTypes());
  state.addAttributes(op->getAttrDictionary().getValue());
  for (mlir::Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  mlir::OpBuilder builder(op);
  mlir::Operation *renamed = builder.create(state);
  op->replaceAllUsesWith(renamed);
  op->erase();
}

/// Lets other values stand for everything that `op` defines, of the same type where there is one;
/// false when there is none at all.
bool replaceUses(mlir::Operation *op, llvm::ArrayRef<mlir::Value> values) {
  auto stays = [&](mlir::Value value) {
    mlir::Operation *owner = value.getDefiningOp();
    return !op->isAncestor(owner ? owner : value.getParentBlock()->getParentOp());
  };
  mlir::Value any;
  for (mlir::Value value : values)
    if (!any && stays(value))
      any = value;
  bool done = true;
  auto replace = [&](mlir::Value old) {
    mlir::Value best = any;
    for (mlir::Value value : values)
      if (value.getType() == old.getType() && stays(value))
        best = value;
    if (best)
      old.replaceAllUsesWith(best);
    done &= best || old.use_empty();
  };
  op->walk([&](mlir::Operation *inner) {
    for (mlir::Value result : inner->getResults())
      replace(result);
  });
  return done;
}

void applyEdit(cuda_tile::ModuleOp module, llvm::ArrayRef<uint8_t> edit) {
  std::vector<mlir::Operation *> ops = opsOf(module);
  if (ops.empty())
    return;
  mlir::Operation *op = ops[(edit[1] | edit[0] / 16 << 8) % ops.size()];
  mlir::Operation *other = ops[edit[3] % ops.size()];
  std::vector<mlir::Value> values = valuesAround(op);
  mlir::Value value = values.empty() ? mlir::Value() : values[edit[3] % values.size()];
  unsigned operands = op->getNumOperands(), results = op->getNumResults();
  unsigned at = edit[2];
  llvm::ArrayRef<mlir::NamedAttribute> attributes = op->getAttrDictionary().getValue();
  switch (edit[0] % 16) {
  case 0: // another operand
    if (operands && value)
      op->setOperand(at % operands, value);
    break;
  case 1: // two operands exchanged
    if (operands > 1) {
      mlir::Value first = op->getOperand(at % operands);
      op->setOperand(at % operands, op->getOperand(edit[3] % operands));
      op->setOperand(edit[3] % operands, first);
    }
    break;
  case 2: // an operand less
    if (operands)
      op->eraseOperand(at % operands);
    break;
  case 3: // an operand more
    if (value)
      op->insertOperands(at % (operands + 1), value);
    break;
  case 4: // a result of another type
    if (results && value)
      op->getResult(at % results).setType(value.getType());
    break;
  case 5: // an attribute less
    if (!attributes.empty())
      op->removeAttr(attributes[at % attributes.size()].getName());
    break;
  case 6: // an attribute with another value
  case 7:
    if (!attributes.empty()) {
      mlir::NamedAttribute attribute = attributes[at % attributes.size()];
      op->setAttr(attribute.getName(), neighbour(attribute.getValue(), edit[3]));
    }
    break;
  case 8: { // an attribute of another op, under its name or a name of this one
    llvm::ArrayRef<mlir::NamedAttribute> theirs = other->getAttrDictionary().getValue();
    if (theirs.empty())
      break;
    mlir::NamedAttribute attribute = theirs[at % theirs.size()];
    op->setAttr(at % 2 && !attributes.empty() ? attributes[at / 2 % attributes.size()].getName()
                                              : attribute.getName(),
                attribute.getValue());
    break;
  }
  case 9: // moved
    if (!op->isAncestor(other) && !other->hasTrait<mlir::OpTrait::IsTerminator>())
      at % 2 ? op->moveBefore(other) : op->moveAfter(other);
    break;
  case 10: // copied
    if (!op->isAncestor(other) && !other->isAncestor(op))
      other->getBlock()->getOperations().insert(other->getIterator(), op->clone());
    break;
  case 11: // dropped
    if (replaceUses(op, values))
      op->erase();
    break;
  case 12: // another name
    rename(op, at | edit[3] << 8);
    break;
  case 13: // a block argument of another type, or one more
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region)
        if (value && (block.getNumArguments() == 0 || at % 4 == 0))
          block.addArgument(value.getType(), op->getLoc());
        else if (value)
          block.getArgument(at % block.getNumArguments()).setType(value.getType());
    break;
  case 14: // a block without its last op, or one block more
    for (mlir::Region &region : op->getRegions()) {
      if (at % 2 || region.empty() || region.front().empty()) {
        region.emplaceBlock();
        continue;
      }
      if (replaceUses(&region.front().back(), values))
        region.front().back().erase();
    }
    break;
  default: // bodies exchanged
    for (auto [mine, theirs] : llvm::zip(op->getRegions(), other->getRegions()))
      if (!op->isAncestor(other) && !other->isAncestor(op))
        mine.getBlocks().swap(theirs.getBlocks());
    break;
  }
}

} // namespace

EditedKernel EditedKernel::split(llvm::ArrayRef<uint8_t> bytes) {
  EditedKernel result;
  if (bytes.empty())
    return result;
  size_t count = std::min<size_t>(bytes.front() % (kMaxEdits + 1), (bytes.size() - 1) / kEditBytes);
  result.edits = bytes.slice(1, count * kEditBytes);
  result.choices = bytes.drop_front(1 + count * kEditBytes);
  return result;
}

mlir::OwningOpRef<cuda_tile::ModuleOp>
tilesmith::fuzz::generateKernel(llvm::ArrayRef<uint8_t> choices, mlir::MLIRContext &context) {
  static generators::ProgramGenerator generator;
  auto stream = generators::ChoiceStream::fromBytes(choices);
  auto testCase = generator.generate(stream, "libfuzzer");
  if (!testCase)
    disagree("the generator made an invalid module", llvm::toString(testCase.takeError()), "");
  const testcase::ModuleFile *file =
      testCase->launches.front().module(testCase->versions().front());
  llvm::StringRef bytes = llvm::toStringRef(file->bytes);
  auto module = bytecode::readBytecode(bytes, &context);
  if (!module)
    disagree("what was written cannot be read", llvm::toString(module.takeError()), "");
  return std::move(*module);
}

/// Default values stand where an edit left nothing: the printer relies on what every way to make an
/// op ensures.
static void restoreDefaults(cuda_tile::ModuleOp module) {
  module->walk([](mlir::Operation *op) {
    mlir::OperationState state(op->getLoc(), op->getName());
    mlir::Operation *fresh = mlir::Operation::create(state);
    for (mlir::NamedAttribute attribute : fresh->getAttrs())
      if (!op->getAttr(attribute.getName()))
        op->setAttr(attribute.getName(), attribute.getValue());
    fresh->destroy();
  });
}

void tilesmith::fuzz::applyEdits(cuda_tile::ModuleOp module, llvm::ArrayRef<uint8_t> edits) {
  for (; edits.size() >= EditedKernel::kEditBytes;
       edits = edits.drop_front(EditedKernel::kEditBytes))
    applyEdit(module, edits.take_front(EditedKernel::kEditBytes));
  restoreDefaults(module);
}

static size_t assemble(llvm::ArrayRef<uint8_t> edits, llvm::ArrayRef<uint8_t> choices, uint8_t *out,
                       size_t maxSize) {
  std::vector<uint8_t> bytes{static_cast<uint8_t>(edits.size() / EditedKernel::kEditBytes)};
  bytes.insert(bytes.end(), edits.begin(), edits.end());
  bytes.insert(bytes.end(), choices.begin(), choices.end());
  return emitBytes(bytes, out, maxSize);
}

size_t tilesmith::fuzz::mutateEditedKernel(uint8_t *data, size_t size, size_t maxSize,
                                           MutatorRandom &random) {
  EditedKernel kernel = EditedKernel::split({data, size});
  std::vector<uint8_t> edits(kernel.edits), choices(kernel.choices);
  size_t what = random.below(8), count = edits.size() / EditedKernel::kEditBytes;
  if (what < 4 && count > 0) { // a byte of an edit
    edits[random.below(edits.size())] = static_cast<uint8_t>(random.next());
  } else if (what < 6 && count < EditedKernel::kMaxEdits) { // an edit more
    for (size_t i = 0; i < EditedKernel::kEditBytes; ++i)
      edits.push_back(static_cast<uint8_t>(random.next()));
  } else if (what == 6 && count > 0) { // an edit less
    edits.erase(edits.begin() + random.below(count) * EditedKernel::kEditBytes,
                edits.begin() + edits.size());
  } else { // another kernel
    size_t old = choices.size();
    choices.resize(std::max(maxSize, old) + 1);
    choices.resize(mutateChoices(choices.data(), old, std::max(maxSize, old), random));
  }
  return assemble(edits, choices, data, maxSize);
}

size_t tilesmith::fuzz::crossEditedKernels(llvm::ArrayRef<uint8_t> first,
                                           llvm::ArrayRef<uint8_t> second, uint8_t *out,
                                           size_t maxSize, MutatorRandom &random) {
  EditedKernel a = EditedKernel::split(first), b = EditedKernel::split(second);
  if (random.below(2))
    return assemble(a.edits, b.choices, out, maxSize);
  std::vector<uint8_t> edits(a.edits);
  edits.insert(edits.end(), b.edits.begin(), b.edits.end());
  edits.resize(std::min(edits.size(), EditedKernel::kMaxEdits * EditedKernel::kEditBytes));
  return assemble(edits, a.choices, out, maxSize);
}
