// YAKL_timers.h - timers of YAKL: by label, as objects of class Toney, and functions in their place. Part of YAKL.h; include that.
//
// In this file: Toney, which is a set of timers of its own; timer_init and timer_finalize, set_timer_... Not in this file: the library's timers, which
// timer_start and timer_stop are (portable_timer.hpp).
// Errors:  std::runtime_error of Toney: an empty label, a label that no timer has, a stop that does not belong to the last start.
// Threads: a Toney may be used from any thread; each thread has timers of its own in it.
// Source: YAKL's Toney and YAKL_timers.h.
#ifndef YAKL_TIMERS_H
#define YAKL_TIMERS_H

#ifndef YAKL_H
#error "include YAKL.h, which includes this"
#endif

__YAKL_NAMESPACE_WRAPPER_BEGIN__
namespace yakl {

class Toney {
public:
  using Clock = std::chrono::high_resolution_clock;
  using Duration = std::chrono::duration<double>;
  using TimePoint = std::chrono::time_point<Clock>;
  struct Timer {
    std::string label;
    std::size_t hits = 0;
    Duration accumulated_duration = Duration::zero(), last_duration = Duration::zero(), max_duration = Duration::zero(), min_duration = Duration::max();
    TimePoint previous_time_point{};
    int depth = 0; // timers around its first start
  };

  void start(const std::string &label) {
    must_have(label, "start");
    const std::lock_guard<std::mutex> lock(mutex_);
    ThreadData &t = mine();
    std::size_t at = find(t, label);
    if (at == t.timers.size()) {
      t.timers.emplace_back();
      t.timers.back().label = label;
      t.timers.back().depth = static_cast<int>(t.active.size());
    }
    t.timers[at].hits++;
    t.active.push_back({at, Clock::now()});
    t.timers[at].previous_time_point = t.active.back().begin;
  }
  void stop(const std::string &label) {
    const TimePoint now = Clock::now();
    must_have(label, "stop");
    const std::lock_guard<std::mutex> lock(mutex_);
    ThreadData &t = mine();
    if (t.active.empty() || t.timers[t.active.back().timer].label != label)
      fail("stop of '" + label + "': " + (t.active.empty() ? "no timer runs" : "the timer that began last is '" + t.timers[t.active.back().timer].label + "'") +
           "; timers are nested");
    Timer &timer = t.timers[t.active.back().timer];
    const Duration d = now - t.active.back().begin;
    t.active.pop_back();
    timer.last_duration = d;
    timer.accumulated_duration += d;
    timer.max_duration = std::max(timer.max_duration, d);
    timer.min_duration = std::min(timer.min_duration, d);
  }

  // Times of the calling thread's timer [s].
  double get_last_duration(const std::string &label) const { return of(label, "get_last_duration").last_duration.count(); }
  double get_accumulated_duration(const std::string &label) const { return of(label, "get_accumulated_duration").accumulated_duration.count(); }
  double get_min_duration(const std::string &label) const { return of(label, "get_min_duration").min_duration.count(); }
  double get_max_duration(const std::string &label) const { return of(label, "get_max_duration").max_duration.count(); }
  double get_count(const std::string &label) const { return static_cast<double>(of(label, "get_count").hits); }

  // On standard output; the threads are numbered as they came.
  void print_my_thread() {
    const std::lock_guard<std::mutex> lock(mutex_);
    print(static_cast<std::size_t>(&mine() - threads_.data()));
  }
  void print_thread(int thread) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (thread < 0 || static_cast<std::size_t>(thread) >= threads_.size()) fail("print_thread " + std::to_string(thread) + ": no such thread has a timer");
    print(static_cast<std::size_t>(thread));
  }
  void print_all_threads() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (std::size_t t = 0; t < threads_.size(); t++) print(t);
  }

private:
  struct Active {
    std::size_t timer;
    TimePoint begin;
  };
  struct ThreadData {
    std::thread::id id;
    std::vector<Timer> timers;
    std::vector<Active> active;
  };

  [[noreturn]] static void fail(const std::string &text) { throw std::runtime_error("Toney: " + text); }
  static void must_have(const std::string &label, const char *call) {
    if (label.empty()) fail(std::string(call) + ": the label is empty");
  }
  static std::size_t find(const ThreadData &t, const std::string &label) {
    std::size_t at = 0;
    while (at < t.timers.size() && t.timers[at].label != label) at++;
    return at;
  }
  ThreadData &mine() {
    for (ThreadData &t : threads_)
      if (t.id == std::this_thread::get_id()) return t;
    threads_.emplace_back();
    threads_.back().id = std::this_thread::get_id();
    return threads_.back();
  }
  Timer of(const std::string &label, const char *call) const {
    must_have(label, call);
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const ThreadData &t : threads_)
      if (t.id == std::this_thread::get_id() && find(t, label) < t.timers.size()) return t.timers[find(t, label)];
    fail(std::string(call) + ": this thread has no timer '" + label + "'");
  }
  void print(std::size_t thread) const {
    const ThreadData &t = threads_[thread];
    std::ostringstream out;
    out << "Timers of thread " << thread << (t.active.empty() ? "" : " (some run)") << '\n' << std::left;
    out << std::setw(50) << "Timer label" << std::setw(12) << "# calls" << std::setw(15) << "Total time" << std::setw(15) << "Min time" << "Max time\n";
    out << std::scientific << std::setprecision(6);
    for (const Timer &timer : t.timers)
      out << std::setw(50) << std::string(2 * static_cast<std::size_t>(timer.depth), ' ') + timer.label << std::setw(12) << timer.hits << std::setw(15)
          << timer.accumulated_duration.count() << std::setw(15) << timer.min_duration.count() << timer.max_duration.count() << '\n';
    std::cout << out.str() << std::endl;
  }

  mutable std::mutex mutex_;
  std::vector<ThreadData> threads_;
};

// ---- the library's timers ----

using portable::timer_get_accumulated_duration;
using portable::timer_get_count;
using portable::timer_get_last_duration;
using portable::timer_get_max_duration;
using portable::timer_get_min_duration;
using portable::timer_print;
using portable::timer_start;
using portable::timer_stop;

namespace internal {

struct TimerFunctions {
  std::function<void()> init, finalize;
  std::function<void(const char *)> start, stop;
  bool replacing = false; // the library ends the hooks that others take the place of
};
inline TimerFunctions &timer_functions() {
  static TimerFunctions functions;
  return functions;
}
inline void put_timer_functions() {
  portable_timer_hooks hooks = PORTABLE_TIMER_HOOKS_INIT;
  hooks.finalize = [](void *) {
    if (timer_functions().replacing) return;
    const std::function<void()> last = timer_functions().finalize;
    timer_functions() = TimerFunctions(); // none of them returns when the library starts again
    if (last) last();
  };
  hooks.start = [](const char *label, void *) { if (timer_functions().start) timer_functions().start(label); };
  hooks.stop = [](const char *label, void *) { if (timer_functions().stop) timer_functions().stop(label); };
  timer_functions().replacing = true;
  const portable_status status = portable_timers_set_hooks(&hooks);
  timer_functions().replacing = false;
  portable::check(status);
}

} // namespace internal

// Functions in place of the library's timers, until the last finalize: from the first of these on the library measures nothing itself.
// Errors: portable::Error, as portable_timers_set_hooks: the library runs, and no timer does.
inline void set_timer_init(std::function<void()> f) { internal::timer_functions().init = std::move(f); }
inline void set_timer_finalize(std::function<void()> f) { internal::timer_functions().finalize = std::move(f), internal::put_timer_functions(); }
inline void set_timer_start(std::function<void(const char *)> f) { internal::timer_functions().start = std::move(f), internal::put_timer_functions(); }
inline void set_timer_stop(std::function<void(const char *)> f) { internal::timer_functions().stop = std::move(f), internal::put_timer_functions(); }
// Calls the program's function, and without one does nothing; or prints the report.
inline void timer_init() {
  if (internal::timer_functions().init) internal::timer_functions().init();
}
inline void timer_finalize() {
  if (internal::timer_functions().finalize)
    internal::timer_functions().finalize();
  else
    timer_print();
}

} // namespace yakl
__YAKL_NAMESPACE_WRAPPER_END__

#endif
