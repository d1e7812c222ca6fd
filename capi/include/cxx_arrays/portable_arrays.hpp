// portable_arrays.hpp - all of arrays in C++, in their order. Part of portable.hpp; include that.
//
// In this file: nothing but what belongs to arrays. docs/cxx/arrays-cpp.md tells how they are used.
#ifndef PORTABLE_ARRAYS_HPP
#define PORTABLE_ARRAYS_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

#include "portable_macros.hpp"
#include "portable_array_bounds.hpp"
#include "portable_static_array.hpp"
#include "portable_array.hpp"
#include "portable_array_views.hpp"
#include "portable_strided_array.hpp"
#include "portable_array_copy.hpp"
#include "portable_intrinsics.hpp"
#include "portable_matrix.hpp"
#include "portable_array_columns.hpp"
#include "portable_array_operators.hpp"
#include "portable_array_convert.hpp"
#include "portable_memory.hpp"
#include "portable_device_side.hpp"
#include "portable_strided_contents.hpp"
#include "portable_twin.hpp"
#include "portable_record.hpp"
#include "portable_kernel.hpp"
#include "portable_kernel_views.hpp"
#include "portable_nested.hpp"
#include "portable_device_vector.hpp"
#include "portable_managed.hpp"
#include "portable_devices.hpp"
#include "portable_init.hpp"

#endif
