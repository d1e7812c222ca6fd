// YAKL_streams_events.h - streams and events of YAKL, and streams for those that the program has made. Part of YAKL.h; include that.
//
// Not in this file: what a stream does (portable_stream.hpp). A stream of the program's stays the program's.
// Errors: portable::Error, as portable_stream_adopt and portable_stream_native: ERR_NODEVICE where kernels run on the host.
// Source: YAKL's Stream, Event and StreamList.
#ifndef YAKL_STREAMS_EVENTS_H
#define YAKL_STREAMS_EVENTS_H

#ifndef YAKL_H
#error "include YAKL.h, which includes this"
#endif

#if PORTABLE__NVCC
#include <future>
#endif

__YAKL_NAMESPACE_WRAPPER_BEGIN__
namespace yakl {

constexpr bool streams_enabled = true;

class Event;

class Stream : public portable::Stream {
public:
  // The driver's stream, which converts to cudaStream_t, CUstream, and other pointers.
  struct Native {
    void *stream;
    template <class S> operator S *() const { return static_cast<S *>(stream); }
  };

  Stream() = default;
  Stream(const portable::Stream &other) : portable::Stream(other) {}
  // A cudaStream_t of the program's; null is the default stream.
  template <class S, std::enable_if_t<!std::is_same<S, const char>::value, int> = 0> Stream(S *native) {
    if (native) adopt(native);
  }
  Native get_real_stream() const { return Native{native()}; }
};
using StreamList = std::vector<Stream>;

// A point in a stream; where nvcc compiles, also as an event of the CUDA runtime.
class Event : public portable::Event {
public:
  using portable::Event::Event;
  Event(const portable::Event &other) : portable::Event(other) {}
#if PORTABLE__NVCC
  // An event of the runtime's that completes after this one, for waits of the program's own; it lives as long as copies of this object. The call returns when the
  // driver has the work before this event. Errors: portable::Error with ERR_NODEVICE (the default device is not a CUDA device), ERR_DEVICE.
  cudaEvent_t get_real_event() {
    if (real_ && of_ == c_event()) return *real_;
    std::shared_ptr<cudaEvent_t> made(new cudaEvent_t(nullptr), [](cudaEvent_t *e) {
      if (*e) (void)cudaEventDestroy(*e);
      delete e;
    });
    Stream order = portable::create_stream();
    order.wait_on_event(*this);
    Recording recording{made.get(), {}};
    std::future<portable_status> recorded = recording.status.get_future();
    Recording *const payload = &recording;
    portable::check(portable_device_enqueue("get_real_event", portable_stream_device(order.c_stream()), order.c_stream(), record_real, &payload, sizeof payload));
    while (recorded.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready) {
      const bool passed = order.completed();
      if (passed && recorded.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
        throw portable::Error(PORTABLE_ERR_DEVICE, "get_real_event: the stream has failed before this event; its fence says why");
    }
    portable::cuda::detail::launched(recorded.get(), "get_real_event");
    real_ = made;
    of_ = c_event();
    return *real_;
  }
  void record(const portable::Stream &stream = portable::Stream()) {
    real_.reset();
    portable::Event::record(stream);
  }

private:
  struct Recording {
    cudaEvent_t *event;
    std::promise<portable_status> status;
  };
  static portable_status record_real(void *native, void *payload) {
    Recording *const recording = *static_cast<Recording **>(payload);
    cudaError_t error = cudaEventCreateWithFlags(recording->event, cudaEventDisableTiming);
    if (error == cudaSuccess) error = cudaEventRecord(*recording->event, portable::cuda::detail::stream_of(native));
    recording->status.set_value(error == cudaSuccess ? PORTABLE_OK : PORTABLE_ERR_DEVICE);
    return PORTABLE_OK;
  }
  std::shared_ptr<cudaEvent_t> real_;
  portable_event of_ = 0;
#endif
};

inline Stream create_stream() { return portable::create_stream(); }
inline Event record_event(const Stream &stream = Stream()) { return Event(portable::record_event(stream)); }

} // namespace yakl
__YAKL_NAMESPACE_WRAPPER_END__

#endif
