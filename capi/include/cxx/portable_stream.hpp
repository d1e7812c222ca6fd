// portable_stream.hpp - streams and events from C++. Part of portable.hpp; include that.
//
// In this file: Stream, Event, and what goes with them, under YAKL's names. Not in this file: launches into a stream
// (LaunchConfig::set_stream in portable.hpp), what streams promise (portable_stream.h).
//
// A Stream and an Event are references: copies stand for the same one, which ends with the last of them. One that was not created is
// the default stream, or an event that is done.
#ifndef PORTABLE_STREAM_HPP
#define PORTABLE_STREAM_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

#include <memory>

namespace portable {

namespace detail {

// A handle with an owner.
class Handle {
public:
  Handle(std::uint64_t number, portable_status (*end)(std::uint64_t)) : number_(number), end_(end) {}
  ~Handle() { end_(number_); }
  Handle(const Handle &) = delete;
  Handle &operator=(const Handle &) = delete;
  std::uint64_t number() const noexcept { return number_; }

private:
  std::uint64_t number_;
  portable_status (*end_)(std::uint64_t);
};

inline std::uint64_t number_of(const std::shared_ptr<Handle> &handle) noexcept { return handle ? handle->number() : 0; }

} // namespace detail

class Event;

// When a launch into a stream returns.  Since: 0.1
enum class StreamKind { asynchronous = PORTABLE_STREAM_ASYNC, synchronous = PORTABLE_STREAM_SYNC };

// A stream: what is put into it runs in order. The last reference that goes waits until it is empty, and drops an error that no fence
// has asked for; one that goes inside a kernel of the stream leaves it to the end of the library.
// Errors: Error with the codes of portable_stream.h.  Source: YAKL's Stream.  Since: 0.1
class Stream {
public:
  // The default stream.
  Stream() = default;
  explicit Stream(StreamKind kind, portable_device device = 0) { create(kind, device); }

  // Makes this one a new stream of the device (0: the default device).
  void create(StreamKind kind = StreamKind::asynchronous, portable_device device = 0) {
    portable_stream s = 0;
    check(portable_stream_create(device, static_cast<std::int32_t>(kind), &s));
    handle_ = std::make_shared<detail::Handle>(s, portable_stream_destroy);
  }
  // Makes this one a stream for a CUstream (cudaStream_t) of the program's, which stays the program's and must exist as long (portable_stream_adopt).
  void adopt(void *native, portable_device device = 0) {
    portable_stream s = 0;
    check(portable_stream_adopt(device, native, &s));
    handle_ = std::make_shared<detail::Handle>(s, portable_stream_destroy);
  }
  // Makes this one the default stream; the stream ends when no other reference is left.
  void destroy() { handle_.reset(); }

  bool is_default_stream() const noexcept { return !handle_; }
  // Whether nothing is left to do.
  bool completed() const {
    std::int32_t done = 0;
    check(portable_stream_query(c_stream(), &done));
    return done != 0;
  }
  // Waits for all that is in the stream; throws its error, once.
  void fence() const { check(portable_stream_fence(c_stream())); }
  // Work that enters from now on runs when the event is done.
  void wait_on_event(const Event &event) const;
  portable_device device() const noexcept { return portable_stream_device(c_stream()); }
  // The CUstream (cudaStream_t) of a stream of a CUDA device (portable_stream_native).
  void *native() const {
    void *its = nullptr;
    check(portable_stream_native(c_stream(), &its));
    return its;
  }
  portable_stream c_stream() const noexcept { return detail::number_of(handle_); }

  friend bool operator==(const Stream &a, const Stream &b) noexcept { return a.c_stream() == b.c_stream(); }
  friend bool operator!=(const Stream &a, const Stream &b) noexcept { return !(a == b); }

private:
  std::shared_ptr<detail::Handle> handle_;
};

// A point in a stream.
// Errors: Error with the codes of portable_stream.h.  Source: YAKL's Event.  Since: 0.1
class Event {
public:
  Event() = default;

  void create() {
    portable_event e = 0;
    check(portable_event_create(&e));
    handle_ = std::make_shared<detail::Handle>(e, portable_event_destroy);
  }
  void destroy() { handle_.reset(); }

  // Makes the event stand for all that is in the stream now; creates it where it was not.
  void record(const Stream &stream = Stream()) {
    if (!handle_) create();
    check(portable_event_record(c_event(), stream.c_stream()));
  }
  // Whether the stream has passed it. An event that was not recorded is done.
  bool completed() const {
    std::int32_t done = 1;
    if (handle_) check(portable_event_query(c_event(), &done));
    return done != 0;
  }
  // Waits until it is done.
  void fence() const {
    if (handle_) check(portable_event_wait(c_event()));
  }
  portable_event c_event() const noexcept { return detail::number_of(handle_); }

  friend bool operator==(const Event &a, const Event &b) noexcept { return a.c_event() == b.c_event(); }
  friend bool operator!=(const Event &a, const Event &b) noexcept { return !(a == b); }

private:
  std::shared_ptr<detail::Handle> handle_;
};

inline void Stream::wait_on_event(const Event &event) const {
  if (event.c_event()) check(portable_stream_wait_event(c_stream(), event.c_event()));
}

// A new asynchronous stream of the default device.  Source: YAKL.  Since: 0.1
inline Stream create_stream() { return Stream(StreamKind::asynchronous); }

// A new event that stands for all that is in the stream now.  Source: YAKL.  Since: 0.1
inline Event record_event(const Stream &stream = Stream()) {
  Event e;
  e.record(stream);
  return e;
}

// Keeps the pool block that holds ptr, when it is freed, until the stream has done all that was in it at that time.
// Errors: Error with ERR_POINTER, ERR_HANDLE, ERR_STATE, ERR_FORK.  Source: YAKL.  Since: 0.1
inline void add_stream_dependency(const void *ptr, const Stream &stream) {
  check(portable_add_stream_dependency(ptr, stream.c_stream()));
}

} // namespace portable

#endif
