! Forms of statements: continuation in names and strings, semicolons, constructs with names, words of the language as names.
module syntax
  use portable_mod, only: tile, parallel_for, bounds
  use netcdf
  implicit real(8) (a-h, o-z)
  real(8) :: if, do, end, call, where, shared, other, third, fourth, fifth, sixth, seventh, message
  character(len=80) :: line = 'it''s "a" ! no comment', names(5)
  integer :: ios, unit, sizes(2)
  real(8), allocatable :: array(:), more(:)
contains
  recursive subroutine kernel ( t )
    type ( tile ) , intent ( in ) :: t
    integer :: i, j
    outer: do i = t%lower(1), t%upper(1)
      if = 1; do = 2                          !> shared-scalar if, shared-scalar do
      end = 3                                 !> shared-scalar end
      call = 4 ; where = &                    !> shared-scalar call, shared-scalar where
        5
      if (if > do) sha&                       !> shared-scalar shared
        &red = 1
      if (if > do) then ; other = 1 ; end if  !> shared-scalar other
      line = 'a & b &                         !> shared-scalar line
        & still the string'' = shared ! not'
      line(3:5) = 'abc'
      inner: if (.not.if.eq.1.and.1.d0>do) then
        third = 1                             !> shared-scalar third
      else if (do < 1) then inner
        fourth = 1                            !> shared-scalar fourth
      else inner
        fifth = 1.e-3                         !> shared-scalar fifth
      endif inner
      read (line, *, iostat=ios) sixth, (sizes(j), j=1, 2)  !> shared-scalar ios, shared-scalar sixth, shared-array sizes
      allocate (array(i), stat=ios)           !> shared-pointer array
      deallocate (array)
      call move_alloc(more, array)            !> shared-array array, shared-array more
      names(i) = 'fine'
      names(2) = 'not'                        !> shared-array names
      undeclared = 3
      select case (i)
      case (:3); seventh = 1                  !> shared-scalar seventh
      end select
      open (newunit=unit, file='x', iomsg=names(1))  !> shared-scalar unit, io-in-kernel open
      if (i > 5) cycle outer
    end do outer
  end subroutine kernel
end module syntax

program main
  use portable_mod
  use syntax, only: kernel
  external late
  call parallel_for('x', bounds(5), kernel)
  call parallel_for('y', bounds(5), late)
end

subroutine late(t)                            !> not-recursive late
  use portable_mod, only: tile
  type(tile) :: t
  integer, save :: n
  n = t%lower(1)                              !> saved-local n
end
