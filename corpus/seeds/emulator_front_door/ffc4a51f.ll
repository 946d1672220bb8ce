
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.wgmma.fence.sync.aligned()
declare void @llvm.nvvm.wgmma.commit_group.sync.aligned()
declare void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64)
declare void @llvm.nvvm.fence.proxy.async.shared_cta()
@tiles = internal addrspace(3) global [32768 x i32] poison, align 1024
define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {{
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %copy
copy:
  %i = phi i32 [%t, %entry], [%j, %copy]
  %p = getelementptr i32, ptr addrspace(1) %in, i32 %i
  %s = getelementptr i32, ptr addrspace(3) @tiles, i32 %i
  %w = load i32, ptr addrspace(1) %p
  store i32 %w, ptr addrspace(3) %s
  %j = add i32 %i, 128
  %more = icmp ult i32 %j, 16384
  br i1 %more, label %copy, label %go
go:
  call void @llvm.nvvm.fence.proxy.async.shared_cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %base = ptrtoint ptr addrspace(3) @tiles to i64
  %low = and i64 %base, 262143
  %a0 = lshr i64 %low, 4
  %a = or i64 %a0, {0}
  %b0 = add i64 %low, 32768
  %b1 = lshr i64 %b0, 4
  %b = or i64 %b1, {1}
  %mi = add i32 %t, 16384
  %mp = getelementptr i32, ptr addrspace(1) %in, i32 %mi
  %meta = load i32, ptr addrspace(1) %mp
  call void @llvm.nvvm.wgmma.fence.sync.aligned()
  %d = call {{ {2} } asm sideeffect "wgmma.mma_async.{11}sync.aligned.{3} {{{4}}, ${5}, ${6}, {12}1{7};", "{8},l,l{13}{9}"(i64 %a, i64 %b{14}{10})
  call void @llvm.nvvm.wgmma.commit_group.sync.aligned()
  call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 0)
