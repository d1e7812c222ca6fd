/* A program that opens libportable.so at run time, closes it, and opens it again, as plug-ins are used. */
#include <dlfcn.h>
#include <portable.h>
#include <stdio.h>
#include <string.h>

typedef portable_status (*init_function)(const portable_config *);
typedef portable_status (*alloc_function)(size_t, const char *, void **);
typedef portable_status (*free_function)(void *);
typedef portable_status (*finalize_function)(void);

/* dlsym gives an address of data; its bytes are those of the function's. */
static int find(void *library, const char *name, void *function) {
  void *address = dlsym(library, name);
  if (!address) return fprintf(stderr, "%s\n", dlerror());
  memcpy(function, &address, sizeof address);
  return 0;
}

static int use(const char *path) {
  init_function init;
  alloc_function alloc;
  free_function give;
  finalize_function finalize;
  void *block = NULL, *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) return fprintf(stderr, "%s\n", dlerror());
  if (find(library, "portable_init", &init) || find(library, "portable_alloc", &alloc) ||
      find(library, "portable_free", &give) || find(library, "portable_finalize", &finalize))
    return 1;
  if (init(NULL) != PORTABLE_OK || alloc(100000, "h", &block) != PORTABLE_OK) return 2;
  memset(block, 1, 100000);
  if (give(block) != PORTABLE_OK || finalize() != PORTABLE_OK) return 3;
  if (dlclose(library) != 0) return 4;
  /* Closed, and still there: a Go runtime cannot be taken out of a process. */
  library = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
  if (!library) return 5;
  return dlclose(library);
}

int main(int argc, char **argv) {
  int round, problem = 0;
  if (argc != 2) return 2;
  for (round = 0; round < 3 && !problem; round++) problem = use(argv[1]);
  if (problem) {
    fprintf(stderr, "round %d: %d\n", round, problem);
    return 1;
  }
  printf("program works\n");
  return 0;
}
