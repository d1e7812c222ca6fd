// dynamics.h - a field of the model's. In this file: nothing that a user would not write.
#pragma once
#include "YAKL.h"

typedef yakl::Array<double, 2, yakl::memDevice, yakl::styleC> real2d;
real2d make_field(int ny, int nx);
