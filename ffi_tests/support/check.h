/* check.h - what the C test programs share: a CHECK macro, and the common end.
 * Not in this file: any knowledge of what is tested, apart from the end: no block of the default pool may
 * be live. C only; the C++ test has its own few lines. */
#ifndef CHECK_H
#define CHECK_H

#include "emulated.h"
#include "portable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_failures;

#define CHECK(condition)                                                                          \
  do {                                                                                            \
    if (!(condition)) {                                                                           \
      check_failures++;                                                                           \
      printf("%s:%d: CHECK(%s)  last error: %s\n", __FILE__, __LINE__, #condition, portable_last_error()); \
    }                                                                                             \
  } while (0)

/* The status must be `code`, and a failure must have left a text. */
#define CHECK_STATUS(call, code)                                                                  \
  do {                                                                                            \
    portable_status check_got = (call);                                                           \
    if (check_got != (code)) {                                                                    \
      check_failures++;                                                                           \
      printf("%s:%d: %s gave %s, not %s  last error: %s\n", __FILE__, __LINE__, #call,              \
             portable_status_name(check_got), portable_status_name(code), portable_last_error()); \
    } else if ((code) != 0 && portable_last_error()[0] == '\0') {                                 \
      check_failures++;                                                                           \
      printf("%s:%d: %s failed without a text\n", __FILE__, __LINE__, #call);                     \
    }                                                                                             \
  } while (0)

/* The text of the last failure must contain this. */
#define CHECK_TEXT(part)                                                                          \
  do {                                                                                            \
    if (strstr(portable_last_error(), (part)) == NULL) {                                          \
      check_failures++;                                                                           \
      printf("%s:%d: the text lacks '%s': %s\n", __FILE__, __LINE__, (part), portable_last_error()); \
    }                                                                                             \
  } while (0)

/* The statistics of a pool. */
static inline portable_stats check_stats(portable_pool pool) {
  portable_stats s;
  memset(&s, 0, sizeof s);
  s.struct_size = (uint32_t)sizeof s;
  CHECK_STATUS(portable_pool_stats(pool, &s), PORTABLE_OK);
  return s;
}

static inline portable_pool check_default_pool(void) {
  portable_pool pool = 0;
  CHECK_STATUS(portable_pool_default(&pool), PORTABLE_OK);
  return pool;
}

/* Stops the library, and says how many blocks were live before that; the program's exit status. */
/* Takes all that the default pool has left, under a limit. */
struct check_taken { struct check_taken *next; };
static inline struct check_taken *check_take_all(void) {
  struct check_taken *all = NULL, *one;
  for (size_t bytes = 1 << 16; bytes >= 64; bytes /= 2)
    for (void *p; portable_alloc(bytes, "taken", &p) == PORTABLE_OK; all = one) {
      one = (struct check_taken *)p;
      one->next = all;
    }
  return all;
}
static inline void check_give_back(struct check_taken *all) {
  for (struct check_taken *next; all; all = next) {
    next = all->next;
    CHECK_STATUS(portable_free(all), PORTABLE_OK);
  }
}

static inline int check_end(void) {
  portable_pool pool = check_default_pool();
  uint64_t live = check_stats(pool).in_use_blocks;
  CHECK_STATUS(portable_pool_check(pool), PORTABLE_OK);
  CHECK(live == 0);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  CHECK(portable_is_initialized() == 0);
  printf("live blocks = %llu\n", (unsigned long long)live);
  if (check_failures > 0) printf("%d checks failed\n", check_failures);
  return check_failures > 0;
}

#endif
