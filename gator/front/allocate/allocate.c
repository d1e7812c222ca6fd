/* allocate.c - libportable_allocate.a: malloc, calloc, realloc and free of a program whose large blocks come from the
 * default pool, without a change of its source. In C because these are C's names. Docs: docs/start/allocate.md.
 *
 * Two ways lead here. The program is linked with --wrap=malloc and so on, so what its own objects call comes
 * to __wrap_malloc: only its own objects get blocks of the pool. And the program defines free, realloc and
 * malloc_usable_size, which the dynamic linker finds before libc's, so that shared libraries (the Fortran
 * run-time library among them) may free and resize what the program allocated. They are weak: in a static
 * program libc.a defines them too, and there --wrap catches everything. Other blocks go on to
 * the next definition.
 *
 * Not in this file: any knowledge of the pool (serve.c). Thread rule: everything may be called at any time, also
 * before main, from thread-exit hooks and in a forked child. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../../capi/include/c/portable.h"

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define COLD __attribute__((cold, noinline))
#define HIDDEN __attribute__((visibility("hidden")))
#define CALLER __builtin_return_address(0)
/* Code of ours in one place, whose ends the linker names: stacks that begin here are reported from the program's own code on. */
#define OURS __attribute__((section("portable_allocate")))
extern const char __start_portable_allocate[], __stop_portable_allocate[];

/* What --wrap makes of these is malloc and so on as they would be without it; in a dynamic program, the last three are
   our own below. */
extern void *__real_malloc(size_t bytes);
extern void *__real_calloc(size_t count, size_t bytes);
extern void *__real_realloc(void *ptr, size_t bytes);
extern void __real_free(void *ptr);
extern size_t __malloc_usable_size(void *ptr) __attribute__((weak)); /* of a static libc */
extern __typeof__(dlsym) dlsym __attribute__((weak));                /* none in a static program, */
extern __typeof__(dladdr) dladdr __attribute__((weak));
extern void __libc_free(void *ptr) __attribute__((weak));            /* nor in an old one without -ldl */
extern void *__libc_realloc(void *ptr, size_t bytes) __attribute__((weak));

void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *ptr, size_t bytes);
void __wrap_free(void *ptr);
size_t __wrap_malloc_usable_size(void *ptr);
void portable__allocate_begin(void);
HIDDEN void portable__allocate_free(void *ptr);
HIDDEN void *portable__allocate_realloc(void *ptr, size_t bytes);
HIDDEN size_t portable__allocate_usable(void *ptr);
void free(void *ptr) __attribute__((weak, alias("portable__allocate_free")));
void *realloc(void *ptr, size_t bytes) __attribute__((weak, alias("portable__allocate_realloc")));
size_t malloc_usable_size(void *ptr) __attribute__((weak, alias("portable__allocate_usable")));

/* ---- who is next --------------------------------------------------------------------------------- */

/* Whether the linker made our own free of __real_free: so in a dynamic program. The compiler may not know better: to
   it two names are two functions. */
static int first_free_is_ours(void) {
  void (*real)(void *) = __real_free;
  __asm__("" : "+r"(real));
  return real == portable__allocate_free;
}

/* The same of realloc: a program may have a free of its own and no realloc. */
static int first_realloc_is_ours(void) {
  void *(*real)(void *, size_t) = __real_realloc;
  __asm__("" : "+r"(real));
  return real == portable__allocate_realloc;
}

struct others {
  void (*free)(void *);
  void *(*realloc)(void *, size_t);
  size_t (*usable)(void *);
};
static struct others next;
static _Atomic int known;
static __thread int asking __attribute__((tls_model("initial-exec")));

/* The next definition of a name after ours; or, when ours is not the first in the program (we are in a shared
   library that came late), the first. */
static void *after(const char *name, void *ours) {
  void *first = dlsym(RTLD_DEFAULT, name);
  return first && first != ours ? first : dlsym(RTLD_NEXT, name);
}

/* Several threads may do this at once; they write the same. 0: asked from inside the question. */
static COLD int find_others(void) {
  if (asking) return 0;
  asking = 1;
  struct others o = {__real_free, __real_realloc, __malloc_usable_size};
  int our_free = first_free_is_ours(), our_realloc = first_realloc_is_ours();
  if ((our_free || our_realloc) && !dlsym) {
    if (our_free) o.free = __libc_free;
    if (our_realloc) o.realloc = __libc_realloc;
    o.usable = NULL;
  } else if (our_free || our_realloc) {
    *(void **)&o.free = after("free", (void *)portable__allocate_free);
    *(void **)&o.realloc = after("realloc", (void *)portable__allocate_realloc);
    *(void **)&o.usable = after("malloc_usable_size", (void *)portable__allocate_usable);
  }
  next = o;
  atomic_store(&known, 1);
  asking = 0;
  return 1;
}

static inline int others(void) {
  return LIKELY(atomic_load_explicit(&known, memory_order_acquire)) || find_others();
}

static inline void free_elsewhere(void *ptr) {
  if (LIKELY(others())) next.free(ptr); /* else dlsym frees an old message of its own: it is lost */
}

/* Whether a free in any shared library comes here too. */
static int stands_first(void) {
  int ours = first_free_is_ours();
  if (!dlsym) return !ours;
  void *first = dlsym(RTLD_DEFAULT, "free");
  if (first == (void *)portable__allocate_free) return dlsym(RTLD_DEFAULT, "realloc") == (void *)portable__allocate_realloc;
  return !first && !ours; /* a static program that has dlsym */
}

/* Where the program itself is, as the linker says. It gives a shared library an end and no start. */
extern const char __executable_start[] __attribute__((weak)), _end[] __attribute__((weak));
static void (*libc_free)(void *);
static int serves_new; /* while checking: operator new and delete are those of a shared library */

/* Whether an operator is the one of the shared C++ library. Another allocator's delete does not end in free. */
static int is_of_cxx(const char *name) {
  Dl_info its, library;
  if (!dlsym || !dladdr) return 0;
  void *at = dlsym(RTLD_DEFAULT, name), *cxx = dlsym(RTLD_DEFAULT, "_ZSt15get_new_handlerv");
  return at && cxx && dladdr(at, &its) && dladdr(cxx, &library) && its.dli_fbase == library.dli_fbase;
}

/* In the place of next.free while memory is checked: a pointer without owner goes no further, and the program goes on. */
OURS static void free_checked(void *ptr) {
  if (!portable__serve_foreign(ptr, __executable_start, __executable_start ? _end : NULL)) libc_free(ptr);
}

/* ---- from which size on -------------------------------------------------------------------------- */

static _Atomic size_t from; /* 0: not read yet; SIZE_MAX: nothing is served */
static _Atomic int state;   /* 0 not started, 1 a thread is at it, 2 serving */
static _Atomic int checking; /* 1: memory is checked: `from` stays 0, so that each block comes to serve() */
static size_t large;         /* while checking, blocks from this size on are the pool's */

static void in_child(void) { atomic_store(&from, SIZE_MAX); } /* Go does not run there */

/* 1: no launcher says that another rank of this node is the first. As internal/instance/rank.go: Go cannot be asked, because it starts now. */
static int first_on_node(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_RANK", "PALS_LOCAL_RANKID", "MPI_LOCALRANKID", "PMI_LOCAL_RANK",
                                      "PMIX_LOCAL_RANK", "SLURM_LOCALID"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (getenv(names[i])) return atoi(getenv(names[i])) == 0;
  return 1;
}

static int serves_all(void) {
  if (stands_first()) return 1;
  if (!first_on_node()) return 0;
  static const char text[] = "portable: warning: portable::allocate serves nothing: another free stands before its own; "
                             "link it to the program itself, and no other malloc with it\n";
  if (write(2, text, sizeof text - 1) < 0) return 0;
  return 0;
}

/* Called by the library as soon as it can start, which is before the program's own constructors; and by ours, where the library is a shared one. */
void portable__allocate_begin(void) {
  static _Atomic int began;
  int watched = atomic_exchange(&began, 1) ? 0 : portable__serve_watch(__start_portable_allocate, __stop_portable_allocate);
  if (watched < 0) atomic_store(&began, 0);
  if (watched <= 0 || !others()) return;
  if (!serves_all()) {
    atomic_store(&from, SIZE_MAX);
    return;
  }
  size_t threshold = portable__serve_from();
  large = threshold < 65536 ? threshold : 65536;
  /* A program with operators of its own may keep memory in its own way. */
  static const char *const operators[] = {"_Znwm", "_Znam", "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm"};
  serves_new = 1;
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) serves_new = serves_new && is_of_cxx(operators[i]);
  libc_free = next.free;
  next.free = free_checked;
  atomic_store(&checking, 1);
  atomic_store(&from, 0);
}

__attribute__((constructor)) static void prepare(void) {
  pthread_atfork(NULL, NULL, in_child);
  others();
  portable__allocate_begin();
}

OURS static COLD int start(void) {
  int idle = 0;
  if (!atomic_compare_exchange_strong(&state, &idle, 1)) return 0;
  int started = serves_all() ? portable__serve_start() : -1;
  if (started < 0) atomic_store(&from, SIZE_MAX);
  atomic_store(&state, started > 0 ? 2 : 0);
  return started > 0;
}

OURS static COLD int first_time(size_t bytes) {
  size_t expected = 0;
  atomic_compare_exchange_strong(&from, &expected, portable__serve_from());
  return bytes >= atomic_load(&from) && start();
}

/* One that is checked, or NULL. */
OURS static COLD void *serve_checked(size_t bytes, const void *caller) {
  if (bytes < large) return portable__serve_small(bytes, caller);
  return atomic_load(&state) == 2 || start() ? portable__serve_alloc(bytes) : NULL;
}

/* A block of the pool, or NULL. */
OURS static __attribute__((noinline)) void *serve(size_t bytes, const void *caller) {
  int was = errno;
  int serving = LIKELY(atomic_load_explicit(&state, memory_order_acquire) == 2) && atomic_load(&from) != 0;
  if (bytes > PTRDIFF_MAX) return NULL;
  void *p = NULL;
  if (!serving && atomic_load(&checking) && atomic_load(&from) == 0)
    p = serve_checked(bytes, caller);
  else if (serving || first_time(bytes))
    p = portable__serve_alloc(bytes);
  errno = was;
  return p;
}

static inline int small(size_t bytes) { return LIKELY(bytes < atomic_load_explicit(&from, memory_order_relaxed)); }

/* ---- the four ------------------------------------------------------------------------------------ */

static inline void *allocate(size_t bytes, const void *caller) {
  void *p;
  return small(bytes) || !(p = serve(bytes, caller)) ? __real_malloc(bytes) : p;
}

OURS void *__wrap_malloc(size_t bytes) { return allocate(bytes, CALLER); }

/* From this size on glibc maps each block again, whatever it has learned before (DEFAULT_MMAP_THRESHOLD_MAX): zeros that cost
   neither time nor memory before they are touched. Programs make tables of that size which stay nearly empty. */
#define ZEROS_FROM ((size_t)32 << 20)

OURS void *__wrap_calloc(size_t count, size_t bytes) {
  size_t all;
  void *p;
  if (__builtin_mul_overflow(count, bytes, &all) || small(all) || all >= ZEROS_FROM || !(p = serve(all, CALLER)))
    return __real_calloc(count, bytes);
  return memset(p, 0, all); /* blocks of the pool have been used before */
}

OURS HIDDEN void portable__allocate_free(void *ptr) {
  if (ptr && !portable__serve_free(ptr)) free_elsewhere(ptr);
}

OURS void __wrap_free(void *ptr) { portable__allocate_free(ptr); }

/* Moves a block of `held` bytes between the pool and the system. A failure leaves the block as it was. */
OURS static void *move(void *ptr, size_t held, void *to, size_t bytes) {
  if (!to) {
    errno = ENOMEM;
    return NULL;
  }
  memcpy(to, ptr, held < bytes ? held : bytes);
  portable__allocate_free(ptr);
  return to;
}

static inline void *resize_ours(void *ptr, size_t held, size_t bytes, int to_pool) {
  if (bytes == 0) {
    portable__allocate_free(ptr);
    return NULL;
  }
  if (!small(bytes) && portable__serve_resize(ptr, bytes)) return ptr;
  return move(ptr, held, to_pool ? allocate(bytes, CALLER) : __real_malloc(bytes), bytes);
}

/* While memory is checked a block always moves, so that its old address is closed. A pointer that is no block any more gets a new one. */
OURS static COLD void *resize_checked(void *ptr, size_t bytes, const void *caller) {
  size_t held = 0;
  int32_t ours = portable__serve_held(ptr, &held);
  if (ours == 0) return others() ? next.realloc(ptr, bytes) : NULL;
  if (bytes == 0) {
    if (ours > 0) portable__allocate_free(ptr);
    return NULL;
  }
  void *to = caller ? allocate(bytes, caller) : __real_malloc(bytes);
  return ours > 0 ? move(ptr, held, to, bytes) : to;
}

static inline int is_checking(void) {
  return __builtin_expect(atomic_load_explicit(&from, memory_order_relaxed) == 0, 0) && atomic_load(&checking);
}

OURS static void *resize_elsewhere(void *ptr, size_t bytes) {
  if (LIKELY(others())) return next.realloc(ptr, bytes);
  errno = ENOMEM;
  return NULL;
}

/* As shared libraries call it: what is the system's stays the system's. */
OURS HIDDEN void *portable__allocate_realloc(void *ptr, size_t bytes) {
  if (ptr && is_checking()) return resize_checked(ptr, bytes, NULL);
  size_t held = ptr ? portable__serve_bytes(ptr) : 0;
  return held ? resize_ours(ptr, held, bytes, 0) : resize_elsewhere(ptr, bytes);
}

/* As the program calls it: a block that becomes large moves into the pool. One that is large already and not
   there had no memory there; the system may be able to let it grow without a copy. */
OURS void *__wrap_realloc(void *ptr, size_t bytes) {
  if (!ptr) return allocate(bytes, CALLER);
  if (is_checking()) return resize_checked(ptr, bytes, CALLER);
  size_t held = portable__serve_bytes(ptr);
  if (held) return resize_ours(ptr, held, bytes, 1);
  if (!small(bytes) && others() && next.usable) {
    held = next.usable(ptr);
    void *to = small(held) ? serve(bytes, CALLER) : NULL;
    if (to) return move(ptr, held, to, bytes);
  }
  return resize_elsewhere(ptr, bytes);
}

/* ---- C++ -----------------------------------------------------------------------------------------

   operator new of a shared libstdc++ takes libc's memory, of which nothing is known; so while memory is checked the program's own calls come here. delete
   ends in free, which is ours anyway. */

extern void *__real__Znwm(size_t bytes) __attribute__((weak));
extern void *__real__Znam(size_t bytes) __attribute__((weak));
extern void *__real__ZnwmRKSt9nothrow_t(size_t bytes, const void *tag) __attribute__((weak));
extern void *__real__ZnamRKSt9nothrow_t(size_t bytes, const void *tag) __attribute__((weak));
void *__wrap__Znwm(size_t bytes);
void *__wrap__Znam(size_t bytes);
void *__wrap__ZnwmRKSt9nothrow_t(size_t bytes, const void *tag);
void *__wrap__ZnamRKSt9nothrow_t(size_t bytes, const void *tag);

extern void (*_ZSt15get_new_handlerv(void))(void) __attribute__((weak));
extern void _ZSt17__throw_bad_allocv(void) __attribute__((weak));

/* In place of operator new. --wrap leaves no reference to the one of a static libstdc++, and it is not linked then. */
OURS static COLD void *new_here(size_t bytes) {
  for (void *p;;) {
    if ((p = __wrap_malloc(bytes ? bytes : 1))) return p;
    void (*handler)(void) = _ZSt15get_new_handlerv ? _ZSt15get_new_handlerv() : NULL;
    if (handler) handler();
    else if (_ZSt17__throw_bad_allocv) _ZSt17__throw_bad_allocv();
    else abort();
  }
}

static inline void *new_checked(size_t bytes, const void *caller) {
  return is_checking() && serves_new ? serve(bytes, caller) : NULL;
}

OURS void *__wrap__Znwm(size_t bytes) {
  void *p = new_checked(bytes, CALLER);
  return p ? p : __real__Znwm ? __real__Znwm(bytes) : new_here(bytes);
}

OURS void *__wrap__Znam(size_t bytes) {
  void *p = new_checked(bytes, CALLER);
  return p ? p : __real__Znam ? __real__Znam(bytes) : __wrap__Znwm(bytes);
}

/* A delete of the program's own may need what its own operator new returns. */
OURS void *__wrap__ZnwmRKSt9nothrow_t(size_t bytes, const void *tag) {
  void *p = new_checked(bytes, CALLER);
  if (p || __real__ZnwmRKSt9nothrow_t) return p ? p : __real__ZnwmRKSt9nothrow_t(bytes, tag);
  return __real__Znwm ? __real__Znwm(bytes) : __wrap_malloc(bytes ? bytes : 1);
}

OURS void *__wrap__ZnamRKSt9nothrow_t(size_t bytes, const void *tag) {
  void *p = new_checked(bytes, CALLER);
  if (p || __real__ZnamRKSt9nothrow_t) return p ? p : __real__ZnamRKSt9nothrow_t(bytes, tag);
  return __real__Znam ? __real__Znam(bytes) : __wrap__ZnwmRKSt9nothrow_t(bytes, tag);
}

HIDDEN size_t portable__allocate_usable(void *ptr) {
  size_t held = ptr ? portable__serve_bytes(ptr) : 0;
  return held || !ptr ? held : others() && next.usable ? next.usable(ptr) : 0;
}

size_t __wrap_malloc_usable_size(void *ptr) { return portable__allocate_usable(ptr); }
