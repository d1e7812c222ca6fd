/* timer_report.c - reports: text, JSON and packed bytes of this process's timers, and of those that
 * several processes have packed. C refuses bad arguments and passes the call on; Go makes the
 * contents (exec/timers*.go). Threads: any. */
#include <errno.h>
#include <unistd.h>

#include "../../internal/edge/file.h"
#include "questions.h"
#include "timer.h"

static portable_status report(struct portable__timer_report r) {
  struct portable__crossing crossing;
  const struct portable__timer_asked asked[2] = {
      {.kind = r.kind == PORTABLE__TIMERS_PACK ? PORTABLE__TIMER_PACK : PORTABLE__TIMER_TEXT, .call = r.call, .pointer = r.to, .bytes = r.room,
       .reserved = r.needed_out != NULL},
      {.kind = PORTABLE__TIMER_PACKS, .call = r.call, .pointer = r.packs, .bytes = r.packs_bytes}};
  if (r.needed_out) *r.needed_out = 0;
  if (r.kind != PORTABLE__TIMERS_PACK && r.to && r.room > 0) *(char *)r.to = '\0';
  for (int i = 0; i < 2; i++)
    if (!portable__timer_ordinary(&asked[i])) return portable__timer_refused(&asked[i], PORTABLE_ERR_ARG);
  if (!r.merged && !portable_is_initialized()) return portable__not_running(r.call);
  portable_status status = portable__cross_in(&crossing);
  if (status != PORTABLE_OK) return status;
  status = portable__timer_go.report(&r);
  portable__cross_out(&crossing);
  if (r.merged && status != PORTABLE_OK) portable__name_error(r.call, "", 0);
  return status;
}

portable_status portable_timers_report(char *text, size_t bytes, size_t *needed_out) {
  return report((struct portable__timer_report){"portable_timers_report", PORTABLE__TIMERS_TEXT, .to = text, .room = bytes, .needed_out = needed_out});
}

portable_status portable_timers_json(char *text, size_t bytes, size_t *needed_out) {
  return report((struct portable__timer_report){"portable_timers_json", PORTABLE__TIMERS_JSON, .to = text, .room = bytes, .needed_out = needed_out});
}

portable_status portable_timers_print(const char *path) {
  return report((struct portable__timer_report){"portable_timers_print", PORTABLE__TIMERS_PRINT, .path = path});
}

portable_status portable_timers_pack(void *buffer, size_t bytes, size_t *needed_out) {
  return report((struct portable__timer_report){"portable_timers_pack", PORTABLE__TIMERS_PACK, .to = buffer, .room = bytes, .needed_out = needed_out});
}

portable_status portable_timers_merged_report(const void *packs, size_t bytes, char *text, size_t room, size_t *needed_out) {
  return report((struct portable__timer_report){"portable_timers_merged_report", PORTABLE__TIMERS_TEXT, 1, packs, bytes, text, room, needed_out, NULL});
}

portable_status portable_timers_merged_json(const void *packs, size_t bytes, char *text, size_t room, size_t *needed_out) {
  return report((struct portable__timer_report){"portable_timers_merged_json", PORTABLE__TIMERS_JSON, 1, packs, bytes, text, room, needed_out, NULL});
}

portable_status portable_timers_merged_print(const void *packs, size_t bytes, const char *path) {
  return report((struct portable__timer_report){"portable_timers_merged_print", PORTABLE__TIMERS_PRINT, 1, packs, bytes, .path = path});
}

/* In C: files of Go's would leave descriptors of its poller in the program. Gives an error number, or 0. */
int32_t portable__write_file(const char *path, const char *text, size_t bytes) {
  int fd = portable__open_output(path, 0);
  if (fd < 0) return errno;
  int why = portable__write_all(fd, text, bytes);
  if (close(fd) != 0 && !why) why = errno;
  return why;
}
