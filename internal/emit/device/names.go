package device

import "strings"

// names gives each variable a name that the languages of devices can have: C's words, those of its libraries and of the generated text are left out.
// All else that a generated text adds begins with portable_, which no name of the user does.
type names map[string]bool

func newNames() names {
	n := names{}
	for _, w := range strings.Fields(reserved) {
		n[w] = true
	}
	return n
}

// Own is the beginning of the names that generated texts add.
const Own = "portable_"

// Reserved reports whether the name of a variable never is that one.
func Reserved(name string) bool { return newNames()[name] || strings.HasPrefix(name, Own) }

// local is a name that no other one has.
func (n names) local(name string) string {
	if strings.HasPrefix(name, Own) {
		name = "user_" + name
	}
	return unique(n, name)
}

func unique(used map[string]bool, name string) string {
	for used[name] {
		name += "_"
	}
	used[name] = true
	return name
}

// reserved are words of C, C++ and OpenCL C, macros, and functions that generated texts call.
const reserved = `
alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t class co_await co_return co_yield compl concept
const const_cast consteval constexpr constinit continue decltype default delete do double dynamic_cast else enum explicit export extern false final
float for friend goto half if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq override private protected public
register reinterpret_cast requires restrict return short signed sizeof static static_assert static_cast struct switch template this thread_local
throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq kernel global local constant generic
pipe image2d_t sampler_t event_t uint ulong ushort uchar vec_step warpSize threadIdx blockIdx blockDim gridDim
int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t size_t ptrdiff_t args give null unix linux i386 major minor makedev assert signbit
isnan isinf isfinite isnormal isgreater isless isunordered fpclassify errno stdin stdout stderr complex imaginary offsetof setjmp va_arg va_start va_end
abs labs llabs fabs fabsf sqrt sqrtf exp expf log logf log10 log10f sin sinf cos cosf tan tanf asin asinf acos acosf atan atanf atan2 atan2f sinh sinhf
cosh coshf tanh tanhf asinh asinhf acosh acoshf atanh atanhf erf erff erfc erfcf tgamma tgammaf lgamma lgammaf hypot hypotf pow powf fmod fmodf
trunc truncf round roundf floor floorf ceil ceilf llround llroundf lround copysign copysignf fmin fmax fma fmaf min max rint nan clz popcount
j0 j1 jn y0 y1 yn div ldiv time clock exit rand srand free malloc printf memcpy memset strlen`
