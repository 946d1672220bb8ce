cuda_tile.module @kernels {
  entry @insert_into_sum(%in: tile<ptr<i16>>, %out: tile<ptr<i16>>, %place: tile<i32>, %turns: tile<i32>) optimization_hints=<sm_90 = {num_cta_in_cga = 2}, sm_100 = {num_cta_in_cga = 2}> {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %row = constant <i32: 32> : tile<i32>
    %none = constant <i16: 0> : tile<32xi16>
    %part = constant <i16: -1> : tile<16xi16>
    %lanes = iota : tile<32xi32>
    %in1 = reshape %in : tile<ptr<i16>> -> tile<1xptr<i16>>
    %ins = broadcast %in1 : tile<1xptr<i16>> -> tile<32xptr<i16>>
    %sum = for %i in (%zero to %turns, step %one) : tile<i32> iter_values(%acc = %none) -> (tile<32xi16>) {
      %k = muli %i, %row : tile<i32>
      %k1 = reshape %k : tile<i32> -> tile<1xi32>
      %ks = broadcast %k1 : tile<1xi32> -> tile<32xi32>
      %off = addi %lanes, %ks : tile<32xi32>
      %at = offset %ins, %off : tile<32xptr<i16>>, tile<32xi32> -> tile<32xptr<i16>>
      %loaded, %loaded_t = load_ptr_tko weak %at : tile<32xptr<i16>> -> tile<32xi16>, token
      %new = addi %acc, %loaded : tile<32xi16>
      %back = store_ptr_tko weak %at, %new token=%loaded_t : tile<32xptr<i16>>, tile<32xi16> -> token
      continue %new : tile<32xi16>
    }
    %both = insert %part, %sum[%place] : tile<16xi16>, tile<32xi16>
    %made = muli %sum, %both : tile<32xi16>
    %out1 = reshape %out : tile<ptr<i16>> -> tile<1xptr<i16>>
    %outs = broadcast %out1 : tile<1xptr<i16>> -> tile<32xptr<i16>>
    %to = offset %outs, %lanes : tile<32xptr<i16>>, tile<32xi32> -> tile<32xptr<i16>>
    %t1 = store_ptr_tko weak %to, %made : tile<32xptr<i16>>, tile<32xi16> -> token
    return
  }
}
