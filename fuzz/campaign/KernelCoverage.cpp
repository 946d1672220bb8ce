//===- KernelCoverage.cpp - which operations a case has, on which types -----------------------===//
#include "fuzz/campaign/KernelCoverage.h"

#include "oracles/engines/ModuleLoader.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;

/// The element type by which an operation goes, null for none. What it computes is named by its operand:
/// a comparison gives i1 for every type.
static mlir::Type elementOf(mlir::Operation *op) {
  for (mlir::Type type : llvm::concat<const mlir::Type>(llvm::to_vector(op->getOperandTypes()),
                                                        llvm::to_vector(op->getResultTypes())))
    if (auto tile = llvm::dyn_cast<cuda_tile::TileType>(type))
      return tile.getElementType();
  return {};
}

static std::string spell(mlir::Type element) {
  if (!element)
    return "-";
  if (llvm::isa<cuda_tile::PointerType>(element))
    return "ptr";
  std::string text;
  llvm::raw_string_ostream(text) << element;
  return text;
}

/// `nv_tileaa.scan -`: operations of a program of nv_tileaa, by their names in generic form.
static std::set<std::string> operationsOfText(llvm::StringRef text) {
  std::set<std::string> result;
  for (auto [before, rest] = text.split("\"nv_tileaa."); !rest.empty();
       std::tie(before, rest) = rest.split("\"nv_tileaa."))
    result.insert(("nv_tileaa." + rest.take_until([](char c) { return c == '"'; }) + " -").str());
  return result;
}

/// Calls `see` with every operation in the entries of the case's first version.
static void walkKernels(const testcase::TestCase &testCase,
                        llvm::function_ref<void(mlir::Operation *)> see) {
  // Judged just before, so that the loader still has it.
  const mlir::DialectRegistry none;
  oracles::ModuleLoader loader(none, oracles::EngineOptions().profile);
  llvm::StringSet<> seen;
  for (const testcase::Launch &launch : testCase.launches) {
    if (launch.modules.empty() || !seen.insert(launch.modules.front().file).second ||
        oracles::startsAtTileAA(launch.modules.front()))
      continue;
    auto module = loader.load(launch, launch.modules.front().version);
    if (!module) {
      llvm::consumeError(module.takeError());
      continue;
    }
    module->walk([&](cuda_tile::EntryOp entry) { entry.getBody().walk(see); });
  }
}

std::set<std::string> tilesmith::fuzz::coverageOf(const testcase::TestCase &testCase) {
  std::set<std::string> result;
  for (const testcase::Launch &launch : testCase.launches)
    if (!launch.modules.empty() && oracles::startsAtTileAA(launch.modules.front()))
      result.merge(
          operationsOfText(llvm::toStringRef(llvm::ArrayRef(launch.modules.front().bytes))));
  // To print a type costs more than to find an operation, and most are there many times.
  llvm::DenseSet<std::pair<mlir::OperationName, mlir::Type>> seen;
  walkKernels(testCase, [&](mlir::Operation *op) {
    if (mlir::Type element = elementOf(op); seen.insert({op->getName(), element}).second)
      result.insert((op->getName().stripDialect() + " " + spell(element)).str());
  });
  return result;
}

std::set<std::string> tilesmith::fuzz::modesOf(const testcase::TestCase &testCase) {
  std::set<std::string> result;
  walkKernels(testCase, [&](mlir::Operation *op) {
    std::string modes;
    llvm::raw_string_ostream out(modes);
    for (mlir::NamedAttribute attribute : op->getAttrDictionary()) {
      const mlir::Attribute value = attribute.getValue();
      const bool isMode =
          value.getDialect().getNamespace() == "cuda_tile" &&
          !llvm::isa<cuda_tile::OptimizationHintsAttr, cuda_tile::AssumePredicateAttrInterface>(
              value);
      if (isMode)
        out << ' ' << value;
      else if (llvm::isa<mlir::UnitAttr>(value))
        out << ' ' << attribute.getName().getValue();
    }
    if (!modes.empty())
      result.insert((op->getName().stripDialect() + " " + spell(elementOf(op)) + modes).str());
  });
  return result;
}

llvm::StringRef tilesmith::fuzz::operationOf(llvm::StringRef entry) {
  entry.consume_front("nv_tileaa.");
  return entry.split(' ').first;
}

std::set<std::string> tilesmith::fuzz::featuresOf(const testcase::TestCase &testCase) {
  static const llvm::StringSet<> plumbing{"constant",
                                          "iota",
                                          "reshape",
                                          "broadcast",
                                          "offset",
                                          "return",
                                          "yield",
                                          "continue",
                                          "make_token",
                                          "join_tokens",
                                          "get_tile_block_id",
                                          "load_ptr_tko",
                                          "store_ptr_tko",
                                          "load_view_tko",
                                          "store_view_tko",
                                          "make_tensor_view",
                                          "make_partition_view",
                                          "make_strided_view",
                                          "make_gather_scatter_view",
                                          "func",
                                          "get_program_id",
                                          "create_mem_token",
                                          "join_mem_token",
                                          "load",
                                          "store",
                                          "tiled_load",
                                          "tiled_store",
                                          "splat",
                                          "make_range",
                                          "addptr",
                                          "view",
                                          "expand_dims",
                                          "make_memref",
                                          "block_tile"};
  std::set<std::string> all, special;
  for (const std::string &entry : coverageOf(testCase)) {
    llvm::StringRef op = operationOf(entry);
    all.insert(op.str());
    if (!plumbing.contains(op))
      special.insert(op.str());
  }
  return special.empty() ? all : special;
}

std::vector<Picked> tilesmith::fuzz::pickCovering(const std::vector<Covering> &cases,
                                                  const std::set<size_t> &kept) {
  std::set<std::string> open;
  for (const Covering &one : cases)
    open.insert(one.pairs.begin(), one.pairs.end());
  for (size_t index : kept)
    for (const std::string &pair : cases[index].pairs)
      open.erase(pair);
  std::vector<Picked> result;
  while (!open.empty()) {
    size_t best = 0, most = 0;
    for (auto [index, one] : llvm::enumerate(cases)) {
      const auto gain = static_cast<size_t>(
          llvm::count_if(one.pairs, [&](const std::string &pair) { return open.count(pair); }));
      if (gain > most || (gain == most && gain > 0 && one.size < cases[best].size)) {
        best = index;
        most = gain;
      }
    }
    Picked &picked = result.emplace_back(Picked{best, {}});
    for (const std::string &pair : cases[best].pairs)
      if (open.erase(pair))
        picked.added.push_back(pair);
  }
  return result;
}
