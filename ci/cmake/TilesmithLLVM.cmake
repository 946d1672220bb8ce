# System packages (all from Debian 12; ci/setup installs them).
find_package(MLIR REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/mlir)
find_package(LLVM REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/llvm)
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "tilesmith needs LLVM/MLIR 22, found ${LLVM_VERSION} in ${LLVM_DIR}; run ci/setup")
endif()
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

find_package(GTest REQUIRED)
find_package(benchmark REQUIRED)
find_package(Boost 1.74 REQUIRED COMPONENTS context)
find_library(TILESMITH_MPFR mpfr REQUIRED)
find_library(TILESMITH_GMP gmp REQUIRED)

set(LLVM_TOOLS_DIR ${LLVM_TOOLS_BINARY_DIR})
set(LLVM_EXTERNAL_LIT ${LLVM_TOOLS_DIR}/lit)

include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
include_directories(${CMAKE_SOURCE_DIR})
include_directories(SYSTEM ${CMAKE_BINARY_DIR})   # ODS output: our warnings do not apply to it
add_compile_definitions(_GNU_SOURCE __STDC_CONSTANT_MACROS __STDC_FORMAT_MACROS __STDC_LIMIT_MACROS)
