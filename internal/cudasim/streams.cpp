/* streams.cpp - streams, events and the executor: work waits in its stream until something waits for it, and then only what has to run runs,
 * so what was not ordered is seen to be not ordered. The default stream of a context has the legacy rule: it and the blocking streams wait for each other. */
#include <string.h>

#include <algorithm>

#include "fake.h"

namespace fake {
namespace {

int streams_made, events_made;

/* A call that a capture forbids, because the stream has no work of its own. */
CUresult captured(Call &call) { return call.bad("the stream captures"), call(CAPTURE_UNSUPPORTED); }

bool eager() {
  static bool is = *setting("FAKE_CUDA_EAGER") == '1';
  return is;
}

void run(const Mark work) { /* a copy: it leaves the queue here */
  Context *context = work->stream->context;
  if (!context->sticky && work->run) {
    CUresult code = work->run();
    log_line("run %s stream %d = %d", work->what.c_str(), work->stream->id, code);
    if (code) context->sticky = code;
  }
  work->done = true;
  work->time = now();
  work->run = nullptr;
  work->after.clear();
  work->stream->pending.pop_front();
  work->stream->asked = 0;
}

/* The work for which the first of a stream still waits. */
Mark undone(const Mark &work) {
  for (const Mark &m : work->after)
    if (!m->done) return m;
  return nullptr;
}

void wait_for(std::vector<Mark> &after, Stream *other) {
  if (!other->pending.empty()) after.push_back(other->pending.back());
}

/* Not ready at first; each third question gets something done. */
CUresult ask(int &asked, const Mark &mark) {
  if (mark->done) return OK;
  if (++asked % 3 == 0) {
    Mark next = mark;
    while (Mark m = undone(next->stream->pending.front())) next = m;
    open_for(next->stream->context);
    run(next->stream->pending.front());
  }
  return NOT_READY;
}

}  // namespace

std::set<Stream *> &live_streams() {
  static std::set<Stream *> *all = new std::set<Stream *>;
  return *all;
}

std::set<Event *> &live_events() {
  static std::set<Event *> *all = new std::set<Event *>;
  return *all;
}

Work *put_into;

Mark put(Stream *stream, const std::string &what, std::function<CUresult()> function, std::vector<std::pair<uintptr_t, size_t>> uses) {
  Mark work = std::make_shared<Work>();
  work->stream = stream, work->what = what, work->run = std::move(function), work->uses = std::move(uses);
  if (put_into) {
    *put_into = *work;
    return work;
  }
  if (stream->capture) {
    work->graph = stream->capture;
    work->after = std::exchange(stream->frontier, {work});
    stream->capture->nodes.push_back(work);
    return work;
  }
  Context *context = stream->context;
  if (stream->id == 0) {
    for (Stream *s : context->streams)
      if (!(s->flags & STREAM_NON_BLOCKING)) wait_for(work->after, s);
  } else if (!(stream->flags & STREAM_NON_BLOCKING)) {
    wait_for(work->after, &context->zero);
  }
  stream->pending.push_back(work);
  if (eager()) finish(work);
  return work;
}

void finish(const Mark &target) {
  std::vector<Mark> stack{target};
  while (!stack.empty()) {
    if (stack.back()->done) {
      stack.pop_back();
      continue;
    }
    Mark front = stack.back()->stream->pending.front();
    if (Mark m = undone(front))
      stack.push_back(m);
    else
      run(front);
  }
}

void finish(Stream *stream) {
  if (!stream->pending.empty()) finish(Mark(stream->pending.back()));
}

void finish(Context *context) {
  finish(&context->zero);
  for (Stream *s : std::vector<Stream *>(context->streams)) finish(s);
}

bool pending(int device) {
  for (Context *c : contexts()) {
    if (device >= 0 && c->device != device) continue;
    if (!c->zero.pending.empty()) return true;
    for (Stream *s : c->streams)
      if (!s->pending.empty()) return true;
  }
  return false;
}

bool in_use(const Allocation *a, std::string *by) {
  auto look = [&](Stream *s) {
    for (const Mark &m : s->pending)
      for (auto [p, bytes] : m->uses)
        if (p < a->base + a->bytes && p + bytes > a->base) {
          *by = m->what + " in stream " + std::to_string(s->id);
          return true;
        }
    return false;
  };
  for (Context *c : contexts()) {
    if (look(&c->zero)) return true;
    for (Stream *s : c->streams)
      if (look(s)) return true;
  }
  return false;
}

void drop_streams(Context *context) {
  for (Stream *s : context->streams) {
    for (Mark &m : s->pending) m->done = true;
    s->pending.clear();
    live_streams().erase(s);
  }
  for (Mark &m : context->zero.pending) m->done = true;
  context->zero.pending.clear();
  context->streams.clear();
}

/* 0 and 1 are the default stream; 2, the one of a thread, is not given: the library must not use it. */
Stream *stream_of(Call &call, void *handle) {
  if (handle == nullptr || handle == reinterpret_cast<void *>(1)) {
    call.note("stream 0");
    return &call.context->zero;
  }
  auto *s = static_cast<Stream *>(handle);
  if (!live_streams().count(s)) {
    call.bad("%p is no stream, or a destroyed one", handle);
    call(INVALID_HANDLE);
    return nullptr;
  }
  if (s->context != call.context) {
    call.bad("the stream is one of device %d, the current context is of device %d", s->context->device, call.context->device);
    call(INVALID_HANDLE);
    return nullptr;
  }
  call.note("stream %d", s->id);
  return s;
}

}  // namespace fake

using namespace fake;

#define ENTER                               \
  Call call(__func__, Needs::context);      \
  if (call.stopped) return call()
#define STREAM(handle)                      \
  Stream *s = stream_of(call, handle);      \
  if (!s) return call()
#define EVENT(handle)                                                                                                    \
  Event *e = static_cast<Event *>(handle);                                                                               \
  if (!live_events().count(e)) return call.bad("%p is no event, or a destroyed one", handle), call(INVALID_HANDLE);      \
  call.note("event %d", e->id)

static CUresult make(Call &call, void **out, unsigned flags, int priority) {
  if (!out || flags > 1) return call.bad("null, or flags 0x%x", flags);
  auto *s = new Stream;
  s->context = call.context, s->flags = flags, s->priority = std::min(0, std::max(-5, priority)), s->id = ++streams_made;
  call.context->streams.push_back(s);
  live_streams().insert(s);
  call.note("stream %d", s->id);
  *out = s;
  return call(OK);
}

API cuStreamCreate(void **out, unsigned flags) {
  ENTER;
  return make(call, out, flags, 0);
}

API cuStreamCreateWithPriority(void **out, unsigned flags, int priority) {
  ENTER;
  return make(call, out, flags, priority);
}

/* Its work still runs. */
API cuStreamDestroy_v2(void *stream) {
  ENTER;
  STREAM(stream);
  if (s->id == 0) return call.bad("the default stream cannot be destroyed"), call(INVALID_HANDLE);
  if (s->capture) return captured(call);
  live_streams().erase(s);
  if (s->pending.empty()) s->context->streams.erase(std::find(s->context->streams.begin(), s->context->streams.end(), s));
  return call(OK);
}

API cuStreamGetPriority(void *stream, int *priority) {
  ENTER;
  STREAM(stream);
  if (!priority) return call.bad("null");
  *priority = s->priority;
  return call(OK);
}

API cuStreamGetFlags(void *stream, unsigned *flags) {
  ENTER;
  STREAM(stream);
  if (!flags) return call.bad("null");
  *flags = s->flags;
  return call(OK);
}

API cuStreamGetCtx(void *stream, void **context) {
  ENTER;
  STREAM(stream);
  if (!context) return call.bad("null");
  *context = s->context;
  return call(OK);
}

API cuStreamSynchronize(void *stream) {
  ENTER;
  STREAM(stream);
  if (s->capture) return captured(call);
  /* The default stream's last work waits for the blocking streams, too, also where nothing came into it since. */
  if (s->id == 0)
    for (Stream *other : std::vector<Stream *>(call.context->streams))
      if (!(other->flags & STREAM_NON_BLOCKING)) finish(other);
  finish(s);
  return call(call.context->sticky);
}

API cuStreamQuery(void *stream) {
  ENTER;
  STREAM(stream);
  if (s->capture) return captured(call);
  if (s->pending.empty()) return call(OK);
  CUresult code = ask(s->asked, Mark(s->pending.back()));
  return call(call.context->sticky ? call.context->sticky : code);
}

API cuStreamWaitEvent(void *stream, void *event, unsigned flags) {
  ENTER;
  STREAM(stream);
  EVENT(event);
  if (flags > 1) return call.bad("flags 0x%x", flags);
  if (Graph *g = e->mark ? e->mark->graph : nullptr) {
    if (!captures(g) || (s->capture && s->capture != g)) return call.bad("event %d is one of another capture", e->id), call(CAPTURE_ISOLATION);
    if (!s->capture) g->streams.push_back(s);
    s->capture = g;
    s->frontier.push_back(e->mark);
    return call(OK);
  }
  if (s->capture) return call.bad("event %d was recorded outside of the capture", e->id), call(CAPTURE_ISOLATION);
  if (!e->mark || e->mark->done) return call(OK);
  Mark mark = e->mark;
  if (mark->stream == s) return call(OK);
  Mark work = put(s, "wait for event " + std::to_string(e->id), [] { return OK; });
  if (!work->done) work->after.push_back(mark);
  return call(OK);
}

API cuLaunchHostFunc(void *stream, void (*function)(void *), void *payload) {
  ENTER;
  STREAM(stream);
  if (!function) return call.bad("null");
  put(s, "host function", [=] {
    function(payload);
    return OK;
  });
  return call(OK);
}

API cuStreamAddCallback(void *stream, void (*function)(void *, CUresult, void *), void *payload, unsigned flags) {
  ENTER;
  STREAM(stream);
  if (!function || flags) return call.bad("null, or flags");
  put(s, "callback", [=] {
    function(stream, OK, payload);
    return OK;
  });
  return call(OK);
}

API cuStreamAttachMemAsync(void *stream, CUdeviceptr p, size_t bytes, unsigned flags) {
  ENTER;
  STREAM(stream);
  Allocation *a = find(p);
  if (!a || a->kind != Kind::managed || a->base != p) return call.bad("0x%llx is not the begin of managed memory", (unsigned long long)p);
  if (bytes && bytes != a->bytes) return call.bad("the length must be 0 or that of the block");
  if (flags != 1 && flags != 2 && flags != 4) return call.bad("flags 0x%x", flags);
  return call(OK);
}

API cuEventCreate(void **out, unsigned flags) {
  ENTER;
  if (!out || flags > 7) return call.bad("null, or flags 0x%x", flags);
  if ((flags & EVENT_INTERPROCESS) && !(flags & EVENT_DISABLE_TIMING)) return call.bad("an interprocess event has no timing");
  auto *e = new Event;
  e->context = call.context, e->flags = flags, e->id = ++events_made;
  live_events().insert(e);
  call.note("event %d", e->id);
  *out = e;
  return call(OK);
}

API cuEventDestroy_v2(void *event) {
  ENTER;
  EVENT(event);
  live_events().erase(e);
  return call(OK);
}

static CUresult record(Call &call, void *event, void *stream) {
  STREAM(stream);
  EVENT(event);
  if (e->context != s->context) return call.bad("the event is one of device %d, the stream of device %d", e->context->device, s->context->device), call(INVALID_HANDLE);
  e->mark = put(s, "event " + std::to_string(e->id), [] { return OK; });
  e->asked = 0;
  return call(OK);
}

API cuEventRecord(void *event, void *stream) {
  ENTER;
  return record(call, event, stream);
}

API cuEventRecordWithFlags(void *event, void *stream, unsigned flags) {
  ENTER;
  if (flags > 1) return call.bad("flags 0x%x", flags);
  return record(call, event, stream);
}

API cuEventQuery(void *event) {
  ENTER;
  EVENT(event);
  if (!e->mark) return call(OK);
  if (e->mark->graph) return captured(call);
  CUresult code = ask(e->asked, e->mark);
  return call(call.context->sticky ? call.context->sticky : code);
}

API cuEventSynchronize(void *event) {
  ENTER;
  EVENT(event);
  if (e->mark && e->mark->graph) return captured(call);
  if (e->mark) finish(e->mark);
  return call(call.context->sticky);
}

API cuEventElapsedTime(float *ms, void *from, void *to) {
  ENTER;
  if (!ms) return call.bad("null");
  const Event *ends[2] = {static_cast<Event *>(from), static_cast<Event *>(to)};
  for (const Event *e : ends) {
    if (!live_events().count(const_cast<Event *>(e))) return call.bad("no event, or a destroyed one"), call(INVALID_HANDLE);
    if (e->flags & EVENT_DISABLE_TIMING) return call.bad("event %d was made without timing", e->id), call(INVALID_HANDLE);
    if (!e->mark) return call.bad("event %d was never recorded", e->id), call(INVALID_HANDLE);
  }
  for (const Event *e : ends)
    if (!e->mark->done) return call(NOT_READY);
  *ms = float(ends[1]->mark->time - ends[0]->mark->time);
  return call(OK);
}
