//===- Page.h - what every page and report for build servers shares ---------------------------===//
#ifndef FUZZ_REPORT_PAGE_H
#define FUZZ_REPORT_PAGE_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace tilesmith::fuzz {

/// Text for HTML and XML: valid UTF-8 without control characters, escaped.
std::string escapeMarkup(llvm::StringRef text);

/// Everything up to the heading of a page that needs nothing from outside; `</body></html>` ends
/// it. `style`: more of the head.
void beginPage(llvm::raw_ostream &out, llvm::StringRef title, llvm::StringRef style = "");

/// A number with its label; the caller opens and closes `<div class="tiles">`.
void writePageTile(llvm::raw_ostream &out, const llvm::Twine &value, llvm::StringRef label,
                   bool bad = false);

} // namespace tilesmith::fuzz

#endif // FUZZ_REPORT_PAGE_H
