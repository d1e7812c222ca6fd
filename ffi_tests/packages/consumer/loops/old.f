C     Fixed form, with an included file.
      SUBROUTINE OLD(X)
      INCLUDE 'sizes.inc'
      DOUBLE PRECISION X(N)
      INTEGER I
      DO 10 I = 1, N
      X(I) = 3
     1 * I
   10 CONTINUE
      END
