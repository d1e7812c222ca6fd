// portable_serialize.hpp - structures with arrays, vectors and structures inside as bytes, for files and messages, and back.
//
//     #include <portable.hpp>
//     #include <portable_serialize.hpp>
//     std::vector<unsigned char> buffer = portable::serialize(mesh);      // to a file, to another rank
//     portable::deserialize(buffer, mesh);
//
// In this file: sizes, the type's number, writing, the check of a buffer, reading. Not in this file: how a structure lists its members
// (portable_nested.hpp; docs/cxx/arrays-cpp.md).
//
// Members: numbers, enumerations, plain structures (copied byte by byte, so with no address in them), std::string, std::vector of any of these,
// std::array and T[n], Array in memHost, structures with fields(), to any depth, of which none has its own type inside. A structure that has `static constexpr std::uint64_t serial_version`
// puts it into its number: change it when the meaning of members changes and their types do not. The number of a plain structure has only its size
// and alignment: one whose members were exchanged is read as if they were not. Give it a serial_version, or fields().
// A version is public and not 0. In a plain structure the versions of its members do not count: change its own.
//
// A buffer: the word PORTABLE, four bytes of the byte order, four of the format (1), the type's number, the length of all, a sum over all lengths and
// bounds (8 bytes each); then the members in their order: a vector and a string as their length and elements, an Array as its label and the lower bound
// and extent of each dimension (-1 as first extent: there is no array), everything else as its bytes. Nothing is aligned.
#ifndef PORTABLE_SERIALIZE_HPP
#define PORTABLE_SERIALIZE_HPP

#ifndef PORTABLE_HPP
#include "portable.hpp"
#endif

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace portable {
namespace detail {

// ---- the number of a type ----

constexpr std::uint64_t mixed(std::uint64_t sum, std::uint64_t with) {
  for (int i = 0; i < 8; i++) sum = (sum ^ (with >> (8 * i) & 0xff)) * 0x100000001b3u;
  return sum;
}

template <class S, class = void> struct SerialVersion { static constexpr std::uint64_t value = 0; };
// A data member of this name is no version.
template <class S, class = void> struct VersionOfObject : std::false_type {};
template <class S> struct VersionOfObject<S, std::enable_if_t<std::is_member_pointer<decltype(&S::serial_version)>::value>> : std::true_type {};
template <class S> struct SerialVersion<S, std::enable_if_t<!VersionOfObject<S>::value, std::void_t<decltype(S::serial_version)>>> {
  static constexpr std::uint64_t value = static_cast<std::uint64_t>(S::serial_version);
};

template <class T> using FieldsOf = decltype(std::declval<std::remove_cv_t<T> &>().fields());

// Plain by their bytes, of which some are an address.
template <class T> struct HoldsAddress : std::is_same<T, std::nullptr_t> {};
template <class T> struct HoldsAddress<device_span<T>> : std::true_type {};
template <class T> struct HoldsAddress<device_ptr<T>> : std::true_type {};
template <class T> struct HoldsAddress<host_ptr<T>> : std::true_type {};
template <class T> struct HoldsAddress<std::reference_wrapper<T>> : std::true_type {};
template <class C, class R> struct HoldsAddress<std::basic_string_view<C, R>> : std::true_type {};

// How a member is written. `number` stands for its type; `least` is the least number of bytes.
template <class T, class = void> struct Serial {
  static_assert(!std::is_pointer<T>::value, "a plain pointer does not say how many elements it has; make the member a Vector or an Array");
  static_assert(std::is_trivially_copyable<T>::value,
                "a member that is no array, no vector and no plain value lists its own members: auto fields() { return std::tie(...); }");
  static_assert(!HoldsAddress<T>::value, "a span, a view or a reference is only an address, which means nothing in another program; list the array or the string itself");
  static constexpr bool plain = true;
  static constexpr std::size_t least = sizeof(T);
  static constexpr std::uint64_t number(std::uint64_t sum) {
    if constexpr (std::is_enum<T>::value)
      return Serial<std::underlying_type_t<T>>::number(sum);
    else if constexpr (SerialVersion<T>::value != 0)
      return mixed(mixed(sum, 's' + 256 * sizeof(T) + (std::uint64_t{alignof(T)} << 40)), SerialVersion<T>::value);
    else
      return mixed(sum, std::is_same<T, bool>::value ? 'b' + 256 * sizeof(T) : std::is_integral<T>::value ? (std::is_signed<T>::value ? 'i' : 'u') + 256 * sizeof(T) :
                        std::is_floating_point<T>::value ? 'f' + 256 * sizeof(T) : 's' + 256 * sizeof(T) + (std::uint64_t{alignof(T)} << 40));
  }
  template <class Out> static void put(Out &out, const T &x) { out.bytes(&x, sizeof x); }
  template <class In> static void skip(In &in) { in.template plain<T>(1); }
  template <class In> static void get(In &in, T &x) { in.bytes(&x, sizeof x); }
};

template <class T> struct SerialElements {
  template <class Out> static void put(Out &out, const T *x, std::size_t n) {
    if constexpr (Serial<T>::plain)
      out.elements(x, n);
    else
      for (std::size_t i = 0; i < n; i++) Serial<T>::put(out, x[i]);
  }
  template <class In> static void skip(In &in, std::size_t n) {
    if constexpr (Serial<T>::plain)
      in.template plain<T>(n);
    else
      for (std::size_t i = 0; i < n; i++) Serial<T>::skip(in);
  }
  template <class In> static void get(In &in, T *x, std::size_t n) {
    if constexpr (Serial<T>::plain)
      in.elements(x, n);
    else
      for (std::size_t i = 0; i < n; i++) Serial<T>::get(in, x[i]);
  }
};

template <class T, std::size_t n> struct SerialFixed {
  static constexpr bool plain = false;
  static constexpr std::size_t least = n * Serial<T>::least;
  static constexpr std::uint64_t number(std::uint64_t sum) { return Serial<T>::number(mixed(sum, 'a' + 256 * n)); }
  template <class Out, class A> static void put(Out &out, const A &x) { SerialElements<T>::put(out, &x[0], n); }
  template <class In> static void skip(In &in) { SerialElements<T>::skip(in, n); }
  template <class In, class A> static void get(In &in, A &x) { SerialElements<T>::get(in, &x[0], n); }
};
template <class T, std::size_t n> struct Serial<T[n]> : SerialFixed<T, n> {};
template <class T, std::size_t n> struct Serial<std::array<T, n>> : SerialFixed<T, n> {
  static_assert(n > 0, "a std::array of no elements has nothing to write");
};

// Vectors and strings.
template <class T, class V> struct SerialRow {
  static_assert(Serial<T>::least > 0, "the elements of a vector have no members");
  static constexpr bool plain = false;
  static constexpr std::size_t least = 8;
  static constexpr std::uint64_t number(std::uint64_t sum) { return Serial<T>::number(mixed(sum, 'v')); }
  template <class Out> static void put(Out &out, const V &x) {
    out.length(x.size());
    SerialElements<T>::put(out, x.data(), x.size());
  }
  template <class In> static void skip(In &in) { SerialElements<T>::skip(in, in.count(Serial<T>::least)); }
  template <class In> static void get(In &in, V &x) {
    x.resize(static_cast<std::size_t>(in.length()));
    SerialElements<T>::get(in, x.data(), x.size());
  }
};
template <class T, class A> struct Serial<std::vector<T, A>> : SerialRow<T, std::vector<T, A>> {
  static_assert(!std::is_same<T, bool>::value, "a std::vector<bool> has no elements side by side; take char");
};
template <class A> struct Serial<std::basic_string<char, std::char_traits<char>, A>> : SerialRow<char, std::basic_string<char, std::char_traits<char>, A>> {};

// false: there is no array.
template <class In> bool serial_shape(In &in, index_t *extent, index_t *lower, int rank) {
  for (int d = 0; d < rank; d++) {
    extent[d] = static_cast<index_t>(in.length());
    if (d == 0 && extent[0] == -1) return false;
    lower[d] = static_cast<index_t>(in.length());
  }
  return true;
}

template <class T, int rank, int memory, int style> struct Serial<Array<T, rank, memory, style>> {
  static_assert(memory == memHost, "Arrays in memory of a device are copied to the host first: createHostCopy(), or a structure that is mirrored");
  static_assert(!std::is_const<T>::value, "an Array of const elements cannot be read back; list one of others");
  static_assert(Serial<T>::least > 0, "the elements of an Array have no members");
  using Handle = Array<T, rank, memory, style>;
  static constexpr bool plain = false;
  static constexpr std::size_t least = 8;
  static constexpr std::uint64_t number(std::uint64_t sum) { return Serial<T>::number(mixed(sum, 'A' + 256 * rank + (std::uint64_t{style == styleFortran} << 40))); }
  template <class Out> static void put(Out &out, const Handle &x) {
    if (!x.initialized()) return out.length(~std::uint64_t{0});
    for (int d = 0; d < rank; d++) {
      out.length(static_cast<std::uint64_t>(x.extent(d)));
      out.length(static_cast<std::uint64_t>(x.lower_bound(d)));
    }
    Serial<std::string>::put(out, x.label() ? x.label() : "");
    fence_memory(x.data()); // kernels may still write it
    SerialElements<T>::put(out, x.data(), static_cast<std::size_t>(x.size()));
  }
  template <class In> static void skip(In &in) {
    index_t extent[static_cast<std::size_t>(rank)] = {}, lower[static_cast<std::size_t>(rank)] = {};
    if (!serial_shape(in, extent, lower, rank)) return;
    std::size_t n = 1, bytes = 0;
    for (int d = 0; d < rank; d++) {
      if (extent[d] < 0 || (style != styleFortran && lower[d] != 0)) in.damaged("has an extent of " + std::to_string(extent[d]) + " and a lower bound of " + std::to_string(lower[d]));
      n *= static_cast<std::size_t>(extent[d]);
    }
    if (portable_array_bytes(rank, extent, lower, 64, sizeof(T), &bytes) != PORTABLE_OK) in.damaged("has a shape that no array can have");
    Serial<std::string>::skip(in);
    in.fits(n, Serial<T>::least);
    SerialElements<T>::skip(in, n);
  }
  template <class In> static void get(In &in, Handle &x) {
    index_t extent[static_cast<std::size_t>(rank)] = {}, lower[static_cast<std::size_t>(rank)] = {};
    std::string label;
    if (!serial_shape(in, extent, lower, rank)) return x.deallocate();
    Serial<std::string>::get(in, label);
    Record *const record = make_block<T>(label.c_str(), rank, extent, lower);
    x = ArrayAccess::make<Handle>(static_cast<T *>(record->memory), record, record->label.c_str(), lower, extent);
    SerialElements<T>::get(in, x.data(), static_cast<std::size_t>(x.size()));
  }
};

// Structures with fields().
template <class T> struct Serial<T, std::enable_if_t<HasFields<T>::value>> {
  using Fields = FieldsOf<T>;
  using All = std::make_index_sequence<std::tuple_size<Fields>::value>;
  template <std::size_t k> using Member = std::remove_reference_t<std::tuple_element_t<k, Fields>>;
  static constexpr bool plain = false;
  template <std::size_t... k> static constexpr std::size_t sum_of_least(std::index_sequence<k...>) { return (std::size_t{0} + ... + Serial<Member<k>>::least); }
  template <std::size_t... k> static constexpr std::uint64_t number_of(std::uint64_t sum, std::index_sequence<k...>) {
    sum = mixed(sum, '{' + (SerialVersion<T>::value << 8));
    ((sum = Serial<Member<k>>::number(sum)), ...);
    return mixed(sum, '}');
  }
  static constexpr std::size_t least = sum_of_least(All());
  static constexpr std::uint64_t number(std::uint64_t sum) { return number_of(sum, All()); }
  template <class Out> static void put(Out &out, const T &x) {
    auto fields = fields_of(x);
    each([&](auto k) { Serial<Member<k>>::put(out, std::get<k>(fields)); }, All());
  }
  template <class In> static void skip(In &in) {
    each([&](auto k) { in.template member<Serial<Member<k>>>(static_cast<int>(k) + 1); }, All());
  }
  template <class In> static void get(In &in, T &x) {
    auto fields = x.fields();
    each([&](auto k) { Serial<Member<k>>::get(in, std::get<k>(fields)); }, All());
  }
  template <class F, std::size_t... k> static void each(const F &f, std::index_sequence<k...>) { (f(std::integral_constant<std::size_t, k>()), ...); }
};

// ---- writing ----

struct SerialHeader {
  char word[8];
  std::uint32_t order, format;
  std::uint64_t type, bytes, lengths;
};
constexpr std::uint32_t serial_order = 0x01020304, serial_format = 1;
constexpr std::uint64_t serial_begin = 0xcbf29ce484222325u;

class SerialSize {
public:
  void length(std::uint64_t) noexcept { bytes_ += 8; }
  void bytes(const void *, std::size_t n) noexcept { bytes_ += n; }
  template <class T> void elements(const T *, std::size_t n) noexcept { bytes_ += n * sizeof(T); }
  std::size_t all() const noexcept { return bytes_; }

private:
  std::size_t bytes_ = sizeof(SerialHeader);
};

class SerialOut {
public:
  explicit SerialOut(unsigned char *to) noexcept : to_(to + sizeof(SerialHeader)) {}
  void length(std::uint64_t n) noexcept {
    lengths_ = mixed(lengths_, n);
    bytes(&n, sizeof n);
  }
  void bytes(const void *from, std::size_t n) noexcept {
    std::memcpy(to_, from, n);
    to_ += n;
  }
  template <class T> void elements(const T *from, std::size_t n) {
    const std::size_t all = n * sizeof(T);
    const auto *const source = reinterpret_cast<const unsigned char *>(from);
    unsigned char *const to = to_;
    in_parts("serialize", static_cast<index_t>(all), 1, [source, to](index_t begin, index_t end) { copy_elements(source, to, begin, end); });
    to_ += all;
  }
  std::uint64_t lengths() const noexcept { return lengths_; }

private:
  unsigned char *to_;
  std::uint64_t lengths_ = serial_begin;
};

// ---- reading ----

[[noreturn]] inline void serial_fails(const std::string &text) { throw Error(PORTABLE_ERR_ARG, "deserialize: " + text); }

// Walks through a buffer by the type alone, before anything is changed.
class SerialCheck {
public:
  SerialCheck(const unsigned char *from, std::size_t bytes) noexcept : from_(from), left_(bytes) {}
  std::uint64_t length() {
    std::uint64_t n = 0;
    if (left_ < sizeof n) damaged("needs 8 bytes more, and " + std::to_string(left_) + " are left");
    std::memcpy(&n, from_, sizeof n);
    bytes(sizeof n);
    lengths_ = mixed(lengths_, n);
    return n;
  }
  void bytes(std::size_t n) {
    if (n > left_) damaged("needs " + std::to_string(n) + " bytes more, and " + std::to_string(left_) + " are left");
    from_ += n;
    left_ -= n;
  }
  template <class T> void plain(std::size_t n) {
    fits(n, sizeof(T));
    if constexpr (std::is_same<T, bool>::value)
      for (std::size_t i = 0; i < n; i++)
        if (from_[i] > 1) damaged("is a bool of the value " + std::to_string(from_[i]));
    bytes(n * sizeof(T));
  }
  void fits(std::size_t n, std::size_t least) const {
    if (n > left_ / least) damaged("has " + std::to_string(n) + " elements, and " + std::to_string(left_) + " bytes are left for them");
  }
  std::size_t count(std::size_t least) {
    const std::uint64_t n = length();
    fits(static_cast<std::size_t>(n), least);
    return static_cast<std::size_t>(n);
  }
  // Members of the outermost structure have a place in messages.
  template <class S> void member(int place) {
    const bool outermost = !inside_;
    if (outermost) place_ = place, inside_ = true;
    S::skip(*this);
    if (outermost) inside_ = false;
  }
  [[noreturn]] void damaged(const std::string &text) const {
    serial_fails("the buffer is damaged: member " + std::to_string(place_) + " of fields(), or what is in it, " + text);
  }
  void end(std::uint64_t lengths) const {
    if (left_ != 0) serial_fails("the buffer is damaged: " + std::to_string(left_) + " bytes are left behind the last member");
    if (lengths != lengths_) serial_fails("the buffer is damaged: a length or a bound is not as it was written");
  }

private:
  const unsigned char *from_;
  std::size_t left_;
  std::uint64_t lengths_ = serial_begin;
  int place_ = 0;
  bool inside_ = false;
};

// Reads a buffer that was checked.
class SerialIn {
public:
  explicit SerialIn(const unsigned char *from) noexcept : from_(from) {}
  std::uint64_t length() noexcept {
    std::uint64_t n = 0;
    bytes(&n, sizeof n);
    return n;
  }
  void bytes(void *to, std::size_t n) noexcept {
    std::memcpy(to, from_, n);
    from_ += n;
  }
  template <class T> void elements(T *to, std::size_t n) {
    const std::size_t all = n * sizeof(T);
    const unsigned char *const source = from_;
    auto *const target = reinterpret_cast<unsigned char *>(to);
    in_parts("deserialize", static_cast<index_t>(all), 1, [source, target](index_t begin, index_t end) { copy_elements(source, target, begin, end); });
    from_ += all;
  }

private:
  const unsigned char *from_;
};

// Gives what was read to the structure; members that are not listed stay.
template <class T> void replace(T &from, T &to);
template <class T, std::size_t n> void replace(std::array<T, n> &from, std::array<T, n> &to) {
  for (std::size_t i = 0; i < n; i++) replace(from[i], to[i]);
}
template <class T> void replace(T &from, T &to) {
  if constexpr (HasFields<T>::value) {
    auto source = from.fields(), target = to.fields();
    Serial<T>::each([&](auto k) { replace(std::get<k>(source), std::get<k>(target)); }, typename Serial<T>::All());
  } else if constexpr (std::is_array<T>::value) {
    for (std::size_t i = 0; i < std::extent<T>::value; i++) replace(from[i], to[i]);
  } else {
    to = std::move(from);
  }
}

} // namespace detail

// The number that stands for the structure and the types of its members, in their order; a buffer of another number is refused.  Since: 0.1
template <class S> constexpr std::uint64_t serialized_type() { return detail::Serial<S>::number(detail::serial_begin); }

// The bytes that serialize will write.  Since: 0.1
template <class S> std::size_t serialized_size(const S &from) {
  static_assert(detail::HasFields<S>::value, "the structure lists its members: auto fields() { return std::tie(...); }");
  detail::SerialSize size;
  detail::Serial<S>::put(size, from);
  return size.all();
}

// Writes the listed members to a buffer of so many bytes, and returns how many it has used. Padding inside of plain structures is written as it is.
// Errors:  Error ERR_ARG: the buffer is too small; it was not changed.
// Threads: nothing may change the structure meanwhile; large arrays are copied by the threads of the default device.  Since: 0.1
template <class S> std::size_t serialize(const S &from, void *buffer, std::size_t bytes) {
  const std::size_t all = serialized_size(from);
  if (all > bytes)
    throw Error(PORTABLE_ERR_ARG, "serialize: the structure needs " + std::to_string(all) + " bytes, and the buffer has " + std::to_string(bytes) +
                                      "; serialized_size gives the number");
  if (!buffer) throw Error(PORTABLE_ERR_ARG, "serialize: the buffer is NULL; give " + std::to_string(all) + " bytes");
  auto *const to = static_cast<unsigned char *>(buffer);
  detail::SerialOut out(to);
  detail::Serial<S>::put(out, from);
  const detail::SerialHeader header = {{'P', 'O', 'R', 'T', 'A', 'B', 'L', 'E'}, detail::serial_order, detail::serial_format, serialized_type<S>(), all, out.lengths()};
  std::memcpy(to, &header, sizeof header);
  return all;
}
template <class S> std::vector<unsigned char> serialize(const S &from) {
  std::vector<unsigned char> buffer(serialized_size(from));
  serialize(from, buffer.data(), buffer.size());
  return buffer;
}

// Reads a structure that serialize has written, here or on another machine of the same byte order, and returns how many bytes it had; others may follow.
// Arrays and vectors get new memory, Arrays their labels, too; members that are not listed stay as they are.
// Errors:  Error ERR_ARG: the buffer is cut off, damaged, of another type, byte order or format, or no such buffer; Error and std::bad_alloc if memory is
//          short. The structure is then as it was (but for containers whose allocators stay: a lack of memory may come between two). A changed element is not found: files and networks have sums of their own.
// Threads: as serialize.  Since: 0.1
template <class S> std::size_t deserialize(const void *buffer, std::size_t bytes, S &to) {
  static_assert(detail::HasFields<S>::value, "the structure lists its members: auto fields() { return std::tie(...); }");
  static_assert(std::is_default_constructible<S>::value, "a structure is read into a new one first, which is made without arguments");
  const auto *const from = static_cast<const unsigned char *>(buffer);
  detail::SerialHeader h;
  if (bytes < sizeof h)
    detail::serial_fails("the buffer has " + std::to_string(bytes) + " bytes, and what serialize writes has " + std::to_string(sizeof h) + " at least");
  if (!from) detail::serial_fails("the buffer is NULL, and its size is " + std::to_string(bytes));
  std::memcpy(&h, from, sizeof h);
  if (std::memcmp(h.word, "PORTABLE", sizeof h.word) != 0) detail::serial_fails("the buffer was not written by portable::serialize, or not from its beginning");
  if (h.order != detail::serial_order) detail::serial_fails("the buffer was written on a machine of the other byte order");
  if (h.format != detail::serial_format)
    detail::serial_fails("the buffer has format " + std::to_string(h.format) + ", and this header reads format 1; take the newer library");
  if (h.type != serialized_type<S>())
    detail::serial_fails("the buffer holds another structure, or fields(), a member's type or serial_version has changed since: its number is " +
                         std::to_string(h.type) + ", not " + std::to_string(serialized_type<S>()));
  if (h.bytes > bytes || h.bytes < sizeof h)
    detail::serial_fails("the buffer is cut off: it has " + std::to_string(bytes) + " bytes, and its header says " + std::to_string(h.bytes));
  detail::SerialCheck check(from + sizeof h, static_cast<std::size_t>(h.bytes) - sizeof h);
  detail::Serial<S>::skip(check);
  check.end(h.lengths);
  S made{};
  detail::SerialIn in(from + sizeof h);
  detail::Serial<S>::get(in, made);
  detail::replace(made, to);
  return static_cast<std::size_t>(h.bytes);
}
template <class S> std::size_t deserialize(const std::vector<unsigned char> &buffer, S &to) { return deserialize(buffer.data(), buffer.size(), to); }

} // namespace portable

#endif
