// portable_device_vector.hpp - a vector that kernels append to: room that is fixed at the launch, and an error afterwards where it was too small. Part of
// portable.hpp; include that.
//
//     portable::device_vector<int> wet("wet", n / 10);
//     parallel_for("find", portable::c::Bounds<1>(n), PORTABLE_LAMBDA(int i) { if (h(i) > 0) wet.push_back(i); });
//     for (const int i : wet.to_vector()) ...                        // or wet.span() in the next kernel
//
// In this file: its block, queries of the host, how kernel objects and device_parallel_for pass it. Not in this file: push_back in CUDA C
// (portable_device_vector.h); elements in a fixed order (parallel_filter, pack: portable_scan.hpp).
//
// A block is: how many were appended, and from its byte 64 on the elements. Whether all fit is known only after the launch, so each function that reads
// elements looks first.
#ifndef PORTABLE_DEVICE_VECTOR_HPP
#define PORTABLE_DEVICE_VECTOR_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

namespace portable {

namespace detail {

// Apart, so that the code around a push_back stays small.
[[noreturn]]
#if defined(__GNUC__)
__attribute__((noinline, cold))
#endif
inline void no_device_vector(const char *call, const char *label) {
  throw Error(PORTABLE_ERR_STATE, "device_vector '" + std::string(label ? label : "") + "': " + call +
                                      ": there is no vector; it was not made, it was deallocated, or the library was finalized since");
}

} // namespace detail

// Elements that threads of a kernel append, in memory that kernels of the default device reach. The order is that in which threads come: it differs from
// run to run, and on one thread too if the schedule does. Sort what has to have an order, or take a filter, which keeps it.
//
// Kernels capture it by value, get it as an argument of device_parallel_for, and as portable_vector<T> from a kernel object. All copies append to one
// block, also from kernels that run at the same time. An element that finds no room is counted and dropped: size(), span(), array() and to_vector() are then an Error
// that says how many did not fit, until clear() or reset().
//
// Ownership: the block is this object's and its copies', and of arrays that array() has made; the last of them releases it. Launches that have a view()
//            are over before (portable::fence), as those of kernel objects.
// Errors:    Error: ERR_ARG (a negative capacity), ERR_OVERFLOW (elements that did not fit; a capacity of more bytes than memory has), what portable_alloc
//            says; ERR_STATE (no vector was made, it was deallocated or moved from, or the library was finalized since).
// Threads:   push_back in kernels from any number of threads, all else guarded by its user, as an int is. Functions of the host wait for launches in the
//            default streams; fence created streams before.
// Since: 0.1.  Source: AppendStructuredBuffer of HLSL.
template <class T> class device_vector {
  static_assert(std::is_trivially_copyable<T>::value && !std::is_const<T>::value && !std::is_volatile<T>::value,
                "elements of a device_vector are copied byte by byte, and written");
  static_assert(alignof(T) <= 64, "blocks of the pool are aligned at 64 bytes");

public:
  using value_type = T;
  // No vector yet.
  device_vector() noexcept = default;
  // An empty one with room for `capacity` elements. The label is copied.
  explicit device_vector(const char *label, index_t capacity) { make(label, capacity); }
  // A copy appends to the same block. An object that was moved from has no vector any more.
  device_vector(const device_vector &) = default;
  device_vector &operator=(const device_vector &) = default;
  PORTABLE__HOST_DEVICE device_vector(device_vector &&other) noexcept : block_(static_cast<Block &&>(other.block_)), view_(other.view_) {
    other.view_ = {nullptr, 0, nullptr};
  }
  PORTABLE__HOST_DEVICE device_vector &operator=(device_vector &&other) noexcept {
    const portable_vector<T> view = other.view_;
    other.view_ = {nullptr, 0, nullptr};
    block_ = static_cast<Block &&>(other.block_);
    view_ = view;
    return *this;
  }

  // In a kernel: appends a copy of value. Gives its place, counted from 0, or -1 where there was no room for it. Without a vector it is an Error in a kernel
  // on the host, and a fault on a device.
  PORTABLE__HOST_DEVICE PORTABLE__INLINE index_t push_back(const T &value) const {
#if !defined(__CUDA_ARCH__)
    if (!view_.pushed) detail::no_device_vector("push_back", "");
#endif
    return view_.push_back(value);
  }
  PORTABLE__HOST_DEVICE index_t capacity() const noexcept { return view_.capacity; }

  // How many were appended since it was made or cleared, also those that did not fit: the capacity that would have been enough.
  index_t pushed() const { return count("pushed"); }
  // How many elements there are. This and all functions that give elements are an Error where some did not fit.
  index_t size() const { return whole("size"); }
  // The elements where kernels find them, valid as long as the block.
  device_span<T> span() const {
    const index_t n = whole("span");
    return device_span<T>(view_.data, n);
  }
  // The same as an Array, which holds the block, too.
  Array<T, 1, memDevice> array() const {
    const index_t n = whole("array"), lower = 0;
    return detail::ArrayAccess::make<Array<T, 1, memDevice>>(view_.data, detail::hold(detail::ArrayAccess::record(block_)), block_.label(), &lower, &n);
  }
  // A copy of the elements.
  std::vector<T> to_vector() const {
    static_assert(!std::is_same<T, bool>::value, "a std::vector<bool> has no elements side by side; take char");
    const index_t n = whole("to_vector");
    std::vector<T> all;
    if (n == 0) return all;
    all.resize(static_cast<std::size_t>(n));
    detail::Packing::copy_elements_to(!detail::copied_in_turn(view_.data), static_cast<const T *>(view_.data), all.data(), all.size());
    return all;
  }

  // Empties it, and keeps its room: for all copies.
  void clear() const {
    there("clear");
    set_count(view_.pushed);
  }
  // A block of its own with another room, empty; copies keep the old one. While v.pushed() > v.capacity(): v.reset(v.pushed()), and launch again.
  void reset(index_t capacity) { make(label(), capacity); }
  // This one has no vector any more; the block goes when no other holds it.
  void deallocate() { *this = device_vector(); }

  // For structures and argument blocks of one's own.
  portable_vector<T> view() const {
    there("view");
    return view_;
  }
  bool initialized() const noexcept { return view_.pushed != nullptr; }
  const char *label() const noexcept { return block_.label(); }

private:
  using Block = Array<unsigned char, 1, memDevice>;
  static constexpr std::size_t header = 64;

  void make(const char *label, index_t capacity) {
    const std::string name = label ? label : "";
    if (capacity < 0) throw Error(PORTABLE_ERR_ARG, "device_vector '" + name + "': a capacity of " + std::to_string(capacity) + "; it is 0 or more");
    if (static_cast<std::uint64_t>(capacity) > (static_cast<std::uint64_t>(INT64_MAX) - header) / sizeof(T))
      throw Error(PORTABLE_ERR_OVERFLOW, "device_vector '" + name + "': " + std::to_string(capacity) + " elements of " + std::to_string(sizeof(T)) +
                                             " bytes are more than memory has");
    Block block(name.c_str(), static_cast<index_t>(header) + capacity * static_cast<index_t>(sizeof(T)));
    set_count(reinterpret_cast<index_t *>(block.data()));
    view_ = portable_vector<T>{reinterpret_cast<T *>(block.data() + header), capacity, reinterpret_cast<index_t *>(block.data())};
    block_ = std::move(block);
  }
  static void set_count(index_t *at) {
    const index_t none = 0;
    check(portable_fence_memory(at));
    detail::Packing::copy_elements_to(!detail::copied_in_turn(at), &none, at, 1);
  }
  void there(const char *call) const {
    if (!view_.pushed || detail::ArrayAccess::record(block_)->run != portable_run_number()) detail::no_device_vector(call, block_.label());
  }
  index_t count(const char *call) const {
    there(call);
    index_t n = 0;
    check(portable_fence_memory(view_.pushed));
    detail::Packing::copy_elements_to(!detail::copied_in_turn(view_.pushed), static_cast<const index_t *>(view_.pushed), &n, 1);
    return n;
  }
  index_t whole(const char *call) const {
    const index_t n = count(call);
    if (n > view_.capacity)
      throw Error(PORTABLE_ERR_OVERFLOW, "device_vector '" + std::string(label()) + "': " + call + ": " + std::to_string(n) + " elements were appended, and there is room for " +
                                             std::to_string(view_.capacity) + ": " + std::to_string(n - view_.capacity) + " did not fit; reset(" +
                                             std::to_string(n) + ") makes room, then launch again");
    return n;
  }

  Block block_;
  portable_vector<T> view_ = {nullptr, 0, nullptr};
};

namespace detail {

// Arguments of device_parallel_for and of kernel objects.
template <class T> struct DeviceArgument<device_vector<T>> {
  static constexpr bool host_array = false, raw_pointer = false, good = true;
};
template <class T> struct BlockArgument<device_vector<T>> {
  using Passed = portable_vector<T>;
  static constexpr std::int32_t kind = PORTABLE_ARGUMENT_BYTES, access = 0;
  static void pass(const device_vector<T> &v, unsigned char *to) {
    const Passed view = v.view();
    std::memcpy(to, &view, sizeof view);
  }
};

} // namespace detail

} // namespace portable

#endif
