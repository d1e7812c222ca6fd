# run_generator.cmake - fills a folder with the text that internal/gen writes: runs as
# `cmake -DSOURCE_DIR=... -DWORK_DIR=... -DGO=... -DOUTPUT=... -P run_generator.cmake`. A note in
# inputs.sha256 identifies the inputs. Not in this file: when it runs (PortableGenerated.cmake,
# scripts/dist), the text (internal/gen).
cmake_minimum_required(VERSION 3.16)

include("${CMAKE_CURRENT_LIST_DIR}/go_environment.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/PortableGenerated.cmake")
set(ENV{CGO_ENABLED} 0) # as for yaklcheck: Go's cache then has the same packages for both
portable__generator_sum(sum "${SOURCE_DIR}")
file(REMOVE "${OUTPUT}/inputs.sha256")
execute_process(COMMAND "${GO}" run -buildvcs=false -trimpath ./internal/gen -o "${OUTPUT}" WORKING_DIRECTORY "${SOURCE_DIR}"
                RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "portable: the generated Fortran cannot be written (${status})\n${text}")
endif()
file(WRITE "${OUTPUT}/inputs.sha256" "${sum}\n")
