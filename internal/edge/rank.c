/* rank.c - the rank of this process, which Go knows. In C because launches and the log need it. */
#include "questions.h"

static int32_t rank_of(int32_t local) {
  struct portable__crossing crossing;
  if (portable__cross_in(&crossing) != PORTABLE_OK) return -1;
  int32_t rank = portable__edge_go.rank(local);
  portable__cross_out(&crossing);
  return rank;
}

int32_t portable_rank(void) { return rank_of(0); }

int32_t portable_local_rank(void) { return rank_of(1); }
