/* fft.h - Fourier transforms: the record of a plan, what a call is, and the work on a range of its lines. Private.
 *
 * Lines are numbered along the axes of an array that remain without the one that is transformed, the fastest axis first. A line is
 * cut into the lanes of vectors, or several lines are the lanes. In C because compilers vectorise C, and because kernels never run on a
 * stack of Go. Not in this file: lengths and tables of a plan (internal/fourier), the checks of what the user says, and the launch
 * (exec/algorithm/fft.c). Pure functions over memory of the caller; different lines may be worked on by different threads at once. */
#ifndef PORTABLE__FFT_H
#define PORTABLE__FFT_H

#include "../../../capi/include/c/portable.h"

#define PORTABLE__FFT_PASSES 40 /* the most: a length of 63 bits has fewer factors */

/* A complex transform whose length is a product of the radices. Pass i joins radix[i] transforms of the product of the radices before it. */
struct portable__fft_passes {
  int64_t n;
  int32_t count, reserved;
  int32_t radix[PORTABLE__FFT_PASSES];
  int64_t table[PORTABLE__FFT_PASSES]; /* where its factors begin in the numbers of the plan; the first pass has none */
};

/* The numbers of a plan for one kind of real: cosines and sines, in two parts each, first all cosines. A pass has
 * exp(-2 pi i k l / (product * radix)) as [l - 1][k], with l below the radix and k below the product. Indices count numbers. */
struct portable__fft_numbers {
  const void *at;
  int64_t count;
  struct portable__fft_passes passes;
  int64_t turns;    /* of even real lines: exp(-2 pi i k / n), k = 0 to n/2 */
  int64_t chirp;    /* of padded lines: exp(-pi i k k / m), k below m */
  int64_t spectrum; /* of padded lines: the transform of the conjugate chirp over the padded length */
};

/* Functions of a library with FFTW's interface, for one kind of real, and its plans of this length: of contiguous lines, out of place, for memory of any
 * alignment. A library that lacks a function has none of them. */
struct portable__fft_vendor {
  void (*complex)(void *plan, void *in, void *out);
  void (*forward)(void *plan, void *in, void *out); /* of real lines */
  void (*backward)(void *plan, void *in, void *out); /* it overwrites in */
  void (*destroy)(void *plan);
};

/* Written by Go before it is published, and not changed afterwards. */
struct portable__fft_plan {
  int64_t n;      /* of a line of numbers; a real line has n/2 + 1 complex numbers on the other side */
  int32_t real, reserved;
  int64_t m;      /* of the complex transform: n, or n/2 of even real lines */
  int64_t padded; /* its length by Bluestein's method; 0: m is a product of the radices */
  struct portable__fft_numbers numbers[2]; /* of real32 and real64 */
  const struct portable__fft_vendor *vendor[2]; /* of real32 and real64; NULL: our own passes. exec/algorithm/fft_library.c sets both */
  void *vendor_plan[2][2];                      /* of a kind: forward, backward */
};

struct portable__fft_side {
  char *at;
  int64_t step; /* bytes from one element of a line to the next */
  int64_t part; /* bytes from the real to the imaginary part */
};

struct portable__fft_axis {
  int64_t extent, step[2]; /* bytes from one line to the next: from, to */
};

struct portable__fft {
  const struct portable__fft_plan *plan;
  int32_t bytes; /* of a real number: 4 or 8 */
  int32_t backward;
  int32_t width; /* lines of a group */
  int32_t axes;
  int64_t lines;
  struct portable__fft_side side[2]; /* from, to */
  struct portable__fft_axis axis[PORTABLE_LOOP_RANK];
};

/* Chooses the width, for that number of threads. */
void portable__fft_cut(struct portable__fft *f, int32_t threads);

/* Bytes of scratch memory of a thread, which is aligned at 64 bytes. -1: more than int64_t counts. */
int64_t portable__fft_scratch_bytes(const struct portable__fft *f);

/* Transforms the lines from..to-1. A line is read before it is written, so both may have one memory. */
void portable__fft_range(const struct portable__fft *f, int64_t from, int64_t to, void *scratch);

/* The same two with the library's plan; there is one. */
int64_t portable__fft_vendor_bytes(const struct portable__fft *f);
void portable__fft_vendor_range(const struct portable__fft *f, int64_t from, int64_t to, void *scratch);

/* Copies numbers of 4 or 8 bytes that lie from_step bytes apart to places that lie to_step bytes apart. */
void portable__fft_copy(char *to, int64_t to_step, const char *from, int64_t from_step, int64_t count, int bytes);
/* Where a line begins, in bytes from the first number of each side. Gives how many lines are left on the first axis, with this one. */
int64_t portable__fft_locate(const struct portable__fft *f, int64_t line, int64_t *offset);

/* Completes the spectrum of the numbers of real64, where `at` has the conjugate chirp, padded with 0. 0: no memory. */
int portable__fft_spectrum(const struct portable__fft_plan *plan, double *at);

#endif
