#include "device.h"
typedef _Float16 half;
INLINE void mmaF16(float *d, const u32 *a, const u32 *b) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
               "{%8,%9}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
INLINE void mmaS8(int *d, const u32 *a, const u32 *b) {
  asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
               "{%8,%9}, {%0,%1,%2,%3};"
               : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
// C (16 x 8) = A (16 x 16, rows) * B (8 columns of 16)
INLINE void writeTile(float *c, const float *d, int n) {
  int g = tidx() % 32 / 4, t = tidx() % 4;
  c[n * g + 2 * t] = d[0], c[n * g + 2 * t + 1] = d[1];
  c[n * (g + 8) + 2 * t] = d[2], c[n * (g + 8) + 2 * t + 1] = d[3];
}
//! mma_f16 grid=1 block=32 args=half:256,half:128,out:128 ref=mma_f16_ref
KERNEL mma_f16(u32 *a, u32 *b, float *c) {
  int g = tidx() / 4, t = tidx() % 4;
  u32 x[4] = {a[8 * g + t], a[8 * (g + 8) + t], a[8 * g + t + 4], a[8 * (g + 8) + t + 4]};
  u32 y[2] = {b[8 * g + t], b[8 * g + t + 4]};
  float d[4] = {0, 0, 0, 0};
  mmaF16(d, x, y);
  writeTile(c, d, 8);
}
//! mma_f16_wrong_fragment grid=1 block=32 args=half:256,half:128,out:128 ref=mma_f16_ref expect=result
KERNEL mma_f16_wrong_fragment(u32 *a, u32 *b, float *c) {
  int g = tidx() / 4, t = tidx() % 4;
  u32 x[4] = {a[8 * g + t], a[8 * g + t + 4], a[8 * (g + 8) + t], a[8 * (g + 8) + t + 4]};
  u32 y[2] = {b[8 * g + t], b[8 * g + t + 4]};
  float d[4] = {0, 0, 0, 0};
  mmaF16(d, x, y);
  writeTile(c, d, 8);
}
//! mma_divergent grid=1 block=32 args=half:256,half:128,out:128 expect=deadlock|fault:lanes
KERNEL mma_divergent(u32 *a, u32 *b, float *c) {
  u32 x[4] = {a[0], a[1], a[2], a[3]}, y[2] = {b[0], b[1]};
  float d[4] = {0, 0, 0, 0};
  if (tidx() < 16) {
    mmaF16(d, x, y);
    writeTile(c, d, 8);
  }
}
KERNEL mma_f16_ref(half *a, half *b, float *c) {
  for (int i = 0; i < 128; ++i)
    for (int k = 0; k < 16; ++k)
      c[i] += (float)a[16 * (i / 8) + k] * (float)b[16 * (i % 8) + k];
}
// ldmatrix from staged tiles
template <int B> INLINE void staged(half *a, half *b, float *c) {
  alignas(16) __shared__ half sa[16][16], sb[8][16];
  int t = tidx(), g = t % 8;
  for (int i = t; i < 256; i += 32)
    sa[i / 16][i % 16] = a[i];
  for (int i = t; i < 128; i += 32)
    sb[i / 16][i % 16] = b[i];
  if (B != 1)
    warpSync(ALL);
  int shift = B == 2 ? 4 : 0;
  u32 x[4] = {(u32)ldmatrix1(sh(&sa[g][shift])), (u32)ldmatrix1(sh(&sa[g + 8][0])),
              (u32)ldmatrix1(sh(&sa[g][8])), (u32)ldmatrix1(sh(&sa[g + 8][8]))};
  u32 y[2] = {(u32)ldmatrix1(sh(&sb[g][0])), (u32)ldmatrix1(sh(&sb[g][8]))};
  float d[4] = {0, 0, 0, 0};
  mmaF16(d, x, y);
  writeTile(c, d, 8);
}
//! mma_ldmatrix grid=1 block=32 args=half:256,half:128,out:128 ref=mma_f16_ref
KERNEL mma_ldmatrix(half *a, half *b, float *c) { staged<0>(a, b, c); }
//! mma_ldmatrix_no_sync grid=1 block=32 args=half:256,half:128,out:128 expect=race
KERNEL mma_ldmatrix_no_sync(half *a, half *b, float *c) { staged<1>(a, b, c); }
//! mma_ldmatrix_misaligned grid=1 block=32 args=half:256,half:128,out:128 expect=fault:aligned
KERNEL mma_ldmatrix_misaligned(half *a, half *b, float *c) { staged<2>(a, b, c); }
//! mma_s8 grid=1 block=32 args=in:128,in:64,out:128 ref=mma_s8_ref
KERNEL mma_s8(u32 *a, u32 *b, int *c) {
  int g = tidx() / 4, t = tidx() % 4;
  u32 x[4] = {a[8 * g + t], a[8 * (g + 8) + t], a[8 * g + t + 4], a[8 * (g + 8) + t + 4]};
  u32 y[2] = {b[8 * g + t], b[8 * g + t + 4]};
  int d[4] = {0, 0, 0, 0};
  mmaS8(d, x, y);
  c[8 * g + 2 * t] = d[0], c[8 * g + 2 * t + 1] = d[1];
  c[8 * (g + 8) + 2 * t] = d[2], c[8 * (g + 8) + 2 * t + 1] = d[3];
}
KERNEL mma_s8_ref(signed char *a, signed char *b, int *c) {
  for (int i = 0; i < 128; ++i)
    for (int k = 0; k < 32; ++k)
      c[i] += a[32 * (i / 8) + k] * b[32 * (i % 8) + k];
}
//! transpose_matrices grid=1 block=32 args=half:64,out:32 ref=transpose_matrices_ref
KERNEL transpose_matrices(half *a, u32 *out) {
  alignas(16) __shared__ half s[8][8], r[8][8];
  int t = tidx();
  s[t / 4][t % 4 * 2] = a[2 * t], s[t / 4][t % 4 * 2 + 1] = a[2 * t + 1];
  warpSync(ALL);
  stmatrix1(sh(&r[t % 8][0]), ldmatrix1t(sh(&s[t % 8][0])));
  warpSync(ALL);
  out[t] = ((u32 *)r)[t];
}
KERNEL transpose_matrices_ref(half *a, half *out) {
  for (int i = 0; i < 64; ++i)
    out[8 * (i % 8) + i / 8] = a[i];
}
// GEMM 32 x 32 x 64, four warps, cp.async double buffer.
template <int B> INLINE void gemm(half *a, half *b, float *c) {
  alignas(16) __shared__ half sa[2][32][16], sb[2][32][16];
  int t = tidx(), w = t / 32, g = t % 32 / 4, q = t % 4, row = 16 * (w / 2), col = 16 * (w % 2);
  auto fetch = [&](int stage, int k) {
    int r = t % 64 / 2, part = t % 2 * 8;
    if (t < 64)
      copy16(sh(&sa[stage][r][part]), gl(a + 64 * r + 16 * k + part));
    else
      copy16(sh(&sb[stage][r][part]), gl(b + 64 * r + 16 * k + part));
    copyCommit();
  };
  float d[2][4] = {};
  fetch(0, 0);
  for (int k = 0; k < 4; ++k) {
    if (k < 3)
      fetch((k + 1) & 1, k + 1);
    if (k < 3)
      copyWait(B == 1 ? 2 : 1);
    else
      copyWait(0);
    barSync(0);
    const u32 *pa = (const u32 *)sa[k & 1], *pb = (const u32 *)sb[k & 1];
    u32 x[4] = {pa[8 * (row + g) + q], pa[8 * (row + g + 8) + q], pa[8 * (row + g) + q + 4],
                pa[8 * (row + g + 8) + q + 4]};
    for (int n = 0; n < 2; ++n) {
      u32 y[2] = {pb[8 * (col + 8 * n + g) + q], pb[8 * (col + 8 * n + g) + q + 4]};
      mmaF16(d[n], x, y);
    }
    if (B != 2)
      barSync(0);
  }
  for (int n = 0; n < 2; ++n)
    writeTile(c + 32 * row + col + 8 * n, d[n], 32);
}
//! gemm_mma grid=1 block=128 args=half:2048,half:2048,out:1024 ref=gemm_ref
KERNEL gemm_mma(half *a, half *b, float *c) { gemm<0>(a, b, c); }
//! gemm_mma_early grid=1 block=128 args=half:2048,half:2048,out:1024 expect=race
KERNEL gemm_mma_early(half *a, half *b, float *c) { gemm<1>(a, b, c); }
//! gemm_mma_overwrites grid=1 block=128 args=half:2048,half:2048,out:1024 expect=race
KERNEL gemm_mma_overwrites(half *a, half *b, float *c) { gemm<2>(a, b, c); }
KERNEL gemm_ref(half *a, half *b, float *c) {
  for (int i = 0; i < 1024; ++i)
    for (int k = 0; k < 64; ++k)
      c[i] += (float)a[64 * (i / 32) + k] * (float)b[64 * (i % 32) + k];
}
// wgmma: D (64 x 8) = A (64 x 16) * B (8 columns of 16), tiles without swizzle.
INLINE u64 describe(void *p, int leading, int stride) {
  u64 address = (u64)sh((char *)p);
  return (address & 0x3ffff) >> 4 | (u64)(leading >> 4) << 16 | (u64)(stride >> 4) << 32;
}
INLINE void wgmmaF16(float *d, u64 a, u64 b, int accumulate) {
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %6, 0;\n"
               "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, p, 1, 1, "
               "0, 0; }"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "l"(a), "l"(b), "r"(accumulate));
}
template <int B> INLINE void warpgroup(half *a, half *b, float *c, int steps) {
  alignas(128) __shared__ half sa[2048], sb[256];
  int t = tidx(), w = t / 32;
  float d[4] = {0, 0, 0, 0};
  for (int k = 0; k < steps; ++k) {
    for (int i = t; i < 1024; i += 128) // core matrices of 8 rows and 8 columns
      sa[i % 16 / 8 * 64 + i / 16 / 8 * 128 + i / 16 % 8 * 8 + i % 8] = a[16 * steps * (i / 16) + 16 * k + i % 16];
    if (t < 128)
      sb[t % 16 / 8 * 64 + t / 16 * 8 + t % 8] = b[16 * steps * (t / 16) + 16 * k + t % 16];
    if (B != 1)
      proxyFence();
    barSync(0);
    if (B != 2)
      wgmmaFence();
    wgmmaF16(d, describe(sa, 128, 256), describe(sb, 128, 256), k);
    if (B != 5)
      wgmmaCommit();
    if (B == 0 || B == 1 || B == 2 || B == 5)
      wgmmaWait(0);
    if (B == 4 && k + 1 == steps)
      wgmmaWait(1);
    barSync(0);
  }
  int g = t % 32 / 4, q = t % 4;
  c += 8 * 16 * w;
  if (B == 3)
    wgmmaWait(0);
  c[8 * g + 2 * q] = d[0], c[8 * g + 2 * q + 1] = d[1];
  c[8 * (g + 8) + 2 * q] = d[2], c[8 * (g + 8) + 2 * q + 1] = d[3];
}
//! wgmma_one grid=1 block=128 args=half:1024,half:128,out:512,i:1 ref=wgmma_ref
KERNEL wgmma_one(half *a, half *b, float *c, int s) { warpgroup<0>(a, b, c, 1); }
//! wgmma_loop grid=1 block=128 args=half:4096,half:512,out:512,i:4 ref=wgmma_ref
KERNEL wgmma_loop(half *a, half *b, float *c, int s) { warpgroup<0>(a, b, c, s); }
//! wgmma_no_proxy_fence grid=1 block=128 args=half:1024,half:128,out:512,i:1 expect=race
KERNEL wgmma_no_proxy_fence(half *a, half *b, float *c, int s) { warpgroup<1>(a, b, c, 1); }
//! wgmma_no_fence grid=1 block=128 args=half:1024,half:128,out:512,i:1 expect=fault:wgmma.fence
KERNEL wgmma_no_fence(half *a, half *b, float *c, int s) { warpgroup<2>(a, b, c, 1); }
//! wgmma_overwrites_tile grid=1 block=128 args=half:4096,half:512,out:512,i:4 expect=race
KERNEL wgmma_overwrites_tile(half *a, half *b, float *c, int s) { warpgroup<3>(a, b, c, s); }
//! wgmma_wait_one_less grid=1 block=128 args=half:1024,half:128,out:512,i:1 expect=fault:waited_for
KERNEL wgmma_wait_one_less(half *a, half *b, float *c, int s) { warpgroup<4>(a, b, c, 1); }
//! wgmma_no_commit grid=1 block=128 args=half:1024,half:128,out:512,i:1 expect=fault:waited_for
KERNEL wgmma_no_commit(half *a, half *b, float *c, int s) { warpgroup<5>(a, b, c, 1); }
KERNEL wgmma_ref(half *a, half *b, float *c, int s) {
  for (int i = 0; i < 512; ++i)
    for (int k = 0; k < 16 * s; ++k)
      c[i] += (float)a[16 * s * (i / 8) + k] * (float)b[16 * s * (i % 8) + k];
}
