//===- EditsTest.cpp --------------------------------------------------------------------------===//
//
// Every metamorphic edit is possible on generated kernels, makes a valid module, and leaves the
// results of the reference as they are.
//
//===------------------------------------------------------------------------------------------===//
#include "generators/mutate/Edits.h"
#include "compiler/dialect/CudaTile/IR/CudaTile.h"
#include "generators/mutate/ChangeTools.h"
#include "generators/mutate/Changes.h"
#include "generators/program/ProgramGenerator.h"
#include "oracles/metamorphic/Pinning.h"

#include "gtest/gtest.h"

#include <map>

using namespace tilesmith;

namespace {

uint64_t casesPerEdit() {
  const char *count = std::getenv("TILESMITH_EDIT_CASES");
  return count ? std::strtoull(count, nullptr, 10) : 40;
}

TEST(Edits, KeepTheResultsOfTheReference) {
  generators::ProgramGenerator generator;
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  auto engines = llvm::cantFail(oracles::createEngines("reference"));
  oracles::DifferentialOptions options;
  options.compareWithSelf = false;
  std::map<std::string, unsigned> applied, open;
  for (uint64_t i = 0; i < casesPerEdit(); ++i) {
    generators::ChoiceStream stream = generators::streamOfCase(61, i);
    auto original = generator.generate(stream, generators::nameOfCase(61, i));
    ASSERT_TRUE(static_cast<bool>(original)) << llvm::toString(original.takeError());
    for (const generators::Edit &edit : generators::allEdits()) {
      generators::ChoiceStream choices = generators::streamOfCase(62, i);
      testcase::TestCase base = *original;
      if (edit.name == "weaken-token") {
        // Rules leave out tokens that add nothing; the opposite edit makes them.
        auto stronger = generators::editCase(base, choices, 3, context, "strengthen-token");
        ASSERT_TRUE(static_cast<bool>(stronger)) << llvm::toString(stronger.takeError());
        base = std::move(*stronger);
      }
      auto edited = generators::editCase(base, choices, 2, context, edit.name);
      ASSERT_TRUE(static_cast<bool>(edited)) << edit.name.str() << " on " << original->name << ": "
                                             << llvm::toString(edited.takeError());
      if (edited->edits.size() == base.edits.size())
        continue;
      ++applied[edit.name.str()];
      auto report =
          oracles::judgeEdited(*original, *edited, original->versions().front(), engines, options);
      EXPECT_FALSE(report.verdict.isDisagree())
          << edit.name.str() << " on " << original->name << ": " << report.verdict.str();
      open[edit.name.str()] += report.verdict.isInconclusive();
    }
  }
  unsigned all = 0, unknown = 0;
  for (const generators::Edit &edit : generators::allEdits()) {
    std::string name = edit.name.str();
    EXPECT_GE(applied[name], 1u) << name << " never applied";
    // An inconclusive comparison shows nothing about the edit.
    EXPECT_LT(open[name], applied[name]) << name << " was never compared";
    all += applied[name], unknown += open[name];
    std::printf("%-20s applied to %u of %u kernels, %u inconclusive\n", name.c_str(), applied[name],
                static_cast<unsigned>(casesPerEdit()), open[name]);
  }
  EXPECT_LE(unknown * 10, all) << "more than one comparison in ten was inconclusive";
}

// Each change is possible and mostly makes a module that verifies; one that does not is an error, no
// crash, and the case has lost what it expected.
TEST(Edits, ChangesAreMostlyVerified) {
  generators::ProgramGenerator generator;
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  std::map<std::string, unsigned> applied, refused;
  // Few kernels have two loops behind each other.
  for (uint64_t i = 0; i < casesPerEdit() * 3 / 2; ++i) {
    generators::ChoiceStream stream = generators::streamOfCase(66, i);
    auto original = generator.generate(stream, generators::nameOfCase(66, i));
    ASSERT_TRUE(static_cast<bool>(original)) << llvm::toString(original.takeError());
    for (const generators::Change &change : generators::allChanges()) {
      generators::ChoiceStream choices = generators::streamOfCase(67, i);
      auto changed = generators::changeCase(*original, choices, 1, context, change.name);
      if (!changed) {
        llvm::consumeError(changed.takeError());
        ++refused[change.name.str()];
        continue;
      }
      EXPECT_FALSE(changed->choices.has_value());
      if (changed->edits.empty())
        continue;
      ++applied[change.name.str()];
      const bool differs = changed->launches != original->launches;
      EXPECT_TRUE(differs) << change.name.str() << " on " << original->name;
    }
  }
  for (const generators::Change &change : generators::allChanges()) {
    const std::string name = change.name.str();
    std::printf("%-10s %u changed, %u do not verify\n", name.c_str(), applied[name], refused[name]);
    EXPECT_GE(applied[name], 3u) << name;
  }
}

// Found by fuzzing: arrays of i32 became others, and with them the numbers that are extents of tiles.
TEST(Edits, LeaveExtentsWhatTheyAre) {
  using namespace tilesmith::cuda_tile;
  mlir::MLIRContext context;
  context.loadDialect<CudaTileDialect>();
  mlir::Type i32 = mlir::IntegerType::get(&context, 32), i64 = mlir::IntegerType::get(&context, 64);
  auto tensor = TensorViewType::get(&context, i32, {8}, {1}, {});
  auto view = PartitionViewType::get(&context, mlir::DenseI32ArrayAttr::get(&context, {8}), tensor,
                                     {0}, {});
  mlir::AttrTypeReplacer replacer;
  replacer.addReplacement([=](mlir::Type type) -> std::optional<mlir::Type> {
    return type == i32 ? std::optional(i64) : std::nullopt;
  });
  generators::keepArrays(replacer);
  auto other = llvm::cast<PartitionViewType>(replacer.replace(view));
  EXPECT_EQ(other.getTensorView().getElementType(), i64);
  EXPECT_EQ(other.getTileShape(), view.getTileShape());
}

// Found by fuzzing: bytecode 13.1 cannot hold the token of a print, which this kernel has.
TEST(Edits, TakeNoTokenThatTheVersionLacks) {
  generators::ProgramGenerator generator;
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  generators::ChoiceStream stream = generators::streamOfCase(17125, 267);
  auto original = generator.generate(stream, "case");
  ASSERT_TRUE(static_cast<bool>(original));
  ASSERT_EQ(original->versions().front(), "13.1");
  for (uint64_t i = 0; i < 40; ++i) {
    generators::ChoiceStream choices = generators::streamOfCase(65, i);
    auto edited = generators::editCase(*original, choices, 2, context, "strengthen-token");
    EXPECT_TRUE(static_cast<bool>(edited)) << llvm::toString(edited.takeError());
  }
}

TEST(Edits, ComposeAndAreListedInOrder) {
  generators::ProgramGenerator generator;
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  generators::ChoiceStream stream = generators::streamOfCase(63, 1);
  auto original = generator.generate(stream, "case");
  ASSERT_TRUE(static_cast<bool>(original));
  generators::ChoiceStream choices = generators::streamOfCase(64, 1), again = choices;
  auto edited = generators::editCase(*original, choices, 5, context);
  auto same = generators::editCase(*original, again, 5, context);
  ASSERT_TRUE(static_cast<bool>(edited)) << llvm::toString(edited.takeError());
  ASSERT_TRUE(static_cast<bool>(same)) << llvm::toString(same.takeError());
  EXPECT_EQ(edited->edits.size(), 5u);
  EXPECT_EQ(*edited, *same);
}

} // namespace
