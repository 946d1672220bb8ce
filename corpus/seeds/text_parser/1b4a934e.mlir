cuda_tile.module @m {
  global @table alignment = 16 <f32: [1.0, 2.0]> : tile<2xf32>
  global private constant @limits <i32: 7> : tile<4xi32>
  entry @shapes(%n: tile<i32>, %p: !cuda_tile.tile<!cuda_tile.ptr<f32>>) {
    %g = get_global @table : tile<ptr<f32>>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %gx, %gy, %gz = get_num_tile_blocks : tile<i32>
    %iota = iota : tile<16xi32>
    %row = reshape %iota : tile<16xi32> -> tile<1x16xi32>
    %grid = broadcast %row : tile<1x16xi32> -> tile<8x16xi32>
    %t = permute %grid [1, 0] : tile<8x16xi32> -> tile<16x8xi32>
    %c = cat %grid, %grid dim = 0 : tile<8x16xi32>, tile<8x16xi32> -> tile<16x16xi32>
    %part = extract %c[%x, %y] : tile<16x16xi32> -> tile<4x8xi32>
    %whole = insert %part, %c[%x, %y] : tile<4x8xi32>, tile<16x16xi32>
    %q = offset %p, %n : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %true = constant <i1: true> : tile<i1>
    %s = select %true, %x, %y : tile<i1>, tile<i32>
    %bytes = pack %iota : tile<16xi32> -> tile<64xi8>
    %halves = unpack %bytes : tile<64xi8> -> tile<32xf16>
  }
  entry @constants() {
    %a = constant <i32: 42> : tile<4xi32>
    %b = constant <f32: [[1.0, 2.0], [3.0, 4.0]]> : tile<2x2xf32>
    %c = constant <f32: 0x7FC00000> : tile<f32>
    %d = constant <i8: 255> : tile<i8>
    %e = constant <i64: 18446744073709551615> : tile<i64>
    %f = constant <i1: [1, 0]> : tile<2xi1>
    %g = constant <f8E4M3FN: 1.0> : tile<2xf8E4M3FN>
  }
  entry @aggregates(%v: tile<f32>) {
    %row = reshape %v : tile<f32> -> tile<1x1xf32>
    %m = broadcast %row : tile<1x1xf32> -> tile<8x16xf32>
    %r = reduce %m dim=1 identities=[0.0 : f32] : tile<8x16xf32> -> tile<8xf32>
      (%a: tile<f32>, %b: tile<f32>) {
        %s = addf %a, %b : tile<f32>
        yield %s : tile<f32>
      }
    %p = scan %m dim=0 reverse=true identities=[1.0 : f32] : tile<8x16xf32> -> tile<8x16xf32>
      (%a: tile<f32>, %b: tile<f32>) {
        %s = mulf %a, %b : tile<f32>
        yield %s : tile<f32>
      }
  }
  entry @hints() optimization_hints=<sm_90 = {num_cta_in_cga = 2, occupancy = 4}> {
    return
  }
  entry @attributes(%a: tile<i32> {cuda_tile.foo = 3 : i32}) {
  }
}
