// YAKL_init.h - start and stop of YAKL's HEAD and of Kokkos under their names, and memory without an array. Part of compat/head/YAKL.h; include that.
//
// In this file: Kokkos::initialize, yakl::init, InitConfig, finalize, alloc_device. Not in this file: macros (YAKL_defines.h).
// The library starts at yakl::init, or at the first array before it, and stops when both Kokkos and YAKL are finalized: host arrays may live until then.
// Threads: any.
// Source: YAKL's init, InitConfig, finalize; Kokkos' initialize.
#ifndef PORTABLE_YAKL_HEAD_INIT
#define PORTABLE_YAKL_HEAD_INIT

#ifndef PORTABLE_YAKL_HEAD
#error "include YAKL.h, which includes this"
#endif

#include <optional>

namespace yakl {

enum class PoolSetting { Default, Enabled, Disabled };

// Settings for the start; what is not set, the environment says (docs/build/environment.md).
class InitConfig {
public:
  InitConfig set_pool_enabled(bool enabled) { return pool_ = enabled ? PoolSetting::Enabled : PoolSetting::Disabled, *this; }
  // The first step of the pool, which grows; 0: what the environment says, or the library's own.
  InitConfig set_pool_size_mb(std::size_t mb) { return size_mb_ = mb, *this; }
  InitConfig set_pool_block_bytes(std::size_t bytes) { return block_bytes_ = bytes, *this; }
  PoolSetting get_pool_setting() const { return pool_; }
  bool get_pool_enabled() const { return pool_ == PoolSetting::Enabled; }
  std::size_t get_pool_size_mb() const { return size_mb_; }
  std::size_t get_pool_block_bytes() const { return block_bytes_.value_or(4096); }
  bool pool_block_bytes_was_set() const { return block_bytes_.has_value(); }

private:
  PoolSetting pool_ = PoolSetting::Default;
  std::size_t size_mb_ = 0;
  std::optional<std::size_t> block_bytes_;
};

namespace internal {

// Parties that need the library, and whether this header has started it.
struct Life {
  std::recursive_mutex mutex;
  bool kokkos = false, yakl = false, running = false;
};
inline Life &life() {
  static Life l;
  return l;
}

inline void start(const InitConfig &config) {
  Life &l = life();
  if (l.running) return;
  portable::InitConfig settings;
  if (config.get_pool_setting() != PoolSetting::Default) settings.set_pool_enabled(config.get_pool_enabled());
  if (config.get_pool_size_mb() > 0) settings.set_pool_initial_mb(config.get_pool_size_mb());
  if (config.pool_block_bytes_was_set()) settings.set_pool_block_bytes(config.get_pool_block_bytes());
  portable::init(settings);
  l.running = true;
}
inline void stop_if_unused() {
  Life &l = life();
  if (!l.running || l.kokkos || l.yakl) return;
  l.running = false;
  portable::finalize();
}
// Kokkos' arrays of the host need no yakl::init.
inline void start_for_arrays(bool on_device) {
  if (portable::isInitialized()) return;
  Life &l = life();
  const std::lock_guard<std::recursive_mutex> lock(l.mutex);
  if (!l.kokkos || on_device)
    throw portable::Error(PORTABLE_ERR_STATE, std::string("an array is made, and the library does not run; call ") +
                                                  (on_device ? "yakl::init" : "Kokkos::initialize or yakl::init") + " before");
  start(InitConfig());
}

// What YAKL's and Kokkos' macros of the build would have done, as settings; the environment's own stay.
inline void settings_of_the_build(bool profile_all, bool profile, bool debug) {
  if (profile_all)
    ::setenv("PORTABLE_PROFILE", "1", 0);
  else if (profile)
    ::setenv("PORTABLE_PROFILE", "user", 0);
  if (debug) ::setenv("PORTABLE_CHECK", "launch,arrays", 0);
}

inline void begin(const InitConfig &config, bool profile_all, bool profile, bool debug) {
  Life &l = life();
  const std::lock_guard<std::recursive_mutex> lock(l.mutex);
  if (l.yakl) return; // a second init is ignored, as in YAKL
  if (!l.running) settings_of_the_build(profile_all, profile, debug);
  start(config);
  l.yakl = true;
}

// Functions to be called before the library may stop (YAKL_parallel_for_autotune.h).
inline std::vector<void (*)()> &at_finalize() {
  static std::vector<void (*)()> functions;
  return functions;
}

} // namespace internal

// The state of YAKL.
class Instance {
public:
  bool is_initialized() const {
    internal::Life &l = internal::life();
    const std::lock_guard<std::recursive_mutex> lock(l.mutex);
    return l.yakl;
  }
};
inline Instance &get_yakl_instance() {
  static Instance i;
  return i;
}

// Starts the library. The macros of this file's build count, so it is this file's own function. A second one is ignored.
// Errors: portable::Error, as portable_init.
static inline void init(InitConfig config = InitConfig()) { internal::begin(config, yakl_auto_profile, yakl_profile, kokkos_bounds_debug); }

// Waits for all launches, and prints what autotune has found. A second one is ignored.
// Errors: portable::Error, as portable_fence and portable_finalize.
inline void finalize() {
  internal::Life &l = internal::life();
  const std::lock_guard<std::recursive_mutex> lock(l.mutex);
  if (!l.yakl) return;
  portable::fence();
  for (void (*f)() : internal::at_finalize()) f();
  l.yakl = false;
  internal::stop_if_unused();
}

// Memory of the pool, without an array. 0 bytes are a null pointer, which free_device takes.
inline void *alloc_device(std::size_t bytes, const std::string &label) {
  void *p = nullptr;
  if (bytes > 0) portable::check(portable_alloc(bytes, label.c_str(), &p));
  return p;
}
inline void free_device(void *p, const std::string & = std::string()) {
  if (p) portable::check(portable_free(p));
}

using portable::ScalarLiveOut;

} // namespace yakl

namespace Kokkos {

inline void initialize() {
  yakl::internal::Life &l = yakl::internal::life();
  const std::lock_guard<std::recursive_mutex> lock(l.mutex);
  l.kokkos = true;
}
inline void initialize(int &, char **) { initialize(); }
inline bool is_initialized() {
  yakl::internal::Life &l = yakl::internal::life();
  const std::lock_guard<std::recursive_mutex> lock(l.mutex);
  return l.kokkos;
}
inline void finalize() {
  yakl::internal::Life &l = yakl::internal::life();
  const std::lock_guard<std::recursive_mutex> lock(l.mutex);
  l.kokkos = false;
  yakl::internal::stop_if_unused();
}
// Kokkos from here to the end of the block.
class ScopeGuard {
public:
  ScopeGuard() { initialize(); }
  ScopeGuard(int &argc, char **argv) { initialize(argc, argv); }
  ScopeGuard(const ScopeGuard &) = delete;
  ScopeGuard &operator=(const ScopeGuard &) = delete;
  ~ScopeGuard() { finalize(); }
};

} // namespace Kokkos

#endif
