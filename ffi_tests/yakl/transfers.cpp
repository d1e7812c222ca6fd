// transfers.cpp - memory copied by name, fills and functions with a stream as their last argument, live-outs in a stream.
// Not in this file: the order of streams (../streams).
#include "YAKL.h"
#include "expect.h"

using yakl::Array;
using yakl::memDevice;
using yakl::memHost;
using yakl::styleC;
using yakl::styleFortran;
typedef Array<double, 1, memDevice, styleC> real1d;
typedef Array<double, 2, memDevice, styleC> real2d;
typedef Array<double, 1, memHost, styleC> realHost1d;

static void copies() {
  int const n = 5000;
  realHost1d h("h", n), g("g", n);
  real1d d("d", n), e("e", n);
  for (int i = 0; i < n; i++) h(i) = i;
  yakl::memcpy_host_to_host(g.data(), h.data(), n);
  EXPECT(g(n - 1) == n - 1);
  g = 0;
  yakl::memcpy_host_to_host_void(g.data(), h.data(), n * sizeof(double));
  EXPECT(yakl::intrinsics::sum(g) == n * (n - 1.) / 2);
  yakl::memcpy_host_to_device(d.data(), h.data(), n);
  yakl::memcpy_device_to_device(e.data(), d.data(), n - 1);
  e(n - 1) = -1;
  g = 0;
  yakl::memcpy_device_to_host(g.data(), e.data(), n);
  EXPECT(g(n - 2) == n - 2 && g(n - 1) == -1);
  Array<double const, 1, memDevice, styleC> read(d);
  yakl::memcpy_device_to_device(e.data(), read.data(), n);
  EXPECT(e(n - 1) == n - 1);
  e = 0;
  yakl::memcpy_device_to_device_void(e.data(), d.data(), 10 * sizeof(double));
  EXPECT(e(9) == 9 && e(10) == 0);
  yakl::memcpy_host_to_host(g.data(), h.data(), 0);
  yakl::memcpy_device_to_device_void(nullptr, nullptr, 0);

  // In a stream: behind what is in it.
  auto stream = yakl::create_stream();
  d = 0;
  yakl::fence();
  yakl::c::parallel_for("fill", n, YAKL_LAMBDA(int i) { d(i) = 2 * i; }, yakl::DefaultLaunchConfig().set_stream(stream));
  yakl::memcpy_device_to_device(e.data(), d.data(), n, stream);
  yakl::memcpy_device_to_host(g.data(), e.data(), n, stream);
  stream.fence();
  EXPECT(g(n - 1) == 2 * (n - 1) && yakl::intrinsics::sum(e, stream) == n * (n - 1.));
}

static void streams() {
  auto stream = yakl::create_stream();
  int const n = 3000, m = 4;
  real2d a("a", n, m), b("b", n, m);
  Array<bool, 2, memDevice, styleC> mask("mask", n, m);
  yakl::LaunchConfig<> in;
  in.set_stream(stream);
  EXPECT(in.get_stream() == stream && yakl::DefaultLaunchConfig().get_stream().is_default_stream());
  yakl::c::parallel_for("a", yakl::c::Bounds<2>(n, m), YAKL_LAMBDA(int j, int i) {
    a(j, i) = -(j + i);
    b(j, i) = i % 2 == 0 ? 1 : -1;
    mask(j, i) = i == 3;
  }, in);
  double const all = n * (n - 1.) / 2 * m + n * 6.;
  EXPECT(yakl::intrinsics::sum(yakl::intrinsics::abs(a, stream)) == all);
  EXPECT(yakl::intrinsics::sum(yakl::intrinsics::sign(a, b, stream)) == n * (0 - 1 + 2 - 3.));
  EXPECT(yakl::intrinsics::count(mask, stream) == n && yakl::intrinsics::any(mask, stream) && !yakl::intrinsics::all(mask, stream));
  EXPECT(yakl::intrinsics::sum(yakl::intrinsics::merge(a, b, mask, stream)) == -(n * (n - 1.) / 2 + 3. * n) + n);
  auto turned = yakl::intrinsics::transpose(a, stream);
  EXPECT(turned.dimension[0] == m && turned(1, n - 1) == -n);
  EXPECT(yakl::intrinsics::minval(a, stream) == -(n + 2) && yakl::intrinsics::maxval(a, stream) == 0 && yakl::intrinsics::product(b.slice<1>(0, yakl::COLON), stream) == 1);
  EXPECT(yakl::intrinsics::minloc(a.collapse(), stream) == n * m - 1 && yakl::intrinsics::maxloc(a.collapse(), stream) == 0);
  static_assert(std::is_same<decltype(yakl::intrinsics::count(mask)), int>::value, "count is an int");
  yakl::memset(a, 0, stream);
  EXPECT(yakl::intrinsics::sum(a) == 0);
  a.deep_copy_to(b, stream);
  stream.fence();
  EXPECT(b(n - 1, m - 1) == 0);
  b = 3;
  auto host = b.createHostCopy(stream);
  auto device = b.createDeviceCopy(stream);
  EXPECT(host(1, 1) == 3 && yakl::intrinsics::sum(device) == 3. * n * m);

  yakl::ScalarLiveOut<double> most(-1., stream);
  yakl::c::parallel_for("look", n, YAKL_LAMBDA(int i) { if (i == n / 2) most = b(i, 0) + i; }, in);
  EXPECT(most.hostRead(stream) == 3 + n / 2);
  most.hostWrite(2.5, stream);
  EXPECT(most.hostRead() == 2.5);
  a.add_stream_dependency(stream);
  b.add_stream_dependencies({stream, yakl::Stream()});
  a.deallocate();
  yakl::StreamList list;
  list.push_back(stream);
  EXPECT(list.size() == 1 && list[0] == stream && yakl::streams_enabled);
  yakl::record_event(stream).fence();
}

int main() {
  yakl::init();
  copies();
  streams();
  yakl::yakl_mtx_lock();
  yakl::yakl_mtx_unlock();
  yakl::verbose_inform("a line", "of", "the program's");
  yakl::check_last_error();
  EXPECT(yakl::yakl_mainproc() && yakl::yakl_masterproc());
  yakl::finalize();
  return checks::failures != 0;
}
