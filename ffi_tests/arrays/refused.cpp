// refused.cpp - misuse of arrays, each kind once: the text of the Error says array, what was asked and what was found, and nothing is
// lost by it: the same array works afterwards, and no block is left over. Compiled with PORTABLE_RUNTIME_CHECKS, for the indices: what is on and off.
// Not in this file: what compilers refuse (not_compiled.sh).
#include "check.hpp"

#include <vector>

using portable::Array;
using portable::Bnds;
using portable::COLON;
using portable::Dims;
using portable::memDevice;
using portable::memHost;
using portable::styleFortran;

namespace {

struct Case {
  const char *name;
  std::string text;     // of the error
  const char *parts[4]; // that it has
};

using Real2 = Array<double, 2, memDevice>;
using Real2f = Array<double, 2, memDevice, styleFortran>;

template <class F> std::string of(const F &f) { return checks::error_of(f); }

void test() {
  portable::check(portable_set_checks(PORTABLE_CHECK_ARRAYS));
  const Real2 a("pressure", 3, 4);
  const Real2f f("wind", {0, 3}, {-2, 2});
  const Array<int, 1> i1("levels", 5);
  a = 1;
  f = 1;
  const Real2 none("later");
  double room[4] = {0, 0, 0, 0};
  portable::SArray<int, 2, 2, 3> s(1);
  portable::FSArray<int, 1, portable::SB<-1, 1>> fs(1);

  const volatile int three = 3; // unknown to the compiler, which would complain

  const Case cases[] = {
      {"wrong rank of a shape", of([] { Real2 b("b", std::vector<int>{2, 3, 4}); }), {"'b'", "3 dimensions", "has 2"}},
      {"wrong rank of bounds", of([] { Real2f b("b", Bnds{{0, 1}}); }), {"'b'", "1 dimensions", "has 2"}},
      {"nine dimensions", of([] { Dims d(std::vector<int>(9, 1)); }), {"1 to 8", "9"}},
      {"negative extent", of([] { Real2 b("b", 3, -4); }), {"'b'", "-4"}},
      {"overflow", of([] { Real2 b("b", 1LL << 40, 1LL << 40); }), {"'b'", "overflow"}},
      {"negative extent of what is wrapped", of([&] { Real2 b("b", room, 3, -4); }), {"'b'", "-4"}},
      {"more indices than there are", of([&] { Real2f b("b", room, {INT64_MIN, INT64_MAX}, 1); }), {"'b'", "more indices than can be counted"}},
      {"null wrapped", of([] { Real2 b("b", nullptr, 2, 2); }), {"'b'", "null"}},
      {"null wrapped, with bounds", of([] { Real2f b("b", nullptr, {0, 1}, 2); }), {"'b'", "null"}},
      {"index above", of([&] { a(2, 4) = 0; }), {"'pressure'", "index 2 of 2 is 4", "0 to 3"}},
      {"index below", of([&] { a(-1, 0) = 0; }), {"'pressure'", "index 1 of 2 is -1", "0 to 2"}},
      {"index of Fortran style", of([&] { f(4, 0) = 0; }), {"'wind'", "index 1 of 2 is 4", "0 to 3"}},
      {"index below of Fortran style", of([&] { f(0, -3) = 0; }), {"'wind'", "index 2 of 2 is -3", "-2 to 2"}},
      {"index in a kernel", of([&] { portable::c::parallel_for("beyond", 4, [=](int i) { a(i, 0) = 1; }); }), {"'pressure'", "index 1 of 2 is 3"}},
      {"index of a small array", of([&] { s(1, three) = 0; }), {"SArray", "index 2 of 2 is 3", "0 to 2"}},
      {"index of a small Fortran array", of([&] { fs(three) = 0; }), {"FSArray", "index 1 of 1 is 3", "-1 to 1"}},
      {"use before allocation", of([&] { none(0, 0) = 1; }), {"'later'", "has none yet"}},
      {"fill before allocation", of([&] { none = 1; }), {"'later'", "no elements yet"}},
      {"slice before allocation", of([&] { none.slice<1>(0, COLON); }), {"'later'", "no elements yet"}},
      {"size of no dimension", of([&] { portable::intrinsics::size(a, 2); }), {"intrinsics::size of dimension 2", "0 to 1"}},
      {"bound of no dimension", of([&] { portable::intrinsics::lbound(f, 0); }), {"intrinsics::lbound of dimension 0", "1 to 2"}},
      {"sum before allocation", of([&] { portable::intrinsics::sum(none); }), {"'later'", "no elements yet"}},
      {"copy of another count", of([&] { a.deep_copy_to(Real2("target", 3, 3)); }), {"'pressure'", "12 elements", "'target' has 9"}},
      {"copy to nothing", of([&] { a.deep_copy_to(none); }), {"'later'", "no elements"}},
      {"slice out of bounds", of([&] { a.slice<1>(3, COLON); }), {"'pressure'", "index 1 of 2 is 3", "0 to 2"}},
      {"slice out of bounds of Fortran style", of([&] { f.slice<1>(COLON, 3); }), {"'wind'", "index 2 of 2 is 3", "-2 to 2"}},
      {"slice with gaps", of([&] { a.slice<1>(COLON, 1); }), {"'pressure'", "dimension 1 is COLON", "last"}},
      {"slice of another rank", of([&] { a.slice<1>({1, 2, COLON}); }), {"'pressure'", "3 indices", "2 dimensions"}},
      {"reshape of another count", of([&] { a.reshape(3, 3); }), {"'pressure'", "9 elements", "12"}},
      {"reshape that overflows", of([&] { a.reshape(1LL << 40, 1LL << 40); }), {"'pressure'", "more elements than can be counted"}},
      {"reshape with lower bounds", of([&] { a.reshape({0, 2}, 4); }), {"'pressure'", "begins at 0"}},
      {"subset out of bounds", of([&] { a.subset_slowest_dimension(1, 3); }), {"'pressure'", "1 to 3", "0 to 2"}},
      {"subset the wrong way round", of([&] { f.subset_slowest_dimension(1, 0); }), {"'wind'", "1 to 0", "-2 to 2"}},
      {"operator of two shapes", of([&] { using portable::componentwise::operator+; a + portable::intrinsics::transpose(a); }),
       {"'pressure'", "operator+", "dimension 1 is 3", "is 4"}},
      {"division by zero", of([&] { using portable::componentwise::operator/; Array<int, 1> zero("zero", 5); zero = 1; zero(3) = 0; zero / zero; }),
       {"'zero'", "element 4", "is 0"}},
      {"division by the number zero", of([&] { using portable::componentwise::operator/; s / 0; }), {"operator/", "0"}},
      {"remainder by zero", of([&] { Array<int, 1> zero("zero", 5); zero = 0; portable::intrinsics::mod(zero, zero); }), {"'zero'", "mod: element 1", "is 0"}},
      {"signs of two shapes", of([&] { portable::intrinsics::sign(a, portable::intrinsics::transpose(a)); }), {"'pressure'", "sign", "dimension 1 is 3"}},
      {"merge of another mask", of([&] { portable::intrinsics::merge(1.0, a, Array<bool, 2, memDevice>("mask", 4, 3)); }), {"'pressure'", "merge", "'mask'"}},
      {"mask of another shape", of([&] { portable::intrinsics::pack(a, Array<bool, 2, memDevice>("mask", 4, 3)); }), {"'pressure'", "pack", "'mask'"}},
      {"a size that is no int", of([&] { portable::intrinsics::size(Array<double, 1>("w", room, 1LL << 33)); }), {"8589934592", "no int"}},
      {"bounds that are no int", of([&] { portable::c::Bounds<1> b(1LL << 33); }), {"8589934592", "does not fit"}},
  };
  for (const Case &c : cases)
    for (const char *part : c.parts)
      if (part && !checks::has(c.text, part)) {
        checks::failures++;
        std::printf("in: %s\n", c.name);
      }
  // Off: what is at a wrong index is what lies there, in kernels too, from the next launch on; and on again.
  const Array<double, 2> part("part", room, 2, 1);
  portable::check(portable_set_checks(0));
  portable::c::parallel_for("beyond", 1, [=](int i) { part(i, 2) = 5; });
  CHECK(room[2] == 5 && of([&] { part(3, 0) = 6; }).empty() && room[3] == 6);
  portable::check(portable_set_checks(PORTABLE_CHECK_ARRAYS));
  CHECK(checks::has(of([&] { portable::c::parallel_for("beyond", 1, [=](int i) { part(i, 2) = 7; }); }), "index 2 of 2 is 2") && room[2] == 5);
  CHECK(checks::has(of([&] { part(3, 0) = 7; }), "'part': index 1 of 2 is 3") && room[3] == 6);
  CHECK(a(2, 3) == 1 && f(3, 2) == 1 && portable::intrinsics::sum(a) >= 11);
}

} // namespace

int main() { return checks::run(test); }
