// RUN: tile-opt %s --split-input-file --tileaa-lower-tokens --verify-diagnostics

// pool
// 33 asynchronous loads whose tokens live at the same time.
!p = !nv_tileaa.ptr<i32, 1>
!t = !nv_tileaa.mem_token
gpu.module @m {
  // expected-note @below {{a tile block has 32 mbarriers for tokens, this function needs 33 at the same time}}
  "nv_tileaa.func"() <{function_type = (!p, i32) -> (), sym_name = "f"}> ({
  ^bb0(%p: !p, %v: i32):
    %t = "nv_tileaa.create_mem_token"() : () -> !t
    %v0, %t0 = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %v1, %t1 = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %v2, %t2 = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %v3, %t3 = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %v4, %t4 = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %v5, %t5 = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %v6, %t6 = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %v7, %t7 = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %v8, %t8 = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %v9, %t9 = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %v10, %t10 = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %v11, %t11 = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %v12, %t12 = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %v13, %t13 = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %v14, %t14 = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %v15, %t15 = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %v16, %t16 = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %v17, %t17 = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %v18, %t18 = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %v19, %t19 = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %v20, %t20 = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %v21, %t21 = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %v22, %t22 = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %v23, %t23 = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %v24, %t24 = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %v25, %t25 = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %v26, %t26 = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %v27, %t27 = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %v28, %t28 = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %v29, %t29 = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %v30, %t30 = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %v31, %t31 = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    // expected-error @below {{failed to init mbarrier}}
    %v32, %t32 = "nv_tileaa.load"(%p, %t) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}> {nv_tileaa.async = 1 : i32} : (!p, !t) -> (i32, !t)
    %all = "nv_tileaa.join_mem_token"(%t0, %t1, %t2, %t3, %t4, %t5, %t6, %t7, %t8, %t9, %t10, %t11, %t12, %t13, %t14, %t15, %t16, %t17, %t18, %t19, %t20, %t21, %t22, %t23, %t24, %t25, %t26, %t27, %t28, %t29, %t30, %t31, %t32) : (!t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t, !t) -> !t
    %s = "nv_tileaa.store"(%p, %v, %all) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> : (!p, i32, !t) -> !t
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}

// -----

// not_lowered
!t = !nv_tileaa.mem_token
gpu.module @m {
  "nv_tileaa.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
  ^bb0(%v: i32):
    %t = "nv_tileaa.create_mem_token"() : () -> !t
    // expected-error @below {{cannot lower the token that this op carries}}
    %0 = "nv_tileaa.pragma"() ({
      "nv_tileaa.yield"(%t) : (!t) -> ()
    }) : () -> !t
    "nv_tileaa.return"() : () -> ()
  }) : () -> ()
}
