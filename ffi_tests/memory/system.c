/* system.c - the system refuses the library's own memory at each call in turn: slabs and tables of the default pool at
 * init and at growth, giving slabs back at trim, single blocks under GATOR_DISABLE=1; and a real limit of address
 * space. Not in this file: what is run and compared (run.h), how calls are refused (inject.c). */
#define _GNU_SOURCE
#include "run.h"
#include "child.h"
#include "inject.h"

#include <sys/resource.h>

static const struct { int what; const char *cause, *remedy; } faults[] = {
  {INJECT_MAP, "mapping ", "ask for less, or look at ulimit -v"},
  {INJECT_UNMAP, "could not free a slab of ", "it stays in the pool, and may be asked for again"},
  {INJECT_HEAP, "the system's heap has no ", "ask for less, or look at ulimit -v"},
};

static portable_config configured(int pool) {
  portable_config config = PORTABLE_CONFIG_INIT;
  config.pool = pool;
  config.pool_initial_bytes = 1u << 20;
  config.pool_grow_bytes = 1u << 20;
  return config;
}

/* Starts, runs, stops, with call number `at` refused, or all from there on. Gives 0 when there were not so many. */
static int one_run(size_t fault, int at, int forever, int thorough) {
  portable_config config = configured(faults[fault].what == INJECT_HEAP ? -1 : 1);
  struct source_view view = {inject_refusals, inject_heal, NULL, NULL, faults[fault].cause, faults[fault].remedy};
  struct run run;
  uint64_t kept = inject_mapped() - inject_lost();
  int failures = check_failures, refused;
  memset(&run, 0, sizeof run);
  run.name = "the default pool";
  run.source = &view;
  run.thorough = thorough;
  inject_arm(faults[fault].what, at, forever);
  if (portable_init(&config) != PORTABLE_OK) {
    CHECK(inject_refusals() > 0 && !portable_is_initialized());
    CHECK_TEXT("the default pool has no 1048576 bytes");
    CHECK_TEXT(view.cause);
    CHECK_TEXT("the first slab has its size from initial_mb (pool_initial_bytes in C), which the program set");
    CHECK(inject_mapped() - inject_lost() == kept);
    inject_heal();
    CHECK_STATUS(portable_init(&config), PORTABLE_OK);
  }
  run_all(&run);
  refused = inject_refusals();
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  /* A slab that is refused twice at the end is lost, with its tables; its warning says so. */
  if (!forever || inject_refusals() == refused) CHECK(inject_mapped() - inject_lost() == kept);
  if (check_failures != failures)
    printf("  in: fault %d at call %d%s, thorough %d\n", faults[fault].what, at, forever ? " and on" : "", thorough);
  at = inject_calls() >= at;
  inject_heal();
  return at;
}

/* The kernel's own refusal, under a limit of address space that leaves the Go runtime room. */
static int limited(void) {
  struct rlimit limit;
  unsigned long pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  void *p, *q;
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_alloc(1000, "kept", &p), PORTABLE_OK);
  memset(p, 7, 1000);
  CHECK(f && fscanf(f, "%lu", &pages) == 1);
  if (f) fclose(f);
  CHECK(getrlimit(RLIMIT_AS, &limit) == 0);
  limit.rlim_cur = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + (512u << 20);
  CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
  CHECK_STATUS(portable_alloc((size_t)2 << 30, "wanted", &q), PORTABLE_ERR_NOMEM);
  CHECK_TEXT("out of memory: the default pool has no 2147483648 bytes (2048.0 MiB) labelled \"wanted\"");
  CHECK_TEXT("mapping 2147483648 bytes of host memory");
  CHECK_TEXT("ask for less, or look at ulimit -v");
  CHECK(q == NULL && ((char *)p)[999] == 7);
  CHECK_STATUS(portable_alloc(100000000, "less", &q), PORTABLE_OK);
  CHECK_STATUS(portable_free(q), PORTABLE_OK);
  limit.rlim_cur = limit.rlim_max;
  CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
  CHECK_STATUS(portable_alloc((size_t)2 << 30, "wanted", &q), PORTABLE_OK);
  CHECK_STATUS(portable_free(q), PORTABLE_OK);
  CHECK_STATUS(portable_free(p), PORTABLE_OK);
  return check_end();
}

/* Every fault at every call; its warnings go to the parent, which counts no more than that they are there. */
static int injected(void) {
  size_t fault;
  int at, forever, thorough, runs = 0, of[3] = {0, 0, 0};
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK); /* what a thread needs once is there from now on */
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  for (fault = 0; fault < 3; fault++)
    for (forever = 0; forever < 2; forever++)
      for (thorough = 0; thorough < 2; thorough++)
        for (at = 1; one_run(fault, at, forever, thorough); at++) runs++, of[fault]++;
  printf("%d runs with a fault: %d of maps, %d of unmaps, %d of single blocks\n", runs, of[0], of[1], of[2]);
  CHECK(of[0] > 20 && of[1] > 20 && of[2] > 20);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  return check_end();
}

int main(int argc, char **argv) {
  static char text[1 << 20];
  char *line;
  int code;
  if (argc > 1) return strcmp(argv[1], "limited") == 0 ? limited() : injected();
  CHECK(child_run("limited", NULL, text, sizeof text) == 0);
  CHECK(text[0] == '\0');
  if (text[0]) printf("it said: %s\n", text);
  /* Memory that is lost because the system does not take it back at the end is reported, and nothing else is. */
  code = child_run("injected", NULL, text, sizeof text);
  CHECK(code == 0);
  for (line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
    CHECK(strstr(line, "gator: the default pool could not free a slab of ") != NULL);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  return check_end();
}
