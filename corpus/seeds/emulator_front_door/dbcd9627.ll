
target triple = "nvptx64-nvidia-cuda"
declare {{ float, float, float, float } @llvm.nvvm.{0}(i32, i32, i32, i32, float, float, float, float, i32, i32)
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {{
  %m = call {{ float, float, float, float } @llvm.nvvm.{0}(i32 0, i32 0, i32 0, i32 0,
    float 0.0, float 0.0, float 0.0, float 0.0, i32 {1}, i32 0)
  ret void
}
