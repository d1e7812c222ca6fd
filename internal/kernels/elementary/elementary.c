/* elementary.c - the functions of portable_math.h for hosts, from the source that devices compile. The build compiles this file with flags of
 * its own (cmake/build_archive.cmake): no product is joined with a sum. It is an object of its own in the archive, so that a program without
 * these functions is no larger. Not in this file: the functions (capi/include/kernel/portable_math_*.h).  Threads: any.
 */
#define PORTABLE__MATH_UNFUSED 1
#include "../../../capi/include/kernel/portable_math.h"

#include "../../../capi/include/kernel/portable_math_functions.h"
