//===- CtaPlan.cpp - dividing a tile block among the blocks of a cluster ----------------------===//
//
// Effects are planned in program order, each in the form that costs least on top of what is planned
// already. Costs are element operations of one block, weighted by kind and by the turns of loops (eight
// where they are not known); a tile or piece with fewer elements than the block has threads costs as if
// each had one. A plan that saves less than a quarter of the work is dropped, because a cluster has a
// price as well, and so is one with which the blocks together do more than twice the work. Neither is
// for pieces of one block.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/dialect/TileAS/Transforms/CtaPlan.h"

#include "compiler/support/Plants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::tileas;

/// The work of all blocks of a cluster, in parts of the tile block's.
static constexpr int64_t kMostRepeated = 2;

RankedTensorType tileas::pieceType(RankedTensorType type, CtaForm form, int64_t blocks) {
  if (form == kWhole)
    return type;
  SmallVector<int64_t> shape(type.getShape());
  shape[form] /= blocks;
  return RankedTensorType::get(shape, type.getElementType(), type.getEncoding());
}

Value tileas::viewOfPieces(OpBuilder &builder, tileaa::BlockTileOp tiling, Value tensor,
                           CtaForm form, int64_t blocks) {
  auto view = cast<tileaa::TiledViewType>(tiling.getResult().getType());
  SmallVector<int64_t> tile(view.getTileShape()), steps;
  tile[form] /= blocks;
  if (!view.isGather()) {
    for (int64_t dim = 0; dim < view.getRank(); ++dim)
      steps.push_back(dim == form && !TILESMITH_PLANT("cta-step-of-whole")
                          ? std::gcd(view.getStep(dim), tile[dim])
                          : view.getStep(dim));
    if (steps == tile)
      steps.clear();
  }
  auto type =
      tileaa::TiledViewType::get(builder.getContext(), tile, view.getMemref(), view.getDimMap(),
                                 view.getPadding(), steps, view.getSparseDim());
  return tileaa::BlockTileOp::create(builder, tiling.getLoc(), type, tensor,
                                     builder.getDenseI64ArrayAttr(tile), tiling.getDimGroupsAttr(),
                                     tiling.getPaddingValueAttr());
}

namespace {

RankedTensorType tensorOf(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

bool isWeak(Operation *op) {
  auto semantic = op->getAttrOfType<tileaa::MemSemanticAttr>("mem_semantic");
  return !semantic || semantic.getValue() == tileaa::MemSemantic::weak;
}

bool isElementwise(Operation *op) {
  if (auto bitcast = dyn_cast<tileaa::BitcastOp>(op)) {
    auto from = tensorOf(bitcast.getSource()), to = tensorOf(bitcast.getResult());
    return from && to && from.getShape() == to.getShape();
  }
  return op->hasTrait<OpTrait::Elementwise>() ||
         isa<arith::SelectOp, tileaa::AddPtrOp, tileaa::IntToPtrOp, tileaa::PtrToIntOp,
             tileaa::AssumeOp, tileaa::ExternElementwiseOp, tileaa::CallElementwiseIntrinsicOp>(op);
}

int64_t product(ArrayRef<int64_t> extents) {
  int64_t result = 1;
  for (int64_t extent : extents)
    result *= extent;
  return result;
}

/// The source dimension whose leading bits are those of result dimension `form` of a reshape.
std::optional<CtaForm> reshapedForm(ArrayRef<int64_t> from, ArrayRef<int64_t> to, CtaForm form,
                                    int64_t blocks) {
  int64_t outer = product(to.take_front(form)), seen = 1;
  for (auto [dim, extent] : llvm::enumerate(from)) {
    if ((seen == outer || TILESMITH_PLANT("cta-reshape-of-any-dimension")) && extent >= blocks)
      return static_cast<CtaForm>(dim);
    seen *= extent;
  }
  return std::nullopt;
}

/// Of a dot: batch, rows or columns of the result.
std::optional<SmallVector<CtaForm>> dotForms(tileaa::DotOp dot, CtaForm form, int64_t blocks) {
  ArrayRef<int64_t> shape = tensorOf(dot.getC()).getShape();
  CtaForm rows = static_cast<CtaForm>(shape.size()) - 2, columns = rows + 1;
  // Tensor-core products need 16 rows and 8 columns.
  if ((form == rows && shape[rows] >= 16 && shape[rows] / blocks < 16) ||
      (form == columns && shape[columns] >= 8 && shape[columns] / blocks < 8))
    return std::nullopt;
  CtaForm a = form == columns ? kWhole : form, b = form == rows ? kWhole : form;
  SmallVector<CtaForm> forms{a, b, form};
  if (dot.getSfa())
    forms.append({a, b});
  return forms;
}

} // namespace

std::optional<SmallVector<CtaForm>> tileas::operandForms(Operation *op, CtaForm form,
                                                         int64_t blocks) {
  SmallVector<CtaForm> forms(op->getNumOperands(), kWhole);
  auto setTiles = [&](CtaForm wanted) {
    for (auto [i, operand] : llvm::enumerate(op->getOperands()))
      if (tensorOf(operand))
        forms[i] = wanted;
    return forms;
  };
  if (form == kWhole)
    return forms;
  if (isElementwise(op) || isa<tileaa::LoadOp, tileaa::StoreOp, tileaa::AtomicRMWOp,
                               tileaa::AtomicCASOp, tileaa::AssertOp>(op))
    return setTiles(form);
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<SplatElementsAttr>(constant.getValue()) ? std::optional(forms) : std::nullopt;
  if (isa<tileaa::SplatOp, tileaa::MakeRangeOp, ub::PoisonOp>(op))
    return forms;
  if (auto dot = dyn_cast<tileaa::DotOp>(op))
    return dotForms(dot, form, blocks);
  if (isa<tileaa::TiledLoadOp, tileaa::TiledStoreOp, tileaa::TiledAtomicRMWOp>(op))
    return setTiles(form);
  if (isa<tileaa::GatherLoadOp, tileaa::ScatterStoreOp>(op)) {
    auto view = dyn_cast<tileaa::TiledViewType>(op->getOperand(0).getType());
    if (!view || !view.isGather())
      return std::nullopt;
    bool masked = isa<tileaa::GatherLoadOp>(op) ? bool(cast<tileaa::GatherLoadOp>(op).getMask())
                                                : bool(cast<tileaa::ScatterStoreOp>(op).getMask());
    if (masked)
      return std::nullopt;
    // The only other tile is the index tile of the sparse dimension.
    setTiles(form == *view.getSparseDim() ? 0 : kWhole);
    if (isa<tileaa::ScatterStoreOp>(op))
      forms[1] = form;
    return forms;
  }
  if (op->getNumOperands() == 0 || !tensorOf(op->getOperand(0)))
    return std::nullopt;
  ArrayRef<int64_t> from = tensorOf(op->getOperand(0)).getShape();
  auto result = op->getNumResults() ? tensorOf(op->getResult(0)) : RankedTensorType();
  if (!result)
    return std::nullopt;
  ArrayRef<int64_t> to = result.getShape();
  if (isa<tileaa::BroadcastOp>(op))
    return setTiles(from[form] == 1 ? kWhole : form);
  if (isa<tileaa::ViewOp, tileaa::ExpandDimsOp>(op)) {
    auto source = reshapedForm(from, to, form, blocks);
    return source ? std::optional(setTiles(*source)) : std::nullopt;
  }
  if (auto permute = dyn_cast<tileaa::PermuteOp>(op))
    return setTiles(permute.getPermutation()[form]);
  if (auto reduce = dyn_cast<tileaa::ReduceOp>(op))
    return setTiles(form < static_cast<CtaForm>(reduce.getAxis()) ? form : form + 1);
  if (auto scan = dyn_cast<tileaa::ScanOp>(op);
      scan && (form != static_cast<CtaForm>(scan.getAxis()) ||
               TILESMITH_PLANT("cta-scan-divided-along-axis")))
    return setTiles(form);
  if (auto cat = dyn_cast<tileaa::CatOp>(op); cat && form != static_cast<CtaForm>(cat.getDim()))
    return setTiles(form);
  if (isa<tileaa::ExtractSliceOp>(op) && from[form] == to[form])
    return setTiles(form);
  // Packing changes the extent of the last dimension only.
  if (isa<tileaa::BitcastOp>(op) && from.size() == to.size() &&
      form + 1 < static_cast<CtaForm>(to.size()))
    return setTiles(form);
  return std::nullopt;
}

bool tileas::isCtaEffect(Operation *op) {
  if (isa<tileaa::LoadOp, tileaa::TiledLoadOp, tileaa::GatherLoadOp>(op))
    return !isWeak(op);
  return isa<tileaa::StoreOp, tileaa::TiledStoreOp, tileaa::ScatterStoreOp, tileaa::AtomicRMWOp,
             tileaa::AtomicCASOp, tileaa::TiledAtomicRMWOp, tileaa::AssertOp, tileaa::PrintOp,
             tileaa::MessageOp>(op);
}

namespace {

bool isWeakLoad(Operation *op) {
  return isa<tileaa::LoadOp, tileaa::TiledLoadOp, tileaa::GatherLoadOp>(op) && isWeak(op);
}

/// Ops that may be computed as often as one likes.
bool isRepeatable(Operation *op) {
  if (isWeakLoad(op))
    return true;
  if (op->getNumRegions() && !isa<tileaa::ReduceOp, tileaa::ScanOp>(op))
    return false;
  return isMemoryEffectFree(op);
}

/// What stands against dividing the kernel at all.
std::optional<std::string> obstacle(tileaa::FuncOp function) {
  std::optional<std::string> found;
  auto name = [](Operation *op) { return "'" + op->getName().getStringRef().str() + "'"; };
  function->walk([&](Operation *op) {
    if (found || op == function.getOperation())
      return;
    if (isa<tileaa::AllocaOp>(op)) {
      found = "memory of the tile block lies in one block";
      return;
    }
    if (auto semantic = op->getAttrOfType<tileaa::MemSemanticAttr>("mem_semantic"))
      if (semantic.getValue() != tileaa::MemSemantic::weak &&
          semantic.getValue() != tileaa::MemSemantic::relaxed) {
        found = name(op) + " orders other accesses";
        return;
      }
    if (auto load = dyn_cast<tileaa::LoadOp>(op); load && !load.getIndices().empty())
      found = name(op) + " has memref indices";
    if (auto store = dyn_cast<tileaa::StoreOp>(op); store && !store.getIndices().empty())
      found = name(op) + " has memref indices";
    if (op->hasAttr("is_volatile"))
      found = name(op) + " is volatile";
    bool inBody = op->getParentOfType<tileaa::ReduceOp>() || op->getParentOfType<tileaa::ScanOp>();
    if (!inBody && !isCtaEffect(op) && !isRepeatable(op) &&
        !isa<scf::ForOp, scf::WhileOp, scf::IfOp, scf::YieldOp, scf::ConditionOp, tileaa::ReturnOp>(
            op))
      found = name(op) + " cannot be divided";
  });
  return found;
}

} // namespace

bool CtaPlan::fail(const Twine &reason) {
  if (problem.empty())
    problem = reason.str();
  return false;
}

bool CtaPlan::demand(Value value, CtaForm form) {
  if (tileaa::isToken(value.getType()))
    return true;
  RankedTensorType tensor = tensorOf(value);
  if (!tensor)
    form = kWhole;
  else if (form != kWhole && tensor.getShape()[form] % blocks != 0)
    return fail("a tile is too small for the cluster");
  auto &known = demands[value];
  if (!llvm::is_contained(known, form)) {
    known.push_back(form);
    made.push_back({value, form});
  }
  return true;
}

bool CtaPlan::settle() {
  while (settled < made.size()) {
    auto [value, form] = made[settled++];
    if (!require(value, form))
      return false;
  }
  return true;
}

bool CtaPlan::require(Value value, CtaForm form) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return requireArgument(argument, form);
  return requireResult(cast<OpResult>(value), form);
}

bool CtaPlan::requireArgument(BlockArgument argument, CtaForm form) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (parent == function.getOperation())
    return true;
  if (auto loop = dyn_cast<scf::ForOp>(parent)) {
    if (argument == loop.getInductionVar())
      return true;
    unsigned i = argument.getArgNumber() - 1;
    return demand(loop.getInitArgs()[i], form) && demand(loop.getYieldedValues()[i], form) &&
           demand(loop.getResult(i), form);
  }
  if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
    unsigned i = argument.getArgNumber();
    if (argument.getOwner() == loop.getBeforeBody())
      return demand(loop.getInits()[i], form) && demand(loop.getYieldOp().getOperand(i), form);
    return demand(loop.getConditionOp().getArgs()[i], form) && demand(loop.getResult(i), form);
  }
  return fail("'" + parent->getName().getStringRef() + "' cannot be divided");
}

bool CtaPlan::requireResult(OpResult result, CtaForm form) {
  Operation *op = result.getOwner();
  unsigned i = result.getResultNumber();
  if (keepsLoops && form != kWhole && isa<scf::ForOp>(op))
    return demand(result, kWhole);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return demand(loop.getRegionIterArg(i), form);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return demand(loop.getAfterBody()->getArgument(i), form);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return demand(branch.thenYield().getOperand(i), form) &&
           demand(branch.elseYield().getOperand(i), form);
  if (isCtaEffect(op)) {
    auto it = chosen.find(op);
    if (inTurn ? form != kWhole : form == kWhole || it == chosen.end() || it->second != form)
      return fail("every block needs the result of '" + op->getName().getStringRef() + "'");
    return true; // its operands are demanded with the effect
  }
  std::optional<SmallVector<CtaForm>> forms = operandForms(op, form, blocks);
  cost += costOf(op, form);
  if (!forms)
    return isWeakLoad(op) ? fail("'" + op->getName().getStringRef() + "' cannot be divided")
                          : demand(result, kWhole);
  return requireOperands(op, *forms);
}

bool CtaPlan::requireOperands(Operation *op, ArrayRef<CtaForm> forms) {
  for (auto [operand, form] : llvm::zip(op->getOperands(), forms)) {
    if (!demand(operand, form))
      return false;
    if (isa<tileaa::TiledViewType>(operand.getType()) &&
        !operand.getDefiningOp<tileaa::BlockTileOp>() && isa<tileaa::MemoryOpInterface>(op))
      return fail("a view is not known where it is used");
  }
  llvm::SetVector<Value> captured;
  for (Region &region : op->getRegions())
    getUsedValuesDefinedAbove(region, captured);
  return llvm::all_of(captured, [&](Value value) { return demand(value, kWhole); });
}

bool CtaPlan::requireControl() {
  bool ok = true;
  function->walk([&](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      ok = ok && demand(loop.getLowerBound(), kWhole) && demand(loop.getUpperBound(), kWhole) &&
           demand(loop.getStep(), kWhole);
    if (auto branch = dyn_cast<scf::IfOp>(op))
      ok = ok && demand(branch.getCondition(), kWhole);
    if (auto condition = dyn_cast<scf::ConditionOp>(op))
      ok = ok && demand(condition.getCondition(), kWhole);
  });
  return ok && settle();
}

/// The tile that an effect is divided by; null: none.
static RankedTensorType effectTile(Operation *op) {
  if (isa<tileaa::PrintOp, tileaa::MessageOp>(op))
    return {};
  if (isa<tileaa::LoadOp, tileaa::TiledLoadOp, tileaa::GatherLoadOp>(op))
    return dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (isa<tileaa::AssertOp>(op))
    return dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  return dyn_cast<RankedTensorType>(op->getOperand(1).getType());
}

bool CtaPlan::tryEffect(Operation *op, CtaForm form) {
  chosen[op] = form;
  cost += costOf(op, form);
  if (form == kWhole && !inTurn) {
    if (isa<tileaa::LoadOp, tileaa::TiledLoadOp, tileaa::GatherLoadOp>(op))
      return fail("every block needs the result of '" + op->getName().getStringRef() + "'");
    // Views have no mask: the other blocks take an index behind the tensor.
    auto view = dyn_cast<tileaa::TiledViewType>(op->getOperand(0).getType());
    if (view && view.isGather() && view.getRank() == 1)
      return fail("the leader's part of '" + op->getName().getStringRef() + "' cannot be masked");
  }
  auto forms = operandForms(op, form, blocks);
  if (!forms)
    return fail("'" + op->getName().getStringRef() + "' cannot be divided");
  return requireOperands(op, *forms) && settle();
}

bool CtaPlan::chooseEffect(Operation *op) {
  SmallVector<CtaForm> candidates;
  // In one block, what an effect results in is whole.
  bool stays = inTurn && !llvm::all_of(op->getResultTypes(), tileaa::isToken);
  if (RankedTensorType tile = stays ? RankedTensorType() : effectTile(op))
    for (auto [dim, extent] : llvm::enumerate(tile.getShape()))
      if (extent >= blocks)
        candidates.push_back(static_cast<CtaForm>(dim));
  candidates.push_back(kWhole);
  std::optional<std::pair<int64_t, CtaForm>> best;
  std::string reason;
  size_t mark = made.size();
  int64_t before = cost;
  for (CtaForm form : candidates) {
    problem.clear();
    if (tryEffect(op, form) && (!best || cost - before < best->first))
      best = {cost - before, form};
    if (reason.empty())
      reason = problem;
    while (made.size() > mark) {
      auto it = demands.find(made.back().first);
      it->second.pop_back();
      if (it->second.empty())
        demands.erase(it);
      made.pop_back();
    }
    settled = mark;
    cost = before;
  }
  if (!best) {
    problem = reason;
    return false;
  }
  problem.clear();
  return tryEffect(op, best->second);
}

int64_t CtaPlan::costOf(Operation *op, CtaForm form) const {
  int64_t elements = 1;
  // A thread without an element of its tile executes the operation like the others.
  auto count = [&](ValueRange values) {
    for (Value value : values)
      if (RankedTensorType tensor = tensorOf(value))
        elements = std::max({elements, tensor.getNumElements(), threads});
  };
  count(op->getResults());
  count(op->getOperands());
  int64_t weight = 2;
  if (isa<tileaa::SplatOp, tileaa::BroadcastOp, tileaa::ViewOp, tileaa::ExpandDimsOp,
          tileaa::MakeRangeOp, arith::ConstantOp, tileaa::AssumeOp>(op))
    weight = 0;
  else if (isCtaEffect(op) || isWeakLoad(op))
    weight = 16;
  else if (isa<tileaa::ReduceOp, tileaa::ScanOp>(op))
    weight = 4;
  else if (op->getDialect()->getNamespace() == "math")
    weight = 8;
  else if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op))
    weight = getElementTypeOrSelf(op->getResult(0).getType()).isInteger(64) ? 128 : 32;
  auto divided = [&](int64_t work) {
    return form == kWhole ? work
                          : std::max(work / blocks, work / elements * std::min(elements, threads));
  };
  int64_t work = divided(elements * weight);
  if (auto dot = dyn_cast<tileaa::DotOp>(op)) {
    ArrayRef<int64_t> a = tensorOf(dot.getA()).getShape(), c = tensorOf(dot.getC()).getShape();
    elements = std::max(product(c), threads);
    work = divided(elements * a.back() / 4);
    // Warpgroup products have 64 rows.
    CtaForm rows = static_cast<CtaForm>(c.size()) - 2;
    if (gpu.has(target::Feature::Wgmma) && form == rows && c[rows] >= 64 && c[rows] / blocks < 64)
      work *= 2;
  }
  // A piece of what is whole goes through shared memory.
  if (form != kWhole && !operandForms(op, form, blocks))
    work = elements * 16;
  for (Operation *parent = op->getParentOp(); parent != function.getOperation();
       parent = parent->getParentOp())
    if (auto loop = dyn_cast<LoopLikeOpInterface>(parent); loop && work < (int64_t(1) << 50)) {
      std::optional<APInt> turns = loop.getStaticTripCount();
      work *= turns ? turns->getLimitedValue(/*Limit=*/256) : 8;
    }
  return work;
}

std::optional<std::string> CtaPlan::begin(SmallVectorImpl<Operation *> &effects) {
  if (!llvm::hasSingleElement(function.getBody()))
    return "the body has several blocks";
  if (auto found = obstacle(function))
    return found;
  function->walk([&](Operation *op) {
    if (op->getParentOfType<tileaa::ReduceOp>() || op->getParentOfType<tileaa::ScanOp>())
      return;
    if (isCtaEffect(op))
      effects.push_back(op);
    if (isCtaEffect(op) || isRepeatable(op))
      total += costOf(op, kWhole);
  });
  if (!requireControl())
    return problem;
  return std::nullopt;
}

std::optional<std::string> CtaPlan::runFor(const llvm::DenseMap<Operation *, CtaForm> &wanted) {
  SmallVector<Operation *> effects;
  keepsLoops = true;
  if (auto found = begin(effects))
    return found;
  for (Operation *op : effects) {
    auto it = wanted.find(op);
    if (!tryEffect(op, it == wanted.end() ? kWhole : it->second))
      return problem;
  }
  return std::nullopt;
}

std::optional<std::string> CtaPlan::run() {
  SmallVector<Operation *> effects;
  if (auto found = begin(effects))
    return found;
  for (Operation *op : effects)
    if (!chooseEffect(op))
      return problem;
  if (llvm::none_of(effects, [&](Operation *op) { return chosen.lookup(op) != kWhole; }))
    return "no access can be divided";
  if (inTurn)
    return std::nullopt;
  // A block that saves little is not worth its place, and what all do again takes theirs from others.
  const bool repeats =
      cost * blocks > total * kMostRepeated && !TILESMITH_PLANT("cost-clusters-repeat");
  if (cost * 4 > total * 3 || repeats)
    return "each block would have " + std::to_string(cost * 100 / std::max<int64_t>(total, 1)) +
           " percent of the work";
  return std::nullopt;
}
