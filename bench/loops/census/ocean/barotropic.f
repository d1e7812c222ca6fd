C     A barotropic model in fixed form with COMMON blocks.
      SUBROUTINE BAROTR(DT)
      IMPLICIT DOUBLE PRECISION (A-H, O-Z)
      PARAMETER (NX = 20, NY = 16)
      COMMON /FLD/ U(NX, NY), V(NX, NY), H(NX, NY), HN(NX, NY), F(NY)
      COMMON /FLX/ FX(NX), FY(NY), MASK(NX, NY), TOTAL, ROW(NX)
      ! truth: parallel j i; features core
      DO 10 J = 2, NY - 1
        DO 10 I = 2, NX - 1
   10 HN(I, J) = H(I, J) - DT*(U(I + 1, J) - U(I, J) + V(I, J + 1)
     &           - V(I, J))
      ! truth: parallel j i; private c; features core
      DO 30 J = 2, NY - 1
        DO 20 I = 2, NX - 1
          C = F(J)*0.25D0*(V(I, J) + V(I - 1, J) + V(I, J + 1))
          HN(I, J) = HN(I, J) + DT*C
   20   CONTINUE
   30 CONTINUE
      ! truth: parallel j i; features core
      DO 40 J = 2, NY - 1
      DO 40 I = 2, NX - 1
        IF (MASK(I, J) .EQ. 1) H(I, J) = HN(I, J)
   40 CONTINUE
      ! truth: parallel j; features core
      DO 50 J = 1, NY
        H(1, J) = H(NX - 1, J)
        H(NX, J) = H(2, J)
   50 CONTINUE
      ! truth: parallel i; features core
      DO 60 I = 1, NX
        V(I, 1) = 0
   60   V(I, NY) = 0
      ! truth: parallel j i; features exit-cycle
      DO J = 1, NY
        DO I = 1, NX
          IF (MASK(I, J) .EQ. 0) CYCLE
          U(I, J) = U(I, J)*(1 - DT*0.1D0)
          V(I, J) = V(I, J)*(1 - DT*0.2D0)
        END DO
      END DO
      TOTAL = 0
      ! truth: parallel j i; reduction +:total; features reduction
      DO 80 J = 1, NY
      DO 80 I = 1, NX
   80 TOTAL = TOTAL + 0.5D0*H(I, J)**2 + U(I, J)*U(I, J)
      ! truth: parallel i; features core
      DO 90 I = 1, NX
   90 FX(I) = U(I, 3)*H(I, 3)
      ! truth: refused recurrence fx; features core
      DO 100 I = 2, NX
        FX(I) = 0.5D0*(FX(I) + FX(I - 1))                               !<
  100 CONTINUE
      ! truth: parallel j; private i; features goto
      DO 120 J = 1, NY
        FY(J) = 0
        DO 110 I = 1, NX
          IF (MASK(I, J) .EQ. 0) GO TO 110
          FY(J) = FY(J) + V(I, J)
          IF (FY(J) .GT. 1D3) FY(J) = 1D3
          U(I, J) = U(I, J) + 1D-3*FY(J)
  110   CONTINUE
        IF (FY(J) .LT. 0D0) GO TO 115
        FY(J) = SQRT(FY(J))
        GO TO 120
  115   FY(J) = -FY(J)
  120 CONTINUE
      ! truth: refused whole-array|private-array|same-element row; features core
      DO 150 J = 1, NY
        DO 130 I = 2, NX
          IF (MASK(I, J) .EQ. 1) ROW(I) = H(I, J) + ROW(I - 1)          !<
  130   CONTINUE
        DO 140 I = 2, NX
          H(I, J) = 0.5D0*(H(I - 1, J) + ROW(I))                        !<
  140   CONTINUE
  150 CONTINUE
      ! truth: parallel j; features stride
      DO 160 J = 1, NY - 1, 2
        F(J) = F(J + 1)
  160 CONTINUE
      ! truth: parallel i; features core
      DO 170 I = 1, NX
        IF (FX(I) .LT. 0) THEN
          FX(I) = -FX(I)
        ELSE IF (FX(I) .GT. 2) THEN
          FX(I) = 2
        ELSE
          FX(I) = FX(I)**2
        END IF
  170 CONTINUE
      ! truth: parallel j i; features core
      DO 180 J = 1, NY
      DO 180 I = 1, NX
        H(I, J) = H(I, J) + 1D-3*MASK(I, J)
  180 CONTINUE
      END

      SUBROUTINE RUN_BAROTROPIC(BITS)
      USE CENSUS_SUPPORT, ONLY: WP, INT64, FILL, FILL_INT, ADD
      IMPLICIT NONE
      INTEGER(INT64), INTENT(INOUT) :: BITS
      INTEGER, PARAMETER :: NX = 20, NY = 16
      REAL(WP) U, V, H, HN, F, FX, FY, TOTAL, ROW
      INTEGER MASK
      COMMON /FLD/ U(NX, NY), V(NX, NY), H(NX, NY), HN(NX, NY), F(NY)
      COMMON /FLX/ FX(NX), FY(NY), MASK(NX, NY), TOTAL, ROW(NX)
      CALL FILL(U, NX*NY, 1, -1D0, 1D0)
      CALL FILL(V, NX*NY, 2, -1D0, 1D0)
      CALL FILL(H, NX*NY, 3, 1D0, 3D0)
      HN = H
      CALL FILL(F, NY, 4)
      CALL FILL_INT(MASK, NX*NY, 5, 0, 1)
      ROW = 0
      CALL BAROTR(0.05D0)
      CALL ADD(BITS, H, NX*NY)
      CALL ADD(BITS, FX, NX)
      CALL ADD(BITS, FY, NY)
      CALL ADD(BITS, [TOTAL], 1)
      END
