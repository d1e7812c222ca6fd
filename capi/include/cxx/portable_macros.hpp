// portable_macros.hpp - the macros of YAKL under our prefix. Part of portable.hpp; include that.
//
// In this file: how kernels and the functions that they call are marked, labels made of file and line, where code is compiled for. Not in this
// file: YAKL's own names of them (compat/YAKL.h). PORTABLE_INLINE, for functions that kernels and host code call, is in portable_atomic.h.
//
// Where only a compiler of the host is at work, kernels run there, too: both PORTABLE_CURRENTLY_ON_... are 1, as in YAKL without an accelerator, and
// PORTABLE_SEPARATE_MEMORY_SPACE is not defined. nvcc compiles a kernel for both sides, as in YAKL: in the device's version PORTABLE_CURRENTLY_ON_HOST() is
// 0, in the host's one PORTABLE_CURRENTLY_ON_DEVICE() is, also where the program runs its kernels on the host. PORTABLE_SEPARATE_MEMORY_SPACE is defined,
// because memDevice may be memory that host code does not reach (PORTABLE_MANAGED=0).
#ifndef PORTABLE_MACROS_HPP
#define PORTABLE_MACROS_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

// Begins a kernel, which gets a copy of all that it uses; in a member function, of *this too with PORTABLE_CLASS_LAMBDA. Under nvcc
// --extended-lambda it is compiled for the device, too (portable_nvcc.hpp).
// Source: YAKL's YAKL_LAMBDA, and so on.  Since: 0.1
#if defined(PORTABLE_LAMBDA)
// A stand-in for nvcc has its own.
#elif defined(__CUDACC_EXTENDED_LAMBDA__)
#define PORTABLE_LAMBDA [=] __host__ __device__
#define PORTABLE_DEVICE_LAMBDA [=] __device__
#define PORTABLE_CLASS_LAMBDA [=, *this] __host__ __device__
#else
#define PORTABLE_LAMBDA [=]
#define PORTABLE_DEVICE_LAMBDA [=]
#define PORTABLE_CLASS_LAMBDA [=, *this]
#endif

// A function that only kernels call.  Since: 0.1
#if defined(__CUDACC__)
#define PORTABLE_DEVICE_INLINE __device__ inline
#else
#define PORTABLE_DEVICE_INLINE inline
#endif

// A name of this block for something of a class or namespace, so that a kernel gets a copy of it: PORTABLE_SCOPE(h, this->h);  Since: 0.1
#define PORTABLE_SCOPE(name, what) auto &name = what

// Whether code is compiled for the host, and for where kernels run.  Since: 0.1
// Statements for one side alone.  Since: 0.1
#if defined(__CUDA_ARCH__)
#define PORTABLE_CURRENTLY_ON_HOST() 0
#define PORTABLE_EXECUTE_ON_HOST_ONLY(...)
#else
#define PORTABLE_CURRENTLY_ON_HOST() 1
#define PORTABLE_EXECUTE_ON_HOST_ONLY(...) { __VA_ARGS__ }
#endif
#if defined(__CUDACC__) && !defined(__CUDA_ARCH__)
#define PORTABLE_CURRENTLY_ON_DEVICE() 0
#define PORTABLE_EXECUTE_ON_DEVICE_ONLY(...)
#else
#define PORTABLE_CURRENTLY_ON_DEVICE() 1
#define PORTABLE_EXECUTE_ON_DEVICE_ONLY(...) { __VA_ARGS__ }
#endif

// Defined where host code that means to read memDevice has to copy it before.  Source: YAKL_SEPARATE_MEMORY_SPACE.  Since: 0.1
#if defined(__CUDACC__) && !defined(PORTABLE_SEPARATE_MEMORY_SPACE)
#define PORTABLE_SEPARATE_MEMORY_SPACE
#endif

// A label made of file and line: "model.cpp:42".  Since: 0.1
#define PORTABLE_AUTO_LABEL() (::portable::detail::file_name(__FILE__ ":" PORTABLE__TEXT(__LINE__)))
#define PORTABLE__TEXT(x) PORTABLE__TEXT_OF(x)
#define PORTABLE__TEXT_OF(x) #x

namespace portable {
namespace detail {

// Memory behind the last slash.
constexpr const char *file_name(const char *path) {
  const char *name = path;
  for (const char *p = path; *p; p++)
    if (*p == '/') name = p + 1;
  return name;
}

} // namespace detail
} // namespace portable

#endif
