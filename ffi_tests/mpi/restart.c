/* restart.c - restart files: restart write|read FILE writes or reads fields of all kinds, on any number of ranks, in 1 to 3 dimensions;
 * read compares each element, and that ghost cells stay. restart many FILE PIDS writes without end, and the ranks' process numbers into PIDS.
 * Not in this file: what is refused. */
#include "restart.h"

#include <unistd.h>

static const int64_t shape[3][3] = {{23}, {13, 11}, {7, 5, 6}};

static void write_or_read(const char *file, int reads) {
  int rank;
  for (rank = 1; rank <= 3; rank++) {
    portable_restart_numbers numbers = PORTABLE_RESTART_NUMBERS_INIT;
    double values[2] = {0.1, -2};
    char name[300];
    state s;
    snprintf(name, sizeof name, "%s%d.h5", file, rank);
    state_make(&s, MPI_COMM_WORLD, rank, shape[rank - 1], reads ? 0 : 1); /* another width is read */
    numbers.values = values;
    numbers.values_count = 2;
    if (reads) {
      values[0] = values[1] = 0;
      state_visit(&s, 1, 5); /* ghost cells */
      CHECK_STATUS(portable_restart_read(MPI_COMM_WORLD, name, s.fields, s.halo, &numbers), PORTABLE_OK);
      CHECK(numbers.time == 1.0 / 3 && numbers.step == 77 + rank && values[0] == 0.1 && values[1] == -2);
      CHECK(state_visit(&s, 0, 5) == 0);
      CHECK_STATUS(portable_restart_read(MPI_COMM_WORLD, name, s.fields, s.halo, NULL), PORTABLE_OK);
    } else {
      numbers.time = 1.0 / 3;
      numbers.step = 77 + rank;
      state_visit(&s, 1, 3);
      CHECK_STATUS(portable_restart_write(MPI_COMM_WORLD, name, s.fields, s.halo, &numbers), PORTABLE_OK);
      CHECK(state_visit(&s, 0, 3) == 0);
    }
    state_end(&s);
  }
}

/* Ranks that have other numbers: those of rank 0 are written. HDF5 lets another rank write this file's attributes. */
static void other_numbers(const char *file, int reads) {
  portable_restart_numbers numbers = PORTABLE_RESTART_NUMBERS_INIT;
  static double values[1000];
  char name[300];
  portable_fields fields;
  state s;
  int rank, i;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  snprintf(name, sizeof name, "%snumbers.h5", file);
  state_make(&s, MPI_COMM_WORLD, 1, shape[0], 0);
  CHECK_STATUS(portable_fields_create("one", &fields), PORTABLE_OK);
  CHECK_STATUS(portable_fields_add(fields, "h", &s.array[0], 0, NULL), PORTABLE_OK);
  for (i = 0; i < 1000; i++) values[i] = reads ? 0 : i + 1000.0 * rank;
  numbers.values = values;
  numbers.values_count = 1000;
  if (reads) {
    CHECK_STATUS(portable_restart_read(MPI_COMM_WORLD, name, fields, s.halo, &numbers), PORTABLE_OK);
    CHECK(numbers.time == 1.5 && numbers.step == 40 && values[0] == 0 && values[999] == 999);
  } else {
    numbers.time = 1.5 + rank;
    numbers.step = 40 + rank;
    CHECK_STATUS(portable_restart_write(MPI_COMM_WORLD, name, fields, s.halo, &numbers), PORTABLE_OK);
    CHECK(numbers.time == 1.5 + rank && numbers.step == 40 + rank && values[999] == 999 + 1000.0 * rank);
  }
  CHECK_STATUS(portable_fields_destroy(fields), PORTABLE_OK);
  state_end(&s);
}

/* A field without elements, next to one with some. */
static void no_elements(const char *file, int reads) {
  const int32_t dim = 1;
  int64_t extents[2] = {0, 0};
  char name[300];
  double nothing = 0;
  portable_fields fields;
  portable_array none;
  state s;
  snprintf(name, sizeof name, "%snone.h5", file);
  state_make(&s, MPI_COMM_WORLD, 1, shape[0], 0);
  extents[1] = s.b.last[0] - s.b.first[0] + 1;
  CHECK_STATUS(portable_array_wrap("none", PORTABLE_KIND_REAL64, 0, &nothing, 2, extents, NULL, NULL, &none), PORTABLE_OK);
  CHECK_STATUS(portable_fields_create("two", &fields), PORTABLE_OK);
  CHECK_STATUS(portable_fields_add(fields, "none", &none, 1, &dim), PORTABLE_OK);
  CHECK_STATUS(portable_fields_add(fields, "h", &s.array[0], 0, NULL), PORTABLE_OK);
  if (!reads) state_visit(&s, 1, 0);
  if (reads) CHECK_STATUS(portable_restart_read(MPI_COMM_WORLD, name, fields, s.halo, NULL), PORTABLE_OK);
  else CHECK_STATUS(portable_restart_write(MPI_COMM_WORLD, name, fields, s.halo, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_fields_destroy(fields), PORTABLE_OK);
  state_end(&s);
}

int main(int argc, char **argv) {
  int failed;
  MPI_Init(&argc, &argv);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  if (argc > 3) {
    FILE *const pids = fopen(argv[3], "a"); /* one line of a few bytes, which no other rank cuts */
    CHECK(pids && fprintf(pids, "%d\n", (int)getpid()) > 0 && !fclose(pids));
    for (;;) write_or_read(argv[2], 0);
  }
  if (argc > 2) write_or_read(argv[2], !strcmp(argv[1], "read"));
  if (argc > 2) other_numbers(argv[2], !strcmp(argv[1], "read"));
  if (argc > 2) no_elements(argv[2], !strcmp(argv[1], "read"));
  MPI_Allreduce(MPI_IN_PLACE, &check_failures, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  failed = check_end();
  MPI_Finalize();
  return failed;
}
