//===- TileRemarks.cpp - what the tile passes decided about accesses and products -------------===//
//
// The reasons repeat the conditions of tileas-vectorize-memory and tileas-assign-dot-layouts and
// name the first that fails, by the facts of nv_tileaa on the operands.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/tools/TileRemarks.h"

#include "compiler/dialect/TileAA/IR/TileAA.h"
#include "compiler/dialect/TileAA/Transforms/Facts.h"
#include "compiler/dialect/TileAS/IR/MmaAtom.h"
#include "compiler/dialect/TileAS/IR/ThroughConversions.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "compiler/dialect/TileAS/Transforms/Schedule.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using llvm::formatv;

namespace tilesmith::tools {
namespace {

std::string typeText(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

tileaa::Facts factsOf(Value value) {
  return tileaa::getFacts(tileas::throughConversions(value));
}

/// The parts of an access that all kinds have.
struct Access {
  Value pointers; ///< of an access through a tile of pointers
  Value view;     ///< of an access through a view
  RankedTensorType tile;
  bool weak = true;
};

std::optional<Access> accessOf(Operation *op) {
  auto tileOf = [](Value value) { return dyn_cast<RankedTensorType>(value.getType()); };
  auto isWeak = [](auto access) { return access.getMemSemantic() == tileaa::MemSemantic::weak; };
  if (auto load = dyn_cast<tileas::LoadOp>(op))
    return Access{load.getPointers(), {}, tileOf(load.getResult()), isWeak(load)};
  if (auto store = dyn_cast<tileas::StoreOp>(op))
    return Access{store.getPointers(), {}, tileOf(store.getValue()), isWeak(store)};
  if (auto load = dyn_cast<tileas::TiledLoadOp>(op))
    return Access{{}, load.getView(), tileOf(load.getResult()), isWeak(load)};
  if (auto store = dyn_cast<tileas::TiledStoreOp>(op))
    return Access{{}, store.getView(), tileOf(store.getValue()), isWeak(store)};
  if (auto load = dyn_cast<tileas::GatherLoadOp>(op))
    return Access{{}, load.getView(), tileOf(load.getResult()), isWeak(load)};
  if (auto store = dyn_cast<tileas::ScatterStoreOp>(op))
    return Access{{}, store.getView(), tileOf(store.getValue()), isWeak(store)};
  return std::nullopt;
}

std::string viewReason(Value view, uint64_t bytes) {
  Value memref = view;
  while (auto block = memref.getDefiningOp<tileaa::BlockTileOp>())
    memref = block->getOperand(0);
  auto make = memref.getDefiningOp<tileaa::MakeMemRefOp>();
  if (!make)
    return "the view is not built in this function";
  if (factsOf(make.getResult()).divisor < 2 * bytes)
    return formatv("base pointer not known to be {0}-byte aligned", 2 * bytes);
  auto type = cast<tileaa::MemRefType>(make.getResult().getType());
  if (!llvm::is_contained(type.getStrides(), 1))
    return "no dimension has the static stride 1";
  auto strides = make.getStrides().begin();
  for (auto [dim, stride] : llvm::enumerate(type.getStrides())) {
    const bool dynamic = ShapedType::isDynamic(stride);
    const uint64_t divisor = dynamic ? factsOf(*strides++).divisor : uint64_t(stride);
    if (stride != 1 && divisor % 2)
      return formatv("stride of dimension {0} not known to be a multiple of 2 elements", dim);
  }
  return "no thread holds neighbouring elements at an aligned start";
}

std::string accessReason(const Access &access, unsigned optLevel) {
  if (optLevel == 0)
    return "optimization level 0";
  if (!access.tile || access.tile.getNumElements() == 1)
    return "a single element";
  if (!access.weak)
    return "an ordered access moves every element alone";
  Type element = access.tile.getElementType();
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() < 8)
    return formatv("elements of type {0} are moved alone", typeText(element));
  const uint64_t bytes = element.getIntOrFloatBitWidth() / 8;
  if (bytes >= 16)
    return "one element fills an access";
  if (access.view)
    return viewReason(access.view, bytes);
  const tileaa::Facts facts = factsOf(access.pointers);
  if (facts.contiguity < 2)
    return "neighbouring pointers not known to be consecutive";
  if (facts.divisor < 2 * bytes)
    return formatv("pointers not known to be {0}-byte aligned", 2 * bytes);
  return "no thread holds neighbouring elements";
}

std::string productReason(tileas::DotOp dot, unsigned optLevel) {
  auto lhs = cast<RankedTensorType>(dot.getLhs().getType());
  auto rhs = cast<RankedTensorType>(dot.getRhs().getType());
  auto acc = cast<RankedTensorType>(dot.getAcc().getType());
  if (optLevel < 2)
    return formatv("optimization level {0}", optLevel);
  if (acc.getRank() != 2)
    return "a batch of products";
  if (lhs.getElementType() != rhs.getElementType())
    return "operands of different types";
  Type sum = acc.getElementType();
  if (sum.isF16())
    sum = Float32Type::get(dot.getContext());
  const tileas::MmaAtom *atom =
      tileas::findMmaAtom(lhs.getElementType(), sum, dot.getSignedLhs(), dot.getSignedRhs());
  if (!atom)
    return formatv("no instruction multiplies {0}{1} into {2}",
                   dot.getSignedLhs() ? "" : "unsigned ", typeText(lhs.getElementType()),
                   typeText(acc.getElementType()));
  const int64_t m = acc.getDimSize(0), n = acc.getDimSize(1), k = lhs.getDimSize(1);
  if (m < atom->m || n < atom->n || k < atom->k)
    return formatv("tile of {0} x {1} x {2} is smaller than {3} x {4} x {5}", m, n, k, atom->m,
                   atom->n, atom->k);
  if (k > atom->deepest)
    return formatv("a sum of {0} products may be too inexact", k);
  if (!tileaa::getTarget(dot->getParentOfType<ModuleOp>()).has(atom->feature))
    return formatv("compute capability {0} is needed", target::oldestWith(atom->feature).sm);
  return "the fragments need too many registers";
}

/// Whether a product in the same loop takes what `load` reads.
bool feedsProduct(Operation *load) {
  SmallVector<Value> values(load->getResults());
  for (size_t i = 0; i < values.size() && i < 32; ++i)
    for (Operation *user : values[i].getUsers()) {
      if (isa<tileas::DotOp>(user) && user->getBlock() == load->getBlock())
        return true;
      if (isa<tileas::ConvertLayoutOp>(user))
        llvm::append_range(values, user->getResults());
    }
  return false;
}

} // namespace

std::vector<TileDecision> readTileDecisions(Operation *module, unsigned optLevel) {
  std::vector<TileDecision> decisions;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto add = [&](TileDecision::Kind kind, std::string detail) {
      auto function = op->getParentOfType<FunctionOpInterface>();
      decisions.push_back(
          {kind, op->getLoc(), function ? function.getName().str() : "", std::move(detail)});
    };
    const StringRef name = op->getName().getStringRef();
    // Copies that run ahead of their use; they are vectorised by construction.
    if (name == "nv_tileas.async.load" || name == "nv_tileas.async.tiled_load") {
      add(TileDecision::Pipelined, "");
      return;
    }
    if (auto dot = dyn_cast<tileas::DotOp>(op)) {
      if (std::optional<StringRef> atom = dot.getAtom())
        add(TileDecision::TensorCore, atom->str());
      else
        add(TileDecision::NoTensorCore, productReason(dot, optLevel));
      return;
    }
    if (auto dot = dyn_cast<tileas::TensorMemoryDotOp>(op)) {
      add(TileDecision::TensorCore, dot.getAtom().str());
      return;
    }
    std::optional<Access> access = accessOf(op);
    if (!access || tileas::getStaging(op)) // tensor copies store it
      return;
    const int64_t elements = tileas::getVectorElements(op);
    if (elements > 1)
      add(TileDecision::Vectorized,
          std::to_string(elements * access->tile.getElementTypeBitWidth() / 8));
    else
      add(TileDecision::NotVectorized, accessReason(*access, optLevel));
    const bool isLoad = isa<tileas::LoadOp, tileas::TiledLoadOp>(op);
    StringAttr reason = tileas::annotations(op).getNotPipelinedAttrHelper().getAttr(op);
    if (isLoad && isa_and_nonnull<scf::ForOp>(op->getParentOp()) && feedsProduct(op))
      add(TileDecision::NotPipelined,
          optLevel < 2 ? formatv("optimization level {0}", optLevel).str()
          : reason     ? reason.str()
                       : std::string("the product does not take it from the loop directly"));
  });
  return decisions;
}

} // namespace tilesmith::tools
