/* emulated.c - the device `emulated`, with memory that the host does not reach: arrays there, copies, kernels, and what happens where
 * the host touches it. The program chooses the device itself, so that it is the same on each device of the test's list. */
#define _GNU_SOURCE
#include "check.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 200000 };

struct block {
  double *a;
  double factor;
};

static void scale(const portable_tile *t, void *args) {
  struct block *b = args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) b->a[i] *= b->factor;
}

static portable_array device_array(const char *label, int zero) {
  portable_array a;
  int64_t n = N;
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  config.space = PORTABLE_SPACE_DEVICE(0);
  config.zero = zero;
  CHECK_STATUS(portable_array_create(label, PORTABLE_KIND_REAL64, 0, 1, &n, &config, &a), PORTABLE_OK);
  return a;
}

/* There and back: the kernel's work is in the host's copy. */
static void round_trip(void) {
  int64_t n = N;
  portable_array host, back, there;
  portable_bounds all = portable_bounds_1(N);
  CHECK_STATUS(portable_array_create("host", PORTABLE_KIND_REAL64, 0, 1, &n, NULL, &host), PORTABLE_OK);
  for (int i = 0; i < N; i++) ((double *)host.data)[i] = i;
  CHECK_STATUS(portable_array_device_copy(&host, &there), PORTABLE_OK);
  CHECK(there.space == PORTABLE_SPACE_DEVICE(0) && there.data != host.data);
  struct block b = {there.data, 2.0};
  CHECK_STATUS(portable_parallel_for("scale", &all, scale, &b, sizeof b, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_array_host_copy(&there, &back), PORTABLE_OK);
  CHECK(back.space == PORTABLE_SPACE_HOST);
  int wrong = 0;
  for (int i = 0; i < N; i++) wrong += ((double *)back.data)[i] != 2.0 * i;
  CHECK(wrong == 0);
  portable_array zeroes = device_array("zeroes", 1);
  CHECK_STATUS(portable_array_copy(&zeroes, &host, NULL), PORTABLE_OK);
  for (int i = 0; i < N; i++) wrong += ((double *)host.data)[i] != 0;
  CHECK(wrong == 0);
  double seven = 7;
  int32_t equal = 1;
  CHECK_STATUS(portable_array_fill(&zeroes, &seven, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_array_equal(&zeroes, &there, &equal), PORTABLE_OK);
  CHECK(!equal);
  portable_array_release(&zeroes);
  portable_array_release(&there);
  portable_array_release(&back);
  portable_array_release(&host);
}

/* The signal by which a child ends that touches the device's memory, and whether the line names the device. */
static void host_access(int writes) {
  int ends[2], status;
  char text[4096];
  portable_array a = device_array("a", 1);
  volatile double *p = a.data;
  if (pipe(ends) != 0) return;
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
    if (writes)
      p[5] = 1;
    else
      _exit(p[5] == 0);
    _exit(7);
  }
  close(ends[1]);
  ssize_t got, all = 0;
  while ((got = read(ends[0], text + all, sizeof text - 1 - (size_t)all)) > 0) all += got;
  text[all < 0 ? 0 : all] = 0;
  close(ends[0]);
  waitpid(child, &status, 0);
  CHECK(!WIFEXITED(status) && WTERMSIG(status) == SIGSEGV);
  CHECK(strstr(text, "memory of the device 'emulated'") != NULL);
  portable_array_release(&a);
}

/* A kernel object whose argument is on the stack of the host. */
static void host_memory(void) {
  double stack[100] = {0};
  void *pooled = NULL;
  portable_kernel k;
  struct block b = {stack, 1.0};
  portable_bounds all = portable_bounds_1(100);
  portable_argument arguments[] = {{.name = "a", .kind = PORTABLE_ARGUMENT_POINTER, .access = PORTABLE_ACCESS_BOTH, .offset = 0, .bytes = 8},
                                   {.name = "factor", .kind = PORTABLE_ARGUMENT_REAL64, .offset = 8, .bytes = 8}};
  CHECK_STATUS(portable_kernel_create("scale", sizeof b, arguments, 2, &k), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_set_host(k, scale), PORTABLE_OK);
  CHECK_STATUS(portable_launch(k, &all, &b, NULL), PORTABLE_ERR_POINTER);
  CHECK_TEXT("'a'");
  CHECK_TEXT("on the stack of the thread");
  CHECK_STATUS(portable_alloc(100 * sizeof *stack, "pooled", &pooled), PORTABLE_OK);
  b.a = pooled;
  memset(pooled, 0, 100 * sizeof *stack);
  CHECK_STATUS(portable_launch(k, &all, &b, NULL), PORTABLE_OK);
  portable_array there = device_array("there", 1);
  b.a = there.data;
  CHECK_STATUS(portable_launch(k, &all, &b, NULL), PORTABLE_OK);
  portable_launch_config threads = PORTABLE_LAUNCH_CONFIG_INIT;
  b.a = stack;
  CHECK_STATUS(portable_device_find("threads", &threads.device), PORTABLE_OK);
  CHECK_STATUS(portable_launch(k, &all, &b, &threads), PORTABLE_OK);
  portable_array_release(&there);
  portable_free(pooled);
  portable_kernel_destroy(k);
}

/* Records there and back; and what reaches them. */
static void records(void) {
  struct pair {
    double a;
    int32_t b;
  } one = {0, 0};
  portable_record record;
  portable_records host, there;
  portable_array field;
  portable_launch_config threads = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  const int64_t n = 1000, last = 999;
  void *data;
  CHECK_STATUS(portable_record_begin(&record, sizeof one), PORTABLE_OK);
  CHECK_STATUS(PORTABLE_RECORD_ADD(&record, struct pair, a, PORTABLE_KIND_REAL64), PORTABLE_OK);
  CHECK_STATUS(PORTABLE_RECORD_ADD(&record, struct pair, b, PORTABLE_KIND_INT32), PORTABLE_OK);
  CHECK_STATUS(portable_records_create("host", &record, PORTABLE_RECORDS_AOS, 0, 1, &n, NULL, &host), PORTABLE_OK);
  config.space = PORTABLE_SPACE_DEVICE(0);
  config.zero = 1;
  CHECK_STATUS(portable_records_create("there", &record, PORTABLE_RECORDS_SOA, 0, 1, &n, &config, &there), PORTABLE_OK);
  CHECK_STATUS(portable_records_copy(&there, &host, NULL), PORTABLE_OK);
  portable_records_get(&host, &last, &one);
  CHECK(one.a < 1 && one.b == 0);
  for (int64_t i = 0; i < n; i++) {
    one.a = (double)i;
    one.b = (int32_t)i;
    portable_records_put(&host, &i, &one);
  }
  CHECK_STATUS(portable_records_copy(&host, &there, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_records_field(&there, 0, 0, &field), PORTABLE_OK);
  double seven = 7;
  CHECK_STATUS(portable_array_fill(&field, &seven, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_records_copy(&there, &host, NULL), PORTABLE_OK);
  portable_records_get(&host, &last, &one);
  CHECK(one.a > 6.5 && one.a < 7.5 && one.b == 999);
  CHECK_STATUS(portable_device_find("threads", &threads.device), PORTABLE_OK);
  CHECK_STATUS(portable_records_copy(&there, &host, &threads), PORTABLE_ERR_ARG);
  CHECK_TEXT("portable_records_copy of 'there': the array is in memory of the device 'emulated', which the device 'threads' does not reach");
  CHECK_STATUS(portable_array_fill(&field, &seven, &threads), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_array_data(&field, PORTABLE_SPACE_HOST, &data), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_array_data(&field, PORTABLE_SPACE_DEVICE(0), &data), PORTABLE_OK);
  CHECK_STATUS(portable_array_locate(&field, 1, &last, &data), PORTABLE_ERR_ARG);
  CHECK_TEXT("portable_array_locate of 'there': the array is in memory of device 0, which the host does not reach");
  CHECK_STATUS(portable_array_release(&field), PORTABLE_OK);
  CHECK_STATUS(portable_records_release(&there), PORTABLE_OK);
  CHECK_STATUS(portable_records_release(&host), PORTABLE_OK);
}

static void pools(void) {
  portable_pool pool, again;
  CHECK_STATUS(portable_pool_of_space(PORTABLE_SPACE_DEVICE(0), &pool), PORTABLE_OK);
  CHECK_STATUS(portable_pool_of_space(PORTABLE_SPACE_DEVICE(0), &again), PORTABLE_OK);
  CHECK(pool == again);
  CHECK_STATUS(portable_pool_of_space(PORTABLE_SPACE_HOST, &again), PORTABLE_OK);
  CHECK(again == check_default_pool() && again != pool);
  CHECK_STATUS(portable_pool_of_space(PORTABLE_SPACE_DEVICE(1), &again), PORTABLE_ERR_NODEVICE);
  CHECK_STATUS(portable_pool_of_space(PORTABLE_SPACE_PINNED, &again), PORTABLE_OK);
  CHECK(again == check_default_pool());
  CHECK_STATUS(portable_pool_of_space(PORTABLE_SPACE_MANAGED, &again), PORTABLE_OK);
  CHECK(again == check_default_pool());
  CHECK_STATUS(portable_pool_of_space(-1, &again), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_pool_of_space(0, NULL), PORTABLE_ERR_ARG);
  CHECK(check_stats(pool).in_use_blocks == 0);
}

int main(void) {
  portable_pool pool;
  setenv("PORTABLE_DEVICE", "Emulated", 1);
  CHECK_STATUS(portable_pool_of_space(0, &pool), PORTABLE_ERR_STATE);
  for (int run = 0; run < 2; run++) { /* the second start finds the device there */
    CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
    CHECK(strcmp(portable_device_name(portable_default_device()), "emulated") == 0);
    round_trip();
    host_access(0);
    host_access(1);
    host_memory();
    records();
    pools();
    CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  }
  return check_failures != 0;
}
