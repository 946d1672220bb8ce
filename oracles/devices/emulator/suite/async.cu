#include "device.h"
KERNEL double_ref(int *in, int *out) {
  for (int i = 0; i < 256; ++i)
    out[i] = 2 * in[i];
}
// Copies one word each, then reads a neighbour's.
template <int B> INLINE void copyOnce(int *in, int *out) {
  __shared__ int s[64];
  int t = tidx(), base = bidx() * 64;
  copy4(sh(s + t), gl(in + base + t));
  if (B != 3)
    copyCommit();
  if (B == 0)
    copyWait(0);
  if (B == 4)
    copyWait(1);
  if (B != 2)
    barSync(0);
  out[base + 63 - t] = 2 * s[63 - t];
}
//! copy_async grid=4 block=64 args=in:256,out:256 ref=double_ref
KERNEL copy_async(int *in, int *out) { copyOnce<0>(in, out); }
//! copy_async_no_wait grid=1 block=64 args=in:256,out:256 expect=race
KERNEL copy_async_no_wait(int *in, int *out) { copyOnce<1>(in, out); }
//! copy_async_no_barrier grid=1 block=64 args=in:256,out:256 expect=race
KERNEL copy_async_no_barrier(int *in, int *out) { copyOnce<2>(in, out); }
//! copy_async_no_commit grid=1 block=64 args=in:256,out:256 expect=race
KERNEL copy_async_no_commit(int *in, int *out) { copyOnce<3>(in, out); }
//! copy_async_wait_one_less grid=1 block=64 args=in:256,out:256 expect=race
KERNEL copy_async_wait_one_less(int *in, int *out) { copyOnce<4>(in, out); }
// A ring of stages, one group in flight ahead.
template <int Stages, int B> INLINE void ring(int *in, int *out) {
  __shared__ int s[Stages][64];
  int t = tidx();
  for (int i = 0; i < Stages - 1; ++i) {
    copy4(sh(s[i] + t), gl(in + 64 * i + t));
    copyCommit();
  }
  for (int i = 0; i < 4; ++i) {
    copyWait(B == 1 ? Stages - 1 : Stages - 2);
    barSync(0);
    int v = s[i % Stages][63 - t];
    if (B == 2)
      barSync(0);
    int next = i + Stages - 1;
    if (next < 4)
      copy4(sh(s[(B == 3 ? i : next) % Stages] + t), gl(in + 64 * next + t));
    copyCommit();
    out[64 * i + 63 - t] = 2 * v;
  }
}
//! copy_ring2 grid=1 block=64 args=in:256,out:256 ref=double_ref
KERNEL copy_ring2(int *in, int *out) { ring<2, 0>(in, out); }
//! copy_ring3 grid=1 block=64 args=in:256,out:256 ref=double_ref
KERNEL copy_ring3(int *in, int *out) { ring<3, 0>(in, out); }
//! copy_ring4 grid=1 block=64 args=in:256,out:256 ref=double_ref
KERNEL copy_ring4(int *in, int *out) { ring<4, 0>(in, out); }
//! copy_ring_early grid=1 block=64 args=in:256,out:256 expect=race
KERNEL copy_ring_early(int *in, int *out) { ring<3, 1>(in, out); }
//! copy_ring_wrong_stage grid=1 block=64 args=in:256,out:256 expect=race
KERNEL copy_ring_wrong_stage(int *in, int *out) { ring<3, 3>(in, out); }
// cp.async that arrives on an mbarrier.
template <int B> INLINE void copyMbar(int *in, int *out) {
  __shared__ int s[64];
  __shared__ u64 bar;
  int t = tidx();
  if (t == 0)
    mbarInit(sh(&bar), 64);
  if (B != 1)
    barSync(0);
  copy4(sh(s + t), gl(in + t));
  copyArrive(sh(&bar));
  if (B != 2)
    mbarWait(sh(&bar), 0);
  out[t] = 2 * s[63 - t];
}
//! copy_mbarrier grid=1 block=64 args=in:64,out:64 ref=copy_mbarrier_ref
KERNEL copy_mbarrier(int *in, int *out) { copyMbar<0>(in, out); }
//! copy_mbarrier_init_race grid=1 block=64 args=in:64,out:64 expect=race|fault:not_initialised
KERNEL copy_mbarrier_init_race(int *in, int *out) { copyMbar<1>(in, out); }
//! copy_mbarrier_no_wait grid=1 block=64 args=in:64,out:64 expect=race
KERNEL copy_mbarrier_no_wait(int *in, int *out) { copyMbar<2>(in, out); }
KERNEL copy_mbarrier_ref(int *in, int *out) {
  for (int i = 0; i < 64; ++i)
    out[i] = 2 * in[63 - i];
}
// mbarriers alone
template <int B> INLINE void mbarExchange(int *in, int *out) {
  __shared__ int s[64];
  __shared__ u64 bar;
  int t = tidx();
  if (t == 0 && B != 4)
    mbarInit(sh(&bar), B == 1 ? 65 : 64);
  barSync(0);
  for (int round = 0; round < 4; round += 2) {
    s[t] = in[64 * round + t];
    mbarArrive(sh(&bar));
    mbarWait(sh(&bar), B == 2 ? 1 : 0);
    out[64 * round + 63 - t] = 2 * s[63 - t];
    out[64 * round + 64 + t] = 2 * in[64 * round + 64 + t];
    if (B != 3)
      mbarArrive(sh(&bar));
    if (B != 3)
      mbarWait(sh(&bar), 1);
    else
      barSync(0);
  }
}
//! mbarrier_exchange grid=1 block=64 args=in:256,out:256 ref=double_ref
KERNEL mbarrier_exchange(int *in, int *out) { mbarExchange<0>(in, out); }
//! mbarrier_too_few grid=1 block=64 args=in:256,out:256 expect=deadlock
KERNEL mbarrier_too_few(int *in, int *out) { mbarExchange<1>(in, out); }
//! mbarrier_wrong_parity grid=1 block=64 args=in:256,out:256 expect=race|fault:arrivals|deadlock
KERNEL mbarrier_wrong_parity(int *in, int *out) { mbarExchange<2>(in, out); }
//! mbarrier_stale_parity grid=1 block=64 args=in:256,out:256 expect=race|fault:arrivals|deadlock
KERNEL mbarrier_stale_parity(int *in, int *out) { mbarExchange<3>(in, out); }
//! mbarrier_not_initialised grid=1 block=64 args=in:256,out:256 expect=fault:not_initialised|fault:uninitialised
KERNEL mbarrier_not_initialised(int *in, int *out) { mbarExchange<4>(in, out); }
//! mbarrier_token grid=1 block=64 args=in:256,out:256 ref=double_ref
KERNEL mbarrier_token(int *in, int *out) {
  __shared__ int s[64];
  __shared__ u64 bar;
  int t = tidx();
  if (t == 0)
    mbarInit(sh(&bar), 64);
  barSync(0);
  for (int i = 0; i < 4; ++i) {
    s[t] = in[64 * i + t];
    u64 token = mbarArrive(sh(&bar));
    while (!mbarTest(sh(&bar), token))
      ;
    out[64 * i + 63 - t] = 2 * s[63 - t];
    token = mbarArrive(sh(&bar));
    while (!mbarTest(sh(&bar), token))
      ;
  }
}
// Warp 0 fills a ring by bulk copies, warp 1 empties it.
template <int Stages, int B> INLINE void bulkRing(int *in, int *out) {
  alignas(128) __shared__ int s[Stages][32];
  __shared__ u64 full[Stages], empty[Stages];
  int t = tidx();
  if (t == 0)
    for (int i = 0; i < Stages; ++i) {
      mbarInit(sh(full + i), 1);
      mbarInit(sh(empty + i), 32);
    }
  barSync(0);
  if (t == 0) {
    for (int i = 0; i < 8; ++i) {
      int st = i % Stages, use = i / Stages;
      if (use && B != 1)
        mbarWait(sh(empty + st), (use + 1) & 1);
      mbarExpect(sh(full + st), B == 2 ? 64 : B == 3 ? 256 : 128);
      bulkLoad(sh(s[st]), sh(full + st), gl(in + 32 * i), 128, 0, false);
    }
  } else if (t >= 32) {
    for (int i = 0; i < 8; ++i) {
      int st = i % Stages, use = i / Stages;
      if (B != 4)
        mbarWait(sh(full + st), B == 5 ? (use + 1) & 1 : use & 1);
      out[32 * i + t - 32] = 2 * s[st][t - 32];
      mbarArrive(sh(empty + st));
    }
  }
}
//! bulk_ring1 grid=1 block=64 args=in:256,out:256 ref=double_ref
KERNEL bulk_ring1(int *in, int *out) { bulkRing<1, 0>(in, out); }
//! bulk_ring2 grid=1 block=64 args=in:256,out:256 ref=double_ref
KERNEL bulk_ring2(int *in, int *out) { bulkRing<2, 0>(in, out); }
//! bulk_ring4 grid=1 block=64 args=in:256,out:256 ref=double_ref
KERNEL bulk_ring4(int *in, int *out) { bulkRing<4, 0>(in, out); }
//! bulk_ring_no_empty_wait grid=1 block=64 args=in:256,out:256 expect=race|fault:arrivals|deadlock
KERNEL bulk_ring_no_empty_wait(int *in, int *out) { bulkRing<2, 1>(in, out); }
//! bulk_ring_expects_too_little grid=1 block=64 args=in:256,out:256 expect=race|deadlock|fault:transaction
KERNEL bulk_ring_expects_too_little(int *in, int *out) { bulkRing<2, 2>(in, out); }
//! bulk_ring_expects_too_much grid=1 block=64 args=in:256,out:256 expect=deadlock
KERNEL bulk_ring_expects_too_much(int *in, int *out) { bulkRing<2, 3>(in, out); }
//! bulk_ring_no_full_wait grid=1 block=64 args=in:256,out:256 expect=race
KERNEL bulk_ring_no_full_wait(int *in, int *out) { bulkRing<2, 4>(in, out); }
//! bulk_ring_wrong_parity grid=1 block=64 args=in:256,out:256 expect=race|deadlock
KERNEL bulk_ring_wrong_parity(int *in, int *out) { bulkRing<2, 5>(in, out); }
template <int B> INLINE void bulkOut(int *in, int *out) {
  alignas(128) __shared__ int s[64];
  int t = tidx();
  for (int i = 0; i < 4; ++i) {
    s[t] = 2 * in[64 * i + t];
    if (B != 1)
      proxyFence();
    barSync(0);
    if (t == 0) {
      bulkStore(gl(out + 64 * i), sh(s), B == 3 ? 200 : 256, 0, false);
      bulkCommit();
      if (B != 2)
        bulkWaitRead(0);
    }
    barSync(0);
  }
  if (t == 0)
    bulkWait(0);
}
//! bulk_store grid=1 block=64 args=in:256,out:256 ref=double_ref
KERNEL bulk_store(int *in, int *out) { bulkOut<0>(in, out); }
//! bulk_store_no_proxy_fence grid=1 block=64 args=in:256,out:256 expect=race
KERNEL bulk_store_no_proxy_fence(int *in, int *out) { bulkOut<1>(in, out); }
//! bulk_store_no_read_wait grid=1 block=64 args=in:256,out:256 expect=race
KERNEL bulk_store_no_read_wait(int *in, int *out) { bulkOut<2>(in, out); }
//! bulk_store_odd_size grid=1 block=64 args=in:256,out:256 expect=fault:multiple
KERNEL bulk_store_odd_size(int *in, int *out) { bulkOut<3>(in, out); }
