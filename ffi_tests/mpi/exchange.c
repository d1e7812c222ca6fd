/* exchange.c [leak] - blocks of the pool as send and receive buffers of MPI, rank after rank, freed and taken
 * again between calls, on a worker thread too where MPI allows it; and the ranks that the library finds.
 * Not in this file: Fortran (exchange.f90). */
#include "check.h"

#include <mpi.h>
#include <pthread.h>

enum { ROUNDS = 200 };

static double *take(size_t n) {
  void *p = NULL;
  CHECK_STATUS(portable_alloc(n * sizeof(double), "buffer", &p), PORTABLE_OK);
  return p;
}

/* Around the ring, with buffers of changing size; eager and rendezvous both. */
static void ring(MPI_Comm comm, int rank, int size) {
  int round, next = (rank + 1) % size, last = (rank + size - 1) % size;
  for (round = 0; round < ROUNDS; round++) {
    size_t n = 1 + (size_t)round * 997 % 100000, i;
    double *out = take(n), *in = take(n);
    if (check_failures > 0) return;
    for (i = 0; i < n; i++) out[i] = rank * 1000.0 + (double)i;
    MPI_Sendrecv(out, (int)n, MPI_DOUBLE, next, round, in, (int)n, MPI_DOUBLE, last, round, comm, MPI_STATUS_IGNORE);
    CHECK(in[0] == last * 1000.0 && in[n - 1] == last * 1000.0 + (double)(n - 1));
    CHECK_STATUS(portable_free(out), PORTABLE_OK);
    {
      MPI_Request requests[2];
      double *again = take(n);
      for (i = 0; i < n; i++) again[i] = in[i];
      MPI_Isend(again, (int)n, MPI_DOUBLE, last, round, comm, &requests[0]);
      MPI_Irecv(in, (int)n, MPI_DOUBLE, next, round, comm, &requests[1]);
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
      CHECK(in[n - 1] == rank * 1000.0 + (double)(n - 1)); /* ours has come back */
      CHECK_STATUS(portable_free(again), PORTABLE_OK);
    }
    CHECK_STATUS(portable_free(in), PORTABLE_OK);
  }
}

typedef struct job { MPI_Comm comm; int rank, size; } job;

static void *on_thread(void *payload) {
  job *j = (job *)payload;
  ring(j->comm, j->rank, j->size);
  return NULL;
}

int main(int argc, char **argv) {
  int provided, rank, size, local, i, leak = argc > 1 && strcmp(argv[1], "leak") == 0;
  MPI_Comm node, second;
  double *sum, *total;
  /* The launcher's environment is there before MPI is. */
  int32_t early = portable_rank();
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &local);
  MPI_Comm_dup(MPI_COMM_WORLD, &second);
  CHECK(early == rank);
  CHECK(portable_rank() == rank);
  CHECK(portable_local_rank() == local);
  CHECK_STATUS(portable_set_rank(-1, 0), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_set_rank(rank, local), PORTABLE_OK);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  if (leak) {
    take(100 + (size_t)rank);
    CHECK_STATUS(portable_finalize(), PORTABLE_OK);
    MPI_Finalize();
    return check_failures > 0;
  }

  ring(MPI_COMM_WORLD, rank, size);
  if (provided == MPI_THREAD_MULTIPLE) {
    pthread_t thread;
    job j = {second, rank, size};
    CHECK(pthread_create(&thread, NULL, on_thread, &j) == 0);
    ring(MPI_COMM_WORLD, rank, size);
    CHECK(pthread_join(thread, NULL) == 0);
  }
  sum = take(50000);
  total = take(50000);
  for (i = 0; i < 50000; i++) sum[i] = rank + 1;
  MPI_Allreduce(sum, total, 50000, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  CHECK(total[0] == size * (size + 1) / 2 && total[49999] == total[0]);
  {
    MPI_Win window; /* one-sided: the memory is known to MPI for a while */
    int status;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    status = MPI_Win_create(total, 50000 * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    if (status == MPI_SUCCESS) {
      MPI_Win_fence(0, window);
      MPI_Put(sum, 50000, MPI_DOUBLE, (rank + 1) % size, 0, 50000, MPI_DOUBLE, window);
      MPI_Win_fence(0, window);
      CHECK(total[49999] == (rank + size - 1) % size + 1);
      MPI_Win_free(&window);
    } else {
      puts("this MPI has no one-sided communication here; left out"); /* as in containers */
    }
  }
  CHECK_STATUS(portable_free(sum), PORTABLE_OK);
  CHECK_STATUS(portable_free(total), PORTABLE_OK);
  MPI_Barrier(MPI_COMM_WORLD);
  i = check_end();
  MPI_Comm_free(&second);
  MPI_Comm_free(&node);
  MPI_Finalize();
  return i;
}
