//===- PlantRules.cpp - which planted bugs follow which mechanical rule -----------------------===//
#include "compiler/support/PlantRules.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace tilesmith {

#ifdef TILESMITH_PLANTS

static constexpr MechanicalRule kRules[] = {
    {"drop a barrier or token edge", "barrier-dropped-in-convert-layout "
                                     "dot-refill-barrier-dropped "
                                     "dot-slab-barrier-dropped "
                                     "gather-barrier-dropped "
                                     "join-keeps-first-token "
                                     "load-token-dropped "
                                     "reduce-barrier-dropped "
                                     "scalar-broadcast-barrier-dropped "
                                     "scan-barrier-dropped "
                                     "scan-lines-barrier-dropped "
                                     "share-tiles-barrier-dropped "
                                     "tile-broadcast-barrier-dropped "
                                     "token-barrier-after-reads-dropped "
                                     "token-barrier-after-writes-dropped "
                                     "token-loop-edge-dropped "
                                     "view-load-token-dropped "
                                     "view-store-token-dropped "},
    {"drop a predicate", "atomic-ignores-mask "
                         "atomic-view-by-every-holder "
                         "atomic-view-ignores-bounds "
                         "ceil-division-bumps-exact "
                         "cmpf-ordered-as-unordered "
                         "cmpi-bool-ge-negation-dropped "
                         "cmpi-bool-lt-negation-dropped "
                         "f16-double-rounding-of-f64 "
                         "f8-infinity-as-number "
                         "f8-overflow-not-clamped "
                         "f8-sign-dropped "
                         "f8-subnormals-not-rounded "
                         "fold-load-mask-false-as-true "
                         "groups-always-whole "
                         "itof-folds-small-numbers "
                         "itof-negative-sign-dropped "
                         "minmax-number-as-nan "
                         "parallel-copy-sequential "
                         "scalar-atomic-by-every-thread "
                         "scalar-load-ignores-mask "
                         "scalar-store-ignores-mask "
                         "store-ignores-mask-tail "
                         "vector-ignores-start "
                         "vector-ignores-strides "},
    {"off-by-one bound", "cat-boundary-off-by-one "
                         "cat-split-not-subtracted "
                         "cmpf-ge-as-gt "
                         "cmpf-gt-as-ge "
                         "cmpf-le-as-lt "
                         "cmpf-lt-as-le "
                         "cmpi-ge-as-gt "
                         "cmpi-gt-as-ge "
                         "cmpi-le-as-lt "
                         "cmpi-lt-as-le "
                         "dot-k-short "
                         "fold-dot-drops-last-product "
                         "insert-starts-at-one "
                         "mma-drops-k-step "
                         "reduce-forgets-last-warp "
                         "reduce-second-warp-skipped "
                         "reduce-shuffles-neighbour "
                         "reduce-skips-first-step "
                         "scan-stops-early "
                         "vector-bound-short "
                         "view-bound-off-by-one "},
    {"stale mask", "group-mask-of-first "
                   "load-mask-of-first-register "
                   "store-mask-lost "
                   "store-mask-of-first-register "},
    {"swap operands", "cas-operands-swapped "
                      "cat-operands-swapped "
                      "divf-operands-swapped "
                      "fma-addend-swapped "
                      "fold-splat-select-arms-swapped "
                      "grid-axes-swapped "
                      "insert-arms-swapped "
                      "mma-fragment-rows-of-operand "
                      "mma-fragment-rows-swapped "
                      "mmai-signedness-swapped "
                      "nibbles-packed-swapped "
                      "nvvm-fma-addend-swapped "
                      "nvvm-minnum-as-maxnum "
                      "padding-infinities-swapped "
                      "select-operands-swapped "
                      "subf-operands-swapped "
                      "subi-operands-swapped "
                      "vector-elements-swapped "},
    {"wrong rounding", "addf-toward-zero "
                       "divi-ceil-as-trunc "
                       "divi-floor-as-trunc "
                       "divi-unsigned-ceil-as-floor "
                       "f8-ties-away "
                       "floor-division-wrong-side "
                       "fma-rounding-dropped "
                       "ftof-rounding-dropped "
                       "half-directed-narrowed-to-nearest "
                       "mulf-rounding-dropped "
                       "rounding-down-as-up "
                       "rounding-dropped "
                       "rounding-up-as-zero "
                       "rounding-zero-as-nearest "
                       "scale-rounds-down "
                       "sqrt-rounding-dropped "
                       "tf32-truncates "},
    {"wrong signedness", "atomic-max-as-umax "
                         "atomic-min-as-umin "
                         "atomic-umax-as-max "
                         "atomic-umin-as-min "
                         "cmpi-signed-as-unsigned "
                         "cmpi-unsigned-as-signed "
                         "divi-signed-as-unsigned "
                         "dot-signed-bytes-as-unsigned "
                         "dot-unsigned-bytes "
                         "exti-signed-as-unsigned "
                         "exti-unsigned-as-signed "
                         "fold-addptr-unsigned "
                         "fold-atomic-min-identity "
                         "fold-carried-step-unsigned "
                         "for-unsigned-as-signed "
                         "ftoi-signed-as-unsigned "
                         "half-byte-extension-logical "
                         "itof-signed-as-unsigned "
                         "itof-unsigned-as-signed "
                         "maxi-signed-as-unsigned "
                         "maxi-unsigned-as-signed "
                         "mulhi-as-signed "
                         "offset-unsigned "
                         "padding-negative-zero-as-zero "
                         "power-exponent-unsigned "
                         "remi-unsigned-as-signed "
                         "shri-signed-as-logical "
                         "shri-unsigned-as-arithmetic "},
};

ArrayRef<MechanicalRule> mechanicalRules() {
  return kRules;
}

#else

ArrayRef<MechanicalRule> mechanicalRules() {
  return {};
}

#endif

SmallVector<StringRef> MechanicalRule::plants() const {
  SmallVector<StringRef> result;
  ids.split(result, ' ', -1, /*KeepEmpty=*/false);
  return result;
}

StringRef mechanicalRule(StringRef id) {
  for (const MechanicalRule &rule : mechanicalRules())
    if (is_contained(rule.plants(), id))
      return rule.name;
  return "";
}

} // namespace tilesmith
