#include "device.h"
struct alignas(64) Map { char bytes[128]; };
#define TMAP const __attribute__((grid_constant)) Map
OP void load2(CLUSTER void *, SHARED u64 *, const void *, int, int, short, u64, bool, bool,
              int) asm("llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d");
OP void load1(CLUSTER void *, SHARED u64 *, const void *, int, short, u64, bool, bool,
              int) asm("llvm.nvvm.cp.async.bulk.tensor.g2s.tile.1d");
OP void load3(CLUSTER void *, SHARED u64 *, const void *, int, int, int, short, u64, bool, bool,
              int) asm("llvm.nvvm.cp.async.bulk.tensor.g2s.tile.3d");
OP void store2(SHARED void *, const void *, int, int, u64,
               bool) asm("llvm.nvvm.cp.async.bulk.tensor.s2g.tile.2d");
OP void reduceAdd2(SHARED void *, const void *, int, int, u64,
                   bool) asm("llvm.nvvm.cp.async.bulk.tensor.reduce.add.tile.2d");
OP void setAddress(void *, u64) asm("llvm.nvvm.tensormap.replace.global.address");
OP void releaseMap() asm("llvm.nvvm.fence.proxy.tensormap_generic.release.gpu");
OP void acquireMap(void *, int) asm("llvm.nvvm.fence.proxy.tensormap_generic.acquire.gpu");
INLINE CLUSTER void *toCluster(void *p) { return (CLUSTER void *)(SHARED void *)p; }

// Loads one box of 16 columns and 8 rows and writes it out row by row.
template <int Swizzle, int B> INLINE void box(Map *map, int *out, int x, int y) {
  alignas(1024) __shared__ int s[128];
  __shared__ u64 bar;
  int t = tidx();
  if (t == 0) {
    mbarInit(sh(&bar), 1);
    mbarExpect(sh(&bar), B == 2 ? 1024 : 512);
    load2(toCluster((char *)s + (B == 3 ? 16 : 0)), sh(&bar), map, x, y, 0, 0, false, false, 0);
  }
  barSync(0);
  if (B != 1)
    mbarWait(sh(&bar), 0);
  int at = 4 * t;
  if (Swizzle == 64)
    at ^= (at >> 7 & 3) << 4;
  if (Swizzle == 32)
    at ^= (at >> 7 & 1) << 4;
  out[t] = s[at / 4];
}
//! tma_load grid=1 block=128 args=in:1024,map:0:i32:32x32:16x8:0,out:128,i:4,i:5 ref=tma_ref
KERNEL tma_load(int *, TMAP map, int *out, int x, int y) { box<0, 0>((Map *)&map, out, x, y); }
//! tma_load_swizzle64 grid=1 block=128 args=in:1024,map:0:i32:32x32:16x8:2,out:128,i:4,i:5 ref=tma_ref
KERNEL tma_load_swizzle64(int *, TMAP map, int *out, int x, int y) { box<64, 0>((Map *)&map, out, x, y); }
//! tma_load_bounds grid=1 block=128 args=in:1024,map:0:i32:32x32:16x8:0,out:128,i:24,i:-3 ref=tma_ref
KERNEL tma_load_bounds(int *, TMAP map, int *out, int x, int y) { box<0, 0>((Map *)&map, out, x, y); }
//! tma_no_wait grid=1 block=128 args=in:1024,map:0:i32:32x32:16x8:0,out:128,i:4,i:5 expect=race
KERNEL tma_no_wait(int *, TMAP map, int *out, int x, int y) { box<0, 1>((Map *)&map, out, x, y); }
//! tma_expects_too_much grid=1 block=128 args=in:1024,map:0:i32:32x32:16x8:0,out:128,i:4,i:5 expect=deadlock
KERNEL tma_expects_too_much(int *, TMAP map, int *out, int x, int y) { box<0, 2>((Map *)&map, out, x, y); }
//! tma_misaligned grid=1 block=128 args=in:1024,map:0:i32:32x32:16x8:0,out:128,i:4,i:5 expect=fault:misaligned
KERNEL tma_misaligned(int *, TMAP map, int *out, int x, int y) { box<0, 3>((Map *)&map, out, x, y); }
//! tma_wrong_swizzle grid=1 block=128 args=in:1024,map:0:i32:32x32:16x8:0,out:128,i:4,i:5 ref=tma_ref expect=result
KERNEL tma_wrong_swizzle(int *, TMAP map, int *out, int x, int y) { box<64, 0>((Map *)&map, out, x, y); }
//! tma_wrong_rank grid=1 block=128 args=in:1024,map:0:i32:1024:16:0,out:128,i:4,i:5 expect=fault:rank
KERNEL tma_wrong_rank(int *, TMAP map, int *out, int x, int y) { box<0, 0>((Map *)&map, out, x, y); }
KERNEL tma_ref(int *in, TMAP, int *out, int x, int y) {
  for (int i = 0; i < 128; ++i) {
    int c = x + i % 16, r = y + i / 16;
    out[i] = c >= 0 && c < 32 && r >= 0 && r < 32 ? in[32 * r + c] : 0;
  }
}
//! tma_load_1d grid=1 block=64 args=in:1024,map:0:i32:1024:64:0,out:64 ref=tma_1d_ref
KERNEL tma_load_1d(int *, TMAP map, int *out) {
  alignas(128) __shared__ int s[64];
  __shared__ u64 bar;
  if (tidx() == 0) {
    mbarInit(sh(&bar), 1);
    mbarExpect(sh(&bar), 256);
    load1(toCluster(s), sh(&bar), &map, 100, 0, 0, false, false, 0);
  }
  barSync(0);
  mbarWait(sh(&bar), 0);
  out[tidx()] = s[tidx()];
}
KERNEL tma_1d_ref(int *in, TMAP, int *out) {
  for (int i = 0; i < 64; ++i)
    out[i] = in[100 + i];
}
// A copy brings what the block has written itself: behind a fence of all memory, not one of shared memory alone.
template <bool All> INLINE void loadOwn(int *own, Map *map, int *out) {
  alignas(128) __shared__ int s[64];
  __shared__ u64 bar;
  int t = tidx();
  own[t] = 5 * t;
  All ? proxyFenceAll() : proxyFence();
  barSync(0);
  if (t == 0) {
    mbarInit(sh(&bar), 1);
    mbarExpect(sh(&bar), 256);
    load1(toCluster(s), sh(&bar), map, 0, 0, 0, false, false, 0);
  }
  barSync(0);
  mbarWait(sh(&bar), 0);
  out[t] = s[t];
}
//! tma_load_own grid=1 block=64 args=out:64,map:0:i32:64:64:0,out:64 ref=tma_own_ref
KERNEL tma_load_own(int *own, TMAP map, int *out) { loadOwn<true>(own, (Map *)&map, out); }
//! tma_load_own_shared_fence grid=1 block=64 args=out:64,map:0:i32:64:64:0,out:64 expect=race
KERNEL tma_load_own_shared_fence(int *own, TMAP map, int *out) { loadOwn<false>(own, (Map *)&map, out); }
KERNEL tma_own_ref(int *own, TMAP, int *out) {
  for (int i = 0; i < 64; ++i)
    own[i] = out[i] = 5 * i;
}
//! tma_load_3d grid=1 block=64 args=in:1024,map:0:i32:16x8x8:4x4x4:0,out:64 ref=tma_3d_ref
KERNEL tma_load_3d(int *, TMAP map, int *out) {
  alignas(128) __shared__ int s[64];
  __shared__ u64 bar;
  if (tidx() == 0) {
    mbarInit(sh(&bar), 1);
    mbarExpect(sh(&bar), 256);
    load3(toCluster(s), sh(&bar), &map, 2, 3, 4, 0, 0, false, false, 0);
  }
  barSync(0);
  mbarWait(sh(&bar), 0);
  out[tidx()] = s[tidx()];
}
KERNEL tma_3d_ref(int *in, TMAP, int *out) {
  for (int i = 0; i < 64; ++i)
    out[i] = in[128 * (4 + i / 16) + 16 * (3 + i / 4 % 4) + 2 + i % 4];
}
template <int B> INLINE void storeBox(int *in, Map *map) {
  alignas(1024) __shared__ int s[128];
  int t = tidx();
  s[t] = in[t];
  if (B != 1)
    proxyFence();
  barSync(0);
  if (t == 0) {
    if (B == 2)
      reduceAdd2(sh(s), map, 16, 8, 0, false);
    else
      store2(sh(s), map, 16, 8, 0, false);
    bulkCommit();
    bulkWait(0);
  }
}
//! tma_store grid=1 block=128 args=in:128,out:1024,map:1:i32:32x32:16x8:0 ref=tma_store_ref
KERNEL tma_store(int *in, int *, TMAP map) { storeBox<0>(in, (Map *)&map); }
//! tma_store_no_proxy_fence grid=1 block=128 args=in:128,out:1024,map:1:i32:32x32:16x8:0 expect=race
KERNEL tma_store_no_proxy_fence(int *in, int *, TMAP map) { storeBox<1>(in, (Map *)&map); }
//! tma_reduce grid=1 block=128 args=in:128,out:1024,map:1:i32:32x32:16x8:0 ref=tma_store_ref
KERNEL tma_reduce(int *in, int *, TMAP map) { storeBox<2>(in, (Map *)&map); }
KERNEL tma_store_ref(int *in, int *out, TMAP) {
  for (int i = 0; i < 128; ++i)
    out[32 * (8 + i / 16) + 16 + i % 16] = in[i];
}
// Two boxes go out through one slot; then somebody else reads the second one.
enum { SlotFine, NoReadWait, ReadWaitOnly, NoCompleteWait, NoWaitAtEnd, NotCommitted };
template <int B> INLINE void storeTwice(int *in, int *out, int *copy, Map *map) {
  alignas(1024) __shared__ int s[128];
  int t = tidx();
  for (int round = 0; round < 2; ++round) {
    if (round) {
      if (t == 0 && B != NoReadWait)
        bulkWaitRead(0);
      barSync(0);
    }
    s[t] = in[128 * round + t];
    proxyFence();
    barSync(0);
    if (t == 0) {
      store2(sh(s), map, 16 * round, 8, 0, false);
      if (B != NotCommitted)
        bulkCommit();
    }
  }
  if (t == 0) {
    if (B == ReadWaitOnly)
      bulkWaitRead(0);
    else if (B != NoCompleteWait && B != NoWaitAtEnd)
      bulkWait(0);
  }
  if (B == NoWaitAtEnd || B == NotCommitted)
    return;
  barSync(0);
  copy[t] = out[32 * (8 + t / 16) + 16 + t % 16];
  if (B == NoCompleteWait && t == 0)
    bulkWaitRead(0);
}
//! tma_store_slot grid=1 block=128 args=in:256,out:1024,out:128,map:1:i32:32x32:16x8:0 ref=tma_store_slot_ref
KERNEL tma_store_slot(int *in, int *out, int *copy, TMAP map) { storeTwice<SlotFine>(in, out, copy, (Map *)&map); }
//! tma_store_slot_reused grid=1 block=128 args=in:256,out:1024,out:128,map:1:i32:32x32:16x8:0 expect=race
KERNEL tma_store_slot_reused(int *in, int *out, int *copy, TMAP map) { storeTwice<NoReadWait>(in, out, copy, (Map *)&map); }
//! tma_store_read_wait_only grid=1 block=128 args=in:256,out:1024,out:128,map:1:i32:32x32:16x8:0 expect=race
KERNEL tma_store_read_wait_only(int *in, int *out, int *copy, TMAP map) { storeTwice<ReadWaitOnly>(in, out, copy, (Map *)&map); }
//! tma_store_no_complete_wait grid=1 block=128 args=in:256,out:1024,out:128,map:1:i32:32x32:16x8:0 expect=race
KERNEL tma_store_no_complete_wait(int *in, int *out, int *copy, TMAP map) { storeTwice<NoCompleteWait>(in, out, copy, (Map *)&map); }
//! tma_store_no_wait_at_end grid=1 block=128 args=in:256,out:1024,out:128,map:1:i32:32x32:16x8:0 expect=fault:exits_before
KERNEL tma_store_no_wait_at_end(int *in, int *out, int *copy, TMAP map) { storeTwice<NoWaitAtEnd>(in, out, copy, (Map *)&map); }
//! tma_store_not_committed grid=1 block=128 args=in:256,out:1024,out:128,map:1:i32:32x32:16x8:0 expect=race|fault:exits_before
KERNEL tma_store_not_committed(int *in, int *out, int *copy, TMAP map) { storeTwice<NotCommitted>(in, out, copy, (Map *)&map); }
KERNEL tma_store_slot_ref(int *in, int *out, int *copy, TMAP) {
  for (int i = 0; i < 256; ++i)
    out[32 * (8 + i % 128 / 16) + i / 128 * 16 + i % 16] = in[i];
  for (int i = 0; i < 128; ++i)
    copy[i] = in[128 + i];
}
// Waiting for the reads alone, a block may end: its writes land by the kernel's end.
//! tma_store_reads_at_end grid=1 block=128 args=in:128,out:1024,map:1:i32:32x32:16x8:0 ref=tma_store_ref
KERNEL tma_store_reads_at_end(int *in, int *, TMAP map) {
  alignas(1024) __shared__ int s[128];
  int t = tidx();
  s[t] = in[t];
  proxyFence();
  barSync(0);
  if (t == 0) {
    store2(sh(s), &map, 16, 8, 0, false);
    bulkCommit();
    bulkWaitRead(0);
    s[0] = 99; // the copy has it
  }
}
// Every block of the cluster gets the box from block 0.
//! tma_multicast grid=2 block=128 cluster=2 args=in:1024,map:0:i32:32x32:16x8:0,out:256 ref=tma_multicast_ref
KERNEL tma_multicast(int *, TMAP map, int *out) {
  alignas(1024) __shared__ int s[128];
  __shared__ u64 bar;
  int t = tidx();
  if (t == 0) {
    mbarInit(sh(&bar), 1);
    mbarExpect(sh(&bar), 512);
  }
  clusterArrive();
  clusterWait();
  if (t == 0 && ctarank() == 0)
    load2(toCluster(s), sh(&bar), &map, 4, 5, 3, 0, true, false, 0);
  mbarWait(sh(&bar), 0);
  out[128 * bidx() + t] = s[t];
  clusterArrive();
  clusterWait();
}
KERNEL tma_multicast_ref(int *in, TMAP, int *out) {
  for (int i = 0; i < 256; ++i)
    out[i] = in[32 * (5 + i % 128 / 16) + 4 + i % 16];
}
// The blocks of a cluster fill one slot of each other, a half each, round by round; who has read it tells
// all who write it.
enum { RingFine, OwnEmpties, MissesBlock, OutsideOfCluster, LeavesEarly, StartsEarly };
OP void arriveRemote(CLUSTER u64 *, int) asm("llvm.nvvm.mbarrier.arrive.scope.cta.space.cluster");
template <int B> INLINE void castRing(Map *map, int *out) {
  alignas(1024) __shared__ int s[256];
  __shared__ u64 full, empty;
  int t = tidx(), rank = ctarank();
  CLUSTER u64 *theirs = (CLUSTER u64 *)mapShared(sh(&empty), t & 1);
  if (t == 0) {
    mbarInit(sh(&full), 1);
    mbarInit(sh(&empty), B == OwnEmpties ? 1 : 2);
  }
  if (B == StartsEarly) {
    barSync(0);
  } else {
    clusterArrive();
    clusterWait();
  }
  for (int r = 0; r < 3; ++r) {
    if (t == 0) {
      if (r)
        mbarWait(sh(&empty), (r - 1) & 1);
      mbarExpect(sh(&full), 1024);
      const short mask = B == MissesBlock ? 1 : B == OutsideOfCluster ? 7 : 3;
      load2(toCluster(s + 128 * rank), sh(&full), map, 4 * r, 8 * rank, mask, 0, true, false, 0);
    }
    mbarWait(sh(&full), r & 1);
    for (int i = t; i < 256; i += 128)
      out[256 * (3 * bidx() + r) + i] = s[i];
    barSync(0);
    if (B == OwnEmpties && t == 0)
      mbarArrive(sh(&empty));
    else if (B != OwnEmpties && t < 2)
      arriveRemote(theirs, 1);
  }
  if (B != LeavesEarly) {
    clusterArrive();
    clusterWait();
  }
}
//! tma_cast_ring grid=4 block=128 cluster=2 args=in:1024,map:0:i32:32x32:16x8:0,out:3072 ref=cast_ring_ref
KERNEL tma_cast_ring(int *, TMAP map, int *out) { castRing<RingFine>((Map *)&map, out); }
//! tma_cast_own_empties grid=2 block=128 cluster=2 args=in:1024,map:0:i32:32x32:16x8:0,out:1536 expect=race
KERNEL tma_cast_own_empties(int *, TMAP map, int *out) { castRing<OwnEmpties>((Map *)&map, out); }
//! tma_cast_misses_block grid=2 block=128 cluster=2 args=in:1024,map:0:i32:32x32:16x8:0,out:1536 expect=deadlock
KERNEL tma_cast_misses_block(int *, TMAP map, int *out) { castRing<MissesBlock>((Map *)&map, out); }
//! tma_cast_outside grid=2 block=128 cluster=2 args=in:1024,map:0:i32:32x32:16x8:0,out:1536 expect=fault:multicast
KERNEL tma_cast_outside(int *, TMAP map, int *out) { castRing<OutsideOfCluster>((Map *)&map, out); }
//! tma_cast_leaves_early grid=2 block=128 cluster=2 args=in:1024,map:0:i32:32x32:16x8:0,out:1536 expect=fault:exited
KERNEL tma_cast_leaves_early(int *, TMAP map, int *out) { castRing<LeavesEarly>((Map *)&map, out); }
//! tma_cast_starts_early grid=2 block=128 cluster=2 args=in:1024,map:0:i32:32x32:16x8:0,out:1536 expect=race|fault:initialised
KERNEL tma_cast_starts_early(int *, TMAP map, int *out) { castRing<StartsEarly>((Map *)&map, out); }
KERNEL cast_ring_ref(int *in, TMAP, int *out) {
  for (int i = 0; i < 3072; ++i) {
    const int round = i / 256 % 3, at = i % 256;
    out[i] = in[32 * (at / 16) + 4 * round + at % 16];
  }
}
// B: 0 correct, 1 not released, 2 not acquired
template <int B> INLINE void replaced(int *in, Map *map, int *out, int *space) {
  if (tidx() == 0) {
    for (int i = 0; i < 32; ++i)
      space[i] = ((int *)map)[i];
    setAddress(space, (u64)in);
    if (B != 1)
      releaseMap();
  }
  barSync(0);
  if (B != 2)
    acquireMap(space, 128);
  box<0, 0>((Map *)space, out, 4, 5);
}
//! tma_replaced_map grid=1 block=128 args=in:1024,map:2:i32:32x32:16x8:0,tmp:1024,out:128,tmp:64 ref=tma_replaced_ref
KERNEL tma_replaced_map(int *in, TMAP map, int *, int *out, int *space) {
  replaced<0>(in, (Map *)&map, out, space);
}
//! tma_replaced_not_released grid=1 block=128 args=in:1024,map:2:i32:32x32:16x8:0,tmp:1024,out:128,tmp:64 expect=fault:released
KERNEL tma_replaced_not_released(int *in, TMAP map, int *, int *out, int *space) {
  replaced<1>(in, (Map *)&map, out, space);
}
//! tma_replaced_not_acquired grid=1 block=128 args=in:1024,map:2:i32:32x32:16x8:0,tmp:1024,out:128,tmp:64 expect=fault:acquired
KERNEL tma_replaced_not_acquired(int *in, TMAP map, int *, int *out, int *space) {
  replaced<2>(in, (Map *)&map, out, space);
}
KERNEL tma_replaced_ref(int *in, TMAP, int *, int *out, int *) {
  for (int i = 0; i < 128; ++i)
    out[i] = in[32 * (5 + i / 16) + 4 + i % 16];
}
// Clusters and distributed shared memory.
template <int B> INLINE void exchange(int *in, int *out) {
  __shared__ int s[32];
  int t = tidx(), rank = ctarank();
  s[t] = in[32 * bidx() + t];
  if (B == 1)
    barSync(0);
  else {
    B == 2 ? clusterArriveRelaxed() : clusterArrive();
    clusterWait();
  }
  CLUSTER int *theirs = (CLUSTER int *)mapShared(sh(s), B == 4 ? 4 : (rank + 1) % 4);
  out[32 * bidx() + t] = theirs[31 - t];
  if (B != 3) {
    clusterArrive();
    clusterWait();
  }
}
//! cluster_exchange grid=8 block=32 cluster=4 args=in:256,out:256 ref=exchange_ref
KERNEL cluster_exchange(int *in, int *out) { exchange<0>(in, out); }
//! cluster_no_barrier grid=4 block=32 cluster=4 args=in:256,out:256 expect=race
KERNEL cluster_no_barrier(int *in, int *out) { exchange<1>(in, out); }
//! cluster_relaxed grid=4 block=32 cluster=4 args=in:256,out:256 expect=race
KERNEL cluster_relaxed(int *in, int *out) { exchange<2>(in, out); }
//! cluster_exits_early grid=4 block=32 cluster=4 args=in:256,out:256 expect=fault:exited
KERNEL cluster_exits_early(int *in, int *out) { exchange<3>(in, out); }
//! cluster_wrong_rank grid=4 block=32 cluster=4 args=in:256,out:256 expect=fault:mapa
KERNEL cluster_wrong_rank(int *in, int *out) { exchange<4>(in, out); }
KERNEL exchange_ref(int *in, int *out) {
  for (int i = 0; i < 256; ++i) {
    int b = i / 32, from = b / 4 * 4 + (b % 4 + 1) % 4;
    out[i] = in[32 * from + 31 - i % 32];
  }
}
//! cluster_bulk_send grid=2 block=32 cluster=2 args=in:64,out:64 ref=bulk_send_ref
KERNEL cluster_bulk_send(int *in, int *out) {
  alignas(128) __shared__ int mine[32], theirs[32];
  __shared__ u64 bar;
  int t = tidx(), other = 1 - ctarank();
  mine[t] = in[32 * bidx() + t];
  if (t == 0) {
    mbarInit(sh(&bar), 1);
    mbarExpect(sh(&bar), 128);
  }
  proxyFence();
  clusterArrive();
  clusterWait();
  if (t == 0)
    bulkSend(mapShared(sh(theirs), other), (SHARED u64 *)(u64)(unsigned)(u64)mapShared(sh(&bar), other),
             sh(mine), 128);
  mbarWait(sh(&bar), 0);
  out[32 * bidx() + t] = theirs[t];
  clusterArrive();
  clusterWait();
}
KERNEL bulk_send_ref(int *in, int *out) {
  for (int i = 0; i < 64; ++i)
    out[i] = in[(i + 32) % 64];
}
