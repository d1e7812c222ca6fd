/* texthash.h - hashes a text, for tables of labels and places. Not for keys that an attacker might
 * choose. Private. */
#ifndef PORTABLE__TEXTHASH_H
#define PORTABLE__TEXTHASH_H

#include <stddef.h>
#include <stdint.h>

/* The initial value of a hash. */
#define PORTABLE__HASH_BEGIN UINT64_C(14695981039346656037)

/* FNV-1a, continued from h. */
static inline uint64_t portable__bytes_hash(uint64_t h, const void *bytes, size_t count) {
  const unsigned char *p = (const unsigned char *)bytes;
  for (size_t i = 0; i < count; i++) h = (h ^ p[i]) * 1099511628211u;
  return h;
}
static inline uint64_t portable__text_hash(uint64_t h, const char *text) {
  while (*text) h = (h ^ (unsigned char)*text++) * 1099511628211u;
  return h;
}

#endif
