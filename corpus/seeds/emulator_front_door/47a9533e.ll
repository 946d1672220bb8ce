
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @spin() {
  br label %l
l:
  br label %l
}
define ptx_kernel void @wait(ptr addrspace(1) %flag) {
  br label %l
l:
  %v = load atomic i32, ptr addrspace(1) %flag acquire, align 4
  %z = icmp eq i32 %v, 0
  br i1 %z, label %l, label %d
d:
  ret void
}
