// tbb.cpp - the loops of engines.h under oneTBB, with its static partitioner, which is the quickest
// for even loops.
#include <memory>

#include <oneapi/tbb.h>

#include "engines.h"

namespace tbb = oneapi::tbb;

static std::unique_ptr<tbb::global_control> limit;
static std::unique_ptr<tbb::task_arena> arena;
static int threads;

void engine_start(int n) {
  threads = n ? n : tbb::info::default_concurrency();
  limit = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
  arena = std::make_unique<tbb::task_arena>(threads);
}

int engine_threads() { return threads; }

template <class F> static void loop(std::int64_t n, const F &f) {
  arena->execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::int64_t>(0, n),
        [&](const tbb::blocked_range<std::int64_t> &r) {
          for (std::int64_t i = r.begin(); i < r.end(); i++) f(i);
        },
        tbb::static_partitioner());
  });
}

void engine_loop(std::int64_t n) { loop(n, [](std::int64_t i) { body(i); }); }

void engine_nested(std::int64_t outer, std::int64_t inner) {
  loop(outer, [=](std::int64_t) { engine_loop(inner); });
}

void engine_work(double *data, std::int64_t n) {
  loop(n, [=](std::int64_t i) { data[i] = data[i] * 0.999999 + 1e-6; });
}
