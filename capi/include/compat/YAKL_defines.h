// YAKL_defines.h - the macros of YAKL, and its type of indices. Part of YAKL.h; include that.
//
// In this file: macros that mark kernels, those that one macro of the build implies, the namespace around the namespace yakl. Not in this file: what
// macros of the build do when the library starts (YAKL_init.h).
#ifndef YAKL_DEFINES_H
#define YAKL_DEFINES_H

#ifndef YAKL_H
#error "include YAKL.h, which includes this"
#endif

#if defined(YAKL_B4B) && !defined(YAKL_MANAGED_MEMORY)
#define YAKL_MANAGED_MEMORY
#endif
#if defined(YAKL_DEBUG) && !defined(YAKL_AUTO_FENCE)
#define YAKL_AUTO_FENCE
#endif
#if defined(YAKL_AUTO_PROFILE) && !defined(YAKL_PROFILE)
#define YAKL_PROFILE
#endif
#if defined(YAKL_VERBOSE_FILE) && !defined(YAKL_VERBOSE)
#define YAKL_VERBOSE
#endif

#define YAKL_LAMBDA PORTABLE_LAMBDA
#define YAKL_DEVICE_LAMBDA PORTABLE_DEVICE_LAMBDA
#define YAKL_CLASS_LAMBDA PORTABLE_CLASS_LAMBDA
#define YAKL_INLINE PORTABLE__HOST_DEVICE PORTABLE_INLINE
#define YAKL_DEVICE_INLINE PORTABLE_DEVICE_INLINE
#define YAKL_SCOPE(a, b) PORTABLE_SCOPE(a, b)
#define YAKL_AUTO_LABEL() PORTABLE_AUTO_LABEL()
#define YAKL_CURRENTLY_ON_HOST() PORTABLE_CURRENTLY_ON_HOST()
#define YAKL_CURRENTLY_ON_DEVICE() PORTABLE_CURRENTLY_ON_DEVICE()
#define YAKL_EXECUTE_ON_HOST_ONLY(...) PORTABLE_EXECUTE_ON_HOST_ONLY(__VA_ARGS__)
#define YAKL_EXECUTE_ON_DEVICE_ONLY(...) PORTABLE_EXECUTE_ON_DEVICE_ONLY(__VA_ARGS__)
#if defined(PORTABLE_SEPARATE_MEMORY_SPACE) && !defined(YAKL_SEPARATE_MEMORY_SPACE)
#define YAKL_SEPARATE_MEMORY_SPACE
#endif
#ifndef YAKL_DEFAULT_VECTOR_LEN
#define YAKL_DEFAULT_VECTOR_LEN 128
#endif

// Headers over YAKL, its own and those of programs, begin and end with these. With a label the namespace yakl lies in a namespace of that name.
#ifdef YAKL_NAMESPACE_WRAPPER_LABEL
#define __YAKL_NAMESPACE_WRAPPER_BEGIN__ namespace YAKL_NAMESPACE_WRAPPER_LABEL {
#define __YAKL_NAMESPACE_WRAPPER_END__ }
namespace YAKL_NAMESPACE_WRAPPER_LABEL {}
using namespace YAKL_NAMESPACE_WRAPPER_LABEL;
#else
#define __YAKL_NAMESPACE_WRAPPER_BEGIN__
#define __YAKL_NAMESPACE_WRAPPER_END__
#endif

__YAKL_NAMESPACE_WRAPPER_BEGIN__
namespace yakl {

// Extents, and numbers of elements: that of version 1 since September 2023. Before, it was unsigned int.
using index_t = std::size_t;
constexpr index_t INDEX_MAX = std::numeric_limits<index_t>::max();

} // namespace yakl
__YAKL_NAMESPACE_WRAPPER_END__

#endif
