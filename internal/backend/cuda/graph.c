/* graph.c - calls the driver's functions of graphs. In C because a launch must not call Go. */
#include "stream.h"

#include "cuda.h"
#include "devices.h"

struct capture {
  void **graph, **exec;
  const char *call;
};

static int begin(void *native, void *payload) {
  (void)payload;
  return (int)cuStreamBeginCapture((CUstream)native, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
}

static int last(void *native, void *payload) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  const CUgraphNode *nodes = NULL;
  size_t count = 0;
  const CUresult code = cuStreamGetCaptureInfo_v2((CUstream)native, &status, NULL, NULL, &nodes, &count);
  *(void **)payload = code == CUDA_SUCCESS && status == CU_STREAM_CAPTURE_STATUS_ACTIVE && count == 1 ? nodes[0] : NULL;
  return (int)code;
}

static int end(void *native, void *payload) {
  struct capture *c = payload;
  CUgraph graph = NULL;
  CUgraphExec exec = NULL;
  CUresult code = cuStreamEndCapture((CUstream)native, &graph);
  if (code == CUDA_SUCCESS && c->exec) {
    c->call = "cuGraphInstantiate";
    code = cuGraphInstantiate(&exec, graph, NULL, NULL, 0);
  }
  if (graph && !exec) {
    cuGraphDestroy(graph);
    graph = NULL;
  }
  *c->graph = graph;
  if (c->exec) *c->exec = exec;
  return (int)code;
}

static int run(int32_t index, void *native, int (*call)(void *, void *), void *payload) {
  int status = 0;
  const int code = portable__cuda_inside(index, native, call, payload, &status);
  return code ? code : status;
}

int portable__cuda_capture_begin(int32_t index, void *native) { return run(index, native, begin, NULL); }

int portable__cuda_capture_last(int32_t index, void *native, void **node_out) { return run(index, native, last, node_out); }

int portable__cuda_capture_end(int32_t index, void *native, void **graph_out, void **exec_out, const char **call_out) {
  struct capture c = {graph_out, exec_out, "cuStreamEndCapture"};
  const int code = run(index, native, end, &c);
  *call_out = c.call;
  return code;
}

int portable__cuda_graph_launch(void *exec, void *native) { return (int)cuGraphLaunch((CUgraphExec)exec, (CUstream)native); }

int portable__cuda_graph_change(void *exec, void *node, const struct portable__cuda_node *to) {
  size_t bytes = to->bytes;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, to->parameters, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
  const CUDA_KERNEL_NODE_PARAMS p = {to->function, to->grid[0], to->grid[1], to->grid[2], to->block[0], to->block[1], to->block[2],
                                     to->shared_bytes, NULL, extra};
  return (int)cuGraphExecKernelNodeSetParams((CUgraphExec)exec, (CUgraphNode)node, &p);
}

static int destroy(void *graph, void *exec) {
  if (exec) cuGraphExecDestroy((CUgraphExec)exec);
  return graph ? (int)cuGraphDestroy((CUgraph)graph) : 0;
}

void portable__cuda_graph_end(int32_t index, void *graph, void *exec) { (void)run(index, graph, destroy, exec); }
