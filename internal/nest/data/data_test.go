package data

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/fortran/parse"
	"libportable/internal/fortran/scope"
	"libportable/internal/fortran/source"
	"libportable/internal/fortran/tree"
	"libportable/internal/nest"
)

// planOf is the plan of a source whose parallel nests all run on a device, and the source with its calls in place.
func planOf(t *testing.T, text string, device bool) (*Plan, string) {
	c := source.Read(source.NewSet(nil), "a.f90", []byte(text), source.Options{OpenMP: false})
	file := parse.File(c)
	p := scope.Build([]*tree.File{file}, scope.Options{})
	o := Options{Accept: map[string]bool{"omp": true, "acc": true}, Small: true}
	if device {
		o.Device = func(n *nest.Nest) (bool, []*nest.Nest) {
			return n.Directive == nil || len(n.Directive.SerialOn) == 0, nil
		}
	}
	plan := Find(p, nest.Find(p, nest.Options{Auto: true}), o)
	var b strings.Builder
	at := int32(0)
	for _, x := range plan.Calls[file] {
		from := x.At
		if x.After {
			from += int32(strings.IndexByte(text[from:], '\n')) + 1
		} else {
			from = int32(strings.LastIndexByte(text[:from], '\n')) + 1
		}
		from = max(from, at)
		b.WriteString(text[at:from])
		at = from
		for _, l := range x.Lines {
			b.WriteString(">" + strings.ReplaceAll(strings.ReplaceAll(l, "@portable_data_", ""), "@portable_", "") + "\n")
		}
	}
	b.WriteString(text[at:])
	return plan, b.String()
}

// within is a procedure with a loop over steps; TEXT is in it.
const within = `module m
  integer, parameter :: r8 = 8
  real(8), allocatable :: field(:)
  type grid
    real(8), allocatable :: u(:)
    integer :: n
  end type
contains
  subroutine launch(x)
    real(8), intent(inout) :: x(:)
    integer :: i
    do i = 1, size(x)
      x(i) = 2*x(i)
    end do
  end subroutine
  real(8) function norm(x)
    real(8), intent(in) :: x(:)
    integer :: i
    norm = 0
    do i = 1, size(x)
      norm = norm + x(i)**2
    end do
  end function
  real(8) function fifth(x)
    real(8), intent(in) :: x(:)
    fifth = x(5)
  end function
  subroutine work(a, b, n, g, far, star)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n), b(n), star(*)
    type(grid), intent(inout) :: g
    external :: far
    real(8) :: s, w(n)
    real(8), pointer :: p(:), q(:)
    character(8) :: name
    integer :: k, i
    !$portable data CLAUSES
    do k = 1, 10
      call launch(a)
TEXT
    end do
    !$portable end data
10  continue
  end subroutine
  subroutine renew(x)
    real(8), allocatable, intent(inout) :: x(:)
    real(8), allocatable :: new(:)
    if (size(x) > 5) return
    allocate (new(7))
    call move_alloc(new, x)
  end subroutine
  subroutine twice(x, t)
    real(8), allocatable, intent(inout) :: x(:)
    type(grid), intent(inout) :: t
    call renew(x)
    call renew(t%u)
  end subroutine
  subroutine shared
    if (allocated(field)) deallocate (field)
  end subroutine
  subroutine fresh(x)
    real(8), allocatable, intent(out) :: x(:)
  end subroutine
  subroutine points(x)
    real(8), pointer, intent(inout) :: x(:)
    deallocate (x)
  end subroutine
  subroutine moves(x, y)
    real(8), pointer, intent(inout) :: x(:), y(:)
    x => y
    deallocate (x)
  end subroutine
  subroutine local
    real(8), allocatable :: own(:)
    allocate (own(3))
    own = [1, 2]
    deallocate (own)
  end subroutine
  recursive subroutine itself(x)
    real(8), allocatable, intent(inout) :: x(:)
    deallocate (x)
    call itself(x)
  end subroutine
  recursive subroutine walk(x, n)
    real(8), intent(inout) :: x(:)
    integer, intent(in) :: n
    x(n) = x(n) + 1
    if (n > 1) call walk(x, n - 1)
  end subroutine
  recursive subroutine ping(x, n)
    real(8), intent(inout) :: x(:)
    integer, intent(in) :: n
    if (n > 1) call pong(x, n - 1)
  end subroutine
  recursive subroutine pong(x, n)
    real(8), intent(inout) :: x(:)
    integer, intent(in) :: n
    field(n) = x(n)
    x(n) = 2
    if (n > 1) call ping(x, n - 1)
  end subroutine
  recursive subroutine lost(x, n)
    real(8), intent(inout) :: x(:)
    integer, intent(in) :: n
    external :: far
    call far(x)
    if (n > 1) call lost(x, n - 1)
  end subroutine
  real(8) function gone(x)
    real(8), allocatable, intent(inout) :: x(:)
    deallocate (x)
    gone = 1
  end function
end module
`

// Each row has the line of TEXT at which the message points, from 1; 0: at the beginning of the region.
func TestRefusals(t *testing.T) {
	for _, row := range []struct {
		clauses, text string
		line          int
		want          string
	}{
		{"", "return", 1, "RETURN leaves the data region that begins at line 37"},
		{"", "if (n > 3) return", 1, "RETURN leaves"},
		{"", "goto 10", 1, "a jump to label 10 leaves"},
		{"", "read (*, *, err=10) s", 1, "a jump to label 10 leaves"},
		{"", "call far(*10)", 1, "a jump to label 10 leaves"},
		{"", "open: do\nexit open\nend do open", 0, ""},
		{"", "if (s > 0) cycle", 0, ""},
		{"", "stop 'end'", 0, ""},
		{"in(a)", "continue", 0, "in(a) is written, but the loop at line 12 changes 'a'"},
		{"out(a)", "continue", 0, "out(a) is written, but the loop at line 12 reads 'a' before any loop sets it"},
		{"local(a)", "continue", 0, "reads 'a' before any loop sets it"},
		{"in(missing_name)", "continue", 0, "'in' names 'missing_name', which is no array of numbers"},
		{"in(n)", "continue", 0, "'in' names 'n', which is no array of numbers or logicals with known bounds"},
		{"inout(star)", "continue", 0, "which is no array of numbers or logicals with known bounds"},
		{"inout(g)", "continue", 0, "which is no array of numbers"},
		{"inout(g%u)", "continue", 0, ""},
		{"", "if (far_function(s) > 1) s = 3", 1, "'far_function' is called where nothing can stand in front of it and behind it"},
		{"", "do while (a(1) > 3)\ncall launch(a)\nend do", 1, "the condition of DO WHILE uses arrays"},
		{"", "do while (s > 3)\ncall launch(a)\nend do", 0, ""},
		{"", "goto 20\n20 s = a(3)", 2, "a statement with a label uses arrays while a data region is open"},
		{"", "goto 20\n20 continue\ns = a(3)", 0, ""},
		{"", "!$omp parallel do\ndo i = 1, 3\ncall launch(b)\nend do", 1, "threads launch together while a data region is open"},
		{"", "!$omp parallel\ncall launch(b)\n!$omp end parallel", 1, "threads launch together"},
		{"", "write (*, *) norm(a)", 1, "this statement launches loops while it reads or writes"},
		{"", "s = norm(a)", 0, ""},
		{"", "s = a(int(norm(b)))", 1, "a function in a subscript, an implied DO or an operator launches loops"},
		{"", "b(int(norm(b))) = 1", 1, "a function in a subscript"},
		{"", "where (a > norm(b)) a = 1", 1, "WHERE or FORALL launches loops"},
		{"", "do i = 1, int(norm(b))\ncall launch(b)\nend do", 0, ""},
		{"", "!$omp parallel\ns = 1\n!$omp end parallel\ncall launch(b)", 0, ""},
		{"", "!$portable end data", 1, "'end data' ends no region of this block"},
		{"", "!$portable data", 1, "the data region has no end in its block"},
	} {
		t.Run(strings.TrimSpace(row.clauses+" "+row.text), func(t *testing.T) {
			text := strings.ReplaceAll(strings.ReplaceAll(within, "CLAUSES", row.clauses), "TEXT", row.text)
			plan, _ := planOf(t, text, true)
			if row.want == "" {
				require.Empty(t, plan.Refusals)
				return
			}
			require.NotEmpty(t, plan.Refusals, "not refused")
			require.Contains(t, plan.Refusals[0].Text, row.want)
			require.NotEmpty(t, plan.Refusals[0].Remedy)
			line := 37
			if row.line > 0 {
				line = 39 + row.line
			}
			require.Equal(t, line, int(plan.Refusals[0].At.Line), plan.Refusals[0].Text)
			// Faults of form are printed without a device too; others do not matter there.
			host, _ := planOf(t, text, false)
			require.Equal(t, strings.Contains(row.want, "in its block") || strings.Contains(row.want, "of this block"), len(host.Refusals) > 0)
			require.Empty(t, host.Calls)
		})
	}
}

// Each row has the calls that stand at TEXT, without their conditions; "|" separates those in front from those behind.
func TestCalls(t *testing.T) {
	for _, row := range []struct{ text, want, warns string }{
		{"s = 3", "", ""},
		{"s = a(3)", "host(a read)", ""},
		{"a(3) = s", "host(a both)", ""},
		{"a(3) = b(4) + a(2)", "host(b read) host(a both)", ""},
		{"s = size(a) + ubound(b, 1)", "", ""},
		{"s = a(3)\ns = s + b(2)\na(1) = s", "host(a both) host(b read)", ""},
		{"call launch(b)", "", ""},
		{"call launch(a(2:5))", "", ""},
		{"s = norm(a)", "", ""},
		{"s = norm(a) + b(1)", "host(b read)", ""},
		{"s = norm(a*2)", "host(a read)", ""},
		{"b(1) = norm(a)", "host(b both) | host(b both)", ""},
		{"s = fifth(a)", "host(a read)", ""},
		{"print *, a", "host(a read)", ""},
		{"read *, a(1:3)", "host(a both)", ""},
		{"write (name, '(f8.1)') b(2)", "host(b read)", ""},
		{"if (a(1) > 3) s = 1", "host(a read)", ""},
		{"if (k == 5) print *, b", "host(b read)", ""},
		{"if (k == 5) then\ns = b(1)\nend if", "host(b read)", ""},
		{"do i = 2, n\nb(i) = b(i-1)\nend do", "host(b both)", ""},
		{"do i = 1, int(a(1))\ncall launch(b)\nend do", "host(a read)", ""},
		{"field(3) = 1", "host(field both)", ""},
		{"field = 1", "host(field both)", ""},
		{"field = [a, b]", "host(a read) host(b read) leave(field both) | stay(field both)", ""},
		{"deallocate (field)", "leave(field both)", ""},
		{"g%u(3) = g%n", "host(g%u both)", ""},
		{"s = star(2)", "host(.false.)", ""},
		{"call far(s)", "host(.true.) pause() | resume()", "'far', called while a data region is open, is not seen"},
		{"call far(b)", "expose(b both) host(.true.) pause() | resume()", "'far'"},
		{"call far(field)", "expose(field both) leave(field both) host(.true.) pause() | stay(field both) resume()", "'far'"},
		{"call renew(field)", "leave(field both) | stay(field both)", ""},
		{"call twice(field, g)", "leave(field both) leave(g%u both) host(.false.) | stay(field both) stay(g%u both)", ""},
		{"call twice(x=field, t=g)", "leave(field both) leave(g%u both) host(.false.) | stay(field both) stay(g%u both)", ""},
		{"call shared", "leave(field both) | stay(field both)", ""},
		{"call fresh(field)", "leave(field both) | stay(field both)", ""},
		{"call points(p)", "leave(p both) | stay(p both)", ""},
		{"call moves(p, q)", "leave() | add(a both)", "this statement may free memory"},
		{"call local", "", ""},
		{"call itself(field)", "leave(field both) leave() | stay(field both) add(a both)", "this statement may free memory"},
		{"call walk(a, 3)", "host(a both)", ""},
		{"call ping(b, 3)", "host(b both) host(field both)", ""},
		{"call pong(b, 3)\ncall ping(a, 2)", "host(b both) host(field both) host(a both)", ""},
		{"call lost(b, 3)", "expose(b both) host(.true.) pause() | resume()", "'lost', called while a data region is open, is seen, but not all that it calls"},
		{"s = gone(field)", "leave(field both) | stay(field both)", ""},
		{"s = gone(field) + a(3)", "leave(field both) host(a read) | stay(field both)", ""},
		{"if (k == 3) call renew(field)", "leave(field both) stay(field both)", ""},
		{"do i = 1, n\ncall renew(field)\nend do", "leave(field both) stay(field both)", ""},
		{"do i = 1, n\nif (i == 3) goto 11\ncall renew(field)\n11 continue\nend do", "leave(field both)", ""},
		{"call move_alloc(field, g%u)", "leave(field both) leave(g%u both) | stay(field both) stay(g%u both)", ""},
		{"block\nreal(8), allocatable :: z(:)\ncall renew(z)\nend block", "leave() add(a both)", "this statement may free memory"},
		{"call system_clock(k)", "", ""},
		{"!$omp parallel\ns = b(1)\nif (k > 2) s = a(2)\n!$omp end parallel", "host(b read) host(a read)", ""},
		{"allocate (field(3), stat=k, source=a(1))", "host(a read)", ""},
	} {
		t.Run(row.text, func(t *testing.T) {
			plan, text := planOf(t, strings.ReplaceAll(strings.ReplaceAll(within, "CLAUSES", ""), "TEXT", row.text+"\n! behind"), true)
			require.Empty(t, plan.Refusals)
			_, body, _ := strings.Cut(text, "call launch(a)\n")
			body, _, _ = strings.Cut(body, "! behind")
			front, behind := true, false
			var list []string
			for _, l := range strings.Split(body, "\n") {
				if !strings.HasPrefix(l, ">") {
					behind = behind || !front
					continue
				}
				i := strings.Index(l, "call ")
				if i < 0 {
					continue
				}
				if behind && !strings.HasPrefix(row.text, "if") && strings.Count(row.text, "\n") == 0 {
					list, behind = append(list, "|"), false
				}
				front = false
				l = l[i+len("call "):]
				if name, rest, is := strings.Cut(l, "(arg("); is {
					l = fmt.Sprintf("%s(%s %s)", name, strings.SplitN(rest, ",", 2)[0], strings.Split(rest, "'")[1])
				}
				list = append(list, l)
			}
			require.Equal(t, row.want, strings.Join(list, " "), text)
			if strings.HasPrefix(row.warns, "this statement") {
				require.NotEmpty(t, plan.Notes)
				require.Contains(t, plan.Notes[0].Text, row.warns)
				return
			}
			require.Empty(t, plan.Notes)
			if row.warns == "" {
				require.Empty(t, plan.Warnings)
				return
			}
			require.NotEmpty(t, plan.Warnings)
			require.Contains(t, plan.Warnings[0].Text, row.warns)
		})
	}
}

// A region keeps what its launches use and its scope names, by the names of the caller.
func TestArrays(t *testing.T) {
	const text = `module other
  real(8) :: there(5)
contains
  subroutine deep(y, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: y(n)
    real(8) :: own(n)
    integer :: i
    do i = 1, 5
      own(i) = i
      y(i) = own(i) + there(i)
    end do
  end subroutine
end module
subroutine work(a, g, p, n)
  use other, only: deep
  type inner
    real(8), pointer :: v(:)
  end type
  type grid
    type(inner) :: in
    real(8) :: f(5)
  end type
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n)
  real(8), optional, allocatable :: p(:)
  type(grid) :: g
  real(8) :: s(5, 5)
  !$portable data
  call deep(a, n)
  call deep(g%f, 5)
  call deep(s(:, 2), 5)
  call deep(p, 5)
  call deep(g%in%v, 5)
  call deep(a*2, n)
  !$portable end data
end subroutine
`
	plan, out := planOf(t, text, true)
	require.Empty(t, plan.Refusals)
	var names []string
	for _, l := range strings.Split(out, "\n") {
		if _, rest, is := strings.Cut(l, "add(arg("); is {
			names = append(names, rest[:strings.IndexByte(rest, ',')])
		}
	}
	require.Equal(t, "a g%f s p g%in%v", strings.Join(names, " "), out)
	require.Contains(t, out, ">if (present(p)) then\n>  if (allocated(p)) then\n>    call add(arg(p, lbound(p), 'both', name='p'), '', .false.)\n>  end if\n>end if\n")
	require.Len(t, plan.Notes, 1)
	require.Contains(t, plan.Notes[0].Text, "'there', which launches in the data region use, has no name in it")
}

// Arrays that ENTER DATA cannot keep, and regions without launches, have a note.
func TestNotes(t *testing.T) {
	plan, _ := planOf(t, "subroutine s(a)\n  real :: a(5)\n  !$acc enter data copyin(a)\n  a(1) = 2\n  !$portable data\n  a(2) = 3\n  !$portable end data\nend subroutine\n", true)
	require.Empty(t, plan.Refusals)
	require.Len(t, plan.Notes, 2)
	require.Contains(t, plan.Notes[0].Text, "'a' is copied at each launch in spite of 'enter data'")
	require.Contains(t, plan.Notes[1].Text, "no loop in the data region runs on a device")
}

// ENTER DATA gives all procedures with launches their calls, if nothing outlives its memory.
func TestEnter(t *testing.T) {
	const text = `module m
  real, allocatable, save :: a(:)
contains
  subroutine begin(d)
    real :: d(3)
    !$acc enter data copyin(a) create(d)
  end subroutine
  subroutine launch
    do i = 1, size(a)
      a(i) = 2*a(i)
    end do
    a(1) = 3
  end subroutine
  subroutine alone(x)
    real :: x(:)
    x(1) = x(2)
  end subroutine
end module
program p
  use m
  real :: d(3)
  allocate (a(5), source=1.0)
  call begin(d)
  call launch
  call alone(a)
  print *, a(3)
  !$acc exit data copyout(a)
end program
`
	plan, out := planOf(t, text, true)
	require.Empty(t, plan.Refusals)
	require.Len(t, plan.Notes, 1)
	require.Contains(t, plan.Notes[0].Text, "'d' is copied at each launch in spite of 'enter data': it is not a variable of a module")
	require.Contains(t, out, ">if (allocated(a)) call enter(arg(a, lbound(a), 'both', name='a'))\n    !$acc enter")
	require.Contains(t, out, ">  if (allocated(a)) call host(arg(a, lbound(a), 'both', name='a'))\n>end if\n    a(1) = 3")
	require.Contains(t, out, ">  if (allocated(a)) call host(arg(a, lbound(a), 'both', name='a'))\n>end if\n  call alone(a)")
	require.NotContains(t, out, ">end if\n    x(1) = x(2)")
	require.Contains(t, out, ">if (allocated(a)) call exit(arg(a, lbound(a), 'both', name='a'))\n  !$acc exit")
	plan, _ = planOf(t, strings.Replace(text, "program p", "subroutine p", 1)[:strings.Index(text, "end program")]+"\n", true)
	require.Contains(t, plan.Notes[0].Text, "the main program is in none of the files")
}

// A region may end in front of CONTAINS, and not behind procedures that are contained.
func TestEndBeforeContains(t *testing.T) {
	const text = "program p\n  real :: a(5)\n  !$portable data\n  do i = 1, 5\n    a(i) = i\n  end do\n  %scontains\n  subroutine q\n  end subroutine\n  %send program\n"
	const end = "!$portable end data\n"
	plan, out := planOf(t, fmt.Sprintf(text, end, ""), true)
	require.Empty(t, plan.Refusals)
	require.Contains(t, out, ">call end('p:3')\n  !$portable end data\ncontains")
	plan, _ = planOf(t, fmt.Sprintf(text, "", end), true)
	require.NotEmpty(t, plan.Refusals)
	require.Contains(t, plan.Refusals[0].Text, "the data region has no end in its block")
}

// The result of a function that launches is read behind the launches.
func TestPointerOfLaunch(t *testing.T) {
	const text = "module m\n  real, target :: a(5)\ncontains\n  function f() result(p)\n    real, pointer :: p(:)\n    do i = 1, 5\n      a(i) = i\n    end do\n    p => a\n" +
		"  end function\n  subroutine s(x, q)\n    real, pointer :: q(:)\n    !$portable data\n    %s\n    !$portable end data\n  end subroutine\nend module\n"
	plan, _ := planOf(t, fmt.Sprintf(text, "q => f()"), true)
	require.Empty(t, plan.Refusals)
	plan, _ = planOf(t, fmt.Sprintf(text, "x = sum(f())"), true)
	require.Len(t, plan.Refusals, 1)
	require.EqualValues(t, 14, plan.Refusals[0].At.Line)
	require.Contains(t, plan.Refusals[0].Text, "this statement uses what the result of 'f' points to, which launches loops")
}

// A region may stand in each branch of IF, with and without ELSE.
func TestInBranches(t *testing.T) {
	const region = "    !$portable data\n    do i = 1, 5\n      a(i) = i\n    end do\n    !$portable end data\n"
	for _, others := range []string{"", "  else\n    k = 2\n", "  else if (k == 2) then\n    k = 2\n", "  else\n" + region, "  else if (k == 2) then\n" + region} {
		plan, out := planOf(t, "subroutine s(k)\n  real :: a(5)\n  if (k == 1) then\n"+region+others+"  end if\nend subroutine\n", true)
		require.Empty(t, plan.Refusals, others)
		require.Equal(t, 1+strings.Count(others, "end data"), strings.Count(out, ">call end("), out)
	}
}

// A call behind the statement that ends a loop by its label would stand behind the loop.
func TestEndOfLoopByLabel(t *testing.T) {
	const text = "module m\ncontains\n  subroutine g(a)\n    real :: a(5)\n    do i = 1, 5\n      a(i) = i\n    end do\n  end subroutine\n" +
		"  subroutine s(a)\n    real :: a(5)\n    external :: f\n    !$portable data\n    do 10 k = 1, 2\n      call g(a)\n%s    !$portable end data\n  end subroutine\nend module\n"
	plan, _ := planOf(t, fmt.Sprintf(text, "      call f(a)\n    10 continue\n"), true)
	require.Empty(t, plan.Refusals)
	plan, out := planOf(t, fmt.Sprintf(text, "    10 a(1) = 2\n"), true)
	require.Empty(t, plan.Refusals)
	require.Contains(t, out, ">end if\n    10 a(1) = 2", "the label stays at its statement")
	plan, _ = planOf(t, fmt.Sprintf(text, "    10 call f(a)\n"), true)
	require.Len(t, plan.Refusals, 1)
	require.EqualValues(t, 15, plan.Refusals[0].At.Line)
	require.Contains(t, plan.Refusals[0].Text, "this statement, which needs a call behind it, ends a loop by its label")
}

// A name for what a pointer points to stays with the old target when the pointer gets another one.
func TestNameOfTarget(t *testing.T) {
	const text = "module m\ncontains\n  subroutine g(a)\n    real :: a(:)\n    do i = 1, 5\n      a(i) = i\n    end do\n  end subroutine\n" +
		"  subroutine s(p, b)\n    real, pointer :: p(:), b(:)\n    !$portable data\n    associate (z => %s)\n      call g(z)\n      %s\n      z(1) = 2\n    end associate\n" +
		"    !$portable end data\n  end subroutine\nend module\n"
	plan, _ := planOf(t, fmt.Sprintf(text, "p", "x = 1"), true)
	require.Empty(t, plan.Refusals)
	plan, _ = planOf(t, fmt.Sprintf(text, "p(2:3)", "p => b"), true)
	require.Len(t, plan.Refusals, 1)
	require.EqualValues(t, 12, plan.Refusals[0].At.Line)
	require.Contains(t, plan.Refusals[0].Text, "the construct has a name for 'p(2:3)', found by a pointer, and gives pointers other targets")
}
