// YAKL_Gator.h - class Gator of YAKL: a pool of the program's own over memory that its functions give, and the default pool. Part of YAKL.h; include that.
//
// In this file: the class, get_pool. Not in this file: how blocks are found and checked, which is the library's pool (portable.h).
// Errors:  portable::Error, which is a std::runtime_error, with the codes of portable_pool_create, _alloc and _free.
// Threads: every member but init and finalize may be called from any thread.
// Source: YAKL's Gator.
#ifndef YAKL_GATOR_H
#define YAKL_GATOR_H

#ifndef YAKL_H
#error "include YAKL.h, which includes this"
#endif

__YAKL_NAMESPACE_WRAPPER_BEGIN__
namespace yakl {

class Gator {
public:
  using Allocate = std::function<void *(std::size_t)>;
  using Release = std::function<void(void *)>;
  using Zero = std::function<void(void *, std::size_t)>;

  Gator() = default;
  Gator(const Gator &) = delete;
  Gator &operator=(const Gator &) = delete;
  ~Gator() {
    try {
      finalize();
    } catch (const std::exception &e) {
      std::cerr << e.what() << std::endl;
    }
  }

  // Starts the pool, and the library where it does not run. mymalloc and myfree get the pool's memory and take it back, and must not call the
  // library; sizes are bytes. zero and the last text are not used.
  void init(Allocate mymalloc = [](std::size_t bytes) -> void * { return std::malloc(bytes); }, Release myfree = [](void *p) { std::free(p); },
            Zero zero = [](void *, std::size_t) {}, std::size_t initialSize = std::size_t{1} << 30, std::size_t growSize = std::size_t{1} << 30,
            std::size_t blockSize = 16 * sizeof(std::size_t), std::string pool_name = "Gator", std::string out_of_memory = "",
            std::string cannot_grow = "") {
    (void)zero;
    (void)cannot_grow;
    if (the_default_) throw std::runtime_error("Gator::init of the default pool: it starts with yakl::init");
    finalize();
    if (!portable::isInitialized()) portable::init(), started_ = true;
    source_ = std::make_unique<Source>(Source{std::move(mymalloc), std::move(myfree)});
    out_of_memory_ = std::move(out_of_memory);
    portable_pool_config config = PORTABLE_POOL_CONFIG_INIT;
    config.name = pool_name.c_str();
    config.alloc = [](std::size_t bytes, void *s) noexcept -> void * {
      try {
        return static_cast<Source *>(s)->allocate(bytes);
      } catch (...) {
        return nullptr; // the pool says that it has got no memory
      }
    };
    config.free = [](void *slab, std::size_t, void *s) noexcept { static_cast<Source *>(s)->release(slab); };
    config.payload = source_.get();
    config.initial_bytes = initialSize;
    config.grow_bytes = growSize;
    config.block_bytes = 64;
    while (config.block_bytes < blockSize) config.block_bytes *= 2;
    portable::check(portable_pool_create(&config, &pool_));
    run_ = portable_run_number();
  }

  // Frees what waits for events, and gives all memory back; blocks that are left are listed by the library.
  void finalize() {
    if (the_default_) return;
    if (!portable::isInitialized() || run_ != portable_run_number()) pool_ = 0; // the stop of the library has destroyed it
    if (pool_) {
      const std::lock_guard<std::mutex> lock(mutex_);
      for (const Waiting &w : waiting_)
        for (const Event &e : w.events) e.fence();
    }
    free_completed_waiting_entries();
    const portable_pool pool = pool_;
    pool_ = 0;
    if (pool) portable::check(portable_pool_destroy(pool));
    source_.reset();
    if (started_) started_ = false, portable::finalize();
  }

  // nullptr for no bytes.
  void *allocate(std::size_t bytes, const char *label = "") {
    if (bytes == 0) return nullptr;
    free_completed_waiting_entries();
    void *p = nullptr;
    const portable_status status = portable_pool_alloc(handle(), bytes, label, &p);
    if (status != PORTABLE_OK && !out_of_memory_.empty()) std::cerr << out_of_memory_ << std::endl;
    portable::check(status);
    return p;
  }
  void free(void *p, const char * = "") {
    if (p) portable::check(portable_pool_free(handle(), p));
  }
  // Frees it when all events are done: at the next call of allocate, free_completed_waiting_entries, or finalize of an own pool.
  void free_with_event_dependencies(void *p, std::vector<Event> events, const char * = "") {
    const std::lock_guard<std::mutex> lock(mutex_);
    waiting_.push_back(Waiting{p, portable_run_number(), std::move(events)});
    some_wait_.store(true, std::memory_order_release);
  }
  void free_completed_waiting_entries() {
    if (!some_wait_.load(std::memory_order_acquire)) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    // Blocks of an earlier run were released with it; their addresses may be those of others.
    const auto now = portable::isInitialized() ? portable_run_number() : 0;
    waiting_.erase(std::remove_if(waiting_.begin(), waiting_.end(), [=](const Waiting &w) { return w.run != now; }), waiting_.end());
    for (std::size_t k = waiting_.size(); k-- > 0;) {
      const Waiting &w = waiting_[k];
      if (!std::all_of(w.events.begin(), w.events.end(), [](const Event &e) { return e.completed(); })) continue;
      void *const block = w.block;
      waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(k)); // first, because free may throw
      free(block);
    }
    some_wait_.store(!waiting_.empty(), std::memory_order_release);
  }
  // Lists live blocks on standard error.
  void printAllocsLeft() {
    const auto print = [](const portable_block *b, void *) -> std::int32_t {
      std::cerr << "*** Label: " << b->label << "  ;  size: " << b->bytes << " bytes  ;  address: " << b->address << '\n';
      return 0;
    };
    portable::check(portable_pool_list(handle(), print, nullptr));
  }

  // Bytes of all the memory that the pool holds; blocks that live; most bytes that were taken at once; pieces of memory; bytes that are taken now.
  std::size_t get_pool_capacity() const { return stats().reserved_bytes; }
  std::size_t get_num_allocs() const { return stats().in_use_blocks; }
  std::size_t get_high_water_mark() const { return stats().high_water_bytes; }
  int get_num_pools() const { return static_cast<int>(stats().slabs); }
  std::size_t get_bytes_currently_allocated() const { return stats().occupied_bytes; }
  // Parts of the capacity.
  double get_pool_space_efficiency() const {
    const portable_stats s = stats();
    return static_cast<double>(s.occupied_bytes) / static_cast<double>(s.reserved_bytes);
  }
  double get_pool_high_water_space_efficiency() const {
    const portable_stats s = stats();
    return static_cast<double>(s.high_water_bytes) / static_cast<double>(s.reserved_bytes);
  }

private:
  friend Gator &get_pool();
  struct Default {};
  struct Source {
    Allocate allocate;
    Release release;
  };
  struct Waiting {
    void *block;
    std::uint32_t run; // of the library, in which the block lives
    std::vector<Event> events;
  };
  explicit Gator(Default) : the_default_(true) {}

  portable_pool handle() const {
    portable_pool pool = pool_;
    if (the_default_) portable::check(portable_pool_default(&pool));
    return pool;
  }
  // All 0 where there is no pool.
  portable_stats stats() const {
    portable_stats s{};
    s.struct_size = static_cast<std::uint32_t>(sizeof s);
    if (the_default_ ? portable::isInitialized() : pool_ != 0) portable::check(portable_pool_stats(handle(), &s));
    return s;
  }

  const bool the_default_ = false;
  bool started_ = false;
  portable_pool pool_ = 0;
  std::uint32_t run_ = 0; // of the library, in which pool_ lives
  std::unique_ptr<Source> source_;
  std::string out_of_memory_;
  std::mutex mutex_; // guards waiting_
  std::vector<Waiting> waiting_;
  std::atomic<bool> some_wait_{false};
};

// The default pool: that of arrays and alloc_device.
inline Gator &get_pool() {
  static Gator pool{Gator::Default{}};
  return pool;
}

} // namespace yakl
__YAKL_NAMESPACE_WRAPPER_END__

#endif
