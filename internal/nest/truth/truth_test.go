package truth

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRead(t *testing.T) {
	nests, err := Read("x.f90", `subroutine s
! truth: parallel i j; private x; reduction +:s maxloc:k
! truth+ features reduction sections; run rows
!$portable parallel
outer: do J = 1, n ! do i
  do i = 1, n; x = f('! do', &
      a(i, j)); s = s + x
    do while (x > 1)
      x = x/2 !<
    end do
  end do
end do outer
! truth: refused strides|recurrence a; ask independent
do 10 i = 2, n
do 10 j = 2, n
10 a(i) = a(i - 1) !<
! truth: parallel i; features concurrent
do concurrent (i = 1:n, j = 2:m, mask(i)) local(x)
enddo
end
`)
	require.NoError(t, err)
	require.Len(t, nests, 3)
	n := nests[0]
	require.Equal(t, []any{2, 5, 12, 3, 9}, []any{n.Line, n.Do, n.End, n.Depth, n.Statements})
	require.Equal(t, []string{"j", "i"}, n.Loops)
	require.Equal(t, []string{"i", "j"}, n.Parallel)
	require.Equal(t, map[string]string{"s": "+", "k": "maxloc"}, n.Reductions)
	require.Equal(t, []string{"reduction", "sections"}, n.Features)
	require.Equal(t, []int{9}, n.Marks)
	require.Equal(t, "rows", n.Run)
	n = nests[1]
	require.Equal(t, []any{"strides|recurrence", "a", "independent", 2, 3, 16}, []any{n.Refused, n.Name, n.Ask, n.Depth, n.Statements, n.End})
	require.Equal(t, []int{16}, n.Marks)
	require.True(t, n.RefusedBy("recurrence") && n.RefusedBy("strides") && !n.RefusedBy("jump"))
	require.Equal(t, []string{"i", "j"}, nests[2].Loops)
	require.Equal(t, 2, nests[2].Statements)
}

func TestFixedForm(t *testing.T) {
	nests, err := Read("x.F", `      subroutine s
c truth is below
      ! truth: parallel i; private x
      do 20 i = 1, n
#ifdef A
        x = a(i)
     &    + b(i)
#endif
        if (x .gt. 0) goto 20
* a comment
        a(i) = x
 20   continue
      end
`)
	require.NoError(t, err)
	require.Equal(t, []any{4, 12, 1, 5}, []any{nests[0].Do, nests[0].End, nests[0].Depth, nests[0].Statements})
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"! truth: private x\ndo i=1,n\nend do":                        "either parallel or refused",
		"! truth: parallel i; refused jump\ndo i=1,n\nend do":         "either parallel or refused",
		"! truth: refused wrong\ndo i=1,n\nend do":                    "rule 'wrong'",
		"! truth: parallel j\ndo i=1,n\nend do":                       "no loop 'j'",
		"! truth: parallel i; features core stride\ndo i=1,n\nend do": "core stands alone",
		"! truth: parallel i; features fast\ndo i=1,n\nend do":        "feature 'fast'",
		"! truth: parallel i; speed 3\ndo i=1,n\nend do":              "key 'speed'",
		"! truth: parallel i; last\ndo i=1,n\nend do":                 "no word behind",
		"! truth: parallel i; reduction s\ndo i=1,n\nend do":          "no operator:name",
		"! truth: parallel i; ask private w\ndo i=1,n\nend do":        "only a refused nest",
		"! truth: parallel i\nx = 1\ndo i=1,n\nend do":                "is no DO",
		"! truth: parallel i\ndo i=1,n":                               "does not end",
		"! truth+ parallel i\ndo i=1,n\nend do":                       "continues no truth",
	} {
		_, err := Read("x.f90", text)
		require.ErrorContains(t, err, want, text)
	}
	_, err := ReadFile("no such file")
	require.Error(t, err)
}
