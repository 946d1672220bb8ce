
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
declare void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32, i32)
declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1)
@slot = internal addrspace(3) global [32 x i32] poison, align 16
define ptx_kernel void @ring(ptr addrspace(1) %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %lane = and i32 %t, 31
  %s = getelementptr [32 x i32], ptr addrspace(3) @slot, i32 0, i32 %lane
  %producer = icmp ult i32 %t, 32
  br i1 %producer, label %p, label %c
p:
  %v = mul i32 %lane, 3
  store i32 %v, ptr addrspace(3) %s
  call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 1, i32 64)
  br label %end
c:
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)
  %w = load i32, ptr addrspace(3) %s
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %lane
  store i32 %w, ptr addrspace(1) %o
  br label %end
end:
  %big = icmp ult i32 %t, 20
  %n = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 %big)
  %first = icmp eq i32 %t, 0
  br i1 %first, label %w1, label %x
w1:
  %o32 = getelementptr i32, ptr addrspace(1) %out, i32 32
  store i32 %n, ptr addrspace(1) %o32
  br label %x
x:
  ret void
}
