#include "device.h"
template <int B> INLINE void lock(int *value, int *mutex) {
  if (tidx() % 32)
    return;
  while (__scoped_atomic_exchange_n(mutex, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE))
    ;
  if (B != 1)
    fenceDevice();
  *value += 1;
  if (B == 3)
    fenceBlock();
  else if (B != 2)
    fenceDevice();
  if (B != 4)
    storeRelaxed(mutex, 0);
}
//! spin_lock grid=4 block=64 args=out:1,tmp:1 ref=spin_ref
KERNEL spin_lock(int *v, int *m) { lock<0>(v, m); }
//! spin_lock_no_acquire grid=4 block=64 args=out:1,tmp:1 expect=race
KERNEL spin_lock_no_acquire(int *v, int *m) { lock<1>(v, m); }
//! spin_lock_no_release grid=4 block=64 args=out:1,tmp:1 expect=race
KERNEL spin_lock_no_release(int *v, int *m) { lock<2>(v, m); }
//! spin_lock_block_fence grid=4 block=32 args=out:1,tmp:1 expect=race
KERNEL spin_lock_block_fence(int *v, int *m) { lock<3>(v, m); }
//! spin_lock_kept grid=4 block=64 args=out:1,tmp:1 expect=timeout
KERNEL spin_lock_kept(int *v, int *m) { lock<4>(v, m); }
KERNEL spin_ref(int *v, int *) { *v = 8; }
//! ticket_lock grid=4 block=64 args=out:1,tmp:2 ref=spin_ref
KERNEL ticket_lock(int *v, int *m) {
  if (tidx() % 32)
    return;
  int mine = add(m, 1);
  while (__scoped_atomic_load_n(m + 1, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE) != mine)
    ;
  *v += 1;
  __scoped_atomic_store_n(m + 1, mine + 1, __ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE);
}
template <int Order> INLINE void handshake(int *out, int *data, int *flag) {
  if (tidx())
    return;
  if (bidx() == 0) {
    *data = 42;
    __scoped_atomic_store_n(flag, 1, Order, __MEMORY_SCOPE_DEVICE);
  } else {
    while (!__scoped_atomic_load_n(flag, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE))
      ;
    *out = *data;
  }
}
//! handshake_release grid=2 block=32 args=out:1,tmp:1,tmp:1 ref=handshake_ref
KERNEL handshake_release(int *o, int *d, int *f) { handshake<__ATOMIC_RELEASE>(o, d, f); }
//! handshake_relaxed grid=2 block=32 args=out:1,tmp:1,tmp:1 expect=race
KERNEL handshake_relaxed(int *o, int *d, int *f) { handshake<__ATOMIC_RELAXED>(o, d, f); }
KERNEL handshake_ref(int *o, int *, int *) { *o = 42; }
//! handshake_volatile grid=2 block=32 args=out:1,tmp:1,tmp:1 ref=handshake_ref
KERNEL handshake_volatile(int *o, int *d, volatile int *f) {
  if (tidx())
    return;
  if (bidx() == 0) {
    *d = 42;
    fenceDevice();
    *f = 1;
  } else {
    while (!*f)
      ;
    fenceDevice();
    *o = *d;
  }
}
//! last_block grid=4 block=64 args=in:256,out:1,tmp:4,tmp:1 ref=last_block_ref
KERNEL last_block(int *in, int *out, int *sums, int *done) {
  __shared__ int s, last;
  if (tidx() == 0)
    s = 0;
  barSync(0);
  add(&s, in[bidx() * 64 + tidx()]);
  barSync(0);
  if (tidx() == 0) {
    sums[bidx()] = s;
    fenceDevice();
    last = add(done, 1) == 3;
    fenceDevice();
  }
  barSync(0);
  if (last && tidx() == 0)
    *out = sums[0] + sums[1] + sums[2] + sums[3];
}
//! last_block_no_fence grid=4 block=64 args=in:256,out:1,tmp:4,tmp:1 expect=race
KERNEL last_block_no_fence(int *in, int *out, int *sums, int *done) {
  if (tidx() == 0) {
    sums[bidx()] = in[bidx()];
    if (add(done, 1) == 3)
      *out = sums[0] + sums[1] + sums[2] + sums[3];
  }
}
KERNEL last_block_ref(int *in, int *out, int *, int *) {
  for (int i = 0; i < 256; ++i)
    *out += in[i];
}
//! grid_barrier grid=4 block=64 args=in:4,out:4,tmp:4,tmp:1 ref=grid_barrier_ref
KERNEL grid_barrier(int *in, int *out, int *a, int *count) {
  if (tidx() == 0) {
    a[bidx()] = in[bidx()];
    __scoped_atomic_fetch_add(count, 1, __ATOMIC_ACQ_REL, __MEMORY_SCOPE_DEVICE);
    while (__scoped_atomic_load_n(count, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE) != nbid())
      ;
  }
  barSync(0);
  if (tidx() == 1)
    out[bidx()] = a[(bidx() + 1) % 4];
}
KERNEL grid_barrier_ref(int *in, int *out, int *, int *) {
  for (int i = 0; i < 4; ++i)
    out[i] = in[(i + 1) % 4];
}
// Warp 0 produces, the others consume: named barriers.
template <int B> INLINE void named(int *in, int *out) {
  __shared__ int s[32];
  int t = tidx(), w = t / 32, l = t % 32;
  for (int round = 0; round < 3; ++round) {
    if (w == 0) {
      if (round && B != 2)
        barSyncN(2, 96);
      s[l] = in[32 * round + l];
      barArriveN(1, B == 1 ? 64 : 96);
    } else {
      barSyncN(B == 3 ? 3 : 1, 96);
      out[64 * round + t - 32] = s[l];
      if (round < 2)
        barArriveN(2, 96);
    }
  }
}
//! named_barriers grid=1 block=96 args=in:96,out:192 ref=named_ref
KERNEL named_barriers(int *in, int *out) { named<0>(in, out); }
//! named_wrong_count grid=1 block=96 args=in:96,out:192 expect=fault:counts
KERNEL named_wrong_count(int *in, int *out) { named<1>(in, out); }
//! named_no_wait grid=1 block=96 args=in:96,out:192 expect=race|deadlock|fault:divergent
KERNEL named_no_wait(int *in, int *out) { named<2>(in, out); }
//! named_wrong_number grid=1 block=96 args=in:96,out:192 expect=deadlock
KERNEL named_wrong_number(int *in, int *out) { named<3>(in, out); }
KERNEL named_ref(int *in, int *out) {
  for (int i = 0; i < 192; ++i)
    out[i] = in[i / 64 * 32 + i % 32];
}
//! barrier_in_branch grid=1 block=64 args=in:64,out:64 expect=fault:divergent|deadlock
KERNEL barrier_in_branch(int *in, int *out) {
  __shared__ int s[64];
  s[tidx()] = in[tidx()];
  if (tidx() < 16)
    barSync(0);
  else if (in[0] >= 0)
    barSync(1);
  out[tidx()] = s[63 - tidx()];
}
//! barrier_never_reached grid=1 block=64 args=in:64,out:64 expect=deadlock
KERNEL barrier_never_reached(int *in, int *out) {
  __shared__ int flag;
  if (tidx() < 32)
    barSyncN(1, 64);
  else
    barSyncN(2, 64);
}
//! endless_loop grid=1 block=32 args=in:64,out:64 expect=timeout
KERNEL endless_loop(volatile int *in, int *out) {
  while (in[0] >= 0)
    out[tidx()] = 1;
}
//! null_pointer grid=1 block=32 args=in:64,i:0 expect=fault:null
KERNEL null_pointer(int *in, int zero) { ((int *)(u64)zero)[4] = in[0]; }
//! trap grid=1 block=32 args=in:64,i:0 expect=trapped
KERNEL trap(int *in, int) {
  if (in[tidx()] == 3)
    __builtin_trap();
}
