/*===- TileCompilerClient.c - a client of the C interface in C --------------------------------===
 *
 * tile-compiler-client FILE: compiles the bytecode to PTX for sm_90 and prints its kernels' line.
 * Exits 0 only when the PTX and the launch metadata hold what they must.
 *
 *===------------------------------------------------------------------------------------------===*/
#include "compiler/capi/TileCompiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int contains(const void *data, size_t size, const char *word) {
  size_t length = strlen(word), i;
  for (i = 0; i + length <= size; ++i)
    if (!memcmp((const char *)data + i, word, length))
      return 1;
  fprintf(stderr, "the output has no '%s'\n", word);
  return 0;
}

int main(int argc, char **argv) {
  static char bytecode[1 << 20];
  static const char *const options[] = {"--emit=ptx", "--remarks=all"};
  TileCompilerConfiguration configuration = tileCompilerDefaultConfiguration();
  TileCompilerProgram *program = NULL;
  const void *data = NULL;
  size_t size = 0;
  int good;
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (!file) {
    fprintf(stderr, "usage: tile-compiler-client FILE\n");
    return 2;
  }
  size = fread(bytecode, 1, sizeof(bytecode), file);
  fclose(file);

  if (strchr(tileCompilerVersion(), '.') == NULL) {
    fprintf(stderr, "the library has no version\n");
    return 1;
  }
  configuration.gpuName = "sm_90";
  configuration.options = options;
  configuration.optionCount = sizeof(options) / sizeof(*options);
  if (tileCompilerCreate(&program, &configuration, bytecode, size) != TILE_COMPILER_SUCCESS ||
      tileCompilerCompile(program) != TILE_COMPILER_SUCCESS) {
    fputs(tileCompilerGetDiagnostics(program), stderr);
    tileCompilerDestroy(program);
    return 1;
  }
  good = tileCompilerGetOutput(program, TILE_COMPILER_OUTPUT_CODE, &data, &size) ==
             TILE_COMPILER_SUCCESS &&
         contains(data, size, ".visible .entry") && contains(data, size, ".target sm_90a");
  good = good &&
         tileCompilerGetOutput(program, TILE_COMPILER_OUTPUT_LAUNCH_METADATA, &data, &size) ==
             TILE_COMPILER_SUCCESS &&
         contains(data, size, "kernels");
  tileCompilerDestroy(program);
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
