/* hazard.c - finds launches of different streams that use one block in no fixed order (hazard.h): a
 * vector clock for each stream and for everything outside of streams, and the last users of each
 * block. In C because launches into streams do not call Go. Not in this file: blocks that kernel
 * objects declare and a program frees early (event.c). Locks: `lock` guards everything here; under
 * it only the register of blocks is called. */
#include "../edge/above.h"
#include "../handle/slots.h"
#include "../team/team.h"
#include "../tracing/found.h"
#include "../edge/text.h"
#include "hazard.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../stacks/stack.h"

#define STREAMS 64   /* those whose slots have higher numbers are not looked at */
#define OUTSIDE STREAMS
#define USES 8       /* that are kept of a block; further streams are not reported */
#define BUCKETS 4096

struct use {
  uint64_t number; /* in its stream; 0: none */
  uint32_t stream, stack;
  const char *label;
};

struct block {
  struct block *next;
  uintptr_t start;
  uint64_t kept; /* bits of streams until which the pool keeps it */
  struct use write, reads[USES], seen[USES]; /* seen: by launches that declare nothing */
};

__thread const struct portable__declared *portable__hazard_declared;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t known[STREAMS + 1][STREAMS]; /* [who][stream]: up to which number it is done before what comes next there */
static struct block *buckets[BUCKETS];

/* ---- what is known to be done ---- */

/* A stream begins with its slot. */
static uint32_t row_of(const struct portable__stream *s) { return ((const struct portable__slot_head *)(const void *)s)->number; }

static void learn(uint32_t who, uint32_t of) {
  for (uint32_t i = 0; i < STREAMS; i++)
    if (known[who][i] < known[of][i]) known[who][i] = known[of][i];
}

static void learn_point(uint32_t who, struct portable__point p) {
  if (!p.stream || row_of(p.stream) >= STREAMS) return;
  uint32_t of = row_of(p.stream);
  if (known[who][of] < p.number) known[who][of] = p.number;
  learn(who, of);
}

void portable__hazard_waited(struct portable__point point) {
  pthread_mutex_lock(&lock);
  learn_point(OUTSIDE, point);
  pthread_mutex_unlock(&lock);
}

void portable__hazard_waited_all(void) {
  struct portable__point point;
  int is_there;
  pthread_mutex_lock(&lock);
  for (uint32_t i = 0; i < STREAMS && (is_there = portable__above_stream.completed(i, &point)) >= 0; i++)
    if (is_there) learn_point(OUTSIDE, point);
  pthread_mutex_unlock(&lock);
}

void portable__hazard_waits(const struct portable__stream *s, struct portable__point point) {
  if (row_of(s) >= STREAMS) return;
  pthread_mutex_lock(&lock);
  learn_point(row_of(s), point);
  pthread_mutex_unlock(&lock);
}

static int ordered(uint32_t who, const struct use *u) {
  return u->number == 0 || u->stream == who || known[who][u->stream] >= u->number;
}

/* ---- who used a block ---- */

static struct block **place_of(uintptr_t start) {
  struct block **at = &buckets[(start >> 6) * 0x9e3779b97f4a7c15u >> 52];
  while (*at && (*at)->start != start) at = &(*at)->next;
  return at;
}

static struct block *block_of(uintptr_t start, int make) {
  struct block **at = place_of(start);
  if (!*at && make && (*at = calloc(1, sizeof **at))) (*at)->start = start;
  return *at;
}

/* The newest use of each stream is enough: what comes after it comes after all before it. */
static void keep(struct use uses[USES], uint32_t who, const struct use *u) {
  struct use *free_one = NULL;
  for (int i = 0; i < USES; i++) {
    if (uses[i].number && uses[i].stream == u->stream) {
      uses[i] = *u;
      return;
    }
    if (!free_one && ordered(who, &uses[i])) free_one = &uses[i];
  }
  if (free_one) *free_one = *u;
}

/* Findings to report when the lock is free again: findings take stacks and write files. */
struct told {
  int found;
  struct use with;
};

static void tell(const struct told *t, const struct portable__known *block, const char *text) {
  struct portable__found f = {.kind = PORTABLE__FOUND_STREAM, .address = atomic_load(&block->start), .block_start = atomic_load(&block->start),
                              .block_bytes = block->bytes, .here = portable__stack_here(), .alloc = block->alloc_stack, .other = t->with.stack,
                              .label = block->label, .text = text, .other_label = t->with.label};
  portable__finding_of(&f);
}

static void note(struct told *t, uint32_t who, const struct use *u) {
  if (t->found || ordered(who, u)) return;
  t->found = 1;
  t->with = *u;
}

/* who uses the block from now on; u is NULL for a use that ends at once. label is who it is in the text. */
static void use(uint32_t who, const struct use *u, const struct portable__known *known_block, int32_t access, const char *label) {
  struct told write = {0}, read = {0};
  char text[512];
  pthread_mutex_lock(&lock);
  struct block *b = block_of(known_block->start, u != NULL);
  if (b) {
    note(&write, who, &b->write);
    for (int i = 0; (access & PORTABLE_ACCESS_WRITE) && i < USES; i++) note(&read, who, &b->reads[i]);
  }
  if (b && u && (access & PORTABLE_ACCESS_WRITE)) {
    b->write = *u;
    memset(b->reads, 0, sizeof b->reads);
  } else if (b && u) {
    keep(b->reads, who, u);
  }
  pthread_mutex_unlock(&lock);
  const struct told *t = write.found ? &write : &read;
  if (!t->found) return;
  portable__message(text, sizeof text, "%s %s it while launch '%s' in another stream, which nothing orders before it, may still %s it: record an event behind that launch "
           "and let this stream wait for it (portable_stream_wait_event), or fence", label,
           access == PORTABLE_ACCESS_READ ? "reads" : access == PORTABLE_ACCESS_WRITE ? "writes" : "reads and writes", t->with.label,
           write.found ? "write" : "read");
  tell(t, known_block, text);
}

/* ---- launches ---- */

static void use_declared(uint32_t who, const struct use *u, const char *label, const struct portable__declared *d) {
  char launch[PORTABLE__LABEL_MAX + 16];
  snprintf(launch, sizeof launch, "launch '%.*s'", PORTABLE__LABEL_MAX, label);
  for (size_t i = 0; d->args && i < d->count; i++) {
    const portable_argument *a = &d->arguments[i].what;
    struct portable__known block;
    uintptr_t pointer;
    if (a->kind < PORTABLE_ARGUMENT_POINTER) continue;
    memcpy(&pointer, (const char *)d->args + a->offset, sizeof pointer);
    if (pointer && portable__blocks_around(pointer, &block)) use(who, u, &block, a->access, launch);
  }
}

/* Words that are addresses in blocks: the kernel can get there. */
static void see(uint32_t who, const struct use *u, const void *args, size_t bytes) {
  for (size_t at = 0; args && at + sizeof(uintptr_t) <= bytes; at += sizeof(uintptr_t)) {
    struct portable__known block;
    uintptr_t word;
    memcpy(&word, (const char *)args + at, sizeof word);
    if (word < 4096 || !portable__blocks_around(word, &block)) continue;
    pthread_mutex_lock(&lock);
    struct block *b = block_of(block.start, 1);
    if (b) keep(b->seen, who, u);
    pthread_mutex_unlock(&lock);
  }
}

void portable__hazard_launch(struct portable__stream *s, uint64_t number, const char *label, const void *args, size_t args_bytes) {
  uint32_t who = row_of(s);
  struct portable__stream *inside = portable__queue_inside();
  struct portable__point point;
  if (who >= STREAMS) return;
  struct use u = {number, who, portable__stack_here(), portable__blocks_label(label, strlen(label))};
  pthread_mutex_lock(&lock);
  learn(who, OUTSIDE);
  if (inside && portable__above_stream.completed(row_of(inside), &point) > 0) learn_point(who, point);
  pthread_mutex_unlock(&lock);
  if (portable__hazard_declared)
    use_declared(who, &u, label, portable__hazard_declared);
  else
    see(who, &u, args, args_bytes);
}

static int at_once(const portable_launch_config *config) {
  portable_stream stream = config && config->struct_size >= offsetof(portable_launch_config, stream) + sizeof config->stream ? config->stream : 0;
  return portable__above_stream.kind(stream) == PORTABLE_STREAM_SYNC && !portable__queue_inside() && !portable__running_job;
}

void portable__hazard_follows(const char *label, const struct portable__declared *follows, const portable_launch_config *config) {
  if (follows && at_once(config)) use_declared(OUTSIDE, NULL, label, follows);
  portable__hazard_declared = follows;
}

void portable__hazard_here(const char *label) {
  if (portable__hazard_declared && !portable__queue_inside() && !portable__running_job) use_declared(OUTSIDE, NULL, label, portable__hazard_declared);
}

void portable__hazard_two(struct portable__declared_two *two, const char *label, const void *reads, const void *writes, const portable_launch_config *config) {
  memset(two, 0, sizeof *two);
  two->pointers[0] = reads;
  two->pointers[1] = writes;
  for (size_t i = 0; i < 2; i++) {
    two->arguments[i].what.kind = PORTABLE_ARGUMENT_POINTER;
    two->arguments[i].what.offset = i * sizeof(void *);
    two->arguments[i].what.access = i ? PORTABLE_ACCESS_WRITE : PORTABLE_ACCESS_READ;
  }
  two->declared = (struct portable__declared){two->arguments, 2, two->pointers};
  portable__hazard_follows(label, &two->declared, config);
}

/* ---- blocks that go ---- */

void portable__hazard_keeps(const void *address, const struct portable__stream *s) {
  struct portable__known block;
  if (row_of(s) >= STREAMS || !portable__blocks_around((uintptr_t)address, &block)) return;
  pthread_mutex_lock(&lock);
  struct block *b = block_of(block.start, 1);
  if (b) b->kept |= UINT64_C(1) << row_of(s);
  pthread_mutex_unlock(&lock);
}

void portable__hazard_free(uintptr_t start) {
  struct told t = {0};
  struct portable__known block;
  struct portable__stream *inside = portable__queue_inside();
  pthread_mutex_lock(&lock);
  struct block **at = place_of(start), *b = *at;
  if (b) {
    for (int i = 0; i < USES; i++)
      if (!(b->kept >> b->seen[i].stream & 1) && !(inside && row_of(inside) == b->seen[i].stream)) note(&t, OUTSIDE, &b->seen[i]);
    *at = b->next;
    free(b);
  }
  pthread_mutex_unlock(&lock);
  if (!t.found || !portable__blocks_find(start, &block)) return;
  char text[512];
  portable__message(text, sizeof text, "released while launch '%s' in a stream, which got a pointer to it, may still use it: fence the stream first, or say "
           "portable_add_stream_dependency, and the block stays until the stream has passed", t.with.label);
  tell(&t, &block, text);
}
