/* test_environment.c - the environment at the start: sizes as people write them, values that make no
 * sense, names that do not exist, and who wins. Not in this file: GATOR_STRICT (test_leak.c, test_gator.c). */
#include "check.h"
#include "child.h"

/* Child: starts, and returns the MiB of the first pool; with an argument of its own a fixed size in code. */
static int child(const char *what) {
  portable_config config = PORTABLE_CONFIG_INIT;
  portable_pool pool = 0;
  portable_stats s;
  void *p;
  memset(&s, 0, sizeof s);
  s.struct_size = (uint32_t)sizeof s;
  if (strcmp(what, "code") == 0) config.pool_initial_bytes = 3u << 20;
  if (portable_init(&config) != 0 || portable_pool_default(&pool) != 0) return 250;
  if (portable_pool_stats(pool, &s) != 0) return 251;
  if (portable_alloc(1000, "h", &p) != 0 || (uintptr_t)p % 64 != 0) return 252;
  if (portable_free(p) != 0 || portable_finalize() != 0) return 253;
  return (int)(s.reserved_bytes >> 20);
}

static void initial(const char *setting, int mebibytes, int quiet) {
  char text[4000];
  int got = child_run("run", setting, text, sizeof text);
  if (got != mebibytes || (text[0] == '\0') != quiet) {
    check_failures++;
    printf("%s: %d MiB (not %d), said '%s'\n", setting, got, mebibytes, text);
  }
}

int main(int argc, char **argv) {
  char text[4000];
  if (argc > 1) return child(argv[1]);

  initial(NULL, 64, 1);
  initial("GATOR_INITIAL_MB=5", 5, 1);
  initial("GATOR_INITIAL_MB=6MB", 6, 1);
  initial("GATOR_INITIAL_MB=100MB", 100, 1);
  /* One line that names variable, value, and what is used instead. */
  initial("GATOR_INITIAL_MB=plenty", 64, 0);
  CHECK(child_run("run", "GATOR_INITIAL_MB=plenty", text, sizeof text) == 64);
  CHECK(strstr(text, "GATOR_INITIAL_MB") != NULL && strstr(text, "plenty") != NULL && strstr(text, "64") != NULL);
  CHECK(strchr(text, '\n') == text + strlen(text) - 1);
  CHECK(child_run("run", "PORTABLE_NO_SUCH_NAME=1", text, sizeof text) == 64);
  CHECK(strstr(text, "PORTABLE_NO_SUCH_NAME") != NULL);
  CHECK(child_run("run", "GATOR_BLOCK_BYTES=100", text, sizeof text) == 64);
  CHECK(strstr(text, "GATOR_BLOCK_BYTES") != NULL);
  /* Code wins over the environment; GATOR_DISABLE wins over both. */
  CHECK(child_run("code", "GATOR_INITIAL_MB=5", text, sizeof text) == 3);
  CHECK(child_run("code", "GATOR_DISABLE=1", text, sizeof text) < 3);

  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  return check_end();
}
