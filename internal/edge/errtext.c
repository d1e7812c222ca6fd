/* errtext.c - the text of a thread's last failure. In C because it is thread-local and read by
 * C. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "thread.h"
#include "text.h"

/* For threads without a state: in a forked child, or without memory. All such threads share it, so texts may mix. */
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
  if (name[0]) snprintf(text, room, " ('%s')", name); /* the function that prints it cleans it */
  return text;
}

portable_status portable__rename_error(portable_status status, const char *call) {
  static const char module[] = "portable_", *const names[] = {"parallel_for", "sort"};
  const char *text = portable_last_error(), *before = strncmp(text, module, sizeof module - 1) == 0 ? module : "";
  if (status == PORTABLE_ERR_KERNEL) return status;
  text += strlen(before);
  if (strncmp(call, module, sizeof module - 1) == 0) before = "";
  for (int i = 0; i < 2; i++) {
    const size_t n = strlen(names[i]);
    if (strncmp(text, names[i], n) == 0 && strspn(text + n, " :") > 0) return portable__fail(status, "%s%s%s", before, call, text + n);
  }
  return status;
}

/* Cuts off what the text begins with: the library's name, or another of our calls that failed for the same block. */
static PORTABLE__COLD const char *without_name(const char *text, const char *label, size_t label_bytes) {
  static const char who[] = "portable: ", of[] = " of '", behind[] = "': ";
  if (strncmp(text, who, sizeof who - 1) == 0) return text + sizeof who - 1;
  if (label_bytes == 0 || strncmp(text, "portable_", 9) != 0) return text;
  const char *at = text + strspn(text, "abcdefghijklmnopqrstuvwxyz_");
  if (strncmp(at, of, sizeof of - 1) != 0) return text;
  at += sizeof of - 1;
  if (strncmp(at, label, label_bytes) != 0 || strncmp(at + label_bytes, behind, sizeof behind - 1) != 0) return text;
  return without_name(at + label_bytes + sizeof behind - 1, label, label_bytes);
}

/* A label is cut at the length that the pool keeps, so that a long one leaves space for the text. */
PORTABLE__COLD void portable__name_error(const char *call, const char *label, size_t label_bytes) {
  char text[PORTABLE__ERROR_TEXT], name[4 * PORTABLE__LABEL_MAX + 1];
  if (label_bytes > PORTABLE__LABEL_MAX) label_bytes = PORTABLE__LABEL_MAX;
  label_bytes = portable__clean(name, sizeof name, label, label_bytes);
  const char *what = without_name(portable_last_error(), name, label_bytes);
  int n = label_bytes > 0 ? snprintf(text, sizeof text, "%s of '%s': %s", call, name, what)
                          : snprintf(text, sizeof text, "%s: %s", call, what);
  portable__set_error(text, n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

portable_status portable__not_running(const char *function) {
  struct portable__crossing crossing;
  portable_status status = portable__cross_in(&crossing); /* a forked child, or a fault, has a text of its own */
  if (status != PORTABLE_OK) return status;
  portable__cross_out(&crossing);
  return portable__fail(PORTABLE_ERR_STATE, "%s: the library does not run: call portable_init first, and nothing after the last "
                        "portable_finalize", function);
}

/* Before 1.0 a minor version may change the C interface; a patch may not. */
portable_status portable__check_version(int32_t version) {
  if (version / 100 == PORTABLE_VERSION / 100) return PORTABLE_OK;
  return portable__fail(PORTABLE_ERR_VERSION, "portable: the program was compiled with a header or module of version %d, "
                        "the archive is version %d; compile it again with the files of the archive", (int)version,
                        PORTABLE_VERSION);
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

void portable__copy_text(char *to, size_t room, const char *text, size_t bytes) {
  while (bytes > 0 && text[bytes - 1] == ' ') bytes--;
  if (bytes >= room) bytes = room - 1;
  memcpy(to, text, bytes);
  to[bytes] = '\0';
}

portable_status portable__unexplained(const char *call, const char *label, portable_status otherwise) {
  char why[160];
  portable__copy_text(why, sizeof why, portable_last_error(), strnlen(portable_last_error(), sizeof why - 1));
  return portable__fail(otherwise, "%s%s%s%s: the call is refused; the check that says why does not run here (%s)", call, label ? " '" : "",
                        label ? label : "", label ? "'" : "", why);
}
