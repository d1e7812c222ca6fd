// portable_array_memory.hpp - who holds the elements of an array, and what a kernel's copies of arrays count. Part of portable.hpp;
// include that.
//
// In this file: the record that all holders of an array share, its making and its end; the copy of a kernel that a tile works with. Not
// in this file: shapes and elements (portable_array.hpp).
//
// Invariants: a record lives as long as one array points to it, and its elements live as long. While a kernel is copied for a tile its
// arrays are not counted: the launch holds the kernel, and that holds them.
// Threads: records are counted from any thread.
#ifndef PORTABLE_ARRAY_MEMORY_HPP
#define PORTABLE_ARRAY_MEMORY_HPP

#ifndef PORTABLE_HPP
#error "include portable.hpp, which includes this"
#endif

#include <new>

namespace portable {

// Extents, indices and counts of elements. In YAKL it has 32 bits.  Since: 0.1
using index_t = std::int64_t;

namespace detail {

struct Record {
  std::atomic<index_t> holders{1};
  void (*end)(Record &) noexcept; // the elements' end
  void *memory;
  index_t elements;
  std::uint32_t run = portable_run_number();
  portable_pool pool = 0; // of a block that is not the default pool's
  std::string label;
  Record(void (*e)(Record &) noexcept, void *m, index_t n, std::string l) : end(e), memory(m), elements(n), label(std::move(l)) {}
};

// True on a thread that copies a kernel for a tile.
inline bool &uncounted() noexcept {
  static thread_local bool on = false;
  return on;
}

class Uncounted {
public:
  Uncounted() noexcept : before_(uncounted()) { uncounted() = true; }
  ~Uncounted() { uncounted() = before_; }
  Uncounted(const Uncounted &) = delete;
  Uncounted &operator=(const Uncounted &) = delete;

private:
  bool before_;
};

// In code of a device nothing is counted.
PORTABLE__HOST_DEVICE PORTABLE__INLINE Record *hold(Record *record) noexcept {
#if defined(__CUDA_ARCH__)
  (void)record;
  return nullptr;
#else
  if (!record || uncounted()) return nullptr;
  record->holders.fetch_add(1, std::memory_order_relaxed);
  return record;
#endif
}

inline void end_record(Record *record) noexcept {
  record->end(*record);
  delete record;
}

PORTABLE__HOST_DEVICE PORTABLE__INLINE void let_go(Record *record) noexcept {
#if defined(__CUDA_ARCH__)
  (void)record;
#else
  if (record && record->holders.fetch_sub(1, std::memory_order_acq_rel) == 1) end_record(record);
#endif
}

// Whether a tile gets its own copy of a kernel, so that what it stores cannot change what it has captured, and compilers keep bounds and
// addresses in registers. A kernel whose copy may throw has captured something that is dear to copy.
template <class F>
constexpr bool copied_for_tiles = std::is_trivially_copyable<F>::value ||
                                  (std::is_nothrow_copy_constructible<F>::value && std::is_nothrow_destructible<F>::value);

template <class F> PORTABLE__INLINE F copy_for_tile(const F &kernel) noexcept {
  const Uncounted while_copying;
  return kernel;
}

inline void give_block(portable_pool pool, void *block) noexcept {
  if (pool)
    portable_pool_free(pool, block);
  else
    portable_free(block);
}

// The end of a block of the pool that holds `elements` objects. After the last finalize the block and its contents are released; where
// the library has started again since, the address may be that of another block.
template <class T> void end_block(Record &record) noexcept {
  if (record.run != portable_run_number()) return;
  if constexpr (!std::is_trivially_destructible<T>::value)
    for (index_t i = record.elements; i > 0; i--) static_cast<T *>(record.memory)[i - 1].~T();
  give_block(record.pool, record.memory);
}

// Functions of the program's that give the memory of arrays in memDevice, in place of a pool: programs of YAKL set them (compat/YAKL_init.h). The
// functions of an array that lives must stay.
struct MemoryFunctions {
  void *(*alloc)(const MemoryFunctions *self, std::size_t bytes, const char *label) = nullptr;
  void (*free)(const MemoryFunctions *self, void *memory, const char *label) = nullptr;
};
inline std::atomic<const MemoryFunctions *> &device_memory() noexcept {
  static std::atomic<const MemoryFunctions *> functions{nullptr};
  return functions;
}
// Its elements have no destructors; the pool of the record is the address of its functions.
inline void end_foreign(Record &record) noexcept {
  const auto *const functions = reinterpret_cast<const MemoryFunctions *>(static_cast<std::uintptr_t>(record.pool));
  if (record.memory) functions->free(functions, record.memory, record.label.c_str());
}
template <class T> Record *make_foreign(const MemoryFunctions *functions, std::size_t bytes, const char *label) {
  const index_t elements = static_cast<index_t>(bytes / sizeof(T));
  auto record = std::make_unique<Record>(end_foreign, nullptr, elements, label ? label : "");
  record->pool = static_cast<portable_pool>(reinterpret_cast<std::uintptr_t>(functions));
  record->memory = functions->alloc(functions, bytes, record->label.c_str());
  if (!record->memory && bytes > 0)
    throw Error(PORTABLE_ERR_NOMEM, "Array '" + record->label + "': the program's allocator has no " + std::to_string(bytes) + " bytes");
  return record.release();
}

// The text of an invalid shape names the array.
inline void check_shape(const char *label, portable_status status) {
  if (status == PORTABLE_OK) return;
  const std::string text = portable_last_error(), begin = "array: ";
  throw Error(status, "Array '" + std::string(label ? label : "") + "': " + text.substr(text.compare(0, begin.size(), begin) == 0 ? begin.size() : 0));
}

// Memory for so many elements, which are made where their type has a constructor: of the default pool, or for_device of the one that arrays for
// kernels of the default device come from.
template <class T, bool for_device = false> Record *make_block(const char *label, int rank, const index_t *extents, const index_t *lower) {
  ask_for_checks();
  static_assert(alignof(T) <= 64, "blocks of the pool are aligned at 64 bytes");
  std::size_t bytes = 0;
  check_shape(label, portable_array_bytes(rank, extents, lower, 64, sizeof(T), &bytes));
  void *memory = nullptr;
  portable_pool pool = 0;
  if constexpr (for_device) {
    if (const MemoryFunctions *functions = device_memory().load(std::memory_order_acquire)) return make_foreign<T>(functions, bytes, label);
    check(portable_pool_of_device(0, &pool));
  }
  check(pool ? portable_pool_alloc(pool, bytes, label, &memory) : portable_alloc(bytes, label, &memory));
  const auto give = [pool](void *p) { give_block(pool, p); };
  std::unique_ptr<void, decltype(give)> block(memory, give);
  const index_t elements = static_cast<index_t>(bytes / sizeof(T));
  auto record = std::make_unique<Record>(end_block<T>, memory, elements, label ? label : "");
  record->pool = pool;
  if constexpr (!std::is_trivially_default_constructible<T>::value) {
    index_t made = 0;
    try {
      for (; made < elements; made++) new (static_cast<T *>(memory) + made) T;
    } catch (...) {
      while (made > 0) static_cast<T *>(memory)[--made].~T();
      throw;
    }
  }
  block.release();
  return record.release();
}

} // namespace detail
} // namespace portable

#endif
