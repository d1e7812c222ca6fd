// yakl.cpp - streams of YAKL for a stream that the program has made, and the driver's stream of one of YAKL's.
// Not in this file: the order of work in such a stream (streams.c), streams of the host (../../yakl/transfers.cpp).
#include "YAKL.h"

#include <dlfcn.h>

struct CUstream_st; // cudaStream_t is a pointer to it
typedef CUstream_st *cudaStream_t;

static int failures = 0;
#define EXPECT(...) ((__VA_ARGS__) ? (void)0 : (void)(failures++, std::printf("%s:%d: EXPECT(%s)\n", __FILE__, __LINE__, #__VA_ARGS__)))

template <class F> static F driver(char const *name) {
  void *library = dlopen(std::getenv("PORTABLE_CUDA_LIBRARY"), RTLD_NOW | RTLD_LOCAL);
  void *f = library ? dlsym(library, name) : nullptr;
  if (!f) std::exit(2);
  return reinterpret_cast<F>(f);
}

int main() {
  auto const make = driver<int (*)(cudaStream_t *, unsigned)>("cuStreamCreate");
  auto const end = driver<int (*)(cudaStream_t)>("cuStreamDestroy_v2");
  yakl::init();
  {
    // The context is this thread's where the library calls the program.
    static cudaStream_t own = nullptr;
    static int (*const *const made)(cudaStream_t *, unsigned) = &make;
    auto const inside = [](void *, void *) -> portable_status { return (*made)(&own, 1) == 0 ? PORTABLE_OK : PORTABLE_ERR_DEVICE; };
    portable::check(portable_device_enqueue("make", 0, 0, inside, nullptr, 0));
    yakl::fence();
    yakl::Stream stream(own), same = stream, none, null(static_cast<cudaStream_t>(nullptr));
    cudaStream_t const real = stream.get_real_stream();
    EXPECT(real == own && !stream.is_default_stream() && same == stream && none.is_default_stream() && null.is_default_stream());
    yakl::Array<double, 1, yakl::memDevice, yakl::styleC> a("a", 100), b("b", 100);
    a = 1;
    b = 0;
    yakl::fence();
    a.deep_copy_to(b, stream);
    stream.fence();
    EXPECT(yakl::intrinsics::sum(b) == 100);
    auto another = yakl::create_stream();
    another.wait_on_event(yakl::record_event(stream));
    cudaStream_t const its = another.get_real_stream();
    EXPECT(its != nullptr && its != own);
    a.add_stream_dependencies({stream, another});
    a.deallocate();
    same = stream = yakl::Stream(); // the library's streams end, the program's does not
    EXPECT(end(own) == 0);
  }
  yakl::finalize();
  return failures != 0;
}
