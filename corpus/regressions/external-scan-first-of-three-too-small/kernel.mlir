cuda_tile.module @m {

  entry @k(%p0: tile<ptr<i1>>, %p1: tile<ptr<i1>>) {
    %v1 = iota : tile<16xi32>
    %v2 = reshape %v1 : tile<16xi32> -> tile<16x1x1xi32>
    %v3 = broadcast %v2 : tile<16x1x1xi32> -> tile<16x8x8xi32>
    %v4 = constant <i32: 64> : tile<16x8x8xi32>
    %v5 = muli %v3, %v4 : tile<16x8x8xi32>
    %v6 = iota : tile<8xi32>
    %v7 = reshape %v6 : tile<8xi32> -> tile<1x8x1xi32>
    %v8 = broadcast %v7 : tile<1x8x1xi32> -> tile<16x8x8xi32>
    %v9 = constant <i32: 8> : tile<16x8x8xi32>
    %v10 = muli %v8, %v9 : tile<16x8x8xi32>
    %v11 = addi %v5, %v10 : tile<16x8x8xi32>
    %v12 = iota : tile<8xi32>
    %v13 = reshape %v12 : tile<8xi32> -> tile<1x1x8xi32>
    %v14 = broadcast %v13 : tile<1x1x8xi32> -> tile<16x8x8xi32>
    %v15 = constant <i32: 1> : tile<16x8x8xi32>
    %v16 = muli %v14, %v15 : tile<16x8x8xi32>
    %v17 = addi %v11, %v16 : tile<16x8x8xi32>
    %v18 = reshape %p0 : tile<ptr<i1>> -> tile<1x1x1xptr<i1>>
    %v19 = broadcast %v18 : tile<1x1x1xptr<i1>> -> tile<16x8x8xptr<i1>>
    %v20 = offset %v19, %v17 : tile<16x8x8xptr<i1>>, tile<16x8x8xi32> -> tile<16x8x8xptr<i1>>
    %v21, %v22 = load_ptr_tko weak %v20 : tile<16x8x8xptr<i1>> -> tile<16x8x8xi1>, token
    %r = scan %v21 dim=0 reverse=false identities=[false] : tile<16x8x8xi1> -> tile<16x8x8xi1> (%a0: tile<i1>, %e0: tile<i1>) {
    %o0 = ori %a0, %e0 : tile<i1>
    yield %o0 : tile<i1>
    }
    %v23 = iota : tile<16xi32>
    %v24 = reshape %v23 : tile<16xi32> -> tile<16x1x1xi32>
    %v25 = broadcast %v24 : tile<16x1x1xi32> -> tile<16x8x8xi32>
    %v26 = constant <i32: 64> : tile<16x8x8xi32>
    %v27 = muli %v25, %v26 : tile<16x8x8xi32>
    %v28 = iota : tile<8xi32>
    %v29 = reshape %v28 : tile<8xi32> -> tile<1x8x1xi32>
    %v30 = broadcast %v29 : tile<1x8x1xi32> -> tile<16x8x8xi32>
    %v31 = constant <i32: 8> : tile<16x8x8xi32>
    %v32 = muli %v30, %v31 : tile<16x8x8xi32>
    %v33 = addi %v27, %v32 : tile<16x8x8xi32>
    %v34 = iota : tile<8xi32>
    %v35 = reshape %v34 : tile<8xi32> -> tile<1x1x8xi32>
    %v36 = broadcast %v35 : tile<1x1x8xi32> -> tile<16x8x8xi32>
    %v37 = constant <i32: 1> : tile<16x8x8xi32>
    %v38 = muli %v36, %v37 : tile<16x8x8xi32>
    %v39 = addi %v33, %v38 : tile<16x8x8xi32>
    %v40 = reshape %p1 : tile<ptr<i1>> -> tile<1x1x1xptr<i1>>
    %v41 = broadcast %v40 : tile<1x1x1xptr<i1>> -> tile<16x8x8xptr<i1>>
    %v42 = offset %v41, %v39 : tile<16x8x8xptr<i1>>, tile<16x8x8xi32> -> tile<16x8x8xptr<i1>>
    %v43 = store_ptr_tko weak %v42, %r : tile<16x8x8xptr<i1>>, tile<16x8x8xi1> -> token
  }
}
