C     Fixed form: labels, continuation, blanks inside names, old operators, computed bounds.
      PROGRAM MAIN
      USE BITS_OF_RESULTS
      IMPLICIT DOUBLE PRECISION (A-H, O-Z)
      PARAMETER (N = 31, M = 4)
      DIMENSION A(M, N), X(N), K(N)
      DO 5 I = 1, N
    5 X(I) = SAMPLE(I)
      ! truth: parallel j i; run fixed-shared-label
      DO 10 J = 1, N
      DO 10 I = 1, M
   10 A(I, J) = X(J)*I +
     +          J/2
      CALL SHOW('fixed-shared-label', BITS([A]))
      ! truth: parallel j; private s; run fixed-goto
      DO 30 J = 1, N
        S = 0D0
        IF (X(J) .LT. 0.0) GO TO 20
        S = SQRT(X(J))
   20   A(1, J) = S
   30 CONTINUE
      CALL SHOW('fixed-goto', BITS([A]))
      ! truth: parallel j; run fixed-old-operators
      DO 40 J = 1, N
        IF (X(J) .GE. 1 .AND. .NOT. X(J) .EQ. 2 .OR. J .LE. 3) THEN
          K(J) = J**2
        ELSEIF (MOD(J, 2) .NE. 0) THEN
          K(J) = -J
        ELSE
          K(J) = 0
        ENDIF
   40 CONTINUE
      CALL SHOW('fixed-old-operators', BITS(K))
      TOTAL = 0
      ! truth: parallel j; reduction +:total; run fixed-blanks
      D O 50 J = 1, N
        TO TAL = TOT AL + A(2, J)
   50 CON TINUE
      CALL SHOW('fixed-blanks', BITS([TOTAL]))
      ! truth: parallel j; private i; run fixed-inner-labels
      DO 80 J = 1, N
        DO 60 I = 1, M
          IF (A(I, J) .GT. 9) GOTO 70
          A(I, J) = A(I, J) + 1
   60   CONTINUE
   70   K(J) = I
   80 CONTINUE
      CALL SHOW('fixed-inner-labels', [BITS([A]), BITS(K)])
      END
