// RUN: tile-opt %s --convert-cudatile-to-tileaa=compute-capability=sm_90 | FileCheck --check-prefixes=CHECK,L28,L35,O6,O14 %s

cuda_tile.module @m {
  // CHECK-LABEL: sym_name = "tiles"
  entry @tiles(%p: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>, %ld: tile<i32>) {
    // Extents and strides are unsigned and become i64.
    // CHECK: arith.extui %{{.*}} : i32 to i64
    // O14: %[[REF:.*]] = "nv_tileaa.make_memref"(%{{.*}}) <{alias_scope = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 2, 1>}> : (!nv_tileaa.ptr<f32, 1>, i64, i64, i64) -> !nv_tileaa.memref<[?, ?] x f32, strides = [?, 1], 1>
    %tv = make_tensor_view %p, shape = [%m, %n], strides = [%ld, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    // L28: %[[VIEW:.*]] = "nv_tileaa.block_tile"(%[[REF]]) <{dimGroups = [array<i64: 1>, array<i64: 0>], padding_value = #nv_tileaa.padding_value<neg_inf>, tileSizes = array<i64: 16, 32>}>
    // L28-SAME: !nv_tileaa.tiled_view<tileShape = [16, 32], memref = <[?, ?] x f32, strides = [?, 1], 1>, dimMap = [1, 0], padding = <neg_inf>>
    %pv = make_partition_view %tv : partition_view<tile=(16x32), padding_value = neg_inf, tensor_view<?x?xf32, strides=[?,1]>, dim_map=[1, 0]>
    // L28: %[[DIM:.*]] = "nv_tileaa.get_dim_size"(%[[REF]]) <{dim = 0 : i32}> : (!nv_tileaa.memref<{{.*}}>) -> i64
    // L28: arith.trunci %[[DIM]] : i64 to i32
    %s:2 = get_tensor_shape %tv : tensor_view<?x?xf32, strides=[?,1]> -> tile<i32>
    // L28: "nv_tileaa.get_dim_size"(%[[VIEW]]) <{dim = 1 : i32}>
    // L28: arith.constant 16 : i64
    // L28: arith.ceildivsi
    %g:2 = get_index_space_shape %pv : partition_view<tile=(16x32), padding_value = neg_inf, tensor_view<?x?xf32, strides=[?,1]>, dim_map=[1, 0]> -> tile<i32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    // O6: %[[V:.*]], %[[T:.*]] = "nv_tileaa.tiled_load"(%[[VIEW]], %{{.*}}, %{{.*}}, %{{.*}}) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 2, 1>}>
    // O6-SAME: -> (tensor<16x32xf32>, !nv_tileaa.mem_token)
    %v, %t = load_view_tko weak %pv[%x, %y] : partition_view<tile=(16x32), padding_value = neg_inf, tensor_view<?x?xf32, strides=[?,1]>, dim_map=[1, 0]>, tile<i32> -> tile<16x32xf32>, token
    // L35: "nv_tileaa.tiled_store"(%[[VIEW]], %[[V]], %{{.*}}, %{{.*}}, %[[T]]) <{allow_tma = false
    %t2 = store_view_tko weak %v, %pv[%x, %y] token = %t optimization_hints = <sm_90 = {allow_tma = false}> : tile<16x32xf32>, partition_view<tile=(16x32), padding_value = neg_inf, tensor_view<?x?xf32, strides=[?,1]>, dim_map=[1, 0]>, tile<i32> -> token
    return
  }

  // What is assumed of a tensor view is assumed of its base.
  // CHECK-LABEL: sym_name = "assumed"
  entry @assumed(%p: tile<ptr<f32>>) {
    // O14: "nv_tileaa.make_memref"
    // O14: %[[BASE:.*]] = "nv_tileaa.assume"(%{{.*}}) <{predicates = [#nv_tileaa.div_by<divisor = 16>]}> : (!nv_tileaa.ptr<f32, 1>)
    // O14: %[[REF:.*]] = "nv_tileaa.make_memref"(%[[BASE]])
    // O14: "nv_tileaa.block_tile"(%[[REF]])
    %tv = make_tensor_view %p, shape = [64], strides = [1] : tensor_view<64xf32, strides=[1]>
    %av = assume div_by<16>, %tv : tensor_view<64xf32, strides=[1]>
    %pv = make_partition_view %av : partition_view<tile=(16), tensor_view<64xf32, strides=[1]>>
    %c0 = constant <i32: 0> : tile<i32>
    %v, %t = load_view_tko weak %pv[%c0] : partition_view<tile=(16), tensor_view<64xf32, strides=[1]>>, tile<i32> -> tile<16xf32>, token
    return
  }

  // CHECK-LABEL: sym_name = "special"
  entry @special(%p: tile<ptr<i32>>, %i: tile<i8>) {
    %tv = make_tensor_view %p, shape = [64, 64], strides = [64, 1] : tensor_view<64x64xi32, strides=[64,1]>
    // L28: traversalStrides = [4, 4]
    %sv = make_strided_view %tv : strided_view<tile=(8x8), traversal_strides=[4,4], tensor_view<64x64xi32, strides=[64,1]>>
    // Narrow indices are unsigned: they are widened here.
    // CHECK: arith.extui %{{.*}} : i8 to i32
    // O6: "nv_tileaa.tiled_load"
    %v, %t = load_view_tko weak %sv[%i, %i] : strided_view<tile=(8x8), traversal_strides=[4,4], tensor_view<64x64xi32, strides=[64,1]>>, tile<i8> -> tile<8x8xi32>, token
    // L28: sparseDim = 0
    %gv = make_gather_scatter_view %tv : gather_scatter_view<tile=(8x8), tensor_view<64x64xi32, strides=[64,1]>, sparse_dim=0>
    %rows = iota : tile<8xi32>
    %c0 = constant <i32: 0> : tile<i32>
    // O6: "nv_tileaa.gather_load"{{.*}}operandSegmentSizes = array<i32: 1, 2, 0, 0, 1>
    %w, %t2 = load_view_tko weak %gv[%rows, %c0] : gather_scatter_view<tile=(8x8), tensor_view<64x64xi32, strides=[64,1]>, sparse_dim=0>, tile<8xi32>, tile<i32> -> tile<8x8xi32>, token
    // O6: "nv_tileaa.scatter_store"
    %t3 = store_view_tko weak %w, %gv[%rows, %c0] : tile<8x8xi32>, gather_scatter_view<tile=(8x8), tensor_view<64x64xi32, strides=[64,1]>, sparse_dim=0>, tile<8xi32>, tile<i32> -> token
    return
  }
}
