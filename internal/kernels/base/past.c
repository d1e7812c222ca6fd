/* past.c - see past.h. */
#include "past.h"

#include <string.h>

int64_t portable__past_from = INT64_C(32) << 20;

#ifdef __SSE2__
#include <emmintrin.h>

void portable__past_store(char *to, const char *from, int64_t bytes) {
  const int64_t head = (int64_t)(-(uintptr_t)to & 63);
  if (bytes < head + 64) {
    memcpy(to, from, (size_t)bytes);
    return;
  }
  memcpy(to, from, (size_t)head);
  int64_t at = head;
  for (; at + 64 <= bytes; at += 64) { /* four stores that fill a line, which leaves as one */
    const __m128i *f = (const __m128i *)(const void *)(from + at);
    __m128i *t = (__m128i *)(void *)(to + at);
    const __m128i a = _mm_loadu_si128(f), b = _mm_loadu_si128(f + 1), c = _mm_loadu_si128(f + 2), d = _mm_loadu_si128(f + 3);
    _mm_stream_si128(t, a);
    _mm_stream_si128(t + 1, b);
    _mm_stream_si128(t + 2, c);
    _mm_stream_si128(t + 3, d);
  }
  memcpy(to + at, from + at, (size_t)(bytes - at));
}

void portable__past_end(void) { _mm_sfence(); }
#else
void portable__past_store(char *to, const char *from, int64_t bytes) { memcpy(to, from, (size_t)bytes); }

void portable__past_end(void) {}
#endif
