
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @corner(ptr addrspace(1) %out, i32 %zero, i32 %least, i32 %ones, i32 %big) {
  %a = udiv i32 7, %zero
  store i32 %a, ptr addrspace(1) %out
  %p1 = getelementptr i32, ptr addrspace(1) %out, i32 1
  %b = urem i32 7, %zero
  store i32 %b, ptr addrspace(1) %p1
  %p2 = getelementptr i32, ptr addrspace(1) %out, i32 2
  %c = sdiv i32 %least, %ones
  store i32 %c, ptr addrspace(1) %p2
  %p3 = getelementptr i32, ptr addrspace(1) %out, i32 3
  %d = shl i32 1, %big
  store i32 %d, ptr addrspace(1) %p3
  %p4 = getelementptr i32, ptr addrspace(1) %out, i32 4
  %e = ashr i32 %least, %big
  store i32 %e, ptr addrspace(1) %p4
  ret void
}
