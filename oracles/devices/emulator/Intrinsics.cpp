// Implements the intrinsic table (see Intrinsics.h).
#include "oracles/devices/emulator/Intrinsics.h"

#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace tilesmith::emulator {

const IntrinsicTable &IntrinsicTable::get() {
  static const IntrinsicTable *table = [] {
    auto *result = new IntrinsicTable;
    registerSpecialRegisters(*result);
    registerCollectives(*result);
    registerArithmetic(*result);
    registerIntegers(*result);
    registerConversions(*result);
    registerMatrix(*result);
    registerAsync(*result);
    registerTma(*result);
    registerWgmma(*result);
    registerTcgen05(*result);
    registerSystem(*result);
    registerInlineAsm(*result);
    return result;
  }();
  return *table;
}

const tilesmith::emulator::Intrinsic *IntrinsicTable::find(StringRef name) const {
  if (auto it = table.find(name); it != table.end())
    return &it->second;
  // "llvm.nvvm.fabs.f32" -> "llvm.nvvm.fabs": only what LLVM itself calls an overload suffix is
  // dropped.
  if (const llvm::Intrinsic::ID id = llvm::Intrinsic::lookupIntrinsicID(name))
    if (auto it = table.find(llvm::Intrinsic::getBaseName(id)); it != table.end())
      return &it->second;
  return nullptr;
}

const tilesmith::emulator::Intrinsic *IntrinsicTable::findAssembly(StringRef text) const {
  auto it = assembly.find(normaliseAssembly(text));
  return it == assembly.end() ? nullptr : find(it->second);
}

void IntrinsicTable::addAssembly(StringRef text, const std::string &name) {
  assembly[normaliseAssembly(text)] = name;
}

tilesmith::emulator::Intrinsic &IntrinsicTable::add(const Twine &name, Intrinsic::Kind kind) {
  std::string key = name.str();
  Intrinsic &entry = table[key];
  assert(entry.name.empty() && "registered twice");
  entry.name = key;
  entry.kind = kind;
  return entry;
}

void IntrinsicTable::expand(const Twine &name, ExpandFn fn) {
  add(name, Intrinsic::Expand).expand = std::move(fn);
}

tilesmith::emulator::Intrinsic &IntrinsicTable::frame(const Twine &name, FrameFn fn) {
  Intrinsic &entry = add(name, Intrinsic::FrameCall);
  entry.function = reinterpret_cast<void *>(fn);
  return entry;
}

tilesmith::emulator::Intrinsic &IntrinsicTable::warp(const Twine &name, WarpFn fn,
                                                     Intrinsic::Lanes lanes, unsigned maskSlot) {
  Intrinsic &entry = add(name, Intrinsic::Warp);
  entry.function = reinterpret_cast<void *>(&rtWarpCollective);
  entry.compute = fn;
  entry.suspends = true;
  entry.lanes = lanes;
  entry.maskSlot = maskSlot;
  return entry;
}

} // namespace tilesmith::emulator
