// sorts.h - the functions of each engine of the sorts, one for each kind of keys.
#ifndef SORTS_H
#define SORTS_H

#include <cstddef>
#include <cstdint>

void start();
void sort(std::int32_t *keys, std::size_t n);
void sort(std::int64_t *keys, std::size_t n);
void sort(double *keys, std::size_t n);

#endif
