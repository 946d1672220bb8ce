// RUN: tile-opt %s --tileaa-infer-facts | FileCheck --check-prefixes=CHECK,T19 %s

!p = !nv_tileaa.ptr<f32, 1>

// The pointers of a block of 128 floats, 16-byte aligned base: whole rows are contiguous and 16-byte aligned.
// CHECK-LABEL: func.func @pointers
func.func @pointers(%base: !p) {
  // T19: "nv_tileaa.assume"{{.*}}nv_tileaa.facts = [{divisor = 16 : i64}]
  %b = "nv_tileaa.assume"(%base) <{predicates = [#nv_tileaa.div_by<divisor = 16>]}> : (!p) -> !p
  %c0 = arith.constant 0 : i32
  // T19: arith.constant {nv_tileaa.facts = [{divisor = 128 : i64, lower = 128 : i64, upper = 128 : i64}]} 128 : i32
  %c128 = arith.constant 128 : i32
  // T19: "nv_tileaa.get_program_id"{{.*}}{nv_tileaa.facts = [{lower = 0 : i64, upper = 16777214 : i64}]}
  %pid = "nv_tileaa.get_program_id"() <{axis = 0 : i32}> : () -> i32
  // T19: arith.muli {{.*}}{nv_tileaa.facts = [{divisor = 128 : i64, lower = 0 : i64, upper = 2147483392 : i64}]}
  %start = arith.muli %pid, %c128 : i32
  // T19: "nv_tileaa.make_range"{{.*}}contiguity = 128 : i64, divisor = 4611686018427387904 : i64, lower = 0 : i64, upper = 127 : i64
  %range = "nv_tileaa.make_range"(%c0, %c128) : (i32, i32) -> tensor<128xi32>
  // T19: "nv_tileaa.splat"{{.*}}constancy = 128 : i64, divisor = 128
  %s = "nv_tileaa.splat"(%start) : (i32) -> tensor<128xi32>
  // T19: arith.addi {{.*}}contiguity = 128 : i64, divisor = 128 : i64
  %off = arith.addi %s, %range : tensor<128xi32>
  %bs = "nv_tileaa.splat"(%b) : (!p) -> tensor<128x!p>
  // T19: "nv_tileaa.addptr"{{.*}}{nv_tileaa.facts = [{contiguity = 128 : i64, divisor = 16 : i64}]}
  %ptrs = "nv_tileaa.addptr"(%bs, %off) : (tensor<128x!p>, tensor<128xi32>) -> tensor<128x!p>
  return
}

// CHECK-LABEL: func.func @bounds
func.func @bounds(%n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  // T19: "nv_tileaa.assume"{{.*}}lower = 0 : i64, upper = 100 : i64
  %a = "nv_tileaa.assume"(%n) <{predicates = [#nv_tileaa.bounded<0, 100>]}> : (i32) -> i32
  scf.for %i = %c0 to %a step %c4 : i32 {
    // T19: arith.addi %{{.*}} {nv_tileaa.facts = [{divisor = 4 : i64, lower = 4 : i64, upper = 103 : i64}]}
    %x = arith.addi %i, %c4 : i32
  }
  // Unknown values have no facts; a sum that may wrap has no bounds.
  // T19: arith.addi %arg0, %arg1 : i32
  %y = arith.addi %n, %m : i32
  %max = arith.constant 2147483647 : i32
  // T19: arith.addi %{{.*}}, %{{.*}} : i32
  %z = arith.addi %a, %max : i32
  // A promise never overrides a known constant.
  // T19: "nv_tileaa.assume"(%{{.*}}) {{.*}} {nv_tileaa.facts = [{lower = 1 : i64, upper = 1 : i64}]}
  %one = arith.constant 1 : i32
  %w = "nv_tileaa.assume"(%one) <{predicates = [#nv_tileaa.div_by<divisor = 4>]}> : (i32) -> i32
  return
}

// Of two truth values there is no run, of bytes none across the change of sign.
// CHECK-LABEL: func.func @narrow
func.func @narrow() {
  %c0 = arith.constant 0 : i32
  %c256 = arith.constant 256 : i32
  %i = "nv_tileaa.make_range"(%c0, %c256) : (i32, i32) -> tensor<256xi32>
  // T19: arith.trunci %{{[0-9]+}} : tensor<256xi32> to tensor<256xi1>
  %t = arith.trunci %i : tensor<256xi32> to tensor<256xi1>
  // T19: arith.extui %{{[0-9]+}} : tensor<256xi1> to tensor<256xi32>
  %u = arith.extui %t : tensor<256xi1> to tensor<256xi32>
  // T19: "nv_tileaa.make_range"{{.*}}{nv_tileaa.facts = [{contiguity = 128 : i64, divisor = 128 : i64}]}
  %b = "nv_tileaa.make_range"(%c0, %c256) : (i32, i32) -> tensor<256xi8>
  return
}

// A run that begins at a multiple of 16 lies wholly below a multiple of 16, or wholly not; at most it, or equal to it, may be its first
// element alone, and an unknown bound divides it anywhere.
// CHECK-LABEL: func.func @masks
func.func @masks(%n: i32, %m: i32) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %i = "nv_tileaa.make_range"(%c0, %c64) : (i32, i32) -> tensor<64xi32>
  %a = "nv_tileaa.assume"(%n) <{predicates = [#nv_tileaa.div_by<divisor = 16>]}> : (i32) -> i32
  %b = "nv_tileaa.splat"(%a) : (i32) -> tensor<64xi32>
  %u = "nv_tileaa.splat"(%m) : (i32) -> tensor<64xi32>
  // T19: arith.cmpi slt, {{.*}} {nv_tileaa.facts = [{constancy = 16 : i64}]}
  %below = arith.cmpi slt, %i, %b : tensor<64xi32>
  // T19: arith.cmpi ule, {{.*}} {nv_tileaa.facts = [{constancy = 16 : i64}]}
  %mirrored = arith.cmpi ule, %b, %i : tensor<64xi32>
  // T19: arith.cmpi sle, %{{[^{]*}} : tensor<64xi32>
  %most = arith.cmpi sle, %i, %b : tensor<64xi32>
  // T19: arith.cmpi eq, %{{[^{]*}} : tensor<64xi32>
  %equal = arith.cmpi eq, %i, %b : tensor<64xi32>
  // T19: arith.cmpi slt, %{{[^{]*}} : tensor<64xi32>
  %anywhere = arith.cmpi slt, %i, %u : tensor<64xi32>
  // T19: arith.cmpi eq, {{.*}} {nv_tileaa.facts = [{constancy = 64 : i64}]}
  %same = arith.cmpi eq, %b, %u : tensor<64xi32>
  // T19: arith.andi {{.*}} {nv_tileaa.facts = [{constancy = 16 : i64}]}
  %both = arith.andi %below, %same : tensor<64xi1>
  // T19: arith.ori %{{[^{]*}} : tensor<64xi1>
  %either = arith.ori %below, %anywhere : tensor<64xi1>
  return
}

// A reshape keeps the order: groups stay up to the length of a line, and every shorter group begins at a multiple of itself.
// CHECK-LABEL: func.func @lines
func.func @lines() -> (tensor<16x4xi32>, tensor<64xi32>, tensor<64x1xi32>) {
  %c0 = arith.constant 0 : i32
  %c64 = arith.constant 64 : i32
  %i = "nv_tileaa.make_range"(%c0, %c64) : (i32, i32) -> tensor<64xi32>
  // T19: nv_tileaa.view"{{.*}}contiguity = 4 : i64, divisor = 4 : i64, lower = 0 : i64, upper = 63 : i64
  %lines = "nv_tileaa.view"(%i) : (tensor<64xi32>) -> tensor<16x4xi32>
  // T19: nv_tileaa.view"{{.*}}contiguity = 4 : i64, divisor = 4 : i64, lower = 0 : i64, upper = 63 : i64
  %back = "nv_tileaa.view"(%lines) : (tensor<16x4xi32>) -> tensor<64xi32>
  // T19: nv_tileaa.expand_dims{{.*}} {nv_tileaa.facts = [{lower = 0 : i64, upper = 63 : i64}]}
  %column = "nv_tileaa.expand_dims"(%i) <{axes = array<i32: 1>}> : (tensor<64xi32>) -> tensor<64x1xi32>
  return %lines, %back, %column : tensor<16x4xi32>, tensor<64xi32>, tensor<64x1xi32>
}

// A tile that is cut into rows of 16: the row is the same for 16 elements, the column rises.
// CHECK-LABEL: func.func @rows
func.func @rows() -> (tensor<64xi32>, tensor<64xi32>, tensor<64xi32>) {
  %c0 = arith.constant 0 : i32
  %c16 = arith.constant 16 : i32
  %c64 = arith.constant 64 : i32
  %c3 = arith.constant 3 : i32
  %i = "nv_tileaa.make_range"(%c0, %c64) : (i32, i32) -> tensor<64xi32>
  %w = "nv_tileaa.splat"(%c16) : (i32) -> tensor<64xi32>
  %s = "nv_tileaa.splat"(%c3) : (i32) -> tensor<64xi32>
  // T19: arith.divsi {{.*}}constancy = 16 : i64, lower = 0 : i64, upper = 3 : i64
  %row = arith.divsi %i, %w : tensor<64xi32>
  // T19: arith.remsi {{.*}}contiguity = 16 : i64, divisor = 16 : i64, lower = 0 : i64, upper = 15 : i64
  %column = arith.remsi %i, %w : tensor<64xi32>
  // T19: arith.shli {{.*}}constancy = 16 : i64, divisor = 8 : i64, lower = 0 : i64, upper = 24 : i64
  %shifted = arith.shli %row, %s : tensor<64xi32>
  return %row, %column, %shifted : tensor<64xi32>, tensor<64xi32>, tensor<64xi32>
}

// The sign of a type is a negative number; a product by one is what the other factor is.
// CHECK-LABEL: func.func @sign
func.func @sign() -> (tensor<8xi16>, tensor<8xi16>) {
  %one = arith.constant dense<1> : tensor<8xi16>
  %last = arith.constant dense<15> : tensor<8xi16>
  %before = arith.constant dense<14> : tensor<8xi16>
  // T19: arith.shli %{{.*}}, %{{.*}} {nv_tileaa.facts = [{constancy = 8 : i64, divisor = 32768 : i64}]}
  %sign = arith.shli %one, %last : tensor<8xi16>
  // T19: arith.shli {{.*}}divisor = 16384 : i64, lower = 16384 : i64, upper = 16384 : i64
  %half = arith.shli %one, %before : tensor<8xi16>
  return %sign, %half : tensor<8xi16>, tensor<8xi16>
}
