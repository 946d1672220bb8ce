// What the lowered code means, on the emulator: values, not text.
// RUN: tile-opt --convert-gpu-to-nvvm %s | tile-translate --mlir-to-llvmir -o %t.ll
//
// RUN: %python -c "import struct; open(r'%t.in','wb').write(struct.pack('<16f', 1.5,-2.25,1000.0,-0.5, 0.1,3.0,-70000.0,2.0**-20, 1.0,2.0**-24,-1.0,-2.0**-24,0.0,0.0,0.0,0.0))"
// Lane 0 stays lane 0; e4m3 saturates at 448, e5m2 at 57344; relu drops the negative; e8m0 rounds up to powers of two.
// RUN: tilesmith emulate %t.ll --kernel conversions --arg in:%t.in --arg out:%t.cvt:96
// RUN: %python %S/Inputs/values.py %t.cvt:f32:1.5,-2.25,1000.0,-0.5,1.5,-2.25,448.0,-0.5,1.5,0.0,1024.0,0.0,2.0,2.0,1.5,-2.0,6.0,-0.5,1.5,0.0,1000.0,0.0
// Sums that do not fit: towards zero, down, up and to nearest.
// RUN: tilesmith emulate %t.ll --kernel roundings --arg in:%t.in --arg out:%t.rnd:64
// RUN: %python %S/Inputs/values.py %t.rnd:f32:1.0,-1.0,1.0,-1.0-2.0**-23,1.0+2.0**-23,-1.0,1.0,-1.0
// Clusters of four lanes, four apart, each with the largest of its lanes.
// RUN: tilesmith emulate %t.ll --kernel clusters --block 32 --arg out:%t.clu:128
// RUN: %python %S/Inputs/values.py %t.clu:i32:12,13,14,15,12,13,14,15,12,13,14,15,12,13,14,15,28,29,30,31,28,29,30,31
// cp.async of 4 floats of which 2 are read: the others become zero.
// RUN: tilesmith emulate %t.ll --kernel zero_fill --arg in:%t.in --arg in:%t.in --arg i64:0 --arg i64:4 --arg i64:1 --arg out:%t.zero:16
// RUN: %python %S/Inputs/values.py %t.zero:f32:1.5,-2.25,0.0,0.0
// A tensor map made on the device, a copy by it, a wait that answers; then the map rebound to the second half of the tensor.
// RUN: tilesmith emulate %t.ll --kernel tensor_map --block 32 --arg in:%t.in --arg out:%t.tma:64 --arg zero:128
// RUN: %python %S/Inputs/values.py %t.tma:f32:1.5,-2.25,1000.0,-0.5,0.100000001490116119384765625,3.0,-70000.0,2.0**-20,1.0,2.0**-24,-1.0,-2.0**-24,0.0,0.0,0.0,0.0
// Ones times ones over a depth of 64, through descriptors, fence, products, commit, wait and store.
// Ties, a carry into the exponent, subnormal numbers.
// RUN: %python -c "import struct; open(r'%t.fine','wb').write(struct.pack('<8f', 1+2.0**-11, 1+3*2.0**-11, 2-2.0**-23, -70000.0, 0.1, -1-2.0**-11-2.0**-23, 4097*2.0**-149, 3.0))"
// RUN: tilesmith emulate %t.ll --kernel tensor_map_rounded --block 32 --arg in:%t.fine --arg out:%t.tf32:32 --arg zero:128
// RUN: %python %S/Inputs/values.py %t.tf32:f32:1.0,1.0+2.0**-9,2.0,-70016.0,0.0999755859375,-1.0-2.0**-10,2.0**-136,3.0

// RUN: tilesmith emulate %t.ll --kernel warpgroup --block 128 --arg zero:128 --arg out:%t.wg:16384 --arg out:%t.wg:16384 --arg i64:0 --arg i64:64 --arg i64:64 --arg i64:64 --arg i64:1
// RUN: %python %S/Inputs/values.py %t.wg:f32:64.0,64.0,64.0,64.0
// One in a warp fails its assertion, and the text names everything.
// RUN: not tilesmith emulate %t.ll --kernel asserts --block 32 2>&1 | FileCheck --check-prefix=N12 %s
// N12: lane below seven{{.*}}kern.py:9: asserts

!map = !nvgpu.tensormap.descriptor<tensor = memref<2x4xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
!rounding = !nvgpu.tensormap.descriptor<tensor = memref<2x4xtf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
!bar = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
!wgmap = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!desc = !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>
!acc = !nvgpu.warpgroup.accumulator<fragmented = vector<64x64xf32>>

gpu.module @m {
  gpu.func @conversions(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) kernel {
    %v = llvm.load %in : !llvm.ptr<1> -> vector<4xf32>
    %a = nvgpu_ext.cvt_fptrunc %v : vector<4xf32> to vector<4xf16>
    %a1 = nvgpu_ext.cvt_fpext %a : vector<4xf16> to vector<4xf32>
    llvm.store %a1, %out : vector<4xf32>, !llvm.ptr<1>
    %b = nvgpu_ext.cvt_fptrunc %v : vector<4xf32> to vector<4xf8E4M3FN>
    %b1 = nvgpu_ext.cvt_fpext %b : vector<4xf8E4M3FN> to vector<4xf32>
    %pb = llvm.getelementptr %out[16] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    llvm.store %b1, %pb : vector<4xf32>, !llvm.ptr<1>
    %c = nvgpu_ext.cvt_fptrunc %v {relu} : vector<4xf32> to vector<4xf8E5M2>
    %c1 = nvgpu_ext.cvt_fpext %c : vector<4xf8E5M2> to vector<4xf32>
    %pc = llvm.getelementptr %out[32] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    llvm.store %c1, %pc : vector<4xf32>, !llvm.ptr<1>
    %i0 = arith.constant 0 : i32
    %x = llvm.extractelement %v[%i0 : i32] : vector<4xf32>
    %xx = vector.from_elements %x, %x : vector<2xf32>
    %d = nvgpu_ext.cvt_fptrunc %xx {rounding = #nvgpu_ext<rounding rp>} : vector<2xf32> to vector<2xf8E8M0FNU>
    %d1 = nvgpu_ext.cvt_fpext %d : vector<2xf8E8M0FNU> to vector<2xf32>
    %pd = llvm.getelementptr %out[48] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    llvm.store %d1, %pd : vector<2xf32>, !llvm.ptr<1>
    %e = nvgpu_ext.cvt_fptrunc %v : vector<4xf32> to vector<4xf4E2M1FN>
    %e1 = nvgpu_ext.cvt_fpext %e : vector<4xf4E2M1FN> to vector<4xf32>
    %pe = llvm.getelementptr %out[56] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    llvm.store %e1, %pe {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr<1>
    %f = nvgpu_ext.cvt_fptrunc %v {relu} : vector<4xf32> to vector<4xbf16>
    %f1 = nvgpu_ext.cvt_fpext %f : vector<4xbf16> to vector<4xf32>
    %pf = llvm.getelementptr %out[72] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    llvm.store %f1, %pf {alignment = 4 : i64} : vector<4xf32>, !llvm.ptr<1>
    gpu.return
  }

  gpu.func @roundings(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>) kernel {
    %p = llvm.getelementptr %in[32] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    %v = llvm.load %p : !llvm.ptr<1> -> vector<4xf32>
    %one = vector.extract %v[0] : f32 from vector<4xf32>
    %e = vector.extract %v[1] : f32 from vector<4xf32>
    %n = vector.extract %v[2] : f32 from vector<4xf32>
    %ne = vector.extract %v[3] : f32 from vector<4xf32>
    %a = vector.from_elements %one, %n : vector<2xf32>
    %b = vector.from_elements %e, %ne : vector<2xf32>
    %z = nvgpu_ext.add.packed.f32x2 %a, %b {rounding = #nvgpu_ext<rounding rz>} : vector<2xf32>
    llvm.store %z, %out : vector<2xf32>, !llvm.ptr<1>
    %m = nvgpu_ext.add.packed.f32x2 %a, %b {rounding = #nvgpu_ext<rounding rm>} : vector<2xf32>
    %p1 = llvm.getelementptr %out[8] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    llvm.store %m, %p1 : vector<2xf32>, !llvm.ptr<1>
    %ones = vector.from_elements %one, %one : vector<2xf32>
    %u = nvgpu_ext.fma.packed.f32x2 %a, %ones, %b {rounding = #nvgpu_ext<rounding rp>} : vector<2xf32>
    %p2 = llvm.getelementptr %out[16] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    llvm.store %u, %p2 : vector<2xf32>, !llvm.ptr<1>
    %r = nvgpu_ext.fma.packed.f32x2 %a, %ones, %b : vector<2xf32>
    %p3 = llvm.getelementptr %out[24] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    llvm.store %r, %p3 : vector<2xf32>, !llvm.ptr<1>
    gpu.return
  }

  gpu.func @clusters(%out: !llvm.ptr<1>) kernel {
    %lane = gpu.lane_id
    %x = arith.index_cast %lane : index to i32
    %v = gpu.subgroup_reduce maxsi %x cluster(size = 4, stride = 4) : (i32) -> i32
    %p = llvm.getelementptr %out[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %v, %p : i32, !llvm.ptr<1>
    gpu.return
  }

  gpu.func @zero_fill(%g: memref<4xf32, 1>, %out: !llvm.ptr<1>) workgroup(%s: memref<4xf32, 3> {llvm.align = 16 : i64}) kernel {
    %c = arith.constant 0 : index
    %two = arith.constant 2 : index
    %a = nvgpu.device_async_copy %g[%c], %s[%c], 4, %two {bypassL1} : memref<4xf32, 1> to memref<4xf32, 3>
    %t = nvgpu.device_async_create_group %a
    nvgpu.device_async_wait %t
    %v = vector.load %s[%c] : memref<4xf32, 3>, vector<4xf32>
    llvm.store %v, %out : vector<4xf32>, !llvm.ptr<1>
    gpu.return
  }

  // Rows 0 and 1 of a tensor of 2 rows of 4; then the map is rebound to the next two rows.
  gpu.func @tensor_map(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %space: !llvm.ptr<1>) workgroup(%s: memref<2x4xf32, 3> {llvm.align = 128 : i64}) kernel {
    %c = arith.constant 0 : index
    %one = arith.constant 1 : index
    %bytes = arith.constant 32 : index
    %lane = gpu.lane_id
    %first = arith.cmpi eq, %lane, %c : index
    %b = nvgpu.mbarrier.create -> !bar
    scf.if %first {
      %columns = arith.constant 4 : i32
      %rows = arith.constant 2 : i32
      %pitch = arith.constant 16 : i64
      nvgpu.mbarrier.init %b[%c], %one : !bar
      %d = nvgpu_ext.tensormap.create %space, %in extents [%columns, %rows] strides [%pitch] : !llvm.ptr<1>, !llvm.ptr<1> -> !map
      nvgpu.mbarrier.arrive.expect_tx %b[%c], %bytes : !bar
      nvgpu_ext.tma.async.load %d[%c, %c], %b[%c] to %s : !map, !bar -> memref<2x4xf32, 3>
      %even = arith.constant false
      scf.while : () -> () {
        %done = nvgpu_ext.mbarrier.try_wait.parity %b[%c], %even : !bar
        %true = arith.constant true
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      %v = vector.load %s[%c, %c] : memref<2x4xf32, 3>, vector<4xf32>
      %w = vector.load %s[%one, %c] : memref<2x4xf32, 3>, vector<4xf32>
      llvm.store %v, %out : vector<4xf32>, !llvm.ptr<1>
      %p1 = llvm.getelementptr %out[16] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store %w, %p1 : vector<4xf32>, !llvm.ptr<1>

      %half = llvm.getelementptr %in[32] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      nvgpu_ext.tensormap.replace %space, %half extents [%columns, %rows] strides [%pitch] : !llvm.ptr<1>, !llvm.ptr<1>
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      nvgpu.mbarrier.arrive.expect_tx %b[%c], %bytes : !bar
      nvgpu.tma.async.load %d[%c, %c], %b[%c] to %s : !map, !bar -> memref<2x4xf32, 3>
      %odd = arith.constant true
      scf.while : () -> () {
        %done = nvgpu_ext.mbarrier.try_wait.parity %b[%c], %odd : !bar
        %true = arith.constant true
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      %x = vector.load %s[%c, %c] : memref<2x4xf32, 3>, vector<4xf32>
      %y = vector.load %s[%one, %c] : memref<2x4xf32, 3>, vector<4xf32>
      %p2 = llvm.getelementptr %out[32] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store %x, %p2 : vector<4xf32>, !llvm.ptr<1>
      %p3 = llvm.getelementptr %out[48] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store %y, %p3 : vector<4xf32>, !llvm.ptr<1>
    }
    gpu.return
  }

  // A map of tf32: the copy rounds f32.
  gpu.func @tensor_map_rounded(%in: !llvm.ptr<1>, %out: !llvm.ptr<1>, %space: !llvm.ptr<1>) workgroup(%s: memref<2x4xf32, 3> {llvm.align = 128 : i64}) kernel {
    %c = arith.constant 0 : index
    %one = arith.constant 1 : index
    %bytes = arith.constant 32 : index
    %lane = gpu.lane_id
    %first = arith.cmpi eq, %lane, %c : index
    %b = nvgpu.mbarrier.create -> !bar
    scf.if %first {
      %columns = arith.constant 4 : i32
      %rows = arith.constant 2 : i32
      %pitch = arith.constant 16 : i64
      nvgpu.mbarrier.init %b[%c], %one : !bar
      %rounding = nvgpu_ext.tensormap.create %space, %in extents [%columns, %rows] strides [%pitch] : !llvm.ptr<1>, !llvm.ptr<1> -> !rounding
      // As elements of f32 for the copy.
      %generic = llvm.addrspacecast %space : !llvm.ptr<1> to !llvm.ptr
      %d = builtin.unrealized_conversion_cast %generic : !llvm.ptr to !map
      nvgpu.mbarrier.arrive.expect_tx %b[%c], %bytes : !bar
      nvgpu_ext.tma.async.load %d[%c, %c], %b[%c] to %s : !map, !bar -> memref<2x4xf32, 3>
      %even = arith.constant false
      scf.while : () -> () {
        %done = nvgpu_ext.mbarrier.try_wait.parity %b[%c], %even : !bar
        %true = arith.constant true
        %again = arith.xori %done, %true : i1
        scf.condition(%again)
      } do {
        scf.yield
      }
      %v = vector.load %s[%c, %c] : memref<2x4xf32, 3>, vector<4xf32>
      %w = vector.load %s[%one, %c] : memref<2x4xf32, 3>, vector<4xf32>
      llvm.store %v, %out : vector<4xf32>, !llvm.ptr<1>
      %p1 = llvm.getelementptr %out[16] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
      llvm.store %w, %p1 : vector<4xf32>, !llvm.ptr<1>
    }
    gpu.return
  }

  gpu.func @warpgroup(%t: !wgmap, %g: memref<64x64xf32, 1>) workgroup(%s: memref<64x64xf16, 3> {llvm.align = 1024 : i64}) kernel attributes {nvgpu_ext.threads = 128 : i32} {
    %c = arith.constant 0 : index
    %step = arith.constant 2 : index
    %rows = arith.constant 64 : index
    %ones = arith.constant dense<1.0> : vector<32xf16>
    %tid = gpu.thread_id x
    %row = arith.divui %tid, %step : index
    %odd = arith.remui %tid, %step : index
    %halfrow = arith.constant 32 : index
    %column = arith.muli %odd, %halfrow : index
    vector.store %ones, %s[%row, %column] : memref<64x64xf16, 3>, vector<32xf16>
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
    gpu.barrier
    %d = nvgpu.warpgroup.generate.descriptor %s, %t : memref<64x64xf16, 3>, !wgmap -> !desc
    %z = nvgpu.warpgroup.mma.init.accumulator -> !acc
    %e = nvgpu.warpgroup.mma %d, %d, %z {transposeB} : !desc, !desc, !acc -> !acc
    nvgpu.warpgroup.mma.store %e, %g : !acc to memref<64x64xf32, 1>
    gpu.return
  }

  gpu.func @asserts() kernel {
    %lane = gpu.lane_id
    %seven = arith.constant 7 : index
    %ok = arith.cmpi ult, %lane, %seven : index
    cf.assert %ok, "lane below seven" loc("kern.py":9:1)
    gpu.return
  }
}
