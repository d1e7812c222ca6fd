/* test_fork.c - a forked child, where a Go runtime cannot work: entry points refuse at once instead of
 * hanging, free does nothing, and the parent goes on. Not in this file: fork and exec, which need nothing. */
#include "check.h"
#include <sys/wait.h>
#include <unistd.h>

static void *block;

/* In the child; the number of the first step that went wrong, or 0. */
static int in_child(void) {
  portable_pool_config config = PORTABLE_POOL_CONFIG_INIT;
  portable_pool pool;
  void *p = &pool;
  alarm(emulated_seconds(20)); /* a hang becomes a signal */
  if (portable_alloc(100, "child", &p) != PORTABLE_ERR_FORK || p != NULL) return 1;
  if (portable_last_error()[0] == '\0') return 2;
  if (portable_free(block) != PORTABLE_OK) return 3;
  if (portable_init(NULL) != PORTABLE_ERR_FORK) return 4;
  if (portable_pool_create(&config, &pool) != PORTABLE_ERR_FORK) return 5;
  if (gatorAllocate(100) != NULL) return 6;
  gatorDeallocate(block);
  if (portable_finalize() != PORTABLE_ERR_FORK) return 7;
  return 0;
}

int main(void) {
  int status = -1;
  pid_t pid;
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_alloc(100, "before", &block), PORTABLE_OK);
  memset(block, 7, 100);
  fflush(NULL);
  pid = fork();
  if (pid == 0) _exit(in_child());
  CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
  if (status != 0) printf("the child ended with %#x (its step is the second byte)\n", (unsigned)status);
  CHECK(status == 0);
  CHECK(((unsigned char *)block)[99] == 7);
  CHECK_STATUS(portable_free(block), PORTABLE_OK);
  return check_end();
}
