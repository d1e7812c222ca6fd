/* crew.c - runs the members of a team on one thread, each up to its next wait in turn (crew.h). In
 * C because it runs inside kernels, which must not enter Go. Threads: a crew is its thread's; the
 * stacks stay the thread's until it ends. */
#define _GNU_SOURCE /* link.h: modules */
#include "crew.h"

#include <link.h>
#include <pthread.h>
#include <stdlib.h>

#include "fibre.h"
#include "team_room.h"

/* As the stack of a main thread, unless the team's threads have more. Only pages that a member touches are taken. */
#define STACK_BYTES ((size_t)8 << 20)

enum { READY, WAITS, RETURNED };

struct stack {
  struct portable__fibre fibre;
  struct stack *next;
  int executable;
  struct portable__exceptions exceptions; /* of the member, while another one runs */
};

struct crew {
  struct crew *around;  /* of the launch that one of its members is inside of; NULL: none */
  struct stack *stacks; /* of the members, the first one that of member 0 */
  void (*call)(int32_t member, void *context);
  void *context;
  void *scheduler;
  struct stack *running;
  int32_t member, state; /* of the running one, at its end of a turn */
};

static __thread struct crew *crew; /* the innermost */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key; /* the thread's stacks that no crew has */
static int have_key;

static void free_stacks(void *argument) {
  for (struct stack *s = argument, *next; s; s = next) {
    next = s->next;
    portable__fibre_free(&s->fibre);
    free(s);
  }
}

static void make_key(void) { have_key = pthread_key_create(&key, free_stacks) == 0; }

static void leave(struct crew *c, int32_t state) {
  struct stack *self = c->running;
  c->state = state;
  portable__fibre_switch(&self->fibre.sp, c->scheduler);
}

static void begin(void) {
  for (;;) { /* a stack serves one member after the other */
    struct crew *c = crew;
    c->call(c->member, c->context);
    leave(c, RETURNED);
  }
}

/* A module of the program may need stacks with code on them; the loader has then made those of threads executable. */
static int needs_code(struct dl_phdr_info *module, size_t bytes, void *context) {
  (void)bytes, (void)context;
  for (int i = 0; i < module->dlpi_phnum; i++)
    if (module->dlpi_phdr[i].p_type == PT_GNU_STACK && (module->dlpi_phdr[i].p_flags & PF_X)) return 1;
  return 0;
}

static size_t stack_bytes(void) {
  const uint64_t bytes = portable__team.config.stack_bytes;
  return bytes > STACK_BYTES ? (size_t)bytes : STACK_BYTES;
}

/* Takes a stack of the thread that is large enough, or makes one; NULL: no memory. A module that came later may need code on stacks. */
static struct stack *take(int executable) {
  struct stack *s = pthread_getspecific(key);
  if (s && pthread_setspecific(key, s->next) != 0) return NULL;
  if (s && s->fibre.bytes >= stack_bytes() && (s->executable || !executable || portable__fibre_allow_code(&s->fibre) == 0)) {
    s->executable |= executable;
    return s;
  }
  if (s)
    portable__fibre_free(&s->fibre);
  else if (!(s = malloc(sizeof *s)))
    return NULL;
  s->executable = executable;
  if (portable__fibre_make(&s->fibre, stack_bytes(), executable, begin) == 0) return s;
  free(s);
  return NULL;
}

static void give(struct stack *s) {
  while (s) {
    struct stack *next = s->next;
    s->next = pthread_getspecific(key);
    if (pthread_setspecific(key, s) != 0) { /* no memory for the thread's slot */
      portable__fibre_free(&s->fibre);
      free(s);
    }
    s = next;
  }
}

/* A handler of exceptions that waits in a fence keeps its exception: each member has its own, as a thread of a device would. */
static void turn(struct crew *c, struct stack *s, int32_t member) {
  struct portable__exceptions *here = &__cxa_get_globals ? __cxa_get_globals() : NULL, outside = {NULL, 0};
  if (here) {
    outside = *here;
    *here = s->exceptions;
  }
  c->running = s;
  c->member = member;
  portable__fibre_switch(&c->scheduler, s->fibre.sp);
  if (here) {
    s->exceptions = *here;
    *here = outside;
  }
}

int32_t portable__crew_run(int32_t members, int32_t reverse, void (*call)(int32_t member, void *context), void *context) {
  struct crew c = {.around = crew, .call = call, .context = context};
  unsigned char state[PORTABLE__CREW_MOST] = {READY};
  struct stack *of[PORTABLE__CREW_MOST];
  int32_t returned = 0, alone = 0;
  if (portable__fibre_lacks(portable__fibre_shadow())) return -1;
  pthread_once(&once, make_key);
  const int executable = dl_iterate_phdr(needs_code, NULL);
  for (int32_t m = 0; m < members; m++) {
    if (!have_key || !(of[m] = take(executable))) {
      give(c.stacks);
      return -1;
    }
    of[m]->exceptions = (struct portable__exceptions){NULL, 0};
    of[m]->next = c.stacks;
    c.stacks = of[m];
  }
  crew = &c;
  while (returned < members) {
    int32_t waiting = 0;
    for (int32_t k = 0; k < members; k++) {
      const int32_t m = reverse ? members - 1 - k : k;
      if (state[m] == RETURNED) continue;
      turn(&c, of[m], m);
      state[m] = (unsigned char)c.state;
      waiting += c.state == WAITS;
      returned += c.state == RETURNED;
    }
    if (waiting && returned && !alone) alone = waiting;
  }
  crew = c.around;
  give(c.stacks);
  return alone;
}

void portable__crew_wait(void) {
  if (crew) leave(crew, WAITS);
}
