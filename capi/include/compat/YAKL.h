// YAKL.h - the names of YAKL version 1 for programs that are to stay as they are: they compile against this folder, with C++17.
//
// In this file: the parts of the namespace yakl, in their order, and names that are the library's own. Not in this file: what of YAKL there is not,
// and what is different, with the reasons; the table of all names (docs/cxx/yakl-compat.md).
//
// YAKL_DEBUG has indices checked in the files that are compiled with it; other macros of YAKL's build: YAKL_init.h.
#ifndef YAKL_H
#define YAKL_H

#if defined(YAKL_DEBUG) && !defined(PORTABLE_RUNTIME_CHECKS)
#define PORTABLE_RUNTIME_CHECKS
#endif

#include <portable.hpp>

#include "ArrayIR.h"
#include "YAKL_header.h"
#include "YAKL_defines.h"

__YAKL_NAMESPACE_WRAPPER_BEGIN__
namespace yakl {

using std::cos;
using std::max;
using std::min;
using std::pow;
using std::sin;
using portable::abs; // of unsigned integers, too
using std::abs;

using portable::fence;

using portable::atomicAdd;
using portable::atomicMax;
using portable::atomicMin;
using portable::ParallelMax;
using portable::ParallelMin;
using portable::ParallelProd;
using portable::ParallelSum;
using portable::ScalarLiveOut;

} // namespace yakl
__YAKL_NAMESPACE_WRAPPER_END__

#include "YAKL_streams_events.h"
#include "YAKL_init.h"
#include "YAKL_Gator.h"
#include "YAKL_timers.h"
#include "YAKL_parallel_for.h"
#include "YAKL_SArray.h"
#include "YAKL_Array.h"
#include "YAKL_mem_transfers.h"
#include "YAKL_random.h"
#include "YAKL_simd.h"
#include "YAKL_componentwise.h"
#include "YAKL_intrinsics.h"

#endif
