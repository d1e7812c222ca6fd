// A library of a user's program for YAKL. In this file: nothing that a user would not write.
#include "dynamics.h"

real2d make_field(int ny, int nx) {
  real2d field("field", ny, nx);
  yakl::c::parallel_for("make field", yakl::c::Bounds<2>(ny, nx), YAKL_LAMBDA(int j, int i) { field(j, i) = j * 10 + i; });
  return field;
}
