# build_archive.cmake - makes libportable.a: runs at build time as `cmake -D... -P build_archive.cmake`.
# In this file: the go build, and the step that turns Go's archive into one object with our names only.
# Not in this file: when it runs (PortableArchive.cmake) and which names stay (exports.txt).
#
# Needs: SOURCE_DIR WORK_DIR OUTPUT EXPORTS GO CC LD AR OBJCOPY; TAGS and C_FLAGS may be empty. SHARED, when
# not empty, is libportable.so.<version>, to be linked from the same object.
#
# Why one object: two Go archives in a program clash in hundreds of names, and a shared library of Go
# beside an archive crashes, because the runtimes find each other's symbols. After `ld -r` every
# reference inside is resolved, so all names but ours can become local.
cmake_minimum_required(VERSION 3.16)

function(portable__run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text
                  WORKING_DIRECTORY "${SOURCE_DIR}")
  if(text)
    message("${text}")
  endif()
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "portable: ${what} failed (${status})")
  endif()
endfunction()

include("${CMAKE_CURRENT_LIST_DIR}/go_environment.cmake")

set(ENV{CC} "${CC}")
set(ENV{CGO_ENABLED} 1)
# Go looks for changes in the folder of a package only, and would not see that a header in another one has changed.
file(GLOB_RECURSE headers "${SOURCE_DIR}/capi/*.h" "${SOURCE_DIR}/internal/*.h" "${SOURCE_DIR}/internal/*.inc")
list(SORT headers)
set(sums "")
foreach(header ${headers})
  file(SHA256 "${header}" sum)
  string(APPEND sums "${sum}")
endforeach()
string(SHA256 sums "${sums}")
# DWARF 4, because valgrind 3.19 gives up on the fifth as clang writes it.
# The folder of our own cuda.h is for gorgonia.org/cu (tag `cuda`), which looks for NVIDIA's elsewhere; the second flag keeps its name
# out of the archive, which is to have the same bytes wherever it is built.
set(ENV{CGO_CFLAGS} "-O2 -gdwarf-4 -DPORTABLE__HEADERS=0x${sums} '-I${SOURCE_DIR}/internal/backend/cuda/include' '-ffile-prefix-map=${SOURCE_DIR}=portable' ${C_FLAGS}")
set(raw "${WORK_DIR}/go.a")
set(object "${WORK_DIR}/portable.o")
file(MAKE_DIRECTORY "${WORK_DIR}")
portable__run("go build"
  "${GO}" build -buildmode=c-archive -buildvcs=false -trimpath "-tags=${TAGS}" -o "${raw}" ./capi)
# -d gives common symbols a place, else Go's thread-local setup stays global.
portable__run("ld -r" "${LD}" -r -d -o "${object}" --whole-archive "${raw}")
portable__run("objcopy" "${OBJCOPY}" --wildcard "--keep-global-symbols=${EXPORTS}" "${object}")
# Go starts itself in a constructor. Those of users may call the library, and ran first when ours had no priority.
portable__run("objcopy" "${OBJCOPY}" --rename-section .init_array=.init_array.00101 "${object}")
# ar adds to an archive that is there; a fresh one holds nothing old.
file(REMOVE "${OUTPUT}")
portable__run("ar" "${AR}" rcs "${OUTPUT}" "${object}")
if(NOT "${SHARED}" STREQUAL "")
  # nodelete: a Go runtime can not be taken out of a process again, so dlclose must leave it there.
  get_filename_component(place "${SHARED}" DIRECTORY)
  get_filename_component(file "${SHARED}" NAME)
  string(REGEX REPLACE "^(libportable\\.so\\.[0-9]+).*" "\\1" soname "${file}")
  portable__run("link of ${file}" "${CC}" -shared -o "${SHARED}" "${object}" "-Wl,-soname,${soname}"
                -Wl,-z,nodelete -Wl,-z,defs -Wl,-Bsymbolic -lpthread -ldl -lm)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E create_symlink "${file}" "${place}/${soname}")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E create_symlink "${soname}" "${place}/libportable.so")
endif()
file(REMOVE "${raw}" "${object}")
