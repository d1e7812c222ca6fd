// active_columns.cu - the kernels of active_columns.f90 for devices: columns are brought together,
// worked on and spread out by a list.
#include <portable_device.h>

typedef portable_view<double, 2, PORTABLE_ORDER_FORTRAN> field;

struct gather_args {
  field heat, water, some_heat, some_water;
  portable_view<const int32_t, 1> list;
};

PORTABLE_KERNEL(bring_together, gather_args, a) {
  PORTABLE_FOR_2(k, level) {
    a->some_heat(k, level) = a->heat(a->list(k), level);
    a->some_water(k, level) = a->water(a->list(k), level);
  }
}

PORTABLE_KERNEL(spread, gather_args, a) {
  PORTABLE_FOR_2(k, level) {
    a->heat(a->list(k), level) = a->some_heat(k, level);
    a->water(a->list(k), level) = a->some_water(k, level);
  }
}

struct rain_args {
  field some_heat, some_water;
  portable_view<double, 1> some_rain;
  int32_t levels;
};

PORTABLE_KERNEL(rain, rain_args, a) {
  PORTABLE_FOR_1(k) {
    for (int level = a->levels; level >= 1; level--) {
      double &heat = a->some_heat(k, level), &water = a->some_water(k, level);
      const double most = 0.5 + heat * (0.25 + 0.125 * heat), above = water - most;
      const double falling = 0.25 * (above > 0 ? above : 0.0);
      heat = heat + 0.5 * falling;
      water = water - falling;
      a->some_rain(k) = a->some_rain(k) + falling;
    }
  }
}
