// head.cpp - a program of YAKL's HEAD as nvcc compiles it: printf and abort of Kokkos in kernels on the simulated device.
// Not in this file: HEAD's names on the host (../../yakl/head).
#include "YAKL.h"

int main() {
  Kokkos::initialize();
  yakl::init();
  yakl::parallel_for("says", 3, KOKKOS_LAMBDA(int i) {
    if (i == 2) Kokkos::printf("kernel %d of %d\n", i, 3);
  });
  Kokkos::fence();
  try {
    yakl::parallel_for("wrong", 3, KOKKOS_LAMBDA(int i) {
      if (i == 1) Kokkos::abort("a kernel's text");
    });
    Kokkos::fence();
  } catch (std::exception const &e) {
    std::printf("%s\n", e.what());
  }
}
