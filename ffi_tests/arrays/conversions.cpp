// conversions.cpp - Arrays of C++ and descriptors of C and Fortran: the same elements, held by all, freed by the last one; and what a
// descriptor must be to become an Array. Not in this file: descriptors alone (descriptors.c).
#include "check.hpp"

using portable::Array;
using portable::memDevice;
using portable::memHost;
using portable::styleC;
using portable::styleFortran;

namespace {

using Real2 = Array<double, 2, memHost, styleC>;
using Real2f = Array<double, 2, memHost, styleFortran>;

void test_from_c() {
  const std::uint64_t before = checks::blocks();
  const std::int64_t extents[] = {3, 4}, lower[] = {0, -1};
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  config.order = PORTABLE_ORDER_FORTRAN;
  config.lower = lower;
  portable_array c = PORTABLE_ARRAY_NONE;
  portable::check(portable_array_create("wind", PORTABLE_KIND_REAL64, 0, 2, extents, &config, &c));
  {
    const auto f = portable::from_c<Real2f>(c);
    CHECK(f.lower_bound(1) == -1 && f.extent(0) == 3 && std::strcmp(f.label(), "wind") == 0 && portable_array_use_count(&c) == 2);
    f = 1.5;
    f(2, 2) = 7;
    CHECK(static_cast<double *>(c.data)[11] == 7);
    const auto read = portable::from_c<Array<const double, 2, memDevice, styleFortran>>(c);
    CHECK(read(2, 2) == 7 && portable_array_use_count(&c) == 3);
    using checks::error_of;
    CHECK(checks::has(error_of([&] { portable::from_c<Array<float, 2, memHost, styleFortran>>(c); }), "'wind' has elements of kind"));
    CHECK(checks::has(error_of([&] { portable::from_c<Array<double, 3, memHost, styleFortran>>(c); }), "rank 2; asked for is 3"));
    CHECK(checks::has(error_of([&] { portable::from_c<Real2>(c); }), "begins at -1 in dimension 2"));
    portable_array turned = PORTABLE_ARRAY_NONE, part = PORTABLE_ARRAY_NONE;
    portable::check(portable_array_permute(&c, nullptr, &turned));
    portable::check(portable_array_rebase(&turned, nullptr, &turned));
    const auto rows = portable::from_c<Real2>(turned); // the transpose, in C's order
    CHECK(rows(3, 2) == 7 && rows.extent(0) == 4);
    CHECK(checks::has(error_of([&] { portable::from_c<Real2f>(turned); }), "gaps or another order"));
    const portable_array_range ranges[] = {PORTABLE_RANGE(0, 1), PORTABLE_RANGE_ALL};
    portable::check(portable_array_slice(&c, ranges, &part));
    CHECK(checks::has(error_of([&] { portable::from_c<Real2f>(part); }), "gaps"));
    portable::check(portable_array_release(&part));
    portable::check(portable_array_release(&turned));
    portable::check(portable_array_release(&c));
    CHECK(f(2, 2) == 7 && checks::blocks() == before + 1);
  }
  CHECK(checks::blocks() == before && checks::has(checks::error_of([&] { portable::from_c<Real2f>(c); }), "no array"));
  double room[2] = {1, 2};
  const std::int64_t two = 2;
  portable::check(portable_array_wrap("room", PORTABLE_KIND_REAL64, 0, room, 1, &two, nullptr, nullptr, &c));
  CHECK((portable::from_c<Array<double, 1>>(c)(1) == 2));
}

struct Cell {
  int kind;
  double mass;
};

void test_to_c() {
  const std::uint64_t before = checks::blocks();
  portable_array c, d;
  {
    Real2 a("a", 3, 4);
    a = 2;
    c = portable::to_c(a);
    CHECK(c.data == a.data() && c.extent[1] == 4 && c.lower[0] == 0 && c.order == PORTABLE_ORDER_C && a.use_count() == 2);
    Array<Cell, 1, memHost, styleFortran> cells("cells", {5, 6});
    cells(6) = Cell{1, 2.5};
    d = portable::to_c(cells);
    CHECK(d.kind == PORTABLE_KIND_BYTES && d.element_bytes == sizeof(Cell) && d.lower[0] == 5);
    CHECK(portable::from_c<decltype(cells)>(d)(6).mass == 2.5);
  }
  CHECK(checks::blocks() == before + 2 && static_cast<double *>(c.data)[11] == 2 && std::strcmp(c.label, "a") == 0);
  portable::check(portable_array_release(&c));
  portable::check(portable_array_release(&d));
  CHECK(checks::blocks() == before);
  double room[3] = {1, 2, 3};
  c = portable::to_c(Array<double, 1>("room", room, 3)); // holds nothing
  CHECK(c.data == room && portable_array_use_count(&c) == 0);
  CHECK(checks::has(checks::error_of([] { portable::to_c(Real2()); }), "no elements"));
}

// A freed array, or one from before the library stopped, is refused and not followed.
void test_gone() {
  const std::int64_t two = 2;
  portable_array c = PORTABLE_ARRAY_NONE, d = PORTABLE_ARRAY_NONE;
  portable::check(portable_array_create("wind", PORTABLE_KIND_REAL64, 0, 1, &two, nullptr, &c));
  d = c;
  portable::check(portable_array_retain(&d));
  portable::check(portable_array_deallocate(&d));
  CHECK(checks::has(checks::error_of([&] { portable::from_c<Array<double, 1>>(c); }), "'wind': the memory of this array was released"));
  portable::check(portable_array_release(&c));
  portable::check(portable_array_create("wind", PORTABLE_KIND_REAL64, 0, 1, &two, nullptr, &c));
  const Array<double, 1> a("a", 2);
  portable::check(portable_finalize());
  portable::check(portable_init(nullptr));
  CHECK(checks::has(checks::error_of([&] { portable::from_c<Array<double, 1>>(c); }), "the library was stopped"));
  CHECK(checks::has(checks::error_of([&] { portable::to_c(a); }), "the library was stopped since array 'a' was made"));
  portable::check(portable_array_release(&c));
}

} // namespace

int main() {
  return checks::run([] {
    test_from_c();
    test_to_c();
    test_gone();
  });
}
