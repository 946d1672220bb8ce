// Indices that frontends multiply by unit strides keep their runs: 16 bytes a load.
// RUN: tile-translate --mlir-to-cudatilebc --bytecode-version=13.3 %s -o %t
// RUN: tileiras %t --gpu-name sm_90 --emit=ptx -o - | FileCheck %s

// CHECK: ld.global.v4.b32
// CHECK: st.global.v4.b32
cuda_tile.module @m {
  entry @kernel(%in: tile<ptr<f32>>, %out: tile<ptr<f32>>, %s: tile<i32>) {
    %ina = assume div_by<16>, %in : tile<ptr<f32>>
    %outa = assume div_by<16>, %out : tile<ptr<f32>>
    %i = iota : tile<1024xi32>
    %bx, %by, %bz = get_tile_block_id : tile<i32>
    %c1 = constant <i32: 1> : tile<i32>
    %c1024 = constant <i32: 1024> : tile<i32>
    %base = muli %bx, %c1024 : tile<i32>
    %b1 = reshape %base : tile<i32> -> tile<1xi32>
    %bb = broadcast %b1 : tile<1xi32> -> tile<1024xi32>
    %idx0 = addi %bb, %i : tile<1024xi32>
    %one1 = reshape %c1 : tile<i32> -> tile<1xi32>
    %ones = broadcast %one1 : tile<1xi32> -> tile<1024xi32>
    %idx = muli %idx0, %ones : tile<1024xi32>
    %in1 = reshape %ina : tile<ptr<f32>> -> tile<1xptr<f32>>
    %inb = broadcast %in1 : tile<1xptr<f32>> -> tile<1024xptr<f32>>
    %p0 = offset %inb, %idx : tile<1024xptr<f32>>, tile<1024xi32> -> tile<1024xptr<f32>>
    %out1 = reshape %outa : tile<ptr<f32>> -> tile<1xptr<f32>>
    %outb = broadcast %out1 : tile<1xptr<f32>> -> tile<1024xptr<f32>>
    %o0 = offset %outb, %idx : tile<1024xptr<f32>>, tile<1024xi32> -> tile<1024xptr<f32>>
    %x, %t0 = load_ptr_tko weak %p0 : tile<1024xptr<f32>> -> tile<1024xf32>, token
    %t2 = store_ptr_tko weak %o0, %x : tile<1024xptr<f32>>, tile<1024xf32> -> token
    return
  }
}
