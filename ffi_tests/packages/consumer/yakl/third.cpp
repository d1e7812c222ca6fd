// A user's program for YAKL that is linked without yakl_process_target. In this file: nothing that a user would not write.
#include "YAKL.h"

int main() {
  yakl::init();
  bool works = false;
  {
    yakl::Array<double, 1, yakl::memDevice, yakl::styleC> a("a", 4);
    a = 2;
    works = yakl::intrinsics::sum(a) == 8 && a.dimension[0] == 4;
  }
  yakl::finalize();
  std::cout << (works ? "third works" : "wrong sum") << std::endl;
}
