//===- SignatureTest.cpp ----------------------------------------------------------------------===//
#include "oracles/verdict/Signature.h"

#include "gtest/gtest.h"

using namespace tilesmith::oracles;

namespace {

TEST(Signature, ForgetsNumbersAndNamesOnly) {
  auto of = [](const char *what, const char *where, const char *much) {
    return signatureOf(Verdict::disagree(what, where, much));
  };
  EXPECT_EQ(of("emulator against reference", "buffer 3", "1 of 2 elements differ"),
            of("emulator against reference", "buffer 11", "5 of 9 elements differ"));
  EXPECT_EQ(of("emulator@O0 against the stored expectation", "buffer 3", "1 of 2 elements differ"),
            of("emulator against reference", "buffer 1", "1 of 2 elements differ"));
  EXPECT_EQ(of("emulator@draw0 against tileaa", "buffer 3", "1 of 2 elements differ"),
            of("emulator against reference", "buffer 1", "1 of 2 elements differ"));
  EXPECT_NE(of("emulator against the stored expectation", "outcome", "got completed"),
            of("emulator against reference", "outcome", "got completed"));
  EXPECT_NE(of("emulator against reference", "buffer 3", ""),
            of("tileaa against reference", "buffer 3", ""));
  EXPECT_EQ(of("emulator failed", "outcome", "out of bounds access (0 bytes after 'b'): store"),
            of("emulator failed", "outcome", "out of bounds access (8 bytes after 'c'): load"));
  EXPECT_EQ(of("hazards", "emulated GPU", "data race at 0x200c0000: read"),
            of("hazards", "emulated GPU", "data race at 0x2000abcd: read"));
  EXPECT_NE(of("emulator failed", "outcome", "out of bounds access (0 bytes): store"),
            of("emulator failed", "outcome", "deadlock: 3 threads wait"));
  EXPECT_EQ(of("emulator@O0 against reference", "buffer 3", "1 of 2 elements differ"),
            of("emulator@draw against reference", "buffer 3", "2 of 2 elements differ"));
  EXPECT_NE(of("emulator against reference", "buffer 3", "first at storage element 8 between rows"),
            of("emulator against reference", "buffer 3", "first at [0]"));
  EXPECT_EQ(signatureOf(Verdict::agree()), Signature());
  Verdict one = Verdict::disagree("hazards", "emulated GPU", "race"), other = one;
  one.oracle = "hazards";
  other.oracle = "races";
  EXPECT_NE(signatureOf(one), signatureOf(other));
}

TEST(Signature, HashesAreStable) {
  EXPECT_EQ(stableHash(""), "2d06800538d394c2");
  EXPECT_EQ(stableHash("a"), "e6c632b61e964e1f");
}

} // namespace
