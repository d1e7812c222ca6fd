/* stress.c - streams, events, releases of the pool and launches, all at once, for STRESS_SECONDS (60), or the seconds of the first
 * argument, against a model that knows what each
 * value must be. Several threads work; each has streams and arrays of its own and shares some streams with the others.
 *
 * The model: each array has, on the host, the number of steps that were put in for it and the value that they lead to, because a
 * step is x = 3 x + number modulo a prime: a step that is lost, done twice or done in another order, and memory that another thread
 * has written, show. An array goes from stream to stream by an event. It is freed while work on it is still queued; the last step
 * hands its value to the model by an argument block, and the next array that gets the memory fills it with its own.
 *
 * Beside that: outer loops with scratch, blocks of a pool of the program's, callbacks that free, launch and wait for another stream, and
 * streams whose kernels fail: what is behind the failure leaves the array alone, and the next fence has the error once.
 *
 * Not in this file: each of these alone (order.c, errors.c, memory.c, waits.c, destroy.c). */
#include "streams.h"

#include <pthread.h>
#include <stddef.h>

enum { THREADS = 3, OWN = 2, SHARED = 2, ARRAYS = 6, PRIME = 1000003 };

static _Atomic int stop;
static _Atomic long wrong, steps, arrays, checks, hops, fences, failures, freed, waited, refused, launched, counted;

#define MUST(condition)                                                                                            \
  do {                                                                                                             \
    if (!(condition) && atomic_fetch_add(&wrong, 1) < 20)                                                          \
      printf("%s:%d: %s  last error: %s\n", __FILE__, __LINE__, #condition, portable_last_error());                \
  } while (0)

struct step {
  int64_t *x;
  int64_t number, expected; /* expected >= 0: look instead */
  int64_t fill;             /* >= 0: begin with this */
};

struct array {
  int64_t *x;
  int64_t n, value;
  portable_stream at; /* the stream that its last step is in */
  portable_pool pool; /* 0: the default one */
};

static portable_pool own_pool;

static portable_stream shared[SHARED];
static pthread_rwlock_t errors = PTHREAD_RWLOCK_INITIALIZER; /* a fence of all would take an error that another thread waits for */
static portable_kernel kernel;

static unsigned next(unsigned *seed) { return *seed = *seed * 1664525u + 1013904223u, *seed >> 8; }

static void work(const portable_tile *t, void *args) {
  const struct step *s = args;
  for (int64_t i = t->lower[0]; i <= t->upper[0]; i++) {
    if (s->fill >= 0)
      s->x[i] = s->fill;
    else if (s->expected >= 0)
      MUST(s->x[i] == s->expected);
    else
      s->x[i] = (3 * s->x[i] + s->number) % PRIME;
  }
}

/* The same for an element by way of scratch. */
static void outer_work(const portable_team *team, void *args) {
  struct step s = *(const struct step *)args;
  int64_t *own = (int64_t *)team->scratch;
  portable_tile t = *team->tile;
  own[0] = s.x[team->index[0]];
  s.x = own;
  t.lower[0] = t.upper[0] = 0;
  work(&t, &s);
  ((const struct step *)args)->x[team->index[0]] = own[0];
}

static const portable_argument arguments[] = {
    {"x", PORTABLE_ARGUMENT_POINTER, PORTABLE_ACCESS_BOTH, offsetof(struct step, x), sizeof(void *)},
    {"number", PORTABLE_ARGUMENT_INT64, 0, offsetof(struct step, number), sizeof(int64_t)},
    {"expected", PORTABLE_ARGUMENT_INT64, 0, offsetof(struct step, expected), sizeof(int64_t)},
    {"fill", PORTABLE_ARGUMENT_INT64, 0, offsetof(struct step, fill), sizeof(int64_t)},
};

/* A step, by a kernel object that declares the array, or by a function and a dependency that the program declares. */
static void put(struct array *a, struct step s, int declared) {
  portable_bounds b = portable_bounds_1(a->n);
  portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
  c.stream = a->at;
  s.x = a->x;
  if (declared) {
    MUST(portable_launch(kernel, &b, &s, &c) == 0);
  } else {
    MUST(portable_add_stream_dependency(a->x, a->at) == 0);
    if (s.number % 3 == 1 && a->n < 1000)
      MUST(portable_parallel_outer("outer step", &b, outer_work, &s, sizeof s, sizeof *s.x, &c) == 0);
    else
      MUST(portable_parallel_for("step", &b, work, &s, sizeof s, &c) == 0);
  }
  atomic_fetch_add(&steps, 1);
}

static void begin(struct array *a, portable_stream at, unsigned *seed) {
  a->n = 1 + next(seed) % (next(seed) % 8 ? 500 : 40000);
  a->pool = next(seed) % 4 ? 0 : own_pool;
  if (a->pool)
    MUST(portable_pool_alloc(a->pool, (size_t)a->n * sizeof *a->x, "array", (void **)&a->x) == 0);
  else
    MUST(portable_alloc((size_t)a->n * sizeof *a->x, "array", (void **)&a->x) == 0);
  a->value = next(seed) % PRIME;
  a->at = at;
  if (next(seed) % 2) { /* by the host, at once: no other thread may still write there */
    for (int64_t i = 0; i < a->n; i++) a->x[i] = a->value;
  } else {
    put(a, (struct step){.expected = -1, .fill = a->value}, (int)(next(seed) % 2));
  }
  atomic_fetch_add(&arrays, 1);
}

static void step(struct array *a, unsigned *seed) {
  int64_t number = next(seed) % 1000;
  a->value = (3 * a->value + number) % PRIME;
  put(a, (struct step){.number = number, .expected = -1, .fill = -1}, (int)(next(seed) % 2));
}

static void look(struct array *a, unsigned *seed) {
  put(a, (struct step){.expected = a->value, .fill = -1}, (int)(next(seed) % 2));
  atomic_fetch_add(&checks, 1);
}

static void hop(struct array *a, portable_stream to, portable_event e) {
  MUST(portable_event_record(e, a->at) == 0);
  MUST(portable_stream_wait_event(to, e) == 0);
  a->at = to;
  atomic_fetch_add(&hops, 1);
}

static void give(const struct array *a) { MUST((a->pool ? portable_pool_free(a->pool, a->x) : portable_free(a->x)) == 0); }

/* Behind the last step of an array. */
static void frees(portable_status status, void *payload) {
  MUST(status == PORTABLE_OK);
  give((struct array *)payload);
  free(payload);
  atomic_fetch_add(&freed, 1);
}

static void count(const portable_tile *t, void *args) {
  (void)args;
  if (t->lower[0] == 0) atomic_fetch_add(&counted, 1);
}

/* Into the stream that it is in, or into a shared one. A stream that ends meanwhile refuses. */
static void launches(portable_status status, void *payload) {
  portable_status answer = streams_launch((portable_stream)(uintptr_t)payload, 5, count, NULL, 0);
  MUST(status == PORTABLE_OK && (answer == PORTABLE_OK || answer == PORTABLE_ERR_HANDLE));
  if (answer == PORTABLE_OK) atomic_fetch_add(&launched, 1);
}

/* For another stream, unless that one waits for this. The event may be recorded again meanwhile, or destroyed. */
static void waits(portable_status status, void *payload) {
  portable_status answer = portable_event_wait((portable_event)(uintptr_t)payload);
  MUST(status == PORTABLE_OK && (answer == PORTABLE_OK || answer == PORTABLE_ERR_STATE || answer == PORTABLE_ERR_HANDLE));
  atomic_fetch_add(answer == PORTABLE_OK ? &waited : &refused, 1);
}

static void fail(const portable_tile *t, void *args) {
  if (t->lower[0] == 0) portable_kernel_fail(t, *(int *)args, "on purpose");
}

static void sees_error(portable_status status, void *payload) {
  MUST(status == PORTABLE_ERR_KERNEL);
  atomic_fetch_sub((_Atomic long *)payload, 1);
}

/* A stream of its own, whose kernels fail now and then: an array is as it was before the failure. */
static void fails(portable_stream s, _Atomic long *open_calls, unsigned *seed) {
  struct array a;
  char expected[100];
  int code = 1 + (int)(next(seed) % 1000);
  begin(&a, s, seed);
  for (unsigned i = next(seed) % 5; i > 0; i--) step(&a, seed);
  int64_t value = a.value;
  MUST(streams_launch(s, 10, fail, &code, sizeof code) == 0);
  for (unsigned i = next(seed) % 5; i > 0; i--) step(&a, seed); /* skipped */
  atomic_fetch_add(open_calls, 1);
  MUST(portable_stream_call(s, sees_error, open_calls) == 0);
  MUST(portable_stream_fence(s) == PORTABLE_ERR_KERNEL);
  snprintf(expected, sizeof expected, "parallel_for 'test': the kernel failed with code %d: on purpose", code);
  MUST(strcmp(portable_last_error(), expected) == 0);
  for (int64_t i = 0; i < a.n; i++) MUST(a.x[i] == value);
  a.value = value;
  step(&a, seed); /* it works again */
  look(&a, seed);
  give(&a);
  MUST(portable_stream_fence(s) == PORTABLE_OK);
  atomic_fetch_add(&failures, 1);
}

static void released(portable_status status, void *payload) {
  MUST(status == PORTABLE_OK);
  atomic_fetch_sub((_Atomic long *)payload, 1);
}

static void *worker(void *argument) {
  unsigned seed = (unsigned)(uintptr_t)argument;
  _Atomic long open_calls = 0;
  portable_stream streams[OWN + SHARED], risky = streams_new();
  struct array a[ARRAYS];
  portable_event events[3];
  for (int i = 0; i < OWN; i++) MUST(portable_stream_create((portable_device)(i % 2 + 1), PORTABLE_STREAM_ASYNC, &streams[i]) == 0);
  for (int i = 0; i < SHARED; i++) streams[OWN + i] = shared[i];
  for (int i = 0; i < 3; i++) MUST(portable_event_create(&events[i]) == 0);
  for (int i = 0; i < ARRAYS; i++) begin(&a[i], streams[next(&seed) % (OWN + SHARED)], &seed);
  while (!stop) {
    struct array *one = &a[next(&seed) % ARRAYS];
    portable_stream to = streams[next(&seed) % (OWN + SHARED)];
    portable_event *e = &events[next(&seed) % 3];
    switch (next(&seed) % 16) {
      case 0:
      case 1: /* freed with its work still queued; another one begins */
        look(one, &seed);
        if (next(&seed) % 2) {
          struct array *gone = malloc(sizeof *gone);
          *gone = *one;
          MUST(portable_stream_call(one->at, frees, gone) == 0);
        } else {
          give(one);
        }
        begin(one, to, &seed);
        break;
      case 2: hop(one, to, *e); break;
      case 3: /* the host looks for itself */
        hop(one, to, *e);
        step(one, &seed);
        MUST(portable_event_record(*e, one->at) == 0);
        MUST(portable_event_wait(*e) == 0);
        for (int64_t i = 0; i < one->n; i++) MUST(one->x[i] == one->value);
        atomic_fetch_add(&checks, 1);
        break;
      case 4: look(one, &seed); break;
      case 5:
        if (next(&seed) % 10 == 0) {
          MUST(portable_stream_fence(to) == 0);
          atomic_fetch_add(&fences, 1);
        }
        break;
      case 6:
        if (next(&seed) % 20 == 0) MUST(portable_stream_call(to, waits, (void *)(uintptr_t)*e) == 0);
        if (next(&seed) % 10 == 0 && pthread_rwlock_tryrdlock(&errors) == 0) {
          fails(risky, &open_calls, &seed);
          pthread_rwlock_unlock(&errors);
        } else if (next(&seed) % 20 == 0 && pthread_rwlock_trywrlock(&errors) == 0) {
          MUST(portable_fence() == 0);
          pthread_rwlock_unlock(&errors);
        }
        break;
      case 7: /* a stream ends and another one comes; its arrays go on elsewhere */
        if (next(&seed) % 20 == 0) {
          int k = (int)(next(&seed) % OWN);
          for (int i = 0; i < ARRAYS; i++)
            if (a[i].at == streams[k]) hop(&a[i], shared[i % SHARED], *e);
          MUST(portable_stream_destroy(streams[k]) == 0);
          MUST(portable_stream_create((portable_device)(1 + next(&seed) % 2), PORTABLE_STREAM_ASYNC, &streams[k]) == 0);
        }
        break;
      case 8: /* an event ends while a thread waits for it */
        hop(one, to, *e);
        MUST(portable_event_destroy(*e) == 0);
        MUST(portable_event_create(e) == 0);
        break;
      case 9:
        atomic_fetch_add(&open_calls, 1);
        if (portable_stream_call(to, released, &open_calls) != 0) MUST(0);
        if (next(&seed) % 4 == 0) MUST(portable_stream_call(to, launches, (void *)(uintptr_t)(next(&seed) % 2 ? to : shared[0])) == 0);
        break;
      default: step(one, &seed); break;
    }
  }
  for (int i = 0; i < ARRAYS; i++) {
    look(&a[i], &seed);
    give(&a[i]);
  }
  MUST(portable_stream_destroy(risky) == 0);
  for (int i = 0; i < OWN; i++) MUST(portable_stream_destroy(streams[i]) == 0);
  for (int i = 0; i < SHARED; i++) MUST(portable_stream_fence(shared[i]) == 0);
  for (int i = 0; i < 3; i++) MUST(portable_event_destroy(events[i]) == 0);
  MUST(open_calls == 0);
  return NULL;
}

/* The team changes under way, and another participant comes and goes. */
static void *disturbs(void *argument) {
  unsigned seed = 99;
  (void)argument;
  while (!stop) {
    struct timespec pause = {0, 3000000};
    nanosleep(&pause, NULL);
    MUST(portable_set_num_threads(1 + (int32_t)(next(&seed) % 4)) == 0);
    MUST(portable_init(NULL) == 0);
    MUST(portable_finalize() == 0);
  }
  return NULL;
}

/* Whether each kind of work that the threads choose by chance was done. */
static int all_kinds(void) { return arrays > 0 && checks > 0 && hops > 0 && failures > 0 && freed > 0 && waited > 0 && launched > 0; }

int main(int argc, char **argv) {
  const char *text = getenv("STRESS_SECONDS");
  double end = streams_now() + (argc > 1 && atof(argv[1]) > 0 ? atof(argv[1]) : text ? atof(text) : 60);
  pthread_t threads[THREADS + 1];
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  portable_pool pool = check_default_pool();
  CHECK_STATUS(portable_kernel_create("work", sizeof(struct step), arguments, 4, &kernel), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_set_host(kernel, work), PORTABLE_OK);
  for (int i = 0; i < SHARED; i++) shared[i] = streams_new();
  CHECK_STATUS(portable_pool_create(NULL, &own_pool), PORTABLE_OK);
  for (int i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, worker, (void *)(uintptr_t)(i + 1)) == 0);
  CHECK(pthread_create(&threads[THREADS], NULL, disturbs, NULL) == 0);
  /* Few steps fit into one second of a busy machine with ThreadSanitizer: then it takes longer. */
  while (wrong == 0 && (streams_now() < end || (!all_kinds() && streams_now() < end + 30))) {
    struct timespec pause = {0, 50000000};
    nanosleep(&pause, NULL);
  }
  stop = 1;
  for (int i = 0; i <= THREADS; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < SHARED; i++) CHECK_STATUS(portable_stream_destroy(shared[i]), PORTABLE_OK);
  CHECK_STATUS(portable_kernel_destroy(kernel), PORTABLE_OK);
  for (int i = 0; i < 2; i++) {
    portable_stats s = check_stats(i ? own_pool : pool);
    CHECK(s.waiting_blocks == 0 && s.in_use_blocks == 0 && s.occupied_bytes == 0); /* no block is lost */
    CHECK(s.allocations == s.frees && s.allocations > 0);
    CHECK_STATUS(portable_pool_check(i ? own_pool : pool), PORTABLE_OK);
  }
  CHECK_STATUS(portable_pool_destroy(own_pool), PORTABLE_OK);
  CHECK(wrong == 0);
  CHECK(launched == counted);
  CHECK(all_kinds());
  printf("%ld steps, %ld arrays (%ld freed by callbacks), %ld checks, %ld hops, %ld fences, %ld failures, %ld waits inside and %ld refused, %ld launches "
         "inside, %ld wrong\n", (long)steps, (long)arrays, (long)freed, (long)checks, (long)hops, (long)fences, (long)failures, (long)waited, (long)refused,
         (long)launched, (long)wrong);
  return check_end();
}
