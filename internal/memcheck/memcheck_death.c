/* memcheck_death.c - runs memory checks in signal handlers: at an access that the guards have
 * caught, and at the end of the program by a signal, also from libc after a free of one of our
 * blocks. It uses only functions that are safe there: no lock, no memory, no stdio. */
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <ucontext.h>

#include "../tracing/found.h"
#include "../guard/guard.h"
#include "../team/team.h"
#include "memcheck.h"
#include "../stacks/stack.h"
#include "../tracing/trace.h"
#include "../edge/texthash.h"

static uintptr_t where(void *context) {
#if defined(__x86_64__)
  return (uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  return (uintptr_t)((ucontext_t *)context)->uc_mcontext.pc;
#else
  (void)context;
  return 0;
#endif
}

static uint64_t place_of(uintptr_t pc) {
  const struct portable__job *job = portable__running_job;
  uint64_t h = pc * 0x9e3779b97f4a7c15u;
  return portable__text_hash(h, job && job->label ? job->label : "") | 1;
}

/* ---- an access ---- */

static void violated(const struct portable__violation *v) {
  static const int32_t kinds[] = {0, PORTABLE__FOUND_BOUNDS, PORTABLE__FOUND_FREED, PORTABLE__FOUND_CANARY, PORTABLE__FOUND_NEVER_WRITTEN,
                                  PORTABLE__FOUND_HOST_ACCESS};
  const struct portable__guarded *b = v->block;
  char label[PORTABLE__GUARD_LABEL + 1] = "";
  struct portable__found f = {.address = v->address, .access_bytes = v->bytes, .distance = v->distance, .label = label};
  struct portable__known k;
  if (v->kind < 1 || v->kind > PORTABLE__HOST_ACCESS) return;
  f.kind = kinds[v->kind];
  f.flags = v->is_write == 1 ? PORTABLE__FOUND_WRITE : v->is_write == 0 ? PORTABLE__FOUND_READ : 0;
  if (b) {
    f.block_start = atomic_load(&b->start);
    f.block_bytes = b->bytes;
    f.alloc = atomic_load(&b->alloc_stack);
    f.free = atomic_load(&b->free_stack);
    memcpy(label, b->label, sizeof label - 1);
    if (atomic_load(&b->state) == PORTABLE__GUARD_FREED) f.flags |= PORTABLE__FOUND_QUARANTINE;
  }
  if (v->kind == PORTABLE__HOST_ACCESS && portable__blocks_around(v->address, &k)) {
    f.block_start = atomic_load(&k.start);
    f.block_bytes = k.bytes;
    f.alloc = k.alloc_stack;
    f.distance = (int64_t)(v->address - f.block_start);
    f.label = k.label;
  }
  if (!v->context) {
    /* Found while a block is freed, in calls from Go that no stack leads through: the stack of the free. Else by a look at all. */
    f.here = portable__inside ? portable__memcheck_last() : portable__stack_here();
    f.place = f.block_start ^ (uint64_t)f.kind << 56 ^ f.alloc;
  } else if (v->kind == PORTABLE__OUT_OF_BOUNDS && v->distance < 0 && v->distance >= -16 && v->is_write != 1 && portable__memcheck_in_libc(where(v->context))) {
    f.kind = PORTABLE__FOUND_LIBC_FREE; /* it looks for its own notes right before the block */
    f.address = f.block_start;
    f.distance = 0;
    f.here = portable__memcheck_caller(v->context);
  } else {
    f.here = portable__stack_of(v->context);
    f.place = place_of(where(v->context));
  }
  portable__finding_of(&f);
}

/* ---- the end ---- */

/* Whether the thread's stack had no room for what was accessed: its pointer is where nothing is, or the access was right below it. */
static int stack_has_ended(uintptr_t address, void *context) {
#if defined(__x86_64__) || defined(__aarch64__)
#if defined(__x86_64__)
  uintptr_t top = (uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RSP], waste;
#else
  uintptr_t top = (uintptr_t)((ucontext_t *)context)->uc_mcontext.sp, waste;
#endif
  if (!portable__stack_read(top & ~(uintptr_t)7, &waste)) return 1;
  return address < top && top - address < 65536 && !portable__stack_read(address & ~(uintptr_t)7, &waste);
#else
  (void)address, (void)context;
  return 0;
#endif
}

/* The address of a jump to where no code is, and the block of the pool that it is in. */
static void is_jump(struct portable__found *f) {
  const struct portable__guarded *b = portable__guard_find(f->address);
  f->text = "signal 11, a jump to an address without code: a procedure pointer is wrong, or a return address was overwritten";
  if (!b) return;
  f->text = "signal 11, a jump into a block of the pool, which is data: a procedure pointer is wrong, or a return address was overwritten";
  f->block_start = atomic_load(&b->start);
  f->block_bytes = b->bytes;
  f->alloc = atomic_load(&b->alloc_stack);
  f->free = atomic_load(&b->free_stack);
}

static void dies(int number, const siginfo_t *info, void *context) {
  static _Atomic int times;
  const struct portable__job *job = portable__running_job;
  if (!(portable__watched_by() >> PORTABLE__MEMCHECK & 1) || atomic_load(&portable__forked) || atomic_fetch_add(&times, 1) > 16) return;
  if (!atomic_load(&portable__memchecking)) {
    portable__memcheck_finish(PORTABLE__END_SIGNAL, number);
    return;
  }
  if (number != SIGABRT || !portable__memcheck_libc_free(context)) {
    struct portable__found f = {.kind = PORTABLE__FOUND_SIGNAL, .label = job && job->label ? job->label : ""};
    f.text = number == SIGSEGV   ? "signal 11 (invalid memory access)"
             : number == SIGBUS  ? "signal 7 (bus error)"
             : number == SIGFPE  ? "signal 8 (floating-point or integer exception)"
             : number == SIGILL  ? "signal 4 (illegal instruction)"
             : number == SIGABRT ? "signal 6 (abort)"
                                 : "a signal";
    if ((number == SIGSEGV || number == SIGBUS) && info->si_code > 0) f.address = (uintptr_t)info->si_addr;
    if (number == SIGSEGV && f.address && stack_has_ended(f.address, context))
      f.text = "signal 11, the stack of this thread has ended: deep recursion or large automatic arrays need more of it (the main program: ulimit -s; kernels: "
               "PORTABLE_STACKSIZE; threads of OpenMP: OMP_STACKSIZE), or allocate the arrays";
    else if (number == SIGSEGV && f.address && f.address == where(context))
      is_jump(&f);
#ifdef SI_KERNEL
    if (number == SIGSEGV && info->si_code == SI_KERNEL && atomic_load(&portable__serve_checking) && portable__guard_options.precise)
      f.text = "signal 11 without an address: perhaps an instruction that wants memory at a multiple of 16, at a block of malloc that is checked to its last byte; "
               "PORTABLE_MEMCHECK=precise=no aligns blocks as malloc does";
#endif
    f.here = portable__stack_of(context);
    portable__finding_of(&f);
  }
  portable__memcheck_finish(PORTABLE__END_SIGNAL, number);
}

void portable__memcheck_arm(void) {
  atomic_store(&portable__guard_report, violated);
  atomic_store(&portable__guard_note, portable__trace_note);
  atomic_store(&portable__death_hook, dies);
}
