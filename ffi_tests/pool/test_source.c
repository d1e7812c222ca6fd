/* test_source.c - pools over slabs that the user's own functions give and take back: counted, refused on
 * order, and in memory that is never touched. Not in this file: pools over memory of the host (test_pool.c). */
#include "check.h"
#ifdef __x86_64__
#include <xmmintrin.h>
static unsigned modes(void) { return _mm_getcsr(); }
static void set_modes(unsigned m) { _mm_setcsr(m); }
#else
static unsigned modes(void) { return 0x1f80; }
static void set_modes(unsigned m) { (void)m; }
#endif

typedef struct source {
  int given, taken, refuse_after;
  size_t bytes;
  unsigned modes; /* of floating point, as the last call of `give` saw them */
} source;

static void *give(size_t bytes, void *payload) {
  source *s = (source *)payload;
  void *slab;
  s->modes = modes();
  if (s->given >= s->refuse_after || posix_memalign(&slab, 4096, bytes) != 0) return NULL;
  s->given++;
  s->bytes += bytes;
  return slab;
}

static void take(void *slab, size_t bytes, void *payload) {
  source *s = (source *)payload;
  s->taken++;
  s->bytes -= bytes;
  free(slab);
}

/* Addresses of another world, as a device's are: any access by the host would end the program. */
static void *give_far(size_t bytes, void *payload) {
  uintptr_t *next = (uintptr_t *)payload;
  void *slab = (void *)*next; /* NOLINT: never dereferenced */
  *next += bytes + 4096;
  return slab;
}

static void take_far(void *slab, size_t bytes, void *payload) {
  (void)slab;
  (void)bytes;
  (void)payload;
}

int main(void) {
  portable_pool_config config = PORTABLE_POOL_CONFIG_INIT;
  source counted = {0, 0, 2, 0, 0};
  uintptr_t far = (uintptr_t)1 << 46;
  portable_pool pool = 0;
  uint64_t released = 0;
  void *p[40];
  int i;

  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  config.name = "counted";
  config.alloc = give;
  config.free = take;
  config.payload = &counted;
  config.initial_bytes = 1u << 20;
  config.grow_bytes = 1u << 20;
  CHECK_STATUS(portable_pool_create(&config, &pool), PORTABLE_OK);
  CHECK(counted.given == 1 && counted.taken == 0 && counted.bytes >= 1u << 20);
  CHECK_STATUS(portable_pool_alloc(pool, 900000, "a", &p[0]), PORTABLE_OK);
  /* The source runs with the library's modes, and the caller, who flushes denormals, keeps his own. */
  set_modes(0x9fc0);
  i = (int)modes();
  CHECK_STATUS(portable_pool_alloc(pool, 900000, "b", &p[1]), PORTABLE_OK);
  CHECK(modes() == (unsigned)i);
  set_modes(0x1f80);
  CHECK(counted.given == 2 && counted.modes == 0x1f80);

  /* The source gives no third slab; the pool goes on with what it has. */
  CHECK_STATUS(portable_pool_alloc(pool, 900000, "refused_one", &p[2]), PORTABLE_ERR_NOMEM);
  CHECK(p[2] == NULL);
  CHECK_TEXT("refused_one");
  CHECK_STATUS(portable_pool_check(pool), PORTABLE_OK);
  CHECK_STATUS(portable_pool_free(pool, p[0]), PORTABLE_OK);
  CHECK_STATUS(portable_pool_alloc(pool, 900000, "again", &p[0]), PORTABLE_OK);
  memset(p[0], 1, 900000);

  CHECK_STATUS(portable_pool_free(pool, p[1]), PORTABLE_OK);
  CHECK_STATUS(portable_pool_trim(pool, &released), PORTABLE_OK);
  CHECK(counted.taken == 1 && released >= 1u << 20);
  CHECK_STATUS(portable_pool_free(pool, p[0]), PORTABLE_OK);
  CHECK_STATUS(portable_pool_destroy(pool), PORTABLE_OK);
  CHECK(counted.given == 2 && counted.taken == 2 && counted.bytes == 0);

  /* A source that refuses at once: no pool, and no handle. */
  counted.refuse_after = 0;
  pool = 5;
  CHECK_STATUS(portable_pool_create(&config, &pool), PORTABLE_ERR_NOMEM);
  CHECK(pool == 0);
  /* Half a source is none. */
  config.free = NULL;
  CHECK_STATUS(portable_pool_create(&config, &pool), PORTABLE_ERR_ARG);

  /* Slabs that the host cannot read. */
  config.name = "far";
  config.alloc = give_far;
  config.free = take_far;
  config.payload = &far;
  CHECK_STATUS(portable_pool_create(&config, &pool), PORTABLE_OK);
  for (i = 0; i < 40; i++) CHECK_STATUS(portable_pool_alloc(pool, 100000, "far", &p[i]), PORTABLE_OK);
  for (i = 0; i < 40; i += 2) CHECK_STATUS(portable_pool_free(pool, p[i]), PORTABLE_OK);
  CHECK_STATUS(portable_pool_check(pool), PORTABLE_OK);
  for (i = 1; i < 40; i += 2) CHECK_STATUS(portable_pool_free(pool, p[i]), PORTABLE_OK);
  CHECK(check_stats(pool).in_use_blocks == 0);
  CHECK_STATUS(portable_pool_destroy(pool), PORTABLE_OK);
  return check_end();
}
