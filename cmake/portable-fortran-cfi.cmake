# portable-fortran-cfi.cmake - makes portable::fortran_cfi: arrays from and to Fortran 2018's C
# descriptors (portable_cfi_mod, portable_cfi.h), compiled in this project by its own compilers if
# these have them. Not in this file: the other targets (portable-targets.cmake).

# portable_fortran_cfi()
#
# Makes portable::fortran_cfi, or says why it cannot; `if(TARGET portable::fortran_cfi)` tests it. The project has C and
# Fortran.
function(portable_fortran_cfi)
  if(TARGET portable::fortran_cfi)
    return()
  endif()
  foreach(language C Fortran)
    if(NOT CMAKE_${language}_COMPILER_LOADED)
      message(FATAL_ERROR "portable_fortran_cfi: this project has no ${language}; enable it before, as in project(... LANGUAGES C Fortran)")
    endif()
  endforeach()
  get_target_property(headers portable::portable INTERFACE_INCLUDE_DIRECTORIES)
  portable__module_file(source portable_cfi.c)
  get_filename_component(folder_of_c "${source}" DIRECTORY)

  # gfortran's ISO_Fortran_binding.h alone: its folder holds other headers of gcc.
  set(work "${CMAKE_BINARY_DIR}/portable_fortran/cfi_include")
  file(MAKE_DIRECTORY "${work}")
  set(missing "")
  if(CMAKE_Fortran_COMPILER_ID STREQUAL "GNU")
    execute_process(COMMAND "${CMAKE_Fortran_COMPILER}" -print-file-name=include OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(EXISTS "${folder}/ISO_Fortran_binding.h")
      configure_file("${folder}/ISO_Fortran_binding.h" "${work}/ISO_Fortran_binding.h" COPYONLY)
    endif()
    if(CMAKE_Fortran_COMPILER_VERSION VERSION_LESS 12)
      set(missing "gfortran ${CMAKE_Fortran_COMPILER_VERSION} loses bounds and ranks of pointers in C descriptors; 12 does not")
    endif()
  endif()
  if(NOT missing)
    # Compiled, not linked: the program is not run, which would fail in a cross build.
    set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
    file(WRITE "${work}/check.c" "#include <ISO_Fortran_binding.h>\nint rank_of(CFI_cdesc_t *x);\nint rank_of(CFI_cdesc_t *x) { return x->rank; }\n")
    file(WRITE "${work}/check.f90" "module check\n  interface\n    function rank_of(x, p) bind(c)\n      use, intrinsic :: iso_c_binding\n"
      "      type(*), target, intent(in) :: x(..)\n      real(c_double), pointer, intent(in) :: p(..)\n      integer(c_int) :: rank_of\n"
      "    end function\n  end interface\ncontains\n  function ranks(x, p) result(n)\n    use, intrinsic :: iso_c_binding\n"
      "    type(*), target, intent(in) :: x(..)\n    real(c_double), pointer, intent(in) :: p(..)\n    integer :: n\n"
      "    n = int(rank_of(x, p))\n  end function\nend module\n")
    try_compile(PORTABLE_CFI_IN_C "${work}/c" "${work}/check.c" CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${work}")
    try_compile(PORTABLE_CFI_IN_FORTRAN "${work}/fortran" "${work}/check.f90")
    mark_as_advanced(PORTABLE_CFI_IN_C PORTABLE_CFI_IN_FORTRAN)
    if(NOT PORTABLE_CFI_IN_FORTRAN)
      set(missing "${CMAKE_Fortran_COMPILER_ID} ${CMAKE_Fortran_COMPILER_VERSION} has no arguments of assumed rank")
    elseif(NOT PORTABLE_CFI_IN_C)
      set(missing "the C compiler finds no ISO_Fortran_binding.h of the Fortran compiler's")
    endif()
  endif()
  if(missing)
    message(STATUS "portable: no portable::fortran_cfi: ${missing}; portable::fortran_arrays needs no C descriptors")
    return()
  endif()

  portable__add_modules(fortran_cfi portable_cfi_mod)
  target_sources(portable_fortran_cfi_objects PRIVATE "${source}")
  target_include_directories(portable_fortran_cfi_objects PRIVATE "${headers}" "${work}")
  set_target_properties(portable_fortran_cfi_objects PROPERTIES C_STANDARD 99 LINKER_LANGUAGE Fortran)
  target_link_libraries(portable_fortran_cfi_objects PRIVATE portable::fortran_arrays)
  set_property(TARGET portable::fortran_cfi APPEND PROPERTY INTERFACE_LINK_LIBRARIES portable::fortran_arrays)
  portable__place_modules(fortran_cfi)
  set_property(TARGET portable::fortran_cfi APPEND PROPERTY INTERFACE_INCLUDE_DIRECTORIES "${folder_of_c}" "${work}")
endfunction()
