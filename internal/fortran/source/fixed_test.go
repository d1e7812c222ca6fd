package source

import (
	"strings"
	"testing"
)

// fixedSources: without a wanted text, a problem is wanted.
var fixedSources = []struct{ text, want string }{
	{"      DO 10 I = 1, 5\n   10 CONTINUE\n", "do 10 i = 1 , 5\n10: continue"},
	{"      DO 10 I = 1.5\n", "do10i = r1.5"},
	{"      DO10I=1,N\n      D O 1 0 , J=1,N", "do 10 i = 1 , n\ndo 10 , j = 1 , n"},
	{"      DO 10 E5=1,2\n      DO 5 WHILE(X)\n      DOWHILE(X)\n      DO", "do 10 e5 = 1 , 2\ndo 5 while ( x )\ndo while ( x )\ndo"},
	{"      REAL*8 D1,E2(3)\n      REAL*8FUNCTIONF(X)\n      CHARACTER*(*) C\n      CHARACTER*8 A*5\n",
		"real * 8 d1 , e2 ( 3 )\nreal * 8 function f ( x )\ncharacter * ( * ) c\ncharacter * 8 a * 5"},
	{"      REAL FUNCTIONX(10)\n      DOUBLE PRECISION FUNCTION G()\n      RECURSIVE INTEGER(4) FUNCTION H(A) RESULT(B)\n      INTEGERI,J",
		"real functionx ( 10 )\ndoubleprecision function g ( )\nrecursive integer ( 4 ) function h ( a ) result ( b )\ninteger i , j"},
	{"      IF(A.EQ.1)GOTO10\n      IF (X) 10,20,30\n      IF(I)=3\n      IF (A) THEN\n      ELSEIF(B)THEN\n      ELSE IF (C) THENX\n      END IF\n",
		"if ( a .eq. 1 ) goto 10\nif ( x ) 10 , 20 , 30\nif ( i ) = 3\nif ( a ) then\nelseif ( b ) then\nelseif ( c ) then x\nendif"},
	{"      IMPLICIT REAL*8 (A-H,O-Z), INTEGER(I-N)\n      IMPLICIT NONE", "implicit real * 8 ( a - h , o - z ) , integer ( i - n )\nimplicitnone"},
	{"      ASSIGN 10 TO I\n      GO TO (1,2),K\n      READ 10,X\n      PRINT*,X\n      CALLFOO(X)\n      RETURN1",
		"assign 10 to i\ngoto ( 1 , 2 ) , k\nread 10 , x\nprint * , x\ncall foo ( x )\nreturn 1"},
	{"      A B = C D + 1 000 . E Q . 2\n", "ab = cd + 1000 .eq. 2"},
	{"      X = 1\n     &  + 2 ! c\nC comment\n\n     1+3\n", "x = 1 + 2 + 3"},
	{"\tX = 1\n\t1+2\n10\tY=2", "x = 1 + 2\n10: y = 2"},
	{"      X = 'A''B   C' // \"D E\"\n", "x = 'a'b   c' // 'd e'"},
	{"1 0   X=1 ; Y=2\n", "10: x = 1\ny = 2"},
	{"      Y = 3HA'B\n      DATA X/2*4HABCD/\n      REAL*8 H(3)\n 10   FORMAT(3H A!,5X)", "y = h'a'b'\ndata x / 2 * h'abcd' /\nreal * 8 h ( 3 )\n10: format ( h' a!' , 5 x )"},
	{"c$omp parallel do\nC$OMP& private(x)\n*$omp+shared(y)\n      do i=1,n\nC$PORTABLE parallel\nc$portable& label('A b')\n!$PORTABLE data &\n!$portable in(a)\n",
		"!omp parallel do private ( x ) shared ( y )\ndo i = 1 , n\n!portable parallel label ( 'a b' )\n!portable data in ( a )"},
	{"      x = 1\nc$omp barrier\n     & + 2\nc$omp flush\n\n      y=1", "x = 1 + 2\n!omp flush\ny = 1"},
	{"c$acc &parallel loop\n      x=1", "!acc parallel loop\nx = 1"},
	{"D     X=1\n      INCLUDE'none.inc'\n*comment\n", ""},
	{"      X = 2\n     !+1\n", "x = 2 + 1"},
	{"OUTER:DO I=1,N\n      Y=1\n", ""},
	{"      OUTER:DO I=1,N\n      L1:IF(X)THEN\n      CYCLEOUTER\n      ENDDOOUTER", "outer : do i = 1 , n\nl1 : if ( x ) then\ncycle outer\nenddo outer"},
	{"      TYPE(T)X\n      TYPET\n      TYPE,PUBLIC::T\n      TYPEIS(T)\n      CLASSIS(T)\n      CLASSDEFAULT\n      TYPE T2 = 3",
		"type ( t ) x\ntype t\ntype , public :: t\ntypeis ( t )\nclassis ( t )\nclassdefault\ntypet2 = 3"},
	{"      USE M,ONLY:A=>B\n      INTEGER,PARAMETER::K=3\n      P=>Q\n      INTERFACE OPERATOR(/)\n      MODULE PROCEDURE A\n      MODULE M",
		"use m , only : a => b\ninteger , parameter :: k = 3\np => q\ninterface operator ( / )\nmoduleprocedure a\nmodule m"},
	{"      WHERE(A>0)B=1\n      FORALL(I=1:N)A(I)=0\n      WHERE(M)\n      IF(A)DO10I=1.5", "where ( a > 0 ) b = 1\nforall ( i = 1 : n ) a ( i ) = 0\nwhere ( m )\nif ( a ) do10i = r1.5"},
	{"      SUBROUTINES\n      SUBROUTINE S(A,*)\n      FUNCTIONF(X)\n      END SUBROUTINE S\n      BLOCKDATAX\n      COMMON/A/B\n      COMMONB\n      SAVEB",
		"subroutine s\nsubroutine s ( a , * )\nfunction f ( x )\nendsubroutine s\nblockdata x\ncommon / a / b\ncommon b\nsave b"},
}

func TestFixed(t *testing.T) {
	for _, x := range fixedSources {
		got, c := lines(t, "x.f", x.text, Options{})
		if x.want == "" {
			if len(c.Problems) == 0 {
				t.Errorf("%q: no problem; lines %s", x.text, got)
			}
			continue
		}
		if !strings.EqualFold(got, x.want) || len(c.Problems) > 0 {
			t.Errorf("%q:\n got %s\nwant %s\nproblems %v", x.text, got, x.want, c.Problems)
		}
	}
}
