// The test looks for: a member of a template in a namespace, a lambda, an inlined call, and one that could not be.
#include <cstdio>
#include <cstdlib>
namespace swe {
template <class T> struct Grid {
  T *at;
  int n;
  __attribute__((noinline)) void fill(T x) {
    for (int i = 0; i < n; i++) at[i] = x + rand(); //@fill
  }
  inline T total() const {
    T sum = 0;
    for (int i = 0; i < n; i++) sum += at[i] * rand(); //@total
    return sum;
  }
};
} // namespace swe
template <class F> __attribute__((noinline)) void each(int n, F f) {
  for (int i = 0; i < n; i++) f(i); //@each
}
int main() {
  static double x[10];
  swe::Grid<double> g = {x, 10};
  g.fill(1);                                //@main
  each(10, [=](int i) { x[i] = rand(); });  //@lambda
  printf("%g\n", g.total());                //@prints
}
