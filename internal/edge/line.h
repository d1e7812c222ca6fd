/* line.h - builds one line of text in a buffer of the caller and writes it: for signal handlers,
 * for code below malloc, and for the log, which must be complete before a kernel crashes. A text
 * that does not fit is cut; the newline always fits. Not here: messages with formats (text.h).
 * Threads: any; a line belongs to one thread. No function takes a lock or memory, uses stdio or
 * calls Go. */
#ifndef PORTABLE__LINE_H
#define PORTABLE__LINE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "text.h"

struct portable__line {
  char *text;
  size_t room; /* bytes of text; the last one is kept for the newline */
  size_t at;   /* bytes that are used */
};

/* A line in an array of char. */
#define PORTABLE__LINE_IN(array) {(array), sizeof(array), 0}

#define PORTABLE__LINE_REST SIZE_MAX /* as many bytes as fit */

/* Appends bytes as they are. */
static inline void portable__line_raw(struct portable__line *l, const char *from, size_t bytes) {
  size_t fit = l->room - 1 - l->at;
  if (bytes > fit) bytes = fit;
  memcpy(l->text + l->at, from, bytes);
  l->at += bytes;
}

/* Appends a text of the library, which is as it should be. */
static inline void portable__line_text(struct portable__line *l, const char *text) { portable__line_raw(l, text, strlen(text)); }

/* Appends a text of the program as portable__clean makes it, in at most `most` bytes. */
static inline void portable__line_clean(struct portable__line *l, const char *from, size_t bytes, size_t most) {
  size_t room = l->room - l->at;
  l->at += portable__clean(l->text + l->at, most < room ? most + 1 : room, from, bytes);
}

/* Appends a message that may have several lines: cleaned, with a blank in the place of each newline. */
static inline void portable__line_joined(struct portable__line *l, const char *text) {
  for (;;) {
    size_t n = strcspn(text, "\n");
    portable__line_clean(l, text, n, PORTABLE__LINE_REST);
    text += n;
    if (!*text || l->at + 2 >= l->room) return;
    l->text[l->at++] = ' ';
    text++;
  }
}

static inline void portable__line_digits(struct portable__line *l, uint64_t n, unsigned base, size_t least, char fill) {
  char digits[24];
  size_t at = sizeof digits;
  do digits[--at] = "0123456789abcdef"[n % base];
  while (n /= base);
  while (sizeof digits - at < least && at > 0) digits[--at] = fill;
  portable__line_raw(l, digits + at, sizeof digits - at);
}

static inline void portable__line_decimal(struct portable__line *l, uint64_t n) { portable__line_digits(l, n, 10, 1, '0'); }

/* Appends a decimal of at least `least` characters, at most 24, with the fill before it. */
static inline void portable__line_padded(struct portable__line *l, uint64_t n, size_t least, char fill) {
  portable__line_digits(l, n, 10, least, fill);
}

/* Appends hexadecimal digits, without 0x. */
static inline void portable__line_hex(struct portable__line *l, uint64_t n) { portable__line_digits(l, n, 16, 1, '0'); }

/* Appends the newline. A line ends once. */
static inline void portable__line_end(struct portable__line *l) { l->text[l->at++] = '\n'; }

/* Writes a line that has ended to standard error, in one system call. There is no place to report a failure. */
static inline void portable__line_write(const struct portable__line *l) {
  if (write(STDERR_FILENO, l->text, l->at) < 0) return;
}

#endif
