package scope

import (
	"math/bits"
	"strings"
)

// bitElementals are the functions on the bits of integers.
var bitElementals = map[string]compute{
	"iand": bitwise(func(x, y uint64) uint64 { return x & y }), "and": bitwise(func(x, y uint64) uint64 { return x & y }),
	"ior": bitwise(func(x, y uint64) uint64 { return x | y }), "or": bitwise(func(x, y uint64) uint64 { return x | y }),
	"ieor": bitwise(func(x, y uint64) uint64 { return x ^ y }), "xor": bitwise(func(x, y uint64) uint64 { return x ^ y }),
	"not":    bitNot,
	"ibset":  atBit(func(x, n uint64) uint64 { return x | 1<<n }),
	"ibclr":  atBit(func(x, n uint64) uint64 { return x &^ (1 << n) }),
	"btest":  bitTest,
	"ibits":  bitField,
	"ishft":  shift,
	"shiftl": shiftBy(func(x uint64, n int64, v Value) uint64 { return x << n }),
	"lshift": shiftBy(func(x uint64, n int64, v Value) uint64 { return x << n }),
	"shiftr": shiftBy(func(x uint64, n int64, v Value) uint64 { return x >> n }),
	"shifta": shiftBy(func(x uint64, n int64, v Value) uint64 { return uint64(v.Integer >> n) }),
	"popcnt": ofBits(func(x uint64, size int) int { return bits.OnesCount64(x) }),
	"poppar": ofBits(func(x uint64, size int) int { return bits.OnesCount64(x) % 2 }),
	"leadz":  ofBits(func(x uint64, size int) int { return bits.LeadingZeros64(x) - 64 + size }),
	"trailz": ofBits(func(x uint64, size int) int { return min(bits.TrailingZeros64(x), size) }),
}

// textElementals are the functions on characters.
var textElementals = map[string]compute{
	"ichar": code, "iachar": code, "char": character, "achar": character, "len_trim": trimmedLength,
	"adjustl": adjust(true), "adjustr": adjust(false), "index": indexOf,
}

// wrap makes an integer of the lowest bits of n.
func wrap(n uint64, t Type) (Value, bool) {
	v := Value{Type: t}
	switch t.Kind {
	case 1:
		v.Integer = int64(int8(n))
	case 2:
		v.Integer = int64(int16(n))
	case 4:
		v.Integer = int64(int32(n))
	case 8:
		v.Integer = int64(n)
	default:
		return v, false
	}
	return v, t.Base == Integer
}

// pattern are the bits of an integer, without those above its kind.
func pattern(v Value) uint64 {
	if v.Type.Kind >= 8 {
		return uint64(v.Integer)
	}
	return uint64(v.Integer) & (1<<(8*v.Type.Kind) - 1)
}

func bitwise(f func(x, y uint64) uint64) compute {
	return func(t Type, args []Value) (Value, bool) {
		x, y, ok := two(t, args)
		if !ok {
			return x, false
		}
		return wrap(f(uint64(x.Integer), uint64(y.Integer)), t)
	}
}

func bitNot(t Type, args []Value) (Value, bool) {
	if args[0].Type.Base != Integer {
		return Value{}, false
	}
	return wrap(^uint64(args[0].Integer), t)
}

// atBit is a function of an integer and the number of one of its bits.
func atBit(f func(x, n uint64) uint64) compute {
	return func(t Type, args []Value) (Value, bool) {
		if len(args) != 2 || args[0].Type.Base != Integer || args[1].Integer < 0 || args[1].Integer >= int64(8*t.Kind) {
			return Value{}, false
		}
		return wrap(f(pattern(args[0]), uint64(args[1].Integer)), t)
	}
}

func bitTest(t Type, args []Value) (Value, bool) {
	if len(args) != 2 || args[0].Type.Base != Integer || args[1].Integer < 0 || args[1].Integer >= int64(8*args[0].Type.Kind) {
		return Value{}, false
	}
	return Value{Type: t, Logical: pattern(args[0])>>args[1].Integer&1 == 1}, true
}

func bitField(t Type, args []Value) (Value, bool) {
	if len(args) != 3 || args[0].Type.Base != Integer {
		return Value{}, false
	}
	from, n, size := args[1].Integer, args[2].Integer, int64(8*t.Kind)
	if from < 0 || n < 0 || from > size || n > size-from {
		return Value{}, false
	}
	field := pattern(args[0]) >> from
	if n < 64 {
		field &= 1<<n - 1
	}
	return wrap(field, t)
}

func shift(t Type, args []Value) (Value, bool) {
	if len(args) != 2 || args[0].Type.Base != Integer {
		return Value{}, false
	}
	n, size := args[1].Integer, int64(8*t.Kind)
	switch {
	case n < -size || n > size:
		return Value{}, false
	case n < 0:
		return wrap(pattern(args[0])>>-n, t)
	}
	return wrap(pattern(args[0])<<n, t)
}

func shiftBy(f func(x uint64, n int64, v Value) uint64) compute {
	return func(t Type, args []Value) (Value, bool) {
		if len(args) != 2 || args[0].Type.Base != Integer || args[1].Integer < 0 || args[1].Integer > int64(8*t.Kind) {
			return Value{}, false
		}
		return wrap(f(pattern(args[0]), args[1].Integer, args[0]), t)
	}
}

func ofBits(f func(x uint64, size int) int) compute {
	return func(t Type, args []Value) (Value, bool) {
		x := args[0]
		if x.Type.Base != Integer || x.Type.Kind > 8 || x.Type.Kind == 0 {
			return Value{}, false
		}
		return Value{Type: t, Integer: int64(f(pattern(x), 8*x.Type.Kind))}, true
	}
}

func code(t Type, args []Value) (Value, bool) {
	if len(args[0].Text) != 1 || args[0].Text[0] > 127 {
		return Value{}, false
	}
	return Value{Type: t, Integer: int64(args[0].Text[0])}, t.Kind != 0
}

func character(t Type, args []Value) (Value, bool) {
	n := args[0].Integer
	if args[0].Type.Base != Integer || n < 0 || n > 127 || t.Kind != 1 {
		return Value{}, false
	}
	t.Len = nil
	return Value{Type: t, Text: string([]byte{byte(n)})}, true
}

func trimmedLength(t Type, args []Value) (Value, bool) {
	return Value{Type: t, Integer: int64(len(strings.TrimRight(args[0].Text, " ")))}, args[0].Type.Base == Character
}

func adjust(left bool) compute {
	return func(t Type, args []Value) (Value, bool) {
		v := args[0]
		n := len(v.Text)
		if left {
			v.Text = strings.TrimLeft(v.Text, " ")
			v.Text += strings.Repeat(" ", n-len(v.Text))
		} else {
			v.Text = strings.TrimRight(v.Text, " ")
			v.Text = strings.Repeat(" ", n-len(v.Text)) + v.Text
		}
		return v, v.Type.Base == Character
	}
}

func indexOf(t Type, args []Value) (Value, bool) {
	if len(args) < 2 || args[0].Type.Base != Character || args[1].Type.Base != Character {
		return Value{}, false
	}
	at := strings.Index(args[0].Text, args[1].Text)
	if len(args) > 2 && args[2].Logical {
		at = strings.LastIndex(args[0].Text, args[1].Text)
	}
	return Value{Type: t, Integer: int64(at + 1)}, t.Kind != 0
}
