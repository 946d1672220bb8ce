//===- Connection.h - the process that runs the launches --------------------------------------===//
//
// Starts `tilesmith serve` when the first module is loaded, and another one when it has died. Owns
// the file of own memory, which outlives servers, and the file of copies.
//
//===------------------------------------------------------------------------------------------===//
#ifndef ORACLES_DEVICES_DRIVER_CONNECTION_H
#define ORACLES_DEVICES_DRIVER_CONNECTION_H

#include "oracles/devices/driver/Driver.h"

namespace tilesmith::driver {

class Connection {
public:
  Connection();
  ~Connection();

  /// Pages of own memory, mapped at an address where hardly any process has something: offset and
  /// address. False: none left.
  bool map(uint64_t size, uint64_t &address, uint64_t &offset);
  void unmap(uint64_t address, uint64_t size, uint64_t offset);

  /// Lets a server start while the program does something else. What fails is said at the first use.
  void prepare() { spawn(); }

  /// Whether there is a setting of that name, of the server or of the driver alone.
  static bool isSetting(const std::string &name);

  /// A server that knows the settings. Empty, or why there is none.
  std::string start();

  /// Tells a running server what a setting is now; one that it does not know is not for it. Empty, or
  /// what is wrong with it.
  std::string configure(const std::string &name);

  /// Loads a library where this server has not loaded it yet. Empty, or why not; `wrongGPU`: it is
  /// good, but for another one.
  std::string load(Library &library, bool *wrongGPU = nullptr);
  void unload(Library &library);

  /// What a variable of a library holds in the server.
  VariableStatus variable(Library &library, const std::string &name, std::string &contents);

  /// A launch, memory included. `host`: what was named beside the allocations of the state.
  LaunchAnswer launch(Library &library, LaunchRequest request, const std::vector<Range> &host);

  /// Bytes of this process, which may be gone: false then.
  static bool read(void *to, const void *from, uint64_t size);

private:
  /// Empty, or why there is none. A spawned server knows no settings before it is started.
  std::string spawn();
  void stop();
  /// Sends a request and waits. Empty, or what became of the server.
  std::string ask(const std::string &message, std::string &answer);
  std::string sendSettings(const std::vector<std::string> &names);
  std::string describeDeath();
  std::string stage(LaunchRequest &request, const std::vector<Range> &ranges);
  std::string unstage(const LaunchRequest &request, const std::vector<Range> &ranges);

  int ownMemory = -1, staging = -1, socket = -1;
  pid_t process = 0;
  bool configured = false; ///< the server has been told the settings
  uint64_t generation = 0, nextOffset = 0, nextAddress, stagingSize = 0;
  char *stagingMap = nullptr;
  std::multimap<uint64_t, uint64_t> freeOffsets; ///< by size
};

} // namespace tilesmith::driver

#endif // ORACLES_DEVICES_DRIVER_CONNECTION_H
