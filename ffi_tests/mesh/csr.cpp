// csr.cpp - rows, sums of rows and orders of arrays from C++: owners that are moved, views in kernels, exceptions. Not in this file: large lists (csr.c, segmented.c).
#include "check.hpp"

#include <portable_mesh.hpp>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

template <class T> static void rows() {
  const T cell_of_face[8] = {0, 1, 1, 2, 2, -1, 0, -1};
  const double flux[4] = {1, 2, 4, 8};
  double total[3] = {}, most[3] = {};
  portable::Csr<T> faces = portable::csr_build("faces", cell_of_face, 4, 2, 3), other;
  CHECK(faces.rows() == 3 && faces.entries() == 6);
  portable::segmented_sum("total", flux, 4, faces.row(), 3, total, static_cast<const T *>(faces.col()), faces.entries());
  CHECK(total[0] == 9 && total[1] == 3 && total[2] == 6);
  portable::segmented_max("most", flux, 4, faces.row(), 3, most, static_cast<const T *>(faces.col()), faces.entries());
  CHECK(most[0] == 8 && most[1] == 2 && most[2] == 4);
  portable::segmented_min("least", flux, 4, faces.row(), 3, most, static_cast<const T *>(faces.col()), faces.entries());
  CHECK(most[0] == 1 && most[1] == 1 && most[2] == 2);
  portable::segmented_product("product", flux, 4, faces.row(), 3, most, static_cast<const T *>(faces.col()), faces.entries());
  CHECK(most[0] == 8 && most[1] == 2 && most[2] == 8);
  const portable::CsrView<T> view = faces.view();
  std::vector<double> again(3);
  double *const out = again.data();
  portable::c::parallel_for("gather", 3, [=](int c) {
    out[c] = 0;
    for (std::int64_t k = view.begin(c); k < view.end(c); k++) out[c] += flux[view.col[k]];
  });
  portable::fence();
  CHECK(std::memcmp(out, total, sizeof total) == 0);
  other = std::move(faces);
  CHECK(faces.rows() == 0 && other.rows() == 3);
  const portable::Csr<T> cells = portable::csr_transpose("cells", other, 4);
  CHECK(cells.rows() == 4 && cells.entries() == 6 && cells.col()[cells.row()[1]] == 1 && cells.col()[cells.row()[1] + 1] == 2);
  const T counts[2] = {2, 3};
  CHECK(portable::csr_counts("list", counts, 2).entries() == 5);
  try {
    portable::csr_build("faces", cell_of_face, 4, 2, 2);
    CHECK(!"an exception");
  } catch (const portable::Error &e) {
    CHECK(std::string(e.what()).find("item 1 is in row 2") != std::string::npos);
  }
}

struct Charge {
  float value;
  char name[3];
};

// Arrays of several types in one new order, and back by the order of the order.
template <class Index> static void orders() {
  const int n = 1000;
  std::vector<double> x(n);
  std::vector<Charge> charge(n);
  std::vector<Index> order(n), back(n);
  for (int i = 0; i < n; i++) {
    order[i] = static_cast<Index>(i * 7 % n);
    back[order[i]] = static_cast<Index>(i);
    x[i] = i;
    charge[i] = {static_cast<float>(2 * i), "c"};
  }
  const Index *const numbers = order.data();
  portable::reorder("particles", numbers, n, x.data(), charge.data());
  int wrong = 0;
  for (int i = 0; i < n; i++) wrong += x[i] != static_cast<double>(order[i]) || charge[i].value != static_cast<float>(2 * order[i]) || charge[i].name[0] != 'c';
  CHECK(wrong == 0);
  portable_launch_config serial = PORTABLE_LAUNCH_CONFIG_INIT;
  CHECK(portable_device_find("serial", &serial.device) == PORTABLE_OK);
  portable::reorder("particles", &serial, back.data(), n, x.data(), charge.data());
  for (int i = 0; i < n; i++) wrong += x[i] != static_cast<double>(i) || charge[i].value != static_cast<float>(2 * i);
  CHECK(wrong == 0);
  order[5] = order[4];
  try {
    portable::reorder("particles", order.data(), n, x.data());
    CHECK(!"an exception");
  } catch (const portable::Error &e) {
    CHECK(e.status() == PORTABLE_ERR_ARG && std::string(e.what()).find("particles") != std::string::npos);
  }
  CHECK(x[5] == 5); // a refusal changes nothing
}

int main() {
  portable_init(nullptr);
  orders<std::int32_t>();
  orders<std::int64_t>();
  rows<std::int32_t>();
  rows<std::int64_t>();
  CHECK(portable_finalize() == PORTABLE_OK);
  return checks::failures != 0;
}
