
target triple = "nvptx64-nvidia-cuda"
declare <2 x half> @llvm.nvvm.ff2f16x2.rs(float, float, i32)
declare <2 x bfloat> @llvm.nvvm.ff2bf16x2.rs(float, float, i32)
declare <4 x i8> @llvm.nvvm.f32x4.to.e4m3x4.rs.satfinite(<4 x float>, i32)
declare i16 @llvm.nvvm.f32x4.to.e2m1x4.rs.relu.satfinite(<4 x float>, i32)
define ptx_kernel void @k(ptr addrspace(1) %o, float %a, float %b, i32 %r) {
  %h = call <2 x half> @llvm.nvvm.ff2f16x2.rs(float %a, float %b, i32 %r)
  store <2 x half> %h, ptr addrspace(1) %o
  %p1 = getelementptr i32, ptr addrspace(1) %o, i32 1
  %bf = call <2 x bfloat> @llvm.nvvm.ff2bf16x2.rs(float %a, float %b, i32 %r)
  store <2 x bfloat> %bf, ptr addrspace(1) %p1
  %v0 = insertelement <4 x float> poison, float %a, i32 0
  %v1 = insertelement <4 x float> %v0, float %b, i32 1
  %v2 = insertelement <4 x float> %v1, float %a, i32 2
  %v = insertelement <4 x float> %v2, float %b, i32 3
  %p2 = getelementptr i32, ptr addrspace(1) %o, i32 2
  %e = call <4 x i8> @llvm.nvvm.f32x4.to.e4m3x4.rs.satfinite(<4 x float> %v, i32 %r)
  store <4 x i8> %e, ptr addrspace(1) %p2
  %p3 = getelementptr i32, ptr addrspace(1) %o, i32 3
  %n = call i16 @llvm.nvvm.f32x4.to.e2m1x4.rs.relu.satfinite(<4 x float> %v, i32 %r)
  store i16 %n, ptr addrspace(1) %p3
  ret void
}
