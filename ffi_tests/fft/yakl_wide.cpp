// yakl_wide.cpp - YAKL's RealFFT1D over more than 2^31 numbers: the last line is divided, too. The memory is one page range of zeros many times, and a
// last range of its own. Not in this file: other lines (yakl.cpp).
#include <YAKL_fft.h>

#include <sys/mman.h>
#include <unistd.h>

#include <cmath>

#include "check.hpp"

static const std::size_t range = std::size_t(1) << 22; // bytes

// So many ranges of memory, each of the same zeros but for the last one. NULL: there is none.
static float *ranges(std::size_t count) {
  const int file = memfd_create("zeros", 0);
  if (file < 0 || ftruncate(file, static_cast<off_t>(2 * range)) != 0) return nullptr;
  char *const at = static_cast<char *>(mmap(nullptr, count * range, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  if (at == MAP_FAILED) return nullptr;
  for (std::size_t i = 0; i < count; i++)
    if (mmap(at + i * range, range, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, static_cast<off_t>(i == count - 1 ? range : 0)) == MAP_FAILED) return nullptr;
  close(file);
  return static_cast<float *>(static_cast<void *>(at));
}

int main() {
  return checks::run([] {
    const std::size_t count = (std::size_t(1) << 33) / range + 1, n = 1022, lines = count * range / sizeof(float) / (n + 2);
    float *const data = ranges(count);
    CHECK(data != nullptr);
    if (!data) return;
    yakl::Array<float, 2, yakl::memDevice, yakl::styleC> array("wide", data, lines, n + 2);
    CHECK(array.totElems() > std::size_t(1) << 31);
    yakl::RealFFT1D<float> fft;
    fft.init(array, 1, static_cast<int>(n));
    float *const last = data + (lines - 1) * (n + 2);
    for (std::size_t i = 0; i < n; i++) last[i] = static_cast<float>(i % 7) - 3;
    fft.forward_real(array);
    CHECK(std::abs(last[0] - 0) < 8); // their sum
    fft.inverse_real(array);
    for (std::size_t i = 0; i < n; i++) CHECK(std::abs(last[i] - (static_cast<float>(i % 7) - 3)) < 1e-4f);
    CHECK(data[0] == 0.0f);
    munmap(data, count * range);
  });
}
