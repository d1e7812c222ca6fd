/* cuda_notes.c - failures that kernels on CUDA devices report: portable_device_fail, and indices
 * out of bounds. Kernels write them to memory of the host (portable_device.h); after a wait, a
 * fence reads one word. Go writes the text (exec/device_programs.go). Lock: `lock` guards making
 * the memory, and taking notes. */
#include <pthread.h>
#include <string.h>

#include "cuda_notes.h"
#include "questions.h"
#include "../../internal/tracing/found.h"
#include "../../internal/edge/text.h"
#include "../../capi/include/device/portable_device.h"
#include "../../internal/memcheck/memcheck.h"

static _Atomic(struct portable__notes *) notes[PORTABLE__CUDA_MOST];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct portable__notes *portable__cuda_notes(int32_t index) {
  struct portable__notes *n = atomic_load_explicit(&notes[index], memory_order_acquire);
  void *before = NULL, *memory = NULL;
  if (PORTABLE__LIKELY(n != NULL)) return n;
  pthread_mutex_lock(&lock);
  n = atomic_load(&notes[index]);
  if (!n && portable__cuda_visit(index, &before) == 0) {
    if (portable__cuda_shared_take(sizeof *n, &memory) == 0) atomic_store_explicit(&notes[index], n = memory, memory_order_release);
    portable__cuda_return(before);
  }
  pthread_mutex_unlock(&lock);
  return n;
}

void portable__cuda_notes_end(int32_t index) {
  struct portable__notes *n = atomic_exchange(&notes[index], NULL);
  void *before;
  if (!n || portable__cuda_visit(index, &before) != 0) return;
  portable__cuda_shared_give(n);
  portable__cuda_return(before);
}

static uint32_t load(const uint32_t *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }

int portable__cuda_noted(int32_t index) {
  const struct portable__notes *n = atomic_load_explicit(&notes[index], memory_order_acquire);
  return n && load(&n->any);
}

/* Without Go the text has only the facts. */
static portable_status tell(const struct portable__note *n, char *text, size_t room) {
  struct portable__crossing crossing;
  char label[PORTABLE__LABEL_MAX + 1] = "a kernel";
  if (portable__cross_in(&crossing) == PORTABLE_OK) {
    portable__device_go.cuda_note(n, text, room, label, sizeof label);
    portable__cross_out(&crossing);
  } else {
    portable__message(text, room, "parallel_for '%s': the kernel failed with code %d", label, n->kind == PORTABLE__NOTE_FAILED ? (int)n->code : PORTABLE_ERR_ARG);
  }
  if (n->kind != PORTABLE__NOTE_FAILED) portable__finding(PORTABLE__FOUND_INDEX, label, text, (void *)(uintptr_t)n->data);
  return PORTABLE_ERR_KERNEL;
}

portable_status portable__cuda_notes_take(int32_t index, void *native, char *text, size_t room) {
  const uint64_t stream = (uint64_t)(uintptr_t)native | 1;
  struct portable__note found = {0};
  pthread_mutex_lock(&lock);
  struct portable__notes *n = atomic_load(&notes[index]);
  if (n) __atomic_store_n(&n->any, 0, __ATOMIC_SEQ_CST); /* before the search: a later note sets it again */
  for (int i = 0; n && i < PORTABLE__NOTES; i++) {
    struct portable__note *note = &n->note[i];
    if (!load(&note->ready)) continue;
    if (note->stream && note->stream != stream) {
      __atomic_store_n(&n->any, 1, __ATOMIC_SEQ_CST); /* of another stream */
      continue;
    }
    if (!found.kind) found = *note; /* the first one: others of the same launches would only repeat it */
    memset(note->text, 0, sizeof note->text);
    __atomic_store_n(&note->ready, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&note->taken, 0, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&lock);
  return found.kind ? tell(&found, text, room) : PORTABLE_OK;
}
