
target triple = "nvptx64-nvidia-cuda"
declare float @llvm.nvvm.add.rm.f(float, float)
declare float @llvm.nvvm.add.rp.f(float, float)
declare float @llvm.nvvm.mul.rn.ftz.f(float, float)
declare float @llvm.nvvm.ex2.approx.ftz.f32(float)
declare i32 @llvm.nvvm.f2i.rz(float)
declare <2 x half> @llvm.nvvm.ff2f16x2.rn(float, float)
declare half @llvm.fma.f16(half, half, half)
declare bfloat @llvm.fma.bf16(bfloat, bfloat, bfloat)
define ptx_kernel void @k(ptr addrspace(1) %o, float %a, float %b, float %tiny) {
  %1 = call float @llvm.nvvm.add.rm.f(float %a, float %b)
  store float %1, ptr addrspace(1) %o
  %2 = call float @llvm.nvvm.add.rp.f(float %a, float %b)
  %p2 = getelementptr float, ptr addrspace(1) %o, i32 1
  store float %2, ptr addrspace(1) %p2
  %3 = call float @llvm.nvvm.mul.rn.ftz.f(float %tiny, float 1.0)
  %p3 = getelementptr float, ptr addrspace(1) %o, i32 2
  store float %3, ptr addrspace(1) %p3
  %4 = call float @llvm.nvvm.ex2.approx.ftz.f32(float 3.0)
  %p4 = getelementptr float, ptr addrspace(1) %o, i32 3
  store float %4, ptr addrspace(1) %p4
  %5 = call i32 @llvm.nvvm.f2i.rz(float 0x41F0000000000000)
  %p5 = getelementptr float, ptr addrspace(1) %o, i32 4
  store i32 %5, ptr addrspace(1) %p5
  %6 = call <2 x half> @llvm.nvvm.ff2f16x2.rn(float 1.0, float 2.0)
  %p6 = getelementptr float, ptr addrspace(1) %o, i32 5
  store <2 x half> %6, ptr addrspace(1) %p6
  %h = fptrunc float %a to half
  %7 = call half @llvm.fma.f16(half %h, half %h, half 0xH0001)
  %8 = fadd half %7, 0xH3C00
  %p7 = getelementptr float, ptr addrspace(1) %o, i32 6
  store half %8, ptr addrspace(1) %p7
  %bf = fptrunc float %a to bfloat
  %9 = call bfloat @llvm.fma.bf16(bfloat %bf, bfloat %bf, bfloat %bf)
  %p8 = getelementptr float, ptr addrspace(1) %o, i32 7
  store bfloat %9, ptr addrspace(1) %p8
  ret void
}
