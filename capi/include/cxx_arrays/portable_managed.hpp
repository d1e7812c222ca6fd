// portable_managed.hpp - whole objects, and what is inside of them, in memory where host and kernels use one pointer. Part of portable.hpp; include
// that.
//
// In this file: make_managed, managed_vector, managed_object. Not in this file: copies of objects in memory of a device (portable_nested.hpp);
// containers of std in the pool (pool_allocator, portable_memory.hpp).
//
//     struct Cell { portable::managed_vector<int> faces; double area; };
//     struct Mesh { portable::managed_vector<Cell> cells; double dx; };
//     auto mesh = portable::make_managed<Mesh>("mesh");        // ends where it goes out of scope, with all that is inside
//     mesh->cells.resize(n);
//     const Mesh *m = mesh.get();                              // device_ptr<Mesh>(mesh.get()) for launches that look at arguments
//     parallel_for("areas", Bounds<1>(n), PORTABLE_LAMBDA(int i) { m->cells[i].area *= m->dx; });
//
// The memory is that of PORTABLE_SPACE_MANAGED: on a machine with a cuda device managed memory, else the default pool. The host does not touch it
// while a kernel of the device does (portable_fence; docs/build/cuda-memory.md tells where it may).
// Errors: std::bad_alloc, as new and containers have it; portable_last_error has the text.  Threads: as an object of std.  Since: 0.1
// Source: managed_allocator and new_delete of the library cup.
#ifndef PORTABLE_MANAGED_HPP
#define PORTABLE_MANAGED_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

#include <algorithm>
#include <initializer_list>

namespace portable {
namespace detail {

// Which pool a block came from, and in which run of the library: after that the block and its contents are released.
struct ManagedBlock {
  portable_pool pool = 0;
  std::uint32_t run = 0;

  void *take(std::size_t bytes, const char *label) {
    void *p = nullptr;
    if (portable_pool_of_space(PORTABLE_SPACE_MANAGED, &pool) != PORTABLE_OK || portable_pool_alloc(pool, bytes, label, &p) != PORTABLE_OK)
      throw std::bad_alloc();
    run = portable_run_number();
    return p;
  }
  bool is_there() const noexcept { return run == portable_run_number(); }
  void give(void *p) const noexcept { portable_pool_free(pool, p); }
};

} // namespace detail

// Ends an object of make_managed; after the last finalize, which has released the memory, nothing.  Since: 0.1
template <class T> class managed_delete {
public:
  managed_delete() = default;
  explicit managed_delete(const detail::ManagedBlock &block) noexcept : block_(block) {}
  void operator()(T *object) const noexcept {
    if (!block_.is_there()) return;
    object->~T();
    block_.give(object);
  }

private:
  detail::ManagedBlock block_;
};
template <class T> using managed_ptr = std::unique_ptr<T, managed_delete<T>>;

// Makes a T of the arguments in managed memory. The object needs no base class. Vectors inside are managed_vector, or their elements are the
// host's only.  Ownership: the caller's; the label is copied.  Errors: std::bad_alloc, and what T's constructor throws.  Since: 0.1
template <class T, class... A> managed_ptr<T> make_managed(const char *label, A &&...arguments) {
  static_assert(alignof(T) <= 64, "blocks of the pool are aligned at 64 bytes");
  detail::ManagedBlock block;
  void *const place = block.take(sizeof(T), label);
  try {
    return managed_ptr<T>(new (place) T(std::forward<A>(arguments)...), managed_delete<T>(block));
  } catch (...) {
    block.give(place);
    throw;
  }
}

// A vector with its elements in managed memory, itself wherever its owner is: as std::vector, and kernels read its size and its elements, also of vectors
// inside of vectors. Host code makes, copies and resizes it; a copy has elements of its own.
// Ownership: the elements are the vector's.  Threads: as std::vector.
// Errors: std::bad_alloc; an index out of bounds is Error (ERR_ARG) where host code looks at indices.  Since: 0.1.  Source: std::vector.
template <class T> class managed_vector {
  static_assert(alignof(T) <= 64, "blocks of the pool are aligned at 64 bytes");

public:
  using value_type = T;
  managed_vector() noexcept = default;
  // label: kept as an address, a literal for instance.
  explicit managed_vector(const char *label) noexcept : label_(label) {}
  managed_vector(const char *label, std::size_t n) : label_(label) { resize(n); }
  managed_vector(std::initializer_list<T> values) { assign(values.begin(), values.end()); }
  template <class A> explicit managed_vector(const std::vector<T, A> &v) { assign(v.begin(), v.end()); }
  managed_vector(const managed_vector &other) : label_(other.label_) { assign(other.begin(), other.end()); }
  managed_vector(managed_vector &&other) noexcept : label_(other.label_) { swap(other); }
  managed_vector &operator=(const managed_vector &other) {
    if (this != &other) assign(other.begin(), other.end());
    return *this;
  }
  managed_vector &operator=(managed_vector &&other) noexcept {
    if (this != &other) managed_vector(std::move(other)).swap(*this);
    return *this;
  }
  template <class A> managed_vector &operator=(const std::vector<T, A> &v) { return assign(v.begin(), v.end()), *this; }
  ~managed_vector() {
    if (!data_ || !block_.is_there()) return;
    clear();
    block_.give(data_);
  }

  template <class I> PORTABLE__HOST_DEVICE PORTABLE__INLINE const T &operator[](I i) const { return look(i), data_[i]; }
  template <class I> PORTABLE__HOST_DEVICE PORTABLE__INLINE T &operator[](I i) { return look(i), data_[i]; }
  PORTABLE__HOST_DEVICE PORTABLE__INLINE T *data() noexcept { return data_; }
  PORTABLE__HOST_DEVICE PORTABLE__INLINE const T *data() const noexcept { return data_; }
  PORTABLE__HOST_DEVICE PORTABLE__INLINE std::size_t size() const noexcept { return size_; }
  PORTABLE__HOST_DEVICE bool empty() const noexcept { return size_ == 0; }
  PORTABLE__HOST_DEVICE T *begin() noexcept { return data_; }
  PORTABLE__HOST_DEVICE T *end() noexcept { return data_ + size_; }
  PORTABLE__HOST_DEVICE const T *begin() const noexcept { return data_; }
  PORTABLE__HOST_DEVICE const T *end() const noexcept { return data_ + size_; }
  std::size_t capacity() const noexcept { return capacity_; }

  void reserve(std::size_t n) {
    if (n > capacity_) grow(n);
  }
  // New elements are made by T(), numbers are 0.
  void resize(std::size_t n) {
    reserve(n);
    if (n < size_) std::destroy(data_ + n, data_ + size_);
    for (; size_ < n; size_++) new (static_cast<void *>(data_ + size_)) T();
    size_ = n;
  }
  template <class... A> T &emplace_back(A &&...arguments) {
    T made(std::forward<A>(arguments)...); // before the elements move: an argument may be one of them
    if (size_ == capacity_) grow(std::max<std::size_t>(2 * capacity_, 8));
    T *const place = new (static_cast<void *>(data_ + size_)) T(std::move(made));
    size_++;
    return *place;
  }
  void push_back(const T &value) { emplace_back(value); }
  void push_back(T &&value) { emplace_back(std::move(value)); }
  template <class I> void assign(I first, I last) {
    managed_vector other(label_);
    other.reserve(static_cast<std::size_t>(std::distance(first, last)));
    for (; first != last; ++first, other.size_++) new (static_cast<void *>(other.data_ + other.size_)) T(*first);
    swap(other);
  }
  void clear() noexcept {
    std::destroy(data_, data_ + size_);
    size_ = 0;
  }
  void swap(managed_vector &other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    std::swap(block_, other.block_);
  }

private:
  template <class I> PORTABLE__HOST_DEVICE PORTABLE__INLINE void look(I i) const {
    static_assert(std::is_integral<I>::value, "an index is an integer");
#if !defined(__CUDA_ARCH__)
    if (detail::looks_at_indices())
      if (static_cast<std::size_t>(i) >= size_ && detail::refuses_indices())
        detail::index_out_of_bounds("managed_vector", label_, 0, 1, static_cast<index_t>(i), 0, static_cast<index_t>(size_) - 1);
#else
    (void)i;
#endif
  }
  void grow(std::size_t n) {
    if (n > std::numeric_limits<std::size_t>::max() / sizeof(T)) throw std::bad_array_new_length();
    managed_vector other(label_);
    other.data_ = static_cast<T *>(other.block_.take(n * sizeof(T), label_));
    other.capacity_ = n;
    for (; other.size_ < size_; other.size_++) new (static_cast<void *>(other.data_ + other.size_)) T(std::move_if_noexcept(data_[other.size_]));
    swap(other);
  }

  T *data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
  detail::ManagedBlock block_;
  const char *label_ = "managed vector";
};

// A base for classes whose objects, made by new, are whole in memory that host and kernels of the default device reach: struct Model :
// portable::managed_object { ... }; auto *m = new Model; and kernels use m->... as they are. Memory of the default pool, which is managed memory
// where a cuda device is the default one.
// Errors: std::bad_alloc, as new has them.  Since: 0.1
class managed_object {
public:
  static void *operator new(std::size_t bytes) { return take(bytes, "managed object"); }
  static void *operator new[](std::size_t bytes) { return take(bytes, "managed objects"); }
  static void operator delete(void *p) noexcept { portable_free(p); }
  static void operator delete[](void *p) noexcept { portable_free(p); }

private:
  static void *take(std::size_t bytes, const char *label) {
    void *p = nullptr;
    if (portable_alloc(bytes, label, &p) != PORTABLE_OK) throw std::bad_alloc();
    return p;
  }
};

} // namespace portable

#endif
