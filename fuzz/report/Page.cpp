//===- Page.cpp - what every page and report for build servers shares -------------------------===//
#include "fuzz/report/Page.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;

static constexpr const char *kHead = R"(<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<style>
:root { --text: #1c1c1c; --back: #fff; --soft: #555; --line: #ccc; --box: #f3f3f3; --bad: #a40000;
        --good: #1d6b2c; --ink: #2a5db0 }
@media (prefers-color-scheme: dark) {
  :root { --text: #e4e4e4; --back: #16181b; --soft: #a5a5a5; --line: #44484d; --box: #24272b;
          --bad: #ff8a80; --good: #7fce8f; --ink: #7fb0ff } }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2em auto; max-width: 1100px; padding: 0 1em;
       color: var(--text); background: var(--back) }
h1 { font-size: 1.5em } h2 { font-size: 1.2em; margin-top: 2em }
table { border-collapse: collapse } td, th { padding: .25em .6em; text-align: left; vertical-align: top }
td { overflow-wrap: anywhere } td.number { text-align: right; white-space: nowrap }
.tiles { display: flex; gap: 1em; flex-wrap: wrap }
.tile { border: 1px solid var(--line); border-radius: 6px; padding: .6em 1em; min-width: 7em }
.tile b { display: block; font-size: 1.4em }
.bad { color: var(--bad) } .good { color: var(--good) }
details { border: 1px solid var(--line); border-radius: 6px; padding: .5em 1em; margin: .6em 0 }
summary { cursor: pointer; overflow-wrap: anywhere }
pre { background: var(--box); padding: .8em; overflow: auto; font-size: 13px }
.wide { overflow: auto } .map td { text-align: right; font-size: 12px; border: 1px solid var(--back) }
.map th { font-size: 12px; font-weight: normal; position: sticky; left: 0; background: var(--back) }
.map td.none { background: var(--box) }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 420px), 1fr)); gap: 1em }
figure { margin: 0 } figcaption { font-weight: bold; margin-bottom: .3em }
figcaption span { font-weight: normal; color: var(--soft) }
.note { color: var(--soft) }
</style>
)";

std::string tilesmith::fuzz::escapeMarkup(llvm::StringRef text) {
  std::string printable, result;
  for (char c : text)
    if (static_cast<unsigned char>(c) >= ' ' || c == '\n' || c == '\t')
      printable += c;
  llvm::raw_string_ostream sink(result);
  llvm::printHTMLEscaped(llvm::json::fixUTF8(printable), sink);
  return result;
}

void tilesmith::fuzz::beginPage(llvm::raw_ostream &out, llvm::StringRef title,
                                llvm::StringRef style) {
  std::string text = escapeMarkup(title);
  out << "<!doctype html>\n<html lang=\"en\"><head><title>" << text << "</title>\n"
      << kHead << style << "</head><body>\n<h1>" << text << "</h1>\n";
}

void tilesmith::fuzz::writePageTile(llvm::raw_ostream &out, const llvm::Twine &value,
                                    llvm::StringRef label, bool bad) {
  out << "<div class=\"tile" << (bad ? " bad" : "") << "\"><b>" << value << "</b>" << label
      << "</div>\n";
}
