/* portable_stream.h - streams and events: launches that do not wait for each other. Part of portable.h; include that.
 *
 * A stream is a queue of work for one device. Inside a stream one thing runs after the other, in the order in which it was
 * launched; streams run concurrently. An event is a point in a stream, for which other streams and the program can wait.
 * A launch names its stream in portable_launch_config. Not in this file: launches (portable_launch.h).
 *
 * The rules at the head of portable.h and portable_launch.h hold. In addition:
 *   Arguments:  a launch into an asynchronous stream copies label, bounds and argument block, and returns. With args_bytes 0 the
 *               kernel gets the pointer itself, and what it points to must live until the stream has passed the launch.
 *   Errors:     the first error in a stream wins. Launches behind it are skipped, and the next portable_stream_fence,
 *               portable_fence or portable_stream_destroy returns it once, with its text. From then on the stream works again.
 *   Floating point: a kernel in a stream computes with the modes of the thread that launched it; the exceptions that it raises
 *               are those of the thread that fences the stream.
 *   Kernels:    a kernel or callback of a stream cannot wait for that stream, nor for one that waits for it: ERR_STATE. It may launch
 *               into any. A launch that a callback makes is inside its stream too.
 *   Memory:     a stream holds at most 16384 things that it has not done; who adds one more waits until half are done. Kernels
 *               and callbacks never wait for that.
 *   Default streams of the host's devices are synchronous and are no part of any order: a launch into one waits for no other stream.
 *   CUDA devices: their default streams are asynchronous, and are fenced, asked and waited for as created ones are; the calls that say "default
 *               streams" mean those of the host's devices. A kernel of the host that is launched into one runs when the stream is empty, before the
 *               launch returns. Errors that the device tells late are PORTABLE_ERR_DEVICE, with the labels that they may come from.
 */
#ifndef PORTABLE_STREAM_H
#define PORTABLE_STREAM_H

#ifndef PORTABLE_LAUNCH_H
#error "include portable.h, which includes this"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- streams ------------------------------------------------------------------------------------- */

#define PORTABLE_STREAM_ASYNC 0 /* a launch returns at once; a thread of the library's own does the work */
#define PORTABLE_STREAM_SYNC  1 /* a launch returns when it is done, and returns its error, as in a default stream */

/* Makes a stream for a device (0: the default one). An asynchronous one has a thread of its own, with a stack like those of the
 * team (PORTABLE_STACKSIZE), which sleeps while there is nothing to do; that of a CUDA device from its first work for the host on.
 * Ownership: caller owns the stream until portable_stream_destroy, or until the library stops.
 * Returns: 0, ERR_ARG (kind), ERR_NODEVICE, ERR_STATE, ERR_NOMEM (no thread is available, or there are 65536 streams), ERR_DEVICE, ERR_FORK.
 * Source: YAKL's create_stream.  Since: 0.1 */
portable_status portable_stream_create(portable_device device, int32_t kind, portable_stream *stream_out);

/* Waits until the stream is empty, and ends it. From the call on nothing more can be put into it; until it is empty others may still
 * ask and wait for it. 0 does nothing.
 * Returns: 0, ERR_HANDLE (also for default streams, which end with the library), ERR_STATE (inside a kernel or callback of this
 * stream, or of one that it waits for; it goes on), ERR_FORK, or the pending error of the stream, which has ended all the same.  Since: 0.1 */
portable_status portable_stream_destroy(portable_stream stream);

/* Waits until all that was in the stream at the time of the call is done. 0 and default streams: returns at once.
 * Returns: 0, ERR_HANDLE, ERR_STATE (inside a kernel or callback of this stream, or of one that it waits for), ERR_FORK, or the pending
 * error of the stream: ERR_KERNEL, ERR_NOMEM, ERR_DEVICE.  Since: 0.1 */
portable_status portable_stream_fence(portable_stream stream);

/* Waits until the CUDA devices that access the memory at address have done what is in their default streams; then host code may read and
 * write it. Array calls do so before the host touches elements; code that uses plain pointers calls portable_fence, or this.
 * Created streams are not waited for: fence them. Where the devices have nothing to do, and without devices, it is one load; so it is in
 * a kernel on the host, whose launch has waited.
 * Returns: 0, ERR_STATE (inside a callback of a stream that the device's default stream waits for), or the pending error of such a default
 * stream, as portable_stream_fence. In a forked child 0: the devices are the parent's.  Since: 0.1 */
portable_status portable_fence_memory(const void *address);

/* *done_out is 1 when the stream has nothing left to do, else 0. It takes no error out of the stream.
 * Returns: 0, ERR_HANDLE, ERR_ARG, ERR_STATE, ERR_FORK.  Source: YAKL's completed.  Since: 0.1 */
portable_status portable_stream_query(portable_stream stream, int32_t *done_out);

/* The device of a stream, and its kind (PORTABLE_STREAM_...); 0 is the default stream of the default device. For what is no
 * stream the device is 0 and the kind -1.  Since: 0.1 */
portable_device portable_stream_device(portable_stream stream);
int32_t portable_stream_kind(portable_stream stream);

/* The function that portable_stream_call calls. status is the pending error of the stream, or 0. */
typedef void (*portable_stream_function)(portable_status status, void *payload);

/* Calls a function of the host when the stream comes to it, on the stream's thread; in a synchronous stream at once, on this
 * one. It is called in any case, after an error too, so that it can release what the payload stands for; unless this call itself
 * returns an error. The function may call this library, but not wait for its own stream; it must not throw.
 * Returns: 0, ERR_ARG (NULL), ERR_HANDLE, ERR_STATE, ERR_NOMEM, ERR_FORK.  Since: 0.1 */
portable_status portable_stream_call(portable_stream stream, portable_stream_function function, void *payload);

/* Gives up a payload: calls a function once, when no work that is in the stream now needs it any more. This is portable_stream_call; but in a stream
 * that records a graph (portable_graph.h), whose replays use the payload again, it is called when the graph is destroyed, by the thread that destroys it. For
 * a graph that ends with the library, the thread of the last portable_finalize calls it after the stop: then the function may
 * free memory of the program, and calls of the library that need it running give ERR_STATE.
 * Returns: as portable_stream_call.  Since: 0.1 */
portable_status portable_stream_release(portable_stream stream, portable_stream_function function, void *payload);

/* ---- events -------------------------------------------------------------------------------------- */

/* An event. 0 is none; a handle of a destroyed event is recognised and refused. */
typedef uint64_t portable_event;

/* Makes an event. Until it is recorded for the first time it counts as done.
 * Ownership: caller owns the event until portable_event_destroy.  Threads: safe, also before portable_init.
 * Returns: 0, ERR_ARG, ERR_NOMEM (there are 65536), ERR_FORK.  Since: 0.1 */
portable_status portable_event_create(portable_event *event_out);

/* Ends an event. A waiter goes on waiting for the recorded work. 0 does nothing.
 * Returns: 0, ERR_HANDLE, ERR_FORK.  Since: 0.1 */
portable_status portable_event_destroy(portable_event event);

/* Makes the event stand for all that is in the stream at the time of the call. A waiter for its earlier point goes on
 * waiting for that. In a synchronous stream it is done at once.
 * Returns: 0, ERR_HANDLE, ERR_STATE, ERR_FORK.  Source: YAKL's record_event.  Since: 0.1 */
portable_status portable_event_record(portable_event event, portable_stream stream);

/* *done_out is 1 when the stream has passed what the event stands for, else 0.
 * Returns: 0, ERR_ARG, ERR_HANDLE, ERR_FORK.  Source: YAKL's completed.  Since: 0.1 */
portable_status portable_event_query(portable_event event, int32_t *done_out);

/* Waits until the event is done. It takes no error out of the stream.
 * Returns: 0, ERR_HANDLE, ERR_STATE (inside a kernel or callback of the stream that the event is of, or of one that this stream waits
 * for, and not done), ERR_FORK.
 * Since: 0.1 */
portable_status portable_event_wait(portable_event event);

/* Work that enters the stream from now on runs when the event, as it was recorded last before this call, is done. The calling
 * thread does not wait, unless the stream is a synchronous one.
 * Returns: 0, ERR_HANDLE, ERR_STATE (as portable_event_wait, in a synchronous stream), ERR_NOMEM, ERR_FORK.
 * Source: YAKL's wait_on_event.  Since: 0.1 */
portable_status portable_stream_wait_event(portable_stream stream, portable_event event);

/* ---- memory -------------------------------------------------------------------------------------- */

/* Keeps the pool block that holds ptr, when it is freed, until the stream has done all that was in it at the time of the free;
 * then the memory goes back to its pool. A block may depend on several streams. The arrays that a kernel object declares as
 * POINTER are kept without this call, until the stream has passed the launch.
 * Returns: 0, ERR_POINTER (no live block of any pool holds ptr), ERR_HANDLE, ERR_STATE, ERR_FORK.
 * Source: YAKL's add_stream_dependency.  Since: 0.1 */
portable_status portable_add_stream_dependency(const void *ptr, portable_stream stream);

#ifdef __cplusplus
}
#endif

#endif
