// portable_nested.hpp - structures with arrays, vectors and structures inside, copied to a device by one assignment. Part of portable.hpp; include
// that.
//
// In this file: how a structure lists its members, Vector, device_copy (one block of the device's memory for a structure of any depth), mirrored
// (structures whose arrays are Arrays on both sides). Not in this file: what kernels see of arrays (portable_kernel_views.hpp), objects that host and
// kernels share (portable_managed.hpp).
//
// A structure is a template over where it is, and lists its members once; lists are matched place by place:
//
//     template <int memory> struct Cell {
//       portable::Vector<int, memory> faces;               // memHost: std::vector<int>; memKernel: device_span<int>
//       double area;
//       auto fields() { return std::tie(faces, area); }
//     };
//     template <int memory> struct Mesh {
//       portable::Array<double, 2, memory> x;              // memHost: as ever; memKernel: an address and a shape
//       portable::Vector<Cell<memory>, memory> cells;
//       double dx;
//       auto fields() { return std::tie(x, cells, dx); }
//     };
//     Mesh<portable::memHost> mesh;                        // filled as any structure
//     portable::device_copy<Mesh<portable::memKernel>> device = mesh;
//     const auto m = device.view();                        // a Mesh<memKernel>, for kernels
//     parallel_for("area", Bounds<1>(n), PORTABLE_LAMBDA(int i) { m.cells[i].area *= m.dx * m.x(i, 0); });
//     device.copy_to(mesh);
//
// Listed members: Array in memHost, std::vector, std::array and T[n], all of numbers, of structures that are copied byte by byte, or of structures with
// fields(), to any depth; numbers and structures that are copied byte by byte. Other members are not copied; no check sees that a member is missing.
// Members that only the host uses (names, files) are host_only, and not listed.
#ifndef PORTABLE_NESTED_HPP
#define PORTABLE_NESTED_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

#include <vector>

namespace portable {
namespace detail {

struct NotThere {};
template <class T, int memory> struct VectorIn;
template <class T> struct VectorIn<T, memHost> { using type = std::vector<T>; };
template <class T> struct VectorIn<T, memDevice> { using type = Array<T, 1, memDevice>; };
template <class T> struct VectorIn<T, memKernel> { using type = device_span<T>; };

template <class S, class = void> struct HasFields : std::false_type {};
template <class S> struct HasFields<S, std::void_t<decltype(std::declval<S &>().fields())>> : std::true_type {};

// Only read, where S is const: fields() is written once, for an object that can be changed.
template <class S> auto fields_of(const S &s) { return const_cast<S &>(s).fields(); }

// Elements that are copied byte by byte, all at once.
template <class A, class B>
constexpr bool same_bytes = std::is_same<A, B>::value && std::is_trivially_copyable<A>::value && !std::is_pointer<A>::value && !HasFields<A>::value;

// Whether a member is one value, which is copied byte by byte, or a structure.
template <class A, class B> constexpr bool one_value() {
  static_assert(HasFields<A>::value || std::is_trivially_copyable<A>::value,
                "a member that is no array, no vector and no plain value lists its own members: auto fields() { return std::tie(...); }");
  static_assert(!std::is_pointer<A>::value, "a plain pointer does not say how many elements it has; make the member a Vector or an Array");
  static_assert(HasFields<A>::value == HasFields<B>::value && (HasFields<A>::value || std::is_same<A, B>::value),
                "the members at one place of both fields() belong together: Vector and Vector, Array and Array of one rank and style, the same plain type");
  return !HasFields<A>::value;
}

// Whether host code leaves a block of the default device to copies: where launches are asynchronous these take their turn in the device's stream.
inline bool copied_in_turn(const void *block) { return portable_space_of_device(0) != PORTABLE_SPACE_HOST || is_far(block); }

// How an object of the host becomes one block. First it is measured, then packed: what is small, and what has addresses in it, into an image of the
// block's beginning, large arrays behind that, straight from where they are. `block` is where it will be for kernels; `image` is the same place where the
// host may write there, else memory that is copied at the end.
class Packing {
public:
  Packing() = default;
  Packing(unsigned char *image, unsigned char *block, std::size_t small) noexcept : image_(image), block_(block), behind_(small) {}

  template <class A, class B> void member(const A &from, B &to) {
    if constexpr (one_value<A, B>())
      std::memcpy(&to, &from, sizeof to);
    else
      members(fields_of(from), to.fields());
  }
  template <class A, class B, std::size_t n> void member(const A (&from)[n], B (&to)[n]) {
    for (std::size_t i = 0; i < n; i++) member(from[i], to[i]);
  }
  template <class A, class B, std::size_t n> void member(const std::array<A, n> &from, std::array<B, n> &to) {
    for (std::size_t i = 0; i < n; i++) member(from[i], to[i]);
  }
  template <class T, class A, class K> void member(const std::vector<T, A> &from, device_span<K> &to) {
    static_assert(!std::is_same<T, bool>::value, "a std::vector<bool> has no elements side by side; take char");
    to = device_span<K>(elements<K>(from.data(), from.size()), static_cast<index_t>(from.size()));
  }
  template <class T, class K, int rank, int style> void member(const Array<T, rank, memHost, style> &from, Array<K, rank, memKernel, style> &to) {
    const auto n = from.initialized() ? static_cast<std::size_t>(from.size()) : 0;
    to = Array<K, rank, memKernel, style>(ViewArgument<K, rank, style == styleFortran ? PORTABLE_ORDER_FORTRAN : PORTABLE_ORDER_C>::of(
        from.initialized() ? elements<K>(from.data(), n) : nullptr, from));
  }
  // The object itself, at the block's beginning.
  template <class H, class K> K root(const H &from) {
    K root = K();
    const std::size_t at = room(sizeof(K), alignof(K), small_);
    member(from, root);
    if (image_) std::memcpy(image_ + at, &root, sizeof root);
    return root;
  }
  std::size_t small() const noexcept { return (small_ + 63) / 64 * 64; }
  std::size_t all() const noexcept { return small() + large_; }

private:
  template <class A, class B> void members(A from, B to) {
    static_assert(std::tuple_size<A>::value == std::tuple_size<B>::value, "fields() of both structures lists the same members");
    members(from, to, std::make_index_sequence<std::tuple_size<A>::value>());
  }
  template <class A, class B, std::size_t... k> void members(const A &from, const B &to, std::index_sequence<k...>) {
    (member(std::get<k>(from), std::get<k>(to)), ...);
  }
  static std::size_t room(std::size_t bytes, std::size_t align, std::size_t &used) noexcept {
    const std::size_t at = (used + align - 1) / align * align;
    used = at + bytes;
    return at;
  }
  template <class K> K *address(std::size_t at) const noexcept { return block_ ? reinterpret_cast<K *>(block_ + at) : nullptr; }
  // Where kernels find n elements.
  template <class K, class T> K *elements(const T *from, std::size_t n) {
    using Stored = std::remove_cv_t<K>;
    static_assert(alignof(K) <= 64, "blocks of the pool are aligned at 64 bytes");
    if constexpr (!same_bytes<std::remove_cv_t<T>, Stored>) { // objects with addresses in them
      const std::size_t at = room(n * sizeof(K), alignof(K), small_);
      for (std::size_t i = 0; i < n; i++) {
        Stored object = Stored();
        member(from[i], object);
        if (image_) std::memcpy(image_ + at + i * sizeof(K), &object, sizeof object);
      }
      return address<K>(at);
    } else if (n * sizeof(K) >= large_from) {
      const std::size_t at = behind_ + room(n * sizeof(K), 64, large_);
      if (block_) copy_elements_to(image_ == block_, from, reinterpret_cast<Stored *>(block_ + at), n);
      return address<K>(at);
    } else {
      const std::size_t at = room(n * sizeof(K), n * sizeof(K) < 64 ? alignof(K) : 64, small_);
      if (image_ && n > 0) std::memcpy(image_ + at, from, n * sizeof(K));
      return address<K>(at);
    }
  }

public:
  // Bytes from which on an array is copied straight from where it is.
  static constexpr std::size_t large_from = std::size_t{1} << 16;
  // near: the host reaches both.
  template <class T> static void copy_elements_to(bool near, const T *from, T *to, std::size_t n) {
    const auto count = static_cast<index_t>(n);
    if (near)
      return in_parts("device_copy", count, sizeof(T), [from, to](index_t begin, index_t end) { copy_elements(from, to, begin, end); });
    const portable_array source = line_of("device_copy", from, count), target = line_of("device_copy", to, count);
    check(portable_array_copy(&source, &target, nullptr));
  }

private:
  unsigned char *image_ = nullptr, *block_ = nullptr; // null while it is measured
  std::size_t behind_ = 0, small_ = 0, large_ = 0;
};

// The way back. `image` is the block's beginning as the host sees it. Sizes and addresses come from there, and a kernel may have spoilt them, so each
// is compared with the block.
class Unpacking {
public:
  Unpacking(const unsigned char *image, const unsigned char *block, std::size_t small, std::size_t all, const char *label) noexcept
      : image_(image), block_(block), small_(small), all_(all), label_(label) {}

  template <class B, class A> void member(const B &from, A &to) const {
    if constexpr (one_value<A, B>())
      std::memcpy(static_cast<void *>(&to), &from, sizeof to);
    else
      members(fields_of(from), to.fields());
  }
  template <class B, class A, std::size_t n> void member(const B (&from)[n], A (&to)[n]) const {
    for (std::size_t i = 0; i < n; i++) member(from[i], to[i]);
  }
  template <class B, class A, std::size_t n> void member(const std::array<B, n> &from, std::array<A, n> &to) const {
    for (std::size_t i = 0; i < n; i++) member(from[i], to[i]);
  }
  template <class K, class T, class A> void member(const device_span<K> &from, std::vector<T, A> &to) const {
    const std::size_t at = place(from.data(), from.size());
    to.resize(static_cast<std::size_t>(from.size()));
    elements<K>(at, to.data(), to.size());
  }
  template <class K, class T, int rank, int style> void member(const Array<K, rank, memKernel, style> &from, Array<T, rank, memHost, style> &to) const {
    static_assert(!std::is_const<T>::value, "an Array of const elements cannot be copied back; list one of others");
    if (!from.initialized()) return to.deallocate();
    const std::size_t at = place(from.data(), from.size());
    bool same = to.initialized();
    for (int d = 0; d < rank; d++) same = same && from.extent(d) == to.extent(d) && from.lower_bound(d) == to.lower_bound(d);
    if (!same) to = shaped<Array<T, rank, memHost, style>>(*to.label() ? to.label() : label_, from);
    elements<K>(at, to.data(), static_cast<std::size_t>(to.size()));
  }

private:
  template <class B, class A> void members(B from, A to) const {
    static_assert(std::tuple_size<A>::value == std::tuple_size<B>::value, "fields() of both structures lists the same members");
    members(from, to, std::make_index_sequence<std::tuple_size<A>::value>());
  }
  template <class B, class A, std::size_t... k> void members(const B &from, const A &to, std::index_sequence<k...>) const {
    (member(std::get<k>(from), std::get<k>(to)), ...);
  }
  template <class H, class K> static H shaped(const char *label, const K &like) {
    index_t lower[static_cast<std::size_t>(K::get_rank())], extent[static_cast<std::size_t>(K::get_rank())];
    for (int d = 0; d < K::get_rank(); d++) lower[d] = like.lower_bound(d), extent[d] = like.extent(d);
    Record *const record = make_block<typename H::value_type>(label, K::get_rank(), extent, lower);
    return ArrayAccess::make<H>(static_cast<typename H::value_type *>(record->memory), record, record->label.c_str(), lower, extent);
  }
  template <class K> std::size_t place(const K *data, index_t n) const {
    const auto at = static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(data) - reinterpret_cast<std::uintptr_t>(block_));
    if (n < 0 || at > all_ || static_cast<std::size_t>(n) > (all_ - at) / sizeof(K) || (at < small_ && static_cast<std::size_t>(n) > (small_ - at) / sizeof(K)))
      throw Error(PORTABLE_ERR_POINTER, "device_copy '" + std::string(label_) + "': a member's address or its size (" + std::to_string(n) +
                                            " elements) was changed by a kernel, and is none of the copy; kernels change elements and values only");
    return at;
  }
  template <class K, class T> void elements(std::size_t at, T *to, std::size_t n) const {
    using Stored = std::remove_cv_t<K>;
    if constexpr (!same_bytes<std::remove_cv_t<T>, Stored>) {
      for (std::size_t i = 0; i < n; i++) {
        Stored object = Stored();
        std::memcpy(static_cast<void *>(&object), image_ + at + i * sizeof(K), sizeof object);
        member(object, to[i]);
      }
    } else if (at >= small_) {
      Packing::copy_elements_to(image_ == block_, reinterpret_cast<const Stored *>(block_ + at), to, n);
    } else if (n > 0) {
      std::memcpy(static_cast<void *>(to), image_ + at, n * sizeof(K));
    }
  }

  const unsigned char *image_, *block_;
  std::size_t small_, all_;
  const char *label_;
};

} // namespace detail

// A vector member of a structure: std::vector on the host, in memDevice an Array (for mirrored), for kernels a device_span.  Since: 0.1
template <class T, int memory> using Vector = typename detail::VectorIn<T, memory>::type;

// A member that only the host has; kernels get nothing of it. It is not listed in fields().  Since: 0.1
template <class T, int memory> using host_only = std::conditional_t<memory == memKernel, detail::NotThere, T>;

// A copy of a structure, with all that is inside of it, in memory that kernels of the default device reach: one block, which the last of the object's copies
// releases. K is the type that kernels get: S<memKernel>, or a structure written by hand whose members match. It is copied byte by byte, so its arrays are
// Vector and Array in memKernel; what is in them lives in the block.
//
// d = host copies all of it, into the same block where no size has changed, so that views made before see the new elements; else into a new one. copy_to(host) is
// the way back, of elements and values that kernels have changed; vectors and arrays of the host get the sizes of the copy. Data smaller than 64 KB, and
// all structures, go together, so thousands of small vectors are one copy to the device. Both return when it is done, in the order of the default stream.
//
// Ownership: the block is this object's and its copies', which all stand for the same; the host's structure is only read. Launches that have the view
//            are over (portable::fence) before another shape is assigned or the last copy ends.
// Errors:    Error: what portable_pool_alloc and portable_array_copy say; ERR_STATE (nothing was assigned yet, or the library was finalized since);
//            ERR_POINTER (a kernel has changed an address or a size). A type that cannot be copied does not compile. An assignment that is refused
//            changes nothing; after a copy that the device has failed in, what is in the block is not known.
// Threads:   guarded by its user, as an int is.  Since: 0.1.  Source: the nested structures of the library cup.
template <class K> class device_copy {
  static_assert(std::is_trivially_copyable<K>::value,
                "what kernels get is copied byte by byte: its arrays are Vector<T, memKernel> and Array<T, rank, memKernel>, and what they do not need is host_only");
  static_assert(std::is_default_constructible<K>::value, "what kernels get is made without arguments, and filled");

public:
  using kernel_type = K;
  // Nothing yet. The label names the block; it is copied.
  explicit device_copy(const char *label = "") : state_(std::make_shared<State>(label)) {}
  device_copy(const device_copy &) = default; // also of one that is moved, which stays good
  device_copy &operator=(const device_copy &) = default;
  template <class H, std::enable_if_t<detail::HasFields<H>::value, int> = 0> device_copy(const H &host, const char *label = "") : device_copy(label) {
    *this = host;
  }
  template <class H, std::enable_if_t<detail::HasFields<H>::value, int> = 0> device_copy &operator=(const H &host) {
    detail::Packing measure;
    measure.root<H, K>(host);
    State &s = *state_;
    const std::size_t small = measure.small(), all = measure.all();
    typename State::Block made;
    if (!s.is_there() || s.small != small || s.all != all) {
      const index_t bytes = static_cast<index_t>(all);
      made.reset(detail::make_block<unsigned char, true>(s.label.c_str(), 1, &bytes, nullptr));
    }
    auto *const block = static_cast<unsigned char *>((made ? made : s.block)->memory);
    const bool far = detail::copied_in_turn(block);
    unique_array<unsigned char> staging;
    if (far) staging = unique_array<unsigned char>("device_copy", static_cast<index_t>(small));
    detail::fence_memory(block); // kernels may still write arrays of the host's structure that are in managed memory
    detail::Packing pack(far ? staging.data() : block, block, small);
    const K root = pack.root<H, K>(host);
    if (far) detail::Packing::copy_elements_to<unsigned char>(false, staging.data(), block, small);
    if (made) s.block = std::move(made);
    s.small = small;
    s.all = all;
    s.root = root;
    return *this;
  }

  template <class H> void copy_to(H &host) const {
    static_assert(detail::HasFields<H>::value, "the host's structure lists its members: auto fields() { return std::tie(...); }");
    const State &s = there("copy_to");
    const auto *const block = static_cast<const unsigned char *>(s.block->memory);
    const bool far = detail::copied_in_turn(block);
    unique_array<unsigned char> staging;
    if (far) {
      staging = unique_array<unsigned char>("device_copy", static_cast<index_t>(s.small));
      detail::Packing::copy_elements_to<unsigned char>(false, block, staging.data(), s.small);
    }
    const unsigned char *const image = far ? staging.data() : block;
    K root = K();
    std::memcpy(static_cast<void *>(&root), image, sizeof root);
    detail::Unpacking(image, block, s.small, s.all, s.label.c_str()).member(root, host);
  }

  // For kernels by value: captured, or as an argument. Values that a kernel changes are those behind address().
  const K &view() const { return there("view").root; }
  // The structure itself in memory of the device, for kernels that change its values or want no large argument.
  device_ptr<K> address() const { return device_ptr<K>(static_cast<K *>(there("address").block->memory)); }
  explicit operator bool() const noexcept { return state_->is_there(); }
  // Members of the block.
  std::size_t size_bytes() const noexcept { return state_->is_there() ? state_->all : 0; }

private:
  struct State {
    struct End {
      void operator()(detail::Record *record) const noexcept { detail::let_go(record); }
    };
    using Block = std::unique_ptr<detail::Record, End>;
    explicit State(const char *l) : label(l ? l : "") {}
    bool is_there() const noexcept { return block && block->run == portable_run_number(); }
    std::string label;
    Block block;
    std::size_t small = 0, all = 0;
    K root = K();
  };
  const State &there(const char *call) const {
    if (!state_->is_there())
      throw Error(PORTABLE_ERR_STATE, "device_copy '" + state_->label + "': " + call + " of a copy that " +
                                          (state_->block ? "was made before the library was finalized; assign the structure again" :
                                                           "has nothing yet; assign a structure to it"));
    return *state_;
  }
  std::shared_ptr<State> state_;
};

// The copy of a structure for kernels of the default device.  Since: 0.1
template <template <int> class S> device_copy<S<memKernel>> createDeviceCopy(const S<memHost> &host, const char *label = "") {
  return device_copy<S<memKernel>>(host, label);
}

namespace detail {

// In a kernel's argument block it is the structure.
template <class K> struct BlockArgument<device_copy<K>> {
  using Passed = K;
  static constexpr std::int32_t kind = PORTABLE_ARGUMENT_BYTES, access = 0;
  static void pass(const device_copy<K> &c, unsigned char *to) { std::memcpy(to, &c.view(), sizeof(K)); }
};

// ---- mirrored: arrays that are Arrays on both sides ----

template <class A> void copy_field(const A &from, A &to) { to = from; } // numbers, small arrays, strings
template <class A, class B> void copy_field(const A &from, B &to) { to = from; } // structures inside of structures
template <class T, int rank, int memA, int memB, int style>
void copy_field(const Array<T, rank, memA, style> &from, Array<T, rank, memB, style> &to) {
  bool same = from.initialized() && to.initialized();
  for (int d = 0; d < rank; d++) same = same && from.extent(d) == to.extent(d) && from.lower_bound(d) == to.lower_bound(d);
  if (same)
    from.deep_copy_to(to);
  else if (!from.initialized())
    to.deallocate();
  else if constexpr (memB == memHost)
    to = from.createHostCopy();
  else
    to = from.createDeviceCopy();
}
template <class T, class A> void copy_field(const std::vector<T, A> &from, Array<T, 1, memDevice> &to) {
  if (from.empty()) return to.deallocate();
  copy_field(Array<T, 1, memHost>("", const_cast<T *>(from.data()), static_cast<index_t>(from.size())), to);
}
template <class T, class A> void copy_field(const Array<T, 1, memDevice> &from, std::vector<T, A> &to) {
  to.resize(from.initialized() ? static_cast<std::size_t>(from.size()) : 0);
  if (!to.empty()) from.deep_copy_to(Array<T, 1, memHost>("", to.data(), from.size()));
}
template <class A, class B, std::size_t... k> void copy_fields(const A &from, const B &to, std::index_sequence<k...>) {
  (copy_field(std::get<k>(from), std::get<k>(to)), ...);
}

} // namespace detail

// A base for structures whose arrays are Arrays on the host and on the device, each with memory of its own, so that the library's functions take them on
// both sides: device = host; copies all of it, arrays, vectors, numbers and structures inside, and allocates what is not there yet in the right shape.
//
//     template <int memory> struct State : portable::mirrored<State, memory> {
//       using portable::mirrored<State, memory>::operator=;
//       portable::Array<double, 2, memory> h, u;
//       int steps = 0;
//       auto fields() { return std::tie(h, u, steps); }
//     };
//     State<portable::memHost> host; State<portable::memDevice> device; device = host;
//
// Assignment of one to another of the same memory shares the arrays, as that of arrays does. With the base, host = copy; of a device_copy is
// copy.copy_to(host).
// Errors: Error, as createDeviceCopy and deep_copy_to.  Since: 0.1
template <template <int> class S, int memory> class mirrored {
public:
  template <int other, std::enable_if_t<other != memory && other != memKernel && memory != memKernel, int> = 0> S<memory> &operator=(const S<other> &from) {
    auto &self = static_cast<S<memory> &>(*this);
    auto to = self.fields();
    auto source = detail::fields_of(from);
    static_assert(std::tuple_size<decltype(to)>::value == std::tuple_size<decltype(source)>::value, "fields() names the same members");
    detail::copy_fields(source, to, std::make_index_sequence<std::tuple_size<decltype(to)>::value>());
    return self;
  }
  template <int m = memory, std::enable_if_t<m == memHost, int> = 0> S<memory> &operator=(const device_copy<S<memKernel>> &from) {
    from.copy_to(static_cast<S<memory> &>(*this));
    return static_cast<S<memory> &>(*this);
  }

protected:
  mirrored() = default;
  mirrored(const mirrored &) = default;
  mirrored &operator=(const mirrored &) = default;
};

} // namespace portable

#endif
