/* fake_fftw.c - a library with FFTW's interface for real64: sums, and a count of executions. It has none of the functions for real32. */
#include <math.h>
#include <stdlib.h>

struct plan {
  int n, sign, real; /* real: 1 forward, 2 backward */
};

int fake_fftw_executed, fake_fftw_plans;

static struct plan *make(int n, int sign, int real) {
  struct plan *p = malloc(sizeof *p);
  if (!p) return NULL;
  p->n = n, p->sign = sign, p->real = real;
  fake_fftw_plans++;
  return p;
}

static void sum_up(const struct plan *p, const double *in, double *out) {
  for (int k = 0; k < (p->real == 1 ? p->n / 2 + 1 : p->n); k++) {
    double r = 0, i = 0;
    for (int j = 0; j < p->n; j++) {
      const double angle = p->sign * 2 * acos(-1.0) * ((double)j * k - floor((double)j * k / p->n) * p->n) / p->n;
      const int at = p->real == 2 && j > p->n / 2 ? p->n - j : j;
      const double a = p->real == 1 ? in[j] : in[2 * at];
      const double b = p->real == 1 || (p->real == 2 && (at == 0 || 2 * at == p->n)) ? 0 : (at == j ? 1 : -1) * in[2 * at + 1];
      r += a * cos(angle) - b * sin(angle);
      i += a * sin(angle) + b * cos(angle);
    }
    out[p->real == 2 ? k : 2 * k] = r;
    if (p->real != 2) out[2 * k + 1] = i;
  }
  __atomic_fetch_add(&fake_fftw_executed, 1, __ATOMIC_RELAXED);
}

void *fftw_plan_dft_1d(int n, void *in, void *out, int sign, unsigned flags) { return (void)in, (void)out, (void)flags, make(n, sign, 0); }
void *fftw_plan_dft_r2c_1d(int n, void *in, void *out, unsigned flags) { return (void)in, (void)out, (void)flags, make(n, -1, 1); }
void *fftw_plan_dft_c2r_1d(int n, void *in, void *out, unsigned flags) { return (void)in, (void)out, (void)flags, make(n, 1, 2); }
void fftw_execute_dft(void *plan, void *in, void *out) { sum_up(plan, in, out); }
void fftw_execute_dft_r2c(void *plan, void *in, void *out) { sum_up(plan, in, out); }
void fftw_execute_dft_c2r(void *plan, void *in, void *out) {
  sum_up(plan, in, out);
  for (int i = 0; i < ((struct plan *)plan)->n / 2 + 1; i++) ((double *)in)[2 * i] = -7; /* as FFTW may do */
}
void fftw_destroy_plan(void *plan) {
  free(plan);
  fake_fftw_plans--;
}
