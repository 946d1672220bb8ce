
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr addrspace(1) %a, ptr addrspace(1) %b, ptr addrspace(1) %o) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pa = getelementptr {0}, ptr addrspace(1) %a, i32 %t
  %pb = getelementptr {0}, ptr addrspace(1) %b, i32 %t
  %po = getelementptr {0}, ptr addrspace(1) %o, i32 %t
  %x = load {0}, ptr addrspace(1) %pa
  %y = load {0}, ptr addrspace(1) %pb
  %m = fmul {0} %x, %y
  %s = fadd {0} %m, %x
  %d = fdiv {0} %s, %y
  store {0} %d, ptr addrspace(1) %po
  ret void
}