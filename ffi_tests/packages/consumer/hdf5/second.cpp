// One rank, which needs no launcher, writes a restart file and reads it by the classes of C++.
#include <portable_hdf5.hpp>

#include <cstdio>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  portable_init(nullptr);
  double h[7] = {1, 2, 3, 4, 5, 6, 7};
  {
    const std::int64_t extent = 7;
    portable_array array;
    portable_array_wrap("h", PORTABLE_KIND_REAL64, 0, h, 1, &extent, nullptr, nullptr, &array);
    portable::Halo ghosts = portable::Halo::box("ghosts", MPI_COMM_SELF, {5});
    portable::Fields state;
    state.add("h", array);
    portable::restart_write(MPI_COMM_SELF, "consumer_cxx.h5", state, ghosts, {2.5, 7, {1, 2}});
    h[1] = h[5] = 0;
    const portable::RestartNumbers n = portable::restart_read(MPI_COMM_SELF, "consumer_cxx.h5", state, ghosts, 2);
    if (n.time == 2.5 && n.step == 7 && n.values[1] == 2 && h[1] == 2 && h[5] == 6) std::puts("second works");
  }
  portable_finalize();
  MPI_Finalize();
}
