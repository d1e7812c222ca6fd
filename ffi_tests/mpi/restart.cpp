// restart.cpp - restart files from C++: restart write|read FILE on any number of ranks; errors are exceptions. Not in this file: all
// kinds and what is refused (restart.c, restart_refused.c).
#include <portable_hdf5.hpp>
#include <portable_arrays.hpp>

#include <cstdio>
#include <cstring>

static int failures;
#define CHECK(condition) \
  do { \
    if (!(condition)) failures++, std::printf("%s:%d: CHECK(%s)\n", __FILE__, __LINE__, #condition); \
  } while (0)

static void visit(const char *action, const std::string &file) {
  constexpr int nx = 12, ny = 10, w = 2;
  portable::Halo ghosts = portable::Halo::box("ghosts", MPI_COMM_WORLD, {nx, ny}, {w, w});
  const auto own = ghosts.own();
  const int n0 = static_cast<int>(own.second[0] - own.first[0]) + 1, n1 = static_cast<int>(own.second[1] - own.first[1]) + 1;
  portable::Array<double, 2, portable::memHost, portable::styleC> h("h", n0 + 2 * w, n1 + 2 * w);
  portable::Fields state;
  state.add("h", h);
  const auto cell = [&](int i, int j) { return static_cast<double>((own.first[0] + i) * ny + own.first[1] + j) / 3; };
  h = -1;
  if (!std::strcmp(action, "write")) {
    for (int i = 0; i < n0; i++)
      for (int j = 0; j < n1; j++) h(i + w, j + w) = cell(i, j);
    portable::restart_write(MPI_COMM_WORLD, file, state, ghosts);
    portable::restart_write(MPI_COMM_WORLD, file, state, ghosts, {0.1, 1LL << 40, {2, 3}});
    return;
  }
  const portable::RestartNumbers numbers = portable::restart_read(MPI_COMM_WORLD, file, state, ghosts, 2);
  CHECK(numbers.time == 0.1 && numbers.step == 1LL << 40 && numbers.values[0] == 2 && numbers.values[1] == 3);
  for (int i = 0; i < n0; i++)
    for (int j = 0; j < n1; j++) CHECK(h(i + w, j + w) == cell(i, j));
  CHECK(h(0, 0) == -1 && h(n0 + 2 * w - 1, n1 + 2 * w - 1) == -1);
  CHECK(portable::restart_read(MPI_COMM_WORLD, file, state, ghosts).values.empty());
  try {
    portable::restart_read(MPI_COMM_WORLD, file + ".other", state, ghosts);
    CHECK(!"a file that does not exist");
  } catch (const portable::Error &e) {
    CHECK(e.status() == PORTABLE_ERR_ARG && std::strstr(e.what(), "no such file"));
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  portable::check(portable_init(nullptr));
  try {
    if (argc > 2) visit(argv[1], argv[2]);
  } catch (const portable::Error &e) {
    failures++;
    std::puts(e.what());
  }
  portable::check(portable_finalize());
  MPI_Finalize();
  return failures > 0;
}
