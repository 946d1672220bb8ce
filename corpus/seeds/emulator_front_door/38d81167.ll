
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32, i32, i32, i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i32 @llvm.nvvm.redux.sync.add(i32, i32)
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)
declare {i32, i1} @llvm.nvvm.elect.sync(i32)
declare i32 @llvm.nvvm.activemask()
define ptx_kernel void @ops(ptr addrspace(1) %out) {
  %l = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %row = mul i32 %l, 8
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %row
  %odd1 = and i32 %l, 1
  %odd = icmp eq i32 %odd1, 1
  %ballot = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %odd)
  store i32 %ballot, ptr addrspace(1) %p
  %sum = call i32 @llvm.nvvm.redux.sync.add(i32 %l, i32 -1)
  %p1 = getelementptr i32, ptr addrspace(1) %p, i32 1
  store i32 %sum, ptr addrspace(1) %p1
  %same = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %odd1)
  %p2 = getelementptr i32, ptr addrspace(1) %p, i32 2
  store i32 %same, ptr addrspace(1) %p2
  %down = call {i32, i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %l, i32 3, i32 31)
  %dv = extractvalue {i32, i1} %down, 0
  %dp = extractvalue {i32, i1} %down, 1
  %dz = zext i1 %dp to i32
  %p3 = getelementptr i32, ptr addrspace(1) %p, i32 3
  store i32 %dv, ptr addrspace(1) %p3
  %p4 = getelementptr i32, ptr addrspace(1) %p, i32 4
  store i32 %dz, ptr addrspace(1) %p4
  %e = call {i32, i1} @llvm.nvvm.elect.sync(i32 -1)
  %ep = extractvalue {i32, i1} %e, 1
  %ez = zext i1 %ep to i32
  %p5 = getelementptr i32, ptr addrspace(1) %p, i32 5
  store i32 %ez, ptr addrspace(1) %p5
  br i1 %odd, label %a, label %b
a:
  %m1 = call i32 @llvm.nvvm.activemask()
  br label %c
b:
  br label %c
c:
  %m = phi i32 [%m1, %a], [0, %b]
  %p6 = getelementptr i32, ptr addrspace(1) %p, i32 6
  store i32 %m, ptr addrspace(1) %p6
  %seg = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %l, i32 0, i32 7199)
  %p7 = getelementptr i32, ptr addrspace(1) %p, i32 7
  store i32 %seg, ptr addrspace(1) %p7
  ret void
}
