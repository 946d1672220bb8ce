
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32)
define ptx_kernel void @warpsum(ptr addrspace(1) %data) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr float, ptr addrspace(1) %data, i32 %t
  %x = load float, ptr addrspace(1) %p
  br label %loop
loop:
  %v = phi float [%x, %entry], [%w, %loop]
  %d = phi i32 [16, %entry], [%next, %loop]
  %y = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v, i32 %d, i32 31)
  %w = fadd float %v, %y
  %next = lshr i32 %d, 1
  %more = icmp ne i32 %next, 0
  br i1 %more, label %loop, label %done
done:
  store float %w, ptr addrspace(1) %p
  ret void
}
