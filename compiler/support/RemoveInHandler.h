//===- RemoveInHandler.h - folders removed when a signal ends a command -----------------------===//
#ifndef COMPILER_SUPPORT_REMOVEINHANDLER_H
#define COMPILER_SUPPORT_REMOVEINHANDLER_H

namespace tilesmith {

/// Removes a folder with all that is in it, by a process of its own, and waits for it. Of what may be
/// called in a signal's handler: it asks for no memory, whose lock the interrupted thread may hold
/// (signal-safety(7)). `path` is absolute. What cannot be removed stays, silently.
void removeInHandler(const char *path);

} // namespace tilesmith

#endif // COMPILER_SUPPORT_REMOVEINHANDLER_H
