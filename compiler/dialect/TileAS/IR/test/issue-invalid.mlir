// RUN: tile-opt %s --split-input-file --verify-diagnostics
// Products are given to an agent that has nothing else to do.
func.func @no_agents(%turn: i32) {
  // expected-error @+1 {{expected an agent whose region is empty, got 1}}
  "nv_tileas.tensor_memory.issue"(%turn) <{agent = 1 : i32}> ({
    nv_tileas.async.pipeline.yield
  }) : (i32) -> ()
  return
}
// -----
func.func @to_itself(%turn: i32) {
  "nv_tileas.async.pipeline.agent_switch"() <{num_warps = array<i32: 4, 4>, max_regs = array<i32: 0, 0>}> ({
    // expected-error @+1 {{expected an agent whose region is empty, got 0}}
    "nv_tileas.tensor_memory.issue"(%turn) <{agent = 0 : i32}> ({
      nv_tileas.async.pipeline.yield
    }) : (i32) -> ()
    nv_tileas.async.pipeline.yield
  }, {
    nv_tileas.async.pipeline.yield
  }) : () -> ()
  return
}
// -----
// Only sums that are apart are announced by blocks of 128 rows; of others there is one.
func.func @announced_together(%turn: i32, %init: tensor<256x16xf32, #nv_tileas.layout<shape = [256, 16], register = [1, 2, 4, 8], lane = [16, 32, 64, 128, 256], warp = [512, 1024, 2048]>>) {
  %acc = nv_tileas.tensor_memory.store %init {column = 0 : i32, tracked} : tensor<256x16xf32, #nv_tileas.layout<shape = [256, 16], register = [1, 2, 4, 8], lane = [16, 32, 64, 128, 256], warp = [512, 1024, 2048]>>
  "nv_tileas.tensor_memory.issue"(%turn) ({
    // expected-error @+1 {{expected a block of 128 rows, got 1}}
    nv_tileas.tensor_memory.announce %acc {row_block = 1 : i32}
    nv_tileas.async.pipeline.yield
  }) : (i32) -> ()
  return
}
// -----
func.func @announced_beyond(%turn: i32, %init: tensor<256x16xf32, #nv_tileas.layout<shape = [256, 16], register = [1, 2, 4, 8], lane = [16, 32, 64, 128, 256], warp = [512, 1024, 2048]>>) {
  %acc = nv_tileas.tensor_memory.store %init {apart, column = 0 : i32, tracked} : tensor<256x16xf32, #nv_tileas.layout<shape = [256, 16], register = [1, 2, 4, 8], lane = [16, 32, 64, 128, 256], warp = [512, 1024, 2048]>>
  "nv_tileas.tensor_memory.issue"(%turn) ({
    // expected-error @+1 {{expected a block of 128 rows, got 2}}
    nv_tileas.tensor_memory.announce %acc {row_block = 2 : i32}
    nv_tileas.async.pipeline.yield
  }) : (i32) -> ()
  return
}
// -----
func.func @arrived_elsewhere() {
  // expected-error @+1 {{expects parent op 'nv_tileas.tensor_memory.issue'}}
  nv_tileas.tensor_memory.arrived {row_block = 0 : i32}
  return
}
// -----
func.func @rows_of_sums_together(%lhs: tensor<256x16xf16, #nv_tileas.shared<shape = [256, 16], offset = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048]>>, %rhs: tensor<16x16xf16, #nv_tileas.shared<shape = [16, 16], offset = [1, 2, 4, 8, 16, 32, 64, 128]>>, %init: tensor<256x16xf32, #nv_tileas.layout<shape = [256, 16], register = [1, 2, 4, 8], lane = [16, 32, 64, 128, 256], warp = [512, 1024, 2048]>>) {
  %acc = nv_tileas.tensor_memory.store %init {column = 0 : i32, tracked} : tensor<256x16xf32, #nv_tileas.layout<shape = [256, 16], register = [1, 2, 4, 8], lane = [16, 32, 64, 128, 256], warp = [512, 1024, 2048]>>
  // expected-error @+1 {{expected a block of rows of sums that are apart, got 0}}
  "nv_tileas.tensor_memory.dot"(%lhs, %rhs, %acc) <{atom = "tcgen05.f16", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, row_block = 0 : i32, scale_column = 0 : i32, signed_lhs = true, signed_rhs = true}> : (tensor<256x16xf16, #nv_tileas.shared<shape = [256, 16], offset = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048]>>, tensor<16x16xf16, #nv_tileas.shared<shape = [16, 16], offset = [1, 2, 4, 8, 16, 32, 64, 128]>>, !nv_tileas.accumulator) -> ()
  return
}
// -----
func.func @announced_elsewhere(%init: tensor<256x16xf32, #nv_tileas.layout<shape = [256, 16], register = [1, 2, 4, 8], lane = [16, 32, 64, 128, 256], warp = [512, 1024, 2048]>>) {
  %acc = nv_tileas.tensor_memory.store %init {apart, column = 0 : i32, tracked} : tensor<256x16xf32, #nv_tileas.layout<shape = [256, 16], register = [1, 2, 4, 8], lane = [16, 32, 64, 128, 256], warp = [512, 1024, 2048]>>
  // expected-error @+1 {{expected to stand in 'nv_tileas.tensor_memory.issue'}}
  nv_tileas.tensor_memory.announce %acc {row_block = 0 : i32}
  return
}
// -----
// Columns of sums are loaded from where there are some.
func.func @columns_beyond(%init: tensor<128x32xf32, #nv_tileas.layout<shape = [128, 32], register = [1, 2, 4, 8, 16], lane = [32, 64, 128, 256, 512], warp = [1024, 2048]>>) {
  %acc = nv_tileas.tensor_memory.store %init {column = 0 : i32} : tensor<128x32xf32, #nv_tileas.layout<shape = [128, 32], register = [1, 2, 4, 8, 16], lane = [32, 64, 128, 256, 512], warp = [1024, 2048]>>
  // expected-error @+1 {{or columns of it, got 'tensor<128x16xf32}}
  %some = nv_tileas.tensor_memory.load %acc {first = 24 : i32} : tensor<128x16xf32, #nv_tileas.layout<shape = [128, 16], register = [1, 2, 4, 8], lane = [16, 32, 64, 128, 256], warp = [512, 1024]>>
  return
}
// -----
// A factor of each row is where its row is.
func.func @factors_elsewhere(%init: tensor<128x32xf32, #nv_tileas.layout<shape = [128, 32], register = [1, 2, 4, 8, 16], lane = [32, 64, 128, 256, 512], warp = [1024, 2048]>>, %factors: tensor<128x1xf32, #nv_tileas.layout<shape = [128, 1], register = [], lane = [1, 2, 4, 8, 16], warp = [64, 32]>>) {
  %acc = nv_tileas.tensor_memory.store %init {column = 0 : i32} : tensor<128x32xf32, #nv_tileas.layout<shape = [128, 32], register = [1, 2, 4, 8, 16], lane = [32, 64, 128, 256, 512], warp = [1024, 2048]>>
  // expected-error @+1 {{expected factors of rows in #nv_tileas.layout<shape = [128, 1], register = [], lane = [1, 2, 4, 8, 16], warp = [32, 64]>}}
  nv_tileas.tensor_memory.scale %acc by %factors : tensor<128x1xf32, #nv_tileas.layout<shape = [128, 1], register = [], lane = [1, 2, 4, 8, 16], warp = [64, 32]>>
  return
}
// -----
// Only columns that alternate are released by threads, and waited for by who issues.
func.func @released_once(%turn: i32, %init: tensor<256x16xf32, #nv_tileas.layout<shape = [256, 16], register = [1, 2, 4, 8], lane = [16, 32, 64, 128, 256], warp = [512, 1024, 2048]>>) {
  %acc = nv_tileas.tensor_memory.store %init {column = 0 : i32, tracked} : tensor<256x16xf32, #nv_tileas.layout<shape = [256, 16], register = [1, 2, 4, 8], lane = [16, 32, 64, 128, 256], warp = [512, 1024, 2048]>>
  // expected-error @+1 {{expected tracked sums with second columns}}
  nv_tileas.tensor_memory.release %acc turn %turn
  return
}
// -----
func.func @acquired_untracked(%turn: i32, %init: tensor<256x16xf32, #nv_tileas.layout<shape = [256, 16], register = [1, 2, 4, 8], lane = [16, 32, 64, 128, 256], warp = [512, 1024, 2048]>>) {
  %acc = nv_tileas.tensor_memory.store %init {column = 0 : i32, second = 32 : i32} : tensor<256x16xf32, #nv_tileas.layout<shape = [256, 16], register = [1, 2, 4, 8], lane = [16, 32, 64, 128, 256], warp = [512, 1024, 2048]>>
  "nv_tileas.tensor_memory.issue"(%turn) ({
    // expected-error @+1 {{expected tracked sums with second columns}}
    nv_tileas.tensor_memory.acquire %acc
    nv_tileas.async.pipeline.yield
  }) : (i32) -> ()
  return
}
// -----
// What a value says is not said twice.
func.func @overwrites_and_accumulates(%some: i1, %lhs: tensor<256x16xf16, #nv_tileas.shared<shape = [256, 16], offset = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048]>>, %rhs: tensor<16x16xf16, #nv_tileas.shared<shape = [16, 16], offset = [1, 2, 4, 8, 16, 32, 64, 128]>>, %init: tensor<256x16xf32, #nv_tileas.layout<shape = [256, 16], register = [1, 2, 4, 8], lane = [16, 32, 64, 128, 256], warp = [512, 1024, 2048]>>) {
  %acc = nv_tileas.tensor_memory.store %init {column = 0 : i32, tracked} : tensor<256x16xf32, #nv_tileas.layout<shape = [256, 16], register = [1, 2, 4, 8], lane = [16, 32, 64, 128, 256], warp = [512, 1024, 2048]>>
  // expected-error @+1 {{expected a product of all rows that does not always overwrite}}
  "nv_tileas.tensor_memory.dot"(%lhs, %rhs, %acc, %some) <{atom = "tcgen05.f16", operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>, overwrites, scale_column = 0 : i32, signed_lhs = true, signed_rhs = true}> : (tensor<256x16xf16, #nv_tileas.shared<shape = [256, 16], offset = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048]>>, tensor<16x16xf16, #nv_tileas.shared<shape = [16, 16], offset = [1, 2, 4, 8, 16, 32, 64, 128]>>, !nv_tileas.accumulator, i1) -> ()
  return
}
