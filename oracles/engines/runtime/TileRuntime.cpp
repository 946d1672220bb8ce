//===- TileRuntime.cpp - the C interface that runs kernels ------------------------------------===//
#include "oracles/engines/runtime/TileRuntime.h"

#include "oracles/devices/driver/Spans.h"
#include "oracles/engines/runtime/Session.h"

#include "llvm/ADT/StringExtras.h"

#include <new>

using namespace tilesmith;

struct TileRuntimeModule {
  runtime::Module *module;
  llvm::ArrayRef<runtime::Entry> entries;
};

struct TileRuntime {
  runtime::Session session;
  runtime::Settings settings;
  std::vector<std::unique_ptr<TileRuntimeModule>> modules;
  std::vector<runtime::Range> ranges;
  driver::Spans unwritten;
  runtime::LaunchResult last;
  std::vector<std::string> messages; ///< of the findings of `last`
  std::string error;
};

static TileRuntimeResult refuse(TileRuntime &runtime, TileRuntimeResult result, llvm::Error error) {
  runtime.error = llvm::toString(std::move(error));
  return result;
}

static TileRuntimeResult refuse(TileRuntime &runtime, TileRuntimeResult result,
                                const char *message) {
  runtime.error = message;
  return result;
}

TileRuntimeResult tileRuntimeCreate(TileRuntime **runtime) {
  if (!runtime)
    return TILE_RUNTIME_INVALID_HANDLE;
  *runtime = new (std::nothrow) TileRuntime;
  return *runtime ? TILE_RUNTIME_SUCCESS : TILE_RUNTIME_ALLOCATION_FAILED;
}

TileRuntimeResult tileRuntimeSet(TileRuntime *runtime, const char *name, const char *value) {
  if (!runtime)
    return TILE_RUNTIME_INVALID_HANDLE;
  runtime->error.clear();
  if (!name || !value)
    return refuse(*runtime, TILE_RUNTIME_INVALID_SETTING,
                  "expected a name and a value, found null");
  runtime::Settings changed = runtime->settings;
  if (llvm::Error error = runtime::Session::set(changed, name, value))
    return refuse(*runtime, TILE_RUNTIME_INVALID_SETTING, std::move(error));
  if (llvm::Error error = runtime->session.configure(changed))
    return refuse(*runtime, TILE_RUNTIME_INVALID_SETTING, std::move(error));
  runtime->settings = std::move(changed);
  return TILE_RUNTIME_SUCCESS;
}

TileRuntimeResult tileRuntimeLoad(TileRuntime *runtime, const void *image, size_t size,
                                  TileRuntimeModule **module) {
  if (!runtime || !module)
    return TILE_RUNTIME_INVALID_HANDLE;
  *module = nullptr;
  runtime->error.clear();
  if (!image)
    return refuse(*runtime, TILE_RUNTIME_INVALID_MODULE, "expected an image, found null");
  auto loaded = runtime->session.load({static_cast<const char *>(image), size});
  if (!loaded)
    return refuse(*runtime, TILE_RUNTIME_INVALID_MODULE, loaded.takeError());
  runtime->modules.push_back(std::make_unique<TileRuntimeModule>(
      TileRuntimeModule{*loaded, runtime::Session::entries(**loaded)}));
  *module = runtime->modules.back().get();
  return TILE_RUNTIME_SUCCESS;
}

TileRuntimeResult tileRuntimeUnload(TileRuntime *runtime, TileRuntimeModule *module) {
  if (!runtime)
    return TILE_RUNTIME_INVALID_HANDLE;
  auto owned = llvm::find_if(runtime->modules, [&](auto &known) { return known.get() == module; });
  if (owned == runtime->modules.end())
    return TILE_RUNTIME_INVALID_HANDLE;
  runtime->session.unload(module->module);
  runtime->modules.erase(owned);
  return TILE_RUNTIME_SUCCESS;
}

size_t tileRuntimeEntryCount(const TileRuntimeModule *module) {
  return module ? module->entries.size() : 0;
}

const char *tileRuntimeEntryName(const TileRuntimeModule *module, size_t entry) {
  return entry < tileRuntimeEntryCount(module) ? module->entries[entry].name.c_str() : nullptr;
}

size_t tileRuntimeParameterCount(const TileRuntimeModule *module, size_t entry) {
  return entry < tileRuntimeEntryCount(module) ? module->entries[entry].parameters.size() : 0;
}

TileRuntimeResult tileRuntimeGetParameter(const TileRuntimeModule *module, size_t entry,
                                          size_t parameter, TileRuntimeParameter *result) {
  if (!result || parameter >= tileRuntimeParameterCount(module, entry))
    return TILE_RUNTIME_INVALID_HANDLE;
  const runtime::Parameter &known = module->entries[entry].parameters[parameter];
  // Spellings are literals: they end with a NUL.
  *result = {known.isPointer, known.size, testcase::spelling(known.dtype).data()};
  return TILE_RUNTIME_SUCCESS;
}

TileRuntimeResult tileRuntimeDeclare(TileRuntime *runtime, void *base, size_t size,
                                     const char *name) {
  if (!runtime)
    return TILE_RUNTIME_INVALID_HANDLE;
  runtime->error.clear();
  auto *bytes = static_cast<uint8_t *>(base);
  bool overlaps = llvm::any_of(runtime->ranges, [&](const runtime::Range &range) {
    return bytes < range.base + range.size && range.base < bytes + size;
  });
  if (!base || !size || overlaps)
    return refuse(*runtime, TILE_RUNTIME_INVALID_HANDLE,
                  "expected memory that overlaps none that was declared before");
  runtime->ranges.push_back(
      {bytes, size, name ? name : "memory " + std::to_string(runtime->ranges.size())});
  return TILE_RUNTIME_SUCCESS;
}

TileRuntimeResult tileRuntimeMarkUnwritten(TileRuntime *runtime, void *base, size_t size) {
  if (!runtime)
    return TILE_RUNTIME_INVALID_HANDLE;
  runtime->error.clear();
  auto *bytes = static_cast<uint8_t *>(base);
  bool inside = llvm::any_of(runtime->ranges, [&](const runtime::Range &range) {
    return bytes >= range.base && bytes < range.base + range.size &&
           size <= range.size - (bytes - range.base);
  });
  if (!size || !inside)
    return refuse(*runtime, TILE_RUNTIME_INVALID_HANDLE,
                  "expected bytes of memory that was declared");
  runtime->unwritten.add(reinterpret_cast<uint64_t>(base), size);
  return TILE_RUNTIME_SUCCESS;
}

TileRuntimeResult tileRuntimeForget(TileRuntime *runtime, void *base) {
  if (!runtime)
    return TILE_RUNTIME_INVALID_HANDLE;
  auto range = llvm::find_if(runtime->ranges,
                             [&](const runtime::Range &known) { return known.base == base; });
  if (range == runtime->ranges.end())
    return TILE_RUNTIME_INVALID_HANDLE;
  runtime->unwritten.remove(reinterpret_cast<uint64_t>(base), range->size);
  runtime->ranges.erase(range);
  return TILE_RUNTIME_SUCCESS;
}

TileRuntimeResult tileRuntimeLaunch(TileRuntime *runtime, TileRuntimeModule *module,
                                    const char *entry, const int64_t grid[3],
                                    const void *const *arguments, size_t argumentCount) {
  if (!runtime || !module)
    return TILE_RUNTIME_INVALID_HANDLE;
  runtime->error.clear();
  runtime->last = {};
  runtime->messages.clear();
  if (!entry || !grid || (argumentCount && !arguments))
    return refuse(*runtime, TILE_RUNTIME_INVALID_LAUNCH,
                  "expected an entry, a grid and arguments, found null");
  runtime::Launch launch;
  launch.module = module->module;
  launch.entry = entry;
  launch.grid = {grid[0], grid[1], grid[2]};
  launch.ranges = runtime->ranges;
  for (auto [begin, end] : runtime->unwritten.all())
    launch.unwritten.push_back({begin, end - begin});
  const runtime::Entry *signature =
      llvm::find_if(module->entries, [&](auto &known) { return known.name == launch.entry; });
  for (size_t i = 0; i < argumentCount; ++i) {
    auto *bytes = static_cast<const uint8_t *>(arguments[i]);
    // More arguments than parameters are refused by the session, without being read.
    bool known = signature != module->entries.end() && i < signature->parameters.size();
    if (known && !bytes)
      return refuse(*runtime, TILE_RUNTIME_INVALID_LAUNCH, "expected an argument, found null");
    launch.arguments.emplace_back(bytes, known ? bytes + signature->parameters[i].size : bytes);
  }
  auto result = runtime->session.launch(launch);
  if (!result)
    return refuse(*runtime, TILE_RUNTIME_INVALID_LAUNCH, result.takeError());
  runtime->last = std::move(*result);
  runtime->unwritten.clear();
  for (const runtime::Span &span : runtime->last.unwritten)
    runtime->unwritten.add(span.base, span.size);
  for (const runtime::Finding &finding : runtime->last.findings)
    runtime->messages.push_back(finding.str());
  if (runtime->last.ok())
    return TILE_RUNTIME_SUCCESS;
  return llvm::all_of(runtime->last.findings, [](auto &finding) { return finding.undecided; })
             ? TILE_RUNTIME_UNDECIDED
             : TILE_RUNTIME_FINDING;
}

size_t tileRuntimeFindingCount(const TileRuntime *runtime) {
  return runtime ? runtime->last.findings.size() : 0;
}

TileRuntimeResult tileRuntimeGetFinding(const TileRuntime *runtime, size_t finding,
                                        TileRuntimeFinding *result) {
  if (!result || finding >= tileRuntimeFindingCount(runtime))
    return TILE_RUNTIME_INVALID_HANDLE;
  const runtime::Finding &known = runtime->last.findings[finding];
  *result = {known.engine.c_str(), known.kind.c_str(), runtime->messages[finding].c_str(),
             known.kernel.c_str(), {-1, -1, -1},       {-1, -1, -1},
             known.file.c_str(),   known.line,         known.column,
             known.undecided};
  for (int i = 0; i < 3; ++i) {
    result->block[i] = known.block ? (*known.block)[i] : -1;
    result->thread[i] = known.thread ? (*known.thread)[i] : -1;
  }
  return TILE_RUNTIME_SUCCESS;
}

const char *tileRuntimePrinted(const TileRuntime *runtime) {
  return runtime ? runtime->last.printed.c_str() : "";
}

const char *tileRuntimeCaptured(const TileRuntime *runtime) {
  return runtime ? runtime->last.captured.c_str() : "";
}

const char *tileRuntimeError(const TileRuntime *runtime) {
  return runtime ? runtime->error.c_str() : "runtime is null";
}

void tileRuntimeDestroy(TileRuntime *runtime) {
  delete runtime;
}
