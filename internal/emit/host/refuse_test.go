package host

import (
	"errors"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/emit"
	"libportable/internal/fortran/parse"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
)

func tool(name, text string, include map[string]string) (*scope.Program, *tree.File, []*nest.Nest) {
	set := source.NewSet(func(name string) ([]byte, error) {
		if s, ok := include[name]; ok {
			return []byte(s), nil
		}
		return nil, errors.New("no such file")
	})
	file := parse.File(source.Read(set, name, []byte(text), source.Options{}))
	p := scope.Build([]*tree.File{file}, scope.Options{})
	return p, file, nest.Find(p, nest.Options{Auto: true})
}

// TestRefused: proved nests that cannot be written are refused with the place, before anything is written.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		line             int32
	}{
		{"pure.f90", "pure subroutine s(n, a)\n integer, intent(in) :: n\n real, intent(out) :: a(n)\n integer :: i\n do i = 1, n\n a(i) = i\n end do\nend subroutine\n",
			"'s' is PURE", 5},
		{"include.f90", "subroutine s(n, a)\n integer, intent(in) :: n\n real, intent(out) :: a(n)\n integer :: i\n include 'loop.inc'\nend subroutine\n",
			"INCLUDE", 1},
		{"type.f90", "program p\n type :: t\n real :: x\n end type\n type(t) :: a(9)\n integer :: i\n do i = 1, 9\n a(i)%x = i\n end do\n print *, a(3)%x\nend program\n",
			"type", 7},
		{"name.f90", "subroutine s(a, n, portable_list_mod)\n integer, intent(in) :: n, portable_list_mod\n integer, intent(inout) :: a(n)\n integer :: i\n do i = 1, n\n" +
			" a(i) = portable_list_mod\n end do\nend subroutine\n", "the module 'portable_list_mod'", 5},
		{"private.f90", "subroutine s(a, n)\n integer, intent(in) :: n\n integer, intent(inout) :: a(n)\n integer :: i, iso_c_binding\n do i = 1, n\n" +
			" iso_c_binding = i\n a(i) = iso_c_binding\n end do\nend subroutine\n", "the module 'iso_c_binding'", 5},
	} {
		p, file, nests := tool(c.name, c.text, map[string]string{"loop.inc": " do i = 1, n\n a(i) = i\n end do\n"})
		text, err := Write(file, nests, Options{Program: p, Output: "out"})
		var refused *Refused
		require.ErrorAs(t, err, &refused, "%s\n%s", c.name, text)
		require.Nil(t, text)
		require.Contains(t, refused.Reasons[0].Text, c.want)
		require.Equal(t, c.line, refused.Reasons[0].At.Line, c.name)
		require.Equal(t, emit.NotConverted, refused.Reasons[0].Rule)
		require.NotEmpty(t, refused.Reasons[0].Remedy)
	}
}

// TestWholeCopies: for flang 16 nests are refused whose assignments have the array on the right side in another form.
func TestWholeCopies(t *testing.T) {
	for text, refused := range map[string]bool{
		"b(2:m, i) = b(1:m-1, i)":                     true,
		"b(:, i) = b(m:1:-1, i)":                      true,
		"b(:, i) = 2*c(:, i) + b(1, i)":               true,
		"where (b(1:m-1, i) > 0) b(2:m, i) = 0":       true,
		"b(:, i) = 2*b(:, i) + c(:, i)":               false,
		"where (b(:, i) > 0) b(:, i) = b(:, i) + 1":   false,
		"c(:, i) = b(m:1:-1, i)":                      false,
		"b(3, i) = b(2, i)":                           false,
		"w = c(:, i)\nw(2:m) = w(1:m-1)\nb(:, i) = w": false,
	} {
		p, file, nests := tool("a.f90", "subroutine s(b, c, n, m)\ninteger, intent(in) :: n, m\nreal, intent(inout) :: b(m, n), c(m, n)\nreal :: w(m)\ninteger :: i\n"+
			"do i = 1, n\n"+text+"\nend do\nend subroutine\n", nil)
		require.Equal(t, nest.Parallel, nests[0].Verdict, text)
		_, err := Write(file, nests, Options{Program: p, Output: "out", WholeCopies: true})
		require.Equal(t, refused, err != nil, text)
		_, err = Write(file, nests, Options{Program: p, Output: "out"})
		require.NoError(t, err, text)
	}
}

// TestDamaged: sources with changed bytes end with a text or an error.
func TestDamaged(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for _, r := range rows {
		for range 60 {
			b := []byte(r.text)
			for range 1 + random.Intn(4) {
				switch at := random.Intn(len(b)); random.Intn(3) {
				case 0:
					b[at] = "()%,:=&!'\n;d10 "[random.Intn(15)]
				case 1:
					b = append(b[:at], b[min(len(b), at+random.Intn(9)):]...)
				case 2:
					b = append(b[:at:at], append([]byte(strings.Repeat(string(b[at:min(len(b), at+random.Intn(20))]), 2)), b[at:]...)...)
				}
				if len(b) == 0 {
					b = []byte(" ")
				}
			}
			p, file, nests := tool(r.name, string(b), nil)
			o := Options{Program: p, Output: "out", Check: true}
			for _, n := range nests {
				if n.Verdict == nest.Parallel && len(Check(n, o)) > 0 {
					n.Verdict = nest.Refused
				}
			}
			_, err := Write(file, nests, o)
			require.NoError(t, err, string(b))
		}
	}
}

// TestEmitter: the interface gives the procedures of a kernel alone.
func TestEmitter(t *testing.T) {
	p, _, nests := tool("a.f90", rows[0].text, nil)
	e := Emitter{Options{Program: p, Output: "out", NoMarkers: true}}
	k, reasons := emit.New(p, nests[0])
	require.Empty(t, reasons)
	require.Empty(t, e.Refuses(k))
	var b strings.Builder
	require.NoError(t, e.Write(&b, k))
	require.True(t, strings.HasPrefix(b.String(), "  recursive function scale_7("), b.String())
	require.NotContains(t, b.String(), "#")
	require.Equal(t, "host.pf.F90", e.Name()+e.Suffix())
}
