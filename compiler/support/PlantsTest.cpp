//===- PlantsTest.cpp -------------------------------------------------------------------------===//
#include "compiler/support/Plants.h"
#include "compiler/support/PlantRules.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <map>
#include <set>
#include <vector>

using namespace tilesmith;

namespace {

TEST(PlantsTest, RegistryIsSortedAndUnique) {
  llvm::ArrayRef<PlantInfo> plants = plantRegistry();
  for (size_t i = 1; i < plants.size(); ++i)
    EXPECT_LT(plants[i - 1].id, plants[i].id);
}

// The file that a row stands in is named for the folder of its site.
TEST(PlantsTest, RowsStandInTheFileOfTheirFolder) {
  const char *root = std::getenv("TILESMITH_SOURCE_DIR");
  if (!root)
    GTEST_SKIP() << "needs the source folder";
  std::set<std::string> folders;
  std::map<std::string, std::vector<std::string>> sites; // by file of the rows
  std::error_code ec;
  for (llvm::sys::fs::directory_iterator it(std::string(root) + "/compiler/support/plants", ec),
       end;
       it != end && !ec; it.increment(ec)) {
    auto buffer = llvm::MemoryBuffer::getFile(it->path());
    ASSERT_TRUE(bool(buffer)) << it->path();
    const std::string name = llvm::sys::path::stem(it->path()).str();
    folders.insert(name);
    llvm::SmallVector<llvm::StringRef> lines;
    (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
    llvm::StringRef last;
    for (llvm::StringRef line : lines) {
      if (!line.consume_front("{\""))
        continue;
      llvm::SmallVector<llvm::StringRef> fields;
      line.split(fields, "\", \"");
      ASSERT_EQ(fields.size(), 4u) << line.str();
      EXPECT_LT(last, fields[0]);
      last = fields[0];
      sites[name].push_back(fields[2].str());
    }
  }
  size_t rows = 0;
  for (const auto &[name, files] : sites)
    for (llvm::StringRef file : files) {
      llvm::StringRef folder = llvm::StringRef(file).split('/').second.split('/').second;
      folder = folder.split('/').first;
      EXPECT_EQ(folders.count(folder.str()) ? folder.str() : "Others", name) << file.str();
      ++rows;
    }
  if (!plantRegistry().empty())
    EXPECT_EQ(rows, plantRegistry().size());
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
