# PortableYaklcheck.cmake - the rule that builds and installs yaklcheck, which runs programs under
# memory checks: the option, and its dependencies. If yaklcheck cannot be built, the library is. In
# a user's project it is built only as the target portable_yaklcheck, or with PORTABLE_BUILD_TOOLS:
# that build is for the user's program. Not in this file: the build itself (build_yaklcheck.cmake).
option(PORTABLE_BUILD_TOOLS "Build and install yaklcheck" ${portable__top})

set(portable__yaklcheck "${PROJECT_BINARY_DIR}/bin/yaklcheck")
set(portable__arguments "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}" "-DWORK_DIR=${PROJECT_BINARY_DIR}/archive" "-DGO=${PORTABLE_GO}")
set(portable__tools OFF)
if(PORTABLE_BUILD_TOOLS)
  # yaklcheck needs more modules than the library. If they are not available, the library is built without it.
  execute_process(COMMAND "${CMAKE_COMMAND}" ${portable__arguments} -P "${PROJECT_SOURCE_DIR}/cmake/build_yaklcheck.cmake"
                  RESULT_VARIABLE portable__status OUTPUT_VARIABLE portable__text ERROR_VARIABLE portable__text)
  if(portable__status EQUAL 0)
    set(portable__tools ON)
  else()
    message(STATUS "portable: yaklcheck is left out: its Go modules are neither in vendor/ nor in Go's cache, and cannot be fetched "
                   "(`go mod download` fetches them; -DPORTABLE_BUILD_TOOLS=OFF says that it is not wanted)")
  endif()
endif()

file(GLOB_RECURSE portable__tool_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cmd/*" "${PROJECT_SOURCE_DIR}/gator/*.go"
     "${PROJECT_SOURCE_DIR}/internal/*.go")
list(FILTER portable__tool_sources EXCLUDE REGEX "_test\\.go$|\\.md$|/testdata/|/internal/record/")
add_custom_command(OUTPUT "${portable__yaklcheck}"
  COMMAND "${CMAKE_COMMAND}" ${portable__arguments} "-DOUTPUT=${portable__yaklcheck}" "-DVERSION=${PROJECT_VERSION}"
          -P "${PROJECT_SOURCE_DIR}/cmake/build_yaklcheck.cmake"
  DEPENDS ${portable__tool_sources} "${PROJECT_SOURCE_DIR}/go.mod" "${PROJECT_SOURCE_DIR}/go.sum"
          "${PROJECT_SOURCE_DIR}/cmake/build_yaklcheck.cmake" "${PROJECT_SOURCE_DIR}/cmake/go_environment.cmake"
  COMMENT "portable: building yaklcheck"
  VERBATIM)
set(portable__all)
if(portable__tools)
  set(portable__all ALL)
endif()
add_custom_target(portable_yaklcheck ${portable__all} DEPENDS "${portable__yaklcheck}")
# Two go builds at once would compile the same packages twice.
add_dependencies(portable_yaklcheck portable_archive)
if(portable__tools AND PORTABLE_INSTALL)
  install(PROGRAMS "${portable__yaklcheck}" DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
