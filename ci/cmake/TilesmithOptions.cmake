# Language level, warnings, sanitizers, coverage, ccache. Everything here is directory-wide on purpose:
# the precompiled header must see exactly the flags that every translation unit sees.
option(TILESMITH_PLANTS "compile the planted bugs (selected at run time with --plant=ID)" ON)
option(TILESMITH_SANITIZE "address, undefined-behaviour and fuzzer instrumentation" OFF)
option(TILESMITH_COVERAGE "source-based coverage of the compiler" OFF)

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -gline-tables-only -UNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-O0 -g -UNDEBUG")

find_program(TILESMITH_CCACHE ccache)
if(TILESMITH_CCACHE)
  set(_sloppiness CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime)
  set(TILESMITH_PCH_LAUNCHER ${CMAKE_COMMAND} -E env ${_sloppiness} ${TILESMITH_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_PCH_EXTSUM=1 ${_sloppiness} ${TILESMITH_CCACHE})
endif()

# One list, so that the precompiled header and the targets cannot drift apart.
set(TILESMITH_CXX_FLAGS -Wall -Wextra -Werror -Wno-unused-parameter)
if(TILESMITH_SANITIZE)
  list(APPEND TILESMITH_CXX_FLAGS -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize=vptr,function
       -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
  # Defaults compiled into every executable (ASAN_OPTIONS still adds to them). User poisoning must be off: LLVM's inlined
  # allocators poison fresh slabs in our instrumented code, and the uninstrumented libLLVM never unpoisons what it hands out.
  set(TILESMITH_SANITIZER_DEFAULTS ${CMAKE_BINARY_DIR}/SanitizerDefaults.c)
  file(CONFIGURE OUTPUT ${TILESMITH_SANITIZER_DEFAULTS} CONTENT
    "const char *__asan_default_options(void) { return \"allow_user_poisoning=0\"; }\n")
endif()
# Only the compiler is instrumented (compiler/CMakeLists.txt): the rest runs at full speed. The precompiled header holds
# no code of ours, so it needs no instrumentation either.
if(TILESMITH_COVERAGE)
  add_link_options(-fprofile-instr-generate)
endif()
if(TILESMITH_PLANTS)
  list(APPEND TILESMITH_CXX_FLAGS -DTILESMITH_PLANTS=1)
endif()
add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:${TILESMITH_CXX_FLAGS}>")
add_link_options(-fuse-ld=lld-22)
