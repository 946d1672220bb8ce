//===- Rewrites.cpp - which rewrites of the compiler fired ------------------------------------===//
#include "compiler/support/Rewrites.h"

#include "llvm/ADT/StringExtras.h"

#include <atomic>
#include <mutex>
#include <utility>

using namespace tilesmith;

namespace {
std::atomic<bool> isCounting = false;
std::mutex mutex; // passes over functions may run beside each other
Rewrites sinceTaken;
std::set<std::string> passes;
} // namespace

static std::string keyOf(llvm::StringRef pass, llvm::StringRef name) {
  return (pass + "/" + name).str();
}

void tilesmith::countRewrites() {
  isCounting = true;
}

bool tilesmith::areRewritesCounted() {
  return isCounting;
}

void tilesmith::noteRewrites(llvm::StringRef pass, llvm::ArrayRef<std::string> names) {
  std::lock_guard lock(mutex);
  if (!passes.insert(pass.str()).second)
    return;
  for (const std::string &name : names)
    sinceTaken.found.insert(keyOf(pass, name));
}

void tilesmith::noteRewrite(llvm::StringRef pass, llvm::StringRef name) {
  std::lock_guard lock(mutex);
  sinceTaken.fired.insert(keyOf(pass, name));
}

Rewrites tilesmith::takeRewrites() {
  std::lock_guard lock(mutex);
  return std::exchange(sinceTaken, {});
}

std::string tilesmith::shortTypeName(llvm::StringRef name) {
  std::string result;
  while (!name.empty()) {
    if (name.consume_front("(anonymous namespace)"))
      continue;
    if (name.consume_front("::")) {
      while (!result.empty() && (llvm::isAlnum(result.back()) || result.back() == '_'))
        result.pop_back();
      continue;
    }
    if (name.front() != ' ')
      result += name.front();
    name = name.drop_front();
  }
  return result;
}
