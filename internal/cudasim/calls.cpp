/* calls.cpp - what each call has in common: the lock, errors to order (FAKE_CUDA_FAIL), the log, violations, and the account at exit. */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fake.h"

namespace fake {
namespace {

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
thread_local const char *inside; /* the call that this thread is in */
int violations;
pid_t home, guilty; /* the process that called first, as a forked child has no driver; the one of the last violation */

struct Rule {
  std::string name; /* of a call, or "kernel:" and a kernel's */
  long nth;         /* 0: each */
  CUresult code;
  long seen = 0;
};

std::vector<Rule> &rules() {
  static std::vector<Rule> &all = *[] {
    auto &list = *new std::vector<Rule>;
    std::string text = setting("FAKE_CUDA_FAIL");
    for (size_t at = 0; at < text.size();) {
      size_t end = text.find(',', at);
      std::string one = text.substr(at, end == std::string::npos ? end : end - at);
      at = end == std::string::npos ? text.size() : end + 1;
      size_t last = one.rfind(':'), first = one.find(':');
      if (last == std::string::npos || first == last) {
        fprintf(stderr, "fake cuda: FAKE_CUDA_FAIL: \"%s\" is not NAME:N:CODE or kernel:NAME:CODE\n", one.c_str());
        abort();
      }
      Rule rule{one.substr(0, last), 0, atoi(one.c_str() + last + 1)};
      if (one.compare(0, 7, "kernel:") != 0) {
        rule.name = one.substr(0, first);
        rule.nth = one[first + 1] == '*' ? 0 : atol(one.c_str() + first + 1);
      }
      list.push_back(rule);
    }
    return &list;
  }();
  return all;
}

FILE *log_file() {
  static FILE *file = [] {
    const char *name = setting("FAKE_CUDA_LOG");
    FILE *f = *name ? fopen(name, "ae") : nullptr;
    if (f) setvbuf(f, nullptr, _IOLBF, 0);
    return f;
  }();
  return file;
}

std::string format(const char *form, va_list list) {
  char text[1024];
  vsnprintf(text, sizeof text, form, list);
  return text;
}

/* The lock may be held where a process forks. */
__attribute__((constructor)) void at_fork() {
  pthread_atfork([] { pthread_mutex_lock(&lock); }, [] { pthread_mutex_unlock(&lock); },
                 [] {
                   pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
                   lock = fresh;
                   inside = nullptr;
                 });
}

/* Runs after all atexit handlers, so blocks that the program's own handlers free are no leaks. */
__attribute__((destructor)) void account() {
  if (guilty != getpid()) violations = 0;
  size_t leaks = 0;
  bool lost = false; /* nothing can be freed after an error that stays */
  for (Context *c : contexts()) lost = lost || c->sticky;
  if (*setting("FAKE_CUDA_STRICT") == '1' && !lost && home == getpid()) {
    size_t bytes = 0, blocks = 0;
    for (auto &[base, a] : allocations())
      if (a->kind != Kind::global && !a->freed_in_stream) bytes += a->bytes, blocks++;
    leaks = blocks + live_streams().size() + live_events().size() + live_modules().size();
    if (leaks)
      fprintf(stderr, "fake cuda: left at exit: %zu blocks of memory (%zu bytes), %zu streams, %zu events, %zu modules\n", blocks, bytes,
              live_streams().size(), live_events().size(), live_modules().size());
  }
  if (violations) fprintf(stderr, "fake cuda: %d violations\n", violations);
  if (violations || leaks) {
    fflush(nullptr);
    _exit(violations ? 98 : 99);
  }
}

}  // namespace

const char *setting(const char *name) {
  const char *value = getenv(name);
  return value ? value : "";
}

void violation(const char *form, ...) {
  va_list list;
  va_start(list, form);
  std::string text = format(form, list);
  va_end(list);
  violations++;
  guilty = getpid();
  fprintf(stderr, "fake cuda: violation: %s%s%s\n", inside ? inside : "", inside ? ": " : "", text.c_str());
  log_line("violation %s", text.c_str());
  if (*setting("FAKE_CUDA_ABORT") == '1') abort();
}

void log_line(const char *form, ...) {
  FILE *file = log_file();
  if (!file) return;
  va_list list;
  va_start(list, form);
  fprintf(file, "%s\n", format(form, list).c_str());
  va_end(list);
}

CUresult injected(const char *name) {
  for (Rule &rule : rules())
    if (rule.name == name && (++rule.seen == rule.nth || rule.nth == 0)) return rule.code;
  return OK;
}

CUresult injected_kernel(const std::string &name) {
  for (Rule &rule : rules())
    if (rule.name == "kernel:" + name) return rule.code;
  return OK;
}

bool is_sticky(CUresult code) {
  return code == ILLEGAL_ADDRESS || code == 702 || code == ASSERT || (code >= 714 && code <= 719) || code == UNKNOWN;
}

double now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return double(t.tv_sec) * 1e3 + double(t.tv_nsec) * 1e-6;
}

bool try_enter() { return pthread_mutex_trylock(&lock) == 0; }

void leave() { pthread_mutex_unlock(&lock); }

Call::Call(const char *function, Needs needs) : name(function) {
  if (inside) {
    fprintf(stderr, "fake cuda: %s is called from inside %s (a callback may not call the driver)\n", function, inside);
    abort();
  }
  pthread_mutex_lock(&lock);
  inside = function;
  context = current();
  if (!home) home = getpid();
  if (home != getpid()) {
    violation("called in a forked child");
    stopped = true;
    code_ = NOT_INITIALIZED;
  } else if (needs != Needs::nothing && !initialised) {
    stopped = true;
    code_ = NOT_INITIALIZED;
  } else if (needs == Needs::context && !context) {
    stopped = true;
    violation("no context is current on this thread");
    code_ = INVALID_CONTEXT;
  } else if (needs == Needs::context && !alive(context)) {
    stopped = true;
    violation("the current context was released");
    code_ = CONTEXT_IS_DESTROYED;
  } else if (needs == Needs::context && context->sticky) {
    stopped = true;
    code_ = context->sticky;
  }
  if (CUresult code = injected(function); code && !stopped) {
    stopped = true;
    code_ = code;
    if (context && is_sticky(code)) context->sticky = code;
  }
}

Call::~Call() {
  settle();
  log_line("%s%s = %d", name, notes_.c_str(), code_);
  inside = nullptr;
  pthread_mutex_unlock(&lock);
}

CUresult Call::bad(const char *form, ...) {
  va_list list;
  va_start(list, form);
  violation("%s", format(form, list).c_str());
  va_end(list);
  return code_ = INVALID_VALUE;
}

void Call::note(const char *form, ...) {
  if (!log_file()) return;
  va_list list;
  va_start(list, form);
  notes_ += " " + format(form, list);
  va_end(list);
}

}  // namespace fake
