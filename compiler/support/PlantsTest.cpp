//===- PlantsTest.cpp -------------------------------------------------------------------------===//
#include "compiler/support/Plants.h"
#include "compiler/support/PlantRules.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <set>

using namespace tilesmith;

namespace {

TEST(PlantsTest, RegistryIsSortedAndUnique) {
  llvm::ArrayRef<PlantInfo> plants = plantRegistry();
  for (size_t i = 1; i < plants.size(); ++i)
    EXPECT_LT(plants[i - 1].id, plants[i].id);
}

#ifdef TILESMITH_PLANTS
TEST(PlantsTest, ActivationSwitchesExactlyOne) {
  deactivatePlants();
  for (const PlantInfo &plant : plantRegistry()) {
    EXPECT_FALSE(isPlantActive(plant.id));
    ASSERT_FALSE(bool(activatePlant(plant.id)));
    for (const PlantInfo &other : plantRegistry())
      EXPECT_EQ(isPlantActive(other.id), other.id == plant.id);
    deactivatePlants();
    EXPECT_FALSE(isPlantActive(plant.id));
  }
}
#endif

TEST(PlantsTest, UnknownIdIsAnError) {
  llvm::Error error = activatePlant("no-such-plant");
  EXPECT_NE(llvm::toString(std::move(error)).find("unknown planted bug 'no-such-plant'"),
            std::string::npos);
}

// Every use of the macro in the sources names a registered plant, and every plant is used there.
TEST(PlantsTest, EveryUseIsRegistered) {
  const char *root = std::getenv("TILESMITH_SOURCE_DIR");
  if (!root || plantRegistry().empty())
    GTEST_SKIP() << "needs the source folder and a build with planted bugs";
  std::set<std::string> known, used;
  for (const PlantInfo &plant : plantRegistry())
    known.insert(plant.id.str());
  for (const char *room : {"compiler", "reference", "generators", "oracles", "fuzz"}) {
    llvm::SmallString<256> folder(root);
    llvm::sys::path::append(folder, room);
    std::error_code ec;
    for (llvm::sys::fs::recursive_directory_iterator it(folder, ec), end; it != end && !ec;
         it.increment(ec)) {
      llvm::StringRef path = it->path();
      if (!path.ends_with(".cpp") || path.ends_with("PlantsTest.cpp"))
        continue;
      auto buffer = llvm::MemoryBuffer::getFile(path);
      ASSERT_TRUE(bool(buffer)) << path.str();
      llvm::StringRef text = (*buffer)->getBuffer(), macro = "TILESMITH_PLANT(\"";
      for (size_t at = text.find(macro); at != llvm::StringRef::npos;
           at = text.find(macro, at + 1)) {
        llvm::StringRef id =
            text.substr(at + macro.size()).take_until([](char c) { return c == '"'; });
        used.insert(id.str());
        EXPECT_TRUE(known.count(id.str())) << path.str() << " uses unregistered plant " << id.str();
      }
    }
  }
  for (const std::string &id : known)
    EXPECT_TRUE(used.count(id)) << id << " is registered, but nowhere in the sources";
}

TEST(PlantsTest, RulesNameRegisteredPlantsOnce) {
  std::set<std::string> known, ruled;
  for (const PlantInfo &plant : plantRegistry())
    known.insert(plant.id.str());
  for (const MechanicalRule &rule : mechanicalRules())
    for (llvm::StringRef id : rule.plants()) {
      EXPECT_TRUE(known.count(id.str())) << id.str() << " is in a rule, but not registered";
      EXPECT_TRUE(ruled.insert(id.str()).second) << id.str() << " follows two rules";
      EXPECT_EQ(mechanicalRule(id), rule.name);
    }
  EXPECT_EQ(mechanicalRule("no-such-plant"), "");
}

} // namespace
