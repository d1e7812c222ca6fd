// timers.cpp - timers from C++: the one that lives as long as its block, exceptions through it, YAKL's names, hooks from
// C++. Not in this file: what timers measure (timers.c).
#include <portable.hpp>

#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

int failures = 0;

void check_that(bool ok, const char *what, int line) {
  if (ok) return;
  failures++;
  std::printf("timers.cpp:%d: CHECK(%s)  last error: %s\n", line, what, portable_last_error());
}
#define CHECK(condition) check_that((condition), #condition, __LINE__)

template <class F> portable_status refused(const F &f) {
  try {
    f();
  } catch (const portable::Error &e) {
    return e.status();
  }
  return PORTABLE_OK;
}

void test_off() {
  portable::Timer t("off");
  portable::timer_stop("never started");
  CHECK(portable::timer_get_count("off") == 0);
}

void test_blocks() {
  {
    portable::Timer outer("outer");
    for (int i = 0; i < 3; i++) portable::Timer inner(std::string("inner with a name that is longer than a short string ") + "has");
  }
  CHECK(portable::timer_get_count("outer") == 1);
  CHECK(portable::timer_get_count("inner with a name that is longer than a short string has") == 3);
  CHECK(portable::timer_get_accumulated_duration("outer") >= portable::timer_get_last_duration("outer"));
  CHECK(portable::timer_get_min_duration("outer") <= portable::timer_get_max_duration("outer"));
  CHECK(portable::timer_get_max_duration("outer") > 0);
  try {
    portable::Timer thrown("thrown through");
    portable::Timer inner("and this");
    throw std::runtime_error("on purpose");
  } catch (const std::runtime_error &) {
  }
  CHECK(portable::timer_get_count("thrown through") == 1 && portable::timer_get_count("and this") == 1);
  // A label whose memory is another one's by then.
  char label[] = "first";
  {
    portable::Timer t(label);
    std::memcpy(label, "other", sizeof label);
  }
  CHECK(portable::timer_get_count("first") == 1);
}

void test_errors() {
  CHECK(refused([] { portable::timer_start(""); }) == PORTABLE_ERR_ARG);
  CHECK(refused([] { portable::timer_stop("not started"); }) == PORTABLE_ERR_STATE);
  CHECK(refused([] { portable::Timer t(""); }) == PORTABLE_ERR_ARG);
  CHECK(refused([] { portable::timer_get_count(""); }) == PORTABLE_ERR_ARG);
  CHECK(refused([] { portable::timer_print("/nonexistent/folder/file"); }) == PORTABLE_ERR_ARG);
  portable::timer_start(std::string("a"));
  portable::timer_stop(std::string("a"));
}

void test_kernels() {
  portable::Timer t("around");
  portable::parallel_for("lambda", portable::fortran::Bounds<1>(100), [](int) { portable::Timer inside("inside"); });
  portable_timer_stats s;
  s.struct_size = sizeof s;
  CHECK(portable_timer_get("inside", PORTABLE_TIMERS_OF_ALL, &s) == PORTABLE_OK && s.count == 100 && s.running == 0);
  CHECK(portable::timer_get_count("lambda") == 1);
  std::thread([] { portable::Timer there("on a thread"); }).join();
  CHECK(portable_timer_get("on a thread", PORTABLE_TIMERS_OF_ALL, &s) == PORTABLE_OK && s.count == 1);
}

// Timers of the program's in the place of the library's, as YAKL's InitConfig takes them.
void test_own() {
  std::string said;
  const auto config = [&said](const char *name) {
    return portable::InitConfig()
        .set_timer_init([&said, name] { said += std::string(name) + " begins; "; })
        .set_timer_start([&said](const char *label) { said += std::string("+") + label + " "; })
        .set_timer_stop([&said](const char *label) { said += std::string("-") + label + " "; })
        .set_timer_finalize([&said, name] { said += std::string(name) + " ends; "; });
  };
  portable::init(config("first"));
  portable::timer_start("a");
  { portable::Timer b("b"); }
  portable::timer_stop("a");
  CHECK(portable::timer_get_count("a") == 0);
  portable::init(config("second")); // of the same run; it takes the timers over
  portable::timer_start("c");
  portable::timer_stop("c");
  portable::finalize();
  portable::finalize();
  CHECK(said == "first begins; +a +b -b -a second begins; first ends; +c -c second ends; ");
  if (failures) std::printf("%s\n", said.c_str());
}

} // namespace

int main() {
  CHECK(refused([] { portable::Timer t("early"); }) == PORTABLE_ERR_STATE);
  portable::check(portable_init(nullptr));
  portable::check(portable_timers_enable(PORTABLE_TIMERS_OFF));
  test_off();
  portable::check(portable_timers_enable(PORTABLE_TIMERS_LAUNCHES));
  test_blocks();
  test_errors();
  test_kernels();
  portable::check(portable_finalize());
  test_own();
  std::printf("%d failures\n", failures);
  return failures > 0;
}
