// histogram.cu - the kernel of histogram.f90 for devices: threads meet in the cells, so each update
// is an atomic one there too.
#include <portable_device.h>

struct histogram_args {
  portable_view<const double, 1> position, speed;
  portable_view<int32_t, 1> number;
  portable_view<double, 1> fastest, total;
  int32_t cells;
};

PORTABLE_KERNEL(histogram, histogram_args, a) {
  PORTABLE_FOR_1(p) {
    const int32_t cell = 1 + (int32_t)(a->position(p) * a->cells);
    portable_atomic_add_int32(&a->number(cell), 1);
    portable_atomic_max_real64(&a->fastest(cell), a->speed(p));
    portable_atomic_add_real64(&a->total(cell), a->speed(p));
  }
}
