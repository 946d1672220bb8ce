// Every canonicalizer that a cuda_tile program can reach fires on this kernel (CanonicalizerCasesTest.cpp).
cuda_tile.module @m {
  entry @kernel(%in: tile<ptr<i32>>, %out: tile<ptr<i32>>, %cell: tile<ptr<i32>>, %n: tile<i32>) {
    %i = iota : tile<16xi32>
    %c16 = constant <i32: 16> : tile<i32>
    %c5 = constant <i32: 5> : tile<i32>
    // fold-identity-operand
    %unit = constant <i32: 1> : tile<i32>
    %one1 = reshape %unit : tile<i32> -> tile<1xi32>
    // fuse-addptr-chain, push-assume-through-splat
    %n1 = reshape %n : tile<i32> -> tile<1xi32>
    %nu = muli %n1, %one1 : tile<1xi32>
    %nb = broadcast %nu : tile<1xi32> -> tile<16xi32>
    %na = assume bounded<0, ?>, %nb : tile<16xi32>
    %in1 = reshape %in : tile<ptr<i32>> -> tile<1xptr<i32>>
    %inb = broadcast %in1 : tile<1xptr<i32>> -> tile<16xptr<i32>>
    %p0 = offset %inb, %i : tile<16xptr<i32>>, tile<16xi32> -> tile<16xptr<i32>>
    %out1 = reshape %out : tile<ptr<i32>> -> tile<1xptr<i32>>
    %outb = broadcast %out1 : tile<1xptr<i32>> -> tile<16xptr<i32>>
    %o0 = offset %outb, %i : tile<16xptr<i32>>, tile<16xi32> -> tile<16xptr<i32>>
    %s16 = constant <i32: 16> : tile<16xi32>
    %o1 = offset %o0, %s16 : tile<16xptr<i32>>, tile<16xi32> -> tile<16xptr<i32>>
    %o2 = offset %o1, %s16 : tile<16xptr<i32>>, tile<16xi32> -> tile<16xptr<i32>>
    %o3 = offset %o2, %s16 : tile<16xptr<i32>>, tile<16xi32> -> tile<16xptr<i32>>
    %o4 = offset %o3, %s16 : tile<16xptr<i32>>, tile<16xi32> -> tile<16xptr<i32>>
    %o5 = offset %o4, %s16 : tile<16xptr<i32>>, tile<16xi32> -> tile<16xptr<i32>>
    // masked-load, masked-store
    %true = constant <i1: true> : tile<16xi1>
    %false = constant <i1: false> : tile<16xi1>
    %other = constant <i32: -5> : tile<16xi32>
    %t = make_token : token
    %x, %t0 = load_ptr_tko weak %p0, %true, %other token=%t : tile<16xptr<i32>>, tile<16xi1>, tile<16xi32> -> tile<16xi32>, token
    %y, %t1 = load_ptr_tko weak %p0, %false, %other token=%t0 : tile<16xptr<i32>>, tile<16xi1>, tile<16xi32> -> tile<16xi32>, token
    %sum0 = addi %x, %y : tile<16xi32>
    %sum = addi %sum0, %na : tile<16xi32>
    %t2 = store_ptr_tko weak %o0, %sum, %true token=%t1 : tile<16xptr<i32>>, tile<16xi32>, tile<16xi1> -> token
    %t3 = store_ptr_tko weak %o0, %other, %false token=%t2 : tile<16xptr<i32>>, tile<16xi32>, tile<16xi1> -> token
    // push-select-through-splat
    %c0 = constant <i32: 0> : tile<i32>
    %pos = cmpi greater_than %n, %c0, signed : tile<i32> -> tile<i1>
    %choice = select %pos, %n, %c16 : tile<i1>, tile<i32>
    %ch1 = reshape %choice : tile<i32> -> tile<1xi32>
    %chb = broadcast %ch1 : tile<1xi32> -> tile<16xi32>
    %t4 = store_ptr_tko weak %o1, %chb token=%t3 : tile<16xptr<i32>>, tile<16xi32> -> token
    // fold-expand-dims-of-splat, fold-view-chain
    %sq = constant <i32: 3> : tile<4x4xi32>
    %sq1 = reshape %sq : tile<4x4xi32> -> tile<4x1x4xi32>
    %sq2 = broadcast %sq1 : tile<4x1x4xi32> -> tile<4x2x4xi32>
    %sq3 = reshape %sq2 : tile<4x2x4xi32> -> tile<8x4xi32>
    %sq4 = reshape %sq3 : tile<8x4xi32> -> tile<32xi32>
    %xv = reshape %x : tile<16xi32> -> tile<4x4xi32>
    %xw = reshape %xv : tile<4x4xi32> -> tile<2x8xi32>
    %xw2 = reshape %xw : tile<2x8xi32> -> tile<16xi32>
    %half = extract %sq4[%c0] : tile<32xi32> -> tile<16xi32>
    %r2 = addi %xw2, %half : tile<16xi32>
    %t5 = store_ptr_tko weak %o2, %r2 token=%t4 : tile<16xptr<i32>>, tile<16xi32> -> token
    // hoist-extract
    %double = addi %x, %x : tile<16xi32>
    %one = extract %double[%c5] : tile<16xi32> -> tile<1xi32>
    %oneb = broadcast %one : tile<1xi32> -> tile<16xi32>
    %t6 = store_ptr_tko weak %o3, %oneb token=%t5 : tile<16xptr<i32>>, tile<16xi32> -> token
    // fold-constant-dot, fold-broadcast-of-splat
    %a = constant <i8: 0> : tile<4x8xi8>
    %b = constant <i8: 3> : tile<8x4xi8>
    %acc0 = reshape %x : tile<16xi32> -> tile<4x4xi32>
    %column = constant <i32: 2> : tile<4x1xi32>
    %columns = broadcast %column : tile<4x1xi32> -> tile<4x4xi32>
    %acc = addi %acc0, %columns : tile<4x4xi32>
    %d = mmai %a, %b, %acc signed signed : tile<4x8xi8>, tile<8x4xi8>, tile<4x4xi32>
    %df = reshape %d : tile<4x4xi32> -> tile<16xi32>
    %t7 = store_ptr_tko weak %o4, %df token=%t6 : tile<16xptr<i32>>, tile<16xi32> -> token
    // fold-atomic-rmw, fold-atomic-cas
    %zero = constant <i32: 0> : tile<16xi32>
    %cell1 = reshape %cell : tile<ptr<i32>> -> tile<1xptr<i32>>
    %cellb = broadcast %cell1 : tile<1xptr<i32>> -> tile<16xptr<i32>>
    %cells = offset %cellb, %i : tile<16xptr<i32>>, tile<16xi32> -> tile<16xptr<i32>>
    %old, %t8 = atomic_rmw_tko relaxed device %cells, add, %zero token=%t7 : tile<16xptr<i32>>, tile<16xi32> -> tile<16xi32>, token
    %seven = constant <i32: 7> : tile<16xi32>
    %old2, %t9 = atomic_cas_tko relaxed device %cells, %seven, %seven token=%t8 : tile<16xptr<i32>>, tile<16xi32> -> tile<16xi32>, token
    // count-carried-sum
    %turned:2 = for %k in (%n to %c16, step %unit) : tile<i32> iter_values(%v = %x, %u = %i) -> (tile<16xi32>, tile<16xi32>) {
      %v1 = xori %v, %u : tile<16xi32>
      %u1 = addi %u, %s16 : tile<16xi32>
      continue %v1, %u1 : tile<16xi32>, tile<16xi32>
    }
    // prune-reduced-tiles, prune-scanned-tiles: of both the second tile is left, which the first one does not need
    %sums:2 = reduce %x, %xw2 dim=0 identities=[0 : i32, 0 : i32] : tile<16xi32>, tile<16xi32> -> tile<i32>, tile<i32>
      (%a0: tile<i32>, %a1: tile<i32>, %b0: tile<i32>, %b1: tile<i32>) {
        %as = addi %a0, %a1 : tile<i32>
        %bm = xori %b0, %b1 : tile<i32>
        yield %as, %bm : tile<i32>, tile<i32>
      }
    %runs:2 = scan %x, %xw2 dim=0 reverse=false identities=[0 : i32, 0 : i32] : tile<16xi32>, tile<16xi32> -> tile<16xi32>, tile<16xi32>
      (%c0_: tile<i32>, %c1_: tile<i32>, %d0: tile<i32>, %d1: tile<i32>) {
        %cs = addi %c0_, %c1_ : tile<i32>
        %dm = ori %d0, %d1 : tile<i32>
        yield %cs, %dm : tile<i32>, tile<i32>
      }
    %sum1 = reshape %sums#1 : tile<i32> -> tile<1xi32>
    %sumb = broadcast %sum1 : tile<1xi32> -> tile<16xi32>
    %left = addi %sumb, %runs#1 : tile<16xi32>
    %old3 = addi %old2, %left : tile<16xi32>
    %olds = addi %old, %old3 : tile<16xi32>
    %r5 = addi %olds, %turned#0 : tile<16xi32>
    %t10 = store_ptr_tko weak %o5, %r5 token=%t9 : tile<16xptr<i32>>, tile<16xi32> -> token
    return
  }
}
