//===- ExternalTest.cpp - small scripts in the place of foreign tools -------------------------===//
#include "oracles/external/External.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

using namespace tilesmith::oracles;
using Class = ExternalRun::Class;

namespace {

/// A shell script as a tool. The arguments are IN -o OUT ...
class Script {
public:
  explicit Script(llvm::StringRef body) {
    int descriptor;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("tool", "sh", descriptor, path));
    llvm::raw_fd_ostream out(descriptor, /*shouldClose=*/true);
    out << "#!/bin/sh\n" << body << '\n';
    out.close();
    EXPECT_FALSE(llvm::sys::fs::setPermissions(path, llvm::sys::fs::all_all));
  }
  ~Script() { llvm::sys::fs::remove(path); }
  std::string str() const { return path.str().str(); }

private:
  llvm::SmallString<128> path;
};

ExternalRun compileWith(llvm::StringRef body, unsigned seconds = 20) {
  Script script(body);
  ExternalTools tools;
  tools.compiler = script.str();
  tools.seconds = seconds;
  const uint8_t bytes[] = {1, 2, 3};
  return runExternalCompiler(tools, bytes);
}

constexpr const char *kWritesElf = "printf '\\177ELF and more' > \"$3\"";

TEST(External, EveryClassOfACompiler) {
  EXPECT_EQ(compileWith(kWritesElf).kind, Class::Accepted);
  EXPECT_EQ(compileWith(kWritesElf).resultBytes, 13u);
  ExternalRun rejected = compileWith("echo 'error: expected a tile' >&2; exit 1");
  EXPECT_EQ(rejected.kind, Class::Rejected);
  EXPECT_EQ(rejected.text, "error: expected a tile");
  EXPECT_EQ(compileWith("echo 'error: failed to compile Tile IR program' >&2; exit 5").kind,
            Class::InternalError);
  EXPECT_EQ(
      compileWith("echo 'error: Incompatibility with architecture sm_80: f8E4M3FN'; exit 5").kind,
      Class::Unsupported);
  EXPECT_EQ(compileWith("kill -SEGV $$").kind, Class::Crash);
  EXPECT_EQ(compileWith("exit 139").kind, Class::Crash);
  EXPECT_EQ(compileWith("exec sleep 30", 1).kind, Class::Hang);
  EXPECT_EQ(compileWith("echo 'std::bad_alloc' >&2; kill -ABRT $$").kind, Class::BlowUp);
  EXPECT_EQ(compileWith("printf '\\177ELF' > \"$3\"; truncate -s 65M \"$3\"").kind, Class::BlowUp);
  EXPECT_EQ(compileWith("exit 0").kind, Class::BadOutput);
  EXPECT_EQ(compileWith("echo text > \"$3\"").kind, Class::BadOutput);
}

TEST(External, GetsTheSettings) {
  ExternalTools tools;
  Script script("[ \"$2 $4 $5 $6\" = '-o --gpu-name sm_100 -O1' ] && cmp -s \"$1\" - <<X\nabc\nX\n"
                "[ $? = 0 ] && printf '\\177ELF' > \"$3\"");
  tools.compiler = script.str();
  tools.gpuName = "sm_100";
  tools.optLevel = 1;
  const uint8_t bytes[] = {'a', 'b', 'c', '\n'};
  EXPECT_EQ(runExternalCompiler(tools, bytes).kind, Class::Accepted);
}

TEST(External, AToolThatIsMissingIsUnavailable) {
  ExternalTools tools;
  tools.compiler = "/nonexistent/tileiras";
  const uint8_t bytes[] = {0};
  ExternalRun run = runExternalCompiler(tools, bytes);
  EXPECT_EQ(run.kind, Class::Unavailable);
  EXPECT_TRUE(judgeExternalRun(run, "external compiler", true, false).isUnavailable());
}

TEST(External, AVerifierReadsText) {
  Script script("grep -q 'module' \"$1\" || { echo 'error: no module' >&2; exit 1; }");
  ExternalTools tools;
  tools.verifier = script.str();
  EXPECT_EQ(runExternalVerifier(tools, "cuda_tile.module @m {}").kind, Class::Accepted);
  EXPECT_EQ(runExternalVerifier(tools, "nothing").kind, Class::Rejected);
}

// An agreeing case, a wrong tool of every class, and one that nothing can be said about.
TEST(External, Verdicts) {
  auto judge = [](Class kind, bool valid, bool mayReject = false) {
    return judgeExternalRun({kind, "text", 0}, "external compiler", valid, mayReject);
  };
  EXPECT_TRUE(judge(Class::Accepted, true).isAgree());
  EXPECT_TRUE(judge(Class::Rejected, false).isAgree());
  EXPECT_TRUE(judge(Class::Rejected, true, true).isAgree());
  EXPECT_EQ(judge(Class::Accepted, false).place, "accepted");
  EXPECT_EQ(judge(Class::Rejected, true).place, "rejected");
  EXPECT_EQ(judge(Class::Unsupported, true).place, "unsupported");
  EXPECT_TRUE(judge(Class::Unsupported, false).isAgree());
  for (Class kind :
       {Class::Crash, Class::Hang, Class::BlowUp, Class::BadOutput, Class::InternalError})
    for (bool valid : {true, false}) {
      EXPECT_TRUE(judge(kind, valid).isDisagree()) << toString(kind).str();
      EXPECT_EQ(judge(kind, valid).place, toString(kind).str());
    }
  EXPECT_TRUE(judge(Class::Unavailable, true).isUnavailable());
}

// A wrong CUDA_HOME made a finding of every module.
TEST(External, ACompilerThatTakesNothingIsNotAsked) {
  auto probe = [](llvm::StringRef body, const tilesmith::CompileOptions &compile = {}) {
    Script script(body);
    ExternalTools tools;
    tools.compiler = script.str();
    return llvm::toString(probeExternalTools(tools, compile));
  };
  EXPECT_EQ(probe(kWritesElf), "");
  std::string said = probe("echo 'error: cannot find ptxas' >&2; exit 5");
  EXPECT_NE(said.find("error: cannot find ptxas"), std::string::npos) << said;
  EXPECT_NE(said.find("CUDA_HOME"), std::string::npos) << said;
  EXPECT_NE(probe("exit 0"), "");
  // One that does not know our default target is asked for the one that is wanted.
  const std::string newer = "[ \"$5\" = sm_100 ] || exit 5\n" + std::string(kWritesElf);
  tilesmith::CompileOptions compile;
  compile.gpuName = "sm_100";
  EXPECT_EQ(probe(newer, compile), "");
  EXPECT_NE(probe(newer), "");
  ExternalTools none, missing;
  missing.compiler = "/no/such/compiler";
  EXPECT_EQ(llvm::toString(probeExternalTools(none, {})), "");
  EXPECT_EQ(llvm::toString(probeExternalTools(missing, {})), "") << "verdicts call it unavailable";
}

} // namespace
