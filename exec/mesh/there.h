/* there.h - a call on a CUDA device: its place, its blocks of scratch memory, the numbers that its
 * kernels find, the memory of what it makes. Private. Not here: the kernels
 * (internal/backend/cuda/kernels), one launch (exec/device). Threads: the work is one call's. */
#ifndef PORTABLE__MESH_THERE_H
#define PORTABLE__MESH_THERE_H

#include "../../internal/backend/cuda/kernels/mesh.h"
#include "../device/device_algorithm.h"

#define PORTABLE__THERE_BLOCKS 6
#define PORTABLE__FOUND 4

/* Lists of kernels, as exec/device_lists.go names them. */
enum {
  PORTABLE__MESH_PAIRS, PORTABLE__MESH_TURN, PORTABLE__MESH_ROWS, PORTABLE__MESH_STARTS, PORTABLE__MESH_WIDEN, PORTABLE__MESH_TOTAL, PORTABLE__MESH_COUNTED,
  PORTABLE__MESH_ORDER, PORTABLE__MESH_MOVE, PORTABLE__MESH_CELLS, PORTABLE__MESH_GATHER, PORTABLE__MESH_COUNT, PORTABLE__MESH_FILL, PORTABLE__MESH_MAP_BEGIN,
  PORTABLE__MESH_MAP_NEW, PORTABLE__MESH_MAP_PACK, PORTABLE__MESH_MAP_FIND, PORTABLE__MESH_MERGE
};
#define PORTABLE__MESH_LIST(list) PORTABLE__LIST(PORTABLE__LIST_MESH, list, 0, 0)

struct portable__there {
  struct portable__place place; /* index -1: the host does it */
  struct portable__workspace block[PORTABLE__THERE_BLOCKS];
  int32_t blocks;
  int32_t own; /* 1: what the call makes lies in the device's own memory */
  long long *found; /* [FOUND], each INT64_MAX before; host and device can access it */
  portable_status status;       /* the first failure; later takes and runs do nothing */
};

/* Chooses the place of a call, as portable__place does; the host does a call without arrays. makes 1: the call makes a block. That lies in the default pool if the device can access it. If not, the
 * device does the call only for arrays that the host cannot access, and the block lies in the device's own memory. */
portable_status portable__there_choose(struct portable__there *t, const char *call, const char *label, const portable_launch_config *config,
                                       const struct portable__memory *memory, int32_t count, int32_t makes);

/* Before the first run: memory for found. */
void portable__there_begin(struct portable__there *t);
/* A block of the device for the time of the call; NULL: bytes is 0, or it failed. */
void *portable__there_take(struct portable__there *t, int64_t bytes);
/* Runs the kernels of a list; see portable__place_chain. */
void portable__there_run(struct portable__there *t, uint32_t list, const int64_t *threads, int32_t steps, const void *block, size_t bytes);
/* For texts of errors, of memory that the place can access: an element of up to 8 bytes, and number k of 4 or 8 bytes. */
void portable__there_element(const struct portable__there *t, const void *from, size_t bytes, void *to);
int64_t portable__there_get(const struct portable__there *t, const void *at, int32_t bytes, int64_t k);
/* Frees the blocks, and gives the status. */
portable_status portable__there_end(struct portable__there *t);

/* The status of a call inside this one, whose error names this one. */
static inline portable_status portable__rename_unless_ok(portable_status status, const char *call) {
  return status == PORTABLE_OK ? status : portable__rename_error(status, call);
}

/* Memory of what a call makes; t: of the call; NULL: one of the host. */
portable_status portable__made_alloc(const struct portable__there *t, size_t bytes, const char *label, void **block);
portable_status portable__made_free(void *block);

#endif
