//===- SassLanesTest.cpp - what lanes hand to each other, and memory of every width -----------===//
//
// As a sweep (SassSweep.h), of operations that see more than their own lane: shuffles, votes, matches, reductions,
// matrices in shared memory; and of every width and order of loads, stores and atomics in global, shared and local
// memory and in parameters.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/sass/SassSnippets.h"

#include "llvm/Support/FormatVariadic.h"

#include "gmock/gmock.h"

#include <functional>

using namespace tilesmith;
using namespace tilesmith::sass;

namespace {

constexpr unsigned kThreads = 64;
using U = uint32_t;
using W = uint64_t;

/// The inputs of one warp, and which lane of it is asked.
struct WarpInputs {
  W a[32], b[32], c[32];
  W other[32]; ///< what the first warp has in a
  unsigned lane, warp;
};

/// `%x`, `%y`, `%z` are the inputs, `%a` to `%c` their 64 bits; `%w` or `%d` takes the result. `%sh` is 1 KiB of shared memory of
/// the block, `%my` 16 bytes of the lane there, `%mem` and `%buf` 16 bytes of the lane in global memory, the first holds a and b.
struct LaneOperation {
  std::string body;
  std::function<W(const WarpInputs &)> expected;
  unsigned firstSm = 80;
};
using Operations = std::vector<LaneOperation>;

void addShuffles(Operations &out) {
  for (const char *kind : {"idx", "up", "down", "bfly"})
    for (const char *by : {"%o", "3", "9"})
      for (const char *clamp : {"0x1f", "0x0", "0x181f", "0x1c03", "%q"})
        out.push_back({"and.b32 %o, %y, 0xff; and.b32 %q, %z, 0x1f1f; shfl.sync." +
                           std::string(kind) + ".b32 %w|%p, %x, " + by + ", " + clamp +
                           ", 0xffffffff; selp.b32 %o, 0x80000000, 0, %p; xor.b32 %w, %w, %o;",
                       [=](const WarpInputs &in) {
                         const int lane = static_cast<int>(in.lane);
                         const U b = (*by == '%' ? U(in.b[lane]) & 0xff : U(*by - '0')) & 31;
                         const U c = *clamp == '%' ? U(in.c[lane]) & 0x1f1f
                                                   : U(std::stoul(clamp, nullptr, 16));
                         const int segment = static_cast<int>(c >> 8 & 31),
                                   limit = static_cast<int>(c & 31);
                         const int most = (lane & segment) | (limit & ~segment & 31),
                                   least = lane & segment;
                         int from = *kind == 'u'   ? lane - static_cast<int>(b)
                                    : *kind == 'd' ? lane + static_cast<int>(b)
                                    : *kind == 'b' ? lane ^ static_cast<int>(b)
                                                   : least | (static_cast<int>(b) & ~segment & 31);
                         const bool inRange = *kind == 'u' ? from >= most : from <= most;
                         return W{U(in.a[inRange ? from : lane]) ^ (inRange ? 0x80000000u : 0)};
                       }});
}

void addVotes(Operations &out) {
  struct Predicate {
    const char *text;
    bool (*holds)(const WarpInputs &, unsigned lane);
  };
  static constexpr Predicate kPredicates[] = {
      {"setp.lt.s32 %p, %x, 50;",
       [](const WarpInputs &in, unsigned l) { return int32_t(in.a[l]) < 50; }},
      {"setp.lt.u32 %p, %id, 40;",
       [](const WarpInputs &in, unsigned l) { return 32 * in.warp + l < 40; }},
      {"setp.eq.u32 %p, %k, 5;", [](const WarpInputs &, unsigned) { return true; }},
      {"setp.ne.u32 %p, %k, 5;", [](const WarpInputs &, unsigned) { return false; }}};
  for (const Predicate &predicate : kPredicates)
    for (const char *sign : {"", "!"}) {
      auto ballot = [&predicate, sign](const WarpInputs &in) {
        U mask = 0;
        for (unsigned l = 0; l < 32; ++l)
          mask |= U(predicate.holds(in, l) != (*sign == '!')) << l;
        return mask;
      };
      for (const char *kind : {"all", "any", "uni"})
        out.push_back({std::string(predicate.text) + " vote.sync." + kind + ".pred %r, " + sign +
                           "%p, 0xffffffff; selp.b32 %w, 1, 0, %r;",
                       [=](const WarpInputs &in) {
                         const U mask = ballot(in);
                         return W(*kind == 'u'     ? mask == 0 || mask == ~0u
                                  : kind[1] == 'l' ? mask == ~0u
                                                   : mask != 0);
                       }});
      out.push_back(
          {std::string(predicate.text) + " vote.sync.ballot.b32 %w, " + sign + "%p, 0xffffffff;",
           [=](const WarpInputs &in) { return W{ballot(in)}; }});
    }
  for (const char *mask : {"1", "-1"})
    for (const char *bits : {"32", "64"}) {
      const bool isWide = *bits == '6';
      const std::string source =
          std::string(isWide ? "and.b64 %d, %a, " : "and.b32 %o, %x, ") + mask + ";";
      auto key = [=](const WarpInputs &in, unsigned l) {
        const W v = isWide ? in.a[l] : U(in.a[l]);
        return *mask == '1' ? v & 1 : v;
      };
      out.push_back({source + " match.any.sync.b" + bits + " %w, " + (isWide ? "%d" : "%o") +
                         ", 0xffffffff; cvt.u64.u32 %d, %w;",
                     [=](const WarpInputs &in) {
                       U same = 0;
                       for (unsigned l = 0; l < 32; ++l)
                         same |= U(key(in, l) == key(in, in.lane)) << l;
                       return W{same};
                     }});
    }
  for (const char *of : {"%x", "%k"})
    out.push_back({"match.all.sync.b32 %w|%p, " + std::string(of) +
                       ", 0xffffffff; selp.b32 %o, 2, 0, %p; xor.b32 %w, %w, %o;",
                   [=](const WarpInputs &in) {
                     bool same = true;
                     for (unsigned l = 0; l < 32; ++l)
                       same &= of[1] == 'k' || U(in.a[l]) == U(in.a[0]);
                     return same ? W{~0u ^ 2u} : W{0};
                   }});
  for (const char *kind : {"add.u32", "add.s32", "min.u32", "min.s32", "max.u32", "max.s32",
                           "and.b32", "or.b32", "xor.b32"})
    out.push_back(
        {"redux.sync." + std::string(kind) + " %w, %x, 0xffffffff;", [=](const WarpInputs &in) {
           const bool isSigned = kind[4] == 's';
           U r = U(in.a[0]);
           for (unsigned l = 1; l < 32; ++l) {
             const U v = U(in.a[l]);
             const bool less = isSigned ? int32_t(v) < int32_t(r) : v < r;
             r = kind[1] == 'd'   ? r + v
                 : kind[1] == 'i' ? (less ? v : r)
                 : kind[1] == 'a' ? (less ? r : v)
                 : kind[1] == 'n' ? r & v
                 : *kind == 'o'   ? r | v
                                  : r ^ v;
           }
           return W{r};
         }});
  out.push_back({"elect.sync %w|%p, 0xffffffff; selp.b32 %o, 7, 0, %p; xor.b32 %w, %w, %o;",
                 [](const WarpInputs &in) { return W(in.lane == 0 ? 7 : 0); }, 90});
  for (const char *kind : {"popc.u32", "and.pred", "or.pred"})
    for (const char *number : {"2, 64", "%o, 64", "3, %o2", "%o, %o2"})
      out.push_back({"and.b32 %o, %k, 7; shl.b32 %o2, %k, 4; sub.u32 %o2, %o2, 16; setp.lt.u32 %p, "
                     "%id, 40; barrier.sync 0; barrier.red." +
                         std::string(kind) + (*kind == 'p' ? " %w, " : " %r, ") + number + ", %p;" +
                         (*kind == 'p' ? "" : " selp.b32 %w, 1, 0, %r;"),
                     [=](const WarpInputs &) { return W(*kind == 'p' ? 40 : *kind == 'o'); }});
}

/// The value of a load of these bits, as PTX extends it.
W extended(W v, const std::string &type) {
  const unsigned bits = static_cast<unsigned>(std::stoul(type.substr(1)));
  v = bits == 64 ? v : v & ((W{1} << bits) - 1);
  if (type[0] == 's' && v >> (bits - 1) & 1)
    v |= ~W{0} << (bits - 1);
  return bits == 64 ? v : U(v);
}

void addLoads(Operations &out) {
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

struct AtomicKind {
  const char *name, *type;
};

void addAtomics(Operations &out) {
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

void addMatrices(Operations &out) {
  for (unsigned count : {1u, 2u, 4u})
    for (const char *turned : {"", ".trans"})
      for (const char *place : {"%my", "%own"}) {
        std::string registers = "%w";
        for (unsigned k = 1; k < count; ++k)
          registers += ", %m" + std::to_string(k);
        const std::string number = ".x" + std::to_string(count);
        std::string body = "barrier.sync 0; st.shared.v2.b64 [%my], {%a, %b}; barrier.sync 0; "
                           "ldmatrix.sync.aligned.m8n8" +
                           number + turned + ".shared.b16 {" + registers + "}, [%my];";
        for (unsigned k = 1; k < count; ++k)
          body += " shf.l.wrap.b32 %m" + std::to_string(k) + ", %m" + std::to_string(k) + ", %m" +
                  std::to_string(k) + ", " + std::to_string(k) + "; xor.b32 %w, %w, %m" +
                  std::to_string(k) + ";";
        // Element (row, column) of matrix k: half `column` of the row that lane 8 k + row has.
        auto element = [](const WarpInputs &in, unsigned k, unsigned row, unsigned column) {
          const unsigned lane = 8 * k + row;
          return U((column < 4 ? in.a[lane] : in.b[lane]) >> (16 * (column % 4)) & 0xffff);
        };
        if (place[1] == 'm')
          out.push_back({body, [=](const WarpInputs &in) {
                           U r = 0;
                           for (unsigned k = 0; k < count; ++k) {
                             const unsigned i = in.lane / 4, j = 2 * (in.lane % 4);
                             const U v =
                                 *turned ? element(in, k, j, i) | element(in, k, j + 1, i) << 16
                                         : element(in, k, i, j) | element(in, k, i, j + 1) << 16;
                             r ^= std::rotl(v, int(k));
                           }
                           return W{r};
                         }});
        else
          out.push_back({"barrier.sync 0; mov.b32 %m1, %y; mov.b32 %m2, %z; xor.b32 %m3, %x, %y; "
                         "mov.b32 %w, %x; stmatrix.sync.aligned.m8n8" +
                             number + turned + ".shared.b16 [%my], {" + registers +
                             "}; barrier.sync 0; ld.shared.b32 %w, [%my+8]; "
                             "ld.shared.b32 %o, [%my]; shl.b32 %o, %o, 1; xor.b32 %w, %w, %o;",
                         [=](const WarpInputs &in) -> W {
                           // Rows of matrices that are not stored hold what was there: left out.
                           if (in.lane >= 8 * count)
                             return ~W{0};
                           const unsigned k = in.lane / 8, row = in.lane % 8;
                           auto value = [&](unsigned column) {
                             const unsigned i = *turned ? column : row, j = *turned ? row : column,
                                            lane = 4 * i + j / 2;
                             const U x = U(in.a[lane]), y = U(in.b[lane]), z = U(in.c[lane]);
                             const U v = k == 0 ? x : k == 1 ? y : k == 2 ? z : x ^ y;
                             return v >> (16 * (j % 2)) & 0xffff;
                           };
                           return W{(value(4) | value(5) << 16) ^ (value(0) | value(1) << 16) << 1};
                         },
                         90});
      }
  struct Copy {
    const char *text;
    unsigned bytes, zeroFrom; ///< the first byte that becomes zero
  };
  static constexpr Copy kCopies[] = {
      {"cp.async.ca.shared.global [%my], [%mem], 4;", 4, 16},
      {"cp.async.ca.shared.global [%my], [%mem], 8;", 8, 16},
      {"cp.async.ca.shared.global [%my], [%mem], 16;", 16, 16},
      {"cp.async.cg.shared.global [%my], [%mem], 16;", 16, 16},
      {"cp.async.cg.shared.global.L2::128B [%my], [%mem], 16;", 16, 16},
      {"mov.b32 %o, 3; cp.async.ca.shared.global [%my], [%mem], 8, %o;", 8, 3},
      {"and.b32 %o, %k, 13; cp.async.cg.shared.global [%my], [%mem], 16, %o;", 16, 5}};
  for (const Copy &copy : kCopies)
    out.push_back(
        {"barrier.sync 0; st.shared.v2.b64 [%my], {%c, %c}; " + std::string(copy.text) +
             " cp.async.commit_group; cp.async.wait_group 0; barrier.sync 0; ld.shared.v2.b64 {%d, "
             "%d2}, [%my]; shl.b64 %d2, %d2, 1; xor.b64 %d, %d, %d2;",
         [&copy](const WarpInputs &in) {
           uint8_t from[16], to[16];
           std::memcpy(from, &in.a[in.lane], 8), std::memcpy(from + 8, &in.b[in.lane], 8);
           std::memcpy(to, &in.c[in.lane], 8), std::memcpy(to + 8, &in.c[in.lane], 8);
           for (unsigned n = 0; n < copy.bytes; ++n)
             to[n] = n < copy.zeroFrom ? from[n] : 0;
           W words[2];
           std::memcpy(words, to, 16);
           return words[0] ^ words[1] << 1;
         }});
}

/// A product of doubles, whole numbers all: element (l / 4, l % 4) of A, (l % 4, l / 4) of B, two of a row of the sum.
void addDoubles(Operations &out) {
  for (const char *sign : {"", "neg.f64 %e1, %e1; ", "neg.f64 %e2, %e2; ", "neg.f64 %e3, %e3; "})
    out.push_back(
        {"cvt.rn.f64.s8 %e1, %x; cvt.rn.f64.s8 %e2, %y; cvt.rn.f64.s16 %e3, %z; cvt.rn.f64.s16 "
         "%e4, %x; " +
             std::string(sign) +
             "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%e1, %e2}, {%e1}, {%e2}, {%e3, "
             "%e4}; "
             "fma.rn.f64 %e1, %e2, 0d4130000000000000, %e1; mov.b64 %d, %e1;",
         [=](const WarpInputs &in) {
           auto negated = [=](char which) { return *sign && sign[10] == which ? -1.0 : 1.0; };
           double sums[2] = {negated('3') * int16_t(in.c[in.lane]), double(int16_t(in.a[in.lane]))};
           for (unsigned n = 0; n < 2; ++n)
             for (unsigned k = 0; k < 4; ++k)
               sums[n] += negated('1') * int8_t(in.a[in.lane / 4 * 4 + k]) * negated('2') *
                          int8_t(in.b[(2 * (in.lane % 4) + n) * 4 + k]);
           return fromDouble(sums[0] + sums[1] * 1048576);
         }});
}

/// The first warp arrives, the second one waits and reads what the first one has stored.
void addArrivals(Operations &out) {
  for (const char *barrier : {"4, 64", "%o, 64", "4, %o2", "%o, %o2"})
    out.push_back(
        {"and.b32 %o, %k, 7; shl.b32 %o2, %k, 4; sub.u32 %o2, %o2, 16; barrier.sync 0; "
         "st.shared.b64 [%my], %a; "
         "setp.lt.u32 %p, %id, 32; @%p barrier.arrive " +
             std::string(barrier) + "; @!%p barrier.sync " + barrier +
             "; and.b32 %o3, %id, 31; shl.b32 %o3, %o3, 4; mov.b32 %q, shared; add.u32 %q, %q, "
             "%o3; @!%p ld.shared.b64 %d, [%q]; "
             "@%p mov.b64 %d, %b; barrier.sync 0;",
         [](const WarpInputs &in) { return in.warp ? in.other[in.lane] : in.b[in.lane]; }});
}

Operations operationsOf(unsigned sm) {
  Operations all;
  addShuffles(all);
  addVotes(all);
  addLoads(all);
  addAtomics(all);
  addMatrices(all);
  addDoubles(all);
  addArrivals(all);
  llvm::erase_if(all, [&](const LaneOperation &one) { return one.firstSm > sm; });
  return all;
}

std::string ptxFor(unsigned sm) {
  std::string text = llvm::formatv(
      false,
      ".version 8.8\n.target sm_{0}\n.address_size 64\n"
      ".visible .entry lanes(.param .u64 in, .param .u64 out, .param .u64 buffer, .param .u32 "
      "five, .param .align 8 .b8 table[64]) "
      ".maxntid 64 {{\n"
      ".shared .align 16 .b8 shared[1024]; .local .align 8 .b8 local[32];\n"
      ".reg .b64 %in, %out, %mem, %buf, %my, %lo, %a, %b, %c, %O; .reg .b32 %id, %k, %x, %y, %z, "
      "%s;\n"
      "ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; ld.param.u64 %buf, [buffer]; ld.param.u32 "
      "%k, [five];\n"
      "mov.u32 %id, %tid.x; mul.wide.u32 %O, %id, 32; add.u64 %mem, %in, %O;\n"
      "ld.global.b64 %a, [%mem]; ld.global.b64 %b, [%mem+8]; ld.global.b64 %c, [%mem+16];\n"
      "cvt.u32.u64 %x, %a; cvt.u32.u64 %y, %b; cvt.u32.u64 %z, %c;\n"
      "mul.wide.u32 %O, %id, 16; add.u64 %buf, %buf, %O; mov.u64 %my, shared; add.u64 %my, %my, "
      "%O;\n"
      "mov.u64 %lo, local; mul.wide.u32 %O, %id, 8; add.u64 %out, %out, %O;\n",
      sm);
  size_t number = 0;
  for (const LaneOperation &one : operationsOf(sm)) {
    const bool isWide = llvm::StringRef(one.body).contains("%d");
    text +=
        llvm::formatv(false,
                      "{{ .reg .b64 %d, %d2, %q2, %q3; .reg .b32 %w, %o, %o2, %o3, %q, %m1, %m2, "
                      "%m3; .reg .pred %p, %r; .reg .f64 %e1, %e2, %e3, %e4;\n"
                      "mov.b32 %w, 0; {0}\n{1} st.global.u64 [%out+{2}], %d; }\n",
                      one.body, isWide ? "" : "cvt.u64.u32 %d, %w;", number++ * kThreads * 8);
  }
  return text + "ret;\n}\n";
}

std::vector<std::string> check(llvm::ArrayRef<uint8_t> cubin, unsigned sm) {
  auto program = Program::create(cubin);
  if (!program)
    return {llvm::toString(program.takeError())};
  const Operations all = operationsOf(sm);
  std::vector<std::string> wrong;
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    const std::vector<uint64_t> in = inputs(4 * kThreads, seed);
    std::vector<uint64_t> out(kThreads * all.size()), buffer(2 * kThreads);
    std::vector<uint8_t> table(64);
    for (unsigned n = 0; n < 8; ++n) {
      const W v = 0x8182838485868788 + W{0x0807060504030201} * n;
      std::memcpy(table.data() + 8 * n, &v, 8);
    }
    (*program)->clearRanges();
    (*program)->addRange(const_cast<uint64_t *>(in.data()), in.size() * 8, "in");
    (*program)->addRange(out.data(), out.size() * 8, "out");
    (*program)->addRange(buffer.data(), buffer.size() * 8, "buffer");
    LaunchConfig config;
    config.block = {kThreads, 1, 1};
    config.maxInstructions = 10'000'000;
    const Report report =
        (*program)->launch("lanes", config,
                           {argument(in.data()), argument(out.data()), argument(buffer.data()),
                            argument(uint32_t{5}), table});
    if (!report.ok())
      return {report.message};
    for (size_t n = 0; n < all.size() && wrong.size() < 12; ++n)
      for (unsigned thread = 0; thread < kThreads; ++thread) {
        WarpInputs of{{}, {}, {}, {}, thread % 32, thread / 32};
        for (unsigned lane = 0; lane < 32; ++lane) {
          const uint64_t *from = &in[4 * (32 * of.warp + lane)];
          of.other[lane] = in[4 * lane];
          of.a[lane] = from[0], of.b[lane] = from[1], of.c[lane] = from[2];
        }
        const W want = all[n].expected(of), found = out[n * kThreads + thread];
        if (want == found || want == ~W{0})
          continue;
        wrong.push_back(llvm::formatv("{0}, thread {1}: expected {2:x}, found {3:x}", all[n].body,
                                      thread, want, found));
        break;
      }
  }
  return wrong;
}

class LaneForms : public testing::TestWithParam<std::tuple<unsigned, const char *>> {};

TEST_P(LaneForms, HandOnWhatPtxDefines) {
  auto ptxas = findPtxas();
  auto [sm, level] = GetParam();
  const std::string gpu = "sm_" + std::to_string(sm);
  if (!ptxas || !knowsGpu(gpu))
    GTEST_SKIP() << "no ptxas of " << gpu
                 << ": neither in $CUDA_HOME/bin nor in PATH nor in /usr/local/cuda/bin";
  EXPECT_THAT(check(assemble(*ptxas, ptxFor(sm), gpu, level), sm), testing::IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Sass, LaneForms,
                         testing::Combine(testing::Values(80, 90, 100, 120),
                                          testing::Values("-O0", "-O3")));

// Set TILESMITH_UPDATE to store the cubins anew.
TEST(SassLanesTest, StoredCubinsRunWithoutCuda) {
  for (unsigned sm : {80, 90, 100}) {
    const std::string gpu = "sm_" + std::to_string(sm), name = "lanes." + gpu + ".O3.cubin";
    SCOPED_TRACE(name);
    if (auto ptxas = findPtxas(); ptxas && getenv("TILESMITH_UPDATE"))
      storeCubin(name, assemble(*ptxas, ptxFor(sm), gpu, "-O3"));
    EXPECT_THAT(check(readBytes(corpusFile(name)), sm), testing::IsEmpty());
  }
}

} // namespace
