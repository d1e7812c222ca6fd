# go_environment.cmake - the environment of our go commands: included by the scripts that run at build time.
# In this file: what must not depend on who builds, and where. Not in this file: the commands (build_archive.cmake,
# build_yaklcheck.cmake). Needs: GO WORK_DIR.

# Go wants a cache. The user's own is best, as it is warm; a build machine may have no HOME, or one that
# can not be written, and gets a cache in the build tree.
if("$ENV{GOCACHE}" STREQUAL "")
  set(cache "")
  execute_process(COMMAND "${GO}" env GOCACHE OUTPUT_VARIABLE cache ERROR_QUIET
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(usable 1)
  if(cache AND NOT cache STREQUAL "off")
    execute_process(COMMAND "${CMAKE_COMMAND}" -E make_directory "${cache}"
                    RESULT_VARIABLE usable OUTPUT_QUIET ERROR_QUIET)
    if(usable EQUAL 0)
      execute_process(COMMAND "${CMAKE_COMMAND}" -E touch "${cache}/portable-write-test"
                      RESULT_VARIABLE usable OUTPUT_QUIET ERROR_QUIET)
      file(REMOVE "${cache}/portable-write-test")
    endif()
  endif()
  if(NOT usable EQUAL 0)
    set(ENV{GOCACHE} "${WORK_DIR}/go-cache")
  endif()
endif()

# The build must be the same wherever it stands: inside somebody's Go workspace, under his flags, or in
# his git checkout; and it must never go to the network for another Go.
set(ENV{GOWORK} off)
set(ENV{GOFLAGS} "")
set(ENV{GOTOOLCHAIN} local)
if("$ENV{HOME}" STREQUAL "" AND "$ENV{GOPATH}" STREQUAL "")
  set(ENV{GOPATH} "${WORK_DIR}/go-path")
  set(ENV{GOFLAGS} -modcacherw) # who takes away the build tree must be able to
endif()
