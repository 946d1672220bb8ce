// places of tokens among their experts
cuda_tile.module @m {
  entry @moe_places_i32(%e: tile<ptr<i32>>, %e_0: tile<i32>, %o: tile<ptr<i32>>, %o_0: tile<i32>, %cnt: tile<ptr<i32>>) {
    %e1 = assume div_by<16>, %e : tile<ptr<i32>>
    %v2 = assume bounded<0, ?>, %e_0 : tile<i32>
    %v3 = assume div_by<16>, %v2 : tile<i32>
    %tv4 = make_tensor_view %e1, shape = [%v3], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %o5 = assume div_by<16>, %o : tile<ptr<i32>>
    %v6 = assume bounded<0, ?>, %o_0 : tile<i32>
    %v7 = assume div_by<16>, %v6 : tile<i32>
    %tv8 = make_tensor_view %o5, shape = [%v7], strides = [1] : tile<i32> -> tensor_view<?xi32, strides=[1]>
    %cnt9 = assume div_by<16>, %cnt : tile<ptr<i32>>
    %pv10 = make_partition_view %tv4 : partition_view<tile=(128), padding_value = zero, tensor_view<?xi32, strides=[1]>>
    %pv11 = make_partition_view %tv8 : partition_view<tile=(128), tensor_view<?xi32, strides=[1]>>
    %tok = make_token : token
    %b12, %b13, %b14 = get_tile_block_id : tile<i32>
    %v15 = iota : tile<32xi32>
    %v16 = reshape %v15 : tile<32xi32> -> tile<1x32xi32>
    %v17 = constant <i32: 0> : tile<i32>
    %v18 = constant <i32: 128> : tile<i32>
    %v19 = divi %v3, %v18 signed rounding<positive_inf> : tile<i32>
    %v20 = constant <i32: 0> : tile<1x32xi32>
    %v21 = constant <i32: 1> : tile<i32>
    %f24 = for %i22 in (%v17 to %v19, step %v21) : tile<i32> iter_values(%c23 = %v20) -> (tile<1x32xi32>) {
      %v25, %t26 = load_view_tko weak %pv10[%i22] token = %tok : partition_view<tile=(128), padding_value = zero, tensor_view<?xi32, strides=[1]>>, tile<i32> -> tile<128xi32>, token
      %v27 = reshape %v25 : tile<128xi32> -> tile<128x1xi32>
      %v28 = broadcast %v27 : tile<128x1xi32> -> tile<128x32xi32>
      %v29 = broadcast %v16 : tile<1x32xi32> -> tile<128x32xi32>
      %v30 = cmpi equal %v28, %v29, signed : tile<128x32xi32> -> tile<128x32xi1>
      %v31 = constant <i32: 1> : tile<128x32xi32>
      %v32 = constant <i32: 0> : tile<128x32xi32>
      %v33 = select %v30, %v31, %v32 : tile<128x32xi1>, tile<128x32xi32>
      %v34 = scan %v33 dim=0 reverse=false identities=[0 : i32] : tile<128x32xi32> -> tile<128x32xi32>
      (%l35: tile<i32>, %r36: tile<i32>) {
        %y37 = addi %l35, %r36 : tile<i32>
        yield %y37 : tile<i32>
      }
      %v38 = subi %v34, %v33  : tile<128x32xi32>
      %v39 = broadcast %c23 : tile<1x32xi32> -> tile<128x32xi32>
      %v40 = addi %v38, %v39  : tile<128x32xi32>
      %v41 = muli %v40, %v33  : tile<128x32xi32>
      %v42 = reduce %v41 dim=1 identities=[0 : i32] : tile<128x32xi32> -> tile<128xi32>
      (%l43: tile<i32>, %r44: tile<i32>) {
        %y45 = addi %l43, %r44 : tile<i32>
        yield %y45 : tile<i32>
      }
      %t46 = store_view_tko weak %v42, %pv11[%i22] token = %tok : tile<128xi32>, partition_view<tile=(128), tensor_view<?xi32, strides=[1]>>, tile<i32> -> token
      %v47 = reduce %v33 dim=0 identities=[0 : i32] : tile<128x32xi32> -> tile<32xi32>
      (%l48: tile<i32>, %r49: tile<i32>) {
        %y50 = addi %l48, %r49 : tile<i32>
        yield %y50 : tile<i32>
      }
      %v51 = reshape %v47 : tile<32xi32> -> tile<1x32xi32>
      %v52 = addi %c23, %v51  : tile<1x32xi32>
      continue %v52 : tile<1x32xi32>
    }
    %v53 = iota : tile<32xi32>
    %v54 = reshape %cnt9 : tile<ptr<i32>> -> tile<1xptr<i32>>
    %v55 = broadcast %v54 : tile<1xptr<i32>> -> tile<32xptr<i32>>
    %p56 = offset %v55, %v53 : tile<32xptr<i32>>, tile<32xi32> -> tile<32xptr<i32>>
    %v57 = reshape %f24 : tile<1x32xi32> -> tile<32xi32>
    %t58 = store_ptr_tko weak %p56, %v57 token=%tok : tile<32xptr<i32>>, tile<32xi32> -> token
    return
  }
}
