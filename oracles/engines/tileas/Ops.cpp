//===- Ops.cpp - how ops execute on the registers of all threads ------------------------------===//
//
// A tensor-core dot reads its operands where the instruction expects them, whatever their types
// say: the fragment layouts are computed for the atom, not taken from the operands.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/engines/tileas/Ops.h"

#include "compiler/dialect/TileAS/IR/MmaAtom.h"
#include "compiler/dialect/TileAS/IR/TileAS.h"
#include "oracles/engines/tileas/Distributed.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

#include <set>

using namespace tilesmith;
using namespace tilesmith::oracles;
using namespace tilesmith::oracles::tileas_engine;
using tileaa_engine::Machine;
using tileaa_engine::OpEntry;
using tileaa_engine::OpTable;

namespace {

/// Ops on whole tiles.
const OpTable &wholeTileOps() {
  static const OpTable table = [] {
    OpTable t = OpTable::get();
    tileaa_engine::registerTileASMemory(t);
    tileaa_engine::registerTileASMatrix(t);
    tileaa_engine::registerTileASReduction(t);
    tileaa_engine::registerTileASShape(t);
    return t;
  }();
  return table;
}

/// Layout in which an op reads its operand.
tileas::LayoutAttr operandLayout(mlir::OpOperand &operand) {
  tileas::LayoutAttr layout = tileas::getLayout(operand.get().getType());
  auto dot = mlir::dyn_cast<tileas::DotOp>(operand.getOwner());
  if (!dot || !dot.getAtom() || !layout || tileas::getSharedLayout(dot.getLhs().getType()))
    return layout;
  const tileas::MmaAtom *atom = tileas::findMmaAtom(*dot.getAtom());
  if (!atom)
    return layout;
  auto shape = mlir::cast<mlir::RankedTensorType>(dot.getAcc().getType()).getShape();
  int64_t k = mlir::cast<mlir::RankedTensorType>(dot.getLhs().getType()).getShape().back();
  tileas::DotOperand which[] = {tileas::DotOperand::Lhs, tileas::DotOperand::Rhs,
                                tileas::DotOperand::Acc};
  auto fragment = [&](tileas::DotOperand side, bool wholeRows) {
    return tileas::fragmentLayout(layout.getContext(), *atom, side, shape[0], shape[1], k,
                                  1u << layout.getWarps().size(), wholeRows);
  };
  if (shape.size() == 3)
    return tileas::batchedFragmentLayout(layout.getContext(), *atom,
                                         which[operand.getOperandNumber()], shape[0], shape[1],
                                         shape[2], k, 1u << layout.getWarps().size());
  bool wholeRows = tileas::getLayout(dot.getResult().getType()) ==
                   fragment(tileas::DotOperand::Acc, /*wholeRows=*/true);
  const unsigned number = operand.getOperandNumber();
  if (number < std::size(which))
    return fragment(which[number], wholeRows);
  const tileas::DotOperand side = which[number - std::size(which)]; // of scales
  return tileas::scaleFragmentLayout(*atom, side, fragment(side, wholeRows));
}

/// Gathers the operands, runs the op on whole tiles, distributes the results.
Status evalWhole(Machine &machine, mlir::Operation *op) {
  std::map<void *, std::pair<mlir::Value, Machine::Value>> saved;
  std::vector<std::pair<mlir::Value, Tile>> whole; // two of them may be views of one slot
  for (mlir::OpOperand &operand : op->getOpOperands()) {
    mlir::Value value = operand.get();
    tileas::LayoutAttr layout = operandLayout(operand);
    if (tileas::getSharedLayout(value.getType()) && !saved.count(value.getAsOpaquePointer())) {
      if (!mlir::isa<mlir::BlockArgument>(value) && !value.getDefiningOp<tileas::PermuteOp>())
        continue; // what was staged for products is a whole tile
      saved.insert({value.getAsOpaquePointer(), {value, machine.get(value)}});
      whole.push_back({value, readSlot(machine, value)});
      continue;
    }
    if (!layout || saved.count(value.getAsOpaquePointer()))
      continue;
    Tile tile(reference::ElementType::I1, {});
    TILESMITH_TRY(gather(machine.tile(value), layout, tile));
    saved.insert({value.getAsOpaquePointer(), {value, machine.get(value)}});
    whole.push_back({value, std::move(tile)});
  }
  for (auto &[value, tile] : whole)
    machine.set(value, std::move(tile));
  const OpEntry *entry = wholeTileOps().lookup(op);
  if (!entry || !entry->evaluate)
    return reference::unsupported("no evaluator for '" + op->getName().getStringRef() + "'");
  TILESMITH_TRY(entry->evaluate(machine, op));
  for (auto &[key, value] : saved)
    machine.set(value.first, std::move(value.second));
  for (mlir::Value result : op->getResults())
    if (tileas::LayoutAttr layout = tileas::getLayout(result.getType()))
      machine.set(result, distribute(machine.tile(result), layout));
  return Status::success();
}

/// view, permute, broadcast: every thread keeps its registers.
Status evalKeep(Machine &machine, mlir::Operation *op) {
  tileas::LayoutAttr layout = tileas::getLayout(op->getResult(0).getType());
  const Tile &source = machine.tile(op->getOperand(0));
  if (layout && source.size() != placesOf(layout).count())
    return reference::undefined("layout", "a value of " + llvm::Twine(source.size()) +
                                              " places becomes one of " +
                                              llvm::Twine(placesOf(layout).count()));
  machine.set(op->getResult(0), source);
  return Status::success();
}

/// Gathered by one layout, distributed by the other.
Status evalConvertLayout(Machine &machine, mlir::Operation *op) {
  Tile tile(reference::ElementType::I1, {});
  TILESMITH_TRY(gather(machine.tile(op->getOperand(0)),
                       tileas::getLayout(op->getOperand(0).getType()), tile));
  machine.set(op->getResult(0), distribute(tile, tileas::getLayout(op->getResult(0).getType())));
  return Status::success();
}

/// Elementwise ops pair registers, so all tiles of one have as many.
Status evalElementwise(Machine &machine, mlir::Operation *op) {
  // Operands that are scalars in a body over many elements have no layout.
  for (mlir::Value operand : op->getOperands()) {
    tileas::LayoutAttr from = tileas::getLayout(operand.getType()),
                       to = tileas::getLayout(op->getResult(0).getType());
    if (from && to && placesOf(from).count() != placesOf(to).count())
      return reference::undefined("layout", "operand and result have different numbers of places");
  }
  return wholeTileOps().lookup(op)->evaluate(machine, op);
}

/// Blocks that came first try again until the last one has come.
Status evalClusterBarrier(Machine &machine) {
  tileaa_engine::Cluster &cluster = *machine.cluster;
  if (!machine.awaitedBarrier) {
    machine.awaitedBarrier = cluster.barriers;
    bool completes = ++cluster.arrived == cluster.blocks;
    if (machine.observer)
      machine.observer->clusterBarrier(completes);
    if (completes) {
      cluster.arrived = 0;
      ++cluster.barriers;
    }
  }
  if (*machine.awaitedBarrier == cluster.barriers)
    machine.repeat();
  else
    machine.awaitedBarrier.reset();
  return Status::success();
}

Status evalRank(Machine &machine, mlir::gpu::ClusterBlockIdOp op) {
  machine.set(op.getResult(), Tile::scalar(reference::ElementType::I64, machine.rank));
  return Status::success();
}

Status evalBarrier(Machine &machine, mlir::Operation *op) {
  if (tileas::annotations(op).getClusterAttrHelper().isAttrPresent(op))
    return evalClusterBarrier(machine);
  if (machine.observer)
    machine.observer->barrier();
  return Status::success();
}

/// Scalars, views, tokens and control flow carry their values as they are.
bool isAboutWholeValues(llvm::StringRef name) {
  static const std::set<llvm::StringRef> names = {"nv_tileaa.optimization_barrier",
                                                  "nv_tileaa.make_memref",
                                                  "nv_tileaa.block_tile",
                                                  "nv_tileaa.get_dim_size",
                                                  "nv_tileaa.get_global",
                                                  "nv_tileaa.alloca",
                                                  "nv_tileaa.create_mem_token",
                                                  "nv_tileaa.join_mem_token",
                                                  "nv_tileaa.mark_for_reuse",
                                                  "nv_tileaa.get_program_id",
                                                  "nv_tileaa.get_num_programs",
                                                  "nv_tileaa.yield",
                                                  "nv_tileaa.pragma",
                                                  "nv_tileaa.return",
                                                  "nv_tileaa.call",
                                                  "func.return",
                                                  "nv_tileas.yield"};
  return name.starts_with("scf.") || names.count(name) != 0;
}

} // namespace

const OpTable &tilesmith::oracles::tileas_engine::opTable() {
  static const OpTable table = [] {
    OpTable t = wholeTileOps();
    std::vector<std::string> names;
    for (const auto &item : t.all())
      names.push_back(item.getKey().str());
    for (const std::string &name : names) {
      OpEntry &entry = t.entry(name);
      if (!entry.evaluate || isAboutWholeValues(name))
        continue;
      bool producesByType = name == "arith.constant" || name == "ub.poison";
      if (entry.elementwise && !producesByType)
        entry.evaluate = evalElementwise;
      else
        entry.evaluate = evalWhole;
    }
    // Constants in bodies over many elements stay scalars: they have no layout.
    for (llvm::StringRef name : {"nv_tileas.view", "nv_tileas.permute", "nv_tileas.broadcast"})
      t.entry(name) = {evalKeep, false, {}};
    t.entry("nv_tileas.convert_layout") = {evalConvertLayout, false, {}};
    t.add<mlir::gpu::ClusterBlockIdOp, evalRank>();
    t.entry("gpu.barrier") = {evalBarrier, false, {}};
    registerPipelines(t);
    for (llvm::StringRef name :
         {"nv_tileaa.view", "nv_tileaa.expand_dims", "nv_tileaa.broadcast", "nv_tileaa.permute",
          "nv_tileaa.cat", "nv_tileaa.extract", "nv_tileaa.extract_slice", "nv_tileaa.load",
          "nv_tileaa.store", "nv_tileaa.tiled_load", "nv_tileaa.tiled_store",
          "nv_tileaa.gather_load", "nv_tileaa.scatter_store", "nv_tileaa.atomic_rmw",
          "nv_tileaa.atomic_cas", "nv_tileaa.tiled_atomic_rmw", "nv_tileaa.dot", "nv_tileaa.reduce",
          "nv_tileaa.scan"})
      t.entry(name) = {nullptr, false, "convert-tileaa-to-tileas replaces it"};
    return t;
  }();
  return table;
}
