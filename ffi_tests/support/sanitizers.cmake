# Which tools and ways to link the machine has. In this file: the variables PORTABLE_THREAD_SANITIZER, PORTABLE_ADDRESS_SANITIZER,
# PORTABLE_TWO_SANITIZERS (address and undefined), PORTABLE_STATIC_PROGRAMS and PORTABLE_VALGRIND. Not in this file: tests.
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
