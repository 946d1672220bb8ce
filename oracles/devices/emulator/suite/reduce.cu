#include "device.h"
// Sums of a block's 256 words. B: 0 correct, else which mistake.
template <int B> INLINE void tree(int *in, int *out) {
  __shared__ int s[256];
  int t = tidx();
  s[t] = in[bidx() * 256 + t];
  for (int half = 128; half; half >>= 1) {
    if (B != 1)
      barSync(0);
    if (t < half)
      s[t] += s[B == 2 ? t + half + 65536 : t + half];
  }
  if (t == 0)
    out[bidx()] = s[0];
}
//! sum_tree grid=4 block=256 args=in:1024,out:4 ref=sum_ref
KERNEL sum_tree(int *in, int *out) { tree<0>(in, out); }
//! sum_tree_no_barrier grid=1 block=256 args=in:256,out:1 expect=race
KERNEL sum_tree_no_barrier(int *in, int *out) { tree<1>(in, out); }
//! sum_tree_off grid=1 block=256 args=in:256,out:1 expect=fault:out_of_bounds
KERNEL sum_tree_off(int *in, int *out) { tree<2>(in, out); }
KERNEL sum_ref(int *in, int *out) {
  for (int b = 0; b < 4; ++b) {
    int sum = 0;
    for (int i = 0; i < 256; ++i)
      sum += in[256 * b + i];
    out[b] = sum;
  }
}
template <int B> INLINE void shuffled(int *in, int *out) {
  __shared__ int s[8];
  int t = tidx(), v = in[bidx() * 256 + t];
  for (int d = 16; d; d >>= 1)
    v += shflDown(ALL, v, d, 31);
  if (t % 32 == 0)
    s[t / 32] = v;
  if (B != 1)
    barSync(0);
  if (t < 32) {
    v = t < 8 ? s[t] : 0;
    if (B != 2 || t < 8)
      for (int d = 4; d; d >>= 1)
        v += shflDown(ALL, v, d, 31);
    if (B == 2)
      barSync(1);
    if (t == 0)
      out[bidx()] = v;
  }
}
//! sum_shuffle grid=4 block=256 args=in:1024,out:4 ref=sum_ref
KERNEL sum_shuffle(int *in, int *out) { shuffled<0>(in, out); }
//! sum_shuffle_no_barrier grid=1 block=256 args=in:256,out:1 expect=race
KERNEL sum_shuffle_no_barrier(int *in, int *out) { shuffled<1>(in, out); }
//! sum_shuffle_wide_mask grid=1 block=256 args=in:256,out:1 expect=deadlock
KERNEL sum_shuffle_wide_mask(int *in, int *out) { shuffled<2>(in, out); }
template <int B> INLINE void atomics(int *in, int *out) {
  __shared__ int s;
  if (tidx() == 0)
    s = 0;
  if (B != 1)
    barSync(0);
  if (B == 2)
    s += in[bidx() * 256 + tidx()];
  else
    add(&s, in[bidx() * 256 + tidx()]);
  barSync(0);
  if (tidx() == 0)
    out[bidx()] = s;
}
//! sum_atomic grid=4 block=256 args=in:1024,out:4 ref=sum_ref
KERNEL sum_atomic(int *in, int *out) { atomics<0>(in, out); }
//! sum_atomic_no_init_barrier grid=1 block=64 args=in:64,out:1 expect=race
KERNEL sum_atomic_no_init_barrier(int *in, int *out) { atomics<1>(in, out); }
//! sum_plain_update grid=1 block=64 args=in:64,out:1 expect=race
KERNEL sum_plain_update(int *in, int *out) { atomics<2>(in, out); }
//! sum_global_atomic grid=4 block=256 args=in:1024,out:4 ref=sum_ref
KERNEL sum_global_atomic(int *in, int *out) { add(out + bidx(), in[bidx() * 256 + tidx()]); }
//! sum_global_plain grid=2 block=32 args=in:1024,out:1 expect=race
KERNEL sum_global_plain(int *in, int *out) { out[0] += in[bidx() * 256 + tidx()]; }
//! sum_redux grid=4 block=256 args=in:1024,out:4 ref=sum_ref
KERNEL sum_redux(int *in, int *out) {
  int v = reduxAdd(in[bidx() * 256 + tidx()], ALL);
  if (tidx() % 32 == 0)
    add(out + bidx(), v);
}
//! sum_butterfly grid=4 block=256 args=in:1024,out:4 ref=sum_ref
KERNEL sum_butterfly(int *in, int *out) {
  int v = in[bidx() * 256 + tidx()];
  for (int d = 16; d; d >>= 1)
    v += shflXor(ALL, v, d, 31);
  if (tidx() % 32 == 7)
    add(out + bidx(), v);
}
template <int B> INLINE void warpTree(int *in, int *out) {
  __shared__ int s[256];
  int t = tidx(), l = t % 32;
  s[t] = in[bidx() * 256 + t];
  for (int half = 16; half; half >>= 1) {
    if (B != 1)
      warpSync(B == 2 ? 0xffff : ALL);
    int other = l < half ? s[t + half] : 0;
    warpSync(ALL);
    s[t] += other;
  }
  if (l == 0)
    add(out + bidx(), s[t]);
}
//! sum_warp_sync grid=4 block=256 args=in:1024,out:4 ref=sum_ref
KERNEL sum_warp_sync(int *in, int *out) { warpTree<0>(in, out); }
//! sum_warp_no_sync grid=1 block=32 args=in:32,out:1 expect=race
KERNEL sum_warp_no_sync(int *in, int *out) { warpTree<1>(in, out); }
//! sum_warp_wrong_mask grid=1 block=32 args=in:32,out:1 expect=fault:own_mask
KERNEL sum_warp_wrong_mask(int *in, int *out) { warpTree<2>(in, out); }
//! count_odd grid=2 block=128 args=in:256,out:2 ref=count_odd_ref
KERNEL count_odd(int *in, int *out) {
  int n = barPopc(0, in[bidx() * 128 + tidx()] & 1);
  if (tidx() == 5)
    out[bidx()] = n;
}
//! count_ballot grid=2 block=128 args=in:256,out:2 ref=count_odd_ref
KERNEL count_ballot(int *in, int *out) {
  int m = ballot(ALL, in[bidx() * 128 + tidx()] & 1);
  if (tidx() % 32 == 0)
    add(out + bidx(), __builtin_popcount(m));
}
KERNEL count_odd_ref(int *in, int *out) {
  for (int i = 0; i < 256; ++i)
    out[i / 128] += in[i] & 1;
}
//! maximum grid=1 block=128 args=in:128,out:4 ref=maximum_ref
KERNEL maximum(int *in, int *out) {
  int v = reduxMax(in[tidx()], ALL);
  if (tidx() % 32 == 31)
    out[tidx() / 32] = v;
}
KERNEL maximum_ref(int *in, int *out) {
  for (int i = 0; i < 128; ++i)
    out[i / 32] = i % 32 == 0 || in[i] > out[i / 32] ? in[i] : out[i / 32];
}
//! groups grid=1 block=32 args=in:32,out:32 ref=groups_ref
KERNEL groups(int *in, int *out) {
  out[tidx()] = __builtin_popcount(matchAny(ALL, in[tidx()]));
}
KERNEL groups_ref(int *in, int *out) {
  for (int i = 0; i < 32; ++i)
    for (int j = 0; j < 32; ++j)
      out[i] += in[i] == in[j];
}
//! histogram grid=4 block=64 args=in:256,out:31 ref=histogram_ref
KERNEL histogram(int *in, int *out) {
  __shared__ int s[31];
  if (tidx() < 31)
    s[tidx()] = 0;
  barSync(0);
  add(s + in[bidx() * 64 + tidx()], 1);
  barSync(0);
  if (tidx() < 31)
    add(out + tidx(), s[tidx()]);
}
//! histogram_no_clear grid=1 block=64 args=in:64,out:31 expect=fault:uninitialised
KERNEL histogram_no_clear(int *in, int *out) {
  __shared__ int s[31];
  add(s + in[tidx()], 1);
  barSync(0);
  if (tidx() < 31)
    out[tidx()] = s[tidx()];
}
KERNEL histogram_ref(int *in, int *out) {
  for (int i = 0; i < 256; ++i)
    ++out[in[i]];
}
