//===- Assert.cpp - cf.assert by the device runtime's rules -----------------------------------===//
//
// The predicate guards a call of `__assertfail(message, file, line, function, 1)`, the only form
// the CUDA runtime has; the last argument is the size of a character. Upstream's pattern writes
// "(unknown)" for the function of any location without a function record; here it is the kernel's
// name then, and the innermost file position of fused and inlined locations is found. Equal texts
// share a global.
//
//===-------------------------------------------------------------------------------------------===//
#include "compiler/conversion/GPUToNVVM/GPUToNVVM.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace tilesmith {
namespace {

struct Place {
  std::string file = "(unknown)", function;
  unsigned line = 0;
};

/// The innermost file position, and the innermost function record.
void findPlace(Location location, Place &place) {
  if (auto position = dyn_cast<FileLineColLoc>(location)) {
    place.file = position.getFilename().str();
    place.line = position.getLine();
  } else if (auto named = dyn_cast<NameLoc>(location)) {
    findPlace(named.getChildLoc(), place);
  } else if (auto call = dyn_cast<CallSiteLoc>(location)) {
    findPlace(call.getCallee(), place);
  } else if (auto fused = dyn_cast<FusedLoc>(location)) {
    if (auto record = dyn_cast_if_present<LLVM::DISubprogramAttr>(fused.getMetadata()))
      if (record.getName())
        place.function = record.getName().str();
    for (Location inner : fused.getLocations()) {
      findPlace(inner, place);
      if (place.line)
        return;
    }
  }
}

/// A constant global with `text` and a final NUL, made once per module.
Value stringAddress(ConversionPatternRewriter &b, Operation *module, Location loc, StringRef prefix,
                    std::string text) {
  text.push_back('\0');
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  Block &body = module->getRegion(0).front();
  unsigned next = 0;
  for (auto global : body.getOps<LLVM::GlobalOp>()) {
    if (!global.getName().starts_with(prefix))
      continue;
    if (global.getValueAttr() == b.getStringAttr(text))
      return LLVM::AddressOfOp::create(b, loc, pointer, global.getName());
    ++next;
  }
  std::string name;
  do
    name = (prefix + Twine(next++)).str();
  while (SymbolTable::lookupSymbolIn(module, name));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&body);
    auto type = LLVM::LLVMArrayType::get(b.getI8Type(), text.size());
    LLVM::GlobalOp::create(b, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal, name,
                           b.getStringAttr(text));
  }
  return LLVM::AddressOfOp::create(b, loc, pointer, name);
}

LLVM::LLVMFuncOp assertFunction(ConversionPatternRewriter &b, Operation *module, Location loc) {
  constexpr char name[] = "__assertfail";
  if (auto found = dyn_cast_if_present<LLVM::LLVMFuncOp>(SymbolTable::lookupSymbolIn(module, name)))
    return found;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&module->getRegion(0).front());
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto type =
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                  {pointer, pointer, b.getI32Type(), pointer, b.getI64Type()});
  auto function = LLVM::LLVMFuncOp::create(b, loc, name, type);
  function.setPassthroughAttr(b.getArrayAttr({b.getStringAttr("noreturn")}));
  return function;
}

struct AssertLowering : ConvertOpToLLVMPattern<cf::AssertOp> {
  explicit AssertLowering(const LLVMTypeConverter &converter)
      : ConvertOpToLLVMPattern<cf::AssertOp>(converter, /*benefit=*/10) {}
  LogicalResult matchAndRewrite(cf::AssertOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &b) const override {
    auto module = op->getParentOfType<gpu::GPUModuleOp>();
    auto function = op->getParentOfType<FunctionOpInterface>();
    if (!module || !function)
      return b.notifyMatchFailure(op, "not in a function of a gpu.module");
    Location loc = op.getLoc();
    Place place;
    findPlace(loc, place);
    if (place.function.empty())
      place.function = function.getName().str();

    Block *before = b.getInsertionBlock();
    Block *after = b.splitBlock(before, Block::iterator(op));
    Block *failing = b.createBlock(after);
    LLVM::LLVMFuncOp callee = assertFunction(b, module, loc);
    SmallVector<Value> arguments = {
        stringAddress(b, module, loc, "assert_message_", op.getMsg().str()),
        stringAddress(b, module, loc, "assert_file_", place.file),
        LLVM::ConstantOp::create(b, loc, b.getI32Type(), b.getI32IntegerAttr(place.line)),
        stringAddress(b, module, loc, "assert_func_", place.function),
        LLVM::ConstantOp::create(b, loc, b.getI64Type(), b.getI64IntegerAttr(1))};
    LLVM::CallOp::create(b, loc, callee, arguments);
    LLVM::BrOp::create(b, loc, ValueRange(), after);
    b.setInsertionPointToEnd(before);
    LLVM::CondBrOp::create(b, loc, adaptor.getArg(), after, failing);
    b.eraseOp(op);
    return success();
  }
};

} // namespace

void populateAssertToNVVMPatterns(const LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<AssertLowering>(converter);
}

} // namespace tilesmith
