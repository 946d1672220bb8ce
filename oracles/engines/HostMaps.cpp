//===- HostMaps.cpp - tensor maps of host code for the emulator -------------------------------===//
#include "oracles/engines/HostMaps.h"

#include "oracles/devices/emulator/TensorMap.h"
#include "oracles/devices/sass/Machine.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"

#include <cstring>

using namespace tilesmith;
using emulator::TensorMap;
using llvm::support::endian::read32le;
using llvm::support::endian::read64le;

namespace {

constexpr size_t kMapBytes = 128;

/// The words that HostTensorMaps.cpp of the compiler lists. Error: bits of which it says nothing.
llvm::Expected<TensorMap> readMap(const uint8_t *bytes) {
  const uint32_t flags = read32le(bytes + 8), high = read32le(bytes + 28);
  const uint32_t boxes[] = {read32le(bytes + 52), read32le(bytes + 56)};
  constexpr uint32_t kKnown =
      1u << 1 | 7u << 4 | 15u << 7 | 3u << 13 | 1u << 16 | 1u << 18 | 1u << 19 | 1u << 21;
  if ((flags & ~kKnown) || (boxes[0] & 0xffffff) || read32le(bytes + 60) || high >> 16)
    return llvm::createStringError(
        llvm::formatv("host code made a tensor map with the flags {0:x}", flags));
  TensorMap map;
  map.address = read64le(bytes);
  map.lastDimension = flags >> 4 & 7;
  map.element = flags >> 7 & 15;
  if (flags >> 16 & 1)
    map.element = map.element == TensorMap::F32 ? TensorMap::TF32 : 0xff;
  map.swizzle = flags >> 13 & 3;
  map.atomicity = flags >> 19 & 1;
  for (unsigned d = 0; d < 5 && d < map.rank(); ++d) {
    map.size[d] = read32le(bytes + 32 + 4 * d) + 1;
    map.box[d] = (d ? boxes[1] >> (8 * (d - 1)) & 255 : boxes[0] >> 24) + 1;
    map.elementStride[d] = 1;
    if (d)
      map.stride[d - 1] =
          (read32le(bytes + 12 + 4 * (d - 1)) | uint64_t{high >> (4 * (d - 1)) & 15} << 32) << 4;
  }
  return map;
}

} // namespace

llvm::Expected<std::vector<std::vector<uint8_t>>>
oracles::argumentsWithHostMaps(const target::KernelInfo &kernel, llvm::StringRef hostObject,
                               std::vector<std::vector<uint8_t>> arguments) {
  if (!kernel.hostMaps || arguments.size() != kernel.parameters.size())
    return arguments; // the device says what is wrong with their number
  std::vector<uint8_t> image(kernel.hostMapOffset + kMapBytes * kernel.hostMaps);
  for (auto [parameter, bytes] : llvm::zip_equal(kernel.parameters, arguments))
    std::copy_n(bytes.begin(), std::min<size_t>(bytes.size(), parameter.size),
                image.begin() + parameter.offset);
  if (std::string why =
          sass::fillTensorMaps(llvm::arrayRefFromStringRef(hostObject), kernel.name, image);
      !why.empty())
    return llvm::createStringError(why);
  for (uint32_t number = 0; number < kernel.hostMaps; ++number) {
    auto map = readMap(&image[kernel.hostMapOffset + kMapBytes * number]);
    if (!map)
      return map.takeError();
    std::memcpy(arguments.emplace_back(kMapBytes).data(), &*map, kMapBytes);
  }
  return arguments;
}
