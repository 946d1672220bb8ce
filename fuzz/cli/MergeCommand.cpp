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
  auto fill = [&]() -> llvm::Error {
    auto store = Store::open(output);
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
  if (llvm::Error error = fill()) {
    for (const char *suffix : {"", "-wal", "-shm"})
      llvm::sys::fs::remove(output + suffix);
    return usageError(llvm::toString(std::move(error)));
  }
  return 0;
}
