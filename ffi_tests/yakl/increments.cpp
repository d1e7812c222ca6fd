// increments.cpp - ++ and -- of arrays, before and behind: each gives a new array, and leaves the operand as it is, as in YAKL.
#include "YAKL.h"
#include "expect.h"

using yakl::Array;
using yakl::memDevice;
using yakl::memHost;
using yakl::styleC;
using yakl::styleFortran;

template <class A> static void four(A const &a, int first) {
  using yakl::componentwise::operator++;
  using yakl::componentwise::operator--;
  auto at = [](auto const &x, int i) { return x.data()[i]; };
  for (int i = 0; i < 3; i++) a.data()[i] = static_cast<typename A::type>(first + i);
  auto up = ++a, up_behind = a++, down = --a, down_behind = a--;
  for (int i = 0; i < 3; i++)
    EXPECT(at(a, i) == first + i && at(up, i) == first + i + 1 && at(up_behind, i) == first + i + 1 && at(down, i) == first + i - 1 && at(down_behind, i) == first + i - 1);
  auto two = ++(++a);
  EXPECT(at(two, 2) == first + 4 && static_cast<int>(two.totElems()) == 3);
}

int main() {
  yakl::init();
  {
    four(Array<int, 1, memHost, styleC>("a", 3), 5);
    four(Array<double, 1, memDevice, styleC>("b", 3), -2);
    four(Array<float, 2, memDevice, styleFortran>("c", 3, 1), 1);
    four(yakl::SArray<int, 1, 3>(), 7);
    four(yakl::FSArray<int, 1, yakl::SB<-1, 1>>(), 7);
    using yakl::componentwise::operator++;
    Array<short, 1, memHost, styleC> s("s", 2);
    s = 3;
    auto wide = s++;
    static_assert(std::is_same<decltype(wide), Array<int, 1, memHost, styleC>>::value, "the type of T() + 1");
    EXPECT(wide(1) == 4);
  }
  yakl::finalize();
  return checks::failures != 0;
}
