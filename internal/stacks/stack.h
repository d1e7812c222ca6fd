/* stack.h - call stacks of return addresses: each is kept and written into the trace once, and has
 * a number. Private; stack.c keeps them, stack_walk.c takes them, stack_rules.c finds a caller's
 * frame. Fortran at -O2 has no frame pointers and glibc's walk is slow and takes a lock, so on
 * x86-64 and aarch64 the tables of .eh_frame are read and their rules kept: 16 frames cost 0.1 us.
 * Elsewhere _Unwind_Backtrace. Threads: any, in signal handlers too; no lock. Foreign memory is
 * read only if the system allows it. */
#ifndef PORTABLE__STACK_H
#define PORTABLE__STACK_H

#include <stdint.h>

#define PORTABLE__STACK_DEFAULT 16
#define PORTABLE__STACK_MOST 64

int portable__stack_open(void); /* call it first. 0: no memory */

/* Sets the number of frames; 0: no stacks. 8 more are taken for the library's own frames, which reports leave out. */
void portable__stack_depth(int32_t frames);

/* The return addresses of the calling thread from this function's caller on, up to `most`. With a ucontext_t: from the
 * interrupted instruction on, whose address is exact. *whole, if not NULL, says that the thread's first function was
 * found. */
int32_t portable__stack_walk(void *context, uintptr_t *pcs, int32_t most, int *whole);

/* Reads a word of memory; 0: no access. x86-64 and aarch64 only. */
int portable__stack_read(uintptr_t address, uintptr_t *value_out);

/* The registers that calls preserve, by DWARF's numbers, in the frame of that number (0: the interrupted one). Returns
 * 0: unknown. x86-64 and aarch64 only. */
#if defined(__aarch64__)
#define PORTABLE__STACK_REGISTERS 33 /* x0 to x30, sp, pc */
#else
#define PORTABLE__STACK_REGISTERS 17 /* DWARF's order; the last is rip */
#endif
int portable__stack_frame(void *context, int32_t frame, uintptr_t registers_out[PORTABLE__STACK_REGISTERS]);

/* The number of the caller's stack, or of a ucontext_t; inside a kernel the launch's stack follows. 0: the table is
 * full. */
uint32_t portable__stack_here(void);
uint32_t portable__stack_of(void *context);

/* Stores the stack of the caller, which launches, in the job. */
struct portable__job;
void portable__stack_launch(struct portable__job *job);

/* The number of a stack that portable__stack_walk took. flags: 1, the first address is exact. */
uint32_t portable__stack_keep(const uintptr_t *pcs, int32_t count, uint32_t flags);

/* The addresses of a number; they stay valid for ever. Returns their count; 0: the number is invalid. */
int32_t portable__stack_get(uint32_t number, const uintptr_t **pcs_out);

#endif
