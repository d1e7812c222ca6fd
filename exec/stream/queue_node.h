/* queue_node.h - one thing in a stream's queue. Private, between queue.c, which does it, and queue_put.c, which puts it in. */
#ifndef PORTABLE__QUEUE_NODE_H
#define PORTABLE__QUEUE_NODE_H

#include "work.h"
#include "queue_device.h"

#define PORTABLE__NODE_ROOM 512 /* bytes for argument block and label, before they get memory of their own */

enum { PORTABLE__NODE_JOB, PORTABLE__NODE_CALL, PORTABLE__NODE_WAIT, PORTABLE__NODE_DEVICE };

struct portable__node {
  struct portable__job job;
  struct portable__node *next;
  int what;
  int marked; /* an event of the program's stands behind it */
  struct portable__modes modes; /* of the thread that put it in */
  portable_stream_function function;
  void *payload;
  struct portable__point point;
  struct portable__device_work work;
  size_t args_bytes;
  void *args, *large;
  const char *label;
  _Alignas(64) char room[PORTABLE__NODE_ROOM];
};

/* Waits until the stream has done that much, or until a cuda stream has issued it. Locked. */
void portable__queue_await(struct portable__stream *s, uint64_t number);

#endif
