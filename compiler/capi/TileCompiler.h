/*===- TileCompiler.h - the C interface of the compiler ---------------------------------------===
 *
 * Tile IR bytecode in, a cubin (or the text of an earlier stage) out. Plain C; `tileiras` is its
 * first client.
 *
 *   create    checks the configuration and the header of the bytecode
 *   compile   reads, verifies and lowers; once per program
 *   output    bytes, owned by the program and valid until it is destroyed
 *   destroy   accepts NULL
 *
 * No function prints, ends the process or writes a file (ptxas leaves its temporaries in TMPDIR
 * while it runs). Programs share nothing: different threads may work on different programs at the
 * same time, one program belongs to one thread at a time.
 *
 * Source of the codes and of the order of checks: the specification's roster 8.3. Unlike the exit
 * codes of the process, 1 is an allocation that failed and 4 a handle in the wrong state.
 *
 *===------------------------------------------------------------------------------------------===*/
#ifndef COMPILER_CAPI_TILECOMPILER_H
#define COMPILER_CAPI_TILECOMPILER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TileCompilerResult {
  TILE_COMPILER_SUCCESS = 0,
  TILE_COMPILER_ALLOCATION_FAILED = 1,
  TILE_COMPILER_INVALID_CONFIGURATION = 2, /* configuration, buffer, GPU, level, other options */
  TILE_COMPILER_INVALID_BYTECODE = 3,      /* magic, version; when compiling: reader, verifier */
  TILE_COMPILER_INVALID_HANDLE = 4,        /* NULL pointer, not compiled, compiled twice */
  TILE_COMPILER_COMPILE_FAILED = 5         /* target gate, lowering, toolkit, ptxas */
} TileCompilerResult;

typedef struct TileCompilerProgram TileCompilerProgram;

/* Start from tileCompilerDefaultConfiguration. NULL strings mean the default; create copies all. */
typedef struct TileCompilerConfiguration {
  size_t structSize;    /* sizeof this struct as the caller knows it */
  const char *gpuName;  /* "sm_90"; required here or in `options`: a name of `--gpu-name` */
  int optLevel;         /* 0 to 3; default 3 */
  int lineInfo;         /* 1: write line tables */
  int deviceDebug;      /* 1: write debug information; needs level 0 */
  const char *hostArch; /* "x86_64" or "aarch64"; default: this machine */
  const char *hostOs;   /* "linux" or "windows"; default: this machine */
  const char *sanitize; /* "memcheck"; default: none */
  /* Any further option of `tileiras` as on its command line ("--emit=ptx"); wins over the fields
   * above. Names of files to read or write are ignored. */
  const char *const *options;
  size_t optionCount;
} TileCompilerConfiguration;

typedef enum TileCompilerOutput {
  TILE_COMPILER_OUTPUT_CODE = 0,            /* cubin, or what `--emit` chose */
  TILE_COMPILER_OUTPUT_LAUNCH_METADATA = 1, /* JSON: kernels, threads, shared bytes, parameters */
  TILE_COMPILER_OUTPUT_REMARKS = 2          /* text in the form `--remark-format` chose */
} TileCompilerOutput;

/* "0.1.0": of the library, which may be newer than this header. Never NULL. */
const char *tileCompilerVersion(void);

/* The defaults above, with no GPU. */
TileCompilerConfiguration tileCompilerDefaultConfiguration(void);

/* Checks, in this order: `program` (4), configuration (2), buffer (2), header of the bytecode (3),
 * GPU, level, debug with level, host, other options (2), memory (1). After a failure `*program`
 * holds nothing but the diagnostics, and must still be destroyed; it is NULL only after 1. The
 * bytecode is copied. */
TileCompilerResult tileCompilerCreate(TileCompilerProgram **program,
                                      const TileCompilerConfiguration *configuration,
                                      const void *bytecode, size_t bytecodeSize);

TileCompilerResult tileCompilerCompile(TileCompilerProgram *program);

/* The bytes of one output, not NUL-terminated. Only after a successful compile. */
TileCompilerResult tileCompilerGetOutput(const TileCompilerProgram *program,
                                         TileCompilerOutput which, const void **data, size_t *size);

/* What went wrong so far, and warnings, in the lines `tileiras` writes to standard error; ends with
 * a newline unless empty. Never NULL; valid until the next call with this program. */
const char *tileCompilerGetDiagnostics(const TileCompilerProgram *program);

void tileCompilerDestroy(TileCompilerProgram *program);

#ifdef __cplusplus
}
#endif

#endif /* COMPILER_CAPI_TILECOMPILER_H */
