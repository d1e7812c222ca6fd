! cfi.f90 - C descriptors and arrays: kinds, ranks, bounds, sections, allocatables, pointers, any type, errors; from Fortran by
! portable_cfi_mod, from C by cfi.c. Not in this file: arrays themselves (handles.f90).
module descriptors_checks
  use, intrinsic :: iso_c_binding
  use, intrinsic :: iso_fortran_env, only: int8, int16, int32, int64, real32, real64
  use check_mod, only: check
  use portable_array_mod
  use portable_cfi_mod
  implicit none

  type :: particle
    integer(int64) :: id = 0
    real(real64) :: x(2) = 0, mass = 0
  end type

  interface
    ! Functions of cfi.c: a sum and a description of what a C descriptor says, through portable_array_from_cfi.
    function c_sum(x) result(sum) bind(c)
      import :: c_double
      real(c_double), intent(in) :: x(..)
      real(c_double) :: sum
    end function
    function c_bounds(x) result(sum) bind(c)
      import :: c_double, c_int64_t
      real(c_double), allocatable, intent(in) :: x(..)
      integer(c_int64_t) :: sum
    end function
    function c_refuses(x) result(status) bind(c)
      import :: c_double, c_int32_t
      real(c_double), intent(inout) :: x(..)
      integer(c_int32_t) :: status
    end function
  end interface
contains
  subroutine ranks()
    type(portable_array) :: a, b
    real(real64), target :: scalar, whole(-2:5, 3, 0:4)
    real(real64), pointer :: p(:,:,:), q(:,:), s, deep(:,:,:,:,:,:,:,:,:,:,:,:,:,:,:)
    real(real64), allocatable, target :: grown(:,:), none(:)
    integer :: i
    whole = reshape([(real(i, real64), i = 1, 120)], [8, 3, 5])
    call portable_array_attach(a, whole, label='whole')
    call a%get(p)
    call check(lbound(p, 1) == -2 .and. ubound(p, 3) == 4 .and. associated(p, whole), 'a variable with its bounds')
    call a%release()
    call portable_array_describe(a, whole(5:-2:-3, 2, ::2))
    call check(a%rank() == 2 .and. a%lbound(1) == 1_int64, 'a section')
    call a%get(q)
    call check(all(abs(q - whole(5:-2:-3, 2, ::2)) <= 0), 'its elements')
    call a%host_copy(b)
    call a%release()
    call portable_array_describe(a, whole(5:-2:-3, 2, ::2), lower=[0, 7])
    call portable_array_point(a, q)
    call check(lbound(q, 1) == 0 .and. ubound(q, 2) == 9 .and. abs(q(2,9) - whole(-1,2,4)) <= 0, 'a section with bounds of its own')
    call a%release()
    allocate (grown(0:3, 2:4), source=1.0_real64)
    call portable_array_attach(a, grown)
    call check(a%lbound(1) == 0_int64 .and. a%ubound(2) == 4_int64, 'an allocatable with its bounds')
    call check(c_bounds(grown) == 8_int64, 'in C too')
    call a%release()
    scalar = 5
    call portable_array_describe(a, scalar)
    nullify (s)
    call portable_array_point(a, s)
    call check(a%rank() == 0 .and. abs(s - 5) <= 0, 'a scalar')
    call a%release()
    allocate (deep(1,2,1,2,1,2,1,1,1,1,1,1,1,2,0:2), source=3.0_real64)
    call portable_array_attach(a, deep, label='deep')
    call check(a%rank() == 15 .and. a%size() == 48_int64 .and. a%lbound(15) == 0_int64, 'rank 15')
    call a%host_copy(b)
    deallocate (deep)
    call portable_array_point(b, deep)
    call check(lbound(deep, 15) == 0 .and. all(abs(deep - 3) <= 0), 'a pointer of rank 15')
    call a%release()
    allocate (none(0))
    call portable_array_describe(a, none)
    call check(a%rank() == 1 .and. a%size() == 0_int64, 'no element')
  end subroutine

  subroutine orders()
    type(portable_array) :: a, c, t
    real(real64), pointer :: p(:,:), q(:,:)
    integer :: i
    call a%allocate(p, [3, 4], [0, -1], label='a')
    p = reshape([(real(i, real64), i = 1, 12)], [3, 4])
    call c%create([3, 4], [0, -1], order=portable_order_c, label='in the order of C')
    call a%copy_to(c)
    call portable_array_point(c, q)
    call check(all(abs(q - p) <= 0) .and. lbound(q, 2) == -1, 'a pointer to the order of C')
    call check(abs(c_sum(q) - 78) <= 0, 'C reads it where it lies')
    call a%permute([2, 1], t)
    call portable_array_point(t, q)
    call check(all(abs(q - transpose(p)) <= 0), 'a pointer to a transpose')
    q(2,2) = 100
    call check(abs(p(2,2) - 100) <= 0, 'which is the same memory')
    call a%slice([portable_reversed, portable_range(0, 2, 2)], t)
    call portable_array_point(t, q)
    call check(abs(q(1,1) - p(2,0)) <= 0 .and. abs(q(3,2) - p(0,2)) <= 0, 'backwards')
  end subroutine

  subroutine kinds()
    type(portable_array) :: a(12), b
    integer(int8), target :: i1(2) = [1_int8, 2_int8]
    integer(int16), target :: i2(2) = [1_int16, 2_int16]
    integer(int32), target :: i4(2) = [1, 2]
    integer(int64), target :: i8(2) = [1_int64, 2_int64]
    real(real32), target :: r4(2) = [1., 2.]
    complex(real32), target :: c4(2) = [(1., 2.), (3., 4.)]
    complex(real64), target :: c8(2) = [(1., 2.), (3., 4.)]
    logical(c_bool), target :: l1(2) = [.true._c_bool, .false._c_bool]
    logical(2), target :: l2(2) = [.true._2, .false._2]
    logical(4), target :: l4(2) = [.true._4, .false._4]
    logical(8), target :: l8(2) = [.true._8, .false._8]
    integer(int8), pointer :: p1(:)
    integer(int16), pointer :: p2(:)
    integer(int32), pointer :: p4(:)
    integer(int64), pointer :: p8(:)
    real(real32), pointer :: q4(:)
    complex(real32), pointer :: z4(:)
    complex(real64), pointer :: z8(:)
    logical(c_bool), pointer :: m1(:)
    logical(2), pointer :: m2(:)
    logical(4), pointer :: m4(:)
    logical(8), pointer :: m8(:)
    type(particle), target :: some(5)
    real(real64), pointer :: mass(:), y(:)
    integer :: i, stat
    call portable_array_describe(a(1), i1)
    call a(1)%get(p1)
    call portable_array_describe(a(2), i2)
    call a(2)%get(p2)
    call portable_array_describe(a(3), i4)
    call a(3)%get(p4)
    call portable_array_describe(a(4), i8)
    call a(4)%get(p8)
    call check(p1(2) == 2_int8 .and. p2(2) == 2_int16 .and. p4(2) == 2 .and. p8(2) == 2_int64, 'integers')
    call portable_array_describe(a(5), r4)
    call portable_array_point(a(5), q4)
    call portable_array_describe(a(6), c4)
    call portable_array_point(a(6), z4)
    call portable_array_describe(a(7), c8)
    call portable_array_point(a(7), z8)
    call check(abs(q4(2) - 2) <= 0 .and. abs(z4(2) - c4(2)) <= 0 .and. abs(z8(2) - c8(2)) <= 0, 'reals and complex numbers')
    call portable_array_describe(a(8), l1)
    call portable_array_point(a(8), m1)
    call portable_array_describe(a(9), l2)
    call a(9)%get(m2)
    call portable_array_describe(a(10), l4)
    call a(10)%get(m4)
    call portable_array_describe(a(11), l8)
    call a(11)%get(m8)
    call check(logical(m1(1) .and. m2(1) .and. m4(1) .and. m8(1) .and. .not. (m1(2) .or. m2(2) .or. m4(2) .or. m8(2))), 'logicals')
    ! Attached and pointed to, where the above were described.
    p1 => i1
    call portable_array_attach(b, p1)
    call b%release()
    p2 => i2
    call portable_array_attach(b, p2)
    call b%release()
    p4 => i4
    call portable_array_attach(b, p4)
    call portable_array_point(b, p4)
    call b%release()
    p8 => i8
    call portable_array_attach(b, p8)
    call b%release()
    call portable_array_attach(b, r4)
    call b%release()
    call portable_array_attach(b, c4)
    call b%release()
    call portable_array_attach(b, c8)
    call b%release()
    call portable_array_attach(b, l1)
    call b%release()
    call portable_array_point(a(1), p1)
    call portable_array_point(a(2), p2)
    call portable_array_point(a(4), p8)
    call check(size(p1) == 2 .and. size(p2) == 2 .and. p4(1) == 1 .and. size(p8) == 2, 'integers again')
    ! Any type, by its bytes; components where they lie.
    some%id = [(int(i, int64), i = 1, 5)]
    some%mass = [(real(i, real64), i = 11, 15)]
    some%x(2) = [(real(i, real64), i = 21, 25)]
    call portable_array_describe(a(12), some(1:5:2), label='particles')
    call a(12)%host_copy(b)
    call check(b%size() == 3_int64 .and. b%equal(a(12)), 'records')
    some(3)%mass = -1
    call check(.not. b%equal(a(12)), 'records that differ')
    call b%get(mass, stat=stat)
    call check(stat == 1, 'which no pointer to numbers is for')
    call b%release()
    y => some%x(2)
    call portable_array_attach(b, y)
    nullify (y)
    call portable_array_point(b, y)
    call check(size(y) == 5 .and. abs(y(4) - 24) <= 0, 'a pointer to components')
    y(1) = 7
    call check(abs(some(1)%x(2) - 7) <= 0, 'which are the same')
  end subroutine

  subroutine errors()
    type(portable_array) :: a, b
    type :: odd
      complex(real64) :: z = 0
      integer(int64) :: n = 0
    end type
    type(odd), target :: odds(3)
    complex(real64), pointer :: z(:)
    real(real64), target :: x(3, 4)
    real(real64), pointer :: p(:,:), q(:)
    real(real32), pointer :: s(:,:)
    integer :: stat
    character(len=300) :: message
    x = 1
    nullify (p)
    call portable_array_attach(a, p, 'p', stat=stat, errmsg=message)
    call told("portable_array_describe of 'p': the pointer is not associated, or the allocatable not allocated")
    call portable_array_describe(a, x, [0], 'x', stat=stat, errmsg=message)
    call told("portable_array_describe of 'x': there are 2 extents, but 1 lower bounds")
    z => odds%z
    call portable_array_attach(a, z, 'z', stat=stat, errmsg=message)
    call told("portable_array_describe of 'z': dimension 1 goes on by 24 bytes, which is no whole number of elements of 16 bytes")
    call portable_array_describe(a, x, label='x')
    call portable_array_point(a, q, stat=stat, errmsg=message)
    call told("portable_array_to_cfi of 'x': the array has elements of the kind real64 and rank 2, the pointer real64 and rank 1")
    call check(.not. associated(q), 'no pointer')
    call portable_array_point(a, s, stat=stat, errmsg=message)
    call told('the pointer real32 and rank 2')
    call portable_array_point(b, p, stat=stat, errmsg=message)
    call told('portable_array_to_cfi: this is no array')
    call portable_array_describe(a, x, label='y', stat=stat, errmsg=message)
    call check(stat == 4 .and. index(message, "the handle holds the array 'x' already") > 0, 'a handle that holds: '//trim(message))
    call sized(x)
    call check(c_refuses(x) == -1_c_int32_t, 'C asks for a pointer')
  contains
    subroutine told(text)
      character(*), intent(in) :: text
      call check(stat == 1 .and. index(message, text) > 0, text//'; it is: '//trim(message))
      message = ''
    end subroutine

    subroutine sized(x)
      real(real64), target, intent(in) :: x(3, *)
      call portable_array_describe(b, x, label='sized', stat=stat, errmsg=message)
      call told("portable_array_describe of 'sized': dimension 2 has no extent")
    end subroutine
  end subroutine
end module

program descriptors
  use check_mod, only: finish_checks
  use descriptors_checks
  use portable_mod, only: portable_init, portable_finalize
  implicit none
  call portable_init()
  call ranks()
  call orders()
  call kinds()
  call errors()
  call portable_finalize()
  call finish_checks()
  print '(a)', 'descriptors: as they should be'
end program
