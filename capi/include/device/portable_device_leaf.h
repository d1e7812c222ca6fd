/* portable_device_leaf.h - how a device goes through the leaves of a reduction. Part of portable_device_reduce.h; include that.
 *
 * A block has 32 leaves. Its threads find the values of a few iterations of each, neighbours along the index that runs fastest, and put them into shared
 * memory; there the threads of one warp, each of which has a leaf, add them up one after the other, as the host does, while the others
 * find the next ones. Everything is the library's.
 */
#ifndef PORTABLE_DEVICE_LEAF_H
#define PORTABLE_DEVICE_LEAF_H

#ifndef PORTABLE_DEVICE_REDUCE_H
#error "include portable_device_reduce.h, which includes this"
#endif

/* The record of a reduction's launch for its entry: portable_launch_space's reserved[0] points to it, in memory that host and device reach. The index that runs
 * fastest is at position 0. */
struct portable__reduce_info {
  int64_t leaves, step;                /* leaves; bytes of the partial results of one */
  int64_t tile[8], tiles[8];           /* iterations of a leaf along each position, and leaves */
  char *partials;                      /* [leaves][step] */
  const char *identity;                /* [step] */
  int32_t results, wrong;              /* wrong: becomes 1 where the entry has other results */
  int32_t operation[64], bytes[64], offset[64]; /* of each result: PORTABLE_REDUCE_..., and where in the partial results it is */
};

#define PORTABLE__REDUCE_THREADS 256
#define PORTABLE__REDUCE_LEAVES 32

#if defined(__CUDACC__)

/* The box of a leaf: its first iteration along each position, and how many there are. */
struct portable__leaf {
  int64_t begin[8], extent[8], count;
};

PORTABLE__FORCED void portable__leaf_find(const portable_launch_space &space, const struct portable__reduce_info *info, int64_t number, struct portable__leaf *leaf) {
  leaf->count = number < info->leaves;
  for (int k = 0; k < space.rank; k++) {
    const int64_t extent = space.extent[space.order == PORTABLE_ORDER_FORTRAN ? k : space.rank - 1 - k];
    const int64_t first = k == space.rank - 1 ? number : number % info->tiles[k];
    number /= info->tiles[k];
    leaf->begin[k] = first * info->tile[k];
    const int64_t left = extent - leaf->begin[k];
    leaf->extent[k] = left < info->tile[k] ? left : info->tile[k];
    leaf->count *= leaf->extent[k];
  }
}

/* The indices of an iteration of a leaf. */
PORTABLE__FORCED void portable__leaf_index(const portable_launch_space &space, const struct portable__leaf *leaf, int64_t t, int64_t *x) {
  for (int k = 0; k < space.rank; k++) {
    const int d = space.order == PORTABLE_ORDER_FORTRAN ? k : space.rank - 1 - k;
    int64_t i = t;
    if (k < space.rank - 1 && ((uint64_t)(t | leaf->extent[k]) >> 32) == 0) {
      i = (uint32_t)t % (uint32_t)leaf->extent[k];
      t = (uint32_t)t / (uint32_t)leaf->extent[k];
    } else if (k < space.rank - 1) {
      i = t % leaf->extent[k];
      t = t / leaf->extent[k];
    }
    x[d] = space.lower[d] + (leaf->begin[k] + i) * space.stride[d];
  }
}

/* Iterations of each leaf at a time, so that two rounds fit shared memory; 0: not even a few do. */
template <class results> struct portable__reduce_round {
#if defined(PORTABLE__REDUCE_IN_ORDER)
  enum { length = 0 };
#else
  enum { bytes = sizeof(results), length = bytes <= 16 ? 32 : bytes <= 32 ? 16 : bytes <= 64 ? 8 : bytes <= 120 ? 4 : 0 };
#endif
};

template <class reduction, int length> struct portable__reduce_by {
  static __device__ void run(const portable_launch_space &space, const struct portable__reduce_info *info, const typename reduction::args *a) {
    typedef typename reduction::results results;
    enum { row = length + 1, size = PORTABLE__REDUCE_LEAVES * row };
    __shared__ results given[2 * size];
    __shared__ struct portable__leaf leaves[PORTABLE__REDUCE_LEAVES];
    __shared__ int64_t longest;
    const int thread = threadIdx.x, column = thread % length;
    results none;
    reduction::load(&none, info->identity, info);
    for (int64_t first = (int64_t)blockIdx.x * PORTABLE__REDUCE_LEAVES; first < info->leaves; first += (int64_t)gridDim.x * PORTABLE__REDUCE_LEAVES) {
      results sum = none;
      if (thread < PORTABLE__REDUCE_LEAVES) portable__leaf_find(space, info, first + thread, &leaves[thread]);
      __syncthreads();
      if (thread == 0) {
        longest = 0;
        for (int l = 0; l < PORTABLE__REDUCE_LEAVES; l++)
          if (leaves[l].count > longest) longest = leaves[l].count;
      }
      __syncthreads();
      const int64_t rounds = (longest + length - 1) / length;
      for (int64_t round = 0; round < rounds; round++) {
        results *here = given + (round & 1) * size;
        const int64_t t = round * length + column;
        for (int l = thread / length; l < PORTABLE__REDUCE_LEAVES; l += PORTABLE__REDUCE_THREADS / length) {
          if (t >= leaves[l].count) continue;
          int64_t x[8];
          results one = none;
          portable__leaf_index(space, &leaves[l], t, x);
          reduction::one(space, a, x, &one);
          here[l * row + column] = one;
        }
        __syncthreads();
        if (thread >= PORTABLE__REDUCE_LEAVES) continue;
        const int64_t left = leaves[thread].count - round * length;
        for (int i = 0; i < length && i < left; i++) reduction::add(&sum, here[thread * row + i]);
      }
      if (thread < PORTABLE__REDUCE_LEAVES && first + thread < info->leaves) reduction::store(&sum, info->partials + (first + thread) * info->step, info);
      __syncthreads();
    }
  }
};

/* Many results: a thread has a leaf. In order, an iteration goes on with the results of those before it. */
template <class reduction> struct portable__reduce_by<reduction, 0> {
  static __device__ void run(const portable_launch_space &space, const struct portable__reduce_info *info, const typename reduction::args *a) {
    typedef typename reduction::results results;
    results none;
    reduction::load(&none, info->identity, info);
    for (int64_t number = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; number < info->leaves; number += (int64_t)gridDim.x * blockDim.x) {
      struct portable__leaf leaf;
      results sum = none;
      portable__leaf_find(space, info, number, &leaf);
      for (int64_t t = 0; t < leaf.count; t++) {
        int64_t x[8];
        portable__leaf_index(space, &leaf, t, x);
#if defined(PORTABLE__REDUCE_IN_ORDER)
        reduction::one(space, a, x, &sum);
#else
        results one = none;
        reduction::one(space, a, x, &one);
        reduction::add(&sum, one);
#endif
      }
      reduction::store(&sum, info->partials + number * info->step, info);
    }
  }
};

template <class reduction>
PORTABLE__FORCED void portable__reduce_leaves(const portable_launch_space &space, const typename reduction::args *a) {
  struct portable__reduce_info *info = (struct portable__reduce_info *)(uintptr_t)space.reserved[0];
  if (!reduction::fits(info)) {
    info->wrong = 1;
    return;
  }
  portable__reduce_by<reduction, portable__reduce_round<typename reduction::results>::length>::run(space, info, a);
}

#endif

#endif
