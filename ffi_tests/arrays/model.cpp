// model.cpp - indices and views against a naive model, for random ranks, bounds and styles: each element's address is the one that the
// textbook formula gives, each view's elements are those of the array. Compiled with PORTABLE_DEBUG, which looks at each index whatever is switched on.
// Not in this file: everything else of arrays (arrays.cpp).
#include "check.hpp"

#include <array>
#include <vector>

using portable::Array;
using portable::Bnd;
using portable::Bnds;
using portable::Dims;
using portable::index_t;
using portable::memHost;
using portable::styleC;
using portable::styleFortran;

namespace {

unsigned state = 7;
index_t random_in(index_t least, index_t most) {
  state = state * 1664525u + 1013904223u;
  return least + static_cast<index_t>(state / 65536u) % (most - least + 1);
}

// An array, written down: the offset of an index is the sum of distances times the extents of all faster dimensions.
struct Model {
  std::vector<index_t> lower, extent;
  int style;
  index_t offset(const std::vector<index_t> &index) const {
    index_t sum = 0;
    for (std::size_t d = 0; d < index.size(); d++) {
      index_t stride = 1;
      for (std::size_t e = 0; e < index.size(); e++)
        if (style == styleC ? e > d : e < d) stride *= extent[e];
      sum += (index[d] - lower[d]) * stride;
    }
    return sum;
  }
  bool next(std::vector<index_t> &index) const { // in any order
    for (std::size_t d = 0; d < index.size(); d++) {
      if (++index[d] < lower[d] + extent[d]) return true;
      index[d] = lower[d];
    }
    return false;
  }
};

template <class A, std::size_t... d> auto &element(const A &a, const std::vector<index_t> &index, std::index_sequence<d...>) { return a(index[d]...); }

template <class A> bool agrees(const A &a, const Model &m, const int *data) {
  constexpr std::size_t rank = static_cast<std::size_t>(A::get_rank());
  std::vector<index_t> index = m.lower;
  bool good = a.data() == data;
  index_t n = 1;
  for (std::size_t d = 0; d < rank; d++) {
    good = good && a.extent(static_cast<int>(d)) == m.extent[d] && a.lower_bound(static_cast<int>(d)) == m.lower[d];
    n *= m.extent[d];
  }
  good = good && a.size() == n;
  if (n == 0) return good;
  do good = good && &element(a, index, std::make_index_sequence<rank>()) == data + m.offset(index);
  while (m.next(index));
  return good;
}

template <int rank, int style> Array<int, rank, memHost, style> random_array(Model &m) {
  m.style = style;
  for (int d = 0; d < rank; d++) {
    m.extent.push_back(random_in(1, rank > 5 ? 3 : 5));
    m.lower.push_back(style == styleC ? 0 : random_in(-3, 3));
  }
  if constexpr (style == styleC) {
    return {"a", m.extent};
  } else {
    std::vector<Bnd> bounds;
    for (std::size_t d = 0; d < static_cast<std::size_t>(rank); d++) bounds.emplace_back(m.lower[d], m.lower[d] + m.extent[d] - 1);
    return {"a", bounds};
  }
}

template <int N, int rank, int style> void slices(const Array<int, rank, memHost, style> &a, const Model &m) {
  if constexpr (N >= 1) {
    constexpr int first_kept = style == styleC ? rank - N : 0;
    std::vector<index_t> index = m.lower;
    Dims where;
    Model part;
    part.style = style;
    for (int d = 0; d < rank; d++) {
      const auto k = static_cast<std::size_t>(d);
      const bool kept = d >= first_kept && d < first_kept + N;
      if (kept) part.lower.push_back(m.lower[k]), part.extent.push_back(m.extent[k]);
      else index[k] = random_in(m.lower[k], m.lower[k] + m.extent[k] - 1);
      where.data[where.rank++] = kept ? portable::COLON : index[k];
    }
    CHECK(agrees(a.template slice<N>(where), part, a.data() + m.offset(index)));
  }
}

template <int rank, int style> void test_rank() {
  for (int round = 0; round < 20; round++) {
    Model m;
    const auto a = random_array<rank, style>(m);
    CHECK(agrees(a, m, a.data()));
    slices<1>(a, m);
    slices<rank - 1>(a, m);
    slices<rank>(a, m);

    const std::size_t slowest = style == styleC ? 0 : static_cast<std::size_t>(rank - 1);
    const index_t l = random_in(m.lower[slowest], m.lower[slowest] + m.extent[slowest] - 1);
    const index_t u = random_in(l, m.lower[slowest] + m.extent[slowest] - 1);
    std::vector<index_t> index = m.lower;
    index[slowest] = l;
    Model part = m;
    part.extent[slowest] = u - l + 1;
    CHECK(agrees(a.subset_slowest_dimension(l, u), part, a.data() + m.offset(index)));

    // As two dimensions that have as many elements, at new bounds, and as one.
    const index_t n = a.size(), first = m.extent[0];
    Model two{{style == styleC ? 0 : random_in(-5, 5), style == styleC ? 0 : 1}, {first, n / first}, style};
    if constexpr (style == styleC)
      CHECK(agrees(a.template reshape<2>({first, n / first}), two, a.data()));
    else
      CHECK(agrees(a.template reshape<2>({{two.lower[0], two.lower[0] + first - 1}, n / first}), two, a.data()));
    CHECK(agrees(a.collapse(), Model{{style == styleC ? 0 : 1}, {n}, style}, a.data()));
    CHECK(a.use_count() == 1);

    const auto copy = a.createHostCopy();
    Model same = m;
    CHECK(copy.data() != a.data() && agrees(copy, same, copy.data()));
  }
}

template <int... rank> void test_ranks() {
  (test_rank<rank, styleC>(), ...);
  (test_rank<rank, styleFortran>(), ...);
}

} // namespace

int main() {
  return checks::run([] {
    test_ranks<1, 2, 3, 4, 8>();
    const Array<int, 2> a("pressure", 3, 4);
    CHECK(checks::has(checks::error_of([&] { a(2, 4) = 0; }), "'pressure': index 2 of 2 is 4, outside of its bounds 0 to 3"));
    CHECK(checks::has(checks::error_of([&] { portable::c::parallel_for("beyond", 4, [=](int i) { a(i, 0) = 1; }); }), "index 1 of 2 is 3"));
  });
}
