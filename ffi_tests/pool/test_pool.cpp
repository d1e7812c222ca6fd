// test_pool.cpp - portable.h from C++17: the default pool under a std::vector, a pool over a source that is
// a C++ object, exceptions that unwind past live blocks. Not in this file: what the C programs see to.
#include <portable.h>

#include <cstdint>
#include <cstdio>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

int failures = 0;

void check(bool ok, const char *what, int line) {
  if (ok) return;
  failures++;
  std::printf("test_pool.cpp:%d: CHECK(%s)  last error: %s\n", line, what, portable_last_error());
}
#define CHECK(condition) check((condition), #condition, __LINE__)

// Memory of the default pool for the standard containers.
template <class T> struct pool_allocator {
  using value_type = T;
  pool_allocator() = default;
  template <class U> pool_allocator(const pool_allocator<U> &) {}
  T *allocate(std::size_t n) {
    void *p = nullptr;
    if (portable_alloc(n * sizeof(T), "vector", &p) != PORTABLE_OK) throw std::bad_alloc();
    return static_cast<T *>(p);
  }
  void deallocate(T *p, std::size_t) { CHECK(portable_free(p) == PORTABLE_OK); }
  template <class U> bool operator==(const pool_allocator<U> &) const { return true; }
  template <class U> bool operator!=(const pool_allocator<U> &) const { return false; }
};

struct counting_source {
  std::uint64_t slabs = 0;
  static void *give(std::size_t bytes, void *payload) {
    static_cast<counting_source *>(payload)->slabs++;
    return ::operator new(bytes, std::align_val_t(64), std::nothrow);
  }
  static void take(void *slab, std::size_t, void *payload) {
    static_cast<counting_source *>(payload)->slabs--;
    ::operator delete(slab, std::align_val_t(64));
  }
};

std::uint64_t live() {
  portable_pool pool = 0;
  portable_stats stats{};
  stats.struct_size = sizeof stats;
  CHECK(portable_pool_default(&pool) == PORTABLE_OK);
  CHECK(portable_pool_stats(pool, &stats) == PORTABLE_OK);
  return stats.in_use_blocks;
}

// Unwinds out of a function that holds a block.
void throws() {
  std::vector<double, pool_allocator<double>> tmp(1000, 1.0);
  throw std::runtime_error("on purpose");
}

} // namespace

int main() {
  portable_config config = PORTABLE_CONFIG_INIT;
  config.pool_initial_bytes = 1u << 20;
  CHECK(portable_init(&config) == PORTABLE_OK);
  {
    std::vector<double, pool_allocator<double>> a(1000, 2.0), b;
    for (int i = 0; i < 10000; i++) b.push_back(i);
    CHECK(reinterpret_cast<std::uintptr_t>(a.data()) % 64 == 0);
    CHECK(a[999] == 2.0 && b[9999] == 9999.0);
    CHECK(live() == 2);
    std::thread other([] { std::vector<int, pool_allocator<int>> c(500, 3); CHECK(c[499] == 3); });
    other.join();
  }
  try {
    throws();
    CHECK(false);
  } catch (const std::runtime_error &) {
  }
  CHECK(live() == 0);

  counting_source source;
  portable_pool_config pool_config = PORTABLE_POOL_CONFIG_INIT;
  pool_config.name = "source in C++";
  pool_config.alloc = counting_source::give;
  pool_config.free = counting_source::take;
  pool_config.payload = &source;
  portable_pool pool = 0;
  void *p = nullptr;
  CHECK(portable_pool_create(&pool_config, &pool) == PORTABLE_OK);
  CHECK(source.slabs == 0);
  CHECK(portable_pool_alloc(pool, 100, "h", &p) == PORTABLE_OK);
  CHECK(source.slabs == 1);
  CHECK(portable_pool_free(pool, p) == PORTABLE_OK);
  CHECK(portable_pool_destroy(pool) == PORTABLE_OK);
  CHECK(source.slabs == 0);
  CHECK(portable_pool_destroy(pool) == PORTABLE_ERR_HANDLE);
  CHECK(std::string(portable_last_error()) != "");

  const std::uint64_t blocks = live();
  CHECK(blocks == 0);
  CHECK(portable_finalize() == PORTABLE_OK);
  std::printf("live blocks = %llu\n", static_cast<unsigned long long>(blocks));
  return failures > 0;
}
