/* portable_device_view.h - arrays in the argument blocks of kernels: where the elements are, bounds and strides, as plain values that C,
 * C++, Fortran and CUDA C share. Part of portable_device.h; include that.
 *
 * In a block:        C                            C++ and CUDA C
 *                    portable_view_2 h;           portable_view<double, 2> h;        the same bytes; the argument's kind is ARRAY
 * In a body:         PORTABLE_AT_2(double, a->h, i, j) = 1;      a->h(i, j) = 1;
 * On the host:       portable_view_of(&array, 2, &args.h, sizeof args.h)     (portable_cuda.h)
 *
 * Indices are those of the array, whatever its lower bounds, strides and order are. A view holds nothing: the array lives longer than the
 * launch (the memory of what is declared as an ARRAY is kept until the stream has passed it).
 *
 * Checks: with PORTABLE_CHECK=arrays the library compiles device code with -DPORTABLE_BOUNDS_CHECK, and so may who compiles for the host. An
 * index out of bounds then fails the launch: the next fence reports label, argument, dimension, index and bounds. The
 * element that is given instead is a place that stands for it.
 */
#ifndef PORTABLE_DEVICE_VIEW_H
#define PORTABLE_DEVICE_VIEW_H

#ifndef PORTABLE_DEVICE_H
#error "include portable_device.h, which includes this"
#endif

typedef struct portable_view_dimension {
  int64_t lower, extent, stride; /* first index; how many there are; elements from one index to the next */
} portable_view_dimension;

/* A view of rank R; one of a lower rank has the same beginning. data is the element whose indices are all lowest.  Since: 0.1 */
#define PORTABLE__VIEW(R)                                                                                    \
  typedef struct portable_view_##R {                                                                         \
    void *data;                                                                                              \
    int32_t rank, argument; /* argument: the library's */                                                    \
    portable_view_dimension dim[R];                                                                          \
  } portable_view_##R;
PORTABLE__VIEW(1)
PORTABLE__VIEW(2)
PORTABLE__VIEW(3)
PORTABLE__VIEW(4)
PORTABLE__VIEW(5)
PORTABLE__VIEW(6)
PORTABLE__VIEW(7)
PORTABLE__VIEW(8)
#undef PORTABLE__VIEW

/* A view of any rank.  Since: 0.1 */
typedef portable_view_8 portable_array_view;

#define PORTABLE__PLACE_BYTES 256

#if defined(PORTABLE_BOUNDS_CHECK)

#if defined(__CUDACC__)
static __device__ __attribute__((aligned(64))) unsigned char portable__place[PORTABLE__PLACE_BYTES]; /* any element may be stored to it */

static __noinline__ __device__ void *portable__outside(const void *data, int32_t argument, int32_t rank, int32_t d, int64_t i, int64_t lower,
                                                       int64_t extent) {
  struct portable__note *note = portable__note_take(portable__here_notes, portable__here_kernel, 0);
  if (note) {
    note->kind = PORTABLE__NOTE_INDEX;
    note->argument = argument;
    note->rank = rank;
    note->dimension = d + 1;
    note->index = i;
    note->lower = lower;
    note->upper = lower + extent - 1;
    note->data = (uint64_t)data;
    portable__note_give(portable__here_notes, note);
  }
  return portable__place;
}
#else
#define portable__outside portable_view_outside
#endif

/* The element, or what stands for it. */
#if defined(__CUDACC__)
static __inline__ __device__
#else
PORTABLE_FUNCTION
#endif
void *portable__view_checked(const void *data, int32_t argument, const portable_view_dimension *dim, int32_t rank, const int64_t *index,
                             size_t bytes) {
  int64_t offset = 0;
  int32_t d;
  for (d = 0; d < rank; d++) {
    const int64_t k = index[d] - dim[d].lower;
    if (k < 0 || k >= dim[d].extent) return portable__outside(data, argument, rank, d, index[d], dim[d].lower, dim[d].extent);
    offset += k * dim[d].stride;
  }
  return (char *)(uintptr_t)data + offset * (int64_t)bytes;
}

#ifdef __cplusplus
/* C++ has no compound literals. */
struct portable__indices {
  int64_t at[8];
#if defined(__CUDACC__)
  __device__
#endif
  portable__indices(int64_t i, int64_t j = 0, int64_t k = 0, int64_t l = 0, int64_t m = 0, int64_t n = 0, int64_t o = 0, int64_t p = 0) {
    at[0] = i; at[1] = j; at[2] = k; at[3] = l; at[4] = m; at[5] = n; at[6] = o; at[7] = p;
  }
};
#define PORTABLE__LIST(r, args) (portable__indices args.at)
#else
#define PORTABLE__LIST(r, args) PORTABLE__LIST_##r args
#define PORTABLE__LIST_1(i) (const int64_t[1]){i}
#define PORTABLE__LIST_2(i, j) (const int64_t[2]){i, j}
#define PORTABLE__LIST_3(i, j, k) (const int64_t[3]){i, j, k}
#define PORTABLE__LIST_4(i, j, k, l) (const int64_t[4]){i, j, k, l}
#endif
#define PORTABLE__AT(r, type, v, args, offset) \
  (*(type *)portable__view_checked((v).data, (v).argument, (v).dim, r, PORTABLE__LIST(r, args), sizeof(type)))

#else
#define PORTABLE__AT(r, type, v, args, offset) (((type *)(v).data)[offset])
#endif

/* Offsets in elements. The first dimension of Fortran's order, and the last one of C's, have a stride of 1 mostly, but not always. */
#define PORTABLE__PART(v, d, i) (((int64_t)(i) - (v).dim[d].lower) * (v).dim[d].stride)

/* The element of a view of that rank, as an lvalue of the type.  Since: 0.1 */
#define PORTABLE_AT_1(type, v, i) PORTABLE__AT(1, type, v, (i), PORTABLE__PART(v, 0, i))
#define PORTABLE_AT_2(type, v, i, j) PORTABLE__AT(2, type, v, (i, j), PORTABLE__PART(v, 0, i) + PORTABLE__PART(v, 1, j))
#define PORTABLE_AT_3(type, v, i, j, k) \
  PORTABLE__AT(3, type, v, (i, j, k), PORTABLE__PART(v, 0, i) + PORTABLE__PART(v, 1, j) + PORTABLE__PART(v, 2, k))
#define PORTABLE_AT_4(type, v, i, j, k, l)                                                                              \
  PORTABLE__AT(4, type, v, (i, j, k, l),                                                                                \
               PORTABLE__PART(v, 0, i) + PORTABLE__PART(v, 1, j) + PORTABLE__PART(v, 2, k) + PORTABLE__PART(v, 3, l))

/* Bounds and extent of dimension d of a view, counted from 1.  Since: 0.1 */
#define PORTABLE_LBOUND(v, d) ((v).dim[(d) - 1].lower)
#define PORTABLE_EXTENT(v, d) ((v).dim[(d) - 1].extent)
#define PORTABLE_UBOUND(v, d) ((v).dim[(d) - 1].lower + (v).dim[(d) - 1].extent - 1)

#ifdef __cplusplus

#if defined(__CUDACC__) && !defined(__CUDACC_RTC__) && !defined(PORTABLE_BOUNDS_CHECK)
#define PORTABLE__VIEW_INLINE __forceinline__ __host__ __device__
#elif defined(__CUDACC__)
#define PORTABLE__VIEW_INLINE __forceinline__ __device__
#else
#define PORTABLE__VIEW_INLINE inline
#endif

#define PORTABLE_ORDER_ANY (-1)

/* The order of the arrays of Fortran in generated kernels; PORTABLE_ORDER_ANY if a rule has put one of them into another order. */
#ifndef PORTABLE_NEST_ORDER
#define PORTABLE_NEST_ORDER PORTABLE_ORDER_FORTRAN
#endif

template <bool right> struct portable__view_has;
template <> struct portable__view_has<true> {
  enum { as_many_indices_as_the_rank };
};

/* A view of a type. order: PORTABLE_ORDER_FORTRAN or _C says that the elements of the first, or the last, dimension lie side by side, so
 * that compilers vectorise: the caller's promise, as that of CONTIGUOUS in Fortran.
 * Ranks 1 to 8; as many indices as the rank.  Since: 0.1 */
template <class T, int rank_, int order_ = PORTABLE_ORDER_ANY> struct portable_view {
  T *data;
  int32_t rank, argument;
  portable_view_dimension dim[static_cast<unsigned>(rank_)];

  PORTABLE__VIEW_INLINE int64_t lbound(int d) const { return dim[d - 1].lower; }
  PORTABLE__VIEW_INLINE int64_t extent(int d) const { return dim[d - 1].extent; }
  PORTABLE__VIEW_INLINE int64_t ubound(int d) const { return dim[d - 1].lower + dim[d - 1].extent - 1; }

  PORTABLE__VIEW_INLINE T &operator()(int64_t i) const { return at<1>(i); }
  PORTABLE__VIEW_INLINE T &operator()(int64_t i, int64_t j) const { return at<2>(i, j); }
  PORTABLE__VIEW_INLINE T &operator()(int64_t i, int64_t j, int64_t k) const { return at<3>(i, j, k); }
  PORTABLE__VIEW_INLINE T &operator()(int64_t i, int64_t j, int64_t k, int64_t l) const { return at<4>(i, j, k, l); }
  PORTABLE__VIEW_INLINE T &operator()(int64_t i, int64_t j, int64_t k, int64_t l, int64_t m) const { return at<5>(i, j, k, l, m); }
  PORTABLE__VIEW_INLINE T &operator()(int64_t i, int64_t j, int64_t k, int64_t l, int64_t m, int64_t n) const { return at<6>(i, j, k, l, m, n); }
  PORTABLE__VIEW_INLINE T &operator()(int64_t i, int64_t j, int64_t k, int64_t l, int64_t m, int64_t n, int64_t o) const {
    return at<7>(i, j, k, l, m, n, o);
  }
  PORTABLE__VIEW_INLINE T &operator()(int64_t i, int64_t j, int64_t k, int64_t l, int64_t m, int64_t n, int64_t o, int64_t p) const {
    return at<8>(i, j, k, l, m, n, o, p);
  }

private:
  template <int d> PORTABLE__VIEW_INLINE int64_t part(int64_t i) const {
    if (d >= rank_) return 0;
    const int at = d < rank_ ? d : 0;
    const bool contiguous = order_ == PORTABLE_ORDER_FORTRAN ? d == 0 : order_ == PORTABLE_ORDER_C ? d == rank_ - 1 : false;
    return contiguous ? i - dim[at].lower : (i - dim[at].lower) * dim[at].stride;
  }
  template <int given> PORTABLE__VIEW_INLINE T &at(int64_t i, int64_t j = 0, int64_t k = 0, int64_t l = 0, int64_t m = 0, int64_t n = 0,
                                                   int64_t o = 0, int64_t p = 0) const {
    (void)portable__view_has<given == rank_>::as_many_indices_as_the_rank;
#if defined(PORTABLE_BOUNDS_CHECK)
    (void)portable__view_has<sizeof(T) <= PORTABLE__PLACE_BYTES>::as_many_indices_as_the_rank; /* else: elements too large to be checked */
    return *(T *)portable__view_checked((const void *)data, argument, dim, rank_, portable__indices(i, j, k, l, m, n, o, p).at, sizeof(T));
#else
    return data[part<0>(i) + part<1>(j) + part<2>(k) + part<3>(l) + part<4>(m) + part<5>(n) + part<6>(o) + part<7>(p)];
#endif
  }
};

#endif

/* A live-out in an argument block: on the host the handle (kind LIVEOUT), in the body the address of the value.  Since: 0.1 */
typedef union portable_liveout_argument {
  uint64_t handle;
  void *value;
} portable_liveout_argument;

/* The value of a live-out in a body, as an lvalue of the type: PORTABLE_LIVEOUT(double, a->dt) = 0.5; one iteration writes it, or atomics do.
 * Since: 0.1 */
#define PORTABLE_LIVEOUT(type, argument) (*(type *)(argument).value)

#endif
