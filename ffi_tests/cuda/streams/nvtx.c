/* nvtx.c - labels as ranges for NVIDIA's profilers: by the library that NVTX_INJECTION64_PATH names, by libnvToolsExt.so.1, or none. The argument says how
 * many ranges the profiler is to see; without one no profiler looks on. */
#define _GNU_SOURCE
#include "check.h"

#include <dlfcn.h>

static void nothing(const portable_tile *t, void *args) { (void)t, (void)args; }

int main(int argc, char **argv) {
  portable_bounds b = portable_bounds_1(3);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_timers_enable(PORTABLE_TIMERS_ON), PORTABLE_OK);
  CHECK_STATUS(portable_timer_start("step"), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for("advect", &b, nothing, NULL, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_timer_stop("step"), PORTABLE_OK);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  const char *(*told)(void) = NULL; /* the profiler is in the process */
  void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD) : NULL;
  if (library) *(void **)&told = dlsym(library, "tool_told");
  CHECK(!told == (argc <= 1));
  const char *text = told ? told() : "";
  if (argc > 1 && !strstr(text, "(step(advect)")) CHECK(!"ranges");
  if (check_failures) printf("%d checks failed; ranges: %s\n", check_failures, text);
  return check_failures != 0;
}
