package cuda

import (
	"fmt"
	"sort"
	"strings"
)

// head stands in front of each function of the prelude.
const head = "template <class T> PORTABLE_FUNCTION "

// prelude are the functions that stand for Fortran's own, by name. bits is the number of bits of T; U has the size of T without a sign.
var prelude = map[string]string{
	"abs":  "T portable_f_abs(T a) { return a < 0 ? (T)-a : a; }",
	"sign": "T portable_f_sign(T a, T b) { T p = a < 0 ? (T)-a : a; return b < 0 ? (T)-p : p; }",
	"dim":  "T portable_f_dim(T a, T b) { return a <= b ? (T)0 : (T)(a - b); }",
	// The second of two that are equal or not ordered, as gfortran's instructions give at -O0 to -O2.
	"min": "T portable_f_min(T a, T b) { return a < b ? a : b; }",
	"max": "T portable_f_max(T a, T b) { return a > b ? a : b; }",
	"trips": "uint64_t portable_f_trips(T first, T last, T step) { if (step > 0 ? first > last : first < last) return 0; " +
		"return (step > 0 ? ((uint64_t)last - (uint64_t)first) / (uint64_t)step : " +
		"((uint64_t)first - (uint64_t)last) / (0 - (uint64_t)step)) + 1; }",
	"modulo": "T portable_f_modulo(T a, T p) { T r = (T)(a % p); return r != 0 && (r < 0) != (p < 0) ? (T)(r + p) : r; }",
	"modulo_of_reals": "T portable_f_modulo_of_reals(T a, T p) { const T r = (T)fmod(a, p); " +
		"return r != (T)0 ? (a < (T)0) != (p < (T)0) ? r + p : r : (T)copysign((T)0, p); }",
	"shiftl": "T portable_f_shiftl(T a, int32_t n) { return n >= (int32_t)sizeof(T) * 8 ? (T)0 : (T)((uint64_t)a << n); }",
	"shiftr": "T portable_f_shiftr(T a, int32_t n) { const int32_t bits = (int32_t)sizeof(T) * 8; " +
		"return n >= bits ? (T)0 : (T)(((uint64_t)a & (~(uint64_t)0 >> (64 - bits))) >> n); }",
	"shifta": "T portable_f_shifta(T a, int32_t n) { return n >= (int32_t)sizeof(T) * 8 ? (T)(a < 0 ? -1 : 0) : (T)(a >> n); }",
	"ishft":  "T portable_f_ishft(T a, int32_t n) { return n < 0 ? portable_f_shiftr<T>(a, -n) : portable_f_shiftl<T>(a, n); }",
	"ibits":  "T portable_f_ibits(T a, int32_t at, int32_t n) { return n == 0 ? (T)0 : (T)((uint64_t)(a >> at) & (~(uint64_t)0 >> (64 - n))); }",
	"ishftc": "T portable_f_ishftc(T a, int32_t n, int32_t size) { if (n < 0) n += size; if (n == 0 || n == size) return a; " +
		"const uint64_t mask = ~(uint64_t)0 >> (64 - size), low = (uint64_t)a & mask; " +
		"return (T)(((uint64_t)a & ~mask) | (((low << n) | (low >> (size - n))) & mask)); }",
	"popcnt": "int32_t portable_f_popcnt(T a) { uint64_t u = (uint64_t)a & (~(uint64_t)0 >> (64 - (int32_t)sizeof(T) * 8)); " +
		"int32_t n = 0; for (; u; u &= u - 1) n++; return n; }",
	"poppar": "int32_t portable_f_poppar(T a) { return portable_f_popcnt<T>(a) & 1; }",
	"leadz": "int32_t portable_f_leadz(T a) { const int32_t bits = (int32_t)sizeof(T) * 8; int32_t n = 0; " +
		"for (; n < bits && !(((uint64_t)a >> (bits - 1 - n)) & 1); n++) {} return n; }",
	"trailz": "int32_t portable_f_trailz(T a) { const int32_t bits = (int32_t)sizeof(T) * 8; int32_t n = 0; " +
		"for (; n < bits && !(((uint64_t)a >> n) & 1); n++) {} return n; }",
	"cabs": "T portable_f_cabs(portable_f_complex<T> z) { return (T)hypot(z.re, z.im); }",
	// The bits of a real as an integer.
	"bits_32": "int32_t portable_f_bits_32(T a) { union { T real; int32_t bits; } u; u.real = a; return u.bits; }",
	"bits_64": "int64_t portable_f_bits_64(T a) { union { T real; int64_t bits; } u; u.real = a; return u.bits; }",
	// Negative exponents invert the base, and not the power.
	"powi_long": "T portable_f_powi_long(T a, int64_t n) { T p = (T)1; if (n == 0) return p; uint64_t u = (uint64_t)n; " +
		"if (n < 0) { u = 0 - u; a = (T)1 / a; } for (;;) { if (u & 1) p *= a; if (!(u >>= 1)) return p; a *= a; } }",
	// An array of one dimension; number is that of the argument whose elements they are.
	"vector": "portable_view<T, 1> portable_f_vector(T *first, int64_t count, int64_t stride, int32_t number) { portable_view<T, 1> v; " +
		"v.data = first; v.rank = 1; v.argument = number; v.dim[0].lower = 1; v.dim[0].extent = count > 0 ? count : 0; " +
		"v.dim[0].stride = stride; return v; }",
	"power": "T portable_f_power(T a, T n) { if (n < 0) return a == 1 ? (T)1 : a == -1 ? (T)(n & 1 ? -1 : 1) : a == 0 ? (T)(1 / a) : (T)0; " +
		"T p = 1; for (; n; n = (T)(n >> 1), a = (T)((uint64_t)a * (uint64_t)a)) if (n & 1) p = (T)((uint64_t)p * (uint64_t)a); return p; }",
}

// powi has two types.
const powi = "template <class T, class N> PORTABLE_FUNCTION T portable_f_powi(T a, N n) { uint64_t u = n < 0 ? 0 - (uint64_t)n : (uint64_t)n; " +
	"T p = u & 1 ? a : (T)1; while (u >>= 1) { a *= a; if (u & 1) p *= a; } return n < 0 ? (T)1 / p : p; }"

// uses are functions that others call; they stand in front of them.
var uses = map[string][]string{"ishft": {"shiftl", "shiftr"}, "poppar": {"popcnt"}}

// preludeOf is the text of the functions that a kernel needs.
func preludeOf(needs map[string]bool) string {
	w := &writer{}
	done := map[string]bool{}
	var put func(name string)
	put = func(name string) {
		if done[name] {
			return
		}
		done[name] = true
		for _, of := range uses[name] {
			put(of)
		}
		var n int64
		switch {
		case name == "powi":
			w.add("template <class T, class N> PORTABLE_FUNCTION")
			w.add(strings.TrimPrefix(powi, "template <class T, class N> PORTABLE_FUNCTION "))
		case scanned(name, "power_%d", &n):
			power(w, n)
		case scanned(name, "array_%d", &n):
			array(w, n)
		default:
			w.add(strings.TrimSpace(head))
			w.add(prelude[name])
		}
	}
	if needs["complex"] {
		for _, f := range complexes {
			w.add(f)
		}
	}
	list := make([]string, 0, len(needs))
	for name := range needs {
		if name == "complex" {
			continue
		}
		list = append(list, name)
	}
	sort.Strings(list)
	for _, name := range list {
		put(name)
	}
	return w.String()
}

func scanned(name, form string, n *int64) bool {
	_, err := fmt.Sscanf(name, form, n)
	return err == nil
}

// array writes the function that makes a view of n dimensions. The procedure sets the bounds that the caller does not give.
func array(w *writer, n int64) {
	list, body := "", ""
	for d := range n {
		list += fmt.Sprintf(", int64_t count%d, int64_t stride%d", d, d)
		body += fmt.Sprintf("v.dim[%d].lower = 1; v.dim[%d].extent = count%d > 0 ? count%d : 0; v.dim[%d].stride = stride%d; ", d, d, d, d, d, d)
	}
	w.add(strings.TrimSpace(head))
	w.add(fmt.Sprintf("portable_view<T, %d> portable_f_array_%d(T *first, int32_t number%s) { portable_view<T, %d> v; ", n, n, list, n) +
		fmt.Sprintf("v.data = first; v.rank = %d; v.argument = number; %sreturn v; }", n, body))
}

// oddParts are parts of odd powers from x**3 to x**255, as gfortran 12 multiplies them; TestPowersOfGfortran compares them with its code.
var oddParts = [127]int64{
	1, 2, 3, 3, 5, 3, 6, 1, 3, 9, 10, 8, 9, 5, 5, 16, 16, 4, 13, 16, 3, 18, 3, 17, 17, 24, 11, 26, 25, 1, 27, 1, 33, 23, 34, 8, 25, 29, 10, 32, 40, 34,
	29, 25, 44, 34, 19, 32, 33, 34, 37, 35, 33, 5, 37, 49, 46, 39, 51, 60, 43, 50, 59, 64, 3, 4, 45, 64, 8, 47, 55, 17, 49, 17, 30, 51, 31, 25, 53, 64,
	3, 66, 33, 83, 76, 13, 75, 64, 81, 74, 61, 74, 85, 63, 41, 65, 65, 64, 4, 73, 80, 41, 69, 64, 65, 104, 66, 17, 73, 51, 66, 97, 97, 47, 99, 33, 103,
	79, 33, 1, 81, 98, 95, 83, 37, 115, 102,
}

// partOf is how gfortran cuts x**n: x**partOf(n) * x**(n - partOf(n)).
func partOf(n int64) int64 {
	switch {
	case n%2 == 0:
		return n / 2
	case n < 256:
		return oddParts[n/2-1]
	}
	return n % 8
}

// power writes x**n as multiplications, each power once.
func power(w *writer, n int64) {
	w.add(strings.TrimSpace(head))
	if n == 0 {
		w.add("T portable_f_power_0(T a) { return (T)1; }")
		return
	}
	s := fmt.Sprintf("T portable_f_power_%d(T a1) { ", n)
	made := map[int64]bool{1: true}
	var factor func(m int64)
	factor = func(m int64) {
		if made[m] {
			return
		}
		made[m] = true
		factor(partOf(m))
		factor(m - partOf(m))
		s += fmt.Sprintf("const T a%d = a%d * a%d; ", m, partOf(m), m-partOf(m))
	}
	factor(n)
	w.add(s + fmt.Sprintf("return a%d; }", n))
}
