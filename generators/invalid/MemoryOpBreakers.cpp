//===- MemoryOpBreakers.cpp - loads, stores and atomics of the kernel, broken in place --------===//
//
// One row per rule (InPlace.h explains the columns).
//
//===------------------------------------------------------------------------------------------===//
#include "generators/invalid/InPlace.h"

using namespace tilesmith;
using namespace tilesmith::generators;
using namespace tilesmith::cuda_tile;
using llvm::StringRef;

using enum MemoryOrderingSemantics;

static void order(BrokenOp &site, MemoryOrderingSemantics value) {
  site.set("memory_ordering_semantics", MemoryOrderingSemanticsAttr::get(site.context(), value));
}

static void scope(BrokenOp &site, std::optional<MemoryScope> value) {
  if (value)
    site.set("memory_scope", MemoryScopeAttr::get(site.context(), *value));
  else
    site.op->removeAttr("memory_scope");
}

/// An order that this access does not have; `legal` names the one besides weak and relaxed.
static Said wrongOrder(BrokenOp &site, llvm::ArrayRef<MemoryOrderingSemantics> wrong,
                       StringRef legal) {
  MemoryOrderingSemantics chosen = site.stream.pick(wrong);
  order(site, chosen);
  scope(site, MemoryScope::DEVICE);
  return ("expect one of: weak, relaxed, or " + legal +
          ", but got: " + stringifyMemoryOrderingSemantics(chosen))
      .str();
}

static Said weakWithScope(BrokenOp &site, StringRef access) {
  order(site, WEAK);
  scope(site, site.stream.chance(50) ? MemoryScope::SYS : MemoryScope::TL_BLK);
  return ("weak " + access + " must not have memory scope").str();
}

static Said withoutScope(BrokenOp &site, MemoryOrderingSemantics synchronizing, StringRef access) {
  MemoryOrderingSemantics chosen = site.stream.chance(50) ? RELAXED : synchronizing;
  order(site, chosen);
  scope(site, std::nullopt);
  return ("memory scope is required for " + stringifyMemoryOrderingSemantics(chosen) + " " + access)
      .str();
}

static TileType pointersTo(BrokenOp &site, Shape shape, mlir::Type pointee,
                           std::optional<PtrAttrKind> kind = std::nullopt) {
  PtrAttrKindAttr attribute =
      kind ? PtrAttrKindAttr::get(site.context(), *kind) : PtrAttrKindAttr();
  return tile(shape, PointerType::get(site.context(), pointee, attribute));
}

static mlir::Type pointee(const BrokenOp &site) {
  return llvm::cast<PointerType>(site.elementIn(0)).getPointeeType();
}

static Said multicast(BrokenOp &site, StringRef said) {
  site.operand(0, pointersTo(site, site.shapeIn(0), pointee(site), PtrAttrKind::Multicast));
  return said.str();
}

static Said otherPointee(BrokenOp &site, StringRef said) {
  mlir::Type element = elementBut(site, pointee(site), {"f32", "i32", "f16", "i64"});
  site.operand(0, pointersTo(site, site.shapeIn(0), element));
  return said.str();
}

/// Where the mask of the access is; there may be none.
static std::optional<unsigned> maskOf(BrokenOp &site) {
  auto segments = site.op->getAttrOfType<mlir::DenseI32ArrayAttr>("operandSegmentSizes");
  bool isStore = site.is("store_ptr_tko"), isLoad = site.is("load_ptr_tko");
  unsigned at = isLoad ? 1 : isStore ? 2 : site.is("atomic_rmw_tko") ? 2 : 3;
  if (!segments || segments[at] == 0)
    return std::nullopt;
  return at; // everything in front of it is one operand
}

static Said maskShape(BrokenOp &site, StringRef said) {
  std::optional<unsigned> at = maskOf(site);
  if (!at)
    return std::nullopt;
  Shape shape = site.shapeIn(*at);
  if (shape.empty())
    shape.push_back(4);
  else
    shape[0] *= 2;
  site.operand(*at, tile(shape, site.builder.getI1Type()));
  return said.str();
}

static void mode(BrokenOp &site, AtomicRMWMode value) {
  site.set("mode", AtomicRMWModeAttr::get(site.context(), value));
}

/// Pointers, operands and result of an atomic update are of this element.
static void retype(BrokenOp &site, mlir::Type element) {
  Shape shape = site.shapeIn(0);
  site.operand(0, pointersTo(site, shape, element));
  site.operand(1, tile(shape, element));
  if (site.is("atomic_cas_tko"))
    site.operand(2, tile(shape, element));
  site.result(0, tile(shape, element));
}

static Said pointeeOfAtomic(BrokenOp &site, StringRef operand) {
  mlir::Type have = site.elementIn(1);
  mlir::Type element = elementBut(site, have, {"f32", "i32", "i64"});
  site.operand(0, pointersTo(site, site.shapeIn(0), element));
  return "expected pointee type (" + quoted(element) + ") to match element type of '" +
         operand.str() + "' (" + quoted(have) + ")";
}

// clang-format off
static constexpr OpBreaker kBreakers[] = {
    {"join_tokens", "join_tokens", "token-order", [](BrokenOp &s) -> Said {
       s.op->eraseOperands(1, s.op->getNumOperands() - 1);
       return "expect two or more tokens";
     }},
    {"load_order", "load_ptr_tko", "gather", [](BrokenOp &s) { return wrongOrder(s, {RELEASE, ACQ_REL}, "acquire"); }},
    {"load_weak_scope", "load_ptr_tko", "gather", [](BrokenOp &s) { return weakWithScope(s, "load"); }},
    {"load_scope", "load_ptr_tko", "gather", [](BrokenOp &s) { return withoutScope(s, ACQUIRE, "load"); }},
    {"load_view_scope", "load_view_tko", "load", [](BrokenOp &s) { return withoutScope(s, ACQUIRE, "load"); }},
    {"store_order", "store_ptr_tko", "token-order", [](BrokenOp &s) { return wrongOrder(s, {ACQUIRE, ACQ_REL}, "release"); }},
    {"store_view_order", "store_view_tko", "load", [](BrokenOp &s) { return wrongOrder(s, {ACQUIRE, ACQ_REL}, "release"); }},
    {"store_weak_scope", "store_ptr_tko", "token-order", [](BrokenOp &s) { return weakWithScope(s, "store"); }},
    {"store_scope", "store_ptr_tko", "token-order", [](BrokenOp &s) { return withoutScope(s, RELEASE, "store"); }},
    {"load_pointee", "load_ptr_tko", "gather", [](BrokenOp &s) {
       return otherPointee(s, "`source` type is expected a pointer type of `result` type");
     }},
    {"store_pointee", "store_ptr_tko", "token-order", [](BrokenOp &s) {
       return otherPointee(s, "`destination` type is expected a pointer type of `value` type");
     }},
    {"load_mask", "load_ptr_tko", "gather", [](BrokenOp &s) { return maskShape(s, "shape of 'mask' must match the shape of 'source'"); }},
    {"store_mask", "store_ptr_tko", "token-order", [](BrokenOp &s) { return maskShape(s, "shape of 'destination' must match the shape of 'mask'"); }},
    {"rmw_mask", "atomic_rmw_tko", "histogram", [](BrokenOp &s) {
       return maskShape(s, "failed to verify that all of {pointers, arg, mask} have same shape");
     }},
    {"cas_mask", "atomic_cas_tko", "owned-atomic", [](BrokenOp &s) {
       return maskShape(s, "failed to verify that all of {pointers, val, cmp and mask} have same shape");
     }},
    {"load_padding", "load_ptr_tko", "gather", [](BrokenOp &s) -> Said {
       auto segments = s.op->getAttrOfType<mlir::DenseI32ArrayAttr>("operandSegmentSizes");
       if (!segments || segments[2] == 0)
         return std::nullopt;
       auto at = static_cast<unsigned>(1 + segments[1]);
       s.operand(at, tile(s.shapeIn(at), elementBut(s, s.elementIn(at), {"f32", "i32", "f16"})));
       return "type of 'paddingValue' must match the type of 'result'";
     }},
    {"multicast_load", "load_ptr_tko", "gather", [](BrokenOp &s) { return multicast(s, "multicast pointer is not allowed"); }},
    {"multicast_store", "store_ptr_tko", "token-order", [](BrokenOp &s) { return multicast(s, "multicast pointer is not allowed"); }},
    {"multicast_rmw", "atomic_rmw_tko", "histogram", [](BrokenOp &s) { return multicast(s, "multicast pointer is not supported for atomic_rmw"); }},
    {"multicast_cas", "atomic_cas_tko", "spin", [](BrokenOp &s) { return multicast(s, "multicast pointer is not supported for atomic_cas"); }},
    {"rmw_pointee", "atomic_rmw_tko", "histogram", [](BrokenOp &s) { return pointeeOfAtomic(s, "arg"); }},
    {"cas_pointee", "atomic_cas_tko", "spin", [](BrokenOp &s) { return pointeeOfAtomic(s, "val"); }},
    {"rmw_integer", "atomic_rmw_tko", "histogram", [](BrokenOp &s) -> Said {
       static constexpr AtomicRMWMode kModes[] = {AtomicRMWMode::ADD, AtomicRMWMode::AND, AtomicRMWMode::MAX, AtomicRMWMode::UMIN};
       AtomicRMWMode chosen = s.stream.pick(llvm::ArrayRef(kModes));
       retype(s, typeOf(s.context(), s.stream.chance(50) ? "f32" : "i16"));
       mode(s, chosen);
       return ("'" + stringifyAtomicRMWMode(chosen) + "' works only with integers i32 and i64").str();
     }},
    {"rmw_float", "atomic_rmw_tko", "histogram", [](BrokenOp &s) -> Said {
       if (!s.elementIn(1).isInteger())
         retype(s, s.builder.getI32Type());
       mode(s, AtomicRMWMode::ADDF);
       return "'addf' works only with floats f16, bf16, f32, and f64";
     }},
    {"rmw_xchg", "atomic_rmw_tko", "histogram", [](BrokenOp &s) -> Said {
       retype(s, typeOf(s.context(), s.stream.chance(50) ? "i8" : "f16"));
       mode(s, AtomicRMWMode::XCHG);
       return "'xchg' works only with integers or float of 32 or 64 bitwidth";
     }},
    {"rmw_order", "atomic_rmw_tko|atomic_cas_tko", "histogram", [](BrokenOp &s) -> Said {
       order(s, WEAK);
       return "memory ordering semantics must be one of: relaxed, acquire, release, acq_rel";
     }},
    {"cas_width", "atomic_cas_tko", "spin", [](BrokenOp &s) -> Said {
       retype(s, typeOf(s.context(), s.stream.chance(50) ? "i8" : "f16"));
       return "expect only float or integer types with 32 or 64 bit";
     }},
};
// clang-format on

llvm::ArrayRef<OpBreaker> tilesmith::generators::memoryOpBreakers() {
  return kBreakers;
}
