/* scratch.c - scratch memory of a thread: a chain of pieces, from the outermost level of launches
 * inwards. A released piece is kept, grows if more is needed, and is freed when the thread ends. In
 * C because C threads own it, and a launch must not allocate each time. Threads: only the owner
 * accesses its chain. */
#include "scratch.h"

#include <pthread.h>
#include <stdlib.h>

#define ALIGNMENT 64

struct piece {
  struct piece *inner; /* the next level's piece, which may be free */
  struct piece *outer; /* the piece of the level around it; NULL: outermost */
  size_t bytes;
};

struct chain {
  struct piece *first, *taken; /* taken: the innermost one in use, or NULL */
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int have_key;

static void free_chain(void *argument) {
  struct chain *c = argument;
  for (struct piece *p = c->first, *next; p; p = next) {
    next = p->inner;
    free(p);
  }
  free(c);
}

static void make_key(void) { have_key = pthread_key_create(&key, free_chain) == 0; }

static struct chain *own_chain(void) {
  pthread_once(&once, make_key);
  if (!have_key) return NULL;
  struct chain *c = pthread_getspecific(key);
  if (c) return c;
  if (!(c = calloc(1, sizeof *c))) return NULL;
  if (pthread_setspecific(key, c) != 0) {
    free(c);
    return NULL;
  }
  return c;
}

_Static_assert(sizeof(struct piece) <= ALIGNMENT, "the head of a piece fits before its bytes");

void *portable__scratch_take(size_t bytes) {
  struct chain *c = own_chain();
  if (!c) return NULL;
  struct piece **at = c->taken ? &c->taken->inner : &c->first, *p = *at;
  if (!p || p->bytes < bytes) {
    void *memory;
    if (posix_memalign(&memory, ALIGNMENT, ALIGNMENT + bytes) != 0) return NULL;
    struct piece *larger = memory;
    larger->inner = p ? p->inner : NULL;
    larger->bytes = bytes;
    free(p);
    *at = p = larger;
  }
  p->outer = c->taken;
  c->taken = p;
  return (char *)p + ALIGNMENT;
}

void portable__scratch_give(void) {
  struct chain *c = pthread_getspecific(key);
  c->taken = c->taken->outer;
}
