# portable-hdf5.cmake - restart files by parallel HDF5: the target portable::hdf5 of the component
# hdf5, and the function portable_hdf5 for Fortran. The project's own MPI and HDF5 are looked for;
# HDF5_ROOT and MPI_C_COMPILER name others. Not here: other targets (portable-targets.cmake).

# portable__hdf5(<out>): makes portable::hdf5, or sets <out> to the reason why not. In C and C++ link it, and include portable_hdf5.h.
function(portable__hdf5 out)
  set(${out} "" PARENT_SCOPE)
  if(TARGET portable::hdf5)
    return()
  endif()
  if(NOT CMAKE_C_COMPILER_LOADED)
    set(${out} "the component hdf5 needs C enabled before find_package, as in project(... LANGUAGES C Fortran)" PARENT_SCOPE)
    return()
  endif()
  set(HDF5_PREFER_PARALLEL TRUE)
  find_package(MPI QUIET COMPONENTS C)
  find_package(HDF5 QUIET COMPONENTS C HL)
  if(NOT MPI_C_FOUND OR NOT HDF5_FOUND OR NOT HDF5_IS_PARALLEL)
    set(${out} "the component hdf5 needs an MPI and an HDF5 that was built for it (Debian: libhdf5-openmpi-dev or \
libhdf5-mpich-dev; MPI found: ${MPI_C_FOUND}, HDF5 found: ${HDF5_FOUND}, for MPI: ${HDF5_IS_PARALLEL}); HDF5_ROOT names a folder" PARENT_SCOPE)
    return()
  endif()
  add_library(portable::hdf5 INTERFACE IMPORTED GLOBAL)
  set_target_properties(portable::hdf5 PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${HDF5_INCLUDE_DIRS};${MPI_C_INCLUDE_DIRS}"
    INTERFACE_LINK_LIBRARIES "portable::portable;${HDF5_C_HL_LIBRARIES};${HDF5_C_LIBRARIES};${MPI_C_LIBRARIES}")
endfunction()

# portable_hdf5([<target>])
#
# Adds portable_hdf5.F90 and portable_hdf5.c, restart files of fields, to the sources of a target that links an MPI for Fortran. The
# component hdf5 has found HDF5; a project that found one itself links that. Without a target: makes portable::hdf5 after
# add_subdirectory, as the component does.
function(portable_hdf5)
  set(target "${ARGV0}")
  if(NOT target)
    portable__hdf5(reason)
    if(reason)
      message(FATAL_ERROR "portable_hdf5: ${reason}")
    endif()
    return()
  endif()
  if(NOT CMAKE_C_COMPILER_LOADED)
    message(FATAL_ERROR "portable_hdf5: one of its two files is C; enable it, as in project(... LANGUAGES C Fortran)")
  endif()
  portable__module_file(fortran portable_hdf5.F90)
  portable__module_file(c portable_hdf5.c)
  target_sources(${target} PRIVATE "${fortran}" "${c}")
  target_link_libraries(${target} PRIVATE portable::fortran_arrays)
  if(TARGET portable::hdf5)
    target_link_libraries(${target} PRIVATE portable::hdf5)
  endif()
endfunction()
