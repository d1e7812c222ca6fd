// checks.cpp - kernels on a device that fail, in a file that is compiled with YAKL_DEBUG: an index out of bounds of an array and of a small array, and yakl_throw.
// The argument says which one; the line that the kernel prints is the test's. Not in this file: checks on the host (../../arrays).
#include "YAKL.h"

int main(int argc, char **argv) {
  std::string const which = argc > 1 ? argv[1] : "";
  int const length = static_cast<int>(which.size());
  int const n = 100;
  bool failed = false;
  yakl::init();
  try {
    yakl::Array<double, 2, yakl::memDevice, yakl::styleFortran> a("a", {0, 4}, n);
    yakl::fortran::parallel_for("right", yakl::fortran::Bounds<2>(n, {0, 4}), YAKL_LAMBDA(int j, int i) { a(i, j) = 1; });
    yakl::fence();
    yakl::fortran::parallel_for("wrong", n, YAKL_LAMBDA(int j) {
      yakl::SArray<int, 1, 3> s(0);
      if (length == 5 && j == 20) a(5, j) = 1;
      if (length == 6 && j == 20) s(3) = 1;
      if (length == 4 && j == 20) yakl::yakl_throw("a kernel's text");
      a(0, j) = s(0);
    });
    yakl::fence();
  } catch (std::exception const &e) {
    failed = true;
    std::printf("%s\n", e.what());
  }
  std::fflush(stdout);
  std::_Exit(failed ? 0 : 1); // the device is lost to this program
}
