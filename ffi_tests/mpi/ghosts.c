/* ghosts.c - ghost particles on ranks: random particles of all ranks, 1 to 3 dimensions, periodic or not, both kinds, against all pairs; updates by the
 * same lists, sums of forces, long cutoffs, one place, no particle, halos that are made again, particles that migrate first; what all ranks refuse.
 * Not in this file: migrations alone (particles.c), one rank without MPI (ffi_tests/halo). */
#include "check.h"

#include <math.h>
#include <mpi.h>
#include <portable_mpi.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1200, MOST = 120, RANKS = 6 };

/* All ranks draw the same numbers. */
static uint64_t state = 88172645463325252u;
static uint32_t draw(uint32_t n) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 33) % n;
}

static int rank, ranks;
static double x[3][ROOM], charge[ROOM];
static float single[3][ROOM];
static int64_t id[ROOM];

/* The particles of all ranks: place and number. */
static double place[RANKS][MOST][3];
static int64_t counts[RANKS];

static portable_fields fields_of(int64_t room) {
  const int64_t two[2] = {3, ROOM};
  const int32_t second = 1;
  portable_fields fields;
  portable_array a;
  CHECK_STATUS(portable_fields_create("particles", &fields), PORTABLE_OK);
#define ADD(name, kind, at, rank_, shape, count, dims) \
  CHECK_STATUS(portable_array_wrap(name, kind, 0, at, rank_, shape, NULL, NULL, &a), PORTABLE_OK); \
  CHECK_STATUS(portable_fields_add(fields, name, &a, count, dims), PORTABLE_OK)
  ADD("id", PORTABLE_KIND_INT64, id, 1, &room, 0, NULL);
  ADD("x", PORTABLE_KIND_REAL64, x, 2, two, 1, &second);
  ADD("single", PORTABLE_KIND_REAL32, single, 2, two, 1, &second);
  return fields;
}

/* Squared, with the shorter way of both in the periodic dimensions of the unit box. */
static double distance(const double *a, const double *b, int dims, const int32_t *periodic) {
  double sum = 0;
  for (int d = 0; d < dims; d++) {
    double way = fabs(a[d] - b[d]);
    if (periodic[d]) way = fmin(way, 1 - way);
    sum += way * way;
  }
  return sum;
}

/* Particles of each rank in a slab, in several ones, or anywhere; some on the faces, some ranks without any. */
static void scatter(int single_kind) {
  const uint32_t form = draw(3);
  for (int r = 0; r < ranks; r++) {
    counts[r] = draw(6) == 0 ? 0 : (int64_t)draw(MOST + 1);
    for (int i = 0; i < counts[r]; i++)
      for (int d = 0; d < 3; d++) {
        double at = draw(20) == 0 ? draw(2) : draw(1u << 20) / (double)(1u << 20);
        if (form == 0 && d == 0) at = (r + at) / ranks;
        if (form == 1 && d < 2) at = (at + (d == 0 ? r % 2 : r / 2)) / (d == 0 ? 2 : (ranks + 1) / 2);
        place[r][i][d] = single_kind ? (double)(float)at : at;
      }
  }
}

static void fill(void) {
  for (int i = 0; i < ROOM; i++) {
    id[i] = -1;
    for (int d = 0; d < 3; d++) single[d][i] = (float)(x[d][i] = i < counts[rank] ? place[rank][i][d] : -7);
    if (i < counts[rank]) id[i] = 1000 * rank + i;
  }
}

/* Each particle that a pair needs is there once, with all its fields, in the order of ranks and numbers. */
static void check_all_pairs(int64_t all, int dims, const int32_t *periodic, double cutoff) {
  static uint8_t here[RANKS][MOST];
  memset(here, 0, sizeof here);
  CHECK(all >= counts[rank] && all < ROOM && id[all] == -1);
  for (int64_t i = 0; i < all; i++) {
    const int r = (int)(id[i] / 1000), k = (int)(id[i] % 1000);
    CHECK(id[i] >= 0 && r < ranks && k < counts[r] && (r == rank) == (i < counts[rank]));
    CHECK(i <= counts[rank] || id[i] > id[i - 1]);
    CHECK(!here[r][k]++);
    for (int d = 0; d < 3; d++) CHECK(x[d][i] == place[r][k][d] && single[d][i] == (float)place[r][k][d]);
  }
  for (int r = 0; r < ranks; r++)
    for (int k = 0; k < counts[r]; k++)
      for (int i = 0; i < counts[rank] && !here[r][k]; i++) CHECK(distance(place[rank][i], place[r][k], dims, periodic) > cutoff * cutoff);
  /* Each one is near the box of the own particles. */
  double low[3], high[3];
  for (int d = 0; d < dims; d++)
    for (int i = 0; i < counts[rank]; i++) {
      low[d] = i ? fmin(low[d], place[rank][i][d]) : place[rank][i][d];
      high[d] = i ? fmax(high[d], place[rank][i][d]) : place[rank][i][d];
    }
  CHECK(counts[rank] || all == 0);
  for (int64_t i = counts[rank]; i < all; i++) {
    double sum = 0;
    for (int d = 0; d < dims; d++) {
      double gap = HUGE_VAL;
      for (int shift = -periodic[d]; shift <= periodic[d]; shift++) gap = fmin(gap, fmax(0, fmax(low[d] - x[d][i] - shift, x[d][i] + shift - high[d])));
      sum += gap * gap;
    }
    CHECK(sqrt(sum) < cutoff * (1 + 1e-5) + 1e-5);
  }
}

/* Velocities and sums go by the same lists. */
static void check_updates(portable_halo near, int64_t all) {
  const int64_t room = ROOM;
  portable_fields one;
  portable_array a;
  double sum = 0, total;
  int64_t copies = all - counts[rank];
  CHECK_STATUS(portable_fields_create("charges", &one), PORTABLE_OK);
  CHECK_STATUS(portable_array_wrap("charge", PORTABLE_KIND_REAL64, 0, charge, 1, &room, NULL, NULL, &a), PORTABLE_OK);
  CHECK_STATUS(portable_fields_add(one, "charge", &a, 0, NULL), PORTABLE_OK);
  for (int i = 0; i < ROOM; i++) charge[i] = i < counts[rank] ? (double)id[i] + 0.5 : -1;
  CHECK_STATUS(portable_halo_begin(near, one, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_halo_end(near, one, NULL), PORTABLE_OK);
  for (int64_t i = 0; i < all; i++) CHECK(charge[i] == (double)id[i] + 0.5);
  CHECK(charge[all] == -1);
  for (int64_t i = 0; i < all; i++) charge[i] = i < counts[rank] ? 0 : 1;
  CHECK_STATUS(portable_halo_add(near, one, NULL), PORTABLE_OK);
  for (int64_t i = 0; i < counts[rank]; i++) sum += charge[i]; /* the number of copies of each particle */
  MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &copies, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  CHECK(total == (double)copies);
  CHECK_STATUS(portable_fields_destroy(one), PORTABLE_OK);
}

static int64_t ghosts(int single_kind, int dims, double cutoff, const portable_ghosts_options *o, portable_fields fields, portable_halo *near, portable_status status) {
  const void *const at[3] = {single_kind ? (void *)single[0] : (void *)x[0], single_kind ? (void *)single[1] : (void *)x[1],
                             single_kind ? (void *)single[2] : (void *)x[2]};
  int64_t all = -5;
  CHECK_STATUS(portable_mpi_particles_ghosts("near", MPI_COMM_WORLD, single_kind ? PORTABLE_KIND_REAL32 : PORTABLE_KIND_REAL64, dims, at, counts[rank],
                                             cutoff, o, fields, near, &all), status);
  return all;
}

static void check_random(int rounds) {
  portable_fields all = fields_of(ROOM);
  portable_halo near = 0;
  for (int round = 0; round < rounds; round++) {
    portable_ghosts_options o = PORTABLE_GHOSTS_OPTIONS_INIT;
    const int dims = 1 + (int)draw(3), single_kind = (int)draw(2);
    const double cutoff = draw(4) == 0 ? 0.5 + draw(100) / 200.0 : 0.02 + draw(100) / 500.0;
    for (int d = 0; d < 3; d++) {
      o.periodic[d] = (int32_t)draw(2);
      o.high[d] = 1;
    }
    scatter(single_kind);
    fill();
    const portable_halo before = near;
    const int64_t n = ghosts(single_kind, dims, cutoff, &o, all, &near, PORTABLE_OK);
    CHECK(near && near != before); /* the old one was destroyed */
    if (before) CHECK_STATUS(portable_halo_begin(before, all, NULL), PORTABLE_ERR_HANDLE);
    check_all_pairs(n, dims, o.periodic, cutoff);
    check_updates(near, n);
  }
  CHECK_STATUS(portable_halo_destroy(near), PORTABLE_OK);
  CHECK_STATUS(portable_fields_destroy(all), PORTABLE_OK);
}

/* So many particles that the launch has several units. */
static void check_many(void) {
  enum { MANY = 20000 };
  static double far[2 * MANY];
  const void *const at[1] = {far};
  portable_halo near = 0;
  int64_t all = 0;
  for (int i = 0; i < MANY; i++) far[i] = rank + (i + 0.5) / MANY; /* ranks side by side */
  CHECK_STATUS(portable_mpi_particles_ghosts(NULL, MPI_COMM_WORLD, PORTABLE_KIND_REAL64, 1, at, MANY, 0.1, NULL, 0, &near, &all), PORTABLE_OK);
  CHECK(all - MANY == (rank > 0 ? 2000 : 0) + (rank < ranks - 1 ? 2000 : 0)); /* the box ends half a distance before the border */
  CHECK_STATUS(portable_halo_destroy(near), PORTABLE_OK);
}

/* A rank without particles gets no ghost, however long the cutoff is; others get all. */
static void check_long_cutoff(portable_fields all) {
  portable_halo near = 0;
  const double cutoffs[] = {100, 1e200}; /* longer than what all ranks have together; with a square that is no number any more */
  for (int which = 0; which < 2; which++) {
    for (int r = 0; r < ranks; r++) {
      counts[r] = r == 1 ? 0 : 7;
      for (int i = 0; i < counts[r]; i++) place[r][i][0] = 10 * r + i, place[r][i][1] = place[r][i][2] = 0;
    }
    fill();
    CHECK(ghosts(0, 3, cutoffs[which], NULL, all, &near, PORTABLE_OK) == (counts[rank] ? 7 * (ranks > 1 ? ranks - 1 : 1) : 0));
    for (int r = 0, at = 7; r < ranks && counts[rank]; r++)
      for (int i = 0; i < counts[r] && r != rank; i++, at++) CHECK(id[at] == 1000 * r + i);
  }
  for (int r = 0; r < ranks; r++) counts[r] = 0; /* no rank has a particle */
  fill();
  CHECK(ghosts(0, 2, 1, NULL, all, &near, PORTABLE_OK) == 0 && id[0] == -1);
  CHECK_STATUS(portable_halo_destroy(near), PORTABLE_OK);
}

/* All particles of all ranks in one place, on a corner of a periodic box, whose other corner has one more of each rank. */
static void check_one_place(portable_fields all) {
  portable_ghosts_options o = PORTABLE_GHOSTS_OPTIONS_INIT;
  portable_halo near = 0;
  for (int d = 0; d < 3; d++) o.periodic[d] = 1, o.high[d] = 1, o.low[d] = rank % 2 ? -0.0 : 0.0; /* -0 is the same box */
  for (int r = 0; r < ranks; r++) {
    counts[r] = 50;
    for (int i = 0; i < 50; i++)
      for (int d = 0; d < 3; d++) place[r][i][d] = i == 49;
  }
  for (int single_kind = 0; single_kind < 2; single_kind++) {
    fill();
    CHECK(ghosts(single_kind, 3, 1e-30, &o, all, &near, PORTABLE_OK) == 50 * ranks);
    check_all_pairs(50 * ranks, 3, o.periodic, 1e-30);
  }
  CHECK_STATUS(portable_halo_destroy(near), PORTABLE_OK);
}

static void check_hostile(void) {
  portable_fields all = fields_of(ROOM);
  check_long_cutoff(all);
  check_one_place(all);
  CHECK_STATUS(portable_fields_destroy(all), PORTABLE_OK);
}

static void refused(int dims, double cutoff, const portable_ghosts_options *o, portable_fields fields, portable_halo *near, portable_status status, const char *text) {
  const portable_halo before = *near;
  CHECK(ghosts(0, dims, cutoff, o, fields, near, status) == -5);
  CHECK_TEXT(text);
  CHECK(*near == before);
}

static void check_refusals(void) {
  const char *const other = "another rank has an error; its text is on that rank";
  const int odd = rank == ranks - 1; /* the rank that differs */
  portable_ghosts_options o = PORTABLE_GHOSTS_OPTIONS_INIT, wrong;
  portable_fields all = fields_of(ROOM), small = fields_of(11);
  portable_halo near = 0;
  char text[100];
  for (int r = 0; r < ranks; r++) {
    counts[r] = 10;
    for (int i = 0; i < 10; i++)
      for (int d = 0; d < 3; d++) place[r][i][d] = (i + 0.5) / 10;
  }
  o.periodic[0] = 1;
  o.high[0] = 1;
  fill();
  CHECK(ghosts(0, 2, 0.2, &o, all, &near, PORTABLE_OK) == 10 * ranks);
  if (odd) x[1][3] = NAN;
  snprintf(text, sizeof text, "portable_particles_ghosts 'near': coordinate 2 of particle 4 of 10 on rank %d is nan", rank);
  refused(2, 0.2, &o, all, &near, PORTABLE_ERR_ARG, odd ? text : other);
  x[1][3] = 0.5;
  if (odd) x[0][6] = 1.5;
  snprintf(text, sizeof text, "coordinate 1 of particle 7 of 10 on rank %d is 1.5, outside of 0 to 1; bring it back", rank);
  refused(2, 0.2, &o, all, &near, PORTABLE_ERR_ARG, odd ? text : other);
  x[0][6] = 0.65;
  refused(odd ? 4 : 2, 0.2, &o, all, &near, PORTABLE_ERR_ARG, odd ? "rank is 4; it is 1 to 3" : other);
  refused(2, odd ? -1 : 0.2, &o, all, &near, PORTABLE_ERR_ARG, odd ? "cutoff is -1; it is above 0" : other);
  refused(2, odd ? 1.5 : 0.2, &o, all, &near, PORTABLE_ERR_ARG, odd ? "dimension 1 is periodic and reaches from 0 to 1" : other);
  wrong = o;
  wrong.struct_size = 3;
  refused(2, 0.2, odd ? &wrong : &o, all, &near, PORTABLE_ERR_ARG, odd ? "options.struct_size is 3" : other);
  counts[rank] = odd ? -1 : 10;
  refused(2, 0.2, &o, all, &near, PORTABLE_ERR_ARG, odd ? "count is below 0" : other);
  counts[rank] = 10;
  if (ranks > 1) {
    refused(2, odd ? 0.3 : 0.2, &o, all, &near, PORTABLE_ERR_ARG, "another rank gave another cutoff, rank or periodic box");
    refused(2, 0.2, &o, small, &near, PORTABLE_ERR_ARG, "'id'"); /* ten ghosts or more, and room for one */
    refused(2, 0.2, &o, odd ? small : all, &near, PORTABLE_ERR_ARG, odd ? "'id'" : other);
  }
  wrong = o;
  portable_launch_config launch = PORTABLE_LAUNCH_CONFIG_INIT;
  launch.device = 99;
  wrong.launch = &launch;
  if (ranks > 1) refused(2, 0.2, odd ? &wrong : &o, all, &near, PORTABLE_ERR_NODEVICE, odd ? "there is no device 99" : other);
  fill();
  CHECK_STATUS(portable_halo_begin(near, all, NULL), PORTABLE_OK); /* the halo of before */
  CHECK_STATUS(portable_halo_end(near, all, NULL), PORTABLE_OK);
  CHECK(id[10 * ranks - 1] == 1000 * (odd && ranks > 1 ? ranks - 2 : ranks - 1) + 9);
  CHECK_STATUS(portable_halo_destroy(near), PORTABLE_OK);
  CHECK_STATUS(portable_fields_destroy(all), PORTABLE_OK);
  CHECK_STATUS(portable_fields_destroy(small), PORTABLE_OK);
}

/* Copies of communicators, which MPI's profiling interface counts. */
static int copies, freed;
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made) {
  copies++;
  return PMPI_Comm_dup(comm, made);
}
int MPI_Comm_free(MPI_Comm *comm) {
  freed++;
  return PMPI_Comm_free(comm);
}

/* Two halos that are made again in each step, on all ranks and on those of a part: three copies for the first ones, none later. Ranks that ended their halos
 * in another order make a new one. */
static void check_copies(void) {
  const void *const at[1] = {x[0]};
  portable_halo one = 0, other = 0, part = 0;
  MPI_Comm half;
  int64_t n = 0;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  for (int i = 0; i < 10; i++) x[0][i] = 10 * rank + i;
#define GHOSTS(comm, halo) CHECK_STATUS(portable_mpi_particles_ghosts("near", comm, PORTABLE_KIND_REAL64, 1, at, 10, 1.5, NULL, 0, &halo, &n), PORTABLE_OK)
  for (int step = 0; step < 5; step++) {
    const int before = copies;
    GHOSTS(MPI_COMM_WORLD, one);
    CHECK(n == 10 + (rank > 0) + (rank < ranks - 1));
    GHOSTS(MPI_COMM_WORLD, other);
    GHOSTS(half, part);
    CHECK(n == 10);
    CHECK(step < 2 || copies == before);
  }
  if (rank % 2) CHECK_STATUS(portable_halo_destroy(one), PORTABLE_OK);
  CHECK_STATUS(portable_halo_destroy(other), PORTABLE_OK);
  if (rank % 2 == 0) CHECK_STATUS(portable_halo_destroy(one), PORTABLE_OK);
  CHECK_STATUS(portable_halo_destroy(part), PORTABLE_OK);
  MPI_Comm_free(&half);
  freed--;
  one = 0;
  for (int step = 0; step < 3; step++) {
    GHOSTS(MPI_COMM_WORLD, one);
    CHECK(n == 10 + (rank > 0) + (rank < ranks - 1));
    if (step == 1) {
      CHECK_STATUS(portable_halo_destroy(one), PORTABLE_OK);
      one = 0;
    }
  }
  CHECK_STATUS(portable_halo_destroy(one), PORTABLE_OK);
}

int main(int argc, char **argv) {
  int end;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  check_refusals();
  check_many();
  check_hostile();
  check_random(argc > 1 ? atoi(argv[1]) : 20);
  check_copies();
  MPI_Allreduce(MPI_IN_PLACE, &check_failures, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  end = check_end();
  MPI_Finalize(); /* frees the copies that no halo has */
  if (copies != freed) printf("rank %d: %d copies of communicators, %d were freed\n", rank, copies, freed);
  return end || copies != freed;
}
