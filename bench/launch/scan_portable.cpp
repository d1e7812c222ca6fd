// scan_portable.cpp - scan.h by libportable.
#include "scan.h"

#include <portable.hpp>

void engine_start() { portable::check(portable_init(nullptr)); }

void engine_touch(void *memory, std::int64_t bytes) {
  char *p = static_cast<char *>(memory);
  portable::parallel_for(portable::c::Bounds<1, portable::Order::last_fastest, std::int64_t>(bytes), [=](std::int64_t i) { p[i] = 0; });
}

void engine_scan(const double *x, std::int64_t n, double *out) { portable::inclusive_scan("scan", x, n, out); }
void engine_scan(const std::int32_t *x, std::int64_t n, std::int32_t *out) { portable::inclusive_scan("scan", x, n, out); }

std::int64_t engine_pack(const double *x, const std::int32_t *mask, std::int64_t n, double *out) { return portable::pack("pack", x, mask, n, out, n); }

std::int64_t engine_list(const std::int32_t *mask, std::int64_t n, std::int32_t *list) {
  return portable::active_indices("list", mask, n, list, n);
}
