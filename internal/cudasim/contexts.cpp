/* contexts.cpp - primary and other contexts, which is current on a thread, peers, limits. A context that goes takes what was made in it along. */
#include <algorithm>

#include "fake.h"

namespace fake {
namespace {

std::vector<Context *> &all = *new std::vector<Context *>; /* nothing here is destroyed: calls come until the very end */
thread_local std::vector<Context *> *of_thread;

std::vector<Context *> &pushed() {
  if (!of_thread) of_thread = new std::vector<Context *>;
  return *of_thread;
}

Context *primary(int device) {
  for (Context *c : all)
    if (c->primary && c->device == device) return c;
  Context *c = new Context;
  c->device = device, c->primary = true;
  c->zero.context = c;
  all.push_back(c);
  return c;
}

/* Memory, streams and so on go with it; the rest is reported, as the program forgot it. */
void end(Context *context) {
  if (!context->sticky) finish(context);
  drop_streams(context);
  std::vector<Module *> modules;
  for (Module *m : live_modules())
    if (m->context == context) modules.push_back(m);
  for (Module *m : modules) unload(m);
  std::vector<Event *> events;
  for (Event *e : live_events())
    if (e->context == context) events.push_back(e);
  std::vector<Allocation *> left;
  for (auto &[base, a] : allocations())
    if (a->context == context) left.push_back(a);
  if (*setting("FAKE_CUDA_STRICT") == '1' && !context->sticky && modules.size() + events.size() + left.size())
    violation("the context of device %d goes with %zu blocks of memory, %zu events, %zu modules in it", context->device, left.size(), events.size(),
              modules.size());
  for (Event *e : events) live_events().erase(e);
  for (Allocation *a : left) unmap(a);
  context->alive = false;
  context->sticky = OK;
  context->retained = 0;
  context->peers.clear();
}

}  // namespace

Context *current() { return pushed().empty() ? nullptr : pushed().back(); }

bool alive(Context *context) { return context->alive; }

std::vector<Context *> contexts() {
  std::vector<Context *> list;
  for (Context *c : all)
    if (c->alive) list.push_back(c);
  return list;
}

bool is_context(void *handle) { return std::find(all.begin(), all.end(), handle) != all.end() && static_cast<Context *>(handle)->alive; }

}  // namespace fake

using namespace fake;

#define ENTER(needs)                \
  Call call(__func__, needs);       \
  if (call.stopped) return call()
#define ENTER_DEVICE                                                                       \
  ENTER(Needs::init);                                                                      \
  call.note("device %d", device);                                                          \
  if (device < 0 || device >= device_count()) return call.bad("there is no device %d", device), call(INVALID_DEVICE)

API cuDevicePrimaryCtxRetain(void **out, CUdevice device) {
  ENTER_DEVICE;
  if (!out) return call.bad("null");
  Context *c = primary(device);
  if (c->sticky) return call(c->sticky);
  c->retained++, c->alive = true;
  *out = c;
  return call(OK);
}

API cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  ENTER_DEVICE;
  Context *c = primary(device);
  if (!c->retained) return call.bad("the primary context of device %d is not retained", device), call(INVALID_CONTEXT);
  if (--c->retained == 0) end(c);
  return call(OK);
}

API cuDevicePrimaryCtxReset_v2(CUdevice device) {
  ENTER_DEVICE;
  end(primary(device));
  return call(OK);
}

API cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags) {
  ENTER_DEVICE;
  if (flags & ~0x7fu) return call.bad("flags 0x%x", flags);
  primary(device)->flags = flags;
  return call(OK);
}

API cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active) {
  ENTER_DEVICE;
  if (!flags || !active) return call.bad("null");
  *flags = primary(device)->flags, *active = primary(device)->alive;
  return call(OK);
}

API cuCtxCreate_v2(void **out, unsigned flags, CUdevice device) {
  ENTER_DEVICE;
  if (!out) return call.bad("null");
  Context *c = new Context;
  c->device = device, c->flags = flags, c->alive = true, c->zero.context = c;
  all.push_back(c);
  pushed().push_back(c);
  *out = c;
  return call(OK);
}

API cuCtxDestroy_v2(void *context) {
  ENTER(Needs::init);
  if (!is_context(context)) return call.bad("%p is no context", context), call(INVALID_CONTEXT);
  if (static_cast<Context *>(context)->primary) return call.bad("a primary context is released, not destroyed");
  end(static_cast<Context *>(context));
  pushed().erase(std::remove(pushed().begin(), pushed().end(), context), pushed().end());
  return call(OK);
}

API cuCtxPushCurrent_v2(void *context) {
  ENTER(Needs::init);
  if (!is_context(context)) return call.bad("%p is no context", context), call(INVALID_CONTEXT);
  pushed().push_back(static_cast<Context *>(context));
  return call(OK);
}

API cuCtxPopCurrent_v2(void **out) {
  ENTER(Needs::init);
  if (pushed().empty()) return call.bad("nothing is pushed"), call(INVALID_CONTEXT);
  if (out) *out = pushed().back();
  pushed().pop_back();
  return call(OK);
}

API cuCtxSetCurrent(void *context) {
  ENTER(Needs::init);
  if (context && !is_context(context)) return call.bad("%p is no context", context), call(INVALID_CONTEXT);
  if (!pushed().empty()) pushed().pop_back();
  if (context) pushed().push_back(static_cast<Context *>(context));
  return call(OK);
}

API cuCtxGetCurrent(void **out) {
  ENTER(Needs::init);
  if (!out) return call.bad("null");
  *out = current();
  return call(OK);
}

API cuCtxGetDevice(CUdevice *device) {
  ENTER(Needs::init);
  if (!device) return call.bad("null");
  if (!current()) return call(INVALID_CONTEXT);
  *device = current()->device;
  return call(OK);
}

API cuCtxGetFlags(unsigned *flags) {
  ENTER(Needs::context);
  if (!flags) return call.bad("null");
  *flags = call.context->flags;
  return call(OK);
}

API cuCtxGetApiVersion(void *context, unsigned *version) {
  ENTER(Needs::init);
  if (!version || (context && !is_context(context))) return call.bad("arguments");
  *version = 3020;
  return call(OK);
}

API cuCtxSynchronize(void) {
  ENTER(Needs::context);
  finish(call.context);
  return call(call.context->sticky);
}

API cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  ENTER(Needs::context);
  if (least) *least = 0;
  if (greatest) *greatest = -5;
  return call(OK);
}

API cuCtxEnablePeerAccess(void *peer, unsigned flags) {
  ENTER(Needs::context);
  if (flags || !is_context(peer) || peer == call.context) return call.bad("flags, or no other context");
  return call(call.context->peers.insert(static_cast<Context *>(peer)).second ? OK : PEER_ALREADY);
}

API cuCtxDisablePeerAccess(void *peer) {
  ENTER(Needs::context);
  return call(call.context->peers.erase(static_cast<Context *>(peer)) ? OK : PEER_NOT_ENABLED);
}

static size_t limits[16] = {1024, 1 << 20, 8 << 20, 2, 2048};

API cuCtxSetLimit(int limit, size_t value) {
  ENTER(Needs::context);
  if (limit < 0 || limit > 6) return call.bad("there is no limit %d", limit);
  limits[limit] = value;
  return call(OK);
}

API cuCtxGetLimit(size_t *value, int limit) {
  ENTER(Needs::context);
  if (!value || limit < 0 || limit > 6) return call.bad("null, or no limit %d", limit);
  *value = limits[limit];
  return call(OK);
}

API cuCtxSetCacheConfig(int config) {
  ENTER(Needs::context);
  return call(config >= 0 && config <= 3 ? OK : INVALID_VALUE);
}

API cuCtxGetCacheConfig(int *config) {
  ENTER(Needs::context);
  if (!config) return call.bad("null");
  *config = 0;
  return call(OK);
}
