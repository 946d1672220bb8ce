/*===- TileRuntime.h - the C interface that runs kernels --------------------------------------===
 *
 * Tile IR bytecode and memory in, results in that memory and findings out. Plain C; beside it stands
 * compiler/capi/TileCompiler.h, which compiles.
 *
 *   create     a runtime with its settings
 *   load       bytecode, or a module of `tileiras --emit=emulated`; then ask for its entries
 *   declare    memory that kernels may touch, at the addresses that the caller has
 *   launch     one entry on every engine that the settings name; results are in place
 *   findings   what was wrong, as records; valid until the next launch
 *   destroy    accepts NULL, and takes the modules along
 *
 * No function prints or ends the process; a kernel's faults are findings, never signals of the
 * caller. With capture on, a launch writes a case folder; nothing else is written. Different threads
 * may use different runtimes at the same time, one runtime belongs to one thread at a time. Who must
 * survive a crash of the compiler itself uses `tilesmith serve`.
 *
 *===------------------------------------------------------------------------------------------===*/
#ifndef ORACLES_ENGINES_RUNTIME_TILERUNTIME_H
#define ORACLES_ENGINES_RUNTIME_TILERUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TileRuntimeResult {
  TILE_RUNTIME_SUCCESS = 0,
  TILE_RUNTIME_ALLOCATION_FAILED = 1,
  TILE_RUNTIME_INVALID_SETTING = 2, /* unknown name, or not a value of it */
  TILE_RUNTIME_INVALID_MODULE = 3,  /* other data, truncated, refused by reader or verifier */
  TILE_RUNTIME_INVALID_HANDLE = 4,  /* NULL, index out of range, unknown memory */
  TILE_RUNTIME_INVALID_LAUNCH = 5,  /* entry, grid, arguments; nothing ran */
  TILE_RUNTIME_FINDING = 6,         /* kernel or compiler is wrong: see the findings */
  TILE_RUNTIME_UNDECIDED = 7        /* only findings that decide nothing: a limit, a gap */
} TileRuntimeResult;

typedef struct TileRuntime TileRuntime;
typedef struct TileRuntimeModule TileRuntimeModule;

typedef struct TileRuntimeParameter {
  int isPointer;
  size_t size;      /* bytes of an argument */
  const char *type; /* of the scalar, or pointed to: "f32", "i64", "bool" */
} TileRuntimeParameter;

typedef struct TileRuntimeFinding {
  const char *engine;  /* "emulator@O0" */
  const char *kind;    /* "fault", "out-of-bounds", "data-race", "assertion", "mismatch" ... */
  const char *message; /* one line with everything below */
  const char *kernel;
  int64_t block[3], thread[3]; /* -1 where it is not known */
  const char *file;            /* source of the kernel; "" where it is not known */
  int64_t line, column;
  int undecided; /* 1: a limit or a gap, nothing is wrong */
} TileRuntimeFinding;

TileRuntimeResult tileRuntimeCreate(TileRuntime **runtime);

/* One setting, before or between launches: "engine" ("emulator", "reference,emulator@O3"),
 * "schedule", "detect-races", "uninitialised", "time-limit" (seconds), "capture" (a folder),
 * "capture-findings", or any option that `tilesmith run` passes on to engines ("O", "gpu-name"). */
TileRuntimeResult tileRuntimeSet(TileRuntime *runtime, const char *name, const char *value);

/* The image is copied. */
TileRuntimeResult tileRuntimeLoad(TileRuntime *runtime, const void *image, size_t size,
                                  TileRuntimeModule **module);
TileRuntimeResult tileRuntimeUnload(TileRuntime *runtime, TileRuntimeModule *module);

/* Names and signatures, valid while the module is loaded. */
size_t tileRuntimeEntryCount(const TileRuntimeModule *module);
const char *tileRuntimeEntryName(const TileRuntimeModule *module, size_t entry);
size_t tileRuntimeParameterCount(const TileRuntimeModule *module, size_t entry);
TileRuntimeResult tileRuntimeGetParameter(const TileRuntimeModule *module, size_t entry,
                                          size_t parameter, TileRuntimeParameter *result);

/* Memory must stay valid until it is forgotten, and must not overlap what was declared before. The
 * name stands in messages; NULL numbers it. */
TileRuntimeResult tileRuntimeDeclare(TileRuntime *runtime, void *base, size_t size,
                                     const char *name);
/* Bytes of declared memory that nobody has written: a kernel that reads them is a finding, until a
 * launch has written them. */
TileRuntimeResult tileRuntimeMarkUnwritten(TileRuntime *runtime, void *base, size_t size);
TileRuntimeResult tileRuntimeForget(TileRuntime *runtime, void *base);

/* `arguments[i]` points to the bytes of argument i, of the size that its parameter has. */
TileRuntimeResult tileRuntimeLaunch(TileRuntime *runtime, TileRuntimeModule *module,
                                    const char *entry, const int64_t grid[3],
                                    const void *const *arguments, size_t argumentCount);

size_t tileRuntimeFindingCount(const TileRuntime *runtime);
TileRuntimeResult tileRuntimeGetFinding(const TileRuntime *runtime, size_t finding,
                                        TileRuntimeFinding *result);
/* What the last launch printed, and the folder that it was captured in. Never NULL. */
const char *tileRuntimePrinted(const TileRuntime *runtime);
const char *tileRuntimeCaptured(const TileRuntime *runtime);

/* Why the last call failed; "" when it did not. Never NULL. */
const char *tileRuntimeError(const TileRuntime *runtime);

void tileRuntimeDestroy(TileRuntime *runtime);

#ifdef __cplusplus
}
#endif

#endif /* ORACLES_ENGINES_RUNTIME_TILERUNTIME_H */
