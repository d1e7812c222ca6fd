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

__YAKL_NAMESPACE_WRAPPER_BEGIN__
namespace yakl {

constexpr bool streams_enabled = true;

using portable::Event;

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

inline Stream create_stream() { return portable::create_stream(); }
inline Event record_event(const Stream &stream = Stream()) { return portable::record_event(stream); }

} // namespace yakl
__YAKL_NAMESPACE_WRAPPER_END__

#endif
