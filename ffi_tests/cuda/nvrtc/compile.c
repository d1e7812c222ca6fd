/* compile.c LIBRARY [OPTION]... FILE...: compiles each file of CUDA C by the NVRTC or hiprtc in LIBRARY, with the options that the library itself uses. Headers come from
 * memory only, as in the library. In this file: that, and the registers of what came out (registers.h). Not in this file: which files (CMakeLists.txt).
 *
 *   --header FILE        is there to be included by its name; may be repeated
 *   --arch NAME          sm_70, compute_80, gfx90a, ...; may be repeated; else compute_80
 *   --before TEXT        stands before each source
 *   --option TEXT        one more option of NVRTC; may be repeated
 *   --registers          prints FILE ENTRY ARCH REGISTERS STACK for each kernel of a cubin
 *   --compare A B        fails if kernel A of a file takes more registers than kernel B of the same file and architecture; may be repeated. They are given
 *                        out by eights, so the numbers are compared like that
 * Ends with 0, 1 (a file does not compile, or --compare), 2 (wrong use), 77 (the library is not there). */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "registers.h"

#define MOST 200

static struct {
  int (*version)(int *, int *);
  int (*create)(void **, const char *, const char *, int, const char *const *, const char *const *);
  int (*destroy)(void **);
  int (*compile)(void *, int, const char *const *);
  int (*log_size)(void *, size_t *), (*log)(void *, char *);
  int (*cubin_size)(void *, size_t *), (*cubin)(void *, char *);
  int (*ptx_size)(void *, size_t *);
  const char *(*error)(int);
} nvrtc;

static const char *names[MOST], *texts[MOST], *options[MOST], *archs[MOST];
static const char *before = "";
static int hip; /* 1: the compiler is hiprtc */
static int headers, more_options, arch_count, pairs, print_registers, failed;
static const char *fewer[MOST], *than[MOST];

static char *read_file(const char *path) {
  FILE *f = fopen(path, "rb");
  if (!f) return NULL;
  fseek(f, 0, SEEK_END);
  long bytes = ftell(f);
  rewind(f);
  char *text = calloc((size_t)bytes + 1, 1);
  if (fread(text, 1, (size_t)bytes, f) != (size_t)bytes) text[0] = 0;
  fclose(f);
  return text;
}

static void take_header(const char *path) {
  const char *slash = strrchr(path, '/');
  if (headers == MOST || !(texts[headers] = read_file(path))) fprintf(stderr, "%s cannot be read\n", path), exit(2);
  names[headers++] = slash ? slash + 1 : path;
}

static void load(const char *library) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    printf("skipped: %s\n", dlerror());
    exit(77);
  }
  hip = dlsym(handle, "hiprtcVersion") != NULL;
  const struct {
    void *to;
    const char *name;
  } table[] = {{&nvrtc.version, "nvrtcVersion"}, {&nvrtc.create, "nvrtcCreateProgram"}, {&nvrtc.destroy, "nvrtcDestroyProgram"},
               {&nvrtc.compile, "nvrtcCompileProgram"}, {&nvrtc.log_size, "nvrtcGetProgramLogSize"}, {&nvrtc.log, "nvrtcGetProgramLog"},
               {&nvrtc.cubin_size, hip ? "nvrtcGetCodeSize" : "nvrtcGetCUBINSize"}, {&nvrtc.cubin, hip ? "nvrtcGetCode" : "nvrtcGetCUBIN"},
               {&nvrtc.ptx_size, hip ? "nvrtcGetCodeSize" : "nvrtcGetPTXSize"}, {&nvrtc.error, "nvrtcGetErrorString"}};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    char name[64];
    snprintf(name, sizeof name, "%s%s", hip ? "hip" : "nv", table[i].name + 2);
    void *p = dlsym(handle, name);
    if (!p) fprintf(stderr, "%s has no %s\n", library, name), exit(2);
    memcpy(table[i].to, &p, sizeof p);
  }
}

static int registers(const struct kernel_use *kernels, int count, const char *name) {
  for (int i = 0; i < count; i++)
    if (strcmp(kernels[i].name, name) == 0) return kernels[i].registers;
  return -1;
}

static void one(const char *path, const char *text, const char *arch) {
  void *program;
  char option[100];
  size_t bytes = 0;
  snprintf(option, sizeof option, "--%s=%s", hip ? "offload-arch" : "gpu-architecture", arch);
  options[0] = option, options[1] = hip ? "-ffp-contract=off" : "--fmad=false", options[2] = hip ? "-w" : "-default-device", options[3] = hip ? "-std=c++14" : "--std=c++14";
  const char *slash = strrchr(path, '/'); /* without its folder, in which NVRTC would look for headers */
  char *whole = malloc(strlen(before) + strlen(text) + 12);
  if (!whole) exit(2);
  sprintf(whole, "%s\n#line 1\n%s", before, text);
  int code = nvrtc.create(&program, whole, slash ? slash + 1 : path, headers, texts, names);
  free(whole);
  if (!code) code = nvrtc.compile(program, 4 + more_options, options);
  char *log = NULL;
  if (nvrtc.log_size(program, &bytes) == 0 && bytes > 1) {
    log = calloc(bytes + 1, 1);
    nvrtc.log(program, log);
    fprintf(stderr, "%s", log);
  }
  if (code) {
    fprintf(stderr, "%s (%s): %s\n", path, arch, nvrtc.error(code));
    failed = 1;
  } else if (hip || strncmp(arch, "sm_", 3) != 0) {
    if (nvrtc.ptx_size(program, &bytes) || bytes < 100) fprintf(stderr, "%s (%s): no PTX\n", path, arch), failed = 1;
  } else if (nvrtc.cubin_size(program, &bytes) || bytes < 100) {
    fprintf(stderr, "%s (%s): no cubin\n", path, arch), failed = 1;
  } else {
    char *cubin = malloc(bytes);
    nvrtc.cubin(program, cubin);
    struct kernel_use kernels[MOST];
    int count = registers_of(cubin, bytes, kernels, MOST);
    if (print_registers)
      for (int i = 0; i < count; i++) printf("%s %s %s %d %d\n", path, kernels[i].name, arch, kernels[i].registers, kernels[i].stack);
    for (int i = 0; i < pairs; i++) {
      int a = registers(kernels, count, fewer[i]), b = registers(kernels, count, than[i]);
      printf("%s (%s): %s has %d registers, %s has %d\n", path, arch, fewer[i], a, than[i], b);
      if (a < 0 || b < 0 || (a + 7) / 8 > (b + 7) / 8) failed = 1;
    }
    free(cubin);
  }
  free(log);
  nvrtc.destroy(&program);
}

int main(int argc, char **argv) {
  int major, minor, files = 0;
  if (argc < 3) return fprintf(stderr, "usage: %s LIBRARY [OPTION]... FILE...\n", argv[0]), 2;
  load(argv[1]);
  nvrtc.version(&major, &minor);
  for (int i = 2; i < argc; i++) {
    const char *a = argv[i];
    if (strcmp(a, "--registers") == 0) {
      print_registers = 1;
    } else if (a[0] == '-' && i + 1 < argc) {
      const char *value = argv[++i];
      if (strcmp(a, "--header") == 0) {
        take_header(value);
      } else if (strcmp(a, "--before") == 0) {
        before = value;
      } else if (strcmp(a, "--arch") == 0) {
        archs[arch_count++] = value;
      } else if (strcmp(a, "--option") == 0) {
        options[4 + more_options++] = value;
      } else if (strcmp(a, "--compare") == 0 && i + 1 < argc) {
        fewer[pairs] = value, than[pairs++] = argv[++i];
      } else {
        return fprintf(stderr, "%s?\n", a), 2;
      }
    } else {
      if (!arch_count) archs[arch_count++] = "compute_80";
      char *text = read_file(a);
      if (!text) return fprintf(stderr, "%s cannot be read\n", a), 2;
      for (int k = 0; k < arch_count; k++) one(a, text, archs[k]);
      free(text);
      files++;
    }
  }
  printf("%s %d.%d: %d files, %s\n", hip ? "hiprtc" : "NVRTC", major, minor, files, failed ? "errors" : "no error");
  return failed;
}
