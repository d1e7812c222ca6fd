// over_yakl.h - a header over YAKL as its own further headers are: it begins and ends with YAKL's macros, and lies in the namespace yakl.
#pragma once

#include "YAKL.h"

__YAKL_NAMESPACE_WRAPPER_BEGIN__
namespace yakl {

// Elements of an array, one after the other, in a file's order.
class Recorder {
public:
  template <class T, int rank, int mem, int style> void write(Array<T, rank, mem, style> const &a) {
    if (!a.initialized()) yakl_throw("Recorder: no elements");
    auto host = a.createHostCopy();
    for (index_t i = 0; i < host.totElems(); i++) values.push_back(static_cast<double>(host.myData[i]));
    for (int d = 0; d < rank; d++) sizes.push_back(a.dimension[d]);
  }
  template <class T, index_t n> YAKL_INLINE static T norm(SArray<T, 1, n> const &a) {
    T s = 0;
    for (index_t i = 0; i < n; i++) s += a(i) * a(i);
    return std::sqrt(s);
  }
  std::vector<double> values;
  std::list<index_t> sizes;
};

} // namespace yakl
__YAKL_NAMESPACE_WRAPPER_END__
