/* algorithm.h - arguments of the kernels of reductions, scans, filters, sorts, operations on
 * elements and random numbers. Private; gcc and NVRTC read it, so it includes nothing and has no
 * types but C's own. The blocks of arguments are passed by value. Not in this file: the kernels
 * (*.cu), the code that fills the blocks (exec/device). Constants that the host has under another
 * name are compared there at compilation. */
#ifndef PORTABLE__CUDA_ALGORITHM_H
#define PORTABLE__CUDA_ALGORITHM_H

#define PORTABLE__CUDA_RANK 8
#define PORTABLE__CUDA_LEAF 4096      /* elements of a leaf of a reduction, and of a filter */
#define PORTABLE__CUDA_SCAN_LEAF 2048 /* of a scan */
#define PORTABLE__CUDA_RUN 8          /* elements of a run of a scan */
#define PORTABLE__CUDA_TREE 1024      /* partial results that a block makes one of */

/* One dimension, as struct portable__array_axis: the byte stride in each of two arrays. */
struct portable__cuda_axis {
  long long extent, step, other_step;
};

/* ---- reductions of arrays ---- */

/* As struct portable__array_partial. */
struct portable__cuda_partial {
  union {
    long long i;
    double d;
    float f;
    double z[2];
    float c[2];
  } value;
  long long leaf;
  int has;
};

struct portable__cuda_reduction {
  const char *data, *mask; /* mask 0: all elements are chosen */
  char *results;
  struct portable__cuda_partial *partials; /* [lines][leaves] */
  long long count, leaves, lines;
  long long step; /* of the tree: the distance of partial results */
  long long extent[PORTABLE__CUDA_RANK];
  int place[PORTABLE__CUDA_RANK];
  int op, mask_bytes, inner, outer, rank; /* rank 0: a location is one number */
  int aligned;                            /* 1: every element is aligned for its type */
  struct portable__cuda_axis in[PORTABLE__CUDA_RANK], out[PORTABLE__CUDA_RANK];
};

/* ---- scans ---- */

/* A value of any kind, as union portable__scan_value. */
union portable__cuda_value {
  signed char int8;
  short int16;
  int int32;
  long long int64;
  float real32;
  double real64;
};

struct portable__cuda_scan {
  const char *data;
  char *results;
  union portable__cuda_value *totals; /* [lines][leaves]: of each leaf, then of all before it */
  long long count, leaves, lines;
  int inner, outer, exclusive, has_initial, aligned;
  union portable__cuda_value initial;
  struct portable__cuda_axis in[PORTABLE__CUDA_RANK], out[PORTABLE__CUDA_RANK]; /* other_step: of the results */
};

/* ---- filters ---- */

struct portable__cuda_filter {
  const char *data, *mask; /* there is no data for indices */
  char *packed;
  const char *rest;        /* pack: the values after the chosen ones; 0: none */
  long long *places;       /* [leaves]: how many elements each leaf chooses, then how many come before it */
  long long *total;        /* host and device can access it */
  long long count, leaves, room, lower;
  long long element_bytes, packed_step, rest_step;
  int rank, mask_bytes, mask_aligned, index_bytes;
  int unit; /* bytes to copy at a time: the most that all addresses allow */
  struct portable__cuda_axis axis[PORTABLE__CUDA_RANK]; /* other_step: of the mask */
};

/* ---- sorts ---- */

#define PORTABLE__CUDA_DIGIT 8                /* bits of a digit */
#define PORTABLE__CUDA_DIGITS 256
#define PORTABLE__CUDA_SORT_THREADS 256
#define PORTABLE__CUDA_SORT_ROUNDS 8          /* elements of a thread */
#define PORTABLE__CUDA_SORT_CHUNK 2048        /* elements of a block */

/* Elements are keys whose order as unsigned integers is the requested one, and their positions. */
struct portable__cuda_sort {
  char *keys, *values; /* the user's; values: or indices */
  void *from, *to;     /* keys as unsigned integers; each step moves them */
  void *from_place, *to_place;
  char *moved;                    /* values in their new order, contiguous */
  unsigned long long *bits;       /* [2]: all keys combined by and, and by or */
  unsigned long long *differ;     /* bits in which they differ; host and device can access it */
  long long *counts;              /* [256][chunks]: how often a digit occurs, then the position of the first one */
  long long *sums;                /* [256]: of a digit in all chunks, then of all lower digits */
  long long count, chunks, lower;
  long long key_step, value_step, value_bytes;
  unsigned long long mask, flip, back; /* as in struct portable__sort, for numbers of the key's size */
  int key_bytes, place_bytes, index_bytes;
  int shift;
  int with_places; /* 0: keys alone */
  int key_aligned, unit; /* bytes to copy values at a time */
};

/* ---- operations element by element ---- */

/* As struct portable__component_axis and portable__componentwise. Operands: the result, a, b, the mask. */
struct portable__cuda_component_axis {
  long long extent, step[4];
};

struct portable__cuda_componentwise {
  long long *found; /* of a search: the number of the first element without a result; host and device can access it */
  char *at[4];      /* 0: no operand, or one value */
  long long bytes[4], value[4][2];
  struct portable__cuda_component_axis axis[PORTABLE__CUDA_RANK];
  long long count;
  int axes, aligned; /* aligned 1: every element is aligned for its type */
};

/* ---- random numbers ---- */

/* As struct portable__random_fill, which has nothing behind draw. */
struct portable__cuda_random {
  char *at;
  struct portable__cuda_axis axis[PORTABLE__CUDA_RANK];
  unsigned key[4];
  long long first, count;
  int axes, kind, distribution, draw;
  int aligned; /* 1: every element is aligned for its type */
};

/* ---- ghost cells ---- */

#define PORTABLE__CUDA_HALO_AXES 7

/* As struct portable__halo_rows. */
struct portable__cuda_halo_rows {
  char *at;
  const long long *index;
  long long index_step, indices, offset, first, count, first_element;
  long long extent[PORTABLE__CUDA_HALO_AXES], step[PORTABLE__CUDA_HALO_AXES];
  int axes, bytes, kind, group;
};

/* The elements from..to-1 of a list of rows. way: 0: into the buffer, 1: out of it, 2: added. */
struct portable__cuda_halo {
  const struct portable__cuda_halo_rows *rows;
  char *buffer;
  long long from, to;
  int rows_count, way;
};

/* ---- systems of three and five diagonals ---- */

#define PORTABLE__CUDA_SOLVE_OPERANDS 6

/* As struct portable__solve_axis, and what a thread needs of struct portable__solve. */
struct portable__cuda_solve_axis {
  long long extent, weight, step[PORTABLE__CUDA_SOLVE_OPERANDS];
};

struct portable__cuda_solve {
  char *at[PORTABLE__CUDA_SOLVE_OPERANDS];
  long long step[PORTABLE__CUDA_SOLVE_OPERANDS]; /* from one row to the next */
  struct portable__cuda_solve_axis axis[PORTABLE__CUDA_RANK];
  char *work;       /* [number][thread] */
  long long *found; /* the first pivot of 0; host and device can access it */
  long long n, systems, threads;
  int periodic, axes, aligned; /* aligned 1: every element is aligned for its type */
};

/* ---- transforms ---- */

#define PORTABLE__CUDA_FFT_PASSES 40

/* As struct portable__fft_axis, and what a thread needs of struct portable__fft and its plan. */
struct portable__cuda_fft_axis {
  long long extent, step[2];
};

struct portable__cuda_fft {
  char *at[2];
  long long step[2], part[2];
  struct portable__cuda_fft_axis axis[PORTABLE__CUDA_RANK];
  long long lines, n, m, padded, length, turns, chirp, spectrum, count; /* length: of the passes; count: of the numbers of all tables */
  long long table[PORTABLE__CUDA_FFT_PASSES];
  int radix[PORTABLE__CUDA_FFT_PASSES];
  const void *from;            /* the tables; host and device can access them */
  void *numbers;               /* their copy on the device */
  char *work;                  /* [buffer][number][part][thread]: two buffers of `elements` complex numbers */
  long long threads, elements;
  int real, backward, axes, passes, aligned; /* aligned 1: every element is aligned for its type */
};

/* A side of lines that cuFFT does not take as they lie, and a copy of it. */
struct portable__cuda_fft_side {
  char *at, *packed;
  long long part, count, n; /* count: all elements; n: of a line */
  long long extent[PORTABLE__CUDA_RANK], step[PORTABLE__CUDA_RANK], packed_step[PORTABLE__CUDA_RANK]; /* the last one in elements */
  int axes, along; /* along: the axis of the lines */
  int pairs;       /* 1: an element is a complex number */
  int half;        /* 1: of real lines; parts that do not matter are 0 in the copy */
  int aligned;     /* 1: every number is aligned for its type */
};

#endif
