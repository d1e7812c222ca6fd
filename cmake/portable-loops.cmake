# portable-loops.cmake - portable_fortran_loops: a target's Fortran sources are converted by
# portablef while the target is built. In this file: the arguments, the sources, the one command
# that converts all sources of a call. Not in this file: what a job says, and which sources of other
# targets are read (portable-loops-job.cmake), the tool (cmd/portablef), the other targets
# (portable-targets.cmake).

# One command for all sources, and a stamp: the sources are read together once, and a generated file
# whose text is as before keeps its time, so nothing that depends on it is compiled again.

option(PORTABLE_LOOPS "Convert the loops of targets that portable_fortran_loops names; OFF builds the original sources" ON)
set(PORTABLE_PORTABLEF "" CACHE FILEPATH "The program portablef, for the machine that builds; empty: the one of Portable")
mark_as_advanced(PORTABLE_PORTABLEF)
# Names of Fortran sources. Variables are those of one folder, functions are called in all.
set_property(GLOBAL PROPERTY PORTABLE_LOOPS_SUFFIX
  "\\.([fF]|[fF]90|[fF]95|[fF]03|[fF]08|[fF]18|[fF]77|[fF][oO][rR]|[fF][tT][nN]|[fF][pP][pP])$")

include("${CMAKE_CURRENT_LIST_DIR}/portable-loops-job.cmake")

cmake_policy(PUSH)
if(POLICY CMP0116)
  cmake_policy(SET CMP0116 NEW) # files of dependencies have absolute names
endif()

# portable_fortran_loops(<target> [FILES <file>...] [AUTO] [ACCEPT <word>...] [CHECK] [STRICT] [DEVICE gpu])
#
# Replaces the Fortran sources of a target, or those of FILES, by generated ones, and links portable::fortran. Nests with
# a directive run on threads; AUTO takes each nest that is proved. ACCEPT names the directives of others that count: omp,
# acc, do-concurrent, or none. BITS takes exp, log, ** and their like from portable_math_mod, and compiles without fused
# products, so that serial code, threads and GPUs give the same bits. CHECK writes bodies for PORTABLE_CHECK=races. STRICT makes warnings errors.
# DEVICE gpu embeds a version of each nest for GPUs (cuda, hip, opencl); nests without one stay on the host, with a warning. It comes
# behind the calls that add sources to the target and set their properties, in the same folder.
function(portable_fortran_loops target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "AUTO;BITS;CHECK;STRICT" "DEVICE" "FILES;ACCEPT")
  set(call "portable_fortran_loops(${target})")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${call}: unknown argument ${arg_UNPARSED_ARGUMENTS}; it takes FILES <file>..., AUTO, ACCEPT <word>..., BITS, CHECK, STRICT, DEVICE gpu")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "${call}: there is no target ${target}; make it before, by add_executable or add_library")
  endif()
  get_target_property(aliased ${target} ALIASED_TARGET)
  if(aliased)
    set(target ${aliased})
  endif()
  get_target_property(imported ${target} IMPORTED)
  get_target_property(folder ${target} SOURCE_DIR)
  if(imported)
    message(FATAL_ERROR "${call}: the target is imported, it has no sources here")
  elseif(NOT folder STREQUAL CMAKE_CURRENT_SOURCE_DIR)
    message(FATAL_ERROR "${call}: the target belongs to ${folder}; call it there")
  elseif(NOT TARGET portable::fortran)
    message(FATAL_ERROR "${call}: there is no portable::fortran; enable Fortran before Portable is found, as in project(... LANGUAGES Fortran)")
  endif()
  if(CMAKE_CONFIGURATION_TYPES AND CMAKE_VERSION VERSION_LESS 3.20)
    message(FATAL_ERROR "${call}: a generator with several configurations needs CMake 3.20")
  endif()
  if(NOT PORTABLE_LOOPS)
    return()
  endif()
  portable__loops_tool(tool tool_target)

  # Which sources. Generated files of an earlier call are not converted again.
  get_property(suffix GLOBAL PROPERTY PORTABLE_LOOPS_SUFFIX)
  get_target_property(sources ${target} SOURCES)
  set(wanted)
  foreach(file ${arg_FILES})
    portable__loops_source(file "${file}")
    list(APPEND wanted "${file}")
  endforeach()
  set(place "${CMAKE_CURRENT_BINARY_DIR}/portable_loops/${target}")
  set(config)
  if(CMAKE_CONFIGURATION_TYPES)
    set(config "/$<CONFIG>")
  endif()
  set(kept)
  set(originals)
  set(generated)
  foreach(source ${sources})
    portable__loops_source(path "${source}")
    string(FIND "${source}" "${place}" made)
    if(NOT path MATCHES "${suffix}" OR path MATCHES "\\$<" OR made EQUAL 0 OR (arg_FILES AND NOT path IN_LIST wanted))
      list(APPEND kept "${source}")
      continue()
    endif()
    portable__loops_output(output "${path}" "${place}${config}" "${generated}")
    list(APPEND originals "${path}")
    list(APPEND generated "${output}")
    list(APPEND kept "${output}")
    list(REMOVE_ITEM wanted "${path}")
  endforeach()
  if(wanted)
    message(FATAL_ERROR "${call}: these FILES are no Fortran sources of the target: ${wanted}")
  elseif(NOT originals)
    message(FATAL_ERROR "${call}: the target has no Fortran source to convert; call it behind the commands that add sources")
  endif()

  # The job, and the command.
  get_target_property(number ${target} PORTABLE_LOOPS_CALLS)
  if(NOT number)
    set(number 0)
  endif()
  math(EXPR number "${number} + 1")
  set_property(TARGET ${target} PROPERTY PORTABLE_LOOPS_CALLS ${number})
  set_property(TARGET ${target} APPEND PROPERTY PORTABLE_LOOPS_ORIGINALS ${originals})
  set(base "${place}${config}/job${number}")
  set(options)
  if(arg_DEVICE)
    list(APPEND options "--device=${arg_DEVICE}")
  endif()
  foreach(option AUTO BITS CHECK STRICT)
    if(arg_${option})
      string(TOLOWER "--${option}" word)
      list(APPEND options ${word})
    endif()
  endforeach()
  if(arg_ACCEPT)
    string(JOIN "," accept ${arg_ACCEPT})
    string(TOLOWER "${accept}" accept)
    list(APPEND options --accept "${accept}")
  endif()
  set(depfile DEPFILE "${base}.d")
  set(depends ${originals})
  if(CMAKE_VERSION VERSION_LESS 3.20 OR NOT CMAKE_GENERATOR MATCHES "Ninja|Makefiles")
    set(depfile) # included files do not count then
    foreach(source ${sources})
      portable__loops_source(path "${source}")
      if(path MATCHES "${suffix}" AND NOT path MATCHES "\\$<")
        list(APPEND depends "${path}")
      endif()
    endforeach()
    list(REMOVE_DUPLICATES depends)
  endif()
  add_custom_command(OUTPUT "${base}.stamp" BYPRODUCTS ${generated}
    COMMAND "${tool}" convert --job "${base}.Fortran" ${options}
    DEPENDS ${depends} "${base}.Fortran" "${tool}" ${tool_target}
    ${depfile}
    COMMENT "portable: converting the loops of ${target}"
    VERBATIM)
  add_custom_target(${target}_portable_loops${number} DEPENDS "${base}.stamp")
  add_dependencies(${target} ${target}_portable_loops${number})
  portable__loops_write_job(${target} ${number} "${base}" "${originals}" "${generated}")

  # The target, with the generated sources.
  portable__loops_properties("${originals}" "${generated}" ${target})
  set_property(TARGET ${target} PROPERTY SOURCES ${kept})
  if(arg_BITS)
    set(unfused "-ffp-contract=off")
    if(CMAKE_Fortran_COMPILER_ID MATCHES "^Intel")
      set(unfused "-no-fma")
    elseif(CMAKE_Fortran_COMPILER_ID STREQUAL "NVHPC")
      set(unfused "-Mnofma")
    endif()
    set_property(SOURCE ${generated} APPEND PROPERTY COMPILE_OPTIONS "${unfused}")
  endif()
  # Not target_link_libraries: its form with keywords and that without cannot be mixed, and the user chooses.
  set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES portable::fortran)
  get_target_property(type ${target} TYPE)
  if(type MATCHES "LIBRARY")
    # The library's own modules may name those of portable::fortran.
    set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES portable::fortran)
  endif()
endfunction()
cmake_policy(POP)

# portable_fortran_loops_available(<variable>): ON if this build has a portablef, so that portable_fortran_loops works.
function(portable_fortran_loops_available variable)
  portable__loops_find(tool made_by reason)
  set(${variable} ON PARENT_SCOPE)
  if(reason)
    set(${variable} OFF PARENT_SCOPE)
  endif()
endfunction()

# portable__loops_tool(<program> <target>): the tool, and the target that makes it, or an empty name; or the build stops.
function(portable__loops_tool program made_by)
  portable__loops_find(tool target reason)
  if(reason)
    message(FATAL_ERROR "portable_fortran_loops: ${reason} Say -DPORTABLE_PORTABLEF=/path/to/portablef, or -DPORTABLE_LOOPS=OFF.")
  endif()
  set(${program} "${tool}" PARENT_SCOPE)
  set(${made_by} "${target}" PARENT_SCOPE)
endfunction()

# portable__loops_find(<program> <target> <reason>): the tool, the target that makes it, and why there is no tool ("": there is one).
function(portable__loops_find program made_by reason)
  set(${made_by} "" PARENT_SCOPE)
  set(${reason} "" PARENT_SCOPE)
  get_target_property(own portable::portable PORTABLE_PORTABLEF)
  if(PORTABLE_PORTABLEF)
    set(own "${PORTABLE_PORTABLEF}")
  elseif(TARGET portable_portablef)
    # It is built for the machine that builds.
    get_property(available GLOBAL PROPERTY PORTABLE_PORTABLEF_AVAILABLE)
    if(NOT available)
      portable__command_modules(available portablef)
      set_property(GLOBAL PROPERTY PORTABLE_PORTABLEF_AVAILABLE ${available})
    endif()
    if(NOT available)
      set(${reason} "portablef cannot be built: its Go modules are neither in vendor/ nor in Go's cache, and cannot be fetched (`go mod download` fetches them)." PARENT_SCOPE)
    endif()
    set(${made_by} portable_portablef PARENT_SCOPE)
  elseif(CMAKE_CROSSCOMPILING)
    # In PATH alone: other folders that CMake searches have programs for the machine that is built for.
    find_program(portable__portablef portablef NO_PACKAGE_ROOT_PATH NO_CMAKE_PATH NO_CMAKE_ENVIRONMENT_PATH NO_CMAKE_SYSTEM_PATH NO_CMAKE_FIND_ROOT_PATH)
    mark_as_advanced(portable__portablef)
    set(own "${portable__portablef}")
    if(NOT own)
      set(${reason} "this is a cross build, and PATH has no portablef for the machine that builds." PARENT_SCOPE)
    endif()
  elseif(NOT EXISTS "${own}")
    set(${reason} "${own} does not exist: Portable was installed without its commands." PARENT_SCOPE)
  endif()
  set(${program} "${own}" PARENT_SCOPE)
endfunction()
