// RUN: tile-opt %s --convert-cudatile-to-tileaa=compute-capability=sm_100 | FileCheck --check-prefixes=CHECK,L23,L24,L35,L36,O9,O11 %s
// RUN: tile-opt %s --convert-cudatile-to-tileaa=compute-capability=sm_100 | tile-opt | FileCheck --check-prefix=O16 --implicit-check-not=cuda_tile %s

// L36: module attributes {nv_tileaa.compute_capability = 100 : i32}
// CHECK: gpu.module @kernels {
// O16: gpu.module @kernels {
cuda_tile.module @kernels {
  // L24: "nv_tileaa.global"() <{alignment = 16 : i64, sym_name = "table", value = dense<[1, 2]> : tensor<2xi32>}>
  global @table alignment = 16 <i32: [1, 2]> : tile<2xi32>

  // O11: "nv_tileaa.func"() <{function_type = (!nv_tileaa.ptr<f32, 1>, i32) -> (), sym_name = "kernel"}> ({
  // O11-NEXT: ^bb0(%[[P:.*]]: !nv_tileaa.ptr<f32, 1>, %[[N:.*]]: i32):
  entry @kernel(%p: tile<ptr<f32>>, %n: tile<i32>)
      optimization_hints=<sm_100 = {num_cta_in_cga = 2, occupancy = 3, num_worker_warps_per_cta = 8}> {
    // L23: "nv_tileaa.assume"(%[[P]]) <{predicates = [#nv_tileaa.div_by<divisor = 16>]}>
    %0 = assume div_by<16>, %p : tile<ptr<f32>>
    // L23: "nv_tileaa.assume"(%[[N]]) <{predicates = [#nv_tileaa.bounded<0, ?>]}>
    %1 = assume bounded<0, ?>, %n : tile<i32>
    // L23: %[[RANGE:.*]] = "nv_tileaa.make_range"
    %row = iota : tile<16xi32>
    // L23: "nv_tileaa.assume"(%[[RANGE]]) <{predicates = [#nv_tileaa.same_elements<[4]>]}>
    %2 = assume same_elements<[4]>, %row : tile<16xi32>
    // L23: "nv_tileaa.assume"(%[[RANGE]]) <{predicates = [#nv_tileaa.div_by<divisor = 4, every = 2, along = 0>]}>
    %3 = assume div_by<4, every 2 along 0>, %row : tile<16xi32>
    // O9: "nv_tileaa.get_program_id"() <{axis = 0 : i32}> : () -> i32
    // O9: "nv_tileaa.get_program_id"() <{axis = 2 : i32}> : () -> i32
    %x, %y, %z = get_tile_block_id : tile<i32>
    // O9: "nv_tileaa.get_num_programs"() <{axis = 1 : i32}> : () -> i32
    %gx, %gy, %gz = get_num_tile_blocks : tile<i32>
    // CHECK: "nv_tileaa.get_global"() <{name = @table}> : () -> !nv_tileaa.ptr<i32, 1>
    %g = get_global @table : tile<ptr<i32>>
    %c = cmpi less_than %x, %n, signed : tile<i32> -> tile<i1>
    // O11: "nv_tileaa.assert"(%{{.*}}) <{message = "in range"}> : (i1) -> ()
    assert %c, "in range" : tile<i1>
    // O11: "nv_tileaa.print"(%{{.*}}, %{{.*}}) <{format = "x = %d\0A", operandSegmentSizes = array<i32: 1, 1>}>
    %t = print_tko "x = %d\n", %x : tile<i32> -> token
    // O11: "nv_tileaa.alloca"() <{alignment = 4 : i64, num_elem = 8 : i64}> : () -> !nv_tileaa.ptr<f32, 1>
    %q = alloca num_elem = 8, alignment = 4 : tile<ptr<f32>>
    // O11: "nv_tileaa.return"
    return
  }
  // O16: "nv_tileaa.return"
  // L35: nv_tileaa.kernel_spec = #nv_tileaa.kernel_spec<numWarps = 8, numCTAs = 2, {{.*}}occupancy = 3>
}
