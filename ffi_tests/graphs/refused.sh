#!/bin/bash
# refused.sh CXX FC INCLUDE MODULES WORK: calls of graphs that compilers must refuse, each next to the same one put right. MODULES are
# folders with colons between. FC or CXX may be none. Not in this file: what is refused at run time (refused.c, misuse).
source "$(dirname "$0")/../support/refused.sh"

if [ "$cxx" != none ]; then
  program() {
    printf '#include <portable_graph.hpp>\n#include <string>\nvoid calls(portable::Graph &g, const portable::Stream &s, std::string &text, double &x) {\n  (void)g, (void)s, (void)text, (void)x;\n'
    printf '  %s;\n' "$@"
    echo '}'
  }
  right=('g.update(0, x)' 'g.launch(s)' 'g.record(s, [&] { g.launch(s); })')
  wrong=('g.update(0, text)' 'g.launch(x)' 'g.record(s, 3)')
  compiled_cxx "an argument block is copied byte by byte" "calls.cpp:6:" "calls.cpp:7:"
fi
if [ "$fc" != none ]; then
  program() {
    printf 'subroutine calls(g, s)\n  use, intrinsic :: iso_fortran_env, only: int64\n  use, intrinsic :: iso_c_binding\n  use portable\n  integer(int64), intent(inout) :: g, s\n  real, target :: x(10)\n'
    printf '  call %s\n' "$@"
    printf 'end subroutine\n'
  }
  right=('graph_begin(g, s)' 'graph_update(g, 1, c_loc(x), 40_c_size_t)' 'graph_launch(g, s)')
  wrong=('graph_begin(g, 3)' 'graph_update(g, 1, x, 40_c_size_t)' 'graph_launch(g)')
  compiled calls.f90 "$fc" -fsyntax-only "${modules[@]}"
  for call in "${wrong[@]}"; do grep -q -F "$call" "$work/log" || { cat "$work/log"; fail "no message about: $call"; }; done
fi
[ $failed = 0 ]
