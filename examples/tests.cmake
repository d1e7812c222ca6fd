# tests.cmake - runs each program of the examples as a test: on the serial device, and on 1, 2 and
# 5 threads. A program compares its result with that of a serial loop; plain loops that portablef
# converts are compared by same_bits.cmake. Not here: shallow_water,
# which has tests of its own.
string(REPLACE ";" "|" emulator "${CMAKE_CROSSCOMPILING_EMULATOR}") # add_test inserts it itself before a program that is a target
foreach(example ${portable__examples})
  get_filename_component(folder "${example}" DIRECTORY)
  get_property(programs DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
  list(FILTER programs INCLUDE REGEX "^example_")
  list(FILTER programs EXCLUDE REGEX "_portable_loops[0-9]+$") # converts sources
  foreach(program ${programs})
    set(counts 1 2 5)
    if(program MATCHES "^example_(.*)_loops$") # the plain loop: the bits of the source as it stands, and of the program by hand or by OpenMP
      set(name ${CMAKE_MATCH_1})
      set(same "$<TARGET_FILE:plain_${name}>")
      foreach(other example_${name} ${name}_openmp)
        if(TARGET ${other})
          string(APPEND same "|$<TARGET_FILE:${other}>")
        endif()
      endforeach()
      foreach(threads serial ${counts})
        add_test(NAME ${program}.bits.${threads} COMMAND "${CMAKE_COMMAND}"
          "-DPROGRAMS=${same}|$<TARGET_FILE:${program}>" "-DEMULATOR=${emulator}" -P "${CMAKE_CURRENT_LIST_DIR}/same_bits.cmake")
        set(environment PORTABLE_NUM_THREADS=${threads})
        if(threads STREQUAL serial)
          set(environment PORTABLE_DEVICE=serial)
        endif()
        set_tests_properties(${program}.bits.${threads} PROPERTIES ENVIRONMENT ${environment})
      endforeach()
      get_target_property(long ${program} portable_long) # the argument of a run that takes minutes
      if(long)
        add_test(NAME ${program}.long COMMAND ${program} ${long})
        set_tests_properties(${program}.long PROPERTIES LABELS long TIMEOUT 3000)
      endif()
      if(TARGET ${name}_bits) # with BITS: other bits than the plain program, the same everywhere
        set(file $<TARGET_FILE:${name}_bits>)
        add_test(NAME ${name}_bits.threads COMMAND "${CMAKE_COMMAND}"
          "-DPROGRAMS=PORTABLE_DEVICE=serial@${file}|PORTABLE_NUM_THREADS=2@${file}|PORTABLE_NUM_THREADS=5@${file}"
          "-DEMULATOR=${emulator}" -P "${CMAKE_CURRENT_LIST_DIR}/same_bits.cmake")
      endif()
      continue()
    endif()
    if(program MATCHES "_arrays$")
      set(counts 1 3)
    else()
      add_test(NAME ${program}.serial COMMAND ${program})
      set_tests_properties(${program}.serial PROPERTIES ENVIRONMENT PORTABLE_DEVICE=serial)
    endif()
    foreach(threads ${counts})
      add_test(NAME ${program}.threads${threads} COMMAND ${program})
      set_tests_properties(${program}.threads${threads} PROPERTIES ENVIRONMENT PORTABLE_NUM_THREADS=${threads})
    endforeach()
  endforeach()
endforeach()
