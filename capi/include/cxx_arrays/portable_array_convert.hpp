// portable_array_convert.hpp - Arrays from descriptors of C and Fortran, and the other way round. Part of portable.hpp; include that.
//
// In this file: from_c and to_c. Not in this file: descriptors (portable_array.h).
//
// Both share the elements: what is made of an array holds it, and the last holder in any language releases it.
#ifndef PORTABLE_ARRAY_CONVERT_HPP
#define PORTABLE_ARRAY_CONVERT_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

namespace portable {
namespace detail {

template <class T> constexpr std::int32_t descriptor_kind() {
  if constexpr (has_kind<T>())
    return kind_of<T>();
  else
    return PORTABLE_KIND_BYTES;
}

// The end of a record whose elements an owner of C's holds; its handle is where a block has its count of elements.
inline void end_owner(Record &record) noexcept { portable_array_owner_release(static_cast<portable_array_owner>(record.elements)); }

template <class A> void must_be_of_this_run(const A &a, const char *function) {
  if (const Record *record = ArrayAccess::record(a); record && record->end == end_block<typename A::type> && record->run != portable_run_number())
    throw Error(PORTABLE_ERR_STATE, std::string(function) + ": the library was stopped since array '" + a.label() + "' was made, and its elements were released");
}

[[noreturn]] inline void no_such_array(const portable_array &c, const std::string &text) {
  throw Error(PORTABLE_ERR_ARG, "from_c: array '" + std::string(c.label) + "' " + text);
}

} // namespace detail

// The array of a descriptor, as an A: from_c<Array<double, 2, memHost, styleFortran>>(descriptor). The descriptor stays its holder's. A StridedArray has
// any order and any gaps.
// Errors: Error with ERR_ARG (no array; another kind, rank, order or space; gaps; lower bounds that styleC does not have), ERR_HANDLE and ERR_STATE (the
// elements were released).
// Since: 0.1
template <class A> A from_c(const portable_array &c) {
  using T = typename A::value_type;
  constexpr int rank = A::get_rank();
  constexpr bool c_style = detail::style_of<A> == styleC;
  if (c.struct_size == 0) throw Error(PORTABLE_ERR_ARG, "from_c: the descriptor is of no array");
  void *there = nullptr;
  check(portable_array_data(&c, c.space, &there));
  constexpr std::int32_t kind = detail::descriptor_kind<std::remove_cv_t<T>>();
  if (c.kind != kind || c.element_bytes != sizeof(T))
    detail::no_such_array(c, "has elements of kind " + std::to_string(c.kind) + " and " + std::to_string(c.element_bytes) + " bytes; asked for is kind " +
                                 std::to_string(kind) + " and " + std::to_string(sizeof(T)));
  if (c.rank != rank) detail::no_such_array(c, "has rank " + std::to_string(c.rank) + "; asked for is " + std::to_string(rank));
  if (A::get_memory_space() == memHost && c.space >= PORTABLE_SPACE_DEVICE(0)) detail::no_such_array(c, "is in memory of a device; asked for is memHost");
  index_t expected = 1;
  bool gaps = false;
  for (int k = 0; k < rank; k++) {
    const int d = c_style ? rank - 1 - k : k;
    gaps = gaps || (c.extent[d] > 1 && c.stride[d] != expected);
    expected *= c.extent[d];
    if (c_style && c.lower[d] != 0)
      detail::no_such_array(c, "begins at " + std::to_string(c.lower[d]) + " in dimension " + std::to_string(d + 1) +
                                   "; an Array of styleC begins at 0: portable_array_rebase makes it so");
  }
  if (!detail::is_strided<A> && gaps && expected != 0)
    detail::no_such_array(c, std::string("has gaps or another order; asked for is ") + (c_style ? "styleC" : "styleFortran") + " without gaps, or a StridedArray");
  auto record = std::make_unique<detail::Record>(detail::end_owner, c.data, static_cast<index_t>(c.owner), c.label);
  check(portable_array_owner_retain(c.owner));
  const char *const label = record->label.c_str();
  if constexpr (detail::is_strided<A>)
    return detail::ArrayAccess::make_strided<A>(static_cast<T *>(c.data), record.release(), label, c.lower, c.extent, c.stride);
  else
    return detail::ArrayAccess::make<A>(static_cast<T *>(c.data), record.release(), label, c.lower, c.extent);
}

// A descriptor of the array for C and Fortran. The caller is a holder of it, until portable_array_release.
// Errors: Error, as portable_array_wrap; ERR_STATE (the library was stopped since the array was made).  Since: 0.1
template <class T, int rank, int myMem, int myStyle> portable_array to_c(const Array<T, rank, myMem, myStyle> &a) {
  static_assert(!std::is_const<T>::value, "a descriptor cannot keep elements const");
  static_assert(std::is_trivially_copyable<T>::value, "C and Fortran copy elements byte by byte: they have no constructors");
  detail::must_be_there(a, "to_c", false);
  detail::must_be_of_this_run(a, "to_c");
  index_t lower[detail::array_rank], extent[detail::array_rank];
  for (int d = 0; d < rank; d++) lower[d] = a.lower_bound(d), extent[d] = a.extent(d);
  portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
  config.order = myStyle == styleC ? PORTABLE_ORDER_C : PORTABLE_ORDER_FORTRAN;
  config.lower = lower;
  if (myMem == memDevice && detail::is_far(a.data())) config.space = portable_space_of_device(0);
  detail::Record *record = detail::hold(detail::ArrayAccess::record(a));
  if (record) {
    config.payload = record;
    config.end = [](void *, std::int64_t, void *held) { detail::let_go(static_cast<detail::Record *>(held)); };
  }
  portable_array c;
  const portable_status status =
      portable_array_wrap(a.label(), detail::descriptor_kind<T>(), sizeof(T), a.data(), rank, extent, nullptr, &config, &c);
  if (status != PORTABLE_OK) detail::let_go(record);
  check(status);
  return c;
}

} // namespace portable

#endif
