! handles.f90 - handles from Fortran: what a routine leaves behind, what assignment shares, pointers with bounds, views, wrapped
! sections, copies, errors. Not in this file: every kind and rank (every_array.f90).
module handles_work
  use check_mod, only: check
  use portable_array_mod
  use, intrinsic :: iso_fortran_env, only: int64
  implicit none

  type :: model ! a handle as a component is assigned and ended with it
    integer :: n = 0
    type(portable_array) :: h
  end type
contains
  ! Work arrays: gone when the routine is left, as ALLOCATABLE is.
  recursive subroutine step(n, total)
    integer, intent(in) :: n
    real(8), intent(inout) :: total
    type(portable_array) :: a, b, rows(3)
    real(8), pointer :: p(:,:), q(:,:)
    integer :: i
    call a%allocate(p, [n, 4], [0, -1], label='work')
    call b%allocate(q, [n, 4], label='more', zero=.true.)
    do i = 1, 3
      call rows(i)%create([i], label='row')
    end do
    p = 2
    call check(lbound(p, 1) == 0 .and. ubound(p, 1) == n - 1 .and. lbound(p, 2) == -1, 'bounds of a work array')
    call check(all(abs(q) <= 0d0), 'zeroes')
    total = total + sum(p) + sum(q)
    if (n > 2) call step(n - 1, total)
  end subroutine

  subroutine shares()
    type(portable_array) :: a, b, view
    type(model) :: m, other
    real(8), pointer :: p(:,:), q(:,:)
    call a%allocate(p, [3, 2], label='shared')
    p = reshape([1d0, 2d0, 3d0, 4d0, 5d0, 6d0], [3, 2])
    call check(a%use_count() == 1, 'one holder')
    call check(a%allocated(), 'allocated')
    call check(a%label() == 'shared', 'the label')
    b = a
    call check(a%use_count() == 2, 'an assignment holds')
    b = b
    call check(a%use_count() == 2, 'an assignment to itself')
    m%h = a
    m%n = 7
    other = m
    call check(a%use_count() == 4 .and. other%n == 7, 'components hold')
    call a%slice([portable_range(2, 3), portable_all], view)
    call view%get(q)
    call check(all(shape(q) == [2, 2]) .and. abs(q(1,2) - 5d0) <= 0d0, 'a slice')
    q(2,1) = -3
    call check(abs(p(3,1) + 3d0) <= 0d0, 'a slice is the same memory')
    call a%slice([portable_reversed, portable_all], view) ! the handle lets go of the one before
    call check(a%use_count() == 5, 'a view in the place of another')
    call view%get(q)
    call check(abs(q(1,1) + 3d0) <= 0d0 .and. abs(q(3,2) - 4d0) <= 0d0, 'backwards')
    call a%release()
    call b%release()
    call check(.not. a%allocated(), 'released')
    call check(view%use_count() == 3, 'the others hold it')
    call check(abs(sum(q) - 15d0) <= 0d0, 'the memory is there as long as a view is')
  end subroutine

  ! Arrays of handles are assigned one by one.
  subroutine shares_many()
    type(portable_array) :: a(3), b(3), square(2,2)
    type(portable_array), allocatable :: c(:)
    integer :: i
    do i = 1, 3
      call a(i)%create([i], label='many')
    end do
    b = a
    call check(a(1)%use_count() == 2 .and. a(3)%use_count() == 2, 'an assignment of arrays holds')
    b(2:3) = b(1:2)
    call check(a(1)%use_count() == 3 .and. a(2)%use_count() == 2 .and. a(3)%use_count() == 1, 'an assignment within an array')
    square = a(3)
    call check(a(3)%use_count() == 5, 'one for all')
    allocate (c(3))
    c = a
    call check(a(3)%use_count() == 6, 'an allocatable array')
    deallocate (c)
    call check(a(3)%use_count() == 5, 'which is released')
  end subroutine

  subroutine reshapes()
    type(portable_array) :: a, v, t, c
    integer, pointer :: p(:), q(:,:), w(:,:,:)
    integer :: i
    call a%allocate(p, [24], label='line')
    p = [(i, i = 1, 24)]
    call a%reshape([2, 3, 4], v, lower=[0, 0, 0])
    call v%get(w)
    call check(w(1,2,3) == 24 .and. w(1,0,0) == 2 .and. lbound(w, 3) == 0, 'reshape')
    call v%subset_slowest(1, 2, v)
    call v%get(w)
    call check(all(shape(w) == [2, 3, 2]) .and. w(0,0,1) == 7, 'slowest')
    call a%reshape([4, 6], v)
    call v%permute([2, 1], t)
    call check(t%lbound(1) == 1_int64 .and. t%ubound(1) == 6_int64 .and. t%rank() == 2 .and. t%size() == 24_int64, 'the transpose')
    call c%create([6, 4], [-1, 0], portable_int32, 'transposed')
    call t%copy_to(c)
    call c%get(q)
    call check(all(q == transpose(reshape(p, [4, 6]))) .and. lbound(q, 1) == -1, 'a copy of the transpose')
    call check(c%equal(t), 'equal')
    call check(c%checksum() == t%checksum(), 'the same checksum')
    q(0,0) = 99
    call check(.not. c%equal(t), 'not equal')
    call check(c%checksum() /= t%checksum(), 'another checksum')
  end subroutine

  subroutine wraps()
    type :: triple
      real(8) :: x = 0, y(2) = 0
    end type
    type(triple), target :: triples(4)
    type(portable_array) :: a, b
    real(8), pointer :: r(:)
    real(8), target :: whole(-2:5, 3, 0:4)
    real(8), allocatable, target :: grown(:,:)
    real(8), pointer :: p(:,:,:), q(:,:)
    integer :: i
    whole = reshape([(real(i, 8), i = 1, 120)], [8, 3, 5])
    call a%wrap(whole, label='whole')
    call a%get(p)
    call check(lbound(p, 1) == -2 .and. lbound(p, 3) == 0 .and. associated(p, whole), 'a variable with its bounds')
    call check(a%use_count() == 0, 'it has no owner')
    call a%release()
    call a%wrap(whole(5:-2:-3, 2, ::2))
    call a%get(q)
    call check(all(shape(q) == [3, 3]) .and. all(abs(q - whole(5:-2:-3, 2, ::2)) <= 0d0), 'a section')
    call a%host_copy(b)
    call b%get(q)
    call check(all(abs(q - whole(5:-2:-3, 2, ::2)) <= 0d0), 'a copy of a section')
    call a%release()
    allocate (grown(0:3, 2:4), source=1d0)
    call a%wrap(grown)
    call check(a%lbound(1) == 0_int64 .and. a%ubound(2) == 4_int64, 'an allocatable with its bounds')
    call a%get(q)
    q(3, 4) = 5
    call check(abs(grown(3, 4) - 5d0) <= 0d0, 'the same memory')
    call a%release()
    triples%y(2) = [1d0, 2d0, 3d0, 4d0]
    r => triples%y(2)
    call a%wrap(r)
    nullify (r)
    call a%get(r)
    call check(size(r) == 4 .and. abs(r(1) - 1d0) <= 0d0 .and. abs(r(4) - 4d0) <= 0d0, 'a pointer to components')
    r(3) = -1
    call check(abs(triples(3)%y(2) + 1d0) <= 0d0, 'which are the same')
  end subroutine

  subroutine errors()
    type(portable_array) :: a, none
    real(8), pointer :: p(:,:), far(:), unset(:)
    real(4), pointer :: s(:,:)
    type :: pair
      real(8) :: x
      integer(1) :: y
    end type
    integer :: stat
    character(len=300) :: message
    nullify (unset)
    call a%create([3, -1], label='h', stat=stat, errmsg=message)
    call told(1, "portable_array_create of 'h': extent 2 is -1")
    call a%create([3, 4], [0], label='h', stat=stat, errmsg=message)
    call told(1, "portable_array_create of 'h': there are 2 extents, but 1 lower bounds")
    call a%create([3, 4], label='h')
    call a%create([3, 4], label='again', stat=stat, errmsg=message)
    call told(4, "portable_array_create of 'again': the handle holds the array 'h' already; release it first")
    call a%get(s, stat=stat, errmsg=message)
    call told(1, "portable_array_get of 'h': the array has elements of the kind real64 and rank 2, the pointer real32 and rank 2")
    call check(.not. associated(s), 'no pointer')
    call a%get(far, stat=stat, errmsg=message)
    call told(1, 'the pointer real64 and rank 1')
    call none%get(p, stat=stat, errmsg=message)
    call told(1, 'this is no array: it was never made, or was released')
    call none%wrap(unset, 'u', stat=stat, errmsg=message)
    call told(1, "portable_array_wrap of 'u': data is NULL")
    call a%slice([portable_all], none, stat=stat, errmsg=message)
    call told(1, "portable_array_slice of 'h': the array has rank 2, the list of dimensions 1")
    call a%slice([portable_all, portable_range(3, 5)], none, stat=stat, errmsg=message)
    call told(1, "portable_array_slice of 'h': the range 3:5 by 1 of dimension 2 is out of its bounds 1:4")
    call a%reshape([5, 2], none, stat=stat, errmsg=message)
    call told(1, 'a reshape keeps the count')
    call none%create([4, 3], label='other')
    call a%copy_to(none, stat=stat, errmsg=message)
    call check(stat == 0, 'a copy to another shape of the same count')
    call none%release()
    call none%create([2, 3], order=portable_order_c, label='kj')
    call none%get(p, stat=stat, errmsg=message)
    call told(1, "portable_array_get of 'kj': no Fortran pointer has elements that lie so")
    call a%allocate(far, [3, 4], stat=stat, errmsg=message)
    call told(1, 'there are more or fewer extents than the pointer has dimensions')
    call a%deallocate()
    call check(.not. a%allocated(), 'deallocated')
  contains
    subroutine told(code, text)
      integer, intent(in) :: code
      character(*), intent(in) :: text
      call check(stat == code, 'status of: '//text)
      call check(index(message, text) > 0, text//'; it is: '//trim(message))
      message = ''
    end subroutine
  end subroutine
end module

program handles
  use check_mod, only: check, live_blocks, finish_checks
  use handles_work
  use portable_mod, only: portable_init, portable_finalize
  implicit none
  integer(int64) :: before
  real(8) :: total
  call portable_init()
  before = live_blocks()
  total = 0
  call step(20, total)
  call check(abs(total - 2*4*(20*21/2 - 1)) <= 0d0, 'the sum')
  call check(live_blocks() == before, 'work arrays are released')
  call shares()
  call shares_many()
  call check(live_blocks() == before, 'shared arrays are released')
  call reshapes()
  call wraps()
  call errors()
  call check(live_blocks() == before, 'all is released')
  call portable_finalize()
  call finish_checks()
  print '(a)', 'handles: as they should be'
end program
