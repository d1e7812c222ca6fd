/* timers.c - crossings of timers, reports, hooks, checks and host fallbacks. Not in this file: how to count (count.h). */
#include "count.h"

static char text[8192], packs[8192];
static size_t needed, packed;

static void hook(const portable_hook_event *event, void *payload) { (void)event; (void)payload; }
static int32_t visit(const portable_fallback *fallback, void *payload) { (void)fallback; (void)payload; return 0; }

static void timers(const char *file) {
  ROW(0, 0, portable_timers_enable(PORTABLE_TIMERS_ON));
  ROW_VALUE(0, 0, portable_timers_enabled());
  ROW(0, 0, portable_timer_start(again ? "b" : "a"));
  ROW(0, 0, portable_timer_stop(again ? "a" : "b"));
  COUNT_INIT(portable_timer_stats, stats);
  ROW(0, 0, portable_timer_get("a", PORTABLE_TIMERS_OF_THREAD, &stats));
  ROW(1, 1, portable_timers_report(text, sizeof text, &needed));
  ROW(1, 1, portable_timers_json(text, sizeof text, &needed));
  ROW(1, 1, portable_timers_print(file));
  ROW(1, 1, portable_timers_pack(packs, sizeof packs, &packed));
  ROW(1, 1, portable_timers_merged_report(packs, packed, text, sizeof text, &needed));
  ROW(1, 1, portable_timers_merged_json(packs, packed, text, sizeof text, &needed));
  ROW(1, 1, portable_timers_merged_print(packs, packed, file));
  ROW(0, 0, portable_timers_reset());
  ROW(0, 0, portable_timers_set_hooks(NULL));
}

static void observers(void) {
  portable_hook h[2];
  ROW(0, 0, portable_hook_add(hook, NULL, PORTABLE_EVENT_INIT, &h[again]));
  ROW(0, 0, portable_hook_remove(h[again]));
  ROW(0, 0, portable_set_checks(0));
  ROW_VALUE(0, 0, portable_checks());
  ROW(0, 0, portable_fallback_list(visit, NULL));
  ROW(1, 1, portable_fallback_print());
  ROW(0, 0, portable_checkpoint("c"));
}

int main(int argc, char **argv) {
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  count_self_test();
  count_warm_up();
  timers(argc > 1 ? argv[1] : "timers.txt");
  observers();
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  return check_failures != 0;
}
