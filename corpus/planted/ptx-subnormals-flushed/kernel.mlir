cuda_tile.module @kernels {
  entry @kernel(%x: tile<ptr<f32>>, %n: tile<ptr<i32>>, %sum: tile<ptr<f32>>, %half: tile<ptr<f16>>, %less: tile<ptr<i32>>, %shifted: tile<ptr<i32>>, %small: tile<ptr<f32>>) {
    %i = iota : tile<16xi32>
    %sixteen = constant <i32: 16> : tile<16xi32>
    %j = addi %i, %sixteen : tile<16xi32>
    %k = addi %j, %sixteen : tile<16xi32>
    %xr = reshape %x : tile<ptr<f32>> -> tile<1xptr<f32>>
    %xs = broadcast %xr : tile<1xptr<f32>> -> tile<16xptr<f32>>
    %pa = offset %xs, %i : tile<16xptr<f32>>, tile<16xi32> -> tile<16xptr<f32>>
    %pb = offset %xs, %j : tile<16xptr<f32>>, tile<16xi32> -> tile<16xptr<f32>>
    %pc = offset %xs, %k : tile<16xptr<f32>>, tile<16xi32> -> tile<16xptr<f32>>
    %a, %t0 = load_ptr_tko weak %pa : tile<16xptr<f32>> -> tile<16xf32>, token
    %b, %t1 = load_ptr_tko weak %pb : tile<16xptr<f32>> -> tile<16xf32>, token
    %c, %t2 = load_ptr_tko weak %pc : tile<16xptr<f32>> -> tile<16xf32>, token
    %nr = reshape %n : tile<ptr<i32>> -> tile<1xptr<i32>>
    %ns = broadcast %nr : tile<1xptr<i32>> -> tile<16xptr<i32>>
    %pm = offset %ns, %i : tile<16xptr<i32>>, tile<16xi32> -> tile<16xptr<i32>>
    %pd = offset %ns, %j : tile<16xptr<i32>>, tile<16xi32> -> tile<16xptr<i32>>
    %m, %t3 = load_ptr_tko weak %pm : tile<16xptr<i32>> -> tile<16xi32>, token
    %d, %t4 = load_ptr_tko weak %pd : tile<16xptr<i32>> -> tile<16xi32>, token
    %product = mulf %a, %b rounding<nearest_even> : tile<16xf32>
    %added = addf %product, %c rounding<nearest_even> : tile<16xf32>
    %narrow = ftof %a rounding<nearest_even> : tile<16xf32> -> tile<16xf16>
    %lt = cmpf less_than ordered %a, %b : tile<16xf32> -> tile<16xi1>
    %lti = exti %lt unsigned : tile<16xi1> -> tile<16xi32>
    %shr = shri %m, %d signed : tile<16xi32>
    %tiny = constant <f32: 1.0e-30> : tile<16xf32>
    %c1 = mulf %c, %tiny rounding<nearest_even> : tile<16xf32>
    %c2 = mulf %c1, %a rounding<nearest_even> : tile<16xf32>
    %s1r = reshape %sum : tile<ptr<f32>> -> tile<1xptr<f32>>
    %s1s = broadcast %s1r : tile<1xptr<f32>> -> tile<16xptr<f32>>
    %s1p = offset %s1s, %i : tile<16xptr<f32>>, tile<16xi32> -> tile<16xptr<f32>>
    %s1 = store_ptr_tko weak %s1p, %added : tile<16xptr<f32>>, tile<16xf32> -> token
    %s2r = reshape %half : tile<ptr<f16>> -> tile<1xptr<f16>>
    %s2s = broadcast %s2r : tile<1xptr<f16>> -> tile<16xptr<f16>>
    %s2p = offset %s2s, %i : tile<16xptr<f16>>, tile<16xi32> -> tile<16xptr<f16>>
    %s2 = store_ptr_tko weak %s2p, %narrow : tile<16xptr<f16>>, tile<16xf16> -> token
    %s3r = reshape %less : tile<ptr<i32>> -> tile<1xptr<i32>>
    %s3s = broadcast %s3r : tile<1xptr<i32>> -> tile<16xptr<i32>>
    %s3p = offset %s3s, %i : tile<16xptr<i32>>, tile<16xi32> -> tile<16xptr<i32>>
    %s3 = store_ptr_tko weak %s3p, %lti : tile<16xptr<i32>>, tile<16xi32> -> token
    %s4r = reshape %shifted : tile<ptr<i32>> -> tile<1xptr<i32>>
    %s4s = broadcast %s4r : tile<1xptr<i32>> -> tile<16xptr<i32>>
    %s4p = offset %s4s, %i : tile<16xptr<i32>>, tile<16xi32> -> tile<16xptr<i32>>
    %s4 = store_ptr_tko weak %s4p, %shr : tile<16xptr<i32>>, tile<16xi32> -> token
    %s5r = reshape %small : tile<ptr<f32>> -> tile<1xptr<f32>>
    %s5s = broadcast %s5r : tile<1xptr<f32>> -> tile<16xptr<f32>>
    %s5p = offset %s5s, %i : tile<16xptr<f32>>, tile<16xi32> -> tile<16xptr<f32>>
    %s5 = store_ptr_tko weak %s5p, %c2 : tile<16xptr<f32>>, tile<16xf32> -> token
    return
  }
}
