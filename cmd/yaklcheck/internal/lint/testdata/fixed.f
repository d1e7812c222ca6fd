C     Fixed form, Fortran 77: labels, continuation lines, COMMON, no IMPLICIT NONE.
      MODULE OLDCODE
      USE PORTABLE_MOD, ONLY: PARALLEL_FOR, BOUNDS, TILE
      REAL*8 A(100), B(100)
      REAL*8 SHARED
      CONTAINS
      RECURSIVE SUBROUTINE BODY(T)
      TYPE(TILE) T
      COMMON /WORK/ W(10), S
* a comment
      DO 10 I = T%LOWER(1), T%UPPER(1)
        A(I) = B(I) +
     &    B(I+1)                               ! a comment !
        SHARED = A(I)                          !> shared-scalar shared
        DO 20 K = 1, 10
          W(K) = A(I)                          !> shared-array w
   20   CONTINUE
        S =                                    !> reduction-by-hand s
     1    S + A(I)
        X = A(I)
   10 CONTINUE
      CALL OUT(X)
      END SUBROUTINE
      SUBROUTINE OUT(X)                        !> not-recursive out
      REAL BIG(200,200), X                     !> static-array big
      BIG(1,1) = X
      WRITE (6,*) BIG(1,1)                     !> io-in-kernel write
      IF (X .LT. 0) STOP                       !> stop-in-kernel stop
      END
      END MODULE
