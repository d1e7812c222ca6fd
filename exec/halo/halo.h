/* halo.h - halos, lists of fields, and plans of exchanges as C runs them. Go writes the plans
 * (internal/halo). Private. Threads: a halo and its fields have one user at a time. */
#ifndef PORTABLE__HALO_ROOM_H
#define PORTABLE__HALO_ROOM_H

#include "../../internal/edge/base.h"
#include "../../internal/handle/slots.h"

#define PORTABLE__HALO_AXES 7
#define PORTABLE__HALO_RANK 3

typedef const portable_halo_box_options *portable__halo_box_in;
typedef const portable_halo_lists_options *portable__halo_lists_in;

struct portable__field {
  portable_array array;
  char name[PORTABLE_ARRAY_LABEL];
  int32_t dims_count, dims[PORTABLE__HALO_RANK];
};

/* Rows of one field that are one part of a message: extent[0] elements each, for each index of the other axes, and for each one of `index` if that
 * is not NULL. Steps are bytes. */
struct portable__halo_rows {
  char *at;
  const int64_t *index;
  int64_t index_step, indices;
  int64_t offset;       /* of the first row in the buffer */
  int64_t first, count; /* rows of the list before these, and these */
  int64_t first_element;
  int64_t extent[PORTABLE__HALO_AXES], step[PORTABLE__HALO_AXES];
  int32_t axes, bytes, kind, group;
};

/* Lists of a plan. Those of own and of ghost cells are in the order of fields, forth and back, for the processor's caches; own cells to which ghost
 * cells are added are in the order of groups: the rows of one group share no element. */
enum { PORTABLE__HALO_GHOST, PORTABLE__HALO_OWN, PORTABLE__HALO_ADDED, PORTABLE__HALO_LISTS };

struct portable__halo_list {
  struct portable__halo_rows *rows;
  int64_t all, bytes, elements; /* rows, bytes and elements of the list */
  int32_t count, reserved;
};

struct portable__halo_message {
  int32_t rank, reserved;
  int64_t own_at, own_bytes, ghost_at, ghost_bytes; /* places in the buffer; 0 bytes: none */
};

/* One piece of memory, with its tables behind it. */
struct portable__halo_plan {
  struct portable__halo_list list[PORTABLE__HALO_LISTS];
  struct portable__halo_message *messages;
  int64_t *group_first; /* [groups + 1]: the first row of each group, of PORTABLE__HALO_ADDED or of blocks */
  int64_t *signatures;  /* [fields] */
  int64_t signature, bytes, own_bytes; /* own cells are first in the buffer */
  int64_t size; /* of this memory with its tables */
  int32_t messages_count, groups, fields, reserved;
};

/* An exchange of a halo and fields. */
struct portable__exchange {
  struct portable__exchange *next;
  portable_fields fields;
  struct portable__halo_plan *plan;
  portable_array buffer, tables; /* tables: a copy of the plan that devices can access; none without devices */
  void *sets[2]; /* messages of exchanges, and of additions */
  int32_t number, begun, added, reserved; /* added: messages of additions are prepared */
};

/* A migration, as Go plans it. Particles of rank r: order[first[r]] to order[first[r+1]-1]. */
struct portable__particles {
  int64_t count;                         /* before */
  const int64_t *order;                  /* [count] */
  int64_t *first, *received;             /* [ranks+1], [ranks] */
  int64_t wrong;                         /* a particle whose owner is no rank; -1: none */
  int32_t wrong_owner, reserved;
};

struct portable__halo {
  struct portable__slot_head head;
  char label[PORTABLE_ARRAY_LABEL];
  uint64_t spec; /* Go's */
  int64_t own[2][PORTABLE__HALO_RANK]; /* first and last */
  int32_t rank, exchanges;
  int32_t alone, reserved; /* 1: no messenger */
  portable_messenger messenger;
  struct portable__exchange *exchange;
  struct portable__particles *particles; /* a migration; NULL: a halo */
};

struct portable__fields {
  struct portable__slot_head head;
  char label[PORTABLE_ARRAY_LABEL];
  struct portable__field *list;
  int32_t count, capacity, fixed, begun; /* fixed: an exchange uses the list; begun: exchanges in progress */
};

/* Called by Go: memory of zeros for a plan, and its end. */
struct portable__halo_plan *portable__halo_make(uint64_t bytes);
void portable__halo_unmake(struct portable__halo_plan *plan);

/* The record of a handle; NULL with an error that names `call`. */
struct portable__fields *portable__fields_find(const char *call, portable_fields fields, portable_status *status);
/* 1: the list was not destroyed. */
int portable__fields_exist(portable_fields fields);
/* An exchange in progress will not end. */
void portable__fields_ended(portable_fields fields);

/* The word for it in texts. */
static inline const char *portable__halo_word(const struct portable__halo *h) { return h->particles ? "portable_particles_migrate" : "halo"; }

/* ERR_DEVICE with its text: a function of the messenger gave a code. */
portable_status portable__halo_failed(const struct portable__halo *halo, const char *function, int32_t code);
/* Finds the worst status of all ranks; `values` also become the largest of all ranks. */
portable_status portable__halo_agree(const struct portable__halo *halo, portable_status own, int64_t *values, int32_t count);
void portable__exchange_end(struct portable__halo *halo, struct portable__exchange *x);

/* Moves rows of the plan of an exchange on a CUDA device, if the launch runs there. PORTABLE__NOT_HERE: the host moves them. */
portable_status portable__halo_device(const struct portable__halo *halo, const struct portable__fields *fields, const struct portable__exchange *x, int32_t which,
                                      int32_t way, int64_t from, int64_t to, const portable_launch_config *launch);
/* Sets space and pool to memory that the host and the device of the launch can access; without devices they stay. */
portable_status portable__halo_shared(const struct portable__halo *halo, const portable_launch_config *launch, portable_array_config *config);
/* Makes the buffer, in the memory that messages can be sent from, and the tables for devices. */
portable_status portable__halo_memory(const struct portable__halo *halo, const struct portable__fields *fields, struct portable__exchange *x,
                                      const portable_launch_config *launch);

enum { PORTABLE__HALO_PACK, PORTABLE__HALO_UNPACK, PORTABLE__HALO_ADD };
/* Runs rows from..to-1 of a list as a launch, and waits for its end. */
portable_status portable__halo_move(const char *label, const struct portable__halo_list *list, char *buffer, int32_t way, int64_t from, int64_t to,
                                    const portable_launch_config *config);

#endif
