/* devices.c - how devices of the driver are found, named, described and left again, and what is said where there are none. Each case runs in
 * a process of its own, with an environment of its own, because the driver is opened once in a process.
 *   devices LIBRARY: the whole list of cases; LIBRARY is small_driver.c's. devices --real LIBRARY: NVIDIA's, on a machine for which it may not
 * be the right one. devices --without: the archive has no CUDA. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <portable.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"

static int failures;
static FILE *warnings; /* what the library writes to standard error */
static FILE *report;

#define CHECK(x) ((x) ? (void)0 : (void)(failures++, fprintf(report, "FAILED: line %d: %s (%s)\n", __LINE__, #x, portable_last_error())))
#define CHECK_ERROR(part) (strstr(portable_last_error(), part) ? (void)0 : \
                           (void)(failures++, fprintf(report, "FAILED: line %d: no \"%s\" in \"%s\"\n", __LINE__, part, portable_last_error())))

static int said(const char *part) {
  static char text[1 << 16];
  fflush(stderr);
  rewind(warnings);
  text[fread(text, 1, sizeof text - 1, warnings)] = '\0';
  if (part[0] == '\0') return text[0] == '\0';
  if (!strstr(text, part)) fprintf(report, "standard error has: %s\n", text);
  return strstr(text, part) != NULL;
}

struct small_driver_seen {
  unsigned int launch[7];
  void *function, *stream, **params, **extra;
  float floats[2];
  void *texture;
  int retained, released, set;
};
static struct small_driver_seen *seen(void) {
  void *library = dlopen(getenv("PORTABLE_CUDA_LIBRARY"), RTLD_NOW | RTLD_NOLOAD);
  return library ? dlsym(library, "small_driver_seen") : NULL;
}

static void add(const portable_tile *t, void *args) {
  int64_t **x = args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) x[0][i]++;
}

/* Launches go on. (On cuda devices: the suite of all devices, with the fake driver.) */
static void launch_works(void) {
  static int64_t x[1000];
  int64_t *args[] = {x}, sum = 0;
  portable_bounds b = portable_bounds_1(1000);
  memset(x, 0, sizeof x);
  CHECK(portable_parallel_for("add", &b, add, args, sizeof args, NULL) == PORTABLE_OK && portable_fence() == PORTABLE_OK);
  for (int i = 0; i < 1000; i++) sum += x[i];
  CHECK(sum == 1000);
}

static int is_default(const char *name) { return strcmp(portable_device_name(0), name) == 0; }

/* ---- the cases ---- */

static void no_caller(void) {
  CHECK(portable_init(NULL) == PORTABLE_OK && portable_device_count() == 2 && is_default("threads"));
  CHECK(!seen()); /* not even loaded */
  CHECK(portable_finalize() == PORTABLE_OK && said(""));
}

static void by_environment(void) {
  CHECK(portable_init(NULL) == PORTABLE_OK && portable_device_count() == 4);
  CHECK(portable_default_device() == 3 && is_default("cuda:0") && strcmp(portable_device_name(4), "cuda:1") == 0);
  CHECK(seen() && seen()->retained == 1); /* of the device whose memory the default pool has, and of no other */
  CHECK(portable_finalize() == PORTABLE_OK && seen()->released == 1 && said(""));
}

static void second_by_environment(void) {
  CHECK(portable_init(NULL) == PORTABLE_OK && portable_default_device() == 4 && is_default("cuda:1"));
  CHECK(portable_finalize() == PORTABLE_OK && said(""));
}

static void by_rank(void) {
  CHECK(portable_init(NULL) == PORTABLE_OK && is_default("cuda:2")); /* local rank 5 of three devices */
  portable_device d = 0;
  CHECK(portable_device_find("cuda", &d) == PORTABLE_OK && d == 5 && portable_device_find("auto", &d) == PORTABLE_OK && d == 5);
  CHECK(portable_finalize() == PORTABLE_OK && said(""));
}

static void by_configuration(void) {
  portable_config c = PORTABLE_CONFIG_INIT;
  c.device = "CUDA:1";
  CHECK(portable_init(&c) == PORTABLE_OK && is_default("cuda:1"));
  CHECK(portable_finalize() == PORTABLE_OK && said(""));
  /* Stopped and started again: by another name, without, and found later. */
  c.device = "cuda";
  CHECK(portable_init(&c) == PORTABLE_OK && is_default("cuda:0") && portable_finalize() == PORTABLE_OK);
  CHECK(portable_init(NULL) == PORTABLE_OK && portable_device_count() == 2 && is_default("threads"));
  portable_device d = 0;
  CHECK(portable_device_find("cuda:1", &d) == PORTABLE_OK && d == 4 && portable_device_count() == 4 && is_default("threads"));
  CHECK(portable_finalize() == PORTABLE_OK && said(""));
}

static int32_t two(void *payload) { (void)payload; return 2; }
static void both(int32_t workers, void *work, void *payload) {
  (void)payload;
  for (int32_t i = 0; i < workers; i++) portable_device_share(work, i);
}

static void *find_again(void *out) {
  portable_device d = 0;
  for (int i = 0; i < 50; i++)
    if (portable_device_find(i % 2 ? "cuda:1" : "cuda", &d) != PORTABLE_OK || d != 4 + i % 2) return out;
  return NULL;
}

static void found_later(void) {
  portable_host_device own = PORTABLE_HOST_DEVICE_INIT;
  own.name = "own";
  own.workers = two;
  own.run = both;
  CHECK(portable_device_register(&own) == PORTABLE_OK && portable_init(NULL) == PORTABLE_OK && portable_device_count() == 3);
  portable_device d = 9;
  CHECK(portable_device_find("cuda:7", &d) == PORTABLE_ERR_NODEVICE && d == 0);
  CHECK_ERROR("no such device: \"cuda:7\"; there are serial, threads, own, cuda:0, cuda:1");
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, find_again, &d) == 0);
  for (int i = 0; i < 4; i++) {
    void *bad;
    CHECK(pthread_join(threads[i], &bad) == 0 && !bad);
  }
  CHECK(portable_device_count() == 5 && strcmp(portable_device_name(5), "cuda:1") == 0 && is_default("threads"));
  CHECK(portable_set_default_device(5) == PORTABLE_OK && is_default("cuda:1") && seen()->retained == 0);
  CHECK(portable_finalize() == PORTABLE_OK && said(""));
}

static void properties(void) {
  portable_device_properties p = PORTABLE_DEVICE_PROPERTIES_INIT;
  uint64_t rest = 1, all = 1;
  int32_t ordinal = 0;
  void *context = NULL;
  CHECK(portable_device_properties_get(1, &p) == PORTABLE_ERR_STATE && portable_device_memory_info(1, &rest, &all) == PORTABLE_ERR_STATE);
  CHECK(portable_init(NULL) == PORTABLE_OK);
  CHECK(portable_device_properties_get(4, &p) == PORTABLE_OK && p.kind == PORTABLE_DEVICE_CUDA && strcmp(p.name, "cuda:1") == 0);
  CHECK(strcmp(p.model, "Small 1") == 0 && p.memory_bytes == ((uint64_t)8 << 30) + 1 && p.compute_major == 9 && p.compute_minor == 0);
  CHECK(p.parallelism == 16 && p.warp_size == 10 && p.max_threads_per_block == 1 && p.shared_bytes_per_block == 8 && p.shared_bytes_opt_in == 97);
  CHECK(p.concurrent_managed == 89 && p.pageable_access == 88 && p.integrated == 18 && p.driver_version == 12040);
  CHECK(strcmp(p.pci, "0000:3c:00.0") == 0 && strcmp(p.uuid, "GPU-a1a1a1a1-a1a1-a1a1-a1a1-a1a1a1a1a1a1") == 0);
  CHECK(portable_device_properties_get(0, &p) == PORTABLE_OK && strcmp(p.name, "cuda:0") == 0);
  CHECK(portable_device_properties_get(1, &p) == PORTABLE_OK && p.kind == PORTABLE_DEVICE_HOST && p.parallelism == 1 && p.memory_bytes > 0 && !p.uuid[0]);
  CHECK(portable_device_properties_get(2, &p) == PORTABLE_OK && p.parallelism == portable_num_threads() && strcmp(p.name, "threads") == 0);
  CHECK(portable_device_properties_get(5, &p) == PORTABLE_ERR_NODEVICE);
  CHECK_ERROR("portable_device_properties_get: there is no device 5; there are 4");
  p.struct_size--;
  CHECK(portable_device_properties_get(1, &p) == PORTABLE_ERR_ARG && portable_device_properties_get(1, NULL) == PORTABLE_ERR_ARG);
  p.struct_size++;

  CHECK(portable_device_memory_info(2, &rest, &all) == PORTABLE_OK && rest > 0 && rest <= all);
  CHECK(portable_device_memory_info(2, NULL, &all) == PORTABLE_ERR_ARG);
  CHECK_ERROR("portable_device_memory_info: free_bytes_out is NULL");
  CHECK(portable_device_memory_info(4, &rest, &all) == PORTABLE_OK && rest == 1000 && all == 3000 && seen()->retained == 2);
  CHECK(portable_device_native(4, &ordinal, &context) == PORTABLE_OK && ordinal == 11 && context == (void *)0x100b && seen()->retained == 2);
  CHECK(portable_device_native(2, &ordinal, &context) == PORTABLE_ERR_ARG && ordinal == -1 && !context);
  CHECK_ERROR("device 2 is threads, which has no driver");
  CHECK(portable_device_native(0, NULL, &context) == PORTABLE_OK && context == (void *)0x100a && seen()->retained == 2);

  /* A child has neither the library nor the driver. */
  pid_t child = fork();
  if (child == 0) {
    failures = 0;
    CHECK(portable_device_memory_info(4, &rest, &all) == PORTABLE_ERR_FORK && portable_device_native(4, &ordinal, &context) == PORTABLE_ERR_FORK);
    CHECK(portable_device_properties_get(4, &p) == PORTABLE_ERR_FORK);
    portable_device d;
    CHECK(portable_device_find("cuda", &d) == PORTABLE_ERR_FORK);
    fflush(report);
    _exit(failures != 0);
  }
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  CHECK(portable_finalize() == PORTABLE_OK && seen()->released == 2 && said(""));
  /* Started again, the context is retained again. */
  CHECK(portable_init(NULL) == PORTABLE_OK && portable_device_memory_info(4, &rest, &all) == PORTABLE_OK && seen()->retained == 4);
  CHECK(portable_finalize() == PORTABLE_OK && seen()->released == 4);
}

static void refused(void) { /* cuMemGetInfo answers 2 */
  uint64_t rest, all;
  CHECK(portable_init(NULL) == PORTABLE_OK && is_default("cuda:0"));
  CHECK(portable_device_memory_info(0, &rest, &all) == PORTABLE_ERR_NOMEM && rest == 0 && all == 0);
  CHECK_ERROR("'portable_device_memory_info': cuMemGetInfo answers CUDA_ERROR_OUT_OF_MEMORY (2): the driver has no text for it; release arrays");
  CHECK(portable_finalize() == PORTABLE_OK && said(""));
}

static void no_context(void) { /* cuDevicePrimaryCtxRetain answers 46 */
  uint64_t rest, all;
  int32_t ordinal;
  void *context;
  portable_device d;
  CHECK(portable_init(NULL) == PORTABLE_ERR_DEVICE); /* the default pool is to have memory of the device */
  CHECK_ERROR("the context of cuda:0: an error without a name (46)");
  unsetenv("PORTABLE_DEVICE");
  CHECK(portable_init(NULL) == PORTABLE_OK && portable_device_find("cuda", &d) == PORTABLE_OK);
  CHECK(portable_device_memory_info(d, &rest, &all) == PORTABLE_ERR_DEVICE && portable_device_native(d, &ordinal, &context) == PORTABLE_ERR_DEVICE && !context);
  CHECK_ERROR("cuDevicePrimaryCtxRetain answers an error without a name (46)");
  CHECK(strcmp(portable_status_name(PORTABLE_ERR_DEVICE), "PORTABLE_ERR_DEVICE") == 0);
  launch_works();
  CHECK(portable_finalize() == PORTABLE_OK && said(""));
}

static void lost(void) { /* cuCtxSetCurrent answers 700 */
  uint64_t rest, all;
  portable_device d;
  CHECK(portable_init(NULL) == PORTABLE_OK && portable_device_find("cuda", &d) == PORTABLE_OK);
  CHECK(portable_device_memory_info(d, &rest, &all) == PORTABLE_ERR_DEVICE);
  CHECK_ERROR("(700)");
  CHECK_ERROR("the device has failed this program: what is on the host stays as it is");
  CHECK(portable_finalize() == PORTABLE_OK && said(""));
}

/* The environment is forgiving, the program's own word is not. */
static void missing(const char *why) {
  char text[512];
  portable_config c = PORTABLE_CONFIG_INIT;
  portable_device d = 9;
  CHECK(portable_init(NULL) == PORTABLE_OK && is_default("threads") && portable_device_count() == 2);
  snprintf(text, sizeof text, "portable: warning: PORTABLE_DEVICE=cuda: there is no such device: %s", why);
  CHECK(said(text) && said("; there are serial, threads; using threads"));
  launch_works();
  CHECK(portable_device_find("cuda:0", &d) == PORTABLE_ERR_NODEVICE && d == 0);
  snprintf(text, sizeof text, "portable: no such device: \"cuda:0\": %s", why);
  CHECK_ERROR(text);
  CHECK(portable_device_find("auto", &d) == PORTABLE_OK && d == 2);
  CHECK(portable_finalize() == PORTABLE_OK);
  c.device = "cuda:0";
  CHECK(portable_init(&c) == PORTABLE_ERR_NODEVICE);
  CHECK_ERROR(why);
  c.device = "auto";
  CHECK(portable_init(&c) == PORTABLE_OK && is_default("threads") && portable_finalize() == PORTABLE_OK);
}

static void no_library(void) { missing("/nowhere.so: cannot open shared object file"); }
static void no_device(void) { missing("the driver finds no device"); }
static void too_old(void) { missing("the driver is too old: it is of CUDA 10.2, and 11.0 or newer is needed"); }
static void no_start(void) { missing("the driver does not start: CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (803), parts of the driver do not fit"); }
static void no_count(void) { missing("the driver does not count its devices: "); }
static void no_name(void) { missing("the driver does not describe cuda:0: "); }
static void no_attribute(void) { missing("the driver does not describe cuda:0: "); }

static void without(void) { missing("this libportable was built without CUDA"); }

static void real(void) { /* starts only where the kernel's module is of the same version */
  portable_device d = 0;
  CHECK(portable_init(NULL) == PORTABLE_OK && is_default("threads"));
  if (portable_device_find("cuda", &d) != PORTABLE_OK) CHECK_ERROR("no such device: \"cuda\": the driver does not start: CUDA_ERROR_");
  CHECK(portable_finalize() == PORTABLE_OK && said(""));
}

static void automatic(void) { /* nothing to complain about */
  CHECK(portable_init(NULL) == PORTABLE_OK && is_default("threads") && portable_finalize() == PORTABLE_OK && said(""));
}

static const struct test {
  const char *name, *device, *driver, *rank, *library;
  void (*run)(void);
} tests[] = {
    {"no caller asks", NULL, "devices=2", NULL, NULL, no_caller},
    {"by environment", "cuda", "devices=2", NULL, NULL, by_environment},
    {"second by environment", "Cuda:1 ", "devices=2", NULL, NULL, second_by_environment},
    {"auto", "auto", "devices=2", NULL, NULL, by_environment},
    {"by rank", "cuda", "devices=3", "5", NULL, by_rank},
    {"by configuration", NULL, "devices=2", NULL, NULL, by_configuration},
    {"found later", NULL, "devices=2", NULL, NULL, found_later},
    {"properties", "cuda", "devices=2", NULL, NULL, properties},
    {"refused", "cuda", "cuMemGetInfo_v2=2", NULL, NULL, refused},
    {"no context", "cuda", "cuDevicePrimaryCtxRetain=46", NULL, NULL, no_context},
    {"lost", NULL, "cuCtxSetCurrent=700", NULL, NULL, lost},
    {"no library", "cuda", "", NULL, "/nowhere.so", no_library},
    {"no device", "cuda", "devices=0", NULL, NULL, no_device},
    {"too old", "cuda", "version=10020", NULL, NULL, too_old},
    {"no start", "cuda", "cuInit=803", NULL, NULL, no_start},
    {"no count", "cuda", "cuDeviceGetCount=999", NULL, NULL, no_count},
    {"no name", "cuda", "cuDeviceGetName=999", NULL, NULL, no_name},
    {"no attribute", "cuda", "cuDeviceGetAttribute=999", NULL, NULL, no_attribute},
    {"auto without a device", "auto", "devices=0", NULL, NULL, automatic},
    {"auto without a library", "AUTO", "", NULL, "/nowhere.so", automatic},
};

/* Runs this program again for one case. */
static int again(const struct test *t, const char *self, const char *library) {
  pid_t child = fork();
  if (child == 0) {
    unsetenv("PORTABLE_DEVICE");
    if (t->device) setenv("PORTABLE_DEVICE", t->device, 1);
    if (t->rank) setenv("OMPI_COMM_WORLD_RANK", t->rank, 1);
    if (t->rank) setenv("OMPI_COMM_WORLD_LOCAL_RANK", t->rank, 1);
    setenv("SMALL_DRIVER", t->driver, 1);
    setenv("PORTABLE_CUDA_LIBRARY", t->library ? t->library : library, 1);
    child_exec(self, (const char *const[]){self, "-", t->name, NULL});
    _exit(127);
  }
  int status = -1;
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

int main(int argc, char **argv) {
  int bad = 0, count = (int)(sizeof tests / sizeof tests[0]);
  if (argc == 2 && strcmp(argv[1], "--without") == 0) { /* an archive of PORTABLE_CUDA=OFF */
    static const struct test off = {"without", "cuda", "", NULL, NULL, without};
    return !again(&off, argv[0], "/nowhere.so");
  }
  if (argc == 3 && strcmp(argv[1], "--real") == 0) {
    static const struct test nvidia = {"real", NULL, "", NULL, NULL, real};
    if (access(argv[2], R_OK) != 0) {
      printf("skipped: there is no %s; scripts/cuda_packages fetches it\n", argv[2]);
      return 77;
    }
    return !again(&nvidia, argv[0], argv[2]);
  }
  if (argc == 3 && strcmp(argv[1], "-") == 0) {
    report = fdopen(dup(2), "w");
    warnings = tmpfile();
    if (!report || !warnings || dup2(fileno(warnings), 2) < 0) return 2;
    if (strcmp(argv[2], "without") == 0) without();
    if (strcmp(argv[2], "real") == 0) real();
    for (int i = 0; i < count; i++)
      if (strcmp(argv[2], tests[i].name) == 0) tests[i].run();
    fflush(report);
    return failures != 0;
  }
  if (argc != 2) return 2;
  for (int i = 0; i < count; i++)
    if (!again(&tests[i], argv[0], argv[1])) {
      printf("FAILED: %s\n", tests[i].name);
      bad++;
    }
  printf("%d cases, %d failed\n", count, bad);
  return bad != 0;
}
