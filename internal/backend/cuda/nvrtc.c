/* nvrtc.c - calls NVIDIA's compiler NVRTC, and AMD's hiprtc, whose functions have the same
 * arguments. In C, with types of its own, because the archive is built without a toolkit. Not in
 * this file: the search of the library (nvrtc.go), sources and architectures (kernels.go),
 * the use of images (module.c). Locks: none; Go opens the library under its own lock. */
#define _GNU_SOURCE
#include "nvrtc.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../edge/file.h"

typedef void *program;

static struct compiler {
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
} compilers[PORTABLE__DRIVERS];

/* The words before the names of functions, and in messages. */
static const struct {
  const char *prefix, *variable, *name;
} words[PORTABLE__DRIVERS] = {{"nvrtc", "PORTABLE_NVRTC_LIBRARY", "NVIDIA's compiler NVRTC, or one before CUDA 8"}, {"hiprtc", "PORTABLE_HIPRTC_LIBRARY", "AMD's compiler hiprtc"}};

static void bind(int of, void *to, const char *name) {
  char full[64];
  snprintf(full, sizeof full, "%s%s", words[of].prefix, name);
  void *symbol = dlsym(compilers[of].library, full);
  memcpy(to, &symbol, sizeof symbol);
}

/* Binds all functions of the library; 0: it lacks one. hiprtc makes only machine code. */
static int bind_all(int of) {
  struct compiler *const c = &compilers[of];
  const int hip = of == PORTABLE__DRIVER_HIP;
  bind(of, &c->version, "Version");
  bind(of, &c->create, "CreateProgram");
  bind(of, &c->destroy, "DestroyProgram");
  bind(of, &c->compile, "CompileProgram");
  bind(of, &c->log_size, "GetProgramLogSize");
  bind(of, &c->log, "GetProgramLog");
  bind(of, &c->ptx_size, hip ? "GetCodeSize" : "GetPTXSize");
  bind(of, &c->ptx, hip ? "GetCode" : "GetPTX");
  bind(of, &c->error, "GetErrorString");
  bind(of, &c->cubin_size, "GetCUBINSize");
  bind(of, &c->cubin, "GetCUBIN");
  bind(of, &c->count, "GetNumSupportedArchs");
  bind(of, &c->list, "GetSupportedArchs");
  return c->version && c->create && c->destroy && c->compile && c->log_size && c->log && c->ptx_size && c->ptx && c->error;
}

int portable__nvrtc_open(int of, const char *path, int32_t *major_out, int32_t *minor_out, char *why, size_t room) {
  int major = 0, minor = 0;
  const int wrong = portable__check_library(path);
  if (wrong) {
    snprintf(why, room, "%s=%.200s: %s", words[of].variable, path, portable__file_reason(wrong));
    return -1;
  }
  compilers[of].library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!compilers[of].library) {
    const char *error = dlerror();
    snprintf(why, room, "%s", error ? error : path);
    return -1;
  }
  if (!bind_all(of)) {
    snprintf(why, room, "%s is not %s", path, words[of].name);
    dlclose(compilers[of].library);
    return -1;
  }
  if (compilers[of].version(&major, &minor) != 0) major = minor = 0;
  *major_out = major;
  *minor_out = minor;
  return 0;
}

int32_t portable__nvrtc_architectures(int32_t *to, int32_t room) {
  const struct compiler *const c = &compilers[PORTABLE__DRIVER_CUDA];
  int n = 0, all[128];
  if (!c->count || !c->list || c->count(&n) != 0 || n < 1 || n > (int)(sizeof all / sizeof *all) || c->list(all) != 0) return 0;
  for (int i = 0; i < n && i < room; i++) to[i] = all[i];
  return n < room ? n : room;
}

int portable__nvrtc_has_cubin(void) { return compilers[PORTABLE__DRIVER_CUDA].cubin_size && compilers[PORTABLE__DRIVER_CUDA].cubin; }

const char *portable__hiprtc_file(void) {
  Dl_info found;
  return dladdr((void *)(uintptr_t)compilers[PORTABLE__DRIVER_HIP].compile, &found) ? found.dli_fname : "";
}

int portable__hiprtc_knows(const char *architecture, const char *generator) {
  const size_t length = strcspn(architecture, ":"); /* features follow */
  void *const from = generator[0] ? dlopen(generator, RTLD_NOW | RTLD_LOCAL) : compilers[PORTABLE__DRIVER_HIP].library;
  size_t n = 0;
  int (*const count)(size_t *) = (int (*)(size_t *))(uintptr_t)(from ? dlsym(from, "amd_comgr_get_isa_count") : NULL);
  int (*const name)(size_t, const char **) = (int (*)(size_t, const char **))(uintptr_t)(from ? dlsym(from, "amd_comgr_get_isa_name") : NULL);
  if (!count || !name || count(&n) != 0) return -1;
  for (size_t i = 0; i < n; i++) {
    const char *isa = NULL; /* amdgcn-amd-amdhsa--gfx90a */
    if (name(i, &isa) != 0 || !isa) return -1;
    const char *const dash = strrchr(isa, '-');
    if (dash && strncmp(dash + 1, architecture, length) == 0 && (dash[1 + length] == '\0' || dash[1 + length] == ':')) return 1;
  }
  return 0;
}

const char *portable__nvrtc_error(int of, int code) {
  const char *text = compilers[of].error ? compilers[of].error(code) : NULL;
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

int portable__nvrtc_compile(int of, const struct portable__nvrtc_work *w, struct portable__nvrtc_result *r) {
  const struct compiler *const c = &compilers[of];
  program p = NULL;
  memset(r, 0, sizeof *r);
  if (!went(r, "CreateProgram", c->create(&p, w->text, w->name, w->headers, w->header_texts, w->header_names))) return 1;
  const int compiled = went(r, "CompileProgram", c->compile(p, w->options, w->option)), code = r->code;
  r->log = take(r, p, "GetProgramLogSize", c->log_size, "GetProgramLog", c->log, &r->log_bytes);
  if (!compiled) {
    r->code = code; /* even if there is no log */
    r->call = "CompileProgram";
  } else if (r->log) {
    r->image = w->cubin ? take(r, p, "GetCUBINSize", c->cubin_size, "GetCUBIN", c->cubin, &r->image_bytes)
                        : take(r, p, "GetPTXSize", c->ptx_size, "GetPTX", c->ptx, &r->image_bytes);
  }
  c->destroy(&p);
  return r->image == NULL;
}
