// serialize.cpp - structures as bytes: round trips of random structures, buffers that were cut, changed or are of something else, and the bytes
// themselves, which must stay readable. Not in this file: copies to devices (nested.cpp); what does not compile (../arrays/not_compiled.sh).
#include "check.hpp"

#include <portable_serialize.hpp>

#include <random>

using portable::Array;
using portable::memHost;
using portable::styleFortran;

namespace {

enum class Side : short { left = -1, right = 1 };

struct Point {
  double x, y;
};

struct Cell {
  std::vector<int> faces;
  Array<float, 1> weight;
  std::string name;
  double area = 0;
  int unlisted = 7;
  auto fields() { return std::tie(faces, weight, name, area); }
};

struct Mesh {
  Array<double, 2, memHost, styleFortran> h;
  Array<double, 3> never;
  std::vector<Cell> cells;
  std::vector<std::vector<short>> rings;
  std::array<Cell, 2> ends;
  Cell pair[2];
  std::vector<Point> points, none;
  double dx = 0;
  int w[2][3] = {};
  bool wet = false;
  Side side = Side::left;
  std::string file = "unlisted";
  auto fields() { return std::tie(h, never, cells, rings, ends, pair, points, none, dx, w, wet, side); }
};

struct Sample {
  static constexpr std::uint64_t serial_version = 3;
  std::int32_t n = 0;
  std::vector<std::int16_t> list;
  Array<double, 1, memHost, styleFortran> a;
  auto fields() { return std::tie(n, list, a); }
};
struct Older : Sample {
  static constexpr std::uint64_t serial_version = 2;
  auto fields() { return std::tie(n, list, a); }
};

void fill(Mesh &m, std::mt19937 &random, int large) {
  const auto some = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n + 1)); };
  const auto cell = [&](Cell &c) {
    c.faces.resize(static_cast<std::size_t>(some(9)));
    for (int &f : c.faces) f = some(100);
    if (some(3) > 0) {
      c.weight = Array<float, 1>("weight", some(3));
      for (float &w : c.weight) w = static_cast<float>(some(8));
    }
    c.name.assign(static_cast<std::size_t>(some(20)), 'c');
    c.area = some(50);
  };
  m.h = Array<double, 2, memHost, styleFortran>("height", {-1, large}, {3, 5});
  for (double &x : m.h) x = some(9);
  m.cells.resize(static_cast<std::size_t>(some(20)));
  for (auto &c : m.cells) cell(c);
  for (auto &c : m.ends) cell(c);
  for (auto &c : m.pair) cell(c);
  m.rings.assign(static_cast<std::size_t>(some(4)), {});
  for (auto &r : m.rings) r.assign(static_cast<std::size_t>(some(5)), static_cast<short>(some(7)));
  m.points.assign(static_cast<std::size_t>(some(large)), Point{static_cast<double>(some(3)), 2});
  m.dx = 1 + some(10);
  for (auto &row : m.w)
    for (int &w : row) w = some(5);
  m.wet = some(1) == 1;
  m.side = some(1) == 1 ? Side::right : Side::left;
}

template <class T, int rank, int style> bool same(const Array<T, rank, memHost, style> &a, const Array<T, rank, memHost, style> &b) {
  if (!a.initialized() || !b.initialized()) return a.initialized() == b.initialized();
  for (int d = 0; d < rank; d++)
    if (a.extent(d) != b.extent(d) || a.lower_bound(d) != b.lower_bound(d)) return false;
  return std::strcmp(a.label(), b.label()) == 0 && (a.size() == 0 || std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(T)) == 0);
}
bool same(const Cell &a, const Cell &b) { return a.faces == b.faces && same(a.weight, b.weight) && a.name == b.name && std::memcmp(&a.area, &b.area, sizeof a.area) == 0; }
bool same(const Mesh &a, const Mesh &b) {
  bool good = same(a.h, b.h) && same(a.never, b.never) && a.cells.size() == b.cells.size() && a.rings == b.rings && a.points.size() == b.points.size() &&
              b.none.empty() && std::memcmp(&a.dx, &b.dx, sizeof a.dx) == 0 && std::memcmp(a.w, b.w, sizeof a.w) == 0 && a.wet == b.wet && a.side == b.side;
  for (std::size_t i = 0; good && i < a.cells.size(); i++) good = same(a.cells[i], b.cells[i]);
  for (std::size_t i = 0; good && i < 2; i++) good = same(a.ends[i], b.ends[i]) && same(a.pair[i], b.pair[i]);
  for (std::size_t i = 0; good && i < a.points.size(); i++) good = std::memcmp(&a.points[i], &b.points[i], sizeof(Point)) == 0;
  return good;
}

void test_round_trips() {
  std::mt19937 random(5);
  for (int round = 0; round < 60; round++) {
    Mesh mesh, back, other;
    fill(mesh, random, round < 55 ? 9 : 40000);
    fill(other, random, 9);
    other.file = back.file = "kept";
    other.ends[0].unlisted = 11;
    const auto before = other.h; // an old handle keeps the old array
    const double first = before(-1, 3);
    const auto buffer = portable::serialize(mesh);
    CHECK(buffer.size() == portable::serialized_size(mesh));
    CHECK(portable::deserialize(buffer, back) == buffer.size());
    CHECK(same(mesh, back) && back.file == "kept" && std::string(back.h.label()) == "height");
    CHECK(portable::deserialize(buffer, other) == buffer.size());
    CHECK(same(mesh, other) && other.file == "kept" && other.ends[0].unlisted == 11);
    CHECK(before.data() != other.h.data() && !(before(-1, 3) < first) && !(first < before(-1, 3)));
    CHECK(portable::serialize(back) == buffer);
  }
  Mesh empty, back;
  std::mt19937 again(6);
  fill(back, again, 9);
  portable::deserialize(portable::serialize(empty), back);
  CHECK(same(empty, back) && !back.h.initialized());
}

// Several structures behind one another, in memory that is not aligned.
void test_one_after_another() {
  std::mt19937 random(7);
  Mesh a, b, c, d;
  fill(a, random, 9);
  fill(b, random, 9);
  const std::size_t first = portable::serialized_size(a), second = portable::serialized_size(b);
  std::vector<unsigned char> all(1 + first + second);
  CHECK(portable::serialize(a, all.data() + 1, all.size() - 1) == first);
  CHECK(portable::serialize(b, all.data() + 1 + first, second) == second);
  CHECK(checks::has(checks::error_of([&] { portable::serialize(b, all.data(), second - 1); }),
                    ("serialize: the structure needs " + std::to_string(second) + " bytes, and the buffer has " + std::to_string(second - 1)).c_str()));
  const std::size_t used = portable::deserialize(all.data() + 1, all.size() - 1, c);
  CHECK(used == first && portable::deserialize(all.data() + 1 + used, all.size() - 1 - used, d) == second);
  CHECK(same(a, c) && same(b, d));
}

std::string refusal(const std::vector<unsigned char> &buffer) {
  std::mt19937 random(8);
  Mesh mesh;
  fill(mesh, random, 9);
  const auto was = portable::serialize(mesh);
  const std::string text = checks::error_of([&] { portable::deserialize(buffer, mesh); });
  if (!text.empty()) CHECK(portable::serialize(mesh) == was); // nothing was changed
  return text;
}

// Whatever was done to a buffer: an error that changes nothing, or a structure.
void test_damage() {
  std::mt19937 random(9);
  Mesh mesh;
  fill(mesh, random, 9);
  mesh.cells.resize(3);
  const auto good = portable::serialize(mesh);
  for (std::size_t n = 0; n < good.size(); n++) CHECK(!refusal({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(n)}).empty());
  for (int round = 0; round < 20000; round++) {
    auto bad = good;
    const int changes = 1 + static_cast<int>(random() % 3);
    for (int i = 0; i < changes; i++) {
      const std::size_t at = 40 + random() % (bad.size() - 40);
      switch (random() % 4) {
      case 0: bad[at] ^= static_cast<unsigned char>(1u << random() % 8); break;
      case 1: bad[at] = static_cast<unsigned char>(random()); break;
      case 2: std::fill(bad.begin() + static_cast<std::ptrdiff_t>(at), bad.begin() + static_cast<std::ptrdiff_t>(std::min(bad.size(), at + 8)), static_cast<unsigned char>(random() % 2 ? 255 : 0)); break;
      default: bad.erase(bad.begin() + static_cast<std::ptrdiff_t>(at)); break;
      }
    }
    refusal(bad);
  }
  std::vector<unsigned char> noise(300);
  for (int round = 0; round < 2000; round++) {
    for (unsigned char &x : noise) x = static_cast<unsigned char>(random());
    CHECK(!refusal(noise).empty());
  }
  // Lengths that are believable, but not those that were written, are found by their sum: the first extent of h, and back.
  auto bad = good;
  std::swap_ranges(bad.begin() + 40, bad.begin() + 48, bad.begin() + 56); // 3 by 11 becomes 11 by 3
  const std::string text = refusal(bad);
  CHECK(checks::has(text, "deserialize: the buffer is damaged"));
}

void test_refusals() {
  Mesh mesh;
  auto buffer = portable::serialize(mesh);
  const auto changed = [&](std::size_t at, unsigned char to) {
    auto b = buffer;
    b[at] = to;
    return refusal(b);
  };
  CHECK(checks::has(refusal({}), "deserialize: the buffer has 0 bytes, and what serialize writes has 40 at least"));
  CHECK(checks::has(checks::error_of([&] { portable::serialize(mesh, nullptr, buffer.size()); }), "serialize: the buffer is NULL; give "));
  CHECK(checks::has(checks::error_of([&] { portable::deserialize(nullptr, buffer.size(), mesh); }), "deserialize: the buffer is NULL"));
  CHECK(checks::has(changed(0, 'p'), "deserialize: the buffer was not written by portable::serialize, or not from its beginning"));
  CHECK(checks::has(changed(8, buffer[11]), "deserialize: the buffer was written on a machine of the other byte order"));
  CHECK(checks::has(changed(12, 2), "deserialize: the buffer has format 2, and this header reads format 1"));
  CHECK(checks::has(changed(16, static_cast<unsigned char>(~buffer[16])), "deserialize: the buffer holds another structure"));
  CHECK(checks::has(changed(24, static_cast<unsigned char>(buffer[24] + 1)), "deserialize: the buffer is cut off: it has "));
  CHECK(checks::has(changed(24, static_cast<unsigned char>(buffer[24] - 1)), "deserialize: the buffer is damaged: member 12 of fields(), or what is in it, "));
  CHECK(checks::has(changed(32, static_cast<unsigned char>(~buffer[32])), "deserialize: the buffer is damaged: a length or a bound is not as it was written"));
  CHECK(checks::has(changed(buffer.size() - 3, 2), "is a bool of the value 2"));
  Sample sample;
  Older older;
  CHECK(checks::has(checks::error_of([&] { portable::deserialize(portable::serialize(sample), older); }), "serial_version has changed since"));
  CHECK(checks::has(checks::error_of([&] { portable::deserialize(portable::serialize(sample), mesh); }), "the buffer holds another structure"));
}

// Both orders: elements come back at their indices, and an array of the other order is another type.
struct Orders {
  Array<int, 2> c;
  Array<int, 3, memHost, styleFortran> f;
  auto fields() { return std::tie(c, f); }
};
struct Exchanged {
  Array<int, 2, memHost, styleFortran> c;
  Array<int, 3> f;
  auto fields() { return std::tie(c, f); }
};
void test_orders() {
  Orders all, back;
  Exchanged other;
  all.c = Array<int, 2>("rows", 3, 5);
  all.f = Array<int, 3, memHost, styleFortran>("columns", {-1, 2}, {0, 1}, {7, 11});
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 5; j++) all.c(i, j) = 10 * i + j;
  for (int k = 7; k <= 11; k++)
    for (int j = 0; j <= 1; j++)
      for (int i = -1; i <= 2; i++) all.f(i, j, k) = 100 * k + 10 * j + i;
  const auto buffer = portable::serialize(all);
  portable::deserialize(buffer, back);
  CHECK(same(all.c, back.c) && same(all.f, back.f));
  CHECK(back.c(2, 1) == 21 && back.c(0, 4) == 4 && back.f(-1, 1, 8) == 809 && back.f(2, 0, 11) == 1102);
  CHECK(checks::has(checks::error_of([&] { portable::deserialize(buffer, other); }), "the buffer holds another structure"));
}

// Whatever the header has: an error that changes nothing.
void test_headers() {
  std::mt19937 random(10);
  Mesh mesh;
  fill(mesh, random, 9);
  const auto good = portable::serialize(mesh);
  for (std::size_t at = 0; at < 40; at++)
    for (unsigned value = 0; value < 256; value++) {
      auto bad = good;
      bad[at] = static_cast<unsigned char>(value);
      CHECK(refusal(bad).empty() == (bad == good));
    }
  for (int round = 0; round < 5000; round++) {
    auto bad = good;
    for (std::size_t at = random() % 40, end = at + 1 + random() % (40 - at); at < end; at++) bad[at] = static_cast<unsigned char>(random());
    CHECK(refusal(bad).empty() == (bad == good));
  }
}

// A plain structure has only a size, but for one with a version.
struct Wind {
  float speed, direction;
};
struct Turned {
  float direction, speed;
};
struct Dated {
  static constexpr std::uint64_t serial_version = 1;
  float direction, speed;
};
struct Counted { // a value of each, so no version
  int serial_version;
  float speed;
};
struct Gust { // the version of a member does not count
  Dated wind;
};
struct Squall {
  Turned wind;
};
template <class T> struct Station {
  std::vector<T> wind;
  auto fields() { return std::tie(wind); }
};
void test_plain() {
  static_assert(portable::serialized_type<Station<Wind>>() == portable::serialized_type<Station<Turned>>());
  static_assert(portable::serialized_type<Station<Wind>>() != portable::serialized_type<Station<Dated>>());
  static_assert(portable::serialized_type<Station<Wind>>() == portable::serialized_type<Station<Counted>>());
  static_assert(portable::serialized_type<Station<Gust>>() == portable::serialized_type<Station<Squall>>());
  Station<Wind> station;
  Station<Dated> dated, back;
  station.wind = {{7.5f, 270}};
  dated.wind = {{180, 2.5f}};
  CHECK(checks::has(checks::error_of([&] { portable::deserialize(portable::serialize(station), back); }), "serial_version has changed since"));
  portable::deserialize(portable::serialize(dated), back);
  CHECK(back.wind.size() == 1 && std::memcmp(&back.wind[0], &dated.wind[0], sizeof(Dated)) == 0);
}

// Old buffers must stay readable, and a type keeps its number.
void test_format() {
  static_assert(portable::serialized_type<Sample>() != portable::serialized_type<Older>());
  static_assert(portable::serialized_type<Mesh>() != portable::serialized_type<Cell>());
  Sample s, back;
  s.n = 5;
  s.list = {1, -2, 3};
  s.a = Array<double, 1, memHost, styleFortran>("a", {-1, 0});
  s.a = 1.0;
  const std::vector<unsigned char> expected = {
    'P', 'O', 'R', 'T', 'A', 'B', 'L', 'E', 4, 3, 2, 1, 1, 0, 0, 0, 41, 45, 7, 43, 146, 91, 147, 27, 99, 0, 0, 0, 0, 0, 0, 0, 253, 74, 210, 202, 124, 8, 32, 6,
    5, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 254, 255, 3, 0, 2, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255,
    1, 0, 0, 0, 0, 0, 0, 0, 'a', 0, 0, 0, 0, 0, 0, 240, 63, 0, 0, 0, 0, 0, 0, 240, 63};
  const auto got = portable::serialize(s);
  CHECK(got == expected);
  if (got != expected)
    for (std::size_t i = 0; i < got.size(); i++) std::printf("%u%s", got[i], i + 1 < got.size() ? " " : "\n");
  if (got != expected) return;
  portable::deserialize(expected, back);
  CHECK(back.n == 5 && back.list == s.list && same(back.a, s.a));
}

} // namespace

int main() {
  return checks::run([] {
    test_round_trips();
    test_one_after_another();
    test_damage();
    test_refusals();
    test_orders();
    test_headers();
    test_plain();
    test_format();
  });
}
