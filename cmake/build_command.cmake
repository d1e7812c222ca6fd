# build_command.cmake - makes a command of ours, a program of Go alone: `cmake -D... -P
# build_command.cmake` runs the go build, or tests whether its modules are available. Needs:
# SOURCE_DIR WORK_DIR GO NAME TARGET INSTALLED; OUTPUT and VERSION to build. Without OUTPUT it only
# tests: it fails if the modules are neither vendored, nor in Go's cache, nor on the network. Not in
# this file: when it runs (PortableCommands.cmake).
cmake_minimum_required(VERSION 3.16)

if(NAME STREQUAL "portablef" AND NOT INSTALLED) # it converts sources while a program is built
  set(TARGET "")
endif()
include("${CMAKE_CURRENT_LIST_DIR}/go_environment.cmake")
# A program without C starts on any machine of its kind, with any C library.
set(ENV{CGO_ENABLED} 0)
set(tags urfave_cli_no_docs) # without it the program would write manual pages, with two more modules
if(NOT OUTPUT)
  set(command "${GO}" list -deps "-tags=${tags}" ./cmd/${NAME})
  # A network that never answers must not delay the library.
  set(limit TIMEOUT 30)
else()
  set(command "${GO}" build -buildvcs=false -trimpath "-tags=${tags}" "-ldflags=-s -w -X main.version=${VERSION}" -o "${OUTPUT}" ./cmd/${NAME})
  set(limit)
endif()
execute_process(COMMAND ${command} WORKING_DIRECTORY "${SOURCE_DIR}" RESULT_VARIABLE status OUTPUT_VARIABLE text
                ERROR_VARIABLE text ${limit})
if(NOT status EQUAL 0)
  message(FATAL_ERROR "portable: the build of ${NAME} failed (${status})\n${text}")
endif()
