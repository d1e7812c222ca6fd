// The main program: C++ over C over Fortran, one library in the middle.
#include <cstdio>
#include <portable.h>

extern "C" {
int edge_start(void);
int edge_stop(void);
double physics_step(int n);
}

int main() {
  if (edge_start() != 0) return 1;
  const double total = physics_step(10);
  if (total != 30.0 || edge_stop() != 0) return 1;
  std::printf("program works\n");
  return 0;
}
