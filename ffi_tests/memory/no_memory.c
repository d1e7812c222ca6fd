/* no_memory.c - the n-th request for memory is refused, for n = 1, 2, 3, ... until a call needs no more: every call gives a status, the
 * pool's numbers and invariants hold, the library works afterwards, and nothing hangs or ends the program. Not in this file: the calls
 * (no_memory_calls.c), how memory is refused (refuse.c).
 *     no_memory              all calls in one process: what each needs every time
 *     no_memory every        each call and n in a process of its own: what it needs for the first time, too
 *     no_memory one CALL N F that process; F: 1 refuses from there on
 *     no_memory many WHAT    a million live blocks and 40 MB of address space left: one question about all blocks */
#define _GNU_SOURCE
#include "no_memory.h"
#include "check.h"
#include "child.h"
#include "refuse.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 400 }; /* requests of one call */

char no_memory_text[300];

void no_memory_stuck(const char *call, portable_status status) {
  check_failures++;
  printf("  %s gave %s once there was memory: %s\n", call, portable_status_name(status), portable_last_error());
}

static uint64_t live(void) { return check_stats(check_default_pool()).in_use_blocks; }

/* One call with one refusal. How often it was refused. */
static long once(const struct no_memory_call *c, long at, int forever) {
  int failures = check_failures;
  uint64_t before = c->stopped ? 0 : live();
  no_memory_text[0] = '\0';
  refuse_arm(at, forever);
  portable_status status = c->run();
  refuse_heal();
  long refusals = refuse_refusals();
  char text[300];
  snprintf(text, sizeof text, "%s", no_memory_text[0] ? no_memory_text : portable_last_error());
  CHECK(status <= 0);
  if (status != PORTABLE_OK) CHECK(refusals > 0 && text[0] != '\0');
  if (status != PORTABLE_OK && status != PORTABLE_ERR_NOMEM && status != c->also) {
    check_failures++;
    printf("gave %s: %s\n", portable_status_name(status), text);
  }
  if (!c->stopped) {
    CHECK(live() == before);
    CHECK_STATUS(portable_pool_check(check_default_pool()), PORTABLE_OK);
  }
  CHECK_STATUS(c->run(), PORTABLE_OK);
  if (!c->stopped) CHECK(live() == before);
  if (check_failures != failures) printf("  in: %s, request %ld%s, of %s\n", c->name, at, forever ? " and on" : "", refuse_caller());
  return refusals;
}

static const struct no_memory_call *find(const char *name) {
  for (const struct no_memory_call *c = no_memory_calls; c->name; c++)
    if (strcmp(c->name, name) == 0) return c;
  return NULL;
}

static void stop(void) {
  CHECK(live() == 0);
  CHECK_STATUS(portable_finalize(), PORTABLE_OK);
}

/* Exit status: 0 refused and right, 1 wrong, 2 the call needs fewer requests. */
static int one(const char *name, long at, int forever) {
  const struct no_memory_call *c = find(name);
  if (!c) return 1;
  if (!c->stopped) CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  long refusals = once(c, at, forever);
  if (c->stopped) CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  stop();
  return check_failures ? 1 : refusals ? 0 : 2;
}

static int32_t visit(const portable_block *block, void *payload) {
  CHECK(block->bytes == 8);
  ++*(long *)payload;
  return 0;
}

/* Calls that ask for all blocks need no memory of Go's for each block: Go would end the program. */
static int many(const char *what) {
  enum { BLOCKS = 1000000 };
  struct rlimit limit;
  unsigned long pages = 0;
  static char text[2000];
  size_t needed;
  void *p;
  long seen = 0;
  CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
  for (long i = 0; i < BLOCKS; i++)
    if (portable_alloc(8, "one of many", &p) != PORTABLE_OK) return 1;
  portable_pool pool = check_default_pool();
  FILE *sizes = fopen("/proc/self/statm", "r");
  if (!sizes || fscanf(sizes, "%lu", &pages) != 1 || getrlimit(RLIMIT_AS, &limit) != 0) return 1;
  fclose(sizes);
  limit.rlim_cur = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + (40u << 20);
  if (setrlimit(RLIMIT_AS, &limit) != 0) return 1;
  if (strcmp(what, "list") == 0) {
    CHECK_STATUS(portable_pool_list(pool, visit, &seen), PORTABLE_ERR_NOMEM);
    CHECK_TEXT("no memory for the list of 1000000 blocks");
    CHECK(seen == 0);
  } else if (strcmp(what, "report") == 0) {
    CHECK_STATUS(portable_pool_report(pool, text, sizeof text, &needed), PORTABLE_OK);
    CHECK(strstr(text, "one of many") && strstr(text, "1000000 blocks"));
  } else if (strcmp(what, "check") == 0) {
    CHECK_STATUS(portable_pool_check(pool), PORTABLE_OK);
  } else if (strcmp(what, "full") == 0) {
    CHECK_STATUS(portable_alloc((size_t)1 << 30, "too large", &p), PORTABLE_ERR_NOMEM);
    CHECK_TEXT("one of many");
  }
  CHECK_STATUS(portable_finalize(), PORTABLE_OK); /* with a report of what is live */
  return check_failures > 0;
}

static const char *const questions[] = {"list", "report", "check", "full", "finalize"};

static const char *self(void) {
  static char path[4096];
  ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
  path[n > 0 ? n : 0] = '\0';
  return path;
}

/* The exit status of this program with these arguments. */
static int child(const char *mode, const char *name, long at, int forever) {
  char number[20];
  int status = 0;
  snprintf(number, sizeof number, "%ld", at);
  fflush(stdout);
  pid_t pid = fork();
  if (pid == 0) {
    alarm(emulated_seconds(60)); /* a call that hangs */
    child_exec(self(), (const char *const[]){self(), mode, name, number, forever ? "1" : "0", NULL});
    _exit(127);
  }
  if (pid < 0 || waitpid(pid, &status, 0) != pid) return 1;
  if (WIFSIGNALED(status)) printf("%s, request %ld%s: ended by signal %d\n", name, at, forever ? " and on" : "", WTERMSIG(status));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Go 1.26 begins its heap at a random place of a piece of 64 MB. Where little of that is left (one run of 20 to 50), 8 MB of Go's heap
 * need another piece, more address space than `many` leaves, and Go ends the program. That says nothing about the question: it is asked again. */
static int asked(const char *question) {
  int code = 0;
  for (int attempt = 0; attempt < 4 && (attempt == 0 || code == 128 + SIGABRT); attempt++) code = child("many", question, 0, 0);
  return code;
}

static int every(void) {
  int runs = 0, wrong = 0;
  for (const struct no_memory_call *c = no_memory_calls; c->name; c++)
    for (int forever = 0; forever < 2; forever++) {
      long at = 1;
      for (; at < MOST; at++, runs++) {
        int code = child("one", c->name, at, forever);
        if (code == 2) break;
        if (code != 0) wrong++;
      }
      if (at == MOST) wrong++, printf("%s: more than %d requests\n", c->name, MOST);
    }
  printf("%d processes with a refusal, %d wrong\n", runs, wrong);
  return wrong > 0 || runs < 100;
}

int main(int argc, char **argv) {
  long refusals = 0;
  if (!refuse_open()) {
    printf("no symbols, by which Go's own requests are known\n");
    return 77;
  }
  if (argc == 5 && strcmp(argv[1], "one") == 0) return one(argv[2], atol(argv[3]), atoi(argv[4]));
  if (argc > 2 && strcmp(argv[1], "many") == 0) return many(argv[2]);
  if (argc > 1) return strcmp(argv[1], "every") == 0 ? every() : 1;
  for (const struct no_memory_call *c = no_memory_calls; c->name; c++)
    for (int forever = 0; forever < 2; forever++) {
      if (!c->stopped) CHECK_STATUS(portable_init(NULL), PORTABLE_OK);
      long at = 1, got;
      for (; at < MOST && (got = once(c, at, forever)) > 0; at++) refusals += got;
      CHECK(at < MOST);
      if (!c->stopped) stop();
    }
  printf("%ld refusals\n", refusals);
  for (size_t i = 0; i < sizeof questions / sizeof *questions && !getenv("PORTABLE_FASTPATH"); i++) /* once */
    if (asked(questions[i]) != 0) {
      check_failures++;
      printf("  in: %s of many blocks\n", questions[i]);
    }
  CHECK(refusals > 50);
  if (check_failures) printf("%d checks failed\n", check_failures);
  return check_failures > 0;
}
