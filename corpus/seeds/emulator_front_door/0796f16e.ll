
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
@global_smem = external addrspace(3) global [0 x i8], align 128
define ptx_kernel void @neighbour(ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %s = getelementptr i32, ptr addrspace(3) @global_smem, i32 %t
  store i32 %t, ptr addrspace(3) %s
  BARRIER
  %t1 = add i32 %t, 1
  %u = urem i32 %t1, %n
  %q = getelementptr i32, ptr addrspace(3) @global_smem, i32 %u
  %v = load i32, ptr addrspace(3) %q
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %v, ptr addrspace(1) %p
  ret void
}
