/* verbose.c - the log: its lines, a crash, a forked child, a daemon, a name that cannot be written. */
#include "child.h"
#include "seen.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static char path[64];
static volatile int *volatile nowhere;

/* This program once more, with such a log, and what it is to do; the status with which it ends. */
static int with_log(const char *self, const char *log, const char *what, const char *more, pid_t *child_out) {
  int status = 0;
  pid_t child = fork();
  if (child == 0) {
    setenv("PORTABLE_VERBOSE", log, 1);
    child_exec(self, (const char *const[]){self, what, more, NULL});
    _exit(99);
  }
  waitpid(child, &status, 0);
  if (child_out) *child_out = child;
  return status;
}

static void nothing(const portable_tile *t, void *args) {
  (void)t;
  (void)args;
}

static void fails(const portable_tile *t, void *args) {
  (void)args;
  portable_kernel_fail(t, 7, "on purpose");
}

static void crashes(const portable_tile *t, void *args) {
  (void)args;
  if (t->lower[0] == 0) *nowhere = 1;
}

static void *works(void *arg) {
  portable_bounds b = portable_bounds_1(50);
  (void)arg;
  for (int i = 0; i < 100; i++) {
    void *p = NULL;
    CHECK_STATUS(portable_alloc(100, "of a thread", &p), PORTABLE_OK);
    CHECK_STATUS(portable_parallel_for("in a thread", &b, nothing, NULL, 0, NULL), PORTABLE_OK);
    CHECK_STATUS(portable_free(p), PORTABLE_OK);
  }
  return NULL;
}

/* Each line is "seconds thread text", and none is cut or mixed. */
static void check_lines(const char *text) {
  static char copy[sizeof seen_text];
  int lines = 0;
  strcpy(copy, text);
  for (char *save = NULL, *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save), lines++) {
    static const char *const words[] = {"launch ", "allocate ", "free ", "fence ", "timer ", "pool ", "the ", "on the host: ", "environment: ", "settings: "};
    double seconds;
    int thread, at = 0;
    size_t w = 0;
    CHECK(sscanf(line, "%lf %d %n", &seconds, &thread, &at) == 2 && at > 0 && seconds >= 0 && thread > 0);
    while (w < sizeof words / sizeof *words && strncmp(line + at, words[w], strlen(words[w])) != 0) w++;
    CHECK(w < sizeof words / sizeof *words);
  }
  CHECK(lines > 0 && text[strlen(text) - 1] == '\n');
}

static void test_lines(void) {
  pthread_t thread[4];
  portable_bounds b = portable_bounds_2(20, 30), none = portable_bounds_1(0);
  portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
  portable_pool_config config = PORTABLE_POOL_CONFIG_INIT;
  portable_pool own = 0;
  void *p = NULL;
  c.tile[0] = 5;
  c.tile[1] = 7;
  c.schedule = PORTABLE_SCHEDULE_DYNAMIC;
  config.name = "mine";
  config.initial_bytes = 1 << 20;
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_device_find("threads", &c.device), PORTABLE_OK);
  CHECK_STATUS(portable_alloc(1000, "h", &p), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for("two\nlines", &b, nothing, NULL, 0, &c), PORTABLE_OK);
  CHECK_STATUS(portable_parallel_for("fails", &b, fails, NULL, 0, NULL), PORTABLE_ERR_KERNEL);
  CHECK_STATUS(portable_parallel_for("none", &none, nothing, NULL, 0, NULL), PORTABLE_OK);
  CHECK_STATUS(portable_timer_start("step"), PORTABLE_OK);
  CHECK_STATUS(portable_timer_stop("step"), PORTABLE_OK);
  CHECK_STATUS(portable_free(p), PORTABLE_OK);
  CHECK_STATUS(portable_pool_create(&config, &own), PORTABLE_OK);
  CHECK_STATUS(portable_pool_destroy(own), PORTABLE_OK);
  CHECK_STATUS(portable_alloc(200u << 20, "large", &p), PORTABLE_OK); /* the pool grows */
  CHECK_STATUS(portable_free(p), PORTABLE_OK);
  for (int i = 0; i < 4; i++) CHECK(pthread_create(&thread[i], NULL, works, NULL) == 0);
  for (int i = 0; i < 4; i++) CHECK(pthread_join(thread[i], NULL) == 0);
  pid_t child = fork();
  if (child == 0) { /* writes nothing */
    portable_parallel_for("in the child", &b, nothing, NULL, 0, NULL);
    _exit(0);
  }
  waitpid(child, NULL, 0);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK); /* goes on in the same file */
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  const char *text = seen_file(path);
  check_lines(text);
  CHECK_SEEN(text, "the library starts: version 0.1.0, process ", 2);
  CHECK_SEEN(text, "the library stops\n", 2);
  CHECK_SEEN(text, "environment: PORTABLE_VERBOSE=", 2);
  CHECK_SEEN(text, "the default pool gets a slab of 67108864 bytes at 0x", 2);
  CHECK_SEEN(text, "the default pool gets a slab of 2", 1);
  CHECK_SEEN(text, "the default pool releases the slab", 3);
  CHECK_SEEN(text, "allocate 'h': 1000 bytes at 0x", 1);
  CHECK_SEEN(text, "free 'h': 1000 bytes at 0x", 1);
  CHECK_SEEN(text, "'two\\nlines' begins: parallel_for, 600 iterations, device threads, dynamic, up to ", 1);
  CHECK_SEEN(text, ", tiles of 5 x 7\n", 1);
  CHECK_SEEN(text, "'two\\nlines' ends after ", 1);
  CHECK_SEEN(text, "'fails' fails after ", 1);
  CHECK_SEEN(text, "the kernel failed with code 7: on purpose", 1);
  CHECK_SEEN(text, "launch 'none' is skipped: no iterations", 1);
  CHECK_SEEN(text, "'portable_fence' begins\n", 2);
  CHECK_SEEN(text, "'portable_fence' ends after ", 2);
  CHECK_SEEN(text, "timer 'step' starts\n", 1);
  CHECK_SEEN(text, "timer 'step' stops\n", 1);
  CHECK_SEEN(text, "'mine' is made\n", 1);
  CHECK_SEEN(text, "pool 'mine' gets a slab of 1048576 bytes", 1);
  CHECK_SEEN(text, " is destroyed\n", 1);
  CHECK_SEEN(text, "allocate 'of a thread': 100 bytes", 400);
  CHECK_SEEN(text, "free 'of a thread': 100 bytes", 400);
  CHECK_SEEN(text, "'in a thread' begins: ", 400);
  CHECK_SEEN(text, "'in a thread' ends ", 400);
  CHECK_SEEN(text, "in the child", 0);
}

/* The program dies by its own signal, and the last lines of the log name the kernel. */
static void crash(void) {
  struct rlimit none = {0, 0};
  portable_bounds b = portable_bounds_1(10);
  setrlimit(RLIMIT_CORE, &none);
  if (portable_init(NULL) != PORTABLE_OK) _exit(9);
  portable_parallel_for("fine", &b, nothing, NULL, 0, NULL);
  portable_parallel_for("culprit", &b, crashes, NULL, 0, NULL);
  _exit(8);
}

static void test_crash(const char *self) {
  pid_t child;
  int status = with_log(self, "verbose_crash_%p.log", "crash", NULL, &child);
  char name[64];
  CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
  snprintf(name, sizeof name, "verbose_crash_%d.log", (int)child);
  const char *text = seen_file(name), *line = strstr(text, "'culprit' begins");
  CHECK_SEEN(text, "'fine' ends", 1);
  CHECK_SEEN(text, "'culprit' begins", 1);
  CHECK_SEEN(text, "'culprit' ends", 0);
  CHECK(line && strstr(line, "portable: signal 11 (invalid memory access) in kernel 'culprit'"));
  unlink(name);
}

/* All numbers up to `last` are files of the daemon's. */
static void take_all(int last) {
  int fd;
  do fd = open("own", O_CREAT | O_WRONLY | O_APPEND, 0666);
  while (fd >= 0 && fd < last);
}

/* Closes 0 to 2 before the library starts, and everything when it runs, as daemons do; each time its own files get the numbers. */
static void daemon_of(int files) {
  struct rlimit limit = {(rlim_t)files, (rlim_t)files};
  portable_bounds b = portable_bounds_1(10);
  void *p = NULL;
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) _exit(3);
  for (int i = 0; i < 3; i++) close(i);
  if (portable_init(NULL) != PORTABLE_OK) _exit(4);
  take_all(2);
  if (portable_alloc(100, "before", &p) != PORTABLE_OK) _exit(5);
  /* A few numbers must be left, for the log to be opened again. */
  for (int i = 3; i < files; i++) close(i);
  take_all(files / 2);
  if (portable_parallel_for("after", &b, nothing, NULL, 0, NULL) != PORTABLE_OK || portable_free(p) != PORTABLE_OK) _exit(6);
  if (portable_finalize() != PORTABLE_OK) _exit(7);
  _exit(0);
}

static void test_daemon(const char *self) {
  static const char *const files[] = {"64", "1024"}; /* less than where the log would like to be, and more */
  for (int i = 0; i < 2; i++) {
    int status = with_log(self, "verbose_daemon.log", "daemon", files[i], NULL);
    struct stat s;
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(stat("own", &s) == 0 && s.st_size == 0);
    const char *text = seen_file("verbose_daemon.log");
    check_lines(text);
    CHECK_SEEN(text, "the library starts", 1);
    CHECK_SEEN(text, "allocate 'before'", 1);
    CHECK_SEEN(text, "'after' ends", 1);
    CHECK_SEEN(text, "free 'before'", 1);
    CHECK_SEEN(text, "the library stops", 1);
    unlink("own");
    unlink("verbose_daemon.log");
  }
}

enum { ROUNDS = 200, WRITERS = 3 };
static pthread_barrier_t round_begins, round_ends;
static _Atomic int awake; /* writers, of all rounds */

static void *writes(void *arg) {
  void *p = NULL;
  (void)arg;
  for (int i = 0; i < ROUNDS; i++) {
    pthread_barrier_wait(&round_begins);
    atomic_fetch_add(&awake, 1);
    while (atomic_load(&awake) < (i + 1) * WRITERS) sched_yield();
    CHECK_STATUS(portable_alloc(100, "at once", &p), PORTABLE_OK);
    CHECK_STATUS(portable_free(p), PORTABLE_OK);
    pthread_barrier_wait(&round_ends);
  }
  return NULL;
}

/* The log's number is closed, and then several threads find that out at once: each opens the file again, and all lines are there. */
static void closed_for_all(void) {
  pthread_t thread[WRITERS];
  if (portable_init(NULL) != PORTABLE_OK) _exit(2);
  pthread_barrier_init(&round_begins, NULL, WRITERS + 1);
  pthread_barrier_init(&round_ends, NULL, WRITERS + 1);
  for (int i = 0; i < WRITERS; i++) CHECK(pthread_create(&thread[i], NULL, writes, NULL) == 0);
  for (int i = 0; i < ROUNDS; i++) {
    for (int fd = 64; fd < 300; fd++) close(fd);
    pthread_barrier_wait(&round_begins);
    pthread_barrier_wait(&round_ends);
  }
  for (int i = 0; i < WRITERS; i++) CHECK(pthread_join(thread[i], NULL) == 0);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  _exit(check_failures > 0);
}

static void test_closed_for_all(const char *self) {
  int status = with_log(self, "verbose_closed.log", "closed", NULL, NULL);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  const char *text = seen_file("verbose_closed.log");
  check_lines(text);
  CHECK_SEEN(text, "allocate 'at once'", ROUNDS * WRITERS);
  CHECK_SEEN(text, "free 'at once'", ROUNDS * WRITERS);
  CHECK_SEEN(text, "the library stops", 1);
  unlink("verbose_closed.log");
}

static void test_refused(void) {
  setenv("PORTABLE_VERBOSE", "/no/such/folder/log", 1);
  seen_begin();
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  CHECK_SEEN(seen_errors(), "portable: warning: PORTABLE_VERBOSE=/no/such/folder/log: the log cannot be written to "
             "/no/such/folder/log (no such file or directory); there is no log", 1);
  setenv("PORTABLE_VERBOSE", "/dev/full", 1);
  seen_begin();
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  CHECK_SEEN(seen_errors(), "PORTABLE_VERBOSE: the log cannot be written any more (No space left on device); it ends here", 1);
}

/* Names with a rank. */
static void test_names(void) {
  CHECK_STATUS(portable_set_rank(3, 0), PORTABLE_OK);
  static const struct { const char *value, *file; } names[] = {
      {"1", "portable_verbose_rank_3.log"}, {"verbose_of_%r_%%.log", "verbose_of_3_%.log"}, {"verbose_same.log", "verbose_same.log.3"}};
  for (int i = 0; i < 3; i++) {
    setenv("PORTABLE_VERBOSE", names[i].value, 1);
    CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
    CHECK_STATUS(portable_finalize(), PORTABLE_OK);
    CHECK_SEEN(seen_file(names[i].file), "the library stops", 1);
    unlink(names[i].file);
  }
  setenv("PORTABLE_VERBOSE", "no", 1);
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
  CHECK(access("no", F_OK) != 0);
}

int main(int argc, char **argv) {
  char self[4096], folder[64];
  if (argc > 1 && strcmp(argv[1], "crash") == 0) crash();
  if (argc > 2 && strcmp(argv[1], "daemon") == 0) daemon_of(atoi(argv[2]));
  if (argc > 1 && strcmp(argv[1], "closed") == 0) closed_for_all();
  CHECK(realpath(argv[0], self) != NULL);
  snprintf(folder, sizeof folder, "verbose_%d", (int)getpid()); /* this program runs several times at once */
  CHECK(mkdir(folder, 0700) == 0 && chdir(folder) == 0);
  snprintf(path, sizeof path, "verbose_%d.log", (int)getpid());
  setenv("PORTABLE_VERBOSE", "verbose_%p.log", 1);
  setenv("GATOR_INITIAL_MB", "64", 1);
  test_crash(self);
  test_daemon(self);
  test_closed_for_all(self);
  test_lines();
  unlink(path);
  test_refused();
  test_names();
  CHECK(chdir("..") == 0 && rmdir(folder) == 0); /* nothing else was written */
  if (check_failures > 0) printf("%d checks failed\n", check_failures);
  return check_failures > 0;
}
