#!/bin/bash
# standards.sh HEADER WORK [quick]: HEADER, and the C++ header of the same name, alone, as the only line of a source file, under each C and C++ standard,
# with all warnings as errors, by each compiler found. quick: the oldest and the newest standard, and of the C++ header what the build, by g++ and C++17,
# does not show.
# Not in this file: a program that runs.
set -eu
header=$1 work=$2 quick=${3:-}
mkdir -p "$work"
# Twice, as a user's own headers may; and the macros, which are text until used.
printf '#include "%s"\n#include "%s"\nint portable__use(void);\nint portable__use(void) {\n  portable_config a = PORTABLE_CONFIG_INIT;\n  portable_pool_config b = PORTABLE_POOL_CONFIG_INIT;\n  portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;\n  return (int)(a.struct_size + b.struct_size + c.struct_size);\n}\n' \
  "$header" "$header" >"$work/alone.c"
cp "$work/alone.c" "$work/alone.cpp"

tried=0 failed=0
try() { # try COMPILER STANDARD SOURCE...
  local compiler=$1 standard=$2 source
  shift 2
  for source; do
    tried=$((tried + 1))
    if ! "$compiler" "-std=$standard" -Wall -Wextra -Wpedantic -Wundef -Werror -fsyntax-only "$work/$source"; then
      echo "FAILED: $compiler -std=$standard $source"; failed=$((failed + 1))
    fi
  done
}
standards_of_c="c99 c11 c17 c2x" standards_of_cxx="c++98 c++11 c++14 c++17 c++20"
[ -z "$quick" ] || { standards_of_c="c99 c2x"; standards_of_cxx=c++98; }
for compiler in gcc gcc-11 clang clang-16; do
  command -v "$compiler" >/dev/null || { echo "no $compiler here"; continue; }
  for standard in $standards_of_c; do try "$compiler" "$standard" alone.c; done
done
for compiler in g++ g++-11 clang++ clang++-16; do
  command -v "$compiler" >/dev/null || { echo "no $compiler here"; continue; }
  for standard in $standards_of_cxx; do try "$compiler" "$standard" alone.cpp; done
  # c++23 under the name that this compiler knows.
  if echo | "$compiler" -std=c++23 -x c++ -fsyntax-only - 2>/dev/null; then try "$compiler" c++23 alone.cpp
  else try "$compiler" c++2b alone.cpp; fi
done

# The C++ header, and every template in it that the programs of launches, atomics, hierarchy and arrays make use of.
cxx="${header%.h}.hpp" tests="$(dirname "$0")/../.."
printf '#include "%s"\n#include "%s"\n' "$cxx" "$cxx" >"$work/alone_cxx.cpp"
for compiler in g++ g++-11 clang++ clang++-16; do
  command -v "$compiler" >/dev/null || continue
  for standard in c++17 c++20 c++2b; do
    case $quick$compiler:$standard in quickg++:c++20 | quickclang++:c++2b) ;; quick*) continue ;; esac
    for source in "$work/alone_cxx.cpp" "$tests"/launch/lambdas.cpp "$tests"/atomics/templates.cpp "$tests"/kernels/handlers.cpp \
      "$tests"/arrays/arrays.cpp "$tests"/records/nested.cpp; do
      # Structures as they are initialised in C++17 are in the build already.
      case $source:$standard in *nested.cpp:c++20) ;; *nested.cpp:*) continue ;; esac
      # The newest standard and the other compiler together find what either finds; arrays.cpp takes longest.
      case $quick$compiler:$source in quickclang++:*/arrays.cpp | quickg++:*/launch/* | quickg++:*/atomics/* | quickg++:*/kernels/* | quickg++:*/arrays/*) continue ;; esac
      tried=$((tried + 1))
      "$compiler" "-std=$standard" -Wall -Wextra -Wpedantic -Wundef -Wconversion -Wsign-conversion -Wshadow -Werror \
        -fsyntax-only -I"$(dirname "$header")" -I"$tests/support" "$source" ||
        { echo "FAILED: $compiler -std=$standard $source"; failed=$((failed + 1)); }
    done
  done
done
echo "$tried compilations, $failed failed"
[ "$tried" -gt 0 ] && [ "$failed" = 0 ]
