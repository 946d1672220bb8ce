// RUN: tile-opt %s --pass-pipeline='builtin.module(gpu-remove-barriers)' | FileCheck %s
// Which barriers order something: each function has those that stay, by name.

gpu.module @m {
  llvm.mlir.global external @global_smem() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<0 x i8>

  // Nothing comes before the first exchange, and the second one is elsewhere: one barrier each.
  // CHECK-LABEL: gpu.func @places
  // CHECK-NEXT: addressof
  // CHECK-NEXT: addressof
  // CHECK-NEXT: llvm.store
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: llvm.load
  // CHECK-NEXT: llvm.store
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: llvm.load
  // CHECK-NEXT: gpu.return
  gpu.func @places(%v: i32) kernel {
    %a = llvm.mlir.addressof @global_smem {nvgpu_ext.reach = array<i64: 0, 16>} : !llvm.ptr<3>
    %b = llvm.mlir.addressof @global_smem {nvgpu_ext.reach = array<i64: 16, 32>} : !llvm.ptr<3>
    gpu.barrier
    llvm.store %v, %a : i32, !llvm.ptr<3>
    gpu.barrier
    %x = llvm.load %a : !llvm.ptr<3> -> i32
    gpu.barrier
    llvm.store %x, %b : i32, !llvm.ptr<3>
    gpu.barrier
    %y = llvm.load %b : !llvm.ptr<3> -> i32
    gpu.return
  }

  // The second exchange overwrites what the first one still reads.
  // CHECK-LABEL: gpu.func @same_place
  // CHECK-COUNT-3: gpu.barrier
  // CHECK-NOT: gpu.barrier
  gpu.func @same_place(%v: i32) kernel {
    %a = llvm.mlir.addressof @global_smem {nvgpu_ext.reach = array<i64: 0, 16>} : !llvm.ptr<3>
    gpu.barrier
    llvm.store %v, %a : i32, !llvm.ptr<3>
    gpu.barrier
    %x = llvm.load %a : !llvm.ptr<3> -> i32
    gpu.barrier
    llvm.store %x, %a : i32, !llvm.ptr<3>
    gpu.barrier
    %y = llvm.load %a : !llvm.ptr<3> -> i32
    gpu.return
  }

  // The last byte of the one is the first one of the other.
  // CHECK-LABEL: gpu.func @overlap
  // CHECK-COUNT-2: gpu.barrier
  // CHECK: gpu.return
  gpu.func @overlap(%v: i32) kernel {
    %a = llvm.mlir.addressof @global_smem {nvgpu_ext.reach = array<i64: 0, 17>} : !llvm.ptr<3>
    %b = llvm.mlir.addressof @global_smem {nvgpu_ext.reach = array<i64: 16, 32>} : !llvm.ptr<3>
    llvm.store %v, %a : i32, !llvm.ptr<3>
    gpu.barrier
    %x = llvm.load %a : !llvm.ptr<3> -> i32
    gpu.barrier
    llvm.store %x, %b : i32, !llvm.ptr<3>
    gpu.return
  }

  // An address whose reach nobody wrote down may be any.
  // CHECK-LABEL: gpu.func @anywhere
  // CHECK: gpu.barrier
  // CHECK: gpu.return
  gpu.func @anywhere(%v: i32, %p: !llvm.ptr<3>) kernel {
    %a = llvm.mlir.addressof @global_smem {nvgpu_ext.reach = array<i64: 0, 16>} : !llvm.ptr<3>
    %x = llvm.load %p : !llvm.ptr<3> -> i32
    gpu.barrier
    llvm.store %x, %a : i32, !llvm.ptr<3>
    gpu.return
  }

  // One turn reads what the next one overwrites; two places take turns.
  // CHECK-LABEL: gpu.func @loop_of_one
  // CHECK-COUNT-2: gpu.barrier
  // CHECK: gpu.return
  // CHECK-LABEL: gpu.func @loop_of_two
  // CHECK-COUNT-2: gpu.barrier
  // CHECK-NOT: gpu.barrier
  // CHECK: gpu.return
  gpu.func @loop_of_one(%v: i32, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = llvm.mlir.addressof @global_smem {nvgpu_ext.reach = array<i64: 0, 16>} : !llvm.ptr<3>
    scf.for %i = %c0 to %n step %c1 {
      gpu.barrier
      llvm.store %v, %a : i32, !llvm.ptr<3>
      gpu.barrier
      %x = llvm.load %a : !llvm.ptr<3> -> i32
    }
    gpu.return
  }
  gpu.func @loop_of_two(%v: i32, %n: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = llvm.mlir.addressof @global_smem {nvgpu_ext.reach = array<i64: 0, 16>} : !llvm.ptr<3>
    %b = llvm.mlir.addressof @global_smem {nvgpu_ext.reach = array<i64: 16, 32>} : !llvm.ptr<3>
    scf.for %i = %c0 to %n step %c1 {
      gpu.barrier
      llvm.store %v, %a : i32, !llvm.ptr<3>
      gpu.barrier
      %x = llvm.load %a : !llvm.ptr<3> -> i32
      gpu.barrier
      llvm.store %x, %b : i32, !llvm.ptr<3>
      gpu.barrier
      %y = llvm.load %b : !llvm.ptr<3> -> i32
    }
    gpu.return
  }

  // A branch that is not taken leaves what came before it; a while loop has two parts.
  // CHECK-LABEL: gpu.func @branch
  // CHECK-COUNT-2: gpu.barrier
  // CHECK: gpu.return
  // CHECK-LABEL: gpu.func @while
  // CHECK-COUNT-2: gpu.barrier
  // CHECK: gpu.return
  gpu.func @branch(%v: i32, %c: i1) kernel {
    %a = llvm.mlir.addressof @global_smem {nvgpu_ext.reach = array<i64: 0, 16>} : !llvm.ptr<3>
    llvm.store %v, %a : i32, !llvm.ptr<3>
    scf.if %c {
      gpu.barrier
      %x = llvm.load %a : !llvm.ptr<3> -> i32
    }
    gpu.barrier
    llvm.store %v, %a : i32, !llvm.ptr<3>
    gpu.return
  }
  gpu.func @while(%v: i32) kernel {
    %a = llvm.mlir.addressof @global_smem {nvgpu_ext.reach = array<i64: 0, 16>} : !llvm.ptr<3>
    scf.while : () -> () {
      llvm.store %v, %a : i32, !llvm.ptr<3>
      gpu.barrier
      %x = llvm.load %a : !llvm.ptr<3> -> i1
      scf.condition(%x)
    } do {
      gpu.barrier
      scf.yield
    }
    gpu.return
  }

  // Global memory is one place; reading it twice needs no order, and nobody shares an allocation.
  // CHECK-LABEL: gpu.func @global
  // CHECK-NEXT: llvm.load
  // CHECK-NEXT: llvm.load
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: llvm.store
  gpu.func @global(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>) kernel {
    %x = llvm.load %p : !llvm.ptr<1> -> i32
    gpu.barrier
    %y = llvm.load %q : !llvm.ptr<1> -> i32
    gpu.barrier
    llvm.store %y, %q : i32, !llvm.ptr<1>
    gpu.return
  }
  // CHECK-LABEL: gpu.func @private
  // CHECK-NOT: gpu.barrier
  // CHECK: gpu.return
  gpu.func @private(%v: i32) kernel {
    %c1 = arith.constant 1 : i32
    %l = llvm.alloca %c1 x i32 : (i32) -> !llvm.ptr
    llvm.store %v, %l : i32, !llvm.ptr
    gpu.barrier
    %x = llvm.load %l : !llvm.ptr -> i32
    llvm.store %x, %l : i32, !llvm.ptr
    gpu.return
  }

  // A copy that is under way, an atomic, a fence: what they order is not known here.
  // CHECK-LABEL: gpu.func @unknown
  // CHECK-COUNT-3: gpu.barrier
  // CHECK: gpu.return
  gpu.func @unknown(%v: i32, %p: !llvm.ptr<1>) kernel {
    %a = llvm.mlir.addressof @global_smem {nvgpu_ext.reach = array<i64: 0, 16>} : !llvm.ptr<3>
    nvvm.cp.async.wait.group 0
    gpu.barrier
    %x = llvm.load %a : !llvm.ptr<3> -> i32
    gpu.barrier
    %y = llvm.atomicrmw add %p, %x monotonic : !llvm.ptr<1>, i32
    gpu.barrier
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
    gpu.return
  }

  // One thread's accesses stay in its order: stores and atomics of the first thread, whatever else they
  // depend on, and of the only owner of a tile.
  // CHECK-LABEL: gpu.func @first_thread
  // CHECK-NOT: gpu.barrier
  // CHECK: gpu.return
  gpu.func @first_thread(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %c: i1, %v: i32) kernel attributes {nvgpu_ext.threads = 96 : i32} {
    %zero = arith.constant 0 : i32
    %bits = arith.constant 127 : i32
    %x = gpu.thread_id x
    %t = arith.index_cast %x : index to i32
    %first = arith.cmpi eq, %t, %zero : i32
    %active = arith.andi %c, %first : i1
    %part = arith.andi %t, %bits : i32
    %owner = arith.cmpi eq, %part, %zero : i32
    scf.if %first {
      llvm.store %v, %p : i32, !llvm.ptr<1>
    }
    gpu.barrier
    %old = scf.if %active -> (i32) {
      %y = llvm.atomicrmw add %q, %v acq_rel : !llvm.ptr<1>, i32
      scf.yield %y : i32
    } else {
      scf.yield %v : i32
    }
    gpu.barrier
    scf.if %owner {
      scf.if %c {
        llvm.store %v, %q : i32, !llvm.ptr<1>
      }
    }
    gpu.return
  }
  // Others: who is not the first one, an owner among several, everybody, a fence, a block whose
  // threads nobody counted.
  // CHECK-LABEL: gpu.func @other_threads
  // CHECK-COUNT-4: gpu.barrier
  // CHECK: gpu.return
  // CHECK-LABEL: gpu.func @uncounted
  // CHECK-COUNT-1: gpu.barrier
  // CHECK: gpu.return
  gpu.func @other_threads(%p: !llvm.ptr<1>, %v: i32) kernel attributes {nvgpu_ext.threads = 96 : i32} {
    %zero = arith.constant 0 : i32
    %bits = arith.constant 63 : i32
    %x = gpu.thread_id x
    %t = arith.index_cast %x : index to i32
    %first = arith.cmpi eq, %t, %zero : i32
    %part = arith.andi %t, %bits : i32
    %owner = arith.cmpi eq, %part, %zero : i32
    scf.if %first {
      llvm.store %v, %p : i32, !llvm.ptr<1>
    }
    gpu.barrier
    scf.if %owner {
      llvm.store %v, %p : i32, !llvm.ptr<1>
    }
    gpu.barrier
    scf.if %first {
      llvm.store %v, %p : i32, !llvm.ptr<1>
    } else {
      %y = llvm.load %p : !llvm.ptr<1> -> i32
    }
    gpu.barrier
    scf.if %first {
      llvm.store %v, %p : i32, !llvm.ptr<1>
    }
    gpu.barrier
    scf.if %first {
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
    }
    gpu.return
  }
  gpu.func @uncounted(%p: !llvm.ptr<1>, %v: i32) kernel {
    %zero = arith.constant 0 : i32
    %x = gpu.thread_id x
    %t = arith.index_cast %x : index to i32
    %first = arith.cmpi eq, %t, %zero : i32
    scf.if %first {
      llvm.store %v, %p : i32, !llvm.ptr<1>
    }
    gpu.barrier
    scf.if %first {
      llvm.store %v, %p : i32, !llvm.ptr<1>
    }
    gpu.return
  }

  // What computes only is no access; a device function does not know its callers.
  // CHECK-LABEL: gpu.func @computes
  // CHECK-NOT: gpu.barrier
  // CHECK: gpu.return
  gpu.func @computes(%f: f32, %p: !llvm.ptr<1>) kernel {
    llvm.store %f, %p : f32, !llvm.ptr<1>
    gpu.barrier
    %e = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%f) : (f32) -> f32
    %w = arith.constant 32 : i32
    %one = arith.constant 1 : i32
    %s, %ok = gpu.shuffle xor %e, %one, %w : f32
    gpu.return
  }
  // The warps of an agent among themselves: two places take turns. Between them and the block's own
  // barrier nothing is known, nor about a barrier of other threads, or of a number that is none here.
  // CHECK-LABEL: gpu.func @agent
  // CHECK: gpu.barrier
  // CHECK: scf.for
  // CHECK: llvm.store
  // CHECK: nvvm.barrier id = %{{.*}} number_of_threads
  // CHECK-NEXT: llvm.load
  // CHECK-NEXT: llvm.store
  // CHECK-NEXT: nvvm.barrier id = %{{.*}} number_of_threads
  // CHECK-NEXT: llvm.load
  // CHECK-NEXT: }
  // CHECK-NEXT: nvvm.barrier id = %{{.*}} number_of_threads
  // CHECK-NEXT: nvvm.barrier id = %{{.*}} number_of_threads
  // CHECK-NEXT: nvvm.barrier id = %arg
  // CHECK: gpu.return
  gpu.func @agent(%v: i32, %n: index, %isAgent: i1, %some: i32) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %threads = arith.constant 128 : i32
    %a = llvm.mlir.addressof @global_smem {nvgpu_ext.reach = array<i64: 0, 16>} : !llvm.ptr<3>
    %b = llvm.mlir.addressof @global_smem {nvgpu_ext.reach = array<i64: 16, 32>} : !llvm.ptr<3>
    llvm.store %v, %a : i32, !llvm.ptr<3>
    gpu.barrier
    scf.if %isAgent {
      %x0 = llvm.load %a : !llvm.ptr<3> -> i32
      scf.for %i = %c0 to %n step %c1 {
        nvvm.barrier id = %one number_of_threads = %threads
        llvm.store %v, %a : i32, !llvm.ptr<3>
        nvvm.barrier id = %one number_of_threads = %threads
        %x = llvm.load %a : !llvm.ptr<3> -> i32
        nvvm.barrier id = %one number_of_threads = %threads
        llvm.store %x, %b : i32, !llvm.ptr<3>
        nvvm.barrier id = %one number_of_threads = %threads
        %y = llvm.load %b : !llvm.ptr<3> -> i32
      }
      nvvm.barrier id = %one number_of_threads = %threads
      nvvm.barrier id = %two number_of_threads = %threads
      nvvm.barrier id = %some number_of_threads = %threads
    }
    gpu.return
  }

  // Warpgroups take turns over three places. Nobody waits before a write, for the product that has read the place last has
  // ended behind a barrier of the others; the fence and what holds values back are no accesses.
  // CHECK-LABEL: gpu.func @products
  // CHECK: scf.for
  // CHECK-NEXT: llvm.store
  // CHECK-NEXT: nvvm.fence.proxy
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: nvvm.wgmma.fence
  // CHECK-NEXT: nvgpu_ext.warpgroup.mma_async
  // CHECK-NEXT: nvvm.wgmma.commit
  // CHECK-NEXT: nvvm.wgmma.wait
  // CHECK-NEXT: llvm.inline_asm
  // CHECK-NEXT: llvm.store
  // CHECK-NEXT: nvvm.fence.proxy
  // CHECK-NEXT: gpu.barrier
  // CHECK-NOT: gpu.barrier
  gpu.func @products(%v: i32, %n: i32, %d: i64, %sums: !llvm.struct<(f32, f32, f32, f32)>) kernel {
    %a = llvm.mlir.addressof @global_smem {nvgpu_ext.reach = array<i64: 0, 16>} : !llvm.ptr<3>
    %b = llvm.mlir.addressof @global_smem {nvgpu_ext.reach = array<i64: 16, 32>} : !llvm.ptr<3>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      gpu.barrier
      llvm.store %v, %a : i32, !llvm.ptr<3>
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      gpu.barrier
      nvvm.wgmma.fence.aligned
      %x = nvgpu_ext.warpgroup.mma_async %v, %v, %v, %v * %d + %sums {k = 16 : i64, lhsType = "bf16", n = 8 : i64, nvgpu_ext.reach = array<i64: 0, 16>, rhsType = "bf16", sumType = "f32"} : i32, i32, i32, i32 -> !llvm.struct<(f32, f32, f32, f32)>
      nvvm.wgmma.commit.group.sync.aligned
      nvvm.wgmma.wait.group.sync.aligned {nvgpu_ext.reach = array<i64: 0, 16>} 0
      %held = llvm.inline_asm has_side_effects "", "=r,0" %v : (i32) -> i32
      gpu.barrier
      llvm.store %held, %b : i32, !llvm.ptr<3>
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      gpu.barrier
      nvvm.wgmma.fence.aligned
      %y = nvgpu_ext.warpgroup.mma_async %v, %v, %v, %v * %d + %sums {k = 16 : i64, lhsType = "bf16", n = 8 : i64, nvgpu_ext.reach = array<i64: 16, 32>, rhsType = "bf16", sumType = "f32"} : i32, i32, i32, i32 -> !llvm.struct<(f32, f32, f32, f32)>
      nvvm.wgmma.commit.group.sync.aligned
      nvvm.wgmma.wait.group.sync.aligned {nvgpu_ext.reach = array<i64: 16, 32>} 0
    }
    gpu.return
  }

  // Here everybody waits: what the product reads is written next, another product may read anything, memory may change, and a
  // fence of all memory may order what is far away.
  // CHECK-LABEL: gpu.func @products_of_one_place
  // CHECK: scf.for
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: llvm.store
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: nvgpu_ext.warpgroup.mma_async
  // CHECK-NEXT: nvvm.wgmma.wait
  // CHECK-NOT: gpu.barrier
  // CHECK: nvgpu_ext.warpgroup.mma_async
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: llvm.store
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: llvm.inline_asm
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: llvm.store
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: nvvm.fence.proxy
  // CHECK-NEXT: gpu.barrier
  // CHECK-NEXT: llvm.store
  gpu.func @products_of_one_place(%v: i32, %n: i32, %d: i64, %sums: !llvm.struct<(f32, f32, f32, f32)>) kernel {
    %a = llvm.mlir.addressof @global_smem {nvgpu_ext.reach = array<i64: 0, 16>} : !llvm.ptr<3>
    %b = llvm.mlir.addressof @global_smem {nvgpu_ext.reach = array<i64: 16, 32>} : !llvm.ptr<3>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %n step %c1 : i32 {
      gpu.barrier
      llvm.store %v, %a : i32, !llvm.ptr<3>
      gpu.barrier
      %x = nvgpu_ext.warpgroup.mma_async %v, %v, %v, %v * %d + %sums {k = 16 : i64, lhsType = "bf16", n = 8 : i64, nvgpu_ext.reach = array<i64: 0, 16>, rhsType = "bf16", sumType = "f32"} : i32, i32, i32, i32 -> !llvm.struct<(f32, f32, f32, f32)>
      nvvm.wgmma.wait.group.sync.aligned {nvgpu_ext.reach = array<i64: 0, 16>} 0
    }
    %y = nvgpu_ext.warpgroup.mma_async %v, %v, %v, %v * %d + %sums {k = 16 : i64, lhsType = "bf16", n = 8 : i64, rhsType = "bf16", sumType = "f32"} : i32, i32, i32, i32 -> !llvm.struct<(f32, f32, f32, f32)>
    gpu.barrier
    llvm.store %v, %b : i32, !llvm.ptr<3>
    gpu.barrier
    llvm.inline_asm has_side_effects "", "~{memory}" : () -> ()
    gpu.barrier
    llvm.store %v, %b : i32, !llvm.ptr<3>
    gpu.barrier
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async>}
    gpu.barrier
    llvm.store %v, %a : i32, !llvm.ptr<3>
    gpu.return
  }

  // CHECK-LABEL: gpu.func @callee
  // CHECK-COUNT-1: gpu.barrier
  // CHECK: gpu.return
  gpu.func @callee(%p: !llvm.ptr<1>) {
    %x = llvm.load %p : !llvm.ptr<1> -> i32
    gpu.barrier
    gpu.return
  }
}
