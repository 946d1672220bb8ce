// The host asks for public variables of a module by name and may write them; private ones are ours.
// [spec: global-visibility]
// RUN: tile-opt --tilesmith-pipeline="gpu-name=sm_90 from=cudatile to=gpu" %s | FileCheck %s
// RUN: tile-translate --mlir-to-cudatilebc --bytecode-version=13.3 %s -o %t.bc
// RUN: tileiras %t.bc --gpu-name=sm_90 -O0 --emit=ptx -o - | FileCheck --check-prefix=PTX %s
// RUN: tileiras %t.bc --gpu-name=sm_90 -O3 --emit=ptx -o - | FileCheck --check-prefix=PTX %s

cuda_tile.module @m {
  // CHECK: llvm.mlir.global internal constant @constant_k_1(
  // CHECK: llvm.mlir.global external @counter(
  // PTX-DAG: {{^}}.visible .global .align 16 .b8 counter[4] = {7};
  global @counter <i32: 7> : tile<1xi32>
  // CHECK: llvm.mlir.global internal @scratch(
  // PTX-DAG: {{^}}.global .align 16 .b8 scratch[4] = {9};
  global private @scratch <i32: 9> : tile<1xi32>
  // CHECK: llvm.mlir.global external constant @table(
  // PTX-DAG: {{^}}.visible .global .align 16 .b8 table[4] = {5};
  global constant @table <i32: 5> : tile<1xi32>
  // Nobody reads it here, but the host may.
  // PTX-DAG: {{^}}.visible .global .align 16 .b8 unused[4] = {3};
  global @unused <i32: 3> : tile<1xi32>

  // The tables of a kernel take names that are free.
  // CHECK: llvm.mlir.global external @constant_k_0(
  global @constant_k_0 <i32: 1> : tile<1xi32>

  // Inside of a kernel PTX takes these names for its local memory and its first parameter.
  // CHECK: llvm.mlir.global internal @__local_depot0$global(
  // PTX-DAG: {{^}}.global .align 16 .b8 __local_depot0$global[4] = {6};
  global private @__local_depot0 <i32: 6> : tile<1xi32>
  // PTX-DAG: {{^}}.visible .global .align 16 .b8 k_param_0$global[4] = {8};
  global @k_param_0 <i32: 8> : tile<1xi32>

  // What the host may have written is loaded.
  // PTX-DAG: ld.global.b32 {{.*}}[counter]
  entry @k(%p: tile<ptr<i32>>) {
    %c = get_global @counter : tile<ptr<i32>>
    %x, %t0 = load_ptr_tko weak %c : tile<ptr<i32>> -> tile<i32>, token
    %s = get_global @scratch : tile<ptr<i32>>
    %old, %t1 = atomic_rmw_tko relaxed device %s, add, %x : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %table = constant <i32: [3, 1, 4, 1]> : tile<4xi32>
    %row = reshape %p : tile<ptr<i32>> -> tile<1xptr<i32>>
    %all = broadcast %row : tile<1xptr<i32>> -> tile<4xptr<i32>>
    %i = iota : tile<4xi32>
    %q = offset %all, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>
    %t3 = store_ptr_tko weak %q, %table : tile<4xptr<i32>>, tile<4xi32> -> token
    %depot = get_global @__local_depot0 : tile<ptr<i32>>
    %more, %t4 = atomic_rmw_tko relaxed device %depot, add, %x : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
    %t2 = store_ptr_tko weak %p, %old token=%t3 : tile<ptr<i32>>, tile<i32> -> token
    return
  }
}
