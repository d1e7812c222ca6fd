# PortableTools.cmake - installs tools for users without CMake: portable-config, the two files for
# pkg-config, portable-selftest with its sources, the license. Each tool finds the rest relative to
# itself, so that a prefix may be moved. Not in this file: their text (packaging/), and the CMake
# package (CMakeLists.txt).

# portable__relative(<out> <from> <to>): the relative path from one installed folder to another.
function(portable__relative out from to)
  file(RELATIVE_PATH way "${CMAKE_INSTALL_FULL_${from}}" "${to}")
  set(${out} "${way}" PARENT_SCOPE)
endfunction()

set(CMAKE_INSTALL_FULL_PKGCONFIGDIR "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig")
portable__relative(PORTABLE_BIN_TO_PREFIX BINDIR "${CMAKE_INSTALL_PREFIX}")
portable__relative(PORTABLE_BIN_TO_LIB BINDIR "${CMAKE_INSTALL_FULL_LIBDIR}")
portable__relative(PORTABLE_BIN_TO_INCLUDE BINDIR "${CMAKE_INSTALL_FULL_INCLUDEDIR}")
portable__relative(PORTABLE_BIN_TO_MODULES BINDIR "${CMAKE_INSTALL_FULL_DATADIR}/portable")
portable__relative(PORTABLE_PC_TO_PREFIX PKGCONFIGDIR "${CMAKE_INSTALL_PREFIX}")
portable__relative(PORTABLE_PC_TO_LIB PKGCONFIGDIR "${CMAKE_INSTALL_FULL_LIBDIR}")
portable__relative(PORTABLE_PC_TO_INCLUDE PKGCONFIGDIR "${CMAKE_INSTALL_FULL_INCLUDEDIR}")
portable__relative(PORTABLE_PC_TO_MODULES PKGCONFIGDIR "${CMAKE_INSTALL_FULL_DATADIR}/portable")
# Libraries that a static archive needs; a shared library names them itself.
if(portable__shared)
  set(PORTABLE_HAS_SHARED yes)
  set(PORTABLE_SYSTEM_LIBS "")
else()
  set(PORTABLE_HAS_SHARED no)
  set(PORTABLE_SYSTEM_LIBS "-lpthread -ldl -lm")
endif()

# The flags of portable::allocate are written in portable-targets.cmake only.
get_target_property(PORTABLE_ALLOCATE_FLAGS portable::allocate INTERFACE_LINK_OPTIONS)

set(portable__tools "${PROJECT_BINARY_DIR}/package")
foreach(tool portable-config portable-selftest portable.pc portable-fortran.pc)
  configure_file("packaging/${tool}.in" "${portable__tools}/${tool}" @ONLY)
endforeach()
install(PROGRAMS "${portable__tools}/portable-config" "${portable__tools}/portable-selftest"
        DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(FILES "${portable__tools}/portable.pc" "${portable__tools}/portable-fortran.pc"
        DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

# The self-test is some of our own tests. Generated tests, and those that need much memory, are not installed.
set(portable__selftest)
foreach(name alloc array_bytes environment fork gator leak list pool source start status threads)
  list(APPEND portable__selftest "ffi_tests/pool/test_${name}.c")
endforeach()
foreach(name bounds_64_bits bytes_before_init config derived_types drop_in labels reassociation source_mold
        stat_errmsg zero_extent particle_pools)
  list(APPEND portable__selftest "ffi_tests/pool/${name}.f90")
endforeach()
list(APPEND portable__selftest ffi_tests/allocate/features.f90 ffi_tests/allocate/look.c ffi_tests/allocate/served.h)
install(FILES ${portable__selftest} ffi_tests/support/check.h ffi_tests/support/child.h ffi_tests/support/emulated.h ffi_tests/support/check_mod.f90
        DESTINATION "${CMAKE_INSTALL_DATADIR}/portable/selftest")
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/portable")
