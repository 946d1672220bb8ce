//===- NVGPUExtOps.td - device operations that nvgpu lacks ------------------------------------===//
//
// The lowering documents name operations of `nvgpu` that MLIR 22 does not have, or has with fewer
// operands: a non-blocking wait with a result, tensor copies with a cache hint, tensor maps that are
// made or changed on the device, packed f32x2 arithmetic and packed conversions. They are a dialect
// of their own because operations cannot be added to somebody else's dialect, and because llvm and
// nvvm operations are too low: they would fix rounding, lane order and field order in every producer
// instead of in one lowering (compiler/conversion/GPUToNVVM/DeviceExt.cpp).
//
//===-------------------------------------------------------------------------------------------===//
#ifndef NVGPU_EXT_OPS
#define NVGPU_EXT_OPS

include "compiler/dialect/NVGPUExt/IR/NVGPUExtDialect.td"
include "mlir/Dialect/LLVMIR/LLVMTypes.td"
include "mlir/Dialect/NVGPU/IR/NVGPUTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class NVGPUExt_Op<string mnemonic, list<Trait> traits = []> : Op<NVGPUExt_Dialect, mnemonic, traits>;

//===- Barriers -------------------------------------------------------------------------------===//
def NVGPUExt_MBarrierTryWaitParityOp : NVGPUExt_Op<"mbarrier.try_wait.parity"> {
  let summary = "waits for a bounded time for the phase of a parity to complete, and says whether it did";
  let description = [{
    Unlike `nvgpu.mbarrier.try_wait.parity` it does not loop: the caller does, and may do something else meanwhile.
    `ticks` bounds the wait in nanoseconds; without it the hardware chooses.
  }];
  let arguments = (ins NVGPU_MBarrierGroup:$barriers, Index:$mbarId, I1:$phase, Optional<I32>:$ticks);
  let results = (outs I1:$complete);
  let assemblyFormat = "$barriers `[` $mbarId `]` `,` $phase (`,` $ticks^)? attr-dict `:` type($barriers)";
}

//===- Tensor copies --------------------------------------------------------------------------===//
def NVGPUExt_TmaAsyncLoadOp : NVGPUExt_Op<"tma.async.load", [AttrSizedOperandSegments]> {
  let summary = "nvgpu.tma.async.load with a cache hint";
  let arguments = (ins Arg<AnyMemRef, "", [MemWrite]>:$dst, NVGPU_MBarrierGroup:$barriers,
                       NVGPU_TensorMapDescriptor:$descriptor, Variadic<Index>:$coordinates, Index:$mbarId,
                       Optional<I16>:$multicastMask, Optional<I64>:$l2CacheHint, Optional<I1>:$predicate);
  let assemblyFormat = [{
    $descriptor `[` $coordinates `]` `,` $barriers `[` $mbarId `]` `to` $dst
    (`multicast_mask` `=` $multicastMask^)? (`l2_cache_hint` `=` $l2CacheHint^)? (`,` `predicate` `=` $predicate^)?
    attr-dict `:` type($descriptor) `,` type($barriers) `->` type($dst)
  }];
  let hasVerifier = 1;
}

def NVGPUExt_TmaAsyncStoreOp : NVGPUExt_Op<"tma.async.store", [AttrSizedOperandSegments]> {
  let summary = "nvgpu.tma.async.store with a cache hint";
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$src,
                       Arg<NVGPU_TensorMapDescriptor, "", [MemWrite]>:$descriptor, Variadic<Index>:$coordinates,
                       Optional<I64>:$l2CacheHint, Optional<I1>:$predicate);
  let assemblyFormat = [{
    $src `to` $descriptor `[` $coordinates `]` (`l2_cache_hint` `=` $l2CacheHint^)? (`,` `predicate` `=` $predicate^)?
    attr-dict `:` type($src) `->` type($descriptor)
  }];
  let hasVerifier = 1;
}

//===- Tensor maps made on the device ---------------------------------------------------------===//
def NVGPUExt_TensorMapCreateOp : NVGPUExt_Op<"tensormap.create", [AttrSizedOperandSegments]> {
  let summary = "writes a tensor map into 128 bytes of global memory";
  let description = [{
    The box, element type, swizzle, interleave and fill are those of the result type; `extents` (elements, innermost
    first) and `strides` (bytes, without the innermost) describe the tensor behind `address`. Elements of tf32 are f32 in
    memory, which copies to shared memory round. A swizzle of 128 bytes keeps `grain` bytes together: 16, or 32 on sm_100
    and its relatives. `storage` is aligned to
    128 bytes and belongs to the caller: a tensor map is read from global, constant or parameter memory only, so it
    cannot stand on a function's stack. Executed by each thread that reaches it: one thread should.

    With `storage` in shared memory, where the fields are cheap to write, the map is a draft: no copy can read it before
    `tensormap.publish` has moved it to global memory.
  }];
  let arguments = (ins Arg<LLVM_AnyPointer, "", [MemWrite]>:$storage, LLVM_AnyPointer:$address,
                       Variadic<I32>:$extents, Variadic<I64>:$strides,
                       DefaultValuedAttr<NVGPUExt_ScopeAttr, "Scope::gpu">:$scope,
                       DefaultValuedAttr<I64Attr, "16">:$grain);
  let results = (outs NVGPU_TensorMapDescriptor:$descriptor);
  let assemblyFormat = [{
    $storage `,` $address `extents` `[` $extents `]` `strides` `[` $strides `]` attr-dict
    `:` type($storage) `,` type($address) `->` type($descriptor)
  }];
  let hasVerifier = 1;
}

def NVGPUExt_TensorMapPublishOp : NVGPUExt_Op<"tensormap.publish"> {
  let summary = "moves a tensor map from shared to global memory and makes it visible to tensor copies";
  let description = [{
    All threads of a warp execute it together. Afterwards each of them may issue copies through the map; other threads
    need a fence of their own. Both places are aligned to 128 bytes.
  }];
  let arguments = (ins Arg<LLVM_AnyPointer, "", [MemRead]>:$draft, Arg<LLVM_AnyPointer, "", [MemWrite]>:$storage,
                       DefaultValuedAttr<NVGPUExt_ScopeAttr, "Scope::gpu">:$scope);
  let assemblyFormat = "$draft `to` $storage attr-dict `:` type($draft) `,` type($storage)";
  let hasVerifier = 1;
}

def NVGPUExt_TensorMapReplaceOp : NVGPUExt_Op<"tensormap.replace", [AttrSizedOperandSegments]> {
  let summary = "rebinds a tensor map in global memory to another tensor of the same rank and type";
  let arguments = (ins Arg<LLVM_AnyPointer, "", [MemRead, MemWrite]>:$storage, LLVM_AnyPointer:$address,
                       Variadic<I32>:$extents, Variadic<I64>:$strides,
                       DefaultValuedAttr<NVGPUExt_ScopeAttr, "Scope::gpu">:$scope);
  let assemblyFormat = [{
    $storage `,` $address `extents` `[` $extents `]` `strides` `[` $strides `]` attr-dict
    `:` type($storage) `,` type($address)
  }];
  let hasVerifier = 1;
}

//===- Warpgroup products ---------------------------------------------------------------------===//
def NVGPUExt_WarpgroupDescriptorOp : NVGPUExt_Op<"warpgroup.descriptor", [Pure]> {
  let summary = "descriptor of a matrix in shared memory for nvvm.wgmma.mma_async, under any swizzle";
  let description = [{
    `nvgpu.warpgroup.generate.descriptor` takes swizzles of 128 bytes only. `swizzle` is 0 (none), 32, 64 or 128 bytes;
    `leading` and `stride` are the byte offsets of the instruction, multiples of 16.
  }];
  let arguments = (ins AnyMemRef:$matrix, I64Attr:$swizzle, I64Attr:$leading, I64Attr:$stride);
  let results = (outs I64:$descriptor);
  let assemblyFormat = [{
    $matrix `swizzle` `=` $swizzle `leading` `=` $leading `stride` `=` $stride attr-dict `:` type($matrix)
  }];
  let hasVerifier = 1;
}

def NVGPUExt_WarpgroupMmaAsyncOp : NVGPUExt_Op<"warpgroup.mma_async", [AllTypesMatch<["sum", "result"]>]> {
  let summary = "adds the product of 64 rows and n columns over a depth of k to sums in flight";
  let description = [{
    `nvgpu.warpgroup.mma` waits for what it multiplies; here fence, commit and wait are operations of their own, so that
    products of several stages are under way. The left operand is a descriptor, or four words of fragments of each
    thread. Types are those of the instruction: f16, bf16, tf32, e4m3, e5m2, s8, u8 and f32, f16, s32. Operands are
    contiguous along k but where they are transposed, which matrices of 16 bits alone can be. With `overwrites` the
    sums are those of this product alone.
  }];
  let arguments = (ins LLVM_AnyStruct:$sum, Variadic<AnyTypeOf<[I32, I64]>>:$lhs, I64:$rhs, I64Attr:$n, I64Attr:$k,
                       StrAttr:$lhsType, StrAttr:$rhsType, StrAttr:$sumType, UnitAttr:$lhsTransposed,
                       UnitAttr:$rhsTransposed, UnitAttr:$overwrites);
  let results = (outs LLVM_AnyStruct:$result);
  let assemblyFormat = "$lhs `*` $rhs `+` $sum attr-dict `:` type($lhs) `->` type($sum)";
  let hasVerifier = 1;
}

//===- Packed floats --------------------------------------------------------------------------===//
def NVGPUExt_F32x2 : VectorOfLengthAndType<[2], [F32]>;

class NVGPUExt_PackedOp<string mnemonic, dag values> : NVGPUExt_Op<mnemonic, [Pure, SameOperandsAndResultType]> {
  let arguments = !con(values, (ins DefaultValuedAttr<NVGPUExt_RoundingAttr, "Rounding::rn">:$rounding, UnitAttr:$ftz));
  let results = (outs NVGPUExt_F32x2:$result);
  let assemblyFormat = "operands attr-dict `:` type($result)";
}
def NVGPUExt_AddPackedOp : NVGPUExt_PackedOp<"add.packed.f32x2", (ins NVGPUExt_F32x2:$lhs, NVGPUExt_F32x2:$rhs)> {
  let summary = "two f32 sums";
}
def NVGPUExt_MulPackedOp : NVGPUExt_PackedOp<"mul.packed.f32x2", (ins NVGPUExt_F32x2:$lhs, NVGPUExt_F32x2:$rhs)> {
  let summary = "two f32 products";
}
def NVGPUExt_FmaPackedOp
    : NVGPUExt_PackedOp<"fma.packed.f32x2", (ins NVGPUExt_F32x2:$a, NVGPUExt_F32x2:$b, NVGPUExt_F32x2:$c)> {
  let summary = "two fused f32 products and sums";
}

def NVGPUExt_CvtFPTruncOp : NVGPUExt_Op<"cvt_fptrunc", [Pure]> {
  let summary = "f32 vectors of even length to a narrower float, two lanes per instruction";
  let description = [{
    8-, 6- and 4-bit results saturate to the largest finite value, as the instructions do. `relu` makes negative
    results zero. Lane 0 is the low half.
  }];
  let arguments = (ins VectorOfRankAndType<[1], [F32]>:$source,
                       DefaultValuedAttr<NVGPUExt_RoundingAttr, "Rounding::rn">:$rounding, UnitAttr:$relu);
  let results = (outs VectorOfRankAndType<[1], [AnyFloat]>:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
}
def NVGPUExt_CvtFPExtOp : NVGPUExt_Op<"cvt_fpext", [Pure]> {
  let summary = "vectors of even length of a narrow float to f32, exactly";
  let arguments = (ins VectorOfRankAndType<[1], [AnyFloat]>:$source);
  let results = (outs VectorOfRankAndType<[1], [F32]>:$result);
  let assemblyFormat = "$source attr-dict `:` type($source) `to` type($result)";
  let hasVerifier = 1;
}

#endif // NVGPU_EXT_OPS
