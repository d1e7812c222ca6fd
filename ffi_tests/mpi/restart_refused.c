/* restart_refused.c - restart files that do not fit, cannot be written or are damaged: all ranks get the same error, whose text names the
 * field and the difference, no field is touched, and an older file stays whole. restart_refused FOLDER, on any number of ranks.
 * Not in this file: files that fit (restart.c). */
#include "restart.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static int rank, ranks;
static double u[64], v[64];
static float w[64];
static char path[300];

/* A field of one kind or more, of the own cells and one ghost cell at each side. */
static portable_fields fields_of(portable_halo halo, int count, const char *const *names, int32_t kind, int64_t more) {
  int64_t first[2], last[2], extents[3];
  portable_fields fields;
  int i;
  CHECK_STATUS(portable_halo_own(halo, first, last), PORTABLE_OK);
  extents[0] = more ? more : last[0] - first[0] + 3;
  extents[1] = last[0] - first[0] + 3;
  CHECK_STATUS(portable_fields_create("state", &fields), PORTABLE_OK);
  for (i = 0; i < count; i++) {
    const int32_t dims[1] = {more ? 1 : 0};
    portable_array a;
    CHECK_STATUS(portable_array_wrap("a", kind, kind ? 0 : 8, kind == PORTABLE_KIND_REAL32 ? (void *)w : i ? (void *)v : (void *)u, more ? 2 : 1, extents, NULL, NULL, &a), PORTABLE_OK);
    CHECK_STATUS(portable_fields_add(fields, names[i], &a, 1, dims), PORTABLE_OK);
  }
  return fields;
}

static portable_halo halo_of(MPI_Comm comm, int64_t cells) {
  portable_halo_box_options o = PORTABLE_HALO_BOX_OPTIONS_INIT;
  portable_halo halo;
  o.rank = 1;
  o.global = &cells;
  CHECK_STATUS(portable_mpi_halo_box("line", comm, &o, &halo), PORTABLE_OK);
  return halo;
}

/* The same status and text on all ranks. */
static void told(portable_status status, portable_status want, const char *part) {
  char text[1024] = "", first[1024];
  CHECK_STATUS(status, want);
  CHECK_TEXT(part);
  snprintf(text, sizeof text, "%s", portable_last_error());
  memcpy(first, text, sizeof text);
  MPI_Bcast(first, (int)sizeof first, MPI_CHAR, 0, MPI_COMM_WORLD);
  CHECK(!strcmp(first, text));
}

static void reads(portable_halo halo, portable_fields fields, portable_restart_numbers *numbers, portable_status want, const char *part) {
  const double before = u[1];
  told(portable_restart_read(MPI_COMM_WORLD, path, fields, halo, numbers), want, part);
  CHECK(u[1] == before);
  CHECK_STATUS(portable_fields_destroy(fields), PORTABLE_OK);
}

static void file_of(const char *folder, const char *name) { snprintf(path, sizeof path, "%s/%s", folder, name); }

/* Changes one byte of the file where the cells of a field begin. */
static void damage(const char *name) {
  haddr_t at = HADDR_UNDEF;
  if (rank == 0) {
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), dataset = H5Dopen2(file, name, H5P_DEFAULT);
    FILE *f;
    at = H5Dget_offset(dataset);
    H5Dclose(dataset);
    H5Fclose(file);
    f = fopen(path, "r+b");
    CHECK(f && at != HADDR_UNDEF && !fseek(f, (long)at + 9, SEEK_SET) && fputc(0x5a, f) == 0x5a && !fclose(f));
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void does_not_fit(const char *folder) {
  static const char *const names[2] = {"u", "v"}, *const others[2] = {"u", "other"}, *const slash[1] = {"a/b"};
  portable_halo halo = halo_of(MPI_COMM_WORLD, 40), longer = halo_of(MPI_COMM_WORLD, 41);
  portable_restart_numbers numbers = PORTABLE_RESTART_NUMBERS_INIT;
  double values[3] = {1, 2, 3};
  portable_fields fields = fields_of(halo, 2, names, PORTABLE_KIND_REAL64, 0);
  int i;
  for (i = 0; i < 64; i++) u[i] = v[i] = rank + i / 64.0;
  file_of(folder, "fits.h5");
  numbers.values = values;
  numbers.values_count = 2;
  CHECK_STATUS(portable_restart_write(MPI_COMM_WORLD, path, fields, halo, &numbers), PORTABLE_OK);
  u[1] = -5;
  numbers.values_count = 3;
  reads(halo, fields, &numbers, PORTABLE_ERR_ARG, "does not have 3 values");
  reads(halo, fields_of(halo, 2, others, PORTABLE_KIND_REAL64, 0), NULL, PORTABLE_ERR_ARG, "the file has no field 'other'");
  reads(halo, fields_of(halo, 2, names, PORTABLE_KIND_REAL32, 0), NULL, PORTABLE_ERR_ARG, "field 'u' is real64 in the file, real32 here");
  reads(halo, fields_of(halo, 1, names, PORTABLE_KIND_REAL64, 2), NULL, PORTABLE_ERR_ARG, "field 'u' has rank 1 in the file (40), rank 2 here (2 x 40)");
  reads(longer, fields_of(longer, 1, names, PORTABLE_KIND_REAL64, 0), NULL, PORTABLE_ERR_ARG, "field 'u' has 40 cells in the file, 41 here");
  reads(halo, fields_of(halo, rank == ranks - 1 && ranks > 1 ? 1 : 2, names, PORTABLE_KIND_REAL64, 0), &numbers, PORTABLE_ERR_ARG, ranks > 1 ? "a rank has 1 fields" : "3 values");
  if (ranks > 1) {
    reads(halo, fields_of(halo, 2, rank ? names : others, PORTABLE_KIND_REAL64, 0), NULL, PORTABLE_ERR_ARG, "field 2 differs between ranks");
    reads(halo, fields_of(halo, 1, names, rank ? PORTABLE_KIND_REAL64 : PORTABLE_KIND_BYTES, 0), NULL, PORTABLE_ERR_ARG, "field 1 differs between ranks");
    numbers.values_count = rank;
    reads(halo, fields_of(halo, 1, names, PORTABLE_KIND_REAL64, 0), &numbers, PORTABLE_ERR_ARG, "1 fields and 0 values");
  }
  fields = fields_of(halo, 1, slash, PORTABLE_KIND_REAL64, 0);
  told(portable_restart_write(MPI_COMM_WORLD, path, fields, halo, NULL), PORTABLE_ERR_ARG, "field 1 'a/b' cannot have this name");
  CHECK_STATUS(portable_fields_destroy(fields), PORTABLE_OK);
  fields = fields_of(halo, 2, names, PORTABLE_KIND_REAL64, 0);
  told(portable_restart_write(MPI_COMM_WORLD, path, fields, rank == ranks - 1 ? 0 : halo, NULL), PORTABLE_ERR_HANDLE, "halo");
  if (ranks > 1) {
    portable_halo alone = halo_of(MPI_COMM_SELF, 40);
    portable_fields own = fields_of(alone, 1, names, PORTABLE_KIND_REAL64, 0);
    told(portable_restart_write(MPI_COMM_WORLD, path, own, alone, NULL), PORTABLE_ERR_ARG, "the halo was made on 1 ranks");
    CHECK_STATUS(portable_fields_destroy(own), PORTABLE_OK);
    CHECK_STATUS(portable_halo_destroy(alone), PORTABLE_OK);
  }
  damage("v");
  numbers.values_count = 2;
  numbers.time = values[1] = -7;
  told(portable_restart_read(MPI_COMM_WORLD, path, fields, halo, &numbers), PORTABLE_ERR_CORRUPT, "the cells of field 'v' are damaged");
  CHECK(numbers.time == -7 && numbers.step == 0 && values[1] == -7); /* on rank 0, too */
  CHECK_STATUS(portable_fields_destroy(fields), PORTABLE_OK);
  CHECK_STATUS(portable_halo_destroy(halo), PORTABLE_OK);
  CHECK_STATUS(portable_halo_destroy(longer), PORTABLE_OK);
}

/* Each rank has a file of this name of its own, as on the disks of nodes. Each is a good one, of another step. */
static void stale(portable_fields fields, portable_halo halo) {
  static const char *const names[1] = {"u"};
  const portable_halo alone = halo_of(MPI_COMM_SELF, 40);
  const portable_fields own = fields_of(alone, 1, names, PORTABLE_KIND_REAL64, 0);
  portable_restart_numbers numbers = PORTABLE_RESTART_NUMBERS_INIT;
  FILE *f;
  numbers.step = 7 + (rank > 0);
  CHECK_STATUS(portable_restart_write(MPI_COMM_SELF, "state.h5", own, alone, &numbers), PORTABLE_OK);
  u[1] = -5;
  told(portable_restart_read(MPI_COMM_WORLD, "state.h5", fields, halo, &numbers), PORTABLE_ERR_ARG, "rank 1 sees another file 'state.h5' than rank 0, of its own disk or folder");
  CHECK(u[1] == -5 && numbers.step == 7 + (rank > 0));
  f = fopen("state.h5.new", "w");
  CHECK(f && fputs("left over", f) >= 0 && !fclose(f));
  told(portable_restart_write(MPI_COMM_WORLD, "state.h5", fields, halo, NULL), PORTABLE_ERR_ARG, "rank 1 sees another file 'state.h5.new' than rank 0");
  CHECK(!access("state.h5.new", F_OK) == (rank > 0)); /* rank 0 has removed its own */
  CHECK_STATUS(portable_restart_read(MPI_COMM_SELF, "state.h5", own, alone, NULL), PORTABLE_OK); /* and the older one is whole */
  CHECK_STATUS(portable_fields_destroy(own), PORTABLE_OK);
  CHECK_STATUS(portable_halo_destroy(alone), PORTABLE_OK);
}

/* Ranks that mean other files: by another name, or by the same name in another folder. MPI would wait for ever. */
static void other_files(const char *folder) {
  static const char *const names[1] = {"u"};
  portable_halo halo = halo_of(MPI_COMM_WORLD, 40);
  portable_fields fields = fields_of(halo, 1, names, PORTABLE_KIND_REAL64, 0);
  char here[300], name[40];
  snprintf(name, sizeof name, "of rank %d.h5", rank);
  file_of(folder, name);
  if (ranks > 1) {
    told(portable_restart_write(MPI_COMM_WORLD, path, fields, halo, NULL), PORTABLE_ERR_ARG, "another rank names another file");
    told(portable_restart_read(MPI_COMM_WORLD, path, fields, halo, NULL), PORTABLE_ERR_ARG, "another rank names another file");
    CHECK(access(path, F_OK));
    snprintf(name, sizeof name, "%d", rank);
    file_of(folder, name);
    CHECK(getcwd(here, sizeof here) && !mkdir(path, 0777) && !chdir(path));
    told(portable_restart_write(MPI_COMM_WORLD, "state.h5", fields, halo, NULL), PORTABLE_ERR_ARG, "rank 1 cannot open 'state.h5.new', which rank 0 can");
    CHECK(access("state.h5.new", F_OK));
    stale(fields, halo);
    CHECK(!chdir(here));
  }
  CHECK_STATUS(portable_fields_destroy(fields), PORTABLE_OK);
  CHECK_STATUS(portable_halo_destroy(halo), PORTABLE_OK);
}

/* Files that are no restart files, and a halo of lists. */
static void no_file(const char *folder) {
  static const char *const names[1] = {"u"};
  const portable_halo_lists_options lists = PORTABLE_HALO_LISTS_OPTIONS_INIT;
  portable_halo halo = halo_of(MPI_COMM_WORLD, 40), unstructured;
  portable_fields fields;
  file_of(folder, "nowhere.h5");
  reads(halo, fields_of(halo, 1, names, PORTABLE_KIND_REAL64, 0), NULL, PORTABLE_ERR_ARG, "no such file");
  file_of(folder, "text.h5");
  if (rank == 0) {
    FILE *const f = fopen(path, "w");
    CHECK(f && fputs("no HDF5", f) >= 0 && !fclose(f));
  }
  reads(halo, fields_of(halo, 1, names, PORTABLE_KIND_REAL64, 0), NULL, PORTABLE_ERR_DEVICE, "which is not HDF5 or not complete");
  file_of(folder, "other.h5");
  if (rank == 0) CHECK(H5Fclose(H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) >= 0);
  reads(halo, fields_of(halo, 1, names, PORTABLE_KIND_REAL64, 0), NULL, PORTABLE_ERR_ARG, "is no restart file");
  fields = fields_of(halo, 1, names, PORTABLE_KIND_REAL64, 0);
  CHECK_STATUS(portable_mpi_halo_lists("lists", MPI_COMM_WORLD, &lists, &unstructured), PORTABLE_OK);
  told(portable_restart_write(MPI_COMM_WORLD, path, fields, unstructured, NULL), PORTABLE_ERR_ARG, "a halo of lists does not number the cells");
  file_of(folder, "no folder/file.h5");
  told(portable_restart_write(MPI_COMM_WORLD, path, fields, halo, NULL), PORTABLE_ERR_ARG, "no such file or directory");
  told(portable_restart_write(MPI_COMM_WORLD, folder, fields, halo, NULL), PORTABLE_ERR_ARG, "this is a folder");
  told(portable_restart_read(MPI_COMM_WORLD, folder, fields, halo, NULL), PORTABLE_ERR_ARG, "this is a folder");
  told(portable_restart_write(MPI_COMM_WORLD, NULL, fields, halo, NULL), PORTABLE_ERR_ARG, "the name of the file is empty");
  CHECK_STATUS(portable_fields_destroy(fields), PORTABLE_OK);
  CHECK_STATUS(portable_halo_destroy(unstructured), PORTABLE_OK);
  CHECK_STATUS(portable_halo_destroy(halo), PORTABLE_OK);
}

/* Rank 0 may write no file of this size, as on a full disk: the older file stays. */
static void full_disk(const char *folder) {
  static const char *const names[1] = {"u"};
  portable_halo halo = halo_of(MPI_COMM_WORLD, 40);
  portable_fields fields = fields_of(halo, 1, names, PORTABLE_KIND_REAL64, 0);
  struct rlimit before, little;
  file_of(folder, "full.h5");
  u[1] = rank + 7;
  CHECK_STATUS(portable_restart_write(MPI_COMM_WORLD, path, fields, halo, NULL), PORTABLE_OK);
  signal(SIGXFSZ, SIG_IGN);
  CHECK(!getrlimit(RLIMIT_FSIZE, &before));
  little = before;
  little.rlim_cur = 1000;
  if (rank == 0) CHECK(!setrlimit(RLIMIT_FSIZE, &little));
  u[1] = -5;
  told(portable_restart_write(MPI_COMM_WORLD, path, fields, halo, NULL), PORTABLE_ERR_DEVICE, "cannot reserve");
  CHECK(!setrlimit(RLIMIT_FSIZE, &before));
  CHECK_STATUS(portable_restart_read(MPI_COMM_WORLD, path, fields, halo, NULL), PORTABLE_OK);
  CHECK(u[1] == rank + 7);
  CHECK_STATUS(portable_fields_destroy(fields), PORTABLE_OK);
  CHECK_STATUS(portable_halo_destroy(halo), PORTABLE_OK);
}

int main(int argc, char **argv) {
  int failed;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  if (argc > 1) {
    does_not_fit(argv[1]);
    no_file(argv[1]);
    other_files(argv[1]);
    full_disk(argv[1]);
  }
  MPI_Allreduce(MPI_IN_PLACE, &check_failures, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  failed = check_end();
  MPI_Finalize();
  return failed;
}
