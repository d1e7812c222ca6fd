// tuning.cpp - autotune of YAKL's HEAD: each index once in every configuration, the count of visits, and the report at the stop.
// In CMakeLists.txt: what the report looks like.
#include "../expect.h"
#include "YAKL.h"

using yakl::SimpleBounds;
using Context = yakl::autotune::AutotuneContext;

static void complete() {
  yakl::Array<int ***> a("a", 3, 5, 7);
  for (int visit = 0; visit <= Context::total_tests; visit++)
    yakl::autotune::parallel_for("tuned", SimpleBounds<3>(3, 5, 7), KOKKOS_LAMBDA(int k, int j, int i) { Kokkos::atomic_add(&a(k, j, i), 1); });
  Context const &c = yakl::autotune::autotune_contexts.at("tuned:3x5x7_iterations");
  EXPECT(c.tests_performed == Context::total_tests && c.best_index >= 0 && c.best_index < yakl::autotune::configuration_count);
  for (int i = 0; i < yakl::autotune::configuration_count; i++) {
    EXPECT(c.sample_counts[static_cast<std::size_t>(i)] == Context::tests_per_config - 1);
    EXPECT(c.mean(c.best_index) <= c.mean(i));
  }
  EXPECT(yakl::intrinsics::minval(a) == Context::total_tests + 1 && yakl::intrinsics::maxval(a) == Context::total_tests + 1);
}

// The first visit of a configuration is not measured; a search that has not ended has the best of what was.
static void partial() {
  for (int launches : {1, 2, 5, 6}) {
    std::string const label = "partial " + std::to_string(launches);
    for (int k = 0; k < launches; k++) yakl::autotune::parallel_for_F(label, 9, KOKKOS_LAMBDA(int) {});
    Context const &c = yakl::autotune::autotune_contexts.at(label + ":9_iterations");
    EXPECT(c.tests_performed == launches && c.best_index == (launches == 1 ? -1 : 0) && c.sample_counts[0] == std::min(launches - 1, 4));
  }
  std::size_t const before = yakl::autotune::autotune_contexts.size();
  yakl::autotune::parallel_for("nothing", SimpleBounds<2>(5, 0), KOKKOS_LAMBDA(int, int) { Kokkos::abort("an iteration of none"); });
  EXPECT(yakl::autotune::autotune_contexts.size() == before);
}

int main() {
  Kokkos::initialize();
  yakl::init();
  complete();
  partial();
  yakl::finalize();
  EXPECT(yakl::autotune::autotune_contexts.empty()); // a later start begins again
  Kokkos::finalize();
  return checks::failures != 0;
}
