//===- TestCase.cpp - queries over a case -----------------------------------------------------===//
#include "reference/testcase/TestCase.h"

#include <algorithm>

using namespace tilesmith::testcase;

uint64_t Buffer::elementCount() const {
  uint64_t last = 0;
  for (auto [extent, stride] : llvm::zip(shape, strides)) {
    if (extent == 0)
      return 0;
    last += static_cast<uint64_t>(extent - 1) * static_cast<uint64_t>(stride);
  }
  return last + 1;
}

Parameter Parameter::pointer(unsigned buffer, DataType dtype, int64_t offset) {
  Parameter p;
  p.kind = Kind::Pointer;
  p.dtype = dtype;
  p.buffer = buffer;
  p.offset = offset;
  return p;
}

Parameter Parameter::scalar(DataType dtype, uint64_t bits) {
  Parameter p;
  p.kind = Kind::Scalar;
  p.dtype = dtype;
  p.bits = bits;
  return p;
}

const ModuleFile *Launch::module(llvm::StringRef version) const {
  for (const ModuleFile &m : modules)
    if (m.version == version)
      return &m;
  return nullptr;
}

bool tilesmith::testcase::versionLess(llvm::StringRef a, llvm::StringRef b) {
  auto [aMajor, aMinor] = a.split('.');
  auto [bMajor, bMinor] = b.split('.');
  unsigned am, an, bm, bn;
  if (aMajor.getAsInteger(10, am) || aMinor.getAsInteger(10, an) || bMajor.getAsInteger(10, bm) ||
      bMinor.getAsInteger(10, bn))
    return a < b;
  return std::pair(am, an) < std::pair(bm, bn);
}

std::vector<std::string> TestCase::versions() const {
  std::vector<std::string> result;
  if (launches.empty())
    return result;
  for (const ModuleFile &m : launches.front().modules)
    if (llvm::all_of(launches, [&](const Launch &l) { return l.module(m.version); }))
      result.push_back(m.version);
  std::sort(result.begin(), result.end(), [](auto &a, auto &b) { return versionLess(a, b); });
  return result;
}
