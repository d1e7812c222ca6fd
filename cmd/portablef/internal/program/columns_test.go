package program

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/cmd/portablef/internal/verdicts"
)

// This file holds the clause columns to what it must take and refuse. Programs that run are in ffi_tests/loops/columns.

// columnParts are the parts of the program of a row; those that a row leaves out are these.
type columnParts struct {
	state     string // declarations of the module
	physics   string
	more      string // further procedures of the module
	locals    string // of the program
	before    string
	directive string
	call      string
	after     string
	dummies   string
	first     string // dummies in front of the others
	columns   string // of a directive in the physics
	levelLine string // text of an error, on any line
	generated []string
}

// levels is physics whose loops over levels have the clause.
const levels = "real :: w(nz)\ninteger :: i, j\n!$portable parallel columns(i=1:nx, j=1:ny) ! first\ndo k = 1, n\nw(k) = t(k)*ps\nend do\n!$portable parallel columns(i=1:nx, j=1:ny)\ndo k = 1, n\nt(k) = w(k)\nend do"

func (c columnParts) text() string {
	or := func(text, instead string) string {
		if text == "" {
			return instead
		}
		return text
	}
	return "module m\n  implicit none\n  integer, parameter :: nx = 7, ny = 5, nz = 9\n  real :: work(nz)\n" + c.state + "\ncontains\n" +
		"  subroutine physics(" + c.first + "n, t, ps)\n    integer, intent(in) :: n\n" + or(c.dummies, "    real, intent(inout) :: t(n)\n    real, intent(in) :: ps\n") + "    integer :: k\n" +
		or(c.physics, "do k = 1, n\nwork(k) = t(k)*ps\nend do\nt(:) = work(1:n)") + "\n  end subroutine\n" + c.more + "\nend module\n" +
		"program main\n  use m\n  implicit none\n" + or(c.locals, "  real :: t(nx, ny, nz), ps(nx, ny)\n  integer :: i, j, k\n") + "\n" + c.before + "\n  " +
		or(c.directive, "!$portable parallel columns(i=1:nx, j=1:ny)") + "\n  " + or(c.call, "call physics(nz, t, ps)") + "\n" + c.after + "\nend program\n"
}

// columnRows are parts with the refusals in comments: `!! TEXT` stands on the line of an error that has the text. No such comment: the columns run in
// parallel.
var columnRows = map[string]columnParts{
	"scratch":                            {},
	"trailing":                           {locals: "real :: t(nz, nx, ny), ps(nx, ny)\ninteger :: i, j"},
	"middle":                             {locals: "real :: t(nx, nz, ny), ps(nx, ny)\ninteger :: i, j"},
	"one index":                          {locals: "real :: t(nx, nz), ps(nx)\ninteger :: i", directive: "!$portable parallel columns(i=1:nx)"},
	"loops":                              {call: "do j = 1, ny\ndo i = 1, nx\ncall physics(nz, t(i,j,:), ps(i,j))\nend do\nend do"},
	"loops in another order":             {call: "do i = 1, nx\ndo j = 1, ny\ncall physics(nz, t(i,j,:), ps(i,j))\nend do\nend do"},
	"loops that use scratch":             {call: "do j = 1, ny\ndo i = 1, nx\nwork = 0\ncall physics(nz, t(i,j,:), ps(i,j))\nend do\nend do"},
	"indices in the call":                {call: "call physics(nz, t(i, j, :), ps(i, j))"},
	"bounds of run time":                 {locals: "real, allocatable :: t(:,:,:), ps(:,:)\ninteger :: i, j", before: "allocate(t(nx,ny,nz), ps(nx,ny))"},
	"early return":                       {physics: "if (ps < 0) return\ndo k = 1, n\nwork(k) = t(k)*ps\nend do\nt(:) = work(1:n)"},
	"time steps":                         {before: "do k = 1, 3", after: "end do"},
	"scratch in a function":              {physics: "do k = 1, n\nt(k) = twice(t(k))\nend do", more: "real function twice(x)\nreal, intent(in) :: x\nwork(1) = x\ntwice = 2*work(1)\nend function"},
	"function with a result":             {physics: "do k = 1, n\nt(k) = twice(t(k))\nend do", more: "function twice(x) result(y)\nreal, intent(in) :: x\nreal :: y\nwork(1) = x\ny = 2*work(1)\nend function twice"},
	"save":                               {physics: "real, save :: own(nz)\ndo k = 1, n\nown(k) = t(k)*ps\nend do\nt(:) = own(1:n)"},
	"internal procedure":                 {physics: "call fill()\nt(:) = work(1:n)\ncontains\nsubroutine fill()\nwork(1:n) = t\nend subroutine"},
	"no arguments":                       {physics: "work(1) = t(1)\ncall fill\nt(:) = work(2)", more: "subroutine fill\nwork(2) = work(1)\nend subroutine"},
	"a table that is read":               {state: "real :: table(3) = [1., 2., 3.]", physics: "t(:) = t(:)*table(2)"},
	"the name of a keyword":              {physics: "call fill(work=t)\nt(:) = work(1:n)", more: "subroutine fill(work)\nreal, intent(in) :: work(:)\ncall store(work(1))\nend subroutine\nsubroutine store(x)\nreal, intent(in) :: x\nwork = x\nend subroutine"},
	"an index of another loop":           {state: "integer :: level", physics: "do level = 1, n\nwork(level) = t(level)\nend do\ndo k = 1, n\nt(k) = 2*work(k)\nend do"},
	"a result of all columns":            {state: "real :: heat(nz, nx, ny)", call: "do j = 1, ny\ndo i = 1, nx\ncall keep(i, j)\nend do\nend do", more: "subroutine keep(a, b)\ninteger, intent(in) :: a, b\nheat(:, a, b) = 1\nend subroutine", after: "print *, heat"},
	"private by the user":                {directive: "!$portable parallel columns(i=1:nx, j=1:ny) private(work)", after: "work = 0\nprint *, work"},
	"a pure function that reads scratch": {generated: []string{"pure real function mean_col(n, work_col) result(mean)", "real(4), intent(in) :: work_col(9)", "real(4), intent(inout) :: work_col(9)"}, physics: "work(1:n) = t\nt(:) = mean(n)*work(1:n)", more: "pure real function mean(n)\ninteger, intent(in) :: n\nmean = sum(work(1:n))/n\nend function"},
	"indices of a module":                {state: "integer :: i, j\nreal :: heat(nz, nx, ny)", locals: "real :: t(nx, ny, nz), ps(nx, ny)", physics: "do k = 1, n\nheat(k, i, j) = t(k)*ps\nend do", after: "print *, heat"},
	"loops over indices of a module":     {state: "integer :: i, j\nreal :: heat(nz, nx, ny)", locals: "real :: t(nx, ny, nz), ps(nx, ny)", physics: "do k = 1, n\nheat(k, i, j) = t(k)*ps\nend do", after: "print *, heat", call: "do j = 1, ny\ndo i = 1, nx\ncall physics(nz, t(i,j,:), ps(i,j))\nend do\nend do"},
	"internal to the program":            {call: "call inner(t, ps)", state: "real :: own", after: "contains\nsubroutine inner(t, ps)\nreal, intent(inout) :: t(:)\nreal, intent(in) :: ps\nown = ps\nt(1) = own\nend subroutine"},
	"scratch as an argument":             {dummies: "real, intent(inout) :: t(n)\nreal, intent(in) :: ps\n", physics: "call scale(n, work, t, ps)\nt(:) = work(1:n)", more: "subroutine scale(n, w, t, ps)\ninteger, intent(in) :: n\nreal, intent(out) :: w(n)\nreal, intent(in) :: t(n), ps\nw = t*ps\nend subroutine"},
	"continued lines":                    {directive: "!$portable parallel columns(i=1:nx, &\n!$portable& j=1:ny) label('x')", call: "call physics(nz, & ! levels\n t, &\n ps)"},

	"not in bounds":              {directive: "!$portable parallel columns(i=0:nx, j=1:ny)", call: "call physics(nz, t, ps) !! it has the shape (nx, ny, nz), and columns has i=0:nx, j=1:ny"},
	"too few dimensions":         {locals: "real :: t(nx, nz), ps(nx, ny)\ninteger :: i, j", call: "call physics(nz, t, ps) !! 't' has 2 dimensions, but the dummy 't' of 'physics' has 1, and columns adds 2"},
	"ambiguous":                  {locals: "real :: t(nx, nx, nx), ps(nx, nx)\ninteger :: i, j", directive: "!$portable parallel columns(i=1:nx, j=1:nx)", call: "call physics(nz, t, ps) !! 3 choices have the bounds"},
	"equal extents, other names": {locals: "integer, parameter :: levels = 7\nreal :: t(levels, nx, ny), ps(nx, ny)\ninteger :: i, j"},
	"extents as numbers":         {locals: "real :: t(7, 7, 5), ps(7, 5)\ninteger :: i, j", call: "call physics(nz, t, ps) !! 2 choices have the bounds"},
	"an expression":              {locals: "real :: t(nx, ny, nz), ps(nx, ny)\ninteger :: i, j", call: "call physics(nz, t, 2*ps) !! '2*ps' has the dimensions of columns, but is no whole array"},
	"bounds that are not known":  {locals: "real, allocatable :: t(:,:,:), ps(:,:)\ninteger :: i, j", before: "allocate(t(nx,ny,nz), ps(nx,ny))\ndeallocate(t)\nallocate(t(nz,nx,ny))", call: "call physics(nz, t, ps) !! its bounds are given at run time"},
	"an index without a type":    {locals: "real :: t(nx, ny, nz), ps(nx, ny), i\ninteger :: j", directive: "!$portable parallel columns(i=1:nx, j=1:ny) !! the index 'i' of columns is no integer variable"},
	"unseen":                     {call: "call elsewhere(nz, t, ps) !! 'elsewhere', called at line"},
	"no call":                    {directive: "!$portable parallel columns(i=1:nx, j=1:ny) !! no CALL and no counted DO follows", call: "ps = 0"},
	"other bounds":               {directive: "!$portable parallel columns(i=1:nx, j=1:ny) !! but the loop at line 28 runs from 1 to nx-1", call: "do j = 1, ny\ndo i = 1, nx - 1\ncall physics(nz, t(i,j,:), ps(i,j))\nend do\nend do"},
	"other loops":                {directive: "!$portable parallel columns(i=1:nx, j=1:ny) !! is no subroutine", call: "do k = 1, ny\ncall physics(nz, t(1,k,:), ps(1,k))\nend do"},
	"a loop is missing":          {directive: "!$portable parallel columns(i=1:nx, j=1:ny) !! but no loop over it is all of the loop 'j'", call: "do j = 1, ny\nps(1, j) = 0\ndo i = 1, nx\ncall physics(nz, t(i,j,:), ps(i,j))\nend do\nend do"},
	"a label":                    {directive: "!$portable parallel columns(i=1:nx, j=1:ny) !! has a label", call: "10 call physics(nz, t, ps)"},
	"two statements":             {directive: "!$portable parallel columns(i=1:nx, j=1:ny) !! shares its line", call: "call physics(nz, t, ps); ps = 0"},

	"carried":                             {state: "real :: total", physics: "total = total + ps", call: "call physics(nz, t, ps) !! 'total' carries a value from one iteration to the next"},
	"only the levels are parallel":        {locals: "real :: t(100), ps(nx, ny)\ninteger :: i, j, k", call: "do j = 1, ny\ndo i = 1, nx\ndo k = 1, 100\nt(k) = t(k)*ps(i, j) !! with no index of loop j\nend do\nend do\nend do", after: "print *, t"},
	"read in other columns":               {physics: "t(:) = work(1:n)", before: "!$portable parallel columns(i=1:nx)\ncall fill(ps(i, 1))", locals: "real :: t(nx, ny, nz), ps(nx, ny)\ninteger :: i, j", more: "subroutine fill(x)\nreal, intent(inout) :: x\nwork = x\nx = work(1)\nend subroutine", call: "call physics(nz, t, ps) !! the module variable 'work' is read in these columns, but set in others alone"},
	"carried in an array":                 {physics: "do k = 2, n\nwork(k) = work(k - 1) + t(k)\nend do\nt(:) = work(1:n)", call: "call physics(nz, t, ps) !! 'work' may be read before its iteration sets it"},
	"first call":                          {physics: "logical, save :: first = .true.\nif (first) work = 1\nfirst = .false.\nt(:) = t(:)*2", call: "call physics(nz, t, ps) !! 'first' carries a value"},
	"set in a branch":                     {state: "real :: total", physics: "if (ps > 1) total = ps\nt(1) = total", call: "call physics(nz, t, ps) !! 'total'"},
	"used behind":                         {call: "call physics(nz, t, ps) !! columns keeps 'work' one variable of all columns, because it is used outside of the columns at a.f90:28", after: "print *, work"},
	"in a list":                           {state: "namelist /group/ work", call: "call physics(nz, t, ps) !! is used outside of the columns at a.f90:5"},
	"called elsewhere":                    {after: "call physics(nz, t(1,1,:), ps(1,1)) !! 'physics' uses the module variable 'work', of which each column gets its own, and is called outside of the columns too"},
	"a result":                            {state: "real :: last", physics: "last = ps", call: "call physics(nz, t, ps) !! is a result: the physics sets it and never reads it"},
	"pointer":                             {state: "real, pointer :: p(:)", physics: "p(1) = ps\nt(1) = p(1)", call: "call physics(nz, t, ps) !! 'p'"},
	"common":                              {state: "real :: c\ncommon /block/ c", physics: "c = ps\nt(1) = c", call: "call physics(nz, t, ps) !! is in COMMON or EQUIVALENCE"},
	"structure":                           {state: "type :: s\nreal :: x\nend type\ntype(s) :: one", physics: "one%x = ps\nt(1) = one%x", call: "call physics(nz, t, ps) !! changes the module variable 'one%x'"},
	"allocated inside":                    {state: "real, allocatable :: w(:)", physics: "if (.not. allocated(w)) allocate(w(n))\nw(1:n) = t\nt(:) = w(1:n)", call: "call physics(nz, t, ps) !! ALLOCATE at"},
	"output":                              {physics: "print *, t(1)", call: "call physics(nz, t, ps) !! PRINT at line 12"},
	"stop":                                {physics: "if (ps < 0) stop", call: "call physics(nz, t, ps) !! STOP at line 12"},
	"recursion":                           {physics: "work(1) = t(1)\nif (n > 1) call again(n - 1, t, ps)\nt(1) = work(1)", more: "recursive subroutine again(n, t, ps)\ninteger, intent(in) :: n\nreal, intent(inout) :: t(:)\nreal, intent(in) :: ps\nif (n > 1) call again(n - 1, t, ps)\nwork(1) = ps\nt(1) = work(1)\nend subroutine", call: "call physics(nz, t, ps) !! calls itself"},
	"elemental":                           {physics: "work(1) = ps\nt(:) = scaled(t)", more: "elemental real function scaled(x) !! but it is ELEMENTAL\nreal, intent(in) :: x\nscaled = x*work(1)\nend function"},
	"bind":                                {physics: "work(1) = ps\ncall scale(t)", more: "subroutine scale(x) bind(c) !! but it has BIND\nreal, intent(inout) :: x(*)\nx(1) = x(1)*work(1)\nend subroutine"},
	"as an argument":                      {physics: "work(1) = ps\ncall by(scale, t) !! but it is an argument", more: "subroutine scale(x)\nreal, intent(inout) :: x(:)\nx(1) = x(1)*work(1)\nend subroutine\nsubroutine by(f, x)\nexternal :: f\nreal, intent(inout) :: x(:)\ncall f(x)\nend subroutine"},
	"columns in columns":                  {physics: "call level(t, ps)", more: "subroutine level(t, ps)\nreal, intent(inout) :: t(:)\nreal, intent(in) :: ps\ninteger :: l\nreal :: x(nz)\nwork(1) = ps\n!$portable parallel columns(l=1:nz) !! in columns of its callers\ndo l = 1, nz\nt(l) = work(1)\nend do\nend subroutine"},
	"levels":                              {physics: levels, after: "print *, t", directive: "! all columns", columns: "i=1:nx, j=1:ny"},
	"levels with bounds of the caller":    {physics: strings.ReplaceAll(strings.ReplaceAll(levels, "nx", "mx"), "ny", "my"), first: "mx, my, ", dummies: "integer, intent(in) :: mx, my\nreal, intent(inout) :: t(n)\nreal, intent(in) :: ps\n", call: "call physics(nx, ny, nz, t, ps)", directive: "! all columns", columns: "i=1:nx, j=1:ny"},
	"levels, used outside":                {physics: strings.Replace(levels, "end do", "end do\nw(1) = ps !! has a value for each column, and is used outside of the loops", 1), directive: "! all columns"},
	"levels, other columns":               {physics: strings.Replace(levels, "columns(i=1:nx, j=1:ny)\n", "columns(i=1:nx) !! columns at a.f90:14 are others\n", 1), directive: "! all columns"},
	"levels, a result outside":            {state: "integer :: calls = 0", physics: strings.Replace(levels, "!$", "calls = calls + 1 !! 'calls' is set outside of the loops with columns\n!$", 1), directive: "! all columns"},
	"levels, output outside":              {physics: strings.Replace(levels, "!$", "if (n > 3) then\nprint *, n !! input and output stands outside of the loops\nend if\n!$", 1), directive: "! all columns"},
	"levels, a call outside":              {physics: strings.Replace(levels, "!$", "call note() !! 'note' is called outside of the loops with columns\n!$", 1), directive: "! all columns", more: "subroutine note\nwork = 0\nend subroutine"},
	"levels in a condition":               {physics: strings.Replace(levels, "!$", "if (n > 3) then\n!$", 1) + "\nend if", directive: "! all columns", after: "print *, t", columns: "i=1:nx, j=1:ny"},
	"levels, a value for all":             {physics: strings.Replace(strings.Replace(levels, "!$", "factor = 2*n\n!$", 1), "*ps", "*ps*factor", 1), dummies: "real, intent(inout) :: t(n)\nreal, intent(in) :: ps\ninteger :: factor\n", directive: "! all columns", after: "print *, t", columns: "i=1:nx, j=1:ny"},
	"levels, a loop variable":             {physics: strings.Replace(levels, "t(k) = w(k)", "t(k) = w(l)\nl = 1", 1), dummies: "real, intent(inout) :: t(n)\nreal, intent(in) :: ps\ninteger :: l\n", directive: "! all columns", levelLine: "'l'"},
	"levels, as an argument":              {physics: levels, directive: "! all columns", more: "subroutine other(f)\nexternal :: f\nend subroutine\nsubroutine another()\ncall other(physics) !! it is an argument\nend subroutine"},
	"levels, assumed size":                {physics: levels, dummies: "real, intent(inout) :: t(*) !! has assumed size, and the dimensions of columns stand behind it\nreal, intent(in) :: ps\n", locals: "real :: t(nz, nx, ny), ps(nx, ny)\ninteger :: i, j, k", directive: "! all columns"},
	"bounds that are not rectangular":     {directive: "!$portable parallel columns(i=1:nx, j=1:i) !! the bounds of 'j' mention 'i'"},
	"in constructs":                       {before: "associate (surface => ps)\nif (nx > 3) then\nblock\ninteger :: i", call: "call physics(nz, t, ps)", after: "end block\nend if\nend associate"},
	"in an internal procedure":            {call: "call physics(nz, t, ps)", before: "call all()\ncontains\nsubroutine all()", after: "end subroutine"},
	"an array of a structure":             {locals: "type :: state\nreal :: t(nx, ny, nz), ps(nx, ny)\nend type\ntype(state) :: s\ninteger :: i, j", call: "call physics(nz, s%t, s%ps)"},
	"a structure of one column":           {state: "type :: column\nreal :: x(nz)\nend type", dummies: "type(column), intent(inout) :: t\nreal, intent(in) :: ps\n", physics: "do k = 1, n\nwork(k) = t%x(k)*ps\nend do\nt%x = work(1:n)", locals: "type(column) :: t(nx, ny)\nreal :: ps(nx, ny)\ninteger :: i, j"},
	"allocatable scratch":                 {state: "real, allocatable :: w(:)", before: "allocate(w(0:nz))", after: "deallocate(w)", physics: "w(1:n) = t\nt(:) = w(1:n)*ps"},
	"allocatable scratch that is private": {state: "real, allocatable :: w(:)\nprivate :: w", more: "subroutine get\nallocate(w(0:nz))\nend subroutine", physics: "w(1:n) = t\nt(:) = w(1:n)*ps", call: "call physics(nz, t, ps) !! is allocatable, and not visible where the columns begin"},
	"levels and private":                  {physics: strings.Replace(levels, " ! first", " private(w) !! private(w) is written, but its value is used outside of the loop too", 1), directive: "! all columns"},
	"pointers of the pool":                {locals: "real, pointer, contiguous :: t(:,:,:), ps(:,:)\ninteger :: i, j", before: "call gator_allocate(t, [nz, nx, ny], label='t')\ncall gator_allocate(ps, dims=[nx, ny])"},
	"pointers with lower bounds":          {locals: "real, pointer, contiguous :: t(:,:,:), ps(:,:)\ninteger :: i, j", before: "call gator_allocate(t, [nz, nx, ny], lbounds=[0, 1, 1])\ncall gator_allocate(ps, [nx, ny])", call: "call physics(nz, t, ps) !! its bounds are given at run time"},
	"pointers with other targets":         {locals: "real, pointer, contiguous :: t(:,:,:), ps(:,:)\nreal, target :: own(nx, nz, ny)\ninteger :: i, j", before: "allocate(t(nz, nx, ny), ps(nx, ny))\nt => own", call: "call physics(nz, t, ps) !! its bounds are given at run time"},
	"allocated by a procedure":            {locals: "real, allocatable :: t(:,:,:), ps(:,:)\ninteger :: i, j", before: "allocate(t(nz, nx, ny), ps(nx, ny))\ncall again(t)", more: "subroutine again(x)\nreal, allocatable :: x(:,:,:)\ndeallocate(x)\nallocate(x(nx,ny,nz))\nend subroutine", call: "call physics(nz, t, ps) !! its bounds are given at run time"},
	"allocatable scratch, all of it":      {state: "real, allocatable :: w(:)", before: "allocate(w(nz))", after: "deallocate(w)", physics: "w = ps\nw(:) = t\nt(:) = w"},
	"allocatable scratch of other bounds": {state: "real, allocatable :: w(:)", before: "allocate(w(nz))", after: "deallocate(w)", physics: "w = t(1:int(ps))\nt(:) = sum(w)", call: "call physics(nz, t, ps) !! because it may get other bounds at a.f90:12, which an assignment to w(:) and dummies without ALLOCATABLE do not give it"},
	"a dummy that is allocatable":         {state: "real, allocatable :: w(:)", before: "allocate(w(nz))", after: "deallocate(w)", physics: "call put(w, ps)\nt(:) = w", more: "subroutine put(a, x)\nreal, allocatable, intent(inout) :: a(:)\nreal, intent(in) :: x\na = x\nend subroutine", call: "call physics(nz, t, ps) !! may get other bounds at"},
	"other bounds, private by the user":   {state: "real, allocatable :: w(:)", before: "allocate(w(nz))", physics: "w = t(1:int(ps))\nt(:) = sum(w)", directive: "!$portable parallel columns(i=1:nx, j=1:ny) private(w) !! private(w) is written, but 'w' may get other bounds"},
	"bounds of an assignment":             {locals: "real, allocatable :: t(:,:,:), ps(:,:)\nreal :: old(nz,nx,ny)\ninteger :: i, j", before: "allocate(t(nx,ny,nz), ps(nx,ny))\nt = old", call: "call physics(nz, t, ps) !! its bounds are given at run time"},
	"bounds of an assigned expression":    {locals: "real, allocatable :: t(:,:,:), ps(:,:)\ninteger :: i, j", before: "allocate(t(nx,ny,nz), ps(nx,ny))\nt = reshape([(1.0, i=1,nx*ny*nz)], [nz,nx,ny])", call: "call physics(nz, t, ps) !! its bounds are given at run time"},
	"bounds of equal arrays":              {locals: "real, allocatable :: t(:,:,:), ps(:,:), old(:,:,:)\nreal :: one(nx,ny,nz)\ninteger :: i, j", before: "allocate(t(nx,ny,nz), ps(nx,ny))\none = 1\nt = one\nold = t\nt = 2*old\nt = -(t + 1.0)\nt(:,:,:) = sin(one)"},
	"bounds of a moved array":             {locals: "real, allocatable :: t(:,:,:), ps(:,:), new(:,:,:)\ninteger :: i, j", before: "allocate(t(nx,ny,nz), ps(nx,ny), new(nz,nx,ny))\ncall move_alloc(new, to=t)", call: "call physics(nz, t, ps) !! its bounds are given at run time"},
	"bounds of other variables": {state: "integer :: mx, my", locals: "real, allocatable :: t(:,:,:), ps(:,:)\ninteger :: i, j", before: "mx = nx\nmy = ny\nallocate(t(mx,my,nz), ps(mx,my))\ncall again(my, mx)", directive: "!$portable parallel columns(i=1:mx, j=1:my)",
		after: "contains\nsubroutine again(mx, my)\ninteger, intent(in) :: mx, my\ndeallocate(t)\nallocate(t(mx,my,nz))\nend subroutine", call: "call physics(nz, t, ps) !! its bounds are given at run time"},
	"columns of equal number, turned":              {state: "integer, parameter :: mx = 6, my = 6", locals: "real :: t(nz,my,mx), ps(mx,my)\ninteger :: i, j", directive: "!$portable parallel columns(i=1:mx, j=1:my)", call: "call physics(nz, t, ps) !! it has the shape (nz, my, mx), and columns has i=1:mx, j=1:my"},
	"allocated with other names":                   {state: "real, allocatable :: all(:,:,:)", locals: "real :: ps(nx, ny)\ninteger :: i, j", before: "call make(nx, ny, nz)", more: "subroutine make(nx, ny, nz)\ninteger, intent(in) :: nx, ny, nz\nallocate(all(nx, ny, nz))\nend subroutine", call: "call physics(nz, all, ps) !! it has the shape (nx, ny, nz), whose 'nx' is another variable than that of columns"},
	"save of all":                                  {physics: "real :: own(nz)\nsave\ndo k = 1, n\nown(k) = t(k)*ps\nend do\nt(:) = own(1:n)"},
	"save of a name":                               {physics: "real :: own(nz), x\nsave own\nx = ps\ndo k = 1, n\nown(k) = t(k)*x\nend do\nt(:) = own(1:n)", generated: []string{"integer :: k\nreal :: own(nz), x\nsave own\nx = ps\ndo k = 1, n\nown_col(k)"}},
	"data":                                         {physics: "real :: own(nz)\ndata own /9*0./\ndo k = 1, n\nown(k) = t(k)*ps\nend do\nt(:) = own(1:n)", call: "call physics(nz, t, ps) !! has a value by DATA"},
	"a result by an argument":                      {state: "real :: profile(nz)", physics: "call fill(profile)\nt(1) = ps", more: "subroutine fill(x)\nreal, intent(out) :: x(nz)\nx = 1\nend subroutine", call: "call physics(nz, t, ps) !! is a result: the physics sets it and never reads it"},
	"levels without a call":                        {physics: strings.Replace(levels, "first", "first !! no call in the files gives 'physics' an array with the dimensions of columns", 1), directive: "! all columns", call: "call physics(nz, t(1,1,:), ps(1,1))"},
	"levels in columns":                            {physics: strings.Replace(levels, "first", "first !! or is called in columns of its callers too", 1)},
	"levels and an element":                        {physics: strings.Replace(levels, "w(k) = ", "call first(w(k)) !! the element w(k) stands for an array\nw(k) = ", 1), more: "subroutine first(x)\nreal, intent(inout) :: x(1)\nx(1) = 1\nend subroutine", directive: "! all columns"},
	"levels with a local bound":                    {physics: strings.Replace(strings.ReplaceAll(levels, "nx", "mx"), "first", "first !! the bound 'mx' of columns is a local variable", 1), dummies: "real, intent(inout) :: t(n)\nreal, intent(in) :: ps\ninteger :: mx\n", directive: "! all columns"},
	"levels, an index read behind its loop":        {physics: strings.Replace(levels, "end do\n!$", "end do\ni = k !! 'k' is read here, and set in another loop with columns\n!$", 1), directive: "! all columns"},
	"levels, a scalar of two loops":                {state: "real :: s", after: "print *, s", physics: strings.NewReplacer("w(k) = t(k)", "s = t(k)\nw(k) = t(k)", "t(k) = w(k)", "t(k) = w(k) + s !! 's' is read here, and set in another loop with columns (a.f90:").Replace(levels), directive: "! all columns"},
	"levels, a scalar that decides":                {state: "real :: s", after: "print *, s", physics: strings.NewReplacer("w(k) = t(k)", "call put(t(k))\nw(k) = t(k)", "!$portable parallel columns(i=1:nx, j=1:ny)\ndo", "if (s > 1) i = 2 !! 's' is read here\n!$portable parallel columns(i=1:nx, j=1:ny)\ndo").Replace(levels), more: "subroutine put(x)\nreal, intent(in) :: x\ns = x\nend subroutine", directive: "! all columns"},
	"levels, a scalar that each loop sets":         {state: "integer :: s", after: "print *, s", physics: strings.NewReplacer("w(k) = t(k)", "s = k\nw(k) = t(k)", "t(k) = w(k)", "s = 1\nt(k) = w(k)").Replace(levels), directive: "! all columns", columns: "i=1:nx, j=1:ny"},
	"levels, an index of loops outside":            {physics: strings.Replace(levels, "end do\n!$portable", "end do\ndo k = 1, 2\ni = k\nend do\n!$portable", 1), directive: "! all columns", columns: "i=1:nx, j=1:ny"},
	"independent, with scratch that is proved":     {directive: "!$portable parallel columns(i=1:nx, j=1:ny) independent"},
	"independent, with scratch that is not proved": {directive: "!$portable parallel columns(i=1:nx, j=1:ny) independent", physics: "do k = 1, n\nwork(1 + mod(3*k, n)) = t(k)\nend do\nt(:) = work(1:n)", call: "call physics(nz, t, ps) !! 'work' may be read before its iteration sets it"},
	"levels, independent":                          {physics: "real :: w(nz)\ninteger :: i, j\n!$portable parallel columns(i=1:nx, j=1:ny) independent\ndo k = 1, n\nw(1 + mod(3*k, n)) = t(k)\nt(k) = w(k) !! 'w' may be read before its iteration sets it\nend do", directive: "! all columns"},
	"levels, more of them in the argument":         {physics: levels, locals: "real :: t(12, nx, ny), ps(nx, ny)\ninteger :: i, j", call: "call physics(nz, t, ps) !! 't' has the shape (12, nx, ny), but the dummy 't' is declared t(n)", directive: "! all columns"},
	"levels in the middle":                         {physics: levels, locals: "real :: t(nx, 0:nz-1, ny), ps(nx, ny)\ninteger :: i, j", after: "print *, t", directive: "! all columns", columns: "i=1:nx, j=1:ny"},
	"levels of an assumed shape":                   {physics: levels, dummies: "real, intent(inout) :: t(:)\nreal, intent(in) :: ps\n", locals: "real :: t(12, nx, ny), ps(nx, ny)\ninteger :: i, j", after: "print *, t", directive: "! all columns", columns: "i=1:nx, j=1:ny"},
	"levels behind the columns":                    {physics: levels, locals: "real :: t(nx, ny, 12), ps(nx, ny)\ninteger :: i, j", after: "print *, t", directive: "! all columns", columns: "i=1:nx, j=1:ny"},
	"levels of run time":                           {state: "integer :: mz", physics: levels, locals: "real, allocatable :: t(:,:,:)\nreal :: ps(nx, ny)\ninteger :: i, j", before: "mz = 9\nallocate(t(mz, nx, ny))", call: "call physics(mz, t, ps)", after: "print *, t", directive: "! all columns", columns: "i=1:nx, j=1:ny"},
	"levels of another variable":                   {state: "integer :: mz, my", physics: levels, locals: "real, allocatable :: t(:,:,:)\nreal :: ps(nx, ny)\ninteger :: i, j", before: "mz = 9\nmy = 9\nallocate(t(mz, nx, ny))", call: "call physics(my, t, ps) !! 't' has the shape (mz, nx, ny)", directive: "! all columns"},
	"loops that could be cut":                      {locals: "real :: t(99), ps(99)\ninteger :: i", directive: "!$portable parallel columns(i=2:99)", call: "do i = 2, 99\nps(i) = exp(t(i)) + 1\nt(i) = t(i-1) + ps(i) !! 't' has distance 1\nend do"},
	"levels from 0":                                {physics: levels, dummies: "real, intent(inout) :: t(0:2*n-(n+1))\nreal, intent(in) :: ps\n", locals: "real :: t(nx, nz, ny), ps(nx, ny)\ninteger :: i, j", after: "print *, t", directive: "! all columns", columns: "i=1:nx, j=1:ny"},
	"levels, an implied loop of an index":          {physics: strings.Replace(levels, "t(k) = w(k)", "t(k) = sum([(w(j), j = 1, k)]) !! 'j' is no index of columns here", 1), directive: "! all columns"},
	"levels, a name that is an index":              {physics: strings.Replace(levels, "t(k) = w(k)", "associate (i => k)\nt(i) = w(i) !! 'i' is no index of columns here\nend associate", 1), directive: "! all columns"},
	"levels, a loop of an index":                   {physics: strings.Replace(levels, "t(k) = w(k)", "do j = 1, 2 !! the index 'j' of columns is set in the loop over levels\nt(k) = w(k)*j\nend do", 1), directive: "! all columns"},
	"levels, an index that is set":                 {physics: strings.Replace(levels, "t(k) = w(k)", "i = 2 !! the index 'i' of columns is set in the loop over levels\nt(k) = w(k)*i", 1), directive: "! all columns"},
	"levels, a lower bound":                        {physics: strings.Replace(strings.Replace(levels, "w(nz)", "w(0:nz)", 1), "t(k) = w(k)", "t(k) = w(k) + lbound(w, 1) !! 'w' has a lower bound that is not 1", 1), directive: "! all columns"},
	"levels, a lower bound in ASSOCIATE":           {physics: strings.Replace(strings.Replace(levels, "w(nz)", "w(0:nz)", 1), "t(k) = w(k)", "associate (v => w) !! 'w' has a lower bound that is not 1\nt(k) = v(k)\nend associate", 1), directive: "! all columns"},
	"levels, an upper bound":                       {physics: strings.Replace(levels, "t(k) = w(k)", "t(k) = w(k) + ubound(w, 1)", 1), after: "print *, t", directive: "! all columns", columns: "i=1:nx, j=1:ny"},
	"levels, an allocatable":                       {physics: strings.Replace(levels, "real :: w(nz)", "real, allocatable :: w(:) !! lives across the end of a loop with columns, but is ALLOCATABLE", 1), directive: "! all columns"},
	"levels, calls that differ":                    {physics: levels, directive: "! all columns", after: "call physics(nz, t(1,1,:), ps) !! gets other dimensions here than at a.f90"},
	"levels, DIMENSION alone":                      {physics: strings.Replace(levels, "real :: w(nz)", "real w\ndimension w(nz) !! is not declared in one type declaration", 1), directive: "! all columns"},
	"levels, carried in scratch":                   {physics: strings.Replace(strings.Replace(levels, "w(k) = t(k)", "work(k) = t(k)\nw(k) = t(k)", 1), "t(k) = w", "t(k) = work(k)*w", 1), directive: "! all columns", levelLine: "the module variable 'work' is read in these columns, but set in others alone (a.f90:16)"},
	"private that cannot be":                       {state: "real, target :: aim", physics: "aim = ps\nt(1) = aim", directive: "!$portable parallel columns(i=1:nx, j=1:ny) private(aim) !! private(aim) is written, but 'aim' is a pointer or a target"},
}

// TestColumns: each row has its verdict, on its line.
func TestColumns(t *testing.T) {
	for name, c := range columnRows {
		t.Run(name, func(t *testing.T) {
			text := c.text()
			p, err := Read(written(t, "a.f90", text), Options{})
			require.NoError(t, err)
			r := p.Report("convert")
			found := map[int]string{}
			for _, m := range r.Messages {
				if m.Level != "note" {
					found[m.Line] += m.Text + "\n"
				}
			}
			parallel, loops := 0, []string(nil)
			for _, n := range r.Nests {
				if n.Asked && n.Verdict == verdicts.Parallel {
					parallel++
					loops = n.Loops
				}
				if n.Asked && n.Verdict == verdicts.Refused {
					for _, f := range n.Refusals {
						require.NotContains(t, f.Text+f.Remedy, "_col")
						found[f.Line] += f.Text + "\n"
					}
				}
			}
			marked := 0
			for i, line := range strings.Split(text, "\n") {
				if _, want, is := strings.Cut(line, "!! "); is {
					marked++
					require.Contains(t, found[i+1], want, "line %d; all: %v", i+1, found)
				}
			}
			if c.levelLine != "" {
				require.Contains(t, fmt.Sprint(found), c.levelLine)
				return
			}
			if marked == 0 {
				require.Empty(t, found)
				if c.columns == "" {
					require.Equal(t, 1, parallel)
				}
				require.True(t, c.columns != "" || len(loops) == strings.Count(c.clause(), "="), "%v", loops)
				text, err := p.Generate(0, "a.pf.F90", Emission{Markers: true})
				require.NoError(t, err)
				for _, part := range c.generated {
					require.Contains(t, string(text), part)
				}
			}
		})
	}
}

// clause is the text in the parentheses of the clause.
func (c columnParts) clause() string {
	if c.columns != "" {
		return c.columns
	}
	if c.directive == "" {
		return "i=1:nx, j=1:ny"
	}
	_, text, _ := strings.Cut(c.directive, "columns(")
	text, _, _ = strings.Cut(text, ")")
	return text
}
