C     Linear algebra in fixed form, as codes of the seventies have it.
      SUBROUTINE OLDLIN(N, A, X, Y, W, IND, S)
      IMPLICIT DOUBLE PRECISION (A-H, O-Z)
      DIMENSION A(N, N), X(N), Y(N), W(N), IND(N)
      ! truth: parallel i; features core
      DO 10 I = 1, N
   10 Y(I) = X(I)*2.0D0
      ! truth: parallel i; features stride
      DO 20 I = 1, N - 3, 4
        Y(I) = Y(I) + X(I)
        Y(I + 1) = Y(I + 1) + X(I + 1)
        Y(I + 2) = Y(I + 2) + X(I + 2)
        Y(I + 3) = Y(I + 3) + X(I + 3)
   20 CONTINUE
      ! truth: parallel j i; features core
      DO 30 J = 1, N
      DO 30 I = 1, N
   30 A(I, J) = A(I, J) - 0.01D0*X(I)*Y(J)
      ! truth: parallel i; private t; features goto
      DO 50 I = 1, N
        T = X(I)
        IF (T .LT. 0.5D0) GO TO 40
        T = 1.0D0/T
   40   W(I) = T
   50 CONTINUE
      ! truth: parallel i; private j; features goto
      DO 70 I = 1, N
        DO 60 J = 1, N
          IF (A(J, I) .GT. 0.9D0) GO TO 65
   60   CONTINUE
   65   IND(I) = J
   70 CONTINUE
      ! truth: refused jump|leaves-loop; features goto
      DO 80 I = 1, N
        W(I) = W(I)*0.5D0
        IF (W(I) .GT. 1D6) GO TO 90                                     !<
   80 CONTINUE
   90 S = 0D0
      ! truth: parallel i; reduction +:s; features reduction
      DO 100 I = 1, N
  100 S = S + W(I)*X(I)
      ! truth: parallel k; features core
      DO 110 K = 1, N
        IF (X(K) .EQ. 0D0) THEN
          Y(K) = 0D0
        ELSE
          Y(K) = Y(K)/X(K)
        END IF
  110 CONTINUE
      ! truth: refused recurrence w; features core
      DO 120 I = 2, N
  120 W(I) = (W(I) - W(I - 1))/2                                        !<
      ! truth: parallel i; private k; features core
      DO 140 I = 1, N
        DO 130 K = 2, N
          A(I, K) = A(I, K) + 0.1D0*A(I, K - 1)
  130   CONTINUE
  140 CONTINUE
      END

      SUBROUTINE RUN_OLD(BITS)
      USE CENSUS_SUPPORT, ONLY: WP, INT64, FILL, ADD, ADD_INT
      IMPLICIT NONE
      INTEGER(INT64), INTENT(INOUT) :: BITS
      INTEGER, PARAMETER :: N = 22
      REAL(WP) A(N, N), X(N), Y(N), W(N), S
      INTEGER IND(N)
      CALL FILL(A, N*N, 1)
      CALL FILL(X, N, 2)
      CALL OLDLIN(N, A, X, Y, W, IND, S)
      CALL ADD(BITS, A, N*N)
      CALL ADD(BITS, Y, N)
      CALL ADD(BITS, W, N)
      CALL ADD(BITS, [S], 1)
      CALL ADD_INT(BITS, IND, N)
      END
