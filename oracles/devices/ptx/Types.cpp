//===- Types.cpp - types, state spaces, targets and special registers of PTX ------------------===//
#include "oracles/devices/ptx/Types.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace tilesmith::ptx;
using llvm::StringRef;

static constexpr Type kTypes[] = {
    {"pred", TypeKind::Predicate, 1, true},
    {"b8", TypeKind::Bits, 8, true},
    {"b16", TypeKind::Bits, 16, true},
    {"b32", TypeKind::Bits, 32, true},
    {"b64", TypeKind::Bits, 64, true},
    {"b128", TypeKind::Bits, 128, true},
    {"u8", TypeKind::Unsigned, 8, true},
    {"u16", TypeKind::Unsigned, 16, true},
    {"u32", TypeKind::Unsigned, 32, true},
    {"u64", TypeKind::Unsigned, 64, true},
    {"s8", TypeKind::Signed, 8, true},
    {"s16", TypeKind::Signed, 16, true},
    {"s32", TypeKind::Signed, 32, true},
    {"s64", TypeKind::Signed, 64, true},
    {"f16", TypeKind::Float, 16, true},
    {"f32", TypeKind::Float, 32, true},
    {"f64", TypeKind::Float, 64, true},
    {"f16x2", TypeKind::Float, 32, true},
    // Packed and alternate formats live in registers of bits.
    {"bf16", TypeKind::Bits, 16, false},
    {"bf16x2", TypeKind::Bits, 32, false},
    {"tf32", TypeKind::Bits, 32, false},
    {"f32x2", TypeKind::Bits, 64, false},
    {"u16x2", TypeKind::Bits, 32, false},
    {"s16x2", TypeKind::Bits, 32, false},
    {"e4m3x2", TypeKind::Bits, 16, false},
    {"e5m2x2", TypeKind::Bits, 16, false},
    {"e2m3x2", TypeKind::Bits, 16, false},
    {"e3m2x2", TypeKind::Bits, 16, false},
    {"ue8m0x2", TypeKind::Bits, 16, false},
    {"e2m1x2", TypeKind::Bits, 8, false},
};

const Type *tilesmith::ptx::lookupType(StringRef name) {
  const Type *found = llvm::find_if(kTypes, [&](const Type &type) { return type.name == name; });
  return found == std::end(kTypes) ? nullptr : found;
}

const Type *tilesmith::ptx::lookupType(TypeKind kind, unsigned bits) {
  const Type *found = llvm::find_if(
      kTypes, [&](const Type &type) { return type.kind == kind && type.bits == bits; });
  return found == std::end(kTypes) ? nullptr : found;
}

bool tilesmith::ptx::registerFits(const Type &reg, const Type &type, bool relaxed) {
  if (reg.kind == TypeKind::Predicate || type.kind == TypeKind::Predicate)
    return reg.kind == type.kind;
  if (reg.bits != type.bits)
    // A wider register takes a narrower integer; never across the float types.
    return relaxed && reg.bits > type.bits && type.kind != TypeKind::Float &&
           reg.kind != TypeKind::Float;
  switch (type.kind) {
  case TypeKind::Bits:
    return true;
  case TypeKind::Unsigned:
  case TypeKind::Signed:
    return reg.kind != TypeKind::Float;
  default:
    return reg.kind == TypeKind::Bits || reg.name == type.name;
  }
}

//===------------------------------------------------------------------------------------------===//
// Targets
//===------------------------------------------------------------------------------------------===//

std::string Target::str() const {
  return "sm_" + std::to_string(sm) + (variant ? std::string(1, variant) : std::string()) +
         " with PTX " + std::to_string(version / 10) + "." + std::to_string(version % 10);
}

namespace {
struct KnownTarget {
  unsigned sm;
  unsigned version;        // the first PTX version with sm_N
  unsigned variantVersion; // with sm_Na; 0: there is none
  unsigned familyVersion;  // with sm_Nf
};
} // namespace

static constexpr KnownTarget kTargets[] = {
    {50, 40, 0, 0},    {52, 41, 0, 0},    {53, 42, 0, 0},    {60, 50, 0, 0},    {61, 50, 0, 0},
    {62, 50, 0, 0},    {70, 60, 0, 0},    {72, 61, 0, 0},    {75, 63, 0, 0},    {80, 70, 0, 0},
    {86, 71, 0, 0},    {87, 74, 0, 0},    {88, 90, 0, 0},    {89, 78, 0, 0},    {90, 78, 80, 0},
    {100, 86, 86, 88}, {101, 86, 86, 88}, {103, 88, 88, 88}, {110, 90, 90, 90}, {120, 87, 87, 88},
    {121, 88, 88, 88},
};

bool tilesmith::ptx::parseTarget(StringRef name, Target &target) {
  if (!name.consume_front("sm_"))
    return false;
  target.variant = 0;
  if (name.ends_with("a") || name.ends_with("f")) {
    target.variant = name.back();
    name = name.drop_back();
  }
  if (name.getAsInteger(10, target.sm))
    return false;
  for (const KnownTarget &known : kTargets)
    if (known.sm == target.sm) {
      const unsigned needed = target.variant == 'a'   ? known.variantVersion
                              : target.variant == 'f' ? known.familyVersion
                                                      : known.version;
      return needed && target.version >= needed;
    }
  return false;
}

// sm_101 was renamed to sm_110.
static unsigned familyOf(unsigned sm) {
  return sm == 101 || sm == 110 ? 110 : sm / 10 * 10;
}

bool tilesmith::ptx::isAtLeast(const Target &target, unsigned sm, unsigned version) {
  return target.sm >= sm && target.version >= version;
}

bool tilesmith::ptx::targetHas(const Target &target, StringRef text) {
  llvm::SmallVector<StringRef> choices;
  text.split(choices, '/');
  for (StringRef choice : choices) {
    const char variant = choice.empty() || llvm::isDigit(choice.back()) ? 0 : choice.back();
    unsigned sm = 0;
    if (choice.take_while(llvm::isDigit).getAsInteger(10, sm))
      continue;
    if (!variant && target.sm >= sm)
      return true;
    if (variant == 'a' && target.variant == 'a' && target.sm == sm)
      return true;
    if (variant == 'f' && target.variant && target.sm >= sm && familyOf(target.sm) == familyOf(sm))
      return true;
  }
  return false;
}

//===------------------------------------------------------------------------------------------===//
// Special registers and state spaces
//===------------------------------------------------------------------------------------------===//

static constexpr SpecialRegister kSpecialRegisters[] = {
    {"%tid", "u32", true, 0, 10},
    {"%ntid", "u32", true, 0, 10},
    {"%ctaid", "u32", true, 0, 10},
    {"%nctaid", "u32", true, 0, 10},
    {"%laneid", "u32", false, 0, 13},
    {"%warpid", "u32", false, 0, 13},
    {"%nwarpid", "u32", false, 20, 20},
    {"%smid", "u32", false, 0, 13},
    {"%nsmid", "u32", false, 20, 20},
    {"%gridid", "u64", false, 0, 30},
    {"%clusterid", "u32", true, 90, 78},
    {"%nclusterid", "u32", true, 90, 78},
    {"%cluster_ctaid", "u32", true, 90, 78},
    {"%cluster_nctaid", "u32", true, 90, 78},
    {"%cluster_ctarank", "u32", false, 90, 78},
    {"%cluster_nctarank", "u32", false, 90, 78},
    {"%is_explicit_cluster", "pred", false, 90, 78},
    {"%lanemask_eq", "u32", false, 20, 20},
    {"%lanemask_le", "u32", false, 20, 20},
    {"%lanemask_lt", "u32", false, 20, 20},
    {"%lanemask_ge", "u32", false, 20, 20},
    {"%lanemask_gt", "u32", false, 20, 20},
    {"%clock", "u32", false, 0, 10},
    {"%clock_hi", "u32", false, 20, 50},
    {"%clock64", "u64", false, 20, 20},
    {"%globaltimer", "u64", false, 30, 31},
    {"%globaltimer_lo", "u32", false, 30, 31},
    {"%globaltimer_hi", "u32", false, 30, 31},
    {"%total_smem_size", "u32", false, 20, 41},
    {"%aggr_smem_size", "u32", false, 90, 81},
    {"%dynamic_smem_size", "u32", false, 20, 41},
    {"%current_graph_exec", "u64", false, 50, 80},
};

const SpecialRegister *tilesmith::ptx::lookupSpecialRegister(StringRef name) {
  const SpecialRegister *found = llvm::find_if(
      kSpecialRegisters, [&](const SpecialRegister &special) { return special.name == name; });
  return found == std::end(kSpecialRegisters) ? nullptr : found;
}

bool tilesmith::ptx::isStateSpace(StringRef word) {
  return llvm::is_contained({"global", "shared", "local", "param", "const"}, word);
}
