# One function per target kind. Libraries are static; only executables link the shared libMLIR and libLLVM.
#
#   tilesmith_library(NAME  SOURCES a.cpp...  DEPS lib... )
#   tilesmith_tablegen(NAME  TD File.td  OUTPUTS "Out.h.inc:-gen-op-decls" ...  [DEPENDS other.td...])
#   tilesmith_tool(NAME  SOURCES...  DEPS...)
#   tilesmith_gtest(NAME  SOURCES...  DEPS...)            registered with ctest as NAME
#   tilesmith_lit_suite(NAME  TOOLS target...)            runs lit over the calling folder's test/ directory
#   tilesmith_fuzz_target(NAME  SOURCES...  DEPS...)      libFuzzer binary in the asan preset, and a replay test always
#   tilesmith_benchmark(NAME  SOURCES...  DEPS...)
#   tilesmith_static_variant(NAME)                        NAME-static: the objects of NAME on LLVM's archives, for ci/optimise
include(CMakeParseArguments)

add_custom_target(tilesmith-headers)   # every ODS output; libraries depend on it, so no include can come too early

add_custom_target(tools)         # the commands a user runs
add_custom_target(fuzz-targets)  # the libFuzzer binaries; empty without TILESMITH_SANITIZE

function(tilesmith_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  add_dependencies(${name} tilesmith-headers)
  target_link_libraries(${name} PUBLIC ${ARG_DEPS})
  _tilesmith_use_pch(${name})
endfunction()

# OUTPUTS are pairs "File.inc:flags" with flags separated by blanks. Outputs land in the mirrored build folder, so
# sources include them as "compiler/dialect/.../File.inc".
function(tilesmith_tablegen name)
  cmake_parse_arguments(ARG "" "TD" "OUTPUTS;DEPENDS" ${ARGN})
  get_filename_component(td ${ARG_TD} ABSOLUTE)
  set(outputs)
  foreach(pair ${ARG_OUTPUTS})
    string(FIND "${pair}" ":" colon)
    string(SUBSTRING "${pair}" 0 ${colon} file)
    math(EXPR colon "${colon}+1")
    string(SUBSTRING "${pair}" ${colon} -1 flags)
    separate_arguments(flags UNIX_COMMAND "${flags}")
    set(out ${CMAKE_CURRENT_BINARY_DIR}/${file})
    set(depends)
    foreach(d ${ARG_DEPENDS})
      get_filename_component(d ${d} ABSOLUTE)
      list(APPEND depends ${d})
    endforeach()
    add_custom_command(
      OUTPUT ${out}
      COMMAND ${LLVM_TOOLS_DIR}/mlir-tblgen ${flags} ${td} -I ${CMAKE_SOURCE_DIR} -I ${CMAKE_CURRENT_SOURCE_DIR}
              -I ${MLIR_INCLUDE_DIRS} --write-if-changed -o ${out}
      DEPENDS ${td} ${depends}
      COMMENT "mlir-tblgen ${file}" VERBATIM)
    list(APPEND outputs ${out})
  endforeach()
  add_custom_target(${name} DEPENDS ${outputs})
  add_dependencies(tilesmith-headers ${name})
endfunction()

function(tilesmith_tool name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES} ${TILESMITH_SANITIZER_DEFAULTS})
  add_dependencies(${name} tilesmith-headers)
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} MLIR LLVM)
  target_link_options(${name} PRIVATE -Wl,--gc-sections)
  _tilesmith_use_pch(${name})
  add_dependencies(tools ${name})
  install(TARGETS ${name} RUNTIME DESTINATION bin)
endfunction()

function(tilesmith_gtest name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES} ${TILESMITH_SANITIZER_DEFAULTS})
  add_dependencies(${name} tilesmith-headers)
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} GTest::gmock GTest::gtest GTest::gtest_main MLIR LLVM)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  _tilesmith_use_pch(${name} ${TILESMITH_TEST_PCH})
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 600 ENVIRONMENT "TILESMITH_SOURCE_DIR=${CMAKE_SOURCE_DIR}")
endfunction()

# A suite is the test/ folder beside the caller (*.mlir, *.test), configured by ci/cmake/lit.cfg.py through a generated
# lit.site.cfg.py. ctest runs it as NAME; `ninja check-NAME` builds TOOLS first and then runs it.
function(tilesmith_lit_suite name)
  cmake_parse_arguments(ARG "" "" "TOOLS" ${ARGN})
  set(site_dir ${CMAKE_CURRENT_BINARY_DIR}/lit-${name})
  configure_file(${CMAKE_SOURCE_DIR}/ci/cmake/lit.site.cfg.py.in ${site_dir}/lit.site.cfg.py @ONLY)
  add_test(NAME ${name} COMMAND ${LLVM_EXTERNAL_LIT} -sv ${site_dir})
  set_tests_properties(${name} PROPERTIES TIMEOUT 1200)
  add_custom_target(check-${name} COMMAND ${LLVM_EXTERNAL_LIT} -sv ${site_dir} USES_TERMINAL
                    COMMENT "lit ${name}" VERBATIM)
  # At the end of the configuration, when the tools exist.
  cmake_language(EVAL CODE
    "cmake_language(DEFER DIRECTORY [[${CMAKE_SOURCE_DIR}]] CALL _tilesmith_lit_needs check-${name} ${ARG_TOOLS})")
endfunction()

function(_tilesmith_lit_needs target)
  foreach(tool ${ARGN})
    if(TARGET ${tool})
      add_dependencies(${target} ${tool})
    else()
      message(STATUS "${target}: no target ${tool} yet")
    endif()
  endforeach()
endfunction()

# A fuzz target is one file of at most 40 lines that defines LLVMFuzzerTestOneInput. In the asan preset it becomes a
# libFuzzer binary; in every preset it is also a replay test over corpus/seeds/<name> and corpus/regressions/<name>.
function(tilesmith_fuzz_target name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name}_replay ${ARG_SOURCES} ${CMAKE_SOURCE_DIR}/fuzz/targets/ReplayMain.cpp ${TILESMITH_SANITIZER_DEFAULTS})
  add_dependencies(${name}_replay tilesmith-headers)
  target_link_libraries(${name}_replay PRIVATE ${ARG_DEPS} MLIR LLVM)
  set_target_properties(${name}_replay PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  _tilesmith_use_pch(${name}_replay)
  add_test(NAME replay-${name} COMMAND ${name}_replay ${CMAKE_SOURCE_DIR}/corpus/seeds/${name})
  set_tests_properties(replay-${name} PROPERTIES TIMEOUT 600)
  if(TILESMITH_SANITIZE)
    add_executable(${name} ${ARG_SOURCES} ${TILESMITH_SANITIZER_DEFAULTS})
    add_dependencies(${name} tilesmith-headers)
    target_link_libraries(${name} PRIVATE ${ARG_DEPS} MLIR LLVM)
    # Copies of the libraries beside the binary come first: the runners of OSS-Fuzz have none.
    target_link_options(${name} PRIVATE -fsanitize=fuzzer "LINKER:-rpath,$ORIGIN/lib")
    _tilesmith_use_pch(${name})
    add_dependencies(fuzz-targets ${name})
    set_property(GLOBAL APPEND_STRING PROPERTY TILESMITH_FUZZ_TARGETS "${name}\n")
    get_property(names GLOBAL PROPERTY TILESMITH_FUZZ_TARGETS)
    file(WRITE ${CMAKE_BINARY_DIR}/fuzz-targets.txt "${names}")   # read by ci/instrumented-replay
  endif()
endfunction()

function(tilesmith_benchmark name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${name} EXCLUDE_FROM_ALL ${ARG_SOURCES} ${TILESMITH_SANITIZER_DEFAULTS})
  add_dependencies(${name} tilesmith-headers)
  target_link_libraries(${name} PRIVATE ${ARG_DEPS} benchmark::benchmark benchmark::benchmark_main MLIR LLVM)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/benchmarks)
  _tilesmith_use_pch(${name})
endfunction()

# libMLIR is called through a table that any library may override, libLLVM lies 60 MB away from it. One image has neither, and its
# relocations let llvm-bolt order the code. Not a part of `all`: it takes 160 MB.
function(tilesmith_static_variant name)
  file(GLOB archives ${LLVM_LIBRARY_DIR}/libMLIR*.a ${LLVM_LIBRARY_DIR}/libLLVM*.a)
  list(FILTER archives EXCLUDE REGEX "BOLT|Test")
  get_target_property(libraries ${name} LINK_LIBRARIES)
  list(REMOVE_ITEM libraries MLIR LLVM)
  add_executable(${name}-static EXCLUDE_FROM_ALL $<TARGET_OBJECTS:${name}>)
  set_target_properties(${name}-static PROPERTIES LINKER_LANGUAGE CXX RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/static)
  target_link_libraries(${name}-static PRIVATE ${libraries} ${archives} z -l:libzstd.so.1)
  target_link_options(${name}-static PRIVATE -Wl,--gc-sections,--emit-relocs)
endfunction()
