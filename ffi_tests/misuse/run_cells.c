/* run_cells.c - runs the matrix of misuse: run_cells CELLS library|stub NAME=PROGRAM...
 *
 * A line of CELLS is: program | kind | settings | outcome | outcome with the stub. Settings are fast or slow
 * (PORTABLE_FASTPATH=0), pool or disable (GATOR_DISABLE=1), default or strict (GATOR_STRICT=1); the line is a cell for
 * each of what it does not name. NAME=VALUE words are set besides. Each cell is a process of its own, with no
 * other variable of ours in its environment. An outcome is
 *   ok               the program comes to its end, exits with 0, and writes nothing but a success
 *   says: TEXTS      the same, but it writes TEXTS
 *   warning: TEXTS   the same, and exactly one line holds the word warning
 *   stop: TEXTS      it does not come to its end, exits with another status, and writes TEXTS
 *   abort: TEXTS     the same, killed by SIGABRT
 * TEXTS are joined by &&; each is looked for without regard to case. = is the same as the library's.
 *
 * It runs the cells of one column, slow when its own environment has PORTABLE_FASTPATH=0, else fast, as many at once
 * as there are cores. A program is called as PROGRAM KIND NAME. With an empty KIND it lists the kinds that it holds, or its
 * cells, as lines of: kind | settings | outcome. The product of kinds and settings must be there, both columns of it.
 * NAME=- says that a program is not available here. CELLS_EVERY=N runs each Nth cell of the column.
 * Not in this file: any cell. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"

enum { MAX_CELLS = 20000, MAX_KINDS = 1000, MAX_PROGRAMS = 16, MAX_CHILDREN = 64, SECONDS = 60, OUTPUT = 65536 };

struct cell {
  char *program, *kind, *settings, *outcome;
  int place; /* of the eight: slow 4, disable 2, strict 1 */
};

static struct cell cells[MAX_CELLS];
static size_t cell_count;
static struct { const char *name, *path; } programs[MAX_PROGRAMS];
static size_t program_count;
static struct { pid_t pid; int file; const struct cell *cell; } children[MAX_CHILDREN];
static size_t ran, failed;

static void fail_hard(const char *what, const char *which) {
  fprintf(stderr, "run_cells: %s: %s\n", what, which);
  exit(2);
}

static char *trim(char *s) {
  char *end;
  while (*s == ' ') s++;
  for (end = s + strlen(s); end > s && (end[-1] == ' ' || end[-1] == '\n'); end--) {}
  *end = '\0';
  return s;
}

static const char *path_of(const char *program) {
  for (size_t i = 0; i < program_count; i++)
    if (strcmp(programs[i].name, program) == 0) return programs[i].path;
  fail_hard("no program was given for", program);
  return NULL;
}

static int has_word(const char *settings, const char *word) {
  const char *at = strstr(settings, word);
  size_t n = strlen(word);
  return at && (at == settings || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0');
}

static const char *const sides[3][2] = {{"fast", "slow"}, {"pool", "disable"}, {"default", "strict"}};

static int holds(const char *settings, int place) {
  for (int i = 0; i < 3; i++)
    if (has_word(settings, sides[i][!(place & (4 >> i))])) return 0;
  return 1;
}

/* A line of several fields, which end at a bar; the line must have exactly these. */
static void split(char *line, char **fields, int count) {
  char *rest = line;
  for (int i = 0; i < count; i++) {
    if (!rest) fail_hard("a line of too few fields", line);
    fields[i] = trim(strsep(&rest, "|"));
  }
  if (rest) fail_hard("a line of too many fields", line);
}

static void add_cells(const char *program, const char *kind, const char *settings, const char *outcome) {
  struct cell c = {strdup(program), strdup(kind), strdup(settings), strdup(outcome), 0};
  for (; c.place < 8; c.place++) {
    if (!holds(c.settings, c.place)) continue;
    if (cell_count == MAX_CELLS) fail_hard("too many cells", program);
    cells[cell_count++] = c;
  }
}

static void read_cells(const char *path, int stub) {
  static char line[16384];
  FILE *f = fopen(path, "r");
  if (!f) fail_hard("cannot read", path);
  while (fgets(line, sizeof line, f)) {
    char *fields[5];
    if (line[0] == '#') continue;
    split(line, fields, 5);
    if (strcmp(path_of(fields[0]), "-") == 0) continue;
    add_cells(fields[0], fields[1], fields[2], stub && strcmp(fields[4], "=") != 0 ? fields[4] : fields[3]);
  }
  fclose(f);
}

/* Asks a program for its kinds, and for its cells where it has them. Gives the number of kinds. */
static size_t list_kinds(const char *program, const char *path, char **kinds) {
  static char command[4096], line[16384];
  size_t held = 0;
  FILE *list;
  const char *emulator = getenv("CHECK_EMULATOR");
  snprintf(command, sizeof command, "%s '%s' '' %s", emulator ? emulator : "", path, program);
  if (!(list = popen(command, "r"))) fail_hard("cannot run", path);
  while (fgets(line, sizeof line, list)) {
    char *fields[3] = {trim(line)};
    size_t k = 0;
    if (strchr(line, '|')) {
      split(line, fields, 3);
      add_cells(program, fields[0], fields[1], fields[2]);
    }
    while (k < held && strcmp(kinds[k], fields[0]) != 0) k++;
    if (k < held) continue;
    if (held == MAX_KINDS) fail_hard("too many kinds", path);
    kinds[held++] = strdup(fields[0]);
  }
  if (pclose(list) != 0 || held == 0) fail_hard("no list of kinds from", path);
  return held;
}

/* Every kind that a program holds has each of the eight places once, and no other kind has any. */
static void check_complete(const char *program, const char *path) {
  static char *kinds[MAX_KINDS];
  size_t known = 0, listed = 0, held = list_kinds(program, path, kinds);
  for (size_t k = 0; k < held; k++) {
    int seen[8] = {0};
    for (size_t i = 0; i < cell_count; i++)
      if (strcmp(cells[i].program, program) == 0 && strcmp(cells[i].kind, kinds[k]) == 0) seen[cells[i].place]++;
    for (int p = 0; p < 8; p++) {
      known += (size_t)seen[p];
      if (seen[p] == 1) continue;
      failed++;
      printf("FAILED: %s %s has %d cells for %s %s %s\n", program, kinds[k], seen[p], sides[0][p / 4], sides[1][p / 2 % 2], sides[2][p % 2]);
    }
  }
  for (size_t i = 0; i < cell_count; i++) listed += strcmp(cells[i].program, program) == 0;
  if (listed == known) return;
  failed++;
  printf("FAILED: %s: %zu cells are of kinds that it does not hold\n", program, listed - known);
}

static void become(const struct cell *c, int file) {
  struct rlimit no_core = {0, 0};
  char words[4096], *rest = words, *word;
  setrlimit(RLIMIT_CORE, &no_core);
  snprintf(words, sizeof words, "%s", c->settings);
  setenv("GFORTRAN_ERROR_BACKTRACE", "0", 1); /* its names would pass for texts that are looked for */
  if (c->place & 4) setenv("PORTABLE_FASTPATH", "0", 1);
  if (c->place & 2) setenv("GATOR_DISABLE", "1", 1);
  if (c->place & 1) setenv("GATOR_STRICT", "1", 1);
  while ((word = strsep(&rest, " ")))
    if (strchr(word, '=')) putenv(word);
  dup2(file, STDOUT_FILENO);
  dup2(file, STDERR_FILENO);
  alarm(emulated_seconds(SECONDS));
  child_exec(path_of(c->program), (const char *const[]){c->program, c->kind, c->program, NULL});
  _exit(127);
}

static size_t count(const char *text, const char *part, int lines) {
  size_t n = 0;
  while ((text = strcasestr(text, part))) {
    n++;
    text += strlen(part);
    if (lines && !(text = strchr(text, '\n'))) break;
  }
  return n;
}

/* The texts that are written in addition to the end and a success. */
static int wrote_something(char *text) {
  char *line;
  while ((line = strsep(&text, "\n")))
    if (*line && strcmp(line, "end of case") != 0 && strcmp(trim(line), "stat 0:") != 0 && strcmp(line, "status 0") != 0)
      return 1;
  return 0;
}

/* Why the outcome is not met, NULL when it is. */
static const char *verdict(const struct cell *c, int status, const char *text) {
  static char why[400];
  static char copy[OUTPUT], outcome[16384];
  snprintf(outcome, sizeof outcome, "%s", c->outcome);
  char *texts = outcome, *word = strsep(&texts, ":"), *one;
  int ended = strstr(text, "end of case\n") != NULL;
  if (strcmp(word, "stop") == 0 || strcmp(word, "abort") == 0) {
    if (ended) return "it came to its end";
    if (strcmp(word, "abort") == 0 && !(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT)) return "it was not aborted";
    if (strcmp(word, "stop") == 0 && (!WIFEXITED(status) || WEXITSTATUS(status) != 1)) return "its exit status is not that of error stop";
  } else {
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      snprintf(why, sizeof why, "it ended with %s %d", WIFEXITED(status) ? "status" : "signal",
               WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
      return why;
    }
    if (!ended) return "it did not come to its end";
    if (strcmp(word, "warning") == 0) {
      if (count(text, "warning", 1) != 1) return "not exactly one warning";
    } else if (strcmp(word, "ok") == 0) {
      snprintf(copy, sizeof copy, "%s", text);
      if (wrote_something(copy)) return "it wrote something";
    } else if (strcmp(word, "says") != 0) {
      return "no such outcome";
    }
  }
  while (texts && (one = texts)) {
    char *next = strstr(one, "&&");
    if (next) *next = '\0';
    texts = next ? next + 2 : NULL;
    one = trim(one);
    if (!strcasestr(text, one)) {
      snprintf(why, sizeof why, "'%.300s' is not in what it wrote", one);
      return why;
    }
  }
  return NULL;
}

static void finish_one(void) {
  static char text[OUTPUT];
  int status;
  pid_t pid = wait(&status);
  for (size_t i = 0; i < MAX_CHILDREN; i++) {
    if (pid <= 0 || children[i].pid != pid) continue;
    const struct cell *c = children[i].cell;
    ssize_t got = pread(children[i].file, text, sizeof text - 1, 0);
    text[got > 0 ? got : 0] = '\0';
    close(children[i].file);
    children[i].pid = 0;
    ran++;
    const char *why = verdict(c, status, text);
    if (!why) return;
    failed++;
    printf("FAILED: %s %s (%s %s %s): expected %.2000s: %s\n", c->program, c->kind, sides[0][c->place / 4],
           sides[1][c->place / 2 % 2], sides[2][c->place % 2], c->outcome, why);
    printf("    it wrote: %.1500s\n", text);
    return;
  }
}

static void start(const struct cell *c) {
  for (size_t i = 0; i < MAX_CHILDREN; i++) {
    if (children[i].pid) continue;
    char name[] = "/tmp/portable-cell-XXXXXX";
    int file = mkostemp(name, O_CLOEXEC);
    if (file < 0) fail_hard("no temporary file", name);
    unlink(name);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) become(c, file);
    if (pid < 0) fail_hard("cannot fork for", c->kind);
    children[i].pid = pid;
    children[i].file = file;
    children[i].cell = c;
    return;
  }
}

int main(int argc, char **argv) {
  if (argc < 4) fail_hard("usage", "run_cells CELLS library|stub NAME=PROGRAM...");
  const char *fast = getenv("PORTABLE_FASTPATH");
  int column = fast && strcmp(fast, "0") == 0 ? 4 : 0;
  const char *part = getenv("CELLS_EVERY");
  size_t every = part && atoi(part) > 0 ? (size_t)atoi(part) : 1, there = 0;
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  size_t most = cores < 1 ? 1 : cores > MAX_CHILDREN ? MAX_CHILDREN : (size_t)cores, running = 0, wanted = 0;
  const char *const ours[] = {"PORTABLE_FASTPATH", "GATOR_DISABLE", "GATOR_STRICT", "GATOR_INITIAL_MB", "GATOR_GROW_MB",
                              "GATOR_BLOCK_BYTES", "PORTABLE_LIMIT_MB", "PORTABLE_ALLOCATE_FROM"};
  for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++) unsetenv(ours[i]);
  for (int i = 3; i < argc && program_count < MAX_PROGRAMS; i++) {
    char *name = strdup(argv[i]), *equals = strchr(name, '=');
    if (!equals) fail_hard("not NAME=PROGRAM", argv[i]);
    *equals = '\0';
    programs[program_count].name = name;
    programs[program_count++].path = equals + 1;
  }
  read_cells(argv[1], strcmp(argv[2], "stub") == 0);
  for (size_t i = 0; i < program_count; i++)
    if (strcmp(programs[i].path, "-") != 0) check_complete(programs[i].name, programs[i].path);
  for (size_t i = 0; i < cell_count; i++) {
    if ((cells[i].place & 4) != column || there++ % every != 0) continue;
    wanted++;
    if (running == most)
      finish_one();
    else
      running++;
    start(&cells[i]);
  }
  for (; running > 0; running--) finish_one();
  printf("%zu cells ran of %zu in the column %s, %zu in both columns; %zu failures\n", ran, there,
         column ? "slow" : "fast", cell_count, failed);
  return ran == wanted && ran > 0 && failed == 0 ? 0 : 1;
}
