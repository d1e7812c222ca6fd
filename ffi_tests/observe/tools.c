/* tools.c - a program under tools that speak the interface of Kokkos Tools. The argument says which are expected: a and b are
 * libraries, i is linked in; "-" is no library. The output of the tools is compared line by line. */
#include "seen.h"

static void nothing(const portable_tile *t, void *args) {
  (void)t;
  (void)args;
}

static void fails(const portable_tile *t, void *args) {
  (void)args;
  portable_kernel_fail(t, 7, NULL);
}

static void nested(const portable_tile *t, void *args) {
  portable_bounds b = portable_bounds_1(3);
  (void)args;
  if (t->lower[0] == 0) CHECK_STATUS(portable_parallel_for("inner", &b, nothing, NULL, 0, NULL), PORTABLE_OK);
}

static void run(void) {
  portable_bounds b = portable_bounds_1(100);
  portable_launch_config serial = PORTABLE_LAUNCH_CONFIG_INIT;
  void *p = NULL;
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_device_find("serial", &serial.device), PORTABLE_OK);
  CHECK_STATUS(portable_alloc(1000, "h", &p), PORTABLE_OK);
  CHECK_STATUS(portable_timer_start("step"), PORTABLE_OK); /* with a fence, as the stop */
  CHECK_STATUS(portable_parallel_for("outer", &b, nested, NULL, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_timer_stop("step"), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for("fails", &b, fails, NULL, 0, &serial), PORTABLE_ERR_KERNEL);
  CHECK_STATUS(portable_fence(), PORTABLE_OK);
  CHECK_STATUS(portable_free(p), PORTABLE_OK);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
}

/* The tool's line is there so many times. */
static void expect(const char *text, char tool, int times, const char *line) {
  char all[300];
  snprintf(all, sizeof all, "%c %s", tool, line);
  CHECK_SEEN(text, all, times);
}

static void expect_all(const char *text, char tool, int sequence) {
  const char *device = getenv("PORTABLE_DEVICE"), *arguments = getenv("KOKKOS_TOOLS_ARGS");
  char line[200];
  int number = (!device ? 6 : strcmp(device, "serial") == 0 ? 0 : strcmp(device, "openmp") == 0 ? 1 : 6) << 24; /* as Kokkos counts them */
  snprintf(line, sizeof line, "init '' %d 20211015\n", sequence);
  expect(text, tool, 2, line);
  if (arguments) {
    snprintf(line, sizeof line, "args '%s' 1 0\n", arguments);
    expect(text, tool, 2, line);
  }
  expect(text, tool, 2, "Host 'h' 1 1000\n");
  expect(text, tool, 2, "deallocate 'h' 1 1000\n");
  for (int i = 0; i < 2; i++) {
    snprintf(line, sizeof line, "begin_parallel_for '%s' %d ", i ? "inner" : "outer", number);
    expect(text, tool, 2, line);
  }
  expect(text, tool, 2, "begin_parallel_for 'fails' 0 ");
  expect(text, tool, 6, "end_parallel_for");
  expect(text, tool, 1, "end_parallel_for '' 0 1003\n"); /* the tool's own numbers come back, the inner one's first */
  expect(text, tool, 1, "end_parallel_for '' 0 1002\n"); /* 1001 is the timer's fence */
  expect(text, tool, 6, "begin_fence 'portable_fence'");
  expect(text, tool, 6, "end_fence");
  expect(text, tool, 2, "push 'step'");
  expect(text, tool, 2, "pop ");
  expect(text, tool, 2, "finalize ");
}

int main(int argc, char **argv) {
  const char *tools = argc > 1 ? argv[1] : "-";
  char log[64];
  snprintf(log, sizeof log, "tools_%d.log", (int)getpid());
  setenv("TOOL_LOG", log, 1);
  run();
  run(); /* the library starts again, and so do the tools */
  const char *text = seen_file(log);
  if (tools[0] == '-') CHECK_SEEN(text, "\n", 0);
  for (int i = 0; tools[i] && tools[0] != '-'; i++) expect_all(text, tools[i], i);
  unlink(log);
  if (check_failures > 0) printf("%d checks failed\n", check_failures);
  return check_failures > 0;
}
