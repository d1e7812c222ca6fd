// scan.h - functions of each engine for running sums, packing and lists of indices; scan_main.cpp
// times them.
#ifndef SCAN_H
#define SCAN_H

#include <cstdint>

void engine_start();
void engine_touch(void *memory, std::int64_t bytes); // first written by the engine's threads
void engine_scan(const double *x, std::int64_t n, double *out);
void engine_scan(const std::int32_t *x, std::int64_t n, std::int32_t *out);
std::int64_t engine_pack(const double *x, const std::int32_t *mask, std::int64_t n, double *out); // gives how many
std::int64_t engine_list(const std::int32_t *mask, std::int64_t n, std::int32_t *list);

#endif
