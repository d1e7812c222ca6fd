// turns.hpp - times engines in turns, so that a busy neighbour meets all of them. Each run is done
// twice: behind the threads of the engine before it, which look for work a while, and behind its
// own. Not in this file: the engines.
#ifndef BENCH_TURNS_HPP
#define BENCH_TURNS_HPP

#include <array>

#include "../clock.h"

// begin is not counted.
template <class Begin, class Run> void take(double &least, const Begin &begin, const Run &run) {
  begin();
  const double from = now();
  run();
  const double took = now() - from;
  if (least <= 0 || took < least) least = took;
}

// The least time of each engine, in ns.
template <class Begin, class... Run> std::array<double, sizeof...(Run)> in_turns(int rounds, const Begin &begin, const Run &...runs) {
  std::array<double, sizeof...(Run)> least{};
  for (int round = 0; round < rounds; round++) {
    std::size_t engine = 0;
    ((take(least[engine], begin, runs), take(least[engine++], begin, runs)), ...);
  }
  return least;
}

#endif
