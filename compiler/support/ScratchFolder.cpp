//===- ScratchFolder.cpp - one temporary folder for all of a command ------------------------===//
#include "compiler/support/ScratchFolder.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

#include <cstdlib>
#include <unistd.h>

using namespace tilesmith;

ScratchFolder::ScratchFolder() : owner(::getpid()) {
  llvm::SmallString<128> unique;
  if (llvm::sys::fs::createUniqueDirectory("tilesmith", unique))
    return;
  path = unique.str().str();
  ::setenv("TMPDIR", path.c_str(), 1); // what createUniqueDirectory and its like read
}

void ScratchFolder::remove() {
  if (!path.empty() && owner == ::getpid())
    llvm::sys::fs::remove_directories(path);
}
