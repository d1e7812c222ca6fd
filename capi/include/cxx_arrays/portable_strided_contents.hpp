// portable_strided_contents.hpp - what is in StridedArrays: copies, fills, reductions, comparison, and descriptors of C. Part of portable.hpp; include that.
//
// In this file: what StridedArray's members do, Array's copy to one, the intrinsics that need no contiguous elements, from_c and to_c. Not in this file: the
// class and its views (portable_strided_array.hpp).
//
// Elements that are copied by their bytes are copied and filled by the library, between any two layouts at the speed of memory
// (portable_array_copy); others one by one. Reductions give the same bits as those of a copy without gaps.
#ifndef PORTABLE_STRIDED_CONTENTS_HPP
#define PORTABLE_STRIDED_CONTENTS_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

namespace portable {
namespace detail {

template <class A> using IfStrided = std::enable_if_t<is_strided<A>, int>;
// A descriptor that wraps the elements. `held`, if there is one, is let go with the last holder of the descriptor.
template <class T, int rank, int mem, int style> portable_array describe(const StridedArray<T, rank, mem, style> &a, Record *held = nullptr) {
  index_t lower[array_rank], extent[array_rank], stride[array_rank];
  std::int32_t fastest[array_rank];
  bool c_order = true, fortran_order = true;
  for (int d = 0; d < rank; d++) {
    lower[d] = a.lower_bound(d), extent[d] = a.extent(d), stride[d] = a.stride(d);
    const auto distance = [&](int e) { return stride[e] < 0 ? 0 - static_cast<std::uint64_t>(stride[e]) : static_cast<std::uint64_t>(stride[e]); };
    int k = d; // those of one distance stay as the style has them
    for (; k > 0 && (style == styleC ? distance(d) <= distance(fastest[k - 1]) : distance(d) < distance(fastest[k - 1])); k--) fastest[k] = fastest[k - 1];
    fastest[k] = d;
  }
  for (int k = 0; k < rank; k++) c_order = c_order && fastest[k] == rank - 1 - k, fortran_order = fortran_order && fastest[k] == k;
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  config.order = c_order && (style == styleC || !fortran_order) ? PORTABLE_ORDER_C : fortran_order ? PORTABLE_ORDER_FORTRAN : PORTABLE_ORDER_PERMUTED;
  config.fastest = config.order == PORTABLE_ORDER_PERMUTED ? fastest : nullptr;
  config.lower = lower;
  if (mem == memDevice && is_far(a.data())) config.space = portable_space_of_device(0);
  if (held) {
    config.payload = held;
    config.end = [](void *, std::int64_t, void *record) { let_go(static_cast<Record *>(record)); };
  }
  portable_array c;
  const portable_status status = portable_array_wrap(a.label(), descriptor_kind<std::remove_cv_t<T>>(), sizeof(T), const_cast<std::remove_cv_t<T> *>(a.data()),
                                                     rank, extent, stride, &config, &c);
  if (status != PORTABLE_OK) let_go(held);
  check_shape(a.label(), status);
  return c;
}

// f(offset in a, offset in b) for all places, which both have the extents of.
template <class A, class B, class F> void at_each_place(const A &a, const B &b, const F &f) {
  constexpr int rank = A::get_rank();
  fence_memory(a.data(), b.data());
  in_parts(b.label(), a.size(), sizeof(typename A::type), [&](index_t begin, index_t end) {
    index_t index[array_rank] = {}, rest = begin, x = 0, y = 0;
    for (int d = 0; d < rank; d++) {
      index[d] = rest % a.extent(d);
      rest /= a.extent(d);
      x += index[d] * a.stride(d);
      y += index[d] * b.stride(d);
    }
    for (index_t k = begin; k < end; k++) {
      f(x, y);
      for (int d = 0; d < rank; d++) {
        x += a.stride(d);
        y += b.stride(d);
        if (++index[d] < a.extent(d)) break;
        x -= index[d] * a.stride(d);
        y -= index[d] * b.stride(d);
        index[d] = 0;
      }
    }
  });
}

// Whether some address between the first and the last element of one lies between those of the other.
template <class A, class B> bool may_overlap(const A &a, const B &b) {
  const auto ends = [](const auto &s, std::uintptr_t &low, std::uintptr_t &high) {
    low = high = reinterpret_cast<std::uintptr_t>(s.data());
    for (int d = 0; d < A::get_rank(); d++) {
      const index_t reach = (s.extent(d) - 1) * s.stride(d) * static_cast<index_t>(sizeof(typename A::type));
      (reach < 0 ? low : high) += static_cast<std::uintptr_t>(reach);
    }
  };
  std::uintptr_t a_low, a_high, b_low, b_high;
  ends(a, a_low, a_high);
  ends(b, b_low, b_high);
  return a_low <= b_high && b_low <= a_high;
}

template <class Result, class S> void reduce_strided(const char *function, std::int32_t op, const S &a, Via via, Result *result) {
  if (!a.initialized()) array_error(a.label(), std::string(function) + " of an array that has no elements yet");
  index_t extent[array_rank], stride[array_rank];
  for (int d = 0; d < S::get_rank(); d++) extent[d] = a.extent(d), stride[d] = a.stride(d) * static_cast<index_t>(sizeof(typename S::type));
  portable_launch_config launch = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_array_options options = PORTABLE_ARRAY_OPTIONS_INIT;
  launch.stream = via.stream;
  options.launch = &launch;
  options.strides = stride;
  options.order = style_of<S> == styleC ? PORTABLE_ORDER_C : PORTABLE_ORDER_FORTRAN;
  check(portable_reduce_array(function, op, kind_of<typename S::type>(), a.data(), S::get_rank(), extent, &options, result));
}
// Elements of kinds that the library does not reduce go through a copy.
template <class S> auto dense(const S &a) { return a.template copy_of<Array<typename S::type, S::get_rank(), S::get_memory_space(), style_of<S>>>(); }
template <class Result, bool truth, class S, class F> Result reduce_strided(const char *function, std::int32_t op, const S &a, Via via, const F &of_copy) {
  if constexpr (has_kind<typename S::type>() && std::is_same<typename S::type, bool>::value == truth) {
    Result result;
    reduce_strided(function, op, a, via, &result);
    return result;
  } else {
    return of_copy(dense(a));
  }
}
template <class S, class F> auto place_in_strided(const char *function, std::int32_t op, const S &a, Via via, const F &of_copy) {
  if constexpr (has_kind<typename S::type>() && !std::is_same<typename S::type, bool>::value) {
    constexpr int first = style_of<S> == styleC ? 0 : 1;
    index_t place[array_rank];
    reduce_strided(function, op, a, via, place);
    auto indices = a.get_lbounds();
    for (int d = 0; d < S::get_rank(); d++) indices(d + first) += place[d];
    if constexpr (S::get_rank() == 1)
      return to_int(indices(first), function);
    else
      return indices;
  } else {
    return of_copy(dense(a));
  }
}

} // namespace detail

// ---- members ----

template <class T, int rank, int myMem, int myStyle>
StridedArray<T, rank, myMem, myStyle>::StridedArray(const char *label, T *data, const Shape &shape, const Dims &strides) : StridedArray() {
  Array<T, rank, myMem, myStyle> dense(label, data, shape); // looks at the shape
  label_ = dense.label();
  if (strides.rank != rank)
    detail::array_error(label_, std::to_string(strides.rank) + " strides are given, and the array has " + std::to_string(rank) + " dimensions");
  for (int d = 0; d < rank; d++) set_dimension(d, dense.lower_bound(d), dense.extent(d), strides[d]);
  data_ = data;
  detail::describe(*this); // looks at the strides
}

template <class T, int rank, int myMem, int myStyle>
template <class S, std::enable_if_t<std::is_convertible<S, T>::value && !std::is_base_of<StridedArray<T, rank, myMem, myStyle>, S>::value, int>>
const StridedArray<T, rank, myMem, myStyle> &StridedArray<T, rank, myMem, myStyle>::operator=(const S &value) const {
  must_have_elements("assignment to all elements");
  const T element = static_cast<T>(value);
  if constexpr (std::is_trivially_copyable<T>::value) {
    const portable_array c = detail::describe(*this);
    check(portable_array_fill(&c, &element, nullptr));
  } else {
    T *const to = data_;
    detail::at_each_place(*this, *this, [&element, to](index_t k, index_t) { to[k] = element; });
  }
  return *this;
}

template <class T, int rank, int myMem, int myStyle>
template <int theirMem, int theirStyle>
void StridedArray<T, rank, myMem, myStyle>::deep_copy_to(const StridedArray<type, rank, theirMem, theirStyle> &to) const {
  must_have_elements("deep_copy_to");
  if (!to.initialized()) detail::array_error(to.label(), "deep_copy_to an array that has no elements yet");
  bool same = static_cast<const type *>(data_) == to.data();
  for (int d = 0; d < rank; d++) {
    if (extent_[d] != to.extent(d))
      detail::array_error(label_, "deep_copy_to: its extent in dimension " + std::to_string(d + 1) + " is " + std::to_string(extent_[d]) + ", and that of '" +
                                      to.label() + "' is " + std::to_string(to.extent(d)));
    same = same && (extent_[d] < 2 || stride_[d] == to.stride(d));
  }
  if (same || size() == 0) return;
  if (detail::may_overlap(*this, to)) {
    StridedArray<type, rank, myMem, myStyle>(copy_of<Array<type, rank, myMem, myStyle>>()).deep_copy_to(to);
  } else if constexpr (std::is_trivially_copyable<T>::value) {
    const portable_array from = detail::describe(*this), target = detail::describe(to);
    check(portable_array_copy(&from, &target, nullptr));
  } else {
    T *const source = data_;
    type *const target = to.data();
    detail::at_each_place(*this, to, [source, target](index_t x, index_t y) { target[y] = source[x]; });
  }
}

// A new A of the same shape, whose elements are these, converted where their type is another one.
template <class T, int rank, int myMem, int myStyle> template <class A> A StridedArray<T, rank, myMem, myStyle>::copy_of() const {
  using U = typename A::type;
  must_have_elements("a copy");
  detail::ShapeOf<rank, myStyle> shape;
  if constexpr (myStyle == styleC)
    for (int d = 0; d < rank; d++) shape.data[shape.rank++] = extent_[d];
  else
    for (int d = 0; d < rank; d++, shape.rank++) shape.l[d] = this->lower(d), shape.u[d] = upper_bound(d);
  const A result(label_, shape);
  const detail::Strided<A> to(result);
  if constexpr (std::is_same<U, type>::value) {
    deep_copy_to(to);
  } else {
    T *const source = data_;
    U *const target = to.data();
    detail::at_each_place(*this, to, [source, target](index_t x, index_t y) { target[y] = static_cast<U>(source[x]); });
  }
  return result;
}

template <class T, int rank, int myMem, int myStyle>
template <int theirMem, int theirStyle>
void Array<T, rank, myMem, myStyle>::deep_copy_to(const StridedArray<type, rank, theirMem, theirStyle> &to) const {
  StridedArray<T, rank, myMem, myStyle>(*this).deep_copy_to(to);
}

// Whether two arrays have the same extents and equal elements; bounds and strides may differ. Neither has elements: true.  Since: 0.1
template <class A, class B, std::enable_if_t<(detail::is_strided<A> || detail::is_strided<B>) && A::get_rank() == B::get_rank(), int> = 0>
bool equal(const A &a, const B &b) {
  const detail::Strided<A> x(a);
  const detail::Strided<B> y(b);
  for (int d = 0; d < A::get_rank(); d++)
    if (x.extent(d) != y.extent(d)) return false;
  if (!x.initialized() || !y.initialized()) return x.initialized() == y.initialized();
  std::atomic<bool> same{true};
  detail::at_each_place(x, y, [&, p = x.data(), q = y.data()](index_t j, index_t k) {
    if (!(p[j] == q[k])) same.store(false, std::memory_order_relaxed);
  });
  return same;
}

// ---- intrinsics, as of Array ----

namespace intrinsics {

template <class S, detail::IfStrided<S> = 0> int size(const S &a) { return detail::to_int(a.size(), "intrinsics::size"); }
template <class S, detail::IfStrided<S> = 0> auto shape(const S &a) { return a.get_dimensions(); }
template <class S, detail::IfStrided<S> = 0> auto lbound(const S &a) { return a.get_lbounds(); }
template <class S, detail::IfStrided<S> = 0> auto ubound(const S &a) { return a.get_ubounds(); }
template <class S, detail::IfStrided<S> = 0> bool allocated(const S &a) { return a.initialized(); }

template <class S, detail::IfStrided<S> = 0> auto sum(const S &a, detail::Via via = {}) {
  return detail::reduce_strided<typename S::type, false>("sum", PORTABLE_REDUCE_SUM, a, via, [](const auto &c) { return sum(c); });
}
template <class S, detail::IfStrided<S> = 0> auto product(const S &a, detail::Via via = {}) {
  return detail::reduce_strided<typename S::type, false>("product", PORTABLE_REDUCE_PRODUCT, a, via, [](const auto &c) { return product(c); });
}
template <class S, detail::IfStrided<S> = 0> auto minval(const S &a, detail::Via via = {}) {
  return detail::reduce_strided<typename S::type, false>("minval", PORTABLE_REDUCE_MIN, a, via, [](const auto &c) { return minval(c); });
}
template <class S, detail::IfStrided<S> = 0> auto maxval(const S &a, detail::Via via = {}) {
  return detail::reduce_strided<typename S::type, false>("maxval", PORTABLE_REDUCE_MAX, a, via, [](const auto &c) { return maxval(c); });
}
template <class S, detail::IfStrided<S> = 0> bool any(const S &a, detail::Via via = {}) {
  return detail::reduce_strided<std::int32_t, true>("any", PORTABLE_REDUCE_ANY, a, via, [](const auto &c) { return any(c) ? 1 : 0; }) != 0;
}
template <class S, detail::IfStrided<S> = 0> bool all(const S &a, detail::Via via = {}) {
  return detail::reduce_strided<std::int32_t, true>("all", PORTABLE_REDUCE_ALL, a, via, [](const auto &c) { return all(c) ? 1 : 0; }) != 0;
}
template <class S, detail::IfStrided<S> = 0> index_t count(const S &a, detail::Via via = {}) {
  return detail::reduce_strided<index_t, true>("count", PORTABLE_REDUCE_COUNT, a, via, [](const auto &c) { return count(c); });
}
template <class S, detail::IfStrided<S> = 0> auto minloc(const S &a, detail::Via via = {}) {
  return detail::place_in_strided("minloc", PORTABLE_REDUCE_MINLOC, a, via, [](const auto &c) { return minloc(c); });
}
template <class S, detail::IfStrided<S> = 0> auto maxloc(const S &a, detail::Via via = {}) {
  return detail::place_in_strided("maxloc", PORTABLE_REDUCE_MAXLOC, a, via, [](const auto &c) { return maxloc(c); });
}

} // namespace intrinsics

// ---- descriptors ----

// As of Array: a descriptor of the array for C and Fortran, which the caller holds until portable_array_release.  Since: 0.1
template <class T, int rank, int myMem, int myStyle> portable_array to_c(const StridedArray<T, rank, myMem, myStyle> &a) {
  static_assert(!std::is_const<T>::value, "a descriptor cannot keep elements const");
  static_assert(std::is_trivially_copyable<T>::value, "C and Fortran copy elements byte by byte: they have no constructors");
  if (!a.initialized()) detail::array_error(a.label(), "to_c of an array that has no elements yet");
  detail::must_be_of_this_run(a, "to_c");
  return detail::describe(a, detail::hold(detail::ArrayAccess::record(a)));
}

namespace detail {
template <class T, int rank, int memory, int style> struct DeviceArgument<StridedArray<T, rank, memory, style>> {
  static constexpr bool host_array = memory == memHost, raw_pointer = false, good = memory == memDevice;
};
} // namespace detail

} // namespace portable

#endif
