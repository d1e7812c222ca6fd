// turns.hpp - times two engines in turns, so that a busy neighbour meets both of them. Each run
// is done twice: behind the other engine's threads, which look for work a while, and behind its
// own. Not in this file: the engines.
#ifndef BENCH_TURNS_HPP
#define BENCH_TURNS_HPP

#include "../clock.h"

struct Turns {
  double ours = 0, theirs = 0; // ns, the least

  template <class Begin, class Ours, class Theirs> Turns(int rounds, Begin begin, Ours run_ours, Theirs run_theirs) {
    for (int round = 0; round < rounds; round++) {
      for (int twice = 0; twice < 2; twice++) take(ours, begin, run_ours);
      for (int twice = 0; twice < 2; twice++) take(theirs, begin, run_theirs);
    }
  }

private:
  // begin is not counted.
  template <class Begin, class Run> static void take(double &least, Begin begin, Run run) {
    begin();
    const double from = now();
    run();
    const double took = now() - from;
    if (least <= 0 || took < least) least = took;
  }
};

#endif
