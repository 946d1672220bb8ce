cuda_tile.module @m {
  testing$func @f(%m: tile<4x8xf32>) {
    %0 = reduce %m dim=1 identities=[0.0 : f32] : tile<4x8xf32> -> tile<4xf32>
      (%a: tile<f32>, %b: tile<f32>) {
        %t = ftof %a : tile<f32> -> tile<f16>
        yield %t : tile<f16>
      }
  }
}
