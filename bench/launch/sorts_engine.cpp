// sorts_engine.cpp - the sort of one library: ours, or one of Debian. Compiled once for each, with
// ENGINE_... defined. Not in this file: the keys and the clock (sorts_main.cpp).
#include "sorts.h"

#if defined(ENGINE_portable)
#include <portable.hpp>
void start() { portable::check(portable_init(nullptr)); }
template <class T> static void run(T *keys, std::size_t n) { portable::sort("sort", keys, static_cast<std::int64_t>(n)); }
#elif defined(ENGINE_std)
#include <algorithm>
void start() {}
template <class T> static void run(T *keys, std::size_t n) { std::sort(keys, keys + n); }
#elif defined(ENGINE_par)
#include <algorithm>
#include <execution>
void start() {}
template <class T> static void run(T *keys, std::size_t n) { std::stable_sort(std::execution::par, keys, keys + n); }
#elif defined(ENGINE_gnu)
#include <parallel/algorithm>
void start() {}
template <class T> static void run(T *keys, std::size_t n) { __gnu_parallel::sort(keys, keys + n); }
#elif defined(ENGINE_spread)
#include <boost/sort/spreadsort/spreadsort.hpp>
void start() {}
template <class T> static void run(T *keys, std::size_t n) { boost::sort::spreadsort::spreadsort(keys, keys + n); }
#elif defined(ENGINE_block)
#include <boost/sort/sort.hpp>
void start() {}
template <class T> static void run(T *keys, std::size_t n) { boost::sort::block_indirect_sort(keys, keys + n); }
#elif defined(ENGINE_stable)
#include <boost/sort/sort.hpp>
void start() {}
template <class T> static void run(T *keys, std::size_t n) { boost::sort::parallel_stable_sort(keys, keys + n); }
#endif

void sort(std::int32_t *keys, std::size_t n) { run(keys, n); }
void sort(std::int64_t *keys, std::size_t n) { run(keys, n); }
void sort(double *keys, std::size_t n) { run(keys, n); }
