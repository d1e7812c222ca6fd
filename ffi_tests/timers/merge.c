/* merge.c - timers packed into bytes and merged, by one process that plays several: sizes, texts, what is refused. Not in this file: what a
 * merged report looks like (exec/timers_merge_test.go), processes (../mpi/merged.c). */
#include "check.h"

#include <stdint.h>

static char packs[200000], text[20000];

static size_t pack(size_t at) {
  size_t needed = 0, again = 0;
  CHECK_STATUS(portable_timers_pack(NULL, 0, &needed), PORTABLE_OK);
  CHECK(needed > 0 && at + needed < sizeof packs);
  CHECK_STATUS(portable_timers_pack(packs + at, needed - 1, &again), PORTABLE_ERR_ARG);
  CHECK_TEXT("portable_timers_pack: the buffer has");
  CHECK(again == needed);
  CHECK_STATUS(portable_timers_pack(packs + at, sizeof packs - at, &again), PORTABLE_OK);
  CHECK(again == needed);
  return at + needed;
}

static void refused(const void *from, size_t bytes, const char *why) {
  size_t needed = 5;
  strcpy(text, "before");
  CHECK_STATUS(portable_timers_merged_report(from, bytes, text, sizeof text, &needed), PORTABLE_ERR_ARG);
  CHECK_TEXT("portable_timers_merged_report: ");
  CHECK_TEXT(why);
  CHECK(text[0] == '\0' && needed == 0);
  CHECK_STATUS(portable_timers_merged_json(from, bytes, text, sizeof text, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT("portable_timers_merged_json: ");
  CHECK_STATUS(portable_timers_merged_print(from, bytes, NULL), PORTABLE_ERR_ARG);
  CHECK_TEXT("portable_timers_merged_print: ");
  CHECK_TEXT(why);
}

int main(void) {
  size_t first, both, needed = 0;
  CHECK_STATUS(portable_timers_pack(packs, sizeof packs, NULL), PORTABLE_ERR_STATE);
  CHECK_TEXT("portable_timers_pack: the library does not run");
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_timers_pack(NULL, 0, NULL), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_timers_pack(NULL, 7, &needed), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_timers_enable(PORTABLE_TIMERS_ON), PORTABLE_OK);
  CHECK_STATUS(portable_timer_start("main"), PORTABLE_OK);
  CHECK_STATUS(portable_timer_stop("main"), PORTABLE_OK);
  first = pack(0);
  CHECK_STATUS(portable_timer_start("main"), PORTABLE_OK);
  CHECK_STATUS(portable_timer_start("only the second"), PORTABLE_OK);
  CHECK_STATUS(portable_timer_stop("only the second"), PORTABLE_OK);
  CHECK_STATUS(portable_timer_stop("main"), PORTABLE_OK);
  both = pack(first);
  CHECK_STATUS(portable_timers_merged_report(packs, both, NULL, 0, &needed), PORTABLE_OK);
  CHECK_STATUS(portable_timers_merged_report(packs, both, text, sizeof text, NULL), PORTABLE_OK);
  CHECK(strlen(text) + 1 == needed);
  CHECK(strstr(text, "******* Timers of 2 ranks *******\n") == text);
  CHECK(strstr(text, "\nmain                                              2         3           "));
  CHECK(strstr(text, "\n  only the second                                 1         1           "));
  CHECK_STATUS(portable_timers_merged_report(packs, both, text, 10, &needed), PORTABLE_OK); /* cut, and ended */
  CHECK(strcmp(text, "******* T") == 0);
  CHECK_STATUS(portable_timers_merged_report(packs, 0, text, sizeof text, NULL), PORTABLE_OK);
  CHECK(strstr(text, "Timers of 0 ranks"));
  refused(NULL, 10, "packs is NULL");
  refused(packs, first - 1, "byte 0 of");
  refused(packs, both - 1, "is not where the timers of a process begin");
  refused("something else", 14, "hand over what portable_timers_pack has written");
  refused(packs, SIZE_MAX, "more than there can be");
  CHECK_STATUS(portable_timers_merged_report(packs, both, NULL, 10, NULL), PORTABLE_ERR_ARG);
  CHECK_STATUS(portable_timers_merged_print(packs, both, "/nonexistent/folder/times"), PORTABLE_ERR_ARG);
  CHECK_TEXT("cannot be written into '/nonexistent/folder/times'");
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  CHECK_STATUS(portable_timers_merged_json(packs, both, text, sizeof text, NULL), PORTABLE_OK); /* the bytes are the program's */
  CHECK(strstr(text, "\"ranks\": [0, 1]") && strstr(text, "\"label\": \"only the second\", \"ranks\": 1, \"calls\": 1"));
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  return check_end();
}
