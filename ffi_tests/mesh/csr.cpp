// csr.cpp - rows and sums of rows from C++: owners that are moved, views in kernels, exceptions. Not in this file: large lists (csr.c, segmented.c).
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

int main() {
  portable_init(nullptr);
  rows<std::int32_t>();
  rows<std::int64_t>();
  CHECK(portable_finalize() == PORTABLE_OK);
  return checks::failures != 0;
}
