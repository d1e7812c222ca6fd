/* queue_node.h - one node of a stream's queue: queue_put.c adds it, queue.c does it. */
#ifndef PORTABLE__QUEUE_NODE_H
#define PORTABLE__QUEUE_NODE_H

#include "work.h"
#include "queue_device.h"

#define PORTABLE__NODE_ROOM 512 /* bytes of argument block and label in the node; larger ones get memory of their own */

enum { PORTABLE__NODE_JOB, PORTABLE__NODE_CALL, PORTABLE__NODE_WAIT, PORTABLE__NODE_DEVICE, PORTABLE__NODE_REPLAY };

struct portable__node {
  struct portable__job job;
  struct portable__node *next;
  int what;
  int marked; /* an event has its point */
  struct portable__modes modes; /* of the thread that added it */
  portable_stream_function function;
  void *payload;
  portable__replay replay; /* of payload, with args */
  struct portable__point point;
  struct portable__device_work work;
  size_t args_bytes;
  size_t head; /* in a graph: bytes of args in front of the block of a block or outer kernel */
  void *args, *large;
  const char *label;
  _Alignas(64) char room[PORTABLE__NODE_ROOM];
};

/* Waits until the stream has done the number, or a CUDA stream has issued it; with gives_up, or until its end begins. Locked. */
void portable__queue_await(struct portable__stream *s, uint64_t number, int gives_up);

#endif
