// served.cpp - faults from C++, in a program that has nothing of the library but the link to portable::allocate; chosen by the first argument.
// Not in this file: C (served.c), Fortran (served.f90), arrays of the library (faults.cpp), what marks mean (../main.go).
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace {

volatile double sink;

// The compiler must not know where a pointer comes from, or it leaves new and delete out.
template <class T> T *hidden(T *p) {
  T *volatile place = p;
  return place;
}

// A static object that takes memory before main and frees it behind.
std::vector<std::string> early(3, "a text that is longer than what a string holds in itself");

// fault new_write: an array of new is written one element too far
void new_write() {
  double *a = hidden(new double[101]);
  for (int i = 0; i <= 101; i++) a[i] = i; //~ out-of-bounds
  sink = *hidden(a);
  delete[] a;
}

// fault new_vector: the element behind the last one of a vector
void new_vector() {
  std::vector<int> v(33, 1);
  int *data = hidden(v.data());
  data[33] = 2; //~ out-of-bounds
  sink = data[0];
}

// fault new_member: an object is used behind its delete
void new_member() {
  struct Cell { double x[3]; };
  Cell *cell = hidden(new Cell{{1, 2, 3}}), *again = hidden(cell);
  delete cell;
  sink = again->x[1]; //~ use-after-free
}

// fault new_iterator: a reference to an element outlives the growth of its vector
void new_iterator() {
  std::vector<double> v(10, 1.0);
  double *first = hidden(&v[0]);
  v.resize(1000);
  sink = *first; //~ use-after-free
}

// fault new_twice: two pointers to one object are both deleted
void new_twice() {
  int *a = hidden(new int(1)), *b = hidden(a);
  delete a;
  delete b; //~ double-free
  sink = 0; // so that the call is one, which returns here
}

// fault new_local: delete of an object on the stack
void new_local() {
  int a = 1;
  delete hidden(&a); //~ foreign-free
  sink = a;
}

// fault new_lost: an object that is never deleted
void new_lost() {
  int *a = hidden(new int(1)); //~ leak
  sink = *a;
}

// fault new_released: the object of make_unique is taken out of its pointer and forgotten
void new_released() {
  int *a = hidden(std::make_unique<int>(1).release()); //~ leak
  sink = *a;
}

// clean new_clean: containers of the standard library, aligned and placed objects, new that may fail
void new_clean() {
  volatile std::size_t too_many = static_cast<std::size_t>(-1) / 2 - 64;
  struct alignas(64) Wide { double x[8]; };
  std::map<std::string, std::vector<double>> all;
  for (int i = 0; i < 100; i++) all["the name of element " + std::to_string(i)].resize(static_cast<std::size_t>(i), 1.0);
  sink = all.begin()->second.size();
  std::unique_ptr<Wide> wide(new Wide());
  std::shared_ptr<int> shared = std::make_shared<int>(1);
  delete hidden(new (std::nothrow) char);
  delete[] hidden(new (std::nothrow) char[7]);
  if (hidden(new (std::nothrow) char[too_many]) != nullptr) throw 1;
  early.push_back(std::to_string(sink) + " and a text that is longer than what a string holds in itself");
  char *text = hidden(strdup("by libc"));
  std::free(text);
}

// clean new_throws: an exception leaves a function that has objects
void new_throws() {
  try {
    std::string text(100, 'x');
    throw text;
  } catch (const std::string &text) {
    sink = text.size();
  }
}

} // namespace

int main(int argc, char **argv) {
  static const struct { const char *name; void (*run)(); } all[] = {
    {"new_write", new_write}, {"new_vector", new_vector}, {"new_member", new_member}, {"new_iterator", new_iterator},
    {"new_twice", new_twice}, {"new_local", new_local}, {"new_lost", new_lost}, {"new_released", new_released}, {"new_clean", new_clean}, {"new_throws", new_throws}};
  for (const auto &one : all)
    if (argc > 1 && std::strcmp(argv[1], one.name) == 0) {
      one.run();
      return 0;
    }
  std::fprintf(stderr, "no such case\n");
  return 4;
}
