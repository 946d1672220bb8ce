// An insertion by values: of 64 numbers, slice 2 of 16 becomes twice its position, then element 5 becomes 1000.
// RUN: tile-opt %s --tilesmith-pipeline="gpu-name=sm_90 opt-level=0 from=tileas to=nvvm" | tile-translate --mlir-to-llvmir -o %t.ll
// RUN: tilesmith emulate %t.ll --kernel kernel --block 32 --shared 4096 --schedule all --arg out:%t.out:256
// RUN: %python -c "import struct; got = struct.unpack('<64i', open(r'%t.out','rb').read()); want = list(range(64)); want[32:48] = range(0, 32, 2); want[5] = 1000; assert list(got) == want, got"

!tile = tensor<64xi32, #nv_tileas.layout<shape = [64], register = [1], lane = [2, 4, 8, 16, 32], warp = []>>
!slice = tensor<16xi32, #nv_tileas.layout<shape = [16], register = [], lane = [1, 2, 4, 8, 0], warp = []>>
!ref = !nv_tileaa.memref<[64] x i32, strides = [1], 1>
!view = !nv_tileaa.tiled_view<tileShape = [64], memref = <[64] x i32, strides = [1], 1>, dimMap = [0]>

module attributes {nv_tileaa.compute_capability = 90 : i32} {
  gpu.module @m {
    "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<i32, 1>) -> (), sym_name = "kernel"}> ({
    ^bb0(%out: !nv_tileaa.ptr<i32, 1>):
      %token = "nv_tileaa.create_mem_token"() <{producers = 1 : i32}> : () -> !nv_tileaa.mem_token
      %c0 = arith.constant 0 : i32
      %c2 = arith.constant 2 : i32
      %c5 = arith.constant 5 : i32
      %c16 = arith.constant 16 : i32
      %c64 = arith.constant 64 : i32
      %c1000 = arith.constant 1000 : i32
      %numbers = "nv_tileaa.make_range"(%c0, %c64) : (i32, i32) -> !tile
      %short = "nv_tileaa.make_range"(%c0, %c16) : (i32, i32) -> !slice
      %twice = arith.addi %short, %short : !slice
      %block = "nv_tileaa.get_program_id"() <{axis = 0 : i32}> : () -> i32
      %at = arith.addi %block, %c2 : i32
      %some = nv_tileas.insert_slice %twice into %numbers[%at] : !slice, !tile, i32 -> !tile
      %all = nv_tileas.insert_slice %c1000 into %some[%c5] : i32, !tile, i32 -> !tile
      %ref = "nv_tileaa.make_memref"(%out) <{alias_scope = 0 : i32, operandSegmentSizes = array<i32: 1, 0, 0, 0>}> : (!nv_tileaa.ptr<i32, 1>) -> !ref
      %view = "nv_tileaa.block_tile"(%ref) <{dimGroups = [array<i64: 0>], tileSizes = array<i64: 64>}> : (!ref) -> !view
      %stored = "nv_tileas.tiled_store"(%view, %all, %c0, %token) <{mem_semantic = #nv_tileaa.mem_semantic<weak>, operandSegmentSizes = array<i32: 1, 1, 1, 1>}> : (!view, !tile, i32, !nv_tileaa.mem_token) -> !nv_tileaa.mem_token
      "nv_tileaa.return"() : () -> ()
    }) {nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 0, numCTAs = 0, clusterDimX = 0, clusterDimY = 0, clusterDimZ = 0, occupancy = 0>, nv_tileas.threads = 32 : i32} : () -> ()
  }
}
