package parse

// Statements of a procedure: as written, and as printed with braces (empty: the same).
var statementTests = table{
	// no reserved words
	{"if(i) = 3", ""}, {"real(x) = 1", ""}, {"end = 5", ""}, {"do = 3", ""}, {"type%x = 1", ""}, {"call%x(1) = 1", ""},
	{"if (a) if = 3", ""}, {"print = 5", ""}, {"data(1) = 2", ""}, {"where(1)%x = 2", ""}, {"p => q", ""}, {"use => x", ""}, {"a%b => null()", ""},
	{"p(1:, 0:) => q", ""}, {"p(1:n, 1:m) => q(:)", ""}, {"a(i)%p => f", ""}, {"s(1)(2:3) = 'x'", ""}, {"x[2] = y[1]", ""}, {"x(i)[2, 3] = 1", ""},
	{"else = 1", ""}, {"contains = 2", ""}, {"select = 1", ""}, {"format(1) = 2", ""}, {"interface = 1", ""}, {"endif = 4", ""},
	// calls and jumps
	{"call f", "call f()"}, {"call f(a, *10, k=b, x%y)", ""}, {"call a%b(i)%c(d)", ""}, {"call a%b", "call a%b()"},
	{"goto 10", "go to 10"}, {"go to 10", ""}, {"go to (10, 20), i", "go to (10, 20) i"}, {"goto (10,20) i + 1", "go to (10, 20) {i + 1}"},
	{"go to i", ""}, {"goto i, (10, 20)", "go to i (10, 20)"}, {"if (x) 10, 20, 30", ""}, {"assign 10 to i", ""},
	{"if (a > b) goto 10", "if ({a > b}) go to 10"}, {"10 continue", ""}, {"return", ""}, {"return 1", ""}, {"stop", ""}, {"stop 'x'", ""},
	{"stop i + 1, quiet=.true.", "stop {i + 1}, quiet=.true."}, {"error stop", ""}, {"errorstop 2", "error stop 2"}, {"pause 'x'", ""}, {"cycle", ""}, {"exit outer", ""},
	// input and output
	{"write(*,*) a, b", "write (*, *) a, b"}, {"write(unit=6, fmt='(a)', advance='no') (a(i), i=1,n), b", "write (unit=6, fmt='(a)', advance='no') (a(i), i = 1, n), b"},
	{"write(6, 10)", "write (6, 10)"}, {"read(5, *, end=10, err=20) x", "read (5, *, end=10, err=20) x"}, {"read *, x, y", ""}, {"read 10, x", ""}, {"read '(i3)', i", ""},
	{"read(5) (x(i), y(i), i=1, 3)", "read (5) (x(i), y(i), i = 1, 3)"}, {"print *", ""}, {"print *, 'a', (b, c), ((x(i, j), i=1,2), j=1,3)", "print *, 'a', (b, c), ((x(i, j), i = 1, 2), j = 1, 3)"},
	{"print 10, x", ""}, {"print '(a)', x", ""}, {"print fmt", ""}, {"print*, -x", "print *, {-x}"}, {"open(1, file='x')", "open (1, file='x')"}, {"close(unit=u)", "close (unit=u)"},
	{"inquire(iolength=n) a, b", "inquire (iolength=n) a, b"}, {"rewind 10", "rewind (10)"}, {"rewind(10)", "rewind (10)"}, {"end file 10", "end file (10)"}, {"endfile(u)", "end file (u)"},
	{"backspace u", "backspace (u)"}, {"flush(6)", "flush (6)"}, {"wait(1, id=k)", "wait (1, id=k)"}, {"write(6, nml=group)", "write (6, nml=group)"},
	{"read(u, *) -x", "read (u, *) {-x}"}, {"read (f) // 'x', a", "read {(f) // 'x'}, a"},
	// memory
	{"allocate(a(n), b(0:n, m)%c, stat=s)", "allocate (a(n), b(0:n, m)%c, stat=s)"}, {"allocate(t :: p)", "allocate (t :: p)"},
	{"allocate(character(len=n) :: s)", "allocate (character(n) :: s)"}, {"allocate(x[*], y(3)[2, *], source=z)", "allocate (x[*], y(3)[2, *], source=z)"},
	{"allocate(real(8) :: a(3), b(4))", "allocate (real(kind=8) :: a(3), b(4))"}, {"allocate(pdt(k=4, n=3) :: p)", "allocate (pdt(k=4, n=3) :: p)"},
	{"deallocate(a, b%c, stat=i)", "deallocate (a, b%c, stat=i)"}, {"nullify(p, q%r)", "nullify (p, q%r)"},
	// constructs
	{"if (a) then\nx = 1\nelse if (b) then\nx = 2\nelse\nx = 3\nend if", "if (a) then\n  x = 1\nelse if (b) then\n  x = 2\nelse\n  x = 3\nend if"},
	{"n: if (a) then\nelseif (b) then n\nelse n\nendif n", "n: if (a) then\nelse if (b) then\nelse\nend if n"},
	{"do i = 1, n\nend do", ""}, {"do, i = 1, n, 2\nenddo", "do i = 1, n, 2\nend do"}, {"o: do\nexit o\nend do o", "o: do\n  exit o\nend do o"},
	{"do while (a < b)\nend do", "do while ({a < b})\nend do"}, {"do 10 while (a)\n10 continue", "do 10 while (a)\n  10 continue"}, {"do while = 1, 3\nend do", ""},
	{"do 10 i = 1, n\ndo 10 j = 1, n\n10 a(i, j) = 0", "do 10 i = 1, n\n  do 10 j = 1, n\n    10 a(i, j) = 0"},
	{"do 10 i = 1, n\nif (a) goto 10\ndo 20 j = 1, 2\n20 continue\n10 continue", "do 10 i = 1, n\n  if (a) go to 10\n  do 20 j = 1, 2\n    20 continue\n  10 continue"},
	{"do 10 i = 1, n\n10 end do", "do 10 i = 1, n\n10 end do"}, {"do 10, i = 1, 2\nif (a) then\n10 endif", "do 10 i = 1, 2\n  if (a) then\n  10 end if"},
	{"do concurrent (i = 1:n, j = 1:m:2, i /= j) local(a) local_init(b, c) shared(d) reduce(+: s) default(none)\nend do",
		"do concurrent (i = 1:n, j = 1:m:2, {i /= j}) local(a) local_init(b, c) shared(d) reduce(+: s) default(none)\nend do"},
	{"do concurrent (integer(8) :: i = 1:n)\nenddo", "do concurrent (integer(kind=8) :: i = 1:n)\nend do"}, {"do concurrent = 1, 2\nend do", ""},
	{"do concurrent (i = 1:n) reduce(max: a, b) reduce(.and.: c)\nend do", ""},
	{"select case (i)\ncase (1, 3:5, :0, 9:)\nx = 1\ncase default\nend select", "select case (i)\ncase (1, 3:5, :0, 9:)\n  x = 1\ncase default\nend select"},
	{"s: selectcase (c)\ncase ('a') s\nendselect s", "s: select case (c)\ncase ('a')\nend select s"},
	{"select type (x => y%z)\ntype is (integer(4))\nclass is (t)\ntype is (pdt(4, *))\nclass default\nend select",
		"select type (x => y%z)\ntype is (integer(kind=4))\nclass is (t)\ntype is (pdt(4, *))\nclass default\nend select"},
	{"select type (x)\ntype is (character(*))\ntype is (real)\nend select", ""}, {"select rank (x)\nrank (0)\nrank (*)\nrank default\nend select", ""},
	{"where (a > 0) b = 1", "where ({a > 0}) b = 1"}, {"where (m)\na = 1\nelsewhere (n)\na = 2\nelse where\na = 3\nendwhere", "where (m)\n  a = 1\nelsewhere (n)\n  a = 2\nelsewhere\n  a = 3\nend where"},
	{"forall (i = 1:n, a(i) > 0) b(i) = 1", "forall (i = 1:n, {a(i) > 0}) b(i) = 1"}, {"forall (i = 1:n)\na(i) = i\nend forall", "forall (i = 1:n)\n  a(i) = i\nend forall"},
	{"associate (a => b%c, d => e + 1)\nend associate", "associate (a => b%c, d => {e + 1})\nend associate"},
	{"block\ninteger :: i\ni = 1\nend block", "block\n  integer :: i\n  i = 1\nend block"}, {"critical\nend critical", ""}, {"change team (x)\nend team", ""},
	{"sync all", ""}, {"sync images (*)", "sync images ( * )"}, {"event post (e[2])", "event post ( e [ 2 ] )"}, {"fail image", ""}, {"lock (l)", "lock ( l )"},
	{"if (a) then\nend if\ndata x /1/\n10 format (a, i3)\nprint 10, x", "data x /1/\nif (a) then\nend if\n10 format ( a , i3 )\nprint 10, x"},
	// directives
	{"!$omp parallel do\ndo i = 1, n\n!$omp simd\nx = 1\n!$acc loop\nend do\n!$omp end parallel do\nx = 2\n!$omp barrier",
		"!$omp parallel do\ndo i = 1, n\n!$omp simd\n  x = 1\n!$acc loop\nend do\n!$omp end parallel do\nx = 2\n!$omp barrier"},
	{"if (a) then\n!$omp a\nelse if (b) then\n!$omp b\nelse\n!$omp c\nend if\nselect case (i)\n!$omp d\ncase (1)\n!$omp e\ncase default\n!$omp f\nend select",
		"if (a) then\n!$omp a\nelse if (b) then\n!$omp b\nelse\n!$omp c\nend if\nselect case (i)\n!$omp d\ncase (1)\n!$omp e\ncase default\n!$omp f\nend select"},
}

// fixedTests are files of fixed form; blanks have no meaning there.
var fixedTests = table{
	{"      SUBROUTINES(A,*)\n      DO10I=1,N\n      DO 10 J = 1.5\n10    CONTINUE\n      GOTO10\n      IF(X.GT.0)GOTO10\n      CALLF(X)\n      END\n",
		"subroutine s(a, *)\n  do 10 i = 1, n\n    do10j = 1.5\n    10 continue\n  go to 10\n  if ({x > 0}) go to 10\n  call f(x)\nend subroutine\n"},
	{"      REALFUNCTIONF(X)\n      INTEGERA(10),B\n      REAL*8X,Y*4\n      DOUBLEPRECISIOND\n      DATAA/10*0/\n      F=1\n      ENDFUNCTION\n",
		"real function f(x)\n  integer :: a(10), b\n  real*8 :: x, y*(4)\n  double precision :: d\n  data a /{10 * 0}/\n  f = 1\nend function\n"},
	{"      PROGRAMP\n      IMPLICITREAL*8(A-H,O-Z)\n      COMMON/C/A,B(3)\n      PARAMETER(N=3)\n      DOWHILE(A.LT.B)\n      ENDDO\n      IF(A)THEN\n      ELSEIF(B)THEN\n      ELSE\n      ENDIF\n      STOP1\n      END\n",
		"program p\n  implicit real*8 (a-h, o-z)\n  common /c/ a, b(3)\n  parameter (n = 3)\n  do while ({a < b})\n  end do\n  if (a) then\n  else if (b) then\n  else\n  end if\n  stop 1\nend program\n"},
	{"      SUBROUTINE S\n      CHARACTER*(*)C\n      CHARACTER*8,D\n      WRITE(6,10)A\n10    FORMAT(1X,3HABC)\n      READ10,A\n      PRINT10,A\n      ASSIGN10TOI\n      GOTOI,(10,20)\n   20 RETURN1\n   30 END\n",
		"subroutine s()\n  character(*) :: c\n  character(8) :: d\n  write (6, 10) a\n  10 format ( 1 x , 3hABC )\n  read 10, a\n  print 10, a\n  assign 10 to i\n  go to i (10, 20)\n  20 return 1\n30 end subroutine\n"},
	{"      BLOCKDATAB\n      INTEGERFUNCTION\n      END\n", "block data b\n  integer :: function\nend block data\n"},
}
