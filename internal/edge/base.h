/* base.h - the base of all C: macros for branches, texts of failures, the crossing into Go,
 * functions of the user that Go calls. Private. Not here: the state of a thread (thread.h), calls
 * in progress (calls.h), where the thread is (where.h). Threads: any. */
#ifndef PORTABLE__BASE_H
#define PORTABLE__BASE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "../../capi/include/c/portable.h"

#if defined(__GNUC__)
#define PORTABLE__PRINTF(f, a) __attribute__((format(printf, f, a)))
#define PORTABLE__COLD __attribute__((cold, noinline))
#define PORTABLE__LIKELY(x) __builtin_expect(!!(x), 1)
#define PORTABLE__UNLIKELY(x) __builtin_expect(!!(x), 0)
#else
#define PORTABLE__PRINTF(f, a)
#define PORTABLE__COLD
#define PORTABLE__LIKELY(x) (x)
#define PORTABLE__UNLIKELY(x) (x)
#endif

/* const char * goes through a name of its own because cgo drops const from a bare one. */
typedef const char *portable__text;

#define PORTABLE__LABEL_MAX 255  /* bytes of a label that are kept; gator.MaxLabel */
#define PORTABLE__ERROR_TEXT 8192

/* ---- errtext.c: the text of a thread's last failure ---- */

portable_status portable__fail(portable_status code, const char *format, ...) PORTABLE__PRINTF(2, 3);
void portable__set_error(const char *text, size_t bytes);
void portable__print(const char *text, size_t bytes); /* one line to standard error */
void portable__print_error(void);
/* Puts the call and the label of the array before the text of a failure: a reader of a log searches for them. */
void portable__name_error(const char *call, const char *label, size_t label_bytes);
/* Replaces parallel_for or sort, with which texts of refused launches and sorts begin, by the call. Texts of failed kernels stay. */
portable_status portable__rename_error(portable_status status, const char *call);
/* " ('name')" after the number of an argument; "" if it has no name. Written to text, which is returned. */
const char *portable__named(char *text, size_t room, const char *name);
#define PORTABLE__NAMED(name) portable__named((char[96]){0}, 96, name)
/* Names the call in the error of a pool that had no scratch memory for it. */
portable_status portable__no_scratch(portable_status status, const char *call, const char *label);
/* Status and text of a function that needs the library to run when it does not run. */
portable_status portable__not_running(const char *function);
/* ERR_VERSION with its text if the program was compiled for another version. */
portable_status portable__check_version(int32_t version);
/* Copies a text of Fortran without trailing blanks, and cuts it to the capacity `room`. */
void portable__copy_text(char *to, size_t room, const char *text, size_t bytes);

/* ---- crossing.c: the crossing into Go ---- */

struct portable__crossing {
#if defined(__x86_64__)
  unsigned int mxcsr;
#elif defined(__aarch64__)
  uint64_t fpcr, fpsr;
#else
  void *environment[64]; /* a fenv_t */
#endif
};

/* Refuses in a forked child and after a fault. Otherwise prepares the thread for Go, whose code must not trap on
 * floating point. Each cross_in that returned 0 is followed by cross_out. */
portable_status portable__cross_in(struct portable__crossing *c);
void portable__cross_out(const struct portable__crossing *c);
/* Lets Go refuse a call: `question` is a function of a table of questions, which repeats the checks in their order, writes
 * the text and returns the status. C has found before that the call is not ordinary. Where Go does not run (a forked child,
 * after a fault, in a function for slabs) *status is `otherwise`, with a fixed text for `call` and `label` (NULL: none). */
#define PORTABLE__EXPLAINED(status, call, label, otherwise, question)                                             \
  do {                                                                                                            \
    struct portable__crossing explained_;                                                                         \
    if (portable__cross_in(&explained_) == PORTABLE_OK) {                                                         \
      *(status) = (question);                                                                                     \
      portable__cross_out(&explained_);                                                                           \
    } else {                                                                                                      \
      *(status) = portable__unexplained(call, label, otherwise);                                                  \
    }                                                                                                             \
  } while (0)
portable_status portable__unexplained(const char *call, const char *label, portable_status otherwise) PORTABLE__COLD;
/* Notes a fault inside the library; cross_out then calls portable__above.tell_fault, which reports where the program
 * was. */
void portable__fault_seen(void);
extern __thread int portable__faulted __attribute__((tls_model("initial-exec")));
extern _Atomic int portable__broken;  /* a fault in Go: everything is refused */
extern _Atomic int portable__running;
extern _Atomic int portable__forked;  /* this is a forked child, where Go does not work */

/* ---- callbacks.c: Go calls functions of the user ---- */

/* Not 0: the calling thread is in a function for slabs, under the lock of its pool. Every crossing is refused there. */
extern __thread int portable__in_slab_function __attribute__((tls_model("initial-exec")));
void *portable__call_slab_alloc(portable_slab_alloc f, size_t bytes, void *payload);
void portable__call_slab_free(portable_slab_free f, void *slab, size_t bytes, void *payload);
/* malloc, for Go: NULL if there is no memory. */
void *portable__memory(size_t bytes);
const char *portable__environment(size_t i);

#endif
