/* served.c - faults from C, in a program that has nothing of the library but the link to portable::allocate; chosen by the first argument.
 * Not in this file: C++ (served.cpp), Fortran (served.f90), arrays of the library (faults.c), what marks mean (../main.go). */
#define _GNU_SOURCE
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile double sink;

/* The compiler knows what malloc and free mean; it must not know here where a pointer comes from. */
static void *hidden(void *p) {
  void *volatile place = p;
  return place;
}

/* fault malloc_write: a text is one byte longer than its block */
static void malloc_write(void) {
  const char *name = "temperature";
  char *volatile copy = malloc(strlen(name)); /* else clang takes none */
  for (size_t i = 0; i <= strlen(name); i++) copy[i] = name[i]; /*~ out-of-bounds */
  sink = copy[0];
  free(copy);
}

/* fault malloc_read: a sum over one element too many, of an odd number of them */
static void malloc_read(void) {
  int *a = calloc(25, sizeof *a);
  for (int i = 0; i <= 25; i++) sink += ((volatile int *)a)[i]; /*~ out-of-bounds */
  free(a);
}

/* fault malloc_zero: a block of no bytes is written */
static void malloc_zero(void) {
  volatile char *a = hidden(malloc(0));
  *a = 1; /*~ out-of-bounds */
  free((void *)a);
}

/* fault malloc_large: the end of an array of some hundred kilobytes */
static void malloc_large(void) {
  double *a = hidden(malloc(100000 * sizeof *a));
  for (int i = 0; i <= 100000; i++) a[i] = i; /*~ out-of-bounds */
  sink = *(double *)hidden(a);
  free(a);
}

/* fault malloc_memcpy: a copy of more bytes than there are */
static void malloc_memcpy(void) {
  static char from[200];
  char *a = hidden(malloc(100));
  memcpy(a, from, (size_t)(long)hidden((void *)sizeof from)); /*~ out-of-bounds */
  sink = *(char *)hidden(a);
  free(a);
}

/* fault malloc_twice: two pointers to one block are both freed */
static void malloc_twice(void) {
  char *a = malloc(40), *b = hidden(a);
  free(a);
  free(b); /*~ double-free */
  sink = 0; /* so that the call is one, which returns here */
}

/* fault malloc_inside: a pointer that has walked on is freed */
static void malloc_inside(void) {
  char *a = hidden(malloc(40));
  while (*a++ != 0 && sink < 0) {}
  free(hidden(a)); /*~ interior-free */
  sink = 0;
}

/* fault malloc_local: an array on the stack is freed */
static void malloc_local(void) {
  char a[40] = "";
  free(hidden(a)); /*~ foreign-free */
  sink = a[3];
}

/* fault malloc_static: a static array is freed */
static void malloc_static(void) {
  static char a[40];
  free(hidden(a)); /*~ foreign-free */
  sink = 0;
}

/* fault malloc_freed: a block is read behind its free */
static void malloc_freed(void) {
  double *a = hidden(calloc(5, sizeof *a));
  double *b = hidden(a);
  free(a);
  sink = b[3]; /*~ use-after-free */
}

/* fault malloc_moved: the old address is written behind a realloc */
static void malloc_moved(void) {
  double *a = hidden(calloc(5, sizeof *a));
  volatile double *old = hidden(a);
  a = realloc(a, 500 * sizeof *a);
  old[2] = 1; /*~ use-after-free */
  free(a);
}

/* fault malloc_resize_freed: realloc of a block that was freed */
static void malloc_resize_freed(void) {
  char *a = hidden(malloc(40)), *b = hidden(a);
  free(a);
  b = hidden(realloc(b, 80)); /*~ double-free */
  free(b);
}

/* fault malloc_jump: the bytes of a block are called */
static void malloc_jump(void) {
  unsigned char *code = hidden(malloc(64));
  void (*jump)(void);
  memset(code, 0xc3, 64); /* x86-64: return */
  memcpy(&jump, &code, sizeof jump);
  jump(); /*~ crash */
  sink = code[0];
  free(code);
}

static void *in_thread(void *a) {
  ((volatile char *)a)[40] = 1; /*~ malloc_thread out-of-bounds */
  return NULL;
}

/* fault malloc_thread: another thread writes behind the block */
static void malloc_thread(void) {
  pthread_t thread;
  char *a = malloc(40);
  if (pthread_create(&thread, NULL, in_thread, a) != 0) exit(3);
  pthread_join(thread, NULL);
  free(a);
}

/* fault malloc_lost: a pointer gets another target before its block is freed */
static void malloc_lost(void) {
  char *a = NULL;
  for (int i = 0; i < 3; i++) a = hidden(malloc(40)); /*~ leak */
  free(a);
}

/* fault malloc_list: a list whose first element has no pointer any more */
static void malloc_list(void) {
  struct element { struct element *next; } *first = NULL;
  for (int i = 0; i < 10; i++) {
    struct element *e = hidden(malloc(sizeof *e)); /*~ leak */
    e->next = first;
    first = e;
  }
}

/* clean malloc_clean: blocks of all kinds of sizes, to their ends, and what libc takes and gives */
static void malloc_clean(void) {
  char *line = NULL, *mine = hidden(malloc(1)), *copy = strdup("copied"), *name = NULL;
  size_t room = 0;
  FILE *file = fopen("/proc/self/status", "r");
  for (size_t n = 0; n < 3000; n += 7) {
    char *a = hidden(malloc(n)), *b = hidden(calloc(n, 1));
    memset(a, 1, n);
    if (n && b[n - 1] != 0) exit(3);
    a = realloc(a, 2 * n + 1);
    if ((n && a[n - 1] != 1) || malloc_usable_size(a) < 2 * n + 1) exit(3);
    free(a);
    free(b);
  }
  if (!file || getline(&line, &room, file) < 0) exit(3);
  room = 1;
  if (getline(&mine, &room, file) < 0) exit(3); /* libc makes the program's block larger */
  fclose(file);
  if (asprintf(&name, "%d", 7) != 1) exit(3);
  free(name);
  free(line);
  free(mine);
  free(copy);
  free(NULL);
  mine = hidden(malloc(10));
  mine = realloc(mine, 0);
  void *aligned = NULL;
  if (posix_memalign(&aligned, 64, 100) != 0) exit(3);
  free(aligned);
}

/* clean malloc_kept: what a static variable leads to lives as long as the program */
static void malloc_kept(void) {
  static struct node { struct node *next; char *text; } *kept;
  for (int i = 0; i < 100; i++) {
    struct node *n = hidden(malloc(sizeof *n));
    n->next = kept;
    n->text = hidden(malloc((size_t)i));
    kept = n;
  }
}

/* clean malloc_fork: a child has its own memory, and may free inherited blocks */
static void malloc_fork(void) {
  char *a = hidden(malloc(40));
  pid_t child = fork();
  int status = 0;
  if (child == 0) {
    char *b = hidden(malloc(100));
    memset(b, a[0] != 0, 100);
    free(b);
    free(a);
    _exit(0);
  }
  if (waitpid(child, &status, 0) != child || status != 0) exit(3);
  free(a);
}

static char *of_handler;
static void before_fork(void) { of_handler = hidden(malloc(40)); }
static void behind_fork(void) { free(of_handler); }

/* clean malloc_fork_handlers: what runs around a fork takes memory and frees it */
static void malloc_fork_handlers(void) {
  pthread_atfork(before_fork, behind_fork, behind_fork);
  malloc_fork();
}

static void *takes_and_gives(void *unused) {
  for (int i = 0; i < 3000; i++) {
    char *a = hidden(malloc((size_t)(i % 100)));
    a = realloc(a, 200);
    free(a);
  }
  return unused;
}

/* clean malloc_threads: threads that allocate and free at once */
static void malloc_threads(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; i++)
    if (pthread_create(&threads[i], NULL, takes_and_gives, NULL) != 0) exit(3);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
}

static void *for_ever(void *seed) {
  unsigned r = (unsigned)(size_t)seed;
  for (char *kept[64] = {0};;) {
    r = r * 1103515245u + 12345u;
    char **one = &kept[r >> 16 & 63];
    free(*one);
    *one = r >> 30 ? hidden(malloc((r >> 8) % 300 + 1)) : NULL;
    if (*one) **one = 1;
  }
  return NULL;
}

/* clean malloc_threads_at_end: threads allocate and free while the program ends */
static void malloc_threads_at_end(void) {
  pthread_t thread;
  for (size_t i = 1; i < 4; i++) {
    if (pthread_create(&thread, NULL, for_ever, (void *)i) != 0) exit(3);
    pthread_detach(thread);
  }
  usleep(100000);
}

/* fault malloc_lost_beside: a lost block is found together with threads that allocate and free */
static void malloc_lost_beside(void) {
  char *a = hidden(malloc(40)); /*~ leak */
  a = NULL;
  malloc_threads_at_end();
  free(a);
}

static _Thread_local double *volatile of_thread;
static pthread_barrier_t both;

static void *waits(void *unused) {
  of_thread = hidden(malloc(13 * sizeof *of_thread));
  pthread_barrier_wait(&both);
  for (;;) pause();
  return unused;
}

/* clean malloc_thread_local: variables of each thread lead to blocks, and one thread still lives at the end */
static void malloc_thread_local(void) {
  pthread_t thread;
  of_thread = hidden(malloc(12 * sizeof *of_thread));
  pthread_barrier_init(&both, NULL, 2);
  if (pthread_create(&thread, NULL, waits, NULL) != 0) exit(3);
  pthread_detach(thread);
  pthread_barrier_wait(&both);
}

/* clean malloc_none: a program that takes no memory at all */
static void malloc_none(void) {}

static void *exit_free;
static void give_back(void) { free(exit_free); }

/* clean malloc_at_exit: a handler at the end frees a block */
static void malloc_at_exit(void) {
  exit_free = malloc(100);
  atexit(give_back);
  exit(0);
}

static void print_most(void) {
  char line[200];
  FILE *status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status))
    if (strncmp(line, "VmHWM", 5) == 0) fputs(line, stdout);
  if (status) fclose(status);
}

/* Blocks of all sizes, one after the other, together with as many live ones as use up a small budget. */
static void churn(long n) {
  static void *kept[14000];
  unsigned r = 1;
  for (int i = 0; i < 14000; i++) kept[i] = hidden(malloc(32));
  for (long i = 0; i < n; i++) {
    r = r * 1103515245u + 12345u;
    size_t bytes = (r >> 8) % 65000 + 1;
    char *a = hidden(malloc(bytes));
    memset(a, 1, bytes);
    free(a);
  }
  for (int i = 0; i < 14000; i++) free(kept[i]);
  print_most();
}

/* As many live blocks as ../../memory/served.sh wants; prints what the process took at most. */
static void many(long n) {
  void **last = NULL;
  for (long i = 0; i < n; i++) {
    void **next = malloc(2 * sizeof *next);
    if (!next) exit(3);
    *next = last;
    last = next;
  }
  while (last) {
    void **next = *last;
    free(last);
    last = next;
  }
  print_most();
}

#define CASES(X) \
  X(malloc_write) X(malloc_read) X(malloc_zero) X(malloc_large) X(malloc_memcpy) X(malloc_twice) X(malloc_inside) X(malloc_local) \
  X(malloc_static) X(malloc_freed) X(malloc_moved) X(malloc_resize_freed) X(malloc_thread) X(malloc_jump) X(malloc_lost) X(malloc_list) X(malloc_clean) \
  X(malloc_kept) X(malloc_fork) X(malloc_threads) X(malloc_none) X(malloc_at_exit) \
  X(malloc_fork_handlers) X(malloc_threads_at_end) X(malloc_lost_beside) X(malloc_thread_local)

int main(int argc, char **argv) {
#define NAMED(name) {#name, name},
  static const struct { const char *name; void (*run)(void); } all[] = {CASES(NAMED)};
  if (argc == 3 && strcmp(argv[1], "many") == 0) {
    many(atol(argv[2]));
    return 0;
  }
  if (argc == 3 && strcmp(argv[1], "churn") == 0) {
    churn(atol(argv[2]));
    return 0;
  }
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    if (argc < 2 || strcmp(argv[1], all[i].name) != 0) continue;
    all[i].run();
    return 0;
  }
  fprintf(stderr, "no such case\n");
  return 4;
}
