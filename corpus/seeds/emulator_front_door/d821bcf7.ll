
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @vprintf(ptr, ptr)
declare void @llvm.trap()
@format = private addrspace(4) constant [24 x i8] c"t=%d x=%.2f s=%s n=%lld\00"
@text = private constant [3 x i8] c"hi\00"
define ptx_kernel void @hello() {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %buffer = alloca {i32, double, ptr, i64}
  store i32 %t, ptr %buffer
  %p1 = getelementptr {i32, double, ptr, i64}, ptr %buffer, i32 0, i32 1
  store double 2.5, ptr %p1
  %p2 = getelementptr {i32, double, ptr, i64}, ptr %buffer, i32 0, i32 2
  store ptr @text, ptr %p2
  %p3 = getelementptr {i32, double, ptr, i64}, ptr %buffer, i32 0, i32 3
  store i64 -7, ptr %p3
  %r = call i32 @vprintf(ptr addrspacecast (ptr addrspace(4) @format to ptr), ptr %buffer)
  %c = icmp eq i32 %t, 1
  br i1 %c, label %bad, label %ok
bad:
  call void @llvm.trap()
  unreachable
ok:
  ret void
}
