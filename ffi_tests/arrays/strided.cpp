// strided.cpp - StridedArray against a naive model, for random ranks, styles, sections and orders of dimensions: each element is the one that the indices
// of the array say, whatever was cut, turned or permuted before; copies, fills, iteration, reductions and descriptors of C agree with it. Refused
// calls are at the end. Not in this file: descriptors alone (descriptors.c), what compilers refuse (not_compiled.sh).
#include "check.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

using portable::ALL;
using portable::Array;
using portable::COLON;
using portable::Dims;
using portable::index_t;
using portable::memDevice;
using portable::memHost;
using portable::Part;
using portable::REVERSED;
using portable::section;
using portable::StridedArray;
using portable::styleC;
using portable::styleFortran;

namespace {

unsigned state = 11;
index_t random_in(index_t least, index_t most) {
  state = state * 1664525u + 1013904223u;
  return least + static_cast<index_t>(state / 65536u) % (most - least + 1);
}

// A view, written down: the bounds of each dimension, and for each index the one of the array.
template <int rank> struct Model {
  index_t lower[8], extent[8];
  std::vector<index_t> of_array[8]; // [dimension of the view][index]: index of the array
  int dimension[8];                 // of the array
};

template <class F, int rank, std::size_t... d> auto &element(const F &f, const std::array<index_t, static_cast<std::size_t>(rank)> &i, std::index_sequence<d...>) {
  return f(i[d]...);
}

template <int rank, int style> struct Walk {
  using Index = std::array<index_t, static_cast<std::size_t>(rank)>;
  static constexpr auto all = std::make_index_sequence<static_cast<std::size_t>(rank)>();

  // Calls f(index of the view, index of the array), the fastest of the style first.
  template <class F> static void each(const Model<rank> &m, const F &f) {
    index_t n = 1;
    for (int d = 0; d < rank; d++) n *= m.extent[d];
    for (index_t number = 0; number < n; number++) {
      Index view, array;
      index_t rest = number;
      for (int k = 0; k < rank; k++) {
        const int d = style == styleC ? rank - 1 - k : k;
        const index_t i = rest % m.extent[d];
        rest /= m.extent[d];
        view[static_cast<std::size_t>(d)] = m.lower[d] + i;
        array[static_cast<std::size_t>(m.dimension[d])] = m.of_array[d][static_cast<std::size_t>(i)];
      }
      f(view, array);
    }
  }
};

template <class A> A make(const index_t *lower, const index_t *extent) {
  constexpr int rank = A::get_rank();
  if constexpr (portable::detail::style_of<A> == styleC) {
    return A("a", std::vector<index_t>(extent, extent + rank));
  } else {
    std::vector<portable::Bnd> bounds;
    for (int d = 0; d < rank; d++) bounds.emplace_back(lower[d], lower[d] + extent[d] - 1);
    return A("a", bounds);
  }
}

template <std::size_t... d, class A> auto cut(const A &a, const std::vector<Part> &parts, std::index_sequence<d...>) { return section(a, parts[d]...); }

template <int rank, int style> void compare(const Array<int, rank, memHost, style> &a, const StridedArray<int, rank, memHost, style> &v, const Model<rank> &m) {
  using W = Walk<rank, style>;
  std::vector<int> values;
  bool good = true;
  for (int d = 0; d < rank; d++) good = good && v.extent(d) == m.extent[d] && v.lower_bound(d) == m.lower[d] && v.upper_bound(d) == m.lower[d] + m.extent[d] - 1;
  W::each(m, [&](const auto &view, const auto &array) {
    good = good && &element<decltype(v), rank>(v, view, W::all) == &element<decltype(a), rank>(a, array, W::all);
    values.push_back(element<decltype(a), rank>(a, array, W::all));
  });
  CHECK(good && v.size() == static_cast<index_t>(values.size()));
  CHECK(std::vector<int>(v.begin(), v.end()) == values);
  if (values.empty()) return;

  // In the other order of memory the same indices have the same elements; and back.
  const auto copy = v.createHostCopy();
  CHECK(std::vector<int>(copy.begin(), copy.end()) == values && portable::equal(copy, v) && copy.lower_bound(0) == m.lower[0]);
  const auto wide = v.template createHostCopy<double>();
  CHECK(std::vector<int>(wide.begin(), wide.end()) == values);
  constexpr int other = style == styleC ? styleFortran : styleC;
  const index_t low[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  const auto turned = make<Array<int, rank, memDevice, other>>(low, m.extent);
  turned = -1;
  CHECK(!portable::equal(StridedArray<int, rank, memDevice, other>(turned), v));
  v.deep_copy_to(turned);
  CHECK(portable::equal(StridedArray<int, rank, memDevice, other>(turned), v));
  using namespace portable::intrinsics;
  CHECK(sum(v) == sum(copy) && minval(v) == minval(copy) && maxval(v) == maxval(copy) && product(v) == product(copy));
  const auto same = [](const auto &x, const auto &y) {
    if constexpr (rank == 1)
      return x == y;
    else
      return std::equal(x.begin(), x.end(), y.begin());
  };
  CHECK(same(minloc(v), minloc(copy)) && same(maxloc(v), maxloc(copy)));
}

template <int rank, int style> void test_rank() {
  using A = Array<int, rank, memHost, style>;
  constexpr int first = style == styleC ? 0 : 1;
  for (int round = 0; round < 25; round++) {
    Model<rank> m;
    for (int d = 0; d < rank; d++) {
      m.extent[d] = random_in(1, 6);
      m.lower[d] = style == styleC ? 0 : random_in(-3, 3);
      m.dimension[d] = d;
      for (index_t i = 0; i < m.extent[d]; i++) m.of_array[d].push_back(m.lower[d] + i);
    }
    const A a = make<A>(m.lower, m.extent);
    for (int &x : a) x = static_cast<int>(random_in(-99, 99));
    StridedArray<int, rank, memHost, style> v = a;
    CHECK(v.span_is_contiguous() && v.as_array().data() == a.data());
    compare<rank, style>(a, v, m);
    for (int step = 0; step < 3; step++) {
      if (random_in(0, 1)) {
        std::vector<Part> parts;
        for (int d = 0; d < rank; d++) {
          const index_t low = m.lower[d], high = low + m.extent[d] - 1;
          const index_t f = random_in(low, high), l = random_in(low, high), s = random_in(1, 3);
          const int kind = static_cast<int>(random_in(0, 3));
          const Part part = kind == 0 ? ALL : kind == 1 ? REVERSED : Part(f, l, l >= f ? s : -s);
          parts.push_back(part);
          if (kind == 0) continue;
          std::vector<index_t> chosen;
          if (kind == 1)
            chosen.assign(m.of_array[d].rbegin(), m.of_array[d].rend());
          else
            for (index_t i = f; l >= f ? i <= l : i >= l; i += part.step) chosen.push_back(m.of_array[d][static_cast<std::size_t>(i - low)]);
          if (kind == 1 || part.step != 1 || f != low || l != high) m.lower[d] = first;
          m.of_array[d] = chosen;
          m.extent[d] = static_cast<index_t>(chosen.size());
        }
        v = cut(v, parts, std::make_index_sequence<static_cast<std::size_t>(rank)>());
      } else {
        Dims dims;
        Model<rank> p = m;
        std::vector<int> left;
        for (int d = 0; d < rank; d++) left.push_back(d);
        for (int d = 0; d < rank; d++) {
          const auto k = static_cast<std::size_t>(random_in(0, static_cast<index_t>(left.size()) - 1));
          const int from = left[k];
          left.erase(left.begin() + static_cast<std::ptrdiff_t>(k));
          dims.data[dims.rank++] = from + first;
          p.lower[d] = m.lower[from], p.extent[d] = m.extent[from], p.of_array[d] = m.of_array[from], p.dimension[d] = m.dimension[from];
        }
        m = p;
        v = permuted(v, dims);
      }
      compare<rank, style>(a, v, m);
    }
    // Through C and back: the same elements.
    portable_array c = portable::to_c(v);
    const auto back = portable::from_c<StridedArray<int, rank, memHost, style>>(c);
    portable::check(portable_array_release(&c));
    compare<rank, style>(a, back, m);
    back = 7;
    CHECK(portable::intrinsics::sum(v) == 7 * static_cast<int>(v.size()));
  }
}

// Sections with an index have fewer dimensions; kernels get them as they get arrays; what overlaps is copied as if through a copy.
void test_programs() {
  const std::uint64_t before = checks::blocks();
  StridedArray<double, 1, memDevice> kept;
  {
    const Array<double, 2, memDevice> a("a", 30, 40);
    portable::c::parallel_for("fill", portable::c::Bounds<2>(30, 40), [=](int j, int i) { a(j, i) = 100 * j + i; });
    const auto column = section(a, ALL, 3);
    const auto row = section(a, 29, Part(39, 1, -2));
    static_assert(decltype(column)::get_rank() == 1 && decltype(row)::get_rank() == 1, "an index drops its dimension");
    CHECK(column(29) == 2903 && column.stride(0) == 40 && row(0) == 2939 && row.extent(0) == 20 && row.stride(0) == -2);
    CHECK(portable::intrinsics::maxloc(row) == 0 && portable::intrinsics::minval(row) == 2901 && a.use_count() == 3);
    const auto turned = portable::transposed(a);
    portable::c::parallel_for("turn", portable::c::Bounds<2>({1, 39}, {0, 29}), [=](int i, int j) { turned(i, j) += section(turned, ALL, j)(0); });
    CHECK(a(2, 5) == 205 + 200 && a(2, 0) == 200);
    a = 0;
    column = 2;
    CHECK(portable::intrinsics::sum(a) == 60);
    kept = column;
  }
  CHECK(kept(7) == 2 && checks::blocks() == before + 1);
  kept.deallocate();
  const Array<int, 1> line("line", 10);
  for (int i = 0; i < 10; i++) line(i) = i;
  section(line, Part(0, 8)).deep_copy_to(section(line, Part(1, 9)));
  CHECK(line(9) == 8 && line(1) == 0);
  section(line, REVERSED).deep_copy_to(line);
  CHECK(line(0) == 8 && line(9) == 0);
  const Array<int, 2> square("square", 3, 3);
  for (int k = 0; k < 9; k++) square.data()[k] = k;
  portable::transposed(square).deep_copy_to(square);
  CHECK(square(0, 2) == 6 && square(2, 0) == 2);
  double memory[20] = {};
  const StridedArray<double, 2> padded("padded", memory, {3, 4}, {6, 1}); // rows of 6, of which 4 are used
  const Array<double, 2> dense("dense", 3, 4);
  dense = 1;
  dense.deep_copy_to(padded);
  CHECK(memory[3] == 1 && memory[4] == 0 && memory[6] == 1 && memory[15] == 1 && memory[16] == 0);
  const Array<std::string, 2> words("words", 2, 2);
  for (int k = 0; k < 4; k++) words.data()[k] = std::string(30, static_cast<char>('a' + k));
  const auto spoken = portable::transposed(words).createHostCopy();
  CHECK(spoken(0, 1)[0] == 'c' && spoken(1, 0)[0] == 'b');
  section(words, ALL, 0) = std::string("x");
  CHECK(words(1, 0) == "x" && words(1, 1).size() == 30);
  portable::device_parallel_for("axpy", portable::c::Bounds<1>(10), [](int i, const auto &x) { x(i) = i; }, section(Array<double, 1, memDevice>("x", 20), Part(0, 19, 2)));
}

template <class F> std::string of(const F &f) { return checks::error_of(f); }

void test_refused() {
  using checks::has;
  const Array<double, 2> a("pressure", 3, 4);
  const Array<double, 2, memHost, styleFortran> f("wind", {0, 2}, {-1, 2});
  double room[4] = {};
  CHECK(has(of([&] { section(a, 3, ALL); }), "section of array 'pressure': index 1 of 2 is 3, outside of its bounds 0 to 2"));
  CHECK(has(of([&] { section(a, Part(0, 3), 0); }), "'pressure': section: dimension 1 is to be 0 to 3, and has the bounds 0 to 2"));
  CHECK(has(of([&] { section(f, 0, Part(-2, 2)); }), "dimension 2 is to be -2 to 2, and has the bounds -1 to 2"));
  CHECK(has(of([&] { section(a, Part(0, 2, 0), ALL); }), "step 0"));
  CHECK(has(of([&] { section(a, COLON, ALL); }), "dimension 1 is COLON, which is an index here; say ALL"));
  CHECK(has(of([&] { section(Array<double, 1>("later"), ALL); }), "'later': section of an array that has no elements"));
  CHECK(has(of([&] { permuted(a, {1, 2}); }), "'pressure': permuted: the dimensions that are given are not 0 to 1, each once"));
  CHECK(has(of([&] { permuted(f, {1, 1}); }), "are not 1 to 2, each once"));
  CHECK(has(of([&] { transposed(a).as_array(); }), "'pressure': as_array: it has gaps or another order"));
  CHECK(has(of([&] { transposed(a).deep_copy_to(a); }), "'pressure': deep_copy_to: its extent in dimension 1 is 4, and that of 'pressure' is 3"));
  CHECK(has(of([&] { a.deep_copy_to(StridedArray<double, 2>()); }), "no elements"));
  CHECK(has(of([&] { StridedArray<double, 2>("b", room, {2, 2}, {2}); }), "'b': 1 strides are given, and the array has 2 dimensions"));
  CHECK(has(of([&] { StridedArray<double, 2>("b", room, {2, 2}, {2, 0}); }), "'b'") && has(of([&] { StridedArray<double, 2>("b", room, {2, 2}, {2, 0}); }), "stride 2 is 0"));
  CHECK(has(of([&] { StridedArray<double, 1>("b", nullptr, {2}, {1}); }), "the address is null"));
  CHECK(has(of([&] { portable::intrinsics::sum(StridedArray<double, 1>()); }), "no elements"));
  CHECK(has(of([&] { transposed(a)(3, 3) = 0; }), "StridedArray 'pressure': index 2 of 2 is 3, outside of its bounds 0 to 2"));
  CHECK(has(of([&] { portable::c::parallel_for("beyond", 5, [t = transposed(a)](int i) { t(i, 0) = 1; }); }), "'pressure': index 1 of 2 is 4"));
}

} // namespace

int main() {
  return checks::run([] {
    test_rank<1, styleC>();
    test_rank<2, styleC>();
    test_rank<2, styleFortran>();
    test_rank<4, styleFortran>();
    test_programs();
    test_refused();
  });
}
