#!/bin/bash
# not_compiled.sh INCLUDE WORK: what compilers refuse of arrays in C++, and with which words. All cases are one source, a function each, without and
# with the statements that are wrong: it compiles without them, and with them there are errors at each of those lines. By each
# compiler found. Not in this file: what is refused when a program runs (refused.cpp).
set -eu
include=$1 work=$2 failed=0 tried=0
mkdir -p "$work"
words=() lines=()
cat >"$work/cases.cpp" <<'END'
#include <portable.hpp>
#include <portable_serialize.hpp>
using namespace portable;
struct Unlisted { std::vector<int> v; };
template <class M> struct Holds { M m; auto fields() { return std::tie(m); } };
template <class M> struct HoldsTwo { M m, n; auto fields() { return std::tie(m, n); } };
template <class K> using Copy = device_copy<Holds<K>>;
END

# refused WORDS 'GOOD@BAD': statements, and behind them one that is refused with these words (of one compiler or the other).
refused() {
  words+=("$1")
  printf 'void case%d() {\n  %s\n#ifdef WRONG\n  %s\n#endif\n}\n' "${#words[@]}" "${2%%@*}" "${2#*@}" >>"$work/cases.cpp"
  lines+=("$(($(wc -l <"$work/cases.cpp") - 2))")
}

refused 'as many indices as the Array has dimensions' 'Array<double, 2> a("a", 2, 3);@a(1) = 0;'
refused 'as many extents as the Array has dimensions' 'Array<double, 2> a;@Array<double, 2> b("b", 2, 3, 4);'
refused 'as many extents as the Array has dimensions' 'double x[4] = {};@Array<double, 2> b("b", x, 4);'
refused 'as many indices, or COLON' 'Array<double, 2> a("a", 2, 3);@a.slice<1>(1);'
refused 'no more than its Array' 'Array<double, 2> a("a", 2, 3);@a.slice<3>(1, COLON);'
refused 'Array has 1 to 8 dimensions' 'Array<double, 8> a;@Array<double, 9> b;'
refused 'has none of its own' 'Array<double, 1> a("a", 3); Array<const double, 1> c = a;@Array<const double, 1> d("d", 3);'
refused 'read-only\|const' 'Array<double, 1> a("a", 3); Array<const double, 1> c = a;@c(0) = 1;'
refused 'no constructors' 'Array<std::string, 1, memHost> a;@Array<std::string, 1, memDevice> b;'
refused 'deleted' 'Array<double, 1, memHost> h; Array<double, 1, memDevice> d;@d = h;'
refused 'a host array or address cannot be an argument of a device kernel' \
  'Array<double, 1, memHost> h("h", 3); auto d = h.createDeviceCopy(); device_parallel_for("k", c::Bounds<1>(3), [](int i, const auto &x) { x(i) = 0; }, d);@device_parallel_for("k", c::Bounds<1>(3), [](int i, const auto &x) { x(i) = 0; }, h);'
refused 'a plain pointer does not say where it is valid' \
  'Array<double, 1, memDevice> d("d", 3); device_parallel_for("k", c::Bounds<1>(3), [](int i, double *x) { x[i] = 0; }, device_ptr<double>(d));@double *x = d.data(); device_parallel_for("k", c::Bounds<1>(3), [](int i, double *y) { y[i] = 0; }, x);'
refused 'the kernel captures something' \
  'double a = 1; device_parallel_for("k", c::Bounds<1>(3), [](int, double) {}, a);@device_parallel_for("k", c::Bounds<1>(3), [=](int) { (void)a; });'
refused 'a host array or address cannot be an argument of a device kernel' \
  'Array<float, 1, memHost> h("h", 3); auto d = h.createDeviceCopy(); Kernel k("k"); k.launch(c::Bounds<1>(3), [](int i, const auto &x) { x(i) = 0; }, d);@Kernel wrong("k"); wrong.launch(c::Bounds<1>(3), [](int i, const auto &x) { x(i) = 0; }, Array<float, 1, memHost>("h", 3));'
refused 'deleted' 'Array<double, 2> a("a", 2, 3); StridedArray<double, 2> s = a;@Array<double, 2> b = s;'
refused 'as many parts or indices' 'Array<double, 2> a("a", 2, 3); section(a, 1, ALL);@section(a, ALL);'
refused 'operator() gives an element' 'Array<double, 1> a("a", 2);@section(a, 1);'
refused 'deleted' 'host_ptr<double> h; device_ptr<double> d;@d = h;'
refused 'host code does not follow an address of the device' 'Array<double, 1, memDevice> a("a", 3); device_ptr<double> d = a;@*d = 1;'
refused 'no match\|invalid operands' 'SArray<int, 1, 2> s(1), t(2); { using namespace portable::componentwise; s + t; }@s + t;'
refused 'more extents than dimensions' 'SArray<int, 1, 2> s;@SArray<int, 1, 2, 2> t;'
refused 'copy.*deleted\|deleted\|implicitly' 'unique_array<int> a("a", 3), b = std::move(a);@unique_array<int> c = b;'
refused 'lists its own members: auto fields' 'Copy<int> good = Holds<int>{1};@Copy<device_span<int>> bad = Holds<std::vector<Unlisted>>();'
refused 'does not say how many elements it has' 'Copy<double> good = Holds<double>{1};@Copy<double *> bad = Holds<double *>{nullptr};'
refused 'both fields() belong together' 'Copy<float> good = Holds<float>{1};@Copy<double> bad = Holds<int>{1};'
refused 'both structures lists the same members' 'Copy<short> good = Holds<short>{1};@Copy<long> bad = HoldsTwo<long>{1, 2};'
refused 'has no elements side by side' 'Copy<device_span<char>> good = Holds<std::vector<char>>();@Copy<device_span<bool>> bad = Holds<std::vector<bool>>();'
refused 'Vector<T, memKernel> and Array<T, rank, memKernel>' \
  'Copy<Array<double, 1, memKernel>> good = Holds<Array<double, 1>>();@Copy<Array<double, 1>> bad = Holds<Array<double, 1>>();'
refused 'does not say how many elements it has' 'serialize(Holds<double>{1});@serialize(Holds<double *>{nullptr});'
refused 'lists its own members: auto fields' 'serialize(Holds<std::vector<Holds<int>>>());@serialize(Holds<std::vector<Unlisted>>());'
refused 'lists its members: auto fields' 'serialize(Holds<int>{1});@serialize(1);'
refused 'has no elements side by side' 'serialize(Holds<std::vector<char>>());@serialize(Holds<std::vector<bool>>());'
refused 'are copied to the host first' 'serialize(Holds<Array<double, 1>>());@serialize(Holds<Array<double, 1, memDevice>>());'
refused 'which means nothing in another program' 'serialize(Holds<std::string>());@serialize(Holds<std::string_view>());'
refused 'which means nothing in another program' 'serialize(Holds<std::vector<int>>());@serialize(Holds<std::vector<device_span<int>>>());'
refused 'cannot be read back' 'serialize(Holds<Array<double, 2>>());@serialize(Holds<Array<const double, 2>>());'
refused 'cannot be copied back' \
  'Copy<Array<const double, 1, memKernel>> d; Holds<Array<double, 1>> h; d.copy_to(h);@Copy<Array<const double, 1, memKernel>> e; Holds<Array<const double, 1>> g; e.copy_to(g);'
refused 'are copied byte by byte, and written' 'device_vector<int> good;@device_vector<std::string> bad;'
refused 'are copied byte by byte, and written' 'device_vector<double> good;@device_vector<const double> bad;'
refused 'has no elements side by side' 'device_vector<char> good; good.to_vector();@device_vector<bool> bad; bad.to_vector();'

for compiler in g++ g++-11 clang++ clang++-16; do
  command -v "$compiler" >/dev/null || continue
  tried=$((tried + 1))
  case $compiler in clang*) all=-ferror-limit=0 ;; *) all=-fmax-errors=0 ;; esac
  "$compiler" -std=c++17 -I"$include" -fsyntax-only "$work/cases.cpp" || { echo "FAILED: $compiler refuses what is right"; failed=1; }
  if "$compiler" -std=c++17 $all -DWRONG -I"$include" -fsyntax-only "$work/cases.cpp" 2>"$work/text"; then echo "FAILED: $compiler accepts all"; failed=1; fi
  for k in "${!words[@]}"; do
    grep -q "cases.cpp:${lines[k]}:" "$work/text" || { echo "FAILED: $compiler accepts: $(sed -n "${lines[k]}p" "$work/cases.cpp")"; failed=1; }
    grep -q "error.*\(${words[k]}\)" "$work/text" || { echo "FAILED: $compiler does not say '${words[k]}'"; failed=1; }
  done
done
echo "${#words[@]} cases, $tried compilers"
[ "$tried" -gt 0 ] && [ $failed = 0 ]
