//===- ScratchFolder.cpp - one temporary folder for all of a command ------------------------===//
#include "compiler/support/ScratchFolder.h"

#include "compiler/support/RemoveInHandler.h"

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

ScratchFolder::~ScratchFolder() {
  remove();
  owner = 0; // a signal that comes from here on finds no path
}

void ScratchFolder::remove() const {
  if (!path.empty() && owner == ::getpid())
    llvm::sys::fs::remove_directories(path);
}

void ScratchFolder::removeInHandler() const {
  if (!path.empty() && owner == ::getpid())
    tilesmith::removeInHandler(path.c_str());
}
