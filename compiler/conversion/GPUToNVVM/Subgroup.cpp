//===- Subgroup.cpp - warp-level gpu ops without an upstream lowering -------------------------===//
//
//  - subgroup_size -> the warpsize register; subgroup_id -> linear thread index / 32; num_subgroups
//    -> threads / 32, rounded up;
//  - subgroup_reduce -> a butterfly of nvvm.shfl.sync over the full warp (any arch, integers and
//    floats), so that every lane (of a cluster, where one is given) holds the same value computed
//    in the same order. Vectors, and data of more than 64 bits, are refused.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/conversion/GPUToNVVM/GPUToNVVM.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace tilesmith {
namespace {

constexpr unsigned kWarpSize = 32;

Value indexCast(OpBuilder &b, Location loc, Value i32, Type indexType) {
  return i32.getType() == indexType ? i32 : Value(LLVM::ZExtOp::create(b, loc, indexType, i32));
}

Value i32Constant(OpBuilder &b, Location loc, int32_t value) {
  return LLVM::ConstantOp::create(b, loc, b.getI32Type(), b.getI32IntegerAttr(value));
}

struct SubgroupSize : ConvertOpToLLVMPattern<gpu::SubgroupSizeOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(gpu::SubgroupSizeOp op, OpAdaptor,
                                ConversionPatternRewriter &b) const override {
    Value size = NVVM::WarpSizeOp::create(b, op.getLoc(), b.getI32Type());
    b.replaceOp(op, indexCast(b, op.getLoc(), size, getTypeConverter()->getIndexType()));
    return success();
  }
};

/// Threads of the block as an i32.
Value blockThreads(OpBuilder &b, Location loc) {
  Type i32 = b.getI32Type();
  Value n = NVVM::BlockDimXOp::create(b, loc, i32);
  n = LLVM::MulOp::create(b, loc, n, NVVM::BlockDimYOp::create(b, loc, i32));
  return LLVM::MulOp::create(b, loc, n, NVVM::BlockDimZOp::create(b, loc, i32));
}

struct SubgroupId : ConvertOpToLLVMPattern<gpu::SubgroupIdOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(gpu::SubgroupIdOp op, OpAdaptor,
                                ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    Type i32 = b.getI32Type();
    // tid.x + ntid.x * (tid.y + ntid.y * tid.z)
    Value linear = LLVM::MulOp::create(b, loc, NVVM::BlockDimYOp::create(b, loc, i32),
                                       NVVM::ThreadIdZOp::create(b, loc, i32));
    linear = LLVM::AddOp::create(b, loc, linear, NVVM::ThreadIdYOp::create(b, loc, i32));
    linear = LLVM::MulOp::create(b, loc, linear, NVVM::BlockDimXOp::create(b, loc, i32));
    linear = LLVM::AddOp::create(b, loc, linear, NVVM::ThreadIdXOp::create(b, loc, i32));
    Value id = LLVM::UDivOp::create(b, loc, linear, i32Constant(b, loc, kWarpSize));
    b.replaceOp(op, indexCast(b, loc, id, getTypeConverter()->getIndexType()));
    return success();
  }
};

struct NumSubgroups : ConvertOpToLLVMPattern<gpu::NumSubgroupsOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(gpu::NumSubgroupsOp op, OpAdaptor,
                                ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    Value n = LLVM::AddOp::create(b, loc, blockThreads(b, loc), i32Constant(b, loc, kWarpSize - 1));
    n = LLVM::UDivOp::create(b, loc, n, i32Constant(b, loc, kWarpSize));
    b.replaceOp(op, indexCast(b, loc, n, getTypeConverter()->getIndexType()));
    return success();
  }
};

/// The combining function of gpu reductions as arith ops, which the same conversion then lowers.
vector::CombiningKind combiningKind(gpu::AllReduceOperation operation) {
  switch (operation) {
#define CASE(GPU, VECTOR)                                                                          \
  case gpu::AllReduceOperation::GPU:                                                               \
    return vector::CombiningKind::VECTOR;
    CASE(ADD, ADD)
    CASE(MUL, MUL)
    CASE(MINUI, MINUI)
    CASE(MINSI, MINSI)
    CASE(MINNUMF, MINNUMF)
    CASE(MAXUI, MAXUI)
    CASE(MAXSI, MAXSI)
    CASE(MAXNUMF, MAXNUMF)
    CASE(AND, AND)
    CASE(OR, OR)
    CASE(XOR, XOR)
    CASE(MINIMUMF, MINIMUMF)
    CASE(MAXIMUMF, MAXIMUMF)
#undef CASE
  }
  llvm_unreachable("unknown gpu reduction");
}

struct SubgroupReduce : ConvertOpToLLVMPattern<gpu::SubgroupReduceOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(gpu::SubgroupReduceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &b) const override {
    Value value = adaptor.getValue();
    Type type = value.getType();
    if (!type.isIntOrFloat() || type.getIntOrFloatBitWidth() > 64)
      return b.notifyMatchFailure(op, "not a scalar of at most 64 bits");
    // A cluster is `size` lanes that are `stride` apart, both powers of two.
    unsigned size = op.getClusterSize().value_or(kWarpSize), stride = op.getClusterStride();
    if (size * stride > kWarpSize)
      return b.notifyMatchFailure(op, "a cluster is larger than the warp");
    Location loc = op.getLoc();
    for (unsigned distance = size * stride / 2; distance >= stride; distance /= 2) {
      Value other = shuffle(b, loc, value, distance);
      value = vector::makeArithReduction(b, loc, combiningKind(op.getOp()), value, other);
    }
    b.replaceOp(op, value);
    return success();
  }

  /// The value of the lane whose index differs by `distance`; 64-bit data goes as two halves.
  static Value shuffle(OpBuilder &b, Location loc, Value value, unsigned distance) {
    Type type = value.getType();
    unsigned width = type.getIntOrFloatBitWidth();
    Type bitsType = b.getIntegerType(width), i32 = b.getI32Type();
    Value bits = type == bitsType ? value : LLVM::BitcastOp::create(b, loc, bitsType, value);
    auto exchange = [&](Value word) -> Value {
      return NVVM::ShflOp::create(b, loc, i32, i32Constant(b, loc, -1), word,
                                  i32Constant(b, loc, distance), i32Constant(b, loc, kWarpSize - 1),
                                  NVVM::ShflKind::bfly, UnitAttr());
    };
    Value moved;
    if (width == 64) {
      Value c32 = LLVM::ConstantOp::create(b, loc, bitsType, b.getI64IntegerAttr(32));
      Value low = exchange(LLVM::TruncOp::create(b, loc, i32, bits));
      Value high =
          exchange(LLVM::TruncOp::create(b, loc, i32, LLVM::LShrOp::create(b, loc, bits, c32)));
      high = LLVM::ShlOp::create(b, loc, LLVM::ZExtOp::create(b, loc, bitsType, high), c32);
      moved = LLVM::OrOp::create(b, loc, LLVM::ZExtOp::create(b, loc, bitsType, low), high);
    } else if (width == 32) {
      moved = exchange(bits);
    } else {
      moved = LLVM::TruncOp::create(b, loc, bitsType,
                                    exchange(LLVM::ZExtOp::create(b, loc, i32, bits)));
    }
    return type == bitsType ? moved : LLVM::BitcastOp::create(b, loc, type, moved);
  }
};

} // namespace

void populateSubgroupToNVVMPatterns(const LLVMTypeConverter &converter,
                                    RewritePatternSet &patterns) {
  patterns.add<SubgroupSize, SubgroupId, NumSubgroups, SubgroupReduce>(converter);
}

} // namespace tilesmith
