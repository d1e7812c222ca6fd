/* algorithm.h - what the kernels of reductions, scans, filters and sorts get from the host. Private; read by gcc and by NVRTC, so it
 * includes nothing and has no types but C's own.
 *
 * In this file: blocks of arguments, which are handed over by value. Not in this file: the kernels (reduce.cu, scan.cu, filter.cu, sort.cu), who
 * fills the blocks (exec/device). Constants that the host has under another name are compared there when it is compiled. */
#ifndef PORTABLE__CUDA_ALGORITHM_H
#define PORTABLE__CUDA_ALGORITHM_H

#define PORTABLE__CUDA_RANK 8
#define PORTABLE__CUDA_LEAF 4096      /* elements of a leaf of a reduction, and of a filter */
#define PORTABLE__CUDA_SCAN_LEAF 2048 /* of a scan */
#define PORTABLE__CUDA_RUN 8          /* elements of a run of a scan */
#define PORTABLE__CUDA_TREE 1024      /* partial results that a block makes one of */

/* One dimension, as struct portable__array_axis: bytes from one element to the next in each of two arrays. */
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
  const char *data, *mask; /* mask 0: all elements are in */
  char *results;
  struct portable__cuda_partial *partials; /* [lines][leaves] */
  long long count, leaves, lines;
  long long step; /* of the tree: partial results lie so many apart */
  long long extent[PORTABLE__CUDA_RANK];
  int place[PORTABLE__CUDA_RANK];
  int op, mask_bytes, inner, outer, rank; /* rank 0: a location is one number */
  int aligned;                            /* 1: every element is where its type may be */
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
  const char *data, *mask; /* of indices there is no data */
  char *packed;
  const char *rest;        /* pack: what goes behind the chosen ones; 0: nothing */
  long long *places;       /* [leaves]: how many each leaf chooses, then how many are before it */
  long long *total;        /* where host and device reach it */
  long long count, leaves, room, lower;
  long long element_bytes, packed_step, rest_step;
  int rank, mask_bytes, mask_aligned, index_bytes;
  int unit; /* bytes that are copied at a time: as many as all addresses suit */
  struct portable__cuda_axis axis[PORTABLE__CUDA_RANK]; /* other_step: of the mask */
};

/* ---- sorts ---- */

#define PORTABLE__CUDA_DIGIT 8                /* bits of a digit */
#define PORTABLE__CUDA_DIGITS 256
#define PORTABLE__CUDA_SORT_THREADS 256
#define PORTABLE__CUDA_SORT_ROUNDS 8          /* elements of a thread */
#define PORTABLE__CUDA_SORT_CHUNK 2048        /* elements of a block */

/* Elements are keys whose order as unsigned integers is the wanted one, and where they were. */
struct portable__cuda_sort {
  char *keys, *values; /* the user's; values: or indices */
  void *from, *to;     /* keys as unsigned integers; the step goes from one to the other */
  void *from_place, *to_place;
  char *moved;                    /* values in their new order, contiguous */
  unsigned long long *bits;       /* [2]: of all keys by and, by or */
  unsigned long long *differ;     /* in which they differ; where host and device reach it */
  long long *counts;              /* [256][chunks]: how often a digit occurs, then where the first one goes */
  long long *sums;                /* [256]: of a digit in all chunks, then of all lower ones */
  long long count, chunks, lower;
  long long key_step, value_step, value_bytes;
  unsigned long long mask, flip, back; /* as in struct portable__sort, for numbers of the key's size */
  int key_bytes, place_bytes, index_bytes;
  int shift;
  int with_places; /* 0: keys alone */
  int key_aligned, unit; /* bytes that values are copied by */
};

#endif
