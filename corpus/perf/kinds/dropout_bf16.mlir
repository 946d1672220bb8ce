// dropout with a counter-based generator
cuda_tile.module @m {
  entry @dropout_bf16(%x: tile<ptr<bf16>>, %x_0: tile<i32>, %y: tile<ptr<bf16>>, %y_0: tile<i32>, %seed: tile<i32>, %p: tile<f32>) {
    %x1 = assume div_by<16>, %x : tile<ptr<bf16>>
    %v2 = assume bounded<0, ?>, %x_0 : tile<i32>
    %v3 = assume div_by<16>, %v2 : tile<i32>
    %tv4 = make_tensor_view %x1, shape = [%v3], strides = [1] : tile<i32> -> tensor_view<?xbf16, strides=[1]>
    %y5 = assume div_by<16>, %y : tile<ptr<bf16>>
    %v6 = assume bounded<0, ?>, %y_0 : tile<i32>
    %v7 = assume div_by<16>, %v6 : tile<i32>
    %tv8 = make_tensor_view %y5, shape = [%v7], strides = [1] : tile<i32> -> tensor_view<?xbf16, strides=[1]>
    %tok = make_token : token
    %b9, %b10, %b11 = get_tile_block_id : tile<i32>
    %v12 = constant <i32: 2048> : tile<i32>
    %v13 = muli %b9, %v12  : tile<i32>
    %v14 = reshape %v13 : tile<i32> -> tile<1xi32>
    %v15 = broadcast %v14 : tile<1xi32> -> tile<2048xi32>
    %v16 = iota : tile<2048xi32>
    %v17 = addi %v15, %v16  : tile<2048xi32>
    %v18 = constant <i32: 0> : tile<2048xi32>
    %v19 = reshape %seed : tile<i32> -> tile<1xi32>
    %v20 = broadcast %v19 : tile<1xi32> -> tile<2048xi32>
    %v21 = constant <i32: 0xD2511F53> : tile<2048xi32>
    %v22 = mulhii %v17, %v21  : tile<2048xi32>
    %v23 = constant <i32: 0xD2511F53> : tile<2048xi32>
    %v24 = muli %v17, %v23  : tile<2048xi32>
    %v25 = xori %v22, %v20  : tile<2048xi32>
    %v26 = xori %v25, %v18  : tile<2048xi32>
    %v27 = constant <i32: 0x9E3779B9> : tile<2048xi32>
    %v28 = addi %v20, %v27  : tile<2048xi32>
    %v29 = constant <i32: 0xD2511F53> : tile<2048xi32>
    %v30 = mulhii %v26, %v29  : tile<2048xi32>
    %v31 = constant <i32: 0xD2511F53> : tile<2048xi32>
    %v32 = muli %v26, %v31  : tile<2048xi32>
    %v33 = xori %v30, %v28  : tile<2048xi32>
    %v34 = xori %v33, %v24  : tile<2048xi32>
    %v35 = constant <i32: 0x9E3779B9> : tile<2048xi32>
    %v36 = addi %v28, %v35  : tile<2048xi32>
    %v37 = constant <i32: 0xD2511F53> : tile<2048xi32>
    %v38 = mulhii %v34, %v37  : tile<2048xi32>
    %v39 = constant <i32: 0xD2511F53> : tile<2048xi32>
    %v40 = muli %v34, %v39  : tile<2048xi32>
    %v41 = xori %v38, %v36  : tile<2048xi32>
    %v42 = xori %v41, %v32  : tile<2048xi32>
    %v43 = constant <i32: 0x9E3779B9> : tile<2048xi32>
    %v44 = addi %v36, %v43  : tile<2048xi32>
    %v45 = constant <i32: 0xD2511F53> : tile<2048xi32>
    %v46 = mulhii %v42, %v45  : tile<2048xi32>
    %v47 = constant <i32: 0xD2511F53> : tile<2048xi32>
    %v48 = muli %v42, %v47  : tile<2048xi32>
    %v49 = xori %v46, %v44  : tile<2048xi32>
    %v50 = xori %v49, %v40  : tile<2048xi32>
    %v51 = constant <i32: 0x9E3779B9> : tile<2048xi32>
    %v52 = addi %v44, %v51  : tile<2048xi32>
    %v53 = constant <i32: 0xD2511F53> : tile<2048xi32>
    %v54 = mulhii %v50, %v53  : tile<2048xi32>
    %v55 = constant <i32: 0xD2511F53> : tile<2048xi32>
    %v56 = muli %v50, %v55  : tile<2048xi32>
    %v57 = xori %v54, %v52  : tile<2048xi32>
    %v58 = xori %v57, %v48  : tile<2048xi32>
    %v59 = constant <i32: 0x9E3779B9> : tile<2048xi32>
    %v60 = addi %v52, %v59  : tile<2048xi32>
    %v61 = constant <i32: 0xD2511F53> : tile<2048xi32>
    %v62 = mulhii %v58, %v61  : tile<2048xi32>
    %v63 = constant <i32: 0xD2511F53> : tile<2048xi32>
    %v64 = muli %v58, %v63  : tile<2048xi32>
    %v65 = xori %v62, %v60  : tile<2048xi32>
    %v66 = xori %v65, %v56  : tile<2048xi32>
    %v67 = constant <i32: 0x9E3779B9> : tile<2048xi32>
    %v68 = addi %v60, %v67  : tile<2048xi32>
    %v69 = constant <i32: 0xD2511F53> : tile<2048xi32>
    %v70 = mulhii %v66, %v69  : tile<2048xi32>
    %v71 = constant <i32: 0xD2511F53> : tile<2048xi32>
    %v72 = muli %v66, %v71  : tile<2048xi32>
    %v73 = xori %v70, %v68  : tile<2048xi32>
    %v74 = xori %v73, %v64  : tile<2048xi32>
    %v75 = constant <i32: 0x9E3779B9> : tile<2048xi32>
    %v76 = addi %v68, %v75  : tile<2048xi32>
    %v77 = constant <i32: 8> : tile<2048xi32>
    %v78 = shri %v74, %v77 unsigned : tile<2048xi32>
    %v79 = itof %v78 signed : tile<2048xi32> -> tile<2048xf32>
    %v80 = constant <f32: 0.000000059604645> : tile<2048xf32>
    %v81 = mulf %v79, %v80  : tile<2048xf32>
    %v82 = reshape %p : tile<f32> -> tile<1xf32>
    %v83 = broadcast %v82 : tile<1xf32> -> tile<2048xf32>
    %v84 = cmpf greater_than ordered %v81, %v83 : tile<2048xf32> -> tile<2048xi1>
    %pv85 = make_partition_view %tv4 : partition_view<tile=(2048), padding_value = zero, tensor_view<?xbf16, strides=[1]>>
    %v86, %t87 = load_view_tko weak %pv85[%b9] token = %tok : partition_view<tile=(2048), padding_value = zero, tensor_view<?xbf16, strides=[1]>>, tile<i32> -> tile<2048xbf16>, token
    %v88 = ftof %v86  : tile<2048xbf16> -> tile<2048xf32>
    %v89 = constant <f32: 1.0> : tile<f32>
    %v90 = subf %v89, %p  : tile<f32>
    %v91 = reshape %v90 : tile<f32> -> tile<1xf32>
    %v92 = broadcast %v91 : tile<1xf32> -> tile<2048xf32>
    %v93 = divf %v88, %v92  : tile<2048xf32>
    %v94 = constant <f32: 0.0> : tile<2048xf32>
    %v95 = select %v84, %v93, %v94 : tile<2048xi1>, tile<2048xf32>
    %v96 = ftof %v95  : tile<2048xf32> -> tile<2048xbf16>
    %pv97 = make_partition_view %tv8 : partition_view<tile=(2048), tensor_view<?xbf16, strides=[1]>>
    %t98 = store_view_tko weak %v96, %pv97[%b9] token = %tok : tile<2048xbf16>, partition_view<tile=(2048), tensor_view<?xbf16, strides=[1]>>, tile<i32> -> token
    return
  }
}
