// solve.cu - systems of three and five diagonals: a thread solves one system after another, with
// the text of portable_solvers.h and so with the bits of the host. The work memory of a thread lies
// side by side with that of its neighbours. A module has the kind PORTABLE__KIND.
#include "algorithm.h"
#include "portable_solvers.h"

#ifndef PORTABLE__KIND
#define PORTABLE__KIND 6
#endif

typedef long long i64;
#if PORTABLE__KIND == 5
typedef float kind;
#else
typedef double kind;
#endif

// An element anywhere.
struct element {
  char *at;
  int aligned;
  __device__ inline operator kind() const {
    if (aligned) return *(const kind *)at;
    kind x;
    for (unsigned i = 0; i < sizeof x; i++) ((char *)&x)[i] = at[i];
    return x;
  }
  __device__ inline kind operator=(kind x) const {
    if (aligned) {
      *(kind *)at = x;
      return x;
    }
    for (unsigned i = 0; i < sizeof x; i++) at[i] = ((const char *)&x)[i];
    return x;
  }
  __device__ inline kind operator=(const element &other) const { return *this = (kind)other; }
};

// An array whose elements lie `step` bytes apart.
struct elements {
  char *at;
  i64 step;
  int aligned;
  __device__ inline element operator[](i64 i) const {
    const element e = {at + i * step, aligned};
    return e;
  }
  __device__ inline elements operator+(i64 i) const {
    const elements e = {at + i * step, step, aligned};
    return e;
  }
};

#if PORTABLE__KIND == 5
static __device__ inline float portable__solver_nan_elements() { return portable__solver_nan_real32(); }
#define PORTABLE__PRODUCT(a, b) PORTABLE__PRODUCT32((kind)(a), (kind)(b))
#else
static __device__ inline double portable__solver_nan_elements() { return portable__solver_nan_real64(); }
#define PORTABLE__PRODUCT(a, b) PORTABLE__PRODUCT64((kind)(a), (kind)(b))
#endif
#define PORTABLE__NAMED(name) name##_elements
#define PORTABLE__REAL kind
#define PORTABLE__READ elements
#define PORTABLE__WRITE elements
#undef PORTABLE__SOLVER
#define PORTABLE__SOLVER static __device__ inline
#include "portable_solver_columns.h"

// The array of operand k of a system, and the system's number.
static __device__ inline i64 go(const portable__cuda_solve &s, i64 system, elements *x) {
  i64 number = 0;
  for (int k = 0; k < PORTABLE__CUDA_SOLVE_OPERANDS; k++) {
    x[k].at = s.at[k];
    x[k].step = s.step[k];
    x[k].aligned = s.aligned;
  }
  for (int a = 0; a < s.axes; a++) {
    const i64 i = a == s.axes - 1 ? system : system % s.axis[a].extent;
    system /= s.axis[a].extent;
    number += i * s.axis[a].weight;
    for (int k = 0; k < PORTABLE__CUDA_SOLVE_OPERANDS; k++) x[k].at += i * s.axis[a].step[k];
  }
  return number;
}

// column(x, work): the row of the first pivot of 0, or 0.
#define KERNEL(name, round, open)                                                                                                  \
  extern "C" __global__ void name(const portable__cuda_solve s) {                                                                  \
    const i64 thread = (i64)blockIdx.x * blockDim.x + threadIdx.x;                                                                 \
    const elements work = {s.work + thread * (i64)sizeof(kind), s.threads * (i64)sizeof(kind), 1};                                 \
    for (i64 system = thread; system < s.systems; system += (i64)gridDim.x * blockDim.x) {                                         \
      elements x[PORTABLE__CUDA_SOLVE_OPERANDS];                                                                                   \
      const i64 number = go(s, system, x), row = s.periodic ? (i64)round : (i64)open;                                              \
      if (row) atomicMin(s.found, number * s.n + row - 1);                                                                         \
    }                                                                                                                              \
  }
KERNEL(solve_three, portable_tridiagonal_periodic_column_elements(s.n, 1, x[0], x[1], x[2], x[5], work),
       portable_tridiagonal_column_elements(s.n, 1, x[0], x[1], x[2], x[5], work))
KERNEL(solve_five, portable_pentadiagonal_periodic_column_elements(s.n, 1, x[0], x[1], x[2], x[3], x[4], x[5], work),
       portable_pentadiagonal_column_elements(s.n, 1, x[0], x[1], x[2], x[3], x[4], x[5], work))
