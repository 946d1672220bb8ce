//===- SassLanesMatrixTest.cpp - matrices in shared memory, copies, products ---------------===//
//
// Loads and stores of matrices, asynchronous copies with bytes that become zero, products of doubles.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/sass/SassLanes.h"

#include <bit>

using namespace tilesmith;
using namespace tilesmith::sass;
using namespace tilesmith::sass::lanes;

void lanes::addMatrices(Operations &out) {
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
void lanes::addDoubles(Operations &out) {
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
