// Operations without arithmetic: fences, prefetches, traps, exits, printf, assert, address-space
// queries, atomics that LLVM spells as intrinsics.
#include "oracles/devices/emulator/Device.h"
#include "oracles/devices/emulator/Intrinsics.h"

#include <cctype>

#include "llvm/Support/FormatVariadic.h"

namespace tilesmith::emulator {

namespace {

using llvm::Value;

Value *nothing(ExpandContext &c) {
  return c.call.getType()->isVoidTy() ? nullptr : llvm::Constant::getNullValue(c.call.getType());
}

// A C string in device memory, read with the thread's own access rights. A fault while reading
// abandons the stack, so the text goes to a buffer that outlives it.
void readString(std::string &text, uint64_t address, uint32_t site) {
  text.clear();
  if (address < 4096)
    fatal(Report::Fault, "null string", site);
  for (const char *p = reinterpret_cast<const char *>(address); *p && text.size() < 65536; ++p)
    text += *p;
}

// vprintf(format, buffer): the buffer holds the promoted arguments, each at its natural alignment.
void rtVprintf(Frame *frame, uint32_t site) {
  static thread_local std::string format, out, spec, text, wide;
  readString(format, frame->get<uint64_t>(0), site);
  out.clear();
  uint64_t cursor = frame->get<uint64_t>(1);
  auto take = [&](auto sample) {
    cursor = (cursor + sizeof(sample) - 1) / sizeof(sample) * sizeof(sample);
    std::memcpy(&sample, reinterpret_cast<const void *>(cursor), sizeof(sample));
    cursor += sizeof(sample);
    return sample;
  };
  int count = 0;
  char buffer[512];
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      out += format[i];
      continue;
    }
    spec = "%";
    size_t j = i + 1;
    while (j < format.size() && std::strchr("-+ #0123456789.*", format[j])) {
      if (format[j] == '*')
        spec += std::to_string(take(int32_t{}));
      else
        spec += format[j];
      ++j;
    }
    unsigned longs = 0, halves = 0;
    while (j < format.size() && std::strchr("hlLqjzt", format[j])) {
      (format[j] == 'h' ? halves : longs) += 1;
      ++j;
    }
    if (j >= format.size()) {
      out += format.substr(i);
      break;
    }
    const char conversion = format[j];
    i = j;
    ++count;
    int written = 0;
    switch (conversion) {
    case '%':
      out += '%', --count;
      continue;
    case 'd':
    case 'i':
      written = std::snprintf(buffer, sizeof buffer, (spec + "lld").c_str(),
                              longs        ? static_cast<long long>(take(int64_t{}))
                              : halves > 1 ? static_cast<int8_t>(take(int32_t{}))
                              : halves     ? static_cast<int16_t>(take(int32_t{}))
                                           : take(int32_t{}));
      break;
    case 'u':
    case 'o':
    case 'x':
    case 'X':
      written = std::snprintf(buffer, sizeof buffer, (spec + "ll" + conversion).c_str(),
                              longs        ? static_cast<unsigned long long>(take(uint64_t{}))
                              : halves > 1 ? static_cast<uint8_t>(take(uint32_t{}))
                              : halves     ? static_cast<uint16_t>(take(uint32_t{}))
                                           : take(uint32_t{}));
      break;
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      written = std::snprintf(buffer, sizeof buffer, (spec + conversion).c_str(), take(double{}));
      break;
    case 'c':
      written = std::snprintf(buffer, sizeof buffer, (spec + "c").c_str(), take(int32_t{}));
      break;
    case 'p':
      written = std::snprintf(buffer, sizeof buffer, (spec + "p").c_str(),
                              reinterpret_cast<void *>(take(uint64_t{})));
      break;
    case 's': {
      readString(text, take(uint64_t{}), site);
      wide.assign(text.size() + 512, '\0');
      wide.resize(std::snprintf(wide.data(), wide.size(), (spec + "s").c_str(), text.c_str()));
      out += wide;
      continue;
    }
    default:
      out += spec + conversion;
      continue;
    }
    out.append(buffer, std::min<size_t>(written, sizeof buffer - 1));
  }
  devicePrint(out);
  frame->put<int32_t>(0, count);
}

// __assertfail(message, file, line, function, charSize)
void rtAssertFail(Frame *frame, uint32_t site) {
  static thread_local std::string message, file, function;
  readString(message, frame->get<uint64_t>(0), site);
  readString(file, frame->get<uint64_t>(1), site);
  const auto line = frame->get<uint32_t>(2);
  readString(function, frame->get<uint64_t>(3), site);
  fatal(Report::Trapped,
        llvm::formatv("assertion `{0}` failed, {1}:{2}: {3}", message, file, line, function), site);
}

void rtIsShared(Frame *frame, uint32_t) {
  frame->putFlag(0, isSharedAddress(frame->get<uint64_t>(0), 1));
}
void rtIsLocal(Frame *frame, uint32_t) {
  frame->putFlag(0, isLocalAddress(frame->get<uint64_t>(0)));
}
void rtIsGlobal(Frame *frame, uint32_t) {
  const auto address = frame->get<uint64_t>(0);
  frame->putFlag(0, !isSharedAddress(address, 1) && !isLocalAddress(address));
}

// Device library switches: precise division and square root, no flushing.
Value *reflect(ExpandContext &c) {
  std::string key;
  if (auto *global =
          llvm::dyn_cast<llvm::GlobalVariable>(c.call.getArgOperand(0)->stripPointerCasts()))
    if (global->hasInitializer())
      if (auto *data = llvm::dyn_cast<llvm::ConstantDataSequential>(global->getInitializer());
          data && data->isString())
        key = data->getAsString().rtrim('\0').str();
  const int value = key == "__CUDA_ARCH"                                    ? 900
                    : key == "__CUDA_PREC_DIV" || key == "__CUDA_PREC_SQRT" ? 1
                                                                            : 0;
  return llvm::ConstantInt::get(c.call.getType(), value);
}

void rtMapa(Frame *frame, uint32_t site) {
  Device &device = *Device::running();
  const auto address = frame->get<uint64_t>(0);
  const auto rank = frame->get<uint32_t>(1);
  if (rank >= device.clusterSize())
    fatal(Report::Fault,
          llvm::formatv("mapa to block {0} of a cluster of {1}", rank, device.clusterSize()), site);
  Block *holder = device.peerWith(address, 1);
  const uint64_t base = holder ? holder->shared.base() : device.current->regs.sharedBase;
  frame->put(0, device.peer(rank).shared.base() + (address - base));
}
void rtGetRank(Frame *frame, uint32_t) {
  Device &device = *Device::running();
  Block *holder = device.peerWith(frame->get<uint64_t>(0), 1);
  frame->put<uint32_t>(0, holder ? holder->slot % device.clusterSize() : 0);
}
void rtIsSharedCluster(Frame *frame, uint32_t) {
  const auto address = frame->get<uint64_t>(0);
  frame->putFlag(0, isSharedAddress(address, 1) || Device::running()->peerWith(address, 1));
}
// variant: scope
void rtScopedFence(Frame *, uint32_t site) {
  Device &device = *Device::running();
  if (device.races)
    device.races->fence(device.current->id, siteIntrinsic(site).variant[0]);
}

ExpandFn atomic(llvm::AtomicRMWInst::BinOp op) {
  return [op](ExpandContext &c) -> Value * {
    auto *rmw = c.builder.CreateAtomicRMW(op, c.call.getArgOperand(0), c.call.getArgOperand(1),
                                          llvm::MaybeAlign(), llvm::AtomicOrdering::Monotonic);
    return rmw;
  };
}

void registerFences(IntrinsicTable &table) {
  for (const char *name : {"pm.event.mask",
                           "prefetch.L1",
                           "prefetch.L2",
                           "prefetch.global.L1",
                           "prefetch.global.L2",
                           "prefetch.global.L2.evict.last",
                           "prefetch.global.L2.evict.normal",
                           "prefetch.local.L1",
                           "prefetch.local.L2",
                           "prefetchu.L1",
                           "applypriority.L2.evict.normal",
                           "applypriority.global.L2.evict.normal",
                           "griddepcontrol.launch.dependents",
                           "griddepcontrol.wait",
                           "setmaxnreg.dec.sync.aligned.u32",
                           "setmaxnreg.inc.sync.aligned.u32",
                           "cp.async.bulk.prefetch.L2",
                           "prefetch.tensormap",
                           "discard.L2",
                           "discard.global.L2"})
    table.expand("llvm.nvvm." + std::string(name), nothing);
  const std::pair<const char *, int> scoped[] = {
      {"membar.cta", 0},
      {"membar.gl", 2},
      {"membar.sys", 3},
      {"fence.sc.cluster", 1},
      {"fence.mbarrier_init.release.cluster", 1},
      {"fence.acquire.sync_restrict.space.cluster.scope.cluster", 1},
      {"fence.release.sync_restrict.space.cta.scope.cluster", 1}};
  for (auto [name, scope] : scoped)
    table.frame("llvm.nvvm." + std::string(name), rtScopedFence).variant = {scope};
}

void registerAtomics(IntrinsicTable &table) {
  using BinOp = llvm::AtomicRMWInst::BinOp;
  const std::pair<const char *, BinOp> ops[] = {
      {"add.gen.i", BinOp::Add},      {"add.gen.f", BinOp::FAdd},  {"inc.gen.i", BinOp::UIncWrap},
      {"dec.gen.i", BinOp::UDecWrap}, {"exch.gen.i", BinOp::Xchg}, {"xor.gen.i", BinOp::Xor},
      {"max.gen.i", BinOp::Max},      {"min.gen.i", BinOp::Min},   {"or.gen.i", BinOp::Or},
      {"and.gen.i", BinOp::And}};
  for (const char *scope : {"cta", "sys"}) {
    for (auto [name, op] : ops)
      table.expand("llvm.nvvm.atomic." + std::string(name) + "." + scope, atomic(op));
    table.expand(
        "llvm.nvvm.atomic.cas.gen.i." + std::string(scope), [](ExpandContext &c) -> Value * {
          auto *exchange = c.builder.CreateAtomicCmpXchg(
              c.call.getArgOperand(0), c.call.getArgOperand(1), c.call.getArgOperand(2),
              llvm::MaybeAlign(), llvm::AtomicOrdering::Monotonic, llvm::AtomicOrdering::Monotonic);
          return c.builder.CreateExtractValue(exchange, 0);
        });
  }
}

} // namespace

void registerSystem(IntrinsicTable &table) {
  registerFences(table);
  registerAtomics(table);
  table.frame("llvm.trap", rtTrap);
  table.expand("llvm.debugtrap", nothing);
  table.frame("llvm.nvvm.exit", rtExit).suspends = true;
  table.frame("unreachable", rtUnreachable);
  table.frame("unsupported", rtUnsupported);
  table.frame("llvm.nvvm.nanosleep", rtNanosleep).suspends = true;
  table.frame("vprintf", rtVprintf);
  table.frame("__assertfail", rtAssertFail);
  table.expand("__nvvm_reflect", reflect);
  table.expand("llvm.nvvm.reflect", reflect);

  auto first = [](ExpandContext &c) -> Value * { return c.call.getArgOperand(0); };
  for (const char *type : {"i16", "i32", "i64", "float", "double", "ptr"})
    table.expand("llvm.nvvm.move." + std::string(type), first);
  table.expand("llvm.nvvm.internal.addrspace.wrap", [](ExpandContext &c) -> Value * {
    return c.builder.CreateAddrSpaceCast(c.call.getArgOperand(0), c.call.getType());
  });
  for (const char *name : {"mapa", "mapa.shared.cluster"})
    table.frame("llvm.nvvm." + std::string(name), rtMapa);
  for (const char *name : {"getctarank", "getctarank.shared.cluster"})
    table.frame("llvm.nvvm." + std::string(name), rtGetRank);
  auto no = [](ExpandContext &c) -> Value * { return c.builder.getFalse(); };
  table.expand("llvm.nvvm.isspacep.const", no);
  table.frame("llvm.nvvm.isspacep.shared", rtIsShared);
  table.frame("llvm.nvvm.isspacep.shared.cluster", rtIsSharedCluster);
  table.frame("llvm.nvvm.isspacep.local", rtIsLocal);
  table.frame("llvm.nvvm.isspacep.global", rtIsGlobal);
  auto load = [](ExpandContext &c) -> Value * {
    return c.builder.CreateLoad(c.call.getType(), c.call.getArgOperand(0));
  };
  for (const char *type : {"i", "f", "p"})
    table.expand("llvm.nvvm.ldu.global." + std::string(type), load);
}

} // namespace tilesmith::emulator
