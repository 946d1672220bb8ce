//===- Driver.h - the CUDA Driver API, found at run time --------------------------------------===//
//
// No CUDA header: the few types and entry points are declared here by their public ABI.
// TILE_GPU_DRIVER names another library (tests use a stand-in).
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_ENGINES_CUDA_REPLAY_DRIVER_H
#define ORACLES_ENGINES_CUDA_REPLAY_DRIVER_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace replay {

using Result = int; // CUresult
using Address = unsigned long long;

struct Driver {
  Result (*init)(unsigned) = nullptr;
  Result (*deviceCount)(int *) = nullptr;
  Result (*deviceGet)(int *, int) = nullptr;
  Result (*deviceName)(char *, int, int) = nullptr;
  Result (*deviceAttribute)(int *, int, int) = nullptr;
  Result (*driverVersion)(int *) = nullptr;
  Result (*contextRetain)(void **, int) = nullptr;
  Result (*contextSet)(void *) = nullptr;
  Result (*synchronize)() = nullptr;
  Result (*moduleLoad)(void **, const void *, unsigned, int *, void **) = nullptr;
  Result (*moduleFunction)(void **, void *, const char *) = nullptr;
  Result (*moduleUnload)(void *) = nullptr;
  Result (*functionAttribute)(void *, int, int) = nullptr;
  Result (*allocate)(Address *, size_t) = nullptr;
  Result (*free)(Address) = nullptr;
  Result (*set)(Address, unsigned char, size_t) = nullptr;
  Result (*toDevice)(Address, const void *, size_t) = nullptr;
  Result (*toHost)(void *, Address, size_t) = nullptr;
  Result (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                   void *, void **, void **) = nullptr;
  Result (*eventCreate)(void **, unsigned) = nullptr;
  Result (*eventDestroy)(void *) = nullptr;
  Result (*eventRecord)(void *, void *) = nullptr;
  Result (*eventSynchronize)(void *) = nullptr;
  Result (*eventElapsed)(float *, void *, void *) = nullptr;
  Result (*errorText)(Result, const char **) = nullptr;

  /// Loads the library and every entry point. Returns why not, or an empty text.
  std::string load();
  /// Makes the context of a device current and describes it. Returns why not, or an empty text.
  std::string open(int device, std::string &description);
  std::string describe(Result code) const;
};

} // namespace replay

#endif // ORACLES_ENGINES_CUDA_REPLAY_DRIVER_H
