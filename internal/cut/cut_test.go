package cut_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/cut"
	"libportable/internal/fortran/parse"
	"libportable/internal/fortran/rewrite"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
)

// cutOf is the text with the cuts of all nests, "" if there is none, and the parts of the cuts.
func cutOf(name, text string) (string, []cut.Part, []source.Part) {
	set := source.NewSet(nil)
	f := parse.File(source.Read(set, name, []byte(text), source.Options{}))
	c := rewrite.Of(f)
	var all []cut.Part
	for _, n := range nest.Find(scope.Build([]*tree.File{f}, scope.Options{}), nest.Options{Auto: true}) {
		if n.Verdict == nest.Refused {
			list, _ := cut.Write(c, n, 100)
			all = append(all, list...)
		}
	}
	if len(all) == 0 {
		return "", nil, nil
	}
	now, places := c.Text()
	return string(now), all, places
}

const head = "subroutine s(a, b, c, d, n)\ninteger :: n, i, j\nreal :: a(n), b(n), c(n), d(n)\n"

func TestWrite(t *testing.T) {
	for _, row := range []struct{ name, loop, want string }{
		{"three parts", "  do i = 2, n ! all\n    ! first\n    b(i) = sqrt(c(i))\n    a(i) = a(i-1) + &\n      b(i) ! second\n\n    d(i) = a(i)\n    ! last\n  end do\n",
			"  ! part 1 of 3 of the loop at line 4\n  do i = 2, n\n    ! first\n    b(i) = sqrt(c(i))\n  end do\n" +
				"  ! part 2 of 3 of the loop at line 4\n  do i = 2, n\n    a(i) = a(i-1) + &\n      b(i) ! second\n  end do\n" +
				"  ! part 3 of 3 of the loop at line 4\n  do i = 2, n\n\n    d(i) = a(i)\n    ! last\n  end do\n"},
		{"blocks and another order", "do i = 2, n - 1, 1\nif (c(i) > 0) then\nb(i) = c(i)\nend if\nd(i) = b(i+1)\nenddo\n",
			"! part 1 of 2 of the loop at line 4\ndo i = 2, n - 1, 1\nd(i) = b(i+1)\nend do\n" +
				"! part 2 of 2 of the loop at line 4\ndo i = 2, n - 1, 1\nif (c(i) > 0) then\nb(i) = c(i)\nend if\nend do\n"},
		{"a directive with a label", "!$portable parallel label('x') on(cpu)\ndo i = 2, n\nb(i) = c(i)\na(i) = a(i-1) + b(i)\nd(i) = a(i)\nend do\n",
			"! part 1 of 3 of the loop at line 5\n!$portable parallel label('x') on(cpu)\ndo i = 2, n\nb(i) = c(i)\nend do\n" +
				"! part 2 of 3 of the loop at line 5\ndo i = 2, n\na(i) = a(i-1) + b(i)\nend do\n" +
				"! part 3 of 3 of the loop at line 5\n!$portable parallel label('x:8') on(cpu)\ndo i = 2, n\nd(i) = a(i)\nend do\n"},
		{"a label that ends the loop", "do 10 i = 2, n\nb(i) = c(i)\na(i) = a(i-1) + b(i)\n10 continue\n",
			"! part 1 of 2 of the loop at line 4\ndo i = 2, n\nb(i) = c(i)\nend do\n! part 2 of 2 of the loop at line 4\ndo i = 2, n\na(i) = a(i-1) + b(i)\nend do\n"},
		{"a name", "outer: do i = 2, n\nb(i) = c(i)\na(i) = a(i-1) + b(i)\nend do outer\n",
			"! part 1 of 2 of the loop at line 4\ndo i = 2, n\nb(i) = c(i)\nend do\n! part 2 of 2 of the loop at line 4\ndo i = 2, n\na(i) = a(i-1) + b(i)\nend do\n"},

		{"no part is parallel", "do i = 2, n\nb(i) = b(i-1)\na(i) = a(i-1)\nend do\n", ""},
		{"nofission", "!$portable nofission\ndo i = 2, n\nb(i) = c(i)\na(i) = a(i-1)\nend do\n", ""},
		{"two statements on a line", "do i = 2, n\nb(i) = c(i); a(i) = a(i-1)\nend do\n", ""},
		{"a statement on the line of the loop", "do i = 2, n; b(i) = c(i)\na(i) = a(i-1)\nend do\n", ""},
		{"a statement on the last line", "do i = 2, n\nb(i) = c(i)\na(i) = a(i-1); end do\n", ""},
		{"a statement in front", "n = n; do i = 2, n\nb(i) = c(i)\na(i) = a(i-1)\nend do\n", ""},
		{"a statement behind", "do i = 2, n\nb(i) = c(i)\na(i) = a(i-1)\nend do; n = 0\n", ""},
		{"two lines of bounds", "do i = 2, &\n n\nb(i) = c(i)\na(i) = a(i-1)\nend do\n", ""},
		{"a directive inside", "do i = 2, n\nb(i) = c(i)\n!$omp atomic\na(1) = a(1) + b(i)\nend do\n", ""},
		{"conditional compilation", "do i = 2, n\nb(i) = c(i)\n!$ a(i) = 2\na(i) = a(i-1)\nend do\n", ""},
		{"the preprocessor", "do i = 2, n\nb(i) = c(i)\n#ifdef X\nd(i) = 2\n#endif\na(i) = a(i-1)\nend do\n", ""},
		{"a label at a statement", "do i = 2, n\n20 b(i) = c(i)\na(i) = a(i-1)\nend do\n", ""},
		{"a label at the loop", "20 do i = 2, n\nb(i) = c(i)\na(i) = a(i-1)\nend do\n", ""},
		{"a label at the end", "do i = 2, n\nb(i) = c(i)\na(i) = a(i-1)\n20 end do\n", ""},
		{"a statement ends the loop", "do 10 i = 2, n\nb(i) = c(i)\n10 a(i) = a(i-1)\n", ""},
		{"two loops have one end", "do 10 i = 2, n\nb(i) = c(i)\na(i) = a(i-1)\ndo 10 j = 1, 40\nd(j) = d(j) + c(i)\n10 continue\n", ""},
		{"independent", "!$portable parallel independent\ndo i = 2, n\nb(i) = c(i)\na(i) = a(i-1)\nend do\n", ""},
		{"a wrong clause", "!$portable parallel lable('x')\ndo i = 2, n\nb(i) = c(i)\na(i) = a(i-1)\nend do\n", ""},
		{"async", "!$portable parallel async(n)\ndo i = 2, n\nb(i) = c(i)\na(i) = a(i-1)\nend do\n", ""},
		{"reduction", "!$portable parallel reduction(+:n)\ndo i = 2, n\nb(i) = c(i)\na(i) = a(i-1)\nend do\n", ""},
		{"another tool asks", "!$omp parallel do\ndo i = 2, n\nb(i) = c(i)\na(i) = a(i-1)\nend do\n", ""},
		{"another tool's hint", "!$omp simd\ndo i = 2, n\nb(i) = c(i)\na(i) = a(i-1)\nend do\n", ""},
		{"off", "!$portable off\ndo i = 2, n\nb(i) = c(i)\na(i) = a(i-1)\nend do\n", ""},
		{"leaves the loop", "do i = 2, n\nb(i) = c(i)\nif (b(i) > 1) exit\na(i) = a(i-1)\nend do\n", ""},
	} {
		got, list, _ := cutOf("a.F90", head+row.loop+"end subroutine\n")
		want := row.want
		if want != "" {
			require.Greater(t, len(list), 1, row.name)
			want = head + want + "end subroutine\n"
		}
		require.Equal(t, want, got, row.name)
	}
}

// TestWide: a scalar that flows between parts has an element for each iteration. With too many iterations the whole loop runs.
func TestWide(t *testing.T) {
	const declared = "real(8) :: x\ncomplex(4) :: y\nreal :: x_of_i\n"
	loop := "do i = n, 2, -1\nx = c(i)\ny = cmplx(x, x) ! x\nif (x > 1) &\n  x = real(y)\na(i) = a(i+1) + x ! x\nd(i) = a(i)*real(y)\nend do\n"
	got, list, _ := cutOf("a.f90", head+declared+"!$portable parallel\n"+loop+"end subroutine\n")
	require.Len(t, list, 3)
	for k, line := range []int32{9, 13, 14} {
		require.Equal(t, line, list[k].At.Line)
	}
	require.Equal(t, head+declared+"block\nreal(8), allocatable :: x_of_i_(:)\ncomplex(4), allocatable :: y_of_i(:)\ninteger :: cut_refused\ncut_refused = 1\n"+
		"if (0_8 + (n) - (2) > 98_8 .and. 0_8 + (n) - (2) < 16777216_8) allocate (x_of_i_(2:n), y_of_i(2:n), stat=cut_refused)\nif (cut_refused /= 0) then\n"+loop+"else\n"+
		"! part 1 of 3 of the loop at line 8\n!$portable parallel\ndo i = n, 2, -1\nx_of_i_(i) = c(i)\ny_of_i(i) = cmplx(x_of_i_(i), x_of_i_(i)) ! x\n"+
		"if (x_of_i_(i) > 1) &\n  x_of_i_(i) = real(y_of_i(i))\nend do\n"+
		"! part 2 of 3 of the loop at line 8\ndo i = n, 2, -1\na(i) = a(i+1) + x_of_i_(i) ! x\nend do\n"+
		"! part 3 of 3 of the loop at line 8\n!$portable parallel\ndo i = n, 2, -1\nd(i) = a(i)*real(y_of_i(i))\nend do\nend if\nend block\nend subroutine\n", got)
	forward, backward := "if (0_8 + (n) - (2) > 98_8 .and. 0_8 + (n) - (2) < 33554432_8) allocate (x_of_i_(2:n), stat=cut_refused)\n",
		"if (0_8 + (2) - (n) > 98_8 .and. 0_8 + (2) - (n) < 33554432_8) allocate (x_of_i_(n:2), stat=cut_refused)\n"
	for step, want := range map[string]string{"k": forward + backward, "back": backward, "-back": forward, "-1": backward, "3": forward} {
		text := "integer, parameter :: back = -2\n" + declared + "do i = 2, n, " + step + "\nx = sqrt(c(i))\na(i) = a(i-6) + x\nd(i) = x\nend do\n"
		got, _, _ = cutOf("a.f90", head+text+"end subroutine\n")
		require.Contains(t, got, "cut_refused = 1\n"+want+"if (cut_refused /= 0)", step)
	}
	macro := "#define XX x\n" + head + declared + "do i = 2, n\nXX = sqrt(c(i))\na(i) = a(i-6) + x\nd(i) = x\nend do\nend subroutine\n"
	got, _, _ = cutOf("a.F90", macro)
	require.Empty(t, got)
	got, _, _ = cutOf("a.F90", strings.Replace(macro, "XX = ", "x = ", 1))
	require.NotEmpty(t, got)
}

// TestInclude: a file that is included in the loop has lines that no part has.
func TestInclude(t *testing.T) {
	text := head + "do i = 2, n\nb(i) = c(i)\ninclude 'none.inc'\na(i) = a(i-1)\nend do\nend subroutine\n"
	got, _, _ := cutOf("a.f90", text)
	require.Empty(t, got)
	got, _, _ = cutOf("a.f90", strings.Replace(text, "include 'none.inc'\n", "", 1))
	require.NotEmpty(t, got)
	folder := t.TempDir()
	name := filepath.Join(folder, "loop.inc")
	require.NoError(t, os.WriteFile(name, []byte("do i = 2, n\nb(i) = c(i)\na(i) = a(i-1)\nend do\n"), 0o666))
	got, _, _ = cutOf(filepath.Join(folder, "a.f90"), head+"include 'loop.inc'\nend subroutine\n")
	require.Empty(t, got)
}

// TestFixed: parts in fixed form are read again with the places of the file.
func TestFixed(t *testing.T) {
	text := "      SUBROUTINE S(A, B, C, N)\n      DIMENSION A(N), B(N), C(N)\n      DO 10 I = 2, N\nC FIRST\n        B(I) = C(I)\n     1    *2\n" +
		"        A(I) = A(I - 1) + B(I)\n   10 CONTINUE\n      END\n"
	got, list, places := cutOf("a.f", text)
	require.Equal(t, "      SUBROUTINE S(A, B, C, N)\n      DIMENSION A(N), B(N), C(N)\n! part 1 of 2 of the loop at line 3\n      do i = 2, N\nC FIRST\n        B(I) = C(I)\n     1    *2\n"+
		"      end do\n! part 2 of 2 of the loop at line 3\n      do i = 2, N\n        A(I) = A(I - 1) + B(I)\n      end do\n      END\n", got)
	require.True(t, list[0].Parallel && !list[1].Parallel)
	again := source.ReadMoved(source.NewSet(nil), "a.f", []byte(got), places, source.Options{})
	var lines []int32
	for _, l := range again.Lines {
		lines = append(lines, l.Span.From.Line)
	}
	require.Equal(t, []int32{1, 2, 3, 5, 8, 7, 7, 8, 9}, lines)
}

// TestWideFixed: text behind column 72 of a line in fixed form is no code, so a line with such text takes no longer names.
func TestWideFixed(t *testing.T) {
	line := "        A(I) = A(I - 1) + X"
	text := "      SUBROUTINE S(A, B, C, N)\n      DIMENSION A(N), B(N), C(N)\n      DO 10 I = 2, N\n        X = SQRT(C(I))\n" + line + "\n        B(I) = X\n   10 CONTINUE\n      END\n"
	got, _, _ := cutOf("a.f", text)
	require.Contains(t, got, "        A(I) = A(I - 1) + x_of_i(i)\n")
	require.Contains(t, got, "      real(4), allocatable :: x_of_i(:)\n")
	got, _, _ = cutOf("a.f", strings.Replace(text, line, line+strings.Repeat(" ", 72-len(line))+"00010", 1))
	require.Empty(t, got)
	got, _, _ = cutOf("a.f", strings.Replace(text, line, "\t"+strings.TrimSpace(line)+strings.Repeat(" ", 66-len(strings.TrimSpace(line)))+"10", 1))
	require.Empty(t, got)
	squares := "X" + strings.Repeat("+X*X", 12)
	for _, long := range []string{line + "\n     !  +" + squares, line + "\n     1  +" + squares, line + squares[1:33] + " ! don't", "\tA(I) = A(I - 1) + " + squares[:45]} {
		got, _, _ = cutOf("a.f", strings.Replace(text, line, long, 1))
		require.Contains(t, got, "x_of_i(i)*x_of_i(i)")
		for _, l := range strings.Split(got, "\n") {
			code, _, _ := strings.Cut(rewrite.Columns(l)[min(len(l), 6):], "!")
			require.LessOrEqual(t, len(code), 66, l)
		}
	}
}

// TestTwice: a file that was rewritten once keeps the places of the user's file.
func TestTwice(t *testing.T) {
	text := head + "do i = 2, n\nb(i) = c(i)\na(i) = a(i-1)\nend do\nend subroutine\n"
	parts := []source.Part{{Offset: int32(len(head)), Line: 50, Column: 3}, {Offset: int32(len(head) + len("do i = 2, n\n")), Line: 51}}
	f := parse.File(source.ReadMoved(source.NewSet(nil), "a.f90", []byte(text), parts, source.Options{}))
	c := rewrite.Of(f)
	for _, n := range nest.Find(scope.Build([]*tree.File{f}, scope.Options{}), nest.Options{Auto: true}) {
		_, ok := cut.Write(c, n, 100)
		require.True(t, ok)
	}
	now, places := c.Text()
	var lines []int32
	for _, l := range source.ReadMoved(source.NewSet(nil), "a.f90", now, places, source.Options{}).Lines {
		lines = append(lines, l.Span.From.Line)
	}
	require.Equal(t, []int32{1, 2, 3, 50, 51, 53, 52, 52, 53, 54}, lines)
}
