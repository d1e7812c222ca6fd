/* particles.c [direct] - particles in the memory of a cuda device that migrate between two ranks, which are threads of this process. The transport
 * reads messages as MPI does, so that an address of the device faults; with `direct` it gets such addresses, and copies by the device. The
 * results are those of a model on the host. Not in this file: more ranks, refusals (ffi_tests/mpi). */
#include <pthread.h>

#include "algorithms.h"

enum { ROOM = 400, COUNT = 150, FIELDS = 3 };
static const int32_t kinds[FIELDS] = {PORTABLE_KIND_REAL64, PORTABLE_KIND_INT16, PORTABLE_KIND_REAL32};
static const int components[FIELDS] = {1, 1, 3};
static int direct;

/* ---- a transport: each rank shows its data, and the other one takes from them ---- */

static pthread_barrier_t both;
static struct { int64_t values[8]; const char *give; const int32_t *count, *at; } shown[2];

static int32_t agree(void *context, int64_t *values, int32_t count, int32_t sum) {
  const int rank = *(int *)context;
  memcpy(shown[rank].values, values, (size_t)count * sizeof *values);
  pthread_barrier_wait(&both);
  for (int i = 0; i < count; i++) {
    const int64_t other = shown[!rank].values[i];
    values[i] = sum ? values[i] + other : values[i] > other ? values[i] : other;
  }
  pthread_barrier_wait(&both);
  return 0;
}

static int32_t all_to_all(void *context, const void *give, const int32_t *give_count, const int32_t *give_at, void *take, const int32_t *take_count, const int32_t *take_at) {
  const int rank = *(int *)context, data = give_count != NULL;
  shown[rank].give = give;
  shown[rank].count = give_count;
  shown[rank].at = give_at;
  CHECK(!data || (portable_reach(give) == PORTABLE_REACH_DEVICE) == direct);
  pthread_barrier_wait(&both);
  for (int r = 0; r < 2; r++) {
    const int64_t bytes = 16 * (int64_t)(data ? take_count[r] : 1);
    char *const to = (char *)take + 16 * (int64_t)(data ? take_at[r] : r);
    const char *const from = shown[r].give + 16 * (int64_t)(data ? shown[r].at[rank] : rank);
    CHECK(!data || take_count[r] == shown[r].count[rank]);
    CHECK(!data || r != rank || bytes == 0);
    if (bytes && data && direct) copy_there(to, from, bytes); else memcpy(to, from, (size_t)bytes);
  }
  pthread_barrier_wait(&both);
  return 0;
}

/* ---- ranks ---- */

struct side { portable_array field[FIELDS]; portable_fields fields; int32_t *owner; int64_t count, after; int rank; };
static struct side sides[2];

/* The value of a component of a particle, by its number. */
static double value(int field, int64_t number, int component) { return (double)(number * (field + 1) % 1000 + 10 * component); }

static void set(int field, void *at, int64_t i, double x) {
  if (kinds[field] == PORTABLE_KIND_REAL64) ((double *)at)[i] = x;
  else if (kinds[field] == PORTABLE_KIND_INT16) ((int16_t *)at)[i] = (int16_t)x;
  else ((float *)at)[i] = (float)x;
}

static void make(struct side *s, int rank, int owner_far) {
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  static char bytes[ROOM * 8 * 3];
  config.space = own_space;
  s->rank = rank;
  s->count = COUNT + rank;
  s->owner = owner_far ? take(ROOM * 4) : calloc(ROOM, sizeof *s->owner);
  for (int64_t i = 0; i < s->count; i++) s->owner[i] = chance() % 4 ? rank : !rank;
  CHECK_STATUS(portable_fields_create(NULL, &s->fields), PORTABLE_OK);
  for (int f = 0; f < FIELDS; f++) {
    const char *const names[FIELDS] = {"a", "b", "c"};
    const int64_t extents[2] = {ROOM, components[f]};
    CHECK_STATUS(portable_array_create(names[f], kinds[f], 0, components[f] > 1 ? 2 : 1, extents, &config, &s->field[f]), PORTABLE_OK);
    CHECK_STATUS(portable_fields_add(s->fields, names[f], &s->field[f], 0, NULL), PORTABLE_OK);
    memset(bytes, 0, sizeof bytes);
    for (int64_t i = 0; i < s->count; i++)
      for (int k = 0; k < components[f]; k++) set(f, bytes, i * components[f] + k, value(f, 1000 * rank + i, k));
    copy_there(s->field[f].data, bytes, ROOM * components[f] * kind_bytes[kinds[f]]);
  }
}

static void *migrate(void *side) {
  struct side *const s = side;
  portable_messenger m;
  memset(&m, 0, sizeof m);
  m.struct_size = (uint32_t)sizeof m;
  m.rank = s->rank;
  m.ranks = 2;
  m.context = &s->rank;
  m.agree = agree;
  m.all_to_all = all_to_all;
  CHECK_STATUS(portable_particles_migrate("beam", &m, s->owner, s->count, s->fields, &on_device, &s->after), PORTABLE_OK);
  return NULL;
}

static void compare(int rank) {
  static char there[ROOM * 8 * 3], want[ROOM * 8 * 3];
  struct side *const s = &sides[rank];
  for (int f = 0; f < FIELDS; f++) {
    int64_t n = 0;
    for (int from = 0; from < 2; from++) { /* those that stay, then those that come */
      const struct side *const o = &sides[from ? !rank : rank];
      for (int64_t i = 0; i < o->count; i++) {
        if (o->owner[i] != rank) continue;
        for (int k = 0; k < components[f]; k++) set(f, want, n * components[f] + k, value(f, 1000 * o->rank + i, k));
        n++;
      }
    }
    CHECK(s->after == n && n > 0 && n != s->count);
    copy_there(there, s->field[f].data, ROOM * components[f] * kind_bytes[kinds[f]]);
    same("particles", want, there, (size_t)(n * components[f] * kind_bytes[kinds[f]]), rank, kinds[f], n);
  }
}

int main(int argc, char **argv) {
  direct = argc > 1 && !strcmp(argv[1], "direct");
  begin();
  pthread_barrier_init(&both, NULL, 2);
  for (int far = 0; far < 2; far++) { /* owners that the device can access, or not */
    pthread_t other;
    for (int r = 0; r < 2; r++) make(&sides[r], r, far);
    CHECK(pthread_create(&other, NULL, migrate, &sides[1]) == 0);
    migrate(&sides[0]);
    pthread_join(other, NULL);
    for (int r = 0; r < 2; r++) compare(r);
    for (int r = 0; r < 2; r++) {
      CHECK_STATUS(portable_fields_destroy(sides[r].fields), PORTABLE_OK);
      for (int f = 0; f < FIELDS; f++) CHECK_STATUS(portable_array_release(&sides[r].field[f]), PORTABLE_OK);
      if (far) CHECK_STATUS(portable_free(sides[r].owner), PORTABLE_OK); else free(sides[r].owner);
    }
  }
  return check_end();
}
