// RUN: tile-opt --split-input-file --verify-diagnostics %s

!map = !nvgpu.tensormap.descriptor<tensor = memref<8x16xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
!bar = !nvgpu.mbarrier.group<memorySpace = 3 : i64>

func.func @coordinates(%d: !map, %b: !bar, %s: memref<8x16xf32, 3>, %c: index) {
  // expected-error @below {{expected 2 coordinates, got 1}}
  nvgpu_ext.tma.async.load %d[%c], %b[%c] to %s : !map, !bar -> memref<8x16xf32, 3>
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<f32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
func.func @rank(%d: !map, %s: memref<8xf32, 3>) {
  // expected-error @below {{expected a descriptor of rank 1 to 5, got 0}}
  nvgpu_ext.tma.async.store %s to %d[] : memref<8xf32, 3> -> !map
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
func.func @element(%d: !map, %s: memref<8xf16, 3>, %c: index) {
  // expected-error @below {{expected elements of 'f32' in shared memory, got 'f16'}}
  nvgpu_ext.tma.async.store %s to %d[%c] : memref<8xf16, 3> -> !map
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
func.func @space(%d: !map, %s: memref<8xf32, 1>, %c: index) {
  // expected-error @below {{expected a memref in shared memory, got 'memref<8xf32, 1>'}}
  nvgpu_ext.tma.async.store %s to %d[%c] : memref<8xf32, 1> -> !map
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
func.func @storage(%w: !llvm.ptr<5>, %e: i32) {
  // expected-error @below {{expected storage in global memory, got '!llvm.ptr<5>'}}
  %d = nvgpu_ext.tensormap.create %w, %w extents [%e] strides [] : !llvm.ptr<5>, !llvm.ptr<5> -> !map
  return
}

// -----

func.func @extents(%w: !llvm.ptr<1>) {
  // expected-error @below {{expected 1 to 5 extents, got 0}}
  nvgpu_ext.tensormap.replace %w, %w extents [] strides [] : !llvm.ptr<1>, !llvm.ptr<1>
  return
}

// -----

func.func @strides(%w: !llvm.ptr<1>, %e: i32, %s: i64) {
  // expected-error @below {{expected 0 strides, got 1}}
  nvgpu_ext.tensormap.replace %w, %w extents [%e] strides [%s] : !llvm.ptr<1>, !llvm.ptr<1>
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<8xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
func.func @box_rank(%w: !llvm.ptr<1>, %e: i32, %s: i64) {
  // expected-error @below {{expected a box of rank 2, got 1}}
  %d = nvgpu_ext.tensormap.create %w, %w extents [%e, %e] strides [%s] : !llvm.ptr<1>, !llvm.ptr<1> -> !map
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<257xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
func.func @box_extent(%w: !llvm.ptr<1>, %e: i32) {
  // expected-error @below {{expected box extents from 1 to 256, got 257}}
  %d = nvgpu_ext.tensormap.create %w, %w extents [%e] strides [] : !llvm.ptr<1>, !llvm.ptr<1> -> !map
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<8xi4, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
func.func @box_element(%w: !llvm.ptr<1>, %e: i32) {
  // expected-error @below {{expected an element type of tensor maps, got 'i4'}}
  %d = nvgpu_ext.tensormap.create %w, %w extents [%e] strides [] : !llvm.ptr<1>, !llvm.ptr<1> -> !map
  return
}

// -----

!map = !nvgpu.tensormap.descriptor<tensor = memref<8xf32, 3>, swizzle = none, l2promo = l2promo_64b, oob = zero, interleave = none>
func.func @promotion(%w: !llvm.ptr<1>, %e: i32) {
  // expected-error @below {{expected l2promo = none: tensormap.replace has no field for it}}
  %d = nvgpu_ext.tensormap.create %w, %w extents [%e] strides [] : !llvm.ptr<1>, !llvm.ptr<1> -> !map
  return
}

// -----

func.func @odd(%v: vector<3xf32>) {
  // expected-error @below {{expected vectors of one even length, got 'vector<3xf32>' and 'vector<3xf16>'}}
  %a = nvgpu_ext.cvt_fptrunc %v : vector<3xf32> to vector<3xf16>
  return
}

// -----

func.func @format(%v: vector<2xf32>) {
  // expected-error @below {{expected f16, bf16, f8E4M3FN, f8E5M2, f8E8M0FNU, f6E2M3FN, f6E3M2FN or f4E2M1FN, got 'f8E4M3'}}
  %a = nvgpu_ext.cvt_fptrunc %v : vector<2xf32> to vector<2xf8E4M3>
  return
}

// -----

func.func @rounding(%v: vector<2xf32>) {
  // expected-error @below {{expected rounding rn for 'f8E4M3FN', got rz}}
  %a = nvgpu_ext.cvt_fptrunc %v {rounding = #nvgpu_ext<rounding rz>} : vector<2xf32> to vector<2xf8E4M3FN>
  return
}

// -----

func.func @scale(%v: vector<2xf32>) {
  // expected-error @below {{expected rounding rz or rp for 'f8E8M0FNU', got rn}}
  %a = nvgpu_ext.cvt_fptrunc %v : vector<2xf32> to vector<2xf8E8M0FNU>
  return
}

// -----

func.func @relu(%v: vector<2xf32>) {
  // expected-error @below {{expected no relu for 'f8E8M0FNU'}}
  %a = nvgpu_ext.cvt_fptrunc %v {rounding = #nvgpu_ext<rounding rz>, relu} : vector<2xf32> to vector<2xf8E8M0FNU>
  return
}

// -----

func.func @descriptor_space(%m: memref<64x32xf16, 1>) {
  // expected-error @below {{expected a matrix in shared memory, got 'memref<64x32xf16, 1>'}}
  %a = nvgpu_ext.warpgroup.descriptor %m swizzle = 64 leading = 16 stride = 512 : memref<64x32xf16, 1>
  return
}

// -----

func.func @descriptor_swizzle(%m: memref<64x32xf16, 3>) {
  // expected-error @below {{expected a swizzle of 0, 32, 64 or 128 bytes, got 16}}
  %a = nvgpu_ext.warpgroup.descriptor %m swizzle = 16 leading = 16 stride = 512 : memref<64x32xf16, 3>
  return
}

// -----

func.func @descriptor_stride(%m: memref<64x32xf16, 3>) {
  // expected-error @below {{expected offsets that are multiples of 16 below 262144, got 520}}
  %a = nvgpu_ext.warpgroup.descriptor %m swizzle = 64 leading = 16 stride = 520 : memref<64x32xf16, 3>
  return
}

// -----

func.func @draft(%d: !llvm.ptr<1>, %w: !llvm.ptr<1>) {
  // expected-error @below {{expected a draft in shared memory, got '!llvm.ptr<1>'}}
  nvgpu_ext.tensormap.publish %d to %w : !llvm.ptr<1>, !llvm.ptr<1>
  return
}

// -----

func.func @published(%d: !llvm.ptr<3>, %w: !llvm.ptr<3>) {
  // expected-error @below {{expected storage in global memory, got '!llvm.ptr<3>'}}
  nvgpu_ext.tensormap.publish %d to %w : !llvm.ptr<3>, !llvm.ptr<3>
  return
}

// -----

func.func @rebind_a_draft(%w: !llvm.ptr<3>, %a: !llvm.ptr, %e: i32) {
  // expected-error @below {{expected storage in global memory, got '!llvm.ptr<3>'}}
  nvgpu_ext.tensormap.replace %w, %a extents [%e] strides [] : !llvm.ptr<3>, !llvm.ptr
  return
}

// -----

!s = !llvm.struct<(f32, f32, f32, f32)>
func.func @product_types(%s: !s, %a: i64) {
  // expected-error @below {{expected operands of f16, bf16, tf32, e4m3, e5m2, s8 or u8, got f32}}
  %0 = nvgpu_ext.warpgroup.mma_async %a * %a + %s {n = 8, k = 16, lhsType = "f32", rhsType = "f16", sumType = "f32"} : i64 -> !s
  return
}

// -----

!s = !llvm.struct<(f32, f32, f32, f32)>
func.func @product_sums(%s: !s, %a: i64) {
  // expected-error @below {{expected sums of f16, f32 or s32, got f64}}
  %0 = nvgpu_ext.warpgroup.mma_async %a * %a + %s {n = 8, k = 16, lhsType = "f16", rhsType = "f16", sumType = "f64"} : i64 -> !s
  return
}

// -----

!s = !llvm.struct<(f32, f32, f32, f32)>
func.func @product_columns(%s: !s, %a: i64) {
  // expected-error @below {{expected a multiple of 8 from 8 to 256 for n, got 12}}
  %0 = nvgpu_ext.warpgroup.mma_async %a * %a + %s {n = 12, k = 16, lhsType = "f16", rhsType = "f16", sumType = "f32"} : i64 -> !s
  return
}

// -----

!s = !llvm.struct<(f32, f32, f32, f32)>
func.func @product_operand(%s: !s, %a: i64, %w: i32) {
  // expected-error @below {{expected a descriptor of 64 bits or four words as left operand}}
  %0 = nvgpu_ext.warpgroup.mma_async %w, %w * %a + %s {n = 8, k = 16, lhsType = "f16", rhsType = "f16", sumType = "f32"} : i32, i32 -> !s
  return
}

// -----

!s = !llvm.struct<(i32, i32, i32, i32)>
func.func @product_transposed(%s: !s, %a: i64) {
  // expected-error @below {{expected transposed operands of 16 bits only, got s8}}
  %0 = nvgpu_ext.warpgroup.mma_async %a * %a + %s {n = 8, k = 32, lhsType = "s8", rhsType = "u8", sumType = "s32", rhsTransposed} : i64 -> !s
  return
}
