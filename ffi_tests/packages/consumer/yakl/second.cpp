// A user's program for YAKL in C++ and Fortran: Fortran's pointer and C++'s array are of one pool. In this file: nothing that a user would not write.
#include "dynamics.h"

extern "C" double fortran_sum(double const *values, int n);

int main() {
  yakl::init();
  double sum = 0;
  {
    auto field = make_field(2, 5);
    sum = fortran_sum(field.data(), static_cast<int>(field.totElems()));
  }
  yakl::finalize();
  std::cout << (sum == 70 ? "second works" : "wrong sum") << std::endl;
}
