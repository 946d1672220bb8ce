//===- SassLanesTest.cpp - what lanes hand to each other, and memory of every width -----------===//
//
// The kernel of SassLanes.h, and of its operations shuffles, votes, matches, reductions, barriers.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/sass/SassLanes.h"

#include "llvm/Support/FormatVariadic.h"

#include "gmock/gmock.h"

using namespace tilesmith;
using namespace tilesmith::sass;
using namespace tilesmith::sass::lanes;

void lanes::addShuffles(Operations &out) {
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

void lanes::addVotes(Operations &out) {
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

/// The first warp arrives, the second one waits and reads what the first one has stored.
void lanes::addArrivals(Operations &out) {
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

namespace {

constexpr unsigned kThreads = 64;

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
  if (const std::string why = whyNoPtxas(gpu); !why.empty())
    GTEST_SKIP() << why;
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
