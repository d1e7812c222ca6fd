// portable_timer.hpp - timers in C++. Part of portable.hpp; include that.
//
// In this file: a timer that lives as long as a block of the program, and YAKL's names. The rules of timers, when they are on, and
// reports: portable_timer.h. With timers off, each of these costs a branch.
#ifndef PORTABLE_TIMER_HPP
#define PORTABLE_TIMER_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

#include <cstdio>

namespace portable {

// Start and stop the calling thread's timer of a label.
// Errors: Error with ERR_ARG, ERR_STATE, ERR_NOMEM, ERR_FORK, ERR_KERNEL.  Source: YAKL's timer_start and timer_stop.  Since: 0.1
inline void timer_start(const char *label) { check(portable_timer_start(label)); }
inline void timer_start(const std::string &label) { check(portable_timer_start(label.c_str())); }
inline void timer_stop(const char *label) { check(portable_timer_stop(label)); }
inline void timer_stop(const std::string &label) { check(portable_timer_stop(label.c_str())); }

// Says that the program is at a point that comes again: portable_check.h.  Since: 0.1
inline void checkpoint(const char *label) { check(portable_checkpoint(label)); }
inline void checkpoint(const std::string &label) { check(portable_checkpoint(label.c_str())); }

// A timer from here to the end of the block, also when an exception leaves it: portable::Timer t("dynamics");
// Errors: as timer_start; what its end refuses is printed, because a destructor does not throw.
// Threads: it ends on the thread that began it.  Since: 0.1
class Timer {
public:
  explicit Timer(const char *label) {
    timer_start(label);
    if (portable_timers_enabled() != PORTABLE_TIMERS_OFF) label_ = label; // only then it is needed again
  }
  explicit Timer(const std::string &label) : Timer(label.c_str()) {}
  Timer(const Timer &) = delete;
  Timer &operator=(const Timer &) = delete;
  ~Timer() {
    if (!label_.empty() && portable_timer_stop(label_.c_str()) != PORTABLE_OK)
      std::fprintf(stderr, "portable: warning: %s\n", portable_last_error());
  }

private:
  std::string label_;
};

namespace detail {

inline portable_timer_stats timer_stats(const std::string &label) {
  portable_timer_stats s;
  s.struct_size = static_cast<std::uint32_t>(sizeof s);
  check(portable_timer_get(label.c_str(), PORTABLE_TIMERS_OF_THREAD, &s));
  return s;
}

inline double seconds(std::int64_t ns) { return static_cast<double>(ns) * 1e-9; }

} // namespace detail

// The time of the calling thread's timer of a label [s]; 0 for a label that no timer had. Calls that have ended count.
// Errors: Error with ERR_ARG (no label), ERR_STATE, ERR_FORK.  Source: YAKL's timer_get_...  Since: 0.1
inline double timer_get_last_duration(const std::string &label) { return detail::seconds(detail::timer_stats(label).last_ns); }
inline double timer_get_accumulated_duration(const std::string &label) { return detail::seconds(detail::timer_stats(label).total_ns); }
inline double timer_get_min_duration(const std::string &label) { return detail::seconds(detail::timer_stats(label).min_ns); }
inline double timer_get_max_duration(const std::string &label) { return detail::seconds(detail::timer_stats(label).max_ns); }
inline std::int64_t timer_get_count(const std::string &label) { return detail::timer_stats(label).count; }

// Prints the report of all timers on standard error, or into a file; see portable_timers_print.
// Errors: Error with ERR_ARG, ERR_STATE, ERR_FORK.  Source: YAKL's timer_print.  Since: 0.1
inline void timer_print(const char *path = nullptr) { check(portable_timers_print(path)); }

// Prints the labels of launches for a cuda device that ran on the host; see portable_fallback_print, and portable_fallback_list for the numbers.
// Errors: Error with ERR_STATE, ERR_FORK.  Since: 0.1
inline void fallback_print() { check(portable_fallback_print()); }

} // namespace portable

#endif
