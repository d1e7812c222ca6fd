/* first_touch.c - which thread touches each page of a block first: the one whose chunk of a launch has it, in fresh and in reused blocks, and
 * in fills. Pages are closed, and a handler of SIGSEGV notes who comes first and opens them. With two nodes of memory, the kernel is asked
 * too where the pages are. Not in this file: which chunks there are (launches.c). Linux only. */
#define _GNU_SOURCE
#include "check.h"

#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PAGES = 600, WORKERS = 64 };

static portable_launch_config host = PORTABLE_LAUNCH_CONFIG_INIT; /* no other device may see closed pages */
static char *first_page;
static size_t page_bytes;
static int pages;                  /* whole pages of the block */
static _Atomic int touched_by[PAGES];
static _Atomic int thread_of[WORKERS];

static int this_thread(void) { return (int)syscall(SYS_gettid); }

static void opened(int signal, siginfo_t *info, void *context) {
  (void)context;
  char *at = info->si_addr;
  if (!first_page || at < first_page || at >= first_page + (size_t)pages * page_bytes) {
    struct sigaction usual = {.sa_handler = SIG_DFL};
    sigaction(signal, &usual, NULL); /* a fault of the test: it ends as any other */
    return;
  }
  size_t page = (size_t)(at - first_page) / page_bytes;
  int none = 0;
  atomic_compare_exchange_strong(&touched_by[page], &none, this_thread());
  mprotect(first_page + page * page_bytes, page_bytes, PROT_READ | PROT_WRITE);
}

/* Closes the whole pages of a block. */
static void close_pages(void *block, size_t bytes) {
  uintptr_t from = ((uintptr_t)block + page_bytes - 1) / page_bytes * page_bytes, to = ((uintptr_t)block + bytes) / page_bytes * page_bytes;
  pages = (int)((to - from) / page_bytes);
  CHECK(pages > 64 && pages <= PAGES);
  if (pages > PAGES) exit(1);
  for (int p = 0; p < pages; p++) touched_by[p] = 0;
  first_page = (char *)from;
  CHECK(mprotect(first_page, (size_t)pages * page_bytes, PROT_NONE) == 0);
}

struct field {
  double *values;
};

static void note(const portable_tile *t, void *args) {
  const struct field *f = args;
  if (t->worker < WORKERS) thread_of[t->worker] = this_thread();
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) f->values[i] = t->worker;
}

/* values[i] is the worker of element i: each page was touched first by the thread of the worker of its first or last element. */
static void check_pages(const char *what, const double *values) {
  int wrong = 0, shared = 0;
  for (int p = 0; p < pages; p++) {
    const double *page = (const double *)(first_page + (size_t)p * page_bytes);
    const int64_t of = (int64_t)(page_bytes / sizeof(double));
    int a = (int)values[page - values], b = (int)values[page - values + of - 1];
    shared += a != b;
    wrong += touched_by[p] != thread_of[a] && touched_by[p] != thread_of[b];
  }
  if (wrong > 0) printf("%s: %d of %d pages were touched first by another thread\n", what, wrong, pages);
  CHECK(wrong == 0 && shared < portable_num_threads());
}

/* Where the system says that there are several nodes of memory, pages lie on the node of the thread that touched them, if threads are bound. */
static void check_nodes(void) {
  if (access("/sys/devices/system/node/node1", F_OK) != 0 || !getenv("OMP_PROC_BIND")) return;
  int node_of[WORKERS], wrong = 0;
  for (int w = 0; w < WORKERS; w++) node_of[w] = -1;
  for (int p = 0; p < pages; p++) {
    void *page = first_page + (size_t)p * page_bytes;
    int status = -1;
    if (syscall(SYS_move_pages, 0, 1UL, &page, NULL, &status, 0) != 0 || status < 0) return;
    for (int w = 0; w < WORKERS; w++)
      if (thread_of[w] == touched_by[p]) {
        if (node_of[w] < 0) node_of[w] = status;
        wrong += node_of[w] != status;
        break;
      }
  }
  CHECK(wrong <= pages / 50); /* the system may take another node when one is full */
}

static void test_blocks(void) {
  const size_t bytes = (size_t)512 * page_bytes + 1000 * sizeof(double);
  const int64_t n = (int64_t)(bytes / sizeof(double));
  portable_bounds b = portable_bounds_1(n);
  struct field f;
  void *block = NULL, *before = NULL;
  for (int round = 0; round < 3; round++) {
    CHECK_STATUS(portable_alloc(bytes, "first touch", &block), PORTABLE_OK);
    CHECK(round == 0 || block == before); /* a reused block */
    before = block;
    f.values = block;
    close_pages(block, bytes);
    CHECK_STATUS(portable_parallel_for("touch", &b, note, &f, sizeof f, &host), PORTABLE_OK);
    check_pages(round == 0 ? "a fresh block" : "a reused block", block);
    if (round == 0) check_nodes();
    if (round < 2) CHECK_STATUS(portable_free(block), PORTABLE_OK);
  }
  /* A fill has the chunks of a launch over the same elements, to two units of 4096 elements. A thread that is late leaves its chunk to another. */
  double *chunks = malloc(bytes);
  if (!chunks) exit(1);
  memcpy(chunks, block, bytes);
  const double one = 1;
  close_pages(block, bytes);
  portable_componentwise_options options = PORTABLE_COMPONENTWISE_OPTIONS_INIT;
  options.launch = &host;
  CHECK_STATUS(portable_fill("fill", &one, sizeof one, block, 1, &n, &options), PORTABLE_OK);
  const int64_t of = (int64_t)(page_bytes / sizeof(double)), unit = 2 * ((4096 + of - 1) / of);
  for (int p = 1; p < pages; p++) {
    if (touched_by[p] == touched_by[p - 1]) continue;
    int64_t from = p > unit ? p - unit - 1 : 0, to = p + unit < pages ? p + unit : pages - 1;
    const double *page = chunks + ((const double *)first_page - (const double *)block);
    CHECK(page[from * of] != page[to * of]); /* a launch's chunk ends near to it */
  }
  free(chunks);
  CHECK_STATUS(portable_free(block), PORTABLE_OK);
}

int main(void) {
  page_bytes = (size_t)sysconf(_SC_PAGESIZE);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_device_find("threads", &host.device), PORTABLE_OK);
  portable_bounds b = portable_bounds_1(64);
  double values[64];
  struct field f = {values};
  CHECK_STATUS(portable_parallel_for("start the team", &b, note, &f, sizeof f, &host), PORTABLE_OK);
  struct sigaction act, old;
  memset(&act, 0, sizeof act);
  act.sa_sigaction = opened;
  act.sa_flags = SA_SIGINFO | SA_ONSTACK;
  CHECK(sigaction(SIGSEGV, &act, &old) == 0);
  test_blocks();
  first_page = NULL;
  CHECK(sigaction(SIGSEGV, &old, NULL) == 0);
  return check_end();
}
