/* text.h - turns labels and values into text that a terminal or a log can show. Private. */
#ifndef PORTABLE__TEXT_H
#define PORTABLE__TEXT_H

#include <stdarg.h>
#include <stddef.h>

/* Writes from[bytes] to to[room], with a 0 at the end, and returns the length without it. Control characters,
 * characters that change the direction of text, and bytes that are not UTF-8 become \n, \r, \t, \x1b or \u202e. A text
 * that does not fit is cut between characters. Signal handlers may call it. */
size_t portable__clean(char *to, size_t room, const char *from, size_t bytes);

/* As portable__clean, for messages of several lines: newlines and tabs stay. */
size_t portable__clean_lines(char *to, size_t room, const char *from, size_t bytes);

/* vsnprintf for messages: it cleans the texts of %s and %.*s, except for texts inside `whole`, a message that is clean
 * already. It knows the flags 0, - and #, a width, a precision, the lengths h, l, ll, z and j, and d i u x c p g f e s.
 * Returns the number of bytes written, less than room. */
size_t portable__format(char *to, size_t room, const char *whole, const char *format, va_list args);

/* portable__format into a buffer. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
size_t portable__message(char *to, size_t room, const char *format, ...);

#endif
