// RUN: tile-opt %s --convert-cudatile-to-tileaa=compute-capability=sm_90 | FileCheck --check-prefixes=CHECK,L26,L27,L35,O5,O6 %s

cuda_tile.module @m {
  // CHECK-LABEL: sym_name = "pointers"
  // An absent token is one token per entry.
  // L26: %[[T0:.*]] = "nv_tileaa.create_mem_token"() <{producers = 1 : i32}> : () -> !nv_tileaa.mem_token
  // L26-NOT: create_mem_token
  entry @pointers(%p: tile<ptr<i32>>) {
    %0 = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
    %1 = broadcast %0 : tile<1xptr<i32>> -> tile<8xptr<i32>>
    %2 = iota : tile<8xi32>
    // O5: %[[PTRS:.*]] = "nv_tileaa.addptr"(%{{.*}}, %{{.*}}) : (tensor<8x!nv_tileaa.ptr<i32, 1>>, tensor<8xi32>) -> tensor<8x!nv_tileaa.ptr<i32, 1>>
    %3 = offset %1, %2 : tile<8xptr<i32>>, tile<8xi32> -> tile<8xptr<i32>>
    %4 = constant <i1: true> : tile<8xi1>
    // L26: %[[V:.*]], %[[T1:.*]] = "nv_tileaa.load"(%[[PTRS]], %{{.*}}, %{{.*}}, %[[T0]]) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 0, 1, 1, 1>}>
    %5, %t1 = load_ptr_tko weak %3, %4, %2 : tile<8xptr<i32>>, tile<8xi1>, tile<8xi32> -> tile<8xi32>, token
    // L26: %[[T2:.*]] = "nv_tileaa.store"(%[[PTRS]], %[[V]], %[[T1]]) <{mem_scope = #nv_tileaa.mem_scope<gpu>, mem_semantic = #nv_tileaa.mem_semantic<release>
    %t2 = store_ptr_tko release device %3, %5 token=%t1 : tile<8xptr<i32>>, tile<8xi32> -> token
    // L27: %[[T3:.*]] = "nv_tileaa.join_mem_token"(%[[T1]], %[[T2]])
    %t3 = join_tokens %t1, %t2 : token
    // O6: %[[OLD:.*]], %[[T4:.*]] = "nv_tileaa.atomic_rmw"(%[[PTRS]], %{{.*}}, %[[T3]]) <{mem_scope = #nv_tileaa.mem_scope<sys>, mem_semantic = #nv_tileaa.mem_semantic<acq_rel>, {{.*}}rmw_mode = #nv_tileaa.rmw_mode<umax>}>
    %6, %t4 = atomic_rmw_tko acq_rel sys %3, umax, %2 token=%t3 : tile<8xptr<i32>>, tile<8xi32> -> tile<8xi32>, token
    // O6: "nv_tileaa.atomic_cas"(%[[PTRS]], %{{.*}}, %{{.*}}, %{{.*}}, %[[T4]])
    %7, %t5 = atomic_cas_tko relaxed tl_blk %3, %6, %2, %4 token=%t4 : tile<8xptr<i32>>, tile<8xi32>, tile<8xi1> -> tile<8xi32>, token
    return
  }

  // CHECK-LABEL: sym_name = "hints"
  // L35: "nv_tileaa.load"{{.*}}latency = 5 : i64
  entry @hints(%p: tile<ptr<f32>>) {
    %0, %t = load_ptr_tko weak %p optimization_hints = <sm_90 = {latency = 5}> : tile<ptr<f32>> -> tile<f32>, token
    return
  }

  // Dependent launches keep their place among the tokens.
  // CHECK-LABEL: sym_name = "launches"
  // L26: %[[W:.*]] = "nv_tileaa.grid_dependency"({{.*}}) <{kind = #nv_tileaa.grid_dependency<wait>}>
  // L26: %{{.*}}, %[[R:.*]] = "nv_tileaa.load"(%{{.*}}, %[[W]])
  // L26: "nv_tileaa.grid_dependency"(%[[R]]) <{kind = #nv_tileaa.grid_dependency<launch_dependents>}>
  entry @launches(%p: tile<ptr<f32>>) {
    %t0 = gdc_wait_tko -> token
    %0, %t1 = load_ptr_tko weak %p token=%t0 : tile<ptr<f32>> -> tile<f32>, token
    %t2 = gdc_launch_dependents_tko token = %t1 -> token
    return
  }
}
