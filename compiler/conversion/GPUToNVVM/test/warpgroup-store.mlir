// nvgpu.warpgroup.mma.store, by values: a product whose element (i, j) is 64 * i + j leaves every element in its place.
// Row i of A is (i, 1, 0, ...), rows 0 and 1 of B are (64, 64, ...) and (0, 1, ..., 63), the others are 0. In shared memory the
// c-th 16 bytes of row r stand at place c xor (r mod 8) of that row (swizzle of 128 bytes).
// RUN: tile-opt --convert-gpu-to-nvvm %s | tile-translate --mlir-to-llvmir -o %t.ll
// RUN: tilesmith emulate %t.ll --kernel store --block 128 --arg zero:128 --arg out:%t.out:16384 --arg out:%t.out:16384 --arg i64:0 --arg i64:64 --arg i64:64 --arg i64:64 --arg i64:1
// RUN: %python -c "import struct; found = struct.unpack('<4096f', open(r'%t.out', 'rb').read()); wrong = [(i, found[i]) for i in range(4096) if found[i] != i]; assert not wrong, wrong[:8]"

!map = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!desc = !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>
!acc = !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>

gpu.module @m {
  gpu.func @store(%t: !map, %g: memref<64x64xf32, 1>)
      workgroup(%a: memref<64x64xf16, 3> {llvm.align = 1024 : i64}, %b: memref<64x64xf16, 3> {llvm.align = 1024 : i64})
      kernel attributes {nvgpu_ext.threads = 128 : i32} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %two = arith.constant 2 : index
    %seven = arith.constant 7 : index
    %eight = arith.constant 8 : index
    %thirtytwo = arith.constant 32 : index
    %sixtyfour = arith.constant 64 : index
    %zeros = arith.constant dense<0.0> : vector<32xf16>
    %zero = arith.constant 0.0 : f16
    %one = arith.constant 1.0 : f16
    %widths = arith.constant dense<64.0> : vector<8xf16>
    %steps = arith.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]> : vector<8xf16>
    %tid = gpu.thread_id x

    %half = arith.divui %tid, %two : index
    %odd = arith.remui %tid, %two : index
    %column = arith.muli %odd, %thirtytwo : index
    vector.store %zeros, %a[%half, %column] : memref<64x64xf16, 3>, vector<32xf16>
    vector.store %zeros, %b[%half, %column] : memref<64x64xf16, 3>, vector<32xf16>
    gpu.barrier

    %first = arith.cmpi ult, %tid, %sixtyfour : index
    scf.if %first {
      %number = arith.index_cast %tid : index to i32
      %r = arith.uitofp %number : i32 to f16
      %place = arith.andi %tid, %seven : index
      %start = arith.muli %place, %eight : index
      %v = vector.from_elements %r, %one, %zero, %zero, %zero, %zero, %zero, %zero : vector<8xf16>
      vector.store %v, %a[%tid, %start] : memref<64x64xf16, 3>, vector<8xf16>
    }
    %chunk = arith.subi %tid, %sixtyfour : index
    %second = arith.cmpi ult, %chunk, %eight : index
    scf.if %second {
      %start = arith.muli %chunk, %eight : index
      vector.store %widths, %b[%c0, %start] : memref<64x64xf16, 3>, vector<8xf16>
      %number = arith.index_cast %start : index to i32
      %n = arith.uitofp %number : i32 to f16
      %ns = vector.broadcast %n : f16 to vector<8xf16>
      %v = arith.addf %ns, %steps : vector<8xf16>
      %place = arith.xori %chunk, %c1 : index
      %swizzled = arith.muli %place, %eight : index
      vector.store %v, %b[%c1, %swizzled] : memref<64x64xf16, 3>, vector<8xf16>
    }
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier

    %da = nvgpu.warpgroup.generate.descriptor %a, %t : memref<64x64xf16, 3>, !map -> !desc
    %db = nvgpu.warpgroup.generate.descriptor %b, %t : memref<64x64xf16, 3>, !map -> !desc
    %z = nvgpu.warpgroup.mma.init.accumulator -> !acc
    %e = nvgpu.warpgroup.mma %da, %db, %z {transposeB} : !desc, !desc, !acc -> !acc
    nvgpu.warpgroup.mma.store %e, %g : !acc to memref<64x64xf32, 1>
    gpu.return
  }
}
