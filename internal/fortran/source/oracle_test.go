package source

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// preprocessed sources; gfortran's preprocessor and ours must make the same statements of each.
var sources = []struct{ name, text, flags string }{
	{"names", "#define FOO bar\n FOO = FOO_ + xFOO + FOOx + 1FOO + a%FOO + 'FOO' + \"FOO\" .FOO. x! FOO don't\n x=FOO", ""},
	{"arguments", "#define F(x,y) x+y*z(x)\n a = F(1,2) + F (3, (4,5)) + F(g(1,2),'a,b)')\n F = f\n call F( a , b )\n", ""},
	{"strings", "#define S(x) \"x\" // 'x'\n a = S(abc)\n#define T 'it FOO\n#define FOO no\n b = T x'\n", ""},
	{"join", "#define CAT(a,b) a/**/b\n#define FOO x\n call CAT(foo,_bar)(CAT(FOO,y))\n", ""},
	{"nested", "#define D(x) x+x\n#define Q(x) D(x)-D (x)\n a = Q(Q(1))\n b = D(D(D(z)))\n", ""},
	{"chain", "#define a1 a2\n#define a2 a3\n#define a3 1\n x = a1\n#undef a2\n x = a1\n", ""},
	{"empty", "#define E\n#define G() g\n x E = 1\n y = G() + G()\n E\n z = 2\n", ""},
	{"comments", " x = '/* no */' /* yes */ // y\n print *, (/*a*/ 1)\n z = 1 /* one\n two */ + 2\n! don't /* x\n w = 1\n", ""},
	{"splice", "#define M(a,b, \\\n  c) a + b \\\n  + c\n x = M(1,2,3)\n a\\\n= 1\n i = __LINE__\n", ""},
	{"line", " i = __LINE__\n#line 40 \"b.f90\"\n i = __LINE__\n f = __FILE__\n# 7 \"c.f90\"\n i = __LINE__; f = __FILE__\n", ""},
	{"if", "#define A 3\n#define N\n#if A == 3 && defined(N) && !defined Q && (A > 2 ? 1 : 0)\n x=1\n#else\n x=2\n#endif\n#if A-3\n y=1\n" +
		"#elif A*2+1 == 7 || 1/0\n y=2\n#elif garbage (\n y=3\n#else\n y=4\n#endif\n#ifdef N\n#ifndef A\n z=1\n#elif UNKNOWN\n z=2\n#else\n z=3\n" +
		"#endif\n#endif\n#if 0x10 == 16 && 010 == 8 && 10L > 5u && (1 << 4) == 16 && -1 < 0 && ~0 == -1 && 7 % 4 == 3\n w=1\n#endif\n", ""},
	{"dead", "#if 0\n#if 1\n x=1\n#else\n x=2\n#endif\n#elif 1\n y=1\n#else\n#endif\n#if 0\n#unknown\n it's\n#else\n#endif\n", ""},
	{"function in if", "#define V(a,b) ((a)*100+(b))\n#if V(2,3) >= V(2,1) && __GNUC__ >= 4\n x=1\n#endif\n#ifdef __GFORTRAN__\n y=1\n#endif\n#ifdef __linux__\n z=1\n#endif\n#ifdef _OPENMP\n w=_OPENMP\n#endif\n", ""},
	{"flags", " x = A + B + C\n y = F(2)\n#ifdef _OPENMP\n w = _OPENMP\n#endif\n", "-DA -DB=5 -DC= -UD -DF(x)=x*x -fopenmp"},
	{"redefined", "#define A 1\n#undef A\n#define A 2\n x = A\n#define B(x) [x]\n#undef B\n y = B(1)\n", ""},
	{"spaces", "#  define A 1\n#\tdefine\tB\t2\n#ifdef A /* x */\n x = A+B\n#endif /* y */\n#\n#else\n", ""},
	{"over lines", "#define F(x,y) x+y\n a = F(1,\n      2)\n b = F(1,\n\n      (3,\n      4))\n", ""},
	{"include", "#include \"inc.h\"\n x = INC\n#include <inc.h>\n", ""},
	{"name behind", "#define A f\n#define f(x,y) x*y\n a = A(1,2) + A + A (3, A(4,5))\n", ""},
	{"self", "#define foo(x) x\n a = foo(foo)(1) + foo(foo(2)) + foo ((3))\n", ""},
	{"argument is a macro", "#define ONE 1\n#define ID(x) x\n#define PAIR ONE,2\n a = [ID(ONE), ID(PAIR)]\n", ""},
	{"quotes in arguments", "#define CALL(s,n) call s(\"s\", n, 's')\n CALL(foo, 'a,b')\n CALL(bar, ')')\n", ""},
	{"continued", "#define X y\n a = X + &\n#ifdef X\n  & X + &\n#endif\n   & 1\n s = 'abc &\n  & X'\n", ""},
	{"directives", "#define N 4\n!$omp parallel do collapse(N)\n!$portable parallel private(N) &\n!$portable& label('N')\n x=1\n", ""},
}

// TestPreprocessorOracle compares with gfortran: what it writes with -E, read without a preprocessor, makes the same statements.
func TestPreprocessorOracle(t *testing.T) {
	gfortran, err := exec.LookPath("gfortran")
	if err != nil {
		t.Skip("gfortran is not installed")
	}
	dir := t.TempDir()
	write := func(name, text string) string {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return filepath.Join(dir, name)
	}
	write("inc.h", "#ifndef INC\n#define INC 5\n      inc = __LINE__\n#else\n      again = 1\n#endif\n")
	byFlags := map[string][]string{} // files that one run of gfortran reads
	texts := map[string]string{}
	for i, x := range sources {
		free := write(fmt.Sprintf("x%d.F90", i), x.text)
		fixed := write(fmt.Sprintf("x%d.F", i), indented(x.text))
		texts[free], texts[fixed] = x.text, indented(x.text)
		byFlags[x.flags] = append(byFlags[x.flags], free, fixed)
	}
	for all, files := range byFlags {
		flags := strings.Fields(all)
		out, err := exec.Command(gfortran, append(append(flags, "-I"+dir, "-cpp", "-E"), files...)...).Output()
		if len(out) == 0 {
			t.Fatalf("gfortran: %v", err)
		}
		o := Options{Include: []string{dir}, FixedColumns: -1}
		for _, f := range flags {
			switch {
			case f == "-fopenmp":
				o.OpenMP = true
			case strings.HasPrefix(f, "-U"):
				o.Macros = append(o.Macros, Macro{Name: f[2:], Undefine: true})
			default:
				name, value, ok := strings.Cut(f[2:], "=")
				if !ok {
					value = "1"
				}
				o.Macros = append(o.Macros, Macro{Name: name, Value: value})
			}
		}
		never := o
		never.Preprocess = Never
		for _, file := range files {
			// The output of a file begins with its name, and the name of the macros that cpp has itself.
			_, its, ok := strings.Cut(string(out), fmt.Sprintf("# 1 %q\n# 1 \"<built-in>\"\n", file))
			if !ok {
				t.Fatalf("gfortran wrote nothing of %s: %v", file, err)
			}
			if n := strings.Index(its, "# 1 \"<built-in>\"\n"); n >= 0 {
				its = its[:strings.LastIndex(its[:n-1], "\n")+1]
			}
			got, c := lines(t, file, texts[file], o)
			want, _ := lines(t, file, its, never)
			if got != want || got == "" {
				t.Errorf("%s\nours:\n%s\ngfortran's:\n%s\nproblems: %v\nits text: %s", texts[file], got, want, c.Problems, its)
			}
		}
	}
}

// indented is the text in fixed form.
func indented(text string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, " ") {
			lines[i] = "     " + l
		}
	}
	return strings.Join(lines, "")
}
