//===- Remarks.h - what the compiler chose for memory accesses and matrix products ------------===//
//
// Remarks are facts read off the program before, during and after the lowering: every load, store
// and mma of the Tile IR module, which instructions its source position became, and what the tile
// passes decided there and why (TileRemarks.h). They are listed in program order, so that equal
// runs print equal text. Two forms: a tree for the terminal and one YAML document per remark.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_TOOLS_REMARKS_H
#define COMPILER_TOOLS_REMARKS_H

#include "compiler/tools/TileirasOptions.h"

#include "mlir/Support/LLVM.h"

#include <string>
#include <utility>
#include <vector>

namespace tilesmith::tools {

struct Remark {
  enum class Kind { Passed, Missed, Failed, Analysis };
  enum class Category { Memory, TensorCore };
  Kind kind;
  Category category;
  std::string name; ///< "RemarkMemoryLoadInstructionSelected"
  std::string text; ///< "Load instruction selected"
  std::string function;
  std::string file; ///< empty: no position
  unsigned line = 0, column = 0;
  unsigned number = 0; ///< without a position: of the op among those of its module, from 1
  std::vector<std::pair<std::string, std::string>> arguments; ///< "Instruction", "Shape", "Reason"
};

/// Collects in three steps: `before` on the cuda_tile module, `tiles` at the end of nv_tileas,
/// `after` on the lowered llvm/nvvm module. What has no source position is numbered by `before` in
/// its location, so that each access keeps its own remark.
class RemarkCollector {
public:
  void before(mlir::Operation *module);
  void tiles(mlir::Operation *module, unsigned optLevel);
  void after(mlir::Operation *module);
  /// The remarks that `options` ask for, in program order.
  std::vector<Remark> select(const TileirasOptions &options) const;

private:
  std::vector<Remark> remarks;
};

/// The tree for the terminal; empty without remarks.
std::string formatCommandLine(llvm::ArrayRef<Remark> remarks);

/// YAML documents, numbered from 1; empty without remarks.
std::string formatYaml(llvm::ArrayRef<Remark> remarks);

} // namespace tilesmith::tools

#endif // COMPILER_TOOLS_REMARKS_H
