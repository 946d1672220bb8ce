//===- LLVMModules.cpp - device modules in LLVM IR as fuzz inputs -----------------------------===//
#include "fuzz/targets/LLVMModules.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/FuzzMutate/IRMutator.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;

namespace {

/// Another device operation with operands of the same types, an integer constant, or a pointer.
void changeInstruction(llvm::Module &module, MutatorRandom &random) {
  std::vector<llvm::Instruction *> all;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      all.push_back(&instruction);
  if (all.empty())
    return;
  llvm::Instruction &instruction = *all[random.below(all.size())];
  if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && random.below(2)) {
    std::vector<llvm::Function *> others;
    for (llvm::Function &function : module)
      if (function.getFunctionType() == call->getFunctionType() && function.isDeclaration())
        others.push_back(&function);
    if (!others.empty())
      call->setCalledFunction(others[random.below(others.size())]);
    return;
  }
  if (instruction.getNumOperands() == 0)
    return;
  llvm::Use &operand = instruction.getOperandUse(random.below(instruction.getNumOperands()));
  if (llvm::isa<llvm::BasicBlock, llvm::Function, llvm::MetadataAsValue>(operand.get()))
    return;
  llvm::Type *type = operand->getType();
  static constexpr int64_t kNumbers[] = {
      0, 1, -1, 2, 31, 32, 33, 255, 4096, 1 << 20, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};
  llvm::Value *number = llvm::ConstantInt::getSigned(llvm::Type::getInt64Ty(module.getContext()),
                                                     kNumbers[random.below(std::size(kNumbers))]);
  llvm::IRBuilder<> builder(&instruction);
  if (llvm::isa<llvm::PHINode>(instruction))
    return;
  if (type->isIntegerTy())
    operand.set(random.below(3)
                    ? builder.CreateSExtOrTrunc(number, type)
                    : builder.CreateAdd(operand.get(), builder.CreateSExtOrTrunc(number, type)));
  else if (type->isPointerTy())
    operand.set(random.below(3) ? builder.CreatePtrAdd(operand.get(), number)
                                : builder.CreateIntToPtr(number, type));
  else if (type->isSized() && type->isFirstClassType())
    operand.set(random.below(2) ? llvm::Constant::getNullValue(type)
                                : static_cast<llvm::Value *>(llvm::UndefValue::get(type)));
}

void changeByStrategies(llvm::Module &module, MutatorRandom &random, size_t maxSize) {
  std::vector<llvm::TypeGetter> types{
      llvm::Type::getInt1Ty,  llvm::Type::getInt8Ty,   llvm::Type::getInt16Ty,
      llvm::Type::getInt32Ty, llvm::Type::getInt64Ty,  llvm::Type::getHalfTy,
      llvm::Type::getFloatTy, llvm::Type::getDoubleTy, llvm::Type::getBFloatTy};
  std::vector<std::unique_ptr<llvm::IRMutationStrategy>> strategies;
  strategies.push_back(std::make_unique<llvm::InjectorIRStrategy>());
  strategies.push_back(std::make_unique<llvm::InstDeleterIRStrategy>());
  strategies.push_back(std::make_unique<llvm::InstModificationIRStrategy>());
  strategies.push_back(std::make_unique<llvm::InsertCFGStrategy>());
  strategies.push_back(std::make_unique<llvm::InsertPHIStrategy>());
  strategies.push_back(std::make_unique<llvm::SinkInstructionStrategy>());
  strategies.push_back(std::make_unique<llvm::ShuffleBlockStrategy>());
  llvm::IRMutator mutator(std::move(types), std::move(strategies));
  mutator.mutateModule(module, static_cast<int>(random.next() & 0x7fffffff), maxSize);
}

/// The text of a module if it is valid and fits; 0 otherwise.
size_t emitModule(llvm::Module &module, uint8_t *out, size_t maxSize) {
  if (llvm::verifyModule(module))
    return 0;
  module.setSourceFileName("");
  module.setModuleIdentifier("");
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os, nullptr);
  if (text.size() > maxSize)
    return 0;
  return emitBytes({reinterpret_cast<const uint8_t *>(text.data()), text.size()}, out, maxSize);
}

} // namespace

std::unique_ptr<llvm::Module> tilesmith::fuzz::parseModule(llvm::StringRef text,
                                                           llvm::LLVMContext &context) {
  llvm::SMDiagnostic diagnostic;
  return llvm::parseAssemblyString(text.str(), diagnostic, context);
}

std::vector<uint64_t> tilesmith::fuzz::parameterBytes(const llvm::Function &kernel) {
  std::vector<uint64_t> bytes;
  for (const llvm::Argument &argument : kernel.args()) {
    llvm::Type *type = argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
    bytes.push_back(
        type->isSized() ? kernel.getDataLayout().getTypeAllocSize(type).getKnownMinValue() : 0);
  }
  return bytes;
}

size_t tilesmith::fuzz::mutateModule(uint8_t *data, size_t size, size_t maxSize,
                                     MutatorRandom &random) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  if (random.below(10) != 0)
    module = parseModule({reinterpret_cast<const char *>(data), size}, context);
  if (!module)
    return mutateBytes(data, size, maxSize, random);
  for (size_t count = 1 + random.below(3); count > 0; --count) {
    if (random.below(2))
      changeInstruction(*module, random);
    else
      changeByStrategies(*module, random, 2000);
  }
  size_t written = emitModule(*module, data, maxSize);
  return written ? written : mutateBytes(data, size, maxSize, random);
}

size_t tilesmith::fuzz::crossModules(llvm::ArrayRef<uint8_t> first, llvm::ArrayRef<uint8_t> second,
                                     uint8_t *out, size_t maxSize, MutatorRandom &random) {
  auto text = [](llvm::ArrayRef<uint8_t> bytes) { return llvm::toStringRef(bytes); };
  llvm::LLVMContext context;
  context.setDiagnosticHandlerCallBack([](const llvm::DiagnosticInfo *, void *) {}); // no exit()
  auto own = parseModule(text(first), context), other = parseModule(text(second), context);
  if (!own || !other)
    return emitBytes(random.below(2) ? first : second, out, maxSize);
  for (llvm::Function &function : *other)
    if (!function.isDeclaration())
      function.setName(function.getName() + "_b");
  other->setDataLayout(own->getDataLayout());
  other->setTargetTriple(own->getTargetTriple());
  size_t written =
      llvm::Linker::linkModules(*own, std::move(other)) ? 0 : emitModule(*own, out, maxSize);
  return written ? written : emitBytes(first, out, maxSize);
}
