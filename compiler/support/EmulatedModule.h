//===- EmulatedModule.h - a module for the driver on the CPU ----------------------------------===//
//
// What `tileiras --emit=emulated` writes and our `libcuda.so.1` loads: the bytecode as it came, the
// options that it was to be compiled with, and on request the cubin made of them. A loader is given a pointer and no size, so the
// header holds the size of the whole. Numbers are little-endian; every section stands behind the
// header, in the order of its table.
//
//   8 bytes  magic   4 bytes  version   4 bytes  number of sections   8 bytes  size of all
//   per section      4 bytes  kind      4 bytes  zero                 8 bytes  offset   8 bytes  size
//
// No LLVM: the driver reads it too. Invariant: parse(print(x)) is x; parse looks at nothing behind
// the size that it was given or, for parseAtAddress, that the header has.
//
//===------------------------------------------------------------------------------------------===//
#ifndef COMPILER_SUPPORT_EMULATEDMODULE_H
#define COMPILER_SUPPORT_EMULATEDMODULE_H

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace tilesmith {

struct EmulatedModule {
  static constexpr char kMagic[9] = "TILESMTH";
  static constexpr uint32_t kVersion = 1;
  static constexpr uint64_t kMaxSize = uint64_t(1) << 32;
  enum Section : uint32_t { Bytecode = 1, Options = 2, Cubin = 3 };

  std::string bytecode;
  std::string options;    ///< words of a command line, one a line: `-O3`, `--gpu-name=sm_90`
  std::string cubin = {}; ///< empty: none

  std::string print() const {
    constexpr uint64_t header = 24, row = 24;
    const uint64_t count = cubin.empty() ? 2 : 3;
    std::string text(kMagic, 8);
    auto put = [&text](auto number) {
      text.append(reinterpret_cast<const char *>(&number), sizeof(number));
    };
    put(kVersion);
    put(uint32_t(count));
    put(uint64_t(header + count * row + bytecode.size() + options.size() + cubin.size()));
    uint64_t at = header + count * row;
    for (auto [kind, size] :
         {std::pair(Bytecode, bytecode.size()), {Options, options.size()}, {Cubin, cubin.size()}}) {
      if (kind == Cubin && !size)
        break;
      put(uint32_t(kind));
      put(uint32_t(0));
      put(at);
      put(uint64_t(size));
      at += size;
    }
    return text + bytecode + options + cubin;
  }

  static bool hasMagic(std::string_view data) { return data.substr(0, 8) == kMagic; }

  /// The size that the header of an image states; 0 where it is none of ours.
  static uint64_t sizeAtAddress(const void *image) {
    const char *data = static_cast<const char *>(image);
    uint64_t size;
    if (std::memcmp(data, kMagic, 8) != 0)
      return 0;
    std::memcpy(&size, data + 16, sizeof(size));
    return size >= 24 && size <= kMaxSize ? size : 0;
  }

  /// Nothing unless the data is whole; `why` says what was expected and found.
  static std::optional<EmulatedModule> parse(std::string_view data, std::string &why) {
    auto number = [&](uint64_t at, auto value) {
      std::memcpy(&value, data.data() + at, sizeof(value));
      return value;
    };
    auto refuse = [&](std::string text) {
      why = std::move(text);
      return std::nullopt;
    };
    if (data.size() < 24 || !hasMagic(data))
      return refuse("expected a module of 'tileiras --emit=emulated', found other data");
    if (uint32_t version = number(8, uint32_t()); version != kVersion)
      return refuse("expected an emulated module of version 1, found version " +
                    std::to_string(version));
    if (uint64_t size = number(16, uint64_t()); size != data.size())
      return refuse("expected an emulated module of " + std::to_string(size) + " bytes, found " +
                    std::to_string(data.size()));
    uint64_t count = number(12, uint32_t());
    if (count > (data.size() - 24) / 24)
      return refuse("expected a whole table of sections, found the end of the module");
    EmulatedModule module;
    for (uint64_t i = 0; i < count; ++i) {
      uint64_t row = 24 + i * 24, at = number(row + 8, uint64_t()),
               size = number(row + 16, uint64_t());
      if (at > data.size() || size > data.size() - at)
        return refuse("expected section " + std::to_string(i) + " inside of the module");
      uint32_t kind = number(row, uint32_t());
      if (kind == Bytecode)
        module.bytecode = data.substr(at, size);
      else if (kind == Options)
        module.options = data.substr(at, size);
      else if (kind == Cubin)
        module.cubin = data.substr(at, size);
    }
    if (module.bytecode.empty())
      return refuse("expected bytecode in the emulated module, found none");
    return module;
  }
};

} // namespace tilesmith

#endif // COMPILER_SUPPORT_EMULATEDMODULE_H
