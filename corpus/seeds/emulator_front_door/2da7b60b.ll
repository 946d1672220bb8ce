
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %o, float %tiny) #0 {
  %a = fadd float %tiny, %tiny
  store float %a, ptr addrspace(1) %o
  ret void
}
attributes #0 = { "denormal-fp-math-f32"="preserve-sign,preserve-sign" }
