// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 to=tileas plain" | FileCheck %s
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 to=tileas opt-level=1" | FileCheck %s --check-prefix=EXCHANGE

// A column of row numbers is computed where each thread wants it; the numbers of the second kernel come from memory, and are
// exchanged.
cuda_tile.module @m {
  // CHECK-LABEL: sym_name = "rows"
  // CHECK-NOT: convert_layout
  // CHECK: nv_tileaa.return
  // EXCHANGE-LABEL: sym_name = "rows"
  // EXCHANGE: convert_layout
  // EXCHANGE: nv_tileaa.return
  entry @rows(%in: tile<ptr<f32>>, %out: tile<ptr<f32>>, %pitch: tile<i32>) {
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %eight = constant <i32: 8> : tile<i32>
    %start = muli %bx, %eight : tile<i32>
    %range = iota : tile<8xi32>
    %column = reshape %range : tile<8xi32> -> tile<8x1xi32>
    %start1 = reshape %start : tile<i32> -> tile<1x1xi32>
    %starts = broadcast %start1 : tile<1x1xi32> -> tile<8x1xi32>
    %rows = addi %starts, %column : tile<8x1xi32>
    %pitch1 = reshape %pitch : tile<i32> -> tile<1x1xi32>
    %pitches = broadcast %pitch1 : tile<1x1xi32> -> tile<8x1xi32>
    %offsets = muli %rows, %pitches : tile<8x1xi32>
    %offsets8 = broadcast %offsets : tile<8x1xi32> -> tile<8x8xi32>
    %row = reshape %range : tile<8xi32> -> tile<1x8xi32>
    %row8 = broadcast %row : tile<1x8xi32> -> tile<8x8xi32>
    %at = addi %offsets8, %row8 : tile<8x8xi32>
    %in1 = reshape %in : tile<ptr<f32>> -> tile<1x1xptr<f32>>
    %in8 = broadcast %in1 : tile<1x1xptr<f32>> -> tile<8x8xptr<f32>>
    %from = offset %in8, %at : tile<8x8xptr<f32>>, tile<8x8xi32> -> tile<8x8xptr<f32>>
    %value, %t0 = load_ptr_tko weak %from : tile<8x8xptr<f32>> -> tile<8x8xf32>, token
    %out1 = reshape %out : tile<ptr<f32>> -> tile<1x1xptr<f32>>
    %out8 = broadcast %out1 : tile<1x1xptr<f32>> -> tile<8x8xptr<f32>>
    %to = offset %out8, %at : tile<8x8xptr<f32>>, tile<8x8xi32> -> tile<8x8xptr<f32>>
    %t1 = store_ptr_tko weak %to, %value : tile<8x8xptr<f32>>, tile<8x8xf32> -> token
    return
  }

  // CHECK-LABEL: sym_name = "loaded_rows"
  // CHECK: nv_tileas.convert_layout
  // CHECK: nv_tileaa.return
  entry @loaded_rows(%in: tile<ptr<f32>>, %numbers: tile<ptr<i32>>, %out: tile<ptr<f32>>) {
    %range = iota : tile<8xi32>
    %n1 = reshape %numbers : tile<ptr<i32>> -> tile<1xptr<i32>>
    %n8 = broadcast %n1 : tile<1xptr<i32>> -> tile<8xptr<i32>>
    %nat = offset %n8, %range : tile<8xptr<i32>>, tile<8xi32> -> tile<8xptr<i32>>
    %loaded, %t2 = load_ptr_tko weak %nat : tile<8xptr<i32>> -> tile<8xi32>, token
    %offsets = reshape %loaded : tile<8xi32> -> tile<8x1xi32>
    %offsets8 = broadcast %offsets : tile<8x1xi32> -> tile<8x8xi32>
    %row = reshape %range : tile<8xi32> -> tile<1x8xi32>
    %row8 = broadcast %row : tile<1x8xi32> -> tile<8x8xi32>
    %at = addi %offsets8, %row8 : tile<8x8xi32>
    %in1 = reshape %in : tile<ptr<f32>> -> tile<1x1xptr<f32>>
    %in8 = broadcast %in1 : tile<1x1xptr<f32>> -> tile<8x8xptr<f32>>
    %from = offset %in8, %at : tile<8x8xptr<f32>>, tile<8x8xi32> -> tile<8x8xptr<f32>>
    %value, %t0 = load_ptr_tko weak %from : tile<8x8xptr<f32>> -> tile<8x8xf32>, token
    %out1 = reshape %out : tile<ptr<f32>> -> tile<1x1xptr<f32>>
    %out8 = broadcast %out1 : tile<1x1xptr<f32>> -> tile<8x8xptr<f32>>
    %to = offset %out8, %at : tile<8x8xptr<f32>>, tile<8x8xi32> -> tile<8x8xptr<f32>>
    %t1 = store_ptr_tko weak %to, %value : tile<8x8xptr<f32>>, tile<8x8xf32> -> token
    return
  }
}
