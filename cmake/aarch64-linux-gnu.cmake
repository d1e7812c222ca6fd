# aarch64-linux-gnu.cmake - a toolchain file: programs for Linux on aarch64, by Debian's cross
# compilers (`scripts/setup aarch64` installs them). ctest runs programs by qemu-user, if it is
# installed. Packages for the target are searched in /usr/aarch64-linux-gnu and in the folders of
# -DCMAKE_FIND_ROOT_PATH; programs that run during the build, on this machine. Not in this file:
# Go's target (PortableArchive.cmake), other targets and users' builds (docs/build/builds.md).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(portable__triple aarch64-linux-gnu)
set(CMAKE_C_COMPILER ${portable__triple}-gcc)
set(CMAKE_CXX_COMPILER ${portable__triple}-g++)
set(CMAKE_Fortran_COMPILER ${portable__triple}-gfortran)
list(APPEND CMAKE_FIND_ROOT_PATH "/usr/${portable__triple}")
list(REMOVE_DUPLICATES CMAKE_FIND_ROOT_PATH)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
find_program(PORTABLE_QEMU_AARCH64 NAMES qemu-aarch64 qemu-aarch64-static)
mark_as_advanced(PORTABLE_QEMU_AARCH64)
if(PORTABLE_QEMU_AARCH64)
  set(CMAKE_CROSSCOMPILING_EMULATOR "${PORTABLE_QEMU_AARCH64};-L;/usr/${portable__triple}")
endif()
