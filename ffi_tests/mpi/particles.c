/* particles.c - particles that migrate between ranks: random owners, fields of several kinds and components, against a model that knows
 * the particles of all ranks; what all ranks refuse, with nothing moved. Not in this file: halos (halo.c), one rank without MPI
 * (ffi_tests/halo). */
#include "check.h"

#include <mpi.h>
#include <portable_mpi.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 700, MOST = 100, RANKS = 6 };

/* Calls of MPI: a migration is three reductions, one exchange of counts, and one of data. broken: the code that an exchange gives, after it was made. */
static int reductions, counts, data, broken_counts, broken_data;
static portable_launch_config changing = PORTABLE_LAUNCH_CONFIG_INIT; /* refused after the exchange of data */
int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  reductions++;
  return PMPI_Allreduce(from, to, count, type, op, comm);
}
int MPI_Alltoall(const void *from, int give, MPI_Datatype type, void *to, int take, MPI_Datatype other, MPI_Comm comm) {
  const int code = PMPI_Alltoall(from, give, type, to, take, other, comm);
  counts++;
  return code ? code : broken_counts;
}
int MPI_Alltoallv(const void *from, const int *give, const int *at, MPI_Datatype type, void *to, const int *take, const int *to_at, MPI_Datatype other, MPI_Comm comm) {
  const int code = PMPI_Alltoallv(from, give, at, type, to, take, to_at, other, comm);
  data++;
  changing.device = 99;
  return code ? code : broken_data;
}

/* All ranks draw the same numbers. */
static uint64_t state = 88172645463325252u;
static uint32_t draw(uint32_t n) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 33) % n;
}

static int rank, ranks;
static double x[ROOM], v[ROOM][3];
static float q[2][ROOM];
static int8_t species[ROOM];
static int64_t id[ROOM];
static portable_fields all;

/* Particles of each rank, by their numbers, before and after. */
static int64_t before[RANKS][RANKS * MOST], after[RANKS][RANKS * MOST];
static int before_count[RANKS], after_count[RANKS];
static int32_t owners[RANKS][RANKS * MOST];

static portable_fields fields_of(int64_t room) {
  const int64_t extents[2] = {room, room}, three[2] = {room, 3}, two[2] = {2, ROOM};
  const int32_t second = 1;
  portable_fields fields;
  portable_array a;
  CHECK_STATUS(portable_fields_create("particles", &fields), PORTABLE_OK);
#define ADD(name, kind, at, rank_, shape, count, dims) \
  CHECK_STATUS(portable_array_wrap(name, kind, 0, at, rank_, shape, NULL, NULL, &a), PORTABLE_OK); \
  CHECK_STATUS(portable_fields_add(fields, name, &a, count, dims), PORTABLE_OK)
  ADD("id", PORTABLE_KIND_INT64, id, 1, extents, 0, NULL);
  ADD("x", PORTABLE_KIND_REAL64, x, 1, extents, 0, NULL);
  ADD("v", PORTABLE_KIND_REAL64, v, 2, three, 0, NULL);    /* particles run slowest */
  ADD("q", PORTABLE_KIND_REAL32, q, 2, two, 1, &second);   /* particles run fastest */
  ADD("species", PORTABLE_KIND_INT8, species, 1, extents, 0, NULL);
  return fields;
}

static void set(int64_t i, int64_t number) {
  id[i] = number;
  x[i] = (double)number / 3;
  v[i][0] = (double)number + 0.25;
  v[i][1] = -(double)number;
  v[i][2] = (double)number * 7;
  q[0][i] = (float)number;
  q[1][i] = -(float)number;
  species[i] = (int8_t)(number % 100);
}

static int is(int64_t i, int64_t number) {
  return id[i] == number && x[i] == (double)number / 3 && v[i][0] == (double)number + 0.25 && v[i][1] == -(double)number &&
         v[i][2] == (double)number * 7 && q[0][i] == (float)number && q[1][i] == -(float)number && species[i] == (int8_t)(number % 100);
}

/* The model: those that stay, in order, then by source rank. */
static void model(void) {
  int r, s, i, n, stays;
  for (r = 0; r < ranks; r++) {
    after_count[r] = 0;
    for (stays = 1; stays >= 0; stays--)
      for (s = 0; s < ranks; s++)
        for (i = 0; i < before_count[s]; i++)
          if (owners[s][i] == r && (s == r) == stays) after[r][after_count[r]++] = before[s][i];
  }
  for (n = 0, r = 0; r < ranks; r++) n += after_count[r] - before_count[r];
  CHECK(n == 0);
}

static void refused(const int32_t *owner, int64_t count, portable_fields fields, portable_status status, const char *text) {
  int64_t n = -5, i;
  CHECK_STATUS(portable_mpi_particles_migrate("beam", MPI_COMM_WORLD, owner, count, fields, NULL, &n), status);
  CHECK_TEXT(text);
  CHECK(n == -5);
  for (i = 0; i < before_count[rank]; i++) CHECK(is(i, before[rank][i])); /* nothing has moved */
}

static const char *const other = "portable_particles_migrate 'beam': another rank has an error; its text is on that rank";

/* One rank has an error of the transport or of a launch: all ranks get one, and none waits for ever. */
static void check_broken(const int32_t *owner) {
  const int odd = rank == ranks - 1;
  portable_launch_config wrong = PORTABLE_LAUNCH_CONFIG_INIT;
  int64_t n = -5;
  broken_counts = odd ? 77 : 0;
  refused(owner, 10, all, PORTABLE_ERR_DEVICE, odd ? "portable_particles_migrate 'beam': the transport failed: all_to_all gave the code 77" : other);
  broken_counts = 0;
  wrong.device = 99;
  CHECK_STATUS(portable_mpi_particles_migrate("beam", MPI_COMM_WORLD, owner, 10, all, odd ? &wrong : NULL, &n), PORTABLE_ERR_NODEVICE);
  CHECK_TEXT(odd ? "portable_particles_migrate 'beam': there is no device 99" : other);
  broken_data = odd ? 78 : 0;
  CHECK_STATUS(portable_mpi_particles_migrate("beam", MPI_COMM_WORLD, owner, 10, all, NULL, &n), PORTABLE_ERR_DEVICE);
  CHECK_TEXT(odd ? "portable_particles_migrate 'beam': the transport failed: all_to_all gave the code 78" : other);
  broken_data = 0;
  CHECK(n == -5);
}

/* The launch that unpacks fails on one rank; particles have moved then. */
static void check_unpack(int32_t *owner) {
  const int odd = rank == ranks - 1;
  int64_t n = -5;
  owner[4] = (rank + 1) % ranks;
  changing.device = 0;
  CHECK_STATUS(portable_mpi_particles_migrate("beam", MPI_COMM_WORLD, owner, 10, all, odd ? &changing : NULL, &n), PORTABLE_ERR_NODEVICE);
  CHECK_TEXT(odd ? "portable_particles_migrate 'beam': there is no device 99" : other);
  CHECK(n == -5);
}

/* Many fields, of which one is another one on one rank: they are compared some at a time. */
static void check_many(const int32_t *owner) {
  const int odd = rank == ranks - 1;
  const int64_t extent = ROOM;
  int differs, i;
  for (differs = 0; differs < 70; differs += 23) {
    char name[16], text[80];
    portable_fields fields;
    portable_array a;
    CHECK_STATUS(portable_fields_create("many", &fields), PORTABLE_OK);
    CHECK_STATUS(portable_array_wrap("x", PORTABLE_KIND_REAL64, 0, x, 1, &extent, NULL, NULL, &a), PORTABLE_OK);
    for (i = 0; i < 70; i++) {
      snprintf(name, sizeof name, "%s%d", odd && i >= differs ? "other" : "x", i);
      CHECK_STATUS(portable_fields_add(fields, name, &a, 0, NULL), PORTABLE_OK);
    }
    snprintf(text, sizeof text, "field %d differs on another rank; here it is '%s%d', real64", differs + 1, odd ? "other" : "x", differs);
    refused(owner, 10, fields, PORTABLE_ERR_ARG, text);
    CHECK_STATUS(portable_fields_destroy(fields), PORTABLE_OK);
  }
}

static void check_refusals(void) {
  static int32_t owner[ROOM];
  const int odd = rank == ranks - 1; /* the rank that differs */
  portable_fields small = fields_of(12), empty, shorter;
  portable_array a;
  const int64_t extent = ROOM;
  int i, r;
  for (r = 0; r < ranks; r++)
    for (before_count[r] = 10, i = 0; i < 10; i++) before[r][i] = 1000 * r + i;
  for (i = 0; i < 13; i++) {
    if (i < 10) set(i, before[rank][i]);
    owner[i] = rank;
  }
  if (odd) owner[3] = ranks;
  refused(owner, 10, all, PORTABLE_ERR_ARG, odd ? "portable_particles_migrate 'beam': the owner of particle 4 of 10 is rank" : other);
  if (odd) owner[3] = -1;
  refused(owner, 10, all, PORTABLE_ERR_ARG, odd ? "the owner of particle 4 of 10 is rank -1; the ranks are 0 to" : other);
  owner[3] = rank;
  refused(owner, odd ? 13 : 10, small, PORTABLE_ERR_ARG, odd ? "extent 1 of field 1 'id' is 12; there are 13 particles" : other);
  refused(odd ? NULL : owner, 10, all, PORTABLE_ERR_ARG, odd ? "owner is NULL" : other);
  refused(owner, odd ? -1 : 10, all, PORTABLE_ERR_ARG, odd ? "count is below 0" : other);
  CHECK_STATUS(portable_fields_create("empty", &empty), PORTABLE_OK);
  refused(owner, 10, odd ? empty : all, PORTABLE_ERR_ARG, odd ? "there is no field" : other);
  CHECK_STATUS(portable_fields_destroy(empty), PORTABLE_OK);
  refused(owner, 10, odd ? empty : all, PORTABLE_ERR_HANDLE, odd ? "list of fields" : other);
  check_broken(owner);
  if (ranks > 1) {
    check_many(owner);
    CHECK_STATUS(portable_fields_create("shorter", &shorter), PORTABLE_OK);
    CHECK_STATUS(portable_array_wrap("id", PORTABLE_KIND_INT64, 0, id, 1, &extent, NULL, NULL, &a), PORTABLE_OK);
    CHECK_STATUS(portable_fields_add(shorter, "id", &a, 0, NULL), PORTABLE_OK);
    refused(owner, 10, odd ? shorter : all, PORTABLE_ERR_ARG, odd ? "portable_particles_migrate 'beam': this rank has 1 fields, another one has more or fewer" : "this rank has 5 fields");
    CHECK_STATUS(portable_fields_destroy(shorter), PORTABLE_OK);
    CHECK_STATUS(portable_array_wrap("x", PORTABLE_KIND_REAL64, 0, x, 1, &extent, NULL, NULL, &a), PORTABLE_OK);
    CHECK_STATUS(portable_fields_create("shorter", &shorter), PORTABLE_OK);
    for (i = 0; i < 5; i++) { /* fields 1 and 2 have each other's places */
      const char *const names[5] = {"x", "id", "v", "q", "species"};
      CHECK_STATUS(portable_fields_add(shorter, names[i], &a, 0, NULL), PORTABLE_OK);
    }
    refused(owner, 10, odd ? shorter : all, PORTABLE_ERR_ARG, odd ? "field 1 differs on another rank; here it is 'x', real64" : "field 1 differs on another rank; here it is 'id', int64");
    CHECK_STATUS(portable_fields_destroy(shorter), PORTABLE_OK);
    for (i = 0; i < 10; i++) owner[i] = i < 3 ? ranks - 1 : rank; /* three of each rank for the last one, which has room for 12 */
    refused(owner, 10, small, PORTABLE_ERR_ARG, odd ? "extent 1 of field 1 'id' is 12, and " : other);
    if (odd && ranks == 2) CHECK_TEXT("and 13 particles need a place here: 3 arrive; make the field larger before the migration");
    check_unpack(owner);
  }
  CHECK_STATUS(portable_fields_destroy(small), PORTABLE_OK);
}

int main(int argc, char **argv) {
  int round, i, k;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  all = fields_of(ROOM);
  check_refusals();
  for (k = 0; k < (argc > 1 ? atoi(argv[1]) : 10); k++) {
    const uint32_t stay = draw(3), empty = draw(4);
    int r;
    for (r = 0; r < ranks; r++) {
      before_count[r] = empty == 0 || draw(3) == 0 ? 0 : (int)draw(MOST + 1);
      for (i = 0; i < before_count[r]; i++) before[r][i] = 1000 * r + i;
    }
    for (i = 0; i < before_count[rank]; i++) set(i, before[rank][i]);
    for (round = 0; round < 3; round++) { /* the particles of the round before go on */
      int64_t n = -1;
      for (r = 0; r < ranks; r++)
        for (i = 0; i < before_count[r]; i++) owners[r][i] = stay && draw(10) ? r : (int32_t)draw((uint32_t)ranks);
      model();
      reductions = counts = data = 0;
      CHECK_STATUS(portable_mpi_particles_migrate(NULL, MPI_COMM_WORLD, owners[rank], before_count[rank], all, NULL, &n), PORTABLE_OK);
      CHECK(n == after_count[rank]);
      CHECK(reductions == 3 && counts == 1 && data == 1);
      for (i = 0; i < after_count[rank]; i++) CHECK(is(i, after[rank][i]));
      memcpy(before, after, sizeof before);
      memcpy(before_count, after_count, sizeof before_count);
    }
  }
  CHECK_STATUS(portable_fields_destroy(all), PORTABLE_OK);
  MPI_Allreduce(MPI_IN_PLACE, &check_failures, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  k = check_end();
  MPI_Finalize();
  return k;
}
