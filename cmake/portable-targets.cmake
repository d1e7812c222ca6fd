# portable-targets.cmake - the targets that users link, for find_package, add_subdirectory and
# FetchContent: portable::portable, ::cxx, ::yakl, ::allocate, ::fortran, ::fortran_more; functions
# portable_fortran_modules, portable_cuda_sources, portable_device_sources, portable_mpi,
# portable_halo. Targets are IMPORTED, so that a user's library can install(EXPORT) with
# find_dependency(portable), and GLOBAL: one folder may find them for others. Not here:
# portable::openmp, ::fortran_cfi, ::hdf5, portable_fortran_loops (own files), the archive.

include("${CMAKE_CURRENT_LIST_DIR}/portable-openmp.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/portable-fortran-cfi.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/portable-loops.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/portable-hdf5.cmake")

# portable__define_targets(ARCHIVE <libportable.a or libportable.so.0.1.0> INCLUDE <dir of portable.h>
#                          PORTABLEF <the program> MODULES <folder>... [AFTER <target that makes the archive>])
# MODULES: the files that share/portable of an installation has; the source tree has them in several folders.
function(portable__define_targets)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "ARCHIVE;INCLUDE;PORTABLEF;AFTER" "MODULES")

  if(NOT TARGET portable::portable)
    if(arg_ARCHIVE MATCHES "/(libportable\\.so\\.[0-9]+)[^/]*$")
      add_library(portable::portable SHARED IMPORTED GLOBAL)
      set_target_properties(portable::portable PROPERTIES IMPORTED_SONAME "${CMAKE_MATCH_1}")
    else()
      add_library(portable::portable STATIC IMPORTED GLOBAL)
      # FindThreads is not used, because it is an error in a project with Fortran only.
      set_target_properties(portable::portable PROPERTIES INTERFACE_LINK_LIBRARIES "pthread;${CMAKE_DL_LIBS};m")
    endif()
    set_target_properties(portable::portable PROPERTIES
      IMPORTED_LOCATION "${arg_ARCHIVE}"
      INTERFACE_INCLUDE_DIRECTORIES "${arg_INCLUDE}"
      PORTABLE_PORTABLEF "${arg_PORTABLEF}"
      PORTABLE_MODULES "${arg_MODULES}")
    if(arg_AFTER)
      add_dependencies(portable::portable ${arg_AFTER})
    endif()

    add_library(portable::cxx INTERFACE IMPORTED GLOBAL)
    set_target_properties(portable::cxx PROPERTIES INTERFACE_LINK_LIBRARIES portable::portable)

    # The names of YAKL version 1: #include "YAKL.h" (docs/cxx/yakl-compat.md).
    add_library(portable::yakl INTERFACE IMPORTED GLOBAL)
    set_target_properties(portable::yakl PROPERTIES
      INTERFACE_LINK_LIBRARIES portable::cxx
      INTERFACE_INCLUDE_DIRECTORIES "${arg_INCLUDE}/portable/compat"
      INTERFACE_COMPILE_FEATURES cxx_std_17)
    # Those of YAKL's HEAD, whose header has the same name (docs/cxx/yakl-head.md).
    add_library(portable::yakl_head INTERFACE IMPORTED GLOBAL)
    set_target_properties(portable::yakl_head PROPERTIES
      INTERFACE_LINK_LIBRARIES portable::cxx
      INTERFACE_INCLUDE_DIRECTORIES "${arg_INCLUDE}/portable/compat/head"
      INTERFACE_COMPILE_FEATURES cxx_std_20)

    # Link-only: the program's own malloc and free call the archive (docs/start/allocate.md). -u takes its one object
    # even if no earlier object on the line allocates. -Wl and not LINKER:, which CMake does not know for every Fortran
    # compiler.
    get_filename_component(dir "${arg_ARCHIVE}" DIRECTORY)
    add_library(portable::allocate STATIC IMPORTED GLOBAL)
    set_target_properties(portable::allocate PROPERTIES
      IMPORTED_LOCATION "${dir}/libportable_allocate.a"
      INTERFACE_LINK_OPTIONS
        "-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free,--wrap=malloc_usable_size,-u,__wrap_malloc,--wrap=_Znwm,--wrap=_Znam,--wrap=_ZnwmRKSt9nothrow_t,--wrap=_ZnamRKSt9nothrow_t"
      INTERFACE_LINK_LIBRARIES portable::portable)
    if(arg_AFTER)
      add_dependencies(portable::allocate ${arg_AFTER} portable_allocate_archive)
    endif()
  endif()

  if(CMAKE_Fortran_COMPILER_LOADED)
    portable_fortran_modules()
  endif()
endfunction()

# portable__module_file(<out> <file>): the path of a file of MODULES.
function(portable__module_file out file)
  get_target_property(folders portable::portable PORTABLE_MODULES)
  foreach(folder ${folders})
    if(EXISTS "${folder}/${file}")
      set(${out} "${folder}/${file}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "portable: ${file} is in none of the folders ${folders}")
endfunction()

# portable_mpi(<target>)
#
# Adds portable_mpi.F90 to the sources of a target that links an MPI: it is compiled with them. In C there is
# portable_mpi.h.
function(portable_mpi target)
  portable__module_file(source portable_mpi.F90)
  target_sources(${target} PRIVATE "${source}")
endfunction()

# portable_halo(<target>)
#
# Adds portable_halo.F90, halos on MPI ranks, to the sources of a target that links an MPI, as portable_mpi does.
function(portable_halo target)
  portable__module_file(source portable_halo.F90)
  target_sources(${target} PRIVATE "${source}")
  target_link_libraries(${target} PRIVATE portable::fortran_arrays)
endfunction()

# portable_cuda_sources(<target> <file>...)
#
# Copies files of CUDA C next to the program, where cuda_code(label, file='NAME.cu') finds them in any working folder.
# Install them with the program: install(FILES NAME.cu DESTINATION bin).
function(portable_cuda_sources target)
  foreach(file ${ARGN})
    get_filename_component(path "${file}" ABSOLUTE)
    get_filename_component(name "${file}" NAME)
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${path}")
    add_custom_command(TARGET ${target} POST_BUILD
      COMMAND "${CMAKE_COMMAND}" -E copy_if_different "${path}" "$<TARGET_FILE_DIR:${target}>/${name}" VERBATIM)
  endforeach()
endfunction()
# The same by a name that belongs to no vendor.
macro(portable_device_sources)
  portable_cuda_sources(${ARGV})
endmacro()

# portable_fortran_modules([FLAGS <flag>...])
#
# Compiles the Fortran modules in this project, with its compiler and its CMAKE_Fortran_FLAGS, and makes
# portable::fortran (gator_mod, portable_mod), portable::fortran_more (gator_more_mod), portable::fortran_arrays
# (portable_array_mod, portable_twin_mod, portable_record_mod, portable_records_twin_mod, portable_fields_mod) and portable::fortran_all (portable, all in one) of them. find_package and
# add_subdirectory call it when Fortran is enabled; a second call only adds FLAGS, for flags that the
# project sets elsewhere than in CMAKE_Fortran_FLAGS and that change what a module means, as
# -fdefault-integer-8. Nothing is compiled before some target needs it.
#
# Reason: .mod files of one compiler are useless to another, so none are installed. A plain library
# would have to be in the user's export set; INTERFACE sources would be compiled once for each target,
# racing for the same .mod files.
function(portable_fortran_modules)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FLAGS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "portable_fortran_modules: unknown argument ${arg_UNPARSED_ARGUMENTS}; "
                        "it takes FLAGS <flag>...")
  endif()
  if(NOT CMAKE_Fortran_COMPILER_LOADED)
    message(FATAL_ERROR "portable_fortran_modules: this project has no Fortran; enable it before, as in "
                        "project(... LANGUAGES Fortran) or enable_language(Fortran).")
  endif()
  if(NOT TARGET portable::fortran)
    portable__add_modules(fortran gator_mod portable_reduce_mod portable_sort_mod portable_algorithm_mod portable_solvers_mod portable_fft_mod portable_math_mod portable_random_mod portable_random_fill_mod portable_argument_mod portable_core_mod portable_list_mod portable_mod portable_pool_mod portable_system_mod portable_observe_mod)
    set_property(TARGET portable::fortran APPEND PROPERTY INTERFACE_LINK_LIBRARIES portable::portable)
    portable__add_modules(fortran_more gator_more_mod portable_reduce_more_mod portable_componentwise_mod portable_mesh_mod portable_particles_mod portable_graph_mod portable_blocks_mod)
    set_property(TARGET portable::fortran_more APPEND PROPERTY INTERFACE_LINK_LIBRARIES portable::fortran)
    target_link_libraries(portable_fortran_more_objects PRIVATE portable::fortran)
    portable__add_modules(fortran_arrays portable_array_mod portable_twin_mod portable_record_mod portable_records_twin_mod portable_fields_mod)
    set_property(TARGET portable::fortran_arrays APPEND PROPERTY INTERFACE_LINK_LIBRARIES portable::fortran)
    target_link_libraries(portable_fortran_arrays_objects PRIVATE portable::fortran)
    portable__add_modules(fortran_all portable)
    set_property(TARGET portable::fortran_all APPEND PROPERTY INTERFACE_LINK_LIBRARIES portable::fortran_more portable::fortran_arrays portable::fortran)
    target_link_libraries(portable_fortran_all_objects PRIVATE portable::fortran_more portable::fortran_arrays portable::fortran)
  endif()
  foreach(name fortran fortran_more fortran_arrays fortran_all)
    if(arg_FLAGS)
      target_compile_options(portable_${name}_objects PRIVATE ${arg_FLAGS})
    endif()
    portable__place_modules(${name})
  endforeach()
endfunction()

# Makes portable::<name>: an imported library. The ordinary library portable_<name>_objects builds its
# file, with a custom target between the two. The custom target makes the compilation of a user's file
# wait for the .mod files; a dependency on the library alone would, with Ninja, delay only the link.
function(portable__add_modules name)
  get_target_property(folders portable::portable PORTABLE_MODULES)
  set(sources)
  foreach(module ${ARGN})
    portable__module_file(source "${module}.F90")
    list(APPEND sources "${source}")
  endforeach()
  set(patterns ${folders})
  list(TRANSFORM patterns APPEND "/*.inc")
  file(GLOB includes CONFIGURE_DEPENDS ${patterns})
  set_source_files_properties(${sources} PROPERTIES OBJECT_DEPENDS "${includes}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources} ${includes})
  # Hundreds of procedures that only call C: optimising them takes three times as long and gains nothing.
  foreach(source ${sources})
    if(source MATCHES "/(gator_more|portable_(reduce|sort|algorithm|argument|componentwise|random_fill|array|cfi))_")
      set_source_files_properties("${source}" PROPERTIES COMPILE_OPTIONS -O0)
    elseif(source MATCHES "/portable_(solvers|random)_mod" AND CMAKE_Fortran_COMPILER_ID MATCHES "^(GNU|LLVMFlang)$")
      # Where the processor has such an instruction, vector loops join products in parentheses with sums; bits would differ from C's.
      set_source_files_properties("${source}" PROPERTIES COMPILE_OPTIONS -ffp-contract=off)
    endif()
  endforeach()

  add_library(portable_${name}_objects STATIC EXCLUDE_FROM_ALL ${sources})
  target_include_directories(portable_${name}_objects PRIVATE ${folders})
  set_target_properties(portable_${name}_objects PROPERTIES
    POSITION_INDEPENDENT_CODE ON OUTPUT_NAME portable_${name} PREFIX lib SUFFIX .a
    PORTABLE_FILES "${sources};${includes}")
  add_custom_target(portable_${name}_build)
  add_dependencies(portable_${name}_build portable_${name}_objects)

  add_library(portable::${name} STATIC IMPORTED GLOBAL)
  set_target_properties(portable::${name} PROPERTIES
    IMPORTED_LINK_INTERFACE_LANGUAGES Fortran
    PORTABLE_SOURCES_FOLDERS "${folders}")
  add_dependencies(portable::${name} portable_${name}_build)
endfunction()

# Chooses the folder of the .mod files and the library of portable::<name>. Its name is made of
# everything that they depend on. If that changes, the include path of the user's own files changes too,
# so they are compiled again; Ninja does not notice in another way that a .mod file has changed.
function(portable__place_modules name)
  get_target_property(files portable_${name}_objects PORTABLE_FILES)
  get_target_property(flags portable_${name}_objects COMPILE_OPTIONS)
  set(key "${CMAKE_Fortran_COMPILER};${CMAKE_Fortran_COMPILER_ID};${CMAKE_Fortran_COMPILER_VERSION};${flags}")
  foreach(file ${files})
    file(SHA256 "${file}" hash)
    string(APPEND key ";${hash}")
  endforeach()
  string(SHA256 key "${key}")
  string(SUBSTRING "${key}" 0 12 key)
  set(place "${CMAKE_BINARY_DIR}/portable_fortran/${name}-${key}")
  file(MAKE_DIRECTORY "${place}")

  set_target_properties(portable_${name}_objects PROPERTIES
    ARCHIVE_OUTPUT_DIRECTORY "${place}" Fortran_MODULE_DIRECTORY "${place}")
  get_target_property(folders portable::${name} PORTABLE_SOURCES_FOLDERS)
  # The folders are there for gator_derived.inc, which users include.
  set_target_properties(portable::${name} PROPERTIES
    IMPORTED_LOCATION "${place}/libportable_${name}.a"
    INTERFACE_INCLUDE_DIRECTORIES "${place};${folders}")
  foreach(config ${CMAKE_CONFIGURATION_TYPES})
    string(TOUPPER "${config}" upper)
    set_target_properties(portable_${name}_objects PROPERTIES
      ARCHIVE_OUTPUT_DIRECTORY_${upper} "${place}/${config}")
    set_target_properties(portable::${name} PROPERTIES
      IMPORTED_LOCATION_${upper} "${place}/${config}/libportable_${name}.a")
  endforeach()
endfunction()
