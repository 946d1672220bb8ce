//===- LaunchMetadata.cpp - what a launcher must know about a kernel --------------------------===//
#include "compiler/target/LaunchMetadata.h"

#include "compiler/conversion/GPUToNVVM/GPUToNVVM.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace tilesmith::target {
namespace {

void addParameter(KernelInfo &kernel, KernelParameter::Kind kind, uint32_t size) {
  uint32_t offset = alignTo(kernel.parameterBytes(), size);
  kernel.parameters.push_back({kind, offset, size});
}

uint32_t intAttr(mlir::Operation *op, StringRef name, uint32_t otherwise) {
  auto attr = op->getAttrOfType<mlir::IntegerAttr>(name);
  return attr ? attr.getInt() : otherwise;
}

uint32_t fnAttr(const Function &function, StringRef name, uint32_t otherwise) {
  uint32_t value = otherwise;
  if (function.hasFnAttribute(name) &&
      function.getFnAttribute(name).getValueAsString().getAsInteger(10, value))
    return otherwise;
  return value;
}

} // namespace

uint32_t KernelInfo::parameterBytes() const {
  return parameters.empty() ? 0 : parameters.back().offset + parameters.back().size;
}

Expected<std::vector<KernelInfo>> readKernels(mlir::Operation *gpuModule) {
  std::vector<KernelInfo> kernels;
  Error error = Error::success();
  gpuModule->walk([&](mlir::LLVM::LLVMFuncOp func) {
    if (error || !func->hasAttr(mlir::NVVM::NVVMDialect::getKernelFuncAttrName()))
      return;
    KernelInfo kernel;
    kernel.name = func.getName().str();
    kernel.threads = intAttr(func, kThreadsAttr, 1);
    kernel.sharedBytes = intAttr(func, kSharedBytesAttr, 0);
    auto maps = func->getAttrOfType<mlir::DenseI64ArrayAttr>(nvgpu_ext::kHostMapsAttr);
    if (maps) {
      kernel.hostMapOffset = maps[0];
      kernel.hostMaps = maps[1];
    }
    for (mlir::Type type : func.getArgumentTypes().drop_back(kernel.hostMaps)) {
      if (mlir::isa<mlir::LLVM::LLVMPointerType>(type)) {
        addParameter(kernel, KernelParameter::Kind::Pointer, 8);
      } else if (type.isIntOrFloat() && type.getIntOrFloatBitWidth() <= 64) {
        uint32_t size = PowerOf2Ceil(divideCeil(type.getIntOrFloatBitWidth(), 8));
        bool isFloat = mlir::isa<mlir::FloatType>(type);
        addParameter(kernel, isFloat ? KernelParameter::Kind::Float : KernelParameter::Kind::Int,
                     size);
      } else {
        std::string text;
        raw_string_ostream(text) << type;
        error = joinErrors(std::move(error),
                           createStringError(formatv(
                               "kernel '{0}': expected pointer, integer or float parameters, "
                               "got {1}",
                               kernel.name, text)));
        return;
      }
    }
    kernels.push_back(std::move(kernel));
  });
  if (error)
    return std::move(error);
  return kernels;
}

std::vector<KernelInfo> readKernels(const llvm::Module &module) {
  std::vector<KernelInfo> kernels;
  for (const Function &function : module) {
    if (function.isDeclaration() || function.getCallingConv() != CallingConv::PTX_Kernel)
      continue;
    KernelInfo kernel;
    kernel.name = function.getName().str();
    kernel.threads = fnAttr(function, kThreadsFnAttr, 1);
    kernel.sharedBytes = fnAttr(function, kSharedBytesFnAttr, 0);
    kernel.hostMapOffset = fnAttr(function, kHostMapOffsetFnAttr, 0);
    kernel.hostMaps = fnAttr(function, kHostMapsFnAttr, 0);
    for (const Argument &argument : function.args()) {
      if (argument.getArgNo() + kernel.hostMaps >= function.arg_size())
        break;
      Type *type = argument.getType();
      uint32_t size = module.getDataLayout().getTypeAllocSize(type);
      addParameter(kernel,
                   type->isPointerTy()         ? KernelParameter::Kind::Pointer
                   : type->isFloatingPointTy() ? KernelParameter::Kind::Float
                                               : KernelParameter::Kind::Int,
                   size);
    }
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

json::Value toJSON(ArrayRef<KernelInfo> kernels, StringRef gpuName) {
  json::Array list;
  for (const KernelInfo &kernel : kernels) {
    json::Array parameters;
    for (const KernelParameter &parameter : kernel.parameters) {
      StringRef kind = parameter.kind == KernelParameter::Kind::Pointer ? "pointer"
                       : parameter.kind == KernelParameter::Kind::Int   ? "int"
                                                                        : "float";
      parameters.push_back(
          json::Object{{"kind", kind}, {"offset", parameter.offset}, {"size", parameter.size}});
    }
    json::Object facts{{"name", json::fixUTF8(kernel.name)},
                       {"threads", json::Array{kernel.threads, 1, 1}},
                       {"shared_bytes", kernel.sharedBytes},
                       {"parameters", std::move(parameters)},
                       {"parameter_bytes", kernel.parameterBytes()}};
    if (kernel.hostMaps)
      facts["host_maps"] =
          json::Object{{"offset", kernel.hostMapOffset}, {"count", kernel.hostMaps}};
    list.push_back(std::move(facts));
  }
  return json::Object{{"gpu", gpuName}, {"kernels", std::move(list)}};
}

} // namespace tilesmith::target
