// halo.cpp - ghost cells from C++: arrays of YAKL's styles and plain memory, inner cells and rim as bounds, lists, particles, errors as
// exceptions.
// Not in this file: boxes of all shapes (halo.c).
#include <portable_mpi.hpp>
#include <portable_arrays.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

static int failures;
#define CHECK(condition) \
  do { \
    if (!(condition)) failures++, std::printf("%s:%d: CHECK(%s)\n", __FILE__, __LINE__, #condition); \
  } while (0)

static void check_box() {
  constexpr int nx = 12, ny = 10, w = 2;
  portable::Halo ghosts = portable::Halo::box("ghosts", MPI_COMM_WORLD, {nx, ny}, {w, w}, {1, 1});
  const auto own = ghosts.own();
  const int n0 = static_cast<int>(own.second[0] - own.first[0]) + 1, n1 = static_cast<int>(own.second[1] - own.first[1]) + 1;
  portable::Array<double, 2, portable::memHost, portable::styleC> h("h", n0 + 2 * w, n1 + 2 * w);
  portable::Array<int, 3, portable::memHost, portable::styleC> q("q", n0 + 2 * w, 2, n1 + 2 * w), visits("visits", n0, n1, 1);
  const auto cell = [&](int i, int j) {
    return static_cast<int>((own.first[0] + i - w + nx) % nx * ny + (own.first[1] + j - w + ny) % ny);
  };
  h = -1;
  q = -1;
  visits = 0;
  for (int i = w; i < n0 + w; i++)
    for (int j = w; j < n1 + w; j++) {
      h(i, j) = cell(i, j) / 4.0;
      for (int k = 0; k < 2; k++) q(i, k, j) = 2 * cell(i, j) + k;
    }
  portable::Fields state, moved("moved");
  state.add("h", h);
  state.add("q", q, {0, 2});
  moved = std::move(state);
  ghosts.begin(moved);
  ghosts.end(moved);
  for (int i = 0; i < n0 + 2 * w; i++)
    for (int j = 0; j < n1 + 2 * w; j++) CHECK(h(i, j) == cell(i, j) / 4.0 && q(i, 0, j) == 2 * cell(i, j) && q(i, 1, j) == 2 * cell(i, j) + 1);

  const auto split = ghosts.split<portable::c::Bounds<2>>();
  const auto visit = [=](int i, int j) { visits(i, j, 0)++; };
  portable::parallel_for("inner", split.inner, visit);
  for (const auto &box : split.rim) portable::parallel_for("rim", box, visit);
  for (int i = 0; i < n0; i++)
    for (int j = 0; j < n1; j++) CHECK(visits(i, j, 0) == 1);

  try {
    state.add("late", h);
    moved.add("late", h);
    CHECK(!"a field after the first exchange");
  } catch (const portable::Error &e) {
    CHECK(std::strstr(e.what(), "late"));
  }
  try {
    portable::Halo::box("wrong", MPI_COMM_WORLD, {nx, ny}, {w});
    CHECK(!"one width for two dimensions");
  } catch (const portable::Error &e) {
    CHECK(e.status() == PORTABLE_ERR_ARG);
  }
}

static void check_lists() {
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::int32_t neighbour[2] = {(rank + 1) % ranks, (rank + ranks - 1) % ranks}; /* the next rank gets cell 0, which the one before sends */
  const std::int64_t send_row[3] = {0, 1, 1}, recv_row[3] = {0, 0, 1}, send[1] = {0}, receive[1] = {1}, both[2] = {0, 1};
  portable_halo_lists_options o = PORTABLE_HALO_LISTS_OPTIONS_INIT;
  o.neighbours = ranks > 2 ? 2 : 1;
  o.neighbour = neighbour;
  o.send_row = ranks > 2 ? send_row : both;
  o.recv_row = ranks > 2 ? recv_row : both;
  o.send_index = send;
  o.recv_index = receive;
  const portable::Halo around = portable::Halo::lists("around", MPI_COMM_WORLD, o);
  float cells[2] = {static_cast<float>(rank), -1};
  const std::int64_t two = 2;
  portable_array array;
  portable::Fields state;
  portable::check(portable_array_wrap("cells", PORTABLE_KIND_REAL32, 0, cells, 1, &two, nullptr, nullptr, &array));
  state.add("cells", array);
  around.begin(state);
  around.end(state);
  CHECK(cells[1] == static_cast<float>((rank + ranks - 1) % ranks));
  around.add(state);
  CHECK(cells[0] == static_cast<float>(2 * rank)); /* its copy on the next rank has come back */
}

// All particles go to the last rank, which has room for them or not.
static void check_particles() {
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  portable::Array<double, 2, portable::memHost, portable::styleC> x("x", 2 * ranks, 3);
  const std::vector<std::int32_t> owner(static_cast<std::size_t>(2 * ranks + 1), ranks - 1);
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 3; k++) x(i, k) = 10 * rank + 3 * i + k;
  portable::Fields beam;
  beam.add("x", x);
  const bool last = rank == ranks - 1;
  CHECK(portable::particles_migrate("beam", MPI_COMM_WORLD, owner.data(), 2, beam) == (last ? 2 * ranks : 0));
  for (int i = 0; i < 2 * ranks && last; i++)
    for (int k = 0; k < 3; k++) CHECK(x(i, k) == 10 * (i < 2 ? rank : i / 2 - 1) + 3 * (i % 2) + k);
  try {
    portable::particles_migrate("beam", MPI_COMM_WORLD, owner.data(), last ? 2 * ranks + 1 : 0, beam);
    CHECK(!"more particles than places");
  } catch (const portable::Error &e) {
    CHECK(std::strstr(e.what(), last ? "extent 1 of field 1 'x'" : "another rank"));
  }
}

// Particles at a distance of 1 on a line of ranks: each needs one of each neighbour. The halo ends with its object.
static void check_ghosts() {
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  portable::Array<float, 1, portable::memHost, portable::styleC> x("x", 6);
  for (int i = 0; i < 4; i++) x(i) = static_cast<float>(4 * rank + i);
  portable::Fields state;
  state.add("x", x);
  portable::Halo near;
  portable_ghosts_options options = PORTABLE_GHOSTS_OPTIONS_INIT;
  for (int again = 0; again < 2; again++) {
    const std::int64_t all = portable::particles_ghosts<float>("near", MPI_COMM_WORLD, {x.data()}, 4, 1.5, options, state, near);
    CHECK(all == 4 + (rank > 0) + (rank < ranks - 1) && near);
    for (std::int64_t i = 4; i < all; i++) CHECK(x(static_cast<int>(i)) == static_cast<float>(i == 4 && rank > 0 ? 4 * rank - 1 : 4 * rank + 4));
  }
  try {
    x(1) = NAN;
    portable::particles_ghosts<float>("near", MPI_COMM_WORLD, {x.data()}, 4, 1.5, options, state, near);
    CHECK(!"a particle without a place");
  } catch (const portable::Error &e) {
    CHECK(std::strstr(e.what(), "coordinate 1 of particle 2 of 4 on rank"));
  }
  CHECK(near);
  x(1) = static_cast<float>(4 * rank + 1);
  const auto refused = [&](auto &&call, const char *text) {
    try {
      call();
      std::printf("no exception; expected '%s'\n", text);
      failures++;
    } catch (const portable::Error &e) {
      CHECK(std::strstr(e.what(), text));
    }
  };
#define GHOSTS(count, cutoff, halo) [&] { portable::particles_ghosts<float>("near", MPI_COMM_WORLD, {x.data()}, count, cutoff, options, state, halo); }
  portable::Halo none;
  refused(GHOSTS(-1, 1.5, none), "count is below 0");
  refused(GHOSTS(4, 0, none), "cutoff is 0; it is above 0 and finite");
  refused(GHOSTS(4, INFINITY, none), "cutoff is inf");
  options.periodic[0] = 1;
  options.high[0] = static_cast<double>(4 * ranks);
  refused(GHOSTS(4, 4 * ranks + 1, none), "dimension 1 is periodic and reaches from 0 to");
  x(2) = -1;
  refused(GHOSTS(4, 1.5, none), "coordinate 1 of particle 3 of 4 on rank");
  x(2) = static_cast<float>(4 * rank + 2);
  refused([&] { portable::particles_ghosts<float>("near", MPI_COMM_WORLD, {}, 4, 1.5, options, state, none); }, "rank is 0; it is 1 to 3");
  refused([&] { portable::particles_ghosts<float>("near", MPI_COMM_WORLD, {nullptr}, 4, 1.5, options, state, none); }, "position of dimension 1 is NULL");
  CHECK(!none);
  GHOSTS(4, 1.5, none)(); /* one rank of a periodic box has no ghost: cell_list_build takes the shorter way */
  CHECK(none && portable::particles_ghosts<float>("near", MPI_COMM_WORLD, {x.data()}, 4, 1.5, options, state, none) == 4 + (ranks > 1 ? 2 : 0));
#undef GHOSTS
}

// Objects that end between begin and end, as after an exception: halo first, fields first; the next exchange is right. Blocks that are left would be
// told by the end of the library.
static void check_unwound() {
  for (int fields_first = 0; fields_first < 2; fields_first++) {
    portable::Halo ghosts = portable::Halo::box("ghosts", MPI_COMM_WORLD, {12}, {1}, {1});
    const auto own = ghosts.own();
    const int n = static_cast<int>(own.second[0] - own.first[0]) + 1;
    portable::Array<double, 1, portable::memHost, portable::styleC> h("h", n + 2);
    try {
      portable::Halo inside = fields_first ? portable::Halo() : portable::Halo::box("inside", MPI_COMM_WORLD, {12}, {1}, {1});
      portable::Fields state;
      state.add("h", h);
      portable::Halo last;
      if (!fields_first) last = std::move(inside);
      (fields_first ? ghosts : last).begin(state);
      throw 1;
    } catch (int) {
    }
    portable::Fields state;
    state.add("h", h);
    for (int i = 0; i < n; i++) h(i + 1) = static_cast<double>(own.first[0] + i);
    ghosts.begin(state);
    ghosts.end(state);
    CHECK(h(0) == static_cast<double>((own.first[0] + 11) % 12) && h(n + 1) == static_cast<double>((own.second[0] + 1) % 12));
    ghosts.begin(state);
    ghosts.cancel();
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  portable_init(nullptr);
  try {
    check_box();
    check_lists();
    check_particles();
    check_ghosts();
    check_unwound();
    portable_stats stats;
    portable_pool pool;
    stats.struct_size = sizeof stats;
    portable::check(portable_pool_default(&pool));
    portable::check(portable_pool_stats(pool, &stats));
    CHECK(stats.in_use_blocks == 0);
  } catch (const portable::Error &e) {
    std::printf("%s\n", e.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  portable_finalize();
  MPI_Finalize();
  return failures != 0;
}
