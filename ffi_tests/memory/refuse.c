/* refuse.c - see refuse.h. A caller is the function around the return address, by the program's own table of symbols: the linker
 * keeps the names of static functions there. Threads: the counters are atomic. */
#define _GNU_SOURCE
#include "refuse.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const ElfW(Sym) *symbols;
static size_t symbol_count;
static const char *names;
static uintptr_t base; /* of the program in memory */

static atomic_long at, calls, refusals;
static atomic_int armed, forever_on;
static _Atomic(const char *) refused_last;

static int first_object(struct dl_phdr_info *info, size_t bytes, void *to) {
  (void)bytes;
  *(uintptr_t *)to = (uintptr_t)info->dlpi_addr;
  return 1;
}

int refuse_open(void) {
  struct stat state;
  int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (file < 0 || fstat(file, &state) != 0) return 0;
  const char *image = mmap(NULL, (size_t)state.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (image == MAP_FAILED) return 0;
  const ElfW(Ehdr) *head = (const void *)image;
  const ElfW(Shdr) *section = (const void *)(image + head->e_shoff);
  for (int i = 0; i < head->e_shnum; i++)
    if (section[i].sh_type == SHT_SYMTAB) {
      symbols = (const void *)(image + section[i].sh_offset);
      symbol_count = section[i].sh_size / sizeof *symbols;
      names = image + section[section[i].sh_link].sh_offset;
    }
  dl_iterate_phdr(first_object, &base);
  return symbol_count > 0;
}

/* "": no known caller. */
static const char *caller_of(const void *address) {
  uintptr_t where = (uintptr_t)address - base - 1; /* the call is before the return address */
  for (size_t i = 0; i < symbol_count; i++)
    if ((symbols[i].st_info & 15) == STT_FUNC && symbols[i].st_value <= where && where < symbols[i].st_value + symbols[i].st_size)
      return names + symbols[i].st_name;
  return "";
}

/* The C parts of Go's runtime. cgo's functions of our own packages are called _cgo_<number>_Cfunc_... */
static int is_go(const char *name) {
  static const char *const begins[] = {"x_cgo_", "_cgo_sys_", "_cgo_try_", "_cgo_set_", "_cgo_wait_", "threadentry", "crosscall", "fatalf"};
  for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
    if (strncmp(name, begins[i], strlen(begins[i])) == 0) return 1;
  return 0;
}

static int refuses(const void *address) {
  if (!atomic_load(&armed)) return 0;
  const char *caller = caller_of(address);
  if (is_go(caller)) return 0;
  long n = atomic_fetch_add(&calls, 1) + 1, first = atomic_load(&at);
  if (first == 0 || n < first || (n > first && !atomic_load(&forever_on))) return 0;
  atomic_store(&refused_last, caller);
  atomic_fetch_add(&refusals, 1);
  return 1;
}

void refuse_arm(long n, int forever) {
  atomic_store(&armed, 0);
  atomic_store(&at, n);
  atomic_store(&forever_on, forever);
  atomic_store(&calls, 0);
  atomic_store(&refusals, 0);
  atomic_store(&refused_last, "");
  atomic_store(&armed, 1);
}

void refuse_heal(void) { atomic_store(&armed, 0); }
long refuse_calls(void) { return atomic_load(&calls); }
long refuse_refusals(void) { return atomic_load(&refusals); }
const char *refuse_caller(void) { return atomic_load(&refused_last); }

#define REFUSED refuses(__builtin_return_address(0))
#define WRAPPED(result, name, declared, passed, failed)                                                                                     \
  result __real_##name declared;                                                                                                            \
  result __wrap_##name declared;                                                                                                            \
  result __wrap_##name declared {                                                                                                           \
    if (!REFUSED) return __real_##name passed;                                                                                              \
    errno = ENOMEM;                                                                                                                         \
    return failed;                                                                                                                          \
  }

WRAPPED(void *, malloc, (size_t bytes), (bytes), NULL)
WRAPPED(void *, calloc, (size_t count, size_t bytes), (count, bytes), NULL)
WRAPPED(void *, realloc, (void *p, size_t bytes), (p, bytes), NULL)
WRAPPED(void *, reallocarray, (void *p, size_t count, size_t bytes), (p, count, bytes), NULL)
WRAPPED(void *, aligned_alloc, (size_t alignment, size_t bytes), (alignment, bytes), NULL)
WRAPPED(int, posix_memalign, (void **to, size_t alignment, size_t bytes), (to, alignment, bytes), ENOMEM)
WRAPPED(char *, strdup, (const char *text), (text), NULL)
WRAPPED(void *, mmap, (void *where, size_t bytes, int protection, int flags, int file, off_t offset),
        (where, bytes, protection, flags, file, offset), MAP_FAILED)
WRAPPED(int, pthread_create, (pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument),
        (thread, attributes, run, argument), EAGAIN)
