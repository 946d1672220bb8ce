//===- HostMaps.cpp - tensor maps of host code for the emulator -------------------------------===//
#include "oracles/engines/HostMaps.h"

#include "oracles/devices/emulator/TensorMap.h"
#include "oracles/devices/sass/Machine.h"
#include "oracles/devices/sass/TensorMap.h"

#include "llvm/ADT/StringExtras.h"

#include <cstring>

using namespace tilesmith;
using emulator::TensorMap;

namespace {

constexpr size_t kMapBytes = 128;

/// As the emulator has maps. Error: what no GPU device of ours does.
llvm::Expected<TensorMap> readMap(const uint8_t *bytes) {
  sass::TensorMap words;
  if (const char *problem = sass::readTensorMap(bytes, words))
    return llvm::createStringError(std::string("host code made a tensor map: ") + problem);
  TensorMap map;
  map.address = words.address;
  map.lastDimension = words.rank - 1;
  map.element = words.rounds ? TensorMap::TF32 : words.element;
  map.swizzle = words.swizzle;
  map.atomicity = words.largePieces;
  for (unsigned d = 0; d < words.rank; ++d) {
    map.size[d] = words.extent[d];
    map.box[d] = words.box[d];
    map.elementStride[d] = 1;
    if (d)
      map.stride[d - 1] = words.stride[d];
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
