// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_100 stop-after=tileas-pack-elements" | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 stop-after=convert-tileas-to-nvgpu" | FileCheck %s --check-prefix=CODE
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 opt-level=1 to=tileas" | FileCheck %s --check-prefix=OTHER
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 to=tileas remarks" 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// REMARK: remark: one reciprocal for each 16 of the 16 elements that a thread divides
// Many elements of a thread that one number divides: what the division needs of it is worked out once.
// OTHER: nv_tileaa.divf
// OTHER-NOT: nv_tileas.divisor_bits

cuda_tile.module @m {
  // A splat divides all 16 registers; of pairs on sm_100.
  // CHECK-LABEL: sym_name = "floats"
  // CHECK: nv_tileaa.divf{{.*}}nv_tileas.divisor_bits = 15 : i64, nv_tileas.packed
  // Not what rounds otherwise, and not a divisor for each element.
  // CHECK-NOT: nv_tileas.divisor_bits
  // CHECK: sym_name = "lines"
  // CODE-LABEL: gpu.func @floats
  // CODE: llvm.nvvm.add.rz.f
  // CODE: %[[TAME:.*]] = nvvm.vote.sync all
  // CODE: scf.if %[[TAME]]
  // CODE: math.fma
  // CODE: math.fma
  // CODE: } else {
  // One division for all, in a loop that stays one.
  // CODE: scf.for
  // CODE-SAME: iter_args(
  // CODE: arith.divf
  // CODE-NOT: arith.divf
  // CODE: scf.yield
  entry @floats(%p: tile<ptr<f32>>, %o: tile<ptr<f32>>, %s: tile<f32>) {
    %i = constant <i32: 0> : tile<i32>
    %in = make_tensor_view %p, shape = [2048], strides = [1] : tensor_view<2048xf32, strides=[1]>
    %out = make_tensor_view %o, shape = [2048], strides = [1] : tensor_view<2048xf32, strides=[1]>
    %vi = make_partition_view %in : partition_view<tile=(2048), tensor_view<2048xf32, strides=[1]>>
    %vo = make_partition_view %out : partition_view<tile=(2048), tensor_view<2048xf32, strides=[1]>>
    %x, %t0 = load_view_tko weak %vi[%i] : partition_view<tile=(2048), tensor_view<2048xf32, strides=[1]>>, tile<i32> -> tile<2048xf32>, token
    %s1 = reshape %s : tile<f32> -> tile<1xf32>
    %sb = broadcast %s1 : tile<1xf32> -> tile<2048xf32>
    %a = divf %x, %sb : tile<2048xf32>
    %b = divf %a, %sb rounding<zero> : tile<2048xf32>
    %c = divf %b, %x : tile<2048xf32>
    %t1 = store_view_tko weak %c, %vo[%i] token = %t0 : tile<2048xf32>, partition_view<tile=(2048), tensor_view<2048xf32, strides=[1]>>, tile<i32> -> token
    return
  }

  // Two warps divide a line by what it sums up to.
  // CHECK: nv_tileaa.divf{{.*}}nv_tileas.divisor_bits = 15 : i64
  // CHECK: sym_name = "integers"
  entry @lines(%p: tile<ptr<f32>>) {
    %i = constant <i32: 0> : tile<i32>
    %in = make_tensor_view %p, shape = [2, 1024], strides = [1024, 1] : tensor_view<2x1024xf32, strides=[1024,1]>
    %v = make_partition_view %in : partition_view<tile=(2x1024), tensor_view<2x1024xf32, strides=[1024,1]>>
    %x, %t0 = load_view_tko weak %v[%i, %i] : partition_view<tile=(2x1024), tensor_view<2x1024xf32, strides=[1024,1]>>, tile<i32> -> tile<2x1024xf32>, token
    %s = reduce %x dim=1 identities=[0.0 : f32] : tile<2x1024xf32> -> tile<2xf32> (%l: tile<f32>, %r: tile<f32>) {
      %y = addf %l, %r : tile<f32>
      yield %y : tile<f32>
    }
    %column = reshape %s : tile<2xf32> -> tile<2x1xf32>
    %sums = broadcast %column : tile<2x1xf32> -> tile<2x1024xf32>
    %q = divf %x, %sums flush_to_zero : tile<2x1024xf32>
    %t1 = store_view_tko weak %q, %v[%i, %i] token = %t0 : tile<2x1024xf32>, partition_view<tile=(2x1024), tensor_view<2x1024xf32, strides=[1024,1]>>, tile<i32> -> token
    return
  }

  // Remainders and quotients, but for constants LLVM has better.
  // CHECK: arith.divui{{.*}}nv_tileas.divisor_bits = 15 : i64
  // CHECK-NEXT: arith.divui
  // CHECK-NOT: nv_tileas.divisor_bits
  // CHECK: return
  // CODE-LABEL: gpu.func @integers
  // CODE: arith.divui
  // CODE: arith.mului_extended
  entry @integers(%p: tile<ptr<i32>>, %s: tile<i32>) {
    %i = constant <i32: 0> : tile<i32>
    %seven = constant <i32: 7> : tile<2048xi32>
    %in = make_tensor_view %p, shape = [2048], strides = [1] : tensor_view<2048xi32, strides=[1]>
    %v = make_partition_view %in : partition_view<tile=(2048), tensor_view<2048xi32, strides=[1]>>
    %x, %t0 = load_view_tko weak %v[%i] : partition_view<tile=(2048), tensor_view<2048xi32, strides=[1]>>, tile<i32> -> tile<2048xi32>, token
    %s1 = reshape %s : tile<i32> -> tile<1xi32>
    %sb = broadcast %s1 : tile<1xi32> -> tile<2048xi32>
    %a = divi %x, %sb unsigned : tile<2048xi32>
    %b = divi %a, %seven unsigned : tile<2048xi32>
    %t1 = store_view_tko weak %b, %v[%i] token = %t0 : tile<2048xi32>, partition_view<tile=(2048), tensor_view<2048xi32, strides=[1]>>, tile<i32> -> token
    return
  }

  // A softmax divides parts of a sum, which cannot be larger: one test of bits. The sum of others proves nothing.
  // CHECK-LABEL: sym_name = "softmax"
  // CODE-LABEL: gpu.func @softmax
  // CODE-NOT: llvm.nvvm.add.rz.f
  // CODE: arith.minui
  // CODE: nvvm.vote.sync all
  // CODE: llvm.nvvm.add.rz.f
  entry @softmax(%p: tile<ptr<f32>>) {
    %i = constant <i32: 0> : tile<i32>
    %in = make_tensor_view %p, shape = [2048], strides = [1] : tensor_view<2048xf32, strides=[1]>
    %v = make_partition_view %in : partition_view<tile=(2048), tensor_view<2048xf32, strides=[1]>>
    %x, %t0 = load_view_tko weak %v[%i] : partition_view<tile=(2048), tensor_view<2048xf32, strides=[1]>>, tile<i32> -> tile<2048xf32>, token
    %e = exp %x : tile<2048xf32>
    %s = reduce %e dim=0 identities=[0.0 : f32] : tile<2048xf32> -> tile<f32> (%l: tile<f32>, %r: tile<f32>) {
      %y = addf %l, %r : tile<f32>
      yield %y : tile<f32>
    }
    %s1 = reshape %s : tile<f32> -> tile<1xf32>
    %sums = broadcast %s1 : tile<1xf32> -> tile<2048xf32>
    %q = divf %e, %sums : tile<2048xf32>
    %other = absf %q : tile<2048xf32>
    %w = divf %other, %sums : tile<2048xf32>
    %t1 = store_view_tko weak %w, %v[%i] token = %t0 : tile<2048xf32>, partition_view<tile=(2048), tensor_view<2048xf32, strides=[1]>>, tile<i32> -> token
    return
  }
}
