// pool.cpp - class Gator, get_pool, what is called before the stop, and functions of the program's in place of the pool.
// Not in this file: how the pool finds blocks (../pool).
#include "YAKL.h"
#include "expect.h"

#include <cstdint>

using yakl::Array;
using yakl::memDevice;
using yakl::styleC;
typedef Array<double, 1, memDevice, styleC> real1d;

template <class F> static bool throws(F const &f) {
  try {
    f();
  } catch (std::runtime_error const &) {
    return true;
  }
  return false;
}

// A pool over memory of the program's functions.
static void own_pool() {
  std::size_t taken = 0, pieces = 0, given = 0;
  {
    yakl::Gator pool;
    EXPECT(pool.get_pool_capacity() == 0 && pool.get_num_allocs() == 0);
    std::size_t const mb = 1024 * 1024;
    pool.init([&](std::size_t bytes) -> void * { return pieces++, taken += bytes, ::malloc(bytes); }, [&](void *p) { given++, ::free(p); }, [](void *, std::size_t) {}, mb, 2 * mb, 128,
              "field pool", "field pool: no memory");
    EXPECT(taken >= mb && pool.get_num_pools() == 1 && pool.get_pool_capacity() >= mb);
    void *a = pool.allocate(1000, "a"), *b = pool.allocate(2000, "b");
    EXPECT(a && b && a != b && pool.get_num_allocs() == 2 && pool.get_bytes_currently_allocated() >= 3000 && pool.allocate(0) == nullptr);
    std::memset(a, 1, 1000);
    pool.free(a, "a");
    EXPECT(pool.get_num_allocs() == 1 && pool.get_high_water_mark() >= 3000);
    EXPECT(pool.get_pool_space_efficiency() > 0 && pool.get_pool_space_efficiency() < pool.get_pool_high_water_space_efficiency());
    void *c = pool.allocate(3 * mb / 2, "more than is left");
    EXPECT(c && pool.get_num_pools() == 2);
    pool.printAllocsLeft();
    EXPECT(throws([&] { pool.free(a, "a"); }) && throws([&] { pool.free(&taken, "of no pool"); }));
    auto stream = yakl::create_stream();
    real1d x("x", 10);
    yakl::c::parallel_for("in a stream", 10, YAKL_LAMBDA(int i) { x(i) = i; }, yakl::DefaultLaunchConfig().set_stream(stream));
    pool.free_with_event_dependencies(b, {yakl::record_event(stream)}, "b");
    stream.fence();
    pool.free_completed_waiting_entries();
    EXPECT(pool.get_num_allocs() == 1 && x(9) == 9);
    pool.free_with_event_dependencies(c, {}, "c");
    void *d = pool.allocate(64, "d"); // frees c before
    EXPECT(pool.get_num_allocs() == 1);
    pool.free(d);
    pool.finalize();
    EXPECT(given == pieces && pieces >= 2 && pool.get_num_pools() == 0);
  }
  yakl::Gator defaults;
  defaults.init([](std::size_t bytes) -> void * { return ::malloc(bytes); }, [](void *p) { ::free(p); }, [](void *, std::size_t) {}, 1 << 20, 1 << 20, 100);
  void *p = defaults.allocate(1);
  EXPECT(p && reinterpret_cast<std::uintptr_t>(p) % 64 == 0);
  defaults.free(p);
}

static void default_pool() {
  EXPECT(yakl::use_pool());
  auto &pool = yakl::get_pool();
  std::size_t const blocks = pool.get_num_allocs(), bytes = pool.get_bytes_currently_allocated();
  {
    real1d a("a", 1000);
    EXPECT(pool.get_num_allocs() == blocks + 1 && pool.get_bytes_currently_allocated() >= bytes + 8000 && pool.get_high_water_mark() >= bytes + 8000);
    EXPECT(pool.get_pool_capacity() >= pool.get_bytes_currently_allocated() && pool.get_num_pools() >= 1);
    EXPECT(throws([&] { pool.init(); }));
  }
  EXPECT(pool.get_num_allocs() == blocks);
  void *p = pool.allocate(100, "by hand");
  EXPECT(pool.get_num_allocs() == blocks + 1);
  yakl::free_device(p, "by hand");
  EXPECT(pool.get_num_allocs() == blocks);
}

static int alive = 0;
static std::string last_label;
static void *given(std::size_t bytes, char const *label) { return alive++, last_label = label, ::malloc(bytes); }
static void taken(void *p, char const *label) { alive--, last_label = label, ::free(p); }

static void own_functions() {
  real1d before("before", 3);
  before = 1;
  yakl::set_device_allocator(given);
  yakl::set_device_deallocator(taken);
  std::size_t const blocks = yakl::get_pool().get_num_allocs();
  real1d left;
  {
    real1d a("a", 5);
    EXPECT(alive == 1 && last_label == "a" && yakl::get_pool().get_num_allocs() == blocks);
    a = 2;
    Array<double, 1, memDevice, styleC> b = a.createDeviceCopy(), c = a.slice<1>(yakl::COLON);
    EXPECT(alive == 2 && b(4) == 2 && yakl::intrinsics::sum(b) == 10 && c.use_count() == 2);
    Array<double, 1, yakl::memHost, styleC> host("host", 5);
    EXPECT(alive == 2);
    left = b;
  }
  EXPECT(alive == 1);
  void *p = yakl::alloc_device(16, "by hand");
  EXPECT(alive == 2 && last_label == "by hand");
  yakl::free_device(p, "by hand");
  before = real1d(); // of the pool
  EXPECT(alive == 1 && yakl::get_pool().get_num_allocs() == blocks - 1);
  yakl::set_yakl_allocators_to_default();
  real1d after("after", 3);
  EXPECT(alive == 1);
  left = real1d(); // freed by the function that was set when it was made
  EXPECT(alive == 0);
}

static std::vector<int> order;
static real1d global;

// Blocks that wait for events, and pools, end with the run of the library in which they were made: later blocks at their addresses are not touched.
static void other_run() {
  const auto give = [](std::size_t bytes) { return std::malloc(bytes); };
  const auto take = [](void *p) { std::free(p); };
  yakl::init(yakl::InitConfig().set_timer_init([] { yakl::register_finalize_callback([] {}); })); // init calls what calls the library
  yakl::Gator own;
  own.init(give, take, [](void *, std::size_t) {}, 1 << 20, 1 << 20, 64);
  own.free_with_event_dependencies(own.allocate(100, "own"), {}, "own");
  yakl::get_pool().free_with_event_dependencies(yakl::get_pool().allocate(1000, "early"), {}, "early");
  yakl::finalize();
  own.finalize();
  yakl::init();
  {
    const real1d a("a", 125);
    a = 1;
    void *const later = yakl::get_pool().allocate(1000, "later");
    EXPECT(later != a.data() && yakl::get_pool().get_num_allocs() == 2);
    yakl::get_pool().free(later);
  }
  own.init(give, take, [](void *, std::size_t) {}, 1 << 20, 1 << 20, 64);
  own.free(own.allocate(100));
  own.finalize();
  yakl::finalize();
}

int main() {
  EXPECT(!yakl::use_pool());
  other_run();
  yakl::init();
  own_pool();
  default_pool();
  own_functions();
  // Called once, before memory is released, in the order in which they were registered.
  global = real1d("global", 4);
  global = 3;
  yakl::register_finalize_callback([] { order.push_back(!global.initialized() || (global(2) == 3 && yakl::isInitialized()) ? 1 : -1); });
  yakl::register_finalize_callback([] {
    global = real1d();
    order.push_back(2);
  });
  yakl::init(); // a second participant
  yakl::finalize();
  EXPECT(order.empty() && yakl::isInitialized());
  yakl::finalize();
  EXPECT(order == std::vector<int>({1, 2}) && !yakl::isInitialized() && !global.initialized());

  // The same functions from the start on, without labels.
  int made = 0;
  yakl::InitConfig config;
  EXPECT(!config.get_device_allocator() && !config.get_timer_start() && config.get_pool_enabled());
  config.set_device_allocator([&](std::size_t bytes) -> void * { return made++, ::malloc(bytes); }).set_device_deallocator([&](void *p) { made--, ::free(p); });
  config.set_pool_initial_mb(16).set_pool_grow_mb(32).set_pool_block_bytes(256);
  EXPECT(config.get_pool_initial_mb() == 16 && config.get_pool_grow_mb() == 32 && config.get_pool_block_bytes() == 256 && config.get_device_deallocator());
  yakl::init(config);
  {
    real1d a("a", 3);
    EXPECT(made == 1);
  }
  EXPECT(made == 0);
  order.clear();
  yakl::finalize();
  EXPECT(order.size() == 2); // callbacks stay registered
  yakl::init(yakl::InitConfig().set_pool_enabled(false));
  EXPECT(!yakl::use_pool());
  yakl::finalize();
  return checks::failures != 0;
}
