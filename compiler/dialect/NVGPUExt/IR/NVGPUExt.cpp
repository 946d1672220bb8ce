//===- NVGPUExt.cpp - device operations that upstream's nvgpu lacks ---------------------------===//
#include "compiler/dialect/NVGPUExt/IR/NVGPUExt.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilesmith::nvgpu_ext;

#include "compiler/dialect/NVGPUExt/IR/NVGPUExtDialect.cpp.inc"
#include "compiler/dialect/NVGPUExt/IR/NVGPUExtEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "compiler/dialect/NVGPUExt/IR/NVGPUExtAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "compiler/dialect/NVGPUExt/IR/NVGPUExtOps.cpp.inc"

void NVGPUExtDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "compiler/dialect/NVGPUExt/IR/NVGPUExtAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "compiler/dialect/NVGPUExt/IR/NVGPUExtOps.cpp.inc"
      >();
}

LogicalResult NVGPUExtDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  auto between = [&](int64_t low, int64_t high) -> LogicalResult {
    auto value = dyn_cast<IntegerAttr>(attribute.getValue());
    if (isa<FunctionOpInterface>(op) && value && value.getType().isInteger(32) &&
        value.getInt() >= low && value.getInt() <= high)
      return success();
    return op->emitOpError("expected '")
           << attribute.getName().getValue() << "' between " << low << " and " << high
           << " on a function, got " << attribute.getValue();
  };
  if (attribute.getName() == tilesmith::nvgpu_ext::kThreadsAttr)
    return between(1, 1024);
  if (attribute.getName() == tilesmith::nvgpu_ext::kSharedBytesAttr)
    return between(0, INT32_MAX);
  if (attribute.getName() == tilesmith::nvgpu_ext::kHostMapsAttr) {
    auto maps = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
    auto function = dyn_cast<FunctionOpInterface>(op);
    if (function && maps && maps.size() == 2 && maps[0] >= 0 && maps[1] >= 1 &&
        maps[1] <= function.getNumArguments())
      return success();
    return op->emitOpError("expected '")
           << attribute.getName().getValue()
           << "' as an offset and a number of parameters on a function, got "
           << attribute.getValue();
  }
  if (attribute.getName() == ReachAttrHelper::getNameStr()) {
    auto bytes = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
    if (isa<LLVM::AddressOfOp, nvgpu::LdMatrixOp, WarpgroupMmaAsyncOp, NVVM::WgmmaWaitGroupSyncOp>(
            op) &&
        bytes && bytes.size() == 2 && bytes[0] >= 0 && bytes[0] < bytes[1])
      return success();
    return op->emitOpError("expected '") << attribute.getName().getValue()
                                         << "' as the first byte and the one behind the last on an "
                                            "address of a global or on what reads it, got "
                                         << attribute.getValue();
  }
  return op->emitOpError("has '") << attribute.getName().getValue()
                                  << "', which nvgpu_ext does not know";
}

void tilesmith::nvgpu_ext::registerDialect(DialectRegistry &registry) {
  registry.insert<NVGPUExtDialect>();
}

Value tilesmith::nvgpu_ext::startOf(Value address) {
  while (auto step = address.getDefiningOp<LLVM::GEPOp>())
    address = step.getBase();
  return address;
}

DenseI64ArrayAttr tilesmith::nvgpu_ext::getReach(Operation *op) {
  return op->getAttrOfType<DenseI64ArrayAttr>(NVGPUExtDialect::ReachAttrHelper::getNameStr());
}

DenseI64ArrayAttr tilesmith::nvgpu_ext::getReachFrom(Value address) {
  Operation *start = startOf(address).getDefiningOp();
  return start ? getReach(start) : DenseI64ArrayAttr();
}

void tilesmith::nvgpu_ext::setReach(Operation *op, DenseI64ArrayAttr reach) {
  if (reach)
    op->setAttr(NVGPUExtDialect::ReachAttrHelper::getNameStr(), reach);
}

std::optional<unsigned> tilesmith::nvgpu_ext::tensorMapElementCode(Type type) {
  if (type.isF16())
    return 6;
  if (type.isF32())
    return 7;
  if (type.isF64())
    return 9;
  if (type.isBF16())
    return 10;
  if (type.isTF32())
    return 11;
  switch (type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0) {
  case 8: // 8-bit floats are copied as bytes
    return 0;
  case 16:
    return 1;
  case 32:
    return 2;
  case 64:
    return 4;
  default:
    return std::nullopt;
  }
}

/// A tensor copy has one coordinate per dimension of its box, from 1 to 5.
static LogicalResult verifyCopy(Operation *op, nvgpu::TensorMapDescriptorType descriptor,
                                MemRefType memory, unsigned coordinates) {
  int64_t rank = descriptor.getTensor().getRank();
  if (rank < 1 || rank > 5)
    return op->emitOpError() << "expected a descriptor of rank 1 to 5, got " << rank;
  if (coordinates != rank)
    return op->emitOpError() << "expected " << rank << " coordinates, got " << coordinates;
  if (memory.getElementType() != descriptor.getTensor().getElementType())
    return op->emitOpError() << "expected elements of " << descriptor.getTensor().getElementType()
                             << " in shared memory, got " << memory.getElementType();
  if (!nvgpu::NVGPUDialect::hasSharedMemoryAddressSpace(memory))
    return op->emitOpError() << "expected a memref in shared memory, got " << memory;
  return success();
}

LogicalResult TmaAsyncLoadOp::verify() {
  return verifyCopy(*this, getDescriptor().getType(), getDst().getType(), getCoordinates().size());
}

LogicalResult TmaAsyncStoreOp::verify() {
  return verifyCopy(*this, getDescriptor().getType(), getSrc().getType(), getCoordinates().size());
}

static unsigned addressSpace(Value pointer) {
  return cast<LLVM::LLVMPointerType>(pointer.getType()).getAddressSpace();
}

/// Storage in global memory, or where drafts are allowed in shared; one stride less than extents.
static LogicalResult verifyMap(Operation *op, Value storage, bool draft, size_t extents,
                               size_t strides) {
  unsigned space = addressSpace(storage);
  if (space != 1 && !(draft && space == 3))
    return op->emitOpError() << "expected storage in global memory, got " << storage.getType();
  if (extents < 1 || extents > 5)
    return op->emitOpError() << "expected 1 to 5 extents, got " << extents;
  if (strides + 1 != extents)
    return op->emitOpError() << "expected " << extents - 1 << " strides, got " << strides;
  return success();
}

LogicalResult TensorMapCreateOp::verify() {
  if (failed(
          verifyMap(*this, getStorage(), /*draft=*/true, getExtents().size(), getStrides().size())))
    return failure();
  nvgpu::TensorMapDescriptorType type = getDescriptor().getType();
  MemRefType box = type.getTensor();
  if (box.getRank() != static_cast<int64_t>(getExtents().size()))
    return emitOpError() << "expected a box of rank " << getExtents().size() << ", got "
                         << box.getRank();
  if (!box.hasStaticShape())
    return emitOpError() << "expected a static box, got " << box;
  for (int64_t extent : box.getShape())
    if (extent < 1 || extent > 256)
      return emitOpError() << "expected box extents from 1 to 256, got " << extent;
  if (!tensorMapElementCode(box.getElementType()))
    return emitOpError() << "expected an element type of tensor maps, got " << box.getElementType();
  if (getGrain() != 16 &&
      (getGrain() != 32 || type.getSwizzle() != nvgpu::TensorMapSwizzleKind::SWIZZLE_128B))
    return emitOpError() << "expected a grain of 16, or of 32 in a swizzle of 128 bytes, got "
                         << getGrain();
  if (type.getL2promo() != nvgpu::TensorMapL2PromoKind::L2PROMO_NONE)
    return emitOpError() << "expected l2promo = none: tensormap.replace has no field for it";
  return success();
}

LogicalResult TensorMapReplaceOp::verify() {
  return verifyMap(*this, getStorage(), /*draft=*/false, getExtents().size(), getStrides().size());
}

LogicalResult TensorMapPublishOp::verify() {
  if (addressSpace(getDraft()) != 3)
    return emitOpError() << "expected a draft in shared memory, got " << getDraft().getType();
  if (addressSpace(getStorage()) != 1)
    return emitOpError() << "expected storage in global memory, got " << getStorage().getType();
  return success();
}

LogicalResult WarpgroupDescriptorOp::verify() {
  if (!nvgpu::NVGPUDialect::hasSharedMemoryAddressSpace(getMatrix().getType()))
    return emitOpError() << "expected a matrix in shared memory, got " << getMatrix().getType();
  if (!llvm::is_contained({0, 32, 64, 128}, int64_t(getSwizzle())))
    return emitOpError() << "expected a swizzle of 0, 32, 64 or 128 bytes, got " << getSwizzle();
  for (int64_t offset : {int64_t(getLeading()), int64_t(getStride())})
    if (offset < 0 || offset % 16 || offset >= 16 << 14)
      return emitOpError() << "expected offsets that are multiples of 16 below 262144, got "
                           << offset;
  return success();
}

LogicalResult WarpgroupMmaAsyncOp::verify() {
  auto known = [](StringRef type, ArrayRef<StringRef> types) {
    return llvm::is_contained(types, type);
  };
  for (StringRef type : {getLhsType(), getRhsType()})
    if (!known(type, {"f16", "bf16", "tf32", "e4m3", "e5m2", "s8", "u8"}))
      return emitOpError() << "expected operands of f16, bf16, tf32, e4m3, e5m2, s8 or u8, got "
                           << type;
  if (!known(getSumType(), {"f16", "f32", "s32"}))
    return emitOpError() << "expected sums of f16, f32 or s32, got " << getSumType();
  if (getN() < 8 || getN() > 256 || getN() % 8)
    return emitOpError() << "expected a multiple of 8 from 8 to 256 for n, got " << getN();
  bool isDescriptor = getLhs().size() == 1 && getLhs()[0].getType().isInteger(64);
  bool isFragments = getLhs().size() == 4 && llvm::all_of(getLhs().getTypes(), [](Type type) {
                       return type.isInteger(32);
                     });
  if (!isDescriptor && !isFragments)
    return emitOpError() << "expected a descriptor of 64 bits or four words as left operand";
  bool isHalf = known(getLhsType(), {"f16", "bf16"});
  if (!isHalf && (getLhsTransposed() || getRhsTransposed()))
    return emitOpError() << "expected transposed operands of 16 bits only, got " << getLhsType();
  return success();
}

/// Equal and even lengths, and a type that has packed instructions.
static LogicalResult verifyConversion(Operation *op, VectorType wide, VectorType narrow) {
  if (wide.getNumElements() != narrow.getNumElements() || wide.getNumElements() % 2 ||
      wide.isScalable() || narrow.isScalable())
    return op->emitOpError() << "expected vectors of one even length, got " << wide << " and "
                             << narrow;
  if (!isa<Float16Type, BFloat16Type, Float8E4M3FNType, Float8E5M2Type, Float8E8M0FNUType,
           Float6E2M3FNType, Float6E3M2FNType, Float4E2M1FNType>(narrow.getElementType()))
    return op->emitOpError() << "expected f16, bf16, f8E4M3FN, f8E5M2, f8E8M0FNU, f6E2M3FN, "
                                "f6E3M2FN or f4E2M1FN, got "
                             << narrow.getElementType();
  return success();
}

LogicalResult CvtFPTruncOp::verify() {
  VectorType to = cast<VectorType>(getResult().getType());
  if (failed(verifyConversion(*this, cast<VectorType>(getSource().getType()), to)))
    return failure();
  Type element = to.getElementType();
  bool isScale = isa<Float8E8M0FNUType>(element), isHalf = element.isF16() || element.isBF16();
  Rounding mode = getRounding();
  if (isScale ? mode != Rounding::rz && mode != Rounding::rp
              : mode != Rounding::rn && !(isHalf && mode == Rounding::rz))
    return emitOpError() << "expected rounding "
                         << (isScale  ? "rz or rp"
                             : isHalf ? "rn or rz"
                                      : "rn")
                         << " for " << element << ", got " << stringifyRounding(mode);
  if (isScale && getRelu())
    return emitOpError() << "expected no relu for " << element;
  return success();
}

LogicalResult CvtFPExtOp::verify() {
  return verifyConversion(*this, cast<VectorType>(getResult().getType()),
                          cast<VectorType>(getSource().getType()));
}
