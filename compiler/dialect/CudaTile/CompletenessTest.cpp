//===- CompletenessTest.cpp - every op is parsed, printed, verified, encoded ------------------===//
//
// Walks the registered ops and builds a table from what happens to the ops of the sample modules
// (test/*-ops.mlir and profile-13.1.mlir):
//   parse     the op was read from text
//   print     printing the module and reading it back gives the same module
//   verify    a broken copy is refused with a diagnostic that names the op, or its parent
//   bytecode  writing (13.5) and reading gives the same module
//   fold      the op has a folder or canonicalization patterns
// The table must equal completeness.txt, where every gap has a reason. It is printed, so that a new
// op shows what it lacks.
//
//===------------------------------------------------------------------------------------------===//
#include "compiler/bytecode/BytecodeReader.h"
#include "compiler/bytecode/BytecodeWriter.h"
#include "compiler/bytecode/OpTable.h"
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "compiler/dialect/CudaTile/IR/CudaTileTesting.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace mlir;
using namespace tilesmith;

namespace {

template <typename... OpTs> std::set<std::string> opsWithFolder() {
  std::set<std::string> names;
  auto add = [&]<typename OpT>() {
    if constexpr (requires { &OpT::fold; })
      names.insert(OpT::getOperationName().str());
  };
  (add.template operator()<OpTs>(), ...);
  return names;
}

std::set<std::string> allOpsWithFolder() {
  std::set<std::string> names;
  auto merge = [&](std::set<std::string> more) { names.merge(more); };
  using namespace cuda_tile;
#define GET_OP_LIST
  merge(opsWithFolder<
#include "compiler/dialect/CudaTile/IR/CoreOps.cpp.inc"
        >());
#define GET_OP_LIST
  merge(opsWithFolder<
#include "compiler/dialect/CudaTile/IR/ControlFlowOps.cpp.inc"
        >());
#define GET_OP_LIST
  merge(opsWithFolder<
#include "compiler/dialect/CudaTile/IR/IntegerOps.cpp.inc"
        >());
#define GET_OP_LIST
  merge(opsWithFolder<
#include "compiler/dialect/CudaTile/IR/FloatingPointOps.cpp.inc"
        >());
#define GET_OP_LIST
  merge(opsWithFolder<
#include "compiler/dialect/CudaTile/IR/MathOps.cpp.inc"
        >());
#define GET_OP_LIST
  merge(opsWithFolder<
#include "compiler/dialect/CudaTile/IR/ConversionOps.cpp.inc"
        >());
#define GET_OP_LIST
  merge(opsWithFolder<
#include "compiler/dialect/CudaTile/IR/MemoryOps.cpp.inc"
        >());
#define GET_OP_LIST
  merge(opsWithFolder<
#include "compiler/dialect/CudaTile/IR/ViewOps.cpp.inc"
        >());
#define GET_OP_LIST
  merge(opsWithFolder<
#include "compiler/dialect/CudaTile/IR/AtomicOps.cpp.inc"
        >());
#define GET_OP_LIST
  merge(opsWithFolder<
#include "compiler/dialect/CudaTile/IR/MiscOps.cpp.inc"
        >());
#define GET_OP_LIST
  merge(opsWithFolder<
#include "compiler/dialect/CudaTile/IR/MultimemOps.cpp.inc"
        >());
  return names;
}

struct Row {
  bool parsed = false, printed = false, verified = false, encoded = false;
};

struct Walk {
  std::map<std::string, Row> rows;

  std::unique_ptr<MLIRContext> context(cuda_tile::Profile profile) {
    auto ctx = std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
    auto *dialect = ctx->getOrLoadDialect<cuda_tile::CudaTileDialect>();
    dialect->setProfile(profile);
    cuda_tile::registerTestingOps(*dialect);
    return ctx;
  }

  static std::string generic(Operation *op) {
    std::string text;
    llvm::raw_string_ostream os(text);
    op->print(os, OpPrintingFlags().printGenericOpForm());
    return StringRef(text).rtrim().str(); // a top-level op ends in a newline
  }

  // Breaks the op in a copy of the module and reads the first diagnostic.
  static bool refusesBroken(ModuleOp module, StringRef name) {
    OwningOpRef<ModuleOp> copy = module.clone();
    Operation *target = nullptr;
    copy->walk([&](Operation *op) {
      if (!target && op->getName().getStringRef() == name)
        target = op;
    });
    std::string parent = target->getParentOp()->getName().getStringRef().str();
    Type none = NoneType::get(module.getContext());
    if (target->getNumResults()) {
      target->getResult(0).setType(none);
    } else if (target->hasTrait<OpTrait::SymbolTable>() || isa<SymbolOpInterface>(target)) {
      target->removeAttr(SymbolTable::getSymbolAttrName());
    } else {
      OpBuilder builder(target);
      Value wrong =
          UnrealizedConversionCastOp::create(builder, target->getLoc(), none, ValueRange())
              .getResult(0);
      if (target->getNumOperands())
        target->setOperand(0, wrong);
      else
        target->insertOperands(0, wrong);
    }
    std::string first;
    ScopedDiagnosticHandler handler(module.getContext(), [&](Diagnostic &diagnostic) {
      if (first.empty())
        first = diagnostic.str();
    });
    if (succeeded(verify(*copy)))
      return false;
    return StringRef(first).contains(name) || StringRef(first).contains(parent) ||
           StringRef(first).contains(("`" + name.substr(strlen("cuda_tile."))).str());
  }

  void take(StringRef text, cuda_tile::Profile profile, bool encode) {
    auto ctx = context(profile);
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, ctx.get());
    ASSERT_TRUE(module);
    std::set<std::string> names;
    module->walk([&](Operation *op) {
      if (isa<cuda_tile::CudaTileDialect>(op->getDialect()))
        names.insert(op->getName().getStringRef().str());
    });
    std::string printed;
    llvm::raw_string_ostream os(printed);
    module->print(os);
    OwningOpRef<ModuleOp> again = parseSourceString<ModuleOp>(printed, ctx.get());
    bool same = again && generic(*again) == generic(*module);

    bool encoded = encode;
    for (auto inner : module->getOps<cuda_tile::ModuleOp>()) {
      std::string data;
      llvm::raw_string_ostream stream(data);
      if (llvm::Error error = bytecode::writeBytecode(inner, stream, {13, 5, 0})) {
        llvm::consumeError(std::move(error));
        encoded = false;
        continue;
      }
      auto read = bytecode::readBytecode(data, ctx.get());
      if (!read) {
        ADD_FAILURE() << llvm::toString(read.takeError());
        encoded = false;
        continue;
      }
      read->get().setSymName(inner.getSymName()); // files do not hold it
      EXPECT_EQ(generic(read->get()), generic(inner));
      encoded &= generic(read->get()) == generic(inner);
    }
    for (const std::string &name : names) {
      Row &row = rows[name];
      row.parsed = true;
      row.printed |= same;
      row.encoded |= encoded;
      row.verified |= refusesBroken(*module, name);
    }
  }
};

std::string readFile(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

TEST(CompletenessTest, EveryOp) {
  const std::string folder = TILESMITH_SOURCE_DIR "/compiler/dialect/CudaTile/";
  Walk walk;
  for (const char *file : {"arithmetic-ops", "control-flow-ops", "core-ops", "memory-ops"})
    walk.take(readFile(folder + "test/" + file + ".mlir"), cuda_tile::Profile::Tileiras13_5, true);
  walk.take(readFile(folder + "test/profile-13.1.mlir"), cuda_tile::Profile::Tileiras13_1, false);

  std::set<std::string> folds = allOpsWithFolder();
  MLIRContext ctx;
  ctx.getOrLoadDialect<cuda_tile::CudaTileDialect>();
  std::string table;
  llvm::raw_string_ostream os(table);
  os << llvm::left_justify("op", 32) << "since parse print verify bytecode fold\n";
  auto mark = [](bool good) { return good ? "yes" : "NO"; };
  unsigned count = 0;
  auto infos = llvm::to_vector(ctx.getRegisteredOperationsByDialect("cuda_tile"));
  llvm::sort(infos, [](RegisteredOperationName a, RegisteredOperationName b) {
    return a.getStringRef() < b.getStringRef();
  });
  for (RegisteredOperationName info : infos) {
    ++count;
    StringRef name = info.getStringRef();
    const Row &row = walk.rows[name.str()];
    RewritePatternSet patterns(&ctx);
    info.getCanonicalizationPatterns(patterns, &ctx);
    bool canonicalizes = !patterns.getNativePatterns().empty();
    StringRef fold = folds.contains(name.str()) ? (canonicalizes ? "both" : "fold")
                     : canonicalizes            ? "canonicalize"
                                                : "(1)";
    StringRef shortName = name.drop_front(strlen("cuda_tile."));
    const bytecode::OpRecord *record = bytecode::findOpByName(shortName);
    std::string since = record ? "13." + std::to_string(record->since) : "13.1";
    StringRef encoded = row.encoded ? "yes" : shortName == "print" ? "(2)" : "NO";
    os << llvm::left_justify(shortName, 32) << llvm::left_justify(since, 6)
       << llvm::left_justify(mark(row.parsed), 6) << llvm::left_justify(mark(row.printed), 6)
       << llvm::left_justify(mark(row.verified), 7) << llvm::left_justify(encoded, 9) << fold
       << "\n";
  }
  os << "\n(1) the public dialect has no fold for this op, and folds must not go beyond it: "
        "frontends "
        "see\n    the folded text\n(2) print is how a tool of 13.1 shows opcode 85; files hold "
        "print_tko\n";
  EXPECT_EQ(count, 109u);
  EXPECT_EQ(table.find("NO"), std::string::npos);
  EXPECT_EQ(table, readFile(folder + "completeness.txt")) << "the table is now:\n" << table;
}

} // namespace
