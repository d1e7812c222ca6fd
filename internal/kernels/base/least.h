/* least.h - the lesser of two counts. Private, only inline, and pure. */
#ifndef PORTABLE__LEAST_H
#define PORTABLE__LEAST_H

#include <stdint.h>

static inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

#endif
