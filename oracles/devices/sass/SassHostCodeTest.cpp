//===- SassHostCodeTest.cpp - code for the host, interpreted ----------------------------------===//
//
// Objects made here, with one function for a kernel `k`: what it may read and write, and what ends it with a reason.
//
//===------------------------------------------------------------------------------------------===//
#include "oracles/devices/sass/Machine.h"

#include "oracles/devices/sass/TensorMap.h"

#include "llvm/Support/Endian.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tilesmith::sass;
using namespace llvm::support::endian;
using testing::HasSubstr;

namespace {

constexpr char kNames[] = "\0k\0__CUDA_TILEIR_FUNC_NAME_0\0"
                          "__CUDA_TILEIR_FUNC_ON_ARGUMENTS_CHANGE_0\0"
                          "__CUDA_TILEIR_FUNC_ON_ARGUMENTS_CHANGE";
constexpr uint32_t kNameOfK = 1, kNameSymbol = 3, kFunctionSymbol = 29, kPlainFunctionSymbol = 70;

/// A relocatable file: no section, code, names, symbols.
std::vector<uint8_t> objectWith(llvm::ArrayRef<uint8_t> code, uint32_t function = kFunctionSymbol,
                                bool severalKernels = false) {
  std::vector<uint8_t> file(64 + 4 * 64);
  struct Contents {
    uint32_t type, link;
    uint64_t at, size;
  };
  auto append = [&](llvm::ArrayRef<uint8_t> bytes) {
    const uint64_t at = file.size();
    file.insert(file.end(), bytes.begin(), bytes.end());
    return at;
  };
  std::vector<uint8_t> symbols(4 * 24);
  auto symbol = [&](unsigned index, uint32_t name, uint16_t section, uint64_t value,
                    uint64_t size) {
    uint8_t *at = &symbols[24 * index];
    write32le(at, name), write16le(at + 6, section), write64le(at + 8, value),
        write64le(at + 16, size);
  };
  symbol(1, kNameSymbol, 2, kNameOfK, 2);
  symbol(2, function, 1, 0, code.size());
  if (severalKernels)
    symbol(3, kNameSymbol, 2, 0, 1);
  const Contents sections[] = {
      {0, 0, 0, 0},
      {1, 0, append(code), code.size()},
      {3, 0, append(llvm::arrayRefFromStringRef({kNames, sizeof kNames})), sizeof kNames},
      {2, 2, append(symbols), symbols.size()},
  };
  const uint8_t head[] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
  std::copy(std::begin(head), std::end(head), file.begin());
  write64le(&file[0x28], 64), write16le(&file[0x3a], 64), write16le(&file[0x3c], 4);
  write16le(&file[0x3e], 2);
  for (auto [number, section] : llvm::enumerate(sections)) {
    uint8_t *at = &file[64 + 64 * number];
    write32le(at + 4, section.type), write64le(at + 24, section.at),
        write64le(at + 32, section.size);
    write32le(at + 40, section.link);
  }
  return file;
}

struct Outcome {
  std::string why;
  std::vector<uint8_t> parameters = std::vector<uint8_t>(16, 0x11);
};

Outcome run(llvm::ArrayRef<uint8_t> code, llvm::function_ref<uint64_t()> makeWorkspace = nullptr) {
  Outcome outcome;
  outcome.why = fillTensorMaps(objectWith(code), "k", outcome.parameters, makeWorkspace);
  return outcome;
}

// mov rdx, [rsi + 8]; mov [rcx + 8], rdx; xor eax, eax; ret
const uint8_t kHandOn[] = {0x48, 0x8b, 0x56, 0x08, 0x48, 0x89, 0x51, 0x08, 0x31, 0xc0, 0xc3};

TEST(SassHostCode, HandsTheWorkspaceOn) {
  unsigned made = 0;
  Outcome done = run(kHandOn, [&] { return ++made, uint64_t{0x123456789a00}; });
  EXPECT_EQ(done.why, "");
  EXPECT_EQ(made, 1u);
  EXPECT_EQ(read64le(&done.parameters[0]), 0x1111111111111111u);
  EXPECT_EQ(read64le(&done.parameters[8]), 0x123456789a00u);
}

TEST(SassHostCode, SumsGoOnWithTheCarry) {
  // mov rdx, -1; add rdx, 1; mov r8, 0x10; adc r8, 0x20; mov [rcx + 8], r8
  // cmp rdx, 1; mov r9, 0x10; sbb r9, 5
  // cmp rdx, 1; mov r10, -1; adc r10, 0; sbb r11, r11; add r9, r11; mov [rcx], r9; xor eax, eax; ret
  Outcome done =
      run({0x48, 0xc7, 0xc2, 0xff, 0xff, 0xff, 0xff, 0x48, 0x83, 0xc2, 0x01, 0x49, 0xc7, 0xc0,
           0x10, 0,    0,    0,    0x49, 0x83, 0xd0, 0x20, 0x4c, 0x89, 0x41, 0x08, 0x48, 0x83,
           0xfa, 0x01, 0x49, 0xc7, 0xc1, 0x10, 0,    0,    0,    0x49, 0x83, 0xd9, 0x05, 0x48,
           0x83, 0xfa, 0x01, 0x49, 0xc7, 0xc2, 0xff, 0xff, 0xff, 0xff, 0x49, 0x83, 0xd2, 0x00,
           0x4d, 0x19, 0xdb, 0x4d, 0x01, 0xd9, 0x4c, 0x89, 0x09, 0x31, 0xc0, 0xc3});
  EXPECT_EQ(done.why, "");
  EXPECT_EQ(read64le(&done.parameters[8]), 0x31u);
  EXPECT_EQ(read64le(&done.parameters[0]), 0x9u);
}

TEST(SassHostCode, MakesNoWorkspaceThatNobodyReads) {
  Outcome done = run({0x31, 0xc0, 0xc3}, []() -> uint64_t {
    ADD_FAILURE();
    return 0;
  });
  EXPECT_EQ(done.why, "");
}

// tileiras 13.1
TEST(SassHostCode, AFunctionWithoutANumberIsOfTheOnlyKernel) {
  std::vector<uint8_t> parameters(16, 0x11);
  auto make = [] { return uint64_t{0x123456789a00}; };
  EXPECT_EQ(fillTensorMaps(objectWith(kHandOn, kPlainFunctionSymbol), "k", parameters, make), "");
  EXPECT_EQ(read64le(&parameters[8]), 0x123456789a00u);
  parameters.assign(16, 0x11);
  EXPECT_THAT(
      fillTensorMaps(objectWith(kHandOn, kPlainFunctionSymbol, true), "k", parameters, make),
      HasSubstr("unsupported: host code of the cubin: a function without a number"));
  EXPECT_EQ(parameters, std::vector<uint8_t>(16, 0x11));
}

/// Runs code on eight times 16 bytes of parameters, of which line n holds n + 1 in every byte.
Outcome runOnLines(std::vector<uint8_t> code) {
  code.push_back(0xc3);
  Outcome outcome;
  outcome.parameters.resize(128);
  for (unsigned n = 0; n < 128; ++n)
    outcome.parameters[n] = static_cast<uint8_t>(n / 16 + 1);
  outcome.why = fillTensorMaps(objectWith(code), "k", outcome.parameters, nullptr);
  return outcome;
}

/// The byte that a line holds throughout; 0xee where it differs.
unsigned line(const Outcome &outcome, unsigned number) {
  llvm::ArrayRef<uint8_t> bytes(outcome.parameters);
  bytes = bytes.slice(16 * number, 16);
  return llvm::all_equal(bytes) ? bytes[0] : 0xee;
}

// tileiras 13.1
TEST(SassHostCode, VectorsAreCopiedAndCleared) {
  // vxorps xmm0, xmm0, xmm0; vmovups [rcx], ymm0
  Outcome cleared = runOnLines({0xc5, 0xf8, 0x57, 0xc0, 0xc5, 0xfc, 0x11, 0x01});
  EXPECT_EQ(cleared.why, "");
  EXPECT_EQ(line(cleared, 0), 0u);
  EXPECT_EQ(line(cleared, 1), 0u);
  EXPECT_EQ(line(cleared, 2), 3u);
  // mov r8, rcx; vmovups ymm9, [r8 + 0x20]; vmovups [rcx], ymm9; vmovups xmm9, [rcx + 0x60]; vmovaps [rcx + 0x40], ymm9
  Outcome copied =
      runOnLines({0x49, 0x89, 0xc8, 0xc4, 0x41, 0x7c, 0x10, 0x48, 0x20, 0xc5, 0x7c, 0x11,
                  0x09, 0xc5, 0x78, 0x10, 0x49, 0x60, 0xc5, 0x7c, 0x29, 0x49, 0x40});
  EXPECT_EQ(copied.why, "");
  EXPECT_EQ(line(copied, 0), 3u);
  EXPECT_EQ(line(copied, 1), 4u);
  EXPECT_EQ(line(copied, 4), 7u);
  EXPECT_EQ(line(copied, 5), 0u) << "what is above a load of 16 bytes is cleared";
  // vmovaps ymm1, [rcx]; vmovups ymm2, [rcx + 0x20]; vxorps ymm3, ymm1, ymm2; vzeroupper; vmovups [rcx], ymm3
  Outcome mixed = runOnLines({0xc5, 0xfc, 0x28, 0x09, 0xc5, 0xfc, 0x10, 0x51, 0x20, 0xc5,
                              0xf4, 0x57, 0xda, 0xc5, 0xf8, 0x77, 0xc5, 0xfc, 0x11, 0x19});
  EXPECT_EQ(mixed.why, "");
  EXPECT_EQ(line(mixed, 0), 1u ^ 3u);
  EXPECT_EQ(line(mixed, 1), 0u);
}

TEST(SassHostCode, OtherVectorInstructionsAreRefused) {
  EXPECT_THAT(runOnLines({0xc5, 0xf9, 0xef, 0xc0}).why, HasSubstr("vector opcode 0xef")); // vpxor
  EXPECT_THAT(runOnLines({0xc5, 0xfc, 0x77}).why, HasSubstr("vector opcode 0x77")); // vzeroall
  EXPECT_THAT(runOnLines({0xc5, 0xf0, 0x10, 0x01}).why,
              HasSubstr("vector opcode 0x10")); // a first source
  EXPECT_THAT(runOnLines({0xc5, 0xfc, 0x28, 0x49, 0x10}).why, HasSubstr("misaligned vector"));
  EXPECT_THAT(runOnLines({0xc5, 0xfc, 0x10, 0x49, 0x70}).why, HasSubstr("access of 32 bytes at"));
  EXPECT_THAT(runOnLines({0x48, 0xc5, 0xf8, 0x57, 0xc0}).why,
              HasSubstr("prefix of a vector instruction"));
}

TEST(SassHostCode, RefusesWhatIsNotThere) {
  EXPECT_THAT(run(kHandOn).why,
              HasSubstr("unsupported: host code of the cubin: access of 8 bytes at"));
  uint8_t other[sizeof kHandOn];
  std::copy(std::begin(kHandOn), std::end(kHandOn), other);
  other[3] = 0x10; // [rsi + 16]
  EXPECT_THAT(run(other, [] { return uint64_t{0}; }).why, HasSubstr("access of 8 bytes at"));
  other[3] = 0x08;
  other[7] = 0x09; // [rcx + 9]: one byte behind the parameters
  Outcome behind = run(other, [] { return uint64_t{0}; });
  EXPECT_THAT(behind.why, HasSubstr("access of 8 bytes at"));
  EXPECT_EQ(behind.parameters, std::vector<uint8_t>(16, 0x11));
}

// A map of 4-bit elements counts bytes; half of one is refused.
TEST(SassTensorMap, FourBitElementsArePairs) {
  std::array<uint8_t, 128> bytes{};
  auto put = [&](size_t at, uint32_t word) { std::memcpy(bytes.data() + at, &word, 4); };
  put(0x08, 1 << 4 | 11 << 7);
  put(0x0c, 2); // rows of 32 bytes
  put(0x20, 63);
  put(0x24, 7);
  put(0x34, 31u << 24);
  bytes[0x38] = 3;
  TensorMap map;
  ASSERT_EQ(readTensorMap(bytes.data(), map), nullptr);
  EXPECT_TRUE(map.pairs);
  EXPECT_EQ(map.elementBytes, 1u);
  EXPECT_EQ(map.extent[0], 32u);
  EXPECT_EQ(map.extent[1], 8u);
  EXPECT_EQ(map.box[0], 16u);
  EXPECT_EQ(map.box[1], 4u);
  EXPECT_EQ(map.stride[1], 32u);
  put(0x20, 62);
  EXPECT_STREQ(readTensorMap(bytes.data(), map),
               "unsupported: tensor map of an odd number of 4-bit elements");
  put(0x08, 1 << 4 | 12 << 7);
  EXPECT_STREQ(readTensorMap(bytes.data(), map), "unsupported: element type of a tensor map");
}

} // namespace
