/* text.c - makes foreign text harmless, as the only place in C: a newline in a label would forge a
 * line of the library, and an escape sequence would act on the terminal. Its twin for Go is
 * internal/outside/text.go; a test compares the two. Threads: any; portable__clean takes no lock
 * and no memory, and calls nothing. */
#include "text.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* The length of the UTF-8 sequence at s[n], with its code point; 0: the bytes are invalid. */
static size_t sequence(const unsigned char *s, size_t n, uint32_t *code) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const size_t bytes = s[0] < 0x80 ? 1 : s[0] >= 0xc2 && s[0] < 0xe0 ? 2 : s[0] >= 0xe0 && s[0] < 0xf0 ? 3 : s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : 0;
  if (bytes == 0 || bytes > n) return 0;
  *code = bytes == 1 ? s[0] : s[0] & (0x7fu >> bytes);
  for (size_t i = 1; i < bytes; i++) {
    if ((s[i] & 0xc0) != 0x80) return 0;
    *code = *code << 6 | (s[i] & 0x3f);
  }
  if (*code < least[bytes] || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000)) return 0;
  return bytes;
}

/* Controls of C0 and C1, ends of lines and paragraphs, and characters that change the direction of text. */
static int acts(uint32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) ||
         c == 0xfeff;
}

static size_t escape(char *to, char kind, uint32_t value, int digits) {
  to[0] = '\\';
  to[1] = kind;
  for (int i = 0; i < digits; i++) to[2 + i] = "0123456789abcdef"[value >> 4 * (digits - 1 - i) & 15];
  return 2 + (size_t)digits;
}

static size_t clean(char *to, size_t room, const char *from, size_t bytes, int lines) {
  const unsigned char *s = (const unsigned char *)from;
  size_t at = 0;
  if (room == 0) return 0;
  for (size_t i = 0; i < bytes;) {
    char one[8];
    uint32_t code = 0;
    size_t used = sequence(s + i, bytes - i, &code), n;
    if (used == 0) {
      used = 1;
      n = escape(one, 'x', s[i], 2);
    } else if (!acts(code) || (lines && (code == '\n' || code == '\t'))) {
      n = used;
      for (size_t k = 0; k < used; k++) one[k] = from[i + k];
    } else if (code == '\n' || code == '\r' || code == '\t') {
      n = escape(one, code == '\n' ? 'n' : code == '\r' ? 'r' : 't', 0, 0);
    } else {
      n = code < 0x80 ? escape(one, 'x', code, 2) : escape(one, 'u', code, 4);
    }
    if (at + n >= room) break;
    for (size_t k = 0; k < n; k++) to[at++] = one[k];
    i += used;
  }
  to[at] = '\0';
  return at;
}

size_t portable__clean(char *to, size_t room, const char *from, size_t bytes) { return clean(to, room, from, bytes, 0); }

size_t portable__clean_lines(char *to, size_t room, const char *from, size_t bytes) { return clean(to, room, from, bytes, 1); }

/* ---- messages ---- */

struct spec {
  char text[40];     /* the conversion for snprintf, with its numbers filled in */
  int precision;     /* -1: none */
  char length, kind; /* L stands for ll */
};

static const char *number_of(const char *p, va_list *args, int *n) {
  *n = 0;
  if (*p == '*') {
    *n = va_arg(*args, int);
    return p + 1;
  }
  while (*p >= '0' && *p <= '9' && *n < 1000) *n = *n * 10 + (*p++ - '0');
  return p;
}

/* Reads the conversion after the %. */
static const char *read_spec(struct spec *s, const char *p, va_list *args) {
  char flags[8];
  size_t n = 0;
  int width = 0;
  while (*p && strchr("0-#+ ", *p) && n < sizeof flags - 1) flags[n++] = *p++;
  flags[n] = '\0';
  p = number_of(p, args, &width);
  s->precision = -1;
  if (*p == '.') p = number_of(p + 1, args, &s->precision);
  s->length = 0;
  while (*p && strchr("hlzj", *p)) {
    s->length = *p == 'l' && s->length == 'l' ? 'L' : *p;
    p++;
  }
  s->kind = *p;
  const char *length = s->length == 'L' ? "ll" : s->length == 'l' ? "l" : s->length == 'z' ? "z" : s->length == 'j' ? "j" : "";
  int at = width ? snprintf(s->text, sizeof s->text, "%%%s%d", flags, width) : snprintf(s->text, sizeof s->text, "%%%s", flags);
  if (s->precision >= 0) at += snprintf(s->text + at, sizeof s->text - (size_t)at, ".%d", s->precision);
  snprintf(s->text + at, sizeof s->text - (size_t)at, "%s%c", length, s->kind);
  return *p ? p + 1 : p;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static size_t number(char *to, size_t room, const struct spec *s, va_list *args) {
  int n;
  if (strchr("gfe", s->kind))
    n = snprintf(to, room, s->text, va_arg(*args, double));
  else if (s->kind == 'p')
    n = snprintf(to, room, s->text, va_arg(*args, void *));
  else if (s->length == 'L')
    n = snprintf(to, room, s->text, va_arg(*args, long long));
  else if (s->length == 'l')
    n = snprintf(to, room, s->text, va_arg(*args, long));
  else if (s->length == 'z')
    n = snprintf(to, room, s->text, va_arg(*args, size_t));
  else if (s->length == 'j')
    n = snprintf(to, room, s->text, va_arg(*args, intmax_t));
  else
    n = snprintf(to, room, s->text, va_arg(*args, int));
  return n < 0 ? 0 : (size_t)n < room ? (size_t)n : room - 1;
}
#pragma GCC diagnostic pop

static size_t text_of(char *to, size_t room, const struct spec *s, const char *text, const char *whole) {
  if (!text) text = "(null)";
  size_t bytes = s->precision >= 0 ? strnlen(text, (size_t)s->precision) : strlen(text);
  if ((uintptr_t)text - (uintptr_t)whole > strlen(whole)) return portable__clean(to, room, text, bytes);
  if (bytes >= room) bytes = room - 1;
  memcpy(to, text, bytes);
  return bytes;
}

size_t portable__format(char *to, size_t room, const char *whole, const char *format, va_list args) {
  va_list rest;
  size_t at = 0;
  va_copy(rest, args);
  for (const char *p = format; *p && at + 1 < room;) {
    struct spec s;
    if (*p != '%' || p[1] == '%') {
      p += *p == '%';
      to[at++] = *p++;
      continue;
    }
    p = read_spec(&s, p + 1, &rest);
    at += s.kind == 's' ? text_of(to + at, room - at, &s, va_arg(rest, const char *), whole) : number(to + at, room - at, &s, &rest);
  }
  va_end(rest);
  to[at] = '\0';
  return at;
}

size_t portable__message(char *to, size_t room, const char *format, ...) {
  va_list args;
  va_start(args, format);
  size_t n = portable__format(to, room, "", format, args);
  va_end(args);
  return n;
}
