// YAKL_defines.h - macros, types of indices and constants of YAKL's HEAD. Part of compat/head/YAKL.h; include that.
//
// In this file: what macros of the build say as constants, the width of indices, labels of source lines. Not in this file: what those macros do when the
// library starts (YAKL_init.h).
#ifndef PORTABLE_YAKL_HEAD_DEFINES
#define PORTABLE_YAKL_HEAD_DEFINES

#ifndef PORTABLE_YAKL_HEAD
#error "include YAKL.h, which includes this"
#endif

#include <concepts>
#include <utility>

#if defined(YAKL_AUTO_PROFILE) && !defined(YAKL_PROFILE)
#define YAKL_PROFILE
#endif
#ifndef YAKL_INDEX_BITS
#define YAKL_INDEX_BITS 64
#endif

#define YAKL_SCOPE(a, b) PORTABLE_SCOPE(a, b)
#define YAKL_AUTO_LABEL() (std::string(PORTABLE_AUTO_LABEL()))

// For the headers of the folder above that this one has, too.
#define YAKL_INLINE KOKKOS_INLINE_FUNCTION
#define __YAKL_NAMESPACE_WRAPPER_BEGIN__
#define __YAKL_NAMESPACE_WRAPPER_END__

namespace yakl {

inline constexpr int index_bits = YAKL_INDEX_BITS;
static_assert(index_bits == 32 || index_bits == 64, "YAKL_INDEX_BITS is 32 or 64");
using index_t = std::conditional_t<index_bits == 32, std::int32_t, std::int64_t>;
using uindex_t = std::conditional_t<index_bits == 32, std::uint32_t, std::uint64_t>;

#ifdef YAKL_PROFILE
inline constexpr bool yakl_profile = true;
#else
inline constexpr bool yakl_profile = false;
#endif
#ifdef YAKL_AUTO_PROFILE
inline constexpr bool yakl_auto_profile = true;
#else
inline constexpr bool yakl_auto_profile = false;
#endif
#ifdef YAKL_AUTO_FENCE
inline constexpr bool yakl_auto_fence = true;
#else
inline constexpr bool yakl_auto_fence = false;
#endif
#ifdef KOKKOS_ENABLE_DEBUG
inline constexpr bool kokkos_debug = true;
#else
inline constexpr bool kokkos_debug = false;
#endif
#ifdef KOKKOS_ENABLE_DEBUG_BOUNDS_CHECK
inline constexpr bool kokkos_bounds_debug = true;
#else
inline constexpr bool kokkos_bounds_debug = false;
#endif
#ifdef HAVE_MPI
inline constexpr bool have_mpi = true;
#else
inline constexpr bool have_mpi = false;
#endif

// The part of a path behind its last slash.
inline std::string my_basename(const std::string &path) { return path.substr(path.find_last_of("/\\") + 1); }

// Rank 0, or no rank: the launcher of MPI says the rank, so a communicator of the program's is not asked.
inline bool yakl_mainproc() { return portable::main_process(); }
template <class Communicator> bool yakl_mainproc(const Communicator &) { return portable::main_process(); }

// The styles of bounds.
struct CStyle {
  static constexpr bool is_cstyle = true;
};
struct FStyle {
  static constexpr bool is_fstyle = true;
};
template <class Type> inline constexpr bool is_CStyle = requires { requires Type::is_cstyle; };
template <class Type> inline constexpr bool is_FStyle = requires { requires Type::is_fstyle; };

} // namespace yakl

#endif
