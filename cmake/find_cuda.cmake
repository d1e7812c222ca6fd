# find_cuda.cmake - fails if the modules of the tag `cuda` are not available. Runs as
# `cmake -DSOURCE_DIR=... -DWORK_DIR=... -DGO=... -P`. Not in this file: the effect of the answer
# (PortableArchive.cmake).
cmake_minimum_required(VERSION 3.16)
include("${CMAKE_CURRENT_LIST_DIR}/go_environment.cmake")
set(ENV{CGO_ENABLED} 1)
execute_process(COMMAND "${GO}" list -deps -tags=cuda -f "{{if .Error}}{{.Error}}{{end}}" ./internal/backend/cuda
                WORKING_DIRECTORY "${SOURCE_DIR}" RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text TIMEOUT 30)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${text}")
endif()
