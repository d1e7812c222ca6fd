/* environment.c - reads variables of the environment, and refuses those that name files in
 * privileged programs. In C because C reads variables too, below malloc and before Go runs. Not in
 * this file: the meaning of values (internal/instance/environment.go), the warning about refused
 * ones (internal/instance/instance.go). */
#include "environment.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

/* The values of a variable that name a file. Other values are harmless, and valid in privileged programs too. */
enum names {
  ALWAYS,
  WITH_EQUALS,    /* file=NAME */
  WITHOUT_EQUALS, /* a value without an equals sign names a file; with one it is the text itself */
  WITH_TRACE      /* these checks write a trace into the working folder */
};

static const struct {
  const char *name;
  enum names when;
} files[] = {
    {"PORTABLE_TOOLS", ALWAYS},         {"KOKKOS_TOOLS_LIBS", ALWAYS},     {"KOKKOS_TOOLS_ARGS", ALWAYS},
    {"NVTX_INJECTION64_PATH", ALWAYS},  {"PORTABLE_CUDA_LIBRARY", ALWAYS}, {"PORTABLE_NVRTC_LIBRARY", ALWAYS},
    {"PORTABLE_CUDA_PATH", ALWAYS},     {"PORTABLE_CACHE", ALWAYS},        {"XDG_CACHE_HOME", ALWAYS},
    {"HOME", ALWAYS},                   {"PORTABLE_VERBOSE", ALWAYS},      {"PORTABLE_TRACE", ALWAYS},
    {"PORTABLE_PROFILE", WITH_EQUALS},  {"PORTABLE_HASH", WITH_EQUALS},    {"PORTABLE_TUNING", WITHOUT_EQUALS},
    {"PORTABLE_CHECK", WITH_TRACE},     {"PORTABLE_CLANG", ALWAYS},        {"PORTABLE_FFT_LIBRARY", ALWAYS}, {"PORTABLE_OPENCL_LIBRARY", ALWAYS},
};

/* Ignores case, as the readers of values do. */
static int has_word(const char *value, const char *word) {
  const size_t n = strlen(word);
  for (; *value; value++) {
    size_t i = 0;
    while (i < n && (value[i] | 0x20) == word[i]) i++;
    if (i == n) return 1;
  }
  return 0;
}

int portable__names_file(const char *name, const char *value) {
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    if (strcmp(files[i].name, name) != 0) continue;
    switch (files[i].when) {
    case WITH_EQUALS: return strchr(value, '=') != NULL;
    case WITHOUT_EQUALS: return strchr(value, '=') == NULL;
    case WITH_TRACE: return has_word(value, "memory") || has_word(value, "hash");
    default: return 1;
    }
  }
  return 0;
}

int portable__is_privileged(void) { return getauxval(AT_SECURE) != 0; }

const char *portable__getenv(const char *name) {
  const char *value = getenv(name);
  return value && portable__is_privileged() && portable__names_file(name, value) ? NULL : value;
}

/* ---- for Go's start ---- */

/* Else Go stops its threads by SIGURG, and a program whose handler of that signal ends it, as PETSc's, dies. Without malloc, which may be the pool's. */
#define NAME "GODEBUG="
#define OFF "asyncpreemptoff=1"
#define TYPES 64 /* of the auxiliary vector; the kernel has fewer */

char **portable__go_arguments(int count, char **arguments) {
  const size_t variables = (size_t)count + 1;
  size_t n = variables, own = 0;
  for (; arguments[n]; n++)
    if (!own && strncmp(arguments[n], NAME, sizeof NAME - 1) == 0) own = n; /* of two, Go takes the first */
  const char *const others = own ? arguments[own] + sizeof NAME - 1 : "";
  const char *const off = strstr(others, "asyncpreemptoff=") ? "" : OFF; /* the user may have decided */
  const size_t table = (n + 2 + 2 * (TYPES + 1)) * sizeof *arguments;
  char **const copy = mmap(NULL, table + sizeof NAME + sizeof OFF + strlen(others) + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (copy == MAP_FAILED) return arguments;
  size_t to = variables;
  memcpy(copy, arguments, variables * sizeof *copy);
  copy[to++] = strcat(strcat(strcat(strcpy((char *)copy + table, NAME), others), others[0] && off[0] ? "," : ""), off);
  for (size_t from = variables; from < n; from++)
    if (from != own) copy[to++] = arguments[from];
  to++;
  /* Not from behind the variables: a program may have ended those early (environ[0] = NULL), before it has loaded us. */
  const int error = errno;
  for (uintptr_t type = 2; type < TYPES; type++) {
    errno = 0;
    const unsigned long value = getauxval(type);
    if (!value && errno) continue;
    copy[to++] = (char *)type;
    copy[to++] = (char *)value;
  }
  errno = error;
  return copy;
}
