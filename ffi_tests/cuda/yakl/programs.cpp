// programs.cpp - the programs of ffi_tests/yakl, yakl_*.cpp of ffi_tests/arrays, reductions.cpp and vectors.cpp in one, so that the headers are compiled once: the first argument says
// which one runs. Compiled as nvcc does it (internal/cudasim/nvcc.h), and by nvcc where there is one (../nvcc).
#include "YAKL.h"
#include "YAKL_fft.h"
#include "YAKL_pentadiagonal.h"
#include "YAKL_tridiagonal.h"

#include <portable_particles.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../yakl/expect.h"
#include "../../yakl/over_yakl.h"

namespace in_device {
#define main program
#include "../../yakl/device.cpp"
#undef main
} // namespace in_device

namespace in_physics {
#define main program
#include "../../yakl/physics.cpp"
#undef main
} // namespace in_physics

namespace in_pool {
#define main program
#include "../../yakl/pool.cpp"
#undef main
} // namespace in_pool

namespace in_transfers {
#define main program
#include "../../yakl/transfers.cpp"
#undef main
} // namespace in_transfers

namespace in_reductions {
#define main program
#include "reductions.cpp"
#undef main
} // namespace in_reductions

namespace in_vectors {
#define main program
#include "vectors.cpp"
#undef main
} // namespace in_vectors

#ifndef YAKL_FEW_PROGRAMS
namespace in_bounds {
#define main program
#include "../../yakl/bounds.cpp"
#undef main
} // namespace in_bounds

namespace in_increments {
#define main program
#include "../../yakl/increments.cpp"
#undef main
} // namespace in_increments

namespace in_interchange {
#define main program
#include "../../yakl/interchange.cpp"
#undef main
} // namespace in_interchange

namespace in_members {
#define main program
#include "../../yakl/members.cpp"
#undef main
} // namespace in_members

namespace in_output {
#define main program
#include "../../yakl/output.cpp"
#undef main
} // namespace in_output

namespace in_packs {
#define main program
#include "../../yakl/packs.cpp"
#undef main
} // namespace in_packs

namespace in_timers {
#define main program
#include "../../yakl/timers.cpp"
#undef main
} // namespace in_timers

namespace in_wrapper {
#define main program
#include "../../yakl/wrapper.cpp"
#undef main
} // namespace in_wrapper

namespace in_rules {
#define main program
#include "../../arrays/yakl_rules.cpp"
#undef main
} // namespace in_rules

namespace in_style {
#define main program
#include "../../arrays/yakl_style.cpp"
#undef main
} // namespace in_style
#endif

int main(int argc, char **argv) {
  const char *const name = argc > 1 ? argv[1] : "";
  if (std::strcmp(name, "device") == 0) return in_device::program();
  if (std::strcmp(name, "physics") == 0) return in_physics::program();
  if (std::strcmp(name, "pool") == 0) return in_pool::program();
  if (std::strcmp(name, "transfers") == 0) return in_transfers::program();
  if (std::strcmp(name, "reductions") == 0) return in_reductions::program();
  if (std::strcmp(name, "vectors") == 0) return in_vectors::program();
#ifndef YAKL_FEW_PROGRAMS
  if (std::strcmp(name, "bounds") == 0) return in_bounds::program();
  if (std::strcmp(name, "increments") == 0) return in_increments::program();
  if (std::strcmp(name, "interchange") == 0) return in_interchange::program();
  if (std::strcmp(name, "members") == 0) return in_members::program();
  if (std::strcmp(name, "output") == 0) return in_output::program();
  if (std::strcmp(name, "packs") == 0) return in_packs::program();
  if (std::strcmp(name, "timers") == 0) return in_timers::program();
  if (std::strcmp(name, "wrapper") == 0) return in_wrapper::program();
  if (std::strcmp(name, "style") == 0) return in_style::program();
  if (std::strcmp(name, "rules") == 0) return in_rules::program(argc - 1, argv + 1);
#endif
  std::fprintf(stderr, "programs.cpp: there is no program '%s'\n", name);
  return 2;
}
