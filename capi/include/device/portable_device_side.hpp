// portable_device_side.hpp - what may go to a device, seen by the compiler. Part of portable.hpp; include that.
//
// In this file: addresses that say where they are valid, and launches whose arguments are listed and checked. Not in this file: structures with
// arrays in them (portable_nested.hpp); lambdas that capture what they like (portable.hpp); no check can look into those.
#ifndef PORTABLE_DEVICE_SIDE_HPP
#define PORTABLE_DEVICE_SIDE_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

namespace portable {

// An address in memory of the host (memHost) or of the device (memDevice). One is not made of the other, and only the first is followed by
// host code: *p of a device_ptr does not compile.  Since: 0.1
template <class T, int memory> class typed_ptr {
public:
  constexpr typed_ptr() noexcept = default;
  constexpr explicit typed_ptr(T *p) noexcept : p_(p) {}
  template <int rank, int style> typed_ptr(const Array<T, rank, memory, style> &array) noexcept : p_(array.data()) {}
  template <class U, std::enable_if_t<std::is_same<const U, T>::value && !std::is_same<U, T>::value, int> = 0>
  constexpr typed_ptr(typed_ptr<U, memory> other) noexcept : p_(other.get()) {}
  template <int other> typed_ptr(typed_ptr<T, other>) = delete; // a host address is none of the device, nor the reverse: copy the elements
  template <int rank, int other, int style> typed_ptr(const Array<T, rank, other, style> &) = delete; // the same

  T &operator*() const {
    static_assert(memory == memHost, "host code does not follow an address of the device; a kernel gets it by device_parallel_for");
    return *p_;
  }
  T *get() const noexcept { return p_; }
  explicit operator bool() const noexcept { return p_ != nullptr; }
  friend bool operator==(typed_ptr a, typed_ptr b) noexcept { return a.p_ == b.p_; }
  friend bool operator!=(typed_ptr a, typed_ptr b) noexcept { return a.p_ != b.p_; }

private:
  T *p_ = nullptr;
};
template <class T> using host_ptr = typed_ptr<T, memHost>;
template <class T> using device_ptr = typed_ptr<T, memDevice>;

template <class K> class device_copy; // portable_nested.hpp

namespace detail {

// Arguments of a device's kernel: values, arrays and addresses of the device.
template <class A> struct DeviceArgument {
  static constexpr bool host_array = false, raw_pointer = std::is_pointer<A>::value || std::is_array<A>::value;
  static constexpr bool good = !raw_pointer && !std::is_reference<A>::value && std::is_trivially_copyable<A>::value;
  using Passed = A;
};
template <class T, int rank, int memory, int style> struct DeviceArgument<Array<T, rank, memory, style>> {
  static constexpr bool host_array = memory == memHost, raw_pointer = false, good = memory == memDevice;
};
template <class T, int rank, int style> struct DeviceArgument<Array<T, rank, memKernel, style>> {
  static constexpr bool host_array = false, raw_pointer = false, good = true;
};
template <class K> struct DeviceArgument<device_copy<K>> {
  static constexpr bool host_array = false, raw_pointer = false, good = true;
};
template <class T> struct DeviceArgument<host_ptr<T>> {
  static constexpr bool host_array = true, raw_pointer = false, good = false;
};
template <class T> struct DeviceArgument<span<T>> {
  static constexpr bool host_array = false, raw_pointer = true, good = false;
};

// An address of the device is a plain one inside of a kernel, and a structure's copy what it gives to kernels.
template <class A> PORTABLE__INLINE const A &in_kernel(const A &a) { return a; }
template <class T> PORTABLE__INLINE T *in_kernel(const device_ptr<T> &p) { return p.get(); }
template <class K> PORTABLE__INLINE const K &in_kernel(const device_copy<K> &c) { return c.view(); }

template <class A> constexpr bool device_argument() {
  using D = std::decay_t<A>;
  static_assert(!DeviceArgument<D>::host_array,
                "a host array or address cannot be an argument of a device kernel; give it array.createDeviceCopy(), or declare it memDevice");
  static_assert(!DeviceArgument<D>::raw_pointer,
                "a plain pointer does not say where it is valid; give the kernel an Array in memDevice or a device_ptr");
  static_assert(DeviceArgument<D>::host_array || DeviceArgument<D>::raw_pointer || DeviceArgument<D>::good,
                "an argument of a device kernel is copied byte by byte: it has no constructors");
  return true;
}

} // namespace detail

// parallel_for whose kernel captures nothing and gets its arguments after its indices, so that the compiler sees that all of them are good
// on a device: device_parallel_for("axpy", c::Bounds<1>(n), [](int i, double a, const auto &x, const auto &y) { y(i) += a * x(i); }, a, x, y).
// Arguments are numbers and structures that are copied byte by byte, Arrays in memDevice, device_ptr, which arrives as an address, and
// device_copy, which arrives as its structure.
// Errors: as parallel_for; host arrays, host_ptr and plain pointers do not compile.  Since: 0.1
template <int N, int first, Order order, class Index, class F, class... A>
void device_parallel_for(const char *label, const BasicBounds<N, first, order, Index> &bounds, const F &kernel, const A &...arguments) {
  static_assert(std::is_empty<F>::value, "the kernel captures something; give it as an argument, where the compiler looks at it");
  if constexpr ((detail::device_argument<A>() && ...))
    parallel_for(label, bounds, [=](auto... i) PORTABLE__ALWAYS { kernel(i..., detail::in_kernel(arguments)...); });
}

} // namespace portable

#endif
