package scope

import "strings"

// intrinsic is one line of the table of intrinsic procedures.
type intrinsic struct {
	name    string
	result  string // see results in intrinsic.go
	rank    string // see ranks there
	dummies []string
}

// intrinsicTable has a line for each group of intrinsics: names, result, rank, dummies. "-" is a subroutine.
const intrinsicTable = `
abs                                                        A  e  a
achar                                                      s  e  i kind
char                                                       s  e  i kind
acos acosh asin asinh atan atanh cos cosh sin sinh tan tanh exp log sqrt   a e x
acosd asind atand cosd sind tand cotan cotand              a  e  x
atan2 atan2d                                               a  e  y x
log10 gamma log_gamma lgamma erf erfc erfc_scaled          a  e  x
bessel_j0 bessel_j1 bessel_y0 bessel_y1 besj0 besj1 besy0 besy1 dbesj0 dbesj1 dbesy0 dbesy1 a e x
bessel_jn bessel_yn                                        b  j  n x x2
besjn besyn dbesjn dbesyn                                  b  e  n x
hypot                                                      a  e  x y
aimag imag imagpart                                        A  e  z
realpart                                                   A  e  z
dimag                                                      d  e  z
dreal                                                      d  e  a
conjg dconjg                                               a  e  z
aint anint                                                 ak e  a kind
dint dnint                                                 a  e  a
adjustl adjustr                                            a  e  string
trim                                                       s* 0  string
repeat                                                     s* 0  string ncopies
all any                                                    a  x  mask dim
parity                                                     a  x  mask dim
count                                                      ik x  mask dim kind
allocated associated present is_contiguous same_type_as extends_type_of  l 0 a b
bge bgt ble blt                                            l  e  i j
btest                                                      l  e  i pos
is_iostat_end is_iostat_eor                                l  e  i
isnan                                                      l  e  x
lge lgt lle llt                                            l  e  string_a string_b
logical                                                    lk e  l kind
bit_size                                                   a  0  i
kind digits precision range radix maxexponent minexponent  i  0  x
rank                                                       i  0  a
epsilon huge tiny                                          a  0  x
ceiling floor nint int                                     ik e  a kind
ifix idint idnint                                          i  e  a
int2                                                       i2 e  a
int8                                                       i8 e  a
long                                                       i4 e  a
short                                                      i2 e  a
cmplx                                                      C  e  x y kind
complex                                                    CC e  x y
dcmplx                                                     z  e  x y
command_argument_count iargc                               i  0
dble dfloat                                                d  e  a
dprod                                                      d  e  x y
float sngl                                                 r  e  a
real                                                       R  e  a kind
dim                                                        Q  e  x y
mod modulo                                                 Q  e  a p
sign copysign                                              Q  e  a b
and or xor                                                 Q  e  i j
iand ieor ior                                              Q  e  i j
iall iany iparity                                          a  x  array dim mask
ibclr ibset                                                a  e  i pos
ibits                                                      a  e  i pos len
ishft lshift rshift shifta shiftl shiftr                   a  e  i shift
ishftc                                                     a  e  i shift size
not                                                        a  e  i
dshiftl dshiftr                                            Q  e  i j shift
maskl maskr                                                ik e  i kind
merge_bits                                                 Q  e  i j mask
popcnt poppar leadz trailz                                 i  e  i
exponent                                                   i  e  x
fraction rrspacing spacing                                 a  e  x
nearest                                                    a  e  x s
scale                                                      a  e  x i
set_exponent                                               a  e  x i
iachar ichar                                               ik e  c kind
index                                                      ik e  string substring back kind
len_trim                                                   ik e  string kind
len                                                        ik 0  string kind
lnblnk                                                     i  e  string
scan verify                                                ik e  string set back kind
max min                                                    P  e  a1 a2 a3 a4 a5 a6 a7 a8 a9
max0 min0                                                  i  e  a1 a2 a3 a4 a5 a6 a7 a8 a9
amax1 amin1                                                r  e  a1 a2 a3 a4 a5 a6 a7 a8 a9
dmax1 dmin1                                                d  e  a1 a2 a3 a4 a5 a6 a7 a8 a9
amax0 amin0                                                r  e  a1 a2 a3 a4 a5 a6 a7 a8 a9
max1 min1                                                  i  e  a1 a2 a3 a4 a5 a6 a7 a8 a9
maxval minval sum product                                  a  x  array dim mask
maxloc minloc                                              ik lx array dim mask kind back
findloc                                                    ik fx array value dim mask kind back
norm2                                                      a  x  x dim
dot_product                                                p  0  vector_a vector_b
matmul                                                     p  mm matrix_a matrix_b
transpose                                                  a  s  matrix
merge                                                      a  e  tsource fsource mask
pack                                                       a  1  array mask vector
unpack                                                     a  u  vector mask field
reshape                                                    a  sh source shape pad order
spread                                                     a  +1 source dim ncopies
cshift                                                     a  s  array shift dim
eoshift                                                    a  s  array shift boundary dim
lbound ubound                                              ik b  array dim kind
lcobound ucobound                                          ik b  coarray dim kind
size                                                       ik 0  array dim kind
shape                                                      ik 1  source kind
null                                                       a  s  mold
transfer                                                   m  tr source mold size
selected_char_kind                                         i  0  name
selected_int_kind                                          i  0  r
selected_real_kind                                         i  0  p r radix
storage_size                                               ik 0  a kind
sizeof                                                     i8 0  a
c_sizeof                                                   i8 0  a
loc %loc                                                   i8 0  x
%val %ref                                                  a  s  x
new_line                                                   s  0  a
out_of_range                                               l  e  x mold round
this_image                                                 i  ti coarray dim
image_index num_images image_status team_number            i  0  a b c
failed_images stopped_images                               ik 1  team kind
coshape                                                    ik 1  coarray kind
compiler_options compiler_version                          s* 0
rand ran                                                   r  0  i
irand time mclock getpid getuid getgid ierrno              i  0  i
time8 mclock8                                              i8 0
second etime dtime secnds                                  r  0  t
fdate ctime                                                s* 0  t
hostnm chdir access system unlink rename link symlnk chmod fstat stat lstat fseek kill getcwd isatty fgetc fget fputc fput umask fnum ttynam i 0 a b c
ftell                                                      i8 0  unit
malloc                                                     i8 0  size
iabs                                                       a  e  a
dabs                                                       d  e  a
cabs                                                       r  e  a
cdabs zabs                                                 d  e  a
dsqrt dexp dlog dlog10 dsin dcos dtan dasin dacos datan dsinh dcosh dtanh dasinh dacosh datanh derf derfc dgamma dlgama algama d e x
alog alog10                                                r  e  x
csqrt cexp clog csin ccos                                  c  e  x
zsqrt zexp zlog zsin zcos cdsqrt cdexp cdlog cdsin cdcos   z  e  x
datan2                                                     d  e  y x
isign idim                                                 i  e  a b
dsign ddim dmod                                            d  e  a b
amod                                                       r  e  a b
iiabs imod jmod kmod                                       a  e  a b
ieee_is_nan ieee_is_finite ieee_is_negative ieee_is_normal ieee_signbit  l e x
ieee_copy_sign ieee_rem                                    P  e  x y
ieee_next_after ieee_logb ieee_rint                        a  e  x y
ieee_scalb                                                 a  e  x i
ieee_unordered                                             l  e  x y
ieee_value                                                 a  e  x class
ieee_class                                                 y  e  x
ieee_selected_real_kind                                    i  0  p r radix
ieee_support_datatype ieee_support_denormal ieee_support_subnormal ieee_support_divide ieee_support_inf ieee_support_io ieee_support_nan l 0 x
ieee_support_sqrt ieee_support_standard ieee_support_rounding ieee_support_underflow_control ieee_support_flag ieee_support_halting l 0 x y
ieee_int ieee_max_num ieee_min_num ieee_max_num_mag ieee_min_num_mag ieee_fma ieee_real ieee_quiet_eq ieee_signaling_eq ? e x y z
c_loc c_funloc                                             y  0  x
c_associated                                               l  0  a b
abort alarm atomic_add atomic_and atomic_cas atomic_define atomic_fetch_add atomic_fetch_and atomic_fetch_or atomic_fetch_xor atomic_or atomic_ref atomic_xor - 0
co_broadcast co_max co_min co_reduce co_sum cpu_time date_and_time event_query execute_command_line exit flush free gerror getarg getenv getlog - 0
get_command get_command_argument get_environment_variable gmtime idate itime ltime move_alloc mvbits perror qsort random_init random_number - 0
random_seed signal sleep srand system_clock symlnk_ c_f_pointer c_f_procpointer ieee_get_flag ieee_set_flag ieee_get_halting_mode - 0
ieee_set_halting_mode ieee_get_rounding_mode ieee_set_rounding_mode ieee_get_status ieee_set_status ieee_get_underflow_mode ieee_set_underflow_mode - 0
`

// moduleIntrinsics are known only by USE of a module of the compiler.
var moduleIntrinsics = []string{"ieee_", "c_loc", "c_funloc", "c_associated", "c_f_pointer", "c_f_procpointer", "c_sizeof"}

var intrinsicsByName = readIntrinsics(intrinsicTable)

func readIntrinsics(table string) map[string]*intrinsic {
	all := map[string]*intrinsic{}
	for _, line := range strings.Split(table, "\n") {
		words := strings.Fields(line)
		// The result is the first word that can be no name: names have at least three letters, or are known.
		for i, word := range words {
			if !isResultCode(word) {
				continue
			}
			for _, name := range words[:i] {
				all[name] = &intrinsic{name: name, result: word, rank: words[i+1], dummies: words[i+2:]}
			}
			break
		}
	}
	return all
}

func isResultCode(word string) bool {
	return len(word) <= 2 && word != "or"
}

// isIntrinsic reports whether a name is an intrinsic procedure without any USE.
func isIntrinsic(name string) bool {
	if intrinsicsByName[name] == nil {
		return false
	}
	for _, prefix := range moduleIntrinsics {
		if strings.HasPrefix(name, prefix) {
			return false
		}
	}
	return true
}

// intrinsic is the symbol of an intrinsic procedure.
func (p *Program) intrinsic(name string) *Symbol {
	y := p.intrinsics[name]
	if y == nil {
		y = &Symbol{Kind: Intrinsic, Name: name, state: done}
		p.intrinsics[name] = y
	}
	return y
}
