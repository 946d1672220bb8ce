// cp.async: 4, 8 and 16 bytes, the cache it bypasses, the number of bytes that are read (the rest is zero), groups.
// RUN: tile-opt --convert-gpu-to-nvvm %s | FileCheck --check-prefixes=CHECK,N49,N50,N51 %s
// RUN: tile-opt --convert-gpu-to-nvvm %s | tile-translate --gpu-name=sm_80 --mlir-to-ptx | FileCheck --check-prefix=PTX %s

gpu.module @m {
  // CHECK-LABEL: llvm.func @copies
  // PTX-LABEL: .entry copies(
  gpu.func @copies(%g: memref<128xf32, 1>, %s: memref<128xf32, 3>, %n: index) kernel {
    %c = arith.constant 0 : index
    // CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 4, cache =  ca : !llvm.ptr<3>, !llvm.ptr<1>
    // PTX: cp.async.ca.shared.global [%r{{.*}}], [%rd{{.*}}], 4;
    %a = nvgpu.device_async_copy %g[%c], %s[%c], 1 : memref<128xf32, 1> to memref<128xf32, 3>
    // CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 8, cache =  ca
    // PTX: cp.async.ca.shared.global [%r{{.*}}], [%rd{{.*}}], 8;
    %b = nvgpu.device_async_copy %g[%c], %s[%c], 2 : memref<128xf32, 1> to memref<128xf32, 3>
    // CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache =  cg
    // PTX: cp.async.cg.shared.global [%r{{.*}}], [%rd{{.*}}], 16;
    %d = nvgpu.device_async_copy %g[%c], %s[%c], 4 {bypassL1} : memref<128xf32, 1> to memref<128xf32, 3>
    // Elements become bytes: times 32 bits, by 8.
    // N49: %[[BITS:.*]] = llvm.mlir.constant(32 : i32) : i32
    // N49: %[[N:.*]] = llvm.trunc %{{.*}} : i64 to i32
    // N49: %[[TOTAL:.*]] = llvm.mul %[[BITS]], %[[N]] : i32
    // N49: %[[BYTES:.*]] = llvm.lshr %[[TOTAL]], %{{.*}} : i32
    // N49: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache =  cg, %[[BYTES]] : !llvm.ptr<3>, !llvm.ptr<1>, i32
    // PTX: cp.async.cg.shared.global [%r{{.*}}], [%rd{{.*}}], 16, %r{{[0-9]+}};
    %z = nvgpu.device_async_copy %g[%c], %s[%c], 4, %n {bypassL1} : memref<128xf32, 1> to memref<128xf32, 3>
    // N50: nvvm.cp.async.commit.group
    // PTX: cp.async.commit_group;
    %t = nvgpu.device_async_create_group %a, %b, %d, %z
    // N51: nvvm.cp.async.wait.group 2
    // PTX: cp.async.wait_group 2;
    nvgpu.device_async_wait %t {numGroups = 2 : i32}
    // N51: nvvm.cp.async.wait.group 0
    // PTX: cp.async.wait_group 0;
    nvgpu.device_async_wait %t
    gpu.return
  }
}
