package flags

import (
	"reflect"
	"strings"
	"testing"

	"libportable/internal/fortran/source"
)

func TestRead(t *testing.T) {
	for _, x := range []struct {
		text string
		want Flags
	}{
		{"-O2 -Wall -g", Flags{}},
		{"-Ia -I b -isystem c", Flags{Source: source.Options{Include: []string{"a", "b", "c"}}}},
		{"-DA -DB=2 -D C= -UD '-Df(x)=x + 1'", Flags{Source: source.Options{Macros: []source.Macro{{Name: "A", Value: "1"}, {Name: "B", Value: "2"}, {Name: "C"},
			{Name: "D", Undefine: true}, {Name: "f(x)", Value: "x + 1"}}}}},
		{"-cpp -ffree-form -ffree-line-length-none", Flags{Source: source.Options{Preprocess: source.Always, Form: source.Free}}},
		{"-nocpp -ffixed-form -ffixed-line-length-132 -fd-lines-as-code", Flags{Source: source.Options{Preprocess: source.Never, Form: source.Fixed,
			FixedColumns: 132, DLines: true}}},
		{"-ffixed-line-length-none -ffree-line-length-80", Flags{Source: source.Options{FixedColumns: -1, FreeColumns: 80}}},
		{"-fopenmp", Flags{Source: source.Options{OpenMP: true}, Recursive: true}},
		{"-fopenacc -fopenmp-simd", Flags{Source: source.Options{OpenACC: true, Conditional: true}}},
		{"-fdefault-real-8", Flags{Real: 8, Double: 16}},
		{"-fdefault-double-8 -fdefault-real-8 -fdefault-integer-8", Flags{Real: 8, Double: 8, Integer: 8, Logical: 8}},
		{"-r8 -i8", Flags{Real: 8, Double: 8, Integer: 8, Logical: 8}},
		{"-real-size 64 -integer-size 64", Flags{Real: 8, Double: 8, Integer: 8, Logical: 8}},
		{"-freal-4-real-8 -finteger-4-integer-8", Flags{RealBecomes: map[int]int{4: 8}, IntegerBecomes: map[int]int{4: 8}}},
		{"-finit-real=zero -fno-automatic -fimplicit-none -frecursive -Jmods", Flags{InitLocals: true, NoAutomatic: true, ImplicitNone: true, Recursive: true,
			ModuleFolder: "mods"}},
		{"-o -I x.o -J m", Flags{ModuleFolder: "m"}},
	} {
		words, err := Split(x.text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Read("gfortran", words); err != nil || !reflect.DeepEqual(got, x.want) {
			t.Errorf("%s:\n got %+v, %v\nwant %+v", x.text, got, err, x.want)
		}
	}
	for text, want := range map[string]string{
		"-I":                       "the flag '-I' has no value; write it behind the flag",
		"-D=3":                     "the flag '-D=3': the name of the macro is missing; it begins with a letter",
		"-ffixed-line-length-blue": "the flag '-ffixed-line-length-blue': the length is invalid; write none, or a number of at least 7",
	} {
		if _, err := Read("", strings.Fields(text)); err == nil || err.Error() != want {
			t.Errorf("%s: %v", text, err)
		}
	}
	if f, _ := Read("/usr/bin/flang-new-16", nil); len(f.Source.Predefined) == 0 || f.Source.Predefined[0].Name != "__flang__" {
		t.Errorf("flang: %+v", f)
	}
}

func TestSplit(t *testing.T) {
	for text, want := range map[string][]string{
		" -a  'b c'\\ d \"e\\\"f\" ''": {"-a", "b c d", "e\"f", ""},
		"":                             nil,
		"\t-x\n":                       {"-x"},
	} {
		if got, err := Split(text); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	if _, err := Split("a 'b"); err == nil {
		t.Error("no error of an open quote")
	}
}
