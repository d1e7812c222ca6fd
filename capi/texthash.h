/* texthash.h - one number for a text, for tables of labels and places. Not for keys that somebody outside might choose. Private. */
#ifndef PORTABLE__TEXTHASH_H
#define PORTABLE__TEXTHASH_H

#include <stdint.h>

/* FNV-1a, going on from h. */
static inline uint64_t portable__text_hash(uint64_t h, const char *text) {
  while (*text) h = (h ^ (unsigned char)*text++) * 1099511628211u;
  return h;
}

#endif
