module attributes {nv_tileaa.compute_capability = 90 : i32} {
gpu.module @kernels {
"nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i32, 1>, !nv_tileaa.ptr<i32, 1>, !nv_tileaa.ptr<f32, 1>, !nv_tileaa.ptr<f32, 1>, !nv_tileaa.ptr<i32, 1>, !nv_tileaa.ptr<i32, 1>, !nv_tileaa.ptr<i32, 1>, !nv_tileaa.ptr<f32, 1>) -> (), sym_name = "kernel"}> ({
^bb0(%p0: !nv_tileaa.ptr<i32, 1>, %p1: !nv_tileaa.ptr<i32, 1>, %p2: !nv_tileaa.ptr<f32, 1>, %p3: !nv_tileaa.ptr<f32, 1>, %p4: !nv_tileaa.ptr<i32, 1>, %p5: !nv_tileaa.ptr<i32, 1>, %p6: !nv_tileaa.ptr<i32, 1>, %p7: !nv_tileaa.ptr<f32, 1>):
  %v2 = arith.constant 0 : i32
  %v3 = arith.constant 64 : i32
  %v4 = "nv_tileaa.make_range"(%v2, %v3) : (i32, i32) -> tensor<64xi32>
  %v5 = "nv_tileaa.splat"(%p0) : (!nv_tileaa.ptr<i32, 1>) -> tensor<64x!nv_tileaa.ptr<i32, 1>>
  %v6 = "nv_tileaa.addptr"(%v5, %v4) : (tensor<64x!nv_tileaa.ptr<i32, 1>>, tensor<64xi32>) -> tensor<64x!nv_tileaa.ptr<i32, 1>>
  %v7 = "nv_tileaa.view"(%v6) : (tensor<64x!nv_tileaa.ptr<i32, 1>>) -> tensor<1x64x!nv_tileaa.ptr<i32, 1>>
  %v1 = "nv_tileaa.load"(%v7) <{is_volatile, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> : (tensor<1x64x!nv_tileaa.ptr<i32, 1>>) -> tensor<1x64xi32>
  %v9 = arith.constant 0 : i32
  %v10 = arith.constant 64 : i32
  %v11 = "nv_tileaa.make_range"(%v9, %v10) : (i32, i32) -> tensor<64xi32>
  %v12 = "nv_tileaa.splat"(%p1) : (!nv_tileaa.ptr<i32, 1>) -> tensor<64x!nv_tileaa.ptr<i32, 1>>
  %v13 = "nv_tileaa.addptr"(%v12, %v11) : (tensor<64x!nv_tileaa.ptr<i32, 1>>, tensor<64xi32>) -> tensor<64x!nv_tileaa.ptr<i32, 1>>
  %v14 = "nv_tileaa.view"(%v13) : (tensor<64x!nv_tileaa.ptr<i32, 1>>) -> tensor<1x64x!nv_tileaa.ptr<i32, 1>>
  %v8 = "nv_tileaa.load"(%v14) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>}> : (tensor<1x64x!nv_tileaa.ptr<i32, 1>>) -> tensor<1x64xi32>
  %v30 = "nv_tileaa.mulhiui"(%v8, %v1) : (tensor<1x64xi32>, tensor<1x64xi32>) -> tensor<1x64xi32>
  %v32 = arith.cmpi slt, %v8, %v30 : tensor<1x64xi32>
  %v34 = arith.constant 0 : i32
  %v35 = arith.constant 64 : i32
  %v36 = "nv_tileaa.make_range"(%v34, %v35) : (i32, i32) -> tensor<64xi32>
  %v37 = "nv_tileaa.splat"(%p4) : (!nv_tileaa.ptr<i32, 1>) -> tensor<64x!nv_tileaa.ptr<i32, 1>>
  %v38 = "nv_tileaa.addptr"(%v37, %v36) : (tensor<64x!nv_tileaa.ptr<i32, 1>>, tensor<64xi32>) -> tensor<64x!nv_tileaa.ptr<i32, 1>>
  %v39 = "nv_tileaa.view"(%v38) : (tensor<64x!nv_tileaa.ptr<i32, 1>>) -> tensor<1x64x!nv_tileaa.ptr<i32, 1>>
  %v33 = "nv_tileaa.load"(%v39, %v32, %v30) <{is_volatile, mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 0, 1, 1, 0>}> : (tensor<1x64x!nv_tileaa.ptr<i32, 1>>, tensor<1x64xi1>, tensor<1x64xi32>) -> tensor<1x64xi32>
  %v41 = arith.constant 0 : i32
  %v42 = arith.constant 64 : i32
  %v43 = "nv_tileaa.make_range"(%v41, %v42) : (i32, i32) -> tensor<64xi32>
  %v44 = "nv_tileaa.splat"(%p5) : (!nv_tileaa.ptr<i32, 1>) -> tensor<64x!nv_tileaa.ptr<i32, 1>>
  %v45 = "nv_tileaa.addptr"(%v44, %v43) : (tensor<64x!nv_tileaa.ptr<i32, 1>>, tensor<64xi32>) -> tensor<64x!nv_tileaa.ptr<i32, 1>>
  %v46 = "nv_tileaa.view"(%v45) : (tensor<64x!nv_tileaa.ptr<i32, 1>>) -> tensor<1x64x!nv_tileaa.ptr<i32, 1>>
  "nv_tileaa.store"(%v46, %v33) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : (tensor<1x64x!nv_tileaa.ptr<i32, 1>>, tensor<1x64xi32>) -> ()
  %v47 = arith.cmpi slt, %v1, %v30 : tensor<1x64xi32>
  %v48 = arith.constant 0 : i32
  %v49 = arith.constant 64 : i32
  %v50 = "nv_tileaa.make_range"(%v48, %v49) : (i32, i32) -> tensor<64xi32>
  %v51 = "nv_tileaa.splat"(%p6) : (!nv_tileaa.ptr<i32, 1>) -> tensor<64x!nv_tileaa.ptr<i32, 1>>
  %v52 = "nv_tileaa.addptr"(%v51, %v50) : (tensor<64x!nv_tileaa.ptr<i32, 1>>, tensor<64xi32>) -> tensor<64x!nv_tileaa.ptr<i32, 1>>
  %v53 = "nv_tileaa.view"(%v52) : (tensor<64x!nv_tileaa.ptr<i32, 1>>) -> tensor<1x64x!nv_tileaa.ptr<i32, 1>>
  "nv_tileaa.store"(%v53, %v33, %v47) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>}> : (tensor<1x64x!nv_tileaa.ptr<i32, 1>>, tensor<1x64xi32>, tensor<1x64xi1>) -> ()
  "nv_tileaa.return"() : () -> ()
}) : () -> ()
}
}
