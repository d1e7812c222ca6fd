/* timer_merge.c - timers of several processes: packs and merges them in memory of the program. Go
 * has the format (exec/timers_pack.go). Threads: any. */
#include <string.h>

#include "questions.h"
#include "timer.h"

portable_status portable_timers_pack(void *buffer, size_t bytes, size_t *needed_out) {
  struct portable__crossing crossing;
  size_t needed = 0;
  if (needed_out) *needed_out = 0;
  const struct portable__timer_asked asked = {.kind = PORTABLE__TIMER_PACK, .call = "portable_timers_pack", .pointer = buffer, .bytes = bytes,
                                              .reserved = needed_out != NULL};
  if (!portable__timer_ordinary(&asked)) return portable__timer_refused(&asked, PORTABLE_ERR_ARG);
  if (!portable_is_initialized()) return portable__timers_stopped("portable_timers_pack");
  portable_status status = portable__cross_in(&crossing);
  if (status != PORTABLE_OK) return status;
  status = portable__timer_go.timers_pack(buffer, bytes, &needed);
  portable__cross_out(&crossing);
  if (needed_out) *needed_out = needed;
  return status;
}

/* Refuses a NULL buffer or an invalid size. */
static portable_status check(const char *function, const void *packs, size_t bytes) {
  const struct portable__timer_asked asked = {.kind = PORTABLE__TIMER_PACKS, .call = function, .pointer = packs, .bytes = bytes};
  return portable__timer_ordinary(&asked) ? PORTABLE_OK : portable__timer_refused(&asked, PORTABLE_ERR_ARG);
}

static portable_status text_of(const char *function, int32_t json, const void *packs, size_t bytes, char *text, size_t room, size_t *needed_out) {
  struct portable__crossing crossing;
  size_t needed = 0;
  if (room > 0 && text) text[0] = '\0';
  if (needed_out) *needed_out = 0;
  const struct portable__timer_asked asked = {.kind = PORTABLE__TIMER_TEXT, .call = function, .pointer = text, .bytes = room};
  if (!portable__timer_ordinary(&asked)) return portable__timer_refused(&asked, PORTABLE_ERR_ARG);
  portable_status status = check(function, packs, bytes);
  if (status != PORTABLE_OK || (status = portable__cross_in(&crossing)) != PORTABLE_OK) return status;
  status = portable__timer_go.timers_merge(json, (void *)(uintptr_t)packs, bytes, text, room, &needed);
  portable__cross_out(&crossing);
  if (status != PORTABLE_OK) portable__name_error(function, "", 0);
  if (needed_out) *needed_out = needed;
  return status;
}

portable_status portable_timers_merged_report(const void *packs, size_t bytes, char *text, size_t room, size_t *needed_out) {
  return text_of("portable_timers_merged_report", 0, packs, bytes, text, room, needed_out);
}

portable_status portable_timers_merged_json(const void *packs, size_t bytes, char *text, size_t room, size_t *needed_out) {
  return text_of("portable_timers_merged_json", 1, packs, bytes, text, room, needed_out);
}

portable_status portable_timers_merged_print(const void *packs, size_t bytes, const char *path) {
  struct portable__crossing crossing;
  static const char function[] = "portable_timers_merged_print";
  portable_status status = check(function, packs, bytes);
  if (status != PORTABLE_OK || (status = portable__cross_in(&crossing)) != PORTABLE_OK) return status;
  status = portable__timer_go.timers_merged_print((void *)(uintptr_t)packs, bytes, path ? path : "");
  portable__cross_out(&crossing);
  if (status != PORTABLE_OK) portable__name_error(function, "", 0);
  return status;
}
