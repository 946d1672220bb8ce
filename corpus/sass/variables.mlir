cuda_tile.module @kernels {
  global @counter <i32: [5, 7, 0, 0]> : tile<4xi32>
  global constant @table <i32: [1, 2]> : tile<2xi32>
  global private @own <i32: [1, 2]> : tile<2xi32>
  global @kernel_param_0 <i32: [1, 2]> : tile<2xi32>
  entry @add(%out: tile<ptr<i32>>, %step: tile<i32>) {
    %tok = make_token : token
    %c = get_global @counter : tile<ptr<i32>>
    %x, %t1 = load_ptr_tko weak %c token=%tok : tile<ptr<i32>> -> tile<i32>, token
    %sum = addi %x, %step : tile<i32>
    %t2 = store_ptr_tko weak %c, %sum token=%t1 : tile<ptr<i32>>, tile<i32> -> token
    %h = get_global @kernel_param_0 : tile<ptr<i32>>
    %one = constant <i32: 1> : tile<i32>
    %h1 = offset %h, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %y, %t3 = load_ptr_tko weak %h1 token=%tok : tile<ptr<i32>> -> tile<i32>, token
    %t4 = store_ptr_tko weak %out, %sum token=%tok : tile<ptr<i32>>, tile<i32> -> token
    %o1 = offset %out, %one : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %t5 = store_ptr_tko weak %o1, %y token=%tok : tile<ptr<i32>>, tile<i32> -> token
    %two = constant <i32: 2> : tile<i32>
    %o2 = offset %out, %two : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %o2l = ptr_to_ptr %o2 : tile<ptr<i32>> -> tile<ptr<i64>>
    %address = ptr_to_int %c : tile<ptr<i32>> -> tile<i64>
    %t6 = store_ptr_tko weak %o2l, %address token=%tok : tile<ptr<i64>>, tile<i64> -> token
    return
  }
}
