//===- Changes.cpp - kernels near a stored one ------------------------------------------------===//
#include "generators/mutate/Changes.h"

#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/bytecode/BytecodeWriter.h"
#include "compiler/dialect/CudaTile/IR/CudaTileTargets.h"
#include "generators/mutate/ChangeTools.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using namespace tilesmith::cuda_tile;

namespace {

/// The number beside it, of the other sign, twice it, or one of the extremes.
llvm::APInt otherInteger(const llvm::APInt &value, unsigned how) {
  const unsigned width = value.getBitWidth();
  switch (how) {
  case 0:
    return value + 1;
  case 1:
    return value - 1;
  case 2:
    return -value;
  case 3:
    return value << 1;
  case 4:
    return value.lshr(1);
  case 5:
    return llvm::APInt::getSignedMinValue(width);
  case 6:
    return llvm::APInt::getAllOnes(width);
  default:
    return llvm::APInt::getZero(width);
  }
}

llvm::APFloat otherFloat(llvm::APFloat value, unsigned how) {
  const llvm::fltSemantics &semantics = value.getSemantics();
  switch (how) {
  case 0:
    value.next(/*nextDown=*/false);
    return value;
  case 1:
    return llvm::scalbn(value, 1, llvm::APFloat::rmNearestTiesToEven);
  case 2:
    value.changeSign();
    return value;
  case 3:
    return llvm::APFloat::getZero(semantics, /*Negative=*/!value.isNegative());
  case 4:
    return llvm::APFloat::getSmallest(semantics, value.isNegative());
  default:
    return llvm::APFloat::getOne(semantics);
  }
}

/// Another number in a constant: all elements of a splat, one of others.
bool changeConstant(ModuleOp module, ChoiceStream &stream) {
  auto op = drawOp<ConstantOp>(module, stream, [](ConstantOp candidate) {
    mlir::Type element = candidate.getValue().getElementType();
    return element.isInteger() || element.isF16() || element.isBF16() || element.isF32() ||
           element.isF64();
  });
  if (!op)
    return false;
  auto value =
      llvm::cast<mlir::DenseIntOrFPElementsAttr>(static_cast<mlir::Attribute>(op.getValue()));
  llvm::SmallVector<mlir::Attribute> elements;
  if (value.isSplat())
    elements.push_back(value.getSplatValue<mlir::Attribute>());
  else
    llvm::append_range(elements, value.getValues<mlir::Attribute>());
  mlir::Attribute &one = elements[stream.below(elements.size())];
  const mlir::Attribute old = one;
  const auto how = static_cast<unsigned>(stream.below(8));
  if (auto integer = llvm::dyn_cast<mlir::IntegerAttr>(one))
    one = mlir::IntegerAttr::get(integer.getType(), otherInteger(integer.getValue(), how));
  else if (auto number = llvm::dyn_cast<mlir::FloatAttr>(one))
    one = mlir::FloatAttr::get(number.getType(), otherFloat(number.getValue(), how));
  if (one == old) // of zero, for instance
    return false;
  op.setValueAttr(llvm::cast<mlir::DenseIntOrFPElementsAttr>(static_cast<mlir::Attribute>(
      mlir::DenseElementsAttr::get(llvm::cast<mlir::ShapedType>(value.getType()), elements))));
  return true;
}

/// Operations that take the same operands and attributes.
llvm::ArrayRef<std::vector<llvm::StringRef>> alike() {
  static const std::vector<std::vector<llvm::StringRef>> groups = {
      {AddIOp::getOperationName(), SubIOp::getOperationName(), MulIOp::getOperationName()},
      {AndIOp::getOperationName(), OrIOp::getOperationName(), XOrIOp::getOperationName()},
      {MaxIOp::getOperationName(), MinIOp::getOperationName(), RemIOp::getOperationName(),
       ShRIOp::getOperationName()},
      {AddFOp::getOperationName(), SubFOp::getOperationName(), MulFOp::getOperationName()},
      {MaxFOp::getOperationName(), MinFOp::getOperationName()},
      {NegFOp::getOperationName(), AbsFOp::getOperationName(), CeilOp::getOperationName(),
       FloorOp::getOperationName()}};
  return groups;
}

const std::vector<llvm::StringRef> *groupOf(mlir::Operation *op) {
  for (const auto &group : alike())
    if (llvm::is_contained(group, op->getName().getStringRef()))
      return &group;
  return nullptr;
}

/// Another operation on the same operands.
bool changeOperation(ModuleOp module, ChoiceStream &stream) {
  mlir::Operation *op = drawAnyOp(module, stream, [](mlir::Operation *o) { return groupOf(o); });
  if (!op)
    return false;
  const std::vector<llvm::StringRef> &group = *groupOf(op);
  llvm::StringRef name = group[stream.below(group.size())];
  if (name == op->getName().getStringRef())
    return false;
  mlir::OpBuilder builder(op);
  mlir::OperationState state(op->getLoc(), name, op->getOperands(), op->getResultTypes(),
                             op->getAttrs());
  op->replaceAllUsesWith(builder.create(state));
  op->erase();
  return true;
}

/// Another value of the same type, or two operands in exchange.
bool changeOperand(ModuleOp module, ChoiceStream &stream) {
  auto isTile = [](mlir::Value v) { return llvm::isa<TileType>(v.getType()); };
  mlir::Operation *op = drawAnyOp(module, stream, [&](mlir::Operation *candidate) {
    return candidate->getParentOfType<EntryOp>() && llvm::any_of(candidate->getOperands(), isTile);
  });
  if (!op)
    return false;
  llvm::SmallVector<mlir::OpOperand *> operands;
  for (mlir::OpOperand &operand : op->getOpOperands())
    if (isTile(operand.get()))
      operands.push_back(&operand);
  mlir::OpOperand &operand = *operands[stream.below(operands.size())];
  mlir::Value old = operand.get();
  for (mlir::OpOperand *other : operands)
    if (other->get() != old && other->get().getType() == old.getType() && stream.chance(50)) {
      operand.set(other->get());
      other->set(old);
      return true;
    }
  std::vector<mlir::Value> values =
      valuesBefore(op, [&](mlir::Type type) { return type == old.getType(); });
  if (values.empty())
    return false;
  operand.set(values[stream.below(values.size())]);
  return operand.get() != old;
}

template <typename Attr>
mlir::Attribute otherOf(Attr attribute, ChoiceStream &stream, unsigned count) {
  using Enum = decltype(attribute.getValue());
  return Attr::get(attribute.getContext(), static_cast<Enum>(stream.below(count)));
}

/// Signedness, predicate, direction of rounding or of a scan, or a flag of floats.
bool changeMode(ModuleOp module, ChoiceStream &stream) {
  struct Place {
    mlir::Operation *op;
    mlir::StringAttr name;
  };
  std::vector<Place> places;
  module->walk([&](mlir::Operation *op) {
    for (mlir::NamedAttribute attribute : op->getAttrs())
      if (llvm::isa<SignednessAttr, ComparisonPredicateAttr, ComparisonOrderingAttr,
                    RoundingModeAttr, IntegerOverflowAttr, AtomicRMWModeAttr>(
              attribute.getValue()) ||
          attribute.getName() == "reverse")
        places.push_back({op, attribute.getName()});
    for (llvm::StringRef flag :
         {"flush_to_zero", "propagate_nan", "saturating", "fast_acc", "unsignedCmp"})
      if (llvm::is_contained(op->getName().getAttributeNames(), flag))
        places.push_back({op, mlir::StringAttr::get(op->getContext(), flag)});
  });
  if (places.empty())
    return false;
  Place place = places[stream.below(places.size())];
  if (stream.chance(60)) {
    // Of a kind of operation, so that those of which there are few come up as well.
    std::vector<mlir::OperationName> kinds;
    for (const Place &candidate : places)
      if (!llvm::is_contained(kinds, candidate.op->getName()))
        kinds.push_back(candidate.op->getName());
    const mlir::OperationName kind = kinds[stream.below(kinds.size())];
    llvm::erase_if(places, [&](const Place &candidate) { return candidate.op->getName() != kind; });
    place = places[stream.below(places.size())];
  }
  mlir::Attribute old = place.op->getAttr(place.name), other = old;
  if (auto sign = llvm::dyn_cast_or_null<SignednessAttr>(old))
    other = otherOf(sign, stream, 2);
  else if (auto predicate = llvm::dyn_cast_or_null<ComparisonPredicateAttr>(old))
    other = otherOf(predicate, stream, 6);
  else if (auto ordering = llvm::dyn_cast_or_null<ComparisonOrderingAttr>(old))
    other = otherOf(ordering, stream, 2);
  else if (auto mode = llvm::dyn_cast_or_null<RoundingModeAttr>(old))
    other = otherOf(mode, stream, stream.chance(70) ? 4 : 8);
  else if (auto overflow = llvm::dyn_cast_or_null<IntegerOverflowAttr>(old))
    other = otherOf(overflow, stream, 4);
  else if (auto update = llvm::dyn_cast_or_null<AtomicRMWModeAttr>(old))
    other = otherOf(update, stream, 10);
  else if (auto truth = llvm::dyn_cast_or_null<mlir::BoolAttr>(old))
    other = mlir::BoolAttr::get(old.getContext(), !truth.getValue());
  else
    other = old ? mlir::Attribute() : mlir::UnitAttr::get(place.op->getContext());
  if (other)
    place.op->setAttr(place.name, other);
  else
    place.op->removeAttr(place.name);
  return other != old;
}

/// Blocks of a cluster, warps, occupancy of the entry; latency of an access; or none of them.
bool changeHint(ModuleOp module, ChoiceStream &stream) {
  constexpr llvm::StringLiteral kHints = "optimization_hints";
  mlir::Operation *op = drawAnyOp(module, stream, [&](mlir::Operation *candidate) {
    return llvm::isa<EntryOp>(candidate) || candidate->hasAttr(kHints);
  });
  if (!op)
    return false;
  mlir::OpBuilder b(op->getContext());
  const bool isEntry = llvm::isa<EntryOp>(op);
  if (op->hasAttr(kHints) && stream.chance(30)) {
    op->removeAttr(kHints);
    return true;
  }
  const llvm::StringRef name = !isEntry            ? OptimizationHintsAttr::kLatency
                               : stream.chance(60) ? OptimizationHintsAttr::kNumCTAInCGA
                                                   : OptimizationHintsAttr::kOccupancy;
  const int64_t value = int64_t(1) << stream.below(4);
  auto hints = b.getDictionaryAttr({b.getNamedAttr(name, b.getI64IntegerAttr(value))});
  llvm::ArrayRef<llvm::StringRef> gpus = drawnTargets();
  llvm::StringRef gpu = gpus[stream.below(gpus.size())];
  const mlir::Attribute old = op->getAttr(kHints);
  op->setAttr(kHints, OptimizationHintsAttr::get(
                          op->getContext(), b.getDictionaryAttr({b.getNamedAttr(gpu, hints)})));
  return op->getAttr(kHints) != old;
}

/// Scalars of the launch that may be extents: one less, or half.
bool changeArgument(ChangedKernel &k) {
  std::vector<uint64_t *> extents;
  for (testcase::Launch &launch : k.testCase.launches)
    for (testcase::Parameter &parameter : launch.params)
      if (parameter.kind == testcase::Parameter::Kind::Scalar &&
          !testcase::isFloat(parameter.dtype) && parameter.bits > 1 && parameter.bits < 4096)
        extents.push_back(&parameter.bits);
  if (extents.empty())
    return false;
  uint64_t &extent = *extents[k.stream.below(extents.size())];
  // What may be promised to be a multiple of 16 mostly stays one.
  const uint64_t by = extent % 16 || k.stream.chance(25) ? 1 : 16;
  extent = k.stream.chance(60) ? extent - by : extent / 2 / by * by;
  return true;
}

/// An edit that keeps what the kernel means, drawn from all of them.
bool applyEdit(ChangedKernel &k) {
  llvm::ArrayRef<Edit> edits = allEdits();
  return edits[k.stream.below(edits.size())].apply(k.module, k.stream);
}

/// The case without what it expected.
testcase::TestCase plainCase(const testcase::TestCase &testCase) {
  testcase::TestCase plain = testCase;
  for (testcase::Buffer &buffer : plain.buffers) {
    buffer.expect.reset();
    buffer.open.clear();
    buffer.compare = {testcase::Comparison::Mode::Enclosure};
  }
  plain.standardOutput.reset();
  plain.traps = plain.exactData = false;
  plain.message.clear();
  plain.notes.clear();
  plain.choices.reset();
  plain.edits.clear();
  return plain;
}

/// Products and arrays above this are made smaller first, mostly: the reference refuses large kernels.
constexpr int64_t kLargeProduct = 1 << 16, kLargeBytes = 1 << 16;

bool isLarge(const ChangedKernel &kernel) {
  size_t bytes = 0;
  for (const testcase::Buffer &buffer : kernel.testCase.buffers)
    bytes += buffer.data.size();
  int64_t largest = 0;
  kernel.module->walk([&](mlir::Operation *op) {
    if (llvm::isa<MmaFOp, MmaIOp, MmaFScaledOp>(op))
      largest = std::max(largest,
                         llvm::cast<TileType>(op->getOperand(0).getType()).getNumElements() *
                             llvm::cast<TileType>(op->getOperand(1).getType()).getShape().back());
  });
  return largest > kLargeProduct || bytes > size_t(kLargeBytes);
}

/// Takes a promise away, so that what follows cannot rely on it.
bool forgetPromise(ModuleOp module, ChoiceStream &stream) {
  auto op = drawOp<AssumeOp>(module, stream, [](AssumeOp) { return true; });
  if (!op)
    return false;
  op.getResult().replaceAllUsesWith(op.getValue());
  op->erase();
  return true;
}

/// A change may have found nothing to change.
bool isSame(ChangedKernel &kernel, const testcase::TestCase &before, ModuleOp module) {
  return kernel.testCase == before && mlir::OperationEquivalence::isEquivalentTo(
                                          kernel.module.getOperation(), module.getOperation(),
                                          mlir::OperationEquivalence::IgnoreLocations);
}

/// A change, undone where the module does not verify any more. False: none was made.
bool tryChange(ChangedKernel &kernel, mlir::OwningOpRef<ModuleOp> &owner, const Change &change) {
  mlir::OwningOpRef<ModuleOp> before(llvm::cast<ModuleOp>(owner->getOperation()->clone()));
  testcase::TestCase arrays = kernel.testCase;
  ChoiceStream frame = kernel.stream.frame(16);
  ChangedKernel framed = {kernel.testCase, *owner, frame};
  if (change.apply(framed) && mlir::succeeded(mlir::verify(owner->getOperation())) &&
      !isSame(kernel, arrays, before.get())) {
    kernel.testCase.edits.push_back(change.name.str());
    return true;
  }
  kernel.testCase = std::move(arrays);
  owner = std::move(before);
  kernel.module = *owner;
  return false;
}

} // namespace

llvm::ArrayRef<Change> tilesmith::generators::allChanges() {
  static const std::vector<Change> all = [] {
    std::vector<Change> changes = {
        {"argument", "numbers of a launch that may be extents", changeArgument},
        {"constant", "a constant of numbers", ofModule<changeConstant>},
        {"edit", "what an edit needs", applyEdit},
        {"forget", "a promise", ofModule<forgetPromise>},
        {"hint", "an entry", ofModule<changeHint>},
        {"mode", "an operation with a mode", ofModule<changeMode>},
        {"operand", "two values of one type", ofModule<changeOperand>},
        {"operation", "an operation that others are like", ofModule<changeOperation>},
    };
    for (llvm::ArrayRef<Change> family : {flowChanges(), loopChanges(), memoryChanges(),
                                          statementChanges(), typeChanges(), viewChanges()})
      llvm::append_range(changes, family);
    llvm::sort(changes, [](const Change &a, const Change &b) { return a.name < b.name; });
    return changes;
  }();
  return all;
}

llvm::Expected<testcase::TestCase>
tilesmith::generators::changeCase(const testcase::TestCase &testCase, ChoiceStream &stream,
                                  unsigned count, mlir::MLIRContext &context, llvm::StringRef only,
                                  const testcase::TestCase *beside) {
  mlir::ScopedDiagnosticHandler handler(&context,
                                        [](mlir::Diagnostic &) { return mlir::success(); });
  testcase::TestCase changed = plainCase(testCase);
  testcase::ModuleFile file = changed.launches.front().modules.front();
  auto read = bytecode::readBytecode(llvm::toStringRef(file.bytes), &context);
  if (!read)
    return read.takeError();
  mlir::OwningOpRef<ModuleOp> module = std::move(*read);
  // Later versions have more operations and flags.
  if (only.empty() && stream.chance(30))
    file.version = "13.5";
  for (testcase::Launch &launch : changed.launches)
    launch.modules = {file};
  ChangedKernel kernel = {changed, *module, stream};
  if (beside) {
    auto other = bytecode::readBytecode(
        llvm::toStringRef(beside->launches.front().modules.front().bytes), &context);
    if (!other)
      return other.takeError();
    if (putBeside(kernel, plainCase(*beside), **other))
      changed.edits.push_back("beside");
  }
  std::vector<Change> candidates;
  llvm::copy_if(allChanges(), std::back_inserter(candidates),
                [&](const Change &change) { return only.empty() || change.name == only; });
  for (unsigned tries = 0; tries < 2 && only.empty() && isLarge(kernel); ++tries)
    for (const Change &change : candidates)
      if (change.name == "smaller" && stream.chance(60))
        tryChange(kernel, module, change);
  const size_t wanted = changed.edits.size() + count;
  for (unsigned tries = 0; tries < 4 * count && changed.edits.size() < wanted; ++tries)
    tryChange(kernel, module, candidates[stream.below(candidates.size())]);
  if (mlir::failed(mlir::verify(module.get())))
    return llvm::createStringError("the changes made an invalid module");
  bytecode::Version version;
  version.minor = static_cast<uint8_t>(file.version.back() - '0');
  std::string result;
  llvm::raw_string_ostream sink(result);
  if (llvm::Error error = bytecode::writeBytecode(*module, sink, version))
    return std::move(error);
  for (testcase::Launch &launch : changed.launches)
    launch.modules = {{file.version, file.file, testcase::Bytes(result.begin(), result.end())}};
  return changed;
}
