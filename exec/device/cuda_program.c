/* cuda_program.c - finds the functions of programs for CUDA devices. Main functions:
 * portable__cuda_program_form, which launches call, and portable__cuda_functions for the library's
 * own; Go makes missing ones (exec/device_programs.go, device_lists.go). No lock. Threads: any. */
#include <stdlib.h>
#include <string.h>

#include "devices.h"
#include "questions.h"
#include "../../internal/backend/cuda/kernel.h"

static _Atomic(struct portable__cuda_list *) lists;

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

int portable__cuda_compiles(int32_t index) {
  static atomic_int compiles; /* a bit for each driver */
  const struct portable__cuda_facts *const facts = portable__cuda_facts(index);
  const int driver = 1 << (facts ? facts->driver : 0);
  struct portable__crossing crossing;
  if (PORTABLE__LIKELY(atomic_load_explicit(&compiles, memory_order_relaxed) & driver)) return 1;
  if (portable__cross_in(&crossing) != PORTABLE_OK) return 0;
  const int found = portable__device_go.cuda_compiles(index) != 0;
  portable__cross_out(&crossing);
  if (found) atomic_fetch_or(&compiles, driver);
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

const struct portable__cuda_list *portable__cuda_list_find(uint32_t key) {
  const struct portable__cuda_list *l = atomic_load_explicit(&lists, memory_order_acquire);
  while (l && l->key != key) l = l->next;
  return l;
}

int portable__cuda_list_add(uint32_t key, int32_t count, struct portable__cuda_program *const *programs) {
  struct portable__cuda_list *l = calloc(1, sizeof *l);
  if (!l) return 0;
  l->key = key;
  l->count = count;
  l->next = atomic_load(&lists);
  memcpy(l->program, programs, (size_t)count * sizeof *programs);
  atomic_store_explicit(&lists, l, memory_order_release);
  return 1;
}

PORTABLE__COLD static const struct portable__cuda_list *list_make(const char *label, uint32_t key, portable_status *status_out) {
  struct portable__crossing crossing;
  if ((*status_out = portable__cross_in(&crossing)) != PORTABLE_OK) return NULL;
  *status_out = portable__device_go.cuda_list(label, key);
  portable__cross_out(&crossing);
  return *status_out == PORTABLE_OK ? portable__cuda_list_find(key) : NULL;
}

portable_status portable__cuda_functions(const char *label, portable_device device, uint32_t key, void **function_out, size_t apart) {
  const int32_t index = portable__cuda_index(device);
  portable_status status = PORTABLE_OK;
  if (index < 0) return portable__not_cuda("launch", label, device);
  const struct portable__cuda_list *l = portable__cuda_list_find(key);
  if (PORTABLE__UNLIKELY(!l) && !(l = list_make(label, key, &status))) return status;
  for (int32_t i = 0; i < l->count && status == PORTABLE_OK; i++) {
    const struct portable__cuda_form *form = portable__cuda_program_form(l->program[i], index, 0, &status, NULL);
    if (form) *(void **)(void *)((char *)function_out + (size_t)i * apart) = form->f.function;
  }
  return status;
}
