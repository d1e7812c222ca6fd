/* merge.c - merges for keys of 1, 2, 4 and 8 bytes, alone or with values. Main function:
 * portable__merge_find. Not here: the code of one form (merge_form.h). Pure. */
#include "merge.h"

#include <string.h>

#define RAW uint8_t
#define KEY uint32_t
#define SIGNED int32_t
#define NAME(x) x##_1
#include "merge_form.h"

#define RAW uint16_t
#define KEY uint32_t
#define SIGNED int32_t
#define NAME(x) x##_2
#include "merge_form.h"

#define RAW uint32_t
#define KEY uint32_t
#define SIGNED int32_t
#define NAME(x) x##_4
#include "merge_form.h"

#define RAW uint64_t
#define KEY uint64_t
#define SIGNED int64_t
#define NAME(x) x##_8
#include "merge_form.h"

portable__merge_part *portable__merge_find(struct portable__merge *m, int32_t kind, int descending) {
  struct portable__sort s;
  const int32_t bytes = portable__sort_key_bytes(kind);
  if (!bytes) return NULL;
  portable__sort_order(&s, kind, descending, bytes == 8 ? PORTABLE__SORT_KEY8 : PORTABLE__SORT_KEY4);
  m->mask = s.mask;
  m->flip = s.flip;
  m->back = s.back;
  return bytes == 1 ? part_1 : bytes == 2 ? part_2 : bytes == 4 ? part_4 : part_8;
}

int64_t portable__merge_disorder(const struct portable__merge *m, int32_t kind, const char *x, int64_t n) {
  const int32_t bytes = portable__sort_key_bytes(kind);
  for (int64_t i = 1; i < n; i++)
    if (!(bytes == 1   ? ordered_1(m, x, i, i + 1)
          : bytes == 2 ? ordered_2(m, x, i, i + 1)
          : bytes == 4 ? ordered_4(m, x, i, i + 1)
                       : ordered_8(m, x, i, i + 1)))
      return i;
  return -1;
}
