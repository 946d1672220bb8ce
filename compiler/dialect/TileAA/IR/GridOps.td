//===- GridOps.td - where in the grid am I --------------------------------------------------------===//
#ifndef TILEAA_GRID_OPS
#define TILEAA_GRID_OPS

include "compiler/dialect/TileAA/IR/TileAATypes.td"

class TileAA_AxisOp<string mnemonic> : TileAA_Op<mnemonic, [Pure]> {
  let arguments = (ins ConfinedAttr<I32Attr, [IntMinValue<0>, IntMaxValue<2>]>:$axis);
  let results = (outs I32:$result);
}
def TileAA_GetProgramIdOp : TileAA_AxisOp<"get_program_id"> { let summary = "tile block coordinate along an axis"; }
def TileAA_GetNumProgramsOp : TileAA_AxisOp<"get_num_programs"> { let summary = "grid extent along an axis"; }

def TileAA_IsValidProgramIdOp : TileAA_Op<"is_valid_program_id", [Pure]> {
  let summary = "a persistent kernel got another program";
  let arguments = (ins TileAA_AnyProgramId:$source);
  let results = (outs I1:$result);
}

def TileAA_CancelNextProgramIdOp : TileAA_Op<"cancel_next_program_id", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "takes the next program from the launch queue";
  let results = (outs TileAA_AnyProgramId:$result);
}

// Not in the documented roster of 73: the public dialect gained dependent launches in 13.4.
def TileAA_GridDependencyOp : TileAA_Op<"grid_dependency", [TileAA_AliasTokenOpInterface, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits for the grids before this one, or lets those behind it start";
  let arguments = (ins Optional<TileAA_MemToken>:$token, TileAA_GridDependencyAttr:$kind);
  let results = (outs Optional<TileAA_MemToken>:$result_token);
}

#endif // TILEAA_GRID_OPS
