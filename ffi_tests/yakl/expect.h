// expect.h - what programs of this room share. It names YAKL only, as the programs do.
#ifndef YAKL_EXPECT_H
#define YAKL_EXPECT_H

#include <cstdio>

namespace checks {

inline int failures = 0;

inline void that(bool ok, char const *what, char const *file, int line) {
  if (ok) return;
  failures++;
  std::printf("%s:%d: EXPECT(%s)\n", file, line, what);
}

} // namespace checks

#define EXPECT(...) checks::that(static_cast<bool>(__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)

#endif
