# get_portable.cmake - how the projects next to it come to Portable: HOW is find_package, add_subdirectory
# or FetchContent. Not in this file: anything else. A user writes one of the three branches.
if(HOW STREQUAL "find_package")
  find_package(portable 0.1 REQUIRED COMPONENTS ${COMPONENTS})
elseif(HOW STREQUAL "add_subdirectory")
  add_subdirectory("${PORTABLE_SOURCE}" portable)
elseif(HOW STREQUAL "FetchContent")
  # A release would be named by URL or GIT_REPOSITORY; a directory needs no network.
  include(FetchContent)
  FetchContent_Declare(portable SOURCE_DIR "${PORTABLE_SOURCE}")
  FetchContent_MakeAvailable(portable)
else()
  message(FATAL_ERROR "HOW is '${HOW}'")
endif()
