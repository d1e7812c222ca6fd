/* portable_graph.h - graphs: launches into streams that are recorded once and replayed with one launch. Includes portable.h.
 *
 *     portable_graph_begin(s1, &graph);                 // from here on, what enters s1 is recorded, and does not run
 *     portable_parallel_for("A", ..., &in_s1);          // a launch_config with the stream s1
 *     portable_event_record(ready, s1);
 *     portable_stream_wait_event(s2, ready);            // s2 records, too, because it waits for an event of the graph
 *     portable_parallel_for("B", ..., &in_s1);          // node 1: nodes are counted from 0 in the order of the calls
 *     portable_parallel_for("C", ..., &in_s2);
 *     portable_event_record(both, s2);
 *     portable_stream_wait_event(s1, both);
 *     portable_parallel_for("D", ..., &in_s1);
 *     portable_graph_end(graph);                        // the streams are as they were before
 *     for (step = 0; step < steps; step++) portable_graph_launch(graph, s1);
 *     portable_stream_fence(s1);
 *     portable_graph_destroy(graph);
 *
 * In this file: the functions of graphs. Not in this file: streams and events (portable_stream.h); C++ (portable_graph.hpp); Fortran
 * (portable_graph_mod).
 *
 * The rules at the head of portable.h and portable_stream.h hold. In addition:
 *   Recording:  one thread records one graph at a time, and alone puts work into its streams. It may launch kernels into them, record and wait for
 *               events, and call portable_stream_call and portable_add_stream_dependency. Until the end, its portable_fence, its
 *               allocations, its launches into no stream or a synchronous one, and those into recorded streams that are waited for (reductions, Fortran
 *               procedures) are ERR_STATE. Launches into other asynchronous streams run. Other threads are free.
 *   Arguments:  label, bounds and argument block are copied as for a launch, and belong to the graph until it is destroyed.
 *   Memory:     a pool block whose address is in an argument block (aligned to 8 bytes) is kept when it is freed, until the graph is destroyed; so is
 *               one that was named by portable_add_stream_dependency. A pool that is destroyed takes its blocks with it; then the graph is not launched
 *               any more. Under valgrind and AddressSanitizer a free ends the use of such a graph, too.
 *   Order:      a node comes after those before it in its stream and after those that its stream has waited for. On the host one thread, that of the
 *               stream that gets the launch, runs the nodes one after the other, each of them on all threads. The bits are those of launches.
 *   Errors:     a node that fails is the error of the stream that got the graph, once. Nodes that come after it are skipped, others run. Callbacks
 *               are called in any case, with the error of a node before them.
 *   Kernels:    no function of this file may be called inside a kernel or a callback: ERR_STATE.
 */
#ifndef PORTABLE_GRAPH_H
#define PORTABLE_GRAPH_H

#include "portable.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A graph. 0 is none; a handle of a destroyed graph is recognised and refused. */
typedef uint64_t portable_graph;

/* Begins to record what the calling thread puts into the stream, and into streams that wait for its events. The stream is an asynchronous one that was
 * created; work that is in it runs on.
 * Ownership: caller owns the graph until portable_graph_destroy, or until the library stops.  Threads: the calling one records, and ends.
 * Returns: 0, ERR_ARG (graph_out NULL), ERR_HANDLE (no stream), ERR_STATE (the thread or the stream records already; a synchronous or a default stream;
 * inside a kernel), ERR_NOMEM (there are 65536), ERR_DEVICE, ERR_FORK.  Source: cudaStreamBeginCapture.  Since: 0.1 */
portable_status portable_graph_begin(portable_stream stream, portable_graph *graph_out);

/* Ends the recording, and makes the graph ready for launches. The streams take work again. A graph without nodes is right.
 * Threads: the one that began.
 * Returns: 0, ERR_HANDLE, ERR_STATE (the graph does not record; another thread records it; the first stream does not wait for one of the others),
 * ERR_NOMEM, ERR_DEVICE, ERR_FORK, or the first error of a call that should have been recorded. After an error it can only be destroyed.
 * Source: cudaStreamEndCapture.  Since: 0.1 */
portable_status portable_graph_end(portable_graph graph);

/* Puts all nodes into the stream as one piece of work, and returns. The stream is an asynchronous one of the same device. Launches of one graph run one
 * after the other, also in different streams. Kernels compute with the floating-point modes of the thread that makes this call.
 * Threads: any.
 * Returns: 0, ERR_HANDLE, ERR_ARG (a stream of another device), ERR_STATE (the recording has not ended, or its end was refused; blocks went with their
 * pool; a synchronous stream; inside a kernel), ERR_NOMEM, ERR_DEVICE, ERR_FORK.  Source: cudaGraphLaunch.  Since: 0.1 */
portable_status portable_graph_launch(portable_graph graph, portable_stream stream);

/* Replaces the argument block of a node, from the next launch of the graph on; earlier launches keep theirs. node: its number from 0 on, in the order of
 * the recorded calls; launches and callbacks count, events and launches without iterations do not. Without this call a node has
 * the arguments of its last replay.
 * Shapes: args[args_bytes], copied; as many bytes as the launch had.  Threads: any.
 * Returns: 0, ERR_HANDLE, ERR_ARG (node; NULL; another size; a node without a block), ERR_STATE (as portable_graph_launch), ERR_NOMEM, ERR_FORK.
 * Source: cudaGraphExecKernelNodeSetParams.  Since: 0.1 */
portable_status portable_graph_update(portable_graph graph, int32_t node, const void *args, size_t args_bytes);

/* Waits for the last launch of the graph, and ends it; its blocks are the pools' again. A recording that has not ended is given up, also one of another
 * thread, whose later launches run. 0 does nothing.
 * Threads: any.
 * Returns: 0, ERR_HANDLE, ERR_STATE (inside a kernel or a callback; the graph stays), ERR_FORK. Errors of nodes stay in their streams.  Since: 0.1 */
portable_status portable_graph_destroy(portable_graph graph);

/* The number of nodes: recorded launches and callbacks.
 * Returns: 0, ERR_HANDLE, ERR_ARG (count_out NULL), ERR_STATE (inside a kernel), ERR_FORK.  Threads: any.  Since: 0.1 */
portable_status portable_graph_nodes(portable_graph graph, int32_t *count_out);

#ifdef __cplusplus
}
#endif

#endif
