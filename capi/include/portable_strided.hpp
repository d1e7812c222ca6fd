// portable_strided.hpp - Strided: elements that lie in any order, with any bounds and gaps, reached by their indices. Part of portable.hpp;
// include that.
//
// In this file: what an array of C or Fortran is to C++ when it is not without gaps in C or Fortran order: a slice, a transpose, an array laid out
// by rule, a side of a twin, a field of records. Not in this file: Array (portable_array.hpp), whose elements compilers vectorise better.
#ifndef PORTABLE_STRIDED_HPP
#define PORTABLE_STRIDED_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

namespace portable {

// A view of a descriptor's elements, held by it and by its copies; kernels capture it by value, as an Array. An index begins at the lower bound of
// its dimension. With PORTABLE_DEBUG indices are looked at.
// Errors: the constructor throws Error with ERR_ARG (no array; another kind or rank; memory of a device for memHost), ERR_STATE and ERR_HANDLE (the
// elements were given back; under checks the stale side of a twin).
// Threads: as an Array.  Since: 0.1
template <class T, int rank, int memory = memDefault> class Strided {
  static_assert(rank >= 1 && rank <= PORTABLE_ARRAY_RANK, "an array of C or Fortran has 1 to 15 dimensions here");

public:
  using value_type = T;

  Strided() noexcept = default;
  explicit Strided(const portable_array &c) {
    if (c.struct_size == 0) throw Error(PORTABLE_ERR_ARG, "Strided: the descriptor is of no array");
    void *there = nullptr;
    check(portable_array_data(&c, c.space, &there));
    constexpr std::int32_t kind = detail::descriptor_kind<std::remove_cv_t<T>>();
    if (c.kind != kind || c.element_bytes != sizeof(T))
      complain(c, "has elements of kind " + std::to_string(c.kind) + " and " + std::to_string(c.element_bytes) + " bytes; asked for is kind " +
                      std::to_string(kind) + " and " + std::to_string(sizeof(T)));
    if (c.rank != rank) complain(c, "has rank " + std::to_string(c.rank) + "; asked for is " + std::to_string(rank));
    if (memory == memHost && c.space >= PORTABLE_SPACE_DEVICE(0)) complain(c, "is in memory of a device; asked for is memHost");
    auto record = std::make_unique<detail::Record>(detail::end_owner, c.data, static_cast<index_t>(c.owner), c.label);
    check(portable_array_owner_retain(c.owner));
    record_ = record.release();
    data_ = static_cast<T *>(c.data);
    for (int d = 0; d < rank; d++) lower_[d] = c.lower[d], extent_[d] = c.extent[d], stride_[d] = c.stride[d];
  }
  PORTABLE__INLINE Strided(const Strided &other) noexcept { take(other, detail::hold(other.record_)); }
  PORTABLE__INLINE Strided(Strided &&other) noexcept {
    take(other, other.record_);
    other.record_ = nullptr;
  }
  template <class U, std::enable_if_t<std::is_same<const U, T>::value && !std::is_same<U, T>::value, int> = 0>
  PORTABLE__INLINE Strided(const Strided<U, rank, memory> &other) noexcept { take(other, detail::hold(other.record_)); }
  Strided &operator=(const Strided &other) noexcept {
    if (this != &other) *this = Strided(other);
    return *this;
  }
  Strided &operator=(Strided &&other) noexcept {
    if (this == &other) return *this;
    detail::let_go(record_);
    take(other, other.record_);
    other.record_ = nullptr;
    return *this;
  }
  PORTABLE__INLINE ~Strided() { detail::let_go(record_); }

  template <class... I> PORTABLE__INLINE T &operator()(I... i) const {
    static_assert(sizeof...(I) == rank, "as many indices as there are dimensions");
    static_assert((std::is_convertible<I, index_t>::value && ...), "an index is an integer");
    if constexpr (detail::checks_indices) check_indices(std::make_index_sequence<sizeof...(I)>(), static_cast<index_t>(i)...);
    return data_[offset(std::make_index_sequence<sizeof...(I)>(), static_cast<index_t>(i)...)];
  }

  // The element whose indices are all lowest.
  PORTABLE__INLINE T *data() const { return data_; }
  bool initialized() const { return data_ != nullptr; }
  const char *label() const { return record_ ? record_->label.c_str() : ""; }
  // Of dimension d, from 0.
  PORTABLE__INLINE index_t extent(int d) const { return extent_[d]; }
  PORTABLE__INLINE index_t lower_bound(int d) const { return lower_[d]; }
  PORTABLE__INLINE index_t upper_bound(int d) const { return lower_[d] + extent_[d] - 1; }
  PORTABLE__INLINE index_t stride(int d) const { return stride_[d]; }
  index_t size() const {
    index_t n = 1;
    for (int d = 0; d < rank; d++) n *= extent_[d];
    return n;
  }
  static constexpr int get_rank() { return rank; }
  static constexpr int get_memory_space() { return memory; }

private:
  template <class, int, int> friend class Strided;
  [[noreturn]] static void complain(const portable_array &c, const std::string &text) {
    throw Error(PORTABLE_ERR_ARG, "Strided: array '" + std::string(c.label) + "' " + text);
  }
  template <class U> PORTABLE__INLINE void take(const Strided<U, rank, memory> &other, detail::Record *record) noexcept {
    data_ = other.data_;
    record_ = record;
    for (int d = 0; d < rank; d++) lower_[d] = other.lower_[d], extent_[d] = other.extent_[d], stride_[d] = other.stride_[d];
  }
  template <std::size_t... d, class... I> PORTABLE__INLINE index_t offset(std::index_sequence<d...>, I... i) const {
    return (... + ((i - lower_[d]) * stride_[d]));
  }
  template <std::size_t... d, class... I> PORTABLE__INLINE void check_indices(std::index_sequence<d...>, I... i) const {
    if (!initialized()) detail::array_error(label(), "an element of a view that has none");
    (check_index(static_cast<int>(d), i), ...);
  }
  PORTABLE__INLINE void check_index(int d, index_t i) const {
    if (i < lower_[d] || i - lower_[d] >= extent_[d])
      detail::index_out_of_bounds("Strided", label(), d, rank, i, lower_[d], lower_[d] + extent_[d] - 1);
  }

  T *data_ = nullptr;
  detail::Record *record_ = nullptr;
  index_t lower_[static_cast<std::size_t>(rank)] = {}, extent_[static_cast<std::size_t>(rank)] = {}, stride_[static_cast<std::size_t>(rank)] = {};
};

namespace detail {
template <class T, int rank, int memory> struct DeviceArgument<Strided<T, rank, memory>> {
  static constexpr bool host_array = memory == memHost, raw_pointer = false, good = memory == memDevice;
};

// A descriptor with its holder.
class Held {
public:
  Held() = default;
  Held(const Held &) = delete;
  Held &operator=(const Held &) = delete;
  ~Held() { portable_array_release(&c); }
  portable_array c = PORTABLE_ARRAY_NONE;
};
} // namespace detail

} // namespace portable

#endif
