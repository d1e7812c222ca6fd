/* trace.h - the trace file: findings of memory checks, and the events of PORTABLE_TRACE. Private;
 * trace.c and memcheck*.c write it, cmd/yaklcheck/internal/trace reads it. Head: "PORTTRC1",
 * version 1, 0; little endian. Records: portable__trace_head and the fields of the kind, a multiple
 * of 8 bytes, one write each. A string is 4 bytes of length, then the bytes, with 0 up to a
 * multiple of 4. Threads: any, in handlers too, without lock or memory, except _open and records
 * longer than PORTABLE__TRACE_ROOM. Not in a forked child. */
#ifndef PORTABLE__TRACE_H
#define PORTABLE__TRACE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum {
  PORTABLE__TRACE_META = 1,
  PORTABLE__TRACE_MODULE = 2,
  PORTABLE__TRACE_STACK = 3,
  PORTABLE__TRACE_FINDING = 4,
  PORTABLE__TRACE_ALLOC = 5,
  PORTABLE__TRACE_FREE = 6,
  PORTABLE__TRACE_BEGIN = 7,
  PORTABLE__TRACE_END = 8,
  PORTABLE__TRACE_CHECKPOINT = 9,
  PORTABLE__TRACE_SLAB = 10,
  PORTABLE__TRACE_HASH = 11,
  PORTABLE__TRACE_FINISH = 12,
  PORTABLE__TRACE_NOTE = 13
};

#define PORTABLE__TRACE_MAGIC 0x43525450u
#define PORTABLE__TRACE_ROOM 4096

struct portable__trace_head {
  uint32_t magic;
  uint16_t kind, reserved;
  uint32_t bytes; /* of the whole record */
  uint32_t thread;
  uint64_t time; /* nanoseconds of CLOCK_MONOTONIC */
};

/* A record in the making, on the stack. A field that does not fit any more is left out, strings are cut. */
struct portable__trace_record {
  char *to;
  size_t at, room;
  uint64_t own[PORTABLE__TRACE_ROOM / 8];
};

void portable__trace_begin(struct portable__trace_record *r, uint16_t kind);
void portable__trace_begin_in(struct portable__trace_record *r, uint16_t kind, void *to, size_t room); /* in memory of the caller's */
void portable__trace_u32(struct portable__trace_record *r, uint32_t n);
void portable__trace_u64(struct portable__trace_record *r, uint64_t n);
void portable__trace_text(struct portable__trace_record *r, const char *text); /* NULL: empty */
void portable__trace_text_n(struct portable__trace_record *r, const char *text, size_t bytes);
void portable__trace_put(struct portable__trace_record *r); /* writes it; nothing where there is no file */

/* The file of the process; a second one is not opened. how: 0 or PORTABLE__FILE_DEFAULT. 0, or what errno says. Under the lock of the instance. */
int32_t portable__trace_open(const char *path, size_t bytes, int how);

int portable__trace_is_open(void);
const char *portable__trace_path(void);

void portable__trace_note(const char *text);

/* ---- trace_modules.c: what is mapped where ---- */

struct portable__module {
  uintptr_t start, end; /* of its code */
  uintptr_t bias;       /* what to subtract from an address for the file's own addresses */
  const unsigned char *frames; /* its .eh_frame_hdr; NULL: none, as in static programs */
  const unsigned char *table, *table_end; /* then its .eh_frame; NULL: none */
};

/* The module whose code holds the address; NULL: none that is known. Looks for new ones where `may_look`, which a handler must not. */
const struct portable__module *portable__module_of(uintptr_t address, int may_look);
void portable__modules_look(void); /* lists what is mapped now; not in a handler */
extern _Atomic uint32_t portable__modules_changed; /* counts: what was known of some addresses is not so any more */

#endif
