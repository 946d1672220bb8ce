cuda_tile.module @kernels {
  entry @transpose_after_wait(%in: tile<ptr<i32>>, %flag: tile<ptr<i32>>, %out: tile<ptr<i32>>) {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %count = constant <i32: 512> : tile<i32>
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %i = iota : tile<512xi32>
    %in1 = reshape %in : tile<ptr<i32>> -> tile<1xptr<i32>>
    %inAll = broadcast %in1 : tile<1xptr<i32>> -> tile<512xptr<i32>>
    %inAt = offset %inAll, %i : tile<512xptr<i32>>, tile<512xi32> -> tile<512xptr<i32>>
    %x, %t0 = load_ptr_tko weak %inAt : tile<512xptr<i32>> -> tile<512xi32>, token
    %start = make_token : token
    %first = cmpi equal %bx, %zero, signed : tile<i32> -> tile<i1>
    %ready = if %first -> (token) {
      yield %start : token
    } else {
      %seen = loop iter_values(%t = %start) : token -> token {
        %f, %tf = load_ptr_tko acquire device %flag token=%t : tile<ptr<i32>> -> tile<i32>, token
        %set = cmpi not_equal %f, %zero, signed : tile<i32> -> tile<i1>
        if %set {
          break %tf : token
        }
        continue %tf : token
      }
      yield %seen : token
    }
    %m = reshape %x : tile<512xi32> -> tile<16x32xi32>
    %p = permute %m [1, 0] : tile<16x32xi32> -> tile<32x16xi32>
    %y = reshape %p : tile<32x16xi32> -> tile<512xi32>
    %base = muli %bx, %count : tile<i32>
    %base1 = reshape %base : tile<i32> -> tile<1xi32>
    %baseAll = broadcast %base1 : tile<1xi32> -> tile<512xi32>
    %at = addi %i, %baseAll : tile<512xi32>
    %out1 = reshape %out : tile<ptr<i32>> -> tile<1xptr<i32>>
    %outAll = broadcast %out1 : tile<1xptr<i32>> -> tile<512xptr<i32>>
    %outAt = offset %outAll, %at : tile<512xptr<i32>>, tile<512xi32> -> tile<512xptr<i32>>
    %t1 = store_ptr_tko weak %outAt, %y token=%ready : tile<512xptr<i32>>, tile<512xi32> -> token
    %t2 = store_ptr_tko release device %flag, %one token=%t1 : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
