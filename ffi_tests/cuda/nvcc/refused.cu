// refused.cu - what must not compile: REFUSED is the number of a case, 0 none. nvcc.sh looks for the text behind it. Cases from 10 on are C++17.
#if REFUSED >= 10 || __cplusplus >= 201703L
#include <portable.hpp>
#endif
#include <portable_cuda.hpp>
#include <vector>

namespace cuda = portable::cuda;

struct Owner {
  std::vector<double> x;
  __host__ __device__ void operator()(int) const {}
};
struct Large {
  double x[500];
  __host__ __device__ void operator()(int) const {}
};
struct Takes {
  template <class A> __host__ __device__ void operator()(int i, const A &a) const { a(i) = 1; }
};
#if defined(PORTABLE_HPP)
template <int memory> struct Row {
  portable::Vector<int, memory> column;
  portable::Array<double, 2, memory> x;
  double sum = 0;
  auto fields() { return std::tie(column, x, sum); }
};
template <int memory> struct Rows {
  portable::Vector<Row<memory>, memory> row;
  auto fields() { return std::tie(row); }
};
struct AddUp {
  template <class R> __host__ __device__ void operator()(int i, const R &rows) const {
    for (const int k : rows.row[i].column) rows.row[i].sum += rows.row[i].x(k, 0);
  }
};
#endif
struct Twice {
  template <class A, class B> __host__ __device__ void operator()(int j, int i, double s, const A &a, const B &b) const { a(j, i) = s * b(j, i); }
};

#if __cplusplus >= 201703L
#ifndef PORTABLE_SEPARATE_MEMORY_SPACE
#error "memDevice may be a memory of its own"
#endif
#ifdef __CUDA_ARCH__
static_assert(!PORTABLE_CURRENTLY_ON_HOST() && PORTABLE_CURRENTLY_ON_DEVICE(), "the device's version");
#endif
#endif

void refused(double *x, int n) {
  const cuda::Bounds<1> all(n);
#if REFUSED == 1 // a kernel is copied to the device byte by byte
  cuda::parallel_for("owner", all, Owner{});
#elif REFUSED == 2 // what the kernel holds does not fit its parameters
  cuda::parallel_for("large", all, Large{});
#elif REFUSED == 3 // a plain pointer does not say where it is valid
  cuda::device_parallel_for("pointer", all, Takes{}, x);
#elif REFUSED == 4 // the kernel captures something
  cuda::device_parallel_for("captures", all, PORTABLE_LAMBDA(int i) { x[i] = 1; });
#elif REFUSED == 5 // a kernel is copied to the device byte by byte
  std::vector<double> v(5);
  cuda::parallel_for("captured", all, PORTABLE_LAMBDA(int) { (void)&v; });
#elif REFUSED == 10 // a host array cannot be an argument of a device kernel
  portable::Array<double, 1, portable::memHost> h("h", n);
  cuda::device_parallel_for("host", all, Takes{}, h);
#elif REFUSED == 11 // a kernel is copied to the device byte by byte
  portable::Array<double, 1, portable::memHost> h("h", n);
  cuda::parallel_for("host", all, PORTABLE_LAMBDA(int) { (void)&h; });
#elif REFUSED == 12 // a host address cannot be an argument of a device kernel
  cuda::device_parallel_for("address", all, Takes{}, portable::host_ptr<double>(x));
#endif
#if defined(PORTABLE_HPP) // what is good
  portable::Array<double, 2, portable::memDevice> to("to", n, n);
  portable::Array<const double, 2, portable::memDevice> from(to);
  portable::Array<double, 2, portable::memDevice, portable::styleFortran> turned("turned", n, n);
  cuda::device_parallel_for("twice", portable::c::Bounds<2>(n, n), Twice{}, 2.0, to, from);
  cuda::device_parallel_for("turned", portable::fortran::Bounds<2>(n, n), Twice{}, 2.0, turned, turned);
  const portable::device_copy<Rows<portable::memKernel>> copy = Rows<portable::memHost>();
  cuda::device_parallel_for("rows", portable::c::Bounds<1>(n), AddUp{}, copy);
  const auto rows = copy.view();
  cuda::parallel_for("rows", portable::c::Bounds<1>(n), PORTABLE_LAMBDA(int i) { rows.row[i].sum = static_cast<double>(rows.row[i].column.size()); });
  auto list = portable::make_managed<portable::managed_vector<portable::managed_vector<int>>>("list");
  auto *const lists = list.get();
  cuda::parallel_for("list", portable::c::Bounds<1>(n), PORTABLE_LAMBDA(int i) { (*lists)[0][i] = static_cast<int>((*lists)[1].size()); });
  cuda::parallel_for("config", portable::fortran::Bounds<2>(n, n), PORTABLE_LAMBDA(int j, int i) { x[i + j] = i; }, portable::LaunchConfig().set_inner_size(64));
#endif
  cuda::parallel_for("pointer", all, PORTABLE_LAMBDA(int i) { x[i] = 1; });
}
