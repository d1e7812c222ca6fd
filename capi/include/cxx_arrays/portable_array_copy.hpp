// portable_array_copy.hpp - fills, deep copies and comparisons of Arrays. Part of portable.hpp; include that.
//
// Small arrays are done by the calling thread, larger ones are a launch of their own, labelled with the array's label. All are done when
// the call returns, but for deep copies into an asynchronous stream, and begin when the default streams of devices that access the
// elements are empty. Elements are taken in the order they lie in; a copy between styleC and styleFortran, or between ranks, moves no
// element to another place.
#ifndef PORTABLE_ARRAY_COPY_HPP
#define PORTABLE_ARRAY_COPY_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

#include <cstring>
#include <functional>

namespace portable {
namespace detail {

constexpr index_t worth_a_launch = 1 << 15; // bytes

// Calls f(begin, end) for parts of 0 to n-1 that together are all of it.
template <class F> void in_parts(const char *label, index_t n, std::size_t element_bytes, const F &f) {
  if (n <= 0) return;
  const bool small = n < worth_a_launch / static_cast<index_t>(element_bytes) && portable_space_of_device(0) < PORTABLE_SPACE_DEVICE(0);
  if (small || !portable_is_initialized()) return f(index_t{0}, n);
  const portable_bounds b = portable_bounds_1(n);
  struct Parts {
    const F *f;
    Launch<F> launch;
  } parts{&f, {}};
  const portable_status status = portable_parallel_for(
      label, &b,
      [](const portable_tile *t, void *args) {
        auto &p = *static_cast<Parts *>(args);
        try {
          (*p.f)(t->lower[0], t->upper[0] + 1);
        } catch (...) {
          if (!p.launch.thrown.exchange(true)) p.launch.exception = std::current_exception();
          portable_kernel_fail(t, 1, "an element's assignment has thrown an exception");
        }
      },
      &parts, 0, nullptr);
  if (parts.launch.exception) std::rethrow_exception(parts.launch.exception);
  check(status);
}

template <class T> void copy_elements(const T *from, T *to, index_t begin, index_t end) {
  if constexpr (std::is_trivially_copyable<T>::value)
    std::memmove(static_cast<void *>(to + begin), from + begin, static_cast<std::size_t>(end - begin) * sizeof(T));
  else if (std::less<const T *>()(from, to)) // where they overlap, what is still to be read is before what is written
    for (index_t k = end; k > begin; k--) to[k - 1] = from[k - 1];
  else
    for (index_t k = begin; k < end; k++) to[k] = from[k];
}

inline bool is_far(const void *data) { return portable_reach(data) != PORTABLE_REACH_HOST; }

// Elements side by side, as the library's copies want them.
template <class T> portable_array line_of(const char *label, const T *data, index_t n) {
  portable_array c;
  check(portable_array_wrap(label, PORTABLE_KIND_BYTES, sizeof(T), const_cast<std::remove_cv_t<T> *>(data), 1, &n, nullptr, nullptr, &c));
  return c;
}

template <class From, class To> void check_copy(const From &from, const To &to) {
  if (!from.initialized() || !to.initialized())
    array_error((from.initialized() ? to.label() : from.label()), "deep_copy_to of an array that has no elements, or to one");
  if (from.size() != to.size())
    array_error(from.label(), "deep_copy_to: it has " + std::to_string(from.size()) + " elements, and '" + to.label() + "' has " + std::to_string(to.size()));
}

} // namespace detail

template <class T, int rank, int myMem, int myStyle>
template <class S, std::enable_if_t<std::is_convertible<S, T>::value && !std::is_base_of<Array<T, rank, myMem, myStyle>, S>::value, int>>
const Array<T, rank, myMem, myStyle> &Array<T, rank, myMem, myStyle>::operator=(const S &value) const {
  must_have_elements("assignment to all elements");
  const T element = static_cast<T>(value);
  T *const data = myData;
  if (myMem == memDevice && detail::is_far(data)) {
    const portable_array c = detail::line_of(label_, data, size());
    check(portable_array_fill(&c, &element, nullptr));
    return *this;
  }
  detail::fence_memory(myData);
  detail::in_parts(label_, size(), sizeof(T), [&element, data](index_t begin, index_t end) {
    const T x = element;
    for (index_t k = begin; k < end; k++) data[k] = x;
  });
  return *this;
}

template <class T, int rank, int myMem, int myStyle>
template <int theirRank, int theirMem, int theirStyle>
void Array<T, rank, myMem, myStyle>::deep_copy_to(const Array<type, theirRank, theirMem, theirStyle> &to) const {
  detail::check_copy(*this, to);
  const T *const source = myData;
  type *const target = to.data();
  if (source == target) return;
  if constexpr (std::is_trivially_copyable<T>::value)
    if ((myMem == memDevice && detail::is_far(source)) || (theirMem == memDevice && detail::is_far(target))) {
      const portable_array from = detail::line_of(label_, source, size()), there = detail::line_of(to.label(), target, size());
      return check(portable_array_copy(&from, &there, nullptr));
    }
  detail::fence_memory(myData, to.data());
  const auto copy = [source, target](index_t begin, index_t end) { detail::copy_elements<type>(source, target, begin, end); };
  if (source < target + size() && target < source + size()) // they overlap: one thread, which knows the direction
    copy(0, size());
  else
    detail::in_parts(label_, size(), sizeof(T), copy);
}

template <class T, int rank, int myMem, int myStyle>
template <int theirRank, int theirMem, int theirStyle>
void Array<T, rank, myMem, myStyle>::deep_copy_to(const Array<type, theirRank, theirMem, theirStyle> &to, const Stream &stream) const {
  detail::check_copy(*this, to);
  if constexpr (std::is_trivially_copyable<T>::value)
    if ((myMem == memDevice && detail::is_far(myData)) || (theirMem == memDevice && detail::is_far(to.data()))) {
      const portable_array here = detail::line_of(label_, myData, size()), there = detail::line_of(to.label(), to.data(), size());
      portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
      config.stream = stream.c_stream();
      return check(portable_array_copy_start(&here, &there, &config));
    }
  // The stream holds both until it has passed the copy.
  const Array from = *this;
  const auto target = to;
  portable::parallel_for(label_, c::Bounds<1, Order::last_fastest, index_t>(size()),
                         [from, target](index_t k) { target.data()[k] = from.data()[k]; }, LaunchConfig().set_stream(stream));
}

template <class T, int rank, int myMem, int myStyle>
template <class U>
Array<std::remove_cv_t<U>, rank, memHost, myStyle> Array<T, rank, myMem, myStyle>::createHostObject() const {
  must_have_elements("createHostObject");
  return Array<std::remove_cv_t<U>, rank, memHost, myStyle>(label_, shape());
}

template <class T, int rank, int myMem, int myStyle>
template <class U>
Array<std::remove_cv_t<U>, rank, memDevice, myStyle> Array<T, rank, myMem, myStyle>::createDeviceObject() const {
  must_have_elements("createDeviceObject");
  return Array<std::remove_cv_t<U>, rank, memDevice, myStyle>(label_, shape());
}

template <class T, int rank, int myMem, int myStyle>
template <class U>
Array<U, rank, memHost, myStyle> Array<T, rank, myMem, myStyle>::createHostCopy(const Stream &stream) const {
  const auto copy = createHostObject<U>();
  copy.take_from(*this, stream);
  return copy;
}

template <class T, int rank, int myMem, int myStyle>
template <class U>
Array<U, rank, memDevice, myStyle> Array<T, rank, myMem, myStyle>::createDeviceCopy(const Stream &stream) const {
  const auto copy = createDeviceObject<U>();
  copy.take_from(*this, stream);
  return copy;
}

// All elements of `from`, converted where their type is another one, after what is in the stream, and in the default one.
template <class T, int rank, int myMem, int myStyle>
template <class From>
void Array<T, rank, myMem, myStyle>::take_from(const From &from, const Stream &stream) const {
  if (!stream.is_default_stream()) stream.fence();
  if constexpr (std::is_same<typename From::type, T>::value) {
    from.deep_copy_to(*this);
  } else if (detail::is_far(from.data()) || detail::is_far(myData)) { // converted on the host
    const auto near = from.createHostCopy();
    const auto converted = createHostObject();
    converted.take_from(near, stream);
    converted.deep_copy_to(*this);
  } else {
    const auto *const source = from.data();
    T *const target = myData;
    detail::fence_memory(from.data(), myData);
    detail::in_parts(label_, size(), sizeof(T), [source, target](index_t begin, index_t end) {
      for (index_t k = begin; k < end; k++) target[k] = static_cast<T>(source[k]);
    });
  }
}

// Sets all elements.  Source: YAKL's memset.  Since: 0.1
template <class T, int rank, int myMem, int myStyle, class S> void memset(const Array<T, rank, myMem, myStyle> &array, const S &value) {
  array = static_cast<T>(value);
}
template <class T, int rank, unsigned D0, unsigned D1, unsigned D2, unsigned D3, class S>
PORTABLE__INLINE void memset(const CSArray<T, rank, D0, D1, D2, D3> &array, S value) {
  array = value;
}
template <class T, int rank, class B0, class B1, class B2, class B3, class S>
PORTABLE__INLINE void memset(const FSArray<T, rank, B0, B1, B2, B3> &array, S value) {
  array = value;
}

// Whether two arrays have the same extents and equal elements; bounds may differ. Neither has elements: true.  Since: 0.1
template <class T, class U, int rank, int memA, int memB, int style>
bool equal(const Array<T, rank, memA, style> &a, const Array<U, rank, memB, style> &b) {
  for (int d = 0; d < rank; d++)
    if (a.extent(d) != b.extent(d)) return false;
  if (a.initialized() != b.initialized()) return false;
  if (a.initialized() && (detail::is_far(a.data()) || detail::is_far(b.data()))) return equal(a.createHostCopy(), b.createHostCopy());
  if (a.initialized()) detail::fence_memory(a.data(), b.data());
  for (index_t k = 0; k < a.size() && a.initialized(); k++)
    if (!(a.data()[k] == b.data()[k])) return false;
  return true;
}

} // namespace portable

#endif
