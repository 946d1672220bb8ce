//===- Plants.cpp - registry and switches of the planted bugs ---------------------------------===//
//
// Flags are process-wide atomics, so a plant can be switched before worker threads start and read
// without a lock.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/support/Plants.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <atomic>
#include <cassert>

using namespace llvm;

namespace tilesmith {

#ifdef TILESMITH_PLANTS

// Sorted by id.
static constexpr PlantInfo kRegistry[] = {
    {"atomic-by-every-holder", "atomics", "compiler/conversion/TileASToNVGPU/Atomic.cpp",
     "an element of a replicated tile is updated by every thread that holds it"},
    {"atomic-ignores-mask", "masks", "compiler/conversion/TileASToNVGPU/Atomic.cpp",
     "an atomic updates elements that its mask excludes"},
    {"atomic-umax-as-max", "atomics", "compiler/conversion/TileASToNVGPU/Atomic.cpp",
     "an unsigned atomic maximum compares signed"},
    {"barrier-dropped-in-convert-layout", "barriers",
     "compiler/conversion/TileASToNVGPU/ConvertLayout.cpp",
     "a layout conversion through shared memory reads without waiting for the writers"},
    {"cas-keeps-old", "atomics", "compiler/conversion/TileASToNVGPU/Atomic.cpp",
     "compare and swap writes back what it compared with"},
    {"cat-boundary-off-by-one", "shapes", "compiler/conversion/TileASToNVGPU/Shape.cpp",
     "cat takes one element too few from its first operand"},
    {"ceil-division-wrong-side", "rounding", "compiler/conversion/TileASToNVGPU/Elementwise.cpp",
     "a ceiling division of numbers of different signs rounds up once more"},
    {"cmpf-ge-as-gt", "predicates", "compiler/conversion/CudaTileToTileAA/Comparison.cpp",
     "greater than or equal is false on equal floats"},
    {"cmpf-unordered-as-ordered", "predicates",
     "compiler/conversion/CudaTileToTileAA/Comparison.cpp",
     "an unordered comparison is false on NaN"},
    {"cmpi-bool-order", "predicates", "compiler/conversion/CudaTileToTileAA/Comparison.cpp",
     "signed comparisons of bools take true as 1 instead of -1"},
    {"cmpi-le-as-lt", "predicates", "compiler/conversion/CudaTileToTileAA/Comparison.cpp",
     "less than or equal is false on equal integers"},
    {"cmpi-signed-as-unsigned", "predicates", "compiler/conversion/CudaTileToTileAA/Comparison.cpp",
     "a signed comparison of integers is done unsigned"},
    {"dim-map-ignored", "views", "compiler/conversion/TileASToNVGPU/Memory.cpp",
     "a view takes tile dimensions for tensor dimensions"},
    {"divi-floor-as-trunc", "rounding", "compiler/conversion/CudaTileToTileAA/Arithmetic.cpp",
     "a floor division rounds toward zero"},
    {"divi-unsigned-ceil-as-floor", "rounding",
     "compiler/conversion/CudaTileToTileAA/Arithmetic.cpp",
     "a ceiling division of unsigned integers rounds down"},
    {"dot-slab-barrier-dropped", "barriers", "compiler/conversion/TileASToNVGPU/Dot.cpp",
     "a matrix product reads its operands without waiting for the writers"},
    {"dot-unsigned-bytes", "matrix", "compiler/conversion/TileASToNVGPU/Dot.cpp",
     "unsigned bytes of a matrix product are taken as signed"},
    {"emulator-bfly-wraps", "emulator", "oracles/engines/emulator/Collectives.cpp",
     "a butterfly shuffle of the emulated GPU exchanges with the wrong half for distance 16"},
    {"exti-unsigned-as-signed", "conversions",
     "compiler/conversion/CudaTileToTileAA/Conversion.cpp",
     "an unsigned extension repeats the sign bit"},
    {"extract-counts-elements", "shapes", "compiler/conversion/TileASToNVGPU/Shape.cpp",
     "indices of extract and insert count elements instead of slices"},
    {"f8-nan-as-number", "conversions", "compiler/conversion/TileASToNVGPU/ConvertFloat.cpp",
     "NaN of an 8-bit float widens to a number"},
    {"fma-rounding-dropped", "rounding", "compiler/conversion/CudaTileToTileAA/Arithmetic.cpp",
     "directed rounding of fma becomes nearest even"},
    {"fma-rounds-twice", "rounding", "compiler/conversion/TileASToNVGPU/Elementwise.cpp",
     "fma rounds the product before the sum"},
    {"fold-mask-false-as-true", "folds",
     "compiler/dialect/TileAA/Transforms/CanonicalizeMemory.cpp",
     "a store whose mask is constantly false writes"},
    {"ftof-rounding-dropped", "rounding", "compiler/conversion/CudaTileToTileAA/Conversion.cpp",
     "directed rounding of a change of format becomes nearest even"},
    {"ftoi-bool-misses-nan", "conversions", "compiler/conversion/CudaTileToTileAA/Conversion.cpp",
     "NaN converts to false"},
    {"ftoi-nan-not-zero", "conversions", "compiler/conversion/CudaTileToTileAA/Conversion.cpp",
     "a saturating conversion of NaN is not zero"},
    {"ftoi-saturates-to-signed", "conversions",
     "compiler/conversion/CudaTileToTileAA/Conversion.cpp",
     "an unsigned saturating conversion stops at the signed maximum"},
    {"ftz-dropped", "rounding", "compiler/conversion/TileASToNVGPU/Elementwise.cpp",
     "flush to zero is ignored"},
    {"gather-barrier-dropped", "barriers", "compiler/conversion/TileASToNVGPU/Memory.cpp",
     "a gather reads its index table without waiting for the writers"},
    {"index-space-rounds-down", "views", "compiler/conversion/CudaTileToTileAA/View.cpp",
     "the number of tiles of a view leaves out the last ragged one"},
    {"insert-checks-one-dimension", "shapes", "compiler/conversion/CudaTileToTileAA/Shape.cpp",
     "insert replaces all slices that agree in the first dimension"},
    {"itof-unsigned-as-signed", "conversions",
     "compiler/conversion/CudaTileToTileAA/Conversion.cpp",
     "an unsigned integer is converted to floating point as if it were signed"},
    {"load-ignores-other", "masks", "compiler/conversion/TileASToNVGPU/Memory.cpp",
     "a masked pointer load gives zero instead of the padding operand"},
    {"maxi-bool-as-unsigned", "lowering", "compiler/conversion/CudaTileToTileAA/Arithmetic.cpp",
     "signed minima and maxima of bools take true as 1 instead of -1"},
    {"maxi-unsigned-as-signed", "lowering", "compiler/conversion/CudaTileToTileAA/Arithmetic.cpp",
     "unsigned minima and maxima compare signed"},
    {"minmax-keeps-subnormals", "rounding", "compiler/conversion/CudaTileToTileAA/Arithmetic.cpp",
     "minima and maxima that flush keep subnormal operands"},
    {"minmax-nan-swallowed", "lowering", "compiler/conversion/CudaTileToTileAA/Arithmetic.cpp",
     "maxf and minf that propagate NaN prefer the number"},
    {"mma-drops-k-step", "matrix", "compiler/conversion/TileASToNVGPU/TensorCore.cpp",
     "a tensor-core product leaves out the last step of the contracted dimension"},
    {"mma-fragment-rows-swapped", "matrix", "compiler/conversion/TileASToNVGPU/TensorCore.cpp",
     "rows of a tensor-core accumulator go back swapped"},
    {"mmai-one-signedness", "matrix", "compiler/conversion/CudaTileToTileAA/Mma.cpp",
     "both operands of an integer matrix product have the signedness of the right one"},
    {"nibbles-swapped", "shapes", "compiler/conversion/TileASToNVGPU/Shape.cpp",
     "of two packed 4-bit elements the first comes from the high half"},
    {"nvvm-maxnum-as-minnum", "nvvm", "compiler/conversion/GPUToNVVM/Float.cpp",
     "the intrinsic of the maximum is that of the minimum"},
    {"padding-always-zero", "masks", "compiler/conversion/TileASToNVGPU/Memory.cpp",
     "elements outside the tensor are zero whatever the padding value"},
    {"pipeline-barrier-dropped", "barriers", "compiler/conversion/TileASToNVGPU/Pipeline.cpp",
     "a stage of a pipeline is read and overwritten without waiting for the other threads"},
    {"pipeline-commit-dropped", "pipelines", "compiler/conversion/TileASToNVGPU/Pipeline.cpp",
     "the copies of a stage are not committed, so no wait waits for them"},
    {"pipeline-waits-one-less", "pipelines", "compiler/conversion/TileASToNVGPU/Pipeline.cpp",
     "the wait for a stage lets its copies be under way"},
    {"pipeline-wraps-early", "pipelines", "compiler/conversion/TileASToNVGPU/Pipeline.cpp",
     "the ring of a pipeline leaves out its last stage"},
    {"reader-ignores-alignment", "reader", "compiler/bytecode/BytecodeReader.cpp",
     "sections may stand at any offset"},
    {"reader-ignores-tail", "reader", "compiler/bytecode/BytecodeReader.cpp",
     "bytes behind the end section are ignored"},
    {"reader-keeps-last-section", "reader", "compiler/bytecode/BytecodeReader.cpp",
     "of two sections of a kind the second counts"},
    {"reader-splats-constants", "reader", "compiler/bytecode/ReaderConstants.cpp",
     "the reader repeats the first element of a constant that lists all of them"},
    {"reader-swaps-cat", "reader", "compiler/bytecode/FunctionReader.cpp",
     "the operands of cat change places when they have one type"},
    {"reduce-barrier-dropped", "barriers", "compiler/conversion/TileASToNVGPU/ReduceScan.cpp",
     "a reduction over warps reads the parts without waiting for them"},
    {"reduce-forgets-last-warp", "collectives", "compiler/conversion/TileASToNVGPU/ReduceScan.cpp",
     "a reduction over warps leaves out the last one"},
    {"reduce-skips-lane-step", "collectives", "compiler/conversion/TileASToNVGPU/ReduceScan.cpp",
     "a reduction within a warp leaves out the farthest exchange"},
    {"remi-unsigned-as-signed", "lowering", "compiler/conversion/CudaTileToTileAA/Arithmetic.cpp",
     "a remainder of unsigned integers is taken signed"},
    {"rmw-returns-new", "atomics", "compiler/conversion/TileASToNVGPU/Atomic.cpp",
     "an atomic addition returns the sum instead of the old value"},
    {"rounding-dropped", "rounding", "compiler/conversion/CudaTileToTileAA/Arithmetic.cpp",
     "directed rounding of addf, subf, mulf and divf becomes nearest even"},
    {"scale-smallest-is-zero", "conversions", "compiler/conversion/TileASToNVGPU/ConvertFloat.cpp",
     "the smallest scale widens to zero"},
    {"scan-barrier-dropped", "barriers", "compiler/conversion/TileASToNVGPU/ReduceScan.cpp",
     "the results of a scan are read without waiting for them"},
    {"scan-reverse-ignored", "collectives", "compiler/conversion/TileASToNVGPU/ReduceScan.cpp",
     "a reverse scan runs forward"},
    {"scan-stops-early", "collectives", "compiler/conversion/TileASToNVGPU/ReduceScan.cpp",
     "a scan leaves the last element of long lines alone"},
    {"share-tiles-barrier-dropped", "barriers", "compiler/conversion/TileASToNVGPU/Shape.cpp",
     "cat, extract and insert read shared tiles without waiting for the writers"},
    {"shri-signed-as-logical", "lowering", "compiler/conversion/CudaTileToTileAA/Arithmetic.cpp",
     "an arithmetic shift to the right fills with zeros"},
    {"sqrt-rounding-dropped", "rounding", "compiler/conversion/CudaTileToTileAA/Arithmetic.cpp",
     "directed rounding of sqrt becomes nearest even"},
    {"store-ignores-mask-tail", "masks", "compiler/conversion/TileASToNVGPU/Memory.cpp",
     "a store of a ragged edge also writes the elements outside the tensor"},
    {"swizzle-bit-flipped", "layouts", "compiler/conversion/TileASToNVGPU/Pipeline.cpp",
     "copies into a pipeline put the lanes of the upper half into the wrong piece of 16 bytes"},
    {"verifier-bounded-checks-lower-twice", "verifier",
     "compiler/dialect/CudaTile/IR/CudaTileAttrs.cpp",
     "the upper bound of an assumption may be outside of the type"},
    {"verifier-cat-skips-last-dimension", "verifier", "compiler/dialect/CudaTile/IR/CoreOps.cpp",
     "cat joins tiles that differ in the last dimension"},
    {"verifier-continue-reported-at-loop", "verifier",
     "compiler/dialect/CudaTile/IR/ControlFlowOps.cpp",
     "wrong operands of continue are reported at the loop"},
    {"verifier-forgets-flush-to-zero", "verifier",
     "compiler/dialect/CudaTile/IR/CudaTileVerify.cpp", "flush_to_zero is accepted on every type"},
    {"verifier-mma-inner-unchecked", "verifier", "compiler/dialect/CudaTile/IR/CudaTileVerify.cpp",
     "the contracted dimensions of a matrix product may differ"},
    {"verifier-weak-scope-unchecked", "verifier", "compiler/dialect/CudaTile/IR/CudaTileVerify.cpp",
     "weak accesses may have a memory scope"},
    {"view-step-ignored", "views", "compiler/conversion/TileASToNVGPU/Memory.cpp",
     "tiles of a strided view lie one tile apart"},
    {"wgmma-wait-one-less", "pipelines", "compiler/conversion/TileASToNVGPU/Wgmma.cpp",
     "the results of warpgroup products are used while the products run"},
};

static std::atomic<bool> activeFlags[std::size(kRegistry)];

static const PlantInfo *findPlant(StringRef id) {
  const PlantInfo *it = llvm::lower_bound(
      kRegistry, id, [](const PlantInfo &info, StringRef key) { return info.id < key; });
  return it != std::end(kRegistry) && it->id == id ? it : nullptr;
}

ArrayRef<PlantInfo> plantRegistry() {
  return kRegistry;
}

Error activatePlant(StringRef id) {
  if (const PlantInfo *info = findPlant(id)) {
    activeFlags[info - kRegistry].store(true, std::memory_order_relaxed);
    return Error::success();
  }
  std::string known =
      llvm::join(llvm::map_range(kRegistry, [](const PlantInfo &i) { return i.id; }), ", ");
  return llvm::createStringError("unknown planted bug '" + id + "', expected one of: " + known);
}

void deactivatePlants() {
  for (std::atomic<bool> &flag : activeFlags)
    flag.store(false, std::memory_order_relaxed);
}

bool isPlantActive(StringRef id) {
  const PlantInfo *info = findPlant(id);
  assert(info && "planted bug is not registered");
  return info && activeFlags[info - kRegistry].load(std::memory_order_relaxed);
}

#else

ArrayRef<PlantInfo> plantRegistry() {
  return {};
}

Error activatePlant(StringRef id) {
  return llvm::createStringError("unknown planted bug '" + id +
                                 "': this build has none (CMake option TILESMITH_PLANTS is off)");
}

void deactivatePlants() {}

bool isPlantActive(StringRef) {
  return false;
}

#endif

} // namespace tilesmith
