// left_by_exceptions.cpp - predicates, kernels and hooks that exceptions leave: the other threads of the launch do not wait for what will not come,
// floating-point modes are as before, hooks are called afterwards and can be removed. In this file: what left.c has not, which is in C.
#include "emulated.h"
#include <portable.h>

#include <atomic>
#include <cfenv>
#include <cstdio>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

int failures;
#define CHECK(what)                                                                                             \
  do {                                                                                                          \
    if (!(what)) failures++, std::printf("%s:%d: %s  last error: %s\n", __FILE__, __LINE__, #what, portable_last_error()); \
  } while (0)

const std::thread::id launcher = std::this_thread::get_id();
bool throws, ends;
std::atomic<bool> ended;

bool mine() { return std::this_thread::get_id() == launcher; }

void odd(const portable_tile *tile, void *, unsigned char *chosen) {
  if (throws && mine()) {
    usleep(20000); // the other threads wait for this part
    throw 1;
  }
  if (throws) usleep(1000); // so that the launching thread has a part
  if (ends && !mine()) {
    ended = true;
    pthread_exit(nullptr);
  }
  for (int ms = 0; ends && !ended && ms < 10000; ms++) usleep(1000); // so that another thread has a part
  for (int64_t i = tile->lower[0]; i <= tile->upper[0]; i++) chosen[i - tile->lower[0]] = i % 2 != 0;
}

void filters() {
  const int64_t n = 1000000;
  const portable_bounds b = portable_bounds_1(n);
  std::vector<int> list(n);
  int64_t count = 0;
  portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
  CHECK(portable_device_find("threads", &c.device) == PORTABLE_OK);
  throws = true;
  for (int i = 0; i < 5; i++) {
    bool thrown = false;
    try {
      CHECK(portable_parallel_filter("left", &b, odd, nullptr, 0, PORTABLE_KIND_INT32, list.data(), n, &count, &c) < 0);
    } catch (int) {
      thrown = true;
    }
    CHECK(thrown);
  }
  throws = false;
  ends = true;
  CHECK(portable_parallel_filter("ends", &b, odd, nullptr, 0, PORTABLE_KIND_INT32, list.data(), n, &count, &c) == PORTABLE_ERR_KERNEL);
  ends = false;
  CHECK(portable_parallel_filter("after", &b, odd, nullptr, 0, PORTABLE_KIND_INT32, list.data(), n, &count, &c) == PORTABLE_OK);
  CHECK(count == n / 2 && list[0] == 1 && list[static_cast<size_t>(count) - 1] == n - 1);
}

void rounds_up(const portable_tile *, void *) {
  if (!mine()) return;
  std::fesetround(FE_UPWARD);
  throw 1;
}

void modes() {
  for (const char *device : {"serial", "threads"})
    for (int64_t n : {1, 100000}) {
      const portable_bounds b = portable_bounds_1(n);
      portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
      CHECK(portable_device_find(device, &c.device) == PORTABLE_OK);
      try {
        portable_parallel_for("rounds up", &b, rounds_up, nullptr, 0, &c);
        CHECK(!"an exception");
      } catch (int) {
      }
      CHECK(std::fegetround() == FE_TONEAREST);
      std::fesetround(FE_TONEAREST);
    }
}

int calls;

void hook(const portable_hook_event *, void *) {
  calls++;
  if (throws) throw 1;
  if (ends) pthread_exit(nullptr);
}

void nothing(const portable_tile *, void *) {}

void launch() {
  const portable_bounds b = portable_bounds_1(10);
  portable_parallel_for("told", &b, nothing, nullptr, 0, nullptr);
}

void hooks() {
  portable_hook h;
  CHECK(portable_hook_add(hook, nullptr, PORTABLE_EVENT_LAUNCH_BEGIN, &h) == PORTABLE_OK);
  throws = true;
  try {
    launch();
    CHECK(!"an exception");
  } catch (int) {
  }
  throws = false;
  ends = true;
  std::thread(launch).join();
  ends = false;
  CHECK(calls == 2);
  launch();
  CHECK(calls == 3);
  CHECK(portable_hook_remove(h) == PORTABLE_OK);
}

} // namespace

int main() {
  alarm(emulated_seconds(60)); // what waited for ever must not wait for the test's limit
  CHECK(portable_init(nullptr) == PORTABLE_OK);
  filters();
  modes();
  hooks();
  CHECK(portable_finalize() == PORTABLE_OK);
  std::printf("%d failures\n", failures);
  return failures != 0;
}
