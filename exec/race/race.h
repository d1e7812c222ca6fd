/* race.h - the check of races, for launches and lists of arguments. Not here: the functions that
 * kernels call (portable_race.h). Threads: see room.go. */
#ifndef PORTABLE__RACE_H
#define PORTABLE__RACE_H

#include "../../internal/edge/base.h"
#include "../../internal/team/team.h"

#define PORTABLE__RACE_ARRAYS 128

/* An array of the launch; strides in elements. */
struct portable__race_array {
  char name[64];
  uintptr_t first; /* the element with the lowest indices */
  int64_t bytes;   /* of an element; 0: not an array */
  int64_t low, elements; /* as in portable_shadow */
  int32_t rank, access;
  int64_t lower[8], extent[8], stride[8];
  uintptr_t cells; /* of `first`; 0: no cells */
  int32_t asked;   /* Go has decided about the cells */
  int32_t told;    /* the kernel has them, and reports each access */
};

/* A linear reference: to the element `first` in the first iteration, and `step` further in the next iteration of each dimension. */
struct portable__race_reference { int32_t array, writes; int64_t first, step[PORTABLE_LOOP_RANK]; };

/* A race: iteration `now` accessed an element after iteration `before`. */
struct portable__race_found {
  const char *label;
  const struct portable__race_array *array;
  int64_t element, now, before, line, line_before;
  int32_t writes, wrote; /* 1: now (before) wrote; 0: read */
  const struct portable__cut *space;
};

/* Called by Go: at each start and stop; for memory of zeros for cells, whose pages come at the first access. 0: no memory. */
void portable__races_set(int32_t on);
uintptr_t portable__race_take(uint64_t bytes);
void portable__race_give(uintptr_t cells, uint64_t bytes);

/* Sets the list of the calling thread's next launch, or NULL. */
struct portable__race_list;
void portable__race_follows(const struct portable__race_list *list);

/* Called for a launch on the host under the check: takes that list, and makes the launch serial. */
void portable__race_launches(struct portable__job *job, int ours);

/* 1: the launch of the tile is the checked one; *list_out: its list. */
int portable__race_of(const portable_tile *tile, const struct portable__race_list **list_out);
/* Adds an array and gives its number; -1: too many. view NULL: no array, which only takes a number. add first looks for it. */
int32_t portable__race_append(const char *name, const void *view, int32_t rank, size_t bytes, int32_t access);
int32_t portable__race_add(const char *name, const void *view, int32_t rank, size_t bytes, int32_t access);
/* The number of the first array of the list of portable__race_of; -1: not added. */
int32_t *portable__race_list_at(void);
/* Asks for cells of the new arrays; then gives the shadow of one. */
void portable__race_shadow(int32_t number, portable_shadow *shadow_out);
/* 1: no two iterations race by these references, nor with arrays that have a shadow. 0: unknown, or the tile is a part of the launch. */
int32_t portable__race_apart(const portable_tile *tile, struct portable__race_reference *references, int32_t count);

#endif
