/* test_status.c - version, status names, and the text of the last failure.
 * Not in this file: which call gives which code; the other programs see to that. */
#include "check.h"
#include <pthread.h>

static void *other_thread(void *payload) {
  int *fresh = (int *)payload;
  *fresh = portable_last_error()[0] == '\0';
  portable_pool_destroy(12345);
  return NULL;
}

int main(void) {
  static const struct { portable_status code; const char *name; } names[] = {
    {PORTABLE_OK, "PORTABLE_OK"}, {PORTABLE_ERR_ARG, "PORTABLE_ERR_ARG"},
    {PORTABLE_ERR_NOMEM, "PORTABLE_ERR_NOMEM"}, {PORTABLE_ERR_HANDLE, "PORTABLE_ERR_HANDLE"},
    {PORTABLE_ERR_STATE, "PORTABLE_ERR_STATE"}, {PORTABLE_ERR_POINTER, "PORTABLE_ERR_POINTER"},
    {PORTABLE_ERR_OVERFLOW, "PORTABLE_ERR_OVERFLOW"}, {PORTABLE_ERR_NODEVICE, "PORTABLE_ERR_NODEVICE"},
    {PORTABLE_ERR_LEAK, "PORTABLE_ERR_LEAK"}, {PORTABLE_ERR_VERSION, "PORTABLE_ERR_VERSION"},
    {PORTABLE_ERR_FORK, "PORTABLE_ERR_FORK"}, {PORTABLE_ERR_CORRUPT, "PORTABLE_ERR_CORRUPT"},
    {PORTABLE_ERR_INTERNAL, "PORTABLE_ERR_INTERNAL"}};
  portable_config wrong = PORTABLE_CONFIG_INIT;
  char before[512];
  pthread_t thread;
  size_t i;
  int fresh = 0;

  CHECK(portable_version() == PORTABLE_VERSION);
  CHECK(PORTABLE_VERSION ==
        PORTABLE_VERSION_MAJOR * 10000 + PORTABLE_VERSION_MINOR * 100 + PORTABLE_VERSION_PATCH);
  CHECK(strcmp(portable_last_error(), "") == 0);
  for (i = 0; i < sizeof names / sizeof names[0]; i++)
    CHECK(strcmp(portable_status_name(names[i].code), names[i].name) == 0);
  CHECK(strcmp(portable_status_name(1), "unknown status") == 0);
  CHECK(strcmp(portable_status_name(-1000), "unknown status") == 0);
  CHECK(portable_status_name(PORTABLE_OK) == portable_status_name(PORTABLE_OK));

  /* A header of another version is refused, and the text names both. */
  wrong.version = 20000;
  CHECK_STATUS(portable_init(&wrong), PORTABLE_ERR_VERSION);
  CHECK(portable_is_initialized() == 0);

  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  /* Each thread has its own text; a success leaves it as it is. */
  CHECK_STATUS(portable_pool_destroy(99), PORTABLE_ERR_HANDLE);
  snprintf(before, sizeof before, "%s", portable_last_error());
  CHECK(pthread_create(&thread, NULL, other_thread, &fresh) == 0);
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK(fresh);
  CHECK(strcmp(before, portable_last_error()) == 0);
  return check_end();
}
