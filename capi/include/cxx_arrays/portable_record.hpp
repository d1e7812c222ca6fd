// portable_record.hpp - Records: arrays of structures whose storage is chosen where they are made: as structures, as an array for each member, or
// in blocks of both. Part of portable.hpp; include that.
//
//     struct Atom { double x[3]; double mass; std::int32_t kind; };
//     PORTABLE_RECORD(Atom, x, mass, kind)                        // outside of all namespaces, in the order of the members
//     portable::Records<Atom, 1> atoms("atoms", portable::RecordLayout::soa(), n);
//     parallel_for("push", portable::c::Bounds<1>(n), PORTABLE_LAMBDA(int i) { atoms.get<&Atom::x>(i, 2) += atoms.get<&Atom::mass>(i); });
//
// portable_record.h tells how records lie. Where the layout is known to the compiler, as type, or by with_layout, a loop is that of plain pointers;
// else an access is some integer operations more, and no compiler makes vectors of it. field<&Atom::mass>() is a plain strided view.
#ifndef PORTABLE_RECORD_HPP
#define PORTABLE_RECORD_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

namespace portable {

// A member of a structure, with its name for other languages and for messages.  Since: 0.1
template <class T, class M> struct Member {
  const char *name;
  M T::*pointer;
};
template <class T, class M> constexpr Member<T, M> member(const char *name, M T::*pointer) { return {name, pointer}; }

// The members of T that are stored: specialised by PORTABLE_RECORD, or by hand for more than 16 of them, with
// static constexpr auto fields() { return std::make_tuple(member("x", &T::x), ...); }.  Since: 0.1
template <class T> struct record_traits;

// How records lie.  Since: 0.1
class RecordLayout {
public:
  static RecordLayout aos() { return RecordLayout(PORTABLE_RECORDS_AOS, 0); }                          // structures
  static RecordLayout soa() { return RecordLayout(PORTABLE_RECORDS_SOA, 0); }                          // an array for each value of a member
  static RecordLayout blocks(int width) { return RecordLayout(PORTABLE_RECORDS_BLOCKS, width); }       // blocks of so many, a power of two
  std::int32_t number() const { return number_; }
  std::int64_t width() const { return width_; }

private:
  RecordLayout(std::int32_t number, std::int64_t width) : number_(number), width_(width) {}
  std::int32_t number_;
  std::int64_t width_;
};

// The same layouts as types, for Records that have one layout in all runs: Records<Atom, 1, records_soa>.  Since: 0.1
struct records_aos {
  static RecordLayout layout() { return RecordLayout::aos(); }
};
struct records_soa {
  static RecordLayout layout() { return RecordLayout::soa(); }
};
template <int width_of_blocks> struct records_blocks {
  static constexpr int width = width_of_blocks;
  static_assert(width > 0 && width <= 65536 && (width & (width - 1)) == 0, "blocks have a power of two of records, up to 65536");
  static RecordLayout layout() { return RecordLayout::blocks(width); }
};
struct records_any {}; // chosen by a RecordLayout where the records are made

namespace detail {

template <class M> using ValueOf = std::remove_all_extents_t<M>;
template <class M> constexpr int values_of = std::is_array<M>::value ? static_cast<int>(std::extent<M>::value) : 1;

// The number of a member; -1: it is not stored.
template <class T, auto pointer, std::size_t k = 0> constexpr int number_of_member() {
  constexpr auto fields = record_traits<T>::fields();
  if constexpr (k == std::tuple_size<decltype(fields)>::value) {
    return -1;
  } else {
    constexpr auto p = std::get<k>(fields).pointer;
    if constexpr (std::is_same<decltype(p), const decltype(pointer)>::value) {
      if constexpr (p == pointer) return static_cast<int>(k);
    }
    return number_of_member<T, pointer, k + 1>();
  }
}

template <auto pointer> struct MemberOf;
template <class T, class M, M T::*pointer> struct MemberOf<pointer> {
  using type = M;
};

template <class T, class M> void add_member(portable_record &record, const T &one, const Member<T, M> &m) {
  using V = ValueOf<M>;
  static_assert(std::rank<M>::value <= 1, "a member is one value, or a vector of them");
  const auto offset = reinterpret_cast<const char *>(&(one.*m.pointer)) - reinterpret_cast<const char *>(&one);
  check(portable_record_add(&record, m.name, descriptor_kind<V>(), sizeof(V), values_of<M>, static_cast<std::int64_t>(offset)));
}

// What T is to C and Fortran.
template <class T> portable_record describe_record() {
  static_assert(std::is_trivially_copyable<T>::value && std::is_default_constructible<T>::value, "records are copied byte by byte");
  portable_record record;
  check(portable_record_begin(&record, sizeof(T)));
  const T one{};
  std::apply([&](const auto &...m) { (add_member(record, one, m), ...); }, record_traits<T>::fields());
  return record;
}

// Where a member is in a block of so many records, and the bytes of the block, as portable_records_wrap tells.
constexpr index_t in_lines_of_16(index_t bytes) { return (bytes + 15) / 16 * 16; }
template <class T, std::size_t k> constexpr index_t record_before(index_t width) {
  if constexpr (k == 0) {
    return 0;
  } else {
    constexpr auto fields = record_traits<T>::fields();
    using M = typename MemberOf<std::get<k - 1>(fields).pointer>::type;
    return in_lines_of_16(record_before<T, k - 1>(width) + width * values_of<M> * static_cast<index_t>(sizeof(ValueOf<M>)));
  }
}

// Where value c of a member of the record at position n is. `place` is that of the member.
template <class T, class L> struct RecordPlaces;
template <class T> struct RecordPlaces<T, records_any> {
  int shift = 0;
  index_t mask = 0, block = 0;
  void set(const portable_records &r) {
    shift = r.shift;
    mask = r.mask;
    block = r.block_bytes;
  }
  template <auto pointer, int, class V> PORTABLE__INLINE V *at(char *data, const portable_records_place &place, index_t n, index_t c) const {
    return reinterpret_cast<V *>(data + ((n >> shift) * block + (n & mask) * place.lane + place.at + c * place.component));
  }
};
template <class T> struct RecordPlaces<T, records_aos> {
  void set(const portable_records &) {}
  template <auto pointer, int, class V> PORTABLE__INLINE V *at(char *data, const portable_records_place &, index_t n, index_t c) const {
    auto &member = reinterpret_cast<T *>(data)[n].*pointer;
    if constexpr (std::is_array<std::remove_reference_t<decltype(member)>>::value) {
      return &member[c];
    } else {
      return &member;
    }
  }
};
template <class T> struct RecordPlaces<T, records_soa> {
  void set(const portable_records &) {}
  template <auto pointer, int, class V> PORTABLE__INLINE V *at(char *data, const portable_records_place &place, index_t n, index_t c) const {
    return reinterpret_cast<V *>(data + place.at + c * place.component) + n;
  }
};
template <class T, int width> struct RecordPlaces<T, records_blocks<width>> {
  void set(const portable_records &) {}
  template <auto pointer, int field, class V> PORTABLE__INLINE V *at(char *data, const portable_records_place &, index_t n, index_t c) const {
    constexpr index_t whole = record_before<T, std::tuple_size<decltype(record_traits<T>::fields())>::value>(width);
    constexpr index_t before = record_before<T, static_cast<std::size_t>(field)>(width);
    return reinterpret_cast<V *>(data + n / width * whole + before) + c * width + n % width;
  }
};

inline void end_records(Record &record) noexcept {
  auto *c = static_cast<portable_records *>(record.memory);
  portable_records_release(c);
  delete c;
}

} // namespace detail

// Records of T, from 0, the last index the fastest; shared by all copies, as an Array. Values are not set. The layout is a type (records_aos,
// records_soa, records_blocks<8>), or records_any, which is chosen where they are made. Records of const T are only read.
// Errors: Error: as portable_records_create; with PORTABLE_DEBUG indices are looked at.  Threads: as an Array.  Source: LLAMA.  Since: 0.1
template <class T, int rank, class L = records_any> class Records {
  static_assert(rank >= 1 && rank <= detail::array_rank, "Records have 1 to 8 dimensions");
  using Plain = std::remove_const_t<T>;
  template <class V> using As = std::conditional_t<std::is_const<T>::value, const V, V>;
  static constexpr int fields = static_cast<int>(std::tuple_size<decltype(record_traits<Plain>::fields())>::value);

public:
  Records() = default;
  template <class... I, std::enable_if_t<(sizeof...(I) >= 1 && detail::all_integral<I...>() && std::is_same<L, records_any>::value), int> = 0>
  Records(const char *label, RecordLayout layout, I... extents) {
    create(label, layout, extents...);
  }
  template <class... I, std::enable_if_t<(sizeof...(I) >= 1 && detail::all_integral<I...>() && !std::is_same<L, records_any>::value), int> = 0>
  explicit Records(const char *label, I... extents) {
    create(label, L::layout(), extents...);
  }
  // The program's own structures, which it keeps.
  template <class... I, std::enable_if_t<(sizeof...(I) >= 1 && detail::all_integral<I...>() &&
                                          (std::is_same<L, records_any>::value || std::is_same<L, records_aos>::value)), int> = 0>
  Records(const char *label, Plain *data, I... extents) {
    static_assert(sizeof...(I) == rank, "as many extents as there are dimensions");
    const index_t n[] = {static_cast<index_t>(extents)...};
    make([&](const portable_record &record, portable_records *c) {
      return portable_records_wrap(label, &record, PORTABLE_RECORDS_AOS, 0, data, rank, n, nullptr, c);
    });
  }
  PORTABLE__INLINE Records(const Records &other) noexcept { take(other, detail::hold(other.held_)); }
  PORTABLE__INLINE Records(Records &&other) noexcept {
    take(other, other.held_);
    other.held_ = nullptr;
    other.c_ = nullptr;
  }
  Records &operator=(const Records &other) noexcept {
    if (this != &other) *this = Records(other);
    return *this;
  }
  Records &operator=(Records &&other) noexcept {
    if (this == &other) return *this;
    detail::let_go(held_);
    take(other, other.held_);
    other.held_ = nullptr;
    other.c_ = nullptr;
    return *this;
  }
  PORTABLE__INLINE ~Records() { detail::let_go(held_); }
  // The same records, of which these are only read.
  template <class U, std::enable_if_t<std::is_same<const U, T>::value && !std::is_const<U>::value, int> = 0>
  PORTABLE__INLINE Records(const Records<U, rank, L> &other) noexcept {
    take(other, detail::hold(other.held_));
  }

  // A member of the record at the indices; of a vector with the number of the value, from 0, behind them.
  template <auto pointer, class... I> PORTABLE__INLINE As<detail::ValueOf<typename detail::MemberOf<pointer>::type>> &get(I... i) const {
    using M = typename detail::MemberOf<pointer>::type;
    constexpr int field = detail::number_of_member<Plain, pointer>();
    static_assert(field >= 0, "PORTABLE_RECORD does not list this member");
    static_assert(sizeof...(I) == rank + (std::is_array<M>::value ? 1 : 0), "as many indices as dimensions, and the number of the value of a vector");
    const index_t at[] = {static_cast<index_t>(i)...};
    const index_t c = std::is_array<M>::value ? at[sizeof...(I) - 1] : 0;
    if (detail::looks_at_indices()) {
      check_indices(at);
      if ((c < 0 || c >= detail::values_of<M>) && detail::refuses_indices()) detail::index_out_of_bounds("Records", label(), rank, rank + 1, c, 0, detail::values_of<M> - 1);
    }
    const index_t n = position(at);
    const portable_records_place &p = place_[field];
    return *places_.template at<pointer, field, detail::ValueOf<M>>(data_, p, n, c);
  }
  // A whole record.
  template <class... I> Plain load(I... i) const {
    Plain value{};
    const index_t at[] = {static_cast<index_t>(i)...};
    whole(at, [&](char *there, std::size_t offset, std::size_t bytes) { std::memcpy(reinterpret_cast<char *>(&value) + offset, there, bytes); },
          std::make_index_sequence<static_cast<std::size_t>(fields)>());
    return value;
  }
  template <class... I> void store(const Plain &value, I... i) const {
    static_assert(!std::is_const<T>::value, "these records are only read");
    const index_t at[] = {static_cast<index_t>(i)...};
    whole(at, [&](char *there, std::size_t offset, std::size_t bytes) { std::memcpy(there, reinterpret_cast<const char *>(&value) + offset, bytes); },
          std::make_index_sequence<static_cast<std::size_t>(fields)>());
  }

  // A member of all records as an array; of a vector one value, from 0. Not of blocks.
  template <auto pointer> auto field(int component = 0) const {
    using M = typename detail::MemberOf<pointer>::type;
    constexpr int number = detail::number_of_member<Plain, pointer>();
    static_assert(number >= 0, "PORTABLE_RECORD does not list this member");
    must_be_there("field");
    detail::Held a;
    check(portable_records_field(c_, number, component, &a.c));
    return from_c<StridedArray<As<detail::ValueOf<M>>, rank, memHost, styleC>>(a.c);
  }
  // Copies all records, whatever the two layouts are, as types or chosen where the records were made.
  template <class To = L> void deep_copy_to(const Records<Plain, rank, To> &to) const {
    must_be_there("deep_copy_to");
    to.must_be_there("deep_copy_to");
    check(portable_records_copy(c_, to.c_, nullptr));
  }

  // These records as records of a layout that the compiler knows: one holder more.
  // Errors: Error: their layout is another one.  Since: 0.1
  template <class To> Records<T, rank, To> as() const {
    must_be_there("as");
    if constexpr (!std::is_same<To, records_any>::value) {
      const RecordLayout to = To::layout();
      if (c_->layout != to.number() || (to.number() == PORTABLE_RECORDS_BLOCKS && c_->width != to.width()))
        throw Error(PORTABLE_ERR_ARG, std::string("Records '") + label() + "': as of " + layout_name(to.number(), to.width()) + ", but they are " +
                                          layout_name(c_->layout, c_->width) + "; make them with that layout, or use with_layout");
    }
    Records<T, rank, To> same;
    same.take(*this, detail::hold(held_));
    same.places_.set(*c_);
    return same;
  }
  // Calls f with these records in their layout as type: structures, arrays, blocks of 4, 8, 16, 32; blocks of other widths as they are. So a program
  // chooses the layout when it runs, and has for each of them loops as of plain pointers. Gives f's result.
  // Errors: Error: no records.  Since: 0.1
  template <class F> auto with_layout(const F &f) const {
    must_be_there("with_layout");
    if (c_->layout == PORTABLE_RECORDS_AOS) return f(as<records_aos>());
    if (c_->layout == PORTABLE_RECORDS_SOA) return f(as<records_soa>());
    if (c_->width == 4) return f(as<records_blocks<4>>());
    if (c_->width == 8) return f(as<records_blocks<8>>());
    if (c_->width == 16) return f(as<records_blocks<16>>());
    if (c_->width == 32) return f(as<records_blocks<32>>());
    return f(as<records_any>());
  }

  bool initialized() const { return c_ != nullptr; }
  index_t extent(int d) const { return extent_[d]; }
  index_t size() const {
    index_t n = 1;
    for (int d = 0; d < rank; d++) n *= extent_[d];
    return n;
  }
  const char *label() const { return c_ ? c_->label : ""; }
  // For C and Fortran; the holder is this.
  const portable_records &c_records() const {
    must_be_there("c_records");
    return *c_;
  }

private:
  template <class, int, class> friend class Records;
  template <class, int, class> friend class RecordsTwin;

  template <class... I> void create(const char *label, RecordLayout layout, I... extents) {
    static_assert(sizeof...(I) == rank, "as many extents as there are dimensions");
    const index_t n[] = {static_cast<index_t>(extents)...};
    make([&](const portable_record &record, portable_records *c) {
      return portable_records_create(label, &record, layout.number(), layout.width(), rank, n, nullptr, c);
    });
  }
  static std::string layout_name(std::int32_t number, std::int64_t width) {
    return number == PORTABLE_RECORDS_AOS ? "structures" : number == PORTABLE_RECORDS_SOA ? "arrays of each member" : "blocks of " + std::to_string(width);
  }
  template <class F> void make(const F &f) {
    auto c = std::make_unique<portable_records>();
    const portable_record record = detail::describe_record<Plain>();
    check(f(record, c.get()));
    adopt(std::move(c));
  }
  void adopt(std::unique_ptr<portable_records> c) {
    auto held = std::make_unique<detail::Record>(detail::end_records, c.get(), 0, c->label);
    held_ = held.release();
    const portable_records &r = *c.release();
    c_ = &r;
    data_ = static_cast<char *>(r.data);
    places_.set(r);
    for (int d = 0; d < rank; d++) extent_[d] = r.extent[d], stride_[d] = r.stride[d];
    for (int f0 = 0; f0 < fields; f0++) place_[f0] = r.place[f0];
  }
  template <class U, class Other> PORTABLE__INLINE void take(const Records<U, rank, Other> &other, detail::Record *held) noexcept {
    held_ = held;
    c_ = other.c_;
    data_ = other.data_;
    if constexpr (std::is_same<Other, L>::value) places_ = other.places_;
    for (int d = 0; d < rank; d++) extent_[d] = other.extent_[d], stride_[d] = other.stride_[d];
    for (int f = 0; f < fields; f++) place_[f] = other.place_[f];
  }
  PORTABLE__INLINE index_t position(const index_t *at) const {
    index_t n = at[rank - 1]; // its stride is 1
    for (int d = 0; d < rank - 1; d++) n += at[d] * stride_[d];
    return n;
  }
  template <class F, std::size_t... k> void whole(const index_t *at, const F &f, std::index_sequence<k...>) const {
    if (detail::looks_at_indices()) check_indices(at);
    const index_t n = position(at);
    (values<static_cast<int>(k), std::get<k>(record_traits<Plain>::fields()).pointer>(n, f), ...);
  }
  template <int field, auto pointer, class F> void values(index_t n, const F &f) const {
    using M = typename detail::MemberOf<pointer>::type;
    const portable_record_field &what = c_->record.field[field];
    for (int c = 0; c < detail::values_of<M>; c++)
      f(reinterpret_cast<char *>(places_.template at<pointer, field, detail::ValueOf<M>>(data_, place_[field], n, c)),
        static_cast<std::size_t>(what.offset) + static_cast<std::size_t>(c) * sizeof(detail::ValueOf<M>), sizeof(detail::ValueOf<M>));
  }
  void check_indices(const index_t *at) const {
    must_be_there("a record");
    for (int d = 0; d < rank; d++)
      if ((at[d] < 0 || at[d] >= extent_[d]) && detail::refuses_indices()) detail::index_out_of_bounds("Records", label(), d, rank, at[d], 0, extent_[d] - 1);
  }
  void must_be_there(const char *call) const {
    if (!c_) throw Error(PORTABLE_ERR_ARG, std::string("Records: ") + call + " of records that are not there yet; make them with their extents");
  }

  detail::Record *held_ = nullptr;
  const portable_records *c_ = nullptr;
  char *data_ = nullptr;
  detail::RecordPlaces<Plain, L> places_;
  index_t extent_[static_cast<std::size_t>(rank)] = {}, stride_[static_cast<std::size_t>(rank)] = {};
  portable_records_place place_[static_cast<std::size_t>(fields)] = {};
};

// Records of T on the host and on a device, which lie the same way on both sides: marks and syncs are those of a Twin, for all members at once. Shared by
// its copies; the last one that goes gives both sides back, where no side that was taken is left. The layout as of Records.
//
//     portable::RecordsTwin<Atom, 1> atoms("atoms", portable::RecordLayout::soa(), n);
//     auto here = atoms.overwrite_host();
//     atoms.sync_device();
//     auto there = atoms.update_device();
//
// Errors: Error, as portable_records_twin_create of portable_record.h, and as a Twin.  Threads: as a Twin.  Since: 0.1
template <class T, int rank, class L = records_any> class RecordsTwin : public TwinHandle {
public:
  RecordsTwin() = default;
  template <class... I, std::enable_if_t<(sizeof...(I) >= 1 && detail::all_integral<I...>() && std::is_same<L, records_any>::value), int> = 0>
  RecordsTwin(const char *label, RecordLayout layout, I... extents) : RecordsTwin(label, layout, TwinConfig(), extents...) {}
  template <class... I, std::enable_if_t<(sizeof...(I) >= 1 && detail::all_integral<I...>() && std::is_same<L, records_any>::value), int> = 0>
  RecordsTwin(const char *label, RecordLayout layout, const TwinConfig &config, I... extents) {
    create(label, layout, config, extents...);
  }
  template <class... I, std::enable_if_t<(sizeof...(I) >= 1 && detail::all_integral<I...>() && !std::is_same<L, records_any>::value), int> = 0>
  explicit RecordsTwin(const char *label, I... extents) : RecordsTwin(label, TwinConfig(), extents...) {}
  template <class... I, std::enable_if_t<(sizeof...(I) >= 1 && detail::all_integral<I...>() && !std::is_same<L, records_any>::value), int> = 0>
  RecordsTwin(const char *label, const TwinConfig &config, I... extents) {
    create(label, L::layout(), config, extents...);
  }

  // The sides. A side that is updated or overwritten (all of it is set before it is read) is newer from here on.
  Records<const T, rank, L> read_host() const { return side<const T>(portable_records_twin_host, PORTABLE_TWIN_READ); }
  Records<T, rank, L> update_host() const { return side<T>(portable_records_twin_host, PORTABLE_TWIN_UPDATE); }
  Records<T, rank, L> overwrite_host() const { return side<T>(portable_records_twin_host, PORTABLE_TWIN_OVERWRITE); }
  Records<const T, rank, L> read_device() const { return side<const T>(portable_records_twin_device, PORTABLE_TWIN_READ); }
  Records<T, rank, L> update_device() const { return side<T>(portable_records_twin_device, PORTABLE_TWIN_UPDATE); }
  Records<T, rank, L> overwrite_device() const { return side<T>(portable_records_twin_device, PORTABLE_TWIN_OVERWRITE); }

private:
  template <class... I> void create(const char *label, RecordLayout layout, const TwinConfig &config, I... extents) {
    static_assert(sizeof...(I) == rank, "as many extents as the RecordsTwin has dimensions");
    if (!config.host_.empty() || !config.device_.empty() || !config.lower_.empty())
      throw Error(PORTABLE_ERR_ARG, "RecordsTwin '" + std::string(label ? label : "") +
                                        "': an order or lower bounds are given, and records of both sides lie as their RecordLayout says, from 0; leave them out");
    const index_t n[] = {static_cast<index_t>(extents)...};
    portable_array_config host = PORTABLE_ARRAY_CONFIG_INIT;
    host.zero = config.zero_;
    portable_twin_config c = PORTABLE_TWIN_CONFIG_INIT;
    c.host = &host;
    c.separate = config.separate_;
    const portable_record record = detail::describe_record<T>();
    portable_records_twin both;
    check(portable_records_twin_create(label, &record, layout.number(), layout.width(), rank, n, &c, &both));
    own(both.twin);
    shape_ = std::make_shared<const portable_records>(both.shape);
  }
  template <class U, class F> Records<U, rank, L> side(F take, std::int32_t access) const {
    portable_records_twin both{};
    both.twin = c_twin();
    if (shape_) both.shape = *shape_;
    auto c = std::make_unique<portable_records>();
    check(take(&both, access, c.get()));
    Records<U, rank, L> records;
    records.adopt(std::move(c));
    return records;
  }
  std::shared_ptr<const portable_records> shape_;
};

} // namespace portable

// Describes a structure: PORTABLE_RECORD(Atom, x, mass, kind), outside of all namespaces; 1 to 16 members, each a value or a vector of values.
// Since: 0.1
#define PORTABLE_RECORD(T, ...)                                                        \
  template <> struct portable::record_traits<T> {                                      \
    using Record = T;                                                                  \
    static constexpr auto fields() {                                                   \
      return std::make_tuple(PORTABLE__MEMBERS(__VA_ARGS__, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)(__VA_ARGS__)); \
    }                                                                                  \
  };
#define PORTABLE__MEMBERS(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, N, ...) PORTABLE__MEMBERS_##N
#define PORTABLE__MEMBER(x) ::portable::member(#x, &Record::x)
#define PORTABLE__MEMBERS_1(x) PORTABLE__MEMBER(x)
#define PORTABLE__MEMBERS_2(x, ...) PORTABLE__MEMBER(x), PORTABLE__MEMBERS_1(__VA_ARGS__)
#define PORTABLE__MEMBERS_3(x, ...) PORTABLE__MEMBER(x), PORTABLE__MEMBERS_2(__VA_ARGS__)
#define PORTABLE__MEMBERS_4(x, ...) PORTABLE__MEMBER(x), PORTABLE__MEMBERS_3(__VA_ARGS__)
#define PORTABLE__MEMBERS_5(x, ...) PORTABLE__MEMBER(x), PORTABLE__MEMBERS_4(__VA_ARGS__)
#define PORTABLE__MEMBERS_6(x, ...) PORTABLE__MEMBER(x), PORTABLE__MEMBERS_5(__VA_ARGS__)
#define PORTABLE__MEMBERS_7(x, ...) PORTABLE__MEMBER(x), PORTABLE__MEMBERS_6(__VA_ARGS__)
#define PORTABLE__MEMBERS_8(x, ...) PORTABLE__MEMBER(x), PORTABLE__MEMBERS_7(__VA_ARGS__)
#define PORTABLE__MEMBERS_9(x, ...) PORTABLE__MEMBER(x), PORTABLE__MEMBERS_8(__VA_ARGS__)
#define PORTABLE__MEMBERS_10(x, ...) PORTABLE__MEMBER(x), PORTABLE__MEMBERS_9(__VA_ARGS__)
#define PORTABLE__MEMBERS_11(x, ...) PORTABLE__MEMBER(x), PORTABLE__MEMBERS_10(__VA_ARGS__)
#define PORTABLE__MEMBERS_12(x, ...) PORTABLE__MEMBER(x), PORTABLE__MEMBERS_11(__VA_ARGS__)
#define PORTABLE__MEMBERS_13(x, ...) PORTABLE__MEMBER(x), PORTABLE__MEMBERS_12(__VA_ARGS__)
#define PORTABLE__MEMBERS_14(x, ...) PORTABLE__MEMBER(x), PORTABLE__MEMBERS_13(__VA_ARGS__)
#define PORTABLE__MEMBERS_15(x, ...) PORTABLE__MEMBER(x), PORTABLE__MEMBERS_14(__VA_ARGS__)
#define PORTABLE__MEMBERS_16(x, ...) PORTABLE__MEMBER(x), PORTABLE__MEMBERS_15(__VA_ARGS__)

#endif
