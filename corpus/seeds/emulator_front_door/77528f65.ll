
target triple = "nvptx64-nvidia-cuda"
declare {0} @llvm.minnum.{1}({0}, {0})
declare {0} @llvm.maxnum.{1}({0}, {0})
define ptx_kernel void @k(ptr addrspace(1) %o, i32 %i, i64 %l) {{
  %n = fneg {0} 0.0
  %z = load volatile {0}, ptr addrspace(1) %o
  %m = fneg {0} %z
  %a = call {0} @llvm.minnum.{1}({0} %z, {0} %m)
  %b = call {0} @llvm.minnum.{1}({0} %m, {0} %z)
  %c = call {0} @llvm.maxnum.{1}({0} %z, {0} %m)
  %d = call {0} @llvm.maxnum.{1}({0} %m, {0} %z)
  %e = sitofp i32 %i to {0}
  %f = uitofp i64 %l to {0}
  store {0} %a, ptr addrspace(1) %o
  %p1 = getelementptr i64, ptr addrspace(1) %o, i32 1
  store {0} %b, ptr addrspace(1) %p1
  %p2 = getelementptr i64, ptr addrspace(1) %o, i32 2
  store {0} %c, ptr addrspace(1) %p2
  %p3 = getelementptr i64, ptr addrspace(1) %o, i32 3
  store {0} %d, ptr addrspace(1) %p3
  %p4 = getelementptr i64, ptr addrspace(1) %o, i32 4
  store {0} %e, ptr addrspace(1) %p4
  %p5 = getelementptr i64, ptr addrspace(1) %o, i32 5
  store {0} %f, ptr addrspace(1) %p5
  ret void
}