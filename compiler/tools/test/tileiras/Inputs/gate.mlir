#file = #cuda_tile.di_file<"kern.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#sub = #cuda_tile.di_subprogram<file = #file, line = 7, name = "k", linkageName = "k", compileUnit = #unit, scopeLine = 7>
cuda_tile.module @m {
  cuda_tile.entry @k() {
    %0 = cuda_tile.constant <f8E4M3FN: 1.0> : !cuda_tile.tile<4xf8E4M3FN> loc(#cuda_tile.di_loc<loc("kern.py":9:3) in #sub>)
    cuda_tile.return
  } loc(#cuda_tile.di_loc<loc("kern.py":7:1) in #sub>)
}
