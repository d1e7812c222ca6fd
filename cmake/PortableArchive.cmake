# PortableArchive.cmake - the rule that builds libportable.a: the search for Go and binutils, and
# the custom command with its dependencies. Not in this file: the steps of the build
# (build_archive.cmake), and the targets that users link (portable-targets.cmake).

# Sets <out> to the Go version that go.mod asks for.
function(portable__go_version_wanted out)
  file(STRINGS "${PROJECT_SOURCE_DIR}/go.mod" line REGEX "^go [0-9.]+")
  string(REGEX REPLACE "^go ([0-9.]+).*" "\\1" version "${line}")
  set(${out} "${version}" PARENT_SCOPE)
endfunction()

# Finds Go, or fails with an instruction.
function(portable__find_go)
  portable__go_version_wanted(wanted)
  find_program(PORTABLE_GO go HINTS "$ENV{GOROOT}/bin" PATHS /usr/local/go/bin /usr/lib/go/bin
               DOC "The go command that builds libportable.a")
  if(NOT PORTABLE_GO)
    message(FATAL_ERROR "portable: no go command found. Install Go ${wanted} or newer and put it into PATH, "
                        "or say -DPORTABLE_GO=/path/to/go.")
  endif()
  # GOTOOLCHAIN=local: asking must not download another Go.
  execute_process(COMMAND "${CMAKE_COMMAND}" -E env GOTOOLCHAIN=local "${PORTABLE_GO}" version
                  OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT text MATCHES "go version go([0-9]+\\.[0-9]+[.0-9]*)")
    message(FATAL_ERROR "portable: `${PORTABLE_GO} version` does not answer as Go does:\n${text}")
  endif()
  if(CMAKE_MATCH_1 VERSION_LESS wanted)
    message(FATAL_ERROR "portable: ${PORTABLE_GO} is Go ${CMAKE_MATCH_1}, but Go ${wanted} or newer is needed. "
                        "Install it, or say -DPORTABLE_GO=/path/to/go.")
  endif()
endfunction()

# Sets portable__go_target to Go's name of the target, as linux/arm64; empty where the build is for its own machine.
function(portable__find_go_target)
  set(portable__go_target "" PARENT_SCOPE)
  if(NOT CMAKE_CROSSCOMPILING)
    return()
  endif()
  string(TOLOWER "${CMAKE_SYSTEM_PROCESSOR}" processor)
  if(NOT processor) # a toolchain file need not name it
    execute_process(COMMAND "${CMAKE_C_COMPILER}" -dumpmachine OUTPUT_VARIABLE processor ERROR_QUIET)
    string(REGEX REPLACE "-.*" "" processor "${processor}")
  endif()
  set(names aarch64 arm64 arm64 arm64 x86_64 amd64 amd64 amd64 riscv64 riscv64 ppc64le ppc64le s390x s390x)
  list(FIND names "${processor}" at)
  if(NOT CMAKE_SYSTEM_NAME MATCHES "^(Linux|CrayLinuxEnvironment)$" OR at EQUAL -1)
    message(FATAL_ERROR "portable: this cross build is for '${CMAKE_SYSTEM_NAME}' on '${processor}', for which no name of Go's is known. "
                        "Set CMAKE_SYSTEM_NAME to Linux and CMAKE_SYSTEM_PROCESSOR to aarch64, x86_64, riscv64, ppc64le or s390x "
                        "in the toolchain file.")
  endif()
  math(EXPR at "${at} + 1")
  list(GET names ${at} architecture)
  set(portable__go_target "linux/${architecture}" PARENT_SCOPE)
endfunction()

# Sets portable__cuda if the archive is to have CUDA devices. They need one Go module, gorgonia.org/cu: no toolkit, no
# driver.
function(portable__find_cuda)
  set(portable__cuda OFF)
  if(NOT PORTABLE_CUDA STREQUAL "OFF")
    execute_process(COMMAND "${CMAKE_COMMAND}" "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}" "-DWORK_DIR=${PROJECT_BINARY_DIR}/archive" "-DGO=${PORTABLE_GO}"
                            -P "${PROJECT_SOURCE_DIR}/cmake/find_cuda.cmake"
                    RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
    if(status EQUAL 0)
      set(portable__cuda ON)
    elseif(PORTABLE_CUDA STREQUAL "ON")
      message(FATAL_ERROR "portable: PORTABLE_CUDA=ON, but the Go module gorgonia.org/cu is not available:\n${text}")
    else()
      message(STATUS "portable: without CUDA devices: the Go module gorgonia.org/cu is neither in vendor/ nor in Go's cache, and cannot be "
                     "fetched (`go mod download` fetches it; -DPORTABLE_CUDA=OFF says that it is not wanted)")
    endif()
  endif()
  set(portable__cuda ${portable__cuda} PARENT_SCOPE)
endfunction()

# portable_add_archive(<archive> [<shared>]) adds the target portable_archive, which makes the archive and
# from the same object the shared library. portable_archive belongs to `all`, because install takes the file.
function(portable_add_archive archive)
  set(shared ${ARGN})
  portable__find_go()
  portable__find_go_target()
  portable__find_cuda()
  set(portable__cuda ${portable__cuda} PARENT_SCOPE) # for tests
  set(portable__go_target "${portable__go_target}" PARENT_SCOPE) # for commands
  set(tags ${PORTABLE_GO_TAGS})
  if(portable__cuda)
    string(JOIN "," tags ${PORTABLE_GO_TAGS} cuda)
  endif()
  if(PORTABLE_OPENCL AND NOT portable__cuda)
    message(FATAL_ERROR "portable: PORTABLE_OPENCL=ON needs -DPORTABLE_CUDA=ON: the engine of CUDA devices runs those of OpenCL.")
  elseif(PORTABLE_OPENCL)
    string(APPEND tags ",opencl")
  endif()
  foreach(tool LINKER OBJCOPY AR)
    if(NOT CMAKE_${tool})
      message(FATAL_ERROR "portable: CMake found no ${tool}; install binutils, or say -DCMAKE_${tool}=/path.")
    endif()
  endforeach()

  # The rooms whose files go into the archive. Tests do not: editing one rebuilds nothing here.
  set(patterns)
  foreach(room arrays capi exec gator internal vendor)
    foreach(kind go c h hpp inc S cu)
      list(APPEND patterns "${PROJECT_SOURCE_DIR}/${room}/*.${kind}")
    endforeach()
  endforeach()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${patterns})
  list(FILTER sources EXCLUDE REGEX "_test\\.go$|/testdata/")
  file(GLOB modules CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/go.mod" "${PROJECT_SOURCE_DIR}/go.sum")

  # clang compiles for other machines by these, gcc by its name.
  set(cross)
  if(CMAKE_CROSSCOMPILING AND CMAKE_C_COMPILER_TARGET)
    string(APPEND cross " --target=${CMAKE_C_COMPILER_TARGET}")
  endif()
  if(CMAKE_CROSSCOMPILING AND CMAKE_SYSROOT)
    string(APPEND cross " '--sysroot=${CMAKE_SYSROOT}'")
  endif()

  # The C in the archive has the same flags in every build, so that a tree's second build finds it in Go's cache.
  # Warnings are errors in scripts/check_c, and in the step of scripts/test that compiles it for the race detector.
  set(build "${CMAKE_COMMAND}" "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}" "-DEXPORTS=${PROJECT_SOURCE_DIR}/cmake/exports.txt"
    "-DGO=${PORTABLE_GO}" "-DCC=${CMAKE_C_COMPILER}" "-DLD=${CMAKE_LINKER}" "-DAR=${CMAKE_AR}" "-DOBJCOPY=${CMAKE_OBJCOPY}"
    "-DTARGET=${portable__go_target}" "-DCC_FLAGS=${cross}")
  set(script "${PROJECT_SOURCE_DIR}/cmake/build_archive.cmake")
  # Rooms that are not in the archive: the simulated CUDA driver, for tests; those of the commands.
  list(FILTER sources EXCLUDE REGEX "/internal/(columns|cudasim|command|emit|fortran|nest|report|script)/")
  set(inputs ${sources} ${modules} "${PROJECT_SOURCE_DIR}/cmake/exports.txt" "${script}" "${PROJECT_SOURCE_DIR}/cmake/go_environment.cmake")
  add_custom_command(OUTPUT "${archive}" ${shared}
    COMMAND ${build} "-DWORK_DIR=${PROJECT_BINARY_DIR}/archive" "-DOUTPUT=${archive}" "-DTAGS=${tags}"
            "-DSHARED=${shared}" -P "${script}"
    DEPENDS ${inputs}
    COMMENT "portable: building libportable.a with Go"
    VERBATIM)
  add_custom_target(portable_archive ALL DEPENDS "${archive}" ${shared})

  # The archive that prints procedures and lines of C and Fortran when it reports a fault in itself
  # (capi/symbols_debug.go). It needs a Go module, unlike the ordinary archive, and has C of others, which does not
  # follow our warnings.
  get_filename_component(folder "${archive}" DIRECTORY)
  set(debug "${folder}/libportable_debug.a")
  string(JOIN "," debug_tags ${tags} portable_debug)
  add_custom_command(OUTPUT "${debug}"
    COMMAND ${build} "-DWORK_DIR=${PROJECT_BINARY_DIR}/archive_debug" "-DOUTPUT=${debug}" "-DTAGS=${debug_tags}" -DSHARED= -P "${script}"
    DEPENDS ${inputs}
    COMMENT "portable: building libportable_debug.a with Go"
    VERBATIM)
  set(all)
  if(PORTABLE_DEBUG_ARCHIVE)
    set(all ALL)
  endif()
  add_custom_target(portable_debug_archive ${all} DEPENDS "${debug}")
  # Two go builds at once would compile the same packages twice.
  add_dependencies(portable_debug_archive portable_archive)
  if(PORTABLE_DEBUG_ARCHIVE AND PORTABLE_INSTALL)
    install(FILES "${debug}" DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  endif()
endfunction()
