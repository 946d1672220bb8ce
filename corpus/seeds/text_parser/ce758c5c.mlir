cuda_tile.module @kernels {
  global @table alignment = 16 <i32: [1, 2]> : tile<2xi32>
  entry @kernel(%p: tile<ptr<f32>>, %n: tile<i32>)
      optimization_hints=<sm_100 = {num_cta_in_cga = 2, occupancy = 3, num_worker_warps_per_cta = 8}> {
    %0 = assume div_by<16>, %p : tile<ptr<f32>>
    %1 = assume bounded<0, ?>, %n : tile<i32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %gx, %gy, %gz = get_num_tile_blocks : tile<i32>
    %g = get_global @table : tile<ptr<i32>>
    %c = cmpi less_than %x, %n, signed : tile<i32> -> tile<i1>
    assert %c, "in range" : tile<i1>
    %t = print_tko "x = %d\n", %x : tile<i32> -> token
    %q = alloca num_elem = 8, alignment = 4 : tile<ptr<f32>>
    return
  }
}
