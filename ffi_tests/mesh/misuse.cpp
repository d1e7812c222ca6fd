// misuse.cpp - misuse of the classes of portable_mesh.hpp and portable_particles.hpp: each call throws an Error with the text of the C call, and objects stay
// as they were. Not in this file: each check of arguments (refused.c, particles_refused.c).
#include "check.hpp"

#include <portable_particles.hpp>

#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

// The call throws an Error of that status, whose text has the words.
template <class Call> static void refused(int line, Call &&call, portable_status status, const char *words) {
  try {
    call();
  } catch (const portable::Error &e) {
    if (e.status() == status && std::strstr(e.what(), words)) return;
    checks::failures++;
    std::printf("%s:%d: status %d, text '%s'; expected %d, '%s'\n", __FILE__, line, static_cast<int>(e.status()), e.what(), static_cast<int>(status), words);
    return;
  }
  checks::failures++;
  std::printf("%s:%d: no exception; expected '%s'\n", __FILE__, line, words);
}
#define REFUSED(call, status, words) refused(__LINE__, [&] { call; }, status, words)

template <class T> static void rows() {
  T owner[6] = {0, 1, 2, 0, 1, 2}, row[4] = {0, 2, 4, 6};
  double x[6] = {0, 1, 2, 3, 4, 5}, sums[3] = {7, 7, 7};
  const portable::Csr<T> before = portable::csr_build("faces", owner, 6, 1, 3);
  portable::Csr<T> faces = portable::csr_build("faces", owner, 6, 1, 3);
  REFUSED(faces = portable::csr_build("faces", owner, 6, 1, 2), PORTABLE_ERR_ARG, "csr_build 'faces': item 2 is in row 2");
  REFUSED(faces = portable::csr_build("faces", owner, -1, 1, 2), PORTABLE_ERR_ARG, "csr_build 'faces'");
  REFUSED(faces = portable::csr_transpose("cells", before, 5), PORTABLE_ERR_ARG, "'cells'");
  owner[3] = -2;
  REFUSED(faces = portable::csr_counts("list", owner, 6), PORTABLE_ERR_ARG, "csr_counts 'list': row 3 has -2 entries");
  CHECK(faces.rows() == 3 && faces.entries() == 6 && faces.row()[3] == 6);
  row[1] = 5;
  REFUSED(portable::segmented_sum("sums", x, 6, static_cast<const T *>(row), 3, sums), PORTABLE_ERR_ARG, "segmented_reduce 'sums': row 1 begins at 5 and the next one at 4");
  row[1] = 2;
  sums[0] = 7;
  REFUSED(portable::segmented_max("sums", x, 6, static_cast<const T *>(row), 3, x), PORTABLE_ERR_ARG, "result_out shares memory with data");
  REFUSED(portable::segmented_sum("sums", x, 6, static_cast<const T *>(row), 3, sums, static_cast<const T *>(owner), 6), PORTABLE_ERR_ARG, "index 3 is -2");
  CHECK(x[5] == 5);
}

static void cells() {
  const double x[4] = {0.1, 0.3, 0.5, 0.9};
  double moved[4] = {0.9, 0.3, 0.5, 0.1};
  portable::CellList c = portable::cell_list_build("cells", {x}, 4, 0.2, {0}, {1});
  std::int64_t runs[PORTABLE_CELL_RUNS][2];
  REFUSED(c.build("cells", {x}, 4, 0.2, {0}, {0.6}), PORTABLE_ERR_ARG, "cell_list_build 'cells': particle 3 is at 0.9, but the box is from 0 to 0.6");
  REFUSED(c.build("cells", {x}, 4, 0, {0}, {1}), PORTABLE_ERR_ARG, "cutoff is 0");
  REFUSED(c.build("cells", {x}, 4, 0.2, {0, 0}, {1}), PORTABLE_ERR_ARG, "position, low, high and periodic have as many elements");
  REFUSED(c.build("cells", {x}, 4, 0.2, {0}, {1}, {true, true}), PORTABLE_ERR_ARG, "position, low, high and periodic have as many elements");
  REFUSED(c.build("cells", {x, x, x, x}, 4, 0.2, {0, 0, 0, 0}, {1, 1, 1, 1}), PORTABLE_ERR_ARG, "1 to 3");
  CHECK(c.particles() == 4);
  REFUSED(portable::neighbour_list("list", c, {static_cast<const double *>(moved)}), PORTABLE_ERR_ARG, "particle 0 is no longer in the cell that it was in");
  REFUSED(portable::neighbour_list("list", c, {x, x}), PORTABLE_ERR_ARG, "position has an array for each dimension of the cells");
  REFUSED(portable::neighbour_list("list", c, {x}, false, 0.5), PORTABLE_ERR_ARG, "cutoff is 0.5");
  REFUSED(portable::neighbour_list("list", portable::CellList(), {x}), PORTABLE_ERR_ARG, "position has an array for each dimension of the cells");
  CHECK(portable_cells_around(&c.view(), 4, runs) == 0 && portable_cells_around(&c.view(), -1, runs) == 0);
  const portable::CellList taken = std::move(c); // the old owner is empty, and may be asked
  CHECK(taken.particles() == 4 && c.particles() == 0 && portable_cells_around(&c.view(), 0, runs) == 0);
}

static void merges_and_maps() {
  const std::int32_t a[3] = {1, 2, 3}, b[3] = {2, 1, 3};
  std::int32_t c[6] = {}, values[6] = {};
  REFUSED(portable::merge_sorted("m", a, 3, b, 3, c), PORTABLE_ERR_ARG, "merge_sorted 'm': element 1 of b, counted from 0, comes before the one in front of it");
  REFUSED(portable::merge_sorted("m", a, 3, static_cast<const std::int32_t *>(c), 3, c), PORTABLE_ERR_ARG, "the result shares memory with another argument");
  REFUSED(portable::merge_by_key("m", a, a, 3, b, b, -3, c, values), PORTABLE_ERR_ARG, "the count of elements of b is -3");
  REFUSED(portable::merge_by_key("m", a, a, 3, a, static_cast<const std::int32_t *>(values), 3, c, values), PORTABLE_ERR_ARG, "the result of values shares memory");
  portable::IndexMap<std::int32_t> map;
  std::int32_t keys[3] = {30, 10, 20};
  map.insert("m", keys, 3);
  REFUSED(map.insert("m", keys, -3), PORTABLE_ERR_ARG, "the count of keys is -3");
  REFUSED(map.insert("m", nullptr, 3), PORTABLE_ERR_ARG, "keys is NULL");
  REFUSED(map.find("m", keys, 3, nullptr), PORTABLE_ERR_ARG, "numbers_out is NULL");
  REFUSED(map.find("m", keys, 3, keys), PORTABLE_ERR_ARG, "map_find 'm': numbers_out shares memory with keys");
  REFUSED(map.insert("m", keys, std::numeric_limits<std::int64_t>::max()), PORTABLE_ERR_OVERFLOW, "map_insert 'm'");
  CHECK(map.size() == 3 && map.view().at(20) == 1 && map.view().at(21) == -1 && keys[0] == 30);
}

int main() {
  const double x[1] = {0.5};
  REFUSED(portable::cell_list_build("cells", {x}, 1, 0.1, {0}, {1}), PORTABLE_ERR_STATE, "the library does not run");
  portable_init(nullptr);
  rows<std::int32_t>();
  rows<std::int64_t>();
  cells();
  merges_and_maps();
  CHECK(portable_finalize() == PORTABLE_OK);
  return checks::failures != 0;
}
