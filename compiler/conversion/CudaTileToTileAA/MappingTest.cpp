//===- MappingTest.cpp - cuda_tile op to target, as the patterns do it, against the roster ----===//
//
// Converts the lit tests of this folder and the frontend cases after every op got its own name as
// location, which the patterns hand on: what is left says which op it came from. Every op of the
// roster must be seen with each of its targets; the whole table is printed. An op that is converted
// and not in the roster must be in the list of forwarded ones.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/conversion/CudaTileToTileAA/CudaTileToTileAA.h"
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "compiler/dialect/TileAA/IR/TileAA.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <set>

using namespace tilesmith;

namespace {

/// Roster 3.2, with the ops of later versions below it: op and the targets that it must reach.
constexpr std::pair<const char *, const char *> kRoster[] = {
    {"absf", "math.absf"},
    {"absi", "math.absi"},
    {"addf", "nv_tileaa.addf"},
    {"addi", "arith.addi"},
    {"andi", "arith.andi"},
    {"ori", "arith.ori"},
    {"xori", "arith.xori"},
    {"bitcast", "nv_tileaa.bitcast"},
    {"ceil", "math.ceil"},
    {"floor", "math.floor"},
    {"cmpf", "arith.cmpf"},
    {"cmpi", "arith.cmpi"},
    {"cos", "math.cos"},
    {"sin", "math.sin"},
    {"tan", "math.tan"},
    {"cosh", "math.cosh"},
    {"sinh", "math.sinh"},
    {"tanh", "math.tanh"},
    {"exp", "math.exp"},
    {"exp2", "nv_tileaa.exp2"},
    {"log", "math.log"},
    {"log2", "math.log2"},
    {"pow", "math.powf"},
    {"divf", "nv_tileaa.divf"},
    {"mulf", "nv_tileaa.mulf"},
    {"subf", "nv_tileaa.subf"},
    {"sqrt", "nv_tileaa.sqrt"},
    {"remf", "arith.remf"},
    {"negf", "arith.negf"},
    {"maxf", "arith.maximumf arith.maxnumf"},
    {"minf", "arith.minimumf arith.minnumf"},
    {"divi", "arith.divsi arith.floordivsi arith.ceildivsi arith.divui arith.ceildivui"},
    {"remi", "arith.remsi arith.remui"},
    {"mini", "arith.minsi arith.minui"},
    {"muli", "arith.muli"},
    {"mulhii", "nv_tileaa.mulhiui"},
    {"negi", "arith.subi"},
    {"subi", "arith.subi"},
    {"shli", "arith.shli"},
    {"shri", "arith.shrsi arith.shrui"},
    {"exti", "arith.extsi arith.extui"},
    {"ftof", "nv_tileaa.fp_to_fp"},
    {"ftoi", "arith.fptosi arith.fptoui"},
    {"select", "arith.select"},
    {"if", "scf.if"},
    {"for", "scf.for"},
    {"yield", "nv_tileaa.yield scf.yield"},
    {"continue", "scf.yield"},
    {"return", "nv_tileaa.return"},
    {"get_tile_block_id", "nv_tileaa.get_program_id"},
    {"get_num_tile_blocks", "nv_tileaa.get_num_programs"},
    {"iota", "nv_tileaa.make_range"},
    {"broadcast", "nv_tileaa.broadcast nv_tileaa.splat"},
    {"cat", "nv_tileaa.cat"},
    {"extract", "nv_tileaa.extract_slice nv_tileaa.extract"},
    {"permute", "nv_tileaa.permute"},
    {"reshape", "nv_tileaa.expand_dims nv_tileaa.extract nv_tileaa.splat nv_tileaa.view"},
    {"load_ptr_tko", "nv_tileaa.load"},
    {"store_ptr_tko", "nv_tileaa.store"},
    {"load_view_tko", "nv_tileaa.tiled_load nv_tileaa.gather_load"},
    {"store_view_tko", "nv_tileaa.tiled_store nv_tileaa.scatter_store"},
    {"atomic_cas_tko", "nv_tileaa.atomic_cas"},
    {"atomic_rmw_tko", "nv_tileaa.atomic_rmw"},
    {"make_token", "nv_tileaa.create_mem_token"},
    {"join_tokens", "nv_tileaa.join_mem_token"},
    {"offset", "nv_tileaa.addptr"},
    {"int_to_ptr", "nv_tileaa.int_to_ptr"},
    {"ptr_to_int", "nv_tileaa.ptr_to_int"},
    {"ptr_to_ptr", "nv_tileaa.bitcast"},
    {"make_tensor_view", "nv_tileaa.make_memref"},
    {"make_partition_view", "nv_tileaa.block_tile"},
    {"get_tensor_shape", "nv_tileaa.get_dim_size"},
    {"get_index_space_shape", "nv_tileaa.get_dim_size arith.ceildivsi"},
    {"get_global", "nv_tileaa.get_global"},
    {"entry", "nv_tileaa.func"},
    {"module", "gpu.module"},
    {"print_tko", "nv_tileaa.print"},
    {"print", "nv_tileaa.print"},
    {"assert", "nv_tileaa.assert"},
    {"mmaf", "nv_tileaa.dot"},
    {"mmai", "nv_tileaa.dot"},
    {"reduce", "nv_tileaa.reduce"},
    {"scan", "nv_tileaa.scan"},
    {"trunci", "arith.trunci"},
    {"rsqrt", "nv_tileaa.rsqrt"},
    {"maxi", "arith.maxsi arith.maxui"},
    {"itof", "arith.sitofp arith.uitofp"},
    {"global", "nv_tileaa.global"},
    {"fma", "nv_tileaa.fma"},
    {"constant", "nv_tileaa.splat arith.constant"},
    {"assume", "nv_tileaa.assume"},
    {"atan2", "math.atan2"},
    {"pack", "nv_tileaa.bitcast"},
    {"unpack", "nv_tileaa.bitcast"},
    {"alloca", "nv_tileaa.alloca"},
    {"mmaf_scaled", "nv_tileaa.dot"},
    {"make_gather_scatter_view", "nv_tileaa.block_tile"},
    {"make_strided_view", "nv_tileaa.block_tile"},
    {"atomic_red_view_tko", "nv_tileaa.tiled_atomic_rmw"},
    {"fpowi", "math.fpowi"},
    {"gdc_launch_dependents_tko", "nv_tileaa.grid_dependency"},
    {"gdc_wait_tko", "nv_tileaa.grid_dependency"},
    {"insert", "arith.select"}};

/// Converted without an op of their own; the reason is printed.
const std::map<std::string, std::string> kForwarded = {
    {"break", "structured into scf.while before the patterns run"},
    {"loop", "structured into scf.while before the patterns run"},
    {"memory_fence_alias_tko", "forwards its token"},
    {"multimem_load_reduce_view_tko", "refused: multicast memory of several devices"},
    {"multimem_reduce_view_tko", "refused: multicast memory of several devices"},
    {"multimem_store_view_tko", "refused: multicast memory of several devices"},
};

using Mapping = std::map<std::string, std::set<std::string>>;

std::vector<std::string> findFiles(const std::string &root, llvm::StringRef suffix) {
  std::vector<std::string> files;
  std::error_code ec;
  for (llvm::sys::fs::recursive_directory_iterator it(root, ec), end; it != end && !ec;
       it.increment(ec))
    if (llvm::StringRef(it->path()).ends_with(suffix))
      files.push_back(it->path());
  return files;
}

TEST(MappingTest, PatternsMapAsTheRosterSays) {
  const char *root = std::getenv("TILESMITH_SOURCE_DIR");
  ASSERT_TRUE(root);
  mlir::DialectRegistry registry;
  tileaa::registerDialect(registry);
  registry.insert<cuda_tile::CudaTileDialect>();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  context.allowUnregisteredDialects(false);
  Mapping mapping;
  unsigned converted = 0;
  auto convert = [&](mlir::ModuleOp module) {
    module->walk([&](mlir::Operation *op) {
      if (op->getName().getDialectNamespace() == "cuda_tile")
        op->setLoc(
            mlir::NameLoc::get(mlir::StringAttr::get(&context, op->getName().stripDialect())));
    });
    mlir::PassManager passes(&context);
    passes.addPass(createConvertCudaTileToTileAAPass({"sm_90"}));
    if (mlir::failed(passes.run(module)))
      return;
    ++converted;
    module->walk([&](mlir::Operation *op) {
      if (auto from = mlir::dyn_cast<mlir::NameLoc>(op->getLoc()))
        mapping[from.getName().str()].insert(op->getName().getStringRef().str());
    });
  };
  std::string folder = std::string(root) + "/compiler/conversion/CudaTileToTileAA/test";
  for (const std::string &file : findFiles(folder, ".mlir")) {
    if (llvm::StringRef(file).contains("invalid"))
      continue;
    bool old = llvm::StringRef(file).contains("print-13-1");
    context.getLoadedDialect<cuda_tile::CudaTileDialect>()->setProfile(
        old ? cuda_tile::Profile::Tileiras13_1 : cuda_tile::Profile::Tileiras13_5);
    auto module = mlir::parseSourceFile<mlir::ModuleOp>(file, &context);
    ASSERT_TRUE(module) << file;
    convert(*module);
  }
  context.getLoadedDialect<cuda_tile::CudaTileDialect>()->setProfile(
      cuda_tile::Profile::Tileiras13_5);
  for (const std::string &file : findFiles(std::string(root) + "/corpus/frontends", ".tileirbc")) {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    ASSERT_TRUE(bool(buffer));
    auto tileModule = bytecode::readBytecode((*buffer)->getBuffer(), &context);
    ASSERT_TRUE(bool(tileModule)) << file << llvm::toString(tileModule.takeError());
    mlir::OwningOpRef<mlir::ModuleOp> module(mlir::ModuleOp::create((*tileModule)->getLoc()));
    module->push_back(tileModule->release());
    convert(*module);
  }
  EXPECT_GE(converted, 60u);

  std::set<std::string> listed;
  for (auto [op, targets] : kRoster) {
    listed.insert(op);
    const std::set<std::string> &seen = mapping[op];
    llvm::SmallVector<llvm::StringRef> wanted;
    llvm::StringRef(targets).split(wanted, ' ');
    for (llvm::StringRef target : wanted)
      EXPECT_TRUE(seen.count(target.str())) << op << " never becomes " << target.str();
    std::string all;
    for (const std::string &name : seen)
      all += " " + name;
    std::fprintf(stderr, "%-28s %-60s (with helpers:%s)\n", op, targets, all.c_str());
  }
  for (auto &[op, reason] : kForwarded) {
    listed.insert(op);
    std::fprintf(stderr, "%-28s %s\n", op.c_str(), reason.c_str());
  }
  for (mlir::RegisteredOperationName name : context.getRegisteredOperations())
    if (name.getDialectNamespace() == "cuda_tile")
      EXPECT_TRUE(listed.count(name.stripDialect().str()))
          << name.getStringRef().str() << " has no line in the mapping";
}

/// Converts `body` in an entry over pointers and an index; empty when it is refused, with why.
mlir::OwningOpRef<mlir::ModuleOp> convertBody(mlir::MLIRContext &context, const std::string &body,
                                              std::string &why) {
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    why += diagnostic.str() + "\n";
    return mlir::success();
  });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      "cuda_tile.module @m {\nentry @k(%p: tile<ptr<f32, <multicast>>>, %q: tile<ptr<i32>>, %i: "
      "tile<i32>) {\n" +
          body + "return\n}\n}",
      &context);
  EXPECT_TRUE(module) << why;
  mlir::PassManager passes(&context);
  passes.addPass(createConvertCudaTileToTileAAPass({"sm_90"}));
  if (!module || mlir::failed(passes.run(*module)))
    return {};
  return module;
}

// What the ops newer than 13.1 become: dependent launches stay in their place among the tokens, an
// alias fence is its token, the others are refused by name.
TEST(MappingTest, NewerOpsKeepTheirOrderOrAreRefused) {
  mlir::DialectRegistry registry;
  tileaa::registerDialect(registry);
  registry.insert<cuda_tile::CudaTileDialect>();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  std::string why;
  auto module =
      convertBody(context,
                  "%x, %t = load_ptr_tko weak %q : tile<ptr<i32>> -> tile<i32>, token\n"
                  "%a = gdc_wait_tko token = %t -> token\n%b = memory_fence_alias_tko %a\n"
                  "%c = gdc_launch_dependents_tko token = %b -> token\n"
                  "%d = store_ptr_tko weak %q, %x token=%c : tile<ptr<i32>>, tile<i32> -> token\n",
                  why);
  ASSERT_TRUE(module) << why;
  tileaa::LoadOp load;
  tileaa::StoreOp store;
  module->walk([&](tileaa::LoadOp op) { load = op; });
  module->walk([&](tileaa::StoreOp op) { store = op; });
  ASSERT_TRUE(load && store);
  auto launch = store.getToken().getDefiningOp<tileaa::GridDependencyOp>();
  ASSERT_TRUE(launch);
  EXPECT_EQ(launch.getKind(), tileaa::GridDependency::launch_dependents);
  auto wait = launch.getToken().getDefiningOp<tileaa::GridDependencyOp>();
  ASSERT_TRUE(wait);
  EXPECT_EQ(wait.getKind(), tileaa::GridDependency::wait);
  EXPECT_EQ(wait.getToken(), load.getResultToken());

  const std::string view =
      "partition_view<tile=(16), tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>>";
  const std::string start =
      "%t = make_tensor_view %p, shape = [64], strides = [1] : tile<ptr<f32, <multicast>>> -> "
      "tensor_view<64xf32, strides=[1], #cuda_tile.ptr_attr<multicast>>\n%v = "
      "make_partition_view %t : " +
      view + "\n%a = constant <f32: 1.0> : tile<16xf32>\n";
  const std::pair<const char *, std::string> refused[] = {
      {"multimem_load_reduce_view_tko", "%x, %k = multimem_load_reduce_view_tko weak %v[%i] : " +
                                            view + ", tile<i32> -> tile<16xf32>, token\n"},
      {"multimem_reduce_view_tko", "%k = multimem_reduce_view_tko relaxed device %v, %a[%i] : " +
                                       view + ", tile<16xf32>, tile<i32> -> token\n"},
      {"multimem_store_view_tko", "%k = multimem_store_view_tko relaxed sys %v, %a[%i] : " + view +
                                      ", tile<16xf32>, tile<i32> -> token\n"}};
  for (auto &[name, text] : refused) {
    why.clear();
    EXPECT_FALSE(convertBody(context, start + text, why)) << name;
    EXPECT_NE(why.find(std::string("cuda_tile.") + name), std::string::npos) << why;
  }
}

} // namespace
