// portable_random_fill.hpp - arrays of random numbers for C++. Part of portable.hpp; include that.
//
// In this file: portable_random_fill with the kind taken from the type, and exceptions. Rules, shapes, ownership, threads: portable_random_fill.h.
#ifndef PORTABLE_RANDOM_FILL_HPP
#define PORTABLE_RANDOM_FILL_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

namespace portable {

struct RandomKey; // of portable_random.hpp

namespace detail {
template <class Key, class T>
void random_fill(const char *label, const Key &key, T *data, std::int32_t rank, const std::int64_t *extents, const portable_random_options *options) {
  static_assert(std::is_same<T, float>::value || std::is_same<T, double>::value, "random numbers are float or double");
  static_assert(std::is_same<Key, RandomKey>::value, "the key is a RandomKey");
  check(portable_random_fill(label, kind_of<T>(), key.key, data, rank, extents, options));
}
} // namespace detail

// Element n, counted from 0 with the indices in their order, gets the number of cell options->first + n; the options also have draw, distribution,
// strides, stream. Include portable_random.hpp for the key.  Errors: Error as of portable_random_fill.  Since: 0.1
template <class Key, class T>
void random_fill(const char *label, const Key &key, T *data, std::int32_t rank, const std::int64_t *extents, const portable_random_options *options = nullptr) {
  detail::random_fill(label, key, data, rank, extents, options);
}

// The same of `count` contiguous elements, which get the numbers of the cells from `first` on.
template <class Key, class T> void random_fill(const char *label, const Key &key, std::int64_t first, T *data, std::int64_t count) {
  portable_random_options o = PORTABLE_RANDOM_OPTIONS_INIT;
  o.first = first;
  detail::random_fill(label, key, data, 1, &count, &o);
}

} // namespace portable

#endif
