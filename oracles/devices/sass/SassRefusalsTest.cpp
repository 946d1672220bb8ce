//===- SassRefusalsTest.cpp - files that are no cubin, launches that no GPU makes -------------===//
#include "oracles/devices/sass/Sass.h"
#include "oracles/devices/sass/SassTestSupport.h"

#include "llvm/Support/Endian.h"

#include "gmock/gmock.h"

using namespace tilesmith;
using namespace tilesmith::sass;

namespace {

std::string whyRefused(llvm::ArrayRef<uint8_t> file) {
  auto program = Program::create(file);
  return program ? "" : llvm::toString(program.takeError());
}

std::vector<uint8_t> storedCubin() {
  return readBytes(corpusFile("issue.sm_80.O3.cubin"));
}

/// The stored cubin with another number in its header.
std::vector<uint8_t> withField(unsigned offset, uint16_t value) {
  std::vector<uint8_t> file = storedCubin();
  llvm::support::endian::write16le(&file[offset], value);
  return file;
}

TEST(SassRefusalsTest, WhatAFileIsInPlaceOfACubin) {
  ASSERT_EQ(whyRefused(storedCubin()), "");
  EXPECT_THAT(whyRefused({}), testing::HasSubstr("found 0 other bytes"));
  std::vector<uint8_t> fat(64);
  llvm::support::endian::write32le(fat.data(), 0xba55ed50);
  EXPECT_THAT(whyRefused(fat), testing::HasSubstr("found a fat binary"));
  constexpr unsigned kType = 0x10, kMachine = 0x12, kX86 = 62;
  EXPECT_THAT(whyRefused(withField(kMachine, kX86)),
              testing::HasSubstr("found one for machine 62"));
  EXPECT_THAT(whyRefused(withField(kType, 1)), testing::HasSubstr("found a relocatable one"));
}

TEST(SassRefusalsTest, ConfigurationsThatNoGpuLaunches) {
  auto program = Program::create(storedCubin());
  ASSERT_TRUE(bool(program)) << llvm::toString(program.takeError());
  const std::string kernel = (*program)->kernels().front();
  const LaunchConfig good{.block = (*program)->blockOf(kernel)};
  auto launch = [&](void (*change)(LaunchConfig &)) {
    LaunchConfig config = good;
    change(config);
    return (*program)->launch(kernel, config, {}).message;
  };
  // Past these checks the arguments are missed.
  ASSERT_THAT(launch([](LaunchConfig &) {}), testing::HasSubstr("arguments, found 0"));
  EXPECT_THAT(launch([](LaunchConfig &c) { c.grid[0] = 0; }),
              testing::HasSubstr("expected 1 to 2147483647 blocks along x, found 0"));
  EXPECT_THAT(launch([](LaunchConfig &c) { c.grid[2] = 65536; }),
              testing::HasSubstr("expected 1 to 65535 blocks along z, found 65536"));
  EXPECT_THAT(launch([](LaunchConfig &c) { c.dynamicSharedBytes = 0xffffffff; }),
              testing::HasSubstr("bytes of dynamic shared memory, found 4294967295"));
  EXPECT_THAT(launch([](LaunchConfig &c) { c.block = {1, 1, 65}; }),
              testing::HasSubstr("64 at most along z"));
}

} // namespace
