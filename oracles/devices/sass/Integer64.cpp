//===- Integer64.cpp - integers of 64 bits as single instructions (sm_120) --------------------===//
#include "oracles/devices/sass/Execute.h"
#include "oracles/devices/sass/Machine.h"

#include <algorithm>

namespace tilesmith::sass {

#define OPERATION(name) void name(Warp &w, const Instruction &i)

// Pairs of registers of a lane; immediates are sign-extended.

OPERATION(executeIadd64) {
  const Lanes64 a = w.getWide(i.ops[1]), b = w.getWide(i.ops[2]);
  Lanes64 out;
  for (unsigned l = 0; l < kLanes; ++l)
    out.v[l] =
        (i.ops[1].negative ? 0 - a.v[l] : a.v[l]) + (i.ops[2].negative ? 0 - b.v[l] : b.v[l]);
  w.put64(i.ops[0], out);
}

// The smaller one where the first predicate is true. What the second predicate and the two results
// are for is not known: they are what leaves no trace.
OPERATION(executeImnmx64) {
  if (w.getMask(i.ops[6]) != 0 || i.ops[0].index != kPT || i.ops[1].index != kPT)
    return w.fault(Report::Unsupported, "unsupported: IMNMX of 64 bits with more predicates");
  const Lanes64 a = w.getWide(i.ops[3]), b = w.getWide(i.ops[4]);
  const uint32_t minimum = w.getMask(i.ops[5]);
  Lanes64 out;
  for (unsigned l = 0; l < kLanes; ++l) {
    const bool less =
        i.mods[0] ? static_cast<int64_t>(a.v[l]) < static_cast<int64_t>(b.v[l]) : a.v[l] < b.v[l];
    out.v[l] = less == static_cast<bool>(minimum >> l & 1) ? a.v[l] : b.v[l];
  }
  w.put64(i.ops[2], out);
}

OPERATION(executeSel64) {
  const bool immediate = i.ops[2].kind == Operand::Immediate;
  const Lanes64 a = w.get64(i.ops[1]), b = immediate ? Lanes64{} : w.get64(i.ops[2]);
  const uint32_t first = w.getMask(i.ops[3]);
  Lanes64 out;
  for (unsigned l = 0; l < kLanes; ++l)
    out.v[l] = first >> l & 1 ? a.v[l] : immediate ? static_cast<uint64_t>(i.ops[2].value) : b.v[l];
  w.put64(i.ops[0], out);
}
OPERATION(executeMov64) {
  w.put64(i.ops[0], w.get64(i.ops[1]));
}
OPERATION(executeMov64Immediate) {
  Lanes64 out;
  std::fill(out.v, out.v + kLanes, static_cast<uint64_t>(i.ops[1].value));
  w.put64(i.ops[0], out);
}

#undef OPERATION

} // namespace tilesmith::sass
