// wrapper.cpp - a header over YAKL that uses the macros of its namespace, and the standard headers that YAKL.h brings; compiled a second time with
// YAKL_NAMESPACE_WRAPPER_LABEL, which puts the namespace yakl into another one.
#include "over_yakl.h"
#include "YAKL_fft.h"
#include "YAKL_pentadiagonal.h"
#include "YAKL_tridiagonal.h"

#include "expect.h"

#ifdef YAKL_NAMESPACE_WRAPPER_LABEL
static_assert(std::is_same<model_yakl::yakl::Recorder, yakl::Recorder>::value, "both names are one");
#endif

static void header() {
  yakl::Array<float, 2, yakl::memDevice, yakl::styleC> a("a", 2, 3);
  a = 1.5f;
  yakl::Recorder r;
  r.write(a);
  EXPECT(r.values.size() == 6 && r.values[5] == 1.5 && r.sizes.size() == 2 && r.sizes.back() == 3);
  yakl::SArray<double, 1, 2> v;
  v(0) = 3;
  v(1) = 4;
  EXPECT(yakl::Recorder::norm(v) == 5);
  bool thrown = false;
  try {
    r.write(yakl::Array<int, 1>());
  } catch (std::runtime_error const &) {
    thrown = true;
  }
  EXPECT(thrown);
  yakl::SArray<double, 1, 3> lower(0.), diag(2.), upper(0.), x(6.);
  yakl::tridiagonal(lower, diag, upper, x);
  EXPECT(x(0) == 3 && x(2) == 3);
}

// No header of the standard is included here.
static void headers() {
  std::list<int> numbers = {1, 2};
  std::unordered_map<std::string, int> map = {{"a", 1}};
  std::thread([&] { numbers.push_back(3); }).join();
  std::ostringstream text;
  text << std::setw(4) << numbers.size() << map.at("a");
  std::vector<double> sorted = {2, 1};
  std::sort(sorted.begin(), sorted.end());
  std::function<double(double)> f = [](double y) { return std::sin(y); };
  std::unique_ptr<int> one(new int(1));
  std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  char bytes[4] = "abc";
  EXPECT(text.str() == "   31" && sorted[0] == 1 && f(0) == 0 && *one == 1 && std::strlen(bytes) == 3 && strlen(bytes) == 3);
  EXPECT(std::numeric_limits<int>::max() > 0 && std::chrono::seconds(1).count() == 1 && time(nullptr) > 0 && abs(-0.75) == 0.75);
  EXPECT(yakl::max(2, 3) == 3 && yakl::min(2., 3.) == 2 && yakl::abs(-2.5) == 2.5 && yakl::pow(2., 3.) == 8 && yakl::sin(0.) == 0 && yakl::cos(0.) == 1);
  EXPECT(yakl::INDEX_MAX == std::numeric_limits<std::size_t>::max());
}

int main() {
  yakl::init();
  {
    header();
    headers();
  }
  yakl::finalize();
  return checks::failures != 0;
}
