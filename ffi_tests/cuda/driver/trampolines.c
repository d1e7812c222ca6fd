/* trampolines.c - the shim alone (internal/backend/cuda/shim.c and trampolines.S are part of this program): what functions of the driver answer
 * before its library is opened, without one, and from a child; that all arguments pass through, at the first call and at later ones.
 *   trampolines LIBRARY FOLDER: small_driver.c's, and where there is room for a file. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../internal/backend/cuda/shim.h"
#include "cuda.h"

struct small_driver_seen {
  unsigned int launch[7];
  void *function, *stream, **params, **extra;
  float floats[2];
  void *texture;
  int retained, released, set;
};

static int failures;
#define CHECK(x) ((x) ? (void)0 : (void)(failures++, printf("FAILED: line %d: %s\n", __LINE__, #x)))
#define CHECK_WHY(part) (strstr(portable__cuda_why(PORTABLE__DRIVER_CUDA), part) ? (void)0 : \
                         (void)(failures++, printf("FAILED: line %d: no \"%s\" in \"%s\"\n", __LINE__, part, portable__cuda_why(PORTABLE__DRIVER_CUDA))))

static CUresult launch(unsigned int base) {
  void **params = (void **)(size_t)(base + 8), **extra = (void **)(size_t)(base + 9);
  return cuLaunchKernel((CUfunction)(size_t)(base + 7), base, base + 1, base + 2, base + 3, base + 4, base + 5, base + 6, (CUstream)(size_t)(base + 10), params, extra);
}

static void seen(const struct small_driver_seen *s, unsigned int base) {
  for (unsigned int i = 0; i < 7; i++) CHECK(s->launch[i] == base + i);
  CHECK(s->function == (void *)(size_t)(base + 7) && s->stream == (void *)(size_t)(base + 10));
  CHECK(s->params == (void *)(size_t)(base + 8) && s->extra == (void *)(size_t)(base + 9));
}

static void *count_on_a_thread(void *out) {
  for (int i = 0; i < 1000; i++) {
    int n = 0;
    if (cuDeviceGetCount(&n) != CUDA_SUCCESS || n != 3) return out;
  }
  return NULL;
}

int main(int argc, char **argv) {
  int n = 7;
  char text[4096];
  if (argc != 3) return 2;

  /* No request yet: cuInit, which gorgonia.org/cu calls before main, is content, and nothing is loaded. */
  CHECK(cuInit(0) == CUDA_SUCCESS && !portable__cuda_is_open());
  CHECK(cuDeviceGetCount(&n) == CUDA_ERROR_NO_DEVICE && n == 7);
  CHECK(portable__cuda_symbol("cuInit") == NULL && portable__cuda_why(PORTABLE__DRIVER_CUDA)[0] == '\0');

  setenv("PORTABLE_CUDA_LIBRARY", "/nowhere/libcuda.so.1", 1);
  CHECK(portable__cuda_open(PORTABLE__DRIVER_CUDA) == CUDA_ERROR_NO_DEVICE && !portable__cuda_is_open());
  CHECK_WHY("/nowhere/libcuda.so.1: cannot open shared object file");
  CHECK(cuInit(0) == CUDA_ERROR_NO_DEVICE && cuDeviceGetCount(&n) == CUDA_ERROR_NO_DEVICE);

  /* Some library that is no driver's. */
  setenv("PORTABLE_CUDA_LIBRARY", "libm.so.6", 1);
  CHECK(portable__cuda_open(PORTABLE__DRIVER_CUDA) == CUDA_ERROR_NO_DEVICE);
  CHECK_WHY("libm.so.6 is not the library of a driver that we know (it has no cuInit)");

  snprintf(text, sizeof text, "%s/not_a_library.so", argv[2]);
  FILE *file = fopen(text, "w");
  CHECK(file && fputs("not a library", file) >= 0 && fclose(file) == 0);
  setenv("PORTABLE_CUDA_LIBRARY", text, 1);
  CHECK(portable__cuda_open(PORTABLE__DRIVER_CUDA) == CUDA_ERROR_NO_DEVICE);
  CHECK_WHY("file too short");

  /* A driver that does not start, and then does. */
  setenv("PORTABLE_CUDA_LIBRARY", argv[1], 1);
  setenv("SMALL_DRIVER", "cuInit=803", 1);
  CHECK(portable__cuda_open(PORTABLE__DRIVER_CUDA) == CUDA_ERROR_SYSTEM_DRIVER_MISMATCH && !portable__cuda_is_open());
  CHECK_WHY("the driver does not start: CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (803), parts of the driver do not fit");
  setenv("SMALL_DRIVER", "cuInit=7", 1);
  CHECK(portable__cuda_open(PORTABLE__DRIVER_CUDA) == 7);
  CHECK_WHY("the driver does not start: error (7)");
  setenv("SMALL_DRIVER", "devices=3", 1);
  CHECK(portable__cuda_open(PORTABLE__DRIVER_CUDA) == CUDA_SUCCESS && portable__cuda_is_open() && portable__cuda_why(PORTABLE__DRIVER_CUDA)[0] == '\0');
  CHECK(portable__cuda_open(PORTABLE__DRIVER_CUDA) == CUDA_SUCCESS);
  CHECK(portable__cuda_symbol("cuInit") != NULL && portable__cuda_symbol("cuNothing") == NULL);

  /* First calls from several threads at once; then each of a kind twice, of which the second goes straight. */
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, count_on_a_thread, text) == 0);
  for (int i = 0; i < 4; i++) {
    void *bad;
    CHECK(pthread_join(threads[i], &bad) == 0 && !bad);
  }
  struct small_driver_seen *s = portable__cuda_symbol("small_driver_seen");
  CHECK(s != NULL);
  if (!s) return 1;
  for (unsigned int i = 1; i < 3; i++) {
    CHECK(launch(100 * i) == CUDA_SUCCESS);
    seen(s, 100 * i);
    CHECK(cuTexRefSetMipmapLevelClamp((CUtexref)&n, 1.25f * (float)i, -2.5f) == CUDA_SUCCESS);
    CHECK(s->texture == &n && s->floats[0] == 1.25f * (float)i && s->floats[1] == -2.5f);
    CHECK(cuStreamQuery(NULL) == CUDA_ERROR_NOT_FOUND); /* this driver has none */
  }
  CHECK(cuMemAlloc(&(CUdeviceptr){0}, (size_t)5 << 32) == CUDA_SUCCESS);

  /* A child must not call the driver, bound or not; its parent goes on. */
  pid_t child = fork();
  if (child == 0) {
    failures = 0;
    CHECK(!portable__cuda_is_open() && cuDeviceGetCount(&n) == CUDA_ERROR_NOT_INITIALIZED && cuEventQuery(NULL) == CUDA_ERROR_NOT_INITIALIZED);
    CHECK(portable__cuda_open(PORTABLE__DRIVER_CUDA) == CUDA_ERROR_NOT_INITIALIZED && portable__cuda_symbol("cuInit") == NULL);
    CHECK_WHY("this process is a fork of one that has used the driver");
    fflush(stdout);
    _exit(failures != 0);
  }
  int status = -1;
  CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
  CHECK(cuDeviceGetCount(&n) == CUDA_SUCCESS && n == 3);
  printf(failures ? "%d failures\n" : "ok\n", failures);
  return failures != 0;
}
