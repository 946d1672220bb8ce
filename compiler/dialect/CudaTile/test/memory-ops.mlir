// RUN: tile-opt --allow-testing-ops %s | tile-opt --allow-testing-ops | FileCheck --check-prefixes=CHECK,C4 %s
// RUN: tile-opt --allow-testing-ops --mlir-print-op-generic %s | tile-opt --allow-testing-ops | FileCheck --check-prefixes=CHECK,C4 %s

cuda_tile.module @m {
  // CHECK-LABEL: entry @pointers
  entry @pointers(%p: tile<ptr<f32>>, %q: tile<ptr<i32>>, %c: tile<i1>, %x: tile<f32>, %i: tile<i32>) {
    // C4: %[[T0:.*]] = make_token : token
    %t0 = make_token : token
    // C4: load_ptr_tko weak %{{.*}} : tile<ptr<f32>> -> tile<f32>, token
    %0, %t1 = load_ptr_tko weak %p : tile<ptr<f32>> -> tile<f32>, token
    // C4: load_ptr_tko acquire device %{{.*}}, %{{.*}}, %{{.*}} token=%{{.*}} optimization_hints = <sm_90 = {latency = 3}> : tile<ptr<f32>>, tile<i1>, tile<f32> -> tile<f32>, token
    %1, %t2 = load_ptr_tko acquire device %p, %c, %x token=%t0 optimization_hints = <sm_90 = {latency = 3}> : tile<ptr<f32>>, tile<i1>, tile<f32> -> tile<f32>, token
    // Padding without mask: its type tells, but for i1, where the word does.
    // C4: load_ptr_tko weak %{{.*}}, %{{.*}} : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
    %w0, %u0 = load_ptr_tko weak %p, %x : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
    // C4: load_ptr_tko weak %{{.*}}, %{{.*}} token=%{{.*}} : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
    %w1, %u1 = load_ptr_tko weak %p, padding = %x token=%t0 : tile<ptr<f32>>, tile<f32> -> tile<f32>, token
    %pb = ptr_to_ptr %p : tile<ptr<f32>> -> tile<ptr<i1>>
    // C4: load_ptr_tko weak %{{.*}}, padding = %{{.*}} : tile<ptr<i1>>, tile<i1> -> tile<i1>, token
    %w2, %u2 = load_ptr_tko weak %pb, padding = %c : tile<ptr<i1>>, tile<i1> -> tile<i1>, token
    // C4: load_ptr_tko weak %{{.*}}, %{{.*}} : tile<ptr<i1>>, tile<i1> -> tile<i1>, token
    %w3, %u3 = load_ptr_tko weak %pb, %c : tile<ptr<i1>>, tile<i1> -> tile<i1>, token
    // C4: store_ptr_tko release sys %{{.*}}, %{{.*}}, %{{.*}} token=%{{.*}} : tile<ptr<f32>>, tile<f32>, tile<i1> -> token
    %t3 = store_ptr_tko release sys %p, %1, %c token=%t2 : tile<ptr<f32>>, tile<f32>, tile<i1> -> token
    // C4: join_tokens %{{.*}}, %{{.*}} : token
    %t4 = join_tokens %t1, %t3 : token
    // C4: alloca num_elem = 16, alignment = 64 global : tile<ptr<f32>>
    %a = alloca num_elem = 16, alignment = 64 global : tile<ptr<f32>>
    // C4: atomic_rmw_tko relaxed device %{{.*}}, add, %{{.*}} : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %r, %t5 = atomic_rmw_tko relaxed device %q, add, %i : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    // C4: atomic_cas_tko acq_rel sys %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} token=%{{.*}} : tile<ptr<i32>>, tile<i32>, tile<i1> -> tile<i32>, token
    %s, %t6 = atomic_cas_tko acq_rel sys %q, %i, %r, %c token=%t5 : tile<ptr<i32>>, tile<i32>, tile<i1> -> tile<i32>, token
    // C4: gdc_launch_dependents_tko -> token
    %t7 = gdc_launch_dependents_tko -> token
    // C4: gdc_wait_tko token = %{{.*}} -> token
    %t8 = gdc_wait_tko token = %t7 -> token
    // C4: memory_fence_alias_tko %{{.*}}
    %t9 = memory_fence_alias_tko %t8
    // C4: print_tko "x = %f\0A", %{{.*}} token=%{{.*}} : tile<f32> -> token
    %t10 = print_tko "x = %f\n", %x token=%t9 : tile<f32> -> token
    // C4: %{{assume.*}} = assume div_by<16>, %{{.*}} : tile<ptr<f32>>
    %p16 = assume div_by<16>, %p : tile<ptr<f32>>
    // C4: assume bounded<0, ?>, %{{.*}} : tile<i32>
    %b = assume #cuda_tile.bounded<0, ?>, %i : tile<i32>
    %v = iota : tile<16xi32>
    // C4: assume same_elements<[4]>, %{{.*}} : tile<16xi32>
    %e = assume same_elements<[4]>, %v : tile<16xi32>
    // C4: assume div_by<4, every 2 along 0>, %{{.*}} : tile<16xi32>
    %f = assume div_by<4, every 2 along 0>, %v : tile<16xi32>
  }

  // CHECK-LABEL: entry @views
  entry @views(%p: tile<ptr<f32>>, %n: tile<i32>, %i: tile<i32>) {
    // CHECK: %tview = make_tensor_view %{{.*}}, shape = [%{{.*}}, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    %t = make_tensor_view %p, shape = [%n, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    // CHECK: make_tensor_view %{{.*}}, shape = [], strides = [] : tensor_view<f32>
    %t0 = make_tensor_view %p, shape = [], strides = [] : tensor_view<f32>
    // CHECK: get_tensor_shape %tview : tensor_view<?x64xf32, strides=[64,1]> -> tile<i64>
    %s:2 = get_tensor_shape %t : tensor_view<?x64xf32, strides=[64,1]> -> tile<i64>
    // CHECK: %pview = make_partition_view %tview : partition_view<tile=(16x32), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>, dim_map=[1, 0]>
    %v = make_partition_view %t : partition_view<tile=(16x32), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>, dim_map=[1, 0]>
    // CHECK: get_index_space_shape %pview : partition_view<{{.*}}> -> tile<i32>
    %g:2 = get_index_space_shape %v : partition_view<tile=(16x32), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>, dim_map=[1, 0]> -> tile<i32>
    // CHECK: %tile, %result_token = load_view_tko weak %pview[%{{.*}}, %{{.*}}] : partition_view<{{.*}}>, tile<i32> -> tile<16x32xf32>, token
    %a, %k0 = load_view_tko weak %v[%i, %i] : partition_view<tile=(16x32), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>, dim_map=[1, 0]>, tile<i32> -> tile<16x32xf32>, token
    // CHECK: load_view_tko acquire device %pview[%{{.*}}, %{{.*}}] token = %{{.*}} optimization_hints = <sm_90 = {allow_tma = false}> inbounds = [true, false] :
    %b, %k1 = load_view_tko acquire device %v[%i, %i] token = %k0 optimization_hints = <sm_90 = {allow_tma = false}> inbounds = [true, false] : partition_view<tile=(16x32), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>, dim_map=[1, 0]>, tile<i32> -> tile<16x32xf32>, token
    // CHECK: store_view_tko release sys %{{.*}}, %pview[%{{.*}}, %{{.*}}] token = %{{.*}} : tile<16x32xf32>, partition_view<{{.*}}>, tile<i32> -> token
    %k2 = store_view_tko release sys %a, %v[%i, %i] token = %k1 : tile<16x32xf32>, partition_view<tile=(16x32), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>, dim_map=[1, 0]>, tile<i32> -> token
    // CHECK: %sview = make_strided_view %tview : strided_view<tile=(4x8), traversal_strides=[2,8], tensor_view<?x64xf32, strides=[64,1]>>
    %w = make_strided_view %t : strided_view<tile=(4x8), traversal_strides=[2,8], tensor_view<?x64xf32, strides=[64,1]>>
    // CHECK: atomic_red_view_tko relaxed device %sview[%{{.*}}, %{{.*}}], addf, %{{.*}} token = %{{.*}} : tile<4x8xf32>, strided_view<{{.*}}>, tile<i32> -> token
    %one = constant <f32: 1.0> : tile<4x8xf32>
    %k3 = atomic_red_view_tko relaxed device %w[%i, %i], addf, %one token = %k2 : tile<4x8xf32>, strided_view<tile=(4x8), traversal_strides=[2,8], tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> token
    // CHECK: %gsview = make_gather_scatter_view %tview : gather_scatter_view<tile=(16x8), tensor_view<?x64xf32, strides=[64,1]>, sparse_dim=0>
    %x = make_gather_scatter_view %t : gather_scatter_view<tile=(16x8), tensor_view<?x64xf32, strides=[64,1]>, sparse_dim=0>
    %rows = iota : tile<16xi32>
    // CHECK: load_view_tko weak %gsview[%{{.*}}, %{{.*}}] : gather_scatter_view<{{.*}}>, tile<16xi32>, tile<i32> -> tile<16x8xf32>, token
    %c, %k4 = load_view_tko weak %x[%rows, %i] : gather_scatter_view<tile=(16x8), tensor_view<?x64xf32, strides=[64,1]>, sparse_dim=0>, tile<16xi32>, tile<i32> -> tile<16x8xf32>, token
  }

  // CHECK-LABEL: entry @multimem(%{{.*}}: tile<ptr<f32, <multicast>>>, %{{.*}}: tile<i32>)
  entry @multimem(%p: tile<ptr<f32, <multicast>>>, %i: tile<i32>) {
    // CHECK: %tview = make_tensor_view %{{.*}}, shape = [64], strides = [1] : tile<ptr<f32, <multicast>>> -> tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>
    %t = make_tensor_view %p, shape = [64], strides = [1] : tile<ptr<f32, <multicast>>> -> tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>
    %v = make_partition_view %t : partition_view<tile=(16), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>
    // CHECK: multimem_load_reduce_view_tko weak %pview[%{{.*}}] inbounds = [true] : partition_view<{{.*}}>, tile<i32> -> tile<16xf32>, token
    %a, %k0 = multimem_load_reduce_view_tko weak %v[%i] inbounds = [true] : partition_view<tile=(16), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<i32> -> tile<16xf32>, token
    // CHECK: multimem_reduce_view_tko relaxed device %pview, %{{.*}}[%{{.*}}] token = %{{.*}} : partition_view<{{.*}}>, tile<16xf32>, tile<i32>, token -> token
    %k1 = multimem_reduce_view_tko relaxed device %v, %a[%i] token = %k0 : partition_view<tile=(16), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<16xf32>, tile<i32>, token -> token
    // CHECK: multimem_store_view_tko relaxed sys %pview, %{{.*}}[%{{.*}}] : partition_view<{{.*}}>, tile<16xf32>, tile<i32> -> token
    %k2 = multimem_store_view_tko relaxed sys %v, %a[%i] : partition_view<tile=(16), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>, tile<16xf32>, tile<i32> -> token
  }
}
