# Which tools and ways to link the machine has. In this file: the variables PORTABLE_THREAD_SANITIZER, PORTABLE_ADDRESS_SANITIZER,
# PORTABLE_TWO_SANITIZERS (address and undefined), PORTABLE_STATIC_PROGRAMS and PORTABLE_VALGRIND; portable_without_rdtscp. Not in this file: tests.
include(CheckCSourceCompiles)
foreach(probe THREAD_SANITIZER:-fsanitize=thread ADDRESS_SANITIZER:-fsanitize=address TWO_SANITIZERS:-fsanitize=address,undefined
        STATIC_PROGRAMS:-static)
  string(REPLACE ":" ";" probe "${probe}")
  list(GET probe 0 name)
  list(GET probe 1 CMAKE_REQUIRED_FLAGS)
  check_c_source_compiles("int main(void) { return 0; }" PORTABLE_${name})
endforeach()
unset(CMAKE_REQUIRED_FLAGS)
find_program(PORTABLE_VALGRIND valgrind)
mark_as_advanced(PORTABLE_VALGRIND)
# valgrind 3.19 tells programs that the processor has RDTSCP, also where it does not, and then ends the Go runtime at that instruction. portable_test
# gives all tests the variable that keeps Go from it.
if(PORTABLE_VALGRIND AND EXISTS /proc/cpuinfo)
  file(STRINGS /proc/cpuinfo portable_rdtscp REGEX "^flags.* rdtscp( |$)" LIMIT_COUNT 1)
  if(NOT portable_rdtscp)
    set(portable_without_rdtscp "GODEBUG=set:cpu.rdtscp=off")
  endif()
endif()
