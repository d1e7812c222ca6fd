# build_archive.cmake - makes libportable.a: `cmake -D... -P build_archive.cmake` runs the go build
# and turns Go's archive into one object that every program gets, and members. Two Go archives in a
# program clash in hundreds of names; after `ld -r` all but ours can become local. Needs: SOURCE_DIR
# WORK_DIR OUTPUT EXPORTS GO CC LD AR OBJCOPY; TAGS, TARGET, CC_FLAGS may be empty; SHARED, if any,
# is libportable.so.<version>. Not in this file: when it runs (PortableArchive.cmake), the list of
# names (exports.txt).
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
separate_arguments(cross UNIX_COMMAND "${CC_FLAGS}")
if(CC_FLAGS)
  set(ENV{CGO_LDFLAGS} "-O2 -g${CC_FLAGS}")
endif()
set(ENV{CGO_ENABLED} 1)
# Go tests for changes in the folder of a package only, and would miss a changed header in another folder.
file(GLOB_RECURSE headers "${SOURCE_DIR}/capi/*.h" "${SOURCE_DIR}/internal/*.h" "${SOURCE_DIR}/internal/*.inc"
     "${SOURCE_DIR}/arrays/*.h" "${SOURCE_DIR}/exec/*.h" "${SOURCE_DIR}/gator/*.h")
list(FILTER headers EXCLUDE REGEX "/internal/cudasim/")
list(SORT headers)
set(sums "")
foreach(header ${headers})
  file(SHA256 "${header}" sum)
  string(APPEND sums "${sum}")
endforeach()
string(SHA256 sums "${sums}")
# DWARF 4, because valgrind 3.19 cannot read version 5 as clang writes it. Procedures and lines, for addr2line and
# yaklcheck, but no variables, and no tables of Go (-w), which Go's own traces do not need: 5 MB less in each program.
# libportable_debug.a has all of them, for debuggers of the library. Nothing that reads lines for us asks for columns, two
# fifths of these tables; compilers other than gcc and clang may not know the flag.
set(level " -g1")
execute_process(COMMAND "${CC}" ${cross} -gno-column-info -fsyntax-only -x c /dev/null RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
if(status EQUAL 0)
  string(APPEND level " -gno-column-info")
endif()
set(linker_flags "-buildid= -w")
if("${TAGS}" MATCHES "(^|,)portable_debug(,|$)")
  set(level "")
  set(linker_flags "-buildid=")
endif()
# gcc sets and copies structures of 100 to 500 bytes by one string instruction, which takes 10 ns to begin on most
# processors; a launch has several. A loop of vectors takes 3 ns.
set(structures "-mmemset-strategy=vector_loop:768:noalign,libcall:-1:noalign" "-mmemcpy-strategy=vector_loop:768:noalign,libcall:-1:noalign")
execute_process(COMMAND "${CC}" ${cross} ${structures} -Werror -fsyntax-only -x c /dev/null RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
if(status EQUAL 0)
  string(REPLACE ";" " " structures " ${structures}")
else()
  set(structures "")
endif()
if(TARGET)
  string(APPEND linker_flags " '-extar=${AR}'")
endif()
# Nothing is fused, also where the least processor has fused products, so that every processor gives the same bits.
set(flags "-O2 -gdwarf-4${level}${structures} -ffp-contract=off${CC_FLAGS} -DPORTABLE__HEADERS=0x${sums}")
if("${TAGS}" MATCHES "(^|,)cuda(,|$)")
  # gorgonia.org/cu searches NVIDIA's cuda.h in NVIDIA's folders; ours goes before them. It is a copy in Go's cache,
  # with a name made of its content: Go identifies compiled packages by their flags, and this flag is then the same for
  # each tree of one user. The other flag, and the missing build ID of Go, which is made of flags, keep the name out of
  # the archive, so that it has the same bytes wherever it is built.
  execute_process(COMMAND "${GO}" env GOCACHE OUTPUT_VARIABLE cache OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(include "${SOURCE_DIR}/internal/backend/cuda/include")
  file(GLOB parts RELATIVE "${include}" "${include}/*")
  set(key "")
  foreach(part ${parts})
    file(SHA256 "${include}/${part}" sum)
    string(APPEND key "${part}${sum}")
  endforeach()
  string(SHA256 key "${key}")
  string(SUBSTRING "${key}" 0 16 key)
  set(copy "${cache}/portable-cuda-${key}")
  if(NOT EXISTS "${copy}/cuda.h")
    string(RANDOM LENGTH 8 new)
    file(COPY "${include}/" DESTINATION "${copy}.${new}")
    # Another build may have written the same files first.
    execute_process(COMMAND "${CMAKE_COMMAND}" -E rename "${copy}.${new}" "${copy}" OUTPUT_QUIET ERROR_QUIET)
    file(REMOVE_RECURSE "${copy}.${new}")
  endif()
  string(APPEND flags " '-I${copy}' '-ffile-prefix-map=${copy}=portable'")
endif()
set(ENV{CGO_CFLAGS} "${flags}")
file(WRITE "${WORK_DIR}/cgo_flags" "${flags}") # for scripts/steps.sh, with which Go reuses the packages compiled here
set(raw "${WORK_DIR}/go.a")
set(object "${WORK_DIR}/portable.o")
file(MAKE_DIRECTORY "${WORK_DIR}")
# Texts for devices go into the archive without their comments. The generator runs here, also in a cross build.
set(texts "${SOURCE_DIR}/internal/backend/cuda/builtin.go" "${SOURCE_DIR}/internal/backend/cuda/headers.go" "${SOURCE_DIR}/capi/exports_device.go"
    "${SOURCE_DIR}/internal/backend/opencl/opencl.go")
portable__run("shortening of texts" "${CMAKE_COMMAND}" -E env --unset=GOOS --unset=GOARCH "${GO}" run "-tags=" ./internal/gen/texts "${WORK_DIR}/texts" ${texts})
portable__run("go build"
  "${GO}" build -buildmode=c-archive -buildvcs=false -trimpath "-overlay=${WORK_DIR}/texts/overlay.json" "-ldflags=${linker_flags}" "-tags=${TAGS}" -o "${raw}" ./capi/archive)
# Go starts itself in a constructor, which waits in a section of its own until the library asks (internal/edge/crossing.c).
portable__run("ar x" "${CMAKE_COMMAND}" -E chdir "${WORK_DIR}" "${AR}" x go.a go.o)
# Other flags also take the type INIT_ARRAY from it: of a second section of that type gold makes a second array, and the
# loader then runs no other constructor.
set(go ".data.rel.ro.portable_go")
portable__run("objcopy" "${OBJCOPY}" --rename-section ".init_array=${go},alloc,load,readonly,contents" "${WORK_DIR}/go.o")
portable__run("objcopy" "${OBJCOPY}" --set-section-flags "${go}=alloc,load,data,contents" --add-symbol "portable__go_start=${go}:0" "${WORK_DIR}/go.o")
portable__run("ar r" "${CMAKE_COMMAND}" -E chdir "${WORK_DIR}" "${AR}" r go.a go.o)
# Objects that only some programs need are members of their own; the linker takes those that a program calls.
set(parts "${WORK_DIR}/parts")
file(REMOVE_RECURSE "${parts}")
file(MAKE_DIRECTORY "${parts}")
portable__run("ar x" "${CMAKE_COMMAND}" -E chdir "${parts}" "${AR}" x "${raw}")
# It runs here, also in a cross build.
portable__run("division of the archive" "${CMAKE_COMMAND}" -E env --unset=GOOS --unset=GOARCH "${GO}" run "-tags=" ./internal/gen/members "${parts}" "${EXPORTS}")
file(STRINGS "${parts}/core.txt" core)
list(TRANSFORM core PREPEND "${parts}/")
# -d gives common symbols a place, else Go's thread-local setup stays global. All code becomes one section with named
# ends: frames of the library are recognised by their addresses, also in a stripped program. Members have a section whose ends the linker names.
file(WRITE "${WORK_DIR}/text.ld"
  "SECTIONS { .text : { portable__text_begin = .; *(.text .text.*) portable__text_end = .; } }\n")
# The linker keeps one copy of a group for all objects. It would take names that become local here from later objects.
portable__run("ld -r" "${LD}" -r -d --force-group-allocation -o "${object}" -T "${WORK_DIR}/text.ld" ${core})
portable__run("objcopy" "${OBJCOPY}" --wildcard "--keep-global-symbols=${parts}/names.txt" "${object}")
# Users' constructors may call the library, and would run first if ours had no priority.
portable__run("objcopy" "${OBJCOPY}" --rename-section .init_array=.init_array.00101 "${object}")
file(WRITE "${WORK_DIR}/member.ld" "SECTIONS { portable_text : { *(.text .text.*) } }\n")
file(STRINGS "${parts}/members.txt" members)
set(optional "")
foreach(member ${members})
  set(part "${parts}/portable_${member}")
  portable__run("ld -r" "${LD}" -r -d --force-group-allocation -o "${part}" -T "${WORK_DIR}/member.ld" "${parts}/${member}")
  portable__run("objcopy" "${OBJCOPY}" --wildcard "--keep-global-symbols=${parts}/names.txt" "${part}")
  list(APPEND optional "${part}")
endforeach()
# The functions of portable_math.h: an object of its own, which only programs that call them get. Nothing is fused, so that
# every build gives the same bits.
set(elementary "${WORK_DIR}/elementary.o")
separate_arguments(level UNIX_COMMAND "${level}")
portable__run("compilation of elementary.c" "${CC}" ${cross} -std=c99 -O2 -gdwarf-4 ${level} -fPIC -ffp-contract=off -fno-math-errno
              "-ffile-prefix-map=${SOURCE_DIR}=portable" -c "${SOURCE_DIR}/internal/kernels/elementary/elementary.c" -o "${elementary}")
# ar adds to an existing archive; a fresh one holds nothing old.
file(REMOVE "${OUTPUT}")
portable__run("ar" "${AR}" rcs "${OUTPUT}" "${object}" "${elementary}" ${optional})
if(NOT "${SHARED}" STREQUAL "")
  # One object of all, whose private names are local; nodelete: a Go runtime cannot be removed from a process, so dlclose must keep it.
  set(whole "${WORK_DIR}/whole.o")
  portable__run("ld -r" "${LD}" -r -o "${whole}" "${object}" ${optional})
  portable__run("objcopy" "${OBJCOPY}" --wildcard "--keep-global-symbols=${EXPORTS}" "${whole}")
  get_filename_component(place "${SHARED}" DIRECTORY)
  get_filename_component(file "${SHARED}" NAME)
  string(REGEX REPLACE "^(libportable\\.so\\.[0-9]+).*" "\\1" soname "${file}")
  portable__run("link of ${file}" "${CC}" ${cross} -shared -o "${SHARED}" "${whole}" "${elementary}" "-Wl,-soname,${soname}"
                -Wl,-z,nodelete -Wl,-z,defs -Wl,-Bsymbolic -lpthread -ldl -lm)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E create_symlink "${file}" "${place}/${soname}")
  execute_process(COMMAND "${CMAKE_COMMAND}" -E create_symlink "${soname}" "${place}/libportable.so")
endif()
file(REMOVE "${raw}" "${object}" "${elementary}" "${WORK_DIR}/whole.o")
file(REMOVE_RECURSE "${parts}")
