
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
@buffer = internal addrspace(3) global [256 x float] poison, align 16
define ptx_kernel void @reduce(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %o = shl i32 %b, 8
  %i = add i32 %o, %t
  %p = getelementptr float, ptr addrspace(1) %in, i32 %i
  %x = load float, ptr addrspace(1) %p
  %s = getelementptr [256 x float], ptr addrspace(3) @buffer, i32 0, i32 %t
  store float %x, ptr addrspace(3) %s
  br label %loop
loop:
  %half = phi i32 [128, %entry], [%next, %tail]
  