# portable-openmp.cmake - makes portable::openmp, the device `openmp`: a small source, compiled in
# this project by its own compiler with its own OpenMP. find_package calls portable_openmp for the
# component OpenMP. Not in this file: the other targets (portable-targets.cmake).

# portable_openmp([LANGUAGE C|Fortran])
#
# Makes portable::openmp. It uses Fortran if the project has it, so that OpenMP regions of Fortran and launches share
# one OpenMP library. A program that links the target, or a library that does, has the device; its own files get no
# flag.
#
# It is an archive and a symbol that the linker must find (-u), because INTERFACE sources would not pass a static
# library. -u is among the libraries, because link options pass one only if the project has policy CMP0099.
function(portable_openmp)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "LANGUAGE" "")
  if(arg_UNPARSED_ARGUMENTS OR (arg_LANGUAGE AND NOT arg_LANGUAGE MATCHES "^(C|Fortran)$"))
    message(FATAL_ERROR "portable_openmp: unknown argument ${arg_UNPARSED_ARGUMENTS}${arg_LANGUAGE}; it takes LANGUAGE C or LANGUAGE Fortran")
  endif()
  if(TARGET portable::openmp)
    return()
  endif()
  set(language ${arg_LANGUAGE})
  if(NOT language AND CMAKE_Fortran_COMPILER_LOADED)
    set(language Fortran)
  elseif(NOT language)
    set(language C)
  endif()
  if(NOT CMAKE_${language}_COMPILER_LOADED)
    message(FATAL_ERROR "portable_openmp: this project has no ${language}; enable it before, as in project(... LANGUAGES ${language})")
  endif()
  find_package(OpenMP QUIET COMPONENTS ${language})
  if(NOT OpenMP_${language}_FOUND)
    message(FATAL_ERROR "portable_openmp: the ${language} compiler has no OpenMP (${CMAKE_${language}_COMPILER})")
  endif()

  if(language STREQUAL "C")
    portable__module_file(source portable_openmp.c)
  else()
    portable__module_file(source portable_openmp.F90)
  endif()
  set(place "${CMAKE_BINARY_DIR}/portable_openmp")
  separate_arguments(flags UNIX_COMMAND "${OpenMP_${language}_FLAGS}")
  add_library(portable_openmp_objects STATIC EXCLUDE_FROM_ALL "${source}")
  target_compile_options(portable_openmp_objects PRIVATE ${flags})
  set_target_properties(portable_openmp_objects PROPERTIES
    POSITION_INDEPENDENT_CODE ON C_STANDARD 99 OUTPUT_NAME portable_openmp PREFIX lib SUFFIX .a
    ARCHIVE_OUTPUT_DIRECTORY "$<1:${place}>")
  add_custom_target(portable_openmp_build)
  add_dependencies(portable_openmp_build portable_openmp_objects)
  add_library(portable::openmp STATIC IMPORTED GLOBAL)
  # The library by its files: OpenMP's own target is known in one directory only.
  set_target_properties(portable::openmp PROPERTIES
    IMPORTED_LOCATION "${place}/libportable_openmp.a"
    INTERFACE_LINK_LIBRARIES "-Wl,-u,portable__openmp_run;portable::portable;${OpenMP_${language}_LIBRARIES}")
  add_dependencies(portable::openmp portable_openmp_build)
endfunction()
