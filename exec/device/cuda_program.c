/* cuda_program.c - code of kernels for CUDA devices: copies of what the user has given, and the functions that were made of it (kernel.h of
 * internal/backend/cuda). In C because launches look functions up. Not in this file: how code is compiled, kept and loaded, which is Go's
 * (internal/backend/cuda/kernels.go), and launches (cuda_launch.c). */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_notes.h"
#include "devices.h"
#include "questions.h"
#include "../../internal/backend/cuda/kernel.h"
#include "../../internal/backend/cuda/nvrtc.h"
#include "../../internal/edge/text.h"
#include "cuda_request.h"

/* Code that can not be made into a function: it is not tried at each launch. */
struct failure {
  struct failure *next;
  int32_t index, variant;
  char text[];
};

struct portable__cuda_program {
  struct portable__cuda_program *next; /* of all; list_lock */
  uint32_t number;
  int32_t retired;
  const char *builtin; /* the embedded source, of static memory; NULL: the user's code */
  portable_cuda_code code; /* its texts are this record's */
  char (*names)[64];   /* of arguments */
  int32_t name_count;
  char *log;
  struct failure *failures;
  pthread_mutex_t lock; /* guards making functions, failures, and log */
  _Atomic(struct portable__cuda_form *) form[PORTABLE__CUDA_MOST][PORTABLE__CUDA_VARIANTS];
  char label[PORTABLE__LABEL_MAX + 1];
};

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct portable__cuda_program *all;
static uint32_t made;

static char *copy_of(const char *text, size_t bytes) {
  char *to = text ? malloc(bytes + 1) : NULL;
  if (!to) return NULL;
  memcpy(to, text, bytes);
  to[bytes] = '\0';
  return to;
}

static char *copy_text(const char *text) { return text ? copy_of(text, strlen(text)) : NULL; }

static void failures_forget(struct portable__cuda_program *p) {
  while (p->failures) {
    struct failure *next = p->failures->next;
    free(p->failures);
    p->failures = next;
  }
}

static void program_free(struct portable__cuda_program *p) {
  failures_forget(p);
  for (int i = 0; i < PORTABLE__CUDA_MOST; i++)
    for (int v = 0; v < PORTABLE__CUDA_VARIANTS; v++) free(atomic_load(&p->form[i][v]));
  if (!p->builtin) free((void *)(uintptr_t)p->code.code);
  free((void *)(uintptr_t)p->code.entry);
  free((void *)(uintptr_t)p->code.options);
  free((void *)(uintptr_t)p->code.file);
  free(p->log);
  free(p->names);
  pthread_mutex_destroy(&p->lock);
  free(p);
}

/* All functions are forgotten, and programs that nobody launches any more are freed. */
static void programs_end(void) {
  pthread_mutex_lock(&list_lock);
  for (struct portable__cuda_program **at = &all; *at;) {
    struct portable__cuda_program *p = *at;
    for (int i = 0; i < PORTABLE__CUDA_MOST; i++)
      for (int v = 0; v < PORTABLE__CUDA_VARIANTS; v++) free(atomic_exchange(&p->form[i][v], NULL));
    failures_forget(p);
    if (p->retired) {
      *at = p->next;
      program_free(p);
    } else {
      at = &p->next;
    }
  }
  pthread_mutex_unlock(&list_lock);
  for (int32_t i = 0; i < PORTABLE__CUDA_MOST; i++) portable__cuda_notes_end(i);
}

static struct portable__cuda_program *make(const char *label, const portable_cuda_code *code, const char *builtin, const char *const *names,
                                           int32_t count) {
  struct portable__cuda_program *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  pthread_mutex_init(&p->lock, NULL);
  strncpy(p->label, label, sizeof p->label - 1);
  p->builtin = builtin;
  p->code = *code;
  p->code.code = builtin ? NULL : copy_of(code->code, code->bytes);
  p->code.entry = copy_text(code->entry ? code->entry : label);
  p->code.options = copy_text(code->options);
  p->code.file = copy_text(code->file);
  p->names = count ? calloc((size_t)count, sizeof *p->names) : NULL;
  if ((!builtin && !p->code.code) || !p->code.entry || (code->options && !p->code.options) || (code->file && !p->code.file) || (count && !p->names)) {
    program_free(p);
    return NULL;
  }
  for (int32_t i = 0; i < count; i++) portable__copy_text(p->names[i], sizeof p->names[i], names[i], strlen(names[i]));
  p->name_count = count;
  atomic_store(&portable__cuda_ending, programs_end);
  pthread_mutex_lock(&list_lock);
  p->number = ++made;
  p->next = all;
  all = p;
  pthread_mutex_unlock(&list_lock);
  return p;
}

struct portable__cuda_program *portable__cuda_program_make(const char *label, const portable_cuda_code *code, const char *const *names, int32_t count) {
  return make(label, code, NULL, names, count);
}

void portable__cuda_program_retire(struct portable__cuda_program *p) {
  if (!p) return;
  pthread_mutex_lock(&list_lock);
  p->retired = 1;
  pthread_mutex_unlock(&list_lock);
}

const portable_cuda_code *portable__cuda_program_code(const struct portable__cuda_program *p) { return &p->code; }

const char *portable__cuda_program_name(const struct portable__cuda_program *p) { return p->label; }

uint32_t portable__cuda_program_number(const struct portable__cuda_program *p) { return p->number; }

void portable__cuda_program_label(uint32_t number, char *text, size_t room) {
  const char *label = "a kernel";
  pthread_mutex_lock(&list_lock);
  for (const struct portable__cuda_program *p = all; p; p = p->next)
    if (p->number == number) label = p->label;
  portable__copy_text(text, room, label, strlen(label));
  pthread_mutex_unlock(&list_lock);
}

size_t portable__cuda_program_log(struct portable__cuda_program *p, char *text, size_t room) {
  pthread_mutex_lock(&p->lock);
  const char *log = p->log ? p->log : "";
  size_t bytes = strlen(log) + 1;
  if (room) {
    size_t n = bytes < room ? bytes : room;
    memcpy(text, log, n - 1);
    text[n - 1] = '\0';
  }
  pthread_mutex_unlock(&p->lock);
  return bytes;
}

void portable__cuda_program_argument(uint32_t number, int32_t argument, char *text, size_t room) {
  int n = 0;
  pthread_mutex_lock(&list_lock);
  for (const struct portable__cuda_program *p = all; p; p = p->next)
    if (p->number == number && argument >= 1 && argument <= p->name_count)
      n = snprintf(text, room, "argument %d%s", (int)argument, PORTABLE__NAMED(p->names[argument - 1]));
  pthread_mutex_unlock(&list_lock);
  if (n <= 0) snprintf(text, room, "a view");
}

/* ---- without NVRTC ---- */

static atomic_int warned;

/* Once in a process: programs run where there is no compiler, too, but on the host. */
PORTABLE__COLD static void warn_no_compiler(void) {
  char line[1600], why[1024];
  if (atomic_exchange(&warned, 1)) return;
  portable__nvrtc_why(why, sizeof why);
  int n = snprintf(line, sizeof line, "portable: warning: NVIDIA's compiler NVRTC is missing: %s; kernels whose device version is source, and reductions, scans, "
                   "filters, sorts and copies between orders, run on the host; install it (CUDA toolkit, or the package libnvrtc), or say by "
                   "PORTABLE_NVRTC_LIBRARY where it is", why);
  portable__print(line, n < (int)sizeof line ? (size_t)n : sizeof line - 1);
}

int portable__cuda_misses_compiler(void) { return atomic_load(&warned); }

int portable__cuda_compiles(void) {
  static atomic_int compiles;
  int32_t major, minor;
  if (PORTABLE__LIKELY(atomic_load_explicit(&compiles, memory_order_relaxed))) return 1;
  if (portable__nvrtc_open(&major, &minor) == 0) {
    atomic_store(&compiles, 1);
    return 1;
  }
  warn_no_compiler();
  return 0;
}

/* ---- code that is no good ---- */

/* The error text: before, and the lines of a compiler, which stay lines. */
static void fail_with_lines(const char *before, const char *lines) {
  char text[PORTABLE__ERROR_TEXT];
  int n = snprintf(text, sizeof text, "%s%s", before, lines);
  portable__set_error(text, n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

static portable_status bad_code(const struct portable__cuda_program *p, const char *text) {
  char before[PORTABLE__ERROR_TEXT];
  portable__message(before, sizeof before, "kernel '%s': ", p->label);
  fail_with_lines(before, text);
  return p->builtin ? PORTABLE_ERR_INTERNAL : PORTABLE_ERR_ARG;
}

/* Locked. Without memory for it the next launch tries again. */
static void failure_keep(struct portable__cuda_program *p, const struct portable__cuda_request *r) {
  size_t bytes = strnlen(r->text, sizeof r->text - 1);
  struct failure *f = malloc(sizeof *f + bytes + 1);
  if (!f) return;
  f->next = p->failures;
  f->index = r->index;
  f->variant = r->variant;
  memcpy(f->text, r->text, bytes);
  f->text[bytes] = '\0';
  p->failures = f;
}

static const struct failure *failure_of(const struct portable__cuda_program *p, int32_t index, int32_t variant) {
  const struct failure *f = p->failures;
  while (f && (f->index != index || f->variant != variant)) f = f->next;
  return f;
}

/* What the request's answer is as a status. */
static portable_status answer(struct portable__cuda_program *p, const struct portable__cuda_request *r, int32_t *no_compiler_out) {
  switch (r->outcome) {
  case PORTABLE__CUDA_LOADED: return PORTABLE_OK;
  case PORTABLE__CUDA_NO_COMPILER:
    if (no_compiler_out) {
      *no_compiler_out = 1;
      warn_no_compiler();
      return PORTABLE_ERR_STATE;
    }
    return portable__fail(PORTABLE_ERR_STATE, "kernel '%s': %s", p->label, r->text);
  case PORTABLE__CUDA_BAD_CODE:
    if (r->lasting) failure_keep(p, r);
    return bad_code(p, r->text);
  case PORTABLE__CUDA_NO_MEMORY: return portable__fail(PORTABLE_ERR_NOMEM, "kernel '%s': no memory for its device version", p->label);
  }
  portable_status status = portable__cuda_fail(r->code, r->call, p->label);
  if (r->text[0]) {
    char before[PORTABLE__ERROR_TEXT];
    snprintf(before, sizeof before, "%s; the driver's compiler says:\n", portable_last_error());
    fail_with_lines(before, r->text);
  }
  return status;
}

/* Locked by the program's lock. */
static portable_status load(struct portable__cuda_program *p, int32_t index, int32_t variant, int32_t *no_compiler_out) {
  struct portable__crossing crossing;
  struct portable__cuda_request *r = calloc(1, sizeof *r);
  struct portable__cuda_form *form = calloc(1, sizeof *form);
  void *before = NULL;
  portable_status status = PORTABLE_OK;
  if (!r || !form) {
    status = portable__fail(PORTABLE_ERR_NOMEM, "kernel '%s': no memory for its device version", p->label);
  } else if ((status = portable__cross_in(&crossing)) == PORTABLE_OK) {
    int code = portable__cuda_visit(index, &before);
    r->label = p->label;
    r->builtin = p->builtin;
    r->code_of = &p->code;
    r->index = index;
    r->variant = variant;
    if (code == 0) {
      status = portable__device_go.cuda_load(r);
      portable__cuda_return(before);
    }
    portable__cross_out(&crossing);
    if (code) status = portable__cuda_fail(code, "cuCtxSetCurrent", p->label);
    if (status == PORTABLE_OK && r->log) {
      free(p->log);
      p->log = r->log;
      r->log = NULL;
    }
    if (status == PORTABLE_OK) status = answer(p, r, no_compiler_out);
  }
  if (status == PORTABLE_OK) {
    form->f = r->function;
    atomic_store_explicit(&p->form[index][variant], form, memory_order_release);
    form = NULL;
  }
  if (r) free(r->log);
  free(r);
  free(form);
  return status;
}

const struct portable__cuda_form *portable__cuda_program_form(struct portable__cuda_program *p, int32_t index, int32_t variant,
                                                              portable_status *status_out, int32_t *no_compiler_out) {
  if (p->code.form >= PORTABLE_CUDA_IMAGE || p->builtin) variant = 0;
  struct portable__cuda_form *form = atomic_load_explicit(&p->form[index][variant], memory_order_acquire);
  *status_out = PORTABLE_OK;
  if (no_compiler_out) *no_compiler_out = 0;
  if (PORTABLE__LIKELY(form != NULL)) return form;
  pthread_mutex_lock(&p->lock);
  form = atomic_load(&p->form[index][variant]);
  const struct failure *failed = form ? NULL : failure_of(p, index, variant);
  if (PORTABLE__UNLIKELY(failed != NULL))
    *status_out = bad_code(p, failed->text);
  else if (!form && (*status_out = load(p, index, variant, no_compiler_out)) == PORTABLE_OK) form = atomic_load(&p->form[index][variant]);
  pthread_mutex_unlock(&p->lock);
  return form;
}

/* ---- the library's own ---- */

static struct portable__cuda_program *builtin_of(const char *label, const char *source, const char *entry) {
  struct portable__cuda_program *found = NULL;
  pthread_mutex_lock(&list_lock);
  for (struct portable__cuda_program *p = all; p && !found; p = p->next)
    if (p->builtin && strcmp(p->builtin, source) == 0 && strcmp(p->code.entry, entry) == 0) found = p;
  pthread_mutex_unlock(&list_lock);
  if (found) return found;
  portable_cuda_code code = PORTABLE_CUDA_CODE_INIT;
  code.entry = entry;
  return make(label, &code, source, NULL, 0); /* two threads make two, of which one is never found again: no harm */
}

portable_status portable__cuda_builtin(const char *label, portable_device device, const char *source, const char *entry, void **function_out) {
  int32_t index = portable__cuda_index(device);
  portable_status status;
  *function_out = NULL;
  if (index < 0) return portable__fail(PORTABLE_ERR_NODEVICE, "'%s': device %d is no CUDA device", label, (int)device);
  struct portable__cuda_program *p = builtin_of(label, source, entry);
  if (!p) return portable__fail(PORTABLE_ERR_NOMEM, "'%s': no memory for its device version", label);
  const struct portable__cuda_form *form = portable__cuda_program_form(p, index, 0, &status, NULL);
  if (form) *function_out = form->f.function;
  return status;
}
