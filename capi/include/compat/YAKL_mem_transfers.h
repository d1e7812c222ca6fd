// YAKL_mem_transfers.h - copies of memory by address, and fills of arrays. Part of YAKL.h; include that.
//
// In this file: memcpy_..., memset. Those with a stream are put into it, in order, and are done when the stream has passed them; in the default stream
// they are done when they return. Addresses that only a device reaches are copied by the library.
// Not in this file: copies of arrays, which are their deep_copy_to and createHostCopy.
// Errors: portable::Error, as portable_array_copy.  Source: YAKL's memcpy_..., memset.
#ifndef YAKL_MEM_TRANSFERS_H
#define YAKL_MEM_TRANSFERS_H

#ifndef YAKL_H
#error "include YAKL.h, which includes this"
#endif

__YAKL_NAMESPACE_WRAPPER_BEGIN__
namespace yakl {

namespace internal {

template <class T1, class T2> using IfSame = std::enable_if_t<std::is_same<std::remove_cv_t<T1>, std::remove_cv_t<T2>>::value, int>;

inline void copy_bytes(void *to, const void *from, std::size_t bytes, const Stream &stream) {
  if (bytes == 0) return;
  const auto source = portable::detail::line_of("memcpy", static_cast<const char *>(from), static_cast<portable::index_t>(bytes));
  const auto target = portable::detail::line_of("memcpy", static_cast<const char *>(to), static_cast<portable::index_t>(bytes));
  if (stream.is_default_stream()) return portable::check(portable_array_copy(&source, &target, nullptr));
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  config.stream = stream.c_stream();
  portable::check(portable_array_copy(&source, &target, &config));
}

} // namespace internal

// elems elements, or bytes; the two do not overlap.
template <class T1, class T2, internal::IfSame<T1, T2> = 0> void memcpy_host_to_host(T1 *to, T2 *from, index_t elems) {
  std::copy(from, from + elems, to);
}
inline void memcpy_host_to_host_void(void *to, const void *from, std::size_t bytes) {
  if (bytes > 0) std::memcpy(to, from, bytes);
}
template <class T1, class T2, internal::IfSame<T1, T2> = 0> void memcpy_device_to_host(T1 *to, T2 *from, index_t elems, const Stream &stream = Stream()) {
  internal::copy_bytes(to, from, elems * sizeof(T1), stream);
}
template <class T1, class T2, internal::IfSame<T1, T2> = 0> void memcpy_host_to_device(T1 *to, T2 *from, index_t elems, const Stream &stream = Stream()) {
  internal::copy_bytes(to, from, elems * sizeof(T1), stream);
}
template <class T1, class T2, internal::IfSame<T1, T2> = 0> void memcpy_device_to_device(T1 *to, T2 *from, index_t elems, const Stream &stream = Stream()) {
  internal::copy_bytes(to, from, elems * sizeof(T1), stream);
}
inline void memcpy_device_to_device_void(void *to, const void *from, std::size_t bytes, const Stream &stream = Stream()) {
  internal::copy_bytes(to, from, bytes, stream);
}

// Sets all elements; with a stream, when that is empty.
using portable::memset;
template <class A, class S, portable::detail::IfArray<A> = 0> void memset(const A &array, const S &value, const Stream &stream) {
  stream.fence();
  memset(array, value);
}

} // namespace yakl
__YAKL_NAMESPACE_WRAPPER_END__

#endif
