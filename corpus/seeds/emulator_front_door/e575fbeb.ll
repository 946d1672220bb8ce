
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [4 x [8 x [8 x i16]]] poison, align 128
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare {i32, i32, i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3(ptr addrspace(3))
declare void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3), i32, i32, i32, i32)
define ptx_kernel void @k(ptr addrspace(1) %data) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %row = getelementptr [8 x i16], ptr addrspace(3) @tile, i32 %t
  %src = getelementptr [8 x i16], ptr addrspace(1) %data, i32 %t
  %v = load <4 x i32>, ptr addrspace(1) %src, align 16
  store <4 x i32> %v, ptr addrspace(3) %row, align 16
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %m = call {i32, i32, i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3(ptr addrspace(3) %row)
  %a = extractvalue {i32, i32, i32, i32} %m, 0
  %b = extractvalue {i32, i32, i32, i32} %m, 1
  %c = extractvalue {i32, i32, i32, i32} %m, 2
  %d = extractvalue {i32, i32, i32, i32} %m, 3
  call void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %row, i32 %a, i32 %b, i32 %c, i32 %d)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %w = load <4 x i32>, ptr addrspace(3) %row, align 16
  store <4 x i32> %w, ptr addrspace(1) %src, align 16
  ret void
}
