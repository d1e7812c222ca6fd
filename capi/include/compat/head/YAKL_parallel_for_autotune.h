// YAKL_parallel_for_autotune.h - autotune of YAKL's HEAD: which configuration of a launch is the fastest. Part of compat/head/YAKL.h; include that.
//
// In this file: the search, by label and shape, and its report. Not in this file: files with tiles and schedules by label (PORTABLE_TUNING), which a
// launch that is tuned here does not heed for what the search sets.
// On the host the threads of a block have no meaning: there the six configurations are schedules and lengths of rows. Results are the same bits.
// Threads: one thread at a time, as in YAKL.
// Source: YAKL's autotune.
#ifndef PORTABLE_YAKL_HEAD_AUTOTUNE
#define PORTABLE_YAKL_HEAD_AUTOTUNE

#ifndef PORTABLE_YAKL_HEAD
#error "include YAKL.h, which includes this"
#endif

namespace yakl {
namespace autotune {

// The configurations, the default first. Threads of a block on a device; on the host the schedule, and the most iterations of a tile along the fastest
// dimension, 0 for all of them.
struct Candidate {
  int threads;
  portable::Schedule schedule;
  std::int64_t row;
};
inline constexpr int configuration_count = 6;
inline constexpr std::array<Candidate, configuration_count> candidates = {
    {{0, portable::Schedule::standard, 0}, {64, portable::Schedule::fixed, 0}, {128, portable::Schedule::dynamic, 0},
     {256, portable::Schedule::fixed, 256}, {512, portable::Schedule::dynamic, 256}, {1024, portable::Schedule::dynamic, 1024}}};

// The measurements of a launch; the first visit of each configuration is not measured.
struct AutotuneContext {
  static constexpr int tests_per_config = 5;
  static constexpr int total_tests = tests_per_config * configuration_count;
  int tests_performed = 0, best_index = -1;
  std::array<double, configuration_count> timings{};     // sums [s]
  std::array<int, configuration_count> sample_counts{};
  double mean(int i) const { return timings[static_cast<std::size_t>(i)] / sample_counts[static_cast<std::size_t>(i)]; }
};
inline std::unordered_map<std::string, AutotuneContext> autotune_contexts;

// The threads of a block of configuration i.
inline int get_config(int i) { return candidates.at(static_cast<std::size_t>(i)).threads; }

// Prints the best configuration of each launch so far, on rank 0.
inline void print_best() {
  if (autotune_contexts.empty() || !yakl_mainproc()) return;
  std::cout << "\n*** AUTOTUNE RESULTS ***\n";
  for (const auto &[key, c] : autotune_contexts) {
    const std::string incomplete =
        "Tuning incomplete (" + std::to_string(c.tests_performed) + "/" + std::to_string(AutotuneContext::total_tests) + " launches)";
    std::cout << key << " : ";
    if (c.best_index < 0) {
      std::cout << incomplete << "; no timed samples completed" << std::endl;
      continue;
    }
    std::cout << "Config<" << get_config(c.best_index) << "> , Speedup: " << c.mean(0) / c.mean(c.best_index);
    if (c.tests_performed < AutotuneContext::total_tests) std::cout << " , " << incomplete;
    std::cout << std::endl;
  }
}

} // namespace autotune

namespace internal {

// finalize prints the report once, and a later start begins again.
inline void report_tuning_at_finalize() {
  static const bool once = [] {
    at_finalize().push_back([] {
      autotune::print_best();
      autotune::autotune_contexts.clear();
    });
    return true;
  }();
  (void)once;
}

template <int N> portable::LaunchConfig config_of(const autotune::Candidate &candidate) {
  portable::LaunchConfig c;
  c.set_schedule(candidate.schedule);
  if (candidate.threads > 0) c.set_inner_size(candidate.threads);
  std::array<std::int64_t, static_cast<std::size_t>(N)> tile{};
  tile[N - 1] = candidate.row;
  if (candidate.row > 0) std::apply([&c](auto... n) { c.set_tile(n...); }, tile);
  return c;
}

} // namespace internal

namespace autotune {

// As yakl::parallel_for; each call tries one configuration until all are measured, then takes the best one.
template <int N, class Style, bool Simple, class F> void parallel_for(const std::string &label, const Bounds<N, Style, Simple> &bounds, const F &kernel) {
  if (bounds.nIter == 0) return;
  std::string key = label + ":";
  for (std::size_t d = 0; d < N; d++) key += std::to_string(internal::extent(bounds, d)) + (d + 1 < N ? "x" : "");
  key += "_iterations";
  internal::report_tuning_at_finalize();
  AutotuneContext &c = autotune_contexts[key];
  const auto launch = [&](int i) { internal::launch(label, bounds, kernel, internal::config_of<N>(candidates[static_cast<std::size_t>(i)])); };
  if (c.tests_performed == AutotuneContext::total_tests) return launch(c.best_index);
  const int i = c.tests_performed / AutotuneContext::tests_per_config;
  portable::fence();
  const auto begin = std::chrono::steady_clock::now();
  launch(i);
  portable::fence();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (c.tests_performed++ % AutotuneContext::tests_per_config == 0) return;
  c.timings[static_cast<std::size_t>(i)] += seconds;
  c.sample_counts[static_cast<std::size_t>(i)]++;
  c.best_index = 0;
  for (int k = 1; k < configuration_count && c.sample_counts[static_cast<std::size_t>(k)] > 0; k++)
    if (c.mean(k) < c.mean(c.best_index)) c.best_index = k;
}
template <class F> void parallel_for(const std::string &label, std::integral auto n, const F &kernel) {
  autotune::parallel_for(label, SimpleBounds<1>(n), kernel);
}
template <int N, bool Simple, class F> void parallel_for_F(const std::string &label, const Bounds<N, FStyle, Simple> &bounds, const F &kernel) {
  autotune::parallel_for(label, bounds, kernel);
}
template <class F> void parallel_for_F(const std::string &label, std::integral auto n, const F &kernel) {
  autotune::parallel_for(label, SimpleBounds_F<1>(n), kernel);
}

} // namespace autotune
} // namespace yakl

#endif
