// YAKL_init.h - start and stop of YAKL, its errors, and memory without an array. Part of YAKL.h; include that.
//
// In this file: init, InitConfig, finalize and what is called before it, alloc_device and functions in its place, yakl_throw and the like. Not in this
// file: the default pool (YAKL_Gator.h).
// Macros that choose YAKL's build are heeded where the library starts, in init of the file that was compiled with them: they set what the environment
// has not set.
// Source: YAKL's init, InitConfig, finalize, allocators.
#ifndef YAKL_INIT_H
#define YAKL_INIT_H

#ifndef YAKL_H
#error "include YAKL.h, which includes this"
#endif

__YAKL_NAMESPACE_WRAPPER_BEGIN__
namespace yakl {

// ---- memory without an array ----

namespace internal {

using DeviceAllocator = std::function<void *(std::size_t, const char *)>;
using DeviceDeallocator = std::function<void(void *, const char *)>;

// The program's functions in place of the default pool, for alloc_device and arrays in memDevice. Each pair that was ever in use stays, because
// arrays give their memory back to the functions that it is from.
struct DeviceMemory : portable::detail::MemoryFunctions {
  DeviceAllocator allocate;
  DeviceDeallocator deallocate;
  DeviceMemory(DeviceAllocator a, DeviceDeallocator d) : allocate(std::move(a)), deallocate(std::move(d)) {
    alloc = [](const MemoryFunctions *m, std::size_t bytes, const char *label) {
      const DeviceAllocator &f = static_cast<const DeviceMemory *>(m)->allocate;
      return f ? f(bytes, label) : from_pool(bytes, label);
    };
    free = [](const MemoryFunctions *m, void *p, const char *label) {
      const DeviceDeallocator &f = static_cast<const DeviceMemory *>(m)->deallocate;
      if (f)
        f(p, label);
      else
        portable_free(p);
    };
  }
  static void *from_pool(std::size_t bytes, const char *label) {
    void *p = nullptr;
    if (bytes > 0) portable::check(portable_alloc(bytes, label, &p));
    return p;
  }
};
inline void set_device_memory(DeviceAllocator allocate, DeviceDeallocator deallocate) {
  static std::mutex mutex;
  static auto &all = *new std::list<DeviceMemory>; // global arrays end after the statics of functions
  portable::fence();
  const std::lock_guard<std::mutex> lock(mutex);
  const auto *now = static_cast<const DeviceMemory *>(portable::detail::device_memory().load());
  if (!allocate && now) allocate = now->allocate;
  if (!deallocate && now) deallocate = now->deallocate;
  all.emplace_back(std::move(allocate), std::move(deallocate));
  portable::detail::device_memory().store(&all.back());
}

} // namespace internal

// Functions of the program's that give and take the memory of arrays in memDevice and of alloc_device; the memory of an array is freed by the function
// that was set when it was made, free_device calls the one that is set now. Host code must reach the memory.
inline void set_device_allocator(std::function<void *(std::size_t, const char *)> f) { internal::set_device_memory(std::move(f), nullptr); }
inline void set_device_allocator(std::function<void *(std::size_t)> f) {
  set_device_allocator(internal::DeviceAllocator([f = std::move(f)](std::size_t bytes, const char *) { return f(bytes); }));
}
inline void set_device_deallocator(std::function<void(void *, const char *)> f) { internal::set_device_memory(nullptr, std::move(f)); }
inline void set_device_deallocator(std::function<void(void *)> f) {
  set_device_deallocator(internal::DeviceDeallocator([f = std::move(f)](void *p, const char *) { f(p); }));
}
inline void set_yakl_allocators_to_default() {
  portable::fence();
  portable::detail::device_memory().store(nullptr);
}

// Memory of the pool, or of the program's functions, without an array.
inline void *alloc_device(std::size_t bytes, const char *label) {
  if (const auto *m = portable::detail::device_memory().load()) return m->alloc(m, bytes, label);
  return internal::DeviceMemory::from_pool(bytes, label);
}
inline void free_device(void *p, const char *label = nullptr) {
  if (const auto *m = portable::detail::device_memory().load())
    m->free(m, p, label);
  else if (p)
    portable::check(portable_free(p));
}

// ---- start ----

namespace internal {

inline bool pool_is_disabled_by_environment() {
  const char *said = std::getenv("GATOR_DISABLE");
  const std::string s = said ? said : "";
  return s == "yes" || s == "YES" || s == "1" || s == "true" || s == "TRUE" || s == "T";
}

struct Life {
  std::recursive_mutex mutex; // functions of the program, which init calls, may call init and the like
  int started = 0; // init without finalize
  bool pool = true;
  std::vector<std::function<void()>> callbacks;
};
inline Life &life() {
  static Life l;
  return l;
}

// What YAKL's macros of the build would have done, as settings; the environment's own stay.
inline void settings_of_the_build(bool device, bool profile_all, bool profile, bool verbose, bool b4b, bool debug) {
  if (device) ::setenv("PORTABLE_DEVICE", "cuda", 0);
  if (profile_all)
    ::setenv("PORTABLE_PROFILE", "1", 0);
  else if (profile)
    ::setenv("PORTABLE_PROFILE", "user", 0);
  if (verbose) ::setenv("PORTABLE_VERBOSE", "1", 0);
  if (b4b) ::setenv("PORTABLE_B4B", "1", 0);
  if (!debug) return;
  const char *said = std::getenv("PORTABLE_CHECK");
  if (said == nullptr)
    ::setenv("PORTABLE_CHECK", "launch,arrays", 1);
  else if (said == std::string("memory")) // all that yaklcheck asks for without options
    ::setenv("PORTABLE_CHECK", "launch,arrays,memory", 1);
}

} // namespace internal

// Settings for the start. Each function gives the object, so that calls can be chained.
class InitConfig : public portable::InitConfig {
  using Base = portable::InitConfig;

public:
  InitConfig &set_device_allocator(std::function<void *(std::size_t, const char *)> f) { return allocator_ = std::move(f), *this; }
  InitConfig &set_device_allocator(std::function<void *(std::size_t)> f) {
    return set_device_allocator(internal::DeviceAllocator([f = std::move(f)](std::size_t bytes, const char *) { return f(bytes); }));
  }
  InitConfig &set_device_deallocator(std::function<void(void *, const char *)> f) { return deallocator_ = std::move(f), *this; }
  InitConfig &set_device_deallocator(std::function<void(void *)> f) {
    return set_device_deallocator(internal::DeviceDeallocator([f = std::move(f)](void *p, const char *) { f(p); }));
  }
  InitConfig &set_timer_init(std::function<void()> f) { return Base::set_timer_init(f), init_ = std::move(f), *this; }
  InitConfig &set_timer_finalize(std::function<void()> f) { return Base::set_timer_finalize(f), finalize_ = std::move(f), *this; }
  InitConfig &set_timer_start(std::function<void(const char *)> f) { return Base::set_timer_start(f), start_ = std::move(f), *this; }
  InitConfig &set_timer_stop(std::function<void(const char *)> f) { return Base::set_timer_stop(f), stop_ = std::move(f), *this; }
  InitConfig &set_pool_enabled(bool enabled) { return Base::set_pool_enabled(enabled), *this; }
  InitConfig &set_pool_initial_mb(std::size_t mb) { return Base::set_pool_initial_mb(mb), *this; }
  InitConfig &set_pool_grow_mb(std::size_t mb) { return Base::set_pool_grow_mb(mb), *this; }
  InitConfig &set_pool_block_bytes(std::size_t bytes) { return Base::set_pool_block_bytes(bytes), *this; }

  // Empty where the program has set none.
  std::function<void *(std::size_t, const char *)> get_device_allocator() const { return allocator_; }
  std::function<void(void *, const char *)> get_device_deallocator() const { return deallocator_; }
  std::function<void()> get_timer_init() const { return init_; }
  std::function<void()> get_timer_finalize() const { return finalize_; }
  std::function<void(const char *)> get_timer_start() const { return start_; }
  std::function<void(const char *)> get_timer_stop() const { return stop_; }
  // 0: what the environment says, or the library's own.
  std::size_t get_pool_initial_mb() const { return Base::get_pool_initial_mb(); }
  std::size_t get_pool_grow_mb() const { return Base::get_pool_grow_mb(); }
  std::size_t get_pool_block_bytes() const { return Base::get_pool_block_bytes(); }
  bool get_pool_enabled() const { return Base::get_pool_enabled() && !internal::pool_is_disabled_by_environment(); }

private:
  internal::DeviceAllocator allocator_;
  internal::DeviceDeallocator deallocator_;
  std::function<void()> init_, finalize_;
  std::function<void(const char *)> start_, stop_;
};

using portable::isInitialized;

namespace internal {

inline void start(const InitConfig &config, bool device, bool profile_all, bool profile, bool verbose, bool b4b, bool debug) {
  Life &life = internal::life();
  const std::lock_guard<std::recursive_mutex> lock(life.mutex);
  if (!isInitialized()) settings_of_the_build(device, profile_all, profile, verbose, b4b, debug);
  portable::init(config);
  if (life.started++ > 0) return;
  life.pool = config.get_pool_enabled();
  if (config.get_device_allocator() || config.get_device_deallocator()) set_device_memory(config.get_device_allocator(), config.get_device_deallocator());
}

} // namespace internal

// Starts the library, or counts one more participant. The macros of this file's build count, so it is this file's own function.
// Errors: portable::Error.
static inline void init(const InitConfig &config = InitConfig()) {
  bool device = false, profile_all = false, profile = false, verbose = false, b4b = false, debug = false;
#if PORTABLE__NVCC
  device = true;
#endif
#ifdef YAKL_AUTO_PROFILE
  profile_all = true;
#endif
#ifdef YAKL_PROFILE
  profile = true;
#endif
#if defined(YAKL_VERBOSE) || defined(YAKL_MEMORY_DEBUG)
  verbose = true;
#endif
#ifdef YAKL_B4B
  b4b = true;
#endif
#ifdef YAKL_DEBUG
  debug = true;
#endif
  internal::start(config, device, profile_all, profile, verbose, b4b, debug);
}

// Whether the default pool serves arrays: init has not switched it off, nor has GATOR_DISABLE.
inline bool use_pool() { return isInitialized() && internal::life().pool && !internal::pool_is_disabled_by_environment(); }

// ---- stop ----

// Calls f when finalize is called as often as init was: after a fence, in the order of the calls, before memory is released.
inline void register_finalize_callback(std::function<void()> f) {
  internal::Life &life = internal::life();
  const std::lock_guard<std::recursive_mutex> lock(life.mutex);
  life.callbacks.push_back(std::move(f));
}
// Errors: portable::Error, as portable_finalize and portable_fence; what a callback throws.
inline void finalize() {
  internal::Life &life = internal::life();
  bool last = false;
  std::vector<std::function<void()>> callbacks;
  {
    const std::lock_guard<std::recursive_mutex> lock(life.mutex);
    last = life.started == 1;
    if (life.started > 0) life.started--;
    if (last) callbacks = life.callbacks;
  }
  if (last) {
    if (!callbacks.empty()) portable::fence();
    for (const auto &f : callbacks) f();
    portable::detail::device_memory().store(nullptr);
  }
  portable::finalize();
}

// ---- errors, and who prints ----

// Throws std::runtime_error, out of a kernel of the host too. A kernel on a device prints the text and stops the device: calls that wait for it give
// PORTABLE_ERR_DEVICE from then on.
[[noreturn]] YAKL_INLINE void yakl_throw(const char *text) {
#if defined(__CUDA_ARCH__)
  printf("yakl_throw: %s\n", text);
  __trap();
  for (;;) {
  }
#else
  throw std::runtime_error(text);
#endif
}
[[noreturn]] inline void yakl_throw(const std::string &text) { throw std::runtime_error(text); }
inline void check_last_error() {}
inline bool yakl_mainproc() { return portable::main_process(); }
inline bool yakl_masterproc() { return portable::main_process(); }

// A lock of the program's own; arrays need none.
inline std::mutex &yakl_mtx() {
  static std::mutex mutex;
  return mutex;
}
inline void yakl_mtx_lock() { yakl_mtx().lock(); }
inline void yakl_mtx_unlock() { yakl_mtx().unlock(); }

// A line on the standard output of rank 0, in files that are compiled with YAKL_VERBOSE.
static inline void verbose_inform(const std::string &prefix, const std::string &label = "", const std::string &suffix = "") {
#ifdef YAKL_VERBOSE
  if (!yakl_mainproc()) return;
  std::cout << "*** [YAKL_VERBOSE] " << prefix << (label.empty() ? "" : " (label: \"" + label + "\")") << (suffix.empty() ? "" : ";  " + suffix) << std::endl;
#else
  (void)prefix;
  (void)label;
  (void)suffix;
#endif
}

} // namespace yakl
__YAKL_NAMESPACE_WRAPPER_END__

#endif
