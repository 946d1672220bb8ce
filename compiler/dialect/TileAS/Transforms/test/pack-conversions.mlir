// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 stop-after=tileas-pack-elements" | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 stop-after=convert-tileas-to-nvgpu" | FileCheck %s --check-prefix=CODE
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 opt-level=1 to=tileas" | FileCheck %s --check-prefix=PLAIN
// f32 becomes e4m3 and e5m2 two numbers at a time, other formats one by one; so do these become wider floats.
// PLAIN: nv_tileaa.fp_to_fp
// PLAIN-NOT: nv_tileas.packed

cuda_tile.module @m {
  // CHECK-LABEL: sym_name = "narrow"
  // CHECK: "nv_tileaa.fp_to_fp"{{.*}}{nv_tileas.packed}{{.*}}f8E4M3FN
  // CHECK: "nv_tileaa.fp_to_fp"{{.*}}{nv_tileas.packed}{{.*}}f8E5M2
  // CHECK-NOT: nv_tileas.packed
  // CODE-LABEL: gpu.func @narrow
  // CODE: nvgpu_ext.cvt_fptrunc %{{.*}} : vector<2xf32> to vector<2xf8E4M3FN>
  // CODE: nvgpu_ext.cvt_fptrunc %{{.*}} : vector<2xf32> to vector<2xf8E5M2>
  // CODE-NOT: cvt_fptrunc
  entry @narrow(%p: tile<ptr<f32>>, %o: tile<ptr<f8E4M3FN>>, %q: tile<ptr<f8E5M2>>, %h: tile<ptr<f16>>) {
    %i = constant <i32: 0> : tile<i32>
    %in = make_tensor_view %p, shape = [1024], strides = [1] : tensor_view<1024xf32, strides=[1]>
    %o1 = make_tensor_view %o, shape = [1024], strides = [1] : tensor_view<1024xf8E4M3FN, strides=[1]>
    %o2 = make_tensor_view %q, shape = [1024], strides = [1] : tensor_view<1024xf8E5M2, strides=[1]>
    %o3 = make_tensor_view %h, shape = [1024], strides = [1] : tensor_view<1024xf16, strides=[1]>
    %vi = make_partition_view %in : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>
    %v1 = make_partition_view %o1 : partition_view<tile=(1024), tensor_view<1024xf8E4M3FN, strides=[1]>>
    %v2 = make_partition_view %o2 : partition_view<tile=(1024), tensor_view<1024xf8E5M2, strides=[1]>>
    %v3 = make_partition_view %o3 : partition_view<tile=(1024), tensor_view<1024xf16, strides=[1]>>
    %x, %t0 = load_view_tko weak %vi[%i] : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> tile<1024xf32>, token
    %a = ftof %x : tile<1024xf32> -> tile<1024xf8E4M3FN>
    %b = ftof %x : tile<1024xf32> -> tile<1024xf8E5M2>
    %c = ftof %x : tile<1024xf32> -> tile<1024xf16>
    %t1 = store_view_tko weak %a, %v1[%i] token = %t0 : tile<1024xf8E4M3FN>, partition_view<tile=(1024), tensor_view<1024xf8E4M3FN, strides=[1]>>, tile<i32> -> token
    %t2 = store_view_tko weak %b, %v2[%i] token = %t0 : tile<1024xf8E5M2>, partition_view<tile=(1024), tensor_view<1024xf8E5M2, strides=[1]>>, tile<i32> -> token
    %t3 = store_view_tko weak %c, %v3[%i] token = %t0 : tile<1024xf16>, partition_view<tile=(1024), tensor_view<1024xf16, strides=[1]>>, tile<i32> -> token
    return
  }

  // CHECK-LABEL: sym_name = "widen"
  // CHECK: "nv_tileaa.fp_to_fp"{{.*}}{nv_tileas.packed}{{.*}}xf32
  // CHECK: "nv_tileaa.fp_to_fp"{{.*}}{nv_tileas.packed}{{.*}}xf16
  // CHECK-NOT: nv_tileas.packed
  // CODE-LABEL: gpu.func @widen
  // CODE: nvgpu_ext.cvt_fpext %{{.*}} : vector<2xf8E4M3FN> to vector<2xf32>
  // CODE: nvgpu_ext.cvt_fpext %{{.*}} : vector<2xf8E4M3FN> to vector<2xf32>
  // CODE: arith.truncf %{{.*}} : vector<2xf32> to vector<2xf16>
  // CODE-NOT: cvt_fpext
  entry @widen(%p: tile<ptr<f8E4M3FN>>, %o: tile<ptr<f32>>, %q: tile<ptr<f16>>) {
    %i = constant <i32: 0> : tile<i32>
    %in = make_tensor_view %p, shape = [1024], strides = [1] : tensor_view<1024xf8E4M3FN, strides=[1]>
    %o1 = make_tensor_view %o, shape = [1024], strides = [1] : tensor_view<1024xf32, strides=[1]>
    %o2 = make_tensor_view %q, shape = [1024], strides = [1] : tensor_view<1024xf16, strides=[1]>
    %vi = make_partition_view %in : partition_view<tile=(1024), tensor_view<1024xf8E4M3FN, strides=[1]>>
    %v1 = make_partition_view %o1 : partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>
    %v2 = make_partition_view %o2 : partition_view<tile=(1024), tensor_view<1024xf16, strides=[1]>>
    %x, %t0 = load_view_tko weak %vi[%i] : partition_view<tile=(1024), tensor_view<1024xf8E4M3FN, strides=[1]>>, tile<i32> -> tile<1024xf8E4M3FN>, token
    %a = ftof %x : tile<1024xf8E4M3FN> -> tile<1024xf32>
    %b = ftof %x : tile<1024xf8E4M3FN> -> tile<1024xf16>
    %t1 = store_view_tko weak %a, %v1[%i] token = %t0 : tile<1024xf32>, partition_view<tile=(1024), tensor_view<1024xf32, strides=[1]>>, tile<i32> -> token
    %t2 = store_view_tko weak %b, %v2[%i] token = %t0 : tile<1024xf16>, partition_view<tile=(1024), tensor_view<1024xf16, strides=[1]>>, tile<i32> -> token
    return
  }
}
