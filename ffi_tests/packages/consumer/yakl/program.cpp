// A user's program for YAKL: says which macros it was compiled with. In this file: nothing that a user would not write.
#include "dynamics.h"

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

int main() {
  std::string built = TEXT(MODEL_FLAG);
#ifdef YAKL_ARCH_OPENMP
  built += " YAKL_ARCH_OPENMP";
#endif
#ifdef YAKL_DEBUG
  built += " YAKL_DEBUG";
#endif
#ifdef YAKL_PROFILE
  built += " YAKL_PROFILE";
#endif
#ifdef HAVE_MPI
  built += MPI_SUCCESS == 0 ? " HAVE_MPI" : " wrong mpi.h";
#endif
#ifdef YAKL_NAMESPACE_WRAPPER_LABEL
  built += " " TEXT(YAKL_NAMESPACE_WRAPPER_LABEL);
#endif
  yakl::init();
  {
    auto field = make_field(3, 4);
    if (yakl::intrinsics::sum(field) != 4 * 30 + 3 * 6 || field.dimension[1] != 4) yakl::yakl_throw("wrong sum");
  }
  yakl::finalize();
  std::cout << "program works: " << built << std::endl;
}
