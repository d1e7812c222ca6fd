/* sources.c - a user's own source of slabs that does each thing wrong at each of its calls in turn: refuses once, refuses
 * from there on, gives memory that is not aligned, gives a piece that overlaps another. At the end of every run each
 * slab was freed exactly once. Not in this file: what is run and compared (run.h), the host's memory (system.c). */
#include "run.h"

enum fault { NONE, ONCE, FROM, CROOKED, OVERLAP, FAULTS };
enum { SLABS = 256 };

static struct {
  struct { char *start; size_t bytes; int padded; } slab[SLABS]; /* those that the pool holds */
  enum fault fault;
  int count, calls, at, refusals, healed, crooked, wrong;
} source;

static char overlapping[2 << 20];
static int refused[FAULTS]; /* operations, over all runs */

static void *give(size_t bytes, void *payload) {
  void *start = NULL;
  int now, i = source.count;
  source.wrong += payload != &source || i == SLABS;
  source.calls++;
  now = source.calls == source.at;
  if ((source.fault == ONCE && now) || (source.fault == FROM && source.calls >= source.at && !source.healed)) {
    source.refusals++;
    return NULL;
  }
  if (source.fault == OVERLAP && now && source.count > 0) {
    source.refusals++; /* not kept: it is the pool's error if it ever comes back */
    return source.slab[0].start + source.slab[0].bytes / 2;
  }
  if (posix_memalign(&start, 4096, bytes + 64) != 0) return NULL;
  if (source.fault == CROOKED && source.calls >= source.at) start = (char *)start + 16;
  source.slab[i].start = (char *)start;
  source.slab[i].bytes = bytes;
  source.slab[i].padded = source.crooked;
  if ((uintptr_t)start % 64 != 0) source.crooked = 1;
  source.count++;
  return start;
}

static void take(void *start, size_t bytes, void *payload) {
  int i;
  source.wrong += payload != &source;
  for (i = 0; i < source.count && source.slab[i].start != (char *)start; i++) {}
  if (i == source.count || source.slab[i].bytes != bytes) {
    source.wrong++; /* never given, freed before, or of another size */
    return;
  }
  free((void *)((uintptr_t)start & ~(uintptr_t)63));
  source.slab[i] = source.slab[--source.count];
}

static int refusals(void) { return source.refusals; }
static void heal(void) { source.healed = 1; }
static uint64_t slabs(void) { return (uint64_t)source.count; }

/* A padded slab holds 64 bytes that the pool does not count. */
static uint64_t bytes_held(void) {
  uint64_t sum = 0;
  int i;
  for (i = 0; i < source.count; i++) sum += source.slab[i].bytes - (source.slab[i].padded ? 64 : 0);
  return sum;
}

static const char *const remedies[FAULTS] = {"", "ask for less", "ask for less", "", "give each piece of memory once"};
static const char *const causes[FAULTS] = {"", "the alloc function of faulty has no ", "the alloc function of faulty has no ", "",
                                           "the alloc function of faulty"};

/* A run with one fault. Gives 0 when the source was never asked so often. */
static int one_run(const portable_pool_config *config, enum fault fault, int at, int thorough) {
  struct source_view view = {refusals, heal, bytes_held, slabs, causes[fault], remedies[fault]};
  struct run run;
  int before = check_failures, failed = 0;
  memset(&source, 0, sizeof source);
  memset(&run, 0, sizeof run);
  source.fault = fault;
  source.at = at;
  run.name = "faulty";
  run.source = &view;
  run.thorough = thorough;
  run.pool = 5;
  if (portable_pool_create(config, &run.pool) != PORTABLE_OK) {
    char part[64];
    failed++;
    CHECK(run.pool == 0 && source.refusals == 1 && source.count == 0);
    snprintf(part, sizeof part, "faulty has no %llu bytes", (unsigned long long)config->initial_bytes);
    CHECK_TEXT(part);
    CHECK_TEXT(view.cause);
    heal();
    CHECK_STATUS(portable_pool_create(config, &run.pool), PORTABLE_OK);
  }
  failed += run_all(&run);
  refused[fault] += failed;
  if (fault == OVERLAP && source.refusals > 0) CHECK(failed == 1);
  if (fault == NONE || fault == CROOKED) CHECK(failed == 0);
  CHECK_STATUS(portable_pool_destroy(run.pool), PORTABLE_OK);
  CHECK(source.count == 0 && source.wrong == 0);
  if (check_failures != before)
    printf("  in: fault %d at call %d, first slab %llu, grow %llu, thorough %d\n", (int)fault, at,
           (unsigned long long)config->initial_bytes, (unsigned long long)config->grow_bytes, thorough);
  return source.calls >= at;
}

/* The same piece again as the first slab of another pool is that pool's own affair; in one pool it is an error. */
static void *give_same(size_t bytes, void *payload) {
  (void)payload;
  return bytes <= sizeof overlapping - 64 ? (void *)(((uintptr_t)overlapping + 63) & ~(uintptr_t)63) : NULL;
}

static void take_same(void *start, size_t bytes, void *payload) {
  (void)start, (void)bytes;
  ++*(int *)payload;
}

static void same_piece_twice(void) {
  portable_pool_config config = PORTABLE_POOL_CONFIG_INIT;
  portable_pool pool;
  int taken = 0;
  void *p, *q;
  config.name = "faulty";
  config.alloc = give_same;
  config.free = take_same;
  config.payload = &taken;
  config.grow_bytes = 1u << 20;
  CHECK_STATUS(portable_pool_create(&config, &pool), PORTABLE_OK);
  CHECK_STATUS(portable_pool_alloc(pool, 900000, "first", &p), PORTABLE_OK);
  CHECK_STATUS(portable_pool_alloc(pool, 900000, "second", &q), PORTABLE_ERR_NOMEM);
  CHECK(q == NULL);
  CHECK_TEXT("which overlap the slab of 1048576 bytes");
  CHECK_STATUS(portable_pool_free(pool, p), PORTABLE_OK);
  CHECK_STATUS(portable_pool_destroy(pool), PORTABLE_OK);
  CHECK(taken == 1);
}

int main(void) {
  static const struct { uint64_t initial, grow, limit; } configs[] = {
    {0, 1u << 20, 0}, {1u << 20, 1u << 20, 0}, {512u << 10, 0, 0}, {1u << 20, 1u << 20, 14u << 20}};
  size_t c;
  int runs = 0, fault, at, thorough;
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  for (c = 0; c < sizeof configs / sizeof configs[0]; c++) {
    portable_pool_config config = PORTABLE_POOL_CONFIG_INIT;
    config.name = "faulty";
    config.alloc = give;
    config.free = take;
    config.payload = &source;
    config.initial_bytes = configs[c].initial;
    config.grow_bytes = configs[c].grow;
    config.limit_bytes = configs[c].limit;
    for (thorough = 0; thorough < 2; thorough++) {
      one_run(&config, NONE, 0, thorough);
      for (fault = ONCE; fault < FAULTS; fault++)
        for (at = 1; one_run(&config, (enum fault)fault, at, thorough); at++) runs++;
    }
  }
  same_piece_twice();
  printf("%d runs with a fault; operations refused: %d once, %d from there on, %d by an overlap\n", runs, refused[ONCE],
         refused[FROM], refused[OVERLAP]);
  CHECK(runs > 100 && refused[ONCE] > 10 && refused[FROM] > 10 && refused[OVERLAP] > 10);
  return check_end();
}
