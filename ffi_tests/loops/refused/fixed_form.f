C     Refusals in fixed form: arithmetic IF, labelled DO with a shared end, jumps.
      SUBROUTINE FIXEDF(N, A, B)
      INTEGER N, I, J
      DOUBLE PRECISION A(N), B(N, N), S
      S = 0
      ! truth: refused jump|leaves-loop
      DO 10 I = 1, N
        IF (A(I)) 90, 10, 10                                            !<
   10 CONTINUE
      ! truth: refused recurrence b
      DO 20 J = 2, N
      DO 20 I = 2, N
   20 B(I, J) = B(I - 1, J)
     1          + B(I, J - 1)                                           !<
      ! truth: parallel i; private s
      DO 30 I = 1, N
        S = A(I)
        IF (S .LT. 0) GO TO 25
        S = 2*S
   25   A(I) = S
   30 CONTINUE
      ! truth: parallel j i
      DO 40 J = 1, N
      DO 40 I = 1, N
   40 B(I, J) = 0
      RETURN
   90 A(1) = 0
      END
