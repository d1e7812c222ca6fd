/* misuse.h - the tables of the C half of the matrix of misuse, and the calls that all kinds use. A row
 * is a kind of misuse with its outcome; a kind whose outcome depends on a setting has a row for each.
 * main.c lists the tables and turns rows into cells. Not in this file: any kind (one file for each
 * theme), Fortran (internal/gen). */
#ifndef MISUSE_H
#define MISUSE_H

#include "portable.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum fate {
  FATE_PASSES, /* nothing is written */
  FATE_TELLS,  /* a text is written that is no error */
  FATE_WARNS,  /* the same, with the word warning on exactly one line */
  FATE_FAILS   /* a status; without a status (gator) a text, and an abort under GATOR_STRICT=1 */
};

struct kind {
  const char *name;
  void (*commit)(void);
  int gator;            /* the kind calls gatorInit and so on, which have no status */
  const char *settings; /* those that the row is for, and variables; NULL: all settings */
  enum fate fate;
  portable_status status;
  const char *error; /* the name of the status */
  const char *texts; /* joined by &&; each must be written */
};

/* The parts of a row: {KIND(name), .settings = "strict", ERROR(ARG, "text && text")}. Names are functions. */
#define KIND(kind) .name = #kind, .commit = kind
#define GATOR(kind) .name = #kind, .commit = kind, .gator = 1
#define PASSES .fate = FATE_PASSES
#define TELLS(text) .fate = FATE_TELLS, .texts = text
#define WARNS(text) .fate = FATE_WARNS, .texts = text
#define ERROR(name, text) .fate = FATE_FAILS, .status = PORTABLE_ERR_##name, .error = "PORTABLE_ERR_" #name, .texts = text

/* For a list of kinds that are one call each: X(name, call, outcome). It gives functions, and rows. */
#define CALL_FUNCTION(kind, call, ...) \
  static void kind(void) { ASK(call); }
#define CALL_ROW(kind, call, ...) {KIND(kind), __VA_ARGS__},

/* Rows whose kinds have a common beginning and end, which may be NULL. */
struct table {
  const struct kind *rows;
  size_t count;
  void (*begin)(void), (*end)(void);
};

#define TABLE(rows, begin, end) {rows, sizeof(rows) / sizeof *(rows), begin, end}

extern const struct table
    lifetimes_table, settings_table, environment_table, arguments_table, pool_configs_table, byte_counts_table,
    sizes_and_labels_table, pointers_table, pointers_to_live_table, limits_table, huge_sizes_table, pools_table,
    stale_pools_table, live_pools_table, streams_table, system_table, gone_streams_table, gone_events_table, callbacks_table,
    stream_callbacks_table, arrays_table, arrays_checked_table, twins_table, records_table, solves_table, meshes_table,
    early_blocks_table, blocks_table, early_graphs_table, graphs_table, recordings_table;

/* Texts of several themes. */
#define NO_POOL "is not a pool, or the pool was destroyed"
#define LIVE_BLOCK_WARNING "still live in && released now"
#define LIVE_BLOCK_ERROR "still live in && deallocate them first && GATOR_STRICT=1"

/* The call under test: where the program looks at statuses, its status is written with its text. */
#define ASK(call)                  \
  do {                             \
    portable_status ask_ = (call); \
    if (looks) say(ask_);          \
  } while (0)

#define MUST(condition) ((condition) ? (void)0 : broken(#condition))

extern int looks;
void say(portable_status status);
_Noreturn void broken(const char *condition);

void begin_running(void); /* the library runs */
void end_running(void);   /* it runs on without live blocks, and stops */

/* So many blocks of a pool, or of the default pool, are live, its invariants hold, and it serves on. */
void pool_goes_on(portable_pool pool, uint64_t live);
void goes_on(uint64_t live);

portable_pool the_pool(void); /* the default pool */
portable_pool new_pool(void); /* of host memory, called mine */
portable_stream new_stream(void);
portable_event new_event(void);
void nothing(const portable_tile *tile, void *args); /* a kernel */
void no_call(portable_status status, void *payload); /* a callback */

#endif
