
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %o, float %x, double %y) {
  %1 = fptosi float %x to i32
  store i32 %1, ptr addrspace(1) %o
  %2 = fptoui float %x to i32
  %p2 = getelementptr i64, ptr addrspace(1) %o, i32 1
  store i32 %2, ptr addrspace(1) %p2
  %3 = fptosi double %y to i32
  %p3 = getelementptr i64, ptr addrspace(1) %o, i32 2
  store i32 %3, ptr addrspace(1) %p3
  %4 = fptosi double %y to i64
  %p4 = getelementptr i64, ptr addrspace(1) %o, i32 3
  store i64 %4, ptr addrspace(1) %p4
  ret void
}
