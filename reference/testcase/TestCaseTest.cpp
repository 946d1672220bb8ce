//===- TestCaseTest.cpp -----------------------------------------------------------------------===//
#include "reference/testcase/TestCase.h"

#include <fstream>
#include <sys/stat.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include "reference/testcase/Launch.h"

using namespace tilesmith::testcase;
using testing::HasSubstr;

namespace {

/// A fresh folder that disappears with the test.
class TestCaseTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("tilesmith-case", root));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(root); }
  std::string path(llvm::StringRef name) {
    llvm::SmallString<256> p(root);
    llvm::sys::path::append(p, name);
    return p.str().str();
  }
  void write(llvm::StringRef name, llvm::StringRef text) {
    std::ofstream(path(name), std::ios::binary).write(text.data(), text.size());
  }
  std::string loadError(llvm::StringRef json) {
    write("case.json", json);
    auto loaded = loadTestCase(root);
    return loaded ? "loaded" : llvm::toString(loaded.takeError());
  }
  llvm::SmallString<256> root;
};

TestCase fullCase() {
  TestCase c;
  c.name = "all";
  Launch l;
  l.kernel = "k";
  l.modules = {{"13.1", "k.v13.1.tileirbc", {1, 2, 3}}, {"13.10", "k.v13.10.tileirbc", {4}}};
  l.grid = {3, 2, 1};
  l.params = {Parameter::pointer(0, DataType::F32),
              Parameter::pointer(1, DataType::U8, -2),
              Parameter::scalar(DataType::I64, 0x8000000000000000ull),
              Parameter::scalar(DataType::U64, ~0ull),
              Parameter::scalar(DataType::F16, 0x7c00),
              Parameter::scalar(DataType::F64, 0x3fb999999999999aull),
              Parameter::scalar(DataType::Bool, 1)};
  Parameter table;
  table.kind = Parameter::Kind::Table;
  table.dtype = DataType::I64;
  table.rows = {{{true, 1, 3, 0}, {false, 0, 0, ~0ull}}};
  l.params.push_back(table);
  c.launches = {l, l};
  Buffer f;
  f.shape = {2, 2};
  f.strides = {3, 1};
  f.data.assign(20, 7);
  f.expect = Bytes(20, 9);
  f.open = Bytes(20, 0);
  f.open[3] = 1;
  f.compare = {Comparison::Mode::Close, 1e-6, 1e-5};
  Buffer u;
  u.dtype = DataType::U8;
  u.shape = {5};
  u.strides = {1};
  u.data.assign(5, 1);
  c.buffers = {f, u};
  c.standardOutput = "hi\n";
  c.traps = true;
  c.message = "no";
  c.mayReject = true;
  c.notes = "every key";
  c.expectReject = ExpectedRejection{"rule", "addi", "", "text"};
  c.minSm = 90;
  c.features = {"fp8"};
  c.edits = {"swap-operands"};
  c.choices = Bytes{1, 2};
  c.generator = llvm::json::Object{{"name", "elementwise"}, {"seed", 5}};
  c.exactData = true;
  return c;
}

TEST_F(TestCaseTest, SaveThenLoadGivesTheSameCase) {
  TestCase c = fullCase();
  ASSERT_FALSE(static_cast<bool>(saveTestCase(c, path("case"))));
  auto loaded = loadTestCase(path("case"));
  ASSERT_TRUE(static_cast<bool>(loaded)) << llvm::toString(loaded.takeError());
  EXPECT_TRUE(*loaded == c);
  EXPECT_EQ(printTestCase(*loaded), printTestCase(c));
  EXPECT_EQ(loaded->versions(), (std::vector<std::string>{"13.1", "13.10"}));
}

TEST_F(TestCaseTest, SavingReplacesTheWholeFolder) {
  TestCase c = fullCase();
  ASSERT_FALSE(static_cast<bool>(saveTestCase(c, path("case"))));
  c.choices.reset();
  ASSERT_FALSE(static_cast<bool>(saveTestCase(c, path("case"))));
  EXPECT_FALSE(llvm::sys::fs::exists(path("case/choices.bin")));
  EXPECT_TRUE(llvm::sys::fs::exists(path("case/b0.out.bin")));
}

TEST_F(TestCaseTest, SavingRefusesAFolderWithAnythingElseInIt) {
  llvm::sys::fs::create_directories(path("user"));
  write("user/Save.cpp", "mine");
  EXPECT_EQ(llvm::toString(saveTestCase(fullCase(), path("user"))),
            "cannot write folder '" + path("user") +
                "': expected a new or empty folder or one that tilesmith wrote, found 'Save.cpp' "
                "in it");
  EXPECT_FALSE(llvm::sys::fs::exists(path("user/case.json")));
  // A case that somebody made by hand is not ours either.
  llvm::sys::fs::create_directories(path("hand"));
  write("hand/case.json", "{}");
  EXPECT_THAT(llvm::toString(saveTestCase(fullCase(), path("hand"))),
              HasSubstr("found 'case.json' in it"));
  std::ifstream kept(path("hand/case.json"));
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(kept), {}), "{}");
}

TEST_F(TestCaseTest, UnknownKeysAreNamed) {
  EXPECT_THAT(loadError(R"({"name":"x","buffers":[],"wrong":1})"),
              HasSubstr("case.json: unknown key 'wrong' in case"));
  write("b.bin", "abcd");
  EXPECT_THAT(
      loadError(
          R"({"name":"x","buffers":[{"dtype":"i8","shape":[4],"strides":[1],"data":"b.bin","e":1}]})"),
      HasSubstr("unknown key 'e' in buffers[0]"));
}

TEST_F(TestCaseTest, FilesOfTheWrongSizeAreNamedWithBothSizes) {
  write("b.bin", "abc");
  EXPECT_THAT(
      loadError(
          R"({"name":"x","buffers":[{"dtype":"i16","shape":[4],"strides":[1],"data":"b.bin"}]})"),
      HasSubstr("expected 8 bytes in 'b.bin' of buffers[0], found 3"));
  EXPECT_THAT(
      loadError(
          R"({"name":"x","buffers":[{"dtype":"i16","shape":[4],"strides":[1],"data":"none.bin"}]})"),
      HasSubstr("buffers[0] names file 'none.bin'"));
  EXPECT_THAT(
      loadError(
          R"({"name":"x","buffers":[{"dtype":"i16","shape":[4],"strides":[1],"data":"../b.bin"}]})"),
      HasSubstr("expected a plain file name"));
}

TEST_F(TestCaseTest, AModuleIsNamedByItsVersion) {
  auto error = [&](const char *version, const char *more = "") {
    return loadError(
        llvm::formatv(R"({{"name":"x","buffers":[],"kernel":"k","grid":[1,1,1],"params":[],)"
                      R"("modules":{{"{0}":"m"}{1}})",
                      version, more)
            .str());
  };
  write("m", llvm::StringRef("\x7fTileIR\0\x0d\3", 10).str());
  EXPECT_EQ(error("13.3"), "loaded");
  EXPECT_THAT(error("13.4"), HasSubstr("expected \"13.3\", the version of the bytecode, as key of "
                                       "'m' in case, found \"13.4\""));
  EXPECT_THAT(error("99.1"), HasSubstr("expected \"13.3\""));
  EXPECT_EQ(error("13.4", R"(,"expect_reject":{"rule":"r"})"), "loaded") << "a fault of the header";
  write("m", "cuda_tile.module @m {}");
  EXPECT_EQ(error("13.4"), "loaded") << "text has no version of its own";
  for (const char *version : {"", "13", "13.", ".3", "x", "13.x", "013.3", "13.03", "13.3 ",
                              "13.3.1", "-13.3", "99999999999.1"})
    EXPECT_THAT(error(version), HasSubstr("expected a version such as \"13.1\"")) << version;
}

TEST_F(TestCaseTest, NothingButFilesIsRead) {
  std::string folder = path("c");
  ASSERT_FALSE(bool(saveTestCase(fullCase(), folder)));
  auto error = [&] {
    auto loaded = loadTestCase(folder);
    return loaded ? "loaded" : llvm::toString(loaded.takeError());
  };
  ASSERT_EQ(error(), "loaded");
  ASSERT_FALSE(llvm::sys::fs::rename(folder + "/b0.bin", path("elsewhere")));
  ASSERT_FALSE(llvm::sys::fs::create_link(path("elsewhere"), folder + "/b0.bin"));
  EXPECT_EQ(error(), "loaded") << "a link to a file is one";
  ASSERT_FALSE(llvm::sys::fs::remove(folder + "/b0.bin"));
  ASSERT_FALSE(llvm::sys::fs::create_link("/dev/zero", folder + "/b0.bin"));
  EXPECT_THAT(error(), HasSubstr("names file 'b0.bin': expected a regular file"));
  ASSERT_FALSE(llvm::sys::fs::remove(folder + "/case.json"));
  ASSERT_EQ(mkfifo((folder + "/case.json").c_str(), 0600), 0);
  EXPECT_THAT(error(), HasSubstr("case.json: expected a regular file"));
}

TEST_F(TestCaseTest, ScalarsMustFitTheirType) {
  write("m", "");
  auto with = [&](llvm::StringRef param) {
    return loadError(
        (R"({"name":"x","kernel":"k","modules":{"13.1":"m"},"grid":[1,1,1],"buffers":[],"params":[)" +
         param + "]}")
            .str());
  };
  EXPECT_EQ(with(R"({"scalar":"u8","value":255})"), "loaded");
  EXPECT_EQ(with(R"({"scalar":"u64","value":18446744073709551615})"), "loaded");
  EXPECT_THAT(with(R"({"scalar":"u8","value":256})"),
              HasSubstr("expected a value of type u8 for case.params[0]"));
  EXPECT_THAT(with(R"({"scalar":"i8","value":128})"), HasSubstr("expected a value of type i8"));
  EXPECT_THAT(with(R"({"ptr":0,"dtype":"f32"})"),
              HasSubstr("expected an integer from 0 to -1 for 'ptr'"));
}

TEST_F(TestCaseTest, OpenBytesNeedAnExpectationAndFlags) {
  write("m", "");
  write("d", "ab");
  write("flags", llvm::StringRef("\0\2", 2));
  auto with = [&](llvm::StringRef keys) {
    return loadError(
        (R"({"name":"x","kernel":"k","modules":{"13.1":"m"},"grid":[1,1,1],"params":[],"buffers":[)"
         R"({"dtype":"u8","shape":[2],"strides":[1],"data":"d",)" +
         keys + "}]}")
            .str());
  };
  EXPECT_THAT(with(R"("open":"flags")"), HasSubstr("expected 'expect' beside 'open'"));
  EXPECT_THAT(with(R"("expect":"d","open":"m")"), HasSubstr("expected 2 bytes in 'm'"));
  EXPECT_THAT(with(R"("expect":"d","open":"flags")"),
              HasSubstr("expected flags 0 and 1 in 'flags' of buffers[0], found 2"));
}

TEST_F(TestCaseTest, LaunchesFlattenToBitPatterns) {
  TestCase c = fullCase();
  std::vector<uint64_t> placed;
  auto image =
      flattenLaunch(c, c.launches[0], {0x1000, 0x2000}, [&](llvm::ArrayRef<uint64_t> words) {
        placed = words.vec();
        return llvm::Expected<uint64_t>(0x3000);
      });
  ASSERT_TRUE(static_cast<bool>(image));
  ASSERT_EQ(image->arguments.size(), 8u);
  EXPECT_EQ(image->arguments[0].bits, 0x1000u);
  EXPECT_EQ(image->arguments[1].bits, 0x1ffeu);
  EXPECT_EQ(image->arguments[2].bits, 0x8000000000000000ull);
  EXPECT_EQ(image->arguments[4].bits, 0x7c00u);
  EXPECT_EQ(image->arguments[4].size, 2u);
  EXPECT_EQ(image->arguments[6].size, 1u);
  EXPECT_EQ(image->arguments[7].bits, 0x3000u);
  EXPECT_EQ(placed, (std::vector<uint64_t>{0x2003, ~0ull}));
}

TEST_F(TestCaseTest, EverySharedFrontendCaseLoadsAndSurvivesARoundTrip) {
  const char *source = std::getenv("TILESMITH_SOURCE_DIR");
  if (!source)
    GTEST_SKIP() << "TILESMITH_SOURCE_DIR is not set";
  unsigned seen = 0;
  for (llvm::StringRef relative :
       {"/corpus/frontends", "/../shared/frontends", "/../shared/frontends-cpp"}) {
    std::error_code code;
    std::string base = source + relative.str();
    for (llvm::sys::fs::directory_iterator it(base, code), end; !code && it != end;
         it.increment(code)) {
      if (!llvm::sys::fs::exists(it->path() + "/case.json"))
        continue;
      auto loaded = loadTestCase(it->path());
      ASSERT_TRUE(static_cast<bool>(loaded)) << llvm::toString(loaded.takeError());
      if (++seen % 40 == 0) {
        ASSERT_FALSE(static_cast<bool>(saveTestCase(*loaded, path("copy"))));
        auto copy = loadTestCase(path("copy"));
        ASSERT_TRUE(static_cast<bool>(copy)) << llvm::toString(copy.takeError());
        EXPECT_TRUE(*copy == *loaded);
      }
    }
  }
  RecordProperty("cases", static_cast<int>(seen));
}

} // namespace
