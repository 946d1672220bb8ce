//===- Ops.h - how ops execute on the registers of all threads --------------------------------===//
#ifndef ORACLES_ENGINES_TILEAS_OPS_H
#define ORACLES_ENGINES_TILEAS_OPS_H

#include "oracles/engines/tileaa/Machine.h"

namespace tilesmith::oracles::tileas_engine {

/// The table of this stage. Elementwise ops of nv_tileaa, arith and math run register by register;
/// view, permute and broadcast hand registers on as they are; all others see whole tiles, which are
/// gathered before and distributed behind them by the layouts of their types.
const tileaa_engine::OpTable &opTable();

/// Adds the asynchronous pipelines (Pipelines.cpp).
void registerPipelines(tileaa_engine::OpTable &table);
/// The whole tile in a slot of a pipeline.
reference::Tile readSlot(tileaa_engine::Machine &machine, mlir::Value slot);

} // namespace tilesmith::oracles::tileas_engine

#endif // ORACLES_ENGINES_TILEAS_OPS_H
