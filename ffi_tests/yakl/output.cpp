// output.cpp - std::cout << array in YAKL's layout: label, rank, number of elements and sizes, and the elements; of small arrays the elements in 12 columns.
#include "YAKL.h"
#include "expect.h"

using yakl::Array;
using yakl::memDevice;
using yakl::memHost;
using yakl::styleC;
using yakl::styleFortran;

template <class A> static std::string text_of(A const &a) {
  std::ostringstream out;
  out << a;
  return out.str();
}

int main() {
  yakl::init();
  {
    Array<double, 2, memDevice, styleC> a("a", 2, 3);
    for (int i = 0; i < 6; i++) a.data()[i] = i + 0.5;
    char const *const wanted = "For Array labeled: a\nNumber of Dimensions: 2\nTotal Number of Elements: 6\nDimension Sizes: 2, 3, \n0.5 1.5 2.5 3.5 4.5 5.5 \n";
    EXPECT(text_of(a) == wanted);
    EXPECT(text_of(Array<double const, 2, memDevice, styleC>(a)) == wanted);
    Array<int, 1, memHost, styleFortran> f("counts", {0, 2});
    f = 7;
    EXPECT(text_of(f) == "For Array labeled: counts\nNumber of Dimensions: 1\nTotal Number of Elements: 3\nDimension Sizes: 3, \n7 7 7 \n");
    yakl::SArray<int, 2, 2, 1> s;
    s(0, 0) = 1;
    s(1, 0) = -23;
    EXPECT(text_of(s) == "           1\n         -23\n\n");
    yakl::FSArray<double, 1, yakl::SB<0, 1>> g;
    g = 0.25;
    EXPECT(text_of(g) == "        0.25\n        0.25\n\n");
    // Views and results have the layout, too, and manipulators hold.
    std::ostringstream out;
    out << std::setprecision(2) << a.slice<1>(1, yakl::COLON);
    EXPECT(out.str().find("Dimension Sizes: 3, \n3.5 4.5 5.5 \n") != std::string::npos);
    std::string const empty = text_of(Array<int, 1>("none"));
    EXPECT(empty == "For Array labeled: none\nNumber of Dimensions: 1\nTotal Number of Elements: 0\nDimension Sizes: 0, \n\n");
  }
  yakl::finalize();
  return checks::failures != 0;
}
