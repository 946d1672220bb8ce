cuda_tile.module @m { entry @k(%p: tile<ptr<i32>>) {
%x = iota : tile<128xi32>

%s = addi %x, %x : tile<128xi32>
%r = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
%q = broadcast %r : tile<1xptr<i32>> -> tile<128xptr<i32>>
%o = offset %q, %x : tile<128xptr<i32>>, tile<128xi32> -> tile<128xptr<i32>>
%t = store_ptr_tko weak %o, %s : tile<128xptr<i32>>, tile<128xi32> -> token
return } }
