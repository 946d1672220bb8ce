// Products that accumulate in tensor memory: D (128 x 32) = A (128 x 64 steps) * B (32 x 64 steps).
// Rows of 64 halves lie in 128 bytes of shared memory, their 16-byte pieces swizzled by the row.
#include "device.h"
typedef _Float16 half;

// Bits that say "f16, sums in f32, M = 128, N = 32".
#define PRODUCT (1 << 4 | 32 / 8 << 17 | 128 / 16 << 24)

INLINE u64 describe(void *p, int version) {
  u64 address = (u64)sh((char *)p);
  return (address & 0x3ffff) >> 4 | (u64)1 << 16 | (u64)(1024 / 16) << 32 | (u64)version << 46 |
         (u64)2 << 61;
}
INLINE int at(int row, int column) { // of a swizzled tile
  return 64 * row + (column / 8 ^ row % 8) * 8 + column % 8;
}
INLINE TENSOR void *tensor(int address) { return (TENSOR void *)(u64)(u32)address; }

// One set for all kernels: a file's shared memory is laid out once.
alignas(1024) __shared__ half sa[128 * 64];
alignas(1024) __shared__ half sb[32 * 64];
__shared__ u64 done;
__shared__ int where;

// What is broken, by number; 0 is correct.
enum {
  Fine, NoProxyFence, NoWaitForLast, NoCommit, NoWaitForSlot, NoFenceAfter, NoWaitLd, NoFree,
  FreesOther, Odd, Small, OtherLanes, OtherColumns, AccumulatesFirst, StepOf16, NoVersion,
  WholeWarp, AllocLate, FreesEarly, CommitsEarly, Casts, CastMisses, CastOutside, SecondTile, SecondTileNoBefore,
  SecondTileNoWaitLd, SecondTileNoAfter
};

// The tensor core tells both blocks of a cluster.
OP void tensorCommitCast(SHARED u64 *, short) asm("llvm.nvvm.tcgen05.commit.mc.shared.cg1");
constexpr bool casts(int b) { return b >= Casts && b <= CastOutside; }

template <int B> INLINE void product(half *a, half *b, float *c, int steps) {
  const int t = tidx(), w = t / 32, columns = B == Odd ? 48 : B == Small ? 16 : 32;
  const int tiles = B >= SecondTile ? 2 : 1;
  if (w == 0) {
    if (B == AllocLate)
      tensorRelinquish();
    tensorAlloc(sh(&where), columns);
    tensorRelinquish();
  }
  if (t == 0)
    mbarInit(sh(&done), casts(B) ? 2 : 1);
  if (casts(B)) {
    clusterArrive();
    clusterWait();
  }
  barSync(0);
  const int base = *sh(&where);
  int round = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    for (int k = 0; k < steps; ++k, ++round) {
      if (round && B != NoWaitForSlot)
        mbarWait(sh(&done), (round - 1) & 1);
      for (int i = t; i < 128 * 64; i += 128)
        sa[at(i / 64, i % 64)] = a[64 * steps * (i / 64) + 64 * k + i % 64];
      for (int i = t; i < 32 * 64; i += 128)
        sb[at(i / 64, i % 64)] = b[64 * steps * (i / 64) + 64 * k + i % 64];
      if (B != NoProxyFence)
        proxyFence();
      if (B != SecondTileNoBefore)
        tensorBefore();
      barSync(0);
      if (B != SecondTileNoAfter)
        tensorAfter();
      if (t == 0 || (B == WholeWarp && w == 0)) {
        if (B == CommitsEarly)
          tensorCommit(sh(&done));
        for (int s = 0; s < 4; ++s) {
          const int step = s * (B == StepOf16 ? 1 : 2), version = B != NoVersion;
          tensorMma(tensor(base + (B == OtherColumns ? 16 : 0)), describe(sa, version) + step,
                    describe(sb, version) + step, PRODUCT, k || s || B == AccumulatesFirst, 0, 1, 0);
        }
        if (casts(B))
          tensorCommitCast(sh(&done), B == CastMisses ? 1 : B == CastOutside ? 7 : 3);
        else if (B != NoCommit && B != CommitsEarly)
          tensorCommit(sh(&done));
      }
    }
    if (B != NoWaitForLast && B != FreesEarly)
      mbarWait(sh(&done), (round - 1) & 1);
    if (B != NoFenceAfter)
      tensorAfter();
    const int lanes = 32 * (B == OtherLanes ? (w + 1) % 4 : w);
    if (B != FreesEarly) {
      v32 d = tensorLd32(tensor(base + (lanes << 16)), false);
      if (B != NoWaitLd && B != SecondTileNoWaitLd)
        tensorWaitLd();
      if (B == SecondTileNoWaitLd && tile == 0)
        continue;
      if (casts(B) && ctarank())
        continue;
      for (int i = 0; i < 32; ++i)
        ((int *)c)[32 * t + i] = d[i];
    }
  }
  tensorBefore();
  barSync(0);
  tensorAfter();
  if (w == 0 && B != NoFree)
    tensorFree(tensor(base), B == FreesOther ? 64 : 32);
  if (casts(B)) {
    clusterArrive();
    clusterWait();
  }
}

//! tensor_one grid=2 block=128 args=half:8192,half:2048,out:4096,i:1 ref=tensor_ref
KERNEL tensor_one(half *a, half *b, float *c, int s) { product<Fine>(a, b, c, 1); }
//! tensor_loop grid=1 block=128 args=half:24576,half:6144,out:4096,i:3 ref=tensor_ref
KERNEL tensor_loop(half *a, half *b, float *c, int s) { product<Fine>(a, b, c, s); }
//! tensor_two_tiles grid=1 block=128 args=half:16384,half:4096,out:4096,i:2 ref=tensor_ref
KERNEL tensor_two_tiles(half *a, half *b, float *c, int s) { product<SecondTile>(a, b, c, s); }
//! tensor_casts grid=2 block=128 cluster=2 args=half:24576,half:6144,out:4096,i:3 ref=tensor_ref
KERNEL tensor_casts(half *a, half *b, float *c, int s) { product<Casts>(a, b, c, s); }
//! tensor_cast_misses grid=2 block=128 cluster=2 args=half:8192,half:2048,out:4096,i:1 expect=deadlock
KERNEL tensor_cast_misses(half *a, half *b, float *c, int s) { product<CastMisses>(a, b, c, s); }
//! tensor_cast_outside grid=2 block=128 cluster=2 args=half:8192,half:2048,out:4096,i:1 expect=fault:multicast
KERNEL tensor_cast_outside(half *a, half *b, float *c, int s) { product<CastOutside>(a, b, c, s); }
//! tensor_no_proxy_fence grid=1 block=128 args=half:8192,half:2048,out:4096,i:1 expect=race
KERNEL tensor_no_proxy_fence(half *a, half *b, float *c, int s) { product<NoProxyFence>(a, b, c, s); }
//! tensor_reads_early grid=1 block=128 args=half:8192,half:2048,out:4096,i:1 expect=race|fault:waited_for
KERNEL tensor_reads_early(half *a, half *b, float *c, int s) { product<NoWaitForLast>(a, b, c, s); }
//! tensor_no_commit grid=1 block=128 args=half:8192,half:2048,out:4096,i:1 expect=deadlock
KERNEL tensor_no_commit(half *a, half *b, float *c, int s) { product<NoCommit>(a, b, c, s); }
//! tensor_commits_early grid=1 block=128 args=half:8192,half:2048,out:4096,i:1 expect=race|fault:waited_for
KERNEL tensor_commits_early(half *a, half *b, float *c, int s) { product<CommitsEarly>(a, b, c, s); }
//! tensor_overwrites_slot grid=1 block=128 args=half:24576,half:6144,out:4096,i:3 expect=race
KERNEL tensor_overwrites_slot(half *a, half *b, float *c, int s) { product<NoWaitForSlot>(a, b, c, s); }
//! tensor_no_fence_after grid=1 block=128 args=half:8192,half:2048,out:4096,i:1 expect=race
KERNEL tensor_no_fence_after(half *a, half *b, float *c, int s) { product<NoFenceAfter>(a, b, c, s); }
//! tensor_no_wait_ld grid=1 block=128 args=half:8192,half:2048,out:4096,i:1 expect=fault:used_before
KERNEL tensor_no_wait_ld(half *a, half *b, float *c, int s) { product<NoWaitLd>(a, b, c, s); }
//! tensor_no_free grid=1 block=128 args=half:8192,half:2048,out:4096,i:1 expect=fault:block_ends_with_32_columns
KERNEL tensor_no_free(half *a, half *b, float *c, int s) { product<NoFree>(a, b, c, s); }
//! tensor_frees_other grid=1 block=128 args=half:8192,half:2048,out:4096,i:1 expect=fault:not_allocated_so
KERNEL tensor_frees_other(half *a, half *b, float *c, int s) { product<FreesOther>(a, b, c, s); }
//! tensor_frees_early grid=1 block=128 args=half:8192,half:2048,out:4096,i:1 expect=race|fault:in_flight
KERNEL tensor_frees_early(half *a, half *b, float *c, int s) { product<FreesEarly>(a, b, c, s); }
//! tensor_odd_columns grid=1 block=128 args=half:8192,half:2048,out:4096,i:1 expect=fault:power_of_two
KERNEL tensor_odd_columns(half *a, half *b, float *c, int s) { product<Odd>(a, b, c, s); }
//! tensor_few_columns grid=1 block=128 args=half:8192,half:2048,out:4096,i:1 expect=fault:power_of_two
KERNEL tensor_few_columns(half *a, half *b, float *c, int s) { product<Small>(a, b, c, s); }
//! tensor_alloc_late grid=1 block=128 args=half:8192,half:2048,out:4096,i:1 expect=fault:relinquished
KERNEL tensor_alloc_late(half *a, half *b, float *c, int s) { product<AllocLate>(a, b, c, s); }
//! tensor_other_lanes grid=1 block=128 args=half:8192,half:2048,out:4096,i:1 expect=fault:that_reaches_lanes
KERNEL tensor_other_lanes(half *a, half *b, float *c, int s) { product<OtherLanes>(a, b, c, s); }
//! tensor_other_columns grid=1 block=128 args=half:8192,half:2048,out:4096,i:1 expect=fault:not_allocated
KERNEL tensor_other_columns(half *a, half *b, float *c, int s) { product<OtherColumns>(a, b, c, s); }
//! tensor_accumulates_first grid=1 block=128 args=half:8192,half:2048,out:4096,i:1 expect=fault:uninitialised
KERNEL tensor_accumulates_first(half *a, half *b, float *c, int s) { product<AccumulatesFirst>(a, b, c, s); }
//! tensor_step_of_16 grid=1 block=128 args=half:8192,half:2048,out:4096,i:1 ref=tensor_ref expect=result
KERNEL tensor_step_of_16(half *a, half *b, float *c, int s) { product<StepOf16>(a, b, c, s); }
//! tensor_no_version grid=1 block=128 args=half:8192,half:2048,out:4096,i:1 expect=fault:bits_46_to_48
KERNEL tensor_no_version(half *a, half *b, float *c, int s) { product<NoVersion>(a, b, c, s); }
//! tensor_whole_warp grid=1 block=128 args=half:8192,half:2048,out:4096,i:1 expect=race|fault:arrivals
KERNEL tensor_whole_warp(half *a, half *b, float *c, int s) { product<WholeWarp>(a, b, c, s); }
//! tensor_tile_no_before grid=1 block=128 args=half:8192,half:2048,out:4096,i:1 expect=race
KERNEL tensor_tile_no_before(half *a, half *b, float *c, int s) { product<SecondTileNoBefore>(a, b, c, s); }
//! tensor_tile_no_wait grid=1 block=128 args=half:8192,half:2048,out:4096,i:1 expect=race
KERNEL tensor_tile_no_wait(half *a, half *b, float *c, int s) { product<SecondTileNoWaitLd>(a, b, c, s); }
//! tensor_tile_no_after grid=1 block=128 args=half:8192,half:2048,out:4096,i:1 expect=race
KERNEL tensor_tile_no_after(half *a, half *b, float *c, int s) { product<SecondTileNoAfter>(a, b, c, s); }
KERNEL tensor_ref(half *a, half *b, float *c, int s) {
  for (int i = 0; i < 4096; ++i)
    for (int k = 0; k < 64 * s; ++k)
      c[i] += (float)a[64 * s * (i / 32) + k] * (float)b[64 * s * (i % 32) + k];
}

// Registers to tensor memory and back: another shape reads what rows of 32 bits wrote.
template <int B> INLINE void roundTrip(int *out) {
  const int t = tidx(), w = t / 32, lane = t % 32;
  if (w == 0)
    tensorAlloc(sh(&where), 32);
  barSync(0);
  const int base = *sh(&where) + (32 * w << 16);
  v32 d;
  for (int i = 0; i < 32; ++i)
    d[i] = 100 * t + i;
  tensorSt32(tensor(base), d, false);
  if (B != 1)
    tensorWaitSt();
  for (int half = 0; half < 2; ++half)
    for (int i = 0; i < 4; ++i) {
      v4 e = tensorLd4(tensor(base + (16 * half << 16) + 8 * i), false);
      tensorWaitLd();
      for (int r = 0; r < 4; ++r)
        out[32 * (32 * w + 16 * half + lane / 4 + 8 * (r / 2)) + 8 * i + 2 * (lane % 4) + r % 2] =
            e[r];
    }
  tensorBefore();
  barSync(0);
  tensorAfter();
  if (w == (B == 2 ? 4 : 0))
    tensorFree(tensor(*sh(&where)), 32);
}
//! tensor_round_trip grid=1 block=128 args=out:4096 ref=trip_ref
KERNEL tensor_round_trip(int *out) { roundTrip<0>(out); }
//! tensor_no_wait_st grid=1 block=128 args=out:4096 expect=fault:not_waited_for
KERNEL tensor_no_wait_st(int *out) { roundTrip<1>(out); }
//! tensor_nobody_frees grid=1 block=128 args=out:4096 expect=fault:block_ends
KERNEL tensor_nobody_frees(int *out) { roundTrip<2>(out); }
KERNEL trip_ref(int *out) {
  for (int i = 0; i < 4096; ++i)
    out[i] = 100 * (i / 32) + i % 32;
}

// Every warp changes its columns again and again, whichever of its threads comes last each time: B waits for
// its load (0) or not (1).
template <int B> INLINE void countUp(int *out) {
  const int t = tidx(), w = t / 32;
  if (w == 0)
    tensorAlloc(sh(&where), 64);
  barSync(0);
  const int base = *sh(&where) + (32 * (w % 4) << 16) + 32 * (w / 4);
  v32 d;
  for (int i = 0; i < 32; ++i)
    d[i] = t + i;
  tensorSt32(tensor(base), d, false);
  tensorWaitSt();
  for (int turn = 0; turn < 40; ++turn) {
    v32 e = tensorLd32(tensor(base), false);
    if (B == 0)
      tensorWaitLd();
    tensorSt32(tensor(base), B == 0 ? e + 1 : d, false);
    tensorWaitSt();
    d = e;
  }
  d = tensorLd32(tensor(base), false);
  tensorWaitLd();
  for (int i = 0; i < 32; ++i)
    out[32 * t + i] = d[i];
  tensorBefore();
  barSync(0);
  tensorAfter();
  if (w == 0)
    tensorFree(tensor(*sh(&where)), 64);
}
//! tensor_counts grid=1 block=256 args=out:8192 ref=counts_ref
KERNEL tensor_counts(int *out) { countUp<0>(out); }
//! tensor_counts_early grid=1 block=256 args=out:8192 expect=race|fault:used_before
KERNEL tensor_counts_early(int *out) { countUp<1>(out); }
KERNEL counts_ref(int *out) {
  for (int i = 0; i < 8192; ++i)
    out[i] = i / 32 + i % 32 + 40;
}

// D (128 x 32) = A (128 x 64) * B (32 x 64) of e4m3, each block of 32 along K with a scale: those of A
// in columns 32 to 35 of tensor memory, of B in 36 to 39.
#define SCALED (32 / 8 << 17 | 1 << 23 | 128 / 16 << 24)
alignas(16) __shared__ unsigned char na[2 * 4096], nb[2 * 1024], ns[2 * 512];
enum {
  NoScales = 1, NoScaleFence, ScalesElsewhere, CopyAtLane, OtherByte, ScalesChange, TypeOfScales,
  LoadsScales
};

INLINE int number(int line, int k) { return (line + 3 * k + k / 32 * line) % 4 - 1; }
INLINE unsigned char narrow(int value) { // as e4m3
  return value < 0 ? 0xb8 : value == 0 ? 0 : value == 1 ? 0x38 : 0x40;
}
INLINE int exponent(int line, int block) { return (line * 3 + 2 * block) % 5 - 2; }
INLINE u64 plain(void *p, int lines) { // rows of 16 bytes, eight follow each other
  u64 address = (u64)sh((char *)p);
  return (address & 0x3ffff) >> 4 | (u64)(128 / 16) << 16 | (u64)(lines / 16) << 32 | (u64)1 << 46;
}

template <int B> INLINE void scaledProduct(float *c) {
  const int t = tidx(), w = t / 32;
  if (w == 0)
    tensorAlloc(sh(&where), 64);
  if (t == 0)
    mbarInit(sh(&done), 1);
  for (int k = 0; k < 64; ++k) {
    const int place = t / 8 * 256 + k % 32 / 16 * 128 + t % 8 * 16 + k % 16;
    na[k / 32 * 4096 + place] = narrow(number(t, k));
    if (t < 32)
      nb[k / 32 * 1024 + place] = narrow(number(2 * t, k));
  }
  if (B == NoScaleFence)
    proxyFence();
  for (int block = 0; block < 4; ++block) {
    ns[t % 32 * 16 + t / 32 * 4 + block] = block < 2 ? 127 + exponent(t, block) : 0xff;
    ns[512 + t % 32 * 16 + t / 32 * 4 + block] = block < 2 ? 127 + exponent(t + 1, block) : 0xff;
  }
  if (B != NoScaleFence)
    proxyFence();
  tensorBefore();
  barSync(0);
  tensorAfter();
  const int base = *sh(&where);
  if (t == 0) {
    const int elsewhere = B == ScalesElsewhere ? 32 : 0, lane = B == CopyAtLane ? 32 << 16 : 0;
    tensorCopyScales(tensor(base + 32 + elsewhere + lane), plain(ns, 128));
    if (B != NoScales)
      tensorCopyScales(tensor(base + 36), plain(ns + 512, 128));
    if (B == ScalesChange)
      ns[0] = 1;
    for (int s = 0; s < 2; ++s) {
      const int byte = B == OtherByte ? 1 - s : s, type = B == TypeOfScales ? 1 << 23 : 0;
      tensorMmaScaled(tensor(base), plain(na + 4096 * s, 256), plain(nb + 1024 * s, 256),
                      (SCALED ^ type) | byte << 4 | byte << 29, s, tensor(base + 32),
                      tensor(base + 36), 1, 0);
    }
    tensorCommit(sh(&done));
  }
  if (B == LoadsScales) {
    v4 words = tensorLd4(tensor(base + (32 * w << 16) + 32), false);
    tensorWaitLd();
    ((int *)c)[t] = words[0];
  }
  mbarWait(sh(&done), 0);
  tensorAfter();
  v32 d = tensorLd32(tensor(base + (32 * w << 16)), false);
  tensorWaitLd();
  for (int i = 0; i < 32; ++i)
    ((int *)c)[32 * t + i] = d[i];
  tensorBefore();
  barSync(0);
  tensorAfter();
  if (w == 0)
    tensorFree(tensor(base), 64);
}
//! tensor_scaled grid=2 block=128 args=out:4096 ref=scaled_ref
KERNEL tensor_scaled(float *c) { scaledProduct<0>(c); }
//! tensor_no_scales grid=1 block=128 args=out:4096 expect=fault:uninitialised
KERNEL tensor_no_scales(float *c) { scaledProduct<NoScales>(c); }
//! tensor_no_scale_fence grid=1 block=128 args=out:4096 expect=race
KERNEL tensor_no_scale_fence(float *c) { scaledProduct<NoScaleFence>(c); }
//! tensor_scales_elsewhere grid=1 block=128 args=out:4096 expect=fault:not_allocated
KERNEL tensor_scales_elsewhere(float *c) { scaledProduct<ScalesElsewhere>(c); }
//! tensor_copy_at_lane grid=1 block=128 args=out:4096 expect=fault:begins_at_lane
KERNEL tensor_copy_at_lane(float *c) { scaledProduct<CopyAtLane>(c); }
//! tensor_other_byte grid=1 block=128 args=out:4096 ref=scaled_ref expect=result
KERNEL tensor_other_byte(float *c) { scaledProduct<OtherByte>(c); }
//! tensor_scales_change grid=1 block=128 args=out:4096 expect=race
KERNEL tensor_scales_change(float *c) { scaledProduct<ScalesChange>(c); }
//! tensor_type_of_scales grid=1 block=128 args=out:4096 expect=fault:type_of_scales
KERNEL tensor_type_of_scales(float *c) { scaledProduct<TypeOfScales>(c); }
//! tensor_loads_scales grid=1 block=128 args=out:4096 expect=race|fault:waited_for
KERNEL tensor_loads_scales(float *c) { scaledProduct<LoadsScales>(c); }
KERNEL scaled_ref(float *c) {
  for (int i = 0; i < 4096; ++i)
    for (int k = 0; k < 64; ++k) {
      float product = number(i / 32, k) * number(2 * (i % 32), k);
      const int e = exponent(i / 32, k / 32) + exponent(i % 32 + 1, k / 32);
      for (int j = 0; j < e; ++j)
        product *= 2;
      for (int j = 0; j > e; --j)
        product *= 0.5f;
      c[i] += product;
    }
}

// D (128 x 32) = A (128 x 128) * B (32 x 128) of e2m1, two to a byte. Runs of 32 or 16 along K have a
// scale: four of a row (or column of B) are a word, words for the first half of K (or for all of it)
// in columns 32 to 35 and 36 to 39 of tensor memory, for the second half behind them.
#define FOURS (32 / 8 << 17 | 128 / 16 << 24 | 1 << 7 | 1 << 10)
#define POWERS (1 << 23)
alignas(16) __shared__ unsigned char wa[2 * 4096], wb[2 * 1024], ws[4 * 512];
enum {
  SwapsNibbles = 1, ByteBetween, OtherHalf, NumbersOf32, TypeOfA, Transposes, OtherKind, NextWord
};

INLINE int four(int line, int k) { return (line * 3 + k) * (line + k + 3) % 7 % 4 - 1; }
INLINE int fourBits(int value) { // as e2m1
  return value < 0 ? 0xa : value == 0 ? 0 : value == 1 ? 2 : 4;
}
INLINE int factor(int line, int run) { return (line * (run + 1) + run * run) % 3; } // 1, 2 or 4

template <int Run, int B> INLINE void productOfFours(float *c) {
  const int t = tidx(), w = t / 32;
  if (w == 0)
    tensorAlloc(sh(&where), 64);
  if (t == 0)
    mbarInit(sh(&done), 1);
  for (int k = 0; k < 128; k += 2) {
    const int at = k / 2, place = t / 8 * 256 + at % 32 / 16 * 128 + t % 8 * 16 + at % 16;
    const int swap = B == SwapsNibbles ? 4 : 0;
    wa[at / 32 * 4096 + place] =
        fourBits(four(t, k)) << swap | fourBits(four(t, k + 1)) << (4 - swap);
    if (t < 32)
      wb[at / 32 * 1024 + place] = fourBits(four(2 * t, k)) | fourBits(four(2 * t, k + 1)) << 4;
  }
  const int bias = Run == 16 ? 7 : 127, place = Run == 16 ? 3 : 0; // e4m3: exponent from bit 3 on
  for (int run = 0; run < 128 / Run; ++run) {
    unsigned char *words = ws + run / 4 * 1024 + t % 32 * 16 + t / 32 * 4 + run % 4;
    words[0] = bias + factor(t, run) << place;
    words[512] = bias + factor(t + 1, run) << place;
  }
  proxyFence();
  tensorBefore();
  barSync(0);
  tensorAfter();
  const int base = *sh(&where);
  if (t == 0) {
    for (int piece = 0; piece < 64 / Run; ++piece)
      tensorCopyScales(tensor(base + 32 + 4 * piece), plain(ws + 512 * piece, 128));
    for (int s = 0; s < 2; ++s) {
      const u64 a = plain(wa + 4096 * s, 256), b = plain(wb + 1024 * s, 256);
      const int half = B == OtherHalf ? 1 - s : s;
      const int byte = (Run == 32 ? 2 * half : 0) + (B == ByteBetween);
      const int words = base + 32 + (Run == 16 && B != NextWord ? 8 * half : 0);
      const int type = (Run == 32 && B != NumbersOf32 ? POWERS : 0) ^ (B == TypeOfA ? 1 << 7 : 0) ^
                       (B == Transposes ? 1 << 15 : 0);
      const int instruction = (FOURS ^ type) | byte << 4 | byte << 29;
      if ((Run == 16) != (B == OtherKind))
        tensorMmaFours16(tensor(base), a, b, instruction, s, tensor(words), tensor(words + 4), 1, 0);
      else
        tensorMmaFours(tensor(base), a, b, instruction, s, tensor(words), tensor(words + 4), 1, 0);
    }
    tensorCommit(sh(&done));
  }
  mbarWait(sh(&done), 0);
  tensorAfter();
  v32 d = tensorLd32(tensor(base + (32 * w << 16)), false);
  tensorWaitLd();
  for (int i = 0; i < 32; ++i)
    ((int *)c)[32 * t + i] = d[i];
  tensorBefore();
  barSync(0);
  tensorAfter();
  if (w == 0)
    tensorFree(tensor(base), 64);
}
template <int Run> INLINE void foursRef(float *c) {
  for (int i = 0; i < 4096; ++i)
    for (int k = 0; k < 128; ++k)
      c[i] += four(i / 32, k) * four(2 * (i % 32), k) *
              (1 << factor(i / 32, k / Run) + factor(i % 32 + 1, k / Run));
}
//! tensor_fours grid=2 block=128 args=out:4096 ref=fours_ref
KERNEL tensor_fours(float *c) { productOfFours<32, 0>(c); }
//! tensor_fours_16 grid=2 block=128 args=out:4096 ref=fours_16_ref
KERNEL tensor_fours_16(float *c) { productOfFours<16, 0>(c); }
//! tensor_fours_swapped grid=1 block=128 args=out:4096 ref=fours_ref expect=result
KERNEL tensor_fours_swapped(float *c) { productOfFours<32, SwapsNibbles>(c); }
//! tensor_fours_other_half grid=1 block=128 args=out:4096 ref=fours_ref expect=result
KERNEL tensor_fours_other_half(float *c) { productOfFours<32, OtherHalf>(c); }
//! tensor_fours_16_other_half grid=1 block=128 args=out:4096 ref=fours_16_ref expect=result
KERNEL tensor_fours_16_other_half(float *c) { productOfFours<16, OtherHalf>(c); }
//! tensor_fours_16_next_word grid=1 block=128 args=out:4096 ref=fours_16_ref expect=result
KERNEL tensor_fours_16_next_word(float *c) { productOfFours<16, NextWord>(c); }
//! tensor_fours_byte_between grid=1 block=128 args=out:4096 expect=fault:first_scale_in_byte_1
KERNEL tensor_fours_byte_between(float *c) { productOfFours<32, ByteBetween>(c); }
//! tensor_fours_16_byte_between grid=1 block=128 args=out:4096 expect=fault:first_scale_in_byte_1
KERNEL tensor_fours_16_byte_between(float *c) { productOfFours<16, ByteBetween>(c); }
//! tensor_fours_numbers grid=1 block=128 args=out:4096 expect=fault:type_of_scales
KERNEL tensor_fours_numbers(float *c) { productOfFours<32, NumbersOf32>(c); }
//! tensor_fours_type_of_a grid=1 block=128 args=out:4096 expect=fault:type_of_A
KERNEL tensor_fours_type_of_a(float *c) { productOfFours<32, TypeOfA>(c); }
//! tensor_fours_transposed grid=1 block=128 args=out:4096 expect=fault:transposed_operand_of_4_bits
KERNEL tensor_fours_transposed(float *c) { productOfFours<16, Transposes>(c); }
//! tensor_fours_16_as_32 grid=1 block=128 args=out:4096 expect=fault:type_of_scales
KERNEL tensor_fours_16_as_32(float *c) { productOfFours<16, OtherKind>(c); }
KERNEL fours_ref(float *c) { foursRef<32>(c); }
KERNEL fours_16_ref(float *c) { foursRef<16>(c); }
