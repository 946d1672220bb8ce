//===- RemoveInHandler.cpp - folders removed when a signal ends a command ---------------------===//
#include "compiler/support/RemoveInHandler.h"

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

/// Gives the folder another name, in `buffer`: children that are still at work there would else put
/// files into what is being emptied.
static const char *hide(const char *path, char (&buffer)[PATH_MAX]) {
  static constexpr char kSuffix[] = ".removed";
  const size_t length = std::strlen(path);
  if (length + sizeof kSuffix > sizeof buffer)
    return path;
  std::memcpy(buffer, path, length);
  std::memcpy(buffer + length, kSuffix, sizeof kSuffix);
  return ::rename(path, buffer) == 0 ? buffer : path;
}

void tilesmith::removeInHandler(const char *path) {
  char buffer[PATH_MAX];
  path = hide(path, buffer);
  const pid_t child = ::_Fork(); // fork() would take the memory's lock
  if (child == 0) {
    // `timeout` and impatient users signal the whole group once more; this goes on to its end.
    for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE})
      ::signal(signal, SIG_IGN);
    const int null = ::open("/dev/null", O_WRONLY);
    ::dup2(null, STDERR_FILENO);
    ::execl("/bin/rm", "rm", "-rf", "--", path, nullptr);
    ::_exit(1);
  }
  while (child > 0 && ::waitpid(child, nullptr, 0) < 0 && errno == EINTR)
    ;
}
