# The one hand-made precompiled header (ci/cmake/pch.h). CMake's own target_precompile_headers defeats ccache across
# checkouts; this form gives full hits (measured). It must be compiled with exactly the flags of
# the targets, so both come from TILESMITH_CXX_FLAGS.
set(TILESMITH_PCH_SOURCE ${CMAKE_SOURCE_DIR}/ci/cmake/pch.h)
set(TILESMITH_PCH ${CMAKE_BINARY_DIR}/tilesmith.pch)
string(TOUPPER "${CMAKE_BUILD_TYPE}" _build_type)
separate_arguments(_pch_config_flags UNIX_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${_build_type}}")
set(_pch_includes)
foreach(dir ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  list(APPEND _pch_includes -isystem ${dir})
endforeach()
list(REMOVE_DUPLICATES _pch_includes)
set(_pch_command ${CMAKE_CXX_COMPILER} ${_pch_config_flags} ${TILESMITH_CXX_FLAGS} -std=c++20 -fPIC
    -D_GNU_SOURCE -D__STDC_CONSTANT_MACROS -D__STDC_FORMAT_MACROS -D__STDC_LIMIT_MACROS ${_pch_includes})
# The compiled header names its source by absolute path, so it is cached per folder (TILESMITH_PCH_LAUNCHER). What the
# objects depend on is only what it says: its checksum is that of the preprocessed text and the flags, the same in every
# folder, and ccache takes it from the .sum beside the header (CCACHE_PCH_EXTSUM in CMAKE_CXX_COMPILER_LAUNCHER).
add_custom_command(
  OUTPUT ${TILESMITH_PCH} ${TILESMITH_PCH}.sum
  COMMAND sh ${CMAKE_SOURCE_DIR}/ci/cmake/pch-sum.sh ${TILESMITH_PCH_SOURCE} ${TILESMITH_PCH}.sum ${_pch_command}
  COMMAND ${TILESMITH_PCH_LAUNCHER} ${_pch_command} -Xclang -fno-pch-timestamp -fpch-instantiate-templates
          -x c++-header ${TILESMITH_PCH_SOURCE} -o ${TILESMITH_PCH}
  DEPENDS ${TILESMITH_PCH_SOURCE} ${CMAKE_SOURCE_DIR}/ci/cmake/pch-sum.sh
  COMMENT "Precompiling ci/cmake/pch.h"
  VERBATIM)
add_custom_target(tilesmith_pch DEPENDS ${TILESMITH_PCH})

# The same for tests, chained to it.
set(TILESMITH_TEST_PCH_SOURCE ${CMAKE_SOURCE_DIR}/ci/cmake/pch-tests.h)
set(TILESMITH_TEST_PCH ${CMAKE_BINARY_DIR}/tilesmith-tests.pch)
set(_test_pch_command ${_pch_command} -DGTEST_HAS_PTHREAD=1) # as GTest::gtest asks of its users
add_custom_command(
  OUTPUT ${TILESMITH_TEST_PCH} ${TILESMITH_TEST_PCH}.sum
  COMMAND ${CMAKE_COMMAND} -E env PCH_BASE=${TILESMITH_PCH}.sum
          sh ${CMAKE_SOURCE_DIR}/ci/cmake/pch-sum.sh ${TILESMITH_TEST_PCH_SOURCE} ${TILESMITH_TEST_PCH}.sum ${_test_pch_command}
  COMMAND ${TILESMITH_PCH_LAUNCHER} ${_test_pch_command} -include-pch ${TILESMITH_PCH} -Xclang -fno-pch-timestamp
          -fpch-instantiate-templates -x c++-header ${TILESMITH_TEST_PCH_SOURCE} -o ${TILESMITH_TEST_PCH}
  DEPENDS ${TILESMITH_TEST_PCH_SOURCE} ${TILESMITH_PCH} ${CMAKE_SOURCE_DIR}/ci/cmake/pch-sum.sh
  COMMENT "Precompiling ci/cmake/pch-tests.h"
  VERBATIM)
add_custom_target(tilesmith_test_pch DEPENDS ${TILESMITH_TEST_PCH})
add_dependencies(tilesmith_test_pch tilesmith_pch)

# _tilesmith_use_pch(TARGET [PCH]): the common one, or ${TILESMITH_TEST_PCH}.
function(_tilesmith_use_pch target)
  set(_pch ${TILESMITH_PCH} ${ARGN})
  list(GET _pch -1 _pch)
  if(_pch STREQUAL "${TILESMITH_PCH}")
    add_dependencies(${target} tilesmith_pch)
  else()
    add_dependencies(${target} tilesmith_test_pch)
  endif()
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-include-pch ${_pch}>"
    "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
  # CMake gives executables -fPIE, but the header was compiled with -fPIC, and clang wants the two to be the same.
  get_target_property(_type ${target} TYPE)
  if(_type STREQUAL "EXECUTABLE")
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
  get_target_property(_sources ${target} SOURCES)
  foreach(source ${_sources})
    if(source MATCHES "\\.cpp$")
      set_property(SOURCE ${source} APPEND PROPERTY OBJECT_DEPENDS ${_pch})
    endif()
  endforeach()
endfunction()
