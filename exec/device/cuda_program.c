/* cuda_program.c - finds the functions of programs for CUDA devices. Main function:
 * portable__cuda_program_form, which launches call; Go makes a missing function
 * (exec/device_programs.go). Lock: none to find; `own_lock` guards the list of the library's own
 * programs, whose links never change. Threads: any. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "devices.h"
#include "questions.h"
#include "../../internal/backend/cuda/kernel.h"

static pthread_mutex_t own_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(struct portable__cuda_program *) own;

/* Asks Go: it repeats the look-up under its lock. */
PORTABLE__COLD static portable_status make(struct portable__cuda_program *p, int32_t index, int32_t variant, int32_t on_host, int32_t *no_compiler_out) {
  struct portable__crossing crossing;
  portable_status status = portable__cross_in(&crossing);
  if (status != PORTABLE_OK) return status;
  status = portable__device_go.cuda_form(p, index, variant, on_host, no_compiler_out);
  portable__cross_out(&crossing);
  return status;
}

const struct portable__cuda_form *portable__cuda_program_form(struct portable__cuda_program *p, int32_t index, int32_t variant,
                                                              portable_status *status_out, int32_t *no_compiler_out) {
  int32_t no_compiler = 0;
  if (p->one_form) variant = 0;
  const struct portable__cuda_form *form = atomic_load_explicit(&p->form[index][variant], memory_order_acquire);
  *status_out = PORTABLE_OK;
  if (PORTABLE__UNLIKELY(!form) && (*status_out = make(p, index, variant, no_compiler_out != NULL, &no_compiler)) == PORTABLE_OK)
    form = atomic_load_explicit(&p->form[index][variant], memory_order_acquire);
  if (no_compiler_out) *no_compiler_out = no_compiler;
  return form;
}

void portable__cuda_program_retire(struct portable__cuda_program *p) {
  if (p) atomic_store_explicit(&p->retired, 1, memory_order_release);
}

int portable__cuda_compiles(void) {
  static atomic_int compiles;
  struct portable__crossing crossing;
  if (PORTABLE__LIKELY(atomic_load_explicit(&compiles, memory_order_relaxed))) return 1;
  if (portable__cross_in(&crossing) != PORTABLE_OK) return 0;
  const int found = portable__device_go.cuda_compiles() != 0;
  portable__cross_out(&crossing);
  if (found) atomic_store(&compiles, 1);
  return found;
}

/* ---- records, for Go ---- */

struct portable__cuda_program *portable__cuda_program_make(portable__text label) {
  struct portable__cuda_program *p = calloc(1, sizeof *p);
  if (p) strncpy(p->label, label, sizeof p->label - 1);
  return p;
}

int portable__cuda_program_publish(struct portable__cuda_program *p, int32_t index, int32_t variant, const struct portable__cuda_function *f) {
  struct portable__cuda_form *form = calloc(1, sizeof *form);
  if (!form) return 0;
  form->f = *f;
  atomic_store_explicit(&p->form[index][variant], form, memory_order_release);
  return 1;
}

int portable__cuda_program_forget(struct portable__cuda_program *p) {
  for (int i = 0; i < PORTABLE__CUDA_MOST; i++)
    for (int v = 0; v < PORTABLE__CUDA_VARIANTS; v++) free(atomic_exchange(&p->form[i][v], NULL));
  if (!atomic_load(&p->retired)) return 0;
  free(p);
  return 1;
}

/* ---- the library's own ---- */

static struct portable__cuda_program *own_find(const char *source, const char *entry) {
  struct portable__cuda_program *p = atomic_load_explicit(&own, memory_order_acquire);
  while (p && (strcmp(p->source, source) != 0 || strcmp(p->entry, entry) != 0)) p = p->next;
  return p;
}

PORTABLE__COLD static portable_status own_make(const char *label, const char *source, const char *entry, struct portable__cuda_program **out) {
  struct portable__crossing crossing;
  portable_status status = portable__cross_in(&crossing);
  if (status != PORTABLE_OK) return status;
  pthread_mutex_lock(&own_lock);
  struct portable__cuda_program *p = own_find(source, entry);
  if (!p && (status = portable__device_go.cuda_builtin(label, source, entry, &p)) == PORTABLE_OK) {
    p->source = source;
    strncpy(p->entry, entry, sizeof p->entry - 1);
    p->next = atomic_load(&own);
    atomic_store_explicit(&own, p, memory_order_release);
  }
  pthread_mutex_unlock(&own_lock);
  portable__cross_out(&crossing);
  *out = p;
  return status;
}

portable_status portable__cuda_builtin(const char *label, portable_device device, const char *source, const char *entry, void **function_out) {
  const int32_t index = portable__cuda_index(device);
  portable_status status = PORTABLE_OK;
  *function_out = NULL;
  if (index < 0) return portable__not_cuda("launch", label, device);
  struct portable__cuda_program *p = own_find(source, entry);
  if (PORTABLE__UNLIKELY(!p) && (status = own_make(label, source, entry, &p)) != PORTABLE_OK) return status;
  const struct portable__cuda_form *form = portable__cuda_program_form(p, index, 0, &status, NULL);
  if (form) *function_out = form->f.function;
  return status;
}
