// portable_scan.hpp - scans and filters for C++. Part of portable.hpp; include that.
//
// In this file: pointers and vectors of contiguous elements. Not in this file: strides, dimensions (portable_scan.h, portable_filter.h, whose
// rules hold here too).
#ifndef PORTABLE_SCAN_HPP
#define PORTABLE_SCAN_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

#include <vector>

namespace portable {

// Operations of a scan.  Since: 0.1
enum class Scan { sum = PORTABLE_REDUCE_SUM, product = PORTABLE_REDUCE_PRODUCT, min = PORTABLE_REDUCE_MIN, max = PORTABLE_REDUCE_MAX };

namespace detail {

template <class T>
void scan(const char *label, Scan op, const T *data, std::int64_t count, T *out, std::uint32_t flags, const T *initial, const LaunchConfig &config) {
  static_assert(!std::is_same<T, bool>::value && std::is_arithmetic<T>::value && std::is_signed<T>::value, "signed integers, float and double");
  portable_scan_options o = PORTABLE_SCAN_OPTIONS_INIT;
  o.flags = flags;
  o.initial = initial;
  o.launch = &config.c_config();
  check(portable_scan(label, static_cast<std::int32_t>(op), kind_of<T>(), data, 1, &count, &o, out));
}

// The kind of a mask: bool, or an integer of any size.
template <class M> constexpr std::int32_t mask_kind() {
  static_assert(std::is_integral<M>::value, "a mask is of bool or of integers");
  return sizeof(M) == 1 ? PORTABLE_KIND_LOGICAL8 : sizeof(M) == 2 ? PORTABLE_KIND_LOGICAL16 : sizeof(M) == 4 ? PORTABLE_KIND_LOGICAL32 : PORTABLE_KIND_LOGICAL64;
}

template <class Index> constexpr std::int32_t index_kind() {
  static_assert(std::is_integral<Index>::value && std::is_signed<Index>::value && sizeof(Index) >= 4, "an index is a signed integer of 32 or 64 bits");
  return sizeof(Index) == 4 ? PORTABLE_KIND_INT32 : PORTABLE_KIND_INT64;
}

inline portable_filter_options filter_options(const LaunchConfig &config) {
  portable_filter_options o = PORTABLE_FILTER_OPTIONS_INIT;
  o.launch = &config.c_config();
  return o;
}

template <class Index, class F> void run_filter(const portable_tile *t, void *args, unsigned char *chosen) {
  auto &launch = *static_cast<Launch<F> *>(args);
  try {
    const std::int64_t steps = steps_of(*t, 0);
    ask_for_checks();
    for (std::int64_t k = 0; k <= steps; k++) chosen[k] = (*launch.kernel)(static_cast<Index>(after(*t, 0, k))) ? 1 : 0;
  } catch (...) {
    if (!launch.thrown.exchange(true)) launch.exception = std::current_exception();
    portable_kernel_fail(t, 1, "the kernel has thrown an exception");
  }
}

} // namespace detail

// out[i] = data[0] op ... op data[i]; data and out have `count` elements, and may be the same.
// Errors: Error as of portable_scan.  Source: std::inclusive_scan.  Since: 0.1
template <class T>
void inclusive_scan(const char *label, const T *data, std::int64_t count, T *out, Scan op = Scan::sum, const LaunchConfig &config = LaunchConfig()) {
  detail::scan<T>(label, op, data, count, out, 0, nullptr, config);
}

// out[i] = initial op data[0] op ... op data[i-1].
template <class T>
void exclusive_scan(const char *label, const T *data, std::int64_t count, T *out, T initial, Scan op = Scan::sum,
                    const LaunchConfig &config = LaunchConfig()) {
  detail::scan<T>(label, op, data, count, out, PORTABLE_SCAN_EXCLUSIVE, &initial, config);
}

// Copies the elements whose mask is true to out[0..room-1], and gives how many there are. T is trivially copyable, M bool or an integer.
// Errors: Error as of portable_pack: ERR_OVERFLOW where there is too little room.  Since: 0.1
template <class T, class M>
std::int64_t pack(const char *label, const T *data, const M *mask, std::int64_t count, T *out, std::int64_t room,
                  const LaunchConfig &config = LaunchConfig()) {
  static_assert(std::is_trivially_copyable<T>::value, "elements are copied byte by byte");
  const portable_filter_options o = detail::filter_options(config);
  std::int64_t n = 0;
  check(portable_pack(label, static_cast<std::int64_t>(sizeof(T)), data, 1, &count, detail::mask_kind<M>(), mask, &o, out, room, &n));
  return n;
}

// The way back: elements whose mask is true become packed[0], packed[1], ...; gives how many there are. Errors: as of portable_unpack.
template <class T, class M>
std::int64_t unpack(const char *label, const T *packed, std::int64_t packed_count, const M *mask, std::int64_t count, T *data,
                    const LaunchConfig &config = LaunchConfig()) {
  static_assert(std::is_trivially_copyable<T>::value, "elements are copied byte by byte");
  const portable_filter_options o = detail::filter_options(config);
  std::int64_t n = 0;
  check(portable_unpack(label, static_cast<std::int64_t>(sizeof(T)), packed, packed_count, 1, &count, detail::mask_kind<M>(), mask, &o, data, &n));
  return n;
}

// Writes the numbers of the true elements of a mask, the first one's being `lower`, to indices[0..room-1]; gives how many there are.
// Errors: as of portable_filter_indices.  Since: 0.1
template <class M, class Index>
std::int64_t active_indices(const char *label, const M *mask, std::int64_t count, Index *indices, std::int64_t room, std::int64_t lower = 0,
                            const LaunchConfig &config = LaunchConfig()) {
  const portable_filter_options o = detail::filter_options(config);
  std::int64_t n = 0;
  check(portable_filter_indices(label, 1, &count, detail::mask_kind<M>(), mask, &o, lower, detail::index_kind<Index>(), indices, room, &n));
  return n;
}

// Writes the indices of the bounds for which predicate(i) is true, in their order, to indices[0..room-1]; gives how many there are.
// Errors: as of portable_parallel_filter; whatever the predicate throws.  Since: 0.1
template <int first, Order order, class Index, class F>
std::int64_t parallel_filter(const char *label, const BasicBounds<1, first, order, Index> &bounds, const F &predicate, Index *indices,
                             std::int64_t room, const LaunchConfig &config = LaunchConfig()) {
  static_assert(std::is_invocable_r<bool, const F &, Index>::value, "the predicate takes an index, gives a bool, and is const");
  const portable_bounds b = bounds.c_bounds();
  portable_launch_config c = config.c_config();
  c.strided = 1;
  detail::Launch<F> launch;
  launch.kernel = &predicate;
  std::int64_t n = 0;
  const portable_status status =
      portable_parallel_filter(label, &b, detail::run_filter<Index, F>, &launch, 0, detail::index_kind<Index>(), indices, room, &n, &c);
  if (launch.exception) std::rethrow_exception(launch.exception);
  check(status);
  return n;
}

// The list as a vector.
template <int first, Order order, class Index, class F>
std::vector<Index> parallel_filter(const char *label, const BasicBounds<1, first, order, Index> &bounds, const F &predicate,
                                   const LaunchConfig &config = LaunchConfig()) {
  std::vector<Index> list(static_cast<std::size_t>(bounds.count()));
  list.resize(static_cast<std::size_t>(
      parallel_filter(label, bounds, predicate, list.data(), static_cast<std::int64_t>(list.size()), config)));
  return list;
}

// Vectors; the result has the size that it needs. A std::vector<bool> is no mask: it has no bools in memory.
template <class T>
std::vector<T> inclusive_scan(const char *label, const std::vector<T> &data, Scan op = Scan::sum, const LaunchConfig &config = LaunchConfig()) {
  std::vector<T> out(data.size());
  inclusive_scan(label, data.data(), static_cast<std::int64_t>(data.size()), out.data(), op, config);
  return out;
}
template <class T>
std::vector<T> exclusive_scan(const char *label, const std::vector<T> &data, T initial, Scan op = Scan::sum,
                              const LaunchConfig &config = LaunchConfig()) {
  std::vector<T> out(data.size());
  exclusive_scan(label, data.data(), static_cast<std::int64_t>(data.size()), out.data(), initial, op, config);
  return out;
}

namespace c {
using portable::parallel_filter;
}
namespace fortran {
using portable::parallel_filter;
}

} // namespace portable

#endif
