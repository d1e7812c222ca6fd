// portable_array_views.hpp - what slice, reshape, collapse and subset_slowest_dimension of an Array do. Part of portable.hpp; include that.
//
// A view has the label of its array, holds the elements as a copy of the array does, and lies without gaps: only the slowest dimensions are
// dropped or cut. Arguments are always checked; a view that is made in a kernel costs some comparisons and no memory.
#ifndef PORTABLE_ARRAY_VIEWS_HPP
#define PORTABLE_ARRAY_VIEWS_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

namespace portable {

template <class T, int rank, int myMem, int myStyle>
template <int N>
PORTABLE__HOST_DEVICE Array<T, N, myMem, myStyle> Array<T, rank, myMem, myStyle>::slice(const Dims &indices) const {
  static_assert(N >= 1 && N <= rank, "a slice has 1 dimension at least, and no more than its Array");
  must_have_elements("slice");
#if !defined(__CUDA_ARCH__)
  if (indices.rank != rank)
    detail::array_error(label_, "slice: " + std::to_string(indices.rank) + " indices are given, and the array has " + std::to_string(rank) +
                                    " dimensions; give one, or COLON, for each");
#endif
  // Dimensions that stay are the last N of styleC, the first N of styleFortran; what is given for them is not looked at, as in YAKL.
  constexpr int first_kept = myStyle == styleC ? rank - N : 0;
#if !defined(__CUDA_ARCH__)
  constexpr int first_fixed = myStyle == styleC ? 0 : N;
  for (int d = first_fixed; d < first_fixed + rank - N; d++) {
    const index_t i = indices[d];
    if (i == COLON)
      detail::array_error(label_, "slice: dimension " + std::to_string(d + 1) + " is COLON; whole are the " + std::to_string(N) +
                                      (myStyle == styleC ? " last" : " first") + " dimensions, so that a slice has no gaps");
    if (i < this->lower(d) || i > upper_bound(d)) detail::index_out_of_bounds("slice of Array", label_, d, rank, i, this->lower(d), upper_bound(d));
  }
#endif
  index_t at = 0; // of the slice's first element
  for (int k = 0; k < rank; k++) {
    const int d = myStyle == styleC ? k : rank - 1 - k;
    const bool kept = d >= first_kept && d < first_kept + N;
    at = at * extent(d) + (kept ? 0 : indices[d] - this->lower(d));
  }
  auto v = view<N>(myData + at);
  for (int d = 0; d < N; d++) v.set_dimension(d, this->lower(first_kept + d), extent(first_kept + d));
  return v;
}

template <class T, int rank, int myMem, int myStyle>
template <int N>
PORTABLE__HOST_DEVICE Array<T, N, myMem, myStyle> Array<T, rank, myMem, myStyle>::reshape(const detail::ShapeOf<N, myStyle> &shape) const {
  must_have_elements("reshape");
  auto v = view<N>(myData);
  v.set_shape(shape);
#if !defined(__CUDA_ARCH__)
  index_t n = 1;
  bool too_many = false;
  for (int d = 0; d < N; d++) {
    if (v.extent(d) < 0) detail::array_error(label_, "reshape: the extent of dimension " + std::to_string(d + 1) + " is " + std::to_string(v.extent(d)));
    too_many = too_many || __builtin_mul_overflow(n, v.extent(d), &n);
  }
  if (too_many || n != size())
    detail::array_error(label_, "reshape: the new shape has " + (too_many ? std::string("more elements than can be counted") : std::to_string(n) + " elements") +
                                    ", and the array has " + std::to_string(size()));
#endif
  return v;
}

template <class T, int rank, int myMem, int myStyle>
template <int N>
PORTABLE__HOST_DEVICE Array<T, N, myMem, myStyle> Array<T, rank, myMem, myStyle>::reshape_to(const Bnds &bounds) const {
  if constexpr (myStyle == styleFortran) {
    return reshape<N>(bounds);
  } else {
    Dims dims;
    for (int d = 0; d < bounds.rank; d++) {
#if !defined(__CUDA_ARCH__)
      if (bounds.l[d] != 1) detail::array_error(label_, "reshape: lower bounds are given, and an array of styleC begins at 0");
#endif
      dims.data[dims.rank++] = bounds.u[d];
    }
    return reshape<N>(dims);
  }
}

template <class T, int rank, int myMem, int myStyle>
PORTABLE__HOST_DEVICE Array<T, 1, myMem, myStyle> Array<T, rank, myMem, myStyle>::collapse(index_t lower) const {
  must_have_elements("collapse");
  auto v = view<1>(myData);
  v.set_dimension(0, lower, size());
  return v;
}

template <class T, int rank, int myMem, int myStyle>
PORTABLE__HOST_DEVICE Array<T, rank, myMem, myStyle> Array<T, rank, myMem, myStyle>::subset_slowest_dimension(index_t l, index_t u) const {
  must_have_elements("subset_slowest_dimension");
  constexpr int slowest = myStyle == styleC ? 0 : rank - 1;
#if !defined(__CUDA_ARCH__)
  if (l < this->lower(slowest) || u > upper_bound(slowest) || l > u)
    detail::array_error(label_, "subset_slowest_dimension: " + std::to_string(l) + " to " + std::to_string(u) + " is no part of " +
                                    std::to_string(this->lower(slowest)) + " to " + std::to_string(upper_bound(slowest)));
#endif
  Array part = *this;
  const index_t others = extent(slowest) == 0 ? 0 : size() / extent(slowest);
  part.myData += (l - this->lower(slowest)) * others;
  part.dimension[slowest] = static_cast<std::size_t>(u - l + 1);
  return part;
}

} // namespace portable

#endif
