
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [32 x [16 x i8]] poison, align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.{0}.p3(ptr addrspace(3){1})
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = getelementptr [16 x i8], ptr addrspace(3) @tile, i32 %t
  %src = getelementptr [4 x i32], ptr addrspace(1) %in, i32 %t
  %dst = getelementptr [16 x i8], ptr addrspace(1) %out, i32 %t
{2}  call void @llvm.nvvm.{0}.p3(ptr addrspace(3) %row{3})
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v = load <4 x i32>, ptr addrspace(3) %row, align 16
  store <4 x i32> %v, ptr addrspace(1) %dst, align 4
  ret void
}
