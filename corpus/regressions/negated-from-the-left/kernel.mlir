cuda_tile.module @m {
  entry @kernel(%c: tile<ptr<i1>>, %x: tile<ptr<i64>>, %y: tile<ptr<i64>>, %z: tile<ptr<i64>>, %out: tile<ptr<i64>>) {
    %at = iota : tile<512xi32>
    %c1 = reshape %c : tile<ptr<i1>> -> tile<1xptr<i1>>
    %cb = broadcast %c1 : tile<1xptr<i1>> -> tile<512xptr<i1>>
    %cp = offset %cb, %at : tile<512xptr<i1>>, tile<512xi32> -> tile<512xptr<i1>>
    %x1 = reshape %x : tile<ptr<i64>> -> tile<1xptr<i64>>
    %xb = broadcast %x1 : tile<1xptr<i64>> -> tile<512xptr<i64>>
    %xp = offset %xb, %at : tile<512xptr<i64>>, tile<512xi32> -> tile<512xptr<i64>>
    %y1 = reshape %y : tile<ptr<i64>> -> tile<1xptr<i64>>
    %yb = broadcast %y1 : tile<1xptr<i64>> -> tile<512xptr<i64>>
    %yp = offset %yb, %at : tile<512xptr<i64>>, tile<512xi32> -> tile<512xptr<i64>>
    %z1 = reshape %z : tile<ptr<i64>> -> tile<1xptr<i64>>
    %zb = broadcast %z1 : tile<1xptr<i64>> -> tile<512xptr<i64>>
    %zp = offset %zb, %at : tile<512xptr<i64>>, tile<512xi32> -> tile<512xptr<i64>>
    %o1 = reshape %out : tile<ptr<i64>> -> tile<1xptr<i64>>
    %ob = broadcast %o1 : tile<1xptr<i64>> -> tile<512xptr<i64>>
    %op = offset %ob, %at : tile<512xptr<i64>>, tile<512xi32> -> tile<512xptr<i64>>
    %cv, %t0 = load_ptr_tko weak %cp : tile<512xptr<i1>> -> tile<512xi1>, token
    %xv, %t1 = load_ptr_tko weak %xp : tile<512xptr<i64>> -> tile<512xi64>, token
    %yv, %t2 = load_ptr_tko weak %yp : tile<512xptr<i64>> -> tile<512xi64>, token
    %zv, %t3 = load_ptr_tko weak %zp : tile<512xptr<i64>> -> tile<512xi64>, token
    %true = constant <i1: true> : tile<512xi1>
    %not = xori %true, %cv : tile<512xi1>
    %inner = select %not, %yv, %xv : tile<512xi1>, tile<512xi64>
    %outer = select %cv, %zv, %inner : tile<512xi1>, tile<512xi64>
    %t4 = store_ptr_tko weak %op, %outer : tile<512xptr<i64>>, tile<512xi64> -> token
    return
  }
}
