/* forked.c - calls of hooks, checks and timers with wrong arguments in a forked child, where the
 * library does not work: the status is that of the argument, as in the parent. Ordinary calls get
 * ERR_FORK. Not in this file: other calls in a child (pool/test_fork.c). */
#include <portable.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../support/check.h"

static void hook(const portable_hook_event *e, void *payload) { (void)e, (void)payload; }

/* ordinary: the status of calls that are ordinary; handle: of an invalid handle. */
static void calls(portable_status ordinary, portable_status handle, portable_hook known) {
  portable_hook h = 7;
  portable_timer_stats stats = {.struct_size = 1};
  portable_timer_hooks hooks = PORTABLE_TIMER_HOOKS_INIT;
  char text[8] = "before";
  size_t needed = 7;
  CHECK_STATUS(portable_hook_add(hook, NULL, PORTABLE_EVENT_ALL, NULL), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_hook_add(NULL, NULL, PORTABLE_EVENT_ALL, &h), PORTABLE_ERR_ARG);
  CHECK(h == 0);
  CHECK_STATUS(portable_hook_add(hook, NULL, 0, &h), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_hook_add(hook, NULL, ~PORTABLE_EVENT_ALL, &h), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_hook_add(hook, NULL, PORTABLE_EVENT_ALL, &h), ordinary);
  CHECK_STATUS(portable_hook_remove(h), PORTABLE_OK); /* 0 in the child */
  CHECK_STATUS(portable_hook_remove(UINT64_C(0x100000063)), handle);
  CHECK_STATUS(portable_hook_remove(known), ordinary);
  CHECK_STATUS(portable_set_checks(UINT32_C(1) << 30), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_set_checks(PORTABLE_CHECK_MEMORY), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_set_checks(PORTABLE_CHECK_RACES), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_set_checks(portable_checks()), PORTABLE_OK);
  CHECK_STATUS(portable_timers_enable(-1), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_timers_enable(PORTABLE_TIMERS_LAUNCHES + 1), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_timers_enable(PORTABLE_TIMERS_ON), ordinary);
  CHECK_STATUS(portable_timer_get("t", PORTABLE_TIMERS_OF_ALL, NULL), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_timer_get("t", PORTABLE_TIMERS_OF_ALL, &stats), PORTABLE_ERR_ARG);
  stats.struct_size = sizeof stats;
  stats.count = 7;
  CHECK_STATUS(portable_timer_get("", PORTABLE_TIMERS_OF_ALL, &stats), PORTABLE_ERR_ARG);
  CHECK(stats.count == 0);
  CHECK_STATUS(portable_timer_get(NULL, PORTABLE_TIMERS_OF_ALL, &stats), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_timer_get("t", 77, &stats), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_timer_get("t", PORTABLE_TIMERS_OF_ALL, &stats), ordinary);
  CHECK_STATUS(portable_timers_report(NULL, 8, &needed), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_timers_json(NULL, 8, NULL), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_timers_report(text, sizeof text, &needed), ordinary);
  CHECK_STATUS(portable_timers_pack(NULL, 8, &needed), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_timers_pack(NULL, 0, NULL), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_timers_pack(NULL, 0, &needed), ordinary);
  CHECK_STATUS(portable_timers_merged_report(NULL, 8, text, sizeof text, &needed), PORTABLE_ERR_ARG);
  CHECK(needed == 0 && text[0] == '\0');
  CHECK_STATUS(portable_timers_merged_json(text, SIZE_MAX, text, sizeof text, &needed), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_timers_merged_report(NULL, 0, NULL, 8, &needed), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_timers_merged_print(NULL, 8, NULL), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_timers_merged_report(NULL, 0, text, sizeof text, &needed), ordinary);
  hooks.struct_size = 1;
  CHECK_STATUS(portable_timers_set_hooks(&hooks), ordinary == PORTABLE_OK ? PORTABLE_ERR_ARG : ordinary);
  CHECK_STATUS(portable_timers_set_hooks(NULL), ordinary);
  CHECK_STATUS(portable_timer_start(""), ordinary == PORTABLE_OK ? PORTABLE_ERR_ARG : ordinary);
  CHECK_STATUS(portable_timer_stop("never started"), ordinary == PORTABLE_OK ? PORTABLE_ERR_STATE : ordinary);
  CHECK_STATUS(portable_timers_enable(PORTABLE_TIMERS_OFF), ordinary);
}

int main(void) {
  portable_hook known = 0;
  int status = -1;
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_timers_enable(PORTABLE_TIMERS_ON), PORTABLE_OK); /* timers that are off refuse nothing */
  CHECK_STATUS(portable_hook_add(hook, NULL, PORTABLE_EVENT_ALL, &known), PORTABLE_OK);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    calls(PORTABLE_ERR_FORK, PORTABLE_ERR_FORK, known);
    fflush(stdout);
    _exit(check_failures != 0);
  }
  CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
  calls(PORTABLE_OK, PORTABLE_ERR_HANDLE, known);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  return check_failures != 0;
}
