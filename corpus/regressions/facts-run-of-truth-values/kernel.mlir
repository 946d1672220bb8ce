cuda_tile.module @m {
  entry @k(%a0: tile<ptr<f32>>, %b: tile<ptr<f32>>) {
    %a = assume div_by<16>, %a0 : tile<ptr<f32>>
    %iota = iota : tile<512xi32>
    
    %t = trunci %iota : tile<512xi32> -> tile<512xi1>
    %u = exti %t unsigned : tile<512xi1> -> tile<512xi32>
    %pr = reshape %a : tile<ptr<f32>> -> tile<1xptr<f32>>
    %pb = broadcast %pr : tile<1xptr<f32>> -> tile<512xptr<f32>>
    %p = offset %pb, %u : tile<512xptr<f32>>, tile<512xi32> -> tile<512xptr<f32>>
    %qr = reshape %b : tile<ptr<f32>> -> tile<1xptr<f32>>
    %qb = broadcast %qr : tile<1xptr<f32>> -> tile<512xptr<f32>>
    %q = offset %qb, %iota : tile<512xptr<f32>>, tile<512xi32> -> tile<512xptr<f32>>
    %x, %xt = load_ptr_tko weak %p : tile<512xptr<f32>> -> tile<512xf32>, token
    %s_q_x = store_ptr_tko weak %q, %x : tile<512xptr<f32>>, tile<512xf32> -> token
    return
  }
}
