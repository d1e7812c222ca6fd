# PortableGenerated.cmake - finds the text that internal/gen writes, and decides when it is written
# again: Fortran for every kind and rank, the stub, programs of tests. Not in this file: the command
# (run_generator.cmake). The text is written while CMake configures, because CMake reads it for the
# names of folders (portable__place_modules) and for the needs of programs. A change of a template
# configures again, as a change of a CMakeLists.txt does.

# portable__generator_inputs(<out> <tree>): all files that the text is made of.
function(portable__generator_inputs out tree)
  set(watched CONFIGURE_DEPENDS)
  if(CMAKE_SCRIPT_MODE_FILE)
    set(watched)
  endif()
  file(GLOB_RECURSE inputs ${watched} "${tree}/internal/gen/*.go" "${tree}/internal/gen/*.inc" "${tree}/internal/gen/*.tmpl")
  file(GLOB modules ${watched} "${tree}/fortran/*/*.F90" "${tree}/fortran/*/*.inc")
  file(GLOB_RECURSE headers ${watched} "${tree}/capi/include/*.h")
  list(APPEND inputs ${modules} ${headers})
  list(FILTER inputs EXCLUDE REGEX "_test\\.go$|/fortran/golden/")
  list(SORT inputs)
  set(${out} ${inputs} PARENT_SCOPE)
endfunction()

# portable__generator_sum(<out> <tree>): one sum of their names and contents.
function(portable__generator_sum out tree)
  portable__generator_inputs(inputs "${tree}")
  set(sums "")
  foreach(input ${inputs})
    file(RELATIVE_PATH name "${tree}" "${input}")
    file(SHA256 "${input}" sum)
    string(APPEND sums "${sum} ${name}\n")
  endforeach()
  string(SHA256 sums "${sums}")
  set(${out} "${sums}" PARENT_SCOPE)
endfunction()

# portable__generated_is_fresh(<out> <folder> <sum>): ON if the generator has filled the folder from these inputs.
function(portable__generated_is_fresh out folder sum)
  set(${out} OFF PARENT_SCOPE)
  if(NOT EXISTS "${folder}/inputs.sha256" OR NOT EXISTS "${folder}/files.txt")
    return()
  endif()
  file(STRINGS "${folder}/inputs.sha256" made)
  file(STRINGS "${folder}/files.txt" files)
  foreach(file ${files})
    if(NOT EXISTS "${folder}/${file}")
      return()
    endif()
  endforeach()
  if(made STREQUAL sum)
    set(${out} ON PARENT_SCOPE)
  endif()
endfunction()

# portable_generate(<out>): the folder of the text: gen/ of a source tarball, or gen/ of the build folder, which is
# filled unless it is fresh.
function(portable_generate out)
  portable__generator_inputs(inputs "${PROJECT_SOURCE_DIR}")
  set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${inputs})
  portable__generator_sum(sum "${PROJECT_SOURCE_DIR}")
  foreach(folder "${PROJECT_SOURCE_DIR}/gen" "${PROJECT_BINARY_DIR}/gen")
    portable__generated_is_fresh(fresh "${folder}" "${sum}")
    if(fresh)
      set(${out} "${folder}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(STATUS "portable: writing generated Fortran (internal/gen)")
  execute_process(COMMAND "${CMAKE_COMMAND}" "-DSOURCE_DIR=${PROJECT_SOURCE_DIR}" "-DWORK_DIR=${PROJECT_BINARY_DIR}/archive" "-DGO=${PORTABLE_GO}"
                          "-DOUTPUT=${PROJECT_BINARY_DIR}/gen" -P "${PROJECT_SOURCE_DIR}/cmake/run_generator.cmake"
                  RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${text}")
  endif()
  set(${out} "${PROJECT_BINARY_DIR}/gen" PARENT_SCOPE)
endfunction()
