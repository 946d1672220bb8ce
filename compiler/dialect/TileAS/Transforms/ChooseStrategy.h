//===- ChooseStrategy.h - who fills the pipelines of a kernel -----------------------*- C++ -*-===//
//
// The choice that tileas-choose-strategy notes, for passes in front of it that ask what it would be.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_DIALECT_TILEAS_TRANSFORMS_CHOOSESTRATEGY_H
#define COMPILER_DIALECT_TILEAS_TRANSFORMS_CHOOSESTRATEGY_H

#include "compiler/dialect/TileAS/Transforms/CostModel.h"

namespace tilesmith::tileas {

struct Choice {
  Way way;
  std::string reason; ///< predictions of all ways, or why only one is left
};

/// Of a kernel whose loops are annotated (Schedule.h). `hostMaps`: tensor maps cost a block nothing.
Choice chooseStrategy(tileaa::FuncOp function, const target::GpuTarget &gpu, bool hostMaps);

} // namespace tilesmith::tileas

#endif // COMPILER_DIALECT_TILEAS_TRANSFORMS_CHOOSESTRATEGY_H
