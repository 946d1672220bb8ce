//===- MemoryTest.cpp - memory of the driver: copies, bounds, what nobody has written ----------===//
#include "oracles/devices/driver/DriverTestSupport.h"

using namespace tilesmith;
using namespace tilesmith::driver::test;
using ::testing::AllOf;
using ::testing::HasSubstr;

CU_API CUresult tilesmithNameUnwritten(void *, size_t);

namespace {

TEST(DriverMemoryTest, AStreamWritesWordsAndAttachesMemory) {
  primary();
  CUdeviceptr memory = 0;
  CUstream stream = nullptr;
  EXPECT_EQ(call("cuMemAllocManaged", &memory, size_t(64), 1u), CUDA_SUCCESS);
  EXPECT_EQ(call("cuStreamWriteValue32", stream, memory + 4, 7u, 0u), CUDA_SUCCESS);
  EXPECT_EQ(call("cuStreamWriteValue64", stream, memory + 8, uint64_t(1) << 40, 0u), CUDA_SUCCESS);
  EXPECT_EQ(*reinterpret_cast<uint32_t *>(memory + 4), 7u);
  EXPECT_EQ(*reinterpret_cast<uint64_t *>(memory + 8), uint64_t(1) << 40);
  EXPECT_EQ(call("cuStreamWriteValue32", stream, memory + 2, 7u, 0u), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(call("cuStreamWriteValue32", stream, memory + 64, 7u, 0u), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(call("cuStreamAttachMemAsync", stream, memory, size_t(0), 1u), CUDA_SUCCESS);
  EXPECT_EQ(call("cuMemFree", memory), CUDA_SUCCESS);
}

TEST(DriverMemoryTest, HostMemoryTakesPartOnceItIsNamed) {
  Program program;
  ASSERT_EQ(program.load(), CUDA_SUCCESS);
  std::vector<Bytes> host;
  host.reserve(program.pointers.size());
  for (size_t i = 0; i < program.values.size(); ++i)
    for (size_t b = 0; b < program.pointers.size(); ++b)
      if (program.values[i] == program.pointers[b]) {
        host.push_back(program.initial[b]);
        program.values[i] = reinterpret_cast<uint64_t>(host.back().data());
      }
  CUresult unnamed = program.launch();
  EXPECT_EQ(unnamed, CUDA_ERROR_ILLEGAL_ADDRESS);
  for (Bytes &bytes : host)
    tilesmithNameMemory(bytes.data(), bytes.size(), "mine");
  ASSERT_EQ(program.launch(), CUDA_SUCCESS);
  EXPECT_EQ(host[2], program.expected[2]);
  // The name was for one launch; registered memory stays.
  EXPECT_EQ(program.launch(), CUDA_ERROR_ILLEGAL_ADDRESS);
  for (Bytes &bytes : host)
    EXPECT_EQ(call("cuMemHostRegister", static_cast<void *>(bytes.data()), bytes.size(), 0u),
              CUDA_SUCCESS);
  EXPECT_EQ(program.launch(), CUDA_SUCCESS);
  for (Bytes &bytes : host)
    EXPECT_EQ(call("cuMemHostUnregister", static_cast<void *>(bytes.data())), CUDA_SUCCESS);
  // Memory that is gone is a message, not a signal.
  tilesmithNameMemory(reinterpret_cast<void *>(0x10000), 64, "gone");
  EXPECT_EQ(program.launch(), CUDA_ERROR_INVALID_VALUE);
}

TEST(DriverMemoryTest, CopiesStayInsideOfAllocations) {
  primary();
  CUdeviceptr a = 0;
  std::vector<uint8_t> bytes(100, 7), got(100);
  EXPECT_EQ(call("cuMemAlloc", &a, size_t(100)), CUDA_SUCCESS);
  EXPECT_EQ(call("cuMemcpyHtoD", a, bytes.data(), size_t(101)), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(call("cuMemcpyHtoD", a, bytes.data(), size_t(100)), CUDA_SUCCESS);
  EXPECT_EQ(call("cuMemsetD32", a + 2, 1u, size_t(1)), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(call("cuMemsetD32", a + 4, 0x01020304u, size_t(2)), CUDA_SUCCESS);
  EXPECT_EQ(call("cuMemcpyDtoH", got.data(), a, size_t(100)), CUDA_SUCCESS);
  EXPECT_EQ(got[4], 4);
  EXPECT_EQ(got[11], 1);
  EXPECT_EQ(got[12], 7);
  CUdeviceptr base = 0;
  size_t size = 0;
  EXPECT_EQ(call("cuMemGetAddressRange", &base, &size, a + 50), CUDA_SUCCESS);
  EXPECT_EQ(base, a);
  EXPECT_EQ(size, 100u);
  EXPECT_EQ(call("cuMemAlloc", &base, size_t(1) << 60), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(call("cuMemFree", a), CUDA_SUCCESS);
}

/// Memory of `buffer` as a fresh allocation has it.
void renew(Program &program, size_t buffer) {
  CUdeviceptr old = program.pointers[buffer];
  ASSERT_EQ(call("cuMemAlloc", &program.pointers[buffer], program.initial[buffer].size()),
            CUDA_SUCCESS);
  ASSERT_EQ(call("cuMemFree", old), CUDA_SUCCESS);
  std::replace(program.values.begin(), program.values.end(), old, program.pointers[buffer]);
}

void write(Program &program, size_t buffer, size_t bytes, size_t from = 0) {
  ASSERT_EQ(call("cuMemcpyHtoD", program.pointers[buffer] + from,
                 program.initial[buffer].data() + from, bytes),
            CUDA_SUCCESS);
}

TEST(DriverMemoryTest, AReadOfMemoryThatNobodyWroteIsFound) {
  Program program;
  ASSERT_EQ(program.load(), CUDA_SUCCESS);
  const size_t size = program.initial[1].size();
  for (const char *engine : {"emulator", "emulator@O0", "reference"}) {
    SCOPED_TRACE(engine);
    ASSERT_EQ(tilesmithConfigure("engine", engine), CUDA_SUCCESS);
    renew(program, 2); // the result is only written
    renew(program, 1);
    write(program, 1, size - 4); // all but the last element
    CUresult code = program.launch();
    EXPECT_EQ(code, CUDA_ERROR_LAUNCH_FAILED);
    EXPECT_THAT(errorText(code), AllOf(HasSubstr("uninitialised-read"), HasSubstr("kernel.py:7"),
                                       HasSubstr("byte " + std::to_string(size - 4) + " of "),
                                       HasSubstr("block (")));
    EXPECT_THAT(tilesmithLastReport(), HasSubstr("\"line\":7"));
    write(program, 1, 4, size - 4);
    EXPECT_EQ(program.launch(), CUDA_SUCCESS);
    program.expectResults();
  }
  EXPECT_EQ(tilesmithConfigure("engine", nullptr), CUDA_SUCCESS);
}

TEST(DriverMemoryTest, WhatALaunchWroteCountsForTheNextOne) {
  Program program;
  ASSERT_EQ(program.load(), CUDA_SUCCESS);
  for (const char *engine : {"emulator", "reference"}) {
    SCOPED_TRACE(engine);
    ASSERT_EQ(tilesmithConfigure("engine", engine), CUDA_SUCCESS);
    // The first row of the result is the only one that a grid of one row writes.
    renew(program, 2);
    const unsigned rows = std::exchange(program.grid[1], 1u);
    ASSERT_EQ(program.launch(), CUDA_SUCCESS);
    program.grid[1] = rows;
    auto readFrom = [&](size_t row) {
      std::vector<uint64_t> before = program.values;
      program.values[0] = program.pointers[2] + row * 1200;
      CUresult code = program.launch();
      program.values = before;
      return code;
    };
    renew(program, 0);
    EXPECT_EQ(readFrom(1), CUDA_ERROR_LAUNCH_FAILED) << "nobody wrote the second row";
    write(program, 0, program.initial[0].size());
  }
  EXPECT_EQ(tilesmithConfigure("engine", nullptr), CUDA_SUCCESS);
}

TEST(DriverMemoryTest, CopiesCarryWhatNobodyWrote) {
  Program program;
  ASSERT_EQ(program.load(), CUDA_SUCCESS);
  const size_t size = program.initial[0].size();
  CUdeviceptr fresh = 0;
  ASSERT_EQ(call("cuMemAlloc", &fresh, size), CUDA_SUCCESS);
  ASSERT_EQ(call("cuMemsetD8", fresh, uint8_t(0), size - 8), CUDA_SUCCESS);
  ASSERT_EQ(call("cuMemcpyDtoD", program.pointers[0], fresh, size), CUDA_SUCCESS);
  CUresult code = program.launch();
  EXPECT_EQ(code, CUDA_ERROR_LAUNCH_FAILED);
  EXPECT_THAT(errorText(code), HasSubstr("byte " + std::to_string(size - 8) + " of "));
  // Off: nothing is said, and what was not written is no longer known.
  EXPECT_EQ(tilesmithConfigure("uninitialised", "0"), CUDA_SUCCESS);
  EXPECT_EQ(program.launch(), CUDA_SUCCESS);
  EXPECT_EQ(tilesmithConfigure("uninitialised", nullptr), CUDA_SUCCESS);
  EXPECT_EQ(call("cuMemFree", fresh), CUDA_SUCCESS);
  // Named host memory, for one launch.
  Bytes host = program.initial[0];
  program.values[0] = reinterpret_cast<uint64_t>(host.data());
  for (bool unwritten : {true, false}) {
    tilesmithNameMemory(host.data(), host.size(), "mine");
    if (unwritten)
      tilesmithNameUnwritten(host.data(), host.size());
    EXPECT_EQ(program.launch(), unwritten ? CUDA_ERROR_LAUNCH_FAILED : CUDA_SUCCESS);
  }
}

TEST(DriverMemoryTest, SizesThatWrapAroundAndFreedMemoryOfAGraphAreRefused) {
  primary();
  CUdeviceptr a = 0, none = 0;
  size_t pitch = 0;
  ASSERT_EQ(call("cuMemAlloc", &a, size_t(4096)), CUDA_SUCCESS);
  EXPECT_EQ(call("cuMemsetD32", a, 1u, (size_t(1) << 62) + 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(call("cuMemsetD2D8", a, size_t(1) << 63, uint8_t(1), size_t(8), size_t(3)),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_NE(call("cuMemAllocPitch", &none, &pitch, ~size_t(0), size_t(2), 4u), CUDA_SUCCESS);
  EXPECT_NE(call("cuMemAllocPitch", &none, &pitch, size_t(1) << 60, size_t(1) << 4, 4u),
            CUDA_SUCCESS);
  CUstream stream = nullptr;
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  std::vector<uint8_t> bytes(4096);
  EXPECT_EQ(call("cuStreamCreate", &stream, 1u), CUDA_SUCCESS);
  EXPECT_EQ(call("cuStreamBeginCapture", stream, 0), CUDA_SUCCESS);
  EXPECT_EQ(call("cuMemcpyHtoDAsync", a, bytes.data(), bytes.size(), stream), CUDA_SUCCESS);
  EXPECT_EQ(call("cuMemsetD8Async", a, uint8_t(1), bytes.size(), stream), CUDA_SUCCESS);
  EXPECT_EQ(call("cuStreamEndCapture", stream, &graph), CUDA_SUCCESS);
  EXPECT_EQ(call("cuGraphInstantiateWithFlags", &exec, graph, 0ull), CUDA_SUCCESS);
  EXPECT_EQ(call("cuGraphLaunch", exec, stream), CUDA_SUCCESS);
  EXPECT_EQ(call("cuMemFree", a), CUDA_SUCCESS);
  EXPECT_EQ(call("cuGraphLaunch", exec, stream), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(call("cuGraphExecDestroy", exec), CUDA_SUCCESS);
  EXPECT_EQ(call("cuGraphDestroy", graph), CUDA_SUCCESS);
  EXPECT_EQ(call("cuStreamDestroy", stream), CUDA_SUCCESS);
}

} // namespace
