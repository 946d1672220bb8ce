// Barriers live in shared memory, their accesses name it, and the wait with a result has one.
// RUN: tile-opt --convert-gpu-to-nvvm %s | FileCheck --check-prefixes=CHECK,N23,N24,N25,N26,N27,N28,N30 %s
// RUN: tile-opt --convert-gpu-to-nvvm %s | tile-translate --mlir-to-ptx | FileCheck --check-prefix=PTX %s

!one = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
!three = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 3>
!token = !nvgpu.mbarrier.token

gpu.module @m {
  // N23-DAG: llvm.mlir.global private @__mbarrier{{.*}}() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<3 x i64>
  // N23-DAG: llvm.mlir.global private @__mbarrier{{.*}}() {addr_space = 3 : i32, alignment = 8 : i64} : !llvm.array<1 x i64>

  // CHECK-LABEL: llvm.func @family
  // PTX-LABEL: .entry family(
  gpu.func @family(%p: !llvm.ptr<1>, %i: index, %n: index) kernel {
    // N23: llvm.mlir.addressof @__mbarrier{{.*}} : !llvm.ptr<3>
    %b = nvgpu.mbarrier.create -> !three
    // N24: nvvm.mbarrier.init %{{.*}}, %{{.*}} : !llvm.ptr<3>, i32
    // PTX: mbarrier.init.shared.b64
    nvgpu.mbarrier.init %b[%i], %n : !three
    // N25: nvvm.mbarrier.arrive %{{.*}} : !llvm.ptr<3> -> i64
    // PTX: mbarrier.arrive{{.*}}shared{{.*}}.b64
    %t = nvgpu.mbarrier.arrive %b[%i] : !three -> !token
    // N25: nvvm.mbarrier.arrive.nocomplete %{{.*}}, %{{.*}} : !llvm.ptr<3>, i32 -> i64
    // PTX: mbarrier.arrive.noComplete.shared.b64
    %u = nvgpu.mbarrier.arrive.nocomplete %b[%i], %n : !three -> !token
    // N25: nvvm.mbarrier.arrive.expect_tx %{{.*}}, %{{.*}} : !llvm.ptr<3>, i32
    // PTX: mbarrier.arrive.expect_tx{{.*}}.b64
    nvgpu.mbarrier.arrive.expect_tx %b[%i], %n : !three
    // N26: nvvm.mbarrier.test.wait %{{.*}}, %{{.*}} : !llvm.ptr<3>, i64 -> i1
    // PTX: mbarrier.test_wait{{.*}}.b64
    %w = nvgpu.mbarrier.test.wait %b[%i], %t : !three, !token
    llvm.store volatile %w, %p : i1, !llvm.ptr<1>
    // The lower-level op passes.
    %s = llvm.mlir.addressof @raw : !llvm.ptr<3>
    // N28: nvvm.mbarrier.inval %{{.*}} : !llvm.ptr<3>
    // PTX: mbarrier.inval.shared.b64
    nvvm.mbarrier.inval %s : !llvm.ptr<3>
    gpu.return
  }
  llvm.mlir.global private @raw() {addr_space = 3 : i32, alignment = 8 : i64} : i64

  // A predicate guards the initialisation and the announcement of bytes.
  // CHECK-LABEL: llvm.func @predicates
  // N24: nvvm.mbarrier.init %{{.*}}, %{{.*}}, predicate = %{{.*}} : !llvm.ptr<3>, i32, i1
  // N25: nvvm.mbarrier.arrive.expect_tx %{{.*}}, %{{.*}}, predicate = %{{.*}} : !llvm.ptr<3>, i32, i1
  gpu.func @predicates(%n: index, %q: i1) kernel {
    %c = arith.constant 0 : index
    %b = nvgpu.mbarrier.create -> !one
    nvgpu.mbarrier.init %b[%c], %n, predicate = %q : !one
    nvgpu.mbarrier.arrive.expect_tx %b[%c], %n, predicate = %q : !one
    gpu.return
  }

  // Upstream's wait loops until the phase is over.
  // CHECK-LABEL: llvm.func @blocking
  // PTX-LABEL: .entry blocking(
  // N30: %[[PHASE:.*]] = llvm.zext %{{.*}} : i1 to i32
  // N30: nvvm.mbarrier.try_wait.parity %{{.*}}, %[[PHASE]], %{{.*}} : !llvm.ptr<3>, i32, i32
  // PTX: mbarrier.try_wait.parity.shared.b64
  // PTX-NEXT: @P1 bra.uni DONE;
  // PTX-NEXT: bra.uni LAB_WAIT;
  gpu.func @blocking(%phase: i1, %ticks: index) kernel {
    %c = arith.constant 0 : index
    %b = nvgpu.mbarrier.create -> !one
    nvgpu.mbarrier.try_wait.parity %b[%c], %phase, %ticks : !one
    gpu.return
  }

  // Ours answers, with and without a bound on the time.
  // CHECK-LABEL: llvm.func @answering
  // PTX-LABEL: .entry answering(
  // N30: %[[PHASE:.*]] = llvm.zext %{{.*}} : i1 to i32
  // N27: %[[A:.*]] = nvvm.mbarrier.try_wait %{{.*}}, %[[PHASE]], %{{.*}} : !llvm.ptr<3>, i32, i32 -> i1
  // N27: llvm.store volatile %[[A]]
  // N27: %[[B:.*]] = nvvm.mbarrier.try_wait %{{.*}}, %{{.*}} : !llvm.ptr<3>, i32 -> i1
  // N27: llvm.store volatile %[[B]]
  // PTX: mbarrier.try_wait.parity.shared{{(::cta)?}}.b64 %p{{[0-9]+}}, [{{.*}}], %r{{[0-9]+}}, %r{{[0-9]+}};
  // PTX: mbarrier.try_wait.parity.shared{{(::cta)?}}.b64 %p{{[0-9]+}}, [{{.*}}], %r{{[0-9]+}};
  // PTX-NOT: bra
  // PTX: ret;
  gpu.func @answering(%p: !llvm.ptr<1>, %phase: i1, %ticks: i32) kernel {
    %c = arith.constant 0 : index
    %b = nvgpu.mbarrier.create -> !one
    %done = nvgpu_ext.mbarrier.try_wait.parity %b[%c], %phase, %ticks : !one
    llvm.store volatile %done, %p : i1, !llvm.ptr<1>
    %again = nvgpu_ext.mbarrier.try_wait.parity %b[%c], %phase : !one
    llvm.store volatile %again, %p : i1, !llvm.ptr<1>
    gpu.return
  }
}
