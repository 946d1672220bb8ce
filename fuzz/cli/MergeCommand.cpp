//===- MergeCommand.cpp - tilesmith merge A.db B.db... -o OUT.db ------------------------------===//
//
// Joins the stores of shards. OUT must be new: merging into an old one would count coverage twice.
//
//===------------------------------------------------------------------------------------------===//
#include "fuzz/cli/Commands.h"
#include "fuzz/store/Store.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilesmith;
using namespace tilesmith::fuzz;
namespace cl = llvm::cl;

cl::SubCommand &tilesmith::fuzz::mergeCommand() {
  static cl::SubCommand command("merge", "join the stores of several campaigns");
  return command;
}

static cl::list<std::string> inputs(cl::Positional, cl::desc("STORE..."), cl::sub(mergeCommand()));
static cl::opt<std::string> output("o", cl::desc("the new store"), cl::value_desc("FILE"),
                                   cl::sub(mergeCommand()));

int tilesmith::fuzz::runMerge() {
  if (inputs.empty() || output.empty())
    return usageError("expected stores and -o FILE");
  if (llvm::sys::fs::exists(output))
    return usageError("expected a new file, found '" + output + "'");
  for (const std::string &path : inputs)
    if (!llvm::sys::fs::exists(path))
      return usageError("no store '" + path + "'");
  // Filled under another name: a merge that fails or dies leaves nothing under that of the output.
  llvm::SmallString<128> fresh;
  if (std::error_code code = llvm::sys::fs::createUniqueFile(output + ".tmp-%%%%%%%%", fresh))
    return usageError("cannot write '" + output + "': " + code.message());
  const std::string temporary = fresh.str().str();
  auto fill = [&]() -> llvm::Error {
    auto store = Store::open(temporary);
    if (!store)
      return store.takeError();
    for (const std::string &path : inputs)
      if (llvm::Error error = store->merge(path))
        return error;
    llvm::outs() << store->campaigns().size() << " campaigns, " << store->counts().total()
                 << " cases, " << store->findings().size() << " findings, " << store->bugs().size()
                 << " bugs\n";
    return llvm::Error::success();
  };
  llvm::Error error = fill();
  // A link, unlike a rename, never replaces what came meanwhile.
  if (!error)
    if (std::error_code code = llvm::sys::fs::create_hard_link(temporary, output))
      error = llvm::createStringError("cannot write '" + output + "': " + code.message());
  for (const char *suffix : {"", "-wal", "-shm"})
    llvm::sys::fs::remove(temporary + suffix);
  return error ? usageError(std::move(error)) : 0;
}
