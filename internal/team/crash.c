/* crash.c - writes one line that names the kernel that faulted, then does what the program would
 * have done: calls its handler (gfortran's backtrace, the user's), or restores the default and
 * returns, so that the fault ends the program with a core. Faults outside kernels and of Go go to
 * the program's handler. Everything but the installation runs in a signal handler: no allocation,
 * no stdio, no lock. */

/* Order of handlers: checks of memory come first: portable__fault_hook may handle a fault, and the program continues. A
 * program's handler that was installed after ours comes before it, as the program wants. Only while the hook is set
 * ours is put in front again (portable__crash_in_front), and calls the program's. If that calls ours in turn, the
 * handler before it is called.
 *
 * A wrong index mostly faults on all threads at once. The first thread reports; the others wait for the end of the
 * program. Otherwise their backtraces would mix, and the first thread to finish would cut off the others. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../edge/line.h"
#include "emulated.h"
#include "team.h"

static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
#define FAULTS (sizeof faults / sizeof *faults)
#define CHAIN 8
static struct sigaction before[FAULTS][CHAIN]; /* the program's handlers, the newest last */
static _Atomic int chained[FAULTS];            /* how many */
static _Atomic int installed, restoring;
static __thread int passing __attribute__((tls_model("initial-exec"))); /* handlers of the program's that are being called, one from another */
int (*_Atomic portable__fault_hook)(int number, siginfo_t *info, void *context);
void (*_Atomic portable__death_hook)(int number, const siginfo_t *info, void *context);
static _Atomic int32_t speaker; /* the thread that was first to fault in a kernel */
size_t (*_Atomic portable__small_stack)(uintptr_t address);
_Atomic int32_t portable__crash_rank = -1;
void (*_Atomic portable__crash_copy)(const char *line, size_t bytes);
__thread uintptr_t portable__thread_bottom __attribute__((tls_model("initial-exec")));

#define LABEL 254 /* bytes of a label that are printed */
#define PATIENCE 100 /* times 20 ms: long enough for a backtrace, and no hang where the first thread's handler goes on */

/* The Go runtime's handler serves faults of Go code; one in a kernel would make it print goroutines and die by another
 * signal. internal/edge has seen it when Go started; in programs of Go it is that of this signal, which few programs set. */
extern uintptr_t portable__go_handler __attribute__((weak));
static int is_go(const struct sigaction *a) {
  struct sigaction go;
  if (!(a->sa_flags & SA_SIGINFO)) return 0;
  if (&portable__go_handler && portable__go_handler) return portable__go_handler == (uintptr_t)a->sa_sigaction;
  return sigaction(SIGURG, NULL, &go) == 0 && go.sa_sigaction == a->sa_sigaction;
}

static const char *name_of(int number) {
  switch (number) {
    case SIGSEGV: return " (invalid memory access)";
    case SIGBUS: return " (bus error)";
    case SIGFPE: return " (floating-point or integer exception)";
    case SIGILL: return " (illegal instruction)";
    case SIGABRT: return " (abort)";
    default: return "";
  }
}

static void say(int number, const siginfo_t *info, const struct portable__job *job) {
  char text[512];
  struct portable__line line = PORTABLE__LINE_IN(text);
  int32_t rank = atomic_load(&portable__crash_rank);
  portable__line_text(&line, "portable: ");
  if (rank >= 0) {
    portable__line_text(&line, "rank ");
    portable__line_decimal(&line, (uint64_t)rank);
    portable__line_text(&line, ": ");
  }
  portable__line_text(&line, "signal ");
  portable__line_decimal(&line, (uint64_t)number);
  portable__line_text(&line, name_of(number));
  portable__line_text(&line, " in kernel '");
  portable__line_clean(&line, job->label, strlen(job->label), LABEL); /* the address behind it must fit */
  portable__line_text(&line, "'");
  if ((number == SIGSEGV || number == SIGBUS) && info->si_code > 0) {
    portable__line_text(&line, ", address 0x");
    portable__line_hex(&line, (uintptr_t)info->si_addr);
  }
  size_t (*small)(uintptr_t) = atomic_load(&portable__small_stack);
  const size_t bytes = number == SIGSEGV && info->si_code > 0 && small ? small((uintptr_t)info->si_addr) : 0;
  if (bytes) {
    portable__line_text(&line, ": a thread of its block needs more than the ");
    portable__line_decimal(&line, bytes);
    portable__line_text(&line, " bytes of its stack; put its arrays into scratch or shared memory");
  }
  portable__line_end(&line);
  void (*copy)(const char *line, size_t bytes) = atomic_load(&portable__crash_copy);
  if (copy) copy(line.text, line.at);
  portable__line_write(&line);
}

/* 1: no thread is before this one. */
static int is_first(int number, const siginfo_t *info, const struct portable__job *job) {
  int32_t none = 0, self = (int32_t)syscall(SYS_gettid);
  if (atomic_compare_exchange_strong(&speaker, &none, self)) {
    say(number, info, job);
    return 1;
  }
  return none == self;
}

/* By itself only what the processor raises at an instruction comes again. */
static int comes_again(int number, const siginfo_t *info) {
  return info->si_code > 0 && !(number == SIGBUS && info->si_code == BUS_MCEERR_AO);
}

static void pass_on(struct sigaction *next, int number, siginfo_t *info, void *context) {
  if (!(next->sa_flags & SA_SIGINFO) && (next->sa_handler == SIG_DFL || next->sa_handler == SIG_IGN)) {
    sigaction(number, next, NULL);
    if (!comes_again(number, info)) raise(number); /* it is blocked until this handler has returned */
    return;
  }
  if (next->sa_flags & (int)SA_RESETHAND) {
    struct sigaction once;
    memset(&once, 0, sizeof once);
    once.sa_handler = SIG_DFL;
    sigaction(number, &once, NULL);
  }
  if (next->sa_flags & SA_SIGINFO)
    next->sa_sigaction(number, info, context);
  else
    next->sa_handler(number);
}

/* Whether the kernel has called the handler, and not a handler of the program's: then its caller's frame is what the kernel has pushed. One that was
 * left by longjmp has counted `passing` and never back. */
#if defined(__x86_64__) && defined(__linux__)
#define FROM_KERNEL(info, context) ((void)(info), __builtin_dwarf_cfa() == (context))
#elif defined(__aarch64__) && defined(__linux__)
#define FROM_KERNEL(info, context) ((void)(context), __builtin_dwarf_cfa() == (void *)(info))
#else
#define FROM_KERNEL(info, context) ((void)(info), (void)(context), passing == 0)
#endif

/* The host accesses memory that only a device can access: of a GPU (emulated.h), or (0) of the emulated device. */
static void say_reach(uintptr_t address, int32_t far) {
  static const char drivers[][8] = {"cuda:", "hip:", "opencl:"};
  char text[256];
  struct portable__line line = PORTABLE__LINE_IN(text);
  portable__line_text(&line, "portable: the host reads or writes memory of the device '");
  portable__line_text(&line, far ? drivers[far >> PORTABLE__FAR_BITS] : PORTABLE__EMULATED_NAME);
  if (far) portable__line_decimal(&line, (uint64_t)(far & ((1 << PORTABLE__FAR_BITS) - 1)) - 1);
  portable__line_text(&line, "', at 0x");
  portable__line_hex(&line, address);
  portable__line_text(&line, ", which it does not reach: copy the array to the host, or work on it in a launch on the device");
  portable__line_end(&line);
  portable__line_write(&line);
}

static void on_fault(int number, siginfo_t *info, void *context) {
  size_t i = 0;
  int error = errno, depth = FROM_KERNEL(info, context) ? 0 : passing;
  while (i < FAULTS && faults[i] != number) i++;
  if (i == FAULTS) return;
  int (*fault)(int, siginfo_t *, void *) = atomic_load(&portable__fault_hook);
  if (fault && fault(number, info, context)) {
    errno = error;
    return;
  }
  if (number == SIGSEGV && info->si_code > 0) {
    int32_t (*far)(uintptr_t) = atomic_load(&portable__far_device);
    int32_t cuda = far ? far((uintptr_t)info->si_addr) : 0;
    if (cuda || portable__emulated_at((uintptr_t)info->si_addr, NULL, NULL)) say_reach((uintptr_t)info->si_addr, cuda);
  }
  void (*dies)(int, const siginfo_t *, void *) = atomic_load(&portable__death_hook);
  if (dies && depth == 0 && !portable__inside) dies(number, info, context);
  int newest = atomic_load(&chained[i]) - 1;
  struct sigaction next = before[i][newest > depth ? newest - depth : 0];
  const struct portable__job *job = portable__inside ? NULL : portable__running_job;
  if (job && depth == 0) {
    if (!is_first(number, info, job)) {
      struct timespec pause = {0, 20000000};
      for (int k = 0; k < PATIENCE; k++) nanosleep(&pause, NULL);
    }
    if (is_go(&next)) {
      memset(&next, 0, sizeof next);
      next.sa_handler = SIG_DFL;
    }
  }
  passing = depth + 1;
  pass_on(&next, number, info, context);
  passing = depth;
  errno = error;
}

static void install(size_t i, const struct sigaction *now) {
  struct sigaction ours;
  memset(&ours, 0, sizeof ours);
  ours.sa_sigaction = on_fault;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART | (now->sa_flags & (int)SA_NODEFER);
  ours.sa_mask = now->sa_mask;
  sigaction(faults[i], &ours, NULL);
}

void portable__crash_handlers(void) {
  if (atomic_exchange(&installed, 1)) return;
  for (size_t i = 0; i < FAULTS; i++) {
    struct sigaction now;
    if (sigaction(faults[i], NULL, &now) != 0) continue;
    /* A program that ignores a fault signal does not want a report; nothing is lost by the kernel's end. */
    if (!(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_IGN) continue;
    before[i][0] = now;
    atomic_store(&chained[i], 1);
    install(i, &now);
  }
}

void portable__crash_in_front(void) {
  struct sigaction now;
  int free_now = 0;
  if (!atomic_load(&portable__fault_hook) || sigaction(SIGSEGV, NULL, &now) != 0 || ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_fault)) return;
  if (!atomic_compare_exchange_strong(&restoring, &free_now, 1)) return;
  int n = atomic_load(&chained[0]); /* SIGSEGV is the first of faults */
  struct sigaction *newest = n > 0 ? &before[0][n - 1] : NULL;
  if (!newest || newest->sa_sigaction != now.sa_sigaction || newest->sa_flags != now.sa_flags) {
    if (n == CHAIN) n--; /* the last but one is forgotten */
    before[0][n] = now;
    atomic_store(&chained[0], n + 1);
  }
  install(0, &now);
  atomic_store(&restoring, 0);
}
