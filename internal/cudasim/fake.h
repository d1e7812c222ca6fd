/* fake.h - a libcuda.so.1 for tests: it checks each call, runs kernels that the fake NVRTC compiled on the processor, lazily and in stream
 * order, and can be made to fail. In this file: the records and what the parts say to one another. Not in this file: the interface of the
 * driver (driver.h), what a kernel sees (device.h), how to use it (README.md).
 *
 * One lock, held by Call for as long as a call lasts; kernels run under it, in the thread that waits. A record is never freed, so that a handle
 * that is dead is known as such. Nothing runs before something waits for it, unless FAKE_CUDA_EAGER=1. */
#ifndef FAKE_H
#define FAKE_H

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "driver.h"
#include "face.h"

#define API extern "C" __attribute__((visibility("default"))) CUresult

namespace fake {

struct Context;
struct Stream;
struct Module;
struct Graph;

/* One thing in a stream: it is done when it and all before it in its stream, and all in `after`, are done. */
struct Work {
  Stream *stream = nullptr;
  std::string what;
  std::function<CUresult()> run;
  std::vector<std::shared_ptr<Work>> after;
  std::vector<std::pair<uintptr_t, size_t>> uses; /* memory that it reads or writes, as far as is known */
  Graph *graph = nullptr; /* it is a node there, and never runs itself */
  bool done = false;
  double time = 0; /* ms, when it was done */
};
using Mark = std::shared_ptr<Work>;

struct Stream {
  Context *context = nullptr;
  int id = 0; /* 0: the context's default stream */
  unsigned flags = 0;
  int priority = 0;
  std::deque<Mark> pending;
  int asked = 0; /* queries since something was done */
  Graph *capture = nullptr; /* for which it captures */
  std::vector<Mark> frontier; /* nodes after which the next one comes */
};

/* A captured graph. */
struct Graph {
  int id = 0;
  Context *context = nullptr;
  Stream *origin = nullptr; /* null: the capture has ended */
  std::vector<Stream *> streams;
  std::vector<Mark> nodes;
};

struct Event {
  Context *context = nullptr;
  int id = 0;
  unsigned flags = 0;
  Mark mark; /* null: never recorded */
  int asked = 0;
};

enum class Kind { device, managed, pinned, registered, global };

struct Allocation {
  uintptr_t base = 0;
  size_t bytes = 0, mapped = 0;
  Kind kind = Kind::device;
  Context *context = nullptr;
  unsigned flags = 0, id = 0;
  bool open = true, freed_in_stream = false;
};

struct Context {
  int device = 0, retained = 0;
  bool primary = false, alive = false;
  unsigned flags = 0;
  CUresult sticky = OK;
  std::string sticky_text;
  Stream zero;
  std::vector<Stream *> streams; /* those with work left, too, when they are destroyed */
  std::set<Context *> peers;
};

struct Function {
  Module *module = nullptr;
  std::string name;
  const fake_entry *entry = nullptr;
  int max_dynamic = 48 * 1024;
  bool raised = false;
  int carveout = -1, cache = 0;
};

struct Module {
  Context *context = nullptr;
  void *library = nullptr;
  const fake_face *face = nullptr;
  size_t shared = 0; /* bytes of static shared memory */
  int arch = 0;
  int id = 0;
  std::map<std::string, Function *> functions;
  std::vector<uintptr_t> globals;
};

enum class Needs { nothing, init, context };

/* A call: takes the lock, looks at injected and sticky errors, logs. Use: Call call(__func__, Needs::context); if (call.stopped) return call(); */
class Call {
 public:
  Call(const char *name, Needs needs);
  ~Call();
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;
  CUresult operator()() { return code_; }
  CUresult operator()(CUresult code) { return code_ = code; }
  __attribute__((format(printf, 2, 3))) CUresult bad(const char *form, ...); /* a violation: INVALID_VALUE */
  __attribute__((format(printf, 2, 3))) void note(const char *form, ...);    /* for the log */
  bool stopped = false;
  Context *context = nullptr;
  const char *name;

 private:
  std::string notes_;
  CUresult code_ = OK;
};

/* calls.cpp */
const char *setting(const char *name);
__attribute__((format(printf, 1, 2))) void violation(const char *form, ...);
__attribute__((format(printf, 1, 2))) void log_line(const char *form, ...);
CUresult injected(const char *name);                 /* for the next call of that name */
CUresult injected_kernel(const std::string &name);
bool is_sticky(CUresult code);
double now();
bool try_enter(); /* takes the lock without a call; false: a thread is in a call */
void leave();

/* devices.cpp */
extern bool initialised;
int device_count();
int attribute(int device, int number);
size_t device_memory(int device);
Context *current();
bool alive(Context *context);
std::vector<Context *> contexts();

/* memory.cpp */
Allocation *find(uintptr_t p);
std::map<uintptr_t, Allocation *> &allocations();
Allocation *map_memory(Kind kind, size_t bytes, Context *context);
void unmap(Allocation *a);
size_t used(int device);
void open_for(Context *context); /* the device's memory, for what runs now */
void settle();                   /* closes what the host may not see; at the end of each call */
bool in_use(const Allocation *a, std::string *by);

/* Closes host memory of the other driver in the process as long as it lives. */
class Others {
 public:
  Others();
  ~Others();
  Others(const Others &) = delete;
  Others &operator=(const Others &) = delete;

 private:
  bool shut_;
};
bool others_have(uintptr_t p); /* a thread of the host faults there: waits until the memory is open again */

/* streams.cpp */
Stream *stream_of(Call &call, void *handle); /* null after a violation */
std::set<Stream *> &live_streams();
std::set<Event *> &live_events();
extern Work *put_into; /* put fills this one, and nothing else; null: none */
Mark put(Stream *stream, const std::string &what, std::function<CUresult()> run, std::vector<std::pair<uintptr_t, size_t>> uses = {});
void finish(const Mark &mark);
void finish(Stream *stream);
void finish(Context *context);
bool pending(int device);
void drop_streams(Context *context);

/* graphs.cpp, launch.cpp */
bool captures(Graph *graph);
CUresult kernel_into(Call &call, const kernel_node_params &p, Work *to); /* a launch whose work becomes this */

/* modules.cpp */
std::set<Module *> &live_modules();
std::set<Function *> &live_functions();
void unload(Module *module);

/* fibres.cpp */
struct Shape {
  unsigned grid[3], block[3];
};
size_t static_shared(const fake_face *face); /* bytes */
CUresult run_grid(Function *function, const Shape &shape, unsigned dynamic, const std::vector<char> &parameters);

}  // namespace fake

#endif
