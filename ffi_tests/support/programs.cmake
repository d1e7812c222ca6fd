# How a test of ffi_tests is built, named, labelled and run. In this file: functions that the rooms share. Not in this file: the
# order of the rooms (../CMakeLists.txt), what a test checks.
#
# Names: KEY.NAME[.LANGUAGE][.VARIANT...], see ../README.md. Labels: ffi, the first word of the name, and where it fits
# `slowpath` (every operation through Go), `long` (make test-long alone), `consumer` (builds users' projects, or uses what they use), in a
# cross build `native` (a script of the machine that builds, which would start programs of the target as its own).

set(portable_c_flags -Wall -Wextra)
set(portable_fortran_flags -std=f2018 -Wall -Wextra -fcheck=all -g1)
if(PORTABLE_WERROR)
  list(APPEND portable_c_flags -Werror)
endif()
if(NOT CMAKE_Fortran_COMPILER_ID STREQUAL "GNU")
  set(portable_fortran_flags -g1)
endif()
# For arrays in C++; with -O2 they take the compiler twice as long.
set(portable_strict_cxx_flags -Wpedantic -Wconversion -Wsign-conversion -Wshadow -O1)

# portable_test(<name> COMMAND...): one test; where portable_all_long is set, one of test-long.
function(portable_test name)
  string(REGEX REPLACE "\\..*" "" room "${name}")
  set(labels ffi ${room})
  if(portable_all_long)
    list(APPEND labels long)
  endif()
  set(timeout 300)
  if(CMAKE_CROSSCOMPILING) # an emulator takes ten times as long
    set(timeout 3000)
    if(NOT TARGET "${ARGV1}")
      list(APPEND labels native)
    endif()
  endif()
  add_test(NAME ${name} COMMAND ${ARGN})
  set_property(GLOBAL PROPERTY portable_command_${name} ${ARGN}) # for twins (ffi_tests/cuda/hip)
  set_tests_properties(${name} PROPERTIES LABELS "${labels}" TIMEOUT ${timeout})
  if(portable_without_rdtscp)
    set_tests_properties(${name} PROPERTIES ENVIRONMENT_MODIFICATION "${portable_without_rdtscp}")
  endif()
endfunction()

# portable_label(<label> <test>...): one more label.
function(portable_label label)
  set_property(TEST ${ARGN} APPEND PROPERTY LABELS ${label})
endfunction()

# portable_test_both(<name> COMMAND...): the same command twice, with the magazines in front of the
# pool and with every operation through Go. The two must behave alike.
function(portable_test_both name)
  portable_test(${name} ${ARGN})
  portable_test_slowpath(${name} ${ARGN})
endfunction()

function(portable_test_slowpath name)
  portable_test(${name}.slowpath ${ARGN})
  portable_label(slowpath ${name}.slowpath)
  set_tests_properties(${name}.slowpath PROPERTIES ENVIRONMENT PORTABLE_FASTPATH=0)
endfunction()

# portable_test_devices(<name> COMMAND...): the same command on each device, with as many threads as there are
# processors, fewer, and more. A program that is a target gets the device openmp for that.
function(portable_test_devices name)
  set_property(GLOBAL APPEND PROPERTY portable_on_devices "${name}") # for cuda/suite
  set_property(GLOBAL PROPERTY "portable_on_devices_${name}" "${ARGN}")
  portable_test(${name}.serial ${ARGN})
  set_tests_properties(${name}.serial PROPERTIES ENVIRONMENT PORTABLE_DEVICE=serial)
  foreach(threads 1 2 5)
    portable_test(${name}.threads${threads} ${ARGN})
    set_tests_properties(${name}.threads${threads} PROPERTIES ENVIRONMENT
      "PORTABLE_DEVICE=threads;PORTABLE_NUM_THREADS=${threads}")
  endforeach()
  if(NOT TARGET portable::openmp OR NOT TARGET "${ARGV1}")
    return()
  endif()
  target_link_libraries(${ARGV1} PRIVATE portable::openmp)
  foreach(threads 1 2 5)
    portable_test(${name}.openmp${threads} ${ARGN})
    set_tests_properties(${name}.openmp${threads} PROPERTIES ENVIRONMENT
      "PORTABLE_DEVICE=openmp;OMP_NUM_THREADS=${threads};OMP_WAIT_POLICY=passive")
  endforeach()
  portable_label(long ${name}.openmp1) # the shares of one thread are those of serial
endfunction()

# portable_program(<target> <source> <library>...): one program, with the flags and the standard of its language. Fortran programs that use
# check_mod link the library of the checks.
set(portable_checks ffi_checks)
function(portable_program target source)
  add_executable(${target} "${source}")
  file(STRINGS "${source}" checks REGEX "^ *use check_mod" LIMIT_COUNT 1)
  if(checks)
    target_link_libraries(${target} PRIVATE ${portable_checks})
  endif()
  target_link_libraries(${target} PRIVATE ${ARGN})
  # Modules inside a program have a place of their own, so that two programs may use one name.
  set_target_properties(${target} PROPERTIES
    C_STANDARD 11 C_STANDARD_REQUIRED ON CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON
    Fortran_MODULE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/modules_${target}")
  if(NOT source MATCHES "\\.[fF]90$")
    target_compile_options(${target} PRIVATE ${portable_c_flags})
    return()
  endif()
  target_compile_options(${target} PRIVATE ${portable_fortran_flags})
  portable_generated(${target} "${source}")
endfunction()

# portable_generated(<target> <source>): generated text is long and straight; optimising it takes three to five times as long and shows
# nothing. (packages/builds/compile_matrix.sh compiles the modules with -Ofast, too.)
function(portable_generated target source)
  file(STRINGS "${source}" generated REGEX "^! Code generated" LIMIT_COUNT 1)
  if(generated)
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()

# portable_named(<source> <key>): sets in the caller test_name (KEY.FILE.LANGUAGE, the file without test_), target_name (the same
# with underscores) and language (C, CXX or Fortran).
function(portable_named source key)
  get_filename_component(name "${source}" NAME_WE)
  get_filename_component(extension "${source}" EXT)
  string(REGEX REPLACE "^test_" "" name "${name}")
  set(language C)
  if(extension STREQUAL ".cpp")
    set(language CXX)
  elseif(extension MATCHES "^\\.[fF]90$")
    set(language Fortran)
  endif()
  string(TOLOWER "${key}.${name}.${language}" test)
  string(REPLACE "." "_" target "${test}")
  set(test_name "${test}" PARENT_SCOPE)
  set(target_name "${target}" PARENT_SCOPE)
  set(language "${language}" PARENT_SCOPE)
endfunction()

# portable_programs(<key> PROGRAMS <source>... [BOTH | DEVICES] [C <target>...] [CXX <target>...] [FORTRAN <target>...] [MORE <target>]
# [FLAGS <flag>...]): each source in a language that has a compiler is a program and a test KEY.FILE.LANGUAGE: run once, or both with the
# magazines and without, or on each device. C, CXX and FORTRAN are what programs of that language link, where it is not the library
# alone. MORE is linked to programs that use gator_more_mod, which takes a while to compile. FLAGS are for gfortran.
function(portable_programs key)
  cmake_parse_arguments(PARSE_ARGV 1 arg "BOTH;DEVICES" "MORE" "PROGRAMS;C;CXX;FORTRAN;FLAGS")
  foreach(source ${arg_PROGRAMS})
    portable_named("${source}" ${key})
    if(NOT CMAKE_${language}_COMPILER_LOADED)
      continue()
    endif()
    string(TOUPPER ${language} upper)
    set(libraries ${arg_${upper}})
    if(NOT libraries)
      set(libraries portable::portable m)
      if(language STREQUAL "CXX")
        set(libraries portable::cxx)
      elseif(language STREQUAL "Fortran")
        set(libraries portable::fortran)
      endif()
    endif()
    if(arg_MORE)
      file(STRINGS "${source}" more REGEX "^ *use +gator_more_mod" LIMIT_COUNT 1)
      if(more)
        list(INSERT libraries 0 ${arg_MORE})
      endif()
    endif()
    portable_program(${target_name} "${source}" ${libraries})
    if(language STREQUAL "Fortran" AND CMAKE_Fortran_COMPILER_ID STREQUAL "GNU")
      target_compile_options(${target_name} PRIVATE ${arg_FLAGS})
    endif()
    if(arg_DEVICES)
      portable_test_devices(${test_name} ${target_name})
    elseif(arg_BOTH)
      portable_test_both(${test_name} ${target_name})
    else()
      portable_test(${test_name} ${target_name})
    endif()
  endforeach()
endfunction()

# portable_refused(<test> [<target>...]): what compilers refuse, by the script refused.sh of the room; the texts are those of the headers' own
# assertions and of gfortran. The targets have modules next to those of portable::fortran.
function(portable_refused name)
  if(NOT PORTABLE_BASH)
    return()
  endif()
  # A function of CMake's loses arguments that are empty.
  set(fortran none)
  set(modules none)
  set(cxx none)
  if(CMAKE_CXX_COMPILER)
    set(cxx "${CMAKE_CXX_COMPILER}")
  endif()
  if(CMAKE_Fortran_COMPILER_ID STREQUAL "GNU")
    set(fortran "${CMAKE_Fortran_COMPILER}")
    set(modules "$<JOIN:$<TARGET_PROPERTY:portable::fortran,INTERFACE_INCLUDE_DIRECTORIES>,:>")
    foreach(target ${ARGN})
      string(APPEND modules ":$<JOIN:$<TARGET_PROPERTY:${target},INTERFACE_INCLUDE_DIRECTORIES>,:>")
    endforeach()
  endif()
  portable_test(${name} "${PORTABLE_BASH}" "${CMAKE_CURRENT_SOURCE_DIR}/refused.sh" "${cxx}"
                "${fortran}" "${PROJECT_BINARY_DIR}/include" "${modules}" "${CMAKE_CURRENT_BINARY_DIR}/refused")
endfunction()

# portable_pool_programs(<programs>): the Fortran programs of the room pool, which run over the stub, too.
function(portable_pool_programs programs_out)
  file(GLOB programs CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/ffi_tests/pool/*.f90" "${PROJECT_SOURCE_DIR}/ffi_tests/pool/*.F90")
  list(REMOVE_ITEM programs ${portable_pool_modules})
  list(APPEND programs "${portable_gen}/every/every_kind_and_rank.f90")
  # Half a minute of the compiler's, for kinds and ranks that programs seldom have.
  if(PORTABLE_TEST_LONG)
    list(APPEND programs "${portable_gen}/every/every_rare_kind_and_rank.F90")
  endif()
  # flang 16 refuses types with a FINAL procedure ("not yet implemented").
  if(CMAKE_Fortran_COMPILER_ID STREQUAL "LLVMFlang" AND CMAKE_Fortran_COMPILER_VERSION VERSION_LESS 17)
    list(FILTER programs EXCLUDE REGEX "derived_final")
    message(STATUS "portable: this flang has no finalization; derived_final is left out")
  endif()
  set(${programs_out} ${programs} PARENT_SCOPE)
endfunction()
set(portable_pool_modules "${PROJECT_SOURCE_DIR}/ffi_tests/pool/particle_pools.f90")
set(portable_check_modules "${PROJECT_SOURCE_DIR}/ffi_tests/support/check_mod.f90" "${PROJECT_SOURCE_DIR}/ffi_tests/support/expect_mod.f90")

# portable_fortran_library(<target> <source>...): modules with a folder of their own for the .mod files.
function(portable_fortran_library target)
  add_library(${target} STATIC EXCLUDE_FROM_ALL ${ARGN})
  target_compile_options(${target} PRIVATE ${portable_fortran_flags})
  set_target_properties(${target} PROPERTIES Fortran_MODULE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/${target}")
  target_include_directories(${target} INTERFACE "${CMAKE_CURRENT_BINARY_DIR}/${target}")
  foreach(source ${ARGN})
    portable_generated(${target} "${source}")
    # Users compile the library's modules without these checks, which take a third of the time.
    if(source MATCHES "^(${PROJECT_SOURCE_DIR}/fortran|${portable_gen}/stub)/" AND CMAKE_Fortran_COMPILER_ID STREQUAL "GNU")
      target_compile_options(${target} PRIVATE -fcheck=no-all)
    endif()
  endforeach()
endfunction()
