/* capture.c - graphs of CUDA devices: makes the driver's graph from a plan, launches it, changes
 * parameters. Main function: portable__graph_capture, at the end of a recording. It captures in
 * streams of its own, for a short time, on one thread, so nothing else is captured, and code that
 * was compiled for the first launch is there already. A driver without captures (OpenCL) gets all
 * nodes in one piece of work. Locks: a graph's, but not in enqueue and one_by_one, which may run on
 * a stream's thread. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../internal/backend/cuda/devices.h"
#include "../../internal/backend/cuda/module.h"
#include "../../internal/backend/cuda/stream.h"
#include "../../internal/edge/above.h"
#include "../../internal/observe/watch.h"
#include "../device/cuda_launch.h"
#include "../device/device_work.h"
#include "../stream/queue_node.h"
#include "graph.h"

struct portable__graph_device {
  int32_t index;
  void *graph, *exec; /* NULL: of a driver without captures */
  char label[64];
  void *nodes[]; /* of the driver, by the graph's numbers; NULL: not one kernel */
};

/* A capture in progress. */
struct capture {
  int32_t index;
  size_t lanes, steps;
  void **native; /* of each lane */
  void **event;  /* of each step that another lane needs; [0]: of the begin */
  char *wanted;
  int code;         /* the first failure of the driver, of this call */
  const char *call;
};

static int tell(struct capture *c, int code, const char *call) {
  if (code && !c->code) {
    c->code = code;
    c->call = call;
  }
  return c->code == 0;
}

/* Records an event in the lane, for the step. */
static int mark(struct capture *c, size_t step, size_t lane) {
  return tell(c, portable__cuda_event_make(c->index, &c->event[step]), "cuEventCreate") &&
         tell(c, portable__cuda_event_record(c->index, c->event[step], c->native[lane]), "cuEventRecord");
}

static int wait(struct capture *c, size_t lane, size_t step) {
  return tell(c, portable__cuda_stream_wait(c->index, c->native[lane], c->event[step]), "cuStreamWaitEvent");
}

static portable_status refused(const char *call, const struct portable__node *n, portable_status status) {
  if (!n->work.own) return status;
  return portable__fail(status < 0 ? status : PORTABLE_ERR_DEVICE, "%s: the function of '%s' gave %d", call, n->label, (int)status);
}

static int launch_node(void *native, void *payload) {
  const struct portable__cuda_node *k = payload;
  return portable__cuda_function_launch(native, k->function, k->grid, k->block, k->shared_bytes, k->parameters, k->bytes);
}

/* Puts the node into its lane. */
static portable_status put(struct capture *c, struct portable__graph_device *d, struct portable__node *n, size_t lane, void **node_out) {
  struct portable__cuda_node kernel;
  void *block;
  size_t bytes;
  int status = 0;
  if (portable__cuda_node_of(&n->work, n->args, &kernel, &block, &bytes) == 1) {
    tell(c, portable__cuda_inside(d->index, c->native[lane], launch_node, &kernel, &status), "cuCtxSetCurrent");
    if (tell(c, status, "cuLaunchKernel")) tell(c, portable__cuda_capture_last(d->index, c->native[lane], node_out), "cuStreamGetCaptureInfo");
    return PORTABLE_OK;
  }
  tell(c, portable__cuda_inside(d->index, c->native[lane], n->work.enqueue, n->args, &status), "cuCtxSetCurrent");
  return status == PORTABLE_OK ? PORTABLE_OK : refused("portable_graph_end", n, status);
}

static portable_status put_all(struct capture *c, struct portable__graph *g) {
  portable_status status = PORTABLE_OK;
  if (c->lanes > 1 && mark(c, 0, 0))
    for (size_t l = 1; l < c->lanes; l++) wait(c, l, 0);
  for (size_t i = 0; i < g->step_count && c->code == 0 && status == PORTABLE_OK; i++) {
    const struct portable__graph_step *step = &g->steps[i];
    for (int k = 0; k < 2; k++)
      if (step->needs[k] && g->steps[step->needs[k] - 1].lane != step->lane) wait(c, step->lane, step->needs[k]);
    if (step->node >= 0) status = put(c, g->driver, g->nodes[step->node], step->lane, &g->driver->nodes[step->node]);
    if (c->wanted[i + 1]) mark(c, i + 1, step->lane);
  }
  for (size_t l = 1; l < c->lanes && c->code == 0; l++) /* the first lane ends the capture */
    if (mark(c, g->step_count + l, l)) wait(c, 0, g->step_count + l);
  return status;
}

static portable_status capture(struct capture *c, struct portable__graph *g) {
  struct portable__graph_device *d = g->driver;
  portable_status status = PORTABLE_OK;
  for (size_t l = 0; l < c->lanes; l++) tell(c, portable__cuda_stream_make(d->index, &c->native[l]), "cuStreamCreate");
  const int begun = c->code == 0 ? portable__cuda_capture_begin(d->index, c->native[0]) : c->code;
  if (begun != PORTABLE__CUDA_NO_ENTRY && tell(c, begun, "cuStreamBeginCapture")) {
    status = put_all(c, g);
    const int whole = c->code == 0 && status == PORTABLE_OK;
    const char *call;
    const int code = portable__cuda_capture_end(d->index, c->native[0], &d->graph, whole ? &d->exec : NULL, &call);
    if (whole) tell(c, code, call);
  }
  for (size_t e = 0; e < g->step_count + c->lanes + 1; e++)
    if (c->event[e]) (void)portable__cuda_event_end(d->index, c->event[e]);
  for (size_t l = 0; l < c->lanes; l++)
    if (c->native[l]) (void)portable__cuda_stream_end(d->index, c->native[l]);
  if (status == PORTABLE_OK && c->code) status = portable__above_device.fail(c->code, c->call, d->label);
  return status;
}

portable_status portable__graph_capture(struct portable__graph *g) {
  struct capture c = {.index = portable__cuda_index(g->device), .lanes = 1};
  portable_status status = PORTABLE_ERR_NOMEM;
  for (size_t i = 0; i < g->step_count; i++)
    if (g->steps[i].lane >= c.lanes) c.lanes = g->steps[i].lane + 1;
  g->driver = calloc(1, sizeof *g->driver + (g->node_count + 1) * sizeof g->driver->nodes[0]);
  c.native = calloc(c.lanes, sizeof *c.native);
  c.event = calloc(g->step_count + c.lanes + 1, sizeof *c.event);
  c.wanted = calloc(g->step_count + 1, 1);
  if (g->driver && c.native && c.event && c.wanted) {
    g->driver->index = c.index;
    snprintf(g->driver->label, sizeof g->driver->label, "graph of %zu: %.40s", g->node_count, g->node_count ? g->nodes[0]->label : "nothing");
    for (size_t i = 0; i < g->step_count; i++)
      for (int k = 0; k < 2; k++)
        if (g->steps[i].needs[k] && g->steps[g->steps[i].needs[k] - 1].lane != g->steps[i].lane) c.wanted[g->steps[i].needs[k]] = 1;
    status = capture(&c, g);
  } else {
    status = PORTABLE__GRAPH_REFUSED(PORTABLE_ERR_NOMEM, .call = "portable_graph_end", .why = PORTABLE__GRAPH_NO_MEMORY);
  }
  free(c.native);
  free(c.event);
  free(c.wanted);
  return status;
}

void portable__graph_capture_end(struct portable__graph *g) {
  if (g->driver && (g->driver->exec || g->driver->graph)) portable__cuda_graph_end(g->driver->index, g->driver->graph, g->driver->exec);
  free(g->driver);
  g->driver = NULL;
}

/* ---- launches ---- */

/* In the context of the device. */
static portable_status apply(struct portable__graph *g, uint64_t launch) {
  struct portable__cuda_node node;
  struct portable__node *n;
  void *block;
  size_t bytes;
  uint32_t number;
  int code = 0;
  while ((n = portable__graph_apply_next(g, launch, &number)) != NULL) {
    portable__cuda_node_of(&n->work, n->args, &node, &block, &bytes);
    if (!code && g->driver->exec) code = portable__cuda_graph_change(g->driver->exec, g->driver->nodes[number], &node);
  }
  return code ? portable__above_device.fail(code, "cuGraphExecKernelNodeSetParams", g->driver->label) : PORTABLE_OK;
}

struct launch {
  struct portable__graph *graph;
  uint64_t number;
};

/* Without a graph of the driver: all nodes, in the order of their recording. */
static portable_status enqueue_nodes(const struct portable__graph *g, void *native) {
  portable_status status = PORTABLE_OK;
  for (size_t i = 0; i < g->step_count && status == PORTABLE_OK; i++) {
    const struct portable__node *n = g->steps[i].node < 0 ? NULL : g->nodes[g->steps[i].node];
    if (n) status = n->work.enqueue(native, n->args);
    if (PORTABLE__UNLIKELY(status != PORTABLE_OK)) status = refused("portable_graph_launch", n, status);
  }
  return status;
}

static portable_status enqueue(void *native, void *payload) {
  const struct launch *l = payload;
  const struct portable__graph_device *d = l->graph->driver;
  const portable_status status = apply(l->graph, l->number);
  if (status != PORTABLE_OK || !d->exec) return status == PORTABLE_OK ? enqueue_nodes(l->graph, native) : status;
  const int code = portable__cuda_graph_launch(d->exec, native);
  return code ? portable__above_device.fail(code, "cuGraphLaunch", d->label) : PORTABLE_OK;
}

static int apply_now(void *native, void *payload) {
  const struct launch *l = payload;
  (void)native;
  return apply(l->graph, l->number);
}

/* For observers, on the stream's thread: they see each node from its begin to its end, and PORTABLE_CHECK=launch names the one with an error. */
PORTABLE__COLD static portable_status one_by_one(struct portable__stream *s, portable_status error, void *graph, void *number) {
  struct portable__graph *g = graph;
  struct launch l = {g, (uint64_t)(uintptr_t)number};
  portable_status status = PORTABLE_OK;
  if (error != PORTABLE_OK) return PORTABLE_OK; /* changes wait for a launch that runs */
  const int code = portable__cuda_inside(g->driver->index, NULL, apply_now, &l, &status);
  if (code) return portable__above_device.fail(code, "cuCtxSetCurrent", g->driver->label);
  for (size_t i = 0; i < g->step_count && status == PORTABLE_OK; i++) {
    if (g->steps[i].node < 0) continue;
    const struct portable__device_work *work = &g->nodes[g->steps[i].node]->work;
    struct portable__watched w = {.label = work->label, .kind = work->kind, .device = work->device, .count = work->count};
    portable__watch_begin(portable__watched_by(), &w);
    status = portable__side_run(s, work);
    portable__watch_end(&w, status);
  }
  return status;
}

portable_status portable__graph_launch_there(struct portable__graph *g, struct portable__stream *s, portable_stream named, portable_stream handle,
                                             struct portable__point *at_out) {
  const uint32_t alone = UINT32_C(1) << PORTABLE__RECORDS | UINT32_C(1) << PORTABLE__TUNING | UINT32_C(1) << PORTABLE__NVTX;
  const struct launch l = {g, g->launches};
  const struct portable__device_work work = {.label = g->driver->label, .kind = PORTABLE_LAUNCH_FOR, .count = (int64_t)g->node_count, .device = g->device,
                                             .stream = named, .enqueue = enqueue, .payload = &l, .payload_bytes = sizeof l};
  if (PORTABLE__LIKELY(!(portable__watched_by() & ~alone))) return portable__queue_device(s, handle, &work, at_out);
  return portable__queue_replay(s, handle, one_by_one, g, (void *)(uintptr_t)g->launches, at_out);
}
