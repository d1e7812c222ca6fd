# go_environment.cmake - sets the environment of our go commands, so that they do not depend on the
# user and the place of the build. Scripts that run at build time include it. Needs: GO WORK_DIR;
# TARGET, as linux/arm64, in a cross build for what is made for the target: without it Go makes what
# runs here. Not in this file: the commands (build_archive.cmake, build_command.cmake).

# Go needs a cache. The user's own is best, because it is warm. A build machine may have no HOME, or one without write
# access; it gets a cache in the build tree.
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

unset(ENV{GOOS})
unset(ENV{GOARCH})
if("${TARGET}" MATCHES "^([a-z0-9]+)/([a-z0-9]+)$")
  set(ENV{GOOS} "${CMAKE_MATCH_1}")
  set(ENV{GOARCH} "${CMAKE_MATCH_2}")
endif()

# The build must be the same everywhere: inside a Go workspace, with the user's flags, or in
# a git checkout; and it must never download another Go.
set(ENV{GOWORK} off)
set(ENV{GOFLAGS} "")
set(ENV{GOTOOLCHAIN} local)
if("$ENV{HOME}" STREQUAL "" AND "$ENV{GOPATH}" STREQUAL "")
  set(ENV{GOPATH} "${WORK_DIR}/go-path")
  set(ENV{GOFLAGS} -modcacherw) # so that the user can remove the build tree
endif()
