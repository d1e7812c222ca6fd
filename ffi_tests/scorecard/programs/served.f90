! served.f90 - faults from Fortran, in a program that has nothing of the library but the link to portable::allocate; chosen by the first argument.
! Not in this file: C (served.c), C++ (served.cpp), programs that start the library (allocate.f90), what marks mean (../main.go).
module served_faults
  implicit none
  real(8), volatile :: sink = 0
  real(8), allocatable :: kept(:)
  real(8), pointer :: held(:) => null()
contains

  ! fault served_write: a small allocatable array is written past its end
  subroutine served_write(n)
    integer, intent(in) :: n
    real(8), allocatable :: a(:)
    integer :: i
    allocate (a(n))
    do i = 1, n + 1
      a(i) = i !~ out-of-bounds
    end do
    sink = a(n)
  end subroutine

  ! fault served_read: a small automatic array is read past its end
  subroutine served_read(n)
    integer, intent(in) :: n
    real(8) :: a(n)
    integer :: i
    a = sink
    do i = 1, n + 1
      sink = sink + a(i) !~ out-of-bounds
    end do
  end subroutine

  ! fault served_large: an array of some hundred kilobytes
  subroutine served_large(n)
    integer, intent(in) :: n
    real(8), allocatable :: a(:)
    integer :: i
    allocate (a(2000 * n))
    do i = 1, 2000 * n + 1
      a(i) = i !~ out-of-bounds
    end do
    sink = a(n)
  end subroutine

  ! fault served_freed: a pointer into an array outlives it
  subroutine served_freed(n)
    integer, intent(in) :: n
    real(8), allocatable, target :: a(:)
    real(8), pointer :: p(:)
    allocate (a(n))
    a = 1
    p => a(2:)
    deallocate (a)
    sink = p(7) !~ use-after-free
  end subroutine

  ! fault served_twice: two pointers to one array are both deallocated
  subroutine served_twice(n)
    integer, intent(in) :: n
    real(8), pointer :: p(:), q(:)
    allocate (p(n))
    q => p
    deallocate (p)
    deallocate (q) !~ double-free
    sink = 0
  end subroutine

  ! fault served_foreign: deallocate of a pointer to a static array
  subroutine served_foreign(n)
    integer, intent(in) :: n
    real(8), save, target :: a(101) = 1
    real(8), pointer :: p(:)
    p => a(1:n)
    deallocate (p) !~ foreign-free
    sink = 0
  end subroutine

  ! clean served_all: allocatable and automatic arrays, texts and components, grown, moved, written out and kept to the end
  subroutine served_all(n)
    integer, intent(in) :: n
    type cell
      character(:), allocatable :: name
      real(8), allocatable :: values(:)
    end type
    type(cell), allocatable :: cells(:)
    real(8), allocatable :: a(:), b(:)
    real(8) :: c(n)
    character(:), allocatable :: text
    character(200) :: line
    integer :: i, unit
    allocate (a(n), kept(n), held(n), cells(n))
    a = 1
    kept = 1
    held = 1
    do i = 1, 5
      b = [a, a(1:n)]
      call move_alloc(b, a)
      cells(i)%name = repeat('x', i)
      cells(i)%values = a(1:i)
    end do
    c = a(1:n)
    text = 'a text' // cells(3)%name
    write (line, '(a, 3f8.1)') text, c(1:3)
    open (newunit=unit, status='scratch')
    write (unit, '(a)') trim(line)
    rewind (unit)
    read (unit, '(a)') line
    sink = sum(c) + len_trim(line)
  end subroutine
end module

program served
  use served_faults
  implicit none
  character(40) :: name
  integer, parameter :: n = 101
  real(8), allocatable :: of_main(:)
  allocate (of_main(n)) ! never freed, which is right
  of_main = 1
  sink = of_main(2)
  call get_command_argument(1, name)
  select case (name)
  case ('served_write'); call served_write(n)
  case ('served_read'); call served_read(n)
  case ('served_large'); call served_large(n)
  case ('served_freed'); call served_freed(n)
  case ('served_twice'); call served_twice(n)
  case ('served_foreign'); call served_foreign(n)
  case ('served_all'); call served_all(n)
  case default
    error stop 'no such case'
  end select
end program
