# PortableCommands.cmake - the rules that build and install the commands: yaklcheck, which runs
# programs under memory checks, and portablef, which converts Fortran loops. If they cannot be
# built, the library is. In a user's project they are built only as the targets portable_yaklcheck
# and portable_portablef (for portable_fortran_loops), or with PORTABLE_BUILD_TOOLS: that build is
# for the user's program. Not in this file: the build itself (build_command.cmake),
# portable_fortran_loops (portable-loops.cmake).
option(PORTABLE_BUILD_TOOLS "Build and install yaklcheck and portablef" ${portable__top})

# A property, because portable_fortran_loops asks in other folders.
set_property(GLOBAL PROPERTY PORTABLE_COMMAND_ARGUMENTS "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}" "-DWORK_DIR=${PROJECT_BINARY_DIR}/archive" "-DGO=${PORTABLE_GO}" "-DTARGET=${portable__go_target}")
set_property(GLOBAL PROPERTY PORTABLE_COMMAND_SCRIPT "${PROJECT_SOURCE_DIR}/cmake/build_command.cmake")

# portable__command_modules(<out> <command>): whether the Go modules of a command are available. The library never needs them.
function(portable__command_modules out name)
  get_property(arguments GLOBAL PROPERTY PORTABLE_COMMAND_ARGUMENTS)
  get_property(script GLOBAL PROPERTY PORTABLE_COMMAND_SCRIPT)
  execute_process(COMMAND "${CMAKE_COMMAND}" ${arguments} "-DNAME=${name}" -P "${script}"
                  RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  set(available OFF)
  if(status EQUAL 0)
    set(available ON)
  endif()
  set(${out} ${available} PARENT_SCOPE)
endfunction()

# portable__add_command(<name> FILES <pattern>... [AFTER <target>...]): the target portable_<name>, which makes bin/<name>.
function(portable__add_command name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FILES;AFTER")
  set(wanted OFF)
  if(PORTABLE_BUILD_TOOLS)
    portable__command_modules(wanted ${name})
    if(NOT wanted)
      message(STATUS "portable: ${name} is left out: its Go modules are neither in vendor/ nor in Go's cache, and cannot be fetched "
                     "(`go mod download` fetches them; -DPORTABLE_BUILD_TOOLS=OFF says that it is not wanted)")
    endif()
  endif()
  set(program "${PROJECT_BINARY_DIR}/bin/${name}")
  get_property(arguments GLOBAL PROPERTY PORTABLE_COMMAND_ARGUMENTS)
  get_property(script GLOBAL PROPERTY PORTABLE_COMMAND_SCRIPT)
  list(TRANSFORM arg_FILES PREPEND "${PROJECT_SOURCE_DIR}/")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${arg_FILES})
  list(FILTER sources EXCLUDE REGEX "_test\\.go$|\\.md$|/testdata/|/internal/record/")
  add_custom_command(OUTPUT "${program}"
    COMMAND "${CMAKE_COMMAND}" ${arguments} "-DNAME=${name}" "-DOUTPUT=${program}" "-DVERSION=${PROJECT_VERSION}" -P "${script}"
    DEPENDS ${sources} "${PROJECT_SOURCE_DIR}/go.mod" "${PROJECT_SOURCE_DIR}/go.sum"
            "${script}" "${PROJECT_SOURCE_DIR}/cmake/go_environment.cmake"
    COMMENT "portable: building ${name}"
    VERBATIM)
  set(portable__has_${name} ${wanted} PARENT_SCOPE) # for tests
  set(all)
  if(wanted)
    set(all ALL)
  endif()
  add_custom_target(portable_${name} ${all} DEPENDS "${program}")
  # Two go builds at once would compile the same packages twice.
  if(arg_AFTER)
    add_dependencies(portable_${name} ${arg_AFTER})
  endif()
  set(installed "${program}")
  if(wanted AND name STREQUAL "portablef" AND CMAKE_CROSSCOMPILING) # this one for the target
    set(installed "${PROJECT_BINARY_DIR}/installed/${name}")
    add_custom_command(OUTPUT "${installed}"
      COMMAND "${CMAKE_COMMAND}" ${arguments} "-DNAME=${name}" "-DOUTPUT=${installed}" "-DVERSION=${PROJECT_VERSION}" -DINSTALLED=ON -P "${script}"
      DEPENDS "${program}"
      COMMENT "portable: building ${name} for the target"
      VERBATIM)
    add_custom_target(portable_${name}_installed ALL DEPENDS "${installed}")
  endif()
  if(wanted AND PORTABLE_INSTALL)
    install(PROGRAMS "${installed}" DESTINATION "${CMAKE_INSTALL_BINDIR}")
  endif()
endfunction()

# In a cross build bin/portablef is for the machine that builds, because it runs there; the one that is installed is for the target.
# It needs no package of the archive: in a user's project its sources are converted while the archive is built.
set(portable__first)
if(PORTABLE_BUILD_TOOLS)
  set(portable__first AFTER portable_archive)
endif()
set(portable__rooms columns command emit fortran nest outside report spelling)
list(TRANSFORM portable__rooms REPLACE "(.+)" "internal/\\1/*.go")
portable__add_command(portablef FILES "cmd/portablef/*.go" ${portable__rooms} ${portable__first})
portable__add_command(yaklcheck FILES "cmd/yaklcheck/*" "gator/*.go" "internal/*.go" AFTER portable_archive portable_portablef)
