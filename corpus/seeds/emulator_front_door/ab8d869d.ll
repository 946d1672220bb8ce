
target triple = "nvptx64-nvidia-cuda"target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare {{ double, double } @{0}(double, double, double, double)
define ptx_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = call {{ double, double } @{0}(double 0x3C70000000000000, double 0x3C70000000000000, double 1.0, double 1.0)
  %d0 = extractvalue {{ double, double } %d, 0
  %p = getelementptr double, ptr addrspace(1) %b, i32 %t
  store double %d0, ptr addrspace(1) %p
  ret void
}
