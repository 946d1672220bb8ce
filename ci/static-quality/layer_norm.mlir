// Layer norm of rows of 2048 f16 with f32 weights and bias, mean and variance in f32, one row per tile block.
module {
  cuda_tile.module @kernels {
    entry @layer_norm(%x: tile<ptr<f16>>, %w: tile<ptr<f32>>, %b: tile<ptr<f32>>, %y: tile<ptr<f16>>, %rows: tile<i32>, %stride: tile<i32>) {
      %t = make_token : token
      %xa = assume div_by<16>, %x : tile<ptr<f16>>
      %wa = assume div_by<16>, %w : tile<ptr<f32>>
      %ba = assume div_by<16>, %b : tile<ptr<f32>>
      %ya = assume div_by<16>, %y : tile<ptr<f16>>
      %ra = assume bounded<0, ?>, %rows : tile<i32>
      %s0 = assume bounded<0, ?>, %stride : tile<i32>
      %sa = assume div_by<16>, %s0 : tile<i32>
      %xv = make_tensor_view %xa, shape = [%ra, 2048], strides = [%sa, 1] : tile<i32> -> tensor_view<?x2048xf16, strides=[?,1]>
      %yv = make_tensor_view %ya, shape = [%ra, 2048], strides = [%sa, 1] : tile<i32> -> tensor_view<?x2048xf16, strides=[?,1]>
      %wv = make_tensor_view %wa, shape = [2048], strides = [1] : tensor_view<2048xf32, strides=[1]>
      %bv = make_tensor_view %ba, shape = [2048], strides = [1] : tensor_view<2048xf32, strides=[1]>
      %bx, %by, %bz = get_tile_block_id : tile<i32>
      %zero = constant <i32: 0> : tile<i32>
      %xp = make_partition_view %xv : partition_view<tile=(1x2048), tensor_view<?x2048xf16, strides=[?,1]>>
      %yp = make_partition_view %yv : partition_view<tile=(1x2048), tensor_view<?x2048xf16, strides=[?,1]>>
      %wp = make_partition_view %wv : partition_view<tile=(2048), tensor_view<2048xf32, strides=[1]>>
      %bp = make_partition_view %bv : partition_view<tile=(2048), tensor_view<2048xf32, strides=[1]>>
      %h, %th = load_view_tko weak %xp[%bx, %zero] token = %t : partition_view<tile=(1x2048), tensor_view<?x2048xf16, strides=[?,1]>>, tile<i32> -> tile<1x2048xf16>, token
      %wt, %tw = load_view_tko weak %wp[%zero] token = %t : partition_view<tile=(2048), tensor_view<2048xf32, strides=[1]>>, tile<i32> -> tile<2048xf32>, token
      %bt, %tb = load_view_tko weak %bp[%zero] token = %t : partition_view<tile=(2048), tensor_view<2048xf32, strides=[1]>>, tile<i32> -> tile<2048xf32>, token
      %a = ftof %h : tile<1x2048xf16> -> tile<1x2048xf32>
      %sum = reduce %a dim=1 identities=[0.0 : f32] : tile<1x2048xf32> -> tile<1xf32>
      (%l: tile<f32>, %r: tile<f32>) {
        %v = addf %l, %r : tile<f32>
        yield %v : tile<f32>
      }
      %inverse = constant <f32: 0.00048828125> : tile<1xf32>
      %mean = mulf %sum, %inverse : tile<1xf32>
      %mean1 = reshape %mean : tile<1xf32> -> tile<1x1xf32>
      %meanb = broadcast %mean1 : tile<1x1xf32> -> tile<1x2048xf32>
      %d = subf %a, %meanb : tile<1x2048xf32>
      %sq = mulf %d, %d : tile<1x2048xf32>
      %sums = reduce %sq dim=1 identities=[0.0 : f32] : tile<1x2048xf32> -> tile<1xf32>
      (%l: tile<f32>, %r: tile<f32>) {
        %v = addf %l, %r : tile<f32>
        yield %v : tile<f32>
      }
      %var = mulf %sums, %inverse : tile<1xf32>
      %eps = constant <f32: 0.00001> : tile<1xf32>
      %vare = addf %var, %eps : tile<1xf32>
      %rs = rsqrt %vare : tile<1xf32>
      %rs1 = reshape %rs : tile<1xf32> -> tile<1x1xf32>
      %rsb = broadcast %rs1 : tile<1x1xf32> -> tile<1x2048xf32>
      %n = mulf %d, %rsb : tile<1x2048xf32>
      %w1 = reshape %wt : tile<2048xf32> -> tile<1x2048xf32>
      %b1 = reshape %bt : tile<2048xf32> -> tile<1x2048xf32>
      %o = fma %n, %w1, %b1 : tile<1x2048xf32>
      %o16 = ftof %o : tile<1x2048xf32> -> tile<1x2048xf16>
      %ts = store_view_tko weak %o16, %yp[%bx, %zero] token = %t : tile<1x2048xf16>, partition_view<tile=(1x2048), tensor_view<?x2048xf16, strides=[?,1]>>, tile<i32> -> token
      return
    }
  }
}
