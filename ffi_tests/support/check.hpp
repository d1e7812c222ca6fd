// check.hpp - what the programs of arrays, twins and records in C++ share: CHECK, a start of the library, and that nothing is left over at its end.
#ifndef CHECK_HPP
#define CHECK_HPP

#include <portable.hpp>

#include <cstdio>
#include <cstring>
#include <string>

namespace checks {

inline int failures = 0;

inline void that(bool ok, const char *what, const char *file, int line) {
  if (ok) return;
  failures++;
  std::printf("%s:%d: CHECK(%s)  last error: %s\n", file, line, what, portable_last_error());
}

// Live blocks of the default pool.
inline std::uint64_t blocks() {
  portable_pool pool = 0;
  portable_stats stats;
  stats.struct_size = static_cast<std::uint32_t>(sizeof stats);
  portable::check(portable_pool_default(&pool));
  portable::check(portable_pool_stats(pool, &stats));
  return stats.in_use_blocks;
}

// The text of the Error that f throws, "" for none.
template <class F> std::string error_of(const F &f) {
  try {
    f();
  } catch (const portable::Error &e) {
    return e.what();
  }
  return "";
}

inline bool has(const std::string &text, const char *part) {
  if (text.find(part) != std::string::npos) return true;
  std::printf("expected \"%s\" in \"%s\"\n", part, text.c_str());
  return false;
}

// Runs the program's tests and gives what main returns.
template <class F> int run(const F &tests) {
  portable::check(portable_init(nullptr));
  const std::uint64_t before = blocks();
  tests();
  if (blocks() != before) {
    failures++;
    std::printf("%llu blocks are left over\n", static_cast<unsigned long long>(blocks() - before));
  }
  portable::check(portable_finalize());
  if (failures) std::printf("%d checks failed\n", failures);
  return failures ? 1 : 0;
}

} // namespace checks

#define CHECK(condition) checks::that((condition), #condition, __FILE__, __LINE__)

#endif
