# yakl_utils.cmake - the CMake names of YAKL version 1, over this library: the targets yakl and
# yakl_fortran_interface, yakl_process_target and its like.
# In this file: what YAKL_ARCH, the options and the flags of a project become
# (docs/cxx/yakl-compat.md). Not in this file: how a project comes to it (CMakeLists.txt next to
# this file, yakl-config.cmake). Source: YAKL's yakl_utils.cmake.

# Names of the macros that an option of the project defines. HAVE_MPI and the label of the namespace have names of their own.
set(portable__yakl_options DEBUG VERBOSE VERBOSE_FILE ENABLE_STREAMS AUTO_PROFILE PROFILE AUTO_FENCE B4B MANAGED_MEMORY MEMORY_DEBUG)

# portable__yakl_settings(<definitions> <flags>): macros and flags of C++ files, as lists, of the variables that are set where it is called.
function(portable__yakl_settings definitions_out flags_out)
  set(definitions)
  foreach(option ${portable__yakl_options})
    if(YAKL_${option})
      list(APPEND definitions YAKL_${option})
    endif()
  endforeach()
  if(YAKL_HAVE_MPI)
    list(APPEND definitions HAVE_MPI)
  endif()
  if(NOT "${YAKL_TARGET_SUFFIX}" STREQUAL "")
    string(MAKE_C_IDENTIFIER "YAKL_NS_${YAKL_TARGET_SUFFIX}" label)
    list(APPEND definitions YAKL_NAMESPACE_WRAPPER_LABEL=${label})
  endif()
  set(flags "${YAKL_CXX_FLAGS}")
  if("${YAKL_ARCH}" STREQUAL "OPENMP")
    list(APPEND definitions YAKL_ARCH_OPENMP)
    set(flags "${YAKL_OPENMP_FLAGS}")
  elseif("${YAKL_ARCH}" MATCHES "^(CUDA|HIP|SYCL)$")
    # The macro of such a device is not defined: under it programs call the interface of its vendor.
    get_property(told GLOBAL PROPERTY portable__yakl_told)
    if(NOT told)
      message(STATUS "yakl: YAKL_ARCH=${YAKL_ARCH}: kernels of YAKL's run on the host in this version, with YAKL_CXX_FLAGS")
      set_property(GLOBAL PROPERTY portable__yakl_told ON)
    endif()
  elseif(NOT "${YAKL_ARCH}" STREQUAL "")
    message(FATAL_ERROR "yakl: YAKL_ARCH='${YAKL_ARCH}' is no architecture; there are OPENMP, CUDA, HIP, SYCL, and none")
  endif()
  separate_arguments(flags UNIX_COMMAND "${flags}")
  set(${definitions_out} "${definitions}" PARENT_SCOPE)
  set(${flags_out} "${flags}" PARENT_SCOPE)
endfunction()

# portable__yakl_names(<suffix>): what YAKL_TARGET_SUFFIX appends to names of targets.
function(portable__yakl_names suffix_out)
  set(suffix "")
  if(NOT "${YAKL_TARGET_SUFFIX}" STREQUAL "")
    set(suffix "_${YAKL_TARGET_SUFFIX}")
  endif()
  set(${suffix_out} "${suffix}" PARENT_SCOPE)
endfunction()

# portable__yakl_targets(<IMPORTED or nothing>): the two targets, with the names of YAKL's installed package, too.
function(portable__yakl_targets)
  portable__yakl_names(suffix)
  portable__yakl_settings(definitions flags)
  set(fortran portable::portable)
  if(TARGET portable::fortran)
    set(fortran portable::fortran)
  endif()
  set(libraries portable::yakl)
  set(link)
  if("${YAKL_ARCH}" STREQUAL "OPENMP" AND flags)
    string(REPLACE ";" " " link "SHELL:${flags}")
  endif()
  if(YAKL_HAVE_MPI)
    find_package(MPI REQUIRED COMPONENTS C CXX)
    list(APPEND libraries MPI::MPI_CXX MPI::MPI_C) # mpi.h of Open MPI 4 has functions of its library for C++
  endif()
  foreach(name yakl yakl_fortran_interface)
    set(target "${name}${suffix}")
    set(needs "${libraries}")
    if(name STREQUAL "yakl_fortran_interface")
      set(needs "${fortran}")
    endif()
    if(TARGET ${target})
      continue()
    endif()
    if("${ARGV0}" STREQUAL "IMPORTED") # a library of the project's may be exported that links it
      foreach(imported ${target} yakl${suffix}::${target})
        add_library(${imported} INTERFACE IMPORTED GLOBAL)
        set_property(TARGET ${imported} PROPERTY INTERFACE_LINK_LIBRARIES "${needs}")
        set_property(TARGET ${imported} PROPERTY INTERFACE_LINK_OPTIONS ${link})
      endforeach()
    else()
      add_library(${target} INTERFACE)
      set_property(TARGET ${target} PROPERTY INTERFACE_LINK_LIBRARIES "${needs}")
      set_property(TARGET ${target} PROPERTY INTERFACE_LINK_OPTIONS ${link})
      add_library(yakl${suffix}::${target} ALIAS ${target})
    endif()
  endforeach()
endfunction()

# portable__yakl_process(<target>): links yakl to a target, and gives its C++ files C++17, macros and flags.
function(portable__yakl_process target)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "yakl_process_target: there is no target ${target}; add it before")
  endif()
  portable__yakl_names(suffix)
  portable__yakl_settings(definitions flags)
  # YAKL's macros reach the C++ files of this target alone; what links it gets yakl.
  foreach(definition ${definitions})
    set_property(TARGET ${target} APPEND PROPERTY COMPILE_DEFINITIONS "$<$<COMPILE_LANGUAGE:CXX>:${definition}>")
  endforeach()
  string(REPLACE ";" " " text "${flags}")
  if(text) # as one entry: CMake removes entries that it has already, such as the second --param
    set_property(TARGET ${target} APPEND PROPERTY COMPILE_OPTIONS "$<$<COMPILE_LANGUAGE:CXX>:SHELL:${text}>")
  endif()
  set_property(TARGET ${target} PROPERTY CXX_STANDARD 17)
  # Properties, because target_link_libraries would fix its signature, with or without keywords, for the project's own calls.
  set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES yakl${suffix})
  set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES yakl${suffix})
endfunction()

# ---- YAKL's names ----

# yakl_get_lang_from_list(<files> <language> <out>)
function(yakl_get_lang_from_list files language out)
  set(found "")
  foreach(file ${files})
    get_source_file_property(its "${file}" LANGUAGE)
    if("${its}" STREQUAL "${language}")
      list(APPEND found "${file}")
    endif()
  endforeach()
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

# yakl_set_definitions(): YAKL_DEFINITIONS and YAKL_COMPILER_FLAGS as texts, as flags of a compiler.
macro(yakl_set_definitions)
  portable__yakl_settings(portable__definitions portable__flags)
  set(YAKL_DEFINITIONS "${portable__definitions}")
  list(TRANSFORM YAKL_DEFINITIONS PREPEND "-D")
  string(REPLACE ";" " " YAKL_DEFINITIONS "${YAKL_DEFINITIONS}")
  string(REPLACE ";" " " YAKL_COMPILER_FLAGS "${portable__flags}")
  string(STRIP "${YAKL_COMPILER_FLAGS} ${YAKL_DEFINITIONS}" YAKL_COMPILER_FLAGS)
  unset(portable__definitions)
  unset(portable__flags)
endmacro()

# yakl_process_cxx_source_files(<files>): macros and flags of single files.
macro(yakl_process_cxx_source_files files)
  yakl_set_definitions()
  set_source_files_properties(${files} PROPERTIES COMPILE_FLAGS "${YAKL_COMPILER_FLAGS}")
endmacro()

# yakl_process_target(<target>): links yakl, and compiles the C++ files of the target as YAKL_ARCH, the options and the flags say.
macro(yakl_process_target tname)
  yakl_set_definitions()
  portable__yakl_process(${tname})
endmacro()
