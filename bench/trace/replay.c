/* replay.c - runs a trace through one allocator; docs/check/benchmarks.md explains each row. usage:
 * bench_trace portable|malloc PHASE TRACE.csv|shallow_water|mixed [N]. Prints name, value and unit,
 * a line each. Phases: time (arrays are not written), written (each new array is; resident memory
 * counts), state (of the pool; portable only), csv (writes the trace as CSV). With N the invented
 * trace has an Nth of the operations. */
#include "../pool/allocators.h"
#include "trace.h"

take_fn take;
give_fn give;
static struct trace trace;
static void **blocks;
static char *title;

static int is_portable(void) { return take == gatorAllocate; }

static void row(const char *what, double value, const char *unit) {
  char name[128];
  snprintf(name, sizeof name, "%s: %s", title, what);
  result(name, value, unit);
}

/* A quantity of /proc/self/status, in bytes. */
static double status_bytes(const char *name) {
  char line[256];
  double kib = 0;
  FILE *in = fopen("/proc/self/status", "r");
  while (in && fgets(line, sizeof line, in))
    if (!strncmp(line, name, strlen(name))) kib = atof(line + strlen(name));
  if (in) fclose(in);
  return kib * 1024;
}

/* With its label where the allocator knows labels: that is what Fortran pays. */
static void *allocate(const struct op *o) {
  void *p = NULL;
  if (!is_portable()) return take(o->bytes);
  portable_alloc(o->bytes, trace.labels[o->label], &p);
  return p;
}

static void run(int write, size_t from, size_t to) {
  for (size_t i = from; i < to; i++) {
    const struct op *o = &trace.ops[i];
    if (o->label < 0) {
      give(blocks[o->block]);
      blocks[o->block] = NULL;
    } else {
      blocks[o->block] = allocate(o);
      if (write) memset(blocks[o->block], 1, o->bytes);
    }
  }
}

/* Blocks that a truncated trace leaves. */
static void give_rest(void) {
  for (uint32_t b = trace.blocks; b-- > 0;) {
    if (blocks[b]) give(blocks[b]);
    blocks[b] = NULL;
  }
}

static void timed(int write) {
  double best = 1e300, before = status_bytes("VmRSS:");
  for (int round = 0; round < 5; round++) {
    pause_50ms();
    double t = now();
    run(write, 0, trace.count);
    t = now() - t;
    if (t < best) best = t;
    give_rest();
  }
  row(write ? "operation, arrays written" : "operation", best / (double)trace.count, "ns");
  if (write) row("resident high water over bytes asked for", (status_bytes("VmHWM:") - before) / (double)trace.most_asked, "x");
}

static portable_stats stats_now(void) {
  portable_pool pool = 0;
  portable_stats s;
  memset(&s, 0, sizeof s);
  s.struct_size = sizeof s;
  if (portable_pool_default(&pool) == PORTABLE_OK) portable_pool_stats(pool, &s);
  return s;
}

/* The statistics empty the magazines, so the whole run comes before the first of them, and the highest moment is
 * looked at in a second run. */
static void state(void) {
  const double mib = 1 << 20;
  run(0, 0, trace.count);
  portable_stats s = stats_now();
  row("most bytes live, as asked for", (double)trace.most_asked / mib, "MiB");
  row("high water of the pool", (double)s.high_water_bytes / mib, "MiB");
  row("high water over bytes asked for", (double)s.high_water_bytes / (double)trace.most_asked, "x");
  row("reserved", (double)s.reserved_bytes / mib, "MiB");
  give_rest();
  run(0, 0, trace.at_most + 1);
  s = stats_now();
  row("largest gap at the highest moment", (double)s.largest_gap_bytes / mib, "MiB");
  row("fragmentation at the highest moment", s.fragmentation, "of 1");
  run(0, trace.at_most + 1, trace.count);
  give_rest();
}

int main(int argc, char **argv) {
  int portable = argc >= 4 && !strcmp(argv[1], "portable"), known = portable || (argc >= 4 && !strcmp(argv[1], "malloc"));
  size_t part = argc > 4 && atol(argv[4]) > 0 ? (size_t)atol(argv[4]) : 1;
  known = known && (!strcmp(argv[2], "time") || !strcmp(argv[2], "written") || (portable && !strcmp(argv[2], "state")) || !strcmp(argv[2], "csv"));
  if (!known) {
    fprintf(stderr, "usage: %s portable|malloc time|written|state|csv TRACE.csv|shallow_water|mixed [N]\n", argv[0]);
    return 2;
  }
  int mixed = !strcmp(argv[3], "mixed");
  if (!(mixed ? trace_make(&trace, 42, 200000 / part) : !strcmp(argv[3], "shallow_water") ? trace_shallow_water(&trace) : trace_read(&trace, argv[3])))
    return 1;
  if (!strcmp(argv[2], "csv")) {
    trace_print(&trace, stdout);
    return 0;
  }
  if (!(blocks = calloc(trace.blocks, sizeof *blocks))) return 1;
  title = mixed ? "mixed trace" : "shallow water";
  take = portable ? gatorAllocate : malloc;
  give = portable ? gatorDeallocate : free;
  if (portable) gatorInit();
  if (!strcmp(argv[2], "state")) state();
  else timed(!strcmp(argv[2], "written"));
  if (portable) gatorFinalize();
  return 0;
}
