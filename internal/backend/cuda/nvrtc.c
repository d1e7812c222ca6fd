/* nvrtc.c - opens NVIDIA's compiler NVRTC and calls it. In C, with types of its own, because the
 * archive is built without a CUDA toolkit. Not in this file: the choice of sources and
 * architectures (kernels.go), the use of images (module.c). */
#include "nvrtc.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../edge/environment.h"
#include "../../edge/file.h"
#include "devices.h"

typedef void *program;

static struct {
  void *library;
  int (*version)(int *, int *);
  int (*create)(program *, const char *, const char *, int, const char *const *, const char *const *);
  int (*destroy)(program *);
  int (*compile)(program, int, const char *const *);
  int (*log_size)(program, size_t *);
  int (*log)(program, char *);
  int (*ptx_size)(program, size_t *);
  int (*ptx)(program, char *);
  const char *(*error)(int);
  int (*cubin_size)(program, size_t *); /* NULL before CUDA 11.1, as are the next two */
  int (*cubin)(program, char *);
  int (*count)(int *); /* NULL before CUDA 11.2 */
  int (*list)(int *);
} nvrtc;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards opening, and the reason */
static char why[1024];

static void bind(void *to, const char *name) {
  void *symbol = dlsym(nvrtc.library, name);
  memcpy(to, &symbol, sizeof symbol);
}

/* Binds all functions of the library, or none. Locked. */
static int bind_all(const char *path) {
  bind(&nvrtc.version, "nvrtcVersion");
  bind(&nvrtc.create, "nvrtcCreateProgram");
  bind(&nvrtc.destroy, "nvrtcDestroyProgram");
  bind(&nvrtc.compile, "nvrtcCompileProgram");
  bind(&nvrtc.log_size, "nvrtcGetProgramLogSize");
  bind(&nvrtc.log, "nvrtcGetProgramLog");
  bind(&nvrtc.ptx_size, "nvrtcGetPTXSize");
  bind(&nvrtc.ptx, "nvrtcGetPTX");
  bind(&nvrtc.error, "nvrtcGetErrorString");
  bind(&nvrtc.cubin_size, "nvrtcGetCUBINSize");
  bind(&nvrtc.cubin, "nvrtcGetCUBIN");
  bind(&nvrtc.count, "nvrtcGetNumSupportedArchs");
  bind(&nvrtc.list, "nvrtcGetSupportedArchs");
  if (nvrtc.version && nvrtc.create && nvrtc.destroy && nvrtc.compile && nvrtc.log_size && nvrtc.log && nvrtc.ptx_size && nvrtc.ptx && nvrtc.error)
    return 1;
  snprintf(why, sizeof why, "%s is not NVIDIA's compiler NVRTC, or one before CUDA 8", path);
  dlclose(nvrtc.library);
  nvrtc.library = NULL;
  return 0;
}

static int open_one(const char *path) {
  const int wrong = portable__check_library(path);
  if (wrong) {
    snprintf(why, sizeof why, "PORTABLE_NVRTC_LIBRARY=%.200s: %s", path, portable__file_reason(wrong));
    return 0;
  }
  nvrtc.library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (nvrtc.library) return bind_all(path);
  const char *error = dlerror();
  snprintf(why, sizeof why, "%s", error ? error : path);
  return 0;
}

/* Tries the driver's own version first: an older driver does not load code of a newer compiler. */
static int open_any(void) {
  static const struct {
    int major;
    const char *name;
  } all[] = {{13, "libnvrtc.so.13"}, {12, "libnvrtc.so.12"}, {11, "libnvrtc.so.11.2"}, {11, "libnvrtc.so.11.1"}, {11, "libnvrtc.so.11.0"}, {0, "libnvrtc.so"}};
  const char *path = portable__getenv("PORTABLE_NVRTC_LIBRARY");
  const struct portable__cuda_facts *facts = portable__cuda_facts(0);
  const int major = facts ? facts->driver_version / 1000 : 0;
  char newer[32];
  if (path && path[0]) return open_one(path);
  snprintf(newer, sizeof newer, "libnvrtc.so.%d", major);
  if (major > all[0].major && open_one(newer)) return 1;
  for (int own = 1; own >= 0; own--)
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
      if ((all[i].major == major) == own && open_one(all[i].name)) return 1;
  snprintf(why, sizeof why, "there is no libnvrtc.so of CUDA 13, 12 or 11 where the loader looks (LD_LIBRARY_PATH, ldconfig)");
  return 0;
}

/* As open_any, unless it failed a moment ago: a program whose kernels all run on the host, because there is no
 * compiler, asks at each launch, and a search of all folders takes 100 us. */
static int look(void) {
  static time_t missed;
  static char where[512];
  const char *path = portable__getenv("PORTABLE_NVRTC_LIBRARY");
  struct timespec now;
  if (!path) path = "";
  clock_gettime(CLOCK_MONOTONIC, &now);
  if (missed && now.tv_sec - missed < 2 && strncmp(where, path, sizeof where - 1) == 0) return 0;
  if (open_any()) return 1;
  missed = now.tv_sec + (now.tv_sec == 0);
  snprintf(where, sizeof where, "%s", path);
  return 0;
}

int portable__nvrtc_open(int32_t *major_out, int32_t *minor_out) {
  int major = 0, minor = 0;
  pthread_mutex_lock(&lock);
  int opened = nvrtc.library != NULL || look();
  if (opened && nvrtc.version(&major, &minor) != 0) major = minor = 0;
  pthread_mutex_unlock(&lock);
  *major_out = major;
  *minor_out = minor;
  return opened ? 0 : -1;
}

void portable__nvrtc_why(char *text, size_t room) {
  pthread_mutex_lock(&lock);
  snprintf(text, room, "%s", why);
  pthread_mutex_unlock(&lock);
}

int32_t portable__nvrtc_architectures(int32_t *to, int32_t room) {
  int n = 0, all[128];
  if (!nvrtc.count || !nvrtc.list || nvrtc.count(&n) != 0 || n < 1 || n > (int)(sizeof all / sizeof *all) || nvrtc.list(all) != 0) return 0;
  for (int i = 0; i < n && i < room; i++) to[i] = all[i];
  return n < room ? n : room;
}

int portable__nvrtc_has_cubin(void) { return nvrtc.cubin_size && nvrtc.cubin; }

const char *portable__nvrtc_error(int code) {
  const char *text = nvrtc.error ? nvrtc.error(code) : NULL;
  return text ? text : "an error without a name";
}

/* 1: the call succeeded. */
static int went(struct portable__nvrtc_result *r, const char *call, int code) {
  if (code == 0) return 1;
  r->code = code;
  r->call = call;
  return 0;
}

/* A text or image of the compiler, with a 0 after it. */
static char *take(struct portable__nvrtc_result *r, program p, const char *size_call, int (*size)(program, size_t *), const char *call,
                  int (*get)(program, char *), size_t *bytes_out) {
  size_t bytes = 0;
  if (!went(r, size_call, size(p, &bytes))) return NULL;
  char *to = calloc(1, bytes + 1);
  if (!to) {
    went(r, call, 1); /* NVRTC_ERROR_OUT_OF_MEMORY */
    return NULL;
  }
  if (bytes && !went(r, call, get(p, to))) {
    free(to);
    return NULL;
  }
  *bytes_out = bytes;
  return to;
}

int portable__nvrtc_compile(const struct portable__nvrtc_work *w, struct portable__nvrtc_result *r) {
  program p = NULL;
  memset(r, 0, sizeof *r);
  if (!went(r, "nvrtcCreateProgram", nvrtc.create(&p, w->text, w->name, w->headers, w->header_texts, w->header_names))) return 1;
  int compiled = went(r, "nvrtcCompileProgram", nvrtc.compile(p, w->options, w->option));
  int code = r->code;
  r->log = take(r, p, "nvrtcGetProgramLogSize", nvrtc.log_size, "nvrtcGetProgramLog", nvrtc.log, &r->log_bytes);
  if (!compiled) {
    r->code = code; /* even if there is no log */
    r->call = "nvrtcCompileProgram";
  } else if (r->log) {
    r->image = w->cubin ? take(r, p, "nvrtcGetCUBINSize", nvrtc.cubin_size, "nvrtcGetCUBIN", nvrtc.cubin, &r->image_bytes)
                        : take(r, p, "nvrtcGetPTXSize", nvrtc.ptx_size, "nvrtcGetPTX", nvrtc.ptx, &r->image_bytes);
  }
  nvrtc.destroy(&p);
  return r->image == NULL;
}
