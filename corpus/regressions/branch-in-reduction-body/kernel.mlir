cuda_tile.module @m {

  entry @k(%p0: tile<ptr<i32>>, %p1: tile<ptr<i32>>, %p2: tile<ptr<i32>>) {
    %v1 = iota : tile<4xi32>
    %v2 = reshape %v1 : tile<4xi32> -> tile<4x1xi32>
    %v3 = broadcast %v2 : tile<4x1xi32> -> tile<4x16xi32>
    %v4 = constant <i32: 16> : tile<4x16xi32>
    %v5 = muli %v3, %v4 : tile<4x16xi32>
    %v6 = iota : tile<16xi32>
    %v7 = reshape %v6 : tile<16xi32> -> tile<1x16xi32>
    %v8 = broadcast %v7 : tile<1x16xi32> -> tile<4x16xi32>
    %v9 = constant <i32: 1> : tile<4x16xi32>
    %v10 = muli %v8, %v9 : tile<4x16xi32>
    %v11 = addi %v5, %v10 : tile<4x16xi32>
    %v12 = reshape %p0 : tile<ptr<i32>> -> tile<1x1xptr<i32>>
    %v13 = broadcast %v12 : tile<1x1xptr<i32>> -> tile<4x16xptr<i32>>
    %v14 = offset %v13, %v11 : tile<4x16xptr<i32>>, tile<4x16xi32> -> tile<4x16xptr<i32>>
    %v15, %v16 = load_ptr_tko weak %v14 : tile<4x16xptr<i32>> -> tile<4x16xi32>, token
    %r = reduce %v15 dim=1 identities=[-2147483648 : i32] : tile<4x16xi32> -> tile<4xi32> (%ra: tile<i32>, %rb: tile<i32>) {
      %rc = cmpi greater_than %ra, %rb, signed : tile<i32> -> tile<i1>
      %rr = if %rc -> (tile<i32>) {
        %rone = constant <i32: 1> : tile<i32>
        %rs = divi %ra, %rone signed : tile<i32>
        yield %rs : tile<i32>
      } else {
        yield %rb : tile<i32>
      }
      yield %rr : tile<i32>
    }
    %v17 = iota : tile<4xi32>
    %v18 = reshape %v17 : tile<4xi32> -> tile<4xi32>
    %v19 = broadcast %v18 : tile<4xi32> -> tile<4xi32>
    %v20 = constant <i32: 1> : tile<4xi32>
    %v21 = muli %v19, %v20 : tile<4xi32>
    %v22 = reshape %p1 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v23 = broadcast %v22 : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %v24 = offset %v23, %v21 : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %v25 = store_ptr_tko weak %v24, %r : tile<4xptr<i32>>, tile<4xi32> -> token
    %s = scan %v15 dim=1 reverse=false identities=[-2147483648 : i32] : tile<4x16xi32> -> tile<4x16xi32> (%sa: tile<i32>, %sb: tile<i32>) {
      %sc = cmpi greater_than %sa, %sb, signed : tile<i32> -> tile<i1>
      %sr = if %sc -> (tile<i32>) {
        %sone = constant <i32: 1> : tile<i32>
        %ss = divi %sa, %sone signed : tile<i32>
        yield %ss : tile<i32>
      } else {
        yield %sb : tile<i32>
      }
      yield %sr : tile<i32>
    }
    %v26 = iota : tile<4xi32>
    %v27 = reshape %v26 : tile<4xi32> -> tile<4x1xi32>
    %v28 = broadcast %v27 : tile<4x1xi32> -> tile<4x16xi32>
    %v29 = constant <i32: 16> : tile<4x16xi32>
    %v30 = muli %v28, %v29 : tile<4x16xi32>
    %v31 = iota : tile<16xi32>
    %v32 = reshape %v31 : tile<16xi32> -> tile<1x16xi32>
    %v33 = broadcast %v32 : tile<1x16xi32> -> tile<4x16xi32>
    %v34 = constant <i32: 1> : tile<4x16xi32>
    %v35 = muli %v33, %v34 : tile<4x16xi32>
    %v36 = addi %v30, %v35 : tile<4x16xi32>
    %v37 = reshape %p2 : tile<ptr<i32>> -> tile<1x1xptr<i32>>
    %v38 = broadcast %v37 : tile<1x1xptr<i32>> -> tile<4x16xptr<i32>>
    %v39 = offset %v38, %v36 : tile<4x16xptr<i32>>, tile<4x16xi32> -> tile<4x16xptr<i32>>
    %v40 = store_ptr_tko weak %v39, %s : tile<4x16xptr<i32>>, tile<4x16xi32> -> token
  }
}
