// timers.cpp - class Toney, timers by label, and the program's functions in their place.
#include "YAKL.h"
#include "expect.h"

template <class F> static bool throws(F const &f) {
  try {
    f();
  } catch (std::runtime_error const &) {
    return true;
  }
  return false;
}

static void objects() {
  yakl::Toney timer;
  for (int n = 0; n < 3; n++) {
    timer.start("step");
    timer.start("flux");
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    timer.stop("flux");
    timer.stop("step");
  }
  EXPECT(timer.get_count("step") == 3 && timer.get_count("flux") == 3);
  EXPECT(timer.get_accumulated_duration("flux") >= 0.006 && timer.get_accumulated_duration("step") >= timer.get_accumulated_duration("flux"));
  EXPECT(timer.get_min_duration("flux") >= 0.002 && timer.get_min_duration("flux") <= timer.get_last_duration("flux") &&
         timer.get_last_duration("flux") <= timer.get_max_duration("flux") && timer.get_max_duration("flux") <= timer.get_accumulated_duration("flux"));
  // One inside another of the same label: each has its own beginning.
  timer.start("again");
  std::this_thread::sleep_for(std::chrono::milliseconds(4));
  timer.start("again");
  timer.stop("again");
  timer.stop("again");
  EXPECT(timer.get_count("again") == 2 && timer.get_last_duration("again") >= 0.004);
  EXPECT(throws([&] { timer.get_count("none"); }) && throws([&] { timer.start(""); }) && throws([&] { timer.stop("step"); }));
  timer.start("outer");
  timer.start("inner");
  EXPECT(throws([&] { timer.stop("outer"); }));
  timer.stop("inner");
  timer.stop("outer");
  // Another thread has timers of its own.
  std::thread([&] {
    EXPECT(throws([&] { timer.get_count("step"); }));
    timer.start("step");
    timer.stop("step");
    EXPECT(timer.get_count("step") == 1);
  }).join();
  EXPECT(timer.get_count("step") == 3);

  std::ostringstream text;
  std::streambuf *const before = std::cout.rdbuf(text.rdbuf());
  timer.print_all_threads();
  std::string const all = text.str();
  text.str("");
  timer.print_my_thread();
  std::string const mine = text.str();
  text.str("");
  timer.print_thread(1);
  std::cout.rdbuf(before);
  EXPECT(all.find("Timers of thread 0") != std::string::npos && all.find("Timers of thread 1") != std::string::npos);
  EXPECT(mine.find("\nstep ") != std::string::npos && mine.find("\n  flux ") != std::string::npos && mine.find("thread 1") == std::string::npos);
  EXPECT(text.str().find("flux") == std::string::npos && throws([&] { timer.print_thread(2); }));
}

int main() {
  objects();
  yakl::init();
  std::vector<std::string> calls;
  yakl::set_timer_init([&] { calls.push_back("init"); });
  yakl::set_timer_start([&](char const *label) { calls.push_back(std::string("start ") + label); });
  yakl::set_timer_stop([&](char const *label) { calls.push_back(std::string("stop ") + label); });
  yakl::set_timer_finalize([&] { calls.push_back("finalize"); });
  yakl::timer_init();
  yakl::timer_start("a");
  yakl::timer_start("b");
  yakl::timer_stop("b");
  yakl::timer_stop("a");
  yakl::timer_finalize();
  EXPECT(calls == std::vector<std::string>({"init", "start a", "start b", "stop b", "stop a", "finalize"}));
  yakl::finalize();
  EXPECT(calls.size() == 7 && calls.back() == "finalize");
  // Functions end with the library: after another start there is only what is set then.
  yakl::init();
  calls.clear();
  yakl::set_timer_stop([&](char const *label) { calls.push_back(std::string("stop ") + label); });
  yakl::timer_init();
  yakl::timer_start("c");
  yakl::timer_stop("c");
  yakl::finalize();
  EXPECT(calls == std::vector<std::string>({"stop c"}));
  return checks::failures != 0;
}
