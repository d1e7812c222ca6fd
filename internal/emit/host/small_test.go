package host

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const smallProgram = `
program small
  use portable_list_mod, only: launches
  implicit none
  integer :: n, i, j, k, total, before
  real(8) :: a(5000), b(3, 3), s, t
  do n = 1, 5000, 4999
    before = launches
    do i = 1, n ! small
      a(i) = i*0.5d0
    end do
    print *, 'assign', n, launches - before, a(1), i
    before = launches
    total = 7
    do i = 1, n ! small
      total = total + i*i
    end do
    print *, 'integer', n, launches - before, total
    before = launches
    t = 3
    do i = 1, n ! small
      t = max(t, a(i))
    end do
    print *, 'max', n, launches - before, t
    before = launches
    s = 0.1d0
    do i = 1, n ! always
      s = s + a(i)
    end do
    print *, 'real', n, launches - before
    before = launches
    do i = 1, min(n, 3) ! always
      do k = 1, total
        a(i) = sin(a(i))
      end do
    end do
    print *, 'inner', n, launches - before
    before = launches
    do j = 1, min(n + 2, 3) ! small
      do i = 1, 3
        b(i, j) = i + j
      end do
    end do
    print *, 'two', n, launches - before, b(3, 2), i, j
    before = launches
    do j = 3, min(n, 2) ! small
      do i = 1, 3
        b(i, j) = 0
      end do
    end do
    print *, 'none', n, launches - before, b(3, 2), j
    before = launches
    do i = 1, min(n, 40) ! always
      a(i) = sum(b(:, 1))
    end do
    print *, 'section', n, launches - before
  end do
end program small
`

// TestSmall: nests with few operations run as the user's loop; those whose operations are not known, and sums of reals, are launched.
func TestSmall(t *testing.T) {
	text, written := automatic(t, "small.f90", smallProgram, Options{})
	require.Len(t, written, 8)
	lines := strings.Split(smallProgram, "\n")
	for _, n := range written {
		line := n.Loops[0].Do.Where.From.Line
		body := regexp.MustCompile(`(?s)recursive function small_` + decimal(int(line)) + `\(.*?end function`).FindString(text)
		require.NotEmpty(t, body)
		require.Equal(t, strings.Contains(lines[line-1], "! small"), strings.Contains(body, "portable_races_checked()"), "line %d\n%s", line, body)
	}
	always, _ := automatic(t, "small.f90", smallProgram, Options{Always: true})
	require.NotContains(t, always, "portable_races_checked")
	if _, err := exec.LookPath("gfortran"); err != nil {
		t.Skip("no gfortran")
	}
	folder := t.TempDir()
	stub, err := filepath.Abs("testdata/portable_list_mod.f90")
	require.NoError(t, err)
	gfortran(t, folder, "-O1", "-w", "-c", stub)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "small.F90"), []byte(text), 0o644))
	gfortran(t, folder, "-O1", "-Wall", "-o", "small", "small.F90", "portable_list_mod.o")
	out, err := exec.Command(filepath.Join(folder, "small")).CombinedOutput()
	require.NoError(t, err, string(out))
	for _, want := range []string{`assign +1 +0 +0.5\d* +2 *\n`, `integer +1 +0 +8 *\n`, `max +1 +0 +3.0* *\n`, `real +1 +1 *\n`, `inner +1 +1 *\n`, `two +1 +0 +5.0* +4 +4 *\n`,
		`none +1 +0 +5.0* +3 *\n`, `section +1 +1 *\n`, `assign +5000 +1 +0.5\d* +5001 *\n`, `integer +5000 +1 `, `max +5000 +1 +2500.0* *\n`, `two +5000 +0 `} {
		require.Regexp(t, want, string(out))
	}
}
