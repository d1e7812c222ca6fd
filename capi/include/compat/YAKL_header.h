// YAKL_header.h - the headers that YAKL.h has always brought, because programs rely on them. Part of YAKL.h; include that.
//
// The C headers bring abs() of all arithmetic types into the global namespace; with <cstdlib> alone it may be that of int.
#ifndef YAKL_HEADER_H
#define YAKL_HEADER_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <limits>
#include <list>
#include <memory>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <unordered_map>
#include <vector>

#ifdef HAVE_MPI
#include <mpi.h>
#endif
#if defined(YAKL_ARCH_OPENMP) && defined(__has_include)
#if __has_include(<omp.h>)
#include <omp.h>
#endif
#endif

#endif
