target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@buffer = internal addrspace(3) global [64 x i32] poison, align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.bar.warp.sync(i32)

;! ll_double grid=4 block=64 args=in:256,out:256 ref=ll_ref
define ptx_kernel void @ll_double(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %o = shl i32 %b, 6
  %i = add i32 %o, %t
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %i
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %i
  %v = load i32, ptr addrspace(1) %p
  %w = shl i32 %v, 1
  store i32 %w, ptr addrspace(1) %q
  ret void
}
;! ll_staged grid=4 block=64 args=in:256,out:256 ref=ll_ref
define ptx_kernel void @ll_staged(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %o = shl i32 %b, 6
  %i = add i32 %o, %t
  %r = sub i32 63, %t
  %j = add i32 %o, %r
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %i
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %j
  %v = load i32, ptr addrspace(1) %p
  %s = getelementptr [64 x i32], ptr addrspace(3) @buffer, i32 0, i32 %t
  %u = getelementptr [64 x i32], ptr addrspace(3) @buffer, i32 0, i32 %r
  store i32 %v, ptr addrspace(3) %s
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load i32, ptr addrspace(3) %u
  %w = shl i32 %x, 1
  store i32 %w, ptr addrspace(1) %q
  ret void
}
;! ll_staged_warp_sync grid=1 block=64 args=in:256,out:256 expect=race
define ptx_kernel void @ll_staged_warp_sync(ptr addrspace(1) %in, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %r = sub i32 63, %t
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %t
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %r
  %v = load i32, ptr addrspace(1) %p
  %s = getelementptr [64 x i32], ptr addrspace(3) @buffer, i32 0, i32 %t
  %u = getelementptr [64 x i32], ptr addrspace(3) @buffer, i32 0, i32 %r
  store i32 %v, ptr addrspace(3) %s
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %x = load i32, ptr addrspace(3) %u
  store i32 %x, ptr addrspace(1) %q
  ret void
}
define ptx_kernel void @ll_ref(ptr addrspace(1) %in, ptr addrspace(1) %out) {
entry:
  br label %loop
loop:
  %i = phi i32 [0, %entry], [%n, %loop]
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %i
  %q = getelementptr i32, ptr addrspace(1) %out, i32 %i
  %v = load i32, ptr addrspace(1) %p
  %w = shl i32 %v, 1
  store i32 %w, ptr addrspace(1) %q
  %n = add i32 %i, 1
  %more = icmp ne i32 %n, 256
  br i1 %more, label %loop, label %end
end:
  ret void
}
;! ll_handshake grid=2 block=1 args=out:1,tmp:1,tmp:1 ref=ll_handshake_ref
define ptx_kernel void @ll_handshake(ptr addrspace(1) %out, ptr addrspace(1) %data, ptr addrspace(1) %flag) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = icmp eq i32 %b, 0
  br i1 %first, label %give, label %wait
give:
  store i32 42, ptr addrspace(1) %data
  store atomic i32 1, ptr addrspace(1) %flag syncscope("device") release, align 4
  ret void
wait:
  %f = load atomic i32, ptr addrspace(1) %flag syncscope("device") acquire, align 4
  %set = icmp ne i32 %f, 0
  br i1 %set, label %take, label %wait
take:
  %v = load i32, ptr addrspace(1) %data
  store i32 %v, ptr addrspace(1) %out
  ret void
}
;! ll_handshake_block_scope grid=2 block=1 args=out:1,tmp:1,tmp:1 expect=race
define ptx_kernel void @ll_handshake_block_scope(ptr addrspace(1) %out, ptr addrspace(1) %data, ptr addrspace(1) %flag) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = icmp eq i32 %b, 0
  br i1 %first, label %give, label %wait
give:
  store i32 42, ptr addrspace(1) %data
  store atomic i32 1, ptr addrspace(1) %flag syncscope("block") release, align 4
  ret void
wait:
  %f = load atomic i32, ptr addrspace(1) %flag syncscope("device") acquire, align 4
  %set = icmp ne i32 %f, 0
  br i1 %set, label %take, label %wait
take:
  %v = load i32, ptr addrspace(1) %data
  store i32 %v, ptr addrspace(1) %out
  ret void
}
define ptx_kernel void @ll_handshake_ref(ptr addrspace(1) %out, ptr addrspace(1) %data, ptr addrspace(1) %flag) {
  store i32 42, ptr addrspace(1) %out
  ret void
}
