/* serve_checked.h - what portable::allocate does with a program's blocks while memory is checked (PORTABLE_CHECK=memory). Private; serve_checked.c
 * allocates and frees, serve_leaks.c looks for blocks without a pointer at the end.
 *
 * Blocks of less than PORTABLE__GUARD_SMALL bytes come here, from 0 bytes on, and never enter Go; larger ones are the default pool's (serve.c).
 * Threads: any; not in signal handlers. */
#ifndef PORTABLE__SERVE_CHECKED_H
#define PORTABLE__SERVE_CHECKED_H

#include "../../internal/memcheck/memcheck.h"

/* 1: it was one of these blocks, freed now, or reported as an address that cannot be freed. */
int portable__served_free(void *ptr);

/* The bytes of a live block, and one of these; 0: no such block. */
int portable__served_bytes(const void *ptr, size_t *bytes_out);

/* 1: the library itself allocates on the calling thread, and gets libc's memory. */
extern __thread int portable__serve_busy __attribute__((tls_model("initial-exec")));

/* First and last address of the code of portable::allocate. */
extern uintptr_t portable__serve_code[2];

/* ---- serve_leaks.c ---- */

/* Makes the calling thread's stack and variables a root of the search, until it ends. Once for each thread, while portable__serve_busy is 1. */
void portable__serve_note_thread(void);

/* Calls `seen` for each live block of the program's that no static variable leads to, neither itself nor over other blocks. */
void portable__serve_lost(void (*seen)(uint32_t stack, uintptr_t start, uint64_t bytes, void *payload), void *payload);

#endif
