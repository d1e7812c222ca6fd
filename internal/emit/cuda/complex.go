package cuda

import (
	"libportable/internal/emit/device"
	"libportable/internal/fortran/scope"
)

const complexName = "portable_f_complex"

// complexes are the type of complex numbers and its operators. The division is that of gfortran.
var complexes = []string{
	"template <class T> struct portable_f_complex { T re, im; };",
	"template <class T> PORTABLE_FUNCTION portable_f_complex<T> portable_f_made(T re, T im) { portable_f_complex<T> z; z.re = re; z.im = im; return z; }",
	"template <class T, class U> PORTABLE_FUNCTION portable_f_complex<T> portable_f_recast(portable_f_complex<U> z) { return portable_f_made<T>((T)z.re, (T)z.im); }",
	"template <class T> PORTABLE_FUNCTION portable_f_complex<T> portable_f_conjg(portable_f_complex<T> z) { return portable_f_made<T>(z.re, -z.im); }",
	"template <class T> PORTABLE_FUNCTION portable_f_complex<T> operator-(portable_f_complex<T> z) { return portable_f_made<T>(-z.re, -z.im); }",
	"template <class T> PORTABLE_FUNCTION portable_f_complex<T> operator+(portable_f_complex<T> a, portable_f_complex<T> b) { return portable_f_made<T>(a.re + b.re, a.im + b.im); }",
	"template <class T> PORTABLE_FUNCTION portable_f_complex<T> operator-(portable_f_complex<T> a, portable_f_complex<T> b) { return portable_f_made<T>(a.re - b.re, a.im - b.im); }",
	"template <class T> PORTABLE_FUNCTION portable_f_complex<T> operator*(portable_f_complex<T> a, portable_f_complex<T> b) { " +
		"return portable_f_made<T>(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re); }",
	"template <class T> PORTABLE_FUNCTION portable_f_complex<T> operator/(portable_f_complex<T> a, portable_f_complex<T> b) { " +
		"if ((b.re < 0 ? -b.re : b.re) < (b.im < 0 ? -b.im : b.im)) { const T q = b.re / b.im, d = b.re * q + b.im; " +
		"return portable_f_made<T>((a.re * q + a.im) / d, (a.im * q - a.re) / d); } const T q = b.im / b.re, d = b.im * q + b.re; " +
		"return portable_f_made<T>((a.im * q + a.re) / d, (a.im - a.re * q) / d); }",
	"template <class T> PORTABLE_FUNCTION bool operator==(portable_f_complex<T> a, portable_f_complex<T> b) { return a.re == b.re && a.im == b.im; }",
	"template <class T> PORTABLE_FUNCTION bool operator!=(portable_f_complex<T> a, portable_f_complex<T> b) { return !(a == b); }",
}

// made is the text of a complex number with these parts.
func made(t device.Type, re, im string) string {
	return "portable_f_made<" + typeName(device.Type{Base: scope.Real, Kind: t.Kind}) + ">(" + re + ", " + im + ")"
}

// ofComplex converts to or from a complex number.
func (w *writer) ofComplex(x, from *device.Expression) (string, int) {
	part := device.Type{Base: scope.Real, Kind: x.Type.Kind}
	switch {
	case x.Type.Base != scope.ComplexType:
		return "(" + typeName(x.Type) + ")" + w.text(from, highest) + ".re", unaryLevel
	case from.Type.Base != scope.ComplexType:
		zero, _ := real(0, x.Type.Kind)
		text := "(" + typeName(part) + ")" + w.text(from, highest)
		if from.Type == part {
			text = w.text(from, lowest)
		}
		return made(x.Type, text, zero), highest
	}
	return "portable_f_recast<" + typeName(part) + ">(" + w.text(from, lowest) + ")", highest
}
