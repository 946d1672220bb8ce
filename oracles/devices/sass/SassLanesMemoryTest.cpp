//===- SassLanesMemoryTest.cpp - loads, stores, atomics ------------------------------------===//
//
// Of every width, space, order and operation, in global, shared and local memory and in parameters.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/sass/SassLanes.h"

using namespace tilesmith;
using namespace tilesmith::sass;
using namespace tilesmith::sass::lanes;

namespace {

/// The value of a load of these bits, as PTX extends it.
W extended(W v, const std::string &type) {
  const unsigned bits = static_cast<unsigned>(std::stoul(type.substr(1)));
  v = bits == 64 ? v : v & ((W{1} << bits) - 1);
  if (type[0] == 's' && v >> (bits - 1) & 1)
    v |= ~W{0} << (bits - 1);
  return bits == 64 ? v : U(v);
}

struct AtomicKind {
  const char *name, *type;
};

} // namespace

void lanes::addLoads(Operations &out) {
  for (const char *space : {".global", "", ".shared", ".local"})
    for (const std::string type : {"u8", "s8", "u16", "s16", "b32", "b64"})
      for (unsigned place = 0; place < 2; ++place) {
        const bool isShared = space[1] == 's', isLocal = space[1] == 'l', isWide = type == "b64";
        // Both inputs are there; a lane reads what its neighbour wrote into shared memory.
        const std::string front = isShared ? "barrier.sync 0; st.shared.v2.b64 [%my], {%a, %b}; "
                                             "barrier.sync 0; xor.b64 %q2, %my, 16; "
                                  : isLocal
                                      ? "and.b32 %o, %k, 8; cvt.u64.u32 %q2, %o; add.u64 %q2, %lo, "
                                        "%q2; st.local.b64 [%q2], %a; st.local.b64 [%q2+8], %b; "
                                      : "mov.b64 %q2, %mem; ";
        out.push_back({front + "ld" + space + "." + type + (isWide ? " %d, " : " %w, ") + "[%q2+" +
                           std::to_string(8 * place + (isWide           ? 0
                                                       : type == "b32"  ? 4
                                                       : type[1] == '1' ? 2
                                                                        : 3)) +
                           "];",
                       [=](const WarpInputs &in) {
                         const unsigned lane = isShared ? in.lane ^ 1 : in.lane;
                         const W v = place ? in.b[lane] : in.a[lane];
                         return extended(isWide ? v
                                                : v >> (type == "b32"    ? 32
                                                        : type[1] == '1' ? 16
                                                                         : 24),
                                         type);
                       }});
      }
  for (const char *how : {".nc", ".volatile", ".relaxed.gpu", ".relaxed.sys", ".acquire.gpu", ".ca",
                          ".cg", ".cs", ".lu", ".L1::no_allocate", ".L1::evict_first",
                          ".L1::evict_last", ".nc.L2::128B", ".L2::256B"}) {
    const bool hasOwn = std::string(how) == ".volatile" || how[1] == 'r' || how[1] == 'a';
    out.push_back(
        {"ld" + std::string(hasOwn ? how : "") + ".global" + (hasOwn ? "" : how) +
             ".v2.b32 {%w, %o}, [%mem+4]; add.u32 %w, %w, %o;",
         [](const WarpInputs &in) { return W{U(in.a[in.lane] >> 32) + U(in.b[in.lane])}; }});
    out.back().body.replace(out.back().body.find("%mem+4"), 6, "%mem+8");
    out.back().expected = [](const WarpInputs &in) {
      return W{U(in.b[in.lane] >> 32) + U(in.b[in.lane])};
    };
  }
  for (const char *space : {".global", "", ".shared"}) {
    out.push_back({"barrier.sync 0; st.shared.v4.b32 [%my], {%x, %y, %z, %x}; barrier.sync 0; "
                   "st.global.v4.b32 [%buf], {%x, %y, %z, %x}; ld" +
                       std::string(space) + ".v4.b32 {%w, %o, %o2, %o3}, [" +
                       (space[1] == 's' ? "%my" : "%buf") +
                       "]; xor.b32 %w, %w, %o; add.u32 %w, %w, %o2; xor.b32 %w, %w, %o3;",
                   [](const WarpInputs &in) {
                     const U x = U(in.a[in.lane]), y = U(in.b[in.lane]), z = U(in.c[in.lane]);
                     return W{((x ^ y) + z) ^ x};
                   }});
    for (const char *bits : {"8", "16", "32"})
      out.push_back({"barrier.sync 0; st.shared.b64 [%my], %a; st.global.b64 [%buf], %a; st" +
                         std::string(space) + ".b" + bits + " [" +
                         (space[1] == 's' ? "%my" : "%buf") + "+4], %y; ld" + space + ".b64 %d, [" +
                         (space[1] == 's' ? "%my" : "%buf") + "];",
                     [=](const WarpInputs &in) {
                       const W mask = ((W{1} << std::stoul(bits)) - 1) << 32;
                       return (in.a[in.lane] & ~mask) | (in.b[in.lane] << 32 & mask);
                     }});
  }
  for (const std::string type : {"u8", "s8", "u16", "s16", "b32", "b64"}) {
    const bool isWide = type == "b64";
    out.push_back({"and.b32 %o, %x, 7; shl.b32 %o, %o, 3; cvt.u64.u32 %q2, %o; mov.b64 %q3, table; "
                   "add.u64 %q2, %q2, %q3; ld.param." +
                       type + (isWide ? " %d, [%q2];" : " %w, [%q2];"),
                   [=](const WarpInputs &in) {
                     return extended(0x8182838485868788 + 0x0807060504030201 * (in.a[in.lane] & 7),
                                     type);
                   }});
  }
}

void lanes::addAtomics(Operations &out) {
  static constexpr AtomicKind kKinds[] = {
      {"add", "u32"}, {"add", "u64"}, {"min", "u32"}, {"min", "s32"},  {"max", "u32"},
      {"max", "s32"}, {"min", "u64"}, {"min", "s64"}, {"max", "u64"},  {"max", "s64"},
      {"inc", "u32"}, {"dec", "u32"}, {"and", "b32"}, {"or", "b32"},   {"xor", "b32"},
      {"and", "b64"}, {"or", "b64"},  {"xor", "b64"}, {"exch", "b32"}, {"exch", "b64"},
      {"cas", "b32"}, {"cas", "b64"}, {"add", "f32"}};
  for (const char *space : {".global", ".shared"})
    for (const AtomicKind &kind : kKinds)
      for (const char *form : {"atom", "red", "unused"}) {
        const std::string name = kind.name, type = kind.type;
        if (*form == 'r' && (name == "exch" || name == "cas"))
          continue;
        const bool isWide = type[1] == '6', isShared = space[1] == 's';
        const std::string at = isShared ? "[%my]" : "[%buf]", old = isWide ? "%d2" : "%o";
        // Half of the comparisons hold: c is what is there where its lowest bit is set.
        const std::string compare = name == "cas"
                                        ? "and.b32 %o2, %z, 1; setp.eq.u32 %p, %o2, 1; selp.b64 "
                                          "%q2, %a, %c, %p; cvt.u32.u64 %o3, %q2; "
                                        : "";
        const std::string sources = (name == "cas" ? (isWide ? ", %q2" : ", %o3") : std::string()) +
                                    (isWide ? ", %b;" : ", %y;");
        std::string body = "barrier.sync 0; " + compare +
                           "st.shared.b64 [%my], %a; st.global.b64 [%buf], %a; " +
                           (*form == 'r' ? "red" : "atom") + space + "." + name + "." + type + " " +
                           (*form == 'r' ? "" : (*form == 'u' ? "_" : old) + ", ") + at + sources +
                           " ld" + space + ".b64 %d, " + at + ";";
        if (*form == 'a')
          body += isWide ? " mul.lo.u64 %d2, %d2, 3; xor.b64 %d, %d, %d2;"
                         : " cvt.u64.u32 %d2, %o; mul.lo.u64 %d2, %d2, 3; xor.b64 %d, %d, %d2;";
        out.push_back({body, [=](const WarpInputs &in) {
                         const W a = in.a[in.lane], b = in.b[in.lane],
                                 c = in.c[in.lane] & 1 ? a : in.c[in.lane];
                         const W x = isWide ? a : U(a), y = isWide ? b : U(b);
                         const bool less = type == "s32"   ? int32_t(y) < int32_t(x)
                                           : type == "s64" ? int64_t(y) < int64_t(x)
                                                           : y < x;
                         W r = name == "add"              ? x + y
                               : name == "min"            ? (less ? y : x)
                               : name == "max"            ? (less ? x : y)
                               : name == "inc"            ? (x >= y ? 0 : x + 1)
                               : name == "dec"            ? (x == 0 || x > y ? y : x - 1)
                               : name == "and"            ? x & y
                               : name == "or"             ? x | y
                               : name == "xor"            ? x ^ y
                               : name == "exch"           ? y
                               : (isWide ? c : U(c)) == x ? y
                                                          : x;
                         if (type == "f32") {
                           // In global memory subnormal numbers are zeros, in shared memory they are not.
                           auto source = [&](W v) {
                             return isShared ? asFloat(v) : emulator::flush(asFloat(v));
                           };
                           const float sum = source(x) + source(y);
                           r = fromFloat(isShared ? sum : emulator::flush(sum));
                         }
                         r = isWide ? r : (a & ~W{0xffffffff}) | U(r);
                         return *form == 'a' ? r ^ 3 * x : r;
                       }});
      }
}
