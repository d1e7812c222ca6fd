/* graphs.cpp - capture of streams, and graphs. A stream that captures gets nodes in place of work (put in streams.cpp). A launch is one thing in its stream,
 * which runs the nodes in an order that is right but surprising: of those that may run, the last one first. A launch waits for the one before it. */
#include <algorithm>

#include "fake.h"

namespace fake {
namespace {

struct Node {
  std::string what;
  std::function<CUresult()> run;
  std::vector<std::pair<uintptr_t, size_t>> uses;
  std::vector<size_t> after;
};

struct Exec {
  int id = 0;
  Context *context = nullptr;
  std::vector<Node> nodes;
  std::map<const Work *, size_t> at;
  Mark last;
};

std::set<Graph *> graphs; /* that were captured and not destroyed */
std::set<Exec *> execs;
int graphs_made, execs_made;

CUresult run_nodes(const std::vector<Node> &nodes) {
  std::vector<bool> done(nodes.size());
  for (size_t left = nodes.size(); left > 0; left--) {
    for (size_t i = nodes.size(); i-- > 0;) {
      const Node &n = nodes[i];
      if (done[i] || !std::all_of(n.after.begin(), n.after.end(), [&](size_t k) { return done[k]; })) continue;
      CUresult code = n.run ? n.run() : OK;
      log_line("node %s = %d", n.what.c_str(), code);
      if (code) return code;
      done[i] = true;
      break;
    }
  }
  return OK;
}

}  // namespace

bool captures(Graph *graph) { return graph && graph->origin; }

static void stop_capture(Graph *g) {
  for (Stream *each : g->streams) each->capture = nullptr, each->frontier.clear();
  g->origin = nullptr;
}

}  // namespace fake

using namespace fake;

#define ENTER                          \
  Call call(__func__, Needs::context); \
  if (call.stopped) return call()
#define STREAM(handle)                 \
  Stream *s = stream_of(call, handle); \
  if (!s) return call()

API cuStreamBeginCapture_v2(void *stream, int mode) {
  ENTER;
  STREAM(stream);
  if (mode < 0 || mode > 2) return call.bad("mode %d", mode);
  if (s->id == 0) return call.bad("the default stream cannot be captured"), call(NOT_SUPPORTED);
  if (s->capture) return call.bad("the stream captures already");
  auto *g = new Graph;
  g->id = ++graphs_made, g->origin = s, g->context = call.context;
  g->streams.push_back(s);
  s->capture = g;
  s->frontier.clear();
  return call(OK);
}

API cuStreamIsCapturing(void *stream, int *status) {
  ENTER;
  STREAM(stream);
  if (!status) return call.bad("null");
  *status = s->capture != nullptr;
  return call(OK);
}

API cuStreamGetCaptureInfo_v2(void *stream, int *status, uint64_t *id, void **graph, void *const **last, size_t *count) {
  static std::vector<void *> nodes; /* valid until the next call, as the driver's */
  ENTER;
  STREAM(stream);
  if (!status) return call.bad("null");
  *status = s->capture != nullptr;
  if (!s->capture) return call(OK);
  nodes.clear();
  for (const Mark &m : s->frontier) nodes.push_back(m.get());
  if (id) *id = uint64_t(s->capture->id);
  if (graph) *graph = s->capture;
  if (last) *last = nodes.data();
  if (count) *count = nodes.size();
  return call(OK);
}

/* A capture ends also where its end fails. */
API cuStreamEndCapture(void *stream, void **out) {
  Call call(__func__, Needs::context);
  auto *failed = static_cast<Stream *>(stream);
  if (call.stopped && live_streams().count(failed) && failed->capture) stop_capture(failed->capture);
  if (call.stopped) return call();
  STREAM(stream);
  if (!out) return call.bad("null");
  *out = nullptr;
  Graph *g = s->capture;
  if (!g || g->origin != s) return call.bad("the stream has not begun a capture");
  std::set<const Work *> reached;
  std::vector<Mark> look = s->frontier;
  while (!look.empty()) {
    Mark m = look.back();
    look.pop_back();
    if (reached.insert(m.get()).second) look.insert(look.end(), m->after.begin(), m->after.end());
  }
  stop_capture(g);
  for (const Mark &m : g->nodes)
    if (!reached.count(m.get())) return call.bad("'%s' was captured in a stream that did not join", m->what.c_str()), call(CAPTURE_UNJOINED);
  graphs.insert(g);
  *out = g;
  return call(OK);
}

API cuGraphDestroy(void *graph) {
  ENTER;
  if (!graphs.erase(static_cast<Graph *>(graph))) return call.bad("no graph, or a destroyed one");
  return call(OK);
}

API cuGraphInstantiate_v2(void **out, void *graph, void **bad_node, char *log, size_t bytes) {
  ENTER;
  auto *g = static_cast<Graph *>(graph);
  if (!out || !graphs.count(g)) return call.bad("null, or no graph");
  if (bad_node) *bad_node = nullptr;
  if (log && bytes) *log = '\0';
  auto *e = new Exec;
  e->id = ++execs_made, e->context = g->context;
  for (const Mark &m : g->nodes) {
    Node n{m->what, m->run, m->uses, {}};
    for (const Mark &a : m->after) n.after.push_back(e->at.at(a.get()));
    e->at[m.get()] = e->nodes.size();
    e->nodes.push_back(std::move(n));
  }
  execs.insert(e);
  call.note("exec %d of %zu nodes", e->id, e->nodes.size());
  *out = e;
  return call(OK);
}

API cuGraphExecDestroy(void *exec) {
  ENTER;
  if (!execs.erase(static_cast<Exec *>(exec))) return call.bad("no graph that was instantiated, or a destroyed one");
  return call(OK);
}

API cuGraphLaunch(void *exec, void *stream) {
  ENTER;
  STREAM(stream);
  auto *e = static_cast<Exec *>(exec);
  if (!execs.count(e)) return call.bad("no graph that was instantiated, or a destroyed one");
  if (e->context != call.context) return call.bad("the graph is one of another context");
  if (s->capture) return call.bad("a graph inside of a capture, which the fake does not have");
  std::vector<std::pair<uintptr_t, size_t>> uses;
  for (const Node &n : e->nodes) uses.insert(uses.end(), n.uses.begin(), n.uses.end());
  auto nodes = std::make_shared<std::vector<Node>>(e->nodes); /* later parameters are those of later launches */
  Mark before = e->last;
  e->last = put(s, "graph", [nodes] { return run_nodes(*nodes); }, std::move(uses));
  if (before && !before->done && before->stream != s && !e->last->done) e->last->after.push_back(before);
  return call(call.context->sticky);
}

API cuGraphExecKernelNodeSetParams(void *exec, void *node, const kernel_node_params *p) {
  ENTER;
  auto *e = static_cast<Exec *>(exec);
  if (!execs.count(e) || !p) return call.bad("no graph that was instantiated, or null");
  auto at = e->at.find(static_cast<const Work *>(node));
  if (at == e->at.end()) return call.bad("%p is no node of the graph", node);
  Node &n = e->nodes[at->second];
  Work changed;
  if (CUresult code = kernel_into(call, *p, &changed)) return call(code);
  if (changed.what != n.what) return call.bad("the node is '%s', the new function '%s'", n.what.c_str(), changed.what.c_str());
  n.run = std::move(changed.run);
  n.uses = std::move(changed.uses);
  return call(OK);
}
