// portable_sort.hpp - sorting of arrays in C++. Part of portable.hpp; include that.
//
// In this file: names with types over portable_sort.h, whose rules hold: the order of reals, stability, scratch memory. Not in this file:
// strides, which portable_sort takes.
#ifndef PORTABLE_SORT_HPP
#define PORTABLE_SORT_HPP

#ifndef PORTABLE_REDUCE_HPP
#error "include portable.hpp, which includes this"
#endif

namespace portable {

// How to sort.  Since: 0.1
enum class Sorting { ascending = 0, descending = PORTABLE_SORT_DESCENDING };

namespace detail {

template <class K> constexpr std::int32_t key_kind() {
  static_assert(kind_of<K>() <= PORTABLE_KIND_REAL64, "keys are signed integers, float or double");
  return kind_of<K>();
}

inline portable_sort_options sort_options(Sorting sorting, const portable_launch_config &launch) {
  portable_sort_options o = PORTABLE_SORT_OPTIONS_INIT;
  o.flags = static_cast<std::uint32_t>(sorting);
  o.launch = &launch;
  return o;
}

} // namespace detail

// Sorts count keys in place: signed integers, float or double.
// Errors: Error with the codes of portable_sort; the keys are then as they were.  Since: 0.1
template <class K>
void sort(const char *label, K *keys, std::int64_t count, Sorting sorting = Sorting::ascending, const LaunchConfig &config = LaunchConfig()) {
  const portable_sort_options o = detail::sort_options(sorting, config.c_config());
  check(portable_sort(label, detail::key_kind<K>(), keys, count, &o));
}

// The same, and moves values along, which are of any type that may be copied byte by byte.  Since: 0.1
template <class K, class V>
void sort_by_key(const char *label, K *keys, V *values, std::int64_t count, Sorting sorting = Sorting::ascending,
                 const LaunchConfig &config = LaunchConfig()) {
  static_assert(std::is_trivially_copyable<V>::value, "values are moved as bytes");
  const portable_sort_options o = detail::sort_options(sorting, config.c_config());
  check(portable_sort_by_key(label, detail::key_kind<K>(), keys, values, sizeof(V), count, &o));
}

// Gives the order of the keys, which stay: keys[indices[0]] comes first. Index is a signed integer of 4 or 8 bytes; indices count
// from 0.  Since: 0.1
template <class K, class Index>
void sort_index(const char *label, const K *keys, std::int64_t count, Index *indices, Sorting sorting = Sorting::ascending,
                const LaunchConfig &config = LaunchConfig()) {
  static_assert(std::is_integral<Index>::value && std::is_signed<Index>::value && sizeof(Index) >= 4, "an index is a signed integer of 4 or 8 bytes");
  const portable_sort_options o = detail::sort_options(sorting, config.c_config());
  check(portable_sort_index(label, detail::key_kind<K>(), keys, count, detail::kind_of<Index>(), 0, &o, indices));
}

} // namespace portable

#endif
