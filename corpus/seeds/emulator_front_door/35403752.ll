
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
define ptx_kernel void @chain(ptr addrspace(1) %counter) {
  %n = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %last = sub i32 %n, 1
  %turn = sub i32 %last, %b
  br label %l
l:
  %v = load atomic i32, ptr addrspace(1) %counter acquire, align 4
  %go = icmp eq i32 %v, %turn
  br i1 %go, label %d, label %l
d:
  %old = atomicrmw add ptr addrspace(1) %counter, i32 1 release
  ret void
}
