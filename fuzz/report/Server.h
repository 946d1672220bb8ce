//===- Server.h - pages for a browser on this machine -----------------------------------------===//
#ifndef FUZZ_REPORT_SERVER_H
#define FUZZ_REPORT_SERVER_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <string>

namespace tilesmith::fuzz {

/// Answers GET and HEAD on 127.0.0.1 until `ends` says so. `port` 0: any; `onReady` is told which.
/// `page` makes what a path names (`/report.json`), text and type; an empty type: there is no such
/// page. One request at a time asks it.
///
/// Only requests to localhost are answered, by that name too: a page of another site that has its
/// name resolve to this machine reads nothing.
struct Page {
  std::string text, type;
};
llvm::Error serve(unsigned port,
                  const std::function<llvm::Expected<Page>(const std::string &)> &page,
                  llvm::function_ref<void(unsigned)> onReady, llvm::function_ref<bool()> ends);

} // namespace tilesmith::fuzz

#endif // FUZZ_REPORT_SERVER_H
