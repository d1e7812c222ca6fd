/* errtext.c - the text of a thread's last failure. In C because it is thread-local and read by C. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../internal/edge/text.h"
#include "edge.h"

/* For threads that have no state: a forked child, or no memory at all. One for all, so it may be mixed up. */
static char spare[256];

void portable__set_error(const char *text, size_t bytes) {
  struct portable__thread *t = portable__thread_get();
  char *to = t ? t->error : spare;
  portable__clean_lines(to, t ? sizeof t->error : sizeof spare, text, bytes);
}

portable_status portable__fail(portable_status code, const char *format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  size_t n = portable__format(text, sizeof text, portable_last_error(), format, args);
  va_end(args);
  portable__set_error(text, n);
  return code;
}

const char *portable__named(char *text, size_t room, const char *name) {
  text[0] = '\0';
  if (name[0]) snprintf(text, room, " ('%s')", name); /* whoever prints it cleans it */
  return text;
}

portable_status portable__rename_error(portable_status status, const char *call) {
  static const char module[] = "portable_", name[] = "parallel_for";
  const char *text = portable_last_error(), *before = strncmp(text, module, sizeof module - 1) == 0 ? module : "";
  text += strlen(before);
  if (status == PORTABLE_ERR_KERNEL || strncmp(text, name, sizeof name - 1) != 0) return status;
  return portable__fail(status, "%s%s%s", before, call, text + sizeof name - 1);
}

portable_status portable__no_scratch(portable_status status, const char *call, const char *label) {
  return portable__fail(status, "%s '%s': no scratch memory: %s", call, label, portable_last_error());
}

const char *portable_last_error(void) {
  struct portable__thread *t = portable__self;
  return t ? t->error : spare;
}

void portable__print(const char *text, size_t bytes) { fprintf(stderr, "%.*s\n", (int)bytes, text); }

void portable__print_error(void) {
  const char *text = portable_last_error();
  portable__print(text, strlen(text));
}

int32_t portable_version(void) { return PORTABLE_VERSION; }

const char *portable_status_name(portable_status code) {
  static const char *const names[] = {
      "PORTABLE_OK",           "PORTABLE_ERR_ARG",      "PORTABLE_ERR_NOMEM", "PORTABLE_ERR_HANDLE",
      "PORTABLE_ERR_STATE",    "PORTABLE_ERR_POINTER",  "PORTABLE_ERR_OVERFLOW", "PORTABLE_ERR_NODEVICE",
      "PORTABLE_ERR_LEAK",     "PORTABLE_ERR_VERSION",  "PORTABLE_ERR_FORK",  "PORTABLE_ERR_CORRUPT",
      "PORTABLE_ERR_INTERNAL", "PORTABLE_ERR_KERNEL",   "PORTABLE_ERR_DEVICE",
  };
  if (code > 0 || code <= -(int32_t)(sizeof names / sizeof names[0])) return "unknown status";
  return names[-code];
}
