/* race.h - the check of races, for launches and for lists of arguments. Private. Not here: what kernels call (portable_race.h). Threads: as room.go says. */
#ifndef PORTABLE__RACE_H
#define PORTABLE__RACE_H

#include "../../internal/edge/base.h"
#include "../../internal/team/team.h"

#define PORTABLE__RACE_ARRAYS 128

/* An array of the launch; strides in elements. */
struct portable__race_array {
  char name[64];
  uintptr_t first; /* the element with the lowest indices */
  int64_t bytes;   /* of an element; 0: it is no array */
  int64_t low, elements; /* as in portable_shadow */
  int32_t rank, access;
  int64_t lower[8], extent[8], stride[8];
  uintptr_t cells; /* of `first`; 0: none */
  int32_t asked;   /* Go has decided about the cells */
  int32_t told;    /* the kernel has them, and tells each access */
};

/* A reference that is linear in the iteration: the element `first` in the first one, `step` more in its neighbour in each dimension of the space. */
struct portable__race_reference { int32_t array, writes; int64_t first, step[PORTABLE_LOOP_RANK]; };

/* A race: iteration `now` touched an element after iteration `before`. */
struct portable__race_found {
  const char *label;
  const struct portable__race_array *array;
  int64_t element, now, before, line, line_before;
  int32_t writes, wrote; /* 1: now (before) wrote; 0: read */
  const struct portable__cut *space;
};

/* Go calls these: at each start and stop; memory of zeros for cells, whose pages come as they are touched, 0: there is none. */
void portable__races_set(int32_t on);
uintptr_t portable__race_take(uint64_t bytes);
void portable__race_give(uintptr_t cells, uint64_t bytes);

/* Of the calling thread: what its next launch says; NULL: nothing. */
struct portable__race_list;
void portable__race_follows(const struct portable__race_list *list);

/* A launch that is about to run on the host, while races are checked: takes what follows, and makes it run serially. */
void portable__race_launches(struct portable__job *job, int ours);

/* The launch of the tile is the one that is checked now; *list_out: what it has said. */
int portable__race_of(const portable_tile *tile, const struct portable__race_list **list_out);
/* Adds an array; its number, -1: there are too many. view NULL: no array, which keeps numbers in step. add: or finds it. */
int32_t portable__race_append(const char *name, const void *view, int32_t rank, size_t bytes, int32_t access);
int32_t portable__race_add(const char *name, const void *view, int32_t rank, size_t bytes, int32_t access);
/* The number of the first array of the list that portable__race_of gave; -1: it was not added. */
int32_t *portable__race_list_at(void);
/* Asks for cells of those that were added since; then the shadow of one. */
void portable__race_shadow(int32_t number, portable_shadow *shadow_out);
/* 1: no two iterations race by these references, nor with those arrays that have a shadow. 0: not known, or the tile is a part of the launch only. */
int32_t portable__race_apart(const portable_tile *tile, struct portable__race_reference *references, int32_t count);

#endif
