cuda_tile.module @kernels {
  entry @prints(%out: tile<ptr<i32>>) {
    %value = constant <i32: 7> : tile<1xi32>
    %first = print_tko "first %d\0A", %value : tile<1xi32> -> token
    %place = reshape %out : tile<ptr<i32>> -> tile<1xptr<i32>>
    %loaded, %t0 = load_ptr_tko weak %place : tile<1xptr<i32>> -> tile<1xi32>, token
    %one = constant <i32: 1> : tile<1xi32>
    %next = offset %place, %one : tile<1xptr<i32>>, tile<1xi32> -> tile<1xptr<i32>>
    %t1 = store_ptr_tko weak %next, %loaded : tile<1xptr<i32>>, tile<1xi32> -> token
    %second = print_tko "second\0A" -> token
    return
  }
}
