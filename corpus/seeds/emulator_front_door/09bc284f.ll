
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.nvvm.tcgen05.relinquish.alloc.permit.cg1()
declare void @mystery()
define ptx_kernel void @k() {
  call void @llvm.nvvm.tcgen05.relinquish.alloc.permit.cg1()
  call void @mystery()
  call void asm sideeffect "bar.arrive 1, 2;", ""()
  ret void
}
define ptx_kernel void @fine() {
  ret void
}
