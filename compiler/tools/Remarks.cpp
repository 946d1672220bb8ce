//===- Remarks.cpp - what the compiler chose for memory accesses and matrix products ----------===//
#include "compiler/tools/Remarks.h"

#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "compiler/dialect/TileAS/IR/MmaAtom.h"
#include "compiler/dialect/TileAS/IR/TensorCoreAtom.h"
#include "compiler/dialect/TileAS/IR/WarpgroupAtom.h"
#include "compiler/support/Plants.h"
#include "compiler/target/LLVMIR.h"
#include "compiler/tools/TileRemarks.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>
#include <tuple>

using namespace mlir;

namespace tilesmith::tools {
namespace {

/// Kernel, file, line, column; without a file the number of the op in place of the line.
using Position = std::tuple<std::string, std::string, unsigned, unsigned>;

constexpr StringLiteral kNumberedPrefix = "tileiras.remark ";

/// Gives an op without a source position one of its own, which lowerings hand on.
void numberLocation(Operation *op, unsigned number) {
  if (!target::findFilePosition(op->getLoc()))
    op->setLoc(NameLoc::get(StringAttr::get(op->getContext(), kNumberedPrefix + Twine(number)),
                            op->getLoc()));
}

/// Position of an op; the first of the numbers that were fused into it.
Position positionAt(StringRef function, Location location) {
  if (auto position = target::findFilePosition(location))
    return {function.str(), position->getFilename().str(), position->getLine(),
            position->getColumn()};
  unsigned number = 0;
  location->walk([&](Location part) {
    auto named = dyn_cast<NameLoc>(part);
    StringRef text = named ? named.getName().strref() : "";
    bool found = text.consume_front(kNumberedPrefix) && !text.getAsInteger(10, number);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return {function.str(), "", number, 0};
}

void setPosition(Remark &remark, StringRef function, Location location) {
  auto [name, file, line, column] = positionAt(function, location);
  remark.function = name;
  remark.file = file;
  (file.empty() ? remark.number : remark.line) = line;
  remark.column = column;
}

std::string shapeText(ArrayRef<int64_t> shape) {
  return "[" +
         llvm::join(llvm::map_range(shape, [](int64_t extent) { return std::to_string(extent); }),
                    ", ") +
         "]";
}

Remark makeRemark(Operation *op, Remark::Category category, StringRef name, StringRef text) {
  Remark remark;
  remark.kind = Remark::Kind::Passed;
  remark.category = category;
  remark.name = name.str();
  remark.text = text.str();
  auto entry = op->getParentOfType<cuda_tile::EntryOp>();
  setPosition(remark, entry ? SymbolTable::getSymbolName(entry).strref() : "", op->getLoc());
  return remark;
}

Position positionOf(const Remark &remark) {
  return {remark.function, remark.file, remark.file.empty() ? remark.number : remark.line,
          remark.column};
}

bool wanted(const Remark &remark, const TileirasOptions &options) {
  const std::string &special = remark.kind == Remark::Kind::Passed   ? options.remarksPassed
                               : remark.kind == Remark::Kind::Missed ? options.remarksMissed
                               : remark.kind == Remark::Kind::Failed ? options.remarksFailed
                                                                     : options.remarksAnalysis;
  StringRef category = remark.category == Remark::Category::Memory ? "memory" : "tensorcore";
  for (const std::string &choice : {options.remarks, special})
    if (choice == "all" || choice == category)
      return true;
  return false;
}

StringRef categoryText(Remark::Category category) {
  return category == Remark::Category::Memory ? "Memory" : "Tensor-core";
}

/// A YAML plain scalar, or a quoted one where plain would mean something else.
std::string yamlScalar(StringRef text) {
  if (!text.empty() && text.find_first_of("[]{}:,#&*!|>'\"%@`") == StringRef::npos)
    return text.str();
  std::string quoted = "'";
  for (char c : text)
    quoted += c == '\'' ? std::string("''") : std::string(1, c);
  return quoted + "'";
}

} // namespace

void RemarkCollector::before(Operation *module) {
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto access = [&](bool isLoad, Value tile) {
      numberLocation(op, remarks.size() + 1);
      Remark remark = makeRemark(
          op, Remark::Category::Memory,
          isLoad ? "RemarkMemoryLoadInstructionSelected" : "RemarkMemoryStoreInstructionSelected",
          isLoad ? "Load instruction selected" : "Store instruction selected");
      remark.arguments = {{"Instruction", isLoad ? "Global-memory load instruction"
                                                 : "Global-memory store instruction"},
                          {"Shape", shapeText(cast<ShapedType>(tile.getType()).getShape())}};
      remarks.push_back(std::move(remark));
    };
    if (auto load = dyn_cast<cuda_tile::LoadViewTkoOp>(op))
      access(true, load.getTile());
    else if (auto load = dyn_cast<cuda_tile::LoadPtrTkoOp>(op))
      access(true, load.getResult());
    else if (auto store = dyn_cast<cuda_tile::StoreViewTkoOp>(op))
      access(false, store.getTile());
    else if (auto store = dyn_cast<cuda_tile::StorePtrTkoOp>(op))
      access(false, store.getValue());
    else if (isa<cuda_tile::MmaFOp, cuda_tile::MmaIOp, cuda_tile::MmaFScaledOp>(op)) {
      numberLocation(op, remarks.size() + 1);
      Remark remark = makeRemark(op, Remark::Category::TensorCore, "RemarkTensorCoreMMA",
                                 "MMA instruction selected");
      remark.kind = Remark::Kind::Failed;
      remark.arguments = {{"Instruction", "FMA"}, {"Shape", "[1, 1, 1]"}};
      remarks.push_back(std::move(remark));
    }
  });
}

/// Position and text of the remark that a decision becomes.
static Remark remarkOf(const TileDecision &decision) {
  Remark remark;
  remark.category = Remark::Category::Memory;
  setPosition(remark, decision.function, decision.location);
  auto set = [&](Remark::Kind kind, StringRef name, StringRef text, StringRef argument) {
    remark.kind = kind;
    remark.name = name.str();
    remark.text = text.str();
    if (!argument.empty())
      remark.arguments = {{argument.str(), decision.detail}};
  };
  switch (decision.kind) {
  case TileDecision::Vectorized:
    set(Remark::Kind::Passed, "RemarkMemoryVectorized", "Access vectorized", "Bytes");
    break;
  case TileDecision::NotVectorized:
    set(Remark::Kind::Missed, "RemarkMemoryNotVectorized", "Access not vectorized", "Reason");
    break;
  case TileDecision::Pipelined:
    set(Remark::Kind::Passed, "RemarkMemoryPipelined", "Load runs ahead in a pipeline", "");
    break;
  case TileDecision::NotPipelined:
    set(Remark::Kind::Missed, "RemarkMemoryNotPipelined", "Load of a product not pipelined",
        "Reason");
    break;
  case TileDecision::TensorCore:
  case TileDecision::NoTensorCore:
    remark.category = Remark::Category::TensorCore;
    break;
  }
  return remark;
}

/// The instruction of an atom; its exact shape is known once it is there (`after`).
static void selectInstruction(Remark &remark, StringRef name) {
  const char *generation = tileas::findWarpgroupAtom(name)    ? "Tensor-core SM90"
                           : tileas::findTensorCoreAtom(name) ? "Tensor-core SM100"
                                                              : "Tensor-core SM80";
  remark.kind = Remark::Kind::Passed;
  remark.arguments = {{"Instruction", generation}, {"Shape", remark.arguments[1].second}};
  if (const tileas::MmaAtom *atom = tileas::findMmaAtom(name))
    remark.arguments[1].second = shapeText({atom->m, atom->n, atom->k});
}

// A decision stands behind the remark of the access at its position; the lowering may have made
// several accesses of one, and equal decisions are told once.
void RemarkCollector::tiles(Operation *module, unsigned optLevel) {
  // The copies of a product that was unrolled are told by being equal.
  std::map<Position, unsigned> products;
  for (const TileDecision &decision : readTileDecisions(module, optLevel)) {
    Remark added = remarkOf(decision);
    const bool product = added.category == Remark::Category::TensorCore;
    unsigned before = product ? products[positionOf(added)]++ : 0;
    auto place = remarks.end();
    for (auto it = remarks.begin(); it != remarks.end(); ++it) {
      if (it->category != added.category || positionOf(*it) != positionOf(added))
        continue;
      place = it;
      if (before-- == 0)
        break;
    }
    if (place == remarks.end())
      continue;
    if (product) {
      if (decision.kind == TileDecision::NoTensorCore && place->arguments.size() == 2)
        place->arguments.push_back({"Reason", decision.detail});
      else if (decision.kind == TileDecision::TensorCore)
        selectInstruction(*place, decision.detail);
      continue;
    }
    auto same = [&](const Remark &remark) {
      return remark.name == added.name && positionOf(remark) == positionOf(added) &&
             remark.arguments == added.arguments;
    };
    if (llvm::any_of(remarks, same))
      continue;
    while (place != remarks.end() && place->category == added.category &&
           positionOf(*place) == positionOf(added))
      ++place;
    remarks.insert(place, std::move(added));
  }
}

/// The shape that the descriptor of a tcgen05.mma says.
static std::optional<std::string> tensorShape(LLVM::CallIntrinsicOp call) {
  static constexpr int64_t kDepths[] = {16, 8, 32, 32}; // by kind
  APInt descriptor, kind;
  if (call.getIntrin() != "llvm.nvvm.tcgen05.mma.shared" ||
      !matchPattern(call.getArgs()[3], m_ConstantInt(&descriptor)) ||
      !matchPattern(call.getArgs()[5], m_ConstantInt(&kind)))
    return std::nullopt;
  const uint64_t bits = descriptor.getZExtValue();
  return shapeText({int64_t(bits >> 24 & 31) << 4, int64_t(bits >> 17 & 63) << 3,
                    kDepths[kind.getZExtValue() & 3]});
}

void RemarkCollector::after(Operation *module) {
  std::map<Position, std::string> matrixShapes, groupShapes, tensorShapes;
  std::set<Position> asyncCopies, tensorCopies, tensorStores;
  module->walk([&](Operation *op) {
    auto function = op->getParentOfType<FunctionOpInterface>();
    Position key = positionAt(function ? function.getName() : "", op->getLoc());
    if (auto mma = dyn_cast<NVVM::MmaOp>(op)) {
      NVVM::MMAShapeAttr shape = mma.getShape();
      matrixShapes.emplace(key, shapeText({shape.getM(), shape.getN(), shape.getK()}));
    } else if (auto mma = dyn_cast<NVVM::WgmmaMmaAsyncOp>(op)) {
      NVVM::MMAShapeAttr shape = mma.getShape();
      groupShapes.emplace(key, shapeText({shape.getM(), shape.getN(), shape.getK()}));
    } else if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op)) {
      // Products that the dialect cannot say: llvm.nvvm.mma.m16n8k32....
      int64_t m, n, k;
      StringRef name = call.getIntrin();
      if (std::optional<std::string> shape = tensorShape(call))
        tensorShapes.emplace(key, *shape);
      if (name.consume_front("llvm.nvvm.mma.m") && !name.consumeInteger(10, m) &&
          name.consume_front("n") && !name.consumeInteger(10, n) && name.consume_front("k") &&
          !name.consumeInteger(10, k))
        matrixShapes.emplace(key, shapeText({m, n, k}));
    } else if (isa<NVVM::CpAsyncOp>(op)) {
      asyncCopies.insert(key);
    } else if (isa<NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp>(op)) {
      tensorCopies.insert(key);
    } else if (isa<NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp>(op)) {
      tensorStores.insert(key);
    }
  });
  std::vector<Remark> told;
  for (Remark &remark : remarks) {
    if (remark.category == Remark::Category::TensorCore) {
      auto choose = [&](const std::map<Position, std::string> &shapes, StringRef instruction) {
        auto shape = shapes.find(positionOf(remark));
        if (shape == shapes.end() ||
            (remark.kind == Remark::Kind::Passed && remark.arguments.front().second != instruction))
          return;
        remark.kind = Remark::Kind::Passed;
        remark.arguments = {{"Instruction", instruction.str()}, {"Shape", shape->second}};
      };
      choose(matrixShapes, "Tensor-core SM80");
      choose(groupShapes, "Tensor-core SM90");
      choose(tensorShapes, "Tensor-core SM100");
    }
    std::vector<const char *> copies; // a load in two loops may have become one of each
    if (remark.name == "RemarkMemoryLoadInstructionSelected") {
      if (tensorCopies.count(positionOf(remark)))
        copies.push_back("TMA Load instruction");
      if (asyncCopies.count(positionOf(remark)))
        copies.push_back("Ldgsts instruction");
    }
    if (remark.name == "RemarkMemoryStoreInstructionSelected" &&
        tensorStores.count(positionOf(remark)))
      copies.push_back("TMA Store instruction");
    for (const char *copy : copies) {
      remark.arguments.front().second = copy;
      told.push_back(remark);
    }
    if (copies.empty())
      told.push_back(std::move(remark));
  }
  remarks = std::move(told);
}

std::vector<Remark> RemarkCollector::select(const TileirasOptions &options) const {
  std::vector<Remark> selected;
  for (const Remark &remark : remarks)
    if (wanted(remark, options))
      selected.push_back(remark);
  if (TILESMITH_PLANT("remark-of-product-lost"))
    for (Remark &remark : selected)
      if (remark.category == Remark::Category::TensorCore)
        remark.arguments.front().second = "FMA";
  return selected;
}

// [spec: driver-remarks]
std::string formatCommandLine(ArrayRef<Remark> remarks) {
  std::string text, function;
  std::optional<Remark::Category> category;
  std::vector<const Remark *> sorted; // by function and category, in program order inside
  for (const Remark &remark : remarks)
    sorted.push_back(&remark);
  llvm::sort(sorted, [](const Remark *a, const Remark *b) {
    return std::tie(a->function, a->category, a) < std::tie(b->function, b->category, b);
  });
  for (const Remark *next : sorted) {
    const Remark &remark = *next;
    if (!category || remark.function != function) {
      text += llvm::formatv("in function: {0}:\n\n", remark.function);
      function = remark.function;
      category.reset();
    }
    if (category != remark.category) {
      text += llvm::formatv("  category: {0}\n", categoryText(remark.category));
      category = remark.category;
    }
    StringRef kind = remark.kind == Remark::Kind::Passed   ? "passed"
                     : remark.kind == Remark::Kind::Missed ? "missed"
                     : remark.kind == Remark::Kind::Failed ? "failed"
                                                           : "analysis";
    text += llvm::formatv("    remark[{0}]: {1}\n", kind, remark.text);
    if (!remark.file.empty())
      text += llvm::formatv("      --> \"{0}\":{1}:{2}\n", remark.file, remark.line, remark.column);
    text += llvm::formatv("       |\n       = name: {0}\n", remark.name);
    for (const auto &[name, value] : remark.arguments)
      text += name == "Reason" ? llvm::formatv("       = reason: {0}\n", value).str()
                               : llvm::formatv("       = note: {0} = {1}\n", name, value).str();
    text += "\n";
  }
  return text;
}

// [spec: driver-remarks]
std::string formatYaml(ArrayRef<Remark> remarks) {
  std::string text;
  unsigned id = 0;
  for (const Remark &remark : remarks) {
    StringRef tag = remark.kind == Remark::Kind::Passed   ? "Passed"
                    : remark.kind == Remark::Kind::Missed ? "Missed"
                    : remark.kind == Remark::Kind::Failed ? "Failure"
                                                          : "Analysis";
    text += llvm::formatv("--- !{0}\nPass:            {1}\nName:            {2}\n", tag,
                          categoryText(remark.category), remark.name);
    if (!remark.file.empty())
      text += llvm::formatv("DebugLoc:        {{ File: {0}, Line: {1}, Column: {2} }\n",
                            "'" + remark.file + "'", remark.line, remark.column);
    text += llvm::formatv("Function:        {0}\nArgs:\n", yamlScalar(remark.function));
    auto argument = [&](StringRef name, StringRef value) {
      std::string head = (name + ":").str();
      text += llvm::formatv("  - {0,-12} {1}\n", head, yamlScalar(value));
    };
    argument("RemarkId", std::to_string(++id));
    argument("Remark", remark.text);
    for (const auto &[name, value] : remark.arguments)
      argument(name, value);
    text += "...\n";
  }
  return text;
}

} // namespace tilesmith::tools
