// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 stop-after=tileas-reduce-lanes-at-once" | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 stop-after=tileas-reduce-lanes-at-once" | FileCheck %s --check-prefix=FLOAT
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 to=gpu" | FileCheck %s --check-prefix=CODE
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 opt-level=1 to=gpu" | FileCheck %s --check-prefix=OTHER
// One instruction combines the lanes of a warp where it can.
// OTHER: gpu.shuffle
// OTHER-NOT: nvvm.redux.sync

cuda_tile.module @m {
  // Extremes of f32 only from sm_100 on; sums of f32 never.
  // CHECK-LABEL: sym_name = "lines"
  // CHECK: arith.addi
  // CHECK: }) {nv_tileas.redux}
  // CHECK: arith.maxnumf
  // CHECK: }) : (
  // CHECK: nv_tileaa.addf
  // CHECK: }) : (
  // FLOAT-LABEL: sym_name = "lines"
  // FLOAT: arith.maxnumf
  // FLOAT: }) {nv_tileas.redux}
  // FLOAT: nv_tileaa.addf
  // FLOAT: }) : (
  // CODE-LABEL: gpu.func @lines
  // CODE: nvvm.redux.sync add
  // CODE: gpu.shuffle
  entry @lines(%p: tile<ptr<f32>>, %q: tile<ptr<i32>>) {
    %i = constant <i32: 0> : tile<i32>
    %x0 = iota : tile<1024xi32>
    %bid, %y, %z = get_tile_block_id : tile<i32>
    %b1 = reshape %bid : tile<i32> -> tile<1xi32>
    %bb = broadcast %b1 : tile<1xi32> -> tile<1024xi32>
    %x = muli %x0, %bb : tile<1024xi32>
    %s = reduce %x dim=0 identities=[0 : i32] : tile<1024xi32> -> tile<i32> (%l: tile<i32>, %r: tile<i32>) {
      %t = addi %l, %r : tile<i32>
      yield %t : tile<i32>
    }
    %f = itof %x signed : tile<1024xi32> -> tile<1024xf32>
    %m = reduce %f dim=0 identities=[0xFF800000 : f32] : tile<1024xf32> -> tile<f32> (%l: tile<f32>, %r: tile<f32>) {
      %t = maxf %l, %r : tile<f32>
      yield %t : tile<f32>
    }
    %a = reduce %f dim=0 identities=[0.0 : f32] : tile<1024xf32> -> tile<f32> (%l: tile<f32>, %r: tile<f32>) {
      %t = addf %l, %r : tile<f32>
      yield %t : tile<f32>
    }
    %ma = addf %m, %a : tile<f32>
    %t0 = store_ptr_tko weak %p, %ma : tile<ptr<f32>>, tile<f32> -> token
    %t1 = store_ptr_tko weak %q, %s : tile<ptr<i32>>, tile<i32> -> token
    return
  }

  // Eight elements in 32 lanes: each is there four times, which no sum may see and no maximum minds.
  // CHECK-LABEL: sym_name = "replicas"
  // CHECK: arith.addi
  // CHECK: }) : (
  // CHECK: arith.maxsi
  // CHECK: }) {nv_tileas.redux}
  entry @replicas(%q: tile<ptr<i32>>) {
    %x0 = iota : tile<8xi32>
    %bid, %y, %z = get_tile_block_id : tile<i32>
    %b1 = reshape %bid : tile<i32> -> tile<1xi32>
    %bb = broadcast %b1 : tile<1xi32> -> tile<8xi32>
    %x = muli %x0, %bb : tile<8xi32>
    %s = reduce %x dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32> (%l: tile<i32>, %r: tile<i32>) {
      %t = addi %l, %r : tile<i32>
      yield %t : tile<i32>
    }
    %m = reduce %x dim=0 identities=[-2147483648 : i32] : tile<8xi32> -> tile<i32> (%l: tile<i32>, %r: tile<i32>) {
      %t = maxi %l, %r signed : tile<i32>
      yield %t : tile<i32>
    }
    %ms = addi %s, %m : tile<i32>
    %t1 = store_ptr_tko weak %q, %ms : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
