// portable_twin.hpp - twins: one array in two places, of the host and of a device, and orders by rule. Part of portable.hpp; include that.
//
// portable_twin.h tells what twins are, what is marked, and what PORTABLE_CHECK=arrays finds. Nothing is copied without a call.
//
//     portable::Twin<double, 3> h("h", portable::TwinConfig().set_device(portable::Layout::by_rule()), nx, ny, nz);
//     auto p = h.overwrite_host();          // the host side is newer from here on
//     p(0, 0, 0) = 1;                       // and so on
//     h.sync_device();
//     auto q = h.update_device();
//     parallel_for("advance", bounds, PORTABLE_LAMBDA(int i, int j, int k) { q(i, j, k) += 1; });
//     h.sync_host();
#ifndef PORTABLE_TWIN_HPP
#define PORTABLE_TWIN_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

#include <vector>

namespace portable {
namespace detail {

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

// How the elements of an array lie: in C or Fortran order, with the dimensions that are named (from 0) the fastest first, or as a rule says
// for label and device (portable_layout.h); and what lines along the fastest dimension begin at multiples of.  Since: 0.1
class Layout {
public:
  static Layout c() { return Layout(PORTABLE_ORDER_C); }
  static Layout fortran() { return Layout(PORTABLE_ORDER_FORTRAN); }
  static Layout fastest(std::initializer_list<int> dimensions) {
    Layout l(PORTABLE_ORDER_PERMUTED);
    for (const int d : dimensions) l.fastest_.push_back(d);
    return l;
  }
  // C order where no rule says anything, or Fortran's.
  static Layout by_rule(Order otherwise = Order::last_fastest) { return Layout(PORTABLE_ORDER_BY_RULE(static_cast<std::int32_t>(otherwise))); }
  Layout set_row_bytes(std::uint64_t bytes) const {
    Layout l(*this);
    l.row_bytes_ = bytes;
    return l;
  }

  // As the functions of portable_array.h want it; valid as long as this is. rank and lower are those of the array.
  portable_array_config config(int rank, const index_t *lower) const {
    if (order_ == PORTABLE_ORDER_PERMUTED && static_cast<int>(fastest_.size()) != rank)
      throw Error(PORTABLE_ERR_ARG, "Layout: " + std::to_string(fastest_.size()) + " dimensions are named, and the array has " + std::to_string(rank));
    portable_array_config config = PORTABLE_ARRAY_CONFIG_INIT;
    config.order = order_;
    config.fastest = fastest_.empty() ? nullptr : fastest_.data();
    config.lower = lower;
    config.row_bytes = row_bytes_;
    return config;
  }

private:
  explicit Layout(std::int32_t order) : order_(order) {}
  std::int32_t order_;
  std::vector<std::int32_t> fastest_;
  std::uint64_t row_bytes_ = 0;
};

// A rule for arrays of a label (with a star at its end: that begin so) where a device computes on them: layout_rule("h*", "cpu", "kij"). An
// empty device is any; an empty layout leaves the order open.
// Errors: Error, as portable_layout_rule.  Since: 0.1
inline void layout_rule(const char *label, const char *device, const char *layout, std::uint64_t row_bytes = 0) {
  check(portable_layout_rule(label, device && device[0] ? device : nullptr, layout && layout[0] ? layout : nullptr, row_bytes));
}

// Options of a twin.  Since: 0.1
class TwinConfig {
public:
  // Else C order of styleC, Fortran's of styleFortran.
  TwinConfig &set_host(const Layout &layout) { return host_ = {layout}, *this; }
  TwinConfig &set_device(const Layout &layout) { return device_ = {layout}, *this; }
  // Lower bounds of styleFortran, those of both sides; else 1.
  TwinConfig &set_lower(std::initializer_list<index_t> lower) { return lower_ = lower, *this; }
  // Two memories, also where one would do.
  TwinConfig &set_separate(bool separate = true) { return separate_ = separate, *this; }
  TwinConfig &set_zero(bool zero = true) { return zero_ = zero, *this; }

private:
  template <class, int, int> friend class Twin;
  template <class, int, class> friend class RecordsTwin;
  std::vector<Layout> host_, device_; // one, or none
  std::vector<index_t> lower_;
  bool separate_ = false, zero_ = false;
};

// The handle of a twin with its marks and syncs: the part of Twin and RecordsTwin that does not depend on elements.  Since: 0.1
class TwinHandle {
public:
  // Copies to the side that is named, if the other one is newer; into an asynchronous stream it returns at once.
  void sync_host() const { check(portable_twin_sync_host(c_twin(), nullptr)); }
  void sync_device() const { check(portable_twin_sync_device(c_twin(), nullptr)); }
  void sync_host(const Stream &stream) const { in(stream, portable_twin_sync_host); }
  void sync_device(const Stream &stream) const { in(stream, portable_twin_sync_device); }

  // A side that was taken before was changed; what names what has changed it, for messages.
  void modified_host(const char *what = nullptr) const { check(portable_twin_modified_host(c_twin(), what)); }
  void modified_device(const char *what = nullptr) const { check(portable_twin_modified_device(c_twin(), what)); }
  // The changes of a side are not wanted.
  void discard_host() const { check(portable_twin_discard_host(c_twin())); }
  void discard_device() const { check(portable_twin_discard_device(c_twin())); }

  bool host_newer() const { return state().host_newer != 0; }
  bool device_newer() const { return state().device_newer != 0; }
  bool one_memory() const { return state().one_memory != 0; }
  bool initialized() const noexcept { return handle_ != nullptr; }
  portable_twin c_twin() const noexcept { return detail::number_of(handle_); }

protected:
  void own(portable_twin twin) { handle_ = std::make_shared<detail::Handle>(twin, portable_twin_release); }

private:
  template <class F> void in(const Stream &stream, F sync) const {
    portable_launch_config config = PORTABLE_LAUNCH_CONFIG_INIT;
    config.stream = stream.c_stream();
    check(sync(c_twin(), &config));
  }
  portable_twin_state state() const {
    portable_twin_state s{};
    s.struct_size = static_cast<std::uint32_t>(sizeof s);
    check(portable_twin_query(c_twin(), &s));
    return s;
  }
  std::shared_ptr<detail::Handle> handle_;
};

// A twin, shared by its copies; the last one that goes gives both sides back, where no view of a side is left.
// Errors: Error, as portable_twin.h: ERR_STATE for a conflict, and under checks for a stale side.
// Threads: marks are guarded by the library; a Twin itself as an int is.  Source: the double-mapped arrays of OpenFPM.  Since: 0.1
template <class T, int rank, int style = styleDefault> class Twin : public TwinHandle {
  static_assert(std::is_trivially_copyable<T>::value && !std::is_const<T>::value, "elements of twins are copied byte by byte, and changed");

public:
  Twin() = default;
  template <class... I, std::enable_if_t<(sizeof...(I) >= 1 && detail::all_integral<I...>()), int> = 0>
  explicit Twin(const char *label, I... extents) : Twin(label, TwinConfig(), extents...) {}
  template <class... I, std::enable_if_t<(sizeof...(I) >= 1 && detail::all_integral<I...>()), int> = 0>
  Twin(const char *label, const TwinConfig &config, I... extents) {
    static_assert(sizeof...(I) == rank, "as many extents as the Twin has dimensions");
    const index_t n[] = {static_cast<index_t>(extents)...};
    if (!config.lower_.empty() && style == styleC)
      throw Error(PORTABLE_ERR_ARG, "Twin '" + std::string(label ? label : "") + "': lower bounds are given, and one of styleC begins at 0");
    if (!config.lower_.empty() && config.lower_.size() != sizeof...(I))
      throw Error(PORTABLE_ERR_ARG, "Twin '" + std::string(label ? label : "") + "': " + std::to_string(config.lower_.size()) +
                                        " lower bounds, and it has " + std::to_string(rank) + " dimensions");
    index_t begin[static_cast<std::size_t>(rank)];
    for (int d = 0; d < rank; d++) begin[d] = style == styleC ? 0 : 1;
    const index_t *const lower = config.lower_.empty() ? begin : config.lower_.data();
    const Layout plain = style == styleC ? Layout::c() : Layout::fortran();
    const Layout &on_host = config.host_.empty() ? plain : config.host_[0], &on_device = config.device_.empty() ? plain : config.device_[0];
    portable_array_config host = on_host.config(rank, lower), device = on_device.config(rank, lower);
    host.zero = config.zero_;
    portable_twin_config c = PORTABLE_TWIN_CONFIG_INIT;
    c.host = &host;
    c.device = &device;
    c.separate = config.separate_;
    portable_twin twin = 0;
    check(portable_twin_create(label, detail::descriptor_kind<T>(), sizeof(T), rank, n, &c, &twin));
    own(twin);
  }
  // The array is the host side, and newer; the device side is made.
  static Twin of(const Array<T, rank, memHost, style> &array, const Layout &device, bool separate = false) {
    detail::Held host;
    host.c = to_c(array);
    const portable_array_config d = device.config(rank, nullptr);
    portable_twin_config c = PORTABLE_TWIN_CONFIG_INIT;
    c.device = &d;
    c.separate = separate;
    portable_twin twin = 0;
    check(portable_twin_wrap(&host.c, &c, &twin));
    Twin made;
    made.own(twin);
    return made;
  }

  // The sides. A side that is updated or overwritten (all of it is set before it is read) is newer from here on.
  StridedArray<const T, rank, memHost, style> read_host() const { return side<const T, memHost>(portable_twin_host, PORTABLE_TWIN_READ); }
  StridedArray<T, rank, memHost, style> update_host() const { return side<T, memHost>(portable_twin_host, PORTABLE_TWIN_UPDATE); }
  StridedArray<T, rank, memHost, style> overwrite_host() const { return side<T, memHost>(portable_twin_host, PORTABLE_TWIN_OVERWRITE); }
  StridedArray<const T, rank, memDevice, style> read_device() const { return side<const T, memDevice>(portable_twin_device, PORTABLE_TWIN_READ); }
  StridedArray<T, rank, memDevice, style> update_device() const { return side<T, memDevice>(portable_twin_device, PORTABLE_TWIN_UPDATE); }
  StridedArray<T, rank, memDevice, style> overwrite_device() const { return side<T, memDevice>(portable_twin_device, PORTABLE_TWIN_OVERWRITE); }

private:
  template <class U, int memory, class F> StridedArray<U, rank, memory, style> side(F take, std::int32_t access) const {
    detail::Held a;
    check(take(c_twin(), access, &a.c));
    return from_c<StridedArray<U, rank, memory, style>>(a.c);
  }
};

} // namespace portable

#endif
