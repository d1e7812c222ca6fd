/* own_device.c - portable_device_register: a device of the program's own, one that does not do what it promised, and what
 * is refused. Not in this file: the device openmp (device.c). */
#include "check.h"

#include <stdatomic.h>

enum { N = 1000 };

static int32_t parts(void *payload) { return *(int32_t *)payload; }

/* All on the calling thread, the last part first. */
static void backwards(int32_t workers, void *work, void *payload) {
  (void)payload;
  portable_device_share(work, -1);
  portable_device_share(work, workers);
  portable_device_share(NULL, 0);
  for (int32_t w = workers - 1; w >= 0; w--) portable_device_share(work, w);
}

static void forgetful(int32_t workers, void *work, void *payload) {
  (void)payload;
  for (int32_t w = 0; w < workers - 1; w++) portable_device_share(work, w);
}

static int32_t eight = 8, none = 0;
static int order[N], next;

static void visit(const portable_tile *t, void *args) {
  (void)args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) order[i] = next;
  next++;
}

static void fails(const portable_tile *t, void *args) {
  (void)args;
  if (t->worker == 5) portable_kernel_fail(t, 55, "part five");
}

static portable_status add(const char *name, int32_t (*workers)(void *), void (*run)(int32_t, void *, void *), void *payload) {
  portable_host_device d = PORTABLE_HOST_DEVICE_INIT;
  d.name = name;
  d.workers = workers;
  d.run = run;
  d.payload = payload;
  return portable_device_register(&d);
}

/* As a library would that brings a device: before main. */
__attribute__((constructor)) static void early(void) { CHECK_STATUS(add("backwards", parts, backwards, &eight), PORTABLE_OK); }

static void test_refusals(void) {
  portable_host_device d = PORTABLE_HOST_DEVICE_INIT;
  CHECK_STATUS(portable_device_register(NULL), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_device_register(&d), PORTABLE_ERR_ARG);
  d.struct_size = 3;
  CHECK_STATUS(portable_device_register(&d), PORTABLE_ERR_ARG);
  CHECK_STATUS(add("x", NULL, backwards, NULL), PORTABLE_ERR_ARG);
  CHECK_STATUS(add("x", parts, NULL, NULL), PORTABLE_ERR_ARG);
  const char *names[] = {"", "Upper", "two words", "9", "a23456789012345678901234567890123456789", "serial", "threads", "backwards"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) CHECK_STATUS(add(names[i], parts, backwards, &eight), PORTABLE_ERR_ARG);
  CHECK_TEXT("there is a device of this name");
}

int main(void) {
  portable_bounds b = portable_bounds_1(N);
  portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
  test_refusals();
  CHECK_STATUS(add("forgetful", parts, forgetful, &eight), PORTABLE_OK);
  CHECK_STATUS(add("none:0", parts, backwards, &none), PORTABLE_OK);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(add("late", parts, backwards, &eight), PORTABLE_ERR_STATE);
  CHECK(portable_device_count() == 5);

  CHECK_STATUS(portable_device_find("backwards", &config.device), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for("visit", &b, visit, NULL, 0, &config), PORTABLE_OK);
  CHECK(next == 8);
  for (int i = 0; i < N; i++) CHECK(order[i] == 7 - i / 125);
  CHECK_STATUS(portable_parallel_for("fails", &b, fails, NULL, 0, &config), PORTABLE_ERR_KERNEL);
  CHECK_TEXT("code 55: part five");

  CHECK_STATUS(portable_device_find("forgetful", &config.device), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for("visit", &b, visit, NULL, 0, &config), PORTABLE_ERR_KERNEL);
  CHECK_TEXT("the device 'forgetful' has run 7 of 8 parts");

  next = 0;
  CHECK_STATUS(portable_device_find("none:0", &config.device), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for("visit", &b, visit, NULL, 0, &config), PORTABLE_OK);
  CHECK(next == 1);

  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  for (int i = 0; i < 13; i++) {
    char name[8];
    snprintf(name, sizeof name, "more%d", i);
    CHECK_STATUS(add(name, parts, backwards, &eight), PORTABLE_OK);
  }
  CHECK_STATUS(add("last", parts, backwards, &eight), PORTABLE_ERR_NOMEM);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK(portable_device_count() == 18);
  return check_end();
}
