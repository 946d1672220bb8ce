// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 stop-after=tileas-pack-elements" | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 stop-after=convert-tileas-to-nvgpu" | FileCheck %s --check-prefix=CODE
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 to=tileas" | FileCheck %s --check-prefix=OTHER
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 opt-level=1 to=tileas" | FileCheck %s --check-prefix=OTHER
// f32 arithmetic that rounds to nearest takes two registers per instruction where the target has one for two numbers.
// OTHER: nv_tileaa.fma
// OTHER-NOT: nv_tileas.packed

cuda_tile.module @m {
  // CHECK-LABEL: sym_name = "arithmetic"
  // CHECK-COUNT-4: {nv_tileas.packed}
  // Not what flushes, rounds otherwise, is of another type or adds a widened half.
  // CHECK-NOT: nv_tileas.packed
  // CHECK: sym_name = "sums"
  // CODE-LABEL: gpu.func @arithmetic
  // One loop of steps of two.
  // CODE: scf.for %{{.*}} = %c0_i32{{.*}} to %c8_i32{{.*}} step %c2_i32
  // CODE: nvgpu_ext.fma.packed.f32x2
  // CODE: nvgpu_ext.mul.packed.f32x2
  // CODE: nvgpu_ext.add.packed.f32x2
  // CODE: arith.negf %{{.*}} : vector<2xf32>
  // CODE: nvgpu_ext.add.packed.f32x2
  // CODE-NOT: packed.f32x2
  // CODE: gpu.return
  entry @arithmetic(%p: tile<ptr<f32>>, %o: tile<ptr<f32>>) {
    %i = constant <i32: 0> : tile<i32>
    %in = make_tensor_view %p, shape = [1024], strides = [1] : tensor_view<1024xf32, strides=[1]>
    %out = make_tensor_view %o, shape = [1024], strides = [1] : tensor_view<1024xf32, strides=[1]>
    %vi = make_partition_view %in : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>
    %vo = make_partition_view %out : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>
    %x, %t0 = load_view_tko weak %vi[%i] : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> tile<1024xf32>, token
    %a = fma %x, %x, %x : tile<1024xf32>
    %b = mulf %a, %x : tile<1024xf32>
    %c = addf %b, %x : tile<1024xf32>
    %d = subf %c, %a : tile<1024xf32>
    %e = mulf %d, %x flush_to_zero : tile<1024xf32>
    %f = addf %e, %x rounding<zero> : tile<1024xf32>
    %g = ftof %f : tile<1024xf32> -> tile<1024xf16>
    %h = addf %g, %g : tile<1024xf16>
    %w = ftof %h : tile<1024xf16> -> tile<1024xf32>
    %r = addf %w, %x : tile<1024xf32>
    %t1 = store_view_tko weak %r, %vo[%i] token = %t0 : tile<1024xf32>, partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> token
    return
  }

  // Sums along the axis whose elements are neighbours; not a maximum, nor sums of others.
  // CHECK: "nv_tileas.reduce"
  // CHECK: maxnumf
  // CHECK: }) {nv_tileas.redux} : (
  // CHECK: "nv_tileas.reduce"
  // CHECK: addf
  // CHECK: }) {nv_tileas.packed} : (
  // CHECK: "nv_tileas.reduce"
  // CHECK: }) : (
  // CODE-LABEL: gpu.func @sums
  // CODE: arith.maxnumf
  // CODE: nvgpu_ext.add.packed.f32x2
  // CODE-NOT: packed.f32x2
  // CODE: gpu.return
  entry @sums(%p: tile<ptr<f32>>, %o: tile<ptr<f32>>) {
    %i = constant <i32: 0> : tile<i32>
    %in = make_tensor_view %p, shape = [1, 4096], strides = [4096, 1] : tensor_view<1x4096xf32, strides=[4096,1]>
    %vi = make_partition_view %in : partition_view<tile=(1x4096), tensor_view<1x4096xf32, strides=[4096,1]>>
    %out = make_tensor_view %o, shape = [4096], strides = [1] : tensor_view<4096xf32, strides=[1]>
    %vo = make_partition_view %out : partition_view<tile=(1), tensor_view<4096xf32, strides=[1]>>
    %wo = make_partition_view %out : partition_view<tile=(4096), tensor_view<4096xf32, strides=[1]>>
    %x, %t0 = load_view_tko weak %vi[%i, %i] : partition_view<tile=(1x4096), tensor_view<1x4096xf32, strides=[4096,1]>>, tile<i32> -> tile<1x4096xf32>, token
    %m = reduce %x dim=1 identities=[0xFF800000 : f32] : tile<1x4096xf32> -> tile<1xf32> (%l: tile<f32>, %r: tile<f32>) {
      %y = maxf %l, %r : tile<f32>
      yield %y : tile<f32>
    }
    %s = reduce %x dim=1 identities=[0.0 : f32] : tile<1x4096xf32> -> tile<1xf32> (%l: tile<f32>, %r: tile<f32>) {
      %y = addf %l, %r : tile<f32>
      yield %y : tile<f32>
    }
    %c = reduce %x dim=0 identities=[0.0 : f32] : tile<1x4096xf32> -> tile<4096xf32> (%l: tile<f32>, %r: tile<f32>) {
      %y = addf %l, %r : tile<f32>
      yield %y : tile<f32>
    }
    %k = maxf %m, %s : tile<1xf32>
    %t1 = store_view_tko weak %c, %wo[%i] token = %t0 : tile<4096xf32>, partition_view<tile=(4096), tensor_view<4096xf32, strides=[1]>>, tile<i32> -> token
    %t2 = store_view_tko weak %k, %vo[%i] token = %t1 : tile<1xf32>, partition_view<tile=(1), tensor_view<4096xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
