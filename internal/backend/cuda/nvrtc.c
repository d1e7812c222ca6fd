/* nvrtc.c - calls NVIDIA's compiler NVRTC. In C, with types of its own, because the archive is
 * built without a CUDA toolkit. Not in this file: the search of the library (nvrtc.go), sources and
 * architectures (kernels.go), the use of images (module.c). Locks: none; Go opens the library under
 * its own lock. */
#include "nvrtc.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../edge/file.h"

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

static void bind(void *to, const char *name) {
  void *symbol = dlsym(nvrtc.library, name);
  memcpy(to, &symbol, sizeof symbol);
}

/* Binds all functions of the library; 0: it lacks one. */
static int bind_all(void) {
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
  return nvrtc.version && nvrtc.create && nvrtc.destroy && nvrtc.compile && nvrtc.log_size && nvrtc.log && nvrtc.ptx_size && nvrtc.ptx && nvrtc.error;
}

int portable__nvrtc_open(const char *path, int32_t *major_out, int32_t *minor_out, char *why, size_t room) {
  int major = 0, minor = 0;
  const int wrong = portable__check_library(path);
  if (wrong) {
    snprintf(why, room, "PORTABLE_NVRTC_LIBRARY=%.200s: %s", path, portable__file_reason(wrong));
    return -1;
  }
  nvrtc.library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!nvrtc.library) {
    const char *error = dlerror();
    snprintf(why, room, "%s", error ? error : path);
    return -1;
  }
  if (!bind_all()) {
    snprintf(why, room, "%s is not NVIDIA's compiler NVRTC, or one before CUDA 8", path);
    dlclose(nvrtc.library);
    return -1;
  }
  if (nvrtc.version(&major, &minor) != 0) major = minor = 0;
  *major_out = major;
  *minor_out = minor;
  return 0;
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
