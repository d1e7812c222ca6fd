// portable_graph.hpp - graphs for C++: launches into streams that are recorded once and replayed with one launch. Includes portable.hpp.
//
//     portable::Graph graph;
//     graph.record(s1, [&] {                                            // a throw gives the recording up
//       portable::parallel_for("A", portable::Bounds<1>(n), kernel, portable::LaunchConfig<>().set_stream(s1));
//     });
//     for (int step = 0; step < steps; step++) graph.launch(s1);
//     s1.fence();                                                       // the last reference to the graph destroys it
//
// In this file: portable_graph.h with exceptions. Rules, errors, threads: there. Since: 0.1
#ifndef PORTABLE_GRAPH_HPP
#define PORTABLE_GRAPH_HPP

#include "portable.hpp"
#include "portable_graph.h"

namespace portable {

// A graph. Copies stand for the same one, which is destroyed with the last of them, after its last launch. A kernel that is a C++ object is recorded as a
// copy with what it captures, as in a launch into a stream; node n of update is one of portable_parallel_for and its like.
// Errors: Error with the codes of portable_graph.h.  Since: 0.1
class Graph {
public:
  Graph() = default;

  // Begins to record what this thread puts into the stream.
  void begin(const Stream &stream) {
    portable_graph g = 0;
    check(portable_graph_begin(stream.c_stream(), &g));
    handle_ = std::make_shared<detail::Handle>(g, portable_graph_destroy);
  }
  void end() { check(portable_graph_end(c_graph())); }

  // Records what the function puts into the stream.
  template <class F>
  void record(const Stream &stream, F &&function) {
    Graph recorded;
    recorded.begin(stream);
    std::forward<F>(function)();
    recorded.end();
    *this = std::move(recorded);
  }

  // Puts all nodes into the stream.
  void launch(const Stream &stream) const { check(portable_graph_launch(c_graph(), stream.c_stream())); }

  // Replaces the argument block of a node, counted from 0, from the next launch on.
  template <class T>
  void update(std::int32_t node, const T &args) const {
    static_assert(std::is_trivially_copyable<T>::value, "an argument block is copied byte by byte");
    check(portable_graph_update(c_graph(), node, &args, sizeof args));
  }

  std::int32_t nodes() const {
    std::int32_t count = 0;
    check(portable_graph_nodes(c_graph(), &count));
    return count;
  }

  // Waits for its last launch; the graph ends when no other reference is left.
  void destroy() { handle_.reset(); }
  portable_graph c_graph() const noexcept { return detail::number_of(handle_); }

private:
  std::shared_ptr<detail::Handle> handle_;
};

} // namespace portable

#endif
