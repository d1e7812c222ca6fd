C     Kinetics in fixed form: external procedures, upper case, labels.
      SUBROUTINE ARRHEN(A, B, T, X)
      DOUBLE PRECISION A, B, T, X
      X = A*EXP(-B/T)
      END

      SUBROUTINE KINET(N, M, T, Y, D, R, S, IC, DT)
      IMPLICIT NONE
      INTEGER N, M, I, J, IC(N)
      DOUBLE PRECISION T(N), Y(M, N), D(M, N), R(N), S(N), DT, F, G
      ! truth: parallel i; features calls-known
      DO 10 I = 1, N
        CALL ARRHEN(2D0, 800D0, T(I), R(I))
        R(I) = R(I)*S(I)
   10 CONTINUE
      ! truth: parallel i; private j; features core
      DO 30 I = 1, N
        D(1, I) = -R(I)*Y(1, I)
        DO 20 J = 2, M
   20   D(J, I) = R(I)*(Y(J - 1, I) - Y(J, I))/J
   30 CONTINUE
      ! truth: parallel i j; features core
      DO 40 I = 1, N
      DO 40 J = 1, M
        Y(J, I) = Y(J, I) + DT*D(J, I)
        IF (Y(J, I) .LT. 0D0) Y(J, I) = 0D0
   40 CONTINUE
      ! truth: parallel i; private f g j; features calls-known
      DO 60 I = 1, N
        F = 0D0
        DO 50 J = 1, M
          CALL ARRHEN(Y(J, I), 1D2*J, T(I), G)
          F = F + G
   50   CONTINUE
        S(I) = F/M
   60 CONTINUE
      ! truth: parallel i; features core
      DO 70 I = 1, N
        IC(I) = INT(10*S(I)) + 1
        IF (IC(I) .GT. 5) IC(I) = 5
   70 CONTINUE
      ! truth: parallel i; features core
      DO 80 I = 1, N
   80 T(I) = T(I) + 1D1*S(I)*DT - 0.5D0*R(I)
      ! truth: parallel i j; features core
      DO 90 I = 1, N
        DO 85 J = 1, M, 1
          D(J, I) = SQRT(Y(J, I) + 1D-9) - D(J, I)/2
   85   CONTINUE
   90 CONTINUE
      END

      SUBROUTINE RUN_KINETICS(BITS)
      USE CENSUS_SUPPORT, ONLY: WP, INT64, FILL, ADD, ADD_INT
      IMPLICIT NONE
      INTEGER(INT64), INTENT(INOUT) :: BITS
      INTEGER, PARAMETER :: N = 26, M = 5
      REAL(WP) T(N), Y(M, N), D(M, N), R(N), S(N)
      INTEGER IC(N)
      CALL FILL(T, N, 1, 2.5D2, 3.5D2)
      CALL FILL(Y, M*N, 2)
      CALL FILL(S, N, 3)
      CALL KINET(N, M, T, Y, D, R, S, IC, 1D-2)
      CALL ADD(BITS, T, N)
      CALL ADD(BITS, Y, M*N)
      CALL ADD(BITS, D, M*N)
      CALL ADD(BITS, S, N)
      CALL ADD_INT(BITS, IC, N)
      END
