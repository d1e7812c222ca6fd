# Read by the CMakeLists.txt of the root. The files that scripts/gpu_test carries to a machine with a GPU: the target gpu_programs, and two lists in the build folder, gpu_tests.txt and gpu_examples.txt, a line
# NAME|PROGRAM|ARGUMENTS for each. In this file: which programs. Not in this file: how they are run there (scripts/gpu/run.sh).
# Tests that want a driver which fails are not among them.
set(tests "")
set(examples "")
set(programs bench_cuda_portable device_facts)
function(gpu_runs list name program)
  if(NOT TARGET ${program})
    return()
  endif()
  string(REPLACE ";" " " arguments "${ARGN}")
  set(${list} "${${list}}${name}|$<TARGET_FILE:${program}>|${arguments}\n" PARENT_SCOPE)
  set(programs ${programs} ${program} PARENT_SCOPE)
endfunction()

gpu_runs(tests cuda.kernels.kernels.c cuda_kernels "${CMAKE_CURRENT_LIST_DIR}/../kernels/bodies.h")
gpu_runs(tests cuda.streams.order.c cuda_streams)
gpu_runs(tests cuda.memory.copies.c cuda_memory_copies)
gpu_runs(tests cuda.memory.nested.cxx records_nested_cxx)
# The part of the suite that make test has, too, and meshes: each program has the library in it, and the pack is to be carried.
get_property(names GLOBAL PROPERTY portable_cuda_real)
foreach(name ${names})
  get_property(command GLOBAL PROPERTY "portable_on_devices_${name}")
  list(POP_FRONT command program)
  string(REGEX REPLACE "^\\$<TARGET_FILE:(.*)>$" "\\1" program "${program}")
  gpu_runs(tests cuda.suite.${name} "${program}" ${command})
endforeach()

foreach(program axpy_c axpy axpy_arrays stencil_2d stencil_3d stencil_arrays diffusion matrix_product matrix_product_cpp max_stable_dt max_stable_dt_cpp histogram
        active_columns active_columns_c column_physics column_arrays column_blocks streams streams_c cublas)
  gpu_runs(examples ${program} example_${program})
endforeach()
foreach(program stencil_2d stencil_3d diffusion max_stable_dt column_physics) # plain loops that portablef converted
  gpu_runs(examples ${program}_loops example_${program}_loops)
endforeach()
gpu_runs(examples column_model_bits column_model_bits)
gpu_runs(examples shallow_water_device shallow_water_device "${PROJECT_SOURCE_DIR}/examples/shallow_water/cases/radial_dam_break.nml")
gpu_runs(examples shallow_water shallow_water_cuda "${PROJECT_SOURCE_DIR}/examples/shallow_water/cases/radial_dam_break.nml")

portable_fortran_loops_available(has_loops)
# The census, converted. The tool is not given the bodies in outside.f90.
set(census "${PROJECT_SOURCE_DIR}/bench/loops/census")
file(GLOB sources CONFIGURE_DEPENDS "${census}/*/*.f90" "${census}/*/*.F90" "${census}/*/*.f")
list(REMOVE_ITEM sources "${census}/support/outside.f90")
if(has_loops AND TARGET portable::fortran AND NOT CMAKE_Fortran_COMPILER_ID STREQUAL "LLVMFlang")
  add_library(census_outside OBJECT EXCLUDE_FROM_ALL "${census}/support/outside.f90")
  add_executable(census_device EXCLUDE_FROM_ALL ${sources} $<TARGET_OBJECTS:census_outside>)
  set_target_properties(census_device PROPERTIES Fortran_MODULE_DIRECTORY "${PROJECT_BINARY_DIR}/modules_census_device")
  portable_fortran_loops(census_device AUTO DEVICE cuda)
  list(APPEND programs census_device)
endif()

file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/gpu_tests.txt" CONTENT "${tests}")
file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/gpu_examples.txt" CONTENT "${examples}")
add_custom_target(gpu_programs DEPENDS ${programs})
