/* trace.c - traces in memory: reads the CSV of record.c, and invents one. Not in this file: the
 * replay. */
#include "trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int trace_add(struct trace *t, uint32_t block, int32_t label, uint64_t bytes) {
  if (t->count == t->room) {
    size_t room = t->room ? 2 * t->room : 1024;
    struct op *ops = realloc(t->ops, room * sizeof *ops);
    if (!ops) return 0;
    t->ops = ops;
    t->room = room;
  }
  t->ops[t->count++] = (struct op){block, label, bytes};
  if (label >= 0 && block >= t->blocks) t->blocks = block + 1;
  return 1;
}

int32_t trace_label(struct trace *t, const char *text, size_t bytes) {
  if (bytes > sizeof t->labels[0] - 1) bytes = sizeof t->labels[0] - 1;
  for (int32_t i = 0; i < t->label_count; i++)
    if (strlen(t->labels[i]) == bytes && memcmp(t->labels[i], text, bytes) == 0) return i;
  void *labels = realloc(t->labels, (size_t)(t->label_count + 1) * sizeof t->labels[0]);
  if (!labels) return -1;
  t->labels = labels;
  memcpy(t->labels[t->label_count], text, bytes);
  t->labels[t->label_count][bytes] = '\0';
  return t->label_count++;
}

int trace_finish(struct trace *t) {
  uint64_t *bytes = calloc(t->blocks ? t->blocks : 1, sizeof *bytes), asked = 0;
  if (!bytes) return 0;
  for (size_t i = 0; i < t->count; i++) {
    const struct op *o = &t->ops[i];
    if (o->label < 0) {
      asked -= bytes[o->block];
      continue;
    }
    asked += bytes[o->block] = o->bytes;
    if (asked > t->most_asked) {
      t->most_asked = asked;
      t->at_most = i;
    }
  }
  free(bytes);
  return 1;
}

int trace_read(struct trace *t, const char *file) {
  FILE *in = fopen(file, "r");
  char line[256], op;
  unsigned long id;
  unsigned long long bytes;
  int good = in != NULL, at, number = 1;
  if (good && !fgets(line, sizeof line, in)) good = 0; /* the names of the columns */
  while (good && fgets(line, sizeof line, in)) {
    number++;
    line[strcspn(line, "\r\n")] = '\0';
    if (sscanf(line, "a,%lu,%llu,%n", &id, &bytes, &at) == 2 && id > 0) {
      int32_t label = trace_label(t, line + at, strlen(line + at));
      good = label >= 0 && trace_add(t, (uint32_t)id - 1, label, bytes);
    } else {
      good = sscanf(line, "%c,%lu,", &op, &id) == 2 && op == 'f' && id > 0 && id <= t->blocks &&
             trace_add(t, (uint32_t)id - 1, -1, 0);
    }
  }
  if (!good) fprintf(stderr, "bench_trace: %s: cannot be opened, or line %d is no line of a trace\n", file, number);
  if (in) fclose(in);
  return good && trace_finish(t);
}

/* ---- a made-up trace ---- */

static uint32_t draw(uint64_t *state, uint32_t below) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33) % below;
}

/* real(8), by columns and levels, some of odd size as messages and buffers are. */
static uint64_t size_of(uint64_t *state) {
  static const uint64_t columns[] = {16, 64, 128, 1024}, levels[] = {1, 2, 10, 60, 61, 91, 137, 138};
  uint64_t bytes = 8 * columns[draw(state, 4)] * levels[draw(state, 8)];
  return draw(state, 8) ? bytes : bytes + 1 + draw(state, 5000);
}

/* A routine takes 3 to 12 arrays, calls others, and gives the arrays back, the newest first. */
static int routine(struct trace *t, uint64_t *state, int depth, size_t ops) {
  uint32_t first = t->blocks, arrays = 3 + draw(state, 10);
  char name[32];
  for (uint32_t i = 0; i < arrays; i++) {
    snprintf(name, sizeof name, "work%d_%u", depth, i);
    if (!trace_add(t, first + i, trace_label(t, name, strlen(name)), size_of(state))) return 0;
  }
  for (uint32_t calls = depth < 5 ? draw(state, 4) : 0; calls > 0 && t->count < ops; calls--)
    if (!routine(t, state, depth + 1, ops)) return 0;
  for (uint32_t i = arrays; i-- > 0;)
    if (!trace_add(t, first + i, -1, 0)) return 0;
  return 1;
}

/* Time steps of such routines, and 64 further arrays that live for some steps and go in any order: tracers, buffers
 * of output, halos. */
int trace_make(struct trace *t, uint64_t seed, size_t ops) {
  enum { LONG = 64 };
  uint32_t kept[LONG];
  uint64_t state = seed;
  int32_t label = trace_label(t, "kept", 4);
  for (int i = 0; i < LONG; i++) {
    kept[i] = t->blocks;
    if (!trace_add(t, kept[i], label, size_of(&state))) return 0;
  }
  while (t->count < ops) {
    for (int n = 0; n < 4; n++) {
      uint32_t i = draw(&state, LONG);
      if (!trace_add(t, kept[i], -1, 0) || !routine(t, &state, 3, ops)) return 0;
      kept[i] = t->blocks;
      if (!trace_add(t, kept[i], label, size_of(&state))) return 0;
    }
    if (!routine(t, &state, 0, ops)) return 0;
  }
  return trace_finish(t);
}
