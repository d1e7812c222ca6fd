// portable_memory.hpp - memory of the pool for C++ objects: an allocator, one owner, spans. Part of portable.hpp; include that.
//
// In this file: pool_allocator for containers of std, unique_array, span. Not in this file: arrays with a shape (portable_array.hpp), whole
// objects in managed memory (portable_managed.hpp), pools themselves (portable.h).
#ifndef PORTABLE_MEMORY_HPP
#define PORTABLE_MEMORY_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

namespace portable {

// An allocator for containers: std::vector<double, pool_allocator<double>> v(n); takes its memory from the default pool, or from a pool of
// the program's that may be of managed or pinned memory: v(pool_allocator<double>(pool, "v")). Memory is aligned at 64.
// Ownership: the pool outlives the container.  Errors: std::bad_alloc, as containers expect; portable_last_error has the text.
// Threads: as the pool.  Since: 0.1
template <class T> class pool_allocator {
public:
  using value_type = T;
  using is_always_equal = std::false_type;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;
  static_assert(alignof(T) <= 64, "blocks of the pool are aligned at 64 bytes");

  pool_allocator() noexcept = default;
  // label: kept as an address.
  explicit pool_allocator(const char *label) noexcept : label_(label) {}
  explicit pool_allocator(portable_pool pool, const char *label = nullptr) noexcept : pool_(pool), label_(label) {}
  template <class U> pool_allocator(const pool_allocator<U> &other) noexcept : pool_(other.pool()), label_(other.label()) {}

  T *allocate(std::size_t n) {
    void *p = nullptr;
    if (n > std::numeric_limits<std::size_t>::max() / sizeof(T)) throw std::bad_array_new_length();
    const std::size_t bytes = n * sizeof(T);
    const portable_status status = pool_ ? portable_pool_alloc(pool_, bytes, label_, &p) : portable_alloc(bytes, label_, &p);
    if (status != PORTABLE_OK) throw std::bad_alloc();
    return static_cast<T *>(p);
  }
  void deallocate(T *p, std::size_t) noexcept {
    if (pool_)
      portable_pool_free(pool_, p);
    else
      portable_free(p);
  }
  portable_pool pool() const noexcept { return pool_; }
  const char *label() const noexcept { return label_; }

  template <class U> friend bool operator==(const pool_allocator &a, const pool_allocator<U> &b) noexcept { return a.pool() == b.pool(); }
  template <class U> friend bool operator!=(const pool_allocator &a, const pool_allocator<U> &b) noexcept { return !(a == b); }

private:
  portable_pool pool_ = 0; // 0: the default pool
  const char *label_ = nullptr;
};

// Contiguous elements with another owner: an address and a count, for kernels and host code. As std::span of C++20.
// Errors: an index out of bounds is Error (ERR_ARG) where indices are looked at (portable_index_checks.hpp).  Since: 0.1
template <class T> class span {
public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  constexpr span() noexcept = default;
  constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
  template <std::size_t n> constexpr span(T (&array)[n]) noexcept : data_(array), size_(n) {}
  // Made from a vector, an Array, a unique_array, another span.
  template <class C, std::enable_if_t<std::is_convertible<decltype(std::declval<C &>().data()), T *>::value, int> = 0>
  constexpr span(C &&container) : data_(container.data()), size_(static_cast<std::size_t>(container.size())) {}

  template <class I> PORTABLE__INLINE T &operator[](I i) const {
    static_assert(std::is_integral<I>::value, "an index is an integer");
    if (detail::looks_at_indices())
      if (static_cast<std::size_t>(i) >= size_ && detail::refuses_indices())
        detail::index_out_of_bounds("span", nullptr, 0, 1, static_cast<index_t>(i), 0, static_cast<index_t>(size_) - 1);
    return data_[i];
  }
  PORTABLE__INLINE constexpr T *data() const noexcept { return data_; }
  PORTABLE__INLINE constexpr std::size_t size() const noexcept { return size_; }
  constexpr std::size_t size_bytes() const noexcept { return size_ * sizeof(T); }
  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr T *begin() const noexcept { return data_; }
  constexpr T *end() const noexcept { return data_ + size_; }
  T &front() const { return (*this)[0]; }
  T &back() const { return (*this)[size_ - 1]; }
  // A part, which is looked at always.
  span subspan(std::size_t offset, std::size_t count) const {
    if (offset > size_ || count > size_ - offset)
      throw Error(PORTABLE_ERR_ARG, "span::subspan: " + std::to_string(count) + " elements from " + std::to_string(offset) + " on are no part of " +
                                        std::to_string(size_));
    return span(data_ + offset, count);
  }
  span subspan(std::size_t offset) const { return subspan(offset, offset > size_ ? 0 : size_ - offset); }
  span first(std::size_t count) const { return subspan(0, count); }
  span last(std::size_t count) const { return subspan(count > size_ ? size_ + 1 : size_ - count, count); }

private:
  T *data_ = nullptr;
  std::size_t size_ = 0;
};

// Elements of the default pool with one owner, which is moved and never copied; the cheapest way to have work memory. Elements
// that have constructors are made, others are not set.
// Errors: Error, as Array.  Since: 0.1
template <class T> class unique_array {
public:
  unique_array() noexcept = default;
  unique_array(const char *label, index_t n) {
    record_.reset(detail::make_block<T>(label, 1, &n, nullptr));
    data_ = static_cast<T *>(record_->memory);
    size_ = static_cast<std::size_t>(n);
  }
  unique_array(unique_array &&other) noexcept : record_(std::move(other.record_)), data_(other.data_), size_(other.size_) { other.release(); }
  unique_array &operator=(unique_array &&other) noexcept {
    record_ = std::move(other.record_);
    data_ = other.data_;
    size_ = other.size_;
    if (this != &other) other.release();
    return *this;
  }
  template <class I> PORTABLE__INLINE T &operator[](I i) const { return span<T>(data_, size_)[i]; }
  T *data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  explicit operator bool() const noexcept { return data_ != nullptr; }
  T *begin() const noexcept { return data_; }
  T *end() const noexcept { return data_ + size_; }
  void reset() noexcept {
    record_.reset();
    release();
  }

private:
  struct End {
    void operator()(detail::Record *record) const noexcept { detail::let_go(record); }
  };
  void release() noexcept {
    data_ = nullptr;
    size_ = 0;
  }
  std::unique_ptr<detail::Record, End> record_;
  T *data_ = nullptr;
  std::size_t size_ = 0;
};

} // namespace portable

#endif
