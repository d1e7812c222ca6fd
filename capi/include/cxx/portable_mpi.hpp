// portable_mpi.hpp - ghost cells and particles on MPI ranks for C++: fields and halos that end themselves, exceptions. Include it where mpi.h is included: your
// compiler compiles it with your MPI, and the library itself knows nothing of MPI.
//
//     portable::Fields state;
//     state.add("h", h);
//     portable::Halo ghosts = portable::Halo::box("ghosts", MPI_COMM_WORLD, {nx, ny}, {2, 2});
//     ghosts.begin(state); ... ghosts.end(state);
//
// In this file: the functions of portable_halo.h and portable_mpi.h. Rules, shapes, ownership, threads: there. Since: 0.1
#ifndef PORTABLE_MPI_HPP
#define PORTABLE_MPI_HPP

#include "portable.hpp"

#include "portable_mpi.h"

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace portable {

// A list of fields; it ends with its object, and so does an exchange of it that is in progress: without ghost cells. Objects are moved, not copied.
// Errors: Error with what the functions of portable_halo.h return.  Since: 0.1
class Fields {
public:
  explicit Fields(const char *label = nullptr) { check(portable_fields_create(label, &fields_)); }
  ~Fields() {
    for (const portable_halo halo : begun_) portable_halo_cancel(halo);
    portable_fields_destroy(fields_);
  }
  Fields(const Fields &) = delete;
  Fields &operator=(const Fields &) = delete;
  Fields(Fields &&other) noexcept : fields_(std::exchange(other.fields_, 0)), begun_(std::move(other.begun_)) {}
  Fields &operator=(Fields &&other) noexcept {
    std::swap(fields_, other.fields_);
    std::swap(begun_, other.begun_);
    return *this;
  }

  // Adds an array. dims: the dimension that each one of the halo is, counted from 0; none: those that run fastest, of lists the slowest one.
  void add(const char *name, const portable_array &array, const std::vector<std::int32_t> &dims = {}) {
    check(portable_fields_add(fields_, name, &array, static_cast<std::int32_t>(dims.size()), dims.data()));
  }
  // The same of an Array of portable_arrays.hpp; the list is one more holder of it.
  template <class A> auto add(const char *name, const A &array, const std::vector<std::int32_t> &dims = {}) -> decltype(static_cast<void>(to_c(array))) {
    portable_array c = to_c(array);
    const portable_status status = portable_fields_add(fields_, name, &c, static_cast<std::int32_t>(dims.size()), dims.data());
    portable_array_release(&c);
    check(status);
  }

  portable_fields c_fields() const noexcept { return fields_; }

private:
  friend class Halo;
  portable_fields fields_ = 0;
  mutable std::vector<portable_halo> begun_; // halos whose exchange of these fields is in progress
};

// Bounds of own cells: inner read no ghost cell, the boxes of rim are the others.  Since: 0.1
template <class B> struct HaloSplit {
  B inner;
  std::vector<B> rim;
};

// A halo of the ranks of a communicator; it ends with its object, which is before MPI_Finalize. An exchange in progress ends too, without ghost cells. Objects are moved, not copied.
// Errors: Error with what the functions of portable_halo.h return.  Since: 0.1
class Halo {
public:
  // A block of cells in a grid of ranks; none of width: 1, none of periodic: what the communicator says. Collective.
  static Halo box(const char *label, MPI_Comm comm, const std::vector<std::int64_t> &global, const std::vector<std::int64_t> &width = {},
                  const std::vector<std::int32_t> &periodic = {}, bool faces = false) {
    portable_halo_box_options o = PORTABLE_HALO_BOX_OPTIONS_INIT;
    Halo halo;
    halo.rank_ = static_cast<int>(global.size());
    o.rank = fits(global.size(), width.size(), periodic.size());
    o.global = global.data();
    o.width = width.empty() ? nullptr : width.data();
    o.periodic = periodic.empty() ? nullptr : periodic.data();
    o.faces = faces ? 1 : 0;
    check(portable_mpi_halo_box(label, comm, &o, &halo.halo_));
    return halo;
  }
  // Lists of cells for each neighbour. Collective.
  static Halo lists(const char *label, MPI_Comm comm, const portable_halo_lists_options &options) {
    Halo halo;
    check(portable_mpi_halo_lists(label, comm, &options, &halo.halo_));
    return halo;
  }

  Halo() = default;
  ~Halo() {
    if (halo_) portable_halo_cancel(halo_);
    portable_halo_destroy(halo_);
  }
  Halo(const Halo &) = delete;
  Halo &operator=(const Halo &) = delete;
  Halo(Halo &&other) noexcept : halo_(std::exchange(other.halo_, 0)), rank_(other.rank_) {}
  Halo &operator=(Halo &&other) noexcept {
    std::swap(halo_, other.halo_);
    std::swap(rank_, other.rank_);
    return *this;
  }

  // The first and the last own cell in each dimension, of all cells counted from 0.
  std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>> own() const {
    std::vector<std::int64_t> first(3), last(3);
    check(portable_halo_own(halo_, first.data(), last.data()));
    first.resize(static_cast<std::size_t>(rank_));
    last.resize(static_cast<std::size_t>(rank_));
    return {first, last};
  }

  // As bounds of the type B, whose rank is that of the halo; lower has the indices of the first own cell, 0 if it is empty.
  template <class B> HaloSplit<B> split(const std::vector<std::int64_t> &lower = {}) const {
    portable_bounds inner, rim[6];
    std::int32_t count = 0;
    const std::vector<std::int64_t> from = lower.empty() ? std::vector<std::int64_t>(3, 0) : lower;
    if (rank_ != B::rank || static_cast<int>(from.size()) < rank_)
      throw Error(PORTABLE_ERR_ARG, "Halo::split: the halo has " + std::to_string(rank_) + " dimensions, the bounds or lower have others");
    check(portable_halo_split(halo_, PORTABLE_ORDER_C, from.data(), &inner, rim, &count));
    HaloSplit<B> both{bounds<B>(inner), {}};
    for (std::int32_t i = 0; i < count; i++) both.rim.push_back(bounds<B>(rim[i]));
    return both;
  }

  void begin(const Fields &fields, const LaunchConfig &config = LaunchConfig()) const {
    fields.begun_.push_back(halo_); // also of one that fails: its launch may have begun
    check(portable_halo_begin(halo_, fields.c_fields(), &config.c_config()));
  }
  void end(const Fields &fields, const LaunchConfig &config = LaunchConfig()) const {
    std::vector<portable_halo> &begun = fields.begun_;
    begun.erase(std::remove(begun.begin(), begun.end(), halo_), begun.end());
    check(portable_halo_end(halo_, fields.c_fields(), &config.c_config()));
  }
  // Ends the exchanges in progress; no ghost cell is written.
  void cancel() const { check(portable_halo_cancel(halo_)); }
  // Adds ghost cells to the cells that they are copies of.
  void add(const Fields &fields, const LaunchConfig &config = LaunchConfig()) const { check(portable_halo_add(halo_, fields.c_fields(), &config.c_config())); }

  explicit operator bool() const noexcept { return halo_ != 0; }
  portable_halo c_halo() const noexcept { return halo_; }

  template <class T>
  friend std::int64_t particles_ghosts(const char *label, MPI_Comm comm, const std::vector<const T *> &position, std::int64_t count, double cutoff,
                                       const portable_ghosts_options &options, const Fields &fields, Halo &halo);

private:
  // 0, which is refused on all ranks: the lists have different lengths.
  static std::int32_t fits(std::size_t rank, std::size_t width, std::size_t periodic) {
    return (width && width != rank) || (periodic && periodic != rank) ? 0 : static_cast<std::int32_t>(rank);
  }
  template <class B> static B bounds(const portable_bounds &b) {
    using Index = typename B::index_type;
    const auto low = [&](int d) { return static_cast<Index>(b.lower[d]); };
    const auto up = [&](int d) { return static_cast<Index>(b.upper[d]); };
    if constexpr (B::rank == 1) return B({low(0), up(0)});
    else if constexpr (B::rank == 2) return B({low(0), up(0)}, {low(1), up(1)});
    else return B({low(0), up(0)}, {low(1), up(1)}, {low(2), up(2)});
  }

  portable_halo halo_ = 0;
  int rank_ = 0;
};

// Sends particles to the ranks that own them, owner[0] to owner[count-1]; gives the number of particles afterwards. Those that stay are first, those
// that have come follow by source rank. Collective.
// Errors: Error with what portable_particles_migrate returns, before a particle has moved.  Since: 0.1
inline std::int64_t particles_migrate(const char *label, MPI_Comm comm, const std::int32_t *owner, std::int64_t count, const Fields &fields,
                                      const LaunchConfig &config = LaunchConfig()) {
  std::int64_t after = 0;
  check(portable_mpi_particles_migrate(label, comm, owner, count, fields.c_fields(), &config.c_config(), &after));
  return after;
}

// The particles that other ranks need follow theirs there, in all fields; gives the number of own particles and ghosts. halo becomes the halo
// that updates them. position: 1 to 3 arrays of float or double. Collective.
// Errors: Error with what portable_particles_ghosts returns; halo is as before then.  Since: 0.1
template <class T>
std::int64_t particles_ghosts(const char *label, MPI_Comm comm, const std::vector<const T *> &position, std::int64_t count, double cutoff,
                              const portable_ghosts_options &options, const Fields &fields, Halo &halo) {
  static_assert(std::is_same<T, float>::value || std::is_same<T, double>::value, "positions are float or double");
  const std::int32_t kind = std::is_same<T, float>::value ? PORTABLE_KIND_REAL32 : PORTABLE_KIND_REAL64;
  const std::vector<const void *> at(position.begin(), position.end());
  std::int64_t all = 0;
  check(portable_mpi_particles_ghosts(label, comm, kind, static_cast<std::int32_t>(at.size()), at.data(), count, cutoff, &options, fields.c_fields(),
                                      &halo.halo_, &all));
  halo.rank_ = 0;
  return all;
}

} // namespace portable

#endif
