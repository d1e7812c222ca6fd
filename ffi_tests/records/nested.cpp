// nested.cpp - structures with arrays, vectors and structures inside: copied to the device by one assignment, read and changed by kernels there, copied back;
// and whole objects in managed memory. Run on each device of the host, and with the fake driver, where the device has memory of its own and the
// kernels are the CUDA C below: a level that was forgotten ends the program there. Not in this file: what does not compile (not_compiled.sh).
#include "check.hpp"

#include <array>
#include <random>
#include <vector>

using portable::Array;
using portable::device_copy;
using portable::device_ptr;
using portable::memDevice;
using portable::memHost;
using portable::memKernel;
using portable::styleFortran;
using portable::Vector;

namespace {

template <int memory> struct Cell {
  Vector<int, memory> faces;
  Array<float, 1, memory> weight;
  double area = 0;
  auto fields() { return std::tie(faces, weight, area); }
};

struct Point {
  double x, y;
};

template <int memory> struct Mesh : portable::mirrored<Mesh, memory> {
  using portable::mirrored<Mesh, memory>::operator=;
  Array<double, 2, memory, styleFortran> h;
  Array<double, 1, memory> never;
  Vector<Cell<memory>, memory> cells;
  Vector<Vector<short, memory>, memory> rings;
  std::array<Cell<memory>, 2> ends;
  Vector<Point, memory> points, none;
  double dx = 0;
  int w[3] = {};
  portable::host_only<std::string, memory> name;
  auto fields() { return std::tie(h, never, cells, rings, ends, points, none, dx, w); }
};

// The same bytes in CUDA C, and what both versions of the kernels do.
const char source[] = R"(#include <portable_device.h>
template <class T> struct span { T *data; int64_t size; };
struct cell { span<int> faces; portable_view<float, 1, PORTABLE_ORDER_C> weight; double area; };
struct point { double x, y; };
struct mesh {
  portable_view<double, 2, PORTABLE_ORDER_FORTRAN> h;
  portable_view<double, 1, PORTABLE_ORDER_C> never;
  span<cell> cells; span<span<short> > rings; cell ends[2]; span<point> points, none; double dx; int w[3];
};
struct visit_args { mesh m; mesh *there; double *sums; };
PORTABLE_KERNEL(visit, visit_args, a) {
  PORTABLE_FOR_1(i) {
    const cell *c = i < a->m.cells.size ? &a->m.cells.data[i] : &a->m.ends[i - a->m.cells.size];
    double sum = c->area + a->m.w[i % 3] + (a->m.never.data || a->m.none.size ? 1000 : 0);
    for (int64_t k = 0; k < c->faces.size; k++) sum += c->faces.data[k]++;
    for (int64_t k = 0; k < c->weight.extent(1); k++) sum += c->weight(k);
    for (int64_t k = 0; k < a->m.rings.data[i % a->m.rings.size].size; k++) sum += a->m.rings.data[i % a->m.rings.size].data[k];
    if (i < a->m.points.size) sum += (a->m.points.data[i].x += 1) * a->m.h(i % 5 - 1, 3);
    if (i < a->m.cells.size) a->m.cells.data[i].area = sum;
    if (i == 0) a->there->dx = 2 * a->m.dx;
    a->sums[i] = sum;
  }
}
struct spoil_args { mesh *there; int64_t how; };
PORTABLE_KERNEL(spoil, spoil_args, a) {
  PORTABLE_FOR_1(i) {
    if (a->how == 0) a->there->cells.data[i].faces.size = 1 << 30;
    if (a->how == 1) a->there->cells.data[i].faces.size = -1;
    if (a->how == 2) a->there->points.data = 0;
  }
}
struct shared_cell { int *data; size_t size, capacity; uint64_t pool; uint64_t run; const char *label; };
struct shared { shared_cell list, rows; double sum; };
struct sum_args { shared *s; };
PORTABLE_KERNEL(sum, sum_args, a) {
  PORTABLE_FOR_1(i) {
    for (size_t k = 0; k < a->s->list.size; k++) a->s->sum += a->s->list.data[k];
    for (size_t r = 0; r < a->s->rows.size; r++) {
      shared_cell *row = (shared_cell *)a->s->rows.data + r;
      for (size_t k = 0; k < row->size; k++) a->s->sum += 100 * row->data[k]++;
    }
  }
}
)";

template <class M, class C> double look(const M &m, const C &c, int i) {
  double sum = c.area + m.w[i % 3] + (m.never.initialized() || m.none.size() ? 1000 : 0);
  for (int &f : c.faces) sum += f++;
  for (int k = 0; k < c.weight.extent(0); k++) sum += static_cast<double>(c.weight(k));
  for (const short r : m.rings[i % static_cast<int>(m.rings.size())]) sum += r;
  return sum;
}

const auto visit = [](int i, const Mesh<memKernel> &m, Mesh<memKernel> *there, double *sums) {
  const auto n = static_cast<int>(m.cells.size());
  double sum = look(m, i < n ? m.cells[i] : m.ends[static_cast<std::size_t>(i - n)], i);
  if (i < m.points.size()) sum += (m.points[i].x += 1) * m.h(i % 5 - 1, 3);
  if (i < n) m.cells[i].area = sum;
  if (i == 0) there->dx = 2 * m.dx;
  sums[i] = sum;
};

void fill(Mesh<memHost> &m, unsigned seed, int cells, int large) {
  std::mt19937 random(seed);
  const auto some = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n + 1)); };
  const auto cell = [&](Cell<memHost> &c) {
    c.faces.resize(static_cast<std::size_t>(some(9)));
    for (int &f : c.faces) f = some(100);
    c.weight = Array<float, 1>("weight", some(3));
    for (float &w : c.weight) w = static_cast<float>(some(8));
    c.area = some(50);
  };
  m.h = Array<double, 2, memHost, styleFortran>("h", {-1, large}, {3, 5});
  for (double &x : m.h) x = some(9);
  m.cells.resize(static_cast<std::size_t>(cells));
  for (auto &c : m.cells) cell(c);
  for (auto &c : m.ends) cell(c);
  m.rings.assign(static_cast<std::size_t>(1 + some(4)), {});
  for (auto &r : m.rings) r.assign(static_cast<std::size_t>(some(5)), static_cast<short>(some(7)));
  m.points.assign(static_cast<std::size_t>(some(large)), Point{static_cast<double>(some(3)), 2});
  m.dx = 1 + some(10);
  for (int &w : m.w) w = some(5);
}

bool same(const Cell<memHost> &a, const Cell<memHost> &b) { return a.faces == b.faces && equal(a.weight, b.weight) && !(a.area < b.area) && !(b.area < a.area); }
bool same(const Mesh<memHost> &a, const Mesh<memHost> &b) {
  bool good = equal(a.h, b.h) && a.h.lower_bound(0) == b.h.lower_bound(0) && a.h.lower_bound(1) == b.h.lower_bound(1) && !a.never.initialized() &&
              !b.never.initialized() && a.rings == b.rings && a.cells.size() == b.cells.size() && a.points.size() == b.points.size() && b.none.empty() &&
              !(a.dx < b.dx) && !(b.dx < a.dx) && std::memcmp(a.w, b.w, sizeof a.w) == 0 && same(a.ends[0], b.ends[0]) && same(a.ends[1], b.ends[1]);
  for (std::size_t i = 0; good && i < a.cells.size(); i++) good = same(a.cells[i], b.cells[i]);
  for (std::size_t i = 0; good && i < a.points.size(); i++) good = std::memcmp(&a.points[i], &b.points[i], sizeof a.points[i]) == 0;
  return good;
}

// The way there and back, and what a kernel does on the way, against the same done on the host. Large ones have arrays that are copied one by one.
void test_copies() {
  portable::Kernel kernel("visit", portable::CudaCode::source(source));
  for (unsigned seed = 0; seed < 12; seed++) {
    const int cells = seed == 0 ? 0 : static_cast<int>(seed * seed), n = cells + 2;
    Mesh<memHost> mesh, back;
    fill(mesh, seed, cells, seed < 8 ? 9 : 9000);
    mesh.name = "kept";
    const auto device = portable::createDeviceCopy(mesh, "mesh");
    back.name = "this, too";
    back = device;
    CHECK(same(mesh, back) && back.name == "this, too");

    Array<double, 1, memDevice> sums("sums", n);
    kernel.launch(portable::c::Bounds<1>(n), visit, device, device.address(), device_ptr<double>(sums));
    portable::fence();
    const auto got = sums.createHostCopy();
    bool good = true;
    for (int i = 0; i < n; i++) {
      auto &c = i < cells ? mesh.cells[static_cast<std::size_t>(i)] : mesh.ends[static_cast<std::size_t>(i - cells)];
      double sum = c.area + mesh.w[i % 3];
      for (int &f : c.faces) sum += f++;
      for (const float w : c.weight) sum += static_cast<double>(w);
      for (const short r : mesh.rings[static_cast<std::size_t>(i) % mesh.rings.size()]) sum += r;
      if (i < static_cast<int>(mesh.points.size())) sum += (mesh.points[static_cast<std::size_t>(i)].x += 1) * mesh.h(i % 5 - 1, 3);
      if (i < cells) c.area = sum;
      good = good && got(i) == sum;
    }
    mesh.dx *= 2;
    CHECK(good);
    const double *const kept = back.h.data();
    device.copy_to(back);
    CHECK(same(mesh, back) && back.h.data() == kept && std::string(back.h.label()) == "mesh");
  }
}

// One block, shared by copies; in place where no size has changed.
void test_ownership() {
  const std::uint64_t before = checks::blocks();
  Mesh<memHost> mesh, back;
  fill(mesh, 3, 50, 9);
  const bool own = portable_space_of_device(0) >= PORTABLE_SPACE_DEVICE(0); // whose blocks are in another pool
  const std::uint64_t host = checks::blocks();
  {
    device_copy<Mesh<memKernel>> device("mesh"), other = device;
    CHECK(!device && device.size_bytes() == 0);
    CHECK(checks::has(checks::error_of([&] { device.copy_to(mesh); }), "device_copy 'mesh': copy_to of a copy that has nothing yet"));
    CHECK(checks::has(checks::error_of([&] { device.view(); }), "view of a copy that has nothing yet"));
    device = mesh;
    CHECK(device && other && other.address() == device.address() && checks::blocks() == host + (own ? 0 : 1));
    const auto first = device.address();
    mesh.dx = 77;
    mesh.cells[7].faces.assign(mesh.cells[7].faces.size(), -4);
    other = mesh;
    CHECK(device.address() == first);
    back = device;
    CHECK(same(mesh, back));
    fill(mesh, 4, 60, 9);
    device = mesh;
    const auto moved = std::move(device); // a copy, as any
    other.copy_to(back);
    CHECK(same(mesh, back) && moved.address() == device.address());
  }
  mesh = back = Mesh<memHost>();
  CHECK(checks::blocks() == before);
}

// Sizes and addresses that a kernel has changed are not followed.
void test_spoilt() {
  portable::Kernel kernel("spoil", portable::CudaCode::source(source));
  const auto spoil = [](int i, Mesh<memKernel> *there, std::int64_t how) {
    using Faces = portable::device_span<int>;
    if (how < 2) there->cells[i].faces = Faces(there->cells[i].faces.data(), how == 0 ? 1 << 30 : -1);
    if (how == 2) there->points = portable::device_span<Point>(nullptr, there->points.size());
  };
  for (std::int64_t how = 0; how < 3; how++) {
    Mesh<memHost> mesh;
    fill(mesh, 5, 20, 9);
    device_copy<Mesh<memKernel>> device(mesh, "spoilt");
    kernel.launch(portable::c::Bounds<1>(1), spoil, device.address(), how);
    portable::fence();
    CHECK(checks::has(checks::error_of([&] { device.copy_to(mesh); }), "device_copy 'spoilt': a member's address or its size"));
  }
}

// Two structures that match, written by hand, and the macro's lambda, where kernels are host code and reach the copy.
struct Legacy {
  std::vector<double, portable::pool_allocator<double>> x;
  int first = 1, last = 2;
  auto fields() { return std::tie(x, last); }
};
struct LegacyInKernels {
  portable::device_span<const double> x;
  int last;
  auto fields() { return std::tie(x, last); }
};
template <int memory> struct Lists : portable::mirrored<Lists, memory> {
  using portable::mirrored<Lists, memory>::operator=;
  Vector<double, memory> a, b;
  auto fields() { return std::tie(a, b); }
};
void test_pairs() {
  Legacy legacy, back;
  legacy.x = {1, 2, 3};
  legacy.last = 5;
  back.first = 9;
  const device_copy<LegacyInKernels> device = legacy;
  device.copy_to(back);
  CHECK(back.x == legacy.x && back.last == 5 && back.first == 9);
  if (portable_reach(device.address().get()) == PORTABLE_REACH_HOST) {
    const auto v = device.view();
    Array<double, 1> out("out", 3);
    parallel_for("lambda", portable::c::Bounds<1>(3), PORTABLE_LAMBDA(int i) { out(i) = v.x[i] * v.last; });
    portable::device_parallel_for("arguments", portable::c::Bounds<1>(3), [](int i, const auto &c, double *o) { o[i] += c.x[i]; }, device,
                                  device_ptr<double>(out.data()));
    portable::fence();
    CHECK(out(2) > 17.5 && out(2) < 18.5);
    CHECK(checks::has(checks::error_of([&] { (void)v.x[3]; }), "device_span: index 1 of 1 is 3, outside of its bounds 0 to 2"));
    Mesh<memHost> mesh;
    fill(mesh, 1, 1, 9);
    const auto meshes = portable::createDeviceCopy(mesh);
    portable::Kernel("alone").launch(portable::c::Bounds<1>(1), [](int, const auto &h, double *o) { o[0] = h(9, 5); }, meshes.view().h,
                                     device_ptr<double>(out.data()));
    portable::fence();
    CHECK(out(0) >= mesh.h(9, 5) && out(0) <= mesh.h(9, 5));
    CHECK(checks::has(checks::error_of([&] { (void)meshes.view().h(-2, 3); }), "index 1 of 2 is -2, outside of its bounds -1 to 9"));
  }
  Lists<memHost> lists, again;
  Lists<memDevice> mirror;
  lists.a = {1, 2, 3, 4};
  mirror = lists;
  lists.a[0] = 8;
  again.b = {5};
  again = mirror;
  CHECK(again.a.size() == 4 && again.a[0] < 1.5 && again.b.empty());
}

// One pointer for host and kernels.
struct Shared {
  portable::managed_vector<int> list{"list"};
  portable::managed_vector<portable::managed_vector<int>> rows{"rows"};
  double sum;
  explicit Shared(double s) : sum(s) {
    if (s < 0) throw std::runtime_error("below 0");
  }
};
void test_managed() {
  const std::uint64_t before = checks::blocks();
  {
    auto s = portable::make_managed<Shared>("shared", 0.5);
    for (int i = 0; i < 100; i++) s->list.push_back(i);
    s->rows = std::vector<portable::managed_vector<int>>{{1, 2}, {}, {3, 4, 5}};
    portable::Kernel kernel("sum", portable::CudaCode::source(source));
    kernel.launch(portable::c::Bounds<1>(1), [](int, Shared *here) {
      for (const int x : here->list) here->sum += x;
      for (auto &row : here->rows)
        for (int &x : row) here->sum += 100 * x++;
    }, device_ptr<Shared>(s.get()));
    portable::fence();
    CHECK(s->sum > 6450 && s->sum < 6451 && s->rows[2][2] == 6 && s->rows[1].empty());
    auto copy = s->rows;
    copy[0][1] = 50;
    copy.emplace_back(copy[0]); // moves what it is made of
    copy.resize(7);
    CHECK(s->rows[0][1] == 3 && copy[3][1] == 50 && copy.size() == 7 && copy[6].empty() && s->list.capacity() >= 100);
    copy.resize(1);
    copy = std::move(s->rows);
    copy = *&copy;
    CHECK(copy.size() == 3 && s->rows.empty() && copy[2][0] == 4 && portable_reach(copy.data()) == PORTABLE_REACH_HOST);
    CHECK(checks::has(checks::error_of([&] { (void)copy[3]; }), "managed_vector 'rows': index 1 of 1 is 3, outside of its bounds 0 to 2"));
    bool thrown = false, out = false;
    try {
      portable::make_managed<Shared>("shared", -1.0);
    } catch (const std::runtime_error &) {
      thrown = true;
    }
    try {
      s->list.reserve(std::size_t{1} << 60);
    } catch (const std::bad_alloc &) {
      out = true;
    }
    CHECK(thrown && out && s->list.size() == 100);
  }
  CHECK(checks::blocks() == before);
}

} // namespace

int main() {
  // Objects that outlive the library free nothing, and say so where it is asked.
  auto late = std::make_unique<device_copy<LegacyInKernels>>("early copy");
  portable::managed_ptr<Shared> object;
  portable::managed_vector<int> list("early list");
  portable::check(portable_init(nullptr));
  Legacy legacy;
  *late = legacy;
  object = portable::make_managed<Shared>("early object", 1.0);
  list = std::vector<int>{1, 2, 3};
  const int blocks_left = portable_finalize();
  const int failed = checks::run([&] {
    CHECK(blocks_left == PORTABLE_OK || blocks_left == PORTABLE_ERR_LEAK);
    CHECK(checks::has(checks::error_of([&] { late->copy_to(legacy); }), "was made before the library was finalized"));
    CHECK(!*late);
    object.reset();
    list = portable::managed_vector<int>();
    test_copies();
    test_ownership();
    test_spoilt();
    test_pairs();
    test_managed();
    *late = legacy;
    late.reset();
  });
  return failed;
}
