//===- LayoutEquivalence.cpp - the same program but for layouts -------------------------------===//
#include "oracles/blame/LayoutEquivalence.h"

#include "compiler/pipeline/Pipeline.h"
#include "compiler/pipeline/Registration.h"
#include "oracles/engines/ModuleLoader.h"
#include "oracles/verdict/Signature.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace tilesmith;
using namespace tilesmith::oracles;

namespace {

class LayoutEraser {
public:
  std::string block(Block &block);

private:
  std::string operation(Operation *op);
  std::string nameOf(Value value) { return values.lookup(value); }

  llvm::DenseMap<Value, std::string> values;
  unsigned arguments = 0;
};

std::string typeWithoutLayout(Type type) {
  std::string text;
  llvm::raw_string_ostream sink(text);
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    RankedTensorType::get(tensor.getShape(), tensor.getElementType()).print(sink);
  else
    type.print(sink);
  return text;
}

/// Annotations that later passes may use and that decide no value.
bool isAnnotation(StringRef name) {
  return name == "nv_tileaa.facts" || name == "atom" || name == "layout" ||
         (name.starts_with("nv_tileas.") && name != "nv_tileas.threads");
}

std::string LayoutEraser::operation(Operation *op) {
  std::string text = op->getName().getStringRef().str();
  llvm::raw_string_ostream sink(text);
  for (NamedAttribute attribute : op->getAttrs())
    if (!isAnnotation(attribute.getName())) {
      // Constants carry their type, and that its layout.
      if (auto dense = dyn_cast<DenseElementsAttr>(attribute.getValue())) {
        auto type = cast<ShapedType>(dense.getType());
        sink << ' ' << typeWithoutLayout(type) << ' '
             << dense.reshape(RankedTensorType::get(type.getShape(), type.getElementType()));
        continue;
      }
      sink << ' ' << attribute.getName().getValue() << '=' << attribute.getValue();
    }
  for (Value operand : op->getOperands())
    sink << " (" << nameOf(operand) << ')';
  for (Type type : op->getResultTypes())
    sink << " : " << typeWithoutLayout(type);
  for (Region &region : op->getRegions())
    for (Block &inner : region)
      sink << " {" << block(inner) << '}';
  return stableHash(text);
}

std::string LayoutEraser::block(Block &block) {
  for (BlockArgument argument : block.getArguments())
    values[argument] = "a" + std::to_string(arguments++);
  std::string form;
  for (Operation &op : block) {
    StringRef name = op.getName().getStringRef();
    if (name == "nv_tileas.convert_layout") {
      values[op.getResult(0)] = nameOf(op.getOperand(0));
      continue;
    }
    if (name.ends_with("barrier"))
      continue;
    std::string hash = operation(&op);
    for (auto [i, result] : llvm::enumerate(op.getResults()))
      values[result] = hash + "#" + std::to_string(i);
    if (!isMemoryEffectFree(&op) || op.hasTrait<OpTrait::IsTerminator>() || op.getNumRegions() > 0)
      form += hash + ";";
  }
  return form;
}

} // namespace

std::string tilesmith::oracles::formWithoutLayouts(ModuleOp module) {
  std::string form;
  for (Operation &op : module.getBody()->getOperations()) {
    LayoutEraser eraser;
    for (Region &region : op.getRegions())
      for (Block &block : region)
        form += eraser.block(block);
  }
  return form;
}

bool tilesmith::oracles::keepsMeaning(const testcase::TestCase &testCase, llvm::StringRef version,
                                      const EngineOptions &options, int64_t limit) {
  for (const testcase::Launch &launch : testCase.launches) {
    DialectRegistry registry;
    registerCompilerDialects(registry);
    ModuleLoader loader(registry, options.profile);
    loader.context().loadAllAvailableDialects();
    auto module = loader.load(launch, version);
    if (!module) {
      llvm::consumeError(module.takeError());
      return false;
    }
    std::string forms[2];
    for (int after = 0; after < 2; ++after) {
      OwningOpRef<ModuleOp> wrapper = wrapModule(*module);
      CompileOptions compile = options.compile;
      compile.optBisectLimit = limit - 1 + after;
      if (failed(runPipeline(*wrapper, compile, Stage::TileAS)))
        return false;
      forms[after] = formWithoutLayouts(*wrapper);
    }
    if (forms[0] != forms[1])
      return false;
  }
  return true;
}
