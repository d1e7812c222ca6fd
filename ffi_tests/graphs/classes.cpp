// classes.cpp - graphs from C++: kernels that own what they capture, references, exceptions. Not in this file: what graphs do (replay.c).
#include <portable_graph.hpp>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>

static int failures;
#define CHECK(condition)                                        \
  do {                                                          \
    if (!(condition)) {                                         \
      failures++;                                               \
      std::printf("%s:%d: CHECK(%s) last error: %s\n", __FILE__, __LINE__, #condition, portable_last_error()); \
    }                                                           \
  } while (0)

// A stream of the host, as kernels of the host are not recorded on CUDA devices.
static portable::Stream host_stream() {
  portable_device device = 0;
  if (portable_stream_kind(0) == PORTABLE_STREAM_ASYNC) portable::check(portable_device_find("threads", &device));
  return portable::Stream(portable::StreamKind::asynchronous, device);
}

// A kernel that owns something: each replay uses the copy, which goes with the graph.
static void owners() {
  portable::Stream s = host_stream();
  auto shared = std::make_shared<int>(0);
  portable::Graph graph, same;
  graph.record(s, [&] {
    for (int k = 0; k < 3; k++)
      portable::c::parallel_for("owner", 1, [shared](int) { ++*shared; }, portable::LaunchConfig().set_stream(s));
  });
  CHECK(*shared == 0 && shared.use_count() == 4 && graph.nodes() == 3);
  for (int step = 0; step < 100; step++) graph.launch(s);
  s.fence();
  CHECK(*shared == 300 && shared.use_count() == 4);
  same = graph;
  graph.destroy();
  CHECK(graph.c_graph() == 0 && shared.use_count() == 4);
  same.launch(s);
  same.destroy(); // waits
  CHECK(*shared == 303 && shared.use_count() == 1);
  portable::c::parallel_for("no graph", 1, [shared](int) { ++*shared; }, portable::LaunchConfig().set_stream(s));
  s.fence();
  CHECK(*shared == 304 && shared.use_count() == 1);
}

template <class F> static std::string thrown(F f, portable_status status) {
  try {
    f();
  } catch (const portable::Error &e) {
    CHECK(e.status() == status);
    return e.what();
  }
  CHECK(!"nothing was thrown");
  return "";
}

// A throw inside of a recording gives it up: the stream takes work again.
static void exceptions() {
  portable::Stream s = host_stream();
  portable::Graph graph;
  auto shared = std::make_shared<int>(0);
  const portable::LaunchConfig config = portable::LaunchConfig().set_stream(s);
  try {
    graph.record(s, [&] {
      portable::c::parallel_for("lost", 1, [shared](int) { ++*shared; }, config);
      throw std::runtime_error("no");
    });
    CHECK(!"nothing was thrown");
  } catch (const std::runtime_error &) {
  }
  CHECK(graph.c_graph() == 0 && shared.use_count() == 1);
  CHECK(thrown([&] { graph.launch(s); }, PORTABLE_ERR_HANDLE).find("is not a graph") != std::string::npos);
  portable::c::parallel_for("runs", 1, [shared](int) { ++*shared; }, config);
  s.fence();
  CHECK(*shared == 1);
  CHECK(thrown([&] { graph.begin(portable::Stream()); }, PORTABLE_ERR_STATE).find("asynchronous streams") != std::string::npos);
  // A kernel that throws is an error of the stream.
  graph.record(s, [&] { portable::c::parallel_for("bad", 1, [shared](int) { if (*shared) throw std::runtime_error("thrown in a node"); }, config); });
  graph.launch(s);
  CHECK(thrown([&] { s.fence(); }, PORTABLE_ERR_KERNEL).find("thrown in a node") != std::string::npos);
  struct block { int a; } wrong = {1};
  CHECK(thrown([&] { graph.update(0, wrong); }, PORTABLE_ERR_ARG).find("no argument block") != std::string::npos);
}

struct Ended {
  int *count, *refused;
  Ended(int *counter, int *states) : count(counter), refused(states) {}
  ~Ended() {
    ++*count;
    *refused += portable_fence() == PORTABLE_ERR_STATE;
  }
};

// The library stops with a graph and with a recording: what their kernels own goes with it.
static void left_at_the_end() {
  int ended = 0, refused = 0;
  auto owned = std::make_shared<Ended>(&ended, &refused);
  portable::Graph graph, recording;
  {
    portable::Stream s = host_stream(), other = host_stream();
    graph.record(s, [&] { portable::c::parallel_for("left", 1, [owned](int) {}, portable::LaunchConfig().set_stream(s)); });
    recording.begin(other);
    portable::c::parallel_for("recorded", 1, [owned](int) {}, portable::LaunchConfig().set_stream(other));
    graph.launch(s);
    CHECK(owned.use_count() == 3);
    owned.reset();
    s.fence();
    portable::check(portable_finalize());
  }
  CHECK(ended == 1 && refused == 1); // after the stop
}

int main() {
  portable::check(portable_init(nullptr));
  owners();
  exceptions();
  left_at_the_end();
  return failures != 0;
}
