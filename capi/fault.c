/* fault.c - reports a fault inside the library with the frames of the program. A panic's own trace
 * has frames of Go only; C sees the frames between the program and Go after the call has returned.
 * In libportable_debug.a a frame has procedure, file and line; else it is an address in a file, for
 * addr2line and yaklcheck (RATIONALE.md). Threads: any; about its own last call. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "entry.h"
#include "questions.h"
#include "../internal/memcheck/memcheck.h"
#include "../internal/observe/observers.h"
#include "../internal/stacks/stack.h"
#include "../internal/tracing/trace.h"

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* Describes a return address: procedure and line, or file and offset. */
static void frame(uintptr_t pc, char *to, size_t room) {
  int32_t n = portable__go_frame(pc - 1, to, (int32_t)room);
  const struct portable__module *m = portable__module_of(pc - 1, 0);
  Dl_info d;
  if (n > 0) return;
  memset(&d, 0, sizeof d);
  int known = dladdr((void *)(pc - 1), &d) != 0;
  unsigned long own = (unsigned long)(m ? pc - m->bias : pc);
  if (known && d.dli_sname) snprintf(to, room, "%s (%s+0x%lx)", d.dli_sname, base_name(d.dli_fname), own);
  else if (known && d.dli_fname) snprintf(to, room, "%s+0x%lx", base_name(d.dli_fname), own);
  else snprintf(to, room, "0x%lx", (unsigned long)pc);
}

/* The text of the error in the log, line by line. */
static void log_text(const char *text) {
  while (*text) {
    size_t bytes = strcspn(text, "\n");
    portable__verbose_line(text, bytes);
    text += bytes + (text[bytes] == '\n');
  }
}

/* For internal/edge/crossing.c, by the table of portable.c. */
void portable__tell_fault(void) {
  uintptr_t pcs[PORTABLE__STACK_MOST];
  char text[PORTABLE__ERROR_TEXT], line[512];
  portable__faulted = 0;
  portable__modules_look();
  int32_t n = portable__stack_walk(NULL, pcs, PORTABLE__STACK_MOST, NULL);
  size_t at = strlen(portable_last_error());
  if (at > sizeof text - 1) at = sizeof text - 1;
  memcpy(text, portable_last_error(), at);
  at += (size_t)snprintf(text + at, sizeof text - at, "%scalled from:", at > 0 && text[at - 1] == '\n' ? "" : "\n");
  for (int32_t i = 2; i < n && at < sizeof text; i++) { /* not this function, nor cross_out */
    frame(pcs[i], line, sizeof line);
    at += (size_t)snprintf(text + at, sizeof text - at, "\n  %s", line);
  }
  portable__set_error(text, at < sizeof text ? at : sizeof text - 1);
  portable__memcheck_internal();
  log_text(portable_last_error());
}
