#include "device.h"
KERNEL scan_ref(int *in, int *out) {
  int sum = 0;
  for (int i = 0; i < 128; ++i)
    out[i] = sum += in[i];
}
template <int B> INLINE void hillis(int *in, int *out) {
  __shared__ int s[2][128];
  int t = tidx(), from = 0;
  s[0][t] = in[t];
  barSync(0);
  for (int d = 1; d < 128; d *= 2, from ^= B != 1) {
    int to = B == 1 ? 0 : from ^ 1;
    s[to][t] = t >= d ? s[from][t] + s[from][t - d] : s[from][t];
    if (B != 2)
      barSync(0);
  }
  out[t] = s[from][t];
}
//! scan_double_buffer grid=1 block=128 args=in:128,out:128 ref=scan_ref
KERNEL scan_double_buffer(int *in, int *out) { hillis<0>(in, out); }
//! scan_one_buffer grid=1 block=128 args=in:128,out:128 expect=race
KERNEL scan_one_buffer(int *in, int *out) { hillis<1>(in, out); }
//! scan_no_barrier grid=1 block=128 args=in:128,out:128 expect=race
KERNEL scan_no_barrier(int *in, int *out) { hillis<2>(in, out); }
//! scan_two_barriers grid=1 block=128 args=in:128,out:128 ref=scan_ref
KERNEL scan_two_barriers(int *in, int *out) {
  __shared__ int s[128];
  int t = tidx();
  s[t] = in[t];
  for (int d = 1; d < 128; d *= 2) {
    barSync(0);
    int v = t >= d ? s[t - d] : 0;
    barSync(0);
    s[t] += v;
  }
  out[t] = s[t];
}
template <int B> INLINE void blelloch(int *in, int *out) {
  __shared__ int s[128];
  int t = tidx();
  s[t] = in[t];
  for (int d = 1; d < 128; d *= 2) {
    barSync(0);
    int i = (t + 1) * d * 2 - 1;
    if (i < 128)
      s[i] += s[i - d];
  }
  for (int d = 32; d; d /= 2) {
    if (B != 1)
      barSync(0);
    int i = (t + 1) * d * 2 - 1;
    if (i + d < 128)
      s[i + d] += s[i];
  }
  barSync(0);
  out[t] = s[t];
}
//! scan_work_efficient grid=1 block=128 args=in:128,out:128 ref=scan_ref
KERNEL scan_work_efficient(int *in, int *out) { blelloch<0>(in, out); }
//! scan_work_no_barrier grid=1 block=128 args=in:128,out:128 expect=race
KERNEL scan_work_no_barrier(int *in, int *out) { blelloch<1>(in, out); }
INLINE int warpScan(int v) {
  for (int d = 1; d < 32; d *= 2) {
    int u = shflUp(ALL, v, d, 0);
    if (tidx() % 32 >= d)
      v += u;
  }
  return v;
}
//! scan_warps grid=1 block=128 args=in:128,out:128 ref=scan_ref
KERNEL scan_warps(int *in, int *out) {
  __shared__ int s[4];
  int t = tidx(), v = warpScan(in[t]);
  if (t % 32 == 31)
    s[t / 32] = v;
  barSync(0);
  for (int w = 0; w < t / 32; ++w)
    v += s[w];
  out[t] = v;
}
// Decoupled look-back: every block waits for the prefix of the one before.
template <int B> INLINE void lookback(int *in, int *out, int *state, int *sums) {
  __shared__ int s[2];
  int t = tidx();
  if (t == 0)
    s[0] = add(state, 1);
  barSync(0);
  int b = s[0], v = warpScan(in[32 * b + t]);
  if (t == 31)
    s[1] = v;
  barSync(0);
  if (t == 0) {
    int before = 0;
    if (b) {
      while (loadRelaxed(state + b) == 0)
        ;
      if (B != 1)
        fenceDevice();
      before = sums[b - 1];
    }
    sums[b] = before + s[1];
    if (B == 3)
      fenceBlock();
    else if (B != 2)
      fenceDevice();
    storeRelaxed(state + b + 1, 1);
    s[1] = before;
  }
  barSync(0);
  out[32 * b + t] = v + s[1];
}
//! lookback_scan grid=4 block=32 args=in:128,out:128,tmp:8,tmp:8 ref=scan_ref4
KERNEL lookback_scan(int *in, int *out, int *state, int *sums) { lookback<0>(in, out, state, sums); }
//! lookback_no_acquire grid=4 block=32 args=in:128,out:128,tmp:8,tmp:8 expect=race
KERNEL lookback_no_acquire(int *i, int *o, int *a, int *b) { lookback<1>(i, o, a, b); }
//! lookback_no_release grid=4 block=32 args=in:128,out:128,tmp:8,tmp:8 expect=race
KERNEL lookback_no_release(int *i, int *o, int *a, int *b) { lookback<2>(i, o, a, b); }
//! lookback_block_fence grid=4 block=32 args=in:128,out:128,tmp:8,tmp:8 expect=race
KERNEL lookback_block_fence(int *i, int *o, int *a, int *b) { lookback<3>(i, o, a, b); }
KERNEL scan_ref4(int *in, int *out, int *, int *) {
  int sum = 0;
  for (int i = 0; i < 128; ++i)
    out[i] = sum += in[i];
}
