// What the suite's kernels need of CUDA: attributes, special registers and LLVM's device
// intrinsics, declared by their own names.
#pragma once
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define SHARED __attribute__((address_space(3)))
#define GLOBAL __attribute__((address_space(1)))
#define CLUSTER __attribute__((address_space(7)))
#define KERNEL extern "C" __global__ void
#define OP extern "C" __device__
typedef unsigned u32;
typedef unsigned long long u64;
typedef unsigned short u16;

OP int tidx() asm("llvm.nvvm.read.ptx.sreg.tid.x");
OP int ntid() asm("llvm.nvvm.read.ptx.sreg.ntid.x");
OP int bidx() asm("llvm.nvvm.read.ptx.sreg.ctaid.x");
OP int nbid() asm("llvm.nvvm.read.ptx.sreg.nctaid.x");
OP int ctarank() asm("llvm.nvvm.read.ptx.sreg.cluster.ctarank");
OP void barSync(int) asm("llvm.nvvm.barrier.cta.sync.aligned.all");
OP void barSyncN(int, int) asm("llvm.nvvm.barrier.cta.sync.aligned.count");
OP void barArriveN(int, int) asm("llvm.nvvm.barrier.cta.arrive.aligned.count");
OP int barPopc(int, bool) asm("llvm.nvvm.barrier.cta.red.popc.aligned.all");
OP void warpSync(int) asm("llvm.nvvm.bar.warp.sync");
OP int shflDown(int, int, int, int) asm("llvm.nvvm.shfl.sync.down.i32");
OP int shflUp(int, int, int, int) asm("llvm.nvvm.shfl.sync.up.i32");
OP int shflXor(int, int, int, int) asm("llvm.nvvm.shfl.sync.bfly.i32");
OP int shflIdx(int, int, int, int) asm("llvm.nvvm.shfl.sync.idx.i32");
OP int ballot(int, bool) asm("llvm.nvvm.vote.ballot.sync");
OP int reduxAdd(int, int) asm("llvm.nvvm.redux.sync.add");
OP int reduxMax(int, int) asm("llvm.nvvm.redux.sync.max");
OP int matchAny(int, int) asm("llvm.nvvm.match.any.sync.i32");
OP void fenceBlock() asm("llvm.nvvm.membar.cta");
OP void fenceDevice() asm("llvm.nvvm.membar.gl");
OP void proxyFence() asm("llvm.nvvm.fence.proxy.async.shared_cta");
OP void proxyFenceAll() asm("llvm.nvvm.fence.proxy.async");
OP void clusterArrive() asm("llvm.nvvm.barrier.cluster.arrive.aligned");
OP void clusterArriveRelaxed() asm("llvm.nvvm.barrier.cluster.arrive.relaxed.aligned");
OP void clusterWait() asm("llvm.nvvm.barrier.cluster.wait.aligned");
OP CLUSTER void *mapShared(SHARED void *, int) asm("llvm.nvvm.mapa.shared.cluster");
OP void mbarInit(SHARED u64 *, int) asm("llvm.nvvm.mbarrier.init.shared");
OP void mbarInval(SHARED u64 *) asm("llvm.nvvm.mbarrier.inval.shared");
OP u64 mbarArrive(SHARED u64 *) asm("llvm.nvvm.mbarrier.arrive.shared");
OP bool mbarTest(SHARED u64 *, u64) asm("llvm.nvvm.mbarrier.test.wait.shared");
OP bool mbarTryParity(SHARED u64 *,
                      int) asm("llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta");
OP u64 mbarExpect(SHARED u64 *, int) asm("llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta");
OP void copy4(SHARED void *, GLOBAL const void *) asm("llvm.nvvm.cp.async.ca.shared.global.4");
OP void copy16(SHARED void *, GLOBAL const void *) asm("llvm.nvvm.cp.async.cg.shared.global.16");
OP void copyCommit() asm("llvm.nvvm.cp.async.commit.group");
OP void copyWait(int) asm("llvm.nvvm.cp.async.wait.group");
OP void copyArrive(SHARED u64 *) asm("llvm.nvvm.cp.async.mbarrier.arrive.noinc.shared");
OP void bulkLoad(SHARED void *, SHARED u64 *, GLOBAL const void *, int, u64,
                 bool) asm("llvm.nvvm.cp.async.bulk.global.to.shared.cta");
OP void bulkLoadCast(CLUSTER void *, SHARED u64 *, GLOBAL const void *, int, short, u64, bool,
                     bool) asm("llvm.nvvm.cp.async.bulk.global.to.shared.cluster");
OP void bulkSend(CLUSTER void *, SHARED u64 *, SHARED void *,
                 int) asm("llvm.nvvm.cp.async.bulk.shared.cta.to.cluster");
OP void bulkStore(GLOBAL void *, SHARED void *, int, u64,
                  bool) asm("llvm.nvvm.cp.async.bulk.shared.cta.to.global");
OP void bulkCommit() asm("llvm.nvvm.cp.async.bulk.commit.group");
OP void bulkWait(int) asm("llvm.nvvm.cp.async.bulk.wait.group");
OP void bulkWaitRead(int) asm("llvm.nvvm.cp.async.bulk.wait.group.read");
OP int ldmatrix1(SHARED const void *) asm("llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.b16");
OP int ldmatrix1t(SHARED const void *) asm("llvm.nvvm.ldmatrix.sync.aligned.m8n8.x1.trans.b16");
OP void stmatrix1(SHARED void *, int) asm("llvm.nvvm.stmatrix.sync.aligned.m8n8.x1.b16");
OP void wgmmaFence() asm("llvm.nvvm.wgmma.fence.sync.aligned");
OP void wgmmaCommit() asm("llvm.nvvm.wgmma.commit_group.sync.aligned");
OP void wgmmaWait(u64) asm("llvm.nvvm.wgmma.wait_group.sync.aligned");

#define TENSOR __attribute__((address_space(6)))
typedef int v4 __attribute__((vector_size(16)));
typedef int v32 __attribute__((vector_size(128)));
OP void tensorAlloc(SHARED void *, int) asm("llvm.nvvm.tcgen05.alloc.shared.cg1");
OP void tensorFree(TENSOR void *, int) asm("llvm.nvvm.tcgen05.dealloc.cg1");
OP void tensorRelinquish() asm("llvm.nvvm.tcgen05.relinq.alloc.permit.cg1");
OP void tensorCommit(SHARED u64 *) asm("llvm.nvvm.tcgen05.commit.shared.cg1");
OP void tensorWaitLd() asm("llvm.nvvm.tcgen05.wait.ld");
OP void tensorWaitSt() asm("llvm.nvvm.tcgen05.wait.st");
OP void tensorBefore() asm("llvm.nvvm.tcgen05.fence.before.thread.sync");
OP void tensorAfter() asm("llvm.nvvm.tcgen05.fence.after.thread.sync");
OP v4 tensorLd4(TENSOR void *, bool) asm("llvm.nvvm.tcgen05.ld.16x256b.x1");
OP v32 tensorLd32(TENSOR void *, bool) asm("llvm.nvvm.tcgen05.ld.32x32b.x32");
OP void tensorSt32(TENSOR void *, v32, bool) asm("llvm.nvvm.tcgen05.st.32x32b.x32");
OP void tensorMma(TENSOR void *, u64, u64, int, bool, int, int,
                  int) asm("llvm.nvvm.tcgen05.mma.shared");
OP void tensorMmaScaled(TENSOR void *, u64, u64, int, bool, TENSOR void *, TENSOR void *, int,
                        int) asm("llvm.nvvm.tcgen05.mma.shared.mxf8f6f4.block_scale");
OP void tensorMmaFours(TENSOR void *, u64, u64, int, bool, TENSOR void *, TENSOR void *, int,
                       int) asm("llvm.nvvm.tcgen05.mma.shared.mxf4.block_scale.block32");
OP void tensorMmaFours16(TENSOR void *, u64, u64, int, bool, TENSOR void *, TENSOR void *, int,
                         int) asm("llvm.nvvm.tcgen05.mma.shared.mxf4nvf4.block_scale.block16");
OP void tensorCopyScales(TENSOR void *, u64) asm("llvm.nvvm.tcgen05.cp.32x128b_warpx4.cg1");

#define ALL (-1)
#define INLINE __device__ __attribute__((always_inline)) inline
template <typename T> INLINE SHARED T *sh(T *p) {
  return (SHARED T *)p;
}
template <typename T> INLINE GLOBAL T *gl(T *p) {
  return (GLOBAL T *)p;
}
INLINE void mbarWait(SHARED u64 *bar, int parity) {
  while (!mbarTryParity(bar, parity))
    ;
}
INLINE int add(int *p, int v) {
  return __scoped_atomic_fetch_add(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
INLINE int loadRelaxed(int *p) {
  return __scoped_atomic_load_n(p, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
INLINE void storeRelaxed(int *p, int v) {
  __scoped_atomic_store_n(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
